"""Where a relation between numbers is nearest to failing, looked for in all its letters at once.

Every expression on whose sign its truth hangs is followed downhill from many places to where it is
least, so that a relation that fails in a small region off every grid does not go for tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import ceil
from typing import Any

import sympy as sp
from flint import acb, arb

from lapdp.balls import enclosure
from lapdp.balls import sign as ball_sign
from lapdp.balls.compiler import compile_balls
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec
from lapdp.core.verdict import Judgement
from lapdp.theory.methods.branch_and_bound import ranges_of
from lapdp.theory.methods.charts import BITS, REACH, charts_of, rounded
from lapdp.theory.methods.joint_descent import Landscape, Valley
from lapdp.theory.methods.telling_points import WAVES, known_numbers
from lapdp.theory.methods.turns import GAP, Turn, turns_of

WORK = 150_000
"""Evaluations of one search; what is not finished by then is not tested."""
MOST_DIGITS = 400
"""Of the numbers in a claim: as many, twice, are those in which gaps are seen."""
_MEET, _STEADY = arb("1e-20"), 0.99

Against = Callable[[Mapping[Any, Any]], Judgement | None]


def refuted_in_a_valley(claim: Any, where: Sequence[Any], spared: bool, seed: int,
                        seen: Sequence[Mapping[Any, Any]], against: Against) -> Judgement | None:
    """A refutation at an exact point near which an expression that matters is least, or None.

    ``seen`` are points of the domain where the claim holds; ``spared`` says that it is only claimed
    where its sides have values; ``against`` judges a point.  None means: from every start each
    expression that matters ended clearly above 0, or, for the gap of sides of a weak relation, at 0
    to hundreds of digits.  Raises :class:`Unsupported` where it ends at 0 although the claim lives
    on its sign, where it still falls towards an end of the range of a letter, and where the search
    is not finished.

    >>> x, y = sp.symbols("x y", real=True)
    >>> hidden = sp.Ge((x**3 - 2)**2 + (y - x)**2, sp.Rational(1, 1000))
    >>> def against(point):
    ...     return None if hidden.subs(point) else point
    >>> refuted_in_a_valley(hidden, [], False, 0, [{x: sp.S.One, y: sp.S.One}], against)
    {x: 63/50, y: 63/50}
    """
    solved, where = without_equalities(where)
    claim = claim.func(*(side.xreplace(solved) for side in claim.args), evaluate=False)
    letters = sorted(claim.free_symbols | {s for c in where for s in c.free_symbols}, key=str)
    if not letters:
        return None

    def judged(point: Mapping[Any, Any]) -> Judgement | None:
        return against({**point, **{s: e.xreplace(dict(point)) for s, e in solved.items()}})

    search = _Search(claim, where, letters, seed, [
        {s: point[s] for s in letters} for point in seen], judged)
    open_: list[Unsupported] = []
    for turn in turns_of(claim, spared):
        try:
            found = search.follow(turn)
        except Unsupported as problem:
            open_.append(problem)
            continue
        if found is not None:
            return found
    if open_:
        raise open_[0]
    return None


class _Search:
    """The search about one claim whose hypotheses hold no equality."""

    def __init__(self, claim: Any, where: Sequence[Any], letters: Sequence[Any], seed: int,
                 seen: Sequence[Mapping[Any, Any]], against: Against) -> None:
        self.claim, self.seed, self.seen, self.against = claim, seed, seen, against
        self.size = max(map(_digits, (claim, *where)))
        if self.size > MOST_DIGITS:
            raise Unsupported(f"numbers of more than {MOST_DIGITS} digits")
        self.bits = BITS + 8 * self.size
        ranges = ranges_of(letters, where)
        waving = {s for e in claim.atoms(*WAVES) for s in e.free_symbols}
        if any(sp.oo in map(abs, ranges[s]) and not _periodic(claim, s) for s in waving):
            raise Unsupported("waves that have no common period")
        self.charts = charts_of(ranges, self.bits, REACH + 5 * self.size, waving)
        self.inside = [h for c in where if (h := _side_of(c)) is not None]
        self.terms = [t for side in claim.args for t in sp.Add.make_args(side)]
        self.work = 0

    def follow(self, turn: Turn) -> Judgement | None:
        """A refutation near a valley of the turn's expression; None where there is none."""
        signs = set() if turn.whole else self._signs(turn.e)
        if not turn.both:
            e = turn.e if turn.what == GAP or signs != {-1} else -turn.e
            return self._descend(e, turn)
        for sign in {1, -1} - signs if signs else (1, -1):
            # towards the sign that no point had
            found = self._descend(-sign * turn.e, turn)
            if found is not None:
                return found
        return None

    def _signs(self, e: Any) -> set[int]:
        found = set()
        for point in self.seen:
            try:
                found.add(ball_sign(e.xreplace(dict(point))))
            except (Undefined, Unsupported, InputError):
                continue
        return {s for s in found if s}

    def _descend(self, e: Any, turn: Turn) -> Judgement | None:
        land = Landscape(e, self.inside, self.charts, self.bits, self.size, turn.whole)
        ends: list[Valley] = []
        open_: list[Unsupported] = []
        for end in land.descents(self.seed, self.seen):
            try:
                with workprec(self.bits):
                    found = self._judged(land, end, turn)
            except Unsupported as problem:
                open_.append(problem)
                found = None
            if found is not None:
                return found
            ends.append(end)
            if self.work + land.spent > WORK:
                raise Unsupported(f"the search for where {turn.what} is least takes too long")
        self.work += land.spent
        if open_:
            raise open_[0]
        if turn.what == GAP:
            if not ends:
                raise Unsupported("no inner point of the hypotheses is found")
            lowest = min(ends, key=lambda end: end.value)
            if not lowest.settled and lowest.value > land.floor:
                if not self._is_falling(land, lowest):
                    raise Unsupported(f"{turn.what} still falls {_near(lowest)}")
                self._require_steady(land, lowest)
        return None

    def _judged(self, land: Landscape, end: Valley, turn: Turn) -> Judgement | None:
        with workprec(self.bits):
            below, met = end.value < -land.floor, end.value <= _MEET * land.scale
            same, far = end.value <= land.floor, self._is_falling(land, end)
        points: Iterable[dict[Any, Any]] = ()
        if below or turn.whole:
            points = rounded(end.point, self.bits)
        elif met and not far:
            points = _exact_near(end.point)
        found = next((j for p in points if (j := self.against(p)) is not None), None)
        if found is not None or turn.both:
            return found
        if below and (turn.strict or turn.what == GAP):
            raise Unsupported(f"{turn.what} changes its sign {_near(end)}")
        if same and not turn.strict:
            return None
        if far and turn.what == GAP:
            self._require_steady(land, end)
        elif met and not far and (turn.what == GAP or (
                turn.strict and not land.is_at_border(end.place))):
            raise Unsupported(f"{turn.what} meets 0 to 20 digits {_near(end)}")
        return None

    def _is_falling(self, land: Landscape, end: Valley) -> bool:
        """Is it less still nearer to the ends of the ranges of its far letters?"""
        further = self._drawn(end.place, arb("1.1"))
        if further == end.place:
            return False
        value = land.at(further)
        return value is None or bool(value < end.value)

    def _require_steady(self, land: Landscape, end: Valley) -> None:
        """A gap that is least at an end of a letter's range must be clear of 0 there, beside the
        terms of the sides, or fall as a power of the distance does."""
        with workprec(self.bits):
            places = [self._drawn(end.place, k) for k in (arb("0.5"), arb("0.75"), arb(1))]
            gaps = [land.at(u) for u in places]
            sizes = [self._size(land.point(u)) for u in places]
            if None not in gaps and None not in sizes and all(g > 0 for g in gaps):
                shares = [g / size for g, size in zip(gaps, sizes, strict=True)]
                if shares[2] > _MEET and shares[2] > _STEADY * shares[0]:
                    return
                logs = [g.log() for g in gaps]
                first, second = logs[1] - logs[0], logs[2] - logs[1]
                if abs(first - second) < abs(first) / 100:
                    return
        raise Unsupported(f"the gap of the sides falls towards the end of a range {_near(end)}")

    def _drawn(self, place: Any, k: Any) -> Any:
        """The place with its far letters at other distances."""
        return tuple((u * k).mid() if c.is_far(u) else u
                     for c, u in zip(self.charts, place, strict=True))

    def _size(self, point: Mapping[Any, Any]) -> Any:
        """The size of the largest term of the sides."""
        found = []
        for t in self.terms:
            try:
                found.append(compile_balls(t, {s: acb(v) for s, v in point.items()}).constant())
            except (Undefined, Unsupported, InputError):
                return None
        return max((abs(z).mid() for z in found if z.is_finite()), default=None)


def _periodic(form: Any, s: Any) -> bool:
    """Have the waves of a letter a common period, the other letters being fixed?  Else what they
    make together may come as near to its ends as it likes, far out.  That of whole numbers is 1.

    >>> x = sp.Symbol("x", real=True)
    >>> _periodic(sp.sin(2*x) + sp.cos(3*x), x), _periodic(sp.sin(x) + sp.sin(sp.sqrt(2)*x), x)
    (True, False)
    """
    slopes = {sp.diff(e.args[0], s) for e in form.atoms(*WAVES) if e.has(s)}
    slopes |= {2 * sp.pi} if s.is_integer else set()
    first = next(iter(slopes), sp.S.One)
    return len(slopes) < 2 or all((k / first).is_Rational for k in slopes)


def _digits(form: Any) -> int:
    """The digits of the numbers of a relation, before and behind the point."""
    found, parts = 1, sp.preorder_traversal(form)
    for e in parts:
        if isinstance(e, sp.Rational):
            found = max(found, len(str(abs(e.p))), len(str(e.q)))
        elif isinstance(e, sp.Expr) and e.args and e.is_number:
            size = abs(enclosure(e)).log() / arb(10).log()
            found = max(found, ceil(abs(float(size.mid()))) if size.is_finite() else 1)
    return found


def _side_of(c: Any) -> Any:
    """What a hypothesis on more than one letter, or on no number, says is above 0."""
    if not isinstance(c, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
        return None
    if any(side.is_Symbol and not other.free_symbols for side, other in (c.args, c.args[::-1])):
        return None
    return c.gts - c.lts


def without_equalities(where: Sequence[Any]) -> tuple[dict[Any, Any], list[Any]]:
    """Letters that equalities among the hypotheses give by others, and the other hypotheses.
    Raises :class:`Unsupported` where an equality is linear in no letter.

    >>> x, y = sp.symbols("x y", real=True)
    >>> without_equalities([sp.Eq(x + 2*y, 1), y > 0])
    ({x: 1 - 2*y}, [y > 0])
    """
    solved: dict[Any, Any] = {}
    rest = [c for c in where if not isinstance(c, sp.Eq)]
    for c in where:
        if not isinstance(c, sp.Eq):
            continue
        gap = sp.expand((c.lhs - c.rhs).xreplace(solved))
        if not gap.free_symbols:
            continue
        for s in sorted(gap.free_symbols, key=str):
            slope = gap.diff(s)
            if not s.is_integer and not slope.has(s):
                value = sp.expand(s - gap / slope)
                break
        else:
            raise Unsupported(f"the hypothesis {c} is not solved for a letter")
        solved = {**{k: v.xreplace({s: value}) for k, v in solved.items()}, s: value}
        rest += [form for sign, form in ((s.is_nonnegative, sp.Ge(s, 0, evaluate=False)),
                                         (s.is_nonpositive, sp.Le(s, 0, evaluate=False))) if sign]
    told = [c.func(*(a.xreplace(solved) for a in c.args), evaluate=False) for c in rest]
    return solved, [c for c in told if c.free_symbols]


def _exact_near(point: Mapping[Any, Any]) -> Iterator[dict[Any, Any]]:
    """Points whose letters are numbers that look like those of a point."""
    near = list(rounded(point))[-2]
    pools = [[*known_numbers(v), v][:4] for v in near.values()]
    return (dict(zip(near, values, strict=True)) for values in islice(product(*pools), 64))


def _near(end: Valley) -> str:
    return "near " + ", ".join(f"{s} = {v.str(8, radius=False)}" for s, v in end.point.items())


__all__ = ["MOST_DIGITS", "WORK", "refuted_in_a_valley", "without_equalities"]
