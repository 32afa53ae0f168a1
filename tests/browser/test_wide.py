"""No mathematics is cut off: what is wider than the window stands in a box that scrolls."""

from __future__ import annotations

import pytest

from lapdp.report.site import site, write_site
from lapdp.theory.discovery import discover
from tests.site_pages import report_on

PAPERS = ["chourasia2024", "zhu2021", "sommer2020", "laws", "own"]
CUT = """
    // all that is folded, and all that is drawn when it comes near
    for (const part of document.querySelectorAll("details")) part.open = true;
    const style = document.createElement("style");
    style.textContent = "* { content-visibility: visible !important }";
    document.head.append(style);
    const width = document.documentElement.clientWidth, cut = [];
    for (const math of document.querySelectorAll("main math, main pre, main svg, main table")) {
        const box = math.getBoundingClientRect();
        if (!box.width || (box.right <= width + 1 && box.left >= -1)) continue;
        let part = math.parentElement;
        while (part && getComputedStyle(part).overflowX === "visible") part = part.parentElement;
        const how = part && getComputedStyle(part);
        // a line that is cut on purpose says so, and stands below in full
        if (!part || (how.overflowX === "hidden" && how.textOverflow !== "ellipsis"))
            cut.push([math.closest("[id]").id, math.textContent.slice(0, 60)]);
    }
    return [document.documentElement.scrollWidth - width, cut];
"""


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """The pages of all papers."""
    found = tmp_path_factory.mktemp("wide") / "pages"
    statements = discover(PAPERS)
    write_site(found, site(statements, report_on(statements), targets=PAPERS))
    return found


@pytest.mark.parametrize("width", [1280, 390])
def test_no_mathematics_lies_beyond_the_edge(browser, everything, width):
    browser.set_window_size(width, 900)
    pages = sorted(everything.rglob("*.html"))
    assert len(pages) > 200
    found = {}
    for page in pages:
        browser.get(page.as_uri())
        beyond, cut = browser.execute_script(CUT)
        if beyond > 0 or cut:
            found[str(page.relative_to(everything))] = beyond, cut
    assert found == {}


def test_a_wide_formula_in_a_sentence_scrolls_and_is_reached_by_keyboard(browser, everything):
    browser.set_window_size(390, 900)
    browser.get((everything / "chourasia2024/theorem-4.2.html").as_uri())
    scrolls, reached = browser.execute_script("""
        const part = document.createElement("p");
        part.innerHTML = "where <math><mrow>" + "<mi>x</mi><mo>+</mo>".repeat(60) +
            "</mrow></math>";
        document.querySelector("article.entry .statement").append(part);
        return [getComputedStyle(part).overflowX, part.scrollWidth > part.clientWidth];
    """)
    assert (scrolls, reached) == ("auto", True)
