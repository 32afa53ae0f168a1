"""Forms against their values: every operation, substitution and part, at exact points."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.form import Form, is_real_atom, log_of_rational
from lapdp.core.errors import Unsupported
from tests.effort import calls_at_most
from tests.second_route import close, form_value

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
q = sp.Symbol("q", complex=True)
I, pi = sp.I, sp.pi
POINTS = (
    {x: Fr(3, 7), y: Fr(-5, 2), p: Fr(4, 3), q: complex(0.5, -1.25)},
    {x: Fr(-2), y: Fr(1, 9), p: Fr(7), q: complex(-3, 0.75)},
)
EXPRESSIONS = (
    x**2 * y - 3 * x + sp.Rational(2, 5), (x + y) ** 3 - (x - y) ** 3, (x + I * y) ** 2 / p,
    (1 - I) ** 5 * x, sp.log(12) * x - sp.log(sp.Rational(9, 8)), pi * x / p**3, (q + I * x) ** 2,
    I**7 + I**-3, (2 * q - p) * (q + p), p**-4 * x**4, sp.re(q) * x - I * sp.im(q),
    sp.log(2) * sp.log(3) - pi**2, x / (2 * I), (3 * x) ** -2,
)


def sympy_value(e, point):
    """SymPy's own evaluation, after the expression became a function of numbers."""
    names = [x, y, p, q]
    f = sp.lambdify(names, e.xreplace({}), [{"re": mp.re, "im": mp.im, "log": mp.log}, "mpmath"])
    with mp.workdps(40):
        return f(*(mp.mpf(v.numerator) / v.denominator if isinstance(v, Fr) else mp.mpc(v)
                   for v in (point[n] for n in names)))


@pytest.mark.parametrize("e", EXPRESSIONS, ids=str)
@pytest.mark.parametrize("point", POINTS, ids=("first", "second"))
def test_a_form_has_the_value_of_its_expression(e, point):
    form = Form.of(e)
    with mp.workdps(30):
        assert close(form_value(form, point), sympy_value(e, point), 14)
        assert close(form_value(Form.of(form.to_sympy()), point), form_value(form, point), 25)


@pytest.mark.parametrize("point", POINTS, ids=("first", "second"))
def test_arithmetic_is_that_of_the_values(point):
    forms = [Form.of(e) for e in EXPRESSIONS]
    with mp.workdps(40):
        for a in forms:
            for b in forms[:6]:
                va, vb = form_value(a, point), form_value(b, point)
                assert close(form_value(a + b, point), va + vb, 30)
                assert close(form_value(a - b, point), va - vb, 30)
                assert close(form_value(a * b, point) / (1 + abs(va * vb)),
                             va * vb / (1 + abs(va * vb)), 30)


@pytest.mark.parametrize("point", POINTS, ids=("first", "second"))
def test_substitution_commutes_with_evaluation(point):
    values = {x: Form.of(-3 * pi * y), p: Form.of(sp.Rational(3, 2)), q: Form.of(y + I * x)}
    with mp.workdps(40):
        moved = {a: form_value(f, point) for a, f in values.items()}
        for e in EXPRESSIONS:
            if e.has(sp.re):
                continue
            form = Form.of(e)
            assert close(form_value(form.substitute(values), point),
                         form_value(form, {**point, **moved}), 25)


@pytest.mark.parametrize("point", POINTS, ids=("first", "second"))
def test_real_and_imaginary_part(point):
    with mp.workdps(40):
        for e in EXPRESSIONS:
            form = Form.of(e)
            real, imag = form.split_complex()
            value = form_value(form, point)
            assert close(form_value(real, point), mp.re(value), 25)
            assert close(form_value(imag, point), mp.im(value), 25)
            assert all(is_real_atom(a) for part in (real, imag) for a in part.atoms())
            assert real == form.real_part()


@pytest.mark.parametrize(("left", "right"), [
    ((x + y) ** 2, x**2 + 2 * x * y + y**2),
    ((x + I) * (x - I), x**2 + 1),
    (I**-1, -I),
    (x * p / p, x),
    (p**-2 * p**3, p),
    (sp.log(8), 3 * sp.log(2)),
    (sp.log(sp.Rational(6, 35)), sp.log(2) + sp.log(3) - sp.log(5) - sp.log(7)),
    (y * x * q, q * y * x),
])
def test_equal_polynomials_are_equal_forms(left, right):
    a, b = Form.of(left), Form.of(right)
    assert a == b
    assert hash(a) == hash(b)
    assert not a - b


def test_symbols_of_one_name_stay_apart():
    other = sp.Symbol("x", positive=True)
    assert Form.of(x) != Form.of(other)
    assert Form.of(x * other) == Form.of(other) * Form.of(x)
    assert Form.of(x) * Form.of(other) - Form.of(other) * Form.of(x) == Form({})


def test_constants():
    assert Form.of(sp.Rational(-4, 6)).constant() == Fr(-2, 3)
    assert Form.of(x - x).constant() == 0
    assert Form.of(x).constant() is None
    assert Form.of(pi).constant() is None
    assert bool(Form.of(0)) is False
    assert Form.of(Fr(1, 3)) + Form.of(2) == Form.of(sp.Rational(7, 3))


@pytest.mark.parametrize("value", [Fr(1), Fr(12, 35), Fr(49, 2), Fr(10**6 + 3, 7)])
def test_logarithms_of_rationals(value):
    with mp.workdps(40):
        assert close(form_value(log_of_rational(value)),
                     mp.log(mp.mpf(value.numerator) / value.denominator), 30)


@pytest.mark.parametrize("value", [Fr(0), Fr(-2, 3)])
def test_other_logarithms_are_refused(value):
    with pytest.raises(Unsupported):
        log_of_rational(value)


@pytest.mark.parametrize("e", [
    sp.exp(x), sp.sqrt(x), sp.log(x), 1 / (x + 1), x**65, sp.sin(x), sp.Float("0.5"), sp.oo,
    sp.sqrt(2), sp.E, sp.conjugate(q),
], ids=str)
def test_what_is_no_polynomial_is_refused(e):
    with pytest.raises(Unsupported):
        Form.of(e)


def test_a_sum_has_no_inverse():
    with pytest.raises(Unsupported):
        Form.of(x + 1).inverse()
    with pytest.raises(Unsupported):
        Form.of(0).inverse()
    assert Form.of(2 * x).inverse() * Form.of(2 * x) == Form.of(1)
    with pytest.raises(Unsupported):
        Form.of(1 / x).substitute({x: Form.of(y + 1)})


@pytest.mark.parametrize("number", [
    (2**61 - 1) * (2**31 - 1), (10**45 + 9) ** 2 * 12, (2**64 + 13) * (2**65 + 131) * 999983**2,
    3**4000 * 5, 2**2203 - 1, 10**400 + 69,
], ids=range(6))
def test_logs_of_long_numbers_are_no_effort(number):
    """Masses with thirty digits are common; their numerators have large prime factors."""
    with calls_at_most(10**7):
        form = log_of_rational(Fr(number, 7))
    with mp.workdps(50):
        value = sum((mp.mpf(c.numerator) / c.denominator * mp.log(int(monomial[0][0].args[0]))
                     for monomial, c in form.terms.items()), mp.mpf(0))
        assert abs(value - mp.log(mp.mpf(number) / 7)) < mp.mpf(10) ** -45


def test_powers_of_long_primes_are_multiples_of_one_log():
    prime = 10**45 + 9
    assert log_of_rational(Fr(prime**3, 8)) == Form.of(3) * log_of_rational(Fr(prime, 2))
