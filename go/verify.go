package pingala

import (
	"context"
	"crypto"
	"fmt"
	"math/big"
	"strings"

	"example.org/pingala/internal/abi"
)

// Scheme is a signature scheme.
type Scheme uint32

// The schemes.
const (
	DSA         Scheme = 1 // FIPS 186-4
	RSAPKCS1v15 Scheme = 2 // RSASSA-PKCS1-v1_5
	RSAPSS      Scheme = 3 // RSASSA-PSS
)

// Encoding is that of signatures. Those of RSA are as wide as n with the first three.
type Encoding uint32

// The encodings.
const (
	DER     Encoding = 0       // a sequence of two integers, exactly
	P1363   Encoding = 1 << 24 // r and s, each as wide as q, one after the other
	Lenient Encoding = 1 << 26 // DER whose integers may be padded and whose lengths may be long
	SSH     Encoding = 1 << 25 // OpenSSH: the name of the algorithm and a blob, both with their lengths
	OpenPGP Encoding = 1 << 27 // OpenPGP: r and s, or s, each behind its length in bits
)

// Policy says which keys and hash functions are accepted.
type Policy uint32

// The policies.
const (
	Legacy Policy = 0       // all, up to 10,000 bits for DSA and 16,384 for RSA
	Strict Policy = 1 << 28 // those of FIPS 186
	Modern Policy = 1 << 29 // those of FIPS 186, and no weakness: no SHA-1, no key below 112 bits of security
)

// The reasons of a [Verdict] that are no codes of errors.
const (
	Mismatch    Code = "mismatch"      // another message, another key, or no signature
	BadEncoding Code = "bad_encoding"  // the bytes are not in the stated encoding
	OutOfRange  Code = "out_of_range"  // a number of the signature is out of range
	Refused     Code = "policy"        // the policy refuses the key or the hash function, or the key refuses the scheme
	KeyTooShort Code = "key_too_short" // the key is too short for the padding
)

// Weaknesses is a set of bits, each a weakness of a key with a hash function.
type Weaknesses uint32

// The weaknesses.
const (
	ShortKey      Weaknesses = 1 << iota // less than 112 bits of security
	BrokenHash                           // SHA-1
	OddSizes                             // lengths that FIPS 186 does not have
	SmallExponent                        // a public exponent below 65537
	ShortDigest                          // a digest shorter than q
)

// String has the stable names.
func (w Weaknesses) String() string {
	return names(uint32(w), "short_key", "sha1", "odd_sizes", "small_exponent", "short_digest")
}

// Defects is a set of bits, each something that is wrong with a key.
type Defects uint32

// String has the stable names.
func (d Defects) String() string {
	return names(uint32(d), "order_does_not_divide", "generator_not_in_subgroup", "public_value_not_in_subgroup", "field_not_prime",
		"order_not_prime", "modulus_prime", "small_factor", "modulus_power")
}

func names(set uint32, of ...string) string {
	var found []string
	for bit, name := range of {
		if set>>bit&1 != 0 {
			found = append(found, name)
		}
	}
	return strings.Join(found, ", ")
}

// Verdict is what is said of a signature. The zero value is not valid.
type Verdict struct {
	Valid      bool
	Reason     Code       // why it is not valid; "" if it is
	Weaknesses Weaknesses // of the key and the hash function, whether the signature is valid or not
}

// PublicKey is a key of DSA or RSA. It never changes, so any goroutines may use it at the same time.
type PublicKey struct{ handle *handle }

// NewDSAKey makes a key of DSA after checking the ranges of its numbers. Errors: [BadArgument], [TooLong].
func NewDSAKey(p, q, g, y *big.Int) (*PublicKey, error) {
	return newKey([]*big.Int{p, q, g, y}, func(n [][]byte, why *abi.Why) (abi.Handle, int32) {
		return abi.KeyNewDsa(n[0], n[1], n[2], n[3], why)
	})
}

// NewRSAKey makes a key of RSA after checking the ranges of its numbers. Errors: [BadArgument], [TooLong].
func NewRSAKey(n, e *big.Int) (*PublicKey, error) {
	return newKey([]*big.Int{n, e}, func(n [][]byte, why *abi.Why) (abi.Handle, int32) {
		return abi.KeyNewRsa(n[0], n[1], why)
	})
}

// LoadKey makes a key from the bytes of a file: PEM or DER of a SubjectPublicKeyInfo, of PKCS#1 or of an X.509 certificate, or a line
// of OpenSSH. What restricts a key is obeyed ([PublicKey.PSS]), or the key is refused. Errors as [NewDSAKey].
func LoadKey(data []byte) (*PublicKey, error) {
	return newKey(nil, func(_ [][]byte, why *abi.Why) (abi.Handle, int32) { return abi.KeyLoad(data, why) })
}

func newKey(numbers []*big.Int, make func([][]byte, *abi.Why) (abi.Handle, int32)) (*PublicKey, error) {
	if err := abi.Load(); err != nil {
		return nil, err
	}
	var bytes [][]byte
	names := "pqgy"
	if len(numbers) == 2 {
		names = "ne"
	}
	for i, number := range numbers {
		if err := natural(names[i:i+1], number); err != nil {
			return nil, err
		}
		bytes = append(bytes, number.Bytes())
	}
	why := new(abi.Why)
	made, status := make(bytes, why)
	if err := failure(status, why); err != nil {
		return nil, err
	}
	return &PublicKey{own(made, abi.KeyFree)}, nil
}

// Close frees the memory as soon as no call uses it. Later calls return [ErrClosed]; a second Close does nothing.
func (k *PublicKey) Close() { k.held().close() }

// held is the handle, or nil if there is none.
func (k *PublicKey) held() *handle {
	if k == nil {
		return nil
	}
	return k.handle
}

// IsDSA reports whether the key is one of DSA; otherwise it is one of RSA.
func (k *PublicKey) IsDSA() bool { return Scheme(ask(k.held(), abi.KeyKind)) == DSA }

// PSS reports whether the key is of type id-RSASSA-PSS. Such a key verifies only [RSAPSS], with this hash function, this one of the mask and
// salts of at least `salt` bytes, or with any if salt is 0; everything else has the reason [Refused].
func (k *PublicKey) PSS() (hash, mgf crypto.Hash, salt int, ok bool) {
	memory, err := k.held().acquire()
	if err != nil {
		return 0, 0, 0, false
	}
	defer k.handle.release()
	least := abi.KeySalt(memory)
	if least < 0 {
		return 0, 0, 0, false
	}
	scheme := abi.KeyScheme(memory, uint32(RSAPSS))
	return hashOf(scheme >> 8 & 0xff), hashOf(scheme >> 16 & 0xff), int(least), true
}

// BitLen is the length of p, or of n, in bits; 0 after Close.
func (k *PublicKey) BitLen() int { return int(ask(k.held(), abi.KeyBits)) }

// Weaknesses tells why a valid signature by this key and hash function may still be refused; 0 after Close, and for a hash function that
// the library does not have.
func (k *PublicKey) Weaknesses(hash crypto.Hash) Weaknesses {
	return Weaknesses(ask(k.held(), func(memory abi.Handle) uint32 { return abi.KeyWeaknesses(memory, hashes[hash]<<8) }))
}

// Depth says how deep [PublicKey.Validate] looks. Each depth includes those before.
type Depth uint32

// The depths.
const (
	Ranges   Depth = iota // what the constructor has checked already
	Subgroup              // DSA: q divides p - 1, and g and y have order q
	Primes                // p and q are prime; n is composite and has no small factor
)

// Validate tells what is wrong with a key, as far as this depth shows; 0 for a sound key. Verifying does not do this: do it once for
// each key that is not trusted.
func (k *PublicKey) Validate(depth Depth) (Defects, error) {
	return k.ValidateContext(context.Background(), depth)
}

// ValidateContext is [PublicKey.Validate] with a context: the primality of the longest keys takes seconds. Error: [Interrupted].
func (k *PublicKey) ValidateContext(ctx context.Context, depth Depth) (Defects, error) {
	if k.held() == nil {
		return 0, errNotMade
	}
	memory, s, done, err := k.handle.begin(ctx, &Options{})
	if err != nil {
		return 0, err
	}
	defer done()
	defects, status := abi.KeyValidate(memory, uint32(depth), s.options, &s.why)
	if status != abi.OK {
		return 0, s.failure(status)
	}
	return Defects(defects), nil
}

// Check is a signature with its key and its message.
type Check struct {
	Key       *PublicKey
	Scheme    Scheme
	Hash      crypto.Hash // with RSAPSS 0 for that of the key, or SHA-256
	Message   []byte      // hashed here, unless there is a Digest
	Digest    []byte      // of the message
	Signature []byte
	Encoding  Encoding
	MGF       crypto.Hash // of the mask of PSS; 0 for that of the key, or Hash
	// Salt is the length of the salt of PSS as crypto/rsa has it: 0 for any (PSSSaltLengthAuto), -1 for that of the digest
	// (PSSSaltLengthEqualsHash), or the number of bytes.
	Salt int
}

// hashes are the numbers that the library gives to hash functions.
var hashes = map[crypto.Hash]uint32{
	crypto.SHA1: 1, crypto.SHA224: 2, crypto.SHA256: 3, crypto.SHA384: 4, crypto.SHA512: 5, crypto.SHA512_224: 6,
	crypto.SHA512_256: 7, crypto.SHA3_224: 8, crypto.SHA3_256: 9, crypto.SHA3_384: 10, crypto.SHA3_512: 11,
}

// hashOf is the hash function with a number of the library; 0 for none.
func hashOf(number uint32) crypto.Hash {
	for hash, its := range hashes {
		if its == number {
			return hash
		}
	}
	return 0
}

// group is what the checks of one call of the library have in common.
type group struct {
	scheme uint32
	width  int
	salt   int64
}

// group of a check; an error for one that cannot be asked.
func (c *Check) group(p Policy) (group, error) {
	if c.Key.held() == nil {
		return group{}, badArgument("the check has no key")
	}
	named := c.Hash
	if named == 0 && c.Scheme == RSAPSS {
		memory, err := c.Key.handle.acquire()
		if err != nil {
			return group{}, err
		}
		named = hashOf(abi.KeyScheme(memory, uint32(RSAPSS)) >> 8 & 0xff)
		c.Key.handle.release()
	}
	hash, ok := hashes[named]
	mgf, mgfOk := hashes[c.MGF]
	switch {
	case c.Scheme > 0xff || c.Encoding&^(P1363|Lenient|SSH|OpenPGP) != 0 || p&^(Strict|Modern) != 0:
		return group{}, badArgument("scheme %#x, encoding %#x, policy %#x: not all are constants of this package", c.Scheme, c.Encoding, p)
	case !ok || c.MGF != 0 && !mgfOk:
		return group{}, badArgument("the hash function %v is none of SHA-1, SHA-2 and SHA-3", c.Hash)
	case c.Digest != nil && len(c.Digest) != named.Size():
		return group{}, badArgument("a digest of %d bytes; %v has %d", len(c.Digest), named, named.Size())
	case c.Salt < -1:
		return group{}, badArgument("Salt is %d; expected a length, 0 for any, or -1 for that of the digest", c.Salt)
	}
	g := group{scheme: uint32(c.Scheme) | hash<<8 | uint32(p) | uint32(c.Encoding), width: named.Size(), salt: -1}
	if c.Scheme == RSAPSS {
		g.scheme |= mgf << 16
		if c.Salt == -1 {
			g.salt = int64(g.width)
		} else if c.Salt > 0 {
			g.salt = int64(c.Salt)
		}
	}
	return g, nil
}

// VerifyList verifies signatures of any mix of keys and schemes. Signatures of one key, and of keys with the same domain parameters,
// share work. A verdict never comes as an error: an error, such as [Interrupted] or a check without a key, is one of the whole call, and
// there are no verdicts then. A key that does not suit its scheme is a verdict with the reason [BadArgument].
func VerifyList(ctx context.Context, checks []Check, p Policy) ([]Verdict, error) {
	return Options{}.VerifyList(ctx, checks, p)
}

// VerifyList is [VerifyList] with options.
func (o Options) VerifyList(ctx context.Context, checks []Check, p Policy) ([]Verdict, error) {
	verdicts := make([]Verdict, len(checks))
	err := o.inGroups(ctx, checks, p, func(l *laidOut, members []int, s *session) error {
		valid, statuses := make([]byte, len(members)), make([]int32, len(members))
		status := abi.VerifyList(valid, statuses, l.keys, l.keyOf, l.digests, l.width, l.signatures, l.ends, len(l.ends), l.scheme, s.options, &s.why)
		if status != abi.OK {
			return s.failure(status)
		}
		for i, member := range members {
			verdict := Verdict{Valid: valid[i] == 1, Weaknesses: l.weaknesses[l.keyOf[i]]}
			if !verdict.Valid {
				verdict.Reason = Code(abi.StatusName(statuses[i]))
			}
			verdicts[member] = verdict
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return verdicts, nil
}

// ExplainVerifyList tells how [VerifyList] would go about these signatures: a line for what shares work, with its expected time on one
// thread. Errors as [VerifyList].
func ExplainVerifyList(checks []Check, p Policy) (string, error) {
	var lines []string
	err := Options{}.inGroups(context.Background(), checks, p, func(l *laidOut, _ []int, s *session) error {
		text, err := told(0, func(text []byte) (int, int32) {
			return abi.ExplainVerifyList(text, l.keys, l.keyOf, l.digests, l.width, l.signatures, l.ends, len(l.ends), l.scheme, s.options, &s.why)
		}, s.failure)
		lines = append(lines, text)
		return err
	})
	return strings.Join(lines, "\n"), err
}

// inGroups calls the library once for the checks of each scheme, with their places.
func (o Options) inGroups(ctx context.Context, checks []Check, p Policy, call func(*laidOut, []int, *session) error) error {
	var order []group
	members := make(map[group][]int)
	for i := range checks {
		if i%1024 == 1023 && ctx != nil && ctx.Err() != nil {
			break // which begin will tell
		}
		g, err := checks[i].group(p)
		if err != nil {
			return &ElementError{i, err}
		}
		if members[g] == nil {
			order = append(order, g)
		}
		members[g] = append(members[g], i)
	}
	for _, g := range order {
		if err := g.lay(ctx, &o, checks, members[g], call); err != nil {
			return err
		}
	}
	return nil
}

// laidOut is a group's checks as the library takes them.
type laidOut struct {
	group
	keys       []abi.Handle
	weaknesses []Weaknesses
	keyOf      []uint32
	digests    []byte
	ends       []uint64
	signatures []byte
}

// lay calls the library for a group's members.
func (g group) lay(ctx context.Context, o *Options, checks []Check, members []int, call func(*laidOut, []int, *session) error) error {
	s, err := o.begin(ctx)
	if err != nil {
		return err
	}
	defer s.end()
	if status := abi.OptionsSetSalt(s.options, g.salt); status != abi.OK {
		return s.failure(status)
	}
	l := laidOut{group: g, keyOf: make([]uint32, len(members)), digests: make([]byte, len(members)*g.width), ends: make([]uint64, len(members))}
	seen := make(map[*handle]uint32)
	for i, member := range members {
		if ctx.Err() != nil { // messages may be long
			return s.failure(abi.Interrupted)
		}
		check := &checks[member]
		index, ok := seen[check.Key.handle]
		if !ok {
			memory, err := check.Key.handle.acquire()
			if err != nil {
				return &ElementError{member, err}
			}
			defer check.Key.handle.release()
			index = uint32(len(l.keys))
			seen[check.Key.handle] = index
			l.keys = append(l.keys, memory)
			l.weaknesses = append(l.weaknesses, Weaknesses(abi.KeyWeaknesses(memory, g.scheme)))
		}
		l.keyOf[i] = index
		digest := l.digests[i*g.width : (i+1)*g.width]
		if check.Digest != nil {
			copy(digest, check.Digest)
		} else if _, status := abi.Hash(digest, g.scheme, check.Message, &s.why); status != abi.OK {
			return s.failure(status)
		}
		l.signatures = append(l.signatures, check.Signature...)
		l.ends[i] = uint64(len(l.signatures))
	}
	return call(&l, members, s)
}

func (v Verdict) String() string {
	if v.Valid {
		return "valid"
	}
	return fmt.Sprintf("not valid: %s", string(v.Reason))
}
