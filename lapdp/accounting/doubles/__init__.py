"""Certified numbers in double precision: batches, with bounds found after the fact.

The one room that needs NumPy, an extra of the package.
"""

from __future__ import annotations

from importlib.util import find_spec

from lapdp.core.errors import Unsupported

if find_spec("numpy") is None:
    raise Unsupported('batches of doubles need NumPy: pip install "lapdp[fast]"')
