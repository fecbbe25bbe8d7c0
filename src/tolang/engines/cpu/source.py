"""Native code that this engine brings along: LLVM IR in files beside the modules that use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

NOTHING: Mapping[str, object] = {}


def native_source(name: str, words: Mapping[str, object] = NOTHING) -> str:
    """The text of a file, each of some words in capitals replaced by what it stands for."""
    text = files(__package__).joinpath(name).read_text("utf-8")
    if not words:
        return text
    return re.sub("|".join(rf"\b{word}\b" for word in words), lambda found: str(words[found[0]]), text)
