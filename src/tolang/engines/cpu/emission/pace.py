"""What is known of the loops of a function while it is written."""

from __future__ import annotations

from typing import Any


class Pace:
    """What is known of the loops of a function while it is written.

    Loops of a function that is not `patient` end soon, and stay as they are.  `exit` is the block that it ends with
    where it ends early.  `around` counts the loops around that look when the allowance is spent; `long` tells that a
    loop was written whose length is not known; `repeated` are the instructions of short loops, beyond those that stand
    in the code.
    """

    def __init__(self, patient: bool = True) -> None:
        self.patient = patient
        self.allowance: Any = None
        self.exit: Any = None
        self.around, self.repeated, self.long = 0, 0, False
