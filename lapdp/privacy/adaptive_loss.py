"""The privacy loss of a joint pair of two releases, also outside the exact class."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form
from lapdp.calculus.export import Piece, by_cases, ordered, single_case
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.adaptive import Adaptive
from lapdp.privacy.notions.loss import LossAtom, LossDistribution


class AdaptiveLoss(LossDistribution):
    """The loss of a joint pair: those of the second pairs, moved and weighted.

    >>> from lapdp import gaussian, mixture
    >>> mixture([("1/3", gaussian(1)), ("2/3", gaussian(2))], index="published").loss.cdf(0)
    erfc(sqrt(2)/4)/6 + erfc(sqrt(2)/8)/3
    """

    pair: Adaptive

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """The atoms at finite losses, in increasing order."""
        def build(cell: Cell) -> tuple[LossAtom, ...]:
            masses: dict[Form, Any] = {}
            for a, z, part in self.pair.branches(cell)[0]:
                for at, mass in part.loss.atoms:
                    place = z + to_form(at)
                    masses[place] = masses.get(place, 0) + a.to_sympy() * mass
            return tuple(LossAtom(group[0].to_sympy(), sp.Add(*(masses[at] for at in group)))
                         for group in ordered(masses, cell))

        if self._modelled():
            return super().atoms
        found: tuple[LossAtom, ...] = single_case(
            self.pair.constraints(), build, "the order of the atoms")
        return found

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The density between its breakpoints; :class:`Unsupported` outside the exact class."""
        if self._modelled():
            return super().pieces
        raise Unsupported(f"pieces of the loss of {self.pair!r}: ask density()")

    def density(self, x: Any = None) -> Any:
        """The density of the finite losses, atoms left out."""
        return self._sum("density", x)

    def generalized_density(self, x: Any = None) -> Any:
        """The density with a Dirac part at each atom."""
        return self._sum("generalized_density", x)

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= x] for real x; its limit at oo is 1 - Pr[Z = oo]."""
        return self._sum("cdf", x)

    def _modelled(self) -> bool:
        return bool(single_case(self.pair.constraints(), self.pair.modelled,
                                "the kind of the losses"))

    def _sum(self, name: str, x: Any) -> Any:
        z = self.pair.variable("z", x)

        def case(cell: Cell) -> Any:
            if self.pair.modelled(cell):
                return getattr(LossDistribution, name)(self, z)
            # each part is asked at its own point: z may be a parameter of the pair
            return sp.Add(*(a.to_sympy() * _at(part.loss, name, z - by.to_sympy())
                            for a, by, part in self.pair.branches(cell)[0]))

        return by_cases(self.pair.constraints(), case)


def _at(loss: LossDistribution, name: str, point: Any) -> Any:
    try:
        return getattr(loss, name)(point)
    except Unsupported:
        # such as sqrt(2), which is no point of the exact class
        z = sp.Dummy("z", real=True)
        return getattr(loss, name)(z).subs(z, point)


__all__ = ["AdaptiveLoss"]
