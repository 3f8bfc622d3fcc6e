package worker

import (
	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

func confine() (missing []string) {
	none := unix.Rlimit{}
	say := func(what string, err error) {
		if err != nil {
			missing = append(missing, what)
		}
	}
	say("core dumps", unix.Setrlimit(unix.RLIMIT_CORE, &none))
	say("dumping", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	say("new files", unix.Setrlimit(unix.RLIMIT_FSIZE, &none))
	// A single allocation past the limit fails at once instead of taking the
	// machine's memory before anybody looks: RLIMIT_AS would count what the
	// runtime only reserves, RLIMIT_DATA counts what is writable.
	data := unix.Rlimit{Cur: 2 * Memory, Max: 2 * Memory}
	say("large allocations", unix.Setrlimit(unix.RLIMIT_DATA, &data))
	// No rule is given: nothing on disk and no network can be opened from here on.
	say("files and network", landlock.V11.BestEffort().Restrict())
	if v, err := landlockABI(); err != nil || v < 1 {
		missing = append(missing, "files and network (no landlock)")
	}
	return missing
}

// landlockABI asks the kernel, because BestEffort is silent about doing nothing.
func landlockABI() (int, error) {
	const createRulesetVersion = 1
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, createRulesetVersion)
	if errno != 0 {
		return 0, errno
	}
	return int(v), nil
}
