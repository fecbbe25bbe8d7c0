"""The interpreter: the living definition of the language, on NumPy, exact and trusted."""

from tolang.readings.interpret.interpreter import interpret
from tolang.readings.interpret.machine import Late

__all__ = ["Late", "interpret"]
