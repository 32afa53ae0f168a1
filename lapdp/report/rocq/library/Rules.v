(* The kernel's rules as lemmas, proved from Assumptions.v. *)
From Coq Require Export Reals QArith List Ring_polynom.
From Coq Require Import Lra Lia Qreals Setoid.
From Coq Require Import ClassicalDescription FunctionalExtensionality PropExtensionality.
From Coquelicot Require Export Coquelicot.
From Lapdp Require Export Assumptions.
Export ListNotations.
Open Scope R_scope.

(* ---- words of sentences ---- *)
Notation oint := (@int Out). Notation oiny := (@iny Out).
Notation lint := (@int Line). Notation liny := (@iny Line).
Definition whole (x : R) := exists n : nat, x = INR n.
Definition tends (f : R -> R) (l : R) := is_lim f p_infty l.
Definition sup_real (A : R -> Prop) : R := real (Lub_Rbar A).
Definition sup_event (f : event -> R) : R := sup_real (fun r => exists S, r = f S).

(* ---- logic ---- *)
Lemma If_true {T} (A : Prop) (x y : T) : A -> If A x y = x.
Proof. unfold If; destruct excluded_middle_informative; tauto. Qed.
Lemma If_false {T} (A : Prop) (x y : T) : ~ A -> If A x y = y.
Proof. unfold If; destruct excluded_middle_informative; tauto. Qed.
Lemma not_all {T} (A : T -> Prop) : ~ (forall x, A x) <-> exists x, ~ A x.
Proof. split; [|firstorder]. intros H; apply Classical_Prop.NNPP; intros K; apply H; intros x.
  apply Classical_Prop.NNPP; firstorder. Qed.
Lemma not_some {T} (A : T -> Prop) : ~ (exists x, A x) <-> forall x, ~ A x.
Proof. firstorder. Qed.
Lemma under_all {T} (A B : T -> Prop) : (forall x, A x <-> B x) -> ((forall x, A x) <-> forall x, B x).
Proof. firstorder. Qed.
Lemma alike {T U} (F : (T -> U) -> Prop) (f g : T -> U) : (forall x, f x = g x) -> F f <-> F g.
Proof. intros H; rewrite (functional_extensionality f g H); tauto. Qed.
Lemma equal {T U V} (F : (T -> U) -> V) (f g : T -> U) : (forall x, f x = g x) -> F f = F g.
Proof. intros H; rewrite (functional_extensionality f g H); reflexivity. Qed.
Lemma formulas {T} (A B : T -> Prop) : (forall x, A x <-> B x) -> forall x, A x = B x.
Proof. intros H x; apply propositional_extensionality, H. Qed.
Lemma replaced (A B : Prop) (F : Prop -> Prop) : (A <-> B) -> F A -> F B.
Proof. intros H; rewrite (propositional_extensionality A B H); auto. Qed.

(* Tautologies by computation: split on the first atom that is left, as the kernel does. *)
Inductive form := Atom (n : positive) | True_ | False_ | Not (a : form) | And (a b : form)
  | Or (a b : form) | Imp (a b : form) | Iff (a b : form).
Section tautologies.
Variable v : positive -> Prop.
Fixpoint holds f := match f with Atom n => v n | True_ => True | False_ => False | Not a => ~ holds a
  | And a b => holds a /\ holds b | Or a b => holds a \/ holds b | Imp a b => holds a -> holds b
  | Iff a b => holds a <-> holds b end.
Definition not_ a := match a with True_ => False_ | False_ => True_ | _ => Not a end.
Definition and_ a b := match a, b with True_, _ => b | False_, _ => False_ | _, True_ => a
  | _, False_ => False_ | _, _ => And a b end.
Definition or_ a b := match a, b with True_, _ => True_ | False_, _ => b | _, True_ => True_
  | _, False_ => a | _, _ => Or a b end.
Definition imp_ a b := match a, b with True_, _ => b | False_, _ => True_ | _, True_ => True_
  | _, False_ => not_ a | _, _ => Imp a b end.
Definition iff_ a b := match a, b with True_, _ => b | False_, _ => not_ b | _, True_ => a
  | _, False_ => not_ a | _, _ => Iff a b end.
Fixpoint assign n (yes : bool) f := match f with
  | Atom m => if Pos.eqb n m then (if yes then True_ else False_) else f
  | Not a => not_ (assign n yes a) | And a b => and_ (assign n yes a) (assign n yes b)
  | Or a b => or_ (assign n yes a) (assign n yes b) | Imp a b => imp_ (assign n yes a) (assign n yes b)
  | Iff a b => iff_ (assign n yes a) (assign n yes b) | _ => f end.
Fixpoint first_atom f := match f with Atom n => Some n | True_ | False_ => None | Not a => first_atom a
  | And a b | Or a b | Imp a b | Iff a b =>
    match first_atom a with Some n => Some n | None => first_atom b end end.
Fixpoint tautology (fuel : nat) f := match f with True_ => true | False_ => false | _ =>
  match fuel, first_atom f with
  | S k, Some n => andb (tautology k (assign n true f)) (tautology k (assign n false f))
  | _, _ => false end end.
Lemma assign_holds n (yes : bool) f : (if yes then v n else ~ v n) -> (holds (assign n yes f) <-> holds f).
Proof.
  intros H; induction f as [m| | |a IH|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb]; simpl; try tauto.
  - destruct (Pos.eqb_spec n m) as [<-|_]; [destruct yes|]; simpl; tauto.
  - rewrite <- IH; destruct (assign n yes a); simpl; tauto.
  - rewrite <- IHa, <- IHb; destruct (assign n yes a), (assign n yes b); simpl; tauto.
  - rewrite <- IHa, <- IHb; destruct (assign n yes a), (assign n yes b); simpl; tauto.
  - rewrite <- IHa, <- IHb; destruct (assign n yes a), (assign n yes b); simpl; tauto.
  - rewrite <- IHa, <- IHb; destruct (assign n yes a), (assign n yes b); simpl; tauto.
Qed.
Lemma tautology_holds fuel : forall f, tautology fuel f = true -> holds f.
Proof.
  induction fuel as [|k IH]; intros f H; [destruct f; simpl in *; tauto || discriminate|].
  assert (S : f = True_ \/ exists n, tautology k (assign n true f) = true /\ tautology k (assign n false f) = true).
  { destruct f; cbn [tautology] in H; try (left; reflexivity); try discriminate H; right;
    match type of H with context [match ?x with Some _ => _ | None => _ end] => destruct x as [m|] eqn:E end;
    try discriminate H; exists m; apply andb_prop in H; exact H. }
  destruct S as [->|[n [A B]]]; [exact I|].
  destruct (Classical_Prop.classic (v n)) as [V|V];
    [apply (assign_holds n true f V)|apply (assign_holds n false f V)]; auto.
Qed.
End tautologies.
Fixpoint at_ (l : list Prop) (n : positive) : Prop :=
  match l with nil => True | cons A l' => match n with xH => A | _ => at_ l' (Pos.pred n) end end.
(* constants are simplified first: as if an atom beyond all of them, which is true, were replaced *)
Definition beyond (l : list Prop) := Pos.of_succ_nat (length l).
Lemma beyond_true l : at_ l (beyond l).
Proof. unfold beyond; induction l as [|A l IH]; [exact I|]; cbn [length Pos.of_succ_nat at_].
  rewrite Pos.pred_succ; destruct (Pos.succ (Pos.of_succ_nat (length l))) eqn:E; try exact IH.
  destruct (Pos.succ_not_1 _ E). Qed.
Lemma taut (l : list Prop) (f : form) :
  tautology (length l) (assign (beyond l) true f) = true -> holds (at_ l) f.
Proof. intros H; apply (assign_holds (at_ l) (beyond l) true f (beyond_true l)), (tautology_holds _ _ _ H). Qed.

(* ---- order, whole numbers ---- *)
Lemma order_total x y : x < y \/ x = y \/ y < x. Proof. lra. Qed.
Lemma order_not_le x y : ~ x <= y <-> y < x. Proof. lra. Qed.
Lemma order_not_lt x y : ~ x < y <-> y <= x. Proof. lra. Qed.
Lemma order_eq x y : x = y <-> x <= y /\ y <= x. Proof. lra. Qed.
Lemma whole_next x : whole x -> whole (x + 1).
Proof. intros [n ->]; exists (S n); rewrite S_INR; ring. Qed.
Lemma whole_pos x : whole x -> 0 <= x. Proof. intros [n ->]; apply pos_INR. Qed.
Lemma whole_before x : whole x -> x = 0 \/ whole (x + -1).
Proof. intros [[|n] ->]; [left; reflexivity|right; exists n; rewrite S_INR; ring]. Qed.
Lemma whole_sum x y : whole x /\ whole y -> whole (x + y).
Proof. intros [[m ->] [n ->]]; exists (m + n)%nat; symmetry; apply plus_INR. Qed.
Lemma whole_product x y : whole x /\ whole y -> whole (x * y).
Proof. intros [[m ->] [n ->]]; exists (m * n)%nat; symmetry; apply mult_INR. Qed.
Lemma whole_number (n : nat) (z : Z) : Z.of_nat n = z -> whole (IZR z).
Proof. intros <-; exists n; symmetry; apply INR_IZR_INZ. Qed.
Lemma induct (A : R -> Prop) : A 0 -> (forall n, whole n /\ A n -> A (n + 1)) -> forall n, whole n -> A n.
Proof. intros Z S n [k ->]; induction k as [|k IH]; [exact Z|rewrite S_INR; apply S; split; [exists k|]; auto]. Qed.

(* ---- arithmetic: gaps, and identities of polynomials by computation ---- *)
Lemma gap_lt s t : s < t -> 0 < t + -1 * s. Proof. lra. Qed.
Lemma gap_le s t : s <= t -> 0 <= t + -1 * s. Proof. lra. Qed.
Lemma gap_eq s t : s = t -> t + -1 * s = 0. Proof. lra. Qed.
Lemma weak x : 0 < x -> 0 <= x. Proof. lra. Qed.
Lemma nonneg x : x = 0 -> 0 <= x. Proof. lra. Qed.
Lemma by_lt s t g : 0 < g -> t + -1 * s = g -> s < t. Proof. lra. Qed.
Lemma by_le s t g : 0 <= g -> t + -1 * s = g -> s <= t. Proof. lra. Qed.
Lemma by_eq s t g : g = 0 -> t + -1 * s = g -> s = t. Proof. lra. Qed.
Lemma sum_lt x y : 0 < x -> 0 <= y -> 0 < x + y. Proof. lra. Qed.
Lemma sum_ge x y : 0 <= x -> 0 < y -> 0 < x + y. Proof. lra. Qed.
Lemma sum_le x y : 0 <= x -> 0 <= y -> 0 <= x + y. Proof. lra. Qed.
Lemma sum_eq x y : x = 0 -> y = 0 -> x + y = 0. Proof. lra. Qed.
Lemma zero_left x y : x = 0 -> x * y = 0. Proof. intros ->; ring. Qed.
Lemma zero_right x y : y = 0 -> x * y = 0. Proof. intros ->; ring. Qed.

Definition number (q : Q) : R := match Qden q with xH => IZR (Qnum q) | d => IZR (Qnum q) / IZR (Zpos d) end.
Lemma number_Q2R q : number q = Q2R q.
Proof. unfold number, Q2R; destruct q as [n d]; simpl; destruct d; try reflexivity. field. Qed.
Definition Rth : ring_theory 0 1 Rplus Rmult Rminus Ropp eq := RTheory.
Lemma number_morph : ring_morph 0 1 Rplus Rmult Rminus Ropp eq 0%Q 1%Q Qplus Qmult Qminus Qopp Qeq_bool number.
Proof. constructor; try reflexivity; intros; rewrite ?number_Q2R.
  apply Q2R_plus. apply Q2R_minus. apply Q2R_mult. apply Q2R_opp.
  apply Qeq_eqR, Qeq_bool_eq; assumption. Qed.
Definition poly := PExpr Q.
Definition value (l : list R) (e : poly) : R :=
  PEeval 0 1 Rplus Rmult Rminus Ropp number N.to_nat pow l e.
Fixpoint equations (l : list R) (es : list (poly * poly)) : Prop :=
  match es with nil => True | cons (a, b) es' => value l a = value l b /\ equations l es' end.
(* the left sides of equations are monomials with coefficient 1 *)
Definition by_one (a b : Q) : Q * Q := if Qeq_bool b 1 then (a, 0%Q) else (0%Q, a).
Lemma by_one_th : div_theory eq Qplus Qmult number by_one.
Proof. constructor; intros a b; unfold by_one; destruct (Qeq_bool b 1) eqn:E; rewrite !number_Q2R;
  apply Qeq_eqR; [apply Qeq_bool_eq in E; rewrite E|]; ring. Qed.
Definition normal (es : list (poly * poly)) : poly -> Pol Q :=
  norm_subst 0%Q 1%Q Qplus Qmult Qminus Qopp Qeq_bool by_one 100
    (mk_monpol_list 0%Q 1%Q Qplus Qmult Qminus Qopp Qeq_bool by_one es).
Definition same_poly es a b := Peq Qeq_bool (normal es a) (normal es b).
Lemma identity (l : list R) (es : list (poly * poly)) (a b : poly) :
  same_poly es a b = true -> equations l es -> value l a = value l b.
Proof.
  intros H E; refine (ring_correct (Eqsth R) (Eq_ext _ _ _) (Rth_ARth (Eqsth R) (Eq_ext _ _ _) Rth)
    number_morph R_power_theory by_one_th 100 l es a b _ H).
  revert E; clear; induction es as [|[x y] [|e es] IH]; intros E; [exact I|exact (proj1 E)|].
  split; [exact (proj1 E)|apply IH; exact (proj2 E)].
Qed.
Lemma weight_lt q : Qle_bool q 0 = false -> 0 < number q.
Proof. intros H; rewrite number_Q2R; replace 0 with (Q2R 0) by (unfold Q2R; simpl; lra).
  apply Qlt_Rlt, Qnot_le_lt; intros K; apply Qle_bool_iff in K; congruence. Qed.
Lemma weight_le q : Qle_bool 0 q = true -> 0 <= number q.
Proof. intros H; rewrite number_Q2R; replace 0 with (Q2R 0) by (unfold Q2R; simpl; lra).
  apply Qle_Rle, Qle_bool_iff, H. Qed.
Fixpoint sum (l : list R) := match l with nil => 0 | cons x l' => x + sum l' end.
Fixpoint product (l : list R) := match l with nil => 1 | cons x l' => x * product l' end.
Lemma exp_sum u l : u = sum l -> exp u = product (map exp l).
Proof. intros ->; induction l as [|x l IH]; simpl; [apply exp_0|rewrite exp_plus, IH; reflexivity]. Qed.
Lemma exp_cancel a b : a + b = 0 -> exp a * exp b = 1.
Proof. intros H; rewrite <- exp_plus, H; apply exp_0. Qed.
Fixpoint inverses (l : list (R * R)) : Prop :=
  match l with nil => True | cons (a, b) l' => / a = b /\ inverses l' end.
Lemma inv_product u l : u = product (map fst l) -> inverses l -> / u = product (map snd l).
Proof. intros ->; induction l as [|[a b] l IH]; simpl; [intros _; apply Rinv_1|intros [H K]].
  rewrite Rinv_mult, H, (IH K); reflexivity. Qed.
Lemma inv_number a b : a * b = 1 -> / a = b.
Proof. intros H; assert (a <> 0) by (intros ->; lra); apply (Rmult_eq_reg_l a); [rewrite H; field|]; auto. Qed.
Lemma inv_exp a b : a + b = 0 -> / exp a = exp b.
Proof. intros H; apply inv_number, exp_cancel, H. Qed.

(* ---- laws ---- *)
Lemma law_inverse x : ~ x = 0 -> x * / x = 1. Proof. intros; field; assumption. Qed.
Lemma law_exp_positive x : 0 < exp x. Proof. apply exp_pos. Qed.
Lemma law_exp_above_tangent x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra|left; apply exp_ineq1, H]. Qed.
Lemma law_exp_monotone x y : x < y <-> exp x < exp y.
Proof. split; [apply exp_increasing|apply exp_lt_inv]. Qed.
Lemma law_exp_of_log x : 0 < x -> exp (ln x) = x. Proof. apply exp_ln. Qed.
Lemma law_log_of_exp x : ln (exp x) = x. Proof. apply ln_exp. Qed.
Lemma law_square x : 0 <= x * x. Proof. apply Rle_0_sqr. Qed.
Lemma law_sqrt x : 0 <= x -> 0 <= sqrt x /\ sqrt x * sqrt x = x.
Proof. split; [apply sqrt_pos|apply sqrt_sqrt; assumption]. Qed.
Lemma law_abs x : Rabs x = If (0 <= x) x (-1 * x).
Proof. destruct (Rle_dec 0 x); [rewrite If_true, Rabs_pos_eq|rewrite If_false, Rabs_left]; lra. Qed.
Lemma law_max x y : Rmax x y = If (x <= y) y x.
Proof. unfold Rmax; destruct Rle_dec; [rewrite If_true|rewrite If_false]; auto. Qed.
Lemma law_min x y : Rmin x y = If (x <= y) x y.
Proof. unfold Rmin; destruct Rle_dec; [rewrite If_true|rewrite If_false]; auto. Qed.
Lemma law_circle x : cos x * cos x + sin x * sin x = 1.
Proof. rewrite Rplus_comm; apply sin2_cos2. Qed.
Lemma law_abs_of_product x y : Rabs (x * y) = Rabs x * Rabs y. Proof. apply Rabs_mult. Qed.

(* ---- functions that are measurable by structure ---- *)
Section structure.
Context {s : space}.
Implicit Types (f g : point s -> R) (A B : point s -> Prop).
Lemma meas_same f g : (forall x, f x = g x) -> meas f -> meas g.
Proof. intros H; rewrite (functional_extensionality f g H); auto. Qed.
Lemma meas_line (f : point s -> R) (g : R -> R) : (forall x, x <> 0 -> continuity_pt g x) ->
  meas f -> meas (fun x => g (f x)).
Proof. intros H; exact (meas_comp s g f (meas_continuous g H)). Qed.
Lemma meas_inv f : meas f -> meas (fun x => / f x).
Proof. apply (meas_line f Rinv); intros x H. apply (continuity_pt_inv id x); [apply derivable_continuous_pt, derivable_pt_id|exact H]. Qed.
Lemma meas_exp f : meas f -> meas (fun x => exp (f x)).
Proof. apply (meas_line f exp); intros; apply derivable_continuous_pt, derivable_pt_exp. Qed.
Lemma meas_cos f : meas f -> meas (fun x => cos (f x)).
Proof. apply (meas_line f cos); intros; apply continuity_cos. Qed.
Lemma meas_sin f : meas f -> meas (fun x => sin (f x)).
Proof. apply (meas_line f sin); intros; apply continuity_sin. Qed.
Lemma meas_abs f : meas f -> meas (fun x => Rabs (f x)).
Proof. apply (meas_line f Rabs); intros; apply Rcontinuity_abs. Qed.
Lemma meas_log f : meas f -> meas (fun x => ln (f x)).
Proof.
  apply (meas_line f ln); intros x H; destruct (Rlt_dec 0 x) as [P|N].
  - apply derivable_continuous_pt; exists (/ x); apply derivable_pt_lim_ln, P.
  - assert (E : forall y, y <= 0 -> ln y = 0) by
      (intros y Y; unfold ln; destruct (Rlt_dec 0 y); [exfalso; lra|reflexivity]).
    intros e He; exists (- x); split; [lra|]; intros y [_ Y]; simpl in *; unfold R_dist in *.
    rewrite !E by (try apply Rabs_def2 in Y; lra). rewrite Rminus_diag_eq, Rabs_R0; auto.
Qed.
Lemma meas_sqrt f : meas f -> meas (fun x => sqrt (f x)).
Proof. apply (meas_line f sqrt); intros x H; destruct (Rle_dec 0 x) as [P|N];
  [apply continuity_pt_sqrt, P|].
  intros e He; exists (- x); split; [lra|]; intros y [_ Y]; simpl in *; unfold R_dist in *.
  rewrite !sqrt_neg_0 by (try apply Rabs_def2 in Y; lra). rewrite Rminus_diag_eq, Rabs_R0; auto. Qed.
Lemma ev_const (A : Prop) : event_of (fun _ : point s => A).
Proof. exact (meas_const (If A 1 0)). Qed.
Lemma ev_not A : event_of A -> event_of (fun x => ~ A x).
Proof. intros H; apply (meas_same (fun x => 1 + -1 * If (A x) 1 0)).
  - intros x; destruct (Classical_Prop.classic (A x)) as [a|a];
      [rewrite (If_true (A x)), If_false|rewrite (If_false (A x)), If_true]; try lra; tauto.
  - apply meas_add; [apply meas_const|apply meas_mul; [apply meas_const|exact H]]. Qed.
Lemma ev_and A B : event_of A -> event_of B -> event_of (fun x => A x /\ B x).
Proof. intros H K; apply (meas_same (fun x => If (A x) 1 0 * If (B x) 1 0)).
  - intros x; destruct (Classical_Prop.classic (A x)), (Classical_Prop.classic (B x));
      [rewrite !If_true|rewrite (If_true (A x)), !If_false|rewrite (If_false (A x)), (If_false (_ /\ _))|
       rewrite !If_false]; try lra; tauto.
  - apply meas_mul; assumption. Qed.
Lemma ev_same A B : (forall x, A x <-> B x) -> event_of A -> event_of B.
Proof. intros H; replace B with A; [auto|]; apply functional_extensionality; intros x.
  apply propositional_extensionality, H. Qed.
Lemma ev_or A B : event_of A -> event_of B -> event_of (fun x => A x \/ B x).
Proof. intros H K; apply (ev_same (fun x => ~ (~ A x /\ ~ B x))); [intros x; tauto|].
  apply ev_not, ev_and; apply ev_not; assumption. Qed.
Lemma ev_imp A B : event_of A -> event_of B -> event_of (fun x => A x -> B x).
Proof. intros H K; apply (ev_same (fun x => ~ (A x /\ ~ B x))); [intros x; tauto|].
  apply ev_not, ev_and; [|apply ev_not]; assumption. Qed.
Lemma ev_iff A B : event_of A -> event_of B -> event_of (fun x => A x <-> B x).
Proof. intros H K; apply (ev_and (fun x => A x -> B x) (fun x => B x -> A x)); apply ev_imp; assumption. Qed.
Lemma ev_lt f g : meas f -> meas g -> event_of (fun x => f x < g x). Proof. apply meas_lt. Qed.
Lemma ev_le f g : meas f -> meas g -> event_of (fun x => f x <= g x).
Proof. intros H K; apply (ev_same (fun x => ~ g x < f x)); [intros x; lra|apply ev_not, meas_lt; assumption]. Qed.
Lemma ev_eq f g : meas f -> meas g -> event_of (fun x => f x = g x).
Proof. intros H K; apply (ev_same (fun x => f x <= g x /\ g x <= f x)); [intros x; lra|].
  apply ev_and; apply ev_le; assumption. Qed.
Lemma meas_if A f g : event_of A -> meas f -> meas g -> meas (fun x => If (A x) (f x) (g x)).
Proof. intros H F G; apply (meas_same (fun x => If (A x) 1 0 * f x + (1 + -1 * If (A x) 1 0) * g x)).
  - intros x; destruct (Classical_Prop.classic (A x)) as [a|a]; [rewrite !If_true|rewrite !If_false]; auto; ring.
  - apply meas_add; apply meas_mul; auto; apply meas_add; [apply meas_const|apply meas_mul; [apply meas_const|exact H]]. Qed.
Lemma meas_max f g : meas f -> meas g -> meas (fun x => Rmax (f x) (g x)).
Proof. intros F G; apply (meas_same (fun x => If (f x <= g x) (g x) (f x))); [intros; symmetry; apply law_max|].
  apply meas_if; [apply ev_le|..]; assumption. Qed.
Lemma meas_min f g : meas f -> meas g -> meas (fun x => Rmin (f x) (g x)).
Proof. intros F G; apply (meas_same (fun x => If (f x <= g x) (f x) (g x))); [intros; symmetry; apply law_min|].
  apply meas_if; [apply ev_le|..]; assumption. Qed.
Lemma meas_app (g : borel) f : meas f -> meas (fun x => app g (f x)).
Proof. apply meas_comp, app_meas. Qed.
End structure.
Definition ev_fst a b (A : point a -> Prop) (H : event_of A) : @event_of (Both a b) (fun z => A (fst z)) := meas_fst a b _ H.
Definition ev_snd a b (A : point b -> Prop) (H : event_of A) : @event_of (Both a b) (fun z => A (snd z)) := meas_snd a b _ H.
Lemma meas_id : @meas Line (fun t => t).
Proof. apply meas_continuous; intros; apply derivable_continuous_pt, derivable_pt_id. Qed.

(* ---- integrals ---- *)
Section integrals.
Context {s : space}.
Implicit Types f g : point s -> R.
Lemma mono_abs f : iny f -> iny (fun x => Rabs (f x)) -> Rabs (int f) <= int (fun x => Rabs (f x)).
Proof. intros F G; apply Rabs_le; split.
  - destruct (int_scale s (-1) _ G) as [G' E]. enough (- 1 * int (fun x => Rabs (f x)) <= int f) by lra.
    rewrite <- E; apply int_mono; auto; intros x. pose proof (Rle_abs (- f x)); rewrite Rabs_Ropp in *; lra.
  - apply int_mono; auto; intros x; apply Rle_abs. Qed.
Lemma either f g : (iny f -> iny g /\ int f = int g) -> (iny g -> iny f /\ int g = int f) ->
  (iny f <-> iny g) /\ int f = int g.
Proof. intros H K; split; [tauto|]; destruct (Classical_Prop.classic (iny f)) as [F|F]; [apply H, F|].
  rewrite (int_none s f F), (int_none s g); tauto. Qed.
(* several null functions: the sum of them *)
Fixpoint nulls (l : list (point s -> R)) : Prop := match l with nil => True
  | cons n l' => ((forall x, 0 <= n x) /\ iny n /\ int n = 0) /\ nulls l' end.
Fixpoint where_null (l : list (point s -> R)) (x : point s) (A : Prop) : Prop :=
  match l with nil => A | cons n l' => n x = 0 -> where_null l' x A end.
Definition total (l : list (point s -> R)) x := fold_right (fun n r => n x + r) 0 l.
Lemma nulls_total l : nulls l -> (forall x, 0 <= total l x) /\ iny (total l) /\ int (total l) = 0.
Proof. induction l as [|n l IH]; [intros _|intros [[P [I E]] K]].
  - destruct (int_zero s); repeat split; auto; intros; apply Rle_refl.
  - destruct (IH K) as [P' [I' E']]; destruct (int_sum s n (total l) I I') as [J F]; repeat split; auto.
    + intros x; specialize (P x); specialize (P' x); simpl; fold (total l x); lra.
    + transitivity (int n + int (total l)); [exact F|lra]. Qed.
Lemma total_null l x A : nulls l -> total l x = 0 -> where_null l x A -> A.
Proof. induction l as [|n l IH]; [auto|intros [[P _] K] E W]. destruct (nulls_total l K) as [P' _].
  specialize (P x); specialize (P' x); change (total (n :: l) x) with (n x + total l x) in E.
  apply IH; [exact K|lra|apply W; lra]. Qed.
Lemma almost l f g : nulls l -> (forall x, where_null l x (f x = g x)) -> meas f -> meas g ->
  (iny f <-> iny g) /\ int f = int g.
Proof. intros N E F G; destruct (nulls_total l N) as [P [I Z]].
  assert (K : forall x, total l x = 0 -> f x = g x) by (intros x H; apply (total_null l x); auto).
  apply either; intros H; [apply (int_null s (total l) f g)|apply (int_null s (total l) g f)]; auto.
  intros x X; symmetry; auto. Qed.
End integrals.
Lemma density_pos (P : density) : forall x, 0 <= P x. Proof. apply dens_pos. Qed.
Lemma density_one (P : density) : oiny (fun x => P x) /\ oint (fun x => P x) = 1.
Proof. split; [apply dens_iny|apply dens_one]. Qed.
Lemma as_density (f : outcome -> R) : @meas Out f -> (forall x, 0 <= f x) -> oiny f -> oint f = 1 ->
  exists p : density, forall x, p x = f x.
Proof. intros M N I V.
  exists {| dens := f; dens_meas := M; dens_pos := N; dens_iny := I; dens_one := V |}.
  reflexivity. Qed.
(* equal off finitely many points: move g's values to one point after the other *)
Fixpoint off (l : list R) (t : R) (A : Prop) : Prop :=
  match l with nil => A | cons c l' => ~ t = c -> off l' t A end.
Lemma off_or l t A : off l t A -> A \/ In t l.
Proof. induction l as [|c l IH]; simpl; [auto|]; destruct (Req_dec t c) as [->|H]; [auto|intros K].
  destruct (IH (K H)); auto. Qed.
Lemma except_at l : forall f g : point Line -> R, (forall t, off l t (f t = g t)) ->
  (liny f <-> liny g) /\ lint f = lint g.
Proof.
  assert (D : forall f g : point Line -> R, (forall t, f t = g t \/ In t l) -> liny f -> liny g /\ lint f = lint g).
  { induction l as [|c l' IH]; intros f g H F.
    - replace g with f; [auto|]; apply functional_extensionality; intros t; destruct (H t) as [E|[]]; exact E.
    - destruct (line_point f (fun t => If (t = c) (g t) (f t)) c) as [F' E]; auto.
      + intros t T; rewrite If_false; auto.
      + destruct (IH (fun t => If (t = c) (g t) (f t)) g) as [G E']; auto; [|split; congruence].
        intros t; destruct (Req_dec t c) as [->|T]; [rewrite If_true; auto|rewrite If_false by exact T].
        destruct (H t) as [K|[K|K]]; auto; exfalso; auto. }
  intros f g H; apply either; apply D; intros t; destruct (off_or l t _ (H t)); auto. Qed.

(* ---- limits at +oo ---- *)
Lemma lim_sum f g a b : tends f a -> tends g b -> tends (fun t => f t + g t) (a + b).
Proof. apply is_lim_plus'. Qed.
Lemma lim_product f g a b : tends f a -> tends g b -> tends (fun t => f t * g t) (a * b).
Proof. intros F G; apply (is_lim_mult f g p_infty a b F G); exact I. Qed.
Lemma lim_constant (c : R) : tends (fun _ => c) c. Proof. apply is_lim_const. Qed.
Lemma lim_affine f r c l : 0 < r -> tends f l -> tends (fun t => f (r * t + c)) l.
Proof. intros P F; apply (is_lim_comp f (fun t => r * t + c) p_infty l p_infty F).
  - intros M [N H]; exists ((N - c) / r); intros t T; apply H.
    apply (Rmult_lt_compat_l r) in T; [|exact P]. replace (r * ((N - c) / r)) with (N - c) in T by (field; lra). lra.
  - exists 0; intros; discriminate. Qed.
Lemma lim_equal f g l c : tends f l -> (forall t, c <= t -> f t = g t) -> tends g l.
Proof. intros F E; apply (is_lim_ext_loc f); [exists c; intros; apply E; lra|exact F]. Qed.
Lemma lim_squeeze f g c : tends f 0 -> (forall t, c <= t -> Rabs (g t) <= f t) -> tends g 0.
Proof. intros F E; apply (is_lim_le_le_loc (fun t => - f t) f).
  - exists c; intros t T; apply Rabs_le_between, E; lra.
  - replace (Finite 0) with (Rbar_opp 0) by (simpl; f_equal; ring). apply is_lim_opp, F.
  - exact F. Qed.
Fixpoint powers (n : nat) (t x : R) := match n with O => x | S k => t * powers k t x end.
Lemma powers_split n t x y : powers n t (x * y) = x * powers n t y.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.
Lemma lim_decay n : forall r, 0 < r -> tends (fun t => powers n t (exp (-1 * (r * t)))) 0.
Proof.
  assert (Z : forall r, 0 < r -> tends (fun t => exp (-1 * (r * t))) 0).
  { intros r P; apply (is_lim_comp exp (fun t => -1 * (r * t)) p_infty 0 m_infty is_lim_exp_m).
    - intros M [N H]; exists (- N / r); intros t T; apply H.
      apply (Rmult_lt_compat_l r) in T; [|exact P]. replace (r * (- N / r)) with (- N) in T by (field; lra). lra.
    - exists 0; intros; discriminate. }
  induction n as [|n IH]; intros r P; [apply Z, P|].
  assert (L : tends (fun t => t * exp (-1 * (r / 2 * t))) 0).
  { apply (lim_squeeze (fun t => 16 / (r * r) * / t) _ 1).
    - replace 0 with (16 / (r * r) * 0) by ring. apply lim_product; [apply lim_constant|].
      apply (is_lim_inv (fun t => t) p_infty p_infty); [apply is_lim_id|discriminate].
    - intros t T. pose proof (law_exp_above_tangent (r / 4 * t)) as B.
      assert (Q : 0 < r / 4 * t) by (apply Rmult_lt_0_compat; lra).
      set (e := exp (r / 4 * t)) in *. assert (X : exp (-1 * (r / 2 * t)) = / (e * e)).
      { unfold e; rewrite <- exp_plus, <- exp_Ropp; f_equal; field. }
      rewrite X, Rabs_pos_eq by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra]).
      apply (Rmult_le_reg_r (e * e * t * (r * r))); [repeat apply Rmult_lt_0_compat; lra|].
      replace (t * / (e * e) * (e * e * t * (r * r))) with (16 * ((r / 4 * t) * (r / 4 * t))) by (field; lra).
      replace (16 / (r * r) * / t * (e * e * t * (r * r))) with (16 * (e * e)) by (field; lra).
      apply Rmult_le_compat_l; [lra|apply Rmult_le_compat; lra]. }
  replace 0 with (0 * 0) by ring.
  apply (is_lim_ext (fun t => t * exp (-1 * (r / 2 * t)) * powers n t (exp (-1 * (r / 2 * t)))));
    [|apply lim_product; [exact L|apply IH; lra]].
  intros t; simpl; rewrite Rmult_assoc; f_equal; rewrite <- powers_split; f_equal.
  rewrite <- exp_plus; f_equal; field. Qed.

(* ---- derivatives: F is differentiable at t with the derivative f, continuous there ---- *)
Definition C1 (F f : R -> R) t := derivable_pt_lim F t (f t) /\ continuity_pt f t.
Lemma C1_continuous F f t : C1 F f t -> continuity_pt F t.
Proof. intros [D _]; apply derivable_continuous_pt; exists (f t); exact D. Qed.
Lemma C1_const c t : C1 (fun _ => c) (fun _ => 0) t.
Proof. split; [apply derivable_pt_lim_const|apply continuity_pt_const; intros x y; reflexivity]. Qed.
Lemma C1_id t : C1 (fun x => x) (fun _ => 1) t.
Proof. split; [apply derivable_pt_lim_id|apply continuity_pt_const; intros x y; reflexivity]. Qed.
Lemma C1_add F f G g t : C1 F f t -> C1 G g t -> C1 (fun x => F x + G x) (fun x => f x + g x) t.
Proof. intros [A B] [C D]; split; [apply derivable_pt_lim_plus|apply continuity_pt_plus]; assumption. Qed.
Lemma C1_mul F f G g t : C1 F f t -> C1 G g t -> C1 (fun x => F x * G x) (fun x => f x * G x + F x * g x) t.
Proof. intros A B; split; [apply (derivable_pt_lim_mult F G); [apply A|apply B]|].
  apply (continuity_pt_plus (fun x => f x * G x) (fun x => F x * g x)); apply continuity_pt_mult;
  try apply A; try apply B; eapply C1_continuous; eassumption. Qed.
Lemma C1_chain (h h' : R -> R) F f t : C1 h h' (F t) -> C1 F f t -> C1 (fun x => h (F x)) (fun x => h' (F x) * f x) t.
Proof. intros [A B] C; split; [apply (derivable_pt_lim_comp F h); [apply C|exact A]|].
  apply (continuity_pt_mult (fun x => h' (F x)) f); [|apply C].
  apply (continuity_pt_comp F h'); [eapply C1_continuous; eassumption|exact B]. Qed.
Lemma C1_exp F f t : C1 F f t -> C1 (fun x => exp (F x)) (fun x => exp (F x) * f x) t.
Proof. apply C1_chain; split; [apply derivable_pt_lim_exp|apply derivable_continuous_pt, derivable_pt_exp]. Qed.
Lemma C1_inv F f t : ~ F t = 0 -> C1 F f t ->
  C1 (fun x => / F x) (fun x => -1 * (/ F x * / F x * f x)) t.
Proof. intros N C; assert (K : continuity_pt (fun x => / F x) t) by
    (apply (continuity_pt_inv F t); [eapply C1_continuous; eassumption|exact N]).
  split; [|apply continuity_pt_mult; [apply continuity_pt_const; intros x y; reflexivity|
    apply (continuity_pt_mult (fun x => / F x * / F x) f); [apply (continuity_pt_mult (fun x => / F x) (fun x => / F x)); exact K|apply C]]].
  apply is_derive_Reals; replace (-1 * (/ F t * / F t * f t)) with (- f t / (F t ^ 2)) by (field; exact N).
  apply is_derive_inv; [apply is_derive_Reals, C|exact N]. Qed.
Lemma C1_log F f t : 0 < F t -> C1 F f t -> C1 (fun x => ln (F x)) (fun x => / F x * f x) t.
Proof. intros P; apply C1_chain; split; [apply derivable_pt_lim_ln, P|].
  apply (continuity_pt_inv id (F t)); [apply derivable_continuous_pt, derivable_pt_id|apply Rgt_not_eq, P]. Qed.
Lemma C1_sqrt F f t : 0 < F t -> C1 F f t -> C1 (fun x => sqrt (F x)) (fun x => 1 / 2 * / sqrt (F x) * f x) t.
Proof. intros P; apply (C1_chain sqrt (fun y => 1 / 2 * / sqrt y)); split.
  - replace (1 / 2 * / sqrt (F t)) with (/ (2 * sqrt (F t))) by (field; apply Rgt_not_eq, sqrt_lt_R0, P).
    apply derivable_pt_lim_sqrt, P.
  - apply continuity_pt_mult; [apply continuity_pt_const; intros x y; reflexivity|].
    apply continuity_pt_inv; [apply continuity_pt_sqrt; lra|apply Rgt_not_eq, sqrt_lt_R0, P]. Qed.
Lemma C1_sin F f t : C1 F f t -> C1 (fun x => sin (F x)) (fun x => cos (F x) * f x) t.
Proof. apply C1_chain; split; [apply derivable_pt_lim_sin|apply continuity_cos]. Qed.
Lemma C1_cos F f t : C1 F f t -> C1 (fun x => cos (F x)) (fun x => -1 * sin (F x) * f x) t.
Proof. apply (C1_chain cos (fun y => -1 * sin y)); split.
  - replace (-1 * sin (F t)) with (- sin (F t)) by ring. apply derivable_pt_lim_cos.
  - apply continuity_pt_mult; [apply continuity_pt_const; intros x y; reflexivity|apply continuity_sin]. Qed.
Lemma ftc_finite (F F' f : R -> R) a c : a <= c -> (forall t, a < t /\ t < c -> F' t = f t) ->
  (forall t, a <= t /\ t <= c -> C1 F F' t) ->
  liny (fun t => If (a < t /\ t < c) (f t) 0) /\ lint (fun t => If (a < t /\ t < c) (f t) 0) = F c + -1 * F a.
Proof. intros L E S.
  assert (K : (fun t : point Line => If (a < t /\ t < c) (f t) 0) = (fun t => If (a < t /\ t < c) (F' t) 0)).
  { apply functional_extensionality; intros t; destruct (Classical_Prop.classic (a < t /\ t < c)) as [T|T];
      [rewrite !If_true|rewrite !If_false]; auto; symmetry; auto. }
  rewrite K; replace (F c + -1 * F a) with (F c - F a) by ring. apply (line_ftc F F' a c L S). Qed.
Lemma ftc_infinite (F F' f : R -> R) a l : tends F l -> (forall t, a < t -> F' t = f t) ->
  (forall t, a < t -> 0 <= f t) \/ liny (fun t => If (a < t) (f t) 0) ->
  (forall t, a <= t -> C1 F F' t) ->
  liny (fun t => If (a < t) (f t) 0) /\ lint (fun t => If (a < t) (f t) 0) = l + -1 * F a.
Proof. intros L E P S.
  assert (K : forall c, a <= c -> liny (fun t => If (a < t /\ t < c) (f t) 0) /\
    lint (fun t => If (a < t /\ t < c) (f t) 0) = F c + -1 * F a).
  { intros c C; apply (ftc_finite F F'); auto; [intros; apply E|intros; apply S]; tauto. }
  apply line_exhaust; [intros; apply K; assumption|exact P|].
  apply (lim_equal (fun c => F c + -1 * F a) _ _ a); [|intros; symmetry; apply K; assumption].
  apply lim_sum; [exact L|apply lim_constant]. Qed.

(* ---- events and suprema ---- *)
Definition event_where (A : outcome -> Prop) : event :=
  match excluded_middle_informative (@event_of Out A) with
  | left H => {| mem := A; mem_meas := H |}
  | right _ => {| mem := fun _ => False; mem_meas := ev_const False |} end.
Lemma comprehension A x : @event_of Out A -> (mem (event_where A) x <-> A x).
Proof. intros H; unfold event_where; destruct excluded_middle_informative; simpl; tauto. Qed.
Lemma supremum_real (A : R -> Prop) : (exists b, forall x, A x -> x <= b) /\ (exists x, A x) ->
  forall b, sup_real A <= b <-> forall x, A x -> x <= b.
Proof. intros [[m M] [x X]] b; unfold sup_real; destruct (Lub_Rbar_correct A) as [U L].
  assert (F : is_finite (Lub_Rbar A)).
  { apply is_finite_correct. pose proof (U x X) as P. pose proof (L m M) as Q.
    destruct (Lub_Rbar A); simpl in *; [eexists; reflexivity|contradiction|contradiction]. }
  rewrite <- F in U, L; split; [intros H y Y; apply (Rle_trans _ _ _ (U y Y) H)|intros H; apply (L b H)]. Qed.
Lemma supremum_event (f : event -> R) : (exists b, forall S, f S <= b) ->
  forall b, sup_event f <= b <-> forall S, f S <= b.
Proof. intros [m M] b; unfold sup_event; rewrite supremum_real.
  - split; [intros H S; apply H; exists S; reflexivity|intros H x [S ->]; apply H].
  - split; [exists m; intros x [S ->]; apply M|exists (f (event_where (fun _ => True))); eexists; reflexivity]. Qed.

(* ---- erfc ---- *)
Lemma gaussian_continuous x : continuous (fun t => exp (-1 * (t * t))) x.
Proof. apply (ex_derive_continuous (fun t => exp (-1 * (t * t)))); auto_derive; exact I. Qed.
Lemma gaussian_ex a b : ex_RInt (fun t => exp (-1 * (t * t))) a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply gaussian_continuous. Qed.
Lemma sqrt_PI : 0 < sqrt PI. Proof. apply sqrt_lt_R0, PI_RGT_0. Qed.
Lemma erfc_derive x : derivable_pt_lim erfc x (-2 * / sqrt PI * exp (-1 * (x * x))).
Proof.
  set (G := fun y => RInt (fun t => exp (-1 * (t * t))) 0 y).
  assert (D : derivable_pt_lim G x (exp (-1 * (x * x)))).
  { apply is_derive_Reals, (is_derive_RInt (fun t => exp (-1 * (t * t))) G 0); [|apply gaussian_continuous].
    apply filter_forall; intros y; apply (RInt_correct (V := R_CompleteNormedModule)), gaussian_ex. }
  replace (-2 * / sqrt PI * exp (-1 * (x * x))) with (0 - 2 * / sqrt PI * exp (-1 * (x * x))) by ring.
  apply (derivable_pt_lim_minus (fun _ => 1) (mult_real_fct (2 * / sqrt PI) G));
    [apply derivable_pt_lim_const|apply derivable_pt_lim_scal, D]. Qed.
Lemma C1_erfc F f t : C1 F f t ->
  C1 (fun x => erfc (F x)) (fun x => -2 * / sqrt PI * exp (-1 * (F x * F x)) * f x) t.
Proof. apply (C1_chain erfc (fun y => -2 * / sqrt PI * exp (-1 * (y * y)))); split; [apply erfc_derive|].
  apply derivable_continuous_pt, ex_derive_Reals_0; auto_derive; exact I. Qed.
Lemma meas_erfc {s} (f : point s -> R) : meas f -> meas (fun x => erfc (f x)).
Proof. apply (meas_line f erfc); intros x _; apply derivable_continuous_pt; eexists; apply erfc_derive. Qed.
Lemma erfc_odd x : erfc x + erfc (-1 * x) = 2.
Proof. unfold erfc.
  assert (E : RInt (fun t => exp (-1 * (t * t))) 0 (-1 * x) = - RInt (fun t => exp (-1 * (t * t))) 0 x).
  { rewrite <- (RInt_opp (V := R_CompleteNormedModule)) by apply gaussian_ex.
    pose proof (RInt_comp_lin (V := R_CompleteNormedModule) (fun t => exp (-1 * (t * t))) (-1) 0 0 x (gaussian_ex _ _)) as H.
    rewrite !Rplus_0_r, Rmult_0_r in H; rewrite <- H; apply RInt_ext; intros t _.
    unfold scal, opp; simpl; unfold mult; simpl; replace (-1 * ((-1 * t + 0) * (-1 * t + 0))) with (-1 * (t * t)) by ring; ring. }
  rewrite E; ring. Qed.
Lemma erfc_decreasing x y : x < y -> erfc y < erfc x.
Proof. intros H; unfold erfc; apply Rplus_lt_compat_l, Ropp_lt_contravar, Rmult_lt_compat_l.
  - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat, sqrt_PI].
  - pose proof (RInt_Chasles (V := R_CompleteNormedModule) (fun t => exp (-1 * (t * t))) 0 x y (gaussian_ex _ _) (gaussian_ex _ _)) as C.
    unfold plus in C; simpl in C; rewrite <- C.
    enough (0 < RInt (fun t => exp (-1 * (t * t))) x y) by lra.
    apply RInt_gt_0; [exact H|intros; apply exp_pos|intros; apply gaussian_continuous]. Qed.
Lemma law_erfc x : 0 < erfc x /\ erfc x + erfc (-1 * x) = 2.
Proof. split; [|apply erfc_odd].
  enough (0 <= erfc (x + 1)) by (pose proof (erfc_decreasing x (x + 1)); lra).
  refine (is_lim_le_loc erfc (fun _ => erfc (x + 1)) p_infty 0 (erfc (x + 1)) _ gauss (is_lim_const _ _)).
  exists (x + 1); intros; left; apply erfc_decreasing; assumption. Qed.
Lemma lim_erfc : tends (fun t => erfc t) 0. Proof. exact gauss. Qed.
