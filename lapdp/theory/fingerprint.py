"""A digest of what is checked: equal exactly when two statements are the same sentence.

Pairs and channels are told apart by identity and numbered in order of appearance, so that a product
is not taken for an arbitrary pair of the same name, nor two pairs of one name for one. Symbols
count with their assumptions, mechanisms with all their parameters.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.core.errors import IllFormed
from lapdp.privacy.families import Channel, Composition
from lapdp.privacy.nodes import Distribution, PairOf

_INDEX = sp.Symbol("#i", integer=True, positive=True)
_PLAIN = (str, int, bool, Fraction, type(None))
_DUMMY = re.compile(r"dummy_index=(\d+)")


def fingerprint(parts: Iterable[Any]) -> str:
    """Sixteen hexadecimal digits that stand for a sequence of forms, expressions and plain data.

    Raises :class:`IllFormed` for an object of which it cannot tell what it holds.

    >>> from lapdp.theory import Eq, delta, pair, reals
    >>> P, Q = pair(); A, B = pair(); eps = reals("eps")
    >>> one, same, other = (Eq(delta(*first)(eps), delta(*second)(eps))
    ...                     for first, second in [((P, Q), (P, Q)), ((A, B), (A, B)),
    ...                                           ((P, Q), (A, B))])
    >>> fingerprint([one]) == fingerprint([same]), fingerprint([one]) == fingerprint([other])
    (True, False)
    """
    return digest(parts)[:16]


def digest(parts: Iterable[Any]) -> str:
    """The whole SHA-256 digest of which :func:`fingerprint` is the beginning.

    >>> len(digest(["one"])), digest(["one"]).startswith(fingerprint(["one"]))
    (64, True)
    """
    return _hashed(written(parts))


def written(parts: Iterable[Any]) -> str:
    """The text that :func:`digest` hashes.

    >>> written(["one", 2])
    "(str:'one',int:2)"
    """
    return _Writer().text(tuple(parts))


def digest_of(statement: Any, before: Iterable[Any] = (), after: Iterable[Any] = ()) -> str:
    """The digest of plain data, what a judge sees of a statement, and more plain data: the
    statement, which takes long to write, is written once.

    >>> from lapdp.theory import Eq
    >>> from lapdp.theory.statement import Statement
    >>> one = Statement("a/eq-1", Eq(1, 1))
    >>> whole = (2, one.claim, *one.where, one.hints, one.cited, "three")
    >>> digest_of(one, [2], ["three"]) == digest(whole)
    True
    """
    sides = [part for part in (written(before)[1:-1], statement.written[1:-1],
                               written(after)[1:-1]) if part]
    return _hashed(f"({','.join(sides)})")


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def identity(statement: Any) -> str:
    """Digest of all of a statement that a judge sees; empty where it cannot be told what it holds.

    >>> from lapdp.theory import Eq
    >>> from lapdp.theory.statement import Statement
    >>> identity(Statement("a/eq-1", Eq(1, 1))) == identity(Statement("a/eq-1", Eq(1, 2)))
    False
    """
    try:
        return digest_of(statement, [statement.id])
    except IllFormed:
        return ""


class _Writer:
    """Writes objects out; pairs get numbers when they are met for the first time."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.channels: dict[int, int] = {}
        self.dummies: dict[str, int] = {}

    def text(self, x: Any) -> str:
        if isinstance(x, PairOf):
            return self._pair(x)
        if isinstance(x, sp.Basic):
            return self._expression(x)
        if isinstance(x, (Enum, _PLAIN)):
            return f"{type(x).__name__}:{x!r}"
        if isinstance(x, Mapping):
            items = sorted((self.text(k), self.text(v)) for k, v in x.items())
            return "{" + ",".join(f"{k}={v}" for k, v in items) + "}"
        if isinstance(x, (tuple, list)):
            return "(" + ",".join(map(self.text, x)) + ")"
        if isinstance(x, (set, frozenset)):
            return "<" + ",".join(sorted(map(self.text, x))) + ">"
        if isinstance(x, Channel):
            # one channel of two pairs is not two of one name
            return f"channel{self.channels.setdefault(id(x), len(self.channels))}:{x.name}"
        if isinstance(x, Composition) and x.mechanism is not None:
            # what a function says of release i, for a letter i that no statement has
            return f"composition{self.text((x.names, x.mechanism(_INDEX)))}"
        if is_dataclass(x) and not isinstance(x, type):
            held: Any = {f.name: getattr(x, f.name) for f in fields(x)}
        else:
            held = _attributes(x)
        return f"{type(x).__qualname__}{self.text(held)}"

    def _pair(self, identity: PairOf) -> str:
        known = self.numbers.get(id(identity))
        if known is not None:
            return f"pair{known}"
        self.numbers[id(identity)] = number = len(self.numbers)
        held = {k: v for k, v in vars(identity).items() if v not in ((), None)}
        return f"pair{number}{self.text(held)}"

    def _expression(self, e: Any) -> str:
        if isinstance(e, Distribution):
            return f"{self._pair(e.pair)}.{e.side}"
        members = list(_members(e))
        if not members:
            return self._tree(e)
        head = ",".join(self._expression(m) for m in dict.fromkeys(members))
        names = {m: sp.Symbol(f"pair{self.numbers[id(m.pair)]}.{m.side}") for m in members}
        return f"{head}|{self._named(e, names)}"

    def _named(self, e: Any, names: Mapping[Any, Any]) -> str:
        """The tree of an expression, distributions under their numbers; nothing is rebuilt, so that
        nothing can be evaluated."""
        if e in names:
            return str(names[e].name)
        if not e.args or not e.has(Distribution):
            return self._tree(e)
        kind = "function " if isinstance(e, AppliedUndef) else ""
        return f"{kind}{type(e).__name__}({','.join(self._named(a, names) for a in e.args)})"

    def _tree(self, e: Any) -> str:
        """SymPy counts its dummy symbols from a random number on: here they count from 0."""
        return _DUMMY.sub(lambda m: f"dummy{self.dummies.setdefault(m[1], len(self.dummies))}",
                          _srepr(e))


@lru_cache(maxsize=20_000, typed=True)
def _srepr(e: Any) -> str:
    """The tree of an expression; statements of a paper are made of the same few."""
    return str(sp.srepr(e))


def _members(e: Any) -> Iterator[Any]:
    """The distributions of an expression in the order of its arguments, which SymPy's traversal
    leaves to chance under Min and Max."""
    if isinstance(e, Distribution):
        yield e
    for a in e.args:
        yield from _members(a)


def _attributes(x: Any) -> dict[str, Any]:
    slots = [s for c in type(x).__mro__ for s in getattr(c, "__slots__", ())]
    held = {**{s: getattr(x, s) for s in slots if hasattr(x, s)}, **getattr(x, "__dict__", {})}
    kept = {k: v for k, v in held.items() if not k.startswith("_")}
    if not kept:
        raise IllFormed(f"it cannot be told what {x!r} holds, so it can be no part of a statement")
    return kept
