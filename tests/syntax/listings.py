"""The listings of the paper (section 5 and examples of section 4) and of the language's design, as texts."""

from __future__ import annotations

DESIGN = (
    r"""
tol a: R [n,k]                              # declared, never defined: an input. n, k: size variables, bound by the data
tol b: R [k,m]
tol result = [n,m]                          # a shape; inside its own definition the name means tol[n,m]
vec(i,j)  = map(a[i], mul(*, b[*,j]))       # '=' : local
elem(i,j) = reduce(vec(i,j), add, 0)
result   := map(result, elem(i,j), [i,j])   # ':=' : exported; a value is an output, a function is callable from outside
""",
    r"""
without(v, j) = [v[1:j-1], v[j+1:]]                       # a vector without its j-th element
pick(v, idx)  = map(idx, k -> v[k])                       # gather

line(x, axis, c) = map(tol[|x|[axis]], x[c[1:axis-1], k, c[axis:]], k)   # the line through c along an axis

# reduction along one axis.  EOPs: vol(x) * f
reduce_axis(x, f, init, axis) = map(tol[without(|x|,axis)], reduce(line(x,axis,c), f, init), *c)

# softmax along an axis.  EOPs: 5*vol(x)
softmax(x, axis) = {
  top   = reduce_axis(x, max, -Inf, axis)
  e     = map(x, exp(* - top[without(c,axis)]), *c)
  total = reduce_axis(e, add, 0, axis)
  map(e, * / total[without(c,axis)], *c)
}

# N-dimensional convolution with groups; w: [m, channels/groups, kernel...].  EOPs: 2 * outputs * vol(w)/|w|[1]
convolve(x, w, strides, dilations, pads, out, groups=1) = {
  inside(p)  = reduce(map(p, (* >= 1) and (* <= |x|[2+k]), k), and, true)
  at(n,ch,p) = if inside(p) then x[n,ch,p] else 0
  channel(m) = floor((m-1) / (|w|[1]/groups)) * |w|[2]
  tap(c,q)   = at(c[1], channel(c[2]) + q[1], (c[3:]-1)*strides + (q[2:]-1)*dilations + 1 - pads)
  map(tol[|x|[1],|w|[1],out], reduce(map(w[c[2]], * * tap(c,q), *q), add, 0), *c)
}

filter(t, p)  = reduce(t, (s,x) -> if p(x) then [s,x] else s, tol[0])     # unknown length, at most |t|
scan(t, f, i) = reduce(t, (s,x) -> [s, f(s[|s|[1]], x)], [i])[2:]           # running results
argmin(t)     = reduce(map(t, (*, iter)), (s,x) -> if x[1]' < s[1]' then x else s, (+Inf,0))[2]'
sort(t)       = reduce(t, (s,x) -> { k = reduce(map(s, * <= x), add, 0); [s[1:k], x, s[k+1:]] }, tol[0])
""",
)

PAPER = (
    r"""
tol result=[|a|[1],|b|[2]]
vec(i,j)=map(a[i],mul(*,b[*,j]))
elem(i,j)=reduce(vec(i,j),add,0)
result:=map(result,elem(i,j),[i,j])
""",
    r"""
tol result=[|E|[1],|E|[2]]
vec(i,j)=map(E[i],add(*,b[*,j]))
elem(i,j)=reduce(vec(i,j),min,+Inf)
result:=map(result,elem(i,j),[i,j])
""",
    r"""
tol result=[(|in|[1]+2*p-|k|[1])/s+1,(|in|[2]+2*p-|k|[2])/s+1]
in_pad=[tol[p,2*p+|in|],[tol[p,|in|],in,tol[p,|in|]],tol[p,2*p+|in|]]
in0(i,j)=part(in_pad,[(i-1)*s+1,(j-1)*s+1],[i*s,j*s])
out0(i,j)=map(in0(i,j),mul(*,k(i,j)),[i,j])
vec(i)=part(in_pad,[(i-1)*s+1,i*s])
elem(i)=reduce(vec(i),add,0)/s
result:=map(result,elem(i),i)
""",
    r"""
#conv
tol in=[size,size]
conv(in,kernel):=map(in,elem(i,j),[i,j])
stdvar=sqrt(reduce(map(in,sub(*,mean)),add,0))
bn(in,mean,stdvar):=map(in,sub(*,mean)/stdvar)
relu(in):=map(in,max(*,0))
residual=in
out=conv.bn.relu.conv.bn(in)
forward(in):=relu(out+residual)
""",
    r"""
coordinate=map(data,sqrt(pow(*-center,2)))
dist(data,center):=reduce(coordinate,add,0)
n=|data|
tol centers=[k]
centers(data):=map(centers,rand(n),j)
newcenters=map(reduce(dist(data[i],centers[j]),min,+Inf,i),j)
""",
    r"""
x=map(t,(*-mean)/var)
x=map(t,1/(1+exp(-*)))
x=map(t,*/(*,sgn(x)))
x=reshape(map(reduce(t0,add,0),*/shape(*)),|t|)
x=reduce([t,u],add,tol|t|)
x=map(t,mul(*,rand*ratio))
result=map(result,eq(iter[1],iter[2]))
x=[t0[1],t0[|t0|]]
tol result=shape
x=space([0,3.0,1]); y=convert(t,[R]); z=convert(t,[N*,R]); w=convert(t,R); w2=convert(t, R-)
x=tile([[(1,'a'),(2,'b')],[(3,'c'),(4,'d')]])
x=f.g.h(v); y=part'(t,j); z=t[j]'; w=|t|'; v=||t||; u=tol|t|; q=map([1.,2.,3.],sqrt)
""",
)
