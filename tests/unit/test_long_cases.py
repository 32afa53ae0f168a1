"""The list of long tests: what of it runs at each change."""

from __future__ import annotations

from tests import long_cases


class Item:
    def __init__(self, nodeid):
        self.nodeid, self.marks = nodeid, []

    def add_marker(self, name):
        self.marks.append(name)


def test_what_is_not_drawn_waits_and_what_is_not_listed_runs(monkeypatch):
    monkeypatch.setattr(long_cases, "listed", lambda: {"a", "b", "of an earlier name"})
    monkeypatch.setattr(long_cases, "drawn", lambda name: name == "a")
    items = [Item("a"), Item("b"), Item("c")]
    long_cases.left_to_the_night(items)
    assert [i.marks for i in items] == [[], ["nightly"], []]


def test_each_version_of_the_code_draws_another_share(monkeypatch):
    names = [f"tests/unit/test_x.py::test[{k}]" for k in range(4800)]
    shares = []
    for version in ("one", "two"):
        monkeypatch.setattr(long_cases, "code_digest", lambda version=version: version)
        shares.append({n for n in names if long_cases.drawn(n)})
    assert all(80 < len(share) < 160 for share in shares)
    assert len(shares[0] & shares[1]) < 15


def test_what_guards_the_kernel_and_the_border_is_not_listed():
    for name in long_cases.listed():
        assert long_cases.is_long(name, long_cases.GUARDS + 1), name
        assert not name.startswith(long_cases.KERNEL), name


def test_what_guards_the_border_is_long_above_seconds_of_its_own():
    guard = f"{long_cases.ALWAYS[-1]}::test_a"
    assert not long_cases.is_long(guard, 1) and long_cases.is_long(guard, long_cases.GUARDS + 1)
    assert long_cases.is_long("tests/unit/test_axes.py::test_a", 1)
    assert not long_cases.is_long("tests/unit/kernel/test_a.py::test_a", 100)
