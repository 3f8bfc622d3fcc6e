package pdf

// matrix is PDF's [a b c d e f].
type matrix [6]float64

var identityMatrix = matrix{1, 0, 0, 1, 0, 0}

// mul is m applied first, then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) point {
	return point{m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]}
}

// state is what q saves and Q brings back.
type state struct {
	ctm                             matrix
	font                            *font
	size, chars, words, leading, up float64
	scale                           float64
}

// args are an operator's operands.
type args struct {
	list  []token
	array []token // of the last array
}

func (a *args) num(fromEnd int) float64 {
	if i := len(a.list) - 1 - fromEnd; i >= 0 {
		return a.list[i].num
	}
	return 0
}

func (a *args) matrix() (m matrix) {
	for i := range 6 {
		m[i] = a.num(5 - i)
	}
	return m
}

func (a *args) text() string {
	if n := len(a.list); n > 0 {
		return a.list[n-1].text
	}
	return ""
}
