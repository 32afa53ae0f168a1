"""Which losses are cut, and what is given up soon: choices."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest

from lapdp import discrete_gaussian, gaussian, laplace, poisson, randomized_response
from lapdp.accounting.inversion import cut_losses, cut_spectra, smoothed
from lapdp.accounting.inversion.cut_losses import Apart
from lapdp.accounting.inversion.cut_spectra import CutNormal
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.core.effort import at_most
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

SAMPLED = poisson(gaussian(2), "1/1000", direction="remove")**100


@pytest.mark.parametrize(("pair", "eps", "goal"), [
    (SAMPLED * randomized_response("1/100"), 0.05, 11.0),
    (SAMPLED * randomized_response("1/100"), 0.3, 18.0),
    (poisson(gaussian(1), "1/10000", direction="remove")**3 * laplace(1), 1.002, 14.0),
    (poisson(discrete_gaussian(1), "1/10000", direction="remove")**30 * laplace(2), 0.6, 14.0),
    (SAMPLED * poisson(gaussian(1), "1/100000", direction="remove") * laplace(2), 0.8, 11.0)])
def test_few_looks_find_a_cut_as_good_as_all_places(pair: Any, eps: float, goal: float) -> None:
    factors = releases(pair)

    def value(here: Apart) -> float:
        return float(np.logaddexp(here.size, here.log_off(eps) + goal))

    found = cut_losses.apart(factors, eps, goal)
    assert found is not None
    best = math.inf
    for loss in cut_losses._places(factors):
        parts: Any = tuple((cut_spectra.cut(s, loss, 0.125) if cut_losses._is_sample(s) else s, k)
                           for s, k in factors.parts)
        with suppress(Unsupported):
            best = min(best, value(cut_losses._best(Factors(parts), factors, eps)))
    assert value(found) < best + 0.5


@pytest.mark.parametrize(("pair", "eps"), [
    (poisson(gaussian(5), "1/100", direction="remove")**10 * randomized_response(1)**10000, 5000.0),
    (poisson(gaussian(2), "1/100", direction="remove") * randomized_response("1/10")**1000, 9.0)])
def test_nothing_is_cut_where_the_least_cut_is_no_gain(
        monkeypatch: pytest.MonkeyPatch, pair: Any, eps: float) -> None:
    """Windows beside an eps of thousands took 2 s."""
    factors, seen = releases(pair), []

    def cut(s: Any, loss: float, width: float) -> Any:
        seen.append(loss)
        return cut_spectra.cut(s, loss, width)

    monkeypatch.setattr(cut_losses, "cut", cut)
    assert cut_losses.apart(factors, eps, 11.0) is None
    assert len(seen) == 1


def test_a_search_keeps_what_it_cuts() -> None:
    factors = releases(SAMPLED * randomized_response("1/100"))
    with one_search():
        one, two = (cut_losses.apart(factors, eps, 11.0) for eps in (0.05, 0.051))
        assert one is not None
        assert two is not None
        assert one.factors is two.factors
        # far off another cut is better
        far = cut_losses.apart(factors, 0.5, 11.0)
        assert far is not None
        assert far.factors is not one.factors


@pytest.mark.parametrize("sigma", [1, 2])
@pytest.mark.parametrize("order", [-128, -8, 0, 1, 9, 30])
def test_choices_know_what_bounds_say(sigma: int, order: float) -> None:
    """Orders far off seemed to have bounds, as the grid of choices ended before the peak."""
    s = releases(poisson(gaussian(sigma), "1/1000000", direction="remove")).parts[0][0]
    cut = cut_spectra.cut(s, 1.0, 0.125)
    assert isinstance(cut, CutNormal)
    bound = float(cut.most_dropped(flint.arb(order)).log())
    # some of what is left of all cells is a bound, too
    assert cut.log_dropped(order) - 5 < bound < cut.log_dropped(order) + 3


@pytest.mark.parametrize(("pair", "eps", "digits"), [
    # what doubles hold is not enough
    (poisson(gaussian(2), "1/10000", direction="remove") * randomized_response("1/10")**30, "9/2",
     3),
    # a rule to all digits for what something else hides
    (poisson(gaussian("1/2"), "1/1000000", direction="remove")**3 * randomized_response(2)**100,
     "20003/100", 3)])
def test_what_cannot_be_seen_is_given_up_soon(pair: Any, eps: str, digits: int) -> None:
    with at_most(1e7) as budget, suppress(Unsupported):
        with workprec(smoothed.BITS):
            found = smoothed.delta(releases(pair), flint.arb(flint.fmpq(
                Fraction(eps).numerator, Fraction(eps).denominator)), digits)
        assert found.rel_accuracy_bits() < 9
    assert budget.taken < 250_000


def test_where_the_mass_of_others_is_not_told_all_of_it_may_be_infinite() -> None:
    class Unknown:
        def line(self, *_: Any) -> Any:
            raise Unsupported("no line at the order 0")

    one = releases(randomized_response("1/10")).parts[0]
    assert cut_losses._infinite((one, (Unknown(), 2))) == 1
    # masses that are known add up to 1
    assert cut_losses._infinite((one,)) < 1e-15
