"""A mechanism under test: its parameters, its datasets, and the two distributions of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from typing import Any

from hypothesis import strategies as st

from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.mechanism_table import MechanismTable
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.asking import Asked
from lapdp.testing.conformance.findings import Misbehaved, Violation
from lapdp.testing.conformance.handed import copied, misfit
from lapdp.testing.conformance.mechanism.sides import (
    PairSides,
    Sides,
    Tables,
    number,
    table_sides,
)
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.search import Undecided, search
from lapdp.testing.conformance.values import Accuracy, Value

Extra = st.SearchStrategy[Any] | Callable[[Pair | None], st.SearchStrategy[Any]]
"""More of a case: a strategy, or one that looks at the pair, None where there is none."""
TAKEN = ("pair", "first", "second", "chain")
"""Names of fields, which parameters cannot have."""
SEARCHED = 200
"""Couples of datasets behind a claim that some couple attains."""


class _Shown(Case):
    """A case without a pair does not show that it has none."""

    def shown(self) -> dict[str, Any]:
        """The fields, by name."""
        return {name: value for name, value in super().shown().items()
                if name != "pair" or value is not None}


@dataclass(frozen=True)
class Subject:
    """What is tested; ``mechanism`` is None where there is one pair and no function."""

    pair: Pair | None
    mechanism: Asked | None
    over: Mapping[str, st.SearchStrategy[Any]]
    neighbours: st.SearchStrategy[Any] | None
    accuracy: Accuracy | None

    @property
    def name(self) -> str:
        """For reports and ids of tests."""
        return self.mechanism.name if self.mechanism else repr(self.pair)

    @property
    def directions(self) -> tuple[str, ...]:
        """Closed forms speak of (P, Q); of neighbouring datasets both orders count."""
        return ("forward",) if self.neighbours is None else ("forward", "reversed")

    def field(self, letter: str) -> str:
        """The field of a case that holds a letter of the law; parameters keep theirs."""
        return f"{letter}_" if letter in self.over else letter

    def given(self, case: Any) -> dict[str, Any]:
        """The parameters of a case."""
        return {name: getattr(case, name) for name in self.over}

    def sides(self, case: Any) -> Sides:
        """The two distributions of a case; :class:`Misbehaved` where the mechanism gives none."""
        if self.pair is not None:
            return PairSides(self.pair)
        datasets = getattr(case, "chain", None) or (
            () if self.neighbours is None else (case.first, case.second))
        return self.between(self.given(case), *(datasets and (datasets[0], datasets[-1])))

    def between(self, given: Mapping[str, Any], *datasets: Any) -> Sides:
        """The distributions of two datasets, or of a function of parameters alone."""
        assert self.mechanism is not None
        if datasets:
            calls = [f"{self.name}({_arguments((d,), given)})" for d in datasets]
            tables = [self._called(call, copied(d), **given)
                      for call, d in zip(calls, datasets, strict=True)]
            return table_sides(tables, self.accuracy, calls)
        call = f"{self.name}({_arguments((), given)})"
        made = self._called(call, **given)
        if isinstance(made, Pair):
            if made.free_symbols:
                raise InputError(f"{call} has symbols: draw numbers in over=")
            return PairSides(made)
        if isinstance(made, Mapping) and made and all(
                isinstance(row, (tuple, list)) and len(row) == 2 for row in made.values()):
            tables = [{o: row[side] for o, row in made.items()} for side in (0, 1)]
            return table_sides(tables, self.accuracy, (call, call))
        raise Misbehaved(Violation(None, "==", None, f"{call} is {str(made)[:80]}: neither a pair "
                                   "nor a table {outcome: (P-mass, Q-mass)}"))

    def valid_sides(self, case: Any) -> Sides:
        """The distributions, where they are some: else the law "distribution" tells."""
        return valid(self.sides(case))

    def claimed(self, claim: Any, name: str, case: Any, *arguments: Any) -> Any:
        """What a claim, a constant or a function of ``arguments`` and the parameters, says."""
        if not callable(claim):
            return claim
        given = self.given(case)
        call = f"{name}({_arguments(arguments, given)})"
        problem = misfit(claim, *arguments, **given)
        if problem:
            raise InputError(f"{name}= cannot be called as {call}: {problem}")
        return Asked(lambda: claim(*arguments, **given), self.accuracy, name).raw(said=call)

    def claimed_number(self, claim: Any, name: str, case: Any, *arguments: Any) -> Value:
        """Likewise, a number."""
        return number(self.claimed(claim, name, case, *arguments), self.accuracy, name)

    def cases(self, **extra: Extra) -> st.SearchStrategy[Any]:
        """Cases: parameters, datasets, what a law adds, and the pair where there is one."""
        return self._drawn({} if self.neighbours is None else {"couple": self.neighbours}, extra)

    def settings(self, **extra: Extra) -> st.SearchStrategy[Any]:
        """Cases of a law on all datasets at once: parameters, and what a law adds."""
        return self.cases(**extra) if self.neighbours is None else self._drawn({}, extra)

    def searched(self) -> Callable[[Any], Iterable[Sides]]:
        """What gives the distributions of all couples of datasets that a search has drawn."""
        if self.neighbours is None:
            return lambda case: [self.valid_sides(case)]
        drawn: dict[str, Any] = {}

        def note(couple: Any) -> None:
            drawn.setdefault(repr(couple), couple)

        search(self.neighbours, note, examples=SEARCHED, seed=0)
        return lambda case: (valid(self.between(self.given(case), *_couple(c)))
                             for c in drawn.values())

    def chained(self, chains: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        """Cases of chains of neighbouring datasets, the first against the last."""
        return self._drawn({"chain": chains}, {})

    def _drawn(self, data: Mapping[str, st.SearchStrategy[Any]], extra: Mapping[str, Extra]
               ) -> st.SearchStrategy[Any]:
        datasets = ["chain"] if "chain" in data else ["first", "second"] if data else []
        made = make_dataclass("MechanismCase", [*datasets, *self.over, "pair", *extra],
                              bases=(_Shown,), frozen=True)

        @st.composite
        def cases(draw: Any) -> Any:
            # datasets last: a smaller dataset is worth more than a rounder parameter
            given = {name: draw(strategy) for name, strategy in self.over.items()}
            found = [draw(strategy) for strategy in data.values()]
            shown: Sequence[Any] = found if "chain" in data or not found else _couple(found[0])
            ends = (found[0][0], found[0][-1]) if found else ()
            alone = self.neighbours is not None and not found
            pair = self.pair or (None if alone else self._exact_pair(given, ends))
            more = {name: draw(s if isinstance(s, st.SearchStrategy) else s(pair))
                    for name, s in extra.items()}
            return made(*shown, **given, pair=pair, **more)

        return cases()

    def _exact_pair(self, given: Mapping[str, Any], ends: Sequence[Any]) -> Pair | None:
        """What a case shows; the law meets the same fault, and tells it.

        Irrational masses are shown as tables: their pair is made where a law needs it.
        """
        try:
            found = self.between(given, *ends)
            shown = isinstance(found, PairSides) or found.is_rational
            return found.as_pair() if shown else None
        except (Misbehaved, Unsupported):
            return None

    def _called(self, call: str, *arguments: Any, **given: Any) -> Any:
        assert self.mechanism is not None
        function = self.mechanism.function
        return Asked(lambda: function(*arguments, **given), self.accuracy,
                     self.name).raw(said=call)


def valid(sides: Sides) -> Sides:
    """The distributions, unless their masses are none: one law tells, the others stay open."""
    if isinstance(sides, Tables) and sides.violation() is not None:
        raise Undecided("the masses are no distribution")
    return sides


def _arguments(positional: Sequence[Any], given: Mapping[str, Any]) -> str:
    return ", ".join([*map(repr, positional), *(f"{n}={v}" for n, v in given.items())])


def _couple(couple: Any) -> Sequence[Any]:
    if not isinstance(couple, (tuple, list)) or len(couple) != 2:
        raise InputError(f"neighbours gave {str(couple)[:60]}: it must give couples of datasets, "
                         "such as ((0,), (1,))")
    return couple


def subject(mechanism: Any, over: Any, neighbours: Any, accuracy: Accuracy | None) -> Subject:
    """The thing under test from the arguments of ``check_mechanism``, or :class:`InputError`."""
    if isinstance(mechanism, Pair):
        if over or neighbours is not None:
            raise InputError("a pair has neither over= nor neighbours=: give a function")
        if mechanism.free_symbols:
            raise InputError(f"{mechanism!r} has symbols: give lambda scale: laplace(scale) and "
                             'over={"scale": strategy}')
        return Subject(mechanism, None, {}, None, accuracy)
    if not callable(mechanism):
        raise InputError(f"{str(mechanism)[:60]} is no mechanism: give a pair, or a function of "
                         "parameters or of datasets")
    if neighbours is None and isinstance(mechanism, MechanismTable):
        neighbours = mechanism.neighbours
    strategies = dict(over or {})
    for name, strategy in strategies.items():
        if not isinstance(name, str) or not name.isidentifier() or name in TAKEN:
            raise InputError(f"over: {name!r} can be no name of a parameter here")
        if not isinstance(strategy, st.SearchStrategy):
            raise InputError(f"over: {name} must be a strategy, such as st.integers(1, 5)")
    if not strategies and neighbours is None:
        raise InputError("say what the function is of: over={\"eps\": strategy} for parameters, "
                         "neighbours= for datasets")
    name = getattr(mechanism, "__name__", type(mechanism).__name__)
    name = "mechanism" if name == "<lambda>" else name
    data = () if neighbours is None else ("data",)
    problem = misfit(mechanism, *data, **dict.fromkeys(strategies))
    if problem:
        call = ", ".join([*data, *(f"{each}=" for each in strategies)])
        raise InputError(f"{name} cannot be called as {name}({call}): {problem}; neighbours= gives "
                         'its dataset, over={"eps": strategy} its parameters')
    return Subject(None, Asked(mechanism, accuracy, name), strategies,
                   _couples(neighbours), accuracy)


def _couples(neighbours: Any) -> st.SearchStrategy[Any] | None:
    if neighbours is None or isinstance(neighbours, st.SearchStrategy):
        return neighbours
    if isinstance(neighbours, Sequence) and not isinstance(neighbours, str) and neighbours:
        return st.sampled_from(neighbours)
    raise InputError("neighbours must be a strategy of couples of datasets, such as "
                     "lapdp.testing.strategies.neighbours(), or a list of couples")


__all__ = ["Subject", "subject"]
