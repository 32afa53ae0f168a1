"""Views of the same results: text for a terminal, JSON for programs, pages to read."""
