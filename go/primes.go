package pingala

import (
	"context"
	"fmt"
	"math/big"

	"example.org/pingala/internal/abi"
)

// Primality is the answer of a test.
type Primality uint8

const (
	// NotPrime is certain.
	NotPrime Primality = abi.NotPrime
	// ProbablePrime is a number above 2^64 that passed every test: composite with probability 4**-rounds at most, whoever chose it.
	ProbablePrime Primality = abi.ProbablePrime
	// ProvedPrime is a prime, as every one below 2^64 is proved.
	ProvedPrime Primality = abi.ProvedPrime
)

// IsPrime tells whether a number is a prime or a probable prime.
func (p Primality) IsPrime() bool { return p != NotPrime }

// Prime has conditions on random primes. The zero value has none.
type Prime struct {
	// Safe: (p - 1) / 2 is prime too.
	Safe bool
	// TwoTopBits: the two highest bits are set, so that a product of two such primes has twice their length.
	TwoTopBits bool
	// Uniform: each prime that fits has the same probability. Otherwise a random interval is sieved and one of its primes is taken,
	// which loses 3 bits of entropy at most. Secret primes are always uniform.
	Uniform bool
	// Residue and Divisor: p = Residue modulo Divisor; nil for both for any.
	Residue, Divisor *big.Int
}

// Estimate is how long a search for a random prime is expected to take. The time of a search is random: one in a hundred takes 4.6 times as
// long.
type Estimate struct {
	Tests   float64 // numbers that are tested
	Seconds float64 // of these tests, on the threads of the options
}

// PairKind is what two secret primes are for.
type PairKind uint32

const (
	// PairRSA is for RSA: p - 1 and q - 1 have no divisor in common with the public exponent.
	PairRSA PairKind = iota + 1
	// PairPaillier is for Paillier's cryptosystem.
	PairPaillier
	// PairSafe has safe primes.
	PairSafe
)

// ProvedPrime is a random prime as of [Options.RandomPrime], which is built from smaller ones, with the certificate that proves it:
// [Options.CheckCertificate] reads it. These primes are fewer than all, so that Uniform is an error.
func (o Options) ProvedPrime(ctx context.Context, bits int, p Prime) (prime *big.Int, certificate string, err error) {
	if err := o.checkLength(bits); err != nil {
		return nil, "", err
	}
	s, err := o.begin(ctx)
	if err != nil {
		return nil, "", err
	}
	defer s.end()
	if err := s.setPrime(p); err != nil {
		return nil, "", err
	}
	out, text := make(abi.Words, wordsOf(bits)), make([]byte, certificateBytes+4*bits)
	needed, status := abi.RandomProvedPrime(out, text, uint64(bits), p.conditions(), s.options, &s.why)
	if status != abi.OK {
		return nil, "", s.failure(status)
	}
	return new(big.Int).SetBits(out), string(text[:needed-1]), nil
}

// certificateBytes is room for the lines of a certificate besides the numbers.
const certificateBytes = 4096

// SecretPrime is a secret random prime of this length, 64 bits at least, as big-endian bytes, by FIPS 186-5, A.1.3: candidates are drawn
// afresh and tested in constant time, by so many rounds of Miller and Rabin that the error is below 2^-112, unless the options name
// them. The library and this function wipe their copies; clear yours. Errors as of [Options.RandomPrime].
func (o Options) SecretPrime(ctx context.Context, bits int, p Prime) ([]byte, error) {
	if err := o.checkLength(bits); err != nil {
		return nil, err
	}
	secrets, err := o.secrets(ctx, bits, 1, p, func(s *session, out [2]abi.Words) int32 {
		return abi.RandomSecretPrime(out[0], uint64(bits), p.conditions(), s.options, &s.why)
	})
	return secrets[0], err
}

// PrimePair is two secret primes as of [Options.SecretPrime], of equal lengths, whose product has exactly modulusBits bits, an even number
// from 128 on; they are as far apart as FIPS 186-5 wants it. The public exponent is that of RSA, odd and at least 3, otherwise 0.
func (o Options) PrimePair(ctx context.Context, modulusBits int, kind PairKind, publicExponent uint64) (p, q []byte, err error) {
	if err := o.checkLength(modulusBits); err != nil {
		return nil, nil, err
	}
	pair, err := o.secrets(ctx, (modulusBits+1)/2, 2, Prime{}, func(s *session, out [2]abi.Words) int32 {
		return abi.PrimePair(out[0], out[1], uint64(modulusBits), uint32(kind), publicExponent, s.options, &s.why)
	})
	return pair[0], pair[1], err
}

// checkLength looks at a length before memory is taken for it.
func (o *Options) checkLength(bits int) error {
	limit := o.ModulusBits
	if limit == 0 {
		limit = 1 << 24
	}
	if bits < 2 {
		return badArgument("bits is %d; expected 2 or more", bits)
	}
	if uint64(bits) > limit {
		return &Error{Code: TooLong, Message: fmt.Sprintf("too long: a number of %d bits, the limit is %d", bits, limit)}
	}
	return nil
}

func (p *Prime) conditions() (flags uint32) {
	for _, condition := range []struct {
		wanted bool
		flag   uint32
	}{{p.Safe, abi.SafePrime}, {p.TwoTopBits, abi.TwoTopBits}, {p.Uniform, abi.UniformPrime}} {
		if condition.wanted {
			flags |= condition.flag
		}
	}
	return flags
}

// setPrime sets the residue.
func (s *session) setPrime(p Prime) error {
	if p.Residue == nil && p.Divisor == nil {
		return nil
	}
	if p.Residue == nil || p.Divisor == nil {
		return badArgument("Residue is %v and Divisor %v; expected both or neither", p.Residue, p.Divisor)
	}
	if p.Divisor.Sign() <= 0 {
		return badArgument("Divisor is %s; expected 1 or more", shown(p.Divisor))
	}
	residue := new(big.Int).Mod(p.Residue, p.Divisor)
	if status := abi.OptionsSetPrimeResidue(s.options, residue.Bits(), p.Divisor.Bits()); status != abi.OK {
		return s.failure(status)
	}
	return nil
}

// secrets runs a call that writes one or two secret numbers of these bits, and makes bytes of them; no value is looked at.
func (o *Options) secrets(ctx context.Context, bits, count int, p Prime, call func(*session, [2]abi.Words) int32) (secrets [2][]byte, err error) {
	s, err := o.begin(ctx)
	if err != nil {
		return secrets, err
	}
	defer s.end()
	var out [2]abi.Words
	for i := range count {
		out[i] = make(abi.Words, wordsOf(bits))
		defer clear(out[i])
	}
	if err := s.setPrime(p); err != nil {
		return secrets, err
	}
	if status := call(s, out); status != abi.OK {
		return secrets, s.failure(status)
	}
	size := (bits + 7) / 8
	for i := range count {
		secrets[i] = make([]byte, size)
		for j := range size {
			secrets[i][size-1-j] = byte(out[i][j/wordBytes] >> (8 * (j % wordBytes)))
		}
	}
	return secrets, nil
}
