"""An estate as its files describe it: sites, the repositories, and where each file belongs."""
