"""Loops over long chains of dependent arithmetic, several turns side by side.

A vector function is some twenty operations that wait for each other; a processor looks ahead less far than that, so
that LLVM is asked to run two or four vectors at once.  What is left at the end of a loop is fewer elements than these
have; where it would take as long as all of them one by one, it is one turn more whose vectors leave lanes out.

Where elements that lie far apart are only copied, vectors save nothing: each is read by itself.
"""

from __future__ import annotations

from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I1, I32, VectorModule


def note_chain(module: ir.Module) -> None:
    """Remembers that a long chain was written into the loop that is being written."""
    if isinstance(module, VectorModule):
        module.chains += 1


def note_far_copy(module: ir.Module) -> None:
    """Remembers that the loop that is being written only copies elements that lie far apart."""
    if isinstance(module, VectorModule):
        module.alone = True


def hint_chains(module: ir.Module, branch: Any) -> None:
    """Asks for turns side by side if chains were written since the last loop that ended; `branch` ends this one."""
    if isinstance(module, VectorModule) and module.alone:
        module.alone = False
        alone = module.add_metadata(["llvm.loop.vectorize.enable", ir.Constant(I1, 0)])
        branch.set_metadata("llvm.loop", module.add_loop([alone]))
        return
    if not isinstance(module, VectorModule) or not module.chains:
        return
    dear, copies = module.chains > 1, 4 if module.chains == 1 or module.masks else 2
    module.chains = 0
    hints = [module.add_metadata(["llvm.loop.interleave.count", ir.Constant(I32, copies)])]
    if dear and module.masks:
        hints.append(module.add_metadata(["llvm.loop.vectorize.predicate.enable", ir.Constant(I1, 1)]))
    branch.set_metadata("llvm.loop", module.add_loop(hints))


def keep_rolled(module: ir.Module, branch: Any) -> None:
    """Says that a loop is not to be unrolled: of one around long loops, copies cost time to compile and save none."""
    hint = module.add_metadata(["llvm.loop.unroll.disable"])
    branch.set_metadata("llvm.loop", module.add_loop([hint]))
