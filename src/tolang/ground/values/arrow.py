"""Arrow arrays, tables and scalars as columns of ToLs and back; the one place that imports pyarrow.

A table is a vector of lists, its columns the named components; an array of fixed-size lists has one dimension more.
Numbers without missing values are shared, not copied.  Arrow packs truth values in bits and text in bytes, so these
are copied.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.reporting.faults import TEXT_OBJECT, fault, first_true, place_text
from tolang.ground.values.arrays import array_columns, field_names
from tolang.ground.values.casting import Array
from tolang.ground.values.columns import Columns, default_column
from tolang.ground.values.nested import missing_fault, object_array
from tolang.ground.values.spaces import NARROW_FLOATS, Column
from tolang.ground.values.text_numbers import MANY, numbered_by_threads
from tolang.ground.values.texts import Codes, Dictionary, sorted_codes


def _library() -> Any:
    """pyarrow, or an error that says what to install."""
    try:
        import pyarrow
    except ImportError as error:
        raise fault("E512", "Arrow data needs the package pyarrow", fix="pip install 'tolang[arrow]'") from error
    return pyarrow


def arrow_columns(data: Any) -> Columns:
    """An Arrow array, chunked array, table, record batch or scalar, or what the Arrow C interface offers."""
    pyarrow = _library()
    if isinstance(data, pyarrow.Scalar):
        return _numeric(arrow_columns(pyarrow.array([data.as_py()], type=data.type)))
    if isinstance(data, pyarrow.RecordBatch | pyarrow.Table):
        return _from_table(data)
    if isinstance(data, pyarrow.ChunkedArray):
        data = data.chunk(0) if data.num_chunks == 1 else data.combine_chunks()
    if isinstance(data, pyarrow.ChunkedArray):  # older versions keep an array of no chunks chunked
        data = pyarrow.concat_arrays(data.chunks) if data.chunks else pyarrow.array([], type=data.type)
    if isinstance(data, pyarrow.Array):
        return _from_array(pyarrow, data, ())
    if hasattr(data, "__arrow_c_array__"):
        return arrow_columns(pyarrow.array(data))
    try:
        return arrow_columns(pyarrow.table(data))
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, TypeError, ValueError):
        return arrow_columns(pyarrow.chunked_array(data))


def as_table(data: Any) -> Any:
    """The table of Arrow's that holds the columns of another library's; None where data is one column, or no table.

    The index of a pandas frame is no column of it.
    """
    pyarrow = _library()
    if isinstance(data, pyarrow.Array | pyarrow.ChunkedArray | pyarrow.Scalar):
        return None
    try:
        table = data if isinstance(data, pyarrow.Table) else pyarrow.table(data)
    except Exception:  # one column, or whatever another library raises, which reading it tells
        return None
    written = table.schema.pandas_metadata or {}
    index = [one for one in written.get("index_columns", ()) if isinstance(one, str) and one in table.column_names]
    return table.drop_columns(index) if index and table is not data else table


def _numeric(vector: Columns) -> Columns:
    """The one element of a vector of one, as a value without dimensions of its own."""
    return Columns(
        [np.asarray(one[0]) if one.dtype != object else _boxed(one[0]) for one in vector.columns], vector.spaces
    )


def _boxed(value: Any) -> Array:
    box = np.empty((), dtype=object)
    box[()] = value
    return box


def _from_table(table: Any) -> Columns:
    if not table.num_columns:
        raise fault("E504", "the table has no columns, and a list has at least one component")
    parts = [_renamed(arrow_columns(table.column(i)), table.schema.names[i]) for i in range(table.num_columns)]
    return Columns.list_of(parts)


def _renamed(value: Columns, name: str) -> Columns:
    """A column of the table under its name; the fields of a structured column keep their own."""
    if value.capacity > 1:
        return value
    one = value.spaces[0]
    return Columns.holding(value.held, (Column(one.space, one.storage, one.weak, name),))


def _from_array(pyarrow: Any, data: Any, outer: tuple[int, ...]) -> Columns:
    """One array; `outer` are the dimensions that lists around it have given it already."""
    shape = outer or (len(data),)
    _refuse_missing(data, shape)
    kind = data.type
    if isinstance(data, pyarrow.ExtensionArray):
        if hasattr(data, "to_numpy_ndarray"):
            return array_columns(data.to_numpy_ndarray())
        return _from_array(pyarrow, data.storage, outer)
    if pyarrow.types.is_dictionary(kind):
        return _from_dictionary(pyarrow, data, shape)
    if pyarrow.types.is_fixed_size_list(kind):
        return _from_array(pyarrow, data.flatten(), (*shape, kind.list_size))
    if pyarrow.types.is_struct(kind):
        fields = data.flatten()
        parts = [_from_array(pyarrow, part, outer) for part in fields]
        names = [kind.field(position).name for position in range(kind.num_fields)]
        return Columns.list_of([_renamed(part, name) for part, name in zip(parts, names, strict=True)])
    if _is_text(pyarrow.types, kind):
        known = _codes(pyarrow, data)
        return Columns.holding((Codes(known.places.reshape(shape), known.dictionary),), (default_column("text"),))
    array, one = _from_flat(pyarrow, data)
    return Columns((array if array.shape == shape else array.reshape(shape),), (one,))


def _from_dictionary(pyarrow: Any, data: Any, shape: tuple[int, ...]) -> Columns:
    """An array of places in another one: what stands there is shared, however often it is named."""
    words = _from_array(pyarrow, data.dictionary.drop_null(), ())
    places = np.asarray(data.indices.to_numpy(zero_copy_only=False))
    if places.size and not 0 <= int(places.min()) <= int(places.max()) < len(data.dictionary):
        raise fault("E502", "an Arrow dictionary has places beyond its values")
    if data.dictionary.null_count:
        absent = np.asarray(data.dictionary.is_null().to_numpy(zero_copy_only=False), dtype=bool)
        if absent[places].any():
            raise missing_fault(place_text(first_true(absent[places]), shape))
        places = (np.cumsum(~absent) - 1)[places]
    known = words.held[0]
    if isinstance(known, Codes) and words.capacity == 1:
        return Columns.holding([Codes(known.places[places].reshape(shape), known.dictionary)], words.spaces)
    columns = [one[places] for one in words.columns]
    return Columns([one.reshape(*shape, *one.shape[1:]) for one in columns], words.spaces)


def codes_by_arrow(texts: Array) -> Codes | None:
    """The codes of a vector of text; None without pyarrow, or where it does not take all of its characters."""
    try:
        pyarrow = _library()
        return _codes(pyarrow, pyarrow.array(texts, type=pyarrow.large_string()))
    except (ToLangRunError, UnicodeEncodeError):
        return None


def _codes(pyarrow: Any, data: Any) -> Codes:
    """The codes of an array of text; the order of bytes in UTF-8 is that of characters."""
    from pyarrow import compute

    numbered = numbered_by_threads(*_places_and_buffers(data)) if len(data) >= MANY else None
    if numbered is not None:
        numbers, firsts, count = numbered
        return Codes(numbers, Dictionary(count, lambda: _texts_at(pyarrow, data, firsts)))
    if not (pyarrow.types.is_string(data.type) or pyarrow.types.is_large_string(data.type)):
        data = data.cast(pyarrow.large_string())
    found = data.dictionary_encode()
    order = compute.array_sort_indices(found.dictionary)
    places = np.asarray(found.indices.to_numpy(zero_copy_only=False))
    return sorted_codes(places, np.asarray(order.to_numpy()), found.dictionary.take(order).to_pylist())


PLACES: dict[str, np.dtype[Any]] = {
    "string": np.dtype(np.int32),
    "large_string": np.dtype(np.int64),
    "string_view": np.dtype("V16"),
}
"""How Arrow tells where texts lie: where each begins, and the last ends, or for each a view."""


def _places_and_buffers(data: Any) -> tuple[Array, list[Array]]:
    """Where the texts of an array lie, and the buffers of their characters."""
    _, places, *buffers = data.buffers()
    kind = PLACES[str(data.type)]
    count = len(data) + (kind.kind != "V")
    found = np.frombuffer(places, kind, count, data.offset * kind.itemsize)
    return found, [np.frombuffer(one or b"", np.uint8) for one in buffers]


def _texts_at(pyarrow: Any, data: Any, places: Array) -> list[str]:
    """Texts of an array at some places."""
    wanted = pyarrow.array(places)
    try:
        taken = data.take(wanted)
    except pyarrow.ArrowNotImplementedError:  # of views, in older versions
        taken = data.cast(pyarrow.large_string()).take(wanted)
    found: list[str] = taken.to_pylist()
    return found


def unpacked_bytes(data: Any) -> int:
    """At least about how many bytes a column of Arrow takes once it is a ToL, however little it takes in a file."""
    kind = str(data.type)
    if kind.startswith("dictionary"):
        return 8 * len(data)
    if kind not in ("string", "large_string", "string_view"):
        return int(data.nbytes)
    chunks = data.chunks if hasattr(data, "chunks") else [data]
    return TEXT_OBJECT * len(data) + sum(
        _characters(chunk) if kind == "string_view" else chunk.nbytes for chunk in chunks
    )


def _characters(views: Any) -> int:
    """The bytes that texts have together which are views, any number of them of the same bytes."""
    lengths = np.frombuffer(views.buffers()[1], np.int32).reshape(-1, 4)[:, 0]
    return int(lengths[views.offset : views.offset + len(views)].sum(dtype=np.int64))


def _is_text(types: Any, kind: Any) -> bool:
    found: bool = types.is_string(kind) or types.is_large_string(kind)
    return found or getattr(types, "is_string_view", types.is_string)(kind)


def _from_flat(pyarrow: Any, data: Any) -> tuple[Array, Column]:
    """An array of numerics."""
    types, kind = pyarrow.types, data.type
    if types.is_decimal(kind):
        return object_array([Fraction(one) for one in data.to_pylist()]), default_column("rational")
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        value = array_columns(data.to_numpy(zero_copy_only=False))
        return value.columns[0], value.spaces[0]
    raise _no_numerics(kind)


def _no_numerics(kind: Any) -> ToLangRunError:
    if str(kind).startswith(("list", "large_list")):
        return fault("E503", f"Arrow data of type {kind} may be ragged", fix="cast it to a fixed-size list")
    fix = None
    if str(kind).startswith(("timestamp", "date")):
        fix = "seconds since 1970: a.cast('timestamp[s]').cast('int64'); a column of a table is read as it is declared"
    elif str(kind).startswith(("duration", "time")):
        fix = f"whole numbers of its unit: a.cast('int{'32' if str(kind).startswith('time32') else '64'}')"
    return fault(
        "E502",
        f"Arrow data of type {kind} holds no numerics of ToLang",
        expected="truth values, numbers, text, structs or fixed-size lists of these",
        fix=fix,
    )


def _refuse_missing(data: Any, shape: tuple[int, ...]) -> None:
    if data.null_count:
        missing = np.asarray(data.is_null().to_numpy(zero_copy_only=False), dtype=bool)
        raise missing_fault(place_text(first_true(missing), shape))


def to_arrow(value: Columns) -> Any:
    """A scalar, an array (nested in fixed-size lists beyond one dimension), or for lists a table or struct scalar."""
    pyarrow = _library()
    if value.capacity == 1:
        return _array_of(pyarrow, value, 0)
    names = field_names(value)
    arrays = [_array_of(pyarrow, value, position) for position in range(value.capacity)]
    if value.dimension == 0:
        fields = pyarrow.struct([(name, one.type) for name, one in zip(names, arrays, strict=True)])
        return pyarrow.scalar({name: one.as_py() for name, one in zip(names, arrays, strict=True)}, type=fields)
    return pyarrow.table(dict(zip(names, arrays, strict=True)))


def _array_of(pyarrow: Any, value: Columns, position: int) -> Any:
    """One component as Arrow holds it."""
    array, one = value.columns[position], value.spaces[position]
    if one.storage in ("rational", "integer", *NARROW_FLOATS) or array.dtype.kind == "c":
        raise fault(
            "E512",
            f"Arrow has no type for {one.space} in the storage {one.storage}",
            fix="convert to R, or complex numbers to [R,R]",
        )
    flat = np.ascontiguousarray(array).reshape(-1)
    written = pyarrow.array(flat, type=pyarrow.string() if one.storage == "text" else None)
    if array.ndim == 0:
        return written[0]
    for length in reversed(array.shape[1:]):
        if length == 0:
            raise fault("E512", "Arrow has no fixed-size lists of length 0")
        written = pyarrow.FixedSizeListArray.from_arrays(written, length)
    return written


def stream(value: Columns, schema: Any = None) -> Any:
    """The columns as a stream of Arrow's C interface: a table, or one column where there is one component."""
    pyarrow, held = _library(), to_arrow(value)
    if isinstance(held, pyarrow.Scalar):
        held = pyarrow.array([held.as_py()], type=held.type)
    return (pyarrow.chunked_array([held]) if isinstance(held, pyarrow.Array) else held).__arrow_c_stream__(schema)
