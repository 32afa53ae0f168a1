"""Total variation below the mean loss and the affinity: Pinsker, Bretagnolle and Huber, Le Cam.

What holds of these numbers for every pair is in :mod:`lapdp.proving.variation_lemmas`.  Here a
goal about them is read, whichever way total variation is written, and proved with the numbers as
letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.loss_means import Mean
from lapdp.proving.variation_lemmas import VariationLemmas

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.space import Prover

MOST_INTEGRALS = 4
SQUARE: Polynomial = {(): Fraction(1)}
RATES: tuple[Polynomial, ...] = ({(): Fraction(-1, 2)}, SQUARE)
"""Of the affinity p e^(-y/2), and of p e^y, which is 1 more than the chi-squared divergence."""


class TotalVariation:
    """Derivations of such orders, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.lemmas = VariationLemmas(prover, prover.loss_means.lemmas)
        self.busy = False

    def is_order(self, goal: int) -> bool:
        """An order of two numbers, without the densities at one outcome, of which integrals say
        nothing?"""
        d = self.d
        return d.head(goal) in ("le", "lt") and d.b.sorts[d.kids(goal)[0]] == "R" and not any(
            d.head(t) == "dens" and not d.b.loose[t] for t in d.subterms(goal))

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """An inequality between total variation and means of the loss; None: another goal, or not
        found."""
        d, a = self.d, self.a
        if self.busy or not self.is_order(goal):
            return None
        whole = list(dict.fromkeys(self.integrals(goal)))
        means = {t: m for t in whole if (m := a.loss_means.mean(t)) is not None and (
            m.rate is None or a.reader.read(m.rate) in RATES)}
        others = [t for t in whole if t not in means]
        masses = {p for t in whole for p in a.masses(t)}
        bent = any(d.head(t) in ("exp", "sqrt") and any(True for _ in self.integrals(t))
                   for t in d.subterms(goal) if not d.b.loose[t])
        if not means or not (others or bent) or len(whole) > MOST_INTEGRALS or len(
                masses) != 2 or any(d.head(u) in ("log", "oint", "lint") for t in others
                                    for u in d.subterms(d.kids(t)[0])):
            return None
        pair = next((m.pair for m in means.values() if m.rate is None), next(
            iter(means.values())).pair)
        if any(m.rate is None and m.pair != pair for m in means.values()):
            return None
        self.busy = True
        try:
            known = [*self._about(pair, means, facts), *self._beside(pair, others, facts)]
            return self.with_letters(goal, [*known, *self._squares(goal, pair),
                                             *a.loss_means.plain(facts)])
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    def integrals(self, t: int) -> Iterator[int]:
        """The outermost integrals over the space."""
        if self.d.head(t) == "oint":
            yield t
            return
        for u in self.d.kids(t):
            yield from self.integrals(u)

    def _about(self, pair: Pair, means: dict[int, Mean], facts: Sequence[int]) -> list[int]:
        """What is known of T and of the means that occur."""
        d, a = self.d, self.a
        hinge, found = self.lemmas.variation(pair), []
        found += [a.prove(d.mk("le", d.num(0), hinge)), a.prove(d.mk("le", hinge, d.num(1)))]
        for m in means.values():
            if m.rate is None:
                given = a.loss_means.null(pair, facts), a.prove(
                    d.mk("oiny", *d.kids(m.whole)), facts)
                found += [i for name in ("pinsker", "bretagnolle huber")
                          for i in d.parts(self.lemmas.at(name, pair, *given))]
                continue
            if a.reader.read(m.rate) == SQUARE:
                iny, same = a.loss_means.finite(m, d.num(1), facts)
                less = self.lemmas.at("chi squared", m.pair, a.loss_means.null(m.pair, facts), iny)
                found += [d.replace(i, d.turn(same)) for i in d.parts(less)]
                if m.pair != pair:
                    found.append(a.prove(d.mk("eq", self.lemmas.variation(m.pair), hinge)))
                continue
            same = a.loss_means._as_power(m, [], d.num(Fraction(-1, 2)))
            equation = d.turn(d.under("oint", same))
            if m.pair != pair:
                found += d.parts(d.replace(self.lemmas.at("affinity", m.pair), equation))
                found.append(a.prove(d.mk("eq", self.lemmas.variation(m.pair), hinge)))
                continue
            found += [d.replace(i, equation) for i in d.parts(self.lemmas.at("affinity", pair))]
        return found

    def _beside(self, pair: Pair, others: Sequence[int], facts: Sequence[int]) -> list[int]:
        """How the other integrals are made of T, or bounded by it."""
        d, a, found = self.d, self.a, list[int]()
        hinge = self.lemmas.variation(pair)
        for t in others:
            values = (hinge, d.mul(d.num(2), hinge), d.sub(d.num(1), hinge))
            for value in values if t != hinge else ():
                try:
                    found.append(a.prove(d.mk("eq", t, value)))
                    break
                except (NotFound, NeedSplit):
                    continue
            else:
                for other in others if t != hinge else ():
                    if other != t:
                        found.append(a.prove(d.mk("le", d.sub(t, other), hinge), facts))
        return found

    def _squares(self, goal: int, pair: Pair) -> list[int]:
        """0 <= (l - T)^2 for letters l of the goal: what holds for all l holds at T."""
        d = self.d
        letters = [t for t in d.subterms(goal) if d.head(t) == "v" and d.b.sorts[t] == "R"]
        gaps = [d.sub(t, self.lemmas.variation(pair)) for t in letters[:MOST_INTEGRALS]]
        return [self.lemmas._square(t) for t in gaps]

    def with_letters(self, goal: int, known: Sequence[int]) -> int:
        """The goal from the facts, the integrals in them taken for letters."""
        d, a = self.d, self.a
        whole = list(dict.fromkeys(t for f in (goal, *map(d.claim, known))
                                   for t in self.integrals(f)))
        return with_letters(a, goal, known, whole)
