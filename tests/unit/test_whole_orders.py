"""Moments of subsampled Gaussians at whole orders, by other routes."""

import flint
import mpmath as mp
import pytest

from lapdp import gaussian, poisson
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.whole_orders import MOST_ORDER, whole_moment
from lapdp.core.precision import workprec


@pytest.mark.parametrize(("direction", "order"), [
    ("remove", 2), ("remove", 7), ("remove", 61), ("add", -3), ("add", -30)])
def test_quadrature_agrees(direction, order):
    found = poisson(gaussian("1.2"), "0.05", direction=direction).moment(order, digits=15)
    with mp.workdps(40):
        w, mu = mp.mpf("0.05"), 1 / mp.mpf("1.2")
        # both are the mean of z^n under Q
        n = order if direction == "remove" else 1 - order
        expected = mp.quad(lambda x: mp.npdf(x) * (1 - w + w * mp.exp(mu * x - mu**2 / 2)) ** n,
                           mp.linspace(-12, n * mu + 15, 40))
        assert abs(expected - mp.mpf(found.value.numerator) / found.value.denominator) < (
            mp.mpf(10) ** -14 * expected)
    assert found.method == "closed form"


def test_the_sum_on_the_line_agrees_at_every_length():
    pair = poisson(gaussian(2), "0.3", direction="remove")
    (spectrum, _), = releases(pair).parts
    with workprec(80):
        for order in (0, 1, 2, 61, 62, 63, 127, 200):
            exact = whole_moment(spectrum, order)
            line = spectrum.line(flint.arb(order), 0.0, 80).at(flint.arb(0)).real
            assert exact.overlaps(line) and exact.rel_accuracy_bits() > 50


def test_there_is_a_sum_on_one_side_only():
    forward, backward = (releases(poisson(gaussian(2), "0.3", direction=way)).parts[0][0]
                         for way in ("remove", "add"))
    assert whole_moment(forward, -1) is None and whole_moment(backward, 2) is None
    assert whole_moment(forward, MOST_ORDER + 1) is None
    both = poisson(gaussian(2), "0.3", direction="remove")
    assert both.renyi(MOST_ORDER + 1, digits=5).method == "moments on a line"
