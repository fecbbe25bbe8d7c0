"""What a call of the command line gives: sources, and arguments `name=value`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tolang.core.types import Type
    from tolang.ground.reporting.diagnostics import Source
    from tolang.onnx.model import Model
    from tolang.program.program import Program

_NAMED = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)\s*(.*?)\s*", re.DOTALL)

_DECLARED = re.compile(r"^tol ([A-Za-z_]\w*):", re.MULTILINE)


def source_from(file: str) -> Source:
    """The text of a file; `-` is the standard input."""
    from tolang.ground.reporting.diagnostics import Source, usage
    from tolang.program.sources import read_file

    if file != "-":
        return read_file(Path(file))
    try:
        return Source("<stdin>", sys.stdin.read())
    except UnicodeDecodeError:
        raise usage("E604", "cannot read the standard input: it is not UTF-8 text") from None


def program_from(
    file: str, engine: str = "auto", strict: bool = False, fallback: bool = True, threads: int | None = None
) -> Program:
    """The program of a file: ToLang source, or an ONNX model with its weights."""
    if not is_model(file):
        from tolang.program.program import Program

        return Program(source_from(file), engine, strict, fallback, threads)
    return model_from(file, engine, strict, fallback, threads).program


def is_model(file: str) -> bool:
    """Whether a file is an ONNX model, by its name."""
    return file.lower().endswith(".onnx")


def model_names(program: Program) -> Mapping[str, str]:
    """What a model calls its inputs and outputs, by their names in its program; nothing for any other program."""
    found: Mapping[str, str] = program.__dict__.get("model_names", {})
    return found


def own_inputs(program: Program) -> Mapping[str, Type]:
    """The inputs that are left to give: all but the weights that a model brings."""
    found: Mapping[str, Type] = getattr(program, "own_inputs", program.inputs)
    return found


def model_from(
    file: str,
    engine: str = "auto",
    strict: bool = False,
    fallback: bool = True,
    threads: int | None = None,
    operators: Path | None = None,
) -> Model:
    """The ONNX model of a file, with operators that a file of ToLang defines."""
    from tolang.ground.reporting.diagnostics import usage
    from tolang.onnx import load

    try:
        return load(file, engine, strict, fallback, threads, operators)
    except ModuleNotFoundError as error:
        if error.name != "onnx":
            raise
        raise usage("E604", f"reading {file} needs the package onnx", fix="pip install 'tolang[onnx]'") from None


def refuse_operators(operators: Path | None) -> None:
    """An error where operators of a model are given with what is no model."""
    from tolang.ground.reporting.diagnostics import usage

    if operators is not None:
        raise usage("E603", "--operators is for ONNX models", found=str(operators), fix="a program says what it uses")


def files_from(files: Sequence[str]) -> list[str]:
    """The files a call names; a directory stands for every .tol file in it."""
    from tolang.ground.reporting.diagnostics import usage

    found: list[str] = []
    for file in files:
        if file != "-" and Path(file).is_dir():
            inside = sorted(str(path) for path in Path(file).rglob("*.tol"))
            if not inside:
                raise usage("E604", f"there is no .tol file in {file}")
            found += inside
        else:
            found.append(file)
    return list(dict.fromkeys(found))


def arguments_from(
    texts: Sequence[str],
    wanted: Mapping[str, Type | None],
    in_files: bool = False,
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Data by name, from `name=value` and from files that hold data by name; a later one of a name is an error.

    With `in_files`, data of which regions can be read stay where they are, and are given by their paths.  `names` are
    further names, of any signs, that may be written, and what they stand for.
    """
    from tolang.data import argument, format_of, read_all
    from tolang.data.blocks import IN_PLACES
    from tolang.ground.reporting.diagnostics import usage

    given: dict[str, Any] = {}
    files: dict[str, Any] = {}
    for text in texts:
        named = _named(text, names or {})
        if named:
            name, value = named
            if name in given:
                raise usage("E603", f"{name} is given twice")
            stays = in_files and (value.lower().endswith(IN_PLACES) or Path(value).is_dir())
            given[name] = Path(value) if stays else argument(name, value, wanted.get(name))
        elif (found := format_of(Path(text))) is not None and found.by_name:
            files |= read_all(Path(text), wanted)
        else:
            expected = "name=3, name=[1,2,3], name=@text, name=data.npy, or a file that holds data by name"
            raise usage("E603", f"cannot tell what {text!r} is for", expected=expected)
    return files | given


def begun_inputs(context: Any, begun: str) -> list[str]:
    """`name=` for each input that a program declares, as a shell completes them; none where its file cannot be read."""
    file = (context.params or {}).get("file") or ""
    try:
        text = Path(file).read_text(encoding="utf-8") if file.endswith(".tol") else ""
    except (OSError, UnicodeDecodeError):
        return []
    return [f"{name}=" for name in _DECLARED.findall(text) if name.startswith(begun)]


def _named(text: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """Name and value of `name=value`, the name as it stands for itself or for another; None for any other text."""
    for written in sorted(names, key=len, reverse=True):
        if text.startswith(f"{written}="):
            return names[written], text[len(written) + 1 :].strip()
    found = _NAMED.fullmatch(text)
    return None if found is None else (found[1], found[2])


@contextmanager
def binding() -> Iterator[None]:
    """Data that does not fit its declaration is wrong in the call, not in the program."""
    from tolang.ground.reporting.diagnostics import ToLangRunError, ToLangUsageError

    try:
        yield
    except ToLangRunError as error:
        raise ToLangUsageError(error.diagnostics) from None
