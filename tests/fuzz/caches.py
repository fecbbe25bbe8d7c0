"""Caches damaged at random between runs: whatever became of the folder and its files, each run gives the right results.

A case takes a sound cache, damages some of it (bytes changed, files cut, emptied, exchanged, made folders, links or
pipes, given to others, or filled with junk that carries a right digest) and runs a few programs in a process of its
own, twice: results must be right, nothing may be raised, no process may die, and none may wait for ever.

    python -m tests.fuzz.caches 1000 --seed 1
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import stat
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest

import tolang
import tolang.engines.cpu.translation
import tolang.onnx
import tolang.program.segments
from tolang.store import cache

SECONDS = 120
"""How long the programs may take in one process, on a machine that is busy otherwise."""
PICKLED = b"\x80\x05"
"""How what is no code begins."""
OTHER = 54321
"""The number of some other user."""


def programs(folder: Path) -> None:
    """Runs programs of several kinds and holds their results against what they are known to be."""
    x = np.arange(5.0)
    results = tolang.compile("tol x: R [n]\ntwice(v) := map(v, * * 2)\ny := map(twice(x), * + sum(x))", engine="cpu")
    assert results(x).tolist() == [10.0, 12.0, 14.0, 16.0, 18.0]
    assert results.twice(x).tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert str(results.cost().eops)
    mixed = tolang.compile("tol s: S [n]\ntol x: f32 [n]\nt := s\ny := map(x, * + 1)", engine="cpu")
    found = mixed(["a", "b"], np.ones(2, np.float32))
    assert (found["t"].tolist(), found["y"].tolist()) == (["a", "b"], [2.0, 2.0])
    large = tolang.compile("tol a: R [n,n]\nc := map(tol[n,n], reduce(map(a[i], * * a[*,j]), add, 0), [i,j])", "auto")
    assert np.array_equal(large(np.eye(128)), np.eye(128))
    index = tolang.compile("tol x: R [n]\ntol k: Z\ny := x[k]", engine="cpu")
    with pytest.raises(tolang.ToLangRunError, match="<source>:3:6: error E513"):
        index(x, 9)
    model = tolang.onnx.load(str(folder / "model.onnx"), "cpu")
    assert model(np.array([[-1.0, 2.0]], np.float32)).tolist() == [[5.0, 7.0]]


def save_model(folder: Path) -> None:
    weights = onnx.numpy_helper.from_array(np.full((1, 2), 5, np.float32), "w")
    nodes = [onnx.helper.make_node("Relu", ["x"], ["t"]), onnx.helper.make_node("Add", ["t", "w"], ["y"])]
    takes, gives = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 2]) for name in "xy")
    graph = onnx.helper.make_graph(nodes, "g", [takes], [gives], [weights])
    opsets = [onnx.helper.make_opsetid("", 17)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8), folder / "model.onnx")


Damage = Callable[[random.Random, Path, Sequence[Path]], None]


def flip(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(generator.choice([1, 1, 2, 30])):
        if content:
            content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
    path.write_bytes(content)


def cut(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: generator.choice([0, 1, 31, 32, 33, generator.randrange(len(content) + 1)])])


def grow(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    path.write_bytes(path.read_bytes() + generator.randbytes(generator.choice([1, 100])))


def exchange(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    other = generator.choice(others)
    mine, theirs = path.read_bytes(), other.read_bytes()
    path.write_bytes(theirs)
    other.write_bytes(mine)


def scatter(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    path.write_bytes(generator.randbytes(generator.choice([10, 1000])))


def remove(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    path.unlink()


def make_folder(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    path.unlink()
    path.mkdir()


def make_link(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    goal = generator.choice([str(generator.choice(others)), "/dev/zero", "/etc/passwd", "nowhere", str(path)])
    path.unlink()
    path.symlink_to(goal)


def make_pipe(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    path.unlink()
    os.mkfifo(path)


def permit(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    path.chmod(generator.choice([0o666, 0o622, 0o000, 0o200, 0o400, 0o4600]))


def give_away(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    if os.geteuid() == 0:
        os.chown(path, OTHER, OTHER)


def sealed(generator: random.Random, path: Path, others: Sequence[Path]) -> None:
    """Junk under a right digest: noise, or what belongs into an entry of the other kind.

    Code under a right digest, but of another kernel, would be run: it cannot come about but on purpose.
    """
    contents = [one.read_bytes()[cache.DIGEST :] for one in others]
    strange = [one for one in contents if one.startswith(PICKLED) == (path.suffix == cache.MACHINE_CODE)]
    content = generator.choice([b"", generator.randbytes(300), *strange])
    path.write_bytes(cache._digest(path.stem, path.suffix, content) + content)


FILES: tuple[Damage, ...] = (
    flip, flip, cut, cut, grow, exchange, exchange, scatter, remove, make_folder, make_link, make_pipe, permit, give_away,
    sealed,
)  # fmt: skip


def damage_folder(generator: random.Random, folder: Path) -> str:
    """Makes something of the folder itself that no entry can be believed in, or written to."""
    kind = generator.choice(["open", "narrow", "file", "link", "gone", "other", "around"])
    match kind:
        case "open":
            folder.chmod(generator.choice([0o777, 0o770, 0o1777, 0o707]))
        case "narrow":
            folder.chmod(generator.choice([0o500, 0o000, 0o300]))
        case "file":
            shutil.rmtree(folder)
            folder.write_bytes(b"")
        case "link":
            folder.rename(folder.with_name("moved"))
            folder.symlink_to(generator.choice(["moved", "nowhere", "cache"]))
        case "gone":
            shutil.rmtree(folder)
        case "other":
            give_away(generator, folder, ())
        case "around":
            folder.parent.chmod(0o777)
    return f"the folder {kind}"


def damage(generator: random.Random, folder: Path) -> list[str]:
    """Damages a cache; what was done to it."""
    if generator.random() < 0.15:
        return [damage_folder(generator, folder)]
    entries = sorted(folder.iterdir())
    count = generator.choice([1, 1, 2, 5, len(entries)])
    done = []
    for path in generator.sample(entries, count):
        if path.is_symlink() or not path.is_file():
            continue
        others = [one for one in entries if one.is_file() and not one.is_symlink()]
        change = generator.choice(FILES)
        change(generator, path, others)
        done.append(f"{change.__name__} {path.name}")
    return done


def run_apart(folder: Path) -> None:
    """Runs the programs in a process of its own; an `AssertionError` unless all goes well there."""
    with tempfile.TemporaryFile("w+") as told:
        process = os.fork()
        if not process:
            os._exit(_run_here(folder, told.fileno()))
        _, status = os.waitpid(process, 0)
        told.seek(0)
        text = told.read()
    if os.WIFSIGNALED(status):
        raise AssertionError(f"the process died of {signal.Signals(os.WTERMSIG(status)).name}\n{text}")
    assert os.WEXITSTATUS(status) == 0, text
    assert "Traceback" not in text, text


def _run_here(folder: Path, told: int) -> int:
    """What a process of its own does: the programs, an end by alarm where they wait for ever, and its exit code."""
    os.dup2(told, 1)
    os.dup2(told, 2)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            programs(folder.parent)
        assert len(warned) <= 1, [str(one.message) for one in warned]
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        return 1
    return 0


def run(count: int, start: int, told: bool = False) -> Counter[str]:
    """Damages so many caches; how often each kind of damage was done."""
    os.environ["TOL_COMPILE"] = "quick"
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="tolang-caches-") as place:
        home = Path(place) / "home"
        home.mkdir(mode=0o700)
        save_model(home)
        os.environ["TOL_CACHE_DIR"] = str(home / "cache")
        run_apart(home / "cache")
        sound = Path(place) / "sound"
        shutil.copytree(home, sound)
        for number in range(count):
            generator = random.Random(f"{start} {number}")
            _renew(home, sound)
            done = damage(generator, home / "cache")
            kinds.update(one.split()[0] if not one.startswith("the ") else one for one in done)
            try:
                run_apart(home / "cache")
                run_apart(home / "cache")
            except AssertionError as error:
                raise AssertionError(f"seed {start}, case {number}: {'; '.join(done)}\n{error}") from None
            if told and number % 50 == 49:
                print(f"{number + 1} caches", flush=True)
    return kinds


def _renew(home: Path, sound: Path) -> None:
    for path in home.iterdir():
        if path.is_dir() and not path.is_symlink():
            path.chmod(stat.S_IRWXU)
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.copytree(sound, home, dirs_exist_ok=True)
    home.chmod(0o700)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Caches damaged at random.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    print(dict(run(given.count, given.seed, told=True)))
