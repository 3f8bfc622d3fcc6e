package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SplitCommand splits a task's command line once, by the whole grammar:
// spaces and tabs separate; a double-quoted span is one argument or part of
// one; two double quotes inside a span are a literal quote; a backslash is an
// ordinary character, and nothing else is special.
func SplitCommand(line string) ([]string, error) {
	var args []string
	var word strings.Builder
	inWord, quoted := false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quoted && c == '"' && i+1 < len(line) && line[i+1] == '"':
			word.WriteByte('"')
			i++
		case c == '"':
			quoted, inWord = !quoted, true
		case quoted:
			word.WriteByte(c)
		case c == ' ' || c == '\t':
			if inWord {
				args = append(args, word.String())
				word.Reset()
				inWord = false
			}
		case c == '\n' || c == '\r':
			// Neither a separator nor plainly part of a word: not guessed at.
			return nil, errors.New("the command line holds a line break outside quotes. A command is one line")
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	switch {
	case quoted:
		return nil, errors.New("the command line has a quote that is not closed")
	case inWord:
		args = append(args, word.String())
	}
	if len(args) == 0 || args[0] == "" {
		return nil, errors.New("the command line names no program")
	}
	return args, nil
}

// fill puts declared values into one word, in one pass: what a value holds is
// never read again. A run of braces before a name and its closing brace is
// read in pairs, each a literal brace; one left over opens the name. Any other
// brace is ordinary text.
func fill(word string, value func(name string) (string, bool)) (string, error) {
	var out strings.Builder
	for i := 0; i < len(word); {
		if word[i] != '{' {
			out.WriteByte(word[i])
			i++
			continue
		}
		braces := len(word[i:]) - len(strings.TrimLeft(word[i:], "{"))
		i += braces
		name := identifier(word[i:])
		if name == "" || !strings.HasPrefix(word[i+len(name):], "}") {
			out.WriteString(strings.Repeat("{", braces))
			continue
		}
		out.WriteString(strings.Repeat("{", braces/2))
		if braces%2 == 0 {
			continue // the name is ordinary text
		}
		v, ok := value(name)
		if !ok {
			return "", fmt.Errorf("{%s} names no replacement", name)
		}
		out.WriteString(v)
		i += len(name) + 1
	}
	return out.String(), nil
}

// identifier is the name s begins with: a letter, then letters, digits, dots,
// underscores or hyphens.
func identifier(s string) string {
	for i, r := range s {
		if unicode.IsLetter(r) && r != utf8.RuneError || i > 0 && (unicode.IsDigit(r) || r == '.' || r == '_' || r == '-') {
			continue
		}
		return s[:i]
	}
	return s
}

func isIdentifier(s string) bool { return s != "" && identifier(s) == s }
