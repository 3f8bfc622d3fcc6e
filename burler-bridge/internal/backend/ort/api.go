package ort

// The places of the calls this package makes in ONNX Runtime's table of
// function pointers (struct OrtApi). The table only ever grows at its end, so
// a newer library has them in the same places.
const (
	apiGetErrorMessage                  = 2
	apiCreateEnv                        = 3
	apiDisableTelemetryEvents           = 6
	apiCreateSession                    = 7
	apiRun                              = 9
	apiCreateSessionOptions             = 10
	apiSetSessionLogSeverityLevel       = 22
	apiSetSessionGraphOptimizationLevel = 23
	apiSessionGetInputCount             = 30
	apiSessionGetOutputCount            = 31
	apiSessionGetInputName              = 36
	apiSessionGetOutputName             = 37
	apiCreateTensorWithDataAsOrtValue   = 49
	apiGetTensorMutableData             = 51
	apiGetTensorElementType             = 60
	apiGetDimensionsCount               = 61
	apiGetDimensions                    = 62
	apiGetTensorTypeAndShape            = 65
	apiCreateCPUMemoryInfo              = 69
	apiAllocatorFree                    = 76
	apiGetAllocatorWithDefaultOptions   = 78
	apiReleaseEnv                       = 92
	apiReleaseStatus                    = 93
	apiReleaseMemoryInfo                = 94
	apiReleaseSession                   = 95
	apiReleaseValue                     = 96
	apiReleaseTensorTypeAndShapeInfo    = 99
	apiReleaseSessionOptions            = 100
)

// apiVersion is the oldest table that has all of them: libraries from 1.14 on give it.
const apiVersion = 14

// Constants of the C header.
const (
	logFatal       = 4
	optimizeAll    = 99
	arenaAllocator = 1
	memTypeDefault = 0
	elementFloat32 = 1
	elementInt64   = 7
)
