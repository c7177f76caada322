"""Level and format of log records."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from .errors import ToolkitError

LogLevel = Literal["silent", "error", "warn", "info", "debug"]
LogFormat = Literal["json", "simple"]

#: Levels from the fewest records to the most.
LEVELS: tuple[str, ...] = get_args(LogLevel)
FORMATS: tuple[str, ...] = get_args(LogFormat)


@dataclass(frozen=True)
class LogSettings:
    level: LogLevel
    format: LogFormat
    #: Problems of the environment variables.
    warnings: tuple[str, ...]


def log_settings(level: str | None, format: str | None, env: Mapping[str, str]) -> LogSettings:
    """Returns the settings: ``TOOLKIT_LOG_LEVEL`` and ``TOOLKIT_LOG_FORMAT``, then the options, then ``info``, and ``json`` if ``NODE_ENV`` is production.

    Ignores case, blanks and unknown values in the environment. Raises ToolkitError CONFIG_INVALID for an unknown option.
    """
    warnings: list[str] = []

    def of_environment(name: str, known: tuple[str, ...]) -> str | None:
        text = _normal(env.get(name))
        if text in known:
            return text
        if text:
            warnings.append(f"{name} {_problem(env[name], text, known)} It is ignored.")
        return None

    chosen = of_environment("TOOLKIT_LOG_LEVEL", LEVELS) or _option("log_level", level, LEVELS) or "info"
    written = of_environment("TOOLKIT_LOG_FORMAT", FORMATS) or _option("log_format", format, FORMATS)
    default = "json" if _normal(env.get("NODE_ENV")) == "production" else "simple"
    return LogSettings(cast(LogLevel, chosen), cast(LogFormat, written or default), tuple(warnings))


def _normal(text: str | None) -> str:
    return (text or "").strip().lower()


def _option(name: str, value: str | None, known: tuple[str, ...]) -> str | None:
    if value is None or value in known:
        return value
    raise ToolkitError("CONFIG_INVALID", f"The option {name} {_problem(value, str(value).lower(), known)}")


def _problem(value: object, text: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(text, known, 1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    received = f'"{value}"' if isinstance(value, str) else f"{value!r}"
    return f"expected one of {', '.join(known)}, received {received[:200]}.{hint}"
