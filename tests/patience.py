"""Cases that take long go to ``make nightly``; the others of their list stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def with_nightly(names: Iterable[str], *nightly: str) -> list[Any]:
    """Names for ``parametrize``, some of them marked ``nightly``; each must be one of the names."""
    names = list(names)
    unknown = {*nightly} - {*names}
    assert not unknown, f"there are no cases {sorted(unknown)}"
    return [pytest.param(n, marks=pytest.mark.nightly) if n in nightly else n for n in names]
