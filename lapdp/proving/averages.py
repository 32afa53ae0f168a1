"""Means of families over one law: a profile of means lies below what bounds each member's.

From m(S) = oint w(b) m_b(S) for all events S, where m is a mean and m_b its family, follows for
the event S where the sum of c m is positive

    oint max(0, sum c m) = sum c m(S) = oint w(b) sum c m_b(S) <= oint w(b) t = t,

if sum c m_b(S) <= t at every b.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Averages:
    """Profiles of means below a bound, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oint max(0, f) <= t`` or ``sum of masses of one event <= t``; None where no mean occurs
        in it, or t is not reached."""
        d = self.d
        if d.head(goal) != "le":
            return None
        s, t = d.kids(goal)
        means = dict(self._means(facts))
        spoken = [p for p in self.a.masses(s) if p in means]
        if not spoken or any(p in means for p in self.a.masses(t)):
            return None
        try:
            if d.head(s) == "oint":
                return self._hinge(goal, s, t, means, facts)
            return self._masses(goal, means, facts)
        except (NotFound, NeedSplit):
            return None

    def _means(self, facts: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each mean with the fact that says so."""
        d = self.d
        for i in facts:
            if d.head(d.claim(i)) != "allS":
                continue
            claim = d.b.open(d.kids(d.claim(i))[0], d.fresh("S", "S")[1])
            if d.head(claim) != "eq" or any(d.head(k) != "oint" for k in d.kids(claim)):
                continue
            whole = self.a.event_masses.mass(d.kids(claim)[0])
            (weighed,) = d.kids(d.kids(claim)[1])
            if whole is not None and d.head(weighed) == "mul" and d.head(
                    d.kids(weighed)[0]) == "dens":
                yield whole[0], i

    def _hinge(self, goal: int, s: int, t: int, means: dict[int, int], facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        (body,) = d.kids(s)
        if d.head(body) != "max" or d.kids(body)[0] != d.num(0):
            raise NotFound("no profile")
        name, y = d.fresh("O", "y")
        f = d.b.open(d.kids(body)[1], y)
        positive = d.mk("set", d.b.abstract(d.mk("lt", d.num(0), f), name, "O"))
        weights = self.weights(f, name)
        if any(p not in means for p in weights):
            raise NotFound("a distribution that is no mean")
        sname, event = d.fresh("S", "S")
        total = d.add(*(d.mul(c, self.mass(p, event)) for p, c in weights.items()))
        less = d.inst(d.gen(sname, "S", self._masses(d.mk("le", total, t), means, facts)), positive)
        same = a.prove(d.mk("eq", s, d.kids(d.claim(less))[0]), self._plain(facts))
        return d.do("arith", goal, [same, less], [[d.num(1), [0]], [d.num(1), [1]]])

    def weights(self, f: int, name: str) -> dict[int, int]:
        """The coefficients of the densities at an outcome, the letter of that name."""
        d, terms = self.d, self.a.terms
        found: dict[int, Polynomial] = {}
        for m, c in self.a.reader.read(f).items():
            at = [(n, e) for n, e in m if (name, "O") in d.b.letters[terms.term({((n, 1),): 1})]]
            u = terms.term({((at[0][0], 1),): 1}) if len(at) == 1 and at[0][1] == 1 else 0
            if not u or d.head(u) != "dens":
                raise NotFound("not linear in the densities")
            found.setdefault(d.kids(u)[0], {})[tuple(z for z in m if z != at[0])] = c
        return {p: terms.term(c, "R") for p, c in found.items()}

    def mass(self, p: int, event: int) -> int:
        """p(S) as a term."""
        d = self.d
        y = d.b.bound(0, "O")
        return d.mk("oint", d.mk("if", d.mk("in", y, d.b.lift(event)), d.mk(
            "dens", d.b.lift(p), y), d.num(0)))

    def _masses(self, goal: int, means: dict[int, int], facts: Sequence[int]) -> int:
        """sum c m(S) <= t."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        total, equations = s, []
        events: dict[int, None] = {}
        weight: int | None = None
        name, b = d.fresh("O", "b")
        inside = s
        for u in d.subterms(s):
            if d.head(u) != "oint" or d.b.loose[u] or (mass := a.event_masses.mass(u)) is None:
                continue
            if mass[0] not in means:
                raise NotFound("a distribution that is no mean")
            equation = d.inst(means[mass[0]], mass[1])
            equations.append(equation)
            events[mass[1]] = None
            mean = d.kids(d.claim(equation))[1]
            total = d.b.open(d.hole(total, u), mean)
            law, at = d.kids(d.b.open(d.kids(mean)[0], b))
            if weight not in (None, law):
                raise NotFound("means over two laws")
            weight = law
            inside = d.b.open(d.hole(inside, u), at)
        if weight is None:
            raise NotFound("no mass of a mean")
        each = self.at_each(inside, t, b, facts)
        below = d.do("density", d.mk("allO", d.mk("le", d.num(0), d.mk(
            "dens", d.b.lift(d.kids(weight)[0]), d.b.bound(0, "O")))), [], [d.kids(weight)[0]])
        inys = [part for e in events for i in facts if d.head(d.claim(i)) == "allS"
                for part in d.parts(d.inst(i, e)) if d.head(d.claim(part)) == "oiny"]
        (unit,) = a.choices(weight)
        low, high = a.normal(total, [*self._plain(facts), *inys], unit), a.constant(t, unit)
        less = d.do("arith", d.mk("le", d.b.open(low.body, b), d.b.open(high.body, b)),
                    [each, d.inst(below, b)], [[d.num(1), [0, 1]]])
        ordered = d.do("mono", d.mk("le", d.mk("oint", low.body), d.mk("oint", high.body)),
                       [d.gen(name, "O", less), low.iny, high.iny])
        return a.by_arithmetic(goal, [*equations, low.equation, ordered, high.equation])

    def _plain(self, facts: Sequence[int]) -> list[int]:
        """Facts that speak of no integrals over the space."""
        return [i for i in facts if not self.a._speaks(self.d.claim(i))]

    def at_each(self, inside: int, t: int, b: int, facts: Sequence[int]) -> int:
        """sum c m_b(S) <= t: below the profile of this sum, and so below t."""
        d, a = self.d, self.a
        name, y = d.fresh("O", "y")
        f = inside
        for u in d.subterms(inside):
            mass = None if d.b.loose[u] else a.event_masses.mass(u)
            if mass is not None:
                f = d.b.open(d.hole(f, u), d.mk("dens", mass[0], y))
        hinge = d.mk("oint", d.b.abstract(d.mk("max", d.num(0), f), name, "O"))
        first = a.prove(d.mk("le", inside, hinge), self._plain(facts))
        last = a.with_splits(d.mk("le", hinge, t), facts,
                             lambda goal, known: self._reached(goal, b, known))
        return d.do("arith", d.mk("le", inside, t), [first, last],
                    [[d.num(1), [0]], [d.num(1), [1]]])

    def _reached(self, goal: int, b: int, facts: Sequence[int]) -> int:
        """hinge <= t by a fact about whole profiles, and what then is left."""
        d, a = self.d, self.a
        hinge, t = d.kids(goal)
        weights = self._weights_of(hinge)
        steps: list[tuple[int, int]] = []
        for law in a.dominance.laws(facts):
            places = {x: b for x, sort in zip(law.letters, law.sorts, strict=True) if sort == "O"}
            scale = weights.get(a.dominance.placed(law.first[0], places))
            if scale is None:
                continue
            if all(a.positive(c, facts, strict=False) is None for c in (scale, d.neg(scale))):
                raise NeedSplit(d.mk("le", d.num(0), scale))
            if (step := a.dominance.scaled(hinge, law, places, facts)) is not None:
                steps.append(step)
        # what is the bound itself goes before what is only below it
        for less, other in sorted(steps, key=lambda step: not self._alike(step[1], t)):
            try:
                rest = self._wider(d.mk("le", other, t), facts)
            except NotFound:
                continue
            return d.do("arith", goal, [less, rest], [[d.num(1), [0]], [d.num(1), [1]]])
        raise NotFound("no fact about profiles")

    def _weights_of(self, hinge: int) -> dict[int, int]:
        """The coefficients in ``oint max(0, f)``.  Raises :class:`NotFound`."""
        d = self.d
        body = d.kids(hinge)[0] if d.head(hinge) == "oint" else hinge
        if d.head(body) != "max" or d.kids(body)[0] != d.num(0):
            raise NotFound("no profile")
        name, y = d.fresh("O", "y")
        return self.weights(d.b.open(d.kids(body)[1], y), name)

    def _alike(self, s: int, t: int) -> bool:
        """Are two profiles the same, their coefficients as polynomials?"""
        read = self.a.reader.read
        try:
            first, second = ({p: read(c) for p, c in self._weights_of(u).items()} for u in (s, t))
        except NotFound:
            return False
        return first == second

    def _wider(self, goal: int, facts: Sequence[int]) -> int:
        """oint max(0, a p - b q) <= oint max(0, (a + c) p - (b + c) q) for a, c >= 0."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        if self._alike(s, t):
            return a.prove(goal, facts)
        low, high = self._weights_of(s), self._weights_of(t)
        if set(low) != set(high) or len(low) != 2:
            raise NotFound("profiles of other distributions")
        plain = self._plain(facts)
        plain += [i for u in d.subterms(s) if d.head(u) == "exp" and not d.b.loose[u] and (
            i := a.truth(d.mk("le", d.num(1), u), plain)) is not None]
        if all(a.positive(d.neg(c), plain, strict=False) is not None for c in low.values()):
            return a.prove(goal, plain)
        for p, q in (list(low), list(low)[::-1]):
            alpha, beta, more = low[p], d.neg(low[q]), d.sub(high[p], low[p])
            known = [i for x in (alpha, more)
                     if (i := a.positive(x, plain, strict=False)) is not None]
            falls = a.positive(d.sub(beta, alpha), plain, strict=False)
            order = falls or a.positive(d.sub(alpha, beta), plain, strict=False)
            if order is None or len(known) < 2:
                continue
            known.append(order)
            lemma = self._lemma(p, q, falls is not None)
            for u in (alpha, beta, more):
                lemma = d.inst(lemma, u)
            for i in known:
                lemma = d.mp(lemma, i)
            first, last = d.kids(d.claim(lemma))
            ends = [a.prove(d.mk("eq", *pair), plain)
                    for pair in ((s, first), (last, t))]
            return d.do("arith", goal, [ends[0], lemma, ends[1]],
                        [[d.num(1), [k]] for k in range(3)])
        raise NotFound("a profile that is not wider")

    def _lemma(self, p: int, q: int, falling: bool) -> int:
        """:meth:`_wider` for all a, b, c, under a <= b or b <= a."""
        d, a = self.d, self.a
        zero = d.num(0)
        names, (x, y, c) = zip(*(d.fresh("R", n) for n in "abc"), strict=True)
        given = [d.mk("le", zero, x), d.mk("le", zero, c),
                 d.mk("le", zero, d.sub(y, x) if falling else d.sub(x, y))]
        facts = [d.assume(f) for f in given]
        near = a.dominance.hinge(p, q, x, y)
        far = a.dominance.hinge(p, q, d.add(x, c), d.add(y, c))
        if falling:
            found = a.prove(d.mk("le", near, far), facts)
        else:
            back = [a.dominance.hinge(q, p, y, x),
                    a.dominance.hinge(q, p, d.add(y, c), d.add(x, c))]
            turned = [a.prove(d.mk("eq", u, d.add(d.sub(x, y), v)), facts)
                      for u, v in zip((near, far), back, strict=True)]
            less = a.prove(d.mk("le", *back), facts)
            found = d.do("arith", d.mk("le", near, far), [turned[0], less, turned[1]],
                         [[d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]])
        found = d.disch_all(given, found)
        for name in reversed(names):
            found = d.gen(name, "R", found)
        return found
