"""Elements, releases and compositions before the first have no meaning, and no verdict."""

import pytest
import sympy as sp

from lapdp.core.verdict import Kind
from lapdp.theory import (
    Eq,
    FiniteSum,
    ForAll,
    Ge,
    Implies,
    Le,
    claim,
    composition,
    delta,
    naturals,
    outcome,
    reals,
    sequences,
)
from lapdp.theory.engine import judge
from lapdp.theory.indices import stray_index

K, J, N = naturals("k"), naturals("j"), naturals("n", start=1)
X, E = reals("x"), sequences("e")
C, O = composition(), outcome("o")


def of_release(i):
    return Le(delta(*C.release(i, O))(X), 1)


STRAY = [
    Ge(E[100 - K]**2, 0), Ge(E[K - 1]**2, 0), Ge(E[K / 2]**2, 0), Ge(E[X]**2, 0),
    Le(delta(*C(100 - K))(X), 1), Le(delta(*C(10**6 - K**2))(X), 1), of_release(100 - K),
    of_release(K), ForAll((K,), Ge(E[3 - K]**2, 0)), Ge(FiniteSum(E[J - 1]**2, J, 0, K), 0),
    Implies(Le(K, 4), Ge(E[3 - K]**2, 0)), Implies(Ge(E[K - 1], 0), Ge(K, 1)),
    ForAll((K,), Implies(Le(J, 3), Ge(E[3 - K]**2, 0))),
    Ge(sp.Piecewise((E[K - 2]**2, K > 0), (0, True)), 0),
]
IN_RANGE = [
    (Ge(E[K]**2, 0), ()), (Ge(E[N - 1]**2, 0), ()), (Ge(E[100 - K]**2, 0), (Le(K, 100),)),
    (Ge(E[100 - K]**2, 0), (sp.Lt(K, 101),)), (Ge(E[K - J]**2, 0), (Le(J, K),)),
    (Ge(FiniteSum(E[J - 1]**2, J, 1, K), 0), ()), (Ge(FiniteSum(E[K - J]**2, J, 0, K), 0), ()),
    (Implies(Le(K, 3), Ge(E[3 - K]**2, 0)), ()), (Le(delta(*C(K + 1))(X), 1), ()),
    (of_release(K + 1), ()), (of_release(N), ()), (Le(delta(*C(K - 2))(X), 1), (Ge(K, 2),)),
    (ForAll((K,), Ge(E[3 - K]**2, 0), (Le(K, 3),)), ()), (Eq(E[K - 5], E[0]), (Eq(K, 5),)),
    (Ge(sp.Piecewise((E[K - 1]**2, K > 0), (0, True)), 0), ()),
]


@pytest.mark.parametrize("form", STRAY, ids=str)
def test_what_may_be_out_of_range_is_refused(form):
    found = judge(claim("a", form), numeric=False, search=True)
    assert found.kind is Kind.ILL_FORMED
    assert "index" in found.reason


@pytest.mark.parametrize(("form", "where"), IN_RANGE, ids=str)
def test_what_is_in_range_is_read(form, where):
    assert stray_index(claim("a", form, where=where)) == ""


def test_a_letter_bound_anew_is_another():
    form = ForAll((K,), Ge(E[3 - K]**2, 0))
    assert "3 - k" in stray_index(claim("a", form, where=Le(K, 3)))
