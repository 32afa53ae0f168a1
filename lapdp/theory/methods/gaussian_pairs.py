"""Counterexamples among Gaussian pairs: they attain what Renyi bounds for all orders allow.

With kappa = d^2/(2 s^2), a Gaussian pair has R_q = q kappa and E_q = e^(q (q - 1) kappa) in both
directions, so that a hypothesis R_q <= xi + rho q for all q > 1 holds with equality at xi = 0,
rho = kappa: no finite pair comes near.  Letters are solved for such equality, or tried; that the
hypotheses hold is an identity of polynomials in q or the sign of a ball, and that the claim fails
is the sign of a ball too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.nodes import Node
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec
from lapdp.core.verdict import Judgement, Kind, Witness
from lapdp.privacy import nodes as pn
from lapdp.privacy.mechanisms.gaussian import Gaussian, gaussian
from lapdp.privacy.mixtures import PLAIN, REVERSED, members
from lapdp.theory import language as lang
from lapdp.theory.instances import allowed
from lapdp.theory.methods.registry import Prove
from lapdp.theory.statement import Statement

NAME = "Gaussian pairs"
BITS = 200
SIGMAS = (1, sp.Rational(1, 2), 2, 10, sp.Rational(1, 5), 100)
POOL = tuple(map(sp.Rational, ("1/2", "1/10", "1/100", "1/100000", "1", "2", "0", "3/4",
                               "1/10000000000", "4", "10")))
"""Values of letters that equality does not determine."""
MOST = 300
"""Instances of each pair."""


def by_gaussian_pairs(statement: Statement, _: Prove) -> Judgement | None:
    """Refute a relation about one arbitrary pair of which a hypothesis bounds Renyi divergences or
    moments for all orders; None for other statements.

    Raises :class:`Unsupported` where no such pair contradicts the statement.
    """
    claim = statement.claim
    if not isinstance(claim, Relational) or not any(map(_for_all_orders, statement.where)):
        return None
    if len(statement.pairs) != 1 or statement.pairs[0].factors or (
            statement.pairs[0].mechanism or statement.pairs[0].role) or (
            len(statement.pairs[0].names) != 2):
        return None
    looked = 0
    for sigma in SIGMAS:
        pair = gaussian(sigma)
        for values in islice(_values(statement, pair), MOST):
            looked += 1
            try:
                found = _against(statement, pair, values)
            except (Unsupported, Undefined, InputError):
                continue
            if found is not None:
                return Judgement(Kind.REFUTED, NAME, reason=found.why, witness=found)
    raise Unsupported(f"none of {looked} Gaussian instances contradicts the statement")


def _for_all_orders(form: Any) -> bool:
    return isinstance(form, lang.ForAll) and isinstance(form.claim, Relational) and any(
        node.args[0] in form.over for e in form.claim.args
        for node in sp.sympify(e).atoms(pn.RenyiDivergence, pn.Moment))


def closed(e: Any, pair: Gaussian) -> Any:
    """An expression with the notions of the pair in closed form; Unsupported for other notions."""
    def value(node: Any) -> Any:
        whose = node.args[:2] if isinstance(node, pn.Profile) else node.args[1:]
        if members(*whose)[1] not in (PLAIN, REVERSED):
            raise Unsupported(f"{node}: a mixture is no Gaussian pair")
        if isinstance(node, pn.Profile):
            return pair.profile_expression(node.args[2])
        q = node.args[0]
        if not q.is_real:
            raise Unsupported(f"the order {q} is not known to be real")
        if isinstance(node, pn.RenyiDivergence):
            if q == 1:
                raise Undefined("R_q is not defined at q = 1")
            return q * pair.kappa
        return sp.exp(q * (q - 1) * pair.kappa)

    kinds = (pn.Profile, pn.RenyiDivergence, pn.Moment)
    e = sp.sympify(e)
    for _ in range(2):  # a divergence may stand in the argument of a profile
        e = e.replace(lambda x: isinstance(x, kinds) and not any(
            a.atoms(*kinds) for a in x.args), value)
    if e.atoms(Node, pn.Distribution):
        raise Unsupported(f"{e} at a Gaussian pair")
    return e


# instances ----------------------------------------------------------------------------------------

def _values(statement: Statement, pair: Gaussian) -> Iterator[dict[Any, Any]]:
    """Values of the letters: by equality in the hypotheses about the pair, the others tried."""
    letters = sorted(statement.parameters, key=str)
    try:
        solved = _solved(statement, pair, letters)
    except (Unsupported, Undefined, InputError):
        return
    free = [x for x in letters if x not in solved]
    pools = [[v for v in POOL if allowed(x, v)] for x in free]
    for chosen in product(*pools):
        values = dict(zip(free, chosen, strict=True))
        values |= {x: v.subs(values) for x, v in solved.items()}
        if all(allowed(x, v) for x, v in values.items()):
            yield values


def _solved(statement: Statement, pair: Gaussian, letters: list[Any]) -> dict[Any, Any]:
    equations: list[Any] = []
    for form in statement.where:
        if not _for_all_orders(form):
            continue
        gap = sp.expand(closed(form.claim.lhs - form.claim.rhs, pair))
        inside = [q for q in form.over if gap.has(q)]
        if not gap.is_polynomial(*inside):
            raise Unsupported("a bound that is no polynomial of the order")
        equations += sp.Poly(gap, *inside).coeffs() if inside else [gap]
    found = sp.solve(equations, letters, dict=True)
    if len(found) != 1 or not all(sp.sympify(v).is_polynomial(*letters)
                                  for v in found[0].values()):
        raise Unsupported("equality determines no values")
    return {x: sp.sympify(v) for x, v in found[0].items()}


# what holds at an instance ------------------------------------------------------------------------

def _against(statement: Statement, pair: Gaussian, values: dict[Any, Any]) -> Witness | None:
    for form in statement.where:
        if not _holds(form, pair, values):
            return None
    claim = statement.claim
    left, right = (closed(e, pair).subs(values, simultaneous=True) for e in claim.args)
    if _relation(claim.func, left - right) is not False:
        return None
    with workprec(BITS):
        shown = [exact_ball(e).real.str(15) for e in (left, right)]
    names = ", ".join(statement.pairs[0].names)
    text = "; ".join([f"{names} = mechanism_pair(gaussian({pair.sigma}))",
                      *(f"{x} = {v}" for x, v in values.items())])
    return Witness(text, {str(x): str(v) for x, v in values.items()}, shown[0], shown[1],
                   "the pair attains the Renyi bound at every order, and the balls of the two "
                   "sides are apart")


def _holds(form: Any, pair: Gaussian, values: dict[Any, Any]) -> bool:
    """Is a hypothesis known to hold?"""
    if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
        return True  # both densities are positive on the line
    if _for_all_orders(form):
        gap = closed(form.claim.lhs - form.claim.rhs, pair).subs(
            {x: v for x, v in values.items() if x not in form.over}, simultaneous=True)
        # an identity in the order, whatever orders are meant
        return form.claim.func in (sp.Le, sp.Ge, sp.Eq) and sp.expand(gap) == 0
    if not isinstance(form, Relational):
        raise Unsupported(f"{type(form).__name__} at a Gaussian pair")
    left, right = (closed(e, pair).subs(values, simultaneous=True) for e in form.args)
    return _relation(form.func, left - right) is True


def _relation(func: Any, gap: Any) -> bool | None:
    """Does ``gap`` stand in the relation to 0?  None where the ball does not tell."""
    if sp.expand(gap) == 0:
        return func in (sp.Le, sp.Ge, sp.Eq)
    with workprec(BITS):
        ball = exact_ball(gap)
        if not ball.imag.is_zero():
            raise Unsupported(f"{gap} is not known to be real")
        sign = 1 if ball.real > 0 else -1 if ball.real < 0 else 0
    if sign == 0:
        return None
    return func in {1: (sp.Gt, sp.Ge, sp.Ne), -1: (sp.Lt, sp.Le, sp.Ne)}[sign]


__all__ = ["by_gaussian_pairs", "closed"]
