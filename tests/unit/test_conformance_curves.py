"""``check_profile`` and ``check_tradeoff``: their truths, their points, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lapdp import finite, gaussian, laplace
from lapdp.core.errors import InputError
from lapdp.testing import LawFailed, check_profile, check_tradeoff, parametrize_with_laws
from lapdp.testing.conformance.points import level_axis, profile_axis, vertices
from lapdp.testing.conformance.profile import profile_laws, true_delta
from lapdp.testing.conformance.tradeoff import tradeoff_laws, true_tradeoff
from lapdp.testing.conformance.values import Real
from lapdp.testing.strategies import finite_pairs
from tests.oracle.finite import hockey_stick_by_events

COIN = finite(["3/4", "1/4"], ["1/4", "3/4"])


def delta(pair, alpha):
    return sum(max(0, p - alpha * q) for p, q in pair.masses)


# -- truths --------------------------------------------------------------------------------------

@given(st.data(), finite_pairs(), st.sampled_from(["alpha", "exact", "eps"]))
def test_the_true_delta_is_that_of_the_definition(data, pair, at):
    axis = profile_axis(at, True)
    point = data.draw(axis.drawn(pair))
    found, place = true_delta(pair, axis, point), axis.place(point)
    if place.rational is not None:
        assert found.exact == hockey_stick_by_events(pair.P, pair.Q, place.rational)
    else:
        # the values on both sides of e^eps
        with_ends = [Fraction(x) for x in _ends(place)]
        high, low = (hockey_stick_by_events(pair.P, pair.Q, x) for x in with_ends)
        assert found.compare(Real.of(high)) in (-1, 0, None)
        assert found.compare(Real.of(low)) in (1, 0, None)


def _ends(real):
    import flint

    with flint.ctx.workprec(100):
        ball = real.ball()
        for end in (ball.lower(), ball.upper()):
            mantissa, power = end.man_exp()
            yield Fraction(int(mantissa)) * Fraction(2) ** int(power)


@given(st.data(), finite_pairs())
def test_the_true_trade_off_is_the_conjugate(data, pair):
    """No tangent (1 - delta(alpha) - a)/alpha is above it, and its pieces are straight."""
    a = data.draw(level_axis("exact").drawn(pair))
    found = true_tradeoff(pair, level_axis("exact"), a).exact
    for alpha in (*pair.breakpoints(), Fraction(1, 10**6), Fraction(10**6)):
        assert found >= (1 - hockey_stick_by_events(pair.P, pair.Q, alpha) - a) / alpha
    corners = vertices(pair)
    values = [true_tradeoff(pair, level_axis("exact"), x).exact for x in corners]
    assert corners[0] == 0 and corners[-1] == 1
    for (x, y), (z, w) in pairwise(zip(corners, values, strict=True)):
        middle = true_tradeoff(pair, level_axis("exact"), (x + z) / 2).exact
        assert 2 * middle == y + w


@given(st.data(), finite_pairs(), st.sampled_from(["alpha", "exact", "eps"]), st.booleans())
def test_points_are_where_they_may_be(data, pair, at, negative):
    axis = profile_axis(at, negative)
    point = data.draw(axis.drawn(pair))
    place = axis.place(point)
    assert place.compare(Real.of(0)) == 1
    assert negative or place.compare(Real.of(1)) in (0, 1)
    back = axis.place(axis.opposite(point))
    assert (place * back).compare(Real.of(1)) in ((0,) if at == "alpha" else (0, None))
    level = data.draw(level_axis("float").drawn(pair))
    assert isinstance(level, float) and 0 <= level <= 1


@given(st.fractions(0, 1), st.booleans())
def test_doubles_lie_on_the_side_asked_for(level, up):
    axis = level_axis("float")
    near = Fraction(axis.outward(level, up))
    assert near >= level if up else near <= level
    assert abs(near - level) <= Fraction(1, 2**52)


@pytest.mark.parametrize("pair", [laplace(1), gaussian(1), COIN, laplace(1) * COIN])
def test_true_values_of_any_pair(pair):
    for at, points in (("eps", [-1.0, 0.0, 0.5]), ("exact", [sp.log(2), sp.Rational(1, 3)]),
                       ("alpha", [Fraction(1, 2), Fraction(3)])):
        axis = profile_axis(at, True)
        for point in points:
            gap = true_delta(pair, axis, point) - Real.of(
                pair.delta(axis.exact(point), 20).value)
            assert abs(float(str(gap))) < 1e-15


# -- use -----------------------------------------------------------------------------------------

def test_what_a_function_takes_tells_what_it_is():
    assert [law.name for law in profile_laws(lambda eps: 0)] == ["range", "monotone", "convex"]
    assert "permutation" in [law.name for law in profile_laws(delta)]
    assert "permutation" in [law.name for law in profile_laws(lambda *a: 0, over=finite_pairs())]
    assert "tightness" in [law.name for law in tradeoff_laws(lambda *a: 0, pair=COIN)]
    # what has a default is not asked for
    assert len(profile_laws(lambda eps, digits=5: 0)) == 3


@pytest.mark.parametrize("how", [
    {"at": "x"}, {"claims": "x"}, {"pair": 3}, {"over": 3}, {"pair": COIN, "over": finite_pairs()},
    {"reverse": abs}, {"accuracy": 2}, {"accuracy": "x"}, {"absolute": -1}, {"laws": "x"},
    {"examples": 0}, {"on_fail": "x"}, {"pair": COIN, "compose": delta},
])
@pytest.mark.parametrize("check", [check_profile, check_tradeoff])
def test_what_has_no_meaning_is_refused_in_a_line(check, how):
    with pytest.raises(InputError) as caught:
        check(delta, **how)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("f", [3, lambda *a: 0, lambda: 0, lambda a, b, c: 0])
def test_what_is_no_function_of_a_point_is_refused(f):
    for check in (check_profile, check_tradeoff):
        with pytest.raises(InputError):
            check(f)


def test_rounded_numbers_ask_for_an_accuracy():
    with pytest.raises(InputError, match="accuracy="):
        check_profile(lambda eps: 0.5, laws="range")
    # an upper bound is meant as it is
    assert check_profile(lambda eps: 1.0, claims="upper bound", pair=COIN)


def test_an_accuracy_is_no_licence():
    """Wrong by more than it is still seen."""
    def off(pair, eps):
        return float(delta(pair, Fraction(1))) if not eps else float(
            true_delta(pair, profile_axis("eps", True), eps).ball().mid()) * (1 + 1e-6)

    with pytest.raises(LawFailed):
        check_profile(off, accuracy=1e-9, absolute=1e-12, laws="tightness")
    assert check_profile(off, accuracy=1e-5, absolute=1e-12, laws="tightness", examples=50)


def test_pairs_without_outcomes_leave_rearrangements_open():
    report = check_profile(lambda pair, eps: pair.profile(eps), over=st.just(laplace(1)),
                           at="exact", laws=["permutation", "validity"], examples=5)
    assert report and "open" in str(report.findings[1]) and "no finite list" in str(report)


@parametrize_with_laws(profile_laws(delta, at="alpha"))
def test_laws_one_by_one(law):
    law(examples=20)
