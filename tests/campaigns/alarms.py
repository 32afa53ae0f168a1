"""False alarms: each right thing of tests/wrong/practice under the default call, again and again.

    python -m tests.campaigns.alarms [--runs 50] [--examples 25] [--only WORD]

A sampler is refuted wrongly with probability at most 1e-6 a run, over all of its events; all else
is decided, so that no alarm is allowed.  A right sampler draws other samples in each run, all else
other cases.  Exit code 1 for an alarm, which is printed.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.wrong.practice import accountants, curves, mechanisms, releases, samplers

PAGES = (samplers, releases, mechanisms, curves, accountants)
SAMPLED = (samplers, releases)
CHANCE = 1e-6
"""Of a false alarm in one run of a sampler: the default of ``check_sampler``."""


def alarms(thing, runs, **much):
    """The reports that say a right thing is wrong, by seed."""
    found = ((seed, thing.run(seed, **much)) for seed in range(runs))
    return {seed: report for seed, report in found if not report}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--examples", type=int, default=25, help="of each law that is decided")
    parser.add_argument("--only", default="")
    given = parser.parse_args(arguments)
    raised = sampled = decided = 0
    for page in PAGES:
        for thing in (t for t in page.RIGHT if given.only in t.name):
            start = time.process_time()
            much = {} if page in SAMPLED else {"examples": given.examples}
            found = alarms(thing, given.runs, **much)
            sampled += given.runs * (page in SAMPLED)
            decided += given.runs * (page not in SAMPLED)
            raised += len(found)
            print(f"{thing.name:48} {given.runs} runs, {len(found)} alarms, "
                  f"{time.process_time() - start:.0f} s", flush=True)
            for seed, report in list(found.items())[:1]:
                print(f"seed {seed}: {report}", flush=True)
    print(f"{raised} alarms; {sampled} runs of samplers, in which one comes with probability "
          f"{sampled * CHANCE:.1g} at most, and {decided} of all else, in which none may")
    return int(raised > 0)


if __name__ == "__main__":
    sys.exit(main())
