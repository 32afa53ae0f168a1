"""The staircase mechanism, Geng and Viswanath 2014."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.mechanism import Card, exact_parameter, require, scalar, substituted
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class Staircase(Pair):
    """Noise whose density falls by e^-eps in steps: after the part gamma of each unit."""

    eps: Any
    gamma: Any

    def model(self) -> Model:
        """In units of the sensitivity: left of both centres (P-mass 1/2) the loss is eps, right of
        both -eps; between them the first and the last stretch, of length min(gamma, 1 - gamma),
        have loss eps and -eps, and the middle has loss 0."""
        eps, fall = Form.of(self.eps), Scalar.exp(-Form.of(self.eps))
        g = scalar(self.gamma)
        high = (1 - fall) / (2 * (g + fall * (1 - g)))
        early = self.gamma == _optimal(self.eps) or bool(self.gamma <= sp.Rational(1, 2))
        short = g if early else 1 - g
        middle = (1 - 2 * g) * fall if early else 2 * g - 1
        half = Scalar.of(1) / 2
        over, level = half + high * short, high * middle
        return Model.of_atoms(tuple(
            Atom(a, b, z) for a, b, z in (
                (over, over * fall, eps), (level, level, Form({})), (over * fall, over, -eps))
            if not a.is_zero()))

    def constraints(self) -> list[Constraint]:
        """A positive loss."""
        return [(Form.of(self.eps), ">")]

    def substitute(self, values: dict[Any, Any]) -> Staircase | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(staircase, (self.eps, self.gamma), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The density on each stretch between its steps, the outer sides summed."""
        import mpmath as mp

        e, g = (in_numbers(x, values)
                for x in (self.eps, self.gamma))
        r = mp.exp(-e)
        a = (1 - r) / (2 * (g + r * (1 - g)))
        def density(x: Any) -> Any:
            k = mp.floor(abs(x))
            return a * r ** (k if abs(x) - k < g else k + 1)

        cuts = sorted({mp.mpf(0), mp.mpf(1), mp.mpf(g), 1 - mp.mpf(g)})
        rows = [(mp.mpf(1) / 2, r / 2), (r / 2, mp.mpf(1) / 2)]
        for low, high in itertools.pairwise(cuts):
            mid = (low + high) / 2
            rows.append(((high - low) * density(mid), (high - low) * density(1 - mid)))
        return ("finite", rows)

    def __repr__(self) -> str:
        return f"staircase({self.eps}, {self.gamma})"


def _optimal(eps: Any) -> Any:
    """The part that minimises the expected size of the noise, below 1/2 for every eps."""
    return 1 / (1 + sp.exp(eps / 2))


@fitting
def staircase(eps: Any, gamma: Any = None) -> Staircase:
    """The staircase mechanism at distance 1 (in units of the sensitivity).

    Arguments: ``eps`` > 0, exact or symbolic; ``gamma`` in [0, 1] an exact number, default
    1/(1 + e^(eps/2)), which minimises the expected absolute noise.  Raises InputError for floats,
    for values out of range and for another symbolic ``gamma``.

    >>> staircase(2 * sp.log(2)).profile(0), staircase(sp.log(3), "1/2").profile(0)
    (9/16, 1/2)
    """
    e = exact_parameter("eps", eps)
    require("eps", e, e > 0, "positive")
    g = _optimal(e) if gamma is None else exact_parameter("gamma", gamma)
    if g.free_symbols and g != _optimal(e):
        raise InputError("gamma must be an exact number, or be left out for the optimal one")
    if not g.free_symbols:
        require("gamma", g, sp.And(g >= 0, g <= 1), "between 0 and 1")
    return Staircase(e, g)


CARD = Card(
    make=staircase,
    says="two staircase distributions, the optimal one by default",
    source="Geng and Viswanath 2014",
    direction="P is the noise at 0, Q at the sensitivity 1; x -> 1 - x exchanges them",
    dominating="up to distance 1 the losses are eps, 0, -eps; the P-mass of the loss eps is the "
               "total variation over 1 - e^-eps, and that of a symmetric unimodal noise and its "
               "shift grows with the shift",
    pitfall="A stretch between two steps of the wrong length.",
    examples=((2 * sp.log(2),), (sp.log(3), "1/4"), (sp.log(3), "1/2"), (sp.log(2), "3/4"),
              (sp.log(2), 0), (sp.log(2), 1), ("1/100",), (20,),
              (sp.Symbol("eps", positive=True),)),
    symmetric=True,
)
