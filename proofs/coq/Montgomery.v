(* Montgomery's reduction as a whole and word by word, almost-Montgomery products, the inverse of a limb.

   About a model: the numbers here are integers. Which code computes these integers, and by which test that is known, says proofs/README.md. *)
From Coq Require Import ZArith Lia List Znumtheory.
From Pingala Require Import Congruence Constants.
Import ListNotations.
Open Scope Z_scope.

(* --- The reduction of T by one quotient Q -------------------------------------------------------------------------- *)

Definition quotient (R m' T : Z) : Z := (T * m') mod R.
Definition redc (R m m' T : Z) : Z := (T + quotient R m' T * m) / R.

Section Reduction.
  Variables R m m' T : Z.
  Hypothesis R_positive : 0 < R.
  Hypothesis m_positive : 0 < m.
  Hypothesis m'_inverse : m * m' == -1 [mod R].

  Lemma quotient_range : 0 <= quotient R m' T < R.
  Proof. apply Z.mod_pos_bound. exact R_positive. Qed.

  Lemma quotient_makes_divisible : T + quotient R m' T * m == 0 [mod R].
  Proof.
    unfold quotient. rewrite (cong_mod R (T * m')) by exact R_positive.
    transitivity (T + T * (m * m')); [apply cong_eq; ring |].
    rewrite m'_inverse. apply cong_eq. ring.
  Qed.

  (* The division is exact. *)
  Theorem redc_exact : R * redc R m m' T = T + quotient R m' T * m.
  Proof.
    destruct quotient_makes_divisible as [k Hk]. unfold redc.
    replace (T + quotient R m' T * m) with (k * R) by lia. rewrite Z.div_mul by lia. ring.
  Qed.

  Theorem redc_congruent : redc R m m' T * R == T [mod m].
  Proof. exists (quotient R m' T). pose proof redc_exact. lia. Qed.

  (* Below T / R + m. *)
  Theorem redc_below : 0 <= T -> R * redc R m m' T < T + R * m.
  Proof. intros HT. rewrite redc_exact. pose proof quotient_range. nia. Qed.

  (* T < R m: the result is below 2m, and one subtraction makes it canonical. *)
  Theorem redc_below_2m : 0 <= T < R * m -> 0 <= redc R m m' T < 2 * m.
  Proof.
    intros HT. pose proof redc_exact. pose proof quotient_range. pose proof (redc_below ltac:(lia)). nia.
  Qed.

  Definition canonical (x : Z) : Z := if m <=? x then x - m else x.

  Theorem redc_canonical :
    0 <= T < R * m -> 0 <= canonical (redc R m m' T) < m /\ canonical (redc R m m' T) * R == T [mod m].
  Proof.
    intros HT. pose proof (redc_below_2m HT) as H2m. pose proof redc_congruent as Hc. unfold canonical.
    destruct (Z.leb_spec m (redc R m m' T)); split; try lia; [| exact Hc].
    destruct Hc as [k Hk]. exists (k - R). lia.
  Qed.

  (* Any Q in 0 .. R - 1 that makes the division exact is the quotient: rows of tiles and whole products find the same one. *)
  Theorem quotient_unique Q : 0 <= Q < R -> (R | T + Q * m) -> Q = quotient R m' T.
  Proof.
    intros HQ [k Hk]. apply (cong_small R); [exact HQ | exact quotient_range |].
    unfold quotient. rewrite (cong_mod R (T * m')) by exact R_positive.
    transitivity (- Q * (m * m')); [rewrite m'_inverse; apply cong_eq; ring |].
    exists (- k * m'). replace (- Q * (m * m') - T * m') with (- (T + Q * m) * m') by ring. rewrite Hk. ring.
  Qed.
End Reduction.

(* --- Word by word: separated rows ---------------------------------------------------------------------------------- *)

Section Rows.
  Variables b m m' : Z.
  Hypothesis b_above_1 : 1 < b.
  Hypothesis m_positive : 0 < m.
  Hypothesis m'_inverse : m * m' == -1 [mod b].

  (* One row: u from the lowest word only. *)
  Definition row (T : Z) : Z := (T + (((T mod b) * m') mod b) * m) / b.

  Lemma row_is_redc T : row T = redc b m m' T.
  Proof.
    unfold row, redc, quotient. f_equal. f_equal. f_equal. rewrite Z.mul_mod_idemp_l by lia. reflexivity.
  Qed.

  Fixpoint rows (n : nat) (T : Z) : Z := match n with O => T | S n => rows n (row T) end.

  Lemma rows_exact n : forall T, exists Q, 0 <= Q < b ^ Z.of_nat n /\ b ^ Z.of_nat n * rows n T = T + Q * m.
  Proof.
    induction n as [| n IH]; intros T; cbn [rows].
    - exists 0. change (b ^ Z.of_nat 0) with 1. lia.
    - destruct (IH (row T)) as [Q [HQ H]]. rewrite row_is_redc in H.
      pose proof (redc_exact b m m' T ltac:(lia) m'_inverse) as He.
      pose proof (quotient_range b m' T ltac:(lia)) as Hq.
      rewrite row_is_redc. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
      exists (quotient b m' T + b * Q). split; [nia |].
      transitivity (b * (b ^ Z.of_nat n * rows n (redc b m m' T))); [ring |]. rewrite H. lia.
  Qed.

  (* n rows are one reduction by R = b^n. *)
  Theorem rows_are_redc n T mR : m * mR == -1 [mod b ^ Z.of_nat n] -> rows n T = redc (b ^ Z.of_nat n) m mR T.
  Proof.
    intros HmR. destruct (rows_exact n T) as [Q [HQ H]].
    assert (HR : 0 < b ^ Z.of_nat n) by (apply Z.pow_pos_nonneg; lia).
    assert (Q = quotient (b ^ Z.of_nat n) mR T) as ->.
    { apply (quotient_unique _ m); try assumption. exists (rows n T). lia. }
    pose proof (redc_exact _ m mR T HR HmR). nia.
  Qed.

  (* The numbers that rows of tiles leave: T < R m gives a number below 2m. *)
  Theorem rows_below_2m n T : 0 <= T < b ^ Z.of_nat n * m -> 0 <= rows n T < 2 * m.
  Proof.
    intros HT. destruct (rows_exact n T) as [Q [HQ H]].
    assert (HR : 0 < b ^ Z.of_nat n) by (apply Z.pow_pos_nonneg; lia). nia.
  Qed.
End Rows.

(* --- Word by word: CIOS, rows of the product and of the reduction in turn ------------------------------------------ *)

Section Cios.
  Variables b m m' a : Z.
  Hypothesis b_above_1 : 1 < b.
  Hypothesis m_positive : 0 < m.
  Hypothesis a_nonnegative : 0 <= a.
  Hypothesis m'_inverse : m * m' == -1 [mod b].

  Fixpoint number (words : list Z) : Z := match words with [] => 0 | w :: ws => w + b * number ws end.

  Fixpoint cios (t : Z) (words : list Z) : Z :=
    match words with [] => t | w :: ws => cios (redc b m m' (t + a * w)) ws end.

  (* Between the rows t < a + m. *)
  Theorem cios_between_rows words : forall t,
    0 <= t < a + m -> Forall (fun w => 0 <= w < b) words -> 0 <= cios t words < a + m.
  Proof.
    induction words as [| w ws IH]; intros t Ht Hw; cbn [cios]; [exact Ht |].
    inversion_clear Hw. apply IH; [| assumption].
    pose proof (redc_exact b m m' (t + a * w) ltac:(lia) m'_inverse).
    pose proof (quotient_range b m' (t + a * w) ltac:(lia)). nia.
  Qed.

  Lemma cios_exact words : forall t,
    exists Q, 0 <= Q < b ^ Z.of_nat (length words)
      /\ b ^ Z.of_nat (length words) * cios t words = t + a * number words + Q * m.
  Proof.
    induction words as [| w ws IH]; intros t; cbn [cios number length].
    - exists 0. change (b ^ Z.of_nat 0) with 1. lia.
    - destruct (IH (redc b m m' (t + a * w))) as [Q [HQ H]].
      pose proof (redc_exact b m m' (t + a * w) ltac:(lia) m'_inverse).
      pose proof (quotient_range b m' (t + a * w) ltac:(lia)).
      rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
      exists (quotient b m' (t + a * w) + b * Q). split; [nia |].
      transitivity (b * (b ^ Z.of_nat (length ws) * cios (redc b m m' (t + a * w)) ws)); [ring |]. rewrite H. lia.
  Qed.

  (* CIOS gives what the separated product and its reduction give. *)
  Theorem cios_is_redc words mR :
    m * mR == -1 [mod b ^ Z.of_nat (length words)] ->
    cios 0 words = redc (b ^ Z.of_nat (length words)) m mR (a * number words).
  Proof.
    intros HmR. destruct (cios_exact words 0) as [Q [HQ H]].
    assert (HR : 0 < b ^ Z.of_nat (length words)) by (apply Z.pow_pos_nonneg; lia).
    assert (Q = quotient (b ^ Z.of_nat (length words)) mR (a * number words)) as ->.
    { apply (quotient_unique _ m); try assumption. exists (cios 0 words). lia. }
    pose proof (redc_exact _ m mR (a * number words) HR HmR). nia.
  Qed.

  Theorem cios_below_2m words :
    a * number words < b ^ Z.of_nat (length words) * m -> Forall (fun w => 0 <= w < b) words -> 0 <= cios 0 words < 2 * m.
  Proof.
    intros Ht Hw. destruct (cios_exact words 0) as [Q [HQ H]].
    pose proof (cios_between_rows words 0 ltac:(lia) Hw). nia.
  Qed.
End Cios.

(* --- Almost-Montgomery products: factors below 2m, nothing is subtracted -------------------------------------------- *)

Section AlmostMontgomery.
  Variables R m m' : Z.
  Hypothesis R_positive : 0 < R.
  Hypothesis m_positive : 0 < m.
  Hypothesis m'_inverse : m * m' == -1 [mod R].
  Let reduced := redc R m m'.

  (* R >= 4m: the product of two residues is a residue. *)
  Theorem amm_product a b : 4 * m <= R -> 0 <= a < 2 * m -> 0 <= b < 2 * m -> 0 <= reduced (a * b) < 2 * m.
  Proof. intros HR Ha Hb. apply redc_below_2m; [assumption .. |]. nia. Qed.

  (* A factor below R, and one below m: how numbers enter. *)
  Theorem amm_enter a r : 0 <= a < R -> 0 <= r < m -> 0 <= reduced (a * r) < 2 * m.
  Proof. intros Ha Hr. apply redc_below_2m; [assumption .. |]. nia. Qed.

  (* How residues leave: at most m, so that one subtraction is enough. *)
  Theorem amm_leave a : 2 * m <= R -> 0 <= a < 2 * m -> 0 <= reduced a <= m.
  Proof.
    intros HR Ha. pose proof (redc_exact R m m' a R_positive m'_inverse) as H.
    pose proof (quotient_range R m' a R_positive). fold reduced in H. nia.
  Qed.

  (* x 2^d for a residue x may be squared once more before it is reduced. *)
  Theorem amm_shifted x d :
    0 <= d -> 2 ^ (2 * d + 2) * m <= R -> 0 <= x < 2 * m -> 0 <= reduced ((2 ^ d * x) * (2 ^ d * x)) < 2 * m.
  Proof.
    intros Hd HR Hx. apply redc_below_2m; [assumption .. |].
    replace (2 * d + 2) with (d + d + 2) in HR by ring. rewrite !Z.pow_add_r in HR by lia. change (2 ^ 2) with 4 in HR.
    pose proof (Z.pow_pos_nonneg 2 d ltac:(lia) Hd) as Hp. set (p := 2 ^ d) in *.
    assert (0 <= p * x < 2 * (p * m)) by nia. assert ((p * x) * (p * x) < (2 * (p * m)) * (2 * (p * m))) by nia.
    assert (p * p * 4 * m * m <= R * m) by (apply Z.mul_le_mono_nonneg_r; lia). nia.
  Qed.

  (* Residues of the row kernel, below 2 n m, may be gathered into lanes of n limbs: products stay within that bound. *)
  Theorem amm_gathered n a b :
    1 <= n -> 4 * n * m <= R -> 0 <= a < 2 * n * m -> 0 <= b < 2 * n * m -> 0 <= reduced (a * b) < (n + 1) * m.
  Proof.
    intros Hn HR Ha Hb. pose proof (redc_exact R m m' (a * b) R_positive m'_inverse) as H.
    pose proof (quotient_range R m' (a * b) R_positive) as Hq. fold reduced in H.
    assert (a * b < 4 * n * m * (n * m)) by nia.
    assert (4 * n * m * (n * m) <= R * (n * m)) by nia.
    nia.
  Qed.
End AlmostMontgomery.

(* The lengths that the lanes take leave the room that the theorems want. *)
Theorem ifma_lanes_room limbs64 m :
  1 <= limbs64 -> 0 < m < 2 ^ (64 * limbs64) -> 4 * m <= 2 ^ (52 * ifma_lanes_limbs limbs64).
Proof.
  intros Hl Hm. unfold ifma_lanes_limbs.
  pose proof (div_ceil_spec (64 * limbs64 + 2) 52 ltac:(lia)) as Hn. set (n := _ / _) in *.
  apply Z.le_trans with (2 ^ (64 * limbs64 + 2)); [| apply Z.pow_le_mono_r; lia].
  rewrite Z.pow_add_r by lia. lia.
Qed.

Theorem ifma_lanes_shift n bits m :
  0 <= bits -> bits + 2 <= 52 * n -> 0 < m < 2 ^ bits ->
  let d := ifma_lanes_shift_bits n bits in 0 <= d /\ 2 ^ (2 * d + 2) * m <= 2 ^ (52 * n).
Proof.
  intros Hb Hn Hm d. unfold ifma_lanes_shift_bits in d.
  assert (Hd : 0 <= d /\ 2 * d + 2 + bits <= 52 * n).
  { unfold d. pose proof (div_floor_spec (Z.max 0 (52 * n - (bits + 2))) 2 ltac:(lia)). lia. }
  split; [lia |].
  apply Z.le_trans with (2 ^ (2 * d + 2) * 2 ^ bits); [nia |]. rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
Qed.

(* --- Lanes of doubles: M = k m ends in ones, so that a quotient limb is the column itself ----------------------------- *)

Section EndsInOnes.
  Variables b M : Z.
  Hypothesis b_above_1 : 1 < b.
  Hypothesis ends_in_ones : M == -1 [mod b].

  (* x + q M = (x - q) + q (M + 1) for q = x mod b, and both are multiples of b. *)
  Theorem quotient_is_column x : (x + (x mod b) * M) / b = x / b + (x mod b) * ((M + 1) / b).
  Proof.
    destruct ends_in_ones as [k Hk]. replace (M + 1) with (k * b) by lia. rewrite Z.div_mul by lia.
    replace M with (k * b - 1) by lia. pose proof (Z.div_mod x b ltac:(lia)) as Hx.
    replace (x + x mod b * (k * b - 1)) with ((x / b + x mod b * k) * b) by lia.
    apply Z.div_mul. lia.
  Qed.

  (* It is the row of Montgomery's reduction with m' = 1. *)
  Theorem ends_in_ones_is_row x : row b M 1 x = x / b + (x mod b) * ((M + 1) / b).
  Proof. rewrite <- quotient_is_column. unfold row. rewrite Z.mul_1_r, Z.mod_mod by lia. reflexivity. Qed.
End EndsInOnes.

Theorem fma_lanes_room limbs64 m k :
  1 <= limbs64 -> 0 < m < 2 ^ (64 * limbs64) -> 0 < k < 2 ^ fma_lanes_RADIX_BITS ->
  4 * (k * m) <= 2 ^ (fma_lanes_RADIX_BITS * fma_lanes_limbs limbs64).
Proof.
  intros Hl Hm Hk. unfold fma_lanes_limbs, fma_lanes_limbs_for_bits, fma_lanes_MORE_BITS in *. unfold fma_lanes_RADIX_BITS in *.
  pose proof (div_ceil_spec (64 * limbs64 + (51 + 2)) 51 ltac:(lia)) as Hq. set (q := _ / 51) in *.
  pose proof (div_ceil_spec q 2 ltac:(lia)) as Hn. set (n := _ / 2) in *.
  replace (n * 2) with (2 * n) by ring.
  apply Z.le_trans with (2 ^ (64 * limbs64 + 53)); [| apply Z.pow_le_mono_r; lia].
  replace (64 * limbs64 + 53) with (2 + (51 + 64 * limbs64)) by ring. rewrite !Z.pow_add_r by lia.
  change (2 ^ 2) with 4. nia.
Qed.

(* --- The lazy carry of the integer lanes: the low half of q m_0 is never formed -------------------------------------- *)

Section LazyCarry.
  Variables b m0 m' x : Z.
  Hypothesis b_above_1 : 1 < b.
  Hypothesis m'_inverse : m0 * m' == -1 [mod b].

  (* q from x + b - 1. *)
  Theorem lazy_quotient : (m' + m' * (x + (b - 1))) mod b = (x * m') mod b.
  Proof.
    replace (m' + m' * (x + (b - 1))) with (x * m' + m' * b) by ring. apply Z_mod_plus_full.
  Qed.

  (* x + lo(q m_0) is the next multiple of b. *)
  Theorem lazy_carry : let q := (x * m') mod b in x + (q * m0) mod b = b * ((x + (b - 1)) / b).
  Proof.
    intros q.
    assert (H : (q * m0) mod b = (- x) mod b).
    { apply cong_mod_eq; [lia |]. unfold q. rewrite (cong_mod b (x * m')) by lia.
      transitivity (x * (m0 * m')); [apply cong_eq; ring |]. rewrite m'_inverse. apply cong_eq. ring. }
    rewrite H. pose proof (Z.div_mod (x + (b - 1)) b ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (x + (b - 1)) b ltac:(lia)).
    set (c := (x + (b - 1)) / b) in *. set (r := (x + (b - 1)) mod b) in *.
    assert ((- x) mod b = b - 1 - r); [| lia].
    symmetry. apply Z.mod_unique_pos with (q := - c); lia.
  Qed.
End LazyCarry.

(* --- The inverse of a limb ------------------------------------------------------------------------------------------- *)

(* With x m = 1 - e: x (1 + e) (1 + e^2) (1 + e^4) ..., start x = m. After the first factor and j turns of the loop. *)
Fixpoint inverse_turns (j : nat) (e inverse : Z) : Z :=
  match j with O => inverse | S j => inverse_turns j (e * e) (inverse * (1 + e * e)) end.

Definition limb_inverse (j : nat) (m : Z) : Z := let e := 1 - m * m in inverse_turns j e (m * (1 + e)).

Lemma inverse_turns_exact j : forall e inverse m,
  m * inverse = 1 - e * e -> m * inverse_turns j e inverse = 1 - e ^ (2 * 2 ^ Z.of_nat j).
Proof.
  induction j as [| j IH]; intros e inverse m H; cbn [inverse_turns].
  - change (2 * 2 ^ Z.of_nat 0) with 2. rewrite H. ring.
  - rewrite (IH (e * e) (inverse * (1 + e * e)) m).
    + f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
      replace (e * e) with (e ^ 2) by ring. rewrite <- Z.pow_mul_r; [f_equal; ring | lia |].
      pose proof (Z.pow_pos_nonneg 2 (Z.of_nat j) ltac:(lia) ltac:(lia)). lia.
    + rewrite Z.mul_assoc, H. ring.
Qed.

(* The code starts with `limb_inverse_right_bits` right bits and doubles them in each turn. *)
Theorem limb_inverse_correct j m :
  Z.odd m = true -> m * limb_inverse j m == 1 [mod 2 ^ (limb_inverse_right_bits * 2 ^ Z.of_nat j)].
Proof.
  intros Hm. unfold limb_inverse. rewrite (inverse_turns_exact j _ _ m) by ring.
  assert (He : exists c, 1 - m * m = 8 * c).
  { rewrite Z.odd_spec in Hm. destruct Hm as [h ->].
    destruct (Z.Even_or_Odd h) as [[g ->] | [g ->]]; [exists (- (2 * g * g + g)) | exists (- (2 * g * g + 3 * g + 1))]; ring. }
  destruct He as [c ->]. unfold limb_inverse_right_bits.
  pose proof (Z.pow_pos_nonneg 2 (Z.of_nat j) ltac:(lia) ltac:(lia)) as Hp. set (p := 2 ^ Z.of_nat j) in *.
  rewrite Z.pow_mul_l. change 8 with (2 ^ 3). rewrite <- Z.pow_mul_r by lia.
  exists (- c ^ (2 * p)). replace (3 * (2 * p)) with (6 * p) by ring. ring.
Qed.

(* Modulo b it does not matter where the intermediate results are cut: 64 bits take `while right_bits < 64`. *)
Theorem limb_inverse_64 m :
  Z.odd m = true -> m * limb_inverse 4 m == 1 [mod 2 ^ 64].
Proof.
  intros Hm. pose proof (limb_inverse_correct 4 m Hm) as H.
  apply (cong_divide (2 ^ (limb_inverse_right_bits * 2 ^ Z.of_nat 4))); [| exact H].
  exists (2 ^ 32). reflexivity.
Qed.
