"""Objects of the exact class convolved with a normal distribution.

The transform of the normal density g of mean m and variance v is e^(v s^2/2 - m s).  A term
u^n/n! e^(a u) on u > 0 has the transform 1/(s - a)^(n+1).  Its convolution S_n with g follows by
parts from g'(x) = -(x - m) g(x)/v:

    n S_n(u) = w S_(n-1)(u) + v S_(n-2)(u),    w = u - m + a v,    S_(-1) = g(u),
    S_0(u) = e^(a (u - m) + a^2 v/2) erfc(-w/sqrt(2 v))/2.

The same term on u < 0 has S_(-1) = -g and erfc of the opposite argument; on the whole line there is
neither g nor erfc.  So one formula holds on all of R, and breakpoints need not be ordered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

import flint
import sympy as sp

from lapdp.calculus.collected import Collected
from lapdp.calculus.enclose import enclose
from lapdp.calculus.evaluation import Monomials
from lapdp.calculus.exact import ZERO, Exact, Term
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported

MAX_SHOWN = 2_000
"""Terms of a formula that is still an answer."""
_Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Smoothed:
    """``exact`` convolved with the normal distribution of ``mean`` and ``variance`` > 0.

    Mean and variance are SymPy expressions, the variance a positive one.

    >>> t = sp.Symbol("t", real=True)
    >>> Smoothed(Exact.impulse(1), sp.Integer(0), sp.Integer(1)).to_sympy(t)
    sqrt(2)*exp(-(t - 1)**2/2)/(2*sqrt(pi))
    >>> Smoothed(Exact.step(0), sp.Integer(0), sp.Integer(1)).to_sympy(t)
    1 - erfc(sqrt(2)*t/2)/2
    """

    exact: Exact
    mean: Any
    variance: Any

    def __post_init__(self) -> None:
        if isinstance(self.exact, Collected):
            return
        if any(k for orders in self.exact.impulses.values() for k in orders):
            raise Unsupported("a derivative of an impulse under a normal distribution")

    def to_sympy(self, t: Any) -> Any:
        """The convolution at ``t``; :class:`Unsupported` beyond 2000 terms."""
        if sum(len(terms) for _, terms, _ in self._parts()) > MAX_SHOWN:
            raise Unsupported(f"a formula of more than {MAX_SHOWN} terms")
        m, v = self.mean, self.variance
        width = sp.sqrt(2 * v)
        found: list[Any] = []
        peaks: dict[Form, list[Any]] = {
            at: [orders[0].to_sympy()] for at, orders in self.exact.impulses.items()}
        for at, terms, side in self._parts():
            u = t - at.to_sympy()
            for a, by_power in _by_exponent(terms).items():
                rate = a.to_sympy()
                w = sp.expand(u - m + rate * v)
                lifted = _exponent(by_power, a * at) if a else ZERO
                here = Scalar.exp(-(a * at) - lifted)
                growth = sp.exp(sp.expand(rate * (t - m) + rate**2 * v / 2 + lifted.to_sympy()))
                smooth = sp.Add(*(_shown(c * here, row, n, w, v)
                                  for n, (c, row) in _with_rows(by_power, smooth_row)))
                tail = sp.erfc(-side * w / width) / 2 * side if side else 1
                found.append(smooth * growth * tail)
                if side:
                    peaks.setdefault(at, []).extend(
                        v * _shown(c, row, n - 1, w, v)
                        for n, (c, row) in _with_rows(by_power, peak_row))
        for at, weights in peaks.items():
            peak = sp.exp(-((t - at.to_sympy() - m) ** 2) / (2 * v)) / sp.sqrt(2 * sp.pi * v)
            found.append(sp.Add(*weights) * peak)
        return sp.Add(*found)

    def enclose(self, t: Any, mean: Any, variance: Any) -> Any:
        """A ball (``acb``) of the value, at balls of the point, the mean and the variance.

        All coefficients must be numbers.  Works at the current precision: the terms cancel where
        the value is small, so raise it until the ball is narrow enough.
        """
        total, width = flint.acb(0), (2 * variance).sqrt()
        peaks: dict[Form, Any] = {}

        def peak(at: Form) -> Any:
            if at not in peaks:
                u = t - enclose(at, {})
                peaks[at] = (-((u - mean) ** 2) / (2 * variance)).exp() / (
                    width * flint.acb.pi().sqrt())
            return peaks[at]

        for at, a, side, coefficients in self._balls():
            if a is None:
                total += coefficients[0] * peak(at)
                continue
            rate, u = enclose(a, {}), t - enclose(at, {})
            w = u - mean + rate * variance
            value = (rate * (u - mean) + rate**2 * variance / 2).exp()
            if side:
                value *= (-side * w / width).erfc() / 2
            before, found = side * peak(at) if side else flint.acb(0), flint.acb(0)
            for n, c in enumerate(coefficients):
                if n:
                    before, value = value, (w * value + variance * before) / n
                found += c * value
            total += (side or 1) * found
        return total

    def _balls(self) -> Iterator[tuple[Form, Form | None, int, list[Any]]]:
        """(c, a, side, coefficients of the terms (t - c)^n/n! e^(a (t - c))); a = None: an atom."""
        if isinstance(self.exact, Collected):
            yield from _collected_balls(self.exact)
            return
        for at, orders in self.exact.impulses.items():
            yield at, None, 0, [enclose(orders[0], {})]
        for at, terms, side in self._parts():
            for a, by_power in _by_exponent(terms).items():
                yield at, a, side, [enclose(by_power[n], {}) if n in by_power else flint.acb(0)
                                    for n in range(max(by_power) + 1)]

    def _parts(self) -> Iterator[tuple[Form, Mapping[Term, Scalar], int]]:
        """(c, terms (t - c)^n/n! e^(a (t - c)), side): side 0 on the whole line, 1 for t > c; -1
        for t < c, where the negative of the terms is meant.

        A function is its germ and what is added from each breakpoint on, or its tail and what is
        taken away up to each breakpoint; the side with fewer terms is where it is small.
        """
        germ, tail = self.exact.germ, self.exact.tail()
        whole, side = (germ, 1) if len(germ) < len(tail) else (tail, -1)
        if whole:
            yield ZERO, {(a, n): c * factorial(n) for (a, n), c in whole.items()}, 0
        for at, terms in self.exact.jumps.items():
            yield at, terms, side


def _collected_balls(f: Collected) -> Iterator[tuple[Form, Form | None, int, list[Any]]]:
    """As :meth:`Smoothed._balls`: each pole has its own side, so nothing is on the whole line."""
    monomials, scale = Monomials(f.keys), flint.arb(1)
    for x, power in f.common:
        scale *= enclose(x, {}).real ** power
    for at, by_monomial in f.strata:
        gathered: dict[Fraction | None, Any] = {}
        for powers, parts in by_monomial.items():
            for pole, p in parts.items():
                found = gathered.get(pole, flint.arb_poly())
                gathered[pole] = found + flint.arb_poly(p) * monomials(powers)
        for pole, p in gathered.items():
            if pole is None:
                yield at, None, 0, [p[0] * scale]
            else:
                yield (at, Form.of(pole), -1 if pole in f.left else 1,
                       [c * scale for c in list(p)[1:]])


def _by_exponent(terms: Mapping[Term, Scalar]) -> dict[Form, dict[int, Scalar]]:
    found: dict[Form, dict[int, Scalar]] = {}
    for (a, n), c in terms.items():
        found.setdefault(a, {})[n] = c
    return found


def _exponent(by_power: Mapping[int, Scalar], less: Form) -> Form:
    """m where the first coefficient times e^-less is a rational number times e^m; 0 elsewhere."""
    shape = (next(iter(by_power.values())) * Scalar.exp(-less)).as_exponential()
    plain = shape and not any(isinstance(a, sp.log) for a in shape[1].atoms())
    return shape[1] if shape and plain else ZERO


def _with_rows(by_power: Mapping[int, Scalar], row: Any) -> list[tuple[int, tuple[Scalar, _Row]]]:
    return [(n, (c, row(n))) for n, c in by_power.items()]


def _shown(c: Scalar, row: _Row, degree: int, w: Any, v: Any) -> Any:
    """c times sum of row[j] w^(degree - 2 j) v^j."""
    return sp.Add(*((c * x).to_sympy() * w ** (degree - 2 * j) * v**j
                    for j, x in enumerate(row) if x))


@lru_cache(maxsize=4096)
def smooth_row(n: int) -> _Row:
    """S_n = P_n(w, v) S_0 + R_n(w, v) g with P_n = sum row[j] w^(n - 2 j) v^j.

    >>> smooth_row(2)
    (Fraction(1, 2), Fraction(1, 2))
    """
    # e^(w x + v x^2/2) generates the P_n
    return tuple(Fraction(1, factorial(n - 2 * j) * factorial(j) * 2**j)
                 for j in range(n // 2 + 1))


@lru_cache(maxsize=4096)
def peak_row(n: int) -> _Row:
    """The coefficients of R_n = v times the sum of row[j] w^(n - 1 - 2 j) v^j.

    >>> peak_row(0), peak_row(1), peak_row(2), peak_row(3)
    ((), (Fraction(1, 1),), (Fraction(1, 2),), (Fraction(1, 6), Fraction(1, 3)))
    """
    # R_1 = v, since S_(-1) = g and S_0 has no part g
    if n <= 1:
        return (Fraction(1),) * n
    below, further = peak_row(n - 1), peak_row(n - 2)
    found = [Fraction(0)] * ((n + 1) // 2)
    for j, x in enumerate(below):
        found[j] += x / n
    for j, x in enumerate(further):
        found[j + 1] += x / n
    return tuple(found)


__all__ = ["Smoothed", "peak_row", "smooth_row"]
