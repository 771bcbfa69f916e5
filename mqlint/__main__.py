"""`python -I -m mqlint`: the same as the command `mqlint`. spark-submit is given a copy of it."""

from mqlint.start import main

if __name__ == "__main__":
    main()
