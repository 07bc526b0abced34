(* Blinding of exponents and bases, the check by the public exponent, the recombination of two coprime parts.

   About a model: powers as integers. That an order of a group is one (Fermat, Euler) is a hypothesis where it is used. *)
From Coq Require Import ZArith Lia Znumtheory.
From Pingala Require Import Congruence Even.
Open Scope Z_scope.

(* --- Exponents -------------------------------------------------------------------------------------------------------------- *)

(* A multiple of the order added: the same power of every unit. *)
Theorem blinded_exponent m a L e multiple :
  a ^ L == 1 [mod m] -> 0 <= L -> 0 <= e -> 0 <= multiple -> a ^ (e + multiple * L) == a ^ e [mod m].
Proof.
  intros H HL He Hm. rewrite Z.pow_add_r by nia. rewrite (Z.mul_comm multiple L), (power_of_power_of_one m a L multiple H HL Hm).
  apply cong_eq. ring.
Qed.

(* An element that shares its prime with p^k: all its powers from k on are 0, so that exponents of at least k may be changed. *)
Theorem powers_of_nonunits p k a e : 0 <= k <= e -> (p | a) -> a ^ e == 0 [mod p ^ k].
Proof.
  intros H [u ->]. rewrite Z.pow_mul_l. exists (u ^ e * p ^ (e - k)). replace e with (e - k + k) at 2 by ring. rewrite Z.pow_add_r by lia. ring.
Qed.

Theorem blinded_exponent_of_any p k a L e multiple :
  a ^ L == 1 [mod p ^ k] \/ (p | a) -> 0 <= L -> 0 <= k <= e -> 0 <= multiple -> a ^ (e + multiple * L) == a ^ e [mod p ^ k].
Proof.
  intros [H | H] HL He Hm; [apply blinded_exponent; assumption || lia |].
  rewrite (powers_of_nonunits p k a (e + multiple * L)) by (assumption || nia).
  rewrite (powers_of_nonunits p k a e) by (assumption || lia). reflexivity.
Qed.

(* The reduced exponent: e mod L, and L more if e is not below L. *)
Definition reduced (L e : Z) : Z := e mod L + (if e <? L then 0 else L).

Theorem reduced_gives_the_power p k a L e :
  a ^ L == 1 [mod p ^ k] \/ (p | a) -> 0 < L -> 0 <= k <= L -> 0 <= e -> a ^ reduced L e == a ^ e [mod p ^ k].
Proof.
  intros H HL Hk He. unfold reduced. pose proof (Z.mod_pos_bound e L HL). destruct (Z.ltb_spec e L) as [Hlt | Hge].
  - rewrite Z.mod_small by lia. rewrite Z.add_0_r. reflexivity.
  - destruct H as [H | H].
    + rewrite Z.pow_add_r by lia. rewrite H. rewrite (reduced_exponent (p ^ k) a L e H HL He). apply cong_eq. ring.
    + rewrite (powers_of_nonunits p k a (e mod L + L)) by (assumption || lia).
      rewrite (powers_of_nonunits p k a e) by (assumption || lia). reflexivity.
Qed.

Theorem reduced_bits L e bits : 0 < L < 2 ^ bits -> 0 <= bits -> 0 <= e -> 0 <= reduced L e < 2 ^ (bits + 1).
Proof.
  intros HL Hb He. unfold reduced. pose proof (Z.mod_pos_bound e L ltac:(lia)). rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2.
  destruct (Z.ltb_spec e L); lia.
Qed.

(* --- The base ------------------------------------------------------------------------------------------------------------------ *)

Section Base.
  Variables m e d s back : Z.
  Hypothesis exponents : 0 <= e /\ 0 <= d.
  Hypothesis back_inverse : s * back == 1 [mod m].

  (* base s^e in, s^-1 out. *)
  Theorem blinded_base base : s ^ (e * d) == s [mod m] -> (base * s ^ e) ^ d * back == base ^ d [mod m].
  Proof.
    intros Hs. destruct exponents as [He Hd]. rewrite Z.pow_mul_l, <- Z.pow_mul_r by assumption.
    transitivity (base ^ d * (s ^ (e * d) * back)); [apply cong_eq; ring |]. rewrite Hs, back_inverse. apply cong_eq. ring.
  Qed.

  (* After a use both are squared: the pair of s^2. *)
  Theorem squared_pair : (s ^ e) ^ 2 = (s * s) ^ e /\ (s * s) * (back * back) == 1 [mod m].
  Proof.
    destruct exponents as [He _]. split.
    - rewrite <- Z.pow_mul_r by lia. rewrite Z.mul_comm, Z.pow_mul_r by lia. f_equal. ring.
    - transitivity ((s * back) * (s * back)); [apply cong_eq; ring |]. rewrite back_inverse. reflexivity.
  Qed.
End Base.

(* The inverse of s from the inverse of s t, which alone is computed in variable time. *)
Theorem inverse_of_product m s t inverse : (s * t) * inverse == 1 [mod m] -> s * (inverse * t) == 1 [mod m].
Proof. intros H. transitivity (s * t * inverse); [apply cong_eq; ring | exact H]. Qed.

(* --- The check by the public exponent ---------------------------------------------------------------------------------------------- *)

(* If e d is an identity on residues modulo m, exactly base^d passes: a fault of any kind is found. *)
Theorem check_by_public_exponent m e d base y :
  0 <= e -> 0 <= d -> (forall x, x ^ (e * d) == x [mod m]) -> (y ^ e == base [mod m] <-> y == base ^ d [mod m]).
Proof.
  intros He Hd Hid. split; intros H.
  - rewrite <- (Hid y) at 1. rewrite Z.pow_mul_r by assumption. apply cong_pow; assumption.
  - rewrite (cong_pow m y (base ^ d) e H He). rewrite <- Z.pow_mul_r by assumption. rewrite Z.mul_comm. apply Hid.
Qed.

Lemma coprime_parts p q a b : rel_prime p q -> a == b [mod p] -> a == b [mod q] -> a == b [mod p * q].
Proof.
  intros Hpq [c Hc] Hq. unfold cong in *. rewrite Hc, Z.mul_comm in Hq.
  destruct (Gauss q p c Hq (rel_prime_sym _ _ Hpq)) as [t Ht]. exists t. rewrite Hc, Ht. ring.
Qed.

(* One prime: e d = 1 modulo an order of its units. *)
Theorem identity_modulo_prime p L e d x :
  prime p -> (forall u, ~ (p | u) -> u ^ L == 1 [mod p]) -> 0 <= L -> 0 < e -> 0 < d -> e * d == 1 [mod L] -> x ^ (e * d) == x [mod p].
Proof.
  intros Hp Hunits HL He Hd [t Ht]. destruct (Zdivide_dec p x) as [Hx | Hx].
  - pose proof (powers_of_nonunits p 1 x (e * d) ltac:(nia) Hx) as H. rewrite Z.pow_1_r in H. rewrite H.
    destruct Hx as [u ->]. exists (- u). ring.
  - assert (Htn : 0 <= t \/ L = 0) by nia. destruct Htn as [Htn | ->].
    + replace (e * d) with (1 + L * t) by lia. rewrite Z.pow_add_r by nia. rewrite (power_of_power_of_one p x L t (Hunits x Hx) HL Htn).
      apply cong_eq. ring.
    + replace (e * d) with 1 by lia. apply cong_eq. ring.
Qed.

(* RSA: two different primes. *)
Theorem identity_modulo_two_primes p q Lp Lq e d :
  prime p -> prime q -> p <> q ->
  (forall u, ~ (p | u) -> u ^ Lp == 1 [mod p]) -> (forall u, ~ (q | u) -> u ^ Lq == 1 [mod q]) ->
  0 <= Lp -> 0 <= Lq -> 0 < e -> 0 < d -> e * d == 1 [mod Lp] -> e * d == 1 [mod Lq] ->
  forall x, x ^ (e * d) == x [mod p * q].
Proof.
  intros Hp Hq Hne Hup Huq HLp HLq He Hd Hip Hiq x. apply coprime_parts.
  - apply prime_rel_prime; [exact Hp |]. intros Hd'. apply Hne, prime_div_prime; assumption.
  - apply identity_modulo_prime with Lp; assumption.
  - apply identity_modulo_prime with Lq; assumption.
Qed.

(* Halves: d modulo an order of the units of each prime, and the recombination of the residues. *)
Theorem power_by_halves p q base d x_p x_q x :
  rel_prime p q -> x_p == base ^ d [mod p] -> x_q == base ^ d [mod q] -> x == x_p [mod p] -> x == x_q [mod q] -> x == base ^ d [mod p * q].
Proof.
  intros Hpq Hxp Hxq Hp Hq. apply coprime_parts; [exact Hpq | |]; [transitivity x_p | transitivity x_q]; assumption.
Qed.
