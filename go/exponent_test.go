package pingala

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFixedExponentBesideMathBig(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	ctx := context.Background()
	for _, bits := range []int{1, 17, 64, 255, 700} {
		y := new(big.Int).Abs(drawn(random, 704))
		y.Rsh(y, uint(704-bits)).SetBit(y, bits-1, 1)
		fixed, err := NewFixedExponent(ctx, y, ChainSearch{Moves: 1000, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "chain.json")
		if err := fixed.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadFixedExponent(path)
		if err != nil {
			t.Fatal(err)
		}
		if loaded.Value().Cmp(y) != 0 || fixed.Value().Cmp(y) != 0 || loaded.Len() != fixed.Len() || fixed.Len() < bits-1 {
			t.Fatal(loaded.Value(), fixed.Value(), loaded.Len(), fixed.Len())
		}
		for _, value := range edges() {
			if value.Sign() <= 0 {
				continue
			}
			power, err := loaded.Modulo(newModulus(t, value))
			if err != nil {
				t.Fatal(err)
			}
			var xs, wanted []*big.Int
			for range 19 {
				x := drawn(random, 64*random.IntN(12))
				want := oracle(x, y, value)
				if got, err := power.Exp(nil, x); err != nil || !same(got, want) {
					t.Fatalf("%v**%v mod %v: %v, not %v (%v)", x, y, value, got, want, err)
				}
				xs, wanted = append(xs, x), append(wanted, want)
			}
			got, err := power.ExpList(ctx, xs)
			checkList(t, "FixedPower.ExpList", got, err, wanted)
			power.Close()
			if _, err := power.Exp(nil, xs[0]); !errors.Is(err, ErrClosed) {
				t.Fatal(err)
			}
		}
		loaded.Close()
		if _, err := loaded.Modulo(newModulus(t, big.NewInt(7))); !errors.Is(err, ErrClosed) || loaded.Len() != 0 {
			t.Fatal(err)
		}
	}
}

func TestSearchesEnd(t *testing.T) {
	y := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(21))
	fixed, err := NewFixedExponent(context.Background(), y, ChainSearch{Time: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	text, err := fixed.Explain(newModulus(t, new(big.Int).Add(y, big.NewInt(2))))
	if err != nil || !strings.Contains(text, " products instead of ") {
		t.Fatal(text, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = NewFixedExponent(ctx, y, ChainSearch{Time: time.Hour})
	if !errors.Is(err, Interrupted) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	for _, wrong := range []*big.Int{new(big.Int), big.NewInt(-1)} {
		if _, err := NewFixedExponent(context.Background(), wrong, ChainSearch{}); !errors.Is(err, BadArgument) {
			t.Fatal(err)
		}
	}
	if _, err := NewFixedExponent(context.Background(), new(big.Int).Lsh(y, 1<<16), ChainSearch{}); !errors.Is(err, TooLong) {
		t.Fatal(err)
	}
	if _, err := LoadFixedExponent(filepath.Join(t.TempDir(), "none")); !errors.Is(err, BadFile) {
		t.Fatal(err)
	}
}
