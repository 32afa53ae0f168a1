"""Positive parts carry over: where A > 0 on kernels, B > 0, so A > 0 implies B > 0.

Theorem.  Let A and B be linear in a pair, A >= 0 and B >= 0 on all its kernels, and B > 0 on every
kernel on which A > 0.  Then A(P, Q) > 0 implies B(P, Q) > 0: A(P, Q) is the integral of A over the
mixture, so if it is positive, kernels with A > 0 have positive weight, and so does B there.
"""

from __future__ import annotations

from typing import Any

from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell
from lapdp.core import facts as known
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, seal
from lapdp.privacy.model import Infinite
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.kernels import Choice, KernelMethod, describe_choice, leaves
from lapdp.theory.methods.registry import Prove
from lapdp.theory.obligations import HasSign, Vanishes
from lapdp.theory.statement import Statement

NAME = "positive kernels"


class _Positivity(KernelMethod):
    """One case: A vanishes, or both are positive."""

    def leaf(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        excluded = self.excluded(cell, choice)
        if excluded is not None:
            return excluded
        what = describe_choice(choice)
        a, b = (self._amount(cell, choice, form.lhs)
                for form in (self.statement.claim.hypothesis, self.statement.claim.conclusion))
        signs = cell.sign_of(a), cell.sign_of(b)
        if min(signs) < 0 or signs == (1, 0):
            raise Unsupported(f"the signs on {what} do not carry over")
        first: Any = HasSign(self.base, a, ">", what) if signs[0] else Vanishes(self.base, a, what)
        return (first, HasSign(self.base, b, ">" if signs[0] else ">=", what))

    def _amount(self, cell: Cell, choice: Choice, e: Any) -> Scalar:
        i = self.interpreter(cell, choice)
        try:
            g = i.value(e)
        except Undefined as problem:
            raise Unsupported(str(problem)) from None
        if isinstance(g.x, Infinite) or i.exchanges or not g.grade:
            raise Unsupported("an amount that is not linear and finite on kernels")
        x: Scalar = g.x
        return x.substitute(cell.values)


def by_positivity(statement: Statement, _prove: Prove) -> Judgement | None:
    """Prove ``A > 0 implies B > 0`` for A, B linear in the one pair of the statement."""
    claim = statement.claim
    if not isinstance(claim, lang.Implies) or claim.over:
        return None
    for form in (claim.hypothesis, claim.conclusion):
        if type(form) is not type(lang.Gt(1, 0)) or form.rhs != 0:
            raise Unsupported("A > 0 implies B > 0 is needed")
    if len(statement.pairs) != 1 or statement.pairs[0].factors:
        raise Unsupported("one pair is needed")
    method = _Positivity(statement, gather(statement))
    if method.functions or len(method.pairs) != 1:
        raise Unsupported("one arbitrary pair is needed")
    run = method.execute()
    if not any(isinstance(o, HasSign) for _, tree in run.trees for _, leaf in leaves(tree)
               for o in leaf.obligations):
        raise Unsupported("no kernel satisfies the hypotheses")
    trees = tuple((describe_choice(c), tree) for c, tree in run.trees)
    proof = seal(Certificate(NAME, trees, (known.DISINTEGRATION, *run.facts)))
    return Judgement(Kind.DERIVED, NAME, proof=proof)
