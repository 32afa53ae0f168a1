"""``lapdp list`` and ``lapdp facts``: commands that only tell what there is."""

from __future__ import annotations

import argparse

from lapdp.commands.exits import GOOD


def statements(arguments: argparse.Namespace) -> int:
    """The statements that the targets name, unjudged."""
    from lapdp.report.text import listing
    from lapdp.theory.discovery import discover
    from lapdp.theory.render import text_of

    rows = [(s.id, s.kind, s.group, text_of(s)) for s in discover(arguments.targets)]
    print(listing(rows, ("id", "kind", "group", "statement")))
    return GOOD


def facts(_: argparse.Namespace) -> int:
    """The named facts of analysis, with sources."""
    from lapdp.core.facts import ALL_FACTS
    from lapdp.report.text import listing

    print(listing([(f.name, f.says, f.source) for f in ALL_FACTS], ("fact", "says", "source")))
    return GOOD
