"""Sentences of the kernel in the words of the Rocq library."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lapdp.kernel import Bank
from lapdp.kernel.symbols import SIGNATURES

TYPES = {"R": "R", "F": "Prop", "O": "outcome", "S": "event", "D": "density", "G": "borel"}
SPACES = {"O": "Out", "R": "Line"}
"""The spaces of integration, by the sort of the variable."""
SOME = {"R": "0", "F": "True", "O": "some_outcome", "S": "(event_where (fun _ => True))",
        "D": "some_density", "G": "{| app_meas := meas_id |}"}
"""A value of each sort, for letters that a derivation uses and drops."""
INFIX = {"add": "+", "mul": "*", "eq": "=", "le": "<=", "lt": "<", "and": "/\\", "or": "\\/",
         "imp": "->", "iff": "<->"}
FUNCTIONS = {"inv": "/", "exp": "exp", "if": "If", "abs": "Rabs", "max": "Rmax", "min": "Rmin",
             "log": "ln", "sqrt": "sqrt", "erfc": "erfc", "cos": "cos", "sin": "sin", "pi": "PI",
             "false": "False", "not": "~", "nat": "whole", "dens": "dens", "app": "app",
             "set": "event_where", "oint": "@int Out", "lint": "@int Line", "oiny": "@iny Out",
             "liny": "@iny Line", "tends": "tends", "supS": "sup_event", "supR": "sup_real"}
QUANTIFIERS = {f"{kind}{sort}": word for sort in TYPES if sort != "F"
               for kind, word in (("all", "forall"), ("ex", "exists"))}
PLAIN = re.compile(r"[A-Za-z]+[0-9]*'*")
RESERVED = frozenset(re.findall(r"\w+", """
    as at by else end exists fix for forall fun if in let match mod return then using where with
    Prop Set Type True False Out Line Both outcome space point event density borel int iny meas mem
    R N Z Q C O S I D E e If PI IZR INR Rabs Rmax Rmin exp ln sqrt erfc cos sin whole dens app tends
    conj proj fst snd nil cons sum product identity taut Atom Not And Or Imp Iff"""))


class NotPrinted(Exception):
    """The library has no words for a part of a derivation; the message names it."""


class Words:
    """Terms of one bank as Rocq text.  Letters keep their names where these are plain; no name
    that the printer makes, ``x_1``, is one of theirs.

    >>> b = Bank(); x = b.letter("x", "R")
    >>> Words(b).text(b.make("allR", b.make("le", b.bound(0, "R"), x)))
    '(forall t_0 : R, (t_0 <= x))'
    """

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self._names: dict[tuple[str, str], str] = {}
        self._known: dict[int, str] = {}

    def letter(self, letter: tuple[str, str]) -> str:
        """The name of a free letter, one for each."""
        if letter not in self._names:
            name = letter[0]
            plain = PLAIN.fullmatch(name) and name not in RESERVED
            self._names[letter] = (name if plain and name not in self._names.values()
                                   else f"v_{len(self._names)}")
        return self._names[letter]

    def type(self, sort: str) -> str:
        """The type of a sort."""
        if sort not in TYPES:
            raise NotPrinted(f"the sort {sort}")
        return TYPES[sort]

    def text(self, t: int, names: tuple[str, ...] = ()) -> str:
        """A term; ``names`` stand for its loose indices, the innermost binder last."""
        if self.bank.loose[t]:
            return self._text(t, names)
        if t not in self._known:
            self._known[t] = self._text(t, ())
        return self._known[t]

    def _text(self, t: int, names: tuple[str, ...]) -> str:
        row, kids = self.bank.rows[t], self.bank.children(t)
        symbol = str(row[0])
        if symbol == "b":
            return names[-1 - int(str(row[1]))]
        if symbol == "v":
            return self.letter((str(row[1]), str(row[2])))
        if symbol == "n":
            return f"({row[1]})" if row[2] == 1 else f"({row[1]} / {row[2]})"
        if self.bank.sorts[t] == "C" or any(self.bank.sorts[k] == "C" for k in kids):
            raise NotPrinted("complex numbers")
        if symbol in INFIX:
            return f"({self.text(kids[0], names)} {INFIX[symbol]} {self.text(kids[1], names)})"
        if symbol == "in":
            return f"(mem {self.text(kids[1], names)} {self.text(kids[0], names)})"
        if symbol in QUANTIFIERS:
            return f"({QUANTIFIERS[symbol]} {self.abstraction(symbol, kids[0], names)})"
        if symbol not in FUNCTIONS:
            raise NotPrinted(f"the symbol {symbol}")
        parts = [self.function(symbol, i, a, names) if self.bank.binder(symbol, i)
                 else self.text(a, names) for i, a in enumerate(kids)]
        return f"({' '.join([FUNCTIONS[symbol], *parts])})" if parts else FUNCTIONS[symbol]

    def abstraction(self, symbol: str, body: int, names: tuple[str, ...], sign: str = ","
                    ) -> str:
        """``t : R, body`` for the body below a binder."""
        sort = SIGNATURES[symbol][0][0][0]
        name = f"{dict(R='t', O='x').get(sort, sort)}_{len(names)}"
        return f"{name} : {self.type(sort)}{sign} {self.text(body, (*names, name))}"

    def function(self, symbol: str, i: int, body: int, names: tuple[str, ...] = ()) -> str:
        """``(fun t : R => body)`` for the i-th argument of a binder."""
        return f"(fun {self.abstraction(symbol, body, names, ' =>')})"

    def over(self, sort: str, body: int, name: str = "u_") -> str:
        """``(fun u : R => body)`` for a body with one loose index of a sort."""
        return f"(fun {name} : {self.type(sort)} => {self.text(body, (name,))})"

    def some(self, letter: tuple[str, str], scope: Mapping[tuple[str, str], str]) -> str:
        """A letter's value in a scope, any value of its sort where it has none."""
        if letter not in scope:
            self.type(letter[1])
            return SOME[letter[1]]
        return scope[letter]
