"""How plans run: choices of schedules, and transforms that a machine opts into."""
