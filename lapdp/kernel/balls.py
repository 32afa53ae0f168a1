"""Numbers without letters, enclosed by ball arithmetic (python-flint's ``arb``)."""

from __future__ import annotations

from flint import arb, ctx, fmpq

from lapdp.kernel.rules import Theorem, require, rule
from lapdp.kernel.terms import Bank, Refused

MOST_BITS = 4000


@rule
def ball(b: Bank, goal: int, given: list[Theorem], data: list[object]) -> frozenset[int]:
    """|- s < t, |- s <= t or |- not s = t for numbers without letters whose enclosures are apart
    data: the bits of precision"""
    bits = str(data[0]) if len(data) == 1 else ""
    require(bits.isdecimal() and len(bits) < 5 and 2 <= int(bits) <= MOST_BITS, "bits")
    relation = goal
    if b.rows[goal][0] == "not":
        (relation,) = b.children(goal)
        require(b.rows[relation][0] == "eq", "not =")
    else:
        require(b.rows[goal][0] in ("lt", "le"), "< or <=")
    with ctx.workprec(int(bits)):
        known: dict[int, arb] = {}
        left, right = (enclosure(b, t, known) for t in b.children(relation))
        apart = bool(left < right) or (relation != goal and bool(right < left))
    require(apart, "the enclosures meet")
    return frozenset()


def enclosure(b: Bank, t: int, known: dict[int, arb] | None = None) -> arb:
    """A ball that holds the number; refuses letters and what has no value."""
    known = {} if known is None else known
    if t not in known:
        known[t] = _enclosure(b, t, known)
    return known[t]


def _enclosure(b: Bank, t: int, known: dict[int, arb]) -> arb:
    symbol, kids = b.rows[t][0], b.children(t)
    if symbol == "n":
        found = arb(fmpq(int(str(b.rows[t][1])), int(str(b.rows[t][2]))))
    elif symbol == "pi":
        found = arb.pi()
    elif symbol in ("add", "mul", "max", "min") and b.sorts[t] == "R":
        x, y = (enclosure(b, k, known) for k in kids)
        found = (x + y if symbol == "add" else x * y if symbol == "mul"
                 else x.max(y) if symbol == "max" else x.min(y))
    elif symbol in ("inv", "exp", "log", "sqrt", "erfc", "cos", "sin", "abs") and (
            b.sorts[kids[0]] == "R"):
        x = enclosure(b, kids[0], known)
        if symbol == "inv":
            require(not x.contains(0), "1/0")
            found = 1 / x
        else:
            require(symbol not in ("log", "sqrt") or bool(x > 0), f"{symbol} of what may be <= 0")
            found = abs(x) if symbol == "abs" else getattr(x, str(symbol))()
    else:
        raise Refused(f"{symbol} is no number")
    require(bool(found.is_finite()), "no finite enclosure")
    return found
