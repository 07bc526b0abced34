package pingala

import (
	"context"
	"math"
	"math/big"

	"example.org/pingala/internal/abi"
)

// Exp sets z to x**y mod |m| and returns z, as [math/big.Int.Exp] documents it: the result is at least 0; if m is nil or 0, z = x**y,
// unless y <= 0, then z = 1, which is no modular power and computed by math/big; if y < 0 and x has no inverse modulo m, z is
// unchanged and nil is returned. z may be x, y or m; if z is nil, it is a new number. Words of z are used again, so that a call
// with a z that is long enough allocates nothing.
//
// Exp has no limits of lengths. Without the library it panics with an error that wraps [ErrNoLibrary].
func Exp(z, x, y, m *big.Int) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	if m == nil || m.Sign() == 0 {
		return z.Exp(x, y, nil)
	}
	if err := abi.Load(); err != nil {
		panic(err)
	}
	modulus := m.Bits()
	out := room(z, len(modulus))
	status := abi.Powmod(out, x.Bits(), y.Bits(), modulus, signs(x, y), nil, nil)
	switch status {
	case abi.OK:
		return z.SetBits(out)
	case abi.NotInvertible:
		return nil
	}
	return expAnyLength(z, out, x, y, m)
}

// unlimited is what Exp accepts.
var unlimited = Options{ModulusBits: math.MaxUint64, ExponentBits: math.MaxUint64}

func expAnyLength(z *big.Int, out abi.Words, x, y, m *big.Int) *big.Int {
	s, err := unlimited.begin(context.Background())
	if err != nil {
		panic(err)
	}
	defer s.end()
	switch status := abi.Powmod(out, x.Bits(), y.Bits(), m.Bits(), signs(x, y), s.options, &s.why); status {
	case abi.OK:
		return z.SetBits(out)
	case abi.NotInvertible:
		return nil
	default:
		panic(s.failure(status))
	}
}

// Version is the version of the library, such as "0.4.0".
func Version() (string, error) {
	if err := abi.Load(); err != nil {
		return "", err
	}
	return abi.Version(), nil
}
