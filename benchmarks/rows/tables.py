"""Tables of a million rows: selected, grouped, joined, put into order, without repetitions."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import with_duckdb, with_polars
from benchmarks.row import Array, Competitor, Row
from tolang.ground.dataclasses import replace

TABLE = "use tables\ntol k: Z [n]\ntol x: R [n]\n"
SELECT = TABLE + "t = select((k,x), row -> row[2]' < 0.5)\nkeys := t[1]'\nvalues := t[2]'\n"
GROUP = TABLE + "t = group_sum((k,x), row -> row[1]', row -> row[2]')\nkeys := t[1]'\nvalues := t[2]'\n"
ORDER = TABLE + "t = order_by((k,x), row -> row[1]')\nkeys := t[1]'\nvalues := t[2]'\n"
DISTINCT = "use tables\ntol k: Z [n]\nkeys := distinct(k)\n"
TEXT = "use tables\ntol k: S [n]\ntol x: R [n]\nvalues := group_mean((k,x), row -> row[1]', row -> row[2]')[2]'\n"
JOIN = """\
use tables
tol k: Z [n]
tol x: R [n]
tol l: Z [m]
tol y: R [m]
t = join((k,x), (l,y), row -> row[1]', row -> row[1]')
keys := t[1]'
left := t[2]'
right := t[4]'
"""


def keyed(generator: np.random.Generator, n: int, keys: int) -> tuple[Array, ...]:
    """Keys between both ends of a range about zero, and numbers."""
    return generator.integers(-keys // 2, keys - keys // 2, n), generator.random(n)


def only_keys(generator: np.random.Generator, n: int, keys: int) -> tuple[Array, ...]:
    return keyed(generator, n, keys)[:1]


def text_keys(generator: np.random.Generator, n: int, keys: int) -> tuple[Any, ...]:
    """Words of Arrow, as a frame of Polars has them, and numbers."""
    import pyarrow

    words = np.array([f"place {key:07}" for key in generator.permutation(keys)], dtype=object)
    return pyarrow.array(words[generator.integers(0, keys, n)], pyarrow.large_string()), generator.random(n)


def different_keys(generator: np.random.Generator, n: int, keys: int) -> tuple[Array, ...]:
    """Keys of which no two are equal, so that there is one order only."""
    spread = generator.permutation(n) * (keys // n) - keys // 2
    return spread, generator.random(n)


def two_tables(generator: np.random.Generator, n: int, m: int, keys: int) -> tuple[Array, ...]:
    """Keys and the numbers of rows, of two tables."""
    left, right = (generator.integers(0, keys, count) for count in (n, m))
    return left, np.arange(n, dtype=np.float64), right, np.arange(m, dtype=np.float64)


def selected(k: Array, x: Array) -> tuple[Array, ...]:
    return k[x < 0.5], x[x < 0.5]


def grouped(k: Array, x: Array) -> tuple[Array, ...]:
    keys, place = np.unique(k, return_inverse=True)
    return keys, np.bincount(place, x)


def means_by_text(k: Any, x: Array) -> Array:
    _, place, count = np.unique(k.to_pylist(), return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(place, x) / count)


def ordered(k: Array, x: Array) -> tuple[Array, ...]:
    order = np.argsort(k, kind="stable")
    return k[order], x[order]


def distinct(k: Array) -> Array:
    return np.asarray(k[np.sort(np.unique(k, return_index=True)[1])])


def joined(k: Array, x: Array, l: Array, y: Array) -> tuple[Array, ...]:  # noqa: E741 -- the name of the column
    """Each row of the first table as often as its key is in the second, with the rows that have it there."""
    order = np.argsort(l, kind="stable")
    low, high = (np.searchsorted(l[order], k, side) for side in ("left", "right"))
    counts = high - low
    rows = np.repeat(np.arange(len(k)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return k[rows], x[rows], y[order[low[rows] + within]]


def by_key(columns: list[Array], *data: Array) -> Array:
    return np.asarray(np.argsort(columns[0], kind="stable"))


def by_both_rows(columns: list[Array], *data: Array) -> Array:
    return np.asarray(np.lexsort((columns[2], columns[1])))


def by_first_place(columns: list[Array], *data: Array) -> Array:
    keys, first = np.unique(data[0], return_index=True)
    return np.asarray(np.argsort(first[np.searchsorted(keys, columns[0])]))


def row(
    name: str, source: str, sizes: tuple[int, ...], reference: Any, peers: dict[str, Competitor], **others: Any
) -> Row:
    given: dict[str, Any] = {"data": keyed, "tiny": (500, 40)} | others
    return Row(
        name=name, source=source, sizes=sizes, reference=reference, operations=lambda n, *_: 1.0 * n, target=1.0,
        against=("polars", "duckdb"), tolerance=1e-9, peers=peers, **given,
    )  # fmt: skip


def peers(frame: Any, query: str, order: Any = None, **tables: tuple[str, ...]) -> dict[str, Competitor]:
    """The same by Polars and by DuckDB, over tables of named columns: those of the data in order."""
    named = tables or {"t": ("k", "x")}
    return {"polars": with_polars(frame, named, order), "duckdb": with_duckdb(query, named, order)}


MILLION = 10**6
ROWS = [
    row("select half of 1M rows", SELECT, (MILLION, 1000), selected, peers(
        lambda polars, t: t.filter(polars.col("x") < 0.5), "select * from t where x < 0.5",
    )),
    *(
        row(f"group 1M rows by {text} keys", GROUP, (MILLION, keys), grouped, peers(
            lambda polars, t: t.group_by("k").agg(polars.col("x").sum()), "select k, sum(x) from t group by k", by_key,
        ))
        for text, keys in (("1000", 1000), ("1M", MILLION))
    ),
    *(
        replace(
            row(f"means of 1M rows by {text} texts, in order", TEXT, (MILLION, keys), means_by_text, {
                "polars": with_polars(
                    lambda polars, t: t.group_by("k").agg(polars.col("x").mean()).sort("k").select("x"),
                    {"t": ("k", "x")},
                ),
            }, data=text_keys),
            against=("polars",), target=1 / 3,
        )
        for text, keys in (("1000", 1000), ("1M", MILLION))
    ),
    row("join 100k rows with 100k", JOIN, (10**5, 10**5, 10**5), joined, peers(
        lambda polars, a, b: a.join(b, left_on="k", right_on="l"), "select k, x, y from a join b on k = l",
        by_both_rows, a=("k", "x"), b=("l", "y"),
    ), data=two_tables, tiny=(300, 200, 90)),
    row("order 1M rows by a key", ORDER, (MILLION, 10**12), ordered, peers(
        lambda polars, t: t.sort("k"), "select * from t order by k",
    ), data=different_keys, tiny=(500, 5000)),
    row("distinct of 1M, 1000 kinds", DISTINCT, (MILLION, 1000), distinct, peers(
        lambda polars, t: t.unique(), "select distinct k from t", by_first_place, t=("k",),
    ), data=only_keys),
]  # fmt: skip
