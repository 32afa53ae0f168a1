"""Averages: a bound on convex functionals of a family bounds those of its means.

Theorem.  Let M_1, ..., M_n be the means of M_1^x, ..., M_n^x over one law of x.  The measure of
an event, the same for all x, is the mean of the measures, and a supremum over events of a linear
combination is at most the mean of the suprema; so is a privacy profile of two mixtures of the M_i
(joint convexity).
Hence a bound ``sum of c_i A_i + d <= r`` holds for the means if it holds for the members at each
x, where every A_i is a measure, or a supremum with c_i >= 0, and d and r say nothing of the means.
At each x the members are arbitrary distributions that satisfy what is supposed for all x.

A claim about several distributions is refuted where two of them are one: that is a special case.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.core.verdict import Judgement, Kind
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides
from lapdp.theory.methods.hinges import weights_of
from lapdp.theory.methods.mixtures import combination
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.supposed import linear_parts
from lapdp.theory.rewriting import Fresh, at_pair, lemma_of, map_form, on_parameters, outcomes_of
from lapdp.theory.statement import Statement

NAME = "averages"
CONVEX = (pn.Profile, pn.SupOverEvents)
SECONDS = 1.5
"""Of the search for a special case that contradicts the claim, for each of them."""


def by_averages(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce a bound on means of a family to the members at one outcome."""
    means = _means(statement)
    if not means:
        return None
    claim = statement.claim
    if not isinstance(claim, (sp.Le, sp.Ge)):
        raise Unsupported("of averages weak inequalities are proved")
    letters = {p.role.family.role.outcome for p in means}
    if len(letters) > 1 or outcomes_of(claim.lhs - claim.rhs):
        raise Unsupported("averages over several outcomes, or beside a family at one of them")
    small, big, _ = order_sides(claim)
    members = {d for side in (small, big) for d in sp.sympify(side).atoms(pn.Distribution)
               if isinstance(d.pair.role, fam.Averaged)}
    lemmas: list[tuple[str, Any]] = []
    for side, sign in ((small, 1), (big, -1)):
        lemmas += _bounded(statement, sp.sympify(side), sign, members)
    lemmas.append(("at any outcome", _at_one(statement, means, letters)))
    return by_lemmas(NAME, [(what, prove(lemma)) for what, lemma in lemmas],
                     [known.FIBRES, known.TONELLI])


def _means(statement: Statement) -> list[Any]:
    found = [p for p in lang.pairs_of(statement.claim) if isinstance(p.role, fam.Averaged)]
    if any(isinstance(part.role, fam.Averaged) for p in lang.pairs_of(statement.claim)
           if p not in found for atom in p.atoms() for part in fam.parts_of(atom)):
        raise Unsupported("an average inside a product")
    return found


def _bounded(statement: Statement, side: Any, sign: int, members: set[Any]
             ) -> list[tuple[str, Statement]]:
    """A side is linear in measures and in suprema; these with coefficients of one sign."""
    marks = {x for x in side.atoms(pn.Measure, *CONVEX) if x.atoms(pn.Distribution) & members}
    marks -= {x for y in marks for x in y.atoms(pn.Measure) if x != y}
    coefficients, rest = linear_parts(side, marks)
    if any(sp.sympify(e).atoms(pn.Distribution) & members
           for e in (*coefficients.values(), rest)):
        raise Unsupported("a functional of an average that is neither measure nor supremum")
    lemmas: list[tuple[str, Statement]] = []
    for mark, c in coefficients.items():
        if isinstance(mark, pn.Measure) and mark.args[1].atoms(pn.Distribution) & members:
            raise Unsupported("the measure of an event that depends on an average")
        if isinstance(mark, pn.SupOverEvents):
            combination(*mark.args)
        if isinstance(mark, pn.Profile) and sp.sympify(mark.args[2]).atoms(pn.Distribution):
            raise Unsupported("a profile at a place that depends on distributions")
        if isinstance(mark, CONVEX):
            lemmas.append((f"the sign of {c}", lemma_of(
                statement, lang.Ge(sign * c, 0), on_parameters(statement.where))))
    return lemmas


def _at_one(statement: Statement, means: list[Any], letters: set[Any]) -> Statement:
    """The claim about arbitrary distributions that satisfy the hypotheses on the families."""
    fresh = Fresh(statement)
    arbitrary = {id(p.role.family): fresh.members(len(p.names)) for p in means}
    swap = {pn.Distribution(name, p, k): arbitrary[id(p.role.family)][k]
            for p in means for k, name in enumerate(p.names)}
    return lemma_of(statement, map_form(statement.claim, lambda e: sp.sympify(e).xreplace(swap)),
                    at_pair(statement.where, arbitrary, letters))


# -- special cases --------------------------------------------------------------------------------


def by_merging(statement: Statement, _prove: Prove) -> Judgement | None:
    """Refute a claim about several distributions where they are the two members of a pair.

    Asked only with a hinted witness: special cases of true claims are searched in vain.
    """
    from lapdp.theory.witness import search

    if not statement.hints.get("witness"):
        return None
    wide = [p for p in statement.pairs if len(p.names) > 2]
    identities = {id(x): x for p in wide for x in fam.parts_of(p)}
    roots = [x for x in identities.values() if not isinstance(x.role, fam.Averaged)]
    if not roots or not any(isinstance(x.role, fam.Family) for x in roots):
        return None
    if len(roots) > 1:
        raise Unsupported("several spaces with several distributions")
    (root,) = roots
    count = len(root.names)
    for sides in product((0, 1), repeat=count):
        if len(set(sides)) < 2:
            continue
        merged = _merged(statement, list(identities.values()), sides)
        try:
            witness, _ = search(merged, [], SECONDS)
        except (Unsupported, Undefined, IllFormed):
            continue
        if witness is not None:
            equal = ", ".join(f"{name} = {'AB'[side]}" for name, side in zip(
                root.names, sides, strict=True))
            return Judgement(Kind.REFUTED, "a special case", reason=witness.why,
                             witness=replace(witness, text=f"{equal}; {witness.text}"))
    raise Unsupported("no special case found that contradicts the claim")


def _merged(statement: Statement, identities: list[Any], sides: tuple[int, ...]) -> Statement:
    """The statement with each distribution replaced by the first or second member of a pair."""
    fresh = Fresh(statement)
    swap: dict[Any, Any] = {}
    family: Any = None
    for x in sorted(identities, key=lambda p: isinstance(p.role, fam.Averaged)):
        if isinstance(x.role, fam.Family):
            members = family = fam.family(fresh.name("A"), fresh.name("B"), x.role.outcome)
        elif isinstance(x.role, fam.Averaged):
            members = fam.averaged(family, (fresh.name("A"), fresh.name("B")))
        else:
            members = fresh.pair("A", "B")
        swap |= {pn.Distribution(name, x, k): members[sides[k]] for k, name in enumerate(x.names)}

    def change(e: Any) -> Any:
        return _with_profiles(sp.sympify(e).xreplace(swap))

    where = [map_form(h, change) for h in statement.where]
    return replace(statement, claim=map_form(statement.claim, change),
                   where=tuple(h for h in where if not _plain(h)))


def _with_profiles(e: Any) -> Any:
    """Suprema of A(S) - e^t B(S) as the profiles that they are."""
    found: dict[Any, Any] = {}
    for x in e.atoms(pn.SupOverEvents):
        weights = weights_of(x)
        first = [d for d, c in weights.items() if c == 1]
        second = [(d, c) for d, c in weights.items() if c != 1]
        if len(first) == len(second) == 1 and (t := _exponent(-second[0][1])) is not None:
            found[x] = pn.Profile(first[0], second[0][0], t)
    return e.xreplace(found)


def _exponent(c: Any) -> Any:
    return c.args[0] if isinstance(c, sp.exp) else None


def _plain(form: Any) -> bool:
    """Does a hypothesis say no more than sup (A(S) - e^t A(S)) <= a profile at t?"""
    claim = getattr(form, "claim", None)
    if not isinstance(claim, sp.Le) or not isinstance(claim.lhs, pn.SupOverEvents) or (
            not isinstance(claim.rhs, pn.Profile)):
        return False
    (c, *more) = weights_of(claim.lhs).values()
    return not more and sp.expand(1 - sp.exp(claim.rhs.args[2]) - c) == 0


__all__ = ["by_averages", "by_merging"]
