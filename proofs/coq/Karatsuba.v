(* Karatsuba's product and square, low products, products modulo b^n - 1, and the reductions of KCM that use them, for every length and every radix.

   About a model: a number is a list of words, lowest first, and the carry chains of `linear` run through lists. Not modelled: where
   the code keeps its lists (slices of t, d and scratch), and that a chain runs a few words at a time. Masks, first carries and the
   lengths of halves are the code's (Constants). *)
From Coq Require Import ZArith Lia List Bool.
From Pingala Require Import Congruence Montgomery Constants.
Import ListNotations.
Open Scope Z_scope.

(* A sign by which D counts: a mask of ones subtracts. *)
Definition signed (negative : bool) (x : Z) : Z := if negative then - x else x.

Lemma signed_product s t x y : signed s x * signed t y = signed (xorb s t) (x * y).
Proof. destruct s, t; cbn; ring. Qed.

Lemma both_zero W x y : 1 <= W -> 0 <= x -> 0 <= y -> x + W * y = 0 -> x = 0 /\ y = 0.
Proof. intros HW Hx Hy E. assert (1 * y <= W * y) by (apply Z.mul_le_mono_nonneg_r; lia). lia. Qed.

Lemma product_range W x y : 0 <= x < W -> 0 <= y < W -> 0 <= x * y < W * W.
Proof. intros Hx Hy. split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia]. Qed.

Lemma below_square W x y : 0 <= x < W -> 0 <= y < W -> 0 <= x + W * y < W * W.
Proof. intros Hx Hy. assert (W * y <= W * (W - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). assert (0 <= W * y) by (apply Z.mul_nonneg_nonneg; lia). lia. Qed.

(* What is above the middle's 2h words is a bit, because the middle is in 0 .. 2 b^2h - 1. *)
Theorem top_is_bit W x y middle top : 1 <= W -> x + W * y + W * W * top = middle -> 0 <= x < W -> 0 <= y < W -> 0 <= middle < 2 * (W * W) -> 0 <= top <= 1.
Proof.
  intros HW E Hx Hy Hm. pose proof (below_square W x y Hx Hy). assert (0 < W * W) by (apply Z.mul_pos_pos; lia).
  split; [apply Z.lt_succ_r, (Z.mul_lt_mono_pos_l (W * W)) | apply Z.lt_succ_r, (Z.mul_lt_mono_pos_l (W * W))]; lia.
Qed.

(* On integers: the upper half of L is u, the chains compute the middle, and U1 is the upper half of U. *)
Theorem upper_half_identity W L0 L1 u0 u1 U1 middle H m0 m1 u top borrow :
  0 < W -> 0 <= L0 < W -> 0 <= L1 < W -> 0 <= u0 < W -> 0 <= u < W ->
  (W * L1 + L0) + middle * W + H * (W * W) = W * W * U1 + (u0 + W * u1) ->
  m0 + W * m1 + W * W * top = u0 + W * u + (middle - (W * L1 + L0)) -> u - W * borrow = u1 - m0 ->
  m0 + W * m1 + W * W * top = middle /\ U1 = H + m1 + borrow + W * top.
Proof.
  intros HW RL0 RL1 Ru0 Ru EU EM Eu.
  assert (L0 = u0) as -> by (apply (cong_small W); [lia | lia | exists (u1 + W * U1 - L1 - middle - H * W); lia]).
  assert (E1 : L1 + middle + H * W = W * U1 + u1) by (apply (Z.mul_cancel_l _ _ W); lia).
  assert (u = L1) as -> by (apply (cong_small W); [lia | lia | exists (m1 + W * top - u + L1 + H - U1 + borrow); lia]).
  split; [lia |]. apply (Z.mul_cancel_l _ _ W); lia.
Qed.

Lemma nothing_runs_over W x r : 0 <= x < W -> x + W * r = 0 -> -1 <= r <= 1 -> r = 0 /\ x = 0.
Proof. intros Hx E Hr. assert (r = -1 \/ r = 0 \/ r = 1) as [-> | [-> | ->]] by lia; lia. Qed.

(* The halves of 0, their difference and its product are 0. *)
Lemma no_operand_no_halves W x0 x1 negative x y d0 d1 e borrow f :
  1 <= W -> 0 <= x0 -> 0 <= x1 -> x0 + W * x1 = 0 -> x0 - x1 = signed negative x -> d0 + W * d1 = x * y -> 0 <= d0 -> 0 <= d1 ->
  0 <= e < W -> e - W * Z.b2z borrow = d0 - d1 - Z.b2z false -> x0 + x1 = 0 /\ signed f (e + Z.b2z borrow) = 0.
Proof.
  intros HW H0 H1 Ex Ed Ep P0 P1 He Eb. destruct (both_zero W x0 x1 HW H0 H1 Ex) as [-> ->]. split; [reflexivity |].
  assert (x = 0) as -> by (destruct negative; cbn [signed] in Ed; lia). rewrite Z.mul_0_l in Ep.
  destruct (both_zero W d0 d1 HW P0 P1 Ep) as [-> ->]. assert (borrow = false) as -> by (destruct borrow; cbn [Z.b2z] in Eb; [lia | reflexivity]).
  cbn [Z.b2z] in *. replace e with 0 by lia. destruct f; reflexivity.
Qed.

Section Words.
Variable b : Z.
Hypothesis b_above_2 : 2 < b.
Notation value := (number b).
Notation B n := (b ^ Z.of_nat n).

Definition word (x : Z) : Prop := 0 <= x < b.
Definition words (n : nat) (xs : list Z) : Prop := length xs = n /\ Forall word xs.

Lemma B_positive n : 1 <= B n.
Proof. pose proof (Z.pow_pos_nonneg b (Z.of_nat n) ltac:(lia) ltac:(lia)). lia. Qed.

Lemma B_add m n : B (m + n) = B m * B n.
Proof. rewrite Nat2Z.inj_add, Z.pow_add_r by lia. reflexivity. Qed.

Lemma B_succ n : B (S n) = b * B n.
Proof. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. Qed.

Lemma value_range n : forall xs, words n xs -> 0 <= value xs < B n.
Proof.
  induction n as [| n IH]; intros [| x xs] [L F]; cbn in L; try discriminate; cbn [number].
  - change (B 0) with 1. lia.
  - inversion_clear F as [| ? ? Hx Hxs]. rewrite B_succ. destruct (IH xs); [split; [lia | assumption] |]. unfold word in Hx. nia.
Qed.

Lemma value_app xs ys : value (xs ++ ys) = value xs + B (length xs) * value ys.
Proof.
  induction xs as [| x xs IH]; cbn [app number length]; [change (B 0) with 1; lia |]. rewrite IH, B_succ. ring.
Qed.

Lemma words_app m n xs ys : words m xs -> words n ys -> words (m + n) (xs ++ ys).
Proof. intros [L F] [M G]. split; [rewrite app_length; lia | apply Forall_app; auto]. Qed.

Lemma split_words h k xs : words (h + k) xs ->
  words h (firstn h xs) /\ words k (skipn h xs) /\ value xs = value (firstn h xs) + B h * value (skipn h xs).
Proof.
  intros [L F]. rewrite <- (firstn_skipn h xs) in F. apply Forall_app in F. destruct F as [F G].
  assert (Lf : length (firstn h xs) = h) by (rewrite firstn_length; lia).
  repeat split; try assumption; [rewrite skipn_length; lia |].
  rewrite <- (firstn_skipn h xs) at 1. rewrite value_app, Lf. reflexivity.
Qed.

Lemma words_zeros n : words n (repeat 0 n).
Proof. split; [apply repeat_length |]. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. unfold word. lia. Qed.

Lemma value_zeros n : value (repeat 0 n) = 0.
Proof. induction n as [| n IH]; cbn [repeat number]; [reflexivity | rewrite IH; ring]. Qed.

(* --- Chains of carries and of borrows ------------------------------------------------------------------------------------------------ *)

Definition add_carry (x y : Z) (c : bool) : Z * bool := let s := x + y + Z.b2z c in (s mod b, b <=? s).
Definition sub_borrow (x y : Z) (c : bool) : Z * bool := let s := x - y - Z.b2z c in (s mod b, s <? 0).

Fixpoint chain (step : Z -> Z -> bool -> Z * bool) (xs ys : list Z) (c : bool) : list Z * bool :=
  match xs, ys with
  | x :: xs, y :: ys => let r := step x y c in let s := chain step xs ys (snd r) in (fst r :: fst s, snd s)
  | _, _ => ([], c)
  end.
Definition add := chain add_carry.
Definition sub := chain sub_borrow.

(* One word of a chain, and its bit. *)
Theorem add_carry_fits x y c : word x -> word y ->
  word (fst (add_carry x y c)) /\ fst (add_carry x y c) + b * Z.b2z (snd (add_carry x y c)) = x + y + Z.b2z c.
Proof.
  unfold word, add_carry. intros Hx Hy. cbn [fst snd]. set (s := x + y + Z.b2z c).
  assert (Hs : 0 <= s < 2 * b) by (unfold s; destruct c; cbn [Z.b2z]; lia).
  pose proof (Z.mod_pos_bound s b ltac:(lia)). destruct (Z.leb_spec b s); cbn [Z.b2z].
  - rewrite <- (Z.mod_unique_pos s b 1 (s - b)); lia.
  - rewrite Z.mod_small; lia.
Qed.

Theorem sub_borrow_fits x y c : word x -> word y ->
  word (fst (sub_borrow x y c)) /\ fst (sub_borrow x y c) - b * Z.b2z (snd (sub_borrow x y c)) = x - y - Z.b2z c.
Proof.
  unfold word, sub_borrow. intros Hx Hy. cbn [fst snd]. set (s := x - y - Z.b2z c).
  assert (Hs : - b <= s < b) by (unfold s; destruct c; cbn [Z.b2z]; lia).
  pose proof (Z.mod_pos_bound s b ltac:(lia)). destruct (Z.ltb_spec s 0); cbn [Z.b2z].
  - rewrite <- (Z.mod_unique_pos s b (- 1) (s + b)); lia.
  - rewrite Z.mod_small; lia.
Qed.

Theorem add_chain n : forall xs ys c, words n xs -> words n ys ->
  words n (fst (add xs ys c)) /\ value (fst (add xs ys c)) + B n * Z.b2z (snd (add xs ys c)) = value xs + value ys + Z.b2z c.
Proof.
  induction n as [| n IH]; intros [| x xs] [| y ys] c [L F] [M G]; try discriminate; unfold add; cbn [chain fst snd number].
  - change (B 0) with 1. split; [split; [reflexivity | constructor] | lia].
  - inversion_clear F as [| ? ? Hx Fx]. inversion_clear G as [| ? ? Hy Gy]. cbn in L, M. injection L as L. injection M as M.
    destruct (add_carry_fits x y c Hx Hy) as [Hw E]. set (r := add_carry x y c) in *.
    destruct (IH xs ys (snd r) ltac:(split; assumption) ltac:(split; assumption)) as [[Ls Fs] Es]. fold add. set (s := add xs ys (snd r)) in *.
    split; [split; [cbn; lia | constructor; assumption] |]. rewrite B_succ. lia.
Qed.

Theorem sub_chain n : forall xs ys c, words n xs -> words n ys ->
  words n (fst (sub xs ys c)) /\ value (fst (sub xs ys c)) - B n * Z.b2z (snd (sub xs ys c)) = value xs - value ys - Z.b2z c.
Proof.
  induction n as [| n IH]; intros [| x xs] [| y ys] c [L F] [M G]; try discriminate; unfold sub; cbn [chain fst snd number].
  - change (B 0) with 1. split; [split; [reflexivity | constructor] | lia].
  - inversion_clear F as [| ? ? Hx Fx]. inversion_clear G as [| ? ? Hy Gy]. cbn in L, M. injection L as L. injection M as M.
    destruct (sub_borrow_fits x y c Hx Hy) as [Hw E]. set (r := sub_borrow x y c) in *.
    destruct (IH xs ys (snd r) ltac:(split; assumption) ltac:(split; assumption)) as [[Ls Fs] Es]. fold sub. set (s := sub xs ys (snd r)) in *.
    split; [split; [cbn; lia | constructor; assumption] |]. rewrite B_succ. lia.
Qed.

(* Flipped by a mask: b^n - 1 - x for ones. *)
Definition flip (mask : bool) (xs : list Z) : list Z := map (fun x => if mask then b - 1 - x else x) xs.

Lemma flip_value mask n : forall xs, words n xs ->
  words n (flip mask xs) /\ value (flip mask xs) = if mask then B n - 1 - value xs else value xs.
Proof.
  induction n as [| n IH]; intros [| x xs] [L F]; try discriminate; cbn [flip map number].
  - change (B 0) with 1. split; [split; [reflexivity | constructor] | destruct mask; reflexivity].
  - inversion_clear F as [| ? ? Hx Fx]. cbn in L. injection L as L. destruct (IH xs ltac:(split; assumption)) as [[Lf Ff] E].
    fold (flip mask xs). rewrite E, B_succ. unfold word in *. split; [| destruct mask; ring].
    split; [cbn; lia | constructor; [unfold word; destruct mask; lia | assumption]].
Qed.

(* A shorter number, up to n words. *)
Definition extend (n : nat) (xs : list Z) : list Z := xs ++ repeat 0 (n - length xs).

Lemma extend_value n k xs : words k xs -> (k <= n)%nat -> words n (extend n xs) /\ value (extend n xs) = value xs.
Proof.
  intros W Hk. unfold extend. rewrite value_app, value_zeros. split; [| ring].
  destruct W as [L F]. rewrite L. replace n with (k + (n - k))%nat at 1 by lia. apply words_app; [split; assumption | apply words_zeros].
Qed.

(* `abs_diff`: the difference, flipped and one added if there is a last borrow; with the mask of x < y. *)
Definition abs_diff (xs ys : list Z) : list Z * bool :=
  let d := sub xs (extend (length xs) ys) false in (fst (add (flip (snd d) (fst d)) (repeat 0 (length xs)) (snd d)), snd d).

Theorem abs_diff_value n k xs ys : words n xs -> words k ys -> (k <= n)%nat ->
  words n (fst (abs_diff xs ys)) /\ value xs - value ys = signed (snd (abs_diff xs ys)) (value (fst (abs_diff xs ys))).
Proof.
  intros X Y Hk. unfold abs_diff. destruct (extend_value n k ys Y Hk) as [Y' EY]. pose proof X as [L _]. rewrite L.
  destruct (sub_chain n xs _ false X Y') as [D ED]. rewrite EY in ED. set (d := sub xs _ false) in *. cbn [fst snd].
  destruct (flip_value (snd d) n _ D) as [F EF]. destruct (add_chain n _ _ (snd d) F (words_zeros n)) as [A EA]. rewrite value_zeros in EA.
  split; [exact A |]. set (a := add _ _ _) in *. pose proof (value_range n _ A). pose proof (value_range n _ D).
  pose proof (value_range n _ X). pose proof (value_range k _ Y).
  assert (value ys < B n) by (pose proof (value_range n _ Y'); lia).
  destruct (snd d), (snd a); cbn [Z.b2z signed] in *; nia.
Qed.
(* A word added at the bottom; of no words the carry is whether the word is not 0. *)
Definition add_word (xs : list Z) (v : Z) : list Z * bool :=
  match xs with [] => ([], negb (v =? 0)) | _ :: xs' => add xs (v :: repeat 0 (length xs')) false end.

Theorem add_word_value k xs v : words k xs -> word v -> value xs + v < B k ->
  words k (fst (add_word xs v)) /\ value (fst (add_word xs v)) = value xs + v /\ snd (add_word xs v) = false.
Proof.
  intros X V H. pose proof X as [L F]. destruct xs as [| x xs]; cbn in L; subst k; cbn [add_word].
  - change (B 0) with 1 in H. cbn [number] in *. unfold word in V. replace v with 0 by lia. repeat split; constructor.
  - assert (Y : words (S (length xs)) (v :: repeat 0 (length xs))).
    { split; [cbn; rewrite repeat_length; lia |]. constructor; [exact V | apply words_zeros]. }
    destruct (add_chain _ _ _ false X Y) as [A E]. cbn [number] in E. rewrite value_zeros in E. set (r := add _ _ _) in *.
    pose proof (value_range _ _ A). cbn [number] in *.
    assert (snd r = false) as Sr by (destruct (snd r); [exfalso |]; cbn [Z.b2z] in *; nia || reflexivity). rewrite Sr in E. cbn [Z.b2z] in E.
    split; [exact A |]. split; [lia | exact Sr].
Qed.

(* --- Step 3: the middle and the result ----------------------------------------------------------------------------------------------- *)

(* `combine_text`, of L and D of 2h words and H of h to 2h: words, and the last carry. *)
Definition combine (h : nat) (L H D : list Z) (subtract : bool) : list Z * bool :=
  let '(L0, L1, H0, H1) := (firstn h L, skipn h L, firstn h H, skipn h H) in
  let d := add L0 (flip subtract (firstn h D)) (karatsuba_first_d subtract) in
  let m := add (fst d) H0 (karatsuba_first_h subtract) in
  let t1 := add L1 (fst m) (karatsuba_first_sum subtract) in
  let d' := add L1 (flip subtract (skipn h D)) (snd d) in
  let m' := add (fst d') (extend h H1) (snd m) in
  let t2 := add H0 (fst m') (snd t1) in
  let top := (Z.b2z (snd d') + Z.b2z (snd m') - Z.b2z (karatsuba_taken subtract)) mod b in
  let r := add_word H1 ((top + Z.b2z (snd t2)) mod b) in
  (L0 ++ fst t1 ++ fst t2 ++ fst r, snd r).

Theorem combine_value h k L H D subtract :
  let Bh := B h in let middle := value L + value H + signed subtract (value D) in
  let product := value L + middle * Bh + value H * (Bh * Bh) in
  (k <= h)%nat -> words (h + h) L -> words (h + k) H -> words (h + h) D ->
  0 <= middle < 2 * (Bh * Bh) -> product < Bh * Bh * Bh * B k ->
  words (h + h + (h + k)) (fst (combine h L H D subtract)) /\ value (fst (combine h L H D subtract)) = product
  /\ snd (combine h L H D subtract) = false.
Proof.
  intros Bh middle product Hk WL WH WD Hm Hp. assert (EB : B h = Bh) by reflexivity. clearbody Bh.
  destruct (split_words _ _ _ WL) as [WL0 [WL1 EL]]. destruct (split_words _ _ _ WH) as [WH0 [WH1 EH]].
  destruct (split_words _ _ _ WD) as [WD0 [WD1 ED]]. unfold combine.
  set (L0 := firstn h L) in *. set (L1 := skipn h L) in *. set (H0 := firstn h H) in *. set (H1 := skipn h H) in *.
  set (D0 := firstn h D) in *. set (D1 := skipn h D) in *.
  unfold karatsuba_first_d, karatsuba_first_h, karatsuba_first_sum, karatsuba_taken.
  destruct (flip_value subtract _ _ WD0) as [WF0 EF0]. destruct (flip_value subtract _ _ WD1) as [WF1 EF1].
  destruct (extend_value h k H1 WH1 Hk) as [WX EX].
  destruct (add_chain h L0 _ subtract WL0 WF0) as [Wd Ed]. set (d := add L0 _ _) in *.
  destruct (add_chain h (fst d) H0 false Wd WH0) as [Wm Em]. set (m := add (fst d) H0 _) in *.
  destruct (add_chain h L1 (fst m) false WL1 Wm) as [Wt Et]. set (t1 := add L1 (fst m) _) in *.
  destruct (add_chain h L1 _ (snd d) WL1 WF1) as [Wd' Ed']. set (d' := add L1 _ (snd d)) in *.
  destruct (add_chain h (fst d') _ (snd m) Wd' WX) as [Wm' Em']. set (m' := add (fst d') _ _) in *.
  destruct (add_chain h H0 (fst m') (snd t1) WH0 Wm') as [Wt' Et']. set (t2 := add H0 _ _) in *.
  cbn [fst snd]. rewrite EB in *.
  pose proof (value_range _ _ Wm) as Rm. pose proof (value_range _ _ Wm') as Rm'. pose proof (value_range _ _ WL0) as RL0.
  pose proof (value_range _ _ Wt) as Rt. pose proof (value_range _ _ Wt') as Rt'. pose proof (value_range _ _ WH1) as RH1.
  pose proof (B_positive h) as HS. rewrite EB in *.
  set (top := Z.b2z (snd d') + Z.b2z (snd m') - Z.b2z subtract) in *.
  assert (Emiddle : value (fst m) + Bh * value (fst m') + Bh * Bh * top = middle).
  { unfold middle, top. rewrite EL, EH, ED, <- EX. clear - Ed Em Ed' Em' EF0 EF1.
    replace (signed subtract (value D0 + Bh * value D1))
      with (value (flip subtract D0) + Bh * value (flip subtract D1) + Z.b2z subtract - Bh * Bh * Z.b2z subtract)
      by (rewrite EF0, EF1; destruct subtract; cbn [signed Z.b2z]; ring).
    change (Z.b2z false) with 0 in *.
    replace (value (fst m)) with (value L0 + value (flip subtract D0) + Z.b2z subtract + value H0 - Bh * Z.b2z (snd d) - Bh * Z.b2z (snd m)) by lia.
    replace (value (fst m'))
      with (value L1 + value (flip subtract D1) + Z.b2z (snd d) + value (extend h H1) + Z.b2z (snd m) - Bh * Z.b2z (snd d') - Bh * Z.b2z (snd m')) by lia.
    ring. }
  assert (Htop : 0 <= top <= 1).
  { apply (top_is_bit Bh (value (fst m)) (value (fst m')) middle); assumption. }
  clearbody top. rewrite (Z.mod_small top) by lia.
  set (c := Z.b2z (snd t2)) in *. assert (Hc : 0 <= c <= 1) by (unfold c; destruct (snd t2); cbn; lia).
  rewrite (Z.mod_small (top + c)) by lia.
  assert (Eproduct : value L0 + Bh * value (fst t1) + Bh * Bh * value (fst t2) + Bh * Bh * Bh * (value H1 + (top + c)) = product).
  { unfold product. rewrite <- Emiddle, EL, EH. change (Z.b2z false) with 0 in *.
    replace (value (fst t1)) with (value L1 + value (fst m) - Bh * Z.b2z (snd t1)) by lia.
    replace (value (fst t2)) with (value H0 + value (fst m') + Z.b2z (snd t1) - Bh * c) by lia. ring. }
  assert (Hlast : value H1 + (top + c) < B k).
  { apply (Z.mul_lt_mono_pos_l (Bh * Bh * Bh)); [nia |]. nia. }
  destruct (add_word_value k H1 (top + c) WH1 ltac:(unfold word; lia) Hlast) as [Wr [Er Cr]]. set (r := add_word H1 _) in *.
  split; [| split; [| exact Cr]].
  - replace (h + h + (h + k))%nat with (h + (h + (h + k)))%nat by lia. repeat apply words_app; assumption.
  - destruct WL0 as [NL0 _], Wt as [Nt _], Wt' as [Nt' _]. rewrite !value_app, NL0, Nt, Nt', Er, EB. rewrite <- Eproduct. ring.
Qed.

(* --- The recursion ------------------------------------------------------------------------------------------------------------------- *)

(* The identity, the sign of D, and the middle's range. *)
Theorem karatsuba_identity S a0 a1 b0 b1 :
  (a0 + S * a1) * (b0 + S * b1) = a0 * b0 + (a0 * b0 + a1 * b1 - (a0 - a1) * (b0 - b1)) * S + a1 * b1 * (S * S).
Proof. ring. Qed.

Theorem karatsuba_middle S a0 a1 b0 b1 :
  0 <= a0 < S -> 0 <= a1 < S -> 0 <= b0 < S -> 0 <= b1 < S ->
  0 <= a0 * b0 + a1 * b1 - (a0 - a1) * (b0 - b1) < 2 * (S * S).
Proof. intros. replace (_ - _) with (a0 * b1 + a1 * b0) by ring. nia. Qed.

(* `where_equal` of the signs that `note` and `join` record subtracts |D| where D counts positive. *)
Theorem karatsuba_sign s t x y :
  signed (karatsuba_where_equal (karatsuba_join s t)) (x * y) = - (signed s x * signed t y).
Proof. unfold karatsuba_where_equal, karatsuba_join. rewrite signed_product. destruct s, t; cbn; ring. Qed.

Definition halved (half : Z -> Z) : Prop := forall n, 2 <= n -> n <= 2 * half n <= n + 1.

Theorem halves_of_products : halved karatsuba_mul_half /\ halved karatsuba_sqr_half /\ halved low_mul_half /\ halved low_sqr_half.
Proof.
  unfold halved, karatsuba_mul_half, karatsuba_sqr_half, low_mul_half, low_sqr_half.
  repeat split; intros; pose proof (div_ceil_spec n 2 ltac:(lia)); lia.
Qed.

Section Products.
(* Leaves multiply and square numbers of any length: Columns has their columns. *)
Variables (leaf_mul : list Z -> list Z -> list Z) (leaf_sqr : list Z -> list Z) (leaf_words square_words : nat).
Hypothesis leaf_mul_value : forall n xs ys, words n xs -> words n ys ->
  words (n + n) (leaf_mul xs ys) /\ value (leaf_mul xs ys) = value xs * value ys.
Hypothesis leaf_sqr_value : forall n xs, words n xs -> words (n + n) (leaf_sqr xs) /\ value (leaf_sqr xs) = value xs * value xs.
Hypothesis leaf_words_positive : (1 <= leaf_words /\ 1 <= square_words)%nat.

(* At most `depth` levels of halves: any depth, so that the numbers at which the code stops do not matter. *)
Fixpoint mul (depth : nat) (xs ys : list Z) : list Z :=
  match depth with
  | O => leaf_mul xs ys
  | S depth =>
    if Nat.leb (length xs) leaf_words then leaf_mul xs ys else
    let h := Z.to_nat (karatsuba_mul_half (Z.of_nat (length xs))) in
    let x := abs_diff (firstn h xs) (skipn h xs) in let y := abs_diff (firstn h ys) (skipn h ys) in
    fst (combine h (mul depth (firstn h xs) (firstn h ys)) (mul depth (skipn h xs) (skipn h ys)) (mul depth (fst x) (fst y))
           (karatsuba_where_equal (karatsuba_join (snd x) (snd y))))
  end.

Fixpoint sqr (depth : nat) (xs : list Z) : list Z :=
  match depth with
  | O => leaf_sqr xs
  | S depth =>
    if Nat.leb (length xs) square_words then leaf_sqr xs else
    let h := Z.to_nat (karatsuba_sqr_half (Z.of_nat (length xs))) in
    let x := abs_diff (firstn h xs) (skipn h xs) in
    fst (combine h (sqr depth (firstn h xs)) (sqr depth (skipn h xs)) (sqr depth (fst x)) karatsuba_always)
  end.

(* A half of ceil(n / 2) words and the rest, of as many or one less. *)
Lemma half_split half n : halved half -> (2 <= n)%nat ->
  exists h r, Z.to_nat (half (Z.of_nat n)) = h /\ n = (h + r)%nat /\ (r <= h <= 2 * r)%nat.
Proof.
  intros Hh Hn. pose proof (Hh (Z.of_nat n) ltac:(lia)). exists (Z.to_nat (half (Z.of_nat n))), (n - Z.to_nat (half (Z.of_nat n)))%nat. lia.
Qed.

(* One level, of products and of squares. *)
Lemma combined h r xs ys x y L H D subtract :
  (r <= h <= 2 * r)%nat -> words (h + r) xs -> words (h + r) ys ->
  words (h + h) L -> words (r + r) H -> words (h + h) D ->
  value L = value (firstn h xs) * value (firstn h ys) -> value H = value (skipn h xs) * value (skipn h ys) ->
  value D = x * y -> signed subtract (x * y) = - ((value (firstn h xs) - value (skipn h xs)) * (value (firstn h ys) - value (skipn h ys))) ->
  words (h + r + (h + r)) (fst (combine h L H D subtract)) /\ value (fst (combine h L H D subtract)) = value xs * value ys
  /\ snd (combine h L H D subtract) = false.
Proof.
  intros Hr X Y WL WH WD EL EH ED Es.
  destruct (split_words _ _ _ X) as [X0 [X1 EX]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 EY]].
  pose proof (value_range _ _ X). pose proof (value_range _ _ Y). pose proof (value_range _ _ X0). pose proof (value_range _ _ Y0).
  pose proof (value_range _ _ X1). pose proof (value_range _ _ Y1).
  assert (HB : B r <= B h) by (apply Z.pow_le_mono_r; lia).
  replace (r + r)%nat with (h + (r + r - h))%nat in WH by lia.
  pose proof (combine_value h (r + r - h) L H D subtract ltac:(lia) WL WH WD) as C. cbn zeta in C.
  rewrite EL, EH, ED, Es in C.
  replace (value (firstn h xs) * value (firstn h ys) + value (skipn h xs) * value (skipn h ys)
    + - ((value (firstn h xs) - value (skipn h xs)) * (value (firstn h ys) - value (skipn h ys))))
    with (value (firstn h xs) * value (firstn h ys) + value (skipn h xs) * value (skipn h ys)
    - (value (firstn h xs) - value (skipn h xs)) * (value (firstn h ys) - value (skipn h ys))) in C by ring.
  rewrite <- karatsuba_identity, <- EX, <- EY in C.
  replace (h + r + (h + r))%nat with (h + h + (h + (r + r - h)))%nat by lia. apply C.
  - apply karatsuba_middle; lia.
  - replace (B h * B h * B h * B (r + r - h)) with (B (h + r) * B (h + r)); [apply Z.mul_lt_mono_nonneg; lia |].
    rewrite <- !B_add. f_equal. lia.
Qed.

Theorem karatsuba_product depth : forall n xs ys, words n xs -> words n ys ->
  words (n + n) (mul depth xs ys) /\ value (mul depth xs ys) = value xs * value ys.
Proof.
  induction depth as [| depth IH]; intros n xs ys X Y; cbn [mul]; [apply leaf_mul_value; assumption |].
  pose proof X as [LX _]. rewrite LX. destruct (Nat.leb_spec n leaf_words); [apply leaf_mul_value; assumption |].
  destruct (half_split karatsuba_mul_half n) as [h [r [-> [-> Hr]]]]; [apply halves_of_products | lia |].
  destruct (split_words _ _ _ X) as [X0 [X1 EX]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 EY]].
  destruct (abs_diff_value _ _ _ _ X0 X1 ltac:(lia)) as [Dx Ex]. destruct (abs_diff_value _ _ _ _ Y0 Y1 ltac:(lia)) as [Dy Ey].
  destruct (IH _ _ _ X0 Y0) as [WL EL]. destruct (IH _ _ _ X1 Y1) as [WH EH]. destruct (IH _ _ _ Dx Dy) as [WD ED].
  eapply proj1. rewrite and_assoc. eapply (combined h r xs ys); try eassumption. rewrite karatsuba_sign, <- Ex, <- Ey. reflexivity.
Qed.

Theorem karatsuba_square depth : forall n xs, words n xs -> words (n + n) (sqr depth xs) /\ value (sqr depth xs) = value xs * value xs.
Proof.
  induction depth as [| depth IH]; intros n xs X; cbn [sqr]; [apply leaf_sqr_value; assumption |].
  pose proof X as [LX _]. rewrite LX. destruct (Nat.leb_spec n square_words); [apply leaf_sqr_value; assumption |].
  destruct (half_split karatsuba_sqr_half n) as [h [r [-> [-> Hr]]]]; [apply halves_of_products | lia |].
  destruct (split_words _ _ _ X) as [X0 [X1 EX]]. destruct (abs_diff_value _ _ _ _ X0 X1 ltac:(lia)) as [Dx Ex].
  destruct (IH _ _ X0) as [WL EL]. destruct (IH _ _ X1) as [WH EH]. destruct (IH _ _ Dx) as [WD ED].
  eapply proj1. rewrite and_assoc. eapply (combined h r xs xs); try eassumption. unfold karatsuba_always. rewrite Ex.
  destruct (snd (abs_diff _ _)); cbn [signed]; ring.
Qed.

(* --- Levels in a loop ------------------------------------------------------------------------------------------------------------------ *)

(* Pairs of numbers of n words, even: the next level has all halves, then the differences of all. *)
Definition cut (h : nat) (p : list Z * list Z) : list (list Z * list Z) :=
  [(firstn h (fst p), firstn h (snd p)); (skipn h (fst p), skipn h (snd p))].
Definition difference (h : nat) (p : list Z * list Z) : (list Z * list Z) * bool :=
  let x := abs_diff (firstn h (fst p)) (skipn h (fst p)) in let y := abs_diff (firstn h (snd p)) (skipn h (snd p)) in
  ((fst x, fst y), karatsuba_join (snd x) (snd y)).

(* `combine_each`: two neighbours and a difference become a product. *)
Fixpoint combine_each (h : nat) (ts ds : list (list Z)) (signs : list bool) : list (list Z) :=
  match ts, ds, signs with
  | L :: H :: ts, D :: ds, sign :: signs => fst (combine h L H D (karatsuba_where_equal sign)) :: combine_each h ts ds signs
  | _, _, _ => []
  end.

Fixpoint together (levels n : nat) (numbers : list (list Z * list Z)) : list (list Z) :=
  match levels with
  | O => map (fun p => leaf_mul (fst p) (snd p)) numbers
  | S levels =>
    let h := Nat.div2 n in
    let ps := together levels h (flat_map (cut h) numbers ++ map (fun p => fst (difference h p)) numbers) in
    combine_each h (firstn (2 * length numbers) ps) (skipn (2 * length numbers) ps) (map (fun p => snd (difference h p)) numbers)
  end.

Definition pair_of (n : nat) (p : list Z * list Z) : Prop := words n (fst p) /\ words n (snd p).
Definition product_of (n : nat) (p : list Z * list Z) (t : list Z) : Prop := words (n + n) t /\ value t = value (fst p) * value (snd p).

(* A square is the product of a pair of equal numbers: its signs agree at every level. *)
Theorem square_sign s : karatsuba_where_equal (karatsuba_join s s) = karatsuba_always.
Proof. destruct s; reflexivity. Qed.

Lemma combine_each_value h : forall numbers ts ds, Forall (pair_of (h + h)) numbers ->
  Forall2 (product_of h) (flat_map (cut h) numbers) ts -> Forall2 (product_of h) (map (fun p => fst (difference h p)) numbers) ds ->
  Forall2 (product_of (h + h)) numbers (combine_each h ts ds (map (fun p => snd (difference h p)) numbers)).
Proof.
  induction numbers as [| p numbers IH]; intros ts ds N T D; cbn [flat_map map cut app] in *.
  - inversion T. inversion D. constructor.
  - inversion_clear N as [| ? ? [X Y] N']. inversion_clear T as [| ? L ? ts1 [WL EL] T1]. inversion_clear T1 as [| ? H ? ts2 [WH EH] T2].
    inversion_clear D as [| ? E ? ds1 [WD ED] D1]. cbn [combine_each]. constructor; [| apply IH; assumption].
    destruct (split_words _ _ _ X) as [X0 [X1 _]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 _]].
    destruct (abs_diff_value _ _ _ _ X0 X1 ltac:(lia)) as [_ Ex]. destruct (abs_diff_value _ _ _ _ Y0 Y1 ltac:(lia)) as [_ Ey].
    unfold difference in *. cbn [fst snd] in *. unfold product_of. eapply proj1. rewrite and_assoc.
    eapply (combined h h (fst p) (snd p)); try eassumption; [lia |]. rewrite Ex, Ey. apply karatsuba_sign.
Qed.

Theorem levels_together levels : forall l numbers, let n := (2 ^ levels * l)%nat in
  Forall (pair_of n) numbers -> Forall2 (product_of n) numbers (together levels n numbers).
Proof.
  induction levels as [| levels IH]; intros l numbers n N; cbn [together].
  - induction N as [| p numbers [X Y] N Hn]; cbn [map]; constructor; [| exact Hn]. apply leaf_mul_value; assumption.
  - set (h := (2 ^ levels * l)%nat). assert (En : n = (h + h)%nat) by (unfold n, h; cbn [Nat.pow]; lia). clearbody n. subst n.
    replace (Nat.div2 (h + h)) with h by (replace (h + h)%nat with (2 * h)%nat by lia; symmetry; apply Nat.div2_double).
    assert (P : Forall (pair_of h) (flat_map (cut h) numbers ++ map (fun p => fst (difference h p)) numbers)).
    { apply Forall_app. split.
      - induction N as [| p numbers [X Y] N Hn]; cbn [flat_map cut app]; [constructor |].
        destruct (split_words _ _ _ X) as [X0 [X1 _]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 _]].
        constructor; [split; assumption |]. constructor; [split; assumption | exact Hn].
      - induction N as [| p numbers [X Y] N Hn]; cbn [map]; [constructor |].
        destruct (split_words _ _ _ X) as [X0 [X1 _]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 _]].
        constructor; [| exact Hn]. unfold difference. split; cbn [fst snd]; eapply abs_diff_value; try eassumption; lia. }
    apply (IH l) in P. fold h in P. set (ps := together _ _ _) in *. clearbody ps.
    apply Forall2_app_inv_l in P. destruct P as [ts [ds [T [D ->]]]].
    assert (Lt : length ts = (2 * length numbers)%nat).
    { assert (E : length (flat_map (cut h) numbers) = length ts) by (clear - T; induction T; cbn [length]; lia). rewrite <- E. clear.
      induction numbers as [| p numbers IH]; cbn [flat_map cut app length] in *; lia. }
    rewrite <- Lt, firstn_app, firstn_all, Nat.sub_diag, firstn_O, app_nil_r, skipn_app, skipn_all, Nat.sub_diag, skipn_O. cbn [app].
    apply combine_each_value; assumption.
Qed.

(* --- Low products ---------------------------------------------------------------------------------------------------------------------- *)

Variables (leaf_low : list Z -> list Z -> list Z) (leaf_low_sqr : list Z -> list Z) (low_words : nat).
Hypothesis leaf_low_value : forall n xs ys, words n xs -> words n ys ->
  words n (leaf_low xs ys) /\ value (leaf_low xs ys) = (value xs * value ys) mod B n.
Hypothesis leaf_low_sqr_value : forall n xs, words n xs -> words n (leaf_low_sqr xs) /\ value (leaf_low_sqr xs) = (value xs * value xs) mod B n.
Hypothesis low_words_positive : (1 <= low_words)%nat.

Definition low_combine (h r : nat) (high mixed full : list Z) : list Z :=
  firstn h full ++ fst (add (fst (add high mixed false)) (firstn r (skipn h full)) false).

Fixpoint low_mul (depth : nat) (xs ys : list Z) : list Z :=
  match depth with
  | O => leaf_low xs ys
  | S depth =>
    if Nat.leb (length xs) low_words then leaf_low xs ys else
    let h := Z.to_nat (low_mul_half (Z.of_nat (length xs))) in let r := (length xs - h)%nat in
    low_combine h r (low_mul depth (firstn r xs) (skipn h ys)) (low_mul depth (skipn h xs) (firstn r ys))
      (mul (length xs) (firstn h xs) (firstn h ys))
  end.

Definition low_sqr (depth : nat) (xs : list Z) : list Z :=
  if Nat.leb (length xs) low_words then leaf_low_sqr xs else
  let h := Z.to_nat (low_sqr_half (Z.of_nat (length xs))) in let r := (length xs - h)%nat in
  let mixed := low_mul depth (firstn r xs) (skipn h xs) in low_combine h r mixed mixed (sqr (length xs) (firstn h xs)).

(* Without the last carry. *)
Lemma add_modulo n xs ys c : words n xs -> words n ys ->
  words n (fst (add xs ys c)) /\ value (fst (add xs ys c)) = (value xs + value ys + Z.b2z c) mod B n.
Proof.
  intros X Y. destruct (add_chain n xs ys c X Y) as [A E]. split; [exact A |]. pose proof (value_range _ _ A).
  apply Z.mod_unique_pos with (q := Z.b2z (snd (add xs ys c))); lia.
Qed.

Lemma firstn_modulo h r xs : (r <= h)%nat -> words (h + r) xs -> exists k, value (firstn r xs) = value (firstn h xs) + B r * k.
Proof.
  intros Hr X. destruct (split_words h r xs X) as [_ [_ E]]. replace (h + r)%nat with (r + h)%nat in X by lia.
  destruct (split_words r h xs X) as [_ [_ E']]. replace h with (r + (h - r))%nat in E at 2 by lia. rewrite B_add in E.
  exists (B (h - r) * value (skipn h xs) - value (skipn r xs)). lia.
Qed.

Lemma low_combined h r xs ys high mixed full :
  (r <= h)%nat -> words (h + r) xs -> words (h + r) ys -> words r high -> words r mixed -> words (h + h) full ->
  value high = (value (firstn r xs) * value (skipn h ys)) mod B r -> value mixed = (value (skipn h xs) * value (firstn r ys)) mod B r ->
  value full = value (firstn h xs) * value (firstn h ys) ->
  words (h + r) (low_combine h r high mixed full) /\ value (low_combine h r high mixed full) = (value xs * value ys) mod B (h + r).
Proof.
  intros Hr X Y WH WM WF EH EM EF. unfold low_combine.
  destruct (split_words _ _ _ X) as [X0 [X1 EX]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 EY]].
  destruct (split_words _ _ _ WF) as [F0 [F1 EF']]. replace h with (r + (h - r))%nat in F1 at 1 by lia.
  destruct (split_words _ _ _ F1) as [F2 [F3 EF1]].
  destruct (add_modulo _ _ _ false WH WM) as [A EA]. destruct (add_modulo _ _ _ false A F2) as [A' EA'].
  pose proof (words_app _ _ _ _ F0 A') as W. split; [exact W |].
  pose proof (B_positive (h + r)). apply (cong_small (B (h + r))); [exact (value_range _ _ W) | apply Z.mod_pos_bound; lia |].
  rewrite cong_mod by lia. rewrite value_app. destruct F0 as [-> _].
  destruct (firstn_modulo h r xs Hr X) as [kx Kx]. destruct (firstn_modulo h r ys Hr Y) as [ky Ky].
  pose proof (B_positive r) as Hb.
  assert (C : value (fst (add (fst (add high mixed false)) (firstn r (skipn h full)) false))
    == value (firstn h xs) * value (skipn h ys) + value (skipn h xs) * value (firstn h ys) + value (firstn r (skipn h full)) [mod B r]).
  { rewrite EA', cong_mod, EA, cong_mod, EH, EM, !cong_mod, Kx, Ky by lia.
    exists (kx * value (skipn h ys) + ky * value (skipn h xs)). cbn [Z.b2z]. ring. }
  destruct C as [k K]. apply Z.sub_move_r in K.
  rewrite B_add. assert (Hg : B h = B r * B (h - r)) by (rewrite <- B_add; f_equal; lia).
  exists (k - value (skipn r (skipn h full)) - B (h - r) * value (skipn h xs) * value (skipn h ys)).
  assert (Ef : value (firstn h full)
    = value (firstn h xs) * value (firstn h ys) - B h * (value (firstn r (skipn h full)) + B r * value (skipn r (skipn h full))))
    by (rewrite <- EF, EF', EF1; ring).
  rewrite K, Ef, EX, EY, Hg. ring.
Qed.

Theorem low_product depth : forall n xs ys, words n xs -> words n ys ->
  words n (low_mul depth xs ys) /\ value (low_mul depth xs ys) = (value xs * value ys) mod B n.
Proof.
  induction depth as [| depth IH]; intros n xs ys X Y; cbn [low_mul]; [apply leaf_low_value; assumption |].
  pose proof X as [LX _]. rewrite LX. destruct (Nat.leb_spec n low_words); [apply leaf_low_value; assumption |].
  destruct (half_split low_mul_half n) as [h [r [-> [-> Hr]]]]; [apply halves_of_products | lia |].
  replace (h + r - h)%nat with r by lia.
  destruct (split_words _ _ _ X) as [X0 [X1 _]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 _]].
  pose proof X as X'. pose proof Y as Y'. rewrite Nat.add_comm in X', Y'.
  destruct (split_words _ _ _ X') as [X2 _]. destruct (split_words _ _ _ Y') as [Y2 _].
  destruct (IH _ _ _ X2 Y1). destruct (IH _ _ _ X1 Y2). destruct (karatsuba_product (h + r) _ _ _ X0 Y0).
  apply low_combined; try assumption; lia.
Qed.

Theorem low_square depth n xs : words n xs -> words n (low_sqr depth xs) /\ value (low_sqr depth xs) = (value xs * value xs) mod B n.
Proof.
  intros X. unfold low_sqr. pose proof X as [LX _]. rewrite LX. destruct (Nat.leb_spec n low_words); [apply leaf_low_sqr_value; assumption |].
  destruct (half_split low_sqr_half n) as [h [r [-> [-> Hr]]]]; [apply halves_of_products | lia |].
  replace (h + r - h)%nat with r by lia.
  destruct (split_words _ _ _ X) as [X0 [X1 _]]. pose proof X as X'. rewrite Nat.add_comm in X'. destruct (split_words _ _ _ X') as [X2 _].
  destruct (low_product depth _ _ _ X2 X1) as [WM EM]. destruct (karatsuba_square (h + r) _ _ X0).
  apply low_combined; try assumption; [lia |]. rewrite EM. f_equal. ring.
Qed.

(* --- Products modulo b^n - 1 ----------------------------------------------------------------------------------------------------------- *)

Variables (radix_half : Z) (halves : nat -> bool).
Hypothesis b_even : b = 2 * radix_half.
Hypothesis halves_even : forall n, halves n = true -> n = (Nat.div2 n + Nat.div2 n)%nat /\ (1 <= Nat.div2 n)%nat.

(* The sum, its carry added at the bottom. *)
Definition add_round (xs ys : list Z) : list Z :=
  let s := add xs ys false in fst (add (fst s) (repeat 0 (length xs)) (snd s)).

Theorem sum_comes_round n xs ys : words n xs -> words n ys ->
  words n (add_round xs ys) /\ value (add_round xs ys) == value xs + value ys [mod B n - 1]
  /\ (value xs + value ys = 0 -> value (add_round xs ys) = 0).
Proof.
  intros X Y. unfold add_round. pose proof X as [-> _]. destruct (add_chain _ _ _ false X Y) as [A E]. set (s := add xs ys false) in *.
  destruct (add_chain _ _ _ (snd s) A (words_zeros n)) as [A' E']. rewrite value_zeros in E'. set (t := add (fst s) _ _) in *.
  pose proof (value_range _ _ X). pose proof (value_range _ _ Y). pose proof (value_range _ _ A). pose proof (value_range _ _ A').
  split; [exact A' |]. assert (snd t = false) as T.
  { destruct (snd s), (snd t); cbn [Z.b2z] in *; try reflexivity; lia. }
  rewrite T in E'. change (Z.b2z false) with 0 in *. split.
  - exists (- Z.b2z (snd s)). lia.
  - intros Z0. destruct (snd s); cbn [Z.b2z] in *; lia.
Qed.

(* `add_signed`: a small value of either sign, in two's complement; with -1, 0 or 1 that runs over. *)
Definition add_signed (xs : list Z) (v : Z) : list Z * Z :=
  let s := add xs ((v mod b) :: repeat (if v <? 0 then b - 1 else 0) (length xs - 1)) false in
  (fst s, Z.b2z (snd s) - Z.b2z (v <? 0)).

Lemma value_ones n : words n (repeat (b - 1) n) /\ value (repeat (b - 1) n) = B n - 1.
Proof.
  split; [split; [apply repeat_length |]; apply Forall_forall; intros x Hx; apply repeat_spec in Hx; subst; unfold word; lia |].
  induction n as [| n IH]; cbn [repeat number]; [reflexivity | rewrite IH, B_succ; ring].
Qed.

Theorem add_signed_value n xs v : (1 <= n)%nat -> words n xs -> - b < v < b ->
  words n (fst (add_signed xs v)) /\ value (fst (add_signed xs v)) + B n * snd (add_signed xs v) = value xs + v
  /\ -1 <= snd (add_signed xs v) <= 1.
Proof.
  intros Hn X Hv. unfold add_signed. pose proof X as [-> _]. destruct n as [| n]; [lia |]. replace (S n - 1)%nat with n by lia.
  set (ys := _ :: _). assert (Y : words (S n) ys /\ value ys = v + B (S n) * Z.b2z (v <? 0)).
  { unfold ys. cbn [number]. pose proof (Z.mod_pos_bound v b ltac:(lia)). rewrite B_succ. destruct (Z.ltb_spec v 0) as [Neg | Pos].
    - destruct (value_ones n) as [[L F] ->]. split; [split; [cbn; lia | constructor; assumption] |].
      rewrite <- (Z.mod_unique_pos v b (- 1) (v + b)) by lia. cbn [Z.b2z]. ring.
    - destruct (words_zeros n) as [L F]. rewrite value_zeros. split; [split; [cbn; lia | constructor; assumption] |].
      rewrite Z.mod_small by lia. cbn [Z.b2z]. ring. }
  destruct Y as [Y EY]. destruct (add_chain _ _ _ false X Y) as [A E]. change (Z.b2z false) with 0 in E. set (s := add xs ys false) in *. cbn [fst snd].
  split; [exact A |]. split; [lia |]. destruct (snd s), (v <? 0); cbn [Z.b2z]; lia.
Qed.

(* Half of a number modulo b^n - 1, turned by one bit; `first` comes round from the bottom. *)
Fixpoint turn (xs : list Z) (first : Z) : list Z :=
  match xs with [] => [] | x :: xs => (x / 2 + (hd first xs mod 2) * radix_half) :: turn xs first end.
Definition turn_right (xs : list Z) : list Z := turn xs (hd 0 xs).

Lemma turn_value n : forall xs first, words n xs ->
  words n (turn xs first) /\ 2 * value (turn xs first) + hd first xs mod 2 = value xs + B n * (first mod 2).
Proof.
  induction n as [| n IH]; intros [| x xs] first [L F]; try discriminate; cbn [turn number hd].
  - change (B 0) with 1. split; [split; [reflexivity | constructor] | lia].
  - inversion_clear F as [| ? ? Hx Fx]. cbn in L. injection L as L. destruct (IH xs first ltac:(split; assumption)) as [[Lt Ft] E].
    pose proof (Z.div_mod x 2 ltac:(lia)). pose proof (Z.mod_pos_bound x 2 ltac:(lia)). pose proof (Z.mod_pos_bound (hd first xs) 2 ltac:(lia)).
    set (above := hd first xs mod 2) in *. unfold word in *. split.
    + split; [cbn; lia |]. constructor; [| exact Ft]. unfold word. assert (above = 0 \/ above = 1) as [-> | ->]; lia.
    + rewrite B_succ. replace (2 * (x / 2 + above * radix_half + b * value (turn xs first)) + x mod 2)
        with (x + b * (2 * value (turn xs first) + above)) by (rewrite b_even; lia). rewrite E. ring.
Qed.

Theorem turned_is_half n xs product : (1 <= n)%nat -> words n xs -> value xs == 2 * product [mod B n - 1] ->
  words n (turn_right xs) /\ value (turn_right xs) == product [mod B n - 1] /\ (value xs = 0 -> value (turn_right xs) = 0).
Proof.
  intros Hn X [k K]. unfold turn_right. destruct (turn_value n xs (hd 0 xs) X) as [W E]. split; [exact W |].
  replace (hd (hd 0 xs) xs) with (hd 0 xs) in E by (destruct xs; reflexivity).
  destruct n as [| n]; [lia |]. rewrite B_succ in *. set (G := radix_half * B n). replace (b * B n) with (2 * G) in * by (unfold G; rewrite b_even; ring).
  set (o := hd 0 xs mod 2) in *. split.
  - (* 2 d is a multiple of the odd 2G - 1. *)
    exists (G * (k + o) - (value (turn xs (hd 0 xs)) - product)).
    set (V := value (turn xs (hd 0 xs))) in *. replace (value xs) with (2 * V + o - 2 * G * o) in K by lia.
    replace (V - product) with ((V - product) * (2 * G) - (V - product) * (2 * G - 1)) at 1 by ring.
    replace ((V - product) * (2 * G)) with (G * (2 * (V - product))) by ring.
    replace (2 * (V - product)) with ((k + o) * (2 * G - 1)) by lia. ring.
  - intros Z0. pose proof X as [L F]. destruct xs as [| x xs]; [discriminate |]. cbn [hd number] in *. inversion_clear F as [| ? ? Hx Fx].
    cbn in L. injection L as L. pose proof (value_range n xs ltac:(split; assumption)). unfold word in Hx.
    assert (x = 0) as -> by nia. unfold o in *. change (0 mod 2) with 0 in *. lia.
Qed.

(* x + y and x - y: what runs over goes round at most once. *)
Theorem wraps_once W X Y low high over_low over_high high1 r1 low2 r2 high3 r3 :
  2 < W -> 0 <= X < W -> - W <= Y <= W ->
  0 <= low < W -> 0 <= high < W -> 0 <= high1 < W -> 0 <= low2 < W -> 0 <= high3 < W ->
  low + W * over_low = X + Y -> high + W * over_high = X - Y -> -1 <= over_low <= 1 -> -1 <= over_high <= 1 ->
  high1 + W * r1 = high + over_low -> low2 + W * r2 = low + (over_high + r1) -> high3 + W * r3 = high1 + r2 ->
  -1 <= r1 <= 1 -> -1 <= r2 <= 1 -> -1 <= r3 <= 1 -> r3 = 0.
Proof.
  intros. assert (r3 = 0 \/ r3 = -1 \/ r3 = 1) as [-> | [-> | ->]] by lia; [reflexivity | |];
    assert (r2 = -1 \/ r2 = 0 \/ r2 = 1) as [-> | [-> | ->]] by lia; try lia;
    assert (r1 = -1 \/ r1 = 0 \/ r1 = 1) as [-> | [-> | ->]] by lia; try lia;
    assert (over_high = -1 \/ over_high = 0 \/ over_high = 1) as [-> | [-> | ->]] by lia; try lia;
    assert (over_low = -1 \/ over_low = 0 \/ over_low = 1) as [-> | [-> | ->]] by lia; lia.
Qed.

(* 2 a b from a b modulo b^h - 1 and modulo b^h + 1. *)
Theorem halves_recombine W a0 a1 b0 b1 x y :
  x == (a0 + a1) * (b0 + b1) [mod W - 1] -> y == (a0 - a1) * (b0 - b1) [mod W + 1] ->
  (x + y) + W * (x - y) == 2 * ((a0 + W * a1) * (b0 + W * b1)) [mod W * W - 1].
Proof.
  intros [k K] [l M]. apply Z.sub_move_r in K, M. exists (k - l - 2 * a1 * b1). rewrite K, M. ring.
Qed.

Definition cyclic_base (xs ys : list Z) : list Z :=
  let p := mul (length xs) xs ys in add_round (firstn (length xs) p) (skipn (length xs) p).

(* The two halves put together: x, |y| as e and a borrow, the sign of y. *)
Definition cyclic_combine (x e : list Z) (borrow f : bool) : list Z * Z :=
  let high := add x (flip (cyclic_high_mask f) e) (cyclic_high_first borrow f) in
  let low := add x (flip (cyclic_low_mask f) e) (cyclic_low_first borrow f) in
  let high1 := add_signed (fst high) (Z.b2z (snd low) - Z.b2z (cyclic_low_taken f)) in
  let low2 := add_signed (fst low) (Z.b2z (snd high) - Z.b2z (cyclic_high_taken f) + snd high1) in
  let high3 := add_signed (fst high1) (snd low2) in
  (fst low2 ++ fst high3, snd high3).

Theorem cyclic_combine_value h x e borrow f :
  (1 <= h)%nat -> words h x -> words h e -> let y := signed f (value e + Z.b2z borrow) in
  words (h + h) (fst (cyclic_combine x e borrow f)) /\ snd (cyclic_combine x e borrow f) = 0
  /\ value (fst (cyclic_combine x e borrow f)) == (value x + y) + B h * (value x - y) [mod B h * B h - 1]
  /\ (value x = 0 -> y = 0 -> value (fst (cyclic_combine x e borrow f)) = 0).
Proof.
  intros Hh X E y. unfold cyclic_combine.
  destruct (flip_value (cyclic_high_mask f) _ _ E) as [FH EFH]. destruct (flip_value (cyclic_low_mask f) _ _ E) as [FL EFL].
  destruct (add_chain h x _ (cyclic_high_first borrow f) X FH) as [WH EH]. set (high := add x _ (cyclic_high_first borrow f)) in *.
  destruct (add_chain h x _ (cyclic_low_first borrow f) X FL) as [WL EL]. set (low := add x _ (cyclic_low_first borrow f)) in *.
  set (over_low := Z.b2z (snd low) - Z.b2z (cyclic_low_taken f)). set (over_high := Z.b2z (snd high) - Z.b2z (cyclic_high_taken f)).
  assert (Hlow : value (fst low) + B h * over_low = value x + y).
  { unfold over_low, y. rewrite EFL in EL. clear - EL. unfold cyclic_low_mask, cyclic_low_first, cyclic_low_taken in *.
    destruct f, borrow; cbn [xorb negb Z.b2z signed] in *; lia. }
  assert (Hhigh : value (fst high) + B h * over_high = value x - y).
  { unfold over_high, y. rewrite EFH in EH. clear - EH. unfold cyclic_high_mask, cyclic_high_first, cyclic_high_taken in *.
    destruct f, borrow; cbn [xorb negb Z.b2z signed] in *; lia. }
  assert (Rl : -1 <= over_low <= 1) by (unfold over_low; destruct (snd low), (cyclic_low_taken f); cbn; lia).
  assert (Rh : -1 <= over_high <= 1) by (unfold over_high; destruct (snd high), (cyclic_high_taken f); cbn; lia).
  clearbody over_low over_high.
  destruct (add_signed_value h (fst high) over_low Hh WH ltac:(lia)) as [W1 [E1 R1]]. set (high1 := add_signed (fst high) over_low) in *.
  destruct (add_signed_value h (fst low) (over_high + snd high1) Hh WL ltac:(lia)) as [W2 [E2 R2]]. set (low2 := add_signed (fst low) _) in *.
  destruct (add_signed_value h (fst high1) (snd low2) Hh W1 ltac:(lia)) as [W3 [E3 R3]]. set (high3 := add_signed (fst high1) _) in *.
  cbn [fst snd].
  pose proof (value_range _ _ X). pose proof (value_range _ _ E). pose proof (value_range _ _ WH). pose proof (value_range _ _ WL).
  pose proof (value_range _ _ W1). pose proof (value_range _ _ W2). pose proof (value_range _ _ W3).
  assert (Ry : - B h <= y <= B h) by (unfold y; destruct f, borrow; cbn [signed Z.b2z]; lia).
  assert (HW : 2 < B h). { destruct h as [| h']; [lia |]. rewrite B_succ. pose proof (B_positive h'). nia. }
  assert (R : snd high3 = 0) by (apply (wraps_once (B h) (value x) y (value (fst low)) (value (fst high)) over_low over_high (value (fst high1)) (snd high1)
    (value (fst low2)) (snd low2) (value (fst high3)) (snd high3)); assumption).
  rewrite R in E3. pose proof W2 as [L2 _]. rewrite value_app, L2.
  split; [apply words_app; assumption |]. split; [exact R |]. split.
  - exists (- (over_high + snd high1)). rewrite <- Hlow, <- Hhigh.
    replace (value (fst high3)) with (value (fst high1) + snd low2) by lia.
    replace (value (fst low2)) with (value (fst low) + (over_high + snd high1) - B h * snd low2) by lia.
    replace (value (fst high1)) with (value (fst high) + over_low - B h * snd high1) by lia. ring.
  - intros Zx Zy. rewrite Zx, Zy in *. clear - Hlow Hhigh E1 E2 E3 HW Rl Rh R1 R2 H1 H2 H3 H4 H5.
    destruct (nothing_runs_over (B h) (value (fst low)) over_low) as [-> Zl]; [lia .. |].
    destruct (nothing_runs_over (B h) (value (fst high)) over_high) as [-> Zh]; [lia .. |].
    destruct (nothing_runs_over (B h) (value (fst high1)) (snd high1)) as [S1 Z1]; [lia .. |]. rewrite S1 in *.
    destruct (nothing_runs_over (B h) (value (fst low2)) (snd low2)) as [S2 Z2]; [lia .. |]. rewrite S2 in *. rewrite Z2.
    replace (value (fst high3)) with 0 by lia. lia.
Qed.

Fixpoint cyclic (depth : nat) (xs ys : list Z) : list Z :=
  match depth with
  | O => cyclic_base xs ys
  | S depth =>
    if halves (length xs) then
      let h := Nat.div2 (length xs) in
      let x := abs_diff (firstn h xs) (skipn h xs) in let y := abs_diff (firstn h ys) (skipn h ys) in
      let d := mul h (fst x) (fst y) in let e := sub (firstn h d) (skipn h d) false in
      let s := cyclic depth (add_round (firstn h xs) (skipn h xs)) (add_round (firstn h ys) (skipn h ys)) in
      turn_right (fst (cyclic_combine s (fst e) (snd e) (cyclic_flip (snd x) (snd y))))
    else cyclic_base xs ys
  end.

Lemma cyclic_base_value n xs ys : words n xs -> words n ys ->
  words n (cyclic_base xs ys) /\ value (cyclic_base xs ys) == value xs * value ys [mod B n - 1]
  /\ (value xs = 0 -> value (cyclic_base xs ys) = 0).
Proof.
  intros X Y. unfold cyclic_base. pose proof X as [-> _]. destruct (karatsuba_product n n xs ys X Y) as [P E].
  destruct (split_words _ _ _ P) as [P0 [P1 EP]]. destruct (sum_comes_round _ _ _ P0 P1) as [W [C Z0]].
  split; [exact W |]. split.
  - rewrite C, <- E, EP. exists (- value (skipn n (mul n xs ys))). ring.
  - intros Zx. apply Z0. pose proof (value_range _ _ P0). pose proof (value_range _ _ P1). pose proof (B_positive n). rewrite Zx in E. nia.
Qed.

Theorem cyclic_product depth : forall n xs ys, words n xs -> words n ys ->
  words n (cyclic depth xs ys) /\ value (cyclic depth xs ys) == value xs * value ys [mod B n - 1]
  /\ (value xs = 0 -> value (cyclic depth xs ys) = 0).
Proof.
  induction depth as [| depth IH]; intros n xs ys X Y; cbn [cyclic]; [apply cyclic_base_value; assumption |].
  pose proof X as [LX _]. rewrite LX. destruct (halves n) eqn:Hn; [| apply cyclic_base_value; assumption].
  destruct (halves_even n Hn) as [En Hh]. set (h := Nat.div2 n) in *. clearbody h. clear LX Hn. subst n.
  destruct (split_words _ _ _ X) as [X0 [X1 EX]]. destruct (split_words _ _ _ Y) as [Y0 [Y1 EY]].
  destruct (abs_diff_value _ _ _ _ X0 X1 ltac:(lia)) as [Dx Ex]. destruct (abs_diff_value _ _ _ _ Y0 Y1 ltac:(lia)) as [Dy Ey].
  destruct (sum_comes_round _ _ _ X0 X1) as [Sx [Cx Zx]]. destruct (sum_comes_round _ _ _ Y0 Y1) as [Sy [Cy _]].
  destruct (karatsuba_product h _ _ _ Dx Dy) as [WD ED]. destruct (split_words _ _ _ WD) as [D0 [D1 ED']].
  destruct (sub_chain _ _ _ false D0 D1) as [WE EE]. destruct (IH _ _ _ Sx Sy) as [WS [CS ZS]].
  set (x := abs_diff (firstn h xs) (skipn h xs)) in *. set (y := abs_diff (firstn h ys) (skipn h ys)) in *.
  set (d := mul h (fst x) (fst y)) in *. set (e := sub _ _ false) in *. set (s := cyclic depth _ _) in *.
  destruct (cyclic_combine_value h s (fst e) (snd e) (cyclic_flip (snd x) (snd y)) Hh WS WE) as [W [_ [C Z0]]].
  set (r := fst (cyclic_combine _ _ _ _)) in *.
  assert (T : value r == 2 * (value xs * value ys) [mod B (h + h) - 1]).
  { rewrite B_add, EX, EY. etransitivity; [exact C |]. apply halves_recombine; [rewrite CS, Cx, Cy; reflexivity |].
    rewrite Ex, Ey, signed_product, <- ED. unfold cyclic_flip. exists (signed (xorb (snd x) (snd y)) (Z.b2z (snd e) - value (skipn h d))).
    change (Z.b2z false) with 0 in EE. rewrite ED'. replace (value (fst e)) with (value (firstn h d) - value (skipn h d) + B h * Z.b2z (snd e)) by lia.
    destruct (xorb _ _); cbn [signed]; ring. }
  destruct (turned_is_half (h + h) r _ ltac:(lia) W T) as [W' [T' Z1]]. split; [exact W' |]. split; [exact T' |].
  intros Zxs. apply Z1. rewrite EX in Zxs. rewrite ED' in ED.
  destruct (no_operand_no_halves (B h) _ _ _ _ _ _ _ _ _ (cyclic_flip (snd x) (snd y)) (B_positive h) (proj1 (value_range _ _ X0)) (proj1 (value_range _ _ X1))
    Zxs Ex ED (proj1 (value_range _ _ D0)) (proj1 (value_range _ _ D1)) (value_range _ _ WE) EE) as [Zs Zd].
  apply Z0; [apply ZS, Zx, Zs | exact Zd].
Qed.

(* --- KCM: the reduction of T by a low product and the upper half of U = Q m --------------------------------------------------------------- *)

(* The upper half of U from D, H and -T mod R, which is the lower half: words, and the last carry. *)
Definition upper_half (h : nat) (t_low D H : list Z) (subtract : bool) : list Z * bool :=
  let '(u0, u1, H0, H1) := (firstn h t_low, skipn h t_low, firstn h H, skipn h H) in
  let d := add u0 (flip subtract (firstn h D)) (kcm_first_d subtract) in
  let m := add (fst d) H0 (kcm_first_h subtract) in
  let u := sub u1 (fst m) false in
  let d' := add (fst u) (flip subtract (skipn h D)) (snd d) in
  let m' := add (fst d') H1 (snd m) in
  let top := (Z.b2z (snd d') + Z.b2z (snd m') - Z.b2z (kcm_taken subtract)) mod b in
  let l := add H0 (fst m') (kcm_into_upper (snd u)) in
  let r := add_word H1 ((top + Z.b2z (snd l)) mod b) in
  (fst l ++ fst r, snd r).

Theorem upper_half_value h t_low D H subtract q0 q1 m0 m1 :
  let S := B h in let q := q0 + S * q1 in let m := m0 + S * m1 in
  words (h + h) t_low -> words (h + h) D -> words (h + h) H ->
  0 <= q0 < S -> 0 <= q1 < S -> 0 <= m0 < S -> 0 <= m1 < S ->
  value H = q1 * m1 -> signed subtract (value D) = - ((q0 - q1) * (m0 - m1)) ->
  value t_low = (q * m) mod (S * S) ->
  words (h + h) (fst (upper_half h t_low D H subtract)) /\ snd (upper_half h t_low D H subtract) = false
  /\ q * m = value t_low + S * S * value (fst (upper_half h t_low D H subtract)).
Proof.
  intros Bh q m Wt WD WH Hq0 Hq1 Hm0 Hm1 EH Es Et. assert (EB : B h = Bh) by reflexivity. pose proof (B_positive h) as HS. rewrite EB in HS. clearbody Bh.
  destruct (split_words _ _ _ Wt) as [Wu0 [Wu1 Eu]]. destruct (split_words _ _ _ WH) as [WH0 [WH1 EH']].
  destruct (split_words _ _ _ WD) as [WD0 [WD1 ED]]. unfold upper_half.
  set (u0 := firstn h t_low) in *. set (u1 := skipn h t_low) in *. set (H0 := firstn h H) in *. set (H1 := skipn h H) in *.
  set (D0 := firstn h D) in *. set (D1 := skipn h D) in *.
  unfold kcm_first_d, kcm_first_h, kcm_taken, kcm_into_upper.
  destruct (flip_value subtract _ _ WD0) as [WF0 EF0]. destruct (flip_value subtract _ _ WD1) as [WF1 EF1].
  destruct (add_chain h u0 _ subtract Wu0 WF0) as [Wd Ed]. set (d := add u0 _ _) in *.
  destruct (add_chain h (fst d) H0 false Wd WH0) as [Wm Em]. set (m_ := add (fst d) H0 _) in *.
  destruct (sub_chain h u1 (fst m_) false Wu1 Wm) as [Wu Eu']. set (u := sub u1 (fst m_) _) in *.
  destruct (add_chain h (fst u) _ (snd d) Wu WF1) as [Wd' Ed']. set (d' := add (fst u) _ (snd d)) in *.
  destruct (add_chain h (fst d') H1 (snd m_) Wd' WH1) as [Wm' Em']. set (m' := add (fst d') _ _) in *.
  destruct (add_chain h H0 (fst m') (snd u) WH0 Wm') as [Wl El]. set (l := add H0 _ (snd u)) in *.
  cbn [fst snd]. rewrite EB in *. change (Z.b2z false) with 0 in *.
  pose proof (value_range _ _ Wm) as Rm. pose proof (value_range _ _ Wm') as Rm'. pose proof (value_range _ _ Wu0) as Ru0.
  pose proof (value_range _ _ Wu1) as Ru1. pose proof (value_range _ _ Wu) as Ru. pose proof (value_range _ _ WH1) as RH1.
  pose proof (value_range _ _ Wl) as Rl. rewrite EB in *.
  set (top := Z.b2z (snd d') + Z.b2z (snd m') - Z.b2z subtract) in *.
  set (middle := q0 * m0 + q1 * m1 - (q0 - q1) * (m0 - m1)).
  assert (Rmiddle : 0 <= middle < 2 * (Bh * Bh)) by (apply karatsuba_middle; assumption).
  assert (Eq : q * m = q0 * m0 + middle * Bh + q1 * m1 * (Bh * Bh)) by apply karatsuba_identity.
  assert (Echains : value (fst m_) + Bh * value (fst m') + Bh * Bh * top = value u0 + Bh * value (fst u) + (middle - q0 * m0)).
  { replace (middle - q0 * m0) with (value H + signed subtract (value D)) by (rewrite EH, Es; unfold middle; ring).
    rewrite EH', ED. unfold top. clear - Ed Em Ed' Em' EF0 EF1.
    replace (signed subtract (value D0 + Bh * value D1))
      with (value (flip subtract D0) + Bh * value (flip subtract D1) + Z.b2z subtract - Bh * Bh * Z.b2z subtract)
      by (rewrite EF0, EF1; destruct subtract; cbn [signed Z.b2z]; ring).
    replace (value (fst m_)) with (value u0 + value (flip subtract D0) + Z.b2z subtract + value H0 - Bh * Z.b2z (snd d) - Bh * Z.b2z (snd m_)) by lia.
    replace (value (fst m'))
      with (value (fst u) + value (flip subtract D1) + Z.b2z (snd d) + value H1 + Z.b2z (snd m_) - Bh * Z.b2z (snd d') - Bh * Z.b2z (snd m')) by lia.
    ring. }
  assert (RU : 0 <= q * m < (Bh * Bh) * (Bh * Bh)) by (apply product_range; unfold q, m; apply below_square; assumption).
  assert (RL : 0 <= q0 * m0 < Bh * Bh) by (apply product_range; assumption).
  clearbody middle q m top.
  pose proof (Z.div_mod (q * m) (Bh * Bh) ltac:(lia)) as Udiv. rewrite <- Et, Eu in Udiv. set (U1 := q * m / (Bh * Bh)) in *.
  pose proof (Z.div_mod (q0 * m0) Bh ltac:(lia)) as Ldiv. pose proof (Z.mod_pos_bound (q0 * m0) Bh ltac:(lia)) as RL0.
  assert (RL1 : 0 <= q0 * m0 / Bh < Bh) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  assert (RU1 : 0 <= U1 < Bh * Bh) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  clearbody U1. set (L0 := (q0 * m0) mod Bh) in *. set (L1 := q0 * m0 / Bh) in *. clearbody L0 L1.
  rewrite Ldiv in Echains, Eq. rewrite <- EH in Eq.
  destruct (upper_half_identity Bh L0 L1 (value u0) (value u1) U1 middle (value H) (value (fst m_)) (value (fst m')) (value (fst u)) top (Z.b2z (snd u)))
    as [Emiddle EU]; [lia | exact RL0 | exact RL1 | exact Ru0 | exact Ru | rewrite <- Eq; exact Udiv | exact Echains | lia |].
  assert (Htop : 0 <= top <= 1) by (clear - Emiddle Rm Rm' Rmiddle HS; apply (top_is_bit Bh (value (fst m_)) (value (fst m')) middle); assumption).
  rewrite (Z.mod_small top) by lia. set (c := Z.b2z (snd l)) in *. assert (Hc : 0 <= c <= 1) by (unfold c; destruct (snd l); cbn; lia).
  rewrite (Z.mod_small (top + c)) by lia.
  assert (EU' : U1 = value (fst l) + Bh * (value H1 + (top + c))) by (rewrite EU, EH'; lia).
  assert (Hlast : value H1 + (top + c) < B h) by (rewrite EB; apply (Z.mul_lt_mono_pos_l Bh); lia).
  destruct (add_word_value h H1 (top + c) WH1 ltac:(unfold word; lia) Hlast) as [Wr [Er Cr]]. set (r := add_word H1 _) in *.
  split; [apply words_app; assumption |]. split; [exact Cr |]. destruct Wl as [Nl _]. rewrite value_app, Nl, Er, EB, Udiv, <- EU', Eu. ring.
Qed.

(* `redc` of KCM: 2n words become n words and an overflow. *)
Definition kcm_redc (depth : nat) (t_low t_high m m_prime : list Z) : list Z * bool :=
  let h := Nat.div2 (length m) in
  let q := low_mul depth t_low m_prime in
  let x := abs_diff (firstn h q) (skipn h q) in let y := abs_diff (firstn h m) (skipn h m) in
  let negated := sub (repeat 0 (length m)) t_low false in
  let u := upper_half h (fst negated) (mul h (fst x) (fst y)) (mul h (skipn h q) (skipn h m)) (kcm_subtract (snd y) (snd x)) in
  add t_high (fst u) (kcm_into_t (snd negated)).

Definition kcm_redc_cyclic (depth : nat) (t_low t_high m m_prime : list Z) : list Z * bool :=
  let u := cyclic depth (low_mul depth t_low m_prime) m in
  let s := add u t_low false in
  add t_high (fst s) (kcm_brought_round (snd s)).

Section Reduction.
Variables (depth h : nat) (t_low t_high m m_prime : list Z).
Let n := (h + h)%nat.
Let R := B n.
Let T := value t_low + R * value t_high.
Hypothesis t_low_words : words n t_low.
Hypothesis t_high_words : words n t_high.
Hypothesis m_words : words n m.
Hypothesis m_prime_words : words n m_prime.
Hypothesis m_prime_inverse : value m * value m_prime == -1 [mod R].

Lemma low_product_is_quotient :
  words n (low_mul depth t_low m_prime) /\ value (low_mul depth t_low m_prime) = quotient R (value m_prime) T.
Proof.
  destruct (low_product depth n _ _ t_low_words m_prime_words) as [W E]. split; [exact W |]. rewrite E. fold R. unfold quotient, T.
  replace ((value t_low + R * value t_high) * value m_prime) with (value t_low * value m_prime + (value t_high * value m_prime) * R) by ring.
  symmetry. apply Z_mod_plus_full.
Qed.

Theorem kcm_reduction :
  let r := kcm_redc depth t_low t_high m m_prime in
  words n (fst r) /\ value (fst r) + R * Z.b2z (snd r) = redc R (value m) (value m_prime) T.
Proof.
  unfold kcm_redc. pose proof m_words as [Lm _]. rewrite Lm. replace (Nat.div2 n) with h by (unfold n; replace (h + h)%nat
    with (2 * h)%nat by lia; symmetry; apply Nat.div2_double).
  destruct low_product_is_quotient as [Wq Eq]. set (q := low_mul _ _ _) in *.
  pose proof (redc_exact R (value m) (value m_prime) T ltac:(pose proof (B_positive n); unfold R; lia) m_prime_inverse) as Er. rewrite <- Eq in Er.
  destruct (split_words h h q Wq) as [Q0 [Q1 EQ]]. destruct (split_words h h m m_words) as [M0 [M1 EM]].
  destruct (abs_diff_value _ _ _ _ Q0 Q1 ltac:(lia)) as [Dx Ex]. destruct (abs_diff_value _ _ _ _ M0 M1 ltac:(lia)) as [Dy Ey].
  set (x := abs_diff (firstn h q) _) in *. set (y := abs_diff (firstn h m) _) in *.
  destruct (karatsuba_product h _ _ _ Dx Dy) as [WD ED]. destruct (karatsuba_product h _ _ _ Q1 M1) as [WH EH].
  destruct (sub_chain n _ _ false (words_zeros n) t_low_words) as [WN EN]. rewrite value_zeros in EN. set (negated := sub _ t_low false) in *.
  change (Z.b2z false) with 0 in EN. fold R in EN. pose proof (value_range _ _ WN) as RN. fold R in RN.
  assert (ER : R = B h * B h) by apply B_add.
  destruct (upper_half_value h (fst negated) (mul h (fst x) (fst y)) (mul h (skipn h q) (skipn h m)) (kcm_subtract (snd y) (snd x))
    (value (firstn h q)) (value (skipn h q)) (value (firstn h m)) (value (skipn h m))) as [WU [_ EU]]; try assumption; try (apply value_range; assumption).
  - rewrite ED, Ex, Ey, signed_product. unfold kcm_subtract. destruct (snd x), (snd y); cbn [xorb signed]; ring.
  - rewrite <- EQ, <- EM, <- ER. apply Z.mod_unique_pos with (q := redc R (value m) (value m_prime) T - value t_high - Z.b2z (snd negated)); [lia |].
    replace (value q * value m) with (R * redc R (value m) (value m_prime) T - T) by lia. unfold T. lia.
  - rewrite <- EQ, <- EM, <- ER in EU. set (u := upper_half _ _ _ _ _) in *. unfold kcm_into_t.
    destruct (add_chain n t_high (fst u) (snd negated) t_high_words WU) as [W E]. split; [exact W |]. fold R in E. rewrite E.
    apply (Z.mul_cancel_l _ _ R); [pose proof (B_positive n); unfold R; lia |]. rewrite Er, EU. unfold T. lia.
Qed.

Theorem kcm_cyclic_reduction :
  let r := kcm_redc_cyclic depth t_low t_high m m_prime in
  words n (fst r) /\ value (fst r) + R * Z.b2z (snd r) = redc R (value m) (value m_prime) T.
Proof.
  unfold kcm_redc_cyclic. destruct low_product_is_quotient as [Wq Eq]. set (q := low_mul _ _ _) in *.
  assert (HR : 1 <= R) by apply B_positive.
  pose proof (redc_exact R (value m) (value m_prime) T ltac:(lia) m_prime_inverse) as Er. rewrite <- Eq in Er.
  destruct (cyclic_product depth n q m Wq m_words) as [Wu [Cu Zu]]. set (u := cyclic _ _ _) in *.
  destruct (add_chain n u t_low false Wu t_low_words) as [Ws Es]. set (s := add u t_low false) in *. change (Z.b2z false) with 0 in Es.
  unfold kcm_brought_round. destruct (add_chain n t_high (fst s) (snd s) t_high_words Ws) as [W E]. split; [exact W |]. fold R in E, Es, Cu. rewrite E.
  pose proof (value_range _ _ Wu) as Ru. pose proof (value_range _ _ Ws) as Rs. pose proof (value_range _ _ t_low_words) as Rt.
  pose proof (value_range _ _ Wq) as Rq. pose proof (value_range _ _ m_words) as Rm. fold R in Ru, Rs, Rt, Rq, Rm.
  set (result := redc R (value m) (value m_prime) T) in *. unfold T in Er.
  destruct (Z.eq_dec (value t_low) 0) as [Z0 | Nonzero].
  - assert (Q0 : value q = 0).
    { rewrite Eq. unfold quotient, T. rewrite Z0. replace ((0 + R * value t_high) * value m_prime) with (value t_high * value m_prime * R) by ring.
      apply Z_mod_mult. }
    rewrite (Zu Q0), Z0 in Es. rewrite Z0, Q0 in Er. assert (result = value t_high) as -> by (apply (Z.mul_cancel_l _ _ R); lia).
    destruct (snd s); cbn [Z.b2z] in *; lia.
  - assert (EV : R * (result - value t_high) = value t_low + value q * value m) by lia. set (V := result - value t_high) in *.
    assert (Rqm : 0 <= value q * value m <= (R - 1) * (R - 1)) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
    assert (RV : 1 <= V <= R - 1).
    { split; [apply (Zlt_le_succ 0), (Z.mul_lt_mono_pos_l R) | apply (Z.mul_le_mono_pos_l _ _ R)]; lia. }
    assert (Rw : 1 <= value (fst s) + Z.b2z (snd s) <= R - 1) by (destruct (snd s); cbn [Z.b2z] in *; lia).
    assert (C : value (fst s) + Z.b2z (snd s) - 1 == V - 1 [mod R - 1]).
    { destruct Cu as [k K]. exists (k - Z.b2z (snd s) + V). lia. }
    apply (cong_small (R - 1)) in C; [| lia | lia]. unfold V in C. lia.
Qed.
End Reduction.

(* Products as a whole: below 2m, congruent to a b R^-1. *)
Theorem kcm_product depth h xs ys m m_prime (by_cyclic : bool) :
  let n := (h + h)%nat in let R := B n in
  words n xs -> words n ys -> words n m -> words n m_prime -> value m * value m_prime == -1 [mod R] -> 0 < value m ->
  value xs * value ys < R * value m ->
  let t := mul depth xs ys in
  let r := (if by_cyclic then kcm_redc_cyclic else kcm_redc) depth (firstn n t) (skipn n t) m m_prime in
  let result := value (fst r) + R * Z.b2z (snd r) in
  0 <= result < 2 * value m /\ result * R == value xs * value ys [mod value m].
Proof.
  intros n R X Y M M' Hm Hpos Hbelow t r result. destruct (karatsuba_product depth n xs ys X Y) as [Wt Et]. fold t in Wt, Et.
  destruct (split_words n n t Wt) as [T0 [T1 ET]]. fold R in ET.
  assert (HR : 0 < R) by (pose proof (B_positive n); unfold R; lia).
  assert (E : result = redc R (value m) (value m_prime) (value t)).
  { unfold result, r. rewrite ET. destruct by_cyclic; [apply kcm_cyclic_reduction | apply kcm_reduction]; assumption. }
  rewrite E, Et. split; [apply redc_below_2m; try assumption | apply redc_congruent; assumption].
  pose proof (value_range _ _ X). pose proof (value_range _ _ Y). split; [apply Z.mul_nonneg_nonneg; lia | exact Hbelow].
Qed.

(* Karatsuba's product, then the rows of SOS. *)
Theorem karatsuba_sos_product depth n xs ys m m_word :
  words n xs -> words n ys -> 0 < m -> m * m_word == -1 [mod b] -> value xs * value ys < B n * m ->
  0 <= rows b m m_word n (value (mul depth xs ys)) < 2 * m
  /\ rows b m m_word n (value (mul depth xs ys)) * B n == value xs * value ys [mod m].
Proof.
  intros X Y Hm Hi Hbelow. destruct (karatsuba_product depth n xs ys X Y) as [_ ->].
  pose proof (value_range _ _ X). pose proof (value_range _ _ Y).
  split.
  - apply rows_below_2m; try assumption; [lia |]. split; [apply Z.mul_nonneg_nonneg; lia | exact Hbelow].
  - destruct (rows_exact b m m_word ltac:(lia) Hi n (value xs * value ys)) as [Q [_ E]]. exists Q. lia.
Qed.
End Products.
End Words.
