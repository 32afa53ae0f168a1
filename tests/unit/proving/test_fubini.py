"""Integrals over the line of integrals over the space, exchanged where they converge absolutely.

Each integral that is not exchanged is a slip away from one that is: a weight or a range without
which it diverges, or a function that is small only because two infinite masses cancel.
"""

from __future__ import annotations

import pytest

from lapdp.kernel import Bank
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.null_sets import Masses
from lapdp.proving.space import Prover


class Terms:
    """lint(t. oint(x. f(t, x))) for the functions f below."""

    def __init__(self) -> None:
        self.d = d = Derivation(Bank())
        self.p, self.q = (d.b.letter(name, "D") for name in "PQ")
        self.t, self.x = d.b.letter("t", "R"), d.b.letter("x", "O")
        self.P, self.Q = (d.mk("dens", r, self.x) for r in (self.p, self.q))
        self.part = d.mk("max", d.num(0), d.sub(self.P, d.mul(d.mk("exp", self.t), self.Q)))

    def weight(self, c):
        return self.d.mk("exp", self.d.mul(self.d.num(c), self.t))

    def over(self, low, f):
        """f for t > low."""
        d = self.d
        return d.mk("if", d.mk("lt", d.num(low), self.t), f, d.num(0))

    def below(self, high, f):
        d = self.d
        return d.mk("if", d.mk("lt", self.t, d.num(high)), f, d.num(0))

    def double(self, f):
        d = self.d
        inner = d.mk("oint", d.b.abstract(f, "x", "O"))
        return d.mk("lint", d.b.abstract(inner, "t", "R"))


CONVERGE = {
    "a density and a weight": lambda m: m.over(0, m.d.mul(m.weight(-1), m.P)),
    "a difference and a weight": lambda m: m.over(0, m.d.mul(m.weight(-1), m.d.sub(m.P, m.Q))),
    "a bounded range": lambda m: m.over(0, m.below(1, m.d.sub(m.P, m.Q))),
    "a profile below order 1": lambda m: m.below(0, m.d.mul(m.weight(1), m.part)),
}
DIVERGE = {
    "no weight": lambda m: m.over(0, m.P),
    "no range": lambda m: m.d.mul(m.weight(-1), m.P),
    "a weight that grows": lambda m: m.over(0, m.d.mul(m.weight(1), m.P)),
    "masses that cancel": lambda m: m.d.sub(m.P, m.Q),
    "masses that cancel, on a half-line": lambda m: m.over(0, m.d.sub(m.P, m.Q)),
    "a profile over all orders": lambda m: m.part,
    "a profile below order 1, no weight": lambda m: m.below(0, m.part),
    "a profile, the other weight": lambda m: m.below(0, m.d.mul(m.weight(-1), m.part)),
}


def exchanged(f):
    m = Terms()
    return m, Prover(m.d).fubini(m.double(f(m)), [], Masses(m.p, m.p))


@pytest.mark.parametrize("name", CONVERGE)
def test_what_converges_absolutely_is_exchanged(name: str) -> None:
    m, (normal, line) = exchanged(CONVERGE[name])
    double = m.double(CONVERGE[name](m))
    assert not any(m.d.theorem(i).hyps for i in (normal.equation, normal.iny, line))
    assert m.d.claim(normal.equation) == m.d.mk("eq", double, m.d.mk("oint", normal.body))
    assert m.d.claim(normal.iny) == m.d.mk("oiny", normal.body)
    assert m.d.claim(line) == m.d.mk("liny", *m.d.kids(double))


@pytest.mark.parametrize("name", DIVERGE)
def test_what_does_not_is_left(name: str) -> None:
    with pytest.raises(NotFound):
        exchanged(DIVERGE[name])
