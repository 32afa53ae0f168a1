"""Conformance suites: laws that a user's own mechanism, curve, accountant or bound must obey.

Needs the extra ``testing``.  Each kind of thing has a file with ``<kind>_laws``, the list of laws
bound to it, and ``check_<kind>``, which runs them.
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'lapdp.testing needs hypothesis: pip install "lapdp[testing]"', name="hypothesis"
    ) from missing

from lapdp.testing.conformance.checks import LawCheck, parametrize_with_laws
from lapdp.testing.conformance.findings import Failure, Finding, LawFailed, Report, Violation

del _hypothesis

__all__ = ["Failure", "Finding", "LawCheck", "LawFailed", "Report", "Violation",
           "parametrize_with_laws"]
