"""How many processors a process may use, in containers of both versions of control groups."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tolang.ground.system import groups
from tolang.ground.system.processors import available_processors


@pytest.mark.parametrize(
    ("member", "files", "share"),
    [
        ("0::/box\n", {"box/cpu.max": "250000 100000\n"}, 3),
        ("0::/box/inner\n", {"box/cpu.max": "100000 100000", "box/inner/cpu.max": "max 100000"}, 1),
        ("0::/box\n", {"box/cpu.max": "max 100000\n"}, None),
        ("4:cpu,cpuacct:/box\n", {"cpu/box/cpu.cfs_quota_us": "150000", "cpu/box/cpu.cfs_period_us": "100000"}, 2),
        ("4:cpu,cpuacct:/box\n", {"cpu/box/cpu.cfs_quota_us": "-1", "cpu/box/cpu.cfs_period_us": "100000"}, None),
        ("0::/box\n", {"box/cpu.max": "nonsense\n"}, None),
    ],
)
def test_a_container_has_a_share(
    member: str, files: dict[str, str], share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "membership").write_text(member)
    monkeypatch.setattr(groups, "GROUPS", tmp_path)
    monkeypatch.setattr(groups, "MEMBERSHIP", tmp_path / "membership")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert available_processors() == (8 if share is None else share)
