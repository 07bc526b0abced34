package pingala

import (
	"context"
	"crypto"
	"errors"
	"math"
	"math/big"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"example.org/pingala/internal/abi"
)

// made has one of each handle.
type made struct {
	m        *Modulus
	fixed    *FixedBase
	secret   *FixedBase
	exponent *FixedExponent
	power    *FixedPower
	key      *PublicKey
}

func makeAll(t *testing.T) (a made) {
	t.Helper()
	ctx := context.Background()
	var err error
	need := func() {
		if err != nil {
			t.Fatal(err)
		}
	}
	a.m, err = NewModulus(big.NewInt(1_000_003))
	need()
	a.fixed, err = NewFixedBase(big.NewInt(7), a.m, 64, 1<<14)
	need()
	a.secret, err = a.m.FixedBase(ctx, big.NewInt(7), Table{Bits: 16, Memory: 1 << 14, Secret: true})
	need()
	a.exponent, err = NewFixedExponent(ctx, big.NewInt(99), ChainSearch{Moves: 1000})
	need()
	a.power, err = a.exponent.Modulo(a.m)
	need()
	a.key, err = NewRSAKey(big.NewInt(1000003*1000033), big.NewInt(3))
	need()
	return a
}

func (a *made) close() {
	a.m.Close()
	a.fixed.Close()
	a.secret.Close()
	a.exponent.Close()
	a.power.Close()
	a.key.Close()
}

// calls are those that take a handle and a context.
func (a *made) calls(t *testing.T) map[string]func(ctx context.Context) error {
	one := big.NewInt(1)
	list, lists, secrets := []*big.Int{one}, [][]*big.Int{{one}}, [][]byte{{1}}
	checks := []Check{{Key: a.key, Scheme: RSAPKCS1v15, Hash: crypto.SHA256, Message: []byte("m"), Signature: []byte{1}}}
	return map[string]func(ctx context.Context) error{
		"Product":     func(ctx context.Context) error { _, err := a.m.Product(ctx, list, list); return err },
		"ExpMany":     func(ctx context.Context) error { _, err := a.m.ExpMany(ctx, one, list); return err },
		"ExpBases":    func(ctx context.Context) error { _, err := a.m.ExpBases(ctx, list, one); return err },
		"Inverses":    func(ctx context.Context) error { _, err := a.m.Inverses(ctx, list); return err },
		"ExpList":     func(ctx context.Context) error { _, err := a.m.ExpList(ctx, list, list); return err },
		"ProductList": func(ctx context.Context) error { _, err := a.m.ProductList(ctx, lists, lists); return err },
		"several moduli": func(ctx context.Context) error {
			_, err := ProductList(ctx, Options{}, lists, lists, []*Modulus{a.m})
			return err
		},
		"RepeatedSquare": func(ctx context.Context) error { _, err := a.m.RepeatedSquare(ctx, one, 5, Checkpoint{}); return err },
		"FixedBase": func(ctx context.Context) error {
			_, err := a.m.FixedBase(ctx, one, Table{Bits: 64, Memory: 1 << 14})
			return err
		},
		"secrets":      func(ctx context.Context) error { _, err := a.m.ExpSecretList(ctx, secrets, secrets, 8); return err },
		"table":        func(ctx context.Context) error { _, err := a.fixed.ExpList(ctx, list); return err },
		"Verify":       func(ctx context.Context) error { return a.fixed.Verify(ctx) },
		"secret table": func(ctx context.Context) error { _, err := a.secret.ExpSecretList(ctx, secrets, 8); return err },
		"FixedPower":   func(ctx context.Context) error { _, err := a.power.ExpList(ctx, list); return err },
		"VerifyList":   func(ctx context.Context) error { _, err := VerifyList(ctx, checks, Legacy); return err },
		"Validate":     func(ctx context.Context) error { _, err := a.key.ValidateContext(ctx, Primes); return err },
	}
}

func TestEveryCallAfterCloseAndAfterItsContext(t *testing.T) {
	a := makeAll(t)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for name, call := range a.calls(t) {
		if err := call(context.Background()); err != nil {
			t.Error(name, err)
		}
		if err := call(stopped); !errors.Is(err, Interrupted) || !errors.Is(err, context.Canceled) {
			t.Error(name, "after its context:", err)
		}
	}
	one, file := big.NewInt(1), filepath.Join(t.TempDir(), "file")
	a.close()
	a.close()
	for name, call := range a.calls(t) {
		if err := call(context.Background()); !errors.Is(err, ErrClosed) {
			t.Error(name, "after Close:", err)
		}
	}
	for name, call := range map[string]func() error{
		"Exp":        func() error { _, err := a.m.Exp(nil, one, one); return err },
		"Inverse":    func() error { _, err := a.m.Inverse(nil, one); return err },
		"table Exp":  func() error { _, err := a.fixed.Exp(nil, one); return err },
		"power Exp":  func() error { _, err := a.power.Exp(nil, one); return err },
		"Modulo":     func() error { _, err := a.exponent.Modulo(a.m); return err },
		"Explain":    func() error { _, err := a.exponent.Explain(a.m); return err },
		"Save":       func() error { return a.fixed.Save(file) },
		"Save chain": func() error { return a.exponent.Save(file) },
		"PlanList": func() error {
			_, err := PlanList(Options{}, []*big.Int{one}, []*big.Int{one}, []*Modulus{a.m})
			return err
		},
	} {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Error(name, "after Close:", err)
		}
	}
	if a.fixed.Memory() != 0 || a.exponent.Len() != 0 || a.key.BitLen() != 0 || a.m.BitLen() != 20 {
		t.Error("lengths after Close")
	}
}

// Memory is freed once, when neither its owner nor a call has it.
func TestClosesFromManyGoroutines(t *testing.T) {
	if err := abi.Load(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		memory, status := abi.ModulusNew(abi.Words{7}, nil)
		if status != abi.OK {
			t.Fatal(status)
		}
		var freed, used atomic.Int64
		h := own(memory, func(memory abi.Handle) { abi.ModulusFree(memory); freed.Add(1) })
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				if i%2 == 0 {
					h.close()
				} else if memory, err := h.acquire(); err == nil {
					used.Add(int64(abi.ModulusBits(memory)))
					h.release()
				}
			}()
		}
		wait.Wait()
		if freed.Load() != 1 || used.Load()%3 != 0 {
			t.Fatal(freed.Load(), used.Load())
		}
	}
}

func TestArgumentsOutOfRange(t *testing.T) {
	ctx, a := context.Background(), makeAll(t)
	defer a.close()
	one, minus := big.NewInt(1), big.NewInt(-1)
	long := new(big.Int).Lsh(one, 1<<26)
	for name, call := range map[string]struct {
		code Code
		call func() error
	}{
		"a negative modulus":    {NegativeModulus, func() error { _, err := NewModulus(minus); return err }},
		"no modulus":            {ZeroModulus, func() error { _, err := NewModulus(new(big.Int)); return err }},
		"a long modulus":        {TooLong, func() error { _, err := NewModulus(long); return err }},
		"a long exponent":       {TooLong, func() error { _, err := a.m.Exp(nil, one, long); return err }},
		"a long exponent, Exp":  {TooLong, func() error { _, err := a.m.ExpBases(ctx, []*big.Int{one}, long); return err }},
		"a long exponent, some": {TooLong, func() error { _, err := a.m.ExpMany(ctx, one, []*big.Int{one, long}); return err }},
		"a small cap": {TooLong, func() error {
			_, err := a.m.With(Options{ExponentBits: 8}).Exp(nil, one, big.NewInt(256))
			return err
		}},
		"a table's exponent":  {TooLong, func() error { _, err := a.fixed.Exp(nil, new(big.Int).Lsh(one, 64)); return err }},
		"a table of 2^62":     {TooLong, func() error { _, err := a.m.FixedBase(ctx, one, Table{Bits: 1 << 62, Memory: math.MaxInt}); return err }},
		"a table of -1":       {BadArgument, func() error { _, err := NewFixedBase(one, a.m, -1, 1<<14); return err }},
		"no inverse":          {NotInvertible, func() error { _, err := a.m.Inverse(nil, new(big.Int)); return err }},
		"every -1":            {BadArgument, func() error { _, err := a.m.RepeatedSquare(ctx, one, 5, Checkpoint{Every: -1}); return err }},
		"a path with a zero":  {BadArgument, func() error { _, err := a.m.RepeatedSquare(ctx, one, 5, Checkpoint{Path: "a\x00b"}); return err }},
		"a file with a zero":  {BadArgument, func() error { return a.fixed.Save("a\x00b") }},
		"a chain with a zero": {BadArgument, func() error { _, err := LoadFixedExponent("\x00"); return err }},
		"a kernel with a zero": {BadArgument, func() error {
			_, err := a.m.With(Options{Kernel: "portable\x00_r64"}).Exp(nil, one, one)
			return err
		}},
		"a plan that is no text": {BadArgument, func() error { _, err := a.m.With(Options{Plan: "\xff\xfe"}).Exp(nil, one, one); return err }},
		"a plan of lists": {BadPlan, func() error {
			_, err := a.m.With(Options{Plan: "batch(sliding_window x 8)"}).Exp(nil, big.NewInt(3), big.NewInt(99))
			return err
		}},
		"threads":           {BadArgument, func() error { _, err := a.m.With(Options{Threads: -1}).Exp(nil, one, one); return err }},
		"secret bits":       {BadArgument, func() error { _, err := a.m.ExpSecretList(ctx, [][]byte{{1}}, [][]byte{{1}}, -1); return err }},
		"a negative chain":  {BadArgument, func() error { _, err := NewFixedExponent(ctx, minus, ChainSearch{}); return err }},
		"a negative search": {BadArgument, func() error { _, err := NewFixedExponent(ctx, one, ChainSearch{Time: -1}); return err }},
		"a negative key":    {BadArgument, func() error { _, err := NewRSAKey(minus, big.NewInt(3)); return err }},
		"a long key":        {TooLong, func() error { _, err := NewRSAKey(long, big.NewInt(3)); return err }},
		"the bits of a scheme in the encoding": {BadArgument, func() error {
			_, err := VerifyList(ctx, []Check{{Key: a.key, Scheme: DSA, Hash: crypto.SHA1, Encoding: 2}}, Legacy)
			return err
		}},
		"the bits of an encoding in the policy": {BadArgument, func() error {
			_, err := VerifyList(ctx, []Check{{Key: a.key, Scheme: RSAPKCS1v15, Hash: crypto.SHA1}}, Policy(SSH))
			return err
		}},
		"a scheme that is none": {BadArgument, func() error {
			_, err := VerifyList(ctx, []Check{{Key: a.key, Scheme: 0x101, Hash: crypto.SHA1}}, Legacy)
			return err
		}},
	} {
		if err := call.call(); !errors.Is(err, call.code) {
			t.Errorf("%s: %v, not %s", name, err, call.code)
		}
	}
	// After an error the result is as it was, also where it is an operand, and options are good for another call.
	z := big.NewInt(12345)
	for _, call := range []func() (*big.Int, error){
		func() (*big.Int, error) { return a.m.Exp(z, z, long) },
		func() (*big.Int, error) { return a.m.Inverse(z, new(big.Int)) },
		func() (*big.Int, error) { return a.fixed.Exp(z, long) },
	} {
		if got, err := call(); got != nil || err == nil || z.Int64() != 12345 {
			t.Error(got, err, z)
		}
	}
	o := Options{ExponentBits: 8, Done: new(atomic.Uint64)}
	for range 2 {
		if _, err := a.m.With(o).ExpMany(ctx, one, []*big.Int{long}); !errors.Is(err, TooLong) {
			t.Error(err)
		}
		if got, err := a.m.With(o).ExpMany(ctx, big.NewInt(2), []*big.Int{big.NewInt(10)}); err != nil || got[0].Int64() != 1024 {
			t.Error(got, err)
		}
	}
	// Widths of nothing, and the modulus 1, of which every residue is 0.
	unit, err := NewModulus(one)
	if err != nil {
		t.Fatal(err)
	}
	defer unit.Close()
	if got, err := unit.ExpMany(ctx, minus, []*big.Int{new(big.Int), minus, one}); err != nil || got[0].Sign() != 0 || got[1].Sign() != 0 {
		t.Error(got, err)
	}
	if got, err := a.m.ExpSecretList(ctx, [][]byte{nil, {}}, [][]byte{nil}, 0); err != nil || len(got) != 2 || got[0][2] != 1 {
		t.Error(got, err)
	}
}
