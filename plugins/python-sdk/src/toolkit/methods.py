"""Methods that call tools: the decorator pattern."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from ._plain_json import plain_json
from .errors import ToolkitError

M = TypeVar("M", bound=Callable[..., Any])


class ToolCaller(Protocol):
    """An object that runs tools for decorated methods: a Toolkit, an AsyncToolkit, or your own, which may add caller or credentials."""

    def execute(self, name: str, params: Mapping[str, Any], /) -> Any: ...


_global_toolkit: ToolCaller | None = None


def set_global_toolkit(toolkit: ToolCaller | None) -> None:
    """Sets the toolkit for methods with ``@tool("name")`` whose object has none; None removes it. Raises ToolkitError CONFIG_INVALID."""
    global _global_toolkit
    if toolkit is not None and not callable(getattr(toolkit, "execute", None)):
        raise ToolkitError("CONFIG_INVALID", f"The global toolkit cannot be used: expected what Toolkit.init() gives, received {_kind(toolkit)}.")
    _global_toolkit = toolkit


def get_global_toolkit() -> ToolCaller | None:
    """Returns the toolkit that ``set_global_toolkit`` has set; None without one."""
    return _global_toolkit


def calling_method(name: str, toolkit: ToolCaller | None = None) -> Callable[[M], M]:
    """Returns a decorator that replaces a method by a call of the tool ``name``. The body of the method never runs.

    The arguments are the parameters, by name or in the order of the method's signature; defaults of the signature are given too, except None
    and ``...``. The toolkit is ``toolkit``, else the attribute ``toolkit`` of the method's object, else the global one. An ``async def``
    accepts both kinds of toolkit, a plain method needs a synchronous one. Raises ToolkitError CONFIG_INVALID for anything but a method.
    """

    def decorate(method: M) -> M:
        if not inspect.isfunction(method) or not is_method(method):
            where = getattr(method, "__qualname__", _kind(method))
            raise ToolkitError(
                "CONFIG_INVALID",
                f'@tool("{name}") stands on {where}, expected a method of a class, below @classmethod where there is one. To make a tool of a '
                f'function, write @tool(name="{name}").',
                {"tool": name},
            )
        signature = inspect.signature(method)
        _refuse_positional(signature, name, method.__qualname__)
        if inspect.iscoroutinefunction(method):

            @functools.wraps(method)
            async def call_later(*args: Any, **kwargs: Any) -> Any:
                parameters = _parameters(signature, args, kwargs)
                execute = _toolkit_of(args, toolkit, name, method.__qualname__).execute
                if inspect.iscoroutinefunction(execute):
                    return await execute(name, parameters)
                result = await asyncio.to_thread(execute, name, parameters)
                return await result if inspect.isawaitable(result) else result

            return call_later  # type: ignore[return-value]

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            parameters = _parameters(signature, args, kwargs)
            execute = _toolkit_of(args, toolkit, name, method.__qualname__).execute
            if inspect.iscoroutinefunction(execute):
                raise ToolkitError(
                    "CONFIG_INVALID",
                    f'{method.__qualname__} calls the tool "{name}" with an AsyncToolkit, which a plain method cannot wait for. Write '
                    f"async def {method.__name__}(…), or use Toolkit.",
                    {"tool": name},
                )
            return execute(name, parameters)

        return call  # type: ignore[return-value]

    return decorate


def is_method(function: Any) -> bool:
    """True for a function that is defined in the body of a class and not bound to an object."""
    if inspect.ismethod(function):
        return False
    owner: str = getattr(function, "__qualname__", "").rpartition(".")[0]
    return owner != "" and not owner.endswith("<locals>")


def _refuse_positional(signature: inspect.Signature, name: str, where: str) -> None:
    listed = [one.name for one in signature.parameters.values() if one.kind is inspect.Parameter.VAR_POSITIONAL]
    if listed or not signature.parameters:
        problem = f"*{listed[0]}" if listed else "no self"
        raise ToolkitError(
            "CONFIG_INVALID", f'@tool("{name}") cannot be used on {where}: it has {problem}. Parameters of tools have names.', {"tool": name}
        )


def _parameters(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    bound = signature.bind(*args, **kwargs)
    given = set(bound.arguments)
    bound.apply_defaults()
    parameters: dict[str, Any] = {}
    for parameter in list(signature.parameters.values())[1:]:
        value = bound.arguments[parameter.name]
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            parameters |= value
        elif parameter.name in given or (value is not None and value is not ...):
            parameters[parameter.name] = value
    try:
        return {name: plain_json(value) for name, value in parameters.items()}
    except (TypeError, ValueError) as error:
        raise ToolkitError("INVALID_PARAMETERS", f"The parameters cannot be written as JSON: {error}. Give texts, numbers, lists and dicts.") from error


def _toolkit_of(args: tuple[Any, ...], toolkit: ToolCaller | None, name: str, where: str) -> ToolCaller:
    if toolkit is not None:
        return toolkit
    own = getattr(args[0], "toolkit", None)
    found = own if own is not None else _global_toolkit
    if found is not None and callable(getattr(found, "execute", None)):
        return found
    raise ToolkitError(
        "CONFIG_INVALID",
        f'{where} finds no toolkit to call the tool "{name}" with: expected an attribute "toolkit" of the object with what Toolkit.init() gives, '
        f"received {_kind(found)}. Set it, call set_global_toolkit(toolkit), or decorate with @toolkit.tool(\"{name}\").",
        {"tool": name},
    )


def _kind(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
