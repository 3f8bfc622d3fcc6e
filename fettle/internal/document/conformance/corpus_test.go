package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/ooxml"
	"fettler/fettle/internal/document/word"
	"fettler/fettle/internal/document/workbook"
)

// TestOfficeCorpus renders every file of a folder of public office files and
// prints what became of each. It skips where FETTLER_CORPUS names none, the
// folder that holds office/ and pdf/. FETTLER_SHOW prints one file's lines,
// FETTLER_DUMP names a folder for the lines of all.
func TestOfficeCorpus(t *testing.T) {
	root := os.Getenv("FETTLER_CORPUS")
	if root == "" {
		t.Skip("FETTLER_CORPUS names no folder of public documents")
	}
	files, err := filepath.Glob(filepath.Join(root, "office", "*"))
	if err != nil || len(files) == 0 {
		t.Skip("there is no office folder in FETTLER_CORPUS")
	}
	show := os.Getenv("FETTLER_SHOW")
	counts := map[string]int{}
	for _, name := range files {
		base := filepath.Base(name)
		if only := os.Getenv("FETTLER_ONLY"); only != "" && filepath.Ext(name) != only {
			continue
		}
		if show != "" && show != base {
			continue
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := conformance.Source(raw)
		kind, err := ooxml.Kind(src)
		render := workbook.Render
		switch {
		case kind == document.Word:
			render = word.Render
		case kind == "" && filepath.Ext(name) != ".xlsx" && filepath.Ext(name) != ".xlsm":
			render = word.Render
		}
		var r document.Rendering
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		begin := time.Now()
		if err == nil {
			err = document.Guard(ctx, render, src, &r)
		}
		took := time.Since(begin)
		cancel()
		word := "read"
		var e *document.Error
		switch {
		case errors.As(err, &e) && len(r.Lines) > 0:
			word = "in part: " + string(e.Reason)
		case errors.As(err, &e):
			word = string(e.Reason)
		case err != nil:
			word = err.Error()
		case len(r.Lines) == 0:
			word = "no text"
		}
		counts[filepath.Ext(name)+" "+word]++
		if word != "read" || took > time.Second {
			fmt.Printf("%-60s %s, %d lines, %v: %v\n", base, word, len(r.Lines), took.Round(time.Millisecond), err)
		}
		if dump := os.Getenv("FETTLER_DUMP"); dump != "" {
			if err := os.WriteFile(filepath.Join(dump, base+".txt"), []byte(strings.Join(r.Lines, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if show != "" {
			for i, l := range r.Lines {
				fmt.Printf("%5d [%s] %s\n", i+1, r.Cite(i+1), l)
			}
			fmt.Println("notes:", r.Notes)
		}
	}
	for k, n := range counts {
		fmt.Println(n, k)
	}
}
