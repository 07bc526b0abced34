"""Lemmas about the arithmetic, checked by Coq and by SMT solvers: `make proofs` in the root, docs/proofs.md."""
