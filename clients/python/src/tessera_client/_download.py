"""Files that come while they are read."""

from __future__ import annotations

import json
import os
from typing import Any, Iterator, List, Mapping, Type, Union
from types import TracebackType

from ._exchange import Opened, Received

MAX_BYTES = 256 * 1024 * 1024
#: The longest line of NDJSON.
LINE_MAX_BYTES = 8 * 1024 * 1024


class Download:
    """
    A file. It is read once, by one of ``read``, ``save``, ``json``, ``json_lines`` or a loop over its pieces. One that
    is not read to its end must be closed: use it in a ``with`` statement.

    :ivar headers: of the answer, with names in lower case: ``etag``, ``tessera-grade`` and so on.
    """

    def __init__(self, opened: Union[Opened, Received]) -> None:
        self._opened = opened
        self.status = opened.status
        self.headers: Mapping[str, str] = opened.headers

    @property
    def content_type(self) -> str:
        """The media type, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0]

    def __iter__(self) -> Iterator[bytes]:
        return self._opened.chunks()

    def read(self, max_bytes: int = MAX_BYTES) -> bytes:
        """Returns all bytes. Raises ``NoAnswer`` when they break off, or are more than ``max_bytes``."""
        return self._opened.read(max_bytes)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> int:
        """Writes the file to a path, which has it whole or not at all. Returns its length in bytes."""
        partial = f"{os.fspath(path)}.partial"
        length = 0
        try:
            with open(partial, "wb") as file:
                for chunk in self:
                    length += file.write(chunk)
            os.replace(partial, path)
        except BaseException:
            if os.path.exists(partial):
                os.remove(partial)
            raise
        return length

    def json(self) -> Any:
        """Returns the body as JSON."""
        return json.loads(self.read())

    def json_lines(self) -> Iterator[Any]:
        """Yields each line of NDJSON."""
        parts: List[bytes] = []
        length = 0
        for chunk in self:
            *ended, rest = chunk.split(b"\n")
            for line in ended:
                yield json.loads(b"".join((*parts, line)))
                parts, length = [], 0
            parts.append(rest)
            length += len(rest)
            if length > LINE_MAX_BYTES:
                self.close()
                raise ValueError(f"a line is longer than {LINE_MAX_BYTES} bytes")
        if length > 0:
            yield json.loads(b"".join(parts))

    def close(self) -> None:
        """Ends the connection of a file that was not read to its end."""
        self._opened.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, kind: Union[Type[BaseException], None], error: Union[BaseException, None],
                 trace: Union[TracebackType, None]) -> None:
        self.close()
