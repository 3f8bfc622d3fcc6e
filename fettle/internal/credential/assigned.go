package credential

import (
	"math"
	"strings"
)

const (
	assignedName = "assigned-secret"
	urlPassword  = "url-with-password"
)

// secretNames end the name of a thing that holds a secret. Only the end counts:
// LLM_SECRET_NAME, credentialsId and tokenizer name something else.
var secretNames = []string{"password", "passwd", "passphrase", "passwort", "secret", "token", "apikey", "accesskey",
	"secretkey", "privatekey", "authkey", "signingkey", "encryptionkey", "masterkey", "accountkey", "sharedkey"}

// stages may follow such a name without changing what it is.
var stages = []string{"prod", "production", "dev", "live", "staging", "value", "default"}

// assigned reads NAME = VALUE (or NAME: VALUE, NAME := VALUE, NAME => VALUE, and
// the same with the name quoted) around the sign at i, and gives the value's place.
func assigned(s string, i int) (at, end int, ok bool) {
	if s[i] == '=' && (s[i-1] == ':' || s[i-1] == '=' || s[i-1] == '!') {
		return 0, 0, false // the sign began before, or is a comparison
	}
	from, to := nameBefore(s, i)
	if from == to {
		return 0, 0, false
	}
	word, ok := secretName(s[from:to])
	if !ok {
		return 0, 0, false
	}
	at, end, quoted := value(s, i+1)
	if end-at < 8 || end-at > longestValue {
		return 0, 0, false
	}
	return at, end, plausible(s[at:end], strings.HasPrefix(word, "pass"), quoted)
}

const (
	longestValue = 512
	longestName  = 80
	// longestGap is how much white space and punctuation may stand around the sign.
	longestGap = 24
)

// value finds the word after an assignment: inside quotes, or up to white space.
func value(s string, i int) (at, end int, quoted bool) {
	for n := 0; n < longestGap && i < len(s) && (s[i] == '=' || s[i] == '>' || s[i] == ' ' || s[i] == '\t'); n++ {
		i++
	}
	// An escaped quote belongs to JSON inside a string.
	if i+1 < len(s) && s[i] == '\\' && (s[i+1] == '"' || s[i+1] == '\'') {
		i++
	}
	if i >= len(s) {
		return 0, 0, false
	}
	stop := min(len(s), i+longestValue+2)
	if q := s[i]; q == '"' || q == '\'' || q == '`' {
		for j := i + 1; j < stop; j++ {
			switch {
			case s[j] == q, s[j] == '\\' && j+1 < len(s) && s[j+1] == q:
				return i + 1, j, true
			case s[j] <= ' ':
				return 0, 0, false // white space: prose, not a secret
			}
		}
		return 0, 0, false
	}
	j := i
	for j < stop && s[j] > ' ' && strings.IndexByte(`"'`+"`,;)]}", s[j]) < 0 {
		j++
	}
	return i, j, false
}

// beforeSign may stand between a name and its sign.
const beforeSign = " \t:?\"'`\\]"

// nameBefore gives the place of the name that ends before the sign at i; an
// empty one when it cannot be of interest.
func nameBefore(s string, i int) (from, to int) {
	to = i
	g := look()
	for n := 0; n < longestGap && to > 0 && g.gap[s[to-1]] != 0; n++ {
		to--
	}
	from = to
	if to == 0 || !g.last[s[to-1]] || !g.lastThree(s[max(0, to-longestName):to]) {
		return from, to
	}
	for from > 0 && to-from < longestName && (alnum(s[from-1]) || s[from-1] == '_' || s[from-1] == '-' || s[from-1] == '.') {
		from--
	}
	return from, to
}

// secretName gives the word that makes the name a secret's.
func secretName(name string) (string, bool) {
	for _, st := range stages {
		if rest, ok := cutWord(name, st); ok && rest != "" {
			name = rest
			break
		}
	}
	for _, w := range secretNames {
		if _, ok := cutWord(name, w); ok {
			return w, true
		}
	}
	return "", false
}

// cutWord takes word off the end of name, without regard to case, separators and digits.
func cutWord(name, word string) (string, bool) {
	n := len(name)
	for w := len(word) - 1; w >= 0; w-- {
		for n > 0 && !letter(name[n-1]) {
			n--
		}
		if n == 0 || name[n-1]|0x20 != word[w] {
			return name, false
		}
		n--
	}
	return name[:n], true
}

// plausible says whether a value looks like a secret rather than a word, a
// reference, a placeholder or code.
func plausible(v string, password, quoted bool) bool {
	if reference(v) || placeholder(v) || uuid(v) {
		return false
	}
	var lower, upper, digit, symbol, turns int
	var last byte
	for i := range len(v) {
		c := v[i]
		var class byte
		switch {
		case c >= 'a' && c <= 'z':
			lower, class = lower+1, 'a'
		case c >= 'A' && c <= 'Z':
			upper, class = upper+1, 'a'
		case c >= '0' && c <= '9':
			digit, class = digit+1, '0'
		case c < 0x21 || c > 0x7e:
			return false
		default:
			symbol++
		}
		if class != 0 && last != 0 && class != last {
			turns++
		}
		if class != 0 {
			last = class
		}
	}
	if password && quoted {
		// People choose passwords: short, but of several kinds at once.
		return kinds(lower, upper, digit, symbol) >= 3 && digit > 0 && entropy(v) >= 2.5
	}
	// A generated value: long, of one word, letters and digits through each other.
	if len(v) < 16 || symbol > len(v)/5 || strings.ContainsAny(v, "()[]{}<>|\\&;,\"'`") {
		return false
	}
	return digit >= 2 && turns >= 3 && entropy(v) >= 3.2
}

func kinds(counts ...int) (n int) {
	for _, c := range counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// reference says whether v points at a secret kept elsewhere.
func reference(v string) bool {
	for _, mark := range []string{"${", "$(", "{{", "%(", "#{", "<", "%s", "%v", "***", "...", "://", "process.env", "os.environ", "secrets.", "env."} {
		if strings.Contains(v, mark) {
			return true
		}
	}
	return v[0] == '$' && len(v) > 1 && (letter(v[1]) || v[1] == '_') || v[0] == '%' && v[len(v)-1] == '%' || v[0] == '/' || v[0] == '.'
}

// placeholder says whether v is meant to be replaced by a person.
func placeholder(v string) bool {
	l := strings.ToLower(v)
	for _, w := range []string{"your", "example", "changeme", "change-me", "change_me", "placeholder", "dummy", "sample", "replace", "insert", "redacted", "todo", "none", "null", "undefined"} {
		if strings.HasPrefix(l, w) {
			return true
		}
	}
	return strings.Contains(l, "xxxx") || strings.Contains(l, "_here") || strings.Contains(l, "-here")
}

// uuid says whether v is a UUID, which names a thing far oftener than it opens one.
func uuid(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range 36 {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		c := v[i] | 0x20
		if dash != (v[i] == '-') || !dash && !(v[i] >= '0' && v[i] <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}

// entropy is Shannon's, in bits a byte.
func entropy(v string) float64 {
	var counts [256]int
	for i := range len(v) {
		counts[v[i]]++
	}
	var e float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return e
}

// passwordInURL reads SCHEME://USER:PASSWORD@HOST around the colon at i and
// gives the place of USER:PASSWORD.
func passwordInURL(s string, i int) (at, end int, ok bool) {
	if s[i] != ':' || !strings.HasPrefix(s[i:], "://") || i == 0 || !alnum(s[i-1]) {
		return 0, 0, false
	}
	at = i + 3
	colon := -1
	for j := at; j < min(len(s), at+300); j++ {
		switch c := s[j]; {
		case c == '@':
			if colon < 0 || j+1 >= len(s) || !alnum(s[j+1]) && s[j+1] != '[' {
				return 0, 0, false
			}
			pw := s[colon+1 : j]
			return at, j, len(pw) >= 3 && !reference(pw) && !placeholder(pw) && !exampleWord(pw) &&
				!strings.ContainsAny(pw, "{}()[]|\\^")
		case c == ':' && colon < 0:
			colon = j
		case c <= ' ' || c == '/' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '?' || c == '#':
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// exampleWord says whether a password is the word documents write in its place.
func exampleWord(pw string) bool {
	switch strings.ToLower(strings.TrimRight(pw, "0123456789")) {
	case "", "pass", "passwd", "password", "pwd", "pw", "secret", "xxx", "xxxxx", "foo", "bar", "test", "guest", "admin", "user", "token", "postgres", "root":
		return true
	}
	return false
}
