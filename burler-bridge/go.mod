module fettler/burler-bridge

go 1.26.0

replace fettler/shared => ../shared

require fettler/shared v0.0.0

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/gomlx/gomlx v0.26.0 // indirect
	github.com/gomlx/onnx-gomlx v0.3.4 // indirect
	golang.org/x/text v0.44.0 // indirect
)
