"""Files that are damaged or made to do harm: refused in one line that says where, without harm and in little memory."""

from __future__ import annotations

import io
import random
import struct
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest
from PIL import Image

import tolang
from tolang.data import contents


def failure(path: Path, name: str | None = None) -> str:
    with pytest.raises(tolang.ToLangUsageError) as caught:
        tolang.read(path, name)
    return str(caught.value)


def outcome(path: Path) -> str:
    """What reading a file comes to: its name if it is read, or the error; anything else fails."""
    try:
        tolang.read(path)
    except tolang.ToLangError as error:
        return str(error)
    return path.name


def header(shape: tuple[int, ...], kind: Any = "<f8") -> bytes:
    """The header of a `.npy` file that says so."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (header((10**15,)) + b"12345678", "announces 8000000000000000 bytes, and 8 are there"),
        (header((-1,)) + bytes(64), "the shape (-1,)"),
        (header((10**18,), "<U0"), "unpacks to"),
        (header((2,), "|O") + bytes(64), "pickled Python objects, and these are never loaded"),
        (header((1,), ("<f8", (3,))) + bytes(64), "header"),
        (header((4,))[:-30], "damaged or cut short"),
        (b"\x93NUMPY\x09\x00" + bytes(64), "damaged"),
    ],
)
def test_headers_that_lie(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    assert message in failure(tmp_path / "x.npy")
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("x.npy", content)
    assert "x.npz, member x" in failure(tmp_path / "x.npz")


def test_zip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("small.npy", header((1,)) + bytes(8))
        archive.writestr("large.npy", header((1 << 24,), "|u1") + bytes(1 << 24))
    assert path.stat().st_size < 1 << 16
    monkeypatch.setattr(contents, "available_memory", lambda: 1 << 20)
    assert tolang.read(path, "small").tolist() == [0]
    assert "bomb.npz, member large unpacks to 16777216 bytes, and 1048576 bytes of memory are free" in failure(path)


def test_members_are_never_paths(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    with zipfile.ZipFile(inner / "x.npz", "w") as archive:
        archive.writestr("../../escaped.npy", header((1,)) + bytes(8))
        archive.writestr("notes.txt", "no array")
        archive.writestr("\x1b[31mred.npy", "no array")
    assert tolang.read(inner / "x.npz", "../../escaped").tolist() == [0]
    assert "member notes.txt is not an array" in failure(inner / "x.npz", "notes.txt")
    assert "\x1b" not in failure(inner / "x.npz", "absent")
    assert list(tmp_path.iterdir()) == [inner]
    with zipfile.ZipFile(inner / "twice.npz", "w") as archive:
        archive.writestr("a.npy", header((1,)) + bytes(8))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.npy", header((1,)) + bytes(8))
    assert "holds the member a.npy twice" in failure(inner / "twice.npz")


def test_changed_members_are_seen(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", x=np.zeros(100))
    content = bytearray((tmp_path / "x.npz").read_bytes())
    content[400] ^= 1
    (tmp_path / "x.npz").write_bytes(content)
    assert "Bad CRC-32" in failure(tmp_path / "x.npz")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1,\n  NaN]}', 'x.json, line 2 column 3: JSON has no NaN\n      fix: write it as text: "NaN"'),
        ("[1, -Infinity]", 'line 1 column 5: JSON has no -Infinity\n      fix: write it as text: "-Inf"'),
        ('{"a": {"c": ["a", "{"], "d": 1, "c": 2}}', "line 1 column 33: the name c is there twice"),
        ('{"a": 1,\n"b": 2, "\\u0061": 3}', "line 2 column 9: the name a is there twice"),
        ("[" * 100_000, "line 1 column 65: brackets nest deeper than 64"),
        ("[" * 80 + "1" + "]" * 80, "brackets nest deeper than 64"),
        ("[" + "9" * 5000 + "]", "not JSON: Exceeds the limit"),
        ("[1, 2", "line 1 column 6"),
        ("", "line 1 column 1"),
        ('["\ud800"]', "not UTF-8"),
    ],
)
def test_wrong_json(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert message in failure(tmp_path / "x.json")


def picture(width: int, height: int, depth: int = 8, colour: int = 2) -> bytes:
    """A PNG file that announces so many points and has hardly any."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (picture(60_000, 60_000), "60000 by 60000 points"),
        (picture(5000, 5000), "more than its bytes can hold"),
        (picture(4, 4, 16), "colours of 16 bits"),
        (picture(50, 50), "x.png is damaged or cut short"),
        (picture(10, 10)[:-8], "x.png is damaged or cut short"),
        (b"GIF89a" + bytes(100), "x.png is not a PNG file"),
    ],
)
def test_wrong_pictures(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.png").write_bytes(content)
    assert message in failure(tmp_path / "x.png")


def test_offsets_that_lead_elsewhere(tmp_path: Path) -> None:
    """Arrow's files hold offsets into text, which are believed by whoever does not check them."""
    table = pyarrow.table({"s": ["a" * 77, "b" * 55]})
    with pyarrow.ipc.new_stream(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    offsets, beyond = (np.array([0, 77, end], np.int32).tobytes() for end in (132, 2**30))
    content = (tmp_path / "x.arrow").read_bytes()
    assert content.count(offsets) == 1
    (tmp_path / "x.arrow").write_bytes(content.replace(offsets, beyond))
    assert "x.arrow is damaged" in failure(tmp_path / "x.arrow")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file of each format, written by other libraries."""
    folder = tmp_path_factory.mktemp("good")
    np.save(folder / "x.npy", np.arange(50.0))
    np.savez_compressed(folder / "x.npz", x=np.arange(50.0), y=np.array(["a", "b"]))
    (folder / "x.json").write_text('{"x": [1, 2, "3"], "y": [{"name": "a", "age": 3}]}')
    (folder / "x.csv").write_text('city,age,name\nx,3,"an,na"\ny,4,bob\n')
    table = pyarrow.table({"name": ["a", "b"], "age": [1, 2], "k": pyarrow.array(["u", "v"]).dictionary_encode()})
    pyarrow.parquet.write_table(table, folder / "x.parquet")
    pyarrow.feather.write_feather(table, folder / "x.arrow")
    Image.fromarray(np.arange(60, dtype=np.uint8).reshape(4, 5, 3)).save(folder / "x.png")
    return folder


@pytest.mark.parametrize("kind", ["npy", "npz", "json", "csv", "parquet", "arrow", "png"])
def test_damage_is_told_and_never_more(good: Path, tmp_path: Path, kind: str) -> None:
    """A file cut short is refused; with bytes changed it is read or refused, and nothing else happens."""
    whole = (good / f"x.{kind}").read_bytes()
    path = tmp_path / f"x.{kind}"
    for length in (0, 1, 7, len(whole) // 2, len(whole) - 5):
        path.write_bytes(whole[:length])
        if kind != "csv":
            assert path.name in failure(path)
    chance = random.Random(7)
    for _ in range(60):
        changed = bytearray(whole)
        for _ in range(chance.choice((1, 2, 9))):
            changed[chance.randrange(len(changed))] = chance.choice((0, 127, 128, 255, chance.randrange(256)))
        path.write_bytes(changed)
        assert path.name in outcome(path)


@pytest.mark.parametrize(
    ("kind", "package", "extra"),
    [("parquet", "pyarrow", "arrow"), ("arrow", "pyarrow", "arrow"), ("png", "PIL", "images")],
)
def test_missing_packages(good: Path, monkeypatch: pytest.MonkeyPatch, kind: str, package: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for call in (lambda: tolang.read(good / f"x.{kind}"), lambda: tolang.write(good / f"y.{kind}", [[1, 2]])):
        with pytest.raises(tolang.ToLangUsageError) as caught:
            call()
        assert caught.value.code == "E613"
        assert f"pip install 'tolang[{extra}]'" in str(caught.value)
    assert not (good / f"y.{kind}").exists()
