"""Log records as lines, in the format of the program."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from ._log_meta import free_key, plain_meta

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: The joiners that emoji and some scripts are written with.
_JOINERS = "\u200c\u200d"
#: Categories of characters that break the line, control a terminal or are invisible.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def json_line(time: str, level: str, message: str, meta: Any, stacks: bool) -> str:
    """Returns ``{"timestamp":…,"level":…,"message":…}`` with the metadata. A member of the metadata with one of these names gets an underscore."""
    record: dict[str, Any] = {"timestamp": time, "level": level, "message": message}
    own = {} if meta is None else plain_meta(meta, stacks)
    renamed = {free_key(name, {**record, **own}) if name in record else name: value for name, value in own.items()}
    return _visible(_dumped({**record, **renamed}))


def simple_line(time: str, level: str, message: str, meta: Any, stacks: bool) -> str:
    """Returns ``[<time>] [<LEVEL>] <message> <metadata as JSON>``."""
    return _visible(f"[{time}] [{level.upper()}] {with_meta(message, meta, stacks)}")


def with_meta(message: str, meta: Any, stacks: bool) -> str:
    """Returns the message, followed by the metadata as JSON if there is any."""
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
    # Escapes of JSON are UTF-16 code units.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index : index + 2].hex()}" for index in range(0, len(units), 2))
