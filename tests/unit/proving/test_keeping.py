"""What is written of a derivation: the steps that its last theorem needs, each conclusion once."""

from __future__ import annotations

import json

import pytest

from lapdp.core.checked import NotAccepted, accept
from lapdp.proving.derivation import Derivation
from lapdp.proving.keeping import lines_of


def rules(lines: list[str]) -> list[str]:
    """The rules that lines use, in order."""
    return [row[1] for row in map(json.loads, lines) if row[0] == "p"]


def supposed(d: Derivation, theorem: int, formula: int) -> int:
    """The same claim once more, under a hypothesis that it does not need."""
    return d.do("taut", d.claim(theorem), [theorem, d.assume(formula)])


def test_a_conclusion_under_more_hypotheses_is_not_written_again() -> None:
    d = Derivation()
    x = d.b.letter("x", "R")
    small = d.mk("lt", x, d.num(0))
    same = d.refl(x)
    last = d.disch(small, supposed(d, same, small))
    lines = lines_of(d, last)
    assert rules(lines) == ["refl", "disch"]
    assert accept(lines, d.b.digest(d.mk("imp", small, d.claim(same)))).steps == 2


@pytest.mark.parametrize("needless_first", [False, True])
def test_a_conclusion_keeps_the_fewest_hypotheses(needless_first: bool) -> None:
    d = Derivation()
    x = d.b.letter("x", "R")
    small, same = d.mk("lt", x, d.num(0)), d.mk("eq", x, x)
    if needless_first:
        held = d.do("taut", d.mk("imp", small, small), [])
        held = d.do("taut", small, [held, d.assume(small)])
        first = d.do("taut", same, [held, d.assume(same)])
    else:
        first = d.assume(same)
    last = d.refl(x)
    lines = lines_of(d, last)
    assert rules(lines) == ["refl"]
    accept(lines, d.b.digest(same))
    with pytest.raises(NotAccepted, match="hypothesis"):
        accept(lines_of(d, first), d.b.digest(same))


def test_conclusions_under_different_hypotheses_are_both_written() -> None:
    d = Derivation()
    x = d.b.letter("x", "R")
    low, high = d.mk("lt", x, d.num(0)), d.mk("lt", d.num(1), x)
    same = d.mk("eq", x, x)
    ways = [d.do("taut", same, [d.assume(same), d.assume(f)]) for f in (low, high)]
    both = d.both(*(d.disch(f, d.disch(same, i)) for f, i in zip((low, high), ways, strict=True)))
    lines = lines_of(d, both)
    accept(lines, d.b.digest(d.claim(both)))
