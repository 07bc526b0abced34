package pingala

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand"
	"testing"
)

func TestSecretLists(t *testing.T) {
	random, ctx := rand.New(rand.NewSource(23)), context.Background()
	for _, bits := range []uint{61, 64, 65, 1000} {
		value := new(big.Int).Rand(random, new(big.Int).Lsh(big.NewInt(1), bits))
		value.SetBit(value.SetBit(value, 0, 1), int(bits)-1, 1)
		m, err := NewModulus(value)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		size := (int(bits) + 7) / 8
		bases, exponents := make([][]byte, 20), make([][]byte, 20)
		for i := range bases {
			bases[i], exponents[i] = make([]byte, size-i%2), make([]byte, 9)
			random.Read(bases[i])
			random.Read(exponents[i][1:])
		}
		exponents[0] = []byte{}
		check := func(got [][]byte, err error, base, exponent func(i int) []byte) {
			t.Helper()
			if err != nil || len(got) != len(bases) {
				t.Fatal(bits, err)
			}
			for i, row := range got {
				want := new(big.Int).Exp(new(big.Int).SetBytes(base(i)), new(big.Int).SetBytes(exponent(i)), value)
				if !bytes.Equal(row, want.FillBytes(make([]byte, size))) {
					t.Fatal(bits, i, row, want)
				}
			}
		}
		each := func(rows [][]byte) func(i int) []byte { return func(i int) []byte { return rows[i] } }
		got, err := m.ExpSecretList(ctx, bases, exponents, 64)
		check(got, err, each(bases), each(exponents))
		got, err = m.ExpSecretList(ctx, bases, exponents[3:4], 64)
		check(got, err, each(bases), func(int) []byte { return exponents[3] })
		table, err := m.FixedBase(ctx, big.NewInt(7), Table{Bits: 64, Memory: 1 << 16, Secret: true})
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		got, err = table.ExpSecretList(ctx, exponents, 64)
		check(got, err, func(int) []byte { return []byte{7} }, each(exponents))
	}
}

// Modulo known primes exponents are blinded, unless that is switched off.
func TestSecretsModuloKnownPrimes(t *testing.T) {
	p, q := big.NewInt(1<<61-1), new(big.Int).SetUint64(1<<64-59)
	n, ctx := new(big.Int).Mul(p, q), context.Background()
	m, err := Options{}.NewModulus(n, Factor{p, 1}, Factor{q, 1})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	base, exponent := []byte{3}, bytes.Repeat([]byte{0xa5}, 16)
	want := new(big.Int).Exp(big.NewInt(3), new(big.Int).SetBytes(exponent), n).FillBytes(make([]byte, 16))
	for _, of := range []*Modulus{m, m.With(Options{Unblinded: true})} {
		if got, err := of.ExpSecretList(ctx, [][]byte{base}, [][]byte{exponent}, 128); err != nil || !bytes.Equal(got[0], want) {
			t.Fatal(got, err)
		}
	}
}

func TestSecretsThatAreRefused(t *testing.T) {
	ctx := context.Background()
	m, err := NewModulus(big.NewInt(1_000_003))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	two := [][]byte{{2}, {3}}
	for code, call := range map[Code]func() ([][]byte, error){
		BadSecret:   func() ([][]byte, error) { return m.ExpSecretList(ctx, two, [][]byte{{4}}, 2) },
		BadArgument: func() ([][]byte, error) { return m.ExpSecretList(ctx, two, [][]byte{{4}, {5}, {6}}, 8) },
	} {
		if got, err := call(); !errors.Is(err, code) || got != nil {
			t.Fatal(code, got, err)
		}
	}
	if _, err := m.ExpSecretList(ctx, [][]byte{{1, 2, 3, 4}}, two[:1], 8); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
	if _, err := m.ExpSecretList(ctx, two, two, 1<<40); err == nil {
		t.Fatal("an exponent of 2^40 bits")
	}
	if got, err := m.ExpSecretList(ctx, nil, nil, 8); err != nil || len(got) != 0 {
		t.Fatal(got, err)
	}
	table, err := m.FixedBase(ctx, big.NewInt(7), Table{Bits: 16, Memory: 1 << 14, Secret: true})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	got, err := table.ExpSecretList(ctx, two, 17)
	var failed ListError
	if !errors.As(err, &failed) || !errors.Is(err, TooLong) || got[0] != nil {
		t.Fatal(got, err)
	}
	even, err := NewModulus(big.NewInt(1_000_002))
	if err != nil {
		t.Fatal(err)
	}
	defer even.Close()
	if _, err := even.FixedBase(ctx, big.NewInt(7), Table{Bits: 16, Memory: 1 << 14, Secret: true}); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
}
