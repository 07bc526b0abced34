(* The modular products of the transforms, in words and in lanes of 52-bit multiply-add: what the texts of FieldTexts.v compute, and the bounds that
   the trait Field gives them. The texts in doubles are in TransformDoubles.v.

   About the Rust text: its expressions are translated; which values meet it, and what the operations are, says proofs/README.md. *)
From Coq Require Import ZArith Lia List Znumtheory.
From Pingala Require Import Congruence Montgomery FieldWords FieldTexts.
Import ListNotations.
Open Scope Z_scope.

(* --- The primes ----------------------------------------------------------------------------------------------------- *)

Definition near (p : Z) : Prop := 2 ^ 48 - 3 * 2 ^ 30 < p < 2 ^ 48 /\ Z.odd p = true.

Theorem primes_near p : In p primes -> near p.
Proof. unfold primes, near. cbn [In]. intros H. repeat (destruct H as [<- | H]; [split; [lia | reflexivity] |]). destruct H. Qed.

Lemma cut_small bits x : 0 <= x < 2 ^ bits -> cut bits x = x.
Proof. intros. apply Z.mod_small. assumption. Qed.

Lemma cut_range bits x : 0 <= bits -> 0 <= cut bits x < 2 ^ bits.
Proof. intros. apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia. Qed.

Lemma cut_cong bits x : 0 <= bits -> cut bits x == x [mod 2 ^ bits].
Proof. intros. apply cong_mod, Z.pow_pos_nonneg; lia. Qed.

(* A cut number that is congruent to a small one is that one. *)
Lemma cut_is bits x y : 0 <= y < 2 ^ bits -> x == y [mod 2 ^ bits] -> cut bits x = y.
Proof.
  intros Hy Hc. assert (0 <= bits). { destruct (Z.le_gt_cases 0 bits); [assumption |]. rewrite Z.pow_neg_r in Hy by lia. lia. }
  apply (cong_small (2 ^ bits)); [apply cut_range; assumption | exact Hy |]. rewrite cut_cong by assumption. exact Hc.
Qed.

Lemma mul_range a b A B : 0 <= a <= A -> 0 <= b <= B -> 0 <= a * b <= A * B.
Proof. intros. nia. Qed.

(* --- A product by a factor with its quotient, for any word ------------------------------------------------------------- *)

Theorem shoup_product b p w x : 0 < b -> 0 < p -> 0 <= w < p -> 0 <= x < b -> 0 <= x * w - (x * (b * w / p) / b) * p < 2 * p.
Proof.
  intros Hb Hp Hw Hx. pose proof (Z.div_mod (b * w) p ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (b * w) p Hp) as Hr.
  set (v := b * w / p) in *. set (r := (b * w) mod p) in *.
  pose proof (Z.div_mod (x * v) b ltac:(lia)) as Hq. pose proof (Z.mod_pos_bound (x * v) b Hb) as Hs.
  set (q := x * v / b) in *. set (s := (x * v) mod b) in *.
  assert (He : (x * w - q * p) * b = s * p + x * r) by nia.
  assert (0 <= s * p <= (b - 1) * p) by nia. assert (0 <= x * r <= b * (p - 1)) by nia. nia.
Qed.

(* --- Plain arithmetic, and the words of factors -------------------------------------------------------------------------- *)

(* Two conditional subtractions reduce what is below 3p. *)
Lemma subtract_twice p x : 0 < p < 2 ^ 48 -> 0 <= x < 3 * p ->
  let y := cut 64 (x - (if p <=? x then p else 0)) in cut 64 (y - (if p <=? y then p else 0)) = x mod p.
Proof.
  intros Hp Hx y.
  assert (Hy : y = if p <=? x then x - p else x) by (unfold y; destruct (Z.leb_spec p x); rewrite cut_small by lia; lia).
  rewrite Hy. destruct (Z.leb_spec p x) as [H1 | H1].
  - destruct (Z.leb_spec p (x - p)) as [H2 | H2]; rewrite cut_small by lia.
    + apply (Z.mod_unique_pos _ _ 2); lia.
    + apply (Z.mod_unique_pos _ _ 1); lia.
  - destruct (Z.leb_spec p x); [lia |]. rewrite cut_small by lia. symmetry. rewrite Z.mod_small; lia.
Qed.

(* With q below the quotient: the rest is below 3p. *)
Lemma rest_below_3p B p h l e s D : 0 < B -> 3 * p >= 2 * B -> p < B -> 0 <= h -> 0 <= l < B -> 0 <= e < p -> 0 <= s < B ->
  h * B + l < p * p -> B * D = h * e + s * p + B * l -> 0 <= D < 3 * p.
Proof.
  intros HB H3 Hp Hh Hl He Hs Hx HD.
  assert (0 <= h * e <= h * p) by nia. assert (0 <= s * p <= (B - 1) * p) by nia. assert (0 <= B * l <= B * (B - 1)) by nia.
  assert (Hfactor : 0 <= (3 * p - 2 * B) * (B - p)) by nia.
  assert (Hh2 : 2 * h <= 3 * p - B).
  { assert (2 * (h * B) < 2 * (p * p)) by lia. assert (2 * (p * p) <= (3 * p - B) * B) by nia.
    apply Z.lt_le_incl, (Z.mul_lt_mono_pos_r B); lia. }
  assert (2 * (h * p) <= (3 * p - B) * p) by nia.
  assert (2 * (B * D) < 2 * (B * (3 * p))) by lia.
  split; [apply (Z.mul_nonneg_cancel_l B); lia | apply (Z.mul_lt_mono_pos_l B); lia].
Qed.

Theorem prime_mul p a b : In p primes -> 0 <= a < p -> 0 <= b < p -> Prime_mul p a b = (a * b) mod p.
Proof.
  intros Hp Ha Hb. apply primes_near in Hp. destruct Hp as [Hp _]. unfold Prime_mul, Prime_reciprocal.
  pose proof (Z.div_mod (1 * 2 ^ 96) p ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (1 * 2 ^ 96) p ltac:(lia)) as He.
  assert (HL : 2 ^ 48 <= 1 * 2 ^ 96 / p < 2 ^ 48 + 2 ^ 33)
    by (split; [apply Z.div_le_lower_bound; lia | apply Z.div_lt_upper_bound; lia]).
  set (L := 1 * 2 ^ 96 / p) in *. set (e := (1 * 2 ^ 96) mod p) in *.
  rewrite (cut_small 128 (L - 1 * 2 ^ 48)) by lia. rewrite (cut_small 64 (L - 1 * 2 ^ 48)) by lia.
  pose proof (mul_range a b (p - 1) (p - 1) ltac:(lia) ltac:(lia)) as Hab.
  pose proof (mul_range (p - 1) (p - 1) (2 ^ 48) (2 ^ 48) ltac:(lia) ltac:(lia)) as Hpp.
  rewrite (cut_small 128 (a * b)) by lia. cbv zeta.
  pose proof (Z.div_mod (a * b) (2 ^ 48) ltac:(lia)) as Hx. pose proof (Z.mod_pos_bound (a * b) (2 ^ 48) ltac:(lia)) as Hl.
  assert (Hh : 0 <= a * b / 2 ^ 48 <= 2 ^ 48) by (split; [apply Z.div_pos; lia | apply Z.div_le_upper_bound; lia]).
  set (h := a * b / 2 ^ 48) in *. set (l := (a * b) mod 2 ^ 48) in *.
  rewrite (cut_small 64 h) by lia.
  pose proof (mul_range h (L - 1 * 2 ^ 48) (2 ^ 48) (2 ^ 33) ltac:(lia) ltac:(lia)) as HhL.
  rewrite (cut_small 128) by lia.
  pose proof (Z.div_mod (h * (L - 1 * 2 ^ 48)) (2 ^ 48) ltac:(lia)) as Hq.
  pose proof (Z.mod_pos_bound (h * (L - 1 * 2 ^ 48)) (2 ^ 48) ltac:(lia)) as Hs.
  assert (Hg : 0 <= h * (L - 1 * 2 ^ 48) / 2 ^ 48 <= 2 ^ 33) by (split; [apply Z.div_pos; lia | apply Z.div_le_upper_bound; lia]).
  set (g := h * (L - 1 * 2 ^ 48) / 2 ^ 48) in *. set (s := (h * (L - 1 * 2 ^ 48)) mod 2 ^ 48) in *.
  rewrite (cut_small 64 g) by lia. rewrite (cut_small 64 (h + g)) by lia.
  assert (Hrest : 2 ^ 48 * (a * b - (h + g) * p) = h * e + s * p + 2 ^ 48 * l).
  { replace e with (1 * 2 ^ 96 - p * L) by lia. replace s with (h * (L - 1 * 2 ^ 48) - 2 ^ 48 * g) by lia. replace (a * b) with (2 ^ 48 * h + l) by lia. ring. }
  assert (H3 : 0 <= a * b - (h + g) * p < 3 * p).
  { apply (rest_below_3p (2 ^ 48) p h l e s); try lia. }
  replace (cut 64 (cut 64 (a * b) - cut 64 ((h + g) * p))) with (a * b - (h + g) * p).
  - rewrite (subtract_twice p _ ltac:(lia) H3). replace (a * b - (h + g) * p) with (a * b + - (h + g) * p) by ring. apply Z_mod_plus_full.
  - symmetry. apply cut_is; [lia |]. rewrite !cut_cong by lia. reflexivity.
Qed.

Lemma quotient_rest k p a e s D : 0 < k -> p <= 2 * k -> 0 <= a < p -> 0 <= e < p -> 0 <= s < k -> k * D = a * e + s * p -> 0 <= D < 3 * p.
Proof.
  intros Hk Hp Ha He Hs HD. assert (0 <= a * e <= p * p) by nia. assert (0 <= s * p < k * p) by nia. assert (p * p <= 2 * (k * p)) by nia.
  split; [apply (Z.mul_nonneg_cancel_l k); lia | apply (Z.mul_lt_mono_pos_l k); lia].
Qed.

Theorem prime_quotient p a bits : In p primes -> 0 <= a < p -> bits = 52 \/ bits = 64 -> Prime_quotient p a bits = 2 ^ bits * a / p.
Proof.
  intros Hp Ha Hbits. apply primes_near in Hp. destruct Hp as [Hp _]. unfold Prime_quotient, Prime_long_reciprocal.
  pose proof (Z.div_mod (1 * 2 ^ 111) p ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (1 * 2 ^ 111) p ltac:(lia)) as He.
  assert (HL : 2 ^ 63 <= 1 * 2 ^ 111 / p < 2 ^ 64) by (split; [apply Z.div_le_lower_bound; lia | apply Z.div_lt_upper_bound; lia]).
  set (L := 1 * 2 ^ 111 / p) in *. set (e := (1 * 2 ^ 111) mod p) in *.
  rewrite (cut_small 64 L) by lia. pose proof (mul_range a L (2 ^ 48) (2 ^ 64) ltac:(lia) ltac:(lia)) as HaL. rewrite (cut_small 128 (a * L)) by lia.
  assert (Hpow : exists k, k = 2 ^ (111 - bits) /\ 2 ^ 47 <= k /\ k * 2 ^ bits = 2 ^ 111 /\ 2 ^ bits <= 2 ^ 64 /\ 0 < 2 ^ bits).
  { exists (2 ^ (111 - bits)). destruct Hbits as [-> | ->]; repeat split; lia. }
  destruct Hpow as [k [<- [Hk [Hkb [Hb Hb0]]]]].
  pose proof (Z.div_mod (a * L) k ltac:(lia)) as Hq. pose proof (Z.mod_pos_bound (a * L) k ltac:(lia)) as Hs.
  set (q := a * L / k) in *. set (s := (a * L) mod k) in *. set (B := 2 ^ bits) in *.
  assert (Hrest : k * (B * a - q * p) = a * e + s * p).
  { replace e with (k * B - p * L) by lia. replace s with (a * L - k * q) by lia. ring. }
  assert (H3 : 0 <= B * a - q * p < 3 * p) by (apply (quotient_rest k p a e s); lia).
  assert (Hd2 : 0 <= B * a < B * p) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_pos_l; lia]).
  assert (Hq0 : 0 <= q) by (apply Z.div_pos; lia).
  assert (Hq64 : q < 2 ^ 64) by (apply (Z.mul_lt_mono_pos_r p); [lia |]; apply Z.le_lt_trans with (B * a); [lia |]; apply Z.lt_le_trans with (B * p); [lia |]; apply Z.mul_le_mono_nonneg_r; lia).
  rewrite (cut_small 64 q) by lia. cbv zeta.
  assert (Hcut : cut 64 ((if bits =? 64 then 0 else cut 64 (a * B)) - cut 64 (q * p)) = B * a - q * p).
  { apply cut_is; [lia |]. rewrite (cut_cong 64 (q * p)) by lia.
    assert ((if bits =? 64 then 0 else cut 64 (a * B)) == B * a [mod 2 ^ 64]) as ->; [| reflexivity].
    destruct Hbits as [-> | ->]; cbn [Z.eqb Pos.eqb]; [rewrite cut_cong by lia; apply cong_eq; ring | exists (- a); unfold B; ring]. }
  rewrite Hcut. rewrite (cut_small 64 (2 * p)) by lia. set (r := B * a - q * p) in *.
  assert (Hout : B * a / p = q + Z.b2z (p <=? r) + Z.b2z (2 * p <=? r)).
  { symmetry. destruct (Z.leb_spec p r), (Z.leb_spec (2 * p) r); cbn [Z.b2z]; try lia;
      apply (Z.div_unique_pos _ _ _ (r - p * (if p <=? r then 1 else 0) - p * (if 2 * p <=? r then 1 else 0)));
      destruct (Z.leb_spec p r), (Z.leb_spec (2 * p) r); unfold r in *; lia. }
  rewrite Hout. assert (Hquot : 0 <= B * a / p < B) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  rewrite Hout in Hquot.
  assert (0 <= Z.b2z (p <=? r) <= 1) by (destruct (p <=? r); cbn; lia).
  assert (0 <= Z.b2z (2 * p <=? r) <= 1) by (destruct (2 * p <=? r); cbn; lia).
  rewrite (cut_small 64 (q + Z.b2z (p <=? r))) by lia. rewrite cut_small by lia. reflexivity.
Qed.

(* The second word of w is floor(b w / p), and that of p - w follows from it. *)
Theorem factor_words p w : In p primes -> 0 <= w < p ->
  Factor_of_52 p w = [w; 2 ^ 52 * w / p] /\ Factor_of_64 p w = [w; 2 ^ 64 * w / p].
Proof.
  intros Hp Hw. unfold Factor_of_52, Factor_of_64. rewrite !prime_quotient by (try assumption; lia). split; reflexivity.
Qed.

Lemma negative_quotient b p w : 0 < b -> rel_prime p b -> 0 < w < p -> b * (p - w) / p = b - 1 - b * w / p.
Proof.
  intros Hb Hr Hw. pose proof (Z.div_mod (b * w) p ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (b * w) p ltac:(lia)) as Hm.
  assert ((b * w) mod p <> 0).
  { intros H. assert (Hdiv : (p | w)) by (apply (Gauss p b w); [apply Z.mod_divide; [lia | exact H] | exact Hr]).
    apply Z.divide_pos_le in Hdiv; lia. }
  symmetry. apply (Z.div_unique_pos _ _ _ (p - (b * w) mod p)); lia.
Qed.

Theorem factor_negative p w : In p primes -> 0 < w < p ->
  Factor_negative_52 p w (2 ^ 52 * w / p) = [p - w; 2 ^ 52 * (p - w) / p]
  /\ Factor_negative_64 p w (2 ^ 64 * w / p) = [p - w; 2 ^ 64 * (p - w) / p].
Proof.
  intros Hp Hw. apply primes_near in Hp. destruct Hp as [Hp Ho]. unfold Factor_negative_52, Factor_negative_64.
  rewrite !negative_quotient by (try apply rel_prime_odd_power; try assumption; lia).
  rewrite !cut_small by lia. split; [| reflexivity]. do 2 f_equal.
  set (q := 2 ^ 52 * w / p). assert (Hq : 0 <= q < 2 ^ 52) by (unfold q; split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  change 4503599627370495 with (Z.ones 52). change (2 ^ 52 - 1) with (Z.ones 52).
  assert (Hl : Z.log2 q < 52) by (destruct (Z.eq_dec q 0) as [-> | Hn]; [reflexivity | apply Z.log2_lt_pow2; lia]).
  rewrite Z.sub_nocarry_ldiff by (apply Z.ldiff_ones_r_low; lia).
  apply Z.bits_inj'. intros n Hn. rewrite Z.lxor_spec, Z.ldiff_spec.
  destruct (Z.lt_ge_cases n 52) as [H | H].
  - rewrite Z.ones_spec_low by lia. destruct (Z.testbit q n); reflexivity.
  - rewrite Z.ones_spec_high by lia. rewrite (Z.bits_above_log2 q n) by lia. reflexivity.
Qed.

Theorem lost_factor p : In p primes -> Factor_lost_52 p = 2 ^ 52 mod p /\ Factor_lost_64 p = 2 ^ 64 mod p.
Proof.
  intros Hp. apply primes_near in Hp. destruct Hp as [Hp _]. unfold Factor_lost_52, Factor_lost_64. rewrite (cut_small 128) by lia.
  split; [reflexivity |]. pose proof (Z.mod_pos_bound (1 * 2 ^ 64) p ltac:(lia)). rewrite cut_small by lia. reflexivity.
Qed.

(* --- Words: portable_ntt_r64 ------------------------------------------------------------------------------------------------ *)

Section Words.
  Variables p inverse : Z.
  Hypothesis prime : In p primes.
  (* As Montgomery.limb_inverse_64 shows it. *)
  Hypothesis negative_inverse : p * inverse == -1 [mod 2 ^ 64].

  Let bounds : 2 ^ 48 - 3 * 2 ^ 30 < p < 2 ^ 48.
  Proof. apply primes_near in prime. destruct prime as [H _]. exact H. Qed.

  Theorem word_times x w : 0 <= x < 2 ^ 64 -> 0 <= w < p ->
    let r := Word_times p inverse x w (2 ^ 64 * w / p) in r == x * w [mod p] /\ 0 <= r < 2 * p.
  Proof.
    intros Hx Hw. pose proof bounds as HB. unfold Word_times, high_of. rewrite Z.add_0_r.
    pose proof (shoup_product (2 ^ 64) p w x ltac:(lia) ltac:(lia) Hw Hx) as H. set (q := x * _ / 2 ^ 64) in *.
    rewrite (cut_is 64 _ (x * w - q * p)); [| lia | rewrite !cut_cong by lia; reflexivity].
    split; [exists (- q); ring | exact H].
  Qed.

  Theorem word_reduce x : 0 <= x < 2 ^ 64 -> let r := Word_reduce p inverse x in r == x [mod p] /\ 0 <= r < 2 * p.
  Proof.
    intros Hx. pose proof bounds as HB. unfold Word_reduce, Word_below. rewrite (cut_small 64 (1 * 2 ^ 48 - p)) by lia.
    change (1 * 2 ^ 48 - 1) with (Z.ones 48). rewrite Z.land_ones by lia.
    pose proof (Z.div_mod x (2 ^ 48) ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound x (2 ^ 48) ltac:(lia)).
    set (h := x / 2 ^ 48) in *. set (l := x mod 2 ^ 48) in *. assert (0 <= h < 2 ^ 16) by lia.
    pose proof (mul_range h (1 * 2 ^ 48 - p) (2 ^ 16 - 1) (3 * 2 ^ 30) ltac:(lia) ltac:(lia)).
    rewrite (cut_small 64 (h * _)) by lia. rewrite cut_small by lia. cbv zeta. split; [exists (- h); lia | lia].
  Qed.

  Theorem word_digits x : 0 <= x < 2 ^ 64 -> let r := Word_digits p inverse x in r == x [mod p] /\ 0 <= r < 2 * p.
  Proof. exact (word_reduce x). Qed.

  Theorem word_montgomery x : 0 <= x < 8 * (p * p) ->
    let r := Word_montgomery p inverse x in r * 2 ^ 64 == x [mod p] /\ 0 <= r < 2 * p.
  Proof.
    intros Hx. pose proof bounds as HB. unfold Word_montgomery.
    assert (Hq : cut 64 (cut 64 x * inverse) = quotient (2 ^ 64) inverse x) by (unfold cut, quotient; apply Z.mul_mod_idemp_l; lia).
    rewrite Hq. pose proof (quotient_range (2 ^ 64) inverse x ltac:(lia)).
    pose proof (redc_exact (2 ^ 64) p inverse x ltac:(lia) negative_inverse) as He.
    pose proof (redc_congruent (2 ^ 64) p inverse x ltac:(lia) negative_inverse) as Hc.
    unfold redc in *. set (q := quotient _ _ _) in *.
    pose proof (mul_range p p (2 ^ 48) (2 ^ 48) ltac:(lia) ltac:(lia)). pose proof (mul_range q p (2 ^ 64 - 1) p ltac:(lia) ltac:(lia)).
    pose proof (mul_range p (2 ^ 48 - p) p (2 ^ 48) ltac:(lia) ltac:(lia)).
    rewrite (cut_small 128 (q * p)) by lia. rewrite (cut_small 128) by lia. cbv zeta.
    set (r := (x + q * p) / 2 ^ 64) in *. assert (0 <= r < 2 * p) by lia.
    rewrite cut_small by lia. split; [exact Hc | lia].
  Qed.

  Theorem word_mul a b : 0 <= a < 2 * p -> 0 <= b < 2 * p ->
    let r := Word_mul p inverse a b in r * 2 ^ 64 == a * b [mod p] /\ 0 <= r < 2 * p.
  Proof.
    intros Ha Hb. pose proof bounds as HB. unfold Word_mul.
    pose proof (mul_range a b (2 * p - 1) (2 * p - 1) ltac:(lia) ltac:(lia)). pose proof (mul_range p p (2 ^ 48) (2 ^ 48) ltac:(lia) ltac:(lia)).
    rewrite (cut_small 128) by lia. apply word_montgomery. lia.
  Qed.

  Theorem word_mul_sub a b c d : 0 <= a < 2 * p -> 0 <= b < 2 * p -> 0 <= c < 2 * p -> 0 <= d < 2 * p ->
    let r := Word_mul_sub p inverse a b c d in r * 2 ^ 64 == c * d - a * b [mod p] /\ 0 <= r < 2 * p.
  Proof.
    intros Ha Hb Hc Hd. pose proof bounds as HB. unfold Word_mul_sub. rewrite (cut_small 64 (2 * p)) by lia.
    rewrite (cut_small 64 (2 * p - a)) by lia. cbv zeta.
    pose proof (mul_range (2 * p - a) b (2 * p) (2 * p - 1) ltac:(lia) ltac:(lia)) as H1.
    pose proof (mul_range c d (2 * p - 1) (2 * p - 1) ltac:(lia) ltac:(lia)) as H2.
    pose proof (mul_range p p (2 ^ 48) (2 ^ 48) ltac:(lia) ltac:(lia)).
    rewrite (cut_small 128 ((2 * p - a) * b)) by lia. rewrite (cut_small 128 (c * d)) by lia. rewrite (cut_small 128) by lia.
    destruct (word_montgomery ((2 * p - a) * b + c * d) ltac:(lia)) as [H3 H4]. split; [| exact H4].
    rewrite H3. exists (2 * b). ring.
  Qed.

  (* Butterflies: the bound of x, and 2p more. *)
  Theorem word_split_pair x y w : 0 <= x <= 14 * p -> 0 <= y < 2 ^ 64 -> 0 <= w < p ->
    exists s d, Word_split_pair p inverse x y w (2 ^ 64 * w / p) = [s; d]
      /\ s == x + y * w [mod p] /\ d == x - y * w [mod p] /\ 0 <= s < x + 2 * p /\ 0 < d <= x + 2 * p.
  Proof.
    intros Hx Hy Hw. pose proof bounds as HB. destruct (word_times y w Hy Hw) as [Hc Hr]. unfold Word_split_pair, Word_add, Word_sub.
    set (t := Word_times _ _ _ _ _) in *. change (2 ^ 0) with 1. rewrite Z.mul_1_r.
    rewrite !(cut_small 64 (2 * p)) by lia. rewrite !(cut_small 64 (x + _)) by lia. rewrite (cut_small 64 (x + 2 * p - t)) by lia.
    eexists _, _. split; [reflexivity |]. split; [rewrite Hc; reflexivity |].
    split; [| lia]. rewrite Hc. exists 2. ring.
  Qed.

  Theorem word_sub level x y : 0 <= level <= 2 -> 0 <= x < 16 * p -> 0 <= y <= 2 ^ level * (2 * p) ->
    let r := Word_sub p inverse level x y in r == x - y [mod p] /\ 0 <= r <= x + 2 ^ level * (2 * p) /\ r = x - y + 2 ^ level * (2 * p).
  Proof.
    intros Hl Hx Hy. pose proof bounds as HB. unfold Word_sub. rewrite (cut_small 64 (2 * p)) by lia.
    assert (Hpow : 1 <= 2 ^ level <= 4). { assert (level = 0 \/ level = 1 \/ level = 2) as [-> | [-> | ->]] by lia; lia. }
    pose proof (mul_range (2 ^ level) (2 * p) 4 (2 ^ 49) ltac:(lia) ltac:(lia)).
    rewrite (cut_small 64 (2 * p * _)) by lia. rewrite (cut_small 64 (x + _)) by lia. rewrite cut_small by lia. cbv zeta.
    split; [exists (2 ^ level * 2); ring | lia].
  Qed.
End Words.

(* --- Lanes of 52-bit multiply-add: ifma_ntt. A lane's residue is its low 52 bits. -------------------------------------------------- *)

Section Lanes.
  Variables p inverse : Z.
  Hypothesis prime : In p primes.
  Hypothesis negative_inverse : p * inverse == -1 [mod 2 ^ 64].
  Notation b := (2 ^ 52).

  Let bounds : 2 ^ 48 - 3 * 2 ^ 30 < p < 2 ^ 48.
  Proof. apply primes_near in prime. destruct prime as [H _]. exact H. Qed.

  Lemma low52_range x : 0 <= low52 x < b.
  Proof. apply Z.mod_pos_bound. lia. Qed.

  Lemma low52_cong x : low52 x == x [mod b].
  Proof. apply cong_mod. lia. Qed.

  Lemma cut_cong52 x : cut 64 x == x [mod b].
  Proof. apply (cong_divide (2 ^ 64)); [exists (2 ^ 12); reflexivity |]. apply cut_cong. lia. Qed.

  Lemma low52_is x y : 0 <= y < b -> x == y [mod b] -> low52 x = y.
  Proof. exact (cut_is 52 x y). Qed.

  Lemma low52_small x : 0 <= x < b -> low52 x = x.
  Proof. intros. apply Z.mod_small. assumption. Qed.

  Lemma madd_low_cong sum x y : lane_madd_low sum x y == sum + x * y [mod b].
  Proof. unfold lane_madd_low. rewrite (cong_mod b) by lia. rewrite !low52_cong. reflexivity. Qed.

  Lemma madd_low_modulo_cong sum x y : lane_madd_low_modulo sum x y == sum + x * y [mod b].
  Proof. unfold lane_madd_low_modulo. rewrite cut_cong52. apply madd_low_cong. Qed.

  Lemma madd_low_range sum x y : sum <= lane_madd_low sum x y < sum + b.
  Proof. unfold lane_madd_low. pose proof (Z.mod_pos_bound (low52 x * low52 y) b ltac:(lia)). lia. Qed.

  Lemma complement_is : Lane_complement p inverse = b - p.
  Proof. pose proof bounds as HB. unfold Lane_complement. rewrite cut_small by lia. lia. Qed.

  Lemma multiples_are level : 0 <= level <= 2 -> nth (Z.to_nat level) (Lane_multiples p) 0 = 2 ^ level * (2 * p).
  Proof.
    intros Hl. pose proof bounds as HB. unfold Lane_multiples. rewrite !cut_small by lia.
    assert (level = 0 \/ level = 1 \/ level = 2) as [-> | [-> | ->]] by lia;
      [change (Z.to_nat 0) with 0%nat | change (Z.to_nat 1) with 1%nat | change (Z.to_nat 2) with 2%nat]; cbn [nth]; lia.
  Qed.

  Lemma inverse_is : low52 (Lane_inverse p inverse) * p == 1 [mod b].
  Proof.
    unfold Lane_inverse. change 4503599627370495 with (Z.ones 52). rewrite Z.land_ones by lia.
    rewrite low52_cong, (cong_mod b), cut_cong52 by lia.
    assert (H : p * inverse == -1 [mod b]) by (apply (cong_divide (2 ^ 64)); [exists (2 ^ 12); reflexivity | exact negative_inverse]).
    transitivity (- (p * inverse)); [apply cong_eq; ring |]. rewrite H. reflexivity.
  Qed.

  (* A digit of 64 bits. *)
  Theorem lane_digits x : 0 <= x < 2 ^ 64 -> let r := Lane_digits p inverse x in r == x [mod p] /\ 0 <= r < 2 * p.
  Proof.
    intros Hx. pose proof bounds as HB. unfold Lane_digits, Lane_below, lane_and, lane_shift_right, lane_madd_low. rewrite (cut_small 64) by lia.
    change (1 * 2 ^ 48 - 1) with (Z.ones 48). rewrite Z.land_ones by lia.
    pose proof (Z.div_mod x (2 ^ 48) ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound x (2 ^ 48) ltac:(lia)).
    set (h := x / 2 ^ 48) in *. set (l := x mod 2 ^ 48) in *. assert (0 <= h < 2 ^ 16) by lia.
    pose proof (mul_range h (1 * 2 ^ 48 - p) (2 ^ 16 - 1) (3 * 2 ^ 30) ltac:(lia) ltac:(lia)).
    rewrite !low52_small by lia. rewrite Z.mod_small by lia. cbv zeta. split; [exists (- h); lia | lia].
  Qed.

  (* The second word of w as factor_words has it; no sum leaves its lane. *)
  Theorem lane_times x w : 0 <= w < p ->
    let t := Lane_times p inverse x w (b * w / p) in
    let r := low52 t in r == low52 x * w [mod p] /\ 0 <= r < 2 * p /\ 0 <= t < 2 ^ 64.
  Proof.
    intros Hw. pose proof bounds as HB. unfold Lane_times, lane_zero. rewrite complement_is. unfold lane_madd_high. rewrite Z.add_0_l.
    assert (Hv : 0 <= b * w / p < b) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
    rewrite (low52_small (b * w / p)) by exact Hv. pose proof (low52_range x) as Hx.
    pose proof (shoup_product b p w (low52 x) ltac:(lia) ltac:(lia) Hw Hx) as H. set (q := low52 x * _ / b) in *. cbv zeta.
    pose proof (madd_low_range 0 x w). pose proof (madd_low_range (lane_madd_low 0 x w) q (b - p)).
    rewrite (low52_is _ (low52 x * w - q * p)); [split; [exists (- q); ring | lia] | lia |].
    rewrite !madd_low_cong, low52_cong. exists q. ring.
  Qed.

  Theorem lane_reduce x : let r := low52 (Lane_reduce p inverse x) in r == low52 x [mod p] /\ 0 <= r < 2 * p.
  Proof.
    pose proof bounds as HB. unfold Lane_reduce, lane_zero, Lane_sixteen. rewrite complement_is. unfold lane_madd_high. rewrite Z.add_0_l.
    pose proof (low52_range x) as Hx. rewrite (low52_small (1 * _)) by lia.
    assert (He : low52 x * (1 * 2 ^ (52 - 48)) / b = low52 x / 2 ^ 48)
      by (change (1 * 2 ^ (52 - 48)) with (2 ^ 4); change b with (2 ^ 48 * 2 ^ 4); apply Z.div_mul_cancel_r; lia).
    rewrite He.
    pose proof (Z.div_mod (low52 x) (2 ^ 48) ltac:(lia)) as Hd. pose proof (Z.mod_pos_bound (low52 x) (2 ^ 48) ltac:(lia)).
    set (q := low52 x / 2 ^ 48) in *. set (l := low52 x mod 2 ^ 48) in *. assert (Hq : 0 <= q < 16) by lia.
    pose proof (mul_range q (2 ^ 48 - p) 15 (3 * 2 ^ 30) ltac:(lia) ltac:(lia)). cbv zeta.
    rewrite (low52_is _ (low52 x - q * p)); [split; [exists (- q); ring | lia] | lia |].
    rewrite madd_low_modulo_cong, low52_cong. exists q. ring.
  Qed.

  Theorem lane_sub level x y : 0 <= level <= 2 -> low52 y <= 2 ^ level * (2 * p) -> low52 x + 2 ^ level * (2 * p) < b ->
    low52 (Lane_sub p inverse level x y) = low52 x - low52 y + 2 ^ level * (2 * p).
  Proof.
    intros Hl Hy Hx. unfold Lane_sub, lane_sub_signed, lane_add_signed. rewrite multiples_are by exact Hl.
    pose proof (low52_range x). pose proof (low52_range y). apply low52_is; [lia |].
    rewrite !cut_cong52, !low52_cong. apply cong_eq. ring.
  Qed.

  Theorem lane_add x y : low52 x + low52 y < b -> low52 (Lane_add p inverse x y) = low52 x + low52 y.
  Proof.
    intros H. unfold Lane_add, lane_add_signed. pose proof (low52_range x). pose proof (low52_range y). apply low52_is; [lia |].
    rewrite cut_cong52, !low52_cong. reflexivity.
  Qed.

  (* Butterflies: the bound of x, and 2p more. *)
  Theorem lane_split_pair x y w : 0 <= w < p -> low52 x <= 14 * p ->
    exists s d, Lane_split_pair p inverse x y w (b * w / p) = [s; d]
      /\ low52 s == low52 x + low52 y * w [mod p] /\ low52 d == low52 x - low52 y * w [mod p]
      /\ 0 <= low52 s < low52 x + 2 * p /\ 0 < low52 d <= low52 x + 2 * p.
  Proof.
    intros Hw Hx. pose proof bounds as HB. unfold Lane_split_pair, lane_zero. rewrite complement_is, multiples_are by lia. change (2 ^ 0) with 1. rewrite Z.mul_1_l.
    unfold lane_madd_high. rewrite Z.add_0_l.
    assert (Hv : 0 <= b * w / p < b) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
    rewrite (low52_small (b * w / p)) by exact Hv. pose proof (low52_range x). pose proof (low52_range y) as Hy.
    pose proof (shoup_product b p w (low52 y) ltac:(lia) ltac:(lia) Hw Hy) as H2. set (q := low52 y * _ / b) in *.
    eexists _, _. split; [reflexivity |]. set (s := lane_madd_low_modulo _ _ _).
    assert (Hs : low52 s = low52 x + (low52 y * w - q * p)).
    { apply low52_is; [lia |]. unfold s. rewrite !madd_low_modulo_cong, !low52_cong. exists q. ring. }
    assert (Hd : low52 (lane_sub_signed (lane_add_signed x (lane_add_signed x (2 * p))) s) = low52 x + 2 * p - (low52 y * w - q * p)).
    { apply low52_is; [lia |]. unfold lane_sub_signed, lane_add_signed. rewrite !cut_cong52.
      rewrite <- (low52_cong s), Hs. rewrite !low52_cong. apply cong_eq. ring. }
    rewrite Hs, Hd. split; [exists (- q); ring |]. split; [exists (q + 2); ring | lia].
  Qed.

  (* Montgomery's reduction of h b + l by the quotient that makes l vanish. *)
  Lemma lane_montgomery x q h l : x = h * b + l -> 0 <= l < b -> q = (l * low52 (Lane_inverse p inverse)) mod b ->
    (p + h - q * p / b) * b == x [mod p] /\ h < p + h - q * p / b /\ p + h - q * p / b <= p + h.
  Proof.
    intros Hx Hl Hq. pose proof bounds as HB. assert (Hq0 : 0 <= q < b) by (rewrite Hq; apply Z.mod_pos_bound; lia).
    assert (Hqp : (q * p) mod b = l).
    { apply (low52_is (q * p) l Hl). rewrite Hq, (cong_mod b) by lia.
      transitivity (l * (low52 (Lane_inverse p inverse) * p)); [apply cong_eq; ring |]. rewrite inverse_is. apply cong_eq. ring. }
    pose proof (Z.div_mod (q * p) b ltac:(lia)) as Hd. rewrite Hqp in Hd. pose proof (mul_range q p (b - 1) p ltac:(lia) ltac:(lia)).
    assert (0 <= q * p / b < p) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
    assert (x / b = h) by (rewrite Hx, Z.div_add_l, Z.div_small by lia; lia).
    split; [exists (b - q); lia | lia].
  Qed.

  Theorem lane_mul a c : low52 a < 2 * p -> low52 c < 2 * p ->
    let t := Lane_mul p inverse a c in let r := low52 t in r * b == low52 a * low52 c [mod p] /\ 0 < r /\ 4 * r < 5 * p.
  Proof.
    intros Ha Hc. pose proof bounds as HB. pose proof (low52_range a). pose proof (low52_range c).
    unfold Lane_mul, lane_zero. unfold lane_madd_high. rewrite Z.add_0_l.
    set (x := low52 a * low52 c). pose proof (mul_range (low52 a) (low52 c) (2 * p) (2 * p) ltac:(lia) ltac:(lia)) as Hx. fold x in Hx.
    pose proof (Z.mul_pos_pos p (2 ^ 48 - p) ltac:(lia) ltac:(lia)).
    assert (Hq : lane_madd_low 0 (lane_madd_low 0 a c) (Lane_inverse p inverse) = (x mod b * low52 (Lane_inverse p inverse)) mod b).
    { unfold lane_madd_low. rewrite !Z.add_0_l. fold x. rewrite (low52_small (x mod b)) by (apply Z.mod_pos_bound; lia). reflexivity. }
    rewrite Hq. clear Hq. set (q := (x mod b * _) mod b).
    assert (Hqr : 0 <= q < b) by (apply Z.mod_pos_bound; lia). rewrite (low52_small q) by exact Hqr. rewrite (low52_small p) by lia.
    assert (Hdm : x = x / b * b + x mod b) by (pose proof (Z.div_mod x b ltac:(lia)); lia).
    destruct (lane_montgomery x q (x / b) (x mod b) Hdm (Z.mod_pos_bound x b ltac:(lia)) eq_refl) as [HM [HL HU]].
    assert (Hh : 0 <= x / b) by (apply Z.div_pos; lia). pose proof (Z.mul_div_le x b ltac:(lia)). assert (4 * (x / b) < p) by lia. cbv zeta.
    unfold lane_sub_signed. rewrite (low52_is _ (p + x / b - q * p / b)); [split; [exact HM | lia] | lia |].
    rewrite cut_cong52. reflexivity.
  Qed.

  Theorem lane_mul_sub a c d e : low52 a < 2 * p -> low52 c < 2 * p -> low52 d < 2 * p -> low52 e < 2 * p ->
    let t := Lane_mul_sub p inverse a c d e in let r := low52 t in r * b == low52 d * low52 e - low52 a * low52 c [mod p] /\ 0 < r < 2 * p.
  Proof.
    intros Ha Hc Hd He. pose proof bounds as HB. pose proof (low52_range a). pose proof (low52_range c). pose proof (low52_range d). pose proof (low52_range e).
    unfold Lane_mul_sub, lane_zero. rewrite multiples_are by lia. change (2 ^ 0) with 1. rewrite Z.mul_1_l. cbv zeta.
    set (n := lane_sub_signed (2 * p) a).
    assert (Hn : low52 n = 2 * p - low52 a).
    { apply low52_is; [lia |]. unfold n, lane_sub_signed. rewrite cut_cong52, low52_cong. reflexivity. }
    unfold lane_madd_high. rewrite Z.add_0_l, Hn.
    set (u := (2 * p - low52 a) * low52 c). set (v := low52 d * low52 e).
    pose proof (mul_range (2 * p - low52 a) (low52 c) (2 * p) (2 * p) ltac:(lia) ltac:(lia)) as Hu. fold u in Hu.
    pose proof (mul_range (low52 d) (low52 e) (2 * p) (2 * p) ltac:(lia) ltac:(lia)) as Hv. fold v in Hv.
    pose proof (Z.mul_pos_pos p (2 ^ 48 - p) ltac:(lia) ltac:(lia)).
    assert (Hlow : lane_madd_low (lane_madd_low 0 n c) d e = u mod b + v mod b).
    { unfold lane_madd_low. rewrite Hn. fold u v. lia. }
    rewrite Hlow. set (low := u mod b + v mod b).
    pose proof (Z.mod_pos_bound u b ltac:(lia)). pose proof (Z.mod_pos_bound v b ltac:(lia)).
    pose proof (Z.div_mod u b ltac:(lia)). pose proof (Z.div_mod v b ltac:(lia)).
    assert (Hlr : 0 <= low < 2 * b) by (unfold low; lia).
    pose proof (Z.div_mod low b ltac:(lia)) as Hld. pose proof (Z.mod_pos_bound low b ltac:(lia)).
    assert (Hq : lane_madd_low 0 low (Lane_inverse p inverse) = (low mod b * low52 (Lane_inverse p inverse)) mod b).
    { unfold lane_madd_low. rewrite Z.add_0_l. reflexivity. }
    rewrite Hq. clear Hq. set (q := (low mod b * _) mod b).
    assert (Hqr : 0 <= q < b) by (apply Z.mod_pos_bound; lia). rewrite (low52_small q) by exact Hqr. rewrite (low52_small p) by lia.
    unfold lane_carry, lane_add_signed, lane_sub_signed.
    set (h := u / b + v / b + low / b).
    assert (Hx : u + v = h * b + low mod b) by (unfold h, low in *; lia).
    destruct (lane_montgomery (u + v) q h (low mod b) Hx ltac:(lia) eq_refl) as [HM [HL HU]].
    assert (Hh : 0 <= h). { unfold h. assert (0 <= u / b) by (apply Z.div_pos; lia). assert (0 <= v / b) by (apply Z.div_pos; lia). assert (0 <= low / b) by (apply Z.div_pos; lia). lia. }
    assert (2 * h < p) by lia.
    rewrite (low52_is _ (p + h - q * p / b)); [| lia | rewrite !cut_cong52; apply cong_eq; unfold h; ring].
    split; [| lia]. rewrite HM. unfold u, v. exists (2 * low52 c). ring.
  Qed.
End Lanes.
