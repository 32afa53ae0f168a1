"""The rule of :mod:`lapdp.accounting.inversion.hits` in double precision, rounding bounded.

With a = U/U_gamma and b = H/(r U_gamma), r a number about H_gamma/U_gamma, the powers d_n =
((a + r b)^n - a^n)/r follow from sums and products alone,

    d_2n = d_n (2 a^n + r d_n),    d_(n+1) = d_n (a + r b) + a^n b,

and likewise those of products of factors.  a^n is held by its difference from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion import same_lines
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.hits import Prepared, gained
from lapdp.accounting.inversion.machine import SPARE, Rows, Table, over_kernel
from lapdp.accounting.inversion.machine_factors import INNER_BITS, moments_of
from lapdp.accounting.inversion.machine_lines import Listed, Seeded
from lapdp.accounting.moments.doubled import (
    BITS,
    DOUBLE,
    SAFE,
    Format,
    Heights,
    joined,
    powered,
    sizes,
    summed,
    wider,
)
from lapdp.core.effort import finishing
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_CELLS, MOST_BOTH, MORE, MUCH, MOST_KEPT = 150_000_000, 300_000_000, 6, 10_000_000, 4
LACK = 8
"""Bits that one more plan may add."""
FEW, MOST_BITS = 1000, 56
"""Releases for which several scales are tried: of many the usual losses are nearly normal; bits of
plans on these for many places."""
NODE, TERMS = 200, 700
"""Steps for a node of a moment, and its terms at all heights in a step, about."""
MOST_LONG = 30_000_000
"""Terms of moments in longer numbers: about a second."""


def delta(factors: Any, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where doubles do not reach.
    """
    # accuracies are whole numbers of bits
    enough = math.floor(digits / math.log10(2)) + 2
    # tables of one place are as right at any other one, and those of several scales as sharp
    search = same_lines.current()
    kept = [] if search is None else search.served.setdefault(factors, [])
    for ready in reversed(kept):
        found = _sum(ready, eps, enough, longer=False)
        if found.rel_accuracy_bits() >= enough:
            return found
    found = None
    for way in _ways(factors, eps, enough, MORE):
        ready, found = way, _sum(way, eps, enough)
        if 0 < enough - found.rel_accuracy_bits() < LACK and way.terms < MUCH:
            # delta is smaller than was thought
            with suppress(Unsupported):
                ready = _ways(factors, eps, enough, MORE + LACK)[0]
                found = _sum(ready, eps, enough)
        if found.rel_accuracy_bits() >= enough:
            kept.append(ready)
            del kept[:-MOST_KEPT]
            break
    return found


def _ways(factors: Any, eps: Any, enough: int, more: int) -> list[Prepared]:
    """On one line or on several, the least work first; :class:`Unsupported` where there are none.
    """
    ways = []
    problem = Unsupported("no windows are found")
    try:
        ways = Prepared.ways(factors, eps, enough + more, MOST_CELLS)
    except Unsupported as refusal:
        problem = refusal
    if (not ways or ways[0].terms > MUCH) and factors.count <= FEW:
        with suppress(Unsupported, ArithmeticError):
            ways.append(Prepared.scales(factors, eps, enough + 2 * MORE + more, MOST_BOTH))
    if not ways:
        raise problem
    return sorted(ways, key=lambda way: way.terms)


def rule(factors: Any, eps: Any, bits: int, most: int) -> Callable[[Any, int], Any]:
    """delta at any point to about so many bits, by what is chosen for one point to ``bits``: as in
    :func:`lapdp.accounting.inversion.hits.rule`."""
    return partial(_sum, Prepared.ways(factors, eps, bits, most)[0])


def on_scales(factors: Any, eps: Any, bits: int, most: int) -> Callable[[Any, int], Any]:
    """The same by integrals on several scales of losses."""
    if factors.count > FEW:
        raise Unsupported("usual losses of many releases are nearly normal")
    return partial(_sum, Prepared.scales(factors, eps, min(bits + 3 * MORE, MOST_BITS), most))


def _sum(ready: Prepared, eps: Any, enough: int, longer: bool = True) -> Any:
    """The rule, with as many longer numbers as so many bits need."""
    with workprec(BITS):
        finishing(_steps(ready))
        found = _whole(ready, eps)
        if longer and found.rel_accuracy_bits() < enough:
            finishing(_steps(ready))
            more = _whole(ready, eps, (float(found.mid()), 2.0 ** -(enough + SPARE)))
            found = more if more.rad() < found.rad() else found
        return found


def _steps(ready: Prepared) -> float:
    """That its tables take, about."""
    steps, here = ready.terms / TERMS, ready  # type: float, Prepared | None
    while here is not None:
        steps, here = steps + NODE * here.known.terms(here.chosen.gamma, here.bits), here.alone
    return steps


def _whole(ready: Prepared, eps: Any, goal: tuple[float, float] | None = None) -> Any:
    """From all scales; ``goal`` is a delta and a share of it that a sum may be off."""
    made, total = _summed(ready, eps, goal)
    alone = flint.arb(0) if ready.alone is None else _on_all_scales(ready.alone, eps, goal)
    return alone + made.delta(eps, total)


def _on_all_scales(ready: Prepared, eps: Any, goal: tuple[float, float] | None = None) -> Any:
    """delta of the losses of a scale and of all below."""
    made, total = _summed(ready, eps, goal)
    found = made.share(eps, total)
    if ready.alone is not None:
        return found + _on_all_scales(ready.alone, eps, goal)
    return found + flint.arb(0).union(ready.known.usual_alone(eps))


def _summed(ready: Prepared, eps: Any, goal: tuple[float, float] | None) -> tuple[Prepared, Any]:
    """What is prepared, with the very period of its table, and the sum of the rule."""
    table = _table(ready.known, ready.chosen.gamma, ready.chosen.period, ready.nodes)
    chosen = replace(ready.chosen, period=2 * flint.arb.pi() / flint.arb(table.step))
    head = 0 if goal is None else table.head_for(goal[0], float(eps), goal[1])
    return replace(ready, chosen=chosen), table.total(eps, long=head)


@dataclass(frozen=True, eq=False)
class HitTable(Table):
    """The same for the moment of hits."""

    known: Hits | None = None
    ratio: float = 1.0

    def _long(self, count: int) -> Rows:
        if count not in self.longer:
            form = wider()
            assert form is not None and self.known is not None
            with workprec(BITS):
                self.longer[count] = _rows(self.known, self.lines, self.ratio, self.gamma,
                                           self.step, count, form)
        return self.longer[count]


@lru_cache(maxsize=16)
def _table(known: Hits, gamma: float, period: float, nodes: int) -> HitTable:
    step = 2 * math.pi / period
    with workprec(BITS):
        made = Lines.of(known, gamma, step, nodes)
        rows = _rows(known, made.lines, made.ratio, gamma, step, nodes, DOUBLE)
        terms = sum(len(line.high) for line in made.lines if isinstance(line, Seeded))
        return HitTable(gamma, step, rows, made.size, made.beyond / (
            flint.arb.pi() * flint.arb(step) * (nodes - 1)), made.lines,
            MOST_LONG // max(1, terms), known=known, ratio=made.ratio)


@dataclass(frozen=True, eq=False)
class Lines:
    """The moments of all factors on one line."""

    lines: list[Any]
    ratio: float
    """r, a power of 2; 1 where no losses are usual."""
    size: Any
    """By which what the table holds is divided: of usual losses, times r."""
    whole: Any
    """What is divided, on the real line."""
    beyond: Any
    """A bound of it, divided, at all heights from that of the last node on."""

    @staticmethod
    def of(known: Hits, gamma: float, step: Any, nodes: int, many: int = 0) -> Lines:
        """For so many heights, or only so many among them; a step is a double or a ball."""
        # powers multiply the errors of the usual losses by their number
        inner = 16 * -(-(INNER_BITS + known.count.bit_length() + 6) // 16)
        edge = flint.arb(step) * (nodes - 1)
        top, usual, share = float(edge), flint.arb(1), 0.0
        lines: list[Any] = []
        starts: list[tuple[Any, Any, int]] = []
        ends: list[tuple[Any, Any, int]] = []
        for j, ((spectrum, k), window) in enumerate(zip(known.parts, known.windows, strict=True)):
            if window is None:
                beside = moments_of(spectrum, k, gamma, top, step, many or nodes)
                lines.append(beside)
                usual *= beside.mean ** k
                starts.append((None, beside.mean, k))
                ends.append((None, beside.line.decay(edge), k))
                continue
            low, high = known.lines(j, gamma, inner)
            lines += [Seeded.of(line, k, step) for line in (low, high) if line is not None]
            usual *= _mean(low or high) ** k
            starts.append((low and low.total(), high.total(), k))
            ends.append((*known.decays(j, (low, high), gamma, edge), k))
            if low is not None:
                share += k * float(_mean(high) / _mean(low))
        # a power of 2; below the least double its square is no news
        ratio = 2.0 ** math.floor(math.log2(share)) if share > 1e-290 else 1e-290
        if known.splits and not share > 0:
            raise Unsupported("hits are too rare for doubles")
        ratio = ratio if known.splits else 1.0
        return Lines(lines, ratio, usual * ratio, gained(starts), gained(ends) / (usual * ratio))


def _mean(line: Any) -> Any:
    """The sum of the nodes at gamma, by which all are divided: an exact number."""
    return flint.arb(line.nodes.total().real.mid())


def _moments(seeded: Seeded, step: Any, count: int | Heights, form: Format) -> tuple[Any, Any]:
    """The moments at the nodes divided by their sum at gamma, less 1, and bounds of the errors."""
    line = seeded.line
    off = float((line.off / _mean(line)).upper())
    if isinstance(count, Heights):
        found = seeded.sums(step, count)
        return found.less, SAFE * (found.error + off)
    found = summed(seeded.weights(form), seeded.most, seeded.turns, count, form)
    # what the sum of the weights, parts of complex numbers and all, is off its real part
    total = line.nodes.total() / _mean(line) - 1
    less = complex(float(total.real), float(total.imag))
    lost = float(abs(total - flint.acb(less.real, less.imag)).upper())
    sums = found.less + form.complex(less)
    return sums, SAFE * (found.error + off + lost + form.unit * (sizes(sums) + abs(less)))


def _rows(known: Hits, lines: list[Any], ratio: float, gamma: float, step: float, count: int,
          form: Format) -> Rows:
    d, d_off = products(known, lines, ratio, step, count, form)
    real = d.real.dtype.type
    u = real(step) * np.arange(count, dtype=real)
    return Rows(*over_kernel(d, d_off, u, gamma, form), form)


def products(known: Hits, lines: list[Any], ratio: float, step: Any, count: int | Heights,
             form: Format) -> tuple[Any, Any]:
    """d of all factors at the nodes, and bounds of the errors."""
    left, whole = list(lines), None
    for (_, k), window in zip(known.parts, known.windows, strict=True):
        if window is None:
            less, off = _beside(left.pop(0), step, count, form)
            a = powered(less, off, k, form.unit)
            here = (*a, None, None)
        elif window.usual is None:
            a = powered(*_moments(left.pop(0), step, count, form), k, form.unit)
            here = (*a, None, None)
        else:
            low, high = left.pop(0), left.pop(0)
            hits, slips = _moments(high, step, count, form)
            share = _mean(high.line) / _mean(low.line) / ratio
            scale, more = form.near(flint.acb(share)).real, 1 + hits
            b, off = more * scale, SAFE * (slips + 6 * form.unit * sizes(more)) * float(scale)
            here = _powers(*_moments(low, step, count, form), b, off, ratio, k, form)
        whole = here if whole is None else _joined(whole, here, ratio, form)
    assert whole is not None
    x, x_off, d, d_off = whole
    if d is None:
        d, d_off = 1 + x, SAFE * (x_off + form.unit * sizes(1 + x))
    return d, d_off


def _beside(line: Any, step: Any, count: int | Heights, form: Format) -> tuple[Any, Any]:
    """The moments of a factor without windows."""
    if not isinstance(count, Heights):
        return line.moments(step, count, form)  # type: ignore[no-any-return]
    if not isinstance(line, Seeded | Listed):
        raise Unsupported("a moment is no sum over nodes")
    return line.on(step, count)


def _powers(x: Any, x_off: Any, b: Any, b_off: Any, ratio: float, count: int, form: Format
            ) -> tuple[Any, Any, Any, Any]:
    """a^count - 1 for a = 1 + x and d_count, with bounds of their errors."""
    one = x, x_off, b, b_off
    with np.errstate(all="ignore"):
        found = one
        for bit in bin(count)[3:]:
            found = _joined(found, found, ratio, form)
            if bit == "1":
                found = _joined(found, one, ratio, form)
    return found


def _joined(one: Any, two: Any, ratio: float, form: Format) -> tuple[Any, Any, Any, Any]:
    """The same for products: d of both is d (a' + r d') + a d'."""
    (x, x_off, d, d_off), (y, y_off, e, e_off) = one, two
    z, z_off = joined(x, x_off, y, y_off, form.unit)
    if d is None or e is None:
        if d is None and e is None:
            return z, z_off, None, None
        if d is None:
            x, x_off, y, y_off, d, d_off = y, y_off, x, x_off, e, e_off
        f, g = 1 + y, y_off + form.unit * sizes(1 + y)
        return z, z_off, d * f, SAFE * (d_off * (sizes(f) + g) + sizes(d) * (
            g + 6 * form.unit * sizes(f)))
    f = 1 + y + ratio * e
    # r times a number that underflows is off by no more than the last term
    f_off = y_off + ratio * e_off + 4 * form.unit * (
        sizes(1 + y) + ratio * sizes(e)) + 1e-300
    g = 1 + x
    g_off = x_off + form.unit * sizes(g)
    found = d * f + g * e
    first, second = sizes(d) * sizes(f), sizes(g) * sizes(e)
    error = d_off * (sizes(f) + f_off) + sizes(d) * f_off + g_off * (sizes(e) + e_off) + (
        sizes(g) * e_off) + 8 * form.unit * (first + second)
    return z, z_off, found, SAFE * error + 1e-300


__all__ = ["BITS", "Lines", "delta", "on_scales", "products", "rule"]
