package ooxml

// Space is an XML namespace that a reader tells from others.
type Space uint8

// The namespaces. The transitional and the strict spelling of a vocabulary
// are one Space; no declaration at all is None.
const (
	Other Space = iota
	None
	Sheet         // SpreadsheetML
	WordML        // WordprocessingML
	Relation      // r:id and the like
	Relations     // *.rels parts
	ContentTypes  // [Content_Types].xml
	Compatibility // mc:AlternateContent
	Math
	Drawing
	Word2010 // w14
)

var known = map[string]Space{
	"http://schemas.openxmlformats.org/spreadsheetml/2006/main":           Sheet,
	"http://purl.oclc.org/ooxml/spreadsheetml/main":                       Sheet,
	"http://schemas.microsoft.com/office/excel/2006/2":                    Sheet, // written before the format was settled
	"http://schemas.openxmlformats.org/wordprocessingml/2006/main":        WordML,
	"http://purl.oclc.org/ooxml/wordprocessingml/main":                    WordML,
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships": Relation,
	"http://purl.oclc.org/ooxml/officeDocument/relationships":             Relation,
	"http://schemas.openxmlformats.org/package/2006/relationships":        Relations,
	"http://schemas.openxmlformats.org/package/2006/content-types":        ContentTypes,
	"http://schemas.openxmlformats.org/markup-compatibility/2006":         Compatibility,
	"http://schemas.openxmlformats.org/officeDocument/2006/math":          Math,
	"http://purl.oclc.org/ooxml/officeDocument/math":                      Math,
	"http://schemas.openxmlformats.org/drawingml/2006/main":               Drawing,
	"http://purl.oclc.org/ooxml/drawingml/main":                           Drawing,
	"http://schemas.microsoft.com/office/word/2010/wordml":                Word2010,
}

// spaces is the stack of namespace declarations in force.
type spaces struct {
	bound []binding
}

type binding struct {
	prefix string
	space  Space
	depth  int
}

// maxBindings bounds the declarations in force at once; one past it is
// dropped and its names are in no namespace a reader knows.
const maxBindings = 4096

func (s *spaces) declare(prefix, uri []byte, depth int) {
	if len(s.bound) >= maxBindings {
		return
	}
	space, ok := known[string(uri)]
	if !ok && len(uri) == 0 {
		space = None
	}
	s.bound = append(s.bound, binding{string(prefix), space, depth})
}

func (s *spaces) leave(depth int) {
	n := len(s.bound)
	for n > 0 && s.bound[n-1].depth >= depth {
		n--
	}
	s.bound = s.bound[:n]
}

func (s *spaces) resolve(prefix []byte) Space {
	for i := len(s.bound) - 1; i >= 0; i-- {
		if s.bound[i].prefix == string(prefix) {
			return s.bound[i].space
		}
	}
	if len(prefix) == 0 {
		return None
	}
	return Other
}
