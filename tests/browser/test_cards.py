"""All kinds of cards on one page: a tool finds nothing inaccessible, nothing sticks out."""

from __future__ import annotations

import pytest
from axe_core_python.selenium import Axe

from tests.cards_page import page


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 400)])
def test_cards_are_accessible_and_fit(browser, tmp_path, shots, theme, width):
    path = tmp_path / "cards.html"
    path.write_text(page(theme), encoding="utf-8")
    browser.set_window_size(width, 900)
    browser.get(path.as_uri())
    assert browser.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = Axe().run(browser)["violations"]
    assert [(v["id"], v["help"], v["nodes"][0]["html"][:200]) for v in found] == []
    assert browser.save_screenshot(str(shots / f"lapdp-cards-{theme}.png"))


def test_a_click_selects_a_whole_witness(browser, tmp_path):
    path = tmp_path / "cards.html"
    path.write_text(page("light"), encoding="utf-8")
    browser.get(path.as_uri())
    block = browser.find_element("css selector", "pre.paste")
    block.click()
    selected = browser.execute_script("return getSelection().toString()")
    assert selected.strip() == block.text.strip()
