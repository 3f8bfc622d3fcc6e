package file

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// tempName is a new name beside target. It holds the process's number, so that
// Sweep can tell what nobody is working on any more.
func tempName(target string) string {
	var id [6]byte
	binary.BigEndian.PutUint32(id[:4], uint32(os.Getpid()))
	rand.Read(id[4:])
	return tempPrefix(target) + hex.EncodeToString(id[:])
}

func tempPrefix(target string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".fettler-")
}

// Sweep removes what setups that were killed have left beside a file, which
// itself may have all that it needs by now.
func Sweep(target string) {
	dir, prefix := filepath.Dir(target), filepath.Base(tempPrefix(target))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		id, ok := strings.CutPrefix(e.Name(), prefix)
		raw, err := hex.DecodeString(id)
		if !ok || err != nil || len(raw) != 6 || !e.Type().IsRegular() {
			continue
		}
		if pid := int(binary.BigEndian.Uint32(raw)); pid != os.Getpid() && !running(pid) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
