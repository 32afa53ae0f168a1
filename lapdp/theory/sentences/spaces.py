"""Sample spaces: which pairs and mechanisms an integral is over, their masses and densities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from math import prod
from typing import Any

import sympy as sp

from lapdp.kernel.notions import DENSITIES, MEAN, RESPONSES
from lapdp.kernel.recursions import Solution
from lapdp.kernel.saying import NotSaid, refuse
from lapdp.kernel.spaces import Arbitrary, Finite, Line, Outcome, after, over, releases
from lapdp.privacy import families as fam
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.mechanisms.exponential import Exponential
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.mechanisms.laplace import Laplace
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes
from lapdp.privacy.mechanisms.randomized_response import RandomizedResponse
from lapdp.privacy.nodes import Distribution, PairOf
from lapdp.privacy.operations import Power, Product, Reversed
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.theory.sentences.terms import Terms, index

ALONE = fam.Averaged, fam.Processed, fam.Family, fam.Conditional
"""The roles of pairs whose outcomes are one coordinate of their space."""
MOST_OUTCOMES, MOST_COPIES = 300, 8
"""Of a space, and of a power that is written out."""


def parts_of_mechanism(e: Terms, m: Any) -> list[Finite | Line]:
    """A coordinate for each factor of a mechanism."""
    match m:
        case Product():
            return parts_of_mechanism(e, m.first) + parts_of_mechanism(e, m.second)
        case Power(count=int(count)) if count <= MOST_COPIES:
            return parts_of_mechanism(e, m.pair) * count
        case Reversed():
            return [part.each(lambda p, q: (q, p)) for part in parts_of_mechanism(e, m.pair)]
        case OverlappingMixtures():
            parts, w, v = parts_of_mechanism(e, m.pair), e.real(m.first), e.real(m.second)
            refuse(len(parts) != 1, "mixtures of a product")
            mean = "w * p + (1 - w) * q"
            return [parts[0].each(lambda p, q: [e.say(mean, w=x, p=p, q=q) for x in (w, v)])]
        case FinitePair(masses=rows) | NamedOutcomes(table=rows):
            return [Finite(tuple((e.real(p), e.real(q)) for *_, p, q in rows))]
        case RandomizedResponse():
            return [Finite(tuple((_said(e, p, m), _said(e, q, m)) for p, q in RESPONSES))]
        case Laplace() | Gaussian() | Exponential():
            first, second = DENSITIES[type(m).__name__]
            return [Line(lambda x: (_said(e, first, m, x=x), _said(e, second, m, x=x)))]
    raise NotSaid(f"the densities of {type(m).__name__}")


def _said(e: Terms, text: str, m: Any, **names: int) -> int:
    """A text of the parameters of a mechanism."""
    return e.say(text, **names, **{f.name: e.real(getattr(m, f.name)) for f in fields(m)})


def conditions_of(m: Any) -> list[Any]:
    """What the documented range of the parameters says, as relations of SymPy."""
    match m:
        case None | FinitePair():
            return []
        case Product():
            return conditions_of(m.first) + conditions_of(m.second)
        case Power() | Reversed():
            return conditions_of(m.pair)
        case NamedOutcomes():
            return list(m.conditions)
        case OverlappingMixtures():
            return conditions_of(m.pair) + _above(sp.Ge, m.second, m.first - m.second, 1 - m.first)
        case RandomizedResponse():
            most = sp.Le(m.leak, 1, evaluate=False)
            return _above(sp.Ge, m.eps, m.leak) + [most] * bool(m.leak.free_symbols)
        case Laplace(scale=scale) | Gaussian(sigma=scale):
            return _above(sp.Gt, scale, m.sensitivity)
        case Exponential():
            return _above(sp.Gt, m.rate_p, m.rate_q - m.rate_p)
    raise NotSaid(f"the densities of {type(m).__name__}")


def _above(relation: Any, *parameters: Any) -> list[Any]:
    """Parameters with symbols are above 0, unless their assumptions say so."""
    return [relation(x, 0, evaluate=False) for x in parameters
            if x.free_symbols and not (x.is_Symbol and x.is_positive)]


def flat(identity: PairOf) -> tuple[PairOf, ...]:
    """The pairs of which a product, or a composition of so many releases, is made."""
    refuse(any(map(varies, identity.factors or ())), "a product with a member of a family")
    if identity.factors:
        return tuple(a for f in identity.factors for a in flat(f))
    if identity.role is None or isinstance(identity.role, ALONE) or is_long(identity):
        return (identity,)
    match identity.role:
        case fam.Joint(first, second) if isinstance(second.role, fam.Family) and [
                (a.mechanism, a.role) for a in flat(first)] == [(None, None)]:
            return (*flat(first), second)
        case fam.Composed(made, n):
            refuse(not 0 < n <= 6, "so many releases")
            return tuple(a for i in range(int(n)) for a in flat(made.release(i + 1)[0].pair))
    raise NotSaid(f"a pair of role {type(identity.role).__name__}")


def is_long(atom: PairOf) -> bool:
    """Is it a composition of symbolic length, or of releases chosen by the outcomes before?"""
    return isinstance(atom.role, fam.Composed) and (not atom.role.index.is_Integer or (
        is_open(made := atom.role.composition) and not made.independent))


def many(e: Terms, made: Any) -> bool:
    """Is it a power with too many outcomes, or copies, to be written out?"""
    return isinstance(made, Power) and (made.count > MOST_COPIES or outcomes(
        parts_of_mechanism(e, made.pair)) ** made.count > MOST_OUTCOMES)


def outcomes(parts: Iterable[Any]) -> int:
    """How many outcomes do all finite ones have together?"""
    return prod(len(part.rows) for part in parts if isinstance(part, Finite))


def is_open(made: fam.Composition) -> bool:
    """Is each release an arbitrary pair of its own?"""
    return made.each is None and made.mechanism is None


def varies(atom: PairOf) -> bool:
    """Is there a pair for each outcome before?"""
    return isinstance(atom.role, (fam.Family, fam.Conditional)) and atom.role.outcome is not None


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
        refuse(len(atoms) > 1 and any(map(varies, pairs.values())), "a family beside other pairs")
        made, self.role = self.widest.mechanism, self.widest.role
        if many(e, made):
            one = fam.composition(mechanism=lambda _: made.pair)
            self.role = fam.Composed(one, sp.Integer(made.count))
        self.long = any(is_long(a) or many(e, a.mechanism) for a in atoms)
        refuse(self.long and len(atoms) > 1, "a long composition beside other pairs")
        self.coordinates = [(a, part) for a in atoms for part in self._parts(a)]
        refuse(outcomes(part for _, part in self.coordinates) > MOST_OUTCOMES,
               f"more than {MOST_OUTCOMES} outcomes")

    def _parts(self, atom: PairOf) -> Sequence[Any]:
        if id(atom) in self.e.masses:
            return [Finite(tuple([*map(self.e.term, row)] for row in self.e.masses[id(atom)]))]
        if self.long or atom.mechanism is None:
            return [Arbitrary(lambda earlier, side: member(self.e, atom, side, earlier))]
        refuse(any(type(s) is sp.Symbol and s in self.e.bound for c in conditions_of(
            atom.mechanism) for s in c.free_symbols), "a bound letter that has a mechanism's range")
        return parts_of_mechanism(self.e, atom.mechanism)

    @property
    def plain(self) -> bool:
        """Is it the one arbitrary space, which has events?"""
        return not self.long and [type(part) for _, part in self.coordinates] == [Arbitrary]

    def over(self, kind: str, build: Callable[[Outcome], int]) -> int:
        """The integral (``int``) or the conjunction (``all``), over all outcomes, of what ``build``
        makes of one."""
        if not self.long:
            return over(self.e, kind, [part for _, part in self.coordinates], build)
        refuse(kind != "int", "a relation at every outcome of a composition")
        e, made = self.e, self.role.composition
        origin = root(e, made) if is_open(made) else None

        def chosen(side: int) -> Callable[[int, int], int]:
            return lambda j, h: stage(e, made, side, j, root(e, made) if made.independent else h)

        def next_one(v: Solution, i: int, p: int, q: int) -> int:
            number = sp.Dummy("i", integer=True, positive=True)
            with e.where({number: e.say("i + 1", i=i)}):
                first, second = made.release(number)
                release = Space(e, {first, second})
                return release.over("int", lambda x: e.say(
                    "v(i, p * f, q * g)", v=v, i=i, p=p, q=q, f=release.density(first, x),
                    g=release.density(second, x)))

        return releases(e, index(e, self.role.index), build, next_one if origin is None else (
            after(e, chosen(0), chosen(1))), origin)

    def density(self, d: Distribution, outcome: Outcome) -> int:
        """The density of a member of a pair at an outcome: a product over its coordinates."""
        found = [place.density(d.side) for place, (a, _) in zip(
            outcome, self.coordinates, strict=True) if any(a is x for x in flat(d.pair))]
        refuse(not found, "a density outside its integral")
        return self.e.product(found)


def member(e: Terms, atom: PairOf, side: int, earlier: int | None = None) -> int:
    """The letter of a member of an arbitrary pair; of a family, at the outcome before, in a joint
    pair, or at its own."""
    key, name, family = (id(atom), side), atom.names[side], isinstance(atom.role, fam.Family)
    if isinstance(atom.role, fam.Conditional) and (varies(atom) or not atom.role.index.is_Integer):
        made, x = atom.role.composition, atom.role.outcome
        return stage(e, made, side, e.real(atom.role.index), e.known_as(x) if x else root(e, made))
    if isinstance(atom.role, (fam.Averaged, fam.Processed)) and key not in e.letters:
        e.given.append(_mean(e, atom, side))
    letter = e.letter(key, name, "H" if family else "D")
    return letter if not family else e.b.make(
        "given", letter, e.known_as(atom.role.outcome) if earlier is None else earlier)


def root(e: Terms, made: fam.Composition) -> int:
    """The history before the first release."""
    return e.letter(("root", id(made)), "root", "O")


def stage(e: Terms, made: fam.Composition, side: int, i: int, history: int) -> int:
    """A member of release i after a history."""
    return e.b.make("stage", e.letter(("stage", id(made), side), made.names[side], "L"), i, history)


def _mean(e: Terms, atom: PairOf, side: int) -> int:
    """A member is the mean of those of its family, or the law of the output of its channel."""
    whole = e.letter((id(atom), side), atom.names[side], "D")
    if isinstance(role := atom.role, fam.Processed):
        law, k = member(e, role.first, side), e.letter(id(role.channel), role.channel.name, "H")
        return e.say(MEAN, m=whole, law=law, k=lambda x: e.b.make("given", k, x))
    law = e.letter(("law", role.family.role.outcome), f"law_{role.family.role.outcome}", "D")
    return e.say(MEAN, m=whole, law=law, k=lambda x: member(e, role.family, side, x))
