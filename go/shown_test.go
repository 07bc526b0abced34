package pingala

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
)

func TestShown(t *testing.T) {
	ctx, long := context.Background(), new(big.Int).SetBit(big.NewInt(1), 2047, 1)
	short, whole := newModulus(t, big.NewInt(97)), newModulus(t, long)
	edge := newModulus(t, new(big.Int).SetBit(new(big.Int), 255, 1))
	beyond := newModulus(t, new(big.Int).SetBit(new(big.Int), 256, 1))
	fixed, err := NewFixedBase(big.NewInt(7), whole, 300, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	exponent, err := NewFixedExponent(ctx, big.NewInt(99), ChainSearch{Moves: 1000})
	if err != nil {
		t.Fatal(err)
	}
	power, err := exponent.Modulo(whole)
	if err != nil {
		t.Fatal(err)
	}
	defer power.Close()
	key, err := NewRSAKey(long, big.NewInt(65537))
	if err != nil {
		t.Fatal(err)
	}
	dsa, err := NewDSAKey(long, big.NewInt(97), big.NewInt(2), big.NewInt(3))
	if err != nil {
		t.Fatal(err)
	}
	defer dsa.Close()
	plan, err := fixed.Plan()
	if err != nil {
		t.Fatal(err)
	}
	done := new(atomic.Uint64)
	done.Store(17)
	steps := fmt.Sprintf("<FixedExponent of 7 bits, %d steps>", exponent.Len())
	check := func(what any, expected string) {
		t.Helper()
		for _, format := range []string{"%v", "%+v", "%s"} {
			if text := fmt.Sprintf(format, what); text != expected {
				t.Errorf("%s: %q, expected %q", format, text, expected)
			}
		}
	}
	check(short, "Modulus(0x61)")
	check(edge, "Modulus(0x8"+strings.Repeat("0", 63)+")")
	check(beyond, "<Modulus of 257 bits>")
	check(whole, "<Modulus of 2048 bits>")
	check([]*Modulus{short, whole}, "[Modulus(0x61) <Modulus of 2048 bits>]")
	check(fixed, "<FixedBase modulo 2048 bits, exponents of 300 bits: "+plan+">")
	check(exponent, steps)
	check(power, "<FixedPower modulo 2048 bits>")
	check(key, "<RSAPublicKey of 2048 bits>")
	check(dsa, "<DSAPublicKey of 2048 bits>")
	check(Factor{Value: long, Multiplicity: 2}, "<Factor of 2048 bits, multiplicity 2>")
	check(Factor{}, "<Factor: nil>")
	check(Options{}, "Options{}")
	check(Options{Kernel: "portable_r64", Threads: 2, Unblinded: true}, `Options{Kernel: "portable_r64", Threads: 2, Unblinded: true}`)
	check(Options{Done: done, PublicExponent: long}, "Options{Done: 17, PublicExponent: a number of 2048 bits}")
	check(Options{PublicExponent: big.NewInt(65537)}, "Options{PublicExponent: 0x10001}")
	check(NotPrime, "not prime")
	check(ProbablePrime, "probably prime")
	check(ProvedPrime, "prime")

	for _, one := range []interface{ Close() }{short, fixed, exponent, key} {
		one.Close()
	}
	check(short, "Modulus(0x61)")
	check(fixed, "<FixedBase modulo 2048 bits, closed>")
	check(exponent, "<FixedExponent of 7 bits, closed>")
	check(key, "<PublicKey: closed>")
	check([]any{new(Modulus), new(FixedBase), new(FixedExponent), new(FixedPower), new(PublicKey)},
		"[<Modulus: not made> <FixedBase: not made> <FixedExponent: not made> <FixedPower: not made> <PublicKey: not made>]")
	if text := (*Modulus)(nil).String(); text != "<Modulus: not made>" {
		t.Error(text)
	}
}

// Errors give the value that was found, what is allowed, and the name of the argument or option.
func TestErrorsShowTheValue(t *testing.T) {
	ctx, minus := context.Background(), big.NewInt(-7)
	m := newModulus(t, big.NewInt(101))
	long := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 999))
	for expected, call := range map[string]func() error{
		"y is -0x7; expected 1 or more": func() error { _, err := NewFixedExponent(ctx, minus, ChainSearch{}); return err },
		"y is nil":                      func() error { _, err := NewFixedExponent(ctx, nil, ChainSearch{}); return err },
		"Time is -1ns; expected a positive duration, or 0 for none": func() error {
			_, err := NewFixedExponent(ctx, big.NewInt(7), ChainSearch{Time: -1})
			return err
		},
		"the modulus is -0x7; expected 1 or more":                           func() error { _, err := NewModulus(minus); return err },
		"the modulus is a negative number of 1000 bits; expected 1 or more": func() error { _, err := NewModulus(long); return err },
		"factor 1 is 0x0; expected 1 or more": func() error {
			_, err := Options{}.NewModulus(big.NewInt(15), Factor{Value: big.NewInt(3)}, Factor{Value: new(big.Int)})
			return err
		},
		"q is -0x7; expected 0 or more": func() error {
			_, err := NewDSAKey(big.NewInt(23), minus, big.NewInt(2), big.NewInt(3))
			return err
		},
		"e is nil":                      func() error { _, err := NewRSAKey(big.NewInt(15), nil); return err },
		"bits is 1; expected 2 or more": func() error { _, err := Options{}.RandomPrime(ctx, 1, Prime{}); return err },
		"Divisor is -0x7; expected 1 or more": func() error {
			_, err := Options{}.RandomPrime(ctx, 64, Prime{Residue: big.NewInt(1), Divisor: minus})
			return err
		},
		"no kernel 'nope'": func() error { _, err := m.With(Options{Kernel: "nope"}).Exp(nil, minus, big.NewInt(65537)); return err },
		"PublicExponent is -0x7; expected 0 or more": func() error {
			_, err := m.With(Options{PublicExponent: minus}).Exp(nil, minus, big.NewInt(65537))
			return err
		},
		"n must be odd and positive, not 8": func() error { _, err := Options{}.Jacobi(ctx, big.NewInt(3), big.NewInt(8)); return err },
		"15 is composite":                   func() error { _, err := Options{}.SqrtMod(ctx, big.NewInt(4), big.NewInt(15)); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%v, expected %s", err, expected)
		}
	}
}
