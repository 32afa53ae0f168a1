"""Proof files of which nobody has said yet how their statements stand to the print.

A file leaves this list when each of its statements has a fidelity; at the end the list is empty.
"""

UNREAD = {
    "chourasia2024": (),
    "sommer2020": (),
    "zhu2021": (
        "algorithm_1.py",
        "appendix_E.py",
        "code_numbers.py",
        "definition_12.py",
        "example_14.py",
        "example_15.py",
        "experiments.py",
        "proposition_16.py",
        "section_0.py",
        "section_3.py",
        "section_3_worst_case.py",
        "section_4_1_pairs.py",
        "section_4_1_sampling.py",
        "table_2.py",
    ),
}
