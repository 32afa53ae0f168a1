"""A profile by the profile of the exchanged pair: oint max(0, p - z q) = 1 - z + z oint max(0,
q - y p) for y z = 1 and z > 0, proved once for all densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.profiles import Hinge

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_PAIRS = 6


class Reversal:
    """Equations between profiles of a pair and of the exchanged one, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._lemma: int | None = None

    def equations(self, goal: int, facts: Sequence[int]) -> list[int]:
        """h = 1 - z + z k for profiles of the goal and the facts that are exchanged so."""
        d, a = self.d, self.a
        hinges: dict[int, Hinge] = {}
        for f in (goal, *(d.claim(i) for i in facts)):
            if d.head(f) in ("eq", "le", "lt"):
                hinges.update({h.term: h for h in a.hypotheses.profiles.hinges(f)})
        found: list[int] = []
        done: set[int] = set()
        for h in hinges.values():
            for k in hinges.values():
                if (h.p, h.q) != (k.q, k.p) or {h.term, k.term} & done:
                    continue
                if times(a.reader.read(h.order), a.reader.read(k.order)) != {(): 1}:
                    continue
                try:
                    found.append(self.of(h, k, facts))
                    done |= {h.term, k.term}
                except (NotFound, NeedSplit):
                    continue
                if len(found) == MOST_PAIRS:
                    return found
        return found

    def of(self, h: Hinge, k: Hinge, facts: Sequence[int]) -> int:
        """h = 1 - z + z k, where the orders of h and k are z and 1/z."""
        d, a = self.d, self.a
        if self._lemma is None:
            self._lemma = self._proved()
        found = self._lemma
        for t in (h.p, h.q, h.order, k.order):
            found = d.inst(found, t)
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        premises = d.kids(d.claim(found))[0]
        found = d.mp(found, d.both(*(a.prove(c, plain) for c in d.kids(premises))))
        for hinge, term in zip((h, k), self._terms(h.p, h.q, h.order, k.order), strict=True):
            if hinge.term != term:
                found = d.replace(found, self.alike(term, hinge.term))
        return found

    def alike(self, s: int, t: int) -> int:
        """oint max(0, f) = oint max(0, g) for f and g that are the same sum."""
        d = self.d
        name, x = d.fresh("O", "x")
        f, g = (d.b.open(d.kids(u)[0], x) for u in (s, t))
        same = self.a.identity(d.mk("eq", d.kids(f)[1], d.kids(g)[1]), [])
        return d.under("oint", d.gen(name, "O", d.alike(f, same)))

    def _terms(self, p: int, q: int, z: int, y: int) -> tuple[int, int]:
        """The integrals of max(0, p - z q) and max(0, q - y p)."""
        d = self.d

        def hinge(first: int, second: int, order: int) -> int:
            x = d.b.bound(0, "O")
            f, g = (d.mk("dens", d.b.lift(m), x) for m in (first, second))
            return d.mk("oint", d.mk("max", d.num(0), d.sub(f, d.mul(d.b.lift(order), g))))

        return hinge(p, q, z), hinge(q, p, y)

    def _proved(self) -> int:
        """The lemma: for all densities p, q and numbers z, y."""
        d = self.d
        one, sorts = d.num(1), "DDRR"
        names, letters = zip(*(d.fresh(s, n) for s, n in zip(sorts, "pqzy", strict=True)),
                             strict=True)
        p, q, z, y = letters
        given = d.mk("and", d.mk("lt", d.num(0), z), d.mk("eq", d.mul(z, y), one))
        here, there = self._terms(p, q, z, y)
        goal = d.mk("eq", here, d.add(d.sub(one, z), d.mul(z, there)))
        found = d.disch(given, self.a.prove(goal, d.parts(d.assume(given))))
        for name, sort in zip(reversed(names), reversed(sorts), strict=True):
            found = d.gen(name, sort, found)
        return found
