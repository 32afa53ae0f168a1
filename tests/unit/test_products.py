"""Closed forms of products: one polynomial gives what repeated convolutions give."""

import itertools
import subprocess
import sys
from fractions import Fraction
from math import prod

import flint
import pytest
import sympy as sp

from lapdp import (
    exponential,
    gaussian,
    geometric,
    laplace,
    randomized_response,
    staircase,
    truncated_laplace,
)
from lapdp.balls import enclosure
from lapdp.calculus import polynomials
from lapdp.calculus.collected import Collected
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import convolve
from lapdp.core.errors import Unsupported
from lapdp.privacy.products import multiply, sum_of_losses
from tests.effort import calls_at_most

a, b = sp.symbols("a b", positive=True)
PRODUCTS = {
    "powers": [(laplace(1), 4)],
    "two scales": [(laplace(1), 2), (laplace("3/2"), 2)],
    "radicals": [(laplace(1 / sp.log(3)), 2), (randomized_response(sp.log(2)), 1)],
    "mixed": [(laplace(2), 2), (randomized_response("0.1", "1e-8"), 2), (geometric("1/2", 3), 1)],
    "optimal staircase": [(staircase(1), 2), (laplace(1), 1)],
    "losing mass": [(truncated_laplace(1, 2), 2), (randomized_response(1, "1/3"), 1)],
    "other poles": [(exponential(1, 2), 2), (exponential(2, 3), 1), (laplace(1), 1)],
    "both tails": [(exponential(1, 2), 1), (exponential(1, 3).reverse(), 1), (laplace(1), 1)],
    "both rates symbols": [(exponential(a, 3 * a), 2), (laplace(1), 2)],
    "a symbolic scale": [(laplace(b), 2), (randomized_response(1), 1)],
    "symbols of both kinds": [(laplace(b), 1), (randomized_response(a), 2)],
    "atoms": [(randomized_response("1/3", "1/5"), 3), (geometric("1/2", 2), 2)],
}


def convolved(factors, cell):
    """The general route: loss, and profile by the hinge."""
    total = Exact.impulse(0)
    for pair, count in factors:
        for _ in range(count):
            total = convolve(total, pair.model_in(cell).loss, cell)
    hinge = (Exact.term(1) - Exact.term(1, Form.of(1))).before(ZERO, cell)
    return total, convolve(total, hinge, cell)


@pytest.mark.parametrize("name", PRODUCTS)
def test_polynomials_agree_with_convolutions(name):
    factors = PRODUCTS[name]
    cell = Cell([c for pair, _ in factors for c in pair.constraints()])
    model = multiply([(pair.model_in(cell), count) for pair, count in factors], cell)
    loss, profile = convolved(factors, cell)
    assert model.loss.equals(loss, cell)
    assert model.profile(cell).equals(profile + Exact.term(model.p_infinite), cell)
    assert model.cdf(cell).equals(loss.primitive(cell), cell)
    p, q = (1 - x for x in (model.p_infinite, model.q_infinite))
    for pair, count in factors:
        inner = pair.model_in(cell)
        p = p / (1 - inner.p_infinite) ** count
        q = q / (1 - inner.q_infinite) ** count
    assert p == Scalar.of(1) and q == Scalar.of(1)


def test_atoms_carry_the_masses_of_both_members():
    model = (randomized_response("1/3", "1/5")**3 * geometric("1/2", 2)**2).model()
    assert len(model.atoms) == len(list(model.atoms)) == len(model.loss.impulses)
    for atom in model.atoms:
        assert atom.a == model.loss.impulses[atom.z][0]
    for masses, lost in (([x.a for x in model.atoms], model.p_infinite),
                         ([x.b for x in model.atoms], model.q_infinite)):
        assert sum(masses, lost) == Scalar.of(1)


def test_the_order_and_grouping_of_factors_do_not_matter():
    x, y = laplace(1), randomized_response("0.1", "1e-3")
    models = [p.model() for p in (x * y * x, x**2 * y, y * x**2, x * (x * y), (x * y) * x)]
    for first, second in itertools.pairwise(models):
        assert first.loss.equals(second.loss, Cell())
        assert first.p_infinite == second.p_infinite


def test_only_rational_poles_are_multiplied_as_polynomials():
    assert isinstance((laplace(b)**3).model().loss, Collected)
    assert isinstance((exponential(1, 2)**3).model().loss, Collected)
    rising = Exact.step(0, Scalar.of(Form.of(a)), -Form.of(a))
    cell, atoms = Cell([(Form.of(a), ">")]), randomized_response(1).model().loss
    found = sum_of_losses([(rising, 2), (atoms, 2)], cell)
    assert not isinstance(found, Collected)
    expected = convolve(convolve(rising, rising, cell), convolve(atoms, atoms, cell), cell)
    assert found.equals(expected, cell)


def test_terms_grow_with_the_square_of_the_power():
    for k in (10, 20, 40):
        assert k**2 < len((laplace(1)**k).model().loss) <= (k + 1)**2


def test_too_many_terms_are_refused_early(monkeypatch):
    monkeypatch.setattr(polynomials, "MAX_TERMS", 5000)
    with pytest.raises(Unsupported, match="terms, more than 5000"):
        (laplace(1)**200).model()
    with pytest.raises(Unsupported, match="terms, more than 5000"):
        (laplace(1)**20 * laplace(sp.log(2))**20 * laplace(sp.log(3))**20).model()


def test_large_products_are_estimated_before_they_are_formed(monkeypatch):
    factors = [(laplace(1), 12), (randomized_response("1/2"), 4), (geometric("1/3", 2), 3)]
    parts = [(pair.model().loss, count) for pair, count in factors]
    whole = sum_of_losses(parts, Cell())
    monkeypatch.setattr(polynomials, "_AT_ONCE", 50)
    assert sum_of_losses(parts, Cell()).equals(whole, Cell())
    monkeypatch.setattr(polynomials, "MAX_TERMS", 400)
    with pytest.raises(Unsupported, match="terms, more than 400"):
        sum_of_losses(parts, Cell())


def test_products_in_parts_are_the_products(monkeypatch):
    factors = [(laplace(1), 9), (laplace(1 / sp.log(2)), 3), (randomized_response("1/2"), 5)]
    parts = [(pair.model().loss, count) for pair, count in factors]
    whole = sum_of_losses(parts, Cell())
    monkeypatch.setattr(polynomials, "_BITS_AT_ONCE", 1)    # term by term
    assert sum_of_losses(parts, Cell()).equals(whole, Cell())


LARGE = """
import resource
import sys
from pathlib import Path
from lapdp import laplace, poisson, randomized_response
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.products import sum_of_losses

draws = poisson(randomized_response("1/10"), "1/10000", direction="add")
parts = [(draws.model().loss, 1000), (laplace(2).model().loss, 100)]
kept = []
for _ in range(2):
    try:
        sum_of_losses(parts, Cell())
    except Unsupported as problem:
        kept.append(problem)    # as a query keeps what its methods say
# where there is a status, that of this program alone: getrusage may tell of the one that began it
status = Path("/proc/self/status")
if status.exists():
    print(len(kept), status.read_text().split("VmHWM:")[1].split()[0])
else:
    scale = 1024 if sys.platform == "darwin" else 1
    print(len(kept), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // scale)
"""


def test_a_product_is_refused_before_it_fills_the_memory():
    # ten million terms of up to 1258 bits: 2.4 GB where the product is formed and counted then
    found = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True,
                           check=True)
    refused, size = map(int, found.stdout.split())
    assert refused == 2 and size < 500_000


def test_incommensurate_losses_are_refused_within_seconds():
    pair = randomized_response(1)
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73):
        pair = pair * randomized_response(sp.log(p))
    with pytest.raises(Unsupported, match="losses, more than"):
        pair.model()


def test_sums_of_commensurate_losses_merge():
    pair = randomized_response(Fraction(1, 10))
    for n in range(2, 31):
        pair = pair * randomized_response(Fraction(n, 10))
    assert len(pair.model().atoms) == 30 * 31 // 2 + 1


def test_exact_values_of_large_products_are_written_out_at_once():
    m = laplace(1)**60 * randomized_response("1/2", "1/10")**5
    with calls_at_most(10**7):
        value = m.profile(20)
    found = m.profile.at(20, digits=40)
    with flint.ctx.workdps(200):
        assert enclosure(value, digits=100).real.overlaps(found.ball())


@pytest.mark.parametrize("pair", [
    laplace(1)**6, truncated_laplace(1, 2) * laplace(1), exponential(1, 2)**2 * laplace("1/2"),
    randomized_response("1/2", "1/10") * geometric("1/3", 3), laplace(1)], ids=str)
def test_the_summands_add_up_to_the_profile(pair):
    summands = pair.profile.summands()
    places = [s.breakpoint for s in summands]
    assert places == sorted(places)
    t = sp.Symbol("t", real=True)
    for point in (sp.Rational(-5, 2), sp.Rational(1, 7), sp.Integer(1), sp.Rational(7, 3)):
        value = pair.mass_at_infinity + sum(
            (s.before if s.breakpoint > point else s.after).subs(t, point) for s in summands)
        assert to_scalar(value - pair.profile(point)).is_zero()


def test_a_profile_of_ten_factors_is_read_at_once():
    with calls_at_most(10**7):
        m = laplace(1)**10
        curve, summands = m.profile(), m.profile.summands()
    assert len(curve.args) == 12 and len(summands) == 11
    assert len(str(summands[5].before)) < 400


def test_powers_whose_coefficients_are_too_large_are_refused_at_once():
    with calls_at_most(10**7), pytest.raises(Unsupported, match="bits, more than"):
        sum_of_losses([(randomized_response("0.1").model().loss, 10**6)], Cell())
    with calls_at_most(10**7), pytest.raises(Unsupported, match="terms, more than"):
        sum_of_losses([(laplace(1).model().loss, 10**5)], Cell())


def test_a_product_of_thousands_is_a_few_parts_deep():
    whole = prod([laplace(j) for j in range(2, 3001)], start=gaussian(1))
    assert len({whole, whole.reverse().reverse()}) == 1 and whole.substitute({}) == whole
    assert whole.parts == 3000 and not whole.free_symbols
    assert repr(whole).startswith("gaussian(1, 1)*laplace(2, 1)*laplace(3, 1)*")


def test_the_parentheses_of_a_product_make_no_difference():
    a, b, c, d = (laplace(j) for j in range(1, 5))
    ways = [((a * b) * c) * d, (a * (b * c)) * d, (a * b) * (c * d), a * (b * (c * d))]
    assert len(set(ways)) == 1 and {str(way) for way in ways} == {
        "laplace(1, 1)*laplace(2, 1)*laplace(3, 1)*laplace(4, 1)"}
