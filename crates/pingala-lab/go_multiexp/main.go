// The Go package multiexp (github.com/jiajunxin/multiexp) in a process of its own, and math/big. It needs a Go toolchain
// of 1.24 or older: its assembly jumps into private symbols of math/big.
//
// Requests and replies are lines:
//
//	(at the start)                            -> what is measured
//	load BASE MODULUS COUNT, COUNT exponents  -> ok (hexadecimal; if a table is asked for, it is built at its first use)
//	run VARIANT THREADS                       -> nanoseconds, on the processor for one thread and on the wall for more
//	answers                                   -> the answers of the last run
//	bytes                                     -> heap bytes that the table holds
package main

import (
	"bufio"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/jiajunxin/multiexp"
)

// CLOCK_PROCESS_CPUTIME_ID.
const processTime = 2

func processNanoseconds() int64 {
	var spent syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processTime, uintptr(unsafe.Pointer(&spent)), 0); err != 0 {
		panic(err)
	}
	return spent.Nano()
}

func number(text string) *big.Int {
	value, ok := new(big.Int).SetString(strings.TrimSpace(text), 16)
	if !ok {
		panic("no number: " + text)
	}
	return value
}

type work struct {
	base, modulus *big.Int
	exponents     []*big.Int
	words         int
	table         *multiexp.PreTable
	tableBytes    uint64
	answers       []*big.Int
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// The table of every bit's power, which belongs to no single call.
func (w *work) needTable() {
	if w.table == nil {
		before := heap()
		w.table = multiexp.NewPrecomputeTable(w.base, w.modulus, w.words)
		w.tableBytes = heap() - before
	}
}

func (w *work) run(variant string, threads int) {
	w.answers = w.answers[:0]
	e := w.exponents
	switch variant {
	case "math/big":
		for _, y := range e {
			w.answers = append(w.answers, new(big.Int).Exp(w.base, y, w.modulus))
		}
	case "DoubleExp":
		for i := 0; i+1 < len(e); i += 2 {
			r := multiexp.DoubleExp(w.base, [2]*big.Int{e[i], e[i+1]}, w.modulus)
			w.answers = append(w.answers, r[:]...)
		}
	case "FourfoldExp":
		for i := 0; i+3 < len(e); i += 4 {
			r := multiexp.FourfoldExp(w.base, w.modulus, [4]*big.Int(e[i:i+4]))
			w.answers = append(w.answers, r[:]...)
		}
	case "FourfoldExpPrecomputed":
		for i := 0; i+3 < len(e); i += 4 {
			r := multiexp.FourfoldExpPrecomputed(w.base, w.modulus, [4]*big.Int(e[i:i+4]), w.table)
			w.answers = append(w.answers, r[:]...)
		}
	case "ExpParallel":
		for _, y := range e {
			w.answers = append(w.answers, multiexp.ExpParallel(w.base, y, w.modulus, w.table, threads, 2))
		}
	default:
		panic("no variant: " + variant)
	}
}

func main() {
	fmt.Printf("github.com/jiajunxin/multiexp v0.1.2, Go %s\n", strings.TrimPrefix(runtime.Version(), "go"))
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var w *work
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		switch words[0] {
		case "load":
			var count int
			if _, err := fmt.Sscan(words[3], &count); err != nil {
				panic(err)
			}
			w = &work{base: number(words[1]), modulus: number(words[2])}
			for range count {
				row, err := in.ReadString('\n')
				if err != nil {
					panic(err)
				}
				exponent := number(row)
				w.exponents = append(w.exponents, exponent)
				w.words = max(w.words, (exponent.BitLen()+63)/64)
			}
			fmt.Println("ok")
		case "run":
			var threads int
			if _, err := fmt.Sscan(words[2], &threads); err != nil {
				panic(err)
			}
			if strings.Contains(words[1], "Precomputed") || words[1] == "ExpParallel" {
				w.needTable()
			}
			runtime.GOMAXPROCS(threads)
			start, startWall := processNanoseconds(), time.Now()
			w.run(words[1], threads)
			if threads > 1 {
				fmt.Println(time.Since(startWall).Nanoseconds())
			} else {
				fmt.Println(processNanoseconds() - start)
			}
		case "answers":
			texts := make([]string, len(w.answers))
			for i, answer := range w.answers {
				texts[i] = answer.Text(16)
			}
			fmt.Println(strings.Join(texts, " "))
		case "bytes":
			fmt.Println(w.tableBytes)
		}
	}
}
