package pingala

import (
	"context"
	"crypto"
	"crypto/dsa"
	"crypto/rsa"
	"errors"
	"math/big"
	"strconv"
	"testing"
	"time"
)

// Operands of equal lengths, the same as those of `make bench WHAT=c`.
func operands(words int) (x, y, m *big.Int) {
	fill := func(word uint64) *big.Int {
		value := new(big.Int)
		for range words {
			value.Lsh(value, 64).Or(value, new(big.Int).SetUint64(word))
		}
		return value
	}
	return fill(0xfedcba9876543211), fill(0x123456789abcdef1), fill(0xffffffffffffffc5)
}

func BenchmarkPower(b *testing.B) {
	for _, words := range []int{1, 2, 4, 32} {
		x, y, m := operands(words)
		modulus := newModulus(b, m)
		want := new(big.Int).Exp(x, y, m)
		z := new(big.Int)
		for name, call := range map[string]func(){
			"Exp":         func() { Exp(z, x, y, m) },
			"Modulus.Exp": func() { modulus.Exp(z, x, y) },
			"math_big":    func() { z.Exp(x, y, m) },
		} {
			b.Run(name+"/"+strconv.Itoa(64*words), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					call()
				}
				if z.Cmp(want) != 0 {
					b.Fatal(z)
				}
			})
		}
	}
}

// A list of 256 signatures of one key, on one thread and with default options, compared with the standard library: time for each signature.
func BenchmarkVerify(b *testing.B) {
	dsaPrivate, dsaPublic := dsaKey(b, domain(b))
	rsaPrivate, rsaPublic := rsaKey(b, 2048)
	for _, key := range []struct {
		name    string
		private any
		public  *PublicKey
		theirs  func(c Check) bool
	}{
		{"DSA1024", dsaPrivate, dsaPublic, func(c Check) bool {
			r, s := new(big.Int).SetBytes(c.Signature[:20]), new(big.Int).SetBytes(c.Signature[20:])
			return dsa.Verify(&dsaPrivate.PublicKey, c.Digest[:20], r, s)
		}},
		{"RSA2048", rsaPrivate, rsaPublic, func(c Check) bool {
			return rsa.VerifyPKCS1v15(&rsaPrivate.PublicKey, crypto.SHA256, c.Digest, c.Signature) == nil
		}},
	} {
		// Every sixth of check has a digest, and P1363 or PKCS#1.
		checks := make([]Check, 256)
		for i := range checks {
			checks[i] = check(b, 6*i+3, key.private, key.public)
		}
		for name, options := range map[string]Options{"VerifyList": {Threads: 1}, "VerifyListDefault": {}} {
			b.Run(key.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					verdicts, err := options.VerifyList(context.Background(), checks, Legacy)
					if err != nil {
						b.Fatal(err)
					}
					for _, verdict := range verdicts {
						if !verdict.Valid {
							b.Fatal(verdict)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(256*b.N), "ns/signature")
			})
		}
		b.Run(key.name+"/standard", func(b *testing.B) {
			for b.Loop() {
				for _, c := range checks {
					if !key.theirs(c) {
						b.Fatal("not valid")
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(256*b.N), "ns/signature")
		})
	}
}

// How long after its context ended a call of a million elements returns: the longest of twelve times, the context ending at another moment.
func BenchmarkCancel(b *testing.B) {
	const count = 1_000_000
	x, _, m := operands(4)
	modulus := newModulus(b, m)
	bases, exponents := make([]*big.Int, count), make([]*big.Int, count)
	for i := range count {
		bases[i], exponents[i] = new(big.Int).Add(x, big.NewInt(int64(i))), new(big.Int).Sub(m, big.NewInt(int64(i)))
	}
	private, public := dsaKey(b, domain(b))
	one := check(b, 3, private, public)
	checks, hashed := make([]Check, count), make([]Check, count)
	for i := range count {
		checks[i], hashed[i] = one, one
		hashed[i].Digest, hashed[i].Message = nil, make([]byte, 1024)
	}
	for name, call := range map[string]func(context.Context) error{
		"ExpMany":    func(ctx context.Context) error { _, err := modulus.ExpMany(ctx, x, exponents); return err },
		"ExpBases":   func(ctx context.Context) error { _, err := modulus.ExpBases(ctx, bases, m); return err },
		"ExpList":    func(ctx context.Context) error { _, err := modulus.ExpList(ctx, bases, exponents); return err },
		"Inverses":   func(ctx context.Context) error { _, err := modulus.Inverses(ctx, bases); return err },
		"Product":    func(ctx context.Context) error { _, err := modulus.Product(ctx, bases, exponents); return err },
		"VerifyList": func(ctx context.Context) error { _, err := VerifyList(ctx, checks, Legacy); return err },
		"messages":   func(ctx context.Context) error { _, err := VerifyList(ctx, hashed, Legacy); return err },
	} {
		b.Run(name, func(b *testing.B) {
			var longest time.Duration
			for b.Loop() {
				begin := time.Now()
				if err := call(context.Background()); err != nil && !errors.Is(err, NotInvertible) {
					b.Fatal(err)
				}
				whole := time.Since(begin)
				for moment := range 12 {
					ctx, cancel := context.WithCancel(context.Background())
					var ended time.Time
					timer := time.AfterFunc(whole*time.Duration(moment)/12, func() { ended = time.Now(); cancel() })
					err := call(ctx)
					if returned := time.Now(); errors.Is(err, context.Canceled) {
						longest = max(longest, returned.Sub(ended))
					}
					timer.Stop()
					cancel()
				}
				b.ReportMetric(whole.Seconds()*1000, "ms/list")
			}
			b.ReportMetric(longest.Seconds()*1000, "ms/cancel")
		})
	}
}
