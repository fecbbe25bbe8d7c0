"""Dates and times in files: text as ISO 8601 writes them, or where numbers are wanted, seconds since 1970 in UTC.

A date is its midnight, and a time without a zone is one of UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from tolang.data.numerals import no_number, number
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.casting import Array
from tolang.ground.values.nested import read_column
from tolang.ground.values.spaces import Column

_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,12}))?)?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?", re.ASCII
)
_OTHER_DATE = re.compile(r"\d{1,4}([/.-])\d{1,2}\1\d{1,4}\b|\d{1,2}[ .-]?[A-Za-z]{3}")
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86400
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


def number_or_moment(text: str, family: str | None = None) -> Any:
    """The number that a text writes, or the seconds to the date or time that it is; else a `ValueError`."""
    try:
        return number(text, family)
    except ValueError:
        return seconds(text, family)


def date_hint(text: str) -> str | None:
    """How a date is written that a file has in another notation."""
    return "write dates as 2024-01-31, or declare the column as text, S" if _OTHER_DATE.match(text.strip()) else None


def numbers_of_text(array: Array, wanted: Column, where: Callable[[int], str]) -> Array:
    """The array, or what its text writes where numbers are wanted; `where` tells the place of an element."""
    if wanted.space.family == "S" or not array.size or not _is_text(array):
        return array
    numbers = []
    for index, text in enumerate(array.reshape(-1).tolist()):
        try:
            numbers.append(number_or_moment(text, wanted.space.family))
        except ValueError:
            message = f"{where(index)}: {no_number(text)}"
            raise usage("E608", message, expected=str(wanted.space), fix=date_hint(text)) from None
    return read_column(numbers, array.shape)[0]


def _is_text(array: Array) -> bool:
    return array.dtype.kind in "UT" or (array.dtype == object and isinstance(array.reshape(-1)[0], str))


def is_moment(text: str) -> bool:
    """Whether a text is a date, or a date with a time."""
    try:
        seconds(text)
    except ValueError:
        return False
    return True


def seconds(text: str, family: str | None = None) -> int | float | Fraction:
    """The seconds from 1970-01-01 00:00 UTC to the date or time that a text writes; else a `ValueError`."""
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    date, time, fraction, zone = found.groups()
    offset = {None: "+00:00", "Z": "+00:00", "UTC": "+00:00"}.get(zone, zone)
    whole = datetime.fromisoformat(f"{date}T{time or '00:00'}{offset}") - _BEGIN
    exact = whole.days * _DAY + whole.seconds + Fraction(int(fraction or 0), 10 ** len(fraction or ""))
    if family == "Q":
        return exact
    return int(exact) if exact.denominator == 1 else float(exact)


def of_arrow(data: Any, family: str | None) -> Any:
    """A column of Arrow's; one of dates or times as text, or as numbers where a family of numbers is wanted."""
    import pyarrow
    from pyarrow import compute

    types, kind = pyarrow.types, data.type
    if not (types.is_timestamp(kind) or types.is_date(kind)):
        return data
    if types.is_date32(kind):
        unit, ticks = "s", compute.multiply(data.cast(pyarrow.int32()).cast(pyarrow.int64()), _DAY)
    else:
        unit = "ms" if types.is_date64(kind) else kind.unit
        ticks = data.cast(pyarrow.int64())
    whole = _in_whole_seconds(ticks, _PER_SECOND[unit])
    if family in ("Z", "R") and not data.null_count:
        if whole is not None:
            return whole
        return compute.divide(ticks.cast(pyarrow.float64(), safe=False), float(_PER_SECOND[unit]))
    if types.is_date(kind):
        return data.cast(pyarrow.date32()).cast(pyarrow.string())
    moments = ticks.cast(pyarrow.timestamp(unit)) if whole is None else whole.cast(pyarrow.timestamp("s"))
    texts = moments.cast(pyarrow.string())
    return texts if kind.tz is None else compute.binary_join_element_wise(texts, "Z", "")


def _in_whole_seconds(ticks: Any, per_second: int) -> Any:
    """Whole numbers of some unit in seconds; None where one has a fraction of a second."""
    from pyarrow import compute

    if per_second == 1:
        return ticks
    divided = compute.divide(ticks, per_second)
    exact = compute.all(compute.equal(compute.multiply(divided, per_second), ticks))
    return divided if exact.as_py() is not False else None
