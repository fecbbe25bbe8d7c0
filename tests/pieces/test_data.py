"""Data that stay where they are: tables in many files, Zarr, Dask arrays; results written block by block."""

from __future__ import annotations

import errno
import os
import pickle
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from tests.pieces.programs import PRODUCT, PROGRAMS, bits, command, in_no_memory, normal, placed

from tolang.data import blocks, datasets
from tolang.data.record_arrays import FieldArray
from tolang.engines.dask import piecewise, storage
from tolang.engines.dask.budgets import ENGINE
from tolang.engines.dask.requests import InMemory
from tolang.engines.dask.work import work_of
from tolang.ground.reporting.diagnostics import ToLangError, ToLangRunError, ToLangUsageError
from tolang.program.program import compile

SALES = "list sale: [shop: N, amount: R]\ntol sales: sale[n]\n"
DOUBLED = SALES + "y := map(sales, r -> (r[amount]' * 2, r[shop]'))"
TOTAL = SALES + "y := reduce(map(sales, r -> r[amount]'), add, 0)"
ROWS = 700


@pytest.fixture
def sales(tmp_path: Path) -> tuple[Path, Any]:
    """A folder of tables in groups of 200 rows, with a column more than is asked for, and all of it in memory."""
    folder = tmp_path / "sales"
    folder.mkdir()
    shops, amounts = np.arange(3 * ROWS) % 7, normal(3 * ROWS)
    for k in range(3):
        rows = slice(k * ROWS, (k + 1) * ROWS)
        table = pyarrow.table({"amount": amounts[rows], "noise": amounts[rows], "shop": shops[rows]})
        if k == 1:
            with pyarrow.ipc.new_file(str(folder / "1.arrow"), table.schema) as writer:
                writer.write_table(table, max_chunksize=200)
        else:
            pyarrow.parquet.write_table(table, folder / f"{k}.parquet", row_group_size=200)
    return folder, pyarrow.table({"amount": amounts, "shop": shops})


def columns(found: Any) -> list[bytes]:
    return [one.tobytes() for one in found.columns]


def test_tables_in_many_files(sales: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, table = sales
    program = compile(DOUBLED)
    in_no_memory(monkeypatch)
    work = work_of(program, (folder,), {})
    pieces = piecewise.Piecewise(program, ENGINE + piecewise._bytes_of_results(work) + 20_000)
    assert next(iter(pieces.placed(work).cuts)).tasks > 3
    assert columns(pieces(folder)) == columns(program(table))
    assert bits(compile(TOTAL).within("4GB")(folder)) == bits(compile(TOTAL)(table))


@pytest.mark.parametrize("batch", [datasets.BATCH, 100], ids=["batches", "groups"])
def test_rows_are_read_where_they_are_needed(
    batch: int, sales: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A region of a column is the rows it asks for, over the borders of groups and files; of other files nothing."""
    folder, table = sales
    monkeypatch.setattr(datasets, "BATCH", batch)
    opened: list[str] = []
    arrays = datasets.TableFile._arrays

    def noted(file: Any, *asked: Any) -> Any:
        opened.append(Path(file.path).name)
        return arrays(file, *asked)

    (_, amounts) = work_of(compile(DOUBLED), (folder,), {}).sources().values()
    monkeypatch.setattr(datasets.TableFile, "_arrays", noted)
    whole = table.column("amount").to_numpy()
    for low, high, files in ((1, 5, ["0.parquet"]), (690, 1500, ["0.parquet", "1.arrow", "2.parquet"]), (801, 800, [])):
        opened.clear()
        assert amounts.read([(low, high)]).tobytes() == whole[low - 1 : high].tobytes()
        assert opened == files


def test_a_damaged_file_among_many_is_named(sales: tuple[Path, Any]) -> None:
    folder, _ = sales
    path, program = folder / "2.parquet", compile(DOUBLED)
    whole = path.read_bytes()
    path.write_bytes(whole[:2000] + bytes(4000) + whole[6000:])
    with pytest.raises(ToLangUsageError) as error:
        program.within("4GB")(folder)
    assert (error.value.code, "2.parquet" in str(error.value)) == ("E608", True)
    path.write_bytes(whole[:-9])
    with pytest.raises(ToLangUsageError) as error:
        program.within("4GB")(folder)
    assert (error.value.code, "2.parquet" in str(error.value)) == ("E608", True)


def test_files_of_other_columns_are_refused(sales: tuple[Path, Any]) -> None:
    folder, _ = sales
    pyarrow.parquet.write_table(pyarrow.table({"amount": [1.0], "shop": [1]}), folder / "3.parquet")
    with pytest.raises(ToLangUsageError) as error:
        compile(DOUBLED).within("4GB")(folder)
    assert "3.parquet has other columns" in str(error.value)


@pytest.mark.parametrize(("rows", "code"), [([1, None], "E511"), ([1, -5], "E501")])
def test_values_of_tables_are_held_against_their_declaration(rows: list[Any], code: str, tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pyarrow.table({"k": rows}), tmp_path / "k.parquet")
    with pytest.raises(ToLangError) as error:
        compile("tol k: N[n]\ny := map(k, * + 1)").within("4GB")(tmp_path / "k.parquet")
    assert error.value.code == code


def test_tables_are_written_block_by_block(sales: tuple[Path, Any], tmp_path: Path, monkeypatch: Any) -> None:
    folder, table = sales
    program, into = compile(DOUBLED), tmp_path / "out.parquet"
    in_no_memory(monkeypatch)
    assert program.within(ENGINE + 20_000, into=into)(folder) == into
    assert len(list(into.iterdir())) > 3
    found = pyarrow.parquet.read_table(into)
    expected = program(table).columns
    assert [found.column(k).to_numpy().tobytes() for k in range(2)] == [one.tobytes() for one in expected]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.parquet", "sales"]
    with pytest.raises(ToLangUsageError) as error:
        compile(PRODUCT).within("4GB", into=into)(normal(3, 2), normal(2, 3))
    assert error.value.code == "E607"


def test_a_folder_of_something_else_is_not_replaced(sales: tuple[Path, Any], tmp_path: Path) -> None:
    folder, _ = sales
    other = tmp_path / "other.parquet"
    other.mkdir()
    (other / "notes.txt").write_text("kept")
    with pytest.raises(ToLangUsageError) as error:
        compile(DOUBLED).within("4GB", into=other)(folder)
    assert error.value.code == "E609"
    assert (other / "notes.txt").read_text() == "kept"


def test_zarr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zarr = pytest.importorskip("zarr", reason="the extra dask is not installed")
    a, b = normal(120, 40), normal(40, 70)
    stored = zarr.create_array(store=str(tmp_path / "a.zarr"), shape=a.shape, dtype=a.dtype, chunks=(32, 16))
    stored[:] = a
    program = compile(PRODUCT)
    expected = program(a, b).tobytes()
    in_no_memory(monkeypatch)
    for given in (tmp_path / "a.zarr", stored):
        into = program.within(ENGINE + 30_000, into=tmp_path / "c.zarr")(given, b)
        assert np.asarray(zarr.open_array(str(into))[:]).tobytes() == expected
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.zarr", "c.zarr"]
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    Path("product.tol").write_text(PRODUCT)
    np.save("b.npy", b)
    done = command("run", "product.tol", "a=a.zarr", "b=b.npy", "-o", "d.zarr", "--memory", "4GB")
    assert done.exit_code == 0
    assert np.asarray(zarr.open_array("d.zarr")[:]).tobytes() == expected
    with pytest.raises(ToLangUsageError) as error:
        program.within("4GB")(tmp_path / "none.zarr", b)
    assert error.value.code in ("E604", "E608")


# Arrays in files


def test_files_in_and_out(tmp_path: Path) -> None:
    a, b = normal(120, 40), normal(40, 70)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    program = compile(PRODUCT)
    found = program.within("4GB", into=tmp_path / "c.npy")(tmp_path / "a.npy", b=tmp_path / "b.npy")
    assert found.tobytes() == program(a, b).tobytes()
    assert np.load(tmp_path / "c.npy").tobytes() == found.tobytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.npy", "b.npy", "c.npy"]


def test_arrays_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a `.npz` file are read into memory, and cut there like any other."""
    a, b = normal(60, 40), normal(40, 70)
    both, program = tmp_path / "both.npz", compile(PRODUCT)
    np.savez(both, a=a, b=b)
    found, values = placed(program, (both, both), 20_000, monkeypatch)
    assert found.cuts[0].tasks > 1
    assert values.tobytes() == program(a, b).tobytes()
    (tmp_path / "product.tol").write_text(PRODUCT)
    monkeypatch.chdir(tmp_path)
    assert command("run", "product.tol", "both.npz", "--memory", "4GB", "-o", "c.npy").exit_code == 0
    assert np.load("c.npy").tobytes() == program(a, b).tobytes()


def test_nothing_half_written(tmp_path: Path) -> None:
    np.save(tmp_path / "k.npy", np.array([1, 2, 9]))
    (tmp_path / "y.npy").write_text("before")
    program = compile("tol x: R[n]\ntol k: Z[m]\ny := map(k, x[k[i]], i)")
    with pytest.raises(ToLangRunError) as error:
        program.within("4GB", into=tmp_path / "y.npy")(normal(5), tmp_path / "k.npy")
    assert error.value.code == "E513"
    assert (tmp_path / "y.npy").read_text() == "before"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["k.npy", "y.npy"]


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(ToLangUsageError) as error:
        compile(PROGRAMS["map"][0]).within("4GB", into=tmp_path / "y.npy")(normal(3000))
    assert (error.value.code, "No space" in str(error.value)) == ("E609", True)
    assert list(tmp_path.iterdir()) == []


def test_values_in_files_are_held_against_their_space(tmp_path: Path) -> None:
    np.save(tmp_path / "k.npy", np.array([1, 2, -9]))
    with pytest.raises(ToLangError) as error:
        compile("tol k: N[m]\ny := map(k, * + 1)").within("4GB")(tmp_path / "k.npy")
    assert error.value.code == "E501"


def test_a_file_that_changes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "x.npy", normal(3000))
    program = compile(PROGRAMS["map"][0])
    work = work_of(program, (tmp_path / "x.npy",), {})
    np.save(tmp_path / "x.npy", normal(3000))
    with pytest.raises(ToLangUsageError) as error:
        program.within("4GB").run(work)
    assert "changed" in str(error.value)


def test_what_cannot_be_lowered_is_refused() -> None:
    with pytest.raises(ToLangUsageError) as error:
        compile("tol x: Q[n]\ny := map(x, * + 1)").within("4GB")([1, 2])
    assert error.value.code == "E618"


def test_regions_that_are_read_again_stay_mapped() -> None:
    """As far as there is room for them, until another run maps some; a copy that has travelled has none."""
    array = blocks.in_shared_memory((1000,), np.dtype(float))
    array.write([(1, 1000)], np.arange(1000.0))
    array.again = True
    mappings, later = blocks.Mappings(5000, "a run"), blocks.Mappings(5000, "another")
    source = mappings.of(array.reached())
    first, second = source.read([(1, 500)]), source.read([(501, 1000)])
    assert (first.tolist(), second.tolist()) == ([*range(500)], [*range(500, 1000)])
    assert source.read([(1, 500)]) is first
    assert source.read([(501, 1000)]) is not second
    assert pickle.loads(pickle.dumps(mappings)).of(array.reached()).read([(1, 500)]) is not first
    assert later.of(array.reached()).read([(1, 500)]) is not first
    assert source.read([(1, 500)]) is not first
    array.again = False
    assert not isinstance(mappings.of(array.reached()), blocks.MappedArray)
    array.close()


def test_arrays_that_workers_share_are_copied_whole() -> None:
    """However they lie, into fresh memory or into that of a run before."""
    rows, little, shelf = normal(700, 800), normal(10), storage.BufferPool(1 << 30)
    table = np.zeros(300_000, [("a", np.int64), ("b", np.float64)])
    table["a"], table["b"] = np.arange(300_000), normal(300_000)
    arrays = {"rows": rows, "columns": rows.T, "every other": rows[::2], "little": little}
    given = {name: InMemory(one) for name, one in arrays.items()}
    fields = {name: FieldArray(table[name]) for name in ("a", "b")}
    for _ in range(3):
        rows += 1.0
        with ExitStack() as stack:
            files = storage.Files(stack, None, True, shelf)
            found = files.given({**given, **fields})
            assert isinstance(found["little"], InMemory)
            for name, array in (*arrays.items(), *((one, table[one]) for one in "ab")):
                assert np.array_equal(found[name].read([(1, length) for length in array.shape]), array)
            files.keep_copies()
        assert shelf.held == 5 * rows.nbytes // 2 + table.nbytes


def test_one_thread_writes_to_a_file_at_a_time() -> None:
    """Another that finds it writing copies into pages of the file."""
    rows, copy = normal(700, 800), storage.SharedMemoryCopy()
    made = blocks.in_shared_memory(rows.shape, rows.dtype)
    copy.add(InMemory(rows), made, False)
    with copy.writing, pytest.MonkeyPatch.context() as patched:
        patched.setattr(made, "write", None)
        copy.copy(0)
    assert np.array_equal(made.mapped(), rows)
    made.close()


def test_a_shelf_holds_no_more_than_it_may() -> None:
    """What was put there last stays; what is larger than all of it is closed."""
    shelf = storage.BufferPool(1000)
    first, second, large = (blocks.in_shared_memory((n,), np.dtype(np.float64)) for n in (100, 50, 200))
    for one in (first, second, large):
        shelf.put(one)
    assert (first.file.closed, second.file.closed, large.file.closed) == (True, False, True)
    assert shelf.held == second.nbytes
    assert shelf.taken((50,), np.dtype(np.int64)) is None
    assert shelf.taken((50,), np.dtype(np.float64)) is second
    assert shelf.held == 0
    second.close()
