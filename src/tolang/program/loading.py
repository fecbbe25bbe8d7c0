"""Compiled programs from files: `tolang.load`; `saving.py` tells what is in them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from tolang.data.formats import refuse_other_kind
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.system.own_modules import restored
from tolang.ground.values.spaces import Column
from tolang.program.program import Program
from tolang.program.saving import ENTRIES, HEAD, LARGEST, Storages
from tolang.program.sources import not_there
from tolang.store import cache


def make(head: str) -> None:
    """Checks and compiles a program as its head says, so that the cache has everything of it."""
    told = json.loads(head)
    program = _program(told)
    for storages in told["storages"]:
        core = program.core_in(_columns(program, storages))
        if program.engine != "interpret":
            prepared = program.runner.prepared(core)
            for executable in prepared.compiled:
                executable.complete()


def _columns(program: Program, storages: Storages) -> tuple[tuple[str, tuple[Column, ...]], ...]:
    return tuple(
        (
            one.name,
            tuple(
                replace(column, storage=storage, weak=weak)
                for column, (storage, weak) in zip(one.type.columns, storages[one.name], strict=True)
            ),
        )
        for one in program.declared_inputs
    )


def _program(told: Mapping[str, Any]) -> Program:
    return Program(restored(told["texts"]), told["engine"], told["strict"], told["fallback"], told["threads"])


def load(path: str | Path) -> Program:
    """A program from a file that `program.save` wrote.

    The file holds machine code, which runs with all rights of this process: load only what you trust.
    """
    if not isinstance(path, str | PathLike):
        raise usage("E604", "there is no file", type(path).__name__, "the path of a file that program.save wrote")
    refuse_other_kind(Path(path), ".tolc")
    told, brought = _read(Path(path))
    cache.bring(brought)
    try:
        return _program(told)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise _damaged(Path(path)) from None


def _read(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            if sum(one.file_size for one in parts) > LARGEST:
                raise usage("E608", f"{path} is larger than any compiled program", expected=f"at most {LARGEST} bytes")
            told = json.loads(archive.read(HEAD))
            entries = [one for one in parts if one.filename.startswith(ENTRIES)]
            brought = {one.filename.removeprefix(ENTRIES): archive.read(one) for one in entries}
    except FileNotFoundError as error:
        raise not_there(path, error) from None
    except OSError as error:
        raise usage("E604", f"cannot read {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, NotImplementedError):
        raise _damaged(path) from None
    if not isinstance(told, dict) or told.get("format") != 1:
        raise _damaged(path)
    return told, brought


def _damaged(path: Path) -> Exception:
    return usage("E608", f"{path} is not a compiled program, or was damaged", fix="write it again with program.save")
