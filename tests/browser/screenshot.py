"""The picture of the README: equation (47) in the ledger, its counterexample and its repair.

``python -m tests.browser.screenshot`` judges Theorem 4.2, takes the verdicts of all other
statements from the record, and writes docs/ledger.png; it needs Chromium, as ``make browser`` does.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from lapdp.report.cards import show
from lapdp.report.json_report import document
from lapdp.report.site import site, write_site
from lapdp.theory.discovery import aggregates
from tests.browser.chromium import start
from tests.site_pages import PAPERS, library, recorded

PICTURE = Path(__file__).parents[2] / "docs" / "ledger.png"
PAGE, LINE = "chourasia2024/theorem-4.2.html", "eq-47.1"


def judged(statement):
    if (statement.paper, statement.group) != ("chourasia2024", "theorem-4.2"):
        return recorded(statement)
    return {**show(statement).record, "cached": False}


def main() -> None:
    statements = library()
    results = [judged(s) for s in statements]
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    pages = site(statements, document(results, composite, digits=30, seed=0), targets=PAPERS)
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder, "site"), pages)
        browser = start(Path(folder, "chromium"))
        try:
            browser.set_window_size(1080, 1000)
            browser.get(Path(folder, "site", PAGE).as_uri())
            browser.execute_script("""
                document.documentElement.style.overflow = "hidden";   // no scroll bars
                document.getElementById(arguments[0]).scrollIntoView();
                window.scrollBy(0, -70);
            """, LINE)
            PICTURE.write_bytes(browser.get_screenshot_as_png())
        finally:
            browser.quit()
    print(f"wrote {PICTURE}, {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
