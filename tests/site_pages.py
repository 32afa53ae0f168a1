"""The site of the whole library, made of the verdicts on record: nothing is judged."""

from __future__ import annotations

from functools import cache

from lapdp.report.json_report import document
from lapdp.report.site import site
from lapdp.theory.course import describe
from lapdp.theory.discovery import aggregates, discover

PAPERS = ("chourasia2024", "laws")


def recorded(statement):
    """What a report would hold, with the verdict on record: nothing is judged here."""
    verdict = statement.expected or "proved"
    witness = {"text": "P, Q = mechanism_pair(finite([1], [1]))", "values": {"eps": "0"},
               "lhs": "1", "rhs": "0", "why": "the two sides differ exactly"}
    return {
        **describe(statement), "verdict": verdict, "reason": "because", "seconds": 0.25,
        "symbolic": {"method": "kernels", "facts": ["fubini"], "cells": 2, "tried": [],
                     "steps": ["P: k(z) [always]: the two sides agree"], "seconds": 0.1},
        "numeric": None, "holds_under": "", "scope": "",
        "witness": witness if verdict == "refuted" else None, "cached": False,
    }


def report_on(statements):
    results = [recorded(s) for s in statements]
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    return document(results, composite, digits=30, seed=0)


@cache
def library():
    return discover(list(PAPERS))


@cache
def pages():
    return site(library(), report_on(library()), targets=PAPERS)
