"""Data files mutated byte by byte and structure by structure: a result or a `ToLangError`, in bounded time and memory.

A case takes a sound file of some format, or a record of what one is made of, changes it, and reads it with what is
asked of it: everything, one of its parts, or an input of a declared type.  Bytes are changed, cut, doubled and moved;
numbers in headers become huge or negative; names, lengths and types are exchanged; archives and tables are written
with members and columns that contradict each other.  A case runs in a process of its own, which may die of nothing.

    python -m tests.fuzz.files 10000 --seed 1
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import traceback
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
from PIL import Image, PngImagePlugin

import tolang
from tolang.program.program import Program

SECONDS = 60
"""After which reading one file is given up, however busy the machine is."""
CPU = 20
"""Seconds of CPU time that reading one file may take."""
MEMORY = 1 << 30
"""How much a process may take beside what it has before it reads."""
PARTS = 40
"""Cases that one process reads, before the next one begins anew."""
NUMBERS = (
    0,
    1,
    2,
    7,
    127,
    128,
    255,
    65535,
    1 << 31,
    (1 << 31) - 1,
    (1 << 32) - 1,
    1 << 40,
    (1 << 63) - 1,
    (1 << 64) - 1,
)
EVIL = ("", "\x1b[31m", "a" * 70000, "../../x", "\x00", "\ud800", "x", "y", "\u202e", "a.b", "a:b", "1", "NaN")
FORMATS = ("npy", "npz", "json", "csv", "parquet", "arrow", "png", "txt")
DECLARED = (
    "tol x: R [n]", "tol x: Z [n]", "tol x: R [n,m]", "tol x: S [n]", "tol x: R", "tol x: [x:S, y:R] [n]", "tol x: [R,R] [n]",
    "tol x: byte [h,w]\nspace byte: N [0,255]", "tol x: Q [n]", "tol x: B [n]", "tol x: C [n]", "tol x: R [2,n,m]", "tol x: f32 [n]",
)  # fmt: skip


class Interrupted(BaseException):
    """Raised in the middle of whatever takes too long."""


def arrays() -> list[Any]:
    """Arrays of many types and shapes."""
    mixed = np.array([("a", 1.5), ("b", 2.5)], dtype=[("x", "U3"), ("y", "f8")])
    padded = np.zeros(
        3, dtype=np.dtype({"names": ["x", "y"], "formats": ["u1", "f8"], "offsets": [0, 16], "itemsize": 40})
    )
    return [
        np.arange(50.0), np.arange(12).reshape(3, 4), np.array(["a", "bc"]), np.array(3), np.zeros((0, 3)), mixed, padded,
        np.arange(6, dtype=">i4"), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.array([True, False]),
        np.array([1 + 2j]), np.array(["2020-01-01"], "M8[D]"), np.zeros(2, "f2"), np.array([b"ab"]), np.zeros(3, "V4"),
        np.zeros(2, np.longdouble), np.zeros((1,) * 32), np.array([1], "m8[s]"), np.zeros(2, dtype=[("a", "f4", (3,))]),
    ]  # fmt: skip


def npy_bytes(array: Any, version: tuple[int, int] | None = None) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array(content, array, version)
    return content.getvalue()


def tables() -> list[Any]:
    """Tables of Arrow with columns of many types."""
    words = pyarrow.array(["u", "v", "u"])
    columns = {
        "x": pyarrow.array([1.0, 2.0, 3.0]), "y": pyarrow.array(["a", "b", "c"]), "d": words.dictionary_encode(),
        "b": pyarrow.array([True, False, True]), "i": pyarrow.array([1, 2, 3], pyarrow.int8()), "n": pyarrow.array([1, None, 3]),
        "l": pyarrow.array([[1, 2], [3], []]), "f": pyarrow.FixedSizeListArray.from_arrays(pyarrow.array([1.0] * 6), 2),
        "s": pyarrow.array([{"p": 1, "q": "z"}] * 3), "t": pyarrow.array([1, 2, 3], pyarrow.timestamp("us")),
        "e": pyarrow.array([1, 2, 3], pyarrow.decimal128(5, 2)), "v": words.cast(pyarrow.string_view()), "0": pyarrow.nulls(3),
        "h": pyarrow.array([1, 2, 3], pyarrow.float16()), "w": pyarrow.array([b"a", b"b", b"c"]), "a.b": pyarrow.array([1, 2, 3]),
    }  # fmt: skip
    chosen = [["x"], ["x", "y"], ["d", "x"], ["b", "i"], ["f"], ["s"], ["v"], ["e"], ["l"], ["n"], ["t"], ["0"], ["h"], ["a.b", "x"], list(columns)]  # fmt: skip
    return [pyarrow.table({name: columns[name] for name in names}) for names in chosen]


def pictures() -> list[bytes]:
    found = []
    for mode in ("L", "RGB", "RGBA", "LA", "P", "1", "I;16"):
        channels = {"RGB": 3, "RGBA": 4, "LA": 2}.get(mode, 1)
        shape = (5, 4) if channels == 1 else (5, 4, channels)
        kind = np.uint16 if mode == "I;16" else np.uint8
        plain = np.arange(20 * channels, dtype=kind).reshape(shape)
        image = Image.fromarray(plain).convert(mode) if mode in ("P", "1") else Image.fromarray(plain)
        content = io.BytesIO()
        notes = PngImagePlugin.PngInfo()
        notes.add_text("comment", "x" * 50, zip=True)
        image.save(content, "PNG", pnginfo=notes)
        found.append(content.getvalue())
    return found


JSONS = (
    '{"x": [1, 2, "3"], "y": [{"x": "a", "y": 3}]}', "[[1,2],[3,4]]", "3", '"a"', "[]", "null", "[1.5, -2e3, true]", '{"x": {"y": [1]}}',
    '[{"x": "a", "y": 1}, {"x": "b", "y": 2}]', '["1/3", "1+2i", "Inf", "NaN"]', "[[[1]],[[2]]]", '{"x": 1, "y": [[]]}', '[["a", 1], ["b", 2]]',
)  # fmt: skip
CSVS = (
    'x,y,z\nx,3,"an,na"\ny,4,bob\n', "1,2\n3,4\n", "x\n1\n2\n", "1/3\n2/3\n", "x,y\n\n1,2\n\n", '"a""b",1\n', "x;y\n1;2\n",
    "\ufeffx,y\n1,2\n", "1,2\r\n3,4\r\n", "x,x\n1,2\n", "true\nfalse\n", "0x10\n1_0\n", "1\n2", " 1 , 2 \n", "1e400,2\n", ",,\n,,\n", "x\n2024-01-31\n1969-12-31T23:59:59.5+01:00\n",
)  # fmt: skip


@cache
def sound(kind: str) -> tuple[bytes, ...]:
    """Sound files of a format."""
    match kind:
        case "npy":
            return tuple(npy_bytes(one, version) for one in arrays() for version in (None, (2, 0), (3, 0)))
        case "npz":
            found = []
            for compressed in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
                members = [(name, npy_bytes(one)) for name, one in zip("xyzabcdefghij", arrays(), strict=False)]
                found.append(zipped(members[:3], compressed))
            return (*found, zipped(members, zipfile.ZIP_DEFLATED))
        case "json":
            return tuple(text.encode() for text in JSONS)
        case "csv" | "txt":
            return tuple(text.encode() for text in CSVS)
        case "parquet":
            return tuple(parquet_bytes(one, **options) for one in tables() for options in ({}, {"compression": "zstd", "use_dictionary": False}) if not unwritable(one))  # fmt: skip
        case "arrow":
            return tuple(arrow_bytes(one, way, press) for one in tables() for way in ("file", "stream") for press in (None, "zstd", "lz4"))  # fmt: skip
    return tuple(pictures())


def zipped(members: list[tuple[str, bytes]], compression: int) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as made:
        for name, one in members:
            made.writestr(f"{name}.npy", one)
    return content.getvalue()


def unwritable(one: Any) -> bool:
    try:
        parquet_bytes(one)
    except pyarrow.ArrowException:
        return True
    return False


def parquet_bytes(one: Any, **options: Any) -> bytes:
    content = io.BytesIO()
    pyarrow.parquet.write_table(one, content, **options)
    return content.getvalue()


def arrow_bytes(one: Any, way: str, compression: str | None) -> bytes:
    content = io.BytesIO()
    options = pyarrow.ipc.IpcWriteOptions(compression=compression)
    make = pyarrow.ipc.new_file if way == "file" else pyarrow.ipc.new_stream
    with make(content, one.schema, options=options) as writer:
        writer.write_table(one)
    return content.getvalue()


def mutated(content: bytes, other: bytes, generator: random.Random) -> bytes:
    """The bytes with a few of them changed, dropped, doubled, moved, or taken from another file."""
    found = bytearray(content)
    for _ in range(generator.choice([1, 1, 2, 4, 12])):
        place = generator.randrange(len(found) + 1)
        length = generator.choice([1, 1, 2, 4, 8, 64, 4096])
        match generator.randrange(7):
            case 0:
                found[place : place + 1] = bytes([generator.choice([0, 1, 127, 128, 255, generator.randrange(256)])])
            case 1:
                del found[place : place + length]
            case 2:
                found[place:place] = found[place : place + length] * generator.choice([1, 1, 1000])
            case 3:
                start = generator.randrange(len(other) + 1)
                found[place:place] = other[start : start + length]
            case 4:
                width = generator.choice(["<H", "<I", "<Q", ">I", ">Q"])
                number = generator.choice(NUMBERS) % (1 << 8 * struct.calcsize(width))
                found[place : place + struct.calcsize(width)] = struct.pack(width, number)
            case 5:
                del found[place:]
            case 6:
                found[place:place] = generator.choice(EVIL).encode("utf-8", "surrogatepass")
        if len(found) > 1 << 22:
            del found[1 << 22 :]
    return bytes(found)


def written_npy(generator: random.Random) -> bytes:
    """A header that says anything, and some data."""
    shape: Any = tuple(
        generator.choice(NUMBERS) * generator.choice([1, 1, -1]) for _ in range(generator.choice([0, 1, 1, 2, 3, 70]))
    )
    if generator.random() < 0.5:
        shape = tuple(generator.choice([0, 1, 2, 3]) for _ in shape)
    descr = generator.choice(["<f8", ">f8", "|O", "<U0", "<U999999999", "|V0", "|V8", "<c16", "|b1", "<i3", "<M8[ns]", "|S0", "<f2", "<g",
                              [("x", "<f8")], [("x", "<f8"), ("x", "<f8")], [("x", "|O")], [("", "<f8")], [("x", [("y", "<i4")])],
                              [("x", "<f8", (3, 2))], ["x"], "T", 3, None, "<f8, <i4", ("<f8", (2,)), [("\x1b", "<f8"), ("y", "<i8")]])  # fmt: skip
    order = generator.choice([False, True, 0, "no", None])
    header: Any = {
        "descr": descr,
        "fortran_order": order,
        "shape": generator.choice([shape, shape, list(shape), "no", None, (1.5,), (True,)]),
    }
    if generator.random() < 0.1:
        header[generator.choice(EVIL)] = 1
    text = (
        repr(header)
        if generator.random() < 0.9
        else generator.choice(["(" * 5000, "{" * 300, "[]", "{'descr': '<f8'" + " " * 70000, "9" * 9000])
    )
    encoded = text.encode("latin-1", "replace") + b"\n"
    version = generator.choice([(1, 0), (1, 0), (2, 0), (3, 0), (9, 9)])
    length = struct.pack("<H", len(encoded) % 65536) if version == (1, 0) else struct.pack("<I", len(encoded))
    return b"\x93NUMPY" + bytes(version) + length + encoded + generator.randbytes(generator.choice([0, 8, 64, 1000]))


def written_npz(generator: random.Random) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", generator.choice([0, 8, 8, 12, 14])) as made:
        for _ in range(generator.choice([0, 1, 2, 5])):
            name = generator.choice([*EVIL, "x", "y"]).replace("\ud800", "") + generator.choice([".npy", ".npy", ""])
            member = generator.choice(
                [written_npy(generator), npy_bytes(generator.choice(arrays())), b"", bytes(1 << 20)]
            )
            name = name[:60000].partition("\0")[0] or "x"
            if name not in made.namelist():
                made.writestr(name, member)
    return content.getvalue()


def written_json(generator: random.Random) -> bytes:
    def value(depth: int) -> str:
        if depth == 0 or generator.random() < 0.4:
            return generator.choice(["1", "-2.5", "1e400", "9" * 5000, "true", "null", '"a"', '"1/3"', '"NaN"', "NaN", "-Infinity", '"\\ud800"',
                                     '"\\u001b"', '""', "1" + "0" * 400, "0.1e-400", '"' + "x" * 3000 + '"', "[]", "{}"])  # fmt: skip
        if generator.random() < 0.3:
            names = [json.dumps(generator.choice(EVIL)) for _ in range(generator.randint(0, 3))]
            return "{" + ",".join(f"{name}:{value(depth - 1)}" for name in names) + "}"
        one = value(depth - 1)
        rest = [one if generator.random() < 0.7 else value(depth - 1) for _ in range(generator.randint(0, 4))]
        return "[" + ",".join([one, *rest]) + "]"

    deep = generator.choice([60, 65, 500, 3000, 200_000])
    forms = [
        value(4),
        value(4),
        value(2),
        "[" * deep + "]" * deep,
        '{"a":' * deep + "1" + "}" * deep,
        "[" * deep,
        "[1," * deep,
    ]
    return generator.choice(forms).encode("utf-8", "surrogatepass")


def written_csv(generator: random.Random) -> bytes:
    def cell() -> str:
        return generator.choice(["1", "2.5", "", "a", '"a,b"', '"', '""""', "1/3", "1/0", "NaN", "-Inf", "1+2i", "true", " 3 ", "x", "y", "1_0", "0x1",
                                 "9" * 5000, "1e999", "1e999999999", "-3E-99999999", '"\n"', "\x00", "\x1b[31m", "é", "\u2028", "1" * 140_000, "'", ";", "\t"])  # fmt: skip

    def row(width: int) -> str:
        return ",".join(cell() for _ in range(width))

    width = generator.choice([1, 1, 2, 3, 2000])
    first = ",".join(generator.choice(["x", "y", cell()]) for _ in range(width))
    cells = [cell() for _ in range(width)]
    rows = [
        ",".join(cells) if generator.random() < 0.7 else row(width + generator.choice([0, 0, 0, 1, -1]))
        for _ in range(generator.randint(0, 6))
    ]
    end = generator.choice(["\n", "\n", "\r\n", "\r", "\n\n"])
    text = generator.choice(["", "", "\ufeff"]) + end.join([first, *rows]) + generator.choice(["", end])
    return text.encode(generator.choice(["utf-8", "utf-8", "utf-8", "utf-16", "latin-1"]), "replace")


def written_table(generator: random.Random, kind: str) -> bytes:
    """Columns of several tables side by side, under any names; and what other tools would not write."""
    columns, names = [], []
    for _ in range(generator.choice([0, 1, 2, 3])):
        one = generator.choice(tables())
        place = generator.randrange(one.num_columns)
        columns.append(one.column(place))
        names.append(generator.choice([*EVIL, "x", "y", "x"]).replace("\ud800", "").replace("\x00", "")[:1000])
    made = pyarrow.Table.from_arrays(columns, names=names)
    try:
        if kind == "parquet":
            return parquet_bytes(
                made, compression=generator.choice(["snappy", "zstd", "gzip", "none", "brotli", "lz4"])
            )
        return arrow_bytes(made, generator.choice(["file", "stream"]), generator.choice([None, "zstd", "lz4"]))
    except pyarrow.ArrowException:
        return generator.choice(sound(kind))


def written_png(generator: random.Random) -> bytes:
    """Chunks in any order, with right checksums and numbers that are not."""

    def chunk(name: bytes, content: bytes) -> bytes:
        check = zlib.crc32(name + content) if generator.random() < 0.95 else 0
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)

    sizes = [generator.choice([1, 2, 5, 100, 10_000, *NUMBERS]) % (1 << 32) for _ in range(2)]
    head = struct.pack(
        ">IIBBBBB",
        *sizes,
        generator.choice([1, 2, 4, 8, 16, 3]),
        generator.choice([0, 2, 3, 4, 6, 5]),
        0,
        0,
        generator.choice([0, 1]),
    )
    data = zlib.compress(bytes(generator.choice([0, 100, 2000, 1 << 20])))
    pieces = [chunk(b"IHDR", head), chunk(b"IDAT", data), chunk(b"IEND", b"")]
    extra = [chunk(b"PLTE", bytes(generator.choice([0, 3, 6, 768, 7]))), chunk(b"tRNS", bytes(generator.choice([1, 2, 256]))), chunk(b"IDAT", data[:9]),
             chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1 << 22))), chunk(b"acTL", struct.pack(">II", 5, 0)), chunk(b"iCCP", b"a\0\0x"),
             chunk(b"eXIf", b"MM" + bytes(9)), chunk(b"IHDR", head), chunk(b"fcTL", bytes(26)), chunk(b"\x1b[3m", b"")]  # fmt: skip
    for _ in range(generator.choice([0, 0, 1, 2])):
        pieces.insert(generator.randrange(1, len(pieces) + 1), generator.choice(extra))
    return b"\x89PNG\r\n\x1a\n" + b"".join(pieces)


def case(generator: random.Random) -> tuple[str, bytes]:
    """A file: its format and its bytes."""
    kind = generator.choice(FORMATS)
    if kind == "txt" or generator.random() < 0.55:
        return kind, mutated(generator.choice(sound(kind)), generator.choice(sound(kind)), generator)
    made: dict[str, Callable[[random.Random], bytes]] = {
        "npy": written_npy, "npz": written_npz, "json": written_json, "csv": written_csv, "png": written_png,
    }  # fmt: skip
    content = made[kind](generator) if kind in made else written_table(generator, kind)
    if generator.random() < 0.15:
        content = mutated(content, content, generator)
    return kind, content


@cache
def declared() -> tuple[Program, ...]:
    return tuple(tolang.compile(f"{text}\nr := x", engine="interpret") for text in DECLARED)


def uses(path: Path, generator: random.Random) -> Iterator[Callable[[], Any]]:
    """What is asked of a file."""
    yield lambda: tolang.read(path)
    name = generator.choice(["x", "y", "absent", *EVIL])
    yield lambda: tolang.read(path, name)
    for program in generator.sample(declared(), 2):
        yield lambda program=program: program(path)  # type: ignore[misc]  # bound now


def check(path: Path, generator: random.Random) -> set[str]:
    """Asks for what a file holds; which ways that ended."""
    outcomes = set()
    for use in uses(path, generator):
        try:
            found = use()
        except tolang.ToLangError as error:
            text = str(error)
            assert all(one.isprintable() for one in text.split("\n")), repr(text)
            assert len(text) < 20_000, text
            outcomes.add(error.code)
        else:
            for one in found.values() if isinstance(found, dict) else (found,):
                assert isinstance(one, np.ndarray | np.generic | tolang.ToL | str | int | float | complex) or hasattr(one, "numerator"), type(one)  # fmt: skip
            outcomes.add("read")
    return outcomes


def run(count: int, start: int, told: bool = False) -> Counter[str]:
    """Reads so many files; how often each way of ending was met."""
    for kind in FORMATS:
        sound(kind)
    declared()
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="tolang-files-") as place:
        for first in range(0, count, PARTS):
            ends += _apart(Path(place), start, range(first, min(count, first + PARTS)))
            if told and first % 1000 == 0:
                print(f"{first} files", flush=True)
    return ends


def _apart(place: Path, start: int, numbers: range) -> Counter[str]:
    """Reads some files in a process of its own; an `AssertionError` unless all goes well there."""
    told = place / "told"
    told.write_text("")
    process = os.fork()
    if not process:
        status = 1
        try:
            status = _here(place, start, numbers, told)
        finally:
            os._exit(status)
    _, status = os.waitpid(process, 0)
    lines = told.read_text("utf-8").splitlines()
    if status:
        died = f"died of signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "failed"
        last = next((line for line in reversed(lines) if line.startswith("case ")), "case ?")
        raise AssertionError(f"seed {start}, {last} {died}\n" + "\n".join(lines[-60:]))
    return Counter(word for line in lines if line.startswith("ended ") for word in line.split()[1:])


def held_memory() -> int:
    """The bytes of addresses that this process has, where the system tells."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[0]) * resource.getpagesize() if told.exists() else 1 << 40


def _here(place: Path, start: int, numbers: range, told: Path) -> int:
    with told.open("a", encoding="utf-8", errors="backslashreplace") as out:
        os.dup2(out.fileno(), 2)
        sys.stderr = out
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = held_memory() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
        for number in numbers:
            print(f"case {number}", file=out, flush=True)
            try:
                ended = one_case(place, start, number)
            except BaseException:
                traceback.print_exc(file=out)
                out.flush()
                return 1
            print("ended", *ended, file=out, flush=True)
    return 0


def one_case(place: Path, start: int, number: int) -> set[str]:
    """Makes and reads one file."""
    generator = random.Random(f"{start} {number}")
    kind, content = case(generator)
    path = place / f"x.{kind}"
    path.write_bytes(content)

    def interrupt(*_: Any) -> None:
        raise Interrupted

    signal.signal(signal.SIGALRM, interrupt)
    signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    signal.setitimer(signal.ITIMER_PROF, CPU)
    try:
        return check(path, generator)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Data files mutated at random.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    print(dict(run(given.count, given.seed, told=True)))
