"""Python values as JSON values."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import os
import uuid
from collections.abc import Mapping, Set
from typing import Any


def plain_json(value: Any) -> Any:
    """Converts ``value`` to dicts, lists, texts, numbers, booleans and None.

    Dataclasses and NamedTuples become objects, enum members their values, other tuples and sets lists, dates ISO texts, Decimals their digits.
    Raises TypeError for a value that JSON cannot hold, and ValueError for one that contains itself.
    """
    return _plain(value, ())


def _plain(value: Any, ancestors: tuple[int, ...]) -> Any:
    if isinstance(value, enum.Enum):
        return _plain(value.value, ancestors)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (uuid.UUID, decimal.Decimal)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if id(value) in ancestors:
        raise ValueError(f"a {type(value).__name__} has itself as a member")
    return _composed(value, (*ancestors, id(value)))


def _composed(value: Any, ancestors: tuple[int, ...]) -> Any:
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: _plain(getattr(value, one.name), ancestors) for one in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: _plain(item, ancestors) for name, item in zip(value._fields, value)}
    if isinstance(value, Mapping):
        return {_name(key): _plain(item, ancestors) for key, item in value.items()}
    if isinstance(value, (list, tuple, Set)):
        return [_plain(item, ancestors) for item in value]
    raise TypeError(f"JSON cannot hold a {type(value).__name__}")


def _name(key: Any) -> str:
    plain = _plain(key, ())
    if not isinstance(plain, str):
        raise TypeError(f"names of members are texts in JSON, not {type(key).__name__}")
    return plain
