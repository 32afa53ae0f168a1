"""The distance of Hellinger is one: triangles and their squares, for three distributions.

Smaller bounds, sums of squares and triangles of other distances are not derived; the inequality
between affinities is looked at by itself at drawn distributions."""

from __future__ import annotations

from random import Random

import pytest
from mpmath import mp, sqrt
from sympy import Rational
from sympy import sqrt as root

from lapdp.kernel import Bank
from lapdp.proving.derivation import Derivation
from lapdp.proving.space import Prover
from lapdp.theory import BC, Hellinger, Le, distributions
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
H = Hellinger

TRUE = {
    "triangle": Le(H(A, C), H(A, B) + H(B, C)),
    "the other side": Le(H(A, C) - H(A, B), H(B, C)),
    "turned": Le(H(A, C), H(A, B) + H(C, B)),
    "squares": Le(H(A, C)**2, 2*H(A, B)**2 + 2*H(B, C)**2),
    "affinities": Le(2*BC(A, B) + 2*BC(B, C), 3 + BC(A, C)),
    "twice a root": Le(root(2)*H(A, C), root(2)*H(A, B) + root(2)*H(B, C)),
}
FALSE = {
    "nine tenths": Le(H(A, C), H(A, B) + Rational(9, 10)*H(B, C)),
    "squares add up": Le(H(A, C)**2, H(A, B)**2 + H(B, C)**2),
    "less than twice": Le(H(A, C)**2, Rational(19, 10)*(H(A, B)**2 + H(B, C)**2)),
    "from below": Le(H(A, B) + H(B, C), H(A, C)),
    "affinities, less": Le(2*BC(A, B) + 2*BC(B, C), Rational(29, 10) + BC(A, C)),
    "affinities are no distances": Le(BC(A, C), BC(A, B) + BC(B, C)),
    "the same side twice": Le(H(A, C), 2*H(A, B) + H(B, C)/2),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(of_form(TRUE[name], [], 8_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(of_form(FALSE[name], [], 1_000))


def test_the_lemma_is_what_it_says_at_drawn_distributions() -> None:
    """The kernel accepts it for all; by the definition, with zeros among the masses."""
    prover = Prover(Derivation(Bank(), 2_000))
    theorem = prover.affinities.gram()
    assert not prover.d.theorem(theorem).hyps
    random = Random(7)
    for _ in range(60):
        rows = [[random.choice((0, 0, 1, 2, 5)) for _ in range(4)] for _ in "pqr"]
        rows = [[mp.mpf(m)/sum(row) for m in row] for row in rows if sum(row)]
        a = [random.randint(-5, 5) for _ in rows]
        affinities = sum(x*y*sum(sqrt(p*q) for p, q in zip(one, two, strict=True))
                         for x, one in zip(a, rows, strict=True)
                         for y, two in zip(a, rows, strict=True))
        assert affinities >= -1e-12
