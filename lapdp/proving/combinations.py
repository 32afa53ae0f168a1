"""Which multiples of facts about integrals, added up, give an inequality.

A fact ``F <= c`` with c free of integrals bounds what is c times a factor on the larger side of the
goal: of ``s <= d + exp(e) d`` each term is a factor, 1 or exp(e), times the d of some fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, ratio
from lapdp.proving.derivation import NotFound
from lapdp.proving.items import whole_quotient

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_FACTS = 8
MOST_MATCHED = 40
Chosen = list[tuple[int, Polynomial]]
"""Facts and the factors >= 0 that they are multiplied by; of equations the factors may be any."""


class Combinations:
    """Candidates for such multiples, and the sum once what is left is proved."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def of(self, formulas: Sequence[int], speaking: Sequence[int]) -> Iterator[Chosen]:
        """Candidates: what matches term by term; one fact, two, one with an exponential factor that
        occurs in the goal, the first of the formulas.  What they speak of in common comes first."""
        d = self.d
        goal = formulas[0]
        yield from islice(self._matched(goal, speaking), MOST_MATCHED)
        atoms = set[int]().union(*map(self.integrals, formulas))
        near = sorted(speaking, key=lambda i: -len(atoms & self.integrals(d.claim(i))))
        near = near[:MOST_FACTS]
        one: Polynomial = {(): 1}
        minus: Polynomial = {(): -1}
        signed: Chosen = [(i, f) for i in near for f in (
            [one, minus] if d.head(d.claim(i)) == "eq" else [one])]
        for pair in signed:
            yield [pair]
        exponentials = [t for t in d.subterms(goal) if d.head(t) == "exp" and not d.b.loose[t]
                        and d.b.sorts[t] == "R"][:2]
        scaled = [(i, self.a.reader.read(t)) for i in near for t in exponentials]
        for pair in scaled:
            yield [pair]
        for two in combinations(signed + scaled, 2):
            if two[0][0] != two[1][0]:
                yield list(two)

    def integrals(self, formula: int) -> set[int]:
        """The integrals over the space that occur, closed."""
        d = self.d
        return {t for t in d.subterms(formula) if d.head(t) == "oint" and not d.b.loose[t]}

    def _matched(self, goal: int, speaking: Sequence[int]) -> Iterator[Chosen]:
        """Each term c m of the larger side as a factor times the bound of a fact F <= c' m'."""
        d, a = self.d, self.a
        _, t = d.kids(goal)
        if d.head(goal) not in ("le", "lt") or a._speaks(t):
            return
        bounds = []
        for i in dict.fromkeys(speaking):
            low, high = d.kids(d.claim(i))
            if d.head(d.claim(i)) in ("le", "lt") and a._speaks(low) and not (
                    a._speaks(high) or a.suprema.of(low)):
                f = a.reader.read(high)
                if len(f) == 1:
                    bounds.append((i, *next(iter(f.items()))))
        ways = []
        for m, c in a.reader.read(t).items():
            fitting = [(i, {quotient: ratio(c, scale)}) for i, n, scale in bounds
                       if (quotient := whole_quotient(m, n)) is not None and ratio(c, scale) > 0
                       and {*a.terms.exponential_part(quotient)} == {*quotient}]
            ways += [fitting] if fitting else []
        yield from (list(found) for found in product(*ways) if found)

    def added(self, goal: int, found: int, chosen: Chosen) -> int:
        """The goal from the theorem about what is left, and the multiples of the facts."""
        d, a = self.d, self.a
        premises, parts = [found], [[d.num(1), [0]]]
        for i, factor in chosen:
            premises.append(i)
            t = a.terms.term(factor, "R")
            if d.head(d.claim(i)) == "eq" or d.head(t) == "n":
                parts.append([t, [len(premises) - 1]])
                continue
            ((m, c),) = factor.items()
            e = a.terms.term({m: 1}, "R")
            premises.append(self._positive(e))
            parts.append([d.num(c), [len(premises) - 2, len(premises) - 1]])
        return d.do("arith", goal, premises, parts)

    def _positive(self, e: int) -> int:
        """0 < e for an exponential.  Raises :class:`NotFound`."""
        d = self.d
        if d.head(e) != "exp":
            raise NotFound("a factor that is no exponential")
        return d.law("exp positive", d.mk("lt", d.num(0), e), *d.kids(e))
