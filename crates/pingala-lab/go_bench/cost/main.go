// Cost of a call from Go, compared with math/big: operands and rounds are those of crates/pingala-c/tests/cost.rs. Built with and without
// cgo. Each line: bits, then the least nanoseconds of Exp, Modulus.Exp and math/big, whose answers are compared.
package main

import (
	"fmt"
	"math/big"
	"time"

	"example.org/pingala"
)

const rounds = 60

func main() {
	for _, words := range []int{1, 2, 4, 32} {
		fill := func(word uint64) *big.Int {
			value := new(big.Int)
			for range words {
				value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(word))
			}
			return value
		}
		x, y, m := fill(0xfedcba9876543211), fill(0x123456789abcdef1), fill(0xffffffffffffffc5)
		modulus, err := pingala.NewModulus(m)
		if err != nil {
			panic(err)
		}
		calls := 20_000 / words
		if words > 8 {
			calls = 20
		}
		want := new(big.Int).Exp(x, y, m)
		z := new(big.Int)
		fmt.Print(64 * words)
		best := [3]time.Duration{time.Hour, time.Hour, time.Hour}
		for range rounds {
			for i, call := range []func(){
				func() { pingala.Exp(z, x, y, m) },
				func() { modulus.Exp(z, x, y) },
				func() { z.Exp(x, y, m) },
			} {
				start := time.Now()
				for range calls {
					call()
				}
				best[i] = min(best[i], time.Since(start))
				if z.Cmp(want) != 0 {
					panic("different answers")
				}
			}
		}
		for _, time := range best {
			fmt.Printf(" %.1f", float64(time.Nanoseconds())/float64(calls))
		}
		fmt.Println()
	}
}
