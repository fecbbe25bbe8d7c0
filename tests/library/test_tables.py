"""Relational algebra over vectors of lists, on both engines, against DuckDB."""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb
import numpy as np
import pytest
from tests.cost.counting import CountingInterpreter

import tolang
from tolang import ToL
from tolang.program.cost import Cost

pytestmark = pytest.mark.sampled(6)

ENGINES = ["interpret", "cpu"]
Rows = list[tuple[Any, ...]]

IN_ORDER = {
    "selected": ("select(a, r -> (r[k]' > 0) and (r[x]' < 2))", "select * from a where k > 0 and x < 2 order by id"),
    "projected": ("project(a, r -> (r[x]', r[id]' + r[k]'))", "select x, id + k from a order by id"),
    "extended": ("extend(a, r -> 2*r[x]')", "select *, 2*x from a order by id"),
    "crossed": ("cartesian(a, b)", "select * from a, b order by a.id, b.id"),
    "ordered": ("order_by(a, r -> r[k]')", "select * from a order by k, id"),
    "descending": ("order_by(a, r -> r[x]', true)", "select * from a order by x desc, id"),
    "by_two": ("order_by(a, r -> (r[k]', r[x]'))", "select * from a order by k, x, id"),
    "each_way": (
        "order_by(a, r -> (r[k]', r[x]', r[id]'), [true,false,true])",
        "select * from a order by k desc, x, id desc",
    ),
    "topmost": ("top(a, 3, r -> r[x]')", "select * from a order by x desc, id limit 3"),
    "least": ("top(a, 3, r -> r[k]', false)", "select * from a order by k, id limit 3"),
    "first_of_each": (
        "distinct(a, r -> r[k]')",
        "select * from a where id in (select min(id) from a group by k) order by id",
    ),
    "joined": ("join(a, b, r -> r[k]', r -> r[k]')", "select * from a join b on a.k = b.k order by a.id, b.id"),
    "joined_by_two": (
        "join(a, b, r -> (r[k]', r[x]'), r -> (r[k]', r[x]'))",
        "select * from a join b on a.k = b.k and a.x = b.x order by a.id, b.id",
    ),
    "left_joined": (
        "left_join(a, b, r -> r[k]', r -> r[id]', (-1,-1,-1))",
        "select a.*, ifnull(b.id, -1), ifnull(b.k, -1), ifnull(b.x, -1) from a left join b on a.k = b.id order by a.id, b.id",
    ),
    "by_test": (
        "theta_join(a, b, (p,q) -> p[x]' + q[x]' > 3)",
        "select * from a join b on a.x + b.x > 3 order by a.id, b.id",
    ),
    "partnered": ("semi_join(a, b, r -> r[k]', r -> r[id]')", "select * from a where k in (select id from b) order by id"),
    "alone": ("anti_join(a, b, r -> r[k]', r -> r[id]')", "select * from a where k not in (select id from b) order by id"),
    "totals": ("group_sum(a, r -> r[k]', r -> r[x]')", "select k, sum(x) from a group by k order by k"),
    "counts": ("group_count(a, r -> (r[k]', r[x]'))", "select k, x, count(*) from a group by k, x order by k, x"),
    "means": (
        "group_mean(a, r -> (r[x]', r[k]'), r -> r[id]')",
        "select x, k, avg(id) from a group by x, k order by x, k",
    ),
    "lowest": ("group_min(a, r -> r[k]', r -> r[x]')", "select k, min(x) from a group by k order by k"),
    "highest": ("group_max(a, r -> r[x]', r -> r[k]' + 1)", "select x, max(k + 1) from a group by x order by x"),
    "several": (
        "group_by(a, r -> r[k]', r -> (r[x]', 1), (s,e) -> (s[1]' * 2 + e[1]', s[2]' + e[2]'), (0,0))",
        "select k, list_reduce(list_prepend(0.0, list(x order by id)), (s, e) -> s*2 + e), count(*) "
        "from a group by k order by k",
    ),
}  # fmt: skip
IN_ANY_ORDER = {
    "different": ("distinct(project(a, r -> (r[k]', r[x]')))", "select distinct k, x from a"),
    "united": (
        "union(project(a, r -> (r[k]', r[x]')), project(b, r -> (r[k]', r[x]')))",
        "select k, x from a union select k, x from b",
    ),
    "shared": (
        "intersection(project(a, r -> (r[k]', r[x]')), project(b, r -> (r[k]', r[x]')))",
        "select k, x from a intersect select k, x from b",
    ),
    "left_over": (
        "difference(project(a, r -> (r[k]', r[x]')), project(b, r -> (r[k]', r[x]')))",
        "select k, x from a except select k, x from b",
    ),
}
STATEMENTS = IN_ORDER | IN_ANY_ORDER
SOURCE = "use tables\nlist row: [id: Z, k: Z, x: R]\ntol a: row [n]\ntol b: row [m]\n" + "".join(
    f"{name} := {source}\n" for name, (source, _) in STATEMENTS.items()
)


@cache
def program(engine: str) -> tolang.Program:
    """Every statement in one program, compiled once for tables of all lengths."""
    return tolang.compile(SOURCE, engine=engine, fallback=False)


def table(seed: int, length: int, keys: tuple[int, int], values: int) -> ToL:
    """Rows with their number, a key between two ends, and one of some quarters, whose sums are exact."""
    generator = np.random.default_rng(seed)
    columns = np.arange(length), generator.integers(*keys, length), generator.integers(-values, values, length) / 4
    kinds = [("id", np.int64), ("k", np.int64), ("x", np.float64)]
    made = np.zeros(length, kinds)
    for (name, _), column in zip(kinds, columns, strict=True):
        made[name] = column
    return ToL.of(made)


TABLES = {
    "duplicates and negative keys": (table(1, 20, (-3, 4), 9), table(2, 11, (-5, 6), 9)),
    "many keys": (table(3, 18, (-40, 40), 40), table(4, 19, (0, 40), 40)),
    "all match": (table(5, 6, (1, 2), 2), table(6, 5, (1, 2), 2)),
    "none match": (table(7, 6, (-20, -10), 9), table(8, 5, (10, 20), 9)),
    "one row": (table(9, 1, (0, 1), 9), table(10, 5, (0, 2), 9)),
    "empty first": (table(11, 0, (0, 1), 9), table(12, 5, (0, 2), 9)),
    "empty second": (table(13, 5, (0, 2), 9), table(14, 0, (0, 1), 9)),
    "both empty": (table(15, 0, (0, 1), 9), table(16, 0, (0, 1), 9)),
}


@cache
def database(name: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for letter, rows in zip("ab", TABLES[name], strict=True):
        connection.execute(f"create table {letter} (id bigint, k bigint, x double)")
        if rows.shape[0]:
            connection.executemany(f"insert into {letter} values (?, ?, ?)", rows.to_list())
    return connection


def rows_of(result: Any) -> Rows:
    return [one if isinstance(one, tuple) else (one,) for one in ToL.of(result).to_list()]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", TABLES)
def test_every_statement_gives_what_duckdb_gives(name: str, engine: str) -> None:
    a, b = TABLES[name]
    found = program(engine)(a=a, b=b)
    for statement, (_, query) in STATEMENTS.items():
        rows, expected = rows_of(found[statement]), database(name).execute(query).fetchall()
        if statement in IN_ANY_ORDER:
            rows, expected = sorted(rows), sorted(expected)
        assert rows == expected, f"{statement}: {query}"


@pytest.mark.parametrize("name", ["each_way", "joined_by_two", "left_joined", "highest", "means", "shared"])
def test_derived_eops_are_counted(name: str) -> None:
    """The length that running tells is that of the result."""
    a, b = table(1, 7, (-2, 3), 9), table(2, 5, (-2, 3), 9)
    source = SOURCE[: SOURCE.index("selected")] + f"result := {STATEMENTS[name][0]}\nlengths := n + m"
    compiled = tolang.compile(source, engine="interpret")
    job = compiled.job((), {"a": a, "b": b})
    counter = CountingInterpreter(job.core)
    counter.run(job.inputs, job.sizes)
    told = dict.fromkeys(Cost(job.core, None, job.sizes).unknowns, compiled(a=a, b=b)["result"].shape[0])
    assert Cost(job.core, None, {**job.sizes, **told}).eops == counter.eops


TEXT = """
use tables
list person: [name: S, town: S, age: N]
list town: [place: S, land: S]
tol people: person [n]
tol towns: town [m]
older   := order_by(people, r -> (r[town]', r[age]'), [false,true])
counts  := group_count(people, r -> r[town]')
towns_  := distinct(people[town]')
joined  := project(join(people, towns, r -> r[town]', r -> r[place]'), r -> (r[name]', r[land]'))
missing := anti_join(people, towns, r -> r[town]', r -> r[place]')[name]'
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_text(engine: str) -> None:
    people = [("Ada", "Rome", 36), ("Alan", "Oslo", 41), ("Kurt", "Rome", 71), ("Emmy", "Bern", 53)]
    towns = [("Rome", "Italy"), ("Oslo", "Norway")]
    found = tolang.compile(TEXT, engine=engine, fallback=False)(people=ToL.of(people), towns=ToL.of(towns))
    assert rows_of(found["older"]) == sorted(people, key=lambda row: (row[1], -row[2]))
    assert rows_of(found["counts"]) == [("Bern", 1), ("Oslo", 1), ("Rome", 2)]
    assert rows_of(found["towns_"]) == [("Rome",), ("Oslo",), ("Bern",)]
    assert rows_of(found["joined"]) == [("Ada", "Italy"), ("Alan", "Norway"), ("Kurt", "Italy")]
    assert rows_of(found["missing"]) == [("Emmy",)]


def test_nan_equals_nothing() -> None:
    x = np.array([1.0, np.nan, 1.0, np.nan])
    source = "use tables\ntol x: R [n]\nd := distinct(x)\nj := join(x, x, r -> r, r -> r)"
    for engine in ENGINES:
        found = tolang.compile(source, engine=engine)(x)
        assert np.array_equal(found["d"], [1.0, np.nan, np.nan], equal_nan=True)
        assert rows_of(found["j"]) == [(1.0, 1.0)] * 4


def test_large_tables() -> None:
    """So many rows that pairs of them could not be looked at one by one."""
    generator = np.random.default_rng(0)
    keys, more, x = (
        generator.integers(-5000, 5000, 30_000),
        generator.integers(0, 9000, 20_000),
        generator.random(30_000),
    )
    source = """
        use tables
        tol k: Z [n]
        tol x: R [n]
        tol l: Z [m]
        pairs  := join((k,x), l, r -> r[1]', r -> r)
        totals := group_sum((k,x), r -> r[1]', r -> r[2]')
        kinds  := distinct(k)
    """
    found = tolang.compile(source, engine="cpu", fallback=False)(keys, x, more)
    groups, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    assert np.array_equal(found["kinds"], keys[np.sort(first)])
    assert np.array_equal(found["totals"].component(0), groups)
    np.testing.assert_allclose(
        found["totals"].component(1), np.bincount(inverse, x), rtol=1e-12
    )  # sums of a few numbers each
    order = np.argsort(more, kind="stable")
    low, high = (np.searchsorted(more[order], keys, side) for side in ("left", "right"))
    for place, column in enumerate((keys, x, keys)):
        assert np.array_equal(found["pairs"].component(place), np.repeat(column, high - low))


def test_words_are_counted_as_they_are() -> None:
    found = tolang.evaluate("group_count(['b','a','b'])", use="tables")
    assert found == [("a", 1), ("b", 2)]
