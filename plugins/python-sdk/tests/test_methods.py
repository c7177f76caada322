"""Methods that call tools."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from toolkit import AsyncToolkit, Toolkit, ToolkitError
from toolkit.functions import tool
from toolkit.methods import calling_method, get_global_toolkit, set_global_toolkit


class Recorder:
    """Takes calls in place of a toolkit."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, Any]]] = []

    def execute(self, name: str, params: Mapping[str, Any], /) -> Any:
        self.calls.append((name, params))
        return f"{name} called"


class AsyncRecorder(Recorder):
    async def execute(self, name: str, params: Mapping[str, Any], /) -> Any:
        return super().execute(name, params)


class Shop:
    def __init__(self, toolkit: Any = None) -> None:
        self.toolkit = toolkit

    @tool("shop_find")
    def find(self, text: str, on: datetime.date | None = None, *, limit: int = 5, **more: Any) -> Any:
        raise AssertionError("replaced by the tool")

    @tool("shop_buy")
    async def buy(self, item: str) -> Any:
        raise AssertionError("replaced by the tool")


@pytest.fixture(autouse=True)
def without_global() -> Iterator[None]:
    yield
    set_global_toolkit(None)


@pytest.mark.parametrize(
    ("arguments", "keywords", "parameters"),
    [
        ((), {"text": "a"}, {"text": "a", "limit": 5}),
        (("a", datetime.date(2026, 1, 2)), {}, {"text": "a", "on": "2026-01-02", "limit": 5}),
        (("a",), {"limit": 1, "size": "L"}, {"text": "a", "limit": 1, "size": "L"}),
        (("a", None), {}, {"text": "a", "on": None, "limit": 5}),
    ],
)
def test_arguments_are_parameters_by_name(arguments: tuple[Any, ...], keywords: dict[str, Any], parameters: dict[str, Any]) -> None:
    recorder = Recorder()
    assert Shop(recorder).find(*arguments, **keywords) == "shop_find called"
    assert recorder.calls == [("shop_find", parameters)]


def test_the_signature_of_the_method_holds() -> None:
    with pytest.raises(TypeError, match="text"):
        Shop(Recorder()).find()  # type: ignore[call-arg]


def test_the_toolkit_is_that_of_the_decorator_then_of_the_object_then_the_global_one() -> None:
    own, of_object, of_all = Recorder(), Recorder(), Recorder()

    class Both:
        toolkit = of_object

        @calling_method("a", own)
        def first(self) -> None: ...

        @tool("b")
        def second(self) -> None: ...

    class Neither:
        @tool("c")
        def third(self) -> None: ...

        @classmethod
        @tool("d")
        def fourth(cls) -> None: ...

    set_global_toolkit(of_all)
    assert get_global_toolkit() is of_all
    Both().first()
    Both().second()
    Neither().third()
    Neither.fourth()
    assert [[name for name, _ in one.calls] for one in (own, of_object, of_all)] == [["a"], ["b"], ["c", "d"]]


async def test_coroutine_methods_take_either_kind_of_toolkit() -> None:
    for recorder in (Recorder(), AsyncRecorder()):
        assert await Shop(recorder).buy("a") == "shop_buy called"
        assert recorder.calls == [("shop_buy", {"item": "a"})]


def test_a_plain_method_refuses_a_toolkit_that_it_cannot_wait_for() -> None:
    with pytest.raises(ToolkitError, match="Write async def find"):
        Shop(AsyncRecorder()).find("a")


def test_a_call_without_a_toolkit_says_how_to_give_one() -> None:
    with pytest.raises(ToolkitError) as caught:
        Shop().find("a")
    assert caught.value.code == "CONFIG_INVALID"
    assert 'Shop.find finds no toolkit to call the tool "shop_find" with' in str(caught.value)


def test_it_stands_on_methods_only() -> None:
    with pytest.raises(ToolkitError, match='To make a tool of a function, write @tool\\(name="a"\\)'):

        @tool("a")
        def plain(x: int) -> None: ...

    with pytest.raises(ToolkitError, match="below @classmethod"):

        class Wrong:
            @tool("a")
            @classmethod
            def method(cls) -> None: ...

    with pytest.raises(ToolkitError, match="Parameters of tools have names"):

        class Listed:
            @tool("a")
            def method(self, *values: int) -> None: ...

    with pytest.raises(ToolkitError, match="what Toolkit.init\\(\\) gives, received a int"):
        set_global_toolkit(7)  # type: ignore[arg-type]


def test_a_real_tool_is_called(toolkit: Toolkit) -> None:
    class Texts:
        def __init__(self, toolkit: Toolkit) -> None:
            self.toolkit = toolkit

        @tool("text_slugify")
        def slug(self, text: str, max_length: int | None = None) -> dict[str, str]:
            raise AssertionError("replaced by the tool")

    assert Texts(toolkit).slug("Two Words") == {"slug": "two-words"}


async def test_a_real_tool_is_called_by_an_async_toolkit() -> None:
    class Texts:
        toolkit: AsyncToolkit

        @tool("text_slugify")
        async def slug(self, text: str) -> dict[str, str]:
            raise AssertionError("replaced by the tool")

    async with await AsyncToolkit.init(log_level="error") as toolkit:
        texts = Texts()
        texts.toolkit = toolkit
        assert await texts.slug(text="Two Words") == {"slug": "two-words"}


def test_a_toolkit_decorates_methods_itself(toolkit: Toolkit) -> None:
    class Texts:
        @toolkit.tool("text_slugify")
        def slug(self, text: str) -> dict[str, str]:
            raise NotImplementedError

    assert Texts().slug("Two Words") == {"slug": "two-words"}
