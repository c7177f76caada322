"""Classes whose values are JSON objects: dataclasses, TypedDicts, NamedTuples and Pydantic models."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._docstring import Docstring, parse_docstring
from ._hints import hints_of
from ._plain_json import plain_json
from ._shape import HintError, Misfit, Schema, Shape, ShapesOfHints, expected

#: The default of a required member. MISSING of dataclasses would not do: it may be a default itself.
NO_DEFAULT: Any = object()


@dataclass(frozen=True)
class Member:
    """One member of an object."""

    name: str
    hint: Any
    is_required: bool
    default: Any = NO_DEFAULT
    description: str = ""


def class_shape(cls: type, shapes: ShapesOfHints, place: str) -> Shape | None:
    """Returns the shape of such a class; None for any other class. Raises HintError for members that cannot be a schema."""
    if hasattr(cls, "model_json_schema") and hasattr(cls, "model_validate"):
        return _pydantic_shape(cls, shapes, place)
    doc = parse_docstring(_own_docstring(cls))
    make: Callable[[dict[str, Any]], Any]
    if typing.is_typeddict(cls) or _is_foreign_typed_dict(cls):
        members, make = list(_of_typed_dict(cls, shapes, place)), lambda values: values
    elif dataclasses.is_dataclass(cls):
        members, make = list(_of_dataclass(cls, shapes, place)), lambda values: _create(cls, values)
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        members, make = list(_of_named_tuple(cls, shapes, place)), lambda values: _create(cls, values)
    else:
        return None
    return object_shape(members, shapes, doc, make, lambda name: f'"{name}" of {cls.__name__} ({place})')


def object_shape(
    members: list[Member],
    shapes: ShapesOfHints,
    doc: Docstring,
    make: Callable[[dict[str, Any]], Any],
    place_of: Callable[[str], str],
    others: Shape | None = None,
) -> Shape:
    """Returns the shape of an object with these members.

    ``make`` builds the value from theirs; ``place_of`` names a member in errors. ``others`` is the shape of members with other names; None
    refuses them in an input.
    """
    known = {member.name: shapes.of(member.hint, place_of(member.name)) for member in members}
    schema: Schema = {"type": "object", "properties": {}}
    for member in members:
        schema["properties"][member.name] = member_schema(known[member.name].schema, member, doc)
    required = [member.name for member in members if member.is_required]
    if required:
        schema["required"] = required
    if shapes.direction == "input" or others is not None:
        schema["additionalProperties"] = False if others is None else (others.schema or True)
    if doc.description:
        schema = {"type": "object", "description": doc.description, **{name: value for name, value in schema.items() if name != "type"}}

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            raise expected("an object", value)
        missing = next((name for name in required if name not in value), None)
        if missing is not None:
            raise Misfit("is required").below(missing)
        unknown = next((name for name in value if name not in known), None) if others is None else None
        if unknown is not None:
            raise Misfit("is not known here").below(unknown)
        return make({name: _decoded(known.get(name, others), name, one) for name, one in value.items()})

    return Shape(schema, decode)


def member_schema(schema: Schema, member: Member, doc: Docstring) -> Schema:
    """Adds the description of the member, unless the hint has one, and its default, if JSON can hold it."""
    result = dict(schema)
    description = member.description or doc.parameters.get(member.name, "")
    if description and not _has_own_description(member.hint, schema):
        result["description"] = description
    if member.default is not NO_DEFAULT and "default" not in result:
        try:
            default = plain_json(member.default)
            json.dumps(default, allow_nan=False)
            result["default"] = default
        except (TypeError, ValueError):
            pass  # the function still has its default
    return result


def _has_own_description(hint: Any, schema: Schema) -> bool:
    """True when the description in the schema is that of this member, not of its class."""
    return "description" in schema and typing.get_origin(hint) is typing.Annotated


def _decoded(shape: Shape | None, name: str, value: Any) -> Any:
    if shape is None:
        return value
    try:
        return shape.decode(value)
    except Misfit as misfit:
        raise misfit.below(name) from misfit


def _create(cls: type, values: dict[str, Any]) -> Any:
    """Creates an object of the class. An error of its own checks becomes a Misfit."""
    try:
        return cls(**values)
    except (ValueError, TypeError) as error:
        raise Misfit(str(error)) from error


def _of_dataclass(cls: Any, shapes: ShapesOfHints, place: str) -> Iterator[Member]:
    hints = hints_of(cls, shapes.names, f"{cls.__name__} ({place})")
    for one in dataclasses.fields(cls):
        if not one.init and shapes.direction == "input":
            continue
        default: Any = NO_DEFAULT
        if one.default_factory is not dataclasses.MISSING:
            default = one.default_factory()
        elif one.default is not dataclasses.MISSING:
            default = one.default
        is_required = default is NO_DEFAULT or shapes.direction == "output"
        yield Member(one.name, hints[one.name], is_required, default, str(one.metadata.get("description", "")))


def _of_named_tuple(cls: Any, shapes: ShapesOfHints, place: str) -> Iterator[Member]:
    hints = hints_of(cls, shapes.names, f"{cls.__name__} ({place})")
    for name in cls._fields:
        if name not in hints:
            raise HintError(f'"{name}" of {cls.__name__} ({place})', "no type", "Derive the class from typing.NamedTuple, with hints.")
        default = cls._field_defaults.get(name, NO_DEFAULT)
        yield Member(name, hints[name], default is NO_DEFAULT or shapes.direction == "output", default)


def _of_typed_dict(cls: Any, shapes: ShapesOfHints, place: str) -> Iterator[Member]:
    for name, hint in hints_of(cls, shapes.names, f"{cls.__name__} ({place})").items():
        is_required = name in cls.__required_keys__
        while (qualifier := getattr(typing.get_origin(hint), "_name", None)) in ("Required", "NotRequired", "ReadOnly"):
            is_required = is_required if qualifier == "ReadOnly" else qualifier == "Required"
            hint = typing.get_args(hint)[0]
        yield Member(name, hint, is_required)


def _is_foreign_typed_dict(cls: type) -> bool:
    """True for a TypedDict of typing_extensions, which may have a class of its own."""
    return issubclass(cls, dict) and hasattr(cls, "__required_keys__")


def _own_docstring(cls: type) -> str:
    """Returns the docstring, without one that Python has generated."""
    text = cls.__dict__.get("__doc__") or ""
    return "" if text.startswith(f"{cls.__name__}(") else text


def _pydantic_shape(cls: Any, shapes: ShapesOfHints, place: str) -> Shape:
    mode = "validation" if shapes.direction == "input" else "serialization"
    try:
        names = list(cls.model_json_schema(mode=mode).get("$defs", {}))
        new = {name: shapes.free_name(name) for name in names}
        schema = _renamed(cls.model_json_schema(mode=mode), new)
    except Exception as error:
        raise HintError(place, f"the model {cls.__name__}, of which Pydantic makes no schema ({error})", "Change its fields.") from error
    for name, definition in schema.pop("$defs", {}).items():
        shapes.definitions[new[name]] = definition

    def decode(value: Any) -> Any:
        try:
            return cls.model_validate(value)
        except ValueError as error:
            raise _pydantic_misfit(error) from error

    return Shape(schema, decode)


def _renamed(schema: Any, new: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_renamed(one, new) for one in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: _renamed(value, new) for name, value in schema.items()}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        result["$ref"] = f"#/$defs/{new[reference[8:]]}"
    return result


def _pydantic_misfit(error: ValueError) -> Misfit:
    errors = getattr(error, "errors", None)
    if not callable(errors):
        return Misfit(str(error))
    first = errors()[0]
    misfit = Misfit(str(first["msg"]))
    for step in reversed(first["loc"]):
        misfit = misfit.below(step)
    return misfit
