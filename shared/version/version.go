// Package version holds the version that the build stamped into the programs.
package version

import "runtime/debug"

// number is set by the build: -ldflags "-X fettler/shared/version.number=2.1.0".
var number string

// String is the version, or what the Go tool knows of the build.
func String() string {
	if number != "" {
		return number
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return "development-" + s.Value[:12]
			}
		}
	}
	return "development"
}
