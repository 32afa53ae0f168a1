"""Laws of the field that hold for every pair, and would-be laws that fail; one file a subject."""
