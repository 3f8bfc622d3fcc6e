package ops

import (
	"strconv"
	"strings"

	"fettler/fettle/internal/recall"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/walk"
)

// question says all that decides which lines match.
func (in SearchInput) question() string {
	var sb strings.Builder
	for _, on := range []bool{in.Literal, in.CaseSensitive, in.Word} {
		sb.WriteString(strconv.FormatBool(on) + " ")
	}
	for _, p := range in.Patterns {
		sb.WriteString(strconv.Quote(p))
	}
	return sb.String()
}

// recalled answers an entry from memory where the same was asked of it before
// and it has not changed since. Whether it may be read is judged first, as
// when it is opened; anything out of the ordinary is left to opening it.
func (k *searcher) recalled(e walk.Entry) (done bool) {
	if !k.x.known.Again() || render.ByName(e.Name) {
		return false
	}
	info, err := e.Dir.Look(e.Name)
	if err != nil || !e.Dir.Local(info) {
		return false
	}
	switch k.x.known.Knows(info) {
	case recall.Nothing:
		k.searched++
	case recall.NotText:
		k.x.skips.add("binary", e.Rel)
	default:
		return false
	}
	k.recalls++
	return true
}

// learn keeps what reading an entry found out. What a file is called must not
// matter, since it is known by what it is.
func (k *searcher) learn(e walk.Entry, w recall.What) {
	if !render.ByName(e.Name) && e.Dir.Local(k.info) {
		k.x.known.Learn(k.info, w)
	}
}
