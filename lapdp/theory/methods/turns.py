"""Where the truth of a relation between numbers may turn: signs of expressions.

The truth of a relation of real letters turns only where its sides meet, where a case of a side
begins, or where a side loses its value.  Each of these is a sign of an expression: the gap of the
sides, what stands in an absolute value or in a condition, what stands under a logarithm, a root or
a fraction.  And what is as good as constant far from a peak does not tell where the peak is: what
stands in it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Indicator

_STRICT = (sp.Lt, sp.Gt)
_STEEP = (sp.exp, sp.tanh, sp.erf, sp.erfc, sp.atan)
"""Functions that are as good as constant where their argument is large."""

@dataclass(frozen=True)
class Turn:
    """An expression above 0 at points where the claim was compared; ``strict`` where the claim does
    not outlive that it is 0, ``both`` where its other sign only begins another case, ``whole``
    where it is followed both ways down to its least and up to its largest values."""

    e: Any
    what: str
    strict: bool = True
    both: bool = False
    whole: bool = False


GAP = "the gap of the sides"
"""What the first turn of an inequality is."""


def turns_of(claim: Any, spared: bool = False) -> list[Turn]:
    """The expressions on whose signs the truth of a relation hangs.

    >>> x, y = sp.symbols("x y", real=True)
    >>> for turn in turns_of(sp.Gt(sp.log(x + y)/(x - y), sp.Abs(x*y))):
    ...     print(turn.e, "|", turn.what)
    -Abs(x*y) + log(x + y)/(x - y) | the gap of the sides
    x - y | a denominator
    x + y | the argument of log
    """
    found: list[Turn] = []
    ordered = isinstance(claim, (sp.Lt, sp.Le, sp.Gt, sp.Ge))
    if ordered:
        above = isinstance(claim, (sp.Gt, sp.Ge))
        gap = claim.lhs - claim.rhs if above else claim.rhs - claim.lhs
        strict = isinstance(claim, _STRICT)
        found.append(Turn(gap, GAP, strict))
        factors = [f.base if f.is_Pow else f for f in sp.Mul.make_args(sp.factor_terms(gap))]
        if len(factors) > 1 or factors[0] != gap:
            found += [Turn(f, "a factor of the gap", strict) for f in factors if f.free_symbols]
    for e in _outside_cases(claim):
        if not spared:
            found += _needed(e)
        if not ordered and isinstance(e, sp.Abs):
            found.append(Turn(e.args[0], "a kink", both=True))
        elif not ordered and isinstance(e, (sp.Max, sp.Min)):
            found += [Turn(a - b, "a kink", both=True) for a, b in combinations(e.args, 2)]
    for e in sorted(claim.atoms(*_STEEP), key=sp.default_sort_key):
        if not _is_linear(e.args[0]):
            found.append(Turn(e.args[0], "what makes a peak", both=True, whole=True))
    for e in sorted(claim.atoms(sp.sign, sp.Heaviside), key=sp.default_sort_key):
        found.append(Turn(e.args[0], "a jump", both=True))
    for e in sorted(claim.atoms(Relational) - {claim}, key=sp.default_sort_key):
        found.append(Turn(e.lhs - e.rhs, "a case", both=True))
    return [turn for turn in dict.fromkeys(found) if turn.e.free_symbols]


def _is_linear(e: Any) -> bool:
    return not e.free_symbols or (e.is_polynomial() and sp.total_degree(e) <= 1)


def _outside_cases(claim: Any) -> Iterator[Any]:
    """The parts of the sides that have to have values wherever the sides have."""
    parts = sp.preorder_traversal(claim)
    for e in parts:
        if isinstance(e, (sp.Piecewise, Indicator)):
            parts.skip()
        else:
            yield e


def _needed(e: Any) -> Iterator[Turn]:
    if isinstance(e, sp.log) and not e.args[0].is_positive:
        yield Turn(e.args[0], "the argument of log")
    elif e.is_Pow and not e.base.is_positive:
        if e.exp.is_negative and not isinstance(e.base, sp.exp):
            yield Turn(e.base, "a denominator")
        elif not e.exp.is_integer:
            yield Turn(e.base, "the base of a root", strict=False)


__all__ = ["GAP", "Turn", "turns_of"]
