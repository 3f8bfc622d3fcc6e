package archive

// cp437 is the upper half of the code page that a zip's names are in unless
// it says otherwise.
var cp437 = []rune("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
	"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0")

func fromCP437(s string) string {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x80 {
			out = append(out, rune(c))
		} else {
			out = append(out, cp437[c-0x80])
		}
	}
	return string(out)
}
