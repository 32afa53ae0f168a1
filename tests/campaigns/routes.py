"""For every verdict of the library: which second route confirms it?

    python -m tests.campaigns.routes [--prefix zhu2021] [--jobs 2] [--instances 30]

A proof is confirmed by the oracle (agreement at random exact instances), by the numeric column
(quadrature of the definitions), or by both; a refutation by a replay of its witness in the oracle,
by quadrature at the witness, or by an instance of the oracle's own.  None of them shares code with
the engine's methods.  What has one
route only is listed with the reasons.  Exit code 1 where a second route says the opposite.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from lapdp.core.errors import LapdpError
from lapdp.core.verdict import HOLDS, Kind, Numeric
from lapdp.numeric import column
from lapdp.privacy.__init__ import catalogue
from lapdp.privacy.families import replace_pairs
from lapdp.privacy.nodes import mechanism_pair
from lapdp.theory.engine import judge
from lapdp.theory.parse import parse_expression, parse_mechanism
from lapdp.theory.rewriting import map_form, substituted
from tests.mutation.oracle_check import oracle_report
from tests.mutation.replay import replay
from tests.shelf import by_id

DENIED = ("denied", "outside")
AGREED = ("confirmed", "undefined", "infinite")
"""Where a side has no value, or an infinite one, the oracle says so too."""
WORK = 150_000
"""What the numeric column may cost on one statement, in evaluations."""


@dataclass(frozen=True)
class Routes:
    """What is known of one statement: the engine's verdict and what the other routes say."""

    id: str
    verdict: str
    confirmed: tuple[str, ...] = ()
    opposed: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def paper(self):
        """Everything before the last slash of the id."""
        return self.id.rpartition("/")[0]


def routes(name, instances=30):
    """The routes of the statement with this id."""
    statement = by_id()[name]
    found = judge(statement, numeric=False)
    confirmed, opposed, reasons = [], [], []

    def note(route, agrees, reason):
        if agrees is None:
            reasons.append(f"{route}: {reason}")
        else:
            (confirmed if agrees else opposed).append(route)

    if found.kind in (*HOLDS, Kind.CERTIFIED, Kind.TESTED):
        numbers = column(statement, instances=2, work=WORK)
        note("numbers", numbers.agrees, numbers.reason)
        oracle = oracle_report(statement, instances)
        note("oracle", {"holds": True, "fails": False}.get(oracle.verdict),
             "; ".join(sorted(map(str, oracle.reasons))))
    elif found.kind is Kind.REFUTED:
        told = replay(statement, found.witness)
        note("replay", True if told in AGREED else False if told in DENIED else None, told)
        if not confirmed:
            numbers = _numbers_at(statement, found.witness)
            note("numbers", True if numbers.agrees is False else None,
                 numbers.reason or "the sides agree at the witness")
        if not confirmed:
            oracle = oracle_report(statement, 4 * instances)
            note("oracle", True if oracle.verdict == "fails" else None,
                 f"{oracle.verdict}; {'; '.join(sorted(map(str, oracle.reasons)))}")
    return Routes(name, str(found.kind), tuple(confirmed), tuple(opposed), tuple(reasons))


def _numbers_at(statement, witness):
    """The numeric column of the claim at a witness, of which pairs and values are read as text."""
    pairs, values = {}, {}
    for part in witness.text.split("; "):
        name, _, text = part.partition(" = ")
        made = re.fullmatch(r"mechanism_pair\((.*)\)", text)
        try:
            if made:
                pairs[name.replace(", ", ",")] = parse_mechanism(made[1], catalogue())
            else:
                values[name] = parse_expression(text)
        except LapdpError as problem:
            return Numeric("", reason=str(problem))
    letters = {s: values[s.name] for s in statement.parameters if s.name in values}

    def concrete(identity):
        mechanism = pairs.get(identity.name)
        return None if mechanism is None else mechanism_pair(mechanism, *identity.names)

    def change(e):
        return replace_pairs(substituted(e, letters), concrete)

    try:
        at = replace(statement, claim=map_form(statement.claim, change), where=())
        return column(at, instances=1, work=WORK)
    except LapdpError as problem:
        return Numeric("", reason=str(problem))


def table(found):
    """Lines by paper: how many statements have which routes."""
    lines = []
    for paper in sorted({r.paper for r in found}):
        counts = Counter((r.verdict, " and ".join(r.confirmed) or "none") for r in found
                         if r.paper == paper)
        lines += [f"{paper:14} {verdict:11} {route:20} {n}"
                  for (verdict, route), n in sorted(counts.items())]
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--instances", type=int, default=30)
    given = parser.parse_args(arguments)
    names = [name for name in by_id() if name.startswith(given.prefix)]
    with ProcessPoolExecutor(given.jobs) as pool:
        found = list(pool.map(partial(routes, instances=given.instances), names, chunksize=4))
    for r in found:
        if r.opposed:
            print(f"OPPOSED {r.id} is {r.verdict}: {', '.join(r.opposed)}")
        elif not r.confirmed:
            print(f"{r.id} is {r.verdict}: {' | '.join(r.reasons) or 'no witness, no numbers'}")
    print(*table(found), sep="\n")
    return 1 if any(r.opposed for r in found) else 0


if __name__ == "__main__":
    sys.exit(main())
