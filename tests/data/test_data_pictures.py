"""Pictures: PNG files as bytes, in each form that a program may declare, and back; judged by Pillow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tolang
from tolang.core.types import Type


def declared(declaration: str) -> Type:
    return next(iter(tolang.compile(f"space byte: N [0,255]\n{declaration}\nr := 1").inputs.values()))


GREY = np.arange(12, dtype=np.uint8).reshape(3, 4)
COLOURS = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
ALPHA = np.arange(48, dtype=np.uint8).reshape(3, 4, 4)
NAMED = declared("list rgb: [blue: byte, red: byte, green: byte]\ntol x: rgb [h,w]")


@pytest.mark.parametrize("array", [GREY, COLOURS, ALPHA, ALPHA[..., :2]], ids=["L", "RGB", "RGBA", "LA"])
def test_there_and_back(tmp_path: Path, array: Any) -> None:
    array = np.ascontiguousarray(array)
    Image.fromarray(array).save(tmp_path / "in.png")
    assert np.array_equal(tolang.read(tmp_path / "in.png"), array)
    tolang.write(tmp_path / "out.png", array)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "out.png")), array)


def test_declared_forms(tmp_path: Path) -> None:
    for name, array in (("grey", GREY), ("rgb", COLOURS), ("rgba", ALPHA)):
        Image.fromarray(array).save(tmp_path / f"{name}.png")
    assert tolang.read(tmp_path / "grey.png", kind=declared("tol x: R [h,w]")).dtype == np.float64
    assert np.array_equal(tolang.read(tmp_path / "rgb.png", kind=declared("tol x: byte [h,w,3]")), COLOURS)
    lists = tolang.read(tmp_path / "rgb.png", kind=declared("tol x: [byte,byte,byte] [h,w]"))
    assert np.array_equal(np.stack(lists.columns, axis=-1), COLOURS)
    for name, array in (("rgb", COLOURS), ("rgba", ALPHA)):
        by_name = tolang.read(tmp_path / f"{name}.png", kind=NAMED)
        assert by_name.names == ("blue", "red", "green")
        assert np.array_equal(by_name.columns[0], array[..., 2])
    tolang.write(tmp_path / "out.png", lists)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "out.png")), COLOURS)
    for name, kind in (
        ("grey", NAMED),
        ("rgb", declared("tol x: byte [h,w]")),
        ("rgba", declared("tol x: byte [h,w,3]")),
    ):
        with pytest.raises(tolang.ToLangUsageError, match="E612"):
            tolang.read(tmp_path / f"{name}.png", kind=kind)


def test_other_depths(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    Image.fromarray(GREY.astype(np.uint16) * 300).save(path)
    assert np.array_equal(tolang.read(path), GREY.astype(np.uint16) * 300)
    Image.fromarray(GREY > 5).save(path)
    assert np.array_equal(tolang.read(path), np.where(GREY > 5, 255, 0))
    Image.fromarray(COLOURS).convert("P").save(path)
    assert np.array_equal(tolang.read(path), np.asarray(Image.open(path).convert("RGB")))
    Image.fromarray(GREY).save(path, save_all=True, append_images=[Image.fromarray(GREY + 1)])
    with pytest.raises(tolang.ToLangUsageError, match="2 pictures"):
        tolang.read(path)


@pytest.mark.parametrize(
    "value",
    [
        GREY + 0.5,
        GREY.astype(int) - 1,
        GREY.astype(int) * 100,
        np.zeros((2, 2, 5)),
        np.zeros((0, 3)),
        [1, 2],
        1j * GREY,
    ],
)
def test_what_is_no_picture(tmp_path: Path, value: Any) -> None:
    with pytest.raises(tolang.ToLangUsageError, match="E607"):
        tolang.write(tmp_path / "x.png", value)
    assert list(tmp_path.iterdir()) == []


def test_a_program_between_pictures(tmp_path: Path) -> None:
    program = tolang.compile("space byte: N [0,255]\ntol x: byte [h,w]\nnegative := map(x, 255 - *)")
    Image.fromarray(GREY).save(tmp_path / "x.png")
    tolang.write(tmp_path / "out.png", program(tmp_path / "x.png"))
    assert np.array_equal(np.asarray(Image.open(tmp_path / "out.png")), 255 - GREY)
