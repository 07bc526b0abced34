(* Columns, carries and reductions of dot_row_r13, for every admitted length.

   About a model: a column is a list of products of two digits. A digit is at most D in absolute value; constants and lengths are those of the code. *)
From Coq Require Import ZArith Lia List.
From Pingala Require Import Congruence Columns Constants.
Import ListNotations.
Open Scope Z_scope.

Definition B := 2 ^ dots_RADIX_BITS.
Definition D := 2 ^ (dots_RADIX_BITS - 1) + 33.

Ltac evaluated x := let v := eval vm_compute in x in change x with v in *.
Ltac numbers := evaluated (D * D); evaluated (B ^ 3 / 2); evaluated (B ^ 3); evaluated (B ^ 4); evaluated B; evaluated D; evaluated dots_ROUND; evaluated dots_MOST_ROWS;
  evaluated dots_MOST_DOUBLED; evaluated dots_TILE; evaluated dots_RADIX_BITS; evaluated dots_SPARE_BITS; evaluated dots_TURN; evaluated dots_MOST_BITS.

Definition within (bound : Z) (xs : list Z) := Forall (fun x => - bound <= x <= bound) xs.

Lemma within_total bound xs count :
  within bound xs -> Z.of_nat (length xs) <= count -> 0 <= bound -> - (count * bound) <= total xs <= count * bound.
Proof. intros Hx Hc Hb. pose proof (total_bounds _ _ xs Hx). nia. Qed.

(* --- lengths -------------------------------------------------------------------------------------------------------------------- *)

Theorem dots_room bits m : 1 <= bits -> 0 < m < 2 ^ bits -> 16 * m <= B ^ dots_digits bits.
Proof.
  intros Hb Hm. unfold dots_digits. numbers. pose proof (div_ceil_spec (bits + 4) 13 ltac:(lia)) as Hq. set (q := _ / 13) in *.
  pose proof (div_ceil_spec q 8 ltac:(lia)) as Hn. set (n := _ / 8) in *.
  change 8192 with (2 ^ 13). rewrite <- Z.pow_mul_r by lia. apply Z.le_trans with (2 ^ (4 + bits)); [| apply Z.pow_le_mono_r; lia].
  rewrite Z.pow_add_r by lia. change (2 ^ 4) with 16. lia.
Qed.

Theorem dots_most_digits bits : 1 <= bits <= dots_MOST_BITS -> 0 < dots_digits bits <= 2528.
Proof.
  intros Hb. unfold dots_digits. numbers.
  pose proof (div_ceil_spec (bits + 4) 13 ltac:(lia)) as Hq. set (q := _ / 13) in *.
  pose proof (div_ceil_spec q 8 ltac:(lia)) as Hn. set (n := _ / 8) in *. lia.
Qed.

(* --- columns -------------------------------------------------------------------------------------------------------------------- *)

(* What carry_sums does to a sum: the remainder stays, the quotient is carried. *)
Definition remainder x := (x + dots_ROUND) mod B - dots_ROUND.
Definition quotient x := (x + dots_ROUND) / B.

Lemma carried x : remainder x + B * quotient x = x /\ - dots_ROUND <= remainder x < dots_ROUND.
Proof.
  unfold remainder, quotient. pose proof (Z.div_mod (x + dots_ROUND) B ltac:(numbers; lia)). pose proof (Z.mod_pos_bound (x + dots_ROUND) B ltac:(numbers; lia)).
  numbers. lia.
Qed.

Lemma quotient_below x : - 2 ^ 31 <= x < 2 ^ 31 - 2 ^ 13 -> - 2 ^ 18 <= quotient x <= 2 ^ 18.
Proof. intros Hx. pose proof (carried x) as [He Hr]. numbers. lia. Qed.

(* The rows of a product between carries, with an edge and what the carries before them left. *)
Theorem rows_of_product left products : - 2 ^ 12 <= left <= 2 ^ 12 ->
  Z.of_nat (length products) <= dots_MOST_ROWS + dots_TILE -> within (D * D) products -> - (2 ^ 31 - 2 ^ 27) < left + total products < 2 ^ 31 - 2 ^ 27.
Proof.
  intros Hl Hc Hp. pose proof (within_total _ _ _ Hp Hc ltac:(numbers; lia)). numbers. lia.
Qed.

(* A column of a square: half of it is doubled, then the diagonal is added. *)
Theorem column_of_square half diagonal : Z.of_nat (length half) <= dots_MOST_DOUBLED -> within (D * D) half ->
  Z.of_nat (length diagonal) <= dots_TILE -> within (D * D) diagonal -> - (2 ^ 31 - 2 ^ 27) < 2 * total half + total diagonal < 2 ^ 31 - 2 ^ 27.
Proof.
  intros Hc Hh Hk Hd. pose proof (within_total _ _ _ Hh Hc ltac:(numbers; lia)). pose proof (within_total _ _ _ Hd Hk ltac:(numbers; lia)). numbers. lia.
Qed.

Theorem column_of_carried_square left diagonal : - 2 ^ 12 <= left <= 2 ^ 12 ->
  Z.of_nat (length diagonal) <= dots_TILE -> within (D * D) diagonal -> - (2 ^ 31 - 2 ^ 27) < 2 * left + total diagonal < 2 ^ 31 - 2 ^ 27.
Proof. intros Hl Hk Hd. pose proof (within_total _ _ _ Hd Hk ltac:(numbers; lia)). numbers. lia. Qed.

(* What is carried into a column on the way, of a product once and of a square twice: a carry comes after MOST_ROWS digits, one is added at the end. *)
Theorem column_with_carried bits column carries times : 1 <= bits <= dots_MOST_BITS -> - (2 ^ 31 - 2 ^ 27) < column < 2 ^ 31 - 2 ^ 27 ->
  1 <= times <= 2 -> within (2 ^ 18) carries -> Z.of_nat (length carries) <= dots_digits bits / dots_MOST_ROWS + 1 ->
  - (2 ^ 31 - 2 ^ 26 - 2 ^ 25) < column + times * total carries < 2 ^ 31 - 2 ^ 26 - 2 ^ 25.
Proof.
  intros Hb Hx Ht Hc Hk. pose proof (dots_most_digits bits Hb). assert (dots_digits bits / dots_MOST_ROWS + 1 <= 27).
  { assert (dots_digits bits / dots_MOST_ROWS < 27); [| lia]. apply Z.div_lt_upper_bound; numbers; lia. }
  pose proof (within_total _ _ 27 Hc ltac:(lia) ltac:(lia)). nia.
Qed.

(* Short factors: no product of rows has more digits than a carry comes after, and no half of a square more than may be doubled. *)
Theorem short_needs_no_carries n half : 0 <= n <= dots_SHORT -> 2 * half <= n -> n <= dots_MOST_ROWS /\ half <= dots_MOST_DOUBLED.
Proof. intros Hn Hh. evaluated dots_SHORT. numbers. lia. Qed.

(* --- two passes of carries -------------------------------------------------------------------------------------------------------- *)

(* A digit is a column, its remainder by B and the quotient of the column below, and of that sum the same again. *)
Theorem digit_of_two_passes x below x1 x2 : - (2 ^ 31 - 2 ^ 26) < x < 2 ^ 31 - 2 ^ 26 -> - (2 ^ 31 - 2 ^ 26) < below < 2 ^ 31 - 2 ^ 26 ->
  - 2 ^ 18 <= x2 <= 2 ^ 18 -> x1 = remainder x + quotient below -> - D <= remainder x1 + quotient (remainder below + x2) <= D.
Proof.
  intros Hx Hb H2 ->. pose proof (carried x). pose proof (carried below). pose proof (carried (remainder below + x2)) as [He Hr].
  pose proof (carried (remainder x + quotient below)). numbers. lia.
Qed.

(* Columns of few digits need no pass before a difference of two: `rest` is what is carried to them, and c. *)
Theorem difference_without_pass t u rest : let bound := dots_MOST_WITHOUT_PASS * (D * D) in
  - bound <= t <= bound -> - bound <= u <= bound -> - 2 ^ 20 <= rest <= 2 ^ 20 -> - (2 ^ 31 - 2 ^ 26) < t - u + rest < 2 ^ 31 - 2 ^ 26.
Proof. intros bound Ht Hu Hr. subst bound. evaluated dots_MOST_WITHOUT_PASS. numbers. lia. Qed.

(* Those of T above R had a pass: the remainder of a column and the quotient of the one below it. *)
Theorem difference_with_pass t below u rest : - (2 ^ 31 - 2 ^ 26) < t < 2 ^ 31 - 2 ^ 26 -> - (2 ^ 31 - 2 ^ 26) < below < 2 ^ 31 - 2 ^ 26 ->
  - (2 ^ 31 - 2 ^ 26 - 2 ^ 25) < u < 2 ^ 31 - 2 ^ 26 - 2 ^ 25 -> - 2 ^ 20 <= rest <= 2 ^ 20 ->
  - (2 ^ 31 - 2 ^ 26) < remainder t + quotient below - u + rest < 2 ^ 31 - 2 ^ 26.
Proof.
  intros Ht Hb Hu Hr. pose proof (carried t). pose proof (quotient_below below ltac:(lia)). evaluated dots_ROUND. lia.
Qed.

(* --- reduction -------------------------------------------------------------------------------------------------------------------- *)

Fixpoint number (digits : list Z) : Z := match digits with [] => 0 | x :: xs => x + B * number xs end.

Theorem number_of_digits digits : within D digits ->
  - (D * (B ^ Z.of_nat (length digits) - 1)) <= (B - 1) * number digits <= D * (B ^ Z.of_nat (length digits) - 1).
Proof.
  induction 1 as [| x xs Hx Hxs IH]; cbn [number length]; [cbn; lia |].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. numbers. lia.
Qed.

Theorem quotient_below_half digits : within D digits ->
  - (505 * B ^ Z.of_nat (length digits)) <= 1000 * number digits <= 505 * B ^ Z.of_nat (length digits).
Proof.
  intros Hd. pose proof (number_of_digits digits Hd) as Hq. assert (0 < B ^ Z.of_nat (length digits)) by (apply Z.pow_pos_nonneg; numbers; lia).
  set (R := B ^ _) in *. numbers. lia.
Qed.

(* T of two residues, q from the digits of T m': the result is a residue. *)
Theorem reduced_is_residue R m T q r : 0 < m -> 16 * m <= R -> - (4 * m * m) <= T <= 4 * m * m -> - (505 * R) <= 1000 * q <= 505 * R ->
  r * R = T - q * m -> - m < r < m.
Proof. intros Hm HR HT Hq He. split; nia. Qed.

(* What leaves: a residue, or the sum of one and a canonical number. *)
Theorem left_is_residue R m T q r : 0 < m -> 16 * m <= R -> - (2 * m) < T < 2 * m -> - (505 * R) <= 1000 * q <= 505 * R -> r * R = T - q * m -> - m < r < m.
Proof. intros Hm HR HT Hq He. split; nia. Qed.

(* The digits of the result stand for a number that is right modulo R only. *)
Theorem digits_are_the_result R m r digits : 0 < m -> 16 * m <= R -> R = B ^ Z.of_nat (length digits) -> - m < r < m -> within D digits ->
  (exists k, number digits = r + k * R) -> number digits = r.
Proof.
  intros Hm HR He Hr Hd [k Hk]. pose proof (quotient_below_half digits Hd). rewrite <- He in *. assert (k = 0) by nia. subst. lia.
Qed.

(* c R is what the columns below R make: `top` are the three highest ones, `low` those below of T and q m. *)
Theorem multiple_of_r bits n c top low : 1 <= bits <= dots_MOST_BITS -> n = dots_digits bits -> c * B ^ n = top * B ^ (n - 3) + low ->
  - (4 * n * (D * D) * B ^ (n - 4)) <= low <= 4 * n * (D * D) * B ^ (n - 4) -> (top + B ^ 3 / 2) / B ^ 3 = c.
Proof.
  intros Hb Hn He Hl. pose proof (dots_most_digits bits Hb) as Hd. assert (H8 : 8 <= n).
  { assert (exists k, n = k * 8) as [k Hk]; [| lia]. subst n. unfold dots_digits. numbers. eexists. reflexivity. }
  assert (HB : 0 < B ^ (n - 4)) by (apply Z.pow_pos_nonneg; numbers; lia).
  assert (E3 : B ^ (n - 3) = B * B ^ (n - 4)) by (replace (n - 3) with (Z.succ (n - 4)) by lia; apply Z.pow_succ_r; lia).
  assert (E0 : B ^ n = B ^ 4 * B ^ (n - 4)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  rewrite E3, E0 in He. set (P := B ^ (n - 4)) in *.
  assert (Hlow : - (2 ^ 38 * P) <= low <= 2 ^ 38 * P) by (subst n; numbers; nia).
  assert (Ht : - 2 ^ 38 <= B ^ 4 * c - B * top <= 2 ^ 38) by nia.
  symmetry. apply Z.div_unique_pos with (top + B ^ 3 / 2 - B ^ 3 * c); numbers; clear - Ht; lia.
Qed.

(* c from the differences of three columns. *)
Theorem multiple_is_small x y z : let size := 2 ^ 31 + D in - size <= x <= size -> - size <= y <= size -> - size <= z <= size ->
  - 2 ^ 19 <= (x * B ^ 2 + y * B + z + B ^ 3 / 2) / B ^ 3 <= 2 ^ 19.
Proof.
  intros size Hx Hy Hz. subst size. evaluated (B ^ 2). numbers. set (top := x * _ + _ * _ + _ + _). set (r := 549755813888).
  pose proof (Z.div_mod top r ltac:(lia)). pose proof (Z.mod_pos_bound top r ltac:(lia)). lia.
Qed.
