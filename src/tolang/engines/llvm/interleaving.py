"""Loops over long chains of dependent arithmetic, several turns side by side.

A vector function is some twenty operations that wait for each other; a processor looks ahead less far than that, so
that LLVM is asked to run two or four vectors at once.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from llvmlite.ir.values import MDValue

from tolang.engines.llvm.types import I32, VectorModule


class LoopHints(MDValue):  # type: ignore[misc]  # llvmlite has no types
    """What LLVM is told about one loop: a node of its own, which names itself first."""

    def descr(self, buf: Any) -> None:
        hints = ", ".join(hint.get_reference() for hint in self.operands)
        buf += (f"distinct !{{ {self.get_reference()}, {hints} }}\n",)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def note_chain(module: ir.Module) -> None:
    """Remembers that a long chain was written into the loop that is being written."""
    if isinstance(module, VectorModule):
        module.chains += 1


def hint_chains(module: ir.Module, branch: Any) -> None:
    """Asks for turns side by side if chains were written since the last loop that ended; `branch` ends this one."""
    if not isinstance(module, VectorModule) or not module.chains:
        return
    copies = 4 if module.chains == 1 else 2
    module.chains = 0
    count = module.add_metadata(["llvm.loop.interleave.count", ir.Constant(I32, copies)])
    branch.set_metadata("llvm.loop", LoopHints(module, [count], name=str(len(module.metadata))))


def keep_rolled(module: ir.Module, branch: Any) -> None:
    """Says that a loop is not to be unrolled: of one around long loops, copies cost time to compile and save none."""
    hint = module.add_metadata(["llvm.loop.unroll.disable"])
    branch.set_metadata("llvm.loop", LoopHints(module, [hint], name=str(len(module.metadata))))
