package main

import (
	"fmt"
	"math/big"
	"runtime"
)

func n(value int64) *big.Int { return big.NewInt(value) }

func show(key string, ask func() any) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Printf("%s\tpanic\n", key)
		}
	}()
	answer := ask()
	if number, is := answer.(*big.Int); is && number == nil {
		answer = "nil"
	}
	fmt.Printf("%s\t%v\n", key, answer)
}

func main() {
	fmt.Printf("version\t%s\n", runtime.Version())
	power := func(key string, b, e, m int64) {
		show(key, func() any { return new(big.Int).Exp(n(b), n(e), n(m)) })
	}
	power("power of a negative modulus", 3, 2, -7)
	power("power of a negative exponent", 3, -1, 7)
	power("power of a negative exponent without an inverse", 2, -1, 4)
	power("power of modulus 1", 3, 0, 1)
	power("power of modulus 0", 3, 2, 0)
	power("power of 0 and 0", 0, 0, 7)
	power("power of a negative base", -3, 3, 7)
	power("power of a negative base and exponent", -3, -1, 7)
	power("power of an even modulus", 3, 5, 10)
	show("inverse that is missing", func() any { return new(big.Int).ModInverse(n(2), n(4)) })
	show("inverse of modulus 1", func() any { return new(big.Int).ModInverse(n(3), n(1)) })
	show("symbol of a negative number", func() any { return big.Jacobi(n(2), n(-7)) })
	show("symbol of an even number", func() any { return big.Jacobi(n(3), n(8)) })
	show("prime of a negative number", func() any { return n(-7).ProbablyPrime(20) })
}
