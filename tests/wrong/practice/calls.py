"""A thing beside the call that a newcomer would make for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lapdp.testing import (
    check_accountant,
    check_bound,
    check_mechanism,
    check_profile,
    check_sampler,
    check_tradeoff,
)


@dataclass(frozen=True)
class Called:
    """``run(seed)`` is the report of the default call; ``examples=`` makes a search shorter."""

    name: str
    says: str
    """What is wrong; of a right thing, why it is right."""
    run: Callable[..., Any]


def _called(check: Callable[..., Any], kind: str) -> Callable[..., Called]:
    def called(name: str, says: str, thing: Any, **how: Any) -> Called:
        return Called(f"{kind}: {name}", says,
                      lambda seed=0, **much: check(thing, **how, **much, seed=seed,
                                                   on_fail="report"))
    return called


sampler = _called(check_sampler, "sampler")
mechanism = _called(check_mechanism, "mechanism")
profile = _called(check_profile, "profile")
tradeoff = _called(check_tradeoff, "tradeoff")
accountant = _called(check_accountant, "accountant")
bound = _called(check_bound, "bound")


def normal(x: float) -> float:
    """The distribution function of the normal law, also far to the left."""
    return math.erfc(-x / math.sqrt(2)) / 2


def above(number: Any) -> float:
    """The least double that is not below a certified number, as an upper bound."""
    most = number.upper
    found = float(most)
    return math.nextafter(found, math.inf) if math.isfinite(found) and found < most else found


def exact(x: Any) -> Any:
    """The exact number that a double is; others as they are."""
    return Fraction(x) if isinstance(x, float) else x
