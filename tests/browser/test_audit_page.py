"""The page of an audit in Chromium, from disk: accessible, filtered, ordered."""

from __future__ import annotations

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.by import By

from lapdp.accounting.audit import Claim, audit
from lapdp.report import audits
from lapdp.report.audit_page import page
from tests.unit.test_audit import LAPLACE, TRUE, Accountant, Fake


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The page of an audit of four methods that are told what to answer."""
    claim = Claim("upper", "both", "<b>&its word")
    estimate = Claim("estimate", "both", "a guess")
    methods = (Fake(TRUE / 2, claim), Fake(2 * TRUE, claim, name="loose"),
               Fake(float("nan"), claim, name="none"), Fake(3 * TRUE, estimate, name="guess"))
    found = audit(Accountant(methods), [LAPLACE], isolated=False)
    report = audits.document([(Accountant(methods), found)], [Accountant((), "absent", "absent")],
                             quick=True, timeout=1.0)
    made = tmp_path_factory.mktemp("audit") / "index.html"
    made.write_text(page(report), encoding="utf-8")
    return made


@pytest.fixture
def audited(chromium, file):
    """The browser at the page; nothing may be said on its console."""
    chromium.set_window_size(1280, 900)
    chromium.get_log("browser")
    chromium.get(file.as_uri())
    yield chromium
    assert chromium.get_log("browser") == []


def rows(browser):
    found = browser.find_elements(By.CSS_SELECTOR, "#rows tbody tr")
    return [row for row in found if row.is_displayed()]


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 400)])
def test_a_tool_finds_nothing_inaccessible(audited, theme, width):
    audited.set_window_size(width, 900)
    audited.execute_script("document.documentElement.dataset.theme = arguments[0];"
                           "document.querySelectorAll('details').forEach(d => d.open = true)",
                           theme)
    assert audited.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    found = Axe().run(audited)["violations"]
    assert [(v["id"], v["help"], v["nodes"][0]["html"][:200]) for v in found] == []


def test_filters_and_words(audited):
    assert len(rows(audited)) == 4
    shown = audited.find_element(By.ID, "shown")
    assert shown.text == "4 of 4 rows"
    audited.find_element(By.CSS_SELECTOR, ".kind[value=invalid]").click()
    assert len(rows(audited)) == 3 and shown.text == "3 of 4 rows"
    audited.find_element(By.ID, "search").send_keys("loose")
    assert [row.get_attribute("data-kind") for row in rows(audited)] == ["valid"]


def test_order_by_number_and_by_word(audited):
    def cells(number):
        return [row.find_elements(By.CSS_SELECTOR, "td")[number].get_attribute("data-key")
                for row in rows(audited)]

    heads = audited.find_elements(By.CSS_SELECTOR, "#rows thead th")
    for up in (True, False):
        heads[3].find_element(By.TAG_NAME, "button").click()
        numbers = [float(x) for x in cells(3) if x]
        assert numbers == sorted(numbers, reverse=not up) and cells(3)[-1] == ""
        assert heads[3].get_attribute("aria-sort") == ("ascending" if up else "descending")
    heads[0].find_element(By.TAG_NAME, "button").click()
    assert cells(0) == sorted(cells(0)) and heads[3].get_attribute("aria-sort") == "none"


def test_a_picture_to_look_at(audited, shots):
    assert audited.save_screenshot(str(shots / "lapdp-audit.png"))
