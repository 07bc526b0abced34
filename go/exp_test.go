package pingala

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers at the edges of words, and moduli with all kinds of factors.
func edges() []*big.Int {
	var values []*big.Int
	for _, bits := range []uint{0, 1, 2, 63, 64, 65, 127, 128, 129, 192, 256, 521} {
		power := new(big.Int).Lsh(big.NewInt(1), bits)
		for d := int64(-1); d <= 1; d++ {
			value := new(big.Int).Add(power, big.NewInt(d))
			values = append(values, value, new(big.Int).Neg(value))
		}
	}
	return values
}

// oracle is x**y mod |m| by math/big, with x reduced first where both x and y are negative: there math/big 1.26 negates a result
// that it should not, so that its (-3)**-1 mod 7 is 5.
func oracle(x, y, m *big.Int) *big.Int {
	if m != nil && m.Sign() != 0 && x.Sign() < 0 && y.Sign() < 0 {
		x = new(big.Int).Mod(x, m)
	}
	return new(big.Int).Exp(x, y, m)
}

func same(a, b *big.Int) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
}

// checkExp compares Exp with math/big in every way that z can lie, and checks that operands keep their values.
func checkExp(t *testing.T, x, y, m *big.Int) {
	t.Helper()
	want := oracle(x, y, m)
	old := big.NewInt(-77)
	z := new(big.Int).Set(old)
	got := Exp(z, x, y, m)
	if !same(got, want) {
		t.Fatalf("%v ** %v mod %v = %v, not %v", x, y, m, got, want)
	}
	if got == nil && z.Cmp(old) != 0 {
		t.Fatalf("%v ** %v mod %v changed z", x, y, m)
	}
	if got != nil && (got != z || got.CmpAbs(new(big.Int).SetBits(slices.Clone(got.Bits()))) != 0) {
		t.Fatalf("%v ** %v mod %v: not z, or not normal", x, y, m)
	}
	for i := range 3 {
		operands := []*big.Int{new(big.Int).Set(x), new(big.Int).Set(y), nil}
		if m != nil {
			operands[2] = new(big.Int).Set(m)
		}
		z := operands[i]
		if z == nil {
			continue
		}
		got := Exp(z, operands[0], operands[1], operands[2])
		if !same(got, want) {
			t.Fatalf("%v ** %v mod %v = %v, not %v, where z is operand %d", x, y, m, got, want, i)
		}
		for j, original := range []*big.Int{x, y, m} {
			if (j != i || got == nil) && !same(operands[j], original) {
				t.Fatalf("%v ** %v mod %v changed operand %d", x, y, m, j)
			}
		}
	}
}

func TestExpHasTheContractOfMathBig(t *testing.T) {
	values := edges()
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() *big.Int { return values[random.IntN(len(values))] }
	for range 20_000 {
		// Without a modulus the power would fill the memory; small ones come below.
		if x, y, m := pick(), pick(), pick(); m.Sign() != 0 {
			checkExp(t, x, y, m)
		}
	}
	small := []*big.Int{big.NewInt(-3), big.NewInt(-1), new(big.Int), big.NewInt(1), big.NewInt(2), big.NewInt(12)}
	for _, x := range small {
		for _, y := range small {
			checkExp(t, x, y, nil)
			for _, m := range small {
				checkExp(t, x, y, m)
			}
		}
	}
}

func TestExpMakesItsResult(t *testing.T) {
	if got := Exp(nil, big.NewInt(3), big.NewInt(4), big.NewInt(50)); got.Int64() != 31 {
		t.Fatal(got)
	}
}

func TestExpOfAnyLength(t *testing.T) {
	if testing.Short() {
		t.Skip("a modulus of a million bits")
	}
	m := new(big.Int).Lsh(big.NewInt(1), 1<<24+100)
	m.Sub(m, big.NewInt(1))
	checkExp(t, new(big.Int).Sub(m, big.NewInt(5)), big.NewInt(2), m)
	if _, err := NewModulus(m); !errors.Is(err, TooLong) {
		t.Fatal(err)
	}
	long, err := Options{ModulusBits: 1 << 25}.NewModulus(m)
	if err != nil {
		t.Fatal(err)
	}
	long.Close()
}

func FuzzExp(f *testing.F) {
	f.Add([]byte{3}, []byte{5}, []byte{7}, byte(0))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, []byte{1, 0}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 1}, byte(3))
	f.Add([]byte{}, []byte{}, []byte{1}, byte(7))
	f.Fuzz(func(t *testing.T, x, y, m []byte, signs byte) {
		// An exponent without a modulus would fill the memory.
		if len(m) == 0 || len(x) > 200 || len(y) > 40 || len(m) > 200 {
			return
		}
		numbers := [3]*big.Int{}
		for i, bytes := range [][]byte{x, y, m} {
			numbers[i] = new(big.Int).SetBytes(bytes)
			if signs>>i&1 != 0 {
				numbers[i].Neg(numbers[i])
			}
		}
		if numbers[2].Sign() == 0 {
			return
		}
		checkExp(t, numbers[0], numbers[1], numbers[2])
	})
}

func FuzzLists(f *testing.F) {
	f.Add([]byte{13}, uint64(1), uint8(9), uint16(70))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x43}, uint64(2), uint8(17), uint16(200))
	f.Fuzz(func(t *testing.T, m []byte, seed uint64, count uint8, bits uint16) {
		if len(m) > 80 || count > 40 || bits > 700 {
			return
		}
		modulus, err := NewModulus(new(big.Int).SetBytes(m))
		if err != nil {
			if !errors.Is(err, ZeroModulus) {
				t.Fatal(err)
			}
			return
		}
		defer modulus.Close()
		random := rand.New(rand.NewPCG(seed, 0))
		draw := func() *big.Int {
			value := new(big.Int)
			for range random.IntN(int(bits)/64 + 2) {
				value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(random.Uint64()>>random.IntN(64)))
			}
			if random.IntN(3) == 0 {
				value.Neg(value)
			}
			return value
		}
		xs, ys := make([]*big.Int, count), make([]*big.Int, count)
		for i := range xs {
			xs[i], ys[i] = draw(), draw()
		}
		checkLists(t, context.Background(), modulus, xs, ys)
	})
}
