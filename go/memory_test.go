//go:build linux

package pingala

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// longBits is the length of the numbers, of which lists have longCount.
const longBits, longCount = 1_000_000, 40

// longCalls are calls that take long with these numbers, all with options of one thread or more.
func longCalls(m *Modulus, n, b *big.Int) map[string]func(context.Context) error {
	list := make([]*big.Int, longCount)
	for i := range list {
		list[i] = new(big.Int).Sub(b, big.NewInt(int64(i)))
	}
	secrets := make([][]byte, 8)
	for i := range secrets {
		secrets[i] = list[i].Bytes()
	}
	lists := [][]*big.Int{list[:20], list[20:]}
	o := Options{}
	number := func(_ *big.Int, err error) error { return err }
	numbers := func(_ []*big.Int, err error) error { return err }
	return map[string]func(context.Context) error{
		"ExpMany":        func(ctx context.Context) error { return numbers(m.ExpMany(ctx, b, list)) },
		"ExpBases":       func(ctx context.Context) error { return numbers(m.ExpBases(ctx, list, n)) },
		"ExpList":        func(ctx context.Context) error { return numbers(m.ExpList(ctx, list, list)) },
		"Product":        func(ctx context.Context) error { return number(m.Product(ctx, list, list)) },
		"ProductList":    func(ctx context.Context) error { return numbers(m.ProductList(ctx, lists, lists)) },
		"Inverse":        func(context.Context) error { return number(m.Inverse(nil, b)) },
		"Inverses":       func(ctx context.Context) error { return numbers(m.Inverses(ctx, list)) },
		"MulList":        func(ctx context.Context) error { return numbers(m.MulList(ctx, list, list)) },
		"SquareList":     func(ctx context.Context) error { return numbers(m.SquareList(ctx, list)) },
		"MulAll":         func(ctx context.Context) error { return number(m.MulAll(ctx, list)) },
		"RunningProduct": func(ctx context.Context) error { return numbers(m.RunningProduct(ctx, list)) },
		"RepeatedSquare": func(ctx context.Context) error { return number(m.RepeatedSquare(ctx, b, 1<<30, Checkpoint{})) },
		"ProveSquaring": func(ctx context.Context) error {
			_, _, err := m.ProveSquaring(ctx, b, 1<<30, Checkpoint{}, 0)
			return err
		},
		"ExpSecretList": func(ctx context.Context) error {
			_, err := m.ExpSecretList(ctx, secrets, secrets, longBits)
			return err
		},
		"FixedBase": func(ctx context.Context) error {
			f, err := m.FixedBase(ctx, b, Table{Bits: longBits, Memory: 1 << 40})
			f.Close()
			return err
		},
		"Primality": func(ctx context.Context) error { _, err := o.Primality(ctx, n); return err },
		"Primality of a prime": func(ctx context.Context) error {
			mersenne := new(big.Int).Lsh(big.NewInt(1), 859_433)
			_, err := o.Primality(ctx, mersenne.Sub(mersenne, big.NewInt(1)))
			return err
		},
		"PrimalityList": func(ctx context.Context) error {
			_, err := o.PrimalityList(ctx, list)
			return err
		},
		"NextPrime":     func(ctx context.Context) error { return number(o.NextPrime(ctx, n)) },
		"PreviousPrime": func(ctx context.Context) error { return number(o.PreviousPrime(ctx, n)) },
		"PrimesBetween": func(ctx context.Context) error {
			return numbers(o.PrimesBetween(ctx, n, new(big.Int).Add(n, big.NewInt(1_000_000))))
		},
		"RandomPrime": func(ctx context.Context) error { return number(o.RandomPrime(ctx, longBits, Prime{})) },
		"SafePrime":   func(ctx context.Context) error { return number(o.RandomPrime(ctx, longBits, Prime{Safe: true})) },
		"ProvedPrime": func(ctx context.Context) error { _, _, err := o.ProvedPrime(ctx, longBits, Prime{}); return err },
		"SecretPrime": func(ctx context.Context) error { _, err := o.SecretPrime(ctx, longBits, Prime{}); return err },
		"PrimePair":   func(ctx context.Context) error { _, _, err := o.PrimePair(ctx, 2*longBits, PairSafe, 0); return err },
		"Certify":     func(ctx context.Context) error { _, err := o.Certify(ctx, n); return err },
		"Jacobi":      func(ctx context.Context) error { _, err := o.Jacobi(ctx, b, n); return err },
		"SqrtMod":     func(ctx context.Context) error { return number(o.SqrtMod(ctx, b, n)) },
	}
}

// TestMain makes the call that the environment names, in an address space that is limited, and prints what came of it.
func TestMain(m *testing.M) {
	name := os.Getenv("PINGALA_TEST_LONG_CALL")
	if name == "" {
		os.Exit(m.Run())
	}
	random := rand.NewChaCha8([32]byte{7})
	bytes := make([]byte, longBits/8)
	random.Read(bytes)
	bytes[0], bytes[len(bytes)-1] = bytes[0]|0x80, bytes[len(bytes)-1]|1
	n := new(big.Int).SetBytes(bytes)
	b := new(big.Int).Div(new(big.Int).Mul(n, big.NewInt(3)), big.NewInt(5))
	modulus, err := NewModulus(n)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	call := longCalls(modulus, n, b)[name]
	// What Go's own heap takes for the lists is there; the rest is for the library.
	var pages uint64
	statm, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(statm), &pages)
	}
	limit := pages*uint64(os.Getpagesize()) + 1_000_000_000
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ctx, stop := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer stop()
	fmt.Println("came:", call(ctx))
}

// Each long call gives a result or an error in a limited address space, and none ends the process.
func TestLimitedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: a process for each call")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m := newModulus(t, big.NewInt(101))
	for name := range longCalls(m, m.Value(), big.NewInt(100)) {
		t.Run(name, func(t *testing.T) {
			child := exec.Command(program)
			child.Env = append(os.Environ(), "PINGALA_TEST_LONG_CALL="+name)
			told, err := child.CombinedOutput()
			if err != nil || !bytes.HasPrefix(told, []byte("came: ")) {
				t.Fatalf("%v: %s", err, told)
			}
		})
	}
}
