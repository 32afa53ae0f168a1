"""Statements that speak of the same object: do they agree, and do papers contradict each other?"""

from __future__ import annotations

from lapdp.theory.comparing.comparison import Comparison, compare, questions, said_by
from lapdp.theory.comparing.contradictions import Contradiction, Search, contradictions
from lapdp.theory.comparing.differences import differ

__all__ = ["Comparison", "Contradiction", "Search", "compare", "contradictions", "differ",
           "questions", "said_by"]
