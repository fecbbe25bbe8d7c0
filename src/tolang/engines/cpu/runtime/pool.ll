; Made of pool.c (68d2f0d9c0d989b0) by `python -m native`.

%struct.pool_block = type { ptr, i64 }

@pool_count = internal global i64 0, align 8
@pool_slots = internal global [64 x %struct.pool_block] zeroinitializer, align 8
@pool_most = internal global i64 0, align 8
@pool_kept = internal global i64 0, align 8
@pool_lock = internal global i32 0, align 4

define ptr @tolang_pool_take(i64 %0) {
  %2 = icmp slt i64 %0, 32768
  br i1 %2, label %59, label %3

3:
  %4 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %13, label %6

6:
  %7 = load atomic i32, ptr @pool_lock monotonic, align 4
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %10, label %9

9:
  br label %6

10:
  %11 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %9

13:
  %14 = load i64, ptr @pool_count, align 8
  %15 = icmp sgt i64 %14, 0
  br i1 %15, label %16, label %57

16:
  %17 = lshr i64 %0, 2
  br label %20

18:
  %19 = icmp slt i64 %39, 0
  br i1 %19, label %57, label %42

20:
  %21 = phi i64 [ 0, %16 ], [ %40, %38 ]
  %22 = phi i64 [ -1, %16 ], [ %39, %38 ]
  %23 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %21
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %25 = load i64, ptr %24, align 8
  %26 = icmp slt i64 %25, %0
  %27 = sub nsw i64 %25, %0
  %28 = icmp sgt i64 %27, %17
  %29 = select i1 %26, i1 true, i1 %28
  br i1 %29, label %38, label %30

30:
  %31 = icmp slt i64 %22, 0
  br i1 %31, label %37, label %32

32:
  %33 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %22
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 8
  %35 = load i64, ptr %34, align 8
  %36 = icmp slt i64 %25, %35
  br i1 %36, label %37, label %38

37:
  br label %38

38:
  %39 = phi i64 [ %21, %37 ], [ %22, %32 ], [ %22, %20 ]
  %40 = add nuw nsw i64 %21, 1
  %41 = icmp eq i64 %40, %14
  br i1 %41, label %18, label %20

42:
  %43 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %39
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %46 = load i64, ptr %45, align 8
  %47 = load i64, ptr @pool_kept, align 8
  %48 = sub nsw i64 %47, %46
  store i64 %48, ptr @pool_kept, align 8
  %49 = add nsw i64 %14, -1
  store i64 %49, ptr @pool_count, align 8
  %50 = icmp slt i64 %39, %49
  br i1 %50, label %51, label %57

51:
  %52 = phi i64 [ %54, %51 ], [ %39, %42 ]
  %53 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %52
  %54 = add nuw nsw i64 %52, 1
  %55 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %54
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %53, ptr align 8 dereferenceable(16) %55, i64 16, i1 false)
  %56 = icmp eq i64 %54, %49
  br i1 %56, label %57, label %51

57:
  %58 = phi ptr [ null, %18 ], [ %44, %42 ], [ null, %13 ], [ %44, %51 ]
  store atomic i32 0, ptr @pool_lock release, align 4
  br label %59

59:
  %60 = phi ptr [ %58, %57 ], [ null, %1 ]
  ret ptr %60
}

define void @tolang_pool_give(ptr %0, i64 %1) {
  %3 = icmp slt i64 %1, 32768
  br i1 %3, label %7, label %4

4:
  %5 = load atomic i64, ptr @pool_most monotonic, align 8
  %6 = icmp sgt i64 %1, %5
  br i1 %6, label %7, label %8

7:
  tail call void @free(ptr %0)
  br label %49

8:
  %9 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %18, label %11

11:
  %12 = load atomic i32, ptr @pool_lock monotonic, align 4
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %15, label %14

14:
  br label %11

15:
  %16 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %18, label %14

18:
  %19 = load i64, ptr @pool_count, align 8
  %20 = icmp slt i64 %19, 64
  %21 = load i64, ptr @pool_kept, align 8
  br i1 %20, label %22, label %33

22:
  %23 = add nsw i64 %21, %1
  %24 = load atomic i64, ptr @pool_most monotonic, align 8
  %25 = icmp sgt i64 %23, %24
  br i1 %25, label %30, label %26

26:
  %27 = getelementptr inbounds %struct.pool_block, ptr @pool_slots, i64 %19
  store ptr %0, ptr %27, align 8
  %28 = getelementptr inbounds nuw i8, ptr %27, i64 8
  store i64 %1, ptr %28, align 8
  %29 = add nsw i64 %19, 1
  store i64 %29, ptr @pool_count, align 8
  store i64 %23, ptr @pool_kept, align 8
  store atomic i32 0, ptr @pool_lock release, align 4
  br label %49

30:
  %31 = icmp eq i64 %19, 0
  br i1 %31, label %32, label %33

32:
  store atomic i32 0, ptr @pool_lock release, align 4
  br label %47

33:
  %34 = load ptr, ptr @pool_slots, align 8
  %35 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_slots, i64 8), align 8
  %36 = sub nsw i64 %21, %35
  store i64 %36, ptr @pool_kept, align 8
  %37 = add nsw i64 %19, -1
  store i64 %37, ptr @pool_count, align 8
  %38 = icmp sgt i64 %19, 1
  br i1 %38, label %39, label %45

39:
  %40 = phi i64 [ %42, %39 ], [ 0, %33 ]
  %41 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %40
  %42 = add nuw nsw i64 %40, 1
  %43 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %42
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %41, ptr align 8 dereferenceable(16) %43, i64 16, i1 false)
  %44 = icmp eq i64 %42, %37
  br i1 %44, label %45, label %39

45:
  store atomic i32 0, ptr @pool_lock release, align 4
  %46 = icmp eq ptr %34, null
  br i1 %46, label %47, label %48

47:
  tail call void @free(ptr %0)
  br label %49

48:
  tail call void @free(ptr %34)
  br label %8

49:
  ret void
}

declare void @free(ptr)

define void @tolang_pool_keep(i64 %0) {
  store atomic i64 %0, ptr @pool_most monotonic, align 8
  br label %2

2:
  %3 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %12, label %5

5:
  %6 = load atomic i32, ptr @pool_lock monotonic, align 4
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %9, label %8

8:
  br label %5

9:
  %10 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %12, label %8

12:
  %13 = load i64, ptr @pool_count, align 8
  %14 = icmp ne i64 %13, 0
  %15 = load i64, ptr @pool_kept, align 8
  %16 = icmp sgt i64 %15, %0
  %17 = select i1 %14, i1 %16, i1 false
  br i1 %17, label %19, label %18

18:
  store atomic i32 0, ptr @pool_lock release, align 4
  br label %34

19:
  %20 = load ptr, ptr @pool_slots, align 8
  %21 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_slots, i64 8), align 8
  %22 = sub nsw i64 %15, %21
  store i64 %22, ptr @pool_kept, align 8
  %23 = add nsw i64 %13, -1
  store i64 %23, ptr @pool_count, align 8
  %24 = icmp sgt i64 %13, 1
  br i1 %24, label %25, label %31

25:
  %26 = phi i64 [ %28, %25 ], [ 0, %19 ]
  %27 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %26
  %28 = add nuw nsw i64 %26, 1
  %29 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %28
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %27, ptr align 8 dereferenceable(16) %29, i64 16, i1 false)
  %30 = icmp eq i64 %28, %23
  br i1 %30, label %31, label %25

31:
  store atomic i32 0, ptr @pool_lock release, align 4
  %32 = icmp eq ptr %20, null
  br i1 %32, label %34, label %33

33:
  tail call void @free(ptr %20)
  br label %2

34:
  ret void
}

define void @tolang_pool_empty() {
  %1 = load atomic i64, ptr @pool_most monotonic, align 8
  store atomic i64 0, ptr @pool_most monotonic, align 8
  br label %2

2:
  %3 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %12, label %5

5:
  %6 = load atomic i32, ptr @pool_lock monotonic, align 4
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %9, label %8

8:
  br label %5

9:
  %10 = atomicrmw xchg ptr @pool_lock, i32 1 acquire, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %12, label %8

12:
  %13 = load i64, ptr @pool_count, align 8
  %14 = icmp ne i64 %13, 0
  %15 = load i64, ptr @pool_kept, align 8
  %16 = icmp sgt i64 %15, 0
  %17 = select i1 %14, i1 %16, i1 false
  br i1 %17, label %19, label %18

18:
  store atomic i32 0, ptr @pool_lock release, align 4
  br label %34

19:
  %20 = load ptr, ptr @pool_slots, align 8
  %21 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_slots, i64 8), align 8
  %22 = sub nsw i64 %15, %21
  store i64 %22, ptr @pool_kept, align 8
  %23 = add nsw i64 %13, -1
  store i64 %23, ptr @pool_count, align 8
  %24 = icmp sgt i64 %13, 1
  br i1 %24, label %25, label %31

25:
  %26 = phi i64 [ %28, %25 ], [ 0, %19 ]
  %27 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %26
  %28 = add nuw nsw i64 %26, 1
  %29 = getelementptr inbounds nuw %struct.pool_block, ptr @pool_slots, i64 %28
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %27, ptr align 8 dereferenceable(16) %29, i64 16, i1 false)
  %30 = icmp eq i64 %28, %23
  br i1 %30, label %31, label %25

31:
  store atomic i32 0, ptr @pool_lock release, align 4
  %32 = icmp eq ptr %20, null
  br i1 %32, label %34, label %33

33:
  tail call void @free(ptr %20)
  br label %2

34:
  store atomic i64 %1, ptr @pool_most monotonic, align 8
  ret void
}

define void @tolang_pool_forked() {
  %1 = load atomic i32, ptr @pool_lock monotonic, align 4
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %4, label %3

3:
  store i64 0, ptr @pool_count, align 8
  store i64 0, ptr @pool_kept, align 8
  store atomic i32 0, ptr @pool_lock release, align 4
  br label %4

4:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)
