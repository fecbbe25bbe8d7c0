"""Definitions of the library are parsed one by one, as they are asked for: each as it would be in the whole file."""

from __future__ import annotations

import pytest

import tolang
from tolang.check.library import library_module, library_names, library_sheets
from tolang.syntax import tree
from tolang.syntax.traversal import same_tree


@pytest.mark.parametrize("module", library_names())
def test_a_definition_alone_is_the_one_in_the_file(module: str) -> None:
    for file, sheet in zip(library_module(module), library_sheets(module), strict=True):
        definitions = [one for one in file.statements if isinstance(one, tree.Definition)]
        assert [one.id for one in definitions] == list(sheet.places), "each is found, and none is defined twice"
        assert [one.module for one in file.statements if isinstance(one, tree.Use)] == list(sheet.uses)
        for one in definitions:
            alone = sheet.definition(one.id)
            assert same_tree(one, alone)
            assert (one.span.start, one.span.place) == (alone.span.start, alone.span.place)


def test_an_unknown_name_is_held_against_the_whole_library() -> None:
    with pytest.raises(tolang.ToLangError, match="did you mean cumulative_sum"):
        tolang.evaluate("cumulative_sm([1,2])")
