//go:build mage

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// wanted reports whether a row is measured: all are, unless BENCH names some.
// A group's name, such as server, is wanted when BENCH begins with it.
func wanted(name string) bool {
	only := os.Getenv("BENCH")
	return only == "" || strings.Contains(name, only) || strings.HasPrefix(only, name)
}

// leftOut is why a row that BENCH does not name was not measured.
const leftOut = "left out"

// notes say of rows that may lie outside their bounds why that is, and what was
// tried, by what a row's name begins with. They are printed below the table for
// rows that do.
var notes = map[string]string{
	"start:": "what a start costs is mostly pages touched for the first time: 187 for a hello world, 285 for `--version`, where 383 were before. " +
		"Tried: tables made when they are asked for, the command-line library without its templates, the smaller line of regexp2, one command made and not all, no signal handler for what only reads, links resolved once for a call, a stack made large before it is needed (fewer pages, no less time). " +
		"Left are the initialisation of 60 packages, a third of it regexp2's and Unicode's tables, and a program of 6 MB. A call also looks for the configuration and the clients' files, 40 system calls, since the boundary is built from them as they are.",
	"find ": "a stat a file, which the peer does not make, is half of the system's time. Tried: one opening a folder, calls past the scheduler, paths and names without a copy, pointers sorted.",
	"search ": "what is left is the system's: open, stat, read and close of each file, which the peer does too, and the collection of what five copies leave. " +
		"Tried: vectors, calls past the scheduler, a later collection, which makes memory follow the tree.",
	"server: spawn": "a start is mostly pages touched for the first time, which costs more or less from run to run: 0.08 to 0.11 were seen of the same program.",
	"server: read of 10 KB": "a call makes 44 system calls, which is half of its time: nothing of a boundary outlives a call, so that the configuration is read, the clients' files are looked for, the tree is opened and the path followed by handles each time. " +
		"A server that only sends 10 KB back, and looks at nothing, takes 0.08 to 0.15 of the peer's time. Tried: each part of a path looked up once a call (105 system calls before), the configuration loaded once, answers written in memory that is kept and little of it used over and over (117 KB a call before, now 61), the result written past the library, lines that share a string, input waited for without a thread, one processor while small reads come one by one.",
	"server: a literal search asked before": "two thirds of what is left are the listing of each folder and one stat a file, which find that nothing changed; neither is left out. " +
		"Tried: what is remembered is a bit a file, found in a sixth of the time that the stat takes.",
	"100 edits": "a start is as long as the peer's whole run, and the peer makes no flush. Tried: text counted, cut and changed without copies; both flushes stay, since they are the promise.",
	"replace in 1,000": "every file is written beside, the old one kept by a link, renamed over, flushed and the link taken away, so that a kill leaves all or none: 40,000 calls of the system, most of their time in making and freeing files, which a disk may wait for; the peer writes each file over and flushes nothing. " +
		"Tried: one flush for all files of the call, texts without copies, staging side by side, old contents let go of side by side.",
	"write of 1 MB":  "the text is looked through once for triggers. Tried: most of it passed over at a glance; the write itself became faster by more than the net did, so that its share did not fall.",
	"screen: a BERT": "the same library does the work on both sides, and drivers of it alone gave 0.82 to 1.14. Where a process was put when it started makes it slower or faster by up to a half for as long as it lives, on both sides: the row is of five starts of each.",
	"screen: a warm": "besides the model, a call opens the tree, and the payload goes over a pipe to burler-bridge, which cuts it into overlapping windows.",
}

// noteOf gives the note for a row.
func noteOf(name string) string {
	for begin, note := range notes {
		if strings.HasPrefix(name, begin) {
			return note
		}
	}
	return "no reason is known."
}

func (r result) missed() bool { return r.why == "" && r.bound > 0 && r.ratio > r.bound }

func (r result) line() string {
	name := strings.ReplaceAll(r.name, "|", `\|`) // or it ends the table's cell
	if r.why != "" {
		return fmt.Sprintf("| %s | not measured: %s | | | |", name, r.why)
	}
	bound := ""
	if r.bound > 0 {
		bound = fmt.Sprintf("%.2f", r.bound)
		if r.missed() {
			bound += ", missed"
		}
	}
	mem := ""
	if r.oursKB > 0 && r.peerKB > 0 {
		mem = fmt.Sprintf("%.0f / %.0f MB", float64(r.oursKB)/1024, float64(r.peerKB)/1024)
	}
	return fmt.Sprintf("| %s | %.2f (%.2f-%.2f) | %s | %s | %s |", name, r.ratio, r.low, r.high, bound, filepath.Base(r.peer[0]), mem)
}

// report writes docs/benchmarks.md.
func report(results []result, grown []growth) error {
	if os.Getenv("BENCH") != "" {
		return nil
	}
	var sb strings.Builder
	sb.WriteString("# Benchmarks\n\nWritten by `go tool mage bench`: every row is fettle's wall time divided by its peer's, medians of " +
		fmt.Sprint(rounds) + " rounds run in\nalternation with a warm cache; in brackets the quartiles of the rounds' ratios. Below 1 fettle is faster. Memory is the\npeak resident size of each. " +
		"Both give the same answer before anything is timed: counts are compared, and listings line by line.\nAn answer of fettle's is cut at 40,000 characters, after everything was found and ordered; the peers order nothing.\n\n")
	fmt.Fprintf(&sb, "Machine: %s.\n\nPeers: %s.\n", machine(), strings.Join(peers(results), ", "))
	sb.WriteString("\n| what | ratio | bound | peer | memory, fettle / peer |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range results {
		sb.WriteString(r.line() + "\n")
	}
	said := false
	for _, r := range results {
		if !r.missed() {
			continue
		}
		if !said {
			sb.WriteString("\nOutside their bounds:\n\n")
			said = true
		}
		fmt.Fprintf(&sb, "- %s: %s\n", r.name, noteOf(r.name))
	}
	sb.WriteString(growthTable(grown))
	return os.WriteFile(filepath.Join("docs", "benchmarks.md"), []byte(sb.String()), 0o644)
}

// machine says what the figures were measured on, and nothing of whose it is.
func machine() string {
	parts := []string{fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())}
	if out, err := output("uname", "-sr"); err == nil {
		parts = append(parts, out)
	}
	if out, err := output("go", "env", "GOVERSION"); err == nil {
		parts = append(parts, out)
	}
	return strings.Join(parts, ", ")
}

// peers gives the versions of what fettle is measured beside.
func peers(results []result) []string {
	var out []string
	for _, v := range [][]string{{"rg", "--version"}, {"fdfind", "--version"}, {"git", "--version"}, {"node", "--version"}} {
		first := "is not installed"
		if text, err := output(v[0], v[1:]...); err == nil {
			first, _, _ = strings.Cut(text, "\n")
		}
		if !strings.HasPrefix(first, v[0]) && !strings.ContainsRune(first, ' ') || first == "is not installed" {
			first = v[0] + " " + first
		}
		out = append(out, first)
	}
	seen := map[string]bool{}
	for _, r := range results {
		if len(r.peer) > 0 && strings.HasPrefix(r.peer[0], "server-filesystem") && !seen[r.peer[0]] {
			seen[r.peer[0]] = true
			out = append(out, "@modelcontextprotocol/"+r.peer[0])
		}
	}
	return out
}
