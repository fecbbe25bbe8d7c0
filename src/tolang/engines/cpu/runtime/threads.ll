; Threads for compiled code.  Words in capitals are numbers that threads.py puts in.

@mutex = internal global [256 x i8] zeroinitializer, align 16
@wake = internal global [256 x i8] zeroinitializer, align 16
@done = internal global [256 x i8] zeroinitializer, align 16
@generation = internal global i64 0, align 64
@inside = internal global i64 CLOSED, align 64
@next = internal global i64 0, align 64
@busy = internal global i64 0, align 64
@count = internal global i64 0
@grain = internal global i64 1
@job = internal global ptr null
@frame = internal global ptr null
@fault = internal global ptr null
@threads = internal global i64 1
@started = internal global i64 0
@owner = internal global i64 -1
@stopped = internal global i64 0
@main = internal global i64 0
@tick = internal global i64 0
@python = internal global [5 x ptr] zeroinitializer
@exception = internal global [3 x ptr] zeroinitializer

declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(ptr)
declare i32 @getpid()
declare ptr @pthread_self()
declare i32 @gettimeofday(ptr, ptr)

define i64 @tolang_look(ptr %fault) {
entry:
  %time = alloca [4 x i64]
  %known = load atomic i64, ptr %fault monotonic, align 8
  %wrong = icmp ne i64 %known, 0
  br i1 %wrong, label %found, label %whose
found:
  ret i64 %known
whose:
  %self = call ptr @pthread_self()
  %thread = ptrtoint ptr %self to i64
  %main = load i64, ptr @main
  %ours = icmp eq i64 %thread, %main
  br i1 %ours, label %look, label %go.on
look:
  %stopped = load i64, ptr @stopped
  %over = icmp ne i64 %stopped, 0
  br i1 %over, label %stop, label %clock
clock:
  %status = call i32 @gettimeofday(ptr %time, ptr null)
  %seconds = load i64, ptr %time
  %place = getelementptr i64, ptr %time, i64 1
  %micros = load i32, ptr %place
  %part = sdiv i32 %micros, 50000
  %wide = sext i32 %part to i64
  %twentieths = mul i64 %seconds, 20
  %now = add i64 %twentieths, %wide
  %last = load i64, ptr @tick
  %soon = icmp eq i64 %now, %last
  br i1 %soon, label %go.on, label %ask
ask:
  store i64 %now, ptr @tick
  %ensure = load ptr, ptr @python
  %state = call i32 %ensure()
  %check.at = getelementptr ptr, ptr @python, i64 1
  %check = load ptr, ptr %check.at
  %raised = call i32 %check()
  %bad = icmp ne i32 %raised, 0
  br i1 %bad, label %keep, label %release
keep:
  call void @keep_exception()
  br label %release
release:
  %release.at = getelementptr ptr, ptr @python, i64 3
  %give.back = load ptr, ptr %release.at
  call void %give.back(i32 %state)
  br i1 %bad, label %stop, label %go.on
stop:
  %pair = cmpxchg ptr %fault, i64 0, i64 STOPPED monotonic monotonic
  %now.known = load atomic i64, ptr %fault monotonic, align 8
  ret i64 %now.known
go.on:
  ret i64 0
}

define internal void @keep_exception() {
entry:
  %self = call ptr @pthread_self()
  %thread = ptrtoint ptr %self to i64
  %main = load i64, ptr @main
  %ours = icmp eq i64 %thread, %main
  br i1 %ours, label %keep, label %drop
keep:
  %fetch.at = getelementptr ptr, ptr @python, i64 2
  %fetch = load ptr, ptr %fetch.at
  %value.at = getelementptr ptr, ptr @exception, i64 1
  %trace.at = getelementptr ptr, ptr @exception, i64 2
  call void %fetch(ptr @exception, ptr %value.at, ptr %trace.at)
  store i64 1, ptr @stopped
  ret void
drop:
  %clear.at = getelementptr ptr, ptr @python, i64 4
  %clear = load ptr, ptr %clear.at
  call void %clear()
  ret void
}

define void @tolang_python(ptr %functions, i64 %thread) {
  call void @llvm.memcpy.p0.p0.i64(ptr @python, ptr %functions, i64 40, i1 false)
  store i64 %thread, ptr @main
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @tolang_taken(ptr %exception) {
  call void @llvm.memcpy.p0.p0.i64(ptr %exception, ptr @exception, i64 24, i1 false)
  store [3 x ptr] zeroinitializer, ptr @exception
  store i64 0, ptr @stopped
  ret void
}

define i64 @tolang_not_yet(ptr %frame) {
  ret i64 UNREADY
}

define void @tolang_forked() {
  %self = call ptr @pthread_self()
  %thread = ptrtoint ptr %self to i64
  store i64 %thread, ptr @main
  store i64 -1, ptr @owner
  store i64 0, ptr @started
  store i64 0, ptr @busy
  store i64 CLOSED, ptr @inside
  call void @tolang_pool_forked()
  ret void
}

define internal void @work() {
entry:
  %fault = load ptr, ptr @fault
  %count = load i64, ptr @count
  %grain = load i64, ptr @grain
  %job = load ptr, ptr @job
  %frame = load ptr, ptr @frame
  br label %again
again:
  %wrong = call i64 @tolang_look(ptr %fault)
  %stopping = icmp ne i64 %wrong, 0
  br i1 %stopping, label %end, label %claim
claim:
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
  br i1 %wanted, label %enter, label %wait.again
enter:
  %before = atomicrmw add ptr @inside, i64 1 acq_rel
  %open = icmp sge i64 %before, 0
  br i1 %open, label %do, label %leave
do:
  call void @work()
  br label %leave
leave:
  %after = atomicrmw sub ptr @inside, i64 1 acq_rel
  %last = icmp eq i64 %after, LAST
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

define i64 @tolang_width() {
  %threads = load i64, ptr @threads
  %busy = load atomic i64, ptr @busy monotonic, align 8
  %free = icmp eq i64 %busy, 0
  %width = select i1 %free, i64 %threads, i64 1
  ret i64 %width
}

define void @tolang_threads(i64 %n) {
  store i64 %n, ptr @threads
  ret void
}

define i64 @tolang_parallel(ptr %job, ptr %frame, i64 %count, i64 %grain, ptr %fault) {
entry:
  %time = alloca [4 x i64]
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
  br label %piece
piece:
  %low = phi i64 [ 0, %straight ], [ %high, %more ]
  %next = add i64 %low, %grain
  %less = icmp slt i64 %next, %count
  %high = select i1 %less, i64 %next, i64 %count
  call void %job(ptr %frame, i64 %low, i64 %high)
  %last = icmp sge i64 %high, %count
  br i1 %last, label %end, label %more
more:
  %stop = call i64 @tolang_look(ptr %fault)
  %stopping = icmp ne i64 %stop, 0
  br i1 %stopping, label %end, label %piece
shared:
  call void @start()
  store ptr %job, ptr @job
  store ptr %frame, ptr @frame
  store ptr %fault, ptr @fault
  store i64 %count, ptr @count
  store i64 %grain, ptr @grain
  store atomic i64 0, ptr @next release, align 8
  atomicrmw sub ptr @inside, i64 CLOSED acq_rel
  call i32 @pthread_mutex_lock(ptr @mutex)
  atomicrmw add ptr @generation, i64 1 acq_rel
  call i32 @pthread_cond_broadcast(ptr @wake)
  call i32 @pthread_mutex_unlock(ptr @mutex)
  call void @work()
  atomicrmw add ptr @inside, i64 CLOSED acq_rel
  br label %spin
spin:
  %turn = phi i64 [ 0, %shared ], [ %turn2, %idle ]
  %left = load atomic i64, ptr @inside acquire, align 8
  %none = icmp eq i64 %left, CLOSED
  br i1 %none, label %over, label %idle
idle:
  %turn2 = add i64 %turn, 1
  %tired = icmp uge i64 %turn2, SPINS
  br i1 %tired, label %sleep, label %spin
sleep:
  call i32 @pthread_mutex_lock(ptr @mutex)
  br label %check
check:
  %still = load atomic i64, ptr @inside acquire, align 8
  %finished = icmp eq i64 %still, CLOSED
  br i1 %finished, label %awake, label %doze
doze:
  call void @soon(ptr %time)
  call i32 @pthread_cond_timedwait(ptr @done, ptr @mutex, ptr %time)
  call i32 @pthread_mutex_unlock(ptr @mutex)
  call i64 @tolang_look(ptr %fault)
  br label %sleep
awake:
  call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %over
over:
  store atomic i64 0, ptr @busy release, align 8
  br label %end
end:
  %wrong = load atomic i64, ptr %fault acquire, align 8
  ret i64 %wrong
}

define internal void @soon(ptr %time) {
  %status = call i32 @gettimeofday(ptr %time, ptr null)
  %seconds = load i64, ptr %time
  %place = getelementptr i64, ptr %time, i64 1
  %micros = load i32, ptr %place
  %later = add i32 %micros, 50000
  %carry = udiv i32 %later, 1000000
  %rest = urem i32 %later, 1000000
  %nanos = mul i32 %rest, 1000
  %wide = zext i32 %nanos to i64
  %more = zext i32 %carry to i64
  %then = add i64 %seconds, %more
  store i64 %then, ptr %time
  store i64 %wide, ptr %place
  ret void
}
