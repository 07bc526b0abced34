package pingala

import (
	"context"
	"math/big"

	"example.org/pingala/internal/abi"
)

// list runs a call that fills rows and statuses, and makes results of them.
func list(s *session, count, width int, call func(out abi.Words, statuses []int32) int32) ([]*big.Int, error) {
	out, statuses := make(abi.Words, count*width), make([]int32, count)
	if count == 0 {
		return []*big.Int{}, nil
	}
	if s.ctx.Err() != nil { // reading the numbers of a long list takes a while
		return nil, s.failure(abi.Interrupted)
	}
	if status := call(out, statuses); status != abi.OK {
		return nil, s.failure(status)
	}
	return numbers(out, width, statuses), elements(statuses, &s.why)
}

// ExpMany returns x**ys[i] mod m for each i: powers of one base share squarings or a table.
//
// An element with an error, [NotInvertible] or [TooLong], is nil, and the error is a [ListError] with all of them; the other
// elements have their results. Every list of this package does the same. If the context ends, the call returns within about
// 0.1 s, without results and with [Interrupted] and the context's error. The results share one block of memory.
func (m *Modulus) ExpMany(ctx context.Context, x *big.Int, ys []*big.Int) ([]*big.Int, error) {
	memory, s, done, err := m.handle.begin(ctx, &m.options)
	if err != nil {
		return nil, err
	}
	defer done()
	width := widest(ys)
	exponents, flags := rows(ys, width, nil, abi.NegativeExponent, nil)
	return list(s, len(ys), m.words(), func(out abi.Words, statuses []int32) int32 {
		return abi.PowExpList(memory, out, x.Bits(), flag(x, abi.NegativeBase), exponents, width, statuses, flags, s.options, &s.why)
	})
}

// ExpBases returns xs[i]**y mod m for each i: the exponent is recoded once. Errors as [Modulus.ExpMany].
func (m *Modulus) ExpBases(ctx context.Context, xs []*big.Int, y *big.Int) ([]*big.Int, error) {
	memory, s, done, err := m.handle.begin(ctx, &m.options)
	if err != nil {
		return nil, err
	}
	defer done()
	bases, flags := rows(xs, m.words(), m.value, abi.NegativeBase, nil)
	return list(s, len(xs), m.words(), func(out abi.Words, statuses []int32) int32 {
		return abi.PowBaseList(memory, out, bases, y.Bits(), flag(y, abi.NegativeExponent), statuses, flags, s.options, &s.why)
	})
}

// Inverses returns the inverse of xs[i] for each i; about a hundred share one inversion. Errors as [Modulus.ExpMany].
func (m *Modulus) Inverses(ctx context.Context, xs []*big.Int) ([]*big.Int, error) {
	memory, s, done, err := m.handle.begin(ctx, &m.options)
	if err != nil {
		return nil, err
	}
	defer done()
	values, flags := rows(xs, m.words(), m.value, abi.NegativeBase, nil)
	return list(s, len(xs), m.words(), func(out abi.Words, statuses []int32) int32 {
		return abi.InvertList(memory, out, values, statuses, flags, s.options, &s.why)
	})
}

// ExpList returns xs[i]**ys[i] mod m for each i. Errors as [Modulus.ExpMany].
func (m *Modulus) ExpList(ctx context.Context, xs, ys []*big.Int) ([]*big.Int, error) {
	return expList(ctx, m.options, xs, ys, []*Modulus{m}, make([]uint32, len(xs)))
}

// ExpList returns xs[i]**ys[i] mod ms[i] for each i; a modulus may occur often. The options are those of the call, not of the moduli.
// Errors as [Modulus.ExpMany].
func ExpList(ctx context.Context, o Options, xs, ys []*big.Int, ms []*Modulus) ([]*big.Int, error) {
	if len(ms) != len(xs) {
		return nil, badArgument("%d bases and %d moduli", len(xs), len(ms))
	}
	var moduli []*Modulus
	seen := make(map[*handle]uint32)
	modulusOf := make([]uint32, len(ms))
	for i, m := range ms {
		index, ok := seen[m.handle]
		if !ok {
			index = uint32(len(moduli))
			seen[m.handle] = index
			moduli = append(moduli, m)
		}
		modulusOf[i] = index
	}
	return expList(ctx, o, xs, ys, moduli, modulusOf)
}

func expList(ctx context.Context, o Options, xs, ys []*big.Int, moduli []*Modulus, modulusOf []uint32) ([]*big.Int, error) {
	if len(xs) != len(ys) {
		return nil, badArgument("%d bases and %d exponents", len(xs), len(ys))
	}
	s, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	memories, outWidth := make([]abi.Handle, len(moduli)), 1
	for i, m := range moduli {
		if memories[i], err = m.handle.acquire(); err != nil {
			return nil, err
		}
		defer m.handle.release()
		outWidth = max(outWidth, m.words())
	}
	baseWidth, exponentWidth := widest(xs), widest(ys)
	bases, flags := rows(xs, baseWidth, nil, abi.NegativeBase, nil)
	exponents, flags := rows(ys, exponentWidth, nil, abi.NegativeExponent, flags)
	return list(s, len(xs), outWidth, func(out abi.Words, statuses []int32) int32 {
		return abi.PowList(out, outWidth, bases, baseWidth, exponents, exponentWidth, memories, modulusOf, statuses, flags, s.options, &s.why)
	})
}
