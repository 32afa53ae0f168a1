"""The nearest tests come first, and no test begins when the time is over."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.effort import calls_at_most
from tests.quick import DOCUMENTS, Deadline, chosen, imports, module_of


def test_modules():
    assert module_of("lapdp/balls/__init__.py") == "lapdp.balls"
    assert module_of("tests/oracle/terms.py") == "tests.oracle.terms"


def test_the_nearest_come_first():
    found = chosen(["lapdp/balls/decimals.py", "tests/unit/test_quick.py"])
    assert found[:2] == ["tests/unit/test_quick.py", "lapdp/balls/decimals.py"]
    importing = [f for f in found[2:] if "lapdp.balls.decimals" in imports()[f]]
    others = [f for f in found[2:] if f not in importing and f not in DOCUMENTS]
    assert found.index(importing[-1]) < found.index(others[0])
    assert "tests/unit/test_parse.py" not in found
    assert len(found) == len(set(found))


def test_what_else_is_read_by_tests():
    assert "tests/unit/test_documents.py" in chosen(["README.md"])
    assert "tests/library" in chosen(["proofs/README.md"])
    assert "tests/unit/test_oracle.py" in chosen(["tests/oracle/finite.py"])
    assert chosen(["LICENSE", "lapdp/removed.py"]) == []


def test_the_time_is_over():
    session = SimpleNamespace(shouldstop=False, items=[1, 2, 3])
    for seconds in (100.0, -1.0):
        assert not session.shouldstop
        Deadline(seconds).pytest_runtest_protocol(SimpleNamespace(session=session))
    assert "3 of 3 tests are left" in session.shouldstop


def test_work_is_counted():
    with calls_at_most(10) as count:
        abs(-1)
    assert 0 < count[0] < 10
    with pytest.raises(AssertionError, match="more than 10 calls"), calls_at_most(10):
        for n in range(100):
            abs(n)
