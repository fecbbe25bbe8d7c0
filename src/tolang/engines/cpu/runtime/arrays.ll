; Made of arrays.c (9e75b43686078c5b) by `python -m native`.

%struct.input = type { i64, ptr, i64, ptr }
%struct.output = type { i64, i64, ptr }

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
  br i1 %11, label %12, label %241

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
  br i1 %65, label %66, label %241

66:
  %67 = getelementptr inbounds nuw i8, ptr %62, i64 40
  %68 = load ptr, ptr %67, align 8
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 8
  %70 = load ptr, ptr %69, align 8
  %71 = icmp eq ptr %68, %70
  br i1 %71, label %72, label %241

72:
  %73 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %74 = load i32, ptr %73, align 8
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds nuw i8, ptr %61, i64 16
  %77 = load i64, ptr %76, align 8
  %78 = icmp eq i64 %77, %75
  br i1 %78, label %79, label %241

79:
  %80 = getelementptr inbounds nuw i8, ptr %62, i64 48
  %81 = load i32, ptr %80, align 8
  %82 = and i32 %81, 1
  %83 = icmp eq i32 %82, 0
  br i1 %83, label %241, label %84

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
  br i1 %100, label %91, label %241

101:
  %102 = load ptr, ptr %62, align 8
  %103 = icmp eq ptr %102, null
  br i1 %103, label %241, label %104

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
  br i1 %125, label %126, label %241

126:
  %127 = getelementptr inbounds nuw i8, ptr %8, i64 80
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds i64, ptr %4, i64 %128
  %130 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %131 = load i64, ptr %130, align 8
  %132 = icmp sgt i64 %131, 1
  br i1 %132, label %133, label %139

133:
  %134 = load ptr, ptr @python, align 8
  %135 = getelementptr inbounds nuw i8, ptr %134, i64 56
  %136 = load ptr, ptr %135, align 8
  %137 = call ptr %136(i64 %131)
  %138 = load i64, ptr %130, align 8
  br label %139

139:
  %140 = phi i64 [ %138, %133 ], [ %131, %126 ]
  %141 = phi ptr [ %137, %133 ], [ null, %126 ]
  %142 = icmp sgt i64 %140, 0
  br i1 %142, label %143, label %237

143:
  %144 = getelementptr inbounds nuw i8, ptr %8, i64 72
  %145 = icmp eq ptr %141, null
  br label %150

146:
  %147 = icmp ne i64 %207, 0
  %148 = icmp ne ptr %141, null
  %149 = select i1 %148, i1 %147, i1 false
  br i1 %149, label %228, label %232

150:
  %151 = phi ptr [ %129, %143 ], [ %224, %221 ]
  %152 = phi i64 [ 0, %143 ], [ %225, %221 ]
  %153 = phi i64 [ 0, %143 ], [ %207, %221 ]
  %154 = load ptr, ptr %144, align 8
  %155 = getelementptr inbounds nuw %struct.output, ptr %154, i64 %152
  %156 = load ptr, ptr %8, align 8
  %157 = load i64, ptr %155, align 8
  %158 = getelementptr inbounds i64, ptr %4, i64 %157
  %159 = load i64, ptr %158, align 8
  %160 = inttoptr i64 %159 to ptr
  %161 = load ptr, ptr @python, align 8
  %162 = getelementptr inbounds nuw i8, ptr %161, i64 8
  %163 = load ptr, ptr %162, align 8
  %164 = call ptr %163(ptr %160, ptr null, ptr @given_back)
  %165 = icmp eq ptr %164, null
  br i1 %165, label %166, label %167

166:
  call void @tolang_return(ptr %160)
  br label %202

167:
  %168 = load ptr, ptr @python, align 8
  %169 = getelementptr inbounds nuw i8, ptr %168, i64 32
  %170 = load ptr, ptr %169, align 8
  %171 = getelementptr inbounds nuw i8, ptr %155, i64 16
  %172 = load ptr, ptr %171, align 8
  call void %170(ptr %172)
  %173 = load ptr, ptr %156, align 8
  %174 = getelementptr inbounds nuw i8, ptr %156, i64 24
  %175 = load ptr, ptr %174, align 8
  %176 = load ptr, ptr %171, align 8
  %177 = getelementptr inbounds nuw i8, ptr %155, i64 8
  %178 = load i64, ptr %177, align 8
  %179 = trunc i64 %178 to i32
  %180 = call ptr %173(ptr %175, ptr %176, i32 %179, ptr %151, ptr null, ptr %160, i32 1281, ptr null)
  %181 = icmp eq ptr %180, null
  br i1 %181, label %182, label %186

182:
  %183 = load ptr, ptr @python, align 8
  %184 = getelementptr inbounds nuw i8, ptr %183, i64 40
  %185 = load ptr, ptr %184, align 8
  call void %185(ptr %164)
  br label %202

186:
  %187 = getelementptr inbounds nuw i8, ptr %156, i64 8
  %188 = load ptr, ptr %187, align 8
  %189 = call i32 %188(ptr %180, ptr %164)
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %195, label %191

191:
  %192 = load ptr, ptr @python, align 8
  %193 = getelementptr inbounds nuw i8, ptr %192, i64 40
  %194 = load ptr, ptr %193, align 8
  call void %194(ptr %180)
  br label %202

195:
  %196 = load i64, ptr %177, align 8
  %197 = icmp eq i64 %196, 0
  br i1 %197, label %198, label %202

198:
  %199 = getelementptr inbounds nuw i8, ptr %156, i64 16
  %200 = load ptr, ptr %199, align 8
  %201 = call ptr %200(ptr %180)
  br label %202

202:
  %203 = phi ptr [ null, %166 ], [ null, %191 ], [ null, %182 ], [ %201, %198 ], [ %180, %195 ]
  %204 = icmp ne ptr %203, null
  %205 = xor i1 %204, true
  %206 = zext i1 %205 to i64
  %207 = or i64 %153, %206
  br i1 %145, label %213, label %208

208:
  %209 = load ptr, ptr @python, align 8
  %210 = getelementptr inbounds nuw i8, ptr %209, i64 64
  %211 = load ptr, ptr %210, align 8
  %212 = call i32 %211(ptr %141, i64 %152, ptr %203)
  br label %221

213:
  %214 = load i64, ptr %130, align 8
  %215 = icmp sgt i64 %214, 1
  %216 = select i1 %215, i1 %204, i1 false
  br i1 %216, label %217, label %221

217:
  %218 = load ptr, ptr @python, align 8
  %219 = getelementptr inbounds nuw i8, ptr %218, i64 40
  %220 = load ptr, ptr %219, align 8
  call void %220(ptr %203)
  br label %221

221:
  %222 = getelementptr inbounds nuw i8, ptr %155, i64 8
  %223 = load i64, ptr %222, align 8
  %224 = getelementptr inbounds i64, ptr %151, i64 %223
  %225 = add nuw nsw i64 %152, 1
  %226 = load i64, ptr %130, align 8
  %227 = icmp slt i64 %225, %226
  br i1 %227, label %150, label %146

228:
  %229 = load ptr, ptr @python, align 8
  %230 = getelementptr inbounds nuw i8, ptr %229, i64 40
  %231 = load ptr, ptr %230, align 8
  call void %231(ptr %141)
  br label %237

232:
  %233 = icmp sgt i64 %226, 1
  %234 = select i1 %233, ptr %141, ptr %203
  %235 = icmp eq ptr %234, null
  %236 = select i1 %147, i1 true, i1 %235
  br i1 %236, label %237, label %250

237:
  %238 = load ptr, ptr @python, align 8
  %239 = getelementptr inbounds nuw i8, ptr %238, i64 48
  %240 = load ptr, ptr %239, align 8
  call void %240()
  br label %241

241:
  %242 = load ptr, ptr @python, align 8
  %243 = getelementptr inbounds nuw i8, ptr %242, i64 32
  %244 = load ptr, ptr %243, align 8
  %245 = getelementptr inbounds nuw i8, ptr %242, i64 72
  %246 = load ptr, ptr %245, align 8
  call void %244(ptr %246)
  %247 = load ptr, ptr @python, align 8
  %248 = getelementptr inbounds nuw i8, ptr %247, i64 72
  %249 = load ptr, ptr %248, align 8
  br label %250

250:
  %251 = phi ptr [ %249, %241 ], [ %234, %232 ]
  ret ptr %251
}

define internal void @given_back(ptr %0) {
  %2 = load ptr, ptr @python, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = tail call ptr %3(ptr %0, ptr null)
  tail call void @tolang_return(ptr %4)
  ret void
}

declare void @tolang_return(ptr)
