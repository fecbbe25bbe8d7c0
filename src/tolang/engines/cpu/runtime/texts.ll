; Made of texts.c (0a2cabe62f0802a3) by `python -m native`.

%struct.Texts = type { ptr, i64, ptr, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, i64 }
%struct.Entry = type { i64, i64, i64, i64 }
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
  store <2 x ptr> zeroinitializer, ptr %29, align 8
  %30 = getelementptr inbounds nuw i8, ptr %2, i64 96
  store ptr null, ptr %30, align 8
  %31 = getelementptr inbounds nuw i8, ptr %2, i64 104
  %32 = getelementptr inbounds nuw i8, ptr %2, i64 112
  %33 = getelementptr inbounds nuw i8, ptr %2, i64 120
  %34 = getelementptr inbounds nuw i8, ptr %2, i64 128
  %35 = getelementptr inbounds nuw i8, ptr %2, i64 136
  %36 = getelementptr inbounds nuw i8, ptr %2, i64 144
  store <2 x ptr> zeroinitializer, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %2, i64 152
  %38 = getelementptr inbounds nuw i8, ptr %2, i64 160
  store <2 x ptr> zeroinitializer, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %2, i64 168
  %40 = add nsw i64 %15, 32767
  %41 = sdiv i64 %40, 32768
  store i64 %41, ptr %39, align 8
  %42 = getelementptr inbounds nuw i8, ptr %2, i64 176
  %43 = getelementptr inbounds nuw i8, ptr %2, i64 184
  store <2 x i64> zeroinitializer, ptr %42, align 8
  %44 = getelementptr inbounds nuw i8, ptr %2, i64 192
  %45 = getelementptr inbounds nuw i8, ptr %2, i64 200
  store <2 x i64> zeroinitializer, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %2, i64 208
  store i64 0, ptr %46, align 8
  %47 = mul nsw i64 %15, 3
  %48 = add nsw i64 %47, 69636
  %49 = shl nsw i64 %15, 1
  %50 = add nsw i64 %48, %49
  %51 = add i64 %50, %41
  tail call void @tolang_begin()
  %52 = shl i64 %15, 5
  %53 = shl nsw i64 %41, 12
  %54 = shl i64 %51, 2
  %55 = add i64 %53, %54
  %56 = add i64 %55, 8200
  %57 = add i64 %56, %52
  %58 = tail call ptr @tolang_take(i64 %57)
  store ptr %58, ptr %28, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %307, label %60

60:
  %61 = getelementptr inbounds nuw i8, ptr %2, i64 88
  %62 = getelementptr inbounds %struct.Entry, ptr %58, i64 %15
  store ptr %62, ptr %29, align 8
  %63 = getelementptr inbounds i32, ptr %62, i64 %48
  store ptr %63, ptr %61, align 8
  %64 = getelementptr inbounds i32, ptr %63, i64 %15
  store ptr %64, ptr %30, align 8
  %65 = getelementptr inbounds i32, ptr %64, i64 %15
  store ptr %65, ptr %31, align 8
  %66 = getelementptr inbounds i8, ptr %65, i64 %53
  store ptr %66, ptr %32, align 8
  %67 = getelementptr inbounds i32, ptr %66, i64 %41
  store ptr %67, ptr %33, align 8
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 4100
  store ptr %68, ptr %34, align 8
  %69 = call i64 @tolang_parallel(ptr @number_pieces, ptr %2, i64 %41, i64 1, i64 0, ptr %27)
  %70 = icmp eq i64 %69, 0
  %71 = load i64, ptr %46, align 8
  %72 = icmp eq i64 %71, 0
  %73 = select i1 %70, i1 %72, i1 false
  br i1 %73, label %74, label %183

74:
  %75 = load i64, ptr %39, align 8
  %76 = icmp sgt i64 %75, 0
  br i1 %76, label %77, label %103

77:
  %78 = load ptr, ptr %32, align 8
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
  %105 = load i64, ptr %42, align 8
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
  store i64 %121, ptr %42, align 8
  br label %127

127:
  %128 = phi i64 [ %121, %126 ], [ %105, %103 ]
  %129 = shl nuw i64 1, %128
  %130 = load ptr, ptr %24, align 8
  %131 = call i64 @tolang_parallel(ptr @count_entries, ptr %2, i64 %75, i64 1, i64 0, ptr %130)
  %132 = icmp eq i64 %131, 0
  br i1 %132, label %133, label %183

133:
  %134 = load ptr, ptr %31, align 8
  %135 = load i64, ptr %39, align 8
  %136 = load ptr, ptr %33, align 8
  %137 = icmp eq i64 %128, 63
  br i1 %137, label %158, label %138

138:
  %139 = icmp sgt i64 %135, 0
  br label %140

140:
  %141 = phi i32 [ 0, %138 ], [ %146, %145 ]
  %142 = phi i64 [ 0, %138 ], [ %147, %145 ]
  %143 = getelementptr inbounds nuw i32, ptr %136, i64 %142
  store i32 %141, ptr %143, align 4
  %144 = getelementptr i32, ptr %134, i64 %142
  br i1 %139, label %149, label %145

145:
  %146 = phi i32 [ %141, %140 ], [ %155, %149 ]
  %147 = add nuw nsw i64 %142, 1
  %148 = icmp eq i64 %147, %129
  br i1 %148, label %158, label %140

149:
  %150 = phi i32 [ %155, %149 ], [ %141, %140 ]
  %151 = phi i64 [ %156, %149 ], [ 0, %140 ]
  %152 = shl nuw i64 %151, %128
  %153 = getelementptr i32, ptr %144, i64 %152
  %154 = load i32, ptr %153, align 4
  store i32 %150, ptr %153, align 4
  %155 = add nsw i32 %154, %150
  %156 = add nuw nsw i64 %151, 1
  %157 = icmp eq i64 %156, %135
  br i1 %157, label %145, label %149

158:
  %159 = phi i32 [ 0, %133 ], [ %146, %145 ]
  %160 = getelementptr inbounds i32, ptr %136, i64 %129
  store i32 %159, ptr %160, align 4
  %161 = load ptr, ptr %34, align 8
  store i32 0, ptr %161, align 4
  %162 = load i64, ptr %39, align 8
  %163 = load ptr, ptr %24, align 8
  %164 = call i64 @tolang_parallel(ptr @spread_entries, ptr %2, i64 %162, i64 1, i64 0, ptr %163)
  %165 = icmp eq i64 %164, 0
  br i1 %165, label %166, label %183

166:
  %167 = load ptr, ptr %24, align 8
  %168 = call i64 @tolang_parallel(ptr @group_parts, ptr %2, i64 %129, i64 1, i64 0, ptr %167)
  %169 = icmp eq i64 %168, 0
  br i1 %169, label %170, label %183

170:
  br i1 %137, label %187, label %171

171:
  %172 = call i64 @llvm.smax.i64(i64 %129, i64 1)
  br label %173

173:
  %174 = phi i64 [ %178, %173 ], [ 0, %171 ]
  %175 = load ptr, ptr %34, align 8
  %176 = getelementptr inbounds nuw i32, ptr %175, i64 %174
  %177 = load i32, ptr %176, align 4
  %178 = add nuw nsw i64 %174, 1
  %179 = getelementptr inbounds nuw i32, ptr %175, i64 %178
  %180 = load i32, ptr %179, align 4
  %181 = add nsw i32 %180, %177
  store i32 %181, ptr %179, align 4
  %182 = icmp eq i64 %178, %172
  br i1 %182, label %187, label %173

183:
  %184 = load i64, ptr %46, align 8
  %185 = icmp eq i64 %184, 0
  %186 = select i1 %185, i64 -1, i64 -3
  br label %304

187:
  %188 = load ptr, ptr %34, align 8
  %189 = getelementptr inbounds i32, ptr %188, i64 %129
  %190 = load i32, ptr %189, align 4
  %191 = sext i32 %190 to i64
  store i64 %191, ptr %43, align 8
  %192 = mul nsw i64 %191, 38
  %193 = call ptr @tolang_take(i64 %192)
  store ptr %193, ptr %37, align 8
  %194 = icmp eq ptr %193, null
  br i1 %194, label %304, label %195

195:
  %196 = load i64, ptr %43, align 8
  %197 = getelementptr inbounds %struct.Item, ptr %193, i64 %196
  store ptr %197, ptr %38, align 8
  %198 = getelementptr inbounds %struct.Item, ptr %197, i64 %196
  store ptr %198, ptr %35, align 8
  %199 = getelementptr inbounds i32, ptr %198, i64 %196
  store ptr %199, ptr %36, align 8
  %200 = add nsw i64 %196, 32767
  %201 = sdiv i64 %200, 32768
  %202 = icmp slt i64 %196, 4096
  %203 = lshr i64 %196, 12
  %204 = call i64 @llvm.umin.i64(i64 %203, i64 1024)
  %205 = select i1 %202, i64 1, i64 %204
  store i64 %205, ptr %45, align 8
  store i64 9223372036854775807, ptr %44, align 8
  %206 = load i64, ptr %42, align 8
  %207 = shl nuw i64 1, %206
  %208 = load ptr, ptr %24, align 8
  %209 = call i64 @tolang_parallel(ptr @list_groups, ptr %2, i64 %207, i64 1, i64 0, ptr %208)
  %210 = icmp eq i64 %209, 0
  br i1 %210, label %211, label %302

211:
  %212 = load ptr, ptr %24, align 8
  %213 = call i64 @tolang_parallel(ptr @look_at_chunks, ptr %2, i64 %201, i64 1, i64 0, ptr %212)
  %214 = icmp eq i64 %213, 0
  br i1 %214, label %215, label %302

215:
  %216 = load i64, ptr %45, align 8
  %217 = icmp sgt i64 %216, 1
  %218 = shl nsw i64 %216, 3
  %219 = select i1 %217, i64 %218, i64 0
  %220 = icmp sgt i64 %219, 0
  br i1 %220, label %227, label %221

221:
  %222 = load ptr, ptr %38, align 8
  %223 = getelementptr inbounds nuw %struct.Item, ptr %222, i64 %219
  %224 = load i64, ptr %44, align 8
  call fastcc void @sort(ptr readonly %2, ptr %222, ptr %223, i64 %219, i64 %224)
  %225 = load i64, ptr %45, align 8
  %226 = icmp sgt i64 %225, 1
  br i1 %226, label %238, label %249

227:
  %228 = phi i64 [ %236, %227 ], [ 0, %215 ]
  %229 = load ptr, ptr %38, align 8
  %230 = getelementptr inbounds nuw %struct.Item, ptr %229, i64 %228
  %231 = load ptr, ptr %37, align 8
  %232 = load i64, ptr %43, align 8
  %233 = mul nsw i64 %232, %228
  %234 = sdiv i64 %233, %218
  %235 = getelementptr inbounds %struct.Item, ptr %231, i64 %234
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %230, ptr align 8 dereferenceable(16) %235, i64 16, i1 false)
  %236 = add nuw nsw i64 %228, 1
  %237 = icmp eq i64 %236, %219
  br i1 %237, label %221, label %227

238:
  %239 = phi i64 [ %242, %238 ], [ 0, %221 ]
  %240 = load ptr, ptr %38, align 8
  %241 = getelementptr inbounds nuw %struct.Item, ptr %240, i64 %239
  %242 = add nuw nsw i64 %239, 1
  %243 = shl i64 %242, 7
  %244 = getelementptr i8, ptr %240, i64 %243
  %245 = getelementptr i8, ptr %244, i64 -16
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %241, ptr align 8 dereferenceable(16) %245, i64 16, i1 false)
  %246 = load i64, ptr %45, align 8
  %247 = add nsw i64 %246, -1
  %248 = icmp slt i64 %242, %247
  br i1 %248, label %238, label %249

249:
  %250 = load ptr, ptr %24, align 8
  %251 = call i64 @tolang_parallel(ptr @find_stretches, ptr %2, i64 %201, i64 1, i64 0, ptr %250)
  %252 = icmp eq i64 %251, 0
  br i1 %252, label %253, label %302

253:
  %254 = load ptr, ptr %31, align 8
  %255 = load i64, ptr %45, align 8
  %256 = load ptr, ptr %33, align 8
  %257 = icmp sgt i64 %255, 0
  br i1 %257, label %258, label %278

258:
  %259 = icmp sgt i64 %196, 0
  br label %260

260:
  %261 = phi i32 [ 0, %258 ], [ %266, %265 ]
  %262 = phi i64 [ 0, %258 ], [ %267, %265 ]
  %263 = getelementptr inbounds nuw i32, ptr %256, i64 %262
  store i32 %261, ptr %263, align 4
  %264 = getelementptr i32, ptr %254, i64 %262
  br i1 %259, label %269, label %265

265:
  %266 = phi i32 [ %261, %260 ], [ %275, %269 ]
  %267 = add nuw nsw i64 %262, 1
  %268 = icmp eq i64 %267, %255
  br i1 %268, label %278, label %260

269:
  %270 = phi i32 [ %275, %269 ], [ %261, %260 ]
  %271 = phi i64 [ %276, %269 ], [ 0, %260 ]
  %272 = mul nuw nsw i64 %271, %255
  %273 = getelementptr i32, ptr %264, i64 %272
  %274 = load i32, ptr %273, align 4
  store i32 %270, ptr %273, align 4
  %275 = add nsw i32 %274, %270
  %276 = add nuw nsw i64 %271, 1
  %277 = icmp eq i64 %276, %201
  br i1 %277, label %265, label %269

278:
  %279 = phi i32 [ 0, %253 ], [ %266, %265 ]
  %280 = getelementptr inbounds i32, ptr %256, i64 %255
  store i32 %279, ptr %280, align 4
  %281 = load ptr, ptr %24, align 8
  %282 = call i64 @tolang_parallel(ptr @spread_groups, ptr %2, i64 %201, i64 1, i64 0, ptr %281)
  %283 = icmp eq i64 %282, 0
  br i1 %283, label %284, label %302

284:
  %285 = load i64, ptr %45, align 8
  %286 = load ptr, ptr %24, align 8
  %287 = call i64 @tolang_parallel(ptr @sort_stretches, ptr %2, i64 %285, i64 1, i64 0, ptr %286)
  %288 = icmp eq i64 %287, 0
  br i1 %288, label %289, label %302

289:
  %290 = load i64, ptr %43, align 8
  %291 = load ptr, ptr %24, align 8
  %292 = call i64 @tolang_parallel(ptr @rank_groups, ptr %2, i64 %290, i64 32768, i64 0, ptr %291)
  %293 = icmp eq i64 %292, 0
  br i1 %293, label %294, label %302

294:
  %295 = load i64, ptr %39, align 8
  %296 = load ptr, ptr %24, align 8
  %297 = call i64 @tolang_parallel(ptr @translate_pieces, ptr %2, i64 %295, i64 1, i64 0, ptr %296)
  %298 = icmp eq i64 %297, 0
  %299 = load ptr, ptr %37, align 8
  call void @tolang_give(ptr %299)
  %300 = load i64, ptr %43, align 8
  %301 = select i1 %298, i64 %300, i64 -1
  br label %304

302:
  %303 = load ptr, ptr %37, align 8
  call void @tolang_give(ptr %303)
  br label %304

304:
  %305 = phi i64 [ -2, %187 ], [ %186, %183 ], [ -1, %302 ], [ %301, %294 ]
  %306 = load ptr, ptr %28, align 8
  call void @tolang_give(ptr %306)
  br label %307

307:
  %308 = phi i64 [ %305, %304 ], [ -2, %1 ]
  ret i64 %308
}

declare void @tolang_begin()

declare ptr @tolang_take(i64)

declare void @tolang_give(ptr)

define internal void @translate_pieces(ptr readonly %0, i64 %1, i64 %2) {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 160
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
  br i1 %16, label %17, label %27

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %24 = getelementptr inbounds nuw i8, ptr %0, i64 48
  br label %28

25:
  %26 = icmp eq i64 %40, %2
  br i1 %26, label %27, label %28

27:
  ret void

28:
  %29 = phi i64 [ %1, %17 ], [ %40, %25 ]
  %30 = load ptr, ptr %18, align 8
  %31 = shl nsw i64 %29, 15
  %32 = getelementptr inbounds i32, ptr %30, i64 %31
  %33 = load ptr, ptr %4, align 8
  %34 = getelementptr inbounds %struct.Entry, ptr %33, i64 %31
  %35 = load ptr, ptr %19, align 8
  %36 = getelementptr inbounds i32, ptr %35, i64 %29
  %37 = load i32, ptr %36, align 4
  %38 = icmp sgt i32 %37, 0
  br i1 %38, label %44, label %39

39:
  %40 = add nsw i64 %29, 1
  %41 = shl nsw i64 %40, 15
  %42 = load i64, ptr %23, align 8
  %43 = icmp sgt i64 %42, %31
  br i1 %43, label %69, label %25

44:
  %45 = phi i64 [ %63, %44 ], [ 0, %28 ]
  %46 = load ptr, ptr %20, align 8
  %47 = load ptr, ptr %21, align 8
  %48 = getelementptr inbounds nuw %struct.Entry, ptr %34, i64 %45
  %49 = load i64, ptr %48, align 8
  %50 = lshr i64 %49, 1
  %51 = load i64, ptr %22, align 8
  %52 = sub nsw i64 63, %51
  %53 = lshr i64 %50, %52
  %54 = getelementptr inbounds nuw i32, ptr %47, i64 %53
  %55 = load i32, ptr %54, align 4
  %56 = getelementptr inbounds nuw i32, ptr %32, i64 %45
  %57 = load i32, ptr %56, align 4
  %58 = add nsw i32 %57, %55
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds i32, ptr %46, i64 %59
  %61 = load i32, ptr %60, align 4
  %62 = add nsw i32 %61, %15
  store i32 %62, ptr %56, align 4
  %63 = add nuw nsw i64 %45, 1
  %64 = load ptr, ptr %19, align 8
  %65 = getelementptr inbounds i32, ptr %64, i64 %29
  %66 = load i32, ptr %65, align 4
  %67 = sext i32 %66 to i64
  %68 = icmp slt i64 %63, %67
  br i1 %68, label %44, label %39

69:
  %70 = phi i64 [ %77, %69 ], [ %31, %39 ]
  %71 = load ptr, ptr %24, align 8
  %72 = getelementptr inbounds i32, ptr %71, i64 %70
  %73 = load i32, ptr %72, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds i32, ptr %32, i64 %74
  %76 = load i32, ptr %75, align 4
  store i32 %76, ptr %72, align 4
  %77 = add nsw i64 %70, 1
  %78 = load i64, ptr %23, align 8
  %79 = tail call i64 @llvm.smin.i64(i64 %41, i64 %78)
  %80 = icmp slt i64 %77, %79
  br i1 %80, label %69, label %25
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
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 112
  br label %17

16:
  ret void

17:
  %18 = phi i64 [ %1, %5 ], [ %373, %372 ]
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
  %35 = load i64, ptr %9, align 8
  %36 = icmp eq i64 %35, 0
  %37 = load ptr, ptr %10, align 8
  br i1 %36, label %41, label %38

38:
  %39 = getelementptr inbounds i64, ptr %37, i64 %31
  %40 = load i64, ptr %39, align 8
  br label %45

41:
  %42 = getelementptr inbounds i32, ptr %37, i64 %31
  %43 = load i32, ptr %42, align 4
  %44 = sext i32 %43 to i64
  br label %45

45:
  %46 = phi i64 [ %40, %38 ], [ %44, %41 ]
  %47 = icmp sgt i64 %19, %31
  br i1 %47, label %48, label %368

48:
  %49 = phi i64 [ %364, %362 ], [ 0, %45 ]
  %50 = phi i64 [ %363, %362 ], [ 1024, %45 ]
  %51 = phi i64 [ %53, %362 ], [ %31, %45 ]
  %52 = phi i64 [ %65, %362 ], [ %46, %45 ]
  %53 = add nsw i64 %51, 1
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
  %66 = sub nsw i64 %65, %52
  %67 = icmp slt i64 %52, 0
  %68 = icmp slt i64 %66, 0
  %69 = select i1 %67, i1 true, i1 %68
  br i1 %69, label %73, label %70

70:
  %71 = load i64, ptr %11, align 8
  %72 = icmp sgt i64 %65, %71
  br i1 %72, label %73, label %74

73:
  store atomic i64 1, ptr %13 monotonic, align 8
  br label %372

74:
  %75 = load ptr, ptr %0, align 8
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 %52
  %77 = load i64, ptr %12, align 8
  %78 = mul i64 %66, -7046029254386353131
  %79 = xor i64 %77, %78
  %80 = icmp samesign ugt i64 %66, 16
  br i1 %80, label %81, label %99

81:
  %82 = phi i64 [ %95, %81 ], [ %79, %74 ]
  %83 = phi ptr [ %96, %81 ], [ %76, %74 ]
  %84 = phi i64 [ %97, %81 ], [ %66, %74 ]
  %85 = load i64, ptr %83, align 1
  %86 = xor i64 %85, %82
  %87 = getelementptr inbounds nuw i8, ptr %83, i64 8
  %88 = load i64, ptr %87, align 1
  %89 = xor i64 %88, -2960836687051489901
  %90 = zext i64 %86 to i128
  %91 = zext i64 %89 to i128
  %92 = mul nuw i128 %91, %90
  %93 = lshr i128 %92, 64
  %94 = xor i128 %93, %92
  %95 = trunc i128 %94 to i64
  %96 = getelementptr inbounds nuw i8, ptr %83, i64 16
  %97 = add nsw i64 %84, -16
  %98 = icmp samesign ugt i64 %84, 32
  br i1 %98, label %81, label %99

99:
  %100 = phi i64 [ %66, %74 ], [ %97, %81 ]
  %101 = phi ptr [ %76, %74 ], [ %96, %81 ]
  %102 = phi i64 [ %79, %74 ], [ %95, %81 ]
  %103 = icmp samesign ugt i64 %100, 7
  br i1 %103, label %104, label %109

104:
  %105 = load i64, ptr %101, align 1
  %106 = getelementptr inbounds nuw i8, ptr %101, i64 %100
  %107 = getelementptr inbounds i8, ptr %106, i64 -8
  %108 = load i64, ptr %107, align 1
  br label %135

109:
  %110 = icmp samesign ugt i64 %100, 3
  br i1 %110, label %111, label %118

111:
  %112 = load i32, ptr %101, align 1
  %113 = zext i32 %112 to i64
  %114 = getelementptr inbounds nuw i8, ptr %101, i64 %100
  %115 = getelementptr inbounds i8, ptr %114, i64 -4
  %116 = load i32, ptr %115, align 1
  %117 = zext i32 %116 to i64
  br label %135

118:
  %119 = icmp eq i64 %100, 0
  br i1 %119, label %135, label %120

120:
  %121 = load i8, ptr %101, align 1
  %122 = zext i8 %121 to i64
  %123 = shl nuw nsw i64 %122, 16
  %124 = lshr i64 %100, 1
  %125 = getelementptr inbounds nuw i8, ptr %101, i64 %124
  %126 = load i8, ptr %125, align 1
  %127 = zext i8 %126 to i64
  %128 = shl nuw nsw i64 %127, 8
  %129 = or disjoint i64 %128, %123
  %130 = getelementptr i8, ptr %101, i64 %100
  %131 = getelementptr i8, ptr %130, i64 -1
  %132 = load i8, ptr %131, align 1
  %133 = zext i8 %132 to i64
  %134 = or disjoint i64 %129, %133
  br label %135

135:
  %136 = phi i64 [ %105, %104 ], [ %113, %111 ], [ %134, %120 ], [ 0, %118 ]
  %137 = phi i64 [ %108, %104 ], [ %117, %111 ], [ 0, %120 ], [ 0, %118 ]
  %138 = xor i64 %136, %102
  %139 = xor i64 %137, -6884282663029611473
  %140 = zext i64 %138 to i128
  %141 = zext i64 %139 to i128
  %142 = mul nuw i128 %141, %140
  %143 = lshr i128 %142, 64
  %144 = xor i128 %143, %142
  %145 = trunc i128 %144 to i64
  %146 = xor i64 %145, -1800455987208640293
  %147 = or i64 %77, 1
  %148 = zext i64 %146 to i128
  %149 = zext i64 %147 to i128
  %150 = mul nuw i128 %148, %149
  %151 = lshr i128 %150, 64
  %152 = xor i128 %151, %150
  %153 = trunc i128 %152 to i64
  %154 = add nsw i64 %50, -1
  %155 = and i64 %154, %153
  %156 = getelementptr inbounds i32, ptr %23, i64 %155
  %157 = load i32, ptr %156, align 4
  %158 = icmp sgt i32 %157, -1
  br i1 %158, label %159, label %202

159:
  %160 = phi i32 [ %200, %196 ], [ %157, %135 ]
  %161 = phi i64 [ %198, %196 ], [ %155, %135 ]
  %162 = zext nneg i32 %160 to i64
  %163 = getelementptr inbounds nuw %struct.Entry, ptr %34, i64 %162
  %164 = load i64, ptr %163, align 8
  %165 = icmp eq i64 %164, %153
  br i1 %165, label %166, label %196

166:
  %167 = getelementptr inbounds nuw i8, ptr %163, i64 16
  %168 = load i64, ptr %167, align 8
  %169 = icmp eq i64 %168, %66
  br i1 %169, label %170, label %196

170:
  %171 = getelementptr inbounds nuw i8, ptr %163, i64 8
  %172 = load i64, ptr %171, align 8
  %173 = getelementptr inbounds i8, ptr %75, i64 %172
  br label %174

174:
  %175 = phi i64 [ 0, %170 ], [ %176, %180 ]
  %176 = add nuw nsw i64 %175, 8
  %177 = icmp sgt i64 %176, %66
  br i1 %177, label %178, label %180

178:
  %179 = icmp slt i64 %175, %66
  br i1 %179, label %189, label %359

180:
  %181 = getelementptr inbounds nuw i8, ptr %173, i64 %175
  %182 = load i64, ptr %181, align 1
  %183 = getelementptr inbounds nuw i8, ptr %76, i64 %175
  %184 = load i64, ptr %183, align 1
  %185 = icmp eq i64 %182, %184
  br i1 %185, label %174, label %196

186:
  %187 = add nuw i64 %190, 1
  %188 = icmp eq i64 %187, %66
  br i1 %188, label %359, label %189

189:
  %190 = phi i64 [ %187, %186 ], [ %175, %178 ]
  %191 = getelementptr inbounds nuw i8, ptr %173, i64 %190
  %192 = load i8, ptr %191, align 1
  %193 = getelementptr inbounds nuw i8, ptr %76, i64 %190
  %194 = load i8, ptr %193, align 1
  %195 = icmp eq i8 %192, %194
  br i1 %195, label %186, label %196

196:
  %197 = add nsw i64 %161, 1
  %198 = and i64 %197, %154
  %199 = getelementptr inbounds i32, ptr %23, i64 %198
  %200 = load i32, ptr %199, align 4
  %201 = icmp sgt i32 %200, -1
  br i1 %201, label %159, label %202

202:
  %203 = phi i64 [ %155, %135 ], [ %198, %196 ]
  %204 = getelementptr inbounds i32, ptr %23, i64 %203
  %205 = icmp sgt i64 %66, 0
  br i1 %205, label %207, label %306

206:
  br label %219

207:
  %208 = phi i64 [ %220, %219 ], [ 0, %202 ]
  %209 = add nsw i64 %208, 8
  %210 = icmp sgt i64 %209, %66
  %211 = getelementptr inbounds i8, ptr %76, i64 %208
  br i1 %210, label %212, label %214

212:
  %213 = load i8, ptr %211, align 1
  br label %222

214:
  %215 = load i64, ptr %211, align 1
  %216 = and i64 %215, -9187201950435737472
  %217 = icmp eq i64 %216, 0
  %218 = trunc i64 %215 to i8
  br i1 %217, label %219, label %222

219:
  %220 = phi i64 [ %209, %214 ], [ %265, %206 ], [ %224, %259 ]
  %221 = icmp slt i64 %220, %66
  br i1 %221, label %207, label %306

222:
  %223 = phi i8 [ %213, %212 ], [ %218, %214 ]
  %224 = add nsw i64 %208, 1
  %225 = icmp sgt i8 %223, -1
  br i1 %225, label %235, label %226

226:
  %227 = icmp samesign ult i8 %223, -62
  br i1 %227, label %305, label %228

228:
  %229 = icmp samesign ult i8 %223, -32
  br i1 %229, label %235, label %230

230:
  %231 = icmp samesign ult i8 %223, -16
  br i1 %231, label %235, label %232

232:
  %233 = icmp samesign ult i8 %223, -11
  %234 = select i1 %233, i32 3, i32 4
  br label %235

235:
  %236 = phi i32 [ 0, %222 ], [ 2, %230 ], [ 1, %228 ], [ %234, %232 ]
  %237 = icmp eq i32 %236, 4
  %238 = zext nneg i32 %236 to i64
  %239 = add nsw i64 %224, %238
  %240 = icmp sgt i64 %239, %66
  %241 = select i1 %237, i1 true, i1 %240
  br i1 %241, label %305, label %242

242:
  switch i8 %223, label %259 [
    i8 -32, label %243
    i8 -19, label %247
    i8 -16, label %251
    i8 -12, label %255
  ]

243:
  %244 = getelementptr inbounds i8, ptr %76, i64 %224
  %245 = load i8, ptr %244, align 1
  %246 = icmp ult i8 %245, -96
  br i1 %246, label %305, label %259

247:
  %248 = getelementptr inbounds i8, ptr %76, i64 %224
  %249 = load i8, ptr %248, align 1
  %250 = icmp ugt i8 %249, -97
  br i1 %250, label %305, label %259

251:
  %252 = getelementptr inbounds i8, ptr %76, i64 %224
  %253 = load i8, ptr %252, align 1
  %254 = icmp ult i8 %253, -112
  br i1 %254, label %305, label %259

255:
  %256 = getelementptr inbounds i8, ptr %76, i64 %224
  %257 = load i8, ptr %256, align 1
  %258 = icmp ugt i8 %257, -113
  br i1 %258, label %305, label %259

259:
  %260 = icmp eq i32 %236, 0
  br i1 %260, label %219, label %261

261:
  %262 = add i64 %208, 2
  %263 = add nsw i32 %236, -1
  %264 = zext nneg i32 %263 to i64
  %265 = add i64 %262, %264
  %266 = getelementptr inbounds i8, ptr %76, i64 %224
  %267 = load i8, ptr %266, align 1
  %268 = icmp slt i8 %267, -64
  br i1 %268, label %269, label %305

269:
  %270 = icmp eq i32 %236, 1
  br i1 %270, label %206, label %271

271:
  %272 = getelementptr i8, ptr %76, i64 %208
  %273 = getelementptr i8, ptr %272, i64 2
  %274 = load i8, ptr %273, align 1
  %275 = icmp slt i8 %274, -64
  br i1 %275, label %276, label %305

276:
  %277 = icmp eq i32 %236, 2
  br i1 %277, label %206, label %278

278:
  %279 = getelementptr i8, ptr %76, i64 %208
  %280 = getelementptr i8, ptr %279, i64 3
  %281 = load i8, ptr %280, align 1
  %282 = icmp slt i8 %281, -64
  br i1 %282, label %283, label %305

283:
  %284 = icmp eq i32 %236, 3
  br i1 %284, label %206, label %285

285:
  %286 = getelementptr i8, ptr %76, i64 %208
  %287 = getelementptr i8, ptr %286, i64 4
  %288 = load i8, ptr %287, align 1
  %289 = icmp slt i8 %288, -64
  br i1 %289, label %290, label %305

290:
  %291 = getelementptr i8, ptr %76, i64 %208
  %292 = getelementptr i8, ptr %291, i64 5
  %293 = load i8, ptr %292, align 1
  %294 = icmp slt i8 %293, -64
  br i1 %294, label %295, label %305

295:
  %296 = getelementptr i8, ptr %76, i64 %208
  %297 = getelementptr i8, ptr %296, i64 6
  %298 = load i8, ptr %297, align 1
  %299 = icmp slt i8 %298, -64
  br i1 %299, label %300, label %305

300:
  %301 = getelementptr i8, ptr %76, i64 %208
  %302 = getelementptr i8, ptr %301, i64 7
  %303 = load i8, ptr %302, align 1
  %304 = icmp slt i8 %303, -64
  br i1 %304, label %206, label %305

305:
  store atomic i64 1, ptr %13 monotonic, align 8
  br label %306

306:
  %307 = getelementptr inbounds %struct.Entry, ptr %34, i64 %49
  store i64 %153, ptr %307, align 8
  %308 = getelementptr inbounds nuw i8, ptr %307, i64 8
  store i64 %52, ptr %308, align 8
  %309 = getelementptr inbounds nuw i8, ptr %307, i64 16
  store i64 %66, ptr %309, align 8
  %310 = getelementptr inbounds nuw i8, ptr %307, i64 24
  store i64 %51, ptr %310, align 8
  %311 = add nsw i64 %49, 1
  %312 = trunc i64 %49 to i32
  store i32 %312, ptr %204, align 4
  %313 = load ptr, ptr %14, align 8
  %314 = getelementptr inbounds i32, ptr %313, i64 %51
  store i32 %312, ptr %314, align 4
  %315 = shl nsw i64 %311, 1
  %316 = icmp sgt i64 %315, %50
  br i1 %316, label %317, label %362

317:
  %318 = shl i64 %50, 2
  %319 = icmp sgt i64 %50, 0
  br i1 %319, label %320, label %334

320:
  %321 = icmp ult i64 %318, 8
  br i1 %321, label %332, label %322

322:
  %323 = and i64 %318, -8
  br label %324

324:
  %325 = phi i64 [ 0, %322 ], [ %328, %324 ]
  %326 = getelementptr inbounds nuw i32, ptr %23, i64 %325
  %327 = getelementptr inbounds nuw i8, ptr %326, i64 16
  store <4 x i32> splat (i32 -1), ptr %326, align 4
  store <4 x i32> splat (i32 -1), ptr %327, align 4
  %328 = add nuw i64 %325, 8
  %329 = icmp eq i64 %328, %323
  br i1 %329, label %330, label %324

330:
  %331 = icmp eq i64 %318, %323
  br i1 %331, label %334, label %332

332:
  %333 = phi i64 [ 0, %320 ], [ %323, %330 ]
  br label %338

334:
  %335 = icmp sgt i64 %49, -1
  br i1 %335, label %336, label %362

336:
  %337 = add nsw i64 %318, -1
  br label %343

338:
  %339 = phi i64 [ %341, %338 ], [ %333, %332 ]
  %340 = getelementptr inbounds nuw i32, ptr %23, i64 %339
  store i32 -1, ptr %340, align 4
  %341 = add nuw nsw i64 %339, 1
  %342 = icmp eq i64 %341, %318
  br i1 %342, label %334, label %338

343:
  %344 = phi i64 [ 0, %336 ], [ %357, %354 ]
  %345 = getelementptr inbounds nuw %struct.Entry, ptr %34, i64 %344
  %346 = load i64, ptr %345, align 8
  br label %347

347:
  %348 = phi i64 [ %346, %343 ], [ %353, %347 ]
  %349 = and i64 %348, %337
  %350 = getelementptr inbounds i32, ptr %23, i64 %349
  %351 = load i32, ptr %350, align 4
  %352 = icmp sgt i32 %351, -1
  %353 = add nsw i64 %349, 1
  br i1 %352, label %347, label %354

354:
  %355 = getelementptr inbounds i32, ptr %23, i64 %349
  %356 = trunc i64 %344 to i32
  store i32 %356, ptr %355, align 4
  %357 = add nuw nsw i64 %344, 1
  %358 = icmp eq i64 %344, %49
  br i1 %358, label %362, label %343

359:
  %360 = load ptr, ptr %14, align 8
  %361 = getelementptr inbounds i32, ptr %360, i64 %51
  store i32 %160, ptr %361, align 4
  br label %362

362:
  %363 = phi i64 [ %318, %334 ], [ %50, %359 ], [ %50, %306 ], [ %318, %354 ]
  %364 = phi i64 [ %311, %334 ], [ %49, %359 ], [ %311, %306 ], [ %311, %354 ]
  %365 = icmp slt i64 %53, %33
  br i1 %365, label %48, label %366

366:
  %367 = trunc i64 %364 to i32
  br label %368

368:
  %369 = phi i32 [ 0, %45 ], [ %367, %366 ]
  %370 = load ptr, ptr %15, align 8
  %371 = getelementptr inbounds i32, ptr %370, i64 %18
  store i32 %369, ptr %371, align 4
  br label %372

372:
  %373 = add nsw i64 %18, 1
  %374 = icmp eq i64 %373, %2
  br i1 %374, label %16, label %17
}

define internal void @count_entries(ptr readonly %0, i64 %1, i64 %2) {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %5 = load i64, ptr %4, align 8
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %7, label %19

7:
  %8 = shl nuw i64 1, %5
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %10 = icmp eq i64 %5, 63
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 112
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
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
  %32 = trunc i64 %31 to i32
  %33 = load ptr, ptr %9, align 8
  %34 = load ptr, ptr %10, align 8
  %35 = getelementptr inbounds %struct.Entry, ptr %34, i64 %31
  %36 = load i64, ptr %35, align 8
  %37 = lshr i64 %36, 1
  %38 = load i64, ptr %7, align 8
  %39 = sub nsw i64 63, %38
  %40 = lshr i64 %37, %39
  %41 = getelementptr inbounds nuw i32, ptr %19, i64 %40
  %42 = load i32, ptr %41, align 4
  %43 = add nsw i32 %42, 1
  store i32 %43, ptr %41, align 4
  %44 = sext i32 %42 to i64
  %45 = getelementptr inbounds i32, ptr %33, i64 %44
  store i32 %32, ptr %45, align 4
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
  br i1 %4, label %5, label %12

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 128
  br label %13

12:
  ret void

13:
  %14 = phi i64 [ %1, %5 ], [ %19, %137 ]
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds i32, ptr %15, i64 %14
  %17 = load i32, ptr %16, align 4
  %18 = sext i32 %17 to i64
  %19 = add nsw i64 %14, 1
  %20 = getelementptr inbounds i32, ptr %15, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = sext i32 %21 to i64
  %23 = sub nsw i64 %22, %18
  %24 = mul nsw i64 %23, 3
  br label %25

25:
  %26 = phi i64 [ 4, %13 ], [ %27, %25 ]
  %27 = shl nsw i64 %26, 1
  %28 = icmp slt i64 %27, %24
  br i1 %28, label %25, label %29

29:
  %30 = load ptr, ptr %7, align 8
  %31 = mul nsw i64 %18, 12
  %32 = getelementptr inbounds i8, ptr %30, i64 %31
  %33 = shl nsw i64 %14, 4
  %34 = getelementptr inbounds i8, ptr %32, i64 %33
  %35 = load ptr, ptr %8, align 8
  %36 = getelementptr inbounds i32, ptr %35, i64 %18
  %37 = icmp sgt i64 %26, 0
  br i1 %37, label %38, label %52

38:
  %39 = icmp ult i64 %26, 8
  br i1 %39, label %48, label %40

40:
  %41 = and i64 %26, 9223372036854775800
  br label %42

42:
  %43 = phi i64 [ 0, %40 ], [ %46, %42 ]
  %44 = getelementptr inbounds nuw i32, ptr %34, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 16
  store <4 x i32> splat (i32 -1), ptr %44, align 4
  store <4 x i32> splat (i32 -1), ptr %45, align 4
  %46 = add nuw i64 %43, 8
  %47 = icmp eq i64 %46, %41
  br i1 %47, label %52, label %42

48:
  store i32 -1, ptr %34, align 4
  %49 = getelementptr inbounds nuw i8, ptr %34, i64 4
  store i32 -1, ptr %49, align 4
  %50 = getelementptr inbounds nuw i8, ptr %34, i64 8
  store i32 -1, ptr %50, align 4
  %51 = getelementptr inbounds nuw i8, ptr %34, i64 12
  store i32 -1, ptr %51, align 4
  br label %52

52:
  %53 = icmp sgt i64 %23, 0
  br i1 %53, label %54, label %137

54:
  %55 = add nsw i64 %26, -1
  br label %58

56:
  %57 = trunc i64 %132 to i32
  br label %137

58:
  %59 = phi i64 [ 0, %54 ], [ %132, %130 ]
  %60 = phi i64 [ 0, %54 ], [ %135, %130 ]
  %61 = getelementptr inbounds nuw i32, ptr %36, i64 %60
  %62 = load i32, ptr %61, align 4
  %63 = load ptr, ptr %9, align 8
  %64 = sext i32 %62 to i64
  %65 = getelementptr inbounds %struct.Entry, ptr %63, i64 %64
  %66 = load i64, ptr %65, align 8
  %67 = and i64 %66, %55
  %68 = getelementptr inbounds i32, ptr %34, i64 %67
  %69 = load i32, ptr %68, align 4
  %70 = icmp sgt i32 %69, -1
  br i1 %70, label %71, label %124

71:
  %72 = getelementptr inbounds nuw i8, ptr %65, i64 16
  %73 = getelementptr inbounds nuw i8, ptr %65, i64 8
  br label %74

74:
  %75 = phi i32 [ %69, %71 ], [ %122, %118 ]
  %76 = phi i64 [ %67, %71 ], [ %120, %118 ]
  %77 = zext nneg i32 %75 to i64
  %78 = getelementptr inbounds nuw i32, ptr %36, i64 %77
  %79 = load i32, ptr %78, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds %struct.Entry, ptr %63, i64 %80
  %82 = load i64, ptr %81, align 8
  %83 = icmp eq i64 %82, %66
  br i1 %83, label %84, label %118

84:
  %85 = getelementptr inbounds nuw i8, ptr %81, i64 16
  %86 = load i64, ptr %85, align 8
  %87 = load i64, ptr %72, align 8
  %88 = icmp eq i64 %86, %87
  br i1 %88, label %89, label %118

89:
  %90 = load ptr, ptr %0, align 8
  %91 = getelementptr inbounds nuw i8, ptr %81, i64 8
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds i8, ptr %90, i64 %92
  %94 = load i64, ptr %73, align 8
  %95 = getelementptr inbounds i8, ptr %90, i64 %94
  br label %96

96:
  %97 = phi i64 [ 0, %89 ], [ %98, %102 ]
  %98 = add nuw nsw i64 %97, 8
  %99 = icmp sgt i64 %98, %86
  br i1 %99, label %100, label %102

100:
  %101 = icmp slt i64 %97, %86
  br i1 %101, label %111, label %130

102:
  %103 = getelementptr inbounds nuw i8, ptr %93, i64 %97
  %104 = load i64, ptr %103, align 1
  %105 = getelementptr inbounds nuw i8, ptr %95, i64 %97
  %106 = load i64, ptr %105, align 1
  %107 = icmp eq i64 %104, %106
  br i1 %107, label %96, label %118

108:
  %109 = add nuw i64 %112, 1
  %110 = icmp eq i64 %109, %86
  br i1 %110, label %130, label %111

111:
  %112 = phi i64 [ %109, %108 ], [ %97, %100 ]
  %113 = getelementptr inbounds nuw i8, ptr %93, i64 %112
  %114 = load i8, ptr %113, align 1
  %115 = getelementptr inbounds nuw i8, ptr %95, i64 %112
  %116 = load i8, ptr %115, align 1
  %117 = icmp eq i8 %114, %116
  br i1 %117, label %108, label %118

118:
  %119 = add nsw i64 %76, 1
  %120 = and i64 %119, %55
  %121 = getelementptr inbounds i32, ptr %34, i64 %120
  %122 = load i32, ptr %121, align 4
  %123 = icmp sgt i32 %122, -1
  br i1 %123, label %74, label %124

124:
  %125 = phi i64 [ %67, %58 ], [ %120, %118 ]
  %126 = getelementptr inbounds i32, ptr %34, i64 %125
  %127 = getelementptr inbounds i32, ptr %36, i64 %59
  store i32 %62, ptr %127, align 4
  %128 = add nsw i64 %59, 1
  %129 = trunc i64 %59 to i32
  store i32 %129, ptr %126, align 4
  br label %130

130:
  %131 = phi i32 [ %129, %124 ], [ %75, %108 ], [ %75, %100 ]
  %132 = phi i64 [ %128, %124 ], [ %59, %108 ], [ %59, %100 ]
  %133 = load ptr, ptr %10, align 8
  %134 = getelementptr inbounds i32, ptr %133, i64 %64
  store i32 %131, ptr %134, align 4
  %135 = add nuw nsw i64 %60, 1
  %136 = icmp eq i64 %135, %23
  br i1 %136, label %56, label %58

137:
  %138 = phi i32 [ 0, %52 ], [ %57, %56 ]
  %139 = load ptr, ptr %11, align 8
  %140 = getelementptr inbounds i32, ptr %139, i64 %19
  store i32 %138, ptr %140, align 4
  %141 = icmp eq i64 %19, %2
  br i1 %141, label %12, label %13
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg)

define internal void @list_groups(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %14

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %10 = load ptr, ptr %6, align 8
  br label %15

11:
  %12 = phi ptr [ %16, %15 ], [ %46, %26 ]
  %13 = icmp eq i64 %20, %2
  br i1 %13, label %14, label %15

14:
  ret void

15:
  %16 = phi ptr [ %10, %5 ], [ %12, %11 ]
  %17 = phi i64 [ %1, %5 ], [ %20, %11 ]
  %18 = getelementptr inbounds i32, ptr %16, i64 %17
  %19 = load i32, ptr %18, align 4
  %20 = add nsw i64 %17, 1
  %21 = getelementptr inbounds i32, ptr %16, i64 %20
  %22 = load i32, ptr %21, align 4
  %23 = icmp slt i32 %19, %22
  br i1 %23, label %24, label %11

24:
  %25 = sext i32 %19 to i64
  br label %26

26:
  %27 = phi i64 [ %25, %24 ], [ %45, %26 ]
  %28 = phi ptr [ %16, %24 ], [ %46, %26 ]
  %29 = load ptr, ptr %7, align 8
  %30 = getelementptr inbounds %struct.Item, ptr %29, i64 %27
  %31 = load ptr, ptr %8, align 8
  %32 = load ptr, ptr %9, align 8
  %33 = getelementptr inbounds i32, ptr %32, i64 %17
  %34 = load i32, ptr %33, align 4
  %35 = trunc nsw i64 %27 to i32
  %36 = add nsw i32 %34, %35
  %37 = getelementptr inbounds i32, ptr %28, i64 %17
  %38 = load i32, ptr %37, align 4
  %39 = sub i32 %36, %38
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds i32, ptr %31, i64 %40
  %42 = load i32, ptr %41, align 4
  store i64 0, ptr %30, align 8
  %43 = getelementptr inbounds nuw i8, ptr %30, i64 8
  store i32 %42, ptr %43, align 8
  %44 = getelementptr inbounds nuw i8, ptr %30, i64 12
  store i32 %35, ptr %44, align 4
  %45 = add nsw i64 %27, 1
  %46 = load ptr, ptr %6, align 8
  %47 = getelementptr inbounds i32, ptr %46, i64 %20
  %48 = load i32, ptr %47, align 4
  %49 = sext i32 %48 to i64
  %50 = icmp slt i64 %45, %49
  br i1 %50, label %26, label %11
}

define internal void @look_at_chunks(ptr %0, i64 %1, i64 %2) {
  %4 = shl nsw i64 %1, 15
  %5 = shl nsw i64 %2, 15
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %7 = load i64, ptr %6, align 8
  %8 = tail call i64 @llvm.smin.i64(i64 %5, i64 %7)
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds %struct.Item, ptr %10, i64 %4
  %12 = sub nsw i64 %8, %4
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %16 = load i32, ptr %15, align 8
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds %struct.Entry, ptr %14, i64 %17
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %20 = load i64, ptr %19, align 8
  %21 = icmp sgt i64 %12, 0
  br i1 %21, label %22, label %67

22:
  %23 = load ptr, ptr %0, align 8
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds i8, ptr %23, i64 %25
  br label %27

27:
  %28 = phi i64 [ %20, %22 ], [ %64, %63 ]
  %29 = phi i64 [ 0, %22 ], [ %65, %63 ]
  %30 = getelementptr inbounds nuw %struct.Item, ptr %11, i64 %29
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 8
  %32 = load i32, ptr %31, align 8
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds %struct.Entry, ptr %14, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 8
  %36 = load i64, ptr %35, align 8
  %37 = getelementptr inbounds i8, ptr %23, i64 %36
  %38 = getelementptr inbounds nuw i8, ptr %34, i64 16
  %39 = load i64, ptr %38, align 8
  %40 = tail call i64 @llvm.smin.i64(i64 %28, i64 %39)
  br label %41

41:
  %42 = phi i64 [ 0, %27 ], [ %43, %45 ]
  %43 = add nuw nsw i64 %42, 8
  %44 = icmp sgt i64 %43, %40
  br i1 %44, label %51, label %45

45:
  %46 = getelementptr inbounds nuw i8, ptr %26, i64 %42
  %47 = load i64, ptr %46, align 1
  %48 = getelementptr inbounds nuw i8, ptr %37, i64 %42
  %49 = load i64, ptr %48, align 1
  %50 = icmp eq i64 %47, %49
  br i1 %50, label %41, label %51

51:
  %52 = icmp slt i64 %42, %40
  br i1 %52, label %53, label %63

53:
  %54 = phi i64 [ %61, %60 ], [ %42, %51 ]
  %55 = getelementptr inbounds nuw i8, ptr %26, i64 %54
  %56 = load i8, ptr %55, align 1
  %57 = getelementptr inbounds nuw i8, ptr %37, i64 %54
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %56, %58
  br i1 %59, label %60, label %63

60:
  %61 = add nuw i64 %54, 1
  %62 = icmp eq i64 %61, %40
  br i1 %62, label %63, label %53

63:
  %64 = phi i64 [ %42, %51 ], [ %40, %60 ], [ %54, %53 ]
  %65 = add nuw nsw i64 %29, 1
  %66 = icmp eq i64 %65, %12
  br i1 %66, label %67, label %27

67:
  %68 = phi i64 [ %20, %3 ], [ %64, %63 ]
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %70 = load atomic i64, ptr %69 monotonic, align 8
  br label %71

71:
  %72 = phi i64 [ %70, %67 ], [ %77, %74 ]
  %73 = icmp slt i64 %68, %72
  br i1 %73, label %74, label %78

74:
  %75 = cmpxchg ptr %69, i64 %72, i64 %68 monotonic monotonic, align 8
  %76 = extractvalue { i64, i1 } %75, 1
  %77 = extractvalue { i64, i1 } %75, 0
  br i1 %76, label %78, label %71

78:
  ret void
}

define internal void @find_stretches(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %17

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 144
  br label %18

15:
  %16 = icmp eq i64 %27, %2
  br i1 %16, label %17, label %18

17:
  ret void

18:
  %19 = phi i64 [ %1, %5 ], [ %27, %15 ]
  %20 = load ptr, ptr %6, align 8
  %21 = load i64, ptr %7, align 8
  %22 = mul nsw i64 %21, %19
  %23 = getelementptr inbounds i32, ptr %20, i64 %22
  %24 = icmp sgt i64 %21, 0
  br i1 %24, label %31, label %25

25:
  %26 = shl nsw i64 %19, 15
  %27 = add nsw i64 %19, 1
  %28 = shl nsw i64 %27, 15
  %29 = load i64, ptr %8, align 8
  %30 = icmp sgt i64 %29, %26
  br i1 %30, label %37, label %15

31:
  %32 = phi i64 [ %34, %31 ], [ 0, %18 ]
  %33 = getelementptr inbounds nuw i32, ptr %23, i64 %32
  store i32 0, ptr %33, align 4
  %34 = add nuw nsw i64 %32, 1
  %35 = load i64, ptr %7, align 8
  %36 = icmp slt i64 %34, %35
  br i1 %36, label %31, label %25

37:
  %38 = phi i64 [ %243, %235 ], [ %26, %25 ]
  %39 = load ptr, ptr %9, align 8
  %40 = getelementptr inbounds %struct.Item, ptr %39, i64 %38
  %41 = load ptr, ptr %10, align 8
  %42 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %43 = load i32, ptr %42, align 8
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds %struct.Entry, ptr %41, i64 %44
  %46 = load i64, ptr %11, align 8
  %47 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %48 = load i64, ptr %47, align 8
  %49 = add nsw i64 %48, %46
  %50 = getelementptr inbounds nuw i8, ptr %45, i64 16
  %51 = load i64, ptr %50, align 8
  %52 = sub nsw i64 %51, %46
  %53 = icmp slt i64 %52, 1
  br i1 %53, label %149, label %54

54:
  %55 = add nsw i64 %49, 8
  %56 = load i64, ptr %12, align 8
  %57 = icmp sgt i64 %55, %56
  %58 = load ptr, ptr %0, align 8
  %59 = getelementptr i8, ptr %58, i64 %49
  br i1 %57, label %73, label %60

60:
  %61 = load i64, ptr %59, align 1
  %62 = and i64 %61, 72057594037927935
  %63 = tail call i64 @llvm.bswap.i64(i64 %62)
  %64 = icmp samesign ugt i64 %52, 7
  br i1 %64, label %65, label %67

65:
  %66 = or disjoint i64 %63, 8
  br label %149

67:
  %68 = shl nuw nsw i64 %52, 3
  %69 = sub nuw nsw i64 64, %68
  %70 = shl nsw i64 -1, %69
  %71 = and i64 %63, %70
  %72 = or disjoint i64 %71, %52
  br label %149

73:
  %74 = load i8, ptr %59, align 1
  %75 = zext i8 %74 to i64
  %76 = icmp eq i64 %52, 1
  br i1 %76, label %77, label %79

77:
  %78 = shl nuw nsw i64 %75, 16
  br label %89

79:
  %80 = load ptr, ptr %0, align 8
  %81 = getelementptr i8, ptr %80, i64 %49
  %82 = getelementptr i8, ptr %81, i64 1
  %83 = load i8, ptr %82, align 1
  %84 = zext i8 %83 to i64
  %85 = shl nuw nsw i64 %75, 16
  %86 = shl nuw nsw i64 %84, 8
  %87 = or disjoint i64 %85, %86
  %88 = icmp samesign ugt i64 %52, 2
  br i1 %88, label %92, label %89

89:
  %90 = phi i64 [ %78, %77 ], [ %87, %79 ]
  %91 = shl nuw nsw i64 %90, 8
  br label %101

92:
  %93 = load ptr, ptr %0, align 8
  %94 = getelementptr i8, ptr %93, i64 %49
  %95 = getelementptr i8, ptr %94, i64 2
  %96 = load i8, ptr %95, align 1
  %97 = zext i8 %96 to i64
  %98 = or disjoint i64 %87, %97
  %99 = shl nuw nsw i64 %98, 8
  %100 = icmp eq i64 %52, 3
  br i1 %100, label %101, label %104

101:
  %102 = phi i64 [ %91, %89 ], [ %99, %92 ]
  %103 = shl nuw nsw i64 %102, 8
  br label %113

104:
  %105 = load ptr, ptr %0, align 8
  %106 = getelementptr i8, ptr %105, i64 %49
  %107 = getelementptr i8, ptr %106, i64 3
  %108 = load i8, ptr %107, align 1
  %109 = zext i8 %108 to i64
  %110 = or disjoint i64 %99, %109
  %111 = shl nuw nsw i64 %110, 8
  %112 = icmp samesign ugt i64 %52, 4
  br i1 %112, label %116, label %113

113:
  %114 = phi i64 [ %103, %101 ], [ %111, %104 ]
  %115 = shl nuw nsw i64 %114, 8
  br label %125

116:
  %117 = load ptr, ptr %0, align 8
  %118 = getelementptr i8, ptr %117, i64 %49
  %119 = getelementptr i8, ptr %118, i64 4
  %120 = load i8, ptr %119, align 1
  %121 = zext i8 %120 to i64
  %122 = or disjoint i64 %111, %121
  %123 = shl nuw nsw i64 %122, 8
  %124 = icmp eq i64 %52, 5
  br i1 %124, label %125, label %128

125:
  %126 = phi i64 [ %115, %113 ], [ %123, %116 ]
  %127 = shl nuw nsw i64 %126, 8
  br label %144

128:
  %129 = load ptr, ptr %0, align 8
  %130 = getelementptr i8, ptr %129, i64 %49
  %131 = getelementptr i8, ptr %130, i64 5
  %132 = load i8, ptr %131, align 1
  %133 = zext i8 %132 to i64
  %134 = or disjoint i64 %123, %133
  %135 = shl nuw nsw i64 %134, 8
  %136 = icmp samesign ugt i64 %52, 6
  br i1 %136, label %137, label %144

137:
  %138 = load ptr, ptr %0, align 8
  %139 = getelementptr i8, ptr %138, i64 %49
  %140 = getelementptr i8, ptr %139, i64 6
  %141 = load i8, ptr %140, align 1
  %142 = zext i8 %141 to i64
  %143 = or disjoint i64 %135, %142
  br label %144

144:
  %145 = phi i64 [ %143, %137 ], [ %135, %128 ], [ %127, %125 ]
  %146 = shl nuw i64 %145, 8
  %147 = tail call i64 @llvm.umin.i64(i64 %52, i64 8)
  %148 = or disjoint i64 %146, %147
  br label %149

149:
  %150 = phi i64 [ %148, %144 ], [ 0, %37 ], [ %66, %65 ], [ %72, %67 ]
  store i64 %150, ptr %40, align 8
  %151 = load i64, ptr %7, align 8
  %152 = icmp sgt i64 %151, 1
  br i1 %152, label %153, label %235

153:
  %154 = add nsw i64 %151, -1
  %155 = load ptr, ptr %13, align 8
  %156 = load i64, ptr %11, align 8
  %157 = add nsw i64 %156, 7
  %158 = and i64 %150, 8
  %159 = icmp eq i64 %158, 0
  br label %160

160:
  %161 = phi i64 [ %154, %153 ], [ %233, %231 ]
  %162 = phi i64 [ 0, %153 ], [ %232, %231 ]
  %163 = add nuw nsw i64 %161, %162
  %164 = lshr i64 %163, 1
  %165 = getelementptr inbounds nuw %struct.Item, ptr %155, i64 %164
  %166 = load i64, ptr %165, align 8
  %167 = icmp eq i64 %166, %150
  br i1 %167, label %171, label %168

168:
  %169 = icmp ult i64 %166, %150
  %170 = freeze i1 %169
  br i1 %170, label %229, label %231

171:
  br i1 %159, label %231, label %172

172:
  %173 = load ptr, ptr %10, align 8
  %174 = getelementptr inbounds nuw i8, ptr %165, i64 8
  %175 = load i32, ptr %174, align 8
  %176 = sext i32 %175 to i64
  %177 = getelementptr inbounds %struct.Entry, ptr %173, i64 %176
  %178 = getelementptr inbounds %struct.Entry, ptr %173, i64 %44
  %179 = getelementptr inbounds nuw i8, ptr %177, i64 16
  %180 = load i64, ptr %179, align 8
  %181 = getelementptr inbounds nuw i8, ptr %178, i64 16
  %182 = load i64, ptr %181, align 8
  %183 = tail call i64 @llvm.smin.i64(i64 %180, i64 %182)
  %184 = sub nsw i64 %183, %157
  %185 = load ptr, ptr %0, align 8
  %186 = getelementptr inbounds nuw i8, ptr %177, i64 8
  %187 = load i64, ptr %186, align 8
  %188 = getelementptr inbounds i8, ptr %185, i64 %187
  %189 = getelementptr inbounds i8, ptr %188, i64 %157
  %190 = getelementptr inbounds nuw i8, ptr %178, i64 8
  %191 = load i64, ptr %190, align 8
  %192 = getelementptr inbounds i8, ptr %185, i64 %191
  %193 = getelementptr inbounds i8, ptr %192, i64 %157
  br label %194

194:
  %195 = phi i64 [ 0, %172 ], [ %196, %198 ]
  %196 = add nuw nsw i64 %195, 8
  %197 = icmp sgt i64 %196, %184
  br i1 %197, label %204, label %198

198:
  %199 = getelementptr inbounds nuw i8, ptr %189, i64 %195
  %200 = load i64, ptr %199, align 1
  %201 = getelementptr inbounds nuw i8, ptr %193, i64 %195
  %202 = load i64, ptr %201, align 1
  %203 = icmp eq i64 %200, %202
  br i1 %203, label %194, label %204

204:
  %205 = icmp slt i64 %195, %184
  br i1 %205, label %206, label %216

206:
  %207 = phi i64 [ %214, %213 ], [ %195, %204 ]
  %208 = getelementptr inbounds nuw i8, ptr %189, i64 %207
  %209 = load i8, ptr %208, align 1
  %210 = getelementptr inbounds nuw i8, ptr %193, i64 %207
  %211 = load i8, ptr %210, align 1
  %212 = icmp eq i8 %209, %211
  br i1 %212, label %213, label %216

213:
  %214 = add nuw i64 %207, 1
  %215 = icmp eq i64 %214, %184
  br i1 %215, label %226, label %206

216:
  %217 = phi i64 [ %195, %204 ], [ %207, %206 ]
  %218 = icmp slt i64 %217, %184
  br i1 %218, label %219, label %226

219:
  %220 = getelementptr inbounds i8, ptr %189, i64 %217
  %221 = load i8, ptr %220, align 1
  %222 = getelementptr inbounds i8, ptr %193, i64 %217
  %223 = load i8, ptr %222, align 1
  %224 = icmp ult i8 %221, %223
  %225 = freeze i1 %224
  br i1 %225, label %229, label %231

226:
  %227 = icmp slt i64 %180, %182
  %228 = freeze i1 %227
  br i1 %228, label %229, label %231

229:
  %230 = add nuw nsw i64 %164, 1
  br label %231

231:
  %232 = phi i64 [ %230, %229 ], [ %162, %171 ], [ %162, %219 ], [ %162, %168 ], [ %162, %226 ]
  %233 = phi i64 [ %161, %229 ], [ %164, %171 ], [ %164, %219 ], [ %164, %168 ], [ %164, %226 ]
  %234 = icmp slt i64 %232, %233
  br i1 %234, label %160, label %235

235:
  %236 = phi i64 [ 0, %149 ], [ %232, %231 ]
  %237 = trunc i64 %236 to i16
  %238 = load ptr, ptr %14, align 8
  %239 = getelementptr inbounds i16, ptr %238, i64 %38
  store i16 %237, ptr %239, align 2
  %240 = getelementptr inbounds nuw i32, ptr %23, i64 %236
  %241 = load i32, ptr %240, align 4
  %242 = add nsw i32 %241, 1
  store i32 %242, ptr %240, align 4
  %243 = add nsw i64 %38, 1
  %244 = load i64, ptr %8, align 8
  %245 = tail call i64 @llvm.smin.i64(i64 %28, i64 %244)
  %246 = icmp slt i64 %243, %245
  br i1 %246, label %37, label %15
}

define internal void @spread_groups(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %16

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %12 = load i64, ptr %6, align 8
  br label %17

13:
  %14 = phi i64 [ %18, %17 ], [ %43, %24 ]
  %15 = icmp eq i64 %21, %2
  br i1 %15, label %16, label %17

16:
  ret void

17:
  %18 = phi i64 [ %12, %5 ], [ %14, %13 ]
  %19 = phi i64 [ %1, %5 ], [ %21, %13 ]
  %20 = shl nsw i64 %19, 15
  %21 = add nsw i64 %19, 1
  %22 = shl nsw i64 %21, 15
  %23 = icmp sgt i64 %18, %20
  br i1 %23, label %24, label %13

24:
  %25 = phi i64 [ %42, %24 ], [ %20, %17 ]
  %26 = load ptr, ptr %7, align 8
  %27 = load ptr, ptr %8, align 8
  %28 = load i64, ptr %9, align 8
  %29 = mul nsw i64 %28, %19
  %30 = load ptr, ptr %10, align 8
  %31 = getelementptr inbounds i16, ptr %30, i64 %25
  %32 = load i16, ptr %31, align 2
  %33 = zext i16 %32 to i64
  %34 = getelementptr i32, ptr %27, i64 %29
  %35 = getelementptr i32, ptr %34, i64 %33
  %36 = load i32, ptr %35, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %35, align 4
  %38 = sext i32 %36 to i64
  %39 = getelementptr inbounds %struct.Item, ptr %26, i64 %38
  %40 = load ptr, ptr %11, align 8
  %41 = getelementptr inbounds %struct.Item, ptr %40, i64 %25
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %39, ptr align 8 dereferenceable(16) %41, i64 16, i1 false)
  %42 = add nsw i64 %25, 1
  %43 = load i64, ptr %6, align 8
  %44 = tail call i64 @llvm.smin.i64(i64 %22, i64 %43)
  %45 = icmp slt i64 %42, %44
  br i1 %45, label %24, label %13
}

define internal void @sort_stretches(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %10

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %11

10:
  ret void

11:
  %12 = phi i64 [ %1, %5 ], [ %17, %80 ]
  %13 = load ptr, ptr %6, align 8
  %14 = getelementptr inbounds i32, ptr %13, i64 %12
  %15 = load i32, ptr %14, align 4
  %16 = sext i32 %15 to i64
  %17 = add nsw i64 %12, 1
  %18 = getelementptr inbounds i32, ptr %13, i64 %17
  %19 = load i32, ptr %18, align 4
  %20 = sext i32 %19 to i64
  %21 = sub nsw i64 %20, %16
  %22 = icmp sgt i64 %21, 1
  br i1 %22, label %23, label %80

23:
  %24 = load ptr, ptr %7, align 8
  %25 = getelementptr inbounds %struct.Item, ptr %24, i64 %16
  %26 = load ptr, ptr %8, align 8
  %27 = load ptr, ptr %9, align 8
  %28 = getelementptr inbounds nuw i8, ptr %25, i64 8
  %29 = load i32, ptr %28, align 8
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds %struct.Entry, ptr %27, i64 %30
  %32 = getelementptr inbounds nuw i8, ptr %31, i64 16
  %33 = load i64, ptr %32, align 8
  %34 = load ptr, ptr %0, align 8
  %35 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %36 = load i64, ptr %35, align 8
  %37 = getelementptr inbounds i8, ptr %34, i64 %36
  br label %38

38:
  %39 = phi i64 [ %33, %23 ], [ %75, %74 ]
  %40 = phi i64 [ 0, %23 ], [ %76, %74 ]
  %41 = getelementptr inbounds nuw %struct.Item, ptr %25, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 8
  %43 = load i32, ptr %42, align 8
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds %struct.Entry, ptr %27, i64 %44
  %46 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds i8, ptr %34, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %45, i64 16
  %50 = load i64, ptr %49, align 8
  %51 = tail call i64 @llvm.smin.i64(i64 %39, i64 %50)
  br label %52

52:
  %53 = phi i64 [ 0, %38 ], [ %54, %56 ]
  %54 = add nuw nsw i64 %53, 8
  %55 = icmp sgt i64 %54, %51
  br i1 %55, label %62, label %56

56:
  %57 = getelementptr inbounds nuw i8, ptr %37, i64 %53
  %58 = load i64, ptr %57, align 1
  %59 = getelementptr inbounds nuw i8, ptr %48, i64 %53
  %60 = load i64, ptr %59, align 1
  %61 = icmp eq i64 %58, %60
  br i1 %61, label %52, label %62

62:
  %63 = icmp slt i64 %53, %51
  br i1 %63, label %64, label %74

64:
  %65 = phi i64 [ %72, %71 ], [ %53, %62 ]
  %66 = getelementptr inbounds nuw i8, ptr %37, i64 %65
  %67 = load i8, ptr %66, align 1
  %68 = getelementptr inbounds nuw i8, ptr %48, i64 %65
  %69 = load i8, ptr %68, align 1
  %70 = icmp eq i8 %67, %69
  br i1 %70, label %71, label %74

71:
  %72 = add nuw i64 %65, 1
  %73 = icmp eq i64 %72, %51
  br i1 %73, label %74, label %64

74:
  %75 = phi i64 [ %53, %62 ], [ %51, %71 ], [ %65, %64 ]
  %76 = add nuw nsw i64 %40, 1
  %77 = icmp eq i64 %76, %21
  br i1 %77, label %78, label %38

78:
  %79 = getelementptr inbounds %struct.Item, ptr %26, i64 %16
  tail call fastcc void @sort(ptr %0, ptr %25, ptr %79, i64 %21, i64 %75)
  br label %80

80:
  %81 = icmp eq i64 %17, %2
  br i1 %81, label %10, label %11
}

define internal void @rank_groups(ptr readonly %0, i64 %1, i64 %2) {
  %4 = icmp slt i64 %1, %2
  br i1 %4, label %5, label %10

5:
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 56
  br label %11

10:
  ret void

11:
  %12 = phi i64 [ %1, %5 ], [ %32, %11 ]
  %13 = trunc i64 %12 to i32
  %14 = load ptr, ptr %6, align 8
  %15 = load ptr, ptr %7, align 8
  %16 = getelementptr inbounds %struct.Item, ptr %15, i64 %12
  %17 = getelementptr inbounds nuw i8, ptr %16, i64 12
  %18 = load i32, ptr %17, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %14, i64 %19
  store i32 %13, ptr %20, align 4
  %21 = load ptr, ptr %8, align 8
  %22 = load ptr, ptr %7, align 8
  %23 = getelementptr inbounds %struct.Item, ptr %22, i64 %12
  %24 = getelementptr inbounds nuw i8, ptr %23, i64 8
  %25 = load i32, ptr %24, align 8
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds %struct.Entry, ptr %21, i64 %26
  %28 = getelementptr inbounds nuw i8, ptr %27, i64 24
  %29 = load i64, ptr %28, align 8
  %30 = load ptr, ptr %9, align 8
  %31 = getelementptr inbounds i64, ptr %30, i64 %12
  store i64 %29, ptr %31, align 8
  %32 = add nsw i64 %12, 1
  %33 = icmp eq i64 %32, %2
  br i1 %33, label %10, label %11
}

define internal fastcc void @sort(ptr readonly %0, ptr %1, ptr %2, i64 range(i64 0, -9223372036854775808) %3, i64 %4) {
  %6 = icmp eq i64 %3, 0
  br i1 %6, label %345, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = add nsw i64 %4, 7
  br label %16

11:
  %12 = icmp samesign ugt i64 %3, 8
  br i1 %12, label %13, label %345

13:
  %14 = add nsw i64 %4, 7
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 72
  br label %208

16:
  %17 = phi i64 [ 0, %7 ], [ %206, %202 ]
  %18 = getelementptr inbounds nuw %struct.Item, ptr %1, i64 %17
  %19 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %20 = load <2 x i32>, ptr %19, align 8
  %21 = load i32, ptr %19, align 8
  %22 = load ptr, ptr %8, align 8
  %23 = sext i32 %21 to i64
  %24 = getelementptr inbounds %struct.Entry, ptr %22, i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %26 = load i64, ptr %25, align 8
  %27 = add nsw i64 %26, %4
  %28 = getelementptr inbounds nuw i8, ptr %24, i64 16
  %29 = load i64, ptr %28, align 8
  %30 = sub nsw i64 %29, %4
  %31 = icmp slt i64 %30, 1
  br i1 %31, label %127, label %32

32:
  %33 = add nsw i64 %27, 8
  %34 = load i64, ptr %9, align 8
  %35 = icmp sgt i64 %33, %34
  %36 = load ptr, ptr %0, align 8
  %37 = getelementptr i8, ptr %36, i64 %27
  br i1 %35, label %51, label %38

38:
  %39 = load i64, ptr %37, align 1
  %40 = and i64 %39, 72057594037927935
  %41 = tail call i64 @llvm.bswap.i64(i64 %40)
  %42 = icmp samesign ugt i64 %30, 7
  br i1 %42, label %43, label %45

43:
  %44 = or disjoint i64 %41, 8
  br label %127

45:
  %46 = shl nuw nsw i64 %30, 3
  %47 = sub nuw nsw i64 64, %46
  %48 = shl nsw i64 -1, %47
  %49 = and i64 %41, %48
  %50 = or disjoint i64 %49, %30
  br label %127

51:
  %52 = load i8, ptr %37, align 1
  %53 = zext i8 %52 to i64
  %54 = icmp eq i64 %30, 1
  br i1 %54, label %55, label %57

55:
  %56 = shl nuw nsw i64 %53, 16
  br label %67

57:
  %58 = load ptr, ptr %0, align 8
  %59 = getelementptr i8, ptr %58, i64 %27
  %60 = getelementptr i8, ptr %59, i64 1
  %61 = load i8, ptr %60, align 1
  %62 = zext i8 %61 to i64
  %63 = shl nuw nsw i64 %53, 16
  %64 = shl nuw nsw i64 %62, 8
  %65 = or disjoint i64 %63, %64
  %66 = icmp samesign ugt i64 %30, 2
  br i1 %66, label %70, label %67

67:
  %68 = phi i64 [ %56, %55 ], [ %65, %57 ]
  %69 = shl nuw nsw i64 %68, 8
  br label %79

70:
  %71 = load ptr, ptr %0, align 8
  %72 = getelementptr i8, ptr %71, i64 %27
  %73 = getelementptr i8, ptr %72, i64 2
  %74 = load i8, ptr %73, align 1
  %75 = zext i8 %74 to i64
  %76 = or disjoint i64 %65, %75
  %77 = shl nuw nsw i64 %76, 8
  %78 = icmp eq i64 %30, 3
  br i1 %78, label %79, label %82

79:
  %80 = phi i64 [ %69, %67 ], [ %77, %70 ]
  %81 = shl nuw nsw i64 %80, 8
  br label %91

82:
  %83 = load ptr, ptr %0, align 8
  %84 = getelementptr i8, ptr %83, i64 %27
  %85 = getelementptr i8, ptr %84, i64 3
  %86 = load i8, ptr %85, align 1
  %87 = zext i8 %86 to i64
  %88 = or disjoint i64 %77, %87
  %89 = shl nuw nsw i64 %88, 8
  %90 = icmp samesign ugt i64 %30, 4
  br i1 %90, label %94, label %91

91:
  %92 = phi i64 [ %81, %79 ], [ %89, %82 ]
  %93 = shl nuw nsw i64 %92, 8
  br label %103

94:
  %95 = load ptr, ptr %0, align 8
  %96 = getelementptr i8, ptr %95, i64 %27
  %97 = getelementptr i8, ptr %96, i64 4
  %98 = load i8, ptr %97, align 1
  %99 = zext i8 %98 to i64
  %100 = or disjoint i64 %89, %99
  %101 = shl nuw nsw i64 %100, 8
  %102 = icmp eq i64 %30, 5
  br i1 %102, label %103, label %106

103:
  %104 = phi i64 [ %93, %91 ], [ %101, %94 ]
  %105 = shl nuw nsw i64 %104, 8
  br label %122

106:
  %107 = load ptr, ptr %0, align 8
  %108 = getelementptr i8, ptr %107, i64 %27
  %109 = getelementptr i8, ptr %108, i64 5
  %110 = load i8, ptr %109, align 1
  %111 = zext i8 %110 to i64
  %112 = or disjoint i64 %101, %111
  %113 = shl nuw nsw i64 %112, 8
  %114 = icmp samesign ugt i64 %30, 6
  br i1 %114, label %115, label %122

115:
  %116 = load ptr, ptr %0, align 8
  %117 = getelementptr i8, ptr %116, i64 %27
  %118 = getelementptr i8, ptr %117, i64 6
  %119 = load i8, ptr %118, align 1
  %120 = zext i8 %119 to i64
  %121 = or disjoint i64 %113, %120
  br label %122

122:
  %123 = phi i64 [ %121, %115 ], [ %113, %106 ], [ %105, %103 ]
  %124 = shl nuw i64 %123, 8
  %125 = tail call i64 @llvm.umin.i64(i64 %30, i64 8)
  %126 = or disjoint i64 %124, %125
  br label %127

127:
  %128 = phi i64 [ %126, %122 ], [ 0, %16 ], [ %44, %43 ], [ %50, %45 ]
  %129 = and i64 %17, 7
  %130 = icmp eq i64 %129, 0
  br i1 %130, label %202, label %131

131:
  %132 = and i64 %128, 8
  %133 = icmp eq i64 %132, 0
  br label %134

134:
  %135 = phi i64 [ %17, %131 ], [ %199, %198 ]
  %136 = getelementptr %struct.Item, ptr %1, i64 %135
  %137 = getelementptr i8, ptr %136, i64 -16
  %138 = load i64, ptr %137, align 8
  %139 = icmp eq i64 %128, %138
  br i1 %139, label %142, label %140

140:
  %141 = icmp ult i64 %128, %138
  br i1 %141, label %198, label %202

142:
  br i1 %133, label %202, label %143

143:
  %144 = load ptr, ptr %8, align 8
  %145 = getelementptr inbounds %struct.Entry, ptr %144, i64 %23
  %146 = getelementptr i8, ptr %136, i64 -8
  %147 = load i32, ptr %146, align 8
  %148 = sext i32 %147 to i64
  %149 = getelementptr inbounds %struct.Entry, ptr %144, i64 %148
  %150 = getelementptr inbounds nuw i8, ptr %145, i64 16
  %151 = load i64, ptr %150, align 8
  %152 = getelementptr inbounds nuw i8, ptr %149, i64 16
  %153 = load i64, ptr %152, align 8
  %154 = tail call i64 @llvm.smin.i64(i64 %151, i64 %153)
  %155 = sub nsw i64 %154, %10
  %156 = load ptr, ptr %0, align 8
  %157 = getelementptr inbounds nuw i8, ptr %145, i64 8
  %158 = load i64, ptr %157, align 8
  %159 = getelementptr inbounds i8, ptr %156, i64 %158
  %160 = getelementptr inbounds i8, ptr %159, i64 %10
  %161 = getelementptr inbounds nuw i8, ptr %149, i64 8
  %162 = load i64, ptr %161, align 8
  %163 = getelementptr inbounds i8, ptr %156, i64 %162
  %164 = getelementptr inbounds i8, ptr %163, i64 %10
  br label %165

165:
  %166 = phi i64 [ 0, %143 ], [ %167, %169 ]
  %167 = add nuw nsw i64 %166, 8
  %168 = icmp sgt i64 %167, %155
  br i1 %168, label %175, label %169

169:
  %170 = getelementptr inbounds nuw i8, ptr %160, i64 %166
  %171 = load i64, ptr %170, align 1
  %172 = getelementptr inbounds nuw i8, ptr %164, i64 %166
  %173 = load i64, ptr %172, align 1
  %174 = icmp eq i64 %171, %173
  br i1 %174, label %165, label %175

175:
  %176 = icmp slt i64 %166, %155
  br i1 %176, label %177, label %187

177:
  %178 = phi i64 [ %185, %184 ], [ %166, %175 ]
  %179 = getelementptr inbounds nuw i8, ptr %160, i64 %178
  %180 = load i8, ptr %179, align 1
  %181 = getelementptr inbounds nuw i8, ptr %164, i64 %178
  %182 = load i8, ptr %181, align 1
  %183 = icmp eq i8 %180, %182
  br i1 %183, label %184, label %187

184:
  %185 = add nuw i64 %178, 1
  %186 = icmp eq i64 %185, %155
  br i1 %186, label %190, label %177

187:
  %188 = phi i64 [ %166, %175 ], [ %178, %177 ]
  %189 = icmp slt i64 %188, %155
  br i1 %189, label %192, label %190

190:
  %191 = icmp slt i64 %151, %153
  br i1 %191, label %198, label %202

192:
  %193 = getelementptr inbounds i8, ptr %160, i64 %188
  %194 = load i8, ptr %193, align 1
  %195 = getelementptr inbounds i8, ptr %164, i64 %188
  %196 = load i8, ptr %195, align 1
  %197 = icmp ult i8 %194, %196
  br i1 %197, label %198, label %202

198:
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %136, ptr align 8 dereferenceable(16) %137, i64 16, i1 false)
  %199 = add nsw i64 %135, -1
  %200 = and i64 %199, 7
  %201 = icmp eq i64 %200, 0
  br i1 %201, label %202, label %134

202:
  %203 = phi i64 [ %17, %127 ], [ %135, %190 ], [ %135, %140 ], [ %135, %142 ], [ %199, %198 ], [ %135, %192 ]
  %204 = getelementptr inbounds %struct.Item, ptr %1, i64 %203
  store i64 %128, ptr %204, align 8
  %205 = getelementptr inbounds nuw i8, ptr %204, i64 8
  store <2 x i32> %20, ptr %205, align 8
  %206 = add nuw nsw i64 %17, 1
  %207 = icmp eq i64 %206, %3
  br i1 %207, label %11, label %16

208:
  %209 = phi i64 [ 8, %13 ], [ %212, %215 ]
  %210 = phi ptr [ %2, %13 ], [ %211, %215 ]
  %211 = phi ptr [ %1, %13 ], [ %210, %215 ]
  %212 = shl nsw i64 %209, 1
  br label %217

213:
  %214 = icmp eq ptr %210, %1
  br i1 %214, label %345, label %346

215:
  %216 = icmp samesign ult i64 %212, %3
  br i1 %216, label %208, label %213

217:
  %218 = phi i64 [ 0, %208 ], [ %343, %342 ]
  %219 = sub nuw nsw i64 %3, %218
  %220 = getelementptr inbounds nuw %struct.Item, ptr %211, i64 %218
  %221 = getelementptr inbounds nuw %struct.Item, ptr %210, i64 %218
  %222 = tail call i64 @llvm.smin.i64(i64 %209, i64 %219)
  %223 = tail call i64 @llvm.smin.i64(i64 %212, i64 %219)
  %224 = icmp sgt i64 %222, 0
  %225 = icmp slt i64 %209, %223
  %226 = and i1 %224, %225
  br i1 %226, label %235, label %227

227:
  %228 = phi i64 [ 0, %217 ], [ %315, %313 ]
  %229 = phi i64 [ %222, %217 ], [ %316, %313 ]
  %230 = phi i64 [ 0, %217 ], [ %239, %313 ]
  %231 = icmp slt i64 %228, %222
  br i1 %231, label %232, label %320

232:
  %233 = sub i64 %222, %228
  %234 = add i64 %233, %230
  br label %326

235:
  %236 = phi i64 [ %239, %313 ], [ 0, %217 ]
  %237 = phi i64 [ %316, %313 ], [ %222, %217 ]
  %238 = phi i64 [ %315, %313 ], [ 0, %217 ]
  %239 = add nuw nsw i64 %236, 1
  %240 = getelementptr inbounds nuw %struct.Item, ptr %221, i64 %236
  %241 = getelementptr inbounds nuw %struct.Item, ptr %220, i64 %237
  %242 = getelementptr inbounds %struct.Item, ptr %220, i64 %238
  %243 = load i64, ptr %241, align 8
  %244 = load i64, ptr %242, align 8
  %245 = icmp eq i64 %243, %244
  br i1 %245, label %248, label %246

246:
  %247 = icmp ult i64 %243, %244
  br i1 %247, label %309, label %311

248:
  %249 = and i64 %243, 8
  %250 = icmp eq i64 %249, 0
  br i1 %250, label %311, label %251

251:
  %252 = load ptr, ptr %15, align 8
  %253 = getelementptr inbounds nuw i8, ptr %241, i64 8
  %254 = load i32, ptr %253, align 8
  %255 = sext i32 %254 to i64
  %256 = getelementptr inbounds %struct.Entry, ptr %252, i64 %255
  %257 = getelementptr inbounds nuw i8, ptr %242, i64 8
  %258 = load i32, ptr %257, align 8
  %259 = sext i32 %258 to i64
  %260 = getelementptr inbounds %struct.Entry, ptr %252, i64 %259
  %261 = getelementptr inbounds nuw i8, ptr %256, i64 16
  %262 = load i64, ptr %261, align 8
  %263 = getelementptr inbounds nuw i8, ptr %260, i64 16
  %264 = load i64, ptr %263, align 8
  %265 = tail call i64 @llvm.smin.i64(i64 %262, i64 %264)
  %266 = sub nsw i64 %265, %14
  %267 = load ptr, ptr %0, align 8
  %268 = getelementptr inbounds nuw i8, ptr %256, i64 8
  %269 = load i64, ptr %268, align 8
  %270 = getelementptr inbounds i8, ptr %267, i64 %269
  %271 = getelementptr inbounds i8, ptr %270, i64 %14
  %272 = getelementptr inbounds nuw i8, ptr %260, i64 8
  %273 = load i64, ptr %272, align 8
  %274 = getelementptr inbounds i8, ptr %267, i64 %273
  %275 = getelementptr inbounds i8, ptr %274, i64 %14
  br label %276

276:
  %277 = phi i64 [ 0, %251 ], [ %278, %280 ]
  %278 = add nuw nsw i64 %277, 8
  %279 = icmp sgt i64 %278, %266
  br i1 %279, label %286, label %280

280:
  %281 = getelementptr inbounds nuw i8, ptr %271, i64 %277
  %282 = load i64, ptr %281, align 1
  %283 = getelementptr inbounds nuw i8, ptr %275, i64 %277
  %284 = load i64, ptr %283, align 1
  %285 = icmp eq i64 %282, %284
  br i1 %285, label %276, label %286

286:
  %287 = icmp slt i64 %277, %266
  br i1 %287, label %288, label %298

288:
  %289 = phi i64 [ %296, %295 ], [ %277, %286 ]
  %290 = getelementptr inbounds nuw i8, ptr %271, i64 %289
  %291 = load i8, ptr %290, align 1
  %292 = getelementptr inbounds nuw i8, ptr %275, i64 %289
  %293 = load i8, ptr %292, align 1
  %294 = icmp eq i8 %291, %293
  br i1 %294, label %295, label %298

295:
  %296 = add nuw i64 %289, 1
  %297 = icmp eq i64 %296, %266
  br i1 %297, label %301, label %288

298:
  %299 = phi i64 [ %277, %286 ], [ %289, %288 ]
  %300 = icmp slt i64 %299, %266
  br i1 %300, label %303, label %301

301:
  %302 = icmp slt i64 %262, %264
  br i1 %302, label %309, label %311

303:
  %304 = getelementptr inbounds i8, ptr %271, i64 %299
  %305 = load i8, ptr %304, align 1
  %306 = getelementptr inbounds i8, ptr %275, i64 %299
  %307 = load i8, ptr %306, align 1
  %308 = icmp ult i8 %305, %307
  br i1 %308, label %309, label %311

309:
  %310 = add nuw nsw i64 %237, 1
  br label %313

311:
  %312 = add nsw i64 %238, 1
  br label %313

313:
  %314 = phi ptr [ %242, %311 ], [ %241, %309 ]
  %315 = phi i64 [ %312, %311 ], [ %238, %309 ]
  %316 = phi i64 [ %237, %311 ], [ %310, %309 ]
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %240, ptr align 8 dereferenceable(16) %314, i64 16, i1 false)
  %317 = icmp slt i64 %315, %222
  %318 = icmp slt i64 %316, %223
  %319 = select i1 %317, i1 %318, i1 false
  br i1 %319, label %235, label %227

320:
  %321 = phi i64 [ %230, %227 ], [ %234, %326 ]
  %322 = icmp slt i64 %229, %223
  br i1 %322, label %323, label %342

323:
  %324 = sub i64 %223, %229
  %325 = add i64 %324, %321
  br label %334

326:
  %327 = phi i64 [ %329, %326 ], [ %230, %232 ]
  %328 = phi i64 [ %331, %326 ], [ %228, %232 ]
  %329 = add i64 %327, 1
  %330 = getelementptr inbounds nuw %struct.Item, ptr %221, i64 %327
  %331 = add nsw i64 %328, 1
  %332 = getelementptr inbounds %struct.Item, ptr %220, i64 %328
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %330, ptr readonly align 8 dereferenceable(16) %332, i64 16, i1 false)
  %333 = icmp eq i64 %329, %234
  br i1 %333, label %320, label %326

334:
  %335 = phi i64 [ %337, %334 ], [ %321, %323 ]
  %336 = phi i64 [ %339, %334 ], [ %229, %323 ]
  %337 = add i64 %335, 1
  %338 = getelementptr inbounds nuw %struct.Item, ptr %221, i64 %335
  %339 = add nsw i64 %336, 1
  %340 = getelementptr inbounds %struct.Item, ptr %220, i64 %336
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %338, ptr readonly align 8 dereferenceable(16) %340, i64 16, i1 false)
  %341 = icmp eq i64 %337, %325
  br i1 %341, label %342, label %334

342:
  %343 = add nsw i64 %218, %212
  %344 = icmp samesign ult i64 %343, %3
  br i1 %344, label %217, label %215

345:
  ret void

346:
  %347 = phi i64 [ %350, %346 ], [ 0, %213 ]
  %348 = getelementptr inbounds nuw %struct.Item, ptr %1, i64 %347
  %349 = getelementptr inbounds nuw %struct.Item, ptr %210, i64 %347
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 dereferenceable(16) %348, ptr align 8 dereferenceable(16) %349, i64 16, i1 false)
  %350 = add nuw nsw i64 %347, 1
  %351 = icmp samesign ult i64 %350, %3
  br i1 %351, label %346, label %345
}

declare i64 @llvm.bswap.i64(i64)

declare i64 @tolang_parallel(ptr, ptr, i64, i64, i64, ptr)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)
