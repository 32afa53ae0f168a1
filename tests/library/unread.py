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
        "corollary_2_1.py",
        "corollary_5_2.py",
        "definition_1.py",
        "definition_10.py",
        "definition_2.py",
        "definition_3.py",
        "definition_4.py",
        "example_1.py",
        "example_2.py",
        "lemma_1.py",
        "lemma_11.py",
        "lemma_12.py",
        "lemma_13.py",
        "lemma_2.py",
        "lemma_3.py",
        "lemma_4.py",
        "lemma_5.py",
        "lemma_6.py",
        "lemma_7.py",
    ),
    "zhu2021": (),
}
