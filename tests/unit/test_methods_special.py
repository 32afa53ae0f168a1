"""Equalities of special functions: what is proved, and that nothing wrong is."""

import random
from dataclasses import replace

import pytest
import sympy as sp

from lapdp.balls import enclosure
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import LapdpError
from lapdp.core.verdict import HOLDS, Kind, Rejected
from lapdp.theory.engine import judge
from lapdp.theory.language import Eq
from lapdp.theory.methods.sampling import by_balls
from lapdp.theory.methods.special import Agree, by_derivative
from lapdp.theory.methods.tower import Tower, plain
from lapdp.theory.parse import parse_condition, parse_relation
from lapdp.theory.statement import Statement

RIGHT = [
    # normal forms
    ("sin(x)**2 + cos(x)**2 == 1",),
    ("sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y)",),
    ("cosh(s)**2 - sinh(s)**2 == 1",),
    ("tanh(x) == 1 - 2/(1 + exp(2*x))",),
    ("log(x*y) == log(x) + log(y)", "x > 0", "y > 0"),
    ("log(1 + x) == log(x) + log(1 + 1/x)", "x > 0"),
    ("log(x) == 2*log(sqrt(x))", "x > 0"),
    ("log(1 + exp(x)) - log(1 + exp(-x)) == x",),
    ("x**a*x**b == x**(a + b)", "x > 0"),
    ("log(abs(x)) == log(x)", "x > 0"),
    ("sqrt(x)/x == 1/sqrt(x)", "x > 0"),
    # derivative and one point
    ("erfi(x) == -I*erf(I*x)",),
    # Gaussian integrals, one-sided, two-sided, on a part of the line
    ("L(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/2",),
    ("B(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)",),
    ("L(t*exp(-a*t**2), t, s) == 1/(2*a) - s*sqrt(pi)*exp(s**2/4/a)*erfc(s/(2*sqrt(a)))/(4*a**"
     "(3/2))", "a > 0"),
    ("B(t**2*exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*(1/2 + s**2/4)",),
    ("B(exp(-(t - m)**2/(2*v**2)), t, s) == sqrt(2*pi)*v*exp(v**2*s**2/2 - m*s)", "v > 0"),
    ("L(cos(t)*exp(-t**2), t, s) == sqrt(pi)/4*(exp((s - I)**2/4)*erfc((s - I)/2)"
     " + exp((s + I)**2/4)*erfc((s + I)/2))",),
    ("L(erf(t), t, s) == exp(s**2/4)*erfc(s/2)/s", "re(s) > 0"),
    ("L(erfc(t), t, s) == (1 - exp(s**2/4)*erfc(s/2))/s", "s != 0"),
    ("L(erfc(-t), t, s) == (1 + exp(s**2/4)*erfc(s/2))/s", "re(s) > 0"),
    ("B(exp(-abs(t) - t**2), t, s) == sqrt(pi)/2*(exp((s + 1)**2/4)*erfc((s + 1)/2)"
     " + exp((1 - s)**2/4)*erfc((1 - s)/2))",),
    ("Int(exp(-x*t**2), t) == sqrt(pi/x)", "x > 0"),
    ("Int(exp(-t**2), t, y, oo) == sqrt(pi)*erfc(y)/2",),
    ("Int(t*exp(-t**2), t, -oo, y) == -exp(-y**2)/2",),
]
WRONG = [
    ("sin(x)**2 + cos(x) == 1",),
    ("log(x + y) == log(x) + log(y)", "x > 0", "y > 0"),
    ("log(x**2) == 2*log(x)",),
    ("log(1 + exp(x)) + log(1 + exp(-x)) == x",),
    ("x**a*x**b == x**(a*b)", "x > 0"),
    ("sqrt(x**2) == x",),
    ("sin(x)/x == sin(x)/x",),
    ("erfi(x) == I*erf(I*x)",),
    ("L(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(-s/2)/2",),
    ("L(exp(-t**2), t, s) == sqrt(pi)*exp(-s**2/4)*erfc(s/2)/2",),
    ("B(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/2)",),
    ("B(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/2",),
    ("L(erf(t), t, s) == exp(s**2/4)*erfc(s)/s", "re(s) > 0"),
    ("L(erf(t), t, s) == exp(s**2/4)*erfc(s/2)/s**2", "re(s) > 0"),
    ("L(erfc(t), t, s) == (1 - exp(s**2/4)*erfc(s/2))/s",),
    ("Int(exp(-x*t**2), t) == pi/x", "x > 0"),
    ("Int(exp(-t**2), t, y, oo) == sqrt(pi)*erf(y)/2",),
]


def _statement(text: str, *where: str) -> Statement:
    return Statement("check", parse_relation(text),
                     where=tuple(c for w in where for c in parse_condition(w)))


def _proves(statement: Statement) -> bool:
    try:
        found = by_derivative(statement)
    except LapdpError:
        return False
    return found is not None and found.kind in HOLDS


@pytest.mark.parametrize("case", RIGHT, ids=lambda c: c[0][:40])
def test_right_identities_are_proved(case):
    assert judge(_statement(*case), numeric=False).kind in HOLDS


@pytest.mark.parametrize("case", WRONG, ids=lambda c: c[0][:40])
def test_wrong_identities_are_refuted(case):
    found = judge(_statement(*case), numeric=False)
    assert found.kind is Kind.REFUTED and found.witness is not None


@pytest.mark.parametrize("case", RIGHT, ids=lambda c: c[0][:40])
def test_a_small_change_is_never_proved(case):
    right = _statement(*case)
    lhs, rhs = right.claim.lhs, right.claim.rhs
    x = min(lhs.free_symbols | rhs.free_symbols, key=str)
    changes = [rhs + sp.exp(-100), rhs + x * (x - 1) * (x - 2) / 10**9, -rhs]
    if x in rhs.free_symbols:
        changes.append(rhs.subs(x, 2 * x))
    for change in changes:
        assert not _proves(replace(right, claim=Eq(lhs, change)))


@pytest.mark.parametrize("case", [c for c in RIGHT if c[0][:2] in ("L(", "B(")],
                         ids=lambda c: c[0][:40])
def test_the_integrals_agree_with_balls(case):
    assert by_balls(_statement(*case), digits=15).kind is Kind.TESTED


def test_divergent_integrals_are_not_proved():
    assert not _proves(_statement("L(erf(t), t, s) == exp(s**2/4)*erfc(s/2)/s"))
    assert not _proves(_statement("L(exp(t**2), t, s) == 0"))
    assert not _proves(_statement("B(erfc(t), t, s) == -2*exp(s**2/4)/s"))
    assert _proves(_statement("B(erfc(t), t, s) == -2*exp(s**2/4)/s", "re(s) < 0"))


def test_undefined_sides_are_not_proved():
    assert not _proves(_statement("1/x + 1 == (1 + x)/x"))
    assert not _proves(_statement("log(x) == log(x) + 0*y"))
    assert not _proves(_statement("log(x)/log(x)**2 == 1/log(x)", "x > 0"))


def test_derivative_and_point_on_a_half_line():
    x = sp.Symbol("x", positive=True)
    right = Eq(sp.atan(x) + sp.atan(1 / x), sp.pi / 2)
    found = by_derivative(Statement("atan", right))
    assert found is not None and found.method == "derivative and one point"
    assert [f.name for f in found.proof.facts] == ["constancy"]
    # on the whole line it is false for x < 0 and undefined at 0
    y = sp.Symbol("y", real=True)
    assert not _proves(Statement("atan", right.xreplace({x: y})))
    assert not _proves(Statement("atan", Eq(sp.atan(x) + sp.atan(1 / x), sp.pi)))


def test_the_domain_must_be_an_interval():
    x = sp.Symbol("x", real=True)
    jump = Eq(sp.atan(x) + sp.atan(1 / x), sp.pi / 2)
    assert not _proves(Statement("atan", jump, where=(sp.Ne(x, 0),)))


def test_the_edge_of_the_domain_serves_as_the_point():
    x, y = sp.symbols("x y", positive=True)
    both = sp.asinh(x * y) - sp.log(x * y + sp.sqrt(1 + x**2 * y**2))
    assert _proves(Statement("asinh", Eq(both, 0)))


def test_certificates_are_checked_again():
    x = sp.Symbol("x", real=True)
    with pytest.raises(Rejected):
        Agree((), sp.erf(x), sp.erfc(x), "normal form").discharge(())
    with pytest.raises(Rejected):
        Agree((), 1 / x, 1 / x, "normal form").discharge(())
    Agree((), sp.erf(x) + sp.erfc(x), sp.Integer(1), "normal form").discharge(())


def test_two_symbols_of_one_name_stay_apart():
    x, y = sp.Symbol("x", real=True), sp.Symbol("x", positive=True)
    assert not _proves(Statement("names", Eq(sp.erfc(x) * sp.log(y), sp.erfc(y) * sp.log(y))))


def _tree(rng: random.Random, depth: int, leaves: list) -> sp.Expr:
    """A random real expression that is defined for all values of the leaves."""
    if depth == 0:
        return rng.choice([*leaves, sp.Integer(rng.randint(-3, 3)), sp.Rational(1, 2), sp.sqrt(2)])
    a, b = (_tree(rng, depth - 1, leaves) for _ in range(2))
    return rng.choice([
        lambda: a + b, lambda: a * b, lambda: a - 2 * b, lambda: a / (1 + b**2),
        lambda: sp.exp(a), lambda: sp.exp(-a) * b, lambda: sp.erfc(a), lambda: sp.erf(-a) + b,
        lambda: sp.log(2 + a**2), lambda: sp.sqrt(3 + a**2) * b, lambda: sp.sin(a) * sp.cos(b),
        lambda: (1 + a**2)**sp.Rational(-3, 2), lambda: sp.tanh(a), lambda: sp.atan(-a) - b,
        lambda: sp.log(sp.exp(a) * (1 + b**2)), lambda: leaves[0]**(a + b) / leaves[0]**b,
    ])()


@pytest.mark.parametrize("seed", range(60))
def test_normal_forms_keep_the_value(seed):
    x, y = sp.Symbol("x", positive=True), sp.Symbol("y", real=True)
    e = _tree(random.Random(seed), 3, [x, y])
    normal = plain(Tower(Cell()).scalar(e))
    for point in ({x: sp.Rational(2, 3), y: sp.Rational(-7, 5)}, {x: sp.Integer(3), y: sp.pi / 9}):
        left, right = enclosure(e, point, 20), enclosure(normal, point, 20)
        assert left.overlaps(right)
