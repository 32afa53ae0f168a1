"""Sentences as a person reads them; nothing is simplified on the way."""

from __future__ import annotations

import re

from lapdp.kernel.symbols import QUANTIFIERS, SIGNATURES
from lapdp.kernel.terms import Bank

INFIX = {"add": "+", "mul": "*", "eq": "=", "le": "<=", "lt": "<", "and": "and", "or": "or",
         "imp": "->", "iff": "<->", "in": "in"}
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")
MOST_PARTS = 20_000
NAMES = {"R": "tuvwyz", "C": "zws", "O": "xy", "S": "ST", "D": "PQ", "G": "gh", "H": "hk"}


def text(b: Bank, t: int) -> str:
    """A term in one line, fully bracketed; bound variables get names that no letter has, a letter
    that is no plain word is quoted, and what is too long ends in ``...``.

    >>> b = Bank(); x = b.letter("x", "R")
    >>> text(b, b.make("allR", b.make("le", b.bound(0, "R"), x)))
    'all t. (t <= x)'
    """
    taken = {name for name, _ in b.letters[t]}

    def fresh(sort: str, names: tuple[str, ...]) -> str:
        return next((found for n in range(10_000) for name in NAMES.get(sort, "u")
                     if (found := f"{name}{n or ''}") not in taken and found not in names), "?")

    parts_left = MOST_PARTS

    def of(u: int, names: tuple[str, ...]) -> str:
        nonlocal parts_left
        parts_left -= 1
        if parts_left < 0:
            return "..."
        row, kids = b.rows[u], b.children(u)
        symbol = str(row[0])
        if symbol == "b":
            return names[-1 - int(str(row[1]))] if int(str(row[1])) < len(names) else f"#{row[1]}"
        if symbol == "v":
            name = str(row[1])
            return name if PLAIN.fullmatch(name) and name not in SIGNATURES else ascii(name)
        if symbol == "n":
            return str(row[1]) if row[2] == 1 else f"{row[1]}/{row[2]}"
        if symbol in INFIX:
            return f"({of(kids[0], names)} {INFIX[symbol]} {of(kids[1], names)})"
        if symbol == "dens":
            return f"{of(kids[0], names)}({of(kids[1], names)})"
        if not kids:
            return symbol
        parts = []
        for want, a in zip(SIGNATURES[symbol][0], kids, strict=True):
            name = f"{fresh(want[0], names)}. " if len(want) > 1 else ""
            parts.append(name + of(a, (*names, name[:-2]) if name else names))
        if symbol in QUANTIFIERS:
            return f"{'all' if symbol.startswith('all') else 'some'} {parts[0]}"
        return f"{symbol}({', '.join(parts)})"

    return of(t, ())
