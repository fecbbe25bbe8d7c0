"""What writes the lines of a function: a method for each instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tolang.engines.llvm.ir import folding
from tolang.engines.llvm.ir.module import Block, Function, Module
from tolang.engines.llvm.ir.types import IntType, IRType, PointerType, VectorType, VoidType
from tolang.engines.llvm.ir.values import Constant, Instruction, Phi, Value

I1, I32, VOID = IntType(1), IntType(32), VoidType()
_SIGNS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_SIGNED = {sign: word if sign in ("==", "!=") else f"s{word}" for sign, word in _SIGNS.items()}
_UNSIGNED = {sign: word if sign in ("==", "!=") else f"u{word}" for sign, word in _SIGNS.items()}
_ORDERED = {sign: f"o{word}" for sign, word in _SIGNS.items()} | {"ord": "ord"}
_UNORDERED = {sign: f"u{word}" for sign, word in _SIGNS.items()} | {"uno": "uno"}
WEIGHTS = {True: (99, 1), False: (1, 99)}
"""How often the two ways of a branch are taken that is likely, or not."""

Binary = Callable[..., Value]
Cast = Callable[..., Any]


def _binary(name: str) -> Binary:
    def write(self: IRBuilder, one: Any, two: Any, flags: Sequence[str] = ()) -> Value:
        if type(two) is Constant or type(one) is Constant:
            found: Value | None = folding.arithmetic(name, one, two)
            if found is not None:
                return found
        said = f"{name} {' '.join(flags)}" if flags else name
        return self._pure(one.type, f"{said} {one.type.word} {one.word}, {two.word}")

    return write


def _cast(name: str) -> Cast:
    def write(self: IRBuilder, value: Any, kind: IRType) -> Any:
        if value.type is kind:
            return value
        return self._pure(kind, f"{name} {value.type.word} {value.word} to {kind.word}")

    return write


def _comparison(name: str, signs: dict[str, str]) -> Binary:
    def write(self: IRBuilder, sign: str, one: Any, two: Any) -> Value:
        if signs is _SIGNED and type(one) is Constant and type(two) is Constant:
            found: Value | None = folding.comparison(sign, one, two)
            if found is not None:
                return found
        kind = one.type
        truth = VectorType(I1, kind.count) if type(kind) is VectorType else I1
        return self._pure(truth, f"{name} {signs[sign]} {kind.word} {one.word}, {two.word}")

    return write


class IRBuilder:
    """Writes at the end of a block."""

    __slots__ = ("_known", "_lines", "block", "function")

    def __init__(self, block: Block) -> None:
        self.position_at_end(block)

    def position_at_end(self, block: Block) -> None:
        self.block: Block = block
        self.function: Function = block.function
        self._lines, self._known = block.lines, block.known

    @property
    def module(self) -> Module:
        return self.function.module

    def _pure(self, kind: Any, text: str) -> Value:
        """What follows from values alone: where the block has computed it already, it is that."""
        found = self._known.get(text)
        if found is None or found.type is not kind:
            found = self._known[text] = self._put(kind, text)
        return found

    def _put(self, kind: Any, text: str) -> Value:
        function = self.function
        function.last = number = function.last + 1
        word = f"%.{number}"
        self._lines.append(f"{word} = {text}")
        return Value(kind, word)

    # Arithmetic

    add, sub, mul = _binary("add"), _binary("sub"), _binary("mul")
    sdiv, udiv, srem, urem = _binary("sdiv"), _binary("udiv"), _binary("srem"), _binary("urem")
    shl, lshr, ashr = _binary("shl"), _binary("lshr"), _binary("ashr")
    and_, or_, xor = _binary("and"), _binary("or"), _binary("xor")
    fadd, fsub, fmul, fdiv = _binary("fadd"), _binary("fsub"), _binary("fmul"), _binary("fdiv")

    def neg(self, value: Any) -> Value:
        kind = value.type.word
        zero = "zeroinitializer" if type(value.type) is VectorType else "0"
        return self._pure(value.type, f"sub {kind} {zero}, {value.word}")

    def not_(self, value: Any) -> Value:
        kind = value.type
        ones = f"splat ({kind.element.word} -1)" if type(kind) is VectorType else "-1"
        return self._pure(kind, f"xor {kind.word} {value.word}, {ones}")

    def fneg(self, value: Any) -> Value:
        return self._pure(value.type, f"fneg {value.type.word} {value.word}")

    # Comparisons and choices

    icmp_signed, icmp_unsigned = _comparison("icmp", _SIGNED), _comparison("icmp", _UNSIGNED)
    fcmp_ordered, fcmp_unordered = _comparison("fcmp", _ORDERED), _comparison("fcmp", _UNORDERED)

    def select(self, truth: Any, yes: Any, no: Any, unforeseeable: bool = False) -> Value:
        """One of two values; where nobody can foresee which, it is no branch, which a processor would guess wrongly."""
        if type(truth) is Constant and type(truth.constant) is int:
            return yes if truth.constant else no  # type: ignore[no-any-return]  # values, both of them
        kind = yes.type.word
        told = f", !unpredictable {self.module.add_metadata([]).word}" if unforeseeable else ""
        return self._pure(yes.type, f"select {truth.type.word} {truth.word}, {kind} {yes.word}, {kind} {no.word}{told}")

    # Conversions

    trunc, zext, sext = _cast("trunc"), _cast("zext"), _cast("sext")
    fptrunc, fpext = _cast("fptrunc"), _cast("fpext")
    fptosi, fptoui, sitofp, uitofp = _cast("fptosi"), _cast("fptoui"), _cast("sitofp"), _cast("uitofp")
    inttoptr, ptrtoint = _cast("inttoptr"), _cast("ptrtoint")

    def bitcast(self, value: Any, kind: IRType) -> Any:
        """The same bits as another type; a pointer is one whatever is behind it."""
        if value.type is kind:
            return value
        if type(kind) is PointerType:
            return Value(kind, value.word)
        return self._pure(kind, f"bitcast {value.type.word} {value.word} to {kind.word}")

    # Memory

    def alloca(self, kind: IRType, align: int | None = None) -> Value:
        return self._put(kind.as_pointer(), f"alloca {kind.word}{_aligned(align)}")

    def gep(self, place: Any, indices: Sequence[Any], inbounds: bool = False) -> Value:
        """The address of an element, or of a part of it."""
        source = part = place.type.pointee
        said = "getelementptr inbounds" if inbounds else "getelementptr"
        text = f"{said} {source.word}, ptr {place.word}"
        first = True
        for index in indices:
            text += f", {index.type.word} {index.word}"
            if not first:
                part = part.at(index)
            first = False
        return self._pure(part.as_pointer(), text)

    def load(self, place: Any, align: int | None = None) -> Instruction:
        kind, function = place.type.pointee, self.function
        function.last = number = function.last + 1
        word = f"%.{number}"
        self._lines.append(f"{word} = load {kind.word}, ptr {place.word}{_aligned(align)}")
        return Instruction(kind, word, self._lines)

    def store(self, value: Any, place: Any, align: int | None = None) -> Instruction:
        self._lines.append(f"store {value.type.word} {value.word}, ptr {place.word}{_aligned(align)}")
        return Instruction(VOID, "", self._lines)

    def atomic_rmw(self, name: str, place: Any, value: Any, order: str) -> Value:
        return self._put(value.type, f"atomicrmw {name} ptr {place.word}, {value.type.word} {value.word} {order}")

    # Parts of values

    def extract_value(self, value: Any, position: int) -> Value:
        return self._pure(value.type.elements[position], f"extractvalue {value.type.word} {value.word}, {position}")

    def insert_value(self, value: Any, part: Any, position: int) -> Value:
        kind = value.type
        return self._pure(kind, f"insertvalue {kind.word} {value.word}, {part.type.word} {part.word}, {position}")

    def extract_element(self, vector: Any, place: Any) -> Value:
        kind = vector.type
        return self._pure(kind.element, f"extractelement {kind.word} {vector.word}, {place.type.word} {place.word}")

    def insert_element(self, vector: Any, value: Any, place: Any) -> Value:
        kind = vector.type
        text = f"{kind.word} {vector.word}, {value.type.word} {value.word}, {place.type.word} {place.word}"
        return self._pure(kind, f"insertelement {text}")

    def shuffle_vector(self, one: Any, two: Any, mask: Any) -> Value:
        kind = one.type.word
        text = f"shufflevector {kind} {one.word}, {kind} {two.word}, {mask.type.word} {mask.word}"
        return self._pure(VectorType(one.type.element, mask.type.count), text)

    # Control

    def call(self, function: Any, arguments: Sequence[Any]) -> Value:
        result = function.ftype.return_type
        assert len(arguments) == len(function.ftype.args), f"{function.name} takes {len(function.ftype.args)} arguments"
        self.block.calls.append(function.name)
        said = ", ".join([f"{one.type.word} {one.word}" for one in arguments])
        text = f"call {result.word} {function.word}({said})"
        if result is VOID:
            self._lines.append(text)
            return Value(VOID, "")
        return self._put(result, text)

    def phi(self, kind: IRType) -> Phi:
        function = self.function
        function.last += 1
        made = Phi(kind, f"%.{function.last}")
        self._lines.append(made)
        return made

    def branch(self, block: Block) -> Instruction:
        return self._end(f"br label {block.word}")

    def cbranch(self, truth: Any, yes: Block, no: Block) -> Instruction:
        return self._end(f"br i1 {truth.word}, label {yes.word}, label {no.word}")

    def ret(self, value: Any) -> None:
        self._end(f"ret {value.type.word} {value.word}")

    def ret_void(self) -> None:
        self._end("ret void")

    def _end(self, text: str) -> Instruction:
        if self.block.is_terminated:
            raise ValueError(f"the block {self.block.name} has an end already")
        self._lines.append(text)
        self.block.is_terminated = True
        return Instruction(VOID, "", self._lines)

    @contextmanager
    def if_then(self, truth: Any, likely: bool | None = None) -> Iterator[None]:
        """What is done where something holds."""
        yes, after = self.function.append_basic_block("if"), self.function.append_basic_block("endif")
        self._weighed(self.cbranch(truth, yes, after), likely)
        self.position_at_end(yes)
        yield
        self._go_on(after)
        self.position_at_end(after)

    @contextmanager
    def if_else(
        self, truth: Any, likely: bool | None = None
    ) -> Iterator[tuple[AbstractContextManager[None], AbstractContextManager[None]]]:
        """What is done where something holds, and what where it does not: two contexts, one after the other."""
        blocks = [self.function.append_basic_block(name) for name in ("if", "else", "endif")]
        self._weighed(self.cbranch(truth, blocks[0], blocks[1]), likely)
        yield self._inside(blocks[0], blocks[2]), self._inside(blocks[1], blocks[2])
        self.position_at_end(blocks[2])

    @contextmanager
    def _inside(self, block: Block, after: Block) -> Iterator[None]:
        self.position_at_end(block)
        yield
        self._go_on(after)

    def _go_on(self, after: Block) -> None:
        if not self.block.is_terminated:
            self.branch(after)

    def _weighed(self, branch: Instruction, likely: bool | None) -> None:
        if likely is not None:
            weights = [Constant(I32, one) for one in WEIGHTS[likely]]
            branch.set_metadata("prof", self.module.add_metadata(["branch_weights", *weights]))


def _aligned(align: int | None) -> str:
    return "" if align is None else f", align {align}"
