"""Recursions over releases that stay between 0 and a: 0 <= V(l, a, b) <= a for all a, b >= 0.

So is each tail, profile and mass of l releases.  By induction: V(l, a p, b q) lies between 0 and
a p, which has the integral a; so V may be integrated over one more release, whatever l is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lapdp.kernel.facts import read
from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

BOUNDS = """(allR a (allR b (imp (and (le 0 a) (le 0 b)) (and (le 0 (app3 V l a b))
 (le (app3 V l a b) a)))))"""


class Releases:
    """Derivations that values of recursions are integrable over one more release."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.bounds: dict[int, int | None] = {}

    def integrable(self, goal: int) -> int | None:
        """all l, a, b (nat l -> 0 <= a and 0 <= b -> iny_x V(l, a p(x), b q(x))); None: it is no
        such claim, or the values are not seen to stay between 0 and a."""
        d = self.d
        _, inside = self.a.recursions._inside(goal)
        if d.head(inside) != "oiny" or d.head(d.kids(inside)[0]) != "app3":
            return None
        v = d.kids(d.kids(inside)[0])[0]
        if v not in self.a.recursions.rules:
            return None
        if v not in self.bounds:
            try:
                self.bounds[v] = self._bounded(v)
            except NotFound:
                self.bounds[v] = None
        lemma = self.bounds[v]
        if lemma is None:
            return None
        names, terms = zip(*(d.fresh("R") for _ in range(3)), strict=True)
        count, a, b = terms
        isnat = d.assume(d.mk("nat", count))
        both = d.assume(d.conj([d.mk("le", d.num(0), t) for t in (a, b)]))
        p, q = self.pair(v)
        found = self._inside(v, d.mp(d.inst(lemma, count), isnat), (a, b), (p, q), both)[0]
        found = d.disch(d.claim(isnat), d.disch(d.claim(both), found))
        for name in reversed(names):
            found = d.gen(name, "R", found)
        return found if d.claim(found) == goal else None

    def pair(self, v: int) -> tuple[int, int]:
        """P and Q of one more release.  Raises :class:`NotFound`."""
        d = self.d
        densities = [t for t in d.subterms(d.claim(self.a.recursions.rules[v][1]))
                     if d.head(t) == "dens"]
        if len(densities) != 2:
            raise NotFound("no pair")
        p, q = (d.kids(t)[0] for t in densities)
        return p, q

    def _bounded(self, v: int) -> int:
        """all l (nat l -> BOUNDS)."""
        d = self.d
        pair = self.pair(v)
        first, step = self.a.recursions.rules[v]
        names, terms = zip(*(d.fresh("R") for _ in range(2)), strict=True)
        both = d.assume(d.conj([d.mk("le", d.num(0), t) for t in terms]))
        start = self._closed(names, both, self._started(first, terms, both))
        name, count = d.fresh("R", "l")
        given = d.assume(d.mk("and", d.mk("nat", count), read(d.b, BOUNDS, {"V": v, "l": count})))
        isnat, below = (d.taut(k, given) for k in d.kids(d.claim(given)))
        _, low, high = self._inside(v, below, terms, pair, both)
        same = d.mp(d.inst(step, count), isnat)
        for t in terms:
            same = d.inst(same, t)
        made = [self._moved(i, same) for i in (low, high)]
        move = d.gen(name, "R", d.disch(d.claim(given), self._closed(names, both, made)))
        goal = d.mk("allR", d.b.abstract(d.mk("imp", d.mk("nat", count), read(
            d.b, BOUNDS, {"V": v, "l": count})), name, "R"))
        return d.do("induct", goal, [start, move])

    def _closed(self, names: tuple[str, ...], both: int, made: list[int]) -> int:
        d = self.d
        found = d.disch(d.claim(both), d.both(*made))
        for name in reversed(names):
            found = d.gen(name, "R", found)
        return found

    def _moved(self, i: int, same: int) -> int:
        """0 <= V or V <= a from 0 <= t or t <= a and V = t."""
        d = self.d
        v, t = d.kids(d.claim(same))
        low, high = d.kids(d.claim(i))
        goal = d.mk("le", low, v) if high == t else d.mk("le", v, high)
        return d.do("arith", goal, [i, same], [
            [d.num(1), [0]], [d.num(-1 if high == t else 1), [1]]])

    def _started(self, first: int, terms: tuple[int, ...], both: int) -> list[int]:
        d = self.d
        same = first
        for t in terms:
            same = d.inst(same, t)
        value = d.kids(d.claim(same))[1]
        known = d.parts(both)
        for e in [t for t in d.subterms(value) if d.head(t) == "exp"]:
            above = d.law("exp positive", d.mk("lt", d.num(0), e), *d.kids(e))
            known.append(d.do("arith", d.mk("le", d.num(0), d.mul(e, terms[1])),
                              [above, known[1]], [[d.num(1), [0, 1]]]))
        claims = (d.mk("le", d.num(0), value), d.mk("le", value, terms[0]))
        return [self._moved(Arithmetic(d).prove(c, known), same) for c in claims]

    def _inside(self, v: int, below: int, terms: tuple[int, ...], pair: tuple[int, int],
                both: int) -> tuple[int, int, int]:
        """iny_x V(l, a p, b q), 0 <= its integral, and its integral <= a."""
        d = self.d
        zero, one = d.num(0), d.num(1)
        name, x = d.fresh("O", "x")
        weighted, signs = [], []
        for t, p, sign in zip(terms, pair, d.parts(both), strict=True):
            dens = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
            least = d.inst(d.do("density", d.mk("allO", d.mk("le", zero, dens)), [], [p]), x)
            weighted.append(d.mul(t, d.mk("dens", p, x)))
            signs.append(d.do("arith", d.mk("le", zero, weighted[-1]), [sign, least],
                              [[one, [0, 1]]]))
        at = below
        for t in weighted:
            at = d.inst(at, t)
        low, high = d.parts(d.mp(at, d.both(*signs)))
        value, most = d.kids(d.claim(high))
        under = d.do("arith", d.mk("le", d.neg(value), most), [low, signs[0]],
                     [[one, [0]], [one, [1]]])
        size = d.mk("abs", value)
        bound = self.a.normal_sums.chosen(d.mk("le", size, most), size, "abs",
                                          d.mk("le", zero, value), [high, under], 1)
        everywhere = [d.gen(name, "O", i) for i in (bound, high, low)]
        f, g = (d.b.abstract(t, name, "O") for t in (value, most))
        a, p = terms[0], pair[0]
        dens = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
        mass, whole = d.parts(self.a.mass_one(dens))
        iny_g, total = d.parts(d.do("integral", d.conj([d.mk("oiny", g), d.mk(
            "eq", d.mk("oint", g), d.mul(a, d.mk("oint", dens)))]), [mass], ["scale", a]))
        iny_f = d.do("dominate", d.mk("oiny", f), [everywhere[0], iny_g])
        flat, nothing = d.parts(self.a.nothing("oint", "R"))
        above = d.do("mono", d.mk("le", d.mk("oint", f), d.mk("oint", g)),
                     [everywhere[1], iny_f, iny_g])
        least = d.do("mono", d.mk("le", d.mk("oint", zero), d.mk("oint", f)),
                     [everywhere[2], flat, iny_f])
        integral = d.mk("oint", f)
        return (iny_f, d.do("arith", d.mk("le", zero, integral), [least, nothing],
                            [[one, [0]], [d.num(-1), [1]]]),
                d.do("arith", d.mk("le", integral, a), [above, total, whole],
                     [[one, [0]], [one, [1]], [a, [2]]]))
