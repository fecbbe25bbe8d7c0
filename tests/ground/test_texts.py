"""Text by characters and as codes: codes are equal and in order where texts are, and lead back to them."""

from __future__ import annotations

import pickle
from copy import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import characters

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.values import text_lookup, text_parts
from tolang.ground.values.arrow import codes_by_arrow
from tolang.ground.values.casting import Array
from tolang.ground.values.columns import default_column
from tolang.ground.values.membership import fit
from tolang.ground.values.text_lookup import codes_of
from tolang.ground.values.text_parts import substrings
from tolang.ground.values.texts import Codes, Dictionary, KnownText, characters_of, lengths_of, merged
from tolang.ground.values.values import ToL

TEXTS = st.lists(st.text(characters.ANY, max_size=4), max_size=12)
"""Of all characters, the halves of pairs among them, which no file could hold."""
WRITABLE = st.lists(st.text(characters.WRITABLE, max_size=4), max_size=12)


def of(texts: list[str]) -> Array:
    found = np.empty(len(texts), dtype=object)
    found[:] = texts
    return found


@given(TEXTS)
def test_codes_are_in_order_as_texts_are(texts: list[str]) -> None:
    codes = codes_of(of(texts))
    assert codes.text().tolist() == texts
    assert codes.texts.tolist() == sorted({"", *texts})


@given(st.lists(st.text(characters.ANY, max_size=20), min_size=1, max_size=9), st.data())
def test_parts_of_texts_with_codes_are_those_of_texts(texts: list[str], data: st.DataObject) -> None:
    several = texts * (1 + text_parts.FEW // len(texts))
    firsts = [data.draw(st.integers(1, len(one) + 1)) for one in texts] * (len(several) // len(texts))
    lasts = [data.draw(st.integers(first - 1, len(one))) for one, first in zip(several, firsts, strict=True)]
    found = substrings(codes_of(of(several)).known_text(), np.array(firsts), np.array(lasts))
    expected = [one[first - 1 : last] for one, first, last in zip(several, firsts, lasts, strict=True)]
    assert found.tolist() == expected
    assert isinstance(found, KnownText)
    assert found.codes is not None
    assert found.codes.text().tolist() == expected
    assert found.codes.texts.tolist() == sorted({"", *expected})


@given(WRITABLE)
def test_arrow_finds_the_same_codes(texts: list[str]) -> None:
    pytest.importorskip("pyarrow")
    found, expected = codes_by_arrow(of(texts)), codes_of(of(texts))
    assert found is not None
    assert found.texts.tolist() == expected.texts.tolist()
    assert found.places.tolist() == expected.places.tolist()


def test_text_that_arrow_does_not_take_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lookup, "FEW", 0)
    texts = of(["\ud800", "b", "a\0", "a"]).reshape(2, 2)
    codes = codes_of(texts)
    assert codes.places.tolist() == [[4, 3], [2, 1]]
    assert codes.text().tolist() == texts.tolist()


@given(st.lists(TEXTS, max_size=3), TEXTS)
def test_dictionaries_are_merged_where_they_meet(several: list[list[str]], words: list[str]) -> None:
    dictionary, places, of_words = merged([codes_of(of(one)) for one in several], words)
    texts = dictionary.texts
    assert len(dictionary) == len(texts)
    assert texts.tolist() == sorted({"", *words, *(text for one in several for text in one)})
    assert [texts[one].tolist() for one in places] == several
    assert texts[of_words].tolist() == words


def test_places_of_one_text_are_an_array() -> None:
    one, other = codes_of(np.array("b", object)), codes_of(np.array("a", object))
    _, places, _ = merged([one, other], ["aa"])
    assert [(type(place), place.shape, place.tolist()) for place in places] == [
        (np.ndarray, (), 3),
        (np.ndarray, (), 1),
    ]


def test_one_dictionary_that_has_all_words_stays_what_it_is() -> None:
    codes = codes_of(of(["b", "a", "b"]))
    dictionary, (places,), of_words = merged([codes], ["a", ""])
    assert dictionary is codes.dictionary
    assert places is codes.places
    assert of_words.tolist() == [1, 0]


def test_columns_of_codes_become_text_where_they_are_asked_for() -> None:
    codes = codes_of(of(["b", "", "b"]))
    made: list[int] = []

    def making() -> list[str]:
        made.append(1)
        return ["b"]

    dictionary = Dictionary(2, making)
    value = ToL.holding(
        [Codes(codes.places, dictionary), np.arange(3)], [default_column("text"), default_column("i64")]
    )
    kept = fit(ToL.list_of([value.component(0), value.component(1)]), value.spaces)
    assert (kept.shape, kept.dimension, kept.capacity, kept.volume, len(dictionary)) == ((3,), 1, 2, 6, 2)
    assert made == [], "nobody has asked"
    assert kept.to_list() == [("b", 0), ("", 1), ("b", 2)]
    assert [type(one) for one in kept.columns] == [KnownText, np.ndarray]
    assert copy(kept).to_list() == pickle.loads(pickle.dumps(kept)).to_list() == kept.to_list()
    assert made == [1], "texts are made once"
    with pytest.raises(AttributeError, match="ToL has no color"):
        getattr(kept, "color")  # noqa: B009 -- a name that it has not


def test_text_by_codes_is_no_number() -> None:
    value = ToL.holding([codes_of(of(["b", "a"]))], [default_column("text")])
    with pytest.raises(ToLangError, match=r"'b'.* is not in R"):
        fit(value, [default_column("f64")])


@given(TEXTS)
def test_characters_lie_one_after_the_other(texts: list[str]) -> None:
    assert lengths_of(of(texts)).tolist() == [len(one) for one in texts]
    assert characters_of(of(texts)).tolist() == [ord(one) for text in texts for one in text]
