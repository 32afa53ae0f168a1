"""Field elements: hidden identities, radicals, powers of i, views, and what is refused."""

from __future__ import annotations

from fractions import Fraction as Fr

import flint
import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import MAX_EXPONENT, MAX_MONOMIAL, Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.precision import workprec
from tests.second_route import close, scalar_value

x, y = sp.symbols("x y", real=True)
w = sp.Symbol("w", positive=True)
q = sp.Symbol("q", complex=True)
e = sp.exp
half, third = sp.Rational(1, 2), sp.Rational(1, 3)


@pytest.mark.parametrize("zero", [
    e(x) / (1 + e(x)) + 1 / (1 + e(x)) - 1,
    (e(2 * x) - 1) / (e(x) - 1) - e(x) - 1,
    e(x / 2) ** 2 - e(x),
    e(x / 6) ** 3 * e(x / 3) ** 2 - e(7 * x / 6),
    e(x + y) - e(x) * e(y),
    e(sp.log(2) * x) - 2**x,
    e(3 * sp.log(2) / 2) - 2 * sp.sqrt(2),
    sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6),
    (1 + sp.sqrt(2)) * (sp.sqrt(2) - 1) - 1,
    2**third * 2**half - 2 ** sp.Rational(5, 6),
    sp.sqrt(12) - 2 * sp.sqrt(3),
    1 / (1 + sp.I) - (1 - sp.I) / 2,
    e(sp.I * sp.pi) + 1,
    e(sp.I * sp.pi / 2) - sp.I,
    e(sp.I * (x + sp.pi)) + e(sp.I * x),
    (e(sp.I * x) + e(-sp.I * x)) ** 2 / 4 - (e(2 * sp.I * x) + e(-2 * sp.I * x) + 2) / 4,
    (q + sp.I) * (q - sp.I) - q**2 - 1,
    (x**2 - y**2) / (x - y) - x - y,
    e(q * x) * e(-q * x) - 1,
    e(sp.log(3) * q) ** 2 - 9**q,
    sp.sqrt(w**2) - w,
    sp.sqrt(4 * w**4) - 2 * w**2,
    sp.log(e(x) * 6) - x - sp.log(2) - sp.log(3),
    e(1) ** x - e(x),
    sp.erfc(x) + sp.erfc(-x) - 2,
    sp.erf(x) + sp.erfc(x) - 1,
], ids=str)
def test_hidden_zeros(zero):
    assert to_scalar(zero).is_zero()


@pytest.mark.parametrize("other", [
    e(x) - e(y), e(x) - 1 - x, sp.sqrt(2) - sp.Rational(3, 2), 2**third - sp.sqrt(2), sp.pi - 3,
    e(sp.I * x) - e(-sp.I * x), x - sp.Symbol("x", positive=True), q - x, e(sp.pi) - 23,
    sp.log(2) * sp.log(3) - 1, e(e(0)) - sp.Rational(27, 10), sp.erfc(x) - sp.erfc(y),
    sp.erfc(x) - sp.erfc(sp.Symbol("x", positive=True)),
])
def test_what_differs_is_no_zero(other):
    assert not to_scalar(other).is_zero()


@pytest.mark.parametrize("numerator", [1, 2, 4, 5, 7])
def test_other_roots_of_unity_are_refused(numerator):
    with pytest.raises(Unsupported):
        Scalar.exp(Form.of(sp.I * sp.pi * sp.Rational(numerator, 3)))


@pytest.mark.parametrize("k", range(-5, 9))
def test_powers_of_i(k):
    element = Scalar.exp(Form.of(sp.I * sp.pi * k / 2))
    with mp.workdps(20):
        assert close(scalar_value(element), mp.mpc(0, 1) ** k, 15)
    assert element == Scalar.of(Form.of(sp.I**k))


def test_refusals():
    with pytest.raises(Undefined):
        Scalar.of(1) / Scalar.of(0)
    with pytest.raises(Undefined):
        Scalar.of(Form.of(x - x)).inverse()
    with pytest.raises(Undefined):
        to_scalar(1 / (e(2 * x) - e(x) ** 2 + 0 * y), None)
    with pytest.raises(Undefined):
        to_scalar(sp.log(sp.Mul(0, x)))
    with pytest.raises(Unsupported):
        Scalar.of(2) ** (MAX_EXPONENT + 1)
    with pytest.raises(Unsupported):
        Scalar.exp(Form.of(sp.log(2) / 2)) ** (MAX_EXPONENT + 1)
    with pytest.raises(Unsupported):
        Scalar.exp(Form.of(x)) ** (MAX_MONOMIAL + 1)
    assert Scalar.exp(Form.of(x)) ** MAX_MONOMIAL == Scalar.exp(Form.of(MAX_MONOMIAL * x))
    with pytest.raises(TypeError):
        hash(Scalar.of(1))
    assert Scalar.of(1) != 1


DOUBLES = [Fr(0.1), Fr(0.3), Fr(1e-8), Fr(1, 3), Fr(2)]


@pytest.mark.parametrize("c", DOUBLES)
@pytest.mark.parametrize("d", DOUBLES)
def test_exponentials_of_doubles(c, d):
    """e^c and e^d, whether or not they are near powers of one number: (1 + u)(1 + v) and its parts,
    and their value by another way."""
    u, v = Scalar.exp(Form.of(c)), Scalar.exp(Form.of(d))
    product = (1 + u) * (1 + v)
    assert product == 1 + u + v + u * v and product / (1 + u) == 1 + v
    assert u * u == Scalar.exp(Form.of(2 * c)) and u * Scalar.exp(Form.of(-c)) == Scalar.of(1)
    assert (u == v) == (c == d)
    with mp.workdps(40):
        exact = [mp.mpf(q.numerator) / q.denominator for q in (c, d)]
        wanted = (1 + mp.exp(exact[0])) * (1 + mp.exp(exact[1]))
        assert close(scalar_value(product, {}), wanted)


def test_nothing_is_divided_by_a_hidden_zero():
    """E = (e^(1/n))^n for two n whose common root is far from both: the difference is formally not
    0, and no number is."""
    parts = []
    for n in (10**7, 10**7 + 1):
        root = Scalar.exp(Form.of(Fr(1, n)))
        parts.append((Scalar.exp(Form.of(1)) + root, root))
    hidden = parts[0][0] - parts[1][0] - parts[0][1] + parts[1][1]
    with pytest.raises((Unsupported, Undefined)):
        1 / hidden
    shown = parts[0][0] - parts[1][0]
    assert shown / shown == Scalar.of(1)


def test_a_chain_of_roots_is_lifted_together():
    """1, 10^-5, 10^-10, ...: neighbours have a common root that is near, the ends have not."""
    steps = [Fr(1, 10 ** (5 * j)) for j in range(5)]
    elements = [Scalar.exp(Form.of(c)) for c in steps]
    total = sum(elements, Scalar.of(0))
    for x in elements:
        total = total - x
    assert total.is_zero()
    assert elements[1] ** 100_000 == elements[0]


@pytest.mark.parametrize("bad", [
    sp.log(x), sp.log(x - 2), sp.sqrt(x), x**x, sp.sqrt(e(q)), sp.log(e(q)), sp.sin(x), sp.gamma(x),
    e(e(x)), (-8) ** third, sp.Abs(q), sp.Float("0.1"), w**half,
], ids=str)
def test_expressions_outside_the_field(bad):
    with pytest.raises(Unsupported):
        to_scalar(bad)


@pytest.mark.parametrize("singular", [sp.zoo, sp.nan], ids=str)
def test_singular_values_are_undefined(singular):
    with pytest.raises(Undefined):
        to_scalar(singular)


def test_views():
    assert to_scalar(6 * e(x) / 4).as_exponential() == (Fr(3, 2), Form.of(x))
    assert to_scalar(x * e(x)).as_exponential() is None
    assert to_scalar(e(x) + 1).as_exponential() is None
    assert to_scalar((x**2 - 1) / (2 * y)).as_form() == Form.of(x**2 / (2 * y) - 1 / (2 * y))
    assert to_scalar(e(x)).as_form() is None
    assert to_scalar(1 / (1 + x)).as_form() is None
    assert to_scalar(e(x * sp.log(2)) * sp.re(q) + y).parameters() == {x, sp.re(q), y}
    assert to_scalar(sp.I * e(x)).parameters() == {x}


def test_the_sign_of_the_leading_coefficient():
    """Normalisation moves signs between numerator and denominator, never drops one."""
    for numerator, denominator in ((-1, 1), (1, -1), (-1, -1), (1, 1)):
        element = (numerator * to_scalar(e(x) + 1)) / (denominator * to_scalar(e(x) - 3))
        with mp.workdps(30):
            expected = numerator * denominator * (mp.e + 1) / (mp.e - 3)
            assert close(scalar_value(element, {x: Fr(1)}), expected, 25)
        sign, parts = element.factors()
        assert sign == numerator * denominator
        assert len(parts) == 2


def test_substitution_reaches_exponents():
    element = to_scalar(x * e(x * y) + e(x / 2))
    found = element.substitute({x: Form.of(2 * sp.log(3))})
    assert found == to_scalar(2 * sp.log(3) * e(2 * sp.log(3) * y) + 3)
    assert to_scalar(e(sp.I * x)).substitute({x: Form.of(sp.pi)}) == Scalar.of(-1)
    with pytest.raises(Undefined):
        to_scalar(1 / (e(x) - 1)).substitute({x: Form({})})


def test_factors_with_coefficients_beyond_a_machine_word():
    x = Scalar.exp(Form.of(sp.Symbol("x", real=True)))
    b = 10**40
    product = (x * b - b - 1) * (x * b - b + 1)
    sign, parts = product.factors()
    back = Scalar.of(sign)
    for factor, power in parts:
        back = back * factor**power
    assert back == product or (back / product).as_form() is not None


@pytest.mark.parametrize("roots", [(2, 10**8), (10**8, 2), (2, 3, 10**8), (4, 10**9, 6)])
def test_generators_that_are_powers_of_one(roots):
    # kept apart at first, then met in one generator: no factor may get lost
    product, total = Scalar.of(1), Scalar.of(0)
    for n in roots:
        one = Scalar.exp(Form.of(Fr(1, n)))
        product, total = product * one, total + one
    with mp.workdps(60):
        powers = [mp.exp(mp.mpf(1) / n) for n in roots]
        for found, exact in ((product, mp.fprod(powers)), (total, mp.fsum(powers))):
            assert close(scalar_value(found * Scalar.of(3) + Scalar.of(1), {}), 3 * exact + 1)


@pytest.mark.parametrize("most", [700, 5000])
def test_many_powers_of_one_root(most):
    """1 + x + ... + x^(n-1) at x = e^(1/1000), that balls know without the sum."""
    root = Scalar.exp(Form.of(Fr(1, 1000)))
    many = (1 - Scalar.exp(Form.of(Fr(most, 1000)))) / (1 - root)
    assert many * many.inverse() == Scalar.of(1) and many * (root - 1) == root**most - 1
    with workprec(200):
        x = (flint.arb(1) / 1000).exp()
        gap = enclose(many * (most - root), {}).real - (x**most - 1) / (x - 1) * (most - x)
        assert gap.contains(0) and abs(gap) < x**most / 2**150


@pytest.mark.parametrize("terms", [3, 40])
def test_long_sums_meet_other_generators(terms):
    """With e^(1/4) beside e^(1/6) the generator is e^(1/12), and the letters change places."""
    root, other = Scalar.exp(Form.of(Fr(1, 6))), Scalar.exp(Form.of(Fr(1, 4)))
    w_, e_x = Scalar.of(Form.of(w)), Scalar.exp(Form.of(x))
    total = sum(((1 + j) * root ** (j % 7) * e_x ** (j % 5) * w_**j for j in range(terms)),
                Scalar.of(0))
    assert (total + other * w_) - other * w_ == total
    mixed = total * (other + w_) / (e_x + 2)
    with mp.workdps(60):
        at = {x: mp.mpf(1) / 3, w: mp.mpf(3) / 7}
        r, u = mp.exp(mp.mpf(1) / 6), mp.exp(at[x])
        exact = sum((1 + j) * r ** (j % 7) * u ** (j % 5) * at[w] ** j for j in range(terms))
        assert close(scalar_value(mixed, at), exact * (mp.exp(mp.mpf(1) / 4) + at[w]) / (u + 2))
