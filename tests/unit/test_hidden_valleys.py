"""Relations that fail in a small region off every grid and line: none may be called tested.

Each refutation is looked at again by mpmath, which shares nothing with the balls that found it.
"""

import mpmath
import pytest
import sympy as sp
from flint import arb

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Kind
from lapdp.theory.methods.charts import charts_of, rounded
from lapdp.theory.methods.joint_descent import Landscape
from lapdp.theory.methods.sampling import by_balls
from lapdp.theory.methods.turns import turns_of
from lapdp.theory.parse import parse_condition, parse_relation
from lapdp.theory.statement import Statement

VALLEY = "(x**3 - 2)**2 + (y - x)**2"
REFUTED = [
    (f"{VALLEY} >= 1/1000",),
    (f"{VALLEY} >= 1/10**100",),
    ("(exp(x) - 3)**2 + (y - x)**2 > 1/10**4",),
    ("x*exp(-x**2) + y*exp(-y**2) <= sqrt(2)*exp(-1/2) - 1/10**8",),
    ("sqrt(x**2 + 1/100) - x/7 + (y - sqrt(5))**2 >= sqrt(48)/70 + 1/10**6",),
    ("(x**3 - 2)**2 + (y**3 - 3)**2 + (z - x*y)**2 >= 1/10**5",),
    ("(x**3 - 2)**2 + (y**5 - 3)**2 + (z**7 - 5)**2 + (w - x*y*z)**2 > 1/10**8",),
    ("10**6*(y - x**3)**2 + (x - 5/7)**2 >= 1/10**7",),
    ("(x**2 + y**2 - 2)**2 + (x*y - 1/3)**2 >= 1/10**6",),
    ("cos(x) + cos(y) + cos(x + y) >= -1.499",),
    ("cosh(x - y) + cosh(x + y - 1/7) > 2 + 1/10**12",),
    ("(x*y - 2)**2 + (x - 3)**2*(y - 5)**2 + x**2/10**6 >= 3/10**6",),
    ("besselj(0, x)*besselj(0, y) >= -0.4027",),
    # where two letters meet an exact point together
    ("(x - 1/3)**2 + (y - 1/7)**2 + (z - 1/11)**2 > 0",),
    ("20 + (x - sqrt(2))**2 - 10*cos(2*pi*(x - sqrt(2))) + (y - sqrt(3))**2"
     " - 10*cos(2*pi*(y - sqrt(3))) >= 1/100",),
    ("x*log(x) + y*log(y) > -2*exp(-1)", "x > 0", "y > 0"),
    # kinks, cases, what a side needs, peaks
    ("Abs(x**3 - 2) + Abs(y - x) > 1/10**6",),
    ("Max(x**2 - 2, y - x, 3 - y) >= 0.6813",),
    (f"Abs({VALLEY} - 1/10**5) == {VALLEY} - 1/10**5",),
    (f"Max({VALLEY}, 1/10**5) == {VALLEY}",),
    (f"piecewise((-1, {VALLEY} < 1/10**6), (1, True)) > 0",),
    (f"log({VALLEY} - 1/10**5) < 10**9 + x**6 + y**6",),
    (f"sqrt({VALLEY} - 1/10**5) >= 0",),
    (f"tanh(10**6*({VALLEY} - 1/10**6)) >= 0",),
    ("exp(-((x**3 - 31)**2 + (y - exp(2))**2)*1000) <= 1/2",),
    # several valleys, one of them in the domain
    ("(x**2 + y - 11)**2 + (x + y**2 - 7)**2 >= 1/10**6", "x < 0", "y < 0"),
    ("(x**2 + y - 11)**2 + (x + y**2 - 7)**2 >= 1/10**6", "x < 0", "y > 0"),
    # at a border of the hypotheses
    ("x + 2*y >= 7/10", "x**2 + y**2 >= 1/10", "x > 0", "y > 0"),
    ("x + y <= 1.41421", "x**2 + y**2 <= 1"),
    ("x*y*z <= 0.19245", "x**2 + y**2 + z**2 <= 1"),
    ("(x - y)**2 + (x*y - 2)**2 + (z - x - y)**2 > 1/10**9", "z > 2"),
    ("x*log(x/y) + (1 - x)*log((1 - x)/(1 - y)) >= 2.001*(x - y)**2",
     "0 < x", "x < 1", "0 < y", "y < 1"),
    ("sqrt(x) + sqrt(y) + sqrt(z) <= 1.73205", "x + y + z == 1", "x >= 0", "y >= 0", "z >= 0"),
    ("-x*log(x) - y*log(y) - z*log(z) <= 1.0986", "x + y + z == 1", "x > 0", "y > 0", "z > 0"),
    # far out, and along narrow valleys
    ("x/(1 + x) + y/(1 + y) < 2 - 1/10**30", "x > 0", "y > 0"),
    ("(x - y)**2 + exp(-x) > 1/10**50", "x > 0"),
    ("gamma(x) + gamma(y) >= 1.7712064", "x > 0", "y > 0"),
    ("x*log(x) + y*log(y) >= -0.7357", "x > 0", "y > 0"),
    ("(n - 7/2)**2*(m - 9/2)**2 + (m - n - 3)**2 >= 1/10 + 10**6*(x**3 - 2)**2",),
    # one letter: between two points of a grid
    ("x**4 - 3*x + 2.0442 >= 0",), ("exp(x) + exp(-2*x) >= 1.8899",),
    ("gamma(x) >= 0.88561", "x > 0"), ("x - sin(x) >= x**3/(6 + 1/10**6)", "0 <= x", "x <= 1/100"),
]
UNDECIDED = [
    (f"{VALLEY} > 0",),
    (f"1/({VALLEY}) > 0",),
    (f"({VALLEY})*exp(-y) > 0",),
    ("(x**3 - 2)**2 + (y**3 - 3)**2 + (z - x*y)**2 > 0",),
    ("1/(x**3 - 2)**2 > 0",),
    ("1/(exp(x) + x)**2 > 0",),
    ("log(Abs(exp(x) + x)) <= 10**9 + x**2",),
    ("tanh(x + y) < 1",),
    # together waves without a common period come as near to their ends as one likes
    ("Abs(sin(x)) + Abs(sin(sqrt(2)*x)) >= 1/100", "x >= 1"),
    ("sin(x) + sin(y) + sin(sqrt(2)*(x + y)) < 2.99999",),
    ("Abs(sin(x)) + Abs(sin(pi*x/7 + y)) + Abs(y) > 1/10**6", "x > 1"),
]
TESTED = [
    (f"{VALLEY} >= -1/1000",),
    ("exp(x) + exp(y) >= 3.297", "x + y == 1"),
    ("x + 2*y >= 3/10", "x**2 + y**2 >= 1/10", "x > 0", "y > 0"),
    ("x*y*z <= 0.19246", "x**2 + y**2 + z**2 <= 1"),
    ("x*log(x/y) + (1 - x)*log((1 - x)/(1 - y)) >= 2*(x - y)**2",
     "0 < x", "x < 1", "0 < y", "y < 1"),
    ("Max(x**2 - 2, y - x, 3 - y) >= 0.68",),
    ("cos(x) + cos(y) + cos(x + y) >= -1.501",),
    ("sqrt(x**2 + y**2) <= Abs(x) + Abs(y)",),
    ("log((exp(x) + exp(y))/2) <= (x + y)/2 + (x - y)**2/8",),
    ("-x*log(x) - y*log(y) - z*log(z) <= 1.0987", "x + y + z == 1", "x > 0", "y > 0", "z > 0"),
    ("x/(1 + x) + y/(1 + y) < 2", "x > 0", "y > 0"),
    ("1/(x - y) > 0", "x > y"),
    (f"Abs({VALLEY}) == {VALLEY}",),
    ("x**4 - 3*x + 2.0443 >= 0",), ("log(x) <= x - 1", "x > 0"), ("x - sin(x) >= 0", "x >= 0"),
]


def statement(text, *where):
    return Statement("check", parse_relation(text),
                     where=tuple(c for w in where for c in parse_condition(w)))


def holds_by_mpmath(relation, point):
    """Does a relation hold at a point, to 150 digits?  A side without a real value breaks it."""
    with mpmath.workdps(150):
        sides = []
        for side in relation.args:
            letters = sorted(side.free_symbols, key=str)
            f = sp.lambdify(letters, side, "mpmath")
            try:
                value = f(*(mpmath.mpmathify(sp.N(point[str(s)], 150)) for s in letters))
            except (ValueError, ZeroDivisionError):
                return False
            if mpmath.im(value) or not mpmath.isfinite(value):
                return False
            sides.append(mpmath.re(value))
        return bool(relation.func(*map(sp.Float, ("0", "0")))) if sides[0] == sides[1] else (
            isinstance(relation, (sp.Lt, sp.Le)) if sides[0] < sides[1]
            else isinstance(relation, (sp.Gt, sp.Ge)))


@pytest.mark.parametrize("case", REFUTED, ids=lambda c: c[0][:50])
def test_what_fails_in_a_hidden_valley_is_refuted(case):
    claimed = statement(*case)
    found = by_balls(claimed)
    assert found.kind is Kind.REFUTED
    point = {name: sp.sympify(text) for name, text in found.witness.values.items()}
    assert not holds_by_mpmath(claimed.claim, point)
    for h in claimed.where:
        if isinstance(h, sp.Eq):
            assert (h.lhs - h.rhs).xreplace({s: point[str(s)] for s in h.free_symbols}) == 0
        else:
            assert holds_by_mpmath(h, point)


@pytest.mark.parametrize("case", UNDECIDED, ids=lambda c: c[0][:50])
def test_what_comes_to_nothing_at_no_known_point_is_not_tested(case):
    with pytest.raises(Unsupported):
        by_balls(statement(*case))


def test_waves_at_whole_numbers_have_the_period_one():
    n = sp.Symbol("n", integer=True, nonnegative=True)
    with pytest.raises(Unsupported, match="no common period"):  # it fails at n = 11
        by_balls(Statement("check", sp.Ge(sp.sin(n), -sp.Rational(9999, 10000))))
    assert by_balls(Statement("check", sp.Ge(sp.sin(sp.pi * n / 3), -1))).kind is Kind.TESTED


@pytest.mark.parametrize("case", TESTED, ids=lambda c: c[0][:50])
def test_what_is_clearly_true_stays_tested(case):
    assert by_balls(statement(*case)).kind is Kind.TESTED


def test_a_descent_ends_where_calculus_says():
    """The least value of x + 2y where x^2 + y^2 < 1/5 is -1, near (-1/5, -2/5)."""
    x, y = sp.symbols("x y", real=True)
    land = Landscape(x + 2*y + 2, [sp.Rational(1, 5) - x**2 - y**2],
                     charts_of({x: (-sp.oo, sp.oo), y: (-sp.oo, sp.oo)}))
    for end in land.descents(0, [{x: sp.S.Zero, y: sp.S.Zero}]):
        assert 0 <= end.value - 1 < 1e-30
        assert abs(end.point[y] + 0.4) < 1e-12


def test_rounded_points_come_nearer():
    x = sp.Symbol("x", real=True)
    (chart,) = charts_of({x: (sp.S.Zero, sp.oo)})
    points = [p[x] for p in rounded({x: chart.value(chart.place(arb(2) / 3))})]
    assert points[:3] == [sp.Rational(7, 10), sp.Rational(67, 100), sp.Rational(667, 1000)]
    assert abs(points[-1] - sp.Rational(2, 3)) < sp.Rational(1, 10**12)


def test_turns_are_the_signs_on_which_the_truth_hangs():
    x, y = sp.symbols("x y", real=True)
    claim = sp.Gt(sp.sqrt(x - y), sp.Piecewise((1, x < y**2), (0, True)))
    assert {str(turn.e) for turn in turns_of(claim)} >= {"x - y", "x - y**2"}
    assert {str(turn.e) for turn in turns_of(sp.Eq(sp.Abs(x*y), sp.Max(x, y)))} == {"x*y", "x - y"}
