; Made of xla.c (d261e78e4dfc0ff6) by `python -m native`.

%struct.told = type { i64, ptr }
%struct.problem = type { i64, ptr, ptr, i32 }
%struct.kind = type { i64, i64, ptr }
%struct.result = type { i64, i64 }

@minor_version = internal global i32 0, align 4
@known_calls = internal global [1024 x ptr] zeroinitializer, align 8
@.str = private constant [48 x i8] c"XLA calls ToLang in a way that it does not know\00", align 1
@.str.1 = private constant [60 x i8] c"a call of ToLang has the key of a program, and nothing else\00", align 1
@.str.2 = private constant [68 x i8] c"the call is of a program of ToLang that this process has not traced\00", align 1
@.str.3 = private constant [70 x i8] c"the arrays are not as they were when the program of ToLang was traced\00", align 1
@.str.4 = private constant [40 x i8] c"a call of ToLang ended without a result\00", align 1
@__const.tolang_xla.told = private constant %struct.told { i64 0, ptr @.str.4 }, align 8

define void @tolang_xla_speak(i32 %0) {
  store i32 %0, ptr @minor_version, align 4
  ret void
}

define void @tolang_xla_known(ptr initializes((56, 64)) %0) {
  %2 = load i64, ptr %0, align 8
  %3 = and i64 %2, 1023
  %4 = getelementptr inbounds nuw ptr, ptr @known_calls, i64 %3
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 56
  store ptr %5, ptr %6, align 8
  %7 = ptrtoint ptr %0 to i64
  store atomic i64 %7, ptr %4 release, align 8
  ret void
}

define void @tolang_xla_plain(ptr writeonly %0, ptr %1) {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %4 = ptrtoint ptr %1 to i64
  store atomic i64 %4, ptr %3 release, align 8
  ret void
}

define ptr @tolang_xla(ptr readonly %0) {
  %2 = alloca %struct.problem, align 8
  %3 = alloca %struct.problem, align 8
  %4 = alloca %struct.problem, align 8
  %5 = alloca %struct.problem, align 8
  %6 = alloca %struct.problem, align 8
  %7 = alloca [512 x ptr], align 8
  %8 = alloca %struct.told, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %29, label %12

12:
  %13 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, 1
  br i1 %15, label %16, label %29

16:
  %17 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 8
  store i64 24, ptr %19, align 8
  %20 = getelementptr inbounds nuw i8, ptr %18, i64 16
  store ptr null, ptr %20, align 8
  %21 = getelementptr inbounds nuw i8, ptr %18, i64 24
  store i32 0, ptr %21, align 8
  %22 = load i32, ptr @minor_version, align 4
  %23 = getelementptr inbounds nuw i8, ptr %18, i64 28
  store i32 %22, ptr %23, align 4
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 32
  store i32 0, ptr %24, align 8
  %25 = load i64, ptr %18, align 8
  %26 = icmp ugt i64 %25, 47
  br i1 %26, label %27, label %179

27:
  %28 = getelementptr inbounds nuw i8, ptr %18, i64 40
  store i64 0, ptr %28, align 8
  br label %179

29:
  %30 = load i64, ptr %0, align 8
  %31 = icmp ult i64 %30, 168
  br i1 %31, label %36, label %32

32:
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %34 = load i32, ptr %33, align 8
  %35 = icmp eq i32 %34, 3
  br i1 %35, label %45, label %36

36:
  store i64 28, ptr %6, align 8
  %37 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store ptr null, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %6, i64 16
  store ptr @.str, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %6, i64 24
  store <2 x i32> <i32 13, i32 0>, ptr %39, align 8
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 48
  %43 = load ptr, ptr %42, align 8
  %44 = call ptr %43(ptr %6)
  br label %179

45:
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %47 = load i64, ptr %46, align 8
  %48 = icmp eq i64 %47, 1
  br i1 %48, label %49, label %60

49:
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %51 = load ptr, ptr %50, align 8
  %52 = load i32, ptr %51, align 4
  %53 = icmp eq i32 %52, 3
  br i1 %53, label %54, label %60

54:
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %56 = load ptr, ptr %55, align 8
  %57 = load ptr, ptr %56, align 8
  %58 = load i32, ptr %57, align 8
  %59 = icmp eq i32 %58, 5
  br i1 %59, label %69, label %60

60:
  store i64 28, ptr %5, align 8
  %61 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store ptr null, ptr %61, align 8
  %62 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store ptr @.str.1, ptr %62, align 8
  %63 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store <2 x i32> <i32 3, i32 0>, ptr %63, align 8
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 48
  %67 = load ptr, ptr %66, align 8
  %68 = call ptr %67(ptr %5)
  br label %179

69:
  %70 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = load i64, ptr %71, align 8
  %73 = and i64 %72, 1023
  %74 = getelementptr inbounds nuw ptr, ptr @known_calls, i64 %73
  %75 = load atomic i64, ptr %74 acquire, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %87, label %77

77:
  %78 = inttoptr i64 %75 to ptr
  br label %79

79:
  %80 = phi ptr [ %85, %83 ], [ %78, %77 ]
  %81 = load i64, ptr %80, align 8
  %82 = icmp eq i64 %81, %72
  br i1 %82, label %96, label %83

83:
  %84 = getelementptr inbounds nuw i8, ptr %80, i64 56
  %85 = load ptr, ptr %84, align 8
  %86 = icmp eq ptr %85, null
  br i1 %86, label %87, label %79

87:
  store i64 28, ptr %4, align 8
  %88 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store ptr null, ptr %88, align 8
  %89 = getelementptr inbounds nuw i8, ptr %4, i64 16
  store ptr @.str.2, ptr %89, align 8
  %90 = getelementptr inbounds nuw i8, ptr %4, i64 24
  store <2 x i32> <i32 3, i32 0>, ptr %90, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %92 = load ptr, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %92, i64 48
  %94 = load ptr, ptr %93, align 8
  %95 = call ptr %94(ptr %4)
  br label %179

96:
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %98 = getelementptr inbounds nuw i8, ptr %80, i64 8
  %99 = load i64, ptr %98, align 8
  %100 = getelementptr inbounds nuw i8, ptr %80, i64 24
  %101 = load ptr, ptr %100, align 8
  %102 = tail call fastcc i32 @are_as_expected(ptr %97, i64 %99, ptr %101)
  %103 = icmp eq i32 %102, 0
  br i1 %103, label %111, label %104

104:
  %105 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %106 = getelementptr inbounds nuw i8, ptr %80, i64 16
  %107 = load i64, ptr %106, align 8
  %108 = getelementptr inbounds %struct.kind, ptr %101, i64 %99
  %109 = tail call fastcc i32 @are_as_expected(ptr %105, i64 %107, ptr %108)
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %111, label %120

111:
  store i64 28, ptr %3, align 8
  %112 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store ptr null, ptr %112, align 8
  %113 = getelementptr inbounds nuw i8, ptr %3, i64 16
  store ptr @.str.3, ptr %113, align 8
  %114 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store <2 x i32> <i32 3, i32 0>, ptr %114, align 8
  %115 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %116 = load ptr, ptr %115, align 8
  %117 = getelementptr inbounds nuw i8, ptr %116, i64 48
  %118 = load ptr, ptr %117, align 8
  %119 = call ptr %118(ptr %3)
  br label %179

120:
  %121 = getelementptr inbounds nuw i8, ptr %80, i64 48
  %122 = load atomic i64, ptr %121 acquire, align 8
  %123 = icmp eq i64 %122, 0
  br i1 %123, label %128, label %124

124:
  %125 = inttoptr i64 %122 to ptr
  %126 = tail call fastcc i32 @is_computed(ptr %80, ptr %125, ptr %0)
  %127 = icmp eq i32 %126, 0
  br i1 %127, label %128, label %179

128:
  %129 = load i64, ptr %98, align 8
  %130 = icmp sgt i64 %129, 0
  br i1 %130, label %131, label %134

131:
  %132 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %133 = load ptr, ptr %132, align 8
  br label %141

134:
  %135 = load i64, ptr %106, align 8
  %136 = icmp sgt i64 %135, 0
  br i1 %136, label %137, label %150

137:
  %138 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %139 = load ptr, ptr %138, align 8
  %140 = getelementptr ptr, ptr %7, i64 %129
  br label %154

141:
  %142 = phi i64 [ 0, %131 ], [ %148, %141 ]
  %143 = getelementptr inbounds nuw ptr, ptr %133, i64 %142
  %144 = load ptr, ptr %143, align 8
  %145 = getelementptr inbounds nuw i8, ptr %144, i64 24
  %146 = load ptr, ptr %145, align 8
  %147 = getelementptr inbounds nuw ptr, ptr %7, i64 %142
  store ptr %146, ptr %147, align 8
  %148 = add nuw nsw i64 %142, 1
  %149 = icmp slt i64 %148, %129
  br i1 %149, label %141, label %134

150:
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %8, ptr align 8 dereferenceable(16) @__const.tolang_xla.told, i64 16, i1 false)
  %151 = getelementptr inbounds nuw i8, ptr %80, i64 32
  %152 = load ptr, ptr %151, align 8
  call void %152(i64 %72, ptr %7, ptr %8)
  %153 = load i64, ptr %8, align 8
  switch i64 %153, label %166 [
    i64 1, label %177
    i64 3, label %163
  ]

154:
  %155 = phi i64 [ 0, %137 ], [ %161, %154 ]
  %156 = getelementptr inbounds nuw ptr, ptr %139, i64 %155
  %157 = load ptr, ptr %156, align 8
  %158 = getelementptr inbounds nuw i8, ptr %157, i64 24
  %159 = load ptr, ptr %158, align 8
  %160 = getelementptr ptr, ptr %140, i64 %155
  store ptr %159, ptr %160, align 8
  %161 = add nuw nsw i64 %155, 1
  %162 = icmp slt i64 %161, %135
  br i1 %162, label %154, label %150

163:
  %164 = getelementptr inbounds nuw i8, ptr %80, i64 40
  %165 = load ptr, ptr %164, align 8
  call void %165()
  br label %166

166:
  %167 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %168 = load ptr, ptr %167, align 8
  store i64 28, ptr %2, align 8
  %169 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store ptr null, ptr %169, align 8
  %170 = getelementptr inbounds nuw i8, ptr %2, i64 16
  store ptr %168, ptr %170, align 8
  %171 = getelementptr inbounds nuw i8, ptr %2, i64 24
  store <2 x i32> <i32 3, i32 0>, ptr %171, align 8
  %172 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %173 = load ptr, ptr %172, align 8
  %174 = getelementptr inbounds nuw i8, ptr %173, i64 48
  %175 = load ptr, ptr %174, align 8
  %176 = call ptr %175(ptr %2)
  br label %177

177:
  %178 = phi ptr [ %176, %166 ], [ null, %150 ]
  br label %179

179:
  %180 = phi ptr [ null, %124 ], [ %44, %36 ], [ %68, %60 ], [ %95, %87 ], [ %119, %111 ], [ %178, %177 ], [ null, %16 ], [ null, %27 ]
  ret ptr %180
}

define internal fastcc range(i32 0, 2) i32 @are_as_expected(ptr readonly %0, i64 %1, ptr readonly %2) {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load i64, ptr %4, align 8
  %6 = icmp eq i64 %5, %1
  br i1 %6, label %7, label %54

7:
  %8 = icmp sgt i64 %1, 0
  br i1 %8, label %9, label %54

9:
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = load ptr, ptr %12, align 8
  br label %14

14:
  %15 = phi i64 [ 0, %9 ], [ %52, %51 ]
  %16 = getelementptr inbounds nuw ptr, ptr %11, i64 %15
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i32, ptr %13, i64 %15
  %19 = load i32, ptr %18, align 4
  %20 = icmp eq i32 %19, 1
  br i1 %20, label %21, label %54

21:
  %22 = getelementptr inbounds nuw i8, ptr %17, i64 16
  %23 = load i32, ptr %22, align 8
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds nuw %struct.kind, ptr %2, i64 %15
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, %24
  br i1 %27, label %28, label %54

28:
  %29 = getelementptr inbounds nuw i8, ptr %17, i64 32
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %32 = load i64, ptr %31, align 8
  %33 = icmp eq i64 %30, %32
  br i1 %33, label %34, label %54

34:
  %35 = icmp sgt i64 %30, 0
  br i1 %35, label %36, label %51

36:
  %37 = getelementptr inbounds nuw i8, ptr %17, i64 40
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %25, i64 16
  %40 = load ptr, ptr %39, align 8
  br label %44

41:
  %42 = add nuw nsw i64 %45, 1
  %43 = icmp eq i64 %42, %30
  br i1 %43, label %51, label %44

44:
  %45 = phi i64 [ 0, %36 ], [ %42, %41 ]
  %46 = getelementptr inbounds nuw i64, ptr %38, i64 %45
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds nuw i64, ptr %40, i64 %45
  %49 = load i64, ptr %48, align 8
  %50 = icmp eq i64 %47, %49
  br i1 %50, label %41, label %54

51:
  %52 = add nuw nsw i64 %15, 1
  %53 = icmp eq i64 %52, %1
  br i1 %53, label %54, label %14

54:
  %55 = phi i32 [ 0, %3 ], [ 1, %7 ], [ 0, %44 ], [ 1, %51 ], [ 0, %21 ], [ 0, %28 ], [ 0, %14 ]
  ret i32 %55
}

define internal fastcc range(i32 0, 2) i32 @is_computed(ptr readonly %0, ptr readonly %1, ptr readonly %2) {
  %4 = alloca [4096 x i64], align 8
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %8 = load i64, ptr %7, align 8
  %9 = shl i64 %8, 3
  %10 = call ptr @memcpy(ptr %4, ptr %6, i64 %9)
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = icmp sgt i64 %12, 0
  br i1 %13, label %14, label %19

14:
  %15 = getelementptr inbounds nuw i8, ptr %2, i64 72
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %18 = load ptr, ptr %17, align 8
  br label %27

19:
  %20 = load ptr, ptr %1, align 8
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %24 = load ptr, ptr %23, align 8
  %25 = call i64 %20(ptr %22, ptr %4, ptr %24)
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %39, label %136

27:
  %28 = phi i64 [ 0, %14 ], [ %37, %27 ]
  %29 = getelementptr inbounds nuw ptr, ptr %16, i64 %28
  %30 = load ptr, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 24
  %32 = load ptr, ptr %31, align 8
  %33 = ptrtoint ptr %32 to i64
  %34 = getelementptr inbounds nuw i64, ptr %18, i64 %28
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds i64, ptr %4, i64 %35
  store i64 %33, ptr %36, align 8
  %37 = add nuw nsw i64 %28, 1
  %38 = icmp eq i64 %37, %12
  br i1 %38, label %19, label %27

39:
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %41 = load i64, ptr %40, align 8
  %42 = icmp sgt i64 %41, 0
  br i1 %42, label %43, label %136

43:
  %44 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds i64, ptr %4, i64 %45
  %47 = getelementptr inbounds nuw i8, ptr %2, i64 112
  %48 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %49 = getelementptr inbounds nuw i8, ptr %1, i64 64
  br label %52

50:
  %51 = trunc nuw nsw i64 %130 to i32
  br label %136

52:
  %53 = phi i64 [ 0, %43 ], [ %133, %129 ]
  %54 = phi i64 [ 1, %43 ], [ %130, %129 ]
  %55 = phi ptr [ %46, %43 ], [ %132, %129 ]
  %56 = load ptr, ptr %47, align 8
  %57 = getelementptr inbounds nuw ptr, ptr %56, i64 %53
  %58 = load ptr, ptr %57, align 8
  %59 = load i64, ptr %48, align 8
  %60 = getelementptr i64, ptr %4, i64 %59
  %61 = getelementptr i64, ptr %60, i64 %53
  %62 = load i64, ptr %61, align 8
  %63 = inttoptr i64 %62 to ptr
  %64 = getelementptr inbounds nuw i8, ptr %58, i64 32
  %65 = load i64, ptr %64, align 8
  %66 = icmp sgt i64 %65, 0
  br i1 %66, label %67, label %72

67:
  %68 = getelementptr inbounds nuw i8, ptr %58, i64 40
  %69 = load ptr, ptr %68, align 8
  br label %77

70:
  %71 = icmp ne i64 %86, 0
  br label %72

72:
  %73 = phi i64 [ 1, %52 ], [ %87, %70 ]
  %74 = phi i1 [ true, %52 ], [ %71, %70 ]
  %75 = icmp ne i64 %54, 0
  %76 = select i1 %75, i1 %74, i1 false
  br i1 %76, label %90, label %129

77:
  %78 = phi i64 [ 0, %67 ], [ %88, %77 ]
  %79 = phi i64 [ 1, %67 ], [ %86, %77 ]
  %80 = phi i64 [ 1, %67 ], [ %87, %77 ]
  %81 = getelementptr inbounds nuw i64, ptr %55, i64 %78
  %82 = load i64, ptr %81, align 8
  %83 = getelementptr inbounds nuw i64, ptr %69, i64 %78
  %84 = load i64, ptr %83, align 8
  %85 = icmp eq i64 %82, %84
  %86 = select i1 %85, i64 %79, i64 0
  %87 = mul nsw i64 %84, %80
  %88 = add nuw nsw i64 %78, 1
  %89 = icmp eq i64 %88, %65
  br i1 %89, label %70, label %77

90:
  %91 = getelementptr inbounds nuw i8, ptr %58, i64 24
  %92 = load ptr, ptr %91, align 8
  %93 = load ptr, ptr %49, align 8
  %94 = getelementptr inbounds nuw %struct.result, ptr %93, i64 %53
  %95 = load i64, ptr %94, align 8
  switch i64 %95, label %98 [
    i64 0, label %100
    i64 1, label %96
  ]

96:
  %97 = icmp sgt i64 %73, 0
  br i1 %97, label %105, label %129

98:
  %99 = icmp sgt i64 %73, 0
  br i1 %99, label %116, label %129

100:
  %101 = getelementptr inbounds nuw i8, ptr %94, i64 8
  %102 = load i64, ptr %101, align 8
  %103 = mul nsw i64 %102, %73
  %104 = call ptr @memcpy(ptr %92, ptr %63, i64 %103)
  br label %129

105:
  %106 = phi i64 [ %111, %105 ], [ 0, %96 ]
  %107 = getelementptr inbounds nuw double, ptr %63, i64 %106
  %108 = load double, ptr %107, align 8
  %109 = fptrunc double %108 to float
  %110 = getelementptr inbounds nuw float, ptr %92, i64 %106
  store float %109, ptr %110, align 4
  %111 = add nuw nsw i64 %106, 1
  %112 = icmp eq i64 %111, %73
  br i1 %112, label %129, label %105

113:
  %114 = icmp eq i64 %126, 0
  %115 = zext i1 %114 to i64
  br label %129

116:
  %117 = phi i64 [ %126, %116 ], [ 0, %98 ]
  %118 = phi i64 [ %127, %116 ], [ 0, %98 ]
  %119 = getelementptr inbounds nuw i64, ptr %63, i64 %118
  %120 = load i64, ptr %119, align 8
  %121 = trunc i64 %120 to i32
  %122 = getelementptr inbounds nuw i32, ptr %92, i64 %118
  store i32 %121, ptr %122, align 4
  %123 = add i64 %120, -2147483648
  %124 = icmp ult i64 %123, -4294967296
  %125 = zext i1 %124 to i64
  %126 = or i64 %117, %125
  %127 = add nuw nsw i64 %118, 1
  %128 = icmp eq i64 %127, %73
  br i1 %128, label %113, label %116

129:
  %130 = phi i64 [ 0, %72 ], [ 1, %100 ], [ %115, %113 ], [ 1, %96 ], [ 1, %98 ], [ 1, %105 ]
  call void @tolang_return(ptr %63)
  %131 = load i64, ptr %64, align 8
  %132 = getelementptr inbounds i64, ptr %55, i64 %131
  %133 = add nuw nsw i64 %53, 1
  %134 = load i64, ptr %40, align 8
  %135 = icmp slt i64 %133, %134
  br i1 %135, label %52, label %50

136:
  %137 = phi i32 [ 0, %19 ], [ 1, %39 ], [ %51, %50 ]
  ret i32 %137
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare ptr @memcpy(ptr, ptr, i64)

declare void @tolang_return(ptr)
