"""Identities between expressions, transforms and integrals, compared by balls at exact points.

Disjoint balls at one exact point refute an identity with proof.  Overlapping balls at many points
prove nothing: the verdict they support is ``tested``, with the digits to which both sides agree.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import sympy as sp
from flint import acb, arb

from lapdp.balls.compiler import compile_balls, exact_ball, expression
from lapdp.balls.conditions import truth_of
from lapdp.balls.envelope import NoDecay
from lapdp.balls.evaluate import GUARD, bits_of, enclosure
from lapdp.balls.integrals import bilateral, integrate, one_sided
from lapdp.calculus.nodes import Bilateral, IntegralOnLine, OneSided
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec

DOMAINS = ("real", "positive", "nonnegative", "negative", "integer", "natural", "complex")
_NICE = tuple(sp.Rational(p, q) for p, q in (
    (1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (3, 2), (1, 4), (5, 2), (4, 1), (2, 3), (7, 1)))
_DRAWS = 400
_ASSUMED = ("real", "positive", "negative", "zero", "integer", "rational", "even", "odd",
            "imaginary")
_INTEGRALS = (OneSided, Bilateral, IntegralOnLine, sp.Integral)
_PATIENCE = 30
_COSTLY = 5


@dataclass(frozen=True)
class Refutation:
    """An exact point at which the two sides are proved to differ, and their balls."""

    point: Mapping[Any, Any]
    lhs: str
    rhs: str


@dataclass
class Sample:
    """What sampling found: ``refutation``, or ``agreements`` to at least ``digits`` digits.

    ``skipped`` counts the reasons why points were passed over (divergent or unsupported there);
    ``unseen`` are terms of the sides that are lost among the digits compared at every point: what
    agrees says nothing of them.
    ``undefined`` lists points that satisfy the hypotheses and where a side provably has no value.
    """

    agreements: int = 0
    digits: int = 0
    refutation: Refutation | None = None
    skipped: Counter[str] = field(default_factory=Counter)
    undefined: list[tuple[Mapping[Any, Any], str]] = field(default_factory=list)
    points: int = 0
    unseen: list[Any] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """``refuted``, ``tested`` or ``undecided``."""
        if self.refutation is not None:
            return "refuted"
        return "tested" if self.agreements else "undecided"


def sample_identity(lhs: Any, rhs: Any, symbols_domain: Mapping[Any, str] | None = None,
                    where: Sequence[Any] = (), instances: int = 8, digits: int = 25,
                    seed: int = 0) -> Sample:
    """Compare two sides at exact points until ``instances`` agree or one refutes.

    The sides may hold ``L``, ``B``, ``Int`` and SymPy ``Integral`` nodes: they are computed by
    rigorous integrals at each point.  ``symbols_domain`` gives each free symbol one of
    ``DOMAINS``; without an entry its SymPy assumptions decide, and else it is real.  ``where`` are
    SymPy relations or conditions that the points must provably satisfy.  Small points come first,
    then random rationals that ``seed`` determines.  Raises :class:`InputError` for floats and
    unknown domains.

    >>> from lapdp.calculus.nodes import L
    >>> t, s = sp.symbols("t s")
    >>> right = sp.sqrt(sp.pi) * sp.exp(s**2 / 4) * sp.erfc(s / 2) / 2
    >>> sample_identity(L(sp.exp(-t**2), t, s), right, instances=3).verdict
    'tested'
    >>> sample_identity(L(sp.exp(-t**2), t, s), 2 * right).refutation.point
    {s: 1}
    """
    lhs, rhs = expression(lhs), expression(rhs)
    if lhs.has(sp.Float) or rhs.has(sp.Float):
        raise InputError("a float in the identity: write an exact number such as Rational(1, 10)")
    free = sorted(lhs.free_symbols | rhs.free_symbols, key=str)
    kinds = {s: _domain(s, symbols_domain or {}) for s in free}
    found = Sample()
    failures = 0
    unseen = [*_terms(lhs), *_terms(rhs)]
    for point in _points(kinds, seed):
        if not all(_allowed(s, v) for s, v in point.items()):
            continue
        if found.agreements >= instances or failures >= _PATIENCE + 2 * found.agreements:
            break
        try:
            if not all(_holds(c, point) for c in where):
                continue
            found.points += 1
            left = _side(lhs, point, digits)
            right = _side(rhs, point, digits)
        except Undefined as error:
            found.undefined.append((point, str(error)))
            failures += 1
            continue
        except Unsupported as error:
            found.skipped[str(error)] += 1
            failures += 1 if isinstance(error, NoDecay) else _COSTLY
            continue
        if not left.overlaps(right):
            with workprec(bits_of(digits)):
                shown = min(digits, 20)
                found.refutation = Refutation(point, left.str(shown), right.str(shown))
            return found
        with workprec(bits_of(digits) + GUARD):
            agreed = _agreed(left, right, digits)
        if agreed < min(digits // 2, 5):
            found.skipped["balls too wide to compare"] += 1
            failures += _COSTLY
            continue
        found.digits = agreed if not found.agreements else min(found.digits, agreed)
        found.agreements += 1
        unseen = [(whole, term) for whole, term in unseen
                  if not _is_seen(whole, term, point, (left, right), agreed)]
        if not free:
            break
    found.unseen = list(dict.fromkeys(term for _, term in unseen))
    return found


def _terms(e: Any) -> Iterator[tuple[Any, Any]]:
    """Sums outside integrals, each with one of its terms that holds no integral; and 1 with what
    stands in a function that is not 0 where that is: cos(g) is 1 less some g^2."""
    if isinstance(e, _INTEGRALS) or not isinstance(e, sp.Expr):
        return
    if e.is_Add:
        yield from ((e, term) for term in e.args if not term.has(*_INTEGRALS))
    elif e.is_Function or e.is_Pow:
        for k, g in enumerate(e.args):
            if isinstance(g, sp.Expr) and g.free_symbols and not g.has(*_INTEGRALS):
                without, turned = (e.func(*e.args[:k], x, *e.args[k + 1:]) for x in (0, -g))
                if without.is_finite is not False and without.is_zero is not True:
                    yield sp.S.One, g**2 if turned == e else g
    for a in e.args:
        yield from _terms(a)


def _is_seen(whole: Any, term: Any, point: Mapping[Any, Any], sides: Sequence[Any], digits: int
             ) -> bool:
    """Is the term at least one of so many digits of its sum, or of the smaller side where an
    integral is in the sum?  What has no value is none to be missed."""
    try:
        size = acb(enclosure(term, point, digits)).abs_upper()
        if whole.has(*_INTEGRALS):
            least = min(acb(side).abs_lower() for side in sides)
        else:
            least = acb(enclosure(whole, point, digits)).abs_lower()
    except (Undefined, Unsupported, InputError):
        return True
    return bool(size * arb(10) ** digits >= least)


def _domain(s: Any, given: Mapping[Any, str]) -> str:
    if s in given:
        if given[s] not in DOMAINS:
            raise InputError(f"unknown domain {given[s]!r} of {s}: use one of {', '.join(DOMAINS)}")
        return given[s]
    if s.is_integer:
        return "natural" if s.is_positive or s.is_nonnegative else "integer"
    if s.is_positive:
        return "positive"
    if s.is_negative:
        return "negative"
    return "nonnegative" if s.is_nonnegative else "real"


def _allowed(s: Any, value: Any) -> bool:
    """Does the value satisfy what SymPy assumes of the symbol, and may have used already?"""
    return all(getattr(value, f"is_{name}") is truth for name, truth in s.assumptions0.items()
               if name in _ASSUMED)


def _points(kinds: Mapping[Any, str], seed: int) -> Iterator[dict[Any, Any]]:
    """Small points first, all coordinates moving together, then random ones; deterministic."""
    symbols = list(kinds)
    if not symbols:
        yield {}
        return
    seen: set[tuple[Any, ...]] = set()
    rng = random.Random(seed)
    small = [_small(kinds[s]) for s in symbols]
    many = {1: 22, 2: 6, 3: 4}.get(len(symbols), 2)
    first = product(*(range(min(many, len(v))) for v in small))
    for ix in sorted(first, key=lambda ix: (sum(ix), ix)):
        values = tuple(v[i] for v, i in zip(small, ix, strict=True))
        seen.add(values)
        yield dict(zip(symbols, values, strict=True))
    for _ in range(_DRAWS):
        values = tuple(_draw(kinds[s], rng) for s in symbols)
        if values not in seen:
            seen.add(values)
            yield dict(zip(symbols, values, strict=True))


def _small(kind: str) -> list[Any]:
    if kind == "natural":
        return [x for x in _NICE if x.is_integer]
    if kind == "integer":
        return [y for x in _NICE if x.is_integer for y in (x, -x)]
    if kind == "negative":
        return [-x for x in _NICE]
    if kind == "complex":
        return [y for x in _NICE for y in (x, x + sp.I / 2)]
    return [y for x in _NICE for y in ((x, -x) if kind == "real" else (x,))]


def _draw(kind: str, rng: random.Random) -> Any:
    if kind in ("natural", "integer"):
        return sp.Integer(rng.randint(1 if kind == "natural" else -12, 12))
    value = sp.Rational(rng.randint(1, rng.choice((8, 80))), rng.randint(1, 16))
    if kind == "negative" or (kind == "real" and rng.random() < 0.3):
        return -value
    if kind == "complex":
        return value + sp.I * sp.Rational(rng.randint(-40, 40), 16)
    return value


def _holds(condition: Any, point: Mapping[Any, Any]) -> bool:
    """Does the hypothesis provably hold at the point?"""
    condition = expression(condition)
    loose = condition.free_symbols - set(point)
    if loose:
        raise InputError(f"{sorted(map(str, loose))[0]} in a hypothesis is not in the identity")
    with workprec(200):
        known = {s: exact_ball(v) for s, v in point.items()}
        try:
            return truth_of(condition, lambda e: compile_balls(e, known))({}, False) is True
        except Undefined:
            return False


def _side(e: Any, point: Mapping[Any, Any], digits: int) -> Any:
    """The ball of one side: transforms first, then the rest around them."""
    balls: dict[Any, Any] = {}
    plain = _without_integrals(e, point, digits + 5, balls)
    return enclosure(plain, {**point, **balls}, digits)


def _without_integrals(e: Any, point: Mapping[Any, Any], digits: int, balls: dict[Any, Any]) -> Any:
    if isinstance(e, _INTEGRALS):
        dummy = sp.Dummy("ball")
        balls[dummy] = _integral(e, point, digits)
        return dummy
    if not e.args or not e.has(*_INTEGRALS):
        return e
    return e.func(*(_without_integrals(a, point, digits, balls) for a in e.args))


def _integral(e: Any, point: Mapping[Any, Any], digits: int) -> Any:
    outside = {s: v for s, v in point.items() if s in e.free_symbols}
    if isinstance(e, sp.Integral):
        if len(e.limits) != 1 or len(e.limits[0]) != 3:
            raise Unsupported("an Integral that is not over one interval")
        t, lower, upper = e.limits[0]
        return integrate(e.function, t, lower, upper, digits, outside)
    if isinstance(e, IntegralOnLine):
        g, t, lower, upper = e.args
        return integrate(g, t, lower, upper, digits, outside)
    g, t, s = e.args
    transform = one_sided if isinstance(e, OneSided) else bilateral
    # s stands outside the scope of the bound variable
    return transform(g, t, s.xreplace(point), digits, outside)


def _agreed(left: Any, right: Any, digits: int) -> int:
    """Digits to which two overlapping balls are proved to agree, at most ``digits``."""
    gap = abs(left - right).upper()
    size = acb(left).abs_upper()
    if gap.is_zero():
        return digits
    agreed = 0
    while agreed < digits and gap * 10 ** (agreed + 1) <= size:
        agreed += 1
    return agreed
