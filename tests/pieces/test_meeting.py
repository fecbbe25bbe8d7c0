"""What workers hand one another: where they meet, and errors that travel; without any cluster."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from tolang.engines.contract import Failed, Fault
from tolang.engines.dask import spmd_groups
from tolang.ground.dataclasses import replace


def test_a_hub_knows_members_by_their_numbers() -> None:
    """Whoever comes first; who does not show the token is no member."""
    hub = spmd_groups.Hub(3)
    stranger = replace(hub.ticket, token=bytes(32)).table(1)
    tables = {number: hub.ticket.table(number) for number in (2, 0, 1)}
    hub.gather()
    with ThreadPoolExecutor(3) as threads:
        met = [threads.submit(one.meet, spmd_groups.SHARES, number, 10) for number, one in tables.items()]
        why, tasks, given = hub.meeting(lambda: None)
        assert (why, tasks, [pickle.loads(one) for one in given]) == (spmd_groups.SHARES, 30, [0, 1, 2])
        hub.answer("all")
        assert [one.result() for one in met] == ["all"] * 3
    hub.close()
    for one in (stranger, *tables.values()):
        with pytest.raises(spmd_groups.WorkerLost):
            one.meet(spmd_groups.DONE, None)
        one.close()


def test_who_is_done_takes_what_others_have_left() -> None:
    """Each has its own tasks first; nobody has one that another has begun, and the next stage begins anew."""
    hub = spmd_groups.Hub(2)
    slow, fast = tables = [hub.ticket.table(number) for number in range(2)]
    one, other = slow.claimed(7, 0, 2), fast.claimed(7, 1, 2)
    assert [next(one), next(other), next(one)] == [0, 1, 2]
    assert list(other) == [3, 5, 6, 4]
    assert list(one) == []
    for table in tables:
        table.meetings += 1
    assert list(fast.claimed(3, 1, 2)) == [1, 2, 0]
    assert list(slow.claimed(3, 0, 2)) == []
    hub.close()
    for table in tables:
        table.close()


def test_a_failed_check_travels() -> None:
    """Processes hand an error on with the one that it came from, where `tblib` is."""
    failed = Failed(Fault("E513", "beyond the end", None))
    found = pickle.loads(pickle.dumps(failed))
    assert (found.fault, str(found)) == (failed.fault, "beyond the end")
