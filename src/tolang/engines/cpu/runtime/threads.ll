; Made of threads.c (1782a7b358279065) by `python -m native`.

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
  br i1 %32, label %33, label %291

33:
  %34 = tail call i64 @tolang_look(ptr %4)
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %28, label %291

36:
  %37 = getelementptr inbounds nuw i8, ptr %18, i64 8
  store ptr %0, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %18, i64 16
  store ptr %1, ptr %38, align 16
  %39 = getelementptr inbounds nuw i8, ptr %18, i64 32
  store i64 %3, ptr %39, align 32
  %40 = getelementptr inbounds nuw i8, ptr %18, i64 40
  store ptr %4, ptr %40, align 8
  %41 = getelementptr inbounds nuw i8, ptr %18, i64 24
  store atomic i64 %2, ptr %41 monotonic, align 8
  %42 = getelementptr inbounds nuw i8, ptr %18, i64 128
  store atomic i64 0, ptr %42 monotonic, align 128
  %43 = getelementptr inbounds nuw i8, ptr %18, i64 256
  %44 = atomicrmw add ptr %43, i64 4611686018427387904 seq_cst, align 128
  %45 = add i64 %2, -1
  %46 = add i64 %45, %3
  %47 = sdiv i64 %46, %3
  %48 = add nsw i64 %47, -1
  %49 = load atomic i64, ptr @region_threads monotonic, align 8
  %50 = add nsw i64 %49, -1
  %51 = tail call i64 @llvm.smin.i64(i64 %48, i64 %50)
  %52 = atomicrmw add ptr @region_generation, i64 1 seq_cst, align 128
  %53 = load atomic i64, ptr @region_spinning seq_cst, align 128
  %54 = sub nsw i64 %51, %53
  %55 = load atomic i64, ptr @region_sleeping seq_cst, align 128
  %56 = tail call i64 @llvm.smin.i64(i64 %54, i64 %55)
  %57 = load atomic i64, ptr @region_started monotonic, align 8
  %58 = icmp slt i64 %57, %50
  %59 = icmp sgt i64 %56, 0
  %60 = select i1 %58, i1 true, i1 %59
  br i1 %60, label %61, label %214

61:
  %62 = tail call i32 @pthread_mutex_lock(ptr @region_mutex)
  %63 = load atomic i64, ptr @region_started monotonic, align 8
  %64 = load atomic i64, ptr @region_threads monotonic, align 8
  %65 = add nsw i64 %64, -1
  %66 = icmp slt i64 %63, %65
  br i1 %66, label %67, label %86

67:
  %68 = load atomic i64, ptr @region_started monotonic, align 8
  %69 = icmp slt i64 %68, 1024
  br i1 %69, label %70, label %86

70:
  %71 = load atomic i64, ptr @region_started monotonic, align 8
  %72 = getelementptr inbounds ptr, ptr @region_workers, i64 %71
  %73 = load atomic i64, ptr @region_started monotonic, align 8
  %74 = add nsw i64 %73, 1
  %75 = inttoptr i64 %74 to ptr
  %76 = tail call i32 @pthread_create(ptr %72, ptr null, ptr @worker, ptr %75)
  %77 = icmp eq i32 %76, 0
  br i1 %77, label %78, label %86

78:
  %79 = load ptr, ptr %72, align 8
  %80 = tail call i32 @pthread_detach(ptr %79)
  %81 = atomicrmw add ptr @region_started, i64 1 seq_cst, align 8
  store atomic i64 -1, ptr @region_home release, align 8
  %82 = load atomic i64, ptr @region_started monotonic, align 8
  %83 = load atomic i64, ptr @region_threads monotonic, align 8
  %84 = add nsw i64 %83, -1
  %85 = icmp slt i64 %82, %84
  br i1 %85, label %67, label %86

86:
  %87 = tail call i64 @tolang_processor()
  %88 = load atomic i64, ptr @region_home monotonic, align 8
  %89 = icmp eq i64 %87, %88
  br i1 %89, label %197, label %90

90:
  %91 = load atomic i64, ptr @region_working monotonic, align 128
  %92 = icmp eq i64 %91, 0
  br i1 %92, label %93, label %197

93:
  store atomic i64 %87, ptr @region_home release, align 8
  %94 = call i64 @tolang_processors(ptr %11, i64 1024)
  %95 = icmp sgt i64 %94, 1024
  br i1 %95, label %196, label %96

96:
  %97 = icmp sgt i64 %88, -1
  %98 = load i64, ptr @region_bound, align 8
  br i1 %97, label %101, label %99

99:
  %100 = icmp sgt i64 %98, 0
  br label %133

101:
  %102 = icmp ne i64 %98, 0
  %103 = add nsw i64 %98, 1
  %104 = icmp eq i64 %94, %103
  %105 = select i1 %102, i1 %104, i1 false
  %106 = icmp sgt i64 %94, 0
  %107 = and i1 %106, %105
  br i1 %107, label %108, label %118

108:
  %109 = phi i64 [ %115, %108 ], [ 0, %101 ]
  %110 = getelementptr inbounds nuw i64, ptr %11, i64 %109
  %111 = load i64, ptr %110, align 8
  %112 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %109
  %113 = load i64, ptr %112, align 8
  %114 = icmp eq i64 %111, %113
  %115 = add nuw nsw i64 %109, 1
  %116 = icmp slt i64 %115, %94
  %117 = select i1 %114, i1 %116, i1 false
  br i1 %117, label %108, label %118

118:
  %119 = phi i1 [ %105, %101 ], [ %114, %108 ]
  %120 = icmp sgt i64 %98, 0
  %121 = select i1 %119, i1 %120, i1 false
  br i1 %121, label %122, label %133

122:
  %123 = phi i64 [ %131, %130 ], [ 0, %118 ]
  %124 = getelementptr inbounds nuw i64, ptr @region_places, i64 %123
  %125 = load i64, ptr %124, align 8
  %126 = icmp eq i64 %125, %87
  br i1 %126, label %127, label %130

127:
  store i64 %88, ptr %10, align 8
  store i64 %88, ptr %124, align 8
  %128 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %123
  %129 = load ptr, ptr %128, align 8
  call void @tolang_bind(ptr %129, ptr %10, i64 1)
  br label %196

130:
  %131 = add nuw nsw i64 %123, 1
  %132 = icmp eq i64 %131, %98
  br i1 %132, label %133, label %122

133:
  %134 = phi i1 [ %100, %99 ], [ %120, %118 ], [ true, %130 ]
  %135 = load atomic i64, ptr @region_threads monotonic, align 8
  %136 = add i64 %135, -1
  store i64 0, ptr @region_bound, align 8
  %137 = icmp sgt i64 %94, 1
  br i1 %137, label %138, label %163

138:
  %139 = icmp ult i64 %94, 4
  br i1 %139, label %154, label %140

140:
  %141 = and i64 %94, 9223372036854775804
  br label %142

142:
  %143 = phi i64 [ 0, %140 ], [ %150, %142 ]
  %144 = getelementptr inbounds nuw i64, ptr %11, i64 %143
  %145 = getelementptr inbounds nuw i8, ptr %144, i64 16
  %146 = load <2 x i64>, ptr %144, align 8
  %147 = load <2 x i64>, ptr %145, align 8
  %148 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %143
  %149 = getelementptr inbounds nuw i8, ptr %148, i64 16
  store <2 x i64> %146, ptr %148, align 8
  store <2 x i64> %147, ptr %149, align 8
  %150 = add nuw i64 %143, 4
  %151 = icmp eq i64 %150, %141
  br i1 %151, label %152, label %142

152:
  %153 = icmp eq i64 %94, %141
  br i1 %153, label %163, label %154

154:
  %155 = phi i64 [ 0, %138 ], [ %141, %152 ]
  br label %156

156:
  %157 = phi i64 [ %161, %156 ], [ %155, %154 ]
  %158 = getelementptr inbounds nuw i64, ptr %11, i64 %157
  %159 = load i64, ptr %158, align 8
  %160 = getelementptr inbounds nuw i64, ptr @region_processors, i64 %157
  store i64 %159, ptr %160, align 8
  %161 = add nuw nsw i64 %157, 1
  %162 = icmp eq i64 %161, %94
  br i1 %162, label %163, label %156

163:
  br i1 %134, label %164, label %167

164:
  %165 = add nuw nsw i64 %98, 1
  %166 = select i1 %137, i64 %94, i64 %165
  br label %169

167:
  %168 = icmp eq i64 %94, %135
  br i1 %168, label %175, label %196

169:
  %170 = phi i64 [ 0, %164 ], [ %173, %169 ]
  %171 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %170
  %172 = load ptr, ptr %171, align 8
  call void @tolang_bind(ptr %172, ptr @region_processors, i64 %166)
  %173 = add nuw nsw i64 %170, 1
  %174 = icmp eq i64 %173, %98
  br i1 %174, label %167, label %169

175:
  %176 = load atomic i64, ptr @region_started monotonic, align 8
  %177 = icmp slt i64 %176, %136
  br i1 %177, label %196, label %178

178:
  br i1 %137, label %180, label %179

179:
  store i64 %136, ptr @region_bound, align 8
  br label %196

180:
  %181 = phi i64 [ %194, %180 ], [ 0, %178 ]
  %182 = phi i64 [ %188, %180 ], [ 0, %178 ]
  %183 = getelementptr inbounds i64, ptr %11, i64 %182
  %184 = load i64, ptr %183, align 8
  %185 = icmp eq i64 %184, %87
  %186 = zext i1 %185 to i64
  %187 = add nsw i64 %182, %186
  %188 = add nsw i64 %187, 1
  %189 = getelementptr inbounds i64, ptr %11, i64 %187
  %190 = load i64, ptr %189, align 8
  store i64 %190, ptr %9, align 8
  %191 = getelementptr inbounds nuw i64, ptr @region_places, i64 %181
  store i64 %190, ptr %191, align 8
  %192 = getelementptr inbounds nuw ptr, ptr @region_workers, i64 %181
  %193 = load ptr, ptr %192, align 8
  call void @tolang_bind(ptr %193, ptr %9, i64 1)
  %194 = add nuw nsw i64 %181, 1
  %195 = icmp eq i64 %194, %136
  br i1 %195, label %179, label %180

196:
  br label %197

197:
  %198 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  br i1 %59, label %199, label %214

199:
  store atomic i64 %56, ptr @region_wanted release, align 128
  %200 = load atomic i64, ptr @region_wanted monotonic, align 128
  %201 = icmp slt i64 %200, 1
  br i1 %201, label %214, label %202

202:
  %203 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %204 = icmp slt i64 %203, 1
  br i1 %204, label %214, label %205

205:
  %206 = call i32 @pthread_cond_signal(ptr @region_wake)
  %207 = load atomic i64, ptr @region_wanted monotonic, align 128
  %208 = icmp slt i64 %207, 1
  br i1 %208, label %214, label %209

209:
  %210 = atomicrmw add ptr @region_wanted, i64 -1 seq_cst, align 128
  %211 = icmp slt i64 %210, 1
  br i1 %211, label %214, label %212

212:
  %213 = call i32 @pthread_cond_signal(ptr @region_wake)
  br label %214

214:
  %215 = atomicrmw add ptr @region_working, i64 1 seq_cst, align 128
  %216 = load ptr, ptr %37, align 8
  %217 = load ptr, ptr %38, align 16
  %218 = load i64, ptr %41, align 8
  %219 = load i64, ptr %39, align 32
  %220 = load ptr, ptr %40, align 8
  %221 = call i64 @tolang_look(ptr %220)
  %222 = icmp eq i64 %221, 0
  br i1 %222, label %223, label %231

223:
  %224 = atomicrmw add ptr %42, i64 %219 monotonic, align 128
  %225 = icmp slt i64 %224, %218
  br i1 %225, label %226, label %231

226:
  %227 = add nsw i64 %224, %219
  %228 = call i64 @llvm.smin.i64(i64 %227, i64 %218)
  call void %216(ptr %217, i64 %224, i64 %228)
  %229 = call i64 @tolang_look(ptr %220)
  %230 = icmp eq i64 %229, 0
  br i1 %230, label %223, label %231

231:
  %232 = atomicrmw add ptr @region_working, i64 -1 seq_cst, align 128
  %233 = atomicrmw add ptr %43, i64 -4611686018427387904 seq_cst, align 128
  %234 = load atomic i64, ptr @clock_number monotonic, align 8
  %235 = trunc i64 %234 to i32
  %236 = call i32 @clock_gettime(i32 %235, ptr %7)
  %237 = load i64, ptr %7, align 8
  %238 = mul nsw i64 %237, 1000000000
  %239 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %240 = load i64, ptr %239, align 8
  %241 = add nsw i64 %238, %240
  %242 = getelementptr inbounds nuw i8, ptr %6, i64 8
  br label %243

243:
  %244 = phi i32 [ 0, %231 ], [ %251, %250 ]
  %245 = load atomic i64, ptr %43 acquire, align 128
  %246 = icmp eq i64 %245, -4611686018427387904
  br i1 %246, label %290, label %247

247:
  call void @tolang_pause()
  %248 = add nuw nsw i32 %244, 1
  %249 = icmp eq i32 %248, 32
  br i1 %249, label %252, label %250

250:
  %251 = phi i32 [ %248, %247 ], [ 0, %252 ]
  br label %243

252:
  %253 = load atomic i64, ptr @clock_number monotonic, align 8
  %254 = trunc i64 %253 to i32
  %255 = call i32 @clock_gettime(i32 %254, ptr %6)
  %256 = load i64, ptr %6, align 8
  %257 = mul nsw i64 %256, 1000000000
  %258 = load i64, ptr %242, align 8
  %259 = add nsw i64 %257, %258
  %260 = load atomic i64, ptr @region_running monotonic, align 128
  %261 = icmp sgt i64 %260, 0
  %262 = select i1 %261, i64 1000000, i64 50000
  %263 = add nsw i64 %241, %262
  %264 = icmp slt i64 %259, %263
  br i1 %264, label %250, label %265

265:
  %266 = load atomic i64, ptr %43 acquire, align 128
  %267 = icmp eq i64 %266, -4611686018427387904
  br i1 %267, label %290, label %268

268:
  %269 = getelementptr inbounds nuw i8, ptr %8, i64 8
  br label %270

270:
  %271 = call i32 @clock_gettime(i32 0, ptr %8)
  %272 = load i64, ptr %269, align 8
  %273 = add nsw i64 %272, 50000000
  %274 = freeze i64 %273
  %275 = sdiv i64 %274, 1000000000
  %276 = load i64, ptr %8, align 8
  %277 = add nsw i64 %275, %276
  store i64 %277, ptr %8, align 8
  %278 = mul i64 %275, 1000000000
  %279 = sub i64 %274, %278
  store i64 %279, ptr %269, align 8
  %280 = call i32 @pthread_mutex_lock(ptr @region_mutex)
  %281 = load atomic i64, ptr %43 acquire, align 128
  %282 = icmp eq i64 %281, -4611686018427387904
  br i1 %282, label %285, label %283

283:
  %284 = call i32 @pthread_cond_timedwait(ptr @region_done, ptr @region_mutex, ptr %8)
  br label %285

285:
  %286 = call i32 @pthread_mutex_unlock(ptr @region_mutex)
  %287 = call i64 @tolang_look(ptr %4)
  %288 = load atomic i64, ptr %43 acquire, align 128
  %289 = icmp eq i64 %288, -4611686018427387904
  br i1 %289, label %290, label %270

290:
  store atomic i64 0, ptr %18 release, align 128
  br label %291

291:
  %292 = load atomic i64, ptr %4 acquire, align 8
  ret i64 %292
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

declare i64 @tolang_processors(ptr, i64)

declare void @tolang_bind(ptr, ptr, i64)

declare i32 @pthread_cond_signal(ptr)

declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
