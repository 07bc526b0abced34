package pingala

import (
	"math/big"
	"sync/atomic"
	"unsafe"

	"example.org/pingala/internal/abi"
)

// word is the number in a counter.
func word(counter *atomic.Uint64) *uint64 { return (*uint64)(unsafe.Pointer(counter)) }

// signs has the flags of a base and an exponent.
func signs(base, exponent *big.Int) (flags uint32) {
	return flag(base, abi.NegativeBase) | flag(exponent, abi.NegativeExponent)
}

func flag(value *big.Int, negative uint32) uint32 {
	if value.Sign() < 0 {
		return negative
	}
	return 0
}

// room is memory for a result of this number of words: that of z if it is long enough.
func room(z *big.Int, words int) abi.Words {
	if reused := z.Bits(); cap(reused) >= words {
		return reused[:words]
	}
	return make(abi.Words, words)
}

// widest is the length of the longest value in words, at least 1.
func widest(values []*big.Int) int {
	width := 1
	for _, value := range values {
		if value != nil {
			width = max(width, len(value.Bits()))
		}
	}
	return width
}

// missing has the errors of the elements for which one of the lists has nil.
func missing(lists ...[]*big.Int) (errors ListError) {
	for i := range lists[0] {
		for _, list := range lists {
			if list[i] == nil {
				errors = append(errors, &ElementError{i, badArgument("a number is nil")})
				break
			}
		}
	}
	return errors
}

// copyOf is a copy of a number, 0 for nil.
func copyOf(value *big.Int) *big.Int {
	if value == nil {
		return new(big.Int)
	}
	return new(big.Int).Set(value)
}

// given is an error if a number that a call needs is nil.
func given(name string, value *big.Int) error {
	if value == nil {
		return badArgument("%s is nil", name)
	}
	return nil
}

// rows has the values one after the other, each as wide; those that are longer are reduced modulo m. If there are negative ones,
// their flag is added to the flags, which are made if they are nil. In the place of nil stands 1, which makes no error.
func rows(values []*big.Int, width int, m *big.Int, negative uint32, flags []byte) (abi.Words, []byte) {
	flat := make(abi.Words, width*len(values))
	for i, value := range values {
		if value == nil {
			flat[i*width] = 1
			continue
		}
		words := value.Bits()
		if len(words) > width {
			words = new(big.Int).Rem(value, m).Bits()
		}
		copy(flat[i*width:], words)
		if value.Sign() < 0 {
			if flags == nil {
				flags = make([]byte, len(values))
			}
			flags[i] |= byte(negative)
		}
	}
	return flat, flags
}

// numbers makes results of rows. They share the memory of the rows, each with a capacity of its own. Elements with errors, also
// with known ones, are nil.
func numbers(flat abi.Words, width int, statuses []int32, known ListError) []*big.Int {
	values := make([]big.Int, len(statuses))
	results := make([]*big.Int, len(statuses))
	for i, status := range statuses {
		if status == abi.OK {
			results[i] = values[i].SetBits(flat[i*width : (i+1)*width : (i+1)*width])
		}
	}
	for _, err := range known {
		results[err.Index] = nil
	}
	return results
}

// told is a text of the library: call fills what room it gets, and says how much it needs, with a zero byte at the end.
func told(call func(text []byte) (needed int, status int32), why *abi.Why) (string, error) {
	var text []byte
	for {
		needed, status := call(text)
		if err := failure(status, why); err != nil {
			return "", err
		}
		if needed <= len(text) {
			return string(text[:needed-1]), nil
		}
		text = make([]byte, needed)
	}
}
