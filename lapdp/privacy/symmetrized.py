"""The pair that a profile at eps >= 0 gives where the neighbouring relation is symmetric.

If all pairs of neighbours (M(D), M(D')), in both orders, have profiles below delta at eps >= 0,
then by the reversal law (Chourasia et al. 2024, (7)) they lie below 1 - e^t + e^t delta(-t) at
t < 0.  The two halves together are the profile of one pair: its losses above 0 are those of the
given pair m = (P, Q), those below 0 mirror them, and the rest of the mass has loss 0.  The rest is
1 - P(Z > 0) - Q(Z > 0); where it is negative the two halves are no profile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair

ONE = Form.of(1)


@dataclass(frozen=True, repr=False)
class Symmetrized(Pair):
    """Losses above 0 as in ``pair``, mirrored below; made by :func:`symmetrized`."""

    pair: Pair

    def reverse(self) -> Pair:
        """The pair itself: it has the same profile both ways."""
        return self

    def model(self) -> Model:
        """The exact model; :class:`Unsupported` where the pair has none, or parameters decide."""
        return self.undivided_model()

    def model_in(self, cell: Cell) -> Model:
        """The exact model in one case."""
        base = self.pair.model_in(cell)
        if base.atoms is not None:
            upper = [atom for atom in base.atoms if cell.sign(atom.z) > 0]
            p, q = (sum(masses, Scalar.of(0)) for masses in (
                [atom.a for atom in upper], [atom.b for atom in upper]))
            rest = self._rest(p + base.p_infinite, q, cell)
            atoms = (*upper, *(Atom(b, a, -z) for a, b, z in upper), Atom(rest, rest, ZERO))
            return Model.of_atoms(atoms if cell.nonzero(rest) else atoms[:-1],
                                  base.p_infinite, base.p_infinite)
        above = base.loss.after(ZERO, cell)
        p, q = bilateral(above, ZERO, cell), bilateral(above, ONE, cell)
        rest = self._rest(p + base.p_infinite, q, cell)
        loss = above + above.reflect().tilt(ONE) + Exact.impulse(ZERO, rest)
        return Model(loss, base.p_infinite, base.p_infinite)

    def _rest(self, p: Scalar, q: Scalar, cell: Cell) -> Scalar:
        rest = (1 - p - q).substitute(cell.values)
        if cell.sign_of(rest) < 0:
            raise Undefined(f"P(Z > 0) + Q(Z > 0) = {(p + q).to_sympy()} exceeds 1 for "
                            f"{self.pair!r}: it dominates no symmetric relation as it stands; "
                            "give a pair with the same profile in both directions")
        return rest

    def profile_in(self, x: Any, cell: Cell) -> Any:
        """The profile as an expression in ``x``: that of the pair from 0 on, mirrored below."""
        if self.modelled(cell):
            return super().profile_in(x, cell)
        self._check(cell)
        below = self.pair.reverse().profile_value(x)
        return sp.Piecewise((below, x < 0), (self.pair.profile_value(x), True), evaluate=False)

    def profile_at(self, point: Form, cell: Cell) -> Any:
        """The profile at one point in one case."""
        if self.modelled(cell):
            return super().profile_at(point, cell)
        self._check(cell)
        t = point.to_sympy()
        if cell.sign(point) >= 0:
            return self.pair.profile_value(t)
        return self.pair.reverse().profile_value(t)

    def profile_ball(self, t: Any) -> Any:
        """The profile at an exact number, from that of the pair."""
        from lapdp.privacy.ball_values import Point, law_of

        point = Point.of("t", t)
        if law_of(self) is not None or point.form is None:
            return super().profile_ball(point)
        self._check(Cell())
        if Cell().sign(point.form) >= 0:
            return self.pair.profile_ball(point)
        x = point.ball().exp()
        return 1 - x + x * self.pair.profile_ball(-point.form)

    def _check(self, cell: Cell) -> None:
        """P(Z > 0) = 1 - F(0) and Q(Z > 0) = 1 - F(0) - delta(0)."""
        mixed = self.pair
        try:
            # mixtures of P and Q have loss 0 where P and Q have
            base = mixed.pair if isinstance(mixed, OverlappingMixtures) else mixed
            model = base.model_in(cell)
            p = 1 - model.cdf(cell).limit(ZERO, 1, cell)
            q = p - model.profile(cell).limit(ZERO, 1, cell)
            if isinstance(mixed, OverlappingMixtures):
                p, q = (w * p + (1 - w) * q for w in mixed.weights(cell))
        except Unsupported:
            p = to_scalar(1 - mixed.loss.cdf(sp.Integer(0)))
            q = p - to_scalar(mixed.profile_value(sp.Integer(0)))
        self._rest(p, q, cell)

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """That of P outside Q, on both sides."""
        p, _ = self.pair.infinite_masses(cell)
        return p, p

    def constraints(self) -> list[Constraint]:
        """Those of the pair."""
        return self.pair.constraints()

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The pair at given parameter values, None where they are out of range."""
        found = self.pair.substitute(values)
        try:
            return None if found is None else symmetrized(found)
        except Undefined:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The masses; :class:`Unsupported` for densities."""
        kind, *data = self.pair.numeric_pair(values)
        if kind != "finite":
            raise Unsupported(f"the numeric column has no {self!r}: its losses have densities")
        upper = [(p, q) for p, q in data[0] if p > q]
        rest = 1 - sum(p + q for p, q in upper)
        return ("finite", [*upper, *((q, p) for p, q in upper), (rest, rest)])

    def __repr__(self) -> str:
        return f"symmetrized({self.pair!r})"


@fitting
def symmetrized(pair: Any) -> Pair:
    """The pair with the profile of ``pair`` at eps >= 0, and the same one when it is reversed.

    Where ``pair`` bounds the profiles of all neighbours at eps >= 0 and the neighbouring relation
    is symmetric, this pair dominates them at all eps.  Raises :class:`InputError` for what is no
    pair, :class:`Undefined` where P(Z > 0) + Q(Z > 0) > 1: then there is no such pair.  Source:
    the role of Lemma 31 of Zhu, Dong, Wang 2022.

    >>> from lapdp import finite
    >>> symmetrized(finite(["1/2", "1/2"], ["1/4", "3/4"]))
    finite(["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"])

    What is its own reverse has that profile already:

    >>> from lapdp import gaussian
    >>> symmetrized(gaussian(1))
    gaussian(1, 1)
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    if isinstance(pair, Symmetrized) or pair.reverse() == pair:
        return pair
    if not isinstance(pair, FinitePair):
        return Symmetrized(pair)
    upper = [(p, q) for p, q in pair.masses if p > q]
    rest = 1 - sum(p + q for p, q in upper)
    if rest < 0:
        raise Undefined(f"P(Z > 0) + Q(Z > 0) = {1 - rest} exceeds 1 for {pair!r}: it dominates no "
                        "symmetric relation as it stands; give a pair with the same profile in "
                        "both directions")
    middle = ((rest, rest),) if rest or not upper else ()
    return FinitePair((*upper, *((q, p) for p, q in upper), *middle))


__all__ = ["Symmetrized", "symmetrized"]
