"""The formats of data: one row a format, one module each.

The module of a format has three functions: `open_file(path)` tells what a file holds, `refuse(path, forms)` raises the
error of results that the format cannot hold, and `write(path, file, results)` writes them.  It is loaded when a file of
the format first comes, so that nothing is imported for formats that are not used.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from tolang.data.contents import FileContents, Form
from tolang.data.results import Result
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage


class Home(Protocol):
    """What the module of a format offers."""

    def open_file(self, path: Path) -> FileContents: ...

    def refuse(self, path: Path, forms: Mapping[str, Form]) -> None: ...

    def write(self, path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name, its extensions, its module, and the package and extra it needs, if any.

    `by_name` says that a file may hold several values, or columns, that have names.
    """

    name: str
    extensions: tuple[str, ...]
    module: str
    package: str | None = None
    extra: str | None = None
    by_name: bool = True

    def home(self, path: Path) -> Home:
        """The module of the format; an error that says what to install where a package is missing."""
        if self.package is not None:
            try:
                importlib.import_module(self.package)
            except ImportError:
                needed = {"PIL": "pillow"}.get(self.package, self.package)
                fix = f"pip install 'tolang[{self.extra}]'"
                raise usage("E613", f"{path}: {self.name} needs the package {needed}", fix=fix) from None
        return cast(Home, importlib.import_module(f"tolang.data.{self.module}"))


FORMATS = (
    Format("NumPy's .npy", (".npy",), "npy_file", by_name=False),
    Format("NumPy's .npz", (".npz",), "npz_file"),
    Format("JSON", (".json",), "json_file"),
    Format("CSV", (".csv",), "csv_file"),
    Format("Parquet", (".parquet",), "parquet_file", "pyarrow", "arrow"),
    Format("Arrow", (".arrow", ".feather"), "arrow_file", "pyarrow", "arrow"),
    Format("plain text", (".txt",), "text_file", by_name=False),
    Format("PNG", (".png",), "png_file", "PIL", "images", by_name=False),
)
EXTENSIONS = tuple(extension for one in FORMATS for extension in one.extensions)


KINDS: dict[str, tuple[str, str]] = {
    ".tol": ("the text of a program", "tolang.compile"),
    ".tolc": ("a compiled program", "tolang.load"),
    ".onnx": ("an ONNX model", "tolang.onnx.load"),
}
"""What is in a file by its ending, and the function that opens it; data is what is left."""


def format_of(path: Path) -> Format | None:
    """The format that a file's extension tells."""
    kind = path.suffix.lower()
    return next((one for one in FORMATS if kind in one.extensions), None)


def refuse_other_kind(path: Path, wanted: str | None = None) -> None:
    """Raises the error of a file that another function opens, by its ending; with nothing wanted, what is no data."""
    ending = path.suffix.lower()
    what, opens = KINDS.get(ending) or (("data", "tolang.read") if wanted and format_of(path) else ("", ""))
    if opens and ending != wanted:
        own = f"{KINDS[wanted][1]} opens {KINDS[wanted][0]}" if wanted else "no data"
        expected = f"a {wanted} file" if wanted else ", ".join(EXTENSIONS)
        raise usage("E607", f"{path} is {what}, and {own}", expected=expected, fix=f'{opens}("{path}")')


def open_data(path: Path) -> FileContents:
    """What a file of data holds."""
    found = format_of(path)
    if found is None:
        refuse_other_kind(path)
        raise usage("E607", f"cannot tell what kind of data {path} is", expected=", ".join(EXTENSIONS))
    home = found.home(path)
    try:
        ordinary = path.is_file() or path.is_dir() or not path.exists()
    except ValueError:  # a NUL in the name
        ordinary = False
    except OSError as error:
        raise usage("E604", f"cannot read {path}: {error.strerror}") from None
    if not ordinary:
        raise usage("E604", f"cannot read {path}: it is not an ordinary file")
    return home.open_file(path)
