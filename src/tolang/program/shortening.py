"""Formulas of a cost as tables show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.readings.cost.abbreviations import Abbreviations

if TYPE_CHECKING:
    from tolang.program.amounts import Intensity

MOST_SHOWN = 2000
"""A formula of more names and numbers than this is not written out at all."""
LONG = 120
"""If formulas are longer than this, or a model's, lengths in them get names; what is still twice as long is cut."""


class Shortening:
    """Formulas as tables show them: long ones with names for the lengths in them, endless ones cut."""

    def __init__(self, cost: Any) -> None:
        self.is_model = hasattr(cost, "by_node")
        self.was_cut = False
        self._names = Abbreviations([*cost.core.sizes, *(one.name for one in cost.core.inputs), *cost.unknowns])
        self._always = self.is_model or len(str(cost.eops)) > LONG

    @property
    def meanings(self) -> dict[str, str]:
        """The names given so far, and what they stand for."""
        return self._names.meanings

    def text(self, amount: Any) -> str:
        """A number, or a formula."""
        if isinstance(amount, int):
            return str(amount)
        if amount.weight > MOST_SHOWN:
            self.was_cut = True
            return "…"
        return self.cut(self._names.text(amount) if self._always else str(amount))

    def quotient(self, one: Intensity) -> str:
        """EOPs a byte."""
        if one.is_number or not self._always:
            return self.cut(str(one))
        return f"({self.text(one.eops)})/({self.text(one.bytes)})"

    def cut(self, text: str) -> str:
        """A text that is not endless."""
        if len(text) <= 2 * LONG:
            return text
        self.was_cut = True
        return f"{text[: 2 * LONG].rpartition(' ')[0]} …"
