"""dp-accounting: privacy loss distributions on a grid, and Renyi divergences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lapdp.accounting.audit.adapter import Package, Script
from lapdp.accounting.audit.claims import Claim
from lapdp.accounting.audit.queries import Query, Release

_PLD = ("from dp_accounting.pld import privacy_loss_distribution as pld\n"
        "from dp_accounting.pld.common import DifferentialPrivacyParameters")
_ROUNDED = ("dp_accounting/pld/privacy_loss_distribution.py, pessimistic_estimate: rounded so that "
            "the hockey-stick divergence is an upper estimate")
_ROUNDED_DOWN = ("dp_accounting/pld/privacy_loss_distribution.py, pessimistic_estimate=False: an "
                 "optimistic estimate, rounded down; tail_mass_truncation=0, since truncation is "
                 "documented for pessimistic estimates only")
MOST_WHOLE = 100
"""Copies that are composed without truncation: their grids grow with each."""
_MAKERS = {"gaussian": "from_gaussian_mechanism", "laplace": "from_laplace_mechanism",
           "geometric": "from_discrete_laplace_mechanism",
           "discrete_gaussian": "from_discrete_gaussian_mechanism"}

_CALLS = {"delta": "get_delta_for_epsilon", "epsilon": "get_epsilon_for_delta"}


def _pld(query: Query, step: float, dots: bool, pessimistic: bool) -> list[str] | None:
    if not pessimistic and sum(release.copies for release in query.releases) > MOST_WHOLE:
        return None
    # truncated tails count as infinite losses, which no lower bound may do
    whole = "" if pessimistic else ", tail_mass_truncation=0"
    lines = []
    for number, release in enumerate(query.releases):
        made = _distribution(release, step, dots, pessimistic)
        if made is None:
            return None
        times = f".self_compose({release.copies}{whole})" if release.copies > 1 else ""
        composed = f"{made}{times}"
        lines.append(f"loss = loss.compose({composed}{whole})" if number else f"loss = {composed}")
    return [*lines, f"answer = loss.{_CALLS[query.wants]}({query.at!r})"]


def _distribution(release: Release, step: float, dots: bool, pessimistic: bool) -> str | None:
    if release.mechanism == "approximate_dp":
        if release.rate is not None or not (dots and pessimistic):
            return None
        eps, delta = release.parameters
        return (f"pld.from_privacy_parameters(DifferentialPrivacyParameters({eps!r}, {delta!r}), "
                f"value_discretization_interval={step!r})")
    rate = "" if release.rate is None else f", sampling_prob={release.rate!r}"
    return (f"pld.{_MAKERS[release.mechanism]}({release.parameters[0]!r}, "
            f"pessimistic_estimate={pessimistic}, value_discretization_interval={step!r}, "
            f"use_connect_dots={dots}{rate})")


def _grid(name: str, step: float, dots: bool = True, pessimistic: bool = True,
          secondary: bool = False) -> Script:
    claim = Claim("upper" if pessimistic else "lower", "both",
                  _ROUNDED if pessimistic else _ROUNDED_DOWN)
    settings = {"value_discretization_interval": step, "use_connect_dots": dots,
                "pessimistic_estimate": pessimistic}
    return Script(name, claim, _PLD, partial(_pld, step=step, dots=dots, pessimistic=pessimistic),
                  settings, secondary)


def _replaced(query: Query) -> Sequence[str] | None:
    lines = []
    for number, release in enumerate(query.releases):
        if release.mechanism != "gaussian" or not release.replaceable:
            return None
        made = (f"pld.from_gaussian_mechanism({release.parameters[0]!r}, neighboring_relation="
                f"NeighboringRelation.REPLACE_ONE).self_compose({release.copies})")
        lines.append(f"loss = loss.compose({made})" if number else f"loss = {made}")
    return [*lines, f"answer = loss.{_CALLS[query.wants]}({query.at!r})"]


def _event(release: Release) -> str | None:
    kinds = {"gaussian": "GaussianDpEvent", "laplace": "LaplaceDpEvent"}
    if release.mechanism not in kinds or (release.rate is not None
                                          and release.mechanism == "laplace"):
        return None
    event = f"dp_accounting.{kinds[release.mechanism]}({release.parameters[0]!r})"
    if release.rate is not None:
        event = f"dp_accounting.PoissonSampledDpEvent({release.rate!r}, {event})"
    return event


def _accounted(query: Query, accountant: str) -> Sequence[str] | None:
    lines = [f"accountant = {accountant}()"]
    for release in query.releases:
        event = _event(release)
        if event is None:
            return None
        lines.append(f"accountant.compose({event}, {release.copies})")
    return [*lines, f"answer = accountant.get_{query.wants}({query.at!r})"]


def _closed(query: Query) -> Sequence[str] | None:
    first = query.releases[0]
    if (query.wants != "epsilon" or len(query.releases) > 1 or first.copies > 1
            or first.mechanism != "gaussian" or first.rate is not None):
        return None
    return [f"answer = dp_accounting.get_epsilon_gaussian({first.parameters[0]!r}, {query.at!r})"]


ADAPTER = Package("google", "dp-accounting", (
    _grid("dots-1e-4", 1e-4),
    _grid("optimistic-1e-4", 1e-4, dots=False, pessimistic=False),
    _grid("buckets-1e-4", 1e-4, dots=False, secondary=True),
    _grid("dots-1e-3", 1e-3, secondary=True),
    _grid("dots-1e-2", 1e-2, secondary=True),
    Script("replace-1e-4", Claim("upper", "replace", _ROUNDED),
           f"{_PLD}\nfrom dp_accounting import NeighboringRelation", _replaced,
           {"value_discretization_interval": 1e-4}, secondary=True),
    Script("pld-accountant",
           Claim("upper", "both", "dp_accounting/pld/pld_privacy_accountant.py composes "
                 "pessimistic distributions"),
           "import dp_accounting\nfrom dp_accounting.pld import PLDAccountant",
           partial(_accounted, accountant="PLDAccountant"),
           {"value_discretization_interval": 1e-4}, secondary=True),
    Script("rdp",
           Claim("upper", "both", "dp_accounting/rdp/rdp_privacy_accountant.py: conversion of "
                 "guarantees of Renyi divergence, a bound"),
           "import dp_accounting\nfrom dp_accounting.rdp import RdpAccountant",
           partial(_accounted, accountant="RdpAccountant"), {"orders": "default"}),
    Script("gaussian",
           Claim("estimate", "both", "dp_accounting/gaussian_mechanism.py: analytical epsilon, "
                 "searched to the tolerance tol"),
           "import dp_accounting", _closed, {"tol": 1e-12}, secondary=True),
))
