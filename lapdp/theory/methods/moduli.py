"""Moduli of complex functionals: |A| <= B for every pair where it holds on kernels.

Theorem.  Let A, with complex values, and B be linear in each pair, and |A(k)| <= B(k) on all
kernels k (on all couples of kernels, for two pairs).  Then |A| <= B: the modulus of an integral is
at most the integral of the modulus.  In a case |A(k)|^2 = A(k) times its conjugate is an element
with real parameters, and so B(k) >= 0 and B(k)^2 - |A(k)|^2 >= 0 are signs.  Constants count with
the P-mass of a kernel.  Without arbitrary pairs it is a comparison of two numbers.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core import facts as known
from lapdp.core.errors import NotLinear, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, seal
from lapdp.privacy.model import Infinite
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.kernels import Choice, KernelMethod, describe_choice, leaves
from lapdp.theory.methods.registry import Prove
from lapdp.theory.obligations import PASSIVE, HasSign
from lapdp.theory.statement import Statement

NAME = "moduli on kernels"
_CONJUGATE = {sp.I: -Form.atom(sp.I)}


def conjugate(x: Scalar) -> Scalar:
    """The complex conjugate of an element whose parameters are real.

    >>> u = sp.Symbol("u", real=True)
    >>> conjugate(Scalar.exp(Form.atom(sp.I) * Form.of(u)))
    exp(-I*u)
    """
    turned: Scalar = x.substitute(_CONJUGATE)
    if not (x * turned).is_real():
        raise Unsupported("the conjugate of an element with complex parameters")
    return turned


class _Moduli(KernelMethod):
    """One case: B >= 0 and B^2 >= |A|^2."""

    functional: Any = None
    bound: Any = None

    def leaf(self, cell: Cell, choice: Choice) -> tuple[Any, ...]:
        excluded = self.excluded(cell, choice)
        if excluded is not None:
            return excluded
        what = describe_choice(choice)
        i = self.interpreter(cell, choice)
        try:
            values = [i.value(e) for e in (self.functional, self.bound)]
        except Undefined as problem:
            raise Unsupported(f"on {what}: {problem}") from None
        if any(isinstance(v.x, Infinite) for v in values):
            raise Unsupported("an infinite side")
        grade = values[0].grade | values[1].grade
        a, b = (i.lift(v, grade).substitute(cell.values) for v in values)
        gap = b * b - a * conjugate(a)
        if cell.sign_of(b) < 0 or cell.sign_of(gap) < 0:
            raise Unsupported(f"the modulus is larger on {what}")
        self.earn(i, cell, choice, [self.functional, self.bound])
        return (HasSign(self.base, b, ">=", f"the bound, {what}"),
                HasSign(self.base, gap, ">=", f"its square, {what}"))


def by_moduli(statement: Statement, _prove: Prove) -> Judgement | None:
    """Prove ``|A| <= B`` for functionals that are linear in each pair."""
    claim = statement.claim
    if not isinstance(claim, (sp.Le, sp.Ge)):
        return None
    small, big = (claim.lhs, claim.rhs) if isinstance(claim, sp.Le) else (claim.rhs, claim.lhs)
    if not isinstance(small, sp.Abs):
        return None
    if lang.free_events(statement):
        raise Unsupported("a modulus for all events")
    method = _Moduli(statement, gather(statement))
    method.functional, method.bound = small.args[0], big
    if method.functions:
        raise Unsupported("a modulus of arbitrary functions")
    try:
        run = method.execute()
    except NotLinear as problem:
        raise Unsupported(str(problem)) from None
    if not any(type(o) not in PASSIVE for _, tree in run.trees for _, leaf in leaves(tree)
               for o in leaf.obligations):
        raise Unsupported("no kernel satisfies the hypotheses")
    trees = tuple((describe_choice(c), tree) for c, tree in run.trees)
    return Judgement(Kind.DERIVED, NAME, proof=seal(Certificate(
        NAME, trees, (*{known.MODULUS, *run.facts},))))


__all__ = ["by_moduli", "conjugate"]
