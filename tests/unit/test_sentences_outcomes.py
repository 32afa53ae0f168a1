"""Relations at every outcome, divergence and orders of growth, as sentences."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.nodes import B, Indicator
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite, reals
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
eps, t = lang.reals("eps t")
LOSS = sp.Piecewise((sp.oo, sp.And(sp.Eq(Q, 0), sp.Ne(P, 0))),
                    (sp.log(P / Q), sp.And(sp.Ne(P, 0), sp.Ne(Q, 0))), (-sp.oo, True),
                    evaluate=False)



def elaborated(form, where=()):
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", form, where=where), bank).claim


def holds(form, p, q, **letters):
    bank, claim = elaborated(form)
    return Interpreter(bank, len(p), {"P": p, "Q": q, **letters}).of(claim)


def pairs(seed, count=40):
    rng = random.Random(seed)
    return [finite.random_pair(rng) for _ in range(count)]


def losses(p, q):
    """log(P/Q) at every outcome where not both vanish."""
    ends = {True: mp.inf, False: -mp.inf}
    return [reals.log(x / y) if x and y else ends[x > 0] for x, y in zip(p, q, strict=True)
            if x or y]


def order(x, y):
    known = [v if isinstance(v, mp.mpf) else reals.num(v) for v in (x, y)]
    return 0 if abs(known[0] - known[1]) < mp.mpf(10) ** -25 or known[0] == known[1] else (
        1 if known[0] > known[1] else -1)


@pytest.mark.parametrize("loss", [LossAt(P, Q), LOSS])
def test_losses_at_every_outcome(loss):
    seen = set()
    with mp.workdps(60):
        for p, q in pairs(1):
            for level in (Fraction(1), Fraction(2)):
                value = reals.log(level)
                for relation, signs in ((lang.Le, (-1, 0)), (lang.Lt, (-1,)), (lang.Ge, (0, 1)),
                                        (lang.Eq, (0,)), (lang.Ne, (-1, 1))):
                    meant = all(order(z, value) in signs for z in losses(p, q))
                    assert holds(relation(loss, eps), p, q, eps=value) == meant
                    seen.add((relation, meant))
            assert holds(lang.Lt(loss, sp.oo), p, q) == all(z != mp.inf for z in losses(p, q))
            assert holds(lang.Gt(loss, -sp.oo), p, q) == all(z != -mp.inf for z in losses(p, q))
            assert holds(lang.Eq(LOSS, LossAt(P, Q)), p, q)
            assert holds(lang.Eq(loss, -LossAt(Q, P)), p, q)
            assert not holds(lang.Ne(loss, -LossAt(Q, P)), p, q)
    assert len(seen) == 10


def test_indicators_at_every_outcome():
    dead = Indicator(sp.Or(sp.Eq(P, 0), sp.Eq(Q, 0)))
    for p, q in pairs(2):
        meant = all(x and y for x, y in zip(p, q, strict=True))
        assert holds(lang.Eq(dead, 0), p, q) == meant
        assert holds(lang.Lt(Ratio(P, Q), sp.oo), p, q) == all(
            y for x, y in zip(p, q, strict=True) if x)


def test_events_cut_out_by_infinite_cases():
    with mp.workdps(60):
        for p, q in pairs(3):
            for end in (sp.oo, -sp.oo):
                both = pn.Pr(pn.PLD(P, Q), "==", end)
                assert holds(lang.Eq(P(Where(sp.Eq(LOSS, end, evaluate=False))), both), p, q)
            both = pn.Pr(pn.PLD(P, Q), "==", eps)
            value = reals.log(Fraction(1, 2))
            assert holds(lang.Eq(P(Where(sp.Eq(LOSS, eps, evaluate=False))), both), p, q,
                         eps=value)


def test_every_outcome_is_more_than_almost_every_one():
    with pytest.raises(NotSaid, match="every outcome"):
        elaborated(lang.Le(0, eps), where=(lang.Le(LossAt(P, Q), eps),))
    X, Y, W = pn.distributions("X Y W")
    with pytest.raises(NotSaid, match="more than two"):
        elaborated(lang.Le(X, Y + W))


def test_cases_that_leave_values_out_have_none_there():
    form = lang.Ge(sp.Piecewise((eps, eps > 0), evaluate=False), 0)
    bank = Bank()
    goal = elaborate(Statement("paper/eq-1", form), bank).goal
    assert Interpreter(bank, 1, {"eps": Fraction(1)}).of(goal)
    assert not Interpreter(bank, 1, {"eps": Fraction(-1)}).of(goal)


def test_divergence():
    bank, claim = elaborated(lang.Diverges(B(sp.exp(-t), t, eps)))
    assert text(bank, claim) == "not(liny(t. (exp(((-1 * eps) * t)) * exp((-1 * t)))))"
    bank, claim = elaborated(lang.Diverges(B(1 / t, t, eps)))
    assert text(bank, claim).startswith("(all t. not((t = 0)) and not(liny(")
