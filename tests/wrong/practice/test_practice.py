"""What practitioners write: the wrong is caught by the default call, the right passes."""

from __future__ import annotations

import pytest

from tests.wrong.practice import accountants, curves, mechanisms, releases, samplers

PAGES = (samplers, releases, mechanisms, curves, accountants)
WRONG = [thing for page in PAGES for thing in page.WRONG]
RIGHT = [thing for page in PAGES for thing in page.RIGHT]
DAILY = {*samplers.WRONG, *samplers.RIGHT, *releases.WRONG[2:], *mechanisms.WRONG[:2],
         *mechanisms.RIGHT[:1]}
"""The others take seconds each, and are run at night; `tests/campaigns/alarms.py` runs each right
thing fifty times."""


def at_hand(things):
    return [pytest.param(thing, id=thing.name,
                         marks=() if thing in DAILY else pytest.mark.nightly) for thing in things]


def test_there_are_enough_of_them():
    names = [thing.name for thing in WRONG + RIGHT]
    assert len(set(names)) == len(names)
    assert len(WRONG) >= 80 and len(RIGHT) >= 45


@pytest.mark.parametrize("thing", at_hand(WRONG))
def test_a_wrong_thing_is_caught_by_the_default_call(thing):
    report = thing.run(0)
    assert report.failures, report
    told = str(report.failures[0])
    assert len(told.splitlines()) <= 30 and max(map(len, told.splitlines())) <= 400, told


@pytest.mark.parametrize("thing", at_hand(RIGHT))
def test_a_right_thing_passes(thing):
    report = thing.run(1)
    assert report, report
