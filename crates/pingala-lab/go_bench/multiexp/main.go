// The rows of multiexp's benchmark: github.com/jiajunxin/multiexp v0.1.2, and Pingala's package with the same interface, in turn and
// with answers compared. It needs Go 1.24, the last that links the former.
//
//	multiexp BITS ROUNDS    exponents of BITS bits, a modulus of 2048 bits; the least time of ROUNDS rounds
package main

import (
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"runtime"
	"strconv"
	"time"

	ours "example.org/pingala/multiexp"
	theirs "github.com/jiajunxin/multiexp"
)

func number(random *rand.Rand, bits int) *big.Int {
	value := new(big.Int).Rand(random, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	return value.SetBit(value, bits-1, 1)
}

func measure(best *time.Duration, call func()) {
	start := time.Now()
	call()
	*best = min(*best, time.Since(start))
}

func main() {
	bits, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	rounds, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	random := rand.New(rand.NewSource(1))
	g, m := number(random, 2048), number(random, 2048)
	m.SetBit(m, 0, 1)
	ys := [4]*big.Int{}
	for i := range ys {
		ys[i] = number(random, bits)
	}
	pair := [2]*big.Int(ys[:2])
	words := bits/64 + 1

	start := time.Now()
	ourTable := ours.NewPrecomputeTable(g, m, words)
	ourBuild := time.Since(start)
	start = time.Now()
	theirTable := theirs.NewPrecomputeTable(g, m, words)
	theirBuild := time.Since(start)

	fmt.Printf("%s, GOMAXPROCS %d, exponents of %d bits; milliseconds\n", runtime.Version(), runtime.GOMAXPROCS(0), bits)
	fmt.Printf("%-32s %10s %10s %10s\n", "", "multiexp", "Pingala", "ratio")
	row := func(name string, theirs, ours time.Duration) {
		fmt.Printf("%-32s %10.3f %10.3f %10.1f\n", name, theirs.Seconds()*1e3, ours.Seconds()*1e3, float64(theirs)/float64(ours))
	}
	row("NewPrecomputeTable", theirBuild, ourBuild)
	for _, work := range []struct {
		name         string
		theirs, ours func() []*big.Int
	}{
		{"DoubleExp", func() []*big.Int { r := theirs.DoubleExp(g, pair, m); return r[:] },
			func() []*big.Int { r := ours.DoubleExp(g, pair, m); return r[:] }},
		{"FourfoldExp", func() []*big.Int { r := theirs.FourfoldExp(g, m, ys); return r[:] },
			func() []*big.Int { r := ours.FourfoldExp(g, m, ys); return r[:] }},
		{"FourfoldExpPrecomputed", func() []*big.Int { r := theirs.FourfoldExpPrecomputed(g, m, ys, theirTable); return r[:] },
			func() []*big.Int { r := ours.FourfoldExpPrecomputed(g, m, ys, ourTable); return r[:] }},
		{"FourfoldExpPrecomputedParallel", func() []*big.Int { r := theirs.FourfoldExpPrecomputedParallel(g, m, ys, theirTable); return r[:] },
			func() []*big.Int { r := ours.FourfoldExpPrecomputedParallel(g, m, ys, ourTable); return r[:] }},
		{"ExpParallel1", func() []*big.Int { return []*big.Int{theirs.ExpParallel(g, ys[0], m, theirTable, 1, 2)} },
			func() []*big.Int { return []*big.Int{ours.ExpParallel(g, ys[0], m, ourTable, 1, 2)} }},
		{"ExpParallel4", func() []*big.Int { return []*big.Int{theirs.ExpParallel(g, ys[0], m, theirTable, 4, 2)} },
			func() []*big.Int { return []*big.Int{ours.ExpParallel(g, ys[0], m, ourTable, 4, 2)} }},
	} {
		var theirAnswer, ourAnswer []*big.Int
		theirBest, ourBest := time.Hour, time.Hour
		for range rounds {
			measure(&theirBest, func() { theirAnswer = work.theirs() })
			measure(&ourBest, func() { ourAnswer = work.ours() })
		}
		for i, answer := range theirAnswer {
			if answer.Cmp(ourAnswer[i]) != 0 {
				panic(work.name + ": different answers")
			}
		}
		row(work.name, theirBest, ourBest)
	}
}
