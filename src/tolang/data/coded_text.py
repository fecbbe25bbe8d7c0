"""The data of programs on text: texts to codes, by one dictionary of a run, and the codes of results to texts again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tolang.core.core import Output
from tolang.core.text_codes import (
    CASE_TABLES,
    CHARACTERS,
    CODE,
    LENGTHS,
    LITERALS,
    NUMBER,
    PLACES,
    POINTS,
    REAL,
    STARTS,
    TEXTS,
    VALUES,
    WRITTEN,
    OnCodes,
    is_text,
)
from tolang.ground.dataclasses import dataclass
from tolang.ground.values.casting import Array
from tolang.ground.values.text_lookup import coded_together
from tolang.ground.values.texts import Codes, Dictionary, characters_of, lengths_of, number_in, places_in_case
from tolang.ground.values.values import ToL


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """The data of a run on codes: all inputs that the program has then, further sizes, and the dictionary."""

    inputs: Mapping[str, ToL]
    sizes: Mapping[str, int]
    dictionary: Dictionary

    def decoded(self, outputs: Sequence[Output], found: Sequence[ToL]) -> list[ToL]:
        """Results with text in the place of its codes, where the outputs of the program on text have it."""
        return [self._decoded(output, value) for output, value in zip(outputs, found, strict=True)]

    def _decoded(self, output: Output, value: ToL) -> ToL:
        kinds = output.type.columns
        if not any(map(is_text, kinds)):
            return value
        pairs = list(zip(kinds, value.columns, value.spaces, strict=True))
        held = [Codes(array, self.dictionary) if is_text(kind) else array for kind, array, _ in pairs]
        return ToL.holding(held, [kind if is_text(kind) else own for kind, _, own in pairs])


def coded(program: OnCodes, inputs: Mapping[str, ToL]) -> Coded:
    """The data of a run with one dictionary of all texts of the inputs and the literals."""
    places = [
        (name, k) for name in sorted(program.textual) for k, one in enumerate(inputs[name].spaces) if is_text(one)
    ]
    cases = {name: CASE_TABLES[name] for name in program.tables if name in CASE_TABLES}
    columns = [inputs[name].held[k] for name, k in places]
    dictionary, codes, literals = coded_together(columns, program.literals, cases.values())
    by_place = dict(zip(places, codes, strict=True))
    made = dict(inputs)
    for name in program.textual:
        made[name] = _with_codes(inputs[name], {k: one for (own, k), one in by_place.items() if own == name})
    if program.literals:
        made[LITERALS] = ToL([literals], [CODE])
    tables, sizes = dict[str, Array](), dict[str, int]()
    if program.tables:
        sizes[TEXTS] = len(dictionary)
    if LENGTHS in program.tables:
        tables[LENGTHS] = lengths_of(dictionary.texts)
    if PLACES in program.tables:
        numbers = [number_in(one) for one in dictionary.texts.tolist()]
        known = np.array([one is not None for one in numbers])
        tables[PLACES] = np.where(known, np.cumsum(known), 0)
        made[VALUES] = ToL([np.array([one for one in numbers if one is not None], float)], [REAL])
        sizes[WRITTEN] = int(known.sum())
    for name, function in cases.items():
        made[name] = ToL([places_in_case(function, dictionary.texts)], [CODE])
    if POINTS in program.tables:
        tables[STARTS], tables[POINTS] = np.cumsum(tables[LENGTHS]) - tables[LENGTHS], characters_of(dictionary.texts)
        sizes[CHARACTERS] = len(tables[POINTS])
    made |= {name: ToL([array], [NUMBER]) for name, array in tables.items()}
    return Coded(made, sizes, dictionary)


def _with_codes(value: ToL, codes: Mapping[int, Array]) -> ToL:
    held = [codes.get(k, array) for k, array in enumerate(value.held)]
    return ToL.holding(held, [CODE if k in codes else one for k, one in enumerate(value.spaces)])
