(* Programs for products of powers: what a list of instructions leaves in a register, as a vector of exponents, one for each base.

   About lists of instructions: `make test` runs those that the Rust programs issue for all small exponents, and Coq computes what they leave. *)
From Coq Require Import ZArith Lia List Uint63.
From Pingala Require Import Recoding Programs.
Import ListNotations.
Open Scope Z_scope.

Definition vectors := Z -> option (list Z).

Fixpoint vplus (a b : list Z) : list Z := match a, b with x :: a, y :: b => x + y :: vplus a b | _, _ => [] end.
Fixpoint vdoubled (count : nat) (a : list Z) : list Z := match count with O => a | S count => vdoubled count (vplus a a) end.

Definition vset (s : vectors) (r : Z) (v : option (list Z)) : vectors := fun x => if x =? r then v else s x.

Definition vstep (k : nat) (s : vectors) (i : instruction) : vectors :=
  match i with
  | One out => vset s out (Some (repeat 0 k))
  | Copy out from => vset s out (s from)
  | Mul out a b => vset s out (match s a, s b with Some x, Some y => Some (vplus x y) | _, _ => None end)
  | Sqr out a count => vset s out (if count <? 0 then None else option_map (vdoubled (Z.to_nat count)) (s a))
  | Select out first length d => vset s out (if andb (0 <=? d) (d <? length) then s (first + d) else None)
  end.

Fixpoint vrun (k : nat) (s : vectors) (code : list instruction) : vectors :=
  match code with [] => s | i :: code => vrun k (vstep k s i) code end.

Definition unit_vector (k place : nat) : list Z := map (fun i => if Nat.eqb i place then 1 else 0) (seq 0 k).
Definition bases (k : nat) : vectors :=
  fun r => if andb (0 <=? r) (r <? Z.of_nat k) then Some (unit_vector k (Z.to_nat r)) else None.

Section Commutative.
  Variables (M : Type) (one : M) (mul : M -> M -> M).
  Hypothesis mul_assoc : forall a b c, mul a (mul b c) = mul (mul a b) c.
  Hypothesis mul_comm : forall a b, mul a b = mul b a.
  Hypothesis one_left : forall a, mul one a = a.

  Let one_right a : mul a one = a.
  Proof. rewrite mul_comm. apply one_left. Qed.

  Fixpoint product (gs : list M) (es : list Z) : M :=
    match gs, es with g :: gs, e :: es => mul (pow M one mul g e) (product gs es) | _, _ => one end.

  Definition vector_of (gs : list M) (v : list Z) : Prop := length v = length gs /\ Forall (fun e => 0 <= e) v.

  Lemma vplus_vector gs : forall a b, vector_of gs a -> vector_of gs b -> vector_of gs (vplus a b).
  Proof.
    unfold vector_of. induction gs as [| g gs IH]; intros [| x a] [| y b] [La Fa] [Lb Fb]; cbn in *; try discriminate; [auto |].
    inversion_clear Fa. inversion_clear Fb. destruct (IH a b) as [L F]; [auto | auto |]. split; [lia |]. constructor; [lia | exact F].
  Qed.

  Lemma product_plus gs : forall a b, vector_of gs a -> vector_of gs b -> product gs (vplus a b) = mul (product gs a) (product gs b).
  Proof.
    unfold vector_of. induction gs as [| g gs IH]; intros [| x a] [| y b] [La Fa] [Lb Fb]; cbn in *; try discriminate; [symmetry; apply one_left |].
    inversion_clear Fa. inversion_clear Fb.
    rewrite (pow_add M one mul mul_assoc one_left g x y) by assumption. rewrite IH by auto.
    rewrite <- !mul_assoc. f_equal. rewrite !mul_assoc. f_equal. apply mul_comm.
  Qed.

  Lemma vdoubled_holds gs : forall count v, vector_of gs v ->
    vector_of gs (vdoubled count v) /\ square_n M mul count (product gs v) = product gs (vdoubled count v).
  Proof.
    induction count as [| count IH]; intros v Hv; cbn [vdoubled square_n]; [auto |].
    rewrite <- (product_plus gs v v) by assumption. apply IH, vplus_vector; assumption.
  Qed.

  Definition vholds (gs : list M) (s : vectors) (t : Z -> M) : Prop := forall r v, s r = Some v -> vector_of gs v /\ t r = product gs v.

  Lemma product_of_zeros gs : vector_of gs (repeat 0 (length gs)) /\ product gs (repeat 0 (length gs)) = one.
  Proof.
    unfold vector_of. induction gs as [| g gs [[L F] E]]; cbn; [auto |]. repeat split; [lia | constructor; [lia | exact F] |].
    rewrite E. apply one_left.
  Qed.

  Lemma vstep_holds gs s t i : vholds gs s t -> vholds gs (vstep (length gs) s i) (step_in M one mul t i).
  Proof.
    intros H r v. destruct i; cbn [vstep step_in]; unfold vset; destruct (r =? _); try (apply H).
    - intros [= <-]. destruct (product_of_zeros gs) as [Hv E]. auto.
    - destruct (s a) as [x |] eqn:Ha; [| discriminate]. destruct (s b) as [y |] eqn:Hb; [| discriminate]. intros [= <-].
      destruct (H _ _ Ha) as [Hx ->]. destruct (H _ _ Hb) as [Hy ->]. split; [apply vplus_vector; assumption |].
      symmetry. apply product_plus; assumption.
    - destruct (count <? 0); [discriminate |]. destruct (s a) as [x |] eqn:Ha; [| discriminate]. intros [= <-].
      destruct (H _ _ Ha) as [Hx ->]. apply vdoubled_holds, Hx.
    - destruct (andb _ _); [apply H | discriminate].
  Qed.

  Lemma vrun_holds gs code : forall s t, vholds gs s t -> vholds gs (vrun (length gs) s code) (run_in M one mul t code).
  Proof. induction code as [| i code IH]; intros s t H; cbn; [exact H | apply IH, vstep_holds, H]. Qed.

  Lemma product_of_unit : forall gs start place, (place < length gs)%nat ->
    product gs (map (fun i => if Nat.eqb i (start + place) then 1 else 0) (seq start (length gs))) = nth place gs one.
  Proof.
    assert (Hzero : forall gs start place, (place < start)%nat ->
      product gs (map (fun i => if Nat.eqb i place then 1 else 0) (seq start (length gs))) = one).
    { induction gs as [| g gs IH]; intros start place Hp; cbn [length seq map product]; [reflexivity |].
      destruct (Nat.eqb_spec start place); [lia |]. rewrite IH by lia. apply one_left. }
    induction gs as [| g gs IH]; intros start place Hp; cbn [length] in Hp; [lia |]. cbn [length seq map product].
    destruct place as [| place]; cbn [nth].
    - replace (start + 0)%nat with start by lia. rewrite Nat.eqb_refl, Hzero by lia. rewrite one_right. unfold pow. change (Z.to_nat 1) with 1%nat. cbn [npow]. apply one_right.
    - destruct (Nat.eqb_spec start (start + S place)); [lia |]. replace (start + S place)%nat with (S start + place)%nat by lia.
      rewrite IH by lia. apply one_left.
  Qed.

  Lemma bases_hold gs t : (forall place, (place < length gs)%nat -> t (Z.of_nat place) = nth place gs one) -> vholds gs (bases (length gs)) t.
  Proof.
    intros Ht r v. unfold bases. destruct (Z.leb_spec 0 r); [| discriminate]. destruct (Z.ltb_spec r (Z.of_nat (length gs))); [| discriminate].
    cbn [andb]. intros [= <-]. repeat split.
    - unfold unit_vector. rewrite map_length, seq_length. reflexivity.
    - unfold unit_vector. apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as [i [<- _]]. destruct (Nat.eqb _ _); lia.
    - rewrite <- (Z2Nat.id r) at 1 by lia. rewrite Ht by lia. symmetry. apply (product_of_unit gs 0). lia.
  Qed.
End Commutative.

(* Instructions from numbers, as Encoding has them. *)
Fixpoint digits_of (count : nat) (x : Z) (above : list Z) : list Z :=
  match count with O => above | S count => if x =? 0 then above else digits_of count (x / 256) (x mod 256 :: above) end.

Definition instruction_of (x : int) : option instruction :=
  match digits_of 8 (to_Z x) [] with
  | [1; out] => Some (One out)
  | [2; out; from] => Some (Copy out from)
  | [3; out; a; b] => Some (Mul out a b)
  | [4; out; a; count] => Some (Sqr out a count)
  | [5; out; first; length; d] => Some (Select out first length d)
  | _ => None
  end.

Fixpoint code_of (numbers : list int) : option (list instruction) :=
  match numbers with
  | [] => Some []
  | x :: numbers => match instruction_of x, code_of numbers with Some i, Some code => Some (i :: code) | _, _ => None end
  end.

(* Whether a program leaves the product of the bases' powers: the exponents, then the register of the result and the code. *)
Definition multiplies_out (run : list Z * list int) : bool :=
  match snd run with
  | [] => false
  | result :: numbers =>
    match code_of numbers with
    | None => false
    | Some code =>
      match vrun (length (fst run)) (bases (length (fst run))) code (to_Z result) with
      | None => false
      | Some v => if list_eq_dec Z.eq_dec v (fst run) then true else false
      end
    end
  end.

Theorem products_multiply_out M one mul es result numbers :
  (forall a b c : M, mul a (mul b c) = mul (mul a b) c) -> (forall a b, mul a b = mul b a) -> (forall a, mul one a = a) ->
  multiplies_out (es, result :: numbers) = true ->
  exists code, code_of numbers = Some code /\
  forall gs t, length gs = length es -> (forall place, (place < length gs)%nat -> t (Z.of_nat place) = nth place gs one) ->
  run_in M one mul t code (to_Z result) = product M one mul gs es.
Proof.
  intros Ha Hc Hl. unfold multiplies_out. cbn [fst snd]. destruct (code_of numbers) as [code |]; [| discriminate].
  destruct (vrun _ _ code _) as [v |] eqn:Hv; [| discriminate]. destruct (list_eq_dec Z.eq_dec v es) as [-> |]; [| discriminate]. intros _.
  exists code. split; [reflexivity |]. intros gs t Hgs Ht. rewrite <- Hgs in Hv.
  exact (proj2 (vrun_holds M one mul Ha Hc Hl gs code _ t (bases_hold M one mul Hc Hl gs t Ht) _ _ Hv)).
Qed.
