module fettler/shared

go 1.26.0
