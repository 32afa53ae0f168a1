"""Proof files of which nobody has said yet how their statements stand to the print.

A file leaves this list when each of its statements has a fidelity; at the end the list is empty.
"""

UNREAD = {
    "chourasia2024": (),
    "sommer2020": (),
    "zhu2021": (),
}
