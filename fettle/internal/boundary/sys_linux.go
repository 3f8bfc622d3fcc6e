package boundary

import "golang.org/x/sys/unix"

// searchFlag opens a folder to start from without asking for its listing, so
// that a folder that may be passed but not listed works as it does elsewhere.
const searchFlag = unix.O_PATH
