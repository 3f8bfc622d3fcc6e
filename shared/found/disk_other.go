//go:build !unix

package found

import "os"

// mine holds for what is there: the temporary folder of Windows is the user's own.
func mine(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
