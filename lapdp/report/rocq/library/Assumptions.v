(* What the exported theorems assume: one space of outcomes with a sigma-finite measure, the line with
   Lebesgue measure, textbook facts of both, and the Gaussian integral.  docs/rocq.md lists them.
   Everything else is defined, or proved in Rules.v. *)
From Coq Require Import Reals ClassicalDescription.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* "if" on any sentence: classical logic *)
Definition If {T : Type} (A : Prop) (x y : T) : T := if excluded_middle_informative A then x else y.

(* Spaces: outcomes, the line, and products; all carry their sigma-finite measures. *)
Parameter outcome : Type.
Inductive space := Out | Line | Both (a b : space).
Fixpoint point (s : space) : Type :=
  match s with Out => outcome | Line => R | Both a b => point a * point b end.

(* measurable functions (Borel on the line), integrable ones, and the integral *)
Parameter meas : forall s, (point s -> R) -> Prop.
Parameter iny : forall s, (point s -> R) -> Prop.
Parameter int : forall s, (point s -> R) -> R.
Definition event_of s (A : point s -> Prop) := meas s (fun x => If (A x) 1 0).
Arguments meas {s}. Arguments iny {s}. Arguments int {s}. Arguments event_of {s}.

(* ---- measurable functions ---- *)
Axiom meas_const : forall {s} (c : R), meas (fun _ : point s => c).
Axiom meas_add : forall {s} (f g : point s -> R), meas f -> meas g -> meas (fun x => f x + g x).
Axiom meas_mul : forall {s} (f g : point s -> R), meas f -> meas g -> meas (fun x => f x * g x).
Axiom meas_lt : forall {s} (f g : point s -> R), meas f -> meas g -> event_of (fun x => f x < g x).
Axiom meas_fst : forall a b (f : point a -> R), meas f -> @meas (Both a b) (fun z => f (fst z)).
Axiom meas_snd : forall a b (f : point b -> R), meas f -> @meas (Both a b) (fun z => f (snd z)).
Axiom meas_comp : forall s (g : point Line -> R) (f : point s -> R), meas g -> meas f ->
  meas (fun x => g (f x)).
Axiom meas_continuous : forall g : R -> R, (forall x, x <> 0 -> continuity_pt g x) -> @meas Line g.
Axiom meas_int : forall s u (f : point s -> point u -> R), @meas (Both s u) (fun z => f (fst z) (snd z)) ->
  meas (fun x => int (f x)).

(* ---- integrals; the integral of a function that is not integrable is 0 ---- *)
Axiom int_none : forall s (f : point s -> R), ~ iny f -> int f = 0.
Axiom int_zero : forall s, iny (fun _ : point s => 0) /\ int (fun _ : point s => 0) = 0.
Axiom int_sum : forall s (f g : point s -> R), iny f -> iny g ->
  iny (fun x => f x + g x) /\ int (fun x => f x + g x) = int f + int g.
Axiom int_scale : forall s (c : R) (f : point s -> R), iny f ->
  iny (fun x => c * f x) /\ int (fun x => c * f x) = c * int f.
Axiom int_abs : forall s (f : point s -> R), iny f -> iny (fun x => Rabs (f x)).
Axiom int_mono : forall s (f g : point s -> R), (forall x, f x <= g x) -> iny f -> iny g ->
  int f <= int g.
Axiom int_dominate : forall s (f g : point s -> R), meas f -> (forall x, Rabs (f x) <= g x) ->
  iny g -> iny f.
Axiom int_null : forall s (n f g : point s -> R), (forall x, 0 <= n x) -> iny n -> int n = 0 ->
  (forall x, n x = 0 -> f x = g x) -> meas g -> iny f -> iny g /\ int f = int g.
Axiom int_fubini : forall s u (f : point s -> point u -> R),
  @meas (Both s u) (fun z => f (fst z) (snd z)) -> (forall x, iny (f x)) ->
  iny (fun x => int (fun y => Rabs (f x y))) ->
  iny (fun y => int (fun x => f x y)) /\
  int (fun x => int (f x)) = int (fun y => int (fun x => f x y)).

(* ---- the line ---- *)
Axiom line_affine : forall (f : point Line -> R) (r c : R), r <> 0 ->
  (iny f <-> @iny Line (fun t => f (r * t + c))) /\
  int f = Rabs r * @int Line (fun t => f (r * t + c)).
Axiom line_point : forall (f g : point Line -> R) (c : R), (forall t, t <> c -> f t = g t) ->
  iny f -> iny g /\ int f = int g.
Axiom line_ftc : forall (F f : R -> R) (a c : R), a <= c ->
  (forall t, a <= t <= c -> derivable_pt_lim F t (f t) /\ continuity_pt f t) ->
  @iny Line (fun t => If (a < t /\ t < c) (f t) 0) /\
  @int Line (fun t => If (a < t /\ t < c) (f t) 0) = F c - F a.
Axiom line_exhaust : forall (f : point Line -> R) (a l : R),
  (forall c, a <= c -> @iny Line (fun t => If (a < t /\ t < c) (f t) 0)) ->
  (forall t, a < t -> 0 <= f t) \/ @iny Line (fun t => If (a < t) (f t) 0) ->
  is_lim (fun c => @int Line (fun t => If (a < t /\ t < c) (f t) 0)) p_infty l ->
  @iny Line (fun t => If (a < t) (f t) 0) /\ @int Line (fun t => If (a < t) (f t) 0) = l.

(* ---- the complementary error function tends to 0: the Gaussian integral ---- *)
Definition erfc (x : R) := 1 - 2 * / sqrt PI * RInt (fun t => exp (-1 * (t * t))) 0 x.
Axiom gauss : is_lim erfc p_infty 0.

(* ---- densities, events, measurable functions ---- *)
Record density := { dens :> outcome -> R; dens_meas : @meas Out dens; dens_pos : forall x, 0 <= dens x;
  dens_iny : @iny Out dens; dens_one : @int Out dens = 1 }.
Record event := { mem : outcome -> Prop; mem_meas : @event_of Out mem }.
Record borel := { app :> R -> R; app_meas : @meas Line app }.
(* no sort is empty: letters that a derivation uses and drops have a value *)
Axiom some_outcome : outcome.
Axiom some_density : density.
