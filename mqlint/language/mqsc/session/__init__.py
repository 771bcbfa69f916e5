"""Sessions of runmqsc and CSQUTIL, recorded with their replies."""
