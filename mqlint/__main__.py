"""`python -m mqlint`: the same as the command `mqlint`."""

from mqlint.cli import main

if __name__ == "__main__":
    main()
