"""JSON Schemas of type hints, and conversion of JSON to the types of the hints."""

from __future__ import annotations

import datetime
import decimal
import enum
import pathlib
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, TypedDict, TypeVar, Union

import pytest

from toolkit._schema import Shapes
from toolkit._shape import HintError, Misfit

T = TypeVar("T")
UserId = NewType("UserId", int)


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Point:
    """A place on the map.

    Attributes:
        x: To the east.
    """

    x: float
    y: float = 0.0
    labels: list[str] = field(default_factory=list)


@dataclass
class Positive:
    value: int

    def __post_init__(self) -> None:
        if self.value <= 0:
            raise ValueError("expected a number over 0")


@dataclass
class Node:
    value: int
    children: list[Node] = field(default_factory=list)


class Query(TypedDict, total=False):
    text: str
    limit: int


class Pair(NamedTuple):
    left: str
    right: int = 1


class Ge:
    def __init__(self, ge: int) -> None:
        self.ge = ge


class Len:
    def __init__(self, min_length: int, max_length: int) -> None:
        self.min_length, self.max_length = min_length, max_length


POINT = {
    "type": "object",
    "description": "A place on the map.",
    "properties": {
        "x": {"type": "number", "description": "To the east."},
        "y": {"type": "number", "default": 0.0},
        "labels": {"type": "array", "items": {"type": "string"}, "default": []},
    },
    "required": ["x"],
    "additionalProperties": False,
}

#: A hint, its schema, JSON that fits, and the converted value.
CASES: list[tuple[Any, dict[str, Any], Any, Any]] = [
    (str, {"type": "string"}, "a", "a"),
    (int, {"type": "integer"}, 2, 2),
    (int, {"type": "integer"}, 2.0, 2),
    (float, {"type": "number"}, 2, 2.0),
    (bool, {"type": "boolean"}, True, True),
    (None, {"type": "null"}, None, None),
    (Any, {}, {"a": [1]}, {"a": [1]}),
    (list, {"type": "array"}, [1, "a"], [1, "a"]),
    (list[int], {"type": "array", "items": {"type": "integer"}}, [1, 2.0], [1, 2]),
    (Sequence[str], {"type": "array", "items": {"type": "string"}}, ["a"], ["a"]),
    (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, [1], {1}),
    (frozenset[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}, ["a"], frozenset({"a"})),
    (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}, [1, 2], (1, 2)),
    (
        tuple[int, str],
        {"type": "array", "items": False, "minItems": 2, "maxItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        [1, "a"],
        (1, "a"),
    ),
    (dict, {"type": "object"}, {"a": 1}, {"a": 1}),
    (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, {"a": 1}, {"a": 1}),
    (Mapping[str, Any], {"type": "object"}, {"a": 1}, {"a": 1}),
    (
        dict[Color, int],
        {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"type": "string", "enum": ["red", "blue"]}},
        {"red": 1},
        {Color.RED: 1},
    ),
    (Optional[str], {"type": ["string", "null"]}, None, None),
    (Union[int, str], {"type": ["integer", "string"]}, "1", "1"),
    (Union[str, float, int], {"type": ["string", "number", "integer"]}, 1, 1),
    (int | None, {"type": ["integer", "null"]}, 3, 3),
    (Optional[list[int]], {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}, [1], [1]),
    (Union[str, datetime.date], {"anyOf": [{"type": "string"}, {"type": "string", "format": "date"}]}, "2026-01-02", datetime.date(2026, 1, 2)),
    (Union[Point, Query], None, {"text": "a"}, {"text": "a"}),  # type: ignore[list-item]
    (Literal["a", 1, None], {"type": ["string", "integer", "null"], "enum": ["a", 1, None]}, 1, 1),
    (Literal[True], {"type": "boolean", "enum": [True]}, True, True),
    (Color, {"type": "string", "enum": ["red", "blue"]}, "red", Color.RED),
    (Level, {"type": "integer", "enum": [1, 2], "description": "1: LOW, 2: HIGH"}, 2, Level.HIGH),
    (UserId, {"type": "integer"}, 7, 7),
    (datetime.datetime, {"type": "string", "format": "date-time"}, "2026-01-02T03:04:05Z", datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)),
    (datetime.time, {"type": "string", "format": "time"}, "03:04:05", datetime.time(3, 4, 5)),
    (uuid.UUID, {"type": "string", "format": "uuid"}, "00000000-0000-0000-0000-000000000001", uuid.UUID(int=1)),
    (pathlib.Path, {"type": "string", "format": "path"}, "/a/b", pathlib.Path("/a/b")),
    (decimal.Decimal, {"type": ["number", "string"]}, "0.10", decimal.Decimal("0.10")),
    (decimal.Decimal, {"type": ["number", "string"]}, 0.1, decimal.Decimal("0.1")),
    (Point, POINT, {"x": 1}, Point(1.0)),
    (Query, None, {"limit": 1}, {"limit": 1}),  # type: ignore[list-item]
    (Pair, None, {"left": "a"}, Pair("a")),  # type: ignore[list-item]
    (
        Node,
        {"$ref": "#/$defs/Node"},
        {"value": 1, "children": [{"value": 2}]},
        Node(1, [Node(2)]),
    ),
    (Annotated[int, "How many."], {"type": "integer", "description": "How many."}, 1, 1),
    (Annotated[int, {"minimum": 1, "maximum": 5}], {"type": "integer", "minimum": 1, "maximum": 5}, 1, 1),
    (Annotated[int, Ge(1)], {"type": "integer", "minimum": 1}, 1, 1),
    (Annotated[str, Len(1, 9)], {"type": "string", "minLength": 1, "maxLength": 9}, "a", "a"),
    (Annotated[list[str], Len(1, 9)], {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 9}, ["a"], ["a"]),
    (Annotated[Optional[int], Ge(1)], {"type": ["integer", "null"], "minimum": 1}, None, None),
]


@pytest.mark.parametrize(("hint", "schema", "given", "value"), CASES)
def test_a_hint_is_a_schema_and_json_becomes_its_value(hint: Any, schema: dict[str, Any] | None, given: Any, value: Any) -> None:
    shape = Shapes("input").of(hint, "here")
    if schema is not None:
        assert shape.schema == schema
    decoded = shape.decode(given)
    assert decoded == value and type(decoded) is type(value)


@pytest.mark.parametrize(
    ("hint", "given", "path", "message"),
    [
        (int, True, "", "expected an integer, received true"),
        (int, 1.5, "", "expected an integer"),
        (float, "1", "", 'expected a number, received "1"'),
        (bool, 1, "", "expected a boolean"),
        (str, None, "", "received null"),
        (list[int], [1, "a"], "[1]", "expected an integer"),
        (tuple[int, str], [1], "", "expected a list of 2"),
        (dict[str, list[int]], {"a": [1, "b"]}, "a[1]", "expected an integer"),
        (datetime.datetime, "yesterday", "", "expected a date and time"),
        (datetime.date, "2026-13-01", "", "expected a date"),
        (decimal.Decimal, "NaN", "", "expected a finite number"),
        (Color, "green", "", "expected one of 'red', 'blue'"),
        (Literal[1], True, "", "expected one of 1"),
        (Point, {"y": 1}, "x", "is required"),
        (Point, {"x": 1, "z": 2}, "z", "is not known here"),
        (Node, {"value": 1, "children": [{"value": "a"}]}, "children[0].value", "expected an integer"),
        (Positive, {"value": 0}, "", "expected a number over 0"),
        (Union[int, Node], {"value": "a"}, "value", "expected an integer"),
    ],
)
def test_json_that_does_not_fit_is_refused_with_its_place(hint: Any, given: Any, path: str, message: str) -> None:
    with pytest.raises(Misfit) as caught:
        Shapes("input").of(hint, "here").decode(given)
    assert caught.value.path == path
    assert message in caught.value.message


class Plain:
    pass


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        (Plain, "here has the type Plain, which JSON cannot hold. Write a type that JSON has: str"),
        (bytes, "the type bytes"),
        (dict[int, str], "here has keys of the type int. Names of members are texts in JSON: write dict[str, …]."),
        (list[Plain], "an item of here has the type Plain"),
        (T, "the type ~T"),
        (datetime.timedelta, "the type timedelta"),
        (Annotated[int, {"minumum": 1}], 'the unknown keyword "minumum". Did you mean "minimum"?'),
        (Annotated[bool, Ge(1)], '"minimum", which says nothing about boolean'),
    ],
)
def test_a_hint_that_cannot_be_a_schema_is_refused(hint: Any, message: str) -> None:
    with pytest.raises(HintError, match=".*") as caught:
        Shapes("input").of(hint, "here")
    assert message in str(caught.value)


def test_a_field_that_cannot_be_a_schema_is_named() -> None:
    @dataclass
    class Holder:
        plain: Plain

    with pytest.raises(HintError, match='"plain" of Holder \\(here\\) has the type Plain'):
        Shapes("input", locals()).of(Holder, "here")


def test_a_class_with_itself_as_a_member_stands_in_defs() -> None:
    shapes = Shapes("input")
    shapes.of(Node, "here")
    assert shapes.definitions["Node"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}


def test_outputs_accept_new_fields_and_have_all_of_a_dataclass() -> None:
    schema = Shapes("output").of(Point, "here").schema
    assert "additionalProperties" not in schema
    assert schema["required"] == ["x", "y", "labels"]
    assert Shapes("output").of(decimal.Decimal, "here").schema == {"type": "string"}
    assert Shapes("output").of(datetime.datetime, "here").schema == {"type": "string"}


def test_required_and_not_required_of_typed_dicts_count() -> None:
    if sys.version_info < (3, 11):
        from typing_extensions import NotRequired, Required, TypedDict
    else:
        from typing import NotRequired, Required, TypedDict

    class Mixed(TypedDict, total=False):
        a: Required[int]
        b: str

    class Other(Mixed):
        c: NotRequired[bool]
        d: int

    schema = Shapes("input", locals()).of(Other, "here").schema
    assert schema["required"] == ["a", "d"]
    assert list(schema["properties"]) == ["a", "b", "c", "d"]
