"""Letters bound in one place and free in another are told apart before any method is asked.

A quantifier whose letter stands free elsewhere gets a letter of its own, in the indices and
mechanisms of the pairs below it too: what is put in later cannot be captured.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.core.errors import IllFormed, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.bound_letters import require_ranges
from lapdp.theory.reach import hidden_parameters
from lapdp.theory.rewriting import Fresh, substituted

BINDERS = ("over", "made", "t", "symbol")
"""Fields of forms that hold the letters they bind."""
NAMED = (sp.Symbol, pn.Event, pn.Outcome)
"""Kinds of letters that share their names."""
KEPT = (pn.Outcome, pn.Distribution)
"""Letters with an identity of their own: outcomes are those of their families."""


def apart(statement: Any) -> Any:
    """The statement, no letter both bound by a quantifier and free.

    >>> from lapdp.theory import AllOf, Event, ForAll, Le, pair
    >>> from lapdp.theory.statement import Statement
    >>> P, Q = pair(); S = Event("S")
    >>> both = AllOf((Le(P(S), 1), ForAll((S,), Le(P(S), 1))))
    >>> apart(Statement("x", both)).claim.claims[1].over
    (S',)

    Raises :class:`IllFormed` for two letters of one name, for a bound letter that runs outside of
    what it is declared to be, and for a condition on a letter that the
    claim only binds: it would restrict nothing, and is read as if it did.
    """
    require_names((statement.claim, *statement.where))
    require_ranges((statement.claim, *statement.where))
    lost = set().union(*map(free_letters, statement.where)) & _bound(statement.claim)
    lost -= free_letters(statement.claim)
    if any(not isinstance(s, KEPT) for s in lost):
        names = ", ".join(sorted(map(str, lost)))
        raise IllFormed(f"a condition speaks of {names}, which the claim binds, and restricts "
                        "nothing: put it inside the quantifier, or name it otherwise")
    free = set().union(*(free_letters(f) for f in (statement.claim, *statement.where)))
    bound = set().union(*(_bound(f) for f in (statement.claim, *statement.where)))
    clash = {s for s in free & bound if not isinstance(s, KEPT)}
    if not clash:
        return statement
    fresh = Fresh(statement)
    rename = {s: type(s)(fresh.name(s.name), **s.assumptions0) if type(s) is sp.Symbol
              else type(s)(fresh.name(s.name)) for s in sorted(clash, key=str)}
    claim, *where = (_apart(f, rename) for f in (statement.claim, *statement.where))
    return replace(statement, claim=claim, where=tuple(where))


def require_names(forms: Iterable[Any]) -> None:
    """Refuse two letters that differ in their assumptions and not in their name, free or bound: no
    reader could tell them apart, and a method that goes by names would take one for the other.

    >>> s, positive = sp.Symbol("s", real=True), sp.Symbol("s", positive=True)
    >>> require_names([sp.Le(s, positive, evaluate=False)])
    Traceback (most recent call last):
        ...
    lapdp.core.errors.IllFormed: two letters are called s, one positive, one real: rename one
    """
    taken: dict[str, Any] = {}
    for letter in sorted(set().union(*map(_letters, forms)), key=str):
        other = taken.setdefault(letter.name, letter)
        if other != letter:
            words = sorted(_assumed(s) for s in (other, letter))
            raise IllFormed(f"two letters are called {letter.name}, one {words[0]}, one "
                            f"{words[1]}: rename one")


def _letters(form: Any) -> set[Any]:
    """All symbols of a form, those that its expressions bind among them."""
    found = free_letters(form) | _bound(form)
    for e in lang.expressions(form):
        found |= sp.sympify(e).atoms(sp.Symbol)
    return {s for s in found if type(s) in NAMED}


def _assumed(letter: Any) -> str:
    """What a letter is, in words."""
    if type(letter) is not sp.Symbol:
        return type(letter).__name__.lower()
    return " and ".join(sorted(k for k, v in letter._assumptions_orig.items() if v)) or "unassumed"


def free_letters(form: Any) -> set[Any]:
    """The letters that a form does not bind, those that its pairs hide among them."""
    if isinstance(form, (tuple, list)):
        return set().union(*map(free_letters, form)) if form else set()
    if isinstance(form, sp.Basic):
        return set(form.free_symbols) | {
            s for d in form.atoms(pn.Distribution)
            for s in hidden_parameters(d.pair, indices=True)}
    if not is_dataclass(form):
        return set()
    inside = {s for f in fields(form) if f.name not in BINDERS
              for s in free_letters(getattr(form, f.name))}
    return inside - _own(form)


def _own(form: Any) -> set[Any]:
    found: set[Any] = set()
    for name in BINDERS:
        value = getattr(form, name, ())
        found |= set(value) if isinstance(value, tuple) else {value}
    return found


def _bound(form: Any) -> set[Any]:
    if isinstance(form, (tuple, list)):
        return set().union(*map(_bound, form)) if form else set()
    if isinstance(form, sp.Basic) or not is_dataclass(form):
        return set()
    return _own(form).union(*(_bound(getattr(form, f.name)) for f in fields(form)))


def _apart(form: Any, rename: dict[Any, Any]) -> Any:
    """The form with the letters it binds renamed, below the binder only."""
    if isinstance(form, tuple):
        return tuple(_apart(x, rename) for x in form)
    if not isinstance(form, lang.FORMS) or isinstance(form, Relational):
        return form
    own = {s: rename[s] for s in _own(form) & set(rename)}
    values = {}
    for f in fields(form):
        value = getattr(form, f.name)
        if f.name in BINDERS:
            values[f.name] = _put(value, own)
        else:
            values[f.name] = _apart(_put(value, own) if own else value, rename)
    return type(form)(**values)


def _put(value: Any, own: dict[Any, Any]) -> Any:
    """A part of a form with letters replaced; binders of the same letter below keep theirs."""
    if isinstance(value, tuple):
        return tuple(_put(x, own) for x in value)
    if isinstance(value, Relational):
        return value.func(*(substituted(e, own) for e in value.args), evaluate=False)
    if isinstance(value, sp.Symbol) and value in own:
        return own[value]
    if isinstance(value, sp.Basic):
        _require_seen(value, own)
        return substituted(value, own)
    if not isinstance(value, lang.FORMS):
        return value
    rest = {s: v for s, v in own.items() if s not in _own(value)}
    if not rest:
        return value
    return type(value)(**{f.name: getattr(value, f.name) if f.name in BINDERS
                          else _put(getattr(value, f.name), rest) for f in fields(value)})


def _require_seen(e: Any, own: dict[Any, Any]) -> None:
    """A mechanism given release by release hides its letters from a renaming."""
    for d in e.atoms(pn.Distribution):
        made = getattr(d.pair.role, "composition", None)
        if made is not None and made.mechanism is not None and hidden_parameters(
                d.pair, indices=False) & set(own):
            raise Unsupported("a bound letter inside the mechanism of a composition")


__all__ = ["apart", "free_letters"]
