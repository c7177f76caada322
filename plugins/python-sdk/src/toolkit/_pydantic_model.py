"""JSON Schemas as Pydantic models, for frameworks that require them."""

from __future__ import annotations

import re
from typing import Any, Literal, Optional

from pydantic import BaseModel, ConfigDict, Field, create_model

from ._shape import Schema

_TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict[str, Any], "null": type(None)}


def model_of(name: str, schema: Schema) -> type[BaseModel]:
    """Creates a model with a field for each property. Its JSON Schema is the given schema.

    It checks the outermost types only, because the program checks all. A field whose name Pydantic refuses (``_x``, ``schema``) gets another
    name and its own as an alias; ``arguments_in`` restores the names.
    """

    class Arguments(BaseModel):
        model_config = ConfigDict(populate_by_name=True, extra="forbid" if schema.get("additionalProperties") is False else "allow")

        @classmethod
        def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> Schema:
            return schema

    required = schema.get("required", ())
    fields: dict[str, Any] = {}
    for property_name, member in schema.get("properties", {}).items():
        hint = _hint(member)
        alias = None if _is_usable(property_name) else property_name
        default = ... if property_name in required else member.get("default")
        field = Field(default, alias=alias, description=member.get("description"))
        fields[property_name if alias is None else _usable(property_name, fields)] = (hint if default is ... else Optional[hint], field)
    return create_model(name, __base__=Arguments, **fields)


def arguments_in(model: type[BaseModel], values: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Returns the values by the names of the schema. None for an optional one counts as absent."""
    names = {field: info.alias or field for field, info in model.model_fields.items()}
    required = schema.get("required", ())
    found = {names.get(field, field): value for field, value in values.items()}
    return {name: value for name, value in found.items() if value is not None or name in required}


def _hint(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return Any
    values = schema.get("enum")
    if values and all(isinstance(value, (str, int, bool)) for value in values):
        return Literal[tuple(values)]
    kind = schema.get("type")
    if kind == "array":
        return list[_hint(schema.get("items"))]  # type: ignore[misc]
    return _TYPES.get(kind, Any) if isinstance(kind, str) else Any


def _is_usable(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z]\w*", name) is not None and not name.startswith("model_") and not hasattr(BaseModel, name)


def _usable(name: str, taken: dict[str, Any]) -> str:
    plain = re.sub(r"\W", "_", name).strip("_") or "value"
    plain = f"{plain}_" if hasattr(BaseModel, plain) or plain.startswith("model_") or plain[0].isdigit() else plain
    plain = f"value_{plain}" if plain[0].isdigit() or plain.startswith("model_") else plain
    while plain in taken:
        plain += "_"
    return plain
