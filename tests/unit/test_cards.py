"""Cards in notebooks: what they show, that they are escaped, small, and touch nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from xml.etree.ElementTree import fromstring

import pytest
import sympy as sp

from lapdp import (
    dominates,
    dominating_pair,
    exponential,
    finite,
    gaussian,
    laplace,
    least,
    most_copies,
    randomized_response,
    show,
    training,
    verify,
)
from lapdp.calculus.region import Region
from lapdp.cli import main
from lapdp.core.errors import InputError
from lapdp.privacy.mechanisms import CARDS
from lapdp.report.html.curves import Curve, drawing
from lapdp.report.html.environment import asset
from lapdp.report.html.sides import all_sides, instance_of
from lapdp.report.html.strip import marked_points, strip
from lapdp.report.json_report import document
from lapdp.report.site import site
from lapdp.testing import check_profile
from lapdp.theory import Eq, Ge, Le, claim, delta, pair, reals
from lapdp.theory.statement import Statement
from tests.cards_page import cards
from tests.effort import calls_at_most
from tests.site_pages import library

HOSTILE = '<script>alert("x")</script>'
SMALL = 60_000
VOID = {"br", "hr", "img", "meta", "path", "line", "circle", "rect", "polyline"}


class Closed(HTMLParser):
    """Tags that are not closed in turn, ids, and what would run or be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.faults += [f"{tag} {name}" for name, _ in attrs
                        if name in ("id", "src", "href") or name.startswith("on")]
        self.faults += [tag] * (tag in ("script", "link", "iframe", "img"))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.faults.append(f"</{tag}>")


def checked(html: str) -> str:
    """The card, after what must hold of every card; without its style."""
    parser = Closed()
    parser.feed(html)
    parser.close()
    assert (parser.faults, parser.open) == ([], [])
    assert len(html) < SMALL
    assert html.startswith("<style>") and '<div class="lapdp">' in html
    assert "<script>" not in html and "\\left" not in re.sub(r'alttext="[^"]*"', "", html)
    return html.partition("</style>")[2]


@cache
def card(name: str):
    return show(name, numeric=False)


def test_a_refuted_equation_shows_witness_plot_program_and_repair():
    said = checked(card("chourasia2024/eq-47.1")._repr_html_())
    for part in ("as printed", "as checked", "Counterexample", "1/2", "<svg", "Holds under",
                 "missing hypothesis", "Repaired", "chourasia2024/eq-47.1.repaired"):
        assert part in said, part
    assert re.search("(✓</span> proved|⊢</span> derived)", said)


def test_the_pair_of_a_witness_is_python_that_runs():
    said = checked(card("chourasia2024/eq-47.1")._repr_html_())
    text = unescape(re.search(r'paste"[^>]*>(.*?)</pre>', said, re.DOTALL)[1])
    names = {}
    exec(f"from sympy import log\nfrom lapdp import *\nfrom lapdp.theory import *\n{text}", names)
    assert names["P2"].pair.mechanism == names["finite"](["1/2", "1/2"], [1, 0])


@pytest.mark.nightly
def test_a_proof_shows_its_steps_its_facts_and_the_method_over_the_sign():
    [kept] = [s for s in library() if s.id == "chourasia2024/eq-22"]
    # a statement without a file has no derivation beside it: the engine argues
    found = show(replace(kept, id="mine/eq-22", source=""), numeric=False)
    said = checked(found._repr_html_())
    assert f"{len(found.judgement.proof.steps)} checked steps" in said
    assert "<mover>" in said and "kernels</mtext>" in said
    for fact in found.judgement.proof.facts:
        assert fact.says.split("<")[0][:20] in said and fact.source[:20] in said


def test_the_sides_of_a_witness_are_plotted_at_their_values():
    """At eps = 0 the sides of (47) are what the witness says."""
    from lapdp.report.html.sides import _Along

    found = card("chourasia2024/eq-47.1")
    record = found.record["witness"]
    [statement] = [s for s in library() if s.id == "chourasia2024/eq-47.1"]
    instance = instance_of(statement, record)
    assert instance.text() == record["text"]
    [eps] = instance.values
    along = _Along(statement, statement.claim, instance, eps)
    said = tuple(float(sp.Rational(record[side])) for side in ("lhs", "rhs"))
    assert along._at(sp.S.Zero) == said
    # the product of (3/4, 1/4), (1/4, 3/4) and (1/2, 1/2), (1, 0) at e^eps = 1/4: 1/2 where the
    # second vanishes, 3/8 - 1/16 and nothing elsewhere
    assert along._at(-sp.log(4))[0] == pytest.approx(13 / 16, abs=1e-15)
    assert -sp.log(2) in along.values


def test_a_verdict_prints_in_one_line_and_has_the_card_of_its_statement():
    P, Q = pair()
    found = verify(claim("mine", Eq(delta(P, Q)(0), 0)), numeric=False, search=False)
    assert str(found).startswith("mine: refuted\n")
    assert "\n" not in repr(found) and repr(found).startswith("Judged(mine: refuted, at P, Q = ")
    assert show(found).judgement is found
    said = checked(found._repr_html_())
    assert "Counterexample" in said and r"\delta_" in found._repr_markdown_()
    with pytest.raises(InputError, match="no card for 3"):
        show(3)


def test_answers_about_two_mechanisms_and_budgets_print_in_one_line_and_have_cards():
    no = dominates(laplace(1) ** 2, randomized_response(1))
    assert show(no) is no
    said = checked(no._repr_html_())
    at, larger, smaller = no.failure
    assert f"at t = {at}" in said and f"{larger} &lt; {smaller}" in said
    count = most_copies(gaussian(10), 1, "1e-5")
    assert repr(count).startswith(f"Copies({count.count}, by ")
    assert all(str(side) in checked(count._repr_html_()) for side in (count.within, count.beyond))
    scale = least(laplace, under=randomized_response("1/3"))
    assert repr(scale).startswith("Calibration(3, by ")
    assert "calibrated parameter" in checked(scale._repr_html_())
    steps = training("0.01", sigma=1, steps=100, epsilon="1/2")
    said = checked(show(steps)._repr_html_())
    assert all(str(part) in said for part in ("noisy training", steps, "add-remove"))
    assert all(str(side) in said for side in steps.directions.values())


def test_a_statement_is_shown_without_being_judged():
    [statement] = [s for s in library() if s.id == "chourasia2024/eq-47.1"]
    said = checked(statement._repr_html_())
    assert "not judged here" in said and "On record: refuted" in said
    assert statement._repr_latex_().startswith(r"$\displaystyle \delta")


def test_what_statements_say_is_escaped():
    x = reals("x")
    bad = Statement(f"p/{HOSTILE}", Eq(x, 2 * x), printed=rf"x \text{{{HOSTILE}}}", note=HOSTILE,
                    title=f"{HOSTILE} & <b>", fault="misprint", repaired_by=HOSTILE)
    checked(bad._repr_html_())
    assert "&lt;script&gt;" in checked(show(bad, numeric=False)._repr_html_())


def test_every_rule_of_the_style_stays_inside_of_its_block():
    for name in ("base.css", "cards.css"):
        css = re.sub(r"/\*.*?\*/", "", asset(name), flags=re.DOTALL)
        css = re.sub(r"@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}", r"\1", css)
        for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", css):
            for selector in selectors.split(","):
                assert ".lapdp" in selector, selector


def test_pages_show_both_sides_too():
    statement = next(s for s in library() if s.id == "chourasia2024/eq-47.1")
    record = card("chourasia2024/eq-47.1").record
    plots = all_sides([statement], [record])
    assert plots == all_sides([statement], [record])
    files = site([statement], document([record], {}, seed=0, digits=30), plots=plots)
    assert [name for name, page in files.items() if plots[statement.id] in page]
    assert not any("&lt;svg" in page for page in files.values())


# -- drawings ---------------------------------------------------------------------------------

def test_drawings_are_well_formed_and_named():
    curve = Curve("a<b", tuple((k / 4, None if k == 2 else float(k > 4)) for k in range(9)))
    root = fromstring(drawing([curve], across="<t>", title=HOSTILE, description=HOSTILE, mark=1.0))
    assert [child.tag for child in root][:2] == ["title", "desc"] and root[0].text == HOSTILE
    # a gap at 2 and a jump at 4
    assert len(root.findall("polyline")) == 3


@pytest.mark.parametrize(("points", "lines", "dots"), [
    ([(k, 1.0 * (k == 3)) for k in range(7)], 2, 1),
    ([(k, 2.0 ** k) for k in range(9)], 1, 0),
    ([(k, float(k >= 3)) for k in range(7)], 2, 0),
    ([(0, 1.0), (1, 1.0), (2, 1.0), (3, 1e9)], 1, 0),
])
def test_a_single_value_a_jump_and_a_steep_curve_are_told_apart(points, lines, dots):
    drawn = drawing([Curve("y", tuple((float(x), y) for x, y in points))], across="t", title="",
                    description="")
    assert (drawn.count("<polyline"), drawn.count("<circle")) == (lines, dots)


def test_edges_of_a_strip_are_open_or_closed_and_parameters_are_not_drawn():
    root = fromstring(strip(Region.line(1)))
    assert len(root.findall("line[@class='edge closed']")) == 2
    assert strip(Region.nothing()).count('class="edge') == 0
    assert strip(Region.right_of(sp.Symbol("a", real=True))) == ""
    s = sp.Symbol("s")
    poles, zeros = marked_points(sp.sympify("1/(s-1) - 1/(s+1)"), s)
    assert (poles, zeros) == ([-1, 1], []) or set(poles) == {1, -1}
    assert marked_points(sp.exp(s) / s, s) == ([0], [])
    assert marked_points((sp.exp(s) - 1) / s, s) == ([], [])
    assert marked_points(1 / (s - sp.pi), s) == ([], [])


# -- pairs, notions, numbers, tables, laws -----------------------------------------------------

def test_cards_of_all_kinds_are_small_closed_and_escaped():
    found = cards()
    for name, html in found.items():
        said = checked(html)
        assert len(said) > 200, name
    assert "&lt;script&gt;" in found["outcomes with hostile names"]


@pytest.mark.parametrize("name", sorted(CARDS))
def test_every_mechanism_has_a_card_soon(name):
    for made in CARDS[name].pairs():
        with calls_at_most(10**7):
            shown = made._repr_html_()
        checked(shown)


def test_a_finite_pair_shows_its_outcomes_losses_and_masses():
    said = checked(finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"])._repr_html_())
    rows = re.findall(r"<tr><td>(\d)</td><td>(.*?)</td><td>(.*?)</td>", said)
    assert rows == [("0", "1/2", "1/4"), ("1", "1/2", "1/2"), ("2", "0", "1/4")]
    assert r"-\infty" in said and "for Re q &gt; 0" in said


def test_a_pole_is_marked_only_where_it_is_one():
    assert 'class="pole"' in exponential(1, 2).moment._repr_html_()
    # E_q of the Laplace mechanism is entire: q = 1/2 is filled in
    assert 'class="pole"' not in laplace(1).moment._repr_html_()


def test_a_card_raises_nothing_where_there_is_no_closed_form():
    for thing in (gaussian(1) * laplace(2), (laplace(1) ** 50), (laplace(1) ** 2).loss,
                  (gaussian(1) * laplace(2)).moment):
        checked(thing._repr_html_())


def test_a_report_of_laws_shows_each_law_and_the_smallest_case():
    report = check_profile(lambda pair, eps: 1, on_fail="report", examples=20)
    said = checked(report._repr_html_())
    assert not report and all(finding.law in said for finding in report.findings)
    assert "pair = finite([1], [1])" in said and r"\not" not in said


def test_a_card_is_a_drawing_that_needs_nothing_beside_it(tmp_path, capsys):
    x = reals("x")
    drawn = show(claim("mine", Le(sp.exp(x), 1 + x), where=[Ge(x, 0)]), numeric=False).svg()
    tree = fromstring(drawn)
    assert tree.get("aria-label") == "mine: refuted" and "href" not in drawn
    said = ["".join(t.itertext()) for t in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert said[:3] == ["mine refuted", "as checked", "exp(x) <= x + 1"]
    assert "counterexample" in said
    file = tmp_path / "card.svg"
    assert main(["show", "chourasia2024/eq-30", "--no-numeric", "-q", "--svg", str(file)]) == 0
    assert "repaired: " in file.read_text() and capsys.readouterr().out == (
        "chourasia2024/eq-30: refuted\n")


def test_batches_loss_classes_and_dominating_pairs_have_cards():
    k = sp.Symbol("k", integer=True, positive=True)
    batch = gaussian(10).deltas([1, 2, 40], copies=[100])
    assert repr(batch).startswith("Batch(3 numbers, by ") and "radius" in batch._repr_html_()
    for thing, words in ((laplace(1).loss_class, "mass at infinity"),
                         ((laplace(1) ** k).loss_class, "variance"),
                         (dominating_pair(laplace(1)), "density of P"),
                         (dominating_pair(laplace(1) ** 3), "profile of")):
        assert words in thing._repr_html_() and show(thing) is thing
