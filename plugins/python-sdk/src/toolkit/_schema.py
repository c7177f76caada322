"""JSON Schemas of type hints, and conversion of JSON to the types of the hints."""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union

from ._class_shapes import class_shape
from ._constraints import constrained
from ._scalar_shapes import scalar_shape
from ._shape import Direction, HintError, Misfit, Schema, Shape, expected, hint_text

_LISTS = (list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable, collections.abc.Collection)
_SETS = (set, collections.abc.Set, collections.abc.MutableSet)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)

_ADVICE = (
    "Write a type that JSON has: str, int, float, bool, list[…], dict[str, …], tuple, set, Literal, an Enum, a dataclass, a TypedDict, a "
    "NamedTuple, datetime, date, UUID, Path, Decimal, a Pydantic model, or Any for any JSON value."
)


class Shapes:
    """Shapes for one schema. ``names``: names that hints written as texts may use, in addition to the globals of their modules."""

    def __init__(self, direction: Direction, names: Mapping[str, Any] | None = None) -> None:
        self.direction = direction
        self.names: Mapping[str, Any] = names or {}
        #: For ``$defs``: classes that contain themselves, and definitions of Pydantic.
        self.definitions: dict[str, Schema] = {}
        self._made: dict[type, Shape] = {}
        self._references: dict[type, str] = {}
        self._open: list[type] = []

    def of(self, hint: Any, place: str) -> Shape:
        """Returns the shape of a hint. ``place`` names the parameter or field in errors. Raises HintError."""
        scalar = scalar_shape(hint, self.direction)
        if scalar is not None:
            return scalar
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is Annotated:
            inner = self.of(arguments[0], place)
            return Shape(constrained(inner.schema, arguments[1:], place), inner.decode)
        if origin is Union or origin is types.UnionType:
            return self._union(arguments, place)
        if origin is Literal:
            return literal_shape(arguments, place)
        if hasattr(hint, "__supertype__"):  # NewType
            return self.of(hint.__supertype__, place)
        if type(hint).__name__ == "TypeAliasType":
            return self.of(hint.__value__, place)
        kind = origin if origin is not None else hint
        if kind in _LISTS:
            return self._array(arguments, place, list)
        if kind in _SETS or kind is frozenset:
            return self._array(arguments, place, frozenset if kind is frozenset else set)
        if kind is tuple:
            return self._tuple(arguments, place, isinstance(hint, type) and origin is None)
        if kind in _DICTS:
            return self._mapping(arguments, place)
        if isinstance(hint, type):
            shape = self._class(hint, place)
            if shape is not None:
                return shape
        raise HintError(place, f"the type {hint_text(hint)}, which JSON cannot hold", _ADVICE)

    def _class(self, cls: type, place: str) -> Shape | None:
        if issubclass(cls, enum.Enum):
            return literal_shape(tuple(cls), place)
        if cls in self._open:  # it contains itself
            name = self._references.setdefault(cls, self.free_name(cls.__name__))
            return Shape({"$ref": f"#/$defs/{name}"}, lambda value: self._made[cls].decode(value))
        if cls not in self._made:
            self._open.append(cls)
            try:
                shape = class_shape(cls, self, place)
            finally:
                self._open.pop()
            if shape is None:
                return None
            if cls in self._references:
                name = self._references[cls]
                self.definitions[name] = shape.schema
                shape = Shape({"$ref": f"#/$defs/{name}"}, shape.decode)
            self._made[cls] = shape
        return self._made[cls]

    def free_name(self, name: str) -> str:
        """Returns a name that is not in ``$defs`` yet."""
        taken = {*self.definitions, *self._references.values()}
        return next(one for one in (name, *(f"{name}_{number}" for number in range(2, 10_000))) if one not in taken)

    def _union(self, members: tuple[Any, ...], place: str) -> Shape:
        shapes = [self.of(member, place) for member in members]
        # Narrower types first: every date is a str too.
        order = sorted(range(len(members)), key=lambda index: _WIDTH.get(members[index], 0) if isinstance(members[index], type) else 0)

        def decode(value: Any) -> Any:
            problems: list[Misfit] = []
            for index in order:
                try:
                    return shapes[index].decode(value)
                except Misfit as misfit:
                    problems.append(misfit)
            raise max(problems, key=lambda misfit: len(misfit.path))

        return Shape(any_of([shape.schema for shape in shapes]), decode)

    def _array(self, arguments: tuple[Any, ...], place: str, make: Callable[[list[Any]], Any]) -> Shape:
        item = self.of(arguments[0], f"an item of {place}") if arguments else Shape({}, lambda value: value)
        schema: Schema = {"type": "array", **({"items": item.schema} if item.schema else {})}
        if make is not list and make is not tuple:
            schema["uniqueItems"] = True
        return Shape(schema, lambda value: make(_items(value, lambda _: item)))

    def _tuple(self, arguments: tuple[Any, ...], place: str, is_bare: bool) -> Shape:
        if is_bare or (len(arguments) == 2 and arguments[1] is Ellipsis):
            return self._array(arguments[:1], place, tuple)
        items = [self.of(one, f"an item of {place}") for one in arguments if one != ()]
        count = len(items)

        def decode(value: Any) -> Any:
            if not isinstance(value, list) or len(value) != count:
                raise expected(f"a list of {count}", value)
            return tuple(_items(value, lambda index: items[index]))

        schema: Schema = {"type": "array", "items": False, "minItems": count, "maxItems": count}
        if items:
            schema["prefixItems"] = [item.schema for item in items]
        return Shape(schema, decode)

    def _mapping(self, arguments: tuple[Any, ...], place: str) -> Shape:
        same = Shape({}, lambda value: value)
        key, value = (self.of(one, f"a member of {place}") for one in arguments) if arguments else (Shape({"type": "string"}, same.decode), same)
        if key.schema.get("type") != "string":
            raise HintError(place, f"keys of the type {hint_text(arguments[0])}", "Names of members are texts in JSON: write dict[str, …].")
        schema: Schema = {"type": "object"}
        if value.schema:
            schema["additionalProperties"] = value.schema
        if key.schema != {"type": "string"}:
            schema["propertyNames"] = key.schema

        def decode(given: Any) -> dict[Any, Any]:
            if not isinstance(given, dict):
                raise expected("an object", given)
            return {key.decode(name): _member(value, name, one) for name, one in given.items()}

        return Shape(schema, decode)


#: Order of types that also accept the values of others.
_WIDTH: dict[Any, int] = {float: 1, str: 2, object: 3}


def any_of(schemas: list[Schema]) -> Schema:
    """Returns a schema for values that fit at least one of the schemas."""
    distinct = [schema for index, schema in enumerate(schemas) if schema not in schemas[:index]]
    if {} in distinct:
        return {}
    if len(distinct) == 1:
        return distinct[0]
    if all(list(schema) == ["type"] and isinstance(schema["type"], str) for schema in distinct):
        return {"type": [schema["type"] for schema in distinct]}
    return {"anyOf": distinct}


def literal_shape(members: tuple[Any, ...], place: str) -> Shape:
    """Returns the shape of a Literal or an Enum. Enum members stand for their values. Raises HintError for a value that JSON cannot hold."""
    values = [member.value if isinstance(member, enum.Enum) else member for member in members]
    invalid = next((value for value in values if value is not None and type(value) not in (str, int, float, bool)), None)
    if invalid is not None:
        raise HintError(place, f"the value {invalid!r} of the type {type(invalid).__name__}", "Values are texts, numbers, booleans or None.")
    schema: Schema = {"enum": values}
    names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    kinds = list(dict.fromkeys(names[type(value)] for value in values))
    schema = {"type": kinds[0] if len(kinds) == 1 else kinds, **schema}
    if any(isinstance(member, enum.Enum) and not isinstance(member.value, str) for member in members):
        schema["description"] = ", ".join(f"{member.value}: {member.name}" for member in members if isinstance(member, enum.Enum))

    def decode(value: Any) -> Any:
        for member, known in zip(members, values):
            if known == value and isinstance(known, bool) == isinstance(value, bool):
                return member
        raise expected(f"one of {', '.join(repr(known) for known in values[:20])}", value)

    return Shape(schema, decode)


def _items(value: Any, shape_at: Callable[[int], Shape]) -> list[Any]:
    if not isinstance(value, list):
        raise expected("a list", value)
    return [_member(shape_at(index), index, item) for index, item in enumerate(value)]


def _member(shape: Shape, step: str | int, value: Any) -> Any:
    try:
        return shape.decode(value)
    except Misfit as misfit:
        raise misfit.below(step) from misfit
