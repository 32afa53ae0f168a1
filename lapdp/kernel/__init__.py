"""A small checker of derivations: the only maker of ``proved``.

It imports nothing else of lapdp.  ``python -m lapdp.kernel FILE`` checks a file alone.
"""

from lapdp.kernel.checker import Checker, read_lines
from lapdp.kernel.domain import domain, statement
from lapdp.kernel.rules import RULES, Theorem
from lapdp.kernel.terms import Bank, Refused

__all__ = ["RULES", "Bank", "Checker", "Refused", "Theorem", "domain", "read_lines", "statement"]
