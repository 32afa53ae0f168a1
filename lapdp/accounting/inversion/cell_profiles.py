"""The profile of many copies of a loss with a density between two atoms, at many points.

Let mu be the law of all losses Z weighed by e^((gamma - 1) Z) and divided by E_gamma.  Then

    delta(t) = e^((1 - gamma) t) E_gamma G(t),   G(t) = the integral of k(z - t) over z > t,
    k(y) = e^((1 - gamma) y) (1 - e^-y).

On the cells of :mod:`lapdp.accounting.inversion.cell_laws` let S and V be the integrals of
k(z - c) and e^(-gamma (z - c)) over z >= c, the right end of the cell in which t lies.  With s =
c - t what lies there contributes e^((1 - gamma) s) (S + (1 - e^-s) V) to G(t), all terms positive,
and S and V follow from those of the next cell likewise.  What lies in the cell itself contributes a
convolution of its density with k, a polynomial in t as far as both are.

Beside them other releases may lie on a lattice, whose places z_k with the weighed masses p_k make
it the sum of p_k G(t - z_k).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import lattice, wrapped
from lapdp.accounting.inversion.cell_laws import SPARE, is_cell, law
from lapdp.accounting.inversion.turned import row
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.legendre_series import LOST, convolution, reflected, series
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_PLACES, MOST_TERMS = 3_000, 1e7
"""Of a lattice beside them."""


@lru_cache(maxsize=64)
def parted(factors: Factors) -> tuple[PiecewiseSpectrum, int, Factors] | None:
    """The loss with a density, its copies, and all others, which lie on one lattice, or are none;
    None where that is not what there is.

    >>> from lapdp import laplace, poisson, randomized_response
    >>> from lapdp.accounting.moments.releases import releases
    >>> sampled = poisson(laplace(1), "0.1", direction="add")
    >>> _, copies, others = parted(releases(sampled**30 * randomized_response(1)**2))
    >>> copies, others.count
    (30, 2)
    """
    found: list[tuple[PiecewiseSpectrum, int]] = []
    rest = []
    for part in factors.parts:
        taken = in_pieces(Factors((part,)))
        single = taken.parts[0][0] if taken is not None else None
        if isinstance(single, PiecewiseSpectrum) and single.pieces:
            if found or not is_cell(single):
                return None
            found.append((single, part[1]))
        else:
            rest.append(part)
    others = Factors(tuple(rest))
    if not found or (rest and lattice.lattice(others) is None):
        return None
    return (*found[0], others)


@dataclass(frozen=True)
class Smooth:
    """An entire function that delta differs from by no more than ``off`` as far as a gap from a
    place."""

    gap: Any
    series: Callable[[Any, int], list[Any]]
    """So many coefficients of its Taylor series about a place."""
    off: Any


def coefficients(poly: Any, x: Any, scale: Any, count: int) -> list[Any]:
    """The first coefficients in h of a polynomial at x + scale h."""
    found, factor = [], flint.arb(1)
    for k in range(count):
        found.append(poly(x) * factor)
        poly, factor = poly.derivative(), factor * scale / (k + 1)
    return found


class CellProfile:
    """delta of finite losses at any t, on one line, within about 2^-bits of e^((1 - gamma) t)
    E_gamma/|gamma (gamma - 1)|."""

    def __init__(self, factors: Factors, gamma: float, bits: int) -> None:
        found = parted(factors)
        if found is None:
            raise Unsupported("these are no copies of one loss with a density between two atoms")
        single, copies, others = found
        # what a mass may contribute, as compared with the accuracy
        more = math.log2(max(1.0, gamma))
        self.bits = 8 * math.ceil((bits + more + 4) / 8)
        self.gamma, self.law = flint.arb(gamma), law(single, copies, gamma, self.bits)
        self.places, self.missing, self.size = _places(others, gamma, self.bits)
        degree = len(self.law.cells[0])
        self.precision = self.bits + SPARE + math.ceil(LOST * degree)
        with workprec(self.precision):
            self.moment = self.law.moment * self.size
            self._build()

    def _build(self) -> None:
        """What is known at the right end of each cell, and polynomials within the cells."""
        found, gamma, w = self.law, self.gamma, self.law.width

        def kernel(x: Any) -> Any:
            return -(-w * x).expm1() * ((1 - gamma) * w * x).exp()

        def other(x: Any) -> Any:
            return (-gamma * w * x).exp()

        # a unit of mass contributes no more
        self.most = ((1 - 1 / gamma) ** (gamma - 1) / gamma).upper() if gamma > 1 else flint.arb(1)
        top = self.most if gamma * w > 1 else kernel(flint.arb(1))
        short = series(kernel, float(top.log()) - self.bits * LOG2)
        falls = series(other, -self.bits * LOG2)
        size = max(len(found.cells[0]), len(short.coefficients))
        rows, beyond = convolution(short.coefficients, size)
        turned = flint.arb_mat(reflected(rows)).transpose()
        cells = [[*cell, *[flint.arb(0)] * (size - len(cell))] for cell in found.cells]
        self.inside, cut = [], flint.arb(0)
        for cell, inside in zip(cells, (flint.arb_mat(cells) * turned).tolist(), strict=True):
            # exact numbers: in powers of x radii would grow
            self.inside.append([c.mid() for c in inside])
            cut = cut.max(sum((abs(c) * x + y.rad() for c, x, y in zip(
                cell, beyond, inside, strict=True)), flint.arb(0)).upper())
        # of all mass of a cell the kernel is as wrong as it may be
        self.slip = (cut + short.error).upper()
        step, fall, drop = (-w).expm1(), ((1 - gamma) * w).exp(), (-gamma * w).exp()
        s, v = flint.arb(0), found.atoms[-1]
        self.known = [(s, v)]
        for cell, inside, atom in zip(reversed(cells), reversed(self.inside),
                                      reversed(found.atoms[:-1]), strict=True):
            # at the left end of the cell, where its polynomial is that of x = 0
            here = sum((-c if k % 2 else c for k, c in enumerate(inside)), flint.arb(0))
            less = sum((c * d / (2 * k + 1) for k, (c, d) in enumerate(
                zip(cell, falls.coefficients, strict=False))), flint.arb(0))
            s = fall * (s - step * v) + here + flint.arb(0, self.slip)
            v = drop * v + less + atom + flint.arb(0, (falls.error * 2).upper())
            self.known.append((s, v))
        self.known.reverse()
        self.polynomials: dict[int, Any] = {}
        # and a density in x no more than its integral
        area = found.total * self.most
        if gamma > 1:
            area = area.min(found.slip / (w * gamma * (gamma - 1)))
        self.off = (found.lost * self.most + area + self.missing * self.most).upper()

    def __call__(self, t: Any) -> Any:
        """At a ball: delta falls by no more than t rises, or losses are moved."""
        with workprec(self.precision):
            point = t.mid()
            total = flint.arb(0, self.off)
            for place, mass in self.places:
                total += mass * self._at(point - place)
            found = total * self.moment * ((1 - self.gamma) * point).exp()
            return found + flint.arb(0, (self.law.apart + t.rad()).upper())

    def _at(self, t: Any) -> Any:
        """G of the copies."""
        ratio = (t - self.law.start) / self.law.width
        cell = ratio.floor().unique_fmpz()
        if cell is not None:
            return self._in_cell(int(cell), ratio, t)
        # at an end of cells, as far as balls tell
        near = round(float(ratio))
        return self._in_cell(near - 1, ratio, t).union(self._in_cell(near, ratio, t))

    def _in_cell(self, m: int, ratio: Any, t: Any) -> Any:
        """The same, where t lies in one of the cells, or beyond all of them."""
        if m >= len(self.inside):
            return flint.arb(0)
        if m < 0:
            return self._moved(self.law.start - t, *self.known[0])
        x = ratio - m
        return (self._moved((1 - x) * self.law.width, *self.known[m + 1])
                + self._polynomial(m)(2 * x - 1) + flint.arb(0, self.slip))

    def around(self, point: Any) -> Smooth:
        """An entire function near delta on the cell where a place lies.

        With c its right end delta is there E_gamma times

            e^((1 - gamma) c) (S + V - V e^(t - c)) + e^((1 - gamma) t) P(t).

        Raises :class:`Unsupported` next to the ends of cells, and beside a lattice.
        """
        with workprec(self.precision):
            ratio = (point - self.law.start) / self.law.width
            cell = ratio.floor().unique_fmpz()
            if cell is None:
                raise Unsupported("eps is next to the end of a cell")
            return self._smooth(int(cell), point)

    def next_end(self, point: Any) -> tuple[Any, Smooth, Smooth]:
        """The end of cells that is next to a place, and the same on its left and on its right; the
        gap of both is that to all other ends.

        Raises :class:`Unsupported` beyond all cells, and beside a lattice.
        """
        with workprec(self.precision):
            w = self.law.width
            m = round(float((point - self.law.start) / w))
            end = self.law.start + w * m
            gap = (w - abs(point - end)).lower()
            left, right = (replace(self._smooth(m - j, point), gap=gap) for j in (1, 0))
            return end, left, right

    def _smooth(self, m: int, point: Any) -> Smooth:
        """On a cell, or beyond all of them."""
        if m == len(self.inside) and len(self.places) == 1:
            # no loss is larger than the end of the last
            with workprec(self.precision):
                gap = (point - self.law.start - self.law.width * m).lower()
            return Smooth(gap, lambda _, count: [flint.arb(0)] * count, (
                self.off + self.law.apart).upper())
        with workprec(self.precision):
            if not 0 <= m < len(self.inside) or len(self.places) > 1:
                raise Unsupported("eps lies on no cell")
            w = self.law.width
            low, known = self.law.start + w * m, self.known[m + 1]
            # what lies on the right, and P in 2 x - 1
            g, poly = self.gamma, self._polynomial(m) * self.moment
            size = self.moment * ((1 - g) * (low + w)).exp()
            first, second = size * (known[0] + known[1]), size * known[1]
            off = self.moment * ((1 - g) * low).exp() * (self.off + self.slip) + self.law.apart

        def series(t: Any, count: int) -> list[Any]:
            inside = flint.arb_poly(coefficients(poly, 2 * (t - low) / w - 1, 2 / w, count))
            falls, rises = (flint.arb_poly([a**k / math.factorial(k) for k in range(count)])
                            for a in (1 - g, flint.arb(1)))
            found = (inside * falls * ((1 - g) * t).exp() - rises * second * (t - low - w).exp()
                     + flint.arb_poly([first]))
            return [found[k] for k in range(count)]

        return Smooth(flint.arb.min(point - low, low + w - point).lower(), series, off.upper())

    def _moved(self, s: Any, known: Any, other: Any) -> Any:
        return ((1 - self.gamma) * s).exp() * (known - (-s).expm1() * other)

    def _polynomial(self, m: int) -> Any:
        """In 2 x - 1, by powers."""
        if m not in self.polynomials:
            cell = self.inside[m]
            total = flint.arb_poly([])
            for c, p in zip(cell, _legendre(len(cell)), strict=True):
                total += p * c
            self.polynomials[m] = total
        return self.polynomials[m]


@lru_cache(maxsize=8)
def _legendre(count: int) -> list[Any]:
    """The first Legendre polynomials, exactly."""
    found = [flint.fmpq_poly([1]), flint.fmpq_poly([0, 1])]
    for k in range(1, count - 1):
        found.append((flint.fmpq_poly([0, 2 * k + 1]) * found[k] - k * found[k - 1]) / (k + 1))
    with workprec(4 * count + 64):
        return [flint.arb_poly(p) for p in found[:count]]


def _places(others: Factors, gamma: float, bits: int) -> tuple[list[tuple[Any, Any]], Any, Any]:
    """Places and weighed masses of what lies on a lattice, a bound of what is missing, E_gamma."""
    if not others.parts:
        return [(flint.arb(0), flint.arb(1))], flint.arb(0), flint.arb(1)
    found = wrapped.window(others, gamma, bits * LOG2)
    if found.places > MOST_PLACES:
        raise Unsupported(f"{found.places} places of a lattice beside cells, more than "
                          f"{MOST_PLACES}")
    with workprec(bits + SPARE + others.count.bit_length() + int(abs(gamma)).bit_length()):
        sums = wrapped.fourier(found, gamma, bits * LOG2, MOST_TERMS)
        masses = row(sums.terms, found.places, 0, found.places)
        return [(sums.offset + sums.step * k, mass) for k, mass in enumerate(
            masses, found.first)], sums.moved, sums.size


def profile(factors: Factors, gamma: float, bits: int) -> CellProfile:
    """On about the line of order gamma, if that is no less than 1: the same object for lines that
    are next to it as far as these losses tell."""
    found, near = parted(factors), max(gamma, 1.0)
    if found is not None and not found[2].parts:
        single, copies, _ = found
        near = 1.0 + max(0.0, _rounded(near - 1, 1 / (copies * single.extent)))
    return _profile(factors, near, 16 * -(-bits // 16))


def _rounded(x: float, step: float) -> float:
    """To a multiple of about a step."""
    power = 2.0 ** math.floor(math.log2(step))
    return power * round(x / power)


@lru_cache(maxsize=8)
def _profile(factors: Factors, gamma: float, bits: int) -> CellProfile:
    """The same object each time."""
    return CellProfile(factors, gamma, bits)


__all__ = ["CellProfile", "Smooth", "parted", "profile"]
