//! Proofs of repeated squaring by Wesolowski, and witnesses of accumulators.
