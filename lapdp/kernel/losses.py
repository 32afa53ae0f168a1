"""Values in [-oo, oo] at an outcome, where losses and ratios of densities may be infinite.

The outcomes split, for each pair whose loss is spoken of, into those where both densities are
positive, where only the first is, and where only the second is.  Values at an end are worked out
by the rules of extended arithmetic, each step or nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial, reduce
from typing import Any

from lapdp.kernel.saying import Sayings, refuse

PLUS, MINUS = "+oo", "-oo"
OPPOSITE = {"": "", PLUS: MINUS, MINUS: PLUS}
HERE = {"": "0 < p and 0 < q", PLUS: "0 < p and not 0 < q", MINUS: "not 0 < p and 0 < q"}
"""At which outcomes the loss of densities p and q is finite, or infinite."""
RANKS = {PLUS: 1, MINUS: -1}
"""Where the infinities lie about the numbers."""
Value = Any
"""A term, or one of the two infinities."""
Pairing = tuple[Any, Any]
RELATIONS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "==": ("x == y", operator.eq), "!=": ("not x == y", operator.ne),
    "<=": ("x <= y", operator.le), "<": ("x < y", operator.lt),
    ">=": ("y <= x", operator.ge), ">": ("y < x", operator.gt)}


class Losses(Sayings):
    """Says what depends on the ends of losses: ``ends`` tells for each pair whether both densities
    are positive (""), or at which end of its loss an outcome is."""

    def cases(self, pairs: list[Pairing], build: Callable[[], int]) -> int:
        """``build`` at every end of every pair; 0, or true, where both members vanish."""
        if not pairs:
            return build()
        found = []
        for end in ("", PLUS, MINUS):
            with self.having(ends={**self.ends, pairs[0]: end}):
                found.append(self.cases(pairs[1:], build))
        some_p, some_q = (self.say("0 < p", p=d) for d in pairs[0])

        def either(test: int, yes: int, no: int) -> int:
            return yes if yes == no else self.case(test, yes, no)
        return either(some_p, either(some_q, found[0], found[1]),
                      either(some_q, found[2], self.zero(found[0])))

    def end_of(self, pair: Pairing) -> str:
        """The end at which the loss of a pair is."""
        refuse(pair not in self.ends and pair[::-1] not in self.ends,
               "a loss outside an integral over the space")
        return self.ends[pair] if pair in self.ends else OPPOSITE[self.ends[pair[::-1]]]

    def loss(self, pair: Pairing) -> Value:
        """log(P/Q) here."""
        return self.end_of(pair) or self.say("log(p) - log(q)", p=pair[0], q=pair[1])

    def sign(self, d: Any) -> int | None:
        """0 or 1 for a density whose sign the ends tell."""
        known = [(d == pair[0] and end == MINUS) or (d == pair[1] and end == PLUS)
                 for pair, end in self.ends.items() if d in pair]
        return (0 if any(known) else 1) if known else None

    # -- what is infinite ---------------------------------------------------------------------

    def unbounded(self, value: str, pair: Pairing | None = None) -> int:
        """0, where a pair, one of those here, is at an end of its loss that must weigh nothing."""
        lost = [pair] if pair else [pair for pair, end in self.ends.items() if end]
        refuse(not lost, "an infinite integrand")
        self.unlimited("an integral that may be infinite")
        self.demand(self.lost(lost[0]), limit=value == PLUS and len(self.ends) == 1)
        return self.b.number(0)

    def lost(self, pair: Pairing) -> int:
        """The end where a pair is weighs nothing."""
        if len(self.ends) > 1:
            self.stricter("an end of one pair, wherever the others are")
        return self.null(*(pair if self.end_of(pair) == PLUS else pair[::-1]))

    def null(self, first: Any, second: Any) -> int:
        """P << Q: where Q vanishes P has no mass."""
        return self.say("Int(case(Q == 0, P, 0)) == 0", P=first, Q=second)

    def endless(self, c: int, end: str, edge: int) -> int:
        """0^(edge - c) (or, at MINUS, 0^(c - edge)) is no number."""
        real = "c" if self.b.sorts[c] == "R" else "re(c)"
        return self.say(f"not ({real} < e or c == e)" if end == PLUS else
                        f"not (e < {real} or c == e)", c=c, e=self.b.number(edge))

    def ratio(self, pair: Pairing, c: int, sign: int | None) -> Value:
        """(P/Q)^c; at an end 0, 1 or oo by the sign of c, which may not be known."""
        end = self.end_of(pair)
        if not end:
            return self.say("p / q" if c == self.b.number(1) else "exp(c * z)", p=pair[0],
                            q=pair[1], c=c, z=self.loss(pair))
        if sign:
            self.beside([c])
            return PLUS if (sign > 0) == (end == PLUS) else self.b.number(0)
        (self.unlimited if self.rising else self.stricter)("a power that may be infinite")
        needed = self.endless(c, end, 0) if self.b.sorts[c] == "C" else self.say(
            "0 < c" if end == PLUS else "c < 0", c=c)
        self.demand(self.b.make("imp", needed, self.lost(pair)), limit=self.rising)
        return self.say("case(c == 0, 1, 0)", c=c)

    def powers(self, pair: Pairing, c: int, known: Any = None) -> Value:
        """P^c Q^(1 - c); where a density vanishes by 0^0 = 1, 0^positive = 0, else oo.  ``known``:
        the value of c, where it is a rational number."""
        end = self.ends[pair]
        p, q = map(self.term, pair)
        if not end:
            return self.say("p * exp((c - 1) * z)", p=p, c=c, z=self.loss(pair))
        edge, alive = (1, p) if end == PLUS else (0, q)
        if known is not None:
            # 0^(1 - c) or 0^c with a known sign
            dead = (1 - known) if end == PLUS else known
            return PLUS if dead < 0 else alive if dead == 0 else self.b.number(0)
        real = self.b.sorts[c] == "R"
        if real or not self.rising:
            (self.unlimited if self.rising else self.stricter)("a moment that may be infinite")
        self.demand(self.b.make("imp", self.endless(c, end, edge), self.lost(pair)),
                    limit=real and self.rising)
        return self.say("case(c == e, x, 0)", c=c, e=self.b.number(edge), x=self.same(alive, c)[0])

    # -- extended arithmetic ------------------------------------------------------------------

    def beside(self, values: Iterable[Value]) -> None:
        """What stands beside an infinite value has a value itself, as a finite loss has."""
        finite = [self.loss(x) for p, end in self.ends.items() if not end for x in (p, p[::-1])]
        here = self.every(*(self.say(HERE[end], p=p, q=q) for (p, q), end in self.ends.items()))
        for c in [c for x in values if isinstance(x, int) and x not in finite and (
                c := self.meaning(x)) != self.truth()]:
            self.stricter("a value beside an infinite one")
            varies = any(name.startswith("%") for name, _ in self.b.letters[c])
            self.demand(self.b.make("imp", here, c) if varies else c)

    def combined(self, symbol: str, parts: list[Value]) -> Value:
        """A sum, a maximum, a minimum, or the absolute value of one."""
        ends = {x for x in parts if isinstance(x, str)}
        terms = [x for x in parts if isinstance(x, int)]
        self.beside(terms if ends else ())
        if symbol == "add":
            refuse(len(ends) > 1, "oo - oo at an outcome")
            return ends.pop() if ends else self.total(terms)
        if symbol == "abs":
            return PLUS if ends else self.b.make("abs", *terms)
        wins = PLUS if symbol == "max" else MINUS
        return wins if wins in ends else reduce(partial(self.b.make, symbol), terms) if (
            terms) else OPPOSITE[wins]

    def times(self, factors: list[tuple[Value, int | None]]) -> Value:
        """A product of values, each with its sign where that is known; an infinity only beside what
        is positive or negative for certain."""
        if all(isinstance(x, int) for x, _ in factors):
            return self.product([x for x, _ in factors])
        sign = 1
        self.beside(x for x, _ in factors)
        for x, s in factors:
            refuse(x == self.b.number(0), "0 times oo at an outcome")
            refuse(not s and isinstance(x, int) and self.b.rows[x][0] != "exp",
                   "an infinity times what has no certain sign")
            sign *= RANKS.get(x) or s or 1
        return PLUS if sign > 0 else MINUS

    def exp(self, x: Value) -> Value:
        """exp, also of an infinity."""
        return self.b.make("exp", x) if isinstance(x, int) else (
            PLUS if x == PLUS else self.b.number(0))

    def log(self, x: Value) -> Value:
        """log, also of +oo."""
        refuse(x == MINUS, "the logarithm of -oo")
        return self.b.make("log", x) if isinstance(x, int) else x

    def power(self, x: Value, n: int) -> Value:
        """A whole power of a value, which is not 0 where the value is infinite."""
        if isinstance(x, str):
            return self.b.number(0) if n < 0 else x if n % 2 else PLUS
        found = self.product([x] * abs(n))
        return found if n >= 0 else self.b.make("inv", found)

    def related(self, relation: str, x: Value, y: Value,
                signs: tuple[int | None, int | None] = (None, None)) -> int:
        """A relation between values; of a density and 0, what the ends say."""
        text, holds = RELATIONS[relation]
        order = RANKS.get(x, 0) - RANKS.get(y, 0)
        if isinstance(x, int) and isinstance(y, int):
            if None in signs or 0 not in signs:
                return self.say(text, x=x, y=y)
            order = (signs[0] or 0) - (signs[1] or 0)
        self.beside((x, y))
        return self.truth() if holds(order, 0) else self.b.make("false")
