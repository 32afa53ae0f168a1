"""Relations between numbers, by balls: at exact points, and over whole boxes.

Disjoint balls at one exact point refute an equality; agreement at many points makes it ``tested``,
never more.  An inequality over a compact box, or over a half-line, is decided by branch and bound.

``tested`` says: the relation held at small and random points, at the ends, kinks and waves of each
letter, and where descents in all letters together (:mod:`lapdp.theory.methods.valleys`) brought
each expression on whose sign it hangs nearest to 0.  None of these came to 0, unless the sides of a
weak inequality are equal there to 60 digits and more, or the gap falls as a power of the distance
from an end of the range of a letter.  It does not say that there is no other valley.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, product
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.balls import sample_identity
from lapdp.balls.identities import Sample
from lapdp.calculus import nodes as cn
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.transform import Divergent
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.verdict import Judgement, Kind
from lapdp.theory import language as lang
from lapdp.theory.methods.branch_and_bound import by_boxes
from lapdp.theory.methods.gaussians import NODES, without_integrals
from lapdp.theory.methods.instances import ENDS, fails, in_domain, refuted, truth
from lapdp.theory.methods.telling_points import closest, corners, marks, waves
from lapdp.theory.methods.tower import Tower
from lapdp.theory.methods.valleys import refuted_in_a_valley, without_equalities

INSTANCES = 8
MOST_FAR = 24
"""Values of a complex symbol at which functions of it are looked at."""
WHOLE, CORNERS, CROSSED = 8, 6, 150
"""How many whole numbers, corners of one letter, and points of all letters are crossed."""
_SIZES = (sp.S.Zero, sp.S.One, sp.Integer(2), sp.S.Half, sp.Integer(10), sp.Rational(1, 10),
          sp.Integer(100), sp.Rational(1, 100))
_DECADES = tuple(sp.Rational(1, 10 ** k) for k in (1, 2, 3, 4, 6, 8, 12))
_DIGITS_THERE = 3
"""Near edges so many times the digits are compared."""
NEAR_EDGES = 4.0
"""Seconds after which no further point near an edge is taken."""
NO_VALUE = "a value is claimed"
"""What stands against an integral that diverges."""
_STRICT = (sp.Lt, sp.Gt, sp.Ne)
_INTEGRALS = (cn.OneSided, cn.Bilateral, cn.IntegralOnLine, sp.Integral)


def by_balls(statement: Any, digits: int = 30, seed: int = 0) -> Judgement | None:
    """Judge a relation without pairs by ball arithmetic.

    Equalities are compared at exact points that ``seed`` determines, to ``digits`` digits:
    ``tested`` or ``refuted``.  Inequalities over a box or half-line given by the hypotheses are
    ``proved`` (strict), ``certified`` or ``refuted``; others are compared at points.  Raises
    :class:`Unsupported` when no point can be evaluated.

    >>> from lapdp.theory import Eq, reals
    >>> from lapdp.theory.statement import Statement
    >>> x = reals("x")
    >>> str(by_balls(Statement("wrong", Eq(sp.sin(x), x))).kind)
    'refuted'
    """
    claim = statement.claim
    where, spared = _hypotheses(statement)
    said = claim.free_symbols
    if any(h.free_symbols - said for h in where):
        raise Unsupported("a hypothesis on parameters that the claim does not mention")
    if not all(s.is_real or s.is_complex for s in said):
        raise Unsupported("a parameter that is neither real nor complex")
    try:
        if isinstance(claim, sp.Eq):
            return _equality(claim, where, spared, digits, seed)
        found = None
        if not any(side.has(*_INTEGRALS) for side in (claim.lhs, claim.rhs)):
            found = by_boxes(claim, where, digits)
        return found or _at_points(claim, where, spared, digits, seed)
    except InputError as problem:
        raise Unsupported(str(problem)) from None


def _hypotheses(statement: Any) -> tuple[list[Any], bool]:
    """Relations that points must satisfy; is convergence a hypothesis?"""
    where, spared = [], False
    for form in statement.where:
        if isinstance(form, Relational):
            where.append(form)
        elif isinstance(form, (lang.Converges, lang.Defined)):
            # points where balls find no value are passed over, and counted
            spared = True
        else:
            raise Unsupported(f"balls do not check a hypothesis {type(form).__name__}")
    return where, spared


def _kinds(*sides: Any) -> dict[Any, str]:
    """Symbols without a real assumption range over the complex numbers."""
    return {s: "complex" for e in sides for s in e.free_symbols if not s.is_real}


FIXED = (sp.S.Zero, sp.S.NegativeOne, 4 * sp.I, -4 * sp.I)
"""Values of a complex symbol that are always tried; e^(4 i) lies beyond the branch of log."""


BESIDE = sp.I * sp.Rational(13, 4), -sp.I * sp.Rational(13, 4)
"""Where e^z lies just beyond the branch of log."""
FAR = {True: (sp.Rational(1, 2), -sp.Rational(3, 2)),
       False: (-1 + sp.I / 3, sp.Rational(1, 2) + 4 * sp.I, -2 - 5 * sp.I)}
"""Values of real and of complex symbols that are tried together: a product, or a power of a power,
may lie beyond a branch only where two of its letters are off the first ones."""


# -- equalities -------------------------------------------------------------------------------


def _equality(claim: Any, where: Sequence[Any], spared: bool, digits: int, seed: int
              ) -> Judgement:
    free = claim.lhs.free_symbols | claim.rhs.free_symbols
    if any(c.free_symbols & free and c.free_symbols - free for c in where):
        raise Unsupported("a hypothesis on symbols that the claim does not hold")
    where = [c for c in where if c.free_symbols & free or not c.free_symbols]
    total, unseen = Sample(), []
    for k, (fixed, sample) in enumerate(_samples(claim, where, digits, seed)):
        if sample.refutation is not None:
            r = sample.refutation
            why = "the two sides differ: their balls at an exact point are disjoint"
            return refuted("balls at an exact point", {**fixed, **r.point}, r.lhs, r.rhs, why)
        if sample.undefined and not spared:
            point, what = sample.undefined[0]
            return _no_value({**fixed, **point}, what)
        if k == 0 and sample.agreements:
            unseen = sample.unseen
        if sample.agreements:
            total.digits = min(total.digits, sample.digits) if k else sample.digits
        elif k == 0:
            diverges = _divergence(claim, where, seed)
            if diverges is not None:
                return diverges
            why = _passed_over(sample) or "the hypotheses leave none that was tried"
            raise Unsupported(f"no point could be compared: {why}")
        total.agreements += sample.agreements
        total.skipped += sample.skipped
        total.undefined += sample.undefined
    if unseen:
        found = _near_edges(claim, where, digits)
        if found is not None:
            return found
        raise Unsupported(f"no point that is compared sees the term {unseen[0]}")
    symbols = sorted(free | {s for c in where for s in c.free_symbols}, key=str)
    if not claim.has(*_INTEGRALS) and all(s.is_real for s in symbols):
        seen = islice((p for p in _points(symbols, seed) if in_domain(p, where)), 1)
        found = _told(claim, where, spared, digits, seed, list(seen), symbols)
        if found is not None:
            return found
    if claim.has(*_INTEGRALS) and total.skipped and not spared:
        # convergence is what a sample of the points where balls see it cannot tell
        raise Unsupported(f"an integral may have no value: {_passed_over(total)}")
    return _tested(total.agreements, total.digits, seed, _passed_over(total))


def _near_edges(claim: Any, where: Sequence[Any], digits: int) -> Judgement | None:
    """A refutation near the edges of the domain, over decades and with more digits: there small
    terms are largest.  None where the sides agree, or balls need longer than a few seconds."""
    symbols, start = sorted(claim.free_symbols, key=str), time.monotonic()
    if not all(s.is_real for s in symbols):
        return None
    base: dict[Any, Any] = dict.fromkeys(symbols, sp.S.One)
    for s in symbols:
        others = {k: v for k, v in base.items() if k != s}
        for step, v, sign in product(_DECADES, corners(claim, where, s, others), (1, -1)):
            point = {**base, s: v + sign * step}
            if time.monotonic() - start > NEAR_EDGES:
                return None
            if not in_domain(point, where):
                continue
            refuting = sample_identity(claim.lhs.subs(point), claim.rhs.subs(point), {}, (), 1,
                                       _DIGITS_THERE * digits).refutation
            if refuting is not None:
                return refuted("balls at an exact point", point, refuting.lhs, refuting.rhs,
                               "the two sides differ: their balls at an exact point are disjoint")
    return None


def _divergence(claim: Any, where: Sequence[Any], seed: int) -> Judgement | None:
    """A refutation by a Gaussian integral that has no value at an exact point of the domain."""
    integrals = [x for side in (claim.lhs, claim.rhs) for x in side.atoms(*NODES)]
    symbols = sorted(claim.free_symbols, key=str)
    if not integrals or not all(s.is_real for s in symbols):
        return None
    for point in islice(_points(symbols, seed), 2 * len(_SIZES)):
        try:
            if not in_domain(point, where):
                continue
            for x in integrals:
                without_integrals(x.subs(point), Tower(Cell()))
        except Divergent as problem:
            return _no_value(point, problem)
        except (Unsupported, Undefined, NeedSplit):
            continue
    return None


def by_divergence(statement: Any, seed: int = 0) -> Judgement | None:
    """The refutation of an equality by an integral that has no value, as :func:`by_balls` finds it
    where it can compare no point, without comparing any; None where there is none."""
    where, spared = _hypotheses(statement)
    free = statement.claim.free_symbols
    if spared or not isinstance(statement.claim, sp.Eq) or any(
            h.free_symbols - free for h in where):
        return None
    return _divergence(statement.claim, where, seed)


def _samples(claim: Any, where: Sequence[Any], digits: int, seed: int
             ) -> Iterator[tuple[dict[Any, Any], Sample]]:
    """Samples of the whole domain, then of its slices s = 0, and for complex s other FIXED ones, or
    where a function is taken at one of these.

    There poles, divergent integrals and the far sheets of logarithms and roots hide from points
    that are drawn at random near 0.
    """
    lhs, rhs = claim.lhs, claim.rhs
    yield {}, sample_identity(lhs, rhs, _kinds(lhs, rhs), where, INSTANCES, digits, seed)
    for s in sorted(lhs.free_symbols | rhs.free_symbols, key=str):
        for v in (sp.S.Zero,) if s.is_real else (*FIXED, *_far(claim, s)):
            if s.is_positive or s.is_negative:
                continue
            sides = [side.subs(s, v) for side in (lhs, rhs)]
            conditions = _on_slice(where, s, v, sides[0].free_symbols | sides[1].free_symbols)
            if conditions is None:
                continue
            yield {s: v}, sample_identity(sides[0], sides[1], _kinds(*sides), conditions, 1,
                                          digits, seed)
    letters = sorted(lhs.free_symbols | rhs.free_symbols, key=str)
    if not claim.has(*_INTEGRALS) and 1 < len(letters) <= 3 and not all(
            s.is_real for s in letters):
        points = [dict(zip(letters, values, strict=True))
                  for values in product(*(FAR[bool(s.is_real)] for s in letters))]
        for s in letters:
            others = {x: FAR[bool(x.is_real)][0] for x in letters if x != s}
            points += [{**others, s: v} for v in ([] if s.is_real else _far(
                sp.Tuple(lhs, rhs).subs(others), s))]
        for point in points:
            here = [c.subs(point) for c in where]
            if sp.false in here or any(
                    s.is_integer or (s.is_positive and v < 0) or (s.is_negative and v > 0)
                    or (s.is_nonnegative and v < 0) or (s.is_nonpositive and v > 0)
                    for s, v in point.items() if s.is_real):
                continue
            yield point, sample_identity(lhs.subs(point), rhs.subs(point), {}, [
                c for c in here if c != sp.true], 1, digits, seed)


def _far(claim: Any, s: Any) -> list[Any]:
    """Where arguments of functions and bases of powers, affine in a complex letter, are FIXED, or
    BESIDE the branch."""
    found: dict[Any, None] = {}
    for e in sorted(claim.atoms(sp.Function, sp.Pow), key=sp.default_sort_key):
        for g in e.args[:1] if e.is_Pow else e.args:
            slope, rest = (sp.expand(g).coeff(s, n) for n in (1, 0))
            if slope.is_number and slope != 0 and rest.is_number and not (
                    sp.expand(g - slope * s - rest)):
                found |= dict.fromkeys(sp.expand((v - rest) / slope) for v in (*FIXED, *BESIDE))
    return [v for v in found if v not in FIXED][:MOST_FAR]


def _on_slice(where: Sequence[Any], s: Any, v: Any, left: set[Any]) -> list[Any] | None:
    """Hypotheses on the slice s = v for the symbols left, or None where it may be empty."""
    kept = []
    for c in where:
        here = c.subs(s, v)
        if here == sp.true:
            continue
        if here == sp.false or (not here.free_symbols <= left and (
                s in c.free_symbols or here.free_symbols & left)):
            return None
        # a hypothesis on other symbols alone restricts nothing here
        if here.free_symbols <= left:
            kept.append(here)
    return kept


def _passed_over(sample: Sample) -> str:
    count = sum(sample.skipped.values()) + len(sample.undefined)
    if not count:
        return ""
    reasons = [why for why, _ in sample.skipped.most_common(2)]
    reasons += [why for _, why in sample.undefined[:1]]
    return f"{count} points passed over ({'; '.join(reasons)})"


def _tested(n: int, digits: int, seed: int, passed: str) -> Judgement:
    return Judgement(
        Kind.TESTED, f"balls at {n} exact point{'s' * (n != 1)}", reason=passed,
        extra={"tested": {"instances": n, "digits": digits, "seed": seed}})


# -- inequalities at points -------------------------------------------------------------------


def _at_points(claim: Any, where: Sequence[Any], spared: bool, digits: int, seed: int
               ) -> Judgement:
    """An inequality compared at exact points: ``tested`` or ``refuted``."""
    symbols = sorted(claim.free_symbols | {s for c in where for s in c.free_symbols}, key=str)
    if any(side.has(*_INTEGRALS) for side in (claim.lhs, claim.rhs)):
        raise Unsupported("an inequality between integrals outside the exact class")
    if not all(s.is_real for s in symbols):
        raise Unsupported("an inequality in complex parameters")
    solved, _ = without_equalities(where)
    seen, open_ = [], 0
    for point in _points([s for s in symbols if s not in solved], seed):
        point.update({s: e.xreplace(point) for s, e in solved.items()})
        try:
            if not in_domain(point, where):
                continue
            holds = truth(claim, point, digits)
        except Undefined as problem:
            if spared:
                continue
            return _no_value(point, problem)
        except Unsupported:
            holds = None
        if holds is False:
            return fails(claim, point, digits, "balls at an exact point")
        open_ += holds is None
        if holds:
            seen.append(point)
        if len(seen) >= 2 * INSTANCES * max(1, len(symbols)) or open_ > 4 * INSTANCES:
            break
    if not seen:
        raise Unsupported("no point could be compared")
    found = _told(claim, where, spared, digits, seed, seen, symbols)
    if found is not None:
        return found
    if isinstance(claim, sp.Ne) and symbols and not {claim.lhs, claim.rhs} & set(ENDS):
        raise Unsupported(f"the sides differ at {len(seen)} points, but they may meet at others")
    return _tested(len(seen), digits, seed, f"{open_} points passed over" if open_ else "")


def _no_value(point: Any, problem: object) -> Judgement:
    return refuted("balls at an exact point", point, f"undefined: {problem}",
                   NO_VALUE, "a side of the claim has no value")


def _told(claim: Any, where: Sequence[Any], spared: bool, digits: int, seed: int,
          seen: Sequence[dict[Any, Any]], symbols: Sequence[Any]) -> Judgement | None:
    """A refutation at a telling point of a line through a point where the claim holds.

    Raises :class:`Unsupported` where the sides meet to 20 digits and the claim lives on that.
    """
    ended = bool({claim.lhs, claim.rhs} & set(ENDS))
    for point in _crossed(claim, where, symbols):
        found = _against(claim, where, spared, digits, point)
        if found is not None:
            return found
    meeting = None
    # along one letter of several only where what fails on a line is no valley
    lines = not isinstance(claim, sp.Eq) and not ended and (
        len(symbols) == 1 or isinstance(claim, sp.Ne))
    for base in seen[:2]:
        for s in symbols:
            values = ((v, False) for v in marks(claim, where, s, base))
            near = closest(claim, where, s, base) if lines else ()
            for v, meet in chain(values, near):
                found = _against(claim, where, spared, digits, {**base, s: v})
                if found is not None:
                    return found
                if meet and isinstance(claim, _STRICT):
                    meeting = f"the sides meet to 20 digits near {s} = {sp.N(v, 8)}"
    if meeting:
        raise Unsupported(meeting)
    return None if ended else refuted_in_a_valley(
        claim, where, spared, seed, seen, partial(_against, claim, where, spared, digits))


def _against(claim: Any, where: Sequence[Any], spared: bool, digits: int,
             point: Mapping[Any, Any]) -> Judgement | None:
    """A refutation at a point of the domain; None where there is none, or balls cannot tell."""
    try:
        if in_domain(point, where) and truth(claim, point, digits) is False:
            return fails(claim, point, digits, "balls at an exact point")
    except Undefined as problem:
        return None if spared else _no_value(point, problem)
    except (Unsupported, InputError):
        pass
    return None


def _crossed(claim: Any, where: Sequence[Any], symbols: Sequence[Any]) -> Iterator[dict[Any, Any]]:
    """Small whole numbers crossed with the corners of what is real, each with the others at 1."""
    if len(symbols) < 2:
        return
    ones = dict.fromkeys(symbols, sp.S.One)
    pools = []
    for s in symbols:
        others = {k: v for k, v in ones.items() if k != s}
        pools.append([*map(sp.Integer, range(WHOLE))] if s.is_integer else list(dict.fromkeys((
            *corners(claim, where, s, others)[:CORNERS], *waves(claim, s, others)[:CORNERS],
            sp.S.One, sp.S.NegativeOne, sp.Integer(2), sp.S.Half))))
    yield from (dict(zip(symbols, values, strict=True))
                for values in islice(product(*pools), CROSSED))


def _points(symbols: Sequence[Any], seed: int) -> Iterator[dict[Any, Any]]:
    """Small rationals first, then random ones; a point may lie outside the domain."""
    rng = random.Random(seed)
    if not symbols:
        yield {}
        return
    for k in _SIZES:
        for sign in (1, -1):
            yield {s: sign * k for s in symbols}
    for zero in symbols:
        yield {s: sp.S.Zero if s == zero else sp.S.One for s in symbols}
    for n in range(400):
        span = (2, 8, 80)[n % 3]
        yield {s: sp.Rational(rng.randint(-span * 4, span * 4), 4) * (
            -1 if s.is_nonpositive else 1) for s in symbols}
