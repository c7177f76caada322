"""The signature of a function as the parameters of a tool."""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Union

from ._class_shapes import Member, object_shape
from ._constraints import is_field
from ._docstring import Docstring
from ._hints import hints_of
from ._schema import Shapes
from ._shape import HintError, Schema, Shape
from .context import Context

_PLAIN_KINDS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class Signature:
    """The schemas of a function, and the conversion of a JSON object to its arguments."""

    input_schema: Schema
    #: None for a result without a hint, or with the hint None or Any.
    output_schema: Schema | None
    _signature: inspect.Signature
    _shape: Shape
    #: Defaults by parameter, in place of Pydantic's ``Field``, which the function must not get.
    _defaults: Mapping[str, Callable[[], Any]]
    _contexts: tuple[str, ...]

    def arguments(self, parameters: Mapping[str, Any], context: Context) -> inspect.BoundArguments:
        """Converts parameters to the arguments of the function. Raises Misfit."""
        values: dict[str, Any] = self._shape.decode(dict(parameters))
        values |= {name: default() for name, default in self._defaults.items() if name not in values}
        values |= {name: context for name in self._contexts}
        positional = [one.name for one in self._signature.parameters.values() if one.kind is inspect.Parameter.POSITIONAL_ONLY]
        given = [values.pop(name) for name in positional if name in values]
        return self._signature.bind(*given, **values)


def read_signature(function: Callable[..., Any], doc: Docstring, names: Mapping[str, Any], output_schema: Schema | None) -> Signature:
    """Reads the signature.

    Raises HintError for parameters that a tool cannot have, and for a result that JSON cannot hold unless ``output_schema`` is given.
    """
    signature = inspect.signature(function)
    hints = hints_of(inspect.unwrap(function), names, "the function")
    shapes = Shapes("input", names)
    members: list[Member] = []
    others: Shape | None = None
    contexts: list[str] = []
    defaults: dict[str, Callable[[], Any]] = {}
    for parameter in signature.parameters.values():
        name = parameter.name
        hint = hints.get(name, inspect.Parameter.empty)
        if _is_context(hint):
            contexts.append(name)
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise HintError("the function", f'the parameter "*{name}", for arguments without names', f"Write {name}: list[…] in its place.")
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            others = Shape({}, lambda value: value) if hint is inspect.Parameter.empty else shapes.of(hint, f'the parameter "**{name}"')
        else:
            members.append(_member(parameter, hint, defaults))
    shape = object_shape(members, shapes, dataclasses.replace(doc, description=""), lambda values: values, _place_of, others)
    for member in members:
        if member.default is None:
            shape.schema["properties"][member.name] = _without_null(shape.schema["properties"][member.name])
    schema = {**shape.schema, **({"$defs": shapes.definitions} if shapes.definitions else {})}
    output = _output_schema(hints.get("return"), doc, names) if output_schema is None else dict(output_schema)
    return Signature(schema, output, signature, shape, defaults, tuple(contexts))


def _member(parameter: inspect.Parameter, hint: Any, defaults: dict[str, Callable[[], Any]]) -> Member:
    name, default = parameter.name, parameter.default
    if hint is inspect.Parameter.empty:
        raise HintError(f'the parameter "{name}"', "no type", f"Write {name}: str, or whatever it takes; Any for any JSON value.")
    if is_field(default):
        hint = Annotated[hint, default]
        if default.is_required():
            return Member(name, hint, True)
        field = default
        defaults[name] = lambda: field.get_default(call_default_factory=True)
        default = defaults[name]()
    if default is inspect.Parameter.empty:
        return Member(name, hint, True)
    # Python 3.10 adds None to the hint of a parameter with the default None, newer versions do not.
    return Member(name, Union[hint, None] if default is None else hint, False, default)


def _place_of(name: str) -> str:
    return f'the parameter "{name}"'


def _is_context(hint: Any) -> bool:
    hint = typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint
    if typing.get_origin(hint) in (Union, types.UnionType):
        return any(_is_context(one) for one in typing.get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Context)


def _without_null(schema: Schema) -> Schema:
    """Removes null, if one type remains: a call leaves the parameter out instead, and models see one way only."""
    rest = {name: value for name, value in schema.items() if name not in ("default", "anyOf")}
    kinds = schema.get("type")
    if isinstance(kinds, list) and "enum" not in schema:
        left = [kind for kind in kinds if kind != "null"]
        return {**rest, "type": left[0] if len(left) == 1 else left}
    branches = [branch for branch in schema.get("anyOf", ()) if branch != {"type": "null"}]
    if len(branches) == 1 and isinstance(branches[0].get("type"), str):
        return {**branches[0], **rest}
    return schema


def _output_schema(hint: Any, doc: Docstring, names: Mapping[str, Any]) -> Schema | None:
    origin = typing.get_origin(hint)
    if origin in (collections.abc.Awaitable, collections.abc.Coroutine):
        hint = typing.get_args(hint)[-1]
    if hint in (None, type(None), Any, inspect.Parameter.empty, typing.NoReturn):
        return None
    shapes = Shapes("output", names)
    schema = dict(shapes.of(hint, "the result").schema)
    if not schema:
        return None
    if doc.returns:
        schema.setdefault("description", doc.returns)
    return {**schema, **({"$defs": shapes.definitions} if shapes.definitions else {})}
