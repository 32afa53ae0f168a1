"""The site in Chromium, from disk: found, filtered, followed, typed through, printed."""

from __future__ import annotations

import base64

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.site_pages import library

KINDS = ("index.html", "ledger.html", "facts.html", "graph.html", "chourasia2024/index.html",
         "chourasia2024/theorem-4.2.html", "chourasia2024/errata.html")


def visible(browser, css):
    return [e for e in browser.find_elements(By.CSS_SELECTOR, css) if e.is_displayed()]


def wait(browser, condition):
    return WebDriverWait(browser, 10).until(condition)


@pytest.mark.parametrize("page", KINDS)
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 400)])
def test_a_tool_finds_nothing_inaccessible(browser, folder, page, theme, width):
    browser.set_window_size(width, 900)
    browser.execute_script("localStorage.setItem('lapdp-theme', arguments[0])", theme)
    browser.get((folder / page).as_uri())
    assert browser.execute_script("return document.documentElement.dataset.theme") == theme
    assert browser.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    # the tool is slow: of rows that are made alike it sees some
    browser.execute_script(
        "for (const rows of ['#rows tbody tr', 'ol.errata > li', 'ul.lines li', 'article.entry'])"
        "  [...document.querySelectorAll(rows)].slice(8).forEach(e => e.remove())")
    found = Axe().run(browser)["violations"]
    assert [(v["id"], v["help"], v["nodes"][0]["html"][:200]) for v in found] == []


def test_search_finds_equation_47_and_its_evidence(browser):
    box = browser.find_element(By.TAG_NAME, "body")
    box.send_keys("/")
    search = browser.switch_to.active_element
    assert search.get_attribute("id") == "search"
    search.send_keys("47")
    first = wait(browser, lambda b: visible(b, "#found li a"))[0]
    assert "eq-47" in first.text and "refuted" in first.text
    search.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    wait(browser, lambda b: "theorem-4.2.html#eq-47" in b.current_url)
    block = browser.find_element(By.ID, "eq-47.1")
    assert block.find_element(By.CSS_SELECTOR, "details.evidence").get_attribute("open")
    assert "Counterexample" in block.text and "refuted" in block.text
    repair = block.find_element(By.CSS_SELECTOR, ".repair a")
    repair.click()
    wait(browser, lambda b: b.current_url.endswith("eq-47.1.repaired"))
    assert "proved" in browser.find_element(By.ID, "eq-47.1.repaired").text


@pytest.mark.parametrize(("words", "expected"), [
    ("theorem-4.2", "theorem-4.2"), ("(22)", "eq-22"), ("convolution", "4"),
    ("zzzz", "nothing found"),
])
def test_search_by_words(browser, words, expected):
    browser.find_element(By.ID, "search").send_keys(words)
    found = wait(browser, lambda b: visible(b, "#found"))[0]
    assert expected in found.text
    browser.find_element(By.ID, "search").send_keys(Keys.ESCAPE)
    assert not visible(browser, "#found")


def test_filters_agree_with_the_library_and_with_links(browser, folder):
    browser.get((folder / "ledger.html").as_uri() + "?verdict=refuted&paper=laws")
    expected = [s for s in library() if s.paper == "laws" and s.expected == "refuted"]
    assert len(visible(browser, "#rows tbody tr")) == len(expected)
    words = browser.find_element(By.NAME, "words")
    words.send_keys("convex")
    fewer = visible(browser, "#rows tbody tr")
    assert 0 < len(fewer) < len(expected)
    browser.find_element(By.CSS_SELECTOR, "#filters button[type=reset]").click()
    wait(browser, lambda b: f"{len(library())} of {len(library())}" in b.find_element(
        By.ID, "shown").text)


def test_every_link_of_the_contents_opens_a_page_without_complaint(browser, folder):
    links = [a.get_attribute("href") for a in browser.find_elements(
        By.CSS_SELECTOR, "ul.contents a")]
    assert len(links) > 40
    for link in links:
        browser.get(link)
        assert browser.find_element(By.TAG_NAME, "h1").text
        wide = browser.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, link
        assert browser.get_log("browser") == [], link


def test_a_long_formula_of_an_errata_sheet_scrolls_on_a_phone(browser, folder):
    browser.set_window_size(400, 900)
    browser.get((folder / "chourasia2024/errata.html").as_uri())
    inside, page = browser.execute_script("""
        const p = document.querySelector("ol.errata p"), page = document.documentElement;
        p.innerHTML = "<math><mrow>" + "<mi>x</mi><mo>+</mo>".repeat(60) + "</mrow></math>";
        dispatchEvent(new Event("resize"));
        return [p.scrollWidth - p.clientWidth, page.scrollWidth - page.clientWidth];
    """)
    assert inside > 0 and page <= 0
    # also without a mouse
    assert browser.execute_script('return document.querySelector("ol.errata p").tabIndex') == 0


def test_the_theme_is_chosen_and_kept(browser, folder):
    def ground():
        return browser.execute_script("return getComputedStyle(document.body).backgroundColor")

    before, button = ground(), browser.find_element(By.ID, "theme")
    assert button.text == "Dark theme"
    button.click()
    assert ground() != before and button.text == "Light theme"
    changed = ground()
    browser.get((folder / "facts.html").as_uri())
    assert ground() == changed


def test_the_keyboard_reaches_the_content(browser):
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert skip.get_attribute("class") == "skip" and skip.is_displayed()
    skip.send_keys(Keys.ENTER)
    assert browser.switch_to.active_element.get_attribute("id") == "main"


def test_the_page_of_a_theorem_can_be_printed(browser, folder):
    browser.get((folder / "chourasia2024/theorem-4.2.html").as_uri())
    made = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    assert base64.b64decode(made["data"])[:5] == b"%PDF-"
    assert all(browser.execute_script(
        "dispatchEvent(new Event('beforeprint'));"
        "return [...document.querySelectorAll('details')].map(d => d.open)"))


def test_pictures_to_look_at(browser, folder, shots):
    for page in KINDS:
        browser.get((folder / page).as_uri())
        picture = shots / f"lapdp-{page.replace('/', '-').removesuffix('.html')}.png"
        assert browser.save_screenshot(str(picture)) and picture.stat().st_size > 10_000
