"""Statements of the paper sommer2020, as printed; one file for each theorem or section."""
