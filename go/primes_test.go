package pingala

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"
)

func power2(bits uint, plus int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), bits)
	return n.Add(n, big.NewInt(plus))
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestPrimality(t *testing.T) {
	ctx := context.Background()
	numbers := []*big.Int{
		big.NewInt(-7), big.NewInt(0), big.NewInt(1), big.NewInt(2), big.NewInt(91), power2(64, -59), power2(127, -1), power2(67, -1),
	}
	expected := []Primality{NotPrime, NotPrime, NotPrime, ProvedPrime, NotPrime, ProvedPrime, ProbablePrime, NotPrime}
	answers := must[[]Primality](t)(Options{Rounds: 3}.PrimalityList(ctx, numbers))
	for i, n := range numbers {
		one := must[Primality](t)(Options{}.Primality(ctx, n))
		if one != expected[i] || answers[i] != expected[i] || one.IsPrime() != (n.Sign() > 0 && n.ProbablyPrime(20)) {
			t.Errorf("%v: %v, in a list %v", n, one, answers[i])
		}
	}
	if empty := must[[]Primality](t)(Options{}.PrimalityList(ctx, nil)); len(empty) != 0 {
		t.Error(empty)
	}
	var refused *Error
	if _, err := (Options{ModulusBits: 100}).Primality(ctx, numbers[6]); !errors.As(err, &refused) || refused.Code != TooLong {
		t.Error(err)
	}
	if _, err := (Options{}).Primality(ctx, nil); err == nil {
		t.Error("nil has an answer")
	}
	if _, err := (Options{}).PrimalityList(ctx, []*big.Int{big.NewInt(7), nil}); err == nil {
		t.Error("nil has an answer")
	}
}

func TestNextAndPreviousPrime(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ n, next, previous *big.Int }{
		{big.NewInt(-5), big.NewInt(2), nil},
		{big.NewInt(0), big.NewInt(2), nil},
		{big.NewInt(1), big.NewInt(2), nil},
		{big.NewInt(2), big.NewInt(3), nil},
		{big.NewInt(3), big.NewInt(5), big.NewInt(2)},
		{big.NewInt(10), big.NewInt(11), big.NewInt(7)},
		{power2(64, 0), power2(64, 13), power2(64, -59)},
		{power2(64, -59), power2(64, 13), power2(64, -83)},
	} {
		if next := must[*big.Int](t)(Options{}.NextPrime(ctx, c.n)); next.Cmp(c.next) != 0 {
			t.Errorf("after %v: %v", c.n, next)
		}
		previous, err := Options{}.PreviousPrime(ctx, c.n)
		if (c.previous == nil) != (err != nil) || err == nil && previous.Cmp(c.previous) != 0 {
			t.Errorf("before %v: %v %v", c.n, previous, err)
		}
	}
}

func TestRandomPrimes(t *testing.T) {
	ctx := context.Background()
	for _, p := range []Prime{
		{}, {Safe: true}, {TwoTopBits: true}, {Uniform: true}, {Residue: big.NewInt(3), Divisor: big.NewInt(8)},
		{Residue: big.NewInt(-1), Divisor: big.NewInt(6), Safe: true, TwoTopBits: true, Uniform: true},
	} {
		prime := must[*big.Int](t)(Options{}.RandomPrime(ctx, 100, p))
		bytes := must[[]byte](t)(Options{}.SecretPrime(ctx, 100, p))
		primes := []*big.Int{prime, new(big.Int).SetBytes(bytes)}
		if !p.Safe && !p.Uniform {
			proved, certificate, err := Options{}.ProvedPrime(ctx, 100, p)
			if err != nil {
				t.Fatal(err)
			}
			if again := must[*big.Int](t)(Options{}.CheckCertificate(ctx, certificate)); again.Cmp(proved) != 0 {
				t.Errorf("%v is not %v", again, proved)
			}
			primes = append(primes, proved)
		}
		for _, prime := range primes {
			fits := prime.BitLen() == 100 && prime.ProbablyPrime(20) && (!p.TwoTopBits || prime.Bit(98) == 1)
			fits = fits && (!p.Safe || new(big.Int).Rsh(prime, 1).ProbablyPrime(20))
			if p.Divisor != nil {
				difference := new(big.Int).Sub(prime, p.Residue)
				fits = fits && difference.Mod(difference, p.Divisor).Sign() == 0
			}
			if !fits {
				t.Errorf("%+v: %v", p, prime)
			}
		}
	}
	for name, call := range map[string]func() error{
		"short":          func() error { _, err := Options{}.RandomPrime(ctx, 1, Prime{}); return err },
		"negative":       func() error { _, _, err := Options{}.ProvedPrime(ctx, -1, Prime{}); return err },
		"uniform":        func() error { _, _, err := Options{}.ProvedPrime(ctx, 100, Prime{Uniform: true}); return err },
		"long":           func() error { _, err := Options{}.RandomPrime(ctx, 1<<25, Prime{}); return err },
		"longer":         func() error { _, err := Options{ModulusBits: 64}.SecretPrime(ctx, 65, Prime{}); return err },
		"a short secret": func() error { _, err := Options{}.SecretPrime(ctx, 63, Prime{}); return err },
		"no such residue": func() error {
			_, err := Options{}.RandomPrime(ctx, 64, Prime{Residue: big.NewInt(2), Divisor: big.NewInt(4)})
			return err
		},
		"no divisor": func() error { _, err := Options{}.RandomPrime(ctx, 64, Prime{Residue: big.NewInt(2)}); return err },
		"zero": func() error {
			_, err := Options{}.RandomPrime(ctx, 64, Prime{Residue: new(big.Int), Divisor: new(big.Int)})
			return err
		},
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPrimePair(t *testing.T) {
	ctx := context.Background()
	for kind, e := range map[PairKind]uint64{PairRSA: 65537, PairPaillier: 0, PairSafe: 0} {
		a, b, err := Options{}.PrimePair(ctx, 254, kind, e)
		if err != nil {
			t.Fatal(err)
		}
		p, q := new(big.Int).SetBytes(a), new(big.Int).SetBytes(b)
		if len(a) != 16 || !p.ProbablyPrime(20) || !q.ProbablyPrime(20) || new(big.Int).Mul(p, q).BitLen() != 254 {
			t.Errorf("%v: %v %v", kind, p, q)
		}
	}
	for _, c := range []struct {
		bits int
		kind PairKind
		e    uint64
	}{{255, PairSafe, 0}, {126, PairSafe, 0}, {256, PairRSA, 0}, {256, PairRSA, 4}, {256, PairSafe, 3}, {256, 4, 0}, {-2, PairSafe, 0}} {
		if p, q, err := (Options{}).PrimePair(ctx, c.bits, c.kind, c.e); err == nil || p != nil || q != nil {
			t.Errorf("%+v: %v %v", c, p, q)
		}
	}
}

func TestCertificates(t *testing.T) {
	ctx := context.Background()
	n := power2(127, -1)
	certificate := must[string](t)(Options{}.Certify(ctx, n, big.NewInt(43)))
	if proved := must[*big.Int](t)(Options{}.CheckCertificate(ctx, certificate)); proved.Cmp(n) != 0 {
		t.Errorf("%v", proved)
	}
	wrong := strings.Replace(certificate, "factor 0x7 base 0x3", "factor 0x7 base 0x1", 1)
	if _, err := (Options{}).CheckCertificate(ctx, wrong); err == nil || wrong == certificate {
		t.Errorf("%s", wrong)
	}
	for _, text := range []string{"", "x", certificate + "\n\n", certificate[:len(certificate)-2]} {
		if _, err := (Options{}).CheckCertificate(ctx, text); err == nil {
			t.Errorf("%q proves something", text)
		}
	}
	for _, text := range []string{certificate[:len(certificate)-1], strings.ReplaceAll(certificate, "\n", "\r\n")} {
		if proved := must[*big.Int](t)(Options{}.CheckCertificate(ctx, text)); proved.Cmp(n) != 0 {
			t.Errorf("%q proves %v", text, proved)
		}
	}
	if _, err := (Options{}).Certify(ctx, big.NewInt(91)); err == nil {
		t.Error("91 is certified")
	}
	if _, err := (Options{}).Certify(ctx, n, big.NewInt(5)); err == nil {
		t.Error("5 divides n - 1")
	}
	if _, err := (Options{}).Certify(ctx, n, nil); err == nil {
		t.Error("nil divides n - 1")
	}
}

func TestJacobi(t *testing.T) {
	for y := int64(1); y < 60; y += 2 {
		for x := int64(-30); x < 60; x++ {
			if symbol := must[int](t)(Jacobi(big.NewInt(x), big.NewInt(y))); symbol != big.Jacobi(big.NewInt(x), big.NewInt(y)) {
				t.Fatalf("(%d/%d): %d", x, y, symbol)
			}
		}
	}
	for _, y := range []*big.Int{nil, big.NewInt(0), big.NewInt(4), big.NewInt(-3)} {
		if _, err := Jacobi(big.NewInt(2), y); err == nil {
			t.Errorf("(2/%v) has a value", y)
		}
	}
}

// A search of hours ends with its context.
func TestSearchesOfPrimesAreStopped(t *testing.T) {
	for name, search := range map[string]func(context.Context) error{
		"safe": func(ctx context.Context) error {
			_, err := Options{}.RandomPrime(ctx, 16384, Prime{Safe: true})
			return err
		},
		"pair":   func(ctx context.Context) error { _, _, err := Options{}.PrimePair(ctx, 32768, PairSafe, 0); return err },
		"next":   func(ctx context.Context) error { _, err := Options{}.NextPrime(ctx, power2(40000, 0)); return err },
		"proved": func(ctx context.Context) error { _, _, err := Options{}.ProvedPrime(ctx, 30000, Prime{}); return err },
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		err := search(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
