"""``lapdp list | mechanisms | laws | facts``: commands that only tell what there is."""

from __future__ import annotations

import argparse
import textwrap

from lapdp.commands.exits import GOOD
from lapdp.core.errors import InputError

WIDTH = 100


def statements(arguments: argparse.Namespace) -> int:
    """The statements that the targets name, unjudged."""
    from lapdp.report.text import listing
    from lapdp.theory.discovery import discover
    from lapdp.theory.render import text_of

    rows = [(s.id, s.kind, s.group, text_of(s)) for s in discover(arguments.targets)]
    print(listing(rows, ("id", "kind", "group", "statement")))
    return GOOD


def mechanisms(arguments: argparse.Namespace) -> int:
    """The catalogue, or the card of one mechanism."""
    from lapdp.privacy.mechanisms import CARDS
    from lapdp.report.text import listing

    if arguments.name is None:
        rows = [(c.call, c.says, c.direction, c.source) for c in CARDS.values()]
        print(listing(rows, ("call", "pair", "direction", "source")))
        return GOOD
    if arguments.name not in CARDS:
        raise InputError(f"{arguments.name[:40]!r} is no mechanism; there are {', '.join(CARDS)}")
    card = CARDS[arguments.name]
    print(card.call)
    same = "has the same profile" if card.symmetric else "is another pair, with its own profile"
    for head, said in (("pair", card.says), ("source", card.source), ("direction", card.direction),
                       ("reversed", f"(Q, P) {same}"), ("dominates", card.dominating),
                       ("examples", "; ".join(map(repr, card.pairs())))):
        print(textwrap.fill(said, WIDTH, initial_indent=f"  {head + ':':11}",
                            subsequent_indent=" " * 13, break_on_hyphens=False))
    return GOOD


def laws(arguments: argparse.Namespace) -> int:
    """The laws of lapdp.testing, or one with its statements and its LaTeX."""
    from lapdp.report.text import listing
    from lapdp.testing.laws import LAWS

    if arguments.name is None:
        rows = [(name, " ".join(("pair", *law.takes)), law.says, law.source)
                for name, law in LAWS.items()]
        print(listing(rows, ("law", "takes", "says", "source")))
        return GOOD
    if arguments.name not in LAWS:
        raise InputError(f"{arguments.name[:40]!r} is no law; there are {', '.join(LAWS)}")
    law = LAWS[arguments.name]
    print(f"{law}\n  checked: {', '.join(method for method, _ in law.routes)}\n"
          f"  LaTeX: {law.latex}")
    return GOOD


def facts(_: argparse.Namespace) -> int:
    """The named facts of analysis, with sources."""
    from lapdp.core.facts import ALL_FACTS
    from lapdp.report.text import listing

    print(listing([(f.name, f.says, f.source) for f in ALL_FACTS], ("fact", "says", "source")))
    return GOOD
