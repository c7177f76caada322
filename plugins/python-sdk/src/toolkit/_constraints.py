"""Keywords of JSON Schema from the metadata in ``Annotated[…]``.

A text is the description. A dict holds keywords (``{"minimum": 1}``). Objects are recognized by their attributes: those of
annotated-types (``Ge``, ``Len``, …), Pydantic's ``Field`` and ``StringConstraints``, and ``Doc`` of typing_extensions.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ._shape import HintError, Schema

_OF_NUMBERS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", "multiple_of": "multipleOf"}
_OF_SIZES = {"min_length": ("minLength", "minItems", "minProperties"), "max_length": ("maxLength", "maxItems", "maxProperties")}

#: Allowed keywords of a dict, with the JSON types that they apply to; empty for keywords of every type.
_KEYWORDS: dict[str, tuple[str, ...]] = {
    **{name: ("integer", "number") for name in _OF_NUMBERS.values()},
    **{name: ("string",) for name in ("minLength", "maxLength", "pattern", "format")},
    **{name: ("array",) for name in ("minItems", "maxItems", "uniqueItems")},
    **{name: ("object",) for name in ("minProperties", "maxProperties")},
    **{name: () for name in ("description", "title", "examples", "enum", "deprecated")},
}


def constrained(schema: Schema, metadata: Iterable[Any], place: str) -> Schema:
    """Adds the keywords of ``metadata`` to the schema. Ignores unknown metadata, as typing requires. Raises HintError for a keyword without effect."""
    result = dict(schema)
    for keywords in _keywords(metadata, schema, place):
        for name, value in keywords.items():
            result = _with(result, name, value, place)
    return result


def is_field(value: Any) -> bool:
    """True for Pydantic's ``Field(…)``."""
    return type(value).__name__ == "FieldInfo"


def _keywords(metadata: Iterable[Any], schema: Schema, place: str) -> Iterator[Mapping[str, Any]]:
    for one in metadata:
        if isinstance(one, str):
            yield {"description": one}
        elif isinstance(one, Mapping):
            unknown = next((name for name in one if name not in _KEYWORDS), None)
            if unknown is not None:
                near = difflib.get_close_matches(str(unknown), _KEYWORDS, 1)
                advice = f'Did you mean "{near[0]}"?' if near else f"Known are {', '.join(sorted(_KEYWORDS))}."
                raise HintError(place, f'the unknown keyword "{unknown}"', advice)
            yield one
        elif is_field(one):
            yield _without_none({"description": one.description, "title": one.title, "examples": one.examples})
            yield from _keywords(one.metadata, schema, place)
        elif isinstance(getattr(one, "documentation", None), str):
            yield {"description": one.documentation}
        else:
            yield _of_object(one, schema)


def _of_object(one: Any, schema: Schema) -> dict[str, Any]:
    found = {keyword: getattr(one, name, None) for name, keyword in _OF_NUMBERS.items()}
    size = _size_index(schema)
    found |= {keywords[size]: getattr(one, name, None) for name, keywords in _OF_SIZES.items()}
    pattern = getattr(one, "pattern", None)
    found["pattern"] = getattr(pattern, "pattern", pattern)
    return _without_none({name: value for name, value in found.items() if isinstance(value, (int, float, str))})


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _size_index(schema: Schema) -> int:
    types = _types_in(schema)
    return 1 if "array" in types else 2 if "object" in types and "string" not in types else 0


def _types_in(schema: Schema) -> set[str]:
    """Returns the JSON types that the schema allows; empty for any."""
    own = schema.get("type", [])
    types = {own} if isinstance(own, str) else set(own)
    for branch in schema.get("anyOf", ()):
        types |= _types_in(branch)
    return types


def _with(schema: Schema, name: str, value: Any, place: str) -> Schema:
    kinds = _KEYWORDS[name]
    types = _types_in(schema)
    if kinds and types and not types.intersection(kinds):
        raise HintError(place, f'"{name}", which says nothing about {" or ".join(sorted(types))}', "Remove it, or change the type.")
    return {**schema, name: value}
