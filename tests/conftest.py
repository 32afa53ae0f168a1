"""Settings that all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def _caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that are not there yet: pytest would list all earlier ones for each."""
    top: Path = tmp_path_factory.mktemp("kept")
    return (top / str(k) for k in count())


@pytest.fixture(autouse=True)
def _own_cache(_caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads verdicts that another run has kept, and none leaves any behind."""
    monkeypatch.setenv("LAPDP_CACHE", str(next(_caches)))
