"""Statements rewritten for a reduction: fresh letters, instances of hypotheses, other pairs.

Everything here specialises hypotheses (which is sound: an instance of a hypothesis that holds for
all values holds) or renames; a hypothesis that cannot be rewritten is dropped, which leaves a
stronger claim to prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.calculus.sequences import elements
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.statement import Statement

Change = Callable[[Any], Any]


class Fresh:
    """Gives out names that a statement does not use yet."""

    def __init__(self, statement: Any) -> None:
        self.taken: set[str] = set()
        for form in (statement.claim, *statement.where):
            for e in lang.expressions(form):
                tree = sp.sympify(e)
                self.taken |= {s.name for s in tree.atoms(sp.Symbol)}
                self.taken |= {type(g).__name__ for g in tree.atoms(AppliedUndef)}
            self.taken |= {s.name for s in lang.bound_symbols(form)}
        self.taken |= {s.name for s in statement.parameters}
        for identity in statement.pairs:
            self.taken |= {n for p in fam.parts_of(identity) for n in p.names}

    def name(self, wanted: str) -> str:
        """The wanted name, with primes where it is taken."""
        while wanted in self.taken:
            wanted += "'"
        self.taken.add(wanted)
        return wanted

    def real(self, wanted: str) -> Any:
        """A fresh real variable."""
        return sp.Symbol(self.name(wanted), real=True)

    def natural(self, wanted: str) -> Any:
        """A fresh whole number from 0 on."""
        return sp.Symbol(self.name(wanted), integer=True, nonnegative=True)

    def function(self, wanted: str) -> Any:
        """A fresh arbitrary function."""
        return sp.Function(self.name(wanted))

    def pair(self, first: str, second: str) -> tuple[Any, Any]:
        """A fresh arbitrary pair."""
        return pn.pair(self.name(first), self.name(second))

    def members(self, count: int) -> tuple[Any, ...]:
        """As many arbitrary distributions on one space: a pair, if they are two."""
        if count == 2:
            return self.pair("A", "B")
        return pn.distributions(" ".join(self.name(f"A{k}") for k in range(1, count + 1)))


def map_form(form: Any, change: Change) -> Any:
    """A form with ``change`` applied to its expressions; Unsupported for forms not listed."""
    if isinstance(form, Relational):
        return form.func(change(form.lhs), change(form.rhs), evaluate=False)
    if isinstance(form, lang.ForAll):
        return lang.ForAll(form.over, map_form(form.claim, change),
                           tuple(map_form(h, change) for h in form.where))
    if isinstance(form, lang.Defined):
        return lang.Defined(change(form.expr))
    if isinstance(form, lang.AllOf):
        return lang.AllOf(tuple(map_form(c, change) for c in form.claims))
    if isinstance(form, lang.ExistsEvents):
        return lang.ExistsEvents(form.made, tuple(map_form(c, change) for c in form.claims))
    if isinstance(form, lang.Continuous):
        return lang.Continuous(change(form.expr), form.t)
    if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
        return type(form)(change(form.P), change(form.Q))
    if isinstance(form, (lang.ConvexOn, lang.NonincreasingOn)):
        return type(form)(change(form.expr), form.t, change(form.lower), change(form.upper))
    raise Unsupported(f"a hypothesis of the form {type(form).__name__} is not rewritten")


def substituted(e: Any, values: dict[Any, Any]) -> Any:
    """An expression with variables replaced, in the indices and parameters of its pairs too."""
    def renamed(identity: pn.PairOf) -> tuple[Any, Any] | None:
        role = identity.role
        if isinstance(role, fam.Composed):
            index = role.index.subs(values)
            return None if index == role.index else role.composition(index)
        if isinstance(role, fam.Conditional):
            index = role.index.subs(values)
            return None if index == role.index else role.composition.release(index, role.outcome)
        return with_mechanism(identity, lambda x: x.subs(values))
    return fam.replace_pairs(sp.sympify(e).subs(values), renamed)


def with_mechanism(identity: pn.PairOf, change: Change) -> tuple[Any, Any] | None:
    """The pair of a mechanism with its parameters changed; None where nothing changes."""
    if identity.mechanism is None:
        return None
    changed = changed_mechanism(identity.mechanism, change)
    return None if changed == identity.mechanism else pn.mechanism_pair(changed, *identity.names)


def changed_mechanism(mechanism: Any, change: Change) -> Any:
    """A mechanism with ``change`` applied to its parameters that are expressions."""
    if not is_dataclass(mechanism):
        return mechanism
    new: dict[str, Any] = {}
    for f in fields(mechanism):
        value = getattr(mechanism, f.name)
        if isinstance(value, sp.Basic) and value.free_symbols:
            new[f.name] = change(value)
        elif is_dataclass(value) and not isinstance(value, type):
            new[f.name] = changed_mechanism(value, change)
    try:
        return replace(mechanism, **new) if new else mechanism  # type: ignore[type-var]
    except InputError as problem:
        raise Unsupported(str(problem)) from None


def terms_of(forms: Iterable[Any]) -> list[Any]:
    """The elements of sequences in forms and in the parameters of their mechanisms."""
    found: set[Any] = set()
    for form in forms:
        for e in lang.expressions(form):
            found |= elements(e)
        for identity in lang.pairs_of(form):
            for part in fam.parts_of(identity):
                found |= mechanism_terms(part.mechanism)
    return sorted(found, key=str)


def mechanism_terms(mechanism: Any) -> set[Any]:
    """The elements of sequences among the parameters of a mechanism."""
    if not is_dataclass(mechanism):
        return set()
    values = [getattr(mechanism, f.name) for f in fields(mechanism)]
    inner = [mechanism_terms(v) for v in values if is_dataclass(v) and not isinstance(v, type)]
    own = [elements(v) for v in values if isinstance(v, sp.Basic)]
    return set().union(*inner, *own)


def replace_terms(e: Any, values: dict[Any, Any]) -> Any:
    """Elements of sequences replaced, in the parameters of mechanisms too."""
    change: Change = lambda x: x.xreplace(values)  # noqa: E731
    return fam.replace_pairs(change(sp.sympify(e)), lambda p: with_mechanism(p, change))


def outermost(e: Any) -> Iterator[Any]:
    """Notions and transforms in an expression, those inside others and in cases left out."""
    if isinstance(e, Node):
        if not isinstance(e, (pn.Distribution, pn.Loss)):
            yield e
    elif not isinstance(e, sp.Piecewise):
        for a in e.args:
            yield from outermost(a)


def lemma_of(statement: Statement, claim: Any, where: Iterable[Any]) -> Statement:
    """A statement to which another one is reduced: hints on a witness do not carry over."""
    kept = {k: v for k, v in statement.hints.items() if k == "induction"}
    return replace(statement, claim=claim, where=tuple(where), hints=kept)


def on_parameters(where: Iterable[Any]) -> tuple[Any, ...]:
    """The hypotheses that are relations between numbers alone."""
    return tuple(h for h in where if isinstance(h, Relational) and not any(
        sp.sympify(e).has(Node, AppliedUndef, pn.Distribution) for e in lang.expressions(h)))


# -- hypotheses -----------------------------------------------------------------------------------


def plain(form: Any) -> Any:
    """A bound on a supremum over outcomes as a bound for each outcome."""
    if isinstance(form, lang.ForAll):
        inner = plain(form.claim)
        if isinstance(inner, lang.ForAll) and not set(inner.over) & set(form.over):
            return lang.ForAll((*form.over, *inner.over), inner.claim,
                               (*form.where, *inner.where))
        return lang.ForAll(form.over, inner, form.where)
    if isinstance(form, (sp.Le, sp.Ge)):
        small, big = (form.lhs, form.rhs) if isinstance(form, sp.Le) else (form.rhs, form.lhs)
        if isinstance(small, pn.SupOverOutcomes) and not big.has(small.args[1]) and not any(
                small.args[1] == x for x in outcomes_of(big)):
            body, x = small.args
            return plain(lang.ForAll((x,), lang.Le(body, big)))
    return form


def outcomes_of(e: Any) -> set[Any]:
    """The outcomes on which pairs of an expression depend."""
    found: set[Any] = set()
    for s in sp.sympify(e).free_symbols:
        if isinstance(s, pn.Distribution):
            role = s.pair.role
            if isinstance(role, (fam.Family, fam.Conditional)) and role.outcome is not None:
                found.add(role.outcome)
    return found


def free_outcomes(form: Any) -> set[Any]:
    """The outcomes of families in a form that neither it nor a supremum in it binds."""
    def visit(e: Any) -> set[Any]:
        if isinstance(e, pn.SupOverOutcomes):
            return visit(e.args[0]) - {e.args[1]}
        return set().union(outcomes_of(e) if not e.args else set(), *map(visit, e.args))

    found: set[Any] = set().union(*(visit(sp.sympify(e)) for e in lang.expressions(form)))
    return found - lang.bound_symbols(form)


def admitted(variable: Any, value: Any) -> bool:
    """Is every value of the expression a value of the bound variable?"""
    return all(getattr(value, f"is_{name}", None) == wanted
               for name, wanted in variable.assumptions0.items()
               if name not in ("finite", "infinite", "commutative"))


def at_indices(where: Iterable[Any], indices: Iterable[Any], all_of_them: bool = False
               ) -> list[Any]:
    """Hypotheses for all whole numbers, at the given ones.

    What cannot be rewritten is dropped, or raises :class:`Unsupported` with ``all_of_them``.
    """
    found: list[Any] = []
    wanted = list(indices)
    for form in map(plain, where):
        numbers = [s for s in form.over if s.is_integer] if isinstance(form, lang.ForAll) else []
        if not numbers:
            found.append(form)
            continue
        for values in product(wanted, repeat=len(numbers)):
            if not all(admitted(s, v) for s, v in zip(numbers, values, strict=True)):
                continue
            try:
                found.append(specialised(form, dict(zip(numbers, values, strict=True))))
            except Unsupported:
                if all_of_them:
                    raise
    return found


def specialised(form: Any, values: dict[Any, Any]) -> Any:
    """A universal hypothesis with some of its variables given values."""
    rest = tuple(s for s in form.over if s not in values)
    if any(s in rest for v in values.values() for s in sp.sympify(v).free_symbols):
        raise Unsupported("a value that speaks of a bound variable")
    change: Change = lambda e: substituted(e, values)  # noqa: E731
    claim = map_form(form.claim, change)
    where = tuple(map_form(h, change) for h in form.where)
    return lang.ForAll(rest, claim, where) if rest or where else claim


def at_pair(where: Iterable[Any], replacement: dict[int, tuple[Any, ...]],
            outcomes: set[Any]) -> list[Any]:
    """Hypotheses on families, for each outcome, as hypotheses on the pairs that stand for them.

    ``replacement`` gives a pair for (the id of) each family; ``outcomes`` are the outcomes that are
    thereby fixed.  A hypothesis on a family whose outcome is not bound by it is dropped.
    """
    found: list[Any] = []
    for form in map(plain, where):
        over = set(form.over) if isinstance(form, lang.ForAll) else set()
        used = {x for e in lang.expressions(form) for x in outcomes_of(e)}
        roles = {id(part) for p in lang.pairs_of(form) for part in fam.parts_of(p)
                 if part.role is not None}
        if not used <= over & outcomes or not roles <= set(replacement):
            continue
        if not roles:
            found.append(form)
            continue
        try:
            changed = map_form(form, partial(
                fam.replace_pairs, replacement=lambda pair: replacement.get(id(pair))))
        except Unsupported:
            continue
        if isinstance(changed, lang.ForAll):
            rest = tuple(s for s in changed.over if s not in used)
            changed = lang.ForAll(rest, changed.claim, changed.where) if (
                rest or changed.where) else changed.claim
        found.append(changed)
    return found
