module fettler/fettle

go 1.26.0

replace fettler/shared => ../shared
