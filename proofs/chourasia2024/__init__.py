"""Statements of the paper chourasia2024, as printed; one file for each theorem or section."""
