"""Statements that speak of the same object: do they agree, and do papers contradict each other?"""

from __future__ import annotations

from lapdp.theory.comparing.comparison import Comparison, compare, questions, said_by
from lapdp.theory.comparing.contradictions import Contradiction, Search, contradictions

__all__ = ["Comparison", "Contradiction", "Search", "compare", "contradictions", "questions",
           "said_by"]
