"""Random exact instances of a statement: finite pairs, events, and parameters where things happen.

Pairs are drawn first, then each parameter from the values that matter: 0, small numbers of both
signs, logarithms of small odds, and the losses and masses of the pairs drawn.  All lists begin with
the simplest value, so that failures shrink to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import reject
from hypothesis import strategies as st

from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.families import parts_of
from lapdp.privacy.finite import FinitePair
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.theory.instances import COMPLEX, Instance, allowed, within
from lapdp.theory.language import expressions, free_events

MAX_LOSSES = 12
"""Sums of losses of several pairs that are offered as values of a parameter."""
_R = sp.Rational
_REALS = (
    0, 1, sp.log(2), -sp.log(2), -1, _R(1, 2), 2, _R(-1, 2), -2, 3, sp.log(3), -sp.log(3),
    _R(1, 3), _R(2, 3), _R(3, 2), sp.log(_R(3, 2)), _R(1, 4), _R(3, 4), -3, 4, _R(5, 4), 5,
)


def instances(statement: Any, *, max_size: int = 3,
              over: st.SearchStrategy[FinitePair] | None = None) -> st.SearchStrategy[Instance]:
    """Exact instances of a statement; its hypotheses on several letters are not looked at.

    ``over`` draws each arbitrary pair; by default :func:`finite_pairs` up to ``max_size`` outcomes.
    Raises :class:`Unsupported` for statements about more than pairs, mechanisms, events and
    parameters: families of pairs, compositions, three distributions, arbitrary functions.
    """
    atoms = {id(a): a for p in statement.pairs for q in p.atoms() for a in parts_of(q)}.values()
    _require_reach(statement, atoms)
    free = [a for a in atoms if a.mechanism is None and not a.factors]
    fixed = [a for a in atoms if a.mechanism is not None]
    pools = {s: _pool(statement.where, s) for s in statement.parameters}
    drawn = finite_pairs(max_size=max_size) if over is None else over
    events = free_events(statement)

    @st.composite
    def draw_instance(draw: st.DrawFn) -> Instance:
        pairs = {a: _finite(draw(drawn)) for a in free}
        if events:
            pairs = {a: _in_order(m) for a, m in pairs.items()}
        special = _special(pairs.values())
        values: dict[Any, Any] = {}
        for s, pool in pools.items():
            near = within(statement.where, s, tuple(v for v in special if allowed(s, v)))
            choices = [*pool, *(v for v in near if v not in pool)]
            if not choices:
                reject()
            values[s] = draw(st.sampled_from(choices))
        concrete = {a: a.mechanism.substitute(values) for a in fixed}
        if None in concrete.values():
            reject()
        places = st.frozensets(st.integers(0, max_size - 1))
        return Instance({**{a: (repr(m), m) for a, m in pairs.items()},
                         **{a: (repr(m), m) for a, m in concrete.items()}},
                        {}, values, {e: draw(places) for e in events})

    return draw_instance()


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


def _in_order(pair: FinitePair) -> FinitePair:
    """Outcomes as events count them: by their ratios, then where Q vanishes, then where P does."""
    rows = pair.merge().masses
    return FinitePair(tuple(sorted(rows, key=lambda row: (not row[0], not row[1]))))


def _pool(where: Any, symbol: Any) -> tuple[Any, ...]:
    """The values of a parameter that do not depend on the pairs, the simplest first."""
    if symbol.is_integer:
        values: Iterable[Any] = range(-3, 6)
        values = sorted(values, key=lambda n: (n < 0, abs(n)))
    elif symbol.is_extended_real:
        values = _REALS
    else:
        values = COMPLEX
    found = (v for v in map(sp.sympify, values) if allowed(symbol, v))
    return within(where, symbol, tuple(found))


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
    return list(dict.fromkeys([*both, *(_R(m.numerator, m.denominator) for m in masses)]))


def _size(number: Fraction) -> tuple[int, Fraction]:
    return number.numerator + number.denominator, number


__all__ = ["instances"]
