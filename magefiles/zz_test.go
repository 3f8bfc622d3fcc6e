//go:build mage

package main

import ("testing";"fmt";"os")

func TestX(t *testing.T) { w,_ := os.MkdirTemp("","x"); defer os.RemoveAll(w); for _, r := range changeResults("/tmp/change/bin", w) { fmt.Println(r.line()) } }
