"""Functions for the instances of a statement: at random, and of shapes that hypotheses ask for."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from mpmath import mp

from lapdp.numeric.generalized import Impulse, PiecewiseCallable
from lapdp.numeric.tails import Number


def random_function(rng: random.Random, simple: bool = False) -> tuple[PiecewiseCallable, str]:
    """A function with known kinks: two-sided or one-sided exponentials, a bump, a step; impulses.

    ``simple`` leaves out bumps and sums, for integrals within integrals.  Every smooth tail decays
    at least like e^(-5|t|/2), so that strips around 0 are not empty.
    """
    shapes = ("two-sided", "one-sided", "step", "bump", "mixed")
    shape = rng.choice(shapes[:3] if simple else shapes)
    terms = []
    for kind in (("two-sided", "one-sided") if shape == "mixed" else (shape,)):
        c = mp.mpf(rng.choice([-3, -2, -1, 1, 2, 3])) / 2
        a, b = mp.mpf(rng.randint(5, 10)) / 2, mp.mpf(rng.randint(-4, 4)) / 4
        terms.append(_TERMS[kind](c, a, b))
    impulses = []
    if rng.random() < 0.3:
        impulses.append(Impulse(mp.mpf(rng.choice([0, 0, -1, 1, 2])) / 2,
                                mp.mpf(rng.choice([-1, 1, 2]))))
    text = " + ".join(t[2] for t in terms) + "".join(
        f" + {mp.nstr(i.mass, 5)} impulse at {mp.nstr(i.at, 5)}" for i in impulses)
    pieces = [t[0] for t in terms]
    return PiecewiseCallable(
        lambda t: sum((f(t) for f in pieces), mp.mpf(0)),
        tuple(sorted({b for t in terms for b in t[1]} | {i.at for i in impulses})),
        tuple(impulses),
    ), text


def _two_sided(c: Number, a: Number, b: Number) -> Any:
    return (lambda t: c * mp.exp(-a * abs(t - b)), [b],
            f"{mp.nstr(c, 5)} exp(-{mp.nstr(a, 5)} |t - {mp.nstr(b, 5)}|)")


def _one_sided(c: Number, a: Number, b: Number) -> Any:
    return (lambda t: c * mp.exp(-a * (t - b)) if t >= b else mp.mpf(0), [b],
            f"{mp.nstr(c, 5)} exp(-{mp.nstr(a, 5)} (t - {mp.nstr(b, 5)})) [t >= {mp.nstr(b, 5)}]")


def _bump(c: Number, a: Number, b: Number) -> Any:
    return (lambda t: c * mp.exp(-a * (t - b) ** 2), [b],
            f"{mp.nstr(c, 5)} exp(-{mp.nstr(a, 5)} (t - {mp.nstr(b, 5)})^2)")


def _step(c: Number, a: Number, b: Number) -> Any:
    end = b + a / 2
    return (lambda t: c if b <= t < end else mp.mpf(0), [b, end],
            f"{mp.nstr(c, 5)} [{mp.nstr(b, 5)} <= t < {mp.nstr(end, 5)}]")


_TERMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "two-sided": _two_sided, "one-sided": _one_sided, "bump": _bump, "step": _step,
}


def _function(value: Any, breaks: Any = (), impulses: Any = ()) -> PiecewiseCallable:
    return PiecewiseCallable(value, tuple(map(mp.mpf, breaks)), tuple(impulses))


def shaped_functions() -> list[tuple[PiecewiseCallable, str]]:
    """Functions that arguments forget: zero, steps, growth, impulses."""
    zero, one = mp.mpf(0), mp.mpf(1)
    return [
        (_function(lambda t: zero), "0"),
        (_function(lambda t: one if t > 0 else zero, [0]), "[t > 0]"),
        (_function(lambda t: one if t < 0 else zero, [0]), "[t < 0]"),
        (_function(lambda t: one), "1"),
        (_function(lambda t: t), "t"),
        (_function(lambda t: -t * t), "-t^2"),
        (_function(lambda t: mp.exp(-abs(t)), [0]), "exp(-|t|)"),
        (_function(lambda t: mp.exp(-t) if t > 0 else zero, [0]), "exp(-t) [t > 0]"),
        (_function(lambda t: zero, [0], [Impulse(zero, one)]), "impulse at 0"),
        (_function(lambda t: one if t == 0 else zero, [0]), "[t = 0]"),
        (_function(lambda t: -one if 0 <= t < 1 else zero, [0, 1]), "-[0 <= t < 1]"),
        (_function(lambda t: max(zero, 1 - t), [1]), "max(0, 1 - t)"),
    ]


__all__ = ["random_function", "shaped_functions"]
