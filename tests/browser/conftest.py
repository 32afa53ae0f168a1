"""Chromium without a window, and the site of the whole library on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lapdp.report.site import write_site
from tests.browser.chromium import start
from tests.site_pages import pages


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site lies."""
    found = tmp_path_factory.mktemp("site") / "pages"
    write_site(found, pages())
    return found


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests, with the log of its console."""
    driver = start(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Any, folder: Path, pytestconfig: pytest.Config) -> Iterator[Any]:
    """The browser at the contents; afterwards, nothing may have been said on its console."""
    chromium.set_window_size(1280, 900)
    chromium.get(folder.joinpath("index.html").as_uri())
    chromium.execute_script("localStorage.clear()")
    chromium.get_log("browser")
    yield chromium
    assert chromium.get_log("browser") == []


@pytest.fixture
def shots() -> Path:
    """Where screenshots go: the folder named by ``LAPDP_SCREENSHOTS``, to be looked at."""
    found = Path(os.environ.get("LAPDP_SCREENSHOTS", "/tmp"))
    found.mkdir(parents=True, exist_ok=True)
    return found
