"""Instances bent to the hypotheses: dominated pairs, point guarantees that are met, mixtures.

At random few instances satisfy such hypotheses.  What is bent stays exact, and every hypothesis is
checked afterwards like any other.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational

from lapdp.privacy import nodes as privacy
from lapdp.theory import language
from tests.oracle import finite
from tests.oracle.reals import Unclear, Undefined, compare, log


def family(rng, count):
    """Several random distributions on one space."""
    size = rng.choice((1, 2, 3))
    found = []
    for _ in range(count):
        weights = [rng.choice((0, 1, 1, 2, 3)) for _ in range(size)]
        if not any(weights):
            weights[rng.randrange(size)] = 1
        found.append(tuple(Fraction(w, sum(weights)) for w in weights))
    return tuple(found)


def fit(statement, instance, walker, rng):
    """Change pairs and parameters of an instance in place; true if a mechanism must be redone."""
    if rng.random() < 0.7:
        _dominate(statement.claim, instance, rng)
    changed = rng.random() < 0.8 and _meet(statement.where, instance, walker)
    mixed = _mixtures(statement)
    for s in sorted({s for form in mixed for e in form.rhs.atoms(sp.exp)
                     for s in e.free_symbols & set(instance.symbols)}, key=str):
        instance.symbols[s] = log(Fraction(rng.choice((1, 2, 3, 5)), rng.choice((1, 1, 2))))
        changed = True
    mix(statement, instance, walker)
    return changed


def _mixtures(statement):
    return [form for form in statement.where if isinstance(form, language.SameMeasure)
            and isinstance(form.lhs, privacy.Distribution)]


def mix(statement, instance, walker):
    """Give the mixtures of the hypotheses their masses."""
    for form in _mixtures(statement):
        _mix(form, instance, walker)


def _dominate(claim, instance, rng):
    """The pair with the smaller profile becomes a post-processing of the other."""
    form = getattr(claim, "hypothesis", None)
    if not isinstance(form, Relational) or form.rel_op not in ("<=", ">="):
        return
    sides = [form.lhs, form.rhs] if form.rel_op == "<=" else [form.rhs, form.lhs]
    if not all(isinstance(e, privacy.Profile) and all(
            isinstance(d, privacy.Distribution) for d in e.args[:2]) for e in sides):
        return
    small, large = sides
    pair = small.args[0].pair
    if pair.mechanism is not None or pair.factors or pair is large.args[0].pair:
        return
    masses = instance.oriented(*large.args[:2])
    width = rng.choice((1, 2, 3))
    channel = [family(rng, 1)[0] for _ in masses[0]]
    channel = [tuple((*row, *(Fraction(0),) * 3))[:width] for row in channel]
    channel = [tuple(x / sum(row) for x in row) if any(row) else
               (Fraction(1), *(Fraction(0),) * (width - 1)) for row in channel]
    P, Q = finite.post_process(*masses, channel)
    instance.pairs[id(pair)] = (P, Q) if small.args[0].side == 0 else (Q, P)


def _meet(where, instance, walker):
    """Bounds that are parameters rise to what they bound; places where profiles vanish move out."""
    changed = False
    for form in where:
        if not isinstance(form, (sp.Le, sp.Ge, sp.Eq)):
            continue
        sides = (form.lhs, form.rhs) if not isinstance(form, sp.Ge) else (form.rhs, form.lhs)
        profile, bound = sides
        if not isinstance(profile, privacy.Profile):
            continue
        try:
            if bound in instance.symbols and not isinstance(form, sp.Eq):
                value = walker.scalar(profile)
                if isinstance(value, Fraction) and compare(value, instance.symbols[bound]) > 0:
                    instance.symbols[bound] = value
                    changed = True
            place = profile.args[2]
            if bound == 0 and place in instance.symbols:
                P, Q = instance.oriented(*profile.args[:2])
                ratios = [p / q for p, q in zip(P, Q, strict=True) if p and q]
                far = log(max(ratios)) if ratios else Fraction(0)
                if compare(far, instance.symbols[place]) > 0:
                    instance.symbols[place] = far
                    changed = True
        except (Undefined, Unclear):
            continue
    return changed


def _mix(form, instance, walker):
    """The left side gets the masses of the right side, if these are rational and >= 0."""
    values = combination(form.rhs, walker)
    if not all(isinstance(x, Fraction) for x in values):
        raise Unclear("a mixture with irrational masses")
    if any(x < 0 for x in values) or sum(values) != 1:
        raise Unclear("a mixture that is no distribution")
    masses = list(instance.masses(form.lhs.pair))
    masses[form.lhs.side] = tuple(values)
    instance.pairs[id(form.lhs.pair)] = tuple(masses)


def combination(e, walker):
    """Masses of a linear combination of distributions, outcome by outcome."""
    e = sp.sympify(e)
    members = {d for d in e.atoms(privacy.Distribution) if d.pair.mechanism is None}
    sizes = {len(walker.instance.masses(d.pair)[d.side]) for d in members}
    if len(sizes) != 1:
        raise Unclear("distributions on different spaces")
    found, before = [], walker.bound
    for k in range(sizes.pop()):
        walker.bound = {**before, **{d: walker.instance.masses(d.pair)[d.side][k]
                                     for d in members}}
        try:
            found.append(walker.scalar(e))
        finally:
            walker.bound = before
    return found
