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

// Primality tests n: below 2^64 it proves the answer; above, n passes trial division, the test of Baillie and PSW, then the rounds of Miller
// and Rabin with random bases that the options name, 1 by default. A number below 2 is not prime. Errors: [TooLong], [Interrupted].
func (o Options) Primality(ctx context.Context, n *big.Int) (Primality, error) {
	if err := given("n", n); err != nil {
		return NotPrime, err
	}
	s, err := o.begin(ctx)
	if err != nil {
		return NotPrime, err
	}
	defer s.end()
	if n.Sign() < 0 {
		return NotPrime, nil
	}
	answer, status := abi.IsPrime(n.Bits(), s.options, &s.why)
	if status != abi.OK {
		return NotPrime, s.failure(status)
	}
	return Primality(answer), nil
}

// PrimalityList gives the answer of [Options.Primality] for each number. Numbers of one length are tested side by side, on several threads.
// Errors as there, and [BadArgument] for nil; then no number has an answer.
func (o Options) PrimalityList(ctx context.Context, ns []*big.Int) ([]Primality, error) {
	if missing := missing(ns); missing != nil {
		return nil, missing[0]
	}
	s, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	width := widest(ns)
	flat, negative := rows(ns, width, nil, 1, nil)
	answers, results := make([]byte, len(ns)), make([]Primality, len(ns))
	if status := abi.IsPrimeList(answers, flat, width, len(ns), s.options, &s.why); status != abi.OK {
		return nil, s.failure(status)
	}
	for i, answer := range answers {
		if negative == nil || negative[i] == 0 {
			results[i] = Primality(answer)
		}
	}
	return results, nil
}

// NextPrime is the least prime above n, as sure as [Options.Primality] with 1 round. Errors as there.
func (o Options) NextPrime(ctx context.Context, n *big.Int) (*big.Int, error) {
	if err := given("n", n); err != nil {
		return nil, err
	}
	if n.Sign() < 0 {
		n = new(big.Int)
	}
	// One bit more, or two bits.
	return o.found(ctx, max(2, n.BitLen()+1), Prime{}, func(s *session, out abi.Words) int32 {
		return abi.NextPrime(out, n.Bits(), s.options, &s.why)
	})
}

// PreviousPrime is the greatest prime below n, as sure as [Options.NextPrime]. Error: [BadArgument] for n of 2 or less.
func (o Options) PreviousPrime(ctx context.Context, n *big.Int) (*big.Int, error) {
	if err := given("n", n); err != nil {
		return nil, err
	}
	if n.Sign() < 0 {
		n = new(big.Int)
	}
	return o.found(ctx, max(2, n.BitLen()), Prime{}, func(s *session, out abi.Words) int32 {
		return abi.PreviousPrime(out, n.Bits(), s.options, &s.why)
	})
}

// RandomPrime is a random prime of this length, 2 bits at least, as sure as [Options.Primality] says. It is not for secrets. Errors:
// [BadArgument] if no prime fits, [TooLong], [Interrupted].
func (o Options) RandomPrime(ctx context.Context, bits int, p Prime) (*big.Int, error) {
	if err := o.checkLength(bits); err != nil {
		return nil, err
	}
	return o.found(ctx, bits, p, func(s *session, out abi.Words) int32 {
		return abi.RandomPrime(out, uint64(bits), p.conditions(), s.options, &s.why)
	})
}

// ProvedPrime is a random prime as of [Options.RandomPrime], which is built from smaller ones, with the certificate that proves it:
// [Options.CheckCertificate] reads it. These primes are fewer than all, so that Uniform is an error.
func (o Options) ProvedPrime(ctx context.Context, bits int, p Prime) (prime *big.Int, certificate string, err error) {
	if err := o.checkLength(bits); err != nil {
		return nil, "", err
	}
	text := make([]byte, certificateBytes+4*bits)
	needed := 0
	prime, err = o.found(ctx, bits, p, func(s *session, out abi.Words) (status int32) {
		needed, status = abi.RandomProvedPrime(out, text, uint64(bits), p.conditions(), s.options, &s.why)
		return status
	})
	if err != nil {
		return nil, "", err
	}
	return prime, string(text[:needed-1]), nil
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

// Certify proves that n is prime by prime factors of n - 1: those given, those below 2^16, and what Pollard's methods find soon. They
// need a product of a third of the length of n. Errors: [BadArgument] if n is not prime or too little of n - 1 is factored, [TooLong],
// [Interrupted].
func (o Options) Certify(ctx context.Context, n *big.Int, factors ...*big.Int) (string, error) {
	for _, number := range append([]*big.Int{n}, factors...) {
		if number == nil || number.Sign() < 0 {
			return "", badArgument("a number is nil or negative")
		}
	}
	s, err := o.begin(ctx)
	if err != nil {
		return "", err
	}
	defer s.end()
	width := widest(factors)
	flat, _ := rows(factors, width, nil, 0, nil)
	text := make([]byte, certificateBytes+4*n.BitLen())
	for {
		needed, status := abi.Certify(text, n.Bits(), flat, width, len(factors), s.options, &s.why)
		if status != abi.OK {
			return "", s.failure(status)
		}
		if needed <= len(text) {
			return string(text[:needed-1]), nil
		}
		text = make([]byte, needed)
	}
}

// CheckCertificate checks every step of a certificate and returns the prime that it proves. Errors: [BadArgument] for a text that proves
// nothing, [TooLong], [Interrupted].
func (o Options) CheckCertificate(ctx context.Context, certificate string) (*big.Int, error) {
	// No number of the text has more digits than that.
	return o.found(ctx, 4*len(certificate)+1, Prime{}, func(s *session, out abi.Words) int32 {
		return abi.CheckCertificate(out, []byte(certificate), s.options, &s.why)
	})
}

// Jacobi is the Jacobi symbol (x/y): 1, -1, or 0 if x and y have a common factor. Error: [BadArgument] unless y is odd and positive.
func Jacobi(x, y *big.Int) (int, error) {
	if x == nil || y == nil || y.Sign() < 0 {
		return 0, badArgument("x or y is nil, or y is negative")
	}
	if err := abi.Load(); err != nil {
		return 0, err
	}
	why := new(abi.Why)
	symbol, status := abi.Jacobi(x.Bits(), y.Bits(), flag(x, abi.NegativeBase), why)
	return int(symbol), failure(status, why)
}

// JacobiList gives the Jacobi symbol (xs[i]/ys[i]) for each i; a list of one y serves all. Error: [BadArgument] for nil, for lists of
// different lengths, and unless each y is odd and positive.
func JacobiList(xs, ys []*big.Int) ([]int, error) {
	if len(ys) != len(xs) && len(ys) != 1 {
		return nil, badArgument("%d numbers below for %d above", len(ys), len(xs))
	}
	for _, missing := range []ListError{missing(xs), missing(ys)} {
		if missing != nil {
			return nil, missing[0]
		}
	}
	for i, y := range ys {
		if y.Sign() < 0 {
			return nil, &ElementError{i, badArgument("the number below is negative")}
		}
	}
	if err := abi.Load(); err != nil {
		return nil, err
	}
	width, below := widest(xs), widest(ys)
	above, flags := rows(xs, width, nil, abi.NegativeBase, nil)
	flat, _ := rows(ys, below, nil, 0, nil)
	found, symbols, why := make([]int32, len(xs)), make([]int, len(xs)), new(abi.Why)
	if status := abi.JacobiList(found, above, width, flat, below, len(ys), len(xs), flags, why); status != abi.OK {
		return nil, failure(status, why)
	}
	for i, symbol := range found {
		symbols[i] = int(symbol)
	}
	return symbols, nil
}

// SqrtMod is the lesser square root of x modulo a prime p, at most (p - 1) / 2. It is squared before it is returned. Errors:
// [BadArgument] if x is no square modulo p, or if no root is found because p is no prime; [ZeroModulus], [TooLong], [Interrupted].
func (o Options) SqrtMod(ctx context.Context, x, p *big.Int) (*big.Int, error) {
	if x == nil || p == nil || p.Sign() < 0 {
		return nil, badArgument("x or p is nil, or p is negative")
	}
	return o.found(ctx, p.BitLen(), Prime{}, func(s *session, out abi.Words) int32 {
		return abi.SqrtMod(out, x.Bits(), p.Bits(), flag(x, abi.NegativeBase), s.options, &s.why)
	})
}

// SqrtModList gives the lesser square root of xs[i] modulo ps[i] for each i, as [Options.SqrtMod] has it, with all powers side by side; a list
// of one prime serves all. Errors of elements as of [Modulus.ExpMany]; a number that is too long is an error of the call.
func (o Options) SqrtModList(ctx context.Context, xs, ps []*big.Int) ([]*big.Int, error) {
	if len(ps) != len(xs) && len(ps) != 1 {
		return nil, badArgument("%d primes for %d numbers", len(ps), len(xs))
	}
	for i, p := range ps {
		if p == nil || p.Sign() < 0 {
			return nil, &ElementError{i, badArgument("the prime is nil or negative")}
		}
	}
	s, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	width, primeWidth := widest(xs), widest(ps)
	values, flags := rows(xs, width, nil, abi.NegativeBase, nil)
	primes, _ := rows(ps, primeWidth, nil, 0, nil)
	l := &listCall{session: s}
	return l.list(len(xs), primeWidth, missing(xs), func() int32 {
		return abi.SqrtModList(l.out, primeWidth, values, width, primes, primeWidth, len(ps), len(xs), l.statuses, flags, s.options, &s.why)
	})
}

// PrimesBetween gives the primes from a on and below b, in order, as sure as [Options.NextPrime]. Errors as there, and [TooLong] for a list
// of more than 2^30 bytes.
func (o Options) PrimesBetween(ctx context.Context, a, b *big.Int) ([]*big.Int, error) {
	if a == nil || b == nil {
		return nil, badArgument("a or b is nil")
	}
	s, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	bounds := [2]*big.Int{a, b}
	for i, bound := range bounds {
		if bound.Sign() < 0 {
			bounds[i] = new(big.Int)
		}
	}
	width := max(1, len(bounds[1].Bits()))
	var out abi.Words
	// Room for an interval of a thousand numbers; a longer list tells what it takes.
	if distance := new(big.Int).Sub(bounds[1], bounds[0]); distance.Sign() > 0 {
		out = make(abi.Words, width*int(min(distance.Uint64(), 1000)))
	}
	for {
		count, status := abi.PrimesBetween(out, width, bounds[0].Bits(), bounds[1].Bits(), s.options, &s.why)
		if status != abi.OK {
			return nil, s.failure(status)
		}
		if count*width <= len(out) {
			return numbers(out[:count*width], width, make([]int32, count), nil), nil
		}
		out = make(abi.Words, count*width)
	}
}

// checkLength looks at a length before memory is taken for it.
func (o *Options) checkLength(bits int) error {
	limit := o.ModulusBits
	if limit == 0 {
		limit = 1 << 24
	}
	if bits < 2 {
		return badArgument("a prime of %d bits", bits)
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
	if p.Residue == nil || p.Divisor == nil || p.Divisor.Sign() <= 0 {
		return badArgument("a residue needs a positive divisor, and a divisor a residue")
	}
	residue := new(big.Int).Mod(p.Residue, p.Divisor)
	if status := abi.OptionsSetPrimeResidue(s.options, residue.Bits(), p.Divisor.Bits()); status != abi.OK {
		return s.failure(status)
	}
	return nil
}

// found runs a call that writes a number of at most these bits.
func (o *Options) found(ctx context.Context, bits int, p Prime, call func(*session, abi.Words) int32) (*big.Int, error) {
	s, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	if err := s.setPrime(p); err != nil {
		return nil, err
	}
	out := make(abi.Words, (bits+8*wordBytes-1)/(8*wordBytes))
	if status := call(s, out); status != abi.OK {
		return nil, s.failure(status)
	}
	return new(big.Int).SetBits(out), nil
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
		out[i] = make(abi.Words, (bits+8*wordBytes-1)/(8*wordBytes))
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
