"""What the kernel sees by structure, as Rocq terms: functions that are measurable, derivatives."""

from __future__ import annotations

from lapdp.kernel import Bank
from lapdp.kernel.analysis import derivative
from lapdp.kernel.domain import conj
from lapdp.kernel.symbols import INTEGRALS, SIGNATURES
from lapdp.report.rocq.words import SPACES, NotPrinted, Words

MEASURED = frozenset({"add", "mul", "inv", "exp", "if", "abs", "max", "min", "log", "sqrt", "erfc",
                      "cos", "sin"})
EVENTS = frozenset({"eq", "le", "lt", "not", "and", "or", "imp", "iff"})


def measurable(words: Words, body: int, sorts: tuple[str, ...]) -> str:
    """A proof that the body of binders of these sorts, the outermost first, is measurable; of a
    formula: that it is an event.

    Raises :class:`NotPrinted` for symbols of which the library does not know it.
    """
    b, row, kids = words.bank, words.bank.rows[body], words.bank.children(body)
    symbol, space = str(row[0]), _space(sorts)
    formula = b.sorts[body] == "F"
    if not b.loose[body]:
        return f"({'ev' if formula else 'meas'}_const (s := {space}) {words.text(body)})"
    if symbol == "b":
        if sorts[-1 - int(str(row[1]))] != "R":
            raise NotPrinted("an outcome as a function")
        return _along("meas", sorts, int(str(row[1])), "meas_id")
    if symbol in ("dens", "in"):
        value, place = (kids[0], kids[1]) if symbol == "dens" else (kids[1], kids[0])
        if b.rows[place][0] != "b" or b.loose[value]:
            raise NotPrinted(f"measurability of {symbol}")
        known = f"({'dens' if symbol == 'dens' else 'mem'}_meas {words.text(value)})"
        return _along("ev" if formula else "meas", sorts, int(str(b.rows[place][1])), known)
    if symbol in INTEGRALS:
        sort = SIGNATURES[symbol][0][0][0]
        names = _names(len(sorts), "z_")
        function = f"(fun z_ y_ => {words.text(kids[0], (*names, 'y_'))})"
        return (f"(meas_int {space} {SPACES[sort]} {function} "
                f"{measurable(words, kids[0], (*sorts, sort))})")
    if symbol == "app" and not b.loose[kids[0]]:
        return f"(meas_app {words.text(kids[0])} _ {measurable(words, kids[1], sorts)})"
    if symbol not in (EVENTS if formula else MEASURED):
        raise NotPrinted(f"measurability of {symbol}")
    lemma = f"{'ev' if formula else 'meas'}_{symbol}"
    holes = " ".join("_" for _ in kids)
    return f"({lemma} {holes} {' '.join(measurable(words, k, sorts) for k in kids)})"


def _space(sorts: tuple[str, ...]) -> str:
    found = SPACES[sorts[0]]
    for sort in sorts[1:]:
        found = f"(Both {found} {SPACES[sort]})"
    return found


def _names(count: int, z: str) -> tuple[str, ...]:
    """The variables as parts of one point."""
    return (*_names(count - 1, f"(fst {z})"), f"(snd {z})") if count > 1 else (z,)


def _along(kind: str, sorts: tuple[str, ...], index: int, proof: str) -> str:
    """From a function of one variable to one of all."""
    place = len(sorts) - 1 - index
    if place:
        proof = f"({kind}_snd {_space(sorts[:place])} {SPACES[sorts[place]]} _ {proof})"
    for i in range(place + 1, len(sorts)):
        proof = f"({kind}_fst {_space(sorts[:i])} {SPACES[sorts[i]]} _ {proof})"
    return proof


def smooth(words: Words, body: int, at: str, given: dict[int, str]) -> str:
    """A proof that the body of a binder over R has the derivative of the kernel's table at a point,
    from proofs of the conditions that the table asks for."""
    b, row, kids = words.bank, words.bank.rows[body], words.bank.children(body)
    symbol = str(row[0])
    if not b.loose[body]:
        return f"(C1_const {words.text(body)} {at})"
    if symbol == "b":
        return f"(C1_id {at})"
    if symbol not in ("add", "mul", "exp", "inv", "log", "sqrt", "erfc", "cos", "sin"):
        raise NotPrinted(f"a derivative of {symbol}")
    functions = [f"{words.over('R', k)} {words.over('R', derivative(b, k)[0])}" for k in kids]
    asked = condition(b, symbol, kids[0])
    own = [] if asked is None else [given[asked]]
    parts = [smooth(words, k, at, given) for k in kids]
    return f"(C1_{symbol} {' '.join([*functions, at, *own, *parts])})"


def condition(b: Bank, symbol: str, inner: int) -> int | None:
    """What the table of derivatives asks of the argument itself."""
    if symbol == "inv":
        return b.make("not", b.make("eq", inner, b.number(0)))
    return b.make("lt", b.number(0), inner) if symbol in ("log", "sqrt") else None


def conditions(b: Bank, body: int, proof: str) -> dict[int, str]:
    """Proofs of the single conditions from a proof of all that the table asks of a body."""
    whole = derivative(b, body)[1]
    if whole is None:
        return {}
    kids = b.children(body)
    below = conj(b, *(derivative(b, k)[1] for k in kids))
    own = condition(b, str(b.rows[body][0]), kids[0])
    found: dict[int, str] = {}
    if own is not None:
        found[own] = f"(proj2 {proof})" if below not in (None, own) else proof
        proof = f"(proj1 {proof})" if below not in (None, own) else proof
    groups = list(dict.fromkeys(c for k in kids if (c := derivative(b, k)[1]) is not None))
    for k in kids:
        c = derivative(b, k)[1]
        if c is not None:
            part = proof
            if len(groups) > 1:
                part = f"(proj1 {proof})" if c == groups[0] else f"(proj2 {proof})"
            found.update(conditions(b, k, part))
    return found
