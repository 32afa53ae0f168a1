"""The library of lapdp: a folder for each paper, a file for each theorem; `laws` is no paper."""
