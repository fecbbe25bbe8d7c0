; Made of tensors.c (092d6434afa7103d) by `python -m native`.

%struct.tensor = type { ptr, i32, i32, i32, i8, i8, i16, ptr, ptr, i64 }
%struct.kind = type { i64, i64, i64, i64, ptr }

define ptr @tolang_tensors(ptr readonly %0, ptr %1) {
  %3 = alloca ptr, align 8
  %4 = alloca [4096 x i64], align 8
  %5 = alloca [16 x ptr], align 8
  %6 = alloca %struct.tensor, align 8
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %9 = load i64, ptr %8, align 8
  %10 = icmp sgt i64 %9, 0
  br i1 %10, label %11, label %36

11:
  %12 = ptrtoint ptr %4 to i64
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %14 = load ptr, ptr %13, align 8
  %15 = icmp ult i64 %9, 4
  %16 = ptrtoint ptr %14 to i64
  %17 = sub i64 %12, %16
  %18 = icmp ult i64 %17, 32
  %19 = select i1 %15, i1 true, i1 %18
  br i1 %19, label %34, label %20

20:
  %21 = and i64 %9, 9223372036854775804
  br label %22

22:
  %23 = phi i64 [ 0, %20 ], [ %30, %22 ]
  %24 = getelementptr inbounds nuw i64, ptr %14, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %26 = load <2 x i64>, ptr %24, align 8
  %27 = load <2 x i64>, ptr %25, align 8
  %28 = getelementptr inbounds nuw i64, ptr %4, i64 %23
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 16
  store <2 x i64> %26, ptr %28, align 8
  store <2 x i64> %27, ptr %29, align 8
  %30 = add nuw i64 %23, 4
  %31 = icmp eq i64 %30, %21
  br i1 %31, label %32, label %22

32:
  %33 = icmp eq i64 %9, %21
  br i1 %33, label %36, label %34

34:
  %35 = phi i64 [ 0, %11 ], [ %21, %32 ]
  br label %51

36:
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %38 = load i64, ptr %37, align 8
  %39 = icmp sgt i64 %38, 0
  br i1 %39, label %40, label %134

40:
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %43 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %44 = getelementptr inbounds nuw i8, ptr %6, i64 20
  %45 = getelementptr inbounds nuw i8, ptr %6, i64 21
  %46 = getelementptr inbounds nuw i8, ptr %6, i64 22
  %47 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %48 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %49 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %50 = getelementptr inbounds nuw i8, ptr %6, i64 40
  br label %58

51:
  %52 = phi i64 [ %56, %51 ], [ %35, %34 ]
  %53 = getelementptr inbounds nuw i64, ptr %14, i64 %52
  %54 = load i64, ptr %53, align 8
  %55 = getelementptr inbounds nuw i64, ptr %4, i64 %52
  store i64 %54, ptr %55, align 8
  %56 = add nuw nsw i64 %52, 1
  %57 = icmp eq i64 %56, %9
  br i1 %57, label %36, label %51

58:
  %59 = phi i64 [ 0, %40 ], [ %130, %123 ]
  %60 = load ptr, ptr %41, align 8
  %61 = getelementptr inbounds nuw i8, ptr %60, i64 40
  %62 = load ptr, ptr %61, align 8
  %63 = load ptr, ptr %7, align 8
  %64 = call ptr %63(ptr %1, i64 %59)
  %65 = call i32 %62(ptr %64, ptr %6)
  %66 = icmp eq i32 %65, 0
  br i1 %66, label %70, label %67

67:
  %68 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %69 = load ptr, ptr %68, align 8
  call void %69()
  br label %133

70:
  %71 = load ptr, ptr %42, align 8
  %72 = getelementptr inbounds nuw %struct.kind, ptr %71, i64 %59
  %73 = load i32, ptr %43, align 8
  %74 = icmp eq i32 %73, 1
  br i1 %74, label %75, label %133

75:
  %76 = load i8, ptr %44, align 4
  %77 = zext i8 %76 to i64
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %79 = load i64, ptr %78, align 8
  %80 = icmp eq i64 %79, %77
  br i1 %80, label %81, label %133

81:
  %82 = load i8, ptr %45, align 1
  %83 = zext i8 %82 to i64
  %84 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %85 = load i64, ptr %84, align 8
  %86 = icmp eq i64 %85, %83
  %87 = load i16, ptr %46, align 2
  %88 = icmp eq i16 %87, 1
  %89 = select i1 %86, i1 %88, i1 false
  br i1 %89, label %90, label %133

90:
  %91 = load i32, ptr %47, align 8
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %94 = load i64, ptr %93, align 8
  %95 = icmp eq i64 %94, %92
  br i1 %95, label %96, label %133

96:
  %97 = icmp slt i32 %91, 1
  br i1 %97, label %123, label %98

98:
  %99 = load ptr, ptr %48, align 8
  %100 = getelementptr inbounds nuw i8, ptr %72, i64 32
  %101 = load ptr, ptr %100, align 8
  %102 = load ptr, ptr %49, align 8
  %103 = icmp ne ptr %102, null
  br label %104

104:
  %105 = phi i64 [ %92, %98 ], [ %107, %120 ]
  %106 = phi i64 [ 1, %98 ], [ %121, %120 ]
  %107 = add nsw i64 %105, -1
  %108 = getelementptr inbounds nuw i64, ptr %99, i64 %107
  %109 = load i64, ptr %108, align 8
  %110 = getelementptr inbounds nuw i64, ptr %101, i64 %107
  %111 = load i64, ptr %110, align 8
  %112 = icmp eq i64 %109, %111
  br i1 %112, label %113, label %133

113:
  %114 = icmp sgt i64 %109, 1
  %115 = and i1 %114, %103
  br i1 %115, label %116, label %120

116:
  %117 = getelementptr inbounds nuw i64, ptr %102, i64 %107
  %118 = load i64, ptr %117, align 8
  %119 = icmp eq i64 %118, %106
  br i1 %119, label %120, label %133

120:
  %121 = mul nsw i64 %109, %106
  %122 = icmp samesign ult i64 %105, 2
  br i1 %122, label %123, label %104

123:
  %124 = load ptr, ptr %6, align 8
  %125 = load i64, ptr %50, align 8
  %126 = getelementptr inbounds nuw i8, ptr %124, i64 %125
  %127 = ptrtoint ptr %126 to i64
  %128 = load i64, ptr %72, align 8
  %129 = getelementptr inbounds i64, ptr %4, i64 %128
  store i64 %127, ptr %129, align 8
  %130 = add nuw nsw i64 %59, 1
  %131 = load i64, ptr %37, align 8
  %132 = icmp slt i64 %130, %131
  br i1 %132, label %58, label %134

133:
  br label %272

134:
  %135 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %136 = load ptr, ptr %135, align 8
  %137 = call ptr %136()
  %138 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %139 = load ptr, ptr %138, align 8
  %140 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %141 = load ptr, ptr %140, align 8
  %142 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %143 = load ptr, ptr %142, align 8
  %144 = call i64 %139(ptr %141, ptr %4, ptr %143)
  %145 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %146 = load ptr, ptr %145, align 8
  call void %146(ptr %137)
  %147 = icmp eq i64 %144, 0
  br i1 %147, label %148, label %272

148:
  %149 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %150 = load i64, ptr %149, align 8
  %151 = icmp sgt i64 %150, 0
  br i1 %151, label %152, label %254

152:
  %153 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %154 = load i64, ptr %153, align 8
  %155 = getelementptr inbounds i64, ptr %4, i64 %154
  %156 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %157 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %158

158:
  %159 = phi i64 [ %244, %237 ], [ 0, %152 ]
  %160 = phi i1 [ false, %237 ], [ true, %152 ]
  %161 = phi ptr [ %243, %237 ], [ %155, %152 ]
  br label %163

162:
  br i1 %160, label %250, label %247

163:
  %164 = phi i64 [ %232, %229 ], [ %159, %158 ]
  %165 = phi ptr [ %231, %229 ], [ %161, %158 ]
  %166 = load ptr, ptr %156, align 8
  %167 = load i64, ptr %37, align 8
  %168 = getelementptr %struct.kind, ptr %166, i64 %167
  %169 = getelementptr %struct.kind, ptr %168, i64 %164
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 24
  %171 = load i64, ptr %170, align 8
  %172 = shl i64 %171, 4
  %173 = add i64 %172, 80
  %174 = call ptr @malloc(i64 %173)
  %175 = icmp eq ptr %174, null
  br i1 %175, label %235, label %176

176:
  %177 = getelementptr inbounds nuw i8, ptr %174, i64 80
  %178 = load i64, ptr %170, align 8
  %179 = getelementptr inbounds i64, ptr %177, i64 %178
  %180 = icmp sgt i64 %178, 0
  br i1 %180, label %213, label %183

181:
  %182 = load i64, ptr %170, align 8
  br label %183

183:
  %184 = phi i64 [ %182, %181 ], [ %178, %176 ]
  %185 = load i64, ptr %169, align 8
  %186 = getelementptr inbounds i64, ptr %4, i64 %185
  %187 = load i64, ptr %186, align 8
  %188 = inttoptr i64 %187 to ptr
  %189 = trunc i64 %184 to i32
  %190 = getelementptr inbounds nuw i8, ptr %169, i64 8
  %191 = load i64, ptr %190, align 8
  %192 = trunc i64 %191 to i8
  %193 = getelementptr inbounds nuw i8, ptr %169, i64 16
  %194 = load i64, ptr %193, align 8
  %195 = trunc i64 %194 to i8
  store <2 x i32> <i32 1, i32 0>, ptr %174, align 8
  %196 = getelementptr inbounds nuw i8, ptr %174, i64 8
  store ptr null, ptr %196, align 8
  %197 = getelementptr inbounds nuw i8, ptr %174, i64 16
  store ptr @given_back, ptr %197, align 8
  %198 = getelementptr inbounds nuw i8, ptr %174, i64 24
  store i64 0, ptr %198, align 8
  %199 = getelementptr inbounds nuw i8, ptr %174, i64 32
  store ptr %188, ptr %199, align 8
  %200 = getelementptr inbounds nuw i8, ptr %174, i64 40
  store <2 x i32> <i32 1, i32 0>, ptr %200, align 8
  %201 = getelementptr inbounds nuw i8, ptr %174, i64 48
  store i32 %189, ptr %201, align 8
  %202 = getelementptr inbounds nuw i8, ptr %174, i64 52
  store i8 %192, ptr %202, align 4
  %203 = getelementptr inbounds nuw i8, ptr %174, i64 53
  store i8 %195, ptr %203, align 1
  %204 = getelementptr inbounds nuw i8, ptr %174, i64 54
  store i16 1, ptr %204, align 2
  %205 = getelementptr inbounds nuw i8, ptr %174, i64 56
  store ptr %177, ptr %205, align 8
  %206 = getelementptr inbounds nuw i8, ptr %174, i64 64
  store ptr %179, ptr %206, align 8
  %207 = getelementptr inbounds nuw i8, ptr %174, i64 72
  store i64 0, ptr %207, align 8
  store ptr null, ptr %3, align 8
  %208 = load ptr, ptr %157, align 8
  %209 = getelementptr inbounds nuw i8, ptr %208, i64 32
  %210 = load ptr, ptr %209, align 8
  %211 = call i32 %210(ptr %174, ptr %3)
  %212 = icmp eq i32 %211, 0
  br i1 %212, label %225, label %224

213:
  %214 = phi i64 [ %222, %213 ], [ 1, %176 ]
  %215 = phi i64 [ %216, %213 ], [ %178, %176 ]
  %216 = add nsw i64 %215, -1
  %217 = getelementptr inbounds nuw i64, ptr %165, i64 %216
  %218 = load i64, ptr %217, align 8
  %219 = getelementptr inbounds nuw i64, ptr %177, i64 %216
  store i64 %218, ptr %219, align 8
  %220 = getelementptr inbounds nuw i64, ptr %179, i64 %216
  store i64 %214, ptr %220, align 8
  %221 = load i64, ptr %217, align 8
  %222 = mul nsw i64 %221, %214
  %223 = icmp samesign ugt i64 %215, 1
  br i1 %223, label %213, label %181

224:
  call void @free(ptr %174)
  br label %235

225:
  %226 = load ptr, ptr %3, align 8
  %227 = getelementptr inbounds nuw ptr, ptr %5, i64 %164
  store ptr %226, ptr %227, align 8
  %228 = icmp eq ptr %226, null
  br i1 %228, label %237, label %229

229:
  %230 = load i64, ptr %170, align 8
  %231 = getelementptr inbounds i64, ptr %165, i64 %230
  %232 = add nuw nsw i64 %164, 1
  %233 = load i64, ptr %149, align 8
  %234 = icmp slt i64 %232, %233
  br i1 %234, label %163, label %162

235:
  %236 = getelementptr inbounds nuw ptr, ptr %5, i64 %164
  store ptr null, ptr %236, align 8
  br label %237

237:
  %238 = load i64, ptr %169, align 8
  %239 = getelementptr inbounds i64, ptr %4, i64 %238
  %240 = load i64, ptr %239, align 8
  %241 = inttoptr i64 %240 to ptr
  call void @tolang_return(ptr %241)
  %242 = load i64, ptr %170, align 8
  %243 = getelementptr inbounds i64, ptr %165, i64 %242
  %244 = add nuw nsw i64 %164, 1
  %245 = load i64, ptr %149, align 8
  %246 = icmp slt i64 %244, %245
  br i1 %246, label %158, label %247

247:
  %248 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %249 = load ptr, ptr %248, align 8
  call void %249()
  br label %272

250:
  %251 = icmp eq i64 %233, 1
  br i1 %251, label %252, label %254

252:
  %253 = load ptr, ptr %5, align 8
  br label %278

254:
  %255 = phi i64 [ %233, %250 ], [ %150, %148 ]
  %256 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %257 = load ptr, ptr %256, align 8
  %258 = call ptr %257(i64 %255)
  %259 = load i64, ptr %149, align 8
  %260 = icmp sgt i64 %259, 0
  br i1 %260, label %261, label %278

261:
  %262 = getelementptr inbounds nuw i8, ptr %7, i64 32
  br label %263

263:
  %264 = phi i64 [ 0, %261 ], [ %269, %263 ]
  %265 = load ptr, ptr %262, align 8
  %266 = getelementptr inbounds nuw ptr, ptr %5, i64 %264
  %267 = load ptr, ptr %266, align 8
  %268 = call i32 %265(ptr %258, i64 %264, ptr %267)
  %269 = add nuw nsw i64 %264, 1
  %270 = load i64, ptr %149, align 8
  %271 = icmp slt i64 %269, %270
  br i1 %271, label %263, label %278

272:
  %273 = getelementptr inbounds nuw i8, ptr %7, i64 48
  %274 = load ptr, ptr %273, align 8
  %275 = getelementptr inbounds nuw i8, ptr %7, i64 56
  %276 = load ptr, ptr %275, align 8
  call void %274(ptr %276)
  %277 = load ptr, ptr %275, align 8
  br label %278

278:
  %279 = phi ptr [ %253, %252 ], [ %277, %272 ], [ %258, %254 ], [ %258, %263 ]
  ret ptr %279
}

declare void @tolang_return(ptr)

declare ptr @malloc(i64)

define internal void @given_back(ptr %0) {
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %3 = load ptr, ptr %2, align 8
  tail call void @tolang_return(ptr %3)
  tail call void @free(ptr %0)
  ret void
}

declare void @free(ptr)
