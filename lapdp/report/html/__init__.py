"""Components of pages: mathematics, badges, blocks, curves.  Views only: nothing is judged here."""
