"""What a toolkit can be asked, as requests to the program: all that ``Toolkit`` and ``AsyncToolkit`` share but the waiting."""

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
    """One request, and what its result means."""

    method: str
    parameters: dict[str, Any]
    read: Callable[[dict[str, Any]], T]


@dataclass(frozen=True)
class StartedServer:
    """An MCP server of the program. Over stdio it has neither address nor token."""

    id: Any
    url: str | None
    token: str | None


@dataclass(frozen=True)
class CallOptions:
    """What belongs to one call beside its parameters. ``timeout`` is in seconds."""

    credentials: Mapping[str, str] | None = None
    caller: str | None = None
    tenant: str | None = None
    timeout: float | None = None
    origin: str = "host"
    approved: bool | None = None
    approval: str | None = None


def execute(name: str, parameters: Mapping[str, Any] | None, options: CallOptions, has_progress: bool) -> Operation[Any]:
    asked: dict[str, Any] = {"name": name, "parameters": {} if parameters is None else parameters}
    for option in ("credentials", "caller", "tenant", "approved", "approval"):
        if (value := getattr(options, option)) is not None:
            asked[option] = value
    if options.origin != "host":
        asked["origin"] = options.origin
    if options.timeout is not None:
        asked["timeoutMs"] = milliseconds(options.timeout, "timeout")
    if has_progress:
        asked["progress"] = True
    return Operation("tools/call", asked, _output)


def list_tools(provider: str | None) -> Operation[list[ToolInfo]]:
    return Operation("tools/list", _without_none(provider=provider), _tools)


def get_tool(name: str) -> Operation[ToolInfo]:
    return Operation("tools/get", {"name": name}, ToolInfo.of)


def search_tools(query: str, limit: int) -> Operation[list[ToolHit]]:
    return Operation("tools/search", {"query": query, "limit": limit}, lambda told: [ToolHit.of(one) for one in told["tools"]])


def load_tools(directory: StrPath) -> Operation[list[ToolInfo]]:
    return Operation("tools/load", {"directory": os.fspath(directory)}, _tools)


def add_functions(definitions: Sequence[Mapping[str, Any]]) -> Operation[list[str]]:
    return Operation("functions/add", {"functions": list(definitions)}, lambda told: list(told["tools"]))


def remove_functions(names: Sequence[str]) -> Operation[None]:
    return Operation("functions/remove", {"names": list(names)}, _nothing)


def list_skills() -> Operation[list[Skill]]:
    return Operation("skills/list", {}, lambda told: [Skill.of(one) for one in told["skills"]])


def get_skill(name: str) -> Operation[Skill]:
    return Operation("skills/get", {"name": name}, Skill.of)


def get_provider(name: str) -> Operation[Provider | None]:
    return Operation("providers/get", {"name": name}, _provider_or_none)


def get_all_providers() -> Operation[list[Provider]]:
    return Operation("providers/list", {}, lambda told: list(told["providers"]))


def load_provider(name: str) -> Operation[Provider]:
    return Operation("providers/load", {"name": name}, _provider)


def add_provider(name: str, definition: Mapping[str, Any]) -> Operation[None]:
    return Operation("providers/add", {"name": name, "definition": definition}, _nothing)


def authorization_url(
    name: str, groups: Sequence[str], scopes: Sequence[str], state: str | None, redirect_uri: str | None
) -> Operation[AuthorizationUrl]:
    asked = _without_none(name=name, groups=list(groups), scopes=list(scopes), state=state, redirectUri=redirect_uri)
    return Operation("providers/authorizationUrl", asked, AuthorizationUrl.of)


def model_tools(form: str, options: Mapping[str, Any]) -> Operation[list[dict[str, Any]]]:
    return Operation("model/tools", {"form": form, "options": options}, lambda told: list(told["tools"]))


def model_call(name: str, arguments: Any, options: Mapping[str, Any], has_progress: bool) -> Operation[ModelResult]:
    asked = {"name": name, "arguments": {} if arguments is None else arguments, "options": options, "progress": has_progress}
    return Operation("model/call", asked, ModelResult.of)


def model_run(form: str, calls: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Operation[list[dict[str, Any]]]:
    return Operation("model/run", {"form": form, "calls": list(calls), "options": options}, lambda told: list(told["results"]))


def start_server(options: Mapping[str, Any]) -> Operation[StartedServer]:
    return Operation("server/start", {"options": options}, lambda told: StartedServer(told["id"], told.get("url"), told.get("token")))


def stop_server(number: Any) -> Operation[None]:
    return Operation("server/stop", {"id": number}, _nothing)


def reload(code: bool) -> Operation[Reloaded]:
    return Operation("reload", {"code": code}, lambda told: Reloaded(told["tools"], tuple(told["problems"])))


def close(drain: float) -> Operation[None]:
    return Operation("close", {"drainMs": milliseconds(drain, "drain")}, _nothing)


def milliseconds(seconds: float, what: str) -> int:
    """Raises ValueError for what is no time."""
    if not 0 <= seconds < 2**31 / 1000:
        raise ValueError(f"{what} expected seconds from 0 to 2147483, received {seconds!r}")
    return round(seconds * 1000)


def _without_none(**given: Any) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def _nothing(_told: dict[str, Any]) -> None:
    return None


def _output(told: dict[str, Any]) -> Any:
    return told.get("output")


def _tools(told: dict[str, Any]) -> list[ToolInfo]:
    return [ToolInfo.of(one) for one in told["tools"]]


def _provider(told: dict[str, Any]) -> Provider:
    provider: Provider = told["provider"]
    return provider


def _provider_or_none(told: dict[str, Any]) -> Provider | None:
    provider: Provider | None = told["provider"]
    return provider
