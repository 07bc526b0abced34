package pingala

import (
	"math/big"
	"strconv"
	"testing"
)

// Operands of equal lengths, the same as those of `make bench-c`.
func operands(words int) (x, y, m *big.Int) {
	fill := func(word uint64) *big.Int {
		value := new(big.Int)
		for range words {
			value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(word))
		}
		return value
	}
	return fill(0xfedcba9876543211), fill(0x123456789abcdef1), fill(0xffffffffffffffc5)
}

func BenchmarkPower(b *testing.B) {
	for _, words := range []int{1, 2, 4, 32} {
		x, y, m := operands(words)
		modulus := newModulus(b, m)
		want := new(big.Int).Exp(x, y, m)
		z := new(big.Int)
		for name, call := range map[string]func(){
			"Exp":         func() { Exp(z, x, y, m) },
			"Modulus.Exp": func() { modulus.Exp(z, x, y) },
			"math_big":    func() { z.Exp(x, y, m) },
		} {
			b.Run(name+"/"+strconv.Itoa(64*words), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					call()
				}
				if z.Cmp(want) != 0 {
					b.Fatal(z)
				}
			})
		}
	}
}
