package pingala

import (
	"context"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
)

func (c *caller) multiplications() {
	ctx, m := c.ctx(), c.open()[0]
	switch c.workload {
	case "value_product":
		got, err := m.MulAll(ctx, c.elements[0].xs)
		c.one("MulAll", 0, got, err)
		return
	case "mul_list":
		xs, ys := c.numbers()
		got, err := m.MulList(ctx, xs, ys)
		c.list("MulList", got, err)
	case "square_list":
		xs, _ := c.numbers()
		got, err := m.SquareList(ctx, xs)
		c.list("SquareList", got, err)
	default:
		xs, _ := c.numbers()
		got, err := m.RunningProduct(ctx, xs)
		c.list("RunningProduct", got, err)
	}
}

// multiplyEach multiplies by a list of one for each element, whose moduli may be 0.
func (c *caller) multiplyEach() {
	for i, element := range c.elements {
		m, err := c.options.NewModulus(c.moduli[element.modulus], c.factors[element.modulus]...)
		if err != nil {
			c.one("NewModulus", i, nil, err)
			continue
		}
		got, err := m.MulList(c.ctx(), element.xs, element.ys)
		if err != nil {
			got = []*big.Int{nil}
		}
		c.one("MulList of one", i, got[0], err)
		m.Close()
	}
}

// capped are the options of calls on primes: the cap is that of all numbers.
func (c *caller) capped() Options {
	o := c.options
	o.ModulusBits, o.ExponentBits = uint64(c.exponentBits), 0
	return o
}

// whole compares a call that has the first error of its elements, or gives an answer for each.
func (c *caller) whole(way string, got []*big.Int, err error) {
	if c.tolerates(codeOf(err)) {
		c.compared++
		return
	}
	if err == nil && len(got) != len(c.elements) {
		c.Fatalf("%s: %d results\n%s", way, len(got), c.line)
	}
	for i := range c.elements {
		if err == nil {
			c.one(way, i, got[i], nil)
		} else if c.elements[i].answerCode != "" {
			c.one(way, i, nil, err)
			return
		}
	}
	if err != nil {
		c.Errorf("%s: %v\n%s", way, err, c.line)
	}
}

func (c *caller) primality() {
	ctx, o := c.ctx(), c.capped()
	numbers, rounds := c.numbers()
	if len(rounds) > 0 {
		o.Rounds = uint32(rounds[0].Uint64())
	}
	for i, n := range numbers {
		answer, err := o.Primality(ctx, n)
		c.one("Primality", i, big.NewInt(int64(answer)), err)
	}
	answers, err := o.PrimalityList(ctx, numbers)
	var got []*big.Int
	for _, answer := range answers {
		got = append(got, big.NewInt(int64(answer)))
	}
	c.whole("PrimalityList", got, err)
}

func (c *caller) primes() {
	ctx, o := c.ctx(), c.capped()
	xs, ys := c.numbers()
	switch c.workload {
	case "next_prime":
		got, err := o.NextPrime(ctx, xs[0])
		c.one("NextPrime", 0, got, err)
	case "previous_prime":
		got, err := o.PreviousPrime(ctx, xs[0])
		c.one("PreviousPrime", 0, got, err)
	default:
		got, err := o.PrimesBetween(ctx, xs[0], ys[0])
		c.whole("PrimesBetween", append(got, new(big.Int)), err)
	}
}

// below has the moduli of the elements, or the one of all.
func (c *caller) below() (numbers []*big.Int) {
	if len(c.moduli) == 1 {
		return c.moduli
	}
	for _, element := range c.elements {
		numbers = append(numbers, c.moduli[element.modulus])
	}
	return numbers
}

func (c *caller) symbols() {
	ctx, o := c.ctx(), c.capped()
	xs, _ := c.numbers()
	for i, element := range c.elements {
		if c.exponentBits == 0 {
			symbol, err := Jacobi(xs[i], c.moduli[element.modulus])
			c.one("Jacobi", i, big.NewInt(int64(symbol)), err)
		}
		symbol, err := o.Jacobi(ctx, xs[i], c.moduli[element.modulus])
		c.one("Options.Jacobi", i, big.NewInt(int64(symbol)), err)
		if err == nil {
			symbol, err = o.Kronecker(ctx, xs[i], c.moduli[element.modulus])
			c.one("Kronecker of an odd number", i, big.NewInt(int64(symbol)), err)
		}
	}
	if len(c.elements) == 0 {
		return
	}
	calls := map[string]func() ([]int, error){
		"Options.JacobiList": func() ([]int, error) { return o.JacobiList(ctx, xs, c.below()) },
	}
	if c.exponentBits == 0 {
		calls["JacobiList"] = func() ([]int, error) { return JacobiList(xs, c.below()) }
	}
	for name, call := range calls {
		symbols, err := call()
		var got []*big.Int
		for _, symbol := range symbols {
			got = append(got, big.NewInt(int64(symbol)))
		}
		c.whole(name, got, err)
	}
}

func (c *caller) kronecker() {
	xs, ys := c.numbers()
	symbol, err := c.capped().Kronecker(c.ctx(), xs[0], ys[0])
	c.one("Kronecker", 0, big.NewInt(int64(symbol)), err)
}

// everyRoot looks for all roots, and for one of them.
func (c *caller) everyRoot() {
	ctx, o := c.ctx(), c.capped()
	x, p, most := c.elements[0].xs[0], c.moduli[0], c.elements[0].ys[0].Uint64()
	var roots []*big.Int
	var root *big.Int
	var err, other error
	if len(c.factors[0]) == 0 {
		roots, err = o.SqrtModAll(ctx, x, p)
		root, other = o.SqrtMod(ctx, x, p)
	} else {
		m := c.open()[0]
		roots, err = m.SqrtAll(ctx, x, most)
		root, other = m.Sqrt(ctx, x)
	}
	c.whole("all roots", append(roots, new(big.Int)), err)
	if err != nil || c.tolerates(codeOf(other)) {
		return
	}
	isRoot := func(one *big.Int) bool { return root != nil && one.Cmp(root) == 0 }
	if len(roots) == 0 && codeOf(other) != BadArgument || len(roots) > 0 && !slices.ContainsFunc(roots, isRoot) {
		c.Errorf("one of %x: %x, %v\n%s", roots, root, other, c.line)
	}
}

func (c *caller) estimate() {
	xs, ys := c.elements[0].xs, c.elements[0].ys
	conditions := Prime{Safe: xs[3].Sign() > 0, TwoTopBits: xs[2].Int64() == 2, Uniform: ys[3].Sign() > 0}
	if ys[1].Sign() > 0 {
		conditions.Residue, conditions.Divisor = xs[1], ys[1]
	}
	o := c.capped()
	o.Rounds = uint32(ys[2].Int64())
	found, err := o.EstimateRandomPrime(c.ctx(), int(xs[0].Int64()), conditions, ys[0].Sign() > 0)
	answer := new(big.Int)
	if found.Tests >= 1 && found.Seconds >= 0 {
		answer.SetInt64(1)
	}
	c.one("EstimateRandomPrime", 0, answer, err)
}

func (c *caller) roots() {
	ctx, o := c.ctx(), c.capped()
	xs, _ := c.numbers()
	for i, element := range c.elements {
		root, err := o.SqrtMod(ctx, xs[i], c.moduli[element.modulus])
		c.one("SqrtMod", i, root, err)
		c.allRoots(o, i, xs[i], c.moduli[element.modulus], root)
	}
	if c.exponentBits == 0 {
		got, err := o.SqrtModList(ctx, xs, c.below())
		c.list("SqrtModList", got, err)
	}
}

// allRoots compares all roots with the lesser one, which is the first of them.
func (c *caller) allRoots(o Options, i int, x, p, root *big.Int) {
	if root == nil || !p.ProbablyPrime(20) {
		return
	}
	ctx := context.Background()
	roots, err := o.SqrtModAll(ctx, x, p)
	if err != nil || len(roots) == 0 || len(roots) > 2 {
		c.Errorf("SqrtModAll: %v %v\n%s", roots, err, c.line)
		return
	}
	c.one("SqrtModAll", i, roots[0], nil)
	m, err := o.NewModulus(p)
	if err != nil {
		c.Fatalf("%v\n%s", err, c.line)
	}
	defer m.Close()
	one, err := m.Sqrt(ctx, x)
	c.one("Modulus.Sqrt", i, one, err)
	if all, err := m.SqrtAll(ctx, x, 2); err != nil || fmt.Sprint(all) != fmt.Sprint(roots) {
		c.Errorf("SqrtAll: %v, not %v: %v\n%s", all, roots, err, c.line)
	}
}

func (c *caller) proofs() {
	ctx, m := c.ctx(), c.open()[0]
	element := c.elements[0]
	base, squarings := element.xs[0], element.ys[0].Uint64()
	if c.workload == "verify_squaring" {
		valid, err := m.VerifySquaring(ctx, base, squarings, element.xs[1], fmt.Sprintf("%s%x", proofVersion, element.ys[1]))
		answer := new(big.Int)
		if valid {
			answer.SetInt64(1)
		}
		c.one("VerifySquaring", 0, answer, err)
		proof := fmt.Sprintf("%s%x", proofVersion, element.ys[1])
		each, err := m.VerifySquaringList(ctx, []*big.Int{base, base}, squarings, []*big.Int{element.xs[1], big.NewInt(-1)}, []string{proof, proof})
		if err == nil && (each[0] != valid || each[1]) {
			c.Errorf("VerifySquaringList: %v, and not %t\n%s", each, valid, c.line)
		}
		c.one("VerifySquaringList", 0, answer, err)
		return
	}
	checkpoint := Checkpoint{Path: filepath.Join(c.TempDir(), "state")}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := m.ProveSquaring(stopped, base, squarings, checkpoint, 0); codeOf(err) != Interrupted {
		c.Errorf("stopped: %v\n%s", err, c.line)
	}
	for i, memory := range []uint64{0, 1000, 1000} {
		result, proof, err := m.ProveSquaring(ctx, base, squarings, []Checkpoint{{}, checkpoint, checkpoint}[i], memory)
		var root *big.Int
		if err == nil {
			root, _ = new(big.Int).SetString(strings.TrimPrefix(proof, proofVersion), 16)
			if valid, err := m.VerifySquaring(ctx, base, squarings, result, proof); err != nil || valid != (c.moduli[0].BitLen() >= 1024) {
				c.Errorf("its own proof: %v %v\n%s", valid, err, c.line)
			}
		}
		c.one("ProveSquaring", 0, result, err)
		c.one("the proof of ProveSquaring", 1, root, err)
	}
}
