"""Which tests take long, and how that list is made.

    python -m pytest -n auto -p tests.long_cases

runs all but what is nightly by itself and writes ``long_cases.txt``: the tests that took more than
``SECONDS`` of a processor and check the engine, the search or the numbers on one more case.  Of
these ``make test`` runs one in ``ONE_IN``, drawn anew for each version of the code; ``make
nightly`` runs the others.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator
from pathlib import Path

import pytest

from lapdp.theory.cache import code_digest
from tests import nursery

LIST = Path(__file__).with_name("long_cases.txt")
SECONDS = 0.2
GUARDS = 5.0
ONE_IN = 40
"""How much of what is long is run at each change: another sample for each version of the code."""
FOLDERS = ("lapdp/", *(f"tests/{name}/" for name in (
    "unit", "properties", "campaigns", "wrong", "notebooks")))
ALWAYS = ("lapdp/", *(f"tests/unit/test_{name}.py" for name in (
    "amounts", "cache", "code", "deadline", "documents", "equal_bytes", "examples", "help",
    "hostile", "kept_verdicts", "pages", "parse", "pytest_plugin", "quick", "site",
    "sources_and_screens", "starting_files", "terminal", "verify_search")))
"""What guards the kernel, the documents, the commands and the border to the outside is long only
above ``GUARDS`` seconds, and what guards the kernel never."""
KERNEL = "tests/unit/kernel/"


def listed() -> set[str]:
    """The ids of all long tests."""
    return set(LIST.read_text(encoding="utf-8").splitlines())


def drawn(name: str, one_in: int = ONE_IN) -> bool:
    """Is a long test, or a statement that has been judged, in the sample of this version of the
    code?"""
    told = hashlib.sha256(f"{code_digest()} {name}".encode()).digest()
    return int.from_bytes(told[:4]) % one_in == 0


def is_long(test: str, seconds: float) -> bool:
    """Is a test that took so many seconds of a processor one of those that are drawn?

    >>> [is_long(f"tests/unit/test_{name}.py::test_all", 1) for name in ("help", "couples")]
    [False, True]
    """
    limit = GUARDS if test.startswith(ALWAYS) else SECONDS
    return seconds > limit and test.startswith(FOLDERS) and not test.startswith(KERNEL)


def left_to_the_night(items: list[pytest.Item]) -> None:
    """Marks the long tests that are not drawn ``nightly``.

    A name on the list that no test has costs nothing, and a test under a new name runs.
    """
    long = listed()
    for item in items:
        if item.nodeid in long and not drawn(item.nodeid):
            item.add_marker("nightly")


_started: dict[str, float] = {}
_taken: dict[str, float] = {}


def _processor() -> float:
    """Seconds that this process, the children it has waited for and its workers took."""
    return sum(os.times()[:4]) + nursery.taken()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The clock starts."""
    _started[item.nodeid] = _processor()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]
                              ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The last report of a test tells what it took."""
    report = yield
    if call.when == "teardown" and item.nodeid in _started:
        report.user_properties.append(("processor", _processor() - _started[item.nodeid]))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Reports of all processes come by here."""
    for name, value in report.user_properties:
        if name == "processor":
            _taken[report.nodeid] = float(str(value))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the list, in the process that has all reports."""
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        long = sorted(name for name, taken in _taken.items() if is_long(name, taken))
        LIST.write_text("".join(f"{name}\n" for name in long), encoding="utf-8")
