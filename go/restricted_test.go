package pingala

import (
	"context"
	"crypto"
	"encoding/base64"
	"testing"
)

// Made by OpenSSL: a key for PSS with SHA-256, a mask by SHA-1 and salts of 32 bytes or more, and its signature of "Pingala\n".
const restrictedKey = `-----BEGIN PUBLIC KEY-----
MIG1MCMGCSqGSIb3DQEBCjAWoA8wDQYJYIZIAWUDBAIBBQCiAwIBIAOBjQAwgYkC
gYEAvJaoBfgaMJ7GD4FiffALxMT1nxqYGzLzkXxk5/poHe0nZmZSiC4zsANnFnZq
CKzACuVVB61QqoS8aWj1KcEkVVyTIylNwDcw94x5/8S3BFlI494Dptgcqvn8ra2W
nIO1gC8+kI2cfB2h0VSDJjpowCylLQNYRQDqZGQ2K7D4GakCAwEAAQ==
-----END PUBLIC KEY-----
`

const restrictedSignature = "" +
	"AeF6gG7f3jE972r0oQpFRynbLjG9dSqNAHx6AjYDQEAS1QXEEjzyfMfkhA34zvw5BxuCOpSFqO9p" +
	"1EUdfMiWo1W7pMOv5qLvsYMvh/tNwn2QwQQO2IH60M0PP/t1YEX2+JnOICyvZD+de/Ua/2rvM2iQ" +
	"c5GZTSNWM0rFs8KFkMs="

func TestRestrictedKey(t *testing.T) {
	key, err := LoadKey([]byte(restrictedKey))
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close()
	if hash, mgf, salt, ok := key.PSS(); hash != crypto.SHA256 || mgf != crypto.SHA1 || salt != 32 || !ok {
		t.Errorf("the key demands %v %v %d %v", hash, mgf, salt, ok)
	}
	signature, err := base64.StdEncoding.DecodeString(restrictedSignature)
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		scheme    Scheme
		hash, mgf crypto.Hash
		salt      int
		policy    Policy
		reason    Code
	}{
		{RSAPSS, 0, 0, 0, Legacy, ""},
		{RSAPSS, crypto.SHA256, 0, 0, Strict, ""},
		{RSAPSS, crypto.SHA256, crypto.SHA1, 32, Legacy, ""},
		{RSAPSS, 0, crypto.SHA1, -1, Legacy, ""},
		{RSAPSS, 0, 0, 33, Legacy, Mismatch},
		{RSAPSS, 0, 0, 31, Legacy, Refused},
		{RSAPSS, crypto.SHA256, crypto.SHA256, 0, Legacy, Refused},
		{RSAPSS, crypto.SHA512, 0, 0, Legacy, Refused},
		{RSAPSS, 0, 0, 0, Modern, Refused},
		{RSAPKCS1v15, crypto.SHA256, 0, 0, Legacy, Refused},
	}
	for _, row := range rows {
		checks := []Check{{Key: key, Scheme: row.scheme, Hash: row.hash, MGF: row.mgf, Salt: row.salt, Message: []byte("Pingala\n"), Signature: signature}}
		verdicts, err := VerifyList(context.Background(), checks, row.policy)
		if err != nil || verdicts[0].Reason != row.reason || verdicts[0].Valid != (row.reason == "") {
			t.Errorf("%+v: %v %v", row, verdicts, err)
		}
	}
	if _, err := VerifyList(context.Background(), []Check{{Key: key, Scheme: RSAPKCS1v15}}, Legacy); err == nil {
		t.Error("PKCS#1 without a hash function")
	}
}
