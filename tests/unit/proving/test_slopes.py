"""Inequalities by their derivative, and integrals of Gaussians: what is true, and slips away."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_texts as searched

TRUE = [
    ("v >= 1 - exp(-v)",),
    ("exp(z) > 1 + z + z**2/2", "z > 0"),
    ("(1 + 2*z - exp(z))*(exp(z) - 1 - z) >= 0", "z > 0", "z <= 1/2"),
    ("exp(x) >= 1 + x + x**2/2", "x >= 0"),
    ("z - 1 + exp(-z) >= z**2/2 - z**3/6", "z > 0"),
    ("exp(z) - 1 - z <= z/2", "z > 0", "z <= 1/2"),
    ("exp(z) - 1 - z <= z**2", "z > 0", "z <= 1"),
    ("log(1 + x) <= x", "x >= 0"),
    ("exp(-x) <= 1 - x + x**2/2", "x >= 0"),
    ("sin(x)**2 + cos(x)**2 <= 1",),
    ("sqrt(n)*v + n*v**2 <= n*v", "n >= 4", "v > 0", "v <= 1/2"),
    ("x*exp((q - 1)*(log(x) - log(y))) <= q*x + (1 - q)*y", "x > 0", "y > 0", "q > 0", "q < 1"),
]
FALSE = [
    ("exp(z) > 1 + z + z**2", "z > 0"),
    ("exp(z) > 1 + z + z**2/2", "z > -1"),
    ("(1 + 2*z - exp(z))*(exp(z) - 1 - z) >= 0", "z > 0", "z <= 2"),
    ("(1 + 2*z - exp(z))*(exp(z) - 1 - z) <= 0", "z > 0", "z <= 1/2"),
    ("v > 1 - exp(-v)",),
    ("exp(x) >= 1 + x + x**2/2",),
    ("exp(x) >= 1 + x + x**2", "x >= 0"),
    ("z - 1 + exp(-z) >= z**2/2", "z > 0"),
    ("z - 1 + exp(-z) >= z**2/2 - z**3/6",  "z > -1"),
    ("exp(z) - 1 - z <= z/2", "z > 0", "z <= 4/5"),
    ("exp(z) - 1 - z <= z**2", "z > 0", "z <= 2"),
    ("exp(z) - 1 - z <= z**2",),
    ("log(1 + x) <= x - x**2/2", "x >= 0"),
    ("exp(-x) <= 1 - x", "x >= 0"),
    ("exp(-x) <= 1 - x + x**2/3", "x >= 0"),
    ("sin(x)**2 + cos(x)**2 < 1",),
    ("sin(x)**2 - cos(x)**2 <= 0",),
    ("1/x >= 2 - x",),
    ("1/x >= 2 - x", "x >= -1"),
    ("sqrt(n)*v + n*v**2 <= n*v", "n >= 3", "v > 0", "v <= 1/2"),
    ("x*exp((q - 1)*(log(x) - log(y))) <= q*y + (1 - q)*x", "x > 0", "y > 0", "q > 0", "q < 1"),
    ("x*exp((q - 1)*(log(x) - log(y))) < q*x + (1 - q)*y", "x > 0", "y > 0", "q > 0", "q < 1"),
    ("x*exp((q - 1)*(log(x) - log(y))) <= q*x + (1 - q)*y", "x > 0", "y > 0", "q > 0", "q < 2"),
]


@pytest.mark.parametrize("texts", TRUE, ids=" | ".join)
def test_true_statements_are_derived(texts) -> None:
    assert_derived(searched(texts, 40_000))


@pytest.mark.parametrize("texts", FALSE, ids=" | ".join)
def test_false_statements_are_not(texts) -> None:
    assert_not_derived(searched(texts, 6_000))
