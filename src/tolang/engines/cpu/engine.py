"""The CPU engine: a checked program compiled once, run at any sizes."""

from __future__ import annotations

from collections.abc import Mapping

from tolang.core.core import Program
from tolang.engines.cpu.calling import Entry, Failed
from tolang.engines.cpu.images import CHECK_BITS, Fault, Image
from tolang.engines.cpu.loaded import Kernel, named, walker_address
from tolang.engines.cpu.native import raise_pending
from tolang.ground.values import ToL


class Executable:
    """A program in machine code.  Sizes are arguments: no size makes it compile again.

    An image that an earlier compilation of the same program left saves compiling it, as long as its kernels are kept.
    """

    def __init__(self, program: Program, strict: bool = False, image: Image | None = None) -> None:
        kernels = None if image is None else _kernels(image)
        if image is None or kernels is None:
            from tolang.engines.cpu.translation import translate

            image, kernels = translate(program, strict)
        self.program, self.image, self.kernels = program, image, kernels
        self._enter = Entry(program, image, walker_address(), [one.address for one in kernels])

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""
        found = self._enter(inputs, sizes, seed)
        if isinstance(found, int):
            raise_pending()
            raise Failed(self._fault(found))
        return found

    def _fault(self, code: int) -> Fault:
        """The check that a result tells of, where it stands in the source."""
        call, check = code >> CHECK_BITS, code & ((1 << CHECK_BITS) - 1)
        if not call:
            return self.image.sites[check - 1]
        message, place = self.kernels[call - 1].checks[check - 1]
        return Fault(message, None if place is None else self.image.spans[call - 1][place])


def _kernels(image: Image) -> list[Kernel] | None:
    """The kernels of an image; None where one of them is not kept any more."""
    found = []
    for name in image.kernels:
        kernel = named(name)
        if kernel is None:
            return None
        found.append(kernel)
    return found
