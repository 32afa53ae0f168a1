"""Generated NumPy code: executed on arrays, compared with the mpmath code at the same doubles."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp
from mpmath import mp

from lapdp import finite, gaussian, laplace, poisson
from lapdp.core.errors import Unsupported
from lapdp.report.formats.numpy_expressions import Writer
from tests.exported import FORMS, closed, double, parameters, points, refused, run
from tests.rounding import Rounding


@pytest.mark.parametrize(("pair", "name"), FORMS, ids=str)
def test_numpy_code_has_the_digits_of_its_conditioning(pair, name):
    """Within 8 units of rounding, each as large as a first-order analysis of the form allows; that
    is 12 digits where the form is well conditioned.  No formula is evaluated where it does not
    apply: warnings are errors."""
    notion, curves = getattr(pair, name), closed(pair, name)
    if curves is None:
        refused(lambda: notion.code("numpy"))
        return
    variable = pair.variable(notion.letter)
    if any(formula.has(sp.hyper) for formula in curves.values()):
        # of complex parameters, which SciPy does not take
        with pytest.raises(Unsupported, match="hyper has no NumPy code"):
            notion.code("numpy")
        return
    module, exact = run(notion.code("numpy")), run(notion.code())
    for function, formula in curves.items():
        values = parameters(notion, formula, variable)
        given = [double(v) for v in values.values()]
        # what exceeds the doubles is left out
        at = [x for x in points(notion, formula, variable, far=True)
              if abs(exact[function](double(x), *given)) < 1e300]
        arguments = [float(v) for v in values.values()]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = module[function](np.array([float(x) for x in at]), *arguments)
            one = module[function](float(at[-1]), *arguments)
        assert np.shape(one) == () and np.isclose(one, found[-1], rtol=1e-13, atol=0)
        for x, value in zip(at, found, strict=True):
            with mp.workdps(60):
                expected = exact[function](double(x), *given)
                where = {variable: double(x), **{s: double(v) for s, v in values.items()}}
                _, units = Rounding(where)(formula)
                allowed = 8 * mp.mpf(2) ** -53 * units + mp.mpf(2) ** -1000
                assert abs(mp.mpmathify(complex(value)) - expected) <= allowed, (function, x)


def test_shapes_ends_and_nan():
    profile = run(laplace(1).profile.code("numpy"))["profile"]
    assert profile(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert profile([[0, 1], [2, -1]]).shape == (2, 2)
    assert np.array_equal(profile([-np.inf, np.inf, np.nan]), [1, 0, np.nan], equal_nan=True)
    constant = run(finite([1], [1]).moment.code("numpy"))["moment"]
    assert np.array_equal(constant([0.5, np.nan]), [1, np.nan], equal_nan=True)


def test_tails_keep_their_digits():
    """Tails far below the rounding of their terms: 12 digits down to 1e-300."""
    for pair in (gaussian(1), gaussian("1/3"), poisson(gaussian(1), "0.1", "remove")):
        numpy = run(pair.profile.code("numpy"))["profile"]
        exact = run(pair.profile.code())["profile"]
        at = [x for x in np.linspace(1, 45, 89) if exact(float(x)) > 1e-300]
        with warnings.catch_warnings(), mp.workdps(50):
            warnings.simplefilter("error")
            for x, value in zip(at, numpy(np.array(at)), strict=True):
                # the exponent is as large as x^2, and is rounded once
                assert abs(value / exact(mp.mpf(float(x))) - 1) < 1e-12 * max(1, x * x / 500)


def test_beside_breakpoints():
    """Neighbouring doubles of a breakpoint take their own branches, without warnings."""
    for pair in (poisson(laplace(1), "0.1", "remove"), poisson(gaussian(1), "0.1", "remove")):
        profile = run(pair.profile.code("numpy"))["profile"]
        cuts = np.log([0.9, 0.9 + 0.1 * np.exp(-1), 0.9 + 0.1 * np.e])
        near = np.concatenate([np.nextafter(cuts, -9), cuts, np.nextafter(cuts, 9)])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            values = profile(np.sort(near))
        assert np.all(np.diff(values) <= 1e-15) and np.all(values >= np.maximum(
            0, -np.expm1(np.sort(near))) - 1e-15)


def test_scipy_is_imported_where_it_is_needed():
    assert "scipy" not in laplace(1).profile.code("numpy").lower()
    assert "from scipy.special import erfcx\n" in gaussian(1).profile.code("numpy")
    assert "Needs NumPy, and SciPy for erfc, erfcinv," in gaussian(1).tradeoff.code("numpy")


def test_sums_and_what_has_no_code():
    n, t = sp.Symbol("n", integer=True), sp.Symbol("t", real=True)
    partial = sp.Sum(t**n / sp.factorial(3), (n, 0, 4))
    found = eval(Writer(t)(partial), {"t": np.array([0.5, 2.0]), "np": np})
    assert np.allclose(found, [(1 - 0.5**5) / 0.5 / 6, 31 / 6], rtol=1e-15)
    for e in (sp.Sum(t**n, (n, 0, sp.oo)), sp.Sum(t**n, (n, 0, sp.floor(t))), sp.zeta(t),
              sp.DiracDelta(t), sp.exp(sp.Integer(1000)) * t):
        with pytest.raises(Unsupported, match=r"take mpmath|no NumPy code"):
            Writer(t)(e)
