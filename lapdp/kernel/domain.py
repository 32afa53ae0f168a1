"""Domain conditions by one recursion: when does a sentence have a meaning?

``if``, ``and``, ``or`` and ``imp`` are lazy; quantifiers, integrals and sets quantify; the rest
asks of all its arguments and of itself what the table below says.  "There is" has a meaning where
one instance has one and is true, as well: else a hypothesis such as "1/y > 0 for some y" would
never have one, and everything would follow from it.
"""

from __future__ import annotations

from functools import reduce

from lapdp.kernel.symbols import INTEGRALS, QUANTIFIERS, SIGNATURES
from lapdp.kernel.terms import Bank


def conj(b: Bank, *formulas: int | None) -> int | None:
    """The conjunction, ``None`` standing for what is true."""
    found = [f for f in dict.fromkeys(formulas) if f is not None]
    return reduce(lambda whole, f: b.make("and", f, whole), reversed(found)) if found else None


def _given(b: Bank, premise: int, formula: int | None) -> int | None:
    return None if formula is None else b.make("imp", premise, formula)


def _own(b: Bank, symbol: str, kids: tuple[int, ...]) -> int | None:
    """What the symbol itself asks of its arguments."""
    if symbol in ("inv", "clog"):
        zero = b.number(0)
        return b.make("not", b.make("eq", kids[0], zero if b.sorts[kids[0]] == "R"
                                    else b.make("cx", zero)))
    if symbol in ("log", "sqrt"):
        return b.make("lt" if symbol == "log" else "le", b.number(0), kids[0])
    if symbol in INTEGRALS:
        return b.make(INTEGRALS[symbol], kids[0])
    if symbol == "supS":
        bound, body = b.bound(1, "R"), kids[0]
        below = b.make("allS", b.make("le", b.deepen(body), bound))
        return b.make("exR", below)
    if symbol == "supR":
        member, below = kids[0], b.make("le", b.bound(0, "R"), b.bound(1, "R"))
        up = b.make("imp", b.deepen(member), below)
        return b.make("and", b.make("exR", b.make("allR", up)), b.make("exR", member))
    return None


def domain(b: Bank, t: int, memo: dict[int, int | None] | None = None) -> int | None:
    """The domain condition of a term or formula; ``None``: it always has a meaning.

    >>> b = Bank(); y = b.letter("y", "R")
    >>> b.rows[domain(b, b.make("inv", y))][0]
    'not'
    """
    memo = {} if memo is None else memo
    if t in memo:
        return memo[t]
    symbol, kids = str(b.rows[t][0]), b.children(t)
    found: int | None
    if not kids:
        found = None
    elif symbol in ("and", "imp"):
        found = conj(b, domain(b, kids[0], memo), _given(b, kids[0], domain(b, kids[1], memo)))
    elif symbol == "or":
        no = b.make("not", kids[0])
        found = conj(b, domain(b, kids[0], memo), _given(b, no, domain(b, kids[1], memo)))
    elif symbol == "if":
        no = b.make("not", kids[0])
        found = conj(b, domain(b, kids[0], memo), _given(b, kids[0], domain(b, kids[1], memo)),
                     _given(b, no, domain(b, kids[2], memo)))
    elif symbol.startswith("ex") and symbol in QUANTIFIERS:
        inner, s = domain(b, kids[0], memo), bound_sort(symbol)
        found = None if inner is None else b.make(
            "or", b.make(f"ex{s}", b.make("and", inner, kids[0])), b.make(f"all{s}", inner))
    else:
        parts: list[int | None] = []
        for i, a in enumerate(kids):
            inner = domain(b, a, memo)
            if inner is not None and b.binder(symbol, i):
                inner = b.make(f"all{bound_sort(symbol)}", inner)
            parts.append(inner)
        found = conj(b, *parts, _own(b, symbol, kids))
    memo[t] = found
    return found


def bound_sort(symbol: str) -> str:
    """The sort of the variable that a symbol binds."""
    return next(want[0] for want in SIGNATURES[symbol][0] if len(want) > 1)


def statement(b: Bank, hypotheses: list[int], claim: int) -> int:
    """The sentence that stands for a statement: under hypotheses that have a meaning and hold, the
    claim has a meaning and holds.

    >>> b = Bank(); y = b.letter("y", "R"); zero = b.number(0)
    >>> s = statement(b, [b.make("lt", zero, y)], b.make("lt", zero, b.make("inv", y)))
    >>> b.rows[s][0]
    'imp'
    """
    given = [part for h in hypotheses for part in (domain(b, h), h)]
    goal = conj(b, domain(b, claim), claim)
    assert goal is not None
    return b.make("imp", premise, goal) if (premise := conj(b, *given)) is not None else goal
