"""Programs as compositions of the five atomic computations: lambda, norm, member, join, embed."""

from tolang.readings.atoms.evaluation import evaluate
from tolang.readings.atoms.expansion import Expansion, expand
from tolang.readings.atoms.notation import ASCII, PAPER, write, write_term

__all__ = ["ASCII", "PAPER", "Expansion", "evaluate", "expand", "write", "write_term"]
