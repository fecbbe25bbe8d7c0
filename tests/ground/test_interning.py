"""Things of which equal ones are one object."""

import subprocess
import sys

HELD_TO_THE_END = """
import ctypes
from tolang.ground import interning
from tolang.ground.symbolic import sizes
from tolang.ground.symbolic.sizes import Size, floor_division
for module in (sizes, interning):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(module))
sizes.kept = [floor_division(Size.of(-k), Size.of("n")) for k in (1, 2)]
assert len({hash(one.key) for one in interning._MADE.valuerefs()}) == 1
"""
"""Two sizes with one hash, in a module that something in C holds, so that they go last of all."""


def test_nothing_is_said_where_sizes_live_until_python_ends() -> None:
    done = subprocess.run([sys.executable, "-c", HELD_TO_THE_END], capture_output=True, text=True, check=True)
    assert done.stderr == ""
