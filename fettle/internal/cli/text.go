package cli

import (
	"strings"

	"fettler/fettle/internal/text"
)

// decodeText reads b as any encoding that a byte-order mark names.
func decodeText(b []byte) (string, error) {
	c, err := text.DecodeOwned(b)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(c.Text, "\ufeff"), nil
}
