"""Letters, bound variables, side conditions and texts while one statement becomes a sentence.

What a notion means is written as a text, such as ``"max(0, p - exp(x) * q)"``: symbols of the
kernel, arithmetic with x / y for x times the inverse of y, relations, ``and``, ``or``, ``not``,
``case(test, yes, no)``, and binders that name their variable first: ``lint(y, exp(-y * y))``.
``Int(f)`` is the integral of f over the space, in which P and Q are densities of one pair, and
``limit(u, f)`` the limit of f as u tends to +oo.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial, reduce
from typing import Any

from lapdp.kernel.domain import bound_sort, conj, domain
from lapdp.kernel.terms import Bank
from lapdp.privacy.nodes import Event, Outcome

ASSUMED = {"positive": "0 < x", "negative": "x < 0", "nonnegative": "0 <= x",
           "nonpositive": "x <= 0", "nonzero": "not x == 0"}
"""What a real symbol with an assumption is: the first that it has says all."""
TRANSLATED = {*ASSUMED, "real", "integer", "complex", "commutative", "finite"}
"""Assumptions that are said by the sorts and by :meth:`Scope.assumed`."""
ORDERS: dict[type, str] = {ast.Eq: "eq", ast.Lt: "lt", ast.LtE: "le", ast.In: "in"}


class NotSaid(Exception):
    """The kernel's language does not say this, or not yet; the message is the reason."""


def refuse(when: Any, why: str) -> None:
    """Raises :class:`NotSaid` where something is the case."""
    if when:
        raise NotSaid(why)


@cache
def parsed(text: str) -> ast.expr:
    """The tree of a text."""
    return ast.parse(text, mode="eval").body


class Scope:
    """Terms for the free letters and bound variables of one statement.

    ``conditions`` are what the relation being read needs besides itself: weights of a mixture that
    are weights, masses that must vanish for a value to be finite.
    """

    def __init__(self, bank: Bank) -> None:
        self.b = bank
        self.bound: dict[Any, int] = {}
        self.letters: dict[Any, int] = {}
        self.taken: set[str] = set()
        self.conditions: list[int] = []
        self.notes: set[str] = set()
        self.claiming = True
        """Is what is read claimed?  A hypothesis must not be read more strictly than it is meant.
        """
        self.finite_meant = False
        """Is what is read false where a value is infinite?"""
        self.masses: dict[int, list[tuple[Any, Any]]] = {}
        """Symbols for the masses of pairs that are finite ones."""
        self.given: list[int] = []
        """What the letters of means are, as hypotheses."""
        self.limits: set[int] = set()
        """Conditions without which a value is +oo, not undefined."""
        self.finite_ones: set[Any] = set()
        """What a hypothesis before says to be finite."""
        self.ends: dict[Any, str] = {}
        self.depth = self.base = 0
        self.named: list[tuple[str, str]] = []
        """Letters for the limits in the relation that is being read, which began at depth ``base``.
        """
        self.fixed: set[Any] = set()
        """Letters of which the hypotheses speak."""
        self.definitions: list[int] = []
        """What defines letters for recursions, each before the letters that speak of it."""
        self.before: list[Callable[[int], int]] = []
        """The element before, at a point, for each recursion that is being read."""
        self.tops: tuple[Any, ...] = ()
        """The relations that the statement claims, each for all values of its free letters."""

    @contextmanager
    def having(self, **values: Any) -> Iterator[None]:
        """Attributes have other values inside the block."""
        before = {name: getattr(self, name) for name in values}
        vars(self).update(values)
        try:
            yield
        finally:
            vars(self).update(before)

    def where(self, values: dict[Any, int]) -> Any:
        """Bound variables stand for terms inside the block."""
        return self.having(bound={**self.bound, **values})

    def supposing(self) -> Any:
        """Inside the block formulas are hypotheses, or both hypotheses and claims."""
        return self.having(claiming=False)

    def finitely(self) -> Any:
        """Inside the block an infinite value makes what is read false."""
        return self.having(finite_meant=True)

    # -- letters and binders --------------------------------------------------------------------

    def letter(self, key: Any, name: str, sort: str) -> int:
        """The free letter of an object; different objects never share a name."""
        if key not in self.letters:
            unique, n = name, 1
            while unique in self.taken or not unique or unique.startswith("%"):
                n += 1
                unique = f"{name}#{n}"
            self.taken.add(unique)
            self.letters[key] = self.b.letter(unique, sort)
        return self.letters[key]

    def assumed(self, symbol: Any, value: int) -> list[int]:
        """What the assumptions of a symbol say of its value, as formulas."""
        asked = symbol._assumptions_orig
        refuse(asked.keys() - TRANSLATED or not all(asked.values()), f"the assumptions of {symbol}")
        if not symbol.is_integer:
            found = (text for name, text in ASSUMED.items() if getattr(symbol, f"is_{name}"))
            return [self.say(text, x=value) for text in list(found)[:1] if symbol.is_real]
        refuse(not symbol.is_nonnegative, "whole numbers of any sign")
        return [self.say(text, x=value) for text in ("nat(x)", "1 <= x")[
            :2 if symbol.is_positive else 1]]

    def bind(self, symbol: str, build: Callable[[int], int]) -> int:
        """``symbol x. build(x)``."""
        return self.b.make(symbol, self.under(bound_sort(symbol), build))

    def under(self, sort: str, build: Callable[[int], int]) -> int:
        """``build(x)`` as the body of a binder; a condition met inside is asked of every x."""
        letter, before = (f"%{self.depth}", sort), len(self.conditions)
        with self.having(depth=self.depth + 1):
            body = build(self.b.letter(*letter))
        for i in range(before, len(self.conditions)):
            if letter in self.b.letters[self.conditions[i]]:
                self.stricter("a condition for every value of a bound variable")
                self.conditions[i] = self.closed("all", self.conditions[i], [letter])
        return self.b.abstract(body, *letter)

    def closed(self, kind: str, formula: int, letters: list[tuple[str, str]]) -> int:
        """The formula for ``all`` or for some values of letters."""
        for name, sort in reversed(letters):
            formula = self.b.make(f"{kind}{sort}", self.b.abstract(formula, name, sort))
        return formula

    # -- conditions -------------------------------------------------------------------------------

    def stricter(self, why: str) -> None:
        """The sentence claims more than the statement: never where something is supposed."""
        refuse(not self.claiming, f"in a hypothesis: {why}")
        self.notes.add(why)

    def unlimited(self, why: str) -> None:
        """A value may be +oo or have none; the sentence asks that it is finite."""
        if not self.finite_meant:
            self.stricter(why)

    def demand(self, condition: int, limit: bool = False) -> None:
        """A side condition of the relation that is being read; without a ``limit`` a value is +oo.
        """
        if limit:
            self.limits.add(condition)
        if condition not in self.conditions:
            self.conditions.append(condition)

    def atomic(self, build: Callable[[], int]) -> int:
        """A relation with its side conditions in front: there are limits of which all holds."""
        with self.having(conditions=[], named=[], base=self.depth):
            relation = build()
            return self.closed("ex", self.every(*self.conditions, relation), self.named)

    def limit(self, *bodies: int) -> int:
        """The one limit of bodies below a real u, as u tends to +oo: a letter of the relation that
        is being read.  What has no value before some u has a limit all the same."""
        refuse(self.depth != self.base, "a limit inside of an integral")
        letter = f"%limit{len(self.taken) + 1}", self.b.sorts[bodies[0]]
        self.taken.add(letter[0])
        x = self.b.letter(*letter)
        for body in bodies:
            late = "exR(c, meant(tends(u, case(c < u, f(u), 0), x)))"
            self.demand(self.b.make("tends", body, x) if domain(self.b, body) is None else self.say(
                late, f=partial(self.b.open, body), meant=self.meant, x=x))
        self.named.append(letter)
        return x

    def every(self, *formulas: int | None) -> int:
        """The conjunction of those that are not None; true for none."""
        found = conj(self.b, *formulas)
        return self.truth() if found is None else found

    def truth(self) -> int:
        """A true formula."""
        return self.say("not false")

    def meant(self, formula: int) -> int:
        """The formula has a meaning and holds."""
        return self.every(domain(self.b, formula), formula)

    # -- terms of one sort, and texts -------------------------------------------------------------

    def same(self, *terms: int) -> tuple[int, ...]:
        """Real terms beside complex ones become complex."""
        if {self.b.sorts[t] for t in terms} != {"R", "C"}:
            return terms
        return tuple(t if self.b.sorts[t] == "C" else self.b.make("cx", t) for t in terms)

    def num(self, symbol: str, *terms: int) -> int:
        """A symbol on numbers of one sort."""
        return self.b.make(symbol, *self.same(*terms))

    def total(self, terms: list[int]) -> int:
        """A sum, from left to right; 0 for none."""
        return reduce(lambda x, y: self.num("add", x, y), terms) if terms else self.b.number(0)

    def product(self, terms: list[int]) -> int:
        """A product, from left to right; 1 for none."""
        return reduce(lambda x, y: self.num("mul", x, y), terms) if terms else self.b.number(1)

    def only(self, test: int | None, value: int) -> int:
        """The value where a test holds, 0 elsewhere; None is a test that always holds."""
        if test in (None, self.truth()):
            return value
        return self.b.number(0) if test == self.b.make("false") else self.say(
            "case(t, x, 0)", t=test, x=value)

    def case(self, test: int, yes: int, no: int) -> int:
        """``if`` as it stands; of formulas, what each case implies."""
        if self.b.sorts[yes] == "F":
            return self.say("imp(t, f) and imp(not t, g)", t=test, f=yes, g=no)
        return self.b.make("if", test, *self.same(yes, no))

    def zero(self, like: int) -> int:
        """0 of the sort of a term; for formulas, what is true."""
        if self.b.sorts[like] == "F":
            return self.truth()
        return self.say("0" if self.b.sorts[like] == "R" else "cx(0)")

    def say(self, text: str, **names: Any) -> int:
        """The term or formula of a text; names stand for terms, functions of terms, or expressions.

        >>> from lapdp.kernel.printing import text
        >>> e = Scope(Bank())
        >>> text(e.b, e.say("case(0 < x, 2 / x, 0)", x=e.b.letter("x", "R")))
        'if((0 < x), (2 * inv(x)), 0)'
        """
        return self.read(parsed(text), names)

    def read(self, node: Any, names: dict[str, Any]) -> int:
        """The term of a part of a text."""
        def of(part: Any) -> int:
            return self.read(part, names)

        def bound(variable: str, part: Any, x: int) -> int:
            return self.read(part, {**names, variable: x})

        match node:
            case ast.Name(name):
                value = names[name] if name in names else self.b.make(name)
                return value if isinstance(value, int) else self.term(value)
            case ast.Constant(int(value)):
                return self.b.number(value)
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
                return self.num("add" if isinstance(operation, ast.Add) else "mul", of(left),
                                of(right))
            case ast.BoolOp(operation, [left, right]):
                return self.b.make("and" if isinstance(operation, ast.And) else "or", of(left),
                                   of(right))
            case ast.Compare(left, [order], [right]):
                return self.num(ORDERS[type(order)], of(left), of(right))
            case ast.Call(ast.Name("Int"), [body]):
                return self.over((names["P"], names["Q"]), lambda: of(body))
            case ast.Call(ast.Name("limit"), [ast.Name(variable), *parts]):
                return self.limit(*(self.under("R", partial(bound, variable, p)) for p in parts))
            case ast.Call(ast.Name(name), parts) if name in names or name == "case":
                return (names.get(name) or self.case)(*map(of, parts))
            case ast.Call(ast.Name(name), [ast.Name(variable), body, *parts]) if (
                    self.b.binder(name, 0)):
                return self.b.make(name, self.under(
                    bound_sort(name), partial(bound, variable, body)), *map(of, parts))
            case ast.Call(ast.Name(name), parts):
                return self.b.make(name, *map(of, parts))
        raise AssertionError(ast.dump(node))

    def term(self, e: Any) -> int:
        """The term of an expression."""
        raise NotImplementedError

    def over(self, pair: Any, build: Callable[[], int]) -> int:
        """The integral over the space of a function of two densities."""
        raise NotImplementedError


def sort_of(symbol: Any) -> str:
    """S for events, O for outcomes, R for symbols that are real, C for all others."""
    if isinstance(symbol, (Event, Outcome)):
        return "S" if isinstance(symbol, Event) else "O"
    return "R" if symbol.is_real else "C"
