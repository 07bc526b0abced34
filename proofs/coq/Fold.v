(* Reduction by folding: the row kernel's table of powers of 2^-52, the doubles' table of powers of 2^52 and its row of a quotient.

   About a model: sums of products as integers; proofs/README.md says what connects it with the kernels. *)
From Coq Require Import ZArith Lia List Znumtheory.
From Pingala Require Import Congruence Constants.
Import ListNotations.
Open Scope Z_scope.

Fixpoint dot (ts cs : list Z) : Z :=
  match ts, cs with t :: ts, c :: cs => t * c + dot ts cs | _, _ => 0 end.

(* t_0 B^i + t_1 B^(i+1) + ... *)
Fixpoint weighted (B i : Z) (ts : list Z) : Z :=
  match ts with [] => 0 | t :: ts => t * B ^ i + weighted B (i + 1) ts end.

(* Entry k of the table is, up to a factor F, congruent to B^(i+k). *)
Fixpoint table_of (N B F i : Z) (cs : list Z) : Prop :=
  match cs with [] => True | c :: cs => c * F == B ^ i [mod N] /\ table_of N B F (i + 1) cs end.

Lemma dot_congruent N B F : forall ts cs i,
  table_of N B F i cs -> length ts = length cs -> dot ts cs * F == weighted B i ts [mod N].
Proof.
  induction ts as [| t ts IH]; intros [| c cs] i Ht Hl; try discriminate Hl; cbn [dot weighted].
  - apply cong_eq. ring.
  - destruct Ht as [Hc Ht]. injection Hl as Hl. specialize (IH cs (i + 1) Ht Hl).
    transitivity (t * (c * F) + dot ts cs * F); [apply cong_eq; ring |]. rewrite Hc, IH. reflexivity.
Qed.

Lemma dot_bounds B N : forall ts cs,
  length ts = length cs -> Forall (fun t => 0 <= t < B) ts -> Forall (fun c => 0 <= c < N) cs -> 0 < B -> 0 < N ->
  0 <= dot ts cs <= Z.of_nat (length ts) * ((B - 1) * (N - 1)).
Proof.
  induction ts as [| t ts IH]; intros [| c cs] Hl Ht Hc HB HN; try discriminate Hl; cbn [dot length].
  - lia.
  - injection Hl as Hl. inversion_clear Ht. inversion_clear Hc. specialize (IH cs Hl).
    rewrite Nat2Z.inj_succ. assert (0 <= t * c <= (B - 1) * (N - 1)) by nia. intuition nia.
Qed.

(* --- The row kernel --------------------------------------------------------------------------------------------------- *)

Section RowFold.
  (* The radix, the modulus, the number of limbs less 1. *)
  Variables B N : Z.
  Variable below : nat.
  Let limbs := Z.of_nat below + 1.
  Hypothesis B_above_1 : 1 < B.
  Hypothesis N_positive : 0 < N.
  Hypothesis coprime : rel_prime N B.

  (* T = T_0 + .. + T_(m-2) B^(m-2) + top B^(m-1) + high B^m, and the table C_i = B^(i - (m-1)) mod N. *)
  Variables (ts cs : list Z) (top high q : Z).
  Hypothesis ts_limbs : length ts = below /\ Forall (fun t => 0 <= t < B) ts.
  Hypothesis top_limb : 0 <= top < B.
  Hypothesis cs_table : length cs = below /\ Forall (fun c => 0 <= c < N) cs /\ table_of N B (B ^ Z.of_nat below) 0 cs.
  Hypothesis high_nonnegative : 0 <= high.
  Hypothesis q_digit : 0 <= q < B.

  Definition T := weighted B 0 ts + top * B ^ Z.of_nat below + high * B ^ limbs.
  Definition S := B * high + top + dot ts cs + q * N.

  (* q from one inner product: D_i = -C_i / N mod B for the limbs, -1 / N for the top one. *)
  Lemma quotient_of_inner_product ds d :
    length ds = below -> Forall2 (fun d c => d * N == - c [mod B]) ds cs -> d * N == -1 [mod B] ->
    (dot ts ds + top * d) * N == - (top + dot ts cs) [mod B].
  Proof.
    intros Hl Hds Hd. destruct ts_limbs as [Htl _]. destruct cs_table as [Hcl _].
    assert (H : dot ts ds * N == - dot ts cs [mod B]).
    { assert (Hlen : length ts = length ds) by lia. clear - Hlen Hds. revert Hlen. generalize ts as us.
      induction Hds as [| e c es gs Hc Hes IH]; intros us Hlen; destruct us as [| u us]; try discriminate Hlen; cbn [dot].
      - apply cong_eq. ring.
      - injection Hlen as Hlen. specialize (IH us Hlen).
        transitivity (u * (e * N) + dot us es * N); [apply cong_eq; ring |]. rewrite Hc, IH. apply cong_eq. ring. }
    transitivity (dot ts ds * N + top * (d * N)); [apply cong_eq; ring |]. rewrite H, Hd. apply cong_eq. ring.
  Qed.

  Hypothesis q_quotient : q * N == - (top + dot ts cs) [mod B].

  (* The lowest limb vanishes. *)
  Theorem fold_divisible : (B | S).
  Proof.
    assert (S == 0 [mod B]) as [k Hk]; [| exists k; lia].
    unfold S. rewrite q_quotient, (cong_multiple B). apply cong_eq. ring.
  Qed.

  (* S / B = T B^-m modulo N. *)
  Theorem fold_congruent : (S / B) * B ^ limbs == T [mod N].
  Proof.
    destruct cs_table as [Hcl [_ Ht]]. destruct ts_limbs as [Htl _].
    pose proof (dot_congruent N B _ ts cs 0 Ht ltac:(lia)) as Hd.
    destruct fold_divisible as [k Hk]. assert (S / B = k) as -> by (rewrite Hk; apply Z.div_mul; lia).
    assert (Hpow : B ^ limbs = B * B ^ Z.of_nat below) by (unfold limbs; rewrite Z.pow_add_r by lia; ring).
    transitivity (S * B ^ Z.of_nat below); [apply cong_eq; rewrite Hk, Hpow; ring |].
    unfold S, T. rewrite Hpow.
    transitivity (dot ts cs * B ^ Z.of_nat below + top * B ^ Z.of_nat below + high * (B * B ^ Z.of_nat below)
      + N * (q * B ^ Z.of_nat below)); [apply cong_eq; ring |].
    rewrite Hd, (cong_multiple N). apply cong_eq. ring.
  Qed.

  (* T_hi < (m - 1) N gives a result below 2 m N: nothing is subtracted. *)
  Theorem fold_below : high < (limbs - 1) * N -> 0 <= S / B < 2 * limbs * N.
  Proof.
    intros Hh. destruct cs_table as [Hcl [Hcs _]]. destruct ts_limbs as [Htl Hts].
    pose proof (dot_bounds B N ts cs ltac:(lia) Hts Hcs ltac:(lia) N_positive) as Hd. rewrite Htl in Hd.
    assert (Hn : 0 <= Z.of_nat below) by lia. unfold limbs in *. set (n := Z.of_nat below) in Hh, Hd, Hn |- *.
    assert (0 <= B * high) by nia. assert (0 <= q * N) by nia. assert (HS : 0 <= S) by (unfold S; lia).
    split; [apply Z.div_pos; lia |].
    apply Z.div_lt_upper_bound; [lia |]. unfold S.
    assert (n * ((B - 1) * (N - 1)) <= n * (B * (N - 1))) by nia.
    assert (q * N <= B * N) by nia.
    nia.
  Qed.
End RowFold.

(* The room that a shape leaves, 2^s > 4m for m even, keeps products of residues below 2mN in range. *)
Theorem row_shape_keeps_residues bits limbs spare N a b :
  4 <= limbs -> Z.even limbs = true -> 0 <= spare -> bits + spare <= row_RADIX_BITS * limbs -> 4 * limbs < 2 ^ spare -> 0 <= bits ->
  0 < N < 2 ^ bits -> 0 <= a < 2 * limbs * N -> 0 <= b < 2 * limbs * N ->
  (a * b) / 2 ^ (row_RADIX_BITS * limbs) < (limbs - 1) * N.
Proof.
  intros Hl He Hs Hbits Hroom Hb HN Ha Hab.
  assert (H8 : 4 * limbs + 8 <= 2 ^ spare).
  { apply Z.even_spec in He. destruct He as [h Hh].
    assert (3 <= spare). { destruct (Z.le_gt_cases 3 spare); [assumption |]. assert (2 ^ spare <= 2 ^ 2) by (apply Z.pow_le_mono_r; lia). change (2 ^ 2) with 4 in *. lia. }
    replace spare with (3 + (spare - 3)) in * by ring. rewrite Z.pow_add_r in * by lia. change (2 ^ 3) with 8 in *. lia. }
  set (K := row_RADIX_BITS * limbs) in *.
  assert (HNK : N * (4 * limbs + 8) <= 2 ^ K).
  { apply Z.le_trans with (2 ^ (bits + spare)); [| apply Z.pow_le_mono_r; lia]. rewrite Z.pow_add_r by lia.
    apply Z.mul_le_mono_nonneg; lia. }
  assert (HK : 0 < 2 ^ K) by nia.
  apply Z.div_lt_upper_bound; [lia |].
  assert (a * b < (2 * limbs * N) * (2 * limbs * N)) by nia.
  assert (4 * limbs * limbs <= (limbs - 1) * (4 * limbs + 8)) by nia.
  assert ((2 * limbs * N) * (2 * limbs * N) <= (limbs - 1) * N * (N * (4 * limbs + 8))).
  { replace ((2 * limbs * N) * (2 * limbs * N)) with ((4 * limbs * limbs) * (N * N)) by ring.
    replace ((limbs - 1) * N * (N * (4 * limbs + 8))) with (((limbs - 1) * (4 * limbs + 8)) * (N * N)) by ring.
    apply Z.mul_le_mono_nonneg_r; nia. }
  assert ((limbs - 1) * N * (N * (4 * limbs + 8)) <= (limbs - 1) * N * 2 ^ K) by (apply Z.mul_le_mono_nonneg_l; nia).
  lia.
Qed.

(* --- Doubles: rows H_i C_i, C_i = 2^(52 (n + i)) mod m of least size, then one row of a quotient ------------------------ *)

Section DoublesFold.
  Variables B m n : Z.
  Variables (low multiple q : Z) (hs cs : list Z).
  Hypothesis cs_table : length hs = length cs /\ table_of m B 1 n cs.
  Hypothesis multiple_of_m : (m | multiple).

  (* T = the low columns and H B^n; V, the digits that are stored. *)
  Definition doubles_T := low + weighted B n hs.
  Definition doubles_V := low + dot hs cs - q * multiple.

  Theorem doubles_fold_congruent : doubles_V == doubles_T [mod m].
  Proof.
    destruct cs_table as [Hl Ht]. pose proof (dot_congruent m B 1 hs cs n Ht Hl) as Hd.
    unfold doubles_V, doubles_T. rewrite Z.mul_1_r in Hd. destruct multiple_of_m as [k ->]. rewrite Hd.
    transitivity (low + weighted B n hs - q * k * m); [apply cong_eq; ring |]. rewrite (cong_multiple_l m). apply cong_eq. ring.
  Qed.
End DoublesFold.

Lemma signed_dot_bounds D C : forall hs cs,
  length hs = length cs -> Forall (fun h => Z.abs h <= D) hs -> Forall (fun c => Z.abs c <= C) cs -> 0 <= D -> 0 <= C ->
  Z.abs (dot hs cs) <= Z.of_nat (length hs) * (D * C).
Proof.
  induction hs as [| h hs IH]; intros [| c cs] Hl Hh Hc HD HC; try discriminate Hl; cbn [dot length]; [lia |].
  injection Hl as Hl. inversion_clear Hh. inversion_clear Hc. specialize (IH cs Hl).
  rewrite Nat2Z.inj_succ. assert (Z.abs (h * c) <= D * C) by (rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg; lia).
  pose proof (Z.abs_triangle (h * c) (dot hs cs)). intuition nia.
Qed.

(* The result is below 2^(s+1) m if q is within 1.94 of the sum divided by 2^s m, and n digits hold it with a bit for the sign. *)
Theorem doubles_result_fits n s m V sum q :
  0 < m -> 0 <= s -> m * 2 ^ (s + 2) <= 2 ^ (52 * n) ->
  V = sum - q * (2 ^ s * m) -> 100 * Z.abs (sum - q * (2 ^ s * m)) < 194 * (2 ^ s * m) ->
  Z.abs V < 2 ^ (s + 1) * m /\ 2 * Z.abs V < 2 ^ (52 * n).
Proof.
  intros Hm Hs Hroom -> Hq. rewrite Z.pow_add_r in * by lia. change (2 ^ 1) with 2. change (2 ^ 2) with 4 in *.
  set (p := 2 ^ s) in *. set (v := Z.abs _) in *. nia.
Qed.

(* Shapes: every length of a modulus leaves s + 2 bits, and the top digit of a product is below 2^51. *)
Theorem doubles_product_top n s z m a b :
  0 < m -> 0 <= s -> s + 2 <= z -> z <= 52 * n -> m < 2 ^ (52 * n - z) ->
  Z.abs a < 2 ^ (s + 1) * m -> Z.abs b < 2 ^ (s + 1) * m -> 4 * Z.abs (a * b) < 2 ^ (2 * 52 * n).
Proof.
  intros Hm Hs Hz Hn Hb Ha Hab.
  assert (H : 2 ^ (s + 1) * m * 2 <= 2 ^ (52 * n)).
  { apply Z.le_trans with (2 ^ (s + 1) * 2 ^ (52 * n - z) * 2).
    - pose proof (Z.pow_pos_nonneg 2 (s + 1) ltac:(lia) ltac:(lia)). nia.
    - rewrite <- Z.pow_add_r by lia. replace (2 ^ (s + 1 + (52 * n - z)) * 2) with (2 ^ (s + 1 + (52 * n - z) + 1)) by (rewrite (Z.pow_add_r 2 _ 1) by lia; reflexivity).
      apply Z.pow_le_mono_r; lia. }
  replace (2 ^ (2 * 52 * n)) with (2 ^ (52 * n) * 2 ^ (52 * n)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  rewrite Z.abs_mul. set (X := 2 ^ (52 * n)) in *. set (Y := 2 ^ (s + 1) * m) in *. nia.
Qed.
