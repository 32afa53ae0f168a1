"""Statements of the paper zhu2021, as printed; one file for each theorem or section."""
