"""``python -m lapdp.kernel FILE``: check a derivation file, alone.

Exit codes: 0 every step follows, 1 refused (one line says where), 2 the file cannot be read.
"""

from __future__ import annotations

import sys

from lapdp.kernel.checker import read_lines
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Refused


def main(arguments: list[str]) -> int:
    """Check the file and print its last theorem, hypotheses and facts."""
    if len(arguments) != 1:
        print("usage: python -m lapdp.kernel FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            checker = read_lines(file)
        if not checker.theorems:
            raise Refused("no theorem")
    except (OSError, UnicodeDecodeError) as problem:
        print(f"cannot read {arguments[0]}: {problem}", file=sys.stderr)
        return 2
    except Refused as problem:
        print(f"refused: {problem}", file=sys.stderr)
        return 1
    last = checker.theorems[-1]
    for h in sorted(last.hyps):
        print(f"given    {text(checker.bank, h)}")
    print(f"theorem  {text(checker.bank, last.claim)}")
    print(f"facts    {', '.join(sorted(last.facts)) or 'none'}")
    print(f"steps    {len(checker.theorems)}")
    print(f"digest   {checker.bank.digest(last.claim)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
