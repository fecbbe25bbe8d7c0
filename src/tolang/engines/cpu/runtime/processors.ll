; Made of processors.c (e2687c255f7313ff) by `python -m native`.

define range(i64 -2147483648, 2147483648) i64 @tolang_processor() {
  %1 = tail call i32 @sched_getcpu()
  %2 = sext i32 %1 to i64
  ret i64 %2
}

declare i32 @sched_getcpu()

define i64 @tolang_processors(ptr writeonly %0, i64 %1) {
  %3 = alloca [16 x i64], align 8
  call void @llvm.memset.p0.i64(ptr align 8 dereferenceable(128) %3, i8 0, i64 128, i1 false)
  %4 = tail call ptr @pthread_self()
  %5 = call i32 @pthread_getaffinity_np(ptr %4, i64 128, ptr %3)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %27

7:
  %8 = phi i64 [ %25, %23 ], [ 0, %2 ]
  %9 = phi i64 [ %24, %23 ], [ 0, %2 ]
  %10 = lshr i64 %8, 6
  %11 = getelementptr inbounds nuw i64, ptr %3, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = and i64 %8, 63
  %14 = shl nuw i64 1, %13
  %15 = and i64 %12, %14
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %23, label %17

17:
  %18 = icmp slt i64 %9, %1
  br i1 %18, label %19, label %21

19:
  %20 = getelementptr inbounds i64, ptr %0, i64 %9
  store i64 %8, ptr %20, align 8
  br label %21

21:
  %22 = add nsw i64 %9, 1
  br label %23

23:
  %24 = phi i64 [ %22, %21 ], [ %9, %7 ]
  %25 = add nuw nsw i64 %8, 1
  %26 = icmp eq i64 %25, 1024
  br i1 %26, label %27, label %7

27:
  %28 = phi i64 [ 0, %2 ], [ %24, %23 ]
  ret i64 %28
}

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

declare i32 @pthread_getaffinity_np(ptr, i64, ptr)

declare ptr @pthread_self()

define void @tolang_bind(ptr %0, ptr readonly %1, i64 %2) {
  %4 = alloca [16 x i64], align 8
  call void @llvm.memset.p0.i64(ptr align 8 dereferenceable(128) %4, i8 0, i64 128, i1 false)
  %5 = icmp sgt i64 %2, 0
  br i1 %5, label %8, label %6

6:
  %7 = call i32 @pthread_setaffinity_np(ptr %0, i64 128, ptr %4)
  ret void

8:
  %9 = phi i64 [ %18, %8 ], [ 0, %3 ]
  %10 = getelementptr inbounds nuw i64, ptr %1, i64 %9
  %11 = load i64, ptr %10, align 8
  %12 = and i64 %11, 63
  %13 = shl nuw i64 1, %12
  %14 = sdiv i64 %11, 64
  %15 = getelementptr inbounds i64, ptr %4, i64 %14
  %16 = load i64, ptr %15, align 8
  %17 = or i64 %13, %16
  store i64 %17, ptr %15, align 8
  %18 = add nuw nsw i64 %9, 1
  %19 = icmp eq i64 %18, %2
  br i1 %19, label %6, label %8
}

declare i32 @pthread_setaffinity_np(ptr, i64, ptr)
