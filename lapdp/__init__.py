"""lapdp: statements of differential privacy, proved for every pair or refuted by a witness.

Public names are imported when first used, so that ``import lapdp`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "decompose": "lapdp.privacy.decomposition",
    "densities": "lapdp.privacy.mechanisms",
    "exponential": "lapdp.privacy.mechanisms",
    "finite": "lapdp.privacy.finite",
    "gaussian": "lapdp.privacy.mechanisms",
    "geometric": "lapdp.privacy.mechanisms",
    "laplace": "lapdp.privacy.mechanisms",
    "outcomes": "lapdp.privacy.mechanisms",
    "poisson": "lapdp.privacy.operations",
    "randomized_response": "lapdp.privacy.mechanisms",
    "reverse": "lapdp.privacy.operations",
    "staircase": "lapdp.privacy.mechanisms",
    "truncated_laplace": "lapdp.privacy.mechanisms",
    "verify": "lapdp.theory.engine",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lapdp' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
