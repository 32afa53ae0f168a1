"""Changes of variable: pairs of densities that become exponential, against quadrature in x."""

from __future__ import annotations

from itertools import pairwise

import pytest
import sympy as sp
from mpmath import mp

from lapdp import densities, exponential
from lapdp.privacy.changes import changes

x = sp.Symbol("x", real=True)
t = sp.Symbol("t", real=True)
HALF = sp.Rational(1, 2)
PAIRS = {
    "power against uniform": (2 * x, 1, (0, 1), []),
    "uniform against power": (1, 2 * x, (0, 1), []),
    "two powers": (3 * x**2, 5 * x**4, (0, 1), []),
    "root": (1 / (2 * sp.sqrt(x)), 1, (0, 1), []),
    "from the upper end": (2 * (1 - x), 1, (0, 1), []),
    "left of 0": (-2 * x, 1, (-1, 0), []),
    "away from 0": (2 * (x - 3), 3 * (x - 3) ** 2, (3, 4), []),
    "Pareto": (2 / x**3, 3 / x**4, (1, sp.oo), []),
    "Pareto from 2": (4 / x**2 / 2, 8 / x**3, (2, sp.oo), []),
    "logs": (-sp.log(x), -4 * x * sp.log(x), (0, 1), []),
    "Beta": (12 * x**2 * (1 - x), 6 * x * (1 - x), (0, 1), []),
    "Rayleigh": (x * sp.exp(-x**2 / 2), x * sp.exp(-x**2 / 8) / 4, (0, sp.oo), []),
    "Weibull": (3 * x**2 * sp.exp(-x**3), 6 * x**2 * sp.exp(-2 * x**3), (0, sp.oo), []),
    "inverse": (sp.exp(-1 / x) / x**2, 2 * sp.exp(-2 / x) / x**2, (0, sp.oo), []),
    "log-Laplace": (sp.exp(-sp.Abs(sp.log(x))) / (2 * x), sp.exp(-sp.Abs(sp.log(x) - 1)) / (2 * x),
                    (0, sp.oo), [1, sp.E]),
    "kink": (sp.Piecewise((2 * x, x < HALF), (sp.Rational(3, 2), True)), 1, (0, 1), [HALF]),
    "kink on the other side": (sp.Piecewise((0, x < HALF), (8 * x / 3, True)), 1, (0, 1),
                               [HALF]),
    "Lomax": (2 / (1 + x) ** 3, 3 / (1 + x) ** 4, (0, sp.oo), []),
    "two changes": (sp.Piecewise((3 * x**2, x < HALF), (7 * (1 - x), True)),
                    sp.Piecewise((2 * x, x < HALF), (3 * HALF, True)), (0, 1), [HALF]),
}
TWO_SIDED = [(1 + sp.Abs(x)) ** -3, (1 + sp.Abs(x)) ** -4 * 3 / 2]
"""On the whole line: on each side another variable."""


def quadrature(p, q, support, kinks, eps):
    """The integral of max(0, p - e^eps q), cut at kinks and sign changes."""
    f, g = (sp.lambdify(x, sp.sympify(e), "mpmath") for e in (p, q))
    low, high = (mp.mpf(sp.N(e, 40)) if e != sp.oo else mp.inf for e in map(sp.sympify, support))
    far = low + mp.mpf(10) ** 15 if high == mp.inf else high
    alpha = mp.exp(eps)

    def gap(y):
        return mp.re(f(y)) - alpha * mp.re(g(y))

    grid = [low + (min(far, low + 10**9) - low) * mp.mpf(2) ** (-k / mp.mpf(2))
            for k in range(120, 0, -1)]
    grid += [] if high == mp.inf else [high - (high - low) * mp.mpf(2) ** -k for k in range(2, 60)]
    grid = sorted({*grid, *(mp.mpf(sp.N(k, 40)) for k in kinks)})
    crossings = []
    for here, after in pairwise(grid):
        inset = (after - here) * mp.mpf(10) ** -20
        a, b = here + inset, after - inset
        if gap(a) * gap(b) < 0:
            crossings.append(mp.findroot(gap, (a, b), solver="anderson", tol=1e-40, verify=False))
    ends = sorted({low, *crossings, *(mp.mpf(sp.N(k, 40)) for k in kinks), high})
    total = mp.mpf(0)
    for a, b in pairwise(ends):
        inner = a + 1 if b == mp.inf else (a + b) / 2
        if gap(inner) > 0:
            total += mp.quad(gap, [a, inner, b] if b != mp.inf else [a, inner, inner + 8, b])
    return total


@pytest.mark.parametrize("name", PAIRS)
def test_profiles_by_quadrature(name):
    p, q, support, kinks = PAIRS[name]
    made = densities(p, q, x, support)
    curve = made.profile(t)
    with mp.workdps(30):
        for eps in ("-9/10", "-1/3", "1/5", "2/3"):
            e = sp.Rational(eps)
            expected = quadrature(p, q, support, kinks, mp.mpf(e.p) / e.q)
            assert abs(mp.mpf(sp.N(made.profile(e), 25)) - expected) < mp.mpf(10) ** -12, eps
            assert abs(sp.N(curve.subs(t, e) - made.profile(e), 25)) < 1e-20
    assert made.moment(0) == made.moment(1) == 1
    again = made.reverse().profile("1/4"), 1 - sp.exp("1/4") + sp.exp("1/4") * made.profile("-1/4")
    assert abs(sp.N(again[0] - again[1], 25)) < 1e-20


def test_the_loss_is_that_of_the_exponentials():
    """x = e^y maps Beta(a, 1) and Pareto(a) to exponential distributions of rate a."""
    for made in (densities(2 * x, 4 * x**3, x, (0, 1)),
                 densities(2 / x**3, 4 / x**5, x, (1, sp.oo))):
        assert made.profile(t) == exponential(2, 4).profile(t)
    m = sp.Symbol("m", positive=True)
    assert densities(m / x**2, 2 * m**2 / x**3, x, (m, sp.oo)).profile(t) == exponential(
        1, 2).profile(t)


def test_both_sides_of_the_line():
    made, half = densities(*TWO_SIDED, x), densities(2 / (1 + x) ** 3, 3 / (1 + x) ** 4, x,
                                                     (0, sp.oo))
    for eps in ("-1/2", 0, "1/3", 1):
        assert sp.expand(made.profile(eps) - half.profile(eps)) == 0
    shape, p, *_, kinks = made.numeric_pair({})
    assert shape == "density" and kinks == [0] and p(mp.mpf(-1)) == mp.mpf(1) / 8


def test_kinks_in_the_log_are_told_to_the_numeric_column():
    p, q, support, _ = PAIRS["log-Laplace"]
    found = densities(p, q, x, support).numeric_pair({})[4]
    assert len(found) == 2 and abs(found[0] - 1) < 1e-12 and abs(found[1] - mp.e) < 1e-12


def test_every_change_keeps_the_masses():
    with mp.workdps(20):
        for p, q, support, _ in PAIRS.values():
            ends = [sp.sympify(e) for e in support]
            for change in changes(sp.sympify(p), sp.sympify(q), x, *ends):
                where = change.lower + HALF if change.lower.is_finite else HALF
                where = change.upper - sp.Rational(1, 7) if change.upper.is_finite else where
                slope = abs(sp.diff(change.back, x))
                for before, after in ((p, change.p), (q, change.q)):
                    moved = (sp.sympify(before).subs(x, change.back) * slope).subs(x, where)
                    assert abs(sp.N(moved - after.subs(x, where), 20)) < 1e-15
