"""Three distributions of which two pairs have bounds for all orders: a sentence about the third
pair follows from the one that supposes these bounds at one order each.

Where R_t(A, B) <= a t and R_t(B, C) <= b t for all t > 1, the inequality of Hoelder bounds
R_q(A, C) by those of the orders q + s (q - 1) and q + q/s, for every s > 0.  That is least,
(sqrt a + sqrt b)^2 q, at s = sqrt(b/a): group privacy of concentrated differential privacy (Bun
and Steinke 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from lapdp.kernel import Bank
from lapdp.kernel.domain import domain
from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.channels import Way
from lapdp.proving.citing import parts
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.loss_mean_lemmas import Pair
from lapdp.proving.loss_means import Mean
from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Bounds:
    """For all t: R_t <= slope t for a pair, by a premise."""

    premise: int
    pair: Pair
    slope: Polynomial


def chained(b: Bank, goal: int) -> list[Way]:
    """The way to a sentence by its premises at two orders; none for other sentences."""
    premises, claim = parts(b, goal)
    every = [h for h in premises if b.rows[h][0] == "allR"]
    two = {x for x in b.letters[claim] if x[1] == "D"}
    all_ = {x for h in every for x in b.letters[h] if x[1] == "D"}
    if len(two) != 2 or len(all_) != 3 or not two < all_:
        return []

    def way(d: Derivation, prove: Callable[[Derivation, int], int]) -> int:
        return _at_orders(d, goal, prove)
    return [way]


def _at_orders(d: Derivation, goal: int, prove: Callable[[Derivation, int], int]) -> int:
    """The goal from the one with two instances in the place of what is supposed for all orders."""
    a = Prover(d)
    premises, claim = parts(d.b, goal)
    mine = next(_moments(a, d.subterms(claim)), None)
    if mine is None or mine.rate is None:
        raise NotFound("no moment in the claim")
    given = d.assume(d.conj(premises))
    kept = [d.taut(h, given) for h in premises if d.head(h) != "allR"]
    meanings = {domain(d.b, h) for h in premises}
    bounds = [x for h in premises if d.head(h) == "allR" and h not in meanings
              for x in _bounds(a, h)]
    first, second = _ends(bounds, mine.pair)
    s = _root(a, second.slope, first.slope)
    q = d.add(d.num(1), mine.rate)
    orders = [a.terms.term(a.reader.read(t), "R") for t in (
        d.add(q, d.mul(s, mine.rate)), d.add(q, d.mul(q, d.mk("inv", s))))]
    known = [*kept]
    for order, bound in zip(orders, (first, second), strict=True):
        above = _above_one(a, order, kept)
        known.append(above)
        at = d.inst(d.taut(bound.premise, given), order)
        if d.head(d.claim(at)) == "imp":
            at = d.mp(at, above)
        names = {d.b.rows[p][1:] for p in bound.pair}
        known += [i for i in d.parts(at) if {x for x in d.b.letters[d.claim(i)] if x[1] == "D"} <= {
            (str(n), str(sort)) for n, sort in names}]
    other = d.mk("imp", d.conj([d.claim(i) for i in known]), claim)
    made = d.mp(prove(d, other), d.both(*known))
    return d.taut(goal, d.disch(d.claim(given), made))


def _above_one(a: Prover, order: int, kept: Sequence[int]) -> int:
    """1 < t for an order t."""
    d = a.d
    plain = a.loss_means.plain(kept)
    goal = d.mk("lt", d.num(1), order)
    gap = d.sub(order, d.num(1))
    found = a.positive(gap, plain)
    if found is None:
        return a.prove(goal, plain)
    return d.do("arith", goal, [found], [[d.num(1), [0]]])


def _moments(a: Prover, terms: Sequence[int]) -> Iterator[Mean]:
    """Moments of whose logarithms terms speak."""
    for t in terms:
        if a.d.head(t) == "log" and not a.d.b.loose[t]:
            mean = a.loss_means.mean(*a.d.kids(t))
            if mean is not None and mean.rate is not None:
                yield mean


def _bounds(a: Prover, h: int) -> Iterator[Bounds]:
    """What a premise for all t says of R_t that is a multiple of t."""
    d = a.d
    name, t = d.fresh("R", "t")
    inside = d.b.open(d.kids(h)[0], t)
    ((atom, _),) = next(iter(a.reader.read(t)))
    for f in d.subterms(inside):
        if d.head(f) != "le" or d.b.loose[f] or d.b.sorts[d.kids(f)[0]] != "R":
            continue
        for pair in {m.pair for m in _moments(a, d.subterms(f))}:
            read = a.moment_tails.log_in(f, pair)
            if read is None or read[3] != a.reader.read(d.mk("inv", read[1])) or (
                    a.reader.read(d.add(d.num(1), read[1])) != a.reader.read(t)):
                continue
            slope = {tuple(x for x in m if x[0] != atom): c for m, c in read[2].items()}
            if all(dict(m).get(atom) == 1 for m in read[2]) and not any(
                    (name, "R") in d.b.letters[a.terms.term(slope, "R")] for _ in slope):
                yield Bounds(h, pair, slope)


def _ends(bounds: Sequence[Bounds], pair: Pair) -> tuple[Bounds, Bounds]:
    """The bounds of (a, b) and (b, c) for the pair (a, c)."""
    for first in bounds:
        for second in bounds:
            if (first.pair[0], second.pair[1]) == pair and first.pair[1] == second.pair[0]:
                return first, second
    raise NotFound("no pairs in a chain")


def _root(a: Prover, top: Polynomial, below: Polynomial) -> int:
    """sqrt(top/below)."""
    d = a.d
    if len(top) != 1 or len(below) != 1:
        if top == below and top:
            return d.num(1)
        raise NotFound("bounds without a quotient")
    ((m, c),), ((n, e),) = top.items(), below.items()
    powers = dict(m)
    for x, k in n:
        powers[x] = powers.get(x, Fraction(0)) - k
    number, left = Fraction(c) / Fraction(e), {x: k for x, k in powers.items() if k}
    roots = [isqrt(abs(k)) for k in (number.numerator, number.denominator)]
    if number > 0 and roots[0]**2 == number.numerator and roots[1]**2 == number.denominator and all(
            k % 2 == 0 for k in left.values()):
        whole = tuple(sorted((x, Fraction(k) / 2) for x, k in left.items() if k > 0))
        found = a.terms.term({whole: Fraction(*roots)}, "R")
        for x, k in left.items():
            if k < 0:
                t = a.terms.term({((x, 1),): 1}, "R")
                found = d.mul(found, *[d.mk("inv", t)] * int(-k // 2))
        return found
    one, two = (d.mk("sqrt", a.terms.term(f, "R")) for f in (top, below))
    return d.mul(one, d.mk("inv", two))


__all__ = ["chained"]
