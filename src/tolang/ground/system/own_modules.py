"""The user's own modules: which files a text uses, found and read once, so that all that follows sees one state.

`use "helpers.tol"` names a file by its path from the folder of the text; `use helpers` finds `helpers.tol` there, or in
one of the folders of `TOL_PATH`.  A text that is no file has the working folder.  What is found belongs to the source
that uses it, for as long as it lives: a program that is checked again, for other data, is the program it was.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from stat import S_ISREG
from weakref import WeakKeyDictionary

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Source

FILE_ENDING = ".tol"
LARGEST_FILE = 1 << 23
"""A module may have this many bytes; its text is held against the limit of programs when it is parsed."""

PATH_VARIABLE = "TOL_PATH"

_USE = re.compile(
    r"""(?:^|;)[^\S\n]*use[^\S\n]+(?:"([^"\n]*\.tol)"|'((?:[^'\n]|'')*\.tol)'|([A-Za-z_]\w*))""", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Missing:
    """A module that is no file: where it was looked for, or why it cannot be read."""

    why: str


Found = Source | Missing
_FOUND: WeakKeyDictionary[Source, Mapping[str, Found]] = WeakKeyDictionary()


def own_modules(source: Source) -> Mapping[str, Found]:
    """The files that a text uses, by what stands after `use`; those that they use are found at the same time."""
    if source not in _FOUND:
        sources: dict[str, Source] = {}
        if _is_file(source):
            sources[os.path.realpath(source.name)] = source
        waiting = [source]
        while waiting:
            one = waiting.pop()
            known = set(sources)
            _FOUND[one] = {name: _found(one, name, sources) for name in _used(one)}
            waiting.extend(found for path, found in sources.items() if path not in known)
    return _FOUND[source]


def module_texts(sources: Iterable[Source]) -> tuple[str, ...]:
    """The names and texts of all files that some texts use, directly or through others."""
    texts: list[str] = []
    waiting = [found for source in sources for found in own_modules(source).values()]
    met: set[int] = set()
    for found in waiting:  # which grows
        if id(found) in met:
            continue
        met.add(id(found))
        if isinstance(found, Source):
            texts += found.name, found.text
            waiting.extend(own_modules(found).values())
        else:
            texts.append(found.why)
    return tuple(texts)


Carried = list[tuple[str, str, dict[str, int | str]]]
"""Texts with their names, the one that uses the others first; what each uses is the place of another, or why not."""


def carried(source: Source) -> Carried:
    """A text with all files that it uses, for another place, where these need not be."""
    texts, places = list[Source]([source]), {id(source): 0}
    made: Carried = []
    for one in texts:  # which grows
        uses: dict[str, int | str] = {}
        for name, found in own_modules(one).items():
            if isinstance(found, Missing):
                uses[name] = found.why
                continue
            if id(found) not in places:
                places[id(found)] = len(texts)
                texts.append(found)
            uses[name] = places[id(found)]
        made.append((one.name, one.text, uses))
    return made


def restored(texts: Carried) -> Source:
    """The text that was carried, which uses those that were carried with it."""
    sources = [Source(name, text) for name, text, _ in texts]
    for source, (_, _, uses) in zip(sources, texts, strict=True):
        _FOUND[source] = {n: sources[to] if isinstance(to, int) else Missing(to) for n, to in uses.items()}
    return sources[0]


def modules_beside(source: Source) -> list[str]:
    """The names of files that a text may use by their names alone."""
    folders = [Path(source.name).parent if _is_file(source) else Path(), *_folders_of_path()]
    found = {path.stem for folder in folders if folder.is_dir() for path in folder.glob(f"*{FILE_ENDING}")}
    return sorted(name for name in found - {Path(source.name).stem} if name.isidentifier())


def _used(source: Source) -> Iterator[str]:
    """What stands after the `use` of a text's lines, found without parsing it."""
    if source.library or "use" not in source.text:
        return
    for found in _USE.finditer(source.text):
        yield found[1] or (found[2] or "").replace("''", "'") or found[3]


def _is_file(source: Source) -> bool:
    return source.name.endswith(FILE_ENDING)


def _found(source: Source, name: str, sources: dict[str, Source]) -> Found:
    """The file of a module, which is read when the first of those that use it is looked at."""
    is_path = name.endswith(FILE_ENDING)
    folder = Path(source.name).parent if _is_file(source) else Path()
    if not source.beside:
        folders = [folder] if is_path else []
    else:
        folders = [folder] if is_path else [folder, *_folders_of_path()]
    file = name if is_path else f"{name}{FILE_ENDING}"
    tried = [Path(os.path.normpath(one / file)) for one in folders]
    for path in tried:
        try:
            if not path.exists():
                continue
            real = os.path.realpath(path)
            if real not in sources:
                sources[real] = Source(str(path), _text_of(path))
            return sources[real]
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            return Missing(f"{path} cannot be read: {reason}")
    return Missing(", ".join(str(path) for path in tried))


def _folders_of_path() -> list[Path]:
    return [Path(one) for one in os.environ.get(PATH_VARIABLE, "").split(os.pathsep) if one]


def _text_of(path: Path) -> str:
    found = path.stat()
    if not S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
        raise ValueError("it is not a file, or too large")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
