"""Complex logarithms of a moment, written out for a mechanism: where they have a value."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import randomized_response
from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 6_000, 1_000
eps = positives("eps")
q = complexes("q")
P, Q = mechanism_pair(randomized_response(eps))
WHERE = [Ne(q, 1), Ne(E(q, P, Q), 0)]


def divergence(up=1, down=1, weight=1, less=1):
    """(40), with numbers that belong to neighbours."""
    both = 1 + sp.exp(eps)
    moment = sp.exp(up * eps) / both * sp.exp(-q * eps) + weight / both * sp.exp(down * q * eps)
    return Eq(R(q, P, Q), sp.log(moment) / (q - less))


FALSE = {
    "at a zero of the moment": (divergence(), WHERE[:1]),
    "at q = 1": (divergence(), WHERE[1:]),
    "another mass": (divergence(up=2), WHERE),
    "another rate": (divergence(down=2), WHERE),
    "the other sign": (divergence(weight=-1), WHERE),
    "divided by q": (divergence(less=0), WHERE),
    "where another moment is no zero": (divergence(), [Ne(q, 1), Ne(E(q, P, Q), 1)]),
}


def test_theorem_3_5() -> None:
    lines, why, digest = searched(divergence(), WHERE, STEPS)
    assert lines is not None, why
    assert not accept(lines, digest).facts


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name: str) -> None:
    assert searched(*FALSE[name], FEW)[0] is None
