(* The quotient of a fold of doubles is within 1.94 of the ratio: its roundings, one after the other, as DoubleRows::quotient computes it.

   About IEEE 754's operations as Flocq has them, in any mode of rounding. Reals are in units of column n - 1. *)
From Coq Require Import ZArith Reals Lia Lra.
From Flocq Require Import Core Relative.
From Pingala Require Import Constants Exact TransformDoubles.
Open Scope Z_scope.

Section Quotient.
  Variable rnd : R -> Z.
  Context {valid : Valid_rnd rnd}.
  Notation rounds := (rounded rnd).
  Notation e := (/ IZR (2 ^ 52))%R.

  (* In any mode a rounding is off by less than 2^-52 of the number, but for what is below the normal numbers. *)
  Theorem relative_rounding v : (Rabs (rounds v - v) <= e * Rabs v + / IZR (2 ^ 100))%R.
  Proof.
    assert (He : (0 < e)%R) by (apply Rinv_0_lt_compat, IZR_lt; lia).
    assert (H100 : (0 < / IZR (2 ^ 100))%R) by (apply Rinv_0_lt_compat, IZR_lt; lia).
    pose proof (Rabs_pos v). destruct (Rle_or_lt (bpow radix2 (-1022)) (Rabs v)) as [Hv | Hv].
    - pose proof (relative_error_FLT radix2 (-1074) 53 ltac:(lia) rnd v Hv) as Hr. change (bpow radix2 (- (53) + 1)) with e in Hr.
      fold binary64 in Hr. unfold rounded. lra.
    - pose proof (rounding_error rnd v (-1021) ltac:(lia)) as Hr.
      assert (Hlt : (Rabs v < bpow radix2 (-1021))%R) by (apply Rlt_trans with (1 := Hv), bpow_lt; lia).
      specialize (Hr Hlt). assert (Hb : (bpow radix2 (-1021 - 53) <= / IZR (2 ^ 100))%R).
      { change (/ IZR (2 ^ 100))%R with (bpow radix2 (-100)). apply bpow_le. lia. }
      assert (0 <= e * Rabs v)%R by (apply Rmult_le_pos; lra). lra.
  Qed.

  Lemma scaled_exact x k : 0 <= k -> rounds x = x -> rounds (x * bpow radix2 k) = (x * bpow radix2 k)%R.
  Proof.
    intros Hk Hx. apply round_generic; [exact valid |].
    assert (Hf : generic_format radix2 binary64 x) by (rewrite <- Hx; apply generic_format_round; [exact binary64_valid | exact valid]).
    apply FLT_format_generic in Hf; [| reflexivity]. destruct Hf as [[m x0] Hx0 Hm Hex]. cbn [Fnum Fexp] in *.
    apply generic_format_FLT. exists (Float radix2 m (x0 + k)); cbn [Fnum Fexp]; [| exact Hm | lia].
    rewrite Hx0. unfold F2R. cbn [Fnum Fexp]. rewrite bpow_plus. ring.
  Qed.

  Lemma rounds_twice v : rounds (rounds v) = rounds v.
  Proof. apply round_generic; [exact valid |]. apply generic_format_round; [exact binary64_valid | exact valid]. Qed.

  (* Added to 1.5 2^52, and that taken away again, a number loses less than 1. *)
  Theorem whole_part v : (Rabs v < IZR (2 ^ 51))%R ->
    exists q, rounds (rounds (v + IZR (3 * 2 ^ 51)) - IZR (3 * 2 ^ 51)) = IZR q /\ (Rabs (IZR q - v) < 1)%R.
  Proof.
    intros Hv. apply Rabs_def2 in Hv. set (W := IZR (3 * 2 ^ 51)).
    assert (HW : (W = 3 * IZR (2 ^ 51))%R) by (unfold W; apply mult_IZR).
    assert (H51 : (1 < IZR (2 ^ 51))%R) by (apply IZR_lt; lia).
    assert (H52 : (bpow radix2 52 = 2 * IZR (2 ^ 51))%R) by (rewrite <- IZR_pow2, <- mult_IZR by lia; reflexivity).
    assert (H53 : (bpow radix2 53 = 4 * IZR (2 ^ 51))%R) by (rewrite <- IZR_pow2, <- mult_IZR by lia; reflexivity).
    assert (Hin : (bpow radix2 52 <= Rabs (v + W) < bpow radix2 53)%R) by (rewrite Rabs_pos_eq by lra; lra).
    assert (Hc : cexp radix2 binary64 (v + W) = 0) by (rewrite (cexp_fexp _ _ _ 53); [reflexivity | exact Hin]).
    assert (Hk : exists k, rounds (v + W) = IZR k).
    { unfold rounded, round, F2R. cbn [Fnum Fexp]. rewrite Hc. cbn [bpow]. eexists. apply Rmult_1_r. }
    destruct Hk as [k Hk]. pose proof (rounding_error rnd (v + W) 53 ltac:(lia) (proj2 Hin)) as Herr. change (bpow radix2 (53 - 53)) with 1%R in Herr.
    rewrite Hk in *. exists (k - 3 * 2 ^ 51). unfold W. rewrite <- minus_IZR.
    rewrite minus_IZR. fold W. replace (IZR k - W - v)%R with (IZR k - (v + W))%R by ring. split; [| exact Herr].
    unfold W. rewrite <- minus_IZR. apply exact_integer; [exact valid |]. apply le_IZR. rewrite abs_IZR, minus_IZR. fold W.
    apply Rabs_def2 in Herr. replace (IZR (2 ^ 53)) with (4 * IZR (2 ^ 51))%R by (rewrite <- mult_IZR; reflexivity).
    apply Rabs_le. lra.
  Qed.

  (* Columns n, n - 1 and n - 2; 2^s m and what the ratio is, in those units; the columns below. *)
  Variables A T B : Z.
  Variables M ratio below : R.
  Let sum := (IZR A * IZR (2 ^ 52) + IZR T + IZR B * e + below)%R.
  Hypothesis columns : Z.abs T < 2 ^ 63 /\ Z.abs B < 2 ^ 63.
  (* z - s <= 34: 2^s m is 2^(51 - 34) units at least. *)
  Hypothesis M_large : (IZR (2 ^ 17) <= M)%R.
  Hypothesis below_small : (Rabs below <= / IZR (2 ^ 20) * M)%R.
  (* For the shapes that there are: sum_of_shapes. *)
  Hypothesis sum_small : (Rabs sum <= IZR (11760 * 2 ^ 36) * M)%R.
  (* As ring.rs cuts it: ratio_of_leading_bits. *)
  Hypothesis ratio_near : (Rabs (ratio * M - 1) <= e)%R.

  Definition before_cut : R :=
    rounds (rounds (rounds (rounds (IZR A) * IZR (2 ^ 52) + rounds (IZR T)) + rounds (rounds (IZR B) * e)) * ratio).

  Ltac both := repeat match goal with H : (Rabs _ <= _)%R |- _ => apply Rabs_le_inv in H end; apply Rabs_le; lra.

  Lemma before_cut_near : (Rabs (before_cut * M - sum) <= 0.93 * M)%R.
  Proof.
    assert (Hnum : (IZR (2 ^ 52) = 4503599627370496 /\ IZR (2 ^ 17) = 131072 /\ IZR (2 ^ 20) = 1048576
      /\ IZR (11760 * 2 ^ 36) = 808141046415360 /\ IZR (2 ^ 63) = 9223372036854775808
      /\ IZR (2 ^ 100) = 1267650600228229401496703205376)%R) by (repeat split; reflexivity).
    destruct Hnum as [N52 [N17 [N20 [NK [N63 N100]]]]].
    unfold before_cut. pose proof (relative_rounding (IZR A)) as HA. pose proof (relative_rounding (IZR T)) as HT.
    pose proof (relative_rounding (IZR B)) as HB. set (a := rounds (IZR A)) in *. set (t := rounds (IZR T)) in *. set (b := rounds (IZR B)) in *.
    pose proof (relative_rounding (a * IZR (2 ^ 52) + t)) as H1. set (s1 := rounds (a * IZR (2 ^ 52) + t)) in *.
    pose proof (relative_rounding (b * e)) as H2. set (b2 := rounds (b * e)) in *.
    pose proof (relative_rounding (s1 + b2)) as H3. set (s2 := rounds (s1 + b2)) in *.
    pose proof (relative_rounding (s2 * ratio)) as H4. set (p := rounds (s2 * ratio)) in *.
    assert (HTs : (Rabs (IZR T) <= 9223372036854775808)%R) by (rewrite <- N63, <- abs_IZR; apply IZR_le; lia).
    assert (HBs : (Rabs (IZR B) <= 9223372036854775808)%R) by (rewrite <- N63, <- abs_IZR; apply IZR_le; lia).
    unfold sum in *. rewrite N52, ?N17, ?N20, ?NK, ?N100 in *. clear N52 N17 N20 NK N63 N100.
    set (A' := (IZR A * 4503599627370496)%R) in *. set (B' := (IZR B * / 4503599627370496)%R) in *.
    set (S := (A' + IZR T + B' + below)%R) in *.
    assert (M0 : (131072 <= M)%R) by exact M_large.
    assert (HTm : (Rabs (IZR T) <= 70368744177664 * M)%R) by lra.
    assert (HBm : (Rabs B' <= 0.015625 * M)%R) by (unfold B'; both).
    assert (HA' : (Rabs A' <= 878509790593025 * M)%R) by (unfold S in *; both).
    assert (Ha : (Rabs (a * 4503599627370496 - A') <= 0.19507 * M)%R).
    { replace (a * 4503599627370496 - A')%R with ((a - IZR A) * 4503599627370496)%R by (unfold A'; ring).
      rewrite Rabs_mult, (Rabs_pos_eq 4503599627370496) by lra.
      assert (HAA : (Rabs A' = Rabs (IZR A) * 4503599627370496)%R) by (unfold A'; rewrite Rabs_mult, (Rabs_pos_eq 4503599627370496) by lra; reflexivity).
      lra. }
    assert (Ht : (Rabs (t - IZR T) <= 0.01563 * M)%R) by lra.
    assert (Hs1 : (Rabs (a * 4503599627370496 + t) <= 808141046415362 * M)%R) by (unfold S in *; clear H1 H2 H3 H4 HA HT HB; both).
    assert (Hs1e : (Rabs (s1 - (a * 4503599627370496 + t)) <= 0.17945 * M)%R) by lra.
    assert (Hb : (Rabs (b * / 4503599627370496 - B') <= 0.00001 * M)%R).
    { assert (Hbb : (Rabs (b - IZR B) <= 4096)%R) by lra. unfold B'. clear - Hbb M0. both. }
    assert (Hbe : (Rabs (b * / 4503599627370496) <= 0.02 * M)%R) by (clear - Hb HBm M0; both).
    assert (Hb2 : (Rabs (b2 - b * / 4503599627370496) <= 0.00001 * M)%R) by lra.
    assert (Hs2 : (Rabs (s1 + b2) <= 808141046415362 * M)%R).
    { unfold S in *. clear H1 H2 H3 H4 HA HT HB Hs1. both. }
    assert (Hs2e : (Rabs (s2 - (s1 + b2)) <= 0.17945 * M)%R) by lra.
    assert (Hs2m : (Rabs s2 <= 808141046415363 * M)%R) by (clear - Hs2 Hs2e M0; both).
    assert (Hr : (Rabs (s2 * ratio * M - s2) <= 0.17945 * M)%R).
    { replace (s2 * ratio * M - s2)%R with (s2 * (ratio * M - 1))%R by ring. rewrite Rabs_mult.
      apply Rle_trans with (808141046415363 * M * / 4503599627370496)%R; [| lra].
      apply Rmult_le_compat; try apply Rabs_pos; assumption. }
    assert (Hsr : (Rabs (s2 * ratio * M) <= 808141046415364 * M)%R) by (clear - Hr Hs2m M0; both).
    assert (Hp : (Rabs ((p - s2 * ratio) * M) <= 0.17945 * M)%R).
    { assert (HsM : (Rabs (s2 * ratio) * M = Rabs (s2 * ratio * M))%R) by (rewrite (Rabs_mult (s2 * ratio)), (Rabs_pos_eq M) by lra; reflexivity).
      rewrite Rabs_mult, (Rabs_pos_eq M) by lra.
      apply Rle_trans with ((/ 4503599627370496 * Rabs (s2 * ratio) + / 1267650600228229401496703205376) * M)%R;
        [apply Rmult_le_compat_r; lra |].
      rewrite Rmult_plus_distr_r, Rmult_assoc, HsM. lra. }
    replace (p * M)%R with ((p - s2 * ratio) * M + s2 * ratio * M)%R by ring. set (x := ((p - s2 * ratio) * M)%R) in *. set (y := (s2 * ratio * M)%R) in *.
    unfold S in *. clear H1 H2 H3 H4 HA HT HB Hs1 Hs2 Hs2m Hsr HA' HTm HBm Hbe sum_small ratio_near HTs HBs. both.
  Qed.

  Theorem quotient_within : exists q, rounds (rounds (before_cut + IZR (3 * 2 ^ 51)) - IZR (3 * 2 ^ 51)) = IZR q
    /\ (Rabs (IZR q * M - sum) < 1.94 * M)%R.
  Proof.
    pose proof before_cut_near as Hn. assert (HM : (0 < M)%R) by (apply Rlt_le_trans with (2 := M_large), IZR_lt; lia).
    destruct (whole_part before_cut) as [q [Hq Hc]].
    - apply (Rmult_lt_reg_r M); [exact HM |]. rewrite <- (Rabs_pos_eq M) at 1 by lra. rewrite <- Rabs_mult.
      assert (Hbig : (IZR (11760 * 2 ^ 36) + 1 < IZR (2 ^ 51))%R) by (rewrite <- plus_IZR; apply IZR_lt; lia).
      assert (Hm : ((IZR (11760 * 2 ^ 36) + 1) * M < IZR (2 ^ 51) * M)%R) by (apply Rmult_lt_compat_r; assumption).
      apply Rabs_le_inv in Hn. assert (Hs := Rabs_le_inv _ _ sum_small). apply Rabs_def1; lra.
    - exists q. split; [exact Hq |].
      assert (Hd : (Rabs ((IZR q - before_cut) * M) < M)%R).
      { rewrite Rabs_mult, (Rabs_pos_eq M) by lra. rewrite <- (Rmult_1_l M) at 2. apply Rmult_lt_compat_r; assumption. }
      replace (IZR q * M - sum)%R with ((IZR q - before_cut) * M + (before_cut * M - sum))%R by ring.
      apply Rle_lt_trans with (1 := Rabs_triang _ _). lra.
  Qed.
End Quotient.

(* The bound of the sum before q: of low columns below 1.3 n 2^52, together below 1.31 n 2^52n, and of n rows of digits by at most m / 2. shapes.py looks that
   every shape has these n, s and z. *)
Theorem sum_of_shapes n s z m S : 0 <= n <= 180 /\ 8 <= s \/ 0 <= n <= 360 /\ 9 <= s ->
  z <= s + 34 -> 0 <= z + 1 <= 52 * n -> 2 ^ (52 * n - z - 1) <= m ->
  100 * S <= 131 * n * 2 ^ (52 * n) + 50 * n * (2 ^ 51 + 2 ^ 10) * m -> S <= 11760 * 2 ^ 36 * (2 ^ s * m).
Proof.
  intros Hns Hz Hzn Hm HS.
  assert (Hs : 8 <= s) by lia.
  assert (Hp : 2 ^ (52 * n) = 2 ^ (52 * n - z - 1) * 2 ^ (z + 1)) by (rewrite <- Z.pow_add_r by lia; f_equal; ring).
  assert (Hz1 : 2 ^ (z + 1) <= 2 ^ 35 * 2 ^ s) by (rewrite <- Z.pow_add_r by lia; apply Z.pow_le_mono_r; lia).
  pose proof (Z.pow_pos_nonneg 2 (52 * n - z - 1) ltac:(lia) ltac:(lia)) as H0. pose proof (Z.pow_pos_nonneg 2 (z + 1) ltac:(lia) ltac:(lia)) as H1.
  assert (H2 : 2 ^ (52 * n) <= m * (2 ^ 35 * 2 ^ s)) by (rewrite Hp; apply Z.mul_le_mono_nonneg; lia).
  assert (Hk : 131 * n * 2 ^ 35 * 2 ^ s + 50 * n * (2 ^ 51 + 2 ^ 10) <= 100 * (11760 * 2 ^ 36) * 2 ^ s).
  { destruct Hns as [[Hn Hs8] | [Hn Hs9]].
    - assert (Hs2 : 2 ^ 8 <= 2 ^ s) by (apply Z.pow_le_mono_r; lia). set (t := 2 ^ s) in *.
      assert (n * t <= 180 * t) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    - assert (Hs2 : 2 ^ 9 <= 2 ^ s) by (apply Z.pow_le_mono_r; lia). set (t := 2 ^ s) in *.
      assert (n * t <= 360 * t) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  assert (Hn0 : 0 <= n) by lia.
  assert (H3 : n * 2 ^ (52 * n) <= n * (m * (2 ^ 35 * 2 ^ s))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (H4 : m * (131 * n * 2 ^ 35 * 2 ^ s + 50 * n * (2 ^ 51 + 2 ^ 10)) <= m * (100 * (11760 * 2 ^ 36) * 2 ^ s)) by (apply Z.mul_le_mono_nonneg_l; lia).
  set (t := 2 ^ s) in *. set (X := 2 ^ (52 * n)) in *.
  replace (n * (m * (2 ^ 35 * t))) with (2 ^ 35 * (n * m * t)) in H3 by ring.
  replace (m * (131 * n * 2 ^ 35 * t + 50 * n * (2 ^ 51 + 2 ^ 10))) with (131 * 2 ^ 35 * (n * m * t) + 50 * (2 ^ 51 + 2 ^ 10) * (n * m)) in H4 by ring.
  replace (m * (100 * (11760 * 2 ^ 36) * t)) with (100 * (11760 * 2 ^ 36) * (t * m)) in H4 by ring.
  replace (131 * n * X) with (131 * (n * X)) in HS by ring. replace (50 * n * (2 ^ 51 + 2 ^ 10) * m) with (50 * (2 ^ 51 + 2 ^ 10) * (n * m)) in HS by ring.
  lia.
Qed.

(* The ratio from the leading 64 bits of m, of which m's are less than 1 more: at most 53 bits, and less than 2^-52 off. *)
Theorem ratio_of_leading_bits leading m : 2 ^ 63 <= leading < 2 ^ 64 -> (IZR leading <= m < IZR (leading + 1))%R ->
  let quotient := 2 ^ fma_row_ratio_bits / leading in
  quotient <= 2 ^ 53 /\ (Rabs (IZR quotient * m * / IZR (2 ^ fma_row_ratio_bits) - 1) <= / IZR (2 ^ 52))%R.
Proof.
  intros Hl Hm q. assert (E : 2 ^ fma_row_ratio_bits = 2 ^ 116) by reflexivity. subst q. rewrite E. clear E.
  pose proof (Z.div_mod (2 ^ 116) leading ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (2 ^ 116) leading ltac:(lia)) as Hr.
  assert (Hq : 0 <= 2 ^ 116 / leading <= 2 ^ 53) by (split; [apply Z.div_pos; lia | apply Z.div_le_upper_bound; lia]).
  set (q := 2 ^ 116 / leading) in *. split; [lia |].
  assert (Hlow : (IZR (2 ^ 116) - IZR (2 ^ 64) <= IZR q * m)%R).
  { apply Rle_trans with (IZR q * IZR leading)%R; [rewrite <- minus_IZR, <- mult_IZR; apply IZR_le; lia |].
    apply Rmult_le_compat_l; [apply IZR_le; lia | lra]. }
  assert (Hhigh : (IZR q * m <= IZR (2 ^ 116) + IZR (2 ^ 64))%R).
  { apply Rle_trans with (IZR q * IZR (leading + 1))%R; [apply Rmult_le_compat_l; [apply IZR_le; lia | lra] |].
    rewrite <- plus_IZR, <- mult_IZR. apply IZR_le. lia. }
  set (x := (IZR q * m)%R) in *. assert (H64 : (IZR (2 ^ 116) = IZR (2 ^ 64) * IZR (2 ^ 52))%R) by (rewrite <- mult_IZR; reflexivity).
  assert (P64 : (0 < IZR (2 ^ 64))%R) by (apply IZR_lt; lia). assert (P52 : (0 < IZR (2 ^ 52))%R) by (apply IZR_lt; lia).
  rewrite H64 in *. apply Rabs_le.
  assert (Hx : (x * / (IZR (2 ^ 64) * IZR (2 ^ 52)) - 1 = (x - IZR (2 ^ 64) * IZR (2 ^ 52)) * / IZR (2 ^ 64) * / IZR (2 ^ 52))%R) by (field; split; lra).
  rewrite Hx. assert (Hi : (0 < / IZR (2 ^ 52))%R) by (apply Rinv_0_lt_compat; exact P52). assert (Hj : (0 < / IZR (2 ^ 64))%R) by (apply Rinv_0_lt_compat; exact P64).
  assert (Hy : (-1 <= (x - IZR (2 ^ 64) * IZR (2 ^ 52)) * / IZR (2 ^ 64) <= 1)%R).
  { split; apply (Rmult_le_reg_r (IZR (2 ^ 64))); try exact P64; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  set (y := ((x - _) * _)%R) in *. split.
  - replace (- / IZR (2 ^ 52))%R with (-1 * / IZR (2 ^ 52))%R by ring. apply Rmult_le_compat_r; lra.
  - rewrite <- (Rmult_1_l (/ IZR (2 ^ 52))) at 2. apply Rmult_le_compat_r; lra.
Qed.

(* What is added and taken away is 1.5 2^52. *)
Theorem whole_of_code : fma_row_WHOLE = 3 * 2 ^ 51.
Proof. reflexivity. Qed.
