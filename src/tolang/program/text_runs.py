"""Runs of programs on text: by an executable of the program on codes, and new text of values that are there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tolang.core.core import Core, Literal
from tolang.core.new_text import NewText
from tolang.core.text_codes import OnCodes
from tolang.data.coded_text import coded
from tolang.engines.contract import Executable
from tolang.ground.dataclasses import dataclass
from tolang.ground.values.casting import Array
from tolang.ground.values.elementary import OF_TEXT
from tolang.ground.values.spaces import strong
from tolang.ground.values.values import ToL


@dataclass(frozen=True, slots=True, eq=False)
class OfText:
    """A program on text, of which an engine has the program on codes."""

    program: Core
    on_codes: OnCodes
    executable: Executable

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""
        given = coded(self.on_codes, inputs)
        found = self.executable.run(given.inputs, {**sizes, **given.sizes}, seed)
        return given.decoded(self.program.outputs, found)

    def complete(self) -> None:
        """Compiles what no sizes had needed so far."""
        self.executable.complete()

    @property
    def names(self) -> tuple[str, ...]:
        """The kernels of the program on codes."""
        return self.executable.names


@dataclass(frozen=True, slots=True, eq=False)
class MadeText:
    """New text of values that are there, all of it at once."""

    way: NewText

    def run(self, inputs: Mapping[str, ToL]) -> list[ToL]:
        """The text."""
        made, arrays = self.way.made, list[Array]()
        for one in self.way.arguments:
            arrays.append(np.array(one.value, object) if isinstance(one, Literal) else inputs[one.name].columns[0])
        return [ToL([OF_TEXT[made.function](*arrays)], [strong(made.type.column)])]
