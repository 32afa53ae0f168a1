"""Every mechanism obeys every law, by the strongest method that reaches it; wrong pairs do not.

``laws.json`` records the methods: none may become weaker unnoticed.  A new mechanism needs no edit;
``python -m tests.library.test_laws`` writes the record anew.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from lapdp import finite, laplace, poisson, randomized_response
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import InputError, LapdpError
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.mechanisms import CARDS
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.testing.laws import LAWS, STRENGTH, check
from tests.patience import with_nightly

RECORD = Path(__file__).with_name("laws.json")


def pairs():
    """All announced examples; of the first of each mechanism what is derived from it, too."""
    for card in CARDS.values():
        examples = card.pairs()
        yield from examples
        first = examples[0]
        yield first.reverse()
        yield first * first
        yield first * randomized_response(sp.log(3), "1/10")
        for direction in ("remove", "add"):
            try:
                yield poisson(first, "1/4", direction=direction)
            except LapdpError:
                continue


EVERY = {repr(pair): pair for pair in pairs()}
# signs of a difference whose terms are as small as e^-5000 take minutes
LONG = {("gaussian(1/100, 1)", "bounds"), ("gaussian(1/100, 1)", "dominance")}


def outcomes(name):
    finite_pair = isinstance(EVERY[name], FinitePair)
    return check(EVERY[name], [n for n, law in LAWS.items() if (name, n) not in LONG and (
        finite_pair or not law.reaches_finite_pairs_alone)])


@cache
def recorded():
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


# a wide lattice, and two normal densities of unlike widths, whose curves are balls
@pytest.mark.parametrize("name", with_nightly(
    EVERY, "discrete_gaussian(20, 1)", repr(CARDS["densities"].pairs()[6])))
def test_every_pair_obeys_every_law(name):
    known = recorded().get(name, {})
    for outcome in outcomes(name):
        assert outcome.holds is not False, str(outcome)
        before = known.get(outcome.law, outcome.method)
        assert STRENGTH[outcome.method] >= STRENGTH[before], f"{outcome}, it was {before}"


def test_most_laws_are_decided_for_all_points():
    """The record is no list of confirmations at points."""
    methods = [m for laws in recorded().values() for m in laws.values()]
    strong = sum(STRENGTH[m] == 3 for m in methods)
    assert strong > 2 * len(methods) / 3 and set(methods) <= set(STRENGTH)
    assert {name for laws in recorded().values() for name in laws} == set(LAWS)


# -- wrong pairs ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Stated(Pair):
    """A pair that states whatever models it was given."""

    forward: Any
    backward: Any = None

    def model(self):
        return self.forward

    def reverse(self):
        return super().reverse() if self.backward is None else Stated(self.backward, self.forward)

    def constraints(self):
        return []

    def substitute(self, values):
        return self

    def numeric_pair(self, values):
        raise NotImplementedError

    @property
    def free_symbols(self):
        return set()

    def __repr__(self):
        return "stated"


def atoms(*masses, lost=0, unseen=0):
    """A model of (P-mass, Q-mass, loss)."""
    return Model.of_atoms(tuple(
        Atom(Scalar.of(Fraction(a)), Scalar.of(Fraction(b)), Form.of(z)) for a, b, z in masses),
        Fraction(lost), Fraction(unseen))


LN2 = sp.log(2)
GOOD = laplace(1).model()
EXPONENTIAL = CARDS["exponential"].make(1, 2).model()
WRONG = {
    # the P-mass 1/10 at loss oo is forgotten
    "missing mass at infinity": (Stated(atoms(("3/5", "3/10", LN2), ("3/10", "3/5", -LN2),
                                              unseen="1/10")), "limits"),
    # the reversed pair claims the profile of the forward one
    "no reversal": (Stated(EXPONENTIAL, EXPONENTIAL), "reversal"),
    # the law of the loss under Q in place of that under P
    "loss under Q": (Stated(Model(GOOD.loss.tilt(Form.of(-1)), GOOD.p_infinite, GOOD.q_infinite)),
                     "limits"),
    # densities that integrate to 9/10
    "not normalised": (Stated(Model(GOOD.loss.scale(Scalar.of(Fraction(9, 10))),
                                    Scalar.of(0), Scalar.of(0))), "limits"),
    # losses rounded up to a grid, with the mass of P only: Q is no longer a distribution
    "rounded to a grid": (Stated(Model(Exact.impulse(Form.of(1), Fraction(3, 4))
                                       + Exact.impulse(Form.of(-1), Fraction(1, 4)),
                                       Scalar.of(0), Scalar.of(0))), "limits"),
    # a negative mass
    "a negative mass": (Stated(atoms(("6/5", "3/5", LN2), ("-1/5", "-2/5", -LN2),
                                     unseen="4/5")), "convexity"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_pairs_are_caught(name):
    pair, law = WRONG[name]
    caught = [o for o in check(pair) if o.holds is False]
    assert law in [o.law for o in caught] and all(o.detail for o in caught)


class Shrunken(FinitePair):
    """A finite pair whose products forget that infinite losses add up."""

    def _times(self, other):
        whole = super()._times(other)
        return finite([p for p, _ in whole.masses], [p for p, _ in whole.masses])


class Lowered(FinitePair):
    """A finite pair whose profile is too small at some points."""

    def hockey_stick(self, alpha):
        return super().hockey_stick(alpha) * Fraction(9, 10)


@pytest.mark.parametrize(("kind", "law"), [
    (Shrunken, "composition"), (Shrunken, "dominance"), (Lowered, "limits"), (Lowered, "reversal"),
    (Lowered, "data processing"), (Lowered, "bounds")])
def test_wrong_finite_pairs_are_caught(kind, law):
    right = finite(["1/2", "3/10", "1/5"], ["1/5", "3/10", "1/2"])
    assert check(right, [law])[0].holds is True
    found = check(kind(right.masses), [law])[0]
    assert found.holds is False and found.method == "exact" and found.detail


def test_bad_input():
    with pytest.raises(InputError, match="is no pair"):
        check("laplace")
    with pytest.raises(InputError, match="there is no law 'symmetry'; there are limits"):
        check(laplace(1), ["symmetry"])


if __name__ == "__main__":
    found = {name: {o.law: o.method for o in outcomes(name)} for name in EVERY}
    RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
