"""Python functions as tools."""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Optional

import pytest

from toolkit import AsyncToolkit, Toolkit, ToolkitError
from toolkit.context import Context
from toolkit.functions import as_function_tool, registered, tool


@dataclass
class Order:
    sku: str
    count: int = 1


TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class Call:
    """A call without a program."""

    call_id = "c1"
    caller = "ann"
    secrets = {"SHOP_TOKEN": "planted"}
    traceparent: str | None = None
    is_cancelled = False

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def progress(self, progress: float | None = None, total: float | None = None, message: str | None = None) -> None:
        self.told.append((progress, total, message))

    def mask_also(self, name: str, value: str) -> None:
        self.told.append((name, value))


def order(item: Order, on: datetime.date, note: Optional[str] = None, *, speed: Literal["slow", "fast"] = "slow") -> Order:
    """Orders an item.

    Args:
        item: What is bought.
        note: For the people who pack.

    Returns:
        What was ordered.
    """
    assert isinstance(item, Order) and isinstance(on, datetime.date)
    return Order(f"{item.sku} {speed}", item.count + 1)


def test_signature_and_docstring_are_the_definition() -> None:
    order_schema = {
        "type": "object",
        "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "default": 1}},
        "required": ["sku"],
        "additionalProperties": False,
    }
    assert as_function_tool(order).definition == {
        "name": "order",
        "description": "Orders an item.",
        "input_schema": {
            "type": "object",
            "properties": {
                "item": {**order_schema, "description": "What is bought."},
                "on": {"type": "string", "format": "date"},
                "note": {"type": "string", "description": "For the people who pack."},
                "speed": {"type": "string", "enum": ["slow", "fast"], "default": "slow"},
            },
            "required": ["item", "on"],
            "additionalProperties": False,
        },
        "output_schema": {
            "type": "object",
            "description": "What was ordered.",
            "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "default": 1}},
            "required": ["sku", "count"],
        },
        "execution": {"type": "client"},
    }


def test_values_are_what_the_hints_say_and_the_result_is_json() -> None:
    made = as_function_tool(order)
    assert made.run({"item": {"sku": "a"}, "on": "2026-01-02", "note": None}, Call()) == {"sku": "a slow", "count": 2}
    # Called, it is the plain function.
    assert made(Order("b"), datetime.date(2026, 1, 2), speed="fast") == Order("b fast", 2)


def test_options_are_keys_of_the_definition() -> None:
    before = registered()

    @tool(
        name="test_options",
        description="Does something.",
        risk="low",
        requires_approval={"count": [1]},
        tags=["a"],
        secrets=["SHOP_TOKEN"],
        timeout=1.5,
        output_schema={"type": "integer"},
        annotations={"readOnlyHint": True},
    )
    def anything(count: int) -> bytes:
        return bytes(count)

    assert anything.definition == {
        "name": "test_options",
        "description": "Does something.",
        "input_schema": {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"], "additionalProperties": False},
        "output_schema": {"type": "integer"},
        "risk": "low",
        "requires_approval": {"count": [1]},
        "tags": ["a"],
        "secrets": ["SHOP_TOKEN"],
        "annotations": {"readOnlyHint": True},
        "execution": {"type": "client", "timeout_ms": 1500},
    }
    assert registered() == (*before, anything)
    assert anything(2) == b"\0\0" and anything.__name__ == "anything"


def test_keyword_arguments_of_any_name_are_additional_properties() -> None:
    def store(key: str, /, **values: int) -> dict[str, int]:
        """Stores values."""
        return {key: sum(values.values())}

    made = as_function_tool(store)
    assert made.definition["input_schema"]["additionalProperties"] == {"type": "integer"}
    assert made.run({"key": "a", "x": 1, "y": 2}, Call()) == {"a": 3}


def test_local_types_are_found() -> None:
    @dataclass
    class Local:
        other: Annotated[int, "A number."]

    def take(local: Local, more: list[Local] | None = None) -> int:
        """Takes."""
        return local.other + sum(one.other for one in more or ())

    assert as_function_tool(take).run({"local": {"other": 1}, "more": [{"other": 2}]}, Call()) == 3


def test_a_context_is_no_parameter_and_knows_the_call() -> None:
    async def use(text: str, context: Context, other: Optional[Context] = None) -> dict[str, Any]:
        """Uses it."""
        context.progress(1, 2, text)
        context.raise_if_cancelled()
        return {"id": context.call_id, "caller": context.caller, "known": sorted(context.secrets), "cancelled": context.cancelled}

    made = as_function_tool(use)
    assert list(made.definition["input_schema"]["properties"]) == ["text"]
    call = Call()
    assert asyncio.run(made.run({"text": "half"}, call)) == {"id": "c1", "caller": "ann", "known": ["SHOP_TOKEN"], "cancelled": False}
    assert call.told == [(1, 2, "half")]


def test_a_context_has_the_place_of_the_call_in_its_trace() -> None:
    def use(context: Context) -> Any:
        """Uses it."""
        return context.traceparent

    made = as_function_tool(use)
    call = Call()
    assert made.run({}, call) is None
    call.traceparent = TRACEPARENT
    assert made.run({}, call) == TRACEPARENT


def without_a_hint(x) -> None:  # type: ignore[no-untyped-def]
    """Takes."""


def with_star(*names: str) -> None:
    """Takes."""


def without_docstring(x: int) -> None:
    pass


def with_object(x: threading.Lock) -> None:
    """Takes."""


def with_unknown(x: Missing) -> None:  # type: ignore[name-defined] # noqa: F821
    """Takes."""


def with_result() -> threading.Lock:
    """Gives."""
    return threading.Lock()


def with_yield() -> Iterator[int]:
    """Gives."""
    yield 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (without_a_hint, 'The function "without_a_hint" cannot be a tool: the parameter "x" has no type. Write x: str, or whatever it takes;'),
        (with_star, 'has the parameter "*names", for arguments without names. Write names: list[…] in its place.'),
        (without_docstring, "has no description, by which a model chooses it. Write a docstring, or @tool(description=…)."),
        (with_object, 'the parameter "x" has '),
        (with_unknown, 'the parameter "x" has a hint with the name "Missing", which is not known here.'),
        (with_result, "the result has "),
        (with_yield, "has a yield in it, and a tool has one result. Return a list"),
        (lambda: 1, 'has the name "<lambda>"'),
        (7, "A tool is made of a function, received int."),
    ],
)
def test_what_cannot_be_a_tool_is_refused(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(ToolkitError) as caught:
        as_function_tool(function)
    assert caught.value.code == "TOOL_INVALID" and message in str(caught.value)


@pytest.mark.parametrize(("option", "value"), [("risk", "mild"), ("timeout", 0), ("name", "a b")])
def test_wrong_options_are_refused(option: str, value: Any) -> None:
    with pytest.raises(ToolkitError) as caught:
        tool(**{option: value})(order)
    assert caught.value.code == "TOOL_INVALID" and str(value) in str(caught.value)


def test_a_name_belongs_to_one_function_which_may_be_defined_again() -> None:
    def define(result: int) -> Any:
        @tool(name="test_again")
        def again() -> int:
            """Gives."""
            return result

        return again

    define(1)
    second = define(2)
    assert [one for one in registered() if one.name == "test_again"] == [second]
    with pytest.raises(ToolkitError) as caught:
        tool(name="test_again")(order)
    assert caught.value.code == "TOOL_DUPLICATE" and "test_functions.order wants it too" in str(caught.value)


def test_bare_tool_on_a_method_is_refused() -> None:
    with pytest.raises(ToolkitError, match='to make a tool of it, add the method of an object: toolkit.add_tools\\(object.method\\)'):

        class Holder:
            @tool
            def method(self) -> None:
                """Does."""


def test_a_method_of_an_object_can_be_a_tool() -> None:
    class Counter:
        count = 0

        def add(self, by: int) -> int:
            """Adds."""
            self.count += by
            return self.count

    counter = Counter()
    assert as_function_tool(counter.add).run({"by": 2}, Call()) == 2


def test_values_that_do_not_fit_are_invalid_parameters() -> None:
    with pytest.raises(ToolkitError) as caught:
        as_function_tool(order).run({"item": {"sku": 1}, "on": "2026-01-02"}, Call())
    assert caught.value.code == "INVALID_PARAMETERS"
    assert caught.value.details["issues"] == [{"path": "item.sku", "message": "expected a string, received 1"}]


def test_a_result_that_json_cannot_hold_is_refused() -> None:
    def give() -> Any:
        """Gives."""
        return {"lock": threading.Lock()}

    with pytest.raises(ToolkitError) as caught:
        as_function_tool(give).run({}, Call())
    assert caught.value.code == "OUTPUT_INVALID" and "JSON cannot hold a lock" in str(caught.value)


def test_a_toolkit_calls_functions_like_all_tools() -> None:
    def shout(text: str, context: Context, times: int = 1) -> dict[str, str]:
        """Says it loud."""
        context.progress(1, 1, "done")
        return {"text": text.upper() * times}

    progress: list[Any] = []
    with Toolkit.init(log_level="error", include_core=False, tools=[shout, order]) as toolkit:
        assert toolkit.execute("shout", {"text": "a", "times": 2}, on_progress=progress.append) == {"text": "AA"}
        assert toolkit.execute("shout", {"text": "a"}) == {"text": "A"}
        assert toolkit.execute("order", {"item": {"sku": "a"}, "on": "2026-01-02", "note": None}) == {"sku": "a slow", "count": 2}
        with pytest.raises(ToolkitError) as caught:
            toolkit.execute("order", {"item": {"sku": "a", "size": 1}, "on": "soon"})
        assert caught.value.code == "INVALID_PARAMETERS"
        assert {issue["path"] for issue in caught.value.details["issues"]} == {"item.size", "on"}
    assert [one.message for one in progress] == ["done"]


def test_a_secret_that_a_function_obtains_is_masked_from_then_on() -> None:
    def login(parts: list[str], context: Context) -> dict[str, str]:
        """Logs in."""
        token = "".join(parts)
        context.mask_also("SESSION", token)
        if len(parts) > 2:
            raise ToolkitError("EXECUTION_FAILED", f"The session {token} is over.")
        return {"header": f"Bearer {token}"}

    with Toolkit.init(log_level="error", include_core=False, tools=[login]) as toolkit:
        assert toolkit.execute("login", {"parts": ["s3ss10n-", "planted"]}) == {"header": "Bearer [secret SESSION]"}
        with pytest.raises(ToolkitError) as caught:
            toolkit.execute("login", {"parts": ["s3ss10n-", "plant", "ed"]})
        assert "[secret SESSION]" in str(caught.value) and "planted" not in str(caught.value)


def test_what_is_no_text_is_not_masked_without_a_word() -> None:
    def login(context: Context) -> None:
        """Logs in."""
        context.mask_also("SESSION", {"token": "planted"})  # type: ignore[arg-type]

    with pytest.raises(TypeError) as caught:
        as_function_tool(login).run({}, Call())
    assert "planted" not in str(caught.value)


def test_integers_beyond_2_53_are_exact_both_ways() -> None:
    taken: list[Any] = []

    def take(number: int, ids: list[int], text: str) -> dict[str, Any]:
        """Takes integers."""
        taken.extend([number, ids, text])
        return {"number": number, "ids": ids}

    with Toolkit.init(log_level="error", include_core=False, tools=[take]) as toolkit:
        output = toolkit.execute("take", {"number": 2**60 + 1, "ids": [-(2**53) - 1, 7], "text": "7960607143101464577"})
    assert taken == [2**60 + 1, [-(2**53) - 1, 7], "7960607143101464577"]
    assert output == {"number": "1152921504606846977", "ids": ["-9007199254740993", 7]}


async def test_an_async_toolkit_runs_coroutine_functions_in_its_loop() -> None:
    loop = asyncio.get_running_loop()

    async def here() -> bool:
        """Returns True when it is the same loop."""
        return asyncio.get_running_loop() is loop

    async with await AsyncToolkit.init(log_level="error", include_core=False, tools=[here]) as toolkit:
        assert await toolkit.execute("here") is True
