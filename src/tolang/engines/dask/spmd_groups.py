"""Gangs: near workers that go through the turns of a repetition side by side, with nobody between two of its stages.

Every member runs the whole repetition: what is little, each computes for itself; of the tasks of a stage, each performs
its share.  Then all of them meet, and hand round what tasks have given that is not in memory which they share.  They
meet at a hub in the process that planned the program, which makes that memory, too, and sees at once when a member is
lost: then the repetition begins anew, without a gang.
"""

from __future__ import annotations

import hmac
import os
import pickle
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any, BinaryIO, Protocol

import numpy as np

from tolang.engines.dask.cluster import OnWorkers, Perform, Recipe, TaskTrouble
from tolang.engines.dask.grids import Cut, bytes_of
from tolang.engines.dask.parts import Driven, PlacedProgram, all_cuts, read_by
from tolang.engines.dask.placement import AGAIN
from tolang.engines.dask.requests import (
    SMALL_TO_SEND,
    Compiler,
    Goal,
    InMemory,
    Performed,
    Reachable,
    RegionSource,
    Request,
    array_for,
    is_reachable,
)
from tolang.engines.dask.running import Running
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.system.memory import return_memory
from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import dtype_of
from tolang.plan.nest import Buffer
from tolang.plan.regions import lengths_at

ARRIVING = 5.0
"""Seconds that a gang waits for its members: workers may have other tasks to do."""
LOOKING = 1.0
"""Seconds between two looks at whether the cluster is still there."""
STAGE = 8
"""Bytes that tell of which stage claims are."""
SHARES, ROOM, DONE, FAILED = "shares", "room", "done", "failed"
"""Why members meet: to hand round what their shares gave, to have an array, at the end, or for one has failed."""


class WorkerLost(Exception):
    """A member, or the hub, is not there any more."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """How a member finds the hub, and what it shows there."""

    address: str
    token: bytes
    claims: str

    def table(self, number: int) -> Rendezvous:
        """The place of a member of a number at the hub."""
        connecting = socket.socket(socket.AF_UNIX)
        try:
            connecting.connect(self.address)
            claims = open(self.claims, "r+b", buffering=0)  # noqa: SIM115  # the table closes it
        except OSError as error:
            connecting.close()
            raise WorkerLost(str(error)) from None
        table = Rendezvous(Connection(connecting.detach()), claims)
        table.show(self.token + number.to_bytes(8))
        return table


class Rendezvous:
    """Where a member meets the others; so often it did.

    Tasks are claimed meanwhile, in a file that all of them have open: which stage it is, and a byte for each task.
    """

    def __init__(self, connection: Connection, claims: BinaryIO) -> None:
        self._connection, self._claims, self.meetings = connection, claims, 0

    def show(self, token: bytes) -> None:
        """Shows who it is, the first thing of all."""
        try:
            self._connection.send_bytes(token)
        except OSError as error:
            self.close()
            raise WorkerLost(str(error)) from None

    def claimed(self, tasks: int, number: int, members: int) -> Iterator[int]:
        """Tasks of a stage that nobody else has begun: those of a member of a number, then what others have left."""
        import fcntl  # which only systems have that have gangs

        stage, file = (self.meetings + 1).to_bytes(STAGE), self._claims.fileno()
        while True:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                found = os.pread(file, STAGE + tasks, 0)
                begun = bytearray(found[STAGE:] if found[:STAGE] == stage else tasks)
                place = begun[number::members].find(0)
                task = number + place * members if place >= 0 else begun.rfind(0)
                if task < 0:
                    return
                begun[task] = 1
                os.pwrite(file, stage + begun, 0)
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)
            yield task

    def meet(self, why: str, given: object, tasks: int = 0) -> Any:
        """Hands something in, after so many tasks, and waits for what the hub says once all have done so."""
        try:
            self._connection.send_bytes(pickle.dumps((why, tasks, pickle.dumps(given))))
            found = pickle.loads(self._connection.recv_bytes())
        except (EOFError, OSError) as error:
            raise WorkerLost(str(error)) from None
        self.meetings += 1
        return found

    def fail(self, error: Exception) -> None:
        """Tells what has gone wrong, which ends it for all."""
        try:
            pickle.dumps(error)
        except Exception:
            error = AssertionError(repr(error))
        self.meet(FAILED, error)

    def close(self) -> None:
        self._connection.close()
        self._claims.close()


class Hub:
    """Where members meet, in the process that planned the program; nobody else is let in."""

    def __init__(self, members: int) -> None:
        self.number = members
        self._claims = os.memfd_create("tolang")
        claims = f"/proc/{os.getpid()}/fd/{self._claims}"
        self.ticket = Credentials(f"\0tolang-{secrets.token_hex(16)}", secrets.token_bytes(32), claims)
        self._members: dict[int, Connection] = {}
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(self.ticket.address)
        self._door.listen(members)

    def gather(self) -> None:
        """Waits for all members."""
        end = time.monotonic() + ARRIVING
        while len(self._members) < self.number:
            self._door.settimeout(max(0.0, end - time.monotonic()) or 1e-3)
            try:
                connection = Connection(self._door.accept()[0].detach())
            except OSError:
                raise WorkerLost("not all members came") from None
            number = self._shown(connection)
            if number is None:
                connection.close()
            else:
                self._members[number] = connection

    def _shown(self, connection: Connection) -> int | None:
        """The number of the member that has come; None where it is none."""
        size = len(self.ticket.token)
        try:
            shown = connection.recv_bytes(size + 8) if connection.poll(1) else b""
        except (EOFError, OSError):
            return None
        number = int.from_bytes(shown[size:])
        known = hmac.compare_digest(shown[:size], self.ticket.token)
        return number if known and number < self.number and number not in self._members else None

    def meeting(self, look: Callable[[], None]) -> tuple[str, int, list[bytes]]:
        """Why all members have met, after how many tasks, and what each has handed in; looks around meanwhile."""
        found = dict[Any, tuple[str, int, bytes]]()
        while len(found) < self.number:
            ready = wait([one for one in self._members.values() if one not in found], LOOKING)
            if not ready:
                look()
            for one in ready:
                assert isinstance(one, Connection)
                try:
                    found[one] = pickle.loads(one.recv_bytes())
                except (EOFError, OSError) as error:
                    raise WorkerLost(str(error)) from None
                if found[one][0] == FAILED:
                    return FAILED, 0, [found[one][2]]
        why = {one for one, _, _ in found.values()}
        assert len(why) == 1, why
        given = [found[self._members[number]][2] for number in range(self.number)]
        return why.pop(), sum(tasks for _, tasks, _ in found.values()), given

    def answer(self, given: object) -> None:
        said = pickle.dumps(given)
        try:
            for one in self._members.values():
                one.send_bytes(said)
        except OSError as error:
            raise WorkerLost(str(error)) from None

    def close(self) -> None:
        """Ends it: members that wait here are told so, by that."""
        self._door.close()
        if self._claims >= 0:
            os.close(self._claims)
            self._claims = -1
        for one in self._members.values():
            one.close()


# Members, on workers

_Kind = tuple[tuple[int, ...], np.dtype[Any]]
"""What arrays have in common of which one may be where another was."""


class Commons:
    """Room for what stages give to each other: a member's own, or shared by all, which is taken again once freed.

    It is taken again after the next meeting: until then another member may still read what was in it.
    """

    shared = True

    def __init__(self, table: Rendezvous) -> None:
        self.table = table
        self._rooms: dict[int, tuple[Goal, _Kind]] = {}
        self._freed: dict[_Kind, list[tuple[int, Goal]]] = {}
        self._mapped: dict[int, Reachable] = {}

    def room_for(self, buffer: Buffer, known: Mapping[str, int]) -> Goal:
        if bytes_of(buffer, known) <= SMALL_TO_SEND:
            return array_for(buffer, known)
        key = lengths_at(buffer.shape, known), dtype_of(buffer.column.storage)
        freed = self._freed.get(key, [])
        if freed and freed[0][0] < self.table.meetings:
            return freed.pop(0)[1]
        made: Goal = self.table.meet(ROOM, key)
        self._rooms[id(made)] = made, key
        return made

    def holding(self, buffer: Buffer, known: Mapping[str, int], block: Array) -> Goal:
        return InMemory(block)

    def all_of(self, room: Reachable) -> Reachable:
        """A room in the addresses of this process, as long as there is a repetition: another turn has it again."""
        if id(room) not in self._mapped:
            self._mapped[id(room)] = room.all_of()
        return self._mapped[id(room)]

    def lasting(self, source: RegionSource, buffer: Buffer, known: Mapping[str, int]) -> RegionSource:
        return source

    def free(self, goal: RegionSource) -> None:
        if id(goal) in self._rooms:
            room, key = self._rooms[id(goal)]
            self._freed.setdefault(key, []).append((self.table.meetings, room))


class MemberRunner:
    """Performs a member's share of the tasks of each stage."""

    def __init__(
        self, perform: Perform, recipes: Mapping[int, Recipe], table: Rendezvous, which: tuple[int, int]
    ) -> None:
        """It is `which` of how many members."""
        self._perform, self._recipes, self.table = perform, recipes, table
        self.number, self.members = which

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        if in_order:
            for number, request in enumerate(requests):
                only = [number] if number % self.members == self.number else []
                yield request, self._handed_round(cut, {number: request}, only)[number]
            return
        asked = dict(enumerate(map(_with_reachable_goals, requests)))
        own = range(self.number, len(asked), self.members)
        several = len(asked) > self.members  # else there is nothing to take from others
        claimed = self.table.claimed(len(asked), self.number, self.members) if several else own
        given = self._handed_round(cut, asked, claimed)
        for number, request in asked.items():
            yield request, given[number]

    def _handed_round(self, cut: Cut, requests: Mapping[int, Request], own: Iterable[int]) -> dict[int, list[Array]]:
        """What tasks gave, some of which this member has for its own; where one failed, all members have its error."""
        found, trouble, recipe = dict[int, list[Array]](), None, self._recipes[id(cut)]
        try:
            for number in own:
                found[number] = self._perform(recipe, requests[number], ())
        except TaskTrouble as wrong:
            trouble = wrong
        finally:
            return_memory(AGAIN)
        shares = [pickle.loads(one) for one in self.table.meet(SHARES, (found, trouble), len(found))]
        for _, failure in shares:
            if failure is not None:
                raise failure.told()
        return {number: one for share, _ in shares for number, one in share.items()}

    def submit(self, cut: Cut, request: Request, number: int) -> Any:
        raise AssertionError("what members compute is not kept elsewhere")

    def settle(self) -> None:
        """All that was asked for is done."""

    def stop(self) -> None:
        """Nothing is left to be done."""


def _with_reachable_goals(request: Request) -> Request:
    return replace(request, goals={name: both for name, both in request.goals.items() if is_reachable(both[0])})


@dataclass(frozen=True, slots=True)
class MemberTask:
    """What each of some members runs: a repetition, the only part of what is `placed`, with what it begins with.

    It is placed as bytes, by which a worker knows again what it has run before.
    """

    placed: bytes
    recipes: tuple[Recipe, ...]
    known: Mapping[str, int]
    arrays: Mapping[str, RegionSource]
    numerics: Mapping[str, Array]
    seed: int
    members: int


def run_as_member(
    job: MemberTask, placed: PlacedProgram, compiler: Compiler, perform: Perform, table: Rendezvous, number: int
) -> None:
    """Goes through a repetition with all other members; the hub has its state then."""
    (driven,) = placed.cuts
    assert isinstance(driven, Driven)
    recipes = {id(cut): recipe for cut, recipe in zip(all_cuts(placed.cuts), job.recipes, strict=True)}
    member, commons = MemberRunner(perform, recipes, table, (number, job.members)), Commons(table)
    running = Running(
        placed, _never, compiler, member, commons, dict(job.arrays), _never, job.seed, apart=True,
        numerics=dict(job.numerics),
    )  # fmt: skip
    running.turn_by_turn(driven, job.known)
    begun = [id(one) for one in job.arrays.values()]
    left = {now.name: running.arrays[now.name] for now, _ in driven.repetition.states}
    states = {name: None if id(one) in begun else one for name, one in left.items()}
    numerics = {name: running.numerics[name] for name, _ in driven.repetition.left}
    table.meet(DONE, (states, numerics) if number == 0 else None)


def _never(*given: Any) -> Any:
    raise AssertionError("all of a repetition is placed")


# The hub, where a program was planned


class SharedRooms(Protocol):
    """Where arrays are that other processes of this machine reach."""

    def shared_room(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Any: ...
    def free(self, goal: RegionSource) -> None: ...


class GroupMember(Protocol):
    """What a worker does as a member of a gang, by its number; found there by its name."""

    def __call__(self, ticket: Credentials, job: MemberTask, number: int) -> None: ...


class SpmdGroup:
    """Has near workers go through repetitions as gangs, as long as all of them come and none is lost."""

    def __init__(self, workers: OnWorkers, join: GroupMember, rooms: SharedRooms) -> None:
        self.workers, self.join, self.rooms = workers, join, rooms
        self.given_up = False

    def drive(self, running: Running, driven: Driven, known: Mapping[str, int]) -> bool:
        """Whether a gang has been through a repetition, so that its state is what that leaves."""
        members = [] if self.given_up else self.workers.threads()
        job = _job(running, driven, known, self.workers.recipe_of, len(members)) if members else None
        if job is None:
            return False
        made = list[Reachable]()
        try:
            with self._gathered(job, members) as hub:
                states, numerics = self._met(hub, running, made)
            running.numerics |= numerics
            for now, _ in driven.repetition.states:
                running.arrays[now.name] = self._left(running, driven, now, known, states[now.name], made)
        except WorkerLost:
            self.given_up = True
            return False
        finally:
            for one in made:
                self.rooms.free(one)
        return True

    @contextmanager
    def _gathered(self, job: MemberTask, members: Sequence[str]) -> Iterator[Hub]:
        """A hub at which a member on each thread of the workers is; when it ends, so do they."""
        with closing(Hub(len(members))) as hub:
            futures = [self.workers.bound(one, self.join, hub.ticket, job, k) for k, one in enumerate(members)]
            try:
                hub.gather()
                yield hub
            except BaseException:
                hub.close()
                self.workers.give_up(futures)
                raise

    def _met(self, hub: Hub, running: Running, made: list[Reachable]) -> tuple[dict[str, Any], dict[str, Array]]:
        """What the members leave; arrays are made for them meanwhile."""
        while True:
            why, tasks, given = hub.meeting(self.workers.look)
            for _ in range(tasks):
                running.tell()
            match why:
                case "room":
                    shape, dtype = pickle.loads(given[0])
                    made.append(self.rooms.shared_room(shape, dtype))
                    hub.answer(made[-1].reached())
                case "failed":
                    wrong = pickle.loads(given[0])
                    raise wrong.told() if isinstance(wrong, TaskTrouble) else wrong
                case "done":
                    hub.answer(None)
                    found: tuple[dict[str, Any], dict[str, Array]] = pickle.loads(given[0])
                    return found
                case _:
                    hub.answer(given)

    def _left(
        self, running: Running, driven: Driven, now: Buffer, known: Mapping[str, int], left: Any, made: list[Reachable]
    ) -> RegionSource:
        """A buffer of the state as it is left: as it was, an array that was made for it, or one that a member had."""
        if left is None:
            return running.arrays[driven.begins.get(now.name, now.name)]
        shared = next((one for one in made if one.reached() == left), None)
        if shared is not None:
            made.remove(shared)
            return shared
        room = running.rooms.room_for(now, known)
        room.write(tuple((1, length) for length in left.array.shape), left.array)
        return room


def _job(
    running: Running, driven: Driven, known: Mapping[str, int], recipe_of: Callable[[Cut], Recipe], members: int
) -> MemberTask | None:
    """What members run; None where they could not read what it begins with."""
    names = read_by(driven) | {now.name for now, _ in driven.repetition.states} & running.arrays.keys()
    arrays = {name: one.reached() if is_reachable(one := running.arrays[name]) else one for name in sorted(names)}
    if not all(one.is_shared or isinstance(one, InMemory) for one in arrays.values()):
        return None
    placed = replace(running.placed, cuts=(driven,), peak=0, baseline=0)  # which are others in each run
    recipes = tuple(map(recipe_of, all_cuts(placed.cuts)))
    return MemberTask(pickle.dumps(placed), recipes, dict(known), arrays, dict(running.numerics), running.seed, members)
