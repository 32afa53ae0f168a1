"""Moments of the loss of many independent releases, by induction on their number.

With w the mass that is not at infinity, m the mean and v the variance of one loss, a function that
begins with V(0, a, b) = a h(log a - log b), where a, b > 0 and 0 elsewhere, is

    V(k, a, b) = a w^k H(log a - log b),    H(l) = h(l + k m), and c k v more for c l^2 in h.

The mass w^k is 1 - U(k, 1, 1), where U is the function of the mass at infinity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import MADE, NotFound
from lapdp.proving.loss_sizes import LossSizes

if TYPE_CHECKING:
    from lapdp.proving.invariants import Invariants


class LossSums:
    """Lemmas about such functions, for :class:`Invariants`."""

    def __init__(self, invariants: Invariants) -> None:
        self.i, self.r = invariants, invariants.r
        self.positive: dict[int, int] = {}
        """For U the theorem that 1 - U(k, 1, 1) > 0 for all k."""
        self.sizes = LossSizes(self.r)

    def establish(self, letter: int, facts: Sequence[int]) -> bool:
        """Look for the lemma about a function; whether there is one."""
        d = self.r.d
        u, v = (d.b.letter(f"{n}{MADE}", "R") for n in "ab")
        h = self.i.start(letter, (u, v))
        size = d.head(h) == "abs"
        h = d.kids(h)[0] if size else h
        powers = self._powers(h, u, v)
        pair = self.densities(letter)
        if powers is None or pair is None:
            return False
        lost = self._lost(pair, u, v)
        if lost is None:
            return False
        try:
            self._remaining(lost, pair, facts)
            if size and 2 not in powers:
                return self.sizes.establish(letter, pair, h, facts)
            form = self._form(powers, pair, lost, facts)
            self.i.lemma(letter, "ab", lambda m, x: (list(x), form(m, *x)), facts,
                         lambda _, points: [points])
        except (NotFound, NeedSplit):
            return False
        return True

    def _powers(self, h: int, u: int, v: int) -> dict[int, Polynomial] | None:
        """The coefficients of h, a polynomial in the loss, where a, b > 0."""
        d, moments = self.r.d, self.r.a.moments
        if d.head(h) != "if" or d.head(d.kids(h)[1]) != "if":
            return None
        value = d.kids(d.kids(h)[1])[1]
        if h != moments.where(u, v, value):
            return None
        read = moments.powers(value, (u, ([u], [])), (v, ([v], [])), (u, v))
        return None if not read else {j: c for (j,), c in read.items()}

    def densities(self, letter: int) -> tuple[int, int] | None:
        """The p and q of a function whose step integrates V(i, a p, b q) over the space."""
        d = self.r.d
        _, x = d.fresh("O", "x")
        _, m = d.fresh("R", "m")
        u, v = (d.b.letter(f"{n}{MADE}", "R") for n in "ab")
        claim = d.b.open(d.kids(d.claim(self.r.rules[letter][1]))[0], m)
        claim = d.kids(claim)[1]
        for t in (u, v):
            if d.head(claim) != "allR":
                return None
            claim = d.b.open(d.kids(claim)[0], t)
        whole = d.kids(claim)[1]
        if d.head(whole) != "oint":
            return None
        step = d.b.open(d.kids(whole)[0], x)
        if d.head(step) != "app3" or d.kids(step)[:2] != (letter, m):
            return None
        found = []
        for t, c in zip(d.kids(step)[2:], (u, v), strict=True):
            if d.head(t) != "mul" or d.kids(t)[0] != c or d.head(d.kids(t)[1]) != "dens":
                return None
            found.append(d.kids(d.kids(t)[1])[0])
        return found[0], found[1]

    def _lost(self, pair: tuple[int, int], u: int, v: int) -> int | None:
        """The letter of the mass at infinity."""
        d = self.r.d
        begin = d.mk("if", d.mk("eq", v, d.num(0)), u, d.num(0))
        return next((t for t in self.r.rules if self.i.points(t) == 2
                     and self.i.start(t, (u, v)) == begin and self.densities(t) == pair), None)

    def _rest(self, lost: int, m: int) -> int:
        """1 - U(m, 1, 1)."""
        d = self.r.d
        one = d.num(1)
        return d.sub(one, d.mk("app3", lost, m, one, one))

    def whole(self, t: int, name: str) -> int:
        """The integral of a function at an outcome."""
        d = self.r.d
        return d.mk("oint", d.b.abstract(t, name, "O"))

    def _form(self, powers: dict[int, Polynomial], pair: tuple[int, int], lost: int,
              facts: Sequence[int]) -> Callable[[int, int, int], int]:
        """The lemma's right side."""
        d, a = self.r.d, self.r.a
        name, x = d.fresh("O", "x")
        p, q = (d.mk("dens", t, x) for t in pair)
        over = d.mk("inv", d.sub(d.num(1), self.whole(a.moments.lost(p, q), name)))
        means = {}
        for j in (1, 2):
            parts = a.moments.basis(p, q, j, facts)
            means[j] = d.mul(d.add(*(d.mul(a.terms.term(c, "R"), d.num(1) if f == p
                                           else self.whole(f, name)) for c, f in parts)), over)
        spread = self._short(d.sub(means[2], d.mul(means[1], means[1])))
        k = {j: a.terms.term(c, "R") for j, c in powers.items()}

        def form(m: int, u: int, v: int) -> int:
            loss = d.add(d.mk("log", u), d.neg(d.mk("log", v)), d.mul(m, means[1]))
            h = k.get(0, d.num(0))
            if 1 in k:
                h = d.add(h, d.mul(k[1], loss))
            if 2 in k:
                h = d.add(h, d.mul(k[2], d.add(d.mul(loss, loss), d.mul(m, spread))))
            return a.moments.where(u, v, d.mul(u, self._rest(lost, m), h))
        return form

    def _short(self, t: int) -> int:
        """The term as a polynomial."""
        a = self.r.a
        return a.terms.term(a.reader.read(t), "R")

    # the mass at infinity ---------------------------------------------------------------------

    def _remaining(self, lost: int, pair: tuple[int, int], facts: Sequence[int]) -> None:
        """0 < 1 - U(k, 1, 1) for all k, from 1 - U(1, 1, 1) != 0."""
        d, r, a = self.r.d, self.r, self.r.a
        if lost in self.positive:
            return
        self.i.about(lost, [])  # no hypothesis is needed, and fewer facts are searched
        name, x = d.fresh("O", "x")
        p, q = (d.mk("dens", t, x) for t in pair)
        mass = self.whole(a.moments.lost(p, q), name)
        rest, zero = d.sub(d.num(1), mass), d.num(0)
        some = a.prove(d.mk("not", d.mk("eq", rest, zero)), facts)
        most = a.prove(d.mk("le", mass, d.num(1)), facts)
        above = d.do("arith", d.mk("le", zero, rest), [most], [[d.num(1), [0]]])
        below = d.assume(d.mk("le", rest, zero))
        law = d.do("order", d.mk("iff", d.mk("eq", rest, zero), d.mk(
            "and", d.claim(below), d.claim(above))))
        less = d.unless(d.mk("lt", zero, rest), d.taut(d.mk("false"), law, below, above, some))
        n_name, n = d.fresh("R", "n")
        body = d.b.abstract(d.mk("lt", zero, self._rest(lost, n)), n_name, "R")
        self.positive[lost] = r.induction(body, [*facts, less])

    def facts(self, goal: int, facts: Sequence[int]) -> list[int]:
        """0 < 1 - U(i, 1, 1) for the indices that occur."""
        d, found = self.r.d, []
        places = dict.fromkeys(d.kids(t)[1] for t in d.subterms(goal) if d.head(t) == "app3"
                               and not d.b.loose[t] and d.kids(t)[0] in self.r.rules)
        for theorem in self.positive.values():
            for n in places:
                try:
                    found.append(d.mp(d.inst(theorem, n), self.r.nat(n, facts)))
                except NotFound:
                    continue
        return found

    def nonzero(self, goal: int, facts: Sequence[int]) -> int | None:
        """``not 1 - U(i, 1, 1) = 0``; None for other goals."""
        d = self.r.d
        general = [i for i in facts if not self.r.of(d.claim(i))]
        for t in d.subterms(goal):
            if t in self.r.rules and (pair := self.densities(t)) is not None and (
                    t not in self.positive) and self._lost(pair, *(
                        d.b.letter(f"{n}{MADE}", "R") for n in "ab")) == t:
                try:
                    self._remaining(t, pair, general)
                except (NotFound, NeedSplit):
                    return None
        try:
            return self.r.a.plainly(goal, self.facts(goal, facts), 0)
        except NotFound:
            return None

    # the step ---------------------------------------------------------------------------------

    def _moments(self, formula: int) -> list[int]:
        """Closed integrals over the space of functions with factors."""
        d = self.r.d
        return [t for t in d.subterms(formula) if d.head(t) in ("oint", "oiny")
                and not d.b.loose[t] and d.head(d.kids(t)[0]) == "if"]

    def _factors(self, t: int) -> list[int]:
        """Letters by which densities are multiplied, in what is integrated."""
        d = self.r.d
        return list(dict.fromkeys(
            d.kids(u)[0] for u in d.subterms(d.kids(t)[0]) if d.head(u) == "mul" and d.head(
                d.kids(u)[1]) == "dens" and d.head(d.kids(u)[0]) == "v"))

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal, its integrals expanded."""
        return self._by_factors(goal, facts, self._expanded)

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny f`` by the lemma for what is integrated; None for others."""
        d, r = self.r.d, self.r
        if d.head(goal) != "oiny":
            return None
        if (found := self.sizes.integrable(goal, facts)) is not None:
            return found
        equation = r.inside(goal, facts)
        if equation is None:
            return None
        changed = d.kids(d.claim(equation))[1]
        plain = [i for i in facts if not r.of(d.claim(i))]
        try:
            return d.taut(goal, equation, self._by_factors(changed, plain, self._integrable))
        except (NotFound, NeedSplit):
            return None

    def _by_factors(self, goal: int, facts: Sequence[int],
                    last: Callable[[int, Sequence[int]], int]) -> int:
        """The goal for factors that are positive, and for those that are 0."""
        d, zero = self.r.d, self.r.d.num(0)
        if not self._moments(goal):
            raise NotFound("no moment of a loss")
        claims = {d.claim(i): i for i in facts}
        for c in (c for t in self._moments(goal) for c in self._factors(t)):
            if d.mk("lt", zero, c) in claims:
                continue
            positive, above = d.mk("lt", zero, c), d.mk("le", zero, c)
            if above not in claims:
                raise NotFound("the sign of a factor")
            yes = self._by_factors(goal, [*facts, d.assume(positive)], last)
            low = d.onward(d.do("order", d.mk("iff", d.mk("not", positive), d.mk(
                "le", c, zero))), d.assume(d.mk("not", positive)))
            none = d.taut(d.mk("eq", c, zero), d.do("order", d.mk("iff", d.mk("eq", c, zero), d.mk(
                "and", d.claim(low), above))), low, claims[above])
            body = d.hole(goal, c)
            rest = self._without(d.b.open(body, zero), [
                i for i in facts if c not in d.subterms(d.claim(i)) and d.head(
                    d.claim(i)) in RELATIONS and not self.r.a._speaks(d.claim(i))])
            return d.split(positive, yes, d.do("rewrite", goal, [d.turn(none), rest], [body]))
        return last(goal, facts)

    def _without(self, goal: int, facts: Sequence[int]) -> int:
        """The goal for a factor 0: integrals of what is then 0 are 0."""
        d, a = self.r.d, self.r.a
        for t in self._moments(goal):
            name, x = d.fresh("O", "x")
            try:
                everywhere = d.gen(name, "O", self._zero(d.b.open(d.kids(t)[0], x)))
            except NotFound:
                continue
            iny, none = d.parts(a.nothing("oint", "R"))
            same = d.under(d.head(t), everywhere)
            if t == goal:
                return d.taut(goal, same, iny)
            equation = d.chain(same, none)
            body = d.hole(goal, t)
            found = self._without(d.b.open(body, d.num(0)), facts)
            return d.do("rewrite", goal, [d.turn(equation), found], [body])
        return a.apart_from(goal, facts)

    def _zero(self, t: int) -> int:
        """t = 0 for an ``if`` whose conditions 0 < 0 p do not hold.  Raises :class:`NotFound`."""
        d, zero = self.r.d, self.r.d.num(0)
        if t == zero:
            return d.refl(t)
        if d.head(t) != "if":
            raise NotFound("a value that may not be 0")
        condition, yes, no = d.kids(t)
        denied = d.mk("not", condition)

        def chosen(given: int, value: int) -> int:
            return d.mp(d.do("cases", d.mk("imp", d.claim(given), d.mk("eq", t, value))), given)

        other = self._zero(no)
        try:
            refuted = self.r.a.plainly(denied, [], 0)
        except NotFound:
            inner = self._zero(yes)
            return d.split(condition, d.chain(chosen(d.assume(condition), yes), inner),
                           d.chain(chosen(d.assume(denied), no), other))
        return d.chain(chosen(refuted, no), other)

    def _integrable(self, goal: int, facts: Sequence[int]) -> int:
        found = self.r.a.moments.expanded(self.r.d.kids(goal)[0], facts)
        if found is None:
            raise NotFound("no moment of a loss")
        return found[0]

    def _expanded(self, goal: int, facts: Sequence[int]) -> int:
        d, a = self.r.d, self.r.a
        trail: list[tuple[int, int, int]] = []
        now = goal
        for t in self._moments(goal):
            if d.head(t) == "oint" and (found := a.moments.expanded(d.kids(t)[0], [
                    i for i in facts if not self.r.of(d.claim(i))
                    or d.head(d.claim(i)) in RELATIONS])) is not None:
                body = d.hole(now, t)
                trail.append((now, found[1], body))
                now = d.b.open(body, d.kids(d.claim(found[1]))[1])
        if not trail:
            raise NotFound("no moment of a loss")
        try:
            done = a.by_arithmetic(now, [i for i in facts if d.head(d.claim(i)) in RELATIONS])
        except NotFound:
            done = a.unknown(now, [i for i in facts if d.head(d.claim(i)) != "allR"])
        for before, equation, body in reversed(trail):
            done = d.do("rewrite", before, [d.turn(equation), done], [body])
        return done
