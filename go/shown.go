package pingala

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"sync/atomic"
)

// shownBits is the length of the longest number that a text shows whole.
const shownBits = 256

// shown is a short number in hexadecimal, or the length of a longer one.
func shown(number *big.Int) string {
	if bits := number.BitLen(); bits > shownBits {
		if number.Sign() < 0 {
			return fmt.Sprintf("a negative number of %d bits", bits)
		}
		return fmt.Sprintf("a number of %d bits", bits)
	}
	return fmt.Sprintf("%#x", number)
}

// String is the number, or its length if it has more than 256 bits.
func (m *Modulus) String() string {
	value := m.of().value()
	switch bits := value.BitLen(); {
	case bits == 0:
		return "<Modulus: not made>"
	case bits > shownBits:
		return fmt.Sprintf("<Modulus of %d bits>", bits)
	}
	return fmt.Sprintf("Modulus(%s)", shown(value))
}

// String is the multiplicity and the length of the factor, without the number.
func (f Factor) String() string {
	if f.Value == nil {
		return "<Factor: nil>"
	}
	return fmt.Sprintf("<Factor of %d bits, multiplicity %d>", f.Value.BitLen(), max(1, f.Multiplicity))
}

// String is the lengths of modulus and exponents, and the plan; no number and no table.
func (f *FixedBase) String() string {
	if f.of() == nil {
		return "<FixedBase: not made>"
	}
	bits := f.modulus.BitLen()
	plan, err := f.Plan()
	if err != nil {
		return fmt.Sprintf("<FixedBase modulo %d bits, closed>", bits)
	}
	return fmt.Sprintf("<FixedBase modulo %d bits, exponents of %d bits: %s>", bits, f.ExponentBits(), plan)
}

// String is the length of the exponent and the number of products of its chain.
func (f *FixedExponent) String() string {
	if f.held() == nil {
		return "<FixedExponent: not made>"
	}
	if f.handle.closed.Load() {
		return fmt.Sprintf("<FixedExponent of %d bits, closed>", f.value.BitLen())
	}
	return fmt.Sprintf("<FixedExponent of %d bits, %d steps>", f.value.BitLen(), f.Len())
}

// String is the length of the modulus.
func (p *FixedPower) String() string {
	if p.of() == nil {
		return "<FixedPower: not made>"
	}
	return fmt.Sprintf("<FixedPower modulo %d bits>", p.modulus.BitLen())
}

// String is the kind of the key, and the length of p or of n.
func (k *PublicKey) String() string {
	switch bits := k.BitLen(); {
	case k.held() == nil:
		return "<PublicKey: not made>"
	case bits == 0:
		return "<PublicKey: closed>"
	case k.IsDSA():
		return fmt.Sprintf("<DSAPublicKey of %d bits>", bits)
	default:
		return fmt.Sprintf("<RSAPublicKey of %d bits>", bits)
	}
}

// String is the settings that are not the default, such as Options{Threads: 2}; of Done the count.
func (o Options) String() string {
	var given []string
	fields := reflect.ValueOf(o)
	for i := range fields.NumField() {
		if fields.Field(i).IsZero() {
			continue
		}
		var text string
		switch value := fields.Field(i).Interface().(type) {
		case *big.Int:
			text = shown(value)
		case *atomic.Uint64:
			text = fmt.Sprint(value.Load())
		case string:
			text = fmt.Sprintf("%q", value)
		default:
			text = fmt.Sprint(value)
		}
		given = append(given, fields.Type().Field(i).Name+": "+text)
	}
	return "Options{" + strings.Join(given, ", ") + "}"
}

func (p Primality) String() string {
	switch p {
	case ProvedPrime:
		return "prime"
	case ProbablePrime:
		return "probably prime"
	}
	return "not prime"
}
