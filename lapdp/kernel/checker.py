"""The checker: a bank of terms, theorems made by rules, and the one door for files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from lapdp.kernel import analysis, balls, facts, integrals, logic
from lapdp.kernel.rules import RULES, Theorem, require
from lapdp.kernel.terms import Bank, Refused, whole

FAMILIES = (logic, analysis, integrals, balls, facts)
MOST_ROWS = 2_000_000


class Checker:
    """Theorems in the order in which they were derived, and how often each rule was used.

    What a rule said once it says again: ``known`` are the theorems made in this bank by rule,
    conclusion, premises and data, so that a checker ``after`` another one goes on with its bank and
    makes no theorem twice.  An exception other than :class:`Refused` may leave a bank half written:
    nothing goes on with it.

    >>> c = Checker()
    >>> zero = c.bank.number(0)
    >>> c.step("refl", c.bank.make("eq", zero, zero), [], [])
    0
    """

    def __init__(self, bank: Bank | None = None, after: Checker | None = None) -> None:
        self.bank: Bank = after.bank if after else Bank() if bank is None else bank
        self.known: dict[tuple[object, ...], Theorem] = after.known if after else {}
        self.theorems: list[Theorem] = []
        self.uses: Counter[str] = Counter()

    def step(self, name: str, goal: int, premises: list[int], data: list[object]) -> int:
        """The number of a new theorem.  Raises :class:`Refused` unless the rule gives it."""
        b, made, number = self.bank, self.theorems, len(self.theorems)
        require(name in RULES, f"no rule {name!r}"[:80])
        require(whole(goal) and 0 <= goal < len(b.rows) and b.sorts[goal] == "F"
                and not b.loose[goal], "a conclusion is a closed formula")
        used = [made[i] for i in premises if type(i) is int and 0 <= i < number]
        require(len(used) == len(premises), "a premise is an earlier theorem")
        # repr: true is not 1, and a text no number
        key = (name, goal, *used, repr(data))
        if (theorem := self.known.get(key)) is None:
            try:
                hyps = RULES[name](b, goal, used, data)
            except (ValueError, TypeError, IndexError) as problem:
                raise Refused(f"{name}: {problem}") from None
            named = frozenset([str(data[0])] if name == "fact" else ())
            self.known[key] = theorem = Theorem(hyps, goal, named.union(*[t.facts for t in used]))
        self.uses[name] += 1
        made.append(theorem)
        return number


def read_lines(lines: Iterable[str], after: Checker | None = None) -> Checker:
    """Check a derivation: lines ``["t", symbol, ...]`` and ``["p", rule, conclusion, premises,
    data]``, naming earlier terms and steps by their place among terms and among steps.

    In data a whole number is a term, a text is itself, and ``[term, [i, ...]]`` a part of
    ``arith``; ``after`` is a checker whose bank is gone on with.  Raises :class:`Refused` with the
    number of the line.

    >>> c = read_lines(['["t", "n", 0, 1]', '["t", "eq", 0, 0]', '["p", "refl", 1, [], []]'])
    >>> len(c.theorems)
    1
    """
    checker = Checker(after=after)
    terms: list[int] = []
    for number, line in enumerate(lines, 1):
        try:
            require(number <= MOST_ROWS, "too many rows")
            row, end = _JSON.raw_decode(line)
            require(type(row) is list and len(row) > 1 and type(row[1]) is str
                    and (end == len(line) or not line[end:].strip()), "neither a term nor a step")
            if row[0] == "t":
                known = len(terms)
                args = row[2:] if row[1] in ("n", "v", "b") else [
                    terms[a] if type(a) is int and 0 <= a < known else _of(terms, a)
                    for a in row[2:]]
                terms.append(checker.bank.make(row[1], *args))
            else:
                require(row[0] == "p" and len(row) == 5 and type(row[3]) is list
                        and type(row[4]) is list, "neither a term nor a step")
                data = [_entry(x, terms) for x in row[4]]
                checker.step(row[1], _of(terms, row[2]), row[3], data)
        except Refused as problem:
            raise Refused(f"line {number}: {problem}") from None
        except (ValueError, RecursionError, OverflowError, TypeError) as problem:
            raise Refused(f"line {number}: {type(problem).__name__}: {problem}"[:160]) from None
    return checker


def _of(terms: list[int], place: object) -> int:
    if type(place) is not int or not 0 <= place < len(terms):
        raise Refused(f"{place!r} is no earlier term"[:80])
    return terms[place]


def _entry(x: object, terms: list[int]) -> object:
    if type(x) is str:
        return x
    return [_of(terms, x[0]), x[1]] if type(x) is list and len(x) == 2 else _of(terms, x)


def _no_float(text: str) -> None:
    raise Refused("numbers are whole")


_JSON = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)
