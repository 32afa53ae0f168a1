"""Laws of privacy profiles, for one function of eps and for implementations of every pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.asking import Asked, compared
from lapdp.testing.conformance.checks import LawCheck, run
from lapdp.testing.conformance.curves import CurveUnderTest, name_of, takes_pair
from lapdp.testing.conformance.findings import HIDDEN, Report, Violation
from lapdp.testing.conformance.handed import pairs_from
from lapdp.testing.conformance.invariances import invariances
from lapdp.testing.conformance.points import Axis, profile_axis
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import EXACT, Accuracy, Real, Value
from lapdp.testing.strategies import finite_pairs

EVENTS = "a supremum of functions P(S) - e^t Q(S), Chourasia et al. 2024, (6)"


@fitting
def check_profile(f: Callable[..., Any], *, pair: Pair | None = None,
                  over: st.SearchStrategy[Any] | None = None,
                  reverse: Callable[[Any], Any] | None = None,
                  compose: Callable[..., Any] | None = None, claims: str = "profile",
                  at: str = "eps", negative: bool = True, accuracy: Any = None, absolute: Any = 0,
                  laws: str | Iterable[str] | None = None, examples: int = 200, seed: int = 0,
                  seconds: float | None = None, on_fail: str = "raise") -> Report:
    """Check that ``f`` is a privacy profile, delta(eps) for all real eps.

    One function ``f(eps)`` is checked for the shape of a profile: between max(0, 1 - e^eps) and 1,
    non-increasing, convex in e^eps; these are all properties that profiles have (continuity and the
    limit 1 at -oo follow).  With ``pair`` it is compared with the true profile: *validity*, never
    below it, and *tightness*, never above.  ``reverse`` is the function of the pair (Q, P).

    An implementation ``f(pair, eps)`` is checked so for random pairs, ``over=finite_pairs()`` by
    default; further, outcomes are permuted, split, coarsened and added with mass 0, and the pair
    is reversed.  ``pair.P`` and ``pair.Q`` are lists of Fractions.  ``compose(first, second, eps)``
    is the profile of two independent releases.

    Arguments: ``claims="upper bound"`` asks for validity only.  ``at`` is what f is given: eps as a
    double (``"eps"``) or a SymPy number (``"exact"``), or the Fraction e^eps (``"alpha"``, where
    code in Fractions is compared with ==).  ``negative=False`` is for code that takes eps >= 0
    only.  Rounded numbers claim a truth t with abs(f - t) <= accuracy abs(t) + absolute; the author
    states both.  ``laws`` are names or kinds ("validity", "tightness", "shape").
    ``seconds=`` ends each law.

    Raises :class:`LawFailed` that shows every law that fails with its smallest case, unless
    ``on_fail="report"``; :class:`InputError` for arguments without meaning and for rounded numbers
    without ``accuracy``.

    >>> def forgets_infinite_losses(pair, alpha):
    ...     return sum(max(0, p - alpha * q) for p, q in pair.masses if q)
    >>> report = check_profile(forgets_infinite_losses, at="alpha", laws="validity",
    ...                        on_fail="report")
    >>> print(report.failures[0])
    validity fails: the profile is never below the true one
      [Chourasia et al. 2024, (6)]
        from fractions import Fraction
        from lapdp import finite
        pair = finite([...], [...])
        alpha = Fraction(1)
        forgets_infinite_losses(pair, alpha) >= delta of pair
        0 >= 1 is false
        $...$
    """
    __tracebackhide__ = HIDDEN
    checks = profile_laws(f, pair=pair, over=over, reverse=reverse, compose=compose, claims=claims,
                          at=at, negative=negative, accuracy=accuracy, absolute=absolute)
    return run(name_of(f), checks, laws=laws, examples=examples, seed=seed, on_fail=on_fail,
               seconds=seconds)


@fitting
def profile_laws(f: Callable[..., Any], *, pair: Pair | None = None,
                 over: st.SearchStrategy[Any] | None = None,
                 reverse: Callable[[Any], Any] | None = None,
                 compose: Callable[..., Any] | None = None, claims: str = "profile",
                 at: str = "eps", negative: bool = True, accuracy: Any = None, absolute: Any = 0
                 ) -> list[LawCheck]:
    """The laws of :func:`check_profile`, one by one, for ``parametrize_with_laws``.

    >>> [law.name for law in profile_laws(lambda eps: 0, negative=False)]
    ['range', 'monotone', 'convex']
    """
    given_pairs = takes_pair(f, pair, over, "eps")
    if claims not in ("profile", "upper bound"):
        raise InputError(f'claims={claims!r} must be "profile" or "upper bound"')
    if reverse is not None and (given_pairs or not negative or claims != "profile"):
        raise InputError("reverse= is for one function, the profile for eps < 0 too")
    if compose is not None and not given_pairs:
        raise InputError("compose= is for an implementation f(pair, eps)")
    axis = profile_axis(at, negative)
    accurate = Accuracy.stated(accuracy, absolute)
    if accurate is None and claims == "upper bound":
        accurate = EXACT  # a bound is meant as it is
    pairs = (finite_pairs() if over is None else pairs_from(over)) if given_pairs else st.just(pair)
    tested = CurveUnderTest(Asked(f, accurate, name_of(f)), axis, pairs, given_pairs,
                            lambda p, point: true_delta(p, axis, point), ">=")
    known = given_pairs or pair is not None
    valid = tested.valid("the profile is never below the true one", "Chourasia et al. 2024, (6)")
    if claims == "upper bound":
        return [valid] if known else [_range(tested, upper=False)]
    found = [_range(tested, upper=True), tested.monotone("delta", EVENTS),
             tested.convex("delta is convex in e^eps", EVENTS)]
    if known:
        found += [valid, tested.tight("the profile is never above the true one",
                                      "Chourasia et al. 2024, (6)")]
    if given_pairs:
        found += ([_reversal(tested, tested)] if negative else []) + invariances(tested)
    if reverse is not None:
        found.append(_reversal(tested, CurveUnderTest(
            Asked(reverse, accurate, "reverse"), axis, pairs, False, tested.truth, ">=")))
    if compose is not None:
        found += tested.composed(Asked(compose, accurate, "compose"))
    return found


def true_delta(pair: Pair, axis: Axis, point: Any) -> Real:
    """delta at a point: exact for finite pairs, else certified to as many digits as it takes."""
    if not isinstance(pair, FinitePair):
        eps = axis.exact(point)
        return Real.certified(lambda digits: pair.delta(eps, digits)).with_form(
            lambda: pair.profile(eps))
    alpha = axis.place(point)
    if alpha.rational is not None:
        return Real.of(pair.hockey_stick(alpha.rational))
    # alpha is irrational, so that it is no ratio
    kept = [(p, q) for p, q in pair.masses if p and (not q or _below(alpha, p / q))]
    p, q = (sum(side, Fraction(0)) for side in zip(*kept, strict=True)) if kept else (0, 0)
    return Real.of(p) - alpha * Real.of(q)


def _below(alpha: Real, ratio: Fraction) -> bool:
    order = alpha.compare(Real.of(ratio))
    if order is None:
        raise Undecided(f"e^eps = {alpha} is not told from {ratio}")
    return order < 0


def _range(tested: CurveUnderTest, *, upper: bool) -> LawCheck:
    def test(case: Any) -> Violation | None:
        point = getattr(case, tested.axis.letter)
        value = tested.value(getattr(case, "pair", None), point)
        call, power = tested.call(), _power(tested.axis)
        low = Value.of(1) - tested.axis.place(point)
        return (compared(value, ">=", 0, f"{call} >= 0")
                or compared(value, ">=", low, f"{call} >= 1 - {power}")
                or (compared(value, "<=", 1, f"{call} <= 1") if upper else None))

    return tested.law("range", f"max(0, 1 - e^eps) <= delta(eps){' <= 1' * upper}",
                      "the events of no and of all outcomes, Chourasia et al. 2024, (6)",
                      "shape" if upper else "validity",
                      r"\max(0, 1 - e^\varepsilon) \le \delta(\varepsilon)" + r" \le 1" * upper,
                      tested.points(), test)


def _reversal(tested: CurveUnderTest, other: CurveUnderTest) -> LawCheck:
    """``other`` is the implementation itself at the reversed pair, or the function of (Q, P)."""
    axis = tested.axis
    back = "1 / alpha" if axis.letter == "alpha" else f"-{axis.letter}"

    def test(case: Any) -> Violation | None:
        pair: Any = getattr(case, "pair", None)
        point = getattr(case, axis.letter)
        alpha = axis.place(point)
        turned = pair.reverse() if tested.takes_pair else None
        right = (Value.of(1) - alpha
                 + tested.value(pair, axis.opposite(point), at=back).times(alpha))
        power = _power(axis)
        return compared(other.value(turned, point, "pair.reverse()"), "==", right,
                        f"{other.call('pair.reverse()')} == 1 - {power} + {power} "
                        f"{tested.call(at=back)}")

    return tested.law("reversal", "delta_{Q|P}(eps) = 1 - e^eps + e^eps delta_{P|Q}(-eps)",
                      "Chourasia et al. 2024, (7)", "shape",
                      r"\delta_{Q|P}(\varepsilon) = 1 - e^\varepsilon "
                      r"+ e^\varepsilon \delta_{P|Q}(-\varepsilon)", tested.points(), test)


def _power(axis: Axis) -> str:
    return "alpha" if axis.letter == "alpha" else f"e^{axis.letter}"


__all__ = ["check_profile", "profile_laws", "true_delta"]
