"""Tools for CrewAI, tested with a stand-in of its BaseTool, because CrewAI is not installed with the tests."""

from __future__ import annotations

from typing import Any

import crewai_stand_in
import pytest

from toolkit import AsyncToolkit, Toolkit

crewai_stand_in.install()

from toolkit._pydantic_model import arguments_in, model_of  # noqa: E402
from toolkit.crewai import acrewai_tools, crewai_tools  # noqa: E402


def test_a_tool_has_what_crewai_asks_for(toolkit: Toolkit) -> None:
    [tool, _reads_on] = crewai_tools(toolkit, tools=["text_slugify"])
    assert isinstance(tool, crewai_stand_in.BaseTool)
    assert tool.name == "text_slugify" and tool.description.startswith("Makes a short name")
    schema = tool.args_schema.model_json_schema()
    assert {"text", "text_path"} <= set(schema["properties"]) and schema["properties"]["max_length"]["maximum"] == 10000
    assert set(tool.args_schema.model_fields) == {"text", "text_path", "separator", "max_length"}
    assert tool.cache_function({}, "a") is False
    assert tool.run(text="Two Words") == '{"slug":"two-words"}'
    assert tool.run(text="Two Words", separator="_") == '{"slug":"two_words"}'


def test_a_failure_is_a_text_that_the_model_reads(toolkit: Toolkit) -> None:
    [tool, _reads_on] = crewai_tools(toolkit, tools=["text_slugify"])
    assert tool.run(text="a", max_length=0).startswith("INVALID_PARAMETERS: ")


async def test_an_async_toolkit_gives_them_as_well() -> None:
    async with await AsyncToolkit.init(log_level="error") as toolkit:
        [tool, _reads_on] = await acrewai_tools(toolkit, tools=["text_slugify"])
        assert await tool.arun(text="Two Words") == '{"slug":"two-words"}'


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "_toolkit_approved": {"type": "boolean"},
        "schema": {"type": "string"},
        "model_name": {"type": "string"},
        "x-y": {"type": ["string", "null"]},
        "list": {"type": "array", "items": {"enum": ["a", "b"]}},
    },
    "required": ["x-y"],
}


def test_names_that_pydantic_does_not_take_are_given_back() -> None:
    model = model_of("Odd", SCHEMA)
    values = {"_toolkit_approved": True, "schema": "a", "model_name": "b", "x-y": None, "list": ["a"]}
    checked = model.model_validate(values).model_dump()
    assert not set(checked) & {"_toolkit_approved", "schema", "model_name", "x-y"}
    assert arguments_in(model, checked, SCHEMA) == values
    assert model.model_json_schema()["properties"] == SCHEMA["properties"]


@pytest.mark.parametrize("values", [{}, {"x-y": "a", "list": ["c"]}])
def test_the_model_checks_what_is_required_and_the_types(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        model_of("Odd", SCHEMA).model_validate(values)
