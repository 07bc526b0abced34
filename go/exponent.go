package pingala

import (
	"context"
	"math/big"
	"time"

	"example.org/pingala/internal/abi"
)

// FixedExponent is an exponent that is known in advance, with a short addition chain. It never changes. Not for secrets.
type FixedExponent struct {
	handle *handle
	value  *big.Int
}

// ChainSearch says how long a chain is searched. The zero value has the defaults.
type ChainSearch struct {
	// Moves of the search; 0 for 20 million. The same moves and seed find the same chain everywhere.
	Moves uint64
	// Time for the search, whatever the moves; 0 for none.
	Time time.Duration
	Seed uint64
}

// NewFixedExponent searches a chain for y, of at most 32,768 steps: from about 26,000 bits on there may be none. An exponent below 2^20
// gets a shortest chain, whatever the moves, unless the time is over. Errors: [BadArgument] for y < 1, [TooLong], [Interrupted].
func NewFixedExponent(ctx context.Context, y *big.Int, search ChainSearch) (*FixedExponent, error) {
	return Options{}.NewFixedExponent(ctx, y, search)
}

// NewFixedExponent is [NewFixedExponent] with options, of which Threads and Done count.
func (o Options) NewFixedExponent(ctx context.Context, y *big.Int, search ChainSearch) (*FixedExponent, error) {
	switch {
	case y == nil:
		return nil, badArgument("y is nil")
	case y.Sign() < 1:
		return nil, badArgument("y is %s; expected 1 or more", shown(y))
	case search.Time < 0:
		return nil, badArgument("Time is %v; expected a positive duration, or 0 for none", search.Time)
	}
	s, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	var milliseconds uint64
	if search.Time > 0 {
		milliseconds = uint64(max(1, search.Time.Milliseconds()))
	}
	made, status := abi.FixedExponentSearch(y.Bits(), search.Moves, milliseconds, search.Seed, s.options, &s.why)
	if status != abi.OK {
		return nil, s.failure(status)
	}
	return &FixedExponent{own(made, abi.FixedExponentFree), new(big.Int).Set(y)}, nil
}

// LoadFixedExponent reads what [FixedExponent.Save], or the command `pingala chain search`, wrote. Steps that do not lead to the exponent
// are refused. Error: [BadFile].
func LoadFixedExponent(path string) (*FixedExponent, error) {
	if err := abi.Load(); err != nil {
		return nil, err
	}
	file, err := cText(path)
	if err != nil {
		return nil, err
	}
	why := new(abi.Why)
	made, status := abi.FixedExponentLoad(file, why)
	if err := failure(status, why); err != nil {
		return nil, err
	}
	f := &FixedExponent{handle: own(made, abi.FixedExponentFree)}
	words := make(abi.Words, (abi.FixedExponentBits(made)+63)/64)
	if err := failure(abi.FixedExponentValue(made, words, why), why); err != nil {
		return nil, err
	}
	f.value = new(big.Int).SetBits(words)
	return f, nil
}

// Close frees the memory as soon as no call uses it. Later calls return [ErrClosed]; a second Close does nothing.
func (f *FixedExponent) Close() { f.held().close() }

// held is the handle, or nil if there is none.
func (f *FixedExponent) held() *handle {
	if f == nil {
		return nil
	}
	return f.handle
}

// Value is a copy of the exponent.
func (f *FixedExponent) Value() *big.Int {
	if f == nil {
		return new(big.Int)
	}
	return copyOf(f.value)
}

// Len is the number of products of the chain, squarings included; 0 after Close.
func (f *FixedExponent) Len() int { return int(ask(f.held(), abi.FixedExponentLength)) }

// Save writes the chain to a file, as JSON; a file that is there is replaced as a whole. Error: [BadFile].
func (f *FixedExponent) Save(path string) error { return f.held().save(path, abi.FixedExponentSave) }

// both gives the memory of the exponent and of a modulus to a call, which releases them by done.
func (f *FixedExponent) both(m *Modulus) (exponent, modulus abi.Handle, done func(), err error) {
	if exponent, err = f.held().acquire(); err != nil {
		return nil, nil, nil, err
	}
	if modulus, err = m.of().held().acquire(); err != nil {
		f.handle.release()
		return nil, nil, nil, err
	}
	return exponent, modulus, func() { m.handle.release(); f.handle.release() }, nil
}

// Explain tells what the chain saves modulo m against the planner's choice for one call, and when a search pays.
func (f *FixedExponent) Explain(m *Modulus) (string, error) {
	exponent, modulus, done, err := f.both(m)
	if err != nil {
		return "", err
	}
	defer done()
	why := new(abi.Why)
	return told(0, func(text []byte) (int, int32) { return abi.FixedExponentExplain(exponent, modulus, text, why) }, failures(why))
}

// Modulo plans the powers modulo m. The result needs neither f nor m any more, and has the options of m.
func (f *FixedExponent) Modulo(m *Modulus) (*FixedPower, error) {
	exponent, modulus, done, err := f.both(m)
	if err != nil {
		return nil, err
	}
	defer done()
	why := new(abi.Why)
	made, status := abi.FixedExponentModulo(exponent, modulus, why)
	if err := failure(status, why); err != nil {
		return nil, err
	}
	return &FixedPower{&residues{own(made, abi.FixedPowerFree), m.modulus, m.options}}, nil
}

// FixedPower is a [FixedExponent] with a modulus: x to x**y mod m. It never changes.
type FixedPower struct{ *residues }

// Close frees the memory as soon as no call uses it. Later calls return [ErrClosed]; a second Close does nothing.
func (p *FixedPower) Close() { p.of().held().close() }

// of is what its calls have; nil if there is none.
func (p *FixedPower) of() *residues {
	if p == nil {
		return nil
	}
	return p.residues
}
