package pingala

import (
	"context"
	"crypto"
	"crypto/dsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

// dsaKey is a new key of 1024 and 160 bits.
func dsaKey(t testing.TB, domain *dsa.Parameters) (*dsa.PrivateKey, *PublicKey) {
	t.Helper()
	private := &dsa.PrivateKey{PublicKey: dsa.PublicKey{Parameters: *domain}}
	if err := dsa.GenerateKey(private, rand.Reader); err != nil {
		t.Fatal(err)
	}
	public, err := NewDSAKey(private.P, private.Q, private.G, private.Y)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(public.Close)
	return private, public
}

func domain(t testing.TB) *dsa.Parameters {
	t.Helper()
	parameters := new(dsa.Parameters)
	if err := dsa.GenerateParameters(parameters, rand.Reader, dsa.L1024N160); err != nil {
		t.Fatal(err)
	}
	return parameters
}

func rsaKey(t testing.TB, bits int) (*rsa.PrivateKey, *PublicKey) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	public, err := NewRSAKey(private.N, big.NewInt(int64(private.E)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(public.Close)
	return private, public
}

// check is a signature that Go's standard library made.
func check(t testing.TB, i int, private any, public *PublicKey) Check {
	t.Helper()
	message := fmt.Appendf(nil, "message %d", i)
	digest := sha256.Sum256(message)
	c := Check{Key: public, Hash: crypto.SHA256, Message: message}
	if i%2 == 1 {
		c.Message, c.Digest = nil, digest[:]
	}
	var err error
	switch private := private.(type) {
	case *dsa.PrivateKey:
		var r, s *big.Int
		if r, s, err = dsa.Sign(rand.Reader, private, digest[:20]); err != nil {
			t.Fatal(err)
		}
		c.Scheme = DSA
		if i%3 == 0 {
			c.Encoding = P1363
			c.Signature = append(r.FillBytes(make([]byte, 20)), s.FillBytes(make([]byte, 20))...)
		} else {
			c.Signature, err = asn1.Marshal(struct{ R, S *big.Int }{r, s})
		}
	case *rsa.PrivateKey:
		if i%3 == 0 {
			c.Scheme = RSAPKCS1v15
			c.Signature, err = rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, digest[:])
		} else {
			c.Scheme = RSAPSS
			c.Salt = rsa.PSSSaltLengthEqualsHash * (i % 2)
			c.Signature, err = rsa.SignPSS(rand.Reader, private, crypto.SHA256, digest[:], &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSignaturesOfTheStandardLibrary(t *testing.T) {
	shared := domain(t)
	type pair struct {
		private any
		public  *PublicKey
	}
	var keys []pair
	for range 3 {
		private, public := dsaKey(t, shared)
		keys = append(keys, pair{private, public})
	}
	other, public := dsaKey(t, domain(t))
	keys = append(keys, pair{other, public})
	for range 2 {
		private, public := rsaKey(t, 1024)
		keys = append(keys, pair{private, public})
	}
	long, public := rsaKey(t, 2048)
	keys = append(keys, pair{long, public})

	var checks []Check
	for i := range 120 {
		key := keys[i%len(keys)]
		checks = append(checks, check(t, i, key.private, key.public))
	}
	verdicts, err := VerifyList(context.Background(), checks, Legacy)
	if err != nil {
		t.Fatal(err)
	}
	for i, verdict := range verdicts {
		if !verdict.Valid || verdict.Reason != "" {
			t.Fatal(i, verdict)
		}
		if weak := verdict.Weaknesses&ShortKey != 0; weak != (checks[i].Key != public) {
			t.Fatal(i, verdict.Weaknesses)
		}
	}
	// Each third one is spoiled in another way; the others stay valid.
	for i := 0; i < len(checks); i += 3 {
		signature := append([]byte(nil), checks[i].Signature...)
		switch i % 2 {
		case 0:
			signature[len(signature)-1] ^= 1
			checks[i].Signature = signature
		default:
			checks[i].Signature = signature[:len(signature)-1]
		}
	}
	verdicts, err = Options{Threads: 1}.VerifyList(context.Background(), checks, Legacy)
	if err != nil {
		t.Fatal(err)
	}
	for i, verdict := range verdicts {
		if verdict.Valid != (i%3 != 0) || verdict.Valid != (verdict.Reason == "") {
			t.Fatal(i, verdict)
		}
		if i%6 == 3 && verdict.Reason != BadEncoding {
			t.Fatal(i, verdict)
		}
	}
	verdicts, err = VerifyList(context.Background(), checks[:12], Strict)
	if err != nil {
		t.Fatal(err)
	}
	for i, verdict := range verdicts {
		if i%3 != 0 && !verdict.Valid && verdict.Reason != Refused {
			t.Fatal(i, verdict)
		}
	}
}

func TestEncodingsOfOtherPrograms(t *testing.T) {
	private, public := rsaKey(t, 1024)
	c := check(t, 3, private, public)
	wire := func(part []byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(part))), part...)
	}
	number := new(big.Int).SetBytes(c.Signature)
	ssh, pgp := c, c
	ssh.Encoding, ssh.Signature = SSH, append(wire([]byte("rsa-sha2-256")), wire(c.Signature)...)
	pgp.Encoding, pgp.Signature = OpenPGP, append(binary.BigEndian.AppendUint16(nil, uint16(number.BitLen())), number.Bytes()...)
	swapped := ssh
	swapped.Signature = pgp.Signature
	verdicts, err := VerifyList(context.Background(), []Check{c, ssh, pgp, swapped}, Legacy)
	if err != nil || !verdicts[0].Valid || !verdicts[1].Valid || !verdicts[2].Valid || verdicts[3].Reason != BadEncoding {
		t.Fatal(verdicts, err)
	}
	c.Encoding = SSH | OpenPGP
	if _, err := VerifyList(context.Background(), []Check{c}, Legacy); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
}

// Messages of a hundred gigabytes in all, of which few are hashed before the context ends.
func TestAContextEndsWhileMessagesAreHashed(t *testing.T) {
	_, public := rsaKey(t, 1024)
	checks, message := make([]Check, 100_000), make([]byte, 1<<20)
	for i := range checks {
		checks[i] = Check{Key: public, Scheme: RSAPKCS1v15, Hash: crypto.SHA256, Message: message}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if verdicts, err := VerifyList(ctx, checks, Legacy); !errors.Is(err, context.DeadlineExceeded) || verdicts != nil {
		t.Fatal(len(verdicts), err)
	}
}

func TestKeys(t *testing.T) {
	private, public := rsaKey(t, 1024)
	if public.IsDSA() || public.BitLen() != 1024 {
		t.Fatal(public.IsDSA(), public.BitLen())
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{der, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})} {
		loaded, err := LoadKey(data)
		if err != nil {
			t.Fatal(err)
		}
		if verdicts, err := VerifyList(context.Background(), []Check{check(t, 0, private, loaded)}, Legacy); err != nil || !verdicts[0].Valid {
			t.Fatal(verdicts, err)
		}
		loaded.Close()
		if _, err := VerifyList(context.Background(), []Check{{Key: loaded, Scheme: DSA, Hash: crypto.SHA256}}, Legacy); !errors.Is(err, ErrClosed) {
			t.Fatal(err)
		}
		if _, err := loaded.Validate(Ranges); !errors.Is(err, ErrClosed) || loaded.BitLen() != 0 {
			t.Fatal(err)
		}
	}
	if _, err := LoadKey(der[:20]); err == nil {
		t.Fatal("half a key was loaded")
	}
	if _, err := NewRSAKey(big.NewInt(-15), big.NewInt(3)); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
	if _, err := NewRSAKey(big.NewInt(16), big.NewInt(3)); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
	if defects, err := public.Validate(Primes); err != nil || defects != 0 {
		t.Fatal(defects, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := public.ValidateContext(ended, Primes); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	parameters := domain(t)
	_, sound := dsaKey(t, parameters)
	if defects, err := sound.Validate(Primes); err != nil || defects != 0 || !sound.IsDSA() {
		t.Fatal(defects, err)
	}
	bad, err := NewDSAKey(parameters.P, parameters.Q, parameters.G, big.NewInt(2))
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	if defects, err := bad.Validate(Subgroup); err != nil || defects.String() != "public_value_not_in_subgroup" {
		t.Fatal(defects, err)
	}
}

func TestExplanationOfAList(t *testing.T) {
	private, public := dsaKey(t, domain(t))
	rsaPrivate, rsaPublic := rsaKey(t, 1024)
	var checks []Check
	for i := range 20 {
		checks = append(checks, check(t, 6*i+3, private, public), check(t, 6*i+3, rsaPrivate, rsaPublic))
	}
	text, err := ExplainVerifyList(checks, Legacy)
	if err != nil || !strings.Contains(text, "dsa 1024/160: 20 of one domain") && !strings.Contains(text, "dsa 1024/160: 20 as") ||
		!strings.Contains(text, "rsa 1024: 20 ") {
		t.Fatal(text, err)
	}
	if _, err := ExplainVerifyList([]Check{{}}, Legacy); !errors.Is(err, BadArgument) {
		t.Fatal(err)
	}
}

func TestChecksThatCannotBeAsked(t *testing.T) {
	_, key := rsaKey(t, 1024)
	for _, wrong := range []Check{
		{Scheme: DSA, Hash: crypto.SHA256},
		{Key: key, Scheme: RSAPKCS1v15, Hash: crypto.MD5},
		{Key: key, Scheme: RSAPSS, Hash: crypto.SHA256, MGF: crypto.MD5},
		{Key: key, Scheme: RSAPSS, Hash: crypto.SHA256, Salt: -2},
		{Key: key, Scheme: RSAPKCS1v15, Hash: crypto.SHA256, Digest: []byte{1}},
		{Key: key, Scheme: 9, Hash: crypto.SHA256},
	} {
		if _, err := VerifyList(context.Background(), []Check{wrong}, Legacy); !errors.Is(err, BadArgument) {
			t.Error(wrong, err)
		}
	}
	verdicts, err := VerifyList(context.Background(), []Check{{Key: key, Scheme: DSA, Hash: crypto.SHA256, Signature: []byte{1}}}, Legacy)
	if err != nil || verdicts[0].Valid || verdicts[0].Reason != BadArgument {
		t.Error(verdicts, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := VerifyList(ended, make([]Check, 0), Legacy); err != nil {
		t.Error(err)
	}
	if _, err := VerifyList(ended, []Check{{Key: key, Scheme: RSAPKCS1v15, Hash: crypto.SHA256}}, Legacy); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if (ShortKey|ShortDigest).String() != "short_key, short_digest" || (Verdict{}).Valid {
		t.Error("names")
	}
}
