"""True conjectures of the field: none is refuted, most are proved."""

from __future__ import annotations

import pytest

from lapdp.testing.conjectures.searching import search
from lapdp.theory.engine import judge
from tests.properties.conjectured import TRUE, stated


@pytest.mark.parametrize("name", TRUE)
def test_a_true_one_is_never_refuted(name):
    found = search(stated(TRUE[name]), examples=15, seed=1, seconds=60)
    assert found.found is None
    assert found.looked >= 8 and found.outcomes >= 2


@pytest.mark.parametrize("name", [name for name, said in TRUE.items() if said.proved])
def test_a_true_one_is_proved(name):
    assert str(judge(stated(TRUE[name]), numeric=False).kind) in ("proved", "derived")


def test_most_are_proved():
    assert len(TRUE) >= 20
    assert sum(said.proved for said in TRUE.values()) >= 20
