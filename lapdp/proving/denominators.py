"""Integrals in denominators: conditional probabilities and means, multiplied out.

Such quotients are taken for positive numbers as they stand, or multiplied out: with y = 1/x and
x != 0, a gap f in y is y^n N + (1 - x y) c, where N is the numerator of f; so f = 0 follows from
N = 0, and 0 <= f from 0 <= N and 0 < y.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus, power, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Denominators:
    """Relations between quotients of integrals, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.asked = set[int]()

    def of(self, goal: int) -> list[int]:
        """The terms 1/x, x an integral or a term with some, outer ones last."""
        d = self.d
        return [t for t in d.subterms(goal) if d.head(t) == "inv" and not d.b.loose[t]
                and d.b.sorts[t] == "R" and self.a._speaks(t)]

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal, denominators taken for positive numbers, or multiplied out; None without any.

        Raises :class:`NotFound`."""
        inside = self.of(goal)
        if not inside:
            return None
        try:
            return self._named(goal, inside, facts)
        except (NotFound, NeedSplit):
            return self._multiplied(goal, facts)

    def _named(self, goal: int, inside: list[int], facts: Sequence[int]) -> int:
        """The goal with letters for the quotients."""
        d, a, zero = self.d, self.a, self.d.num(0)
        outer = [t for t in inside if not any(t != u and t in d.subterms(u) for u in inside)]
        values: dict[tuple[str, str], int] = {}
        signs = []
        now = goal
        for t in outer:
            positive = self._positive(d.kids(t)[0], facts)
            over = a.positive(t, [*facts, positive])
            if over is None:
                raise NotFound("the sign of a reciprocal")
            signs.append(over)
            name, c = d.fresh("R")
            values[name, "R"] = t
            now = d.b.open(d.hole(now, t), c)
        letters = [d.b.letter(name, "R") for name, _ in values]
        given = [d.assume(d.mk("lt", zero, c)) for c in letters]
        if now == goal:
            raise NotFound("no quotient outside of integrals")
        made = a.prove(now, [*facts, *given])
        for i in given:
            made = d.disch(d.claim(i), made)
        made = d.do("put", d.b.put(d.claim(made), values), [made], [
            x for (name, sort), t in values.items() for x in (name, sort, t)])
        return d.taut(goal, made, *signs)

    def nonzero(self, goal: int, facts: Sequence[int]) -> int | None:
        """``not x = 0`` for an x with integrals, double ones as products: by facts of that kind or
        by 0 < x; None for other goals."""
        d = self.d
        (same,) = d.kids(goal)
        if d.head(same) != "eq" or d.kids(same)[1] != d.num(0) or not self.a._speaks(same):
            return None
        if (apart := self.a.apart(goal, facts)) is not None:
            return apart
        if (product := self.a.separation.equation(goal, facts)) is not None:
            left, right = d.kids(d.claim(product))
            body = d.hole(goal, left)
            found = self.a.prove(d.b.open(body, right), facts)
            return d.do("rewrite", goal, [d.turn(product), found], [body])
        try:
            positive = self._positive(d.kids(same)[0], facts)
        except (NotFound, NeedSplit):
            return None
        false = d.do("arith", d.mk("false"), [positive, d.assume(same)],
                     [[d.num(1), [0]], [d.num(1), [1]]])
        return d.taut(goal, d.disch(same, false))

    def beside(self, t: int, facts: Sequence[int]) -> int | None:
        """not t = 0 for a complex integral, sum or product, from not w = 0 and w = t: a w of which
        a fact says so, or without integrals and of the same letters if facts do among cases."""
        d, a = self.d, self.a
        kinds = {"oint"} if d.head(t) == "oint" else {"add", "mul"}
        if d.head(t) not in kinds:
            return None
        zero, known = d.like(0, "C"), {d.claim(i): i for i in facts}
        said = dict.fromkeys(u for f in known for u in [f, *d.subterms(f)] if d.head(u) == "not")
        for no in sorted(said, key=lambda u: u not in known):
            (same,) = d.kids(no)
            if d.head(same) != "eq" or d.kids(same)[1] != zero or d.b.loose[same]:
                continue
            w = d.kids(same)[0]
            if d.head(w) not in kinds or w in (t, *self.asked) or (no not in known and (
                    "oint" in kinds or a._speaks(w) or d.b.letters[w] != d.b.letters[t])):
                continue
            # what is used up may not ask for the same again
            self.asked.add(w)
            try:
                equal = a.prove(d.mk("eq", w, t), [i for i in facts if d.claim(i) != no])
                return d.replace(known[no] if no in known else a.prove(no, facts), equal)
            except (NotFound, NeedSplit):
                continue
            finally:
                self.asked.discard(w)
        return None

    def cleared(self, goal: int, facts: Sequence[int]) -> int:
        """An equation between quotients of numbers, from the one between numerators.

        Raises :class:`NotFound`."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        f = plus(a.reader.read(t), a.reader.read(s), -1)
        inside = {x for m in f for x, _ in m if a.terms.symbol(x) == "inv"}
        if not inside:
            return a.identity(goal, facts)
        number = max(inside)
        x = a.terms.argument(number)
        law = a.inverse_law(x, facts)
        if law is None:
            t = a.terms.term(x, "R")
            apart = d.mk("not", d.mk("eq", t, d.num(0)))
            law = d.mp(d.law("inverse", d.mk("imp", apart, d.mk("eq", d.mul(
                t, d.mk("inv", t)), d.num(1))), t), a.prove(apart, facts))
        top = max(int(dict(m).get(number, 0)) for m in f)
        numerator, rest, y = a._numerator(f, number, x, top)
        found = self.cleared(d.mk("eq", d.num(0), a.terms.term(numerator, "R")), facts)
        wide: Polynomial = {}
        for j in range(top):
            wide = plus(wide, power(times(x, y), j))
        factor = plus(times(f, wide), times(power(y, top), rest), -1)
        if a.gap(law).get((), 0) < 0:
            factor = times(factor, {(): -1})
        return a.certified(goal, [law, found], [(factor, (0,)), (power(y, top), (1,))])

    def sign(self, t: int, facts: Sequence[int], strict: bool = False) -> int:
        """0 <= t, or 0 < t, for a quotient of numbers, from the sign of its numerator.

        Raises :class:`NotFound`."""
        d, a, one = self.d, self.a, self.d.num(1)
        f = a.reader.read(t)
        inside = {x for m in f for x, _ in m if a.terms.symbol(x) == "inv"}
        if not inside:
            raise NotFound("a number without a sign")
        number = max(inside)
        x = a.terms.argument(number)
        top = max(int(dict(m).get(number, 0)) for m in f)
        numerator, *_ = a._numerator(f, number, x, top)
        below = a.positive(a.terms.term(x, "R"), facts)
        if below is None:
            x, below = times(x, {(): -1}), self._positive(a.terms.term(times(x, {(): -1})), facts)
            numerator = times(numerator, {(): (-1) ** top})
        _, over = d.reciprocal(below)
        value = a.terms.term(numerator, "R")
        low = a.positive(value, facts, strict=strict)
        low = self.sign(value, facts, strict) if low is None else low
        back = d.mul(value, *[d.mk("inv", d.kids(d.claim(below))[1])] * top)
        same = self.cleared(d.mk("eq", t, back), facts)
        return d.do("arith", d.mk("lt" if strict else "le", d.num(0), t), [low, over, same], [
            [one, [0, *[1] * top]], [d.num(-1), [2]]])

    def _multiplied(self, goal: int, facts: Sequence[int]) -> int:
        """The goal from a relation between numerators."""
        d, a = self.d, self.a
        head, (s, t) = d.head(goal), d.kids(goal)
        f = plus(a.reader.read(t), a.reader.read(s), -1)
        inside = {x for m in f for x, _ in m if a.terms.symbol(x) == "inv"}
        numbers = [x for x in sorted(inside, reverse=True)
                   if self.a._speaks(a.terms.term(a.terms.argument(x), "R"))]
        if not numbers or d.b.sorts[s] != "R":
            raise NotFound("no denominator with an integral")
        number = numbers[0]
        x = a.terms.argument(number)
        below = a.terms.term(x, "R")
        positive = self._positive(below, facts)
        law = a.inverse_law(x, [*facts, positive])
        if law is None:
            raise NotFound("a denominator that may be 0")
        top = max(int(dict(m).get(number, 0)) for m in f)
        numerator, rest, y = a._numerator(f, number, x, top)
        inner = d.mk(head, d.num(0), a.terms.term(numerator, "R"))
        found = a.prove(inner, facts)
        wide: Polynomial = {}
        for j in range(top):
            wide = plus(wide, power(times(x, y), j))
        back = power(y, top)
        factor = plus(times(f, wide), times(back, rest), -1)
        if a.gap(law).get((), 0) < 0:
            factor = times(factor, {(): -1})
        if head == "eq":
            return a.certified(goal, [law, found], [(factor, (0,)), (back, (1,))])
        over = a.positive(d.mk("inv", below), [*facts, positive])
        if over is None:
            raise NotFound("the sign of a reciprocal")
        return a.certified(goal, [law, found, over], [
            (factor, (0,)), ({(): 1}, (1, *[2] * top))])

    def _positive(self, x: int, facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        goal = d.mk("lt", d.num(0), x)
        known = a.positive(x, facts)
        return a.prove(goal, facts) if known is None else known
