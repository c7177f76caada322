"""What stands beside the type in ``Annotated[…]``, as keywords of JSON Schema.

A text is the description. A dict holds keywords as they are (``{"minimum": 1}``). Objects are known by what they have: those of
annotated-types (``Ge``, ``Len``, …), Pydantic's ``Field`` and ``StringConstraints``, and ``Doc`` of typing_extensions.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ._shape import HintError, Schema

_OF_NUMBERS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", "multiple_of": "multipleOf"}
_OF_SIZES = {"min_length": ("minLength", "minItems", "minProperties"), "max_length": ("maxLength", "maxItems", "maxProperties")}

#: Keywords that a dict may hold, with the types of JSON that they say something about; none for those that fit every type.
_KEYWORDS: dict[str, tuple[str, ...]] = {
    **{name: ("integer", "number") for name in _OF_NUMBERS.values()},
    **{name: ("string",) for name in ("minLength", "maxLength", "pattern", "format")},
    **{name: ("array",) for name in ("minItems", "maxItems", "uniqueItems")},
    **{name: ("object",) for name in ("minProperties", "maxProperties")},
    **{name: () for name in ("description", "title", "examples", "enum", "deprecated")},
}


def constrained(schema: Schema, metadata: Iterable[Any], place: str) -> Schema:
    """The schema with what ``metadata`` says. What is not known is passed over, as typing says; a keyword without an effect raises HintError."""
    result = dict(schema)
    for keywords in _keywords(metadata, schema, place):
        for name, value in keywords.items():
            result = _with(result, name, value, place)
    return result


def is_field(value: Any) -> bool:
    """Whether it is Pydantic's ``Field(…)``."""
    return type(value).__name__ == "FieldInfo"


def _keywords(metadata: Iterable[Any], schema: Schema, place: str) -> Iterator[Mapping[str, Any]]:
    for one in metadata:
        if isinstance(one, str):
            yield {"description": one}
        elif isinstance(one, Mapping):
            strange = next((name for name in one if name not in _KEYWORDS), None)
            if strange is not None:
                near = difflib.get_close_matches(str(strange), _KEYWORDS, 1)
                advice = f'Did you mean "{near[0]}"?' if near else f"Known are {', '.join(sorted(_KEYWORDS))}."
                raise HintError(place, f'the unknown keyword "{strange}"', advice)
            yield one
        elif is_field(one):
            yield _said({"description": one.description, "title": one.title, "examples": one.examples})
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
    return _said({name: value for name, value in found.items() if isinstance(value, (int, float, str))})


def _said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _size_index(schema: Schema) -> int:
    types = _types_in(schema)
    return 1 if "array" in types else 2 if "object" in types and "string" not in types else 0


def _types_in(schema: Schema) -> set[str]:
    """The types of JSON that the schema takes, as far as it says; empty for any."""
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
