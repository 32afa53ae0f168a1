"""Theorems of the kernel at random finite pairs: false for certain, true there, or not reached.

A quantifier over numbers is sampled: a sample can refute "for all" and confirm "there is", never
the other way round.
"""

from __future__ import annotations

from fractions import Fraction

from mpmath import mp

from tests.oracle import finite, reals
from tests.oracle.reals import Unclear, Undefined
from tests.oracle.terms import Interpreter

VALUES = [Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (2, 1), (1, 2), (3, 2), (-2, 1),
                                      (1, 3), (3, 1))]
FUNCTIONS = [lambda x: x, lambda x: Fraction(1), lambda x: reals.mul(x, x)]
INSTANCES = 6


class Judge(Interpreter):
    """Formulas as pairs: certainly true, possibly true."""

    def both(self, t, bound=()):
        """(certain, possible) of a formula."""
        symbol, *args = self.b.rows[t]
        if symbol == "not":
            certain, possible = self.both(args[0], bound)
            return not possible, not certain
        if symbol in ("and", "or", "imp", "iff"):
            (a, b), (c, d) = self.both(args[0], bound), self.both(args[1], bound)
            if symbol == "imp":
                return not b or c, not a or d
            if symbol == "iff":
                return (a and c) or not (b or d), not ((a and not d) or (c and not b))
            return (a and c, b and d) if symbol == "and" else (a or c, b or d)
        if symbol[:-1] in ("all", "ex") and symbol != "exp":
            return self._quantified(symbol, args[0], bound)
        try:
            found = bool(self.of(t, bound))
        except (Undefined, Unclear, ZeroDivisionError, TypeError, OverflowError):
            return False, True
        return found, found

    def _quantified(self, symbol, body, bound):
        sort = symbol[-1]
        finite_sort = sort in "OS"
        values = (range(self.points) if sort == "O" else self._events() if sort == "S"
                  else self.samples if sort == "R" else ())
        found = [self.both(body, (*bound, x)) for x in values]
        if symbol.startswith("all"):
            return finite_sort and all(c for c, _ in found), all(p for _, p in found)
        return any(c for c, _ in found), not finite_sort or any(p for _, p in found)

    def _allR(self, bound, body):
        raise Unclear("all numbers, inside a term")

    _exR = _allR


def letters(rng, bank, formulas, pair):
    """Values for the free letters of formulas."""
    p, q = pair
    masses = [p, q]
    found = {}
    for name, sort in sorted(frozenset().union(*(bank.letters[f] for f in formulas))):
        if sort == "R":
            ratios = [x / y for x, y in zip(p, q, strict=True) if x and y]
            found[name] = rng.choice([*VALUES, *map(reals.log, ratios)])
        elif sort == "D":
            if not masses:
                masses = list(finite.random_pair(rng, size=len(p)))
            found[name] = masses.pop(0)
        elif sort == "S":
            found[name] = frozenset(x for x in range(len(p)) if rng.random() < 0.5)
        elif sort == "O":
            found[name] = rng.randrange(len(p))
        elif sort == "C":
            found[name] = mp.mpc(rng.choice((0, 1, 2, -1)), rng.choice((0, 1, -1)))
        elif sort in "GJ":
            function = rng.choice(FUNCTIONS)
            found[name] = function if sort == "G" else lambda i, x, y, f=function: f(x)
        else:
            found[name] = rng.random() < 0.5
    return found


def verdict(rng, bank, theorem):
    """true (at some instance for certain or as far as samples go), unclear, or FALSE."""
    formulas = [*theorem.hyps, theorem.claim]
    seen = "unclear"
    for _ in range(INSTANCES):
        pair = finite.random_pair(rng)
        judge = Judge(bank, len(pair[0]), letters(rng, bank, formulas, pair),
                      samples=rng.sample(VALUES, 4))
        given = [judge.both(h) for h in theorem.hyps]
        certain, _ = judge.both(theorem.claim)
        if fails(judge, theorem):
            return "FALSE"
        if certain or not all(p for _, p in given) or _sampled(judge, theorem.claim):
            seen = "true"
    return seen


def fails(judge, theorem):
    """Do all hypotheses hold for certain, and the claim not, by more digits too?"""
    def here(digits):
        with mp.workdps(digits):
            return not judge.both(theorem.claim)[1] and all(
                judge.both(h)[0] for h in theorem.hyps)
    return here(mp.dps) and here(4 * mp.dps)


def _sampled(judge, claim):
    """Is a claim for all numbers true at the samples?"""
    symbol, *args = judge.b.rows[claim]
    if symbol == "allR":
        return all(judge.both(args[0], (x,))[0] for x in judge.samples)
    if symbol == "imp":
        return not judge.both(args[0])[1] or _sampled(judge, args[1])
    if symbol == "and":
        return all(judge.both(a)[0] or _sampled(judge, a) for a in args)
    return judge.both(claim)[0]
