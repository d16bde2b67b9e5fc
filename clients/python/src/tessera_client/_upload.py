"""Sends a batch in pieces, each of which is stored before the next one is sent."""

from __future__ import annotations

import base64
import hashlib
from typing import Iterator, cast

from . import types
from ._caller import Caller
from ._message import Answer, Params, segment
from .errors import ApiError, Conflict, TesseraError, UnreadableAnswer

PARTIAL = "application/partial-upload"
_MISMATCH = "Upload offset mismatch"


def upload_batch(
    caller: Caller, pieces: Iterator[bytes], content_type: str, query: Params, headers: Params
) -> types.Batch:
    """
    Sends the rows and returns their batch. A connection that breaks off costs at most one piece, and makes no second
    batch. An upload that fails is deleted.
    """
    begun = caller._answer(
        "POST",
        "/api/v1/batches",
        query=query,
        headers={**headers, "upload-complete": "?0"},
        raw=b"",
        content_type=content_type,
        keyed=True,
    )
    path = f"/api/v1/batch-uploads/{segment(begun.headers.get('location', '').rpartition('/')[2])}"
    try:
        offset = 0
        for piece in pieces:
            _append(caller, path, offset, piece)
            offset += len(piece)
        return _complete(caller, path, offset)
    except BaseException:
        _delete(caller, path)
        raise


def _append(caller: Caller, path: str, offset: int, piece: bytes) -> None:
    digest = base64.b64encode(hashlib.sha256(piece).digest()).decode("ascii")
    headers: Params = {
        "upload-offset": offset,
        "upload-complete": "?0",
        "content-digest": f"sha-256=:{digest}:",
    }
    try:
        _patch(caller, path, headers, piece)
    except Conflict as error:
        # The piece was stored, and the answer to that was lost.
        is_there = error.headers.get("upload-offset") == str(offset + len(piece))
        if error.code != _MISMATCH or not is_there:
            raise


def _complete(caller: Caller, path: str, offset: int) -> types.Batch:
    answer = _patch(caller, path, {"upload-offset": offset, "upload-complete": "?1"}, b"")
    if answer.status != 202:
        raise UnreadableAnswer(f"the upload of a batch ends with HTTP {answer.status}, not 202")
    return cast(types.Batch, answer.body)


def _patch(caller: Caller, path: str, headers: Params, piece: bytes) -> Answer[object]:
    # The offset says where a piece belongs, so the gateway stores it once.
    return caller._answer("PATCH", path, headers=headers, raw=piece, content_type=PARTIAL, repeatable=True)


def _delete(caller: Caller, path: str) -> None:
    try:
        caller._nothing("DELETE", path)
    except TesseraError:
        # It expires within a day; what failed before tells more.
        pass
