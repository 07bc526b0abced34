(* Even moduli: the split into an odd part and a power of two, Hensel's inverses and divisions, the exponent that is left modulo 2^k.

   About a model: integers in place of limbs; proofs/README.md names the code. *)
From Coq Require Import ZArith Lia List Znumtheory.
From Pingala Require Import Congruence Montgomery Recoding Constants.
Import ListNotations.
Open Scope Z_scope.

(* --- Recombination ------------------------------------------------------------------------------------------------------- *)

Section Recombine.
  Variables odd k inverse x_odd x_two : Z.
  Hypothesis odd_positive : 0 < odd.
  Hypothesis k_nonnegative : 0 <= k.
  Hypothesis inverse_of_odd : odd * inverse == 1 [mod 2 ^ k].
  Hypothesis x_odd_reduced : 0 <= x_odd < odd.

  Definition recombined : Z := x_odd + odd * (((x_two - x_odd) * inverse) mod 2 ^ k).

  Theorem recombined_below : 0 <= recombined < odd * 2 ^ k.
  Proof.
    unfold recombined. pose proof (Z.mod_pos_bound ((x_two - x_odd) * inverse) (2 ^ k) (pow2_positive k k_nonnegative)). nia.
  Qed.

  Theorem recombined_modulo_odd : recombined == x_odd [mod odd].
  Proof. unfold recombined. rewrite (cong_multiple odd). apply cong_eq. ring. Qed.

  Theorem recombined_modulo_two : recombined == x_two [mod 2 ^ k].
  Proof.
    unfold recombined. rewrite (cong_mod (2 ^ k)) by (apply pow2_positive, k_nonnegative).
    transitivity (x_odd + (x_two - x_odd) * (odd * inverse)); [apply cong_eq; ring |]. rewrite inverse_of_odd. apply cong_eq. ring.
  Qed.

  (* There is no other residue modulo the whole. *)
  Theorem recombined_unique x : Z.odd odd = true -> 0 <= x < odd * 2 ^ k -> x == x_odd [mod odd] -> x == x_two [mod 2 ^ k] -> x = recombined.
  Proof.
    intros Ho Hx H1 H2. apply (cong_small (odd * 2 ^ k)); [exact Hx | exact recombined_below |].
    assert (Ha : (odd | x - recombined)).
    { change (x == recombined [mod odd]). rewrite H1, recombined_modulo_odd. reflexivity. }
    assert (Hb : (2 ^ k | x - recombined)).
    { change (x == recombined [mod 2 ^ k]). rewrite H2, recombined_modulo_two. reflexivity. }
    unfold cong. destruct Ha as [c Hc]. rewrite Hc, Z.mul_comm in Hb.
    destruct (Gauss (2 ^ k) odd c Hb) as [t Ht]; [apply rel_prime_sym, rel_prime_odd_power; assumption |].
    exists t. rewrite Hc, Ht. ring.
  Qed.
End Recombine.

(* --- Hensel's lifting of an inverse ------------------------------------------------------------------------------------------ *)

(* x the inverse modulo c, odd x = 1 + e c: modulo c d the inverse is x - (x e mod d) c, if d divides c. *)
Theorem hensel_step odd x e c d :
  0 < d -> (d | c) -> odd * x = 1 + e * c -> odd * (x - ((x * e) mod d) * c) == 1 [mod c * d].
Proof.
  intros Hd Hdc Hx.
  replace (odd * (x - ((x * e) mod d) * c)) with (1 + c * (e - odd * ((x * e) mod d))) by (set (q := _ mod d); lia).
  assert (H : (d | e - odd * ((x * e) mod d))).
  { assert (odd * ((x * e) mod d) == e [mod d]) as H.
    { rewrite (cong_mod d) by exact Hd. transitivity ((odd * x) * e); [apply cong_eq; ring |]. rewrite Hx.
      destruct Hdc as [t ->]. transitivity (e + d * (t * e * e)); [apply cong_eq; ring |]. rewrite (cong_multiple d). apply cong_eq. ring. }
    apply cong_sym in H. exact H. }
  destruct H as [t ->]. exists t. ring.
Qed.

(* `known` and `rest` words of b: rest <= known. *)
Corollary hensel_words b known rest odd x e :
  0 < b -> 0 <= rest <= known -> odd * x = 1 + e * b ^ known ->
  odd * (x - ((x * e) mod b ^ rest) * b ^ known) == 1 [mod b ^ (known + rest)].
Proof.
  intros Hb Hr Hx. rewrite Z.pow_add_r by lia. apply hensel_step; [apply Z.pow_pos_nonneg; lia | | exact Hx].
  exists (b ^ (known - rest)). rewrite <- Z.pow_add_r by lia. f_equal. ring.
Qed.

(* Hensel's odd division: n rows of a Montgomery reduction find Q with a + Q odd = 0 modulo b^n; the quotient is -Q. *)
Theorem hensel_division b odd odd' n a :
  1 < b -> 0 < odd -> odd * odd' == -1 [mod b] ->
  exists Q, 0 <= Q < b ^ Z.of_nat n /\ b ^ Z.of_nat n * rows b odd odd' n a = a + Q * odd
    /\ ((- Q) mod b ^ Z.of_nat n) * odd == a [mod b ^ Z.of_nat n].
Proof.
  intros Hb Ho Hi. destruct (rows_exact b odd odd' Hb Hi n a) as [Q [HQ H]]. exists Q. split; [exact HQ |]. split; [exact H |].
  rewrite (cong_mod (b ^ Z.of_nat n)) by (apply Z.pow_pos_nonneg; lia). exists (- rows b odd odd' n a). lia.
Qed.

(* --- The exponent modulo 2^k ---------------------------------------------------------------------------------------------------- *)

(* Odd residues modulo 2^k: their powers repeat after 2^group_bits. *)
Definition group_bits (k : Z) : Z := if k =? 1 then 0 else if k =? 2 then 1 else k - 2.

Lemma odd_power_is_one a : Z.odd a = true -> forall n, a ^ (2 ^ Z.of_nat (S n)) == 1 [mod 2 ^ (Z.of_nat n + 3)].
Proof.
  intros Ha. induction n as [| n [t Ht]].
  - change (2 ^ Z.of_nat 1) with 2. change (2 ^ (Z.of_nat 0 + 3)) with 8.
    rewrite Z.odd_spec in Ha. destruct Ha as [h ->].
    destruct (Z.Even_or_Odd h) as [[g ->] | [g ->]]; [exists (2 * g * g + g) | exists (2 * g * g + 3 * g + 1)]; ring.
  - replace (Z.of_nat (S (S n))) with (Z.of_nat (S n) + 1) by lia. rewrite (Z.pow_add_r 2 (Z.of_nat (S n)) 1) by lia. change (2 ^ 1) with 2.
    rewrite Z.pow_mul_r by (try apply Z.pow_nonneg; lia).
    set (x := a ^ 2 ^ Z.of_nat (S n)) in *. replace x with (1 + t * 2 ^ (Z.of_nat n + 3)) by lia.
    replace (Z.of_nat (S n) + 3) with (Z.of_nat n + 3 + 1) by lia. rewrite (Z.pow_add_r 2 (Z.of_nat n + 3) 1) by lia. change (2 ^ 1) with 2.
    set (p := 2 ^ (Z.of_nat n + 3)). assert (Hp : exists h, p = 2 * h).
    { exists (2 ^ (Z.of_nat n + 2)). unfold p. replace (Z.of_nat n + 3) with (1 + (Z.of_nat n + 2)) by ring. rewrite Z.pow_add_r by lia. reflexivity. }
    destruct Hp as [h ->]. exists (t + t * t * h). ring.
Qed.

Theorem odd_powers_repeat a k : Z.odd a = true -> 1 <= k -> a ^ (2 ^ group_bits k) == 1 [mod 2 ^ k].
Proof.
  intros Ha Hk. unfold group_bits. destruct (Z.eqb_spec k 1) as [-> | H1].
  - change (2 ^ 0) with 1. change (2 ^ 1) with 2. rewrite Z.pow_1_r. rewrite Z.odd_spec in Ha. destruct Ha as [h ->]. exists h. ring.
  - destruct (Z.eqb_spec k 2) as [-> | H2].
    + change (2 ^ 1) with 2. change (2 ^ 2) with 4. rewrite Z.odd_spec in Ha. destruct Ha as [h ->]. exists (h * h + h). ring.
    + pose proof (odd_power_is_one a Ha (Z.to_nat (k - 3))) as H.
      replace (Z.of_nat (S (Z.to_nat (k - 3)))) with (k - 2) in H by lia.
      replace (Z.of_nat (Z.to_nat (k - 3)) + 3) with k in H by lia. exact H.
Qed.

Lemma power_of_power_of_one m a L t : a ^ L == 1 [mod m] -> 0 <= L -> 0 <= t -> a ^ (L * t) == 1 [mod m].
Proof.
  intros H HL Ht. rewrite Z.pow_mul_r by assumption. rewrite (cong_pow m _ 1 t H Ht). rewrite Z.pow_1_l by assumption. reflexivity.
Qed.

(* An exponent may be reduced modulo a period. *)
Theorem reduced_exponent m a L e : a ^ L == 1 [mod m] -> 0 < L -> 0 <= e -> a ^ e == a ^ (e mod L) [mod m].
Proof.
  intros H HL He. pose proof (Z.mod_pos_bound e L HL). pose proof (Z.div_pos e L He HL).
  rewrite (Z.div_mod e L) at 1 by lia. rewrite Z.pow_add_r by nia.
  rewrite (power_of_power_of_one m a L (e / L) H) by lia. apply cong_eq. ring.
Qed.

Theorem reduced_modulo_power_of_two a k e : Z.odd a = true -> 1 <= k -> 0 <= e -> a ^ e == a ^ (e mod 2 ^ group_bits k) [mod 2 ^ k].
Proof.
  intros Ha Hk He. assert (0 <= group_bits k) by (unfold group_bits; destruct (Z.eqb_spec k 1); [lia |]; destruct (Z.eqb_spec k 2); lia).
  apply reduced_exponent; [apply odd_powers_repeat; assumption | apply pow2_positive; assumption | exact He].
Qed.

(* An even base with z trailing zeros: its power vanishes as soon as z e >= k. *)
Theorem even_base_vanishes a z k e : 0 <= z -> 0 <= e -> 0 <= k -> (2 ^ z | a) -> k <= z * e -> a ^ e == 0 [mod 2 ^ k].
Proof.
  intros Hz He Hk [u ->] H. rewrite Z.pow_mul_l, <- Z.pow_mul_r by assumption.
  exists (u ^ e * 2 ^ (z * e - k)). replace (z * e) with (z * e - k + k) at 1 by ring. rewrite Z.pow_add_r by lia. ring.
Qed.
