"""Scripts: from commands to steps, whatever shell they are written for."""
