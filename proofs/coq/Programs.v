(* The catalogue's programs for one exponent as lists of instructions on registers: each leaves base^exponent in the register that it names, in
   every monoid, for all exponents, windows and declared lengths.

   About a model: a list of instructions for each algorithm. `make test` compares these lists with those that the Rust programs issue, for all
   exponents of up to 10 bits. *)
From Coq Require Import ZArith Lia List.
From Pingala Require Import Congruence Recoding.
Import ListNotations.
Open Scope Z_scope.

Inductive instruction :=
| One (out : Z)
| Copy (out from : Z)
| Mul (out a b : Z)
| Sqr (out a count : Z)
| Select (out first length digit : Z).

(* --- The exponents that registers hold: nothing where nothing was written ---------------------------------------------- *)

Definition state := Z -> option Z.
Definition set (s : state) (r : Z) (v : option Z) : state := fun x => if x =? r then v else s x.
Definition plus (a b : option Z) : option Z := match a, b with Some x, Some y => Some (x + y) | _, _ => None end.
Definition scaled (count : Z) (a : option Z) : option Z := if count <? 0 then None else option_map (fun x => 2 ^ count * x) a.

Definition step (s : state) (i : instruction) : state :=
  match i with
  | One out => set s out (Some 0)
  | Copy out from => set s out (s from)
  | Mul out a b => set s out (plus (s a) (s b))
  | Sqr out a count => set s out (scaled count (s a))
  | Select out first length d => set s out (if andb (0 <=? d) (d <? length) then s (first + d) else None)
  end.

Fixpoint run (s : state) (code : list instruction) : state := match code with [] => s | i :: code => run (step s i) code end.

Lemma run_app code1 : forall s code2, run s (code1 ++ code2) = run (run s code1) code2.
Proof. induction code1 as [| i code IH]; intros; cbn; [reflexivity | apply IH]. Qed.

Lemma set_same s r v : set s r v r = v.
Proof. unfold set. rewrite Z.eqb_refl. reflexivity. Qed.

Lemma set_other s r v x : x <> r -> set s r v x = s x.
Proof. unfold set. destruct (Z.eqb_spec x r); [contradiction | reflexivity]. Qed.

Lemma scaled_some count x : 0 <= count -> scaled count (Some x) = Some (2 ^ count * x).
Proof. intros. unfold scaled. destruct (Z.ltb_spec count 0); [lia | reflexivity]. Qed.

(* --- From exponents to any monoid ----------------------------------------------------------------------------------------- *)

Section Monoid.
  Variables (M : Type) (one : M) (mul : M -> M -> M).
  Hypothesis mul_assoc : forall a b c, mul a (mul b c) = mul (mul a b) c.
  Hypothesis one_left : forall a, mul one a = a.
  Hypothesis one_right : forall a, mul a one = a.

  Fixpoint npow (g : M) (k : nat) : M := match k with O => one | S k => mul g (npow g k) end.
  Definition pow (g : M) (k : Z) : M := npow g (Z.to_nat k).

  Lemma npow_add g a b : npow g (a + b) = mul (npow g a) (npow g b).
  Proof. induction a as [| a IH]; cbn; [symmetry; apply one_left | rewrite IH; apply mul_assoc]. Qed.

  Lemma pow_add g a b : 0 <= a -> 0 <= b -> pow g (a + b) = mul (pow g a) (pow g b).
  Proof. intros. unfold pow. rewrite Z2Nat.inj_add by assumption. apply npow_add. Qed.

  Fixpoint square_n (count : nat) (a : M) : M := match count with O => a | S count => square_n count (mul a a) end.

  Lemma square_n_pow g : forall count k, 0 <= k -> square_n count (pow g k) = pow g (2 ^ Z.of_nat count * k).
  Proof.
    induction count as [| count IH]; intros k Hk; cbn [square_n].
    - f_equal. change (2 ^ Z.of_nat 0) with 1. ring.
    - rewrite <- pow_add, IH by lia. f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
  Qed.

  Definition step_in (t : Z -> M) (i : instruction) : Z -> M :=
    let put r v := fun x => if x =? r then v else t x in
    match i with
    | One out => put out one
    | Copy out from => put out (t from)
    | Mul out a b => put out (mul (t a) (t b))
    | Sqr out a count => put out (square_n (Z.to_nat count) (t a))
    | Select out first length d => put out (t (first + d))
    end.

  Fixpoint run_in (t : Z -> M) (code : list instruction) : Z -> M :=
    match code with [] => t | i :: code => run_in (step_in t i) code end.

  Definition holds (g : M) (s : state) (t : Z -> M) : Prop := forall r k, s r = Some k -> 0 <= k /\ t r = pow g k.

  Lemma step_holds g s t i : holds g s t -> holds g (step s i) (step_in t i).
  Proof.
    intros H r k. destruct i; cbn [step step_in]; unfold set; destruct (r =? _); try (apply H).
    - intros [= <-]. split; [lia | reflexivity].
    - unfold plus. destruct (s a) as [x |] eqn:Ha; [| discriminate]. destruct (s b) as [y |] eqn:Hb; [| discriminate]. intros [= <-].
      destruct (H _ _ Ha) as [Hx ->]. destruct (H _ _ Hb) as [Hy ->]. split; [lia |]. symmetry. apply pow_add; assumption.
    - unfold scaled. destruct (Z.ltb_spec count 0) as [| Hc]; [discriminate |]. destruct (s a) as [x |] eqn:Ha; [| discriminate]. intros [= <-].
      destruct (H _ _ Ha) as [Hx ->]. pose proof (pow2_positive count Hc). split; [nia |].
      rewrite square_n_pow by assumption. rewrite Z2Nat.id by assumption. reflexivity.
    - destruct (andb _ _); [apply H | discriminate].
  Qed.

  (* What a program computes with exponents it computes with powers; whatever other registers hold at the start. *)
  Theorem run_holds g code : forall s t, holds g s t -> holds g (run s code) (run_in t code).
  Proof. induction code as [| i code IH]; intros s t H; cbn; [exact H | apply IH, step_holds, H]. Qed.
End Monoid.

Definition base_only : state := fun r => if r =? 0 then Some 1 else None.

Definition program := (list instruction * Z)%type.
Definition raises (p : program) (e : Z) : Prop := run base_only (fst p) (snd p) = Some e.

Theorem raises_in_every_monoid M one mul p e :
  (forall a b c : M, mul a (mul b c) = mul (mul a b) c) -> (forall a, mul one a = a) -> (forall a, mul a one = a) ->
  raises p e -> forall t, run_in M one mul t (fst p) (snd p) = pow M one mul (t 0) e.
Proof.
  intros Ha Hl Hr Hp t. refine (proj2 (run_holds M one mul Ha Hl (t 0) (fst p) base_only t _ (snd p) e Hp)).
  intros r k. unfold base_only. destruct (Z.eqb_spec r 0) as [-> |]; [| discriminate]. intros [= <-]. split; [lia |].
  unfold pow. cbn. symmetry. apply Hr.
Qed.

(* --- Tables ------------------------------------------------------------------------------------------------------------------ *)

Fixpoint range (count : nat) (start : Z) : list Z := match count with O => [] | S count => start :: range count (start + 1) end.

Definition odd_powers (w : Z) : list instruction :=
  let count := 2 ^ (w - 1) in
  if 1 <? count then Sqr count 0 1 :: map (fun i => Mul i count (i - 1)) (range (Z.to_nat (count - 1)) 1) else [].

Lemma odd_powers_loop square : forall count start s,
  1 <= start -> start + Z.of_nat count <= square ->
  s square = Some 2 -> (forall i, 0 <= i < start -> s i = Some (2 * i + 1)) ->
  forall i, 0 <= i < start + Z.of_nat count ->
  run s (map (fun i => Mul i square (i - 1)) (range count start)) i = Some (2 * i + 1).
Proof.
  induction count as [| count IH]; intros start s Hs Hc Hq Ht i Hi; cbn [range map run].
  - apply Ht. lia.
  - apply IH; try lia.
    + cbn [step]. rewrite set_other by lia. exact Hq.
    + intros j Hj. cbn [step]. destruct (Z.eq_dec j start) as [-> | Hne].
      * rewrite set_same, Hq, Ht by lia. cbn [plus]. f_equal. lia.
      * rewrite set_other by assumption. apply Ht. lia.
Qed.

Lemma odd_powers_filled w : 1 <= w -> forall i, 0 <= i < 2 ^ (w - 1) -> run base_only (odd_powers w) i = Some (2 * i + 1).
Proof.
  intros Hw i Hi. unfold odd_powers. destruct (Z.ltb_spec 1 (2 ^ (w - 1))) as [H | H].
  - cbn [run]. apply odd_powers_loop; try lia.
    + cbn [step]. rewrite set_same. reflexivity.
    + intros j Hj. replace j with 0 by lia. cbn [step]. rewrite set_other by lia. reflexivity.
  - replace i with 0 by lia. reflexivity.
Qed.

(* --- Windows: sliding, modified 2^k-ary, binary from the left ------------------------------------------------------------------ *)

Fixpoint fold_windows (accumulator at_ : Z) (power : Z -> Z) (ws : list window) : list instruction * Z :=
  match ws with
  | [] => ([], at_)
  | w :: ws =>
    let (code, result) := fold_windows accumulator accumulator power ws in
    (Sqr accumulator at_ (squarings w) :: (if 0 <? value w then [Mul accumulator accumulator (power (value w))] else []) ++ code, result)
  end.

Lemma fold_windows_runs accumulator power width : forall ws at_ s x,
  Forall (good_window width) ws -> s at_ = Some x ->
  (forall v, Z.odd v = true -> 0 < v < 2 ^ width -> power v <> accumulator /\ s (power v) = Some v) ->
  let p := fold_windows accumulator at_ power ws in run s (fst p) (snd p) = Some (horner_windows x ws).
Proof.
  induction ws as [| w ws IH]; intros at_ s x Hg Hx Ht; cbn [fold_windows horner_windows].
  - exact Hx.
  - inversion_clear Hg as [| ? ? Hw Hws]. destruct Hw as [Hz [Hl Hv]].
    specialize (IH accumulator). destruct (fold_windows accumulator accumulator power ws) as [code result] eqn:Hcode. cbn [fst snd] in *.
    cbn [run step]. rewrite Hx, scaled_some by (unfold squarings; lia).
    destruct Hv as [[Hv Hl0] | [Ho [Hv Hlw]]].
    + rewrite Hv. cbn [Z.ltb Z.compare app]. apply IH; [exact Hws | rewrite set_same; f_equal; ring |].
      intros v Hvo Hvr. destruct (Ht v Hvo Hvr) as [Hne Hs]. split; [exact Hne |]. rewrite set_other; assumption.
    + destruct (Z.ltb_spec 0 (value w)) as [_ |]; [| lia]. cbn [app run step].
      assert (Hvw : 0 < value w < 2 ^ width). { split; [lia |]. apply Z.lt_le_trans with (2 ^ length_of w); [lia |]. apply Z.pow_le_mono_r; lia. }
      destruct (Ht _ Ho Hvw) as [Hne Hs].
      apply IH; [exact Hws | |].
      * rewrite set_same, set_same, set_other by exact Hne. rewrite Hs. cbn [plus]. f_equal. ring.
      * intros v Hvo Hvr. destruct (Ht v Hvo Hvr) as [Hne' Hs']. split; [exact Hne' |]. rewrite !set_other by exact Hne'. exact Hs'.
Qed.

Definition by_windows (accumulator : Z) (power : Z -> Z) (ws : list window) : program :=
  match ws with [] => ([], 0) | w :: ws => fold_windows accumulator (power (value w)) power ws end.

Definition by_odd_windows (g : grid) (w bits e : Z) : program :=
  let p := by_windows (2 ^ (w - 1)) (fun v => v / 2) (windows_of g w bits e) in (odd_powers w ++ fst p, snd p).

Definition sliding_window := by_odd_windows Free.
Definition modified_k_ary := by_odd_windows Aligned.

(* The first window of an exponent is odd, and begins at its top bit. *)
Lemma first_window g width bits e : 1 <= width -> 0 < e < 2 ^ bits -> 2 ^ (bits - 1) <= e -> 0 < bits ->
  exists w ws, windows_of g width bits e = w :: ws /\ good_window width w /\ Forall (good_window width) ws
    /\ 0 < value w < 2 ^ width /\ Z.odd (value w) = true /\ horner_windows (value w) ws = e.
Proof.
  intros Hw He Htop Hb.
  pose proof (windows_multiply_out g width bits e Hw ltac:(lia) ltac:(lia)) as Hm.
  pose proof (windows_good g width e Hw (Z.to_nat bits) bits ltac:(lia)) as Hg.
  unfold windows_of in *. destruct (windows (Z.to_nat bits) g width e bits) as [| w ws] eqn:Hws; [cbn in Hm; lia |].
  exists w, ws. inversion_clear Hg as [| ? ? Hgw Hgws]. split; [reflexivity |]. split; [exact Hgw |]. split; [exact Hgws |].
  cbn [horner_windows] in Hm. rewrite Z.mul_0_l, Z.add_0_l in Hm.
  assert (Hv : value w <> 0).
  { destruct (Z.to_nat bits) as [| fuel] eqn:Hf; [discriminate |]. cbn [windows] in Hws.
    destruct (Z.eqb_spec bits 0); [discriminate |]. rewrite (Z.mod_small e) in Hws by lia.
    destruct (Z.eqb_spec e 0); [lia |]. cbn zeta in Hws. injection Hws as <- _. cbn [value].
    assert (Hz : e mod 2 ^ bits <> 0) by (rewrite Z.mod_small; lia).
    destruct (d_parts g width e bits Hw ltac:(lia) Hz) as [_ [_ [_ H]]]. rewrite (Z.mod_small e) in H by lia. lia. }
  destruct Hgw as [_ [_ [[H0 _] | [Ho [Hr Hl]]]]]; [contradiction |].
  split; [| split; assumption]. split; [lia |]. apply Z.lt_le_trans with (2 ^ length_of w); [lia | apply Z.pow_le_mono_r; lia].
Qed.

Theorem odd_windows_raise g w bits e : 1 <= w -> 0 < bits -> 2 ^ (bits - 1) <= e < 2 ^ bits -> raises (by_odd_windows g w bits e) e.
Proof.
  intros Hw Hb He. pose proof (pow2_positive (bits - 1) ltac:(lia)).
  destruct (first_window g w bits e Hw ltac:(lia) ltac:(lia) Hb) as [v [ws [Hws [Hg [Hgs [Hv [Ho Hh]]]]]]].
  unfold raises, by_odd_windows. rewrite Hws. cbn [by_windows fst snd]. rewrite run_app. rewrite <- Hh.
  assert (Hhalf : forall x, Z.odd x = true -> 0 < x < 2 ^ w -> 0 <= x / 2 < 2 ^ (w - 1) /\ x = 2 * (x / 2) + 1).
  { intros x Hxo Hx. pose proof (Z.div2_odd x) as Hd. rewrite Hxo, Z.div2_div in Hd. cbn [Z.b2z] in Hd.
    replace w with (1 + (w - 1)) in Hx by ring. rewrite Z.pow_add_r in Hx by lia. change (2 ^ 1) with 2 in Hx. lia. }
  apply (fold_windows_runs (2 ^ (w - 1)) (fun x => x / 2) w); [exact Hgs | |].
  - destruct (Hhalf _ Ho Hv) as [Hr Hx]. rewrite odd_powers_filled by lia. f_equal. lia.
  - intros x Hxo Hx. destruct (Hhalf x Hxo Hx) as [Hr Hx']. split; [lia |]. rewrite odd_powers_filled by lia. f_equal. lia.
Qed.

Definition binary_left_to_right (bits e : Z) : program := by_windows 1 (fun _ => 0) (windows_of Free 1 bits e).

Theorem binary_left_to_right_raises bits e : 0 < bits -> 2 ^ (bits - 1) <= e < 2 ^ bits -> raises (binary_left_to_right bits e) e.
Proof.
  intros Hb He. pose proof (pow2_positive (bits - 1) ltac:(lia)).
  destruct (first_window Free 1 bits e ltac:(lia) ltac:(lia) ltac:(lia) Hb) as [v [ws [Hws [Hg [Hgs [Hv [Ho Hh]]]]]]].
  unfold raises, binary_left_to_right. rewrite Hws. cbn [by_windows]. rewrite <- Hh. change (2 ^ 1) with 2 in *.
  apply (fold_windows_runs 1 (fun _ => 0) 1); [exact Hgs | cbn; f_equal; lia |].
  intros x Hxo Hx. change (2 ^ 1) with 2 in *. split; [lia |]. cbn. f_equal. lia.
Qed.

(* --- Digits of base 2^w ------------------------------------------------------------------------------------------------------------ *)

(* Registers 0 .. 2^w - 2 hold g .. g^(2^w - 1). *)
Definition powers_table (w : Z) : list instruction := map (fun i => Mul i (i - 1) 0) (range (Z.to_nat (2 ^ w - 2)) 1).

Lemma powers_loop : forall count start s,
  1 <= start -> (forall i, 0 <= i < start -> s i = Some (i + 1)) ->
  forall i, 0 <= i < start + Z.of_nat count -> run s (map (fun i => Mul i (i - 1) 0) (range count start)) i = Some (i + 1).
Proof.
  induction count as [| count IH]; intros start s Hs Ht i Hi; cbn [range map run].
  - apply Ht. lia.
  - apply (IH (start + 1)); try lia. intros j Hj. cbn [step]. destruct (Z.eq_dec j start) as [-> | Hne].
    + rewrite set_same, !Ht by lia. cbn [plus]. f_equal. lia.
    + rewrite set_other by assumption. apply Ht. lia.
Qed.

Fixpoint k_ary_loop (w accumulator at_ pending : Z) (ds : list Z) : list instruction * Z :=
  match ds with
  | [] => if 0 <? pending then ([Sqr accumulator at_ pending], accumulator) else ([], at_)
  | d :: ds =>
    if 0 <? d then
      let (code, result) := k_ary_loop w accumulator accumulator 0 ds in
      (Sqr accumulator at_ (pending + w) :: Mul accumulator accumulator (d - 1) :: code, result)
    else k_ary_loop w accumulator at_ (pending + w) ds
  end.

Definition k_ary (w bits e : Z) : program :=
  match fixed_digits bits e w with
  | [] => ([], 0)
  | top :: ds => let p := k_ary_loop w (2 ^ w - 1) (top - 1) 0 ds in (powers_table w ++ fst p, snd p)
  end.

Lemma k_ary_loop_runs w : 1 <= w -> forall ds at_ pending s x,
  Forall (fun d => 0 <= d < 2 ^ w) ds -> 0 <= pending -> s at_ = Some x ->
  (forall d, 0 < d < 2 ^ w -> s (d - 1) = Some d) ->
  let p := k_ary_loop w (2 ^ w - 1) at_ pending ds in run s (fst p) (snd p) = Some (horner w (2 ^ pending * x) ds).
Proof.
  intros Hw. induction ds as [| d ds IH]; intros at_ pending s x Hd Hp Hx Ht; cbn [k_ary_loop horner].
  - destruct (Z.ltb_spec 0 pending) as [H | H]; cbn [fst snd run].
    + cbn [step]. rewrite set_same, Hx. apply scaled_some. lia.
    + replace pending with 0 by lia. rewrite Hx. f_equal. change (2 ^ 0) with 1. ring.
  - inversion_clear Hd as [| ? ? Hdr Hds]. destruct (Z.ltb_spec 0 d) as [H | H].
    + specialize (IH (2 ^ w - 1) 0). destruct (k_ary_loop w (2 ^ w - 1) (2 ^ w - 1) 0 ds) as [code result]. cbn [fst snd run] in *.
      specialize (IH (step (step s (Sqr (2 ^ w - 1) at_ (pending + w))) (Mul (2 ^ w - 1) (2 ^ w - 1) (d - 1))) (2 ^ pending * x * 2 ^ w + d)).
      change (2 ^ 0) with 1 in IH. rewrite Z.mul_1_l in IH. apply IH; try assumption; try lia.
      * cbn [step]. rewrite set_same, set_same, set_other by lia. rewrite Hx, Ht, scaled_some by lia. cbn [plus]. f_equal.
        rewrite Z.pow_add_r by lia. ring.
      * intros d' Hd'. cbn [step]. rewrite !set_other by lia. apply Ht. exact Hd'.
    + replace d with 0 by lia. cbn zeta. rewrite (IH at_ (pending + w) s x) by (assumption || lia). f_equal. f_equal.
      rewrite Z.pow_add_r by lia. ring.
Qed.

Lemma top_digit w bits e : 1 <= w -> 0 < bits -> 2 ^ (bits - 1) <= e < 2 ^ bits ->
  exists top ds, fixed_digits bits e w = top :: ds /\ 0 < top < 2 ^ w /\ Forall (fun d => 0 <= d < 2 ^ w) ds /\ horner w top ds = e.
Proof.
  intros Hw Hb He. pose proof (pow2_positive (bits - 1) ltac:(lia)).
  pose proof (fixed_digits_multiply_out bits w e ltac:(lia) Hw ltac:(lia)) as Hm.
  pose proof (digits_from_range w e ltac:(lia) (Z.to_nat (n_digits bits w))) as Hr.
  unfold fixed_digits in *. pose proof (div_ceil_spec bits w ltac:(lia)) as Hc.
  destruct (Z.to_nat (n_digits bits w)) as [| n] eqn:Hn; [unfold n_digits in Hn; lia |]. cbn [digits_from] in *.
  inversion_clear Hr as [| ? ? Ht Hds]. eexists _, _. split; [reflexivity |]. split; [| split; [exact Hds |]].
  - split; [| lia]. assert (Hq : Z.of_nat n * w <= bits - 1).
    { unfold n_digits in Hn. assert (Z.of_nat (S n) = Z.max ((bits + (w - 1)) / w) 1) by lia. nia. }
    unfold digit in *. set (q := e / 2 ^ (Z.of_nat n * w)) in *.
    assert (0 < q).
    { unfold q. apply Z.div_str_pos. pose proof (Z.pow_le_mono_r 2 (Z.of_nat n * w) (bits - 1) ltac:(lia) Hq). pose proof (pow2_positive (Z.of_nat n * w) ltac:(nia)). lia. }
    assert (q < 2 ^ w).
    { unfold q. apply Z.div_lt_upper_bound; [apply pow2_positive; nia |]. rewrite <- Z.pow_add_r by nia.
      apply Z.lt_le_trans with (2 ^ bits); [lia |]. apply Z.pow_le_mono_r; [lia |]. unfold n_digits in Hn. nia. }
    rewrite Z.mod_small by lia. lia.
  - cbn [horner] in Hm. rewrite Z.mul_0_l, Z.add_0_l in Hm. exact Hm.
Qed.

Theorem k_ary_raises w bits e : 1 <= w -> 0 < bits -> 2 ^ (bits - 1) <= e < 2 ^ bits -> raises (k_ary w bits e) e.
Proof.
  intros Hw Hb He. destruct (top_digit w bits e Hw Hb He) as [top [ds [Hds [Ht [Hr Hh]]]]].
  unfold raises, k_ary. rewrite Hds. cbn [fst snd]. rewrite run_app. rewrite <- Hh.
  assert (H2 : 2 <= 2 ^ w) by (change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia).
  assert (Htable : forall d, 0 < d < 2 ^ w -> run base_only (powers_table w) (d - 1) = Some d).
  { intros d Hd. unfold powers_table. rewrite powers_loop; [f_equal; lia | lia | | lia].
    intros i Hi. replace i with 0 by lia. reflexivity. }
  pose proof (k_ary_loop_runs w Hw ds (top - 1) 0 (run base_only (powers_table w)) top Hr ltac:(lia) (Htable top Ht) Htable) as H.
  cbn zeta in H. rewrite H. f_equal. f_equal. change (2 ^ 0) with 1. ring.
Qed.

(* --- Uniform: a selection and a product for every digit, zeros included; any declared length --------------------------------------------- *)

Definition uniform_entry (v : Z) : instruction := if Z.even v then Sqr (1 + v) (1 + v / 2) 1 else Mul (1 + v) (1 + (v - 1)) 0.

Definition uniform_table (w : Z) : list instruction := One 1 :: Copy 2 0 :: map uniform_entry (range (Z.to_nat (2 ^ w - 2)) 2).

Fixpoint uniform_loop (w : Z) (ds : list Z) : list instruction :=
  match ds with
  | [] => []
  | d :: ds => Sqr (2 ^ w + 1) (2 ^ w + 1) w :: Select (2 ^ w + 2) 1 (2 ^ w) d :: Mul (2 ^ w + 1) (2 ^ w + 1) (2 ^ w + 2) :: uniform_loop w ds
  end.

Definition fixed_window (w bits e : Z) : program :=
  match fixed_digits bits e w with
  | [] => (uniform_table w, 2 ^ w + 1)
  | top :: ds => (uniform_table w ++ Select (2 ^ w + 1) 1 (2 ^ w) top :: uniform_loop w ds, 2 ^ w + 1)
  end.

Lemma uniform_table_loop : forall count start s,
  2 <= start -> s 0 = Some 1 -> (forall v, 0 <= v < start -> s (1 + v) = Some v) ->
  let t := run s (map uniform_entry (range count start)) in
  forall v, 0 <= v < start + Z.of_nat count -> t (1 + v) = Some v.
Proof.
  induction count as [| count IH]; intros start s Hs H0 Ht t v Hv; cbn [range map run] in t; unfold t.
  - apply Ht. lia.
  - apply (IH (start + 1)); try lia.
    + unfold uniform_entry. destruct (Z.even start); cbn [step]; rewrite set_other by lia; exact H0.
    + intros u Hu. unfold uniform_entry. destruct (Z.eq_dec u start) as [-> | Hne].
      * destruct (Z.even start) eqn:Hev; cbn [step]; rewrite set_same.
        -- apply Z.even_spec in Hev. destruct Hev as [h Hh]. rewrite Hh. rewrite Z.mul_comm, Z.div_mul by lia.
           rewrite Ht by lia. rewrite scaled_some by lia. f_equal. ring.
        -- rewrite Ht, H0 by lia. cbn [plus]. f_equal. lia.
      * destruct (Z.even start); cbn [step]; rewrite set_other by lia; apply Ht; lia.
Qed.

Lemma uniform_loop_runs w : 1 <= w -> forall ds s x,
  Forall (fun d => 0 <= d < 2 ^ w) ds -> s (2 ^ w + 1) = Some x -> (forall v, 0 <= v < 2 ^ w -> s (1 + v) = Some v) ->
  run s (uniform_loop w ds) (2 ^ w + 1) = Some (horner w x ds).
Proof.
  intros Hw. pose proof (pow2_positive w ltac:(lia)) as Hp.
  induction ds as [| d ds IH]; intros s x Hd Hx Ht; cbn [uniform_loop horner run]; [exact Hx |].
  inversion_clear Hd as [| ? ? Hdr Hds]. apply IH; [exact Hds | |].
  - cbn [step]. rewrite set_same. rewrite (set_other _ (2 ^ w + 2)) by lia. rewrite !set_same.
    destruct (Z.leb_spec 0 d); [| lia]. destruct (Z.ltb_spec d (2 ^ w)); [| lia]. cbn [andb].
    rewrite set_other by lia. rewrite Ht, Hx, scaled_some by lia. cbn [plus]. f_equal. ring.
  - intros v Hv. cbn [step]. rewrite !set_other by lia. apply Ht. exact Hv.
Qed.

(* `bits` is the declared length; the exponent may be 0, and shorter. *)
Theorem fixed_window_raises w bits e : 1 <= w -> 0 <= bits -> 0 <= e < 2 ^ bits -> raises (fixed_window w bits e) e.
Proof.
  intros Hw Hb He. pose proof (fixed_digits_multiply_out bits w e Hb Hw He) as Hm.
  pose proof (digits_from_range w e ltac:(lia) (Z.to_nat (n_digits bits w))) as Hr. fold (fixed_digits bits e w) in Hr.
  unfold raises, fixed_window. destruct (fixed_digits bits e w) as [| top ds] eqn:Hds.
  - exfalso. unfold fixed_digits in Hds. destruct (Z.to_nat (n_digits bits w)) eqn:Hn; [unfold n_digits in Hn; lia | discriminate].
  - cbn [fst snd]. rewrite run_app. cbn [run]. inversion_clear Hr as [| ? ? Ht Hrs].
    assert (H2 : 2 <= 2 ^ w) by (change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia).
    assert (Htable : forall v, 0 <= v < 2 ^ w -> run base_only (uniform_table w) (1 + v) = Some v).
    { intros v Hv. unfold uniform_table. cbn [run]. apply uniform_table_loop; try lia.
      - reflexivity.
      - intros u Hu. assert (u = 0 \/ u = 1) as [-> | ->] by lia; reflexivity. }
    rewrite uniform_loop_runs with (x := top); try assumption; try lia.
    + cbn [horner] in Hm. rewrite Z.mul_0_l, Z.add_0_l in Hm. f_equal. exact Hm.
    + cbn [step]. rewrite set_same. destruct (Z.leb_spec 0 top); [| lia]. destruct (Z.ltb_spec top (2 ^ w)); [| lia]. cbn [andb].
      apply Htable. exact Ht.
    + intros v Hv. cbn [step]. rewrite set_other by lia. apply Htable. exact Hv.
Qed.

(* --- The Montgomery ladder -------------------------------------------------------------------------------------------------------------------- *)

Fixpoint ladder_loop (ds : list Z) : list instruction :=
  match ds with
  | [] => []
  | b :: ds => Select 3 4 2 b :: Sqr 1 3 1 :: Mul 2 4 5 :: Copy 3 1 :: Select 4 1 2 b :: Select 5 2 2 b :: ladder_loop ds
  end.

Definition montgomery_ladder (bits e : Z) : program :=
  let start := [One 1; Copy 2 0; Sqr 3 0 1] in
  match fixed_digits bits e 1 with
  | [] => (start, 4)
  | top :: ds => (start ++ Select 4 1 2 top :: Select 5 2 2 top :: ladder_loop ds, 4)
  end.

Lemma ladder_loop_runs : forall ds s x, Forall (fun d => 0 <= d < 2 ^ 1) ds -> s 4 = Some x -> s 5 = Some (x + 1) ->
  run s (ladder_loop ds) 4 = Some (horner 1 x ds).
Proof.
  induction ds as [| d ds IH]; intros s x Hd Hp Hq; cbn [ladder_loop horner run]; [exact Hp |].
  inversion_clear Hd as [| ? ? Hdr Hds]. change (2 ^ 1) with 2 in *.
  assert (d = 0 \/ d = 1) as [-> | ->] by lia.
  - apply IH; [exact Hds | |]; cbn [step]; change (4 + 0) with 4; change (1 + 0) with 1; change (2 + 0) with 2;
      cbn [Z.leb Z.ltb Z.compare andb Pos.compare Pos.compare_cont]; unfold set; cbn [Z.eqb Pos.eqb]; rewrite Hp, ?Hq;
      rewrite ?scaled_some by lia; cbn [plus]; f_equal; change (2 ^ 1) with 2; ring.
  - apply IH; [exact Hds | |]; cbn [step]; change (4 + 1) with 5; change (1 + 1) with 2; change (2 + 1) with 3;
      cbn [Z.leb Z.ltb Z.compare andb Pos.compare Pos.compare_cont]; unfold set; cbn [Z.eqb Pos.eqb]; rewrite ?Hp, Hq;
      rewrite ?scaled_some by lia; cbn [plus]; f_equal; change (2 ^ 1) with 2; ring.
Qed.

Theorem montgomery_ladder_raises bits e : 0 <= bits -> 0 <= e < 2 ^ bits -> raises (montgomery_ladder bits e) e.
Proof.
  intros Hb He. pose proof (fixed_digits_multiply_out bits 1 e Hb ltac:(lia) He) as Hm.
  pose proof (digits_from_range 1 e ltac:(lia) (Z.to_nat (n_digits bits 1))) as Hr. fold (fixed_digits bits e 1) in Hr.
  unfold raises, montgomery_ladder. destruct (fixed_digits bits e 1) as [| top ds] eqn:Hds.
  - exfalso. unfold fixed_digits in Hds. destruct (Z.to_nat (n_digits bits 1)) eqn:Hn; [unfold n_digits in Hn; lia | discriminate].
  - cbn [fst snd]. rewrite run_app. cbn [run]. inversion_clear Hr as [| ? ? Ht Hrs]. change (2 ^ 1) with 2 in Ht.
    cbn [horner] in Hm. rewrite Z.mul_0_l, Z.add_0_l in Hm. rewrite <- Hm.
    apply ladder_loop_runs; [exact Hrs | |]; assert (top = 0 \/ top = 1) as [-> | ->] by lia; reflexivity.
Qed.

(* --- From the lowest bit up -------------------------------------------------------------------------------------------------------------------- *)

Fixpoint right_to_left_loop (fuel : nat) (e position s a : Z) : list instruction * Z :=
  match fuel with
  | O => ([], a)
  | S fuel =>
    match lowest_from e (position + 1) with
    | None => ([], a)
    | Some next => let (code, result) := right_to_left_loop fuel e next 1 2 in (Sqr 1 s (next - position) :: Mul 2 1 a :: code, result)
    end
  end.

Definition binary_right_to_left (bits e : Z) : program :=
  let position := trailing_zeros e in
  let a := if 0 <? position then 2 else 0 in
  let p := right_to_left_loop (Z.to_nat bits) e position a a in
  ((if 0 <? position then [Sqr 2 0 position] else []) ++ fst p, snd p).

Lemma right_to_left_runs e : 0 <= e -> forall fuel position s a st,
  0 <= position -> e < 2 ^ (position + 1 + Z.of_nat fuel) -> a <> 1 ->
  st s = Some (2 ^ position) -> st a = Some (e mod 2 ^ (position + 1)) ->
  let p := right_to_left_loop fuel e position s a in run st (fst p) (snd p) = Some e.
Proof.
  intros He. induction fuel as [| fuel IH]; intros position s a st Hp Hf Ha1 Hs Ha; cbn [right_to_left_loop].
  - cbn [fst snd run]. rewrite Ha. f_equal. apply Z.mod_small. replace (position + 1 + Z.of_nat 0) with (position + 1) in Hf by lia. lia.
  - destruct (lowest_from e (position + 1)) as [next |] eqn:Hl.
    + destruct (lowest_from_spec e (position + 1) next He ltac:(lia) Hl) as [Hn [Hm Ho]].
      specialize (IH next 1 2). destruct (right_to_left_loop fuel e next 1 2) as [code result]. cbn [fst snd run] in *.
      assert (Hbit : e mod 2 ^ (next + 1) = e mod 2 ^ (position + 1) + 2 ^ next).
      { rewrite low_split by lia. rewrite Hm. f_equal.
        assert (digit e next 1 = 1) as ->; [| ring]. unfold digit. change (2 ^ 1) with 2. rewrite Zmod_odd, Ho. reflexivity. }
      apply IH; try lia.
      * apply Z.lt_le_trans with (1 := Hf). apply Z.pow_le_mono_r; lia.
      * cbn [step]. rewrite set_other, set_same by lia. rewrite Hs, scaled_some by lia. f_equal. rewrite <- Z.pow_add_r by lia. f_equal. ring.
      * cbn [step]. rewrite set_same, set_same. rewrite (set_other _ 1) by exact Ha1. rewrite Hs, Ha, scaled_some by lia. cbn [plus]. f_equal.
        rewrite Hbit. rewrite <- Z.pow_add_r by lia. replace (next - position + position) with next by ring. ring.
    + cbn [fst snd run]. rewrite Ha. f_equal. apply (lowest_from_none e (position + 1)); [exact He | lia | exact Hl].
Qed.

Theorem binary_right_to_left_raises bits e : 0 <= bits -> 0 < e < 2 ^ bits -> raises (binary_right_to_left bits e) e.
Proof.
  intros Hb He. destruct (trailing_zeros_spec e ltac:(lia)) as [Ht [u [Hu [Ho Hx]]]].
  unfold raises, binary_right_to_left. set (t := trailing_zeros e) in *. pose proof (pow2_positive t Ht).
  assert (Hlow : e mod 2 ^ (t + 1) = 2 ^ t).
  { rewrite low_split by lia. rewrite Hx at 1. rewrite (Z.mul_comm (2 ^ t) u), Z_mod_mult.
    assert (digit e t 1 = 1) as ->; [| ring]. unfold digit. rewrite Hx, Z.mul_comm, Z.div_mul by lia. change (2 ^ 1) with 2. rewrite Zmod_odd, Ho. reflexivity. }
  assert (Hf : e < 2 ^ (t + 1 + Z.of_nat (Z.to_nat bits))).
  { apply Z.lt_le_trans with (2 ^ bits); [lia |]. apply Z.pow_le_mono_r; lia. }
  cbn [fst snd]. rewrite run_app. destruct (Z.ltb_spec 0 t) as [H0 | H0]; apply right_to_left_runs; try lia; try exact Hf.
  - cbn [run step]. rewrite set_same. cbn [base_only Z.eqb]. rewrite scaled_some by lia. f_equal. ring.
  - cbn [run step]. rewrite set_same, Hlow. cbn [base_only Z.eqb]. rewrite scaled_some by lia. f_equal. ring.
  - replace t with 0 by lia. reflexivity.
  - rewrite Hlow. replace t with 0 by lia. reflexivity.
Qed.
