"""Parameters that the field has no exact elements for, written as letters with known values.

e^x for x = sqrt(2), or for a rational x of many digits, is no element that the field can work with.
Taken for a letter the parameter can: what holds for every value of the letter holds for its value.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import sympy as sp

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.form import Form, Named
from lapdp.core.errors import Unsupported
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair

PLAIN = 16
"""Numerators and denominators up to here stay numbers."""
WEIGHTS = ("delta", "rate", "gamma")
"""Parameters that never stand in an exponent."""


class Letters:
    """Names numbers; a simple multiple of a named one, or of its inverse, gets no new name.

    >>> from lapdp import laplace
    >>> Letters().pair(laplace(sp.sqrt(2)) * laplace(3))
    laplace((sqrt(2)), 1)*laplace(3, 1)
    """

    def __init__(self) -> None:
        self.named: list[Named] = []

    def pair(self, pair: Pair) -> Pair:
        """The pair with its awkward parameters named."""
        if isinstance(pair, FinitePair):
            return pair
        changed: dict[str, Any] = {}
        for field in fields(pair):  # type: ignore[arg-type]
            value = getattr(pair, field.name)
            if isinstance(value, Pair):
                changed[field.name] = self.pair(value)
            elif isinstance(value, sp.Expr) and field.name not in WEIGHTS:
                changed[field.name] = self.number(value)
        return replace(pair, **changed)  # type: ignore[type-var]

    def number(self, value: Any) -> Any:
        """The number, or the letter for it."""
        if value.free_symbols or value.is_positive is not True or _is_plain(value):
            return value
        for letter in self.named:
            for known, name in ((letter.value, letter), (1 / letter.value, 1 / letter)):
                ratio = value / known
                if ratio.is_Rational and max(abs(ratio.p), ratio.q) <= PLAIN:
                    return ratio * name
        self.named.append(Named(value, lambda: exact_ball(value)))
        return self.named[-1]


def _is_plain(value: Any) -> bool:
    try:
        form = Form.of(value)
    except Unsupported:
        return False
    return all(max(abs(c.numerator), c.denominator) <= PLAIN for c in form.terms.values())


__all__ = ["Letters"]
