"""Link jobs: many links changed or imported, and waited for."""

from __future__ import annotations

import tempfile
import time
from itertools import islice
from typing import Iterator, Literal, Mapping, Optional, cast

from . import types
from ._message import Params, to_json
from ._operations import Operations
from ._rows import Rows, open_rows
from .errors import LinkFault, LinkJobFailed, LinkJobTimeout

#: States in which a link job stays.
ENDED = ("done", "failed", "cancelled")
#: Rows with faults that a `LinkJobFailed` holds.
FAULTS_SHOWN_MAX = 20
POLL_MIN_S = 0.2
POLL_MAX_S = 5.0
#: For the answer to a call that sends rows, which the gateway reads to their end before.
ANSWER_TIMEOUT_S = 1800.0


class LinkJobs(Operations):
    """The calls that make a link job of rows, and wait for it."""

    def change_links(
        self,
        rows: Rows,
        *,
        content_type: Optional[str] = None,
        columns: Optional[Mapping[str, Optional[str]]] = None,
        other_columns: Optional[Literal["refuse", "skip"]] = None,
        dry_run: bool = False,
        all_or_nothing: bool = False,
        webhook: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: float = 6 * 3600.0,
    ) -> types.LinkJob:
        """
        Changes up to a million links, and returns the job when it is done. Its ``faults`` counts rows that were left out;
        ``link_job_faults`` has them.

        :param rows: records with ``slug`` or ``external_id`` and the fields that change; the path of a file (``.ndjson``,
            ``.csv``, also with ``.gz``); or an open file.
        :param content_type: of an open file, such as ``text/csv``.
        :param columns: the column of each field, in a table with other names.
        :param dry_run: checks the rows and counts what would change.
        :param all_or_nothing: changes nothing if a row has a fault.
        :param webhook: the id of a webhook to tell when the job has ended.
        :param idempotency_key: the same key and rows give the same job, also after this program was ended.
        :param timeout_s: for the wait.
        :raises LinkJobFailed: the job did not end as ``done``.
        :raises LinkJobTimeout: it has not ended in time; it goes on.
        """
        query: Params = {
            "columns": None if columns is None else to_json(columns).decode("utf-8"),
            "other_columns": other_columns,
            "dry_run": dry_run,
            "all_or_nothing": all_or_nothing,
            "webhook": webhook,
        }
        job = self._send_rows("/api/v1/link-jobs", rows, content_type, query, idempotency_key)
        return self.wait_for_link_job(job["id"], timeout_s=timeout_s)

    def import_links(
        self,
        rows: Rows,
        *,
        source: Optional[Literal["tessera", "bitly", "yourls", "kutt", "dub", "shlink"]] = None,
        domain: Optional[str] = None,
        folder_name: Optional[str] = None,
        dropped: Optional[Literal["refuse", "accept"]] = None,
        content_type: Optional[str] = None,
        columns: Optional[Mapping[str, str]] = None,
        dry_run: bool = False,
        all_or_nothing: bool = False,
        webhook: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: float = 6 * 3600.0,
    ) -> types.LinkJob:
        """
        Makes up to a million links that were elsewhere, as ``change_links`` changes them.

        :param rows: records with ``slug``, ``destination`` and whatever else a link may have, or as ``source`` writes
            them; the path of a file; or an open file.
        :param source: the service that the rows come from.
        :param domain: the host of all links, whatever the rows say.
        :param folder_name: the folder of links whose rows name none.
        :param dropped: what to do about what a link cannot keep, such as a password.
        :raises LinkJobFailed: the job did not end as ``done``.
        :raises LinkJobTimeout: it has not ended in time; it goes on.
        """
        query: Params = {
            "source": source,
            "domain": domain,
            "folder_name": folder_name,
            "dropped": dropped,
            "columns": None if columns is None else to_json(columns).decode("utf-8"),
            "dry_run": dry_run,
            "all_or_nothing": all_or_nothing,
            "webhook": webhook,
        }
        job = self._send_rows("/api/v1/links/imports", rows, content_type, query, idempotency_key)
        return self.wait_for_link_job(job["id"], timeout_s=timeout_s)

    def wait_for_link_job(self, job_id: str, *, timeout_s: float = 6 * 3600.0) -> types.LinkJob:
        """
        Asks for a link job until it is done, and returns it.

        :raises LinkJobFailed: it did not end as ``done``.
        :raises LinkJobTimeout: it has not ended in time; it goes on.
        """
        deadline = time.monotonic() + timeout_s
        poll_s = POLL_MIN_S
        while True:
            job = self.get_link_job(job_id)
            if job["state"] == "done":
                return job
            if job["state"] in ENDED:
                raise LinkJobFailed(job, list(islice(self.link_job_faults(job_id), FAULTS_SHOWN_MAX)))
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise LinkJobTimeout(job_id)
            time.sleep(min(poll_s, left_s))
            poll_s = min(POLL_MAX_S, poll_s * 1.5)

    def link_job_faults(self, job_id: str) -> Iterator[LinkFault]:
        """Yields the rows of a link job with faults, at most some 10,000."""
        with self.list_link_job_faults(job_id) as download:
            for line in download.json_lines():
                yield cast(LinkFault, line)

    def _send_rows(
        self,
        path: str,
        rows: Rows,
        content_type: Optional[str],
        query: Params,
        idempotency_key: Optional[str],
    ) -> types.LinkJob:
        # On the disk, so that a try that breaks off can be repeated whatever the rows come from.
        with open_rows(rows, content_type) as (pieces, known_type, is_packed), tempfile.TemporaryFile() as spool:
            spool.writelines(pieces)
            spool.seek(0)
            headers: Params = {
                "content-encoding": "gzip" if is_packed else None,
                "idempotency-key": idempotency_key,
            }
            answer = self._answer(
                "POST",
                path,
                query=query,
                headers=headers,
                raw=spool,
                content_type=known_type,
                keyed=True,
                timeout_s=ANSWER_TIMEOUT_S,
            )
            return cast(types.LinkJob, answer.body)
