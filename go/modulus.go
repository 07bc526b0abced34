package pingala

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"example.org/pingala/internal/abi"
)

// Modulus is a positive modulus with its prepared constants: what many powers share.
type Modulus struct{ *residues }

// Factor is a factor of a modulus, to the power of its multiplicity; 0 is 1.
type Factor struct {
	Value        *big.Int
	Multiplicity uint32
}

// NewModulus makes a modulus m >= 1. Errors: [ZeroModulus], [NegativeModulus], [TooLong].
func NewModulus(m *big.Int) (*Modulus, error) { return Options{}.NewModulus(m) }

// NewModulus makes a modulus m >= 1 whose calls have these options. With factors, which are pairwise coprime and have the product m,
// powers are computed modulo each of them. Further error: [WrongFactors].
func (o Options) NewModulus(m *big.Int, factors ...Factor) (*Modulus, error) {
	if err := given("the modulus", m); err != nil {
		return nil, err
	}
	if m.Sign() < 0 {
		return nil, &Error{Code: NegativeModulus, Message: "the modulus is " + shown(m) + "; expected 1 or more"}
	}
	s, err := o.begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer s.end()
	values := make([]*big.Int, len(factors))
	multiplicities := make([]uint32, len(factors))
	for i, factor := range factors {
		if factor.Value == nil {
			return nil, &Error{Code: WrongFactors, Message: fmt.Sprintf("factor %d is nil", i)}
		}
		if factor.Value.Sign() <= 0 {
			return nil, &Error{Code: WrongFactors, Message: fmt.Sprintf("factor %d is %s; expected 1 or more", i, shown(factor.Value))}
		}
		values[i], multiplicities[i] = factor.Value, max(1, factor.Multiplicity)
	}
	width := widest(values)
	flat, _ := rows(values, width, nil, 0, nil)
	made, status := abi.ModulusNewFactored(m.Bits(), flat, width, multiplicities, len(multiplicities), s.options, &s.why)
	if status != abi.OK {
		return nil, s.failure(status)
	}
	return &Modulus{&residues{own(made, abi.ModulusFree), new(big.Int).Set(m), o}}, nil
}

// With is the same modulus, whose calls have these options. Both share one handle: the Close of either closes both.
func (m *Modulus) With(o Options) *Modulus { return &Modulus{m.of().with(o)} }

// Close frees the memory as soon as no call uses it. Later calls return [ErrClosed]; a second Close does nothing.
func (m *Modulus) Close() { m.of().held().close() }

// Value is a copy of the modulus.
func (m *Modulus) Value() *big.Int { return m.of().value() }

// BitLen is the length of the modulus in bits.
func (m *Modulus) BitLen() int { return m.Value().BitLen() }

// of is what its calls have; nil if there is none.
func (m *Modulus) of() *residues {
	if m == nil {
		return nil
	}
	return m.residues
}

// Exp sets z to x**y mod m and returns z; if z is nil, to a new number. A negative y is a power of the inverse. z may be x or y; after
// an error it is unchanged. Errors: [NotInvertible], [TooLong].
//
// A call without options and with a z that is long enough allocates nothing. A power that may take long can be stopped if it is
// computed by [Modulus.ExpMany].
func (m *Modulus) Exp(z, x, y *big.Int) (*big.Int, error) {
	if m.of() == nil {
		return nil, errNotMade
	}
	if x == nil || y == nil {
		return nil, badArgument("x or y is nil")
	}
	if z == nil {
		z = new(big.Int)
	}
	out := room(z, m.words())
	if m.options == (Options{}) {
		memory, err := m.handle.acquire()
		if err != nil {
			return nil, err
		}
		status := abi.ModulusPow(memory, out, x.Bits(), y.Bits(), signs(x, y), nil, nil)
		m.handle.release()
		if status == abi.OK {
			return z.SetBits(out), nil
		}
		// The session below has room for the message.
	}
	memory, s, done, err := m.begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer done()
	if status := abi.ModulusPow(memory, out, x.Bits(), y.Bits(), signs(x, y), s.options, &s.why); status != abi.OK {
		return nil, s.failure(status)
	}
	return z.SetBits(out), nil
}

// Checkpoint is a file that keeps the state of a repeated squaring. The call writes it at the start, after every period, when the
// context ends, and at the end; if it exists, the call resumes from it. The file is always replaced as a whole.
type Checkpoint struct {
	Path  string        // "" for none
	Every time.Duration // 0 for a minute
}

// arguments are the path and the period in milliseconds, as the library has them.
func (c Checkpoint) arguments() (path []byte, every uint64, err error) {
	if c.Every < 0 {
		return nil, 0, badArgument("Every is %v; expected a positive duration, or 0 for a minute", c.Every)
	}
	if c.Every == 0 {
		c.Every = time.Minute
	}
	if c.Path != "" {
		path, err = cText(c.Path)
	}
	return path, uint64(max(1, c.Every.Milliseconds())), err
}
