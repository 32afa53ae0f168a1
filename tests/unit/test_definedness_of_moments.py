"""E_q of concrete pairs: finite where the transform converges, and nowhere else."""

import pytest
import sympy as sp

from lapdp import exponential, finite, gaussian, laplace
from lapdp.core.verdict import HOLDS
from lapdp.theory import Defined, E, Ge, Gt, Lt, mechanism_pair, positives, reals
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

q, s = reals("q"), positives("s")
LEAKS, MISSES = finite(["1/2", "1/2"], [1, 0]), finite([1, 0], ["1/2", "1/2"])
SLOW = exponential(1, 2)
"""int p^q r^(1-q) has the exponent -(2 - q) x."""


def judged(mechanism, *where):
    claim = Defined(E(q, *mechanism_pair(mechanism)))
    return judge(Statement("finite", claim, where=where), numeric=False, patience=0.5).kind


@pytest.mark.parametrize(("mechanism", "where"), [
    (gaussian(s), ()), (laplace(s), ()), (SLOW, (Lt(q, 2),)), (LEAKS, (Lt(q, 1),)),
    (MISSES, (Gt(q, 0),))], ids=str)
def test_moments_that_are_finite(mechanism, where):
    assert judged(mechanism, *where) in HOLDS


@pytest.mark.parametrize(("mechanism", "where"), [
    (SLOW, ()), (SLOW, (Lt(q, sp.Rational(201, 100)),)), (LEAKS, (Ge(q, 1),)), (LEAKS, (Gt(q, 1),)),
    (MISSES, (Lt(q, 0),))], ids=str)
def test_moments_that_are_not(mechanism, where):
    assert judged(mechanism, *where) not in HOLDS
