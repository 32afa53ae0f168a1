"""Moments of the factors of a product on a grid of heights in doubles, rounding bounded.

Each kind of line gives E_(gamma + i step j)/E_gamma - 1 with a bound of the error at each height.
Subsampled Gaussians, pieces, finitely many atoms and the discrete Gaussian, whose tails are
bounded, are sums over nodes (:mod:`lapdp.accounting.moments.doubled`).  Losses of the exact class
have the terms c e^(iu z)/(s - a)^m, s = 1 - gamma - iu: powers of e^(i step z) from balls, and

    1/(g - iu) = (g + iu)/(g^2 + u^2),    g = 1 - gamma - a,

which is off by at most 8 units of its size: u by one unit, g by one, a square of either by one
more, and so their sum, of what is positive, by four; the quotient of either part by two more.  A
product of complex numbers is off by at most 3 units of its size.  All else is worked out in balls,
where there are few heights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import flint
import numpy as np

from lapdp.accounting.moments.doubled import (
    DOUBLE,
    SAFE,
    UNIT,
    Format,
    Grid,
    Heights,
    sizes,
    summed,
    summed_on,
    turns,
    turns_on,
)
from lapdp.accounting.moments.exact import ExactLine
from lapdp.accounting.moments.nodal import Nodes
from lapdp.accounting.moments.seeds import Seeds
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

AT_ONCE = 1 << 22
"""Powers in a table: of the nodes, at the first heights of rows or at those of one row."""
MOST_BALLS = 40_000
"""Heights at which a moment is worked out in balls."""
TURN, TURNED, PRODUCT, POWER = 6, 20, 3, 11
"""Units that a power of a turn, next to 0 and anywhere, a product, and a quotient 1/(g - iu) with
its product are off; the last for each factor of a power."""


class Moments(Protocol):
    """A factor on a grid of heights."""

    @property
    def line(self) -> Any:
        """In balls."""

    @property
    def copies(self) -> int:
        """How many releases there are."""

    @property
    def mean(self) -> Any:
        """A ball around E_gamma."""

    def moments(self, step: float, count: int, form: Format) -> tuple[Any, Any]:
        """E_(gamma + i step j)/E_gamma - 1 for j below ``count``, and bounds of the errors."""


class Seeded(NamedTuple):
    """A line with the number of copies, its turns from one height to the next, and its weights
    over the sum of all: pairs of doubles, and bounds of their sizes."""

    line: Any
    copies: int
    turns: Seeds
    high: Any
    low: Any
    most: Any
    nodes: Nodes
    kept: dict[str, Any]
    """The last seeds of a turn."""

    @staticmethod
    def of(line: Any, copies: int, step: Any, nodes: Nodes | None = None) -> Seeded:
        """The line on a grid of heights."""
        nodes = line.nodes if nodes is None else nodes
        inverse = 1 / flint.arb(nodes.total().real.mid())
        high, low = [], []
        for weight, _ in nodes.pairs:
            w = flint.acb(weight * inverse)
            x, y = w.real, w.imag
            a, b = float(x), float(y)
            high.append(complex(a, b))
            low.append(complex(float(x - a), float(y - b)))
        return Seeded(line, copies, _turns(nodes, step), np.array(high), np.array(low),
                      SAFE * sizes(np.array(high)), nodes, {})

    def sums(self, step: Any, heights: Heights) -> Grid:
        """The sums of its weights at some heights, less 1, in doubles: as many at once as leave
        tables small."""
        most, shape = max(1, AT_ONCE // len(self.high)), (len(heights.rows), heights.width)
        found = Grid(np.empty(shape, dtype=complex), np.empty(shape))
        for i in range(0, shape[0], most):
            for j in range(0, shape[1], most):
                part = self._sums(step, Heights(heights.first + j, heights.turn,
                                                heights.rows[i:i + most], min(most, shape[1] - j)))
                found.less[i:i + most, j:j + most].flat = part.less
                found.error[i:i + most, j:j + most].flat = part.error
        return Grid(found.less.ravel(), found.error.ravel())

    def _sums(self, step: Any, heights: Heights) -> Grid:
        """At once."""
        first, inverse = step * heights.first, 1 / flint.arb(self.nodes.total().real.mid())
        spend(5 * len(self.nodes.pairs))
        weights = np.array([DOUBLE.near(flint.acb(weight * inverse) * (flint.acb(
            0, first) * log).exp()) for weight, log in self.nodes.pairs])
        return summed_on(weights, SAFE * sizes(weights), self.far(
            step * heights.turn), self.turns, heights)

    def far(self, turn: Any) -> Seeds:
        """The seeds of a turn: blocks of heights one after another ask for the same."""
        key = turn.mid(), turn.rad(), flint.ctx.prec
        if self.kept.get("key") != key:
            self.kept.update(key=key, seeds=_turns(self.nodes, turn))
        found: Seeds = self.kept["seeds"]
        return found

    def weights(self, form: Format) -> Any:
        """In a format: a double and the double next to what it lacks have 106 bits together."""
        return self.high if form.unit == UNIT else self.high.astype(form.complex) + self.low

    @property
    def mean(self) -> Any:
        """E_gamma."""
        line = self.line
        return line.nodes.total().real + flint.arb(0, (line.left_out + line.mean * line.ripple))

    def moments(self, step: float, count: int, form: Format) -> tuple[Any, Any]:
        """By the rule of a subsampled Gaussian.

        |E_q| <= E_gamma: what a bound of the error exceeds that by is no news.
        """
        found = summed(self.weights(form), self.most, self.turns, count, form)
        return self._bounded(found, step, np.arange(count))

    def on(self, step: Any, heights: Heights) -> tuple[Any, Any]:
        """The same at some heights, in doubles."""
        return self._bounded(self.sums(step, heights), step, heights.numbers)

    def _bounded(self, found: Grid, step: Any, numbers: Any) -> tuple[Any, Any]:
        line, mean = self.line, self.mean
        # what the sum of all lacks of E_gamma, and of E at each height
        less = 2 * float((line.left_out / mean).upper())
        ripple = 2 * float((line.ripple * line.mean / mean).upper())
        if line.shift.is_zero():
            top = int(numbers[-1]) + 1
            grows = float((line.root * line.width * flint.arb(step) * top).upper())
            ripple = ripple * np.exp(numbers * (grows / top)) if grows < 600 else np.inf
        return found.less, at_most(found.less, SAFE * (found.error + less + ripple))


def _turns(nodes: Nodes, step: Any) -> Seeds:
    """From one height to the next, of a step."""
    turn = flint.acb(0, step)
    return Seeds([(flint.acb(log) * turn).exp() for _, log in nodes.pairs])


@dataclass(frozen=True)
class Listed:
    """Nodes with real losses, as they are or within the same error at all heights."""

    seeded: Seeded
    mean: Any
    off: float
    """At most what the sum is off E at a height, and what it is off E_gamma, over E_gamma."""

    @staticmethod
    def of(line: Any, copies: int, step: Any, nodes: Nodes, error: Any) -> Listed:
        """``error`` bounds that of the sum over nodes at all heights of the grid."""
        whole = nodes.total().real
        mean = whole + flint.arb(0, flint.arb(error).upper())
        if not mean > 0:
            raise Unsupported("a moment is not seen to be positive")
        beside = whole.rad() + 2 * flint.arb(error)
        return Listed(Seeded.of(line, copies, step, nodes), mean,
                      float((beside / mean).upper()) + 1e-300)

    @property
    def line(self) -> Any:
        """In balls."""
        return self.seeded.line

    @property
    def copies(self) -> int:
        """How many releases there are."""
        return self.seeded.copies

    def moments(self, step: float, count: int, form: Format) -> tuple[Any, Any]:
        """By the sum over nodes."""
        seeded = self.seeded
        found = summed(seeded.weights(form), seeded.most, seeded.turns, count, form)
        return found.less, at_most(found.less, SAFE * (found.error + self.off))

    def on(self, step: Any, heights: Heights) -> tuple[Any, Any]:
        """The same at some heights, in doubles."""
        found = self.seeded.sums(step, heights)
        return found.less, at_most(found.less, SAFE * (found.error + self.off))


@dataclass(frozen=True)
class Transformed:
    """The transform of a loss of the exact class with real poles."""

    line: ExactLine
    copies: int
    mean: Any

    @staticmethod
    def of(line: ExactLine, copies: int) -> Transformed:
        """:class:`Unsupported` where poles are not real."""
        if not all(a.imag.is_zero() for _, a, _, _ in line.jumps):
            raise Unsupported("the pieces of a loss turn")
        mean = line.at(flint.arb(0)).real
        if not mean > 0:
            raise Unsupported("a moment is not seen to be positive")
        return Transformed(line, copies, mean)

    def moments(self, step: float, count: int, form: Format) -> tuple[Any, Any]:
        """Place by place."""
        return self._on(step, Heights.run(0, count, 1, count), form)

    def on(self, step: Any, heights: Heights) -> tuple[Any, Any]:
        """The same at some heights, in doubles."""
        return self._on(float(step), heights, DOUBLE)

    def _on(self, step: float, heights: Heights, form: Format) -> tuple[Any, Any]:
        line, kind, count = self.line, form.complex, len(heights.rows) * heights.width
        u = kind(step).real * heights.numbers.astype(kind(0).real.dtype)
        later = bool(heights.starts.any())
        total, slips, size = np.zeros(count, dtype=kind), np.zeros(count), np.zeros(count)
        known: dict[Any, tuple[Any, Any, list[Any]]] = {}
        for key, (place, c) in zip((key for key, _ in line.masses), line.atoms, strict=True):
            known[key] = place, c, []
        for key, (place, a, c, n) in zip(line.keys, line.jumps, strict=True):
            known.setdefault(key, (place, flint.arb(0), []))[2].append((a.real, c, n + 1))
        for place, mass, terms in known.values():
            here = np.full(count, form.near(flint.acb(mass / self.mean)), dtype=kind)
            whole = sizes(here)
            off = whole * 2
            for a, c, power in terms:
                gap = form.near(flint.acb(1 - line.gamma - a)).real
                one = (gap + kind(1j) * u) / (gap * gap + u * u)
                term = np.full(count, form.near(flint.acb(c / self.mean)), dtype=kind)
                for _ in range(power):
                    term = term * one
                sized = sizes(term) * (1 + 1e-12)
                here = here + term
                whole, off = whole + sized, off + sized * (2 + POWER * power)
            off = off + whole * (len(terms) + (TURNED if later else TURN) + PRODUCT)
            angle = flint.acb(0, flint.arb(step) * place)
            turned = turns_on(angle, heights) if later else turns(angle.exp(), count, form)
            total = total + here * turned
            size, slips = size + whole, slips + off
        less = total - 1
        slips = slips + size * len(known) + sizes(total) + 1
        return less, at_most(less, SAFE * (1 + 1e-9) * form.unit * slips)


@dataclass(frozen=True)
class InBalls:
    """Any other line, at few heights."""

    line: Any
    copies: int
    mean: Any

    def moments(self, step: float, count: int, form: Format) -> tuple[Any, Any]:
        """One height after another."""
        if count > MOST_BALLS:
            raise Unsupported(f"a moment is needed at {count} heights, more than {MOST_BALLS}")
        less, slips = np.zeros(count, dtype=form.complex), np.zeros(count)
        for j, value in enumerate(self.line.grid(flint.arb(step), count - 1)):
            ball = value / self.mean - 1
            less[j] = form.near(flint.acb(ball.real.mid(), ball.imag.mid()))
            slips[j] = float((ball.real.rad() + ball.imag.rad()).upper())
        return less, at_most(less, SAFE * (slips + 2 * form.unit * sizes(less)))


def at_most(less: Any, errors: Any) -> Any:
    """|E_q| <= E_gamma: what a bound of the error exceeds that by is no news."""
    return np.minimum(errors, SAFE * (sizes(1 + less) + 1))


__all__ = ["InBalls", "Listed", "Moments", "Seeded", "Transformed", "at_most"]
