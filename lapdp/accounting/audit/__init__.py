"""Answers of accountants held against certified values: adapters, a grid of questions, verdicts."""

from __future__ import annotations

from lapdp.accounting.audit.adapter import Adapter, Method, Refused
from lapdp.accounting.audit.claims import VERDICTS, Claim, Truth, Verdict, judge
from lapdp.accounting.audit.queries import Query, Release
from lapdp.accounting.audit.running import Audit, Row, audit

__all__ = ["VERDICTS", "Adapter", "Audit", "Claim", "Method", "Query", "Refused", "Release", "Row",
           "Truth", "Verdict", "audit", "judge"]
