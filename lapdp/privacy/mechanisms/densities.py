"""Pairs given by two densities in x whose loss log(p/q) is piecewise affine in x.

Between kinks both densities are exponential polynomials, sums of c x^n e^(a x).  Where their ratio
is K e^(l x), the loss log K + l x carries the density of P over to the losses, and a stretch of
constant loss becomes an atom.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from lapdp.calculus.convert import logarithm, to_form
from lapdp.calculus.exact import ZERO, Exact, Terms
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.positivity import is_nonnegative
from lapdp.calculus.reading import Stretch, cut, exponential_polynomial, stretches
from lapdp.calculus.transform import Divergent, bilateral
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.mechanism import Card, exact_parameter
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair

ONE = Scalar.of(1)
X = sp.Dummy("x", real=True)
"""The variable inside: one for all, so that equal densities are equal pairs."""


@dataclass(frozen=True, repr=False)
class Densities(Pair):
    """Two densities, as SymPy Lambdas, on an open interval."""

    p: Any
    q: Any
    lower: Any
    upper: Any

    def model(self) -> Model:
        """The law of the loss under P, by push-forward."""
        return _model(self)

    def constraints(self) -> list[Constraint]:
        """None beyond the assumptions of the symbols."""
        return []

    def substitute(self, values: dict[Any, Any]) -> Densities | None:
        """The pair at given parameter values, None where they give no pair of densities."""
        p, q = (d(X).subs(values) for d in (self.p, self.q))
        try:
            return densities(p, q, X, (self.lower.subs(values), self.upper.subs(values)))
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two densities with their kinks."""
        import mpmath as mp

        def number(e: Any) -> Any:
            return mp.mpf(sp.lambdify(list(values), e, "mpmath")(*values.values()))

        parts = _parts(self, Cell())
        cuts = [number(s.upper.to_sympy()) for s in parts[:-1] if s.upper is not None]

        def member(side: int) -> Any:
            branches = [sp.lambdify([X, *values], s.values[side], "mpmath") for s in parts]

            def density(y: Any) -> Any:
                place = sum(1 for c in cuts if c <= y)
                return mp.mpf(branches[place](y, *values.values()))

            return density

        return ("density", member(0), member(1), (number(self.lower), number(self.upper)), cuts)

    def __repr__(self) -> str:
        x = sp.Symbol("x", real=True)
        return f"densities({self.p(x)}, {self.q(x)}, x, ({self.lower}, {self.upper}))"


def densities(p: Any, q: Any, x: Any, support: tuple[Any, Any] = (-sp.oo, sp.oo)) -> Densities:
    """The pair of two densities in ``x`` on the open interval ``support``.

    Densities are sums of c x^n e^(a x), with kinks at Abs, Piecewise, Max, Min or Heaviside of
    expressions affine in x.  Both must be non-negative and integrate to 1, exactly; else
    :class:`InputError`.  :class:`Unsupported` where the loss log(p/q) is not piecewise affine.

    >>> x = sp.Symbol("x", real=True)
    >>> coin = densities(sp.exp(-sp.Abs(x))/2, sp.exp(-sp.Abs(x - 1))/2, x)
    >>> coin.loss.atoms
    (LossAtom(loss=-1, mass=exp(-1)/2), LossAtom(loss=1, mass=1/2))
    >>> densities(x, 1, x, (0, 1))
    Traceback (most recent call last):
    lapdp.core.errors.InputError: p integrates to 1/2, not to 1
    """
    if not isinstance(x, sp.Symbol):
        raise InputError(f"{str(x)[:40]} is not a symbol: name the variable of the densities")
    found = [sp.Lambda(X, exact_parameter(name, e).subs(x, X))
             for name, e in (("p", p), ("q", q))]
    if not isinstance(support, (tuple, list, sp.Tuple)) or len(support) != 2:
        raise InputError("support must be a pair such as (0, oo)")
    ends = [end if end in (sp.oo, -sp.oo) else exact_parameter("support", end) for end in support]
    if any(x in end.free_symbols for end in ends):
        raise InputError(f"the support must not depend on {x}")
    if ends[0] == sp.oo or ends[1] == -sp.oo:
        raise InputError("the support runs from its lower end to its upper end")
    pair = Densities(*found, *ends)
    pair.model()
    return pair


def _parts(pair: Densities, cell: Cell) -> list[Stretch]:
    lower, upper = (None if end in (sp.oo, -sp.oo) else to_form(end)
                    for end in (pair.lower, pair.upper))
    return stretches([pair.p(X), pair.q(X)], X, lower, upper, cell)


@lru_cache(maxsize=256)
def _model(pair: Densities) -> Model:
    cell = Cell()
    try:
        parts = _parts(pair, cell)
        polynomials = [[_read(name, e) for name, e in zip("pq", part.values, strict=True)]
                       for part in parts]
        for side, name in enumerate("pq"):
            _check_density(name, parts, [terms[side] for terms in polynomials], cell)
        return _push_forward(parts, polynomials, cell)
    except NeedSplit as need:
        raise Unsupported(f"the sign of {need.form} is open: give the parameters numbers, or "
                          "assumptions such as positive=True") from None


def _read(name: str, e: Any) -> Terms:
    try:
        return exponential_polynomial(e, X)
    except Unsupported:
        shown = e.subs(X, sp.Symbol("x"))
        raise Unsupported(f"{name} = {shown} is no sum of c x^n e^(a x) with exact c and a: such "
                          "densities are not reached yet") from None


def _check_density(name: str, parts: list[Stretch], polynomials: list[Terms], cell: Cell
                   ) -> None:
    total = Scalar.of(0)
    for stretch, terms in zip(parts, polynomials, strict=True):
        try:
            good = is_nonnegative(terms, stretch.lower, stretch.upper, cell)
        except Unsupported:
            raise Unsupported(f"{name} is not seen to be non-negative on {stretch}") from None
        if not good:
            raise InputError(f"{name} is negative somewhere on {stretch}")
        try:
            total = total + bilateral(cut(terms, stretch, cell), ZERO, cell)
        except Divergent:
            raise InputError(f"{name} has no integral on {stretch}") from None
    if total != ONE:
        raise InputError(f"{name} integrates to {total}, not to 1")


def _push_forward(parts: list[Stretch], polynomials: list[list[Terms]], cell: Cell) -> Model:
    loss, atomic = Exact(), True
    atoms: dict[Form, tuple[Scalar, Scalar]] = {}
    p_infinite = q_infinite = Scalar.of(0)
    for stretch, (p, q) in zip(parts, polynomials, strict=True):
        mass, other = (bilateral(cut(t, stretch, cell), ZERO, cell) for t in (p, q))
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
        carried = cut(p, stretch, cell).dilate(slope.inverse(), cell).shift(offset)
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
    raise Unsupported(f"the loss log(p/q) is not affine in x on {stretch}: such pairs are not "
                      "reached yet")


def _log(ratio: Scalar) -> Form:
    try:
        return logarithm(ratio)
    except (Unsupported, Undefined):
        raise Unsupported(f"the loss log({ratio}) is no rational combination of parameters and "
                          "logs of rationals: such pairs are not reached yet") from None


_X, _A = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)

CARD = Card(
    make=densities,
    says="two densities whose log ratio is piecewise affine",
    source="the change of variables z = log(p/q)",
    direction="P and Q as they are given",
    dominating="itself, and every post-processing of it; for a mechanism, take neighbours whose "
               "pair dominates the others",
    pitfall="A piece of the loss with the wrong density.",
    examples=((sp.exp(-sp.Abs(_X)) / 2, sp.exp(-sp.Abs(_X - 1)) / 2, _X),
              (sp.exp(-_X), 2 * sp.exp(-2 * _X), _X, (0, sp.oo)),
              (_X * sp.exp(-_X), 4 * _X * sp.exp(-2 * _X), _X, (0, sp.oo)),
              (sp.Piecewise((1, _X < 1), (0, True)), sp.Piecewise((0, 2 * _X < 1), (1, True)), _X,
               (0, "3/2")),
              (_A * sp.exp(-_A * _X), 2 * _A * sp.exp(-2 * _A * _X), _X, (0, sp.oo))),
    in_formulas=False,
)
