"""Balls: equalities at exact points, inequalities over boxes."""

import pytest
import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS, Kind, Rejected
from lapdp.theory import Converges, Eq, L, ac, pair
from lapdp.theory.engine import judge
from lapdp.theory.methods.branch_and_bound import Box, OnBox
from lapdp.theory.methods.sampling import by_balls, by_divergence
from lapdp.theory.parse import parse_condition, parse_relation
from lapdp.theory.statement import Statement

u, v = sp.symbols("u v", real=True)

TESTED = [
    ("expint(2, x) == exp(-x) - x*expint(1, x)", "x > 0"),
    ("gamma(x + 1) == x*gamma(x)", "x > 0"),
    ("L(sin(t)/t, t, x) == pi/2 - Int(1/(1 + t**2), t, 0, x)", "x > 0"),
    ("L(besselj(0, t), t, x) == 1/sqrt(1 + x**2)", "x > 0"),
    ("L(log(t), t, s) == -(EulerGamma + log(s))/s", "re(s) > 0"),
    ("L(1/sqrt(t), t, s) == sqrt(pi/s)", "re(s) > 0"),
    ("L(erf(sqrt(t)), t, s) == 1/(s*sqrt(s + 1))", "re(s) > 0"),
    ("L(1/(1 + t), t, x) == exp(x)*expint(1, x)", "x > 0"),
    ("L(sqrt(t), t, x) == sqrt(pi)/(2*x**(3/2))", "x > 0"),
    ("L(t**a, t, x) == gamma(a + 1)/x**(a + 1)", "x > 0", "a > 0"),
    ("B(1/cosh(t), t, x) == pi/cos(pi*x/2)", "x > -1", "x < 1"),
    ("Int(exp(-t)*t**2*log(t), t, 0, oo) == 3 - 2*EulerGamma",),
    ("Int(1/(1 + t**2), t) == pi",),
    ("(x + y)/2 >= sqrt(x*y)", "x > 0", "y > 0"),
]
REFUTED = [
    ("expint(2, x) == exp(-x) + x*expint(1, x)", "x > 0"),
    ("gamma(x + 1) == (x + 1)*gamma(x)", "x > 0"),
    ("gamma(x + 1) == x*gamma(x)",),
    ("L(sin(t)/t, t, x) == Int(1/(1 + t**2), t, 0, x)", "x > 0"),
    ("L(besselj(0, t), t, x) == 1/sqrt(x**2 - 1)", "x > 1"),
    ("L(log(t), t, s) == -(EulerGamma - log(s))/s", "re(s) > 0"),
    ("L(1/sqrt(t), t, s) == sqrt(1/s)", "re(s) > 0"),
    ("L(erf(sqrt(t)), t, s) == 1/(s*sqrt(s + 2))", "re(s) > 0"),
    ("B(1/cosh(t), t, x) == pi/cosh(pi*x/2)", "x > -1", "x < 1"),
    ("Int(1/(1 + t**2), t) == pi/2",),
    ("1/x == 1/x",), ("sin(x)/x == sin(x)/x",), ("1/(x*y) == 1/x/y", "y > 0"),
    ("L(exp(-t**2)/s, t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/(2*s)",),
    ("(x + y)/2 > sqrt(x*y)", "x > 0", "y > 0"),
    ("(x + y)/2 >= sqrt(x*y)",),
    ("exp(x) > 1 + x",), ("log(x)/x > -2", "x > 0"), ("1/x >= 1/x",),
    ("1/x >= 1/x", "x >= 0", "x <= 1"),
    ("log(x) + 1 > log(x)", "x >= -1", "x <= 1"),
    ("log(10 - x) + 1 > log(10 - x)", "x >= 0"),
    ("cos(x)*y < 1", "x >= 0", "x <= 3", "y >= 0", "y <= 2"),
    ("sin(x) < x", "x >= 0", "x <= 3"),
    ("x != cos(x)*x", "x >= 0", "x <= 1"),
]
PROVED = [
    ("exp(x) > 1 + x", "x >= 1"), ("exp(x) > 1 + x", "x >= 1/2", "x <= 3"),
    ("exp(-x) < 1/(1 + x)", "x >= 1"),
    ("erfc(x)*x < exp(-x**2)", "x >= 0", "x <= 5"),
    ("cos(x)*y < 1", "x >= 0", "x <= 3", "y >= 0", "y <= 1/2"),
    ("log(x) + 1 > log(x)", "x >= 1", "x <= 2"),
    ("log(10 + x) < log(10 + x) + 1", "x >= 0"),
    ("x != exp(x)", "x >= -3", "x <= 3"),
    ("sqrt(x) < 1 + x", "x > 0", "x < 4"),
]
CERTIFIED = [
    ("exp(x) >= 1 + x", "x >= 0", "x <= 3"), ("sin(x) <= x", "0 <= x", "x <= 3"),
    ("erf(x) <= 1", "x >= 0", "x <= 2"), ("x*y <= 1", "0 <= x <= 1/2", "0 <= y <= 1"),
]


def _statement(text: str, *where: str) -> Statement:
    return Statement("check", parse_relation(text),
                     where=tuple(c for w in where for c in parse_condition(w)))


@pytest.mark.parametrize("case", TESTED, ids=lambda c: c[0][:40])
def test_right_relations_are_tested(case):
    found = judge(_statement(*case), numeric=False)
    assert found.kind is Kind.TESTED, found.reason
    record = found.record()["tested"]
    assert record["instances"] >= 1 and record["digits"] >= 15 and record["seed"] == 0


@pytest.mark.parametrize("case", REFUTED, ids=lambda c: c[0][:40])
def test_wrong_relations_are_refuted_at_an_exact_point(case):
    found = judge(_statement(*case), numeric=False)
    assert found.kind is Kind.REFUTED, found.reason
    assert found.witness is not None


@pytest.mark.parametrize("case", PROVED, ids=lambda c: c[0][:40])
def test_strict_inequalities_on_boxes_are_proved(case):
    found = by_balls(_statement(*case))
    assert found.kind in HOLDS, found.reason
    assert found.method == "branch and bound"


@pytest.mark.parametrize("case", CERTIFIED, ids=lambda c: c[0][:40])
def test_other_inequalities_on_boxes_are_certified(case):
    found = by_balls(_statement(*case))
    assert found.kind is Kind.CERTIFIED, found.reason
    assert found.record()["certified"]["boxes"] >= 1


def test_a_failure_on_the_excluded_edge_refutes_nothing():
    found = by_balls(_statement("sin(x) < x", "x > 0", "x <= 3"))
    assert found.kind is Kind.TESTED


def test_an_integral_that_may_diverge_is_not_tested():
    claimed = _statement("L(log(t), t, s) == -(EulerGamma + log(s))/s")
    with pytest.raises(Unsupported, match="an integral may have no value"):
        by_balls(claimed)


def test_a_hypothesis_of_convergence_spares_poles():
    t = sp.Symbol("t", real=True)
    s = sp.Symbol("s", real=True)
    node = L(sp.exp(-t**2), t, s)
    side = sp.exp(s**2 / 4) * sp.erfc(s / 2) * sp.sqrt(sp.pi) / (2 * s)
    claim = Eq(node / s, side)
    assert by_balls(Statement("check", claim)).kind is Kind.REFUTED
    spared = by_balls(Statement("check", claim, where=(Converges(node),)))
    assert spared.kind is Kind.TESTED and "passed over" in spared.reason


def test_slices_keep_the_hypotheses():
    # at x = 0 both sides have a pole and lose y, but the hypotheses leave no such point
    case = "1/x + x*gamma(y + 1) == 1/x + x*y*gamma(y)"
    assert by_balls(_statement(case, "x > y", "y > 0")).kind is Kind.TESTED
    assert by_balls(_statement(case, "y > 0")).kind is Kind.REFUTED


def test_the_seed_determines_the_points():
    case = _statement("gamma(x + 1) == x*gamma(x)", "x > 0")
    assert by_balls(case, seed=3).record()["tested"] == by_balls(case, seed=3).record()["tested"]
    assert by_balls(case, digits=12).record()["tested"]["digits"] == 12


def test_what_balls_cannot_compare_is_unsupported():
    x, y = sp.symbols("x y", real=True)
    with pytest.raises(Unsupported):
        by_balls(_statement("L(exp(-t), t, x) >= 0", "x > 0"))
    with pytest.raises(Unsupported):
        by_balls(_statement("re(s)*s > 0"))
    with pytest.raises(Unsupported):
        by_balls(Statement("check", Eq(x, x + 0 * y), where=(ac(*pair()),)))


def test_a_divergent_integral_is_no_value():
    found = by_balls(_statement("L(exp(t), t, x) == 1/(x - 1)", "x < 1"))
    assert found.kind is Kind.REFUTED and "no value" in found.reason


def test_what_diverges_is_seen_without_comparing_a_point():
    """The same refutation as by all points; none where the integral converges, or is supposed to,
    or where the claim is no equality."""
    wrong = _statement("Int(exp(t**2/2), t, x, oo) == x")
    found = by_divergence(wrong)
    assert found.kind is Kind.REFUTED and found.witness == by_balls(wrong).witness
    supposed = Converges(L(sp.exp(u), u, v))
    for relation in ("Int(exp(-t**2/2), t, x, oo) == x", "Int(exp(t**2/2), t, x, oo) < x"):
        assert by_divergence(_statement(relation)) is None
    assert by_divergence(Statement("check", wrong.claim, where=(supposed,))) is None


@pytest.mark.parametrize("claim", ["y < oo", "y <= oo", "-oo < y", "y != oo", "exp(y) > -oo"])
def test_an_end_of_the_line_is_beyond_every_number(claim):
    assert judge(_statement(claim), numeric=False).kind is Kind.TESTED


@pytest.mark.parametrize("claim", ["oo < y", "y <= -oo", "oo < oo", "1/y < oo", "-oo != -oo"])
def test_an_end_of_the_line_is_not_below_itself_nor_a_pole(claim):
    assert judge(_statement(claim), numeric=False).kind is Kind.REFUTED


def test_certificates_are_checked_again():
    x = sp.Symbol("x", real=True)
    box = Box(((x, (sp.Integer(0), sp.Integer(1))),))
    OnBox(sp.exp(x) > x, box, 20).discharge(())
    for wrong in (sp.exp(x) > 1 + x, sp.exp(x) >= x, sp.exp(x) < x):
        with pytest.raises(Rejected):
            OnBox(wrong, box, 20).discharge(())


@pytest.mark.parametrize("claim", [
    Eq(sp.log(sp.exp(sp.Symbol("q"))), sp.Symbol("q")),
    Eq(sp.sqrt(sp.exp(sp.Symbol("q"))), sp.exp(sp.Symbol("q") / 2)),
], ids=["log", "root"])
def test_far_sheets_are_seen(claim):
    """Near 0 both hold; beyond |Im q| = pi neither does."""
    assert judge(Statement("far", claim), numeric=False).kind is Kind.REFUTED


@pytest.mark.parametrize("case", [("exp(x) >= 1 + x",), ("gamma(x) > 0", "x > 0")])
def test_what_a_point_only_tests_is_proved_by_a_derivative_or_a_sign(case):
    assert judge(_statement(*case), numeric=False).kind in HOLDS


@pytest.mark.parametrize(("left", "right", "where", "verdict"), [
    (L(sp.erf(v), v, u), sp.exp(u**2/4)*sp.erfc(u/2)/u + sp.exp(-100*u), u > 1, "refuted"),
    (L(sp.besselj(0, v), v, u), 1/sp.sqrt(u**2 + 1) + sp.exp(-10**6*u)/10**6, u > 0, None),
    (L(sp.erf(v), v, u), sp.exp(u**2/4)*sp.erfc(u/2)/u, u > 1, "tested")])
def test_terms_that_no_digit_shows_are_not_tested(left, right, where, verdict):
    statement = Statement("mine", Eq(left, right), (where,))
    if verdict is None:
        with pytest.raises(Unsupported, match=r"sees the term exp\(-1000000\*u\)/1000000"):
            by_balls(statement)
    else:
        assert str(by_balls(statement).kind) == verdict


FAINT = sp.exp(-sp.exp(sp.exp(u) + 6))


@pytest.mark.parametrize("left", [sp.cos(FAINT), sp.erfc(FAINT), sp.exp(u * FAINT)**2])
def test_what_no_digit_shows_inside_of_a_function_is_not_tested(left):
    with pytest.raises(Unsupported, match="sees the term"):
        by_balls(Statement("mine", Eq(left, 1)))


Z, W = sp.symbols("z w", complex=True)


@pytest.mark.parametrize(("left", "right", "kind"), [
    (sp.conjugate(sp.sqrt(Z + 3)), sp.sqrt(sp.conjugate(Z) + 3), Kind.REFUTED),
    (sp.log(sp.exp(Z / 100)), Z / 100, Kind.REFUTED),
    (sp.conjugate(sp.sqrt(Z + W + 5)), sp.sqrt(sp.conjugate(Z) + sp.conjugate(W) + 5),
     Kind.REFUTED),
    (sp.conjugate((Z + 5)**u), (sp.conjugate(Z) + 5)**u, Kind.REFUTED),
    (sp.sqrt(1 - Z) * sp.sqrt(1 + Z), sp.sqrt(1 - Z**2), Kind.TESTED)])
def test_functions_of_a_complex_letter_are_compared_beyond_their_branches(left, right, kind):
    assert by_balls(Statement("mine", Eq(left, right))).kind is kind


def test_a_logarithm_is_asked_just_beyond_its_branch():
    for bound, kind in ((3, Kind.TESTED), (4, Kind.REFUTED)):
        band = sp.im(Z) > -bound, sp.im(Z) < bound
        assert by_balls(Statement("mine", Eq(sp.log(sp.exp(Z)), Z), band)).kind is kind


BASE, TIMES = sp.symbols("base times", real=True)


@pytest.mark.parametrize("beyond, where", [
    # beyond a branch two letters are off the first points at once
    (Eq((BASE * TIMES)**Z, BASE**Z * TIMES**Z), (sp.Ne(BASE, 0), sp.Ne(TIMES, 0))),
    (Eq(sp.exp(Z)**BASE, sp.exp(BASE * Z)), ()),
    (Eq(sp.log(Z * W), sp.log(Z) + sp.log(W)), (sp.Ne(Z, 0), sp.Ne(W, 0))),
], ids=str)
def test_letters_are_beyond_a_branch_together(beyond, where):
    assert by_balls(Statement("paper/eq-1", beyond, where=where)).kind is Kind.REFUTED
