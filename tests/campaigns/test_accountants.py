"""A sample of the campaign on real accountants, and the violation that it has found."""

from __future__ import annotations

import warnings

import mpmath

from lapdp.accounting.audit import Query, Release
from lapdp.accounting.audit.adapter import installed
from lapdp.accounting.audit.adapters import adapter
from lapdp.testing.conformance.accountants import Asking, Audited
from lapdp.testing.conformance.values import EXACT, Value, relation
from tests.campaigns.accountants import reports, second_route


def test_a_sample_of_opendp_obeys_the_laws():
    # three examples bound the work; the time is only there to end what would not
    for title, report in reports(["opendp"], 3, 600.0, strict=False):
        assert report, f"{title}: {report}"


def test_an_interval_of_prv_accountant_misses_two_releases():
    """Two of (32, 1/100): delta(0) is 1 to thirteen digits, the interval is about 0.0199, which
    is the mass at infinite loss: the finite losses, 64, lie beyond its window."""
    warnings.simplefilter("ignore")
    method = next(m for m in adapter("microsoft").methods if m.name == "prv-0.01")
    asked = Audited(method, EXACT, None, False, 60.0, 16)
    fixed = installed("prv-accountant") != "0.2.0"
    for eps, contained in ((4.0, True), (32.0, fixed)):
        query = Query((Release("approximate_dp", (eps, 0.01), None, 2),), "delta", 0.0)
        truth = asked.truth(Asking(query))
        with mpmath.workdps(30):
            assert abs(second_route(query) - mpmath.mpf(str(truth))) < 1e-11
        assert relation(asked.value(Asking(query)), "==", Value.of(truth)) is contained
