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


def test_each_version_of_the_code_draws_another_tenth(monkeypatch):
    names = [f"tests/unit/test_x.py::test[{k}]" for k in range(1200)]
    shares = []
    for version in ("one", "two"):
        monkeypatch.setattr(long_cases, "code_digest", lambda version=version: version)
        shares.append({n for n in names if long_cases.drawn(n)})
    assert all(80 < len(share) < 160 for share in shares)
    assert len(shares[0] & shares[1]) < 35


def test_what_guards_the_kernel_and_the_border_is_not_listed():
    for name in long_cases.listed():
        assert name.startswith(long_cases.FOLDERS) and not name.startswith(long_cases.ALWAYS), name
