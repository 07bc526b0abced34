package pingala

import (
	"context"
	"math/big"

	"example.org/pingala/internal/abi"
)

// MulList returns xs[i]*ys[i] mod m for each i. Errors as [Modulus.ExpMany].
func (m *Modulus) MulList(ctx context.Context, xs, ys []*big.Int) ([]*big.Int, error) {
	if len(xs) != len(ys) {
		return nil, badArgument("%d numbers and %d numbers", len(xs), len(ys))
	}
	return m.of().list(ctx, len(xs), missing(xs, ys), func(l *listCall) int32 {
		a, flags := m.rows(xs)
		b, flags := rows(ys, m.words(), m.modulus, abi.NegativeExponent, flags)
		return abi.ModulusMulList(l.memory, l.out, a, b, len(xs), l.statuses, flags, l.options, &l.why)
	})
}

// SquareList returns xs[i]**2 mod m for each i. Errors as [Modulus.ExpMany].
func (m *Modulus) SquareList(ctx context.Context, xs []*big.Int) ([]*big.Int, error) {
	return m.of().list(ctx, len(xs), missing(xs), func(l *listCall) int32 {
		values, flags := m.rows(xs)
		return abi.ModulusSquareList(l.memory, l.out, values, len(xs), l.statuses, flags, l.options, &l.why)
	})
}

// RunningProduct returns xs[0]*...*xs[i] mod m for each i, on one thread. Errors: [BadArgument] for nil, [Interrupted].
func (m *Modulus) RunningProduct(ctx context.Context, xs []*big.Int) ([]*big.Int, error) {
	if missing := missing(xs); missing != nil {
		return nil, missing[0]
	}
	return m.of().list(ctx, len(xs), nil, func(l *listCall) int32 {
		values, flags := m.rows(xs)
		return abi.ModulusRunningProduct(l.memory, l.out, values, len(xs), l.statuses, flags, l.options, &l.why)
	})
}

// MulAll returns the product of all xs mod m; 1 mod m for none. [Modulus.Product] is of powers. Errors: [BadArgument] for nil,
// [Interrupted].
func (m *Modulus) MulAll(ctx context.Context, xs []*big.Int) (*big.Int, error) {
	if missing := missing(xs); missing != nil {
		return nil, missing[0]
	}
	memory, s, done, err := m.of().begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	values, flags := m.rows(xs)
	out := make(abi.Words, m.words())
	if status := abi.ModulusProduct(memory, out, values, len(xs), flags, s.options, &s.why); status != abi.OK {
		return nil, s.failure(status)
	}
	return new(big.Int).SetBits(out), nil
}
