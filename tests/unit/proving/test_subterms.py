"""Subterms of a term of a derivation: inner ones first, each once, and remembered."""

from __future__ import annotations

import random

import pytest

from lapdp.proving import derivation
from lapdp.proving.derivation import Derivation


def plainly(d: Derivation, t: int) -> list[int]:
    """The same by the definition."""
    found: list[int] = []
    for k in d.kids(t):
        found += [u for u in plainly(d, k) if u not in found]
    return [*found, t] if t not in found else found


def terms(d: Derivation, seed: int) -> list[int]:
    rng = random.Random(seed)
    made = [d.b.letter("x", "R"), d.b.letter("y", "R"), d.num(2), d.b.bound(0, "R")]
    for _ in range(25):
        s, t = rng.choice(made), rng.choice(made[-6:])
        symbol = rng.choice(("add", "mul", "exp", "lint"))
        made.append(d.mk(symbol, *((s, t) if symbol in ("add", "mul") else (t,))))
    return made


@pytest.mark.parametrize("most", [0, 20, 10_000])
def test_subterms_are_those_of_the_definition(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(derivation, "REMEMBERED", most)
    d = Derivation()
    made = terms(d, most)
    for t in (*made, *reversed(made)):
        expected = plainly(d, t)
        assert d.subterms(t) == expected
        assert d.symbols(t) == {d.head(u) for u in expected}


def test_what_is_remembered_is_not_changed_by_who_asked() -> None:
    d = Derivation()
    t = d.mk("exp", d.num(2))
    d.subterms(t).clear()
    assert d.subterms(t) == [d.num(2), t]
