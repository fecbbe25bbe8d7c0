; Made of threads.c (f98b8cfb67187765) by `python -m native`.

%struct.Region = type { i64, ptr, ptr, i64, i64, i64, ptr, [72 x i8], i64, [120 x i8], i64, [120 x i8] }
%struct.Part = type { i64, i64, [112 x i8] }
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
@region_alone = internal global i64 0, align 8
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
@region_ended = internal global i64 0, align 128
@region_slots = internal global [32 x %struct.Region] zeroinitializer, align 128
@region_parts = internal global [32 x [64 x %struct.Part]] zeroinitializer, align 128
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
  br label %391

69:
  br i1 %20, label %81, label %70

70:
  %71 = phi i64 [ %79, %78 ], [ 0, %69 ]
  %72 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %71
  %73 = load atomic i64, ptr %72 monotonic, align 128
  %74 = icmp eq i64 %73, 0
  br i1 %74, label %75, label %78

75:
  %76 = cmpxchg ptr %72, i64 0, i64 1 acquire monotonic, align 128
  %77 = extractvalue { i64, i1 } %76, 1
  br i1 %77, label %90, label %78

78:
  %79 = add nuw nsw i64 %71, 1
  %80 = icmp eq i64 %79, 32
  br i1 %80, label %81, label %70

81:
  br label %82

82:
  %83 = phi i64 [ %85, %87 ], [ 0, %81 ]
  %84 = add nsw i64 %83, %3
  %85 = call i64 @llvm.smin.i64(i64 %84, i64 %2)
  call void %0(ptr %1, i64 %83, i64 %85)
  %86 = icmp slt i64 %84, %2
  br i1 %86, label %87, label %393

87:
  %88 = call i64 @tolang_look(ptr %5)
  %89 = icmp eq i64 %88, 0
  br i1 %89, label %82, label %393

90:
  %91 = getelementptr inbounds nuw i8, ptr %72, i64 8
  store ptr %0, ptr %91, align 8
  %92 = getelementptr inbounds nuw i8, ptr %72, i64 16
  store ptr %1, ptr %92, align 16
  %93 = getelementptr inbounds nuw i8, ptr %72, i64 32
  store i64 %3, ptr %93, align 32
  %94 = getelementptr inbounds nuw i8, ptr %72, i64 48
  store ptr %5, ptr %94, align 16
  %95 = getelementptr inbounds nuw i8, ptr %72, i64 24
  store i64 %2, ptr %95, align 8
  %96 = getelementptr inbounds nuw [64 x %struct.Part], ptr @region_parts, i64 %71
  %97 = add i64 %2, -1
  %98 = add i64 %97, %3
  %99 = sdiv i64 %98, %3
  %100 = load atomic i64, ptr @region_threads monotonic, align 8
  %101 = call i64 @llvm.smin.i64(i64 %100, i64 %99)
  %102 = call i64 @llvm.smin.i64(i64 %101, i64 64)
  %103 = getelementptr inbounds nuw i8, ptr %72, i64 40
  store i64 %102, ptr %103, align 8
  %104 = icmp sgt i64 %101, 0
  br i1 %104, label %105, label %115

105:
  %106 = phi i64 [ %110, %105 ], [ 0, %90 ]
  %107 = getelementptr inbounds nuw %struct.Part, ptr %96, i64 %106
  %108 = mul nsw i64 %106, %99
  %109 = sdiv i64 %108, %102
  store atomic i64 %109, ptr %107 monotonic, align 128
  %110 = add nuw nsw i64 %106, 1
  %111 = mul nsw i64 %110, %99
  %112 = sdiv i64 %111, %102
  %113 = getelementptr inbounds nuw i8, ptr %107, i64 8
  store i64 %112, ptr %113, align 8
  %114 = icmp slt i64 %110, %102
  br i1 %114, label %105, label %115

115:
  %116 = getelementptr inbounds nuw i8, ptr %72, i64 128
  store atomic i64 0, ptr %116 monotonic, align 128
  %117 = getelementptr inbounds nuw i8, ptr %72, i64 256
  %118 = atomicrmw add ptr %117, i64 4611686018427387904 seq_cst, align 128
  %119 = add nsw i64 %99, -1
  %120 = load atomic i64, ptr @region_threads monotonic, align 8
  %121 = add nsw i64 %120, -1
  %122 = call i64 @llvm.smin.i64(i64 %119, i64 %121)
  %123 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %124 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %125 = sub nsw i64 %122, %124
  %126 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %127 = call i64 @llvm.smin.i64(i64 %125, i64 %126)
  %128 = load atomic i64, ptr @region_started monotonic, align 8
  %129 = icmp slt i64 %128, %121
  %130 = icmp sgt i64 %127, 0
  %131 = select i1 %129, i1 true, i1 %130
  br i1 %131, label %132, label %285

132:
  %133 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %134 = load atomic i64, ptr @region_started monotonic, align 8
  %135 = load atomic i64, ptr @region_threads monotonic, align 8
  %136 = add nsw i64 %135, -1
  %137 = icmp slt i64 %134, %136
  br i1 %137, label %138, label %157

138:
  %139 = load atomic i64, ptr @region_started monotonic, align 8
  %140 = icmp slt i64 %139, 1024
  br i1 %140, label %141, label %157

141:
  %142 = load atomic i64, ptr @region_started monotonic, align 8
  %143 = getelementptr inbounds ptr, ptr @region_workers, i64 %142
  %144 = load atomic i64, ptr @region_started monotonic, align 8
  %145 = add nsw i64 %144, 1
  %146 = inttoptr i64 %145 to ptr
  %147 = call i32 @pthread_create(ptr %143, ptr null, ptr @worker, ptr %146)
  %148 = icmp eq i32 %147, 0
  br i1 %148, label %149, label %157

149:
  %150 = load ptr, ptr %143, align 8
  %151 = call i32 @pthread_detach(ptr %150)
  %152 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  store atomic i64 -1, ptr @region_home release, align 8
  %153 = load atomic i64, ptr @region_started monotonic, align 8
  %154 = load atomic i64, ptr @region_threads monotonic, align 8
  %155 = add nsw i64 %154, -1
  %156 = icmp slt i64 %153, %155
  br i1 %156, label %138, label %157

157:
  %158 = call i64 @tolang_processor()
  %159 = load atomic i64, ptr @region_home monotonic, align 8
  %160 = icmp eq i64 %158, %159
  br i1 %160, label %268, label %161

161:
  %162 = load atomic i64, ptr @region_working monotonic, align 128
  %163 = icmp eq i64 %162, 0
  br i1 %163, label %164, label %268

164:
  store atomic i64 %158, ptr @region_home release, align 8
  %165 = call i64 @tolang_processors(ptr %13, i64 1024)
  %166 = icmp sgt i64 %165, 1024
  br i1 %166, label %267, label %167

167:
  %168 = icmp sgt i64 %159, -1
  %169 = load i64, ptr @region_bound, align 8
  br i1 %168, label %172, label %170

170:
  %171 = icmp sgt i64 %169, 0
  br label %204

172:
  %173 = icmp ne i64 %169, 0
  %174 = add nsw i64 %169, 1
  %175 = icmp eq i64 %165, %174
  %176 = select i1 %173, i1 %175, i1 false
  %177 = icmp sgt i64 %165, 0
  %178 = and i1 %177, %176
  br i1 %178, label %179, label %189

179:
  %180 = phi i64 [ %186, %179 ], [ 0, %172 ]
  %181 = getelementptr inbounds nuw i64, ptr %13, i64 %180
  %182 = load i64, ptr %181, align 8
  %183 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %180
  %184 = load i64, ptr %183, align 8
  %185 = icmp eq i64 %182, %184
  %186 = add nuw nsw i64 %180, 1
  %187 = icmp slt i64 %186, %165
  %188 = select i1 %185, i1 %187, i1 false
  br i1 %188, label %179, label %189

189:
  %190 = phi i1 [ %176, %172 ], [ %185, %179 ]
  %191 = icmp sgt i64 %169, 0
  %192 = select i1 %190, i1 %191, i1 false
  br i1 %192, label %193, label %204

193:
  %194 = phi i64 [ %202, %201 ], [ 0, %189 ]
  %195 = getelementptr inbounds nuw i64, ptr @region_places, i64 %194
  %196 = load i64, ptr %195, align 8
  %197 = icmp eq i64 %196, %158
  br i1 %197, label %198, label %201

198:
  store i64 %159, ptr %12, align 8
  store i64 %159, ptr %195, align 8
  %199 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %194
  %200 = load ptr, ptr %199, align 8
  call void @tolang_bind(ptr %200, ptr %12, i64 1)
  br label %267

201:
  %202 = add nuw nsw i64 %194, 1
  %203 = icmp eq i64 %202, %169
  br i1 %203, label %204, label %193

204:
  %205 = phi i1 [ %171, %170 ], [ %191, %189 ], [ true, %201 ]
  %206 = load atomic i64, ptr @region_threads monotonic, align 8
  %207 = add i64 %206, -1
  store i64 0, ptr @region_bound, align 8
  %208 = icmp sgt i64 %165, 1
  br i1 %208, label %209, label %234

209:
  %210 = icmp ult i64 %165, 4
  br i1 %210, label %225, label %211

211:
  %212 = and i64 %165, 9223372036854775804
  br label %213

213:
  %214 = phi i64 [ 0, %211 ], [ %221, %213 ]
  %215 = getelementptr inbounds nuw i64, ptr %13, i64 %214
  %216 = getelementptr inbounds nuw i8, ptr %215, i64 16
  %217 = load <2 x i64>, ptr %215, align 8
  %218 = load <2 x i64>, ptr %216, align 8
  %219 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %214
  %220 = getelementptr inbounds nuw i8, ptr %219, i64 16
  store <2 x i64> %217, ptr %219, align 8
  store <2 x i64> %218, ptr %220, align 8
  %221 = add nuw i64 %214, 4
  %222 = icmp eq i64 %221, %212
  br i1 %222, label %223, label %213

223:
  %224 = icmp eq i64 %165, %212
  br i1 %224, label %234, label %225

225:
  %226 = phi i64 [ 0, %209 ], [ %212, %223 ]
  br label %227

227:
  %228 = phi i64 [ %232, %227 ], [ %226, %225 ]
  %229 = getelementptr inbounds nuw i64, ptr %13, i64 %228
  %230 = load i64, ptr %229, align 8
  %231 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %228
  store i64 %230, ptr %231, align 8
  %232 = add nuw nsw i64 %228, 1
  %233 = icmp eq i64 %232, %165
  br i1 %233, label %234, label %227

234:
  br i1 %205, label %235, label %238

235:
  %236 = add nuw nsw i64 %169, 1
  %237 = select i1 %208, i64 %165, i64 %236
  br label %240

238:
  %239 = icmp eq i64 %165, %206
  br i1 %239, label %246, label %267

240:
  %241 = phi i64 [ 0, %235 ], [ %244, %240 ]
  %242 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %241
  %243 = load ptr, ptr %242, align 8
  call void @tolang_bind(ptr %243, ptr @region_processors, i64 %237)
  %244 = add nuw nsw i64 %241, 1
  %245 = icmp eq i64 %244, %169
  br i1 %245, label %238, label %240

246:
  %247 = load atomic i64, ptr @region_started monotonic, align 8
  %248 = icmp slt i64 %247, %207
  br i1 %248, label %267, label %249

249:
  br i1 %208, label %251, label %250

250:
  store i64 %207, ptr @region_bound, align 8
  br label %267

251:
  %252 = phi i64 [ %265, %251 ], [ 0, %249 ]
  %253 = phi i64 [ %259, %251 ], [ 0, %249 ]
  %254 = getelementptr inbounds i64, ptr %13, i64 %253
  %255 = load i64, ptr %254, align 8
  %256 = icmp eq i64 %255, %158
  %257 = zext i1 %256 to i64
  %258 = add nsw i64 %253, %257
  %259 = add nsw i64 %258, 1
  %260 = getelementptr inbounds i64, ptr %13, i64 %258
  %261 = load i64, ptr %260, align 8
  store i64 %261, ptr %11, align 8
  %262 = getelementptr inbounds nuw i64, ptr @region_places, i64 %252
  store i64 %261, ptr %262, align 8
  %263 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %252
  %264 = load ptr, ptr %263, align 8
  call void @tolang_bind(ptr %264, ptr %11, i64 1)
  %265 = add nuw nsw i64 %252, 1
  %266 = icmp eq i64 %265, %207
  br i1 %266, label %250, label %251

267:
  br label %268

268:
  %269 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %130, label %270, label %285

270:
  store atomic i64 %127, ptr @region_wanted release, align 128
  %271 = load atomic i64, ptr @region_wanted monotonic, align 128
  %272 = icmp slt i64 %271, 1
  br i1 %272, label %285, label %273

273:
  %274 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %275 = icmp slt i64 %274, 1
  br i1 %275, label %285, label %276

276:
  %277 = call i32 @pthread_cond_signal(ptr @region_wake)
  %278 = load atomic i64, ptr @region_wanted monotonic, align 128
  %279 = icmp slt i64 %278, 1
  br i1 %279, label %285, label %280

280:
  %281 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %282 = icmp slt i64 %281, 1
  br i1 %282, label %285, label %283

283:
  %284 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %285

285:
  %286 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %287 = load i64, ptr %103, align 8
  %288 = icmp sgt i64 %287, 0
  br i1 %288, label %289, label %322

289:
  %290 = phi i64 [ %319, %318 ], [ %287, %285 ]
  %291 = phi i64 [ %320, %318 ], [ 0, %285 ]
  %292 = srem i64 %291, %290
  %293 = getelementptr inbounds nuw %struct.Part, ptr %96, i64 %292
  %294 = load i64, ptr %93, align 32
  %295 = getelementptr inbounds nuw i8, ptr %293, i64 8
  %296 = load i64, ptr %295, align 8
  %297 = load atomic i64, ptr %293 monotonic, align 128
  %298 = icmp slt i64 %297, %296
  br i1 %298, label %299, label %318

299:
  %300 = load ptr, ptr %94, align 16
  %301 = call i64 @tolang_look(ptr %300)
  %302 = icmp eq i64 %301, 0
  br i1 %302, label %303, label %323

303:
  %304 = atomicrmw add ptr %293, i64 1 monotonic, align 128
  %305 = icmp slt i64 %304, %296
  br i1 %305, label %306, label %313

306:
  %307 = mul nsw i64 %304, %294
  %308 = load ptr, ptr %91, align 8
  %309 = load ptr, ptr %92, align 16
  %310 = add nsw i64 %307, %294
  %311 = load i64, ptr %95, align 8
  %312 = call i64 @llvm.smin.i64(i64 %310, i64 %311)
  call void %308(ptr %309, i64 %307, i64 %312)
  br label %313

313:
  %314 = load atomic i64, ptr %293 monotonic, align 128
  %315 = icmp slt i64 %314, %296
  br i1 %315, label %299, label %316

316:
  %317 = load i64, ptr %103, align 8
  br label %318

318:
  %319 = phi i64 [ %317, %316 ], [ %290, %289 ]
  %320 = add nuw nsw i64 %291, 1
  %321 = icmp slt i64 %320, %319
  br i1 %321, label %289, label %322

322:
  store atomic i64 1, ptr %116 monotonic, align 128
  br label %323

323:
  %324 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %325 = atomicrmw add ptr %117, i64 -4611686018427387904 seq_cst, align 128
  %326 = load atomic i64, ptr @clock_number monotonic, align 8
  %327 = trunc i64 %326 to i32
  %328 = call i32 @clock_gettime(i32 %327, ptr %9)
  %329 = load i64, ptr %9, align 8
  %330 = mul nsw i64 %329, 1000000000
  %331 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %332 = load i64, ptr %331, align 8
  %333 = add nsw i64 %330, %332
  %334 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %335

335:
  %336 = phi i32 [ 0, %323 ], [ %343, %342 ]
  %337 = load atomic i64, ptr %117 acquire, align 128
  %338 = icmp eq i64 %337, -4611686018427387904
  br i1 %338, label %382, label %339

339:
  call void @tolang_pause()
  %340 = add nuw nsw i32 %336, 1
  %341 = icmp eq i32 %340, 32
  br i1 %341, label %344, label %342

342:
  %343 = phi i32 [ %340, %339 ], [ 0, %344 ]
  br label %335

344:
  %345 = load atomic i64, ptr @clock_number monotonic, align 8
  %346 = trunc i64 %345 to i32
  %347 = call i32 @clock_gettime(i32 %346, ptr %8)
  %348 = load i64, ptr %8, align 8
  %349 = mul nsw i64 %348, 1000000000
  %350 = load i64, ptr %334, align 8
  %351 = add nsw i64 %349, %350
  %352 = load atomic i64, ptr @region_running monotonic, align 128
  %353 = icmp sgt i64 %352, 0
  %354 = select i1 %353, i64 1000000, i64 50000
  %355 = add nsw i64 %333, %354
  %356 = icmp slt i64 %351, %355
  br i1 %356, label %342, label %357

357:
  %358 = load atomic i64, ptr %117 acquire, align 128
  %359 = icmp eq i64 %358, -4611686018427387904
  br i1 %359, label %382, label %360

360:
  %361 = getelementptr inbounds nuw i8, ptr %10, i64 8
  br label %362

362:
  %363 = call i32 @clock_gettime(i32 0, ptr %10)
  %364 = load i64, ptr %361, align 8
  %365 = add nsw i64 %364, 50000000
  %366 = freeze i64 %365
  %367 = sdiv i64 %366, 1000000000
  %368 = load i64, ptr %10, align 8
  %369 = add nsw i64 %367, %368
  store i64 %369, ptr %10, align 8
  %370 = mul i64 %367, 1000000000
  %371 = sub i64 %366, %370
  store i64 %371, ptr %361, align 8
  %372 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %373 = load atomic i64, ptr %117 acquire, align 128
  %374 = icmp eq i64 %373, -4611686018427387904
  br i1 %374, label %377, label %375

375:
  %376 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %10)
  br label %377

377:
  %378 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %379 = call i64 @tolang_look(ptr %5)
  %380 = load atomic i64, ptr %117 acquire, align 128
  %381 = icmp eq i64 %380, -4611686018427387904
  br i1 %381, label %382, label %362

382:
  store atomic i64 0, ptr %72 release, align 128
  store atomic i64 0, ptr @region_alone release, align 8
  %383 = load atomic i64, ptr @clock_number monotonic, align 8
  %384 = trunc i64 %383 to i32
  %385 = call i32 @clock_gettime(i32 %384, ptr %7)
  %386 = load i64, ptr %7, align 8
  %387 = mul nsw i64 %386, 1000000000
  %388 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %389 = load i64, ptr %388, align 8
  %390 = add nsw i64 %387, %389
  br label %391

391:
  %392 = phi i64 [ %390, %382 ], [ %68, %49 ]
  store atomic i64 %392, ptr @region_ended release, align 128
  br label %393

393:
  %394 = load atomic i64, ptr %5 acquire, align 8
  ret i64 %394
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
  store i64 0, ptr @region_bound, align 8
  store i64 0, ptr @region_running, align 128
  store i64 0, ptr @region_wanted, align 128
  store i64 0, ptr @region_parked, align 8
  store i64 0, ptr @region_sleeping, align 128
  store i64 0, ptr @region_spinning, align 128
  store i64 0, ptr @region_working, align 128
  store i64 0, ptr @region_started, align 8
  store i64 0, ptr @region_alone, align 8
  store i64 0, ptr @region_ended, align 128
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
  br label %165

23:
  %24 = phi i64 [ %97, %93 ], [ 0, %7 ]
  %25 = phi i32 [ %96, %93 ], [ 0, %7 ]
  %26 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %24
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 256
  %28 = load atomic i64, ptr %27 monotonic, align 128
  %29 = icmp slt i64 %28, 0
  br i1 %29, label %93, label %30

30:
  %31 = getelementptr inbounds nuw i8, ptr %26, i64 128
  %32 = load atomic i64, ptr %31 monotonic, align 128
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %34, label %93

34:
  %35 = atomicrmw add ptr %27, i64 1 seq_cst, align 128
  %36 = icmp sgt i64 %35, -1
  br i1 %36, label %37, label %86

37:
  %38 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %39 = getelementptr inbounds nuw [64 x %struct.Part], ptr @region_parts, i64 %24
  %40 = getelementptr inbounds nuw i8, ptr %26, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = icmp sgt i64 %41, 0
  br i1 %42, label %43, label %83

43:
  %44 = getelementptr inbounds nuw i8, ptr %26, i64 32
  %45 = getelementptr inbounds nuw i8, ptr %26, i64 48
  %46 = getelementptr inbounds nuw i8, ptr %26, i64 8
  %47 = getelementptr inbounds nuw i8, ptr %26, i64 16
  %48 = getelementptr inbounds nuw i8, ptr %26, i64 24
  br label %49

49:
  %50 = phi i64 [ %41, %43 ], [ %80, %79 ]
  %51 = phi i64 [ 0, %43 ], [ %81, %79 ]
  %52 = add nsw i64 %51, %4
  %53 = srem i64 %52, %50
  %54 = getelementptr inbounds %struct.Part, ptr %39, i64 %53
  %55 = load i64, ptr %44, align 32
  %56 = getelementptr inbounds nuw i8, ptr %54, i64 8
  %57 = load i64, ptr %56, align 8
  %58 = load atomic i64, ptr %54 monotonic, align 128
  %59 = icmp slt i64 %58, %57
  br i1 %59, label %60, label %79

60:
  %61 = load ptr, ptr %45, align 16
  %62 = call i64 @tolang_look(ptr %61)
  %63 = icmp eq i64 %62, 0
  br i1 %63, label %64, label %84

64:
  %65 = atomicrmw add ptr %54, i64 1 monotonic, align 128
  %66 = icmp slt i64 %65, %57
  br i1 %66, label %67, label %74

67:
  %68 = mul nsw i64 %65, %55
  %69 = load ptr, ptr %46, align 8
  %70 = load ptr, ptr %47, align 16
  %71 = add nsw i64 %68, %55
  %72 = load i64, ptr %48, align 8
  %73 = call i64 @llvm.smin.i64(i64 %71, i64 %72)
  call void %69(ptr %70, i64 %68, i64 %73)
  br label %74

74:
  %75 = load atomic i64, ptr %54 monotonic, align 128
  %76 = icmp slt i64 %75, %57
  br i1 %76, label %60, label %77

77:
  %78 = load i64, ptr %40, align 8
  br label %79

79:
  %80 = phi i64 [ %78, %77 ], [ %50, %49 ]
  %81 = add nuw nsw i64 %51, 1
  %82 = icmp slt i64 %81, %80
  br i1 %82, label %49, label %83

83:
  store atomic i64 1, ptr %31 monotonic, align 128
  br label %84

84:
  %85 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  br label %86

86:
  %87 = atomicrmw add ptr %27, i64 -1 seq_cst, align 128
  %88 = icmp eq i64 %87, -4611686018427387903
  br i1 %88, label %89, label %93

89:
  %90 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %91 = call i32 @pthread_cond_broadcast(ptr @region_done)
  %92 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br label %93

93:
  %94 = phi i1 [ false, %23 ], [ false, %30 ], [ %36, %89 ], [ %36, %86 ]
  %95 = zext i1 %94 to i32
  %96 = or i32 %25, %95
  %97 = add nuw nsw i64 %24, 1
  %98 = icmp eq i64 %97, 32
  br i1 %98, label %99, label %23

99:
  %100 = icmp eq i32 %96, 0
  br i1 %100, label %101, label %165

101:
  %102 = atomicrmw add ptr @region_spinning, i64 1 seq_cst, align 128
  %103 = load atomic i64, ptr @clock_number monotonic, align 8
  %104 = trunc i64 %103 to i32
  %105 = call i32 @clock_gettime(i32 %104, ptr %3)
  %106 = load i64, ptr %3, align 8
  %107 = mul nsw i64 %106, 1000000000
  %108 = load i64, ptr %5, align 8
  %109 = add nsw i64 %107, %108
  br label %110

110:
  %111 = phi i32 [ 0, %101 ], [ %121, %120 ]
  %112 = load atomic i64, ptr @region_generation acquire, align 128
  %113 = icmp eq i64 %112, %8
  br i1 %113, label %117, label %114

114:
  %115 = load atomic i64, ptr @region_generation acquire, align 128
  %116 = icmp eq i64 %115, %8
  br i1 %116, label %122, label %135

117:
  call void @tolang_pause()
  %118 = add nuw nsw i32 %111, 1
  %119 = icmp eq i32 %118, 32
  br i1 %119, label %114, label %120

120:
  %121 = phi i32 [ %118, %117 ], [ 0, %122 ]
  br label %110

122:
  %123 = load atomic i64, ptr @clock_number monotonic, align 8
  %124 = trunc i64 %123 to i32
  %125 = call i32 @clock_gettime(i32 %124, ptr %2)
  %126 = load i64, ptr %2, align 8
  %127 = mul nsw i64 %126, 1000000000
  %128 = load i64, ptr %6, align 8
  %129 = add nsw i64 %127, %128
  %130 = load atomic i64, ptr @region_running monotonic, align 128
  %131 = icmp sgt i64 %130, 0
  %132 = select i1 %131, i64 1000000, i64 50000
  %133 = add nsw i64 %109, %132
  %134 = icmp slt i64 %129, %133
  br i1 %134, label %120, label %135

135:
  %136 = atomicrmw add ptr @region_spinning, i64 -1 seq_cst, align 128
  %137 = load atomic i64, ptr @region_generation acquire, align 128
  %138 = icmp eq i64 %137, %8
  br i1 %138, label %139, label %165

139:
  %140 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %141 = atomicrmw add ptr @region_sleeping, i64 1 seq_cst, align 128
  %142 = load atomic i64, ptr @region_generation seq_cst, align 128
  %143 = icmp eq i64 %142, %8
  br i1 %143, label %144, label %148

144:
  %145 = call i32 @pthread_cond_wait(ptr @region_wake, ptr @region_mutex)
  %146 = load atomic i64, ptr @region_generation seq_cst, align 128
  %147 = icmp eq i64 %146, %8
  br i1 %147, label %144, label %148

148:
  %149 = atomicrmw add ptr @region_sleeping, i64 -1 seq_cst, align 128
  %150 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %151 = load atomic i64, ptr @region_wanted monotonic, align 128
  %152 = icmp slt i64 %151, 1
  br i1 %152, label %165, label %153

153:
  %154 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %155 = icmp slt i64 %154, 1
  br i1 %155, label %165, label %156

156:
  %157 = call i32 @pthread_cond_signal(ptr @region_wake)
  %158 = load atomic i64, ptr @region_wanted monotonic, align 128
  %159 = icmp slt i64 %158, 1
  br i1 %159, label %165, label %160

160:
  %161 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %162 = icmp slt i64 %161, 1
  br i1 %162, label %165, label %163

163:
  %164 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %165

165:
  br label %7
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
