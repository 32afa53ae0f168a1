"""How long the site of the library takes to build, and Chromium to open its pages from disk.

Needs chromium and chromedriver and the extra ``browser``.  The limits are those of a reader: a
minute to build, a second to open.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from lapdp.report.site import site, write_site  # noqa: E402
from tests.site_pages import PAPERS, library, report_on  # noqa: E402

BUILD, OPEN = 60.0, 1.0


def main() -> int:
    """Print seconds beside their limits; 1 where one is exceeded."""
    report = report_on(library())
    begin = time.perf_counter()
    files = site(library(), report, targets=PAPERS)
    built = time.perf_counter() - begin
    slow = built > BUILD
    print(f"built {len(files)} files in {built:.2f} s, {built / BUILD:.3f} of the limit")
    if shutil.which("chromedriver") is None:
        print("opening is not measured: there is no chromedriver")
        return int(slow)
    from tests.browser.chromium import start

    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder) / "pages", files)
        driver = start(Path(folder) / "profile")
        heavy = sorted((n for n in files if n.endswith(".html")), key=lambda n: -len(files[n]))
        for name in ("index.html", *heavy[:6]):
            spent = []
            for _ in range(5):
                begin = time.perf_counter()
                driver.get((Path(folder) / "pages" / name).as_uri())
                spent.append(time.perf_counter() - begin)
            slow |= median(spent) > OPEN
            print(f"{name}: {median(spent):.2f} s, {median(spent) / OPEN:.2f} of the limit "
                  f"({len(files[name]) / 1e6:.2f} MB)")
        driver.quit()
    return int(slow)


if __name__ == "__main__":
    raise SystemExit(main())
