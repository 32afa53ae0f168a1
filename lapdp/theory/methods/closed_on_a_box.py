"""Inequalities about one Gaussian mechanism over a box of its parameters, by its closed forms.

Profiles, moments and divergences of a Gaussian pair are elementary functions and erfc of sigma, the
sensitivity and the letters: put in, the claim is one of numbers, which branch and bound certifies
on the box that the hypotheses give.  Other hypotheses are not used: what is certified holds without
them.  Nothing is refuted here: a point of the box need not meet them.
"""

from __future__ import annotations

from sympy.core.relational import Relational

from lapdp.core.errors import InputError, Unsupported
from lapdp.core.verdict import Judgement, Kind
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.nodes import Distribution
from lapdp.theory import language as lang
from lapdp.theory.methods.branch_and_bound import by_boxes
from lapdp.theory.methods.gaussian_pairs import closed
from lapdp.theory.statement import Statement

NAME = "closed forms on a box"


def by_closed_forms(statement: Statement, digits: int) -> Judgement | None:
    """``certified`` where every relation of the claim is so on the box; None for statements about
    other pairs, or without a box.

    >>> from lapdp import gaussian
    >>> from lapdp.theory import Le, claim, delta, mechanism_pair, positives
    >>> s = positives("s")
    >>> small = claim("x", Le(delta(*mechanism_pair(gaussian(s)))(1), s/2), where=[s >= 1, s <= 2])
    >>> print(by_closed_forms(small, 20).kind)
    certified
    """
    claim = statement.claim
    forms = claim.claims if isinstance(claim, lang.AllOf) else (claim,)
    pairs = statement.pairs
    if len(pairs) != 1 or not isinstance(pairs[0].mechanism, Gaussian) or not all(
            isinstance(form, Relational) for form in forms):
        return None
    where = [h for h in statement.where if isinstance(h, Relational) and not any(
        e.has(Distribution) for e in h.args)]
    found: list[Judgement] = []
    for form in forms:
        told = form.func(*(closed(e, pairs[0].mechanism) for e in form.args), evaluate=False)
        try:
            judged = by_boxes(told, [h for h in where if h.free_symbols <= told.free_symbols],
                              digits)
        except InputError as problem:
            raise Unsupported(str(problem)) from None
        if judged is None or judged.kind not in (Kind.CERTIFIED, Kind.DERIVED):
            raise Unsupported("no box of the letters, or the sign stays open on it")
        found.append(judged)
    return Judgement(Kind.CERTIFIED, NAME, reason="; ".join(j.reason for j in found),
                     extra=found[0].extra)


__all__ = ["by_closed_forms"]
