// Package multiexp has the interface of github.com/jiajunxin/multiexp over Pingala: a program moves by changing the import. It builds
// with current versions of Go, with which that package no longer links, because it jumps into private symbols of math/big.
//
// Results are equal. Functions panic if that package panics, and a few cases are better defined:
//   - Moduli may be even; only [GetTableSize] prints, and it prints the real size.
//   - A table keeps copies of its base and modulus. If the caller changes his numbers, the table no longer matches; in that
//     package it then gives wrong results.
//   - An exponent that is longer than the table is a panic in the calling goroutine, which can be recovered.
//
// New programs use package pingala: it has any number of exponents, contexts, errors, and tables in files.
package multiexp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"

	"example.org/pingala"
)

var one = big.NewInt(1)

// There are no limits of lengths, as in math/big.
func options(threads int) pingala.Options {
	return pingala.Options{Threads: threads, ModulusBits: math.MaxUint64, ExponentBits: math.MaxUint64}
}

// powers has x**y mod |m| for each y with the contract of math/big: nil where y < 0 and x has no inverse.
func powers(x, m *big.Int, ys []*big.Int) []*big.Int {
	if m == nil || m.Sign() == 0 {
		return oneByOne(x, m, ys)
	}
	modulus, err := options(0).NewModulus(new(big.Int).Abs(m))
	if err != nil {
		panic(err)
	}
	defer modulus.Close()
	return need(modulus.ExpMany(context.Background(), x, ys))
}

func oneByOne(x, m *big.Int, ys []*big.Int) []*big.Int {
	all := make([]*big.Int, len(ys))
	for i, y := range ys {
		all[i] = pingala.Exp(nil, x, y, m)
	}
	return all
}

// need panics for errors but those of elements without an inverse, which are nil.
func need(all []*big.Int, err error) []*big.Int {
	var list pingala.ListError
	if err != nil && !errors.As(err, &list) {
		panic(err)
	}
	for _, element := range list {
		if !errors.Is(element, pingala.NotInvertible) {
			panic(err)
		}
	}
	return all
}

// DoubleExp returns x**y2[0] and x**y2[1] mod |m|, each as [pingala.Exp] has it.
func DoubleExp(x *big.Int, y2 [2]*big.Int, m *big.Int) [2]*big.Int {
	return [2]*big.Int(powers(x, m, y2[:]))
}

// FourfoldExp returns the four x**y4[i] mod |m|, each as [pingala.Exp] has it.
func FourfoldExp(x, m *big.Int, y4 [4]*big.Int) [4]*big.Int {
	return [4]*big.Int(powers(x, m, y4[:]))
}

// PreTable is a table for powers of one base. The fields are the arguments of [NewPrecomputeTable], not copies.
type PreTable struct {
	Base      *big.Int
	Modulus   *big.Int
	TableSize int // in words of the exponent

	base, modulus *big.Int // those of the table
	fixed         *pingala.FixedBase
}

// NewPrecomputeTable makes a table for exponents of up to tableSize words of 64 bits. It takes at most the memory of the powers
// base**(2**i), one for each bit: 64*tableSize numbers as wide as the modulus. It is nil if base is nil or <= 1, if modular is nil or
// <= 0, or if tableSize <= 0.
func NewPrecomputeTable(base, modular *big.Int, tableSize int) *PreTable {
	if tableSize <= 0 || base == nil || modular == nil || base.Cmp(one) <= 0 || modular.Sign() <= 0 {
		return nil
	}
	modulus, err := options(0).NewModulus(modular)
	if err != nil {
		panic(err)
	}
	defer modulus.Close()
	bits := 64 * tableSize
	fixed, err := modulus.FixedBase(context.Background(), base, pingala.Table{Bits: bits, Memory: bits * 8 * len(modular.Bits())})
	if err != nil {
		panic(err)
	}
	return &PreTable{base, modular, tableSize, new(big.Int).Set(base), new(big.Int).Set(modular), fixed}
}

// Close frees the table's memory at once; otherwise the garbage collector sees to it.
func (t *PreTable) Close() { t.fixed.Close() }

// GetTableSize prints the size of a table.
func GetTableSize(table *PreTable) {
	fmt.Printf("The table takes %d bytes; it serves exponents of up to %d bits\n", table.fixed.Memory(), 64*table.TableSize)
}

// mismatch tells what of the arguments is not that of the table.
func (t *PreTable) mismatch(x, m *big.Int) string {
	switch {
	case t.Base.Cmp(x) != 0 || t.fixed == nil || t.base.Cmp(x) != 0:
		return "invalid base"
	case t.Modulus.Cmp(m) != 0 || t.modulus.Cmp(m) != 0:
		return "invalid modulus"
	}
	return ""
}

// fourfold is both functions with a table.
func fourfold(x, m *big.Int, y4 [4]*big.Int, table *PreTable, threads int) [4]*big.Int {
	if x.Sign() < 0 {
		panic("invalid x: negative value")
	}
	if x.Cmp(one) <= 0 {
		return [4]*big.Int(oneByOne(x, m, y4[:]))
	}
	if m == nil {
		panic("invalid m: nil value")
	}
	if m.Sign() <= 0 {
		panic("invalid m: non-positive value")
	}
	for _, y := range y4 {
		if y.Sign() <= 0 {
			panic("invalid y4: non-positive value")
		}
	}
	if m.Bit(0) != 1 {
		panic("The input modular is not an odd number")
	}
	if table.mismatch(x, m) != "" {
		panic("The input table does not match the input")
	}
	return [4]*big.Int(need(table.fixed.With(options(threads)).ExpList(context.Background(), y4[:])))
}

// FourfoldExpPrecomputed returns the four x**y4[i] mod m by a table, on one thread. It panics if x < 0, m is nil, not positive or
// even, a y is not positive or longer than the table, or the table is one of other numbers.
func FourfoldExpPrecomputed(x, m *big.Int, y4 [4]*big.Int, preTable *PreTable) [4]*big.Int {
	return fourfold(x, m, y4, preTable, 1)
}

// FourfoldExpPrecomputedParallel is [FourfoldExpPrecomputed] on at most four threads, as many as GOMAXPROCS
// allows.
func FourfoldExpPrecomputedParallel(x, m *big.Int, y4 [4]*big.Int, preTable *PreTable) [4]*big.Int {
	return fourfold(x, m, y4, preTable, min(4, runtime.GOMAXPROCS(0)))
}

// ExpParallel returns x**y mod m by a table. It panics if the table is nil or one of other numbers, or if a y > 0 is longer than the
// table. One power by a table of this kind is short work for one thread, so that numRoutine and wordChunkSize change nothing.
func ExpParallel(x, y, m *big.Int, preTable *PreTable, numRoutine, wordChunkSize int) *big.Int {
	if preTable == nil {
		panic("precompute table is nil")
	}
	if wrong := preTable.mismatch(x, m); wrong != "" {
		panic("precompute table not match: " + wrong)
	}
	if y.Sign() <= 0 {
		return pingala.Exp(nil, x, y, m)
	}
	power, err := preTable.fixed.Exp(nil, y)
	if err != nil {
		panic(err)
	}
	return power
}

// ExpParallelAuto is [ExpParallel] with errors. With an error the result is the power all the same, computed without the table; there
// is an error also for y <= 0 and for an even m.
func ExpParallelAuto(x, y, m *big.Int, preTable *PreTable) (*big.Int, error) {
	err := error(nil)
	if preTable == nil {
		err = errors.New("precompute table is nil")
	} else if wrong := preTable.mismatch(x, m); wrong != "" {
		err = errors.New("precompute table not match: " + wrong)
	} else if y.Sign() <= 0 || m.Bit(0) != 1 {
		err = errors.New("please make sure x > 1, y > 0, and m is odd")
	}
	if err != nil {
		return pingala.Exp(nil, x, y, m), err
	}
	return ExpParallel(x, y, m, preTable, 0, 0), nil
}
