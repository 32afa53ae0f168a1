"""Continuity of what is composed of continuous functions.

Sums, products, exponentials, maxima, minima and absolute values of continuous functions are
continuous, and so is a function that a hypothesis calls continuous, or a privacy profile (a lemma
on kernels), at a continuous argument.  Numbers that divide must differ from 0 (lemmas).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of, on_parameters, plain
from lapdp.theory.statement import Statement


def by_composition(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove that an expression is continuous from its parts."""
    claim = statement.claim
    if not isinstance(claim, lang.Continuous):
        return None
    known = {type(h.expr).__name__ for h in map(plain, statement.where)
             if isinstance(h, lang.Continuous) and isinstance(h.expr, AppliedUndef)
             and h.expr.args == (h.t,)
             and h.t.assumptions0 == sp.Symbol("t", real=True).assumptions0}
    e, t = sp.sympify(claim.expr), claim.t
    if e == claim.expr and isinstance(e, (pn.Profile, AppliedUndef)):
        return None
    lemmas = [(what, lemma_of(statement, form, on_parameters(statement.where)))
              for what, form in dict(_parts(e, t, known)).items()]
    if not lemmas:
        lemmas = [("a constant", lemma_of(statement, lang.Continuous(sp.Integer(1), t), ()))]
    return by_lemmas("continuity of combinations", [(what, prove(x)) for what, x in lemmas])


def _parts(e: Any, t: Any, known: set[str]) -> Iterator[tuple[str, Any]]:
    """Lemmas under which an expression is a continuous function of t; Unsupported without."""
    if e.is_Add or e.is_Mul or isinstance(e, (sp.exp, sp.Max, sp.Min, sp.Abs)):
        for a in e.args:
            yield from _parts(a, t, known)
    elif e.is_Pow and e.exp.is_Integer:
        if e.exp < 0:
            if t in e.free_symbols:
                raise Unsupported(f"{e} divides by a function")
            yield f"1/({e.base}) has a value", lang.Eq(1 / e.base, 1 / e.base)
        yield from _parts(e.base, t, known)
    elif isinstance(e, AppliedUndef) and len(e.args) == 1:
        if type(e).__name__ not in known:
            raise Unsupported(f"{e.func} is not known to be continuous")
        yield from _parts(e.args[0], t, known)
    elif isinstance(e, pn.Profile):
        u = sp.Dummy("u", real=True)
        yield "profiles are continuous", lang.Continuous(pn.Profile(*e.args[:2], u), u)
        yield from _parts(e.args[2], t, known)
    elif isinstance(e, Node) or not (e.is_Symbol or e.is_number) or e.has(sp.zoo, sp.nan, sp.oo):
        raise Unsupported(f"{e} as a continuous function of {t}")
