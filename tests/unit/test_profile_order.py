"""Orders of profiles of concrete mechanisms, judged by the engine."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

from lapdp import finite, gaussian, geometric, laplace, randomized_response, reverse
from lapdp.core.verdict import HOLDS, Kind, Rejected
from lapdp.theory import Eq, Ge, Gt, Le, Lt, claim, delta, mechanism_pair, reals
from lapdp.theory.engine import judge
from lapdp.theory.methods.profile_order import ProfileSigns, by_profile_signs

t = reals("t")


def order(relation, first, second, **options):
    sides = [delta(*mechanism_pair(m, *names))(t)
             for m, names in ((first, ("P", "Q")), (second, ("A", "B")))]
    return claim("order", relation(*sides), **options)


@pytest.mark.parametrize("relation, first, second", [
    (Ge, randomized_response(2), laplace(1) ** 2), (Le, laplace(1) ** 2, randomized_response(2)),
    (Ge, geometric("1/3", 3), laplace(1)), (Eq, laplace(2, 2), reverse(laplace(1))),
    (Gt, gaussian(1), randomized_response("1/10")), (Lt, laplace(2), gaussian("1/4")),
    (Ge, gaussian(1, "4.9"), randomized_response("4.9")),
    # one profile, written in two ways
    (Eq, gaussian(1) ** 4, gaussian("1/2")),
])
def test_proved(relation, first, second):
    found = by_profile_signs(order(relation, first, second))
    assert found.kind in HOLDS and "profile of" in found.proof.steps[0]
    assert judge(order(relation, first, second)).kind in HOLDS


@pytest.mark.parametrize("relation, first, second", [
    (Ge, laplace(1) ** 2, randomized_response(1)), (Le, laplace(1) ** 2, randomized_response(1)),
    (Gt, geometric("1/3", 3), laplace(1)), (Eq, laplace(1), laplace(2)),
    (Ge, gaussian(1), randomized_response(1)), (Lt, gaussian(1), geometric(1)),
])
def test_refuted_at_a_point_that_anyone_can_check(relation, first, second):
    found = judge(order(relation, first, second))
    assert found.kind is Kind.REFUTED
    if found.method == "signs of profiles":
        at = sp.Rational(found.witness.values["t"])
        values = [mp.mpf(str(sp.N(m.profile(at), 15))) for m in (first, second)]
        fails = {Ge: values[0] < values[1], Le: values[0] > values[1], Eq: values[0] != values[1],
                 Gt: values[0] <= values[1], Lt: values[0] >= values[1]}
        assert fails[relation]


def test_a_false_certificate_is_rejected():
    with pytest.raises(Rejected, match="another sign"):
        ProfileSigns(laplace(1), randomized_response(1), (0, 1)).discharge(())


def test_where_the_method_does_not_apply():
    p = sp.Symbol("p", positive=True)
    assert by_profile_signs(order(Ge, laplace(p), laplace(1))) is None
    assert by_profile_signs(order(Ge, laplace(1), laplace(2), where=[t > 0])) is None
    assert by_profile_signs(claim("x", Ge(delta(*mechanism_pair(laplace(1)))(t), 0))) is None
    assert by_profile_signs(claim("y", Ge(delta(*mechanism_pair(finite([1], [1])))(t + 1),
                                          delta(*mechanism_pair(laplace(1), "A", "B"))(t)))) is None
