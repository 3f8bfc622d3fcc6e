module fettler/fettle-doctor

go 1.26.0

replace fettler/shared => ../shared
