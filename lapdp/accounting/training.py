"""Noisy training (DP-SGD): epsilon, delta, noise or steps, whichever is asked for, certified."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any, overload

from lapdp.accounting.answers import Answer, largest
from lapdp.accounting.budgets import Copies, guarantee, most_copies, most_over
from lapdp.accounting.calibration import Calibration, least
from lapdp.accounting.delta import delta as delta_at
from lapdp.accounting.epsilon import epsilon as epsilon_at
from lapdp.accounting.training_table import TrainingTable, table
from lapdp.balls.decimals import Enclosure
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.mechanisms.gaussian import gaussian
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter
from lapdp.privacy.subsampled import poisson
from lapdp.privacy.symmetrized import symmetrized

UNKNOWN = ("sigma", "steps", "epsilon", "delta")
"""One of these is asked for."""
NEIGHBOURS = ("add-remove", "add", "remove", "replace-one")
SPELT = {"replace": "replace-one", "add/remove": "add-remove"}
"""Relations as :func:`lapdp.testing.strategies.neighbours` spells them."""
SMALL, TINY, MOST_SIGMA = 8, 2, 3000
"""Above so many steps, with epsilon at most so many times delta, no sigma beyond is looked for."""
SEVERAL = ("several steps of batches of a fixed size (replace-one) are not reached: one step is, "
           "and k of them cost at most k times its epsilon at delta/k; under Poisson sampling, "
           "neighbours add-remove, several steps are")
MOST_STEPS, MOST_DIGITS = 10**18, 1000


@dataclass(frozen=True)
class Phase:
    """Steps of one kind: a batch drawn with ``rate``, the sum of clipped gradients, and noise."""

    rate: Any
    sigma: Any
    steps: int

    def one(self, neighbours: str) -> Pair:
        """The pair of one step."""
        return step(self.rate, self.sigma, neighbours)

    def pair(self, neighbours: str) -> Pair:
        """The pair of all steps."""
        return self.one(neighbours) ** self.steps

    def __str__(self) -> str:
        return f"rate {self.rate}, sigma {self.sigma}, {self.steps} steps"


@dataclass(frozen=True, repr=False)
class Training:
    """A question about noisy training with its answer; made by :func:`training`."""

    asked: str
    """"sigma", "steps", "epsilon" or "delta"."""
    answer: Answer | Calibration | Copies
    """The least sigma, the most steps, the least epsilon or delta: with their own proofs."""
    given: dict[str, Any]
    """All other numbers, exactly."""
    further: tuple[Phase, ...]
    neighbours: str
    directions: dict[str, Answer]
    """epsilon or delta of each direction, where there are two."""

    @property
    def value(self) -> Any:
        """The number asked for: exactly for steps, else within :attr:`radius`."""
        return self.answer.value

    @property
    def radius(self) -> Any:
        """How far the number may lie from ``value``."""
        return self.answer.radius

    @property
    def phases(self) -> tuple[Phase, ...]:
        """All phases; with the sigma that provably keeps the budget, or the most steps.

        Raises :class:`InputError` where any number of steps keeps within the budget.
        """
        known = dict(self.given)
        if isinstance(self.answer, Calibration):
            known["sigma"] = exact_parameter("sigma", self.answer.holds)
        if isinstance(self.answer, Copies):
            if self.answer.count is None:
                raise InputError("any number of steps keeps within the budget: give steps")
            known["steps"] = self.answer.count
        first = Phase(known["rate"], known["sigma"], known["steps"])
        return (*((first,) if first.steps else ()), *self.further)

    def __str__(self) -> str:
        found = self.answer
        if isinstance(found, Calibration) and found.monotone:
            return str(found.enclosure)
        return str(found)

    def __repr__(self) -> str:
        return f"Training({self.asked} = {self}, by {self.answer.method})"

    def _repr_html_(self) -> str:
        from lapdp.report.html.comparisons import training_card

        return training_card(self)

    def record(self) -> dict[str, Any]:
        """Plain data, numbers as decimal strings."""
        return {
            "question": {"asked": self.asked, **{k: str(v) for k, v in self.given.items()},
                         "neighbours": self.neighbours,
                         "further": [[str(p.rate), str(p.sigma), p.steps] for p in self.further]},
            **_record(self.answer),
            **({"directions": {side: each.record() for side, each in self.directions.items()}}
               if self.directions else {})}


@overload
def training(rate: Any, sigma: Any = None, *, steps: list[Any] | tuple[Any, ...],
             epsilon: Any = None, delta: Any = None, further: Sequence[Any] = (),
             neighbours: str = "add-remove", digits: int = 15) -> TrainingTable: ...


@overload
def training(rate: Any, sigma: Any = None, steps: Any = None, *, epsilon: Any = None,
             delta: Any = None, further: Sequence[Any] = (), neighbours: str = "add-remove",
             digits: int = 15) -> Training: ...


@fitting
def training(rate: Any, sigma: Any = None, steps: Any = None, *, epsilon: Any = None,
             delta: Any = None, further: Sequence[Any] = (), neighbours: str = "add-remove",
             digits: int = 15) -> Training | TrainingTable:
    """What noisy training costs, or what a budget allows: of the numbers, leave out the one asked.

    Each of ``steps`` steps draws a batch, adds the clipped gradients of its records, and Gaussian
    noise of ``sigma`` times the bound of clipping (DP-SGD, Abadi et al. 2016).  Of ``sigma``,
    ``steps``, ``epsilon`` and ``delta`` exactly one is left out: the least sigma or the most steps
    within (epsilon, delta), the least epsilon >= 0 for a delta, or delta at an epsilon.
    ``further`` holds phases (rate, sigma, steps) that are done as well, before or after.  A list of
    ``steps`` gives a table, with a method ``plot``.

    ``neighbours``: "add-remove", each record is drawn with probability ``rate``, and one is added
    or removed, so the worse of both directions counts ("add" or "remove": one of them);
    "replace-one", batches of a fixed size, of which ``rate`` is the part of all records, are drawn
    without replacement, and one record is replaced, which moves a sum by up to twice the bound:
    Zhu, Dong, Wang 2022, Theorem 11.  Steps may depend on what the steps before have shown.

    Raises :class:`InputError` for floats and numbers out of range, :class:`Undefined` where
    ``further`` phases exceed the budget by themselves, :class:`Unsupported` for what is not
    reached, such as many steps under "replace-one".

    >>> found = training("0.01", sigma=1, steps=1000, delta="1e-5")
    >>> found.asked, round(float(found.value), 10), found.radius < 1e-14
    ('epsilon', 1.8282366665, True)
    >>> print(training("0.01", sigma=1, epsilon=2, delta="1e-5"))
    1202
    >>> found = training("0.01", steps=1000, epsilon=1, delta="1e-5", digits=6)
    >>> found.asked, round(float(found.value), 5), found.answer.monotone[:42]
    ('sigma', 1.41462, 'factor by factor: mixtures with weights in')
    >>> print(training("0.01", sigma=1, epsilon=2, delta="1e-5", further=[("0.02", "1.5", 500)]))
    617
    """
    if isinstance(steps, (list, tuple)):
        return table(training, steps, rate=rate, sigma=sigma, epsilon=epsilon, delta=delta,
                     further=further, neighbours=neighbours, digits=digits)
    numbers = {"sigma": sigma, "steps": steps, "epsilon": epsilon, "delta": delta}
    missing = [name for name in UNKNOWN if numbers[name] is None]
    if len(missing) != 1:
        raise InputError("of sigma, steps, epsilon and delta leave out one, that which is asked "
                         f"for: {' and '.join(missing) or 'none'} "
                         f"{'are' if len(missing) > 1 else 'is'} left out")
    neighbours = SPELT.get(neighbours, neighbours) if isinstance(neighbours, str) else neighbours
    if neighbours not in NEIGHBOURS:
        raise InputError(f"neighbours = {str(neighbours)[:40]} must be one of "
                         f"{', '.join(NEIGHBOURS)}")
    if not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise InputError(f"digits must be a whole number between 1 and {MOST_DIGITS}")
    given = {"rate": _rate(rate), **{name: READ[name](numbers[name]) for name in UNKNOWN
                                     if name not in missing}}
    others = tuple(_phase(each, number) for number, each in enumerate(_listed(further), 1))
    return _Question(given, others, neighbours, digits).answered(missing[0])


def step(rate: Any, sigma: Any, neighbours: str) -> Pair:
    """The pair of one step, in the first direction.

    >>> step("1/100", 2, "add")
    poisson(gaussian(2, 1), 1/100, direction='add')
    >>> step("1/100", 2, "replace-one")
    symmetrized(poisson(gaussian(2, 2), 1/100, direction='remove'))
    """
    if neighbours == "replace-one":
        # one record replaced moves the sum by twice the bound
        return symmetrized(poisson(gaussian(sigma, 2), rate, direction="remove"))
    return poisson(gaussian(sigma, 1), rate, "add" if neighbours == "add" else "remove")


@dataclass(frozen=True)
class _Question:
    """Numbers that have been read."""

    given: dict[str, Any]
    further: tuple[Phase, ...]
    neighbours: str
    digits: int

    @property
    def both(self) -> bool:
        return self.neighbours == "add-remove"

    @property
    def rest(self) -> Pair | None:
        """All further phases."""
        return product([phase.pair(self.neighbours) for phase in self.further])

    def answered(self, asked: str) -> Training:
        """The answer; several steps of batches of a fixed size are refused before anything is
        worked out, with what is reached instead."""
        if self.neighbours != "replace-one":
            return self._answered(asked)
        if asked != "steps" and self._sampled(self.given["steps"]) > 1:
            raise Unsupported(SEVERAL)
        try:
            return self._answered(asked)
        except Unsupported as problem:
            if asked != "steps" and not self.further:
                raise
            raise Unsupported(SEVERAL) from problem

    def _sampled(self, steps: int) -> int:
        """Steps that draw a part of the records, of all phases."""
        return sum(k for rate, k in ((self.given["rate"], steps),
                                     *((p.rate, p.steps) for p in self.further)) if 0 < rate < 1)

    def _answered(self, asked: str) -> Training:
        sides: dict[str, Answer] = {}
        found: Answer | Calibration | Copies
        if asked == "sigma":
            found = self.sigma()
        elif asked == "steps":
            one = step(self.given["rate"], self.given["sigma"], self.neighbours)
            found = most_copies(one, self.given["epsilon"], self.given["delta"],
                                both_directions=self.both, beside=self.rest)
        else:
            sides = self.sides(delta_at if asked == "delta" else epsilon_at,
                               self.given["epsilon" if asked == "delta" else "delta"])
            found = largest(*sides.values())
        return Training(asked, found, self.given, self.further, self.neighbours,
                        sides if len(sides) > 1 else {})

    def sides(self, notion: Callable[..., Answer], at: Any) -> dict[str, Answer]:
        """A notion of all steps in each direction that counts."""
        given = self.given
        here = Phase(given["rate"], given["sigma"], given["steps"])
        pair = product([phase.pair(self.neighbours) for phase in (here, *self.further)])
        assert pair is not None
        pairs = {"remove": pair, "add": pair.reverse()} if self.both else {self.neighbours: pair}
        return {side: notion(each, at, self.digits) for side, each in pairs.items()}

    def sigma(self) -> Calibration:
        given, rest = self.given, self.rest
        self._refuse_tiny_losses()
        budget = (given["epsilon"], given["delta"])
        if rest is not None:
            pairs = [rest, rest.reverse()] if self.both else [rest]
            if most_over(pairs, [guarantee(*budget)], 6)[1] == 1:
                raise Undefined(f"the further phases exceed delta = {given['delta']} at epsilon = "
                                f"{given['epsilon']} by themselves")

        def family(s: Any) -> Pair:
            mine: Pair = step(given["rate"], s, self.neighbours) ** given["steps"]
            return mine if rest is None else mine * rest

        return least(family, under=[budget], digits=self.digits, both_directions=self.both)


    def _refuse_tiny_losses(self) -> None:
        """Of many sampled steps with losses far below one, delta near eps = 0 is a total variation,
        about 0.4 rate sqrt(steps)/sigma, and takes the longer the larger sigma is."""
        rate, steps, delta = (float(self.given[name]) for name in ("rate", "steps", "delta"))
        if not 0 < rate < 1 or steps <= SMALL or not delta > 0 or (
                float(self.given["epsilon"]) > TINY * delta):
            return
        sigma = 0.4 * rate * math.sqrt(steps) / delta
        if sigma > MOST_SIGMA:
            raise Unsupported(f"the least sigma is near {sigma:.2g}: at epsilon <= {TINY} delta, "
                              "delta is a total variation, not reached for so many sampled steps "
                              f"beyond sigma = {MOST_SIGMA}; give a larger epsilon, or ask for "
                              "delta at a sigma")


def product(pairs: Sequence[Pair]) -> Pair | None:
    """The pairs released together; None for none at all."""
    return reduce(mul, pairs) if pairs else None


def _rate(given: Any) -> Any:
    rate = exact_parameter("rate", given)
    if not rate.is_Rational or not 0 <= rate <= 1:
        raise InputError(f"rate = {str(rate)[:40]} must be between 0 and 1")
    return rate


def _sigma(given: Any) -> Any:
    sigma = exact_parameter("sigma", given)
    if not sigma.is_Rational or sigma <= 0:
        raise InputError(f"sigma = {str(sigma)[:40]} must be a positive number")
    return sigma


def _steps(given: Any) -> int:
    steps = exact_parameter("steps", given)
    if not steps.is_Integer or not 1 <= steps <= MOST_STEPS:
        raise InputError(f"steps = {str(steps)[:40]} must be a whole number from 1 to 10^18")
    return int(steps)


def _epsilon(given: Any) -> Any:
    point = exact_parameter("epsilon", given)
    if point.free_symbols or point.is_negative:
        raise InputError(f"epsilon = {str(point)[:40]} must be a number, at least 0")
    return point


def _delta(given: Any) -> Any:
    level = exact_parameter("delta", given)
    if not level.is_Rational or not 0 <= level <= 1:
        raise InputError(f"delta = {str(level)[:40]} must be between 0 and 1")
    return level


READ: dict[str, Callable[[Any], Any]] = {
    "sigma": _sigma, "steps": _steps, "epsilon": _epsilon, "delta": _delta}


def _listed(further: Any) -> list[Any]:
    if isinstance(further, str) or not isinstance(further, Sequence):
        raise InputError(f"further = {str(further)[:40]} must be a list of (rate, sigma, steps)")
    return list(further)


def _phase(given: Any, number: int) -> Phase:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 3:
        raise InputError(f"further phase {number}, {str(given)[:40]}, must be (rate, sigma, steps)")
    try:
        return Phase(_rate(given[0]), _sigma(given[1]), _steps(given[2]))
    except InputError as problem:
        raise InputError(f"further phase {number}: {problem}") from None


def _record(found: Answer | Calibration | Copies) -> dict[str, Any]:
    """Plain data of any of the answers."""
    if isinstance(found, Answer):
        return found.record()
    said = {"certified": True, "method": found.method, "seconds": round(found.seconds, 6)}
    if isinstance(found, Copies):
        deltas = {"within": found.within, "beyond": found.beyond}
        return {"value": str(found), "radius": "0", **said,
                **{k: each.record() for k, each in deltas.items() if each is not None}}
    ends = {k: Enclosure(x, Fraction(0)).to_json()["value"] for k, x in (
        ("holds", found.holds), ("fails", found.fails))}
    middle = Enclosure((found.holds + found.fails) / 2, abs(found.holds - found.fails) / 2)
    return {**middle.to_json(), **said, **ends, "monotone": found.monotone}


__all__ = ["NEIGHBOURS", "UNKNOWN", "Phase", "Training", "step", "training"]
