package pingala

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"example.org/pingala/internal/abi"
)

// proofVersion begins every proof, before its number in hexadecimal.
const proofVersion = "wesolowski-v1:0x"

// ProveSquaring is x**(2**squarings) mod m, as [Modulus.RepeatedSquare] computes it, with a proof by Wesolowski, which
// [Modulus.VerifySquaring] checks in about a millisecond. The proof is text, as the command, Python and Rust have it. Residues for the proof
// take about `memory` bytes while squaring; 0 for 64 MB. The checkpoint is a file of another kind, which grows to about that size.
//
// Errors: as of [Modulus.RepeatedSquare]; [BadArgument] for a modulus that is even or 1, [NotInvertible] if x has a divisor in common with it.
func (m *Modulus) ProveSquaring(ctx context.Context, x *big.Int, squarings uint64, c Checkpoint, memory uint64) (result *big.Int, proof string, err error) {
	if err := given("x", x); err != nil {
		return nil, "", err
	}
	path, every, err := c.arguments()
	if err != nil {
		return nil, "", err
	}
	held, s, done, err := m.of().begin(ctx)
	if err != nil {
		return nil, "", err
	}
	defer done()
	out, root := make(abi.Words, m.words()), make(abi.Words, m.words())
	status := abi.ModulusProveSquaring(held, out, root, x.Bits(), squarings, flag(x, abi.NegativeBase), path, every, memory, s.options, &s.why)
	if status != abi.OK {
		return nil, "", s.failure(status)
	}
	return new(big.Int).SetBits(out), fmt.Sprintf("%s%x", proofVersion, new(big.Int).SetBits(root)), nil
}

// VerifySquaring tells whether a proof shows that the result is x**(2**squarings) mod m. A modulus below 1024 bits is refused: whoever knows its
// factors can prove any result. x and m are the verifier's own. Errors: [BadArgument] for a text that is no proof and for
// nil, [Interrupted].
func (m *Modulus) VerifySquaring(ctx context.Context, x *big.Int, squarings uint64, result *big.Int, proof string) (bool, error) {
	if x == nil || result == nil {
		return false, badArgument("x or the result is nil")
	}
	root, err := proofNumber(proof)
	if err != nil {
		return false, err
	}
	memory, s, done, err := m.of().begin(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if result.Sign() < 0 {
		return false, nil
	}
	valid, status := abi.ModulusVerifySquaring(memory, x.Bits(), squarings, flag(x, abi.NegativeBase), result.Bits(), root.Bits(), s.options, &s.why)
	if status != abi.OK {
		return false, s.failure(status)
	}
	return valid == 1, nil
}

// proofNumber reads the text of a proof.
func proofNumber(proof string) (*big.Int, error) {
	digits, begins := strings.CutPrefix(proof, proofVersion)
	root, isNumber := new(big.Int).SetString(digits, 16)
	if !begins || !isNumber || fmt.Sprintf("%x", root) != digits {
		return nil, badArgument("no proof: expected %s and hexadecimal digits", proofVersion)
	}
	return root, nil
}

// proofNumbers reads the texts of proofs.
func proofNumbers(proofs []string) ([]*big.Int, error) {
	roots := make([]*big.Int, len(proofs))
	for i, proof := range proofs {
		root, err := proofNumber(proof)
		if err != nil {
			return nil, fmt.Errorf("proofs[%d]: %w", i, err)
		}
		roots[i] = root
	}
	return roots, nil
}
