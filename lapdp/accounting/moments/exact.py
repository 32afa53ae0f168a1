"""Moments on vertical lines for losses of the exact class: atoms and pieces c t^n e^(a t)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint

from lapdp.accounting.moments.exact_decays import BITS, ExactDecay
from lapdp.accounting.moments.lines import Sizes
from lapdp.accounting.moments.rings import AtomRing
from lapdp.calculus.enclose import enclose
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import together
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import region
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


@dataclass(frozen=True, eq=False)
class ExactSpectrum:
    """E_q, finite losses, by the transform sum of c e^(-at s)/(s - a)^(n+1) at s = 1 - q."""

    loss: Exact
    p_infinite: Scalar

    @cached_property
    def lower(self) -> float:
        """The strip's lower end."""
        return self._edges[0]

    @cached_property
    def upper(self) -> float:
        """The strip's upper end."""
        return self._edges[1]

    @cached_property
    def _edges(self) -> tuple[float, float]:
        strip = region(self.loss, Cell())
        if strip.is_empty():
            raise Unsupported("the moments converge nowhere")
        return (-math.inf if strip.upper is None else 1 - double(strip.upper),
                math.inf if strip.lower is None else 1 - double(strip.lower))

    @cached_property
    def poles(self) -> tuple[float, ...]:
        """The real orders next to which the terms of the transform cancel."""
        found = (enclose(a, {}) for terms in self.loss.jumps.values() for a, _ in terms)
        return tuple(sorted({1 - float(a.real) for a in found if a.imag.is_zero()}))

    @property
    def is_atomic(self) -> bool:
        """Are all finite losses atoms?"""
        return not (self.loss.jumps or self.loss.germ)

    @cached_property
    def lattice(self) -> tuple[Form, Form] | None:
        """(offset, step) where all losses are offset + whole numbers of steps."""
        if not self.is_atomic:
            return None
        places = list(self.loss.impulses)
        step = common_step(gap for gap in gaps(places) if gap)
        return None if step is None else (places[0], step)

    @cached_property
    def _places(self) -> list[tuple[int, Scalar]]:
        """The places of the losses on their lattice, with their P-masses."""
        assert self.lattice is not None
        known = self.loss.impulses
        return [(multiple(gap, self.lattice[1]), orders[0])
                for gap, orders in zip(gaps(list(known)), known.values(), strict=True)]

    def ring(self, gamma: Any, step: Form) -> AtomRing:
        """The moments around the circle, losses counted in parts of the lattice's step."""
        assert self.lattice is not None
        offset, own = (enclose(x, {}).real for x in self.lattice)
        parts = multiple(self.lattice[1], step)
        return AtomRing({n * parts: enclose(c, {}).real * ((gamma - 1) * (offset + n * own)).exp()
                         for n, c in self._places})

    @cached_property
    def largest(self) -> Form | None:
        """The largest finite loss; None where there is none."""
        if any(not c.is_zero() for c in self.loss.tail().values()):
            return None
        points = self.loss.breakpoints(Cell())
        return points[-1] if points else Form({})

    def mass_of_largest(self) -> Any:
        """Pr[Z = largest], as far as the largest loss is seen to be an atom."""
        orders = self.loss.impulses.get(self.largest) if self.largest is not None else None
        return flint.arb(0) if orders is None else enclose(orders[0], {}).real

    @cached_property
    def _rough(self) -> tuple[list[tuple[float, float, float, int]], list[tuple[float, float]]]:
        jumps = [(double(at), double(a), double(c), n)
                 for at, terms in self.loss.jumps.items() for (a, n), c in terms.items()]
        atoms = [(double(at), double(orders[0])) for at, orders in self.loss.impulses.items()]
        return jumps, atoms

    def log_moment(self, order: float) -> float:
        """The transform in doubles."""
        return self._sizes[order]

    def _log_size(self, order: float) -> float:
        jumps, atoms = self._rough
        s = 1 - order
        reach = max((-at * s for at, *_ in (*jumps, *atoms)), default=0.0)
        total = sum(m * math.exp(-at * s - reach) for at, m in atoms)
        for at, a, c, n in jumps:
            gap = s - a
            # next to a removable pole: a little beside it will do for choices
            gap = gap if abs(gap) > 1e-3 else 1e-3
            total += c * math.exp(-at * s - reach) / gap ** (n + 1)
        return reach + math.log(max(total, 1e-300))

    def log_decay(self, gamma: float, height: float) -> float:
        """The bound of the line, nearly."""
        found = self.decay(gamma)
        if found is None or not height > 0:
            return self.log_moment(gamma)
        with workprec(BITS):
            size = float(found.above(height).log())
        return size if math.isfinite(size) else self.log_moment(gamma)

    def decay(self, gamma: float) -> ExactDecay | None:
        """The bounds on one line, where balls see the loss's deviation there."""
        if gamma not in self._decays:
            with workprec(BITS):
                try:
                    self._decays[gamma] = ExactDecay(ExactLine(self, flint.arb(gamma)))
                except Unsupported:
                    self._decays[gamma] = None
        return self._decays[gamma]

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self._log_size)

    @cached_property
    def _decays(self) -> dict[float, ExactDecay | None]:
        return {}

    def finite_mass(self) -> Any:
        """1 - Pr[Z = oo]."""
        return 1 - enclose(self.p_infinite, {}).real

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """The terms of the transform."""
        jumps, atoms = self._rough
        return len(jumps) + len(atoms)

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> ExactLine:
        """The transform in balls."""
        return ExactLine(self, gamma)


class ExactLine:
    """The terms of the transform, their constants in balls."""

    def __init__(self, spectrum: ExactSpectrum, gamma: Any) -> None:
        self.spectrum, loss = spectrum, spectrum.loss
        self.gamma, s = gamma, 1 - gamma
        self.jumps: list[tuple[Any, Any, Any, int]] = []
        self.atoms: list[tuple[Any, Any]] = []
        self.keys: list[Form] = []
        self.masses: list[tuple[Form, Any]] = []
        """The exact places of the jumps, and of the atoms with their masses."""
        for at, terms in loss.jumps.items():
            place = enclose(at, {}).real
            for (a, n), c in terms.items():
                self.keys.append(at)
                self.jumps.append((place, enclose(a, {}), enclose(c, {}) * (-place * s).exp(), n))
        for at, orders in loss.impulses.items():
            place = enclose(at, {}).real
            self.atoms.append((place, enclose(orders[0], {}) * (-place * s).exp()))
            self.masses.append((at, self.atoms[-1][1]))

    def at(self, u: Any) -> Any:
        """E_(gamma + iu)."""
        return self.pieces_at(u) + self.atoms_at(u)

    def pieces_at(self, u: Any) -> Any:
        """What the pieces contribute."""
        s = flint.acb(1 - self.gamma, -u)
        total = flint.acb(0)
        for place, a, c, n in self.jumps:
            total += c * flint.acb(0, u * place).exp() / (s - a) ** (n + 1)
        return total

    def atoms_at(self, u: Any) -> Any:
        """What the atoms contribute."""
        total = flint.acb(0)
        for place, c in self.atoms:
            total += c * flint.acb(0, u * place).exp()
        return total

    def grid(self, step: Any, count: int) -> list[Any]:
        """One after another."""
        return [self.at(step * j) for j in range(count + 1)]

    def decay(self, height: Any) -> Any:
        """The better one of two bounds; at height 0 the moment itself."""
        if height == 0:
            return abs(self.at(height)).upper()
        known = self.spectrum.decay(float(self.gamma)) if self.gamma.is_exact() else None
        found = self.falls(height)
        if known is not None and flint.arb(float(self.gamma)) == self.gamma:
            found = found.min(known.above(math.nextafter(float(height.lower()), 0.0)))
        if not found.is_finite():
            raise Unsupported("the moments are not seen to decay beyond the last node")
        return found.upper()

    def falls(self, height: Any) -> Any:
        """A bound of |E| from a height on, which falls; not finite where a pole is as high.

        At one place the terms add up to e^(iu place) R: for a real pole c/(s - a) = c (g + iu)/(g^2
        + u^2), g = 1 - gamma - a, so that beside an atom it counts only in its square: |R|^2 <= (m
        + |c g|/u^2)^2 + (c/u)^2.  Others are at most |c|/|u - Im a|^(n + 1).
        """
        total, real, turned = flint.arb(0), dict[Any, Any](), dict[Any, Any]()
        for key, c in self.masses:
            real[key] = real.get(key, 0) + abs(c)
        for key, (_, a, c, n) in zip(self.keys, self.jumps, strict=True):
            gap = height - abs(a.imag)
            if not gap > 0:
                return flint.arb.pos_inf()
            if n or not (a.imag.is_zero() and c.imag.is_zero()):
                total += abs(c) / gap ** (n + 1)
                continue
            g = 1 - self.gamma - a.real
            real[key] = real.get(key, 0) + abs(c) * abs(g) / (height * height)
            turned[key] = turned.get(key, 0) + abs(c) / height
        for key, x in real.items():
            total += (x * x + turned.get(key, flint.arb(0)) ** 2).sqrt()
        return total.upper()


def common_step(gaps: Iterable[Form]) -> Form | None:
    """A form of which all others are whole multiples, None where there is none.

    >>> import sympy as sp
    >>> common_step([Form.of(sp.log(2)), Form.of(sp.log(8) / 2)])
    log(2)/2
    """
    found: Form | None = None
    for gap in gaps:
        ratio = Fraction(1) if found is None else _ratio(gap, found)
        if ratio is None:
            return None
        # 1 and n/d are whole multiples of 1/d, and of no larger fraction
        found = gap if found is None else found * Form.of(Fraction(1, ratio.denominator))
    return found


def gaps(places: Sequence[Form]) -> list[Form]:
    """How far places are from the first one: what subsampling at rate 1/2 makes of +-eps0 has the
    losses log((1 + e^eps0)/2) and log((1 + e^-eps0)/2), which are eps0 apart."""
    return [together(place - places[0]) for place in places]


def multiple(gap: Form, step: Form) -> int:
    """How many steps a gap is: a whole number by :func:`common_step`."""
    ratio = _ratio(gap, step)
    assert ratio is not None and ratio.denominator == 1
    return ratio.numerator


def _ratio(a: Form, b: Form) -> Fraction | None:
    """a/b where it is rational."""
    monomial, size = next(iter(b.terms.items()))
    share = Fraction(a.terms.get(monomial, 0)) / size
    return share if not a - b * Form.of(share) else None


def double(x: Any) -> float:
    """A form or field element as a double, for choices."""
    with workprec(80):
        return float(enclose(x, {}).real)


__all__ = ["ExactLine", "ExactSpectrum", "common_step", "double", "gaps"]
