"""Any number of releases, each dominated by one that does not look at the history.

V(m, i, a, b, h) is a profile of m releases, the first of them release i after h, with a P and b Q
in the place of P and Q; U is that of the dominating releases.  With p, q release i after h and A, B
the pair that dominates it, for a, b >= 0,

    oint_x U(m, j, a p(x), b q(x)) <= oint_y U(m, j, a A(y), b B(y)),

for m = 0 by the hypothesis at e = log(x b) - log a, and then by induction, one more release put in
front by Fubini.  So V(m, i, a, b, h) <= U(m, i, a, b), by induction as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound
from lapdp.proving.dominated_release import DominatedRelease, Here, Pair

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

class Dominating:
    """Derivations of V(k, 1, 1) <= U(k, 1, 1), for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d, self.r = prover, prover.d, prover.releases
        self.one = DominatedRelease(prover)
        self._known: dict[tuple[int, int, frozenset[int]], int | None] = {}

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal; None: it is no such claim, or domination is not among the facts."""
        d = self.d
        if d.head(goal) != "le" or not all(
                d.head(t) in ("app3", "app6") and d.kids(t)[0] in self.a.recursions.rules
                for t in d.kids(goal)):
            return None
        (v, k, *at), (u, n, *other) = map(d.kids, d.kids(goal))
        if u == v or k != n or self._factors(at) != self._factors(other):
            return None
        key = v, u, frozenset(facts)
        if key not in self._known:
            try:
                self._known[key] = self._along(v, u, facts)
            except NotFound:
                self._known[key] = None
        whole = self._known[key]
        if whole is None:
            return None
        one, zero = d.num(1), d.num(0)
        a, b = self._factors(at)
        places = [*(t[0] for t in (at, other) if len(t) == 5), one][:1]
        histories = [t[4] if len(t) == 5 else d.b.letter("h'", "O") for t in (at, other)]
        found = d.mp(d.inst(whole, k), self.a.recursions.nat(k, facts))
        for t in (*places, a, b, *histories):
            found = d.inst(found, t)
        signs = [self.a.prove(f, facts) for f in (
            d.mk("le", one, places[0]), d.mk("le", zero, a), d.mk("le", zero, b))]
        found = d.mp(found, d.both(self.a.recursions.nat(places[0], facts), *signs))
        return found if d.claim(found) == goal else None

    def _factors(self, at: Sequence[int]) -> list[int]:
        return list(at[1:3] if len(at) == 5 else at)

    # letters ------------------------------------------------------------------------------------

    def _here(self) -> Here:
        d = self.d
        (ni, i), (na, a), (nb, b) = (d.fresh("R", n) for n in "iab")
        (nh, h), (ng, g) = (d.fresh("O", n) for n in "hg")
        zero = d.num(0)
        given = d.assume(d.conj([d.mk("nat", i), d.mk("le", d.num(1), i), d.mk("le", zero, a),
                                 d.mk("le", zero, b)]))
        letters = [(ni, "R"), (na, "R"), (nb, "R"), (nh, "O"), (ng, "O")]
        return Here(letters, i, a, b, h, g, given)

    def _by_induction(self, letters: list[tuple[str, str]], given: int,
                      claim: Callable[[int], int], start: int,
                      step: Callable[[int, int], int]) -> int:
        """For all whole m and all values of the letters: given -> claim(m)."""
        d = self.d

        def whole(m: int) -> int:
            return d.for_all(letters, d.mk("imp", d.claim(given), claim(m)))

        def closed(i: int) -> int:
            return d.gen_all(letters, d.disch(d.claim(given), i))

        return d.induction(whole, closed(start), lambda isnat, known: closed(step(isnat, known)))

    # one release in the place of another, whatever follows ------------------------------------

    def _over(self, u: int, m: int, at: Sequence[int], pair: Pair) -> int:
        """oint_x U(m, a p(x), b q(x))."""
        d = self.d
        name, x = d.fresh("O", "x")
        return d.mk("oint", d.b.abstract(self.r.value(u, m, self.r.beside(at, pair, x)), name, "O"))

    def _replaced(self, v: int, u: int, facts: Sequence[int]) -> tuple[int, Here, int]:
        """For all whole m: oint_x U(m, j, a p, b q, g) <= oint_y U(m, j, a A, b B, g), its letters
        and j."""
        d = self.d
        here = self._here()
        name, j = d.fresh("R", "j")
        pairs = self.one.pairs(v, u, here)
        at = self.one.at(u, j, here.a, here.b, here.g)

        def claim(m: int) -> int:
            return d.mk("le", *(self._over(u, m, at, pair) for pair in pairs))

        one = self.one.less(u, pairs, here, facts)
        start = one
        for pair in pairs:
            letter, x = d.fresh("O", "x")
            inside = self.r.started(u, self.r.beside(at, pair, x))
            start = d.replace(start, d.turn(d.under("oint", d.gen(letter, "O", inside))))

        def step(isnat: int, known: int) -> int:
            moved = [self._exchanged(u, isnat, at, pair, here.given) for pair in pairs]
            letter, y = d.fresh("O", "y")
            own = self.r.pair(u, at)
            after = self.r.after(at, own, y)
            isone, least, *signs = d.parts(here.given)
            weights = [self.r.weighted(p, y, s) for p, s in zip(own, signs, strict=True)]
            inside = known
            a, b = self.r.factors(after)
            for t in (here.i, a, b, here.h, after[3] if len(after) == 4 else here.g,
                      after[0] if len(after) == 4 else j):
                inside = d.inst(inside, t)
            inside = d.mp(inside, d.both(isone, least, *weights))
            inys = [i for _, i in moved]
            less = d.do("mono", d.mk("le", *(d.mk("oint", *d.kids(d.claim(i))) for i in inys)),
                        [d.gen(letter, "O", inside), *inys])
            (m,) = d.kids(d.claim(isnat))
            return d.do("arith", claim(d.add(m, d.num(1))), [less, *(i for i, _ in moved)], [
                [d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]])

        letters = [*here.letters, (name, "R")]
        return self._by_induction(letters, here.given, claim, start, step), here, j

    def _exchanged(self, u: int, isnat: int, at: Sequence[int], pair: Pair, given: int
                   ) -> tuple[int, int]:
        """oint_x U(m + 1, a p(x), b q(x)) = oint_y oint_x U(m, (a A(y)) p(x), (b B(y)) q(x)), A and
        B those of the next release of U; and that the inner integral is integrable."""
        d, r = self.d, self.r
        (m,) = d.kids(d.claim(isnat))
        (nx, x), (ny, y) = d.fresh("O", "x"), d.fresh("O", "y")
        own = r.pair(u, at)
        both = d.both(*d.parts(given)[2:])
        outer = r.beside(at, pair, x)
        weights = d.both(*(r.weighted(p, x, s) for p, s in zip(pair, d.parts(both), strict=True)))
        place = r.after(outer, own, y)
        f = r.value(u, m, place)
        each = d.gen(nx, "O", r.over(u, isnat, outer, weights)[0])
        # |f| = f, and oint_y f = U(m + 1, a p(x), b q(x))
        signs = [r.weighted(p, y, s) for p, s in zip(own, d.parts(weights), strict=True)]
        low = d.parts(d.mp(self.d.at(r.between(u, isnat)[0], place), d.both(*signs)))[0]
        chosen = d.mk("if", d.claim(low), f, d.neg(f))
        size = d.chain(d.law("abs", d.mk("eq", d.mk("abs", f), chosen), f), d.mp(
            d.do("cases", d.mk("imp", d.claim(low), d.mk("eq", chosen, f))), low))
        stepped = r.stepped(u, isnat, outer)
        inner = d.chain(d.under("oint", d.gen(ny, "O", size)), d.turn(stepped))
        after = self.a.recursions.nat(d.add(m, d.num(1)), [isnat])
        alike = d.under("oiny", d.gen(nx, "O", inner))
        absolutely = d.taut(d.kids(d.claim(alike))[0], alike, r.over(u, after, at, both, pair)[0])
        in_y, in_x = d.b.abstract(f, ny, "O"), d.b.abstract(f, nx, "O")
        left = d.mk("oint", d.b.abstract(d.mk("oint", in_y), nx, "O"))
        right = d.mk("oint", d.b.abstract(d.mk("oint", in_x), ny, "O"))
        iny, swapped = d.parts(d.do("swap", d.conj([
            d.mk("oiny", *d.kids(right)), d.mk("eq", left, right)]), [each, absolutely]))
        # (a p(x)) A(y) = (a A(y)) p(x)
        other = r.value(u, m, r.beside(r.after(at, own, y), pair, x))
        same = self.a.recursions.placed(f, other)
        everywhere = d.gen(ny, "O", d.under("oint", d.gen(nx, "O", same)))
        equation = d.chain(d.under("oint", d.gen(nx, "O", stepped)), swapped,
                           d.under("oint", everywhere))
        return equation, d.onward(d.under("oiny", everywhere), iny)

    # histories ----------------------------------------------------------------------------------

    def _blind(self, u: int) -> int:
        """For all whole m and all j, a, b, h, g: U(m, j, a, b, h) = U(m, j, a, b, g)."""
        d = self.d
        here = self._here()
        given = d.assume(d.mk("le", d.num(0), d.num(0)))
        ats = [self.one.at(u, here.i, here.a, here.b, t) for t in (here.h, here.g)]

        def claim(m: int) -> int:
            return d.mk("eq", *(self.r.value(u, m, at) for at in ats))

        begun = [self.r.started(u, at) for at in ats]
        start = d.chain(begun[0], d.turn(begun[1]))

        def step(isnat: int, known: int) -> int:
            name, x = d.fresh("O", "x")
            afters = [self.r.after(at, self.r.pair(u, at), x) for at in ats]
            if afters[0][:3] != afters[1][:3]:
                raise NotFound("releases that look at the history")
            inside = self.d.at(known, [*afters[0], afters[1][3]])
            same = d.under("oint", d.gen(name, "O", d.mp(inside, given)))
            steps = [self.r.stepped(u, isnat, at) for at in ats]
            return d.chain(steps[0], same, d.turn(steps[1]))

        return self._by_induction(here.letters, given, claim, start, step)

    def _along(self, v: int, u: int, facts: Sequence[int]) -> int:
        """For all whole m and all i, a, b, h, g: V(m, i, a, b, h) <= U(m, i, a, b, g)."""
        d, r = self.d, self.r
        if self.one.top(v) != self.one.top(u):
            raise NotFound("another order")
        here = self._here()
        at, other = (self.one.at(w, here.i, here.a, here.b, h)
                     for w, h in ((v, here.h), (u, here.g)))
        begun = [r.started(w, t) for w, t in ((v, at), (u, other))]
        if len({d.kids(d.claim(i))[1] for i in begun}) != 1:
            raise NotFound("other starts")
        replaced = self._replaced(v, u, facts)[0]
        blind = self._blind(u) if d.b.sorts[u] == "W" else None

        def claim(m: int) -> int:
            return d.mk("le", r.value(v, m, at), r.value(u, m, other))

        start = d.do("arith", claim(d.num(0)), begun, [[d.num(1), [0]], [d.num(-1), [1]]])

        def step(isnat: int, known: int) -> int:
            one = d.num(1)
            (m,) = d.kids(d.claim(isnat))
            isone, least, *signs = d.parts(here.given)
            both = d.both(*signs)
            later = d.add(here.i, one)
            pairs = self.one.pairs(v, u, here)
            name, x = d.fresh("O", "x")
            after = r.after(at, pairs[0], x)
            a, b = r.factors(after)
            weights = [r.weighted(p, x, s) for p, s in zip(pairs[0], signs, strict=True)]
            up = d.do("arith", d.mk("le", one, later), [least], [[one, [0]], [one, []]])
            inside = known
            for t in (later, a, b, after[3] if len(after) == 4 else here.h, here.g):
                inside = d.inst(inside, t)
            inside = d.mp(inside, d.both(self.a.recursions.nat(later, [isone]), up, *weights))
            mine = r.over(v, isnat, at, both)[0]
            place = self.one.at(u, later, here.a, here.b, here.g)
            iny = r.over(u, isnat, place, both, pairs[0])[0]
            less = d.do("mono", d.mk("le", *(d.mk("oint", *d.kids(d.claim(i))) for i in (
                mine, iny))), [d.gen(name, "O", inside), mine, iny])
            more = d.mp(d.inst(replaced, m), isnat)
            for t in (here.i, here.a, here.b, here.h, here.g, later):
                more = d.inst(more, t)
            more = d.mp(more, here.given)
            steps = [r.stepped(v, isnat, at), r.stepped(u, isnat, other)]
            same = self._without_history(u, blind, isnat, place, pairs[1], d.kids(d.claim(more))[1])
            return d.do("arith", claim(d.add(m, one)), [less, more, *steps, same], [
                [one, [0]], [one, [1]], [one, [2]], [d.num(-1), [3]], [one, [4]]])

        return self._by_induction(here.letters, here.given, claim, start, step)

    def _without_history(self, u: int, blind: int | None, isnat: int, place: Sequence[int],
                         pair: Pair, whole: int) -> int:
        """oint_y U(m, j, a A(y), b B(y), g) = oint_y U(m, j, a A(y), b B(y), then(g, y))."""
        d = self.d
        if blind is None:
            return d.refl(whole)
        name, y = d.fresh("O", "y")
        at = self.r.beside(place, pair, y)
        (m,) = d.kids(d.claim(isnat))
        same = self.d.at(d.mp(d.inst(blind, m), isnat), [*at, d.mk("then", at[3], y)])
        same = d.taut(d.kids(d.claim(same))[1], same, d.do("arith", d.mk(
            "le", d.num(0), d.num(0))))
        return d.under("oint", d.gen(name, "O", same))
