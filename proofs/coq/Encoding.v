(* Programs as lists of numbers, so that those of the model can be compared with those of the catalogue. *)
From Coq Require Import ZArith List Uint63.
From Pingala Require Import Recoding Programs.
Import ListNotations.
Open Scope Z_scope.

(* A digit for the kind, then the operands, in base 256. *)
Definition number_of (i : instruction) : Z :=
  fold_left (fun x d => x * 256 + d)
    match i with
    | One out => [1; out]
    | Copy out from => [2; out; from]
    | Mul out a b => [3; out; a; b]
    | Sqr out a count => [4; out; a; count]
    | Select out first length d => [5; out; first; length; d]
    end 0.

(* The register of the result, then the instructions. *)
Definition encoded (p : program) : list int := map of_Z (snd p :: map number_of (fst p)).

Definition bits_of (e : Z) : Z := Z.log2 e + 1.

(* Programs for `count` exponents from `first` on; the declared length is the exponent's own, or `declared`. *)
Definition all_programs (p : Z -> Z -> program) (first : Z) (count : nat) : list (list int) :=
  map (fun e => encoded (p (bits_of e) e)) (range count first).
Definition all_declared (p : Z -> Z -> program) (declared first : Z) (count : nat) : list (list int) :=
  map (fun e => encoded (p declared e)) (range count first).
