package ooxml

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"fettler/fettle/internal/document"
)

// Relationship is one line of a part's .rels.
type Relationship struct {
	ID, Type, Target string // Type is its last segment: "worksheet", "styles"; Target is a part's name, or a link
	External         bool
}

// maxRelationships bounds the relationships of one part.
const maxRelationships = 65536

// Relationships reads the relationships of a part; "" is the package itself.
// A part without any has none.
func (p *Package) Relationships(part string) ([]Relationship, error) {
	dir, base := path.Split(strings.TrimPrefix(part, "/"))
	x, err := p.Part(dir + "_rels/" + base + ".rels")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer x.Close()
	var all []Relationship
	size := 0
	for {
		ev, err := x.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if ev != Start || string(x.Name) != "Relationship" {
			continue
		}
		var r Relationship
		id, _ := x.Attr("Id")
		typ, _ := x.Attr("Type")
		target, _ := x.Attr("Target")
		mode, _ := x.Attr("TargetMode")
		r.ID, r.Type, r.Target = string(id), path.Base(string(typ)), string(target)
		r.External = string(mode) == "External"
		if !r.External {
			r.Target = resolve(dir, r.Target)
		}
		size += len(r.ID) + len(r.Type) + len(r.Target)
		if len(all) >= maxRelationships || size > maxDirectory {
			return all, document.Errorf(document.TooLarge, "the part %s has more than %d relationships", part, len(all))
		}
		all = append(all, r)
	}
}

// resolve makes a target into a part's name.
func resolve(dir, target string) string {
	target, _, _ = strings.Cut(strings.ReplaceAll(target, `\`, "/"), "#")
	if !strings.HasPrefix(target, "/") {
		target = "/" + dir + target
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// Related is the first part a part refers to by a type, or "".
func Related(all []Relationship, typ string) string {
	for _, r := range all {
		if r.Type == typ && !r.External {
			return r.Target
		}
	}
	return ""
}

// ByID finds relationships by their ids. The first of an id stands.
func ByID(all []Relationship) map[string]Relationship {
	m := make(map[string]Relationship, len(all))
	for _, r := range all {
		if _, ok := m[r.ID]; !ok {
			m[r.ID] = r
		}
	}
	return m
}

type contentTypes struct {
	ext, part map[string]string
}

func (p *Package) readTypes() error {
	p.types = contentTypes{ext: map[string]string{}, part: map[string]string{}}
	x, err := p.Part("[Content_Types].xml")
	if err != nil {
		return err
	}
	defer x.Close()
	size := 0
	for {
		ev, err := x.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if ev != Start {
			continue
		}
		typ, _ := x.Attr("ContentType")
		ext, _ := x.Attr("Extension")
		part, _ := x.Attr("PartName")
		size += len(typ) + len(ext) + len(part) + 64
		if size > maxDirectory {
			return document.Errorf(document.TooLarge, "the list of content types is larger than %d bytes", maxDirectory)
		}
		switch string(x.Name) {
		case "Default":
			p.types.ext[strings.ToLower(string(ext))] = string(typ)
		case "Override":
			p.types.part[clean(string(part))] = string(typ)
		}
	}
}

func (c contentTypes) of(name string) string {
	if t, ok := c.part[clean(name)]; ok {
		return t
	}
	return c.ext[strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")]
}
