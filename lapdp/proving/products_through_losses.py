"""The profile of a product through the loss of one factor: at e it is the integral of p delta(e -
z) over the outcomes of the factor with finite loss z, and the mass of its infinite loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.continuous_factors import PROFILE
from lapdp.proving.hinges import Hinges
from lapdp.proving.profile_quotients import FINITE

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

PRODUCT = """oint(x, oint(y, max(0, dens(a, x) * dens(p, y) - exp(e) * (dens(b, x) * dens(q, y)))))
"""
LOST = "case(q == 0, p, 0)"
INSIDE = "max(0, a * p - exp(e) * (b * q))"
SCALED = f"0 < p; exp(z) * q == p; t == e - z => {INSIDE} == p * max(0, a - exp(t) * b)"
NO_Q = f"q <= 0; 0 <= q; 0 <= p; 0 <= a => {INSIDE} == p * a"
NO_P = f"p <= 0; 0 <= p; 0 <= q; 0 <= b; 0 < exp(e) => {INSIDE} == 0"


class ThroughLosses:
    """Finds these equations, for a :class:`Prover`."""

    def __init__(self, prover: Prover, hinges: Hinges) -> None:
        self.a, self.d, self.h = prover, prover.d, hinges
        self.made: dict[int, int] = {}

    def pairs(self, t: int) -> dict[str, int] | None:
        """The pairs a, b and p, q and the point e of the profile of a product; or None."""
        d = self.d
        if d.head(t) != "oint" or d.b.loose[t] or d.head(d.kids(t)[0]) != "oint":
            return None
        densities = [d.kids(o)[0] for o in d.subterms(t) if d.head(o) == "dens"]
        powers = [d.kids(e)[0] for e in d.subterms(t) if d.head(e) == "exp"]
        if len(densities) != 4 or len(powers) != 1 or d.b.loose[powers[0]]:
            return None
        names = dict(zip("apbq", densities, strict=True), e=powers[0])
        return names if t == self.h.say(PRODUCT, **names) else None

    def laws(self, t: int) -> list[int]:
        """The equation for the profile of a product of two pairs; none for other terms."""
        names = self.pairs(t)
        if names is None:
            return []
        if t not in self.made:
            self.made[t] = self._law(t, names)
        return [self.made[t]]

    def _law(self, t: int, names: dict[str, int]) -> int:
        d, a, h = self.d, self.a, self.h
        (xname, x), (yname, y) = d.fresh("O", "x"), d.fresh("O", "y")
        at = {"a": d.mk("dens", names["a"], x), "b": d.mk("dens", names["b"], x),
              "p": d.mk("dens", names["p"], y), "q": d.mk("dens", names["q"], y), "e": names["e"]}
        inside = h.say(INSIDE, **at)
        above = dict(zip((u for u in d.subterms(inside) if d.head(u) == "dens"),
                         a._positive(inside), strict=True))
        # the other order
        over_y = d.b.abstract(inside, yname, "O")
        each = a.prove(d.mk("oiny", over_y), [above[at["a"]], above[at["b"]]])
        size = d.mk("abs", inside)
        same = h.law("=> abs(max(0, w)) == max(0, w)", w=d.kids(inside)[1])
        rim = d.under("oint", d.gen(yname, "O", same))
        outer = a.prove(d.mk("oiny", d.kids(t)[0]))
        absolutely = d.taut(d.mk("oiny", d.b.abstract(d.mk("oint", d.b.abstract(
            size, yname, "O")), xname, "O")), d.under("oiny", d.gen(xname, "O", rim)), outer)
        inner = d.mk("oint", d.b.abstract(inside, xname, "O"))
        turned = d.mk("oint", d.b.abstract(inner, yname, "O"))
        _, equal = d.parts(d.do("swap", d.conj([d.mk("oiny", *d.kids(turned)), d.mk(
            "eq", t, turned)]), [d.gen(xname, "O", each), absolutely]))
        # at an outcome of the factor
        z = h.say("log(p) - log(q)", **at)
        place = h.say("e - z", e=names["e"], z=z)
        f = h.say(PROFILE, p=names["a"], q=names["b"], t=place)
        parts = [h.say(text, f=f, **at) for text in (FINITE, LOST)]
        target = d.add(*parts)
        value = self._value(target, at, above, (xname, x), z, place)
        integral = d.under("oint", d.gen(yname, "O", value))
        inys = [a.prove(d.mk("oiny", d.b.abstract(part, yname, "O"))) for part in parts]
        _, total = h.added(*inys)
        return d.chain(equal, integral, total)

    def _value(self, target: int, at: dict[str, int], above: dict[int, int],
               x: tuple[str, int], z: int, place: int) -> int:
        """The inner integral is p delta(e - z), or p where q = 0, by cases of the densities."""
        d, a, h = self.d, self.a, self.h
        conditions = [h.say(text, **at) for text in ("0 < p", "0 < q")]
        given = [d.assume(c) for c in conditions]
        # both positive
        scale = a.prove(h.say("exp(z) * q == p", z=z, **at), given)
        law = h.law(SCALED, given[0], scale, d.refl(place), t=place, z=z, **at)
        body = d.b.abstract(d.kids(d.kids(d.claim(law))[1])[1], x[0], "O")
        _, scaled = h.scaled(at["p"], a.prove(d.mk("oiny", body)))
        first = d.chain(d.under("oint", d.gen(x[0], "O", law)), scaled)
        sides = [self._like(first, target, given)]
        # one is not
        p, q = above[at["p"]], above[at["q"]]
        low = d.opposite(d.assume(d.mk("not", conditions[1])))
        law = h.law(NO_Q, low, q, p, above[at["a"]], **at)
        mass, one = d.parts(a.mass_one(d.b.abstract(at["a"], x[0], "O")))
        _, scaled = h.scaled(at["p"], mass)
        found = d.chain(d.under("oint", d.gen(x[0], "O", law)), scaled)
        sides.append(self._like(d.chain(found, d.alike(d.kids(d.claim(found))[1], one)), target,
                                [low, p, q]))
        low = d.opposite(d.assume(d.mk("not", conditions[0])))
        law = h.law(NO_P, low, p, q, above[at["b"]], a.prove(h.say("0 < exp(e)", e=at["e"])), **at)
        found = d.chain(d.under("oint", d.gen(x[0], "O", law)), d.parts(a.nothing("oint", "R"))[1])
        sides.append(self._like(found, target, [low, p, q]))
        return d.split(conditions[0], d.split(conditions[1], sides[0], sides[1]), sides[2])

    def _like(self, found: int, target: int, facts: Sequence[int]) -> int:
        """The integral is the target, the value of its other parts taken for a number."""
        d = self.d
        value = d.kids(d.claim(found))[1]
        wholes = [o for o in d.subterms(target) if d.head(o) == "oint" and not d.b.loose[o]]
        name, letter = d.fresh("R", "f")
        shape = d.mk("eq", value, target)
        for o in wholes:
            shape = d.b.open(d.hole(shape, o), letter)
        general = d.gen(name, "R", self.a.prove(shape, facts))
        return d.chain(found, d.inst(general, wholes[0]))

