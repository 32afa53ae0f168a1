"""Cases are integrable if each term of each case is, whatever the signs of the coefficients."""

from __future__ import annotations

import pytest

from lapdp.kernel import Bank
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.space import Prover


class Outcome:
    """Densities P, Q at an outcome, numbers a, b, and P^2/Q, integrable where both are > 0."""

    def __init__(self) -> None:
        self.d = d = Derivation(Bank())
        self.a, self.b = (d.b.letter(name, "R") for name in "ab")
        self.x = d.b.letter("x", "O")
        self.P, self.Q = (d.mk("dens", d.b.letter(name, "D"), self.x) for name in "PQ")
        self.ratio = d.mul(self.P, self.P, d.mk("inv", self.Q))
        given = self.within(d.mk("lt", d.num(0), self.P), self.positive(self.ratio))
        self.given = d.assume(self.iny(given))

    def within(self, condition, f):
        return self.d.mk("if", condition, f, self.d.num(0))

    def positive(self, f):
        return self.within(self.d.mk("lt", self.d.num(0), self.Q), f)

    def iny(self, f):
        return self.d.mk("oiny", self.d.b.abstract(f, "x", "O"))

    def less(self, f, g):
        """f where P < Q, else g; both where P, Q > 0."""
        d = self.d
        both = d.mk("if", d.mk("lt", self.P, self.Q), f, g)
        return self.within(d.mk("lt", d.num(0), self.P), self.positive(both))

    def sum(self, c, f, e, g):
        d = self.d
        return d.add(d.mul(c, f), d.mul(e, g))


CONVERGE = {
    "coefficients of any sign": lambda m: m.less(
        m.sum(m.a, m.P, m.b, m.ratio), m.sum(m.b, m.P, m.d.neg(m.a), m.ratio)),
    "a difference": lambda m: m.less(m.Q, m.sum(m.d.num(1), m.P, m.d.num(-1), m.ratio)),
}
DIVERGE = {
    "a higher power": lambda m: m.less(
        m.sum(m.a, m.P, m.b, m.ratio),
        m.sum(m.a, m.P, m.b, m.d.mul(m.ratio, m.P, m.d.mk("inv", m.Q)))),
    "the other quotient": lambda m: m.less(
        m.P, m.sum(m.a, m.P, m.b, m.d.mul(m.Q, m.Q, m.Q, m.d.mk("inv", m.P)))),
    "a number": lambda m: m.less(m.sum(m.a, m.P, m.b, m.ratio), m.d.add(m.a, m.ratio)),
    "where Q = 0": lambda m: m.d.mk(
        "if", m.d.mk("lt", m.d.num(0), m.Q), m.ratio, m.d.mul(m.a, m.P, m.P)),
}


@pytest.mark.parametrize("name", CONVERGE)
def test_sums_of_integrable_terms_are_integrable(name: str) -> None:
    m = Outcome()
    goal = m.iny(CONVERGE[name](m))
    found = Prover(m.d).prove(goal, [m.given])
    assert m.d.claim(found) == goal
    assert m.d.theorem(found).hyps <= m.d.theorem(m.given).hyps


@pytest.mark.parametrize("name", DIVERGE)
def test_with_one_that_is_not_nothing_is_found(name: str) -> None:
    m = Outcome()
    with pytest.raises(NotFound):
        Prover(m.d).prove(m.iny(DIVERGE[name](m)), [m.given])


@pytest.mark.parametrize("name", CONVERGE)
def test_without_the_fact_nothing_is_found(name: str) -> None:
    m = Outcome()
    with pytest.raises(NotFound):
        Prover(m.d).prove(m.iny(CONVERGE[name](m)), [])


def test_terms_with_cases_of_their_own_are_left_to_other_methods() -> None:
    """P where a <= log P - log Q, else 0: without its cases a term is another function."""
    m = Outcome()
    d = m.d
    loss = d.sub(*(d.mk("log", p) for p in (m.P, m.Q)))
    goal = m.iny(m.within(d.mk("lt", d.num(0), m.P), d.mk(
        "if", d.mk("lt", d.num(0), m.Q),
        d.mul(m.P, d.mk("if", d.mk("le", m.a, loss), d.num(1), d.num(0))),
        d.mul(m.P, d.mk("if", d.mk("le", m.a, m.b), d.num(1), d.num(0))))))
    assert Prover(d).leaves.integrable(goal, []) is None
    found = Prover(d).prove(goal)
    assert d.claim(found) == goal
    assert not d.theorem(found).hyps
