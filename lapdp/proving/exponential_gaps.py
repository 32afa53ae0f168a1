"""How far two exponentials are apart: e^(s - t) >= 1 + s - t, where a claim compares s - t itself.

So delta(x) - delta(y) <= y - x for x <= y: where e^x q < p <= e^y q,

    p - e^x q <= p - e^(x - y) p <= (y - x) p,

and where e^y q < p the difference is (e^y - e^x) q, at most (y - x) e^y q.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_EXPONENTS = 3


class ExponentialGaps:
    """Adds such tangents to what is known, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal by tangents at differences of its exponents; None: another goal, or not found.
        """
        d, a = self.d, self.a
        if self.busy or d.head(goal) not in ("le", "lt") or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        plain = {letter for m in gap for x, _ in m
                 if not a._speaks(t := a.terms.term({((x, 1),): 1}, "R"))
                 and "exp" not in d.symbols(t) for letter in d.b.letters[t]}
        exponents = list(dict.fromkeys(
            d.kids(t)[0] for t in d.subterms(goal) if d.head(t) == "exp" and not d.b.loose[t]
            and d.b.letters[t] and d.b.letters[t] <= plain and d.b.sorts[t] == "R"))
        if not 2 <= len(exponents) <= MOST_EXPONENTS:
            return None
        known = list(facts)
        for s, t in permutations(exponents, 2):
            step = d.sub(s, t)
            size = d.mk("exp", step)
            known += [d.law("exp above tangent", d.mk("le", d.add(d.num(1), step), size), step),
                      d.law("exp positive", d.mk("lt", d.num(0), size), step)]
        self.busy = True
        try:
            return a.prove(goal, known)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False


__all__ = ["ExponentialGaps"]
