"""Threads for compiled code: a pool that waits in native code and shares out pieces of work by an atomic counter.

    tolang_parallel(work, frame, count, grain)   runs work(frame, low, high) over 0..count in pieces of `grain`
    tolang_threads(n)                            says how many threads take part

Workers spin a little before they sleep, so that regions in quick succession cost less than a microsecond to start.  A
process that was forked starts workers of its own.  A region inside a region, or from a second Python thread,
runs on the thread it is on.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

SPINS = 4000
LARGEST = 64

RUNTIME = """
@mutex = internal global [256 x i8] zeroinitializer, align 16
@wake = internal global [256 x i8] zeroinitializer, align 16
@done = internal global [256 x i8] zeroinitializer, align 16
@generation = internal global i64 0, align 64
@running = internal global i64 0, align 64
@next = internal global i64 0, align 64
@busy = internal global i64 0, align 64
@count = internal global i64 0
@grain = internal global i64 1
@job = internal global ptr null
@frame = internal global ptr null
@threads = internal global i64 1
@started = internal global i64 0
@owner = internal global i64 -1

declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(ptr)
declare i32 @getpid()

define internal void @work() {
entry:
  %count = load i64, ptr @count
  %grain = load i64, ptr @grain
  %job = load ptr, ptr @job
  %frame = load ptr, ptr @frame
  br label %again
again:
  %low = atomicrmw add ptr @next, i64 %grain monotonic
  %over = icmp sge i64 %low, %count
  br i1 %over, label %end, label %take
take:
  %next = add i64 %low, %grain
  %less = icmp slt i64 %next, %count
  %high = select i1 %less, i64 %next, i64 %count
  call void %job(ptr %frame, i64 %low, i64 %high)
  br label %again
end:
  ret void
}

define internal ptr @worker(ptr %argument) {
entry:
  %packed = ptrtoint ptr %argument to i64
  %index = and i64 %packed, 255
  %start = lshr i64 %packed, 8
  br label %wait
wait:
  %seen = phi i64 [ %start, %entry ], [ %now, %wait.again ]
  br label %spin
spin:
  %turn = phi i64 [ 0, %wait ], [ %turn2, %idle ]
  %here = load atomic i64, ptr @generation acquire, align 8
  %changed = icmp ne i64 %here, %seen
  br i1 %changed, label %go, label %idle
idle:
  %turn2 = add i64 %turn, 1
  %tired = icmp uge i64 %turn2, SPINS
  br i1 %tired, label %sleep, label %spin
sleep:
  call i32 @pthread_mutex_lock(ptr @mutex)
  br label %check
check:
  %there = load atomic i64, ptr @generation acquire, align 8
  %new = icmp ne i64 %there, %seen
  br i1 %new, label %awake, label %doze
doze:
  call i32 @pthread_cond_wait(ptr @wake, ptr @mutex)
  br label %check
awake:
  call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %go
go:
  %now = load atomic i64, ptr @generation acquire, align 8
  %threads = load i64, ptr @threads
  %wanted = icmp slt i64 %index, %threads
  br i1 %wanted, label %do, label %rest
do:
  call void @work()
  br label %rest
rest:
  %left = atomicrmw sub ptr @running, i64 1 acq_rel
  %last = icmp eq i64 %left, 1
  br i1 %last, label %tell, label %wait.again
tell:
  call i32 @pthread_mutex_lock(ptr @mutex)
  call i32 @pthread_cond_signal(ptr @done)
  call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %wait.again
wait.again:
  br label %wait
}

define internal void @start() {
entry:
  %thread = alloca i64
  %pid = call i32 @getpid()
  %wide = sext i32 %pid to i64
  %owner = load i64, ptr @owner
  %same = icmp eq i64 %wide, %owner
  br i1 %same, label %more, label %first
first:
  call i32 @pthread_mutex_init(ptr @mutex, ptr null)
  call i32 @pthread_cond_init(ptr @wake, ptr null)
  call i32 @pthread_cond_init(ptr @done, ptr null)
  store i64 %wide, ptr @owner
  store i64 0, ptr @started
  br label %more
more:
  %started = load i64, ptr @started
  %threads = load i64, ptr @threads
  %workers = sub i64 %threads, 1
  %lacking = icmp slt i64 %started, %workers
  br i1 %lacking, label %create, label %end
create:
  %index = add i64 %started, 1
  %generation = load atomic i64, ptr @generation acquire, align 8
  %high = shl i64 %generation, 8
  %packed = or i64 %high, %index
  %argument = inttoptr i64 %packed to ptr
  %status = call i32 @pthread_create(ptr %thread, ptr null, ptr @worker, ptr %argument)
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %end, label %counted
counted:
  %handle = load ptr, ptr %thread
  call i32 @pthread_detach(ptr %handle)
  store i64 %index, ptr @started
  br label %more
end:
  ret void
}

define void @tolang_threads(i64 %n) {
  store i64 %n, ptr @threads
  ret void
}

define void @tolang_parallel(ptr %job, ptr %frame, i64 %count, i64 %grain) {
entry:
  %threads = load i64, ptr @threads
  %alone = icmp sle i64 %threads, 1
  %small = icmp sle i64 %count, %grain
  %simple = or i1 %alone, %small
  br i1 %simple, label %straight, label %try
try:
  %pair = cmpxchg ptr @busy, i64 0, i64 1 acq_rel monotonic
  %mine = extractvalue { i64, i1 } %pair, 1
  br i1 %mine, label %shared, label %straight
straight:
  call void %job(ptr %frame, i64 0, i64 %count)
  ret void
shared:
  call void @start()
  %workers = load i64, ptr @started
  store ptr %job, ptr @job
  store ptr %frame, ptr @frame
  store i64 %count, ptr @count
  store i64 %grain, ptr @grain
  store atomic i64 0, ptr @next release, align 8
  store atomic i64 %workers, ptr @running release, align 8
  call i32 @pthread_mutex_lock(ptr @mutex)
  atomicrmw add ptr @generation, i64 1 acq_rel
  call i32 @pthread_cond_broadcast(ptr @wake)
  call i32 @pthread_mutex_unlock(ptr @mutex)
  call void @work()
  br label %spin
spin:
  %turn = phi i64 [ 0, %shared ], [ %turn2, %idle ]
  %left = load atomic i64, ptr @running acquire, align 8
  %none = icmp eq i64 %left, 0
  br i1 %none, label %end, label %idle
idle:
  %turn2 = add i64 %turn, 1
  %tired = icmp uge i64 %turn2, SPINS
  br i1 %tired, label %sleep, label %spin
sleep:
  call i32 @pthread_mutex_lock(ptr @mutex)
  br label %check
check:
  %still = load atomic i64, ptr @running acquire, align 8
  %finished = icmp eq i64 %still, 0
  br i1 %finished, label %awake, label %doze
doze:
  call i32 @pthread_cond_wait(ptr @done, ptr @mutex)
  br label %check
awake:
  call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %end
end:
  store atomic i64 0, ptr @busy release, align 8
  ret void
}
""".replace("SPINS", str(SPINS))


def default_threads() -> int:
    """As many as the process may use, or as `TOL_NUM_THREADS` says."""
    wanted = os.environ.get("TOL_NUM_THREADS", "")
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    number = int(wanted) if wanted.isdigit() and int(wanted) > 0 else available
    return min(number, LARGEST)


def set_threads(symbols: Any, number: int) -> None:
    """Tells the loaded runtime how many threads take part from now on."""
    ctypes.CFUNCTYPE(None, ctypes.c_int64)(symbols["tolang_threads"])(max(1, min(number, LARGEST)))
