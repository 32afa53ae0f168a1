"""Moments on vertical lines for losses of atoms and analytic pieces, by Gauss-Legendre rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.decays import Decay
from lapdp.accounting.moments.lines import Sizes
from lapdp.accounting.moments.nodal import NodalLine, Nodes, around
from lapdp.accounting.moments.panel_rules import Chosen, Goal, Ripple, Ruled, rules
from lapdp.accounting.moments.panels import Fall, split
from lapdp.accounting.moments.pieces import Piece
from lapdp.accounting.moments.rough import Masses, log_sum, masses, summed
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES, FEW_NODES = 20_000, 2_000
"""For a moment, and for one that only serves a bound."""
ROUGH_BITS, GUARD = 64, 32
FLOOR = 1e-300
STEEPEST = 20.0
"""An order less 1 times the distance of losses, up to which so few nodes see what counts."""


@dataclass(frozen=True)
class Atom:
    """A loss that has a probability."""

    loss: Any
    mass: Any

    def balls(self) -> tuple[Any, Any]:
        """Loss and mass, at the working precision."""
        return enclose(self.loss, {}).real, enclose(self.mass, {}).real


@dataclass(eq=False)
class PiecewiseSpectrum:
    """E_q, finite losses: the sum over atoms and the integrals over pieces."""

    atoms: tuple[Atom, ...]
    pieces: tuple[Piece, ...]
    lost: Any
    """Pr[Z = oo], exactly."""
    largest: Form | None
    lower: float = -math.inf
    upper: float = math.inf
    poles: tuple[float, ...] = ()
    unsure: bool = False
    """Is it open whether the losses are bounded?"""
    usual: Form | None = None
    """The largest loss but for one atom, where it is known to be less than that."""
    decays: dict[float, Decay] = field(default_factory=dict)
    latest: tuple[float, int, int, _Rules] | None = None

    def finite_mass(self) -> Any:
        """1 - Pr[Z = oo]."""
        return 1 - enclose(self.lost, {}).real

    def mass_of_largest(self) -> Any:
        """Pr[Z = largest], as far as the largest loss is seen to be an atom."""
        return sum((atom.balls()[1] for atom in self.atoms if atom.loss == self.largest),
                   flint.arb(0))

    def without_largest(self) -> PiecewiseSpectrum:
        """That with the largest loss among the infinite ones, where the largest but for it is
        known."""
        assert self.usual is not None
        gone = [atom for atom in self.atoms if atom.loss == self.largest]
        return replace(self, atoms=tuple(atom for atom in self.atoms if atom not in gone),
                       lost=sum((atom.mass for atom in gone), self.lost), largest=self.usual,
                       usual=None, decays={}, latest=None)

    @cached_property
    def _rough(self) -> Masses:
        """Losses and logs of masses at few nodes, in doubles."""
        with workprec(ROUGH_BITS):
            return masses([atom.balls() for atom in self.atoms], self.pieces, False)

    @cached_property
    def _graded(self) -> Masses:
        """The same, with nodes next to the ends of the pieces."""
        with workprec(ROUGH_BITS):
            return masses([atom.balls() for atom in self.atoms], self.pieces, True)

    @cached_property
    def span(self) -> float:
        """The distance of the smallest from the largest loss of the pieces at these nodes."""
        losses = [loss for loss, _ in self._rough[len(self.atoms):]]
        return max(losses) - min(losses) if losses else 0.0

    @cached_property
    def extent(self) -> float:
        """The distance of the smallest from the largest of all losses, nearly."""
        losses = [loss for loss, _ in self._rough]
        return max(losses) - min(losses)

    def log_atoms(self, order: float) -> float:
        """What the atoms contribute to it: what is left at all heights."""
        return log_sum(self._rough[:len(self.atoms)], order)

    def log_jump(self, order: float) -> float:
        """The largest jump of the density at an end of a piece without a neighbour, weighed
        likewise; a choice."""
        found, ends = -math.inf, [x for piece in self.pieces for x in piece.breakpoints]
        with workprec(ROUGH_BITS):
            for piece in self.pieces:
                for place, end in zip(piece.breakpoints, piece.ends(), strict=True):
                    if end is None or ends.count(place) > 1:
                        continue
                    x = flint.acb(end)
                    jump = abs(piece.density(x) / piece.slope(x)).mid()
                    if jump > 0:
                        found = max(found, float(jump.log())
                                    + (order - 1) * float(piece.loss(x).real))
        return found

    def log_moment(self, order: float) -> float:
        """The sum over these."""
        return self.log_size(order) if self.lower < order < self.upper else math.inf

    def log_size(self, order: float) -> float:
        """The same at any order, for finite losses."""
        return self._sizes[order]

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self._log_size)

    def _log_size(self, order: float) -> float:
        steep = abs(order - 1) * self.span > STEEPEST
        return (self._far if steep else self._near)(order)

    @cached_property
    def _near(self) -> Callable[[float], float]:
        return summed(self._rough)

    @cached_property
    def _far(self) -> Callable[[float], float]:
        return summed(self._graded)

    def log_decay(self, gamma: float, height: float) -> float:
        """The bound of the line, made of few bits."""
        with workprec(ROUGH_BITS):
            return float(self.decay(gamma).above(height).log())

    def decay(self, gamma: float) -> Decay:
        """The bounds on one line."""
        if gamma not in self.decays:
            with workprec(ROUGH_BITS):
                self.decays[gamma] = _Rules(self, flint.arb(gamma), ROUGH_BITS // 2).decay()
        return self.decays[gamma]

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """The nodes of the rules and the atoms."""
        return self.rules(gamma, bits).count(height, fall) + len(self.atoms)

    def rules(self, gamma: float, bits: int) -> _Rules:
        """Panels and bounds on one line; atoms and ends at the working precision, or a higher one.
        """
        precision = max(bits + GUARD, flint.ctx.prec)
        if self.latest is None or self.latest[:2] != (gamma, bits) or self.latest[2] < precision:
            with workprec(precision):
                self.latest = (gamma, bits, precision, _Rules(self, flint.arb(gamma), bits))
        return self.latest[3]

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> PiecewiseLine:
        """Rules that are good up to the height."""
        return PiecewiseLine(self, gamma, height, bits, fall)


class _Rules:
    """Panels with their ellipses, and how many nodes they need."""

    def __init__(self, spectrum: PiecewiseSpectrum, gamma: Any, bits: int) -> None:
        # infinite losses, which end the strip as well, are left out here
        bounded = all(None not in piece.breakpoints for piece in spectrum.pieces)
        if not (bounded or (gamma > spectrum.lower and gamma < spectrum.upper)):
            raise Unsupported(f"the moment of order {float(gamma):.6g} is not seen to be finite")
        self.gamma = gamma
        self.atoms = [(loss, mass * ((gamma - 1) * loss).exp())
                      for loss, mass in (atom.balls() for atom in spectrum.atoms)]
        size = flint.arb(spectrum.log_size(float(gamma))).exp()
        goal = size * flint.arb(2) ** (-bits - 2)
        self.missing = flint.arb(0)
        self.panels: list[list[Ruled]] = []
        self.known: dict[Goal, list[Chosen]] = {}
        self.precision = flint.ctx.prec
        for piece in spectrum.pieces:
            panels, rest = split(piece, gamma, goal / (2 * len(spectrum.pieces)))
            self.missing += rest
            self.panels.append([Ruled(panel) for panel in panels])
        many = sum(len(panels) for panels in self.panels)
        self.goal = float((goal / max(1, many)).log())

    def count(self, height: float, fall: float = 0.0) -> int:
        """All nodes."""
        return sum(count for _, count, _ in self.chosen(height, fall))

    def chosen(self, height: float, fall: float) -> list[Chosen]:
        """Panels with a number of nodes and an ellipse that proves it.

        At u the error may be e^(fall (u/height)^2) times as much as the goal.
        """
        goal = Goal(height, fall, self.goal)
        if goal not in self.known:
            with workprec(self.precision):
                self.known[goal] = rules([p for piece in self.panels for p in piece], goal,
                                         MOST_NODES)
        return self.known[goal]

    def nodes(self, chosen: Sequence[Chosen]) -> Nodes:
        """(weight, loss) at all nodes and atoms."""
        pairs = [(weight, loss) for loss, weight in self.atoms]
        for panel, count, _ in chosen:
            pairs += panel.nodes(count)
        return Nodes(pairs)

    def decay(self) -> Decay:
        """The bounds for large u, with values of few bits."""
        atoms = sum((weight for _, weight in self.atoms), flint.arb(0)).upper()
        lines: dict[int, PiecewiseLine] = {}

        def values(first: float, step: float, many: int) -> tuple[list[Any], int]:
            # rules for heights up to a power of 2
            power = math.ceil(math.log2(max(1.0, first)))
            if power not in lines:
                if self.count(2.0**power) > FEW_NODES:
                    raise Unsupported(f"values at height {first:.6g} take too many nodes")
                lines[power] = PiecewiseLine.of(self, 2.0**power)
            if many > 1:
                many = min(many, 1 + math.floor((2.0**power - first) / step))
            return lines[power].cuts(first, step, many), len(lines[power].nodes)

        def falls() -> list[list[Fall]]:
            with workprec(ROUGH_BITS):
                return [[fall for ruled in piece for fall in ruled.panel.falls()]
                        for piece in self.panels]

        values(0.0, 0.0, 1)
        return Decay(values, lines[0].deviation(), atoms, falls, self.missing)


class PiecewiseLine(NodalLine):
    """The rules on one line, up to a height."""

    def __init__(self, spectrum: PiecewiseSpectrum, gamma: Any, height: float, bits: int,
                 fall: float) -> None:
        self._set(spectrum.rules(float(gamma), bits), height, fall)
        self.spectrum = spectrum

    @classmethod
    def of(cls, rules: _Rules, height: float) -> PiecewiseLine:
        """A line of these rules, for bounds of the decay."""
        found = cls.__new__(cls)
        found._set(rules, height, 0.0)
        return found

    def _set(self, rules: _Rules, height: float, fall: float) -> None:
        self.rules = rules
        self.chosen = rules.chosen(height, fall)
        self.nodes = rules.nodes(self.chosen)
        self.ripples = Ripple(height, [(legendre.error(count, e.rho, e.size).upper(), e.turn)
                                       for _, count, e in self.chosen])

    def ripple(self, u: Any) -> Any:
        """The error of the rules at a height."""
        return self.ripples.at(abs(flint.arb(u)).upper())

    def cuts(self, first: float, step: float, many: int) -> list[Any]:
        """The moments without what is missing at so many heights."""
        slip = around(self.ripple(flint.arb(first) + flint.arb(step) * (many - 1)))
        found = [self.nodes.at(flint.arb(first))] if many == 1 else self.nodes.beyond(
            flint.arb(first)).grid(flint.arb(step), many - 1)
        return [value + slip for value in found]

    def error(self, u: Any) -> Any:
        """Of the rules, and what is missing."""
        return self.ripple(u) + self.rules.missing

    def parts(self, step: Any, count: int) -> tuple[list[Any], list[Any]]:
        """What atoms and pieces contribute at u = 0, step, ..., count * step."""
        many = len(self.atoms)
        atoms, rest = Nodes(self.nodes.pairs[:many]), Nodes(self.nodes.pairs[many:])
        return atoms.grid(step, count), [
            value + around(self.error(step * j)) for j, value in enumerate(rest.grid(step, count))]

    @property
    def atoms(self) -> list[tuple[Any, Any]]:
        """Losses and weights of the atoms, whose nodes come first."""
        return self.rules.atoms

    def deviation(self) -> Any:
        """A bound of the standard deviation of the tilted loss, without what is missing.

        By the same rule for h (l - c)^2, on the same ellipses.
        """
        whole = (self.nodes.total() - self.ripple(0)).lower()
        if not whole > 0:
            raise Unsupported("the moment is not seen to be positive")
        mean = (sum((w * x for w, x in self.nodes.pairs), flint.arb(0)) / whole).mid()
        square = sum((w * (x - mean) ** 2 for w, x in self.nodes.pairs), flint.arb(0))
        for panel, count, e in self.chosen:
            center = panel.piece.loss(flint.acb(panel.middle)).real
            spread = e.spread + abs(center - mean)
            square += legendre.error(count, e.rho, e.size * spread * spread)
        return (square.upper() / whole).sqrt().upper()

    def decay(self, height: Any) -> Any:
        """By the bounds of the spectrum on this line."""
        low = float(flint.arb(height).lower())
        return self.spectrum.decay(float(self.rules.gamma)).above(math.nextafter(low, 0.0))


__all__ = ["Atom", "PiecewiseLine", "PiecewiseSpectrum"]
