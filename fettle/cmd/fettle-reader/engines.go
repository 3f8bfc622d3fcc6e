package main

import (
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/notebook"
	"fettler/fettle/internal/document/pdf"
	"fettler/fettle/internal/document/word"
	"fettler/fettle/internal/document/workbook"
	"fettler/fettle/internal/render/worker"
)

// engines are the readers, each a package below internal/document. None is
// ever loaded from a file. warm is for a worker that will see many documents.
func engines(warm bool) (all worker.Engines, end func()) {
	all = worker.Engines{
		document.Spreadsheet: workbook.Render,
		document.Word:        word.Render,
		document.Notebook:    notebook.Render,
		document.PDF:         pdf.Render,
	}
	end = func() {}
	if warm {
		all[document.PDF], end = pdf.Warm()
	}
	// The other readers write their landmarks as lines themselves.
	all[document.PDF] = document.Announce(all[document.PDF])
	return all, end
}
