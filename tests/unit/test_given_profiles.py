"""Convex curves, suprema over neighbours, pairs on [0, 1]: what is proved, and what must not be."""

import random
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import dominates, dominating_atoms, finite, gaussian, laplace
from lapdp.core.errors import IllFormed, InputError
from lapdp.core.verdict import HOLDS
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement
from tests.oracle import finite as oracle

P, Q = pair("P", "Q")
n = outcome("n")
M, N = family("M", "N", n)
H = functions("H")
a, b, t, x, y = reals("a b t x y")
u = positives("u")
INSIDE = [Ge(a, 0), Ge(b, 0)]
CONVEX, FALLING = ConvexOn(H(t), t, 0, sp.oo), NonincreasingOn(H(t), t, 0, sp.oo)
START = Eq(H(0), 1)
LOW = ForAll(t, Ge(H(t), sp.Max(0, 1 - t)), (Ge(t, 0),))
CDF = 1 + Sup(y * (x - 1) - H(y), y, 0, sp.oo)


def hockey(first, second, order):
    return Omega(sp.Max(0, first - order * second))


def built(cdf):
    first, second = unit_interval_pair(cdf, x)
    return hockey(first, second, u)


def kind(form, where=()):
    return judge(Statement("x", form, tuple(where)), numeric=False, patience=0.2).kind


TRUE = {
    "a profile is convex": (ConvexOn(hockey(P, Q, x), x, 0, sp.oo), []),
    "so is a supremum": (ConvexOn(Sup(hockey(M, N, x), n), x, 0, sp.oo), []),
    "a pair has the supremum": (
        ExistsPair(P, Q, Eq(Sup(hockey(M, N, u), n), hockey(P, Q, u)), (u,)), []),
    "a linear distribution function": (Ge(built(x), 1 - u), []),
    "half of the mass at 1": (Ge(built(x / 2), sp.Rational(1, 2)), []),
}
FALSE = {
    "no convexity": (Eq(built(CDF), H(u)), [FALLING, START, LOW]),
    "no monotony": (Eq(built(CDF), H(u)), [CONVEX, START, LOW]),
    "no start": (Eq(built(CDF), H(u)), [CONVEX, FALLING, LOW]),
    "no lower bound": (Eq(built(CDF), H(u)), [CONVEX, FALLING, START]),
    "mass at 0": (Eq(built((1 + x) / 2), sp.Max(0, 1 - u)), []),
    "too much mass": (Eq(built(2 * x), sp.Max(0, 1 - u)), []),
    "falling": (Eq(built(-x), sp.Max(1, 1 - u)), []),
    "concave": (Eq(built(x * (2 - x)), sp.Max(0, 1 - u)), []),
    "too large a profile": (ExistsPair(P, Q, Eq(hockey(P, Q, u), 2 * H(u)), (u,)),
                            [CONVEX, FALLING, START, LOW]),
    "a profile without a lower bound": (ExistsPair(P, Q, Eq(hockey(P, Q, u), H(u)), (u,)),
                                        [CONVEX, FALLING, START]),
    "a sum of suprema": (
        Le(Sup(hockey(M, N, a), n) + Sup(hockey(M, N, b), n),
           2 * Sup(hockey(M, N, (a + b) / 2), n)), INSIDE),
    "a supremum below one element": (Le(Sup(hockey(M, N, a), n), hockey(M, N, a)), INSIDE),
    "a profile that grows": (NonincreasingOn(-hockey(P, Q, x), x, 0, sp.oo), []),
    "some for all": (ImpliesOn(Ge(Sup(T(M, N)(t), n), 1 - t), Le(delta(M, N)(0), 0), t, 0, 1), []),
    "a supremum that is not finite": (Le(Sup(y * a, y, 0, sp.oo), 1), [Ge(a, 0)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved(name):
    assert kind(*TRUE[name]) in HOLDS


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_are_not_proved(name):
    assert kind(*FALSE[name]) not in HOLDS


def test_words_refuse_what_they_are_not_for():
    with pytest.raises(InputError):
        unit_interval_pair(x, sp.Symbol("z", complex=True))
    with pytest.raises(IllFormed):
        ExistsPair(Q, P, Eq(hockey(P, Q, u), 1), (u,))
    with pytest.raises(IllFormed):
        ExistsPair(M, N, Eq(hockey(P, Q, u), 1), (u,))


def test_the_construction_by_exact_enumeration():
    """Lemma 9 on random finite pairs: 1 + H*(x - 1) by vertices, and its profile again."""
    rng = random.Random(0)
    for _ in range(40):
        weights = [[rng.randrange(4) for _ in range(4)] for _ in range(2)]
        if not all(map(any, weights)):
            continue
        p, q = ([Fraction(w, sum(row)) for w in row] for row in weights)
        orders = sorted({Fraction(0), *(f / g for f, g in zip(p, q, strict=True) if g)})
        values = [oracle.hockey_stick(p, q, order) for order in orders]

        def cdf(at, orders=orders, values=values):
            return 1 + max(order * (at - 1) - h for order, h in zip(orders, values, strict=True))

        lines = list(zip(orders, values, strict=True))
        kinks = {Fraction(0), Fraction(1)} | {
            1 + (h - k) / (o - r) for o, h in lines for r, k in lines if o != r}
        points = sorted(k for k in kinks if 0 <= k <= 1)
        assert cdf(Fraction(0)) == 0
        for order in (*orders, Fraction(1, 3), Fraction(5, 2), Fraction(9)):
            best = max(1 - cdf(at) - order * (1 - at) for at in points)
            assert best == oracle.hockey_stick(p, q, order)


def test_atoms_dominate_and_touch():
    one, other = gaussian(1), laplace(1)
    atoms = dominating_atoms(one, other, ratios=["1/4", "1/2", 1, 2, 4])
    assert dominates(atoms, other)
    for ratio in (sp.Rational(1, 4), 1, 4):
        top = max(m.profile.at(sp.log(ratio), 12).lower for m in (one, other))
        here = atoms.profile(sp.log(ratio))
        assert 0 <= here - top < sp.Rational(1, 10**9)
    assert (atoms**3).delta(1).upper >= (one**3).delta(1).lower


def test_atoms_of_finite_pairs_are_exact_at_the_ratios():
    first, second = finite(["1/2", "1/2"], ["1/4", "3/4"]), finite(["3/4", "1/4"], ["1/2", "1/2"])
    atoms = dominating_atoms(first, second, ratios=["1/2", "2/3", "3/2", 2], digits=20)
    for ratio in ("1/2", "2/3", "3/2", "2"):
        at = sp.log(sp.Rational(ratio))
        assert abs(atoms.profile(at) - max(first.profile(at), second.profile(at))) < 10**-18


@pytest.mark.parametrize("ratios", [[], [0], ["-1"], "12", [1.5]])
def test_atoms_refuse_ratios(ratios):
    with pytest.raises(InputError):
        dominating_atoms(laplace(1), ratios=ratios)
