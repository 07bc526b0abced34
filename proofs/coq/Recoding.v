(* Recodings of an exponent: digits, windows on and off the grid, windows from below, joint digits. Each multiplies out to the exponent,
   for all exponents.

   About a model: crates/pingala-core/src/exponent/recoding.rs on integers. proofs/README.md says how the two are compared. *)
From Coq Require Import ZArith Lia List.
From Pingala Require Import Congruence.
Import ListNotations.
Open Scope Z_scope.

(* The `width` bits of e from bit `position` upwards. *)
Definition digit (e position width : Z) : Z := (e / 2 ^ position) mod 2 ^ width.

Lemma pow2_positive k : 0 <= k -> 0 < 2 ^ k.
Proof. intros. apply Z.pow_pos_nonneg; lia. Qed.

Lemma digit_range e position width : 0 <= width -> 0 <= digit e position width < 2 ^ width.
Proof. intros H. apply Z.mod_pos_bound, pow2_positive, H. Qed.

(* The low bits, split at a position. *)
Lemma low_split e position width :
  0 <= position -> 0 <= width -> e mod 2 ^ (position + width) = e mod 2 ^ position + 2 ^ position * digit e position width.
Proof.
  intros Hp Hw. unfold digit. rewrite Z.pow_add_r by assumption.
  apply Z.rem_mul_r; [| apply pow2_positive; assumption].
  pose proof (pow2_positive position Hp). lia.
Qed.

Lemma mod_of_sum a k c : c <> 0 -> (a + c * k) mod c = a mod c.
Proof. intros Hc. rewrite (Z.mul_comm c k). apply Z_mod_plus_full. Qed.

Lemma low_of_low e position width : 0 <= position -> 0 <= width -> (e mod 2 ^ (position + width)) mod 2 ^ position = e mod 2 ^ position.
Proof.
  intros Hp Hw. pose proof (pow2_positive position Hp). rewrite low_split, mod_of_sum by lia. apply Z.mod_mod. lia.
Qed.

(* --- Fixed digits, most significant first ----------------------------------------------------------------------------- *)

Fixpoint digits_from (count : nat) (e width : Z) : list Z :=
  match count with O => [] | S index => digit e (Z.of_nat index * width) width :: digits_from index e width end.

(* `bits` is the declared length. *)
Definition n_digits (bits width : Z) : Z := Z.max ((bits + (width - 1)) / width) 1.
Definition fixed_digits (bits e width : Z) : list Z := digits_from (Z.to_nat (n_digits bits width)) e width.

Fixpoint horner (width x : Z) (ds : list Z) : Z := match ds with [] => x | d :: ds => horner width (x * 2 ^ width + d) ds end.

Lemma digits_from_value width e : 0 <= width -> forall count x,
  horner width x (digits_from count e width) = x * 2 ^ (Z.of_nat count * width) + e mod 2 ^ (Z.of_nat count * width).
Proof.
  intros Hw. induction count as [| n IH]; intros x.
  - cbn. rewrite Z.mod_1_r. ring.
  - cbn [digits_from horner]. rewrite IH.
    replace (Z.of_nat (S n) * width) with (Z.of_nat n * width + width) by lia.
    rewrite low_split by nia. rewrite Z.pow_add_r by nia. ring.
Qed.

Theorem fixed_digits_multiply_out bits width e :
  0 <= bits -> 1 <= width -> 0 <= e < 2 ^ bits -> horner width 0 (fixed_digits bits e width) = e.
Proof.
  intros Hb Hw He. unfold fixed_digits. rewrite digits_from_value by lia. rewrite Z.mul_0_l, Z.add_0_l.
  apply Z.mod_small. split; [lia |]. apply Z.lt_le_trans with (2 ^ bits); [lia |].
  apply Z.pow_le_mono_r; [lia |]. pose proof (div_ceil_spec bits width ltac:(lia)) as Hd. unfold n_digits. rewrite Z2Nat.id by lia. nia.
Qed.

Lemma digits_from_range width e : 0 <= width -> forall count, Forall (fun d => 0 <= d < 2 ^ width) (digits_from count e width).
Proof. intros Hw. induction count; constructor; [apply digit_range; exact Hw | assumption]. Qed.

(* --- Windows from the top bit down ------------------------------------------------------------------------------------- *)

Fixpoint trailing_zeros_of (p : positive) : Z := match p with xO p => 1 + trailing_zeros_of p | _ => 0 end.
Definition trailing_zeros (x : Z) : Z := match x with Zpos p => trailing_zeros_of p | _ => 0 end.

Lemma trailing_zeros_spec x : 0 < x -> 0 <= trailing_zeros x /\ exists u, 0 < u /\ Z.odd u = true /\ x = 2 ^ trailing_zeros x * u.
Proof.
  destruct x as [| p | p]; try lia. intros _. cbn [trailing_zeros]. induction p as [p IH | p IH |].
  - cbn [trailing_zeros_of]. split; [lia |]. exists (Zpos p~1). repeat split; lia.
  - cbn [trailing_zeros_of]. destruct IH as [H [u [Hu [Ho Hx]]]]. split; [lia |]. exists u. repeat split; [assumption .. |].
    rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2. rewrite Pos2Z.inj_xO, Hx at 1. ring.
  - cbn. split; [lia |]. exists 1. repeat split; lia.
Qed.

Record window := Window { zeros : Z; value : Z; length_of : Z }.
Definition squarings (w : window) : Z := zeros w + length_of w.

Inductive grid := Free | Aligned.

Fixpoint windows (fuel : nat) (g : grid) (width e position : Z) : list window :=
  match fuel with
  | O => []
  | S fuel =>
    if position =? 0 then []
    else
      let rest := e mod 2 ^ position in
      if rest =? 0 then [Window position 0 0]
      else
        let top := Z.log2 rest in
        let bottom := match g with Free => Z.max 0 (top + 1 - width) | Aligned => top - top mod width end in
        let d := digit e bottom (top + 1 - bottom) in
        let given_back := trailing_zeros d in
        let next := bottom + given_back in
        Window (position - (top + 1)) (d / 2 ^ given_back) (top + 1 - next) :: windows fuel g width e next
  end.

Definition windows_of (g : grid) (width bits e : Z) : list window := windows (Z.to_nat bits) g width e bits.

Fixpoint horner_windows (x : Z) (ws : list window) : Z :=
  match ws with [] => x | w :: ws => horner_windows (x * 2 ^ squarings w + value w) ws end.

(* A window is odd and has at most `width` bits, or it is the run of zeros at the end. *)
Definition good_window (width : Z) (w : window) : Prop :=
  0 <= zeros w /\ 0 <= length_of w
  /\ ((value w = 0 /\ length_of w = 0) \/ (Z.odd (value w) = true /\ 0 < value w < 2 ^ length_of w /\ length_of w <= width)).

Section OneWindow.
  Set Default Proof Using "All".
  Variables (g : grid) (width e position : Z).
  Hypothesis width_positive : 1 <= width.
  Hypothesis position_positive : 0 < position.
  Hypothesis some_bit : e mod 2 ^ position <> 0.
  Let rest := e mod 2 ^ position.
  Let top := Z.log2 rest.
  Let bottom := match g with Free => Z.max 0 (top + 1 - width) | Aligned => top - top mod width end.
  Let d := digit e bottom (top + 1 - bottom).
  Let given_back := trailing_zeros d.
  Let next := bottom + given_back.

  Lemma rest_range : 0 < rest < 2 ^ position.
  Proof. pose proof (Z.mod_pos_bound e (2 ^ position) (pow2_positive position ltac:(lia))). unfold rest. lia. Qed.

  Lemma top_range : 0 <= top < position.
  Proof.
    pose proof rest_range. split; [apply Z.log2_nonneg |]. apply Z.log2_lt_pow2; lia.
  Qed.

  Lemma bottom_range : 0 <= bottom <= top /\ top + 1 - bottom <= width.
  Proof.
    pose proof top_range. unfold bottom. destruct g; [lia |].
    pose proof (Z.mod_pos_bound top width ltac:(lia)). pose proof (Z.mod_le top width ltac:(lia) ltac:(lia)). lia.
  Qed.

  Lemma rest_is_low : rest = e mod 2 ^ (top + 1).
  Proof.
    pose proof rest_range. pose proof top_range. pose proof (Z.log2_spec rest ltac:(lia)) as Hs. fold top in Hs.
    assert (e mod 2 ^ (top + 1) = rest mod 2 ^ (top + 1)) as ->.
    { unfold rest at 1. replace position with ((top + 1) + (position - (top + 1))) by ring. symmetry. apply low_of_low; lia. }
    symmetry. apply Z.mod_small. rewrite <- Z.add_1_r in Hs. lia.
  Qed.

  Lemma d_range : 2 ^ (top - bottom) <= d < 2 ^ (top + 1 - bottom).
  Proof.
    pose proof top_range. pose proof bottom_range. pose proof rest_range.
    split; [| apply digit_range; lia].
    pose proof (Z.log2_spec rest ltac:(lia)) as [Hs _]. fold top in Hs.
    rewrite rest_is_low in Hs. replace (top + 1) with (bottom + (top + 1 - bottom)) in Hs by ring. rewrite low_split in Hs by lia.
    fold d in Hs. pose proof (Z.mod_pos_bound e (2 ^ bottom) (pow2_positive bottom ltac:(lia))).
    pose proof (pow2_positive bottom ltac:(lia)).
    replace top with (bottom + (top - bottom)) in Hs at 1 by ring. rewrite Z.pow_add_r in Hs by lia. nia.
  Qed.

  Lemma d_parts : 0 <= given_back <= top - bottom /\ d = 2 ^ given_back * (d / 2 ^ given_back)
    /\ Z.odd (d / 2 ^ given_back) = true /\ 0 < d / 2 ^ given_back < 2 ^ (top + 1 - next).
  Proof.
    pose proof top_range. pose proof bottom_range. pose proof d_range as Hd.
    pose proof (pow2_positive (top - bottom) ltac:(lia)).
    destruct (trailing_zeros_spec d ltac:(lia)) as [Hg [u [Hu [Ho Hx]]]]. fold given_back in Hg, Hx.
    pose proof (pow2_positive given_back Hg).
    assert (d / 2 ^ given_back = u) as -> by (rewrite Hx at 1; rewrite Z.mul_comm; apply Z.div_mul; lia).
    assert (given_back < top + 1 - bottom).
    { apply (Z.pow_lt_mono_r_iff 2); try lia. nia. }
    repeat split; try lia; try assumption.
    unfold next. apply Z.mul_lt_mono_pos_l with (2 ^ given_back); [lia |]. rewrite <- Hx, <- Z.pow_add_r by lia.
    replace (given_back + (top + 1 - (bottom + given_back))) with (top + 1 - bottom) by ring. lia.
  Qed.

  Lemma rest_parts : rest = d / 2 ^ given_back * 2 ^ next + e mod 2 ^ next.
  Proof.
    pose proof top_range. pose proof bottom_range. destruct d_parts as [Hg [Hx _]].
    rewrite rest_is_low. replace (top + 1) with (bottom + (top + 1 - bottom)) by ring. rewrite low_split by lia. fold d.
    assert (He : e mod 2 ^ next = e mod 2 ^ bottom).
    { unfold next. rewrite low_split by lia.
      assert (digit e bottom given_back = 0) as ->; [| lia].
      assert (Hmod : digit e bottom given_back = d mod 2 ^ given_back).
      { unfold d, digit. replace (top + 1 - bottom) with (given_back + (top + 1 - bottom - given_back)) by ring.
        symmetry. apply low_of_low; lia. }
      rewrite Hmod, Hx. rewrite (Z.mul_comm (2 ^ given_back)). apply Z_mod_mult. }
    rewrite He. unfold next. rewrite Z.pow_add_r by lia. rewrite Hx at 1. ring.
  Qed.

  Lemma next_range : 0 <= next < position.
  Proof. pose proof top_range. pose proof bottom_range. destruct d_parts as [Hg _]. unfold next. lia. Qed.

  Lemma window_good : good_window width (Window (position - (top + 1)) (d / 2 ^ given_back) (top + 1 - next)).
  Proof.
    pose proof top_range. pose proof bottom_range. destruct d_parts as [Hg [_ [Ho Hv]]]. unfold good_window, next. cbn. unfold next in Hv.
    split; [lia |]. split; [lia |]. right. split; [exact Ho |]. split; [exact Hv | lia].
  Qed.
End OneWindow.
Unset Default Proof Using.

Theorem windows_value g width e : 1 <= width -> forall fuel position x,
  0 <= position <= Z.of_nat fuel ->
  horner_windows x (windows fuel g width e position) = x * 2 ^ position + e mod 2 ^ position.
Proof.
  intros Hw. induction fuel as [| fuel IH]; intros position x Hp.
  - replace position with 0 by lia. cbn. rewrite Z.mod_1_r. ring.
  - cbn [windows]. destruct (Z.eqb_spec position 0) as [-> | Hne].
    + cbn. rewrite Z.mod_1_r. ring.
    + destruct (Z.eqb_spec (e mod 2 ^ position) 0) as [Hz | Hz].
      * cbn [horner_windows]. unfold squarings. cbn [zeros length_of value]. rewrite Hz. f_equal. f_equal. f_equal. ring.
      * cbn zeta. cbn [horner_windows].
        rewrite IH by (pose proof (next_range g width e position Hw ltac:(lia) Hz); lia).
        pose proof (rest_parts g width e position Hw ltac:(lia) Hz) as Hr.
        pose proof (next_range g width e position Hw ltac:(lia) Hz) as Hn.
        pose proof (top_range g width e position Hw ltac:(lia) Hz) as Ht.
        destruct (d_parts g width e position Hw ltac:(lia) Hz) as [Hg _].
        set (top := Z.log2 (e mod 2 ^ position)) in *.
        set (bottom := match g with Free => Z.max 0 (top + 1 - width) | Aligned => top - top mod width end) in *.
        set (d := digit e bottom (top + 1 - bottom)) in *. set (k := trailing_zeros d) in *.
        rewrite Hr. unfold squarings. cbn [zeros length_of value].
        replace (2 ^ position) with (2 ^ (position - (top + 1) + (top + 1 - (bottom + k))) * 2 ^ (bottom + k)); [ring |].
        rewrite <- Z.pow_add_r by lia. f_equal. ring.
Qed.

Theorem windows_good g width e : 1 <= width -> forall fuel position,
  0 <= position -> Forall (good_window width) (windows fuel g width e position).
Proof.
  intros Hw. induction fuel as [| fuel IH]; intros position Hp; cbn [windows]; [constructor |].
  destruct (Z.eqb_spec position 0); [constructor |].
  destruct (Z.eqb_spec (e mod 2 ^ position) 0) as [Hz | Hz].
  - constructor; [| constructor]. unfold good_window. cbn. lia.
  - cbn zeta. constructor; [apply window_good; [assumption | lia | assumption] |].
    apply IH. pose proof (next_range g width e position Hw ltac:(lia) Hz). lia.
Qed.

(* Sliding windows (Free) and the modified digits of base 2^width (Aligned). *)
Theorem windows_multiply_out g width bits e :
  1 <= width -> 0 <= bits -> 0 <= e < 2 ^ bits -> horner_windows 0 (windows_of g width bits e) = e.
Proof.
  intros Hw Hb He. unfold windows_of. rewrite windows_value by lia. rewrite Z.mod_small by lia. ring.
Qed.

(* A window of a product falls due at the bit below it: the sum of value 2^bit is the exponent. *)
Fixpoint dues (position : Z) (ws : list window) : list (Z * Z) :=
  match ws with [] => [] | w :: ws => (position - squarings w, value w) :: dues (position - squarings w) ws end.

Fixpoint sum_of (terms : list (Z * Z)) : Z := match terms with [] => 0 | t :: ts => snd t * 2 ^ fst t + sum_of ts end.

Fixpoint squarings_of (ws : list window) : Z := match ws with [] => 0 | w :: ws => squarings w + squarings_of ws end.

Lemma squarings_nonnegative width ws : Forall (good_window width) ws -> 0 <= squarings_of ws.
Proof.
  induction 1 as [| w ws [H1 [H2 _]] Hws IH]; cbn [squarings_of]; [lia |]. unfold squarings. lia.
Qed.

Lemma dues_value width ws : forall position x, Forall (good_window width) ws -> squarings_of ws = position ->
  horner_windows x ws = x * 2 ^ position + sum_of (dues position ws).
Proof.
  induction ws as [| w ws IH]; intros position x Hg Hs; cbn [dues sum_of horner_windows squarings_of] in *.
  - subst position. cbn. ring.
  - inversion_clear Hg as [| ? ? Hw Hws]. pose proof (squarings_nonnegative width ws Hws). destruct Hw as [Hz [Hl _]].
    assert (0 <= squarings w) by (unfold squarings; lia).
    rewrite (IH (position - squarings w)) by (assumption || lia). cbn [fst snd].
    replace (2 ^ position) with (2 ^ squarings w * 2 ^ (position - squarings w)) by (rewrite <- Z.pow_add_r by lia; f_equal; ring).
    ring.
Qed.

Lemma windows_squarings g width e : 1 <= width -> forall fuel position, 0 <= position <= Z.of_nat fuel ->
  squarings_of (windows fuel g width e position) = position.
Proof.
  intros Hw. induction fuel as [| fuel IH]; intros position Hp; cbn [windows].
  - cbn. lia.
  - destruct (Z.eqb_spec position 0); [cbn; lia |]. destruct (Z.eqb_spec (e mod 2 ^ position) 0) as [Hz | Hz].
    + cbn [squarings_of]. unfold squarings. cbn [zeros length_of]. lia.
    + cbn zeta. cbn [squarings_of].
      pose proof (next_range g width e position Hw ltac:(lia) Hz) as Hn.
      rewrite IH by lia. unfold squarings. cbn [zeros length_of]. ring.
Qed.

Theorem dues_multiply_out g width bits e :
  1 <= width -> 0 <= bits -> 0 <= e < 2 ^ bits -> sum_of (dues bits (windows_of g width bits e)) = e.
Proof.
  intros Hw Hb He. unfold windows_of.
  pose proof (windows_value g width e Hw (Z.to_nat bits) bits 0 ltac:(lia)) as Hv.
  rewrite (dues_value width _ bits 0) in Hv; [| apply windows_good; lia | apply windows_squarings; lia].
  rewrite (Z.mod_small e) in Hv by lia. lia.
Qed.

(* --- Windows from bit 0 up ----------------------------------------------------------------------------------------------- *)

(* The lowest one bit from `position` upwards. *)
Definition lowest_from (e position : Z) : option Z :=
  let rest := e / 2 ^ position in if rest =? 0 then None else Some (position + trailing_zeros rest).

Fixpoint low_windows (fuel : nat) (width e position : Z) : list (Z * Z) :=
  match fuel with
  | O => []
  | S fuel => match lowest_from e position with
              | None => []
              | Some at_ => (at_, digit e at_ width) :: low_windows fuel width e (at_ + width)
              end
  end.

Lemma lowest_from_spec e position at_ : 0 <= e -> 0 <= position -> lowest_from e position = Some at_ ->
  position <= at_ /\ e mod 2 ^ at_ = e mod 2 ^ position /\ Z.odd (e / 2 ^ at_) = true.
Proof.
  intros He Hp. unfold lowest_from. destruct (Z.eqb_spec (e / 2 ^ position) 0) as [Hz | Hz]; [discriminate |]. intros [= <-].
  pose proof (pow2_positive position Hp). pose proof (Z.div_pos e (2 ^ position) He ltac:(lia)).
  destruct (trailing_zeros_spec (e / 2 ^ position) ltac:(lia)) as [Ht [u [Hu [Ho Hx]]]].
  set (t := trailing_zeros (e / 2 ^ position)) in *. pose proof (pow2_positive t Ht).
  split; [lia |]. split.
  - rewrite low_split by lia. unfold digit. rewrite Hx. rewrite (Z.mul_comm (2 ^ t) u), Z_mod_mult. ring.
  - rewrite Z.pow_add_r by lia. rewrite <- Z.div_div by lia. rewrite Hx. rewrite Z.mul_comm, Z.div_mul by lia. exact Ho.
Qed.

Lemma lowest_from_none e position : 0 <= e -> 0 <= position -> lowest_from e position = None -> e mod 2 ^ position = e.
Proof.
  intros He Hp. unfold lowest_from. destruct (Z.eqb_spec (e / 2 ^ position) 0) as [Hz | Hz]; [| discriminate]. intros _.
  pose proof (pow2_positive position Hp). apply Z.mod_small. split; [lia |]. apply Z.div_small_iff in Hz; lia.
Qed.

Lemma low_windows_value width e : 1 <= width -> 0 <= e -> forall fuel position, 0 <= position -> e < 2 ^ (position + Z.of_nat fuel) ->
  e = e mod 2 ^ position + sum_of (low_windows fuel width e position).
Proof.
  intros Hw He. induction fuel as [| fuel IH]; intros position Hp Hf; cbn [low_windows].
  - cbn. rewrite Z.mod_small; [lia |]. split; [lia |]. replace (position + Z.of_nat 0) with position in Hf by lia. exact Hf.
  - destruct (lowest_from e position) as [at_ |] eqn:Hl.
    + destruct (lowest_from_spec e position at_ He Hp Hl) as [Ha [Hm _]].
      cbn [sum_of fst snd].
      rewrite <- Hm.
      assert (Hnext : e < 2 ^ (at_ + width + Z.of_nat fuel)).
      { apply Z.lt_le_trans with (1 := Hf). apply Z.pow_le_mono_r; lia. }
      pose proof (IH (at_ + width) ltac:(lia) Hnext) as H. rewrite low_split in H by lia. lia.
    + cbn. rewrite (lowest_from_none e position He Hp Hl). lia.
Qed.

Theorem low_windows_multiply_out width bits e :
  1 <= width -> 0 <= bits -> 0 <= e < 2 ^ bits -> sum_of (low_windows (Z.to_nat bits) width e 0) = e.
Proof.
  intros Hw Hb He. pose proof (low_windows_value width e Hw ltac:(lia) (Z.to_nat bits) 0 ltac:(lia)) as H.
  rewrite Z2Nat.id, Z.add_0_l in H by lia. specialize (H ltac:(lia)). change (2 ^ 0) with 1 in H. rewrite Z.mod_1_r in H. lia.
Qed.

(* --- Joint digits of a group of bases ------------------------------------------------------------------------------------ *)

(* d_0 + d_1 2^w + ...: the digits of all exponents of the group at one position. *)
Fixpoint joint (width position : Z) (es : list Z) : Z :=
  match es with [] => 0 | e :: es => digit e position width + 2 ^ width * joint width position es end.

Lemma joint_range width position : 0 <= width -> forall es,
  0 <= joint width position es < 2 ^ (Z.of_nat (length es) * width).
Proof.
  intros Hw. induction es as [| e es IH]; cbn [joint length]; [cbn; lia |].
  pose proof (digit_range e position width Hw).
  replace (Z.of_nat (S (length es)) * width) with (width + Z.of_nat (length es) * width) by lia. rewrite Z.pow_add_r by nia. nia.
Qed.

(* The digit of base `place` in a joint digit. *)
Theorem joint_digit width position : 0 <= width -> forall es place,
  (place < length es)%nat -> digit (joint width position es) (Z.of_nat place * width) width = digit (nth place es 0) position width.
Proof.
  intros Hw. induction es as [| e es IH]; intros place Hp; cbn [length] in Hp; [lia |].
  pose proof (digit_range e position width Hw) as Hd. pose proof (pow2_positive width Hw).
  destruct place as [| place]; cbn [nth joint].
  - unfold digit at 1. change (Z.of_nat 0 * width) with 0. rewrite Z.pow_0_r, Z.div_1_r.
    rewrite mod_of_sum, Z.mod_small by lia. reflexivity.
  - rewrite <- (IH place ltac:(lia)). unfold digit at 1.
    replace (Z.of_nat (S place) * width) with (width + Z.of_nat place * width) by lia. rewrite Z.pow_add_r by nia.
    rewrite <- Z.div_div by (pose proof (pow2_positive (Z.of_nat place * width) ltac:(nia)); lia).
    rewrite (Z.mul_comm (2 ^ width)), Z_div_plus_full, (Z.div_small (digit e position width)) by lia. reflexivity.
Qed.

(* What a base gets from the joint digits of all positions, the top one first, is its exponent. *)
Fixpoint joint_digits (count : nat) (width : Z) (es : list Z) : list Z :=
  match count with O => [] | S index => joint width (Z.of_nat index * width) es :: joint_digits index width es end.

Theorem joint_digits_multiply_out width bits es place :
  1 <= width -> 0 <= bits -> (place < length es)%nat -> 0 <= nth place es 0 < 2 ^ bits ->
  horner width 0 (map (fun j => digit j (Z.of_nat place * width) width) (joint_digits (Z.to_nat (n_digits bits width)) width es))
  = nth place es 0.
Proof.
  intros Hw Hb Hp He. rewrite <- (fixed_digits_multiply_out bits width (nth place es 0)) by lia. f_equal.
  unfold fixed_digits. generalize (Z.to_nat (n_digits bits width)). induction n as [| n IH]; cbn [joint_digits map digits_from]; [reflexivity |].
  rewrite joint_digit by lia. f_equal. exact IH.
Qed.

(* One run of squarings over sorted factors, as for all bases of a product at once: factors of one bit may be added first. *)
Fixpoint descend (x position : Z) (terms : list (Z * Z)) : Z :=
  match terms with [] => x * 2 ^ position | (bit, factor) :: terms => descend (x * 2 ^ (position - bit) + factor) bit terms end.

Fixpoint descending (position : Z) (terms : list (Z * Z)) : Prop :=
  match terms with [] => 0 <= position | (bit, _) :: terms => bit <= position /\ descending bit terms end.

Theorem descend_value terms : forall x position, descending position terms -> descend x position terms = x * 2 ^ position + sum_of terms.
Proof.
  induction terms as [| [bit factor] terms IH]; intros x position H; cbn [descend sum_of]; [ring |].
  destruct H as [Hb Hd]. cbn [fst snd]. rewrite (IH _ _ Hd).
  assert (0 <= bit). { clear - Hd. revert bit Hd. induction terms as [| [b f] ts IH]; cbn; intros; [assumption |]. destruct Hd. specialize (IH _ H0). lia. }
  replace (2 ^ position) with (2 ^ (position - bit) * 2 ^ bit) by (rewrite <- Z.pow_add_r by lia; f_equal; ring). ring.
Qed.

Theorem pair_of_one_bit bit a b terms : sum_of ((bit, a) :: (bit, b) :: terms) = sum_of ((bit, a + b) :: terms).
Proof. cbn. ring. Qed.
