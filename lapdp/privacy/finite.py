"""Finite pairs with exact masses: every hockey-stick quantity is a Fraction in alpha = e^eps.

A rational alpha stands for eps = log alpha, so atoms sit exactly at eps whenever alpha is a
likelihood ratio.  Nothing here is rounded.  The notions in Fractions use nothing of the calculus;
those that :class:`Pair` adds, for symbolic eps and complex orders, do.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from sympy import oo

from lapdp.calculus.field import Scalar
from lapdp.calculus.linear import Constraint
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.model import Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

MOST_DIGITS = 400
_DIGITS = rf"\d{{1,{MOST_DIGITS}}}"
_NUMBER = re.compile(
    rf"[+-]?({_DIGITS}/0*[1-9]\d{{0,399}}|({_DIGITS}(\.\d{{0,400}})?|\.{_DIGITS})([eE][+-]?\d{{1,3}})?)",
    re.ASCII,
)
WRITTEN, SHOWN_EPS = 14, 24
"""A float of more characters was worked out and not written; a longer eps is not shown."""
LISTED = 10**4
"""Outcomes of products and powers that are written out; larger ones are held by their factors."""


def exact(value: Any, name: str) -> Fraction:
    """``value`` as a Fraction: an int, a Fraction, a SymPy Rational or a string "0.1", "1/3".

    Raises :class:`InputError` naming ``name`` for floats, NaN, infinities and anything else.

    >>> exact("0.1", "p"), exact("2/6", "p")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if type(value) is str and value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS:
        return Fraction(int(value))
    shown = str(value)[:40]
    if isinstance(value, bool):
        raise InputError(f"{name} = {shown} is not a number")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):
        double = float(value)
        if not math.isfinite(double):
            raise InputError(f"{name} = {double} is not a finite number")
        if len(repr(double)) > WRITTEN:
            raise InputError(f"{name} = {double!r} is a float: Fraction(x) of a float x is the "
                             "exact number that it stores")
        n, d = Fraction(repr(double)).as_integer_ratio()
        raise InputError(f'{name} = {shown} is a float: write "{double!r}" or Rational({n}, {d})')
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text):
            return Fraction(text)
        raise InputError(f'{name} = {shown!r} is not a number: write it like "0.1" or "1/3"')
    raise InputError(f'{name} = {shown} is not an exact number: use int, Rational or "1/3"')


def _rational(alpha: Any) -> Any:
    """``alpha``; an error where it is the exponential of some eps, double or not, that has another
    way: rounding it would give delta at another eps."""
    if isinstance(alpha, sp.Expr) and alpha.is_number and alpha.is_positive and not (
            alpha.is_Rational or alpha.has(sp.Float)):
        eps = str(sp.log(alpha))
        if len(eps) > SHOWN_EPS:
            eps = "eps"
        raise InputError(f"alpha = {str(alpha)[:40]} is not rational: profile({eps}) is exact "
                         f"there too, and delta({eps}) a number")
    if isinstance(alpha, numbers.Real | sp.Float) and not isinstance(alpha, numbers.Rational) and (
            math.isfinite(float(alpha))):
        raise InputError(f"alpha = {float(alpha)!r} is a float: of a double eps, "
                         "delta(Fraction(eps)) is the certified number, profile(Fraction(eps)) the "
                         "exact one; of a double alpha, hockey_stick(Fraction(alpha))")
    return alpha


def _positive(value: Any, name: str) -> Fraction:
    number = exact(value, name)
    if number <= 0:
        raise InputError(f"{name} = {number} must be positive: it stands for e^eps")
    return number


def distribution(values: Any, name: str) -> tuple[Fraction, ...]:
    """Exact masses, non-negative with sum 1; else :class:`InputError` naming ``name``.

    >>> distribution(["1/3", "2/3"], "P")
    (Fraction(1, 3), Fraction(2, 3))
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a list of masses")
    masses = tuple(exact(v, f"{name}[{i}]") for i, v in enumerate(values))
    if not masses:
        raise InputError(f"{name} is empty: give at least one mass")
    for i, mass in enumerate(masses):
        if mass < 0:
            raise InputError(f"{name}[{i}] = {mass} is negative: masses must be >= 0")
    if sum(masses) != 1:
        raise InputError(f"{name} sums to {sum(masses)}, not to 1")
    return masses


@dataclass(frozen=True, repr=False)
class FinitePair(Pair):
    """A pair (P, Q) on finitely many outcomes; made by :func:`finite`.

    ``masses`` holds (P-mass, Q-mass) of each outcome, in the order given.
    """

    masses: tuple[tuple[Fraction, Fraction], ...]

    @property
    def P(self) -> tuple[Fraction, ...]:
        """The masses of the first distribution."""
        return tuple(p for p, _ in self.masses)

    @property
    def Q(self) -> tuple[Fraction, ...]:
        """The masses of the second distribution."""
        return tuple(q for _, q in self.masses)

    def __repr__(self) -> str:
        return "finite([{}], [{}])".format(
            *(", ".join(literal(m) for m in side) for side in (self.P, self.Q))
        )

    def model(self) -> Model:
        """The exact model: atoms at the logs of the likelihood ratios."""
        return Model.of_masses(tuple((Scalar.of(p), Scalar.of(q))
                                     for p, q in self.merge().masses))

    def constraints(self) -> list[Constraint]:
        """None: there are no parameters."""
        return []

    def substitute(self, values: dict[Any, Any]) -> FinitePair:
        """The pair itself."""
        return self

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The masses, exact."""
        return ("finite", list(self.masses))

    def hockey_stick(self, alpha: Any) -> Fraction:
        """Privacy profile at eps = log(alpha), equation (6): sum of max(0, P - alpha Q).

        ``alpha`` is a positive rational number, so eps may be any log of a rational; for all other
        eps there are ``profile(eps)``, exact, and ``delta(eps)``, a number.  Raises
        :class:`InputError`, which says so.

        >>> finite(["1/3", "2/3"], ["2/3", "1/3"]).hockey_stick(1)
        Fraction(1, 3)
        """
        a = _positive(_rational(alpha), "alpha")
        return sum((max(Fraction(0), p - a * q) for p, q in self.masses), Fraction(0))

    def breakpoints(self) -> tuple[Fraction, ...]:
        """The positive finite likelihood ratios P/Q, sorted: the kinks of the profile in alpha.

        >>> finite(["1/3", "2/3"], ["2/3", "1/3"]).breakpoints()
        (Fraction(1, 2), Fraction(2, 1))
        """
        return tuple(sorted({p / q for p, q in self.masses if p and q}))

    def loss_masses(self) -> tuple[tuple[Fraction | None, Fraction], ...]:
        """PLD(P||Q), Definition 3.1: (likelihood ratio, P-mass), sorted; ``None`` is Z = +oo.

        >>> finite(["1/2", "1/2"], [1, 0]).loss_masses()
        ((Fraction(1, 2), Fraction(1, 2)), (None, Fraction(1, 2)))
        """
        found: dict[Fraction | None, Fraction] = {}
        for p, q in self.masses:
            if p:
                ratio = p / q if q else None
                found[ratio] = found.get(ratio, Fraction(0)) + p
        return tuple(sorted(found.items(), key=lambda item: _order(item[0])))

    @property
    def mass_at_infinity(self) -> Fraction:
        """Pr[Z = +oo]: the P-mass where Q has none."""
        return sum((p for p, q in self.masses if not q), Fraction(0))

    @property
    def absolutely_continuous(self) -> bool:
        """P << Q: where Q has no mass P has none."""
        return all(q or not p for p, q in self.masses)

    @property
    def reverse_absolutely_continuous(self) -> bool:
        """Q << P: where P has no mass Q has none."""
        return all(p or not q for p, q in self.masses)

    def reverse(self) -> FinitePair:
        """The pair (Q, P).

        >>> finite(["1/4", "3/4"], [0, 1]).reverse()
        finite([0, 1], ["1/4", "3/4"])
        """
        return FinitePair(tuple((q, p) for p, q in self.masses))

    def __mul__(self, other: object) -> Pair:
        if not isinstance(other, FinitePair) or (
                len(self.masses) * len(other.masses) > LISTED):
            return super().__mul__(other)
        return self._times(other)

    def _times(self, other: FinitePair) -> FinitePair:
        return FinitePair(
            tuple((a * c, b * d) for (a, b), (c, d) in product(self.masses, other.masses))
        )

    def __pow__(self, k: object) -> Pair:
        if isinstance(k, sp.Expr) and k.free_symbols:
            return super().__pow__(k)
        if not isinstance(k, numbers.Integral) or isinstance(k, bool) or k < 0:
            raise InputError(f"the power of a pair must be an integer >= 0, not {k!r}")
        k = int(k)
        if len(self.masses) > 1 and k * math.log(len(self.masses)) > math.log(LISTED):
            return super().__pow__(k)
        result = FinitePair(((Fraction(1), Fraction(1)),))
        for _ in range(k if len(self.masses) > 1 else 0):
            result = result._times(self)
        return result

    def post_process(self, channel: Sequence[Sequence[Any]]) -> FinitePair:
        """The pair after a stochastic matrix: ``channel[i][j]`` is Pr[j | outcome i].

        Raises :class:`InputError` unless each outcome has a row and each row sums to 1.

        >>> finite(["1/3", "2/3"], ["2/3", "1/3"]).post_process([[1], [1]])
        finite([1], [1])
        """
        if isinstance(channel, str) or not isinstance(channel, Iterable):
            raise InputError("the channel must be a list of rows")
        rows = [distribution(row, f"channel[{i}]") for i, row in enumerate(channel)]
        if len(rows) != len(self.masses):
            raise InputError(
                f"the channel has {len(rows)} rows for {len(self.masses)} outcomes: give one each"
            )
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise InputError(
                    f"channel[{i}] has {len(row)} entries and channel[0] has {len(rows[0])}"
                )
        return FinitePair(tuple(
            (sum((p * w for p, w in zip(self.P, column, strict=True)), Fraction(0)),
             sum((q * w for q, w in zip(self.Q, column, strict=True)), Fraction(0)))
            for column in zip(*rows, strict=True)
        ))

    def moment_value(self, q: Any) -> Any:
        """E_q(P||Q), equation (8): a Fraction or ``sympy.oo`` at integers, as any pair's in SymPy.

        An outcome null under both counts 0 and 0^0 is 1, so E_0 = E_1 = 1 for every pair.  The
        moment is oo for q > 1 unless P << Q, and for q < 0 unless Q << P.

        >>> finite(["1/3", "2/3"], ["2/3", "1/3"]).moment(2)
        Fraction(3, 2)
        >>> finite(["1/2", "1/2"], [1, 0]).moment(2)
        oo
        """
        order = exact_parameter("q", q, real=False)
        if not order.is_Integer:
            return super().moment_value(order)
        n = int(order)
        if (n > 1 and not self.absolutely_continuous) or (
            n < 0 and not self.reverse_absolutely_continuous
        ):
            return oo
        total = Fraction(0)
        for a, b in self.masses:
            if a or b:
                total += a**n * b ** (1 - n)
        return total

    def profile_dominates(self, other: FinitePair) -> bool:
        """Is the profile of ``other`` nowhere above this one, for all eps in R?  (42), exact.

        Both profiles are piecewise linear in alpha, tend to 1 as alpha tends to 0 and are constant
        after the last breakpoint: the breakpoints of both and one point beyond them decide.

        >>> coin = finite(["1/3", "2/3"], ["2/3", "1/3"])
        >>> (coin * coin).profile_dominates(coin), coin.profile_dominates(coin * coin)
        (True, False)
        """
        cuts = sorted({*self.breakpoints(), *other.breakpoints()})
        beyond = cuts[-1] + 1 if cuts else Fraction(1)
        return all(self.hockey_stick(a) >= other.hockey_stick(a) for a in (*cuts, beyond))

    def merge(self) -> FinitePair:
        """Canonical form: outcomes of one likelihood ratio merged, sorted by it, null ones dropped.

        Two pairs have the same profile exactly when their merged forms are equal.

        >>> finite(["1/2", "1/2"], ["1/2", "1/2"]).merge()
        finite([1], [1])
        """
        found: dict[Fraction | None, tuple[Fraction, Fraction]] = {}
        for p, q in self.masses:
            if p or q:
                ratio = p / q if q else None
                a, b = found.get(ratio, (Fraction(0), Fraction(0)))
                found[ratio] = (a + p, b + q)
        return FinitePair(tuple(found[r] for r in sorted(found, key=_order)))

    def in_order(self) -> FinitePair:
        """Outcomes as events of witnesses count them: by their ratios, then where Q vanishes, then
        where P does.

        >>> finite([0, "1/2", "1/2"], ["1/4", "3/4", 0]).in_order()
        finite(["1/2", "1/2", 0], ["3/4", 0, "1/4"])
        """
        return FinitePair(tuple(sorted(self.merge().masses, key=lambda row: (
            not row[0], not row[1]))))


def _order(ratio: Fraction | None) -> tuple[bool, Fraction]:
    return (ratio is None, ratio or Fraction(0))


def literal(mass: Fraction) -> str:
    """The number as one types it, exactly.

    >>> print(literal(Fraction(1)), literal(Fraction(1, 3)))
    1 "1/3"
    """
    return str(mass) if mass.denominator == 1 else f'"{mass}"'


@fitting
def finite(P: Sequence[Any], Q: Sequence[Any] | None = None) -> FinitePair:
    """The pair of two distributions on the same finite space, outcome by outcome.

    Masses are ints, Fractions, SymPy Rationals or strings such as "0.1" and "1/3"; they are
    non-negative and sum to 1 exactly.  Anything else raises :class:`InputError`.

    >>> finite(["0.1", "0.9"], [0, 1])
    finite(["1/10", "9/10"], [0, 1])
    """
    if Q is None:
        raise InputError("a pair has the masses of P and those of Q, of the same outcomes: "
                         'finite(["1/2", "1/2"], ["1/4", "3/4"])')
    first, second = distribution(P, "P"), distribution(Q, "Q")
    if len(first) != len(second):
        raise InputError(
            f"P has {len(first)} masses and Q has {len(second)}: give both on the same outcomes"
        )
    return FinitePair(tuple(zip(first, second, strict=True)))
