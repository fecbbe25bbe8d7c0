"""Data as the command line takes and gives it: files by extension, and values written out as `name=3`.

NumPy's `.npy` and `.npz`, `.json`, and `.csv` of numbers are read and written.  Nothing pickled is ever loaded.  What a
format has no numbers for (rationals, complex numbers and infinities in JSON) is written as text in the notation of the
language, and read back where a number is declared.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from tolang.core.types import Type
from tolang.driver.binding import usage
from tolang.driver.csv_data import columns_of_csv, csv_text
from tolang.driver.files import refuse_unwritable, replace_file
from tolang.driver.numerals import json_value, number
from tolang.driver.program import evaluate_expression, read_file
from tolang.driver.results import Result
from tolang.ground.diagnostics import ToLangError, ToLangUsageError
from tolang.ground.spaces import NARROW_FLOATS, storage_of
from tolang.ground.values import ToL

EXTENSIONS = (".npy", ".npz", ".json", ".csv")
_KEYED = re.compile(r"(?P<path>.*\.(?:npz|json)):(?P<key>[^:/\\]+)", re.IGNORECASE)
_LIKE_A_FILE = re.compile(r".*[^.\s]\.[A-Za-z][A-Za-z0-9]{0,9}")
_RATIONAL = re.compile(r"[+-]?\d+(/\d+)?")


def argument(name: str, text: str, wanted: Type | None = None) -> Any:
    """The data that `name=text` stands for: a file by its extension, `@` and text, or a constant of the language."""
    if text.startswith("@"):
        return text[1:]
    keyed = _KEYED.fullmatch(text)
    if keyed:
        return read_data(Path(keyed["path"]), keyed["key"], wanted, exactly=True)
    if text.lower().endswith(EXTENSIONS):
        return read_data(Path(text), name, wanted)
    if wanted is not None and wanted.is_numeric and wanted.column.space.family == "Q" and _RATIONAL.fullmatch(text):
        return number(text, "Q")
    if _names_a_file(text):
        raise usage("E607", f"cannot tell what kind of data {text} is", expected=", ".join(EXTENSIONS))
    return _constant(name, text)


def _names_a_file(text: str) -> bool:
    try:
        float(text)
        return False
    except ValueError:
        pass
    try:
        return _LIKE_A_FILE.fullmatch(text) is not None or Path(text).is_file()
    except (OSError, ValueError):
        return False


def _constant(name: str, text: str) -> Any:
    """The value of a constant expression; what is wrong with it is wrong with the call."""
    try:
        value = evaluate_expression(text, name=f"<{name}>")
    except ToLangError as error:
        raise ToLangUsageError(error.diagnostics) from None
    if isinstance(value, tuple):
        raise usage("E608", f"the value of {name} is a bundle of {len(value)} ToLs", expected="one ToL")
    return value.to_list() if value.volume else value


def read_data(path: Path, name: str, wanted: Type | None = None, exactly: bool = False) -> Any:
    """The data of a file; of several in it the one called `name`, or the only one unless that name is asked for."""
    kind = path.suffix.lower()
    if kind == ".npy":
        return _declared(_guarded(path, _read_npy), wanted)
    if kind == ".csv":
        return columns_of_csv(path, wanted)
    if kind == ".npz":
        return _declared(_chosen(path, _guarded(path, _read_npz), name, exactly), wanted)
    content = _read_json(path)
    if isinstance(content, dict):
        content = _chosen(path, content, name, exactly)
    return json_value(content, wanted)


def read_all(path: Path, wanted: Mapping[str, Type | None]) -> dict[str, Any]:
    """What a file that holds data by name has of the data wanted."""
    kind = path.suffix.lower()
    content = _guarded(path, _read_npz) if kind == ".npz" else _read_json(path) if kind == ".json" else None
    if not isinstance(content, dict):
        raise usage("E607", f"{path} does not hold data by name", fix=f"give it to one input: name={path}")
    fit = _declared if kind == ".npz" else json_value
    found = {name: fit(content[name], wanted[name]) for name in content if name in wanted}
    if not found:
        names = ", ".join(content) or "nothing"
        raise usage("E603", f"{path} holds no input of the program", found=names, expected=", ".join(wanted) or "none")
    return found


def _guarded(path: Path, read: Callable[[Path], Any]) -> Any:
    """What a reader of NumPy files gives, with everything that can be wrong with a file told in one line."""
    try:
        return read(path)
    except OSError as error:
        if error.errno is None:
            raise usage("E608", f"{path} is damaged: {error}") from None
        raise usage("E604", f"cannot read {path}: {error.strerror}") from None
    except MemoryError:
        raise usage("E608", f"{path} is damaged, or larger than the memory of this machine") from None
    except Exception as error:  # a damaged header raises whatever its parser stumbles over
        raise usage("E608", _reason(path, str(error))) from None


def _reason(path: Path, message: str) -> str:
    if "pickle" in message:
        return f"{path} holds pickled Python objects, and these are never loaded"
    if "magic" in message or "not a zip" in message.lower():
        return f"{path} is no NumPy {path.suffix.lower()} file, or was cut short"
    return f"{path} is damaged or cut short: {message.splitlines()[0] if message else 'it ends too early'}"


def _read_npy(path: Path) -> Any:
    with open(path, "rb") as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _read_npz(path: Path) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.namelist():
            with archive.open(entry) as file:
                arrays[entry.removesuffix(".npy")] = np.lib.format.read_array(file, allow_pickle=False)
    return arrays


def _read_json(path: Path) -> Any:
    source = read_file(path)
    try:
        return json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise usage("E608", f"{path} is not JSON: {error}") from None


def _chosen(path: Path, content: Mapping[str, Any], name: str, exactly: bool) -> Any:
    if name in content:
        return content[name]
    if len(content) == 1 and not exactly:
        return next(iter(content.values()))
    held = ", ".join(content) or "nothing"
    fix = None if exactly or not content else f"name one of them: {name}={path}:{next(iter(content))}"
    raise usage("E608", f"{path} holds no {name}", found=held, fix=fix)


def _declared(array: Any, wanted: Type | None) -> Any:
    """The array; text where numbers are declared, as rationals are written, is read as numbers."""
    if wanted is None:
        return array
    kinds = [array.dtype[name].kind for name in array.dtype.names or ()] or [array.dtype.kind]
    families = [one.space.family for one in wanted.columns]
    written = any(kind in "UT" and family != "S" for kind, family in zip(kinds, families, strict=False))
    return json_value(array.tolist(), wanted) if written else array


def refuse_output(path: Path, outputs: Mapping[str, object] | None = None) -> None:
    """Raises, before the program runs, the error that writing its results to this path would end in."""
    kind = path.suffix.lower()
    if kind not in EXTENSIONS:
        raise usage("E607", f"cannot tell how to write {path}", expected=", ".join(EXTENSIONS))
    refuse_unwritable(path)
    if outputs is not None and kind in (".npy", ".csv") and len(outputs) != 1:
        raise _one_only(path, ", ".join(outputs))


def _one_only(path: Path, found: str) -> ToLangUsageError:
    kind = path.suffix.lower()
    fix = "write a .npz or .json file, which hold several values by name"
    return usage("E607", f"a {kind} file holds one ToL", found=found, fix=fix)


def write_results(path: Path, results: Mapping[str, Result]) -> None:
    """Writes results to a file, whole or not at all."""
    refuse_output(path, results)
    kind = path.suffix.lower()
    values = _separate(results)
    if kind == ".npz":
        replace_file(path, lambda file: _write_npz(file, values))
        return
    if kind == ".json":
        content = {name: _json(value) for name, value in results.items()}
        text = json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n"
        replace_file(path, lambda file: _write_text(file, text))
        return
    if len(values) != 1:
        raise _one_only(path, f"a bundle of {len(values)}")
    value = next(iter(values.values()))
    if kind == ".csv":
        table = csv_text(path, value)
        replace_file(path, lambda file: _write_text(file, table))
    else:
        replace_file(path, lambda file: np.lib.format.write_array(file, _storable(value), allow_pickle=False))


def _separate(results: Mapping[str, Result]) -> dict[str, ToL]:
    """Each ToL under a name of its own: the parts of a bundle are numbered."""
    values: dict[str, ToL] = {}
    for name, result in results.items():
        if isinstance(result, tuple):
            values |= {f"{name}.{position}": part for position, part in enumerate(result, 1)}
        else:
            values[name] = result
    return values


def _write_text(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8"))


def _write_npz(file: BinaryIO, values: Mapping[str, ToL]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in values.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, _storable(value), allow_pickle=False)


def _storable(value: ToL) -> Any:
    """The ToL as an array that NumPy's files hold: text and exact numbers as text, narrow floats in f32."""
    columns = [_storable_column(array) for array in value.columns]
    if len(columns) == 1:
        return columns[0]
    records = value.to_numpy()
    labels = records.dtype.names or ()
    packed = np.empty(value.shape, dtype=[(n, c.dtype) for n, c in zip(labels, columns, strict=True)])
    for label, column in zip(labels, columns, strict=True):
        packed[label] = column
    return packed


def _storable_column(array: Any) -> Any:
    if array.dtype == object:
        texts = [str(one) for one in array.reshape(-1).tolist()]
        return np.array(texts, dtype=np.str_).reshape(array.shape)
    if storage_of(array.dtype) in NARROW_FLOATS:
        return array.astype(np.float32)
    return array


def _json(result: Result) -> Any:
    from tolang.driver.numerals import plain_json

    return [_json(part) for part in result] if isinstance(result, tuple) else plain_json(result.to_list())
