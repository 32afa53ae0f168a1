"""Equivalences between relations of numbers that are multiples of each other.

``A rel B`` and ``C rel D`` say the same where A - B = c (C - D) with c > 0 (for = and != it is
enough that c is not 0).  erfc falls strictly on the real line: ``k erfc(x) rel k erfc(y)`` with a
number k > 0 says ``y rel x``.  The factor c is guessed; that it is right and positive is proved.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy.nodes import Distribution
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement

MOST = 2
"""Guesses that are tried."""


def by_multiples(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove an equivalence, or implication, between two relations of real numbers."""
    claim = statement.claim
    if not isinstance(claim, (lang.Iff, lang.Implies)) or claim.over:
        return None
    forms = ((claim.first, claim.second) if isinstance(claim, lang.Iff)
             else (claim.hypothesis, claim.conclusion))
    if not all(isinstance(x, Relational) for x in forms) or any(
            e.has(Node, Distribution) for x in forms for e in (x.lhs, x.rhs)):
        return None
    if not all(s.is_real for x in forms for s in x.free_symbols) or any(
            e.has(sp.I) for x in forms for e in x.args):
        raise Unsupported("numbers that are not real")  # real functions of these, where defined
    first, one = _without_erfc(forms[0])
    second, other = _without_erfc(forms[1])
    if type(first) is not type(second):
        first = first.reversed
    if type(first) is not type(second):
        raise Unsupported("relations of different kinds")
    # a term that stands on both sides goes when they are subtracted: it must have a value
    values = [("a side has a value", lemma_of(statement, lang.Eq(e, e), statement.where))
              for x in forms for e in (x.lhs, x.rhs)]
    left, right = first.lhs - first.rhs, second.lhs - second.rhs
    ordered = not isinstance(first, (sp.Eq, sp.Ne))
    where, problems = statement.where, []
    for factor in _guesses(left, right):
        sign = lang.Gt(factor, 0) if ordered else lang.Ne(factor, 0)
        same = lang.Eq(left, factor * right)
        lemmas = [*values, ("a multiple", lemma_of(statement, same, where)),
                  ("its factor", lemma_of(statement, sign, where))]
        try:
            return by_lemmas("multiples", [(what, prove(x)) for what, x in lemmas],
                             [known.MEAN_VALUE] if one or other else [])
        except Unsupported as problem:
            problems.append(str(problem))
    raise Unsupported("; ".join(problems[:2]) or "no factor between the two relations")


def _guesses(left: Any, right: Any) -> list[Any]:
    """Factors that the two sides may have: whatever SymPy does here, they are proved later."""
    found: list[Any] = []
    for v in sorted(left.free_symbols & right.free_symbols, key=str):
        top, below = sp.diff(left, v), sp.diff(right, v)
        if below != 0:
            found.append(sp.simplify(top / below))
    found.sort(key=sp.count_ops)
    return list(dict.fromkeys(c for c in found if c != 0))[:MOST]


def _without_erfc(form: Any) -> tuple[Any, bool]:
    """``k erfc(x) rel k erfc(y)`` as ``y rel x``."""
    sides = [x.as_independent(sp.erfc, as_Add=False) for x in (form.lhs, form.rhs)]
    (k, one), (j, two) = sides
    if k == j and k.is_Rational and k > 0 and all(isinstance(x, sp.erfc) for x in (one, two)):
        return form.func(two.args[0], one.args[0], evaluate=False), True
    return form, False


__all__ = ["by_multiples"]
