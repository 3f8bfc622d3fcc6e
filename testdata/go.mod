module fettler/testdata

go 1.26.0

replace fettler/shared => ../shared

require (
	fettler/shared v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
)

require (
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	golang.org/x/sys v0.26.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
)
