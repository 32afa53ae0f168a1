"""A short notation for terms of the kernel, and the tables of accepted and refused applications.

``(le 0 (exp x))`` is a term; ``#1`` the variable of the binder one step out, of sort R unless a
letter follows (``#0O``).  The first letter of a name gives its sort: P, Q distributions, S, U
events, o outcomes, z, w complex numbers, A, B, C formulas, g, h functions, J functions of three
numbers, all others real numbers; ``~`` is a blank.  A sequent ``A ; B |- C`` has hypotheses A
and B.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lapdp.kernel import Checker
from lapdp.kernel.rules import Theorem

SORT = {"P": "D", "Q": "D", "S": "S", "U": "S", "o": "O", "z": "C", "w": "C", "A": "F", "B": "F",
        "C": "F", "@": "F", "g": "G", "h": "G", "J": "J"}
TOKEN = re.compile(r"[()]|[^\s()]+")


def term(bank, text):
    """The term that a text stands for."""
    tokens = TOKEN.findall(text)

    def read():
        token = tokens.pop(0)
        if token == "(":
            symbol = tokens.pop(0)
            args = []
            while tokens[0] != ")":
                args.append(read())
            tokens.pop(0)
            return bank.make(symbol, *args)
        if re.fullmatch(r"-?\d+(/\d+)?", token):
            top, _, bottom = token.partition("/")
            return bank.number(int(top), int(bottom or 1))
        if token[0] == "#":
            index, sort = re.fullmatch(r"#(\d+)(\w?)", token).groups()
            return bank.bound(int(index), sort or "R")
        if token in ("pi", "i", "false"):
            return bank.make(token)
        return bank.letter(token.replace("~", " "), SORT.get(token[0], "R"))

    found = read()
    assert not tokens, f"more than a term: {text}"
    return found


def sequent(bank, text):
    """The theorem that a text stands for; only tests make one without a rule."""
    left, _, right = text.rpartition("|-")
    hyps = frozenset(term(bank, h) for h in left.split(";") if h.strip())
    return Theorem(hyps, term(bank, right))


@dataclass(frozen=True)
class Row:
    """One application: ``why`` is "" where it is accepted, else a part of the refusal.

    ``goal`` is a sequent: its hypotheses are those of the theorem that the rule must give.  In
    ``data`` a text is a term, after ``=`` itself; a list is a part of ``arith``."""

    rule: str
    why: str
    goal: str
    given: tuple[str, ...] = ()
    data: tuple[object, ...] = field(default=())

    def __str__(self):
        return f"{self.rule}: {self.why or 'yes'}: {self.goal}"[:90]

    def run(self):
        """The theorem and the sequent asked for; raises what the checker raises."""
        checker = Checker()
        bank = checker.bank
        checker.theorems += [sequent(bank, text) for text in self.given]
        goal = sequent(bank, self.goal)
        if self.rule == "fact":
            goal = goal._replace(facts=frozenset([str(self.data[0])[1:]]))
        count = len(self.given)
        made = checker.step(self.rule, goal.claim, list(range(count)),
                            [entry(bank, x) for x in self.data])
        return checker.theorems[made], goal


def entry(bank, x):
    """An entry of data as the rules get it."""
    if isinstance(x, str):
        return x[1:] if x.startswith("=") else term(bank, x)
    if isinstance(x, list):
        return [entry(bank, x[0]), *x[1:]]
    return x


def yes(rule, goal, *given, data=()):
    """A row that is accepted."""
    return Row(rule, "", goal, given, tuple(data))


def no(rule, why, goal, *given, data=()):
    """A row that is refused, for the reason that the text ``why`` is a part of."""
    assert why
    return Row(rule, why, goal, given, tuple(data))
