"""Renyi bounds of any number of adaptive releases: the induction, its step a law of the kernel."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import Kind, Rejected
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.accepted import derivation_of
from lapdp.theory.obligations import ByDerivation
from tests.patience import with_nightly

q, r, rho, eps, a = reals("q r rho eps a")
i, k = naturals("i", start=1), naturals("k", start=1)
x = outcome("x")
MANY = composition("P", "Q")
Pi, Qi = MANY.release(i, x)
bound = sequences("r")
each = ForAll((i, x), Le(R(q, Pi, Qi), rho))
concentrated = ForAll((i, x, a), Le(R(a, Pi, Qi), rho * a), Gt(a, 1))
whole = R(q, *MANY(k))

TRUE = {
    "one bound for all": (Le(whole, k * rho), [Gt(q, 1), each]),
    "a bound for each": (Le(whole, FiniteSum(bound[i], i, 1, k)), [
        Gt(q, 1), ForAll((i, x), Le(R(q, Pi, Qi), bound[i]))]),
    "concentrated": (Le(whole, k * rho * q), [Gt(q, 1), concentrated]),
}
FALSE = {
    "no sum": (Le(whole, rho), [Gt(q, 1), each]),
    "one release less": (Le(whole, (k - 1) * rho), [Gt(q, 1), each]),
    "reversed releases": (Le(R(q, *reversed(MANY(k))), k * rho), [Gt(q, 1), each]),
    "another order": (Le(R(q + 1, *MANY(k)), k * rho), [Gt(q, 1), each]),
    "no order": (Le(whole, k * rho), [each]),
    "the first outcomes only": (Le(whole, k * rho), [
        Gt(q, 1), ForAll(x, Le(R(q, *MANY.release(1, x)), rho))]),
}


@pytest.mark.parametrize("name", with_nightly(TRUE, "one bound for all", "concentrated"))
def test_renyi_bounds_add_up(name):
    claimed, where = TRUE[name]
    found = judge(claim("many", claimed, where=where), numeric=False)
    assert (found.kind, found.method) == (Kind.DERIVED, "induction")


@pytest.mark.parametrize("name", with_nightly(FALSE, *list(FALSE)[1:]))
def test_what_does_not_add_up(name):
    claimed, where = FALSE[name]
    found = judge(claim("many", claimed, where=where), numeric=False)
    assert found.kind in (Kind.REFUTED, Kind.UNDECIDED, Kind.ILL_FORMED)


def test_a_false_lemma_has_no_derivation():
    P, Q = pair("P", "Q")
    assert derivation_of("it", claim("it", Le(R(q, P, Q), R(r, P, Q)), where=[
        Gt(q, 1), Ge(r, q)])) is not None
    assert derivation_of("it", claim("it", Ge(R(2, P, Q), R(3, P, Q)))) is None


def test_a_leaf_needs_what_the_kernel_accepted():
    with pytest.raises(Rejected):
        ByDerivation(sp.S.true, "it").discharge(())
