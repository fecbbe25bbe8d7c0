"""Cells executed by IPython: those on pages in this process, those of notebooks in a kernel of this interpreter."""

from __future__ import annotations

import copy
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

SECONDS = 60
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PROMPT = re.compile(r"In \[\d+\]: ")
_GOES_ON = "   ...: "


def open_shell(names: dict[str, Any]) -> Any:
    """IPython in this process, on some names, without history and colour."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"IPYTHONDIR": folder}):
        config = Config({"HistoryManager": {"hist_file": ":memory:"}})
        return InteractiveShell.instance(config=config, user_ns=names)


def close_shell() -> None:
    """Ends IPython in this process, if it was opened."""
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.clear_instance()


def execute_cells(text: str, shell: Any, pattern: Callable[[str], str]) -> None:
    """Cells with the output shown below each."""
    from IPython.utils.capture import capture_output

    for cell, shown in _cells(text):
        with capture_output(display=False) as captured:
            shell.run_cell(cell, store_history=True)
        printed = "\n".join(line.rstrip() for line in _COLOUR.sub("", captured.stdout).strip("\n").split("\n"))
        printed = re.sub(r"^Out\[\d+\]: ?\n?", "", printed, flags=re.MULTILINE)
        assert re.fullmatch(pattern(shown), printed), f"{cell}\nprinted:\n{printed}\nshown:\n{shown}"


def _cells(text: str) -> list[tuple[str, str]]:
    """Each cell and what is shown below it, without its number."""
    found: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        prompt = _PROMPT.match(line)
        if prompt is not None:
            found.append(([line[prompt.end() :]], []))
        elif line.startswith(_GOES_ON.rstrip()) and found and not found[-1][1]:
            found[-1][0].append(line[len(_GOES_ON) :])
        elif found:
            found[-1][1].append(re.sub(r"^Out\[\d+\]: ?", "", line))
    return [("\n".join(cell), "\n".join(shown).strip("\n")) for cell, shown in found]


def executed(notebook: Any, folder: Path) -> Any:
    """The notebook with the outputs it has now; an error in a cell that is not tagged for it is raised."""
    from ipykernel.kernelspec import RESOURCES, get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class Own(KernelSpecManager):
        """Knows one kernel, whatever kernels the machine has: this interpreter's."""

        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())

    made = copy.deepcopy(notebook)
    environment = {**os.environ, "IPYTHONDIR": str(folder / "ipython")}
    environment.pop("NO_COLOR", None)
    manager = AsyncKernelManager(kernel_spec_manager=Own())
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(made, km=manager, timeout=SECONDS, resources=resources, coalesce_streams=True)
    client.execute(env=environment)
    return made


def texts(cell: Any) -> list[str]:
    """What a cell shows as text, without colour."""
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            found.append(output.text)
        elif output.output_type == "error":
            found.append("\n".join(output.traceback))
        else:
            found.append(output.data["text/plain"])
    return [_COLOUR.sub("", text) for text in found]
