"""What a screen reader and a link checker see of a page; the parser is the standard one."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"area", "base", "br", "circle", "col", "hr", "img", "input", "link", "meta", "path",
        "wbr"}
CONTROLS = ("input", "select", "textarea", "button")


@dataclass
class Outline(HTMLParser):
    """Ids, links, headings, labels and loaded files of one page; faults as sentences."""

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    landmarks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    language: str = ""
    title: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, dict[str, str]]] = []
        self._controls: list[dict[str, str]] = []
        self._labels: set[str] = set()
        self._named: list[str] = []

    @classmethod
    def of(cls, page: str) -> Outline:
        """The outline of a page."""
        found = cls()
        found.feed(page)
        found.close()
        found._finish()
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append((tag, given))
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "html":
            self.language = given.get("lang", "")
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ("script", "img") and "src" in given:
            self.loads.append(given["src"])
        if tag == "link":
            self.loads.append(given["href"])
        if tag[0] == "h" and tag[1:].isdigit():
            self.headings.append(int(tag[1:]))
        if tag in ("main", "header", "footer", "nav"):
            self.landmarks.append(tag)
        if tag in CONTROLS and given.get("type") != "hidden":
            inside = any(t == "label" for t, _ in self._open)
            self._controls.append({**given, "tag": tag, "inside": "yes" * inside})
        if tag == "label" and "for" in given:
            self._labels.add(given["for"])
        for name in ("aria-labelledby", "aria-controls"):
            self._named += given.get(name, "").split()
        self.faults += [f"inline handler {name}" for name in given if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self._open[-1:]}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "title" and len(self._open) == 3:
            self.title += data

    def _finish(self) -> None:
        self.faults += [f"<{tag}> is not closed" for tag, _ in self._open]
        twice = sorted({i for i in self.ids if self.ids.count(i) > 1}) if len(
            set(self.ids)) < len(self.ids) else []
        self.faults += [f"id {name} twice" for name in twice]
        self.faults += [f"names #{name}, which is not there" for name in self._named
                        if name not in set(self.ids)]
        for control in self._controls:
            named = (control["inside"] or control.get("aria-label") or control["tag"] == "button"
                     or control.get("id") in self._labels)
            if not named:
                self.faults.append(f"a control without a label: {control}")
        levels = [0, *self.headings]
        self.faults += [f"heading {b} after {a}" for a, b in pairwise(levels) if b > a + 1]
        if self.headings.count(1) != 1:
            self.faults.append(f"{self.headings.count(1)} headings of level 1")
        if not self.language or not self.title:
            self.faults.append("no language or no title")
        if self.landmarks.count("main") != 1:
            self.faults.append("not one main part")
