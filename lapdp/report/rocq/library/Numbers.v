(* Numbers without letters: Interval encloses them, as the kernel's balls do. *)
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
From Lapdp Require Import Rules.
Open Scope R_scope.
Lemma max_abs x y : Rmax x y = (x + y + Rabs (x - y)) / 2.
Proof. unfold Rmax, Rabs; destruct Rle_dec, Rcase_abs; lra. Qed.
Lemma min_abs x y : Rmin x y = (x + y - Rabs (x - y)) / 2.
Proof. unfold Rmin, Rabs; destruct Rle_dec, Rcase_abs; lra. Qed.
Ltac apart n := first [lra | rewrite ?max_abs, ?min_abs; interval with (i_prec n)].
Ltac ball n := match goal with
  | |- ~ _ = _ => first [apply Rlt_not_eq; apart n | apply Rgt_not_eq; apart n]
  | |- _ => apart n end.
Lemma law_pi : 3 < PI /\ PI < 22 / 7. Proof. split; interval. Qed.
