"""Functions from their transforms: equal transforms, equal functions.

Theorem.  Let e^(-ct) g(t) and e^(-ct) h(t) be integrable over the line (c real; generalised
functions with impulses are measures here), and let the transforms of g and h agree at every
c + iw, w real.  Then the finite measure e^(-ct) (g - h) dt has Fourier transform 0, so it is 0.
For the one-sided transform the same holds on t > 0.

So integrals of g and h over every bounded open interval agree, which is equality almost
everywhere; and where both are continuous, so do their values.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.theory import language as lang
from lapdp.theory.methods.implications import free_symbols
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.statement import Statement


def by_uniqueness(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove ``T{g}(c + iw) = T{h}(c + iw) for all w implies g = h``, T one- or two-sided."""
    claim = statement.claim
    if not isinstance(claim, lang.Implies) or not isinstance(claim.hypothesis, sp.Eq):
        return None
    sides = (claim.hypothesis.lhs, claim.hypothesis.rhs)
    if not all(isinstance(x, (cn.OneSided, cn.Bilateral)) for x in sides):
        return None
    first, second = (_transformed(x) for x in sides)
    if type(sides[0]) is not type(sides[1]) or sides[0].args[2] != sides[1].args[2]:
        raise Unsupported("two transforms of one kind at one frequency are needed")
    line = _line(sides[0].args[2], claim.over)
    if any(set(claim.over) & free_symbols(form) for form in statement.where):
        raise Unsupported("a hypothesis restricts the frequency")
    _require_equality(statement, first, second, isinstance(sides[0], cn.OneSided))
    lemmas = []
    where = tuple(h for h in statement.where if not isinstance(h, lang.Continuous))
    for x in sides:
        form = lang.Converges(x.func(x.args[0], x.args[1], line))
        lemma = Statement(f"{statement.id}: convergence", form, where=where)
        lemmas.append(("the transform converges on the line", prove(lemma)))
    return by_lemmas("uniqueness of transforms", lemmas, [known.FOURIER_UNIQUENESS])


def _transformed(node: Any) -> Any:
    """The arbitrary function of which a node is the transform."""
    g, t = node.args[:2]
    if not isinstance(g, AppliedUndef) or g.args != (t,):
        raise Unsupported("the transform of something else than an arbitrary function")
    return g.func


def _line(frequency: Any, over: tuple[Any, ...]) -> Any:
    """The real part c of a frequency c + iw that runs along a whole line."""
    if len(over) != 1 or over[0].assumptions0 != sp.Symbol("x", real=True).assumptions0:
        raise Unsupported("one real variable must run along the line")
    line = sp.expand(frequency - sp.I * over[0])
    if over[0] in line.free_symbols or not line.is_real:
        raise Unsupported(f"the frequency {frequency} does not run along a line")
    return line


def _require_equality(statement: Statement, g: Any, h: Any, half: bool) -> None:
    """The conclusion: equal values of continuous functions, or equal integrals, on the domain."""
    conclusion = statement.claim.conclusion
    if not isinstance(conclusion, sp.Eq):
        raise Unsupported("the conclusion must be an equality of the two functions")
    x = conclusion.lhs
    if isinstance(x, cn.IntegralOnLine):
        t, lower, upper = x.args[1:]
        same = x.args[0] == g(t) and conclusion.rhs == x.func(h(t), t, lower, upper)
        inside = all(e.is_nonnegative if half else e.is_real for e in (lower, upper))
    else:
        named = {type(form.expr) for form in statement.where if isinstance(form, lang.Continuous)
                 and isinstance(form.expr, AppliedUndef) and form.expr.args == (form.t,)}
        if not {g, h} <= named:
            raise Unsupported("values are equal where both functions are continuous")
        same = isinstance(x, AppliedUndef) and x.func == g and conclusion.rhs == h(*x.args)
        inside = same and (x.args[0].is_positive if half else x.args[0].is_real)
    if not same or not inside:
        raise Unsupported("the conclusion must compare the two functions where they are determined")
