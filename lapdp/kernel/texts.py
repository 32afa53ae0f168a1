"""Terms and formulas said by texts, such as ``"0 <= w and exp(x) * w <= 1"``.

A text is written with symbols of the table, arithmetic with x / y for x times the inverse of y and
of two whole numbers for a rational one, relations, ``and``, ``or``, ``not``, ``case(test, yes,
no)``, and binders that name their variable first: ``lint(y, exp(-y * y))``.  Sums and products
group to the left, ``and`` and ``or`` to the right.  A name stands for a term or for a function of
terms.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache, partial, reduce
from typing import Any

from lapdp.kernel.domain import bound_sort, conj, domain
from lapdp.kernel.terms import Bank

ORDERS: dict[type, str] = {ast.Eq: "eq", ast.Lt: "lt", ast.LtE: "le", ast.In: "in"}
OPERATIONS: dict[type, str] = {ast.Add: "add", ast.Mult: "mul", ast.And: "and", ast.Or: "or"}


@cache
def parsed(text: str) -> ast.expr:
    """The tree of a text."""
    return ast.parse(text, mode="eval").body


def read(b: Bank, text: str, names: Mapping[str, Any]) -> int:
    """The term of a text; whatever letters the terms have that names stand for, none is captured.

    >>> from lapdp.kernel.printing import text
    >>> b = Bank()
    >>> text(b, read(b, "allR(y, x < y or y <= 1 / 2)", {"x": b.letter("x", "R")}))
    'all t. ((x < t) or (t <= 1/2))'
    """
    longest = max((len(name) for x in names.values() for name, _ in b.letters[
        x.args[0] if isinstance(x, partial) else x]), default=0)
    return Texts(b, "%" * (longest + 1)).say(text, **names)


class Texts:
    """Says terms of a bank.  A bound variable is, while its body is being said, a letter whose name
    begins with ``mark`` and ends with how many binders stand outside: of what names stand for, only
    terms that were made inside of a body may have such letters."""

    def __init__(self, bank: Bank, mark: str = "%") -> None:
        self.b = bank
        self.mark = mark
        self.depth = 0
        self.said: dict[object, int] = {}
        self.forms: dict[str, Callable[[list[ast.expr], dict[str, Any]], int]] = {}
        """What else a text may call, on the trees of its arguments and what names stand for."""

    # -- binders ----------------------------------------------------------------------------------

    def bind(self, symbol: str, build: Callable[[int], int], *more: int) -> int:
        """``symbol x. build(x)``; with further arguments, after that."""
        return self.b.make(symbol, self.under(bound_sort(symbol), build), *more)

    def under(self, sort: str, build: Callable[[int], int]) -> int:
        """``build(x)`` as the body of a binder."""
        letter = f"{self.mark}{self.depth}", sort
        self.depth += 1
        try:
            body = build(self.b.letter(*letter))
        finally:
            self.depth -= 1
        return self.b.abstract(body, *letter)

    def closed(self, kind: str, formula: int, letters: list[tuple[str, str]]) -> int:
        """The formula for ``all`` or for some (``ex``) values of letters."""
        for name, sort in reversed(letters):
            formula = self.b.make(f"{kind}{sort}", self.b.abstract(formula, name, sort))
        return formula

    # -- formulas ---------------------------------------------------------------------------------

    def every(self, *formulas: int | None) -> int:
        """The conjunction of those that are not None; true for none."""
        found = conj(self.b, *formulas)
        return self.truth() if found is None else found

    def truth(self) -> int:
        """A true formula."""
        return self.b.make("not", self.b.make("false"))

    def meant(self, formula: int) -> int:
        """The formula has a meaning and holds."""
        return self.every(domain(self.b, formula), formula)

    def meaning(self, t: int) -> int:
        """The term has a meaning."""
        return self.every(domain(self.b, t))

    # -- terms of one sort ------------------------------------------------------------------------

    def same(self, *terms: int) -> tuple[int, ...]:
        """Real terms beside complex ones become complex."""
        mixed = {self.b.sorts[t] for t in terms} == {"R", "C"}
        return tuple(self.b.make("cx", t) if mixed and self.b.sorts[t] == "R" else t for t in terms)

    def num(self, symbol: str, *terms: int) -> int:
        """A symbol on numbers of one sort."""
        return self.b.make(symbol, *self.same(*terms))

    def total(self, terms: list[int]) -> int:
        """A sum, from left to right; 0 for none."""
        return reduce(partial(self.num, "add"), terms) if terms else self.b.number(0)

    def product(self, terms: list[int]) -> int:
        """A product, from left to right; 1 for none."""
        return reduce(partial(self.num, "mul"), terms) if terms else self.b.number(1)

    def only(self, test: int | None, value: int) -> int:
        """The value where a test holds, 0 elsewhere; None is a test that always holds."""
        return value if test in (None, self.truth()) else self.b.number(0) if (
            test == self.b.make("false")) else self.say("case(t, x, 0)", t=test, x=value)

    def case(self, test: int, yes: int, no: int) -> int:
        """``if`` as it stands; of formulas, what each case implies."""
        return self.b.make("if", test, *self.same(yes, no)) if self.b.sorts[yes] != "F" else (
            self.say("imp(t, f) and imp(not t, g)", t=test, f=yes, g=no))

    def zero(self, like: int) -> int:
        """0 of the sort of a term; for formulas, what is true."""
        return self.say({"F": "not false", "R": "0", "C": "cx(0)"}[self.b.sorts[like]])

    # -- texts ------------------------------------------------------------------------------------

    def say(self, text: str, **names: Any) -> int:
        """The term or formula of a text.

        >>> from lapdp.kernel.printing import text
        >>> e = Texts(Bank())
        >>> text(e.b, e.say("case(0 < x, 2 / x, 0)", x=e.b.letter("x", "R")))
        'if((0 < x), (2 * inv(x)), 0)'
        """
        if any(type(x) is not int for x in names.values()) or any(f in text for f in self.forms):
            return self.read(parsed(text), names)
        # of terms the same is said, however many binders stand outside, where nothing else is asked
        if (asked := (text, *names.items())) not in self.said:
            self.said[asked] = self.read(parsed(text), names)
        return self.said[asked]

    def read(self, node: Any, names: dict[str, Any]) -> int:
        """The term of a part of a text."""
        def of(part: Any) -> int:
            return self.read(part, names)

        match node:
            case ast.Name(name):
                value = names[name] if name in names else self.b.make(name)
                return value if isinstance(value, int) else self.term(value)
            case ast.Constant(int(value)):
                return self.b.number(value)
            case ast.BinOp(ast.Constant(int(top)), ast.Div(), ast.Constant(int(bottom))):
                return self.b.number(top, bottom)
            case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
                return self.b.number(-value)
            case ast.UnaryOp(ast.USub(), inner):
                return self.num("mul", self.b.number(-1), of(inner))
            case ast.UnaryOp(ast.Not(), inner):
                return self.b.make("not", of(inner))
            case ast.BinOp(left, ast.Sub(), right):
                return self.num("add", of(left), of(ast.UnaryOp(ast.USub(), right)))
            case ast.BinOp(left, ast.Div(), right):
                return self.num("mul", of(left), self.b.make("inv", of(right)))
            case ast.BinOp(left, operation, right):
                return self.num(OPERATIONS[type(operation)], of(left), of(right))
            case ast.BoolOp(operation, parts):
                return reduce(lambda g, f: self.b.make(OPERATIONS[type(operation)], f, g),
                              map(of, reversed(parts)))
            case ast.Compare(left, [order], [right]):
                return self.num(ORDERS[type(order)], of(left), of(right))
            case ast.Call(ast.Name(name), parts) if name in self.forms:
                return self.forms[name](parts, names)
            case ast.Call(ast.Name(name), parts) if name in names or name == "case":
                return (names.get(name) or self.case)(*map(of, parts))
            case ast.Call(ast.Name(name), [ast.Name(variable), inner, *parts]) if (
                    self.b.binder(name, 0)):
                return self.bind(name, lambda x: self.read(inner, {**names, variable: x}),
                                 *map(of, parts))
            case ast.Call(ast.Name(name), parts):
                return self.b.make(name, *map(of, parts))
        raise ValueError(f"no text: {ast.dump(node)}")

    def term(self, e: Any) -> int:
        """The term of what else a name stands for."""
        raise NotImplementedError
