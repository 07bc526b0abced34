package pingala

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// drawn is a number of at most this number of bits, of either sign.
func drawn(random *rand.Rand, bits int) *big.Int {
	value := new(big.Int)
	for range bits / 64 {
		value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(random.Uint64()))
	}
	if random.IntN(4) == 0 {
		value.Neg(value)
	}
	return value
}

func newModulus(t testing.TB, m *big.Int) *Modulus {
	t.Helper()
	modulus, err := NewModulus(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(modulus.Close)
	return modulus
}

// checkList compares results with those of math/big, nil for elements without inverse, which the error must name.
func checkList(t *testing.T, what string, got []*big.Int, err error, want []*big.Int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d results for %d: %v", what, len(got), len(want), err)
	}
	bad := map[int]bool{}
	var list ListError
	if errors.As(err, &list) {
		for _, element := range list {
			bad[element.Index] = errors.Is(element, NotInvertible)
		}
	} else if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for i := range want {
		if !same(got[i], want[i]) || bad[i] != (want[i] == nil) {
			t.Fatalf("%s, element %d: %v, not %v (%v)", what, i, got[i], want[i], err)
		}
	}
}

// checkLists computes lists in all ways.
func checkLists(t *testing.T, ctx context.Context, m *Modulus, xs, ys []*big.Int) {
	t.Helper()
	value := m.Value()
	want := func(x, y func(i int) *big.Int) []*big.Int {
		all := make([]*big.Int, len(xs))
		for i := range all {
			all[i] = oracle(x(i), y(i), value)
		}
		return all
	}
	one := func(value *big.Int) func(int) *big.Int { return func(int) *big.Int { return value } }
	each := func(values []*big.Int) func(int) *big.Int { return func(i int) *big.Int { return values[i] } }
	got, err := m.ExpList(ctx, xs, ys)
	checkList(t, "ExpList", got, err, want(each(xs), each(ys)))
	got, err = m.Inverses(ctx, xs)
	checkList(t, "Inverses", got, err, want(each(xs), one(big.NewInt(-1))))
	if len(xs) == 0 {
		return
	}
	got, err = m.ExpMany(ctx, xs[0], ys)
	checkList(t, "ExpMany", got, err, want(one(xs[0]), each(ys)))
	got, err = m.ExpBases(ctx, xs, ys[0])
	checkList(t, "ExpBases", got, err, want(each(xs), one(ys[0])))
	product := big.NewInt(1)
	for i, x := range xs {
		power := oracle(x, ys[i], value)
		if power == nil {
			product = nil
			break
		}
		product.Mul(product, power).Mod(product, value)
	}
	if product != nil {
		product.Mod(product, value)
	}
	single, err := m.Product(ctx, xs, ys)
	if !same(single, product) || (err != nil) != (product == nil) || err != nil && !errors.Is(err, NotInvertible) {
		t.Fatalf("Product: %v, not %v (%v)", single, product, err)
	}
	for i, x := range xs {
		power, err := m.Exp(nil, x, ys[i])
		if want := oracle(x, ys[i], value); !same(power, want) || (err != nil) != (want == nil) {
			t.Fatalf("Modulus.Exp: %v, not %v (%v)", power, want, err)
		}
		inverse, err := m.Inverse(nil, x)
		if want := oracle(x, big.NewInt(-1), value); !same(inverse, want) || (err != nil) != (want == nil) {
			t.Fatalf("Modulus.Inverse: %v, not %v (%v)", inverse, want, err)
		}
	}
}

func TestListsBesideMathBig(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, value := range edges() {
		if value.Sign() <= 0 {
			continue
		}
		m := newModulus(t, value)
		for _, count := range []int{0, 1, 2, 19} {
			xs, ys := make([]*big.Int, count), make([]*big.Int, count)
			for i := range xs {
				xs[i], ys[i] = drawn(random, 64*random.IntN(12)), drawn(random, 64*random.IntN(6))
			}
			checkLists(t, context.Background(), m, xs, ys)
		}
	}
}

func TestListOfDifferentModuli(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var kept, ms []*Modulus
	for _, value := range edges() {
		if value.Sign() > 0 {
			kept = append(kept, newModulus(t, value))
		}
	}
	var xs, ys, want []*big.Int
	for range 200 {
		x, y, m := drawn(random, 64*random.IntN(12)), drawn(random, 64*random.IntN(6)), kept[random.IntN(len(kept))]
		xs, ys, ms = append(xs, x), append(ys, y), append(ms, m)
		want = append(want, oracle(x, y, m.Value()))
	}
	got, err := ExpList(context.Background(), Options{Threads: 2}, xs, ys, ms)
	checkList(t, "ExpList", got, err, want)
	if _, err := ExpList(context.Background(), Options{}, xs, ys, ms[1:]); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
	if _, err := kept[0].ExpList(context.Background(), xs, ys[1:]); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
}

func TestResultsDoNotGrowIntoTheirNeighbours(t *testing.T) {
	m := newModulus(t, big.NewInt(1_000_003))
	got, err := m.ExpBases(context.Background(), []*big.Int{big.NewInt(2), big.NewInt(3)}, big.NewInt(1))
	if err != nil {
		t.Fatal(err)
	}
	got[0].Lsh(got[0], 500)
	if got[1].Int64() != 3 {
		t.Fatal(got[1])
	}
}

func TestErrorsOfLists(t *testing.T) {
	m := newModulus(t, big.NewInt(12))
	got, err := m.Inverses(context.Background(), []*big.Int{big.NewInt(5), big.NewInt(4), big.NewInt(7), big.NewInt(6)})
	var list ListError
	if !errors.As(err, &list) || len(list) != 2 || list[0].Index != 1 || list[1].Index != 3 || !errors.Is(err, NotInvertible) {
		t.Fatal(err)
	}
	if got[0].Int64() != 5 || got[1] != nil || got[2].Int64() != 7 || got[3] != nil {
		t.Fatal(got)
	}
	var one *Error
	if !errors.As(list[0], &one) || one.Code != NotInvertible || one.Message == "" {
		t.Fatal(err)
	}
}

func TestFixedBase(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, bits := range []int{64, 256, 1024} {
		value := drawn(random, bits)
		value.Abs(value).SetBit(value, 0, 1)
		m := newModulus(t, value)
		base := drawn(random, bits+128)
		table, err := NewFixedBase(base, m, 192, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "table")
		if err := table.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadFixedBase(path, m)
		if err != nil {
			t.Fatal(err)
		}
		anything, err := LoadFixedBase(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*FixedBase{table, loaded, anything, table.With(Options{Threads: 1})} {
			if err := f.Verify(context.Background()); err != nil {
				t.Fatal(err)
			}
			if f.ExponentBits() < 192 || f.Memory() > 1<<20 || f.Modulus().Cmp(value) != 0 || f.Base().Cmp(new(big.Int).Mod(base, value)) != 0 {
				t.Fatal(f.ExponentBits(), f.Memory(), f.Modulus(), f.Base())
			}
			var ys, want []*big.Int
			for range 20 {
				y := drawn(random, 192)
				power := oracle(base, y, value)
				ys, want = append(ys, y), append(want, power)
				got, err := f.Exp(nil, y)
				if !same(got, power) || (err != nil) != (power == nil) {
					t.Fatal(got, power, err)
				}
			}
			got, err := f.ExpList(context.Background(), ys)
			checkList(t, "FixedBase.ExpList", got, err, want)
			long := new(big.Int).Lsh(big.NewInt(1), 5000)
			if _, err := f.Exp(nil, long); !errors.Is(err, TooLong) {
				t.Fatal(err)
			}
		}
		table.Close()
		if _, err := table.Exp(nil, big.NewInt(1)); !errors.Is(err, ErrClosed) {
			t.Fatal(err)
		}
		if table.Memory() != 0 {
			t.Fatal("memory after Close")
		}
	}
	m := newModulus(t, big.NewInt(1_000_003))
	if _, err := LoadFixedBase(filepath.Join(t.TempDir(), "none"), m); !errors.Is(err, BadFile) {
		t.Fatal(err)
	}
	if _, err := NewFixedBase(big.NewInt(2), m, 1000, -1); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
	if _, err := NewFixedBase(big.NewInt(2), m, 1000, 0); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
}

func TestPlansOfLists(t *testing.T) {
	ctx := context.Background()
	m, err := NewModulus(big.NewInt(1_000_003))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewModulus(new(big.Int).Lsh(big.NewInt(1), 200))
	if err != nil {
		t.Fatal(err)
	}
	numbers, ms := make([]*big.Int, 9), make([]*Modulus, 9)
	products := make([][]*big.Int, 9)
	for i := range numbers {
		numbers[i], ms[i] = big.NewInt(int64(1000+i)), m
	}
	ms[3] = other
	for i := range products {
		products[i] = numbers[:i%3]
	}
	plan, err := PlanList(Options{Threads: 1}, numbers, numbers, ms)
	if err != nil || !strings.Contains(plan, " on ") {
		t.Fatal(plan, err)
	}
	// The plan of a list can be forced on that list.
	want, err := ExpList(ctx, Options{}, numbers, numbers, ms)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ExpList(ctx, Options{Threads: 1, Plan: plan}, numbers, numbers, ms)
	checkList(t, "ExpList", got, err, want)
	one := m.With(Options{Threads: 1})
	plan, err = one.PlanProductList(products, products)
	if err != nil || !strings.Contains(plan, " on ") {
		t.Fatal(plan, err)
	}
	if text, err := one.ExplainProductList(products, products); err != nil || !strings.Contains(text, plan) {
		t.Error(text, err)
	}
	if want, err = one.ProductList(ctx, products, products); err != nil {
		t.Fatal(err)
	}
	got, err = m.With(Options{Threads: 1, Plan: plan}).ProductList(ctx, products, products)
	checkList(t, "ProductList", got, err, want)

	for name, call := range map[string]func() (string, error){
		"nil":     func() (string, error) { return PlanList(Options{}, []*big.Int{nil}, numbers[:1], ms[:1]) },
		"modulus": func() (string, error) { return PlanList(Options{}, numbers[:1], numbers[:1], []*Modulus{nil}) },
		"lengths": func() (string, error) { return m.PlanProductList(products, products[:1]) },
		"none":    func() (string, error) { return m.ExplainProductList(nil, nil) },
		"factors": func() (string, error) { return m.PlanProductList(products[:3], products[1:4]) },
		"kernel":  func() (string, error) { return m.With(Options{Kernel: "none"}).PlanProductList(products, products) },
	} {
		if plan, err := call(); plan != "" || !errors.Is(err, BadArgument) && !errors.Is(err, BadPlan) {
			t.Error(name, plan, err)
		}
	}
}
