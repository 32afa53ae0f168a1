"""A first release with finitely many outcomes, then one that may depend on the outcome.

The joint pair has the masses P1(x) P2^x(y): with a = P1(x), b = Q1(x) and z = log(a/b) outcome x
contributes a times the second pair, its losses moved by z (Chourasia et al. 2024, (57)).  A mixture
whose index is published is the case a = b.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.enclose import enclose
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.finite import FinitePair, exact
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes, outcomes
from lapdp.privacy.model import INFINITE, Atom, Infinite, Model, zero_power
from lapdp.privacy.notions.loss import LossDistribution
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

ZERO = Scalar.of(0)
ONE = Form.of(1)


@dataclass(frozen=True, repr=False)
class Adaptive(Pair):
    """The joint pair of ``first`` and, after its i-th outcome, ``parts[i]``."""

    first: Any
    parts: tuple[Pair, ...]

    def reverse(self) -> Pair:
        """Both releases reversed."""
        rows = _rows(self.first)
        table = {name: (q, p) for name, p, q in rows}
        first = self.first.reverse() if isinstance(self.first, FinitePair) else outcomes(
            table, where=list(self.first.conditions))
        return Adaptive(first, tuple(part.reverse() for part in self.parts))

    def branches(self, cell: Cell) -> tuple[list[tuple[Scalar, Form, Pair]], Scalar, Scalar]:
        """(a, z, second pair) of each outcome that both have, and the masses that one has alone."""
        found, p_infinite, q_infinite = [], ZERO, ZERO
        for (_, p, q), part in zip(_rows(self.first), self.parts, strict=True):
            a, b = (to_scalar(x).substitute(cell.values) for x in (p, q))
            if not cell.nonzero(a):
                q_infinite = q_infinite + b
            elif not cell.nonzero(b):
                p_infinite = p_infinite + a
            else:
                found.append((a, log_form(a / b), part))
        return found, p_infinite, q_infinite

    # -- the exact model -------------------------------------------------------------------------

    def model(self) -> Model:
        """The exact model; :class:`Unsupported` where a second pair has none."""
        return self.undivided_model()

    def model_in(self, cell: Cell) -> Model:
        """The exact model in one case: linear in the second pairs."""
        found, p_infinite, q_infinite = self.branches(cell)
        loss, atoms = Exact(), dict[Form, tuple[Scalar, Scalar]]()
        atomic = True
        for a, z, part in found:
            model, b = part.model_in(cell), a * Scalar.exp(-z)
            p_infinite = p_infinite + a * model.p_infinite
            q_infinite = q_infinite + b * model.q_infinite
            loss = loss + model.loss.shift(z).scale(a)
            atomic = atomic and model.atoms is not None
            for atom in model.atoms or ():
                p, q = atoms.get(atom.z + z, (ZERO, ZERO))
                atoms[atom.z + z] = (p + a * atom.a, q + b * atom.b)
        if not atomic:
            return Model(loss, p_infinite, q_infinite)
        return Model.of_atoms(tuple(Atom(p, q, z) for z, (p, q) in atoms.items()),
                              p_infinite, q_infinite)

    # -- notions ---------------------------------------------------------------------------------

    def profile_in(self, x: Any, cell: Cell) -> Any:
        """The profile as an expression in ``x``: the sum of a delta(x - z) over the outcomes."""
        return super().profile_in(x, cell) if self.modelled(cell) else self._profile(x, cell)

    def profile_at(self, point: Form, cell: Cell) -> Any:
        """The profile at one point in one case."""
        return super().profile_at(point, cell) if self.modelled(cell) else (
            self._profile(point.to_sympy(), cell))

    def _profile(self, t: Any, cell: Cell) -> Any:
        found, alone, _ = self.branches(cell)
        return sp.Add(alone.to_sympy(), *(
            a.to_sympy() * part.profile_value(t - z.to_sympy()) for a, z, part in found))

    def profile_ball(self, t: Any) -> Any:
        """The profile at an exact number, as the sum of those of the second pairs."""
        from lapdp.privacy.ball_values import Point, law_of

        point = Point.of("t", t)
        if law_of(self) is not None or point.form is None:
            return super().profile_ball(point)
        found, alone, _ = self.branches(Cell())
        total = enclose(alone, {}).real
        for a, z, part in found:
            total += enclose(a, {}).real * part.profile_ball(point.form - z)
        return total

    @property
    def loss(self) -> LossDistribution:
        """The privacy loss distribution."""
        from lapdp.privacy.adaptive_loss import AdaptiveLoss

        return AdaptiveLoss(self)

    def moment_at(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """The sum of a^q b^(1-q) E_q over the outcomes, with 0^0 = 1."""
        found, p_infinite, q_infinite = self.branches(cell)
        total = ZERO
        for mass, distance in ((p_infinite, ONE - q), (q_infinite, q)):
            if cell.nonzero(mass):
                power = zero_power(distance, cell)
                if isinstance(power, Infinite):
                    return INFINITE
                total = total + mass * power
        for a, z, part in found:
            value = part.moment_at(q, cell)
            if isinstance(value, Infinite):
                return INFINITE
            total = total + a * Scalar.exp((q - ONE) * z) * value
        return total

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """E_q for symbolic q: what one side has alone counts 0 on the strip."""
        found, _, _ = self.branches(cell)
        return sp.Add(*((a * Scalar.exp((q - ONE) * z)).to_sympy() * part.formal_moment(q, cell)
                        for a, z, part in found))

    def region_in(self, cell: Cell) -> Region:
        """Orders at which every second pair converges."""
        found, p_infinite, q_infinite = self.branches(cell)
        region = Region.everything()
        for _, _, part in found:
            region = region.intersect(part.region_in(cell), cell)
        if cell.nonzero(p_infinite):
            region = region.intersect(Region.left_of(1), cell)
        if cell.nonzero(q_infinite):
            region = region.intersect(Region.right_of(0), cell)
        return region

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """Those of the first release, and of the second after what both have."""
        found, p_infinite, q_infinite = self.branches(cell)
        for a, z, part in found:
            p, q = part.infinite_masses(cell)
            p_infinite = p_infinite + a * p
            q_infinite = q_infinite + a * Scalar.exp(-z) * q
        return p_infinite, q_infinite

    # -- parameters ------------------------------------------------------------------------------

    def constraints(self) -> list[Constraint]:
        """Those of all pairs."""
        return [*self.first.constraints(), *(c for part in self.parts for c in part.constraints())]

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols of all pairs."""
        return {s for pair in (self.first, *self.parts) for s in pair.free_symbols}

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The pair at given parameter values, None where they are out of range."""
        first = self.first.substitute(values)
        parts = [part.substitute(values) for part in self.parts]
        return None if first is None or None in parts else _joined(first, tuple(parts))

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The products of masses; :class:`Unsupported` where a second pair has densities."""
        found = []
        for (a, b), part in zip(self.first.numeric_pair(values)[1], self.parts, strict=True):
            kind, *data = part.numeric_pair(values)
            if kind != "finite":
                raise Unsupported(f"the numeric column has no {self!r}: {part!r} has densities")
            found += [(a * p, b * q) for p, q in data[0]]
        return ("finite", found)

    def __repr__(self) -> str:
        rows = _rows(self.first)
        if all(p == q for _, p, q in rows):
            parts = ", ".join(f"({_written(p)}, {part!r})"
                              for (_, p, _), part in zip(rows, self.parts, strict=True))
            return f"mixture([{parts}], index='published')"
        return f"adaptive({self.first!r}, [{', '.join(map(repr, self.parts))}])"


@fitting
def adaptive(first: Any, then: Any) -> Pair:
    """The joint pair of two releases, the second chosen by the outcome of the first.

    ``first`` is a finite pair or one of named outcomes; ``then`` lists the second pair after each
    outcome, in order, or by name.  Raises :class:`InputError` where they do not fit.  Source:
    Chourasia et al. 2024, (57).

    >>> from lapdp import finite, laplace
    >>> coin = finite(["2/3", "1/3"], ["1/3", "2/3"])
    >>> adaptive(coin, [coin, finite([1], [1])])
    finite(["4/9", "2/9", "1/3"], ["1/9", "2/9", "2/3"])
    >>> adaptive(coin, [laplace(1), laplace(2)]).moment(0)
    1
    """
    if not isinstance(first, (FinitePair, NamedOutcomes)):
        raise InputError(f"{str(first)[:40]} has no finite list of outcomes: write a finite pair "
                         "such as finite(P, Q), outcomes({...}) or coarsen(m, cuts)")
    names = [name for name, _, _ in _rows(first)]
    if isinstance(then, Mapping):
        if set(then) != set(names):
            raise InputError(f"the second releases must be given for the outcomes {names}")
        then = [then[name] for name in names]
    if isinstance(then, (str, Pair)) or not isinstance(then, Sequence) or len(then) != len(names):
        raise InputError(f"give one second release for each of the {len(names)} outcomes")
    for part in then:
        if not isinstance(part, Pair):
            raise InputError(f"{str(part)[:40]} is no pair: write a mechanism such as laplace(1)")
    return _joined(first, tuple(then))


@fitting
def mixture(parts: Any, index: str) -> Pair:
    """A pair drawn at random from ``[(weight, pair), ...]``, by a coin that the data do not touch.

    ``index`` has no default: ``"published"`` tells which pair was drawn, so that profile, loss and
    moment are the weighted sums; ``"hidden"`` does not, for finite pairs on the same outcomes, and
    its profile lies nowhere above.  Weights are exact numbers or symbols; they sum to 1.  Raises
    :class:`InputError` for anything else.

    >>> from lapdp import finite, laplace
    >>> mixture([("1/2", laplace(1)), ("1/2", laplace(2))], index="published").profile(0)
    (-exp(1/4) - 1 + 2*exp(1/2))*exp(-1/2)/2
    >>> coin = finite(["2/3", "1/3"], ["1/3", "2/3"])
    >>> mixture([("1/2", coin), ("1/2", coin.reverse())], index="hidden")
    finite(["1/2", "1/2"], ["1/2", "1/2"])
    """
    if index not in ("published", "hidden"):
        raise InputError(f"index = {str(index)[:40]} must be a word: 'published' or 'hidden'")
    if isinstance(parts, (str, Pair)) or not isinstance(parts, Sequence) or not parts:
        raise InputError("a mixture is a list of (weight, pair)")
    for part in parts:
        if not isinstance(part, Sequence) or len(part) != 2 or not isinstance(part[1], Pair):
            raise InputError(f"{str(part)[:40]} must be (weight, pair), such as (1/2, laplace(1))")
    weights = [exact_parameter("weight", weight) for weight, _ in parts]
    pairs = tuple(pair for _, pair in parts)
    if index == "hidden":
        return _hidden(weights, pairs)
    if all(w.is_Rational for w in weights):
        masses = tuple((exact(w, "weight"),) * 2 for w in weights)
        if any(p < 0 for p, _ in masses) or sum(p for p, _ in masses) != 1:
            raise InputError("the weights must be >= 0 and sum to 1")
        return _joined(FinitePair(masses), pairs)
    named = {str(i): (w, w) for i, w in enumerate(weights)}
    where = [sp.Ge(w, 0) for w in weights if w.free_symbols]
    return _joined(outcomes(named, where=where), pairs)


def _hidden(weights: list[Any], pairs: tuple[Pair, ...]) -> Pair:
    members = [pair for pair in pairs if isinstance(pair, FinitePair)]
    if len(members) < len(pairs) or len({len(pair.masses) for pair in members}) != 1:
        raise InputError("a mixture with a hidden index needs finite pairs on the same outcomes")
    if not all(w.is_Rational and w >= 0 for w in weights) or sum(weights) != 1:
        raise InputError("the weights must be >= 0 and sum to 1")
    shares = [exact(w, "weight") for w in weights]

    def mixed(row: tuple[tuple[Fraction, Fraction], ...]) -> tuple[Fraction, Fraction]:
        p, q = (sum((w * masses[side] for w, masses in zip(shares, row, strict=True)), Fraction(0))
                for side in (0, 1))
        return p, q

    return FinitePair(tuple(map(mixed, zip(*(pair.masses for pair in members), strict=True))))


def _joined(first: Any, parts: tuple[Pair, ...]) -> Pair:
    members = [part for part in parts if isinstance(part, FinitePair)]
    if isinstance(first, FinitePair) and len(members) == len(parts):
        return FinitePair(tuple(
            (a * p, b * q) for (a, b), part in zip(first.masses, members, strict=True)
            for p, q in part.masses))
    return Adaptive(first, parts)


def _rows(first: Any) -> list[tuple[str, Any, Any]]:
    """Name, P-mass and Q-mass of each outcome, in SymPy."""
    if isinstance(first, FinitePair):
        return [(str(i), *(sp.Rational(x.numerator, x.denominator) for x in row))
                for i, row in enumerate(first.masses)]
    return [(str(name), p, q) for name, p, q in first.table]


def _written(weight: Any) -> str:
    return f'"{weight}"' if weight.is_Rational and not weight.is_Integer else str(weight)


__all__ = ["Adaptive", "adaptive", "mixture"]
