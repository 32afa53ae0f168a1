"""The privacy loss distribution of a pair as SymPy objects: atoms, densities, mass at infinity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import sympy as sp

from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.export import (
    Piece,
    by_cases,
    exact_to_sympy,
    ordered,
    pieces,
    single_case,
)
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral, multiply
from lapdp.core.errors import Undefined
from lapdp.privacy.notions.notion import Notion

if TYPE_CHECKING:
    from lapdp.balls.decimals import Enclosure


class LossAtom(NamedTuple):
    """A value of the loss that has positive probability under P."""

    loss: Any
    mass: Any


@dataclass(frozen=True, repr=False)
class LossDistribution(Notion):
    """PLD(P||Q), the law of Z = log(P/Q) under P, Definition 3.1.

    >>> from lapdp import laplace
    >>> Z = laplace(1).loss
    >>> Z.atoms
    (LossAtom(loss=-1, mass=exp(-1)/2), LossAtom(loss=1, mass=1/2))
    >>> Z.pieces
    (Piece(lower=-1, upper=1, expression=exp(-1/2)*exp(z/2)/4),)
    >>> Z.mass_at_infinity
    0
    """

    name: ClassVar[str] = "loss"
    letter: ClassVar[str] = "z"
    title: ClassVar[str] = "privacy loss distribution"
    sign: ClassVar[str] = "f_Z"

    @staticmethod
    def of(atoms: Mapping[Any, Any] | Sequence[tuple[Any, Any]] = (), density: Any = 0,
           mass_at_infinity: Any = 0, z: Any = None, where: Sequence[Any] = ()) -> LossDistribution:
        """The privacy loss with these atoms, this density and Pr[Z = oo], as that of ``law``.

        Arguments and errors are those of :func:`lapdp.law`.

        >>> import sympy as sp
        >>> LossDistribution.of({sp.log(3): "3/4", -sp.log(3): "1/4"}).moment(2)
        7/3
        """
        from lapdp.privacy.mechanisms.law import law

        return law(atoms, density, mass_at_infinity, z, where).loss

    @property
    def dual(self) -> LossDistribution:
        """PLD(Q||P): the loss of the reversed pair."""
        return self.pair.reverse().loss

    @property
    def mass_at_infinity(self) -> Any:
        """Pr[Z = oo]."""
        return self.pair.infinite_mass()

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """The atoms at finite losses, in increasing order.

        Raises :class:`Unsupported` where their order depends on the parameters.
        """
        def build(cell: Cell) -> tuple[LossAtom, ...]:
            impulses = self._measure(cell).impulses
            return tuple(LossAtom(at.to_sympy(), impulses[at][0].to_sympy())
                         for group in ordered(impulses, cell) for at in group)

        found: tuple[LossAtom, ...] = single_case(
            self.pair.constraints(), build, "the order of the atoms")
        return found

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The density of the finite losses between its breakpoints, in the variable ``z``.

        Raises :class:`Unsupported` where their order depends on the parameters.
        """
        z = self.pair.variable("z")
        found = single_case(
            self.pair.constraints(),
            lambda cell: pieces(Exact(*self._function(cell)), z, cell), "the order of the pieces")
        return tuple(piece for piece in found if piece.expression != 0)

    def value(self, x: Any = None) -> Any:
        """Pr[Z <= x]."""
        return self.cdf(x)

    def to_sympy(self) -> Any:
        """The density with its Dirac parts."""
        return self.generalized_density()

    def curves(self) -> dict[str, Any]:
        """The distribution function and, where there is one, the density beside the atoms."""
        density = self.density()
        return {self.name: self.cdf(), **({f"{self.name}_density": density} if density else {})}

    def density(self, x: Any = None) -> Any:
        """The density of the finite losses as a Piecewise, atoms left out."""
        return self.pair.curve(lambda model, cell: model.loss, self.pair.variable("z", x))

    def generalized_density(self, x: Any = None) -> Any:
        """The density with a Dirac part at each atom, footnote 7.

        >>> from lapdp import finite
        >>> finite(["3/4", "1/4"], ["1/4", "3/4"]).loss.generalized_density()
        3*DiracDelta(z - log(3))/4 + DiracDelta(z + log(3))/4
        """
        z = self.pair.variable("z", x)
        return by_cases(self.pair.constraints(),
                        lambda cell: exact_to_sympy(self._measure(cell), z, cell))

    @property
    def mean(self) -> Any:
        """E[Z], the Kullback-Leibler divergence, oo where Pr[Z = oo] > 0.

        >>> from lapdp import laplace
        >>> laplace(1).loss.mean
        exp(-1)
        """
        return by_cases(self.pair.constraints(), lambda cell: self._power(1, cell))

    @property
    def variance(self) -> Any:
        """E[Z^2] - E[Z]^2; :class:`Undefined` where Pr[Z = oo] > 0.

        >>> from lapdp import exponential
        >>> exponential(1, 2).loss.variance
        1
        """
        def build(cell: Cell) -> Any:
            if cell.nonzero(self.pair.infinite_masses(cell)[0]):
                raise Undefined("a loss that is oo with positive probability has no variance")
            return sp.expand(self._power(2, cell) - self._power(1, cell) ** 2)

        return by_cases(self.pair.constraints(), build)

    def _power(self, n: int, cell: Cell) -> Any:
        """E[Z^n], of both signs of Z finite: E[e^-Z] is, and exponential tails have all powers."""
        if cell.nonzero(self.pair.infinite_masses(cell)[0]):
            return sp.oo
        weighted = self._measure(cell)
        for _ in range(n):
            weighted = multiply(weighted, Exact.term(1, 0, 1), cell)
        return bilateral(weighted, ZERO, cell).to_sympy()

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= x] for real x; its limit at oo is 1 - Pr[Z = oo].

        >>> from lapdp import finite
        >>> finite(["1/2", "1/2"], [1, 0]).loss.cdf()
        Piecewise((0, z < -log(2)), (1/2, True))
        """
        return self.pair.curve(lambda model, cell: model.cdf(cell), self.pair.variable("z", x))

    def tail(self, x: Any = None) -> Any:
        """Pr[Z > x] for real x, infinite losses counted: the delta of probabilistic privacy.

        With probability 1 - Pr[Z > eps] the loss is at most eps: the pair is (eps, delta)-PDP
        exactly where this tail, and that of the reversed pair, are at most delta.  The notion is
        not closed under post-processing.  Source: Sommer et al. 2020, Definition 7 and Lemma 7.

        >>> from lapdp import finite
        >>> before = finite(["1/2", "1/2", 0], [0, "1/2", "1/2"])
        >>> after = finite([1, 0], ["1/2", "1/2"])  # the first two outcomes as one
        >>> before.loss.tail(0), after.loss.tail(0)
        (1/2, 1)
        """
        return sp.piecewise_fold(1 - self.cdf(x))

    def tail_at(self, z: Any, digits: int = 30) -> Enclosure:
        """Pr[Z > z] at an exact number, with a proved error bound; raises as :meth:`cdf_at`.

        A tail that is 0 has no relative digits: ask :meth:`tail` for its closed form.

        >>> from lapdp import gaussian
        >>> print(gaussian(1).loss.tail_at(1, digits=15))
        0.3085375387259869 +/- 5.01e-17
        """
        from lapdp.balls.decimals import certified
        from lapdp.privacy.ball_values import Point

        point = Point.of(self.letter, z)
        return certified(lambda bits: 1 - self.pair.cdf_ball(point.exact), digits)

    def cdf_at(self, z: Any, digits: int = 30) -> Enclosure:
        """Pr[Z <= z] at an exact number to ``digits`` relative digits, with a proved error bound.

        The pair must be without symbols; raises as ``profile.at``.

        >>> from lapdp import laplace
        >>> print((laplace(1) ** 30).loss.cdf_at(-30, digits=10))
        8.7149655156e-23 +/- 5.01e-34
        """
        from lapdp.balls.decimals import certified
        from lapdp.privacy.ball_values import Point

        point = Point.of(self.letter, z)
        return certified(lambda bits: self.pair.cdf_ball(point.exact), digits)

    def _measure(self, cell: Cell) -> Exact:
        return self.pair.model_in(cell).loss

    def _function(self, cell: Cell) -> tuple[Any, Any]:
        loss = self._measure(cell)
        return loss.germ, loss.jumps


class SmoothLoss(LossDistribution):
    """A loss with a density on the whole line and no atoms."""

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """None."""
        return ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """One density on the whole line."""
        return (Piece(-sp.oo, sp.oo, self.density()),)

    def generalized_density(self, x: Any = None) -> Any:
        """The same as the density: there are no atoms."""
        return self.density(x)
