"""The numeric column: an evaluation of statements that shares no code with the exact class.

It disagrees when a statement is false at an instance it draws; agreement is evidence, not proof.
"""

from lapdp.numeric.column import METHOD, column, counterexample
from lapdp.numeric.instances import Instance

__all__ = ["METHOD", "Instance", "column", "counterexample"]
