"""Losses of Gaussian pairs in statements: expectations, probabilities and densities in closed form.

With d = sensitivity and s = sigma, the loss of (N(0, s^2), N(d, s^2)) and that of the reversed pair
are N(kappa, 2 kappa), kappa = d^2/(2 s^2).  So Z = kappa + (d/s) V with V standard normal, and

* E[Z^n] is a polynomial in kappa, E[e^(aZ)] = e^(kappa a (a + 1));
* other expectations are integrals over the line, which the methods for integrals decide;
* Pr[Z <= x] = erfc((kappa - x) s/(sqrt(2) d))/2, and no value has positive probability;
* the density at x is that of N(kappa, 2 kappa).

A relation is rewritten before any method sees it; the ranges of the parameters become hypotheses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.privacy import nodes as pn
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.theory import language as lang
from lapdp.theory.methods.having_values import doubtful

MAX_POWER = 12
"""Powers of a loss whose mean is written out."""


def without_normal_losses(statement: Any) -> Any:
    """The statement with what it says of losses of Gaussian pairs in closed form.

    Relations only, as claim and hypotheses; a node that has no closed form here stays.

    >>> from lapdp import gaussian
    >>> from lapdp.theory import Eq, Ex, PLD, mechanism_pair
    >>> from lapdp.theory.statement import Statement
    >>> Z = PLD(*mechanism_pair(gaussian(1)))
    >>> without_normal_losses(Statement("mean", Eq(Ex(Z**2, Z), 1))).claim
    Eq(5/4, 1)
    """
    found: list[Gaussian] = []
    claim = _rewritten(statement.claim, found)
    where = tuple(_rewritten(form, found) for form in statement.where)
    if not found:
        return statement
    ranges = {lang.Gt(x, 0) for m in found for x in (m.sigma, m.sensitivity)
              if x.free_symbols and not x.is_positive}
    return replace(statement, claim=claim, where=(*where, *sorted(ranges, key=str)))


def _rewritten(form: Any, found: list[Gaussian]) -> Any:
    if not isinstance(form, Relational):
        return form
    lhs, rhs = (_closed(sp.sympify(e), found) for e in (form.lhs, form.rhs))
    return form.func(lhs, rhs, evaluate=False)


def _closed(e: Any, found: list[Gaussian]) -> Any:
    """``e`` with the nodes in it replaced, inner ones first."""
    if not e.args or not e.has(pn.Loss):
        return e
    if isinstance(e, (pn.Expectation, pn.LossCDF, pn.Probability, pn.LossDensity)):
        loss = e.args[1] if isinstance(e, pn.Expectation) else e.args[0]
        mechanism = gaussian_of(loss)
        if mechanism is not None and (value := _value(e, loss, mechanism)) is not None:
            found.append(mechanism)
            return value
    if isinstance(e, pn.Loss):
        return e
    arguments = [_closed(a, found) for a in e.args]
    return e if all(a is b for a, b in zip(arguments, e.args, strict=True)) else e.func(*arguments)


def gaussian_of(loss: Any) -> Gaussian | None:
    """The one Gaussian mechanism whose loss this is, None for any other."""
    first, second = loss.args
    if pn.of_several(first, second) or not all(
            isinstance(e, pn.Distribution) for e in (first, second)):
        return None
    identity, _ = pn.oriented(first, second)
    parts = [a.mechanism for a in identity.atoms()]
    if not all(isinstance(m, Gaussian) for m in parts):
        return None
    total = parts[0]
    for m in parts[1:]:
        total = total * m
    return total if isinstance(total, Gaussian) else None


def _value(e: Any, loss: Any, mechanism: Gaussian) -> Any:
    if isinstance(e, pn.Expectation):
        return _expectation(e.args[0], loss, mechanism)
    if isinstance(e, pn.Probability):
        return _probability(str(e.args[1]), e.args[2], mechanism)
    point = e.args[1]
    if not _is_real(point):
        return None
    return (_tail(-1, point, mechanism) if isinstance(e, pn.LossCDF)
            else mechanism.loss.density(point))


def _expectation(body: Any, loss: Any, mechanism: Gaussian) -> Any:
    """E[body]: term by term where every term is c Z^n e^(aZ) with n = 0 or a = 0, else as an
    integral."""
    z = sp.Dummy("z", real=True)
    body = body.xreplace({loss: z})
    if body.has(pn.Loss) or doubtful(body):
        return None  # sums of terms may lack what has no value
    kappa, total = mechanism.kappa, sp.S.Zero
    for term in sp.Add.make_args(sp.expand(body)):
        mean = _mean_of_term(term, z, kappa)
        if mean is None:
            v = sp.Dummy("v", real=True)
            at = kappa + mechanism.sensitivity / mechanism.sigma * v
            density = sp.exp(-v**2 / 2) / sp.sqrt(2 * sp.pi)
            return cn.Int(body.xreplace({z: at}) * density, v, -sp.oo, sp.oo)
        total += mean
    return total


def _mean_of_term(term: Any, z: Any, kappa: Any) -> Any:
    c, rest = term.as_independent(z, as_Add=False)
    power = sp.degree(rest, z) if rest.is_polynomial(z) else None
    if power is not None and rest == z**power and power <= MAX_POWER:
        return c * normal_moment(int(power), kappa)
    if isinstance(rest, sp.exp):
        rate = sp.expand(rest.args[0]).coeff(z, 1)
        if sp.expand(rest.args[0] - rate * z) == 0 and not rate.has(z):
            return c * sp.exp(sp.expand(kappa * rate * (rate + 1)))
    return None


def normal_moment(n: int, kappa: Any) -> Any:
    """E[Z^n] for Z ~ N(kappa, 2 kappa).

    The sum over j of binom(n, 2j) (2j - 1)!! kappa^(n - 2j) (2 kappa)^j.

    >>> k = sp.Symbol("kappa")
    >>> [normal_moment(n, k) for n in (0, 1, 2)]
    [1, kappa, kappa**2 + 2*kappa]
    """
    return sp.Add(*(sp.binomial(n, 2 * j) * sp.factorial2(2 * j - 1) * 2**j * kappa ** (n - j)
                    for j in range(n // 2 + 1)))


def _probability(relation: str, x: Any, mechanism: Gaussian) -> Any:
    if x in (sp.oo, -sp.oo):
        below, above = relation in ("<", "<="), relation in (">", ">=")
        return sp.Integer(int(below if x == sp.oo else above))
    if not _is_real(x):
        return None
    if relation == "==":
        return sp.S.Zero
    return _tail(1 if relation in (">", ">=") else -1, x, mechanism)


def _tail(side: int, x: Any, mechanism: Gaussian) -> Any:
    """Pr[Z > x] for side 1, Pr[Z < x] for side -1."""
    place = (x - mechanism.kappa) * mechanism.sigma / (sp.sqrt(2) * mechanism.sensitivity)
    return sp.erfc(side * place) / 2


def _is_real(x: Any) -> bool:
    return bool(sp.sympify(x).is_real) and not x.has(cn.Node)


__all__ = ["gaussian_of", "normal_moment", "without_normal_losses"]
