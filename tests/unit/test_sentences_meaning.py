"""What sentences mean: their terms at random finite pairs against the definitions of the oracle.

A notion N is elaborated in the claim N = v.  At the oracle's value the claim holds; at another
value, and at every value where the oracle has none or an infinite one, it does not.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.nodes import B, Indicator, Int, L
from lapdp.kernel.domain import domain
from lapdp.kernel.terms import Bank
from lapdp.privacy import events as ev
from lapdp.privacy import nodes as pn
from lapdp.privacy.inner_loss import inner_mean, inner_variance
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.theory import language as lang
from lapdp.theory.sentences import elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite, reals
from tests.oracle.reals import Unclear, Undefined
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
Z, BACK = pn.PLD(P, Q), pn.PLD(Q, P)
S, U = pn.Event("S"), pn.Event("U")
eps, w, v = lang.reals("eps w v")
c = lang.complexes("c")
ALPHAS = [Fraction(n, d) for n, d in ((1, 1), (1, 2), (2, 1), (3, 2), (2, 3), (4, 1), (1, 3))]


def claimed(notion, complex_value=False):
    value = sp.Symbol("v", complex=True) if complex_value else v
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", lang.Eq(notion, value)), bank).claim


def agree(notion, p, q, expected, line=None, complex_value=False, **letters):
    """The claim holds at the expected value (None: at no value), and at no other."""
    bank, claim = claimed(notion, complex_value)
    asked = domain(bank, claim)

    def holds(value):
        interpreter = Interpreter(bank, len(p), {"P": p, "Q": q, "v": value, **letters},
                                  samples=(Fraction(1),), line=line)
        try:
            if line is None and asked is not None and not interpreter.of(asked):
                return False
            return interpreter.of(claim)
        except Undefined:
            assert line is not None or asked is None, "a domain condition that does not protect"
            return False

    if expected is None or reals.is_infinite(expected):
        return not holds(Fraction(0)) and not holds(Fraction(1))
    return holds(expected) and not holds(reals.add(expected, Fraction(1, 3)))


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(60):
        yield


def pairs(seed, count=25):
    rng = random.Random(seed)
    return [(rng, *finite.random_pair(rng)) for _ in range(count)]


def test_profiles():
    for rng, p, q in pairs(1):
        a = rng.choice(ALPHAS)
        value = finite.hockey_stick(p, q, a)
        assert agree(pn.delta(P, Q)(eps), p, q, value, eps=reals.log(a))
        assert agree(pn.delta(Q, P)(eps), p, q, finite.hockey_stick(q, p, a), eps=reals.log(a))
        assert agree(pn.SupOverEvents(P(S) - sp.exp(eps) * Q(S), S), p, q, value,
                     eps=reals.log(a))


@pytest.mark.parametrize("relation", ["<", "<=", ">", ">=", "=="])
def test_probabilities(relation):
    for rng, p, q in pairs(2):
        ratios = [x / y for x, y in zip(p, q, strict=True) if x and y]
        a = rng.choice(ratios or ALPHAS)
        value = finite.probability(p, q, relation, a)
        assert agree(pn.Pr(Z, relation, eps), p, q, value, eps=reals.log(a))
        same = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq}[relation]
        inside = P(Where(same(LossAt(P, Q), eps, evaluate=False)))
        assert agree(inside, p, q, value, eps=reals.log(a))
        densities = P(Where(same(P, sp.exp(eps) * Q, evaluate=False)))
        assert agree(densities, p, q, value, eps=reals.log(a))


def test_distribution_functions_and_the_mass_at_infinity():
    for rng, p, q in pairs(3):
        a = rng.choice(ALPHAS)
        lost = sum((x for x, y in zip(p, q, strict=True) if not y), Fraction(0))
        assert agree(pn.F(Z)(eps), p, q, finite.probability(p, q, "<=", a), eps=reals.log(a))
        assert agree(pn.F(Z)(eps, strict=True), p, q, finite.probability(p, q, "<", a),
                     eps=reals.log(a))
        for relation, value in (("==", lost), (">=", lost), (">", Fraction(0)),
                                ("<=", Fraction(1)), ("<", 1 - lost)):
            assert agree(pn.Pr(Z, relation, sp.oo), p, q, value)
        for relation, value in (("==", 0), ("<", 0), (">", 1)):
            assert agree(pn.Pr(Z, relation, -sp.oo), p, q, Fraction(value))


@pytest.mark.parametrize("order", [-2, -1, 0, 1, 2, 3, Fraction(1, 2), Fraction(-1, 2)])
def test_moments_at_numbers_and_letters(order):
    number = sp.Rational(Fraction(order).numerator, Fraction(order).denominator)
    for _, p, q in pairs(4):
        value = finite.moment(p, q, Fraction(order))
        assert agree(pn.E(number, P, Q), p, q, value)
        assert agree(pn.E(w, P, Q), p, q, value, w=Fraction(order))
        assert agree(pn.Omega(P**number * Q**(1 - number)), p, q, value)
        assert agree(pn.Omega(P * Ratio(P, Q)**(w - 1)), p, q, one_sided(p, q, Fraction(order)),
                     w=Fraction(order))


def one_sided(p, q, order):
    """The sum over P > 0 of P (P/Q)^(order - 1)."""
    kept = [(x, y) for x, y in zip(p, q, strict=True) if x]
    return finite.moment(*zip(*kept, strict=True), order)


def test_moments_of_complex_order():
    for rng, p, q in pairs(5):
        order = mp.mpc(rng.choice(("0.5", "2", "-1", "0.25")), rng.choice(("1", "-0.5")))
        try:
            value = finite.moment(p, q, order)
        except (Undefined, Unclear):
            value = None
        assert agree(pn.E(c, P, Q), p, q, value, complex_value=True, c=order)


def test_divergences_of_complex_order():
    for rng, p, q in pairs(7):
        order = mp.mpc(rng.choice(("0.5", "2", "-1", "0.25")), rng.choice(("1", "-3")))
        try:
            value = mp.log(reals.num(finite.moment(p, q, order))) / (order - 1)
        except (Undefined, Unclear):
            value = None
        assert agree(pn.R(c, P, Q), p, q, value, complex_value=True, c=order)


def test_divergences():
    for _, p, q in pairs(6):
        moment = finite.moment(p, q, Fraction(2))
        value = None if reals.is_infinite(moment) else reals.log(moment)
        assert agree(pn.R(2, P, Q), p, q, value)


def expected(p, q, of, at_infinity):
    """E[of(Z)] with the ratio P/Q given to ``of``; ``at_infinity`` None: no value there."""
    total = Fraction(0)
    for ratio, mass in finite.loss_masses(p, q).items():
        if ratio == finite.INFINITE:
            if at_infinity is None:
                return None
            total = reals.add(total, mass * at_infinity)
        else:
            total = reals.add(total, reals.mul(mass, of(ratio)))
    return total


def test_expectations():
    bodies = [
        (Z, reals.log, None), (sp.exp(Z), lambda r: r, None),
        (sp.exp(-Z), lambda r: 1 / r, Fraction(0)),
        (sp.Max(0, 1 - sp.exp(eps - Z)), lambda r: max(Fraction(0), 1 - 2 / r), Fraction(1)),
        (Indicator(sp.Gt(Z, eps, evaluate=False)), lambda r: Fraction(r > 2), Fraction(1)),
        (Z**2, lambda r: reals.mul(reals.log(r), reals.log(r)), None),
        (1 / (1 + sp.exp(Z)), lambda r: 1 / (1 + r), Fraction(0)),
    ]
    for _, p, q in pairs(7):
        for body, of, end in bodies:
            assert agree(pn.Ex(body, Z), p, q, expected(p, q, of, end), eps=reals.log(Fraction(2)))
        assert agree(pn.Omega(P * sp.exp(-LossAt(P, Q))), p, q,
                     expected(p, q, lambda r: 1 / r, Fraction(0)))
        assert agree(pn.Omega(P * LossAt(P, Q)), p, q, expected(p, q, reals.log, None))
        back = expected(q, p, reals.log, None)
        assert agree(pn.Omega(Q * LossAt(P, Q)), p, q,
                     None if back is None else reals.neg(back))


def test_events_and_their_algebra():
    for rng, p, q in pairs(8):
        s, u = (frozenset(x for x in range(len(p)) if rng.random() < 0.5) for _ in "su")
        cases = [(S, s), (pn.Complement(S), frozenset(range(len(p))) - s),
                 (ev.Union(S, U), s | u), (ev.Intersection(S, U), s & u),
                 (ev.Difference(S, U), s - u)]
        for event, points in cases:
            assert agree(P(event), p, q, finite.measure(p, points), S=s, U=u)
        assert agree(pn.Omega(sp.Max(0, P - 2 * Q), over=S), p, q, sum(
            (max(Fraction(0), p[x] - 2 * q[x]) for x in s), Fraction(0)), S=s)


def test_mixtures_are_of_weights():
    mixed = w * P + (1 - w) * Q
    for rng, p, q in pairs(9):
        weight = rng.choice((Fraction(0), Fraction(1, 3), Fraction(1)))
        m = tuple(weight * x + (1 - weight) * y for x, y in zip(p, q, strict=True))
        assert agree(pn.delta(mixed, Q)(0), p, q, finite.hockey_stick(m, q, 1), w=weight)
        assert agree(pn.E(2, mixed, Q), p, q, finite.moment(m, q, Fraction(2)), w=weight)
        assert agree(pn.delta(mixed, Q)(0), p, q, None, w=Fraction(3, 2))


def test_products():
    other = pn.pair("A", "B")
    both = pn.product_pair((P, Q), other, names=("X", "Y"))
    for rng, p, q in pairs(10, 12):
        a, b = finite.random_pair(rng, size=len(p))
        x, y = finite.product_pair((p, q), (a, b))
        level = rng.choice(ALPHAS)
        assert agree(pn.delta(*both)(eps), p, q, finite.hockey_stick(x, y, level), A=a, B=b,
                     eps=reals.log(level))
        assert agree(pn.Pr(pn.PLD(*both), "==", eps), p, q,
                     finite.probability(x, y, "==", level), A=a, B=b, eps=reals.log(level))
        assert agree(pn.E(2, *both), p, q, finite.moment(x, y, Fraction(2)), A=a, B=b)


def test_inner_losses():
    for _, p, q in pairs(11):
        kept = [(r, m) for r, m in finite.loss_masses(p, q).items() if r != finite.INFINITE]
        total = sum((m for _, m in kept), Fraction(0))
        mean = second = None
        if total:
            mean = reals.num(0)
            for r, m in kept:
                mean += reals.num(reals.mul(m / total, reals.log(r)))
            second = sum((reals.num(m / total) * (reals.num(reals.log(r)) - mean) ** 2
                          for r, m in kept), mp.mpf(0))
        assert agree(inner_variance(Z), p, q, second)
        assert agree(inner_mean(Z), p, q, mean)


def test_densities_of_the_loss_under_integrals():
    t = sp.Symbol("t", real=True)
    for rng, p, q in pairs(12):
        r = {k: m for k, m in finite.loss_masses(p, q).items() if k != finite.INFINITE}
        a = rng.choice(list(r) or ALPHAS)
        at = reals.log(a)
        inside = sum((m for k, m in r.items() if k > a), Fraction(0))
        assert agree(Int(pn.f(Z)(t), t, eps, sp.oo), p, q, inside, eps=at)
        shifted = sum((m * a / k for k, m in r.items() if k > a), Fraction(0))
        assert agree(L(pn.f(Z)(t + eps), t)(1), p, q, shifted, eps=at)
        turned = sum((m * k for k, m in r.items()), Fraction(0))
        assert agree(B(pn.f(Z)(-t), t)(1), p, q, turned)


def test_transforms_by_quadrature():
    t = sp.Symbol("t", real=True)
    P2, Q2 = (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 2))
    cuts = [-60, mp.log(mp.mpf(2) / 3), 0, mp.log(mp.mpf(4) / 3), 60]
    for order in (2, 3):
        value = finite.moment(P2, Q2, Fraction(order)) / (order * (order - 1))
        bank, claim = claimed(B(pn.delta(P, Q)(t), t)(1 - order) - v + v)
        left, _ = bank.children(claim)
        interpreter = Interpreter(bank, 2, {"P": P2, "Q": Q2, "v": Fraction(0)}, line=cuts)
        with mp.workdps(15):
            assert abs(interpreter.of(left) - reals.num(value)) < mp.mpf(10) ** -8
