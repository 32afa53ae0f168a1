"""Random exact instances of a statement: finite pairs, events, and parameters where things happen.

Pairs are drawn first, then each parameter from the values that matter: 0, small numbers of both
signs, logarithms of small odds, and the losses and masses of the pairs drawn.  All lists begin with
the simplest value, so that failures shrink to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp
from hypothesis import reject
from hypothesis import strategies as st

from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.families import parts_of
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.nodes import Moment, RenyiDivergence
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.testing.conjectures.smallest import SIMPLEST
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.theory.decades import DECADES
from lapdp.theory.instances import COMPLEX, Instance, allowed, within
from lapdp.theory.language import expressions, free_events
from lapdp.theory.least_values import bounded_letters, least_values

SPECIAL = 16
"""Losses and masses of the pairs drawn that are offered as values of a parameter."""
MAX_LOSSES = 12
"""Sums of losses of several pairs that are offered as values of a parameter."""
_R = sp.Rational
_REALS = (
    0, sp.log(2), -sp.log(2), 1, -1, _R(1, 2), 2, _R(-1, 2), -2, 3, sp.log(3), -sp.log(3),
    _R(1, 3), _R(2, 3), _R(3, 2), sp.log(_R(3, 2)), _R(1, 4), _R(3, 4), -3, 4, _R(5, 4), 5,
)
"""The simplest first: at logarithms of rationals a profile is rational."""


@dataclass(frozen=True)
class Drawn:
    """How instances of a statement are drawn; its hypotheses on several letters are not looked at.

    Raises :class:`Unsupported` for statements about more than pairs, mechanisms, events and
    parameters: families of pairs, compositions, three distributions, arbitrary functions.
    """

    statement: Any
    max_size: int = 3
    over: st.SearchStrategy[FinitePair] | None = None

    def __post_init__(self) -> None:
        _require_reach(self.statement, self._atoms)

    @property
    def _atoms(self) -> list[Any]:
        found = (a for p in self.statement.pairs for q in p.atoms() for a in parts_of(q))
        return list({id(a): a for a in found}.values())

    @cached_property
    def free(self) -> tuple[Any, ...]:
        """The arbitrary pairs."""
        return tuple(a for a in self._atoms if a.mechanism is None and not a.factors)

    @cached_property
    def pools(self) -> dict[Any, tuple[Any, ...]]:
        """The values of each parameter that do not depend on pairs, the simplest first."""
        letters = self.statement.parameters
        read = _orders_and_levels(self.statement) if self.free else set(letters)
        # claims about mechanisms fail far from 1
        far = () if self.free else DECADES[:5]
        return {s: _pool(self.statement.where, s, s in read, far) for s in letters}

    @cached_property
    def least(self) -> dict[Any, Any]:
        """Letters that hypotheses bound from below by a notion, and by which."""
        found: dict[Any, Any] = bounded_letters(
            self.statement.where, self.statement.parameters) if self.free else {}
        return found

    def instances(self) -> st.SearchStrategy[Instance]:
        """Values first, as places in their lists, so that these stay while pairs are shrunk."""
        fixed = [a for a in self._atoms if a.mechanism is not None]
        events = free_events(self.statement)
        pairs_of = st.one_of(st.sampled_from(_listed(self.max_size)), finite_pairs(
            max_size=self.max_size)) if self.over is None else self.over

        @st.composite
        def draw_instance(draw: st.DrawFn) -> Instance:
            places = {s: draw(st.sampled_from(range(len(pool) + SPECIAL)))
                      for s, pool in self.pools.items()}
            # the least value that a hypothesis allows tells most
            free = {s for s in self.least if draw(st.booleans())}
            chosen = {e: draw(st.sampled_from(_EVENTS)) for e in events}
            pairs = {a: _finite(draw(pairs_of)) for a in self.free}
            if events:
                pairs = {a: m.in_order() for a, m in pairs.items()}
            values = self._values(places, _special(pairs.values()))
            made = Instance({**{a: (repr(m), m) for a, m in pairs.items()},
                             **{a: (repr(a.mechanism), a.mechanism) for a in fixed}},
                            {}, {}, chosen).at(values)
            found: Instance | None = made and least_values(
                made, {s: form for s, form in self.least.items() if s not in free})
            return reject() if found is None else found

        return draw_instance()

    def _values(self, places: dict[Any, int], special: list[Any]) -> dict[Any, Any]:
        values: dict[Any, Any] = {}
        for s, place in places.items():
            pool = self.pools[s]
            beyond = place - len(pool)
            if beyond >= 0:
                pool = within(self.statement.where, s, tuple(
                    v for v in special if allowed(s, v)))[:SPECIAL]
            if not pool:
                reject()
            values[s] = pool[beyond % len(pool)] if beyond >= 0 else pool[place]
        return values


_EVENTS = tuple(sorted((frozenset(k for k in range(4) if n >> k & 1) for n in range(16)),
                       key=lambda event: (len(event) != 1, len(event), sorted(event))))
"""Sets of places of outcomes, single ones first."""


def _listed(max_size: int) -> list[FinitePair]:
    return [pair for pair in SIMPLEST if len(pair.masses) <= max_size]


def _require_reach(statement: Any, atoms: Iterable[Any]) -> None:
    if any(a.role is not None for a in atoms):
        raise Unsupported("families of pairs and compositions are not drawn at random")
    if any(a.mechanism is None and len(a.names) != 2 for a in atoms):
        raise Unsupported("three distributions on one space are not drawn at random")
    forms = (statement.claim, *statement.where)
    if any(sp.sympify(e).atoms(sp.core.function.AppliedUndef)
           for form in forms for e in expressions(form)):
        raise Unsupported("arbitrary functions are not drawn at random")


def _finite(pair: Any) -> FinitePair:
    if not isinstance(pair, FinitePair):
        raise InputError(f"over= must draw finite pairs, not {str(pair)[:40]}: such as "
                         "finite_pairs(max_size=3)")
    return pair


def _orders_and_levels(statement: Any) -> set[Any]:
    """Parameters in orders of divergences and levels of trade-off functions."""
    nodes = (node for form in (statement.claim, *statement.where) for e in expressions(form)
             for node in sp.sympify(e).atoms(Moment, RenyiDivergence, TradeOff))
    return {s for node in nodes
            for s in node.args[2 if isinstance(node, TradeOff) else 0].free_symbols}


def _pool(where: Any, symbol: Any, plain: bool, far: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a parameter that do not depend on the pairs, the simplest first."""
    if symbol.is_integer:
        values: Iterable[Any] = range(-3, 6)
        values = sorted(values, key=lambda n: (n < 0, abs(n)))
    elif symbol.is_extended_real:
        values = dict.fromkeys((*map(sp.sympify, _REALS), *far))
    else:
        values = COMPLEX
    found = within(where, symbol, tuple(
        v for v in map(sp.sympify, values) if allowed(symbol, v)))
    if not plain and (2 in found or 3 in found):
        return found
    # a rate, an order or a level is read best as a whole number or a fraction
    return tuple(sorted(found, key=lambda v: (not v.is_Rational, not v.is_Integer)))


def _special(pairs: Iterable[FinitePair]) -> list[Any]:
    """Losses of the pairs, sums of one of each, their opposites; masses and sums of masses."""
    ratios = [sorted(set(p.breakpoints()), key=_size) for p in pairs]
    several = [Fraction(1)]
    for found in ratios:
        several = sorted({a * b for a in several for b in (Fraction(1), *found)},
                         key=_size)[:MAX_LOSSES]
    losses = [sp.log(_R(r.numerator, r.denominator)) for r in
              sorted({*several, *(r for found in ratios for r in found)}, key=_size)]
    masses = sorted({m for p in pairs for row in p.masses for m in row}, key=_size)
    both = [*losses, *(-z for z in losses)]
    found = [*(_R(m.numerator, m.denominator) for m in masses), *both]
    return list(dict.fromkeys(found))


def _size(number: Fraction) -> tuple[int, Fraction]:
    return number.numerator + number.denominator, number


__all__ = ["Drawn"]
