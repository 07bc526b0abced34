(* The exact halves of a product by two fused multiply-adds, in binary64 as Flocq defines it.

   About IEEE 754's operations: the rounding of the exact result. That the CPU's instructions are these is assumed, and that the kernels run them in this
   rounding mode. *)
From Coq Require Import ZArith Reals Lia Lra.
From Flocq Require Import Core.
From Pingala Require Import Constants.
Open Scope Z_scope.

Definition binary64 := FLT_exp (-1074) 53.
Definition rounded (rnd : R -> Z) (v : R) : R := round radix2 binary64 rnd v.
Definition fma (rnd : R -> Z) (x y z : R) : R := rounded rnd (x * y + z).
Definition subtract (rnd : R -> Z) (x y : R) : R := rounded rnd (x - y).
Definition sum (rnd : R -> Z) (x y : R) : R := rounded rnd (x + y).

Lemma IZR_pow2 k : 0 <= k -> IZR (2 ^ k) = bpow radix2 k.
Proof. intros. rewrite <- IZR_Zpower by assumption. reflexivity. Qed.

Lemma exact_multiple rnd {H : Valid_rnd rnd} m k : 0 <= k -> Z.abs m < 2 ^ 53 -> rounded rnd (IZR (m * 2 ^ k)) = IZR (m * 2 ^ k).
Proof.
  intros Hk Hm. apply round_generic; [exact H |]. apply generic_format_FLT.
  exists (Float radix2 m k); cbn [Fnum Fexp]; [| exact Hm | lia].
  unfold F2R. cbn [Fnum Fexp]. rewrite mult_IZR, IZR_pow2 by exact Hk. reflexivity.
Qed.

Lemma exact_integer rnd {H : Valid_rnd rnd} n : Z.abs n <= 2 ^ 53 -> rounded rnd (IZR n) = IZR n.
Proof.
  intros Hn. destruct (Z.eq_dec (Z.abs n) (2 ^ 53)) as [He | He].
  - assert (Hn1 : n = 2 ^ 53 \/ n = - 2 ^ 53) by lia. destruct Hn1 as [-> | ->].
    + apply (exact_multiple rnd 1 53); lia.
    + apply (exact_multiple rnd (-1) 53); lia.
  - pose proof (exact_multiple rnd n 0 ltac:(lia) ltac:(lia)) as He0. change (2 ^ 0) with 1 in He0. rewrite Z.mul_1_r in He0. exact He0.
Qed.

(* From 2^(52+k) to 2^(53+k) numbers are multiples of 2^k. *)
Lemma rounded_in_binade rnd n k : 0 <= k -> 2 ^ (52 + k) <= n < 2 ^ (53 + k) ->
  rounded rnd (IZR n) = IZR (rnd (IZR n / IZR (2 ^ k))%R * 2 ^ k).
Proof.
  intros Hk Hn. unfold rounded, round.
  assert (Hc : cexp radix2 binary64 (IZR n) = k).
  { rewrite (cexp_fexp _ _ _ (53 + k)).
    - unfold binary64, FLT_exp. lia.
    - pose proof (Z.pow_pos_nonneg 2 (52 + k) ltac:(lia) ltac:(lia)).
      rewrite Rabs_pos_eq by (apply IZR_le; lia). replace (53 + k - 1) with (52 + k) by ring.
      rewrite <- !IZR_pow2 by lia. split; [apply IZR_le | apply IZR_lt]; lia. }
  unfold scaled_mantissa. rewrite Hc. unfold F2R. cbn [Fnum Fexp]. rewrite mult_IZR, IZR_pow2 by exact Hk. f_equal. f_equal. f_equal.
  rewrite bpow_opp. reflexivity.
Qed.

Lemma quotient_real n k : 0 <= k -> Zfloor (IZR n / IZR (2 ^ k)) = n / 2 ^ k.
Proof. intros. apply Zfloor_div. pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) H). lia. Qed.

(* --- Rounded down or toward zero: fma_row_r52 ---------------------------------------------------------------------------------- *)

Section Down.
  Variable rnd : R -> Z.
  Context {valid : Valid_rnd rnd}.
  (* Of positive numbers both modes take the integer below. *)
  Hypothesis downward : forall v, (0 <= v)%R -> rnd v = Zfloor v.

  Variables x y : Z.
  Hypothesis x_digit : Z.abs x <= 2 ^ 51 + 2 ^ 10.
  Hypothesis y_digit : Z.abs y <= 2 ^ 51 + 2 ^ 10.
  Let h := x * y / 2 ^ 52.
  Let l := (x * y) mod 2 ^ 52.

  Lemma product_range : - 2 ^ 103 < x * y < 2 ^ 103.
  Proof. assert (Z.abs (x * y) <= (2 ^ 51 + 2 ^ 10) * (2 ^ 51 + 2 ^ 10)) by (rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg; lia). lia. Qed.

  Theorem high_half : fma rnd (IZR x) (IZR y) (IZR fma_row_C1) = IZR (fma_row_C1 + h * 2 ^ 52).
  Proof.
    unfold fma. rewrite <- mult_IZR, <- plus_IZR. pose proof product_range. unfold fma_row_C1 in *.
    rewrite (rounded_in_binade rnd _ 52) by lia. f_equal.
    rewrite downward.
    - rewrite quotient_real by lia. replace (3 * 2 ^ 103) with (3 * 2 ^ 51 * 2 ^ 52) by lia. rewrite Z.div_add by lia. unfold h. lia.
    - apply Rmult_le_pos; [apply IZR_le; lia |]. apply Rlt_le, Rinv_0_lt_compat, IZR_lt. lia.
  Qed.

  Theorem exact_difference : subtract rnd (IZR fma_row_C2) (IZR (fma_row_C1 + h * 2 ^ 52)) = IZR ((1 - h) * 2 ^ 52).
  Proof.
    unfold subtract. rewrite <- minus_IZR. unfold fma_row_C2, fma_row_C1, fma_row_RADIX_BITS.
    change (Z.lor (3 * 2 ^ 103) (1 * 2 ^ 52)) with (3 * 2 ^ 103 + 2 ^ 52).
    replace (3 * 2 ^ 103 + 2 ^ 52 - (3 * 2 ^ 103 + h * 2 ^ 52)) with ((1 - h) * 2 ^ 52) by ring.
    apply exact_multiple; [exact valid | lia |]. pose proof product_range. unfold h.
    assert (- 2 ^ 51 <= x * y / 2 ^ 52) by (apply Z.div_le_lower_bound; lia).
    assert (x * y / 2 ^ 52 < 2 ^ 51) by (apply Z.div_lt_upper_bound; lia). lia.
  Qed.

  Theorem low_half : fma rnd (IZR x) (IZR y) (IZR ((1 - h) * 2 ^ 52)) = IZR (2 ^ 52 + l) /\ 0 <= l < 2 ^ 52 /\ x * y = h * 2 ^ 52 + l.
  Proof.
    pose proof (Z.div_mod (x * y) (2 ^ 52) ltac:(lia)). pose proof (Z.mod_pos_bound (x * y) (2 ^ 52) ltac:(lia)). unfold h, l.
    split; [| lia]. unfold fma. rewrite <- mult_IZR, <- plus_IZR. replace (x * y + (1 - x * y / 2 ^ 52) * 2 ^ 52) with (2 ^ 52 + (x * y) mod 2 ^ 52) by lia.
    apply exact_integer; [exact valid | lia].
  Qed.

  Theorem high_half_range : Z.abs h <= 2 ^ 50 + 2 ^ 11.
  Proof.
    assert (Z.abs (x * y) <= (2 ^ 51 + 2 ^ 10) * (2 ^ 51 + 2 ^ 10)) by (rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg; lia).
    unfold h. assert (- (2 ^ 50 + 2 ^ 11) <= x * y / 2 ^ 52) by (apply Z.div_le_lower_bound; lia).
    assert (x * y / 2 ^ 52 <= 2 ^ 50 + 2 ^ 11) by (apply Z.div_le_upper_bound; lia). lia.
  Qed.
End Down.

(* The mode by MXCSR's bits. *)
Definition of_mode (mode : Z) : R -> Z :=
  if mode =? 0 then ZnearestE else if mode =? 1 then Zfloor else if mode =? 2 then Zceil else Ztrunc.

(* The mode in which the kernel runs is one of the two. *)
Theorem fma_row_rounds_downward v : (0 <= v)%R -> of_mode fma_row_rounding v = Zfloor v.
Proof. intros H. unfold of_mode, fma_row_rounding. cbn. first [exact (Ztrunc_floor v H) | reflexivity]. Qed.

Theorem fma_lanes_rounds_to_nearest : of_mode fma_lanes_rounding = ZnearestE.
Proof. reflexivity. Qed.

(* --- Rounded to nearest, ties to even: fma_lanes_r51 ------------------------------------------------------------------------------- *)

Section Nearest.
  Notation nearest := ZnearestE.

  Lemma nearest_in_binade n : 2 ^ 103 <= n < 2 ^ 104 ->
    exists q, rounded nearest (IZR n) = IZR (q * 2 ^ 51) /\ Z.abs (n - q * 2 ^ 51) <= 2 ^ 50.
  Proof.
    intros Hn. exists (nearest (IZR n / IZR (2 ^ 51))%R). split; [apply (rounded_in_binade nearest n 51); lia |].
    pose proof (Znearest_half (fun t => negb (Z.even t)) (IZR n / IZR (2 ^ 51))%R) as H.
    set (q := nearest _) in *. change (Znearest _ _) with q in H.
    apply le_IZR. rewrite abs_IZR, minus_IZR, mult_IZR.
    assert (Hp : (0 < IZR (2 ^ 51))%R) by (apply IZR_lt; lia).
    replace (IZR n - IZR q * IZR (2 ^ 51))%R with ((IZR n / IZR (2 ^ 51) - IZR q) * IZR (2 ^ 51))%R by (field; lra).
    rewrite Rabs_mult, (Rabs_pos_eq (IZR (2 ^ 51))) by lra.
    replace (IZR (2 ^ 50)) with (/ 2 * IZR (2 ^ 51))%R by (change (2 ^ 51) with (2 * 2 ^ 50); rewrite mult_IZR; field).
    apply Rmult_le_compat_r; lra.
  Qed.

  (* One product. *)
  Theorem nearest_halves x y : 0 <= x < 2 ^ 51 -> 0 <= y < 2 ^ 51 ->
    exists h l, x * y = h * 2 ^ 51 + l /\ 0 <= h <= 2 ^ 51 /\ Z.abs l <= 2 ^ 50
      /\ fma nearest (IZR x) (IZR y) (IZR fma_lanes_C1) = IZR (fma_lanes_C1 + h * 2 ^ 51)
      /\ subtract nearest (IZR fma_lanes_C2) (IZR (fma_lanes_C1 + h * 2 ^ 51)) = IZR ((3 - h) * 2 ^ 51)
      /\ fma nearest (IZR x) (IZR y) (IZR ((3 - h) * 2 ^ 51)) = IZR (3 * 2 ^ 51 + l).
  Proof.
    intros Hx Hy. assert (Hxy : 0 <= x * y <= (2 ^ 51 - 1) * (2 ^ 51 - 1)) by nia.
    unfold fma_lanes_C2, fma_lanes_C1. destruct (nearest_in_binade (x * y + 1 * 2 ^ 103)) as [q [Hq Hl]]; [lia |].
    exists (q - 2 ^ 52), (x * y - (q - 2 ^ 52) * 2 ^ 51). split; [ring |]. split; [lia |]. split; [lia |].
    split; [| split].
    - unfold fma. rewrite <- mult_IZR, <- plus_IZR, Hq. f_equal. lia.
    - unfold subtract. rewrite <- minus_IZR.
      replace (1 * 2 ^ 103 + 3 * 2 ^ 51 - (1 * 2 ^ 103 + (q - 2 ^ 52) * 2 ^ 51)) with ((3 - (q - 2 ^ 52)) * 2 ^ 51) by ring.
      apply exact_multiple; [typeclasses eauto | lia | lia].
    - unfold fma. rewrite <- mult_IZR, <- plus_IZR.
      replace (x * y + (3 - (q - 2 ^ 52)) * 2 ^ 51) with (3 * 2 ^ 51 + (x * y - (q - 2 ^ 52) * 2 ^ 51)) by ring.
      apply exact_integer; [typeclasses eauto | lia].
  Qed.

  (* A second product on top of the first. *)
  Theorem nearest_halves_of_two x y h l : 0 <= x < 2 ^ 51 -> 0 <= y < 2 ^ 51 ->
    0 <= h <= 2 ^ 51 -> Z.abs l <= 2 ^ 50 -> 0 <= h * 2 ^ 51 + l <= (2 ^ 51 - 1) * (2 ^ 51 - 1) ->
    exists h' l', x * y = h' * 2 ^ 51 + l' /\ 0 <= h' <= 2 ^ 51 /\ Z.abs l' <= 2 ^ 50
      /\ fma nearest (IZR x) (IZR y) (IZR (fma_lanes_C1 + h * 2 ^ 51)) = IZR (fma_lanes_C1 + (h + h') * 2 ^ 51)
      /\ subtract nearest (IZR (fma_lanes_C1 + h * 2 ^ 51)) (IZR (fma_lanes_C1 + (h + h') * 2 ^ 51)) = IZR ((- h') * 2 ^ 51)
      /\ fma nearest (IZR x) (IZR y) (IZR ((- h') * 2 ^ 51)) = IZR l'
      /\ sum nearest (IZR (3 * 2 ^ 51 + l)) (IZR l') = IZR (3 * 2 ^ 51 + (l + l')).
  Proof.
    intros Hx Hy Hh Hl Hfirst. assert (Hxy : 0 <= x * y <= (2 ^ 51 - 1) * (2 ^ 51 - 1)) by nia.
    unfold fma_lanes_C1. destruct (nearest_in_binade (x * y + (1 * 2 ^ 103 + h * 2 ^ 51))) as [q [Hq Hql]]; [lia |].
    exists (q - 2 ^ 52 - h), (x * y - (q - 2 ^ 52 - h) * 2 ^ 51). split; [ring |]. split; [lia |]. split; [lia |].
    split; [| split; [| split]].
    - unfold fma. rewrite <- mult_IZR, <- plus_IZR, Hq. f_equal. lia.
    - unfold subtract. rewrite <- minus_IZR.
      replace (1 * 2 ^ 103 + h * 2 ^ 51 - (1 * 2 ^ 103 + (h + (q - 2 ^ 52 - h)) * 2 ^ 51)) with ((- (q - 2 ^ 52 - h)) * 2 ^ 51) by ring.
      apply exact_multiple; [typeclasses eauto | lia | lia].
    - unfold fma. rewrite <- mult_IZR, <- plus_IZR.
      replace (x * y + (- (q - 2 ^ 52 - h)) * 2 ^ 51) with (x * y - (q - 2 ^ 52 - h) * 2 ^ 51) by ring.
      apply exact_integer; [typeclasses eauto | lia].
    - unfold sum. rewrite <- plus_IZR. rewrite Z.add_assoc.
      apply exact_integer; [typeclasses eauto | lia].
  Qed.
End Nearest.

(* --- Bits ----------------------------------------------------------------------------------------------------------------------------------- *)

(* binary64's bits of m 2^k for 2^52 <= m < 2^53, a normal number above 0. *)
Definition bits_of (m k : Z) : Z := (k + 1075) * 2 ^ 52 + (m - 2 ^ 52).

Theorem bits_of_binary64 m k : 2 ^ 52 <= m < 2 ^ 53 -> -1074 <= k <= 971 ->
  0 <= bits_of m k < 2 ^ 63 /\ bits_of m k mod 2 ^ 52 = m - 2 ^ 52 /\ bits_of m k / 2 ^ 52 = k + 1075.
Proof.
  intros Hm Hk. unfold bits_of. split; [lia |]. rewrite Z.add_comm. rewrite Z_mod_plus_full, Z.div_add, Z.mod_small, Z.div_small by lia. lia.
Qed.

(* As long as the exponent stays, adding h to the bits adds h 2^k to the number. *)
Theorem bits_add m k h : bits_of (m + h) k = bits_of m k + h.
Proof. unfold bits_of. ring. Qed.
