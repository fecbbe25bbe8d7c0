"""Memory of compiled code: how it is taken and given back, and what is held against what there is.

    tolang_take(bytes)      memory, or null where there is not enough, or not enough is allowed
    tolang_give(memory)     gives it back
    tolang_hand(memory)     counts it no more: whoever called the code owns it now
    tolang_begin()          begins a run, in which much is asked for anew
    tolang_holds()          how many bytes are taken and neither given back nor handed out

What is held is counted, small pieces apart.  A run may take a little without asking; then Python is asked, once a run,
how much more there is, for systems give out addresses more freely than the memory behind them.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tolang.ground.memory import allowed_memory, available_memory, physical_memory

COUNTED = 1 << 12
"""Bytes from which on a piece is counted."""
WITHOUT_ASKING = 1 << 28
"""Bytes that a run may take before it asks, on a machine that has many times as much."""

TAKING = """
@held = internal global i64 0, align 64
@ceiling = internal global i64 0
@measured = internal global i64 0
@begun = internal global i64 0
@pass = internal global i64 0
@request = internal global ptr null
@asking = internal global [5 x ptr] zeroinitializer

declare ptr @malloc(i64)
declare void @free(ptr)
declare i64 @USABLE(ptr)

define void @tolang_memory(ptr %functions, ptr %request, i64 %pass) {
  call void @llvm.memcpy.p0.p0.i64(ptr @asking, ptr %functions, i64 40, i1 false)
  store ptr %request, ptr @request
  store i64 %pass, ptr @pass
  ret void
}

define void @tolang_begin() {
  %held = load atomic i64, ptr @held monotonic, align 8
  %pass = load i64, ptr @pass
  %ceiling = add i64 %held, %pass
  store i64 %held, ptr @begun
  store i64 %ceiling, ptr @ceiling
  store i64 0, ptr @measured
  ret void
}

define i64 @tolang_holds() {
  %held = load atomic i64, ptr @held monotonic, align 8
  ret i64 %held
}

define noalias ptr @tolang_take(i64 %bytes) {
entry:
  %before = load atomic i64, ptr @held monotonic, align 8
  %wanted = add i64 %before, %bytes
  %ceiling = load i64, ptr @ceiling
  %beyond = icmp sgt i64 %wanted, %ceiling
  %large = icmp sge i64 %bytes, COUNTED
  %asks = and i1 %beyond, %large
  br i1 %asks, label %question, label %take
question:
  %granted = call i64 @ask(i64 %bytes, i64 %wanted, i64 0)
  %yes = icmp ne i64 %granted, 0
  br i1 %yes, label %take, label %no
take:
  %memory = call ptr @malloc(i64 %bytes)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %refused, label %got
refused:
  %told = call i64 @ask(i64 %bytes, i64 %wanted, i64 1)
  br label %no
no:
  ret ptr null
got:
  %size = call i64 @USABLE(ptr %memory)
  %small = icmp ult i64 %size, COUNTED
  br i1 %small, label %done, label %count
count:
  %old = atomicrmw add ptr @held, i64 %size monotonic
  br label %done
done:
  ret ptr %memory
}

define void @tolang_hand(ptr %memory) {
  %size = call i64 @USABLE(ptr %memory)
  %small = icmp ult i64 %size, COUNTED
  %counted = select i1 %small, i64 0, i64 %size
  %old = atomicrmw sub ptr @held, i64 %counted monotonic
  ret void
}

define void @tolang_give(ptr %memory) {
entry:
  %none = icmp eq ptr %memory, null
  br i1 %none, label %end, label %some
some:
  call void @tolang_hand(ptr %memory)
  call void @free(ptr %memory)
  br label %end
end:
  ret void
}

define internal i64 @ask(i64 %size, i64 %held, i64 %failed) noinline cold {
entry:
  %ensure = load ptr, ptr @asking
  %state = call i32 %ensure()
  %request = load ptr, ptr @request
  %held.at = getelementptr i64, ptr %request, i64 1
  %begun.at = getelementptr i64, ptr %request, i64 2
  %ceiling.at = getelementptr i64, ptr %request, i64 3
  %measured.at = getelementptr i64, ptr %request, i64 4
  %granted.at = getelementptr i64, ptr %request, i64 5
  store i64 %size, ptr %request
  store i64 %held, ptr %held.at
  %begun = load i64, ptr @begun
  store i64 %begun, ptr %begun.at
  %ceiling = load i64, ptr @ceiling
  store i64 %ceiling, ptr %ceiling.at
  %measured = load i64, ptr @measured
  store i64 %measured, ptr %measured.at
  store i64 0, ptr %granted.at
  %failed.at = getelementptr i64, ptr %request, i64 6
  store i64 %failed, ptr %failed.at
  %call.at = getelementptr ptr, ptr @asking, i64 1
  %call = load ptr, ptr %call.at
  %policy.at = getelementptr ptr, ptr @asking, i64 4
  %policy = load ptr, ptr %policy.at
  %result = call ptr %call(ptr %policy)
  %raised = icmp eq ptr %result, null
  br i1 %raised, label %keep, label %answered
keep:
  call void @keep_exception()
  br label %release
answered:
  %drop.at = getelementptr ptr, ptr @asking, i64 2
  %drop = load ptr, ptr %drop.at
  call void %drop(ptr %result)
  %found = load i64, ptr %ceiling.at
  store i64 %found, ptr @ceiling
  store i64 1, ptr @measured
  br label %release
release:
  %give.back.at = getelementptr ptr, ptr @asking, i64 3
  %give.back = load ptr, ptr %give.back.at
  %granted = load i64, ptr %granted.at
  call void %give.back(i32 %state)
  ret i64 %granted
}
""".replace("COUNTED", str(COUNTED)).replace(
    "USABLE", "malloc_size" if sys.platform == "darwin" else "malloc_usable_size"
)
SYMBOLS = ("tolang_take", "tolang_give", "tolang_hand", "tolang_begin", "tolang_holds", "tolang_memory")
_FUNCTIONS = ("PyGILState_Ensure", "PyObject_CallNoArgs", "Py_DecRef", "PyGILState_Release")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Memory that was not given: how much was asked for, how much there was, and whether more was not allowed."""

    asked: int
    there: int
    allowed: bool


class Taking:
    """What compiled code asks where it takes much memory; `refusal` is the last that was refused."""

    def __init__(self, addresses: dict[str, int]) -> None:
        self._request = (ctypes.c_int64 * 7)()
        self._policy: Callable[[], None] = self._answer
        functions = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _FUNCTIONS]
        self._functions = (ctypes.c_void_p * 5)(*functions, id(self._policy))
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        self._tell: Any = kind(addresses["tolang_memory"])
        self.held: Callable[[], int] = ctypes.CFUNCTYPE(ctypes.c_int64)(addresses["tolang_holds"])
        self.refusal: Refusal | None = None
        self.set_pass()

    def set_pass(self) -> None:
        """Tells compiled code how much a run may take without asking."""
        allowed = allowed_memory()
        most = min(WITHOUT_ASKING, physical_memory() // 16, *(() if allowed is None else (allowed,)))
        self._tell(ctypes.addressof(self._functions), ctypes.addressof(self._request), most)

    def _answer(self) -> None:
        """Grants a request or not, and tells up to where all others will be."""
        size, held, begun, ceiling, measured, _, failed = self._request
        allowed, there = allowed_memory(), available_memory()
        if not measured:
            ceiling = held - size + there
        limit = ceiling if allowed is None else begun + allowed
        most = min(ceiling, limit)
        self._request[3], self._request[5] = most, held <= most
        if held > most or failed:
            self.refusal = Refusal(size, min(there, most - (held - size)), most == limit < ceiling)
