"""What researchers and authors of accountants test their own code with.

Public names are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "LAWS": "lapdp.testing.laws",
    "LawFailed": "lapdp.testing.conformance",
    "accountant_laws": "lapdp.testing.conformance.accountant",
    "bound_laws": "lapdp.testing.conformance.bound",
    "check_accountant": "lapdp.testing.conformance.accountant",
    "check_bound": "lapdp.testing.conformance.bound",
    "check_mechanism": "lapdp.testing.conformance.mechanism",
    "check_profile": "lapdp.testing.conformance.profile",
    "check_sampler": "lapdp.testing.conformance.sampler",
    "check_tradeoff": "lapdp.testing.conformance.tradeoff",
    "conjecture": "lapdp.testing.conjectures",
    "mechanism_laws": "lapdp.testing.conformance.mechanism",
    "parametrize_with_laws": "lapdp.testing.conformance",
    "profile_laws": "lapdp.testing.conformance.profile",
    "tradeoff_laws": "lapdp.testing.conformance.tradeoff",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'lapdp.testing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
