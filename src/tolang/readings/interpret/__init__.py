"""The interpreter: the living definition of the language, on NumPy, exact and trusted."""

from tolang.readings.interpret.interpreter import interpret

__all__ = ["interpret"]
