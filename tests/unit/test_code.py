"""Statements as Python: what is written makes the same statement, or is refused in one line."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian, poisson, randomized_response
from lapdp.core.errors import Unsupported
from lapdp.theory import *
from lapdp.theory.code import HEAD, code
from lapdp.theory.statement import Statement, collecting
from tests.shelf import library

P, Q = pair()
eps, x, lam, delta_ = reals("eps x lambda delta")
w = positives("w")
g = functions("g")
half = sp.Rational(1, 2)


def again(text):
    with collecting() as collector:
        exec(HEAD + text, {})
    (made,) = collector.statements.values()
    return made


def test_the_library_is_written_or_refused():
    written = 0
    for statement in library()[::9]:
        try:
            text = code(statement, "label")
        except Unsupported as problem:
            assert "\n" not in str(problem)
            continue
        written += 1
        assert again(text).hash == statement.hash, statement.id
    assert written > 60


CLAIMS = {
    "a letter called like a notion": Le(delta(P, Q)(eps), delta_),
    "a letter called like a word of Python": Le(lam * delta(P, Q)(eps), lam),
    "an arbitrary function": Eq(L(g(x), x, w), g(x)),
    "a mechanism with a parameter": Le(delta(*mechanism_pair(randomized_response(w)))(eps), w),
    "exact numbers of a mechanism": Le(delta(*mechanism_pair(
        poisson(randomized_response(sp.log(3)), half, direction="remove")))(eps), half),
    "roots in a mechanism": Le(R(2, *mechanism_pair(gaussian(sp.sqrt(2)), "A", "B")), half),
    "conditions on outcomes": Eq(P(Where(sp.And(Ne(Q, 0), sp.Or(Eq(P, 0), Gt(P, 2 * Q))))), Q(
        Where(sp.Not(sp.And(Ne(P, 0), Ne(Q, 0)))))),
    "cases of outcomes": Eq(sp.Piecewise((sp.oo, sp.And(Ne(P, 0), Eq(Q, 0))), (sp.log(P / Q), Gt(
        P, 0)), (-sp.oo, True), evaluate=False), LossAt(P, Q)),
    "named outcomes": Eq(P(Outcomes("a b", "c")), half),
    "a pair with a quotation mark": Le(delta(*pair('P"', "Q\\"))(0), 1),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_letters_and_mechanisms(name):
    statement = Statement("x", CLAIMS[name])
    assert again(code(statement, "label")).hash == statement.hash


def test_what_has_no_text_is_refused():
    families = Le(delta(*family("A", "B", outcome("o")))(eps), 1)
    for form in (families, Eq(sp.Symbol("a b", real=True), 0), Eq(sp.Symbol("n", integer=True), 0)):
        with pytest.raises(Unsupported, match="by hand"):
            code(Statement("x", form), "label")


def test_the_hash_does_not_depend_on_where_a_pair_lies_in_memory():
    hashes = set()
    for _ in range(30):
        A, B = pair("A", "B")
        both = sp.Min(T(A, B)(x), T(B, A)(x))
        hashes.add(Statement("x", Le(sp.Max(both, delta(B, A)(x)), 1)).hash)
    assert len(hashes) == 1
