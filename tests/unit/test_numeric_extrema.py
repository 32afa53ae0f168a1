"""Suprema, infima and envelopes in the numeric column, against exact fractions and grids."""

from fractions import Fraction as F
from itertools import product

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from lapdp.core.errors import LapdpError, Unsupported
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.instances import Instance
from lapdp.numeric.pairs import finite
from lapdp.privacy.tradeoff_nodes import Inf, Sup, biconjugate, decisions, mean
from lapdp.theory import Le, T, delta, pair

P, Q = pair()
x, y, t = sp.symbols("x y t", real=True)
phi = decisions("phi")
masses = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)
levels = st.fractions(0, 1, max_denominator=9)


def value(expr, p, q):
    """The value at the finite pair with masses in proportion to p and q."""
    rows = [(F(a, sum(p)), F(b, sum(q))) for a, b in zip(p, q, strict=True) if a or b]
    with mp.workdps(40):
        instance = Instance(pairs={id(P.pair): finite(rows)})
        return Evaluator(instance).value(expr)


def close(a, b):
    with mp.workdps(40):
        b = mp.mpf(b.numerator) / b.denominator if isinstance(b, F) else b
        return abs(a - b) <= mp.mpf(10) ** -18


def curve(p, q):
    """The trade-off function by all 27 tests with values 0, s, 1, one of them at most randomised:
    the least missed mass at a level, in fractions."""
    p, q = ([F(m, sum(side)) for m in side] for side in (p, q))
    corners = [(sum(a * f for a, f in zip(p, test, strict=True)),
                1 - sum(b * f for b, f in zip(q, test, strict=True)))
               for test in product((0, 1), repeat=3)]

    def at(level):
        return min(b if a == c else b + (d - b) * (level - a) / (c - a)
                   for a, b in corners if a <= level for c, d in corners if c >= level)
    return at


@given(masses, masses, st.fractions(-2, 2, max_denominator=8))
def test_the_profile_is_the_largest_gap_below_lines(p, q, eps):
    best = value(Sup(1 - x - sp.exp(eps) * T(P, Q)(x), x, 0, 1), p, q)
    with mp.workdps(40):
        scale = mp.exp(mp.mpf(eps.numerator) / eps.denominator)
        sums = mp.fsum(max(mp.mpf(0), mp.mpf(a) / sum(p) - scale * b / sum(q))
                       for a, b in zip(p, q, strict=True))
    assert close(best, sums)


@given(masses, masses, levels)
def test_the_inverse_is_the_curve_of_the_swapped_pair(p, q, level):
    found = value(Inf(y, y, Le(T(P, Q)(y), sp.Rational(level)), 0, 1), p, q)
    assert close(found, curve(q, p)(level))


@given(masses, masses, levels)
def test_the_best_test_under_a_level(p, q, level):
    found = value(Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), sp.Rational(level))), p, q)
    assert close(found, curve(p, q)(level))


@given(masses, masses, levels)
def test_the_envelope_of_the_smaller_of_two_curves(p, q, level):
    found = value(biconjugate(sp.Min(T(P, Q)(t), T(Q, P)(t)), t)(sp.Rational(level)), p, q)
    f, g = curve(p, q), curve(q, p)
    places = {F(0), F(1), level} | {F(k, sum(side)) for side in (p, q) for k in range(sum(side))}
    below = [(a, min(f(a), g(a))) for a in places]
    wanted = min(b if a == c else b + (d - b) * (level - a) / (c - a)
                 for a, b in below if a <= level for c, d in below if c >= level)
    assert close(found, wanted)


@pytest.mark.parametrize(("body", "low", "high", "wanted"), [
    (x * (1 - x), 0, 1, F(1, 4)),
    (-(x - sp.Rational(1, 3)) ** 2, -sp.oo, sp.oo, F(0)),
    # the turning points are next to an end and next to a kink
    (x * (sp.Rational(1, 1000) - x), 0, 1, F(1, 4_000_000)),
    (-sp.Abs(x - 2) + 1, 0, 5, F(1)),
    (2 - x, 0, sp.oo, F(2)),
])
def test_suprema_of_plain_functions(body, low, high, wanted):
    found = value(Sup(body, x, low, high), [1], [1])
    assert close(found, wanted)


@pytest.mark.parametrize("expr", [
    Sup(1 - sp.exp(-x), x, 0, sp.oo),  # not attained
    Sup(delta(P, Q)(-x), x, -sp.oo, sp.oo),
    Inf(y, y, Le(T(P, Q)(y), -1), 0, 1),  # no such level
    biconjugate(t ** 2, t)(sp.Rational(1, 2)),  # no straight pieces
])
def test_what_has_no_answer_is_not_guessed(expr):
    with pytest.raises(LapdpError) as said:
        value(expr, [2, 1], [1, 2])
    assert isinstance(said.value, Unsupported) or "no value" in str(said.value)
