; Made of texts.c (01f201d21edbbb04) by `python -m native`.

%struct.Texts = type { ptr, i64, ptr, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, i64 }
%struct.Entry = type { i64, ptr, i64, i64 }
%struct.Spread = type { i64, i64 }
%struct.Item = type { i64, i32, i32 }
%struct.View = type { i32, i32, i32, i32 }
%struct.Buffer = type { ptr, i64 }

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
  br i1 %55, label %444, label %56

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
  br i1 %73, label %74, label %224

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
  br i1 %130, label %131, label %224

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
  br i1 %164, label %165, label %224

165:
  %166 = load i64, ptr %39, align 8
  %167 = shl nuw i64 1, %166
  %168 = load ptr, ptr %24, align 8
  %169 = call i64 @tolang_parallel(ptr @group_parts, ptr %2, i64 %167, i64 1, i64 0, ptr %168)
  %170 = icmp eq i64 %169, 0
  br i1 %170, label %171, label %224

171:
  %172 = load i64, ptr %36, align 8
  %173 = load ptr, ptr %24, align 8
  %174 = call i64 @tolang_parallel(ptr @list_groups, ptr %2, i64 %172, i64 1, i64 0, ptr %173)
  %175 = icmp eq i64 %174, 0
  br i1 %175, label %176, label %224

176:
  %177 = load i64, ptr %36, align 8
  %178 = icmp sgt i64 %177, 0
  br i1 %178, label %181, label %179

179:
  %180 = load i64, ptr %40, align 8
  br label %228

181:
  %182 = load ptr, ptr %30, align 8
  %183 = load i64, ptr %40, align 8
  %184 = icmp ult i64 %177, 12
  br i1 %184, label %212, label %185

185:
  %186 = shl i64 %177, 2
  %187 = getelementptr i8, ptr %182, i64 %186
  %188 = icmp ult ptr %40, %187
  %189 = icmp ult ptr %182, %41
  %190 = and i1 %188, %189
  br i1 %190, label %212, label %191

191:
  %192 = and i64 %177, 9223372036854775800
  %193 = insertelement <4 x i64> <i64 poison, i64 0, i64 0, i64 0>, i64 %183, i64 0
  br label %194

194:
  %195 = phi i64 [ 0, %191 ], [ %206, %194 ]
  %196 = phi <4 x i64> [ %193, %191 ], [ %204, %194 ]
  %197 = phi <4 x i64> [ zeroinitializer, %191 ], [ %205, %194 ]
  %198 = getelementptr inbounds nuw i32, ptr %182, i64 %195
  %199 = getelementptr inbounds nuw i8, ptr %198, i64 16
  %200 = load <4 x i32>, ptr %198, align 4
  %201 = load <4 x i32>, ptr %199, align 4
  %202 = sext <4 x i32> %200 to <4 x i64>
  %203 = sext <4 x i32> %201 to <4 x i64>
  %204 = add <4 x i64> %196, %202
  %205 = add <4 x i64> %197, %203
  %206 = add nuw i64 %195, 8
  %207 = icmp eq i64 %206, %192
  br i1 %207, label %208, label %194

208:
  %209 = add <4 x i64> %205, %204
  %210 = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %209)
  store i64 %210, ptr %40, align 8
  %211 = icmp eq i64 %177, %192
  br i1 %211, label %228, label %212

212:
  %213 = phi i64 [ %183, %185 ], [ %183, %181 ], [ %210, %208 ]
  %214 = phi i64 [ 0, %185 ], [ 0, %181 ], [ %192, %208 ]
  br label %215

215:
  %216 = phi i64 [ %221, %215 ], [ %213, %212 ]
  %217 = phi i64 [ %222, %215 ], [ %214, %212 ]
  %218 = getelementptr inbounds nuw i32, ptr %182, i64 %217
  %219 = load i32, ptr %218, align 4
  %220 = sext i32 %219 to i64
  %221 = add nsw i64 %216, %220
  store i64 %221, ptr %40, align 8
  %222 = add nuw nsw i64 %217, 1
  %223 = icmp eq i64 %222, %177
  br i1 %223, label %228, label %215

224:
  %225 = load i64, ptr %43, align 8
  %226 = icmp eq i64 %225, 0
  %227 = select i1 %226, i64 -1, i64 -3
  br label %441

228:
  %229 = phi i64 [ %180, %179 ], [ %210, %208 ], [ %221, %215 ]
  %230 = shl nsw i64 %229, 4
  %231 = add nsw i64 %230, 8192
  %232 = call ptr @tolang_take(i64 %231)
  store ptr %232, ptr %34, align 8
  %233 = icmp eq ptr %232, null
  br i1 %233, label %441, label %234

234:
  %235 = load i64, ptr %40, align 8
  %236 = getelementptr inbounds %struct.Item, ptr %232, i64 %235
  store ptr %236, ptr %35, align 8
  %237 = icmp sgt i64 %235, 4096
  br i1 %237, label %238, label %257

238:
  %239 = icmp samesign ugt i64 %235, 8193
  br i1 %239, label %240, label %257

240:
  %241 = icmp samesign ugt i64 %235, 16387
  br i1 %241, label %242, label %257

242:
  %243 = icmp samesign ugt i64 %235, 32775
  br i1 %243, label %244, label %257

244:
  %245 = icmp samesign ugt i64 %235, 65551
  br i1 %245, label %246, label %257

246:
  %247 = icmp samesign ugt i64 %235, 131103
  br i1 %247, label %248, label %257

248:
  %249 = icmp samesign ugt i64 %235, 262207
  br i1 %249, label %250, label %257

250:
  %251 = icmp samesign ugt i64 %235, 524415
  br i1 %251, label %252, label %257

252:
  %253 = icmp samesign ugt i64 %235, 1048831
  br i1 %253, label %254, label %257

254:
  %255 = icmp samesign ugt i64 %235, 2097663
  %256 = select i1 %255, i64 1024, i64 512
  br label %257

257:
  %258 = phi i64 [ 32, %246 ], [ 1, %234 ], [ 2, %238 ], [ %256, %254 ], [ 4, %240 ], [ 128, %250 ], [ 8, %242 ], [ 256, %252 ], [ 16, %244 ], [ 64, %248 ]
  store i64 %258, ptr %42, align 8
  store i64 9223372036854775807, ptr %41, align 8
  %259 = load i64, ptr %36, align 8
  %260 = load ptr, ptr %24, align 8
  %261 = call i64 @tolang_parallel(ptr @look_at_pieces, ptr %2, i64 %259, i64 1, i64 0, ptr %260)
  %262 = icmp eq i64 %261, 0
  br i1 %262, label %263, label %439

263:
  %264 = load i64, ptr %42, align 8
  %265 = icmp sgt i64 %264, 1
  %266 = shl nsw i64 %264, 3
  %267 = select i1 %265, i64 %266, i64 0
  %268 = icmp sgt i64 %267, 0
  br i1 %268, label %275, label %269

269:
  %270 = load ptr, ptr %34, align 8
  %271 = getelementptr inbounds nuw %struct.Item, ptr %270, i64 %267
  %272 = load i64, ptr %41, align 8
  call fastcc void @sort(ptr readonly %2, ptr %270, ptr %271, i64 %267, i64 %272)
  %273 = load i64, ptr %42, align 8
  %274 = icmp sgt i64 %273, 1
  br i1 %274, label %366, label %382

275:
  %276 = phi i64 [ %285, %362 ], [ 0, %263 ]
  %277 = phi i64 [ %364, %362 ], [ 0, %263 ]
  %278 = phi i64 [ %284, %362 ], [ 0, %263 ]
  %279 = load i64, ptr %40, align 8
  %280 = mul nsw i64 %279, %277
  %281 = sdiv i64 %280, %266
  %282 = load ptr, ptr %30, align 8
  br label %283

283:
  %284 = phi i64 [ %278, %275 ], [ %291, %283 ]
  %285 = phi i64 [ %276, %275 ], [ %289, %283 ]
  %286 = getelementptr inbounds i32, ptr %282, i64 %284
  %287 = load i32, ptr %286, align 4
  %288 = sext i32 %287 to i64
  %289 = add nsw i64 %285, %288
  %290 = icmp slt i64 %281, %289
  %291 = add nsw i64 %284, 1
  br i1 %290, label %292, label %283

292:
  %293 = load ptr, ptr %34, align 8
  %294 = getelementptr inbounds nuw %struct.Item, ptr %293, i64 %277
  %295 = load ptr, ptr %33, align 8
  %296 = shl nsw i64 %284, 15
  %297 = add nsw i64 %296, %281
  %298 = sub i64 %297, %285
  %299 = getelementptr inbounds %struct.Item, ptr %295, i64 %298
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %294, ptr align 8 dereferenceable(16) %299, i64 16, i1 false)
  %300 = load ptr, ptr %28, align 8
  %301 = load ptr, ptr %34, align 8
  %302 = getelementptr inbounds nuw %struct.Item, ptr %301, i64 %277
  %303 = getelementptr inbounds nuw i8, ptr %302, i64 8
  %304 = load i32, ptr %303, align 8
  %305 = sext i32 %304 to i64
  %306 = getelementptr inbounds %struct.Entry, ptr %300, i64 %305
  %307 = load i64, ptr %41, align 8
  %308 = getelementptr inbounds nuw i8, ptr %306, i64 8
  %309 = load ptr, ptr %308, align 8
  %310 = getelementptr inbounds i8, ptr %309, i64 %307
  %311 = getelementptr inbounds nuw i8, ptr %306, i64 16
  %312 = load i64, ptr %311, align 8
  %313 = sub nsw i64 %312, %307
  %314 = icmp sgt i64 %313, 7
  br i1 %314, label %315, label %320

315:
  %316 = load i64, ptr %310, align 1
  %317 = and i64 %316, 72057594037927935
  %318 = or disjoint i64 %317, 576460752303423488
  %319 = call i64 @llvm.bswap.i64(i64 %318)
  br label %362

320:
  %321 = icmp sgt i64 %313, 3
  br i1 %321, label %324, label %322

322:
  %323 = icmp sgt i64 %313, 0
  br i1 %323, label %344, label %340

324:
  %325 = load i32, ptr %310, align 1
  %326 = call i32 @llvm.bswap.i32(i32 %325)
  %327 = zext i32 %326 to i64
  %328 = shl nuw i64 %327, 32
  %329 = getelementptr inbounds i8, ptr %309, i64 %312
  %330 = getelementptr inbounds i8, ptr %329, i64 -4
  %331 = load i32, ptr %330, align 1
  %332 = call i32 @llvm.bswap.i32(i32 %331)
  %333 = zext i32 %332 to i64
  %334 = shl nuw nsw i64 %313, 3
  %335 = sub nuw nsw i64 64, %334
  %336 = shl nuw i64 %333, %335
  %337 = and i64 %336, 4294967295
  %338 = or disjoint i64 %337, %328
  %339 = or i64 %338, %313
  br label %362

340:
  %341 = phi i64 [ 0, %322 ], [ %347, %344 ], [ %354, %349 ], [ %361, %356 ]
  %342 = call i64 @llvm.smax.i64(i64 %313, i64 0)
  %343 = or i64 %341, %342
  br label %362

344:
  %345 = load i8, ptr %310, align 1
  %346 = zext i8 %345 to i64
  %347 = shl nuw i64 %346, 56
  %348 = icmp eq i64 %313, 1
  br i1 %348, label %340, label %349

349:
  %350 = getelementptr inbounds nuw i8, ptr %310, i64 1
  %351 = load i8, ptr %350, align 1
  %352 = zext i8 %351 to i64
  %353 = shl nuw nsw i64 %352, 48
  %354 = or disjoint i64 %353, %347
  %355 = icmp eq i64 %313, 2
  br i1 %355, label %340, label %356

356:
  %357 = getelementptr inbounds nuw i8, ptr %310, i64 2
  %358 = load i8, ptr %357, align 1
  %359 = zext i8 %358 to i64
  %360 = shl nuw nsw i64 %359, 40
  %361 = or disjoint i64 %360, %354
  br label %340

362:
  %363 = phi i64 [ %319, %315 ], [ %339, %324 ], [ %343, %340 ]
  store i64 %363, ptr %302, align 8
  %364 = add nuw nsw i64 %277, 1
  %365 = icmp eq i64 %364, %267
  br i1 %365, label %269, label %275

366:
  %367 = phi i64 [ %370, %366 ], [ 0, %269 ]
  %368 = load ptr, ptr %34, align 8
  %369 = getelementptr inbounds nuw %struct.Item, ptr %368, i64 %367
  %370 = add nuw nsw i64 %367, 1
  %371 = shl i64 %370, 7
  %372 = getelementptr i8, ptr %368, i64 %371
  %373 = getelementptr i8, ptr %372, i64 -16
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %369, ptr align 8 dereferenceable(16) %373, i64 16, i1 false)
  %374 = load ptr, ptr %34, align 8
  %375 = getelementptr inbounds nuw %struct.Item, ptr %374, i64 %367
  %376 = load i64, ptr %375, align 8
  %377 = load ptr, ptr %35, align 8
  %378 = getelementptr inbounds nuw i64, ptr %377, i64 %367
  store i64 %376, ptr %378, align 8
  %379 = load i64, ptr %42, align 8
  %380 = add nsw i64 %379, -1
  %381 = icmp slt i64 %370, %380
  br i1 %381, label %366, label %382

382:
  %383 = load i64, ptr %36, align 8
  %384 = load ptr, ptr %24, align 8
  %385 = call i64 @tolang_parallel(ptr @find_stretches, ptr %2, i64 %383, i64 1, i64 0, ptr %384)
  %386 = icmp eq i64 %385, 0
  br i1 %386, label %387, label %439

387:
  %388 = load ptr, ptr %30, align 8
  %389 = load i64, ptr %36, align 8
  %390 = getelementptr inbounds i32, ptr %388, i64 %389
  %391 = load i64, ptr %42, align 8
  %392 = load ptr, ptr %32, align 8
  %393 = icmp sgt i64 %391, 0
  br i1 %393, label %394, label %414

394:
  %395 = icmp sgt i64 %389, 0
  br label %396

396:
  %397 = phi i32 [ 0, %394 ], [ %402, %401 ]
  %398 = phi i64 [ 0, %394 ], [ %403, %401 ]
  %399 = getelementptr inbounds nuw i32, ptr %392, i64 %398
  store i32 %397, ptr %399, align 4
  %400 = getelementptr i32, ptr %390, i64 %398
  br i1 %395, label %405, label %401

401:
  %402 = phi i32 [ %397, %396 ], [ %411, %405 ]
  %403 = add nuw nsw i64 %398, 1
  %404 = icmp eq i64 %403, %391
  br i1 %404, label %414, label %396

405:
  %406 = phi i32 [ %411, %405 ], [ %397, %396 ]
  %407 = phi i64 [ %412, %405 ], [ 0, %396 ]
  %408 = mul nuw nsw i64 %407, %391
  %409 = getelementptr i32, ptr %400, i64 %408
  %410 = load i32, ptr %409, align 4
  store i32 %406, ptr %409, align 4
  %411 = add nsw i32 %410, %406
  %412 = add nuw nsw i64 %407, 1
  %413 = icmp eq i64 %412, %389
  br i1 %413, label %401, label %405

414:
  %415 = phi i32 [ 0, %387 ], [ %402, %401 ]
  %416 = getelementptr inbounds i32, ptr %392, i64 %391
  store i32 %415, ptr %416, align 4
  %417 = load i64, ptr %36, align 8
  %418 = load ptr, ptr %24, align 8
  %419 = call i64 @tolang_parallel(ptr @spread_groups, ptr %2, i64 %417, i64 1, i64 0, ptr %418)
  %420 = icmp eq i64 %419, 0
  br i1 %420, label %421, label %439

421:
  %422 = load i64, ptr %42, align 8
  %423 = load ptr, ptr %24, align 8
  %424 = call i64 @tolang_parallel(ptr @sort_stretches, ptr %2, i64 %422, i64 1, i64 0, ptr %423)
  %425 = icmp eq i64 %424, 0
  br i1 %425, label %426, label %439

426:
  %427 = load i64, ptr %40, align 8
  %428 = load ptr, ptr %24, align 8
  %429 = call i64 @tolang_parallel(ptr @rank_groups, ptr %2, i64 %427, i64 32768, i64 0, ptr %428)
  %430 = icmp eq i64 %429, 0
  br i1 %430, label %431, label %439

431:
  %432 = load i64, ptr %36, align 8
  %433 = load ptr, ptr %24, align 8
  %434 = call i64 @tolang_parallel(ptr @translate_pieces, ptr %2, i64 %432, i64 1, i64 0, ptr %433)
  %435 = icmp eq i64 %434, 0
  %436 = load ptr, ptr %34, align 8
  call void @tolang_give(ptr %436)
  %437 = load i64, ptr %40, align 8
  %438 = select i1 %435, i64 %437, i64 -1
  br label %441

439:
  %440 = load ptr, ptr %34, align 8
  call void @tolang_give(ptr %440)
  br label %441

441:
  %442 = phi i64 [ %227, %224 ], [ -2, %228 ], [ -1, %439 ], [ %438, %431 ]
  %443 = load ptr, ptr %28, align 8
  call void @tolang_give(ptr %443)
  br label %444

444:
  %445 = phi i64 [ %442, %441 ], [ -2, %1 ]
  ret i64 %445
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
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 208
  br label %17

16:
  ret void

17:
  %18 = phi i64 [ %1, %5 ], [ %427, %426 ]
  %19 = load i64, ptr %6, align 8
  %20 = load ptr, ptr %7, align 8
  %21 = load ptr, ptr %8, align 8
  %22 = shl nsw i64 %18, 18
  %23 = getelementptr inbounds i8, ptr %21, i64 %22
  br label %24

24:
  %25 = phi i64 [ 0, %17 ], [ %28, %24 ]
  %26 = getelementptr inbounds nuw i32, ptr %23, i64 %25
  %27 = getelementptr inbounds nuw i8, ptr %26, i64 16
  store <4 x i32> splat (i32 -1), ptr %26, align 4
  store <4 x i32> splat (i32 -1), ptr %27, align 4
  %28 = add nuw i64 %25, 8
  %29 = icmp eq i64 %28, 1024
  br i1 %29, label %30, label %24

30:
  %31 = shl nsw i64 %18, 15
  %32 = add nsw i64 %31, 32768
  %33 = tail call i64 @llvm.smin.i64(i64 %32, i64 %19)
  %34 = getelementptr inbounds %struct.Entry, ptr %20, i64 %31
  %35 = icmp sgt i64 %19, %31
  br i1 %35, label %36, label %421

36:
  %37 = phi i64 [ %417, %411 ], [ %31, %30 ]
  %38 = phi i64 [ %413, %411 ], [ 0, %30 ]
  %39 = phi i64 [ %412, %411 ], [ 1024, %30 ]
  %40 = load i64, ptr %9, align 8
  %41 = load ptr, ptr %0, align 8
  switch i64 %40, label %64 [
    i64 16, label %42
    i64 8, label %59
  ]

42:
  %43 = getelementptr inbounds %struct.View, ptr %41, i64 %37
  %44 = load i32, ptr %43, align 4
  %45 = sext i32 %44 to i64
  %46 = icmp ult i32 %44, 13
  br i1 %46, label %47, label %52

47:
  %48 = getelementptr inbounds nuw i8, ptr %43, i64 4
  %49 = load i64, ptr %12, align 8
  %50 = mul i64 %45, -7046029254386353131
  %51 = xor i64 %49, %50
  br label %119

52:
  %53 = getelementptr inbounds nuw i8, ptr %43, i64 12
  %54 = load i32, ptr %53, align 4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %57 = load i32, ptr %56, align 4
  %58 = sext i32 %57 to i64
  br label %75

59:
  %60 = getelementptr i64, ptr %41, i64 %37
  %61 = load i64, ptr %60, align 8
  %62 = getelementptr i8, ptr %60, i64 8
  %63 = load i64, ptr %62, align 8
  br label %71

64:
  %65 = getelementptr i32, ptr %41, i64 %37
  %66 = load i32, ptr %65, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr i8, ptr %65, i64 4
  %69 = load i32, ptr %68, align 4
  %70 = sext i32 %69 to i64
  br label %71

71:
  %72 = phi i64 [ %61, %59 ], [ %67, %64 ]
  %73 = phi i64 [ %63, %59 ], [ %70, %64 ]
  %74 = sub nsw i64 %73, %72
  br label %75

75:
  %76 = phi i64 [ %45, %52 ], [ %74, %71 ]
  %77 = phi i64 [ %55, %52 ], [ %72, %71 ]
  %78 = phi i64 [ %58, %52 ], [ 0, %71 ]
  %79 = icmp slt i64 %76, 0
  %80 = icmp slt i64 %77, 0
  %81 = select i1 %79, i1 true, i1 %80
  %82 = icmp slt i64 %78, 0
  %83 = select i1 %81, i1 true, i1 %82
  br i1 %83, label %425, label %84

84:
  %85 = load i64, ptr %10, align 8
  %86 = icmp slt i64 %78, %85
  br i1 %86, label %87, label %425

87:
  %88 = load ptr, ptr %11, align 8
  %89 = getelementptr inbounds nuw %struct.Buffer, ptr %88, i64 %78
  %90 = getelementptr inbounds nuw i8, ptr %89, i64 8
  %91 = load i64, ptr %90, align 8
  %92 = sub nsw i64 %91, %76
  %93 = icmp sgt i64 %77, %92
  br i1 %93, label %425, label %94

94:
  %95 = load ptr, ptr %89, align 8
  %96 = getelementptr inbounds nuw i8, ptr %95, i64 %77
  %97 = load i64, ptr %12, align 8
  %98 = mul i64 %76, -7046029254386353131
  %99 = xor i64 %97, %98
  %100 = icmp samesign ugt i64 %76, 16
  br i1 %100, label %101, label %119

101:
  %102 = phi i64 [ %115, %101 ], [ %99, %94 ]
  %103 = phi ptr [ %116, %101 ], [ %96, %94 ]
  %104 = phi i64 [ %117, %101 ], [ %76, %94 ]
  %105 = load i64, ptr %103, align 1
  %106 = xor i64 %105, %102
  %107 = getelementptr inbounds nuw i8, ptr %103, i64 8
  %108 = load i64, ptr %107, align 1
  %109 = xor i64 %108, -2960836687051489901
  %110 = zext i64 %106 to i128
  %111 = zext i64 %109 to i128
  %112 = mul nuw i128 %111, %110
  %113 = lshr i128 %112, 64
  %114 = xor i128 %113, %112
  %115 = trunc i128 %114 to i64
  %116 = getelementptr inbounds nuw i8, ptr %103, i64 16
  %117 = add nsw i64 %104, -16
  %118 = icmp samesign ugt i64 %104, 32
  br i1 %118, label %101, label %119

119:
  %120 = phi i64 [ %97, %94 ], [ %49, %47 ], [ %97, %101 ]
  %121 = phi i64 [ %76, %94 ], [ %45, %47 ], [ %76, %101 ]
  %122 = phi ptr [ %96, %94 ], [ %48, %47 ], [ %96, %101 ]
  %123 = phi i64 [ %76, %94 ], [ %45, %47 ], [ %117, %101 ]
  %124 = phi ptr [ %96, %94 ], [ %48, %47 ], [ %116, %101 ]
  %125 = phi i64 [ %99, %94 ], [ %51, %47 ], [ %115, %101 ]
  %126 = icmp samesign ugt i64 %123, 7
  br i1 %126, label %127, label %132

127:
  %128 = load i64, ptr %124, align 1
  %129 = getelementptr inbounds nuw i8, ptr %124, i64 %123
  %130 = getelementptr inbounds i8, ptr %129, i64 -8
  %131 = load i64, ptr %130, align 1
  br label %158

132:
  %133 = icmp samesign ugt i64 %123, 3
  br i1 %133, label %134, label %141

134:
  %135 = load i32, ptr %124, align 1
  %136 = zext i32 %135 to i64
  %137 = getelementptr inbounds nuw i8, ptr %124, i64 %123
  %138 = getelementptr inbounds i8, ptr %137, i64 -4
  %139 = load i32, ptr %138, align 1
  %140 = zext i32 %139 to i64
  br label %158

141:
  %142 = icmp eq i64 %123, 0
  br i1 %142, label %158, label %143

143:
  %144 = load i8, ptr %124, align 1
  %145 = zext i8 %144 to i64
  %146 = shl nuw nsw i64 %145, 16
  %147 = lshr i64 %123, 1
  %148 = getelementptr inbounds nuw i8, ptr %124, i64 %147
  %149 = load i8, ptr %148, align 1
  %150 = zext i8 %149 to i64
  %151 = shl nuw nsw i64 %150, 8
  %152 = or disjoint i64 %151, %146
  %153 = getelementptr i8, ptr %124, i64 %123
  %154 = getelementptr i8, ptr %153, i64 -1
  %155 = load i8, ptr %154, align 1
  %156 = zext i8 %155 to i64
  %157 = or disjoint i64 %152, %156
  br label %158

158:
  %159 = phi i64 [ %128, %127 ], [ %136, %134 ], [ %157, %143 ], [ 0, %141 ]
  %160 = phi i64 [ %131, %127 ], [ %140, %134 ], [ 0, %143 ], [ 0, %141 ]
  %161 = xor i64 %159, %125
  %162 = xor i64 %160, -6884282663029611473
  %163 = zext i64 %161 to i128
  %164 = zext i64 %162 to i128
  %165 = mul nuw i128 %164, %163
  %166 = lshr i128 %165, 64
  %167 = xor i128 %166, %165
  %168 = trunc i128 %167 to i64
  %169 = xor i64 %168, -1800455987208640293
  %170 = or i64 %120, 1
  %171 = zext i64 %169 to i128
  %172 = zext i64 %170 to i128
  %173 = mul nuw i128 %171, %172
  %174 = lshr i128 %173, 64
  %175 = xor i128 %174, %173
  %176 = trunc i128 %175 to i64
  %177 = add nsw i64 %39, -1
  %178 = and i64 %177, %176
  %179 = getelementptr inbounds i32, ptr %23, i64 %178
  %180 = load i32, ptr %179, align 4
  %181 = icmp sgt i32 %180, -1
  br i1 %181, label %182, label %257

182:
  %183 = icmp samesign ugt i64 %121, 7
  %184 = icmp samesign ugt i64 %121, 3
  %185 = icmp eq i64 %121, 0
  %186 = getelementptr inbounds nuw i8, ptr %122, i64 %121
  %187 = getelementptr inbounds i8, ptr %186, i64 -4
  %188 = getelementptr inbounds i8, ptr %186, i64 -8
  %189 = icmp eq i64 %121, 1
  %190 = getelementptr inbounds nuw i8, ptr %122, i64 1
  %191 = icmp eq i64 %121, 2
  %192 = getelementptr inbounds nuw i8, ptr %122, i64 2
  br label %193

193:
  %194 = phi i32 [ %255, %251 ], [ %180, %182 ]
  %195 = phi i64 [ %253, %251 ], [ %178, %182 ]
  %196 = zext nneg i32 %194 to i64
  %197 = getelementptr inbounds nuw %struct.Entry, ptr %34, i64 %196
  %198 = load i64, ptr %197, align 8
  %199 = icmp eq i64 %198, %176
  br i1 %199, label %200, label %251

200:
  %201 = getelementptr inbounds nuw i8, ptr %197, i64 16
  %202 = load i64, ptr %201, align 8
  %203 = icmp eq i64 %202, %121
  br i1 %203, label %204, label %251

204:
  %205 = getelementptr inbounds nuw i8, ptr %197, i64 8
  %206 = load ptr, ptr %205, align 8
  br i1 %183, label %207, label %217

207:
  %208 = phi i64 [ %209, %211 ], [ 0, %204 ]
  %209 = add nuw nsw i64 %208, 8
  %210 = icmp slt i64 %209, %121
  br i1 %210, label %211, label %245

211:
  %212 = getelementptr inbounds nuw i8, ptr %206, i64 %208
  %213 = load i64, ptr %212, align 1
  %214 = getelementptr inbounds nuw i8, ptr %122, i64 %208
  %215 = load i64, ptr %214, align 1
  %216 = icmp eq i64 %213, %215
  br i1 %216, label %207, label %251

217:
  br i1 %184, label %219, label %218

218:
  br i1 %185, label %411, label %241

219:
  %220 = load i32, ptr %206, align 1
  %221 = load i32, ptr %122, align 1
  %222 = icmp eq i32 %220, %221
  br i1 %222, label %223, label %251

223:
  %224 = getelementptr inbounds nuw i8, ptr %206, i64 %121
  %225 = getelementptr inbounds i8, ptr %224, i64 -4
  %226 = load i32, ptr %225, align 1
  %227 = load i32, ptr %187, align 1
  %228 = icmp eq i32 %226, %227
  br i1 %228, label %411, label %251

229:
  br i1 %189, label %411, label %230

230:
  %231 = getelementptr inbounds nuw i8, ptr %206, i64 1
  %232 = load i8, ptr %231, align 1
  %233 = load i8, ptr %190, align 1
  %234 = icmp eq i8 %232, %233
  br i1 %234, label %235, label %251

235:
  br i1 %191, label %411, label %236

236:
  %237 = getelementptr inbounds nuw i8, ptr %206, i64 2
  %238 = load i8, ptr %237, align 1
  %239 = load i8, ptr %192, align 1
  %240 = icmp eq i8 %238, %239
  br i1 %240, label %411, label %251

241:
  %242 = load i8, ptr %206, align 1
  %243 = load i8, ptr %122, align 1
  %244 = icmp eq i8 %242, %243
  br i1 %244, label %229, label %251

245:
  %246 = getelementptr inbounds nuw i8, ptr %206, i64 %121
  %247 = getelementptr inbounds i8, ptr %246, i64 -8
  %248 = load i64, ptr %247, align 1
  %249 = load i64, ptr %188, align 1
  %250 = icmp eq i64 %248, %249
  br i1 %250, label %411, label %251

251:
  %252 = add nsw i64 %195, 1
  %253 = and i64 %252, %177
  %254 = getelementptr inbounds i32, ptr %23, i64 %253
  %255 = load i32, ptr %254, align 4
  %256 = icmp sgt i32 %255, -1
  br i1 %256, label %193, label %257

257:
  %258 = phi i64 [ %178, %158 ], [ %253, %251 ]
  %259 = getelementptr inbounds i32, ptr %23, i64 %258
  %260 = icmp sgt i64 %121, 0
  br i1 %260, label %262, label %360

261:
  br label %274

262:
  %263 = phi i64 [ %275, %274 ], [ 0, %257 ]
  %264 = add nsw i64 %263, 8
  %265 = icmp sgt i64 %264, %121
  %266 = getelementptr inbounds i8, ptr %122, i64 %263
  br i1 %265, label %267, label %269

267:
  %268 = load i8, ptr %266, align 1
  br label %277

269:
  %270 = load i64, ptr %266, align 1
  %271 = and i64 %270, -9187201950435737472
  %272 = icmp eq i64 %271, 0
  %273 = trunc i64 %270 to i8
  br i1 %272, label %274, label %277

274:
  %275 = phi i64 [ %264, %269 ], [ %320, %261 ], [ %279, %314 ]
  %276 = icmp slt i64 %275, %121
  br i1 %276, label %262, label %360

277:
  %278 = phi i8 [ %268, %267 ], [ %273, %269 ]
  %279 = add nsw i64 %263, 1
  %280 = icmp sgt i8 %278, -1
  br i1 %280, label %290, label %281

281:
  %282 = icmp samesign ult i8 %278, -62
  br i1 %282, label %425, label %283

283:
  %284 = icmp samesign ult i8 %278, -32
  br i1 %284, label %290, label %285

285:
  %286 = icmp samesign ult i8 %278, -16
  br i1 %286, label %290, label %287

287:
  %288 = icmp samesign ult i8 %278, -11
  %289 = select i1 %288, i32 3, i32 4
  br label %290

290:
  %291 = phi i32 [ 0, %277 ], [ 2, %285 ], [ 1, %283 ], [ %289, %287 ]
  %292 = icmp eq i32 %291, 4
  %293 = zext nneg i32 %291 to i64
  %294 = add nsw i64 %279, %293
  %295 = icmp sgt i64 %294, %121
  %296 = select i1 %292, i1 true, i1 %295
  br i1 %296, label %425, label %297

297:
  switch i8 %278, label %314 [
    i8 -32, label %298
    i8 -19, label %302
    i8 -16, label %306
    i8 -12, label %310
  ]

298:
  %299 = getelementptr inbounds i8, ptr %122, i64 %279
  %300 = load i8, ptr %299, align 1
  %301 = icmp ult i8 %300, -96
  br i1 %301, label %425, label %314

302:
  %303 = getelementptr inbounds i8, ptr %122, i64 %279
  %304 = load i8, ptr %303, align 1
  %305 = icmp ugt i8 %304, -97
  br i1 %305, label %425, label %314

306:
  %307 = getelementptr inbounds i8, ptr %122, i64 %279
  %308 = load i8, ptr %307, align 1
  %309 = icmp ult i8 %308, -112
  br i1 %309, label %425, label %314

310:
  %311 = getelementptr inbounds i8, ptr %122, i64 %279
  %312 = load i8, ptr %311, align 1
  %313 = icmp ugt i8 %312, -113
  br i1 %313, label %425, label %314

314:
  %315 = icmp eq i32 %291, 0
  br i1 %315, label %274, label %316

316:
  %317 = add i64 %263, 2
  %318 = add nsw i32 %291, -1
  %319 = zext nneg i32 %318 to i64
  %320 = add i64 %317, %319
  %321 = getelementptr inbounds i8, ptr %122, i64 %279
  %322 = load i8, ptr %321, align 1
  %323 = icmp slt i8 %322, -64
  br i1 %323, label %324, label %425

324:
  %325 = icmp eq i32 %291, 1
  br i1 %325, label %261, label %326

326:
  %327 = getelementptr i8, ptr %122, i64 %263
  %328 = getelementptr i8, ptr %327, i64 2
  %329 = load i8, ptr %328, align 1
  %330 = icmp slt i8 %329, -64
  br i1 %330, label %331, label %425

331:
  %332 = icmp eq i32 %291, 2
  br i1 %332, label %261, label %333

333:
  %334 = getelementptr i8, ptr %122, i64 %263
  %335 = getelementptr i8, ptr %334, i64 3
  %336 = load i8, ptr %335, align 1
  %337 = icmp slt i8 %336, -64
  br i1 %337, label %338, label %425

338:
  %339 = icmp eq i32 %291, 3
  br i1 %339, label %261, label %340

340:
  %341 = getelementptr i8, ptr %122, i64 %263
  %342 = getelementptr i8, ptr %341, i64 4
  %343 = load i8, ptr %342, align 1
  %344 = icmp slt i8 %343, -64
  br i1 %344, label %345, label %425

345:
  %346 = getelementptr i8, ptr %122, i64 %263
  %347 = getelementptr i8, ptr %346, i64 5
  %348 = load i8, ptr %347, align 1
  %349 = icmp slt i8 %348, -64
  br i1 %349, label %350, label %425

350:
  %351 = getelementptr i8, ptr %122, i64 %263
  %352 = getelementptr i8, ptr %351, i64 6
  %353 = load i8, ptr %352, align 1
  %354 = icmp slt i8 %353, -64
  br i1 %354, label %355, label %425

355:
  %356 = getelementptr i8, ptr %122, i64 %263
  %357 = getelementptr i8, ptr %356, i64 7
  %358 = load i8, ptr %357, align 1
  %359 = icmp slt i8 %358, -64
  br i1 %359, label %261, label %425

360:
  %361 = trunc i64 %38 to i32
  store i32 %361, ptr %259, align 4
  %362 = add nsw i64 %38, 1
  %363 = getelementptr inbounds %struct.Entry, ptr %34, i64 %38
  store i64 %176, ptr %363, align 8
  %364 = getelementptr inbounds nuw i8, ptr %363, i64 8
  store ptr %122, ptr %364, align 8
  %365 = getelementptr inbounds nuw i8, ptr %363, i64 16
  store i64 %121, ptr %365, align 8
  %366 = getelementptr inbounds nuw i8, ptr %363, i64 24
  store i64 %37, ptr %366, align 8
  %367 = shl nsw i64 %362, 1
  %368 = icmp sgt i64 %367, %39
  br i1 %368, label %369, label %411

369:
  %370 = shl i64 %39, 2
  %371 = icmp sgt i64 %39, 0
  br i1 %371, label %372, label %386

372:
  %373 = icmp ult i64 %370, 8
  br i1 %373, label %384, label %374

374:
  %375 = and i64 %370, -8
  br label %376

376:
  %377 = phi i64 [ 0, %374 ], [ %380, %376 ]
  %378 = getelementptr inbounds nuw i32, ptr %23, i64 %377
  %379 = getelementptr inbounds nuw i8, ptr %378, i64 16
  store <4 x i32> splat (i32 -1), ptr %378, align 4
  store <4 x i32> splat (i32 -1), ptr %379, align 4
  %380 = add nuw i64 %377, 8
  %381 = icmp eq i64 %380, %375
  br i1 %381, label %382, label %376

382:
  %383 = icmp eq i64 %370, %375
  br i1 %383, label %386, label %384

384:
  %385 = phi i64 [ 0, %372 ], [ %375, %382 ]
  br label %390

386:
  %387 = icmp sgt i64 %38, -1
  br i1 %387, label %388, label %411

388:
  %389 = add nsw i64 %370, -1
  br label %395

390:
  %391 = phi i64 [ %393, %390 ], [ %385, %384 ]
  %392 = getelementptr inbounds nuw i32, ptr %23, i64 %391
  store i32 -1, ptr %392, align 4
  %393 = add nuw nsw i64 %391, 1
  %394 = icmp eq i64 %393, %370
  br i1 %394, label %386, label %390

395:
  %396 = phi i64 [ 0, %388 ], [ %409, %406 ]
  %397 = getelementptr inbounds nuw %struct.Entry, ptr %34, i64 %396
  %398 = load i64, ptr %397, align 8
  br label %399

399:
  %400 = phi i64 [ %398, %395 ], [ %405, %399 ]
  %401 = and i64 %400, %389
  %402 = getelementptr inbounds i32, ptr %23, i64 %401
  %403 = load i32, ptr %402, align 4
  %404 = icmp sgt i32 %403, -1
  %405 = add nsw i64 %401, 1
  br i1 %404, label %399, label %406

406:
  %407 = getelementptr inbounds i32, ptr %23, i64 %401
  %408 = trunc i64 %396 to i32
  store i32 %408, ptr %407, align 4
  %409 = add nuw nsw i64 %396, 1
  %410 = icmp eq i64 %396, %38
  br i1 %410, label %411, label %395

411:
  %412 = phi i64 [ %370, %406 ], [ %39, %360 ], [ %370, %386 ], [ %39, %236 ], [ %39, %235 ], [ %39, %229 ], [ %39, %218 ], [ %39, %223 ], [ %39, %245 ]
  %413 = phi i64 [ %362, %406 ], [ %362, %360 ], [ %362, %386 ], [ %38, %236 ], [ %38, %235 ], [ %38, %229 ], [ %38, %218 ], [ %38, %223 ], [ %38, %245 ]
  %414 = phi i32 [ %361, %406 ], [ %361, %360 ], [ %361, %386 ], [ %194, %236 ], [ %194, %235 ], [ %194, %229 ], [ %194, %218 ], [ %194, %223 ], [ %194, %245 ]
  %415 = load ptr, ptr %13, align 8
  %416 = getelementptr inbounds i32, ptr %415, i64 %37
  store i32 %414, ptr %416, align 4
  %417 = add nsw i64 %37, 1
  %418 = icmp slt i64 %417, %33
  br i1 %418, label %36, label %419

419:
  %420 = trunc i64 %413 to i32
  br label %421

421:
  %422 = phi i32 [ 0, %30 ], [ %420, %419 ]
  %423 = load ptr, ptr %14, align 8
  %424 = getelementptr inbounds i32, ptr %423, i64 %18
  store i32 %422, ptr %424, align 4
  br label %426

425:
  store atomic i64 1, ptr %15 monotonic, align 8
  br label %426

426:
  %427 = add nsw i64 %18, 1
  %428 = icmp eq i64 %427, %2
  br i1 %428, label %16, label %17
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
  %13 = phi i64 [ %1, %5 ], [ %190, %189 ]
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
  br i1 %51, label %52, label %189

52:
  %53 = add nsw i64 %24, -1
  br label %54

54:
  %55 = phi i64 [ 0, %52 ], [ %187, %177 ]
  %56 = add nuw nsw i64 %55, 24
  %57 = icmp slt i64 %56, %21
  br i1 %57, label %58, label %70

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
  %67 = getelementptr inbounds %struct.Entry, ptr %65, i64 %64
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 8
  %69 = load ptr, ptr %68, align 8
  tail call void @llvm.prefetch.p0(ptr %69, i32 0, i32 3, i32 1)
  br label %70

70:
  %71 = getelementptr inbounds nuw %struct.Spread, ptr %34, i64 %55
  %72 = getelementptr inbounds nuw i8, ptr %71, i64 8
  %73 = load i64, ptr %72, align 8
  %74 = load i64, ptr %71, align 8
  %75 = and i64 %74, %53
  %76 = getelementptr inbounds i32, ptr %32, i64 %75
  %77 = load i32, ptr %76, align 4
  %78 = icmp sgt i32 %77, -1
  br i1 %78, label %79, label %167

79:
  %80 = phi i32 [ %165, %161 ], [ %77, %70 ]
  %81 = phi i64 [ %163, %161 ], [ %75, %70 ]
  %82 = zext nneg i32 %80 to i64
  %83 = getelementptr inbounds nuw %struct.Spread, ptr %34, i64 %82
  %84 = load i64, ptr %83, align 8
  %85 = icmp eq i64 %84, %74
  br i1 %85, label %86, label %161

86:
  %87 = load ptr, ptr %9, align 8
  %88 = getelementptr inbounds nuw i8, ptr %83, i64 8
  %89 = load i64, ptr %88, align 8
  %90 = getelementptr inbounds %struct.Entry, ptr %87, i64 %89
  %91 = getelementptr inbounds %struct.Entry, ptr %87, i64 %73
  %92 = load i64, ptr %90, align 8
  %93 = load i64, ptr %91, align 8
  %94 = icmp eq i64 %92, %93
  br i1 %94, label %95, label %161

95:
  %96 = getelementptr inbounds nuw i8, ptr %90, i64 16
  %97 = load i64, ptr %96, align 8
  %98 = getelementptr inbounds nuw i8, ptr %91, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = icmp eq i64 %97, %99
  br i1 %100, label %101, label %161

101:
  %102 = getelementptr inbounds nuw i8, ptr %90, i64 8
  %103 = load ptr, ptr %102, align 8
  %104 = getelementptr inbounds nuw i8, ptr %91, i64 8
  %105 = load ptr, ptr %104, align 8
  %106 = icmp sgt i64 %97, 7
  br i1 %106, label %107, label %117

107:
  %108 = phi i64 [ %109, %111 ], [ 0, %101 ]
  %109 = add nuw nsw i64 %108, 8
  %110 = icmp slt i64 %109, %97
  br i1 %110, label %111, label %153

111:
  %112 = getelementptr inbounds nuw i8, ptr %103, i64 %108
  %113 = load i64, ptr %112, align 1
  %114 = getelementptr inbounds nuw i8, ptr %105, i64 %108
  %115 = load i64, ptr %114, align 1
  %116 = icmp eq i64 %113, %115
  br i1 %116, label %107, label %161

117:
  %118 = icmp sgt i64 %97, 3
  br i1 %118, label %121, label %119

119:
  %120 = icmp sgt i64 %97, 0
  br i1 %120, label %149, label %171

121:
  %122 = load i32, ptr %103, align 1
  %123 = load i32, ptr %105, align 1
  %124 = icmp eq i32 %122, %123
  br i1 %124, label %125, label %161

125:
  %126 = getelementptr inbounds nuw i8, ptr %103, i64 %97
  %127 = getelementptr inbounds i8, ptr %126, i64 -4
  %128 = load i32, ptr %127, align 1
  %129 = getelementptr inbounds nuw i8, ptr %105, i64 %97
  %130 = getelementptr inbounds i8, ptr %129, i64 -4
  %131 = load i32, ptr %130, align 1
  %132 = icmp eq i32 %128, %131
  br i1 %132, label %175, label %161

133:
  %134 = icmp eq i64 %97, 1
  br i1 %134, label %173, label %135

135:
  %136 = getelementptr inbounds nuw i8, ptr %103, i64 1
  %137 = load i8, ptr %136, align 1
  %138 = getelementptr inbounds nuw i8, ptr %105, i64 1
  %139 = load i8, ptr %138, align 1
  %140 = icmp eq i8 %137, %139
  br i1 %140, label %141, label %161

141:
  %142 = icmp eq i64 %97, 2
  br i1 %142, label %173, label %143

143:
  %144 = getelementptr inbounds nuw i8, ptr %103, i64 2
  %145 = load i8, ptr %144, align 1
  %146 = getelementptr inbounds nuw i8, ptr %105, i64 2
  %147 = load i8, ptr %146, align 1
  %148 = icmp eq i8 %145, %147
  br i1 %148, label %173, label %161

149:
  %150 = load i8, ptr %103, align 1
  %151 = load i8, ptr %105, align 1
  %152 = icmp eq i8 %150, %151
  br i1 %152, label %133, label %161

153:
  %154 = getelementptr inbounds nuw i8, ptr %103, i64 %97
  %155 = getelementptr inbounds i8, ptr %154, i64 -8
  %156 = load i64, ptr %155, align 1
  %157 = getelementptr inbounds nuw i8, ptr %105, i64 %97
  %158 = getelementptr inbounds i8, ptr %157, i64 -8
  %159 = load i64, ptr %158, align 1
  %160 = icmp eq i64 %156, %159
  br i1 %160, label %175, label %161

161:
  %162 = add nsw i64 %81, 1
  %163 = and i64 %162, %53
  %164 = getelementptr inbounds i32, ptr %32, i64 %163
  %165 = load i32, ptr %164, align 4
  %166 = icmp sgt i32 %165, -1
  br i1 %166, label %79, label %167

167:
  %168 = phi i64 [ %75, %70 ], [ %163, %161 ]
  %169 = getelementptr inbounds i32, ptr %32, i64 %168
  %170 = trunc i64 %55 to i32
  store i32 %170, ptr %169, align 4
  br label %177

171:
  %172 = getelementptr inbounds i32, ptr %32, i64 %81
  br label %177

173:
  %174 = getelementptr inbounds i32, ptr %32, i64 %81
  br label %177

175:
  %176 = getelementptr inbounds i32, ptr %32, i64 %81
  br label %177

177:
  %178 = phi ptr [ %176, %175 ], [ %169, %167 ], [ %174, %173 ], [ %172, %171 ]
  %179 = load i32, ptr %178, align 4
  %180 = sext i32 %179 to i64
  %181 = getelementptr inbounds %struct.Spread, ptr %34, i64 %180
  %182 = getelementptr inbounds nuw i8, ptr %181, i64 8
  %183 = load i64, ptr %182, align 8
  %184 = trunc i64 %183 to i32
  %185 = load ptr, ptr %10, align 8
  %186 = getelementptr inbounds i32, ptr %185, i64 %73
  store i32 %184, ptr %186, align 4
  %187 = add nuw nsw i64 %55, 1
  %188 = icmp eq i64 %187, %21
  br i1 %188, label %189, label %54

189:
  %190 = add nsw i64 %13, 1
  %191 = icmp eq i64 %190, %2
  br i1 %191, label %11, label %12
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
  %16 = phi i64 [ %1, %5 ], [ %97, %96 ]
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
  br i1 %27, label %28, label %86

28:
  %29 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %30 = load ptr, ptr %29, align 8
  br label %31

31:
  %32 = phi i64 [ %26, %28 ], [ %83, %82 ]
  %33 = phi i64 [ 0, %28 ], [ %84, %82 ]
  %34 = add nuw nsw i64 %33, 24
  %35 = icmp slt i64 %34, %21
  br i1 %35, label %36, label %49

36:
  %37 = getelementptr inbounds nuw %struct.Item, ptr %18, i64 %34
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 8
  %39 = load i32, ptr %38, align 8
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds nuw %struct.Item, ptr %18, i64 %33
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 200
  %43 = load i32, ptr %42, align 8
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds %struct.Entry, ptr %11, i64 %40
  tail call void @llvm.prefetch.p0(ptr %45, i32 0, i32 3, i32 1)
  %46 = getelementptr inbounds %struct.Entry, ptr %11, i64 %44
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 8
  %48 = load ptr, ptr %47, align 8
  tail call void @llvm.prefetch.p0(ptr %48, i32 0, i32 3, i32 1)
  br label %49

49:
  %50 = getelementptr inbounds nuw %struct.Item, ptr %18, i64 %33
  %51 = getelementptr inbounds nuw i8, ptr %50, i64 8
  %52 = load i32, ptr %51, align 8
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds %struct.Entry, ptr %11, i64 %53
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 8
  %56 = load ptr, ptr %55, align 8
  %57 = getelementptr inbounds nuw i8, ptr %54, i64 16
  %58 = load i64, ptr %57, align 8
  %59 = tail call i64 @llvm.smin.i64(i64 %32, i64 %58)
  br label %60

60:
  %61 = phi i64 [ 0, %49 ], [ %62, %64 ]
  %62 = add nuw nsw i64 %61, 8
  %63 = icmp sgt i64 %62, %59
  br i1 %63, label %70, label %64

64:
  %65 = getelementptr inbounds nuw i8, ptr %30, i64 %61
  %66 = load i64, ptr %65, align 1
  %67 = getelementptr inbounds nuw i8, ptr %56, i64 %61
  %68 = load i64, ptr %67, align 1
  %69 = icmp eq i64 %66, %68
  br i1 %69, label %60, label %70

70:
  %71 = icmp slt i64 %61, %59
  br i1 %71, label %72, label %82

72:
  %73 = phi i64 [ %80, %79 ], [ %61, %70 ]
  %74 = getelementptr inbounds nuw i8, ptr %30, i64 %73
  %75 = load i8, ptr %74, align 1
  %76 = getelementptr inbounds nuw i8, ptr %56, i64 %73
  %77 = load i8, ptr %76, align 1
  %78 = icmp eq i8 %75, %77
  br i1 %78, label %79, label %82

79:
  %80 = add nuw i64 %73, 1
  %81 = icmp eq i64 %80, %59
  br i1 %81, label %82, label %72

82:
  %83 = phi i64 [ %61, %70 ], [ %59, %79 ], [ %73, %72 ]
  %84 = add nuw nsw i64 %33, 1
  %85 = icmp eq i64 %84, %21
  br i1 %85, label %86, label %31

86:
  %87 = phi i64 [ %26, %15 ], [ %83, %82 ]
  %88 = load atomic i64, ptr %13 monotonic, align 8
  br label %89

89:
  %90 = phi i64 [ %88, %86 ], [ %95, %92 ]
  %91 = icmp slt i64 %87, %90
  br i1 %91, label %92, label %96

92:
  %93 = cmpxchg ptr %13, i64 %90, i64 %87 monotonic monotonic, align 8
  %94 = extractvalue { i64, i1 } %93, 1
  %95 = extractvalue { i64, i1 } %93, 0
  br i1 %94, label %96, label %89

96:
  %97 = add nsw i64 %16, 1
  %98 = icmp eq i64 %97, %2
  br i1 %98, label %14, label %15
}

define internal void @find_stretches(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %16

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %15 = load ptr, ptr %6, align 8
  br label %17

16:
  ret void

17:
  %18 = phi ptr [ %15, %5 ], [ %41, %40 ]
  %19 = phi i64 [ %1, %5 ], [ %42, %40 ]
  %20 = load i64, ptr %7, align 8
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = load i64, ptr %8, align 8
  %23 = mul nsw i64 %22, %19
  %24 = getelementptr inbounds i32, ptr %21, i64 %23
  %25 = icmp sgt i64 %22, 0
  br i1 %25, label %34, label %28

26:
  %27 = load ptr, ptr %6, align 8
  br label %28

28:
  %29 = phi ptr [ %27, %26 ], [ %18, %17 ]
  %30 = shl nsw i64 %19, 15
  %31 = getelementptr inbounds i32, ptr %29, i64 %19
  %32 = load i32, ptr %31, align 4
  %33 = icmp sgt i32 %32, 0
  br i1 %33, label %44, label %40

34:
  %35 = phi i64 [ %37, %34 ], [ 0, %17 ]
  %36 = getelementptr inbounds nuw i32, ptr %24, i64 %35
  store i32 0, ptr %36, align 4
  %37 = add nuw nsw i64 %35, 1
  %38 = load i64, ptr %8, align 8
  %39 = icmp slt i64 %37, %38
  br i1 %39, label %34, label %26

40:
  %41 = phi ptr [ %29, %28 ], [ %212, %203 ]
  %42 = add nsw i64 %19, 1
  %43 = icmp eq i64 %42, %2
  br i1 %43, label %16, label %17

44:
  %45 = phi i64 [ %211, %203 ], [ %30, %28 ]
  %46 = load ptr, ptr %9, align 8
  %47 = getelementptr inbounds %struct.Item, ptr %46, i64 %45
  %48 = load ptr, ptr %10, align 8
  %49 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %50 = load i32, ptr %49, align 8
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds %struct.Entry, ptr %48, i64 %51
  %53 = load i64, ptr %11, align 8
  %54 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %55 = load ptr, ptr %54, align 8
  %56 = getelementptr inbounds i8, ptr %55, i64 %53
  %57 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %58 = load i64, ptr %57, align 8
  %59 = sub nsw i64 %58, %53
  %60 = icmp sgt i64 %59, 7
  br i1 %60, label %61, label %66

61:
  %62 = load i64, ptr %56, align 1
  %63 = and i64 %62, 72057594037927935
  %64 = or disjoint i64 %63, 576460752303423488
  %65 = tail call i64 @llvm.bswap.i64(i64 %64)
  br label %108

66:
  %67 = icmp sgt i64 %59, 3
  br i1 %67, label %70, label %68

68:
  %69 = icmp sgt i64 %59, 0
  br i1 %69, label %90, label %86

70:
  %71 = load i32, ptr %56, align 1
  %72 = tail call i32 @llvm.bswap.i32(i32 %71)
  %73 = zext i32 %72 to i64
  %74 = shl nuw i64 %73, 32
  %75 = getelementptr inbounds i8, ptr %55, i64 %58
  %76 = getelementptr inbounds i8, ptr %75, i64 -4
  %77 = load i32, ptr %76, align 1
  %78 = tail call i32 @llvm.bswap.i32(i32 %77)
  %79 = zext i32 %78 to i64
  %80 = shl nuw nsw i64 %59, 3
  %81 = sub nuw nsw i64 64, %80
  %82 = shl nuw i64 %79, %81
  %83 = and i64 %82, 4294967295
  %84 = or disjoint i64 %83, %74
  %85 = or i64 %84, %59
  br label %108

86:
  %87 = phi i64 [ 0, %68 ], [ %93, %90 ], [ %100, %95 ], [ %107, %102 ]
  %88 = tail call i64 @llvm.smax.i64(i64 %59, i64 0)
  %89 = or i64 %87, %88
  br label %108

90:
  %91 = load i8, ptr %56, align 1
  %92 = zext i8 %91 to i64
  %93 = shl nuw i64 %92, 56
  %94 = icmp eq i64 %59, 1
  br i1 %94, label %86, label %95

95:
  %96 = getelementptr inbounds nuw i8, ptr %56, i64 1
  %97 = load i8, ptr %96, align 1
  %98 = zext i8 %97 to i64
  %99 = shl nuw nsw i64 %98, 48
  %100 = or disjoint i64 %99, %93
  %101 = icmp eq i64 %59, 2
  br i1 %101, label %86, label %102

102:
  %103 = getelementptr inbounds nuw i8, ptr %56, i64 2
  %104 = load i8, ptr %103, align 1
  %105 = zext i8 %104 to i64
  %106 = shl nuw nsw i64 %105, 40
  %107 = or disjoint i64 %106, %100
  br label %86

108:
  %109 = phi i64 [ %65, %61 ], [ %85, %70 ], [ %89, %86 ]
  store i64 %109, ptr %47, align 8
  %110 = load i64, ptr %8, align 8
  %111 = add i64 %110, 1
  %112 = icmp ult i64 %111, 3
  br i1 %112, label %115, label %113

113:
  %114 = load ptr, ptr %12, align 8
  br label %127

115:
  %116 = phi i64 [ 0, %108 ], [ %137, %127 ]
  %117 = add nsw i64 %110, -1
  %118 = icmp slt i64 %116, %117
  br i1 %118, label %119, label %203

119:
  %120 = load ptr, ptr %13, align 8
  %121 = load i64, ptr %11, align 8
  %122 = icmp eq i64 %121, -1
  %123 = add nsw i64 %121, 7
  %124 = and i64 %109, 8
  %125 = icmp eq i64 %124, 0
  %126 = or i1 %122, %125
  br label %140

127:
  %128 = phi i64 [ %110, %113 ], [ %130, %127 ]
  %129 = phi i64 [ 0, %113 ], [ %137, %127 ]
  %130 = sdiv i64 %128, 2
  %131 = getelementptr i64, ptr %114, i64 %129
  %132 = getelementptr i64, ptr %131, i64 %130
  %133 = getelementptr i8, ptr %132, i64 -8
  %134 = load i64, ptr %133, align 8
  %135 = icmp ult i64 %134, %109
  %136 = select i1 %135, i64 %130, i64 0
  %137 = add nsw i64 %136, %129
  %138 = add nsw i64 %130, 1
  %139 = icmp ult i64 %138, 3
  br i1 %139, label %115, label %127

140:
  %141 = phi i64 [ %116, %119 ], [ %201, %200 ]
  %142 = getelementptr inbounds %struct.Item, ptr %120, i64 %141
  %143 = load i64, ptr %142, align 8
  %144 = icmp eq i64 %143, %109
  br i1 %144, label %147, label %145

145:
  %146 = icmp ult i64 %143, %109
  br i1 %146, label %200, label %203

147:
  br i1 %126, label %203, label %148

148:
  %149 = load ptr, ptr %10, align 8
  %150 = getelementptr inbounds nuw i8, ptr %142, i64 8
  %151 = load i32, ptr %150, align 8
  %152 = sext i32 %151 to i64
  %153 = getelementptr inbounds %struct.Entry, ptr %149, i64 %152
  %154 = getelementptr inbounds %struct.Entry, ptr %149, i64 %51
  %155 = getelementptr inbounds nuw i8, ptr %153, i64 16
  %156 = load i64, ptr %155, align 8
  %157 = getelementptr inbounds nuw i8, ptr %154, i64 16
  %158 = load i64, ptr %157, align 8
  %159 = tail call i64 @llvm.smin.i64(i64 %156, i64 %158)
  %160 = sub nsw i64 %159, %123
  %161 = getelementptr inbounds nuw i8, ptr %153, i64 8
  %162 = load ptr, ptr %161, align 8
  %163 = getelementptr inbounds i8, ptr %162, i64 %123
  %164 = getelementptr inbounds nuw i8, ptr %154, i64 8
  %165 = load ptr, ptr %164, align 8
  %166 = getelementptr inbounds i8, ptr %165, i64 %123
  br label %167

167:
  %168 = phi i64 [ 0, %148 ], [ %169, %171 ]
  %169 = add nuw nsw i64 %168, 8
  %170 = icmp sgt i64 %169, %160
  br i1 %170, label %177, label %171

171:
  %172 = getelementptr inbounds nuw i8, ptr %163, i64 %168
  %173 = load i64, ptr %172, align 1
  %174 = getelementptr inbounds nuw i8, ptr %166, i64 %168
  %175 = load i64, ptr %174, align 1
  %176 = icmp eq i64 %173, %175
  br i1 %176, label %167, label %177

177:
  %178 = icmp slt i64 %168, %160
  br i1 %178, label %179, label %189

179:
  %180 = phi i64 [ %187, %186 ], [ %168, %177 ]
  %181 = getelementptr inbounds nuw i8, ptr %163, i64 %180
  %182 = load i8, ptr %181, align 1
  %183 = getelementptr inbounds nuw i8, ptr %166, i64 %180
  %184 = load i8, ptr %183, align 1
  %185 = icmp eq i8 %182, %184
  br i1 %185, label %186, label %189

186:
  %187 = add nuw i64 %180, 1
  %188 = icmp eq i64 %187, %160
  br i1 %188, label %192, label %179

189:
  %190 = phi i64 [ %168, %177 ], [ %180, %179 ]
  %191 = icmp slt i64 %190, %160
  br i1 %191, label %194, label %192

192:
  %193 = icmp slt i64 %156, %158
  br i1 %193, label %200, label %203

194:
  %195 = getelementptr inbounds i8, ptr %163, i64 %190
  %196 = load i8, ptr %195, align 1
  %197 = getelementptr inbounds i8, ptr %166, i64 %190
  %198 = load i8, ptr %197, align 1
  %199 = icmp ult i8 %196, %198
  br i1 %199, label %200, label %203

200:
  %201 = add i64 %141, 1
  %202 = icmp eq i64 %201, %117
  br i1 %202, label %203, label %140

203:
  %204 = phi i64 [ %116, %115 ], [ %141, %192 ], [ %141, %145 ], [ %141, %147 ], [ %117, %200 ], [ %141, %194 ]
  %205 = trunc i64 %204 to i16
  %206 = load ptr, ptr %14, align 8
  %207 = getelementptr inbounds i16, ptr %206, i64 %45
  store i16 %205, ptr %207, align 2
  %208 = getelementptr inbounds i32, ptr %24, i64 %204
  %209 = load i32, ptr %208, align 4
  %210 = add nsw i32 %209, 1
  store i32 %210, ptr %208, align 4
  %211 = add nsw i64 %45, 1
  %212 = load ptr, ptr %6, align 8
  %213 = getelementptr inbounds i32, ptr %212, i64 %19
  %214 = load i32, ptr %213, align 4
  %215 = sext i32 %214 to i64
  %216 = add nsw i64 %30, %215
  %217 = icmp slt i64 %211, %216
  br i1 %217, label %44, label %40
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
  br i1 %4, label %5, label %12

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %13

10:
  %11 = icmp eq i64 %19, %2
  br i1 %11, label %12, label %13

12:
  ret void

13:
  %14 = phi i64 [ %1, %5 ], [ %19, %10 ]
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds i32, ptr %15, i64 %14
  %17 = load i32, ptr %16, align 4
  %18 = sext i32 %17 to i64
  %19 = add nsw i64 %14, 1
  %20 = getelementptr inbounds i32, ptr %15, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = sext i32 %21 to i64
  %23 = load ptr, ptr %7, align 8
  %24 = getelementptr inbounds %struct.Item, ptr %23, i64 %18
  %25 = load ptr, ptr %8, align 8
  %26 = getelementptr inbounds %struct.Item, ptr %25, i64 %18
  %27 = sub nsw i64 %22, %18
  tail call fastcc void @sort(ptr %0, ptr %24, ptr %26, i64 %27, i64 -1)
  %28 = icmp slt i32 %17, %21
  br i1 %28, label %29, label %10

29:
  %30 = phi i64 [ %45, %182 ], [ %18, %13 ]
  %31 = getelementptr inbounds %struct.Item, ptr %23, i64 %30
  %32 = add nsw i64 %30, 1
  %33 = tail call i64 @llvm.smax.i64(i64 %32, i64 %22)
  %34 = add nsw i64 %33, -1
  br label %35

35:
  %36 = phi i64 [ %39, %38 ], [ %30, %29 ]
  %37 = icmp eq i64 %36, %34
  br i1 %37, label %44, label %38

38:
  %39 = add nsw i64 %36, 1
  %40 = getelementptr inbounds %struct.Item, ptr %23, i64 %39
  %41 = load i64, ptr %40, align 8
  %42 = load i64, ptr %31, align 8
  %43 = icmp eq i64 %41, %42
  br i1 %43, label %35, label %44

44:
  %45 = phi i64 [ %33, %35 ], [ %39, %38 ]
  %46 = sub nsw i64 %45, %30
  %47 = icmp sgt i64 %46, 1
  br i1 %47, label %48, label %182

48:
  %49 = load ptr, ptr %8, align 8
  %50 = load ptr, ptr %9, align 8
  %51 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %52 = load i32, ptr %51, align 8
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds %struct.Entry, ptr %50, i64 %53
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 16
  %56 = load i64, ptr %55, align 8
  %57 = getelementptr inbounds nuw i8, ptr %54, i64 8
  %58 = load ptr, ptr %57, align 8
  br label %59

59:
  %60 = phi i64 [ %56, %48 ], [ %111, %110 ]
  %61 = phi i64 [ 0, %48 ], [ %112, %110 ]
  %62 = add nuw nsw i64 %61, 24
  %63 = icmp samesign ult i64 %62, %46
  br i1 %63, label %64, label %77

64:
  %65 = getelementptr inbounds nuw %struct.Item, ptr %31, i64 %62
  %66 = getelementptr inbounds nuw i8, ptr %65, i64 8
  %67 = load i32, ptr %66, align 8
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds nuw %struct.Item, ptr %31, i64 %61
  %70 = getelementptr inbounds nuw i8, ptr %69, i64 200
  %71 = load i32, ptr %70, align 8
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds %struct.Entry, ptr %50, i64 %68
  tail call void @llvm.prefetch.p0(ptr %73, i32 0, i32 3, i32 1)
  %74 = getelementptr inbounds %struct.Entry, ptr %50, i64 %72
  %75 = getelementptr inbounds nuw i8, ptr %74, i64 8
  %76 = load ptr, ptr %75, align 8
  tail call void @llvm.prefetch.p0(ptr %76, i32 0, i32 3, i32 1)
  br label %77

77:
  %78 = getelementptr inbounds nuw %struct.Item, ptr %31, i64 %61
  %79 = getelementptr inbounds nuw i8, ptr %78, i64 8
  %80 = load i32, ptr %79, align 8
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds %struct.Entry, ptr %50, i64 %81
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 8
  %84 = load ptr, ptr %83, align 8
  %85 = getelementptr inbounds nuw i8, ptr %82, i64 16
  %86 = load i64, ptr %85, align 8
  %87 = tail call i64 @llvm.smin.i64(i64 %60, i64 %86)
  br label %88

88:
  %89 = phi i64 [ 0, %77 ], [ %90, %92 ]
  %90 = add nuw nsw i64 %89, 8
  %91 = icmp sgt i64 %90, %87
  br i1 %91, label %98, label %92

92:
  %93 = getelementptr inbounds nuw i8, ptr %58, i64 %89
  %94 = load i64, ptr %93, align 1
  %95 = getelementptr inbounds nuw i8, ptr %84, i64 %89
  %96 = load i64, ptr %95, align 1
  %97 = icmp eq i64 %94, %96
  br i1 %97, label %88, label %98

98:
  %99 = icmp slt i64 %89, %87
  br i1 %99, label %100, label %110

100:
  %101 = phi i64 [ %108, %107 ], [ %89, %98 ]
  %102 = getelementptr inbounds nuw i8, ptr %58, i64 %101
  %103 = load i8, ptr %102, align 1
  %104 = getelementptr inbounds nuw i8, ptr %84, i64 %101
  %105 = load i8, ptr %104, align 1
  %106 = icmp eq i8 %103, %105
  br i1 %106, label %107, label %110

107:
  %108 = add nuw i64 %101, 1
  %109 = icmp eq i64 %108, %87
  br i1 %109, label %110, label %100

110:
  %111 = phi i64 [ %89, %98 ], [ %101, %100 ], [ %87, %107 ]
  %112 = add nuw nsw i64 %61, 1
  %113 = icmp eq i64 %112, %46
  br i1 %113, label %114, label %59

114:
  %115 = phi i64 [ %178, %176 ], [ 0, %110 ]
  %116 = load ptr, ptr %9, align 8
  %117 = getelementptr inbounds nuw %struct.Item, ptr %31, i64 %115
  %118 = getelementptr inbounds nuw i8, ptr %117, i64 8
  %119 = load i32, ptr %118, align 8
  %120 = sext i32 %119 to i64
  %121 = getelementptr inbounds %struct.Entry, ptr %116, i64 %120
  %122 = getelementptr inbounds nuw i8, ptr %121, i64 8
  %123 = load ptr, ptr %122, align 8
  %124 = getelementptr inbounds i8, ptr %123, i64 %111
  %125 = getelementptr inbounds nuw i8, ptr %121, i64 16
  %126 = load i64, ptr %125, align 8
  %127 = sub nsw i64 %126, %111
  %128 = icmp sgt i64 %127, 7
  br i1 %128, label %129, label %134

129:
  %130 = load i64, ptr %124, align 1
  %131 = and i64 %130, 72057594037927935
  %132 = or disjoint i64 %131, 576460752303423488
  %133 = tail call i64 @llvm.bswap.i64(i64 %132)
  br label %176

134:
  %135 = icmp sgt i64 %127, 3
  br i1 %135, label %138, label %136

136:
  %137 = icmp sgt i64 %127, 0
  br i1 %137, label %158, label %154

138:
  %139 = load i32, ptr %124, align 1
  %140 = tail call i32 @llvm.bswap.i32(i32 %139)
  %141 = zext i32 %140 to i64
  %142 = shl nuw i64 %141, 32
  %143 = getelementptr inbounds i8, ptr %123, i64 %126
  %144 = getelementptr inbounds i8, ptr %143, i64 -4
  %145 = load i32, ptr %144, align 1
  %146 = tail call i32 @llvm.bswap.i32(i32 %145)
  %147 = zext i32 %146 to i64
  %148 = shl nuw nsw i64 %127, 3
  %149 = sub nuw nsw i64 64, %148
  %150 = shl nuw i64 %147, %149
  %151 = and i64 %150, 4294967295
  %152 = or disjoint i64 %151, %142
  %153 = or i64 %152, %127
  br label %176

154:
  %155 = phi i64 [ 0, %136 ], [ %161, %158 ], [ %168, %163 ], [ %175, %170 ]
  %156 = tail call i64 @llvm.smax.i64(i64 %127, i64 0)
  %157 = or i64 %155, %156
  br label %176

158:
  %159 = load i8, ptr %124, align 1
  %160 = zext i8 %159 to i64
  %161 = shl nuw i64 %160, 56
  %162 = icmp eq i64 %127, 1
  br i1 %162, label %154, label %163

163:
  %164 = getelementptr inbounds nuw i8, ptr %124, i64 1
  %165 = load i8, ptr %164, align 1
  %166 = zext i8 %165 to i64
  %167 = shl nuw nsw i64 %166, 48
  %168 = or disjoint i64 %167, %161
  %169 = icmp eq i64 %127, 2
  br i1 %169, label %154, label %170

170:
  %171 = getelementptr inbounds nuw i8, ptr %124, i64 2
  %172 = load i8, ptr %171, align 1
  %173 = zext i8 %172 to i64
  %174 = shl nuw nsw i64 %173, 40
  %175 = or disjoint i64 %174, %168
  br label %154

176:
  %177 = phi i64 [ %133, %129 ], [ %153, %138 ], [ %157, %154 ]
  store i64 %177, ptr %117, align 8
  %178 = add nuw nsw i64 %115, 1
  %179 = icmp eq i64 %178, %46
  br i1 %179, label %180, label %114

180:
  %181 = getelementptr inbounds %struct.Item, ptr %49, i64 %30
  tail call fastcc void @sort(ptr readonly %0, ptr %31, ptr %181, i64 range(i64 2, 4294967296) %46, i64 %111)
  br label %182

182:
  %183 = icmp slt i64 %45, %22
  br i1 %183, label %29, label %10
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
  br i1 %6, label %7, label %231

7:
  %8 = icmp eq i64 %4, -1
  %9 = add nsw i64 %4, 7
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %17

11:
  %12 = icmp sgt i64 %3, 8
  br i1 %12, label %13, label %231

13:
  %14 = icmp eq i64 %4, -1
  %15 = add nsw i64 %4, 7
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %102

17:
  %18 = phi i64 [ 1, %7 ], [ %100, %96 ]
  %19 = getelementptr inbounds nuw %struct.Item, ptr %1, i64 %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = load <2 x i32>, ptr %21, align 8
  %23 = and i64 %18, 7
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %96, label %25

25:
  %26 = load i32, ptr %21, align 8
  %27 = and i64 %20, 8
  %28 = icmp eq i64 %27, 0
  %29 = or i1 %8, %28
  %30 = sext i32 %26 to i64
  br label %31

31:
  %32 = phi i64 [ %18, %25 ], [ %93, %92 ]
  %33 = getelementptr %struct.Item, ptr %1, i64 %32
  %34 = getelementptr i8, ptr %33, i64 -16
  %35 = load i64, ptr %34, align 8
  %36 = icmp eq i64 %20, %35
  br i1 %36, label %39, label %37

37:
  %38 = icmp ult i64 %20, %35
  br i1 %38, label %92, label %96

39:
  br i1 %29, label %96, label %40

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
  %53 = getelementptr inbounds nuw i8, ptr %42, i64 8
  %54 = load ptr, ptr %53, align 8
  %55 = getelementptr inbounds i8, ptr %54, i64 %9
  %56 = getelementptr inbounds nuw i8, ptr %46, i64 8
  %57 = load ptr, ptr %56, align 8
  %58 = getelementptr inbounds i8, ptr %57, i64 %9
  br label %59

59:
  %60 = phi i64 [ 0, %40 ], [ %61, %63 ]
  %61 = add nuw nsw i64 %60, 8
  %62 = icmp sgt i64 %61, %52
  br i1 %62, label %69, label %63

63:
  %64 = getelementptr inbounds nuw i8, ptr %55, i64 %60
  %65 = load i64, ptr %64, align 1
  %66 = getelementptr inbounds nuw i8, ptr %58, i64 %60
  %67 = load i64, ptr %66, align 1
  %68 = icmp eq i64 %65, %67
  br i1 %68, label %59, label %69

69:
  %70 = icmp slt i64 %60, %52
  br i1 %70, label %71, label %81

71:
  %72 = phi i64 [ %79, %78 ], [ %60, %69 ]
  %73 = getelementptr inbounds nuw i8, ptr %55, i64 %72
  %74 = load i8, ptr %73, align 1
  %75 = getelementptr inbounds nuw i8, ptr %58, i64 %72
  %76 = load i8, ptr %75, align 1
  %77 = icmp eq i8 %74, %76
  br i1 %77, label %78, label %81

78:
  %79 = add nuw i64 %72, 1
  %80 = icmp eq i64 %79, %52
  br i1 %80, label %84, label %71

81:
  %82 = phi i64 [ %60, %69 ], [ %72, %71 ]
  %83 = icmp slt i64 %82, %52
  br i1 %83, label %86, label %84

84:
  %85 = icmp slt i64 %48, %50
  br i1 %85, label %92, label %96

86:
  %87 = getelementptr inbounds i8, ptr %55, i64 %82
  %88 = load i8, ptr %87, align 1
  %89 = getelementptr inbounds i8, ptr %58, i64 %82
  %90 = load i8, ptr %89, align 1
  %91 = icmp ult i8 %88, %90
  br i1 %91, label %92, label %96

92:
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %33, ptr align 8 dereferenceable(16) %34, i64 16, i1 false)
  %93 = add nsw i64 %32, -1
  %94 = and i64 %93, 7
  %95 = icmp eq i64 %94, 0
  br i1 %95, label %96, label %31

96:
  %97 = phi i64 [ %18, %17 ], [ %32, %84 ], [ %32, %37 ], [ %32, %39 ], [ %93, %92 ], [ %32, %86 ]
  %98 = getelementptr inbounds %struct.Item, ptr %1, i64 %97
  store i64 %20, ptr %98, align 8
  %99 = getelementptr inbounds nuw i8, ptr %98, i64 8
  store <2 x i32> %22, ptr %99, align 8
  %100 = add nuw nsw i64 %18, 1
  %101 = icmp eq i64 %100, %3
  br i1 %101, label %11, label %17

102:
  %103 = phi i64 [ 8, %13 ], [ %106, %109 ]
  %104 = phi ptr [ %2, %13 ], [ %105, %109 ]
  %105 = phi ptr [ %1, %13 ], [ %104, %109 ]
  %106 = shl nsw i64 %103, 1
  br label %111

107:
  %108 = icmp eq ptr %104, %1
  br i1 %108, label %231, label %232

109:
  %110 = icmp slt i64 %106, %3
  br i1 %110, label %102, label %107

111:
  %112 = phi i64 [ 0, %102 ], [ %229, %228 ]
  %113 = sub nsw i64 %3, %112
  %114 = getelementptr inbounds %struct.Item, ptr %105, i64 %112
  %115 = getelementptr inbounds %struct.Item, ptr %104, i64 %112
  %116 = tail call i64 @llvm.smin.i64(i64 %103, i64 %113)
  %117 = tail call i64 @llvm.smin.i64(i64 %106, i64 %113)
  %118 = shl nsw i64 %116, 4
  %119 = getelementptr inbounds i8, ptr %114, i64 %118
  %120 = shl nsw i64 %117, 4
  %121 = getelementptr inbounds i8, ptr %114, i64 %120
  %122 = icmp sgt i64 %116, 0
  %123 = icmp slt i64 %118, %120
  %124 = select i1 %122, i1 %123, i1 false
  br i1 %124, label %130, label %125

125:
  %126 = phi ptr [ %119, %111 ], [ %207, %203 ]
  %127 = phi ptr [ %114, %111 ], [ %209, %203 ]
  %128 = phi ptr [ %115, %111 ], [ %206, %203 ]
  %129 = icmp ult ptr %127, %119
  br i1 %129, label %216, label %213

130:
  %131 = phi ptr [ %206, %203 ], [ %115, %111 ]
  %132 = phi ptr [ %209, %203 ], [ %114, %111 ]
  %133 = phi ptr [ %207, %203 ], [ %119, %111 ]
  %134 = load i64, ptr %133, align 8
  %135 = load i64, ptr %132, align 8
  %136 = icmp eq i64 %134, %135
  br i1 %136, label %139, label %137

137:
  %138 = icmp ult i64 %134, %135
  br label %198

139:
  %140 = and i64 %134, 8
  %141 = icmp eq i64 %140, 0
  %142 = or i1 %14, %141
  br i1 %142, label %203, label %143

143:
  %144 = load ptr, ptr %16, align 8
  %145 = getelementptr inbounds nuw i8, ptr %133, i64 8
  %146 = load i32, ptr %145, align 8
  %147 = sext i32 %146 to i64
  %148 = getelementptr inbounds %struct.Entry, ptr %144, i64 %147
  %149 = getelementptr inbounds nuw i8, ptr %132, i64 8
  %150 = load i32, ptr %149, align 8
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds %struct.Entry, ptr %144, i64 %151
  %153 = getelementptr inbounds nuw i8, ptr %148, i64 16
  %154 = load i64, ptr %153, align 8
  %155 = getelementptr inbounds nuw i8, ptr %152, i64 16
  %156 = load i64, ptr %155, align 8
  %157 = tail call i64 @llvm.smin.i64(i64 %154, i64 %156)
  %158 = sub nsw i64 %157, %15
  %159 = getelementptr inbounds nuw i8, ptr %148, i64 8
  %160 = load ptr, ptr %159, align 8
  %161 = getelementptr inbounds i8, ptr %160, i64 %15
  %162 = getelementptr inbounds nuw i8, ptr %152, i64 8
  %163 = load ptr, ptr %162, align 8
  %164 = getelementptr inbounds i8, ptr %163, i64 %15
  br label %165

165:
  %166 = phi i64 [ 0, %143 ], [ %167, %169 ]
  %167 = add nuw nsw i64 %166, 8
  %168 = icmp sgt i64 %167, %158
  br i1 %168, label %175, label %169

169:
  %170 = getelementptr inbounds nuw i8, ptr %161, i64 %166
  %171 = load i64, ptr %170, align 1
  %172 = getelementptr inbounds nuw i8, ptr %164, i64 %166
  %173 = load i64, ptr %172, align 1
  %174 = icmp eq i64 %171, %173
  br i1 %174, label %165, label %175

175:
  %176 = icmp slt i64 %166, %158
  br i1 %176, label %177, label %187

177:
  %178 = phi i64 [ %185, %184 ], [ %166, %175 ]
  %179 = getelementptr inbounds nuw i8, ptr %161, i64 %178
  %180 = load i8, ptr %179, align 1
  %181 = getelementptr inbounds nuw i8, ptr %164, i64 %178
  %182 = load i8, ptr %181, align 1
  %183 = icmp eq i8 %180, %182
  br i1 %183, label %184, label %187

184:
  %185 = add nuw i64 %178, 1
  %186 = icmp eq i64 %185, %158
  br i1 %186, label %196, label %177

187:
  %188 = phi i64 [ %166, %175 ], [ %178, %177 ]
  %189 = icmp slt i64 %188, %158
  br i1 %189, label %190, label %196

190:
  %191 = getelementptr inbounds i8, ptr %161, i64 %188
  %192 = load i8, ptr %191, align 1
  %193 = getelementptr inbounds i8, ptr %164, i64 %188
  %194 = load i8, ptr %193, align 1
  %195 = icmp ult i8 %192, %194
  br label %198

196:
  %197 = icmp slt i64 %154, %156
  br label %198

198:
  %199 = phi i1 [ %138, %137 ], [ %195, %190 ], [ %197, %196 ]
  %200 = freeze i1 %199
  %201 = zext i1 %200 to i64
  %202 = select i1 %200, ptr %133, ptr %132
  br label %203

203:
  %204 = phi i64 [ %201, %198 ], [ 0, %139 ]
  %205 = phi ptr [ %202, %198 ], [ %132, %139 ]
  %206 = getelementptr inbounds nuw i8, ptr %131, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %131, ptr align 8 dereferenceable(16) %205, i64 16, i1 false)
  %207 = getelementptr inbounds nuw %struct.Item, ptr %133, i64 %204
  %208 = xor i64 %204, 1
  %209 = getelementptr inbounds nuw %struct.Item, ptr %132, i64 %208
  %210 = icmp ult ptr %209, %119
  %211 = icmp ult ptr %207, %121
  %212 = select i1 %210, i1 %211, i1 false
  br i1 %212, label %130, label %125

213:
  %214 = phi ptr [ %128, %125 ], [ %219, %216 ]
  %215 = icmp ult ptr %126, %121
  br i1 %215, label %222, label %228

216:
  %217 = phi ptr [ %219, %216 ], [ %128, %125 ]
  %218 = phi ptr [ %220, %216 ], [ %127, %125 ]
  %219 = getelementptr inbounds nuw i8, ptr %217, i64 16
  %220 = getelementptr inbounds nuw i8, ptr %218, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %217, ptr align 8 dereferenceable(16) %218, i64 16, i1 false)
  %221 = icmp ult ptr %220, %119
  br i1 %221, label %216, label %213

222:
  %223 = phi ptr [ %225, %222 ], [ %214, %213 ]
  %224 = phi ptr [ %226, %222 ], [ %126, %213 ]
  %225 = getelementptr inbounds nuw i8, ptr %223, i64 16
  %226 = getelementptr inbounds nuw i8, ptr %224, i64 16
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %223, ptr align 8 dereferenceable(16) %224, i64 16, i1 false)
  %227 = icmp ult ptr %226, %121
  br i1 %227, label %222, label %228

228:
  %229 = add nsw i64 %112, %106
  %230 = icmp slt i64 %229, %3
  br i1 %230, label %111, label %109

231:
  ret void

232:
  %233 = phi i64 [ %236, %232 ], [ 0, %107 ]
  %234 = getelementptr inbounds nuw %struct.Item, ptr %1, i64 %233
  %235 = getelementptr inbounds nuw %struct.Item, ptr %104, i64 %233
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %234, ptr align 8 dereferenceable(16) %235, i64 16, i1 false)
  %236 = add nuw nsw i64 %233, 1
  %237 = icmp slt i64 %236, %3
  br i1 %237, label %232, label %231
}

declare i64 @llvm.bswap.i64(i64)

declare i32 @llvm.bswap.i32(i32)

declare i64 @tolang_parallel(ptr, ptr, i64, i64, i64, ptr)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)
