"""Texts numbered by all threads: as Arrow numbers them, whatever texts and however many threads there are."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.native.sanitized import RUNTIME, needs_a_compiler, sanitized

import tolang
from tolang.engines.cpu.runtime.native import use_threads
from tolang.engines.cpu.runtime.texts import numbered_texts
from tolang.ground.values import arrow, text_numbers
from tolang.ground.values.casting import Array
from tolang.ground.values.texts import Codes

DRIVER = Path(__file__).parent / "texts_driver.c"
PIECE = 1 << 15
LONG = "the same beginning of all of them, " * 4


Given = tuple[Array, list[Array]]


def one_behind_the_other(texts: list[bytes], kind: type = np.int64) -> Given:
    """Where texts begin, and the last ends, in one buffer."""
    places: Array = np.cumsum([0, *(len(one) for one in texts)]).astype(kind)
    return places, [np.frombuffer(b"".join(texts), np.uint8)]


def views(texts: list[bytes]) -> Given:
    """A view of each text, which has the bytes of a short one, and tells where in which of two buffers a long one lies."""
    buffers, made = [bytearray(), bytearray()], bytearray()
    for number, one in enumerate(texts):
        which = number % 2
        rest = one.ljust(12, b"\0") if len(one) <= 12 else one[:4] + struct.pack("<ii", which, len(buffers[which]))
        buffers[which] += one if len(one) > 12 else b""
        made += struct.pack("<i", len(one)) + rest
    return np.frombuffer(bytes(made), "V16"), [np.frombuffer(bytes(one), np.uint8) for one in buffers]


FORMS: dict[str, Callable[[list[bytes]], Given]] = {
    "words of 4": lambda texts: one_behind_the_other(texts, np.int32),
    "words of 8": one_behind_the_other,
    "views": views,
}


def expected(texts: list[bytes]) -> tuple[list[int], list[bytes]]:
    """The numbers of texts, as a dictionary has them, and which there are."""
    every = sorted(set(texts))
    known = {one: number for number, one in enumerate(every, bool(every[0]))}
    return [known[one] for one in texts], every


def spread(words: list[str], count: int = 2 * PIECE + 5) -> list[bytes]:
    picked = np.random.default_rng(3).integers(0, len(words), count)
    every = [one.encode() for one in words]
    return [every[k] for k in picked]


KINDS = {
    "one": ["alike"],
    "one, empty": [""],
    "few": ["", "a", "a\0", "a\0\0", "ab", "\0", "b", "ä", "z", "€", "\U0001f600", "\uffff"],
    "with one beginning": [f"{LONG}{number:04}{'x' * (number % 11)}" for number in range(3000)],
    "prefixes of one another": ["ab" * number for number in range(300)],
    "of all lengths": [str(number**7)[: number % 40] for number in range(5000)],
    "different": [f"{number * 7919 % 1000003:x} €" for number in range(100_000)],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_as_they_are_in_order(kind: str, form: str) -> None:
    texts = spread(KINDS[kind])
    given = FORMS[form](texts)
    numbers, every = expected(texts)
    for threads in (1, 2, 3, 8):
        with use_threads(threads):
            found = numbered_texts(*given)
        assert found is not None
        assert found[0].tolist() == numbers
        assert [texts[place] for place in found[1]] == every


@pytest.mark.parametrize("count", [1, 2, 9, PIECE - 1, PIECE, PIECE + 1])
def test_however_many(count: int) -> None:
    texts = [str(number % 1009).encode() for number in range(count)]
    found = numbered_texts(*one_behind_the_other(texts))
    assert found is not None
    assert found[0].tolist() == expected(texts)[0]


def test_none_at_all() -> None:
    assert numbered_texts(*one_behind_the_other([])) is None


@pytest.mark.parametrize(
    "wrong",
    [b"\xc3", b"a\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\x80", b"12345678\xff", b"\xf0\x8f\xbf\xbf"],
)  # fmt: skip
def test_bytes_that_are_no_characters(wrong: bytes) -> None:
    assert numbered_texts(*one_behind_the_other([b"a", wrong, b"b"])) is None
    with pytest.raises(UnicodeDecodeError):
        wrong.decode()


@pytest.mark.parametrize("offsets", [[0, 9], [-1, 2], [2, 1], [0, 1 << 40]])
def test_texts_that_lie_outside(offsets: list[int]) -> None:
    assert numbered_texts(np.array([0, *offsets, 3]), [np.frombuffer(b"abc", np.uint8)]) is None


@pytest.mark.parametrize("view", [(13, 0, 8), (13, 0, -1), (13, 2, 0), (13, -1, 0), (-1, 0, 0), ((1 << 31) - 1, 0, 0)])
def test_views_of_what_lies_outside(view: tuple[int, int, int]) -> None:
    """Of 20 bytes in the first buffer and none in the second."""
    length, which, offset = view
    buffers = [np.zeros(20, np.uint8), np.empty(0, np.uint8)]
    places = np.frombuffer(struct.pack("<iiii", 13, 0, 0, 7) + struct.pack("<iiii", length, 0, which, offset), "V16")
    assert numbered_texts(places[:1], buffers) is not None
    assert numbered_texts(places, buffers) is None


def codes_in(data: Any) -> Codes:
    (found,) = arrow.arrow_columns(data).held
    assert isinstance(found, Codes)
    return found


def test_arrays_of_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices, chunks and all kinds of strings give the same codes with threads and without."""
    pyarrow = pytest.importorskip("pyarrow")
    program = tolang.compile(
        "use tables\ntol k: S [n]\nt = group_count(k)\nkeys := t[1]'\ncounts := t[2]'", engine="cpu"
    )
    words = [one.decode() for one in spread(["b", "", "ä", "aa"], 50)]
    program(words)
    forms = [pyarrow.array(words, kind()) for kind in (pyarrow.string, pyarrow.large_string, pyarrow.string_view)]
    forms += [forms[0][7:41], pyarrow.chunked_array([forms[0][:9], forms[0][9:]]), forms[0].dictionary_encode()]
    without = [codes_in(one) for one in forms]
    grouped = [program(one) for one in forms]
    monkeypatch.setattr(arrow, "MANY", 1)
    asked: list[int] = []

    def numbering(places: Array, buffers: Sequence[Array]) -> tuple[Array, Array] | None:
        asked.append(len(places))
        return numbered_texts(places, buffers)

    monkeypatch.setattr(text_numbers, "_LENT", [numbering])
    for one, before, groups in zip(forms, without, grouped, strict=True):
        now = codes_in(one)
        assert now.places.tolist() == before.places.tolist()
        assert now.texts.tolist() == before.texts.tolist()
        found = program(one)
        assert [part.tolist() for part in found.values()] == [part.tolist() for part in groups.values()]
        assert all(a < b for a, b in pairwise(found["keys"].tolist()))
    assert asked[::2] == [51, 51, 50, 35, 51, 5]
    with pytest.raises(tolang.ToLangError, match="missing"):
        program(pyarrow.array(["a", None] * 5))


def test_text_of_arrow_that_is_none() -> None:
    """Bytes that are no characters are told as without threads, whoever looks at them."""
    pyarrow = pytest.importorskip("pyarrow")
    program = tolang.compile("use tables\ntol k: S [n]\nr := group_count(k)[2]'", engine="cpu")
    for count in (3, text_numbers.MANY):
        offsets = pyarrow.py_buffer(np.arange(count + 1, dtype=np.int32).tobytes())
        wrong = pyarrow.StringArray.from_buffers(count, offsets, pyarrow.py_buffer(b"\xff" * count))
        with pytest.raises(tolang.ToLangError, match="cannot be read here"):
            program(wrong)


@needs_a_compiler
@pytest.mark.parametrize("sanitizer", ["thread", "address"])
def test_under_a_sanitizer(sanitizer: str, tmp_path: Path) -> None:
    sources = [DRIVER, *(RUNTIME / name for name in ("texts.c", "threads.c", "processors.c", "pool.c"))]
    assert sanitized(sanitizer, sources, tmp_path) == "0\n"
