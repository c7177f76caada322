"""Log records as lines, the same as those of the program."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from ._log_meta import free_key, plain_meta

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: The joiners that emoji and some scripts are written with.
_JOINERS = "\u200c\u200d"
#: What would break the line, or make a terminal do or hide something.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def json_line(time: str, level: str, message: str, meta: Any, stacks: bool) -> str:
    """``{"timestamp":…,"level":…,"message":…}`` with the metadata beside them. A member of it with one of these names gets an underscore."""
    record: dict[str, Any] = {"timestamp": time, "level": level, "message": message}
    own = {} if meta is None else plain_meta(meta, stacks)
    renamed = {free_key(name, {**record, **own}) if name in record else name: value for name, value in own.items()}
    return _visible(_dumped({**record, **renamed}))


def simple_line(time: str, level: str, message: str, meta: Any, stacks: bool) -> str:
    """``[<time>] [<LEVEL>] <message> <metadata as JSON>``."""
    return _visible(f"[{time}] [{level.upper()}] {with_meta(message, meta, stacks)}")


def with_meta(message: str, meta: Any, stacks: bool) -> str:
    """The message, and behind it the metadata as JSON where there is some."""
    own = {} if meta is None else plain_meta(meta, stacks)
    return f"{message} {_dumped(own)}" if own else message


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _visible(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    return "".join(_escaped(one) if unicodedata.category(one) in _UNSEEN and one not in _JOINERS else one for one in line)


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    # JSON's escapes are of UTF-16.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index : index + 2].hex()}" for index in range(0, len(units), 2))
