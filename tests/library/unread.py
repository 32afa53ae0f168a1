"""Proof files of which nobody has said yet how their statements stand to the print.

A file leaves this list when each of its statements has a fidelity; at the end the list is empty.
"""

UNREAD = {
    "chourasia2024": (),
    "sommer2020": (
        "appendix_A_1.py",
        "appendix_A_1_composed.py",
        "appendix_A_2.py",
        "appendix_A_3.py",
        "appendix_A_3_loss.py",
        "appendix_A_4.py",
        "appendix_A_4_mean.py",
    ),
    "zhu2021": (),
}
