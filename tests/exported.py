"""All closed forms that formats are tested on, and points for them."""

from __future__ import annotations

from functools import cache

import pytest
import sympy as sp
from mpmath import mp

from lapdp import discrete_gaussian, exponential, gaussian, laplace, poisson, randomized_response
from lapdp.core.errors import LapdpError, Unsupported
from lapdp.privacy.mechanisms import CARDS

NOTIONS = ("profile", "loss", "moment", "renyi", "tradeoff", "characteristic")
DERIVED = [laplace(1) ** 2, laplace(1) * laplace(2, 3), laplace(1) ** 3 * exponential(1, 2),
           gaussian(1) * laplace(1), poisson(laplace(1), "0.1", direction="remove"),
           poisson(gaussian(1), "0.1", direction="remove"),
           gaussian(2) * randomized_response(1, "1/10"), laplace("1/2000") * gaussian(1)]
PAIRS = list(dict.fromkeys([p for card in CARDS.values() for p in card.pairs()] + DERIVED))
# doubles, so that each format gets the same points
GRID = [sp.Rational(x) for x in ("-5/2", "-1", "0", "1/8", "1/2", "1", "5/2")]
LEVELS = [sp.Rational(x) for x in ("0", "1/1024", "1/8", "1/2", "3/4", "1")]
FAR = {name: [sp.Integer(x) for x in (-far, -30, 30, far)] for name, far in {
    "profile": 800, "renyi": 800, "loss": 60, "moment": 60, "characteristic": 60}.items()}
VALUES = {"eps": sp.Rational(3, 4), "delta": sp.Rational(1, 8), "scale": sp.Rational(3, 2),
          "sigma": sp.Rational(5, 4), "d": sp.Rational(2), "k": sp.Integer(3), "a": sp.Integer(2)}


@cache
def closed(pair, name):
    """The curves of a notion, None where there is no closed form."""
    try:
        return getattr(pair, name).curves()
    except LapdpError:
        return None


def refused(*writers):
    """What has no closed form is written down in no format."""
    for write in writers:
        with pytest.raises(LapdpError):
            write()


def quick(pair, name):
    """Theta sums take seconds at hundreds of digits: one example, without its Renyi divergence."""
    return type(pair) is not type(discrete_gaussian(1)) or (
        pair == discrete_gaussian(1) and name in ("profile", "loss"))


FORMS = [(p, n) for p in PAIRS for n in NOTIONS if quick(p, n)]
"""Those without a closed form, too: to know them is to compute all."""


def run(source):
    module = {}
    exec(source, module)
    return module


def parameters(notion, formula, variable):
    """Numbers for the parameters, in the order of the arguments."""
    free = formula.free_symbols | getattr(notion.domain(variable), "free_symbols", set())
    return {s: VALUES.get(s.name, sp.Rational(1, 4)) for s in sorted(free - {variable}, key=str)}


def points(notion, formula, variable, far=False):
    """The grid and the breakpoints that are doubles, as far as they lie in the domain."""
    cuts = {side for c in formula.atoms(sp.core.relational.Relational) for side in c.args
            if side.is_Rational and sp.Rational(float(side)) == side}
    wide = LEVELS if notion.name == "tradeoff" else [*GRID, *(FAR[notion.name] if far else ())]
    return [x for x in sorted({*wide, *cuts})
            if notion.domain(variable).subs(variable, x) == sp.true]


def double(x):
    """A point that is a double, in mpmath."""
    return mp.mpf(x.p) / x.q


def exactly(notion, function, formula, variable, x, values):
    """The value at one point by the exact path, which never sees the curve."""
    if not values:
        of = notion.density if function == "loss_density" else notion.value
        try:
            return mp.mpmathify(sp.N(of(x), 60))
        except Unsupported as problem:
            assert "exponent" in str(problem)
    return mp.mpmathify(sp.N(formula.subs(variable, x).subs(values), 60))
