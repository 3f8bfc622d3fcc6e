// Package window cuts a row of tokens into overlapping windows that a model
// can hold, so that what lies at one window's edge lies well inside another.
package window

// Window is tokens From..To of the text. The window is believed for tokens
// First..Last only, where no other window sees more on both sides.
type Window struct{ From, To, First, Last int }

// Cut covers n tokens with windows of at most size tokens; neighbours share a quarter.
func Cut(n, size int) []Window {
	if n == 0 {
		return nil
	}
	shared := size / 4
	var list []Window
	for from := 0; ; from += size - shared {
		w := Window{From: from, To: min(from+size, n), First: from}
		w.Last = w.To
		if k := len(list); k > 0 {
			middle := from + shared/2
			list[k-1].Last, w.First = middle, middle
		}
		list = append(list, w)
		if w.To == n {
			return list
		}
	}
}
