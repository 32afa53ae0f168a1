"""Inequalities over a compact box, or a half-line, that the hypotheses give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.balls import BoxProof, Counterexample, Undecided, prove_sign, prove_sign_halfline
from lapdp.balls import sign as ball_sign
from lapdp.calculus.convert import to_form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Rejected, seal
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.instances import fails, in_domain
from lapdp.theory.methods.tower import Tower
from lapdp.theory.obligations import Path

MAX_BOXES = 3000
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Box:
    """Closed ranges of the symbols; an upper end may be oo for a single symbol."""

    ranges: tuple[tuple[Any, tuple[Any, Any]], ...]

    def prove(self, claim: Any, digits: int) -> BoxProof | Counterexample | Undecided:
        """Branch and bound for an inequality, both sides defined on the whole box."""
        turned = claim.rel_op in ("<", "<=")
        relation = TURNED[claim.rel_op] if turned else claim.rel_op
        lhs, rhs = (claim.rhs, claim.lhs) if turned else (claim.lhs, claim.rhs)
        # unevaluated: what cancels must have a value nevertheless
        difference = sp.Add(lhs, sp.Mul(-1, rhs, evaluate=False), evaluate=False)
        if any(hi == sp.oo for _, (_, hi) in self.ranges):
            ((t, (lo, _)),) = self.ranges
            tower = Tower(Cell([(to_form(t - lo), ">=")]))
            try:
                require(tower, lhs)
                require(tower, rhs)
            except NeedSplit:
                raise Unsupported("a side may have no value somewhere") from None
            return prove_sign_halfline(difference, relation, t, lo, MAX_BOXES, digits)
        return prove_sign(difference, relation, dict(self.ranges), MAX_BOXES, digits)


@dataclass(frozen=True)
class OnBox:
    """A strict inequality on a closed box or half-line that holds the whole stated domain."""

    claim: Any
    box: Box
    digits: int

    def discharge(self, path: Path) -> None:
        """Run the branch and bound again."""
        try:
            found = self.box.prove(self.claim, self.digits)
        except (Unsupported, Undefined) as problem:
            raise Rejected(f"the boxes: {problem}") from None
        if not isinstance(found, BoxProof) or self.claim.rel_op not in (">", "<", "!="):
            raise Rejected(f"{self.claim} is not proved on every box")

    def describe(self) -> str:
        """One line."""
        where = ", ".join(f"{s} in [{lo}, {hi}]" for s, (lo, hi) in self.box.ranges)
        return f"{self.claim} on every part of {where}"


def by_boxes(claim: Any, where: Sequence[Any], digits: int) -> Judgement | None:
    """A judgement where the hypotheses give a box and it is decided, else None.

    >>> x = sp.Symbol("x", real=True)
    >>> by_boxes(sp.exp(x) > 1 + x, [x >= 1, x <= 2], 20).reason
    'x in [1, 2]: 3 boxes at 99 bits'
    """
    box = _box(claim.free_symbols, where)
    if box is None:
        return None
    try:
        found = box.prove(claim, digits)
    except (Unsupported, Undefined, InputError):
        return None
    if isinstance(found, Undecided):
        return None
    if isinstance(found, Counterexample):
        if not in_domain(found.point, where):
            return None
        return fails(claim, found.point, digits, "branch and bound")
    text = f"{found.where}: {found.boxes} box{'es' * (found.boxes != 1)} at {found.bits} bits"
    if claim.rel_op in (">", "<", "!="):
        leaf = Leaf((OnBox(claim, box, digits),))
        proof = seal(Certificate("branch and bound", (("the domain", leaf),)))
        return Judgement(Kind.DERIVED, "branch and bound", reason=text, proof=proof)
    return Judgement(Kind.CERTIFIED, "branch and bound", reason=text, extra={
        "certified": {"box": found.where, "boxes": found.boxes, "bits": found.bits}})


def _box(symbols: set[Any], where: Sequence[Any]) -> Box | None:
    """A box or half-line that holds every point of the domain, if the hypotheses give one."""
    if not symbols or not all(s.is_real for s in symbols):
        return None
    ranges = ranges_of(symbols, where)
    if any(lo == -sp.oo for lo, _ in ranges.values()):
        return None
    if any(hi == sp.oo for _, hi in ranges.values()) and len(ranges) > 1:
        return None
    return Box(tuple(sorted(((s, (lo, hi)) for s, (lo, hi) in ranges.items()), key=str)))


def ranges_of(symbols: Iterable[Any], where: Sequence[Any]) -> dict[Any, list[Any]]:
    """The ends that assumptions, and hypotheses with numbers, give to real letters: -oo and oo
    where there are none.

    >>> x, y = sp.Symbol("x", real=True), sp.Symbol("y", positive=True)
    >>> ranges_of([x, y], [x < 3, x < y])
    {x: [-oo, 3], y: [0, oo]}
    """
    ranges = {s: [_least(s), sp.S.Zero if s.is_nonpositive else sp.oo] for s in symbols}
    for form in where:
        for x, op, bound in ((form.lhs, form.rel_op, form.rhs),
                             (form.rhs, TURNED.get(form.rel_op, form.rel_op), form.lhs)):
            if x in ranges and not bound.free_symbols and bound.is_real and op != "!=":
                if op in (">", ">=", "=="):
                    ranges[x][0] = _tighter(ranges[x][0], bound, 1)
                if op in ("<", "<=", "=="):
                    ranges[x][1] = _tighter(ranges[x][1], bound, -1)
    return ranges


def _least(s: Any) -> Any:
    return sp.S.Zero if s.is_nonnegative else -sp.oo


def _tighter(old: Any, new: Any, side: int) -> Any:
    """The larger (side 1) or smaller (side -1) of two bounds; the old one if undecided."""
    if old in (sp.oo, -sp.oo):
        return new
    return new if ball_sign(new - old) == side else old
