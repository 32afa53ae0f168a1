"""One release that is dominated: oint s(a p, b q) <= oint s(a A, b B) for all a, b >= 0.

s(a, b) = max(0, a - x b), or with a and b exchanged, and the profile of (p, q) is below the one of
(A, B) at every e.  For a, b > 0 both sides are a times the profiles at e = log(x b) - log a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Pair = tuple[int, int]


@dataclass(frozen=True)
class Here:
    """Letters: the number i of a release, a, b, the history h and another one, g; and what is
    assumed of them, ``given``: nat i, 1 <= i, 0 <= a, 0 <= b."""

    letters: list[tuple[str, str]]
    i: int
    a: int
    b: int
    h: int
    g: int
    given: int


class DominatedRelease:
    """Derivations of that inequality, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d, self.r = prover, prover.d, prover.releases

    def at(self, v: int, i: int, a: int, b: int, h: int) -> list[int]:
        """What V takes."""
        return [i, a, b, h] if self.d.b.sorts[v] == "W" else [a, b]

    def pairs(self, v: int, u: int, here: Here) -> tuple[Pair, Pair]:
        """(p, q) and (A, B) of release i.  Raises :class:`NotFound`."""
        pairs = (self.r.pair(v, self.at(v, here.i, here.a, here.b, here.h)),
                 self.r.pair(u, self.at(u, here.i, here.a, here.b, here.g)))
        if any(here.g in self.d.subterms(t) for t in pairs[1]):
            raise NotFound("releases that look at the history")
        return pairs

    def _dominated(self, facts: Sequence[int], here: Here, e: int, goal: int) -> int:
        """What a hypothesis for all numbers of releases, histories and e says.

        Raises :class:`NotFound`.
        """
        d = self.d
        for f in facts:
            found, numbers = f, 0
            inner = d.claim(f)
            while d.head(inner) in ("allR", "allO"):
                numbers += d.head(inner) == "allR"
                (inner,) = d.kids(inner)
            for t in [here.i, e][-numbers:] if numbers in (1, 2) else ():
                while d.head(d.claim(found)) == "allO":
                    found = d.inst(found, here.h)
                found = d.inst(found, t)
            while d.head(d.claim(found)) == "allO":
                found = d.inst(found, here.h)
            if d.head(d.claim(found)) == "imp" and {*d.members(d.kids(d.claim(found))[0])} <= {
                    *d.members(d.claim(here.given))}:
                found = d.mp(found, here.given)
            if d.claim(found) == goal:
                return found
        raise NotFound("no such domination among the hypotheses")

    def less(self, u: int, pairs: tuple[Pair, Pair], here: Here, facts: Sequence[int]) -> int:
        """oint s(a p, b q) <= oint s(a A, b B), s the start of U."""
        d, a = self.d, self.a
        zero = d.num(0)
        turned = self.top(u) == 1
        none = d.do("natural", d.mk("nat", zero))
        _, _, *signs = d.parts(here.given)
        at = self.at(u, here.i, here.a, here.b, here.g)
        wholes = [self._start(u, at, pair) for pair in pairs]
        goal = d.mk("le", *wholes)
        alpha, beta = (here.b, here.a) if turned else (here.a, here.b)
        above = signs[::-1][0] if turned else signs[0]
        first = self.r.over(u, none, at, d.both(*signs), pairs[0])[2]
        second = self.r.over(u, none, at, d.both(*signs), pairs[1])[1]
        below, least = (self._with_start(i, u, at, pair) for i, pair in zip(
            (first, second), pairs, strict=True))
        # a = 0: the left side is at most a, the right side at least 0
        flat = d.assume(d.mk("le", alpha, zero))
        low = d.do("arith", goal, [below, flat, least], [[d.num(1), [k]] for k in range(3)])
        # b = 0: the right side is a
        steep = d.assume(d.mk("le", beta, zero))
        other = signs[0] if turned else signs[1]
        same = d.do("arith", d.mk("le", alpha, wholes[1]), [
            a.prove(d.mk("le", alpha, wholes[1]), [above, other, steep])], [[d.num(1), [0]]])
        high = d.do("arith", goal, [below, same], [[d.num(1), [0]], [d.num(1), [1]]])
        positive = [d.opposite(d.assume(d.mk("not", d.claim(i)))) for i in (flat, steep)]
        middle = self._scaled(goal, pairs, here, turned, positive, facts)
        return d.split(d.claim(flat), low, d.split(d.claim(steep), high, middle))

    def top(self, u: int) -> int:
        found = self.r.bounds(u)
        if found is None:
            raise NotFound("not seen to be bounded")
        return found[1]

    def _start(self, u: int, at: Sequence[int], pair: Pair) -> int:
        """oint_x s(a p(x), b q(x))."""
        d = self.d
        name, x = d.fresh("O", "x")
        value = d.kids(d.claim(self.r.started(u, self.r.beside(at, pair, x))))[1]
        return d.mk("oint", d.b.abstract(value, name, "O"))

    def _with_start(self, i: int, u: int, at: Sequence[int], pair: Pair) -> int:
        """A relation about oint_x U(0, a p(x), b q(x)) as one about oint_x s(a p(x), b q(x))."""
        d = self.d
        name, x = d.fresh("O", "x")
        inside = self.r.started(u, self.r.beside(at, pair, x))
        return d.replace(i, d.under("oint", d.gen(name, "O", inside)))

    def _scaled(self, goal: int, pairs: tuple[Pair, Pair], here: Here, turned: bool,
                positive: Sequence[int], facts: Sequence[int]) -> int:
        """For a, b > 0: both sides are a times a profile at e = log(x b) - log a."""
        d, a = self.d, self.a
        zero, one = d.num(0), d.num(1)
        alpha, beta = (here.b, here.a) if turned else (here.a, here.b)
        name, size = d.fresh("R", "E")
        exponents = [t for t in d.subterms(goal) if d.head(t) == "exp"]
        y = d.mul(exponents[0], beta) if exponents else beta
        same = d.assume(d.mk("eq", d.mul(alpha, size), y))
        above = d.assume(d.mk("lt", zero, alpha))
        letter = d.b.bound(0, "O")
        equations = []
        for whole, pair in zip(d.kids(goal), pairs, strict=True):
            p, q = (d.mk("dens", d.b.lift(t), letter) for t in (pair[::-1] if turned else pair))
            hinge = d.mk("oint", d.mk("max", zero, d.sub(p, d.mul(d.b.lift(size), q))))
            found = a.prove(d.mk("eq", whole, d.mul(alpha, hinge)), [above, same])
            found = d.mp(d.disch(d.claim(above), found), positive[0])
            equations.append(d.gen(name, "R", d.disch(d.claim(same), found)))
        logs = d.mk("log", y), d.mk("log", alpha)
        e = d.sub(*logs)
        product = d.law("exp positive", d.mk("lt", zero, exponents[0]), *d.kids(exponents[0])) if (
            exponents) else None
        signs = [positive[1] if product is None else d.do(
            "arith", d.mk("lt", zero, y), [product, positive[1]], [[one, [0, 1]]]), positive[0]]
        values = []
        for t, sign in zip((y, alpha), signs, strict=True):
            equation = d.mk("eq", d.mk("exp", d.mk("log", t)), t)
            law = d.law("exp of log", d.mk("imp", d.claim(sign), equation), t)
            values.append(d.mp(law, sign))
        ratio = d.mk("exp", e)
        # a exp(log y - log a) = y: a = exp(log a), y = exp(log y)
        inverse = d.mk("exp", d.neg(logs[1]))
        whole = d.do("arith", d.mk("eq", d.mul(alpha, ratio), y), [values[1], values[0]], [
            [d.neg(d.mul(d.mk("exp", logs[0]), inverse)), [0]], [one, [1]]])
        sides = [d.mp(d.inst(i, ratio), whole) for i in equations]
        hinges = [d.kids(d.kids(d.claim(i))[1])[1] for i in sides]
        less = self._dominated(facts, here, e, d.mk("le", *hinges))
        return d.do("arith", goal, [less, positive[0], *sides], [
            [one, [0, 1]], [one, [2]], [d.num(-1), [3]]])
