; Made of threads.c (e6ecca20d6eff8c2) by `python -m native`.

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
@cache_bytes.0 = internal global i64 32768, align 8
@cache_bytes.1 = internal global i64 1048576, align 8
@cache_bytes.2 = internal global i64 33554432, align 8
@region_parked = internal global i64 0, align 8
@region_mutex = internal global [256 x i8] zeroinitializer, align 16
@region_more = internal global [256 x i8] zeroinitializer, align 16
@region_wake = internal global [256 x i8] zeroinitializer, align 16
@region_done = internal global [256 x i8] zeroinitializer, align 16
@region_wanted = internal global i64 0, align 128
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

define void @tolang_caches(i64 %0, i64 %1, i64 %2) {
  store atomic i64 %0, ptr @cache_bytes.0 release, align 8
  store atomic i64 %1, ptr @cache_bytes.1 release, align 8
  store atomic i64 %2, ptr @cache_bytes.2 release, align 8
  ret void
}

define i64 @tolang_nearest_cache() {
  %1 = load atomic i64, ptr @cache_bytes.0 monotonic, align 8
  ret i64 %1
}

define i64 @tolang_second_cache() {
  %1 = load atomic i64, ptr @cache_bytes.1 monotonic, align 8
  ret i64 %1
}

define i64 @tolang_last_cache() {
  %1 = load atomic i64, ptr @cache_bytes.2 monotonic, align 8
  ret i64 %1
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
  br i1 %30, label %31, label %171

31:
  %32 = tail call i64 @tolang_look(ptr %4)
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %26, label %171

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
  %46 = add nsw i64 %45, -1
  %47 = load atomic i64, ptr @region_threads monotonic, align 8
  %48 = add nsw i64 %47, -1
  %49 = tail call i64 @llvm.smin.i64(i64 %46, i64 %48)
  %50 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %51 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %52 = sub nsw i64 %49, %51
  %53 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %54 = tail call i64 @llvm.smin.i64(i64 %52, i64 %53)
  %55 = load atomic i64, ptr @region_started monotonic, align 8
  %56 = icmp slt i64 %55, %48
  %57 = icmp sgt i64 %54, 0
  %58 = select i1 %56, i1 true, i1 %57
  br i1 %58, label %59, label %97

59:
  %60 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %61 = load atomic i64, ptr @region_started monotonic, align 8
  %62 = load atomic i64, ptr @region_threads monotonic, align 8
  %63 = add nsw i64 %62, -1
  %64 = icmp slt i64 %61, %63
  br i1 %64, label %65, label %80

65:
  %66 = load atomic i64, ptr @region_started monotonic, align 8
  %67 = add nsw i64 %66, 1
  %68 = inttoptr i64 %67 to ptr
  %69 = call i32 @pthread_create(ptr %9, ptr null, ptr @worker, ptr %68)
  %70 = icmp eq i32 %69, 0
  br i1 %70, label %72, label %71

71:
  br label %80

72:
  %73 = load ptr, ptr %9, align 8
  %74 = call i32 @pthread_detach(ptr %73)
  %75 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  %76 = load atomic i64, ptr @region_started monotonic, align 8
  %77 = load atomic i64, ptr @region_threads monotonic, align 8
  %78 = add nsw i64 %77, -1
  %79 = icmp slt i64 %76, %78
  br i1 %79, label %65, label %80

80:
  %81 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %57, label %82, label %97

82:
  store atomic i64 %54, ptr @region_wanted release, align 128
  %83 = load atomic i64, ptr @region_wanted monotonic, align 128
  %84 = icmp slt i64 %83, 1
  br i1 %84, label %97, label %85

85:
  %86 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %87 = icmp slt i64 %86, 1
  br i1 %87, label %97, label %88

88:
  %89 = call i32 @pthread_cond_signal(ptr @region_wake)
  %90 = load atomic i64, ptr @region_wanted monotonic, align 128
  %91 = icmp slt i64 %90, 1
  br i1 %91, label %97, label %92

92:
  %93 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %94 = icmp slt i64 %93, 1
  br i1 %94, label %97, label %95

95:
  %96 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %97

97:
  %98 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %99 = load ptr, ptr %35, align 8
  %100 = load ptr, ptr %36, align 16
  %101 = load i64, ptr %39, align 8
  %102 = load i64, ptr %37, align 32
  %103 = load ptr, ptr %38, align 8
  %104 = call i64 @tolang_look(ptr %103)
  %105 = icmp eq i64 %104, 0
  br i1 %105, label %106, label %114

106:
  %107 = atomicrmw add ptr %40, i64 %102 monotonic, align 128
  %108 = icmp slt i64 %107, %101
  br i1 %108, label %109, label %114

109:
  %110 = add nsw i64 %107, %102
  %111 = call i64 @llvm.smin.i64(i64 %110, i64 %101)
  call void %99(ptr %100, i64 %107, i64 %111)
  %112 = call i64 @tolang_look(ptr %103)
  %113 = icmp eq i64 %112, 0
  br i1 %113, label %106, label %114

114:
  %115 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %116 = atomicrmw add ptr %41, i64 -4611686018427387904 seq_cst, align 128
  %117 = load atomic i64, ptr @clock_number monotonic, align 8
  %118 = trunc i64 %117 to i32
  %119 = call i32 @clock_gettime(i32 %118, ptr %7)
  %120 = load i64, ptr %7, align 8
  %121 = mul nsw i64 %120, 1000000000
  %122 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %123 = load i64, ptr %122, align 8
  %124 = add i64 %123, 50000
  %125 = add i64 %124, %121
  %126 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %127

127:
  %128 = phi i32 [ 0, %114 ], [ %135, %134 ]
  %129 = load atomic i64, ptr %41 acquire, align 128
  %130 = icmp eq i64 %129, -4611686018427387904
  br i1 %130, label %170, label %131

131:
  call void @tolang_pause()
  %132 = add nuw nsw i32 %128, 1
  %133 = icmp eq i32 %132, 32
  br i1 %133, label %136, label %134

134:
  %135 = phi i32 [ %132, %131 ], [ 0, %136 ]
  br label %127

136:
  %137 = load atomic i64, ptr @clock_number monotonic, align 8
  %138 = trunc i64 %137 to i32
  %139 = call i32 @clock_gettime(i32 %138, ptr %6)
  %140 = load i64, ptr %6, align 8
  %141 = mul nsw i64 %140, 1000000000
  %142 = load i64, ptr %126, align 8
  %143 = add nsw i64 %141, %142
  %144 = icmp slt i64 %143, %125
  br i1 %144, label %134, label %145

145:
  %146 = load atomic i64, ptr %41 acquire, align 128
  %147 = icmp eq i64 %146, -4611686018427387904
  br i1 %147, label %170, label %148

148:
  %149 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %150

150:
  %151 = call i32 @clock_gettime(i32 0, ptr %8)
  %152 = load i64, ptr %149, align 8
  %153 = add nsw i64 %152, 50000000
  %154 = freeze i64 %153
  %155 = sdiv i64 %154, 1000000000
  %156 = load i64, ptr %8, align 8
  %157 = add nsw i64 %155, %156
  store i64 %157, ptr %8, align 8
  %158 = mul i64 %155, 1000000000
  %159 = sub i64 %154, %158
  store i64 %159, ptr %149, align 8
  %160 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %161 = load atomic i64, ptr %41 acquire, align 128
  %162 = icmp eq i64 %161, -4611686018427387904
  br i1 %162, label %165, label %163

163:
  %164 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %8)
  br label %165

165:
  %166 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %167 = call i64 @tolang_look(ptr %4)
  %168 = load atomic i64, ptr %41 acquire, align 128
  %169 = icmp eq i64 %168, -4611686018427387904
  br i1 %169, label %170, label %150

170:
  store atomic i64 0, ptr %16 release, align 128
  br label %171

171:
  %172 = load atomic i64, ptr %4 acquire, align 8
  ret i64 %172
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
  store i64 0, ptr @region_wanted, align 128
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
  br i1 %10, label %23, label %11

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
  %22 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %138

23:
  %24 = phi i64 [ %73, %69 ], [ 0, %7 ]
  %25 = phi i32 [ %72, %69 ], [ 0, %7 ]
  %26 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %24
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 256
  %28 = load atomic i64, ptr %27 monotonic, align 128
  %29 = icmp slt i64 %28, 0
  br i1 %29, label %69, label %30

30:
  %31 = getelementptr inbounds nuw i8, ptr %26, i64 128
  %32 = load atomic i64, ptr %31 monotonic, align 128
  %33 = getelementptr inbounds nuw i8, ptr %26, i64 24
  %34 = load atomic i64, ptr %33 monotonic, align 8
  %35 = icmp slt i64 %32, %34
  br i1 %35, label %36, label %69

36:
  %37 = atomicrmw add ptr %27, i64 1 seq_cst, align 128
  %38 = icmp sgt i64 %37, -1
  br i1 %38, label %39, label %62

39:
  %40 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %41 = getelementptr inbounds nuw i8, ptr %26, i64 8
  %42 = load ptr, ptr %41, align 8
  %43 = getelementptr inbounds nuw i8, ptr %26, i64 16
  %44 = load ptr, ptr %43, align 16
  %45 = load i64, ptr %33, align 8
  %46 = getelementptr inbounds nuw i8, ptr %26, i64 32
  %47 = load i64, ptr %46, align 32
  %48 = getelementptr inbounds nuw i8, ptr %26, i64 40
  %49 = load ptr, ptr %48, align 8
  %50 = call i64 @tolang_look(ptr %49)
  %51 = icmp eq i64 %50, 0
  br i1 %51, label %52, label %60

52:
  %53 = atomicrmw add ptr %31, i64 %47 monotonic, align 128
  %54 = icmp slt i64 %53, %45
  br i1 %54, label %55, label %60

55:
  %56 = add nsw i64 %53, %47
  %57 = call i64 @llvm.smin.i64(i64 %56, i64 %45)
  call void %42(ptr %44, i64 %53, i64 %57)
  %58 = call i64 @tolang_look(ptr %49)
  %59 = icmp eq i64 %58, 0
  br i1 %59, label %52, label %60

60:
  %61 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  br label %62

62:
  %63 = atomicrmw add ptr %27, i64 -1 seq_cst, align 128
  %64 = icmp eq i64 %63, -4611686018427387903
  br i1 %64, label %65, label %69

65:
  %66 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %67 = call i32 @pthread_cond_broadcast(ptr @region_done)
  %68 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %69

69:
  %70 = phi i1 [ false, %23 ], [ false, %30 ], [ %38, %65 ], [ %38, %62 ]
  %71 = zext i1 %70 to i32
  %72 = or i32 %25, %71
  %73 = add nuw nsw i64 %24, 1
  %74 = icmp eq i64 %73, 32
  br i1 %74, label %75, label %23

75:
  %76 = icmp eq i32 %72, 0
  br i1 %76, label %77, label %138

77:
  %78 = atomicrmw add ptr @region_spinning, i64 1 seq_cst, align 128
  %79 = load atomic i64, ptr @clock_number monotonic, align 8
  %80 = trunc i64 %79 to i32
  %81 = call i32 @clock_gettime(i32 %80, ptr %3)
  %82 = load i64, ptr %3, align 8
  %83 = mul nsw i64 %82, 1000000000
  %84 = load i64, ptr %5, align 8
  %85 = add i64 %84, 50000
  %86 = add i64 %85, %83
  br label %87

87:
  %88 = phi i32 [ 0, %77 ], [ %98, %97 ]
  %89 = load atomic i64, ptr @region_generation acquire, align 128
  %90 = icmp eq i64 %89, %8
  br i1 %90, label %94, label %91

91:
  %92 = load atomic i64, ptr @region_generation acquire, align 128
  %93 = icmp eq i64 %92, %8
  br i1 %93, label %99, label %108

94:
  call void @tolang_pause()
  %95 = add nuw nsw i32 %88, 1
  %96 = icmp eq i32 %95, 32
  br i1 %96, label %91, label %97

97:
  %98 = phi i32 [ %95, %94 ], [ 0, %99 ]
  br label %87

99:
  %100 = load atomic i64, ptr @clock_number monotonic, align 8
  %101 = trunc i64 %100 to i32
  %102 = call i32 @clock_gettime(i32 %101, ptr %2)
  %103 = load i64, ptr %2, align 8
  %104 = mul nsw i64 %103, 1000000000
  %105 = load i64, ptr %6, align 8
  %106 = add nsw i64 %104, %105
  %107 = icmp slt i64 %106, %86
  br i1 %107, label %97, label %108

108:
  %109 = atomicrmw add ptr @region_spinning, i64 -1 seq_cst, align 128
  %110 = load atomic i64, ptr @region_generation acquire, align 128
  %111 = icmp eq i64 %110, %8
  br i1 %111, label %112, label %138

112:
  %113 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %114 = atomicrmw add ptr @region_sleeping, i64 1 seq_cst, align 128
  %115 = load atomic i64, ptr @region_generation seq_cst, align 128
  %116 = icmp eq i64 %115, %8
  br i1 %116, label %117, label %121

117:
  %118 = call i32 @pthread_cond_wait(ptr @region_wake, ptr @region_mutex)
  %119 = load atomic i64, ptr @region_generation seq_cst, align 128
  %120 = icmp eq i64 %119, %8
  br i1 %120, label %117, label %121

121:
  %122 = atomicrmw add ptr @region_sleeping, i64 -1 seq_cst, align 128
  %123 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %124 = load atomic i64, ptr @region_wanted monotonic, align 128
  %125 = icmp slt i64 %124, 1
  br i1 %125, label %138, label %126

126:
  %127 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %128 = icmp slt i64 %127, 1
  br i1 %128, label %138, label %129

129:
  %130 = call i32 @pthread_cond_signal(ptr @region_wake)
  %131 = load atomic i64, ptr @region_wanted monotonic, align 128
  %132 = icmp slt i64 %131, 1
  br i1 %132, label %138, label %133

133:
  %134 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %135 = icmp slt i64 %134, 1
  br i1 %135, label %138, label %136

136:
  %137 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %138

138:
  br label %7
}

declare i32 @pthread_detach(ptr)

declare i32 @pthread_cond_wait(ptr, ptr)

declare void @tolang_pause()

declare i32 @pthread_cond_signal(ptr)

declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
