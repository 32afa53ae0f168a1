"""The library of lapdp: one folder for each paper, one file for each theorem."""
