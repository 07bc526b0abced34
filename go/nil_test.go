package pingala

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Every pointer that a call takes may be nil: that is an error, for an element of a list its own, and never a panic.
func TestNil(t *testing.T) {
	ctx, one, m := context.Background(), big.NewInt(1), newModulus(t, big.NewInt(101))
	fixed, err := NewFixedBase(big.NewInt(7), m, 64, 1<<14)
	if err != nil {
		t.Fatal(err)
	}
	defer fixed.Close()
	exponent, err := NewFixedExponent(ctx, big.NewInt(99), ChainSearch{Moves: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer exponent.Close()
	power, err := exponent.Modulo(m)
	if err != nil {
		t.Fatal(err)
	}
	defer power.Close()
	key, err := NewRSAKey(big.NewInt(1000003*1000033), big.NewInt(3))
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close()
	numbers := []*big.Int{big.NewInt(2), nil, big.NewInt(3)}
	full := []*big.Int{big.NewInt(5), big.NewInt(6), big.NewInt(-1)}

	lists := map[string]func() ([]*big.Int, error){
		"ExpMany":    func() ([]*big.Int, error) { return m.ExpMany(ctx, big.NewInt(7), numbers) },
		"ExpBases":   func() ([]*big.Int, error) { return m.ExpBases(ctx, numbers, big.NewInt(-3)) },
		"Inverses":   func() ([]*big.Int, error) { return m.Inverses(ctx, numbers) },
		"ExpList xs": func() ([]*big.Int, error) { return m.ExpList(ctx, numbers, full) },
		"ExpList ys": func() ([]*big.Int, error) { return m.ExpList(ctx, full, numbers) },
		"ExpList ms": func() ([]*big.Int, error) { return ExpList(ctx, Options{}, full, full, []*Modulus{m, nil, m}) },
		"FixedBase":  func() ([]*big.Int, error) { return fixed.ExpList(ctx, numbers) },
		"FixedPower": func() ([]*big.Int, error) { return power.ExpList(ctx, numbers) },
		"ProductList xs": func() ([]*big.Int, error) {
			return m.ProductList(ctx, [][]*big.Int{full, numbers, full}, [][]*big.Int{full, full, full})
		},
		"ProductList ys": func() ([]*big.Int, error) {
			return m.ProductList(ctx, [][]*big.Int{full, full, nil}, [][]*big.Int{full, numbers, nil})
		},
		"ProductList ms": func() ([]*big.Int, error) {
			all := [][]*big.Int{full, full, full}
			return ProductList(ctx, Options{}, all, all, []*Modulus{m, nil, m})
		},
		"ProductList lengths": func() ([]*big.Int, error) {
			return m.ProductList(ctx, [][]*big.Int{full, full, full}, [][]*big.Int{full, full[:2], full})
		},
	}
	for name, call := range lists {
		results, err := call()
		var list ListError
		if !errors.As(err, &list) || len(list) != 1 || list[0].Index != 1 || !errors.Is(err, BadArgument) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(results) != 3 || results[0] == nil || results[1] != nil || results[2] == nil {
			t.Errorf("%s: %v", name, results)
		}
	}
	// Beside another error each element keeps its own.
	results, err := m.Inverses(ctx, []*big.Int{nil, big.NewInt(101), one, nil})
	var list ListError
	if !errors.As(err, &list) || len(list) != 3 || !errors.Is(list[0], BadArgument) || !errors.Is(list[1], NotInvertible) ||
		!errors.Is(list[2], BadArgument) || list[2].Index != 3 || results[2].Cmp(one) != 0 {
		t.Errorf("%v %v", results, err)
	}
	if results, err := ExpList(ctx, Options{}, full, full, make([]*Modulus, 3)); len(results) != 3 || !errors.As(err, &list) || len(list) != 3 {
		t.Errorf("no modulus at all: %v %v", results, err)
	}

	var noModulus *Modulus
	var noBase *FixedBase
	var noExponent *FixedExponent
	var noPower *FixedPower
	var noKey *PublicKey
	var noContext context.Context
	calls := map[string]func() error{
		"NewModulus":            func() error { _, err := NewModulus(nil); return err },
		"a factor":              func() error { _, err := Options{}.NewModulus(one, Factor{}); return err },
		"Exp x":                 func() error { _, err := m.Exp(nil, nil, one); return err },
		"Exp y":                 func() error { _, err := m.Exp(nil, one, nil); return err },
		"Inverse":               func() error { _, err := m.Inverse(nil, nil); return err },
		"Product":               func() error { _, err := m.Product(ctx, numbers, full); return err },
		"RepeatedSquare":        func() error { _, err := m.RepeatedSquare(ctx, nil, 3, Checkpoint{}); return err },
		"ExpMany x":             func() error { _, err := m.ExpMany(ctx, nil, full); return err },
		"ExpBases y":            func() error { _, err := m.ExpBases(ctx, full, nil); return err },
		"NewFixedBase x":        func() error { _, err := NewFixedBase(nil, m, 64, 1<<14); return err },
		"NewFixedBase m":        func() error { _, err := NewFixedBase(one, nil, 64, 1<<14); return err },
		"FixedBase.Exp":         func() error { _, err := fixed.Exp(nil, nil); return err },
		"NewFixedExponent":      func() error { _, err := NewFixedExponent(ctx, nil, ChainSearch{}); return err },
		"FixedExponent.Modulo":  func() error { _, err := exponent.Modulo(nil); return err },
		"FixedExponent.Explain": func() error { _, err := exponent.Explain(nil); return err },
		"FixedPower.Exp":        func() error { _, err := power.Exp(nil, nil); return err },
		"NewDSAKey":             func() error { _, err := NewDSAKey(one, nil, one, one); return err },
		"NewRSAKey":             func() error { _, err := NewRSAKey(nil, one); return err },
		"LoadKey":               func() error { _, err := LoadKey(nil); return err },
		"no key":                func() error { _, err := VerifyList(ctx, []Check{{}}, Legacy); return err },
		"an empty key": func() error {
			_, err := VerifyList(ctx, []Check{{Key: &PublicKey{}, Scheme: RSAPSS}}, Legacy)
			return err
		},
		"no context":              func() error { _, err := m.ExpMany(noContext, one, full); return err },
		"no context, verify":      func() error { _, err := VerifyList(noContext, []Check{{Key: key, Scheme: RSAPSS}}, Legacy); return err },
		"no modulus, Exp":         func() error { _, err := noModulus.Exp(nil, one, one); return err },
		"no modulus, Inverse":     func() error { _, err := noModulus.Inverse(nil, one); return err },
		"no modulus, Product":     func() error { _, err := noModulus.Product(ctx, full, full); return err },
		"no modulus, ExpList":     func() error { _, err := noModulus.ExpList(ctx, full, full); return err },
		"no modulus, ProductList": func() error { _, err := noModulus.ProductList(ctx, nil, nil); return err },
		"no modulus, With":        func() error { _, err := noModulus.With(Options{Threads: 1}).ExpMany(ctx, one, full); return err },
		"no modulus, secrets":     func() error { _, err := noModulus.ExpSecretList(ctx, nil, [][]byte{nil}, 8); return err },
		"an empty modulus":        func() error { _, err := new(Modulus).Exp(nil, one, one); return err },
		"an empty modulus, lists": func() error { _, err := ExpList(ctx, Options{}, full, full, []*Modulus{m, {}, m}); return err },
		"no base, Exp":            func() error { _, err := noBase.Exp(nil, one); return err },
		"no base, ExpList":        func() error { _, err := noBase.With(Options{}).ExpList(ctx, full); return err },
		"no base, secrets":        func() error { _, err := noBase.ExpSecretList(ctx, nil, 8); return err },
		"no base, Save":           func() error { return noBase.Save("x") },
		"no base, Verify":         func() error { return noBase.Verify(ctx) },
		"no exponent, Modulo":     func() error { _, err := noExponent.Modulo(m); return err },
		"no exponent, Save":       func() error { return noExponent.Save("x") },
		"no power, Exp":           func() error { _, err := noPower.Exp(nil, one); return err },
		"no power, ExpList":       func() error { _, err := noPower.ExpList(ctx, full); return err },
		"no key, Validate":        func() error { _, err := noKey.Validate(Primes); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, BadArgument) && !errors.Is(err, WrongFactors) {
			t.Errorf("%s: %v", name, err)
		}
	}
	noModulus.Close()
	noBase.Close()
	noExponent.Close()
	noPower.Close()
	noKey.Close()
	if noModulus.BitLen() != 0 || noModulus.Value().Sign() != 0 || noBase.Base().Sign() != 0 || noBase.Memory() != 0 || noKey.BitLen() != 0 ||
		noExponent.Len() != 0 || noExponent.Value().Sign() != 0 || noKey.IsDSA() {
		t.Error("nil has lengths")
	}
}

func TestProductList(t *testing.T) {
	ctx := context.Background()
	m, other := newModulus(t, big.NewInt(1000003)), newModulus(t, new(big.Int).Lsh(big.NewInt(77), 190))
	random := rand.New(rand.NewPCG(3, 4))
	var xs, ys [][]*big.Int
	var ms []*Modulus
	var want []*big.Int
	for i := range 40 {
		var bases, exponents []*big.Int
		modulus := []*Modulus{m, other}[i%2]
		product := new(big.Int).Mod(big.NewInt(1), modulus.Value())
		for range i % 4 {
			x, y := drawn(random, 256), new(big.Int).Abs(drawn(random, 128))
			bases, exponents = append(bases, x), append(exponents, y)
			product.Mul(product, new(big.Int).Exp(x, y, modulus.Value())).Mod(product, modulus.Value())
		}
		xs, ys, ms, want = append(xs, bases), append(ys, exponents), append(ms, modulus), append(want, product)
	}
	got, err := ProductList(ctx, Options{}, xs, ys, ms)
	checkList(t, "ProductList", got, err, want)
	// An element without an inverse affects no other.
	xs[8], ys[8] = []*big.Int{big.NewInt(1000003)}, []*big.Int{big.NewInt(-1)}
	want[8] = nil
	got, err = ProductList(ctx, Options{Threads: 2}, xs, ys, ms)
	checkList(t, "ProductList", got, err, want)
	if got, err := m.ProductList(ctx, nil, nil); err != nil || len(got) != 0 {
		t.Errorf("none: %v %v", got, err)
	}
	if _, err := m.ProductList(ctx, xs, ys[:1]); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
	if _, err := ProductList(ctx, Options{}, xs, ys, ms[:1]); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := ProductList(stopped, Options{}, xs, ys, ms); !errors.Is(err, Interrupted) {
		t.Error(err)
	}
}
