"""Multiples of one moment above a tail or a profile: the Chernoff bounds of a pair.

Theorem.  Let a > 1, C > 0, eps real.  Then for every pair, values in [0, oo],

    Pr[Z >= eps] <= C E_a(P||Q)          iff  log C >= (1 - a) eps,
    delta_{P|Q}(eps) <= C E_a(P||Q)      iff  log C >= (1 - a) eps - log a + (a - 1) log((a - 1)/a).

Proof.  Both sides are linear in the pair: it is enough to compare them on kernels.  On k(z) they
are [z >= eps] and (1 - e^(eps - z))+ against C e^((a-1) z).  The first needs C >= e^(-(a-1) z) for
all z >= eps, attained at eps.  With y = e^(eps - z) in (0, 1) the second needs
C e^((a-1) eps) >= (1 - y) y^(a-1), whose derivative y^(a-2) ((a - 1) - a y) vanishes at y = (a-1)/a
only: the maximum is ((a-1)/a)^(a-1) / a.  On k(+oo) the right side is +oo, on k(-oo) both are 0.

"If" is what a claim needs; that log C is large enough is a lemma on real numbers.  A Renyi
divergence enters as e^((a-1) R_a) = E_a.  Source of the constant: Canonne, Kamath, Steinke 2020,
Proposition 12.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement

NAME, FACTORS = "a multiple of a moment", "moments of factors"


def by_moment_bounds(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove ``Pr[Z > eps] <= C E_a`` or ``delta(eps) <= C E_a``; None for other claims."""
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Ge):
        return None
    small, big, _ = order_sides(claim)
    least = {pn.Profile: _least_for_profile, pn.Probability: _least_for_tail}.get(type(small))
    if least is None or not big.has(pn.Moment, pn.RenyiDivergence):
        return None
    moment, factors = _product(big)
    order, first, second = moment.args
    members = small.args[:2] if isinstance(small, pn.Profile) else small.args[0].args
    identity, _ = pn.oriented(*members)
    if members != (first, second) or identity.mechanism is not None or identity.factors or (
            identity.role is not None):
        raise Unsupported("the moment of the same arbitrary pair is needed")
    where = [h for h in statement.where if isinstance(h, sp.core.relational.Relational)
             and not h.has(pn.Distribution)]
    lemmas = [("the order is above 1", prove(lemma_of(statement, lang.Gt(order, 1), where)))]
    excess = _excess(order, (claim, *where))
    log = sp.Add(*(_log(f.xreplace(excess)) for f in factors))
    known_of_b = [h.func(*(x.xreplace(excess) for x in h.args), evaluate=False) for h in where]
    problems: list[str] = []
    for bound in least(small, order):
        lemma = lang.Ge(sp.expand(log - bound.xreplace(excess)), 0)
        near = [h for h in known_of_b if h.free_symbols & lemma.free_symbols]
        try:
            lemmas.append(("the multiple is large enough", prove(lemma_of(statement, lemma, near))))
        except Unsupported as problem:
            problems.append(str(problem))
            continue
        return by_lemmas(NAME, lemmas, [known.DISINTEGRATION])
    raise Unsupported("; ".join(problems))


def _excess(order: Any, forms: tuple[Any, ...]) -> dict[Any, Any]:
    """The letter of the order, x + r with r rational, through b = order - 1 > 0."""
    if order.is_Rational:
        return {}
    letters = sorted(order.free_symbols, key=str)
    if len(letters) != 1 or not letters[0].is_real or not (order - letters[0]).is_Rational:
        raise Unsupported("the order is a number, or a letter and a number")
    b = sp.Symbol("b", positive=True)
    if any(s.name == "b" for h in forms for e in h.args for s in e.free_symbols):
        raise Unsupported("the name b is taken")
    return {letters[0]: b + 1 - (order - letters[0])}


def by_factors(statement: Statement, prove: Prove) -> Judgement | None:
    """Moments of products of pairs as products of their moments, Renyi divergences as sums.

    At a real order a, by Tonelli, E_a of a product is the product in [0, oo]: for 0 <= a <= 1 no
    factor is +oo, for other a none is 0.  So log(E_a)/(a - 1) is the sum, whose terms have one
    sign: it never is oo - oo.
    """
    found = sorted({x for e in lang.expressions(statement.claim)
                    for x in sp.sympify(e).atoms(pn.Moment, pn.RenyiDivergence)
                    if pn.oriented(*x.args[1:])[0].factors}, key=str)
    if not found or not isinstance(statement.claim, sp.core.relational.Relational):
        return None
    values: dict[Any, Any] = {}
    for x in found:
        if not x.args[0].is_real:
            raise Unsupported("a real order is needed")
        parts = _of_factors(x)
        values[x] = sp.Mul(*parts) if isinstance(x, pn.Moment) else sp.Add(*parts)
    claim = statement.claim
    reduced = claim.func(*(e.xreplace(values) for e in claim.args), evaluate=False)
    if type(claim) in (sp.Eq, sp.Le, sp.Ge) and _same_value(reduced.lhs, reduced.rhs):
        # a moment of an order above 1 is above 0, a divergence of order 1 has no value
        orders = [lang.Gt(x.args[0], 1) if isinstance(x, pn.Moment) else lang.Ne(x.args[0], 1)
                  for x in found]
        return by_lemmas(FACTORS, [(f"the order: {bound}", prove(lemma_of(
            statement, bound, statement.where))) for bound in dict.fromkeys(orders)],
            [known.TONELLI])
    lemmas = []
    for side in claim.args:
        # what is +oo cancels, but in a product of powers with exponents above 0 and in a plain sum
        if side.has(pn.Moment, pn.RenyiDivergence) and not (
                _is_product_of_moments(side) or _is_sum_of_divergences(side)):
            lemmas += [(f"{x} is finite", prove(lemma_of(
                statement, lang.Defined(x), statement.where)))
                for x in sorted(side.atoms(pn.Moment, pn.RenyiDivergence), key=str)]
    lemmas.append(("with those of the factors", prove(lemma_of(
        statement, reduced, statement.where))))
    return by_lemmas(FACTORS, lemmas, [known.TONELLI])


def _of_factors(x: Any) -> list[Any]:
    """The same notion of each factor of a product of pairs."""
    identity, reverse = pn.oriented(*x.args[1:])
    parts = []
    for f in identity.factors:
        pair = (pn.Distribution(f.names[0], f, 0), pn.Distribution(f.names[1], f, 1))
        parts.append(x.func(x.args[0], *(pair[::-1] if reverse else pair)))
    return parts


def _is_product_of_moments(side: Any) -> bool:
    """Numbers times powers of moments with exponents above 0?"""
    return not side.has(pn.RenyiDivergence) and all(
        isinstance(x, pn.Moment) or not x.has(pn.Moment) or (
            x.is_Pow and isinstance(x.base, pn.Moment) and x.exp.is_positive)
        for x in sp.Mul.make_args(side))


def _is_sum_of_divergences(side: Any) -> bool:
    """Positive multiples of divergences of one order, and numbers?"""
    nodes = []
    for term in sp.Add.make_args(side):
        factors = sp.Mul.make_args(term)
        said = [x for x in factors if x.has(pn.Moment, pn.RenyiDivergence)]
        if said and (len(said) > 1 or not isinstance(said[0], pn.RenyiDivergence)
                     or not all(x.is_positive for x in factors if x is not said[0])):
            return False
        nodes += said
    return len({x.args[0] for x in nodes}) == 1


def _same_value(lhs: Any, rhs: Any) -> bool:
    """Are both sides the same product of moments of one order a, or the same sum of divergences,
    or e to a - 1 times it?  Those never are 0 oo or oo - oo, which may hide an infinite difference.
    """
    if isinstance(lhs, sp.exp) and isinstance(rhs, sp.exp):
        lhs, rhs = (sp.expand(side.args[0]) for side in (lhs, rhs))
    if lhs != rhs:
        return False
    terms = sorted(lhs.atoms(pn.Moment, pn.RenyiDivergence), key=str)
    if len({x.args[0] for x in terms}) != 1:
        return False
    if isinstance(terms[0], pn.Moment):
        return bool(lhs == sp.Mul(*terms))
    total = sp.Add(*terms)
    return lhs == total or bool(sp.expand((terms[0].args[0] - 1) * total) == lhs)


def _least_for_tail(small: Any, a: Any) -> tuple[Any, ...]:
    """The logarithm of the least multiple above Pr[Z > eps] or Pr[Z >= eps]."""
    relation, eps = str(small.args[1]), small.args[2]
    if relation not in (">", ">=") or not eps.is_real:
        raise Unsupported("an upper tail of the loss at a real number is needed")
    return ((1 - a) * eps,)


def _least_for_profile(small: Any, a: Any) -> tuple[Any, ...]:
    """Logarithms of multiples above delta(eps): that above the tail, which is more, and the
    least."""
    if not small.args[2].is_real:
        raise Unsupported("the profile at a real number is needed")
    tail = (1 - a) * small.args[2]
    return tail, tail - a * sp.log(a) + (a - 1) * sp.log(a - 1)


def _product(big: Any) -> tuple[Any, list[Any]]:
    """The one moment of a product, and its other factors, free of pairs."""
    moments: list[Any] = []
    factors: list[Any] = []
    for factor in sp.Mul.make_args(big):
        if isinstance(factor, pn.Moment):
            moments.append(factor)
        elif isinstance(factor, sp.exp) and factor.has(pn.RenyiDivergence):
            moment, rest = _unfolded(factor.args[0])
            moments.append(moment)
            factors.append(sp.exp(rest))
        else:
            factors.append(factor)
    if len(moments) != 1 or any(f.has(pn.Distribution) for f in factors):
        raise Unsupported("one moment times a number is needed")
    return moments[0], factors


def _unfolded(exponent: Any) -> tuple[Any, Any]:
    """E_a and the rest of an exponent (a - 1) R_a + rest; +oo where R_a = +oo, as a > 1."""
    found = list(exponent.atoms(pn.RenyiDivergence))
    if len(found) != 1:
        raise Unsupported("one Renyi divergence is needed")
    (renyi,) = found
    rest = sp.expand(exponent - (renyi.args[0] - 1) * renyi)
    if rest.has(pn.Distribution):
        raise Unsupported("the divergence of order a counts a - 1 times")
    return pn.Moment(*renyi.args), rest


def _log(factor: Any) -> Any:
    """The logarithm of a product of powers of positive numbers, expanded."""
    if isinstance(factor, sp.exp):
        return factor.args[0]
    if factor.is_Pow:
        return factor.exp * _log(factor.base)
    if factor.is_Mul:
        return sp.Add(*(_log(x) for x in factor.args))
    if factor.is_positive and (factor.is_Symbol or factor.is_Rational):
        return sp.log(factor)
    if factor.is_Add:
        whole = sp.factor(sp.together(factor))
        if not whole.is_Add:
            return _log(whole)
        if whole.is_positive:
            return sp.log(whole)
    raise Unsupported(f"the sign of {factor} is open")


__all__ = ["by_factors", "by_moment_bounds"]
