"""epsilon(delta) of finite pairs and their powers against the definition, in exact Fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import flint
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lapdp import finite
from tests.oracle.finite import hockey_stick

MASSES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=4).filter(
    lambda rows: sum(p for p, _ in rows) and sum(q for _, q in rows)
    and all(p or q for p, q in rows))


def least_alpha(P, Q, target):
    """The least alpha >= 1 with H(alpha) <= target, for the piecewise linear H; None for none."""
    places = sorted({Fraction(1), *(p / q for p, q in zip(P, Q, strict=True) if q and p > q)})
    values = [hockey_stick(P, Q, a) for a in places]
    if values[0] <= target:
        return Fraction(1)
    for a, b, u, v in zip(places, places[1:], values, values[1:], strict=False):
        if v <= target:
            return a + (u - target) / (u - v) * (b - a)
    return None


def joint(rows, side, count):
    return [math.prod(chosen) for chosen in product([row[side] for row in rows], repeat=count)]


@given(MASSES, st.integers(1, 3), st.one_of(st.fractions(0, 1, max_denominator=10**6),
                                            st.integers(0, 3)), st.sampled_from([6, 15, 30]))
@example([(1, 1), (0, 2), (2, 0)], 2, 2, 15)
@example([(1, 1), (2, 2)], 3, Fraction(0), 15)
@example([(1, 0), (0, 1)], 2, Fraction(99, 100), 15)
@example([(2, 1), (2, 3)], 1, 1, 15)
@settings(max_examples=80, deadline=None)
def test_the_least_eps_of_a_finite_pair(rows, count, level, digits):
    """A whole number stands for a value at a breakpoint: balls alone cannot decide there."""
    totals = [sum(row[side] for row in rows) for side in (0, 1)]
    masses = [tuple(Fraction(x, t) for x, t in zip(row, totals, strict=True)) for row in rows]
    P, Q = joint(masses, 0, count), joint(masses, 1, count)
    if isinstance(level, int):
        # the mass at infinity, the total variation distance, and values between
        breaks = sorted({Fraction(1), *(p / q for p, q in zip(P, Q, strict=True) if q and p > q)})
        level = hockey_stick(P, Q, breaks[max(0, len(breaks) - 1 - level)])
    pair = finite([p for p, _ in masses], [q for _, q in masses]) ** count
    found = pair.epsilon(level, digits=digits)
    alpha = least_alpha(P, Q, level)
    if alpha is None:
        assert found.is_infinite
        return
    assert found.certified
    assert found.radius <= found.value * 2 / 10**digits
    with flint.ctx.workprec(400):
        eps = flint.arb(flint.fmpq(alpha.numerator, alpha.denominator)).log()
        low, high = (flint.arb(flint.fmpq(x.numerator, x.denominator))
                     for x in (found.lower, found.upper))
        # the largest loss is a number in closed form, so the ends may touch it
        assert not low > eps and not high < eps
