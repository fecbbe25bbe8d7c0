"""Folders and files that nobody but this user can have written: for those that are believed, or run, when read again.

Whoever can write a folder can put a file of theirs in place of any in it, and whoever can write a folder around it can
put another folder in its place; a sticky folder, as `/tmp` is, lets nobody replace what is not theirs.  The system's
own user, root, can do anything and is not guarded against.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ROOT = 0


def objection(folder: Path) -> str | None:
    """Why somebody else could change what is in a folder; None where nobody could, or it is yet to be made.

    The path is the real one, without links.
    """
    user = os.geteuid()
    for place in (folder, *folder.parents):
        try:
            status = os.lstat(place)
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{place}: {error.strerror}"
        if not stat.S_ISDIR(status.st_mode):
            return f"{place} is not a folder"
        if status.st_uid not in ((user,) if place == folder else (user, _ROOT)):
            return f"{place} belongs to user {status.st_uid}, and this is user {user}"
        if status.st_mode & _OTHERS and (place == folder or not status.st_mode & stat.S_ISVTX):
            return f"others may write {place}, whose mode is {stat.S_IMODE(status.st_mode):04o}"
    return None


def own_content(path: str, largest: int) -> bytes | None:
    """The content of an ordinary file that nobody but this user can write, of so many bytes at most; None of others.

    What is asked about is the file that was opened, whatever the path names meanwhile.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        ordinary = stat.S_ISREG(status.st_mode) and status.st_size <= largest
        if not ordinary or status.st_uid != os.geteuid() or status.st_mode & _OTHERS:
            return None
        with open(handle, "rb", closefd=False) as file:
            content = file.read()
        with suppress(OSError):
            os.utime(handle)
        return content
    except OSError:
        return None
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Makes a folder, and those around it that are not there, for this user alone; an `OSError` where that fails."""
    missing = [place for place in (folder, *folder.parents) if not os.path.exists(place)]
    for place in reversed(missing):
        with suppress(FileExistsError):
            os.mkdir(place, 0o700)


def private_folder() -> Path | None:
    """A new folder for this process alone, removed when it ends; None where there is no room for one."""
    try:
        made = Path(os.path.realpath(tempfile.mkdtemp(prefix="tolang-")))
    except OSError:
        return None
    atexit.register(_remove, made, os.getpid())
    return made if objection(made) is None else None


def _remove(folder: Path, process: int) -> None:
    """Removes a folder, unless this is a fork of the process that made it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
