"""Letters, bound variables and side conditions while one statement becomes a sentence.

The derivations do not need this module: what writes sentences does, and is trusted with the kernel.

What a notion means is written as a text of the kernel, such as ``"max(0, p - exp(x) * q)"``.  In
it ``Int(f)`` is the integral of f over the space, in which P and Q are densities of one pair, and
``limit(u, f)`` the limit of f as u tends to +oo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from lapdp.kernel.domain import bound_sort, domain, statement
from lapdp.kernel.symbols import INTEGRALS
from lapdp.kernel.terms import Bank, Row
from lapdp.kernel.texts import Texts


class NotSaid(Exception):
    """The kernel's language does not say this, or not yet; the message is the reason."""


def refuse(when: Any, why: str) -> None:
    """Raises :class:`NotSaid` where something is the case."""
    if when:
        raise NotSaid(why)


@dataclass(frozen=True)
class Sentence:
    """``goal`` says: wherever the hypotheses have a meaning and hold, so does the claim.

    ``definitions`` say what the letters for sums and recursions stand for.  ``notes`` tell where
    the sentence claims more than the statement: what follows from it then is the statement, and a
    refutation of the sentence is none of the statement.
    """

    hypotheses: list[int]
    claim: int
    goal: int
    notes: tuple[str, ...] = ()
    definitions: tuple[int, ...] = ()


class Sayings(Texts):
    """Terms for the free letters and bound variables of one statement.

    ``conditions`` are what the relation being read needs besides itself: weights of a mixture that
    are weights, masses that must vanish for a value to be finite.
    """

    def __init__(self, bank: Bank) -> None:
        super().__init__(bank)
        self.forms.update({"Int": self._integral, "limit": self._limit})
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
        self.rising = False
        """Is what is read +oo, not undefined or cut off, where a power in it is infinite?"""
        self.ends: dict[Any, str] = {}
        self.base = 0
        self.named: list[tuple[str, str]] = []
        """Letters for the limits in the relation that is being read, which began at depth ``base``.
        """
        self.fixed: set[Any] = set()
        """Letters of which the hypotheses speak."""
        self.definitions: list[int] = []
        """What defines letters for recursions, each before the letters that speak of it."""
        self.before: dict[Any, Callable[[int], int]] = {}
        """The element before, at a point, by the index of each recursion that is being read."""
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
                unique = f"{name.lstrip('%')}#{n}"
            self.taken.add(unique)
            self.letters[key] = self.b.letter(unique, sort)
        return self.letters[key]

    def under(self, sort: str, build: Callable[[int], int]) -> int:
        """``build(x)`` as the body of a binder; a condition met inside is asked of every x."""
        letter, before = (f"%{self.depth}", sort), len(self.conditions)
        body = super().under(sort, build)
        for i in range(before, len(self.conditions)):
            if letter in self.b.letters[self.conditions[i]]:
                self.stricter("a condition for every value of a bound variable")
                self.conditions[i] = self.closed("all", self.conditions[i], [letter])
        return body

    def bind(self, symbol: str, build: Callable[[int], int], *more: int) -> int:
        """What binds a variable.  An integrand that is supposed has a value everywhere, by its
        form: a hypothesis must not deny that there are points without one that weigh nothing."""
        found = super().bind(symbol, build, *more)
        refuse(symbol in INTEGRALS and not self.claiming and not self.sure(self.meaning(
            self.b.children(found)[0])), "in a hypothesis: an integrand that may have no value")
        return found

    def sure(self, f: int, known: frozenset[Row] = frozenset()) -> bool:
        """Does what is asked at a point follow, by its form, from what is known there, or is it
        asked of letters alone, and not false?"""
        symbol, *kids = row = self.b.rows[f]
        if symbol in ("and", "imp"):
            return (symbol == "imp" or self.sure(kids[0], known)) and self.sure(
                kids[1], known | {self.b.rows[kids[0]]})
        less = ("lt", *self.b.rows[kids[0]][:0:-1]) if symbol == "not" else row
        never = self.say("0 < 0"), self.say("not 0 == 0")
        return symbol == "oiny" or row in known or less in known or (
            not self.b.loose[f] and f not in never)

    # -- formulas that are decided ------------------------------------------------------------

    def joined(self, symbol: str, parts: Iterable[int]) -> int:
        """``and`` or ``or`` of formulas, without those that are true or false."""
        unit, end = self.truth(), self.b.make("false")
        if symbol == "or":
            unit, end = end, unit
        found: list[int] = []
        for f in parts:
            if f == end:
                return end
            found += [f] * (f != unit)
        return reduce(partial(self.b.make, symbol), found) if found else unit

    def opposite(self, f: int) -> int:
        """The negation of a formula."""
        yes, no = self.truth(), self.b.make("false")
        return no if f == yes else yes if f == no else self.b.make("not", f)

    def choice(self, branches: Sequence[tuple[Callable[[], int], Callable[[], Any]]]) -> Any:
        """The first value whose test holds; none has a meaning where no test does."""
        found, asked = self.say("inv(0)"), len(self.conditions)
        tests = [test() for test, _ in branches]
        if asked < (begin := len(self.conditions)):
            self.stricter("a case with a test that may have no value")
        for c, (_, value) in reversed(list(zip(tests, branches, strict=True))):
            self.only_if(self.opposite(c), begin)
            inside = len(self.conditions)
            if c != self.b.make("false") and (v := value()) != found:
                refuse(c != self.truth() and (str in map(type, (v, found)) or not (
                    self.claiming or self.depth == self.base or domain(self.b, v) is None)),
                       "a choice between infinite values, or of what may have none")
                found = v if c == self.truth() else self.case(c, v, found)
            self.only_if(c, inside)
        return found

    # -- what is infinite, and extrema ----------------------------------------------------------

    def infinite_term(self, t: int, conditions: Iterable[int], signed: bool) -> int:
        """A term with its conditions is +oo: all of it has a meaning, what is negative of it, if
        it is ``signed``, is finite, and it is not.  Of a complex one supposed: it is not finite."""
        if self.b.sorts[t] == "C":
            refuse(self.claiming, "an infinite complex number")
            return self.b.make("not", self.every(*conditions, domain(self.b, t)))
        limits = [c for c in conditions if c in self.limits]
        meaning: list[int | None] = [c for c in conditions if c not in self.limits]
        one = self.b.rows[t][0] in INTEGRALS
        if one:
            iny, body, asked = self.integrand(t)
            meaning.append(asked)
            if signed:
                meaning.append(self.b.make(iny, self.say("max(0, -f)", f=body)))
            limits.append(self.b.make(iny, body))
        else:
            meaning.append(domain(self.b, t))
        parts = [t]
        for u in parts:
            parts.extend(a for a in self.b.children(u) if a not in parts)
        refuse(sum(self.b.rows[u][0] in INTEGRALS for u in parts) > one,
               "a sum of integrals, or an iterated one, that may be infinite")
        return self.every(*meaning, self.b.make("not", self.every(*limits)))

    def integrand(self, t: int) -> tuple[str, int, int | None]:
        """The symbol that says that an integral converges, its body, and that it has a value
        everywhere."""
        symbol, (body,) = str(self.b.rows[t][0]), self.b.children(t)
        refuse(symbol not in INTEGRALS, "the divergence of what is no single integral")
        inner = domain(self.b, body)
        return INTEGRALS[symbol], body, None if inner is None else self.b.make(
            f"all{bound_sort(symbol)}", inner)

    def largest(self, sort: str, lower: Any, upper: Any,
                member: Callable[[int], tuple[list[int], int]]) -> int:
        """The supremum of all values for some t of a sort, between two ends that are not None;
        what a value needs to exist is asked between them only."""
        def some(y: int, t: int) -> int:
            inside = [self.say("a <= b", a=a, b=b) for a, b in ((lower, t), (t, upper))
                      if a is not None and b is not None]
            before = len(self.conditions)
            conditions, value = member(t)
            self.only_if(self.every(*inside), before)
            return self.every(*inside, *conditions, self.b.make("eq", y, value))
        return self.bind("supR", lambda y: self.bind(f"ex{sort}", partial(some, y)))

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
        What is asked also for another reason is no limit.
        """
        asked = condition in self.conditions and condition not in self.limits
        (self.limits.add if limit and not asked else self.limits.discard)(condition)
        if condition not in (*self.conditions, self.truth()):
            self.conditions.append(condition)

    def only_if(self, test: int, begin: int) -> None:
        """What was asked since ``begin`` is asked only if a test holds."""
        asked, self.conditions[begin:] = self.conditions[begin:], []
        for c in [] if test == self.b.make("false") else asked:
            self.demand(c if test == self.truth() else self.b.make("imp", test, c),
                        limit=c in self.limits)

    def sentence(self, hypotheses: Iterable[int], claim: int) -> Sentence:
        """The sentence of a claim under hypotheses, and what was given or defined on the way."""
        given = list(dict.fromkeys([*hypotheses, *self.given]))
        goal = statement(self.b, given, claim)
        if self.definitions:
            goal = self.b.make("imp", self.every(*self.definitions), goal)
        return Sentence(given, claim, goal, tuple(sorted(self.notes)), tuple(self.definitions))

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

    def _integral(self, parts: list[Any], names: dict[str, Any]) -> int:
        return self.over((names["P"], names["Q"]), lambda: self.read(parts[0], names))

    def _limit(self, parts: list[Any], names: dict[str, Any]) -> int:
        variable, *bodies = parts
        return self.limit(*(self.under("R", lambda u, body=body: self.read(  # type: ignore[misc]
            body, {**names, variable.id: u})) for body in bodies))

    def over(self, pair: Any, build: Callable[[], int]) -> int:
        """The integral over the space of a function of two densities."""
        raise NotImplementedError
