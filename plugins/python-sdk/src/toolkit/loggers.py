"""Loggers: the interface, the built-in logger, the global one, and Python's ``logging`` as a target."""

from __future__ import annotations

import logging
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any

from ._log_line import json_line, simple_line, with_meta
from ._log_meta import plain_message
from ._log_settings import LEVELS, LogFormat, LogLevel, log_settings
from .errors import ToolkitError

Meta = Mapping[str, Any]

_METHODS = ("info", "warn", "error", "debug")


class ToolkitLogger(ABC):
    """Base class of loggers that replace the built-in one. ``meta`` and keyword arguments are metadata; keywords win."""

    @abstractmethod
    def info(self, message: str, meta: Meta | None = None, **fields: Any) -> None: ...

    @abstractmethod
    def warn(self, message: str, meta: Meta | None = None, **fields: Any) -> None: ...

    @abstractmethod
    def error(self, message: str, meta: Meta | None = None, **fields: Any) -> None: ...

    @abstractmethod
    def debug(self, message: str, meta: Meta | None = None, **fields: Any) -> None: ...


class _LeveledLogger(ToolkitLogger):
    """Implements all four methods by one."""

    def info(self, message: str, meta: Meta | None = None, **fields: Any) -> None:
        self._log("info", message, meta, fields)

    def warn(self, message: str, meta: Meta | None = None, **fields: Any) -> None:
        self._log("warn", message, meta, fields)

    def error(self, message: str, meta: Meta | None = None, **fields: Any) -> None:
        self._log("error", message, meta, fields)

    def debug(self, message: str, meta: Meta | None = None, **fields: Any) -> None:
        self._log("debug", message, meta, fields)

    @abstractmethod
    def _log(self, level: str, message: Any, meta: Any, fields: Mapping[str, Any]) -> None: ...


class StreamLogger(_LeveledLogger):
    """The built-in logger: one record a line, to standard error. Times are UTC. It never raises for its arguments, and masks no secrets."""

    def __init__(
        self,
        log_level: LogLevel | None = None,
        log_format: LogFormat | None = None,
        write: Callable[[str], object] | None = None,
        env: Mapping[str, str] | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """``log_level``: by default info; ``log_format``: by default json if ``NODE_ENV`` is production, else simple. ``TOOLKIT_LOG_LEVEL``
        and ``TOOLKIT_LOG_FORMAT`` in ``env`` (by default that of the process) win over both. ``write`` gets each line with its line break.
        Raises ToolkitError CONFIG_INVALID for an unknown level or format.
        """
        settings = log_settings(log_level, log_format, os.environ if env is None else env)
        self.level = settings.level
        self.format = settings.format
        self._max_level = LEVELS.index(settings.level)
        self._line = json_line if settings.format == "json" else simple_line
        self._write = write
        self._now = now or (lambda: datetime.now(timezone.utc))
        if self._max_level > 0:
            for warning in settings.warnings:
                self._record("warn", warning, None)

    def _log(self, level: str, message: Any, meta: Any, fields: Mapping[str, Any]) -> None:
        if LEVELS.index(level) <= self._max_level:
            self._record(level, message, _merged(meta, fields))

    def _record(self, level: str, message: Any, meta: Any) -> None:
        time = self._now().astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        line = self._line(time, level, plain_message(message), meta, self.level == "debug") + "\n"
        try:
            if self._write is not None:
                self._write(line)
            else:
                sys.stderr.write(line)
        except Exception:
            # The stream is closed, and there is no other to report it.
            pass


class LoggingLogger(_LeveledLogger):
    """Python's ``logging`` as a target. The ``logging.Logger`` decides about levels. Metadata follows the message, and is a dict in the attribute
    ``toolkit`` of the record, for formatters and filters."""

    _LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING, "error": logging.ERROR}

    def __init__(self, logger: logging.Logger) -> None:
        self.logger = logger

    def _log(self, level: str, message: Any, meta: Any, fields: Mapping[str, Any]) -> None:
        number = self._LEVELS[level]
        if self.logger.isEnabledFor(number):
            merged = _merged(meta, fields)
            text = with_meta(plain_message(message), merged, self.logger.isEnabledFor(logging.DEBUG))
            # Not as a format: a message may have a percent sign.
            self.logger.log(number, "%s", text, extra={"toolkit": merged}, stacklevel=3)


_global_logger: ToolkitLogger | None = None
_default_logger: ToolkitLogger | None = None


def setup_logger(log_level: LogLevel | None = None, log_format: LogFormat | None = None) -> ToolkitLogger:
    """Creates a built-in logger, makes it the global one, and returns it. Raises ToolkitError CONFIG_INVALID for an unknown level or format.

    >>> setup_logger("warn", "json").warn("Disk is nearly full", free_percent=3)
    """
    logger = StreamLogger(log_level, log_format)
    set_global_toolkit_logger(logger)
    return logger


def get_global_toolkit_logger() -> ToolkitLogger:
    """Returns the global logger: the one that was set, else a built-in one with the settings of the environment. Call it where you log, not once
    when a module is loaded."""
    global _default_logger
    if _global_logger is not None:
        return _global_logger
    if _default_logger is None:
        _default_logger = StreamLogger()
    return _default_logger


def set_global_toolkit_logger(logger: ToolkitLogger | logging.Logger | None) -> None:
    """Replaces the built-in logger, here and in toolkits that are opened afterwards without a logger of their own. None restores it. Raises
    ToolkitError CONFIG_INVALID for a value that is no logger."""
    global _global_logger
    _global_logger = None if logger is None else as_toolkit_logger(logger, "The global logger")


def own_global_logger() -> ToolkitLogger | None:
    """Returns the logger that ``set_global_toolkit_logger`` or ``setup_logger`` has set; None without one."""
    return _global_logger


def as_toolkit_logger(logger: Any, what: str = "The logger") -> ToolkitLogger:
    """Returns a ToolkitLogger, or an object with its four methods, unchanged; wraps a ``logging.Logger`` in a LoggingLogger.

    Raises ToolkitError CONFIG_INVALID for anything else. ``what`` names it in the message.
    """
    if isinstance(logger, logging.LoggerAdapter):
        logger = logger.logger
    if isinstance(logger, logging.Logger):
        return LoggingLogger(logger)
    missing = [name for name in _METHODS if not callable(getattr(logger, name, None))]
    if not missing and not isinstance(logger, type):
        return logger  # type: ignore[no-any-return]
    received = f"the class {logger.__name__}, not an object of it" if isinstance(logger, type) else f"one without {', '.join(missing)}"
    raise ToolkitError(
        "CONFIG_INVALID", f"{what} cannot be used: expected a ToolkitLogger or a logging.Logger, received {received}."
    )


def _merged(meta: Any, fields: Mapping[str, Any]) -> Any:
    if not fields:
        return meta
    if meta is None:
        return dict(fields)
    if isinstance(meta, Mapping):
        return {**meta, **fields}
    return {"error" if isinstance(meta, BaseException) else "meta": meta, **fields}
