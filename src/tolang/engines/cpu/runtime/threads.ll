; Made of threads.c (faac3a6f27b352f0) by `python -m native`.

%struct.Region = type { i64, ptr, ptr, i64, i64, ptr, [80 x i8], i64, [120 x i8], i64, [120 x i8] }
%struct.Time = type { i64, i64 }

@signal_python.0 = internal global ptr null, align 8
@signal_python.1 = internal global ptr null, align 8
@signal_python.2 = internal global ptr null, align 8
@signal_python.3 = internal global ptr null, align 8
@signal_python.4 = internal global ptr null, align 8
@signal_exception = internal global [3 x ptr] zeroinitializer, align 16
@signal_stopped = internal global i64 0, align 8
@signal_tick = internal global i64 0, align 8
@signal_main = internal global i64 0, align 8
@clock_number = internal global i64 1, align 8
@region_threads = internal global i64 1, align 8
@region_working = internal global i64 0, align 128
@region_parked = internal global i64 0, align 8
@region_mutex = internal global [256 x i8] zeroinitializer, align 16
@region_more = internal global [256 x i8] zeroinitializer, align 16
@region_wake = internal global [256 x i8] zeroinitializer, align 16
@region_done = internal global [256 x i8] zeroinitializer, align 16
@region_sleeping = internal global i64 0, align 128
@region_spinning = internal global i64 0, align 128
@region_started = internal global i64 0, align 8
@region_slots = internal global [32 x %struct.Region] zeroinitializer, align 128
@region_generation = internal global i64 0, align 128

define void @keep_exception() {
  %1 = tail call ptr @pthread_self()
  %2 = ptrtoint ptr %1 to i64
  %3 = load atomic i64, ptr @signal_main monotonic, align 8
  %4 = icmp eq i64 %3, %2
  br i1 %4, label %7, label %5

5:
  %6 = load ptr, ptr @signal_python.4, align 8
  tail call void %6()
  br label %9

7:
  %8 = load ptr, ptr @signal_python.2, align 8
  tail call void %8(ptr @signal_exception, ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 8), ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 16))
  store atomic i64 1, ptr @signal_stopped release, align 8
  br label %9

9:
  ret void
}

define i64 @tolang_look(ptr %0) {
  %2 = alloca %struct.Time, align 8
  %3 = load atomic i64, ptr %0 monotonic, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %47

5:
  %6 = tail call ptr @pthread_self()
  %7 = ptrtoint ptr %6 to i64
  %8 = load atomic i64, ptr @signal_main monotonic, align 8
  %9 = icmp eq i64 %8, %7
  br i1 %9, label %10, label %47

10:
  %11 = load atomic i64, ptr @signal_stopped monotonic, align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %13, label %42

13:
  %14 = load atomic i64, ptr @clock_number monotonic, align 8
  %15 = trunc i64 %14 to i32
  %16 = call i32 @clock_gettime(i32 %15, ptr %2)
  %17 = load i64, ptr %2, align 8
  %18 = mul nsw i64 %17, 1000000000
  %19 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %20 = load i64, ptr %19, align 8
  %21 = add nsw i64 %18, %20
  %22 = sdiv i64 %21, 50000000
  %23 = load i64, ptr @signal_tick, align 8
  %24 = icmp eq i64 %22, %23
  br i1 %24, label %47, label %25

25:
  store i64 %22, ptr @signal_tick, align 8
  %26 = load ptr, ptr @signal_python.0, align 8
  %27 = call i32 %26()
  %28 = load ptr, ptr @signal_python.1, align 8
  %29 = call i32 %28()
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %45, label %31

31:
  %32 = call ptr @pthread_self()
  %33 = ptrtoint ptr %32 to i64
  %34 = load atomic i64, ptr @signal_main monotonic, align 8
  %35 = icmp eq i64 %34, %33
  br i1 %35, label %38, label %36

36:
  %37 = load ptr, ptr @signal_python.4, align 8
  call void %37()
  br label %40

38:
  %39 = load ptr, ptr @signal_python.2, align 8
  call void %39(ptr @signal_exception, ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 8), ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 16))
  store atomic i64 1, ptr @signal_stopped release, align 8
  br label %40

40:
  %41 = load ptr, ptr @signal_python.3, align 8
  call void %41(i32 %27)
  br label %42

42:
  %43 = cmpxchg ptr %0, i64 0, i64 1048574 monotonic monotonic, align 8
  %44 = load atomic i64, ptr %0 monotonic, align 8
  br label %47

45:
  %46 = load ptr, ptr @signal_python.3, align 8
  call void %46(i32 %27)
  br label %47

47:
  %48 = phi i64 [ 0, %45 ], [ %44, %42 ], [ 0, %5 ], [ %3, %1 ], [ 0, %13 ]
  ret i64 %48
}

define void @tolang_python(ptr readonly %0, i64 %1, i64 %2) {
  %4 = load ptr, ptr %0, align 8
  store ptr %4, ptr @signal_python.0, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  store ptr %6, ptr @signal_python.1, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  store ptr %8, ptr @signal_python.2, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = load ptr, ptr %9, align 8
  store ptr %10, ptr @signal_python.3, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %12 = load ptr, ptr %11, align 8
  store ptr %12, ptr @signal_python.4, align 8
  store atomic i64 %1, ptr @signal_main release, align 8
  store atomic i64 %2, ptr @clock_number release, align 8
  ret void
}

define void @tolang_taken(ptr writeonly initializes((0, 24)) %0) {
  %2 = load ptr, ptr @signal_exception, align 16
  store ptr %2, ptr %0, align 8
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 8), align 8
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store ptr %3, ptr %4, align 8
  store <2 x ptr> zeroinitializer, ptr @signal_exception, align 16
  %5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 16), align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store ptr %5, ptr %6, align 8
  store ptr null, ptr getelementptr inbounds nuw (i8, ptr @signal_exception, i64 16), align 16
  store atomic i64 0, ptr @signal_stopped release, align 8
  ret void
}

define i64 @tolang_not_yet(ptr readnone %0) {
  ret i64 1048575
}

define i64 @tolang_width() {
  %1 = load atomic i64, ptr @region_threads monotonic, align 8
  %2 = load atomic i64, ptr @region_working monotonic, align 128
  %3 = icmp eq i64 %2, 0
  %4 = sub nsw i64 %1, %2
  %5 = tail call i64 @llvm.smax.i64(i64 %4, i64 1)
  %6 = select i1 %3, i64 %1, i64 %5
  ret i64 %6
}

define i64 @tolang_parallel(ptr %0, ptr %1, i64 %2, i64 %3, ptr %4) {
  %6 = alloca %struct.Time, align 8
  %7 = alloca %struct.Time, align 8
  %8 = alloca %struct.Time, align 8
  %9 = alloca ptr, align 8
  %10 = load atomic i64, ptr @region_threads monotonic, align 8
  %11 = icmp sgt i64 %10, 1
  %12 = icmp sgt i64 %2, %3
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %25

14:
  %15 = phi i64 [ %23, %22 ], [ 0, %5 ]
  %16 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %15
  %17 = load atomic i64, ptr %16 monotonic, align 128
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %19, label %22

19:
  %20 = cmpxchg ptr %16, i64 0, i64 1 acquire monotonic, align 128
  %21 = extractvalue { i64, i1 } %20, 1
  br i1 %21, label %34, label %22

22:
  %23 = add nuw nsw i64 %15, 1
  %24 = icmp eq i64 %23, 32
  br i1 %24, label %25, label %14

25:
  br label %26

26:
  %27 = phi i64 [ %29, %31 ], [ 0, %25 ]
  %28 = add nsw i64 %27, %3
  %29 = tail call i64 @llvm.smin.i64(i64 %28, i64 %2)
  tail call void %0(ptr %1, i64 %27, i64 %29)
  %30 = icmp slt i64 %28, %2
  br i1 %30, label %31, label %168

31:
  %32 = tail call i64 @tolang_look(ptr %4)
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %26, label %168

34:
  %35 = getelementptr inbounds nuw i8, ptr %16, i64 8
  store ptr %0, ptr %35, align 8
  %36 = getelementptr inbounds nuw i8, ptr %16, i64 16
  store ptr %1, ptr %36, align 16
  %37 = getelementptr inbounds nuw i8, ptr %16, i64 32
  store i64 %3, ptr %37, align 32
  %38 = getelementptr inbounds nuw i8, ptr %16, i64 40
  store ptr %4, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %16, i64 24
  store atomic i64 %2, ptr %39 monotonic, align 8
  %40 = getelementptr inbounds nuw i8, ptr %16, i64 128
  store atomic i64 0, ptr %40 monotonic, align 128
  %41 = getelementptr inbounds nuw i8, ptr %16, i64 256
  %42 = atomicrmw add ptr %41, i64 4611686018427387904 seq_cst, align 128
  %43 = add i64 %2, -1
  %44 = add i64 %43, %3
  %45 = sdiv i64 %44, %3
  %46 = add i64 %45, -1
  %47 = load atomic i64, ptr @region_threads monotonic, align 8
  %48 = add nsw i64 %47, -1
  %49 = tail call i64 @llvm.smin.i64(i64 %46, i64 %48)
  %50 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %51 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %52 = sub i64 %49, %51
  %53 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %54 = load atomic i64, ptr @region_started monotonic, align 8
  %55 = icmp slt i64 %54, %48
  br i1 %55, label %60, label %56

56:
  %57 = icmp slt i64 %52, 1
  %58 = icmp eq i64 %53, 0
  %59 = select i1 %57, i1 true, i1 %58
  br i1 %59, label %94, label %60

60:
  %61 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %62 = load atomic i64, ptr @region_started monotonic, align 8
  %63 = load atomic i64, ptr @region_threads monotonic, align 8
  %64 = add nsw i64 %63, -1
  %65 = icmp slt i64 %62, %64
  br i1 %65, label %66, label %81

66:
  %67 = load atomic i64, ptr @region_started monotonic, align 8
  %68 = add nsw i64 %67, 1
  %69 = inttoptr i64 %68 to ptr
  %70 = call i32 @pthread_create(ptr %9, ptr null, ptr @worker, ptr %69)
  %71 = icmp eq i32 %70, 0
  br i1 %71, label %73, label %72

72:
  br label %81

73:
  %74 = load ptr, ptr %9, align 8
  %75 = call i32 @pthread_detach(ptr %74)
  %76 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  %77 = load atomic i64, ptr @region_started monotonic, align 8
  %78 = load atomic i64, ptr @region_threads monotonic, align 8
  %79 = add nsw i64 %78, -1
  %80 = icmp slt i64 %77, %79
  br i1 %80, label %66, label %81

81:
  %82 = icmp slt i64 %52, %53
  br i1 %82, label %83, label %85

83:
  %84 = icmp sgt i64 %52, 0
  br i1 %84, label %87, label %92

85:
  %86 = call i32 @pthread_cond_broadcast(ptr @region_wake)
  br label %92

87:
  %88 = phi i64 [ %90, %87 ], [ 0, %83 ]
  %89 = call i32 @pthread_cond_signal(ptr @region_wake)
  %90 = add nuw nsw i64 %88, 1
  %91 = icmp eq i64 %90, %52
  br i1 %91, label %92, label %87

92:
  %93 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %94

94:
  %95 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %96 = load ptr, ptr %35, align 8
  %97 = load ptr, ptr %36, align 16
  %98 = load i64, ptr %39, align 8
  %99 = load i64, ptr %37, align 32
  %100 = load ptr, ptr %38, align 8
  %101 = call i64 @tolang_look(ptr %100)
  %102 = icmp eq i64 %101, 0
  br i1 %102, label %103, label %111

103:
  %104 = atomicrmw add ptr %40, i64 %99 monotonic, align 128
  %105 = icmp slt i64 %104, %98
  br i1 %105, label %106, label %111

106:
  %107 = add nsw i64 %104, %99
  %108 = call i64 @llvm.smin.i64(i64 %107, i64 %98)
  call void %96(ptr %97, i64 %104, i64 %108)
  %109 = call i64 @tolang_look(ptr %100)
  %110 = icmp eq i64 %109, 0
  br i1 %110, label %103, label %111

111:
  %112 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %113 = atomicrmw add ptr %41, i64 -4611686018427387904 seq_cst, align 128
  %114 = load atomic i64, ptr @clock_number monotonic, align 8
  %115 = trunc i64 %114 to i32
  %116 = call i32 @clock_gettime(i32 %115, ptr %7)
  %117 = load i64, ptr %7, align 8
  %118 = mul nsw i64 %117, 1000000000
  %119 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %120 = load i64, ptr %119, align 8
  %121 = add i64 %120, 50000
  %122 = add i64 %121, %118
  %123 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %124

124:
  %125 = phi i32 [ 0, %111 ], [ %132, %131 ]
  %126 = load atomic i64, ptr %41 acquire, align 128
  %127 = icmp eq i64 %126, -4611686018427387904
  br i1 %127, label %167, label %128

128:
  call void @tolang_pause()
  %129 = add nuw nsw i32 %125, 1
  %130 = icmp eq i32 %129, 32
  br i1 %130, label %133, label %131

131:
  %132 = phi i32 [ %129, %128 ], [ 0, %133 ]
  br label %124

133:
  %134 = load atomic i64, ptr @clock_number monotonic, align 8
  %135 = trunc i64 %134 to i32
  %136 = call i32 @clock_gettime(i32 %135, ptr %6)
  %137 = load i64, ptr %6, align 8
  %138 = mul nsw i64 %137, 1000000000
  %139 = load i64, ptr %123, align 8
  %140 = add nsw i64 %138, %139
  %141 = icmp slt i64 %140, %122
  br i1 %141, label %131, label %142

142:
  %143 = load atomic i64, ptr %41 acquire, align 128
  %144 = icmp eq i64 %143, -4611686018427387904
  br i1 %144, label %167, label %145

145:
  %146 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %147

147:
  %148 = call i32 @clock_gettime(i32 0, ptr %8)
  %149 = load i64, ptr %146, align 8
  %150 = add nsw i64 %149, 50000000
  %151 = freeze i64 %150
  %152 = sdiv i64 %151, 1000000000
  %153 = load i64, ptr %8, align 8
  %154 = add nsw i64 %152, %153
  store i64 %154, ptr %8, align 8
  %155 = mul i64 %152, 1000000000
  %156 = sub i64 %151, %155
  store i64 %156, ptr %146, align 8
  %157 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %158 = load atomic i64, ptr %41 acquire, align 128
  %159 = icmp eq i64 %158, -4611686018427387904
  br i1 %159, label %162, label %160

160:
  %161 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %8)
  br label %162

162:
  %163 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %164 = call i64 @tolang_look(ptr %4)
  %165 = load atomic i64, ptr %41 acquire, align 128
  %166 = icmp eq i64 %165, -4611686018427387904
  br i1 %166, label %167, label %147

167:
  store atomic i64 0, ptr %16 release, align 128
  br label %168

168:
  %169 = load atomic i64, ptr %4 acquire, align 8
  ret i64 %169
}

define void @tolang_threads(i64 %0) {
  store atomic i64 %0, ptr @region_threads seq_cst, align 8
  %2 = load atomic i64, ptr @region_parked seq_cst, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %8, label %4

4:
  %5 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %6 = tail call i32 @pthread_cond_broadcast(ptr @region_more)
  %7 = tail call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %8

8:
  ret void
}

declare i32 @pthread_mutex_lock(ptr)

declare i32 @pthread_cond_broadcast(ptr)

declare i32 @pthread_mutex_unlock(ptr)

define void @tolang_forked() {
  %1 = tail call ptr @pthread_self()
  %2 = ptrtoint ptr %1 to i64
  store i64 %2, ptr @signal_main, align 8
  %3 = tail call i32 @pthread_mutex_init(ptr @region_mutex, ptr null)
  %4 = tail call i32 @pthread_cond_init(ptr @region_wake, ptr null)
  %5 = tail call i32 @pthread_cond_init(ptr @region_done, ptr null)
  %6 = tail call i32 @pthread_cond_init(ptr @region_more, ptr null)
  store i64 0, ptr @region_parked, align 8
  store i64 0, ptr @region_sleeping, align 128
  store i64 0, ptr @region_spinning, align 128
  store i64 0, ptr @region_working, align 128
  store i64 0, ptr @region_started, align 8
  store i64 0, ptr @region_slots, align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 256), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 384), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 640), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 768), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1024), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1152), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1408), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1536), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1792), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1920), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2176), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2304), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2560), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2688), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2944), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3072), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3328), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3456), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3712), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3840), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4096), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4224), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4480), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4608), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4864), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4992), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5248), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5376), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5632), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5760), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6016), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6144), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6400), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6528), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6784), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6912), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7168), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7296), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7552), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7680), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7936), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8064), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8320), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8448), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8704), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8832), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9088), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9216), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9472), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9600), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9856), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9984), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10240), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10368), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10624), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10752), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11008), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11136), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11392), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11520), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11776), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11904), align 128
  store i64 -4611686018427387904, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 12160), align 128
  tail call void @tolang_pool_forked()
  ret void
}

declare ptr @pthread_self()

declare i32 @pthread_mutex_init(ptr, ptr)

declare i32 @pthread_cond_init(ptr, ptr)

declare void @tolang_pool_forked()

declare i32 @clock_gettime(i32, ptr)

declare i32 @pthread_cond_signal(ptr)

declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define internal noalias ptr @worker(ptr %0) {
  %2 = alloca %struct.Time, align 8
  %3 = alloca %struct.Time, align 8
  %4 = ptrtoint ptr %0 to i64
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 8
  br label %7

7:
  %8 = load atomic i64, ptr @region_generation acquire, align 128
  %9 = load atomic i64, ptr @region_threads acquire, align 8
  %10 = icmp sgt i64 %9, %4
  br i1 %10, label %22, label %11

11:
  %12 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %13 = atomicrmw add ptr @region_parked, i64 1 seq_cst, align 8
  %14 = load atomic i64, ptr @region_threads seq_cst, align 8
  %15 = icmp sgt i64 %14, %4
  br i1 %15, label %20, label %16

16:
  %17 = call i32 @pthread_cond_wait(ptr @region_more, ptr @region_mutex)
  %18 = load atomic i64, ptr @region_threads seq_cst, align 8
  %19 = icmp sgt i64 %18, %4
  br i1 %19, label %20, label %16

20:
  %21 = atomicrmw add ptr @region_parked, i64 -1 seq_cst, align 8
  br label %122

22:
  %23 = phi i64 [ %72, %68 ], [ 0, %7 ]
  %24 = phi i32 [ %71, %68 ], [ 0, %7 ]
  %25 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %23
  %26 = getelementptr inbounds nuw i8, ptr %25, i64 256
  %27 = load atomic i64, ptr %26 monotonic, align 128
  %28 = icmp slt i64 %27, 0
  br i1 %28, label %68, label %29

29:
  %30 = getelementptr inbounds nuw i8, ptr %25, i64 128
  %31 = load atomic i64, ptr %30 monotonic, align 128
  %32 = getelementptr inbounds nuw i8, ptr %25, i64 24
  %33 = load atomic i64, ptr %32 monotonic, align 8
  %34 = icmp slt i64 %31, %33
  br i1 %34, label %35, label %68

35:
  %36 = atomicrmw add ptr %26, i64 1 seq_cst, align 128
  %37 = icmp sgt i64 %36, -1
  br i1 %37, label %38, label %61

38:
  %39 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %40 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %43 = load ptr, ptr %42, align 16
  %44 = load i64, ptr %32, align 8
  %45 = getelementptr inbounds nuw i8, ptr %25, i64 32
  %46 = load i64, ptr %45, align 32
  %47 = getelementptr inbounds nuw i8, ptr %25, i64 40
  %48 = load ptr, ptr %47, align 8
  %49 = call i64 @tolang_look(ptr %48)
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %51, label %59

51:
  %52 = atomicrmw add ptr %30, i64 %46 monotonic, align 128
  %53 = icmp slt i64 %52, %44
  br i1 %53, label %54, label %59

54:
  %55 = add nsw i64 %52, %46
  %56 = call i64 @llvm.smin.i64(i64 %55, i64 %44)
  call void %41(ptr %43, i64 %52, i64 %56)
  %57 = call i64 @tolang_look(ptr %48)
  %58 = icmp eq i64 %57, 0
  br i1 %58, label %51, label %59

59:
  %60 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  br label %61

61:
  %62 = atomicrmw add ptr %26, i64 -1 seq_cst, align 128
  %63 = icmp eq i64 %62, -4611686018427387903
  br i1 %63, label %64, label %68

64:
  %65 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %66 = call i32 @pthread_cond_broadcast(ptr @region_done)
  %67 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %68

68:
  %69 = phi i1 [ false, %22 ], [ false, %29 ], [ %37, %64 ], [ %37, %61 ]
  %70 = zext i1 %69 to i32
  %71 = or i32 %24, %70
  %72 = add nuw nsw i64 %23, 1
  %73 = icmp eq i64 %72, 32
  br i1 %73, label %74, label %22

74:
  %75 = icmp eq i32 %71, 0
  br i1 %75, label %76, label %124

76:
  %77 = atomicrmw add ptr @region_spinning, i64 1 seq_cst, align 128
  %78 = load atomic i64, ptr @clock_number monotonic, align 8
  %79 = trunc i64 %78 to i32
  %80 = call i32 @clock_gettime(i32 %79, ptr %3)
  %81 = load i64, ptr %3, align 8
  %82 = mul nsw i64 %81, 1000000000
  %83 = load i64, ptr %5, align 8
  %84 = add i64 %83, 50000
  %85 = add i64 %84, %82
  br label %86

86:
  %87 = phi i32 [ 0, %76 ], [ %97, %96 ]
  %88 = load atomic i64, ptr @region_generation acquire, align 128
  %89 = icmp eq i64 %88, %8
  br i1 %89, label %93, label %90

90:
  %91 = load atomic i64, ptr @region_generation acquire, align 128
  %92 = icmp eq i64 %91, %8
  br i1 %92, label %98, label %107

93:
  call void @tolang_pause()
  %94 = add nuw nsw i32 %87, 1
  %95 = icmp eq i32 %94, 32
  br i1 %95, label %90, label %96

96:
  %97 = phi i32 [ %94, %93 ], [ 0, %98 ]
  br label %86

98:
  %99 = load atomic i64, ptr @clock_number monotonic, align 8
  %100 = trunc i64 %99 to i32
  %101 = call i32 @clock_gettime(i32 %100, ptr %2)
  %102 = load i64, ptr %2, align 8
  %103 = mul nsw i64 %102, 1000000000
  %104 = load i64, ptr %6, align 8
  %105 = add nsw i64 %103, %104
  %106 = icmp slt i64 %105, %85
  br i1 %106, label %96, label %107

107:
  %108 = atomicrmw add ptr @region_spinning, i64 -1 seq_cst, align 128
  %109 = load atomic i64, ptr @region_generation acquire, align 128
  %110 = icmp eq i64 %109, %8
  br i1 %110, label %111, label %124

111:
  %112 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %113 = atomicrmw add ptr @region_sleeping, i64 1 seq_cst, align 128
  %114 = load atomic i64, ptr @region_generation seq_cst, align 128
  %115 = icmp eq i64 %114, %8
  br i1 %115, label %116, label %120

116:
  %117 = call i32 @pthread_cond_wait(ptr @region_wake, ptr @region_mutex)
  %118 = load atomic i64, ptr @region_generation seq_cst, align 128
  %119 = icmp eq i64 %118, %8
  br i1 %119, label %116, label %120

120:
  %121 = atomicrmw add ptr @region_sleeping, i64 -1 seq_cst, align 128
  br label %122

122:
  %123 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %124

124:
  br label %7
}

declare i32 @pthread_detach(ptr)

declare i32 @pthread_cond_wait(ptr, ptr)

declare void @tolang_pause()

declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
