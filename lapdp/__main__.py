"""``python -m lapdp``: the command line."""

from lapdp.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
