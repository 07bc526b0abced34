package pingala

import (
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.org/pingala/internal/abi"
)

func TestModuliThatAreNone(t *testing.T) {
	for value, code := range map[int64]Code{0: ZeroModulus, -5: NegativeModulus} {
		_, err := NewModulus(big.NewInt(value))
		var failed *Error
		if !errors.Is(err, code) || !errors.As(err, &failed) || failed.Message == "" {
			t.Fatal(value, err)
		}
	}
}

func TestKnownFactors(t *testing.T) {
	p, q := big.NewInt(1_000_003), big.NewInt(998_244_353)
	n := new(big.Int).Mul(p, p)
	n.Mul(n, q)
	m, err := Options{}.NewModulus(n, Factor{p, 2}, Factor{Value: q})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	y := new(big.Int).Lsh(big.NewInt(3), 300)
	if got, err := m.Exp(nil, big.NewInt(7), y); err != nil || got.Cmp(new(big.Int).Exp(big.NewInt(7), y, n)) != 0 {
		t.Fatal(got, err)
	}
	for _, wrong := range [][]Factor{{{p, 1}, {q, 1}}, {{big.NewInt(-1), 1}}} {
		if _, err := (Options{}).NewModulus(n, wrong...); !errors.Is(err, WrongFactors) {
			t.Fatal(err)
		}
	}
}

func TestOptions(t *testing.T) {
	m := newModulus(t, new(big.Int).SetUint64(0xffffffffffffffc5))
	x, y := big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), 100)
	want := new(big.Int).Exp(x, y, m.Value())
	if got, err := m.With(Options{Kernel: "portable_r64", Threads: 1, Memory: 1 << 20}).Exp(nil, x, y); err != nil || got.Cmp(want) != 0 {
		t.Fatal(got, err)
	}
	for _, wrong := range []Options{{Kernel: "no such kernel"}, {Plan: "no plan"}} {
		if _, err := m.With(wrong).Exp(nil, x, y); !errors.Is(err, BadPlan) {
			t.Fatal(err)
		}
	}
	for _, wrong := range []Options{{Kernel: "a\x00b"}, {Threads: -1}} {
		if _, err := m.With(wrong).Exp(nil, x, y); !errors.Is(err, BadArgument) {
			t.Fatal(err)
		}
	}
	if _, err := m.With(Options{ExponentBits: 64}).Exp(nil, x, y); !errors.Is(err, TooLong) {
		t.Fatal(err)
	}
}

func TestCodesAreTheNamesOfTheLibrary(t *testing.T) {
	if version, err := Version(); err != nil || !strings.Contains(version, ".") {
		t.Fatal(version, err)
	}
	names := map[Code]bool{}
	for status := range int32(200) {
		names[Code(abi.StatusName(status))] = true
	}
	for _, code := range []Code{
		TooLong, ZeroModulus, NegativeModulus, NotInvertible, WrongFactors, BadPlan, BadArgument, Interrupted, Fault, BadFile,
		Mismatch, BadEncoding, OutOfRange, Refused, KeyTooShort,
	} {
		if !names[code] {
			t.Errorf("the library has no status %s", code)
		}
	}
	for status, code := range map[int32]Code{abi.TooLong: TooLong, abi.NotInvertible: NotInvertible, abi.Interrupted: Interrupted} {
		if Code(abi.StatusName(status)) != code {
			t.Errorf("status %d is %s", status, abi.StatusName(status))
		}
	}
}

func TestRepeatedSquare(t *testing.T) {
	m := newModulus(t, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19)))
	x := big.NewInt(-5)
	want := new(big.Int).Exp(x, new(big.Int).Lsh(big.NewInt(1), 1000), m.Value())
	path := filepath.Join(t.TempDir(), "state")
	for _, c := range []Checkpoint{{}, {Path: path}, {Path: path, Every: time.Second}} {
		if got, err := m.RepeatedSquare(context.Background(), x, 1000, c); err != nil || got.Cmp(want) != 0 {
			t.Fatal(got, err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.RepeatedSquare(context.Background(), x, 1000, Checkpoint{Path: path}); !errors.Is(err, BadFile) {
		t.Fatal(err)
	}
	for _, wrong := range []Checkpoint{{Every: -1}, {Path: "a\x00"}} {
		if _, err := m.RepeatedSquare(context.Background(), x, 1000, wrong); !errors.Is(err, BadArgument) {
			t.Fatal(err)
		}
	}
}

// Each call takes minutes; BenchmarkCancel measures how soon one ends.
func TestAContextStopsEveryCall(t *testing.T) {
	value := new(big.Int).Lsh(big.NewInt(1), 1<<14)
	m := newModulus(t, value.Sub(value, big.NewInt(1)))
	y := new(big.Int).Lsh(big.NewInt(1), 1<<23)
	y.Sub(y, big.NewInt(1))
	var many, bases []*big.Int
	for i := range 64 {
		many, bases = append(many, y), append(bases, big.NewInt(int64(2*i+3)))
	}
	for name, call := range map[string]func(ctx context.Context) error{
		"ExpMany":        func(ctx context.Context) error { _, err := m.ExpMany(ctx, big.NewInt(3), many); return err },
		"ExpBases":       func(ctx context.Context) error { _, err := m.ExpBases(ctx, bases, y); return err },
		"ExpList":        func(ctx context.Context) error { _, err := m.ExpList(ctx, bases, many); return err },
		"Product":        func(ctx context.Context) error { _, err := m.Product(ctx, bases, many); return err },
		"RepeatedSquare": func(ctx context.Context) error { _, err := m.RepeatedSquare(ctx, y, 1<<40, Checkpoint{}); return err },
		"FixedBase": func(ctx context.Context) error {
			_, err := m.FixedBase(ctx, big.NewInt(3), Table{Bits: 1 << 23, Memory: 1 << 28})
			return err
		},
	} {
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
		err := call(ctx)
		if !errors.Is(err, Interrupted) || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "enough") {
			t.Fatal(name, err)
		}
		if err := call(ctx); !errors.Is(err, Interrupted) {
			t.Fatal(name, err)
		}
	}
}

func TestProgress(t *testing.T) {
	var done atomic.Uint64
	m := newModulus(t, big.NewInt(1_000_003)).With(Options{Done: &done})
	if _, err := m.RepeatedSquare(context.Background(), big.NewInt(2), 5000, Checkpoint{}); err != nil || done.Load() != 5000 {
		t.Fatal(done.Load(), err)
	}
}

func TestAHandleOnManyGoroutines(t *testing.T) {
	value := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	m, err := NewModulus(value)
	if err != nil {
		t.Fatal(err)
	}
	y := new(big.Int).Sub(value, big.NewInt(2))
	want := new(big.Int).Exp(big.NewInt(3), y, value)
	var wait sync.WaitGroup
	var computed atomic.Int64
	for range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			z := new(big.Int)
			for {
				_, err := m.Exp(z, big.NewInt(3), y)
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil || z.Cmp(want) != 0 {
					t.Error(z, err)
					return
				}
				computed.Add(1)
			}
		}()
	}
	for computed.Load() < 1000 && !t.Failed() {
		runtime.Gosched()
	}
	m.Close()
	m.Close()
	wait.Wait()
	for name, call := range map[string]func() error{
		"Inverse":   func() error { _, err := m.Inverse(nil, y); return err },
		"Inverses":  func() error { _, err := m.Inverses(context.Background(), []*big.Int{y}); return err },
		"Product":   func() error { _, err := m.Product(context.Background(), nil, nil); return err },
		"FixedBase": func() error { _, err := NewFixedBase(y, m, 64, 1<<20); return err },
		"ExpList": func() error {
			_, err := ExpList(context.Background(), Options{}, []*big.Int{y}, []*big.Int{y}, []*Modulus{m})
			return err
		},
		"Load": func() error { _, err := LoadFixedBase("none", m); return err },
	} {
		if err := call(); !errors.Is(err, ErrClosed) {
			t.Error(name, err)
		}
	}
}

func TestTheCollectorFreesHandles(t *testing.T) {
	if err := abi.Load(); err != nil {
		t.Fatal(err)
	}
	var freed atomic.Int64
	for range 100 {
		made, status := abi.ModulusNew(abi.Words{7}, nil)
		if status != abi.OK {
			t.Fatal(status)
		}
		own(made, func(memory abi.Handle) { abi.ModulusFree(memory); freed.Add(1) })
	}
	// The limit of `go test` ends it if they never are.
	for freed.Load() < 90 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}
