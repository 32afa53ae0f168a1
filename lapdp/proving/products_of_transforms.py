"""The transform of the profile of a product: (r^2 + r) times the product of those of its pairs.

With the finite loss z of an outcome of the second pair, e^(rt) delta(t) is the integral of p e^(rt)
delta_1(t - z) over these outcomes, for an infinite loss has no mass where the transform of delta_2
converges.  By Fubini and t = v + z its integral over t is that of p e^(rz), (r^2 + r) times the
transform of delta_2, times the transform of delta_1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import Breaks, NeedSplit
from lapdp.proving.continuous_factors import PROFILE
from lapdp.proving.derivation import NotFound
from lapdp.proving.profile_quotients import FINITE
from lapdp.proving.said import Said

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class ProductsOfTransforms(Said):
    """Finds such equations, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        super().__init__(prover)
        self.made: dict[int, tuple[int, int]] = {}

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """A relation by the values of such transforms, or that one converges, or the profile of a
        product; None where the goal has none, or it does not help."""
        d = self.d
        if not d.symbols(goal) >= {"oint", "dens", "exp"}:
            return None
        try:
            if d.head(goal) == "oiny":  # what is known of transforms would lead astray
                whole = d.mk("oint", *d.kids(goal))
                seen = facts and self.a.derivatives.through.pairs(whole) is not None
                return self.a.prove(goal) if seen else None
            if d.head(goal) == "liny":
                made = self.transform(d.mk("lint", *d.kids(goal)), facts)
                return None if made is None else made[0]
            laws = [made[1] for t in d.subterms(goal) if d.head(t) == "lint" and not d.b.loose[t]
                    and (made := self.transform(t, facts)) is not None]
            return self.a.by_arithmetic(goal, laws) if laws else None
        except (NotFound, NeedSplit):
            return None

    def transform(self, whole: int, facts: Sequence[int]) -> tuple[int, int] | None:
        """That it converges, and its value; None for another term, or where a transform of one of
        the pairs is not known to converge."""
        d, a = self.d, self.a
        name, t = d.fresh("R", "t")
        at = d.b.open(d.kids(whole)[0], t)
        if d.head(at) != "mul" or d.b.sorts[at] != "R" or d.head(d.kids(at)[0]) != "exp":
            return None
        power, profile = d.kids(at)
        names = a.derivatives.through.pairs(profile)
        linear = Breaks(a, t, facts).rate_of(a.reader.read(d.kids(power)[0]))
        if names is None or names["e"] != t or linear is None or linear[1]:
            return None
        inys = []
        for p, q in ("ab", "pq"):
            inside = d.mul(power, self.say(PROFILE, p=names[p], q=names[q], t=t))
            claim = d.mk("liny", d.b.abstract(inside, name, "R"))
            inys += [i for i in facts if d.claim(i) == claim][:1]
        if len(inys) < 2:
            return None
        given = frozenset().union(*(d.theorem(i).hyps for i in facts))
        if whole not in self.made or not d.theorem(self.made[whole][1]).hyps <= given:
            self.made[whole] = self._made(whole, (name, t), names, a.terms.term(
                linear[0], "R"), inys, facts)
        return self.made[whole]

    def _made(self, whole: int, t: tuple[str, int], names: dict[str, int], rate: int,
              inys: Sequence[int], facts: Sequence[int]) -> tuple[int, int]:
        d, a = self.d, self.a
        power, profile = d.kids(d.b.open(d.kids(whole)[0], t[1]))
        y = d.fresh("O", "y")
        at = {n: d.mk("dens", names[n], y[1]) for n in "pq"}
        z = self.say("log(p) - log(q)", **at)
        above = dict(zip("pq", a._positive(d.add(at["p"], at["q"])), strict=True))
        shifted = self.say(PROFILE, p=names["a"], q=names["b"], t=self.say(
            "e - z", e=t[1], z=z))
        inside = d.mul(power, shifted)
        f = self.say(FINITE, f=inside, **at)
        first, second = (d.mk("lint", *d.kids(d.claim(i))) for i in inys)
        wave = self.say("exp(r * z)", r=rate, z=z)
        value = self.say(FINITE, f=d.mul(wave, first), **at)
        # e^(rt) delta(t) is the integral of f
        (law,) = a.derivatives.through.laws(profile)
        finite, lost = d.kids(d.kids(d.claim(law))[1])
        none = a.prove(d.mk("eq", lost, d.num(0)), facts)
        iny, scaled = self.scaled(power, a.prove(d.mk("oiny", *d.kids(finite))))
        same = d.gen(y[0], "O", self.law(
            f"=> r * ({FINITE}) == {FINITE.replace('* f', '* (r * f)')}", r=power, f=shifted,
            **at))
        mixed = d.chain(d.turn(scaled), d.under("oint", same))
        equal = d.do("arith", d.mk("eq", d.mul(power, profile), d.kids(d.claim(mixed))[1]), [
            law, none, mixed], [[power, [0]], [power, [1]], [d.num(1), [2]]])
        everywhere = d.gen(t[0], "R", equal)
        # over t at an outcome
        inner = d.b.abstract(f, t[0], "R")
        converges, total = d.parts(self._inner(inner, value, at, above, (
            t, z, wave, power, shifted), inys[0]))
        # over the outcomes
        moment = self.say(FINITE, f=wave, **at)
        known = a.prove(d.mk("oiny", d.b.abstract(moment, y[0], "O")), facts)
        iny, by_first = self.scaled(first, known)
        product = d.gen(y[0], "O", self.law(
            f"=> w * ({FINITE}) == {FINITE.replace('* f', '* (f * w)')}", w=first, f=wave, **at))
        over = d.taut(d.mk("oiny", d.b.abstract(value, y[0], "O")), d.under("oiny", product), iny)
        size = d.gen(t[0], "R", self._size(inside, at, power, shifted))
        rim = d.chain(d.under("lint", size), total)
        absolutely = d.taut(d.mk("oiny", d.b.abstract(d.kids(d.claim(rim))[0], y[0], "O")),
                            d.under("oiny", d.gen(y[0], "O", rim)), over)
        left = d.mk("oint", d.b.abstract(d.mk("lint", inner), y[0], "O"))
        right = d.mk("lint", d.b.abstract(d.mk("oint", d.b.abstract(f, y[0], "O")), t[0], "R"))
        there, swapped = d.parts(d.do("swap", d.conj([d.mk("liny", *d.kids(right)), d.mk(
            "eq", left, right)]), [d.gen(y[0], "O", converges), absolutely]))
        mean = a.prove(self.say("m == (r * r + r) * w", m=d.mk("oint", d.b.abstract(
            moment, y[0], "O")), r=rate, w=second), facts)
        found = d.chain(d.under("lint", everywhere), d.turn(swapped), d.under("oint", d.gen(
            y[0], "O", total)), d.turn(d.under("oint", product)), by_first)
        found = d.chain(found, d.alike(d.kids(d.claim(found))[1], mean))
        return d.taut(d.mk("liny", *d.kids(whole)), d.under("liny", everywhere), there), found

    def _inner(self, inner: int, value: int, at: dict[str, int], above: dict[str, int],
               parts: tuple[tuple[str, int], int, int, int, int], iny: int) -> int:
        """liny of p e^(rt) delta_1(t - z), and its integral, by cases of the densities."""
        d, a = self.d, self.a
        (name, t), z, wave, power, shifted = parts
        given = [d.assume(self.say(f"0 < {n}", **at)) for n in "pq"]
        names = {"f": d.mul(power, shifted), **at}
        shift = d.neg(z)
        place = self.say("1 * t + c", t=t, c=shift)
        moved, equal = a.derivatives.exponential.moved(
            d.kids(d.claim(iny))[0], place, shift, iny, name)
        whole, scaled = self.scaled(d.mul(at["p"], wave), moved)
        back = d.refl(d.b.open(d.kids(d.claim(whole))[0], t))
        back = d.chain(back, d.alike(d.kids(d.claim(back))[1], a.identity(d.mk(
            "eq", place, self.say("t - z", t=t, z=z)), [])))
        plain = self.law(f"0 < p; 0 < q => {FINITE} == p * f", *given, **names)
        back = d.chain(back, a.identity(d.mk("eq", d.kids(d.claim(back))[1], d.kids(d.claim(
            plain))[1]), []), d.turn(plain))
        same = d.gen(name, "R", back)
        total = d.chain(d.turn(d.under("lint", same)), scaled)
        total = d.chain(total, d.alike(d.kids(d.claim(total))[1], equal))
        end = self.law(f"0 < p; 0 < q => {FINITE} == p * f", *given, **{
            **names, "f": d.mul(wave, d.kids(d.claim(equal))[1])})
        total = d.chain(total, a.identity(d.mk("eq", d.kids(d.claim(total))[1], d.kids(d.claim(
            end))[1]), []), d.turn(end))
        both = d.both(d.taut(d.mk("liny", inner), d.under("liny", same), whole), total)
        nothing = d.parts(a.nothing("lint", "R"))
        sides = []
        for n, i in zip("pq", given, strict=True):
            low = d.opposite(d.assume(d.mk("not", d.claim(i))))
            zero = [self.law(f"{n} <= 0 => {FINITE} == 0", low, **{**names, "f": f})
                    for f in (names["f"], d.mul(wave, d.kids(d.claim(equal))[1]))]
            none = d.gen(name, "R", zero[0])
            sides.append(d.both(d.taut(d.mk("liny", inner), d.under("liny", none), nothing[0]),
                                d.chain(d.under("lint", none), nothing[1], d.turn(zero[1]))))
        return d.split(d.claim(given[0]), d.split(d.claim(given[1]), both, sides[1]), sides[0])

    def _size(self, inside: int, at: dict[str, int], power: int, shifted: int) -> int:
        """|f| = f."""
        low = self.a.prove(self.say("0 <= w", w=shifted))
        above = self.times("0 <= r * w", self.a.prove(self.say("0 < r", r=power)), low, r=power,
                           w=shifted)
        return self.law(f"0 <= f => abs({FINITE}) == {FINITE}", above, f=inside, **at)
