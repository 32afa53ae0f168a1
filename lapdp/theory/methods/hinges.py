"""Suprema over events of combinations of two distributions: hinges of the likelihood ratio.

sup_S (a P(S) + b Q(S)) is the integral of max(0, a P + b Q) (Hahn).  Profiles are such suprema,
also those of mixtures: delta_{M|N}(eps) = sup_S (M(S) - e^eps N(S)).  Two theorems.

*Images of dominance.*  If delta_{A|B}(e) <= delta_{P|Q}(e) for all real e, then for all real a, b
sup (a A + b B) <= sup (a P + b Q).  For a > 0 > b both sides are a times profiles at log(-b/a),
for a < 0 < b those of the reversed pairs, delta_{Q|P}(u) = 1 - e^u + e^u delta_{P|Q}(-u);
else both are max(0, a + b).  The first two are lemmas, proved with a, b = +-e^r, -+e^s.

*Order of hinges.*  sup (a P + b Q) <= sup (c P + d Q) holds for every pair where
max(0, a x + b) <= max(0, c x + d) for all x >= 0.  It does where one of these does:
a, b <= 0;  c >= a and d >= b;
b <= 0, c >= a and a d >= b c;  a <= 0, d >= b and a d <= b c.
(In the third, a > 0 or nothing is to be shown, and c x + d is not negative at the zero -b/a of the
first and grows at least as fast from there on; in the fourth it is so at the zero and at 0.)
Since P and Q have mass 1, sup (a P + b Q) = a + b + sup (-a P - b Q): the order also follows from
a + b <= c + d and that of the complements.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice, product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import is_mixture, members
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides
from lapdp.theory.methods.mixtures import combination
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.supposed import linear_parts
from lapdp.theory.rewriting import lemma_of, on_parameters, plain
from lapdp.theory.statement import Statement

SUPREMA = (pn.Profile, pn.SupOverEvents)
OTHER_NOTIONS = (pn.Loss, pn.Moment, pn.RenyiDivergence, pn.IntegralOverSpace, TradeOff,
                 sp.Piecewise, AppliedUndef)
MAX_CHOICES = 8
"""Ways of moving suprema to dominating pairs that are tried."""
Weights = dict[Any, Any]
"""The coefficients of the distributions in a supremum."""


def weights_of(e: Any) -> Weights:
    """The coefficients of the distributions in a supremum, or in a profile as a supremum.

    >>> P, Q = pn.pair("P", "Q")
    >>> t = sp.Symbol("t", real=True)
    >>> weights_of(pn.Profile(P, P/2 + Q/2, t))
    {P: 1 - exp(t)/2, Q: -exp(t)/2}
    """
    if isinstance(e, pn.SupOverEvents):
        return {d: sp.expand(c) for d, c in combination(*e.args).items()}
    first, second, eps = e.args
    if sp.sympify(eps).has(pn.Distribution):
        raise Unsupported("a profile at a place that depends on distributions")
    identity, rows = members(first, second)
    return {pn.Distribution(name, identity, k): sp.expand(rows[0][k] - sp.exp(eps) * rows[1][k])
            for k, name in enumerate(identity.names)}


def has_value(statement: Statement, e: Any) -> Iterator[tuple[str, Statement]]:
    """The numbers in a side have values, and the mixtures of its profiles are distributions."""
    where = on_parameters(statement.where)
    numbers = sp.sympify(e)
    if numbers.has(*OTHER_NOTIONS):
        raise Unsupported(f"a notion beside suprema over events in {e}")
    for x in numbers.atoms(sp.Pow):
        if x.exp.is_Integer and x.exp < 0 and x.base.free_symbols:
            yield f"{x.base} != 0", lemma_of(statement, lang.Ne(x.base, 0), where)
        elif not x.exp.is_Integer and x.base != sp.E:
            raise Unsupported(f"the power {x} in a weight")
    for x in numbers.atoms(sp.core.function.Function):
        if isinstance(x, sp.log):
            yield f"{x.args[0]} > 0", lemma_of(statement, lang.Gt(x.args[0], 0), where)
        elif not isinstance(x, sp.exp):
            raise Unsupported(f"{x} in a weight")
    for profile in numbers.atoms(pn.Profile):
        if not is_mixture(*profile.args[:2]):
            continue
        for row in members(*profile.args[:2])[1]:
            for w in row:
                yield f"{w} >= 0", lemma_of(statement, lang.Ge(w, 0), where)
            yield f"{sp.Add(*row)} = 1", lemma_of(statement, lang.Eq(sp.Add(*row), 1), where)


# -- images of dominance --------------------------------------------------------------------------


def by_images(statement: Statement, prove: Prove) -> Judgement | None:
    """Replace suprema over a dominated pair by those over the pair that dominates it."""
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Ge):
        return None
    orders = [found for h in statement.where for found in (_order(h),) if found is not None]
    if not orders:
        return None
    small, big, _ = order_sides(claim)
    small, big = sp.sympify(small), sp.sympify(big)
    coefficients, rest = linear_parts(small, small.atoms(*SUPREMA))
    wanted = weights_of(big) if isinstance(big, SUPREMA) else {}
    choices = [sorted(_above(weights_of(mark), orders), key=lambda w: not _same(w, wanted))
               for mark in coefficients]
    if not choices or not all(choices):
        raise Unsupported("no hypothesis dominates the pair of a supremum")
    shared = [(what, prove(lemma)) for what, lemma in (
        *_images(), *has_value(statement, small))]
    for c in coefficients.values():
        shared.append((f"the sign of {c}", prove(lemma_of(
            statement, lang.Ge(c, 0), on_parameters(statement.where)))))
    problems: list[str] = []
    # an order of hinges is seen at once where there is one
    ways: tuple[Prove, ...] = (partial(_by_order, prove=prove), prove)
    for way, chosen in product(ways, islice(product(*choices), MAX_CHOICES)):
        try:
            found = [(what, way(lemma)) for what, lemma in _moved(
                statement, list(zip(coefficients.values(), chosen, strict=True)), rest, big)]
        except Unsupported as problem:
            problems.append(str(problem))
            continue
        return by_lemmas("images of dominance", [*shared, *found], [known.HAHN])
    raise Unsupported("; ".join(problems))


def _by_order(statement: Statement, prove: Prove) -> Proof:
    """A proof, of an order of two suprema by the coefficients of their hinges."""
    if not all(isinstance(e, SUPREMA) for e in (statement.claim.lhs, statement.claim.rhs)):
        return prove(statement)
    found = by_hinges(statement, prove)
    if found is None or found.proof is None:
        raise Unsupported("no order of two suprema over one pair")
    return found.proof


def _moved(statement: Statement, parts: list[tuple[Any, Weights]], rest: Any, big: Any
           ) -> Iterator[tuple[str, Statement]]:
    """What remains to be shown with the suprema moved to the dominating pairs."""
    groups: list[tuple[Any, Weights]] = []
    for c, weights in parts:
        # multiples c >= 0 of one supremum are a supremum: its weights are multiplied
        same = [k for k, (_, known_ones) in enumerate(groups) if _same(weights, known_ones)]
        if same:
            groups[same[0]] = (groups[same[0]][0] + c, weights)
        else:
            groups.append((c, weights))
    if len(groups) == 1 and rest == 0:
        total, weights = groups[0]
        groups = [(sp.Integer(1), {d: sp.cancel(total * w) for d, w in weights.items()})]
        if isinstance(big, SUPREMA) and _same(groups[0][1], weights_of(big)):
            yield "the same coefficients", Statement("an empty difference", lang.Eq(0, 0))
            yield from has_value(statement, big)
            return
    event = pn.Event("S")
    left = sp.Add(rest, *(c * pn.SupOverEvents(sp.Add(*(
        w * pn.Measure(d, event) for d, w in weights.items())), event) for c, weights in groups))
    others = tuple(h for h in statement.where if _order(h) is None)
    yield "at the dominating pair", lemma_of(statement, lang.Le(left, big), others)


def _order(form: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]] | None:
    """(A, B), (P, Q) of a hypothesis that the second dominates the first, at all real numbers."""
    form = plain(form)
    if not isinstance(form, lang.ForAll) or form.where or len(form.over) != 1:
        return None
    (e,) = form.over
    if type(form.claim) not in (sp.Le, sp.Lt, sp.Ge, sp.Gt) or (
            e.assumptions0 != sp.Symbol("x", real=True).assumptions0):
        return None
    small, big, _ = order_sides(form.claim)
    sides = [_plain_profile(side, e) for side in (small, big)]
    if sides[0] is None or sides[1] is None:
        return None
    return sides[0], sides[1]


def _plain_profile(e: Any, t: Any) -> tuple[Any, Any] | None:
    """(A, B) where the expression is sup (A(S) - e^t B(S))."""
    if not isinstance(e, SUPREMA):
        return None
    try:
        weights = weights_of(e)
    except Unsupported:
        return None
    found: list[Any] = [None, None]
    for d, c in weights.items():
        for k, wanted in enumerate((sp.Integer(1), -sp.exp(t))):
            if c == wanted:
                found[k] = d
    if len(weights) != 2 or None in found:
        return None
    return found[0], found[1]


def _above(weights: Weights, orders: list[Any]) -> list[Weights]:
    """The weights moved to each pair that dominates theirs."""
    return [{p: weights.get(a, sp.Integer(0)), q: weights.get(b, sp.Integer(0))}
            for (a, b), (p, q) in orders if set(weights) <= {a, b}]


def _same(first: Weights, second: Weights) -> bool:
    return all(sp.cancel(first.get(d, 0) - second.get(d, 0)) == 0 for d in {*first, *second})


def _images() -> Iterator[tuple[str, Statement]]:
    """The two lemmas: profiles in order, and so those of the reversed pairs."""
    A, B = pn.pair("A", "B")
    P, Q = pn.pair("P", "Q")
    e, r, s = lang.reals("e r s")
    order = lang.Le(pn.Profile(A, B, e), pn.Profile(P, Q, e))
    S, U = pn.Event("S"), pn.Event("U")
    for name, first, second in (("a > 0 > b", (A, B), (P, Q)), ("a < 0 < b", (B, A), (Q, P))):
        low, high = (pn.SupOverEvents(sp.exp(r) * x(event) - sp.exp(s) * y(event), event)
                     for (x, y), event in ((first, S), (second, U)))
        yield name, Statement("images of dominance", lang.Implies(
            order, lang.Le(low, high), over=(e,)))


# -- order of hinges ------------------------------------------------------------------------------


def by_hinges(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove an order of two suprema over one pair by the coefficients of their hinges."""
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Ge):
        return None
    small, big, _ = order_sides(claim)
    if not isinstance(small, SUPREMA) or not isinstance(big, SUPREMA):
        return None
    low, high = weights_of(small), weights_of(big)
    spaces = {d.pair for d in (*low, *high)}
    if len(spaces) != 1 or len(next(iter(spaces)).names) != 2:
        return None
    pair_of = next(iter(spaces))
    first, second = (pn.Distribution(n, pair_of, k) for k, n in enumerate(pair_of.names))
    a, b, c, d = (w.get(x, sp.Integer(0)) for w in (low, high) for x in (first, second))
    values = [(what, prove(lemma)) for e in (small, big)
              for what, lemma in has_value(statement, e)]
    problems: list[str] = []
    for conditions in _conditions(a, b, c, d):
        try:
            found = [(f"{name} >= 0", prove(lemma_of(
                statement, lang.Ge(sp.factor(e), 0), on_parameters(statement.where))))
                for name, e in conditions.items()]
        except Unsupported as problem:
            problems.append(str(problem))
            continue
        return by_lemmas("order of hinges", [*values, *found], [known.HAHN])
    raise Unsupported("; ".join(problems))


def _conditions(a: Any, b: Any, c: Any, d: Any) -> Iterator[dict[str, Any]]:
    """Conditions, one of which is enough: expressions that must not be negative."""
    rising = sp.expand(a * d - b * c)
    yield {"-a": -a, "-b": -b}
    yield {"c - a": sp.expand(c - a), "d - b": sp.expand(d - b)}
    yield {"-b": -b, "c - a": sp.expand(c - a), "a d - b c": rising}
    yield {"-a": -a, "d - b": sp.expand(d - b), "b c - a d": -rising}
    total = {"c + d - a - b": sp.expand(c + d - a - b)}
    yield {**total, "b": b, "a - c": sp.expand(a - c), "a d - b c": rising}
    yield {**total, "a": a, "b - d": sp.expand(b - d), "b c - a d": -rising}


__all__ = ["by_hinges", "by_images", "weights_of"]
