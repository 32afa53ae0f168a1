"""Generated mpmath code: executed at 40 digits, compared with exact values at points."""

from __future__ import annotations

import pytest
from mpmath import mp

from lapdp import exponential, gaussian, laplace
from tests.exported import FORMS, closed, double, exactly, parameters, points, refused, run


@pytest.mark.parametrize(("pair", "name"), FORMS, ids=str)
def test_mpmath_code_has_35_digits_at_40(pair, name):
    notion, curves = getattr(pair, name), closed(pair, name)
    if curves is None:
        refused(notion.code)
        return
    variable = pair.variable(notion.letter)
    module = run(notion.code())
    for function, formula in curves.items():
        values = parameters(notion, formula, variable)
        for x in points(notion, formula, variable):
            with mp.workdps(40):
                found = module[function](double(x), *(double(v) for v in values.values()))
            with mp.workdps(60):
                expected = exactly(notion, function, formula, variable, x, values)
                # what is 0 exactly is so to 150 digits
                allowed = mp.mpf(10) ** -35 * abs(expected) + mp.mpf(10) ** -150
                assert abs(found - expected) <= allowed, (function, x)


def test_jumps_are_met_at_the_precision_of_the_caller():
    """A point given as mp.log(2) meets the breakpoint log 2: the function is right-continuous."""
    module = run(exponential(1, 2).loss.code())
    cdf, density = module["loss"], module["loss_density"]
    for digits in (15, 40, 100):
        with mp.workdps(digits):
            at = -mp.log(2)
            assert cdf(at - mp.eps) == 0 and density(at) == 1
            assert density(at - mp.eps) == 0


def test_gaussian_trade_offs_are_never_rounded_to_0():
    """f(1/2) is Phi(-mu), however far out."""
    tradeoff = run(gaussian("1/100").tradeoff.code())["tradeoff"]
    with mp.workdps(30):
        expected = mp.erfc(100 / mp.sqrt(2)) / 2
        assert 0 < expected < mp.mpf(10) ** -2000
        assert abs(tradeoff(0.5) - expected) < mp.mpf(10) ** -25 * expected


def test_arguments():
    moment = run(exponential(1, 2).moment.code())["moment"]
    with mp.workdps(30):
        # whole numbers of Python stay exact
        assert moment(1) == moment(0) == 1 and moment(-1) == mp.mpf(4) / 3
        assert abs(moment(mp.mpc(1, 1)) - 2 * mp.exp(-mp.mpc(1, 1) * mp.log(2)) / mp.mpc(1, -1)
                   ) < mp.mpf(10) ** -29
    with pytest.raises(ValueError, match="moment is known where re"):
        moment(2)
    with pytest.raises(ValueError, match="tradeoff is known where"):
        run(laplace(1).tradeoff.code())["tradeoff"](2)
