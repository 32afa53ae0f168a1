"""Relations that hold at every random point and fail at a few: none may be called tested."""

import pytest
import sympy as sp

from lapdp.cli import main
from lapdp.core.verdict import Kind
from lapdp.theory import Indicator, Le
from lapdp.theory.engine import verify
from lapdp.theory.methods.sampling import by_balls
from lapdp.theory.methods.telling_points import closest, corners, marks
from lapdp.theory.statement import Statement

X = sp.Symbol("x", real=True)

FALSE = [
    ("x**2 != 2", []),
    ("(x**2 - 2)**2 > 0", []),
    ("sin(x) < 1", []),
    ("(sin(x) - 1)**2 > 0", []),
    ("x*exp(-x) < exp(-1)", ["x > 0"]),
    ("x*log(x) > -exp(-1)", ["x > 0"]),
    ("(x - 1/3)**2 > 1/10**30", []),
    ("x <= 10**40", []),
    ("sqrt(x**2) == x", ["x > -1/10**30"]),
    ("Max(x, 1/1000) == x", ["x > 999/1000000"]),
    ("x < 3", ["x <= 3"]),
    ("x*y < 1", ["x <= 1", "y <= 1", "x > 0", "y > 0"]),
    ("Abs(x - 1/7) > 0", []),
    # a side has no value there
    ("tan(x)*cos(x) == sin(x)", []),
    ("cot(x)*sin(x) == cos(x)", ["x > 0"]),
    ("sec(2*x)*cos(2*x) == 1", ["x > 0"]),
    ("csc(x)*tan(x) == sec(x)", ["0 < x", "x < 2"]),
    ("sin(2*x)/sin(x) == 2*cos(x)", ["0 < x", "x < 4"]),
    ("log(Abs(tan(x))) == log(Abs(sin(x))) - log(Abs(cos(x)))", ["0 < x", "x < 2"]),
    ("1/(exp(x) - 2)**2 > 0", ["x > 0"]),
]
MEETING = ["x**3 - 3*x + 1 != 0", "(x**3 - 3*x + 1)**2 > 0", "exp(x) != 2 - x", "x**5 - x - 1 != 0"]
BETWEEN_POLES = [
    ("tan(x)*cos(x) == sin(x)", ["-3/2 < x", "x < 3/2"]),
    ("cot(x)*sin(x) == cos(x)", ["0 < x", "x < 3"]),
    ("sin(2*x)/sin(x) == 2*cos(x)", ["0 < x", "x < 3"]),
]
TRUE = [("erf(x) < 1", []), ("x**x > 69/100", ["x > 0"]), ("1 - exp(-x) < 1", []),
        ("x**2 > -1/10**30", []), ("y != oo", []), ("gamma(x) > 88/100", ["x > 0"])]


Y, Z = sp.symbols("y z", real=True)
N = sp.Symbol("n", integer=True, nonnegative=True)
BERNOULLI = (1 + X)**N >= 1 + N*X
FAR = sp.exp(-(X - 1234567)**2)
CUBIC = X**3 - X + sp.Rational(481, 1250)
DOUBLE = sp.log(sp.log(3 + X))
HIDDEN = {
    "a wave in an interval": (sp.sin(X - 1) < 1, [X >= 2, X <= 3]),
    "two waves": (sp.cos(X)*sp.cos(Y) < 1, [X >= 1, X <= 4, Y >= -4, Y <= -2]),
    "a wave far out": (X*sp.sin(X) <= 10**7, []),
    "a narrow peak": (Le(FAR, sp.S.Half), []),
    "a peak of two letters": (FAR*sp.exp(-(Y + 3)**2) <= sp.S.Half, []),
    "a pole of a square": (Le(1/(1 + (X + 98765)**2), sp.S.Half), []),
    "an end and a whole number": (BERNOULLI, [X >= -3]),
    "a slow power": (sp.Rational(101, 100)**N <= 1000, []),
    "a double logarithm": (DOUBLE <= 12, [X >= 0]),
    "shifted logarithms": (sp.log(1 + sp.log(1 + X)) <= 20, [X >= 0]),
    "near its limit": (Le(X/(1 + X), 1 - sp.Rational(1, 10**60)), [X >= 0]),
    "a large scale": (Le(X*sp.exp(-X/10**9), 10**8), [X >= 0]),
    "powers of powers": (sp.Eq((X**Y)**Z, X**(Y*Z), evaluate=False), [sp.Ne(X, 0)]),
    "the end of a modulus": (sp.Eq(sp.asin(sp.sin(X)), X), [sp.Abs(X) <= sp.Rational(1571, 1000)]),
    "where a cubic turns": (sp.Eq(sp.Abs(CUBIC), CUBIC, evaluate=False), [X >= 0]),
    "a condition that holds at a point": (sp.Eq(Indicator(sp.Eq(sp.sin(X), sp.S.Half)), 0), []),
}
TRUE_NEIGHBOURS = {
    "a wave in an interval": (sp.sin(X - 1) < 1, [X >= 1, X <= 2]),
    "a narrow peak": (FAR <= 1, []),
    "an end and a whole number": (BERNOULLI, [X >= -2]),
    "a double logarithm": (DOUBLE <= X + 1, [X >= 0]),
    "near its limit": (X/(1 + X) <= 1, [X >= 0]),
    "a large scale": (Le(X*sp.exp(-X/10**9), 4*10**8), [X >= 0]),
    "the end of a modulus": (sp.Eq(sp.asin(sp.sin(X)), X), [sp.Abs(X) <= sp.Rational(157, 100)]),
    "where a cubic turns": (sp.Eq(sp.Abs(CUBIC + 1), CUBIC + 1, evaluate=False), [X >= 0]),
}


def verdict(capsys, text, where):
    main(["check", text, *(["--where", *where] if where else []), "--quiet"])
    return capsys.readouterr().out.split()[-1]


@pytest.mark.parametrize(("text", "where"), FALSE)
def test_a_relation_that_fails_at_few_points_is_refuted(capsys, text, where):
    assert verdict(capsys, text, where) == "refuted"


@pytest.mark.parametrize("name", HIDDEN)
def test_where_to_look_is_seen_from_the_formula(name):
    claimed, where = HIDDEN[name]
    assert by_balls(Statement("x/hidden", claimed, where=tuple(where))).kind is Kind.REFUTED


@pytest.mark.parametrize("name", TRUE_NEIGHBOURS)
def test_true_neighbours_are_not_refuted(name):
    claimed, where = TRUE_NEIGHBOURS[name]
    found = by_balls(Statement("x/true", claimed, where=tuple(where)))
    assert found.kind in (Kind.TESTED, Kind.CERTIFIED, Kind.DERIVED)


@pytest.mark.parametrize("text", MEETING)
def test_where_the_sides_meet_at_no_known_number_nothing_is_said(capsys, text):
    """The weak relation of the same sides is not spoilt by it."""
    assert verdict(capsys, text, []) == "undecided"


@pytest.mark.parametrize(("text", "where"), TRUE)
def test_what_is_true_is_not_lost(capsys, text, where):
    assert verdict(capsys, text, where) in ("derived", "tested", "certified")


def test_marks_know_borders_kinks_and_what_lies_between():
    found = marks(sp.Le(sp.Max(X, 2), 5), [X <= 4], X, {})
    assert {sp.Integer(0), sp.Integer(2), sp.Integer(4), sp.Integer(3)} <= set(found)


def test_an_integer_is_tried_on_both_sides_of_a_minimum():
    n = sp.Symbol("n", integer=True)
    found = [v for v, _ in closest(sp.Gt((n - sp.Rational(7, 2))**2, 0, evaluate=False), [], n, {})]
    assert {sp.Integer(3), sp.Integer(4)} <= set(found)


def test_conditions_of_cases_are_corners():
    """They broke the method."""
    cases = sp.Piecewise((0, sp.Or(X < 5, X > 7)), (1, True))
    assert {5, 7} <= set(corners(sp.Ge(sp.sin(X) + 2, cases), [], X, {}))
    between = sp.Piecewise((0, sp.Or(X <= 5, sp.Ge(X, 5 + sp.Rational(1, 10**9)))), (1, True))
    assert by_balls(Statement("x/it", Le(between, 0)), 30, 0).kind is Kind.REFUTED


def test_what_is_only_tested_is_searched():
    assert verify(Statement("x/it", sp.Ge(sp.sin(X) + 2, 1)), numeric=False).kind is Kind.PROVED


def test_where_a_logarithm_is_a_number_of_any_size():
    """log x <= c x^(1/100) has 100/e = 36.787... as its best constant, at x = e^100."""
    x = sp.Symbol("x", real=True)
    below, above = (by_balls(Statement("bound", sp.Le(sp.log(x), c * sp.exp(sp.log(x) / 100)),
                                       where=(sp.Gt(x, 0),)))
                    for c in (sp.Rational("36.78"), sp.Rational("36.79")))
    assert str(below.kind) == "refuted"
    assert str(above.kind) == "tested"


@pytest.mark.parametrize(("text", "where"), BETWEEN_POLES)
def test_an_identity_between_its_poles_is_no_false_alarm(capsys, text, where):
    assert verdict(capsys, text, where) in ("tested", "derived", "proved")
