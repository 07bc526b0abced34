package multiexp

import (
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

func number(random *rand.Rand, words int) *big.Int {
	value := new(big.Int)
	for range words {
		value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(random.Uint64()))
	}
	return value
}

func check(t *testing.T, what string, x, m *big.Int, ys, got []*big.Int) {
	t.Helper()
	for i, y := range ys {
		want := new(big.Int).Exp(x, y, m)
		if (got[i] == nil) != (want == nil) || want != nil && got[i].Cmp(want) != 0 {
			t.Fatalf("%s: %v ** %v mod %v = %v, not %v", what, x, y, m, got[i], want)
		}
	}
}

func panics(t *testing.T, with string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		found := recover()
		if text, _ := found.(string); found == nil || !strings.Contains(text, with) {
			t.Errorf("panic %v, not %q", found, with)
		}
	}()
	call()
}

func TestEveryFunctionBesideMathBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for words := range 9 {
		m := number(random, words+1)
		m.SetBit(m, 0, 1)
		x := number(random, 1+random.IntN(12))
		table := NewPrecomputeTable(x, m, 6)
		for range 5 {
			ys := [4]*big.Int{}
			for i := range ys {
				ys[i] = number(random, 1+random.IntN(6))
			}
			pair := [2]*big.Int(ys[:2])
			double := DoubleExp(x, pair, m)
			check(t, "DoubleExp", x, m, pair[:], double[:])
			for name, call := range map[string]func() [4]*big.Int{
				"FourfoldExp":                    func() [4]*big.Int { return FourfoldExp(x, m, ys) },
				"FourfoldExpPrecomputed":         func() [4]*big.Int { return FourfoldExpPrecomputed(x, m, ys, table) },
				"FourfoldExpPrecomputedParallel": func() [4]*big.Int { return FourfoldExpPrecomputedParallel(x, m, ys, table) },
			} {
				got := call()
				check(t, name, x, m, ys[:], got[:])
			}
			for routines := range 5 {
				check(t, "ExpParallel", x, m, ys[:1], []*big.Int{ExpParallel(x, ys[0], m, table, routines, routines-1)})
			}
			auto, err := ExpParallelAuto(x, ys[1], m, table)
			if err != nil {
				t.Fatal(err)
			}
			check(t, "ExpParallelAuto", x, m, ys[1:2], []*big.Int{auto})
		}
		table.Close()
	}
}

func TestEdges(t *testing.T) {
	values := []*big.Int{big.NewInt(0), big.NewInt(1), big.NewInt(2), big.NewInt(7), big.NewInt(12), big.NewInt(-7)}
	for _, x := range values {
		if x.Sign() < 0 {
			continue // math/big negates some results that it should not
		}
		for _, m := range append(values, nil) {
			for _, y := range values {
				ys := [4]*big.Int{y, big.NewInt(5), y, big.NewInt(0)}
				double := DoubleExp(x, [2]*big.Int(ys[:2]), m)
				check(t, "DoubleExp", x, m, ys[:2], double[:])
				four := FourfoldExp(x, m, ys)
				check(t, "FourfoldExp", x, m, ys[:], four[:])
				auto, err := ExpParallelAuto(x, y, m, nil)
				if err == nil {
					t.Fatal("no table, no error")
				}
				check(t, "ExpParallelAuto", x, m, ys[:1], []*big.Int{auto})
			}
		}
	}
}

func TestTablesThatAreNone(t *testing.T) {
	two, seven := big.NewInt(2), big.NewInt(7)
	for _, arguments := range [][2]*big.Int{{nil, seven}, {two, nil}, {new(big.Int), seven}, {one, seven}, {two, new(big.Int)}, {two, big.NewInt(-7)}} {
		if NewPrecomputeTable(arguments[0], arguments[1], 1) != nil {
			t.Error(arguments)
		}
	}
	if NewPrecomputeTable(two, seven, 0) != nil {
		t.Error("no words")
	}
}

func TestPanics(t *testing.T) {
	base, m := big.NewInt(3), big.NewInt(1_000_003)
	table, even := NewPrecomputeTable(base, m, 1), NewPrecomputeTable(base, big.NewInt(100), 1)
	y, long := big.NewInt(40), new(big.Int).Lsh(one, 64)
	ys := [4]*big.Int{y, y, y, y}
	for _, fourfold := range []func(x, m *big.Int, y4 [4]*big.Int, t *PreTable) [4]*big.Int{FourfoldExpPrecomputed, FourfoldExpPrecomputedParallel} {
		panics(t, "negative", func() { fourfold(big.NewInt(-3), m, ys, table) })
		panics(t, "nil value", func() { fourfold(base, nil, ys, table) })
		panics(t, "non-positive", func() { fourfold(base, big.NewInt(-7), ys, table) })
		panics(t, "y4", func() { fourfold(base, m, [4]*big.Int{y, y, y, new(big.Int)}, table) })
		panics(t, "odd", func() { fourfold(base, even.Modulus, ys, even) })
		panics(t, "does not match", func() { fourfold(y, m, ys, table) })
		panics(t, "does not match", func() { fourfold(base, big.NewInt(9), ys, table) })
		panics(t, "", func() { fourfold(base, m, [4]*big.Int{y, y, y, long}, table) })
		if got := fourfold(one, m, ys, nil); got[0].Cmp(one) != 0 {
			t.Error(got)
		}
	}
	panics(t, "nil", func() { ExpParallel(base, y, m, nil, 1, 1) })
	panics(t, "base", func() { ExpParallel(y, y, m, table, 1, 1) })
	panics(t, "modulus", func() { ExpParallel(base, y, y, table, 1, 1) })
	panics(t, "", func() { ExpParallel(base, long, m, table, 1, 1) })
	for _, y := range []*big.Int{new(big.Int), big.NewInt(-5)} {
		check(t, "ExpParallel", base, m, []*big.Int{y}, []*big.Int{ExpParallel(base, y, m, table, 1, 1)})
		auto, err := ExpParallelAuto(base, y, m, table)
		if err == nil {
			t.Error("no error for", y)
		}
		check(t, "ExpParallelAuto", base, m, []*big.Int{y}, []*big.Int{auto})
	}
	check(t, "even", base, even.Modulus, []*big.Int{y}, []*big.Int{ExpParallel(base, y, even.Modulus, even, 2, 2)})
}

func TestATableWhoseBaseChanged(t *testing.T) {
	base, m := big.NewInt(3), big.NewInt(1_000_003)
	table := NewPrecomputeTable(base, m, 1)
	base.SetInt64(5)
	panics(t, "base", func() { ExpParallel(base, big.NewInt(2), m, table, 1, 1) })
	got, err := ExpParallelAuto(base, big.NewInt(2), m, table)
	if err == nil || got.Int64() != 25 {
		t.Error(got, err)
	}
	panics(t, "base", func() {
		ExpParallel(base, one, m, &PreTable{Base: base, Modulus: m, TableSize: 1}, 1, 1)
	})
}

func TestTheSizeOfATable(t *testing.T) {
	table := NewPrecomputeTable(big.NewInt(3), big.NewInt(1_000_003), 2)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = write
	GetTableSize(table)
	os.Stdout = stdout
	write.Close()
	told, err := io.ReadAll(read)
	if err != nil || !regexp.MustCompile(`takes [1-9]\d* bytes; it serves exponents of up to 128 bits\n$`).Match(told) {
		t.Error(string(told), err)
	}
}
