"""From failing kernels to the hypothesis that a claim misses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from lapdp.calculus.form import Form
from lapdp.privacy.nodes import Distribution
from lapdp.theory.language import AbsolutelyContinuous, OneWayContinuous
from lapdp.theory.methods.kernels import Choice, KernelRun, leaves
from lapdp.theory.obligations import PASSIVE, Fails


@dataclass(frozen=True)
class Scope:
    """Under which further condition every remaining case is proved."""

    text: str
    exact: bool


def scope_of(run: KernelRun, variables: dict[Any, Any]) -> Scope:
    """The largest condition on supports and atoms under which no case fails; none where it takes
    regions of the parameters as well.

    It is called exact when every failing case of the condition has a defect of one strict sign, so
    that no cancellation can save a pair that violates it; otherwise it is sufficient only.
    """
    failures = run.failures()
    if not any(not isinstance(o, (Fails, *PASSIVE)) for _, tree in run.trees
               for _, leaf in leaves(tree) for o in leaf.obligations):
        return Scope("", False)
    supports = _supports(failures)
    parts: list[str] = []
    exact = True
    covered: set[int] = set()
    for who, kind in supports:
        mine = [k for k, (choice, _, _) in enumerate(failures) if (who, kind) in choice]
        covered |= set(mine)
        where = _parameter_regions([failures[k] for k in mine], variables)
        if {} not in where and not _fails_everywhere(run, who, kind):
            # a region of the parameters beside a support: nobody would state that as a hypothesis
            return Scope("", False)
        parts.append(_support_text(who, kind))
        exact = exact and _one_sign([failures[k][2] for k in mine])
    rest = [failures[k] for k in range(len(failures)) if k not in covered]
    atoms: set[str] = set()
    for choice, path, failure in rest:
        atom = _atom(choice, path, variables)
        if atom is None:
            return Scope("", False)
        atoms.add(atom)
        exact = exact and failure.sign != 0
    parts += sorted(atoms)
    signs = {f.sign for _, _, f in rest}
    if len(signs) > 1:
        exact = False
    return Scope(" and ".join(parts), exact and bool(parts))


def under_continuity(statement: Any, holds: Callable[[Any], bool]) -> Scope:
    """Absolute continuity, one way or both, under which a statement about one pair ``holds``."""
    pairs = [p for p in statement.pairs if p.mechanism is None and p.role is None and not p.factors]
    if len(pairs) != 1 or len(statement.pairs) > 1 or len(pairs[0].names) != 2 or any(
            isinstance(form, (AbsolutelyContinuous, OneWayContinuous)) for form in statement.where):
        return Scope("", False)
    P, Q = (Distribution(name, pairs[0], side) for side, name in enumerate(pairs[0].names))
    there, back = AbsolutelyContinuous(P, Q), AbsolutelyContinuous(Q, P)
    for forms in ((there,), (back,), (there, back)):
        if holds(replace(statement, where=(*statement.where, *forms))):
            return Scope(" and ".join(f"{f.P} << {f.Q}" for f in forms), False)
    return Scope("", False)


def _supports(failures: list[tuple[Choice, tuple[Any, ...], Fails]]) -> list[tuple[Any, str]]:
    """Few one-sided kernels that account for all failures in which one occurs."""
    open_ones = [choice for choice, _, _ in failures
                 if any(k in ("plus", "minus") for _, k in choice)]
    chosen: list[tuple[Any, str]] = []
    while open_ones:
        counts: dict[tuple[Any, str], int] = {}
        for choice in open_ones:
            for item in choice:
                if item[1] in ("plus", "minus"):
                    counts[item] = counts.get(item, 0) + 1
        best = max(counts, key=lambda item: (counts[item], str(item)))
        chosen.append(best)
        open_ones = [c for c in open_ones if best not in c]
    return sorted(chosen, key=str)


def _support_text(who: Any, kind: str) -> str:
    p, q = who.names
    return f"{p} << {q}" if kind == "plus" else f"{q} << {p}"


Condition = dict[str, frozenset[str]]
"""For each form, the signs it may have."""


def _parameter_regions(failures: list[Any], variables: dict[Any, Any]) -> list[Condition]:
    """Where in the parameters cases fail: paths without kernel variables, merged."""
    kernel_atoms = set(variables.values())
    found: list[Condition] = []
    for _, path, _ in failures:
        here = {str(q): frozenset(a) for q, a in path if not (q.form.atoms() & kernel_atoms)}
        if here not in found:
            found.append(here)
    return _merged(found)


def _merged(regions: list[Condition]) -> list[Condition]:
    """Unite regions that differ in one form only, until none do."""
    for k, a in enumerate(regions):
        for b in regions[k + 1:]:
            if a.keys() != b.keys():
                continue
            different = [form for form in a if a[form] != b[form]]
            if len(different) != 1:
                continue
            form = different[0]
            union = a[form] | b[form]
            joined = {f: v for f, v in a.items() if f != form}
            if len(union) < 3:
                joined[form] = union
            rest = [r for r in regions if r not in (a, b, joined)]
            return _merged([*rest, joined])
    return regions


def _fails_everywhere(run: KernelRun, who: Any, kind: str) -> bool:
    return all(any(isinstance(o, Fails) for o in leaf.obligations)
               for choice, tree in run.trees if (who, kind) in choice
               for _, leaf in leaves(tree))


def _one_sign(failures: list[Fails]) -> bool:
    signs = {f.sign for f in failures}
    return len(signs) == 1 and signs != {0}


def _atom(choice: Choice, path: tuple[Any, ...], variables: dict[Any, Any]) -> str | None:
    """``no atom of the loss at x`` for a failure only where z = x."""
    for who, kind in choice:
        if kind != "finite" or who not in variables:
            continue
        z = variables[who]
        for question, answer in path:
            if not isinstance(question.form, Form):
                continue
            c = question.form.terms.get(((z, 1),), Fraction(0))
            if answer == "=" and abs(c) == 1:
                point = (question.form - Form({((z, 1),): c})) * Form.of(-1 / c)
                if point.atoms() & set(variables.values()):
                    return None  # the loss of one pair against that of another: no hypothesis
                p, q = who.names
                return f"PLD({p}, {q}) has no atom at {point}"
    return None
