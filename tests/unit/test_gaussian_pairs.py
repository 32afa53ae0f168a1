"""Counterexamples among Gaussian pairs: zCDP conversions with a constant too small."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Kind
from lapdp.theory import E, Eq, ForAll, Ge, Gt, Le, Lt, R, ac, claim, delta, pair, reals
from lapdp.theory.methods.gaussian_pairs import by_gaussian_pairs

P, Q = pair("P", "Q")
d, q, rho, xi = reals("d q rho xi")
LOG = sp.log(1 / d)
ZCDP = ForAll((q,), Le(R(q, P, Q), rho * q), (q > 1,))
UNIT = (Gt(rho, 0), Gt(d, 0), Lt(d, 1))
FALSE = {
    "without the 2": Le(delta(P, Q)(rho + sp.sqrt(rho * LOG)), d),
    "the other direction, without the 2": Le(delta(Q, P)(rho + sp.sqrt(rho * LOG)), d),
    "a tenth of rho": Le(delta(P, Q)(rho / 10 + sp.sqrt(2 * rho * LOG)), d),
    "the mean alone": Le(delta(P, Q)(rho), 0),
}
TRUE = {
    "Bun and Steinke": Le(delta(P, Q)(rho + 2 * sp.sqrt(rho * LOG)), d),
    "at most 1": Le(delta(P, Q)(rho), 1),
    "of half a mixture": Le(delta((P + Q) / 2, Q)(0), delta(P, Q)(0) / 2),
    "of half a mixture, squared": Eq(E(2, (P + Q) / 2, Q), E(2, P, Q) / 4 + sp.Rational(3, 4)),
}


def asked(form, where):
    return by_gaussian_pairs(claim("x", form, where=where), None)


@pytest.mark.parametrize("name", FALSE)
def test_a_gaussian_pair_refutes_a_conversion(name):
    found = asked(FALSE[name], (ZCDP, *UNIT))
    assert found.kind is Kind.REFUTED
    at = {str(k): sp.Rational(v) for k, v in found.witness.values.items()}
    # seen once more, by the certified numbers of the mechanism
    sigma = sp.sqrt(1 / (2 * at["rho"]))
    place = FALSE[name].lhs.args[2].subs({rho: at["rho"], d: at["d"]})
    truth = gaussian(sigma).delta(place)
    bound = FALSE[name].rhs.subs({d: at["d"]})
    assert truth.value - truth.radius > bound
    assert f"gaussian({sigma})" in found.witness.text


@pytest.mark.parametrize("name", TRUE)
def test_true_conversions_are_not_refuted(name):
    with pytest.raises(Unsupported, match="none of"):
        asked(TRUE[name], (ZCDP, *UNIT))


def test_hypotheses_that_no_gaussian_meets_refute_nothing():
    form = FALSE["without the 2"]
    # below the bound, strictly: equality is what is known
    with pytest.raises(Unsupported):
        asked(form, (ForAll((q,), Lt(R(q, P, Q), rho * q), (q > 1,)), *UNIT))
    with pytest.raises(Unsupported):
        asked(form, (ZCDP, *UNIT, Gt(rho, 10**6)))
    with pytest.raises(Unsupported):
        asked(form, (ZCDP, *UNIT, Ge(delta(P, Q)(0), 1)))


def test_a_constant_beside_rho_is_0_and_continuity_holds():
    both = ForAll((q,), Le(R(q, P, Q), xi + rho * q), (q > 1,))
    form = Le(delta(P, Q)(xi + rho + sp.sqrt(rho * LOG)), d)
    found = asked(form, (both, *UNIT, ac(P, Q)))
    assert found.witness.values["xi"] == "0"


def test_other_statements_are_left_alone():
    assert asked(Le(delta(P, Q)(rho), 1), UNIT) is None
    A, B = pair("A", "B")
    assert asked(Le(delta(P, Q)(rho) + delta(A, B)(rho), d), (ZCDP, *UNIT)) is None
