"""Randomized response among k answers, Kairouz, Bonawitz, Ramage 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.mechanism import Card, exact_parameter, require, scalar, substituted
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class KaryResponse(Pair):
    """The outputs for two different inputs: each answer but the true one has the same mass."""

    k: Any
    eps: Any

    def model(self) -> Model:
        """Loss eps at the input of P, -eps at that of Q, and 0 at the k - 2 other answers."""
        odds, k, z = scalar(sp.exp(self.eps)), scalar(self.k), Form.of(self.eps)
        other = 1 / (odds + k - 1)
        neither = (k - 2) * other
        atoms = [Atom(odds * other, other, z), Atom(other, odds * other, -z)]
        if not neither.is_zero():
            atoms.append(Atom(neither, neither, Form({})))
        return Model.of_atoms(tuple(atoms))

    def reverse(self) -> KaryResponse:
        """The pair itself: renaming the two inputs exchanges P and Q."""
        return self

    def constraints(self) -> list[Constraint]:
        """eps >= 0 and k >= 2."""
        return [(Form.of(self.eps), ">="), (Form.of(self.k - 2), ">=")]

    def substitute(self, values: dict[Any, Any]) -> KaryResponse | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(kary_response, (self.k, self.eps), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two inputs, and all other answers as one outcome."""
        import mpmath as mp

        k, e = (in_numbers(x, values)
                for x in (self.k, self.eps))
        other = 1 / (mp.exp(e) + k - 1)
        return ("finite", [(mp.exp(e) * other, other), (other, mp.exp(e) * other),
                           ((k - 2) * other, (k - 2) * other)])

    def __repr__(self) -> str:
        return f"kary_response({self.k}, {self.eps})"


@fitting
def kary_response(k: Any, eps: Any) -> KaryResponse:
    """Randomized response among k answers: the true one has e^eps times the mass of any other.

    Arguments: ``k`` a whole number >= 2 or a symbol that is an integer, ``eps`` >= 0, exact or
    symbolic.  Raises InputError for anything else.

    >>> kary_response(4, sp.log(3)).profile(0), kary_response(2, sp.log(3)).profile(0)
    (1/3, 1/2)
    """
    n, e = exact_parameter("k", k), exact_parameter("eps", eps)
    if not n.is_integer:
        raise InputError(f"k = {n} must be a whole number, or a symbol with integer=True")
    require("k", n, n >= 2, "at least 2")
    require("eps", e, e >= 0, "at least 0")
    return KaryResponse(n, e)


CARD = Card(
    make=kary_response,
    says="k answers; the true one has e^eps times the mass of any other",
    source="Kairouz, Bonawitz, Ramage 2016",
    direction="P is the output for one input, Q for another; renaming exchanges them",
    dominating="all pairs of different inputs are this pair, up to the names of the answers",
    pitfall="A wrong mass.",
    examples=((2, sp.log(3)), (4, sp.log(3)), (10, 1), (10**9, "1/100"), (3, 0), (5, 30),
              (sp.Symbol("k", integer=True), sp.Symbol("eps", positive=True)),
              (3, sp.Symbol("eps", real=True))),
    symmetric=True,
)
