// A peer of the lab's bench in a process of its own: math/big's Int.Exp. Requests and replies are those of child.py.
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
)

type job struct{ base, exponent, modulus, result *big.Int }

// CLOCK_PROCESS_CPUTIME_ID: getrusage counts in ticks of the scheduler.
const processTime = 2

// The time that this process, its garbage collector included, has had on a processor.
func nanoseconds() int64 {
	var spent syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processTime, uintptr(unsafe.Pointer(&spent)), 0); err != 0 {
		panic(err)
	}
	return spent.Nano()
}

func number(text string) *big.Int {
	value, ok := new(big.Int).SetString(text, 16)
	if !ok {
		panic("no number: " + text)
	}
	return value
}

func main() {
	fmt.Printf("Go %s, math/big Int.Exp\n", strings.TrimPrefix(runtime.Version(), "go"))
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	work := map[string][]job{}
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		count := 0
		if len(words) > 2 {
			if _, err := fmt.Sscan(words[2], &count); err != nil {
				panic(err)
			}
		}
		name := words[1]
		switch words[0] {
		case "load":
			jobs := make([]job, count)
			for i := range jobs {
				row, err := in.ReadString('\n')
				if err != nil {
					panic(err)
				}
				values := strings.Fields(row)
				jobs[i] = job{number(values[0]), number(values[1]), number(values[2]), new(big.Int)}
			}
			work[name] = jobs
			fmt.Println("ok")
		case "run":
			jobs := work[name]
			wall, start := time.Now(), nanoseconds()
			for range count {
				for _, j := range jobs {
					j.result.Exp(j.base, j.exponent, j.modulus)
				}
			}
			fmt.Println(nanoseconds()-start, time.Since(wall).Nanoseconds())
		default:
			texts := make([]string, len(work[name]))
			for i, j := range work[name] {
				texts[i] = j.result.Text(16)
			}
			fmt.Println(strings.Join(texts, " "))
		}
	}
}
