"""Terms: the kernel's own language, with binders, sorts and one substitution.

A term is a row of a :class:`Bank`: a symbol and its children, children being numbers of earlier
rows.  Equal terms have equal numbers.  Bound variables are indices that count binders outwards,
free letters carry a name and a sort.  Nothing is evaluated or reordered when a term is made.

Sorts: R real, C complex, F formula, O outcome, S event, D probability density, G measurable
function from R to R, J measurable function of three real numbers, H family of probability densities
p(x, y), one in y for each outcome x and measurable in both, L sequence of such families: p(i, x, y)
for each real number i, measurable in all three, W measurable function of five real numbers and an
outcome.  In the table of symbols K stands for R or C, the same one throughout a row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import zip_longest
from math import gcd
from typing import Any

from lapdp.kernel.symbols import ALIKE, SIGNATURES, SORTS

Row = tuple[Any, ...]
Measure = tuple[str, tuple[str | None, ...], frozenset[tuple[str, str]], int]
MOST_DEPTH = 200
"""How deep a term may be: every recursion over terms ends long before Python's own limit."""
BINDS: dict[object, tuple[bool, ...]] = {
    symbol: tuple(len(want) > 1 for want in wants) for symbol, (wants, _) in SIGNATURES.items()}
"""Which arguments of a symbol it binds a variable in."""


class Refused(Exception):
    """The input is no derivation of what it claims; the message says where it fails."""


def whole(x: object) -> bool:
    """Is x an int and no bool?  JSON's ``true`` must not pass for 1."""
    return type(x) is int


class Bank:
    """Well-sorted terms, shared: ``rows``, ``sorts``, ``loose`` (the sorts of unbound indices),
    ``letters`` (free letters) and ``depths`` by number; ``polynomials`` is what arithmetic reads.

    >>> b = Bank()
    >>> t = b.letter("t", "R")
    >>> b.make("exp", t) == b.make("exp", t)
    True
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.sorts: list[str] = []
        self.loose: list[tuple[str | None, ...]] = []
        self.letters: list[frozenset[tuple[str, str]]] = []
        self.depths: list[int] = []
        self._index: dict[Row, int] = {}
        self.polynomials: Any = ([("i", None)], {}, {})

    def make(self, symbol: str, *args: object) -> int:
        """The number of a row.  Raises :class:`Refused` unless its children have the sorts that the
        table of symbols asks for."""
        row = (symbol, *args)
        for a in args:
            if type(a) is not int and type(a) is not str:
                raise Refused(f"{symbol}: rows hold whole numbers and names"[:80])
        found = self._index.get(row)
        if found is not None:
            return found
        sort, loose, letters, depth = self._measure(symbol, args)
        if depth > MOST_DEPTH:
            raise Refused("a term too deep")
        self._index[row] = number = len(self.rows)
        self.depths.append(depth)
        self.rows.append(row)
        self.sorts.append(sort)
        self.loose.append(loose)
        self.letters.append(letters)
        return number

    def letter(self, name: str, sort: str) -> int:
        """A free letter."""
        return self.make("v", name, sort)

    def bound(self, index: int, sort: str) -> int:
        """The variable of the binder ``index`` steps out."""
        return self.make("b", index, sort)

    def number(self, top: int, bottom: int = 1) -> int:
        """A rational number, reduced."""
        d = gcd(top, bottom) * (1 if bottom > 0 else -1)
        return self.make("n", top // d, bottom // d)

    def _measure(self, symbol: str, args: tuple[object, ...]) -> Measure:
        """Sort, loose indices, letters and depth of a new row."""
        if symbol in SIGNATURES and len(args) == len(SIGNATURES[symbol][0]):
            return self._fit(symbol, args)
        if symbol in ("b", "v") and len(args) == 2 and args[1] in SORTS:
            name, sort = args
            if symbol == "b" and type(name) is int and 0 <= name < 1000:
                return str(sort), (None,) * name + (str(sort),), frozenset(), 0
            if symbol == "v" and isinstance(name, str) and name:
                return str(sort), (), frozenset([(name, str(sort))]), 0
        elif symbol == "n" and len(args) == 2:
            top, bottom = args
            if type(top) is int and type(bottom) is int and bottom > 0 and gcd(top, bottom) == 1:
                return "R", (), frozenset(), 0
        raise Refused(f"no term: {symbol} {args}"[:120])

    def _fit(self, symbol: str, args: tuple[object, ...]) -> Measure:
        wants, value = SIGNATURES[symbol]
        alike, depth, known = "", 0, len(self.rows)
        loose: tuple[str | None, ...] = ()
        letters: frozenset[tuple[str, str]] = frozenset()
        for want, a in zip(wants, args, strict=True):
            if type(a) is not int or not 0 <= a < known:
                raise Refused(f"{symbol}: {a!r} is no earlier term")
            inner, sort, wanted, more = self.loose[a], self.sorts[a], want[-1], self.letters[a]
            if want != wanted:
                if inner and inner[0] not in (None, want[0]):
                    raise Refused(f"{symbol} binds a variable of another sort")
                inner = inner[1:]
            if wanted == "K":
                wanted = alike = alike or (sort if sort in ALIKE else "R")
            if sort != wanted:
                raise Refused(f"{symbol}: {sort} where {wanted} is needed")
            if inner and inner != loose:
                if any(s and t and s != t for s, t in zip(loose, inner, strict=False)):
                    raise Refused(f"{symbol}: one index, two sorts")
                loose = tuple(s or t for s, t in zip_longest(loose, inner)) if loose else inner
            if more is not letters and not more <= letters:
                letters = letters | more if letters else more
            depth = max(depth, self.depths[a])
        return (alike or "R") if value == "K" else value, loose, letters, 1 + depth

    def binder(self, symbol: object, i: int) -> bool:
        """Does the symbol bind a variable in its i-th argument?"""
        return BINDS[symbol][i]

    def children(self, t: int) -> tuple[int, ...]:
        """The children of a term; none for letters, indices and numbers."""
        row = self.rows[t]
        return row[1:] if row[0] in SIGNATURES else ()

    def walk(self, t: int, leaf: Callable[[int, int], int | None], inside: int = -1000) -> int:
        """Rebuild t; ``leaf(u, depth)`` says what replaces u below ``depth`` binders, None: go on
        inside.  With ``inside`` what has no loose index from there on is left as it is."""
        rows, loose = self.rows, self.loose
        memo: dict[tuple[int, int], int] = {}

        def down(u: int, depth: int) -> int:
            if (found := memo.get((u, depth))) is None:
                if (found := leaf(u, depth)) is None:
                    row, binds, over = rows[u], BINDS.get(rows[u][0]), depth + inside
                    new = row if not binds else (row[0], *[
                        a if len(loose[a]) <= over + more else down(a, depth + more)
                        for a, more in zip(row[1:], binds, strict=True)])
                    found = self._index.get(new) or self.make(*new)
                memo[u, depth] = found
            return found

        return t if len(loose[t]) <= inside else down(t, 0)

    def lift(self, t: int, by: int = 1, inside: int = 0) -> int:
        """t moved below ``by`` more binders: its loose indices, from ``inside`` on, grow."""
        if not by or not self.loose[t]:
            return t

        def leaf(u: int, depth: int) -> int | None:
            row = self.rows[u]
            return self.bound(row[1] + by, row[2]) if row[0] == "b" else None

        return self.walk(t, leaf, inside)

    def deepen(self, body: int) -> int:
        """The body of a binder as the body of one that stands inside one more binder."""
        return self.lift(body, 1, 1)

    def open(self, body: int, value: int) -> int:
        """The body of a binder, its variable replaced by a term."""
        def leaf(u: int, depth: int) -> int | None:
            if self.rows[u][0] != "b":
                return None
            _, index, sort = self.rows[u]
            if index == depth:
                if sort != self.sorts[value]:
                    raise Refused("a variable replaced by a term of another sort")
                return self.lift(value, depth)
            return self.bound(index - 1, sort)

        return self.walk(body, leaf, 0)

    def put(self, t: int, values: dict[tuple[str, str], int]) -> int:
        """t with letters replaced, each by a term of its sort: no variable is captured."""
        if any(self.sorts[v] != sort for (_, sort), v in values.items()):
            raise Refused("a letter replaced by a term of another sort")

        def leaf(u: int, depth: int) -> int | None:
            if self.letters[u].isdisjoint(values):
                return u
            row = self.rows[u]
            return self.lift(values[row[1:]], depth) if row[0] == "v" else None

        return self.walk(t, leaf)

    def abstract(self, t: int, name: str, sort: str) -> int:
        """The body of a binder whose variable stands where the letter stood in t."""
        def leaf(u: int, depth: int) -> int | None:
            row = self.rows[u]
            if row[0] == "v":
                return self.bound(depth, sort) if row[1:] == (name, sort) else u
            if row[0] == "b":
                return u if row[1] < depth else self.bound(row[1] + 1, row[2])
            free = (name, sort) in self.letters[u] or len(self.loose[u]) > depth
            return None if free else u

        return self.walk(t, leaf)

    def digest(self, t: int) -> str:
        """A hash of the term, the same in every bank."""
        memo: dict[int, str] = {}

        def of(u: int) -> str:
            if u not in memo:
                row = self.rows[u]
                kids = self.children(u)
                parts = [of(a) for a in kids] if kids else [repr(a) for a in row[1:]]
                memo[u] = hashlib.sha256(" ".join([str(row[0]), *parts]).encode()).hexdigest()
            return memo[u]

        return of(t)
