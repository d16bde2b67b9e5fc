"""What a request and an answer are made of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import IOBase
from typing import BinaryIO, Callable, Generic, Iterable, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlencode

T = TypeVar("T")

#: A value of a query or a header. ``None`` leaves it out.
Param = Union[str, int, float, bool, None]
Params = Mapping[str, Param]

#: Bytes, a file that is read while it is sent, or pieces of bytes. Pieces are sent once: a call with them has no retries.
RawBody = Union[bytes, BinaryIO, Iterable[bytes]]


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A successful answer, its body read. The names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: T


@dataclass(frozen=True)
class Request:
    """A request, ready to be sent as often as needed."""

    method: str
    target: str
    headers: Mapping[str, Union[str, bytes]]
    body: Optional[RawBody]
    timeout_s: float
    #: Whether the gateway does it once, however often it is sent.
    is_repeatable: bool
    #: Makes the body ready to be sent again; ``None`` when that cannot be.
    rewind: Optional[Callable[[], object]]
    #: Whether the gateway may answer with another address, which is not followed.
    redirects: bool


def rewinder(body: Optional[RawBody]) -> Optional[Callable[[], object]]:
    """Returns what makes a body ready to be sent again; ``None`` when that cannot be."""
    if body is None or isinstance(body, bytes):
        return lambda: None
    if not isinstance(body, IOBase) or not body.seekable():
        return None
    seek, start = body.seek, body.tell()
    return lambda: seek(start)


def segment(value: object) -> str:
    """Writes a value as one part of a path."""
    return quote(str(value), safe="")


def _text(value: Param) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def to_query(params: Params) -> str:
    """Writes a query, with its question mark; nothing for one without a value."""
    given = {name: _text(value) for name, value in params.items() if value is not None}
    return f"?{urlencode(given, quote_via=quote)}" if given else ""


def to_headers(params: Params) -> dict[str, Union[str, bytes]]:
    """Writes headers, with names in lower case, as UTF-8, which the names of presets need."""
    return {name.lower(): _text(value).encode("utf-8") for name, value in params.items() if value is not None}


def to_json(body: object) -> bytes:
    """Writes a body. Raises ``ValueError`` for numbers that JSON does not have."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
