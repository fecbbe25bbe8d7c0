; Made of threads.c (e91585d31241a6e3) by `python -m native`.

%struct.Whereabouts = type { i64, [120 x i8] }
%struct.Region = type { i64, ptr, ptr, i64, i64, i64, i64, ptr, [64 x i8], i64, [120 x i8], i64, i64, i64, [104 x i8] }
%struct.Part = type { i64, [120 x i8] }
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
@region_openers = internal global i64 0, align 128
@region_started = internal global i64 0, align 8
@region_selves = internal global [1024 x ptr] zeroinitializer, align 8
@cache_bytes.0 = internal global i64 32768, align 8
@cache_bytes.1 = internal global i64 1048576, align 8
@cache_bytes.2 = internal global i64 33554432, align 8
@region_alone = internal global i64 0, align 8
@region_running = internal global i64 0, align 128
@region_home = internal global i64 -1, align 8
@region_parked = internal global i64 0, align 8
@region_mutex = internal global [256 x i8] zeroinitializer, align 16
@region_more = internal global [256 x i8] zeroinitializer, align 16
@region_wake = internal global [256 x i8] zeroinitializer, align 16
@region_done = internal global [256 x i8] zeroinitializer, align 16
@region_joined = internal global [1025 x %struct.Whereabouts] zeroinitializer, align 128
@region_bound = internal global i64 0, align 8
@region_wanted = internal global i64 0, align 128
@region_sleeping = internal global i64 0, align 128
@region_ended = internal global i64 0, align 128
@region_slots = internal global [32 x %struct.Region] zeroinitializer, align 128
@region_generation = internal global i64 0, align 128
@region_workers = internal global [1024 x ptr] zeroinitializer, align 8
@region_places = internal global [1024 x i64] zeroinitializer, align 8
@region_processors = internal global [1024 x i64] zeroinitializer, align 8
@region_parts = internal global [32 x [64 x %struct.Part]] zeroinitializer, align 128

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

define range(i64 1, -9223372036854775808) i64 @tolang_width() {
  %1 = load atomic i64, ptr @region_threads monotonic, align 8
  %2 = load atomic i64, ptr @region_openers monotonic, align 128
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %21, label %4

4:
  %5 = load atomic i64, ptr @region_started monotonic, align 8
  %6 = icmp slt i64 %5, 1
  br i1 %6, label %17, label %7

7:
  %8 = phi i64 [ %14, %7 ], [ 0, %4 ]
  %9 = phi i64 [ %15, %7 ], [ 1, %4 ]
  %10 = getelementptr inbounds nuw %struct.Whereabouts, ptr @region_joined, i64 %9
  %11 = load atomic i64, ptr %10 monotonic, align 128
  %12 = icmp ne i64 %11, 0
  %13 = zext i1 %12 to i64
  %14 = add nuw nsw i64 %8, %13
  %15 = add nuw i64 %9, 1
  %16 = icmp eq i64 %9, %5
  br i1 %16, label %17, label %7

17:
  %18 = phi i64 [ 0, %4 ], [ %14, %7 ]
  %19 = add i64 %2, %18
  %20 = sub i64 %1, %19
  br label %21

21:
  %22 = phi i64 [ %20, %17 ], [ %1, %0 ]
  %23 = tail call i64 @llvm.smax.i64(i64 %22, i64 1)
  ret i64 %23
}

define i64 @tolang_workers() {
  %1 = load atomic i64, ptr @region_threads monotonic, align 8
  ret i64 %1
}

define i64 @tolang_worker() {
  %1 = tail call ptr @pthread_self()
  %2 = load atomic i64, ptr @region_started monotonic, align 8
  %3 = icmp sgt i64 %2, 0
  br i1 %3, label %4, label %13

4:
  %5 = phi i64 [ %10, %11 ], [ 0, %0 ]
  %6 = getelementptr inbounds nuw ptr, ptr @region_selves, i64 %5
  %7 = load atomic i64, ptr %6 monotonic, align 8
  %8 = inttoptr i64 %7 to ptr
  %9 = icmp eq ptr %1, %8
  %10 = add nuw nsw i64 %5, 1
  br i1 %9, label %13, label %11

11:
  %12 = icmp eq i64 %10, %2
  br i1 %12, label %13, label %4

13:
  %14 = phi i64 [ 0, %0 ], [ 0, %11 ], [ %10, %4 ]
  ret i64 %14
}

declare ptr @pthread_self()

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

define i64 @tolang_parallel(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, ptr %5) {
  %7 = alloca %struct.Time, align 8
  %8 = alloca %struct.Time, align 8
  %9 = alloca %struct.Time, align 8
  %10 = alloca %struct.Time, align 8
  %11 = alloca i64, align 8
  %12 = alloca i64, align 8
  %13 = alloca [1024 x i64], align 8
  %14 = alloca %struct.Time, align 8
  %15 = alloca %struct.Time, align 8
  %16 = alloca %struct.Time, align 8
  %17 = load atomic i64, ptr @region_threads monotonic, align 8
  %18 = icmp slt i64 %17, 2
  %19 = icmp sle i64 %2, %3
  %20 = or i1 %19, %18
  %21 = icmp sgt i64 %2, %4
  %22 = or i1 %21, %20
  br i1 %22, label %69, label %23

23:
  %24 = load atomic i64, ptr @clock_number monotonic, align 8
  %25 = trunc i64 %24 to i32
  %26 = call i32 @clock_gettime(i32 %25, ptr %16)
  %27 = load i64, ptr %16, align 8
  %28 = mul nsw i64 %27, 1000000000
  %29 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = add nsw i64 %28, %30
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %69, label %33

33:
  %34 = load atomic i64, ptr @region_ended monotonic, align 128
  %35 = sub nsw i64 %31, %34
  %36 = icmp sgt i64 %35, 50000
  br i1 %36, label %37, label %38

37:
  store atomic i64 20000, ptr @region_alone release, align 8
  br label %38

38:
  %39 = load atomic i64, ptr @region_alone monotonic, align 8
  %40 = icmp slt i64 %39, 1
  br i1 %40, label %69, label %41

41:
  %42 = phi i64 [ %44, %46 ], [ 0, %38 ]
  %43 = add nsw i64 %42, %3
  %44 = call i64 @llvm.smin.i64(i64 %43, i64 %2)
  call void %0(ptr %1, i64 %42, i64 %44)
  %45 = icmp slt i64 %43, %2
  br i1 %45, label %46, label %49

46:
  %47 = call i64 @tolang_look(ptr %5)
  %48 = icmp eq i64 %47, 0
  br i1 %48, label %41, label %49

49:
  %50 = load atomic i64, ptr @region_alone monotonic, align 8
  %51 = load atomic i64, ptr @clock_number monotonic, align 8
  %52 = trunc i64 %51 to i32
  %53 = call i32 @clock_gettime(i32 %52, ptr %15)
  %54 = load i64, ptr %15, align 8
  %55 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %56 = load i64, ptr %55, align 8
  %57 = mul i64 %54, -1000000000
  %58 = add i64 %50, %31
  %59 = sub i64 %58, %56
  %60 = add i64 %59, %57
  store atomic i64 %60, ptr @region_alone release, align 8
  %61 = load atomic i64, ptr @clock_number monotonic, align 8
  %62 = trunc i64 %61 to i32
  %63 = call i32 @clock_gettime(i32 %62, ptr %14)
  %64 = load i64, ptr %14, align 8
  %65 = mul nsw i64 %64, 1000000000
  %66 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %67 = load i64, ptr %66, align 8
  %68 = add nsw i64 %65, %67
  br label %410

69:
  br i1 %20, label %82, label %70

70:
  %71 = phi i64 [ %80, %79 ], [ 0, %69 ]
  %72 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %71
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 256
  %74 = load atomic i64, ptr %73 monotonic, align 128
  %75 = icmp eq i64 %74, 0
  br i1 %75, label %76, label %79

76:
  %77 = cmpxchg ptr %73, i64 0, i64 1 acquire monotonic, align 128
  %78 = extractvalue { i64, i1 } %77, 1
  br i1 %78, label %91, label %79

79:
  %80 = add nuw nsw i64 %71, 1
  %81 = icmp eq i64 %80, 32
  br i1 %81, label %82, label %70

82:
  br label %83

83:
  %84 = phi i64 [ %86, %88 ], [ 0, %82 ]
  %85 = add nsw i64 %84, %3
  %86 = call i64 @llvm.smin.i64(i64 %85, i64 %2)
  call void %0(ptr %1, i64 %84, i64 %86)
  %87 = icmp slt i64 %85, %2
  br i1 %87, label %88, label %412

88:
  %89 = call i64 @tolang_look(ptr %5)
  %90 = icmp eq i64 %89, 0
  br i1 %90, label %83, label %412

91:
  %92 = lshr i64 %2, 31
  %93 = add nuw nsw i64 %92, 1
  %94 = load atomic i64, ptr @region_threads monotonic, align 8
  %95 = call i64 @llvm.smin.i64(i64 %94, i64 64)
  %96 = getelementptr inbounds nuw i8, ptr %72, i64 8
  store ptr %0, ptr %96, align 8
  %97 = getelementptr inbounds nuw i8, ptr %72, i64 16
  store ptr %1, ptr %97, align 16
  %98 = getelementptr inbounds nuw i8, ptr %72, i64 56
  store ptr %5, ptr %98, align 8
  %99 = getelementptr inbounds nuw i8, ptr %72, i64 24
  store i64 %2, ptr %99, align 8
  %100 = call i64 @llvm.smax.i64(i64 %3, i64 %93)
  %101 = getelementptr inbounds nuw i8, ptr %72, i64 32
  store i64 %100, ptr %101, align 32
  %102 = add nsw i64 %2, -1
  %103 = sdiv i64 %102, %100
  %104 = add nsw i64 %103, 1
  %105 = getelementptr inbounds nuw i8, ptr %72, i64 40
  store i64 %104, ptr %105, align 8
  %106 = icmp sgt i64 %95, %103
  %107 = select i1 %106, i64 %104, i64 %95
  %108 = getelementptr inbounds nuw i8, ptr %72, i64 48
  store i64 %107, ptr %108, align 16
  %109 = getelementptr inbounds nuw i8, ptr %72, i64 272
  %110 = load i64, ptr %109, align 16
  %111 = add nsw i64 %110, 1
  store i64 %111, ptr %109, align 16
  store atomic i64 %111, ptr %72 seq_cst, align 128
  %112 = load atomic i64, ptr @region_threads monotonic, align 8
  %113 = add nsw i64 %112, -1
  %114 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %115 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %116 = load atomic i64, ptr @region_started monotonic, align 8
  %117 = icmp ne i64 %115, 0
  %118 = icmp slt i64 %116, %113
  %119 = select i1 %117, i1 true, i1 %118
  br i1 %119, label %120, label %297

120:
  %121 = call i64 @llvm.smin.i64(i64 %103, i64 %113)
  %122 = load atomic i64, ptr @region_parked monotonic, align 8
  %123 = load atomic i64, ptr @region_started monotonic, align 8
  %124 = icmp slt i64 %123, 1
  br i1 %124, label %135, label %125

125:
  %126 = phi i64 [ %132, %125 ], [ 0, %120 ]
  %127 = phi i64 [ %133, %125 ], [ 1, %120 ]
  %128 = getelementptr inbounds nuw %struct.Whereabouts, ptr @region_joined, i64 %127
  %129 = load atomic i64, ptr %128 monotonic, align 128
  %130 = icmp ne i64 %129, 0
  %131 = zext i1 %130 to i64
  %132 = add nuw nsw i64 %126, %131
  %133 = add nuw i64 %127, 1
  %134 = icmp eq i64 %127, %123
  br i1 %134, label %135, label %125

135:
  %136 = phi i64 [ 0, %120 ], [ %132, %125 ]
  %137 = add i64 %121, %115
  %138 = sub i64 %137, %116
  %139 = add i64 %138, %122
  %140 = add i64 %139, %136
  %141 = call i64 @llvm.smin.i64(i64 %140, i64 %115)
  %142 = icmp sgt i64 %141, 0
  %143 = select i1 %118, i1 true, i1 %142
  br i1 %143, label %144, label %297

144:
  %145 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %146 = load atomic i64, ptr @region_started monotonic, align 8
  %147 = load atomic i64, ptr @region_threads monotonic, align 8
  %148 = add nsw i64 %147, -1
  %149 = icmp slt i64 %146, %148
  br i1 %149, label %150, label %169

150:
  %151 = load atomic i64, ptr @region_started monotonic, align 8
  %152 = icmp slt i64 %151, 1024
  br i1 %152, label %153, label %169

153:
  %154 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  %155 = add nsw i64 %154, 1
  %156 = getelementptr inbounds ptr, ptr @region_workers, i64 %154
  %157 = inttoptr i64 %155 to ptr
  %158 = call i32 @pthread_create(ptr %156, ptr null, ptr @worker, ptr %157)
  %159 = icmp eq i32 %158, 0
  br i1 %159, label %162, label %160

160:
  %161 = atomicrmw add ptr @region_started, i64 -1 seq_cst, align 8
  br label %169

162:
  %163 = load ptr, ptr %156, align 8
  %164 = call i32 @pthread_detach(ptr %163)
  store atomic i64 -1, ptr @region_home release, align 8
  %165 = load atomic i64, ptr @region_started monotonic, align 8
  %166 = load atomic i64, ptr @region_threads monotonic, align 8
  %167 = add nsw i64 %166, -1
  %168 = icmp slt i64 %165, %167
  br i1 %168, label %150, label %169

169:
  %170 = call i64 @tolang_processor()
  %171 = load atomic i64, ptr @region_home monotonic, align 8
  %172 = icmp eq i64 %170, %171
  br i1 %172, label %280, label %173

173:
  %174 = load atomic i64, ptr @region_openers monotonic, align 128
  %175 = icmp eq i64 %174, 0
  br i1 %175, label %176, label %280

176:
  store atomic i64 %170, ptr @region_home release, align 8
  %177 = call i64 @tolang_processors(ptr %13, i64 1024)
  %178 = icmp sgt i64 %177, 1024
  br i1 %178, label %279, label %179

179:
  %180 = icmp sgt i64 %171, -1
  %181 = load i64, ptr @region_bound, align 8
  br i1 %180, label %184, label %182

182:
  %183 = icmp sgt i64 %181, 0
  br label %216

184:
  %185 = icmp ne i64 %181, 0
  %186 = add nsw i64 %181, 1
  %187 = icmp eq i64 %177, %186
  %188 = select i1 %185, i1 %187, i1 false
  %189 = icmp sgt i64 %177, 0
  %190 = and i1 %189, %188
  br i1 %190, label %191, label %201

191:
  %192 = phi i64 [ %198, %191 ], [ 0, %184 ]
  %193 = getelementptr inbounds nuw i64, ptr %13, i64 %192
  %194 = load i64, ptr %193, align 8
  %195 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %192
  %196 = load i64, ptr %195, align 8
  %197 = icmp eq i64 %194, %196
  %198 = add nuw nsw i64 %192, 1
  %199 = icmp slt i64 %198, %177
  %200 = select i1 %197, i1 %199, i1 false
  br i1 %200, label %191, label %201

201:
  %202 = phi i1 [ %188, %184 ], [ %197, %191 ]
  %203 = icmp sgt i64 %181, 0
  %204 = select i1 %202, i1 %203, i1 false
  br i1 %204, label %205, label %216

205:
  %206 = phi i64 [ %214, %213 ], [ 0, %201 ]
  %207 = getelementptr inbounds nuw i64, ptr @region_places, i64 %206
  %208 = load i64, ptr %207, align 8
  %209 = icmp eq i64 %208, %170
  br i1 %209, label %210, label %213

210:
  store i64 %171, ptr %12, align 8
  store i64 %171, ptr %207, align 8
  %211 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %206
  %212 = load ptr, ptr %211, align 8
  call void @tolang_bind(ptr %212, ptr %12, i64 1)
  br label %279

213:
  %214 = add nuw nsw i64 %206, 1
  %215 = icmp eq i64 %214, %181
  br i1 %215, label %216, label %205

216:
  %217 = phi i1 [ %183, %182 ], [ %203, %201 ], [ true, %213 ]
  %218 = load atomic i64, ptr @region_threads monotonic, align 8
  %219 = add i64 %218, -1
  store i64 0, ptr @region_bound, align 8
  %220 = icmp sgt i64 %177, 1
  br i1 %220, label %221, label %246

221:
  %222 = icmp ult i64 %177, 4
  br i1 %222, label %237, label %223

223:
  %224 = and i64 %177, 9223372036854775804
  br label %225

225:
  %226 = phi i64 [ 0, %223 ], [ %233, %225 ]
  %227 = getelementptr inbounds nuw i64, ptr %13, i64 %226
  %228 = getelementptr inbounds nuw i8, ptr %227, i64 16
  %229 = load <2 x i64>, ptr %227, align 8
  %230 = load <2 x i64>, ptr %228, align 8
  %231 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %226
  %232 = getelementptr inbounds nuw i8, ptr %231, i64 16
  store <2 x i64> %229, ptr %231, align 8
  store <2 x i64> %230, ptr %232, align 8
  %233 = add nuw i64 %226, 4
  %234 = icmp eq i64 %233, %224
  br i1 %234, label %235, label %225

235:
  %236 = icmp eq i64 %177, %224
  br i1 %236, label %246, label %237

237:
  %238 = phi i64 [ 0, %221 ], [ %224, %235 ]
  br label %239

239:
  %240 = phi i64 [ %244, %239 ], [ %238, %237 ]
  %241 = getelementptr inbounds nuw i64, ptr %13, i64 %240
  %242 = load i64, ptr %241, align 8
  %243 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %240
  store i64 %242, ptr %243, align 8
  %244 = add nuw nsw i64 %240, 1
  %245 = icmp eq i64 %244, %177
  br i1 %245, label %246, label %239

246:
  br i1 %217, label %247, label %250

247:
  %248 = add nuw nsw i64 %181, 1
  %249 = select i1 %220, i64 %177, i64 %248
  br label %252

250:
  %251 = icmp eq i64 %177, %218
  br i1 %251, label %258, label %279

252:
  %253 = phi i64 [ 0, %247 ], [ %256, %252 ]
  %254 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %253
  %255 = load ptr, ptr %254, align 8
  call void @tolang_bind(ptr %255, ptr @region_processors, i64 %249)
  %256 = add nuw nsw i64 %253, 1
  %257 = icmp eq i64 %256, %181
  br i1 %257, label %250, label %252

258:
  %259 = load atomic i64, ptr @region_started monotonic, align 8
  %260 = icmp slt i64 %259, %219
  br i1 %260, label %279, label %261

261:
  br i1 %220, label %263, label %262

262:
  store i64 %219, ptr @region_bound, align 8
  br label %279

263:
  %264 = phi i64 [ %277, %263 ], [ 0, %261 ]
  %265 = phi i64 [ %271, %263 ], [ 0, %261 ]
  %266 = getelementptr inbounds i64, ptr %13, i64 %265
  %267 = load i64, ptr %266, align 8
  %268 = icmp eq i64 %267, %170
  %269 = zext i1 %268 to i64
  %270 = add nsw i64 %265, %269
  %271 = add nsw i64 %270, 1
  %272 = getelementptr inbounds i64, ptr %13, i64 %270
  %273 = load i64, ptr %272, align 8
  store i64 %273, ptr %11, align 8
  %274 = getelementptr inbounds nuw i64, ptr @region_places, i64 %264
  store i64 %273, ptr %274, align 8
  %275 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %264
  %276 = load ptr, ptr %275, align 8
  call void @tolang_bind(ptr %276, ptr %11, i64 1)
  %277 = add nuw nsw i64 %264, 1
  %278 = icmp eq i64 %277, %219
  br i1 %278, label %262, label %263

279:
  br label %280

280:
  %281 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %142, label %282, label %297

282:
  store atomic i64 %141, ptr @region_wanted release, align 128
  %283 = load atomic i64, ptr @region_wanted monotonic, align 128
  %284 = icmp slt i64 %283, 1
  br i1 %284, label %297, label %285

285:
  %286 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %287 = icmp slt i64 %286, 1
  br i1 %287, label %297, label %288

288:
  %289 = call i32 @pthread_cond_signal(ptr @region_wake)
  %290 = load atomic i64, ptr @region_wanted monotonic, align 128
  %291 = icmp slt i64 %290, 1
  br i1 %291, label %297, label %292

292:
  %293 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %294 = icmp slt i64 %293, 1
  br i1 %294, label %297, label %295

295:
  %296 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %297

297:
  %298 = atomicrmw add ptr @region_openers, i64 1 seq_cst, align 128
  call fastcc void @work_on(ptr %72, i64 %111, i64 0)
  %299 = atomicrmw add ptr @region_openers, i64 -1 seq_cst, align 128
  store atomic i64 0, ptr %72 seq_cst, align 128
  %300 = add nuw nsw i64 %71, 1
  %301 = load atomic i64, ptr @region_started monotonic, align 8
  %302 = icmp slt i64 %301, 1
  br i1 %302, label %401, label %303

303:
  %304 = phi i64 [ %309, %308 ], [ 1, %297 ]
  %305 = getelementptr inbounds %struct.Whereabouts, ptr @region_joined, i64 %304
  %306 = load atomic i64, ptr %305 seq_cst, align 128
  %307 = icmp eq i64 %306, %300
  br i1 %307, label %311, label %308

308:
  %309 = add nuw i64 %304, 1
  %310 = icmp eq i64 %304, %301
  br i1 %310, label %401, label %303

311:
  %312 = load atomic i64, ptr @clock_number monotonic, align 8
  %313 = trunc i64 %312 to i32
  %314 = call i32 @clock_gettime(i32 %313, ptr %9)
  %315 = load i64, ptr %9, align 8
  %316 = mul nsw i64 %315, 1000000000
  %317 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %318 = load i64, ptr %317, align 8
  %319 = add nsw i64 %316, %318
  %320 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %321

321:
  %322 = phi i64 [ %304, %311 ], [ %327, %339 ]
  %323 = phi i32 [ 0, %311 ], [ %340, %339 ]
  %324 = load atomic i64, ptr @region_started monotonic, align 8
  %325 = icmp sgt i64 %322, %324
  br i1 %325, label %401, label %326

326:
  %327 = phi i64 [ %332, %331 ], [ %322, %321 ]
  %328 = getelementptr inbounds %struct.Whereabouts, ptr @region_joined, i64 %327
  %329 = load atomic i64, ptr %328 seq_cst, align 128
  %330 = icmp eq i64 %329, %300
  br i1 %330, label %334, label %331

331:
  %332 = add i64 %327, 1
  %333 = icmp eq i64 %327, %324
  br i1 %333, label %401, label %326

334:
  %335 = icmp eq i64 %327, 0
  br i1 %335, label %401, label %336

336:
  call void @tolang_pause()
  %337 = add nuw nsw i32 %323, 1
  %338 = icmp eq i32 %337, 32
  br i1 %338, label %341, label %339

339:
  %340 = phi i32 [ %337, %336 ], [ 0, %341 ]
  br label %321

341:
  %342 = load atomic i64, ptr @clock_number monotonic, align 8
  %343 = trunc i64 %342 to i32
  %344 = call i32 @clock_gettime(i32 %343, ptr %8)
  %345 = load i64, ptr %8, align 8
  %346 = mul nsw i64 %345, 1000000000
  %347 = load i64, ptr %320, align 8
  %348 = add nsw i64 %346, %347
  %349 = load atomic i64, ptr @region_running monotonic, align 128
  %350 = icmp sgt i64 %349, 0
  %351 = select i1 %350, i64 1000000, i64 50000
  %352 = add nsw i64 %319, %351
  %353 = icmp slt i64 %348, %352
  br i1 %353, label %339, label %354

354:
  %355 = getelementptr inbounds nuw i8, ptr %72, i64 264
  store atomic i64 1, ptr %355 seq_cst, align 8
  %356 = load atomic i64, ptr @region_started monotonic, align 8
  %357 = icmp slt i64 %356, 1
  br i1 %357, label %400, label %358

358:
  %359 = getelementptr inbounds nuw i8, ptr %10, i64 8
  br label %360

360:
  %361 = phi i64 [ %356, %358 ], [ %398, %395 ]
  br label %362

362:
  %363 = phi i64 [ %368, %367 ], [ 1, %360 ]
  %364 = getelementptr inbounds %struct.Whereabouts, ptr @region_joined, i64 %363
  %365 = load atomic i64, ptr %364 seq_cst, align 128
  %366 = icmp eq i64 %365, %300
  br i1 %366, label %370, label %367

367:
  %368 = add i64 %363, 1
  %369 = icmp eq i64 %363, %361
  br i1 %369, label %400, label %362

370:
  %371 = icmp eq i64 %363, 0
  br i1 %371, label %400, label %372

372:
  %373 = call i32 @clock_gettime(i32 0, ptr %10)
  %374 = load i64, ptr %359, align 8
  %375 = add nsw i64 %374, 50000000
  %376 = freeze i64 %375
  %377 = sdiv i64 %376, 1000000000
  %378 = load i64, ptr %10, align 8
  %379 = add nsw i64 %377, %378
  store i64 %379, ptr %10, align 8
  %380 = mul i64 %377, 1000000000
  %381 = sub i64 %376, %380
  store i64 %381, ptr %359, align 8
  %382 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %383 = load atomic i64, ptr @region_started monotonic, align 8
  %384 = icmp slt i64 %383, 1
  br i1 %384, label %395, label %385

385:
  %386 = phi i64 [ %391, %390 ], [ 1, %372 ]
  %387 = getelementptr inbounds %struct.Whereabouts, ptr @region_joined, i64 %386
  %388 = load atomic i64, ptr %387 seq_cst, align 128
  %389 = icmp eq i64 %388, %300
  br i1 %389, label %393, label %390

390:
  %391 = add nuw i64 %386, 1
  %392 = icmp eq i64 %386, %383
  br i1 %392, label %395, label %385

393:
  %394 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %10)
  br label %395

395:
  %396 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %397 = call i64 @tolang_look(ptr %5)
  %398 = load atomic i64, ptr @region_started monotonic, align 8
  %399 = icmp slt i64 %398, 1
  br i1 %399, label %400, label %360

400:
  store atomic i64 0, ptr %355 release, align 8
  br label %401

401:
  store atomic i64 0, ptr %73 release, align 128
  store atomic i64 0, ptr @region_alone release, align 8
  %402 = load atomic i64, ptr @clock_number monotonic, align 8
  %403 = trunc i64 %402 to i32
  %404 = call i32 @clock_gettime(i32 %403, ptr %7)
  %405 = load i64, ptr %7, align 8
  %406 = mul nsw i64 %405, 1000000000
  %407 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %408 = load i64, ptr %407, align 8
  %409 = add nsw i64 %406, %408
  br label %410

410:
  %411 = phi i64 [ %409, %401 ], [ %68, %49 ]
  store atomic i64 %411, ptr @region_ended release, align 128
  br label %412

412:
  %413 = load atomic i64, ptr %5 acquire, align 8
  ret i64 %413
}

define internal fastcc void @work_on(ptr %0, i64 %1, i64 %2) {
  %4 = ptrtoint ptr %0 to i64
  %5 = sub i64 %4, ptrtoint (ptr @region_slots to i64)
  %6 = sdiv exact i64 %5, 384
  %7 = getelementptr inbounds [64 x %struct.Part], ptr @region_parts, i64 %6
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %9 = load i64, ptr %8, align 16
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %9, 0
  br i1 %12, label %13, label %80

13:
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %15 = shl i64 %1, 32
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %18 = or disjoint i64 %15, 1
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %22

22:
  %23 = phi i64 [ 0, %13 ], [ %78, %77 ]
  %24 = add nsw i64 %23, %2
  %25 = srem i64 %24, %9
  %26 = icmp eq i64 %23, 0
  br i1 %26, label %30, label %27

27:
  %28 = load atomic i64, ptr %14 monotonic, align 128
  %29 = icmp eq i64 %28, %1
  br i1 %29, label %82, label %30

30:
  %31 = getelementptr inbounds %struct.Part, ptr %7, i64 %25
  %32 = mul nsw i64 %25, %11
  %33 = sdiv i64 %32, %9
  %34 = add nsw i64 %25, 1
  %35 = mul nsw i64 %34, %11
  %36 = sdiv i64 %35, %9
  %37 = load atomic i64, ptr %31 monotonic, align 128
  %38 = sub i64 %37, %15
  %39 = icmp ult i64 %38, 4294967296
  %40 = icmp sge i64 %38, %36
  %41 = and i1 %39, %40
  br i1 %41, label %77, label %42

42:
  %43 = add i64 %18, %33
  br label %44

44:
  %45 = phi i1 [ %39, %42 ], [ %74, %71 ]
  %46 = phi i64 [ %37, %42 ], [ %72, %71 ]
  %47 = load ptr, ptr %16, align 8
  %48 = tail call i64 @tolang_look(ptr %47)
  %49 = icmp eq i64 %48, 0
  br i1 %49, label %50, label %82

50:
  %51 = load i64, ptr %17, align 32
  br i1 %45, label %52, label %55

52:
  %53 = atomicrmw add ptr %31, i64 1 monotonic, align 128
  %54 = sub i64 %53, %15
  br label %58

55:
  %56 = cmpxchg ptr %31, i64 %46, i64 %43 monotonic monotonic, align 128
  %57 = extractvalue { i64, i1 } %56, 1
  br i1 %57, label %58, label %71

58:
  %59 = phi i64 [ %54, %52 ], [ %33, %55 ]
  %60 = icmp slt i64 %59, %36
  br i1 %60, label %61, label %71

61:
  %62 = load ptr, ptr %19, align 8
  %63 = load ptr, ptr %20, align 16
  %64 = mul nsw i64 %59, %51
  %65 = load i64, ptr %21, align 8
  %66 = sub nsw i64 %65, %64
  %67 = icmp slt i64 %66, %51
  %68 = add nsw i64 %59, 1
  %69 = mul nsw i64 %68, %51
  %70 = select i1 %67, i64 %65, i64 %69
  tail call void %62(ptr %63, i64 %64, i64 %70)
  br label %71

71:
  %72 = load atomic i64, ptr %31 monotonic, align 128
  %73 = sub i64 %72, %15
  %74 = icmp ult i64 %73, 4294967296
  %75 = icmp sge i64 %73, %36
  %76 = and i1 %74, %75
  br i1 %76, label %77, label %44

77:
  %78 = add nuw nsw i64 %23, 1
  %79 = icmp eq i64 %78, %9
  br i1 %79, label %80, label %22

80:
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 128
  store atomic i64 %1, ptr %81 monotonic, align 128
  br label %82

82:
  ret void
}

define void @tolang_running(i64 %0) {
  %2 = atomicrmw add ptr @region_running, i64 %0 seq_cst, align 128
  ret void
}

define void @tolang_threads(i64 %0) {
  %2 = load atomic i64, ptr @region_threads seq_cst, align 8
  %3 = icmp eq i64 %2, %0
  br i1 %3, label %11, label %4

4:
  store atomic i64 %0, ptr @region_threads seq_cst, align 8
  store atomic i64 -1, ptr @region_home release, align 8
  %5 = load atomic i64, ptr @region_parked seq_cst, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %11, label %7

7:
  %8 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %9 = tail call i32 @pthread_cond_broadcast(ptr @region_more)
  %10 = tail call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %11

11:
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
  %7 = load i64, ptr @region_started, align 8
  %8 = icmp slt i64 %7, 0
  br i1 %8, label %46, label %9

9:
  %10 = add nuw i64 %7, 1
  %11 = icmp eq i64 %7, 0
  br i1 %11, label %23, label %12

12:
  %13 = and i64 %10, -2
  br label %14

14:
  %15 = phi i64 [ 0, %12 ], [ %19, %14 ]
  %16 = getelementptr inbounds nuw %struct.Whereabouts, ptr @region_joined, i64 %15
  %17 = getelementptr inbounds nuw %struct.Whereabouts, ptr @region_joined, i64 %15
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 128
  store i64 0, ptr %16, align 128
  store i64 0, ptr %18, align 128
  %19 = add nuw i64 %15, 2
  %20 = icmp eq i64 %19, %13
  br i1 %20, label %21, label %14

21:
  %22 = icmp eq i64 %10, %13
  br i1 %22, label %25, label %23

23:
  %24 = phi i64 [ 0, %9 ], [ %13, %21 ]
  br label %41

25:
  %26 = icmp eq i64 %7, 0
  br i1 %26, label %46, label %27

27:
  %28 = icmp ult i64 %7, 4
  br i1 %28, label %39, label %29

29:
  %30 = and i64 %7, 9223372036854775804
  br label %31

31:
  %32 = phi i64 [ 0, %29 ], [ %35, %31 ]
  %33 = getelementptr inbounds nuw ptr, ptr @region_selves, i64 %32
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 16
  store <2 x ptr> zeroinitializer, ptr %33, align 8
  store <2 x ptr> zeroinitializer, ptr %34, align 8
  %35 = add nuw i64 %32, 4
  %36 = icmp eq i64 %35, %30
  br i1 %36, label %37, label %31

37:
  %38 = icmp eq i64 %7, %30
  br i1 %38, label %46, label %39

39:
  %40 = phi i64 [ 0, %27 ], [ %30, %37 ]
  br label %47

41:
  %42 = phi i64 [ %44, %41 ], [ %24, %23 ]
  %43 = getelementptr inbounds nuw %struct.Whereabouts, ptr @region_joined, i64 %42
  store i64 0, ptr %43, align 128
  %44 = add nuw i64 %42, 1
  %45 = icmp eq i64 %42, %7
  br i1 %45, label %25, label %41

46:
  store i64 0, ptr @region_bound, align 8
  store i64 0, ptr @region_running, align 128
  store i64 0, ptr @region_wanted, align 128
  store i64 0, ptr @region_parked, align 8
  store i64 0, ptr @region_sleeping, align 128
  store i64 0, ptr @region_openers, align 128
  store i64 0, ptr @region_started, align 8
  store i64 0, ptr @region_alone, align 8
  store i64 0, ptr @region_ended, align 128
  store i64 -1, ptr @region_home, align 8
  store i64 0, ptr @region_slots, align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 384), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 256), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 640), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 768), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1152), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1024), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1408), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1536), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1920), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 1792), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2176), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2304), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2688), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2560), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 2944), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3072), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3456), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3328), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3712), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 3840), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4224), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4096), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4480), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4608), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4992), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 4864), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5248), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5376), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5760), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 5632), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6016), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6144), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6528), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6400), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6784), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 6912), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7296), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7168), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7552), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7680), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8064), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 7936), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8320), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8448), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8832), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 8704), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9088), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9216), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9600), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9472), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9856), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 9984), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10368), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10240), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10624), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 10752), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11136), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11008), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11392), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11520), align 128
  store i64 0, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11904), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 11776), align 128
  store <2 x i64> zeroinitializer, ptr getelementptr inbounds nuw (i8, ptr @region_slots, i64 12160), align 128
  tail call void @tolang_pool_forked()
  ret void

47:
  %48 = phi i64 [ %50, %47 ], [ %40, %39 ]
  %49 = getelementptr inbounds nuw ptr, ptr @region_selves, i64 %48
  store ptr null, ptr %49, align 8
  %50 = add nuw nsw i64 %48, 1
  %51 = icmp eq i64 %50, %7
  br i1 %51, label %46, label %47
}

declare i32 @pthread_mutex_init(ptr, ptr)

declare i32 @pthread_cond_init(ptr, ptr)

declare void @tolang_pool_forked()

declare i32 @clock_gettime(i32, ptr)

declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define internal noalias ptr @worker(ptr %0) {
  %2 = alloca %struct.Time, align 8
  %3 = alloca %struct.Time, align 8
  %4 = ptrtoint ptr %0 to i64
  %5 = getelementptr ptr, ptr @region_selves, i64 %4
  %6 = getelementptr i8, ptr %5, i64 -8
  %7 = tail call ptr @pthread_self()
  %8 = ptrtoint ptr %7 to i64
  store atomic i64 %8, ptr %6 release, align 8
  %9 = getelementptr inbounds %struct.Whereabouts, ptr @region_joined, i64 %4
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %11 = getelementptr inbounds nuw i8, ptr %2, i64 8
  br label %12

12:
  %13 = load atomic i64, ptr @region_generation acquire, align 128
  %14 = load atomic i64, ptr @region_threads acquire, align 8
  %15 = icmp sgt i64 %14, %4
  br i1 %15, label %28, label %16

16:
  %17 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %18 = atomicrmw add ptr @region_parked, i64 1 seq_cst, align 8
  %19 = load atomic i64, ptr @region_threads seq_cst, align 8
  %20 = icmp sgt i64 %19, %4
  br i1 %20, label %25, label %21

21:
  %22 = call i32 @pthread_cond_wait(ptr @region_more, ptr @region_mutex)
  %23 = load atomic i64, ptr @region_threads seq_cst, align 8
  %24 = icmp sgt i64 %23, %4
  br i1 %24, label %25, label %21

25:
  %26 = atomicrmw add ptr @region_parked, i64 -1 seq_cst, align 8
  %27 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %122

28:
  %29 = phi i64 [ %56, %54 ], [ 0, %12 ]
  %30 = phi i32 [ %55, %54 ], [ 0, %12 ]
  %31 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %29
  %32 = load atomic i64, ptr %31 monotonic, align 128
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %54, label %34

34:
  %35 = getelementptr inbounds nuw i8, ptr %31, i64 128
  %36 = load atomic i64, ptr %35 monotonic, align 128
  %37 = icmp eq i64 %36, %32
  br i1 %37, label %54, label %38

38:
  %39 = add nuw nsw i64 %29, 1
  store atomic i64 %39, ptr %9 seq_cst, align 128
  %40 = load atomic i64, ptr %31 seq_cst, align 128
  %41 = icmp ne i64 %40, 0
  br i1 %41, label %42, label %43

42:
  call fastcc void @work_on(ptr %31, i64 %40, i64 %4)
  br label %43

43:
  store atomic i64 0, ptr %9 seq_cst, align 128
  %44 = getelementptr inbounds nuw i8, ptr %31, i64 264
  %45 = load atomic i64, ptr %44 seq_cst, align 8
  %46 = icmp eq i64 %45, 0
  br i1 %46, label %51, label %47

47:
  %48 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %49 = call i32 @pthread_cond_broadcast(ptr @region_done)
  %50 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %51

51:
  %52 = zext i1 %41 to i32
  %53 = or i32 %30, %52
  br label %54

54:
  %55 = phi i32 [ %53, %51 ], [ %30, %34 ], [ %30, %28 ]
  %56 = add nuw nsw i64 %29, 1
  %57 = icmp eq i64 %56, 32
  br i1 %57, label %58, label %28

58:
  %59 = icmp eq i32 %55, 0
  br i1 %59, label %60, label %122

60:
  %61 = load atomic i64, ptr @clock_number monotonic, align 8
  %62 = trunc i64 %61 to i32
  %63 = call i32 @clock_gettime(i32 %62, ptr %3)
  %64 = load i64, ptr %3, align 8
  %65 = mul nsw i64 %64, 1000000000
  %66 = load i64, ptr %10, align 8
  %67 = add nsw i64 %65, %66
  br label %68

68:
  %69 = phi i32 [ 0, %60 ], [ %79, %78 ]
  %70 = load atomic i64, ptr @region_generation acquire, align 128
  %71 = icmp eq i64 %70, %13
  br i1 %71, label %75, label %72

72:
  %73 = load atomic i64, ptr @region_generation acquire, align 128
  %74 = icmp eq i64 %73, %13
  br i1 %74, label %80, label %93

75:
  call void @tolang_pause()
  %76 = add nuw nsw i32 %69, 1
  %77 = icmp eq i32 %76, 32
  br i1 %77, label %72, label %78

78:
  %79 = phi i32 [ %76, %75 ], [ 0, %80 ]
  br label %68

80:
  %81 = load atomic i64, ptr @clock_number monotonic, align 8
  %82 = trunc i64 %81 to i32
  %83 = call i32 @clock_gettime(i32 %82, ptr %2)
  %84 = load i64, ptr %2, align 8
  %85 = mul nsw i64 %84, 1000000000
  %86 = load i64, ptr %11, align 8
  %87 = add nsw i64 %85, %86
  %88 = load atomic i64, ptr @region_running monotonic, align 128
  %89 = icmp sgt i64 %88, 0
  %90 = select i1 %89, i64 1000000, i64 50000
  %91 = add nsw i64 %67, %90
  %92 = icmp slt i64 %87, %91
  br i1 %92, label %78, label %93

93:
  %94 = load atomic i64, ptr @region_generation acquire, align 128
  %95 = icmp eq i64 %94, %13
  br i1 %95, label %96, label %122

96:
  %97 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %98 = atomicrmw add ptr @region_sleeping, i64 1 seq_cst, align 128
  %99 = load atomic i64, ptr @region_generation seq_cst, align 128
  %100 = icmp eq i64 %99, %13
  br i1 %100, label %101, label %105

101:
  %102 = call i32 @pthread_cond_wait(ptr @region_wake, ptr @region_mutex)
  %103 = load atomic i64, ptr @region_generation seq_cst, align 128
  %104 = icmp eq i64 %103, %13
  br i1 %104, label %101, label %105

105:
  %106 = atomicrmw add ptr @region_sleeping, i64 -1 seq_cst, align 128
  %107 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %108 = load atomic i64, ptr @region_wanted monotonic, align 128
  %109 = icmp slt i64 %108, 1
  br i1 %109, label %122, label %110

110:
  %111 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %112 = icmp slt i64 %111, 1
  br i1 %112, label %122, label %113

113:
  %114 = call i32 @pthread_cond_signal(ptr @region_wake)
  %115 = load atomic i64, ptr @region_wanted monotonic, align 128
  %116 = icmp slt i64 %115, 1
  br i1 %116, label %122, label %117

117:
  %118 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %119 = icmp slt i64 %118, 1
  br i1 %119, label %122, label %120

120:
  %121 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %122

122:
  br label %12
}

declare i32 @pthread_detach(ptr)

declare i32 @pthread_cond_wait(ptr, ptr)

declare void @tolang_pause()

declare i64 @tolang_processor()

declare i64 @tolang_processors(ptr, i64)

declare void @tolang_bind(ptr, ptr, i64)

declare i32 @pthread_cond_signal(ptr)

declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
