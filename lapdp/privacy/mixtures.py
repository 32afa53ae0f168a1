"""Mixtures of the two members of a pair, such as lam*P + (1 - lam)*Q of Theorem 5.1.

Two mixtures of P and Q are the image of the pair (P, Q) under a linear map of densities, outcome by
outcome: what is linear in the new pair is linear in the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.nodes import Distribution, PairOf

Weights = tuple[tuple[Any, Any], tuple[Any, Any]]
"""Coefficients of (P, Q) in the first and in the second distribution."""
PLAIN: Weights = ((sp.Integer(1), sp.Integer(0)), (sp.Integer(0), sp.Integer(1)))
REVERSED: Weights = (PLAIN[1], PLAIN[0])


def members(first: Any, second: Any) -> tuple[PairOf, Weights]:
    """The pair (P, Q) that two distributions are made of, and their coefficients in P and Q.

    Raises :class:`IllFormed` for expressions that are no combinations of the members of one pair,
    and :class:`Unsupported` for those of several distributions.

    >>> from lapdp.privacy.nodes import pair
    >>> P, Q = pair("P", "Q")
    >>> lam = sp.Symbol("lam", positive=True)
    >>> members(lam*P + (1 - lam)*Q, Q)[1]
    ((lam, 1 - lam), (0, 1))
    """
    identity, rows = coefficients(first, second)
    if len(identity.names) != 2:
        raise Unsupported(f"{first} and {second} are of {len(identity.names)} distributions")
    (a, b), (c, d) = rows
    return identity, ((a, b), (c, d))


def coefficients(first: Any, second: Any) -> tuple[PairOf, tuple[tuple[Any, ...], ...]]:
    """The pair, or the several distributions on one space, that two distributions are made of, and
    how often each occurs in the first and in the second.

    Raises :class:`IllFormed` for expressions that are no combinations of those.

    >>> from lapdp.privacy.nodes import distributions
    >>> A, B, C = distributions("A B C")
    >>> coefficients(A, (B + C)/2)[1]
    ((1, 0, 0), (0, 1/2, 1/2))
    """
    found = {d.pair for e in (first, second) for d in sp.sympify(e).atoms(Distribution)}
    if len(found) != 1:
        raise IllFormed(f"{first} and {second} are not made of the two members of one pair")
    identity = found.pop()
    return identity, tuple(_weights(e, len(identity.names)) for e in (first, second))


def _weights(e: Any, count: int) -> tuple[Any, ...]:
    weights = [sp.Integer(0)] * count
    if isinstance(e, Distribution):
        weights[e.side] = sp.Integer(1)
        return tuple(weights)
    for term in sp.Add.make_args(sp.expand(sp.sympify(e))):
        here = [x for x in sp.Mul.make_args(term) if isinstance(x, Distribution)]
        if len(here) != 1 or (term / here[0]).atoms(Distribution):
            raise IllFormed(f"{e} is no distribution: {term} is no multiple of one")
        weights[here[0].side] += term / here[0]
    return tuple(map(sp.expand, weights))


def is_mixture(first: Any, second: Any) -> bool:
    """Are two distributions something else than the two members of one pair?"""
    return coefficients(first, second)[1] not in (PLAIN, REVERSED)


Rows = tuple[tuple[Scalar, Scalar], tuple[Scalar, Scalar]]


def require_weights(rows: Sequence[Sequence[Scalar]], cell: Cell) -> None:
    """Raises :class:`Undefined` unless each row is non-negative and sums to 1 in the cell."""
    for row in rows:
        if any(cell.sign_of(w) < 0 for w in row):
            raise Undefined("a mixture with a negative weight is no distribution")
        if not cell.vanishes(sum(row, Scalar.of(-1))):
            raise Undefined("a mixture whose weights do not sum to 1 is no distribution")


def mix(model: Model, rows: Rows, cell: Cell) -> Model:
    """The model of (w11 P + w12 Q, w21 P + w22 Q), for a kernel or a pair of atoms.

    Raises :class:`Undefined` unless each row is non-negative and sums to 1 in the cell, and
    :class:`Unsupported` for a pair with a continuous loss.
    """
    require_weights(rows, cell)
    if model.atoms is None:
        raise Unsupported("a mixture of a pair with a continuous loss")
    outcomes: list[tuple[Scalar, Scalar]] = [(a, b) for a, b, _ in model.atoms]
    outcomes += [(model.p_infinite, Scalar.of(0)), (Scalar.of(0), model.q_infinite)]
    atoms: list[Atom] = []
    p_infinite = q_infinite = Scalar.of(0)
    for a, b in outcomes:
        first, second = (w * a + v * b for w, v in rows)
        if not cell.nonzero(second):
            p_infinite = p_infinite + first
        elif not cell.nonzero(first):
            q_infinite = q_infinite + second
        else:
            atoms.append(Atom(first, second, log_form(first / second)))
    return Model.of_atoms(tuple(atoms), p_infinite, q_infinite)


__all__ = ["PLAIN", "REVERSED", "Weights", "coefficients", "is_mixture", "members", "mix",
           "require_weights"]
