; Made of processors.c (82a71d0908e1272c) by `python -m native`.

define range(i64 -2147483648, 2147483648) i64 @tolang_processor() {
  %1 = tail call i32 @sched_getcpu()
  %2 = sext i32 %1 to i64
  ret i64 %2
}

declare i32 @sched_getcpu()

define void @tolang_keep_off(i64 %0, ptr readonly %1, i64 %2) {
  %4 = alloca [16 x i64], align 8
  call void @llvm.memset.p0.i64(ptr align 8 dereferenceable(128) %4, i8 0, i64 128, i1 false)
  %5 = icmp ugt i64 %0, 1023
  br i1 %5, label %30, label %6

6:
  %7 = tail call ptr @pthread_self()
  %8 = call i32 @pthread_getaffinity_np(ptr %7, i64 128, ptr %4)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %30

10:
  %11 = and i64 %0, 63
  %12 = shl nuw i64 1, %11
  %13 = xor i64 %12, -1
  %14 = lshr i64 %0, 6
  %15 = getelementptr inbounds nuw i64, ptr %4, i64 %14
  %16 = load i64, ptr %15, align 8
  %17 = and i64 %16, %13
  store i64 %17, ptr %15, align 8
  %18 = load <16 x i64>, ptr %4, align 8
  %19 = call i64 @llvm.vector.reduce.or.v16i64(<16 x i64> %18)
  %20 = icmp ne i64 %19, 0
  %21 = icmp sgt i64 %2, 0
  %22 = select i1 %21, i1 %20, i1 false
  br i1 %22, label %23, label %30

23:
  %24 = phi i64 [ %28, %23 ], [ 0, %10 ]
  %25 = getelementptr inbounds nuw ptr, ptr %1, i64 %24
  %26 = load ptr, ptr %25, align 8
  %27 = call i32 @pthread_setaffinity_np(ptr %26, i64 128, ptr %4)
  %28 = add nuw nsw i64 %24, 1
  %29 = icmp slt i64 %28, %2
  br i1 %29, label %23, label %30

30:
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

declare i32 @pthread_getaffinity_np(ptr, i64, ptr)

declare ptr @pthread_self()

declare i32 @pthread_setaffinity_np(ptr, i64, ptr)

declare i64 @llvm.vector.reduce.or.v16i64(<16 x i64>)
