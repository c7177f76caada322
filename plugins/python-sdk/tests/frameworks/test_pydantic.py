"""Functions with models and fields of Pydantic."""

from __future__ import annotations

from typing import Annotated, Any

import annotated_types
import pytest
from pydantic import BaseModel, Field, StringConstraints

from toolkit import Toolkit, ToolkitError
from toolkit.functions import as_function_tool


class Address(BaseModel):
    city: str
    zip: Annotated[str, Field(pattern=r"^\d{5}$")] = "00000"


class Person(BaseModel):
    name: str
    home: Address | None = None
    friends: list[Person] = []


def greet(
    person: Person,
    times: Annotated[int, annotated_types.Ge(1), annotated_types.Le(3)] = 1,
    word: Annotated[str, StringConstraints(min_length=2, pattern="^[a-z]+$")] = "hi",
    mood: str = Field(default="good", description="How it sounds.", max_length=9),
    extra: list[str] = Field(default_factory=list),
    needed: int = Field(gt=0),
) -> Person:
    """Greets."""
    assert isinstance(person, Person) and extra == [] and mood == "good"
    return Person(name=f"{word} {person.name}" * times, home=person.home)


def test_models_and_fields_are_part_of_the_schema() -> None:
    schema = as_function_tool(greet).definition["input_schema"]
    assert schema["properties"]["times"] == {"type": "integer", "minimum": 1, "maximum": 3, "default": 1}
    assert schema["properties"]["word"] == {"type": "string", "minLength": 2, "pattern": "^[a-z]+$", "default": "hi"}
    assert schema["properties"]["mood"] == {"type": "string", "description": "How it sounds.", "maxLength": 9, "default": "good"}
    assert schema["properties"]["extra"]["default"] == []
    assert schema["properties"]["needed"] == {"type": "integer", "exclusiveMinimum": 0}
    assert schema["required"] == ["person", "needed"]
    assert set(schema["$defs"]) == {"Person", "Address"}
    assert schema["properties"]["person"]["$ref"] == "#/$defs/Person"


def test_a_toolkit_runs_it(toolkit: Toolkit) -> None:
    toolkit.add_tools(greet)
    person: dict[str, Any] = {"name": "Ann", "home": {"city": "Ulm"}, "friends": [{"name": "Bob"}]}
    output = toolkit.execute("greet", {"person": person, "needed": 1})
    assert output == {"name": "hi Ann", "home": {"city": "Ulm", "zip": "00000"}, "friends": []}
    with pytest.raises(ToolkitError) as caught:
        toolkit.execute("greet", {"person": {"name": "Ann", "home": {"city": "Ulm", "zip": "a"}}, "needed": 0})
    assert caught.value.code == "INVALID_PARAMETERS"


class Even(BaseModel):
    value: int

    def model_post_init(self, _context: Any) -> None:
        if self.value % 2:
            raise ValueError("expected an even number")


def test_what_only_the_model_refuses_is_invalid_parameters(toolkit: Toolkit) -> None:
    def halve(number: Even) -> int:
        """Halves."""
        return number.value // 2

    toolkit.add_tools(halve)
    assert toolkit.execute("halve", {"number": {"value": 4}}) == 2
    with pytest.raises(ToolkitError, match="expected an even number") as caught:
        toolkit.execute("halve", {"number": {"value": 3}})
    assert caught.value.code == "INVALID_PARAMETERS"
