"""Releases chosen by what came before, each with a guarantee at one point in both directions.

V(m, i, a, b, h) is the profile of m releases, the first of them release i after the history h, with
a P and b Q in the place of P and Q.  Release i is (e_i, d_i)-DP after every history.  Then for a, b
>= 0, whole i >= 1 and n = i + m

    V(m + 1, i, a, b, h) <= d_n a + c_n (E_n V(m, i, a, b / E_n, h) + V(m, i, a, b E_n, h)),

where E_n = exp(e_n) and c_n = (1 - d_n) / (1 + E_n): the last release is replaced by a randomized
response.  By induction on m: for m = 0 it is what a guarantee says of one pair, with factors; then
it is integrated over one more release in front.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Form = Callable[[int], int]
"""A term for a number."""


@dataclass(frozen=True)
class Step:
    """The theorem, for all m, and the terms e and d for the number of a release."""

    theorem: int
    size: Form
    lost: Form


class LastRelease:
    """Derivations of that inequality, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d, self.r = prover, prover.d, prover.releases
        self.factors = prover.guaranteed_factors
        self._known: dict[tuple[int, frozenset[int]], Step | None] = {}

    def step(self, v: int, facts: Sequence[int]) -> Step | None:
        """The inequality for V, from guarantees among the facts; None: there are none."""
        key = v, frozenset(facts)
        if key not in self._known:
            self._known[key] = self._from_guarantees(v, facts)
        return self._known[key]

    # what guarantees say ------------------------------------------------------------------------

    def _from_guarantees(self, v: int, facts: Sequence[int]) -> Step | None:
        d = self.d
        name, i = d.fresh("R", "i")
        letter, h = d.fresh("O", "h")
        isnat, above = d.assume(d.mk("nat", i)), d.assume(d.mk("le", d.num(1), i))
        pair = self._pair(v, (i, d.num(1), d.num(1), h))
        here = self.here(facts, i, h, [isnat, above])
        points = list(self.a.guarantees.points(here))
        for first, (p, q, e) in points:
            for second, other in points:
                c = d.kids(d.claim(first))[1]
                if (p, q) == pair and other == (q, p, e) and c == d.kids(d.claim(second))[1]:
                    one = self._one(v, i, h, (e, c), [*here, isnat, above])
                    for formula in (d.claim(above), d.claim(isnat)):
                        one = d.disch(formula, one)
                    one = d.gen(name, "R", d.gen(letter, "O", one))
                    size, lost = (self._of_number(t, name) for t in (e, c))
                    return Step(self._along(v, one, size, lost), size, lost)
        return None

    def _of_number(self, t: int, name: str) -> Form:
        return lambda n: self.d.b.put(t, {(name, "R"): n})

    def turned(self, v: int) -> bool:
        """Is it the profile of (Q, P), which is at most b?"""
        found = self.r.bounds(v)
        return found is not None and found[1] == 1

    def at(self, v: int, i: int, a: int, b: int, h: int) -> tuple[int, int, int, int]:
        """What V takes, a being the factor of the first member of the profile."""
        return (i, b, a, h) if self.turned(v) else (i, a, b, h)

    def sides(self, v: int, at: Sequence[int]) -> tuple[int, int]:
        """a and b of what V takes."""
        _, a, b, _ = at
        return (b, a) if self.turned(v) else (a, b)

    def _pair(self, v: int, at: Sequence[int]) -> tuple[int, int]:
        """The pair of the next release, in the order of the profile."""
        p, q = self.r.pair(v, at)
        return (q, p) if self.turned(v) else (p, q)

    def here(self, facts: Sequence[int], i: int, h: int, given: Sequence[int]) -> list[int]:
        """What the facts say of release i after h."""
        d = self.d
        plain = [f for f in facts if d.head(d.claim(f)) != "allR"]
        return plain + self.a.guarantees.chosen(facts, (i, h), given)

    def _one(self, v: int, i: int, h: int, terms: tuple[int, int], facts: Sequence[int]) -> int:
        """For all a, b >= 0: V(1, i, a, b, h) <= the bound by V(0, i, a, ., h)."""
        d = self.d
        zero, (e, _) = d.num(0), terms
        (na, a), (nb, b) = d.fresh("R", "a"), d.fresh("R", "b")
        both = d.assume(d.conj([d.mk("le", zero, t) for t in (a, b)]))
        signs = d.parts(both)
        none = d.do("natural", d.mk("nat", zero))
        at = self.at(v, i, a, b, h)
        same = self._first(v, none, at)
        starts = [self.r.started(v, self.at(v, i, a, x, h)) for x in self.factors.moved(b, e)]
        goal = d.mk("le", d.kids(d.claim(same))[1], self.factors.bound(
            terms, a, *(d.kids(d.claim(s))[1] for s in starts)))
        a, b = self.sides(v, at)
        less = self.factors.scaled(goal, self._pair(v, at), (a, d.mul(self._factor(v), b)), terms,
                             [*facts, *signs])
        for s in starts:
            less = self._back(less, s)
        less = d.replace(less, d.turn(same))
        found = d.disch(d.claim(both), less)
        return d.gen(na, "R", d.gen(nb, "R", found))

    def _first(self, v: int, none: int, at: tuple[int, ...]) -> int:
        """V(1, ..) = oint_x s with V(0, ..) = s, from nat 0."""
        d = self.d
        name, x = d.fresh("O", "x")
        inside = self.r.started(v, self.r.after(at, self.r.pair(v, at), x))
        return d.chain(self.r.stepped(v, none, at), d.under("oint", d.gen(name, "O", inside)))

    def _back(self, i: int, equation: int) -> int:
        """s in the place of t in a theorem, from s = t."""
        return self.d.replace(i, self.d.turn(equation))

    def _factor(self, v: int) -> int:
        """x for V(0, i, a, b, h) = max(0, a - x b)."""
        d = self.d
        one = d.num(1)
        start = d.kids(d.claim(self.r.started(v, (one, one, one, d.b.letter("h'", "O")))))[1]
        found = [t for t in d.subterms(start) if d.head(t) == "exp"]
        if len(found) != 1 or start != d.mk("max", d.num(0), d.sub(one, d.mul(found[0], one))):
            raise NotFound("no profile")
        return found[0]

    # more releases ------------------------------------------------------------------------------

    def _along(self, v: int, one: int, size: Form, lost: Form) -> int:
        """For all whole m, all i, a, b, h with i >= 1 whole and a, b >= 0: the bound of V(m + 1)
        by V(m), n = i + m, from the one for m = 0."""
        d = self.d
        letters, at = self.r.variables(v)
        given = d.assume(d.conj([d.mk("nat", at[0]), d.mk("le", d.num(1), at[0]), *(
            d.mk("le", d.num(0), t) for t in at[1:3])]))

        def claim(m: int, at: Sequence[int], n: int) -> int:
            i, h, (a, b) = at[0], at[3], self.sides(v, at)
            terms = size(n), lost(n)
            before = (self.r.value(v, m, self.at(v, i, a, x, h))
                      for x in self.factors.moved(b, terms[0]))
            return d.mk("le", self.r.value(v, d.add(m, d.num(1)), at), self.factors.bound(
                terms, a, *before))

        def whole(m: int) -> int:
            return d.for_all(letters, d.mk("imp", d.claim(given), claim(m, at, d.add(at[0], m))))

        def closed(found: int) -> int:
            return d.gen_all(letters, d.disch(d.claim(given), found))

        isnat, above, *signs = d.parts(given)
        first = d.mp(d.mp(self.d.at(one, (at[0], at[3])), isnat), above)
        turn = -1 if self.turned(v) else 1
        first = d.mp(self.d.at(first, self.sides(v, at)), d.both(*signs[::turn]))
        start = closed(self._renumbered(first, at[0], d.add(at[0], d.num(0)),
                                        lambda n: claim(d.num(0), at, n)))
        return d.induction(whole, start, lambda count, known: closed(self._integrated(
            v, known, count, at, (isnat, above, *signs), (size, lost))))

    def _renumbered(self, i: int, old: int, new: int, claim: Form) -> int:
        """A claim about release ``new`` from the one about ``old``, equal polynomials."""
        d = self.d
        name, n = d.fresh("R", "n")
        body = d.b.abstract(claim(n), name, "R")
        return d.do("rewrite", claim(new), [d.do("arith", d.mk("eq", old, new)), i], [body])

    def _integrated(self, v: int, known: int, count: int, at: Sequence[int],
                    given: Sequence[int], forms: tuple[Form, Form]) -> int:
        """The bound of V(m + 2) from the one of V(m + 1), integrated over a release in front."""
        d = self.d
        one = d.num(1)
        (m,), (i, _, _, h), (a, b) = d.kids(d.claim(count)), at, self.sides(v, at)
        turn = -1 if self.turned(v) else 1
        isnat, above, *signs = given
        later = d.add(i, one)
        after = self.a.recursions.nat(d.add(m, one), [count])
        next_ = self.a.recursions.nat(later, [isnat])
        up = d.do("arith", d.mk("le", one, later), [above], [[one, [0]], [one, []]])

        name, x = d.fresh("O", "x")
        pair = self.r.pair(v, at)
        place = self.r.after(at, pair, x)
        weights = [self.r.weighted(p, x, s) for p, s in zip(pair, signs, strict=True)]
        inside = d.mp(self.d.at(known, place), d.both(next_, up, *weights))
        n, number = d.add(later, m), d.add(i, d.add(m, one))
        if n != number:
            inside = d.replace(inside, d.do("arith", d.mk("eq", n, number)))
        terms = forms[0](number), forms[1](number)
        parts: list[tuple[int, int, int]] = []
        for factor in self.factors.moved(b, terms[0]):
            point = self.at(v, i, a, factor, h)
            sign = self.a.prove(d.mk("le", d.num(0), factor), [signs[::turn][1]])
            both = d.both(*(signs[::turn][0], sign)[::turn])
            iny = self.r.over(v, count, point, both)[0]
            there = self.r.after(point, pair, x)
            moved = self.factors.moved(self.sides(v, place)[1], terms[0])[len(parts)]
            inside = d.replace(inside, d.do("arith", d.mk("eq", moved, self.sides(v, there)[1])))
            parts.append((iny, self.r.stepped(v, count, point), self.r.value(v, m, there)))
        first = pair[::turn][0]
        mass, total = d.parts(self.a.mass_one(d.mk("dens", d.b.lift(first), d.b.bound(0, "O"))))
        share = d.mul(d.sub(one, terms[1]), d.mk("inv", d.add(one, d.mk("exp", terms[0]))))
        scales = [d.mul(terms[1], a), d.mul(share, d.mk("exp", terms[0])), share]
        values = [d.mk("dens", first, x), *(value for _, _, value in parts)]
        most = d.add(*(d.mul(c, t) for c, t in zip(scales, values, strict=True)))
        less = d.do("arith", d.mk("le", d.kids(d.claim(inside))[0], most), [inside],
                    [[one, [0]]])
        iny, value = combined(d, scales, [mass, *(i for i, _, _ in parts)])
        mine = self.r.over(v, after, at, d.both(*signs))[0]
        (f,), (g,) = d.kids(d.claim(mine)), d.kids(d.claim(iny))
        order = d.do("mono", d.mk("le", d.mk("oint", f), d.mk("oint", g)),
                     [d.gen(name, "O", less), mine, iny])
        equations = [total, *(d.turn(s) for _, s, _ in parts)]
        same = self.r.stepped(v, after, at)
        goal = d.mk("le", d.kids(d.claim(same))[0], self.factors.bound(
            terms, a, *(d.kids(d.claim(s))[0] for _, s, _ in parts)))
        return d.do("arith", goal, [same, order, value, *equations], [
            [one, [0]], [one, [1]], [one, [2]],
            *([c, [k + 3]] for k, c in enumerate(scales))])
