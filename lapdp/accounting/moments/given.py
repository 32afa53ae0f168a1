"""A pair given that its losses are finite, to which delta of any pair comes back.

Let M and N be the masses that P and Q have where both have some, P' = P/M and Q' = Q/N there.  Then

    delta(eps) = 1 - M + M delta'(eps + log(N/M))

with the profile delta' of (P', Q'), for P - e^eps Q is M (P' - e^eps (N/M) Q') there; and M, N and
the pair are products over independent releases.  So no rule needs to know of infinite losses.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.moments.pieces import OnPiece, Piece
from lapdp.accounting.moments.piecewise import Atom, PiecewiseSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Named
from lapdp.calculus.linear import Constraint
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.model import Atom as Loss
from lapdp.privacy.model import Model
from lapdp.privacy.operations import counted
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair

ONE, NONE = Scalar.of(1), Scalar.of(0)
SIGN_BITS = 200
"""In which the larger one of two masses is seen."""


@dataclass(frozen=True, repr=False)
class Given(Pair):
    """P where Q has mass and Q where P has some, each made a probability."""

    pair: Pair

    @property
    def mixture(self) -> OverlappingMixtures | None:
        """The pair, if its losses are moved out of the exact class."""
        found = self.pair
        return found if isinstance(found, OverlappingMixtures) and not found.atomic(
            Cell()) else None

    def model(self) -> Model:
        """That of the pair without parameters."""
        return self.model_in(Cell())

    def model_in(self, cell: Cell) -> Model:
        """Masses over what is left, losses moved by log(N/M)."""
        base = self.pair.model_in(cell)
        m, n = ONE - base.p_infinite, ONE - base.q_infinite
        by = log_form(n / m)
        if base.atoms is not None:
            return Model.of_atoms(tuple(Loss(a / m, b / n, z + by) for a, b, z in base.atoms))
        return Model(base.loss.scale(ONE / m).shift(by), NONE, NONE)

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """None."""
        return NONE, NONE

    def reverse(self) -> Given:
        """The reversed pair, given the same."""
        return Given(self.pair.reverse())

    def constraints(self) -> list[Constraint]:
        """Those of the pair."""
        return self.pair.constraints()

    def substitute(self, values: dict[Any, Any]) -> Given | None:
        """At given parameter values, None where they are out of range."""
        found = self.pair.substitute(values)
        return None if found is None else Given(found)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """None: certified numbers alone are made of it."""
        raise Unsupported(f"the numeric column has no {self!r}")

    def __repr__(self) -> str:
        return f"given_finite({self.pair!r})"


@dataclass(frozen=True, eq=False)
class Finite:
    """A pair given that its losses are finite, and what is known of those that are not."""

    pair: Pair
    lost: tuple[tuple[Scalar, Scalar, int], ...]
    """The P-mass and the Q-mass of infinite losses of each release, and its copies."""

    def mass(self) -> Any:
        """A ball around 1 - M, as sharp as it is small."""
        return -sum((k * _log(p) for p, _, k in self.lost), flint.arb(0)).expm1()

    @cached_property
    def shift(self) -> Any:
        """log(N/M), exactly: 0, a logarithm of fractions, or a letter or its negative."""
        if all(p == q for p, q, _ in self.lost):
            return sp.Integer(0)
        rows = [(_fraction(ONE - p), _fraction(ONE - q), k) for p, q, k in self.lost]
        if all(m is not None and n is not None for m, n, _ in rows):
            # an eps that it moves to 0 is seen to be 0
            return sum(k * sp.log(sp.Rational(n) / sp.Rational(m)) for m, n, k in rows)

        def ball() -> Any:
            return sum((k * (_log(q) - _log(p)) for p, q, k in self.lost), flint.arb(0))

        with workprec(SIGN_BITS):
            side = ball()
        if not (side > 0 or side < 0):
            raise Unsupported("the masses of finite losses are not told apart")
        sign = 1 if side > 0 else -1
        return sign * _named(f"|log(N/M)| of {self.pair!r}", lambda: sign * ball())


@lru_cache(maxsize=64)
def finite(pair: Pair) -> Finite | None:
    """The pair given that losses are finite in both directions; None where all are.

    >>> from lapdp import laplace, truncated_laplace
    >>> found = finite(truncated_laplace(1, 2)**3 * laplace(1))
    >>> found.pair, found.shift
    (given_finite(truncated_laplace(1, 2, 1))**3*laplace(1, 1), 0)
    >>> finite(laplace(1)) is None
    True
    """
    rows = [(factor, count, *factor.infinite_masses(Cell()))
            for factor, count in counted(pair).items()]
    if all(p.is_zero() and q.is_zero() for _, _, p, q in rows):
        return None
    factors = ((factor if p.is_zero() and q.is_zero() else Given(factor))**count
               for factor, count, p, q in rows)
    return Finite(reduce(operator.mul, factors), tuple((p, q, k) for _, k, p, q in rows))


def _fraction(x: Scalar) -> Any:
    """A mass as a fraction; None for any other number."""
    form = x.as_form()
    return None if form is None else form.constant()


def _log(lost: Scalar) -> Any:
    """A ball around log(1 - x)."""
    return (-enclose(lost, {}).real).log1p()


def _named(name: str, ball: Callable[[], Any]) -> Any:
    """A letter for a positive number, which is worked out once for each precision: written out it
    may have hundreds of terms."""
    known: dict[int, Any] = {}

    def value() -> Any:
        if flint.ctx.prec not in known:
            known[flint.ctx.prec] = flint.acb(ball())
        return known[flint.ctx.prec]

    return Named(sp.Symbol(name), value)


@dataclass(frozen=True)
class Moved(OnPiece):
    """A piece whose losses are moved, and its masses made larger."""

    base: Piece
    by: Form
    factor: Scalar
    kept: dict[int, tuple[Any, Any]] = field(default_factory=dict, compare=False)
    """Both in balls, by working precision."""

    def _balls(self) -> tuple[Any, Any]:
        found = self.kept.get(flint.ctx.prec)
        if found is None:
            found = self.kept[flint.ctx.prec] = enclose(self.by, {}), enclose(self.factor, {})
        return found

    def holds(self, box: Any) -> bool:
        """Where the piece does."""
        return self.base.holds(box)

    def loss(self, x: Any) -> Any:
        """That of the piece, moved."""
        return self.base.loss(x) + self._balls()[0]

    def slope(self, x: Any) -> Any:
        """That of the piece."""
        return self.base.slope(x)

    def density(self, x: Any) -> Any:
        """That of the piece, made larger."""
        return self.base.density(x) * self._balls()[1]

    def law(self, z: Any) -> Any:
        """That of the piece where it was."""
        by, factor = self._balls()
        return self.base.law(z - by) * factor

    def beyond(self, place: Any, side: int, order: Any) -> Any:
        """Every loss l counts for e^((order - 1) by) as much."""
        by, factor = self._balls()
        return self.base.beyond(place, side, order) * (
            (order - 1) * by.real).exp() * factor.real


def given(spectrum: PiecewiseSpectrum, pair: Pair) -> PiecewiseSpectrum:
    """The moments of a pair, given that losses are finite."""
    p, q = pair.infinite_masses(Cell())
    by = _less(f"P of {pair!r}", p) - _less(f"Q of {pair!r}", q)
    factor = ONE if p.is_zero() else Scalar.of(Form.atom(_named(
        f"1/M of {pair!r}", lambda: 1 / (1 - enclose(p, {}).real))))
    atoms = tuple(Atom(atom.loss + by, atom.mass * factor) for atom in spectrum.atoms)
    pieces = tuple(Moved(piece, by, factor) for piece in spectrum.pieces)
    largest, usual = (None if loss is None else loss + by
                      for loss in (spectrum.largest, spectrum.usual))
    return PiecewiseSpectrum(atoms, pieces, NONE, largest, spectrum.lower, spectrum.upper,
                             usual=usual)


def _less(name: str, lost: Scalar) -> Form:
    """-log(1 - x)."""
    if lost.is_zero():
        return Form({})
    return Form.atom(_named(f"-log(1 - x), x = {name}", lambda: -_log(lost)))


__all__ = ["Finite", "Given", "finite", "given"]
