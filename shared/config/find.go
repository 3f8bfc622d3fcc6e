package config

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"fettler/shared/outcome"
)

// Env is what of the surroundings decides where files are looked for. Pure
// functions take it, so that every platform's rules are tested on one.
type Env struct {
	GOOS    string
	Home    string
	Temp    string
	UID     int      // -1 where there is none
	Environ []string // NAME=value
	Getenv  func(string) string
}

// System is this process's Env.
func System() Env {
	home, _ := os.UserHomeDir()
	return Env{GOOS: runtime.GOOS, Home: home, Temp: os.TempDir(), UID: os.Getuid(), Environ: os.Environ(), Getenv: os.Getenv}
}

// MachineFile is where the machine file would be, or "" where the platform
// names no configuration folder. It is not in the home folder itself, where
// the upward search would take it for a project's.
func MachineFile(e Env) string {
	var dir string
	switch e.GOOS {
	case "windows":
		if dir = e.Getenv("AppData"); dir == "" {
			return ""
		}
		return strings.TrimRight(dir, `\/`) + `\fettler\fettler.json`
	case "darwin":
		if e.Home == "" {
			return ""
		}
		dir = path.Join(e.Home, "Library/Application Support")
	default:
		// A relative XDG folder is to be ignored, says its specification.
		if dir = e.Getenv("XDG_CONFIG_HOME"); !path.IsAbs(dir) {
			if e.Home == "" {
				return ""
			}
			dir = path.Join(e.Home, ".config")
		}
	}
	return path.Join(dir, "fettler", "fettler.json")
}

// Find looks for the project file in start and every folder above it, and
// answers the nearest, or "" when there is none. The folders are the real
// ones, links resolved. A file that is there and cannot be used is not passed
// over: Load refuses it. A folder above start that anyone may write to, such
// as the temporary one, is passed over, since anyone could put a file there.
func Find(start string, e Env) (string, error) {
	dir, err := filepath.Abs(start)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", outcome.New(outcome.Invalid, "the folder %s cannot be searched for a %s: %v", start, ProjectName, err).Because(err)
	}
	for first := true; ; first = false {
		if first || !anyoneWrites(dir, e) {
			file := filepath.Join(dir, ProjectName)
			_, err := os.Lstat(file)
			switch {
			case err == nil:
				return file, nil
			case !errors.Is(err, fs.ErrNotExist):
				return "", unreadable(file, err)
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

// anyoneWrites reports whether users other than its owner's group may make
// files in dir. Windows has no such bit; there only the temporary folder counts.
func anyoneWrites(dir string, e Env) bool {
	if e.GOOS == "windows" {
		return e.Temp != "" && sameFolder(dir, e.Temp)
	}
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o002 != 0
}

// LaunchFolder refuses a folder that is too broad to become the tree work
// without a configuration file: a volume's root, the home folder or one above
// it, and the system's own folders. It is pure and follows no link.
func LaunchFolder(dir string, e Env) error {
	what := Broad(dir, e)
	if what == "" {
		return nil
	}
	return outcome.New(outcome.Invalid, "%s is %s, and no %s says what may be done there. Start fettle in a project's folder, or pass --root PATH", dir, what, ProjectName)
}

// Broad says what makes a folder too broad to be opened unasked, such as "the
// home folder", or "".
func Broad(dir string, e Env) string {
	return broad(slashed(dir, e.GOOS), slashed(e.Home, e.GOOS), e.GOOS)
}

func slashed(p, goos string) string {
	if goos == "windows" {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if p == "" {
		return ""
	}
	return path.Clean(p)
}

func broad(dir, home, goos string) string {
	fold := func(s string) string { return s }
	if goos != "linux" {
		fold = strings.ToLower
	}
	dir, home = fold(dir), fold(home)
	switch {
	case dir == "/" || goos == "windows" && volumeRoot(dir):
		return "the root of a volume"
	case home != "" && home != "/" && dir == home:
		return "the home folder"
	case home != "" && strings.HasPrefix(home, strings.TrimSuffix(dir, "/")+"/"):
		return "a folder above the home folder"
	}
	if goos == "windows" {
		dir = strings.TrimPrefix(dir, volume(dir))
	}
	for _, s := range systemFolders(goos) {
		if sub, deep := strings.CutSuffix(s, "/…"); dir == fold(sub) || deep && strings.HasPrefix(dir, fold(sub)+"/") {
			return "a system folder"
		}
	}
	return ""
}

func volume(dir string) string {
	if len(dir) >= 2 && dir[1] == ':' {
		return dir[:2]
	}
	return ""
}

// volumeRoot knows C:/ and, since path.Clean makes one slash of two, /server/share.
func volumeRoot(dir string) bool {
	if v := volume(dir); v != "" {
		return dir == v || dir == v+"/"
	}
	return strings.HasPrefix(dir, "/") && strings.Count(dir, "/") <= 2
}

// systemFolders of a platform, with those below them where "/…" says so.
func systemFolders(goos string) []string {
	switch goos {
	case "linux":
		return []string{"/bin/…", "/boot/…", "/dev/…", "/etc", "/home", "/lib/…", "/lib64/…", "/media", "/mnt", "/opt", "/proc/…",
			"/run", "/sbin/…", "/srv", "/sys/…", "/usr", "/usr/bin/…", "/usr/lib/…", "/usr/sbin/…", "/usr/local", "/usr/local/bin", "/var", "/var/lib"}
	case "darwin":
		return []string{"/Applications/…", "/bin/…", "/dev/…", "/etc", "/private", "/private/etc", "/private/var", "/Library", "/opt", "/sbin/…",
			"/System/…", "/Users", "/usr", "/usr/bin/…", "/usr/lib/…", "/usr/local", "/var", "/Volumes"}
	case "windows":
		return []string{"/windows/…", "/program files/…", "/program files (x86)/…", "/programdata", "/users"}
	}
	return nil
}
