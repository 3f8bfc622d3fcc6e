package main

import (
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/notebook"
	"fettler/fettle/internal/document/word"
	"fettler/fettle/internal/document/workbook"
	"fettler/fettle/internal/render/worker"
)

// engines are the readers, each a package below internal/document. None is
// ever loaded from a file.
var engines = worker.Engines{
	document.Spreadsheet: workbook.Render,
	document.Word:        word.Render,
	document.Notebook:    notebook.Render,
}
