"""Signs of explicit functions of several real parameters, by monotonicity from an end.

Let f be differentiable in v on a domain whose sections along v are intervals, continuous up to one
end c of the section (c may depend on the other parameters), and suppose f' has one sign, away from
the end.  Then f >= f(c) throughout, and > where f' is strict (mean value theorem).  The same holds
for an end at infinity with the limit of f in place of f(c).  So the sign of f follows from those of
f(c), with one parameter less, and of f'; both are settled in the same way, after factors of known
sign have been taken off.  What depends on one parameter only may be settled by balls.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import sympy as sp

from lapdp.balls import BoxProof, prove_sign, prove_sign_halfline
from lapdp.balls import sign as ball_sign
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import Unsupported
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.domains import Domain
from lapdp.theory.methods.slopes import TROUBLE, Goal, Plan, Way, plausible, smooth, ways_to
from lapdp.theory.methods.tower import Tower, plain

DEPTHS = (1, 3, 6)
"""Derivatives and ends taken one inside the other: few first."""
GOALS = 40
"""Signs that are looked at before giving up."""
SECONDS = 4.0
"""Of processor time: a search that takes longer is given up."""
TERMS = 24
"""Of a numerator: longer ones are given up."""
_BOXES = 400
_DIGITS = 30
_NEAR = 8


class Ways:
    """Ways that are worked out when they are asked for, and kept."""

    def __init__(self, ways: Iterator[Way]) -> None:
        self._kept: list[Way] = []
        self._rest = ways

    def __iter__(self) -> Iterator[Way]:
        k = 0
        while True:
            if k == len(self._kept):
                way = next(self._rest, None)
                if way is None:
                    return
                self._kept.append(way)
            yield self._kept[k]
            k += 1


class Prover:
    """Proves ``e >= 0`` or ``e > 0`` on a domain; ``route`` says how, line by line.

    The expression must be defined on the whole domain: that is the caller's business, as is the
    meaning of its symbols, all of them real.

    >>> x = sp.Symbol("x", positive=True)
    >>> Prover().proves(x - sp.tanh(x), Domain(()), strict=True)
    True
    >>> Prover().proves(sp.tanh(x) - x / 2, Domain(()), strict=False)
    False
    """

    def __init__(self, plan: Plan | None = None, goals: int = GOALS) -> None:
        self._given = plan
        self.plan: dict[Goal, tuple[Any, int]] = {}
        self.left = goals
        self._deadline = time.process_time() + SECONDS
        self.route: list[str] = []
        self._reached: set[Goal] = set()
        self._missed: dict[Goal, int] = {}
        self._ways: dict[Goal, Ways | bool] = {}

    def proves(self, e: Any, domain: Domain, strict: bool) -> bool:
        """Is the sign proved?  False says nothing."""
        return any(self._reaches((e, domain, strict), depth) for depth in DEPTHS)

    def _reaches(self, goal: Goal, depth: int) -> bool:
        """Is the goal proved with at most ``depth`` steps one inside the other?"""
        if goal in self._reached:
            return True
        if self._missed.get(goal, -1) >= depth:
            return False
        self._missed[goal] = depth  # nor does a goal help to prove itself
        ways = self._ways_to(goal)
        if isinstance(ways, Ways):
            found = next((way for way in ways if all(
                self._reaches(part, depth - 1) for part in way.goals)), None) if depth else None
            if found is None:
                return False
            self.route.append(found.text)
            self.plan[goal] = found.key
        elif not ways:
            self._missed[goal] = DEPTHS[-1]
            return False
        self._reached.add(goal)
        return True

    def _ways_to(self, goal: Goal) -> Ways | bool:
        """True if the goal is plain, False if it is hopeless, else what it follows from."""
        if goal not in self._ways:
            self.left -= 1
            try:
                spent = self.left < 0 or time.process_time() > self._deadline
                self._ways[goal] = not spent and self._look(*goal)
            except TROUBLE:
                self._ways[goal] = False
        return self._ways[goal]

    def _look(self, e: Any, domain: Domain, strict: bool) -> Ways | bool:
        if not plausible(e, domain):
            return False
        if not e.free_symbols and ball_sign(e) == 1:
            return True
        tower = Tower(domain.cell())
        x = tower.reduce(tower.scalar(e))
        if x.is_zero():
            return not strict
        if len(x.num.to_dict()) > TERMS:
            return False
        rest = self._core(x, tower, strict)
        if rest is None:
            return True
        core = plain(rest)
        symbols = sorted(core.free_symbols, key=str)
        if not symbols:
            return ball_sign(core) == 1
        try:
            if self._by_balls(core, domain, symbols):
                return True
        except TROUBLE:
            pass
        given = self._given.get((e, domain, strict)) if self._given is not None else None
        if self._given is not None and given is None:
            return False
        return Ways(ways_to(symbols, rest, domain, strict, given))

    def _core(self, x: Scalar, tower: Tower, strict: bool) -> Scalar | None:
        """``x`` without factors of known sign; None if its sign is known, Unsupported if wrong.

        A factor that may vanish only takes part in a weak sign, and one whose power is even too.
        """
        sign, parts = x.factors()
        unknown = Scalar.of(1)
        known = True
        for factor, k in parts:
            try:
                s = tower.sign(factor)
                if s == 0:
                    if strict:
                        raise Unsupported("0 is not positive")
                    return None
                sign *= s**k
            except (NeedSplit, Unsupported):
                if k % 2 == 0 and not strict and not self._divides(factor, x):
                    continue
                weak = 0 if strict else _weak_sign(factor, tower.cell)
                if weak:
                    sign *= weak**k
                    continue
                unknown, known = unknown * factor**k, False
        if not known:
            return unknown * sign
        if sign < 0:
            raise Unsupported("the sign is the other one")
        return None

    @staticmethod
    def _divides(factor: Scalar, x: Scalar) -> bool:
        """Does the factor belong to the denominator?"""
        return not (x.den * factor.den).gcd(factor.num).is_one() if x.keys == factor.keys else True

    # -- one parameter --------------------------------------------------------------------------

    def _by_balls(self, f: Any, domain: Domain, symbols: list[Any]) -> bool:
        """Branch and bound for a function of one parameter, its zero at an open end included."""
        if len(symbols) != 1:
            return False
        v = symbols[0]
        own = Domain(tuple((form, rel) for form, rel in domain.conditions
                           if form.atoms() & {v}))
        found = own.ends(v)
        if found is None or any(e.form.to_sympy().free_symbols for side in found for e in side):
            return False
        lows, highs = ([e.form.to_sympy() for e in side] for side in found)
        if not lows:
            return False
        lo, hi = _outermost(lows, 1), _outermost(highs, -1) if highs else sp.oo
        if lo is None or hi is None or (hi != sp.oo and ball_sign(hi - lo) != 1):
            return False
        closed = all(e.closed for e in found[0] if e.form.to_sympy() == lo)
        if not closed and _vanishes_at(f, v, lo):
            # f(lo) = 0, f' > 0 on [lo, a], f > 0 from a on
            wide = sp.S.One if hi == sp.oo else hi - lo
            x = sp.Dummy(v.name, real=True)
            if not smooth(f.xreplace({v: x}), Domain(((Form.of(x - lo), ">="),)).cell()):
                return False
            slope = sp.diff(f, v)
            for k in range(_NEAR):
                a = lo + wide / 2**k
                if self._positive(slope, v, lo, a):
                    return a == hi or self._positive(f, v, a, hi)
            return False
        return self._positive(f, v, lo, hi)

    def _positive(self, f: Any, v: Any, lo: Any, hi: Any) -> bool:
        free = sp.Dummy(v.name, real=True)
        f = f.xreplace({v: free})
        if hi == sp.oo:
            proof = prove_sign_halfline(f, ">", free, lo, _BOXES, _DIGITS)
        else:
            proof = prove_sign(f, ">", {free: (lo, hi)}, _BOXES, _DIGITS)
        return isinstance(proof, BoxProof)


def _weak_sign(factor: Scalar, cell: Cell) -> int:
    """1 or -1 where the factor is proved >= 0 or <= 0, else 0."""
    form = factor.as_form()
    if form is None or not factor.is_real():
        return 0
    return next((s for s in (1, -1) if cell.entails(form * Form.of(s), ">=")), 0)


def _outermost(values: list[Any], side: int) -> Any:
    best = values[0]
    for other in values[1:]:
        sign = ball_sign(other - best)
        if sign is None:
            return None
        if sign == side:
            best = other
    return best


def _vanishes_at(f: Any, v: Any, c: Any) -> bool:
    try:
        tower = Tower(Domain(()).cell())
        at = f.xreplace({v: c})
        require(tower, at)
        return tower.reduce(tower.scalar(at)).is_zero()
    except TROUBLE:
        return False


__all__ = ["GOALS", "Plan", "Prover"]
