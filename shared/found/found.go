// Package found finds the folders that the model already reaches through its
// client or through another server, so that fettle can work there too: the
// client's scratch folder of this session, its tool results, its memory of
// this project, and the root of each companion server.
//
// Call Look, once a call: a folder that the client makes later is found by the
// next call, and one that is not there is no tree and no fault.
//
// What it promises. A session is this one only because its folder's name is a
// value of the environment, compared with the folders that are there and never
// joined into a path, or because it is the newest. Nothing found leads out: a
// folder that is a link is taken by its real place, and only where that has the
// same role below the same root. A scratch root that belongs to another user is
// not used. Older sessions and the transcripts beside them are in Closed, which
// the boundary keeps outside whatever tree contains them. A companion whose
// root is broad, such as a home folder, is not opened, and Notes say so.
//
// What it does not do: it opens, writes and creates nothing, and grants
// nothing by itself; package launch hands the trees to the boundary.
package found

import (
	"fmt"

	"fettler/shared/config"
)

// Tree is a folder that fettle opens by itself.
type Tree struct {
	Name string
	Path string // absolute
	Can  config.Permissions
	How  string // a sentence's end saying how it was found
}

// Result is what Look finds.
type Result struct {
	Trees []Tree
	// Paired are companions that are declared trees as well: nothing is opened for them.
	Paired []Tree
	// Closed are the folders that hold sessions and transcripts: nothing in
	// them is open but Trees.
	Closed []string
	// Notes say what was found and not opened, and why.
	Notes []string
}

// Input is what decides what is found.
type Input struct {
	Launch   string // the folder the client started fettle in
	Project  string // the folder of the project file, or Launch
	Env      config.Env
	Tools    config.Tools
	Declared []config.Tree // empty with guardrails off
	// Sources are the registrations that may name companions.
	Sources []Source
	Disk    Disk
}

// Look finds the trees. It refuses when a companion has the name of a tree
// that is declared on another folder.
func Look(in Input) (*Result, error) {
	if in.Project == "" {
		in.Project = in.Launch
	}
	r := &Result{}
	in.session(r)
	if err := in.companions(r); err != nil {
		return nil, err
	}
	return r, nil
}

// from says which file set a key of tools.
func (in *Input) from(key string) string {
	if file, set := in.Tools.From[key]; set {
		return fmt.Sprintf("; %s is set in %s", key, file)
	}
	return ""
}
