"""Long runs that search for what must not happen; a sample of each runs in the tests."""
