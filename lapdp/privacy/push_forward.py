"""The law of the privacy loss from two densities, where it lies in the exact class.

Between kinks and in a suitable variable both densities are exponential polynomials, sums of
c x^n e^(a x).  Where their ratio is K e^(l x), the loss log K + l x carries the density of P over
to the losses, and a stretch of constant loss becomes an atom.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import sympy as sp

from lapdp.calculus.convert import logarithm, to_form
from lapdp.calculus.exact import ZERO, Exact, Terms
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.positivity import is_nonnegative
from lapdp.calculus.reading import Stretch, cut, exponential_polynomial, stretches
from lapdp.calculus.transform import Divergent, bilateral
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.changes import Change, changes
from lapdp.privacy.model import Atom, Model

ONE = Scalar.of(1)
X = sp.Dummy("x", real=True)
"""The variable inside: one for all, so that equal densities are equal pairs."""


class Part(NamedTuple):
    """A stretch of the line, the variable that serves on it, and what was read there."""

    stretch: Stretch
    change: Change
    inner: tuple[Stretch, ...]
    """The stretches between kinks in the new variable."""
    polynomials: tuple[tuple[Terms, Terms], ...]
    """p and q on each of them."""


class PushForward(NamedTuple):
    """The parts of the line, and the law of the loss."""

    parts: tuple[Part, ...]
    model: Model


@lru_cache(maxsize=256)
def push_forward(p: Any, q: Any, lower: Any, upper: Any) -> PushForward:
    """The law of log(p/q) under the density ``p`` on (lower, upper); p and q are expressions in
    ``X``.

    Raises :class:`InputError` where p or q is no density, :class:`Unsupported`, with the reason in
    the variable given, where no change of variable leads into the exact class.
    """
    cell = Cell()
    start, end = _end(lower), _end(upper)
    try:
        try:
            whole = stretches([p, q], X, start, end, cell)
        except Unsupported:
            # kinks that are affine in another variable only
            whole = [Stretch(start, end, (p, q))]
        parts = tuple(_read_on(stretch, cell) for stretch in whole)
        for side, name in enumerate("pq"):
            _check_density(name, side, parts, cell)
        return PushForward(parts, _carried(parts, cell))
    except NeedSplit as need:
        raise Unsupported(f"the sign of {need.form} is open: give the parameters numbers, or "
                          "assumptions such as positive=True") from None


def _end(end: Any) -> Form | None:
    """An end of an interval as a form; None: infinite."""
    return None if end in (sp.oo, -sp.oo) else to_form(end)


def _read_on(stretch: Stretch, cell: Cell) -> Part:
    """One stretch in the first variable in which the densities are of the exact class, and the loss
    affine if it is so in any."""
    refusal: Unsupported | None = None
    readable: Part | None = None
    lower, upper = (infinite if end is None else end.to_sympy()
                    for end, infinite in ((stretch.lower, -sp.oo), (stretch.upper, sp.oo)))
    for change in changes(stretch.values[0], stretch.values[1], X, lower, upper):
        try:
            inner = stretches([change.p, change.q], X, _end(change.lower), _end(change.upper), cell)
            polynomials = [(_read("p", s.values[0], stretch), _read("q", s.values[1], stretch))
                           for s in inner]
            part = Part(stretch, change, tuple(inner), tuple(polynomials))
            readable = readable or part
            for p, q in polynomials:
                if p and q:
                    _affine_loss(p, q, stretch)
            return part
        except Unsupported as reason:
            refusal = refusal or reason
    if readable is not None:
        # to be refused for its loss, unless it is no density at all
        return readable
    assert refusal is not None  # there is always the variable given
    raise refusal


def _read(name: str, e: Any, stretch: Stretch) -> Terms:
    try:
        return exponential_polynomial(e, X)
    except Unsupported:
        shown = stretch.values["pq".index(name)].subs(X, sp.Symbol("x"))
        raise Unsupported(f"{name} = {shown} is no sum of c x^n e^(a x) with exact c and a, nor "
                          "one of c x^a log(x)^n") from None


def _check_density(name: str, side: int, parts: tuple[Part, ...], cell: Cell) -> None:
    total = Scalar.of(0)
    for part in parts:
        for inner, both in zip(part.inner, part.polynomials, strict=True):
            terms = both[side]
            try:
                good = is_nonnegative(terms, inner.lower, inner.upper, cell)
            except Unsupported:
                raise Unsupported(f"{name} is not seen to be non-negative on {part.stretch}"
                                  ) from None
            if not good:
                raise InputError(f"{name} is negative somewhere on {part.stretch}")
            try:
                total = total + bilateral(cut(terms, inner, cell), ZERO, cell)
            except Divergent:
                raise InputError(f"{name} has no integral on {part.stretch}") from None
    if total != ONE:
        raise InputError(f"{name} integrates to {total}, not to 1")


def _carried(parts: tuple[Part, ...], cell: Cell) -> Model:
    loss, atomic = Exact(), True
    atoms: dict[Form, tuple[Scalar, Scalar]] = {}
    p_infinite = q_infinite = Scalar.of(0)
    rows = [(inner, *both, part.stretch) for part in parts
            for inner, both in zip(part.inner, part.polynomials, strict=True)]
    for inner, p, q, stretch in rows:
        mass, other = (bilateral(cut(t, inner, cell), ZERO, cell) for t in (p, q))
        if not p or not q:
            p_infinite, q_infinite = p_infinite + mass, q_infinite + other
            continue
        slope, offset = _affine_loss(p, q, stretch)
        if cell.sign(slope) == 0:
            a, b = atoms.get(offset, (Scalar.of(0), Scalar.of(0)))
            atoms[offset] = (a + mass, b + other)
            continue
        atomic = False
        # z = slope x + offset: the density of z is p((z - offset)/slope)/|slope|
        factor = Scalar.of(slope.inverse()) * cell.sign(slope)
        carried = cut(p, inner, cell).dilate(slope.inverse(), cell).shift(offset)
        loss = loss + carried.scale(factor)
    found = tuple(Atom(a, b, z) for z, (a, b) in atoms.items())
    discrete = Model.of_atoms(found, p_infinite, q_infinite)
    return discrete if atomic else Model(loss + discrete.loss, p_infinite, q_infinite)


def _affine_loss(p: Terms, q: Terms, stretch: Stretch) -> tuple[Form, Form]:
    """(slope, offset) with p = e^(offset + slope x) q."""
    (b, m), d = next(iter(q.items()))
    for (a, n), c in p.items():
        slope, ratio = a - b, c / d
        if n == m and len(p) == len(q) and all(
                (y + slope, k) in p and p[(y + slope, k)] == ratio * v
                for (y, k), v in q.items()):
            return slope, _log(ratio)
    raise Unsupported(f"the loss log(p/q) is affine neither in x nor in a log or power of it, on "
                      f"{stretch}")


def _log(ratio: Scalar) -> Form:
    try:
        return logarithm(ratio)
    except (Unsupported, Undefined):
        raise Unsupported(f"the loss log({ratio}) is no rational combination of parameters and "
                          "logs of rationals") from None


__all__ = ["Part", "PushForward", "X", "push_forward"]
