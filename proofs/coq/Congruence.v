(* Congruences of integers, as a relation by which one may rewrite. *)
From Coq Require Import ZArith Lia Setoid Morphisms Znumtheory Zpow_facts.
Open Scope Z_scope.

Definition cong (m a b : Z) : Prop := (m | a - b).
Notation "a == b [mod m ]" := (cong m a b) (at level 70, b at next level, m at level 200).

Lemma cong_refl m a : a == a [mod m].
Proof. exists 0. lia. Qed.

Lemma cong_sym m a b : a == b [mod m] -> b == a [mod m].
Proof. intros [k Hk]. exists (- k). lia. Qed.

Lemma cong_trans m a b c : a == b [mod m] -> b == c [mod m] -> a == c [mod m].
Proof. intros [k Hk] [l Hl]. exists (k + l). lia. Qed.

Global Instance cong_equivalence m : Equivalence (cong m).
Proof. split; [exact (cong_refl m) | exact (cong_sym m) | exact (cong_trans m)]. Qed.

Global Instance cong_add m : Proper (cong m ==> cong m ==> cong m) Z.add.
Proof. intros a a' [k Hk] b b' [l Hl]. exists (k + l). lia. Qed.

Global Instance cong_opp m : Proper (cong m ==> cong m) Z.opp.
Proof. intros a a' [k Hk]. exists (- k). lia. Qed.

Global Instance cong_sub m : Proper (cong m ==> cong m ==> cong m) Z.sub.
Proof. intros a a' [k Hk] b b' [l Hl]. exists (k - l). lia. Qed.

Global Instance cong_mul m : Proper (cong m ==> cong m ==> cong m) Z.mul.
Proof.
  intros a a' [k Hk] b b' [l Hl]. exists (k * b + a' * l).
  replace (a * b - a' * b') with ((a - a') * b + a' * (b - b')) by ring. rewrite Hk, Hl. ring.
Qed.

Lemma cong_eq m a b : a = b -> a == b [mod m].
Proof. intros ->. reflexivity. Qed.

Lemma cong_multiple m k : m * k == 0 [mod m].
Proof. exists k. lia. Qed.

Lemma cong_multiple_l m k : k * m == 0 [mod m].
Proof. exists k. lia. Qed.

Lemma cong_mod m a : 0 < m -> a mod m == a [mod m].
Proof. intros Hm. exists (- (a / m)). pose proof (Z.div_mod a m). lia. Qed.

Lemma cong_mod_eq m a b : 0 < m -> (a == b [mod m] <-> a mod m = b mod m).
Proof.
  intros Hm. split.
  - intros [k Hk]. replace a with (b + k * m) by lia. apply Z_mod_plus_full.
  - intros H. exists (a / m - b / m). pose proof (Z.div_mod a m). pose proof (Z.div_mod b m). lia.
Qed.

Lemma cong_small m a b : 0 <= a < m -> 0 <= b < m -> a == b [mod m] -> a = b.
Proof.
  intros Ha Hb H. apply cong_mod_eq in H; [| lia]. rewrite !Z.mod_small in H by lia. exact H.
Qed.

Lemma cong_pow m a b n : a == b [mod m] -> 0 <= n -> a ^ n == b ^ n [mod m].
Proof.
  intros H Hn. pattern n. apply natlike_ind; [reflexivity | | exact Hn].
  intros k Hk IH. rewrite !Z.pow_succ_r by lia. apply cong_mul; [exact H | exact (IH)].
Qed.

(* A factor that is coprime to the modulus may be cancelled. *)
Lemma cong_cancel m r a b : rel_prime m r -> a * r == b * r [mod m] -> a == b [mod m].
Proof.
  intros Hr [k Hk]. unfold cong. apply (Gauss m r (a - b)); [| exact Hr]. exists k. lia.
Qed.

Lemma cong_of_multiple m k a b : a == b [mod k * m] -> a == b [mod m].
Proof. intros [l Hl]. exists (l * k). lia. Qed.

Lemma cong_divide m d a b : (d | m) -> a == b [mod m] -> a == b [mod d].
Proof. intros [k ->] H. exact (cong_of_multiple d k a b H). Qed.

Lemma rel_prime_odd_power m k : Z.odd m = true -> 0 <= k -> rel_prime m (2 ^ k).
Proof.
  intros Hm Hk. apply rel_prime_Zpower_r; [lia |]. apply rel_prime_sym, prime_rel_prime; [exact prime_2 |].
  intros [q Hq]. subst m. rewrite Z.mul_comm, Z.odd_mul in Hm. discriminate.
Qed.

Lemma div_ceil_spec x k : 0 < k -> x <= k * ((x + (k - 1)) / k) < x + k.
Proof.
  intros Hk. pose proof (Z.div_mod (x + (k - 1)) k ltac:(lia)). pose proof (Z.mod_pos_bound (x + (k - 1)) k Hk). lia.
Qed.

Lemma div_floor_spec x k : 0 < k -> k * (x / k) <= x < k * (x / k) + k.
Proof. intros Hk. pose proof (Z.div_mod x k ltac:(lia)). pose proof (Z.mod_pos_bound x k Hk). lia. Qed.
