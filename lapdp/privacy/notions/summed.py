"""A profile of many releases, row by row: polynomials times e^(a x) on one side of a breakpoint.

The pieces between k breakpoints repeat k rows on k intervals; here each row stands once, its
polynomial as a sum of a_n x^n/n! with whole numbers a_n, and nothing is multiplied out by SymPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, lcm
from typing import Any, NamedTuple

import flint
import sympy as sp

from lapdp.calculus.collected import Collected, Powers
from lapdp.calculus.export import ordered
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.notions.notion import Notion
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.operations import Joint

FEW = 2500
"""Terms times breakpoints, which pieces repeat, that a person may read and SymPy prints."""

LOW = 15
"""Powers of t up to which they are multiplied out."""


class Row(NamedTuple):
    """weight e^(growth x) times the sum of a_n x^n/n! at x = t - at, where t < at if ``before``
    and where t >= at if not; 0 elsewhere."""

    at: Any
    before: bool
    weight: Any
    growth: Any
    coefficients: tuple[int, ...]


@dataclass(frozen=True)
class Summed:
    """A profile as the mass at infinity and a sum of rows, by rising breakpoint."""

    lost: Any
    rows: tuple[Row, ...]

    @property
    def degree(self) -> int:
        """The highest power of t."""
        return max(len(row.coefficients) for row in self.rows) - 1


def summed(notion: Notion) -> Summed | None:
    """The rows of a profile without parameters that has very many terms; None for others.

    >>> from lapdp import laplace
    >>> found = summed((laplace(1) ** 40).profile)
    >>> len(found.rows), found.rows[-1].at, found.rows[-1].before
    (43, 40, True)
    >>> summed(laplace(1).profile)
    """
    pair = notion.pair
    if not isinstance(notion, PrivacyProfile) or not isinstance(pair, Joint) or pair.free_symbols:
        return None
    try:
        model = pair.model_in(Cell())
    except Unsupported:
        # the notion says itself what it lacks
        return None
    if not isinstance(model.loss, Collected):
        return None
    whole = model.loss.against_hinge()
    degree = max(len(p.coeffs()) for stratum in whole.strata for parts in stratum.parts.values()
                 for p in parts.values())
    if degree <= LOW and len(whole) * len(whole.strata) <= FEW:
        return None
    return Summed(model.p_infinite.to_sympy(), _rows(whole))


def _rows(whole: Collected) -> tuple[Row, ...]:
    places = {stratum.at: stratum for stratum in whole.strata}
    weights: dict[Powers, Any] = {}
    # not multiplied out: powers of sums have many terms
    common = sp.Mul(*(x.to_sympy()**power for x, power in whole.common))
    found = []
    for group in ordered(places, Cell()):
        for at in group:
            for powers, parts in places[at].parts.items():
                if powers not in weights:
                    one = whole.element([(powers, flint.fmpq(1))])
                    weights[powers] = one.to_sympy() * common
                for a, p in parts.items():
                    terms = p.coeffs()[1:]
                    if a is None or not any(terms):
                        continue
                    before = a in whole.left
                    below = lcm(*(int(c.q) for c in terms))
                    numbers = [int(c.p) * (below // int(c.q)) for c in terms]
                    shared = gcd(*numbers) * (1 if numbers[-1] > 0 else -1)
                    weight = sp.Rational(-shared if before else shared, below)
                    found.append(Row(at.to_sympy(), before, weight * weights[powers],
                                     sp.Rational(a.numerator, a.denominator),
                                     tuple(n // shared for n in numbers)))
    return tuple(found)


__all__ = ["Row", "Summed", "summed"]
