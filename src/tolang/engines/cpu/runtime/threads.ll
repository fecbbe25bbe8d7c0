; Made of threads.c (07154e51d8582e4e) by `python -m native`.

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
@region_home = internal global i64 -1, align 8
@region_slots = internal global [32 x %struct.Region] zeroinitializer, align 128
@region_generation = internal global i64 0, align 128
@region_workers = internal global [1024 x ptr] zeroinitializer, align 8

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
  %9 = load atomic i64, ptr @region_threads monotonic, align 8
  %10 = icmp sgt i64 %9, 1
  %11 = icmp sgt i64 %2, %3
  %12 = and i1 %11, %10
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %21 ], [ 0, %5 ]
  %15 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %14
  %16 = load atomic i64, ptr %15 monotonic, align 128
  %17 = icmp eq i64 %16, 0
  br i1 %17, label %18, label %21

18:
  %19 = cmpxchg ptr %15, i64 0, i64 1 acquire monotonic, align 128
  %20 = extractvalue { i64, i1 } %19, 1
  br i1 %20, label %33, label %21

21:
  %22 = add nuw nsw i64 %14, 1
  %23 = icmp eq i64 %22, 32
  br i1 %23, label %24, label %13

24:
  br label %25

25:
  %26 = phi i64 [ %28, %30 ], [ 0, %24 ]
  %27 = add nsw i64 %26, %3
  %28 = tail call i64 @llvm.smin.i64(i64 %27, i64 %2)
  tail call void %0(ptr %1, i64 %26, i64 %28)
  %29 = icmp slt i64 %27, %2
  br i1 %29, label %30, label %185

30:
  %31 = tail call i64 @tolang_look(ptr %4)
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %25, label %185

33:
  %34 = getelementptr inbounds nuw i8, ptr %15, i64 8
  store ptr %0, ptr %34, align 8
  %35 = getelementptr inbounds nuw i8, ptr %15, i64 16
  store ptr %1, ptr %35, align 16
  %36 = getelementptr inbounds nuw i8, ptr %15, i64 32
  store i64 %3, ptr %36, align 32
  %37 = getelementptr inbounds nuw i8, ptr %15, i64 40
  store ptr %4, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %15, i64 24
  store atomic i64 %2, ptr %38 monotonic, align 8
  %39 = getelementptr inbounds nuw i8, ptr %15, i64 128
  store atomic i64 0, ptr %39 monotonic, align 128
  %40 = getelementptr inbounds nuw i8, ptr %15, i64 256
  %41 = atomicrmw add ptr %40, i64 4611686018427387904 seq_cst, align 128
  %42 = add i64 %2, -1
  %43 = add i64 %42, %3
  %44 = sdiv i64 %43, %3
  %45 = add nsw i64 %44, -1
  %46 = load atomic i64, ptr @region_threads monotonic, align 8
  %47 = add nsw i64 %46, -1
  %48 = tail call i64 @llvm.smin.i64(i64 %45, i64 %47)
  %49 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %50 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %51 = sub nsw i64 %48, %50
  %52 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %53 = tail call i64 @llvm.smin.i64(i64 %51, i64 %52)
  %54 = load atomic i64, ptr @region_started monotonic, align 8
  %55 = icmp slt i64 %54, %47
  %56 = icmp sgt i64 %53, 0
  %57 = select i1 %55, i1 true, i1 %56
  br i1 %57, label %58, label %111

58:
  %59 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %60 = load atomic i64, ptr @region_started monotonic, align 8
  %61 = load atomic i64, ptr @region_threads monotonic, align 8
  %62 = add nsw i64 %61, -1
  %63 = icmp slt i64 %60, %62
  br i1 %63, label %64, label %83

64:
  %65 = load atomic i64, ptr @region_started monotonic, align 8
  %66 = icmp slt i64 %65, 1024
  br i1 %66, label %67, label %83

67:
  %68 = load atomic i64, ptr @region_started monotonic, align 8
  %69 = getelementptr inbounds ptr, ptr @region_workers, i64 %68
  %70 = load atomic i64, ptr @region_started monotonic, align 8
  %71 = add nsw i64 %70, 1
  %72 = inttoptr i64 %71 to ptr
  %73 = tail call i32 @pthread_create(ptr %69, ptr null, ptr @worker, ptr %72)
  %74 = icmp eq i32 %73, 0
  br i1 %74, label %75, label %83

75:
  %76 = load ptr, ptr %69, align 8
  %77 = tail call i32 @pthread_detach(ptr %76)
  %78 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  store i64 -1, ptr @region_home, align 8
  %79 = load atomic i64, ptr @region_started monotonic, align 8
  %80 = load atomic i64, ptr @region_threads monotonic, align 8
  %81 = add nsw i64 %80, -1
  %82 = icmp slt i64 %79, %81
  br i1 %82, label %64, label %83

83:
  %84 = tail call i64 @tolang_processor()
  %85 = icmp slt i64 %84, 0
  %86 = load i64, ptr @region_home, align 8
  %87 = icmp eq i64 %84, %86
  %88 = select i1 %85, i1 true, i1 %87
  br i1 %88, label %94, label %89

89:
  %90 = load atomic i64, ptr @region_working monotonic, align 128
  %91 = icmp eq i64 %90, 0
  br i1 %91, label %92, label %94

92:
  store i64 %84, ptr @region_home, align 8
  %93 = load atomic i64, ptr @region_started monotonic, align 8
  tail call void @tolang_keep_off(i64 %84, ptr @region_workers, i64 %93)
  br label %94

94:
  %95 = tail call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %56, label %96, label %111

96:
  store atomic i64 %53, ptr @region_wanted release, align 128
  %97 = load atomic i64, ptr @region_wanted monotonic, align 128
  %98 = icmp slt i64 %97, 1
  br i1 %98, label %111, label %99

99:
  %100 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %101 = icmp slt i64 %100, 1
  br i1 %101, label %111, label %102

102:
  %103 = tail call i32 @pthread_cond_signal(ptr @region_wake)
  %104 = load atomic i64, ptr @region_wanted monotonic, align 128
  %105 = icmp slt i64 %104, 1
  br i1 %105, label %111, label %106

106:
  %107 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %108 = icmp slt i64 %107, 1
  br i1 %108, label %111, label %109

109:
  %110 = tail call i32 @pthread_cond_signal(ptr @region_wake)
  br label %111

111:
  %112 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %113 = load ptr, ptr %34, align 8
  %114 = load ptr, ptr %35, align 16
  %115 = load i64, ptr %38, align 8
  %116 = load i64, ptr %36, align 32
  %117 = load ptr, ptr %37, align 8
  %118 = tail call i64 @tolang_look(ptr %117)
  %119 = icmp eq i64 %118, 0
  br i1 %119, label %120, label %128

120:
  %121 = atomicrmw add ptr %39, i64 %116 monotonic, align 128
  %122 = icmp slt i64 %121, %115
  br i1 %122, label %123, label %128

123:
  %124 = add nsw i64 %121, %116
  %125 = tail call i64 @llvm.smin.i64(i64 %124, i64 %115)
  tail call void %113(ptr %114, i64 %121, i64 %125)
  %126 = tail call i64 @tolang_look(ptr %117)
  %127 = icmp eq i64 %126, 0
  br i1 %127, label %120, label %128

128:
  %129 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %130 = atomicrmw add ptr %40, i64 -4611686018427387904 seq_cst, align 128
  %131 = load atomic i64, ptr @clock_number monotonic, align 8
  %132 = trunc i64 %131 to i32
  %133 = call i32 @clock_gettime(i32 %132, ptr %7)
  %134 = load i64, ptr %7, align 8
  %135 = mul nsw i64 %134, 1000000000
  %136 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %137 = load i64, ptr %136, align 8
  %138 = add i64 %137, 50000
  %139 = add i64 %138, %135
  %140 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %141

141:
  %142 = phi i32 [ 0, %128 ], [ %149, %148 ]
  %143 = load atomic i64, ptr %40 acquire, align 128
  %144 = icmp eq i64 %143, -4611686018427387904
  br i1 %144, label %184, label %145

145:
  call void @tolang_pause()
  %146 = add nuw nsw i32 %142, 1
  %147 = icmp eq i32 %146, 32
  br i1 %147, label %150, label %148

148:
  %149 = phi i32 [ %146, %145 ], [ 0, %150 ]
  br label %141

150:
  %151 = load atomic i64, ptr @clock_number monotonic, align 8
  %152 = trunc i64 %151 to i32
  %153 = call i32 @clock_gettime(i32 %152, ptr %6)
  %154 = load i64, ptr %6, align 8
  %155 = mul nsw i64 %154, 1000000000
  %156 = load i64, ptr %140, align 8
  %157 = add nsw i64 %155, %156
  %158 = icmp slt i64 %157, %139
  br i1 %158, label %148, label %159

159:
  %160 = load atomic i64, ptr %40 acquire, align 128
  %161 = icmp eq i64 %160, -4611686018427387904
  br i1 %161, label %184, label %162

162:
  %163 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %164

164:
  %165 = call i32 @clock_gettime(i32 0, ptr %8)
  %166 = load i64, ptr %163, align 8
  %167 = add nsw i64 %166, 50000000
  %168 = freeze i64 %167
  %169 = sdiv i64 %168, 1000000000
  %170 = load i64, ptr %8, align 8
  %171 = add nsw i64 %169, %170
  store i64 %171, ptr %8, align 8
  %172 = mul i64 %169, 1000000000
  %173 = sub i64 %168, %172
  store i64 %173, ptr %163, align 8
  %174 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %175 = load atomic i64, ptr %40 acquire, align 128
  %176 = icmp eq i64 %175, -4611686018427387904
  br i1 %176, label %179, label %177

177:
  %178 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %8)
  br label %179

179:
  %180 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %181 = call i64 @tolang_look(ptr %4)
  %182 = load atomic i64, ptr %40 acquire, align 128
  %183 = icmp eq i64 %182, -4611686018427387904
  br i1 %183, label %184, label %164

184:
  store atomic i64 0, ptr %15 release, align 128
  br label %185

185:
  %186 = load atomic i64, ptr %4 acquire, align 8
  ret i64 %186
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
  store i64 -1, ptr @region_home, align 8
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

declare i64 @tolang_processor()

declare void @tolang_keep_off(i64, ptr, i64)

declare i32 @pthread_cond_signal(ptr)

declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
