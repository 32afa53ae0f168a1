"""What the integrals over so many releases are at any two factors: lemmas proved by induction.

V(0, a, b) = h(a, b) and V(i + 1, a, b) is the integral of V(i, a p, b q).  Candidates for
V(m, a, b) are formed from h and V(m, 1, 1), a number that satisfies a recursion of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.loss_sums import LossSums
from lapdp.proving.responses import Responses
from lapdp.proving.sums import Sums

if TYPE_CHECKING:
    from lapdp.proving.recursions import Recursions

Guess = Callable[[int, Sequence[int]], Iterable[Sequence[int]]]
"""Values of a lemma's variables for an index and points that are met."""


@dataclass(frozen=True)
class Lemma:
    """``theorem``: for all variables, V(i, ..) = t, under a premise; ``at`` one index, or (None)
    for all whole numbers."""

    theorem: int
    at: int | None
    guess: Guess


Form = Callable[[int, int, int], int]
"""A term for an index and two factors."""


class Invariants:
    """Forms of functions that are defined by recursion, tried once each."""

    def __init__(self, recursions: Recursions) -> None:
        self.r = recursions
        self.tried: set[int] = set()
        self.responses = Responses(self)
        self.sums = Sums(self)
        self.losses = LossSums(self)

    def establish(self, goal: int, facts: Sequence[int]) -> None:
        """Look for a lemma about each function of two factors that a goal speaks of."""
        d, r = self.r.d, self.r
        self.sums.establish([i for i in facts if not r.of(d.claim(i))])
        for t in d.subterms(goal):
            if t in r.rules:
                self.about(t, [i for i in facts if not r.of(d.claim(i))])

    def about(self, letter: int, facts: Sequence[int]) -> None:
        """Look for a lemma about one function, once."""
        if letter in self.tried:
            return
        self.tried.add(letter)
        size = self.points(letter)
        if size == 2 and (self.responses.establish(letter, facts)
                          or self.losses.establish(letter, facts)):
            return
        for form in self._forms(letter) if size == 2 else self._scaled(
                letter) if size == 1 else ():
            try:
                self._lemma(letter, form, facts)
                break
            except (NotFound, NeedSplit):
                continue

    def points(self, letter: int) -> int:
        """Of how many numbers beside its index is it a function?"""
        d = self.r.d
        n, claim = 0, d.claim(self.r.rules[letter][0])
        while d.head(claim) == "allR":
            n, claim = n + 1, d.kids(claim)[0]
        return n

    def start(self, letter: int, points: Sequence[int]) -> int:
        """V(0, points) as its definition says."""
        d = self.r.d
        claim = d.claim(self.r.rules[letter][0])
        for x in points:
            claim = d.b.open(d.kids(claim)[0], x)
        return d.kids(claim)[1]

    def _forms(self, letter: int) -> Iterator[Form]:
        d = self.r.d
        zero, one = d.num(0), d.num(1)
        a, b = (d.b.letter(f"{n}'", "R") for n in "ab")
        h = self.start(letter, (a, b))

        def now(m: int) -> int:
            return d.mk("app3", letter, m, one, one)

        if h == zero or (d.head(h) == "if" and d.head(d.kids(h)[0]) == "false"):
            yield lambda m, a, b: zero
            return
        r = d.b.letter("r'", "R")
        at = d.mul(r, h)
        for x, y in ((a, b), (b, a)):
            if h == d.mk("if", d.mk("eq", y, zero), x, zero):
                at = d.mk("if", d.mk("eq", y, zero), x, d.mul(x, r))
        yield lambda m, u, v: d.b.put(at, {
            ("a'", "R"): u, ("b'", "R"): v, ("r'", "R"): now(m)})

    def _scaled(self, letter: int) -> Iterator[Form]:
        """V(m, x) = V(m, 0) h(x) / h(0), for a smooth h."""
        d = self.r.d
        zero, x = d.num(0), d.b.letter("a'", "R")
        h, begin = (self.start(letter, (u,)) for u in (x, zero))
        if {d.head(t) for t in d.subterms(h)} & {"if", "max", "min", "abs"}:
            return
        shape = d.mul(h, d.mk("inv", begin))
        yield lambda m, u, _: d.mul(d.mk("app3", letter, m, zero, zero),
                                    d.b.put(shape, {("a'", "R"): u}))

    def _lemma(self, letter: int, form: Form, facts: Sequence[int]) -> None:
        """For all whole m and a, b >= 0: V(m, a, b) is what the form says; for all a where it is a
        function of one number beside its index."""
        zero = self.r.d.num(0)
        one = self.points(letter) == 1

        def guess(_: int, points: Sequence[int]) -> list[Sequence[int]]:
            return [points[:1] if one else points]

        if one:
            self.lemma(letter, "x", lambda m, v: ([v[0], zero], form(m, v[0], zero)), facts, guess)
        else:
            self.lemma(letter, "ab", lambda m, v: (list(v), form(m, *v)), facts, guess)

    def lemma(self, letter: int, names: str,
              form: Callable[[int, Sequence[int]], tuple[list[int], int]], facts: Sequence[int],
              guess: Guess, begin: Callable[[int, Sequence[int]], int] | None = None) -> None:
        """V(m, points) = value, points and value by the form, for all whole m and all values of
        variables, those named a or b being >= 0; kept as a lemma.  Raises ``NotFound``."""
        d, r = self.r.d, self.r
        zero, (name_m, m) = d.num(0), d.fresh("R", "m")
        variables = [d.fresh("R", n) for n in names]
        points, value = form(m, [x for _, x in variables])
        claim = d.mk("eq", d.mk("app3", letter, m, *points), value)
        above = [d.mk("le", zero, x) for n, (_, x) in zip(names, variables, strict=True)
                 if n in "ab"]
        if above:
            claim = d.mk("imp", d.conj(above), claim)
        for name, _ in reversed(variables):
            claim = d.mk("allR", d.b.abstract(claim, name, "R"))
        r.lemma(letter, d.b.abstract(claim, name_m, "R"), facts, guess, begin)
