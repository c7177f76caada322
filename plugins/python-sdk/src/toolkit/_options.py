"""Options in the form of the program."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._callbacks import HostFunctions
from .errors import ToolkitError
from .loggers import as_toolkit_logger, own_global_logger
from .options import MCPServerOptions, ModelOptions, ToolkitOptions

#: Options that are functions of this process, not settings of the program.
_HERE = frozenset({"on_hitl", "on_approval", "credentials_of", "logger", "functions"})


def camel(name: str) -> str:
    """Converts ``tool_paths`` to ``toolPaths``."""
    return re.sub(r"_+([a-z0-9])", lambda match: match[1].upper(), name)


def toolkit_options(given: Mapping[str, Any]) -> tuple[dict[str, Any], HostFunctions, list[Any]]:
    """Returns the options for ``initialize``, the user's functions, and Python functions that are tools. Raises ToolkitError CONFIG_INVALID."""
    _check(given, ToolkitOptions.__annotations__, "Toolkit.init()")
    return _with_python(_settings(given, _HERE | {"tools"})), _functions(given), list(given.get("tools", ()))


def server_options(given: Mapping[str, Any]) -> tuple[dict[str, Any], HostFunctions, list[Any]]:
    """Returns the same for a server."""
    _check(given, MCPServerOptions.__annotations__, "MCPServer()")
    return _with_python(_settings(given, _HERE)), _functions(given), list(given.get("functions", ()))


def model_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options for ``model/…``. Raises ToolkitError CONFIG_INVALID."""
    _check(given, ModelOptions.__annotations__, "ModelTools()")
    return _settings(given, frozenset())


def check_names(given: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raises ToolkitError CONFIG_INVALID for an unknown name, with the most similar known one."""
    names = list(known)
    for name in given:
        if name in names:
            continue
        near = difflib.get_close_matches(name, names, n=1) or [one for one in names if camel(one).lower() == name.lower()]
        advice = f' Did you mean "{near[0]}"?' if near else f" Expected {', '.join(sorted(names))}."
        raise ToolkitError("CONFIG_INVALID", f'{what} has no option "{name}".{advice}')


def _check(given: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    check_names(given, known, what)
    for name in ("on_hitl", "on_approval", "credentials_of"):
        if given.get(name) is not None and not callable(given[name]):
            raise ToolkitError("CONFIG_INVALID", f'"{name}" of {what} expected a function, received {type(given[name]).__name__}.')


def _settings(given: Mapping[str, Any], left_out: frozenset[str]) -> dict[str, Any]:
    settings = {}
    for name, value in given.items():
        if value is None or name in left_out or (name == "secret_resolver" and not _is_chain(value)):
            continue
        settings[camel(name)] = _inner.get(name, _unchanged)(value)
    return settings


def _with_python(settings: dict[str, Any]) -> dict[str, Any]:
    """Makes Python handlers run in the Python of this process, with its packages, unless a configuration is read, which decides itself."""
    if sys.executable == "" or settings.get("config", False) is not False:
        return settings
    # A nested list is a preset: plugins that the user lists win.
    own = [["toolkit/plugins/executor-function", {"python": sys.executable}]]
    return {**settings, "plugins": [own, *settings.get("plugins", ())]}


def _functions(given: Mapping[str, Any]) -> HostFunctions:
    logger = given.get("logger")
    return HostFunctions(
        on_hitl=given.get("on_hitl"),
        on_approval=given.get("on_approval"),
        secrets=_resolver(given.get("secret_resolver")),
        credentials_of=given.get("credentials_of"),
        logger=own_global_logger() if logger is None else as_toolkit_logger(logger, 'The option "logger"'),
    )


def _is_chain(value: Any) -> bool:
    # A secret named "resolvers" would be a string.
    return isinstance(value, Mapping) and (not value or isinstance(value.get("resolvers"), (list, tuple)))


def _resolver(value: Any) -> Callable[[list[str]], Any] | None:
    if value is None or _is_chain(value):
        return None
    if callable(value):
        return value  # type: ignore[no-any-return]
    if isinstance(value, Mapping):
        values = dict(value)
        return lambda names: {name: values[name] for name in names if name in values}
    raise ToolkitError(
        "CONFIG_INVALID",
        f'"secret_resolver" expected a dict of values, a function of names, or {{"resolvers": […]}}, received {type(value).__name__}.',
    )


def _unchanged(value: Any) -> Any:
    return value


def _camel_keys(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {camel(name): _camel_keys(one) for name, one in value.items()}
    return [_camel_keys(one) for one in value] if isinstance(value, (list, tuple)) else value


def _policy(value: Mapping[str, Any]) -> dict[str, Any]:
    names = {"enable_hitl": "enableHITL", "hitl_min_risk_level": "hitlMinRiskLevel"}
    check_names(value, names, "policy_config")
    return {names[name]: one for name, one in value.items()}


def _sandbox(value: Any) -> Any:
    # Keys inside "tools" are names of tools, so they stay.
    return {camel(name): one for name, one in value.items()} if isinstance(value, Mapping) else value


#: Converters of options whose keys are defined here. The keys of other options, such as names of providers, stay.
_inner: Mapping[str, Callable[[Any], Any]] = {
    "policy_config": _policy,
    "secret_resolver": _camel_keys,
    "approval": _camel_keys,
    "sandbox": _sandbox,
    "timeouts_ms": _camel_keys,
    "issuers": _camel_keys,
}
