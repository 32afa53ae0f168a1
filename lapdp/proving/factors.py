"""Integrals of functions of a p and b q, for factors a and b: a number times an integral.

f(a p, b q) = f(a, b) f(p, q) is proved at every outcome, each factor of what f asks to be positive
taken as positive or as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.recursions import Recursions


class Factors:
    """What :class:`Recursions` does with factors under integrals over the space."""

    def __init__(self, recursions: Recursions) -> None:
        self.r, self.a, self.d = recursions, recursions.a, recursions.d

    def integrable(self, goal: int, facts: Sequence[int]) -> int:
        """A function is integrable, by the lemmas for what is under the integral."""
        d = self.d
        self.r.invariants.establish(goal, facts)
        if (found := self.r.invariants.losses.integrable(goal, facts)) is not None:
            return found
        equation = self.r.inside(goal, facts)
        if equation is None:
            raise NotFound("no lemma for what is integrated")
        plain = [i for i in facts if not self.r.of(d.claim(i))]
        changed = d.kids(d.claim(equation))[1]
        try:
            return d.taut(goal, equation, self.a.apart_from(changed, plain))
        except (NotFound, NeedSplit):
            if d.head(goal) != "oiny":
                raise
        return d.taut(goal, equation, self._factored(d.kids(changed)[0], plain))

    def scaled(self, goal: int, facts: Sequence[int]) -> int:
        """oint f = (oint g) c from f = g c at every outcome."""
        d = self.d
        left, right = d.kids(goal)
        factors = d.kids(right) if d.head(right) == "mul" else ()
        if d.head(goal) != "eq" or d.head(left) != "oint" or "oint" not in map(d.head, factors):
            raise NotFound("no multiple of an integral")
        whole, c = factors if d.head(factors[0]) == "oint" else factors[::-1]
        (f,), (g,) = d.kids(left), d.kids(whole)
        scaled = d.mk("mul", d.b.lift(c), g)
        plain = [i for i in facts if not self.r.of(d.claim(i)) or d.head(d.claim(i)) in RELATIONS]
        name, x = d.fresh("O", "x")
        at = d.mk("eq", *(d.b.open(t, x) for t in (f, scaled)))
        inside = self._by_signs(at, [*plain, *self.a._positive(at)])
        same = d.under("oint", d.gen(name, "O", inside))
        linear = d.parts(self._multiple(c, self._iny(g, plain)))[1]
        return d.do("arith", goal, [d.chain(same, linear)], [[d.num(1), [0]]])

    def _factored(self, f: int, facts: Sequence[int]) -> int:
        """oiny f(a p, b q) by f(a p, b q) = f(a, b) f(p, q)."""
        d = self.d
        if d.head(f) == "mul" and not d.b.loose[d.kids(f)[0]]:
            c, inner = d.kids(f)
            return d.parts(self._multiple(c, self._factored(inner, facts)))[0]
        name, x = d.fresh("O", "x")
        at = d.b.open(f, x)

        def side(k: int) -> int:
            def leaf(u: int, _: int) -> int | None:
                here = d.head(u) == "mul" and d.head(d.kids(u)[1]) == "dens" and x in d.subterms(u)
                return d.kids(u)[k] if here and x not in d.subterms(d.kids(u)[0]) else None
            return d.b.walk(at, leaf)

        c, g = side(0), d.b.abstract(side(1), name, "O")
        if x in d.subterms(c):
            raise NotFound("no product of functions")
        iny = d.parts(self._multiple(c, self._iny(g, facts)))[0]
        (scaled,) = d.kids(d.claim(iny))
        return self._alike(f, scaled, iny, facts)

    def _alike(self, f: int, g: int, iny: int, facts: Sequence[int]) -> int:
        """oiny f from oiny g and f = g at every outcome."""
        d = self.d
        name, x = d.fresh("O", "x")
        at = d.mk("eq", *(d.b.open(t, x) for t in (f, g)))
        inside = self._by_signs(at, [*facts, *self.a._positive(at)])
        equal = d.mk("and", d.mk("iff", d.mk("oiny", f), d.mk("oiny", g)),
                     d.mk("eq", d.mk("oint", f), d.mk("oint", g)))
        same = d.parts(d.do("almost", equal, [d.gen(name, "O", inside)]))[0]
        return d.taut(d.mk("oiny", f), same, iny)

    def _iny(self, f: int, facts: Sequence[int]) -> int:
        d = self.d
        if d.head(f) == "mul" and not d.b.loose[d.kids(f)[0]]:
            c, inner = d.kids(f)
            return d.parts(self._multiple(c, self._iny(inner, facts)))[0]
        name, x = d.fresh("O", "x")
        plainer = d.b.abstract(self._without_ones(d.b.open(f, x)), name, "O")
        iny = self.a.apart_from(d.mk("oiny", plainer), facts)
        return iny if plainer == f else self._alike(f, plainer, iny, facts)

    def _multiple(self, c: int, iny: int) -> int:
        """oiny c f and oint c f = c oint f."""
        d = self.d
        (f,) = d.kids(d.claim(iny))
        scaled = d.mk("mul", d.b.lift(c), f)
        value = d.mk("mul", c, d.mk("oint", f))
        both = d.mk("and", d.mk("oiny", scaled), d.mk("eq", d.mk("oint", scaled), value))
        return d.do("integral", both, [iny], ["scale", c])

    def _without_ones(self, t: int) -> int:
        """The term with x for each 1 x."""
        d = self.d

        def leaf(u: int, _: int) -> int | None:
            return self._without_ones(d.kids(u)[1]) if (
                d.head(u) == "mul" and d.kids(u)[0] == d.num(1)) else None
        return d.b.walk(t, leaf)

    def _by_signs(self, goal: int, facts: Sequence[int]) -> int:
        """A relation, each factor of what it asks to be positive taken as positive or as 0."""
        d = self.d
        zero = d.num(0)
        tests = [t for t in d.subterms(goal) if d.head(t) == "lt" and not d.b.loose[t]
                 and d.kids(t)[0] == zero and d.head(d.kids(t)[1]) == "mul"]
        known = {d.claim(i): i for i in facts}
        units = list(dict.fromkeys(u for t in tests for u in d.kids(d.kids(t)[1])
                                   if d.mk("le", zero, u) in known))
        return self.signed(goal, facts, units, tests)

    def signed(self, goal: int, facts: Sequence[int], units: Sequence[int], tests: Sequence[int]
               ) -> int:
        """A relation, each unit taken as positive or as 0: then so is each product u v of which a
        test asks whether 0 < u v or u v = 0."""
        d = self.d
        zero = d.num(0)
        known = {d.claim(i): i for i in facts}

        def at(k: int, given: list[int], signs: dict[int, int]) -> int:
            if k < len(units):
                positive, none = d.mk("lt", zero, units[k]), d.mk("eq", units[k], zero)
                above = known[d.mk("le", zero, units[k])]
                order = d.do("order", d.mk("iff", none, d.mk("and", d.mk(
                    "le", units[k], zero), d.claim(above))))
                law = d.do("order", d.mk("iff", d.mk("not", positive), d.mk(
                    "le", units[k], zero)))
                no = d.taut(none, order, law, above, d.assume(d.mk("not", positive)))
                yes = d.assume(positive)
                return d.split(positive, *(at(k + 1, [*given, i], {**signs, units[k]: i})
                                           for i in (yes, no)))
            return self.a.apart_from(goal, [*given, *(s for t in tests for s in sign(t, signs))])

        def sign(test: int, signs: dict[int, int]) -> list[int]:
            equal = d.head(test) == "eq"
            u, v = d.kids(d.kids(test)[0 if equal else 1])
            one = [i for x, i in signs.items() if x in (u, v)]
            rest = [x for x in (u, v) if x not in signs]
            if one and all(d.head(d.claim(i)) == "lt" for i in one) and all(
                    d.head(x) == "n" for x in rest):
                more = d.mk("lt", zero, d.mk("mul", u, v))
                above = d.do("arith", more, one, [[(rest or [d.num(1)])[0],
                                                   list(range(len(one)))]])
                return [self.a.plainly(d.mk("not", test), [above], 0) if equal else above]
            for x, y in ((u, v), (v, u)):
                if x in signs and d.head(d.claim(signs[x])) == "eq":
                    if equal:
                        return [d.do("arith", test, [signs[x]], [[y, [0]]])]
                    below = d.do("arith", d.mk("le", d.mk("mul", u, v), zero), [signs[x]],
                                 [[y, [0]]])
                    law = d.do("order", d.mk("iff", d.mk("not", test), d.claim(below)))
                    return [d.taut(d.mk("not", test), law, below)]
            return []

        return at(0, list(facts), {})
