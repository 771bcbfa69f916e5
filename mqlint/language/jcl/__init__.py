"""JCL of z/OS, and the macros of system parameters."""
