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

// natural is an error if a number that a call needs is nil or negative.
func natural(name string, value *big.Int) error {
	if value != nil && value.Sign() < 0 {
		return badArgument("%s is %s; expected 0 or more", name, shown(value))
	}
	return given(name, value)
}

// modulus is an error if a modulus is nil or negative.
func modulus(name string, value *big.Int) error {
	if value != nil && value.Sign() < 0 {
		return &Error{Code: NegativeModulus, Message: name + " is negative"}
	}
	return given(name, value)
}

// naturals is the error of the first number of a list that is nil or negative.
func naturals(name string, values []*big.Int) error {
	for i, value := range values {
		if err := natural("a number of "+name, value); err != nil {
			return &ElementError{i, err}
		}
	}
	return nil
}

// notNegative is the number, or 0 for one below 0: no prime is less.
func notNegative(value *big.Int) *big.Int {
	if value.Sign() < 0 {
		return new(big.Int)
	}
	return value
}

func eachNotNegative(values []*big.Int) []*big.Int {
	all := make([]*big.Int, len(values))
	for i, value := range values {
		all[i] = notNegative(value)
	}
	return all
}

// each has the numbers of the library as this package has them.
func each[To, From int | int32 | byte | Primality](numbers []From) []To {
	all := make([]To, len(numbers))
	for i, number := range numbers {
		all[i] = To(number)
	}
	return all
}

// truths are the answers of a call, one byte each.
func truths(answers []byte) []bool {
	all := make([]bool, len(answers))
	for i, answer := range answers {
		all[i] = answer == 1
	}
	return all
}

// bit is 1 for true.
func bit(value bool) uint32 {
	if value {
		return 1
	}
	return 0
}

// wordsOf is the number of words that hold this number of bits.
func wordsOf(bits int) int { return (bits + 8*wordBytes - 1) / (8 * wordBytes) }

// interval is the number of rows for the primes of an interval, up to a thousand; a longer list tells what it takes.
func interval(a, b *big.Int) int {
	distance := new(big.Int).Sub(b, a)
	if distance.Sign() <= 0 {
		return 0
	}
	return int(min(distance.Uint64(), 1000))
}

// rows has the numbers that a call writes as rows of this width, and of which it tells how many there are. It is called again if
// they are more than expected.
func (s *session) rows(expected, width int, call func(out abi.Words) (count int, status int32)) ([]*big.Int, error) {
	out := make(abi.Words, expected*width)
	for {
		count, status := call(out)
		if status != abi.OK {
			return nil, s.failure(status)
		}
		if count*width <= len(out) {
			return numbers(out[:count*width], width, make([]int32, count), nil), nil
		}
		out = make(abi.Words, count*width)
	}
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
func told(room int, call func(text []byte) (needed int, status int32), failure func(int32) error) (string, error) {
	text := make([]byte, room)
	for {
		needed, status := call(text)
		if err := failure(status); err != nil {
			return "", err
		}
		if needed <= len(text) {
			return string(text[:needed-1]), nil
		}
		text = make([]byte, needed)
	}
}
