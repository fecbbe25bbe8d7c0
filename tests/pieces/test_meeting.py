"""What workers hand one another: where they meet, and errors that travel; without any cluster."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from tolang.engines.dask import gangs
from tolang.engines.interface import Failed, Fault
from tolang.ground.dataclasses import replace


def test_a_hub_knows_members_by_their_numbers() -> None:
    """Whoever comes first; who does not show the token is no member."""
    hub = gangs.Hub(3)
    stranger = replace(hub.ticket, token=bytes(32)).table(1)
    tables = {number: hub.ticket.table(number) for number in (2, 0, 1)}
    hub.gather()
    with ThreadPoolExecutor(3) as threads:
        met = [threads.submit(one.meet, gangs.SHARES, number, 10) for number, one in tables.items()]
        why, tasks, given = hub.meeting(lambda: None)
        assert (why, tasks, [pickle.loads(one) for one in given]) == (gangs.SHARES, 30, [0, 1, 2])
        hub.answer("all")
        assert [one.result() for one in met] == ["all"] * 3
    hub.close()
    for one in (stranger, *tables.values()):
        with pytest.raises(gangs.Parted):
            one.meet(gangs.DONE, None)
        one.close()


def test_a_failed_check_travels() -> None:
    """Processes hand an error on with the one that it came from, where `tblib` is."""
    failed = Failed(Fault("E513", "beyond the end", None))
    found = pickle.loads(pickle.dumps(failed))
    assert (found.fault, str(found)) == (failed.fault, "beyond the end")
