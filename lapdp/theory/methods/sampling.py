"""Relations between numbers, by balls: at exact points, and over whole boxes.

Disjoint balls at one exact point refute an equality; agreement at many points makes it ``tested``,
never more.  An inequality over a compact box, or over a half-line, is decided by branch and bound.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.balls import (
    BoxProof,
    Counterexample,
    Undecided,
    enclosure,
    prove_sign,
    prove_sign_halfline,
    sample_identity,
)
from lapdp.balls import sign as ball_sign
from lapdp.balls.identities import Sample
from lapdp.calculus import nodes as cn
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Rejected, Witness, seal
from lapdp.theory import language as lang
from lapdp.theory.obligations import Path

INSTANCES = 8
MAX_BOXES = 3000
_INTEGRALS = (cn.OneSided, cn.Bilateral, cn.IntegralOnLine, sp.Integral)
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


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
    try:
        if isinstance(claim, sp.Eq):
            return _equality(claim, where, spared, digits, seed)
        found = None
        if not any(side.has(*_INTEGRALS) for side in (claim.lhs, claim.rhs)):
            found = _by_boxes(claim, where, digits)
        return found or _at_points(claim, where, digits, seed)
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


# -- equalities -------------------------------------------------------------------------------


def _equality(claim: Any, where: Sequence[Any], spared: bool, digits: int, seed: int
              ) -> Judgement:
    free = claim.lhs.free_symbols | claim.rhs.free_symbols
    usable = [c for c in where if c.free_symbols <= free]
    sample = sample_identity(claim.lhs, claim.rhs, _kinds(claim.lhs, claim.rhs), usable,
                             INSTANCES, digits, seed)
    if len(usable) < len(where):
        raise Unsupported("a hypothesis on symbols that the claim does not hold")
    if sample.refutation is not None:
        r = sample.refutation
        why = "the two sides differ: their balls at an exact point are disjoint"
        return _refuted("balls at an exact point", r.point, r.lhs, r.rhs, why)
    if sample.undefined and not spared:
        point, what = sample.undefined[0]
        return _refuted("balls at an exact point", point, f"undefined: {what}",
                        "a value is claimed", "a side of the claim has no value")
    passed = _passed_over(sample)
    if not sample.agreements:
        raise Unsupported(f"no point could be compared: {passed or 'the hypotheses leave none'}")
    return _tested(sample.agreements, sample.digits, seed, passed)


def _passed_over(sample: Sample) -> str:
    count = sum(sample.skipped.values()) + len(sample.undefined)
    if not count:
        return ""
    reasons = [why for why, _ in sample.skipped.most_common(2)]
    reasons += [why for _, why in sample.undefined[:1]]
    return f"{count} points passed over ({'; '.join(reasons)})"


def _tested(n: int, digits: int, seed: int, passed: str) -> Judgement:
    return Judgement(
        Kind.TESTED, f"balls at {n} exact points", reason=passed,
        extra={"tested": {"instances": n, "digits": digits, "seed": seed}})


def _refuted(method: str, point: Any, lhs: str, rhs: str, why: str) -> Judgement:
    values = {str(k): str(v) for k, v in point.items()}
    text = "; ".join(f"{k} = {v}" for k, v in values.items()) or "the numbers themselves"
    return Judgement(Kind.REFUTED, method, witness=Witness(text, values, lhs, rhs, why), reason=why)


# -- boxes ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """Closed ranges of the symbols; an upper end may be oo for a single symbol."""

    ranges: tuple[tuple[Any, tuple[Any, Any]], ...]

    def prove(self, difference: Any, relation: str, digits: int
              ) -> BoxProof | Counterexample | Undecided:
        """Branch and bound for ``difference relation 0``."""
        if any(hi == sp.oo for _, (_, hi) in self.ranges):
            ((t, (lo, _)),) = self.ranges
            return prove_sign_halfline(difference, relation, t, lo, MAX_BOXES, digits)
        return prove_sign(difference, relation, dict(self.ranges), MAX_BOXES, digits)


@dataclass(frozen=True)
class OnBox:
    """A strict inequality on a closed box or half-line that holds the whole stated domain."""

    difference: Any
    relation: str
    box: Box
    digits: int

    def discharge(self, path: Path) -> None:
        """Run the branch and bound again."""
        try:
            found = self.box.prove(self.difference, self.relation, self.digits)
        except (Unsupported, Undefined) as problem:
            raise Rejected(f"the boxes: {problem}") from None
        if not isinstance(found, BoxProof):
            raise Rejected(f"{self.difference} {self.relation} 0 is not proved on every box")

    def describe(self) -> str:
        """One line."""
        where = ", ".join(f"{s} in [{lo}, {hi}]" for s, (lo, hi) in self.box.ranges)
        return f"{self.difference} {self.relation} 0 on every part of {where}"


def _by_boxes(claim: Any, where: Sequence[Any], digits: int) -> Judgement | None:
    """A judgement where the hypotheses give a box and it is decided, else None."""
    difference, relation = claim.lhs - claim.rhs, claim.rel_op
    box = _box(difference.free_symbols, where)
    if box is None:
        return None
    try:
        found = box.prove(difference, relation, digits)
    except (Unsupported, InputError):
        return None
    if isinstance(found, Undecided):
        return None
    if isinstance(found, Counterexample):
        if not _in_domain(found.point, where):
            return None
        lhs, rhs = (_shown(side, found.point, digits) for side in (claim.lhs, claim.rhs))
        return _refuted("branch and bound", found.point, lhs, rhs,
                        f"the difference of the sides is {found.value}, proved at an exact point")
    text = f"{found.where}: {found.boxes} boxes at {found.bits} bits"
    if relation in (">", "<", "!="):
        leaf = Leaf((OnBox(difference, relation, box, digits),))
        proof = seal(Certificate("branch and bound", (("the domain", leaf),)))
        return Judgement(Kind.PROVED, "branch and bound", reason=text, proof=proof)
    return Judgement(Kind.CERTIFIED, "branch and bound", reason=text, extra={
        "certified": {"box": found.where, "boxes": found.boxes, "bits": found.bits}})


def _box(symbols: set[Any], where: Sequence[Any]) -> Box | None:
    """A box or half-line that holds every point of the domain, if the hypotheses give one."""
    if not symbols or not all(s.is_real for s in symbols):
        return None
    ranges = {s: [_least(s), sp.S.Zero if s.is_nonpositive else sp.oo] for s in symbols}
    for form in where:
        for x, op, bound in ((form.lhs, form.rel_op, form.rhs),
                             (form.rhs, _TURNED.get(form.rel_op, form.rel_op), form.lhs)):
            if x in ranges and not bound.free_symbols and bound.is_real and op != "!=":
                if op in (">", ">=", "=="):
                    ranges[x][0] = _tighter(ranges[x][0], bound, 1)
                if op in ("<", "<=", "=="):
                    ranges[x][1] = _tighter(ranges[x][1], bound, -1)
    if any(lo == -sp.oo for lo, _ in ranges.values()):
        return None
    if any(hi == sp.oo for _, hi in ranges.values()) and len(ranges) > 1:
        return None
    return Box(tuple(sorted(((s, (lo, hi)) for s, (lo, hi) in ranges.items()), key=str)))


def _least(s: Any) -> Any:
    return sp.S.Zero if s.is_nonnegative else -sp.oo


def _tighter(old: Any, new: Any, side: int) -> Any:
    """The larger (side 1) or smaller (side -1) of two bounds; the old one if undecided."""
    if old in (sp.oo, -sp.oo):
        return new
    return new if ball_sign(new - old) == side else old


def _in_domain(point: Any, where: Sequence[Any]) -> bool:
    """Does the point satisfy assumptions and hypotheses, provably?"""
    for s, v in point.items():
        if (s.is_positive and ball_sign(v) != 1) or (s.is_negative and ball_sign(v) != -1):
            return False
        if s.is_integer and not v.is_integer:
            return False
    return all(_truth(form, point, 30) is True for form in where)


def _truth(form: Any, point: Any, digits: int) -> bool | None:
    """Does a relation hold at an exact point?  None if balls cannot tell."""
    difference = (form.lhs - form.rhs).xreplace(point)
    op = form.rel_op
    if difference == 0:
        return op in ("==", ">=", "<=")
    if op in ("==", "!="):
        separate = not enclosure(difference, {}, digits).contains(0)
        return (op == "!=") if separate else None
    s = ball_sign(difference, {}, digits)
    if s is None:
        return None
    return {">": s > 0, ">=": s >= 0, "<": s < 0, "<=": s <= 0}[op]


def _shown(side: Any, point: Any, digits: int) -> str:
    try:
        return str(enclosure(side, point, digits).str(min(digits, 20)))
    except (Unsupported, Undefined) as problem:
        return str(problem)


# -- inequalities at points -------------------------------------------------------------------


def _at_points(claim: Any, where: Sequence[Any], digits: int, seed: int) -> Judgement:
    """An inequality compared at exact points: ``tested`` or ``refuted``."""
    symbols = sorted(claim.free_symbols | {s for c in where for s in c.free_symbols}, key=str)
    if any(side.has(*_INTEGRALS) for side in (claim.lhs, claim.rhs)):
        raise Unsupported("an inequality between integrals outside the exact class")
    if not all(s.is_real for s in symbols):
        raise Unsupported("an inequality in complex parameters")
    held = open_ = 0
    for point in _points(symbols, seed):
        try:
            if not _in_domain(point, where):
                continue
            truth = _truth(claim, point, digits)
        except Undefined as problem:
            return _refuted("balls at an exact point", point, f"undefined: {problem}",
                            "a value is claimed", "a side of the claim has no value")
        except Unsupported:
            truth = None
        if truth is False:
            lhs, rhs = (_shown(side, point, digits) for side in (claim.lhs, claim.rhs))
            return _refuted("balls at an exact point", point, lhs, rhs, "the relation fails")
        held, open_ = held + (truth is True), open_ + (truth is None)
        if held >= INSTANCES * max(1, len(symbols)) or open_ > 4 * INSTANCES:
            break
    if not held:
        raise Unsupported("no point could be compared")
    return _tested(held, digits, seed, f"{open_} points passed over" if open_ else "")


def _points(symbols: Sequence[Any], seed: int) -> Iterator[dict[Any, Any]]:
    """Small rationals first, then random ones; a point may lie outside the domain."""
    rng = random.Random(seed)
    if not symbols:
        yield {}
        return
    for k in (0, 1, -1, 2, -2, 3):
        yield {s: sp.Integer(k) for s in symbols}
    for n in range(400):
        span = (2, 8, 80)[n % 3]
        yield {s: sp.Rational(rng.randint(-span * 4, span * 4), 4) * (
            -1 if s.is_nonpositive else 1) for s in symbols}
