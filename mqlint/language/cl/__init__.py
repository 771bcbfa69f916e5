"""CL of IBM i: programs that work with queue managers."""
