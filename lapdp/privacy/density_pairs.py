"""Pairs of densities: with an exact loss, or one that quadrature and antiderivatives reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import arb, ctx

from lapdp.balls.compare import sign
from lapdp.balls.hinges import negative_part, positive_part
from lapdp.balls.integrals import integrate
from lapdp.balls.kinks import before, pieces
from lapdp.calculus.export import Piece, paste_ready
from lapdp.calculus.field import Scalar
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.ball_values import Point
from lapdp.privacy.mechanism import exact_parameter
from lapdp.privacy.model import Model
from lapdp.privacy.notions.loss import LossAtom, LossDistribution
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers
from lapdp.privacy.push_forward import PushForward, X, push_forward
from lapdp.privacy.quadratic_losses import antiderivative, mass_above, quadratic

T = sp.Dummy("t", real=True)
DIGITS = 25
"""To which densities outside the exact class must integrate to 1."""


@dataclass(frozen=True, repr=False)
class Densities(Pair):
    """Two densities, as SymPy Lambdas, on an open interval; the loss is of the exact class."""

    p: Any
    q: Any
    lower: Any
    upper: Any

    def model(self) -> Model:
        """The law of the loss under P, by push-forward."""
        return self.pushed().model

    def pushed(self) -> PushForward:
        """The law of the loss, and the variables in which it was found."""
        return push_forward(self.p(X), self.q(X), self.lower, self.upper)

    def constraints(self) -> list[Constraint]:
        """None beyond the assumptions of the symbols."""
        return []

    def substitute(self, values: dict[Any, Any]) -> Densities | None:
        """The pair at given parameter values, None where they give no pair of densities."""
        whole = (self.p(X), self.q(X), self.lower, self.upper)
        try:
            return pair_of_densities(*(e.subs(values, simultaneous=True) for e in whole))
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two densities with their kinks."""
        import mpmath as mp

        def number(e: Any) -> Any:
            return mp.mpf(in_numbers(e, values))

        ends, kinks = self.branches()
        cuts = [number(end) for _, end in ends[:-1]]

        def member(side: int) -> Any:
            formulas = [sp.lambdify([X, *values], both[side], "mpmath") for both, _ in ends]

            def density(y: Any) -> Any:
                place = sum(1 for c in cuts if c <= y)
                return mp.mpf(formulas[place](y, *values.values()))

            return density

        return ("density", member(0), member(1), (number(self.lower), number(self.upper)),
                sorted({*cuts, *map(number, kinks)}))

    def branches(self) -> tuple[list[tuple[Any, Any]], list[Any]]:
        """Both densities up to each of their kinks in x, and further kinks."""
        parts = self.pushed().parts
        ends = [(part.stretch.values, sp.oo if part.stretch.upper is None
                 else part.stretch.upper.to_sympy()) for part in parts]
        kinks = [part.change.back.subs(X, s.upper.to_sympy()) for part in parts
                 for s in part.inner[:-1] if s.upper is not None]
        return ends, kinks

    def __repr__(self) -> str:
        x = sp.Symbol("x", real=True)
        p, q, lower, upper = map(paste_ready, (self.p(x), self.q(x), self.lower, self.upper))
        return f"densities({p}, {q}, x, ({lower}, {upper}))"


@dataclass(frozen=True, repr=False)
class CurvedDensities(Densities):
    """Two densities without parameters whose loss lies outside the exact class.

    >>> x = sp.Symbol("x", real=True)
    >>> wide = sp.Lambda(x, sp.exp(-x**2/8)/sp.sqrt(8*sp.pi))
    >>> slim = sp.Lambda(x, sp.exp(-x**2/2)/sp.sqrt(2*sp.pi))
    >>> CurvedDensities(slim, wide, -sp.oo, sp.oo).profile(0).n(20)
    0.32267456883476866475
    """

    def parts(self) -> list[tuple[Any, Any, Any]]:
        """Both densities without kinks, with the ends of each interval."""
        return pieces(sp.Tuple(self.p(X), self.q(X)), X, self.lower, self.upper)

    def branches(self) -> tuple[list[tuple[Any, Any]], list[Any]]:
        """Both densities up to each of their kinks."""
        return [(tuple(both), b) for both, _, b in self.parts()], []

    def reverse(self) -> CurvedDensities:
        """The densities exchanged."""
        return CurvedDensities(self.q, self.p, self.lower, self.upper)

    def profile_ball(self, t: Any) -> Any:
        """An ``arb`` that contains the profile at an exact number, at the current precision."""
        weighted = sp.exp(Point.of("t", t).exact) * self.q(X)
        return positive_part(self.p(X), weighted, X, self.lower, self.upper)

    def profile_value(self, t: Any) -> Any:
        """A closed form where p > e^t q is a quadratic inequality, else :class:`Unsupported`."""
        return self._curves()[0].subs(T, t)

    def _curves(self) -> tuple[Any, Any]:
        return _curves(self.p(X), self.q(X), self.lower, self.upper)

    @property
    def loss(self) -> LossDistribution:
        """By its distribution function."""
        return CurvedLoss(self)

    def moment_value(self, q: Any) -> Any:
        """E_0 = E_1 = 1 where both have the same null sets; no other order is known."""
        order = exact_parameter("q", q, real=False)
        if order in (0, 1) and self.infinite_masses(Cell()) == (Scalar.of(0), Scalar.of(0)):
            return sp.Integer(1)
        return super().moment_value(q)

    def moment_balls(self, q: Any) -> Callable[[], Any]:
        """E_q by quadrature; :class:`Unsupported` where its convergence is not proved."""
        order = Point.of("q", q).exact
        self.infinite_masses(Cell())
        x = sp.Dummy("x", positive=True)
        integrands = [(power(both[0].subs(X, sign * x), both[1].subs(X, sign * x), order), a, b)
                      for both, low, high in self.parts()
                      for sign, a, b in _halves(low, high)]
        return lambda: sum((integrate(e, x, a, b, digits=int(ctx.prec * 0.30103)).real
                            for e, a, b in integrands), arb(0))

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """None where no density vanishes on an interval; else :class:`Unsupported`."""
        if any(e == 0 for both, _, _ in self.parts() for e in both):
            raise Unsupported("the mass at infinite losses of such densities")
        return Scalar.of(0), Scalar.of(0)


@dataclass(frozen=True, repr=False)
class CurvedLoss(LossDistribution):
    """A loss by its distribution function; it has a density."""

    pair: CurvedDensities

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """None where the distribution has a closed form: there p/q is constant nowhere."""
        self.pair._curves()
        return ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """:class:`Unsupported`: the density is one expression with cases."""
        raise Unsupported("the pieces of this loss; density(z) is one expression")

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= z]."""
        return self.pair._curves()[1].subs(T, self.pair.variable("z", x))

    def density(self, x: Any = None) -> Any:
        """The derivative of the distribution function."""
        return sp.diff(self.pair._curves()[1], T).subs(T, self.pair.variable("z", x))

    def generalized_density(self, x: Any = None) -> Any:
        """The same: there are no atoms."""
        return self.density(x)


@lru_cache(maxsize=256)
def _curves(p: Any, q: Any, lower: Any, upper: Any) -> tuple[Any, Any]:
    """The profile and the distribution function of the loss, at ``T``."""
    parts = pieces(sp.Tuple(p, q), X, lower, upper)
    if len(parts) > 1:
        raise Unsupported("no closed form for densities with kinks outside the exact class; ask "
                          "for certified values, profile.at(t)")
    p, q = parts[0][0]
    inequality = quadratic(p, q, X, T, lower, upper)
    first, second = (antiderivative(e, X, lower, upper) for e in (p, q))
    gain = mass_above(inequality, first.minus(sp.exp(T), second), lower, upper)
    return gain, 1 - mass_above(inequality, first, lower, upper)


def pair_of_densities(p: Any, q: Any, lower: Any, upper: Any) -> Densities:
    """The pair of two expressions in ``X``, in the exact class where it belongs there.

    Raises :class:`InputError` where p or q is no density, :class:`Unsupported` for parameters
    outside the exact class, and where neither algebra nor balls reach a density.
    """
    whole = (sp.Lambda(X, p), sp.Lambda(X, q), lower, upper)
    pair = Densities(*whole)
    try:
        pair.model()
    except Unsupported as reason:
        curved = CurvedDensities(*whole)
        if curved.free_symbols:
            raise
        try:
            for name, e in (("p", p), ("q", q)):
                _check(name, e, lower, upper)
        except (Unsupported, Undefined) as problem:
            raise Unsupported(f"{reason}; by balls: {problem}") from None
        return curved
    return pair


def _check(name: str, e: Any, lower: Any, upper: Any) -> None:
    if not before(lower, upper):
        raise InputError("the support runs from its lower end to its upper end")
    for part, a, b in pieces(e, X, lower, upper):
        if _nonnegative(part, a, b):
            continue
        if a == -sp.oo or b == sp.oo:
            raise Unsupported(f"{name} is not seen to be non-negative")
        below = negative_part(part, X, a, b)
        if below > 0:
            raise InputError(f"{name} is negative somewhere on ({a}, {b})")
    total = integrate(e, X, lower, upper, digits=DIGITS + 5)
    if not total.contains(1):
        raise InputError(f"{name} integrates to {total.real.str(12, radius=False)}, not to 1")
    if not total.real.rad() < 10.0**-DIGITS:
        raise Unsupported(f"the integral of {name} is not found to {DIGITS} digits")


def power(p: Any, q: Any, order: Any) -> Any:
    """p^order q^(1 - order) as one exponential."""
    logs = (sp.expand_log(sp.log(e)) for e in (p, q))
    return sp.exp(sp.expand(order * next(logs) + (1 - order) * next(logs)))


def _halves(low: Any, high: Any) -> list[tuple[int, Any, Any]]:
    """The parts of an interval on the right and the left of 0, the left one mirrored."""
    right = [(1, low if before(sp.S.Zero, low) else sp.S.Zero, high)]
    left = [(-1, -high if before(high, sp.S.Zero) else sp.S.Zero, -low)]
    return [*(left if before(low, sp.S.Zero) else []), *(right if before(sp.S.Zero, high) else [])]


def _nonnegative(e: Any, a: Any, b: Any) -> bool:
    """Is the expression seen to be non-negative on (a, b), factor by factor and term by term?"""
    positive = sp.Dummy("x", positive=True) if not before(a, sp.S.Zero) else X
    if e.subs(X, positive).is_nonnegative:
        return True
    slope = sp.diff(e, X)
    if slope != 0 and not slope.has(X):
        least = a if sign(slope) == 1 else b
        return least.is_finite and sign(e.subs(X, least)) in (0, 1)
    if e.is_Pow and e.exp.is_Rational:
        return _nonnegative(e.base, a, b)
    return (e.is_Add or e.is_Mul) and all(_nonnegative(part, a, b) for part in e.args)


__all__ = ["CurvedDensities", "Densities", "pair_of_densities", "power"]
