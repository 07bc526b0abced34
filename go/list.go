package pingala

import (
	"context"
	"math/big"
	"slices"

	"example.org/pingala/internal/abi"
)

// listCall is what a list call of the library fills, the memory of a handle that it takes, and its session.
type listCall struct {
	*session
	memory   abi.Handle
	out      abi.Words
	statuses []int32
}

// list runs a call that fills rows and statuses, and makes results of them. Elements with known errors have these whatever
// the call says of them.
func (l *listCall) list(count, width int, known ListError, call func() int32) ([]*big.Int, error) {
	if count == 0 {
		return []*big.Int{}, nil
	}
	l.out, l.statuses = make(abi.Words, count*width), make([]int32, count)
	if status := call(); status != abi.OK {
		return nil, l.failure(status)
	}
	return numbers(l.out, width, l.statuses, known), elements(l.statuses, &l.why, known)
}

// list runs a call on one handle, which reads its numbers: a context that has ended already costs nothing.
func (r *residues) list(ctx context.Context, count int, known ListError, call func(*listCall) int32) ([]*big.Int, error) {
	memory, s, done, err := r.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	l := &listCall{session: s, memory: memory}
	return l.list(count, r.words(), known, func() int32 { return call(l) })
}

// ExpList returns xs[i]**ys[i] mod ms[i] for each i; a modulus may occur often. The options are those of the call, not of the moduli.
// Errors as [Modulus.ExpMany].
func ExpList(ctx context.Context, o Options, xs, ys []*big.Int, ms []*Modulus) ([]*big.Int, error) {
	if len(xs) != len(ys) || len(xs) != len(ms) {
		return nil, badArgument("%d bases, %d exponents and %d moduli", len(xs), len(ys), len(ms))
	}
	moduli, modulusOf, without := distinct(ms)
	p, err := o.pairs(ctx, xs, ys, moduli)
	if err != nil {
		return nil, err
	}
	defer p.done()
	known := merged(missing(xs, ys), without)
	if len(moduli) == 0 {
		return make([]*big.Int, len(xs)), elements(make([]int32, len(xs)), &p.why, known)
	}
	return p.list(len(xs), p.outWidth, known, func() int32 {
		return abi.PowList(p.out, p.outWidth, p.bases, p.baseWidth, p.exponents, p.exponentWidth, p.moduli, modulusOf, len(xs), p.statuses,
			p.flags, p.options, &p.why)
	})
}

// distinct are the moduli of a list, each once, with the place of each element's among them, and the elements that have none.
func distinct(ms []*Modulus) (moduli []*Modulus, modulusOf []uint32, without ListError) {
	seen := make(map[*handle]uint32)
	modulusOf = make([]uint32, len(ms))
	for i, m := range ms {
		if m == nil {
			// It is computed with the first one.
			without = append(without, &ElementError{i, badArgument("the modulus is nil")})
			continue
		}
		handle := m.of().held()
		index, ok := seen[handle]
		if !ok {
			index = uint32(len(moduli))
			seen[handle] = index
			moduli = append(moduli, m)
		}
		modulusOf[i] = index
	}
	return moduli, modulusOf, without
}

// hold gives the memory of moduli to a call, which releases it by done, with the width of the longest one in words.
func hold(moduli []*Modulus) (memories []abi.Handle, width int, done func(), err error) {
	width = 1
	done = func() {
		for i := range memories {
			moduli[i].handle.release()
		}
	}
	for _, m := range moduli {
		memory, err := m.of().held().acquire()
		if err != nil {
			done()
			return nil, 0, nil, err
		}
		memories = append(memories, memory)
		width = max(width, m.words())
	}
	return memories, width, done, nil
}

// merged has the errors of several lists, in order, one for each element.
func merged(lists ...ListError) ListError {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b *ElementError) int { return a.Index - b.Index })
	return slices.CompactFunc(all, func(a, b *ElementError) bool { return a.Index == b.Index })
}

// pairs has the bases and exponents of a list as the library takes them, with a session and the memory of the moduli until done.
type pairs struct {
	listCall
	moduli                             []abi.Handle
	outWidth, baseWidth, exponentWidth int
	bases, exponents                   abi.Words
	flags                              []byte
	done                               func()
}

func (o *Options) pairs(ctx context.Context, xs, ys []*big.Int, moduli []*Modulus) (*pairs, error) {
	p := &pairs{}
	var err error
	if p.session, err = o.begin(ctx); err != nil {
		return nil, err
	}
	memories, outWidth, release, err := hold(moduli)
	if err != nil {
		p.end()
		return nil, err
	}
	p.moduli, p.outWidth = memories, outWidth
	p.done = func() { release(); p.end() }
	p.baseWidth, p.exponentWidth = widest(xs), widest(ys)
	p.bases, p.flags = rows(xs, p.baseWidth, nil, abi.NegativeBase, nil)
	p.exponents, p.flags = rows(ys, p.exponentWidth, nil, abi.NegativeExponent, p.flags)
	return p, nil
}

// ProductList returns the product of xs[i][j]**ys[i][j] mod ms[i] over j, for each i. Products modulo the same number share one call of
// the library. The options are those of the call, not of the moduli. Errors as [Modulus.ProductList].
func ProductList(ctx context.Context, o Options, xs, ys [][]*big.Int, ms []*Modulus) ([]*big.Int, error) {
	if len(xs) != len(ys) || len(xs) != len(ms) {
		return nil, badArgument("%d lists of bases, %d of exponents and %d moduli", len(xs), len(ys), len(ms))
	}
	moduli, modulusOf, errors := distinct(ms)
	results := make([]*big.Int, len(xs))
	places := make([][]int, len(moduli))
	for i, m := range ms {
		if m != nil {
			places[modulusOf[i]] = append(places[modulusOf[i]], i)
		}
	}
	for index, m := range moduli {
		places := places[index]
		someXs, someYs := make([][]*big.Int, len(places)), make([][]*big.Int, len(places))
		for at, i := range places {
			someXs[at], someYs[at] = xs[i], ys[i]
		}
		some, err := m.With(o).ProductList(ctx, someXs, someYs)
		list, isList := err.(ListError)
		if err != nil && !isList {
			return nil, err
		}
		for i, result := range some {
			results[places[i]] = result
		}
		for _, err := range list {
			errors = append(errors, &ElementError{places[err.Index], err.Err})
		}
	}
	if len(errors) > 0 {
		return results, merged(errors)
	}
	return results, nil
}

// factors has the powers of all products without an error of their own as the library takes them, and where each product ends.
type factors struct {
	xs, ys           []*big.Int
	bases, exponents abi.Words
	width, count     int
	flags            []byte
	ends             []uint64
}

func factorsOf(xs, ys [][]*big.Int) (f factors, known ListError, err error) {
	if len(xs) != len(ys) {
		return f, nil, badArgument("%d lists of bases and %d of exponents", len(xs), len(ys))
	}
	f.ends = make([]uint64, len(xs))
	for i := range xs {
		if len(xs[i]) != len(ys[i]) {
			known = append(known, &ElementError{i, badArgument("%d bases and %d exponents", len(xs[i]), len(ys[i]))})
		} else if missing := missing(xs[i], ys[i]); missing != nil {
			known = append(known, &ElementError{i, missing[0]})
		} else {
			f.xs, f.ys = append(f.xs, xs[i]...), append(f.ys, ys[i]...)
		}
		f.ends[i] = uint64(len(f.xs))
	}
	return f, known, nil
}

// read makes words of the numbers.
func (f *factors) read(m *Modulus) {
	f.width, f.count = widest(f.ys), len(f.xs)
	f.bases, f.flags = m.rows(f.xs)
	f.exponents, f.flags = rows(f.ys, f.width, nil, abi.NegativeExponent, f.flags)
}

// PlanList returns the plan that the function [ExpList] follows with these arguments: one line, which [Options] can force. A nil among
// the numbers is an error.
func PlanList(o Options, xs, ys []*big.Int, ms []*Modulus) (string, error) {
	if len(xs) != len(ys) || len(xs) != len(ms) {
		return "", badArgument("%d bases, %d exponents and %d moduli", len(xs), len(ys), len(ms))
	}
	moduli, modulusOf, without := distinct(ms)
	if known := merged(missing(xs, ys), without); known != nil {
		return "", known[0]
	}
	p, err := o.pairs(context.Background(), xs, ys, moduli)
	if err != nil {
		return "", err
	}
	defer p.done()
	return told(0, func(text []byte) (int, int32) {
		return abi.PlanList(text, p.bases, p.baseWidth, p.exponents, p.exponentWidth, p.moduli, modulusOf, len(xs), p.flags, p.options, &p.why)
	}, p.failure)
}
