"""Files of Docker Compose: their services, their mounted files, and files read as one."""
