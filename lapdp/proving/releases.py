"""Recursions over releases that stay between 0 and a: 0 <= V(l, a, b) <= a for all a, b >= 0.

So is each tail, profile and mass of l releases.  By induction: V(l, a p, b q) lies between 0 and
a p, which has the integral a; so V may be integrated over one more release, whatever l is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.arithmetic import Arithmetic
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Letters = list[tuple[str, str]]
"""Names and sorts of letters."""


class Releases:
    """Derivations that values of recursions are integrable over one more release.

    V takes two factors a, b beside its index; where releases are chosen by what came before, the
    number of the next release, a, b and the history.
    """

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._bounds: dict[int, tuple[int, int] | None] = {}

    # values of V --------------------------------------------------------------------------------

    def variables(self, v: int) -> tuple[Letters, list[int]]:
        """Fresh letters for all that V takes beside its index."""
        made = [(*self.d.fresh(s), s) for s in ("RRRO" if self.d.b.sorts[v] == "W" else "RR")]
        return [(name, s) for name, _, s in made], [t for _, t, _ in made]

    def value(self, v: int, index: int, at: Sequence[int]) -> int:
        """V there."""
        if self.d.b.sorts[v] == "W":
            return self.d.mk("app6", v, index, *at[:3], self.d.num(0), at[3])
        return self.d.mk("app3", v, index, *at)

    def factors(self, at: Sequence[int]) -> Sequence[int]:
        """a and b."""
        return at[1:3] if len(at) == 4 else at

    def started(self, v: int, at: Sequence[int]) -> int:
        """V(0, ..) = t."""
        return self.d.at(self.a.recursions.rules[v][0], at)

    def stepped(self, v: int, isnat: int, at: Sequence[int]) -> int:
        """V(m + 1, ..) = oint_x V(m, ..), from nat m."""
        d = self.d
        (index,) = d.kids(d.claim(isnat))
        return self.d.at(d.mp(d.inst(self.a.recursions.rules[v][1], index), isnat), at)

    def pair(self, v: int, at: Sequence[int] | None = None) -> tuple[int, int]:
        """P and Q of one more release, there.  Raises :class:`NotFound`."""
        d = self.d
        claim = self.a.recursions._inside(d.claim(self.a.recursions.rules[v][1]))[1]
        if at is not None:
            one = d.num(1)
            at = [one, one] if len(at) == 2 else [at[0], one, one, at[3]]
            claim = d.claim(self.stepped(v, d.do("natural", d.mk("nat", d.num(0))), at))
        densities = [t for t in d.subterms(claim) if d.head(t) == "dens"]
        if len(densities) != 2:
            raise NotFound("no pair")
        p, q = (d.kids(t)[0] for t in densities)
        return p, q

    def after(self, at: Sequence[int], pair: tuple[int, int], x: int) -> list[int]:
        """What V takes after one more outcome."""
        here = self.beside(at, pair, x)
        return here if len(at) == 2 else [
            self.d.add(at[0], self.d.num(1)), *here[1:3], self.d.mk("then", at[3], x)]

    def beside(self, at: Sequence[int], pair: tuple[int, int], x: int) -> list[int]:
        """What V takes with a p(x) and b q(x) in the place of a and b, for any p and q."""
        d = self.d
        factors = [d.mul(t, d.mk("dens", p, x)) for t, p in zip(self.factors(at), pair,
                                                              strict=True)]
        return factors if len(at) == 2 else [at[0], *factors, at[3]]

    def weighted(self, p: int, x: int, sign: int) -> int:
        """0 <= a p(x) from 0 <= a."""
        d, zero = self.d, self.d.num(0)
        dens = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
        least = d.inst(d.do("density", d.mk("allO", d.mk("le", zero, dens)), [], [p]), x)
        a = d.kids(d.claim(sign))[1]
        return d.do("arith", d.mk("le", zero, d.mul(a, d.mk("dens", p, x))), [sign, least],
                    [[d.num(1), [0, 1]]])

    # 0 <= V <= a, or b --------------------------------------------------------------------------

    def integrable(self, goal: int) -> int | None:
        """all l, a, b (nat l -> 0 <= a and 0 <= b -> iny_x V(l, a p(x), b q(x))); None: it is no
        such claim, or the values are not seen to stay between 0 and a."""
        d = self.d
        _, inside = self.a.recursions._inside(goal)
        if d.head(inside) != "oiny" or d.head(d.kids(inside)[0]) not in ("app3", "app6"):
            return None
        v = d.kids(d.kids(inside)[0])[0]
        if v not in self.a.recursions.rules or self.bounds(v) is None:
            return None
        letters, at = self.variables(v)
        name, count = d.fresh("R")
        isnat, both = d.assume(d.mk("nat", count)), d.assume(self._ranges(at))
        found = d.disch(d.claim(isnat), d.disch(d.claim(both), self.over(v, isnat, at, both)[0]))
        found = d.gen_all([(name, "R"), *letters], found)
        return found if d.claim(found) == goal else None

    def bounds(self, v: int) -> tuple[int, int] | None:
        """all l (nat l -> all a, b (0 <= a and 0 <= b -> 0 <= V(l, a, b) and V(l, a, b) <= a)) and
        0; with b on the right, and 1; None: neither is seen."""
        if v not in self._bounds:
            self._bounds[v] = None
            for top in (0, 1):
                try:
                    self._bounds[v] = self._bounded(v, top), top
                    break
                except NotFound:
                    continue
        return self._bounds[v]

    def over(self, v: int, isnat: int, at: Sequence[int], both: int,
             other: tuple[int, int] | None = None) -> tuple[int, int, int]:
        """iny_x V(l, a p, b q), 0 <= its integral, and its integral <= a, or b; p and q those of
        the next release, after which the others follow, or any others."""
        below, top = self.between(v, isnat)
        return self._inside(v, below, at, both, top, other)

    def between(self, v: int, isnat: int) -> tuple[int, int]:
        """For all a, b >= 0: 0 <= V(l, a, b) <= a, and 0; or b, and 1.

        Raises :class:`NotFound`.
        """
        found = self.bounds(v)
        if found is None:
            raise NotFound("not seen to be bounded")
        (index,) = self.d.kids(self.d.claim(isnat))
        return self.d.mp(self.d.inst(found[0], index), isnat), found[1]

    def _ranges(self, at: Sequence[int]) -> int:
        d = self.d
        return d.conj([d.mk("le", d.num(0), t) for t in self.factors(at)])

    def _bounded(self, v: int, top: int) -> int:
        d = self.d
        letters, at = self.variables(v)
        both = d.assume(self._ranges(at))

        def below(index: int) -> int:
            value = self.value(v, index, at)
            return d.for_all(letters, d.mk("imp", d.claim(both), d.conj([
                d.mk("le", d.num(0), value), d.mk("le", value, self.factors(at)[top])])))

        start = self._closed(letters, both, self._begun(
            self.started(v, at), at, both, top))

        def step(isnat: int, known: int) -> int:
            _, low, high = self._inside(v, known, at, both, top)
            same = self.stepped(v, isnat, at)
            return self._closed(letters, both, [self._moved(i, same) for i in (low, high)])

        return d.induction(below, start, step)

    def _closed(self, letters: Letters, both: int, made: list[int]) -> int:
        return self.d.gen_all(letters, self.d.disch(self.d.claim(both), self.d.both(*made)))

    def _moved(self, i: int, same: int) -> int:
        """0 <= V or V <= a from 0 <= t or t <= a and V = t."""
        d = self.d
        v, t = d.kids(d.claim(same))
        low, high = d.kids(d.claim(i))
        goal = d.mk("le", low, v) if high == t else d.mk("le", v, high)
        return d.do("arith", goal, [i, same], [
            [d.num(1), [0]], [d.num(-1 if high == t else 1), [1]]])

    def _begun(self, same: int, at: Sequence[int], both: int, top: int) -> list[int]:
        d = self.d
        value = d.kids(d.claim(same))[1]
        known = d.parts(both)
        least, other = self.factors(at)[top], self.factors(at)[1 - top]
        for e in [t for t in d.subterms(value) if d.head(t) == "exp"]:
            above = d.law("exp positive", d.mk("lt", d.num(0), e), *d.kids(e))
            known.append(d.do("arith", d.mk("le", d.num(0), d.mul(e, other)),
                              [above, known[1 - top]], [[d.num(1), [0, 1]]]))
        claims = (d.mk("le", d.num(0), value), d.mk("le", value, least))
        return [self._moved(Arithmetic(d).prove(c, known), same) for c in claims]

    def _inside(self, v: int, below: int, at: Sequence[int], both: int, top: int,
                other: tuple[int, int] | None = None) -> tuple[int, int, int]:
        """iny_x V(l, a p, b q), 0 <= its integral, and its integral <= a or b, from bounds of V."""
        d = self.d
        zero, one = d.num(0), d.num(1)
        name, x = d.fresh("O", "x")
        pair = other or self.pair(v, at)
        after = self.beside(at, pair, x) if other else self.after(at, pair, x)
        signs = [self.weighted(p, x, sign) for p, sign in zip(pair, d.parts(both), strict=True)]
        low, high = d.parts(d.mp(self.d.at(below, after), d.both(*signs)))
        value, most = d.kids(d.claim(high))
        under = d.do("arith", d.mk("le", d.neg(value), most), [low, signs[top]],
                     [[one, [0]], [one, [1]]])
        size = d.mk("abs", value)
        bound = self.a.normal_sums.chosen(d.mk("le", size, most), size, "abs",
                                          d.mk("le", zero, value), [high, under], 1)
        everywhere = [d.gen(name, "O", i) for i in (bound, high, low)]
        f, g = (d.b.abstract(t, name, "O") for t in (value, most))
        a, p = self.factors(at)[top], pair[top]
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
