package pingala

import (
	"context"
	"math/big"

	"example.org/pingala/internal/abi"
)

// ExpSecretList returns bases[i]**exponents[i] mod m for each i in constant time: no branch and no address depends on the values of
// bases and exponents. All are big-endian bytes; bits is the declared width of the exponents, which is public, as the lengths of all
// slices are. exponents has one for each base, or one for all. A result is as long as m. The call takes several threads.
//
// Go does not wipe memory that it frees, and may copy it. The library and this function wipe their copies; clear yours.
//
// Errors as [Modulus.ExpMany]; [BadSecret] for an exponent wider than declared, [BadArgument] for lengths that do not fit.
func (m *Modulus) ExpSecretList(ctx context.Context, bases, exponents [][]byte, bits int) ([][]byte, error) {
	if len(exponents) != 1 && len(exponents) != len(bases) {
		return nil, badArgument("%d bases and %d exponents", len(bases), len(exponents))
	}
	memory, s, done, err := m.of().begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	size := (m.modulus.BitLen() + 7) / 8
	for i, base := range bases {
		if len(base) > size {
			return nil, badArgument("base %d has %d bytes, the modulus has %d", i, len(base), size)
		}
	}
	in, width := secretRows(bases, size), m.words()
	defer clear(in)
	powers, exponentWidth, err := secretExponents(exponents, bits)
	if err != nil {
		return nil, err
	}
	defer clear(powers)
	return secretList(s, len(bases), width, size, func(out abi.Words, statuses []int32) int32 {
		return abi.ModulusPowSecList(memory, out, in, powers, exponentWidth, uint64(bits), len(exponents), len(statuses), statuses, s.options, &s.why)
	})
}

// ExpSecretList returns the base's powers with these exponents in constant time, as [Modulus.ExpSecretList], from a table that was made
// for secrets ([Table]). The base is public. Error: [BadPlan] for a table that cannot be read so.
func (f *FixedBase) ExpSecretList(ctx context.Context, exponents [][]byte, bits int) ([][]byte, error) {
	memory, s, done, err := f.of().begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	powers, exponentWidth, err := secretExponents(exponents, bits)
	if err != nil {
		return nil, err
	}
	defer clear(powers)
	size := (f.modulus.BitLen() + 7) / 8
	return secretList(s, len(exponents), f.words(), size, func(out abi.Words, statuses []int32) int32 {
		return abi.FixedBasePowSecList(memory, out, powers, exponentWidth, uint64(bits), len(statuses), statuses, s.options, &s.why)
	})
}

// secretExponents are rows of one width, and that width in words.
func secretExponents(exponents [][]byte, bits int) (abi.Words, int, error) {
	if bits < 0 {
		return nil, 0, badArgument("bits is %d; expected 0 or more", bits)
	}
	size := 1
	for _, exponent := range exponents {
		size = max(size, len(exponent))
	}
	return secretRows(exponents, size), (size + wordBytes - 1) / wordBytes, nil
}

// secretList runs a call that fills rows and statuses, and makes bytes of them; no value is looked at.
func secretList(s *session, count, width, size int, call func(out abi.Words, statuses []int32) int32) ([][]byte, error) {
	if count == 0 {
		return [][]byte{}, nil
	}
	out, statuses := make(abi.Words, count*width), make([]int32, count)
	defer clear(out)
	if status := call(out, statuses); status != abi.OK {
		return nil, s.failure(status)
	}
	results, bytes := make([][]byte, count), make([]byte, count*size)
	for i := range results {
		if statuses[i] != abi.OK {
			continue
		}
		row := bytes[i*size : (i+1)*size : (i+1)*size]
		for j := range row {
			row[size-1-j] = byte(out[i*width+j/wordBytes] >> (8 * (j % wordBytes)))
		}
		results[i] = row
	}
	return results, elements(statuses, &s.why, nil)
}

// wordBytes is the length of a word.
const wordBytes = 8

// secretRows has the numbers as words, each of them `size` bytes wide.
func secretRows(numbers [][]byte, size int) abi.Words {
	width := (size + wordBytes - 1) / wordBytes
	words := make(abi.Words, len(numbers)*width)
	for i, number := range numbers {
		for j := range number {
			at := len(number) - 1 - j
			words[i*width+at/wordBytes] |= big.Word(number[j]) << (8 * (at % wordBytes))
		}
	}
	return words
}
