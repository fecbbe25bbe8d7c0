"""Names of the package: a class's name tells it apart from every other class."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "tolang"
SHARED = {
    "Module",  # PyTorch's and LLVM's word, for users of each
}
"""Names that several classes have, each with its reason."""


def classes() -> dict[str, list[str]]:
    """The modules that define a class of each name."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path.relative_to(PACKAGE).as_posix())
    return homes


def test_class_names_are_unique() -> None:
    twice = {name: homes for name, homes in classes().items() if len(homes) > 1 and name not in SHARED}
    assert not twice, "\n".join(f"{name}: {', '.join(homes)}" for name, homes in sorted(twice.items()))


def test_every_exception_is_needed() -> None:
    homes = classes()
    assert [name for name in SHARED if len(homes[name]) < 2] == []
