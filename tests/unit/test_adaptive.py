"""Joint pairs of two releases, and mixtures, against their masses and densities."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from lapdp import (
    adaptive,
    exponential,
    finite,
    gaussian,
    laplace,
    mixture,
    outcomes,
    poisson,
    randomized_response,
    reverse,
    staircase,
    truncated_laplace,
)
from lapdp.balls.decimals import fraction_ball
from lapdp.core.errors import InputError, Unsupported
from lapdp.testing.strategies import alphas, finite_pairs
from tests.oracle import finite as oracle
from tests.unit.test_overlapping import integral, root, same

FIRST = finite(["1/2", "1/4", "1/4", 0], ["1/4", "1/2", 0, "1/4"])
MEMBERS = {
    "exact": [laplace(1), exponential(1, 2), laplace(2), laplace(3)],
    "normal": [gaussian(1), laplace(1), truncated_laplace(1, 2), gaussian(1)],
    "subsampled": [poisson(laplace(1), "1/3", direction="add"), gaussian(2), laplace(1),
                   laplace(1)],
    "one-sided": [truncated_laplace(1, 2), reverse(exponential(1, 2)), gaussian(1), laplace(1)],
}
POINTS = [sp.Rational(n, 4) for n in (-9, -1, 0, 1, 3)]


@settings(max_examples=60, deadline=None)
@given(st.data(), alphas())
def test_finite_pairs_by_masses(data, alpha):
    first = data.draw(finite_pairs(max_size=3))
    then = [data.draw(finite_pairs(max_size=3)) for _ in first.masses]
    found = adaptive(first, then)
    P, Q = ([masses[side] * x for masses, part in zip(first.masses, then, strict=True)
             for x in (part.P, part.Q)[side]] for side in (0, 1))
    assert (list(found.P), list(found.Q)) == (P, Q)
    assert found.hockey_stick(alpha) == oracle.hockey_stick(tuple(P), tuple(Q), alpha)


@settings(max_examples=40, deadline=None)
@given(st.data(), alphas())
def test_atoms_in_the_field_are_the_same_as_masses(data, alpha):
    """Symbolic second pairs go through models; the same numbers as masses do not."""
    first = data.draw(finite_pairs(max_size=3))
    odds = [data.draw(st.sampled_from([2, 3])) for _ in first.masses]
    found = adaptive(first, [randomized_response(sp.log(n)) for n in odds])
    exact = adaptive(first, [finite([Fraction(n, n + 1), Fraction(1, n + 1)],
                                    [Fraction(1, n + 1), Fraction(n, n + 1)]) for n in odds])
    t = sp.log(sp.Rational(alpha.numerator, alpha.denominator))
    assert found.profile(t) == sp.Rational(*exact.hockey_stick(alpha).as_integer_ratio())
    assert found.mass_at_infinity == sp.Rational(*exact.mass_at_infinity.as_integer_ratio())
    for q in (-1, 0, 1, 2):
        value = exact.moment(q)
        assert found.moment(q) == (
            value if value == sp.oo else sp.Rational(*value.as_integer_ratio()))


def by_definition(first, then, x):
    """Sum over the outcomes of the integral of max(0, a p - x b q)."""
    return mp.fsum(branch(mpf(a.numerator) / a.denominator, x * mpf(b.numerator) / b.denominator,
                          part) for (a, b), part in zip(first.masses, then, strict=True))


def branch(a, b, part):
    _, p, q, (lower, upper), kinks = part.numeric_pair({})

    def gap(y):
        return a * p(y) - b * q(y)

    return integral(lambda y: max(mpf(0), gap(y)), lower, upper, [*kinks, *root(gap, lower, upper)])


@pytest.mark.parametrize("name", MEMBERS)
def test_continuous_second_releases_by_quadrature(name):
    then = MEMBERS[name]
    found = adaptive(FIRST, then)
    t = sp.Symbol("t", real=True)
    curve, back = found.profile(), found.reverse()
    with mp.workdps(16):
        for at in POINTS:
            value = found.profile(at)
            whole = by_definition(FIRST, then, mp.exp(mp.mpf(at.p) / at.q))
            assert abs(whole - mp.mpmathify(sp.N(value, 20))) < mpf(10) ** -12, at
            assert same(curve.subs(t, at), value)
            assert abs(sp.Rational(str(found.profile.at(at, 20).middle)) - sp.N(value, 30)) < 1e-18
            assert same(back.profile(-at), 1 - sp.exp(-at) + sp.exp(-at) * value)
            # F by the profile: e^-t Q(Z > t) = (P(Z > t) - delta(t)) is a slope of the profile
            step = sp.Rational(1, 10**15)
            slope = (curve.subs(t, at + step) - value) / (sp.exp(at + step) - sp.exp(at))
            above = value - slope * sp.exp(at)
            assert abs(sp.N(1 - found.loss.cdf(at) - above, 30)) < 1e-10, at


def test_masses_at_infinity_and_moments_outside_their_region():
    found = adaptive(FIRST, MEMBERS["one-sided"])
    alone = truncated_laplace(1, 2).mass_at_infinity
    assert same(found.mass_at_infinity, alone / 2 + sp.Rational(1, 4))
    assert found.moment(2) == sp.oo and found.moment(-1) == sp.oo
    assert found.moment(0) == 1 and found.moment(1) == 1
    assert str(found.moment.region) == "0 < Re s < 1"


def test_symbolic_weights():
    r = sp.Symbol("r", positive=True)
    found = mixture([(r, laplace(1)), (1 - r, gaussian(1))], index="published")
    half = sp.Rational(1, 2)
    for q in (2, half):
        assert same(found.moment(q).subs(r, half),
                    (laplace(1).moment(q) + gaussian(1).moment(q)) / 2)
    assert same(found.profile(0).subs(r, half),
                (laplace(1).profile(0) + gaussian(1).profile(0)) / 2)
    assert found.substitute({r: 2}) is None
    assert found.substitute({r: 1}).profile(0) == laplace(1).profile(0)


def test_named_outcomes():
    eps = sp.Symbol("eps", positive=True)
    first = outcomes({"yes": (sp.exp(eps) / (1 + sp.exp(eps)), 1 / (1 + sp.exp(eps))),
                      "no": (1 / (1 + sp.exp(eps)), sp.exp(eps) / (1 + sp.exp(eps)))})
    found = adaptive(first, {"no": laplace(1), "yes": finite([1], [1])})
    t = sp.Rational(1, 3)
    odds = first.profile(t).subs(eps, sp.log(2))
    low = (1 / sp.Integer(3)) * laplace(1).profile(t + sp.log(2))
    high = sp.Rational(2, 3) - sp.exp(t) / 3
    assert same(found.profile(t).subs(eps, sp.log(2)), low + high)
    assert same(odds, high)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_hiding_the_index_is_post_processing(data):
    size = data.draw(st.integers(1, 3))
    pairs = [data.draw(finite_pairs(min_size=size, max_size=size)) for _ in range(2)]
    weight = data.draw(st.fractions(0, 1, max_denominator=5))
    parts = [(weight, pairs[0]), (1 - weight, pairs[1])]
    told, hidden = (mixture(parts, index=word) for word in ("published", "hidden"))
    assert told.profile_dominates(hidden)
    assert tuple(weight * p + (1 - weight) * q
                             for p, q in zip(pairs[0].P, pairs[1].P, strict=True)) == hidden.P


@pytest.mark.parametrize("call", [
    lambda: mixture([("1/2", laplace(1)), ("1/3", laplace(2))], index="published"),
    lambda: mixture([("3/2", laplace(1)), ("-1/2", laplace(2))], index="published"),
    lambda: mixture([(0.5, laplace(1)), (0.5, laplace(2))], index="published"),
    lambda: mixture([("1/2", laplace(1)), ("1/2", laplace(2))], index="hidden"),
    lambda: mixture([("1/2", laplace(1)), ("1/2", laplace(2))], index="known"),
    lambda: mixture([("1", 2)], index="published"),
    lambda: mixture([], index="published"),
    lambda: mixture(laplace(1), index="published"),
    lambda: mixture([(1, finite([1], [1])), (0, finite([1, 0], [1, 0]))], index="hidden"),
    lambda: mixture([(sp.Symbol("w"), laplace(1)), (sp.Symbol("w"), laplace(1))],
                    index="published"),
    lambda: adaptive(laplace(1), [laplace(1)]),
    lambda: adaptive(FIRST, [laplace(1)]),
    lambda: adaptive(FIRST, [1, 2, 3, 4]),
    lambda: adaptive(FIRST, laplace(1)),
    lambda: adaptive(FIRST, {"a": laplace(1)}),
])
def test_bad_input(call):
    with pytest.raises(InputError) as problem:
        call()
    assert "\n" not in str(problem.value)


def test_what_is_refused():
    found = mixture([("1/2", gaussian(1)), ("1/2", laplace(1))], index="published")
    with pytest.raises(Unsupported):
        assert found.loss.pieces
    with pytest.raises(Unsupported):
        found.numeric_pair({})
    with pytest.raises(InputError, match="index is missing"):
        mixture([(1, laplace(1))])


def test_the_loss_at_a_parameter_of_the_pair() -> None:
    s, z = sp.Symbol("s", positive=True), sp.Symbol("z", real=True)
    pair = adaptive(finite(["2/3", "1/3"], ["1/3", "2/3"]), [gaussian(s), gaussian(2 * s)])
    # the point is moved by log 2, the parameter is not
    for value in (1, sp.Rational(5, 2)):
        given = pair.substitute({s: sp.sympify(value)}).loss
        for name in ("cdf", "density"):
            asked = getattr(pair.loss, name)(s).subs(s, value)
            assert abs(sp.N(asked - getattr(given, name)(z).subs(z, value), 30)) < 1e-25


def test_the_loss_at_an_atom_written_as_a_difference() -> None:
    pair = adaptive(finite(["1/2", "1/2"], ["2/3", "1/3"]),
                    [finite([1], [1]), outcomes({"only": (1, 1)})])
    for point in (sp.log(3) - sp.log(2), sp.log(sp.Rational(3, 2))):
        assert pair.loss.cdf(point) == 1
    assert pair.loss.cdf(sp.log(3) - 2 * sp.log(2)) == sp.Rational(1, 2)


def test_roots_that_stand_apart_in_a_product():
    """e^(1/5455000) and e^(1/931) have no common root that is near, coefficients and their common
    denominator have a third one; the outcome that is chosen by says which product it is."""
    others = poisson(staircase("1043/1000", "9/10"), "511/1000", direction="remove"
                     ) * randomized_response("457/5000", "1/50")
    chosen = finite(["5/6", "1/6"], ["5/8", "3/8"])
    scales = [sp.Rational(1091, 200), sp.Rational(931, 200)]
    found = (others * adaptive(chosen, [laplace(b) for b in scales])).delta("1/10", digits=12)
    apart = 0
    for p, q, b in zip((sp.Rational(5, 6), sp.Rational(1, 6)),
                       (sp.Rational(5, 8), sp.Rational(3, 8)), scales, strict=True):
        eps = sp.Rational(1, 10) - sp.log(p / q)
        apart += fraction_ball(Fraction(str(p))) * (others * laplace(b)).delta(
            eps, digits=15).enclosure.ball()
    assert found.enclosure.ball().overlaps(apart)
    assert apart.rel_accuracy_bits() > 40
