package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ModelCategories are the categories a model judges, in the order they are named.
var ModelCategories = []string{"clinical", "legal", "scientific"}

// The files of an installed model.
const (
	ModelFile    = "model.onnx"
	VocabFile    = "vocab.txt"
	LabelsFile   = "labels.json"
	ManifestFile = "manifest.json"
)

// Manifest is what an installed model says about itself.
type Manifest struct {
	Checkpoint, Revision, Licence, Provenance string
}

// Model is one installed model.
type Model struct {
	Category string
	Dir      string // absolute
	Name     string // the folder as messages spell it: "clinical" or "clinical/phi"
	Manifest Manifest
}

// Models lists what a models directory holds for a category: the folder
// itself, or one more level of folders when there are several. A folder with
// a file missing or a manifest that does not hold is an error that names it;
// no folder at all is an empty list, which whoever needs a model must refuse.
func Models(dir, category string) ([]Model, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("the models directory cannot be read: %s", reason(err))
	}
	top := filepath.Join(dir, category)
	entries, err := os.ReadDir(top)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s in the models directory cannot be read: %s", category, reason(err))
	}
	var subs []string
	var own bool
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, "."):
		case name == ModelFile || name == VocabFile || name == LabelsFile || name == ManifestFile:
			own = true
		default:
			if info, err := os.Stat(filepath.Join(top, name)); err == nil && info.IsDir() {
				subs = append(subs, name)
			}
		}
	}
	var models []Model
	if own {
		m, err := openModel(top, category, category)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	for _, sub := range subs {
		m, err := openModel(filepath.Join(top, sub), category, path.Join(category, sub))
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

func openModel(dir, category, name string) (Model, error) {
	m := Model{Category: category, Dir: dir, Name: name}
	for _, file := range []string{ModelFile, VocabFile, LabelsFile, ManifestFile} {
		info, err := os.Stat(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			return m, fmt.Errorf("%s/%s is missing from the models directory", name, file)
		}
		if err != nil {
			return m, fmt.Errorf("%s/%s cannot be read: %s", name, file, reason(err))
		}
		if !info.Mode().IsRegular() {
			return m, fmt.Errorf("%s/%s is not a file", name, file)
		}
	}
	raw, err := readSmall(filepath.Join(dir, ManifestFile))
	if err != nil {
		return m, fmt.Errorf("%s/%s cannot be read: %s", name, ManifestFile, reason(err))
	}
	if m.Manifest, err = ReadManifest(raw); err != nil {
		return m, fmt.Errorf("%s/%s %w", name, ManifestFile, err)
	}
	return m, nil
}

// ReadManifest reads a manifest: four required strings, none of them empty.
// The error continues a sentence that begins with the file's name.
func ReadManifest(raw []byte) (Manifest, error) {
	var m Manifest
	fields, err := object(raw)
	if err != nil {
		return m, errors.New("is not one JSON object")
	}
	for _, f := range []struct {
		key  string
		into *string
	}{{"checkpoint", &m.Checkpoint}, {"revision", &m.Revision}, {"licence", &m.Licence}, {"provenance", &m.Provenance}} {
		value, ok := fields[f.key]
		if !ok {
			return Manifest{}, fmt.Errorf("has no %q", f.key)
		}
		if json.Unmarshal(value, f.into) != nil || strings.TrimSpace(*f.into) == "" {
			return Manifest{}, fmt.Errorf("has a %q that is not a string with something in it", f.key)
		}
	}
	return m, nil
}

// ReadLabels reads labels.json: an array of class names in class order. The
// error continues a sentence that begins with the file's name.
func ReadLabels(raw []byte) ([]string, error) {
	var labels []string
	if json.Unmarshal(raw, &labels) != nil || len(labels) < 2 {
		return nil, errors.New("is not an array of two or more labels in class order")
	}
	for _, l := range labels {
		if l == "" {
			return nil, errors.New("has an empty label")
		}
	}
	return labels, nil
}

// ManifestsHash is one hash over what the models directory holds, for telling
// whether a verdict given before would still be given: every manifest's bytes,
// and the size and time of the files beside it.
func ManifestsHash(dir string, models []Model) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", dir)
	for _, m := range models {
		fmt.Fprintf(h, "%q\n", m.Name)
		for _, file := range []string{ModelFile, VocabFile, LabelsFile} {
			if info, err := os.Stat(filepath.Join(m.Dir, file)); err == nil {
				fmt.Fprintf(h, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
			}
		}
		raw, _ := readSmall(filepath.Join(m.Dir, ManifestFile))
		fmt.Fprintf(h, "%q\n", raw)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// NoModelsNamed is what roots and doctor say of the model categories before a
// models directory is named.
const NoModelsNamed = `no "models" directory is named, so clinical, legal, scientific screen nothing here`

// NoModel is what they say of a category without a model after it is named.
const NoModel = "no model installed - reads here will refuse"

// JudgedBy says what judges a category, for roots and doctor: the models'
// checkpoints and revisions, or why reads will refuse. ok is false when they will.
func JudgedBy(dir, category string) (sentence string, ok bool) {
	models, err := Models(dir, category)
	if err != nil {
		return err.Error() + " - reads here will refuse", false
	}
	if len(models) == 0 {
		return NoModel, false
	}
	var parts []string
	for _, m := range models {
		parts = append(parts, m.Manifest.Checkpoint+" @ "+m.Manifest.Revision)
	}
	return strings.Join(parts, ", "), true
}

// readSmall reads a file of at most a megabyte.
func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > 1<<20 {
		return nil, errors.New("it is larger than a megabyte")
	}
	raw := make([]byte, info.Size())
	n, err := f.ReadAt(raw, 0)
	if n == len(raw) {
		err = nil
	}
	return raw, err
}

// reason is an error without the machine's path that the system puts before it.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
