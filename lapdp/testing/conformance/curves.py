"""What a profile and a trade-off function have in common: convex curves that bound the truth."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.checks import LawCheck
from lapdp.testing.conformance.findings import LATEX, Violation
from lapdp.testing.conformance.handed import misfit
from lapdp.testing.conformance.points import Axis
from lapdp.testing.conformance.printing import Case, given
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import Real, Value


@dataclass(frozen=True)
class CurveUnderTest:
    """A curve under test: one function of a point, or an implementation of a pair and a point."""

    asked: Asked
    axis: Axis
    pairs: st.SearchStrategy[Any]
    """Pairs that it is tried on; ``None`` alone for a function whose pair is not told."""
    takes_pair: bool
    truth: Callable[[Pair, Any], Real]
    """The true value at a point."""
    bound: str
    """``>=`` where a guarantee is an upper bound of the truth, else ``<=``."""

    def value(self, pair: Any, point: Any, name: str = "pair", at: str = "") -> Value:
        """The value at a point, with the names of both in the case."""
        at = at or self.axis.letter
        if self.takes_pair:
            return self.asked(pair, point, said=self.call(name, at))
        return self.asked(point, said=self.call(name, at))

    def call(self, name: str = "pair", at: str = "") -> str:
        """The call as it is told."""
        at = at or self.axis.letter
        return f"{self.asked.name}({name}, {at})" if self.takes_pair else f"{self.asked.name}({at})"

    def case(self, pair: Any, **others: Any) -> Case:
        """A case; without the pair where it is not told."""
        return given(**({} if pair is None else {"pair": pair}), **others)

    def points(self, count: int = 1) -> st.SearchStrategy[Case]:
        """Cases with so many points, named after the axis, numbered where there are several."""
        names = [self.axis.letter] if count == 1 else [
            f"{self.axis.letter}{n}" for n in range(1, count + 1)]

        def of_pair(pair: Any) -> st.SearchStrategy[Case]:
            drawn = [self.axis.drawn(pair)] * count
            return st.tuples(*drawn).map(
                lambda points: self.case(pair, **dict(zip(names, self._sorted(points),
                                                          strict=True))))

        return self.pairs.flatmap(of_pair)

    def _sorted(self, points: tuple[Any, ...]) -> list[Any]:
        return sorted(points, key=cmp_to_key(
            lambda a, b: self.axis.place(a).compare(self.axis.place(b)) or 0))

    def law(self, name: str, says: str, citation: str, kind: Any, latex: str,
            cases: st.SearchStrategy[Case], test: Callable[[Any], Violation | None]) -> LawCheck:
        """A law of this curve."""
        return LawCheck(name, says, citation, kind, cases, test, latex, self.asked.name)

    # -- laws -----------------------------------------------------------------------------------

    def monotone(self, sign: str, citation: str) -> LawCheck:
        """The curve does not increase; ``sign`` is how it is written."""
        first, second = (f"{self.axis.letter}{n}" for n in (1, 2))

        def test(case: Any) -> Violation | None:
            points = [getattr(case, name) for name in (first, second)]
            if self.axis.place(points[0]).compare(self.axis.place(points[1])) != -1:
                return None
            values = [self.value(_pair(case), p, at=n)
                      for p, n in zip(points, (first, second), strict=True)]
            return compared(values[0], ">=", values[1],
                            f"{self.call(at=first)} >= {self.call(at=second)}")

        return self.law("monotone", f"{sign} is non-increasing", citation, "shape",
                        
                        self._latex(r"@_1 < @_2 \Rightarrow f(@_1) \ge f(@_2)"),
                        self.points(2), test)

    def convex(self, says: str, citation: str) -> LawCheck:
        """The curve lies below its chords on the line of ``axis.place``."""
        names = [f"{self.axis.letter}{n}" for n in (1, 2, 3)]

        def test(case: Any) -> Violation | None:
            points = [getattr(case, name) for name in names]
            x = [self.axis.place(p) for p in points]
            if any(a.compare(b) != -1 for a, b in pairwise(x)):
                return None
            low, middle, high = (self.value(_pair(case), p, at=n)
                                 for p, n in zip(points, names, strict=True))
            whole = x[2] - x[0]
            chord = low.times((x[2] - x[1]) / whole) + high.times((x[1] - x[0]) / whole)
            return compared(middle, "<=", chord,
                            f"{self.call(at=names[1])} <= the chord from {names[0]} to {names[2]}")

        return self.law("convex", says, citation, "shape", self._latex(
            r"(#_3 - #_1) f(@_2) \le (#_3 - #_2) f(@_1) + (#_2 - #_1) f(@_3)"),
            self.points(3), test)

    def valid(self, says: str, citation: str) -> LawCheck:
        """The guarantee holds."""
        return self._against_truth("validity", self.bound, says, citation)

    def tight(self, says: str, citation: str) -> LawCheck:
        """The guarantee is attained."""
        return self._against_truth("tightness", "<=" if self.bound == ">=" else ">=", says,
                                   citation)

    def _against_truth(self, name: Any, sign: str, says: str, citation: str) -> LawCheck:
        def test(case: Any) -> Violation | None:
            point = getattr(case, self.axis.letter)
            return compared(self.value(case.pair, point), sign, self.truth(case.pair, point),
                            f"{self.call()} {sign} {self._true('pair')}")

        return self.law(name, says, citation, name, self._latex(
            rf"\hat f(@) {LATEX[sign]} f_{{P|Q}}(@)"), self.points(), test)

    def composed(self, compose: Asked) -> list[LawCheck]:
        """``compose(first, second, point)`` against the curve of the product."""
        letter = self.axis.letter

        def of_pairs(pairs: tuple[Any, Any]) -> st.SearchStrategy[Case]:
            product = pairs[0] * pairs[1]
            return self.axis.drawn(product).map(lambda point: given(
                first=pairs[0], second=pairs[1], **{letter: point}))

        cases = st.tuples(self.pairs, self.pairs).flatmap(of_pairs)

        def law(kind: Any, sign: str, says: str) -> LawCheck:
            def test(case: Any) -> Violation | None:
                point = getattr(case, letter)
                call = f"compose(first, second, {letter})"
                return compared(
                    compose(case.first, case.second, point, said=call), sign,
                    self.truth(case.first * case.second, point),
                    f"{call} {sign} {self._true('first * second')}")

            return self.law(f"composition {kind}", says,
                            "independent releases have the product of both pairs", kind,
                            self._latex(rf"\text{{compose}}(@) {LATEX[sign]} "
                                        rf"f_{{\text{{product}}}}(@)"), cases, test)

        other = "<=" if self.bound == ">=" else ">="
        side = "below" if self.bound == ">=" else "above"
        return [law("validity", self.bound, f"the curve of two releases is never {side} the truth"),
                law("tightness", other, "the curve of two releases is attained")]

    @property
    def symbol(self) -> str:
        """The curve, in LaTeX."""
        return r"\delta" if self.bound == ">=" else "f"

    def _latex(self, form: str) -> str:
        """The formula for f, its points @ and where they lie, #."""
        if self.bound == "<=":
            return form.replace("@", "a").replace("#", "a")
        form = re.sub(r"#(_.)?", r"e^{\\varepsilon\1}", form).replace("@", r"\varepsilon")
        return re.sub(r"\bf(?=[(_])", r"\\delta", form)

    def _true(self, pair: str) -> str:
        return f"{'delta' if self.bound == '>=' else 'the trade-off function'} of {pair}"


def _pair(case: Any) -> Any:
    return getattr(case, "pair", None)


def finite_of(pair: Any) -> FinitePair:
    """A finite pair; :class:`Undecided` for another, on which outcomes cannot be moved."""
    if not isinstance(pair, FinitePair):
        raise Undecided(f"{pair!r} has no finite list of outcomes")
    return pair


def takes_pair(f: Any, pair: Any, over: Any, what: str) -> bool:
    """Is ``f`` a function of a pair and a point?  Told by ``over=`` and ``pair=``, else by how many
    arguments it takes; :class:`InputError` where that is not clear.
    """
    if not callable(f):
        raise InputError(f"{str(f)[:40]} is no function: give f({what}) or f(pair, {what})")
    if pair is not None and over is not None:
        raise InputError("pair= is for one function, over= for an implementation: give one of them")
    if pair is not None and not isinstance(pair, Pair):
        raise InputError(f"pair={str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    if pair is not None or over is not None:
        problem = misfit(f, *[None] * (1 if over is None else 2))
        if problem:
            raise InputError(f"{problem}: pair= is for a function f({what}), over= for an "
                             f"implementation f(pair, {what})")
        return over is not None
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        parameters = ()  # type: ignore[assignment]
    asked = [p for p in parameters if p.default is p.empty
             and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(asked) not in (1, 2):
        raise InputError(f"f does not say what it takes: give pair= for a function f({what}), "
                         f"over=finite_pairs() for an implementation f(pair, {what})")
    return len(asked) == 2


def name_of(f: Any) -> str:
    """How the function is called, ``f`` for one without a name."""
    name = str(getattr(f, "__name__", "f"))
    return name if name.isidentifier() else "f"


__all__ = ["CurveUnderTest", "finite_of", "name_of", "takes_pair"]
