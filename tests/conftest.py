"""Settings that all tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from lapdp.core.room import with_room
from lapdp.theory import discovery, loading, workers
from lapdp.theory.library import shipped_library
from lapdp.theory.statement import Statement
from tests import long_cases, nursery

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Some long tests wait for ``make nightly``, unless the list of them is being made; no test
    maps memory at each call."""
    if not config.pluginmanager.is_registered(long_cases):
        long_cases.left_to_the_night(items)
    for item in items:
        vars(item)["runtest"] = with_room(item.runtest)


@pytest.fixture(scope="session")
def _caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that are not there yet: pytest would list all earlier ones for each."""
    top: Path = tmp_path_factory.mktemp("kept")
    return (top / str(k) for k in count())


@pytest.fixture(scope="session", autouse=True)
def _library_once() -> Iterator[None]:
    """Proof files that come with lapdp do not change while tests run: each is executed once."""
    fresh, shelf = loading.load_file, shipped_library()
    known: dict[Path, list[Statement]] = {}

    def once(path: str | Path) -> list[Statement]:
        file = Path(path).resolve()
        if not file.is_relative_to(shelf):
            return fresh(path)
        if file not in known:
            known[file] = fresh(path)
        return list(known[file])

    loading.load_file = discovery.load_file = once
    yield
    loading.load_file = discovery.load_file = fresh


@pytest.fixture(autouse=True)
def _no_fault(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the border of the engine turned into "undecided" is a fault of a method all the same."""
    from lapdp.core.border import FAULTS

    FAULTS.clear()
    yield
    assert "faults" in request.keywords or not FAULTS, list(FAULTS)


@pytest.fixture(autouse=True)
def _own_cache(_caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads verdicts that another run has kept, and none leaves any behind."""
    monkeypatch.setenv("LAPDP_CACHE", str(next(_caches)))


@pytest.fixture(scope="session")
def _nursery() -> Iterator[SimpleNamespace]:
    with nursery.open_nursery() as found:
        yield found


@pytest.fixture(autouse=True)
def _workers_are_forks(request: pytest.FixtureRequest, _nursery: SimpleNamespace,
                       monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker need not load the engine again where workers are not what is tested."""
    if sys.platform == "linux" and "fresh_workers" not in request.keywords:
        monkeypatch.setattr(workers, "subprocess", _nursery)
