; Made of arrays.c (e36d76dfc5260082) by `python -m native`.

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
  br i1 %12, label %13, label %305

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
  br i1 %72, label %73, label %305

73:
  %74 = getelementptr inbounds nuw i8, ptr %66, i64 40
  %75 = load ptr, ptr %74, align 8
  %76 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %77 = load ptr, ptr %76, align 8
  %78 = icmp eq ptr %75, %77
  br i1 %78, label %79, label %305

79:
  %80 = getelementptr inbounds nuw i8, ptr %66, i64 8
  %81 = load i32, ptr %80, align 8
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds nuw i8, ptr %59, i64 24
  %84 = load i64, ptr %83, align 8
  %85 = icmp eq i64 %84, %82
  br i1 %85, label %86, label %305

86:
  %87 = getelementptr inbounds nuw i8, ptr %66, i64 48
  %88 = load i32, ptr %87, align 8
  %89 = and i32 %88, 1
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %305, label %91

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
  br i1 %107, label %98, label %305

108:
  %109 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %110 = load ptr, ptr %109, align 8
  %111 = icmp eq ptr %68, %110
  br i1 %111, label %112, label %305

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
  br i1 %133, label %134, label %301

134:
  %135 = icmp eq i64 %62, 3
  br i1 %135, label %136, label %137

136:
  store i64 %126, ptr %60, align 8
  br label %149

137:
  %138 = add i64 %126, -9007199254740993
  %139 = icmp ult i64 %138, -18014398509481985
  br i1 %139, label %305, label %140

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
  br i1 %148, label %305, label %149

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
  %163 = getelementptr inbounds nuw i8, ptr %9, i64 88
  %164 = load i64, ptr %163, align 8
  %165 = icmp eq i64 %164, 0
  br i1 %165, label %169, label %166

166:
  %167 = getelementptr inbounds nuw i8, ptr %9, i64 96
  %168 = load ptr, ptr %167, align 8
  call void %168(i64 %164)
  br label %169

169:
  %170 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %171 = load ptr, ptr %170, align 8
  %172 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %173 = load ptr, ptr %172, align 8
  %174 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %175 = load ptr, ptr %174, align 8
  %176 = call i64 %171(ptr %173, ptr %4, ptr %175)
  %177 = load i64, ptr %163, align 8
  %178 = icmp eq i64 %177, 0
  br i1 %178, label %185, label %179

179:
  %180 = getelementptr inbounds nuw i8, ptr %9, i64 96
  %181 = load ptr, ptr %180, align 8
  %182 = getelementptr inbounds nuw i8, ptr %9, i64 104
  %183 = load ptr, ptr %182, align 8
  %184 = load i64, ptr %183, align 8
  call void %181(i64 %184)
  br label %185

185:
  %186 = load ptr, ptr @python, align 8
  %187 = getelementptr inbounds nuw i8, ptr %186, i64 24
  %188 = load ptr, ptr %187, align 8
  call void %188(ptr %162)
  %189 = icmp eq i64 %176, 0
  br i1 %189, label %190, label %305

190:
  %191 = getelementptr inbounds nuw i8, ptr %9, i64 80
  %192 = load i64, ptr %191, align 8
  %193 = getelementptr inbounds i64, ptr %4, i64 %192
  %194 = getelementptr inbounds nuw i8, ptr %9, i64 64
  %195 = load i64, ptr %194, align 8
  %196 = icmp sgt i64 %195, 1
  br i1 %196, label %197, label %203

197:
  %198 = load ptr, ptr @python, align 8
  %199 = getelementptr inbounds nuw i8, ptr %198, i64 56
  %200 = load ptr, ptr %199, align 8
  %201 = call ptr %200(i64 %195)
  %202 = load i64, ptr %194, align 8
  br label %203

203:
  %204 = phi i64 [ %202, %197 ], [ %195, %190 ]
  %205 = phi ptr [ %201, %197 ], [ null, %190 ]
  %206 = icmp sgt i64 %204, 0
  br i1 %206, label %207, label %301

207:
  %208 = getelementptr inbounds nuw i8, ptr %9, i64 72
  %209 = icmp eq ptr %205, null
  br label %214

210:
  %211 = icmp ne i64 %271, 0
  %212 = icmp ne ptr %205, null
  %213 = select i1 %212, i1 %211, i1 false
  br i1 %213, label %292, label %296

214:
  %215 = phi ptr [ %193, %207 ], [ %288, %285 ]
  %216 = phi i64 [ 0, %207 ], [ %289, %285 ]
  %217 = phi i64 [ 0, %207 ], [ %271, %285 ]
  %218 = load ptr, ptr %208, align 8
  %219 = getelementptr inbounds nuw %struct.output, ptr %218, i64 %216
  %220 = load ptr, ptr %9, align 8
  %221 = load i64, ptr %219, align 8
  %222 = getelementptr inbounds i64, ptr %4, i64 %221
  %223 = load i64, ptr %222, align 8
  %224 = inttoptr i64 %223 to ptr
  %225 = load ptr, ptr @python, align 8
  %226 = getelementptr inbounds nuw i8, ptr %225, i64 8
  %227 = load ptr, ptr %226, align 8
  %228 = call ptr %227(ptr %224, ptr null, ptr @given_back)
  %229 = icmp eq ptr %228, null
  br i1 %229, label %230, label %231

230:
  call void @tolang_return(ptr %224)
  br label %266

231:
  %232 = load ptr, ptr @python, align 8
  %233 = getelementptr inbounds nuw i8, ptr %232, i64 32
  %234 = load ptr, ptr %233, align 8
  %235 = getelementptr inbounds nuw i8, ptr %219, i64 16
  %236 = load ptr, ptr %235, align 8
  call void %234(ptr %236)
  %237 = load ptr, ptr %220, align 8
  %238 = getelementptr inbounds nuw i8, ptr %220, i64 24
  %239 = load ptr, ptr %238, align 8
  %240 = load ptr, ptr %235, align 8
  %241 = getelementptr inbounds nuw i8, ptr %219, i64 8
  %242 = load i64, ptr %241, align 8
  %243 = trunc i64 %242 to i32
  %244 = call ptr %237(ptr %239, ptr %240, i32 %243, ptr %215, ptr null, ptr %224, i32 1281, ptr null)
  %245 = icmp eq ptr %244, null
  br i1 %245, label %246, label %250

246:
  %247 = load ptr, ptr @python, align 8
  %248 = getelementptr inbounds nuw i8, ptr %247, i64 40
  %249 = load ptr, ptr %248, align 8
  call void %249(ptr %228)
  br label %266

250:
  %251 = getelementptr inbounds nuw i8, ptr %220, i64 8
  %252 = load ptr, ptr %251, align 8
  %253 = call i32 %252(ptr %244, ptr %228)
  %254 = icmp eq i32 %253, 0
  br i1 %254, label %259, label %255

255:
  %256 = load ptr, ptr @python, align 8
  %257 = getelementptr inbounds nuw i8, ptr %256, i64 40
  %258 = load ptr, ptr %257, align 8
  call void %258(ptr %244)
  br label %266

259:
  %260 = load i64, ptr %241, align 8
  %261 = icmp eq i64 %260, 0
  br i1 %261, label %262, label %266

262:
  %263 = getelementptr inbounds nuw i8, ptr %220, i64 16
  %264 = load ptr, ptr %263, align 8
  %265 = call ptr %264(ptr %244)
  br label %266

266:
  %267 = phi ptr [ null, %230 ], [ null, %255 ], [ null, %246 ], [ %265, %262 ], [ %244, %259 ]
  %268 = icmp ne ptr %267, null
  %269 = xor i1 %268, true
  %270 = zext i1 %269 to i64
  %271 = or i64 %217, %270
  br i1 %209, label %277, label %272

272:
  %273 = load ptr, ptr @python, align 8
  %274 = getelementptr inbounds nuw i8, ptr %273, i64 64
  %275 = load ptr, ptr %274, align 8
  %276 = call i32 %275(ptr %205, i64 %216, ptr %267)
  br label %285

277:
  %278 = load i64, ptr %194, align 8
  %279 = icmp sgt i64 %278, 1
  %280 = select i1 %279, i1 %268, i1 false
  br i1 %280, label %281, label %285

281:
  %282 = load ptr, ptr @python, align 8
  %283 = getelementptr inbounds nuw i8, ptr %282, i64 40
  %284 = load ptr, ptr %283, align 8
  call void %284(ptr %267)
  br label %285

285:
  %286 = getelementptr inbounds nuw i8, ptr %219, i64 8
  %287 = load i64, ptr %286, align 8
  %288 = getelementptr inbounds i64, ptr %215, i64 %287
  %289 = add nuw nsw i64 %216, 1
  %290 = load i64, ptr %194, align 8
  %291 = icmp slt i64 %289, %290
  br i1 %291, label %214, label %210

292:
  %293 = load ptr, ptr @python, align 8
  %294 = getelementptr inbounds nuw i8, ptr %293, i64 40
  %295 = load ptr, ptr %294, align 8
  call void %295(ptr %205)
  br label %301

296:
  %297 = icmp sgt i64 %290, 1
  %298 = select i1 %297, ptr %205, ptr %267
  %299 = icmp eq ptr %298, null
  %300 = select i1 %211, i1 true, i1 %299
  br i1 %300, label %301, label %314

301:
  %302 = load ptr, ptr @python, align 8
  %303 = getelementptr inbounds nuw i8, ptr %302, i64 48
  %304 = load ptr, ptr %303, align 8
  call void %304()
  br label %305

305:
  %306 = load ptr, ptr @python, align 8
  %307 = getelementptr inbounds nuw i8, ptr %306, i64 32
  %308 = load ptr, ptr %307, align 8
  %309 = getelementptr inbounds nuw i8, ptr %306, i64 96
  %310 = load ptr, ptr %309, align 8
  call void %308(ptr %310)
  %311 = load ptr, ptr @python, align 8
  %312 = getelementptr inbounds nuw i8, ptr %311, i64 96
  %313 = load ptr, ptr %312, align 8
  br label %314

314:
  %315 = phi ptr [ %313, %305 ], [ %298, %296 ]
  ret ptr %315
}

define internal void @given_back(ptr %0) {
  %2 = load ptr, ptr @python, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = tail call ptr %3(ptr %0, ptr null)
  tail call void @tolang_return(ptr %4)
  ret void
}

declare void @tolang_return(ptr)
