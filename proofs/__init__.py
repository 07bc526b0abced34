"""Lemmas about the arithmetic, checked by Coq and by SMT solvers: `make proofs` in the root, proofs/README.md."""
