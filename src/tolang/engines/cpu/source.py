"""Native code that this engine brings along: LLVM IR in files beside the modules that use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

NOTHING: Mapping[str, object] = {}


def joined(*texts: str) -> str:
    """Several texts as one module, in which every function is defined or declared once."""
    lines = [line for text in texts for line in text.splitlines()]
    known = {found[1] for line in lines if (found := re.match(r"define .*?@([\w.]+)\(", line))}
    kept = []
    for line in lines:
        declared = re.match(r"declare .*?@([\w.]+)\(", line)
        if declared is None or declared[1] not in known:
            kept.append(line)
            known |= {declared[1]} if declared is not None else set()
    return "\n".join(kept) + "\n"


def native_source(name: str, words: Mapping[str, object] = NOTHING) -> str:
    """The text of a file, each of some words in capitals replaced by what it stands for."""
    text = files(__package__).joinpath(name).read_text("utf-8")
    if not words:
        return text
    return re.sub("|".join(rf"\b{word}\b" for word in words), lambda found: str(words[found[0]]), text)
