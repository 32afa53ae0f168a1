"""What each command of ``lapdp`` does; the words and options are in :mod:`lapdp.cli`."""
