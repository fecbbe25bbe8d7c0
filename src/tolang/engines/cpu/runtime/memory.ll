; Memory of compiled code.  Words in capitals are put in by memory.py.

@held = internal global i64 0, align 64
@ceiling = internal global i64 0
@measured = internal global i64 0
@begun = internal global i64 0
@pass = internal global i64 0
@request = internal global ptr null
@asking = internal global [5 x ptr] zeroinitializer

declare ptr @malloc(i64)
declare ptr @aligned_alloc(i64, i64)
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
  call void @tolang_pool_empty()
  %granted = call i64 @ask(i64 %bytes, i64 %wanted, i64 0)
  %yes = icmp ne i64 %granted, 0
  br i1 %yes, label %take, label %no
take:
  %kept = call ptr @tolang_pool_take(i64 %bytes)
  %new = icmp eq ptr %kept, null
  br i1 %new, label %allocate, label %got
allocate:
  %allocated = call ptr @allocated(i64 %bytes)
  %lacking = icmp eq ptr %allocated, null
  br i1 %lacking, label %make.room, label %got
make.room:
  call void @tolang_pool_empty()
  %again = call ptr @allocated(i64 %bytes)
  %none = icmp eq ptr %again, null
  br i1 %none, label %refused, label %got
refused:
  %told = call i64 @ask(i64 %bytes, i64 %wanted, i64 1)
  br label %no
no:
  ret ptr null
got:
  %memory = phi ptr [ %kept, %take ], [ %allocated, %allocate ], [ %again, %make.room ]
  %size = call i64 @USABLE(ptr %memory)
  %small = icmp ult i64 %size, COUNTED
  br i1 %small, label %done, label %count
count:
  %old = atomicrmw add ptr @held, i64 %size monotonic
  br label %done
done:
  ret ptr %memory
}

; Where vectors are as long as lines of the cache, one that begins elsewhere is in two of them.
define internal ptr @allocated(i64 %bytes) {
  %beyond = sub i64 %bytes, COUNTED
  %large = icmp ult i64 %beyond, 4611686018427387904 ; more than that nobody has, and rounding it up could wrap
  br i1 %large, label %on.a.line, label %anywhere
on.a.line:
  %more = add i64 %bytes, 63
  %lines = and i64 %more, -64
  %aligned = call ptr @aligned_alloc(i64 64, i64 %lines)
  ret ptr %aligned
anywhere:
  %memory = call ptr @malloc(i64 %bytes)
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
  call void @tolang_return(ptr %memory)
  br label %end
end:
  ret void
}

define void @tolang_return(ptr %memory) {
  %size = call i64 @USABLE(ptr %memory)
  call void @tolang_pool_give(ptr %memory, i64 %size)
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
