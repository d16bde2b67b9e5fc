"""The client."""

from __future__ import annotations

import json
import ssl
import time
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any, Iterator, List, Literal, Mapping, Optional, Sequence, Type, cast

from . import types
from ._link_jobs import LinkJobs
from ._message import Params, to_json
from ._results import BatchRow, read_results
from ._retries import Retries
from ._rows import Rows, open_rows
from ._upload import upload_batch
from .errors import BatchFailed, BatchTimeout, RowError

#: States in which a batch stays.
ENDED = ("done", "failed", "cancelled", "expired")
#: Rows with errors that a `BatchFailed` holds.
ERRORS_SHOWN_MAX = 20
POLL_MIN_S = 0.5
POLL_MAX_S = 10.0


@dataclass(frozen=True)
class BatchResult:
    """A batch that is ``done``."""

    batch: types.Batch
    #: The rows whose codes were made, in order. They are downloaded while they are read, once.
    rows: Iterator[BatchRow]
    #: The rows that failed while codes were made.
    errors: List[RowError]


class Client(LinkJobs):
    """
    A client of one gateway. Threads may share it. Close it, or use it in a ``with`` statement.

    :param base_url: the address of the gateway, such as ``https://qr.example.com``.
    :param token: an API key; for the calls of the operator the admin token.
    :param timeout_s: bounds the connection, each wait for bytes, and the time in which an answer of JSON is read.
    :param headers: sent with every call.
    :param ssl_context: checks the certificate of the gateway, in place of the usual checks.
    :param idle_connections_max: connections that are kept; calls beyond them open their own.
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[str] = None,
        *,
        timeout_s: float = 30.0,
        retries: Retries = Retries(),
        headers: Optional[Mapping[str, str]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        idle_connections_max: int = 8,
    ) -> None:
        super().__init__(
            base_url, token, timeout_s, retries, headers or {}, ssl_context, idle_connections_max
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.base_url!r})"

    def run_batch(self, rows: Rows, *, timeout_s: float = 6 * 3600.0, **options: Any) -> BatchResult:
        """
        Sends rows, waits until their codes are made, and returns them.

        :param rows: as ``send_batch`` takes them, and so are ``options``.
        :param timeout_s: for the wait.
        :raises BatchFailed: the batch did not end as ``done``.
        :raises BatchTimeout: it has not ended in time.
        """
        batch = self.wait_for_batch(self.send_batch(rows, **options)["id"], timeout_s=timeout_s)
        errors = [] if batch["failed"] == 0 else list(self.batch_errors(batch["id"]))
        return BatchResult(batch, self.batch_rows(batch["id"]), errors)

    def send_batch(
        self,
        rows: Rows,
        *,
        content_type: Optional[str] = None,
        design: Optional[types.PictureOptions] = None,
        folder_id: Optional[str] = None,
        folder_name: Optional[str] = None,
        formats: Optional[Sequence[str]] = None,
        preset: Optional[str] = None,
        webhook: Optional[str] = None,
        on_error: Optional[Literal["skip", "stop"]] = None,
        columns: Optional[Mapping[str, Optional[str]]] = None,
        other_columns: Optional[Literal["refuse", "skip"]] = None,
        expires_in: Optional[int] = None,
        min_grade: Optional[int] = None,
        repair: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> types.Batch:
        """
        Sends up to a million rows in pieces, and returns their batch, which is not made yet. A few MB of the rows are in
        memory at a time.

        :param rows: records with ``data`` and whatever else a row may have; the path of a file (``.ndjson``, ``.csv``,
            ``.xlsx``, also with ``.gz``); or an open file.
        :param content_type: of an open file, such as ``text/csv``.
        :param design: the options of all rows; in a header, so a large logo belongs into a preset.
        :param folder_id: one of your folders; not together with ``folder_name``.
        :param folder_name: a folder of this name is made or reused.
        :param formats: ``png``, ``svg``, ``pdf``, ``eps``, ``webp``.
        :param columns: the column of each field, in a table with other names.
        :param expires_in: seconds after which the results are removed.
        :param idempotency_key: the same key and rows give the same batch, also after this program was ended.
        """
        query: Params = {
            "folder_id": folder_id,
            "folder_name": folder_name,
            "formats": None if formats is None else ",".join(formats),
            "preset": preset,
            "webhook": webhook,
            "on_error": on_error,
            "columns": None if columns is None else to_json(columns).decode("utf-8"),
            "other_columns": other_columns,
            "expires_in": expires_in,
        }
        with open_rows(rows, content_type) as (pieces, known_type, is_packed):
            headers: Params = {
                "design": None if design is None else json.dumps(design),
                "content-encoding": "gzip" if is_packed else None,
                "tessera-min-grade": min_grade,
                "tessera-repair": "true" if repair else None,
                "idempotency-key": idempotency_key,
            }
            return upload_batch(self, pieces, known_type, query, headers)

    def wait_for_batch(self, batch_id: str, *, timeout_s: float = 6 * 3600.0) -> types.Batch:
        """
        Asks for a batch until it is done, and returns it.

        :raises BatchFailed: it did not end as ``done``.
        :raises BatchTimeout: it has not ended in time; it goes on.
        """
        deadline = time.monotonic() + timeout_s
        poll_s = POLL_MIN_S
        while True:
            batch = self.get_batch(batch_id)
            if batch["state"] == "done":
                return batch
            if batch["state"] in ENDED:
                raise BatchFailed(batch, list(islice(self.batch_errors(batch_id), ERRORS_SHOWN_MAX)))
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise BatchTimeout(batch_id)
            time.sleep(min(poll_s, left_s))
            poll_s = min(POLL_MAX_S, poll_s * 1.5)

    def batch_rows(self, batch_id: str) -> Iterator[BatchRow]:
        """Yields the rows of a batch with their pictures, in order. Parts are downloaded one after the other."""
        return read_results(self, batch_id)

    def batch_errors(self, batch_id: str) -> Iterator[RowError]:
        """Yields the rows of a batch with errors, at most some 10,000."""
        with self.list_batch_errors(batch_id) as download:
            for line in download.json_lines():
                yield cast(RowError, line)
