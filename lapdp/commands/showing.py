"""``lapdp show`` and ``check``: commands that judge one statement."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from lapdp.commands import checking
from lapdp.commands.declaring import Commands, add_amount, clip, whole
from lapdp.commands.exits import exit_code
from lapdp.commands.judging import VERIFY_EXITS, add_judging, how
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

_SHOW = """
lapdp show chourasia2024/eq-30
lapdp show proofs/my_bound.py::eq-1 --verbose
lapdp show chourasia2024/eq-47.1 --no-numeric --svg eq-47.svg
"""
_CHECK = """
lapdp check "L(exp(-a*t), t, s) == 1/(s + a)" --where "re(s) > -a"
lapdp check "L(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/2" --where "s > 0"
lapdp check "(x + y)/2 >= sqrt(x*y)" --where "x > 0" "y > 0"
lapdp check "delta(P1*P2, Q1*Q2)(x + y) <= delta(P1, Q1)(x) + delta(P2, Q2)(y)"
lapdp check "R(P, Q)(q) <= R(Q, P)(q)" --where "q > 1"
lapdp check "delta(P, Q)(x) <= delta(P, Q)(y)" --where "x >= y"
lapdp check "delta(gaussian(sigma))(0) <= 1/(3*sigma)"
"""
_CHECK_NOTES = """
Where a notion of pairs is called, P, Q, P1, Q1, ... are arbitrary pairs of distributions:
delta(P, Q)(eps), T(P, Q)(a), R(P, Q)(q), E(P, Q)(q), PLD(P, Q), F(PLD(P, Q))(x), f(...)(x),
Pr(PLD(P, Q) > x), Ex(body, PLD(P, Q)), Omega(body), P(S) for an event S, Sup(P(S) - Q(S), S);
P1*P2 is a product and p*P + (1 - p)*Q a mixture; a mechanism stands for its two distributions,
as in delta(gaussian(sigma))(eps); conditions are also ac(P, Q) for P << Q,
NoAtom(PLD(P, Q), x), Defined(...).  Random finite pairs are tried first, and the smallest
counterexample is shown; then the engine judges the statement for every pair.

Decimals are exact: 0.1 is 1/10.  s and q are complex, other names real."""
MOST_SHOWN = 20
"""Members of one line that are shown together; of more, only what stands and the verdicts."""
MOST_NAMED = 60
EVERYTHING = "all steps of the proof, the sentence of the kernel, and the statement in LaTeX"


def add(commands: Commands) -> None:
    """The commands that judge one statement."""
    made = commands.add("judge", "show", show,
                        "judge one statement and print everything about it", examples=_SHOW,
                        exits=VERIFY_EXITS.replace("something is ", ""))
    made.add_argument("id", metavar="ID", help="id of a statement, or file.py::label")
    made.add_argument("--svg", metavar="FILE", help="write the card of the statement, as a drawing")
    add_amount(made, "the verdict", EVERYTHING, "--all")
    add_judging(made)

    made = commands.add(
        "judge", "check", checking.run, "judge one relation given as text", examples=_CHECK,
        notes=_CHECK_NOTES,
        exits="0 proved, derived, certified or tested; 1 refuted or ill-formed; 2 unreadable; "
              "3 undecided")
    made.add_argument("relation", metavar="RELATION",
                      help='"LHS == RHS", also with <=, <, >=, >, !=; before any --where')
    made.add_argument("--where", nargs="+", action="extend", default=[], metavar="COND",
                      help='conditions, such as "s > 0"')
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    made.add_argument("--examples", type=whole, default=200, metavar="N",
                      help="random pairs for a statement about pairs (default 200)")
    add_amount(made, "the verdict", EVERYTHING)
    add_judging(made)


def show(arguments: argparse.Namespace) -> int:
    """Judge one statement, with its repair, and print everything about it; of a theorem, first
    what stands and what does not."""
    from lapdp.report import text
    from lapdp.report.terminal import colours_wanted
    from lapdp.theory.discovery import Catalogue
    from lapdp.theory.loading import short
    from lapdp.theory.runner import run

    catalogue = Catalogue()
    found = catalogue.select([arguments.id])
    label = arguments.id.rpartition("::")[2]
    exact = [s for s in found if label in (s.id, s.label)] or found
    if len(exact) > MOST_NAMED:
        raise InputError(f"{clip(arguments.id)} names {len(exact)} statements: show takes one, or "
                         f"a theorem (see lapdp list {arguments.id[:40]})")
    brief = arguments.quiet or len(exact) > MOST_SHOWN
    if arguments.svg and len(exact) > 1:
        raise InputError(f"--svg draws one statement: {clip(arguments.id)} names {len(exact)}")
    repairs = {s.repaired_by: catalogue.find(s.repaired_by, s) for s in exact if s.repaired_by}
    wanted = {s.id: s for s in (*exact, *repairs.values()) if s is not None}
    with Progress(sys.stderr, arguments.quiet, limit=arguments.timeout) as progress:
        results = run(list(wanted.values()), progress=progress.step, begun=progress.begin,
                      **how(arguments))
    judged = {r["id"]: r for r in results}
    if arguments.svg:
        from lapdp.report.json_report import write_text
        from lapdp.report.svg_card import svg

        result = judged[exact[0].id]
        write_text(arguments.svg, svg(result, judged.get(result["repaired_by"])))
    first = [*_opening([judged[s.id] for s in exact], exact),
             *["One of them: lapdp show ID."] * brief]
    if len(exact) > 1 and first and not arguments.quiet:
        print(" ".join(first), end="\n\n")
    for number, statement in enumerate(exact):
        result = judged[statement.id]
        if brief:
            print(f"{result['id']}: {text.paint(result['verdict'], colours_wanted(sys.stdout))}")
            continue
        print("\n" * min(number, 1) + text.full(
            result, judged.get(result["repaired_by"]),
            reproduce=_reproduce(catalogue, statement, arguments),
            source="" if catalogue.is_shipped(statement) else short(Path(statement.source)),
            **look(arguments)))
        if arguments.verbose:
            from lapdp.report.derivation import as_the_kernel_has_it

            print(as_the_kernel_has_it(statement))
    return exit_code([judged[s.id] for s in exact])


def _opening(results: list[Any], statements: list[Any]) -> list[str]:
    """What stands and what does not, in the words about the paper; in a terminal as Unicode."""
    from lapdp.report.papers import notes_beside
    from lapdp.report.readable import readable
    from lapdp.report.site.openings import opening

    said = opening(results, notes_beside(statements[0].paper, statements))
    if not sys.stdout.isatty():
        return said
    return [re.sub(r"\$(.+?)\$", lambda found: readable(found[1]), one) for one in said]


def _reproduce(catalogue: Any, statement: Any, arguments: argparse.Namespace) -> str:
    from lapdp.theory.loading import short

    given = any(statement in shelf for shelf in catalogue.given.values())
    target = f"{short(Path(statement.source))}::{statement.id}" if given else statement.id
    return (f"lapdp verify {target} --no-cache --digits {arguments.digits} --seed {arguments.seed}"
            f" --timeout {arguments.timeout:g}{' --no-numeric' if arguments.no_numeric else ''}")


def look(arguments: argparse.Namespace) -> dict[str, Any]:
    """How a statement is printed: wrapped for a terminal, as it is for files."""
    from lapdp.report.terminal import colours_wanted, width

    return {"every_step": arguments.verbose, "colour": colours_wanted(sys.stdout),
            "columns": width(sys.stdout) if sys.stdout.isatty() else None}
