"""Faults put into the kernel: the tables see each of them.

Each check of the kernel is left out in turn, and each entry of `kernel_faults` put in its place.
"""

from __future__ import annotations

import pytest

from lapdp.kernel import RULES
from tests.unit.kernel.faults import (
    checks,
    compiled,
    find,
    functions,
    in_place,
    rewritten,
    strange,
    terms_differ,
    unsound,
    without_check,
)
from tests.unit.kernel.kernel_faults import FAULTS
from tests.unit.kernel.tables import ROWS

CHECKS = [(module, function, k) for module, function in functions()
          for k in range(checks(function))]


def first_those_of(name, module):
    """All rows, those of the rule itself first, then those of its module, and the long one last."""
    return sorted(ROWS, key=lambda row: (
        row.rule != name, row.why == "too many cases",
        getattr(RULES.get(row.rule), "__module__", "") != module.__name__))


@pytest.mark.parametrize("module, function, k", CHECKS,
                         ids=[f"{f.__name__}-{k}" for _, f, k in CHECKS])
def test_a_check_left_out_is_seen(module, function, k):
    with in_place(function, compiled(without_check(function, k), module)):
        assert any(map(strange, first_those_of(function.__name__, module)))


@pytest.mark.parametrize("name, old, new", FAULTS)
def test_a_fault_is_seen(name, old, new):
    """A row that must be refused is accepted, or a hypothesis is lost."""
    module, function = find(name)
    with in_place(function, compiled(rewritten(function, old, new), module)):
        assert terms_differ() or any(map(unsound, first_those_of(name, module)))


def test_the_kernel_as_it_is():
    assert not any(map(strange, ROWS)) and not terms_differ()
    assert len(CHECKS) > 100 and len(FAULTS) > 60
