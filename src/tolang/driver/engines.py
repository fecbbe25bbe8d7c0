"""Engines behind one door: the interpreter, and compiled code that falls back to it where it must."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tolang.core.core import Program
from tolang.ground.diagnostics import Diagnostic, ToLangRunError, ToLangUsageError
from tolang.ground.values import ToL
from tolang.readings.interpret import interpret

if TYPE_CHECKING:
    from tolang.engines.cpu.engine import Executable

ENGINES = ("interpret", "cpu")


@dataclass(slots=True)
class Engine:
    """Runs checked programs.  `fallbacks` tells why a program was left to the interpreter."""

    name: str
    strict: bool = False
    fallback: bool = True
    fallbacks: list[str] = field(default_factory=list)
    _compiled: dict[int, tuple[Program, Executable | None]] = field(default_factory=dict)

    def run(self, core: Program, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int) -> list[ToL]:
        """The outputs' values."""
        executable = self.executable(core) if self.name == "cpu" else None
        if executable is None:
            return interpret(core, inputs, sizes, seed, self.strict)
        from tolang.engines.cpu.engine import Failed

        try:
            return executable.run(inputs, sizes, seed)
        except Failed as failed:
            return self._explained(failed, core, inputs, sizes, seed)

    def executable(self, core: Program) -> Executable | None:
        """The compiled program, compiled when first needed; None where the interpreter has to run it."""
        known = self._compiled.get(id(core))
        if known is None:
            known = (core, self._compile(core))
            self._compiled[id(core)] = known
        return known[1]

    def _compile(self, core: Program) -> Executable | None:
        from tolang.engines.cpu.engine import Executable
        from tolang.nests.nest import Unsupported

        try:
            return Executable(core, self.strict)
        except Unsupported as reason:
            if not self.fallback:
                raise ToLangUsageError(Diagnostic("E610", f"the cpu engine cannot run this: {reason}")) from None
            self.fallbacks.append(str(reason))
            return None

    def _explained(
        self, failed: Exception, core: Program, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int
    ) -> list[ToL]:
        """Compiled code only tells that a check failed; the interpreter tells which value was wrong, and where."""
        from tolang.engines.cpu.engine import Failed

        assert isinstance(failed, Failed)
        interpret(core, inputs, sizes, seed, self.strict)
        raise ToLangRunError(Diagnostic("E519", failed.site.message, failed.site.span)) from None
