; Made of arrays.c (f26ce9e1ee30c4fa) by `python -m native`.

%struct.input = type { i64, ptr, i64, ptr }

@python = internal global ptr null, align 8

define void @tolang_arrays_by(ptr %0) {
  store ptr %0, ptr @python, align 8
  ret void
}

define ptr @tolang_arrays(ptr %0, ptr readonly %1, i64 %2) {
  %4 = alloca [512 x i64], align 8
  %5 = ptrtoint ptr %4 to i64
  %6 = load ptr, ptr @python, align 8
  %7 = load ptr, ptr %6, align 8
  %8 = tail call ptr %7(ptr %0, ptr null)
  %9 = getelementptr inbounds nuw i8, ptr %8, i64 48
  %10 = load i64, ptr %9, align 8
  %11 = icmp eq i64 %2, %10
  br i1 %11, label %12, label %184

12:
  %13 = getelementptr inbounds nuw i8, ptr %8, i64 40
  %14 = load i64, ptr %13, align 8
  %15 = icmp sgt i64 %14, 0
  br i1 %15, label %16, label %40

16:
  %17 = getelementptr inbounds nuw i8, ptr %8, i64 32
  %18 = load ptr, ptr %17, align 8
  %19 = icmp ult i64 %14, 4
  %20 = ptrtoint ptr %18 to i64
  %21 = sub i64 %5, %20
  %22 = icmp ult i64 %21, 32
  %23 = select i1 %19, i1 true, i1 %22
  br i1 %23, label %38, label %24

24:
  %25 = and i64 %14, 9223372036854775804
  br label %26

26:
  %27 = phi i64 [ 0, %24 ], [ %34, %26 ]
  %28 = getelementptr inbounds nuw i64, ptr %18, i64 %27
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %30 = load <2 x i64>, ptr %28, align 8
  %31 = load <2 x i64>, ptr %29, align 8
  %32 = getelementptr inbounds nuw i64, ptr %4, i64 %27
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 16
  store <2 x i64> %30, ptr %32, align 8
  store <2 x i64> %31, ptr %33, align 8
  %34 = add nuw i64 %27, 4
  %35 = icmp eq i64 %34, %25
  br i1 %35, label %36, label %26

36:
  %37 = icmp eq i64 %14, %25
  br i1 %37, label %40, label %38

38:
  %39 = phi i64 [ 0, %16 ], [ %25, %36 ]
  br label %50

40:
  %41 = icmp sgt i64 %2, 0
  br i1 %41, label %42, label %110

42:
  %43 = getelementptr inbounds nuw i8, ptr %8, i64 56
  %44 = load ptr, ptr %8, align 8
  %45 = load ptr, ptr %43, align 8
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 32
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds nuw i8, ptr %44, i64 24
  %49 = load ptr, ptr %48, align 8
  br label %57

50:
  %51 = phi i64 [ %55, %50 ], [ %39, %38 ]
  %52 = getelementptr inbounds nuw i64, ptr %18, i64 %51
  %53 = load i64, ptr %52, align 8
  %54 = getelementptr inbounds nuw i64, ptr %4, i64 %51
  store i64 %53, ptr %54, align 8
  %55 = add nuw nsw i64 %51, 1
  %56 = icmp slt i64 %55, %14
  br i1 %56, label %50, label %40

57:
  %58 = phi i64 [ 0, %42 ], [ %108, %104 ]
  %59 = getelementptr inbounds nuw ptr, ptr %1, i64 %58
  %60 = load ptr, ptr %59, align 8
  %61 = getelementptr inbounds nuw %struct.input, ptr %45, i64 %58
  %62 = getelementptr inbounds i8, ptr %60, i64 %47
  %63 = getelementptr inbounds i8, ptr %62, i64 -8
  %64 = load ptr, ptr %63, align 8
  %65 = icmp eq ptr %64, %49
  br i1 %65, label %66, label %184

66:
  %67 = getelementptr inbounds nuw i8, ptr %62, i64 40
  %68 = load ptr, ptr %67, align 8
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 8
  %70 = load ptr, ptr %69, align 8
  %71 = icmp eq ptr %68, %70
  br i1 %71, label %72, label %184

72:
  %73 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %74 = load i32, ptr %73, align 8
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds nuw i8, ptr %61, i64 16
  %77 = load i64, ptr %76, align 8
  %78 = icmp eq i64 %77, %75
  br i1 %78, label %79, label %184

79:
  %80 = getelementptr inbounds nuw i8, ptr %62, i64 48
  %81 = load i32, ptr %80, align 8
  %82 = and i32 %81, 1
  %83 = icmp eq i32 %82, 0
  br i1 %83, label %184, label %84

84:
  %85 = icmp sgt i32 %74, 0
  br i1 %85, label %86, label %101

86:
  %87 = getelementptr inbounds nuw i8, ptr %62, i64 16
  %88 = load ptr, ptr %87, align 8
  %89 = getelementptr inbounds nuw i8, ptr %61, i64 24
  %90 = load ptr, ptr %89, align 8
  br label %94

91:
  %92 = add nuw nsw i64 %95, 1
  %93 = icmp eq i64 %92, %75
  br i1 %93, label %101, label %94

94:
  %95 = phi i64 [ 0, %86 ], [ %92, %91 ]
  %96 = getelementptr inbounds nuw i64, ptr %88, i64 %95
  %97 = load i64, ptr %96, align 8
  %98 = getelementptr inbounds nuw i64, ptr %90, i64 %95
  %99 = load i64, ptr %98, align 8
  %100 = icmp eq i64 %97, %99
  br i1 %100, label %91, label %184

101:
  %102 = load ptr, ptr %62, align 8
  %103 = icmp eq ptr %102, null
  br i1 %103, label %184, label %104

104:
  %105 = ptrtoint ptr %102 to i64
  %106 = load i64, ptr %61, align 8
  %107 = getelementptr inbounds i64, ptr %4, i64 %106
  store i64 %105, ptr %107, align 8
  %108 = add nuw nsw i64 %58, 1
  %109 = icmp eq i64 %108, %2
  br i1 %109, label %110, label %57

110:
  %111 = load ptr, ptr @python, align 8
  %112 = getelementptr inbounds nuw i8, ptr %111, i64 16
  %113 = load ptr, ptr %112, align 8
  %114 = tail call ptr %113()
  %115 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %116 = load ptr, ptr %115, align 8
  %117 = getelementptr inbounds nuw i8, ptr %8, i64 16
  %118 = load ptr, ptr %117, align 8
  %119 = getelementptr inbounds nuw i8, ptr %8, i64 24
  %120 = load ptr, ptr %119, align 8
  %121 = call i64 %116(ptr %118, ptr %4, ptr %120)
  %122 = load ptr, ptr @python, align 8
  %123 = getelementptr inbounds nuw i8, ptr %122, i64 24
  %124 = load ptr, ptr %123, align 8
  call void %124(ptr %114)
  %125 = icmp eq i64 %121, 0
  br i1 %125, label %126, label %184

126:
  %127 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds i64, ptr %4, i64 %128
  %130 = load i64, ptr %129, align 8
  %131 = icmp eq i64 %130, 0
  br i1 %131, label %184, label %132

132:
  %133 = load ptr, ptr %8, align 8
  %134 = inttoptr i64 %130 to ptr
  %135 = load ptr, ptr @python, align 8
  %136 = getelementptr inbounds nuw i8, ptr %135, i64 8
  %137 = load ptr, ptr %136, align 8
  %138 = call ptr %137(ptr %134, ptr null, ptr @given_back)
  %139 = icmp eq ptr %138, null
  br i1 %139, label %140, label %141

140:
  call void @tolang_return(ptr %134)
  br label %180

141:
  %142 = load ptr, ptr @python, align 8
  %143 = getelementptr inbounds nuw i8, ptr %142, i64 32
  %144 = load ptr, ptr %143, align 8
  %145 = getelementptr inbounds nuw i8, ptr %8, i64 88
  %146 = load ptr, ptr %145, align 8
  call void %144(ptr %146)
  %147 = load ptr, ptr %133, align 8
  %148 = getelementptr inbounds nuw i8, ptr %133, i64 24
  %149 = load ptr, ptr %148, align 8
  %150 = load ptr, ptr %145, align 8
  %151 = getelementptr inbounds nuw i8, ptr %8, i64 80
  %152 = load i64, ptr %151, align 8
  %153 = trunc i64 %152 to i32
  %154 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %155 = load i64, ptr %154, align 8
  %156 = getelementptr inbounds i64, ptr %4, i64 %155
  %157 = call ptr %147(ptr %149, ptr %150, i32 %153, ptr %156, ptr null, ptr %134, i32 1281, ptr null)
  %158 = icmp eq ptr %157, null
  br i1 %158, label %159, label %163

159:
  %160 = load ptr, ptr @python, align 8
  %161 = getelementptr inbounds nuw i8, ptr %160, i64 40
  %162 = load ptr, ptr %161, align 8
  call void %162(ptr %138)
  br label %180

163:
  %164 = getelementptr inbounds nuw i8, ptr %133, i64 8
  %165 = load ptr, ptr %164, align 8
  %166 = call i32 %165(ptr %157, ptr %138)
  %167 = icmp eq i32 %166, 0
  br i1 %167, label %172, label %168

168:
  %169 = load ptr, ptr @python, align 8
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 40
  %171 = load ptr, ptr %170, align 8
  call void %171(ptr %157)
  br label %180

172:
  %173 = load i64, ptr %151, align 8
  %174 = icmp eq i64 %173, 0
  br i1 %174, label %175, label %193

175:
  %176 = getelementptr inbounds nuw i8, ptr %133, i64 16
  %177 = load ptr, ptr %176, align 8
  %178 = call ptr %177(ptr %157)
  %179 = icmp eq ptr %178, null
  br i1 %179, label %180, label %193

180:
  %181 = load ptr, ptr @python, align 8
  %182 = getelementptr inbounds nuw i8, ptr %181, i64 48
  %183 = load ptr, ptr %182, align 8
  call void %183()
  br label %184

184:
  %185 = load ptr, ptr @python, align 8
  %186 = getelementptr inbounds nuw i8, ptr %185, i64 32
  %187 = load ptr, ptr %186, align 8
  %188 = getelementptr inbounds nuw i8, ptr %185, i64 56
  %189 = load ptr, ptr %188, align 8
  call void %187(ptr %189)
  %190 = load ptr, ptr @python, align 8
  %191 = getelementptr inbounds nuw i8, ptr %190, i64 56
  %192 = load ptr, ptr %191, align 8
  br label %193

193:
  %194 = phi ptr [ %192, %184 ], [ %178, %175 ], [ %157, %172 ]
  ret ptr %194
}

define internal void @given_back(ptr %0) {
  %2 = load ptr, ptr @python, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = tail call ptr %3(ptr %0, ptr null)
  tail call void @tolang_return(ptr %4)
  ret void
}

declare void @tolang_return(ptr)
