; Made of threads.c (391c937b91be6bf4) by `python -m native`.

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
@region_running = internal global i64 0, align 128
@region_home = internal global i64 -1, align 8
@region_parked = internal global i64 0, align 8
@region_mutex = internal global [256 x i8] zeroinitializer, align 16
@region_more = internal global [256 x i8] zeroinitializer, align 16
@region_wake = internal global [256 x i8] zeroinitializer, align 16
@region_done = internal global [256 x i8] zeroinitializer, align 16
@region_bound = internal global i64 0, align 8
@region_wanted = internal global i64 0, align 128
@region_sleeping = internal global i64 0, align 128
@region_spinning = internal global i64 0, align 128
@region_started = internal global i64 0, align 8
@region_slots = internal global [32 x %struct.Region] zeroinitializer, align 128
@region_generation = internal global i64 0, align 128
@region_workers = internal global [1024 x ptr] zeroinitializer, align 8
@region_places = internal global [1024 x i64] zeroinitializer, align 8
@region_processors = internal global [1024 x i64] zeroinitializer, align 8

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
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = load atomic i64, ptr @region_threads monotonic, align 8
  %12 = icmp sgt i64 %11, 1
  %13 = icmp sgt i64 %2, %3
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %26

15:
  %16 = phi i64 [ %24, %23 ], [ 0, %5 ]
  %17 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %16
  %18 = load atomic i64, ptr %17 monotonic, align 128
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %23

20:
  %21 = cmpxchg ptr %17, i64 0, i64 1 acquire monotonic, align 128
  %22 = extractvalue { i64, i1 } %21, 1
  br i1 %22, label %35, label %23

23:
  %24 = add nuw nsw i64 %16, 1
  %25 = icmp eq i64 %24, 32
  br i1 %25, label %26, label %15

26:
  br label %27

27:
  %28 = phi i64 [ %30, %32 ], [ 0, %26 ]
  %29 = add nsw i64 %28, %3
  %30 = tail call i64 @llvm.smin.i64(i64 %29, i64 %2)
  tail call void %0(ptr %1, i64 %28, i64 %30)
  %31 = icmp slt i64 %29, %2
  br i1 %31, label %32, label %240

32:
  %33 = tail call i64 @tolang_look(ptr %4)
  %34 = icmp eq i64 %33, 0
  br i1 %34, label %27, label %240

35:
  %36 = getelementptr inbounds nuw i8, ptr %17, i64 8
  store ptr %0, ptr %36, align 8
  %37 = getelementptr inbounds nuw i8, ptr %17, i64 16
  store ptr %1, ptr %37, align 16
  %38 = getelementptr inbounds nuw i8, ptr %17, i64 32
  store i64 %3, ptr %38, align 32
  %39 = getelementptr inbounds nuw i8, ptr %17, i64 40
  store ptr %4, ptr %39, align 8
  %40 = getelementptr inbounds nuw i8, ptr %17, i64 24
  store atomic i64 %2, ptr %40 monotonic, align 8
  %41 = getelementptr inbounds nuw i8, ptr %17, i64 128
  store atomic i64 0, ptr %41 monotonic, align 128
  %42 = getelementptr inbounds nuw i8, ptr %17, i64 256
  %43 = atomicrmw add ptr %42, i64 4611686018427387904 seq_cst, align 128
  %44 = add i64 %2, -1
  %45 = add i64 %44, %3
  %46 = sdiv i64 %45, %3
  %47 = add nsw i64 %46, -1
  %48 = load atomic i64, ptr @region_threads monotonic, align 8
  %49 = add nsw i64 %48, -1
  %50 = tail call i64 @llvm.smin.i64(i64 %47, i64 %49)
  %51 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %52 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %53 = sub nsw i64 %50, %52
  %54 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %55 = tail call i64 @llvm.smin.i64(i64 %53, i64 %54)
  %56 = load atomic i64, ptr @region_started monotonic, align 8
  %57 = icmp slt i64 %56, %49
  %58 = icmp sgt i64 %55, 0
  %59 = select i1 %57, i1 true, i1 %58
  br i1 %59, label %60, label %163

60:
  %61 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %62 = load atomic i64, ptr @region_started monotonic, align 8
  %63 = load atomic i64, ptr @region_threads monotonic, align 8
  %64 = add nsw i64 %63, -1
  %65 = icmp slt i64 %62, %64
  br i1 %65, label %66, label %85

66:
  %67 = load atomic i64, ptr @region_started monotonic, align 8
  %68 = icmp slt i64 %67, 1024
  br i1 %68, label %69, label %85

69:
  %70 = load atomic i64, ptr @region_started monotonic, align 8
  %71 = getelementptr inbounds ptr, ptr @region_workers, i64 %70
  %72 = load atomic i64, ptr @region_started monotonic, align 8
  %73 = add nsw i64 %72, 1
  %74 = inttoptr i64 %73 to ptr
  %75 = tail call i32 @pthread_create(ptr %71, ptr null, ptr @worker, ptr %74)
  %76 = icmp eq i32 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = load ptr, ptr %71, align 8
  %79 = tail call i32 @pthread_detach(ptr %78)
  %80 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  store atomic i64 -1, ptr @region_home release, align 8
  %81 = load atomic i64, ptr @region_started monotonic, align 8
  %82 = load atomic i64, ptr @region_threads monotonic, align 8
  %83 = add nsw i64 %82, -1
  %84 = icmp slt i64 %81, %83
  br i1 %84, label %66, label %85

85:
  %86 = tail call i64 @tolang_processor()
  %87 = load atomic i64, ptr @region_home monotonic, align 8
  %88 = icmp eq i64 %86, %87
  br i1 %88, label %146, label %89

89:
  %90 = load atomic i64, ptr @region_working monotonic, align 128
  %91 = icmp eq i64 %90, 0
  br i1 %91, label %92, label %146

92:
  store atomic i64 %86, ptr @region_home release, align 8
  %93 = load i64, ptr @region_bound, align 8
  %94 = icmp slt i64 %87, 0
  %95 = icmp slt i64 %93, 1
  %96 = or i1 %94, %95
  br i1 %96, label %108, label %97

97:
  %98 = phi i64 [ %106, %105 ], [ 0, %92 ]
  %99 = getelementptr inbounds nuw i64, ptr @region_places, i64 %98
  %100 = load i64, ptr %99, align 8
  %101 = icmp eq i64 %100, %86
  br i1 %101, label %102, label %105

102:
  store i64 %87, ptr %10, align 8
  store i64 %87, ptr %99, align 8
  %103 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %98
  %104 = load ptr, ptr %103, align 8
  call void @tolang_bind(ptr %104, ptr %10, i64 1)
  br label %146

105:
  %106 = add nuw nsw i64 %98, 1
  %107 = icmp eq i64 %106, %93
  br i1 %107, label %108, label %97

108:
  %109 = load atomic i64, ptr @region_threads monotonic, align 8
  %110 = add i64 %109, -1
  %111 = icmp sgt i64 %93, 0
  br i1 %111, label %115, label %112

112:
  store i64 0, ptr @region_bound, align 8
  %113 = tail call i64 @tolang_processors(ptr @region_processors, i64 1024)
  %114 = icmp eq i64 %113, %109
  br i1 %114, label %124, label %146

115:
  %116 = phi i64 [ %122, %115 ], [ %93, %108 ]
  %117 = phi i64 [ %121, %115 ], [ 0, %108 ]
  %118 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %117
  %119 = load ptr, ptr %118, align 8
  %120 = add nsw i64 %116, 1
  tail call void @tolang_bind(ptr %119, ptr @region_processors, i64 %120)
  %121 = add nuw nsw i64 %117, 1
  %122 = load i64, ptr @region_bound, align 8
  %123 = icmp slt i64 %121, %122
  br i1 %123, label %115, label %112

124:
  %125 = load atomic i64, ptr @region_started monotonic, align 8
  %126 = icmp slt i64 %125, %110
  br i1 %126, label %146, label %127

127:
  %128 = icmp sgt i64 %109, 1
  br i1 %128, label %130, label %129

129:
  store i64 %110, ptr @region_bound, align 8
  br label %146

130:
  %131 = phi i64 [ %144, %130 ], [ 0, %127 ]
  %132 = phi i64 [ %138, %130 ], [ 0, %127 ]
  %133 = getelementptr inbounds i64, ptr @region_processors, i64 %132
  %134 = load i64, ptr %133, align 8
  %135 = icmp eq i64 %134, %86
  %136 = zext i1 %135 to i64
  %137 = add nsw i64 %132, %136
  %138 = add nsw i64 %137, 1
  %139 = getelementptr inbounds i64, ptr @region_processors, i64 %137
  %140 = load i64, ptr %139, align 8
  store i64 %140, ptr %9, align 8
  %141 = getelementptr inbounds nuw i64, ptr @region_places, i64 %131
  store i64 %140, ptr %141, align 8
  %142 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %131
  %143 = load ptr, ptr %142, align 8
  call void @tolang_bind(ptr %143, ptr %9, i64 1)
  %144 = add nuw nsw i64 %131, 1
  %145 = icmp eq i64 %144, %110
  br i1 %145, label %129, label %130

146:
  %147 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %58, label %148, label %163

148:
  store atomic i64 %55, ptr @region_wanted release, align 128
  %149 = load atomic i64, ptr @region_wanted monotonic, align 128
  %150 = icmp slt i64 %149, 1
  br i1 %150, label %163, label %151

151:
  %152 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %153 = icmp slt i64 %152, 1
  br i1 %153, label %163, label %154

154:
  %155 = call i32 @pthread_cond_signal(ptr @region_wake)
  %156 = load atomic i64, ptr @region_wanted monotonic, align 128
  %157 = icmp slt i64 %156, 1
  br i1 %157, label %163, label %158

158:
  %159 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %160 = icmp slt i64 %159, 1
  br i1 %160, label %163, label %161

161:
  %162 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %163

163:
  %164 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %165 = load ptr, ptr %36, align 8
  %166 = load ptr, ptr %37, align 16
  %167 = load i64, ptr %40, align 8
  %168 = load i64, ptr %38, align 32
  %169 = load ptr, ptr %39, align 8
  %170 = call i64 @tolang_look(ptr %169)
  %171 = icmp eq i64 %170, 0
  br i1 %171, label %172, label %180

172:
  %173 = atomicrmw add ptr %41, i64 %168 monotonic, align 128
  %174 = icmp slt i64 %173, %167
  br i1 %174, label %175, label %180

175:
  %176 = add nsw i64 %173, %168
  %177 = call i64 @llvm.smin.i64(i64 %176, i64 %167)
  call void %165(ptr %166, i64 %173, i64 %177)
  %178 = call i64 @tolang_look(ptr %169)
  %179 = icmp eq i64 %178, 0
  br i1 %179, label %172, label %180

180:
  %181 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %182 = atomicrmw add ptr %42, i64 -4611686018427387904 seq_cst, align 128
  %183 = load atomic i64, ptr @clock_number monotonic, align 8
  %184 = trunc i64 %183 to i32
  %185 = call i32 @clock_gettime(i32 %184, ptr %7)
  %186 = load i64, ptr %7, align 8
  %187 = mul nsw i64 %186, 1000000000
  %188 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %189 = load i64, ptr %188, align 8
  %190 = add nsw i64 %187, %189
  %191 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %192

192:
  %193 = phi i32 [ 0, %180 ], [ %200, %199 ]
  %194 = load atomic i64, ptr %42 acquire, align 128
  %195 = icmp eq i64 %194, -4611686018427387904
  br i1 %195, label %239, label %196

196:
  call void @tolang_pause()
  %197 = add nuw nsw i32 %193, 1
  %198 = icmp eq i32 %197, 32
  br i1 %198, label %201, label %199

199:
  %200 = phi i32 [ %197, %196 ], [ 0, %201 ]
  br label %192

201:
  %202 = load atomic i64, ptr @clock_number monotonic, align 8
  %203 = trunc i64 %202 to i32
  %204 = call i32 @clock_gettime(i32 %203, ptr %6)
  %205 = load i64, ptr %6, align 8
  %206 = mul nsw i64 %205, 1000000000
  %207 = load i64, ptr %191, align 8
  %208 = add nsw i64 %206, %207
  %209 = load atomic i64, ptr @region_running monotonic, align 128
  %210 = icmp sgt i64 %209, 0
  %211 = select i1 %210, i64 1000000, i64 50000
  %212 = add nsw i64 %190, %211
  %213 = icmp slt i64 %208, %212
  br i1 %213, label %199, label %214

214:
  %215 = load atomic i64, ptr %42 acquire, align 128
  %216 = icmp eq i64 %215, -4611686018427387904
  br i1 %216, label %239, label %217

217:
  %218 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %219

219:
  %220 = call i32 @clock_gettime(i32 0, ptr %8)
  %221 = load i64, ptr %218, align 8
  %222 = add nsw i64 %221, 50000000
  %223 = freeze i64 %222
  %224 = sdiv i64 %223, 1000000000
  %225 = load i64, ptr %8, align 8
  %226 = add nsw i64 %224, %225
  store i64 %226, ptr %8, align 8
  %227 = mul i64 %224, 1000000000
  %228 = sub i64 %223, %227
  store i64 %228, ptr %218, align 8
  %229 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %230 = load atomic i64, ptr %42 acquire, align 128
  %231 = icmp eq i64 %230, -4611686018427387904
  br i1 %231, label %234, label %232

232:
  %233 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %8)
  br label %234

234:
  %235 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %236 = call i64 @tolang_look(ptr %4)
  %237 = load atomic i64, ptr %42 acquire, align 128
  %238 = icmp eq i64 %237, -4611686018427387904
  br i1 %238, label %239, label %219

239:
  store atomic i64 0, ptr %17 release, align 128
  br label %240

240:
  %241 = load atomic i64, ptr %4 acquire, align 8
  ret i64 %241
}

define void @tolang_running(i64 %0) {
  %2 = atomicrmw add ptr @region_running, i64 %0 seq_cst, align 128
  ret void
}

define void @tolang_threads(i64 %0) {
  store atomic i64 %0, ptr @region_threads seq_cst, align 8
  store atomic i64 -1, ptr @region_home release, align 8
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
  store i64 0, ptr @region_bound, align 8
  store i64 0, ptr @region_running, align 128
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
  br label %141

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
  br i1 %76, label %77, label %141

77:
  %78 = atomicrmw add ptr @region_spinning, i64 1 seq_cst, align 128
  %79 = load atomic i64, ptr @clock_number monotonic, align 8
  %80 = trunc i64 %79 to i32
  %81 = call i32 @clock_gettime(i32 %80, ptr %3)
  %82 = load i64, ptr %3, align 8
  %83 = mul nsw i64 %82, 1000000000
  %84 = load i64, ptr %5, align 8
  %85 = add nsw i64 %83, %84
  br label %86

86:
  %87 = phi i32 [ 0, %77 ], [ %97, %96 ]
  %88 = load atomic i64, ptr @region_generation acquire, align 128
  %89 = icmp eq i64 %88, %8
  br i1 %89, label %93, label %90

90:
  %91 = load atomic i64, ptr @region_generation acquire, align 128
  %92 = icmp eq i64 %91, %8
  br i1 %92, label %98, label %111

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
  %106 = load atomic i64, ptr @region_running monotonic, align 128
  %107 = icmp sgt i64 %106, 0
  %108 = select i1 %107, i64 1000000, i64 50000
  %109 = add nsw i64 %85, %108
  %110 = icmp slt i64 %105, %109
  br i1 %110, label %96, label %111

111:
  %112 = atomicrmw add ptr @region_spinning, i64 -1 seq_cst, align 128
  %113 = load atomic i64, ptr @region_generation acquire, align 128
  %114 = icmp eq i64 %113, %8
  br i1 %114, label %115, label %141

115:
  %116 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %117 = atomicrmw add ptr @region_sleeping, i64 1 seq_cst, align 128
  %118 = load atomic i64, ptr @region_generation seq_cst, align 128
  %119 = icmp eq i64 %118, %8
  br i1 %119, label %120, label %124

120:
  %121 = call i32 @pthread_cond_wait(ptr @region_wake, ptr @region_mutex)
  %122 = load atomic i64, ptr @region_generation seq_cst, align 128
  %123 = icmp eq i64 %122, %8
  br i1 %123, label %120, label %124

124:
  %125 = atomicrmw add ptr @region_sleeping, i64 -1 seq_cst, align 128
  %126 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %127 = load atomic i64, ptr @region_wanted monotonic, align 128
  %128 = icmp slt i64 %127, 1
  br i1 %128, label %141, label %129

129:
  %130 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %131 = icmp slt i64 %130, 1
  br i1 %131, label %141, label %132

132:
  %133 = call i32 @pthread_cond_signal(ptr @region_wake)
  %134 = load atomic i64, ptr @region_wanted monotonic, align 128
  %135 = icmp slt i64 %134, 1
  br i1 %135, label %141, label %136

136:
  %137 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %138 = icmp slt i64 %137, 1
  br i1 %138, label %141, label %139

139:
  %140 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %141

141:
  br label %7
}

declare i32 @pthread_detach(ptr)

declare i32 @pthread_cond_wait(ptr, ptr)

declare void @tolang_pause()

declare i64 @tolang_processor()

declare void @tolang_bind(ptr, ptr, i64)

declare i64 @tolang_processors(ptr, i64)

declare i32 @pthread_cond_signal(ptr)

declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
