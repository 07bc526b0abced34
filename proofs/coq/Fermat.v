(* Fermat's little theorem and Euler's for powers of a prime: what an order of the units is.

   About a model: powers as integers. *)
From Coq Require Import ZArith Lia Znumtheory.
From Pingala Require Import Congruence Even Blinding.
Open Scope Z_scope.

(* Binomial coefficients, by Pascal's triangle. *)
Fixpoint choose (n k : nat) : Z :=
  match n, k with
  | _, O => 1
  | O, S _ => 0
  | S n, S k => choose n k + choose n (S k)
  end.

Lemma choose_first n : choose n 0 = 1.
Proof. destruct n; reflexivity. Qed.

Lemma choose_above : forall n k, (n < k)%nat -> choose n k = 0.
Proof.
  induction n as [| n IH]; intros [| k] H; try lia; [reflexivity |]. cbn [choose]. rewrite !IH by lia. reflexivity.
Qed.

Lemma choose_last : forall n, choose n n = 1.
Proof. induction n as [| n IH]; [reflexivity |]. cbn [choose]. rewrite IH, choose_above by lia. reflexivity. Qed.

Lemma choose_absorbs : forall n k, Z.of_nat (S k) * choose (S n) (S k) = Z.of_nat (S n) * choose n k.
Proof.
  induction n as [| n IH]; intros k.
  - destruct k; [reflexivity |]. cbn [choose]. lia.
  - change (choose (S (S n)) (S k)) with (choose (S n) k + choose (S n) (S k)). rewrite Z.mul_add_distr_l, IH.
    destruct k as [| k].
    + rewrite !choose_first. lia.
    + specialize (IH k). change (choose (S n) (S k)) with (choose n k + choose n (S k)) in *. rewrite !Nat2Z.inj_succ in *. nia.
Qed.

(* f 0 + ... + f n. *)
Fixpoint sum_to (f : nat -> Z) (n : nat) : Z := match n with O => f O | S m => sum_to f m + f n end.

Definition term (n : nat) (x : Z) (k : nat) : Z := choose n k * x ^ Z.of_nat k.

Lemma pascal_sum n x : forall m, sum_to (term (S n) x) (S m) = x * sum_to (term n x) m + sum_to (term n x) (S m).
Proof.
  induction m as [| m IH].
  - cbn [sum_to]. unfold term. rewrite !choose_first. change (choose (S n) 1) with (choose n 0 + choose n 1). rewrite choose_first.
    change (Z.of_nat 1) with 1. change (Z.of_nat 0) with 0. rewrite Z.pow_1_r, Z.pow_0_r. ring.
  - change (sum_to (term (S n) x) (S (S m))) with (sum_to (term (S n) x) (S m) + term (S n) x (S (S m))). rewrite IH.
    change (sum_to (term n x) (S (S m))) with (sum_to (term n x) (S m) + term n x (S (S m))).
    change (sum_to (term n x) (S m)) with (sum_to (term n x) m + term n x (S m)).
    unfold term. change (choose (S n) (S (S m))) with (choose n (S m) + choose n (S (S m))).
    rewrite (Nat2Z.inj_succ (S m)), Z.pow_succ_r by lia. ring.
Qed.

Theorem binomial x : forall n, (x + 1) ^ Z.of_nat n = sum_to (term n x) n.
Proof.
  induction n as [| n IH].
  - reflexivity.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite IH, pascal_sum. cbn [sum_to]. unfold term at 4. rewrite choose_above by lia. ring.
Qed.

Lemma prime_divides_choose p n k : prime p -> p = Z.of_nat (S n) -> (k < n)%nat -> (p | choose (S n) (S k)).
Proof.
  intros Hp -> Hk. apply Gauss with (Z.of_nat (S k)).
  - rewrite choose_absorbs. apply Z.divide_factor_l.
  - apply prime_rel_prime; [exact Hp |]. intros H. apply Z.divide_pos_le in H; lia.
Qed.

Theorem prime_power_of_sum p x : prime p -> (x + 1) ^ p == x ^ p + 1 [mod p].
Proof.
  intros Hp. pose proof (prime_ge_2 p Hp). destruct (Z.to_nat p) as [| n] eqn:Hn; [lia |].
  assert (Hpn : p = Z.of_nat (S n)) by lia. assert (E : (x + 1) ^ p = sum_to (term (S n) x) (S n)) by (rewrite Hpn; apply binomial).
  rewrite E. clear E.
  assert (Hsum : forall m, (m <= n)%nat -> sum_to (term (S n) x) m == 1 [mod p]).
  { induction m as [| m IH]; intros Hm; [reflexivity |]. cbn [sum_to]. rewrite (IH ltac:(lia)). unfold term.
    destruct (prime_divides_choose p n m Hp Hpn ltac:(lia)) as [q ->].
    exists (q * x ^ Z.of_nat (S m)). ring. }
  cbn [sum_to]. rewrite (Hsum n ltac:(lia)). unfold term. rewrite choose_last, <- Hpn. apply cong_eq. ring.
Qed.

Theorem fermat p x : prime p -> x ^ p == x [mod p].
Proof.
  intros Hp. pose proof (prime_ge_2 p Hp).
  rewrite <- (cong_mod p x) at 2 by lia. transitivity ((x mod p) ^ p).
  { apply cong_pow; [symmetry; apply cong_mod; lia | lia]. }
  pose proof (Z.mod_pos_bound x p ltac:(lia)) as [H0 _]. revert H0. generalize (x mod p). clear x. intros x Hx. pattern x.
  apply natlike_ind; [| | exact Hx].
  - rewrite Z.pow_0_l by lia. reflexivity.
  - intros y Hy IH. unfold Z.succ. rewrite (prime_power_of_sum p y Hp), IH. reflexivity.
Qed.

Theorem order_of_units p u : prime p -> ~ (p | u) -> u ^ (p - 1) == 1 [mod p].
Proof.
  intros Hp Hu. pose proof (prime_ge_2 p Hp). apply cong_cancel with u; [apply prime_rel_prime; assumption |].
  rewrite Z.mul_1_l. rewrite <- (Z.pow_1_r u) at 2. rewrite <- Z.pow_add_r by lia. replace (p - 1 + 1) with p by ring. apply fermat, Hp.
Qed.

(* x^p - 1 = (x - 1)(1 + x + ... + x^(p-1)), whose last factor is p modulo p if x is 1. *)
Lemma geometric x : forall n, (x - 1) * sum_to (fun k => x ^ Z.of_nat k) n = x ^ Z.of_nat (S n) - 1.
Proof.
  induction n as [| n IH].
  - cbn [sum_to]. change (Z.of_nat 0) with 0. change (Z.of_nat 1) with 1. rewrite Z.pow_0_r, Z.pow_1_r. ring.
  - cbn [sum_to]. rewrite Z.mul_add_distr_l, IH. rewrite (Nat2Z.inj_succ (S n)), Z.pow_succ_r by lia. ring.
Qed.

Lemma one_to_the_prime p j x : prime p -> 1 <= j -> x == 1 [mod p ^ j] -> x ^ p == 1 [mod p ^ (j + 1)].
Proof.
  intros Hp Hj Hx. pose proof (prime_ge_2 p Hp). destruct (Z.to_nat p) as [| n] eqn:Hn; [lia |].
  assert (Hpn : p = Z.of_nat (S n)) by lia.
  assert (Hx1 : x == 1 [mod p]).
  { apply cong_divide with (p ^ j); [| exact Hx]. exists (p ^ (j - 1)). rewrite Z.mul_comm, <- Z.pow_succ_r by lia. f_equal. lia. }
  assert (Hsum : forall m, sum_to (fun k => x ^ Z.of_nat k) m == Z.of_nat (S m) [mod p]).
  { induction m as [| m IH]; [reflexivity |]. cbn [sum_to]. rewrite IH. rewrite (cong_pow p x 1 (Z.of_nat (S m)) Hx1) by lia.
    rewrite Z.pow_1_l by lia. apply cong_eq. lia. }
  specialize (Hsum n). rewrite <- Hpn in Hsum. destruct Hsum as [v Hv]. destruct Hx as [u Hu].
  unfold cong. pose proof (geometric x n) as Hg. rewrite <- Hpn in Hg. rewrite <- Hg. rewrite Hu.
  replace (sum_to (fun k => x ^ Z.of_nat k) n) with ((v + 1) * p) by lia.
  exists (u * (v + 1)). rewrite Z.pow_add_r, Z.pow_1_r by lia. ring.
Qed.

(* Euler's theorem for p^k. *)
Theorem order_of_units_of_power p u k : prime p -> ~ (p | u) -> 0 <= k -> u ^ (p ^ k * (p - 1)) == 1 [mod p ^ (k + 1)].
Proof.
  intros Hp Hu Hk. pose proof (prime_ge_2 p Hp). pattern k. apply natlike_ind; [| | exact Hk].
  - rewrite Z.pow_0_r, Z.mul_1_l. change (0 + 1) with 1. rewrite Z.pow_1_r. apply order_of_units; assumption.
  - intros j Hj IH. rewrite Z.pow_succ_r by lia. replace (p * p ^ j * (p - 1)) with (p ^ j * (p - 1) * p) by ring.
    assert (0 <= p ^ j * (p - 1)) by (pose proof (Z.pow_nonneg p j); nia).
    rewrite Z.pow_mul_r by lia. unfold Z.succ. apply one_to_the_prime; [exact Hp | lia | exact IH].
Qed.

(* RSA: e d is an identity of exponents modulo two different primes. Nothing is a hypothesis but what a key is. *)
Theorem rsa_identity p q e d :
  prime p -> prime q -> p <> q -> 0 < e -> 0 < d -> e * d == 1 [mod p - 1] -> e * d == 1 [mod q - 1] ->
  forall x, x ^ (e * d) == x [mod p * q].
Proof.
  intros Hp Hq Hne He Hd Hdp Hdq. pose proof (prime_ge_2 p Hp). pose proof (prime_ge_2 q Hq).
  apply identity_modulo_two_primes with (Lp := p - 1) (Lq := q - 1); try assumption; try lia; intros u Hu; apply order_of_units; assumption.
Qed.

(* An exponent that is reduced modulo p - 1, or blinded by a multiple of it, gives the same power of every unit. *)
Theorem blinded_by_order p u e multiple :
  prime p -> ~ (p | u) -> 0 <= e -> 0 <= multiple -> u ^ (e + multiple * (p - 1)) == u ^ e [mod p].
Proof.
  intros Hp Hu He Hm. pose proof (prime_ge_2 p Hp). apply blinded_exponent; try lia. apply order_of_units; assumption.
Qed.
