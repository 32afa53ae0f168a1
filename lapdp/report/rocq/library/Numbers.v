(* Numbers without letters: Interval encloses them, as the kernel's balls do. *)
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
From Lapdp Require Import Rules.
Open Scope R_scope.
Ltac apart n := first [lra | interval with (i_prec n)].
Ltac ball n := match goal with
  | |- ~ _ = _ => first [apply Rlt_not_eq; apart n | apply Rgt_not_eq; apart n]
  | |- _ => apart n end.
Lemma law_pi : 3 < PI /\ PI < 22 / 7. Proof. split; interval. Qed.
