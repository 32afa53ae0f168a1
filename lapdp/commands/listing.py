"""``lapdp list | mechanisms | laws | facts``: commands that only tell what there is."""

from __future__ import annotations

import argparse
import re
import textwrap
from inspect import getdoc, signature
from pathlib import Path

from lapdp.commands.declaring import Commands, add_amount, known_name
from lapdp.commands.exits import GOOD

WIDTH = 80
_LIST = """
lapdp list
lapdp list chourasia2024/theorem-3.2
"""
_MECHANISMS = """
lapdp mechanisms
lapdp mechanisms laplace
lapdp mechanisms poisson
"""
_LAWS = """
lapdp laws
lapdp laws "joint convexity"
"""
_LAW_NOTES = "The statements behind a law are judged by lapdp show and lapdp verify laws."


def add(commands: Commands) -> None:
    """The commands that list."""
    listed = commands.add("judge", "list", statements, "list statements without judging them",
                          examples=_LIST)
    listed.add_argument("targets", nargs="*", metavar="TARGET", help="as for lapdp verify")
    add_amount(listed, "the ids", "the lines as printed in the paper")
    for name, run, says, examples, notes in (
            ("mechanisms", mechanisms, "list the mechanisms, or print the card of one",
             _MECHANISMS, ""),
            ("laws", laws, "list the laws that pairs are tested with, or tell of one", _LAWS,
             _LAW_NOTES)):
        known = commands.add("look up", name, run, says, examples=examples, notes=notes)
        known.add_argument("name", nargs="?", metavar="NAME", help="the name of one of them")
        add_amount(known, "the names, or the first line")
    known = commands.add("look up", "facts", facts,
                         "list the facts of analysis that proofs may stand on",
                         examples="lapdp facts")
    add_amount(known, "the names")


def statements(arguments: argparse.Namespace) -> int:
    """The statements that the targets name, unjudged."""
    from lapdp.report.text import listing
    from lapdp.theory.discovery import Catalogue
    from lapdp.theory.loading import short
    from lapdp.theory.render import text_of

    catalogue = Catalogue()
    found = catalogue.select(arguments.targets)
    if arguments.quiet:
        print("\n".join(s.id for s in found))
        return GOOD
    rows: list[tuple[str, ...]] = [(s.id, s.kind, s.group, text_of(s)) for s in found]
    heads: tuple[str, ...] = ("id", "kind", "group", "statement")
    if not all(map(catalogue.is_shipped, found)):
        # whoever reads an id takes it for that of the library
        rows = [("" if catalogue.is_shipped(s) else short(Path(s.source)), *row)
                for s, row in zip(found, rows, strict=True)]
        heads = ("from", *heads)
    lines = listing(rows, heads).splitlines()
    for number, line in enumerate(lines):
        print(line)
        if number and arguments.verbose and (printed := found[number - 1].printed):
            print(f"    {printed}")
    return GOOD


def mechanisms(arguments: argparse.Namespace) -> int:
    """The catalogue, or the card of one mechanism; of an operation what its function says."""
    from lapdp.privacy import OPERATIONS, catalogue
    from lapdp.privacy.mechanisms import CARDS

    if arguments.name is None:
        if arguments.quiet:
            print("\n".join(CARDS))
            return GOOD
        for each in CARDS.values():
            print(each.call)
            print(textwrap.fill(each.says, WIDTH, initial_indent="    ",
                                subsequent_indent="    ", break_on_hyphens=False))
        print("\n" + textwrap.fill(
            f"of mechanisms A and B, A*B and A**k release several; {', '.join(OPERATIONS)} make "
            "others of them", WIDTH, break_on_hyphens=False) + "\n")
        print("lapdp mechanisms NAME: where it is from, its direction, what dominates it")
        return GOOD
    known_name(arguments.name, [*CARDS, *OPERATIONS], "mechanism")
    if arguments.name in OPERATIONS:
        made = catalogue()[arguments.name]
        takes = (str(p.replace(annotation=p.empty)) for p in signature(made).parameters.values())
        print(f"{arguments.name}({', '.join(takes)})")
        if not arguments.quiet:
            plain = re.sub(r":\w+:`([^`]*)`", r"\1", getdoc(made) or "").replace("``", "")
            print(textwrap.indent(plain, "  "))
        return GOOD
    card = CARDS[arguments.name]
    print(card.call)
    if arguments.quiet:
        return GOOD
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
        if arguments.quiet:
            print("\n".join(LAWS))
            return GOOD
        rows = [(name, " ".join(("pair", *law.takes)), law.says, law.source)
                for name, law in LAWS.items()]
        print(listing(rows, ("law", "takes", "says", "source")))
        return GOOD
    known_name(arguments.name, list(LAWS), "law")
    law = LAWS[arguments.name]
    if arguments.quiet:
        print(law.says)
        return GOOD
    print(f"{law}\n  checked: {', '.join(method for method, _ in law.routes)}\n"
          f"  LaTeX: {law.latex}")
    return GOOD


def facts(arguments: argparse.Namespace) -> int:
    """The named facts of analysis, with sources."""
    from lapdp.core.facts import ALL_FACTS
    from lapdp.report.text import listing

    if arguments.quiet:
        print("\n".join(f.name for f in ALL_FACTS))
        return GOOD
    print(listing([(f.name, f.says, f.source) for f in ALL_FACTS], ("fact", "says", "source")))
    return GOOD
