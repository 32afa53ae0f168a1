"""Witnesses far from 1: claims about mechanisms that fail only where letters are large or small."""

from __future__ import annotations

import math

import pytest
import sympy as sp
from mpmath import mp

from lapdp import gaussian, laplace, randomized_response
from lapdp.theory import Ge, Gt, Le, R, claim, delta, mechanism_pair, positives, reals
from lapdp.theory.decades import decades, in_turn
from lapdp.theory.engine import judge
from lapdp.theory.instances import candidates
from lapdp.theory.witness import contradiction, search

eps = reals("eps")
sigma, b, x, D = positives("sigma b x Delta")
G, H = mechanism_pair(gaussian(sigma), "G", "H")
L, M = mechanism_pair(laplace(b), "L", "M")
A, B = mechanism_pair(randomized_response(x), "A", "B")
V, W = mechanism_pair(gaussian(sigma, D), "V", "W")
CLASSICAL = sp.Rational(5, 4) * sp.exp(-sigma**2 * eps**2 / 2)


def gaussian_delta(scale, at):
    mu = 1 / mp.mpf(scale)
    return mp.ncdf(mu/2 - at/mu) - mp.exp(at) * mp.ncdf(-mu/2 - at/mu)


def digits(said):
    """The number that a side of a witness shows: beside its exact value, or as a ball."""
    return float(said.rpartition(" = ")[2].strip("[").split(" +/-")[0])


def test_the_classical_calibration_beyond_one_is_refuted():
    found = judge(claim("classical", Le(delta(G, H)(eps), CLASSICAL), where=Gt(eps, 0)),
                  numeric=False, seconds=60)
    assert str(found.kind) == "refuted"
    with mp.workdps(30):
        s, e = (mp.mpf(sp.Rational(found.witness.values[name]).p)
                / sp.Rational(found.witness.values[name]).q for name in ("sigma", "eps"))
        left, right = gaussian_delta(s, e), mp.mpf(5)/4 * mp.exp(-(s*e)**2 / 2)
        assert left > right
        for said, value in ((found.witness.lhs, left), (found.witness.rhs, right)):
            assert digits(said) == pytest.approx(float(value), rel=1e-9)


def test_where_the_classical_calibration_holds_no_witness_is_found():
    """eps <= 1, also with sensitivities; all instances of the default time satisfy it."""
    witness, looked = search(claim("classical", Le(delta(G, H)(eps), CLASSICAL),
                                   where=[Gt(eps, 0), Le(eps, 1)]), [], 6)
    assert witness is None and looked > 60


CASES = {
    "one letter small": (Le(delta(L, M)(eps), 1 - eps/100), [Gt(eps, 0), Le(eps, 1)]),
    "a polynomial factor": (Le(delta(A, B)(0), x/2 - x**3/10**9), []),
    "a rational divergence": (Le(R(2, A, B), x**2 - x**4/10), []),
    "three letters": (Le(delta(V, W)(eps), sp.Rational(5, 4)*sp.exp(-sigma**2*eps**2/2/D**2)),
                      [Gt(eps, 0)]),
    "close to an edge": (Le(delta(L, M)(eps), sp.Rational(3925, 10000)),
                         [Gt(eps, 0), Gt(b, 1)]),
}


@pytest.mark.parametrize("name", CASES)
def test_false_claims_of_one_decade(name):
    form, where = CASES[name]
    witness, _ = search(claim("x", form, where=where), [], 8)
    assert witness is not None
    values = {s: sp.sympify(witness.values[str(s)]) for s in (eps, sigma, b, x, D)
              if str(s) in witness.values}
    assert all(h.subs(values) == sp.true for h in where)
    right = float(sp.N(form.rhs.subs(values)))
    assert digits(witness.lhs) > right


def test_every_pair_of_decades_is_met_in_time():
    """Both ends of both letters, in each combination, among the first 220 instances."""
    statement = claim("x", Le(delta(G, H)(eps), CLASSICAL), where=Gt(eps, 0))
    seen = set()
    for k, instance in enumerate(candidates(statement, [])):
        if k == 220:
            break
        seen.add((instance.values[sigma], instance.values[eps]))
        (_, made), = instance.pairs.values()
        assert made == gaussian(instance.values[sigma])
    ends = [sp.Rational(1, 100), sp.Rational(1, 10), sp.Integer(1), sp.Integer(10),
            sp.Integer(100)]
    assert {(s, e) for s in ends for e in ends} <= seen


def test_values_beside_a_bound():
    found = decades(eps, (sp.Integer(1),))
    assert {sp.Rational(999, 1000), 1 - sp.Rational(1, 10**6)} <= set(found)
    assert any(v < 0 for v in found) and all(v > 0 for v in decades(b, ()))
    assert list(in_turn(iter([]), iter("ab"))) == ["a", "b"]


def test_free_pairs_keep_their_order():
    """Statements about arbitrary pairs are searched as before: small pairs, small values."""
    from lapdp.theory import pair

    P, Q = pair()
    values = [instance.values[eps] for instance, _ in zip(candidates(
        claim("x", Le(delta(P, Q)(eps), delta(G, H)(eps))), []), range(40), strict=False)]
    assert all(abs(float(v)) <= 4 for v in values)


def test_a_divergence_with_the_logarithm_of_a_sum():
    """R_2 of randomized response at x = 4, against its closed form, to the digits shown."""
    statement = claim("x", Le(R(2, A, B), x**2 - x**4/10))
    instance = next(i for i in candidates(statement, []) if i.values[x] == 4)
    witness = contradiction(statement, instance)
    p = math.exp(4)/(1 + math.exp(4))
    assert digits(witness.lhs) == pytest.approx(math.log(p*p/(1 - p) + (1 - p)**2/p), rel=1e-11)
    assert contradiction(claim("x", Ge(R(2, A, B), 3)), instance) is None
