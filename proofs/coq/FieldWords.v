(* The operations that the texts of the transforms' fields are written over: words that are cut, lanes, doubles.

   FieldTexts.v is these texts, as proofs/field_texts.py translates them. *)
From Coq Require Import ZArith Reals.
From Flocq Require Import Core.
From Pingala Require Import Exact.
Open Scope Z_scope.

(* Words of so many bits: sums, differences and products lose what is above. *)
Definition cut (bits x : Z) : Z := x mod 2 ^ bits.
(* The high word of x y + c. *)
Definition high_of (x y c : Z) : Z := (x * y + c) / 2 ^ 64.

(* Lanes of 64 bits, as the traits of vectors define the operations. What they call below 2^64 is not cut here: the lemmas show that it is. *)
Definition low52 (x : Z) : Z := x mod 2 ^ 52.
Definition lane_zero : Z := 0.
Definition lane_and (a b : Z) : Z := Z.land a b.
Definition lane_carry (a : Z) : Z := a / 2 ^ 52.
Definition lane_shift_right (bits a : Z) : Z := a / 2 ^ bits.
Definition lane_add_signed (a b : Z) : Z := cut 64 (a + b).
Definition lane_sub_signed (a b : Z) : Z := cut 64 (a - b).
Definition lane_madd_low (sum a b : Z) : Z := sum + (low52 a * low52 b) mod 2 ^ 52.
Definition lane_madd_high (sum a b : Z) : Z := sum + low52 a * low52 b / 2 ^ 52.
Definition lane_madd_low_modulo (sum a b : Z) : Z := cut 64 (lane_madd_low sum a b).

(* Doubles, in any mode of rounding; to the nearest integer, ties to even, whatever the mode. *)
Definition d_add (rnd : R -> Z) (x y : R) : R := rounded rnd (x + y).
Definition d_sub (rnd : R -> Z) (x y : R) : R := rounded rnd (x - y).
Definition d_mul (rnd : R -> Z) (x y : R) : R := rounded rnd (x * y).
Definition d_div (rnd : R -> Z) (x y : R) : R := rounded rnd (x / y).
Definition d_mul_sub (rnd : R -> Z) (x y z : R) : R := rounded rnd (x * y - z).
Definition d_sub_product (rnd : R -> Z) (z x y : R) : R := rounded rnd (z - x * y).
Definition d_round (x : R) : R := IZR (ZnearestE x).
(* A word's bits below 2^32, and the others. *)
Definition d_low (word : Z) : R := IZR (word mod 2 ^ 32).
Definition d_high (word : Z) : R := IZR (word - word mod 2 ^ 32).
