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

// known gives the Space of a URI. A switch, so that the program's start builds no table.
func known(uri []byte) Space {
	switch string(uri) {
	case "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
		"http://purl.oclc.org/ooxml/spreadsheetml/main",
		"http://schemas.microsoft.com/office/excel/2006/2": // written before the format was settled
		return Sheet
	case "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
		"http://purl.oclc.org/ooxml/wordprocessingml/main":
		return WordML
	case "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
		"http://purl.oclc.org/ooxml/officeDocument/relationships":
		return Relation
	case "http://schemas.openxmlformats.org/package/2006/relationships":
		return Relations
	case "http://schemas.openxmlformats.org/package/2006/content-types":
		return ContentTypes
	case "http://schemas.openxmlformats.org/markup-compatibility/2006":
		return Compatibility
	case "http://schemas.openxmlformats.org/officeDocument/2006/math",
		"http://purl.oclc.org/ooxml/officeDocument/math":
		return Math
	case "http://schemas.openxmlformats.org/drawingml/2006/main",
		"http://purl.oclc.org/ooxml/drawingml/main":
		return Drawing
	case "http://schemas.microsoft.com/office/word/2010/wordml":
		return Word2010
	case "":
		return None
	}
	return Other
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
	s.bound = append(s.bound, binding{string(prefix), known(uri), depth})
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
