"""The rows of a batch on their way to the gateway, in pieces that fit into memory."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Iterable, Iterator, Mapping, Optional, Tuple, Union, cast

from ._message import to_json

NDJSON = "application/x-ndjson"
MEDIA_TYPES = {
    ".ndjson": NDJSON,
    ".jsonl": NDJSON,
    ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
#: The gateway takes pieces of up to 8 MiB.
PIECE_BYTES = 4 * 1024 * 1024

#: Rows as records, the path of a file, or a file that is open for reading bytes.
Rows = Union[Iterable[Mapping[str, Any]], str, "os.PathLike[str]", BinaryIO]

#: What is sent: its pieces, its media type, and whether it is packed with gzip.
Source = Tuple[Iterator[bytes], str, bool]


@contextmanager
def open_rows(rows: Rows, content_type: Optional[str]) -> Iterator[Source]:
    """
    Opens rows. Raises ``ValueError`` when their media type is not known.

    :param content_type: of a file; the ending of a path says it, too.
    """
    if isinstance(rows, (str, os.PathLike)):
        path = Path(rows)
        is_packed = path.suffix.lower() == ".gz"
        ending = (path.with_suffix("") if is_packed else path).suffix.lower()
        known = content_type or MEDIA_TYPES.get(ending)
        if known is None:
            raise ValueError(f"{path}: say in content_type what it is; a name tells that by {', '.join(MEDIA_TYPES)}")
        with path.open("rb") as file:
            yield _pieces_of_file(file), known, is_packed
    elif hasattr(rows, "read"):
        if content_type is None:
            raise ValueError("say in content_type what the open file is, such as text/csv")
        yield _pieces_of_file(cast(BinaryIO, rows)), content_type, False
    else:
        yield _pieces_of_records(rows), NDJSON, False


def _pieces_of_file(file: BinaryIO) -> Iterator[bytes]:
    while True:
        # A pipe may give less than was asked for.
        piece = file.read(PIECE_BYTES)
        if not piece:
            return
        yield piece


def _pieces_of_records(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    lines: list[bytes] = []
    length = 0
    for record in records:
        line = to_json(record) + b"\n"
        if lines and length + len(line) > PIECE_BYTES:
            yield b"".join(lines)
            lines, length = [], 0
        lines.append(line)
        length += len(line)
    if lines:
        yield b"".join(lines)
