"""The numeric column agrees with true statements, disagrees with false ones, else says why."""

import importlib
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from mpmath import mp

from lapdp.core.errors import InputError
from lapdp.numeric import column, counterexample
from lapdp.numeric.claims import holds
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.generalized import PiecewiseCallable
from lapdp.numeric.instances import KINDS, Instance, finite_pair
from lapdp.numeric.pairs import density, finite
from lapdp.numeric.ranges import always, within
from lapdp.theory import (
    PLD,
    B,
    BigO,
    Complement,
    Continuous,
    Converges,
    D,
    Defined,
    Diverges,
    E,
    Eq,
    Event,
    Ex,
    Exists,
    F,
    Ge,
    Gt,
    Impulse,
    Indicator,
    Int,
    L,
    Le,
    Lim,
    Linv,
    Lt,
    Ne,
    NoAtom,
    NotAlways,
    Omega,
    OneWayContinuous,
    Pr,
    Primitive,
    R,
    Statement,
    Sup,
    ac,
    complexes,
    conv,
    delta,
    f,
    functions,
    mechanism_pair,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.checking import check_statement

P, Q = pair()
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
PP, QQ = product_pair((P1, Q1), (P2, Q2))
S = Event("S")
Z, Zp = PLD(P, Q), PLD(Q, P)
Z1, Z2, ZZ = PLD(P1, Q1), PLD(P2, Q2), PLD(PP, QQ)
eps, t, u, tau = reals("eps t u tau")
q, s = complexes("q s")
r = reals("r")
a = positives("a")
g, h = functions("g h")
exp, oo = sp.exp, sp.oo
second = D(delta(P2, Q2)(tau), tau, 2) - D(delta(P2, Q2)(tau), tau)
inf = Pr(Z, "==", oo)

TRUE = {
    "6": Eq(delta(P, Q)(eps), Sup(P(S) - exp(eps) * Q(S), S)),
    "6b": Eq(delta(P, Q)(eps), Omega(sp.Max(0, P - exp(eps) * Q))),
    "7": Eq(delta(Q, P)(eps), 1 - exp(eps) + exp(eps) * delta(P, Q)(-eps)),
    "7b": Eq(delta(Q, P)(eps),
             1 - exp(eps) + exp(eps) * Sup(P(Complement(S)) - exp(-eps) * Q(Complement(S)), S)),
    "9": (Eq(E(q, P, Q), exp((q - 1) * R(q, P, Q))),
          Defined(E(q, P, Q)), Ne(q, 1), Ne(E(q, P, Q), 0)),
    "9b": (Eq(E(q, P, Q), E(1 - q, Q, P)), Defined(E(q, P, Q))),
    "19": Eq(f(Z)(t), exp(t) * f(Zp)(-t)),
    "20": Eq(delta(P, Q)(eps), Ex(sp.Max(0, 1 - exp(eps - Z)), Z)),
    "20c": Eq(delta(P, Q)(eps), Pr(Z, ">", eps) - exp(eps) * Pr(Zp, "<", -eps)),
    "22": Eq(delta(P, Q)(eps), L(1 - F(Z)(t + eps), t)(1)),
    "23 repaired": Eq(delta(P, Q)(eps), exp(eps) * L(F(Zp)(-t - eps), t)(-1) + inf),
    "24 with ac": (Eq(delta(P, Q)(eps), exp(eps) * L(f(Zp)(-t - eps), t)(-1)
                      - L(f(Z)(t + eps), t)(1)), ac(P, Q)),
    "25 repaired": Eq(delta(P, Q)(eps), L(f(Z)(t + eps), t)(0)
                      - exp(eps) * L(f(Zp)(-t - eps), t)(0) + inf),
    "26": (Eq(E(q, P, Q), B(f(Z)(t), t)(1 - q)), ac(P, Q), ac(Q, P), Defined(E(q, P, Q))),
    "27": (Eq(E(q, P, Q), q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)), Gt(sp.re(q), 1),
           Defined(E(q, P, Q))),
    "30 without atoms": (Eq(delta(P, Q)(eps), 1 - F(Z)(eps) - exp(eps) * F(Zp)(-eps)),
                         NoAtom(Z, eps)),
    "30 strict": Eq(delta(P, Q)(eps), 1 - F(Z)(eps) - exp(eps) * F(Zp)(-eps, strict=True)),
    "47": (Eq(delta(PP, QQ)(eps), Int(delta(P1, Q1)(eps - tau) * second, tau)), ac(P2, Q2)),
    "47b": (Eq(delta(PP, QQ)(tau), conv(delta(P1, Q1)(tau), second, tau)), ac(P2, Q2)),
    "49": Eq(f(ZZ)(t), Int(f(Z1)(tau) * f(Z2)(t - tau), tau)),
    "moment of a product": (Eq(E(q, PP, QQ), E(q, P1, Q1) * E(q, P2, Q2)),
                            Defined(E(q, P1, Q1)), Defined(E(q, P2, Q2))),
    "range": Le(delta(P, Q)(eps), 1),
    "below": Ge(delta(P, Q)(eps), 1 - exp(eps)),
    "monotone": (Ge(delta(P, Q)(eps), delta(P, Q)(t)), Lt(eps, t)),
    "continuous": Continuous(delta(P, Q)(t), t),
    "converges": (Converges(B(delta(P, Q)(t), t, 1 - q)), Gt(sp.re(q), 1), Defined(E(q, P, Q))),
    "diverges": Diverges(B(delta(P, Q)(t), t, 1)),
    "limit": Eq(Lim(delta(P, Q)(t), t, -oo), 1),
    "limit at infinity": Eq(Lim(delta(P, Q)(t), t, oo), inf),
    "jump": Eq(Lim(F(Z)(t), t, eps, "+") - Lim(F(Z)(t), t, eps, "-"), Pr(Z, "==", eps)),
    "impulse": Eq(Impulse(f(Z)(t), t, eps), Pr(Z, "==", eps)),
    "infinite order": (Eq(E(r, P, Q), oo), Gt(inf, 0), Gt(r, 1)),
    "15": (Eq(B(g(t), t)(s), L(g(t), t)(s) + Impulse(g(t), t, 0) + L(g(-t), t)(-s)),
           Converges(B(g(t), t, s))),
    "69": (Eq(L(g(t - a) * Indicator(Gt(t, a)), t)(s), exp(-a * s) * L(g(t), t)(s)),
           Converges(L(g(t), t, s))),
    "71": (Eq(B(g(eps * t), t)(s), B(g(t), t)(s / eps) / sp.Abs(eps)), Ne(eps, 0),
           Converges(B(g(t), t, s / eps))),
    "73": (Eq(L(D(g(t), t), t)(s), s * L(g(t), t)(s) - Lim(g(t), t, 0, "+")),
           Converges(L(g(t), t, s))),
    "73 twice": (Eq(B(D(g(t), t, 2), t)(s), s**2 * B(g(t), t)(s)), Converges(B(g(t), t, s))),
    "table": (Eq(L(t**2 * exp(-t), t)(s), 2 / (s + 1) ** 3), Gt(sp.re(s), -1)),
    "erfc": (Eq(L(exp(-(t**2)), t)(s), sp.sqrt(sp.pi) * exp(s**2 / 4) * sp.erfc(s / 2) / 2),
             Gt(sp.re(s), 0)),
    "rate": BigO(t**3 * exp(-t), exp(-t / 2), t),
    "exists": Exists(u, Gt(u, eps)),
    "inversion": (Eq(Linv(1 / (s * (s + 1)), s, t, a), 1 - exp(-t)), Gt(t, 0), Gt(4 * a, 1)),
}

FALSE = {
    "6": Eq(delta(P, Q)(eps), Sup(P(S) - Q(S), S)),
    "7": Eq(delta(Q, P)(eps), 1 - exp(eps) + delta(P, Q)(-eps)),
    "7 swapped": Eq(delta(P, Q)(eps), 1 - exp(eps) + exp(eps) * delta(P, Q)(-eps)),
    "19": Eq(f(Z)(t), exp(-t) * f(Zp)(-t)),
    "22 sign": Eq(delta(P, Q)(eps), L(1 - F(Z)(t + eps), t)(2)),
    "23 as printed": Eq(delta(P, Q)(eps), exp(eps) * L(F(Zp)(-t - eps), t)(-1)),
    "25 one way": (Eq(delta(P, Q)(eps), L(f(Z)(t + eps), t)(0)
                      - exp(eps) * L(f(Zp)(-t - eps), t)(0)), OneWayContinuous(P, Q)),
    "27 on the wrong strip": (Eq(E(q, P, Q), q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)),
                              Lt(sp.re(q), 1)),
    "30 at atoms": Eq(delta(P, Q)(eps), 1 - F(Z)(eps) - exp(eps) * F(Zp)(-eps)),
    "47 as printed": Eq(delta(PP, QQ)(eps), Int(delta(P1, Q1)(eps - tau) * second, tau)),
    "49": Eq(f(ZZ)(t), 2 * Int(f(Z1)(tau) * f(Z2)(t - tau), tau)),
    "strictly monotone": (Gt(delta(P, Q)(eps), delta(P, Q)(t)), Lt(eps, t)),
    "cdf continuous": Continuous(F(Z)(t), t),
    "absolutely continuous": ac(P, Q),
    "converges": Converges(B(delta(P, Q)(t), t, 1 - r)),
    "diverges": (Diverges(B(delta(P, Q)(t), t, 1 - r)), Gt(r, 1), ac(P, Q)),
    "impulse at 0": (Eq(B(g(t), t)(s), L(g(t), t)(s) + L(g(-t), t)(-s)), Converges(B(g(t), t, s))),
    "73 without g(0+)": (Eq(L(D(g(t), t), t)(s), s * L(g(t), t)(s)), Converges(L(g(t), t, s))),
    "table": (Eq(L(t**2 * exp(-t), t)(s), 1 / (s + 1) ** 3), Gt(sp.re(s), -1)),
    "rate": BigO(exp(-t / 2), t**3 * exp(-t), t),
    "undefined": Eq(1 / (sp.re(s) - sp.re(s) * 1), s),
    "inversion": (Eq(Linv(1 / (s * (s + 1)), s, t, a), exp(-t)), Gt(t, 0), Gt(4 * a, 1)),
}


def statement(form):
    claim, *where = form if isinstance(form, tuple) else (form,)
    return Statement("x/y", claim, tuple(where))


@pytest.mark.parametrize("name", TRUE)
def test_agrees(name):
    report = column(statement(TRUE[name]), instances=5)
    assert report.agrees is True, report
    assert report.instances >= 1 and report.digits >= 6


@pytest.mark.parametrize("name", ["7", "19", "20", "22", "25 repaired", "26"])
def test_agrees_on_densities(name, monkeypatch):
    plan = importlib.import_module("lapdp.numeric.column")
    monkeypatch.setattr(plan, "KINDS", ("density",) * 6)
    report = column(statement(TRUE[name]), instances=6, seed=2)
    assert report.agrees is True, report
    assert report.instances >= 4


@pytest.mark.parametrize("name", FALSE)
def test_disagrees(name):
    report = column(statement(FALSE[name]), instances=40)
    assert report.agrees is False, report
    assert report.reason


NESTED = {
    "74": Eq(L(Primitive(g(t), t, 0), t)(s), L(g(t), t)(s) / s),
    "75": Eq(L(conv(g(t), h(t), t, lower=0), t)(s), L(g(t), t)(s) * L(h(t), t)(s)),
}


@pytest.mark.parametrize("name", NESTED)
def test_integrals_within_transforms(name):
    form = (NESTED[name], Gt(sp.re(s), 0), Converges(L(g(t), t, s)), Converges(L(h(t), t, s)))
    assert column(statement(form), instances=1).agrees is True
    left, right = NESTED[name].args
    assert column(statement((Eq(left, 2 * right), *form[1:])), instances=3).agrees is False


def test_same_seed_same_report():
    first = column(statement(FALSE["23 as printed"]), seed=5)
    again = column(statement(FALSE["23 as printed"]), seed=5)
    assert (first.reason, first.instances) == (again.reason, again.instances)


def test_counterexample_is_plain_data():
    found = counterexample(statement(FALSE["30 at atoms"]))
    assert found is not None
    assert set(found) == {"parameters", "pair P,Q", "lhs", "rhs", "why"}
    assert all(isinstance(x, str) for x in found["parameters"].values())
    assert counterexample(statement(TRUE["7"]), instances=6) is None


@pytest.mark.parametrize("form, reason", [
    (NotAlways(Le(delta(P, Q)(t), 0)), "instance"),
    ((Le(r, r), Lt(r, r)), "hypotheses"),
    (Eq(sp.LambertW(r), r), "LambertW"),
])
def test_says_why_it_does_not_apply(form, reason):
    report = column(statement(form), instances=3)
    assert report.agrees is None and reason in report.reason


def test_the_work_allowed_is_kept_and_is_no_matter_of_time():
    first, again = (column(statement(NESTED["75"]), work=2000) for _ in range(2))
    assert first.agrees is None and "work allowed" in first.reason
    assert (first.reason, first.instances) == (again.reason, again.instances)


@pytest.mark.parametrize("bad", [{"instances": 0}, {"digits": 3}])
def test_bad_sizes_are_refused(bad):
    with pytest.raises(InputError):
        column(statement(TRUE["7"]), **bad)


@dataclass(frozen=True)
class Coin:
    """A mechanism by the protocol only: odds e^b and leakage c."""

    b: Any
    c: Any

    def numeric_pair(self, values):
        odds, leak = mp.exp(values[self.b]), values[self.c]
        high, low = (1 - leak) * odds / (1 + odds), (1 - leak) / (1 + odds)
        return "finite", [(leak, mp.mpf(0)), (high, low), (low, high), (mp.mpf(0), leak)]


@dataclass(frozen=True)
class Shift:
    """Laplace noise of scale 1/b, shifted by 1."""

    b: Any

    def numeric_pair(self, values):
        b = values[self.b]
        return ("density", lambda x: b * mp.exp(-b * abs(x)) / 2,
                lambda x: b * mp.exp(-b * abs(x - 1)) / 2, (-mp.inf, mp.inf), (0, 1))


b = positives("b")
c = reals("c")
UNIT = (Ge(c, 0), Le(c, 1))


def response(leak):
    """Equation (39), with ``leak`` where the paper has delta."""
    return sp.Piecewise(
        (leak, b < t), (1 - (exp(t) + 1) / (exp(b) + 1) * (1 - leak), -b < t),
        (1 - exp(t) * (1 - leak), True))


def test_mechanism_with_outcomes():
    RP, RQ = mechanism_pair(Coin(b, c))
    assert column(statement((Eq(delta(RP, RQ)(t), response(c)), *UNIT))).agrees is True
    assert column(statement((Eq(delta(RP, RQ)(t), response(0)), *UNIT))).agrees is False
    assert column(statement(Eq(F(PLD(RP, RQ))(b) + c, 1)), instances=6).agrees is True


def test_mechanism_with_densities():
    LP, LQ = mechanism_pair(Shift(b))
    total = 1 - exp((t - b) / 2)
    assert column(statement((Eq(delta(LP, LQ)(t), total), Lt(t, b), Gt(t, -b)))).agrees is True
    assert column(statement((Eq(delta(LP, LQ)(t), total), Lt(t, 0)))).agrees is False
    top = Eq(Pr(PLD(LP, LQ), "==", b), sp.Rational(1, 2))
    assert column(statement(top), instances=4).agrees is True


def test_mechanism_may_refuse_its_parameters():
    RP, RQ = mechanism_pair(Coin(b, c))
    report = column(statement((Le(delta(RP, RQ)(t), 1), Gt(c, 1))), instances=2)
    assert report.agrees is None


@pytest.mark.parametrize("kind", KINDS[:5])
def test_kinds_of_finite_pairs(kind):
    rng = random.Random(7)
    for _ in range(20):
        outcomes = finite_pair(rng, kind).outcomes
        assert sum(p for p, _ in outcomes) == sum(q for _, q in outcomes) == 1
        assert any(q == 0 < p for p, q in outcomes) == (kind in ("not P << Q", "neither"))
        assert any(p == 0 < q for p, q in outcomes) == (kind in ("not Q << P", "neither"))
        assert all(p == q for p, q in outcomes) or kind != "equal"


def test_rounded_masses_become_exact():
    coin = finite([(mp.mpf(1) / 3, mp.mpf("0.7")), (mp.mpf(2) / 3, mp.mpf("0.3"))])
    assert sum(p for p, _ in coin.outcomes) == Fraction(1) == sum(q for _, q in coin.outcomes)
    with pytest.raises(InputError):
        finite([(mp.mpf(-1), mp.mpf(1)), (mp.mpf(2), mp.mpf(0))])


def test_density_pair_against_closed_forms():
    with mp.workdps(30):
        e = density(lambda x: mp.exp(-x), lambda x: 2 * mp.exp(-2 * x), (0, mp.inf))
        x = mp.mpf("0.4")
        assert abs(e.cdf(x) - (1 - mp.exp(-x) / 2)) < mp.mpf(10) ** -20
        assert abs(e.density(x) - mp.exp(-x) / 2) < mp.mpf(10) ** -15
        assert abs(e.profile(x) - mp.exp(-x) / 4) < mp.mpf(10) ** -20
        assert abs(e.moment(mp.mpf("1.5")) - mp.mpf(2) ** mp.mpf("-0.5") / mp.mpf("0.5")) < 1e-15
        assert e.moment(mp.mpf(2)) == mp.inf
        assert e.breaks == [-mp.log(2)] or abs(e.breaks[0] + mp.log(2)) < mp.mpf(10) ** -20


def test_moment_conventions_on_vanishing_masses():
    half = Fraction(1, 2)
    with mp.workdps(30):
        leak = finite([(half, 0), (half, 1)])
        assert leak.moment(mp.mpf(2)) == mp.inf
        assert leak.moment(mp.mpf(1)) == 1
        assert leak.moment(mp.mpf(0)) == 1
        assert abs(leak.moment(mp.mpf("0.5")) - mp.sqrt(mp.mpf("0.5"))) < mp.mpf(10) ** -25
        assert leak.reverse.moment(mp.mpf(-1)) == mp.inf


def test_outcome_of_close_strict_order_is_open():
    x = sp.Symbol("x", real=True)
    with mp.workdps(45):
        ev = Evaluator(Instance({x: mp.mpf(1) + mp.mpf(10) ** -40}, 30))
        assert holds(Gt(x, 1), ev).holds is None
        assert holds(Ge(x, 1), ev).holds is True
        assert holds(Eq(x, 1), ev).holds is True
        assert holds(Gt(x, x), ev).holds is False


def test_values_that_nested_transforms_remember_are_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """One inversion asks one transform at hundreds of frequencies, whose nodes are the same."""
    profile = delta(P, Q)
    back = Statement("x/back", Eq(profile(eps), Linv(B(profile(t), t, r), r, eps, u)),
                     where=(Lt(u, 0), Defined(E(1 - u, P, Q))))
    uses = 0
    value = PiecewiseCallable.__call__

    def counted(self: PiecewiseCallable, at: Any) -> Any:
        nonlocal uses
        uses += 1
        return value(self, at)

    monkeypatch.setattr(PiecewiseCallable, "__call__", counted)
    found = column(back, instances=1, work=300)
    assert found.agrees is None and "after 0 instances" in found.reason
    assert 300 < uses <= 16 * 300


@pytest.mark.parametrize("text", [
    "sqrt(T(P, Q)(a))", "T(P, Q)(a)**(1/3)", "sqrt(1 - T(P, Q)(a) - a)", "sqrt(R(P, Q)(2))",
    "sqrt(delta(P, Q)(0) - delta(Q, P)(0))", "sqrt(log(E(P, Q)(2)))", "sqrt(1 - E(P, Q)(a))"])
def test_what_is_negative_by_rounding_alone_has_a_real_root(text: str) -> None:
    statement = check_statement(f"{text} >= 0", ("0 <= a", "a <= 1"))
    assert all(column(statement, instances=6, seed=seed).agrees for seed in range(2))


@pytest.mark.parametrize("text", ["sqrt(a - 1/10**9)", "sqrt(T(P, Q)(a) - 1/10**9)",
                                  "sqrt(delta(P, Q)(0) - 1/10**9)", "sqrt(E(P, Q)(a) - 1)"])
def test_what_is_negative_by_more_than_rounding_has_none(text: str) -> None:
    found = column(check_statement(f"{text} >= 0", ("0 <= a", "a <= 1")), instances=12)
    assert found.agrees is False and "complex" in found.reason


@pytest.mark.parametrize(("value", "shown"), [
    ("-1e-40", "0.0"), ("1e-40", "1.0e-40"), ("-1e-9", "-1.0e-9"), ("1.5", "1.5")])
def test_a_value_is_put_to_the_end_of_its_range_from_nearby_alone(value: str, shown: str) -> None:
    with mp.workdps(40):
        built = within(lambda ev, expr: lambda env: mp.mpf(value), always((0.0, 1.0)))
        assert mp.nstr(built(None, None)({}), 5) == shown


@pytest.mark.parametrize(("lower", "upper", "sign"), [(-1, 1, 1), (1, -1, -1), (1, 2, 0)])
def test_impulses_count_in_the_direction_of_an_integral_and_inside_of_its_range(
        lower, upper, sign):
    inside = Int(sp.DiracDelta(t), t, lower, upper)
    meeting = Int(sp.DiracDelta(t) * sp.DiracDelta(u - t), t, lower, upper)
    for other in (-1, 0, 1):
        assert column(Statement("mine", Eq(inside, other))).agrees is (other == sign)
    for other in (-1, 1):
        claim = Eq(meeting, other * sp.DiracDelta(u))
        assert column(Statement("mine", claim)).agrees is (other == sign)
