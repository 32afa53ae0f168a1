"""Relations that hold at every random point and fail at a few: none may be called tested."""

import pytest
import sympy as sp

from lapdp.cli import main
from lapdp.theory.methods.telling_points import closest, marks

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
]
MEETING = ["x**3 - 3*x + 1 != 0", "(x**3 - 3*x + 1)**2 > 0", "exp(x) != 2 - x", "x**5 - x - 1 != 0"]
TRUE = [("erf(x) < 1", []), ("x**x > 69/100", ["x > 0"]), ("1 - exp(-x) < 1", []),
        ("x**2 > -1/10**30", []), ("y != oo", []), ("gamma(x) > 88/100", ["x > 0"])]


def verdict(capsys, text, where):
    main(["check", text, *(["--where", *where] if where else []), "--quiet"])
    return capsys.readouterr().out.split()[-1]


@pytest.mark.parametrize(("text", "where"), FALSE)
def test_a_relation_that_fails_at_few_points_is_refuted(capsys, text, where):
    assert verdict(capsys, text, where) == "refuted"


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
