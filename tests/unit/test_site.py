"""The site: whole, linked, labelled, escaped; every statement of the library is on it."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from lapdp.core.errors import InputError
from lapdp.report.html.environment import asset
from lapdp.report.html.mathml import mathml, mixed, readable, wrapped
from lapdp.report.papers import load_notes
from lapdp.report.site import check_site_folder, site, write_site
from lapdp.report.site.badge import BAD, GOOD, OPEN
from lapdp.report.site.book import shelf, slug
from lapdp.theory.language import Eq, reals
from lapdp.theory.statement import Statement
from tests.html_outline import Outline
from tests.site_pages import PAPERS, library, pages, report_on


@cache
def outlines():
    return {name: Outline.of(page) for name, page in pages().items() if name.endswith(".html")}


def test_every_statement_has_its_place():
    found = shelf(library(), report_on(library()))
    assert set(found.results) == {s.id for s in library()}
    for name in found.results:
        path, _, anchor = found.places[name].partition("#")
        assert anchor in outlines()[path].ids, name
        # an address that depends on the id alone, and says where the statement is
        assert name in outlines()["ledger.html"].ids
        assert f"#{anchor}" in outlines()[path].links


def test_every_item_of_the_paper_is_on_a_page_even_what_cannot_be_checked():
    [book] = [b for b in shelf(library(), report_on(library())).books if b.paper == PAPERS[0]]
    items = [e.item for page in book.pages for e in page.entries if e.item is not None]
    assert len(items) > 500 and len({i.id for i in items}) == len(items)
    assert any(not i.checkable for i in items)


def test_pages_are_well_formed_and_labelled():
    faults = {name: o.faults for name, o in outlines().items() if o.faults}
    assert faults == {}


def test_a_formula_may_go_on_in_a_new_line():
    def pieces(latex):
        return [re.sub("<[^>]*>", "", piece) for piece in wrapped(latex).split("</math>")[:-1]]

    assert pieces(r"a(x+1)=-b+\frac{c-d}{2}\le[0,1)") == [
        "a(x+1)", " =\u2212b", " +c\u2212d2", " ≤[0,1)"]
    assert pieces(r"\left(a+b\right)_+ - c") == ["(a+b)+", " \u2212c"]
    page = pages()["chourasia2024/theorem-4.2.html"]
    assert page.count('displaystyle="true"') > page.count('class="formula"')


def test_links_lead_somewhere_and_nothing_is_fetched():
    papers = {(f"{name}/index.html", load_notes(f"proofs/{name}/paper.json").link)
              for name in ("chourasia2024",)}
    assert all(link in pages()[name] for name, link in papers)
    for name, outline in outlines().items():
        for link in (*outline.links, *outline.loads):
            parts = urlsplit(link)
            if parts.scheme == "data" or (name, link) in papers:
                continue
            assert not parts.scheme and not parts.netloc, (name, link)
            parent = PurePosixPath(name).parent
            steps = [p for p in (parent / unquote(parts.path)).parts if p != "."]
            while ".." in steps:
                at = steps.index("..")
                del steps[at - 1:at + 1]
            target = "/".join(steps) if parts.path else name
            assert target in pages(), (name, link)
            if parts.fragment:
                assert unquote(parts.fragment) in outlines()[target].ids, (name, link)


def test_formulas_of_the_library_are_all_drawn():
    unread = [(s.id, text) for s in library() for text in (s.printed, s.corrected, s.encoded)
              if text and not readable(text)]
    assert unread == []
    assert not any('class="latex"' in page for page in pages().values())


def test_the_badge_is_a_drawing_of_its_own():
    drawn = ElementTree.fromstring(pages()["badge.svg"])
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn.get("aria-label") == f"lapdp: {len(library())} statements as recorded"
    for colour in (GOOD, OPEN, BAD):
        assert contrast("#ffffff", colour) >= 4.5


def test_search_knows_every_statement():
    text = pages()["assets/search.js"]
    entries = json.loads(text.removeprefix("window.LAPDP_SEARCH=").removesuffix(";\n"))
    assert {e[0] for e in entries} == {s.id for s in library()}
    assert any(47 in e[4] and e[1].endswith("theorem-4.2.html#eq-47.1") for e in entries)


def test_equation_47_its_verdict_reason_and_repair_are_three_clicks_away():
    """Contents, page of the theorem, repair."""
    first = [link for link in outlines()["index.html"].links if "theorem-4.2.html" in link]
    assert first
    page = pages()[first[0]]
    block = page[page.index('id="eq-47.1"'):page.index('id="eq-47.1.repaired"')]
    for said in ("refuted", "Counterexample", 'href="../chourasia2024/theorem-4.2.html#eq-47.1.'):
        assert said in block


HOSTILE = '<script>alert("x")</script>'


def test_what_statements_say_is_escaped(tmp_path):
    x = reals("x")
    bad = Statement("p/eq-1", Eq(x, x), printed=rf"x \text{{{HOSTILE}}}", note=HOSTILE,
                    title=f"{HOSTILE} & <b>", fault="misprint", expected="refuted")
    for name, page in site([bad], report_on([bad])).items():
        assert "<script>alert" not in page or name.endswith(".js"), name
        if name.endswith(".html"):
            assert Outline.of(page).faults == []
    assert "<script>" not in mixed(HOSTILE + f"${HOSTILE}$")
    assert "<b>" not in mathml(r"\text{<b>}") and "<b>" not in mathml(r"\text{&lt;b&gt;}")
    assert " href=" not in mathml(r"\href{javascript:alert(1)}{x}")


# -- colours ----------------------------------------------------------------------------------

def luminance(colour):
    """Relative luminance, WCAG 2.2."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_has_enough_contrast_in_both_themes():
    themes = [dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block))
              for block in re.findall(r"\{([^{}]*)\}", asset("base.css")) if "--text: #" in block]
    assert len(themes) == 4 and themes[0] == themes[2] != themes[1] == themes[3]
    for theme in themes:
        for name in ("text", "faint", "link", "good", "fair", "warn", "bad", "odd"):
            for ground in ("back", "soft"):
                assert contrast(theme[name], theme[ground]) >= 4.5, (name, ground)


# -- writing -----------------------------------------------------------------------------------

def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        write_site(tmp_path, {"index.html": ""})
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="is a file"):
        check_site_folder(tmp_path / "thesis.tex")
    with pytest.raises(InputError, match="there is no folder"):
        check_site_folder(tmp_path / "no" / "pages")


def test_names_of_files_are_plain_and_different():
    [book] = [b for b in shelf(library(), report_on(library())).books if b.paper == PAPERS[0]]
    paths = Counter(page.path for page in book.pages)
    assert max(paths.values()) == 1
    assert slug("../../etc/passwd <x>") == "etc-passwd-x"
