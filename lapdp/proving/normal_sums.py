"""Losses of n independent copies near a normal law: the named facts of Berry and Esseen.

The value V(n, 1, 1) of a recursion over releases is a tail or a profile of n copies.  The fact
gives k s^3 |V - G| < C c W; a claim about V follows where both sides differ by q (r W +- (V - G)),
r = C c / (k s^3), with q = 1 or 1/W.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.facts import KINDS, LOSS, OFF, PARAMETERS, sentence
from lapdp.kernel.texts import read
from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


NONZERO = (("W",), ("h",), ("k",), ("s",), ("k", "k", "k"), ("s", "s", "s"))
"""Products that stand in denominators."""


@dataclass(frozen=True)
class Gap:
    """``fact``: sign (V - G) < r W; ``size`` its right side less its left, ``share`` what of it is
    times W, ``ratio`` is r."""

    fact: int
    size: int
    sign: int
    share: int
    ratio: int


@dataclass(frozen=True)
class Copies:
    """What is known of n copies: theorems by name, and the numbers of the fact."""

    known: dict[str, int]
    given: dict[str, int]
    gaps: list[Gap]


class NormalSums:
    """Derivations from the theorem of Berry and Esseen, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.made: dict[int, list[Copies]] = {}
        self.failed: set[tuple[int, frozenset[int]]] = set()
        self.busy = False

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """A relation about V(n, 1, 1), or V(n, 1, 1) != 1; None where there is none."""
        d = self.d
        values = [t for t in d.subterms(goal) if d.head(t) == "app3"
                  and d.kids(t)[0] in self.a.recursions.rules and not d.b.loose[t]]
        if not values and d.head(goal) == "not" and any(
                d.head(t) == "sqrt" for t in d.subterms(goal)):
            # a denominator
            one = d.num(1)
            values = [d.mk("app3", v, *d.kids(d.claim(i)), one, one) for i in facts
                      if d.head(d.claim(i)) == "nat" for v in self.a.recursions.rules]
        if self.busy or not values:
            return None
        self.busy = True
        try:
            for copies in self._copies(values, facts):
                try:
                    return self._settled(goal, copies)
                except (NotFound, NeedSplit):
                    continue
        finally:
            self.busy = False
        return None

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """iny f from "where c_1 and c_2, iny f", f = if(c_1, if(c_2, .., 0), 0): f is 0 or iny."""
        d = self.d
        (body,) = d.kids(goal)
        for i in facts:
            if d.head(d.claim(i)) != "allO" or goal not in d.subterms(d.claim(i)):
                continue
            name, x = d.fresh("O", "x")
            at = d.inst(i, x)
            f, premises = d.b.open(body, x), []
            while d.head(d.claim(at)) == "imp" and d.head(f) == "if" and (
                    d.kids(d.claim(at))[0] == d.kids(f)[0]):
                premises.append(d.assume(d.kids(f)[0]))
                at, f = d.mp(at, premises[-1]), d.kids(f)[1]
            proper = next((j for j in d.parts(at) if d.claim(j) == goal), None)
            if proper is None or not premises:
                continue
            no = d.assume(d.mk("not", goal))
            absurd = d.taut(d.mk("eq", f, d.num(0)), no, proper)
            for p in reversed(premises):
                absurd = self._branch(d.claim(p), absurd)
            nowhere = d.gen(name, "O", absurd)
            if d.kids(d.kids(d.claim(nowhere))[0]) != (body, d.num(0)):
                continue
            zero = d.num(0)
            alike = d.do("almost", d.conj([d.mk("iff", goal, d.mk("oiny", zero)), d.mk(
                "eq", d.mk("oint", body), d.mk("oint", zero))]), [nowhere])
            made = d.taut(goal, alike, self.a.nothing("oint", "R"))
            return d.taut(goal, d.disch(d.claim(no), made))
        return None

    def _branch(self, condition: int, yes: int) -> int:
        """if(c, x, 0) = 0 from c |- x = 0."""
        d = self.d
        x, zero = d.kids(d.claim(yes))
        whole = d.mk("if", condition, x, zero)
        sides = [d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", whole, v))), d.assume(c))
                 for c, v in ((condition, x), (d.mk("not", condition), zero))]
        return d.split(condition, d.chain(sides[0], yes), sides[1])

    # the fact ---------------------------------------------------------------------------------

    def _copies(self, values: Sequence[int], facts: Sequence[int]) -> list[Copies]:
        d = self.d
        found: list[Copies] = []
        for t in values:
            n, *ones = d.kids(t)[1:]
            if ones != [d.num(1), d.num(1)]:
                continue
            for v in self.a.recursions.rules:
                copies = self._known(d.mk("app3", v, n, *ones), v, n, facts)
                if copies is not None and copies not in found:
                    found.append(copies)
        return found

    def _known(self, place: int, v: int, n: int, facts: Sequence[int]) -> Copies | None:
        """The fact about V(n, 1, 1), made once for the same suppositions."""
        d = self.d
        given = self.a.recursions.hyps.union(*(d.theorem(i).hyps for i in facts))
        for copies in self.made.get(place, ()):
            if d.theorem(copies.known["near"]).hyps <= given:
                return copies
        if (place, given) in self.failed:
            return None
        try:
            made = self._of(v, n, facts)
        except (NotFound, NeedSplit):
            self.failed.add((place, given))
            return None
        self.made.setdefault(place, []).append(made)
        return made

    def _start(self, v: int) -> tuple[int, int]:
        """The theorems about V at 0 and at l + 1."""
        return self.a.recursions.rules[v]

    def _place(self, v: int) -> tuple[str, int]:
        """Which tail V is, and at which loss."""
        d = self.d
        claim = d.claim(self._start(v)[0])
        for e in [d.kids(t)[0] for t in d.subterms(claim) if d.head(t) == "exp"]:
            for kind, (start, _) in KINDS.items():
                text = f"allR(a, allR(b, app3(V, 0, a, b) == {start}))"
                if not d.b.loose[e] and read(d.b, text, {"V": v, "e": e}) == claim:
                    return kind, e
        raise NotFound("no tail of a loss")

    def _lost(self, v: int) -> bool:
        d = self.d
        text = "allR(a, allR(b, app3(V, 0, a, b) == case(b == 0, a, 0)))"
        return read(d.b, text, {"V": v}) == d.claim(self._start(v)[0])

    def _of(self, v: int, n: int, facts: Sequence[int]) -> Copies:
        kind, e = self._place(v)
        p, q = self.a.releases.pair(v)
        lost = next((u for u in self.a.recursions.rules if self._lost(u)
                     and self.a.releases.pair(u) == (p, q)), None)
        ints = {"P": p, "Q": q, "V": v, "U": lost or v, "n": n, "e": e}
        given = self._numbers(ints, lost is not None)
        known = self._laws(given, facts)
        known["W"], known["near"] = self._cited("berry-esseen", kind, given, known, facts)
        known |= self._reciprocal("W", known["W"])
        if kind == "to":
            known["erfc"] = self._reflected(given)
        self._right(known, given, kind, facts)
        return Copies(known, given, self._gaps(known, given, self._rest(kind, given)))

    def _rest(self, kind: str, given: dict[str, int]) -> int:
        """What the normal approximation has times W."""
        d = self.d
        whole = read(d.b, KINDS[kind][1], given)
        if d.head(whole) == "add":  # 1 + (-W + 1/2 (W x))
            whole = d.kids(d.kids(whole)[1])[1]
        half, (_, x) = d.kids(whole)[0], d.kids(d.kids(whole)[1])
        found = d.mk("mul", half, x)
        return found if kind == "to" else d.mk("add", d.num(-1), found)

    def _reflected(self, given: dict[str, int]) -> int:
        """erfc(x) + erfc(-x) = 2."""
        d = self.d
        x = read(d.b, "1 / 2 * (sqrt(2) * t)", given)
        law = read(d.b, "0 < erfc(x) and erfc(x) + erfc(-x) == 2", {"x": x})
        return d.parts(d.do("law", law, [], ["erfc", x]))[1]

    def _cited(self, name: str, kind: str, given: dict[str, int], known: dict[str, int],
               facts: Sequence[int]) -> list[int]:
        """The conclusions of the fact."""
        d = self.d
        terms = [given[x] for x in PARAMETERS]
        whole = d.do("fact", sentence(d.b, name, kind, terms), [], [name, kind, *terms])
        hypotheses = d.members(d.kids(d.claim(whole))[0])
        return d.parts(d.mp(whole, *(self._hypothesis(h, given, known, facts)
                                     for h in hypotheses)))

    def _right(self, known: dict[str, int], given: dict[str, int], kind: str,
               facts: Sequence[int]) -> None:
        """What is known where e is at least the mean: t >= 0, and the sharper bound."""
        d = self.d
        zero, one, t = d.num(0), d.num(1), given["t"]
        for i in facts:
            if d.head(d.claim(i)) != "le":
                continue
            goal = d.mk("le", zero, t)
            try:
                least = i if d.claim(i) == goal else d.do(
                    "arith", goal, [i, known["1/k"], known["1/s"]], [[one, [0, 1, 2]]])
            except NotFound:
                continue
            h = given["h"] = read(d.b, "1 + t * (t * t)", given)
            known["h"] = d.do("arith", d.mk("lt", zero, h), [least],
                              [[one, []], [one, [0, 0, 0]]])
            known |= self._reciprocal("h", known["h"])
            known["t"] = least
            known["far"] = self._cited("nonuniform berry-esseen", kind, given, known, facts)[1]
            return

    def _numbers(self, given: dict[str, int], lost: bool) -> dict[str, int]:
        """The numbers of the fact, written as statements write them."""
        d = self.d
        b = d.b

        def term(text: str) -> int:
            return read(b, text, given)

        moment = ("oint(x, case(0 < dens(P, x), case(0 < dens(Q, x), dens(P, x) * {}, 0), 0)) / w")
        given["w"] = term("1 - oint(x, case(dens(Q, x) == 0, dens(P, x), 0))")
        given["m"] = term(moment.format(LOSS))
        given["v"] = term(moment.format(f"({OFF} * {OFF})"))
        given["c"] = term(moment.format(f"(abs({OFF}) * abs({OFF}) * abs({OFF}))"))
        given["s"], given["k"] = term("sqrt(v)"), term("sqrt(n)")
        given["t"] = term("inv(k) * (inv(s) * (e + -(n * m)))")
        given["z"] = term("inv(k) * (inv(s) * (e + (-(n * m) + n * v)))")
        polynomial = self.a.reader.read
        for letter in [t for t in d.subterms(given["e"]) if d.head(t) == "v"]:
            if b.sorts[letter] == "R" and polynomial(term("e + -(n * m)")) == polynomial(
                    d.mul(given["k"], given["s"], letter)):
                # e is written as so many standard deviations from the mean
                given["t"] = letter
                given["z"] = term("t + k * s")
        given["W"] = term("1 - app3(U, n, 1, 1)") if lost else d.num(1)
        return given

    def _laws(self, given: dict[str, int], facts: Sequence[int]) -> dict[str, int]:
        """Positive numbers, their reciprocals and squares."""
        d, a = self.d, self.a
        zero = d.num(0)
        known: dict[str, int] = {}
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        known["n"] = Arithmetic(d).prove(d.mk("lt", zero, given["n"]), plain)
        apart = d.mk("not", d.mk("eq", given["w"], zero))
        known["w"] = Arithmetic(d).prove(d.mk("lt", zero, given["w"]), [
            a.prove(apart, facts), a.prove(d.mk("le", zero, given["w"]))])
        known["v"] = a.prove(d.mk("lt", zero, given["v"]), facts)
        for root, square in (("k", "n"), ("s", "v")):
            law = d.do("law", read(d.b, "imp(0 <= v, 0 <= sqrt(v) and sqrt(v) * sqrt(v) == v)",
                                   {"v": given[square]}), [],
                       ["sqrt", given[square]])
            above = d.do("arith", d.mk("le", zero, given[square]), [known[square]],
                         [[d.num(1), [0]]])
            least, same = d.parts(d.mp(law, above))
            known[f"{root} {root}"] = same
            known[root] = self._rooted(least, same, known[square])
        for x in "wks":
            known |= self._reciprocal(x, known[x])
        return known

    def _rooted(self, least: int, same: int, positive: int) -> int:
        """0 < r from 0 <= r, r r = x, 0 < x."""
        d = self.d
        zero, r = d.kids(d.claim(least))
        none = d.assume(d.mk("le", r, zero))
        # x = r r = - (r)(0 - r)
        nothing = d.do("arith", d.mk("false"), [positive, same, least, none],
                       [[d.num(1), [0]], [d.num(-1), [1]], [d.num(1), [2, 3]]])
        return d.unless(d.mk("lt", zero, r), nothing)

    def _reciprocal(self, name: str, positive: int) -> dict[str, int]:
        """x (1/x) = 1 and 0 < 1/x, by their names."""
        law, above = self.d.reciprocal(positive)
        return {f"1/{name}": above, f"{name}/{name}": law}

    def _hypothesis(self, h: int, given: dict[str, int], known: dict[str, int],
                    facts: Sequence[int]) -> int:
        d = self.d
        head, kids = d.head(h), d.kids(h)
        for i in (*facts, *known.values(), *(i for v in self.a.recursions.rules
                                             for i in self._start(v))):
            if d.claim(i) == h:
                return i
        if head == "eq":
            if kids[0] == kids[1]:
                return d.refl(kids[0])
            equations = [i for i in (*known.values(), *facts) if d.head(d.claim(i)) == "eq"]
            return Arithmetic(d).identity(h, equations)
        if head == "or":
            left, right = kids
            chosen = left if given["W"] != d.num(1) else right
            return d.taut(h, *(self._hypothesis(p, given, known, facts)
                               for p in d.members(chosen)))
        return self.a.prove(h, facts)

    # claims -----------------------------------------------------------------------------------

    def _gaps(self, known: dict[str, int], given: dict[str, int], rest: int) -> list[Gap]:
        """+-(V - G) < r W, and <= where t >= 0; ``rest`` is what G has times W."""
        d, one = self.d, self.d.num(1)
        size, _ = d.kids(d.claim(known["near"]))
        apart = size
        while d.head(apart) == "mul":
            apart = d.kids(apart)[1]
        product = d.mul(*(d.mk("inv", given[x]) for x in "ksss"))
        whole = d.mul(*(given[x] for x in "ksss"), product)
        square = d.mul(d.kids(d.claim(known["s/s"]))[0], d.kids(d.claim(known["s/s"]))[0])
        unit = d.kids(d.claim(known["s/s"]))[0]
        same = d.do("arith", d.mk("eq", whole, one), [known["k/k"], known["s/s"]], [
            [d.mul(square, unit), [0]], [d.add(one, unit, square), [1]]])
        positive = [known[f"1/{x}"] for x in "ksss"]
        uses = [("lt", known["near"], product, same, positive)]
        if "far" in known:
            last = d.kids(d.claim(known["h/h"]))[0]
            whole = d.mul(whole, last)
            same = d.do("arith", d.mk("eq", whole, one), [same, known["h/h"]],
                        [[last, [0]], [one, [1]]])
            product = d.mul(product, d.mk("inv", given["h"]))
            uses.append(("le", known["far"], product, same, [*positive, known["1/h"]]))
        found = []
        for head, i, factor, same, positive in uses:
            right = d.mul(d.kids(d.claim(i))[1], factor)
            ratio = d.mul(self._without(d.kids(d.claim(i))[1], given["W"]), factor)
            for sign, below in zip((1, -1), self._within(d.kids(apart)[0]), strict=True):
                side = d.kids(d.claim(below))[0]
                premises = [below, i, *positive, same]
                last = len(premises) - 1
                made = d.do("arith", d.mk(head, side, right), premises, [
                    [one, [0]], [one, list(range(1, last))], [d.neg(apart), [last]]])
                share = d.add(ratio, d.mul(d.num(sign), rest))
                found.append(Gap(made, d.sub(right, side), sign, share, ratio))
        return found

    def _without(self, t: int, factor: int) -> int:
        """A product without its last factor."""
        d = self.d
        x, y = d.kids(t)
        return x if y == factor else d.mul(x, self._without(y, factor))

    def _within(self, off: int) -> list[int]:
        """y <= |y| and -y <= |y|."""
        d = self.d
        name, y = d.fresh("R", "y")
        size = d.mk("abs", y)
        return [d.do("put", d.b.put(d.claim(i), {(name, "R"): off}), [i], [name, "R", off])
                for side in (y, d.neg(y))
                for i in [Arithmetic(d).prove(d.mk("le", side, size))]]

    def _settled(self, goal: int, copies: Copies) -> int:
        d = self.d
        head, kids = d.head(goal), d.kids(goal)
        if head == "not":
            return self._apart(goal, copies)
        if head not in ("le", "lt"):
            raise NotFound("no relation")
        left, right = kids
        if d.head(right) == "min":
            x, y = d.kids(right)
            sides = [self._settled(d.mk(head, left, side), copies) for side in (x, y)]
            return self.chosen(goal, right, "min", d.mk("le", x, y), sides, -1)
        if d.head(left) == "abs":
            (x,) = d.kids(left)
            sides = [self._settled(d.mk(head, side, right), copies) for side in (x, d.neg(x))]
            return self.chosen(goal, left, "abs", d.mk("le", d.num(0), x), sides, 1)
        return self._compared(goal, copies)

    def chosen(self, goal: int, t: int, law: str, condition: int, sides: Sequence[int],
                sign: int) -> int:
        """The goal about t = if(condition, x, y) from those about x and y."""
        d = self.d
        place = 0 if sign == 1 else 1
        x, y = (d.kids(d.claim(i))[place] for i in sides)
        whole = d.mk("if", condition, x, y)
        same = d.law(law, d.mk("eq", t, whole), *d.kids(t))
        cases = []
        for given, value, side in ((condition, x, sides[0]), (d.mk("not", condition), y, sides[1])):
            chosen = d.mp(d.do("cases", d.mk("imp", given, d.mk("eq", whole, value))),
                          d.assume(given))
            equation = d.chain(same, chosen)
            cases.append(d.do("arith", goal, [side, equation],
                              [[d.num(1), [0]], [d.num(sign), [1]]]))
        return d.split(condition, *cases)

    def _apart(self, goal: int, copies: Copies) -> int:
        d = self.d
        (same,) = d.kids(goal)
        given = d.assume(same)
        for names in NONZERO:
            if names[0] not in copies.known:
                continue
            used = [copies.known[n] for n in names]
            for sign in (1, -1):
                try:
                    nothing = d.do("arith", d.mk("false"), [*used, given], [
                        [d.num(1), list(range(len(used)))], [d.num(sign), [len(used)]]])
                except NotFound:
                    continue
                return d.taut(goal, d.disch(same, nothing))
        raise NotFound("no product of what is positive")

    def _compared(self, goal: int, copies: Copies) -> int:
        """x <= y where y - x is q times a gap of the fact."""
        d = self.d
        x, y = d.kids(goal)
        one, w = d.num(1), copies.given["W"]
        laws = [copies.known[n] for n in ("W/W", "erfc") if n in copies.known]
        for gap in copies.gaps:
            half = d.num(Fraction(gap.sign, 2))
            # what is written with W (1/W), and with U for 1 - W, stays as it is
            shares = gap.ratio, gap.share, d.add(gap.share, d.num(gap.sign))
            for q, turned, parts in ((one, d.mul(half, w), []), *(
                    (d.mk("inv", w), half, [[d.neg(share), [0]]]) for share in shares)):
                # erfc(-x) = 2 - erfc(x) in the other terms
                for more in ([], [[turned, [1]]] if len(laws) > 1 else []):
                    equation = d.mk("eq", d.sub(y, x), d.mul(q, gap.size))
                    try:
                        same = d.do("arith", equation, laws, [*parts, *more])
                        return d.do("arith", goal, [same, copies.known["1/W"], gap.fact], [
                            [d.num(-1), [0]], [one, [2] if q == one else [2, 1]]])
                    except NotFound:
                        continue
        raise NotFound("no multiple of the distance")
