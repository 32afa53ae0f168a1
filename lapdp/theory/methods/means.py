"""Binomial means: a linear relation between means holds if it holds for the integrands.

The mean over Binomial(n, p), 0 <= p <= 1, is a sum with non-negative weights that add up to 1.  So
a relation linear in means of one (n, p) holds as soon as it holds, for every whole number y from 0
to n, with each mean replaced by its body at y, and what stands outside left as it is.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.sequences import BinomialMean
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.supposed import linear_parts
from lapdp.theory.rewriting import Fresh, lemma_of, on_parameters
from lapdp.theory.statement import Statement


def by_integrands(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce an equality or weak inequality of means to their integrands."""
    claim = statement.claim
    if not isinstance(claim, (sp.Eq, sp.Le, sp.Ge)):
        return None
    sides = [sp.sympify(claim.lhs), sp.sympify(claim.rhs)]
    means = {x for side in sides for x in side.atoms(BinomialMean) if not x.args[2].is_Integer}
    if not means:
        return None
    laws = {x.args[2:] for x in means}
    if len(laws) > 1:
        raise Unsupported("means over several binomial laws")
    n, p = laws.pop()
    if not n.is_integer:
        raise Unsupported(f"is {n} a number of trials?")
    fresh = Fresh(statement)
    y = fresh.natural("y")
    new: list[Any] = []
    about = on_parameters(statement.where)
    inside = [("n >= 0", lemma_of(statement, lang.Ge(n, 0), about)),
              ("p >= 0", lemma_of(statement, lang.Ge(p, 0), about)),
              ("p <= 1", lemma_of(statement, lang.Le(p, 1), about))]
    parts = [linear_parts(side, means) for side in sides]
    gaps = [sp.expand(parts[0][0].get(x, 0) - parts[1][0].get(x, 0)) for x in means]
    if not any(gaps):
        # the means cancel: they only need to have values
        lemmas = [*inside, ("without the means", lemma_of(
            statement, claim.func(parts[0][1], parts[1][1], evaluate=False), statement.where))]
        for x in means:
            body = x.args[0].subs(x.args[1], y)
            lemmas.append((f"{x} has a value", lemma_of(statement, lang.Eq(body, body), about)))
        return by_lemmas("binomial means", [(what, prove(lemma)) for what, lemma in lemmas])
    for side in sides:
        coefficients, rest = linear_parts(side, means)
        if any(c.has(BinomialMean) for c in (*coefficients.values(), rest)):
            raise Unsupported("a relation that is not linear in its means")
        new.append(sp.Add(rest, *(c * x.args[0].subs(x.args[1], y)
                                  for x, c in coefficients.items())))
    lemmas = [
        *inside,
        ("the integrands", lemma_of(statement, claim.func(*new, evaluate=False),
                                    (*statement.where, lang.Le(y, n)))),
    ]
    return by_lemmas("binomial means", [(what, prove(lemma)) for what, lemma in lemmas])
