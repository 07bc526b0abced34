(* Columns of products and their carries, for every length that a kernel admits: no sum leaves its word, no carry its bound.

   About a model: a column is a list of halves of products, of which the kernels' comments say how many there are. Lengths and radices are those of the
   code. *)
From Coq Require Import ZArith Lia List.
From Pingala Require Import Congruence Recoding Constants.
Import ListNotations.
Open Scope Z_scope.

Fixpoint total (xs : list Z) : Z := match xs with [] => 0 | x :: xs => x + total xs end.

Lemma total_bounds least most : forall xs, Forall (fun x => least <= x <= most) xs ->
  Z.of_nat (length xs) * least <= total xs <= Z.of_nat (length xs) * most.
Proof.
  induction 1 as [| x xs Hx Hxs IH]; cbn [total length]; [lia |]. rewrite Nat2Z.inj_succ. nia.
Qed.

(* At most n pairs (i, l) of n limbs each meet in a column. *)
Fixpoint pairs_from (i n c : Z) (count : nat) : list (Z * Z) :=
  match count with
  | O => []
  | S count => (if andb (0 <=? c - i) (c - i <? n) then [(i, c - i)] else []) ++ pairs_from (i + 1) n c count
  end.
Definition pairs (n : nat) (c : Z) : list (Z * Z) := pairs_from 0 (Z.of_nat n) c n.

Theorem pairs_of_a_column n c : Z.of_nat (length (pairs n c)) <= Z.of_nat n.
Proof.
  unfold pairs. generalize 0, (Z.of_nat n) at 1. intros i m. revert i. induction n as [| n IH]; intros i; cbn [pairs_from length]; [lia |].
  rewrite app_length. specialize (IH (i + 1)). destruct (andb _ _); cbn [length]; lia.
Qed.

(* Carries run upwards through columns; every sum with its carry is in 0 .. limit - 1. *)
Fixpoint carries (b limit carry : Z) (columns : list Z) : Prop :=
  match columns with [] => True | x :: xs => 0 <= x + carry < limit /\ carries b limit ((x + carry) / b) xs end.

Theorem carries_stay b limit most_column most_carry : forall columns carry,
  0 < b -> 0 <= carry <= most_carry -> Forall (fun x => 0 <= x <= most_column) columns ->
  most_column + most_carry < limit -> (most_column + most_carry) / b <= most_carry -> carries b limit carry columns.
Proof.
  induction columns as [| x xs IH]; intros carry Hb Hc Hx Hl Hm; cbn [carries]; [exact I |].
  inversion_clear Hx as [| ? ? Hx1 Hxs]. split; [lia |]. apply IH; try assumption. split; [apply Z.div_pos; lia |].
  apply Z.le_trans with (2 := Hm). apply Z.div_le_mono; lia.
Qed.

(* --- portable_r64 and mulx_r64: rows of words, windows of S words, three words of a column ----------------------------------- *)

Section Words.
  Variable b : Z.
  Hypothesis b_above_1 : 1 < b.

  (* a f + t + carry of words. *)
  Theorem multiply_add_carry a f t carry : 0 <= a < b -> 0 <= f < b -> 0 <= t < b -> 0 <= carry < b -> 0 <= a * f + t + carry < b * b.
  Proof. intros. nia. Qed.

  (* A step of a block: S words by one word, with a word of the sum; one word leaves the window. *)
  Theorem window_step S window block a t :
    0 <= S -> 0 <= window < b ^ S -> 0 <= block < b ^ S -> 0 <= a < b -> 0 <= t < b -> 0 <= (window + block * a + t) / b < b ^ S.
  Proof.
    intros HS Hw Hb Ha Ht. pose proof (Z.pow_pos_nonneg b S ltac:(lia) HS). split; [apply Z.div_pos; nia |].
    apply Z.div_lt_upper_bound; [lia |]. nia.
  Qed.

  (* A tile: t + a f + carry of S words each. *)
  Theorem tile_step S t a f carry :
    0 <= S -> 0 <= t < b ^ S -> 0 <= a < b ^ S -> 0 <= f < b ^ S -> 0 <= carry < b ^ S -> 0 <= t + a * f + carry < b ^ S * b ^ S.
  Proof. intros HS Ht Ha Hf Hc. nia. Qed.

  (* A row of n words by S words on a sum of n + S words whose upper S are not there yet. *)
  Theorem block_fits n S t a f :
    0 <= n -> 0 <= S -> 0 <= t < b ^ n -> 0 <= a < b ^ n -> 0 <= f < b ^ S -> 0 <= t + a * f < b ^ (n + S).
  Proof.
    intros Hn HS Ht Ha Hf. rewrite Z.pow_add_r by assumption. pose proof (Z.pow_pos_nonneg b S ltac:(lia) HS). nia.
  Qed.

  (* Rows of a reduction: with a bit waiting at word n the carry out is a bit again. *)
  Theorem waiting_bit above carry waiting :
    0 <= above < b -> 0 <= carry < b -> 0 <= waiting <= 1 -> 0 <= (above + carry + waiting) / b <= 1.
  Proof.
    intros. split; [apply Z.div_pos; lia |]. assert ((above + carry + waiting) / b < 2); [| lia]. apply Z.div_lt_upper_bound; lia.
  Qed.

  (* A row of CIOS: the window is below 2m before, so that a row of the product carries one bit, and below 2m after the reduction. *)
  Theorem cios_window window a word u m R :
    0 < m < R -> 0 <= a < m -> 0 <= window < 2 * m -> 0 <= word < b -> 0 <= u < b ->
    window + a * word < 2 * b * R /\ 0 <= (window + a * word + u * m) / b < 2 * m.
  Proof.
    intros Hm Ha Hw Hwd Hu. split; [nia |]. split; [apply Z.div_pos; nia |]. apply Z.div_lt_upper_bound; [lia |]. nia.
  Qed.

  (* Comba: a column of at most n < b products and the carry of the column before fit three words. *)
  Theorem comba_column n products carry :
    Z.of_nat (length products) <= n -> n < b -> Forall (fun p => 0 <= p <= (b - 1) * (b - 1)) products -> 0 <= carry <= n * b ->
    0 <= total products + carry < b * b * b /\ (total products + carry) / b <= n * b.
  Proof.
    intros Hl Hn Hp Hc. pose proof (total_bounds _ _ products Hp). set (M := (b - 1) * (b - 1)) in *. assert (HM : 0 <= M) by (unfold M; nia).
    pose proof (Z.mul_le_mono_nonneg_r (Z.of_nat (length products)) n M HM Hl).
    assert (n * M + n * b <= n * b * b) by (unfold M; nia).
    assert (n * b * b < b * b * b) by (apply Z.mul_lt_mono_pos_r; [lia | apply Z.mul_lt_mono_pos_r; lia]).
    split; [lia |]. apply Z.div_le_upper_bound; [lia |]. lia.
  Qed.

  (* The doubled column of a square. *)
  Theorem comba_square_column n products carry square :
    2 * Z.of_nat (length products) + 1 <= n -> n < b -> Forall (fun p => 0 <= p <= (b - 1) * (b - 1)) products ->
    0 <= square <= (b - 1) * (b - 1) -> 0 <= carry <= n * b -> 0 <= 2 * total products + square + carry < b * b * b.
  Proof.
    intros Hl Hn Hp Hs Hc. pose proof (total_bounds _ _ products Hp). set (M := (b - 1) * (b - 1)) in *. assert (HM : 0 <= M) by (unfold M; nia).
    pose proof (Z.mul_le_mono_nonneg_r (2 * Z.of_nat (length products) + 1) n M HM Hl).
    assert (n * M + n * b <= n * b * b) by (unfold M; nia).
    assert (n * b * b < b * b * b) by (apply Z.mul_lt_mono_pos_r; [lia | apply Z.mul_lt_mono_pos_r; lia]). lia.
  Qed.
End Words.

(* --- ifma_row_r52 ----------------------------------------------------------------------------------------------------------------- *)

Definition half52 : Z := 2 ^ row_RADIX_BITS - 1.

Section Row.
  (* Limbs, at most as the longest modulus needs: `row_limbs` is evaluated for all lengths (proofs/shapes.py). *)
  Variable m : Z.
  Hypothesis m_admitted : 4 <= m <= row_most_limbs.

  Theorem row_product_column lows highs :
    Z.of_nat (length lows) <= m -> Z.of_nat (length highs) <= m ->
    Forall (fun x => 0 <= x <= half52) lows -> Forall (fun x => 0 <= x <= half52) highs ->
    0 <= total lows + total highs <= 2 * m * half52.
  Proof.
    intros Hl Hh Fl Fh. pose proof (total_bounds _ _ lows Fl). pose proof (total_bounds _ _ highs Fh). unfold half52, row_RADIX_BITS in *. nia.
  Qed.

  (* A square counts pairs of different limbs once and doubles: k pairs and k' squares with 2k + k' <= m halves of each kind. *)
  Theorem row_square_column lows highs squares :
    2 * Z.of_nat (length lows) + 2 * Z.of_nat (length highs) + Z.of_nat (length squares) <= 2 * m ->
    Forall (fun x => 0 <= x <= half52) lows -> Forall (fun x => 0 <= x <= half52) highs -> Forall (fun x => 0 <= x <= half52) squares ->
    0 <= 2 * (total lows + total highs) + total squares <= 2 * m * half52.
  Proof.
    intros Hn Fl Fh Fs. pose proof (total_bounds _ _ lows Fl). pose proof (total_bounds _ _ highs Fh). pose proof (total_bounds _ _ squares Fs).
    unfold half52, row_RADIX_BITS in *. nia.
  Qed.

  (* The fold: m rows of low and of high halves, the top limb of T_lo, the columns of T_hi, two carries. *)
  Theorem row_fold_column lows highs top high_column carry carry_of_low :
    Z.of_nat (length lows) <= m -> Z.of_nat (length highs) <= m ->
    Forall (fun x => 0 <= x <= half52) lows -> Forall (fun x => 0 <= x <= half52) highs ->
    0 <= top <= half52 -> 0 <= high_column <= 2 * m * half52 -> 0 <= carry < 2 ^ 13 -> 0 <= carry_of_low <= m + 1 ->
    0 <= total lows + top + total highs + high_column + carry + carry_of_low < 2 ^ 64.
  Proof.
    intros Hl Hh Fl Fh Ht Hc Hk Hlow. pose proof (total_bounds _ _ lows Fl). pose proof (total_bounds _ _ highs Fh).
    assert (m <= 818) by (unfold row_most_limbs in *; lia). unfold half52, row_RADIX_BITS in *. nia.
  Qed.
End Row.

(* The parallel pass: limbs of at most 2^52 + 2^12 - 2, so that what is left to carry is a bit. *)
Theorem carry_pass column below :
  0 <= column < 2 ^ 64 -> 0 <= below < 2 ^ 64 ->
  0 <= column mod 2 ^ row_RADIX_BITS + below / 2 ^ row_RADIX_BITS <= 2 ^ 52 + 2 ^ 12 - 2.
Proof.
  intros Hc Hb. unfold row_RADIX_BITS. pose proof (Z.mod_pos_bound column (2 ^ 52) ltac:(lia)).
  assert (below / 2 ^ 52 < 2 ^ 12) by (apply Z.div_lt_upper_bound; lia). pose proof (Z.div_pos below (2 ^ 52) ltac:(lia) ltac:(lia)). lia.
Qed.

Theorem carry_left limb carry : 0 <= limb <= 2 ^ 52 + 2 ^ 12 - 2 -> 0 <= carry <= 1 -> 0 <= (limb + carry) / 2 ^ row_RADIX_BITS <= 1.
Proof.
  intros Hl Hc. unfold row_RADIX_BITS. split; [apply Z.div_pos; lia |].
  assert ((limb + carry) / 2 ^ 52 < 2); [apply Z.div_lt_upper_bound; lia | lia].
Qed.

(* --- ifma_lanes_r52 ------------------------------------------------------------------------------------------------------------------ *)

(* Of a b and of Q m at most n low and n high halves each, the bias b - 1; then the carry of the column below. *)
Theorem lanes_column n halves :
  1 <= n <= ifma_lanes_MAX_LIMBS -> Z.of_nat (length halves) <= 4 * n -> Forall (fun x => 0 <= x <= half52) halves ->
  0 <= total halves + half52 <= 2 ^ 64 - 1 - 2 ^ 12.
Proof.
  intros Hn Hl Hx. pose proof (total_bounds _ _ halves Hx). unfold ifma_lanes_MAX_LIMBS, half52, row_RADIX_BITS in *. nia.
Qed.

Theorem lanes_carries columns :
  Forall (fun x => 0 <= x <= 2 ^ 64 - 1 - 2 ^ 12) columns -> carries (2 ^ row_RADIX_BITS) (2 ^ 64) 0 columns.
Proof.
  intros H. apply carries_stay with (most_column := 2 ^ 64 - 1 - 2 ^ 12) (most_carry := 2 ^ 12 - 1); try assumption; unfold row_RADIX_BITS; try lia.
  assert ((2 ^ 64 - 1 - 2 ^ 12 + (2 ^ 12 - 1)) / 2 ^ 52 < 2 ^ 12) by (apply Z.div_lt_upper_bound; lia). lia.
Qed.

(* --- fma_lanes_r51 --------------------------------------------------------------------------------------------------------------------- *)

Definition b51 : Z := 2 ^ fma_lanes_RADIX_BITS.

(* Low halves in column c of 2n: of Q (M + 1) and of a b. The high halves are those of column c - 1. *)
Definition low_halves (n c : Z) : Z := if c <? n then c + (c + 1) else 2 * (2 * n - 1 - c).

Theorem low_halves_below_2n n c : 1 <= n -> 0 <= c < 2 * n -> 0 <= low_halves n c <= 2 * n - 1.
Proof. intros. unfold low_halves. destruct (Z.ltb_spec c n); lia. Qed.

(* A column with what it is lent, less what it lends. *)
Theorem fma_lanes_column n lows highs carry :
  2 <= n <= fma_lanes_MAX_LIMBS -> Z.of_nat (length lows) <= 2 * n - 1 -> Z.of_nat (length highs) <= 2 * n - 1 ->
  Forall (fun l => - b51 <= l <= b51) lows -> Forall (fun h => 0 <= h <= b51) highs -> 0 <= carry < 2 ^ 13 ->
  let x := 2 * n * b51 - 2 * n + total lows + total highs + carry in 0 < x < 2 ^ 64 /\ 0 <= x / b51 < 2 ^ 13.
Proof.
  intros Hn Hl Hh Fl Fh Hc x.
  pose proof (total_bounds _ _ lows Fl). pose proof (total_bounds _ _ highs Fh).
  unfold b51, fma_lanes_RADIX_BITS, fma_lanes_MAX_LIMBS in *.
  assert (Hx : 0 < x < (6 * n + 1) * 2 ^ 51) by (unfold x; nia).
  split; [lia |]. split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; lia.
Qed.

(* --- fma_row_r52 ----------------------------------------------------------------------------------------------------------------------- *)

(* n halves of factors, n + 1 of the fold, of each kind; the carry pass makes digits of -2^51 - 2^10 .. 2^51 + 2^10. *)
Theorem fma_row_column n lows highs :
  1 <= n <= fma_row_most_digits -> Z.of_nat (length lows) <= 2 * n + 1 -> Z.of_nat (length highs) <= 2 * n + 1 ->
  Forall (fun l => 0 <= l < 2 ^ 52) lows -> Forall (fun h => - (2 ^ 50 + 2 ^ 11) <= h <= 2 ^ 50 + 2 ^ 11) highs ->
  let x := total lows + total highs in
  0 < x + fma_row_ROUND < 2 ^ 63
  /\ - 2 ^ 51 <= (x + fma_row_ROUND) mod 2 ^ 52 - 2 ^ 51 < 2 ^ 51
  /\ - 2 ^ 10 <= (x + fma_row_ROUND) / 2 ^ 52 - 2 ^ 10 < 2 ^ 10
  /\ ((x + fma_row_ROUND) mod 2 ^ 52 - 2 ^ 51) + 2 ^ 52 * ((x + fma_row_ROUND) / 2 ^ 52 - 2 ^ 10) = x.
Proof.
  intros Hn Hl Hh Fl Fh x.
  assert (Fl' : Forall (fun l => 0 <= l <= 2 ^ 52 - 1) lows) by (eapply Forall_impl; [| exact Fl]; cbn beta; lia).
  pose proof (total_bounds _ _ lows Fl'). pose proof (total_bounds _ _ highs Fh).
  unfold fma_row_ROUND, fma_row_RADIX_BITS, fma_row_most_digits in *.
  change (Z.lor (1 * 2 ^ (52 - 1)) (1 * 2 ^ 62)) with (2 ^ 51 + 2 ^ 62) in *.
  assert (Hx : - (721 * (2 ^ 50 + 2 ^ 11)) <= x <= 721 * (2 ^ 52 - 1 + 2 ^ 50 + 2 ^ 11)) by (unfold x; nia).
  pose proof (Z.div_mod (x + (2 ^ 51 + 2 ^ 62)) (2 ^ 52) ltac:(lia)) as Hd.
  pose proof (Z.mod_pos_bound (x + (2 ^ 51 + 2 ^ 62)) (2 ^ 52) ltac:(lia)) as Hr.
  assert (0 < x + (2 ^ 51 + 2 ^ 62) < 2 ^ 63) by lia.
  assert (0 <= (x + (2 ^ 51 + 2 ^ 62)) / 2 ^ 52) by (apply Z.div_pos; lia).
  assert ((x + (2 ^ 51 + 2 ^ 62)) / 2 ^ 52 < 2 ^ 11) by (apply Z.div_lt_upper_bound; lia).
  repeat split; lia.
Qed.
