package pingala

import (
	"context"
	"math/big"

	"example.org/pingala/internal/abi"
)

// FixedBase is a base, a modulus and a table that makes further powers of the base cheaper.
type FixedBase struct {
	*residues
	base *big.Int
}

// NewFixedBase makes a table for powers of x modulo m with exponents of at most `bits` bits, of either sign, in at most `memory`
// bytes of memory. It expects about ten thousand powers. Errors: [BadArgument] if no table fits the memory.
func NewFixedBase(x *big.Int, m *Modulus, bits, memory int) (*FixedBase, error) {
	return m.FixedBase(context.Background(), x, Table{Bits: bits, Memory: memory})
}

// Table says what a table is for.
type Table struct {
	Bits   int    // of the longest exponent
	Memory int    // the most bytes
	Powers uint64 // about how many there will be; 0 for ten thousand
	Lists  bool   // whether most of them come in lists
	Secret bool   // whether exponents are secret, for ExpSecretList; the modulus must then be odd
}

// tableUse is a [Table] as the library has it.
type tableUse struct {
	bits, memory, powers uint64
	kind                 uint32
}

func (t *Table) arguments() (tableUse, error) {
	if t.Bits < 0 || t.Memory < 0 {
		return tableUse{}, badArgument("%d bits, %d bytes; expected no negative number", t.Bits, t.Memory)
	}
	return tableUse{uint64(t.Bits), uint64(t.Memory), t.Powers, bit(t.Lists)*abi.InLists | bit(t.Secret)*abi.ForSecrets}, nil
}

// FixedBase is [NewFixedBase] with a context, because a large table takes its time, and a description of the use.
func (m *Modulus) FixedBase(ctx context.Context, x *big.Int, t Table) (*FixedBase, error) {
	if err := given("x", x); err != nil {
		return nil, err
	}
	use, err := t.arguments()
	if err != nil {
		return nil, err
	}
	memory, s, done, err := m.of().begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	made, status := abi.FixedBaseNew(memory, x.Bits(), flag(x, abi.NegativeBase), use.bits, use.memory, use.powers, use.kind, s.options, &s.why)
	if status != abi.OK {
		return nil, s.failure(status)
	}
	return fixedBase(made, m.options)
}

// LoadFixedBase loads a table that [FixedBase.Save] wrote, and checks it; [FixedBase.Verify] checks the file of somebody else. expected is
// the modulus that it must have, or nil for any. Error: [BadFile].
func LoadFixedBase(path string, expected *Modulus) (*FixedBase, error) {
	file, err := cText(path)
	if err != nil {
		return nil, err
	}
	var o Options
	var memory abi.Handle
	if expected != nil {
		if memory, err = expected.of().held().acquire(); err != nil {
			return nil, err
		}
		defer expected.handle.release()
		o = expected.options
	}
	s, err := o.begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer s.end()
	made, status := abi.FixedBaseLoad(file, memory, s.options, &s.why)
	if status != abi.OK {
		return nil, s.failure(status)
	}
	return fixedBase(made, o)
}

// fixedBase owns a table that the library made, and asks it for its numbers.
func fixedBase(made abi.Handle, o Options) (*FixedBase, error) {
	f := &FixedBase{residues: &residues{handle: own(made, abi.FixedBaseFree), options: o}}
	why := new(abi.Why)
	m, status := abi.FixedBaseModulus(made, why)
	if err := failure(status, why); err != nil {
		return nil, err
	}
	defer abi.ModulusFree(m)
	words := int((abi.ModulusBits(m) + 63) / 64)
	modulus, base := make(abi.Words, words), make(abi.Words, words)
	if err := failure(abi.ModulusValue(m, modulus, why), why); err != nil {
		return nil, err
	}
	if err := failure(abi.FixedBaseBase(made, base, why), why); err != nil {
		return nil, err
	}
	f.modulus, f.base = new(big.Int).SetBits(modulus), new(big.Int).SetBits(base)
	return f, nil
}

// With is the same table, whose calls have these options. Both share one handle: the Close of either closes both.
func (f *FixedBase) With(o Options) *FixedBase { return &FixedBase{f.of().with(o), f.Base()} }

// Close frees the memory as soon as no call uses it. Later calls return [ErrClosed]; a second Close does nothing.
func (f *FixedBase) Close() { f.of().held().close() }

// of is what its calls have; nil if there is none.
func (f *FixedBase) of() *residues {
	if f == nil {
		return nil
	}
	return f.residues
}

// Base is a copy of the base, reduced modulo the modulus.
func (f *FixedBase) Base() *big.Int {
	if f == nil {
		return new(big.Int)
	}
	return copyOf(f.base)
}

// Modulus is a copy of the modulus.
func (f *FixedBase) Modulus() *big.Int { return f.of().value() }

// ExponentBits is the length of the longest exponent that the table serves; 0 after Close.
func (f *FixedBase) ExponentBits() int { return int(ask(f.of().held(), abi.FixedBaseExponentBits)) }

// Memory is the number of bytes that the table takes; 0 after Close.
func (f *FixedBase) Memory() int { return int(ask(f.of().held(), abi.FixedBaseTableBytes)) }

// Plan is the plan that the table's powers follow, as a line, which [Options] can force to get the same table.
func (f *FixedBase) Plan() (string, error) {
	memory, err := f.of().held().acquire()
	if err != nil {
		return "", err
	}
	defer f.handle.release()
	why := new(abi.Why)
	return told(0, func(text []byte) (int, int32) { return abi.FixedBasePlan(memory, text, why) }, failures(why))
}

// Verify computes every entry of the table again and compares. Errors: [Fault], [Interrupted].
func (f *FixedBase) Verify(ctx context.Context) error {
	memory, s, done, err := f.of().begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	return s.failure(abi.FixedBaseVerify(memory, s.options, &s.why))
}

// Save writes the table to a file; a file that is there is replaced as a whole. Error: [BadFile].
func (f *FixedBase) Save(path string) error { return f.of().held().save(path, abi.FixedBaseSave) }
