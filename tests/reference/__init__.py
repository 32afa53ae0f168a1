"""The reference values once more, by methods that share no code with lapdp: see ``confirm``."""
