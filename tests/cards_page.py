"""One card of every kind, and a page of them all."""

from __future__ import annotations

from functools import cache

from lapdp import (
    dominates,
    exponential,
    finite,
    gaussian,
    laplace,
    least,
    mechanism_table,
    most_copies,
    outcomes,
    randomized_response,
    renyi_dominates,
    verify,
)
from lapdp.report.cards import show
from lapdp.testing import check_profile, conjecture
from lapdp.testing.strategies import finite_pairs
from lapdp.theory import delta, pair, reals
from tests.site_pages import library

HOSTILE = '<script>alert("x")</script>'


@cache
def cards() -> dict[str, str]:
    """HTML by kind."""
    (P, Q), eps = pair(), reals("eps")
    report = check_profile(lambda pair, eps: 1, on_fail="report", examples=20)
    things = {
        "refuted": show("chourasia2024/eq-47.1", numeric=False),
        "proved": show("chourasia2024/eq-22", numeric=False),
        "verdict": verify("chourasia2024/eq-47.1", numeric=False, search=False),
        "dominance": dominates(laplace(1), laplace(2)),
        "no dominance": dominates(laplace(1) ** 2, randomized_response(1)),
        "renyi order": renyi_dominates(gaussian(1), randomized_response(4)),
        "calibration": least(gaussian, under=[(1, "1e-5")], digits=6),
        "exact calibration": least(laplace, under=randomized_response("1/3")),
        "budget": most_copies(gaussian(10), 1, "1e-5"),
        "declared": next(s for s in library() if s.id == "chourasia2024/eq-47.1"),
        "mechanism": exponential(1, 2),
        "finite pair": finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]),
        "outcomes with hostile names": outcomes({HOSTILE: (1, "1/2"), "b": (0, "1/2")}),
        "product": gaussian(1) * laplace(2),
        "profile": laplace(1).profile,
        "loss": laplace(1).loss,
        "moment": exponential(1, 2).moment,
        "trade-off": laplace(1).tradeoff,
        "region": exponential(1, 2).moment.region,
        "number": laplace(1).delta("1/2", digits=10),
        "table": mechanism_table({"": ["1/2", "1/2"], "a": ["3/4", "1/4"]}, "add/remove"),
        "refuted conjecture": conjecture(delta(P, Q)(2*eps), "<=", delta(P, Q)(eps), examples=20),
        "proved conjecture": conjecture(delta(P, Q)(2*eps), "<=", delta(P, Q)(eps),
                                        where=eps >= 0, examples=20),
        "functions": conjecture(lambda p: p.hockey_stick(1), "==",
                                lambda p: p.reverse().hockey_stick(2), over=finite_pairs()),
        "report": report,
        "failure": report.failures[0],
    }
    return {name: thing._repr_html_() for name, thing in things.items()}


def page(theme: str) -> str:
    """All of them one below the other, as a notebook shows them."""
    return ('<!doctype html><html lang="en" data-theme="' + theme + '"><head><meta charset="utf-8">'
            '<title>Cards</title><link rel="icon" href="data:,"></head><body style="background:'
            f'{"#111" if theme == "dark" else "#fff"}"><main><h1 style="color:'
            f'{"#eee" if theme == "dark" else "#111"}">Cards</h1>{"".join(cards().values())}'
            "</main></body></html>")
