"""Pairs given by two densities in x.

Exact where a change of variable makes both exponential polynomials whose log ratio is piecewise
affine (:mod:`lapdp.privacy.push_forward`); else certified by quadrature, and in closed form where
p > e^t q is a quadratic inequality (:mod:`lapdp.privacy.quadratic_losses`).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.density_pairs import Densities, pair_of_densities
from lapdp.privacy.mechanism import Card, exact_parameter
from lapdp.privacy.push_forward import X


@fitting
def densities(p: Any, q: Any, x: Any, support: tuple[Any, Any] = (-sp.oo, sp.oo)) -> Densities:
    """The pair of two densities in ``x`` on the open interval ``support``.

    Between kinks (Abs, Piecewise, Max, Min or Heaviside of expressions affine in x) densities are
    sums of c x^n e^(a x), or become so in the log of the distance from a point, as c x^a log(x)^n
    does, or in a power of x; and the loss log(p/q) is affine in that variable.  Then all notions
    are exact.  Other densities without parameters have certified values of the profile, and a
    closed form where p > e^t q is a quadratic inequality in x or e^x: normal distributions of
    different variances, Cauchy, logistic.

    Both must be non-negative and integrate to 1, exactly, or to 25 digits for those others; else
    :class:`InputError`.  :class:`Unsupported` where this is not seen.

    >>> x = sp.Symbol("x", real=True)
    >>> coin = densities(sp.exp(-sp.Abs(x))/2, sp.exp(-sp.Abs(x - 1))/2, x)
    >>> coin.loss.atoms
    (LossAtom(loss=-1, mass=exp(-1)/2), LossAtom(loss=1, mass=1/2))
    >>> densities(2*x, 1, x, (0, 1)).profile()
    Piecewise((exp(2*t)/4 - exp(t) + 1, t < log(2)), (0, True))
    >>> cauchy = 1/(sp.pi*(1 + x**2))
    >>> densities(cauchy, cauchy.subs(x, x - 1), x).profile(0)
    2*atan(1/2)/pi
    >>> densities(x, 1, x, (0, 1))
    Traceback (most recent call last):
    lapdp.core.errors.InputError: p integrates to 1/2, not to 1
    """
    if not isinstance(x, sp.Symbol):
        raise InputError(f"{str(x)[:40]} is not a symbol: name the variable of the densities")
    found = [exact_parameter(name, e).subs(x, X) for name, e in (("p", p), ("q", q))]
    if not isinstance(support, (tuple, list, sp.Tuple)) or len(support) != 2:
        raise InputError("support must be a pair such as (0, oo)")
    ends = [end if end in (sp.oo, -sp.oo) else exact_parameter("support", end) for end in support]
    if any(x in end.free_symbols for end in ends):
        raise InputError(f"the support must not depend on {x}")
    if ends[0] == sp.oo or ends[1] == -sp.oo:
        raise InputError("the support runs from its lower end to its upper end")
    return pair_of_densities(found[0], found[1], *map(sp.sympify, ends))


_X, _A = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)

CARD = Card(
    make=densities,
    says="two densities; exact where their log ratio is affine in x, a log or a power of it",
    source="the change of variables z = log(p/q)",
    direction="P and Q as they are given",
    dominating="itself, and every post-processing of it; for a mechanism, take neighbours whose "
               "pair dominates the others",
    pitfall="A piece of the loss with the wrong density.",
    examples=((sp.exp(-sp.Abs(_X)) / 2, sp.exp(-sp.Abs(_X - 1)) / 2, _X),
              (sp.exp(-_X), 2 * sp.exp(-2 * _X), _X, (0, sp.oo)),
              (_X * sp.exp(-_X), 4 * _X * sp.exp(-2 * _X), _X, (0, sp.oo)),
              (2 * _X, sp.Integer(1), _X, (0, 1)), (2 / _X**3, 3 / _X**4, _X, (1, sp.oo)),
              (sp.Piecewise((1, _X < 1), (0, True)), sp.Piecewise((0, 2 * _X < 1), (1, True)), _X,
               (0, "3/2")),
              (sp.exp(-(_X**2) / 2) / sp.sqrt(2 * sp.pi), sp.exp(-(_X**2) / 8) / sp.sqrt(8 * sp.pi),
               _X),
              (_A * sp.exp(-_A * _X), 2 * _A * sp.exp(-2 * _A * _X), _X, (0, sp.oo))),
    in_formulas=False,
)
