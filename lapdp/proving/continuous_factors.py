"""Bounded functions with slopes of at most 1, against which generalised derivatives are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.said import Said

PROFILE = "oint(x, max(0, dens(p, x) - exp(t) * dens(q, x)))"


@dataclass(frozen=True)
class Tested:
    """A function f, a number M, and: |f(a)| <= M, |f(a) - f(b)| <= |a - b| for all a and b."""

    f: Callable[[int], int]
    most: int
    bound: int
    slopes: int


class TestFunctions(Said):
    """Finds bounds and slopes, for a :class:`Prover`."""

    __test__ = False

    def hinge(self, t: int) -> tuple[int, int, int] | None:
        """p, q, s for oint_x max(0, p(x) - exp(s) q(x)); None for another term."""
        d = self.d
        densities = [d.kids(o)[0] for o in d.subterms(t) if d.head(o) == "dens"]
        powers = [d.kids(e)[0] for e in d.subterms(t) if d.head(e) == "exp"]
        if d.head(t) != "oint" or len(densities) != 2 or not powers or d.b.loose[powers[-1]]:
            return None
        p, q = densities
        seen = t == self.say(PROFILE, p=p, q=q, t=powers[-1])
        return (p, q, powers[-1]) if seen else None

    def tested(self, t: int, y: tuple[str, int], facts: Sequence[int]) -> Tested:
        """A term as such a function of a letter.  Raises :class:`NotFound`."""
        d = self.d
        f = self.function(t, y[0])
        two = [d.fresh("R", n) for n in "ab"]
        (_, a), (_, b) = two
        shape = self.hinge(t)
        if shape is not None:
            most, slopes = d.num(1), self._profile(shape, f, a, b)
        else:
            most, slopes = self._plain(f, a, b, facts)
        bound = self.a.prove(self.say("abs(f(a)) <= m", f=f, a=a, m=most), facts)
        return Tested(f, most, d.gen(two[0][0], "R", bound), d.gen_all(
            [(name, "R") for name, _ in two], slopes))

    def function(self, t: int, name: str) -> Any:
        """A term as a function of a letter."""
        return partial(self.d.b.open, self.d.b.abstract(t, name, "R"))

    def _plain(self, f: Any, a: int, b: int, facts: Sequence[int]) -> tuple[int, int]:
        d = self.d
        claim = self.say("abs(f(a) - f(b)) <= abs(a - b)", f=f, a=a, b=b)
        slopes = self._hinge(f, a, b, claim)
        if slopes is None:
            slopes = self.a.prove(claim, facts)
        ends = [d.sub(t, s) for i in facts if d.head(d.claim(i)) == "lt"
                for s, t in [d.kids(d.claim(i))]]
        for most in (d.num(1), *ends):
            try:
                self.a.prove(self.say("abs(f(a)) <= m", f=f, a=a, m=most), facts)
            except (NotFound, NeedSplit):
                continue
            return most, slopes
        raise NotFound("a function that is not seen to be bounded")

    def _profile(self, shape: tuple[int, int, int], f: Any, a: int, b: int) -> int:
        """|f(a) - f(b)| <= |a - b| for oint max(0, p - exp(s) q), s = c - y or y - c."""
        p, q, _ = shape
        places = [seen[2] for t in (a, b) if (seen := self.hinge(f(t))) is not None]

        def close(s: int, t: int, less: int) -> int:
            return self._close(p, q, s, t, less)

        return self._ordered(f, a, b, places, close)

    def _hinge(self, f: Any, a: int, b: int, claim: int) -> int | None:
        """|f(a) - f(b)| <= |a - b| for max(0, 1 - exp(s)), s = c - y or y - c; None for others."""
        d, one = self.d, self.d.num(1)
        powers = [[d.kids(e)[0] for e in d.subterms(f(t)) if d.head(e) == "exp"] for t in (a, b)]
        if [len(x) for x in powers] != [1, 1]:
            return None
        places = [x for x, in powers]
        text = "max(0, 1 - exp(s) * 1)"
        try:
            same = [self.a.prove(self.say(f"{text} == w", s=s, w=f(t))) for s, t in zip(
                places, (a, b), strict=True)]
        except (NotFound, NeedSplit):
            return None
        unit = self.a.prove(self.say("0 <= 1"))
        known = dict(zip(places, same, strict=True))

        def close(s: int, t: int, less: int) -> int:
            found = self._inside(one, one, unit, unit, s, t, less)
            found = d.replace(d.replace(found, known[s]), known[t])
            return self.law("x <= g * 1 => x <= g", found, x=d.kids(d.claim(found))[0],
                            g=self.say("t - s", s=s, t=t))

        found = self._ordered(f, a, b, places, close)
        return found if d.claim(found) == claim else None

    def _ordered(self, f: Any, a: int, b: int, places: list[int],
                 close: Callable[[int, int, int], int]) -> int:
        """|f(a) - f(b)| <= |a - b|, where ``close`` says |f(a) - f(b)| <= t - s for s <= t, the
        places of a and b or of b and a, from that order."""
        d = self.d
        sides = []
        order = self.say("s <= t", s=places[0], t=places[1])
        size = self.a.prove(self.say("abs(a - b) == abs(s - t)", a=a, b=b, s=places[0],
                                     t=places[1]))
        for given, (s, t) in ((d.assume(order), places), (d.opposite(d.assume(d.mk(
                "not", order))), places[::-1])):
            less = given
            if d.head(d.claim(less)) == "lt":
                less = d.do("arith", self.say("s <= t", s=s, t=t), [less], [[d.num(1), [0]]])
            x, y = (f(a), f(b)) if s == places[0] else (f(b), f(a))
            gap = "abs(s - t)" if s == places[0] else "abs(t - s)"
            sides.append(self.law(
                f"abs(x - y) <= t - s; n == {gap}; s <= t => abs(x - y) <= n", close(s, t, less),
                size, less, x=x, y=y, s=s, t=t, n=self.say("abs(a - b)", a=a, b=b)))
        second = self.law("abs(x - y) <= n => abs(y - x) <= n", sides[1],
                          x=f(b), y=f(a), n=self.say("abs(a - b)", a=a, b=b))
        return d.split(order, sides[0], second)

    def _close(self, p: int, q: int, s: int, t: int, less: int) -> int:
        """|oint max(0, p - e^s q) - oint max(0, p - e^t q)| <= t - s, from s <= t."""
        d = self.d
        name, x = d.fresh("O", "x")
        px, qx = (d.mk("dens", k, x) for k in (p, q))
        below = dict(zip((px, qx), self.a._positive(d.add(px, qx)), strict=True))
        gap = self.say("t - s", s=s, t=t)
        inside = self._inside(px, qx, below[px], below[qx], s, t, less)
        parts = [d.b.abstract(self.say("max(0, p - exp(s) * q)", p=px, q=qx, s=k), name, "O")
                 for k in (s, t)]
        inys = [self.a.prove(d.mk("oiny", f)) for f in parts]
        minus, scaled = self.scaled(d.num(-1), inys[1])
        iny, total = self.added(inys[0], minus)
        rim = self.rim(iny)
        mass, one = d.parts(self.a.mass_one(d.b.abstract(px, name, "O")))
        most, value = self.scaled(gap, mass)
        less = self.below(d.gen(name, "O", inside), rim[0], most)
        unit = d.num(1)
        bound = d.do("arith", d.mk("le", d.kids(d.claim(rim[1]))[0], gap), [
            rim[1], less, value, one], [[unit, [0]], [unit, [1]], [unit, [2]], [gap, [3]]])
        return d.replace(d.replace(bound, total), scaled)

    def _inside(self, p: int, q: int, above_p: int, above_q: int, s: int, t: int, less: int
                ) -> int:
        """|max(0, p - e^s q) - max(0, p - e^t q)| <= (t - s) p, from s <= t, 0 <= p, 0 <= q."""
        d = self.d
        gap = self.say("t - s", s=s, t=t)
        sizes = {n: self.say("exp(s) * q", s=k, q=q) for n, k in (("x", s), ("y", t))}
        # X <= Y and Y (1 - (t - s)) <= X for X = e^s q, Y = e^t q
        grown = d.onward(self.a.grows("le", s, t), less)
        up = self.times("x <= y", grown, above_q, **sizes)
        turned = self.say("s - t", s=s, t=t)
        tangent = d.law("exp above tangent", self.say("1 + g <= exp(g)", g=turned), turned)
        power = self.a.prove(self.say("0 < exp(t)", t=t))
        down = self.times("y - y * g <= x", tangent, power, above_q, g=gap, **sizes)
        zero = self.times("0 <= x", self.a.prove(self.say("0 < exp(s)", s=s)), above_q, **sizes)
        rise = d.do("arith", self.say("0 <= g", g=gap), [less], [[d.num(1), [0]]])
        return self._pointwise(p, above_p, up, down, zero, rise, gap=gap, **sizes)

    def _pointwise(self, p: int, above: int, up: int, down: int, zero: int, rise: int, *,
                   gap: int, x: int, y: int) -> int:
        """|max(0, p - x) - max(0, p - y)| <= p g, where x <= y and y (1 - g) <= x."""
        d = self.d
        claim = "abs(max(0, p - x) - max(0, p - y)) <= g * p"
        names = {"p": p, "x": x, "y": y, "g": gap}
        under = self.say("p <= y", **names)
        steep = self.say("g <= 1", **names)
        given = d.assume(under)
        gentle = self.law("p <= y; g <= 1; y - y * g <= x => p - p * g <= x", given, d.assume(
            steep), down, **names)
        sharp = self.law("0 <= p; 1 < g; 0 <= x => p - p * g <= x", above, d.opposite(d.assume(
            d.mk("not", steep))), zero, p=p, g=gap, x=x)
        near = d.split(steep, gentle, sharp)
        product = self.law("0 <= p; 0 <= g => 0 <= g * p", above, rise, p=p, g=gap)
        first = self.law(f"x <= y; p <= y; p - p * g <= x; 0 <= g * p => {claim}", up, given, near,
                         product, **names)
        over = d.opposite(d.assume(d.mk("not", under)))
        far = self.law("y < p; y - y * g <= x; 0 <= g => y - x <= g * p", over, down, rise, **names)
        second = self.law(f"x <= y; y < p; y - x <= g * p; 0 <= g * p => {claim}", up, over, far,
                          product, **names)
        return d.split(under, first, second)
