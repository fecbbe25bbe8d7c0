; Made of texts.c (aea14350f0268bde) by `python -m native`.

%struct.Texts = type { ptr, i64, ptr, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, i64 }
%struct.Entry = type { i64, i64, i64, i64 }
%struct.Spread = type { i64, i64 }
%struct.Item = type { i64, i32, i32 }

define i64 @tolang_texts(ptr readonly %0) {
  %2 = alloca %struct.Texts, align 8
  %3 = load i64, ptr %0, align 8
  %4 = inttoptr i64 %3 to ptr
  store ptr %4, ptr %2, align 8
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8
  store i64 %7, ptr %5, align 8
  %8 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = inttoptr i64 %10 to ptr
  store ptr %11, ptr %8, align 8
  %12 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %15 = load i64, ptr %14, align 8
  %16 = load <2 x i64>, ptr %13, align 8
  store <2 x i64> %16, ptr %12, align 8
  %17 = getelementptr inbounds nuw i8, ptr %2, i64 40
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %19 = load i64, ptr %18, align 8
  store i64 %19, ptr %17, align 8
  %20 = getelementptr inbounds nuw i8, ptr %2, i64 48
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %22 = load <2 x i64>, ptr %21, align 8
  %23 = inttoptr <2 x i64> %22 to <2 x ptr>
  store <2 x ptr> %23, ptr %20, align 8
  %24 = getelementptr inbounds nuw i8, ptr %2, i64 64
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %26 = load i64, ptr %25, align 8
  %27 = inttoptr i64 %26 to ptr
  store ptr %27, ptr %24, align 8
  %28 = getelementptr inbounds nuw i8, ptr %2, i64 72
  %29 = getelementptr inbounds nuw i8, ptr %2, i64 80
  store ptr null, ptr %29, align 8
  %30 = getelementptr inbounds nuw i8, ptr %2, i64 96
  %31 = getelementptr inbounds nuw i8, ptr %2, i64 104
  %32 = getelementptr inbounds nuw i8, ptr %2, i64 112
  %33 = getelementptr inbounds nuw i8, ptr %2, i64 144
  %34 = getelementptr inbounds nuw i8, ptr %2, i64 152
  %35 = getelementptr inbounds nuw i8, ptr %2, i64 160
  store <2 x ptr> zeroinitializer, ptr %34, align 8
  %36 = getelementptr inbounds nuw i8, ptr %2, i64 168
  %37 = add nsw i64 %15, 32767
  %38 = sdiv i64 %37, 32768
  store i64 %38, ptr %36, align 8
  %39 = getelementptr inbounds nuw i8, ptr %2, i64 176
  %40 = getelementptr inbounds nuw i8, ptr %2, i64 184
  store <2 x i64> zeroinitializer, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %2, i64 192
  %42 = getelementptr inbounds nuw i8, ptr %2, i64 200
  store <2 x i64> zeroinitializer, ptr %41, align 8
  %43 = getelementptr inbounds nuw i8, ptr %2, i64 208
  store i64 0, ptr %43, align 8
  %44 = mul nsw i64 %15, 3
  %45 = add nsw i64 %44, 69636
  %46 = add nsw i64 %45, %15
  %47 = mul nsw i64 %38, 1025
  %48 = add i64 %46, %38
  %49 = add i64 %48, %47
  tail call void @tolang_begin()
  %50 = mul nsw i64 %15, 48
  %51 = shl i64 %49, 2
  %52 = add i64 %51, 4100
  %53 = add nsw i64 %52, %50
  %54 = tail call ptr @tolang_take(i64 %53)
  store ptr %54, ptr %28, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %481, label %56

56:
  %57 = getelementptr inbounds nuw i8, ptr %2, i64 136
  %58 = getelementptr inbounds nuw i8, ptr %2, i64 128
  %59 = getelementptr inbounds nuw i8, ptr %2, i64 120
  %60 = getelementptr inbounds nuw i8, ptr %2, i64 88
  %61 = getelementptr inbounds %struct.Entry, ptr %54, i64 %15
  store ptr %61, ptr %57, align 8
  store ptr %61, ptr %33, align 8
  %62 = getelementptr inbounds %struct.Spread, ptr %61, i64 %15
  store ptr %62, ptr %29, align 8
  store ptr %62, ptr %59, align 8
  %63 = getelementptr inbounds i32, ptr %62, i64 %15
  store ptr %63, ptr %58, align 8
  %64 = getelementptr inbounds i32, ptr %62, i64 %45
  store ptr %64, ptr %60, align 8
  %65 = getelementptr inbounds i32, ptr %64, i64 %15
  store ptr %65, ptr %30, align 8
  %66 = mul nsw i64 %38, 4100
  %67 = getelementptr inbounds i8, ptr %65, i64 %66
  store ptr %67, ptr %31, align 8
  %68 = getelementptr inbounds i32, ptr %67, i64 %38
  store ptr %68, ptr %32, align 8
  %69 = call i64 @tolang_parallel(ptr @number_pieces, ptr %2, i64 %38, i64 1, i64 0, ptr %27)
  %70 = icmp eq i64 %69, 0
  %71 = load i64, ptr %43, align 8
  %72 = icmp eq i64 %71, 0
  %73 = select i1 %70, i1 %72, i1 false
  br i1 %73, label %74, label %225

74:
  %75 = load i64, ptr %36, align 8
  %76 = icmp sgt i64 %75, 0
  br i1 %76, label %77, label %103

77:
  %78 = load ptr, ptr %31, align 8
  %79 = icmp ult i64 %75, 8
  br i1 %79, label %100, label %80

80:
  %81 = and i64 %75, 9223372036854775800
  br label %82

82:
  %83 = phi i64 [ 0, %80 ], [ %94, %82 ]
  %84 = phi <4 x i64> [ zeroinitializer, %80 ], [ %92, %82 ]
  %85 = phi <4 x i64> [ zeroinitializer, %80 ], [ %93, %82 ]
  %86 = getelementptr inbounds nuw i32, ptr %78, i64 %83
  %87 = getelementptr inbounds nuw i8, ptr %86, i64 16
  %88 = load <4 x i32>, ptr %86, align 4
  %89 = load <4 x i32>, ptr %87, align 4
  %90 = sext <4 x i32> %88 to <4 x i64>
  %91 = sext <4 x i32> %89 to <4 x i64>
  %92 = add <4 x i64> %84, %90
  %93 = add <4 x i64> %85, %91
  %94 = add nuw i64 %83, 8
  %95 = icmp eq i64 %94, %81
  br i1 %95, label %96, label %82

96:
  %97 = add <4 x i64> %93, %92
  %98 = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %97)
  %99 = icmp eq i64 %75, %81
  br i1 %99, label %103, label %100

100:
  %101 = phi i64 [ 0, %77 ], [ %81, %96 ]
  %102 = phi i64 [ 0, %77 ], [ %98, %96 ]
  br label %110

103:
  %104 = phi i64 [ 0, %74 ], [ %98, %96 ], [ %116, %110 ]
  %105 = load i64, ptr %39, align 8
  %106 = icmp slt i64 %105, 10
  %107 = ashr i64 %104, %105
  %108 = icmp sgt i64 %107, 2048
  %109 = select i1 %106, i1 %108, i1 false
  br i1 %109, label %119, label %127

110:
  %111 = phi i64 [ %117, %110 ], [ %101, %100 ]
  %112 = phi i64 [ %116, %110 ], [ %102, %100 ]
  %113 = getelementptr inbounds nuw i32, ptr %78, i64 %111
  %114 = load i32, ptr %113, align 4
  %115 = sext i32 %114 to i64
  %116 = add nsw i64 %112, %115
  %117 = add nuw nsw i64 %111, 1
  %118 = icmp eq i64 %117, %75
  br i1 %118, label %103, label %110

119:
  %120 = phi i64 [ %121, %119 ], [ %105, %103 ]
  %121 = add nsw i64 %120, 1
  %122 = icmp slt i64 %120, 9
  %123 = ashr i64 %104, %121
  %124 = icmp sgt i64 %123, 2048
  %125 = select i1 %122, i1 %124, i1 false
  br i1 %125, label %119, label %126

126:
  store i64 %121, ptr %39, align 8
  br label %127

127:
  %128 = load ptr, ptr %24, align 8
  %129 = call i64 @tolang_parallel(ptr @count_entries, ptr %2, i64 %75, i64 1, i64 0, ptr %128)
  %130 = icmp eq i64 %129, 0
  br i1 %130, label %131, label %225

131:
  %132 = load ptr, ptr %30, align 8
  %133 = load i64, ptr %36, align 8
  %134 = load i64, ptr %39, align 8
  %135 = shl nuw i64 1, %134
  %136 = load ptr, ptr %32, align 8
  %137 = icmp eq i64 %134, 63
  br i1 %137, label %158, label %138

138:
  %139 = icmp sgt i64 %133, 0
  br label %140

140:
  %141 = phi i32 [ 0, %138 ], [ %146, %145 ]
  %142 = phi i64 [ 0, %138 ], [ %147, %145 ]
  %143 = getelementptr inbounds nuw i32, ptr %136, i64 %142
  store i32 %141, ptr %143, align 4
  %144 = getelementptr i32, ptr %132, i64 %142
  br i1 %139, label %149, label %145

145:
  %146 = phi i32 [ %141, %140 ], [ %155, %149 ]
  %147 = add nuw nsw i64 %142, 1
  %148 = icmp eq i64 %147, %135
  br i1 %148, label %158, label %140

149:
  %150 = phi i32 [ %155, %149 ], [ %141, %140 ]
  %151 = phi i64 [ %156, %149 ], [ 0, %140 ]
  %152 = shl nuw i64 %151, %134
  %153 = getelementptr i32, ptr %144, i64 %152
  %154 = load i32, ptr %153, align 4
  store i32 %150, ptr %153, align 4
  %155 = add nsw i32 %154, %150
  %156 = add nuw nsw i64 %151, 1
  %157 = icmp eq i64 %156, %133
  br i1 %157, label %145, label %149

158:
  %159 = phi i32 [ 0, %131 ], [ %146, %145 ]
  %160 = getelementptr inbounds i32, ptr %136, i64 %135
  store i32 %159, ptr %160, align 4
  %161 = load i64, ptr %36, align 8
  %162 = load ptr, ptr %24, align 8
  %163 = call i64 @tolang_parallel(ptr @spread_entries, ptr %2, i64 %161, i64 1, i64 0, ptr %162)
  %164 = icmp eq i64 %163, 0
  br i1 %164, label %165, label %225

165:
  %166 = load i64, ptr %39, align 8
  %167 = shl nuw i64 1, %166
  %168 = load ptr, ptr %24, align 8
  %169 = call i64 @tolang_parallel(ptr @group_parts, ptr %2, i64 %167, i64 1, i64 0, ptr %168)
  %170 = icmp eq i64 %169, 0
  br i1 %170, label %171, label %225

171:
  %172 = load i64, ptr %36, align 8
  %173 = load ptr, ptr %24, align 8
  %174 = call i64 @tolang_parallel(ptr @list_groups, ptr %2, i64 %172, i64 1, i64 0, ptr %173)
  %175 = icmp eq i64 %174, 0
  br i1 %175, label %176, label %225

176:
  %177 = load i64, ptr %36, align 8
  %178 = icmp sgt i64 %177, 0
  br i1 %178, label %181, label %179

179:
  %180 = load i64, ptr %40, align 8
  br label %229

181:
  %182 = load ptr, ptr %30, align 8
  %183 = load i64, ptr %40, align 8
  %184 = icmp ult i64 %177, 12
  br i1 %184, label %213, label %185

185:
  %186 = getelementptr inbounds nuw i8, ptr %2, i64 192
  %187 = shl i64 %177, 2
  %188 = getelementptr i8, ptr %182, i64 %187
  %189 = icmp ult ptr %40, %188
  %190 = icmp ult ptr %182, %186
  %191 = and i1 %189, %190
  br i1 %191, label %213, label %192

192:
  %193 = and i64 %177, 9223372036854775800
  %194 = insertelement <4 x i64> <i64 poison, i64 0, i64 0, i64 0>, i64 %183, i64 0
  br label %195

195:
  %196 = phi i64 [ 0, %192 ], [ %207, %195 ]
  %197 = phi <4 x i64> [ %194, %192 ], [ %205, %195 ]
  %198 = phi <4 x i64> [ zeroinitializer, %192 ], [ %206, %195 ]
  %199 = getelementptr inbounds nuw i32, ptr %182, i64 %196
  %200 = getelementptr inbounds nuw i8, ptr %199, i64 16
  %201 = load <4 x i32>, ptr %199, align 4
  %202 = load <4 x i32>, ptr %200, align 4
  %203 = sext <4 x i32> %201 to <4 x i64>
  %204 = sext <4 x i32> %202 to <4 x i64>
  %205 = add <4 x i64> %197, %203
  %206 = add <4 x i64> %198, %204
  %207 = add nuw i64 %196, 8
  %208 = icmp eq i64 %207, %193
  br i1 %208, label %209, label %195

209:
  %210 = add <4 x i64> %206, %205
  %211 = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %210)
  store i64 %211, ptr %40, align 8
  %212 = icmp eq i64 %177, %193
  br i1 %212, label %229, label %213

213:
  %214 = phi i64 [ %183, %185 ], [ %183, %181 ], [ %211, %209 ]
  %215 = phi i64 [ 0, %185 ], [ 0, %181 ], [ %193, %209 ]
  br label %216

216:
  %217 = phi i64 [ %222, %216 ], [ %214, %213 ]
  %218 = phi i64 [ %223, %216 ], [ %215, %213 ]
  %219 = getelementptr inbounds nuw i32, ptr %182, i64 %218
  %220 = load i32, ptr %219, align 4
  %221 = sext i32 %220 to i64
  %222 = add nsw i64 %217, %221
  store i64 %222, ptr %40, align 8
  %223 = add nuw nsw i64 %218, 1
  %224 = icmp eq i64 %223, %177
  br i1 %224, label %229, label %216

225:
  %226 = load i64, ptr %43, align 8
  %227 = icmp eq i64 %226, 0
  %228 = select i1 %227, i64 -1, i64 -3
  br label %478

229:
  %230 = phi i64 [ %180, %179 ], [ %211, %209 ], [ %222, %216 ]
  %231 = shl nsw i64 %230, 4
  %232 = add nsw i64 %231, 8192
  %233 = call ptr @tolang_take(i64 %232)
  store ptr %233, ptr %34, align 8
  %234 = icmp eq ptr %233, null
  br i1 %234, label %478, label %235

235:
  %236 = load i64, ptr %40, align 8
  %237 = getelementptr inbounds %struct.Item, ptr %233, i64 %236
  store ptr %237, ptr %35, align 8
  %238 = icmp sgt i64 %236, 4096
  br i1 %238, label %239, label %258

239:
  %240 = icmp samesign ugt i64 %236, 8193
  br i1 %240, label %241, label %258

241:
  %242 = icmp samesign ugt i64 %236, 16387
  br i1 %242, label %243, label %258

243:
  %244 = icmp samesign ugt i64 %236, 32775
  br i1 %244, label %245, label %258

245:
  %246 = icmp samesign ugt i64 %236, 65551
  br i1 %246, label %247, label %258

247:
  %248 = icmp samesign ugt i64 %236, 131103
  br i1 %248, label %249, label %258

249:
  %250 = icmp samesign ugt i64 %236, 262207
  br i1 %250, label %251, label %258

251:
  %252 = icmp samesign ugt i64 %236, 524415
  br i1 %252, label %253, label %258

253:
  %254 = icmp samesign ugt i64 %236, 1048831
  br i1 %254, label %255, label %258

255:
  %256 = icmp samesign ugt i64 %236, 2097663
  %257 = select i1 %256, i64 1024, i64 512
  br label %258

258:
  %259 = phi i64 [ 32, %247 ], [ 1, %235 ], [ 2, %239 ], [ %257, %255 ], [ 4, %241 ], [ 128, %251 ], [ 8, %243 ], [ 256, %253 ], [ 16, %245 ], [ 64, %249 ]
  store i64 %259, ptr %42, align 8
  store i64 9223372036854775807, ptr %41, align 8
  %260 = load i64, ptr %36, align 8
  %261 = load ptr, ptr %24, align 8
  %262 = call i64 @tolang_parallel(ptr @look_at_pieces, ptr %2, i64 %260, i64 1, i64 0, ptr %261)
  %263 = icmp eq i64 %262, 0
  br i1 %263, label %264, label %476

264:
  %265 = load i64, ptr %42, align 8
  %266 = icmp sgt i64 %265, 1
  %267 = shl nsw i64 %265, 3
  %268 = select i1 %266, i64 %267, i64 0
  %269 = icmp sgt i64 %268, 0
  br i1 %269, label %276, label %270

270:
  %271 = load ptr, ptr %34, align 8
  %272 = getelementptr inbounds nuw %struct.Item, ptr %271, i64 %268
  %273 = load i64, ptr %41, align 8
  call fastcc void @sort(ptr readonly %2, ptr %271, ptr %272, i64 %268, i64 %273)
  %274 = load i64, ptr %42, align 8
  %275 = icmp sgt i64 %274, 1
  br i1 %275, label %403, label %419

276:
  %277 = phi i64 [ %286, %399 ], [ 0, %264 ]
  %278 = phi i64 [ %401, %399 ], [ 0, %264 ]
  %279 = phi i64 [ %285, %399 ], [ 0, %264 ]
  %280 = load i64, ptr %40, align 8
  %281 = mul nsw i64 %280, %278
  %282 = sdiv i64 %281, %267
  %283 = load ptr, ptr %30, align 8
  br label %284

284:
  %285 = phi i64 [ %279, %276 ], [ %292, %284 ]
  %286 = phi i64 [ %277, %276 ], [ %290, %284 ]
  %287 = getelementptr inbounds i32, ptr %283, i64 %285
  %288 = load i32, ptr %287, align 4
  %289 = sext i32 %288 to i64
  %290 = add nsw i64 %286, %289
  %291 = icmp slt i64 %282, %290
  %292 = add nsw i64 %285, 1
  br i1 %291, label %293, label %284

293:
  %294 = load ptr, ptr %34, align 8
  %295 = getelementptr inbounds nuw %struct.Item, ptr %294, i64 %278
  %296 = load ptr, ptr %33, align 8
  %297 = shl nsw i64 %285, 15
  %298 = add nsw i64 %297, %282
  %299 = sub i64 %298, %286
  %300 = getelementptr inbounds %struct.Item, ptr %296, i64 %299
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %295, ptr align 8 dereferenceable(16) %300, i64 16, i1 false)
  %301 = load ptr, ptr %28, align 8
  %302 = load ptr, ptr %34, align 8
  %303 = getelementptr inbounds nuw %struct.Item, ptr %302, i64 %278
  %304 = getelementptr inbounds nuw i8, ptr %303, i64 8
  %305 = load i32, ptr %304, align 8
  %306 = sext i32 %305 to i64
  %307 = getelementptr inbounds %struct.Entry, ptr %301, i64 %306
  %308 = load i64, ptr %41, align 8
  %309 = getelementptr inbounds nuw i8, ptr %307, i64 16
  %310 = load i64, ptr %309, align 8
  %311 = sub nsw i64 %310, %308
  %312 = icmp slt i64 %311, 1
  br i1 %312, label %399, label %313

313:
  %314 = getelementptr inbounds nuw i8, ptr %307, i64 8
  %315 = load i64, ptr %314, align 8
  %316 = add nsw i64 %315, %308
  %317 = add nsw i64 %316, 8
  %318 = load i64, ptr %5, align 8
  %319 = icmp sgt i64 %317, %318
  %320 = load ptr, ptr %2, align 8
  %321 = getelementptr i8, ptr %320, i64 %316
  br i1 %319, label %335, label %322

322:
  %323 = load i64, ptr %321, align 1
  %324 = and i64 %323, 72057594037927935
  %325 = call i64 @llvm.bswap.i64(i64 %324)
  %326 = icmp samesign ugt i64 %311, 7
  br i1 %326, label %327, label %329

327:
  %328 = or disjoint i64 %325, 8
  br label %399

329:
  %330 = shl nuw nsw i64 %311, 3
  %331 = sub nuw nsw i64 64, %330
  %332 = shl nsw i64 -1, %331
  %333 = and i64 %325, %332
  %334 = or disjoint i64 %333, %311
  br label %399

335:
  %336 = load i8, ptr %321, align 1
  %337 = zext i8 %336 to i64
  %338 = icmp eq i64 %311, 1
  br i1 %338, label %339, label %341

339:
  %340 = shl nuw nsw i64 %337, 16
  br label %349

341:
  %342 = getelementptr i8, ptr %321, i64 1
  %343 = load i8, ptr %342, align 1
  %344 = zext i8 %343 to i64
  %345 = shl nuw nsw i64 %337, 16
  %346 = shl nuw nsw i64 %344, 8
  %347 = or disjoint i64 %346, %345
  %348 = icmp samesign ugt i64 %311, 2
  br i1 %348, label %352, label %349

349:
  %350 = phi i64 [ %340, %339 ], [ %347, %341 ]
  %351 = shl nuw nsw i64 %350, 8
  br label %359

352:
  %353 = getelementptr i8, ptr %321, i64 2
  %354 = load i8, ptr %353, align 1
  %355 = zext i8 %354 to i64
  %356 = or disjoint i64 %347, %355
  %357 = shl nuw nsw i64 %356, 8
  %358 = icmp eq i64 %311, 3
  br i1 %358, label %359, label %362

359:
  %360 = phi i64 [ %351, %349 ], [ %357, %352 ]
  %361 = shl nuw nsw i64 %360, 8
  br label %369

362:
  %363 = getelementptr i8, ptr %321, i64 3
  %364 = load i8, ptr %363, align 1
  %365 = zext i8 %364 to i64
  %366 = or disjoint i64 %357, %365
  %367 = shl nuw nsw i64 %366, 8
  %368 = icmp samesign ugt i64 %311, 4
  br i1 %368, label %372, label %369

369:
  %370 = phi i64 [ %361, %359 ], [ %367, %362 ]
  %371 = shl nuw nsw i64 %370, 8
  br label %379

372:
  %373 = getelementptr i8, ptr %321, i64 4
  %374 = load i8, ptr %373, align 1
  %375 = zext i8 %374 to i64
  %376 = or disjoint i64 %367, %375
  %377 = shl nuw nsw i64 %376, 8
  %378 = icmp eq i64 %311, 5
  br i1 %378, label %379, label %382

379:
  %380 = phi i64 [ %371, %369 ], [ %377, %372 ]
  %381 = shl nuw nsw i64 %380, 8
  br label %394

382:
  %383 = getelementptr i8, ptr %321, i64 5
  %384 = load i8, ptr %383, align 1
  %385 = zext i8 %384 to i64
  %386 = or disjoint i64 %377, %385
  %387 = shl nuw nsw i64 %386, 8
  %388 = icmp samesign ugt i64 %311, 6
  br i1 %388, label %389, label %394

389:
  %390 = getelementptr i8, ptr %321, i64 6
  %391 = load i8, ptr %390, align 1
  %392 = zext i8 %391 to i64
  %393 = or disjoint i64 %387, %392
  br label %394

394:
  %395 = phi i64 [ %393, %389 ], [ %387, %382 ], [ %381, %379 ]
  %396 = shl nuw i64 %395, 8
  %397 = call i64 @llvm.umin.i64(i64 %311, i64 8)
  %398 = or disjoint i64 %396, %397
  br label %399

399:
  %400 = phi i64 [ %398, %394 ], [ 0, %293 ], [ %328, %327 ], [ %334, %329 ]
  store i64 %400, ptr %303, align 8
  %401 = add nuw nsw i64 %278, 1
  %402 = icmp eq i64 %401, %268
  br i1 %402, label %270, label %276

403:
  %404 = phi i64 [ %407, %403 ], [ 0, %270 ]
  %405 = load ptr, ptr %34, align 8
  %406 = getelementptr inbounds nuw %struct.Item, ptr %405, i64 %404
  %407 = add nuw nsw i64 %404, 1
  %408 = shl i64 %407, 7
  %409 = getelementptr i8, ptr %405, i64 %408
  %410 = getelementptr i8, ptr %409, i64 -16
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %406, ptr align 8 dereferenceable(16) %410, i64 16, i1 false)
  %411 = load ptr, ptr %34, align 8
  %412 = getelementptr inbounds nuw %struct.Item, ptr %411, i64 %404
  %413 = load i64, ptr %412, align 8
  %414 = load ptr, ptr %35, align 8
  %415 = getelementptr inbounds nuw i64, ptr %414, i64 %404
  store i64 %413, ptr %415, align 8
  %416 = load i64, ptr %42, align 8
  %417 = add nsw i64 %416, -1
  %418 = icmp slt i64 %407, %417
  br i1 %418, label %403, label %419

419:
  %420 = load i64, ptr %36, align 8
  %421 = load ptr, ptr %24, align 8
  %422 = call i64 @tolang_parallel(ptr @find_stretches, ptr %2, i64 %420, i64 1, i64 0, ptr %421)
  %423 = icmp eq i64 %422, 0
  br i1 %423, label %424, label %476

424:
  %425 = load ptr, ptr %30, align 8
  %426 = load i64, ptr %36, align 8
  %427 = getelementptr inbounds i32, ptr %425, i64 %426
  %428 = load i64, ptr %42, align 8
  %429 = load ptr, ptr %32, align 8
  %430 = icmp sgt i64 %428, 0
  br i1 %430, label %431, label %451

431:
  %432 = icmp sgt i64 %426, 0
  br label %433

433:
  %434 = phi i32 [ 0, %431 ], [ %439, %438 ]
  %435 = phi i64 [ 0, %431 ], [ %440, %438 ]
  %436 = getelementptr inbounds nuw i32, ptr %429, i64 %435
  store i32 %434, ptr %436, align 4
  %437 = getelementptr i32, ptr %427, i64 %435
  br i1 %432, label %442, label %438

438:
  %439 = phi i32 [ %434, %433 ], [ %448, %442 ]
  %440 = add nuw nsw i64 %435, 1
  %441 = icmp eq i64 %440, %428
  br i1 %441, label %451, label %433

442:
  %443 = phi i32 [ %448, %442 ], [ %434, %433 ]
  %444 = phi i64 [ %449, %442 ], [ 0, %433 ]
  %445 = mul nuw nsw i64 %444, %428
  %446 = getelementptr i32, ptr %437, i64 %445
  %447 = load i32, ptr %446, align 4
  store i32 %443, ptr %446, align 4
  %448 = add nsw i32 %447, %443
  %449 = add nuw nsw i64 %444, 1
  %450 = icmp eq i64 %449, %426
  br i1 %450, label %438, label %442

451:
  %452 = phi i32 [ 0, %424 ], [ %439, %438 ]
  %453 = getelementptr inbounds i32, ptr %429, i64 %428
  store i32 %452, ptr %453, align 4
  %454 = load i64, ptr %36, align 8
  %455 = load ptr, ptr %24, align 8
  %456 = call i64 @tolang_parallel(ptr @spread_groups, ptr %2, i64 %454, i64 1, i64 0, ptr %455)
  %457 = icmp eq i64 %456, 0
  br i1 %457, label %458, label %476

458:
  %459 = load i64, ptr %42, align 8
  %460 = load ptr, ptr %24, align 8
  %461 = call i64 @tolang_parallel(ptr @sort_stretches, ptr %2, i64 %459, i64 1, i64 0, ptr %460)
  %462 = icmp eq i64 %461, 0
  br i1 %462, label %463, label %476

463:
  %464 = load i64, ptr %40, align 8
  %465 = load ptr, ptr %24, align 8
  %466 = call i64 @tolang_parallel(ptr @rank_groups, ptr %2, i64 %464, i64 32768, i64 0, ptr %465)
  %467 = icmp eq i64 %466, 0
  br i1 %467, label %468, label %476

468:
  %469 = load i64, ptr %36, align 8
  %470 = load ptr, ptr %24, align 8
  %471 = call i64 @tolang_parallel(ptr @translate_pieces, ptr %2, i64 %469, i64 1, i64 0, ptr %470)
  %472 = icmp eq i64 %471, 0
  %473 = load ptr, ptr %34, align 8
  call void @tolang_give(ptr %473)
  %474 = load i64, ptr %40, align 8
  %475 = select i1 %472, i64 %474, i64 -1
  br label %478

476:
  %477 = load ptr, ptr %34, align 8
  call void @tolang_give(ptr %477)
  br label %478

478:
  %479 = phi i64 [ %228, %225 ], [ -2, %229 ], [ -1, %476 ], [ %475, %468 ]
  %480 = load ptr, ptr %28, align 8
  call void @tolang_give(ptr %480)
  br label %481

481:
  %482 = phi i64 [ %479, %478 ], [ -2, %1 ]
  ret i64 %482
}

declare void @tolang_begin()

declare ptr @tolang_take(i64)

declare void @tolang_give(ptr)

define internal void @translate_pieces(ptr readonly %0, i64 %1, i64 %2) {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %9 = load i32, ptr %8, align 8
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds %struct.Entry, ptr %5, i64 %10
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 16
  %13 = load i64, ptr %12, align 8
  %14 = icmp ne i64 %13, 0
  %15 = zext i1 %14 to i32
  %16 = icmp slt i64 %1, %2
  br i1 %16, label %17, label %25

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 48
  br label %26

23:
  %24 = icmp eq i64 %36, %2
  br i1 %24, label %25, label %26

25:
  ret void

26:
  %27 = phi i64 [ %1, %17 ], [ %36, %23 ]
  %28 = load ptr, ptr %18, align 8
  %29 = shl nsw i64 %27, 15
  %30 = getelementptr inbounds i32, ptr %28, i64 %29
  %31 = load ptr, ptr %19, align 8
  %32 = getelementptr inbounds i32, ptr %31, i64 %27
  %33 = load i32, ptr %32, align 4
  %34 = icmp sgt i32 %33, 0
  br i1 %34, label %40, label %35

35:
  %36 = add nsw i64 %27, 1
  %37 = shl nsw i64 %36, 15
  %38 = load i64, ptr %21, align 8
  %39 = icmp sgt i64 %38, %29
  br i1 %39, label %55, label %23

40:
  %41 = phi i64 [ %49, %40 ], [ 0, %26 ]
  %42 = load ptr, ptr %20, align 8
  %43 = getelementptr inbounds nuw i32, ptr %30, i64 %41
  %44 = load i32, ptr %43, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i32, ptr %42, i64 %45
  %47 = load i32, ptr %46, align 4
  %48 = add nsw i32 %47, %15
  store i32 %48, ptr %43, align 4
  %49 = add nuw nsw i64 %41, 1
  %50 = load ptr, ptr %19, align 8
  %51 = getelementptr inbounds i32, ptr %50, i64 %27
  %52 = load i32, ptr %51, align 4
  %53 = sext i32 %52 to i64
  %54 = icmp slt i64 %49, %53
  br i1 %54, label %40, label %35

55:
  %56 = phi i64 [ %63, %55 ], [ %29, %35 ]
  %57 = load ptr, ptr %22, align 8
  %58 = getelementptr inbounds i32, ptr %57, i64 %56
  %59 = load i32, ptr %58, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds i32, ptr %30, i64 %60
  %62 = load i32, ptr %61, align 4
  store i32 %62, ptr %58, align 4
  %63 = add nsw i64 %56, 1
  %64 = load i64, ptr %21, align 8
  %65 = tail call i64 @llvm.smin.i64(i64 %37, i64 %64)
  %66 = icmp slt i64 %63, %65
  br i1 %66, label %55, label %23
}

define internal void @number_pieces(ptr %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %16

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 208
  br label %17

16:
  ret void

17:
  %18 = phi i64 [ %1, %5 ], [ %403, %402 ]
  %19 = shl nsw i64 %18, 15
  %20 = add nsw i64 %19, 32768
  %21 = load i64, ptr %6, align 8
  %22 = tail call i64 @llvm.smin.i64(i64 %20, i64 %21)
  %23 = load ptr, ptr %7, align 8
  %24 = getelementptr inbounds %struct.Entry, ptr %23, i64 %19
  %25 = load ptr, ptr %8, align 8
  %26 = shl nsw i64 %18, 18
  %27 = getelementptr inbounds i8, ptr %25, i64 %26
  %28 = load i64, ptr %9, align 8
  %29 = icmp eq i64 %28, 0
  %30 = load ptr, ptr %10, align 8
  br i1 %29, label %34, label %31

31:
  %32 = getelementptr inbounds i64, ptr %30, i64 %19
  %33 = load i64, ptr %32, align 8
  br label %38

34:
  %35 = getelementptr inbounds i32, ptr %30, i64 %19
  %36 = load i32, ptr %35, align 4
  %37 = sext i32 %36 to i64
  br label %38

38:
  %39 = phi i64 [ %33, %31 ], [ %37, %34 ]
  br label %40

40:
  %41 = phi i64 [ 0, %38 ], [ %44, %40 ]
  %42 = getelementptr inbounds nuw i32, ptr %27, i64 %41
  %43 = getelementptr inbounds nuw i8, ptr %42, i64 16
  store <4 x i32> splat (i32 -1), ptr %42, align 4
  store <4 x i32> splat (i32 -1), ptr %43, align 4
  %44 = add nuw i64 %41, 8
  %45 = icmp eq i64 %44, 1024
  br i1 %45, label %46, label %40

46:
  %47 = icmp sgt i64 %21, %19
  br i1 %47, label %48, label %397

48:
  %49 = phi i64 [ %53, %388 ], [ %19, %46 ]
  %50 = phi i64 [ %65, %388 ], [ %39, %46 ]
  %51 = phi i64 [ %390, %388 ], [ 0, %46 ]
  %52 = phi i64 [ %389, %388 ], [ 1024, %46 ]
  %53 = add nsw i64 %49, 1
  %54 = load i64, ptr %9, align 8
  %55 = icmp eq i64 %54, 0
  %56 = load ptr, ptr %10, align 8
  br i1 %55, label %60, label %57

57:
  %58 = getelementptr inbounds i64, ptr %56, i64 %53
  %59 = load i64, ptr %58, align 8
  br label %64

60:
  %61 = getelementptr inbounds i32, ptr %56, i64 %53
  %62 = load i32, ptr %61, align 4
  %63 = sext i32 %62 to i64
  br label %64

64:
  %65 = phi i64 [ %59, %57 ], [ %63, %60 ]
  %66 = sub nsw i64 %65, %50
  %67 = icmp slt i64 %50, 0
  %68 = icmp slt i64 %65, %50
  %69 = select i1 %67, i1 true, i1 %68
  br i1 %69, label %401, label %70

70:
  %71 = load i64, ptr %11, align 8
  %72 = icmp sgt i64 %65, %71
  br i1 %72, label %401, label %73

73:
  %74 = load ptr, ptr %0, align 8
  %75 = getelementptr inbounds nuw i8, ptr %74, i64 %50
  %76 = load i64, ptr %12, align 8
  %77 = mul i64 %66, -7046029254386353131
  %78 = xor i64 %76, %77
  %79 = icmp sgt i64 %66, 16
  br i1 %79, label %80, label %98

80:
  %81 = phi i64 [ %94, %80 ], [ %78, %73 ]
  %82 = phi ptr [ %95, %80 ], [ %75, %73 ]
  %83 = phi i64 [ %96, %80 ], [ %66, %73 ]
  %84 = load i64, ptr %82, align 1
  %85 = xor i64 %84, %81
  %86 = getelementptr inbounds nuw i8, ptr %82, i64 8
  %87 = load i64, ptr %86, align 1
  %88 = xor i64 %87, -2960836687051489901
  %89 = zext i64 %85 to i128
  %90 = zext i64 %88 to i128
  %91 = mul nuw i128 %90, %89
  %92 = lshr i128 %91, 64
  %93 = xor i128 %92, %91
  %94 = trunc i128 %93 to i64
  %95 = getelementptr inbounds nuw i8, ptr %82, i64 16
  %96 = add nsw i64 %83, -16
  %97 = icmp samesign ugt i64 %83, 32
  br i1 %97, label %80, label %98

98:
  %99 = phi i64 [ %66, %73 ], [ %96, %80 ]
  %100 = phi ptr [ %75, %73 ], [ %95, %80 ]
  %101 = phi i64 [ %78, %73 ], [ %94, %80 ]
  %102 = icmp sgt i64 %99, 7
  br i1 %102, label %103, label %108

103:
  %104 = load i64, ptr %100, align 1
  %105 = getelementptr inbounds nuw i8, ptr %100, i64 %99
  %106 = getelementptr inbounds i8, ptr %105, i64 -8
  %107 = load i64, ptr %106, align 1
  br label %134

108:
  %109 = icmp sgt i64 %99, 3
  br i1 %109, label %110, label %117

110:
  %111 = load i32, ptr %100, align 1
  %112 = zext i32 %111 to i64
  %113 = getelementptr inbounds nuw i8, ptr %100, i64 %99
  %114 = getelementptr inbounds i8, ptr %113, i64 -4
  %115 = load i32, ptr %114, align 1
  %116 = zext i32 %115 to i64
  br label %134

117:
  %118 = icmp sgt i64 %99, 0
  br i1 %118, label %119, label %134

119:
  %120 = load i8, ptr %100, align 1
  %121 = zext i8 %120 to i64
  %122 = shl nuw nsw i64 %121, 16
  %123 = lshr i64 %99, 1
  %124 = getelementptr inbounds nuw i8, ptr %100, i64 %123
  %125 = load i8, ptr %124, align 1
  %126 = zext i8 %125 to i64
  %127 = shl nuw nsw i64 %126, 8
  %128 = or disjoint i64 %127, %122
  %129 = getelementptr i8, ptr %100, i64 %99
  %130 = getelementptr i8, ptr %129, i64 -1
  %131 = load i8, ptr %130, align 1
  %132 = zext i8 %131 to i64
  %133 = or disjoint i64 %128, %132
  br label %134

134:
  %135 = phi i64 [ %104, %103 ], [ %112, %110 ], [ %133, %119 ], [ 0, %117 ]
  %136 = phi i64 [ %107, %103 ], [ %116, %110 ], [ 0, %119 ], [ 0, %117 ]
  %137 = xor i64 %135, %101
  %138 = xor i64 %136, -6884282663029611473
  %139 = zext i64 %137 to i128
  %140 = zext i64 %138 to i128
  %141 = mul nuw i128 %140, %139
  %142 = lshr i128 %141, 64
  %143 = xor i128 %142, %141
  %144 = trunc i128 %143 to i64
  %145 = xor i64 %144, -1800455987208640293
  %146 = or i64 %76, 1
  %147 = zext i64 %145 to i128
  %148 = zext i64 %146 to i128
  %149 = mul nuw i128 %147, %148
  %150 = lshr i128 %149, 64
  %151 = xor i128 %150, %149
  %152 = trunc i128 %151 to i64
  %153 = add nsw i64 %52, -1
  %154 = and i64 %153, %152
  %155 = getelementptr inbounds i32, ptr %27, i64 %154
  %156 = load i32, ptr %155, align 4
  %157 = icmp sgt i32 %156, -1
  br i1 %157, label %158, label %234

158:
  %159 = icmp sgt i64 %66, 7
  %160 = icmp sgt i64 %66, 3
  %161 = icmp sgt i64 %66, 0
  %162 = getelementptr inbounds nuw i8, ptr %74, i64 %65
  %163 = getelementptr inbounds i8, ptr %162, i64 -4
  %164 = getelementptr inbounds i8, ptr %162, i64 -8
  %165 = icmp eq i64 %66, 1
  %166 = getelementptr inbounds nuw i8, ptr %75, i64 1
  %167 = icmp eq i64 %66, 2
  %168 = getelementptr inbounds nuw i8, ptr %75, i64 2
  br label %169

169:
  %170 = phi i32 [ %232, %228 ], [ %156, %158 ]
  %171 = phi i64 [ %230, %228 ], [ %154, %158 ]
  %172 = zext nneg i32 %170 to i64
  %173 = getelementptr inbounds nuw %struct.Entry, ptr %24, i64 %172
  %174 = load i64, ptr %173, align 8
  %175 = icmp eq i64 %174, %152
  br i1 %175, label %176, label %228

176:
  %177 = getelementptr inbounds nuw i8, ptr %173, i64 16
  %178 = load i64, ptr %177, align 8
  %179 = icmp eq i64 %178, %66
  br i1 %179, label %180, label %228

180:
  %181 = getelementptr inbounds nuw i8, ptr %173, i64 8
  %182 = load i64, ptr %181, align 8
  %183 = getelementptr inbounds i8, ptr %74, i64 %182
  br i1 %159, label %184, label %194

184:
  %185 = phi i64 [ %186, %188 ], [ 0, %180 ]
  %186 = add nuw nsw i64 %185, 8
  %187 = icmp slt i64 %186, %66
  br i1 %187, label %188, label %222

188:
  %189 = getelementptr inbounds nuw i8, ptr %183, i64 %185
  %190 = load i64, ptr %189, align 1
  %191 = getelementptr inbounds nuw i8, ptr %75, i64 %185
  %192 = load i64, ptr %191, align 1
  %193 = icmp eq i64 %190, %192
  br i1 %193, label %184, label %228

194:
  br i1 %160, label %196, label %195

195:
  br i1 %161, label %218, label %388

196:
  %197 = load i32, ptr %183, align 1
  %198 = load i32, ptr %75, align 1
  %199 = icmp eq i32 %197, %198
  br i1 %199, label %200, label %228

200:
  %201 = getelementptr inbounds nuw i8, ptr %183, i64 %66
  %202 = getelementptr inbounds i8, ptr %201, i64 -4
  %203 = load i32, ptr %202, align 1
  %204 = load i32, ptr %163, align 1
  %205 = icmp eq i32 %203, %204
  br i1 %205, label %388, label %228

206:
  br i1 %165, label %388, label %207

207:
  %208 = getelementptr inbounds nuw i8, ptr %183, i64 1
  %209 = load i8, ptr %208, align 1
  %210 = load i8, ptr %166, align 1
  %211 = icmp eq i8 %209, %210
  br i1 %211, label %212, label %228

212:
  br i1 %167, label %388, label %213

213:
  %214 = getelementptr inbounds nuw i8, ptr %183, i64 2
  %215 = load i8, ptr %214, align 1
  %216 = load i8, ptr %168, align 1
  %217 = icmp eq i8 %215, %216
  br i1 %217, label %388, label %228

218:
  %219 = load i8, ptr %183, align 1
  %220 = load i8, ptr %75, align 1
  %221 = icmp eq i8 %219, %220
  br i1 %221, label %206, label %228

222:
  %223 = getelementptr inbounds nuw i8, ptr %183, i64 %66
  %224 = getelementptr inbounds i8, ptr %223, i64 -8
  %225 = load i64, ptr %224, align 1
  %226 = load i64, ptr %164, align 1
  %227 = icmp eq i64 %225, %226
  br i1 %227, label %388, label %228

228:
  %229 = add nsw i64 %171, 1
  %230 = and i64 %229, %153
  %231 = getelementptr inbounds i32, ptr %27, i64 %230
  %232 = load i32, ptr %231, align 4
  %233 = icmp sgt i32 %232, -1
  br i1 %233, label %169, label %234

234:
  %235 = phi i64 [ %154, %134 ], [ %230, %228 ]
  %236 = getelementptr inbounds i32, ptr %27, i64 %235
  %237 = icmp sgt i64 %66, 0
  br i1 %237, label %239, label %337

238:
  br label %251

239:
  %240 = phi i64 [ %252, %251 ], [ 0, %234 ]
  %241 = add nsw i64 %240, 8
  %242 = icmp sgt i64 %241, %66
  %243 = getelementptr inbounds i8, ptr %75, i64 %240
  br i1 %242, label %244, label %246

244:
  %245 = load i8, ptr %243, align 1
  br label %254

246:
  %247 = load i64, ptr %243, align 1
  %248 = and i64 %247, -9187201950435737472
  %249 = icmp eq i64 %248, 0
  %250 = trunc i64 %247 to i8
  br i1 %249, label %251, label %254

251:
  %252 = phi i64 [ %241, %246 ], [ %297, %238 ], [ %256, %291 ]
  %253 = icmp slt i64 %252, %66
  br i1 %253, label %239, label %337

254:
  %255 = phi i8 [ %245, %244 ], [ %250, %246 ]
  %256 = add nsw i64 %240, 1
  %257 = icmp sgt i8 %255, -1
  br i1 %257, label %267, label %258

258:
  %259 = icmp samesign ult i8 %255, -62
  br i1 %259, label %401, label %260

260:
  %261 = icmp samesign ult i8 %255, -32
  br i1 %261, label %267, label %262

262:
  %263 = icmp samesign ult i8 %255, -16
  br i1 %263, label %267, label %264

264:
  %265 = icmp samesign ult i8 %255, -11
  %266 = select i1 %265, i32 3, i32 4
  br label %267

267:
  %268 = phi i32 [ 0, %254 ], [ 2, %262 ], [ 1, %260 ], [ %266, %264 ]
  %269 = icmp eq i32 %268, 4
  %270 = zext nneg i32 %268 to i64
  %271 = add nsw i64 %256, %270
  %272 = icmp sgt i64 %271, %66
  %273 = select i1 %269, i1 true, i1 %272
  br i1 %273, label %401, label %274

274:
  switch i8 %255, label %291 [
    i8 -32, label %275
    i8 -19, label %279
    i8 -16, label %283
    i8 -12, label %287
  ]

275:
  %276 = getelementptr inbounds i8, ptr %75, i64 %256
  %277 = load i8, ptr %276, align 1
  %278 = icmp ult i8 %277, -96
  br i1 %278, label %401, label %291

279:
  %280 = getelementptr inbounds i8, ptr %75, i64 %256
  %281 = load i8, ptr %280, align 1
  %282 = icmp ugt i8 %281, -97
  br i1 %282, label %401, label %291

283:
  %284 = getelementptr inbounds i8, ptr %75, i64 %256
  %285 = load i8, ptr %284, align 1
  %286 = icmp ult i8 %285, -112
  br i1 %286, label %401, label %291

287:
  %288 = getelementptr inbounds i8, ptr %75, i64 %256
  %289 = load i8, ptr %288, align 1
  %290 = icmp ugt i8 %289, -113
  br i1 %290, label %401, label %291

291:
  %292 = icmp eq i32 %268, 0
  br i1 %292, label %251, label %293

293:
  %294 = add i64 %240, 2
  %295 = add nsw i32 %268, -1
  %296 = zext nneg i32 %295 to i64
  %297 = add i64 %294, %296
  %298 = getelementptr inbounds i8, ptr %75, i64 %256
  %299 = load i8, ptr %298, align 1
  %300 = icmp slt i8 %299, -64
  br i1 %300, label %301, label %401

301:
  %302 = icmp eq i32 %268, 1
  br i1 %302, label %238, label %303

303:
  %304 = getelementptr i8, ptr %75, i64 %240
  %305 = getelementptr i8, ptr %304, i64 2
  %306 = load i8, ptr %305, align 1
  %307 = icmp slt i8 %306, -64
  br i1 %307, label %308, label %401

308:
  %309 = icmp eq i32 %268, 2
  br i1 %309, label %238, label %310

310:
  %311 = getelementptr i8, ptr %75, i64 %240
  %312 = getelementptr i8, ptr %311, i64 3
  %313 = load i8, ptr %312, align 1
  %314 = icmp slt i8 %313, -64
  br i1 %314, label %315, label %401

315:
  %316 = icmp eq i32 %268, 3
  br i1 %316, label %238, label %317

317:
  %318 = getelementptr i8, ptr %75, i64 %240
  %319 = getelementptr i8, ptr %318, i64 4
  %320 = load i8, ptr %319, align 1
  %321 = icmp slt i8 %320, -64
  br i1 %321, label %322, label %401

322:
  %323 = getelementptr i8, ptr %75, i64 %240
  %324 = getelementptr i8, ptr %323, i64 5
  %325 = load i8, ptr %324, align 1
  %326 = icmp slt i8 %325, -64
  br i1 %326, label %327, label %401

327:
  %328 = getelementptr i8, ptr %75, i64 %240
  %329 = getelementptr i8, ptr %328, i64 6
  %330 = load i8, ptr %329, align 1
  %331 = icmp slt i8 %330, -64
  br i1 %331, label %332, label %401

332:
  %333 = getelementptr i8, ptr %75, i64 %240
  %334 = getelementptr i8, ptr %333, i64 7
  %335 = load i8, ptr %334, align 1
  %336 = icmp slt i8 %335, -64
  br i1 %336, label %238, label %401

337:
  %338 = trunc i64 %51 to i32
  store i32 %338, ptr %236, align 4
  %339 = add nsw i64 %51, 1
  %340 = getelementptr inbounds %struct.Entry, ptr %24, i64 %51
  store i64 %152, ptr %340, align 8
  %341 = getelementptr inbounds nuw i8, ptr %340, i64 8
  store i64 %50, ptr %341, align 8
  %342 = getelementptr inbounds nuw i8, ptr %340, i64 16
  store i64 %66, ptr %342, align 8
  %343 = getelementptr inbounds nuw i8, ptr %340, i64 24
  store i64 %49, ptr %343, align 8
  %344 = shl nsw i64 %339, 1
  %345 = icmp sgt i64 %344, %52
  br i1 %345, label %346, label %388

346:
  %347 = shl i64 %52, 2
  %348 = icmp sgt i64 %52, 0
  br i1 %348, label %349, label %363

349:
  %350 = icmp ult i64 %347, 8
  br i1 %350, label %361, label %351

351:
  %352 = and i64 %347, -8
  br label %353

353:
  %354 = phi i64 [ 0, %351 ], [ %357, %353 ]
  %355 = getelementptr inbounds nuw i32, ptr %27, i64 %354
  %356 = getelementptr inbounds nuw i8, ptr %355, i64 16
  store <4 x i32> splat (i32 -1), ptr %355, align 4
  store <4 x i32> splat (i32 -1), ptr %356, align 4
  %357 = add nuw i64 %354, 8
  %358 = icmp eq i64 %357, %352
  br i1 %358, label %359, label %353

359:
  %360 = icmp eq i64 %347, %352
  br i1 %360, label %363, label %361

361:
  %362 = phi i64 [ 0, %349 ], [ %352, %359 ]
  br label %367

363:
  %364 = icmp sgt i64 %51, -1
  br i1 %364, label %365, label %388

365:
  %366 = add nsw i64 %347, -1
  br label %372

367:
  %368 = phi i64 [ %370, %367 ], [ %362, %361 ]
  %369 = getelementptr inbounds nuw i32, ptr %27, i64 %368
  store i32 -1, ptr %369, align 4
  %370 = add nuw nsw i64 %368, 1
  %371 = icmp eq i64 %370, %347
  br i1 %371, label %363, label %367

372:
  %373 = phi i64 [ 0, %365 ], [ %386, %383 ]
  %374 = getelementptr inbounds nuw %struct.Entry, ptr %24, i64 %373
  %375 = load i64, ptr %374, align 8
  br label %376

376:
  %377 = phi i64 [ %375, %372 ], [ %382, %376 ]
  %378 = and i64 %377, %366
  %379 = getelementptr inbounds i32, ptr %27, i64 %378
  %380 = load i32, ptr %379, align 4
  %381 = icmp sgt i32 %380, -1
  %382 = add nsw i64 %378, 1
  br i1 %381, label %376, label %383

383:
  %384 = getelementptr inbounds i32, ptr %27, i64 %378
  %385 = trunc i64 %373 to i32
  store i32 %385, ptr %384, align 4
  %386 = add nuw nsw i64 %373, 1
  %387 = icmp eq i64 %373, %51
  br i1 %387, label %388, label %372

388:
  %389 = phi i64 [ %347, %383 ], [ %52, %337 ], [ %347, %363 ], [ %52, %213 ], [ %52, %212 ], [ %52, %206 ], [ %52, %195 ], [ %52, %200 ], [ %52, %222 ]
  %390 = phi i64 [ %339, %383 ], [ %339, %337 ], [ %339, %363 ], [ %51, %213 ], [ %51, %212 ], [ %51, %206 ], [ %51, %195 ], [ %51, %200 ], [ %51, %222 ]
  %391 = phi i32 [ %338, %383 ], [ %338, %337 ], [ %338, %363 ], [ %170, %213 ], [ %170, %212 ], [ %170, %206 ], [ %170, %195 ], [ %170, %200 ], [ %170, %222 ]
  %392 = load ptr, ptr %13, align 8
  %393 = getelementptr inbounds i32, ptr %392, i64 %49
  store i32 %391, ptr %393, align 4
  %394 = icmp slt i64 %53, %22
  br i1 %394, label %48, label %395

395:
  %396 = trunc i64 %390 to i32
  br label %397

397:
  %398 = phi i32 [ 0, %46 ], [ %396, %395 ]
  %399 = load ptr, ptr %14, align 8
  %400 = getelementptr inbounds i32, ptr %399, i64 %18
  store i32 %398, ptr %400, align 4
  br label %402

401:
  store atomic i64 1, ptr %15 monotonic, align 8
  br label %402

402:
  %403 = add nsw i64 %18, 1
  %404 = icmp eq i64 %403, %2
  br i1 %404, label %16, label %17
}

define internal void @count_entries(ptr readonly %0, i64 %1, i64 %2) {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %5 = load i64, ptr %4, align 8
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %7, label %19

7:
  %8 = shl nuw i64 1, %5
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %10 = icmp eq i64 %5, 63
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %13 = tail call i64 @llvm.smax.i64(i64 %8, i64 1)
  %14 = icmp slt i64 %8, 8
  %15 = and i64 %13, 9223372036854775800
  %16 = icmp slt i64 %8, 2
  %17 = icmp eq i64 %5, 1
  %18 = icmp eq i64 %5, 2
  br label %20

19:
  ret void

20:
  %21 = phi i64 [ %1, %7 ], [ %50, %49 ]
  %22 = load ptr, ptr %9, align 8
  %23 = shl i64 %21, %5
  %24 = getelementptr inbounds i32, ptr %22, i64 %23
  br i1 %10, label %32, label %25

25:
  br i1 %14, label %39, label %26

26:
  %27 = phi i64 [ %30, %26 ], [ 0, %25 ]
  %28 = getelementptr inbounds nuw i32, ptr %24, i64 %27
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 16
  store <4 x i32> zeroinitializer, ptr %28, align 4
  store <4 x i32> zeroinitializer, ptr %29, align 4
  %30 = add nuw i64 %27, 8
  %31 = icmp eq i64 %30, %15
  br i1 %31, label %32, label %26

32:
  %33 = load ptr, ptr %11, align 8
  %34 = getelementptr inbounds i32, ptr %33, i64 %21
  %35 = load i32, ptr %34, align 4
  %36 = icmp sgt i32 %35, 0
  br i1 %36, label %37, label %49

37:
  %38 = shl i64 %21, 20
  br label %52

39:
  store i32 0, ptr %24, align 4
  br i1 %16, label %32, label %40

40:
  %41 = getelementptr inbounds nuw i8, ptr %24, i64 4
  store i32 0, ptr %41, align 4
  br i1 %17, label %32, label %42

42:
  %43 = getelementptr inbounds nuw i8, ptr %24, i64 8
  store i32 0, ptr %43, align 4
  %44 = getelementptr inbounds nuw i8, ptr %24, i64 12
  store i32 0, ptr %44, align 4
  br i1 %18, label %32, label %45

45:
  %46 = getelementptr inbounds nuw i8, ptr %24, i64 16
  store i32 0, ptr %46, align 4
  %47 = getelementptr inbounds nuw i8, ptr %24, i64 20
  store i32 0, ptr %47, align 4
  %48 = getelementptr inbounds nuw i8, ptr %24, i64 24
  store i32 0, ptr %48, align 4
  br label %32

49:
  %50 = add nsw i64 %21, 1
  %51 = icmp eq i64 %50, %2
  br i1 %51, label %19, label %20

52:
  %53 = phi i64 [ 0, %37 ], [ %65, %52 ]
  %54 = load ptr, ptr %12, align 8
  %55 = getelementptr i8, ptr %54, i64 %38
  %56 = getelementptr %struct.Entry, ptr %55, i64 %53
  %57 = load i64, ptr %56, align 8
  %58 = lshr i64 %57, 1
  %59 = load i64, ptr %4, align 8
  %60 = sub nsw i64 63, %59
  %61 = lshr i64 %58, %60
  %62 = getelementptr inbounds nuw i32, ptr %24, i64 %61
  %63 = load i32, ptr %62, align 4
  %64 = add nsw i32 %63, 1
  store i32 %64, ptr %62, align 4
  %65 = add nuw nsw i64 %53, 1
  %66 = load ptr, ptr %11, align 8
  %67 = getelementptr inbounds i32, ptr %66, i64 %21
  %68 = load i32, ptr %67, align 4
  %69 = sext i32 %68 to i64
  %70 = icmp slt i64 %65, %69
  br i1 %70, label %52, label %49
}

define internal void @spread_entries(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %12

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %11 = load ptr, ptr %8, align 8
  br label %13

12:
  ret void

13:
  %14 = phi ptr [ %11, %5 ], [ %26, %25 ]
  %15 = phi i64 [ %1, %5 ], [ %27, %25 ]
  %16 = load ptr, ptr %6, align 8
  %17 = load i64, ptr %7, align 8
  %18 = shl i64 %15, %17
  %19 = getelementptr inbounds i32, ptr %16, i64 %18
  %20 = getelementptr inbounds i32, ptr %14, i64 %15
  %21 = load i32, ptr %20, align 4
  %22 = icmp sgt i32 %21, 0
  br i1 %22, label %23, label %25

23:
  %24 = shl nsw i64 %15, 15
  br label %29

25:
  %26 = phi ptr [ %14, %13 ], [ %47, %29 ]
  %27 = add nsw i64 %15, 1
  %28 = icmp eq i64 %27, %2
  br i1 %28, label %12, label %13

29:
  %30 = phi i64 [ 0, %23 ], [ %46, %29 ]
  %31 = add nsw i64 %30, %24
  %32 = load ptr, ptr %9, align 8
  %33 = getelementptr inbounds %struct.Entry, ptr %32, i64 %31
  %34 = load i64, ptr %33, align 8
  %35 = load ptr, ptr %10, align 8
  %36 = lshr i64 %34, 1
  %37 = load i64, ptr %7, align 8
  %38 = sub nsw i64 63, %37
  %39 = lshr i64 %36, %38
  %40 = getelementptr inbounds nuw i32, ptr %19, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %40, align 4
  %43 = sext i32 %41 to i64
  %44 = getelementptr inbounds %struct.Spread, ptr %35, i64 %43
  store i64 %34, ptr %44, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 8
  store i64 %31, ptr %45, align 8
  %46 = add nuw nsw i64 %30, 1
  %47 = load ptr, ptr %8, align 8
  %48 = getelementptr inbounds i32, ptr %47, i64 %15
  %49 = load i32, ptr %48, align 4
  %50 = sext i32 %49 to i64
  %51 = icmp slt i64 %46, %50
  br i1 %51, label %29, label %25
}

define internal void @group_parts(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %11

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 88
  br label %12

11:
  ret void

12:
  %13 = phi i64 [ %1, %5 ], [ %195, %194 ]
  %14 = load ptr, ptr %6, align 8
  %15 = getelementptr inbounds i32, ptr %14, i64 %13
  %16 = load i32, ptr %15, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr i8, ptr %15, i64 4
  %19 = load i32, ptr %18, align 4
  %20 = sext i32 %19 to i64
  %21 = sub nsw i64 %20, %17
  %22 = mul nsw i64 %21, 3
  br label %23

23:
  %24 = phi i64 [ 4, %12 ], [ %25, %23 ]
  %25 = shl nsw i64 %24, 1
  %26 = icmp slt i64 %25, %22
  br i1 %26, label %23, label %27

27:
  %28 = load ptr, ptr %7, align 8
  %29 = mul nsw i64 %17, 12
  %30 = getelementptr inbounds i8, ptr %28, i64 %29
  %31 = shl nsw i64 %13, 4
  %32 = getelementptr inbounds i8, ptr %30, i64 %31
  %33 = load ptr, ptr %8, align 8
  %34 = getelementptr inbounds %struct.Spread, ptr %33, i64 %17
  %35 = icmp sgt i64 %24, 0
  br i1 %35, label %36, label %50

36:
  %37 = icmp ult i64 %24, 8
  br i1 %37, label %46, label %38

38:
  %39 = and i64 %24, 9223372036854775800
  br label %40

40:
  %41 = phi i64 [ 0, %38 ], [ %44, %40 ]
  %42 = getelementptr inbounds nuw i32, ptr %32, i64 %41
  %43 = getelementptr inbounds nuw i8, ptr %42, i64 16
  store <4 x i32> splat (i32 -1), ptr %42, align 4
  store <4 x i32> splat (i32 -1), ptr %43, align 4
  %44 = add nuw i64 %41, 8
  %45 = icmp eq i64 %44, %39
  br i1 %45, label %50, label %40

46:
  store i32 -1, ptr %32, align 4
  %47 = getelementptr inbounds nuw i8, ptr %32, i64 4
  store i32 -1, ptr %47, align 4
  %48 = getelementptr inbounds nuw i8, ptr %32, i64 8
  store i32 -1, ptr %48, align 4
  %49 = getelementptr inbounds nuw i8, ptr %32, i64 12
  store i32 -1, ptr %49, align 4
  br label %50

50:
  %51 = icmp sgt i64 %21, 0
  br i1 %51, label %52, label %194

52:
  %53 = add nsw i64 %24, -1
  br label %54

54:
  %55 = phi i64 [ 0, %52 ], [ %192, %182 ]
  %56 = add nuw nsw i64 %55, 24
  %57 = icmp slt i64 %56, %21
  br i1 %57, label %58, label %72

58:
  %59 = getelementptr inbounds nuw %struct.Spread, ptr %34, i64 %56
  %60 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %61 = load i64, ptr %60, align 8
  %62 = getelementptr inbounds nuw %struct.Spread, ptr %34, i64 %55
  %63 = getelementptr inbounds nuw i8, ptr %62, i64 200
  %64 = load i64, ptr %63, align 8
  %65 = load ptr, ptr %9, align 8
  %66 = getelementptr inbounds %struct.Entry, ptr %65, i64 %61
  tail call void @llvm.prefetch.p0(ptr %66, i32 0, i32 3, i32 1)
  %67 = load ptr, ptr %0, align 8
  %68 = getelementptr inbounds %struct.Entry, ptr %65, i64 %64
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 8
  %70 = load i64, ptr %69, align 8
  %71 = getelementptr inbounds i8, ptr %67, i64 %70
  tail call void @llvm.prefetch.p0(ptr %71, i32 0, i32 3, i32 1)
  br label %72

72:
  %73 = getelementptr inbounds nuw %struct.Spread, ptr %34, i64 %55
  %74 = getelementptr inbounds nuw i8, ptr %73, i64 8
  %75 = load i64, ptr %74, align 8
  %76 = load i64, ptr %73, align 8
  %77 = and i64 %76, %53
  %78 = getelementptr inbounds i32, ptr %32, i64 %77
  %79 = load i32, ptr %78, align 4
  %80 = icmp sgt i32 %79, -1
  br i1 %80, label %81, label %172

81:
  %82 = phi i32 [ %170, %166 ], [ %79, %72 ]
  %83 = phi i64 [ %168, %166 ], [ %77, %72 ]
  %84 = zext nneg i32 %82 to i64
  %85 = getelementptr inbounds nuw %struct.Spread, ptr %34, i64 %84
  %86 = load i64, ptr %85, align 8
  %87 = icmp eq i64 %86, %76
  br i1 %87, label %88, label %166

88:
  %89 = load ptr, ptr %9, align 8
  %90 = getelementptr inbounds nuw i8, ptr %85, i64 8
  %91 = load i64, ptr %90, align 8
  %92 = getelementptr inbounds %struct.Entry, ptr %89, i64 %91
  %93 = getelementptr inbounds %struct.Entry, ptr %89, i64 %75
  %94 = load i64, ptr %92, align 8
  %95 = load i64, ptr %93, align 8
  %96 = icmp eq i64 %94, %95
  br i1 %96, label %97, label %166

97:
  %98 = getelementptr inbounds nuw i8, ptr %92, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = getelementptr inbounds nuw i8, ptr %93, i64 16
  %101 = load i64, ptr %100, align 8
  %102 = icmp eq i64 %99, %101
  br i1 %102, label %103, label %166

103:
  %104 = load ptr, ptr %0, align 8
  %105 = getelementptr inbounds nuw i8, ptr %92, i64 8
  %106 = load i64, ptr %105, align 8
  %107 = getelementptr inbounds i8, ptr %104, i64 %106
  %108 = getelementptr inbounds nuw i8, ptr %93, i64 8
  %109 = load i64, ptr %108, align 8
  %110 = getelementptr inbounds i8, ptr %104, i64 %109
  %111 = icmp sgt i64 %99, 7
  br i1 %111, label %112, label %122

112:
  %113 = phi i64 [ %114, %116 ], [ 0, %103 ]
  %114 = add nuw nsw i64 %113, 8
  %115 = icmp slt i64 %114, %99
  br i1 %115, label %116, label %158

116:
  %117 = getelementptr inbounds nuw i8, ptr %107, i64 %113
  %118 = load i64, ptr %117, align 1
  %119 = getelementptr inbounds nuw i8, ptr %110, i64 %113
  %120 = load i64, ptr %119, align 1
  %121 = icmp eq i64 %118, %120
  br i1 %121, label %112, label %166

122:
  %123 = icmp sgt i64 %99, 3
  br i1 %123, label %126, label %124

124:
  %125 = icmp sgt i64 %99, 0
  br i1 %125, label %154, label %176

126:
  %127 = load i32, ptr %107, align 1
  %128 = load i32, ptr %110, align 1
  %129 = icmp eq i32 %127, %128
  br i1 %129, label %130, label %166

130:
  %131 = getelementptr inbounds nuw i8, ptr %107, i64 %99
  %132 = getelementptr inbounds i8, ptr %131, i64 -4
  %133 = load i32, ptr %132, align 1
  %134 = getelementptr inbounds nuw i8, ptr %110, i64 %99
  %135 = getelementptr inbounds i8, ptr %134, i64 -4
  %136 = load i32, ptr %135, align 1
  %137 = icmp eq i32 %133, %136
  br i1 %137, label %180, label %166

138:
  %139 = icmp eq i64 %99, 1
  br i1 %139, label %178, label %140

140:
  %141 = getelementptr inbounds nuw i8, ptr %107, i64 1
  %142 = load i8, ptr %141, align 1
  %143 = getelementptr inbounds nuw i8, ptr %110, i64 1
  %144 = load i8, ptr %143, align 1
  %145 = icmp eq i8 %142, %144
  br i1 %145, label %146, label %166

146:
  %147 = icmp eq i64 %99, 2
  br i1 %147, label %178, label %148

148:
  %149 = getelementptr inbounds nuw i8, ptr %107, i64 2
  %150 = load i8, ptr %149, align 1
  %151 = getelementptr inbounds nuw i8, ptr %110, i64 2
  %152 = load i8, ptr %151, align 1
  %153 = icmp eq i8 %150, %152
  br i1 %153, label %178, label %166

154:
  %155 = load i8, ptr %107, align 1
  %156 = load i8, ptr %110, align 1
  %157 = icmp eq i8 %155, %156
  br i1 %157, label %138, label %166

158:
  %159 = getelementptr inbounds nuw i8, ptr %107, i64 %99
  %160 = getelementptr inbounds i8, ptr %159, i64 -8
  %161 = load i64, ptr %160, align 1
  %162 = getelementptr inbounds nuw i8, ptr %110, i64 %99
  %163 = getelementptr inbounds i8, ptr %162, i64 -8
  %164 = load i64, ptr %163, align 1
  %165 = icmp eq i64 %161, %164
  br i1 %165, label %180, label %166

166:
  %167 = add nsw i64 %83, 1
  %168 = and i64 %167, %53
  %169 = getelementptr inbounds i32, ptr %32, i64 %168
  %170 = load i32, ptr %169, align 4
  %171 = icmp sgt i32 %170, -1
  br i1 %171, label %81, label %172

172:
  %173 = phi i64 [ %77, %72 ], [ %168, %166 ]
  %174 = getelementptr inbounds i32, ptr %32, i64 %173
  %175 = trunc i64 %55 to i32
  store i32 %175, ptr %174, align 4
  br label %182

176:
  %177 = getelementptr inbounds i32, ptr %32, i64 %83
  br label %182

178:
  %179 = getelementptr inbounds i32, ptr %32, i64 %83
  br label %182

180:
  %181 = getelementptr inbounds i32, ptr %32, i64 %83
  br label %182

182:
  %183 = phi ptr [ %181, %180 ], [ %174, %172 ], [ %179, %178 ], [ %177, %176 ]
  %184 = load i32, ptr %183, align 4
  %185 = sext i32 %184 to i64
  %186 = getelementptr inbounds %struct.Spread, ptr %34, i64 %185
  %187 = getelementptr inbounds nuw i8, ptr %186, i64 8
  %188 = load i64, ptr %187, align 8
  %189 = trunc i64 %188 to i32
  %190 = load ptr, ptr %10, align 8
  %191 = getelementptr inbounds i32, ptr %190, i64 %75
  store i32 %189, ptr %191, align 4
  %192 = add nuw nsw i64 %55, 1
  %193 = icmp eq i64 %192, %21
  br i1 %193, label %194, label %54

194:
  %195 = add nsw i64 %13, 1
  %196 = icmp eq i64 %195, %2
  br i1 %196, label %11, label %12
}

define internal void @list_groups(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %11

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 96
  br label %12

11:
  ret void

12:
  %13 = phi i64 [ %1, %5 ], [ %23, %19 ]
  %14 = shl nsw i64 %13, 15
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds i32, ptr %15, i64 %13
  %17 = load i32, ptr %16, align 4
  %18 = icmp sgt i32 %17, 0
  br i1 %18, label %25, label %19

19:
  %20 = phi i32 [ 0, %12 ], [ %51, %49 ]
  %21 = load ptr, ptr %10, align 8
  %22 = getelementptr inbounds i32, ptr %21, i64 %13
  store i32 %20, ptr %22, align 4
  %23 = add nsw i64 %13, 1
  %24 = icmp eq i64 %23, %2
  br i1 %24, label %11, label %12

25:
  %26 = phi ptr [ %50, %49 ], [ %15, %12 ]
  %27 = phi i32 [ %51, %49 ], [ 0, %12 ]
  %28 = phi i64 [ %52, %49 ], [ %14, %12 ]
  %29 = load ptr, ptr %7, align 8
  %30 = getelementptr inbounds i32, ptr %29, i64 %28
  %31 = load i32, ptr %30, align 4
  %32 = sext i32 %31 to i64
  %33 = icmp eq i64 %28, %32
  br i1 %33, label %34, label %49

34:
  %35 = load ptr, ptr %8, align 8
  %36 = add nsw i32 %27, 1
  %37 = sext i32 %27 to i64
  %38 = getelementptr %struct.Item, ptr %35, i64 %14
  %39 = getelementptr %struct.Item, ptr %38, i64 %37
  %40 = trunc nsw i64 %28 to i32
  %41 = load ptr, ptr %9, align 8
  %42 = getelementptr inbounds %struct.Entry, ptr %41, i64 %28
  %43 = getelementptr inbounds nuw i8, ptr %42, i64 24
  %44 = load i64, ptr %43, align 8
  %45 = trunc i64 %44 to i32
  store i64 0, ptr %39, align 8
  %46 = getelementptr inbounds nuw i8, ptr %39, i64 8
  store i32 %40, ptr %46, align 8
  %47 = getelementptr inbounds nuw i8, ptr %39, i64 12
  store i32 %45, ptr %47, align 4
  %48 = load ptr, ptr %6, align 8
  br label %49

49:
  %50 = phi ptr [ %48, %34 ], [ %26, %25 ]
  %51 = phi i32 [ %36, %34 ], [ %27, %25 ]
  %52 = add nsw i64 %28, 1
  %53 = getelementptr inbounds i32, ptr %50, i64 %13
  %54 = load i32, ptr %53, align 4
  %55 = sext i32 %54 to i64
  %56 = add nsw i64 %14, %55
  %57 = icmp slt i64 %52, %56
  br i1 %57, label %25, label %19
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

declare void @llvm.prefetch.p0(ptr readonly, i32 immarg, i32 immarg, i32 immarg)

define internal void @look_at_pieces(ptr %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %14

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 192
  br label %15

14:
  ret void

15:
  %16 = phi i64 [ %1, %5 ], [ %101, %100 ]
  %17 = shl nsw i64 %16, 19
  %18 = getelementptr inbounds i8, ptr %7, i64 %17
  %19 = getelementptr inbounds i32, ptr %9, i64 %16
  %20 = load i32, ptr %19, align 4
  %21 = sext i32 %20 to i64
  %22 = load i32, ptr %12, align 8
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds %struct.Entry, ptr %11, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %26 = load i64, ptr %25, align 8
  %27 = icmp sgt i32 %20, 0
  br i1 %27, label %28, label %90

28:
  %29 = load ptr, ptr %0, align 8
  %30 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds i8, ptr %29, i64 %31
  br label %33

33:
  %34 = phi i64 [ %26, %28 ], [ %87, %86 ]
  %35 = phi i64 [ 0, %28 ], [ %88, %86 ]
  %36 = add nuw nsw i64 %35, 24
  %37 = icmp slt i64 %36, %21
  br i1 %37, label %38, label %52

38:
  %39 = getelementptr inbounds nuw %struct.Item, ptr %18, i64 %36
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 8
  %41 = load i32, ptr %40, align 8
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds nuw %struct.Item, ptr %18, i64 %35
  %44 = getelementptr inbounds nuw i8, ptr %43, i64 200
  %45 = load i32, ptr %44, align 8
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds %struct.Entry, ptr %11, i64 %42
  tail call void @llvm.prefetch.p0(ptr %47, i32 0, i32 3, i32 1)
  %48 = getelementptr inbounds %struct.Entry, ptr %11, i64 %46
  %49 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %50 = load i64, ptr %49, align 8
  %51 = getelementptr inbounds i8, ptr %29, i64 %50
  tail call void @llvm.prefetch.p0(ptr %51, i32 0, i32 3, i32 1)
  br label %52

52:
  %53 = getelementptr inbounds nuw %struct.Item, ptr %18, i64 %35
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 8
  %55 = load i32, ptr %54, align 8
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds %struct.Entry, ptr %11, i64 %56
  %58 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %59 = load i64, ptr %58, align 8
  %60 = getelementptr inbounds i8, ptr %29, i64 %59
  %61 = getelementptr inbounds nuw i8, ptr %57, i64 16
  %62 = load i64, ptr %61, align 8
  %63 = tail call i64 @llvm.smin.i64(i64 %34, i64 %62)
  br label %64

64:
  %65 = phi i64 [ 0, %52 ], [ %66, %68 ]
  %66 = add nuw nsw i64 %65, 8
  %67 = icmp sgt i64 %66, %63
  br i1 %67, label %74, label %68

68:
  %69 = getelementptr inbounds nuw i8, ptr %32, i64 %65
  %70 = load i64, ptr %69, align 1
  %71 = getelementptr inbounds nuw i8, ptr %60, i64 %65
  %72 = load i64, ptr %71, align 1
  %73 = icmp eq i64 %70, %72
  br i1 %73, label %64, label %74

74:
  %75 = icmp slt i64 %65, %63
  br i1 %75, label %76, label %86

76:
  %77 = phi i64 [ %84, %83 ], [ %65, %74 ]
  %78 = getelementptr inbounds nuw i8, ptr %32, i64 %77
  %79 = load i8, ptr %78, align 1
  %80 = getelementptr inbounds nuw i8, ptr %60, i64 %77
  %81 = load i8, ptr %80, align 1
  %82 = icmp eq i8 %79, %81
  br i1 %82, label %83, label %86

83:
  %84 = add nuw i64 %77, 1
  %85 = icmp eq i64 %84, %63
  br i1 %85, label %86, label %76

86:
  %87 = phi i64 [ %65, %74 ], [ %63, %83 ], [ %77, %76 ]
  %88 = add nuw nsw i64 %35, 1
  %89 = icmp eq i64 %88, %21
  br i1 %89, label %90, label %33

90:
  %91 = phi i64 [ %26, %15 ], [ %87, %86 ]
  %92 = load atomic i64, ptr %13 monotonic, align 8
  br label %93

93:
  %94 = phi i64 [ %92, %90 ], [ %99, %96 ]
  %95 = icmp slt i64 %91, %94
  br i1 %95, label %96, label %100

96:
  %97 = cmpxchg ptr %13, i64 %94, i64 %91 monotonic monotonic, align 8
  %98 = extractvalue { i64, i1 } %97, 1
  %99 = extractvalue { i64, i1 } %97, 0
  br i1 %98, label %100, label %93

100:
  %101 = add nsw i64 %16, 1
  %102 = icmp eq i64 %101, %2
  br i1 %102, label %14, label %15
}

define internal void @find_stretches(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %17

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %16 = load ptr, ptr %6, align 8
  br label %18

17:
  ret void

18:
  %19 = phi ptr [ %16, %5 ], [ %42, %41 ]
  %20 = phi i64 [ %1, %5 ], [ %43, %41 ]
  %21 = load i64, ptr %7, align 8
  %22 = getelementptr inbounds i32, ptr %19, i64 %21
  %23 = load i64, ptr %8, align 8
  %24 = mul nsw i64 %23, %20
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  %26 = icmp sgt i64 %23, 0
  br i1 %26, label %35, label %29

27:
  %28 = load ptr, ptr %6, align 8
  br label %29

29:
  %30 = phi ptr [ %28, %27 ], [ %19, %18 ]
  %31 = shl nsw i64 %20, 15
  %32 = getelementptr inbounds i32, ptr %30, i64 %20
  %33 = load i32, ptr %32, align 4
  %34 = icmp sgt i32 %33, 0
  br i1 %34, label %45, label %41

35:
  %36 = phi i64 [ %38, %35 ], [ 0, %18 ]
  %37 = getelementptr inbounds nuw i32, ptr %25, i64 %36
  store i32 0, ptr %37, align 4
  %38 = add nuw nsw i64 %36, 1
  %39 = load i64, ptr %8, align 8
  %40 = icmp slt i64 %38, %39
  br i1 %40, label %35, label %27

41:
  %42 = phi ptr [ %30, %29 ], [ %264, %255 ]
  %43 = add nsw i64 %20, 1
  %44 = icmp eq i64 %43, %2
  br i1 %44, label %17, label %18

45:
  %46 = phi i64 [ %263, %255 ], [ %31, %29 ]
  %47 = load ptr, ptr %9, align 8
  %48 = getelementptr inbounds %struct.Item, ptr %47, i64 %46
  %49 = load ptr, ptr %10, align 8
  %50 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %51 = load i32, ptr %50, align 8
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds %struct.Entry, ptr %49, i64 %52
  %54 = load i64, ptr %11, align 8
  %55 = getelementptr inbounds nuw i8, ptr %53, i64 8
  %56 = load i64, ptr %55, align 8
  %57 = add nsw i64 %56, %54
  %58 = getelementptr inbounds nuw i8, ptr %53, i64 16
  %59 = load i64, ptr %58, align 8
  %60 = sub nsw i64 %59, %54
  %61 = icmp slt i64 %60, 1
  br i1 %61, label %157, label %62

62:
  %63 = add nsw i64 %57, 8
  %64 = load i64, ptr %12, align 8
  %65 = icmp sgt i64 %63, %64
  %66 = load ptr, ptr %0, align 8
  %67 = getelementptr i8, ptr %66, i64 %57
  br i1 %65, label %81, label %68

68:
  %69 = load i64, ptr %67, align 1
  %70 = and i64 %69, 72057594037927935
  %71 = tail call i64 @llvm.bswap.i64(i64 %70)
  %72 = icmp samesign ugt i64 %60, 7
  br i1 %72, label %73, label %75

73:
  %74 = or disjoint i64 %71, 8
  br label %157

75:
  %76 = shl nuw nsw i64 %60, 3
  %77 = sub nuw nsw i64 64, %76
  %78 = shl nsw i64 -1, %77
  %79 = and i64 %71, %78
  %80 = or disjoint i64 %79, %60
  br label %157

81:
  %82 = load i8, ptr %67, align 1
  %83 = zext i8 %82 to i64
  %84 = icmp eq i64 %60, 1
  br i1 %84, label %85, label %87

85:
  %86 = shl nuw nsw i64 %83, 16
  br label %97

87:
  %88 = load ptr, ptr %0, align 8
  %89 = getelementptr i8, ptr %88, i64 %57
  %90 = getelementptr i8, ptr %89, i64 1
  %91 = load i8, ptr %90, align 1
  %92 = zext i8 %91 to i64
  %93 = shl nuw nsw i64 %83, 16
  %94 = shl nuw nsw i64 %92, 8
  %95 = or disjoint i64 %93, %94
  %96 = icmp samesign ugt i64 %60, 2
  br i1 %96, label %100, label %97

97:
  %98 = phi i64 [ %86, %85 ], [ %95, %87 ]
  %99 = shl nuw nsw i64 %98, 8
  br label %109

100:
  %101 = load ptr, ptr %0, align 8
  %102 = getelementptr i8, ptr %101, i64 %57
  %103 = getelementptr i8, ptr %102, i64 2
  %104 = load i8, ptr %103, align 1
  %105 = zext i8 %104 to i64
  %106 = or disjoint i64 %95, %105
  %107 = shl nuw nsw i64 %106, 8
  %108 = icmp eq i64 %60, 3
  br i1 %108, label %109, label %112

109:
  %110 = phi i64 [ %99, %97 ], [ %107, %100 ]
  %111 = shl nuw nsw i64 %110, 8
  br label %121

112:
  %113 = load ptr, ptr %0, align 8
  %114 = getelementptr i8, ptr %113, i64 %57
  %115 = getelementptr i8, ptr %114, i64 3
  %116 = load i8, ptr %115, align 1
  %117 = zext i8 %116 to i64
  %118 = or disjoint i64 %107, %117
  %119 = shl nuw nsw i64 %118, 8
  %120 = icmp samesign ugt i64 %60, 4
  br i1 %120, label %124, label %121

121:
  %122 = phi i64 [ %111, %109 ], [ %119, %112 ]
  %123 = shl nuw nsw i64 %122, 8
  br label %133

124:
  %125 = load ptr, ptr %0, align 8
  %126 = getelementptr i8, ptr %125, i64 %57
  %127 = getelementptr i8, ptr %126, i64 4
  %128 = load i8, ptr %127, align 1
  %129 = zext i8 %128 to i64
  %130 = or disjoint i64 %119, %129
  %131 = shl nuw nsw i64 %130, 8
  %132 = icmp eq i64 %60, 5
  br i1 %132, label %133, label %136

133:
  %134 = phi i64 [ %123, %121 ], [ %131, %124 ]
  %135 = shl nuw nsw i64 %134, 8
  br label %152

136:
  %137 = load ptr, ptr %0, align 8
  %138 = getelementptr i8, ptr %137, i64 %57
  %139 = getelementptr i8, ptr %138, i64 5
  %140 = load i8, ptr %139, align 1
  %141 = zext i8 %140 to i64
  %142 = or disjoint i64 %131, %141
  %143 = shl nuw nsw i64 %142, 8
  %144 = icmp samesign ugt i64 %60, 6
  br i1 %144, label %145, label %152

145:
  %146 = load ptr, ptr %0, align 8
  %147 = getelementptr i8, ptr %146, i64 %57
  %148 = getelementptr i8, ptr %147, i64 6
  %149 = load i8, ptr %148, align 1
  %150 = zext i8 %149 to i64
  %151 = or disjoint i64 %143, %150
  br label %152

152:
  %153 = phi i64 [ %151, %145 ], [ %143, %136 ], [ %135, %133 ]
  %154 = shl nuw i64 %153, 8
  %155 = tail call i64 @llvm.umin.i64(i64 %60, i64 8)
  %156 = or disjoint i64 %154, %155
  br label %157

157:
  %158 = phi i64 [ %156, %152 ], [ 0, %45 ], [ %74, %73 ], [ %80, %75 ]
  store i64 %158, ptr %48, align 8
  %159 = load i64, ptr %8, align 8
  %160 = add i64 %159, 1
  %161 = icmp ult i64 %160, 3
  br i1 %161, label %164, label %162

162:
  %163 = load ptr, ptr %13, align 8
  br label %176

164:
  %165 = phi i64 [ 0, %157 ], [ %186, %176 ]
  %166 = add nsw i64 %159, -1
  %167 = icmp slt i64 %165, %166
  br i1 %167, label %168, label %255

168:
  %169 = load ptr, ptr %14, align 8
  %170 = load i64, ptr %11, align 8
  %171 = icmp eq i64 %170, -1
  %172 = add nsw i64 %170, 7
  %173 = and i64 %158, 8
  %174 = icmp eq i64 %173, 0
  %175 = or i1 %171, %174
  br label %189

176:
  %177 = phi i64 [ %159, %162 ], [ %179, %176 ]
  %178 = phi i64 [ 0, %162 ], [ %186, %176 ]
  %179 = sdiv i64 %177, 2
  %180 = getelementptr i64, ptr %163, i64 %178
  %181 = getelementptr i64, ptr %180, i64 %179
  %182 = getelementptr i8, ptr %181, i64 -8
  %183 = load i64, ptr %182, align 8
  %184 = icmp ult i64 %183, %158
  %185 = select i1 %184, i64 %179, i64 0
  %186 = add nsw i64 %185, %178
  %187 = add nsw i64 %179, 1
  %188 = icmp ult i64 %187, 3
  br i1 %188, label %164, label %176

189:
  %190 = phi i64 [ %165, %168 ], [ %253, %252 ]
  %191 = getelementptr inbounds %struct.Item, ptr %169, i64 %190
  %192 = load i64, ptr %191, align 8
  %193 = icmp eq i64 %192, %158
  br i1 %193, label %196, label %194

194:
  %195 = icmp ult i64 %192, %158
  br i1 %195, label %252, label %255

196:
  br i1 %175, label %255, label %197

197:
  %198 = load ptr, ptr %10, align 8
  %199 = getelementptr inbounds nuw i8, ptr %191, i64 8
  %200 = load i32, ptr %199, align 8
  %201 = sext i32 %200 to i64
  %202 = getelementptr inbounds %struct.Entry, ptr %198, i64 %201
  %203 = getelementptr inbounds %struct.Entry, ptr %198, i64 %52
  %204 = getelementptr inbounds nuw i8, ptr %202, i64 16
  %205 = load i64, ptr %204, align 8
  %206 = getelementptr inbounds nuw i8, ptr %203, i64 16
  %207 = load i64, ptr %206, align 8
  %208 = tail call i64 @llvm.smin.i64(i64 %205, i64 %207)
  %209 = sub nsw i64 %208, %172
  %210 = load ptr, ptr %0, align 8
  %211 = getelementptr inbounds nuw i8, ptr %202, i64 8
  %212 = load i64, ptr %211, align 8
  %213 = getelementptr inbounds i8, ptr %210, i64 %212
  %214 = getelementptr inbounds i8, ptr %213, i64 %172
  %215 = getelementptr inbounds nuw i8, ptr %203, i64 8
  %216 = load i64, ptr %215, align 8
  %217 = getelementptr inbounds i8, ptr %210, i64 %216
  %218 = getelementptr inbounds i8, ptr %217, i64 %172
  br label %219

219:
  %220 = phi i64 [ 0, %197 ], [ %221, %223 ]
  %221 = add nuw nsw i64 %220, 8
  %222 = icmp sgt i64 %221, %209
  br i1 %222, label %229, label %223

223:
  %224 = getelementptr inbounds nuw i8, ptr %214, i64 %220
  %225 = load i64, ptr %224, align 1
  %226 = getelementptr inbounds nuw i8, ptr %218, i64 %220
  %227 = load i64, ptr %226, align 1
  %228 = icmp eq i64 %225, %227
  br i1 %228, label %219, label %229

229:
  %230 = icmp slt i64 %220, %209
  br i1 %230, label %231, label %241

231:
  %232 = phi i64 [ %239, %238 ], [ %220, %229 ]
  %233 = getelementptr inbounds nuw i8, ptr %214, i64 %232
  %234 = load i8, ptr %233, align 1
  %235 = getelementptr inbounds nuw i8, ptr %218, i64 %232
  %236 = load i8, ptr %235, align 1
  %237 = icmp eq i8 %234, %236
  br i1 %237, label %238, label %241

238:
  %239 = add nuw i64 %232, 1
  %240 = icmp eq i64 %239, %209
  br i1 %240, label %244, label %231

241:
  %242 = phi i64 [ %220, %229 ], [ %232, %231 ]
  %243 = icmp slt i64 %242, %209
  br i1 %243, label %246, label %244

244:
  %245 = icmp slt i64 %205, %207
  br i1 %245, label %252, label %255

246:
  %247 = getelementptr inbounds i8, ptr %214, i64 %242
  %248 = load i8, ptr %247, align 1
  %249 = getelementptr inbounds i8, ptr %218, i64 %242
  %250 = load i8, ptr %249, align 1
  %251 = icmp ult i8 %248, %250
  br i1 %251, label %252, label %255

252:
  %253 = add i64 %190, 1
  %254 = icmp eq i64 %253, %166
  br i1 %254, label %255, label %189

255:
  %256 = phi i64 [ %165, %164 ], [ %190, %244 ], [ %190, %194 ], [ %190, %196 ], [ %166, %252 ], [ %190, %246 ]
  %257 = trunc i64 %256 to i16
  %258 = load ptr, ptr %15, align 8
  %259 = getelementptr inbounds i16, ptr %258, i64 %46
  store i16 %257, ptr %259, align 2
  %260 = getelementptr inbounds i32, ptr %25, i64 %256
  %261 = load i32, ptr %260, align 4
  %262 = add nsw i32 %261, 1
  store i32 %262, ptr %260, align 4
  %263 = add nsw i64 %46, 1
  %264 = load ptr, ptr %6, align 8
  %265 = getelementptr inbounds i32, ptr %264, i64 %20
  %266 = load i32, ptr %265, align 4
  %267 = sext i32 %266 to i64
  %268 = add nsw i64 %31, %267
  %269 = icmp slt i64 %263, %268
  br i1 %269, label %45, label %41
}

define internal void @spread_groups(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %13

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %12 = load ptr, ptr %6, align 8
  br label %14

13:
  ret void

14:
  %15 = phi ptr [ %12, %5 ], [ %27, %26 ]
  %16 = phi i64 [ %1, %5 ], [ %28, %26 ]
  %17 = load i64, ptr %7, align 8
  %18 = getelementptr inbounds i32, ptr %15, i64 %17
  %19 = load i64, ptr %8, align 8
  %20 = mul nsw i64 %19, %16
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = shl nsw i64 %16, 15
  %23 = getelementptr inbounds i32, ptr %15, i64 %16
  %24 = load i32, ptr %23, align 4
  %25 = icmp sgt i32 %24, 0
  br i1 %25, label %30, label %26

26:
  %27 = phi ptr [ %15, %14 ], [ %45, %30 ]
  %28 = add nsw i64 %16, 1
  %29 = icmp eq i64 %28, %2
  br i1 %29, label %13, label %14

30:
  %31 = phi i64 [ %44, %30 ], [ %22, %14 ]
  %32 = load ptr, ptr %9, align 8
  %33 = load ptr, ptr %10, align 8
  %34 = getelementptr inbounds i16, ptr %33, i64 %31
  %35 = load i16, ptr %34, align 2
  %36 = zext i16 %35 to i64
  %37 = getelementptr inbounds nuw i32, ptr %21, i64 %36
  %38 = load i32, ptr %37, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %37, align 4
  %40 = sext i32 %38 to i64
  %41 = getelementptr inbounds %struct.Item, ptr %32, i64 %40
  %42 = load ptr, ptr %11, align 8
  %43 = getelementptr inbounds %struct.Item, ptr %42, i64 %31
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %41, ptr align 8 dereferenceable(16) %43, i64 16, i1 false)
  %44 = add nsw i64 %31, 1
  %45 = load ptr, ptr %6, align 8
  %46 = getelementptr inbounds i32, ptr %45, i64 %16
  %47 = load i32, ptr %46, align 4
  %48 = sext i32 %47 to i64
  %49 = add nsw i64 %22, %48
  %50 = icmp slt i64 %44, %49
  br i1 %50, label %30, label %26
}

define internal void @sort_stretches(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %13

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %14

11:
  %12 = icmp eq i64 %20, %2
  br i1 %12, label %13, label %14

13:
  ret void

14:
  %15 = phi i64 [ %1, %5 ], [ %20, %11 ]
  %16 = load ptr, ptr %6, align 8
  %17 = getelementptr inbounds i32, ptr %16, i64 %15
  %18 = load i32, ptr %17, align 4
  %19 = sext i32 %18 to i64
  %20 = add nsw i64 %15, 1
  %21 = getelementptr inbounds i32, ptr %16, i64 %20
  %22 = load i32, ptr %21, align 4
  %23 = sext i32 %22 to i64
  %24 = load ptr, ptr %7, align 8
  %25 = getelementptr inbounds %struct.Item, ptr %24, i64 %19
  %26 = load ptr, ptr %8, align 8
  %27 = getelementptr inbounds %struct.Item, ptr %26, i64 %19
  %28 = sub nsw i64 %23, %19
  tail call fastcc void @sort(ptr %0, ptr %25, ptr %27, i64 %28, i64 -1)
  %29 = icmp slt i32 %18, %22
  br i1 %29, label %30, label %11

30:
  %31 = phi i64 [ %46, %223 ], [ %19, %14 ]
  %32 = getelementptr inbounds %struct.Item, ptr %24, i64 %31
  %33 = add nsw i64 %31, 1
  %34 = tail call i64 @llvm.smax.i64(i64 %33, i64 %23)
  %35 = add nsw i64 %34, -1
  br label %36

36:
  %37 = phi i64 [ %40, %39 ], [ %31, %30 ]
  %38 = icmp eq i64 %37, %35
  br i1 %38, label %45, label %39

39:
  %40 = add nsw i64 %37, 1
  %41 = getelementptr inbounds %struct.Item, ptr %24, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = load i64, ptr %32, align 8
  %44 = icmp eq i64 %42, %43
  br i1 %44, label %36, label %45

45:
  %46 = phi i64 [ %34, %36 ], [ %40, %39 ]
  %47 = sub nsw i64 %46, %31
  %48 = icmp sgt i64 %47, 1
  br i1 %48, label %49, label %223

49:
  %50 = load ptr, ptr %8, align 8
  %51 = load ptr, ptr %9, align 8
  %52 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %53 = load i32, ptr %52, align 8
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds %struct.Entry, ptr %51, i64 %54
  %56 = getelementptr inbounds nuw i8, ptr %55, i64 16
  %57 = load i64, ptr %56, align 8
  %58 = load ptr, ptr %0, align 8
  %59 = getelementptr inbounds nuw i8, ptr %55, i64 8
  %60 = load i64, ptr %59, align 8
  %61 = getelementptr inbounds i8, ptr %58, i64 %60
  br label %62

62:
  %63 = phi i64 [ %57, %49 ], [ %116, %115 ]
  %64 = phi i64 [ 0, %49 ], [ %117, %115 ]
  %65 = add nuw nsw i64 %64, 24
  %66 = icmp samesign ult i64 %65, %47
  br i1 %66, label %67, label %81

67:
  %68 = getelementptr inbounds nuw %struct.Item, ptr %32, i64 %65
  %69 = getelementptr inbounds nuw i8, ptr %68, i64 8
  %70 = load i32, ptr %69, align 8
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds nuw %struct.Item, ptr %32, i64 %64
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 200
  %74 = load i32, ptr %73, align 8
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds %struct.Entry, ptr %51, i64 %71
  tail call void @llvm.prefetch.p0(ptr %76, i32 0, i32 3, i32 1)
  %77 = getelementptr inbounds %struct.Entry, ptr %51, i64 %75
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 8
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds i8, ptr %58, i64 %79
  tail call void @llvm.prefetch.p0(ptr %80, i32 0, i32 3, i32 1)
  br label %81

81:
  %82 = getelementptr inbounds nuw %struct.Item, ptr %32, i64 %64
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 8
  %84 = load i32, ptr %83, align 8
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds %struct.Entry, ptr %51, i64 %85
  %87 = getelementptr inbounds nuw i8, ptr %86, i64 8
  %88 = load i64, ptr %87, align 8
  %89 = getelementptr inbounds i8, ptr %58, i64 %88
  %90 = getelementptr inbounds nuw i8, ptr %86, i64 16
  %91 = load i64, ptr %90, align 8
  %92 = tail call i64 @llvm.smin.i64(i64 %63, i64 %91)
  br label %93

93:
  %94 = phi i64 [ 0, %81 ], [ %95, %97 ]
  %95 = add nuw nsw i64 %94, 8
  %96 = icmp sgt i64 %95, %92
  br i1 %96, label %103, label %97

97:
  %98 = getelementptr inbounds nuw i8, ptr %61, i64 %94
  %99 = load i64, ptr %98, align 1
  %100 = getelementptr inbounds nuw i8, ptr %89, i64 %94
  %101 = load i64, ptr %100, align 1
  %102 = icmp eq i64 %99, %101
  br i1 %102, label %93, label %103

103:
  %104 = icmp slt i64 %94, %92
  br i1 %104, label %105, label %115

105:
  %106 = phi i64 [ %113, %112 ], [ %94, %103 ]
  %107 = getelementptr inbounds nuw i8, ptr %61, i64 %106
  %108 = load i8, ptr %107, align 1
  %109 = getelementptr inbounds nuw i8, ptr %89, i64 %106
  %110 = load i8, ptr %109, align 1
  %111 = icmp eq i8 %108, %110
  br i1 %111, label %112, label %115

112:
  %113 = add nuw i64 %106, 1
  %114 = icmp eq i64 %113, %92
  br i1 %114, label %115, label %105

115:
  %116 = phi i64 [ %94, %103 ], [ %106, %105 ], [ %92, %112 ]
  %117 = add nuw nsw i64 %64, 1
  %118 = icmp eq i64 %117, %47
  br i1 %118, label %119, label %62

119:
  %120 = phi i64 [ %219, %217 ], [ 0, %115 ]
  %121 = load ptr, ptr %9, align 8
  %122 = getelementptr inbounds nuw %struct.Item, ptr %32, i64 %120
  %123 = getelementptr inbounds nuw i8, ptr %122, i64 8
  %124 = load i32, ptr %123, align 8
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds %struct.Entry, ptr %121, i64 %125
  %127 = getelementptr inbounds nuw i8, ptr %126, i64 16
  %128 = load i64, ptr %127, align 8
  %129 = sub nsw i64 %128, %116
  %130 = icmp slt i64 %129, 1
  br i1 %130, label %217, label %131

131:
  %132 = getelementptr inbounds nuw i8, ptr %126, i64 8
  %133 = load i64, ptr %132, align 8
  %134 = add nsw i64 %133, %116
  %135 = add nsw i64 %134, 8
  %136 = load i64, ptr %10, align 8
  %137 = icmp sgt i64 %135, %136
  %138 = load ptr, ptr %0, align 8
  %139 = getelementptr i8, ptr %138, i64 %134
  br i1 %137, label %153, label %140

140:
  %141 = load i64, ptr %139, align 1
  %142 = and i64 %141, 72057594037927935
  %143 = tail call i64 @llvm.bswap.i64(i64 %142)
  %144 = icmp samesign ugt i64 %129, 7
  br i1 %144, label %145, label %147

145:
  %146 = or disjoint i64 %143, 8
  br label %217

147:
  %148 = shl nuw nsw i64 %129, 3
  %149 = sub nuw nsw i64 64, %148
  %150 = shl nsw i64 -1, %149
  %151 = and i64 %143, %150
  %152 = or disjoint i64 %151, %129
  br label %217

153:
  %154 = load i8, ptr %139, align 1
  %155 = zext i8 %154 to i64
  %156 = icmp eq i64 %129, 1
  br i1 %156, label %157, label %159

157:
  %158 = shl nuw nsw i64 %155, 16
  br label %167

159:
  %160 = getelementptr i8, ptr %139, i64 1
  %161 = load i8, ptr %160, align 1
  %162 = zext i8 %161 to i64
  %163 = shl nuw nsw i64 %155, 16
  %164 = shl nuw nsw i64 %162, 8
  %165 = or disjoint i64 %164, %163
  %166 = icmp samesign ugt i64 %129, 2
  br i1 %166, label %170, label %167

167:
  %168 = phi i64 [ %158, %157 ], [ %165, %159 ]
  %169 = shl nuw nsw i64 %168, 8
  br label %177

170:
  %171 = getelementptr i8, ptr %139, i64 2
  %172 = load i8, ptr %171, align 1
  %173 = zext i8 %172 to i64
  %174 = or disjoint i64 %165, %173
  %175 = shl nuw nsw i64 %174, 8
  %176 = icmp eq i64 %129, 3
  br i1 %176, label %177, label %180

177:
  %178 = phi i64 [ %169, %167 ], [ %175, %170 ]
  %179 = shl nuw nsw i64 %178, 8
  br label %187

180:
  %181 = getelementptr i8, ptr %139, i64 3
  %182 = load i8, ptr %181, align 1
  %183 = zext i8 %182 to i64
  %184 = or disjoint i64 %175, %183
  %185 = shl nuw nsw i64 %184, 8
  %186 = icmp samesign ugt i64 %129, 4
  br i1 %186, label %190, label %187

187:
  %188 = phi i64 [ %179, %177 ], [ %185, %180 ]
  %189 = shl nuw nsw i64 %188, 8
  br label %197

190:
  %191 = getelementptr i8, ptr %139, i64 4
  %192 = load i8, ptr %191, align 1
  %193 = zext i8 %192 to i64
  %194 = or disjoint i64 %185, %193
  %195 = shl nuw nsw i64 %194, 8
  %196 = icmp eq i64 %129, 5
  br i1 %196, label %197, label %200

197:
  %198 = phi i64 [ %189, %187 ], [ %195, %190 ]
  %199 = shl nuw nsw i64 %198, 8
  br label %212

200:
  %201 = getelementptr i8, ptr %139, i64 5
  %202 = load i8, ptr %201, align 1
  %203 = zext i8 %202 to i64
  %204 = or disjoint i64 %195, %203
  %205 = shl nuw nsw i64 %204, 8
  %206 = icmp samesign ugt i64 %129, 6
  br i1 %206, label %207, label %212

207:
  %208 = getelementptr i8, ptr %139, i64 6
  %209 = load i8, ptr %208, align 1
  %210 = zext i8 %209 to i64
  %211 = or disjoint i64 %205, %210
  br label %212

212:
  %213 = phi i64 [ %211, %207 ], [ %205, %200 ], [ %199, %197 ]
  %214 = shl nuw i64 %213, 8
  %215 = tail call i64 @llvm.umin.i64(i64 %129, i64 8)
  %216 = or disjoint i64 %214, %215
  br label %217

217:
  %218 = phi i64 [ %216, %212 ], [ 0, %119 ], [ %146, %145 ], [ %152, %147 ]
  store i64 %218, ptr %122, align 8
  %219 = add nuw nsw i64 %120, 1
  %220 = icmp eq i64 %219, %47
  br i1 %220, label %221, label %119

221:
  %222 = getelementptr inbounds %struct.Item, ptr %50, i64 %31
  tail call fastcc void @sort(ptr readonly %0, ptr %32, ptr %222, i64 range(i64 2, 4294967296) %47, i64 %116)
  br label %223

223:
  %224 = icmp slt i64 %46, %23
  br i1 %224, label %30, label %11
}

define internal void @rank_groups(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %9

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 56
  br label %10

9:
  ret void

10:
  %11 = phi i64 [ %1, %5 ], [ %27, %10 ]
  %12 = trunc i64 %11 to i32
  %13 = load ptr, ptr %6, align 8
  %14 = load ptr, ptr %7, align 8
  %15 = getelementptr inbounds %struct.Item, ptr %14, i64 %11
  %16 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %17 = load i32, ptr %16, align 8
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds i32, ptr %13, i64 %18
  store i32 %12, ptr %19, align 4
  %20 = load ptr, ptr %7, align 8
  %21 = getelementptr inbounds %struct.Item, ptr %20, i64 %11
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 12
  %23 = load i32, ptr %22, align 4
  %24 = sext i32 %23 to i64
  %25 = load ptr, ptr %8, align 8
  %26 = getelementptr inbounds i64, ptr %25, i64 %11
  store i64 %24, ptr %26, align 8
  %27 = add nsw i64 %11, 1
  %28 = icmp eq i64 %27, %2
  br i1 %28, label %9, label %10
}

define internal fastcc void @sort(ptr readonly %0, ptr %1, ptr %2, i64 range(i64 -4294967295, -9223372036854775808) %3, i64 %4) {
  %6 = icmp sgt i64 %3, 1
  br i1 %6, label %7, label %237

7:
  %8 = icmp eq i64 %4, -1
  %9 = add nsw i64 %4, 7
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %17

11:
  %12 = icmp sgt i64 %3, 8
  br i1 %12, label %13, label %237

13:
  %14 = icmp eq i64 %4, -1
  %15 = add nsw i64 %4, 7
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %105

17:
  %18 = phi i64 [ 1, %7 ], [ %103, %99 ]
  %19 = getelementptr inbounds nuw %struct.Item, ptr %1, i64 %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = load <2 x i32>, ptr %21, align 8
  %23 = and i64 %18, 7
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %99, label %25

25:
  %26 = load i32, ptr %21, align 8
  %27 = and i64 %20, 8
  %28 = icmp eq i64 %27, 0
  %29 = or i1 %8, %28
  %30 = sext i32 %26 to i64
  br label %31

31:
  %32 = phi i64 [ %18, %25 ], [ %96, %95 ]
  %33 = getelementptr %struct.Item, ptr %1, i64 %32
  %34 = getelementptr i8, ptr %33, i64 -16
  %35 = load i64, ptr %34, align 8
  %36 = icmp eq i64 %20, %35
  br i1 %36, label %39, label %37

37:
  %38 = icmp ult i64 %20, %35
  br i1 %38, label %95, label %99

39:
  br i1 %29, label %99, label %40

40:
  %41 = load ptr, ptr %10, align 8
  %42 = getelementptr inbounds %struct.Entry, ptr %41, i64 %30
  %43 = getelementptr i8, ptr %33, i64 -8
  %44 = load i32, ptr %43, align 8
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds %struct.Entry, ptr %41, i64 %45
  %47 = getelementptr inbounds nuw i8, ptr %42, i64 16
  %48 = load i64, ptr %47, align 8
  %49 = getelementptr inbounds nuw i8, ptr %46, i64 16
  %50 = load i64, ptr %49, align 8
  %51 = tail call i64 @llvm.smin.i64(i64 %48, i64 %50)
  %52 = sub nsw i64 %51, %9
  %53 = load ptr, ptr %0, align 8
  %54 = getelementptr inbounds nuw i8, ptr %42, i64 8
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds i8, ptr %53, i64 %55
  %57 = getelementptr inbounds i8, ptr %56, i64 %9
  %58 = getelementptr inbounds nuw i8, ptr %46, i64 8
  %59 = load i64, ptr %58, align 8
  %60 = getelementptr inbounds i8, ptr %53, i64 %59
  %61 = getelementptr inbounds i8, ptr %60, i64 %9
  br label %62

62:
  %63 = phi i64 [ 0, %40 ], [ %64, %66 ]
  %64 = add nuw nsw i64 %63, 8
  %65 = icmp sgt i64 %64, %52
  br i1 %65, label %72, label %66

66:
  %67 = getelementptr inbounds nuw i8, ptr %57, i64 %63
  %68 = load i64, ptr %67, align 1
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 %63
  %70 = load i64, ptr %69, align 1
  %71 = icmp eq i64 %68, %70
  br i1 %71, label %62, label %72

72:
  %73 = icmp slt i64 %63, %52
  br i1 %73, label %74, label %84

74:
  %75 = phi i64 [ %82, %81 ], [ %63, %72 ]
  %76 = getelementptr inbounds nuw i8, ptr %57, i64 %75
  %77 = load i8, ptr %76, align 1
  %78 = getelementptr inbounds nuw i8, ptr %61, i64 %75
  %79 = load i8, ptr %78, align 1
  %80 = icmp eq i8 %77, %79
  br i1 %80, label %81, label %84

81:
  %82 = add nuw i64 %75, 1
  %83 = icmp eq i64 %82, %52
  br i1 %83, label %87, label %74

84:
  %85 = phi i64 [ %63, %72 ], [ %75, %74 ]
  %86 = icmp slt i64 %85, %52
  br i1 %86, label %89, label %87

87:
  %88 = icmp slt i64 %48, %50
  br i1 %88, label %95, label %99

89:
  %90 = getelementptr inbounds i8, ptr %57, i64 %85
  %91 = load i8, ptr %90, align 1
  %92 = getelementptr inbounds i8, ptr %61, i64 %85
  %93 = load i8, ptr %92, align 1
  %94 = icmp ult i8 %91, %93
  br i1 %94, label %95, label %99

95:
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %33, ptr align 8 dereferenceable(16) %34, i64 16, i1 false)
  %96 = add nsw i64 %32, -1
  %97 = and i64 %96, 7
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %99, label %31

99:
  %100 = phi i64 [ %18, %17 ], [ %32, %87 ], [ %32, %37 ], [ %32, %39 ], [ %96, %95 ], [ %32, %89 ]
  %101 = getelementptr inbounds %struct.Item, ptr %1, i64 %100
  store i64 %20, ptr %101, align 8
  %102 = getelementptr inbounds nuw i8, ptr %101, i64 8
  store <2 x i32> %22, ptr %102, align 8
  %103 = add nuw nsw i64 %18, 1
  %104 = icmp eq i64 %103, %3
  br i1 %104, label %11, label %17

105:
  %106 = phi i64 [ 8, %13 ], [ %109, %112 ]
  %107 = phi ptr [ %2, %13 ], [ %108, %112 ]
  %108 = phi ptr [ %1, %13 ], [ %107, %112 ]
  %109 = shl nsw i64 %106, 1
  br label %114

110:
  %111 = icmp eq ptr %107, %1
  br i1 %111, label %237, label %238

112:
  %113 = icmp slt i64 %109, %3
  br i1 %113, label %105, label %110

114:
  %115 = phi i64 [ 0, %105 ], [ %235, %234 ]
  %116 = sub nsw i64 %3, %115
  %117 = getelementptr inbounds %struct.Item, ptr %108, i64 %115
  %118 = getelementptr inbounds %struct.Item, ptr %107, i64 %115
  %119 = tail call i64 @llvm.smin.i64(i64 %106, i64 %116)
  %120 = tail call i64 @llvm.smin.i64(i64 %109, i64 %116)
  %121 = shl nsw i64 %119, 4
  %122 = getelementptr inbounds i8, ptr %117, i64 %121
  %123 = shl nsw i64 %120, 4
  %124 = getelementptr inbounds i8, ptr %117, i64 %123
  %125 = icmp sgt i64 %119, 0
  %126 = icmp slt i64 %121, %123
  %127 = select i1 %125, i1 %126, i1 false
  br i1 %127, label %133, label %128

128:
  %129 = phi ptr [ %122, %114 ], [ %213, %209 ]
  %130 = phi ptr [ %117, %114 ], [ %215, %209 ]
  %131 = phi ptr [ %118, %114 ], [ %212, %209 ]
  %132 = icmp ult ptr %130, %122
  br i1 %132, label %222, label %219

133:
  %134 = phi ptr [ %212, %209 ], [ %118, %114 ]
  %135 = phi ptr [ %215, %209 ], [ %117, %114 ]
  %136 = phi ptr [ %213, %209 ], [ %122, %114 ]
  %137 = load i64, ptr %136, align 8
  %138 = load i64, ptr %135, align 8
  %139 = icmp eq i64 %137, %138
  br i1 %139, label %142, label %140

140:
  %141 = icmp ult i64 %137, %138
  br label %204

142:
  %143 = and i64 %137, 8
  %144 = icmp eq i64 %143, 0
  %145 = or i1 %14, %144
  br i1 %145, label %209, label %146

146:
  %147 = load ptr, ptr %16, align 8
  %148 = getelementptr inbounds nuw i8, ptr %136, i64 8
  %149 = load i32, ptr %148, align 8
  %150 = sext i32 %149 to i64
  %151 = getelementptr inbounds %struct.Entry, ptr %147, i64 %150
  %152 = getelementptr inbounds nuw i8, ptr %135, i64 8
  %153 = load i32, ptr %152, align 8
  %154 = sext i32 %153 to i64
  %155 = getelementptr inbounds %struct.Entry, ptr %147, i64 %154
  %156 = getelementptr inbounds nuw i8, ptr %151, i64 16
  %157 = load i64, ptr %156, align 8
  %158 = getelementptr inbounds nuw i8, ptr %155, i64 16
  %159 = load i64, ptr %158, align 8
  %160 = tail call i64 @llvm.smin.i64(i64 %157, i64 %159)
  %161 = sub nsw i64 %160, %15
  %162 = load ptr, ptr %0, align 8
  %163 = getelementptr inbounds nuw i8, ptr %151, i64 8
  %164 = load i64, ptr %163, align 8
  %165 = getelementptr inbounds i8, ptr %162, i64 %164
  %166 = getelementptr inbounds i8, ptr %165, i64 %15
  %167 = getelementptr inbounds nuw i8, ptr %155, i64 8
  %168 = load i64, ptr %167, align 8
  %169 = getelementptr inbounds i8, ptr %162, i64 %168
  %170 = getelementptr inbounds i8, ptr %169, i64 %15
  br label %171

171:
  %172 = phi i64 [ 0, %146 ], [ %173, %175 ]
  %173 = add nuw nsw i64 %172, 8
  %174 = icmp sgt i64 %173, %161
  br i1 %174, label %181, label %175

175:
  %176 = getelementptr inbounds nuw i8, ptr %166, i64 %172
  %177 = load i64, ptr %176, align 1
  %178 = getelementptr inbounds nuw i8, ptr %170, i64 %172
  %179 = load i64, ptr %178, align 1
  %180 = icmp eq i64 %177, %179
  br i1 %180, label %171, label %181

181:
  %182 = icmp slt i64 %172, %161
  br i1 %182, label %183, label %193

183:
  %184 = phi i64 [ %191, %190 ], [ %172, %181 ]
  %185 = getelementptr inbounds nuw i8, ptr %166, i64 %184
  %186 = load i8, ptr %185, align 1
  %187 = getelementptr inbounds nuw i8, ptr %170, i64 %184
  %188 = load i8, ptr %187, align 1
  %189 = icmp eq i8 %186, %188
  br i1 %189, label %190, label %193

190:
  %191 = add nuw i64 %184, 1
  %192 = icmp eq i64 %191, %161
  br i1 %192, label %202, label %183

193:
  %194 = phi i64 [ %172, %181 ], [ %184, %183 ]
  %195 = icmp slt i64 %194, %161
  br i1 %195, label %196, label %202

196:
  %197 = getelementptr inbounds i8, ptr %166, i64 %194
  %198 = load i8, ptr %197, align 1
  %199 = getelementptr inbounds i8, ptr %170, i64 %194
  %200 = load i8, ptr %199, align 1
  %201 = icmp ult i8 %198, %200
  br label %204

202:
  %203 = icmp slt i64 %157, %159
  br label %204

204:
  %205 = phi i1 [ %141, %140 ], [ %201, %196 ], [ %203, %202 ]
  %206 = freeze i1 %205
  %207 = zext i1 %206 to i64
  %208 = select i1 %206, ptr %136, ptr %135
  br label %209

209:
  %210 = phi i64 [ %207, %204 ], [ 0, %142 ]
  %211 = phi ptr [ %208, %204 ], [ %135, %142 ]
  %212 = getelementptr inbounds nuw i8, ptr %134, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %134, ptr align 8 dereferenceable(16) %211, i64 16, i1 false)
  %213 = getelementptr inbounds nuw %struct.Item, ptr %136, i64 %210
  %214 = xor i64 %210, 1
  %215 = getelementptr inbounds nuw %struct.Item, ptr %135, i64 %214
  %216 = icmp ult ptr %215, %122
  %217 = icmp ult ptr %213, %124
  %218 = select i1 %216, i1 %217, i1 false
  br i1 %218, label %133, label %128

219:
  %220 = phi ptr [ %131, %128 ], [ %225, %222 ]
  %221 = icmp ult ptr %129, %124
  br i1 %221, label %228, label %234

222:
  %223 = phi ptr [ %225, %222 ], [ %131, %128 ]
  %224 = phi ptr [ %226, %222 ], [ %130, %128 ]
  %225 = getelementptr inbounds nuw i8, ptr %223, i64 16
  %226 = getelementptr inbounds nuw i8, ptr %224, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %223, ptr align 8 dereferenceable(16) %224, i64 16, i1 false)
  %227 = icmp ult ptr %226, %122
  br i1 %227, label %222, label %219

228:
  %229 = phi ptr [ %231, %228 ], [ %220, %219 ]
  %230 = phi ptr [ %232, %228 ], [ %129, %219 ]
  %231 = getelementptr inbounds nuw i8, ptr %229, i64 16
  %232 = getelementptr inbounds nuw i8, ptr %230, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %229, ptr align 8 dereferenceable(16) %230, i64 16, i1 false)
  %233 = icmp ult ptr %232, %124
  br i1 %233, label %228, label %234

234:
  %235 = add nsw i64 %115, %109
  %236 = icmp slt i64 %235, %3
  br i1 %236, label %114, label %112

237:
  ret void

238:
  %239 = phi i64 [ %242, %238 ], [ 0, %110 ]
  %240 = getelementptr inbounds nuw %struct.Item, ptr %1, i64 %239
  %241 = getelementptr inbounds nuw %struct.Item, ptr %107, i64 %239
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %240, ptr align 8 dereferenceable(16) %241, i64 16, i1 false)
  %242 = add nuw nsw i64 %239, 1
  %243 = icmp slt i64 %242, %3
  br i1 %243, label %238, label %237
}

declare i64 @llvm.bswap.i64(i64)

declare i64 @tolang_parallel(ptr, ptr, i64, i64, i64, ptr)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)
