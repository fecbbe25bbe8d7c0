"""Dataclasses as the standard library has them, made in a fifth of the time: there are some hundreds to import.

Of a class only `__init__` is compiled, with the names of its fields; comparing, hashing, writing and copying are
functions that all share.  Words and meaning are the standard library's, as far as they are needed here; type checkers
are told that it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import Field, FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
else:
    MISSING = object()
    """What a field has in the place of a value that it has not."""
    OWN_FIELDS = "__fields_of_record__"

    class FrozenInstanceError(AttributeError):
        """A frozen object was to be changed."""

    class Field:
        """What is known of a field: its name and type as written, and what it is made of where nothing is given."""

        __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr", "type")

        def __init__(
            self, default: Any, default_factory: Any, init: bool, repr: bool, compare: bool, kw_only: bool | None
        ) -> None:
            self.default, self.default_factory = default, default_factory
            self.init, self.repr, self.compare, self.kw_only = init, repr, compare, kw_only
            self.name = self.type = ""

    def field(
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        kw_only: bool | None = None,
    ) -> Any:
        """A field that is told more of than its type and its default."""
        return Field(default, default_factory, init, repr, compare, kw_only)

    def fields(one: Any) -> tuple[Field, ...]:
        """The fields of a dataclass, or of an object of one, in their order."""
        found = getattr(one, OWN_FIELDS, None)
        if found is None:
            raise TypeError(f"{one!r} is not a dataclass, nor of one")
        return found

    def is_dataclass(one: Any) -> bool:
        return hasattr(one, OWN_FIELDS)

    def replace(one: Any, /, **changes: Any) -> Any:
        """An object like another, with some fields changed."""
        kind = type(one)
        copied = kind.__dict__.get("__copied__")  # a class that is no dataclass itself may have ways of its own
        if copied is None:
            for each in fields(kind):
                if not each.init and each.name in changes:
                    raise ValueError(f"the field {each.name} is not given, but made")
                if each.init and each.name not in changes:
                    changes[each.name] = getattr(one, each.name)
            return kind(**changes)
        made = object.__new__(kind)
        for name, get, put in copied:
            put(made, changes.pop(name) if name in changes else get(one))
        if changes:
            raise TypeError(f"{kind.__qualname__} has no field {next(iter(changes))!r}")
        return made

    def dataclass(
        cls: type | None = None,
        /,
        *,
        eq: bool = True,
        order: bool = False,
        frozen: bool = False,
        slots: bool = False,
        kw_only: bool = False,
    ) -> Any:
        """A class whose objects are made of the fields that its body names, and compared by them."""

        def made(cls: type) -> type:
            return _made(cls, eq, order, frozen, slots, kw_only)

        return made if cls is None else made(cls)

    def _made(cls: type, eq: bool, order: bool, frozen: bool, slots: bool, kw_only: bool) -> type:
        own = list(_own_fields(cls, kw_only))
        known = {one.name: one for base in cls.__mro__[-1:0:-1] for one in getattr(base, OWN_FIELDS, ())}
        known |= {one.name: one for one in own}
        every = tuple(known.values())
        for one in own:
            if one.default is MISSING:
                if one.name in cls.__dict__:
                    delattr(cls, one.name)
            else:
                setattr(cls, one.name, one.default)
        if slots:
            cls = _with_slots(cls, [one.name for one in own])
        setattr(cls, OWN_FIELDS, every)
        _provide(cls, "__match_args__", tuple(one.name for one in every if one.init and not one.kw_only))
        _provide(cls, "__init__", _initializer(cls, every, frozen, slots))
        _provide(cls, "__repr__", _repr)
        if frozen:
            _provide(cls, "__setattr__", _refuse_to_set)
            _provide(cls, "__delattr__", _refuse_to_delete)
        if frozen and slots:
            _provide(cls, "__getstate__", _state)
            _provide(cls, "__setstate__", _set_state)
        if eq:
            _provide_equality(cls, every, frozen, order)
        cls.__copied__ = _copied(cls, every) if slots else None
        return cls

    def _provide(cls: type, name: str, value: Any) -> None:
        """Gives a class what its body did not."""
        if name not in cls.__dict__:
            setattr(cls, name, value)

    def _own_fields(cls: type, kw_only: bool) -> Iterator[Field]:
        """The fields that the body of a class names; annotations are texts."""
        for name, kind in cls.__annotations__.items():
            if str(kind).startswith(("ClassVar", "typing.ClassVar")):
                continue
            found = cls.__dict__.get(name, MISSING)
            one = found if isinstance(found, Field) else field(default=found)
            one.name, one.type = name, kind
            if one.kw_only is None:
                one.kw_only = kw_only
            if isinstance(one.default, list | dict | set):
                raise ValueError(f"all objects would share the default of {name}: use a default_factory")
            yield one

    def _with_slots(cls: type, names: list[str]) -> type:
        """The class again, with a place for each field in its objects."""
        inherited = {name for base in cls.__mro__[1:] for name in _slots_of(base)}
        body = {name: value for name, value in cls.__dict__.items() if name not in names}
        body.pop("__dict__", None)
        body.pop("__weakref__", None)
        body["__slots__"] = tuple(name for name in names if name not in inherited)
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__qualname__ = cls.__qualname__
        return made

    def _slots_of(cls: type) -> tuple[str, ...]:
        found = cls.__dict__.get("__slots__", ())
        return (found,) if isinstance(found, str) else tuple(found)

    def _initializer(cls: type, every: tuple[Field, ...], frozen: bool, slots: bool) -> Callable[..., None]:
        """The one function that is compiled: it puts what it is given to where it belongs."""
        space: dict[str, Any] = {"_missing": MISSING, "_put": object.__setattr__}
        given = [one for one in every if one.init]
        plain, named = ([one for one in given if bool(one.kw_only) is way] for way in (False, True))
        arguments = [_argument(one, space) for one in plain]
        if named:
            arguments += ["*", *[_argument(one, space) for one in named]]
        lines = []
        for one in every:
            name, value = one.name, one.name
            if one.default_factory is not MISSING:
                space[f"_make_{name}"] = one.default_factory
                value = f"_make_{name}() if {name} is _missing else {name}" if one.init else f"_make_{name}()"
            elif not one.init:
                if one.default is MISSING:
                    continue  # it is for __post_init__ to set
                space[f"_default_{name}"], value = one.default, f"_default_{name}"
            if frozen and slots:
                space[f"_put_{name}"] = getattr(cls, name).__set__
                lines.append(f"_put_{name}(self, {value})")
            else:
                lines.append(f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        body = "\n ".join(lines or ["pass"])
        exec(f"def __init__({', '.join(['self', *arguments])}):\n {body}", space)
        made: Callable[..., None] = space["__init__"]
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        return made

    def _argument(one: Field, space: dict[str, Any]) -> str:
        if one.default_factory is not MISSING:
            return f"{one.name}=_missing"
        if one.default is MISSING:
            return one.name
        space[f"_default_{one.name}"] = one.default
        return f"{one.name}=_default_{one.name}"

    def _copied(cls: type, every: tuple[Field, ...]) -> tuple[tuple[str, Any, Any], ...] | None:
        """How objects are copied, field by field; None where they are made in ways of their own."""
        if cls.__new__ is not object.__new__ or hasattr(cls, "__post_init__") or not all(one.init for one in every):
            return None
        places = [(one.name, getattr(cls, one.name, None)) for one in every]
        if not all(hasattr(place, "__set__") for _, place in places):
            return None
        return tuple((name, place.__get__, place.__set__) for name, place in places)

    def _provide_equality(cls: type, every: tuple[Field, ...], frozen: bool, order: bool) -> None:
        compared = [one.name for one in every if one.compare]
        several = attrgetter(*compared) if compared else None
        contents = several if len(compared) > 1 else lambda one: () if several is None else (several(one),)

        def __eq__(self: Any, other: Any) -> Any:
            return contents(self) == contents(other) if other.__class__ is self.__class__ else NotImplemented

        _provide(cls, "__eq__", __eq__)
        if "__hash__" not in cls.__dict__ or cls.__dict__["__hash__"] is None:
            cls.__hash__ = (lambda self: hash(contents(self))) if frozen else None
        if order:
            _provide_order(cls, contents)

    def _provide_order(cls: type, contents: Callable[[Any], Any]) -> None:
        def compared(name: str) -> Callable[[Any, Any], Any]:
            def compare(self: Any, other: Any) -> Any:
                alike = other.__class__ is self.__class__
                return getattr(contents(self), name)(contents(other)) if alike else NotImplemented

            return compare

        for name in ("__lt__", "__le__", "__gt__", "__ge__"):
            _provide(cls, name, compared(name))

    def _repr(self: Any) -> str:
        shown = ", ".join([f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr])
        return f"{type(self).__qualname__}({shown})"

    def _refuse_to_set(self: Any, name: str, value: Any) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_to_delete(self: Any, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _state(self: Any) -> list[Any]:
        return [getattr(self, one.name) for one in fields(self)]

    def _set_state(self: Any, state: list[Any]) -> None:
        for one, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, one.name, value)


__all__ = ["Field", "FrozenInstanceError", "dataclass", "field", "fields", "is_dataclass", "replace"]
