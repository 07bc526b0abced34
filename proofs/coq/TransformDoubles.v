(* The modular products of the transforms in doubles: what the texts of FieldTexts.v compute in every mode of rounding, and the bounds that the trait
   Field gives them.

   About the Rust text over IEEE 754's operations, as Transforms.v; `rnd` is the mode in which the operations run, `set` that of the set-up. *)
From Coq Require Import ZArith Reals Lia Lra List.
From Flocq Require Import Core.
From Pingala Require Import Congruence Exact FieldWords FieldTexts Transforms.
Import ListNotations.
Open Scope Z_scope.

Global Instance precision_positive : Prec_gt_0 53.
Proof. reflexivity. Qed.
Global Instance binary64_valid : Valid_exp binary64 := FLT_exp_valid (-1074) 53.

(* A number below 2^e is rounded by less than 2^(e - 53). *)
Theorem rounding_error rnd {H : Valid_rnd rnd} v e : -1021 <= e -> (Rabs v < bpow radix2 e)%R -> (Rabs (rounded rnd v - v) < bpow radix2 (e - 53))%R.
Proof.
  intros He Hv. unfold rounded. destruct (Req_dec v 0) as [-> | Hn].
  - rewrite round_0 by exact H. rewrite Rminus_0_r, Rabs_R0. apply bpow_gt_0.
  - apply Rlt_le_trans with (ulp radix2 binary64 v); [apply error_lt_ulp; [exact binary64_valid | exact H | exact Hn] |].
    rewrite ulp_neq_0 by exact Hn. apply bpow_le. unfold cexp, binary64, FLT_exp.
    pose proof (mag_le_bpow radix2 v e Hn Hv). lia.
Qed.

(* An integer is rounded to an integer. *)
Lemma rounded_integer rnd {H : Valid_rnd rnd} n : exists m, rounded rnd (IZR n) = IZR m.
Proof.
  destruct (Z.le_gt_cases (Z.abs n) (2 ^ 53)) as [Hn | Hn]; [exists n; apply exact_integer; assumption |].
  unfold rounded, round, F2R. cbn [Fnum Fexp].
  assert (Hc : 0 <= cexp radix2 binary64 (IZR n)).
  { unfold cexp, binary64, FLT_exp. assert (54 <= mag radix2 (IZR n)); [| lia]. apply mag_ge_bpow.
    rewrite <- abs_IZR. change (54 - 1) with 53. rewrite <- IZR_pow2 by lia. apply IZR_le. lia. }
  set (c := cexp _ _ _) in *. eexists. rewrite <- IZR_pow2 by exact Hc. rewrite <- mult_IZR. reflexivity.
Qed.

Lemma nearest_error v : (Rabs (IZR (ZnearestE v) - v) <= / 2)%R.
Proof. rewrite Rabs_minus_sym. apply Znearest_half. Qed.

Section Doubles.
  Variables rnd set : R -> Z.
  Context {valid_rnd : Valid_rnd rnd} {valid_set : Valid_rnd set}.
  Variable p : Z.
  Hypothesis prime : In p primes.

  Let bounds : 2 ^ 48 - 3 * 2 ^ 30 < p < 2 ^ 48.
  Proof. apply primes_near in prime. destruct prime as [H _]. exact H. Qed.

  Let P := IZR p.
  Let P_bounds : (0 < P /\ IZR (2 ^ 47) < P /\ P <= IZR (2 ^ 48 - 1))%R.
  Proof. pose proof bounds. unfold P. split; [apply IZR_lt; lia |]. split; [apply IZR_lt | apply IZR_le]; lia. Qed.

  Lemma abs_lt_IZR n m : Z.abs n < m -> (Rabs (IZR n) < IZR m)%R.
  Proof. intros. rewrite <- abs_IZR. apply IZR_lt. assumption. Qed.

  (* a b - q p, exactly. *)
  Theorem double_finish a b q : Z.abs (a * b) < 2 ^ 99 -> Z.abs (a * b - q * p) < 2 ^ 52 ->
    Double_finish rnd set p (IZR a) (IZR b) (d_mul rnd (IZR a) (IZR b)) (IZR q) = IZR (a * b - q * p).
  Proof.
    intros Hab Hr. unfold Double_finish, d_mul, d_mul_sub, d_sub_product, d_add. rewrite <- mult_IZR.
    destruct (rounded_integer rnd (a * b)) as [h Hh]. rewrite Hh.
    assert (He : Z.abs (h - a * b) < 2 ^ 46).
    { apply lt_IZR. rewrite abs_IZR, minus_IZR, <- Hh, (IZR_pow2 46) by lia. apply (rounding_error rnd (IZR (a * b)) 99); [lia |].
      rewrite <- IZR_pow2 by lia. apply abs_lt_IZR. exact Hab. }
    rewrite <- minus_IZR, exact_integer by (try exact valid_rnd; lia).
    rewrite <- mult_IZR, <- minus_IZR, exact_integer by (try exact valid_rnd; lia).
    rewrite <- plus_IZR, exact_integer by (try exact valid_rnd; lia). f_equal. ring.
  Qed.

  (* If the quotient before it is rounded to an integer is less than 1/2 off, the rest is below p. *)
  Lemma rest_below x v : (Rabs (v * P - IZR x) < P / 2)%R -> Z.abs (x - ZnearestE v * p) < p.
  Proof.
    intros Hv. apply lt_IZR. rewrite abs_IZR, minus_IZR, mult_IZR. fold P. pose proof P_bounds as HP.
    pose proof (nearest_error v) as Hn.
    assert (Hq : (Rabs ((IZR (ZnearestE v) - v) * P) <= / 2 * P)%R).
    { rewrite Rabs_mult, (Rabs_pos_eq P) by lra. apply Rmult_le_compat_r; lra. }
    replace (IZR x - IZR (ZnearestE v) * P)%R with (- ((IZR (ZnearestE v) - v) * P) - (v * P - IZR x))%R by ring.
    apply Rabs_def2 in Hv. apply Rabs_le_inv in Hq. apply Rabs_def1; lra.
  Qed.

  (* The second word of w is w / p as the set-up rounds it. *)
  Theorem double_times x w : Z.abs x < 16 * p -> 2 * Z.abs w < p ->
    exists r, Double_times rnd set p (IZR x) (IZR w) (Double_quotient set p (IZR w)) = IZR r /\ r == x * w [mod p] /\ Z.abs r < p.
  Proof.
    intros Hx Hw. pose proof bounds as HB. pose proof P_bounds as HP.
    unfold Double_times, Double_quotient, d_div, d_round. cbv zeta. unfold d_mul at 1. fold P.
    set (u := rounded set (IZR w / P)). set (v := rounded rnd (IZR x * u)).
    assert (HxR : (Rabs (IZR x) < 16 * P)%R) by (unfold P; rewrite <- mult_IZR; apply abs_lt_IZR; exact Hx).
    assert (HwR : (2 * Rabs (IZR w) < P)%R) by (unfold P; rewrite <- abs_IZR, <- mult_IZR; apply IZR_lt; exact Hw).
    assert (Hwp : (Rabs (IZR w / P) < bpow radix2 (-1))%R).
    { change (bpow radix2 (-1)) with (/ 2)%R. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ P)) by (apply Rlt_le, Rinv_0_lt_compat; lra).
      apply (Rmult_lt_reg_r P); [lra |]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hu : (Rabs (u - IZR w / P) < bpow radix2 (-54))%R) by (apply (rounding_error set _ (-1)); [lia | exact Hwp]).
    assert (Hu54 : bpow radix2 (-54) = (/ IZR (2 ^ 54))%R) by reflexivity. rewrite Hu54 in Hu.
    set (d := (u - IZR w / P)%R) in *.
    assert (Hxd : (Rabs (IZR x * d) < / 4)%R).
    { rewrite Rabs_mult. apply Rle_lt_trans with (16 * P * / IZR (2 ^ 54))%R.
      - apply Rmult_le_compat; try apply Rabs_pos; lra.
      - apply (Rmult_lt_reg_r (IZR (2 ^ 54))); [apply IZR_lt; lia |]. rewrite Rmult_assoc, Rinv_l by (apply IZR_neq; lia).
        apply Rle_lt_trans with (16 * IZR (2 ^ 48 - 1))%R; [lra |]. change (2 ^ 54) with (4 * 2 ^ 52). rewrite mult_IZR.
        replace (/ 4 * (4 * IZR (2 ^ 52)))%R with (IZR (2 ^ 52)) by field. rewrite <- mult_IZR. apply IZR_lt. lia. }
    assert (Hxu : (IZR x * u = IZR x * IZR w / P + IZR x * d)%R) by (unfold d; field; lra).
    assert (Ht : (Rabs (IZR x * IZR w / P) < 8 * P)%R).
    { unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (/ P)) by (apply Rlt_le, Rinv_0_lt_compat; lra).
      apply (Rmult_lt_reg_r P); [lra |]. rewrite Rmult_assoc, Rinv_l by lra.
      pose proof (Rabs_pos (IZR x)). pose proof (Rabs_pos (IZR w)).
      assert (Rabs (IZR x) * (2 * Rabs (IZR w)) <= Rabs (IZR x) * P)%R by (apply Rmult_le_compat_l; lra).
      assert (Rabs (IZR x) * P < 16 * P * P)%R by (apply Rmult_lt_compat_r; lra). lra. }
    assert (Hv : (Rabs (v - IZR x * u) < / 4)%R).
    { change (/ 4)%R with (bpow radix2 (51 - 53)). apply (rounding_error rnd (IZR x * u) 51); [lia |]. rewrite <- IZR_pow2 by lia.
      rewrite Hxu. apply Rle_lt_trans with (1 := Rabs_triang _ _).
      apply Rlt_le_trans with (8 * P + / 4)%R; [lra |].
      apply Rle_trans with (8 * IZR (2 ^ 48 - 1) + 1)%R; [lra |]. rewrite <- mult_IZR, <- plus_IZR. apply IZR_le. lia. }
    assert (Hr : Z.abs (x * w - ZnearestE v * p) < p).
    { apply rest_below. rewrite mult_IZR.
      replace (v * P - IZR x * IZR w)%R with ((v - IZR x * u + IZR x * d) * P)%R by (rewrite Hxu; field; lra).
      rewrite Rabs_mult, (Rabs_pos_eq P) by lra. unfold Rdiv. rewrite (Rmult_comm P). apply Rmult_lt_compat_r; [lra |].
      apply Rle_lt_trans with (1 := Rabs_triang _ _). lra. }
    exists (x * w - ZnearestE v * p). split; [| split; [exists (- ZnearestE v); ring | exact Hr]].
    change (IZR (ZnearestE v)) with (IZR (ZnearestE v)). apply double_finish; [| lia].
    rewrite Z.abs_mul. pose proof (mul_range (Z.abs x) (Z.abs w) (2 ^ 52) (2 ^ 47 - 1) ltac:(lia) ltac:(lia)). lia.
  Qed.

  Lemma reciprocal_error : (Rabs (Double_reciprocal set p * P - 1) <= P * / IZR (2 ^ 100))%R.
  Proof.
    pose proof P_bounds as HP. unfold Double_reciprocal, d_div. fold P. set (c := rounded set (1 / P)).
    assert (Hc : (Rabs (c - 1 / P) < bpow radix2 (-100))%R).
    { apply (rounding_error set (1 / P) (-47)); [lia |]. unfold Rdiv. rewrite Rmult_1_l, Rabs_pos_eq by (apply Rlt_le, Rinv_0_lt_compat; lra).
      change (bpow radix2 (-47)) with (/ IZR (2 ^ 47))%R. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; [apply IZR_lt; lia | lra] |].
      apply HP. }
    change (bpow radix2 (-100)) with (/ IZR (2 ^ 100))%R in Hc.
    replace (c * P - 1)%R with ((c - 1 / P) * P)%R by (field; lra). rewrite Rabs_mult, (Rabs_pos_eq P), Rmult_comm by lra.
    apply Rmult_le_compat_l; lra.
  Qed.


  Lemma reciprocal_near_1 : (Rabs (Double_reciprocal set p * P) <= 2)%R.
  Proof.
    pose proof P_bounds as HP. pose proof reciprocal_error as H.
    assert (P * / IZR (2 ^ 100) <= 1)%R.
    { apply (Rmult_le_reg_r (IZR (2 ^ 100))); [apply IZR_lt; lia |]. rewrite Rmult_assoc, Rinv_l by (apply IZR_neq; lia).
      apply Rle_trans with (IZR (2 ^ 48 - 1)); [lra |]. rewrite Rmult_1_l. apply IZR_le. lia. }
    apply Rabs_le_inv in H. apply Rabs_le. lra.
  Qed.

  (* A product by 1 / p whose result is below 2^e: how far it is off, times p. *)
  Lemma by_reciprocal h e : -1021 <= e -> (Rabs (IZR h * Double_reciprocal set p) < bpow radix2 e)%R ->
    (Rabs (d_mul rnd (IZR h) (Double_reciprocal set p) * P - IZR h) < bpow radix2 (e - 53) * P + Rabs (IZR h) * (P * / IZR (2 ^ 100)))%R.
  Proof.
    intros He Hh. pose proof P_bounds as HP. unfold d_mul. set (c := Double_reciprocal set p) in *. set (v := rounded rnd (IZR h * c)).
    assert (Hv : (Rabs (v - IZR h * c) < bpow radix2 (e - 53))%R) by (apply rounding_error; assumption).
    pose proof reciprocal_error as Hc. fold c in Hc.
    replace (v * P - IZR h)%R with ((v - IZR h * c) * P + IZR h * (c * P - 1))%R by ring.
    apply Rle_lt_trans with (1 := Rabs_triang _ _). rewrite !Rabs_mult, (Rabs_pos_eq P) by lra.
    apply Rplus_lt_le_compat; [apply Rmult_lt_compat_r; lra | apply Rmult_le_compat_l; [apply Rabs_pos | exact Hc]].
  Qed.

  (* Of any integer up to 2^64: half of p, and very little. *)
  Theorem double_reduce x : Z.abs x <= 2 ^ 64 ->
    exists r, Double_reduce rnd set p (IZR x) = IZR r /\ r == x [mod p] /\ 2 * Z.abs r < p + 2 ^ 15.
  Proof.
    intros Hx. pose proof bounds as HB. pose proof P_bounds as HP. unfold Double_reduce, d_round, d_sub_product.
    set (c := Double_reciprocal set p). set (v := d_mul rnd (IZR x) c). fold P.
    assert (HxR : (Rabs (IZR x) <= IZR (2 ^ 64))%R) by (rewrite <- abs_IZR; apply IZR_le; exact Hx).
    assert (Hxc : (Rabs (IZR x * c) < bpow radix2 18)%R).
    { apply (Rmult_lt_reg_r P); [lra |]. rewrite <- (Rabs_pos_eq P) at 1 by lra. rewrite <- Rabs_mult, Rmult_assoc, Rabs_mult.
      pose proof reciprocal_near_1 as H2. fold c in H2. pose proof (Rabs_pos (IZR x)). pose proof (Rabs_pos (c * P)).
      apply Rle_lt_trans with (IZR (2 ^ 64) * 2)%R; [apply Rmult_le_compat; assumption |].
      rewrite <- IZR_pow2 by lia. apply Rlt_le_trans with (IZR (2 ^ 18) * IZR (2 ^ 47 + 1))%R; [rewrite <- !mult_IZR; apply IZR_lt; lia |].
      apply Rmult_le_compat_l; [apply IZR_le; lia |]. unfold P. apply IZR_le. lia. }
    pose proof (by_reciprocal x 18 ltac:(lia) Hxc) as Hv. fold c in Hv. fold v in Hv.
    assert (Hsmall : (bpow radix2 (18 - 53) * P + Rabs (IZR x) * (P * / IZR (2 ^ 100)) <= IZR (2 ^ 14))%R).
    { change (bpow radix2 (18 - 53)) with (/ IZR (2 ^ 35))%R.
      assert (H1 : (/ IZR (2 ^ 35) * P <= IZR (2 ^ 13))%R).
      { apply (Rmult_le_reg_l (IZR (2 ^ 35))); [apply IZR_lt; lia |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by (apply IZR_neq; lia).
        apply Rle_trans with (IZR (2 ^ 48 - 1)); [lra |]. rewrite <- mult_IZR. apply IZR_le. lia. }
      assert (H2 : (Rabs (IZR x) * (P * / IZR (2 ^ 100)) <= IZR (2 ^ 13))%R).
      { apply Rle_trans with (IZR (2 ^ 64) * (P * / IZR (2 ^ 100)))%R.
        - apply Rmult_le_compat_r; [| exact HxR]. apply Rmult_le_pos; [lra |]. apply Rlt_le, Rinv_0_lt_compat, IZR_lt. lia.
        - apply (Rmult_le_reg_r (IZR (2 ^ 100))); [apply IZR_lt; lia |].
          rewrite !Rmult_assoc, Rinv_l, Rmult_1_r by (apply IZR_neq; lia).
          apply Rle_trans with (IZR (2 ^ 64) * IZR (2 ^ 48 - 1))%R; [apply Rmult_le_compat_l; [apply IZR_le; lia | lra] |].
          rewrite <- !mult_IZR. apply IZR_le. lia. }
      change (2 ^ 14) with (2 ^ 13 + 2 ^ 13). rewrite plus_IZR. lra. }
    assert (Hr : 2 * Z.abs (x - ZnearestE v * p) < p + 2 ^ 15).
    { apply lt_IZR. rewrite mult_IZR, abs_IZR, minus_IZR, mult_IZR, plus_IZR. fold P. pose proof (nearest_error v) as Hn.
      assert (Hq : (Rabs ((IZR (ZnearestE v) - v) * P) <= / 2 * P)%R).
      { rewrite Rabs_mult, (Rabs_pos_eq P) by lra. apply Rmult_le_compat_r; lra. }
      replace (IZR x - IZR (ZnearestE v) * P)%R with (- ((IZR (ZnearestE v) - v) * P) - (v * P - IZR x))%R by ring.
      assert (Hv2 : (Rabs (v * P - IZR x) < IZR (2 ^ 14))%R) by lra.
      assert (H14 : (IZR (2 ^ 15) = 2 * IZR (2 ^ 14))%R) by (rewrite <- mult_IZR; apply IZR_eq; lia). rewrite H14.
      apply Rabs_def2 in Hv2. apply Rabs_le_inv in Hq.
      assert (Rabs (- ((IZR (ZnearestE v) - v) * P) - (v * P - IZR x)) < / 2 * P + IZR (2 ^ 14))%R by (apply Rabs_def1; lra). lra. }
    exists (x - ZnearestE v * p). split; [| split; [exists (- ZnearestE v); ring | exact Hr]].
    unfold P. rewrite <- mult_IZR, <- minus_IZR. apply exact_integer; [exact valid_rnd | lia].
  Qed.

  (* The bound on which the product of reduced residues rests. *)
  Lemma product_room : (IZR (2 ^ 45) + (4 * (P * P) + IZR (2 ^ 45)) * (P * / IZR (2 ^ 100)) + / 8 * P <= / 2 * P)%R.
  Proof.
    pose proof bounds as HB. pose proof P_bounds as HP.
    assert (H : 2 ^ 145 + 4 * (p * p * p) + 2 ^ 45 * p <= 3 * 2 ^ 97 * p).
    { assert (Hd : exists d, p = 2 ^ 48 - d /\ 1 <= d < 3 * 2 ^ 30) by (exists (2 ^ 48 - p); lia). destruct Hd as [d [-> Hd]].
      assert (0 <= d * d * d) by (repeat apply Z.mul_nonneg_nonneg; lia).
      assert (d * d <= 3 * 2 ^ 30 * d) by (apply Z.mul_le_mono_nonneg_r; lia).
      replace ((2 ^ 48 - d) * (2 ^ 48 - d) * (2 ^ 48 - d)) with (2 ^ 144 - 3 * 2 ^ 96 * d + 3 * 2 ^ 48 * (d * d) - d * d * d) by ring. lia. }
    apply IZR_le in H. rewrite !plus_IZR, !mult_IZR in H. fold P in H.
    apply (Rmult_le_reg_r (IZR (2 ^ 100))); [apply IZR_lt; lia |]. rewrite !Rmult_plus_distr_r, !Rmult_assoc, Rinv_l, Rmult_1_r by (apply IZR_neq; lia).
    assert (H1 : (IZR (2 ^ 45) * IZR (2 ^ 100) = IZR (2 ^ 145))%R) by (rewrite <- mult_IZR; reflexivity).
    assert (H2 : (IZR (2 ^ 100) = 8 * IZR (2 ^ 97))%R) by (rewrite <- mult_IZR; reflexivity).
    rewrite H1. rewrite H2. lra.
  Qed.

  Theorem double_mul a b : Z.abs a < 2 * p -> Z.abs b < 2 * p ->
    exists r, Double_mul rnd set p (IZR a) (IZR b) = IZR r /\ r == a * b [mod p] /\ Z.abs r < p.
  Proof.
    intros Ha Hb. pose proof bounds as HB. pose proof P_bounds as HP. unfold Double_mul, d_round. cbv zeta.
    set (c := Double_reciprocal set p).
    pose proof (mul_range (Z.abs a) (Z.abs b) (2 * p - 1) (2 * p - 1) ltac:(lia) ltac:(lia)) as Hab. rewrite <- Z.abs_mul in Hab.
    assert (Hpp : p * p <= 2 ^ 48 * p - p). { pose proof (Z.mul_le_mono_nonneg_r p (2 ^ 48 - 1) p ltac:(lia) ltac:(lia)). lia. }
    destruct (rounded_integer rnd (a * b)) as [h Hh].
    assert (Hd : d_mul rnd (IZR a) (IZR b) = IZR h) by (unfold d_mul; rewrite <- mult_IZR; exact Hh).
    assert (He : (Rabs (IZR h - IZR (a * b)) < IZR (2 ^ 45))%R).
    { rewrite <- Hh, (IZR_pow2 45) by lia. apply (rounding_error rnd (IZR (a * b)) 98); [lia |].
      rewrite <- IZR_pow2 by lia. apply abs_lt_IZR. lia. }
    assert (HabR : (Rabs (IZR (a * b)) <= 4 * (P * P))%R) by (unfold P; rewrite <- abs_IZR, <- !mult_IZR; apply IZR_le; lia).
    assert (HhR : (Rabs (IZR h) <= 4 * (P * P) + IZR (2 ^ 45))%R).
    { replace (IZR h) with (IZR (a * b) + (IZR h - IZR (a * b)))%R by ring. apply Rle_trans with (1 := Rabs_triang _ _). lra. }
    pose proof product_room as Hroom.
    assert (Hi : (0 <= P * / IZR (2 ^ 100))%R) by (apply Rmult_le_pos; [lra |]; apply Rlt_le, Rinv_0_lt_compat, IZR_lt; lia).
    assert (Hscaled : (Rabs (IZR h) * (P * / IZR (2 ^ 100)) <= (4 * (P * P) + IZR (2 ^ 45)) * (P * / IZR (2 ^ 100)))%R)
      by (apply Rmult_le_compat_r; assumption).
    assert (H45 : (0 < IZR (2 ^ 45))%R) by (apply IZR_lt; lia).
    assert (Hhc : (Rabs (IZR h * c) < bpow radix2 50)%R).
    { apply (Rmult_lt_reg_r P); [lra |]. rewrite <- (Rabs_pos_eq P) at 1 by lra. rewrite <- Rabs_mult.
      replace (IZR h * c * P)%R with (IZR h + IZR h * (c * P - 1))%R by ring. apply Rle_lt_trans with (1 := Rabs_triang _ _).
      pose proof reciprocal_error as Hc. fold c in Hc. rewrite (Rabs_mult (IZR h)).
      assert (Rabs (IZR h) * Rabs (c * P - 1) <= Rabs (IZR h) * (P * / IZR (2 ^ 100)))%R by (apply Rmult_le_compat_l; [apply Rabs_pos | exact Hc]).
      rewrite <- IZR_pow2 by lia.
      assert (Hlast : (4 * (P * P) + / 2 * P < IZR (2 ^ 50) * P)%R).
      { replace (4 * (P * P) + / 2 * P)%R with ((4 * P + / 2) * P)%R by ring. apply Rmult_lt_compat_r; [lra |].
        apply Rle_lt_trans with (4 * IZR (2 ^ 48 - 1) + 1)%R; [lra |]. rewrite <- mult_IZR, <- plus_IZR. apply IZR_lt. lia. }
      lra. }
    pose proof (by_reciprocal h 50 ltac:(lia) Hhc) as Hv. fold c in Hv. set (v := d_mul rnd (IZR h) c) in *.
    change (bpow radix2 (50 - 53)) with (/ 8)%R in Hv.
    assert (Hr : Z.abs (a * b - ZnearestE v * p) < p).
    { apply rest_below. replace (v * P - IZR (a * b))%R with ((v * P - IZR h) + (IZR h - IZR (a * b)))%R by ring.
      apply Rle_lt_trans with (1 := Rabs_triang _ _). lra. }
    exists (a * b - ZnearestE v * p). split; [| split; [exists (- ZnearestE v); ring | exact Hr]].
    rewrite Hd. fold v. rewrite <- Hd. apply double_finish; lia.
  Qed.

  Theorem double_mul_sub a b c d : Z.abs a < 2 * p -> Z.abs b < 2 * p -> Z.abs c < 2 * p -> Z.abs d < 2 * p ->
    exists r, Double_mul_sub rnd set p (IZR a) (IZR b) (IZR c) (IZR d) = IZR r /\ r == c * d - a * b [mod p] /\ Z.abs r < 2 * p.
  Proof.
    intros Ha Hb Hc Hd. pose proof bounds as HB. unfold Double_mul_sub, d_sub.
    destruct (double_mul c d Hc Hd) as [r [Er [Cr Br]]]. destruct (double_mul a b Ha Hb) as [s [Es [Cs Bs]]].
    rewrite Er, Es, <- minus_IZR, exact_integer by (try exact valid_rnd; lia).
    exists (r - s). split; [reflexivity |]. split; [rewrite Cr, Cs; reflexivity | lia].
  Qed.

  (* A digit of 64 bits. *)
  Theorem double_digits x : 0 <= x < 2 ^ 64 ->
    exists r, Double_digits rnd set p x = IZR r /\ r == x [mod p] /\ Z.abs r < 2 * p.
  Proof.
    intros Hx. pose proof bounds as HB. unfold Double_digits, d_low, d_high, d_add. cbv zeta.
    pose proof (Z.mod_pos_bound x (2 ^ 32) ltac:(lia)). pose proof (Z.mod_le x (2 ^ 32) ltac:(lia) ltac:(lia)).
    destruct (double_reduce (x - x mod 2 ^ 32) ltac:(lia)) as [r [Er [Cr Br]]].
    rewrite Er, <- plus_IZR, exact_integer by (try exact valid_rnd; lia).
    exists (r + x mod 2 ^ 32). split; [reflexivity |]. split; [rewrite Cr; apply cong_eq; ring | lia].
  Qed.

  Theorem double_add_sub x y : Z.abs x + Z.abs y <= 16 * p ->
    Double_add rnd set p (IZR x) (IZR y) = IZR (x + y) /\ Double_sub rnd set p (IZR x) (IZR y) = IZR (x - y).
  Proof.
    intros H. pose proof bounds as HB. unfold Double_add, Double_sub, d_add, d_sub. rewrite <- plus_IZR, <- minus_IZR.
    split; apply exact_integer; try exact valid_rnd; lia.
  Qed.

  (* Butterflies: the bound of x, and less than p more. *)
  Theorem double_split_pair x y w : Z.abs x <= 14 * p -> Z.abs y < 16 * p -> 2 * Z.abs w < p ->
    exists s d, Double_split_pair rnd set p (IZR x) (IZR y) (IZR w) (Double_quotient set p (IZR w)) = [IZR s; IZR d]
      /\ s == x + y * w [mod p] /\ d == x - y * w [mod p] /\ Z.abs s < Z.abs x + 2 * p /\ Z.abs d < Z.abs x + 2 * p.
  Proof.
    intros Hx Hy Hw. pose proof bounds as HB. unfold Double_split_pair. destruct (double_times y w Hy Hw) as [r [Er [Cr Br]]]. rewrite Er. cbv zeta.
    destruct (double_add_sub x r ltac:(lia)) as [-> ->]. exists (x + r), (x - r). split; [reflexivity |].
    split; [rewrite Cr; reflexivity |]. split; [rewrite Cr; reflexivity | lia].
  Qed.
End Doubles.
