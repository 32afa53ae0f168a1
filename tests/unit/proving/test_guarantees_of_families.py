"""The worst profile of a family, or of the releases of an adaptive composition, below what two
guarantees at one point give."""

from __future__ import annotations

import pytest

from lapdp import randomized_response
from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS = 12_000
t = reals("t")
i = naturals("i", start=1)
x = outcome("x")
e, c = sequences("e c")
C = composition("P", "Q")
P, Q = C.release(i, x)
RANGES = [ForAll(i, Ge(e[i], 0)), ForAll(i, Ge(c[i], 0)), ForAll(i, Le(c[i], 1))]


def guaranteed(*pairs, at=e[i], bound=c[i]):
    """The pairs have guarantees for every release after all that came before."""
    return [ForAll((i, x), Le(delta(*pair)(at), bound)) for pair in pairs]


def response(eps, leak):
    """The profile of randomized response at t."""
    return delta(*mechanism_pair(randomized_response(eps, leak), "R", "S"))(t)


BOTH = guaranteed((P, Q), (Q, P))
WORST = Sup(delta(P, Q)(t), x)


@pytest.mark.parametrize("worst", [WORST, Sup(delta(Q, P)(t), x)])
def test_the_worst_release(worst):
    lines, reason, digest = searched(Le(worst, response(e[i], c[i])), [*RANGES, *BOTH], STEPS)
    assert lines is not None, reason
    accept(lines, digest)


@pytest.mark.parametrize("claim, where", [
    (Le(WORST, response(e[i], c[i] / 2)), BOTH),
    (Le(WORST, response(e[i] / 2, c[i])), BOTH),
    (Lt(WORST, response(e[i], c[i])), BOTH),
])
def test_false_neighbours(claim, where):
    assert searched(claim, [*RANGES, *where], STEPS // 8)[0] is None
