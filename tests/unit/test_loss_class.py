"""Privacy loss classes: closed forms and certified numbers against sums and quadrature."""

from __future__ import annotations

import json
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    exponential,
    finite,
    gaussian,
    laplace,
    outcomes,
    poisson,
    randomized_response,
    subset,
    truncated_laplace,
)
from lapdp.commands.loss_class import Question, answer
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.mechanisms import CARDS

PAIRS = [p for card in CARDS.values() for p in card.pairs()[:2]
         if not p.free_symbols and not isinstance(p, type(discrete_gaussian(1)))]
NUMBERS = [p for p in PAIRS if "1000000" not in repr(p) and type(p).__name__ != "CurvedDensities"]


def number(x):
    """An ``mpf`` of an exact or floating number."""
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


def moments(pair):
    """Mean, variance, third absolute central moment and lost mass, from masses and densities."""
    kind, *data = pair.numeric_pair({})
    if kind == "finite":
        rows = [(number(a), number(b)) for a, b in data[0]]

        def mean(body):
            return mp.fsum(a * body(mp.log(a / b)) for a, b in rows if a and b)
    else:
        p, q, (lower, upper), kinks = data
        places = [x for x in (-200, -60, -20, -8, -3, 0, 3, 8, 20, 60, 200) if lower < x < upper]
        cuts = sorted({lower, upper, *kinks, *places})

        def mean(body):
            def at(x):
                a, b = p(x), q(x)
                return a * body(mp.log(a / b)) if a and b else mp.mpf(0)
            return mp.quad(at, cuts)

    kept = mean(lambda z: 1)
    if not kept:
        return 0, 0, 0, 1
    centre = mean(lambda z: z) / kept
    return (centre, mean(lambda z: (z - centre) ** 2) / kept,
            mean(lambda z: abs(z - centre) ** 3) / kept, 1 - kept)


def close(exact, value, digits):
    found = mp.mpf(str(sp.N(exact, 30)))
    return abs(found - value) <= mp.mpf(10) ** -digits * (1 + abs(value))


@pytest.mark.parametrize("pair", NUMBERS, ids=repr)
def test_closed_forms_against_the_definition(pair):
    with mp.workdps(25):
        mean, variance, _, lost = moments(pair)
        found = pair.loss_class
        assert close(found.mean, mean, 9) and close(found.variance, variance, 9)
        assert close(found.mass_at_infinity, lost, 9)


@pytest.mark.parametrize("pair", [
    laplace(1), laplace("1/2", 3), exponential(1, 2), exponential(1, 2).reverse(),
    truncated_laplace(1, 2, 1), randomized_response(sp.log(3), "1/10"),
    finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]), gaussian(2, 3),
    finite([1, 0], [0, 1]), finite([1], [1]),
], ids=repr)
def test_third_absolute_moment_against_the_definition(pair):
    with mp.workdps(20):
        assert close(pair.loss_class.third_absolute_moment, moments(pair)[2], 5)


@pytest.mark.parametrize("pair", [
    randomized_response(1, "1/10") * finite(["1/3", "2/3"], ["2/3", "1/3"]),
    truncated_laplace(1, 2, 1) ** 3, laplace(1) * laplace(2), (laplace(1) ** 2).reverse(),
    randomized_response(1, 1) * finite(["1/3", "2/3"], ["2/3", "1/3"]),
], ids=repr)
def test_products_have_the_class_of_their_model(pair):
    """The sum over the factors against the model of the whole product."""
    from lapdp.calculus.ordering import Cell
    from lapdp.privacy.notions.loss_class import _cumulant

    for order, value in ((1, pair.loss_class.mean), (2, pair.loss_class.variance)):
        assert abs(sp.N(_cumulant(pair, order, Cell()) - value, 30)) < 1e-25


def test_reversal_is_another_class():
    pair = exponential(1, 2)
    assert pair.loss_class.mean == 1 - sp.log(2)
    assert sp.expand(pair.reverse().loss_class.mean - sp.log(2) + sp.Rational(1, 2)) == 0


def test_no_finite_loss():
    assert repr(finite([1, 0], [0, 1]).loss_class).endswith("=0, variance=0, mass_at_infinity=1)")
    pair = randomized_response(1, 1) * gaussian(1)
    assert (pair.loss_class.mean, pair.loss_class.variance) == (0, 0)
    leak = sp.Symbol("delta", real=True)
    symbolic = (randomized_response(1, leak) * gaussian(1)).loss_class.mean
    assert symbolic.subs(leak, 1) == 0 and symbolic.subs(leak, 0) != 0


def test_symbolic_copies():
    k = sp.Symbol("k", integer=True, positive=True)
    found = (laplace(1) ** k).loss_class
    assert found.variance.subs(k, 3) == sp.factor_terms((laplace(1) ** 3).loss_class.variance) or (
        sp.expand(found.variance.subs(k, 3) - (laplace(1) ** 3).loss_class.variance) == 0)


def subsampled(w, v, kappa):
    """Mean and variance of the loss of two mixtures of a Gaussian pair, by quadrature."""
    spread = mp.sqrt(2 * kappa)

    def loss(at):
        return mp.log(w * mp.exp(at) + 1 - w) - mp.log(v * mp.exp(at) + 1 - v)

    def mean(n):
        return mp.quad(lambda t: mp.npdf(t) * (
            (1 - w) * loss(-kappa + spread * t) ** n + w * loss(kappa + spread * t) ** n),
            [-14, -6, -2, 0, 2, 6, 14])
    return mean(1), mean(2) - mean(1) ** 2


@pytest.mark.parametrize(("pair", "weights"), [
    (poisson(gaussian(1), "1/10", direction="remove"), (mp.mpf(1) / 10, 0)),
    (poisson(gaussian(1), "1/10", direction="add"), (mp.mpf(1), mp.mpf(9) / 10)),
], ids=repr)
def test_subsampled_numbers_against_quadrature(pair, weights):
    found = pair.loss_class.at(12)
    with mp.workdps(25):
        for exact, value in zip(found, (*subsampled(*weights, mp.mpf(1) / 2), 0), strict=True):
            centre = mp.mpf(exact.middle.numerator) / exact.middle.denominator
            assert abs(centre - value) < mp.mpf(10) ** -11 * (1 + abs(value))


def test_numbers_without_a_closed_form():
    found = (discrete_gaussian("1/3") ** 2).loss_class.at(15)
    with mp.workdps(30):
        weights = {x: mp.exp(-mp.mpf(9) * x**2 / 2) for x in range(-9, 10)}
        spread = 2 * 81 * mp.fsum(x * x * w for x, w in weights.items()) / mp.fsum(weights.values())
        middle = mp.mpf(found.variance.middle.numerator) / found.variance.middle.denominator
    assert found.mean.middle == 9 and abs(middle - spread) < 1e-12
    cut = poisson(truncated_laplace(1, 1, 1), "1/10", direction="remove").loss_class.at(10)
    assert cut.mass_at_infinity.contains(sp.Rational(1, 20))


def test_refusals():
    with pytest.raises(Unsupported, match="no closed form here"):
        print(poisson(gaussian(1), "1/10", direction="remove").loss_class.mean)
    with pytest.raises(Unsupported, match="no closed form here"):
        subset(gaussian(1), 1, 10, neighbours="replace").loss_class.at(10)
    with pytest.raises(InputError, match="numbers for its parameters"):
        laplace(sp.Symbol("b", positive=True)).loss_class.at(10)


@pytest.mark.parametrize(("question", "text"), [
    (Question("gaussian(2)", format="latex"), r"\left(\frac{1}{8}, \frac{1}{4}, 0\right)"),
    (Question("randomized_response(log(3), 1/10)"), "mass at infinity  1/10"),
    (Question("laplace(10)", 10), "variance          0.0096594436357 +/- 5.01e-14"),
])
def test_command(question, text):
    assert text in answer(question).text


def test_command_as_json_and_its_errors():
    found = json.loads(answer(Question("gaussian(2)", 5, "json")).text)
    assert found["mean"] == {"value": "0.125", "radius": "0"}
    assert answer(Question("laplace(0)")).error == "scale = 0 must be positive"


def test_named_outcomes():
    pair = outcomes({"seen": ("1/10", 0), "yes": ("3/5", "3/10"), "no": ("3/10", "7/10")})
    with mp.workdps(20):
        assert close(pair.loss_class.mean, moments(pair)[0], 12)
