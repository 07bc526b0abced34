//go:build cgo

package pingala

import (
	"math/big"
	"testing"
)

// purego allocates its arguments; cgo does not.
func TestCallsAllocateNothingButTheirResult(t *testing.T) {
	m := new(big.Int).SetUint64(0xffffffffffffffc5)
	x, y := new(big.Int).SetUint64(0xfedcba9876543211), new(big.Int).SetUint64(0x123456789abcdef1)
	handle, err := NewModulus(m)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	table, err := NewFixedBase(x, handle, 64, 1<<14)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	z := new(big.Int).Set(m)
	for name, call := range map[string]func(){
		"Exp":         func() { Exp(z, x, y, m) },
		"Modulus.Exp": func() { handle.Exp(z, x, y) },
		"FixedBase":   func() { table.Exp(z, y) },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { Exp(new(big.Int), x, y, m) }); n > 2 {
		t.Errorf("a new number: %v allocations", n)
	}
}
