; Made of arrays.c (08db68f69483209d) by `python -m native`.

%struct.input = type { i64, i64, ptr, i64, ptr }
%struct.output = type { i64, i64, ptr }

@python = internal global ptr null, align 8

define void @tolang_arrays_by(ptr %0) {
  store ptr %0, ptr @python, align 8
  ret void
}

define ptr @tolang_arrays(ptr %0, ptr readonly %1, i64 %2) {
  %4 = alloca [4096 x i64], align 8
  %5 = ptrtoint ptr %4 to i64
  %6 = alloca [64 x i64], align 8
  %7 = load ptr, ptr @python, align 8
  %8 = load ptr, ptr %7, align 8
  %9 = tail call ptr %8(ptr %0, ptr null)
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 48
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %2, %11
  br i1 %12, label %13, label %289

13:
  %14 = getelementptr inbounds nuw i8, ptr %9, i64 40
  %15 = load i64, ptr %14, align 8
  %16 = icmp sgt i64 %15, 0
  br i1 %16, label %17, label %41

17:
  %18 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %19 = load ptr, ptr %18, align 8
  %20 = icmp ult i64 %15, 4
  %21 = ptrtoint ptr %19 to i64
  %22 = sub i64 %5, %21
  %23 = icmp ult i64 %22, 32
  %24 = select i1 %20, i1 true, i1 %23
  br i1 %24, label %39, label %25

25:
  %26 = and i64 %15, 9223372036854775804
  br label %27

27:
  %28 = phi i64 [ 0, %25 ], [ %35, %27 ]
  %29 = getelementptr inbounds nuw i64, ptr %19, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %31 = load <2 x i64>, ptr %29, align 8
  %32 = load <2 x i64>, ptr %30, align 8
  %33 = getelementptr inbounds nuw i64, ptr %4, i64 %28
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 16
  store <2 x i64> %31, ptr %33, align 8
  store <2 x i64> %32, ptr %34, align 8
  %35 = add nuw i64 %28, 4
  %36 = icmp eq i64 %35, %26
  br i1 %36, label %37, label %27

37:
  %38 = icmp eq i64 %15, %26
  br i1 %38, label %41, label %39

39:
  %40 = phi i64 [ 0, %17 ], [ %26, %37 ]
  br label %46

41:
  %42 = icmp sgt i64 %2, 0
  br i1 %42, label %43, label %158

43:
  %44 = getelementptr inbounds nuw i8, ptr %9, i64 56
  %45 = load ptr, ptr %44, align 8
  br label %53

46:
  %47 = phi i64 [ %51, %46 ], [ %40, %39 ]
  %48 = getelementptr inbounds nuw i64, ptr %19, i64 %47
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds nuw i64, ptr %4, i64 %47
  store i64 %49, ptr %50, align 8
  %51 = add nuw nsw i64 %47, 1
  %52 = icmp slt i64 %51, %15
  br i1 %52, label %46, label %41

53:
  %54 = phi ptr [ %45, %43 ], [ %152, %149 ]
  %55 = phi i64 [ 0, %43 ], [ %156, %149 ]
  %56 = getelementptr inbounds nuw ptr, ptr %1, i64 %55
  %57 = load ptr, ptr %56, align 8
  %58 = load ptr, ptr %9, align 8
  %59 = getelementptr inbounds nuw %struct.input, ptr %54, i64 %55
  %60 = getelementptr inbounds nuw i64, ptr %6, i64 %55
  %61 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %62 = load i64, ptr %61, align 8
  %63 = icmp eq i64 %62, 0
  %64 = getelementptr inbounds nuw i8, ptr %58, i64 32
  %65 = load i64, ptr %64, align 8
  %66 = getelementptr inbounds i8, ptr %57, i64 %65
  %67 = getelementptr inbounds i8, ptr %66, i64 -8
  %68 = load ptr, ptr %67, align 8
  br i1 %63, label %69, label %108

69:
  %70 = getelementptr inbounds nuw i8, ptr %58, i64 24
  %71 = load ptr, ptr %70, align 8
  %72 = icmp eq ptr %68, %71
  br i1 %72, label %73, label %289

73:
  %74 = getelementptr inbounds nuw i8, ptr %66, i64 40
  %75 = load ptr, ptr %74, align 8
  %76 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %77 = load ptr, ptr %76, align 8
  %78 = icmp eq ptr %75, %77
  br i1 %78, label %79, label %289

79:
  %80 = getelementptr inbounds nuw i8, ptr %66, i64 8
  %81 = load i32, ptr %80, align 8
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds nuw i8, ptr %59, i64 24
  %84 = load i64, ptr %83, align 8
  %85 = icmp eq i64 %84, %82
  br i1 %85, label %86, label %289

86:
  %87 = getelementptr inbounds nuw i8, ptr %66, i64 48
  %88 = load i32, ptr %87, align 8
  %89 = and i32 %88, 1
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %289, label %91

91:
  %92 = icmp sgt i32 %81, 0
  br i1 %92, label %93, label %146

93:
  %94 = getelementptr inbounds nuw i8, ptr %66, i64 16
  %95 = load ptr, ptr %94, align 8
  %96 = getelementptr inbounds nuw i8, ptr %59, i64 32
  %97 = load ptr, ptr %96, align 8
  br label %101

98:
  %99 = add nuw nsw i64 %102, 1
  %100 = icmp eq i64 %99, %82
  br i1 %100, label %146, label %101

101:
  %102 = phi i64 [ 0, %93 ], [ %99, %98 ]
  %103 = getelementptr inbounds nuw i64, ptr %95, i64 %102
  %104 = load i64, ptr %103, align 8
  %105 = getelementptr inbounds nuw i64, ptr %97, i64 %102
  %106 = load i64, ptr %105, align 8
  %107 = icmp eq i64 %104, %106
  br i1 %107, label %98, label %289

108:
  %109 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %110 = load ptr, ptr %109, align 8
  %111 = icmp eq ptr %68, %110
  br i1 %111, label %112, label %289

112:
  %113 = icmp slt i64 %62, 3
  %114 = load ptr, ptr @python, align 8
  br i1 %113, label %115, label %123

115:
  %116 = getelementptr inbounds nuw i8, ptr %114, i64 72
  %117 = load ptr, ptr %116, align 8
  %118 = call double %117(ptr %57)
  %119 = icmp eq i64 %62, 2
  br i1 %119, label %120, label %122

120:
  %121 = fptrunc double %118 to float
  store float %121, ptr %60, align 8
  br label %149

122:
  store double %118, ptr %60, align 8
  br label %149

123:
  %124 = getelementptr inbounds nuw i8, ptr %114, i64 80
  %125 = load ptr, ptr %124, align 8
  %126 = call i64 %125(ptr %57)
  %127 = icmp eq i64 %126, -1
  br i1 %127, label %128, label %134

128:
  %129 = load ptr, ptr @python, align 8
  %130 = getelementptr inbounds nuw i8, ptr %129, i64 88
  %131 = load ptr, ptr %130, align 8
  %132 = call ptr %131()
  %133 = icmp eq ptr %132, null
  br i1 %133, label %134, label %285

134:
  %135 = icmp eq i64 %62, 3
  br i1 %135, label %136, label %137

136:
  store i64 %126, ptr %60, align 8
  br label %149

137:
  %138 = add i64 %126, -9007199254740993
  %139 = icmp ult i64 %138, -18014398509481985
  br i1 %139, label %289, label %140

140:
  %141 = icmp eq i64 %62, 5
  br i1 %141, label %142, label %144

142:
  %143 = sitofp i64 %126 to float
  store float %143, ptr %60, align 8
  br label %149

144:
  %145 = sitofp i64 %126 to double
  store double %145, ptr %60, align 8
  br label %149

146:
  %147 = load ptr, ptr %66, align 8
  %148 = icmp eq ptr %147, null
  br i1 %148, label %289, label %149

149:
  %150 = phi ptr [ %147, %146 ], [ %60, %142 ], [ %60, %136 ], [ %60, %120 ], [ %60, %122 ], [ %60, %144 ]
  %151 = ptrtoint ptr %150 to i64
  %152 = load ptr, ptr %44, align 8
  %153 = getelementptr inbounds nuw %struct.input, ptr %152, i64 %55
  %154 = load i64, ptr %153, align 8
  %155 = getelementptr inbounds i64, ptr %4, i64 %154
  store i64 %151, ptr %155, align 8
  %156 = add nuw nsw i64 %55, 1
  %157 = icmp eq i64 %156, %2
  br i1 %157, label %158, label %53

158:
  %159 = load ptr, ptr @python, align 8
  %160 = getelementptr inbounds nuw i8, ptr %159, i64 16
  %161 = load ptr, ptr %160, align 8
  %162 = call ptr %161()
  %163 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %164 = load ptr, ptr %163, align 8
  %165 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %166 = load ptr, ptr %165, align 8
  %167 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %168 = load ptr, ptr %167, align 8
  %169 = call i64 %164(ptr %166, ptr %4, ptr %168)
  %170 = load ptr, ptr @python, align 8
  %171 = getelementptr inbounds nuw i8, ptr %170, i64 24
  %172 = load ptr, ptr %171, align 8
  call void %172(ptr %162)
  %173 = icmp eq i64 %169, 0
  br i1 %173, label %174, label %289

174:
  %175 = getelementptr inbounds nuw i8, ptr %9, i64 80
  %176 = load i64, ptr %175, align 8
  %177 = getelementptr inbounds i64, ptr %4, i64 %176
  %178 = getelementptr inbounds nuw i8, ptr %9, i64 64
  %179 = load i64, ptr %178, align 8
  %180 = icmp sgt i64 %179, 1
  br i1 %180, label %181, label %187

181:
  %182 = load ptr, ptr @python, align 8
  %183 = getelementptr inbounds nuw i8, ptr %182, i64 56
  %184 = load ptr, ptr %183, align 8
  %185 = call ptr %184(i64 %179)
  %186 = load i64, ptr %178, align 8
  br label %187

187:
  %188 = phi i64 [ %186, %181 ], [ %179, %174 ]
  %189 = phi ptr [ %185, %181 ], [ null, %174 ]
  %190 = icmp sgt i64 %188, 0
  br i1 %190, label %191, label %285

191:
  %192 = getelementptr inbounds nuw i8, ptr %9, i64 72
  %193 = icmp eq ptr %189, null
  br label %198

194:
  %195 = icmp ne i64 %255, 0
  %196 = icmp ne ptr %189, null
  %197 = select i1 %196, i1 %195, i1 false
  br i1 %197, label %276, label %280

198:
  %199 = phi ptr [ %177, %191 ], [ %272, %269 ]
  %200 = phi i64 [ 0, %191 ], [ %273, %269 ]
  %201 = phi i64 [ 0, %191 ], [ %255, %269 ]
  %202 = load ptr, ptr %192, align 8
  %203 = getelementptr inbounds nuw %struct.output, ptr %202, i64 %200
  %204 = load ptr, ptr %9, align 8
  %205 = load i64, ptr %203, align 8
  %206 = getelementptr inbounds i64, ptr %4, i64 %205
  %207 = load i64, ptr %206, align 8
  %208 = inttoptr i64 %207 to ptr
  %209 = load ptr, ptr @python, align 8
  %210 = getelementptr inbounds nuw i8, ptr %209, i64 8
  %211 = load ptr, ptr %210, align 8
  %212 = call ptr %211(ptr %208, ptr null, ptr @given_back)
  %213 = icmp eq ptr %212, null
  br i1 %213, label %214, label %215

214:
  call void @tolang_return(ptr %208)
  br label %250

215:
  %216 = load ptr, ptr @python, align 8
  %217 = getelementptr inbounds nuw i8, ptr %216, i64 32
  %218 = load ptr, ptr %217, align 8
  %219 = getelementptr inbounds nuw i8, ptr %203, i64 16
  %220 = load ptr, ptr %219, align 8
  call void %218(ptr %220)
  %221 = load ptr, ptr %204, align 8
  %222 = getelementptr inbounds nuw i8, ptr %204, i64 24
  %223 = load ptr, ptr %222, align 8
  %224 = load ptr, ptr %219, align 8
  %225 = getelementptr inbounds nuw i8, ptr %203, i64 8
  %226 = load i64, ptr %225, align 8
  %227 = trunc i64 %226 to i32
  %228 = call ptr %221(ptr %223, ptr %224, i32 %227, ptr %199, ptr null, ptr %208, i32 1281, ptr null)
  %229 = icmp eq ptr %228, null
  br i1 %229, label %230, label %234

230:
  %231 = load ptr, ptr @python, align 8
  %232 = getelementptr inbounds nuw i8, ptr %231, i64 40
  %233 = load ptr, ptr %232, align 8
  call void %233(ptr %212)
  br label %250

234:
  %235 = getelementptr inbounds nuw i8, ptr %204, i64 8
  %236 = load ptr, ptr %235, align 8
  %237 = call i32 %236(ptr %228, ptr %212)
  %238 = icmp eq i32 %237, 0
  br i1 %238, label %243, label %239

239:
  %240 = load ptr, ptr @python, align 8
  %241 = getelementptr inbounds nuw i8, ptr %240, i64 40
  %242 = load ptr, ptr %241, align 8
  call void %242(ptr %228)
  br label %250

243:
  %244 = load i64, ptr %225, align 8
  %245 = icmp eq i64 %244, 0
  br i1 %245, label %246, label %250

246:
  %247 = getelementptr inbounds nuw i8, ptr %204, i64 16
  %248 = load ptr, ptr %247, align 8
  %249 = call ptr %248(ptr %228)
  br label %250

250:
  %251 = phi ptr [ null, %214 ], [ null, %239 ], [ null, %230 ], [ %249, %246 ], [ %228, %243 ]
  %252 = icmp ne ptr %251, null
  %253 = xor i1 %252, true
  %254 = zext i1 %253 to i64
  %255 = or i64 %201, %254
  br i1 %193, label %261, label %256

256:
  %257 = load ptr, ptr @python, align 8
  %258 = getelementptr inbounds nuw i8, ptr %257, i64 64
  %259 = load ptr, ptr %258, align 8
  %260 = call i32 %259(ptr %189, i64 %200, ptr %251)
  br label %269

261:
  %262 = load i64, ptr %178, align 8
  %263 = icmp sgt i64 %262, 1
  %264 = select i1 %263, i1 %252, i1 false
  br i1 %264, label %265, label %269

265:
  %266 = load ptr, ptr @python, align 8
  %267 = getelementptr inbounds nuw i8, ptr %266, i64 40
  %268 = load ptr, ptr %267, align 8
  call void %268(ptr %251)
  br label %269

269:
  %270 = getelementptr inbounds nuw i8, ptr %203, i64 8
  %271 = load i64, ptr %270, align 8
  %272 = getelementptr inbounds i64, ptr %199, i64 %271
  %273 = add nuw nsw i64 %200, 1
  %274 = load i64, ptr %178, align 8
  %275 = icmp slt i64 %273, %274
  br i1 %275, label %198, label %194

276:
  %277 = load ptr, ptr @python, align 8
  %278 = getelementptr inbounds nuw i8, ptr %277, i64 40
  %279 = load ptr, ptr %278, align 8
  call void %279(ptr %189)
  br label %285

280:
  %281 = icmp sgt i64 %274, 1
  %282 = select i1 %281, ptr %189, ptr %251
  %283 = icmp eq ptr %282, null
  %284 = select i1 %195, i1 true, i1 %283
  br i1 %284, label %285, label %298

285:
  %286 = load ptr, ptr @python, align 8
  %287 = getelementptr inbounds nuw i8, ptr %286, i64 48
  %288 = load ptr, ptr %287, align 8
  call void %288()
  br label %289

289:
  %290 = load ptr, ptr @python, align 8
  %291 = getelementptr inbounds nuw i8, ptr %290, i64 32
  %292 = load ptr, ptr %291, align 8
  %293 = getelementptr inbounds nuw i8, ptr %290, i64 96
  %294 = load ptr, ptr %293, align 8
  call void %292(ptr %294)
  %295 = load ptr, ptr @python, align 8
  %296 = getelementptr inbounds nuw i8, ptr %295, i64 96
  %297 = load ptr, ptr %296, align 8
  br label %298

298:
  %299 = phi ptr [ %297, %289 ], [ %282, %280 ]
  ret ptr %299
}

define internal void @given_back(ptr %0) {
  %2 = load ptr, ptr @python, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = tail call ptr %3(ptr %0, ptr null)
  tail call void @tolang_return(ptr %4)
  ret void
}

declare void @tolang_return(ptr)
