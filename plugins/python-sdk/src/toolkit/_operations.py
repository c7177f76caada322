"""Requests to the program for the methods of a toolkit. ``Toolkit`` and ``AsyncToolkit`` differ only in waiting for the results."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .options import StrPath
from .results import AuthorizationUrl, ModelResult, Provider, Reloaded, Skill, ToolHit, ToolInfo

T = TypeVar("T")


@dataclass(frozen=True)
class Operation(Generic[T]):
    """One request, with the function that converts its result."""

    method: str
    parameters: dict[str, Any]
    read: Callable[[dict[str, Any]], T]


@dataclass(frozen=True)
class StartedServer:
    """An MCP server of the program. Over stdio it has neither URL nor token."""

    id: Any
    url: str | None
    token: str | None


@dataclass(frozen=True)
class CallOptions:
    """Options of one call. ``timeout`` is in seconds."""

    credentials: Mapping[str, str] | None = None
    caller: str | None = None
    tenant: str | None = None
    timeout: float | None = None
    origin: str = "host"
    approved: bool | None = None
    approval: str | None = None
    traceparent: str | None = None


def execute(name: str, parameters: Mapping[str, Any] | None, options: CallOptions, has_progress: bool) -> Operation[Any]:
    request: dict[str, Any] = {"name": name, "parameters": {} if parameters is None else parameters}
    for option in ("credentials", "caller", "tenant", "approved", "approval", "traceparent"):
        if (value := getattr(options, option)) is not None:
            request[option] = value
    if options.origin != "host":
        request["origin"] = options.origin
    if options.timeout is not None:
        request["timeoutMs"] = milliseconds(options.timeout, "timeout")
    if has_progress:
        request["progress"] = True
    return Operation("tools/call", request, _output)


def list_tools(provider: str | None) -> Operation[list[ToolInfo]]:
    return Operation("tools/list", _without_none(provider=provider), _tools)


def get_tool(name: str) -> Operation[ToolInfo]:
    return Operation("tools/get", {"name": name}, ToolInfo.of)


def search_tools(query: str, limit: int) -> Operation[list[ToolHit]]:
    return Operation("tools/search", {"query": query, "limit": limit}, lambda result: [ToolHit.of(one) for one in result["tools"]])


def load_tools(directory: StrPath) -> Operation[list[ToolInfo]]:
    return Operation("tools/load", {"directory": os.fspath(directory)}, _tools)


def add_functions(definitions: Sequence[Mapping[str, Any]]) -> Operation[list[str]]:
    return Operation("functions/add", {"functions": list(definitions)}, lambda result: list(result["tools"]))


def remove_functions(names: Sequence[str]) -> Operation[None]:
    return Operation("functions/remove", {"names": list(names)}, _nothing)


def list_skills() -> Operation[list[Skill]]:
    return Operation("skills/list", {}, lambda result: [Skill.of(one) for one in result["skills"]])


def get_skill(name: str) -> Operation[Skill]:
    return Operation("skills/get", {"name": name}, Skill.of)


def get_provider(name: str) -> Operation[Provider | None]:
    return Operation("providers/get", {"name": name}, _provider_or_none)


def get_all_providers() -> Operation[list[Provider]]:
    return Operation("providers/list", {}, lambda result: list(result["providers"]))


def load_provider(name: str) -> Operation[Provider]:
    return Operation("providers/load", {"name": name}, _provider)


def add_provider(name: str, definition: Mapping[str, Any]) -> Operation[None]:
    return Operation("providers/add", {"name": name, "definition": definition}, _nothing)


def authorization_url(
    name: str, groups: Sequence[str], scopes: Sequence[str], state: str | None, redirect_uri: str | None
) -> Operation[AuthorizationUrl]:
    request = _without_none(name=name, groups=list(groups), scopes=list(scopes), state=state, redirectUri=redirect_uri)
    return Operation("providers/authorizationUrl", request, AuthorizationUrl.of)


def model_tools(form: str, options: Mapping[str, Any]) -> Operation[list[dict[str, Any]]]:
    return Operation("model/tools", {"form": form, "options": options}, lambda result: list(result["tools"]))


def model_call(name: str, arguments: Any, options: Mapping[str, Any], has_progress: bool) -> Operation[ModelResult]:
    request = {"name": name, "arguments": {} if arguments is None else arguments, "options": options, "progress": has_progress}
    return Operation("model/call", request, ModelResult.of)


def model_run(form: str, calls: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Operation[list[dict[str, Any]]]:
    return Operation("model/run", {"form": form, "calls": list(calls), "options": options}, lambda result: list(result["results"]))


def start_server(options: Mapping[str, Any]) -> Operation[StartedServer]:
    return Operation("server/start", {"options": options}, lambda result: StartedServer(result["id"], result.get("url"), result.get("token")))


def stop_server(number: Any) -> Operation[None]:
    return Operation("server/stop", {"id": number}, _nothing)


def reload(code: bool) -> Operation[Reloaded]:
    return Operation("reload", {"code": code}, lambda result: Reloaded(result["tools"], tuple(result["problems"])))


def close(drain: float) -> Operation[None]:
    return Operation("close", {"drainMs": milliseconds(drain, "drain")}, _nothing)


def milliseconds(seconds: float, what: str) -> int:
    """Converts seconds to milliseconds. Raises ValueError beyond 0 to 2147483 seconds."""
    if not 0 <= seconds < 2**31 / 1000:
        raise ValueError(f"{what} expected seconds from 0 to 2147483, received {seconds!r}")
    return round(seconds * 1000)


def _without_none(**given: Any) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def _nothing(_result: dict[str, Any]) -> None:
    return None


def _output(result: dict[str, Any]) -> Any:
    return result.get("output")


def _tools(result: dict[str, Any]) -> list[ToolInfo]:
    return [ToolInfo.of(one) for one in result["tools"]]


def _provider(result: dict[str, Any]) -> Provider:
    provider: Provider = result["provider"]
    return provider


def _provider_or_none(result: dict[str, Any]) -> Provider | None:
    provider: Provider | None = result["provider"]
    return provider
