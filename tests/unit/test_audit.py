"""Verdicts of the audit: accountants that lie are caught, honest ones are not."""

from __future__ import annotations

import json
import math
import re
import time
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

import pytest

from lapdp import cli
from lapdp.accounting.audit import (
    VERDICTS,
    Claim,
    Query,
    Refused,
    Release,
    Truth,
    audit,
    judge,
)
from lapdp.accounting.audit.adapters import adapter, known
from lapdp.accounting.audit.grid import COMPOSITIONS, grid
from lapdp.accounting.audit.queries import exact_text
from lapdp.accounting.audit.running import planned, row_id
from lapdp.core.errors import InputError
from lapdp.privacy import catalogue
from lapdp.report import audits
from lapdp.report.audit_page import MARKS, TONES, page
from lapdp.report.html.environment import asset
from lapdp.theory.parse import parse_mechanism
from tests.html_outline import Outline

LAPLACE = Query((Release("laplace", (2.0,)),), "delta", 0.25)
"""delta(eps) = 1 - e^((eps - 1/scale)/2)."""
TRUE = -math.expm1((0.25 - 0.5) / 2)
SAMPLED = Query((Release("gaussian", (1.0,), rate=0.25),), "delta", 1.0)

WORD = Claim("upper", "both", "its word")


@dataclass(frozen=True)
class Fake:
    """A method that gives what it is told to give."""

    gives: object
    claim: Claim = WORD
    name: str = "fake"
    settings: dict[str, object] = field(default_factory=dict)

    def reaches(self, query):
        return True

    def answer(self, query):
        if isinstance(self.gives, BaseException):
            raise self.gives
        if self.gives == "hang":
            time.sleep(60)
        if self.gives == "divide":
            return 1 / 0
        if self.gives == "memory":
            return len(bytearray(1 << 40))
        return self.gives

    def code(self, query):
        return repr(self.gives)


@dataclass(frozen=True)
class Accountant:
    methods: tuple[Fake, ...]
    name: str = "fake"
    distribution: str = "lapdp"


def verdict(gives, kind="upper", query=LAPLACE, direction="both", **more):
    claim = Claim(kind, direction, "its word")
    found = audit(Accountant((Fake(gives, claim),)), [query], **{"isolated": False, **more})
    return found.rows[0].verdict


@pytest.mark.parametrize(("kind", "gives", "expected"), [
    ("upper", TRUE * (1 + 1e-6), "valid"),
    ("upper", TRUE * (1 - 1e-6), "invalid"),
    ("upper", math.nextafter(TRUE, 1) + 1e-16, "valid"),
    ("upper", 1.0, "vacuous"),
    ("upper", -1e-300, "nonsense"),
    ("upper", 1.0000000001, "nonsense"),
    ("upper", math.nan, "nonsense"),
    ("upper", math.inf, "nonsense"),
    ("upper", (0.1, 0.2), "nonsense"),
    ("upper", "0.1", "nonsense"),
    ("upper", 1j, "nonsense"),
    ("upper", None, "nonsense"),
    ("lower", TRUE * (1 - 1e-6), "valid"),
    ("lower", TRUE * (1 + 1e-6), "invalid"),
    ("lower", 0.0, "vacuous"),
    ("lower", -0.5, "vacuous"),
    ("estimate", TRUE * (1 - 1e-6), "estimate"),
    ("estimate", 2 * TRUE, "off"),
    ("estimate", -TRUE, "nonsense"),
    ("interval", (TRUE - 0.01, TRUE + 0.01), "valid"),
    ("interval", (-0.01, 0.0, 0.2), "valid"),
    ("interval", (TRUE + 0.001, TRUE + 0.01), "invalid"),
    ("interval", (TRUE - 0.01, TRUE, TRUE - 0.001), "invalid"),
    ("interval", (0.2, 0.1), "nonsense"),
    ("interval", (0.1, math.nan), "nonsense"),
    ("interval", 0.1, "nonsense"),
    ("interval", (0.0, 1.0), "vacuous"),
])
def test_each_kind_of_claim_against_a_known_delta(kind, gives, expected):
    assert verdict(gives, kind).kind == expected


def test_an_answer_within_the_radius_is_decided_by_more_digits():
    # the two doubles beside the value differ from it by less than 10^-15 of it
    below, above = math.nextafter(TRUE, 0), math.nextafter(TRUE, 1)
    assert {verdict(x).kind for x in (math.nextafter(below, 0), math.nextafter(above, 1))} == {
        "invalid", "valid"}
    assert verdict(TRUE).kind in ("invalid", "valid")


def test_what_is_equal_is_a_bound_on_both_sides():
    half = Truth(Fraction(1, 2), Fraction(1, 2))
    for kind in ("upper", "lower"):
        found = judge(Claim(kind, "both", ""), "delta", (0.5,), half)
        assert (found.kind, found.digits, found.error) == ("valid", None, 0.0)
    wide = Truth(Fraction(1, 4), Fraction(3, 4))
    assert judge(Claim("upper", "both", ""), "delta", (0.5,), wide).kind == "undecided"
    assert judge(Claim("upper", "both", ""), "delta", (0.75,), wide).kind == "valid"
    assert judge(Claim("upper", "both", ""), "delta", (0.25,), wide).kind == "undecided"


def test_plateaus_need_an_infinite_epsilon():
    query = Query((Release("approximate_dp", (1.0, 2.0**-10)),), "epsilon", 2.0**-11)
    assert verdict(math.inf, query=query).kind == "valid"
    assert verdict(100.0, query=query).kind == "invalid"
    assert verdict(100.0, "lower", query=query).kind == "valid"
    assert verdict(100.0, "estimate", query=query).kind == "off"
    assert verdict((1.0, 2.0), "interval", query=query).kind == "invalid"
    # at the mass itself the largest loss will do
    exactly = Query(query.releases, "epsilon", 2.0**-10)
    assert [verdict(x, query=exactly).kind for x in (1.0, math.nextafter(1.0, 0), math.inf)] == [
        "valid", "invalid", "vacuous"]


def test_the_wrong_direction_is_caught():
    remove, add = (float(parse_mechanism(SAMPLED.text(d), catalogue()).delta(1, digits=17))
                   for d in ("remove", "add"))
    assert remove > 1.1 * add
    assert verdict(remove * 1.001, query=SAMPLED).kind == "valid"
    assert verdict(add * 1.001, query=SAMPLED).kind == "invalid"
    assert verdict(add * 1.001, query=SAMPLED, direction="add").kind == "valid"
    assert verdict(remove * 0.999, "lower", query=SAMPLED, direction="add").kind == "invalid"


def test_replacing_a_record_moves_the_output_twice_as_far():
    query = Query((Release("gaussian", (1.0,)), Release("laplace", (4.0,))), "delta", 1.0)
    assert query.text("replace") == "gaussian(1, 2)*laplace(4, 2)"
    once, twice = (float(parse_mechanism(query.text(d), catalogue()).delta(1, digits=17))
                   for d in ("remove", "replace"))
    assert verdict(twice * 1.001, query=query, direction="replace").kind == "valid"
    assert verdict(once * 1.001, query=query, direction="replace").kind == "invalid"
    with pytest.raises(InputError, match="replaced"):
        SAMPLED.text("replace")
    replaces = Accountant((Fake(1.0, Claim("upper", "replace", "its word")),))
    assert not audit(replaces, [SAMPLED], isolated=False).rows


def test_refusals_are_told_from_accidents():
    assert verdict(Refused("orders above 1 only")).kind == "refused"
    # raised on purpose by the accountant's own code
    assert verdict(ValueError("sigma is too small")).kind == "refused"
    for accident in ("divide", AttributeError("no such name"), AssertionError()):
        found = verdict(accident)
        assert found.kind == "nonsense"
        assert found.reason.startswith(("ZeroDivisionError", "AttributeError", "AssertionError"))


def test_a_call_that_hangs_or_takes_all_memory_is_ended():
    methods = tuple(Fake(gives, name=name) for name, gives in (
        ("hangs", "hang"), ("fills", "memory"), ("answers", 0.25)))
    rows = audit(Accountant(methods), [LAPLACE], timeout=5.0).rows
    assert [row.verdict.kind for row in rows] == ["timeout", "memory", "valid"]


def test_an_accountant_that_leaves_takes_nobody_along():
    assert verdict(SystemExit(1)).kind == "nonsense"
    assert verdict("memory").kind == "memory"


def test_values_far_below_all_doubles_are_held_against_doubles():
    query = Query((Release("gaussian", (1.0,)),), "delta", 200.0)  # about 1e-8645
    assert verdict(5e-324, query=query).kind == "valid"
    assert verdict(0.0, query=query).kind == "invalid"
    assert verdict(0.0, "lower", query=query).kind == "vacuous"


def test_an_adapter_that_cannot_travel_is_told_so():
    fake = Fake(lambda: 1)
    with pytest.raises(InputError, match="isolated=False"):
        audit(Accountant((fake,)), [LAPLACE])


def test_without_a_certified_value_there_is_no_verdict():
    query = Query((Release("gaussian", (1.0,), rate=0.5, copies=20),), "delta", 1e150)
    row = audit(Accountant((Fake(-0.5),)), [query], isolated=False).rows[0]
    assert row.certified.refused and row.verdict.kind == "no verdict"


@pytest.mark.parametrize("query", [q for one in COMPOSITIONS[::4] for q in [
    Query(one.releases, "delta", one.eps[0])]], ids=lambda q: q.slug)
def test_text_and_code_name_the_same_exact_pair(query):
    for direction in query.directions("both"):
        parsed = parse_mechanism(query.text(direction), catalogue())
        names: dict[str, object] = {}
        code = query.code(direction, 15).splitlines()
        pair = code[-1].removeprefix("print(").rpartition(".delta(")[0]
        exec("\n".join(code[:2]), names)
        assert eval(pair, names) == parsed


def test_doubles_are_written_exactly():
    for x in (0.1, 0.5, 1e-300, 3.0, 1e22, 2.0**-60):
        assert Fraction(exact_text(x)) == Fraction(x)


def test_queries_out_of_range_are_refused():
    for bad in (("gauss", (1.0,)), ("gaussian", ()), ("gaussian", (1.0,), 2.0),
                ("gaussian", (1.0,), None, 0)):
        with pytest.raises(InputError):
            Release(*bad)


def test_rows_have_names_of_their_own_and_quick_ones_are_rows_of_the_grid():
    assert set(grid("quick")) < set(grid())
    for name in known():
        rows = [row_id(m, q) for m, q in planned(adapter(name))]
        assert len(rows) == len(set(rows))
        assert {row_id(m, q) for m, q in planned(adapter(name), quick=True)} < set(rows)
    with pytest.raises(InputError, match="no row"):
        audit(adapter("opendp"), row="nothing")


def test_settings_of_an_audit_out_of_range():
    with pytest.raises(InputError, match="is no accountant"):
        audit("google")
    for settings in ({"jobs": 0}, {"jobs": "2"}, {"timeout": 0}, {"timeout": "1"}):
        with pytest.raises(InputError, match="must be a positive"):
            audit(adapter("opendp"), [], **settings)


@pytest.fixture(scope="module")
def report():
    claim = Claim("upper", "both", "<b>&its word")
    methods = (Fake(TRUE / 2, claim), Fake(2 * TRUE, claim, name="other"))
    found = audit(Accountant(methods), [LAPLACE], isolated=False)
    return audits.document([(Accountant(methods), found)], [Accountant((), "absent", "absent")],
                           quick=True, timeout=1.0)


def test_the_report_is_plain_data_that_compares_doubles(report):
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    row = report["rows"][0]
    assert (row["verdict"], row["relative_error"]) == ("invalid", "-0.5")
    assert float(row["answer"][0]) == TRUE / 2
    value, radius = (Fraction(row["certified"][key]) for key in ("value", "radius"))
    assert abs(value - Fraction(TRUE)) <= radius + Fraction(1, 10**16)
    assert row["command"] == f"lapdp audit fake --row '{row['id']}'"
    assert "invalid: fake" in audits.faults(report) and "valid" in audits.summary(report)


def test_findings_are_ranked_by_how_far_they_are_on_the_unsafe_side():
    upper, lower = Claim("upper", "both", ""), Claim("lower", "both", "")
    methods = tuple(Fake(factor * TRUE, claim, name=name) for name, factor, claim in (
        ("half", 0.5, upper), ("a quarter", 0.25, upper), ("thrice", 3.0, lower),
        ("safe", 2.0, upper), ("none", 0.0, upper), ("negative", -1.0, upper)))
    found = audit(Accountant(methods), [LAPLACE], isolated=False)
    report = audits.document([(Accountant(methods), found)], [], quick=True, timeout=1.0)
    ranked = audits.at_fault(report)
    assert [row["method"] for row in ranked] == ["none", "negative", "a quarter", "thrice", "half"]
    assert [audits.factor(row) for row in ranked[1:]] == [
        "all of it", "a factor 4", "a factor 3", "a factor 2"]
    assert [audits.side(row) for row in ranked[2:]] == ["below", "above", "below"]
    text = page(report)
    places = [text.index(f"<small>fake, {row['method']}, claims") for row in ranked]
    assert places == sorted(places) and shown(ranked[0]["command"]) in text


def shown(text):
    """As Jinja escapes."""
    return escape(text, quote=False).replace("'", "&#39;").replace('"', "&#34;")


def test_the_page_fetches_nothing_and_escapes_everything(report):
    text = page(report)
    assert "<b>&its" not in text and "&lt;b&gt;&amp;its word" in text
    assert not any(word in text for word in ("http:", "https:", "src=", "@import", "url("))
    assert text.count("<tr data-kind=") == 2
    assert "pip install absent" in text
    outline = Outline.of(text)
    assert outline.faults == [] and outline.loads == ["data:,"]
    # all that the report knows of a row is there
    for row in report["rows"]:
        said = (row["call"], row["command"], row["certified"]["code"], row["claim"]["source"],
                row["reason"], *row["answer"], *row["query"]["mechanism"])
        assert all(shown(each) in text for each in said)
    assert all(shown(c) in text for c in (*report["caveats"], *report["verdicts"].values()))


def test_no_verdict_of_an_audit_is_without_a_look():
    assert set(TONES) == set(VERDICTS) and set(MARKS) == set(TONES.values())
    assert "</script" not in asset("audit.js")
    for name in ("audit.css", "audit.js"):
        # colours are tokens, whose contrast is tested in test_site.py
        assert not re.search(r"#[0-9a-f]{3,8}\b|rgb\(", asset(name))


def test_a_missing_package_is_said(monkeypatch, capsys):
    monkeypatch.setattr("lapdp.accounting.audit.adapter.installed", lambda _: None)
    assert cli.main(["audit", "google"]) == 2
    assert "pip install dp-accounting" in capsys.readouterr().err
    assert cli.main(["audit", "nobody"]) == 2
    assert cli.main(["audit"]) == 2


def test_real_accountants(tmp_path, capsys):
    rows = {
        "google": "dots-1e-4/gaussian-1-x1/epsilon@1e-05",
        "microsoft": "prv-0.1/gaussian-1-x1/epsilon@1e-05",
        "autodp": "rdp/laplace-8-x100/epsilon@1e-05",
    }
    for name, row in rows.items():
        assert audit(adapter(name), row=row, isolated=False).rows[0].verdict.kind == "valid"
    row = "zcdp/gaussian-1-x1/epsilon@1e-05"
    assert cli.main(["audit", "opendp", "--row", row, "--html", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("valid: opendp")
    assert json.loads((tmp_path / "audit.json").read_text())["rows"][0]["verdict"] == "valid"
    assert (tmp_path / "index.html").read_text().startswith("<!doctype html>")
    assert cli.main(["audit", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in known())
