#!/usr/bin/env bash
# Go 1.26.8: math/big gives a negative base with an odd negative exponent the wrong sign.
# Guess: Exp(-3, -1, 7) is ModInverse(-3, 7), which is 2.
# What happens: 5, whose product with -3 is -15 = 6 modulo 7. Even exponents are right.
# For our users: docs/go.md and docs/from/moving.md; `pingala.Exp` gives 2.
. "$(dirname "$0")/lib.sh"
cat >main.go <<'PROGRAM'
package main

import (
	"fmt"
	"math/big"
	"os"
	"runtime"
)

func main() {
	n := big.NewInt
	odd, even := new(big.Int).Exp(n(-3), n(-1), n(7)), new(big.Int).Exp(n(-3), n(-2), n(7))
	inverse := new(big.Int).ModInverse(n(-3), n(7))
	fmt.Println(runtime.Version(), odd, even, inverse)
	if odd.Int64() != 5 || even.Int64() != 4 || inverse.Int64() != 2 {
		os.Exit(1)
	}
}
PROGRAM
GOTOOLCHAIN=go1.26.8 GOPATH=$folder/go go run main.go
