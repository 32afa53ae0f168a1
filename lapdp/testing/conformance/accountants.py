"""What is asked by the laws of accountants: functions on pairs, or methods of the audit."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, get_args

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.accounting.answers import largest
from lapdp.accounting.audit.adapter import Method
from lapdp.accounting.audit.calls import Called, answer_in
from lapdp.accounting.audit.claims import Kind as Claimed
from lapdp.accounting.audit.queries import Query, Release
from lapdp.accounting.audit.running import ask
from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair
from lapdp.testing.conformance.asking import Asked
from lapdp.testing.conformance.findings import Misbehaved, Violation
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.questions import Couple, Drawn, Form, Question, Wants
from lapdp.testing.conformance.responses import response_questions
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.small import kind_of, small_questions
from lapdp.testing.conformance.values import EXACT, Accuracy, NoNumber, Real, Value, read
from lapdp.testing.strategies import queries

CLAIMS = (*get_args(Claimed), "exact")
"""What an accountant may say of its numbers."""


class Accountant(Protocol):
    """What the laws ask of: questions of its own, values, and the truth."""

    @property
    def claims(self) -> str:
        """One of :data:`CLAIMS`."""

    @property
    def accuracy(self) -> Accuracy | None:
        """How near its numbers are to what they mean to be; None where nobody said."""

    @property
    def wants(self) -> tuple[Wants, ...]:
        """What it answers."""

    def questions(self, wants: Wants, *, negative: bool = False, losing: bool = False
                  ) -> st.SearchStrategy[Any] | None:
        """Random questions; ``losing``: with mass at infinite loss.  None where it has none."""

    def small(self, wants: Wants) -> st.SearchStrategy[Any] | None:
        """Questions whose deltas lie on a logarithmic scale."""

    def responses(self, wants: Wants) -> st.SearchStrategy[Any] | None:
        """Questions about randomized response; None where the random ones are of mechanisms."""

    def couples(self, wants: Wants, law: str) -> st.SearchStrategy[Couple] | None:
        """Questions whose answers a law compares; None where it has none."""

    def value(self, question: Any) -> Value:
        """Its answer."""

    def there(self, question: Any) -> Any:
        """The question about delta at the eps that is answered; None where that is infinite."""

    def truth(self, question: Any) -> Real:
        """The certified value."""


@dataclass(frozen=True)
class Own:
    """Functions ``delta(pair, eps)`` and ``epsilon(pair, delta)`` of a user."""

    functions: dict[Wants, Callable[..., Any]]
    claims: str
    accuracy: Accuracy | None
    drawn: Drawn
    negative: bool = True

    @property
    def wants(self) -> tuple[Wants, ...]:
        """What it answers."""
        return tuple(self.functions)

    def questions(self, wants: Wants, *, negative: bool = False, losing: bool = False
                  ) -> st.SearchStrategy[Question]:
        """Random questions; ``losing``: of pairs with mass at infinite loss."""
        return self.drawn.questions(wants, negative=negative and self.negative, losing=losing)

    def small(self, wants: Wants) -> st.SearchStrategy[Question] | None:
        """Of mechanisms of the field; exact points, and pairs of a user's own, are asked as drawn.
        """
        if self.drawn.over is not None or not self.drawn.doubles:
            return None
        return small_questions(self.drawn.form, wants, False)

    def responses(self, wants: Wants) -> st.SearchStrategy[Question] | None:
        """Of randomized response, unless pairs are the user's own."""
        if self.drawn.over is not None:
            return None
        return response_questions(self.drawn.form, wants, self.drawn.doubles)

    def couples(self, wants: Wants, law: str) -> st.SearchStrategy[Couple] | None:
        """Questions whose answers a law compares."""
        if law == "place":
            return self.drawn.couples(wants, self.negative)
        if law == "more" and self.drawn.form == "copies":
            return self.questions(wants).filter(lambda q: q.copies > 1).map(
                lambda q: Couple(replace(q, copies=q.copies - 1), q))
        if law in ("more", "order") and self.drawn.form == "pairs":
            lists = self.questions(wants).filter(lambda q: len(q.pairs) > 1)
            if law == "more":
                return lists.map(lambda q: Couple(replace(q, pairs=q.pairs[:-1]), q))
            return lists.flatmap(lambda q: st.permutations(q.pairs).map(
                lambda mixed: Couple(q, replace(q, pairs=tuple(mixed)))))
        return None

    def value(self, question: Question) -> Value:
        """What its function returns."""
        function, said = self.functions[question.wants], question.call
        asked = Asked(_taking(function, question), self.accuracy, question.wants)
        if self.claims != "interval":
            return asked(*question.arguments, said=said)
        returned = asked.raw(*question.arguments, said=said)
        ends = returned if isinstance(returned, (tuple, list)) else ()
        return interval(ends, self.accuracy or EXACT, said)

    def there(self, question: Question) -> Question | None:
        """The question about delta at the eps that is answered, as it is returned."""
        if self.value(question).high.is_infinite:
            return None
        eps = self.functions["epsilon"](*question.arguments)
        last = eps[-1] if isinstance(eps, (tuple, list)) else eps
        return replace(question, wants="delta", at=last)

    def truth(self, question: Question) -> Real:
        """The certified value."""
        return question.truth()


def _taking(function: Callable[..., Any], question: Question) -> Callable[..., Any]:
    """The function, which may refuse pairs that are not finite by failing on them: then it is not
    asked about these, and the report says so.
    """
    if all(isinstance(pair, FinitePair) for pair in question.pairs):
        return function

    def taking(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (AttributeError, TypeError) as problem:
            raise Undecided(f"{kind_of(question)}, no finite pair, is not taken by the function: "
                            f"{type(problem).__name__}: {problem}") from None
    return taking


def own_form(function: Callable[..., Any]) -> Form:
    """How a function takes compositions, read from the names of its arguments.

    >>> own_form(lambda pair, eps, copies=1: 0), own_form(lambda pairs, eps: 0)
    ('copies', 'pairs')
    """
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return "pair"
    return "copies" if "copies" in names else "pairs" if names[:1] == ["pairs"] else "pair"


def interval(ends: Any, accuracy: Accuracy, said: str) -> Value:
    """An answer of two ends, an estimate perhaps between them."""
    if len(ends) < 2:
        raise Misbehaved(Violation(None, "==", None, f"{said}: an interval has two ends"))
    try:
        low, high = read(ends[0], accuracy), read(ends[-1], accuracy)
    except NoNumber as problem:
        raise Misbehaved(Violation(None, "==", None, f"{said} is no interval: {problem}")) from None
    if low.low.compare(high.high) == 1:
        raise Misbehaved(Violation(low, "<=", high, f"{said}: the ends of an interval"))
    return Value(low.low, high.high, f"[{ends[0]}, {ends[-1]}]")


# -- methods of the audit ------------------------------------------------------------------------


@dataclass(frozen=True)
class Asking(Case):
    """A question of the audit."""

    query: Query

    @property
    def wants(self) -> Wants:
        """Delta or epsilon."""
        return self.query.wants

    @property
    def at(self) -> float:
        """The eps, or the delta."""
        return self.query.at

    @property
    def call(self) -> str:
        """The question in short."""
        return self.query.slug


@dataclass(frozen=True)
class Audited:
    """A method of an accountant, as the audit knows it."""

    method: Method
    accuracy: Accuracy | None
    drawn: st.SearchStrategy[Query] | None
    isolated: bool
    timeout: float
    max_copies: int
    known: dict[Query, Called] = field(default_factory=dict)
    """Answers, kept: real accountants are slow."""

    @property
    def claims(self) -> str:
        """What the method says of itself."""
        return self.method.claim.kind

    @property
    def wants(self) -> tuple[Wants, ...]:
        """What it can be asked about."""
        return tuple(w for w in get_args(Wants) if self._strategy(w) is not None)

    def _strategy(self, wants: Wants, losing: bool = False) -> st.SearchStrategy[Query] | None:
        def asks(query: Query) -> bool:
            return self._reaches(query) and (not losing or any(map(_leaks, query.releases)))

        if self.drawn is not None:
            return None if losing else self.drawn.filter(lambda q: q.wants == wants and asks(q))
        try:
            return queries(reaches=asks, wants=wants, max_copies=self.max_copies)
        except InvalidArgument:
            return None

    def _reaches(self, query: Query) -> bool:
        return query.has(self.method.claim.direction) and self.method.reaches(query)

    def questions(self, wants: Wants, *, negative: bool = False, losing: bool = False
                  ) -> st.SearchStrategy[Asking] | None:
        """Random questions that the method reaches."""
        found = self._strategy(wants, losing)
        return None if found is None else found.map(Asking)

    def small(self, wants: Wants) -> st.SearchStrategy[Asking] | None:
        """Queries are drawn with small deltas as they are."""
        return None

    def responses(self, wants: Wants) -> st.SearchStrategy[Asking] | None:
        """Queries are of mechanisms as they are."""
        return None

    def couples(self, wants: Wants, law: str) -> st.SearchStrategy[Couple] | None:
        """Questions whose answers a law compares, where the method reaches both."""
        asked = self.questions(wants)
        assert asked is not None  # it is in wants
        if law == "place":
            return st.tuples(asked, asked).map(
                lambda two: [two[0], Asking(replace(two[0].query, at=two[1].at))]).map(
                lambda two: Couple(*sorted(two, key=lambda each: each.at)))
        if law == "more":
            return self._both(st.builds(_with_more, asked, st.integers(1, 8)))
        if law == "order":
            return self._both(asked.filter(lambda q: len(q.query.releases) > 1).map(
                lambda q: Couple(q, Asking(replace(q.query, releases=q.query.releases[::-1])))))
        return None

    def _both(self, couples: st.SearchStrategy[Couple]) -> st.SearchStrategy[Couple]:
        return couples.filter(lambda two: self._reaches(two.second.query))

    def value(self, question: Asking) -> Value:
        """Its answer; a refusal leaves the law open, an accident violates it."""
        query = question.query
        if query not in self.known:
            self.known[query] = ask(self.method, query, isolated=self.isolated,
                                    timeout=self.timeout)
        called, said = self.known[query], f"{self.method.name}, {query.slug}"
        if called.refused or called.stopped:
            raise Undecided(f"{said}: {called.problem}")
        if called.problem:
            raise Misbehaved(Violation(None, "==", None, f"{said}: {called.problem}"))
        numbers = tuple(map(float, called.answer))
        if self.claims == "interval":
            return interval(numbers, self.accuracy or EXACT, said)
        if len(numbers) != 1 or math.isnan(numbers[0]):
            raise Misbehaved(Violation(None, "==", None, f"{said} answers {called.answer}"))
        return read(numbers[0], self.accuracy or EXACT)

    def there(self, question: Asking) -> Asking | None:
        """The question about delta at the eps that is answered."""
        if self.value(question).high.is_infinite:
            return None
        eps = float(self.known[question.query].answer[-1])
        there = replace(question.query, wants="delta", at=eps)
        return Asking(there) if self._reaches(there) else None

    def truth(self, question: Asking) -> Real:
        """The worst certified value of the directions that the claim speaks of."""
        query, direction = question.query, self.method.claim.direction
        return Real.certified(lambda digits: largest(*(
            answer_in(query, each, digits) for each in query.directions(direction))))


def _with_more(question: Asking, extra: int) -> Couple:
    first, *others = question.query.releases
    grown = (replace(first, copies=first.copies + extra), *others)
    return Couple(question, Asking(replace(question.query, releases=grown)))


def _leaks(release: Release) -> bool:
    return release.mechanism == "approximate_dp" and release.parameters[1] > 0


def checked_claims(claims: Any) -> str:
    """One of the words, else :class:`InputError`."""
    if claims not in CLAIMS:
        raise InputError(f"claims={claims!r} must be one of {', '.join(CLAIMS)}")
    return str(claims)


__all__ = ["CLAIMS", "Accountant", "Asking", "Audited", "Own", "checked_claims", "own_form"]
