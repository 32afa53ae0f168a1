"""The ledger as a static site: pages that work from disk and read without scripts."""

from __future__ import annotations

from lapdp.report.site.building import site
from lapdp.report.site.writing import check_site_folder, write_site

__all__ = ["check_site_folder", "site", "write_site"]
