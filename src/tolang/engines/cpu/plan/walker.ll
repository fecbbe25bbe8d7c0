; The function that runs a plan.  Words in capitals are numbers that walker.py puts in.

declare ptr @tolang_take(i64)
declare void @tolang_give(ptr)
declare void @tolang_hand(ptr)
declare void @tolang_begin()
declare void @tolang_running(i64)
declare i64 @tolang_look(ptr)
declare float @llvm.floor.f32(float)
declare double @llvm.floor.f64(double)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)

define internal i64 @word(ptr %table, i64 %pc, i64 %k) alwaysinline {
  %place = add i64 %pc, %k
  %address = getelementptr i64, ptr %table, i64 %place
  %value = load i64, ptr %address
  ret i64 %value
}

define internal ptr @register(ptr %table, ptr %registers, i64 %pc, i64 %k) alwaysinline {
  %number = call i64 @word(ptr %table, i64 %pc, i64 %k)
  %address = getelementptr i64, ptr %registers, i64 %number
  ret ptr %address
}

define internal i64 @value(ptr %table, ptr %registers, i64 %pc, i64 %k) alwaysinline {
  %address = call ptr @register(ptr %table, ptr %registers, i64 %pc, i64 %k)
  %value = load i64, ptr %address
  ret i64 %value
}

define internal { i64, i1 } @binary(i64 %function, i64 %a, i64 %b) alwaysinline {
  switch i64 %function, label %add [
    i64 1, label %subtract  i64 2, label %multiply  i64 3, label %divide  i64 4, label %least  i64 5, label %greatest
    i64 6, label %not.negative  i64 7, label %is.zero  i64 8, label %both  i64 9, label %either  i64 10, label %negated
  ]
add:
  %sum = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  ret { i64, i1 } %sum
subtract:
  %difference = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  ret { i64, i1 } %difference
multiply:
  %product = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  ret { i64, i1 } %product
divide:
  %by.minus.one = icmp eq i64 %b, -1
  br i1 %by.minus.one, label %negate, label %quotient.of
negate:
  %opposite = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 0, i64 %a)
  ret { i64, i1 } %opposite
quotient.of:
  %no.divisor = icmp eq i64 %b, 0
  %divisor = select i1 %no.divisor, i64 1, i64 %b
  %quotient = sdiv i64 %a, %divisor
  %whole = mul i64 %quotient, %divisor
  %rest = sub i64 %a, %whole
  %signs = xor i64 %rest, %divisor
  %apart = icmp slt i64 %signs, 0
  %some = icmp ne i64 %rest, 0
  %down = and i1 %apart, %some
  %less = sext i1 %down to i64
  %floored = add i64 %quotient, %less
  %place = select i1 %no.divisor, i64 NOWHERE, i64 %floored
  br label %exact
least:
  %a.less = icmp slt i64 %a, %b
  %smaller = select i1 %a.less, i64 %a, i64 %b
  br label %exact
greatest:
  %a.more = icmp sgt i64 %a, %b
  %larger = select i1 %a.more, i64 %a, i64 %b
  br label %exact
not.negative:
  %at.least = icmp sge i64 %a, 0
  %one = zext i1 %at.least to i64
  br label %exact
is.zero:
  %equal = icmp eq i64 %a, 0
  %two = zext i1 %equal to i64
  br label %exact
both:
  %and = and i64 %a, %b
  br label %exact
either:
  %or = or i64 %a, %b
  br label %exact
negated:
  %not = xor i64 %a, 1
  br label %exact
exact:
  %value = phi i64 [ %place, %quotient.of ], [ %smaller, %least ], [ %larger, %greatest ], [ %one, %not.negative ],
    [ %two, %is.zero ], [ %and, %both ], [ %or, %either ], [ %not, %negated ]
  %pair = insertvalue { i64, i1 } zeroinitializer, i64 %value, 0
  ret { i64, i1 } %pair
}

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare float @llvm.fabs.f32(float)
declare double @llvm.fabs.f64(double)

define internal i1 @fits(i64 %value, i64 %storage) alwaysinline {
  switch i64 %storage, label %yes [ i64 7, label %u64  i64 8, label %f32  i64 9, label %f64 ]
yes:
  ret i1 true
u64:
  %small = icmp sge i64 %value, 0
  ret i1 %small
f32:
  %low = trunc i64 %value to i32
  %single = bitcast i32 %low to float
  %magnitude = call float @llvm.fabs.f32(float %single)
  %less = fcmp olt float %magnitude, 0x43D0000000000000
  ret i1 %less
f64:
  %double = bitcast i64 %value to double
  %magnitude2 = call double @llvm.fabs.f64(double %double)
  %less2 = fcmp olt double %magnitude2, 0x43D0000000000000
  ret i1 %less2
}

define internal i64 @whole(i64 %value, i64 %storage) alwaysinline {
  switch i64 %storage, label %same [
    i64 0, label %i8  i64 1, label %i16  i64 2, label %i32  i64 4, label %u8  i64 5, label %u16  i64 6, label %u32
    i64 8, label %f32  i64 9, label %f64  i64 10, label %u8
  ]
same:
  ret i64 %value
i8:
  %b1 = trunc i64 %value to i8
  %w1 = sext i8 %b1 to i64
  ret i64 %w1
i16:
  %b2 = trunc i64 %value to i16
  %w2 = sext i16 %b2 to i64
  ret i64 %w2
i32:
  %b4 = trunc i64 %value to i32
  %w4 = sext i32 %b4 to i64
  ret i64 %w4
u8:
  %w5 = and i64 %value, 255
  ret i64 %w5
u16:
  %w6 = and i64 %value, 65535
  ret i64 %w6
u32:
  %w7 = and i64 %value, 4294967295
  ret i64 %w7
f32:
  %b8 = trunc i64 %value to i32
  %r8 = bitcast i32 %b8 to float
  %f8 = call float @llvm.floor.f32(float %r8)
  %w8 = call i64 @llvm.fptosi.sat.i64.f32(float %f8)
  ret i64 %w8
f64:
  %r9 = bitcast i64 %value to double
  %f9 = call double @llvm.floor.f64(double %r9)
  %w9 = call i64 @llvm.fptosi.sat.i64.f64(double %f9)
  ret i64 %w9
}

declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)

define internal ptr @allocate(ptr %table, ptr %registers, i64 %pc) alwaysinline {
entry:
  %bytes = call i64 @word(ptr %table, i64 %pc, i64 2)
  %rank = call i64 @word(ptr %table, i64 %pc, i64 4)
  br label %again
again:
  %axis = phi i64 [ 0, %entry ], [ %axis2, %more ]
  %total = phi i64 [ %bytes, %entry ], [ %total2, %more ]
  %done = icmp eq i64 %axis, %rank
  br i1 %done, label %make, label %length
length:
  %k = add i64 %axis, 5
  %n = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 %k)
  %negative = icmp slt i64 %n, 0
  br i1 %negative, label %refused, label %multiply
multiply:
  %both = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %total, i64 %n)
  %total2 = extractvalue { i64, i1 } %both, 0
  %over = extractvalue { i64, i1 } %both, 1
  br i1 %over, label %refused, label %more
more:
  %axis2 = add i64 %axis, 1
  br label %again
make:
  %large = icmp sgt i64 %total, 1152921504606846976
  br i1 %large, label %refused, label %ask
ask:
  %memory = call ptr @tolang_take(i64 %total)
  call void @tolang_large_pages(ptr %memory, i64 %total)
  ret ptr %memory
refused:
  ret ptr null
}

define internal i64 @call(ptr %table, ptr %registers, ptr %kernels, ptr %frame, i64 %pc) alwaysinline {
entry:
  %kernel = call i64 @word(ptr %table, i64 %pc, i64 1)
  %count = call i64 @word(ptr %table, i64 %pc, i64 3)
  br label %again
again:
  %k = phi i64 [ 0, %entry ], [ %k2, %put ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %go, label %get
get:
  %offset = add i64 %k, 4
  %number = call i64 @word(ptr %table, i64 %pc, i64 %offset)
  %by.address = icmp slt i64 %number, 0
  %turned = xor i64 %number, -1
  %index = select i1 %by.address, i64 %turned, i64 %number
  %address = getelementptr i64, ptr %registers, i64 %index
  %bits = ptrtoint ptr %address to i64
  %held = load i64, ptr %address
  %word = select i1 %by.address, i64 %bits, i64 %held
  br label %put
put:
  %place = getelementptr i64, ptr %frame, i64 %k
  store i64 %word, ptr %place
  %k2 = add i64 %k, 1
  br label %again
go:
  %entry.place = getelementptr ptr, ptr %kernels, i64 %kernel
  %code = load ptr, ptr %entry.place
  %failed = call i64 %code(ptr %frame)
  ret i64 %failed
}

define i64 @tolang_walk(ptr %table, ptr %registers, ptr %kernels) {
  call void @tolang_running(i64 1)
  %code = call i64 @walk(ptr %table, ptr %registers, ptr %kernels)
  call void @tolang_running(i64 -1)
  ret i64 %code
}

define internal i64 @walk(ptr %table, ptr %registers, ptr %kernels) {
entry:
  %most = call i64 @word(ptr %table, i64 0, i64 0)
  %frame = alloca i64, i64 %most
  %fault = alloca i64
  store i64 0, ptr %fault
  %calls = alloca i64
  store i64 0, ptr %calls
  call void @tolang_begin()
  %owners = call i64 @word(ptr %table, i64 0, i64 1)
  %start = add i64 %owners, 2
  br label %next
next:
  %pc = phi i64 [ %start, %entry ], [ %pc.set, %set ], [ %pc.binary, %binary ], [ %pc.select, %select ],
    [ %pc.jump, %jump ], [ %pc.unless, %unless ], [ %pc.demand, %demand ], [ %pc.allocate, %allocated ],
    [ %pc.free, %free ], [ %pc.call, %go.on ], [ %pc.whole, %whole ], [ %pc.copy, %copy ], [ %pc.peek, %peek ],
    [ %pc.hand, %hand ]
  %operation = call i64 @word(ptr %table, i64 %pc, i64 0)
  %to = call ptr @register(ptr %table, ptr %registers, i64 %pc, i64 1)
  switch i64 %operation, label %end [
    i64 1, label %set  i64 2, label %binary  i64 3, label %select  i64 4, label %jump  i64 5, label %unless
    i64 6, label %demand  i64 7, label %allocate  i64 8, label %free  i64 9, label %call  i64 10, label %whole
    i64 11, label %copy  i64 12, label %peek  i64 13, label %hand
  ]
set:
  %constant = call i64 @word(ptr %table, i64 %pc, i64 2)
  store i64 %constant, ptr %to
  %pc.set = add i64 %pc, 3
  br label %next
binary:
  %to.binary = call ptr @register(ptr %table, ptr %registers, i64 %pc, i64 2)
  %function = call i64 @word(ptr %table, i64 %pc, i64 1)
  %a = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 3)
  %b = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 4)
  %pair = call { i64, i1 } @binary(i64 %function, i64 %a, i64 %b)
  %result = extractvalue { i64, i1 } %pair, 0
  %wraps = extractvalue { i64, i1 } %pair, 1
  store i64 %result, ptr %to.binary
  %pc.binary = add i64 %pc, 5
  br i1 %wraps, label %failed, label %next
select:
  %condition = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 2)
  %then = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 3)
  %otherwise = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 4)
  %no = icmp eq i64 %condition, 0
  %chosen = select i1 %no, i64 %otherwise, i64 %then
  store i64 %chosen, ptr %to
  %pc.select = add i64 %pc, 5
  br label %next
jump:
  %pc.jump = call i64 @word(ptr %table, i64 %pc, i64 1)
  br label %next
unless:
  %truth = load i64, ptr %to
  %low = and i64 %truth, 255
  %fails = icmp eq i64 %low, 0
  %target = call i64 @word(ptr %table, i64 %pc, i64 2)
  %after = add i64 %pc, 3
  %pc.unless = select i1 %fails, i64 %target, i64 %after
  br label %next
demand:
  %asked = load i64, ptr %to
  %check = call i64 @word(ptr %table, i64 %pc, i64 2)
  %pc.demand = add i64 %pc, 3
  %unmet = icmp eq i64 %asked, 0
  br i1 %unmet, label %failed, label %next
allocate:
  %memory = call ptr @allocate(ptr %table, ptr %registers, i64 %pc)
  %bits = ptrtoint ptr %memory to i64
  store i64 %bits, ptr %to
  %check.allocate = call i64 @word(ptr %table, i64 %pc, i64 3)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %allocated
allocated:
  %rank = call i64 @word(ptr %table, i64 %pc, i64 4)
  %length.allocate = add i64 %rank, 5
  %pc.allocate = add i64 %pc, %length.allocate
  br label %next
free:
  %dead = load ptr, ptr %to
  call void @tolang_give(ptr %dead)
  store i64 0, ptr %to
  %pc.free = add i64 %pc, 2
  br label %next
call:
  %local = call i64 @call(ptr %table, ptr %registers, ptr %kernels, ptr %frame, i64 %pc)
  %number = call i64 @word(ptr %table, i64 %pc, i64 2)
  %check.call = or i64 %local, %number
  %wrong = icmp ne i64 %local, 0
  br i1 %wrong, label %failed, label %called
called:
  %count = call i64 @word(ptr %table, i64 %pc, i64 3)
  %length.call = add i64 %count, 4
  %pc.call = add i64 %pc, %length.call
  %before = load i64, ptr %calls
  %so.far = add i64 %before, 1
  store i64 %so.far, ptr %calls
  %some = and i64 %so.far, LOOKS
  %due = icmp eq i64 %some, 0
  br i1 %due, label %look, label %go.on
look:
  %found = call i64 @tolang_look(ptr %fault)
  %stopped = icmp ne i64 %found, 0
  br i1 %stopped, label %failed, label %go.on
go.on:
  br label %next
whole:
  %raw = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 2)
  %storage = call i64 @word(ptr %table, i64 %pc, i64 3)
  %number.whole = call i64 @whole(i64 %raw, i64 %storage)
  %is.word = call i1 @fits(i64 %raw, i64 %storage)
  store i64 %number.whole, ptr %to
  %pc.whole = add i64 %pc, 4
  br i1 %is.word, label %next, label %failed
copy:
  %same = call i64 @value(ptr %table, ptr %registers, i64 %pc, i64 2)
  store i64 %same, ptr %to
  %pc.copy = add i64 %pc, 3
  br label %next
peek:
  %from.place = call ptr @register(ptr %table, ptr %registers, i64 %pc, i64 2)
  %from = load ptr, ptr %from.place
  %bytes = call i64 @word(ptr %table, i64 %pc, i64 3)
  store i64 0, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %pc.peek = add i64 %pc, 4
  br label %next
hand:
  %handed = load ptr, ptr %to
  call void @tolang_hand(ptr %handed)
  %pc.hand = add i64 %pc, 2
  br label %next
failed:
  %code = phi i64 [ %check, %demand ], [ %check.allocate, %allocate ], [ %check.call, %call ], [ %found, %look ],
    [ 1, %binary ], [ 1, %whole ]
  br label %owner
owner:
  %k = phi i64 [ 0, %failed ], [ %k2, %give.back ]
  %all = icmp eq i64 %k, %owners
  br i1 %all, label %leave, label %give.back
give.back:
  %place = call ptr @register(ptr %table, ptr %registers, i64 %k, i64 2)
  %owned = load ptr, ptr %place
  call void @tolang_give(ptr %owned)
  store i64 0, ptr %place
  %k2 = add i64 %k, 1
  br label %owner
leave:
  ret i64 %code
end:
  ret i64 0
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
