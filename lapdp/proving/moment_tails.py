"""Bounds of a profile, and of the mass of a large loss, by one moment whose logarithm is bounded:
R_q <= rho gives delta(e) <= d.

With r = q - 1 > 0 and M = oint p (p/q)^r, the tangents of e^(r z) and e^(-z) at z = y - e - m,
m = log(r + 1) - log r, add up to

    delta(e) <= e^(log M - r e + r log r - (r + 1) log(r + 1)) <= e^(log M - r e),

and p(e <= y) <= e^(log M - r e) by one tangent.  What is left is an inequality of numbers,
log M <= r rho and r rho - r e + .. <= log d.  A bound rho(q) for all orders is used at the order
where r rho(q) - r e is least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.space import Prover


class MomentTails:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """``delta(e) <= c``, or of p(e <= y), with a logarithm or a root in e, or by a bound for
        all orders; None: another goal, or not found."""
        d, a = self.d, self.a
        if not self.busy and d.head(goal) in ("eq", "le") and d.kids(goal)[1] == d.num(0):
            return self._none(goal, facts)
        if self.busy or d.head(goal) != "le" or a._speaks(d.kids(goal)[1]):
            return None
        whole = d.kids(goal)[0]
        here = a.guarantees._profile(whole) or self._mass(whole)
        if here is None:
            return None
        if not any(d.head(t) in ("log", "sqrt") for t in d.subterms(here[2])) and not any(
                d.head(d.claim(i)) == "allR" for i in facts):
            return None
        self.busy = True
        try:
            for known, log, bound in self._bounds(here, d.kids(goal)[1], facts):
                try:
                    return self._bounded(goal, here, (log, bound), known)
                except (NotFound, NeedSplit):
                    continue
        finally:
            self.busy = False
        return None

    def _none(self, goal: int, facts: Sequence[int]) -> int | None:
        """``delta(e) = 0``, or ``<= 0``, from a bound for all orders: delta(e) <= c for all c > 0,
        and so for c = delta(e)/2; None: another goal, or not found."""
        d, a, zero = self.d, self.a, self.d.num(0)
        whole = d.kids(goal)[0]
        if a.guarantees._profile(whole) is None or not any(
                d.head(d.claim(i)) == "allR" for i in facts):
            return None
        name, c = d.fresh("R", "d")
        given = d.assume(d.mk("lt", zero, c))
        bound = self.found(d.mk("le", whole, c), [*facts, given])
        if bound is None:
            return None
        above, half = d.assume(d.mk("lt", zero, whole)), d.num(Fraction(1, 2))
        small = d.do("arith", d.mk("lt", zero, d.mul(half, whole)), [above], [[half, [0]]])
        less = d.mp(d.inst(d.gen(name, "R", d.disch(d.claim(given), bound)), d.mul(
            half, whole)), small)
        none = d.unless(d.mk("le", whole, zero), d.do("arith", d.mk("false"), [less, above], [
            [d.num(2), [0]], [d.num(1), [1]]]))
        if d.head(goal) == "le":
            return none
        least = a.prove(d.mk("le", zero, whole))
        law = d.do("order", d.mk("iff", goal, d.conj([d.claim(none), d.claim(least)])))
        return d.taut(goal, law, none, least)

    def integrable(self, goal: int, _: Sequence[int]) -> int | None:
        """``oiny max(0, p - e^e q)``; None: another goal."""
        d = self.d
        here = self.a.guarantees._profile(d.mk("oint", *d.kids(goal))) if d.b.sorts[
            d.kids(goal)[0]] == "R" else None
        return None if here is None else self.a.loss_means.lemmas.at("profile", here)

    def _mass(self, whole: int) -> tuple[int, int, int] | None:
        """p, q, e for the mass under p of e^e q <= p, or of e^e q < p."""
        d = self.d
        test = d.kids(d.kids(whole)[0])[:1] if d.head(whole) == "oint" else ()
        if not test or d.head(test[0]) not in ("le", "lt"):
            return None
        masses = self.a.masses(whole)
        powers = [t for t in d.subterms(d.kids(test[0])[0]) if d.head(t) == "exp"]
        for p, q in (masses, masses[::-1]) if len(masses) == 2 and len(powers) == 1 else ():
            (e,) = d.kids(powers[0])
            if not d.b.loose[e] and self.a.loss_means.lemmas.mass(
                    (p, q), e, d.head(test[0])) == whole:
                return p, q, e
        return None

    # bounds of moments ------------------------------------------------------------------------

    def _bounds(self, here: tuple[int, int, int], value: int, facts: Sequence[int]
                ) -> Iterator[tuple[list[int], int, int]]:
        """Facts, the logarithm of a moment of the pair, and that it is at most a number."""
        d = self.d
        for i in facts:
            if d.head(d.claim(i)) == "le":
                yield from self.read(i, here[:2], facts)
        for i in facts:
            if d.head(d.claim(i)) == "allR":
                try:
                    known = self._at_best(i, here, value, facts)
                except (NotFound, NeedSplit):
                    continue
                for j in known:
                    if d.head(d.claim(j)) == "le" and j not in facts:
                        yield from self.read(j, here[:2], known)

    def read(self, i: int, pair: Pair, facts: Sequence[int]
             ) -> Iterator[tuple[list[int], int, int]]:
        """Facts, log M for a moment of the pair, and log M <= c, from a bound of it or of R_q."""
        d, a = self.d, self.a
        found = self.log_in(d.claim(i), pair)
        if found is None:
            return
        log, rate, rest, k = found
        plain = a.loss_means.plain(facts)
        above = a.positive(rate, plain)
        if above is None:
            return
        bound = a.terms.term(rest, "R")
        if k == a.reader.read(d.mk("inv", rate)):
            unit, _ = d.reciprocal(above)
            less = d.do("arith", d.mk("le", log, d.mul(rate, bound)), [i, above, unit], [
                [d.num(1), [0, 1]], [d.neg(log), [2]]])
        elif k == {(): 1}:
            less = d.do("arith", d.mk("le", log, bound), [i], [[d.num(1), [0]]])
        else:
            return
        yield [*facts, above], log, less

    def log_in(self, claim: int, pair: Pair) -> tuple[int, int, Polynomial, Polynomial] | None:
        """log M, its rate, t and k for a relation k log M <= t."""
        d, a = self.d, self.a
        s, t = d.kids(claim)
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        logs = [(t, mean) for t in d.subterms(claim) if d.head(t) == "log" and not d.b.loose[t]
                and (mean := a.loss_means.mean(d.kids(t)[0])) is not None]
        if len(logs) != 1 or logs[0][1].pair != pair or logs[0][1].rate is None:
            return None
        ((log, mean),) = logs
        ((atom, _),) = next(iter(a.reader.read(log)))
        k = {tuple(z for z in m if z[0] != atom): -c for m, c in gap.items() if atom in dict(m)}
        rest = {m: c for m, c in gap.items() if atom not in dict(m)}
        assert mean.rate is not None
        return None if a._speaks(a.terms.term(rest, "R")) else (log, mean.rate, rest, k)

    def _at_best(self, i: int, here: tuple[int, int, int], value: int, facts: Sequence[int]
                 ) -> list[int]:
        """Facts with what a bound a q + b of R_q for all q says at q = 1 + (e - a - b)/(2 a); for
        a = 0 and delta(e) <= d at 1 + 1/d: all orders are needed, for r -> oo."""
        d, a = self.d, self.a
        _, q = d.fresh("R", "q")
        claim = d.b.open(d.kids(d.claim(i))[0], q)
        relation = next((f for f in d.subterms(claim) if d.head(f) == "le" and not d.b.loose[f]
                         and self.log_in(f, here[:2]) is not None), None)
        read = None if relation is None else self.log_in(relation, here[:2])
        if read is None:
            raise NotFound("no bound of a moment")
        ((atom, _),) = next(iter(a.reader.read(q)))
        rest = read[2]
        slope = {tuple(z for z in m if z[0] != atom): c for m, c in rest.items()
                 if dict(m).get(atom, 0) == 1}
        start = {m: c for m, c in rest.items() if atom not in dict(m)}
        if len(slope) + len(start) != len(rest):
            raise NotFound("a bound of another form")
        s = a.terms.term(slope, "R")
        top = plus(plus(a.reader.read(here[2]), slope, -1), start, -1)
        r = a.terms.term(a.reader.read(d.mul(a.terms.term(top, "R"), d.mk(
            "inv", d.mul(d.num(2), s))) if slope else d.mk("inv", value)), "R")
        plain = a.loss_means.plain(facts)
        above = a.prove(d.mk("lt", d.num(0), r), plain)
        order = d.add(d.num(1), r)
        more = d.do("arith", d.mk("lt", d.num(1), order), [above], [[d.num(1), [0]]])
        return a.released([*facts, above, more, d.inst(i, order)])

    # the bound --------------------------------------------------------------------------------

    def _bounded(self, goal: int, here: tuple[int, int, int], moment: tuple[int, int],
                 facts: Sequence[int]) -> int:
        d, a, one = self.d, self.a, self.d.num(1)
        log, less = moment
        p, q, e = here
        (whole,) = d.kids(log)
        mean = a.loss_means.mean(whole)
        if mean is None or mean.rate is None:
            raise NotFound("no moment")
        r, value = mean.rate, d.kids(goal)[1]
        plain = a.loss_means.plain(facts)
        above, size = a.positive(r, plain), a.positive(value, plain)
        if above is None or size is None:
            raise NotFound("a sign is not known")
        iny, same = a.loss_means.finite(mean, None, facts)
        some = d.replace(a.prove(d.mk("lt", d.num(0), whole), facts), same)
        (body,) = d.kids(d.kids(goal)[0])
        lemma = "tail" if d.head(body) == "max" else f"mass {d.head(d.kids(body)[0])}"
        tails = a.loss_means.lemmas.at(lemma, (p, q, r, e), above, a.loss_means.null(
            mean.pair, facts), iny, some)
        bound, target = d.kids(d.claim(less))[1], d.mk("log", value)
        logs = [i for t in d.subterms(e) if d.head(t) == "log" and (
            i := a.logarithms.quotient(t, plain)) is not None]
        for tail in d.parts(tails):
            mine = d.replace(tail, d.turn(same))
            (power,) = d.kids(d.kids(d.claim(mine))[1])
            rest = d.sub(power, log)
            wanted = d.mk("le", d.add(bound, rest), target)
            try:
                small = (self._at_inverse(wanted, r, above, value, size)
                         if a.reader.read(r) == a.reader.read(d.mk("inv", value)) else
                         a.prove(wanted, [*plain, above, d.reciprocal(above)[0], *logs]))
            except (NotFound, NeedSplit) as failed:
                problem = failed
                continue
            order = d.do("arith", d.mk("le", power, target), [less, small], [
                [one, [0]], [one, [1]]])
            grown = d.onward(a.grows("le", power, target), order)
            whole_value = a.loss_means.lemmas.value(value, size)
            return d.do("arith", goal, [mine, grown, whole_value], [
                [one, [0]], [one, [1]], [one, [2]]])
        raise problem

    def _at_inverse(self, wanted: int, r: int, above: int, value: int, size: int) -> int:
        """r log r - (r + 1) log(r + 1) <= log d for r = 1/d, also beside what cancels: log(r + 1)
        is at least log r = -log d."""
        d, a, one = self.d, self.a, self.d.num(1)
        more = d.add(r, one)
        wide = d.do("arith", d.mk("lt", d.num(0), more), [above], [[one, []], [one, [0]]])
        values = a.loss_means.lemmas.value(r, above), a.loss_means.lemmas.value(more, wide)
        logs = d.mk("log", r), d.mk("log", more)
        order = a.loss_means.lemmas._ordered_logs(r, more, above, values)
        opposite = a.prove(d.mk("eq", logs[0], d.neg(d.mk("log", value))), [
            above, size, d.reciprocal(size)[0]])
        return d.do("arith", wanted, [order, above, opposite], [
            [one, [0, 1]], [one, [0]], [d.num(-1), [2]]])
