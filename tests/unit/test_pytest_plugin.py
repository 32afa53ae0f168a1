"""Statements of proof files as test items of a researcher's own project."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.metadata import entry_points

import pytest

pytest_plugins = ["pytester"]

PROOFS = '''
import sympy as sp
from lapdp.theory import *

P, Q = pair("P", "Q")
eps = reals("eps")

with theorem("mine/theorem-1"):
    claim("eq-1", Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)))
    claim("eq-2", Eq(delta(Q, P)(eps), delta(P, Q)(eps)))
    claim("eq-3", Eq(delta(Q, P)(0), 2 * delta(P, Q)(0)), expected="refuted")
'''


@pytest.fixture
def project(pytester):
    if not entry_points(group="pytest11", name="lapdp"):
        # run from a checkout that is not installed
        pytester.makeconftest('pytest_plugins = ["lapdp.testing.plugin"]')
    pytester.makepyfile(**{"proofs/mine": PROOFS, "proofs/_helper": "raise SystemExit",
                           "elsewhere/other": "raise SystemExit"})
    return pytester


def run(project, *options):
    return project.runpytest_subprocess("-p", "no:cacheprovider", *options)


def test_statements_are_items_and_a_false_one_fails_with_its_witness(project):
    found = run(project, "-v", "--junitxml=report.xml", "--lapdp-no-numeric", "--lapdp-seed=7")
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.fnmatch_lines(["*mine/eq-1 PASSED*", "*mine/eq-2 FAILED*", "*mine/eq-3 PASSED*"])
    found.stdout.fnmatch_lines(["*mine/eq-2: refuted*", "*witness:*", "*reproduce:*lapdp verify*"])
    found.stdout.fnmatch_lines(["lapdp *: 2 refuted, 1 derived (digits 30, seed 7)"])

    cases = ET.parse(project.path / "report.xml").iter("testcase")
    told = {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
            for case in cases}
    assert {name: p["verdict"] for name, p in told.items()} == {
        "mine/eq-1": "derived", "mine/eq-2": "refuted", "mine/eq-3": "refuted"}
    assert all(p["statement"] == name for name, p in told.items())


def test_one_statement_is_chosen_as_any_test_is(project):
    run(project, "proofs/mine.py::mine/eq-1").assert_outcomes(passed=1)


def test_other_folders_are_named_in_the_configuration(project):
    project.makeini("[pytest]\nlapdp_proofs = theory")
    project.makepyfile(**{"theory/more": PROOFS.replace("mine/", "more/")})
    found = run(project, "--collect-only", "-q")
    found.stdout.fnmatch_lines(["*theory/more.py::more/eq-1"])
    found.stdout.no_fnmatch_line("*mine*")


@pytest.mark.parametrize("option, told", [
    ("--lapdp-digits=0", "digits must be between 1 and 1000"),
    ("--lapdp-seed=-1", "the seed must be an integer >= 0"),
    ("--lapdp-timeout=nan", "the time limit must be a positive number of seconds"),
])
def test_options_without_meaning_are_refused(project, option, told):
    found = run(project, option)
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines([f"*lapdp: {told}"])


def test_a_fault_of_a_file_is_one_line(project):
    project.makepyfile(**{"proofs/wrong": "from lapdp.theory import *\n\nclaim('eq-1', Eq(1, 1)"})
    found = run(project)
    found.stdout.fnmatch_lines(["*wrong.py:3: *"])
    assert "Traceback" not in found.stdout.str()


def test_a_statement_that_takes_too_long_fails_alone(project):
    found = run(project, "--lapdp-timeout=0.000001", "-k", "eq-1")
    found.assert_outcomes(failed=1, deselected=2)
    found.stdout.fnmatch_lines(["*undecided*", "*time limit*"])


def test_other_runs_of_pytest_pay_nothing_for_it(pytester):
    """Where no proof file is collected, the plugin loads no algebra and no strategies."""
    pytester.makepyfile("""
        import sys

        def test_light():
            assert "lapdp.testing.plugin" in sys.modules
            assert not {"sympy", "flint", "mpmath", "lapdp.theory"} & sys.modules.keys()
    """)
    named = () if entry_points(group="pytest11", name="lapdp") else ("-p", "lapdp.testing.plugin")
    done = pytester.runpytest_subprocess(*named, "-p", "no:cacheprovider",
                                         "-p", "no:hypothesispytest")
    done.assert_outcomes(passed=1)


def test_the_names_of_the_checks_are_light():
    code = ("import sys, lapdp.testing; "
            "print([m for m in ('sympy', 'hypothesis', 'pytest') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
