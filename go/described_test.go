package pingala

import (
	"context"
	"crypto"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func ints(values ...int64) []*big.Int {
	all := make([]*big.Int, len(values))
	for i, value := range values {
		all[i] = big.NewInt(value)
	}
	return all
}

func sameNumbers(a, b []*big.Int) bool {
	return slices.EqualFunc(a, b, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
}

func TestSymbols(t *testing.T) {
	ctx, o := context.Background(), Options{}
	for _, c := range []struct{ a, n, symbol int64 }{
		{5, 21, 1}, {2, 15, 1}, {2, 3, -1}, {3, 9, 0}, {-1, 7, -1},
		{3, -20, -1}, {5, 0, 0}, {1, 0, 1}, {-1, 0, 1}, {-1, -1, -1}, {2, 8, 0}, {3, 8, -1}, {7, 2, 1}, {0, 1, 1},
	} {
		a, n := big.NewInt(c.a), big.NewInt(c.n)
		if got, err := o.Kronecker(ctx, a, n); err != nil || int64(got) != c.symbol {
			t.Errorf("(%d/%d): %d, %v", c.a, c.n, got, err)
		}
		got, err := o.Jacobi(ctx, a, n)
		plain, errPlain := Jacobi(a, n)
		if isOdd := c.n > 0 && c.n%2 == 1; isOdd != (err == nil) || isOdd != (errPlain == nil) {
			t.Errorf("Jacobi(%d, %d): %v, %v", c.a, c.n, err, errPlain)
		} else if isOdd && (int64(got) != c.symbol || got != plain) {
			t.Errorf("Jacobi(%d, %d): %d, %d", c.a, c.n, got, plain)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	long := new(big.Int).Lsh(big.NewInt(1), 200)
	short := Options{ModulusBits: 100}
	for name, c := range map[string]struct {
		err  error
		code Code
	}{
		"stopped Jacobi":     {second(o.Jacobi(stopped, big.NewInt(2), big.NewInt(3))), Interrupted},
		"stopped JacobiList": {second(o.JacobiList(stopped, ints(2), ints(3))), Interrupted},
		"stopped Kronecker":  {second(o.Kronecker(stopped, big.NewInt(2), big.NewInt(3))), Interrupted},
		"a long a":           {second(short.Jacobi(ctx, long, big.NewInt(3))), TooLong},
		"a long n":           {second(short.Kronecker(ctx, big.NewInt(3), long)), TooLong},
		"a long one":         {second(short.JacobiList(ctx, []*big.Int{big.NewInt(1), long}, ints(3))), TooLong},
		"nil":                {second(o.Kronecker(ctx, nil, big.NewInt(3))), BadArgument},
		"nil below":          {second(o.Jacobi(ctx, big.NewInt(3), nil)), BadArgument},
		"nil in a list":      {second(o.JacobiList(ctx, []*big.Int{nil}, ints(3))), BadArgument},
	} {
		if !errors.Is(c.err, c.code) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestAllRoots(t *testing.T) {
	ctx, o := context.Background(), Options{}
	roots := must[[]*big.Int](t)
	if got := roots(o.SqrtModAll(ctx, big.NewInt(4), big.NewInt(7))); !sameNumbers(got, ints(2, 5)) {
		t.Error(got)
	}
	if got := roots(o.SqrtModAll(ctx, big.NewInt(3), big.NewInt(7))); len(got) != 0 {
		t.Error(got)
	}
	if got := roots(o.SqrtModAll(ctx, big.NewInt(-21), big.NewInt(7))); !sameNumbers(got, ints(0)) {
		t.Error(got)
	}
	for _, c := range []struct {
		m       int64
		factors []Factor
		a       int64
		all     []*big.Int
	}{
		{15, []Factor{{big.NewInt(3), 1}, {big.NewInt(5), 1}}, 4, ints(2, 7, 8, 13)},
		{8, []Factor{{big.NewInt(2), 3}}, 1, ints(1, 3, 5, 7)},
		{81, []Factor{{big.NewInt(3), 4}}, 0, ints(0, 9, 18, 27, 36, 45, 54, 63, 72)},
		{11, nil, 3, ints(5, 6)},
		{1, nil, 3, ints(0)},
	} {
		m := must[*Modulus](t)(o.NewModulus(big.NewInt(c.m), c.factors...))
		defer m.Close()
		if c.m > 1 {
			if got := roots(m.SqrtAll(ctx, big.NewInt(c.a), 100)); !sameNumbers(got, c.all) {
				t.Errorf("modulo %d: %v", c.m, got)
			}
			one := must[*big.Int](t)(m.Sqrt(ctx, big.NewInt(c.a)))
			if !slices.ContainsFunc(c.all, func(root *big.Int) bool { return root.Cmp(one) == 0 }) {
				t.Errorf("modulo %d: %v", c.m, one)
			}
		}
	}
	nine := must[*Modulus](t)(o.NewModulus(big.NewInt(81), Factor{big.NewInt(3), 4}))
	defer nine.Close()
	if _, err := nine.SqrtAll(ctx, big.NewInt(0), 8); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
	if _, err := nine.Sqrt(ctx, nil); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
	if _, err := o.SqrtModAll(ctx, big.NewInt(2), big.NewInt(-7)); !errors.Is(err, NegativeModulus) {
		t.Error(err)
	}
}

func TestEstimates(t *testing.T) {
	ctx := context.Background()
	estimate := must[Estimate](t)
	plain := estimate(Options{}.EstimateRandomPrime(ctx, 256, Prime{}, false))
	safe := estimate(Options{}.EstimateRandomPrime(ctx, 256, Prime{Safe: true}, false))
	secret := estimate(Options{}.EstimateRandomPrime(ctx, 256, Prime{}, true))
	if plain.Tests <= 1 || safe.Tests <= plain.Tests || plain.Seconds <= 0 || secret.Seconds <= 0 {
		t.Error(plain, safe, secret)
	}
	if _, err := (Options{}).EstimateRandomPrime(ctx, 1, Prime{}, false); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
	if _, err := (Options{ModulusBits: 100}).EstimateRandomPrime(ctx, 101, Prime{}, false); !errors.Is(err, TooLong) {
		t.Error(err)
	}
}

// What is explained is what is planned, and a plan can be forced.
func TestPlansAndExplanations(t *testing.T) {
	m := newModulus(t, power2(521, -1))
	base, exponent, many := big.NewInt(7), power2(500, 3), []*big.Int{power2(300, 1), power2(301, 5), big.NewInt(-9)}
	table := Table{Bits: 500, Memory: 1 << 20}
	for name, pair := range map[string][2]func() (string, error){
		"Explain":               {func() (string, error) { return m.Explain(base, exponent) }, func() (string, error) { return m.Plan(base, exponent) }},
		"ExplainExpMany":        {func() (string, error) { return m.ExplainExpMany(many) }, func() (string, error) { return m.PlanExpMany(many) }},
		"ExplainExpBases":       {func() (string, error) { return m.ExplainExpBases(many, exponent) }, func() (string, error) { return m.PlanExpBases(many, exponent) }},
		"ExplainProduct":        {func() (string, error) { return m.ExplainProduct(many) }, func() (string, error) { return m.PlanProduct(many) }},
		"ExplainRepeatedSquare": {func() (string, error) { return m.ExplainRepeatedSquare(1000) }, func() (string, error) { return m.PlanRepeatedSquare(1000) }},
		"ExplainFixedBase":      {func() (string, error) { return m.ExplainFixedBase(base, table) }, func() (string, error) { return m.PlanFixedBase(base, table) }},
	} {
		text, err := pair[0]()
		plan, errPlan := pair[1]()
		if err != nil || errPlan != nil || !strings.Contains(text, plan) || strings.Contains(plan, "\n") || plan == "" {
			t.Errorf("%s: %q, %v; %q, %v", name, text, err, plan, errPlan)
		}
	}
	plan := must[string](t)(m.Plan(base, exponent))
	forced, err := m.With(Options{Plan: plan}).Exp(nil, base, exponent)
	if err != nil || forced.Cmp(new(big.Int).Exp(base, exponent, m.Value())) != 0 {
		t.Error(forced, err)
	}
	fixed := must[*FixedBase](t)(m.FixedBase(context.Background(), base, table))
	defer fixed.Close()
	if planned := must[string](t)(m.PlanFixedBase(base, table)); planned != must[string](t)(fixed.Plan()) {
		t.Error(planned)
	}
	var none *Modulus
	for name, err := range map[string]error{
		"nil":         second(m.Explain(nil, exponent)),
		"nil in list": second(m.PlanExpMany([]*big.Int{nil})),
		"no modulus":  second(none.Plan(base, exponent)),
		"a table":     second(m.ExplainFixedBase(base, Table{Bits: -1})),
		"no table":    second((*FixedBase)(nil).Plan()),
	} {
		if !errors.Is(err, BadArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.With(Options{Kernel: "none"}).Explain(base, exponent); !errors.Is(err, BadPlan) {
		t.Error(err)
	}
}

func TestWeaknessesOfAKey(t *testing.T) {
	key := must[*PublicKey](t)(NewRSAKey(power2(1024, 643), big.NewInt(3)))
	if found := key.Weaknesses(crypto.SHA1).String(); found != "short_key, sha1, odd_sizes, small_exponent" {
		t.Error(found)
	}
	if found := key.Weaknesses(crypto.SHA256); found&BrokenHash != 0 || found&SmallExponent == 0 {
		t.Error(found)
	}
	key.Close()
	if found := key.Weaknesses(crypto.SHA1); found != 0 {
		t.Error(found)
	}
}

// A secret power is released only if the public exponent takes it back.
func TestPublicExponent(t *testing.T) {
	ctx := context.Background()
	n, base, d := big.NewInt(3233), big.NewInt(65).Bytes(), big.NewInt(2753).Bytes()
	check := func(e int64, factors ...Factor) error {
		m := must[*Modulus](t)(Options{PublicExponent: big.NewInt(e)}.NewModulus(n, factors...))
		defer m.Close()
		powers, err := m.ExpSecretList(ctx, [][]byte{base}, [][]byte{d}, 12)
		if err == nil && new(big.Int).SetBytes(powers[0]).Cmp(new(big.Int).Exp(big.NewInt(65), big.NewInt(2753), n)) != 0 {
			t.Error(powers)
		}
		return err
	}
	factors := []Factor{{big.NewInt(61), 1}, {big.NewInt(53), 1}}
	if err := errors.Join(check(17), check(17, factors...)); err != nil {
		t.Error(err)
	}
	if check(19) == nil || check(19, factors...) == nil {
		t.Error("another exponent is not refused")
	}
	if _, err := (Options{PublicExponent: big.NewInt(-3)}).NewModulus(n); !errors.Is(err, BadArgument) {
		t.Error(err)
	}
}
