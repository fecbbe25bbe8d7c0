"""Files that are written whole or not at all: beside their place first, then moved into it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from tolang.ground.reporting.diagnostics import usage


def replace_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Writes a file beside its place and moves it there; whatever goes wrong, what was there before stays.

    A link is followed, so that the file it names is replaced and not the link; the file's permissions are kept.
    """
    refuse_unwritable(path)
    goal = Path(os.path.realpath(path))
    beside = goal.with_name(f".tol-{secrets.token_hex(8)}.part")
    try:
        try:
            with open(beside, "xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if goal.exists():
                shutil.copymode(goal, beside)
            os.replace(beside, goal)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
    except OSError as error:
        raise usage("E609", f"cannot write {path}: {error.strerror or error}") from None


def replace_folder(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a folder beside its place and moves it there; whatever goes wrong, what was there before stays.

    Only a folder of data in blocks, or an empty one, is replaced.
    """
    goal = path.resolve()
    blocks = goal.is_dir() and all(one.name == "zarr.json" or one.match("part-*") for one in goal.glob("[!c]*"))
    if goal.exists() and not blocks:
        raise usage("E609", f"cannot write {path}: there is something else")
    beside, old = (goal.with_name(f".tol-{secrets.token_hex(8)}.{kind}") for kind in ("part", "old"))
    try:
        try:
            write(beside)
            if goal.exists():
                goal.rename(old)
            beside.rename(goal)
        finally:
            for left in (beside, old):
                with suppress(OSError):
                    shutil.rmtree(left)
    except OSError as error:
        raise usage("E609", f"cannot write {path}: {error.strerror or error}") from None


def refuse_unwritable(path: Path) -> None:
    """Raises, before work is done for it, the error that writing a file would end in."""
    try:
        goal = Path(os.path.realpath(path))
        if goal.is_dir():
            raise usage("E609", f"cannot write {path}: it is a directory")
        if goal.exists() and not goal.is_file():
            raise usage("E609", f"cannot write {path}: it is not an ordinary file")
        if not goal.parent.is_dir():
            raise usage("E609", f"cannot write {path}: there is no directory {goal.parent}")
        if not os.access(goal.parent, os.W_OK):
            raise usage("E609", f"cannot write {path}: the directory {goal.parent} is not writable")
    except (OSError, ValueError) as error:  # a name that is too long, or has a NUL in it
        raise usage("E609", f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
