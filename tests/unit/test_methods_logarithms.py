"""Limits of logarithms of moments are proved under their hypotheses only."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    PLD,
    Defined,
    E,
    Eq,
    Ex,
    Ge,
    Gt,
    Le,
    Lim,
    Lt,
    R,
    Statement,
    ac,
    complexes,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.heavy import heavy_tail
from tests.mutation.oracle_check import oracle_verdict

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
q, n, c = reals("q n c")
ABOVE = [Gt(c, 1), Defined(E(c, P, Q))]
REPLICA = sp.log(Ex(sp.exp(n * Z), Z)) / n


def kind(claim, where=()):
    return judge(Statement("test/claim", claim, where=tuple(where)), numeric=False,
                 patience=1).kind


@pytest.mark.parametrize(("claim", "where"), [
    (Eq(Lim(R(q, P, Q), q, 1), Ex(Z, Z)), ABOVE),
    (Eq(Lim(R(q, P, Q), q, 1, "+"), Ex(Z, Z)), ABOVE),
    (Eq(Ex(Z, Z), Lim(R(q, P, Q), q, 1, "-")), [ac(P, Q)]),
    (Eq(Lim(REPLICA, n, 0), Ex(Z, Z)), [Defined(E(2, P, Q))]),
    (Eq(Lim(R(q, Q, P), q, 1, "-"), Ex(Zp, Zp)), [ac(Q, P)]),
])
def test_the_mean_loss(claim, where):
    assert kind(claim, where) in HOLDS
    assert oracle_verdict(Statement("test/claim", claim, where=tuple(where)), 40) != "fails"


@pytest.mark.parametrize(("claim", "where"), [
    # from above without a finite moment above 1, or with one at most 1, or of another pair
    (Eq(Lim(R(q, P, Q), q, 1), Ex(Z, Z)), [ac(P, Q)]),
    (Eq(Lim(R(q, P, Q), q, 1, "+"), Ex(Z, Z)), [ac(P, Q), ac(Q, P)]),
    (Eq(Lim(R(q, P, Q), q, 1), Ex(Z, Z)), [Ge(c, 1), Defined(E(c, P, Q)), ac(P, Q)]),
    (Eq(Lim(R(q, P, Q), q, 1), Ex(Z, Z)), [Lt(c, 1), Defined(E(c, P, Q)), ac(P, Q)]),
    (Eq(Lim(R(q, P, Q), q, 1), Ex(Z, Z)), [Gt(c, 1), Defined(E(c, Q, P)), ac(P, Q)]),
    # without P << Q
    (Eq(Lim(R(q, P, Q), q, 1, "-"), Ex(Z, Z)), []),
    (Eq(Lim(R(q, P, Q), q, 1, "-"), Ex(Z, Z)), [ac(Q, P)]),
    # another mean, another point, another side of the relation
    (Eq(Lim(R(q, P, Q), q, 1), 2 * Ex(Z, Z)), ABOVE),
    (Eq(Lim(R(q, P, Q), q, 1), Ex(2 * Z, Z)), ABOVE),
    (Eq(Lim(R(q, P, Q), q, 1), Ex(Zp, Zp)), ABOVE),
    (Eq(Lim(R(q, P, Q), q, 2), Ex(Z, Z)), ABOVE),
    (Eq(Lim(R(2 * q, P, Q), q, 1), Ex(Z, Z)), ABOVE),
    (Eq(Lim(REPLICA, n, 1), Ex(Z, Z)), ABOVE),
    (Eq(Lim(n * REPLICA, n, 0), Ex(Z, Z)), ABOVE),
    (Eq(Lim(sp.log(Ex(sp.exp(2 * n * Z), Z)) / n, n, 0), Ex(Z, Z)), ABOVE),
    (Eq(Lim(sp.log(Ex(sp.exp(n * Z), Zp)) / n, n, 0), Ex(Z, Z)), ABOVE),
    (Le(Lim(R(q, P, Q), q, 1), Ex(Z, Z) - 1), ABOVE),
])
def test_no_more_than_that(claim, where):
    assert kind(claim, where) not in HOLDS


def test_the_oracle_takes_the_limit():
    def says(claim, *where):
        return oracle_verdict(Statement("test/claim", claim, where=where), 40)
    both = (ac(P, Q), ac(Q, P))
    assert says(Eq(Lim(R(q, P, Q), q, 1), Ex(Z, Z)), *both) == "holds"
    assert says(Eq(Lim(R(q, P, Q), q, 1), 2 * Ex(Z, Z)), *both) == "fails"
    assert says(Eq(Lim(REPLICA, n, 0, "-"), Ex(Zp, Zp)), *both) == "fails"


def test_complex_orders_and_products_are_left_alone():
    z = complexes("q")
    assert kind(Eq(Lim(R(z, P, Q), z, 1), Ex(Z, Z)), ABOVE) not in HOLDS
    A, B = product_pair(pair("P1", "Q1"), pair("P2", "Q2"))
    both = PLD(A, B)
    assert kind(Eq(Lim(R(q, A, B), q, 1, "-"), Ex(both, both)), [ac(A, B)]) not in HOLDS


def test_a_finite_mean_is_not_enough():
    """A loss with a heavy tail: absolutely continuous both ways, E[Z] finite, E_q = oo above 1."""
    where = [ac(P, Q), ac(Q, P), Defined(Ex(Z, Z))]
    for side, refuted in (("", True), ("+", True), ("-", False)):
        found = judge(Statement("test/claim", Eq(Lim(R(q, P, Q), q, 1, side), Ex(Z, Z)),
                                where=tuple(where)), numeric=False)
        assert (found.kind is Kind.REFUTED) == refuted
        assert not refuted or "zeta(3)" in found.witness.text


def test_what_is_not_known_of_the_heavy_tail_is_refused():
    pair_, cell = heavy_tail()[1], Cell()
    for asked in (pair_.reverse, lambda: pair_.product(pair_, cell), lambda: pair_.profile(cell),
                  lambda: pair_.cdf(cell), lambda: pair_.moment(Form.of(0), cell),
                  lambda: pair_.loss.jumps):
        with pytest.raises(Unsupported):
            asked()
