"""Text in compiled code: programs on codes are sound, give what the interpreter gives, and fail where it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.core.text_codes import on_codes
from tolang.core.verifier import verify

WORDS = ["b", "", "aé", "b", "\U0001d11e", "a\0", "a"]
PROGRAMS = {
    "equality and order": """
tol s: S [n]
tol a: S
equal  := map(s, * == 'b')
below  := map(s, * < a)
larger := map(s, max(*, 'aa'))
least  := reduce(s, min, a)
chosen := map(s, if * == a then 'found' else *)
""",
    "moving": """
tol s: S [n]
tol a: S
filled := map(tol[2,2], a)
vowels := ['a','e','a']
twice  := reshape([s,s], [2,n])
kept   := filter(s, w -> w > 'a')
blank  := [tol[2], s]
single := (a, 3)
""",
    "characters": """
tol s: S [n]
tol a: S
lengths := map(s, length(*))
last    := map(s, if length(*) > 0 then code(*, length(*)) else 0)
letters := map(tol[length(a)], code(a,k), k)
first   := code('né', 2) + length('abc')
total   := reduce(s, (t,w) -> t + reduce(range(length(w)), (u,k) -> u + code(w,k), 0), 0)
""",
    "case": """
tol s: S [n]
tol a: S
large := map(s, uppercase(*))
small := map(s, lowercase(uppercase(*)))
found := map(s, lowercase(*) == lowercase('B'))
sizes := map(['ß',a], length(uppercase(*)))
""",
    "numbers": """
tol s: S [n]
tol a: S
read := map(['1.5',' -2e3 '], to_number(*) + length(a))
sure := map(s, if length(*) > 9 then to_number(*) else 0.5)
""",
    "literals alone": """
tol s: S [n]
tol a: S
names = ['one','two','three']
said := map([3,1], names[(*)])
told(k) = if k > 1 then 'many' else 'few'
most := [told(1), told(n)]
""",
}


def plain(value: Any) -> Any:
    return value.to_list() if isinstance(value, tolang.ToL) else value.tolist() if hasattr(value, "tolist") else value


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_compiled_code_gives_what_the_interpreter_gives(source: str) -> None:
    judge = tolang.compile(source, engine="interpret")
    program = tolang.compile(source, engine="cpu", fallback=False)
    coded = on_codes(program.core)
    assert coded is not None
    verify(coded.core)
    for words, word in ((WORDS, "aé"), ([], ""), (["x"], "x")):
        found, expected = program(words, word), judge(words, word)
        assert {name: plain(one) for name, one in found.items()} == {n: plain(one) for n, one in expected.items()}
        assert [type(one) for one in found.values()] == [type(one) for one in expected.values()]


def test_new_text_is_made_between_segments() -> None:
    """All of it at once, of what compiled code has computed; the numbers after it are compiled, too."""
    source = """
tol s: S [n]
ends    = map(s, max(length(*) - 1, 0))
made    := map(s, append_text(substring(*, 1, ends[k]), to_text(ends[k] + 0.5)), k)
width   = reduce(map(made, length(*)), max, 0)
numbers := map(tol[n,width], to_number(substring(made[i], ends[i] + 1, length(made[i]))) + k, [i,k])
"""
    program = tolang.compile(source, engine="cpu", fallback=False)
    judge = tolang.compile(source, engine="interpret")
    for words in (WORDS, WORDS * 30):  # which is where equal parts are made once
        found, expected = program(words), judge(words)
        assert {name: one.tolist() for name, one in found.items()} == {n: one.tolist() for n, one in expected.items()}
        assert [type(one) for one in found.values()] == [np.ndarray, np.ndarray]
    assert "new text" in program.explain().full


def test_new_text_that_data_decide_about_is_interpreted() -> None:
    source = "tol s: S [n]\ny := map(s, if length(*) > 1 then substring(*, 2, 2) else *)"
    program = tolang.compile(source, engine="cpu")
    assert program(["ab", "", "c"]).tolist() == ["b", "", "c"]
    numbers = tolang.compile("tol s: S [n]\ny := map(s, if * == 'x' then 0 else to_number(*))", engine="interpret")
    assert numbers(["1", "x", "2.5"]).tolist() == [1, 0, 2.5]
    assert all("new text" in one for one in program.fallbacks)
    with pytest.raises(tolang.ToLangError, match=r"E610.*new text, made by"):
        tolang.compile(source, engine="cpu", fallback=False)(["a"])


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_parts_that_a_text_does_not_have_are_told_where_they_are(engine: str) -> None:
    program = tolang.compile("tol s: S [n]\ntol k: Z\ny := map(s, substring(*, 1, k))", engine=engine)
    assert program(["abc", "de"] * 50, 2).tolist() == ["ab", "de"] * 50
    with pytest.raises(tolang.ToLangError, match=r"<source>:3:.*coordinate 3.*outside the text 'de'") as caught:
        program(["abc", "de"] * 50, 3)
    assert caught.value.code == "E513"


def test_a_program_without_text_has_no_codes() -> None:
    assert on_codes(tolang.compile("tol x: R [n]\ny := softmax(x, 1)").core) is None


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_a_place_that_a_text_does_not_have_is_told(engine: str) -> None:
    program = tolang.compile("tol s: S [n]\ntol k: Z\ny := map(s, code(*, k))", engine=engine)
    assert program(["abc", "de"], 2).tolist() == [98, 101]
    for place in (0, 3):
        with pytest.raises(tolang.ToLangError, match=f"coordinate {place} .*outside the text") as caught:
            program(["abc", "de"], place)
        assert caught.value.code == "E513"


def test_text_comes_in_all_forms() -> None:
    program = tolang.compile("tol s: S [n]\ny := map(s, * < 'c')\nz := sort(s)", fallback=False)
    texts = ["d", "", "b"]
    forms: list[Any] = [texts, np.array(texts), np.array(texts, object), np.array(texts, np.dtypes.StringDType())]
    pyarrow = pytest.importorskip("pyarrow")
    strings = pyarrow.array(texts)
    forms += [
        strings,
        strings.dictionary_encode(),
        strings.cast(pyarrow.string_view()),
        pyarrow.chunked_array([strings]),
    ]
    for form in forms:
        found = program(form)
        assert found["y"].tolist() == [False, True, True]
        assert found["z"].tolist() == ["", "b", "d"]
        assert type(found["z"]) is np.ndarray


def test_derivatives_fixed_inputs_and_files(tmp_path: Path) -> None:
    source = "tol s: S [n]\ntol x: R [n]\ny := reduce(map(x, if s[i] == 'b' then *^2 else *, i), add, 0)"
    program = tolang.compile(source, fallback=False)
    assert program(["a", "b"], [3.0, 4.0]) == 19
    assert program.gradient("y", "x")(["a", "b"], [3.0, 4.0]).tolist() == [1, 8]
    assert program.fix(s=["a", "b"])([3.0, 4.0]) == program.fix(x=[3.0, 4.0])(["a", "b"]) == 19
    program.save(tmp_path / "text.tolc")
    assert tolang.load(tmp_path / "text.tolc")(["b", "b"], [3.0, 4.0]) == 25


def test_text_in_pieces(tmp_path: Path) -> None:
    program = tolang.compile("tol s: S [n]\ny := sort(map(s, if * == 'b' then 'new' else *))")
    assert program.within(memory="64 GB")(["c", "b", "a"]).tolist() == ["a", "c", "new"]
    with pytest.raises(tolang.ToLangError, match="text") as caught:
        program.within(memory="64 GB", into=tmp_path / "y.parquet")(["a"])
    assert caught.value.code == "E618"


def test_explain_tells_what_stands_for_text() -> None:
    told = tolang.compile("tol s: S [n]\ny := map(s, * == 'b')").explain().full
    assert "== text ==\ncompiled code has codes in the place of text" in told
    assert "text literals[1] is 'b'" in told
    assert "interpreter" not in told
