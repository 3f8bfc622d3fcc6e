package examine

import (
	"fettler/fettle-doctor/internal/report"
	"fettler/shared/config"
	"fettler/shared/wire"
)

// libraries are the names the runtime library may have beside the bridge.
var libraries = []string{"libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"}

// screenings says what is installed to judge with.
func (d *doctor) screenings() {
	if d.config == nil || d.config.Screenings == nil || d.Hook {
		return
	}
	s := &d.report.Levels.Screenings
	s.Bridge = d.beside("burler-bridge" + d.suffix())
	for _, name := range libraries {
		if p := d.beside(name); p != "" {
			s.Runtime = p
		}
	}
	s.Models = d.config.Screenings.Models
	s.Categories = []report.Category{{Name: config.Identifiers.String(), JudgedBy: "six patterns inside fettle", Ready: true}}
	if s.Models == "" {
		s.Notes = append(s.Notes, wire.NoModelsNamed)
		return
	}
	for _, category := range wire.ModelCategories {
		sentence, ok := wire.JudgedBy(s.Models, category)
		if ok && s.Bridge == "" {
			sentence, ok = sentence+" - burler-bridge is missing, so reads here will refuse", false
		}
		s.Categories = append(s.Categories, report.Category{Name: category, JudgedBy: sentence, Ready: ok})
	}
}
