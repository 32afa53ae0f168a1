"""Exact instances of several distributions on one space, and numbers that hypotheses bound there.

A bound d of a hypothesis such as A(S) <= e^eps B(S) + d for all events S, or R_q <= rho, is no free
choice: the least d that meets it is the telling one, and it is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed, InputError, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang

_H, _T = Fraction(1, 2), Fraction(1, 3)
ROWS: tuple[tuple[Any, ...], ...] = (
    (1, 0), (_H, _H), (0, 1), (_T, 2 * _T), (2 * _T, _T), (_H / 2, 3 * _H / 2),
    (_H, _H / 2, _H / 2), (0, _H, _H), (_T, _T, _T), (0, 0, 1))
"""Distributions of an instance, the simplest first; shorter ones have no mass beyond their end."""


@dataclass(frozen=True)
class Rows:
    """Several distributions on a finite space: for each outcome the mass in each of them."""

    outcomes: tuple[tuple[Scalar, ...], ...]

    @staticmethod
    def of(rows: list[tuple[Any, ...]]) -> Rows:
        """By the masses of each distribution."""
        width = max(map(len, rows))
        filled = [(*row, *(0 for _ in range(width - len(row)))) for row in rows]
        return Rows(tuple(tuple(map(Scalar.of, masses)) for masses in zip(*filled, strict=True)))


Row = tuple[Scalar, ...]


def text_of(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """The distributions as they are read.

    >>> text_of(("A", "B"), [(1, 0), (Fraction(1, 2), Fraction(1, 2))])
    'A = (1, 0); B = (1/2, 1/2)'
    """
    width = max(map(len, rows))
    return "; ".join(f"{name} = ({', '.join(map(str, (*row, *(0,) * (width - len(row)))))})"
                     for name, row in zip(names, rows, strict=True))


def bounded_letters(where: Any, letters: Any) -> dict[Any, Any]:
    """For letters that a hypothesis bounds from below by notions of distributions, the relation
    whose excess over 0 is the least value that the letter may have.

    >>> d, x = sp.symbols("d x", real=True)
    >>> A, B, C = pn.distributions("A B C")
    >>> bounded_letters([sp.Le(x, d), sp.Le(pn.delta(A, B)(0), x)], [d, x])
    {x: SupOverEvents(A(S) - B(S), S) <= 0}
    """
    found: dict[Any, Any] = {}
    for form in where:
        inner = form.claim if isinstance(form, lang.ForAll) and not form.where else form
        if not isinstance(inner, (sp.Le, sp.Ge)):
            continue
        low, high = (inner.lhs, inner.rhs) if isinstance(inner, sp.Le) else (inner.rhs, inner.lhs)
        if isinstance(form, lang.ForAll) and not all(isinstance(s, pn.Event) for s in form.over):
            continue
        for s in letters:
            if s in found or s in low.free_symbols or sp.diff(high, s) != 1 or (
                    not low.has(Node)):
                continue
            rest = lang.Le(low - high.subs(s, 0), 0)
            found[s] = rest if inner is form else lang.ForAll(form.over, rest)
            break
    taken = {x for form in found.values() for e in lang.expressions(form) for x in e.free_symbols}
    return {s: form for s, form in found.items() if s not in taken}


def least_values(instance: Any, wanted: Mapping[Any, Any]) -> Any:
    """The instance with the least values of these letters; None where they have none."""
    from lapdp.calculus.ordering import NeedSplit
    from lapdp.theory.instances import allowed
    from lapdp.theory.methods.implications import for_all_events
    from lapdp.theory.witness import Trial

    values = dict(instance.values)
    for s, form in wanted.items():
        try:
            bound = for_all_events(form.claim, form.over) if isinstance(
                form, lang.ForAll) else form
            found = Trial(instance).value(bound.lhs - bound.rhs)
        except (Unsupported, Undefined, InputError, IllFormed, NeedSplit):
            return None
        if not isinstance(found, Scalar) or not allowed(s, found.to_sympy()):
            return None
        values[s] = found.to_sympy()
    return replace(instance, values=values)


__all__ = ["ROWS", "Row", "Rows", "bounded_letters", "least_values", "text_of"]
