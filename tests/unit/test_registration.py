"""The ``hypothesis`` entry point: classes are known to ``st.from_type``, and nothing is loaded."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair
from lapdp.privacy.notions.tradeoff import TradeOff
from lapdp.privacy.pair import Pair
from lapdp.testing.registration import HOMES, register
from lapdp.testing.strategies.types import STRATEGIES

ROOT = Path(__file__).parents[2]
HOOK = "lapdp.testing.registration:register"


@pytest.fixture
def installed(tmp_path):
    """Runs Python where lapdp is installed, as far as importlib.metadata can see."""
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    points = stated["project"]["entry-points"]["hypothesis"]
    assert points == {"lapdp": HOOK}
    info = tmp_path / "lapdp-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lapdp\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[hypothesis]\nlapdp = {HOOK}\n")

    def run(program):
        paths = os.pathsep.join([str(tmp_path), str(ROOT)])
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_importing_hypothesis_loads_nothing_heavy(installed):
    told = installed(
        "import sys, hypothesis\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] in ('lapdp', 'sympy', 'flint')))")
    assert told.split() == ["lapdp", "lapdp.testing", "lapdp.testing.registration"]


@pytest.mark.parametrize("first", ["hypothesis", "lapdp.privacy.finite"])
def test_annotations_draw_pairs_whatever_is_imported_first(installed, first):
    told = installed(
        f"import {first}\n"
        "from hypothesis import HealthCheck, given, settings\n"
        "from hypothesis import strategies as st\n"
        "from lapdp import LossDistribution\n"
        "from lapdp.privacy.finite import FinitePair\n"
        "import lapdp.privacy.finite as home, sys\n"
        "print(type(home.__loader__).__name__, type(home.__spec__.loader).__name__)\n"
        "print('lapdp.testing.strategies' in sys.modules)\n"
        "seen = set()\n"
        # the first draw of a process reads the sources of a checkout for constants
        "@settings(database=None, suppress_health_check=[HealthCheck.too_slow])\n"
        "@given(...)\n"
        "def collect(pair: FinitePair, loss: LossDistribution):\n"
        "    seen.update({type(pair).__name__, type(loss).__name__})\n"
        "collect()\n"
        "print(*sorted(seen), st.from_type(FinitePair))\n")
    assert told.splitlines() == ["SourceFileLoader SourceFileLoader", "False",
                                 "FinitePair LossDistribution finite_pairs()"]


def test_the_hook_where_lapdp_is_installed(installed):
    told = installed(
        "from importlib.metadata import entry_points\n"
        "hook, = [e for e in entry_points(group='hypothesis') if e.name == 'lapdp']\n"
        "print(hook.value, callable(hook.load()))")
    assert told.split() == [HOOK, "True"]


@pytest.mark.parametrize("name", sorted({name for names in HOMES.values() for name in names}))
def test_every_class_is_drawn(name):
    register()
    (home,) = [home for home, names in HOMES.items() if name in names]
    cls = getattr(importlib.import_module(home), name)
    drawn = []

    @settings(max_examples=5, database=None, derandomize=True, deadline=None)
    @given(st.from_type(cls))
    def collect(value):
        drawn.append(value)

    collect()
    assert drawn and all(isinstance(value, cls) for value in drawn)


def test_all_strategies_are_registered():
    assert set(STRATEGIES) == {name for names in HOMES.values() for name in names}


def test_registering_twice_changes_nothing():
    before = list(sys.meta_path)
    register()
    once = list(sys.meta_path)
    register()
    assert sys.meta_path == once
    assert len(once) - len(before) in (0, 1)


def test_registered_classes_shrink_to_the_smallest():
    register()
    assert repr(find(st.from_type(Pair), lambda pair: True)) == "finite([1], [1])"
    assert repr(find(st.from_type(TradeOff), lambda f: True)) == "finite([1], [1]).tradeoff"
    assert repr(find(st.from_type(FinitePair), lambda pair: pair.P != pair.Q)) in (
        'finite([0, 1], ["1/2", "1/2"])', "finite([0, 1], [1, 0])")


def test_other_modules_are_found_as_ever():
    register()
    assert metadata.version("hypothesis")
    assert importlib.util.find_spec("lapdp.privacy.no_such_module") is None
