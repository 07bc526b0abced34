//go:build !cgo

package pingala

import (
	"errors"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// In a process of its own, because a library is loaded once.
func TestWithoutALibrary(t *testing.T) {
	if os.Getenv("PINGALA_LIBRARY") == "/nowhere/libpingala.so" {
		_, err := NewModulus(big.NewInt(7))
		if !errors.Is(err, ErrNoLibrary) || !strings.Contains(err.Error(), "PINGALA_LIBRARY") {
			t.Fatal(err)
		}
		if _, err := Version(); !errors.Is(err, ErrNoLibrary) {
			t.Fatal(err)
		}
		if Exp(nil, big.NewInt(3), big.NewInt(4), nil).Int64() != 81 {
			t.Fatal("a power without a modulus needs no library")
		}
		defer func() {
			if err, ok := recover().(error); !ok || !errors.Is(err, ErrNoLibrary) {
				t.Fatal(err)
			}
		}()
		Exp(nil, big.NewInt(3), big.NewInt(4), big.NewInt(7))
		t.Fatal("Exp returned")
	}
	again := exec.Command(os.Args[0], "-test.run=^TestWithoutALibrary$")
	again.Env = append(os.Environ(), "PINGALA_LIBRARY=/nowhere/libpingala.so")
	if told, err := again.CombinedOutput(); err != nil {
		t.Fatal(err, string(told))
	}
}
