"""Laws of trade-off functions, for one function of the level and for implementations of every pair.

f_{P|Q}(a) is the least error 1 - E_Q[phi] of tests phi with E_P[phi] <= a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from hypothesis import strategies as st

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.core.precision import workprec
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.privacy.tradeoff import trade_off
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.curves import CurveUnderTest, finite_of, name_of, takes_pair
from lapdp.testing.conformance.findings import HIDDEN, Report, Violation
from lapdp.testing.conformance.handed import pairs_from
from lapdp.testing.conformance.invariances import invariances
from lapdp.testing.conformance.points import Axis, level_axis, profile_axis, vertices
from lapdp.testing.conformance.printing import given
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import BITS, EXACT, Accuracy, Real, Value, relation
from lapdp.testing.strategies import finite_pairs

SHAPE = "Dong, Roth, Su 2022, Proposition 2.2"
DUALITY = "the profile is the conjugate of the trade-off function, Dong, Roth, Su 2022, Prop. 2.12"


@fitting
def check_tradeoff(f: Callable[..., Any], *, pair: Pair | None = None,
                   over: st.SearchStrategy[Any] | None = None,
                   reverse: Callable[[Any], Any] | None = None,
                   compose: Callable[..., Any] | None = None,
                   profile: Callable[..., Any] | None = None, claims: str = "trade-off function",
                   at: str = "exact", accuracy: Any = None, absolute: Any = 0,
                   laws: str | Iterable[str] | None = None, examples: int = 200, seed: int = 0,
                   seconds: float | None = None, on_fail: str = "raise") -> Report:
    """Check that ``f`` is a trade-off function, on the levels a in [0, 1].

    One function ``f(a)`` is checked for the shape: between 0 and 1 - a, non-increasing, convex;
    f(0) < 1 is allowed, it is mass at an infinite loss.  With ``pair`` it is compared with the true
    f_{P|Q}: *validity*, never above it (a guarantee is a lower bound), and *tightness*, never
    below.  ``reverse`` is the function of the pair (Q, P), the inverse.

    An implementation ``f(pair, a)`` is checked so for random pairs, ``over=finite_pairs()`` by
    default; further, outcomes are permuted, split, coarsened and added with mass 0, and the pair
    is reversed.  ``compose(first, second, a)`` is the function of two independent releases,
    ``profile(pair, alpha)`` an implementation of the profile at e^eps = alpha, to agree with.

    Arguments: ``claims="lower bound"`` asks for validity only.  ``at`` is what f is given: the
    level as a Fraction (``"exact"``) or as a double (``"float"``).  The others are those of
    :func:`lapdp.testing.check_profile`, and so are the errors raised.

    >>> from lapdp.privacy.tradeoff import trade_off
    >>> def symmetric(pair, a):
    ...     return min(trade_off(pair.masses)(a), trade_off(pair.reverse().masses)(a))
    >>> report = check_tradeoff(symmetric, laws=["validity", "tightness"], on_fail="report")
    >>> for finding in report.findings:
    ...     print(finding.law, bool(finding))
    validity True
    tightness False
    >>> report.failures[0].violation.detail
    'symmetric(pair, a) >= the trade-off function of pair'
    """
    __tracebackhide__ = HIDDEN
    checks = tradeoff_laws(f, pair=pair, over=over, reverse=reverse, compose=compose,
                           profile=profile, claims=claims, at=at, accuracy=accuracy,
                           absolute=absolute)
    return run(name_of(f), checks, laws=laws, examples=examples, seed=seed, on_fail=on_fail,
               seconds=seconds)


@fitting
def tradeoff_laws(f: Callable[..., Any], *, pair: Pair | None = None,
                  over: st.SearchStrategy[Any] | None = None,
                  reverse: Callable[[Any], Any] | None = None,
                  compose: Callable[..., Any] | None = None,
                  profile: Callable[..., Any] | None = None, claims: str = "trade-off function",
                  at: str = "exact", accuracy: Any = None, absolute: Any = 0) -> list[LawCheck]:
    """The laws of :func:`check_tradeoff`, one by one, for ``parametrize_with_laws``.

    >>> [law.name for law in tradeoff_laws(lambda a: 1 - a)]
    ['range', 'monotone', 'convex']
    """
    given_pairs = takes_pair(f, pair, over, "a")
    if claims not in ("trade-off function", "lower bound"):
        raise InputError(f'claims={claims!r} must be "trade-off function" or "lower bound"')
    if reverse is not None and (given_pairs or claims == "lower bound"):
        raise InputError("reverse= is for one function that claims to be the trade-off function")
    if not given_pairs and (compose is not None or profile is not None):
        raise InputError("compose= and profile= are for an implementation f(pair, a)")
    axis = level_axis(at)
    accurate = Accuracy.stated(accuracy, absolute)
    if accurate is None and claims == "lower bound":
        accurate = EXACT  # a bound is meant as it is
    pairs = (finite_pairs() if over is None else pairs_from(over)) if given_pairs else st.just(pair)
    tested = CurveUnderTest(Asked(f, accurate, name_of(f)), axis, pairs, given_pairs,
                            lambda p, a: true_tradeoff(p, axis, a), "<=")
    known = given_pairs or pair is not None
    true = "the trade-off function is never {} the true one", "Chourasia et al. 2024, (11)"
    valid = tested.valid(true[0].format("above"), true[1])
    if claims == "lower bound":
        return [valid] if known else [_range(tested, lower=False)]
    found = [_range(tested, lower=True), tested.monotone("f", SHAPE),
             tested.convex("f is convex", SHAPE)]
    if known:
        found += [valid, tested.tight(true[0].format("below"), true[1])]
    if given_pairs:
        found += [_inverse(tested, tested), *invariances(tested)]
    if reverse is not None:
        found.append(_inverse(tested, CurveUnderTest(
            Asked(reverse, accurate, "reverse"), axis, pairs, False, tested.truth, "<=")))
    if compose is not None:
        found += tested.composed(Asked(compose, accurate, "compose"))
    if profile is not None:
        found += _duality(tested, Asked(profile, accurate, "profile"))
    return found


def true_tradeoff(pair: Pair, axis: Axis, a: Any) -> Real:
    """f_{P|Q}(a): exact for finite pairs, else certified to as many digits as it takes."""
    if isinstance(pair, FinitePair):
        return Real.of(trade_off(pair.masses)(Fraction(a)))
    level = axis.exact(a)
    return Real.certified(lambda digits: pair.tradeoff(level, digits)).with_form(
        lambda: pair.tradeoff(level))


def _range(tested: CurveUnderTest, *, lower: bool) -> LawCheck:
    def test(case: Any) -> Violation | None:
        value = tested.value(getattr(case, "pair", None), case.a)
        most = Value.of(1) - tested.axis.place(case.a)
        return ((compared(value, ">=", 0, f"{tested.call()} >= 0") if lower else None)
                or compared(value, "<=", most, f"{tested.call()} <= 1 - a"))

    return tested.law("range", f"{'0 <= ' * lower}f(a) <= 1 - a", SHAPE,
                      "shape" if lower else "validity", r"0 \le " * lower + r"f(a) \le 1 - a",
                      tested.points(), test)


def _inverse(tested: CurveUnderTest, other: CurveUnderTest) -> LawCheck:
    """f_{Q|P}(f(a)) <= a, and = a where f(a) > 0, as f falls strictly there.

    Where f(a) is known up to an accuracy, f_{Q|P} is asked on both sides of it and does not
    increase.
    """
    def test(case: Any) -> Violation | None:
        pair: Any = getattr(case, "pair", None)
        value, level = tested.value(pair, case.a), tested.axis.place(case.a)
        if value.low.compare(Real.of(1)) == 1 or value.high.compare(Real.of(0)) == -1:
            return None  # no level: the law of the range says so
        turned = pair.reverse() if tested.takes_pair else None
        back = other.call("pair.reverse()", at=tested.call())
        beyond, before = (other.value(turned, _level(end, tested.axis, up), "pair.reverse()",
                                      tested.call())
                          for end, up in ((value.high, True), (value.low, False)))
        positive = relation(Value.of(value.low), "<=", Value.of(0)) is False
        return compared(beyond, "<=", level, f"{back} <= a") or (
            compared(before, ">=", level, f"{back} >= a, as {tested.call()} > 0")
            if positive else None)

    return tested.law("reversal", "f_{Q|P} is the inverse of f_{P|Q}: inf {t : f_{P|Q}(t) <= b}",
                      "Chourasia et al. 2024, (12)", "shape",
                      r"f_{Q|P}(f_{P|Q}(a)) = a \text{ where } f_{P|Q}(a) > 0",
                      tested.points(), test)


def _level(end: Real, axis: Axis, up: bool) -> Any:
    """The level of the axis next to a number, on one side of it."""
    number = end.rational
    if number is None:
        with workprec(2 * BITS[0]):
            mantissa, power = (end.ball().upper() if up else end.ball().lower()).man_exp()
        number = Fraction(int(mantissa)) * Fraction(2) ** int(power)
    return axis.outward(min(max(number, Fraction(0)), Fraction(1)), up)


def _duality(tested: CurveUnderTest, profile: Asked) -> list[LawCheck]:
    """alpha f(a) + a >= 1 - delta_{P|Q}(alpha) for all levels, with equality at a vertex."""
    def line(case: Any, a: Any, name: str) -> Value:
        return tested.value(case.pair, a, at=name).times(case.alpha) + tested.axis.place(a)

    def least(case: Any) -> Value:
        return Value.of(1) - profile(case.pair, case.alpha, said="profile(pair, alpha)")

    def above(case: Any) -> Violation | None:
        return compared(line(case, case.a, "a"), ">=", least(case),
                        f"alpha {tested.call()} + a >= 1 - profile(pair, alpha)")

    def attained(case: Any) -> Violation | None:
        levels = vertices(finite_of(case.pair))
        lines = [line(case, a, str(a)) for a in levels]
        bound = least(case)
        found = [relation(value, "<=", bound) for value in lines]
        if True in found:
            return None
        told = f"alpha {tested.call()} + a <= 1 - profile(pair, alpha) at one of the vertices a = "
        told += ", ".join(map(str, levels))
        if None in found:
            raise Undecided(told)
        smallest = cmp_to_key(lambda x, y: x.low.compare(y.low) or 0)  # type: ignore[attr-defined]
        return Violation(min(lines, key=smallest), "<=", bound, told)

    def cases(drawn: Callable[[Any], st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
        return tested.pairs.flatmap(lambda pair: st.builds(
            lambda alpha, more: given(pair=pair, alpha=alpha, **more),
            profile_axis("alpha", True).drawn(pair), drawn(pair)))

    says = "1 - delta(alpha) is the {} of alpha f(a) + a"
    formula = r"1 - \delta_{P|Q}(\alpha) = \min_a (\alpha f_{P|Q}(a) + a)"
    found = [tested.law("duality", says.format("lower bound"), DUALITY, "shape", formula, cases(
        lambda pair: tested.axis.drawn(pair).map(lambda a: {"a": a})), above)]
    if tested.axis.is_exact:
        # a double is no vertex
        found.append(tested.law("duality attained", says.format("minimum"), DUALITY, "tightness",
                                formula, cases(lambda pair: st.just({})), attained))
    return found


__all__ = ["check_tradeoff", "tradeoff_laws", "true_tradeoff"]
