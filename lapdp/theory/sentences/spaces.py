"""Sample spaces: densities at an outcome, and integrals over the outcomes.

An arbitrary pair has letters of sort D on the one space of outcomes; a finite mechanism has the
list of its masses, over which an integral is a finite sum; a continuous one two densities on the
line.  A product has a coordinate for each factor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.kernel.terms import Bank
from lapdp.privacy.families import Averaged, Composed, Conditional, Family, Joint
from lapdp.privacy.nodes import Distribution, PairOf, mechanism_pair
from lapdp.theory.sentences.mechanisms import Finite, Line, parts_of_mechanism
from lapdp.theory.sentences.recursions import Solution, index, recursion
from lapdp.theory.sentences.scope import NotSaid
from lapdp.theory.sentences.terms import Terms

MOST_OUTCOMES = 300


@dataclass(frozen=True)
class Place:
    """One coordinate of an outcome: the density of each side there, and the outcome itself where
    it is one of the arbitrary space."""

    density: Callable[[int], int]
    outcome: int | None = None


Outcome = tuple[Place, ...]


def flat(identity: PairOf) -> tuple[PairOf, ...]:
    """The pairs of which a product, or a composition of so many releases, is made."""
    if identity.factors:
        if any(isinstance(f.role, Family) for f in identity.factors):
            raise NotSaid("a product with a member of a family")
        return tuple(a for f in identity.factors for a in flat(f))
    role = identity.role
    if role is None or isinstance(role, (Averaged, Family)) or (
            isinstance(role, Conditional) and role.outcome is None):
        return (identity,)
    if isinstance(role, Joint) and isinstance(role.second.role, Family):
        (first,) = flat(role.first)
        if first.mechanism is None and first.role is None:
            return (first, role.second)
        raise NotSaid("a family over the outcomes of a mechanism")
    if isinstance(role, Composed) and role.index.is_Integer and 0 < role.index <= 6:
        made = role.composition
        if made.each is not None:
            return flat(made.each[0].pair) * int(role.index)
        if made.mechanism is not None or made.independent:
            releases = (made.release(i) for i in range(1, int(role.index) + 1))
            return tuple(a for first, _ in releases for a in flat(first.pair))
    if isinstance(role, Composed) and not role.index.is_Integer and (
            role.composition.each is not None or role.composition.mechanism is not None):
        return (identity,)
    raise NotSaid(f"a pair of role {type(role).__name__}")


class Space:
    """The space that some distributions live on: of one pair, or of independent ones."""

    def __init__(self, e: Terms, distributions: set[Distribution]) -> None:
        self.e = e
        pairs = {id(d.pair): d.pair for d in distributions}
        if not pairs:
            raise NotSaid("an integral over no space")
        ordered = sorted(pairs.values(), key=lambda p: (-len(flat(p)), str(p.name)))
        self.widest = ordered[0]
        atoms = list(flat(self.widest))
        twice = len(set(map(id, atoms))) < len(atoms)
        for p in ordered[1:]:
            known = [any(a is x for x in atoms) for a in flat(p)]
            if twice or (any(known) and not all(known)):
                raise NotSaid("pairs that share some factors")
            atoms += [] if all(known) else flat(p)
        if len(atoms) > 1 and any(isinstance(p.role, Family) for p in pairs.values()):
            raise NotSaid("a family at one outcome beside other pairs")
        self.coordinates = [(a, part) for a in atoms for part in self._parts(a)]
        size = 1
        for _, part in self.coordinates:
            size *= len(part.rows) if isinstance(part, Finite) else 1
        if size > MOST_OUTCOMES:
            raise NotSaid(f"more than {MOST_OUTCOMES} outcomes")

        if len(self.coordinates) > 1 and any(self._long(a) for a in atoms):
            raise NotSaid("a composition of symbolic length beside other pairs")

    def _long(self, atom: PairOf) -> bool:
        """Is it a composition of symbolic length?"""
        return isinstance(atom.role, Composed) and not atom.role.index.is_Integer

    def _parts(self, atom: PairOf) -> list[Any]:
        if id(atom) in self.e.masses:
            return [Finite(tuple((self.e.term(p), self.e.term(q))
                                 for p, q in self.e.masses[id(atom)]))]
        return [None] if atom.mechanism is None else parts_of_mechanism(self.e, atom.mechanism)

    @property
    def plain(self) -> bool:
        """Is it the one arbitrary space, which has events?"""
        return [part for _, part in self.coordinates] == [None]

    def over(self, kind: str, build: Callable[[Outcome], int]) -> int:
        """The integral (``int``) or the conjunction (``all``), over all outcomes, of what ``build``
        makes of one."""
        if self._long(self.widest):
            return self._releases(kind, build)
        line, space = ("lint", "oint") if kind == "int" else ("allR", "allO")

        def over(k: int, outcome: Outcome) -> int:
            if k == len(self.coordinates):
                return build(outcome)
            atom, part = self.coordinates[k]
            if isinstance(part, Finite):
                found = [over(k + 1, (*outcome, Place(row.__getitem__))) for row in part.rows]
                return int(self.e.total(found)) if kind == "int" else self.e.every(*found)
            if isinstance(part, Line):
                return self.e.bind(line, "R", lambda x: over(
                    k + 1, (*outcome, Place(lambda side: part.density(side, x)))))
            earlier = outcome[-1].outcome if outcome else None
            return self.e.bind(space, "O", lambda x: over(
                k + 1, (*outcome, Place(lambda side: self.e.b.make(
                    "dens", member(self.e, atom, side, earlier), x), x))))

        return over(0, ())

    def _releases(self, kind: str, build: Callable[[Outcome], int]) -> int:
        """The integral over so many releases of h(p, q), p and q being the products of their
        densities: V_n(1, 1) where V_0 = h and V_{i + 1}(a, b) is the integral of V_i(a p, b q) over
        release i + 1.  By Tonelli it converges where the one of |h| does so, step by step."""
        e, role = self.e, self.widest.role
        if kind != "int":
            raise NotSaid("a relation at every outcome of a composition")

        def start(p: int, q: int) -> int:
            return build((Place((p, q).__getitem__),))

        def step(i: int, p: int, q: int, before: Solution) -> int:
            number = sp.Dummy("i", integer=True, positive=True)
            with e.where({number: e.say("i + 1", i=i)}):
                members = role.composition.release(number)
                release = Space(e, set(members))
                return release.over("int", lambda outcome: before(i, *(
                    e.b.make("mul", t, release.density(d, outcome))
                    for t, d in zip((p, q), members, strict=True))))

        def positive(_: int, p: int, q: int) -> int:
            return e.say("0 <= p and 0 <= q", p=p, q=q)

        signed = False

        def size(p: int, q: int) -> int:
            nonlocal signed
            value = start(p, q)
            signed = not nonnegative(e.b, value, {p, q})
            return e.b.make("abs", value) if signed else value

        n, one = index(e, role.index), e.b.number(1)
        found = recursion(e, "V", 2, size, step, positive)
        if signed:
            found = recursion(e, "V", 2, start, step, positive, meant=False)
        return found(n, one, one)

    def density(self, d: Distribution, outcome: Outcome) -> int:
        """The density of a member of a pair at an outcome: a product over its coordinates."""
        if d.pair is self.widest:
            own = flat(d.pair)
            places = list(range(sum(len(self._parts(a)) for a in own)))
        else:
            places = [k for k, (a, _) in enumerate(self.coordinates)
                      if any(a is x for x in flat(d.pair))]
        return self.e.product([outcome[k].density(d.side) for k in places])


def nonnegative(b: Bank, t: int, known: set[int]) -> bool:
    """Is a term >= 0 by its form, where the known ones are?"""
    row, kids = b.rows[t], b.children(t)
    if row[0] in ("if", "add", "mul"):
        return all(nonnegative(b, k, known) for k in kids[-2:]) or (
            row[0] == "mul" and kids[0] == kids[1] and b.sorts[t] == "R")
    return t in known or row[0] in ("exp", "abs") or (row[0] == "n" and int(str(row[1])) >= 0) or (
        row[0] == "max" and any(nonnegative(b, k, known) for k in kids))


def member(e: Terms, atom: PairOf, side: int, earlier: int | None = None) -> int:
    """The letter of a member of an arbitrary pair; of a family, at the outcome before, in a joint
    pair, or at its own."""
    if isinstance(atom.role, Averaged) and (id(atom), side) not in e.letters:
        e.given.append(_mean(e, atom, side))
    if not isinstance(atom.role, Family):
        return e.letter((id(atom), side), atom.names[side], "D")
    x = atom.role.outcome
    if earlier is None:
        earlier = e.bound[x] if x in e.bound else e.letter((type(x), x), x.name, "O")
    return e.b.make("given", e.letter((id(atom), side), atom.names[side], "H"), earlier)


def _mean(e: Terms, atom: PairOf, side: int) -> int:
    """A member is the mean of those of its family: M(S) is the integral of M^x(S) for all S."""
    family, make = atom.role.family, e.b.make
    whole = e.letter((id(atom), side), atom.names[side], "D")
    law = e.letter(("law", family.role.outcome), f"law_{family.role.outcome}", "D")

    def mass(p: int, s: int) -> int:
        return e.bind("oint", "O", lambda y: make(
            "if", make("in", y, s), make("dens", p, y), e.b.number(0)))

    def weighed(x: int, s: int) -> int:
        return make("mul", make("dens", law, x), mass(member(e, family, side, x), s))
    return e.bind("allS", "S", lambda s: make("eq", mass(whole, s), e.bind(
        "oint", "O", lambda x: weighed(x, s))))


__all__ = ["Outcome", "Place", "Space", "flat", "mechanism_pair", "member"]
