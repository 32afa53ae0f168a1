"""Sample spaces: densities at an outcome, and integrals over the outcomes.

An arbitrary pair has letters of sort D on the one space of outcomes; a finite mechanism has the
list of its masses, over which an integral is a finite sum; a continuous one two densities on the
line.  A product has a coordinate for each factor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import sympy as sp

from lapdp.kernel.terms import Bank
from lapdp.privacy.families import (
    Averaged,
    Composed,
    Composition,
    Conditional,
    Family,
    Joint,
    composition,
)
from lapdp.privacy.nodes import Distribution, PairOf
from lapdp.privacy.operations import Power
from lapdp.theory.sentences.mechanisms import MOST_COPIES, Finite, Line, parts_of_mechanism
from lapdp.kernel.recursions import Solution, recursion
from lapdp.theory.sentences.terms import index
from lapdp.kernel.saying import NotSaid, refuse
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
    refuse(any(map(varies, identity.factors or ())), "a product with a member of a family")
    if identity.factors:
        return tuple(a for f in identity.factors for a in flat(f))
    match identity.role:
        case None | Averaged() | Family() | Conditional():
            return (identity,)
        case Joint(first, second) if isinstance(second.role, Family) and [
                (a.mechanism, a.role) for a in flat(first)] == [(None, None)]:
            return (*flat(first), second)
        case Composed(made, n):
            if is_long(identity):
                return (identity,)
            refuse(not 0 < n <= 6, "so many releases")
            return flat(made.each[0].pair) * int(n) if made.each is not None else tuple(
                a for i in range(1, int(n) + 1) for a in flat(made.release(i)[0].pair))
    raise NotSaid(f"a pair of role {type(identity.role).__name__}")


def is_long(atom: PairOf) -> bool:
    """Is it a composition of symbolic length, or of releases chosen by the outcomes before?"""
    return isinstance(atom.role, Composed) and (
        not atom.role.index.is_Integer or (is_open(made := atom.role.composition)
                                           and not made.independent))


def many(e: Terms, made: Any) -> bool:
    """Is it a power with too many outcomes, or copies, to be written out?"""
    return isinstance(made, Power) and (made.count > MOST_COPIES or outcomes(
        parts_of_mechanism(e, made.pair)) ** made.count > MOST_OUTCOMES)


def outcomes(parts: Iterable[Any]) -> int:
    """How many outcomes do all finite ones have together?"""
    return prod(len(part.rows) for part in parts if isinstance(part, Finite))


def is_open(made: Composition) -> bool:
    """Is each release an arbitrary pair of its own?"""
    return made.each is None and made.mechanism is None


def varies(atom: PairOf) -> bool:
    """Is there a pair for each outcome before?"""
    return isinstance(atom.role, Family) or (
        isinstance(atom.role, Conditional) and atom.role.outcome is not None)


class Space:
    """The space that some distributions live on: of one pair, or of independent ones."""

    def __init__(self, e: Terms, distributions: set[Distribution]) -> None:
        self.e = e
        pairs = {id(d.pair): d.pair for d in distributions}
        refuse(not pairs, "an integral over no space")
        self.widest, *others = sorted(pairs.values(), key=lambda p: (-len(flat(p)), str(p.name)))
        atoms = list(flat(self.widest))
        twice = len(set(map(id, atoms))) < len(atoms)
        for p in others:
            known = [any(a is x for x in atoms) for a in flat(p)]
            refuse(twice or (any(known) and not all(known)), "pairs that share some factors")
            atoms += [] if all(known) else flat(p)
        refuse(len(atoms) > 1 and any(map(varies, pairs.values())),
               "a family at one outcome beside other pairs")
        made, self.role = self.widest.mechanism, self.widest.role
        if many(e, made):
            self.role = Composed(composition(mechanism=lambda _: made.pair), sp.Integer(made.count))
        self.long = any(is_long(a) or many(e, a.mechanism) for a in atoms)
        refuse(self.long and len(atoms) > 1, "a long composition beside other pairs")
        self.coordinates = [(a, part) for a in atoms for part in self._parts(a)]
        refuse(outcomes(part for _, part in self.coordinates) > MOST_OUTCOMES,
               f"more than {MOST_OUTCOMES} outcomes")

    def _parts(self, atom: PairOf) -> Sequence[Any]:
        if id(atom) in self.e.masses:
            return [Finite(tuple((self.e.term(p), self.e.term(q))
                                 for p, q in self.e.masses[id(atom)]))]
        return [None] if self.long or atom.mechanism is None else parts_of_mechanism(
            self.e, atom.mechanism)

    @property
    def plain(self) -> bool:
        """Is it the one arbitrary space, which has events?"""
        return not self.long and [part for _, part in self.coordinates] == [None]

    def over(self, kind: str, build: Callable[[Outcome], int]) -> int:
        """The integral (``int``) or the conjunction (``all``), over all outcomes, of what ``build``
        makes of one."""
        e = self.e
        if self.long:
            refuse(kind != "int", "a relation at every outcome of a composition")
            return self._releases(build)

        def over(outcome: Outcome) -> int:
            if len(outcome) == len(self.coordinates):
                return build(outcome)
            atom, part = self.coordinates[len(outcome)]
            if isinstance(part, Finite):
                found = [over((*outcome, Place(row.__getitem__))) for row in part.rows]
                return e.total(found) if kind == "int" else e.every(*found)
            if isinstance(part, Line):
                return e.bind("lint" if kind == "int" else "allR", lambda x: over(
                    (*outcome, Place(part.densities(x).__getitem__))))
            earlier = outcome[-1].outcome if outcome else None
            return e.bind("oint" if kind == "int" else "allO", lambda x: over(
                (*outcome, Place(lambda side: e.say(
                    "dens(d, x)", d=member(e, atom, side, earlier), x=x), x))))

        return over(())

    def _releases(self, build: Callable[[Outcome], int]) -> int:
        """The integral over so many releases of h(p, q), p and q being the products of their
        densities: V_n(1, 1) where V_0 = h and V_{i + 1}(a, b) is the integral of V_i(a p, b q) over
        release i + 1.  By Tonelli it converges where the one of |h| does so, step by step.

        Of releases chosen by a history h: V_n(1, 1, 1, root), V_{i + 1}(j, a, b, h) being the
        integral of V_i(j + 1, a p, b q, then(h, x)) over the outcome x of release j after h."""
        e, role = self.e, self.role
        made, one = role.composition, e.b.number(1)
        chosen = is_open(made)
        begin = (one, one, one, root(e, made)) if chosen else (one, one)
        solved = partial(
            recursion, e, "V", len(begin) - chosen, history=chosen,
            within=lambda _, *at: e.say("0 <= p and 0 <= q", p=at[chosen], q=at[chosen + 1]))

        def start(*at: int) -> int:
            return build((Place(at[chosen:].__getitem__),))

        def step(v: Solution, i: int, *at: int) -> int:
            if chosen:
                j, p, q, h = at
                f, g = (stage(e, made, k, j, root(e, made) if made.independent else h)
                        for k in range(2))
                return e.bind("oint", lambda x: e.say(
                    "v(i, j + 1, p * dens(f, x), q * dens(g, x), then(h, x))", v=v, i=i, j=j, p=p,
                    f=f, q=q, g=g, h=h, x=x))
            number = sp.Dummy("i", integer=True, positive=True)
            with e.where({number: e.say("i + 1", i=i)}):
                first, second = made.release(number)
                release = Space(e, {first, second})
                return release.over("int", lambda outcome: e.say(
                    "v(i, p * f, q * g)", v=v, i=i, p=at[0], f=release.density(first, outcome),
                    q=at[1], g=release.density(second, outcome)))

        n = index(e, role.index)
        with e.having(conditions=[]):
            p, q = (e.b.letter(name, "R") for name in ("%p", "%q"))
            signed = not nonnegative(e.b, build((Place((p, q).__getitem__),)), {p, q})
        found = solved(lambda *at: e.say("abs(h)" if signed else "h", h=start(*at)), step)
        if signed:
            found = solved(start, step, meant=False)
        return found(n, *begin)

    def density(self, d: Distribution, outcome: Outcome) -> int:
        """The density of a member of a pair at an outcome: a product over its coordinates."""
        own = flat(d.pair)
        return self.e.product([place.density(d.side) for place, (a, _) in zip(
            outcome, self.coordinates, strict=True) if any(a is x for x in own)])


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
    key, name, family = (id(atom), side), atom.names[side], isinstance(atom.role, Family)
    if isinstance(atom.role, Conditional) and (varies(atom) or not atom.role.index.is_Integer):
        made, x = atom.role.composition, atom.role.outcome
        return stage(e, made, side, e.real(atom.role.index), before(e, x) if x else root(e, made))
    if isinstance(atom.role, Averaged) and key not in e.letters:
        e.given.append(_mean(e, atom, side))
    letter = e.letter(key, name, "H" if family else "D")
    if not family:
        return letter
    return e.b.make("given", letter, before(e, atom.role.outcome) if earlier is None else earlier)


def before(e: Terms, x: Any) -> int:
    """An outcome that chooses a pair."""
    return e.bound[x] if x in e.bound else e.letter((type(x), x), x.name, "O")


def root(e: Terms, made: Composition) -> int:
    """The history before the first release."""
    return e.letter(("root", id(made)), "root", "O")


def stage(e: Terms, made: Composition, side: int, i: int, history: int) -> int:
    """A member of release i after a history."""
    return e.b.make("stage", e.letter(("stage", id(made), side), made.names[side], "L"), i, history)


def _mean(e: Terms, atom: PairOf, side: int) -> int:
    """A member is the mean of those of its family: M(S) is the integral of M^x(S) for all S."""
    family = atom.role.family
    whole = e.letter((id(atom), side), atom.names[side], "D")
    law = e.letter(("law", family.role.outcome), f"law_{family.role.outcome}", "D")
    return e.say("allS(s, oint(y, case(y in s, dens(m, y), 0)) == oint(x, dens(law, x) *"
                 " oint(y, case(y in s, dens(k(x), y), 0))))",
                 m=whole, law=law, k=lambda x: member(e, family, side, x))
