; Made of threads.c (3fd1ec586e29fef7) by `python -m native`.

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

define i64 @tolang_parallel(ptr %0, ptr %1, i64 %2, i64 %3, ptr %4) {
  %6 = alloca %struct.Time, align 8
  %7 = alloca %struct.Time, align 8
  %8 = alloca %struct.Time, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca [1024 x i64], align 8
  %12 = load atomic i64, ptr @region_threads monotonic, align 8
  %13 = icmp sgt i64 %12, 1
  %14 = icmp sgt i64 %2, %3
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %27

16:
  %17 = phi i64 [ %25, %24 ], [ 0, %5 ]
  %18 = getelementptr inbounds nuw %struct.Region, ptr @region_slots, i64 %17
  %19 = load atomic i64, ptr %18 monotonic, align 128
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %21, label %24

21:
  %22 = cmpxchg ptr %18, i64 0, i64 1 acquire monotonic, align 128
  %23 = extractvalue { i64, i1 } %22, 1
  br i1 %23, label %36, label %24

24:
  %25 = add nuw nsw i64 %17, 1
  %26 = icmp eq i64 %25, 32
  br i1 %26, label %27, label %16

27:
  br label %28

28:
  %29 = phi i64 [ %31, %33 ], [ 0, %27 ]
  %30 = add nsw i64 %29, %3
  %31 = tail call i64 @llvm.smin.i64(i64 %30, i64 %2)
  tail call void %0(ptr %1, i64 %29, i64 %31)
  %32 = icmp slt i64 %30, %2
  br i1 %32, label %33, label %329

33:
  %34 = tail call i64 @tolang_look(ptr %4)
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %28, label %329

36:
  %37 = getelementptr inbounds nuw i8, ptr %18, i64 8
  store ptr %0, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %18, i64 16
  store ptr %1, ptr %38, align 16
  %39 = getelementptr inbounds nuw i8, ptr %18, i64 32
  store i64 %3, ptr %39, align 32
  %40 = getelementptr inbounds nuw i8, ptr %18, i64 48
  store ptr %4, ptr %40, align 16
  %41 = getelementptr inbounds nuw i8, ptr %18, i64 24
  store i64 %2, ptr %41, align 8
  %42 = getelementptr inbounds nuw [64 x %struct.Part], ptr @region_parts, i64 %17
  %43 = add i64 %2, -1
  %44 = add i64 %43, %3
  %45 = sdiv i64 %44, %3
  %46 = load atomic i64, ptr @region_threads monotonic, align 8
  %47 = tail call i64 @llvm.smin.i64(i64 %46, i64 %45)
  %48 = tail call i64 @llvm.smin.i64(i64 %47, i64 64)
  %49 = getelementptr inbounds nuw i8, ptr %18, i64 40
  store i64 %48, ptr %49, align 8
  %50 = icmp sgt i64 %47, 0
  br i1 %50, label %51, label %61

51:
  %52 = phi i64 [ %56, %51 ], [ 0, %36 ]
  %53 = getelementptr inbounds nuw %struct.Part, ptr %42, i64 %52
  %54 = mul nsw i64 %52, %45
  %55 = sdiv i64 %54, %48
  store atomic i64 %55, ptr %53 monotonic, align 128
  %56 = add nuw nsw i64 %52, 1
  %57 = mul nsw i64 %56, %45
  %58 = sdiv i64 %57, %48
  %59 = getelementptr inbounds nuw i8, ptr %53, i64 8
  store i64 %58, ptr %59, align 8
  %60 = icmp slt i64 %56, %48
  br i1 %60, label %51, label %61

61:
  %62 = getelementptr inbounds nuw i8, ptr %18, i64 128
  store atomic i64 0, ptr %62 monotonic, align 128
  %63 = getelementptr inbounds nuw i8, ptr %18, i64 256
  %64 = atomicrmw add ptr %63, i64 4611686018427387904 seq_cst, align 128
  %65 = add nsw i64 %45, -1
  %66 = load atomic i64, ptr @region_threads monotonic, align 8
  %67 = add nsw i64 %66, -1
  %68 = tail call i64 @llvm.smin.i64(i64 %65, i64 %67)
  %69 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %70 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %71 = sub nsw i64 %68, %70
  %72 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %73 = tail call i64 @llvm.smin.i64(i64 %71, i64 %72)
  %74 = load atomic i64, ptr @region_started monotonic, align 8
  %75 = icmp slt i64 %74, %67
  %76 = icmp sgt i64 %73, 0
  %77 = select i1 %75, i1 true, i1 %76
  br i1 %77, label %78, label %231

78:
  %79 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %80 = load atomic i64, ptr @region_started monotonic, align 8
  %81 = load atomic i64, ptr @region_threads monotonic, align 8
  %82 = add nsw i64 %81, -1
  %83 = icmp slt i64 %80, %82
  br i1 %83, label %84, label %103

84:
  %85 = load atomic i64, ptr @region_started monotonic, align 8
  %86 = icmp slt i64 %85, 1024
  br i1 %86, label %87, label %103

87:
  %88 = load atomic i64, ptr @region_started monotonic, align 8
  %89 = getelementptr inbounds ptr, ptr @region_workers, i64 %88
  %90 = load atomic i64, ptr @region_started monotonic, align 8
  %91 = add nsw i64 %90, 1
  %92 = inttoptr i64 %91 to ptr
  %93 = tail call i32 @pthread_create(ptr %89, ptr null, ptr @worker, ptr %92)
  %94 = icmp eq i32 %93, 0
  br i1 %94, label %95, label %103

95:
  %96 = load ptr, ptr %89, align 8
  %97 = tail call i32 @pthread_detach(ptr %96)
  %98 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  store atomic i64 -1, ptr @region_home release, align 8
  %99 = load atomic i64, ptr @region_started monotonic, align 8
  %100 = load atomic i64, ptr @region_threads monotonic, align 8
  %101 = add nsw i64 %100, -1
  %102 = icmp slt i64 %99, %101
  br i1 %102, label %84, label %103

103:
  %104 = tail call i64 @tolang_processor()
  %105 = load atomic i64, ptr @region_home monotonic, align 8
  %106 = icmp eq i64 %104, %105
  br i1 %106, label %214, label %107

107:
  %108 = load atomic i64, ptr @region_working monotonic, align 128
  %109 = icmp eq i64 %108, 0
  br i1 %109, label %110, label %214

110:
  store atomic i64 %104, ptr @region_home release, align 8
  %111 = call i64 @tolang_processors(ptr %11, i64 1024)
  %112 = icmp sgt i64 %111, 1024
  br i1 %112, label %213, label %113

113:
  %114 = icmp sgt i64 %105, -1
  %115 = load i64, ptr @region_bound, align 8
  br i1 %114, label %118, label %116

116:
  %117 = icmp sgt i64 %115, 0
  br label %150

118:
  %119 = icmp ne i64 %115, 0
  %120 = add nsw i64 %115, 1
  %121 = icmp eq i64 %111, %120
  %122 = select i1 %119, i1 %121, i1 false
  %123 = icmp sgt i64 %111, 0
  %124 = and i1 %123, %122
  br i1 %124, label %125, label %135

125:
  %126 = phi i64 [ %132, %125 ], [ 0, %118 ]
  %127 = getelementptr inbounds nuw i64, ptr %11, i64 %126
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %126
  %130 = load i64, ptr %129, align 8
  %131 = icmp eq i64 %128, %130
  %132 = add nuw nsw i64 %126, 1
  %133 = icmp slt i64 %132, %111
  %134 = select i1 %131, i1 %133, i1 false
  br i1 %134, label %125, label %135

135:
  %136 = phi i1 [ %122, %118 ], [ %131, %125 ]
  %137 = icmp sgt i64 %115, 0
  %138 = select i1 %136, i1 %137, i1 false
  br i1 %138, label %139, label %150

139:
  %140 = phi i64 [ %148, %147 ], [ 0, %135 ]
  %141 = getelementptr inbounds nuw i64, ptr @region_places, i64 %140
  %142 = load i64, ptr %141, align 8
  %143 = icmp eq i64 %142, %104
  br i1 %143, label %144, label %147

144:
  store i64 %105, ptr %10, align 8
  store i64 %105, ptr %141, align 8
  %145 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %140
  %146 = load ptr, ptr %145, align 8
  call void @tolang_bind(ptr %146, ptr %10, i64 1)
  br label %213

147:
  %148 = add nuw nsw i64 %140, 1
  %149 = icmp eq i64 %148, %115
  br i1 %149, label %150, label %139

150:
  %151 = phi i1 [ %117, %116 ], [ %137, %135 ], [ true, %147 ]
  %152 = load atomic i64, ptr @region_threads monotonic, align 8
  %153 = add i64 %152, -1
  store i64 0, ptr @region_bound, align 8
  %154 = icmp sgt i64 %111, 1
  br i1 %154, label %155, label %180

155:
  %156 = icmp ult i64 %111, 4
  br i1 %156, label %171, label %157

157:
  %158 = and i64 %111, 9223372036854775804
  br label %159

159:
  %160 = phi i64 [ 0, %157 ], [ %167, %159 ]
  %161 = getelementptr inbounds nuw i64, ptr %11, i64 %160
  %162 = getelementptr inbounds nuw i8, ptr %161, i64 16
  %163 = load <2 x i64>, ptr %161, align 8
  %164 = load <2 x i64>, ptr %162, align 8
  %165 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %160
  %166 = getelementptr inbounds nuw i8, ptr %165, i64 16
  store <2 x i64> %163, ptr %165, align 8
  store <2 x i64> %164, ptr %166, align 8
  %167 = add nuw i64 %160, 4
  %168 = icmp eq i64 %167, %158
  br i1 %168, label %169, label %159

169:
  %170 = icmp eq i64 %111, %158
  br i1 %170, label %180, label %171

171:
  %172 = phi i64 [ 0, %155 ], [ %158, %169 ]
  br label %173

173:
  %174 = phi i64 [ %178, %173 ], [ %172, %171 ]
  %175 = getelementptr inbounds nuw i64, ptr %11, i64 %174
  %176 = load i64, ptr %175, align 8
  %177 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %174
  store i64 %176, ptr %177, align 8
  %178 = add nuw nsw i64 %174, 1
  %179 = icmp eq i64 %178, %111
  br i1 %179, label %180, label %173

180:
  br i1 %151, label %181, label %184

181:
  %182 = add nuw nsw i64 %115, 1
  %183 = select i1 %154, i64 %111, i64 %182
  br label %186

184:
  %185 = icmp eq i64 %111, %152
  br i1 %185, label %192, label %213

186:
  %187 = phi i64 [ 0, %181 ], [ %190, %186 ]
  %188 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %187
  %189 = load ptr, ptr %188, align 8
  call void @tolang_bind(ptr %189, ptr @region_processors, i64 %183)
  %190 = add nuw nsw i64 %187, 1
  %191 = icmp eq i64 %190, %115
  br i1 %191, label %184, label %186

192:
  %193 = load atomic i64, ptr @region_started monotonic, align 8
  %194 = icmp slt i64 %193, %153
  br i1 %194, label %213, label %195

195:
  br i1 %154, label %197, label %196

196:
  store i64 %153, ptr @region_bound, align 8
  br label %213

197:
  %198 = phi i64 [ %211, %197 ], [ 0, %195 ]
  %199 = phi i64 [ %205, %197 ], [ 0, %195 ]
  %200 = getelementptr inbounds i64, ptr %11, i64 %199
  %201 = load i64, ptr %200, align 8
  %202 = icmp eq i64 %201, %104
  %203 = zext i1 %202 to i64
  %204 = add nsw i64 %199, %203
  %205 = add nsw i64 %204, 1
  %206 = getelementptr inbounds i64, ptr %11, i64 %204
  %207 = load i64, ptr %206, align 8
  store i64 %207, ptr %9, align 8
  %208 = getelementptr inbounds nuw i64, ptr @region_places, i64 %198
  store i64 %207, ptr %208, align 8
  %209 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %198
  %210 = load ptr, ptr %209, align 8
  call void @tolang_bind(ptr %210, ptr %9, i64 1)
  %211 = add nuw nsw i64 %198, 1
  %212 = icmp eq i64 %211, %153
  br i1 %212, label %196, label %197

213:
  br label %214

214:
  %215 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %76, label %216, label %231

216:
  store atomic i64 %73, ptr @region_wanted release, align 128
  %217 = load atomic i64, ptr @region_wanted monotonic, align 128
  %218 = icmp slt i64 %217, 1
  br i1 %218, label %231, label %219

219:
  %220 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %221 = icmp slt i64 %220, 1
  br i1 %221, label %231, label %222

222:
  %223 = call i32 @pthread_cond_signal(ptr @region_wake)
  %224 = load atomic i64, ptr @region_wanted monotonic, align 128
  %225 = icmp slt i64 %224, 1
  br i1 %225, label %231, label %226

226:
  %227 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %228 = icmp slt i64 %227, 1
  br i1 %228, label %231, label %229

229:
  %230 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %231

231:
  %232 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %233 = load i64, ptr %49, align 8
  %234 = icmp sgt i64 %233, 0
  br i1 %234, label %235, label %268

235:
  %236 = phi i64 [ %265, %264 ], [ %233, %231 ]
  %237 = phi i64 [ %266, %264 ], [ 0, %231 ]
  %238 = srem i64 %237, %236
  %239 = getelementptr inbounds nuw %struct.Part, ptr %42, i64 %238
  %240 = load i64, ptr %39, align 32
  %241 = getelementptr inbounds nuw i8, ptr %239, i64 8
  %242 = load i64, ptr %241, align 8
  %243 = load atomic i64, ptr %239 monotonic, align 128
  %244 = icmp slt i64 %243, %242
  br i1 %244, label %245, label %264

245:
  %246 = load ptr, ptr %40, align 16
  %247 = call i64 @tolang_look(ptr %246)
  %248 = icmp eq i64 %247, 0
  br i1 %248, label %249, label %269

249:
  %250 = atomicrmw add ptr %239, i64 1 monotonic, align 128
  %251 = icmp slt i64 %250, %242
  br i1 %251, label %252, label %259

252:
  %253 = mul nsw i64 %250, %240
  %254 = load ptr, ptr %37, align 8
  %255 = load ptr, ptr %38, align 16
  %256 = add nsw i64 %253, %240
  %257 = load i64, ptr %41, align 8
  %258 = call i64 @llvm.smin.i64(i64 %256, i64 %257)
  call void %254(ptr %255, i64 %253, i64 %258)
  br label %259

259:
  %260 = load atomic i64, ptr %239 monotonic, align 128
  %261 = icmp slt i64 %260, %242
  br i1 %261, label %245, label %262

262:
  %263 = load i64, ptr %49, align 8
  br label %264

264:
  %265 = phi i64 [ %263, %262 ], [ %236, %235 ]
  %266 = add nuw nsw i64 %237, 1
  %267 = icmp slt i64 %266, %265
  br i1 %267, label %235, label %268

268:
  store atomic i64 1, ptr %62 monotonic, align 128
  br label %269

269:
  %270 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %271 = atomicrmw add ptr %63, i64 -4611686018427387904 seq_cst, align 128
  %272 = load atomic i64, ptr @clock_number monotonic, align 8
  %273 = trunc i64 %272 to i32
  %274 = call i32 @clock_gettime(i32 %273, ptr %7)
  %275 = load i64, ptr %7, align 8
  %276 = mul nsw i64 %275, 1000000000
  %277 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %278 = load i64, ptr %277, align 8
  %279 = add nsw i64 %276, %278
  %280 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %281

281:
  %282 = phi i32 [ 0, %269 ], [ %289, %288 ]
  %283 = load atomic i64, ptr %63 acquire, align 128
  %284 = icmp eq i64 %283, -4611686018427387904
  br i1 %284, label %328, label %285

285:
  call void @tolang_pause()
  %286 = add nuw nsw i32 %282, 1
  %287 = icmp eq i32 %286, 32
  br i1 %287, label %290, label %288

288:
  %289 = phi i32 [ %286, %285 ], [ 0, %290 ]
  br label %281

290:
  %291 = load atomic i64, ptr @clock_number monotonic, align 8
  %292 = trunc i64 %291 to i32
  %293 = call i32 @clock_gettime(i32 %292, ptr %6)
  %294 = load i64, ptr %6, align 8
  %295 = mul nsw i64 %294, 1000000000
  %296 = load i64, ptr %280, align 8
  %297 = add nsw i64 %295, %296
  %298 = load atomic i64, ptr @region_running monotonic, align 128
  %299 = icmp sgt i64 %298, 0
  %300 = select i1 %299, i64 1000000, i64 50000
  %301 = add nsw i64 %279, %300
  %302 = icmp slt i64 %297, %301
  br i1 %302, label %288, label %303

303:
  %304 = load atomic i64, ptr %63 acquire, align 128
  %305 = icmp eq i64 %304, -4611686018427387904
  br i1 %305, label %328, label %306

306:
  %307 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %308

308:
  %309 = call i32 @clock_gettime(i32 0, ptr %8)
  %310 = load i64, ptr %307, align 8
  %311 = add nsw i64 %310, 50000000
  %312 = freeze i64 %311
  %313 = sdiv i64 %312, 1000000000
  %314 = load i64, ptr %8, align 8
  %315 = add nsw i64 %313, %314
  store i64 %315, ptr %8, align 8
  %316 = mul i64 %313, 1000000000
  %317 = sub i64 %312, %316
  store i64 %317, ptr %307, align 8
  %318 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %319 = load atomic i64, ptr %63 acquire, align 128
  %320 = icmp eq i64 %319, -4611686018427387904
  br i1 %320, label %323, label %321

321:
  %322 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %8)
  br label %323

323:
  %324 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %325 = call i64 @tolang_look(ptr %4)
  %326 = load atomic i64, ptr %63 acquire, align 128
  %327 = icmp eq i64 %326, -4611686018427387904
  br i1 %327, label %328, label %308

328:
  store atomic i64 0, ptr %18 release, align 128
  br label %329

329:
  %330 = load atomic i64, ptr %4 acquire, align 8
  ret i64 %330
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
