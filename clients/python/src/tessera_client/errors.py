"""What can go wrong with a call."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import List, Mapping, Optional, Sequence, Tuple, TypedDict

from . import types


class RowError(TypedDict):
    """Why a row of a batch has no code. Rows are counted from 1."""

    row: int
    external_id: Optional[str]
    field: Optional[str]
    message: str


class LinkFault(TypedDict):
    """What is wrong with a row of a link job. Rows are counted from 1; ``file_row`` counts those of the file."""

    row: int
    file_row: Optional[int]
    slug: Optional[str]
    external_id: Optional[str]
    field: str
    message: str


class TesseraError(Exception):
    """
    Every error of this package.

    :ivar was_sent: whether the gateway may have got the request, in any try, and so may have done what it asks for.
    :ivar idempotency_key: that of every try; sent with the same call later, it continues this one. ``None``: the call
        takes none.
    """

    was_sent: bool = True
    idempotency_key: Optional[str] = None


class NoAnswer(TesseraError):
    """
    No complete answer came: there was no connection, it broke off, or the time was up.

    :ivar may_pass: whether another try may go better.
    """

    def __init__(self, reason: str, *, was_sent: bool, may_pass: bool = True) -> None:
        super().__init__(reason)
        self.was_sent = was_sent
        self.may_pass = may_pass


class UnreadableAnswer(TesseraError):
    """A successful answer is not what the gateway answers. Check the address: something else may listen there."""


@dataclass(frozen=True)
class Fault:
    """A field of the request that is wrong."""

    field: str
    message: str


class ApiError(TesseraError):
    """
    The gateway refuses a request.

    :ivar status: the status of HTTP.
    :ivar code: the fixed text of the error, such as ``Quota exhausted``; empty when another server answers.
    :ivar details: what to do about it.
    :ivar faults: the fields that are wrong, the first ten of them; empty when only one is.
    :ivar request_id: finds the request in the log of the gateway.
    :ivar retry_after_s: seconds after which another try makes sense.
    :ivar headers: of the answer, with names in lower case.
    """

    def __init__(
        self, status: int, headers: Mapping[str, str], code: str, details: str, faults: Sequence[Fault]
    ) -> None:
        self.status = status
        self.headers = headers
        self.code = code
        self.details = details
        self.faults = list(faults)
        self.request_id: Optional[str] = headers.get("x-request-id")
        self.retry_after_s: Optional[int] = _seconds(headers.get("retry-after", ""))
        what = f"{code}: {details}" if code else "this is no answer of a gateway; check its address"
        super().__init__(f"{what} (HTTP {status}, request {self.request_id})")


def _seconds(retry_after: str) -> Optional[int]:
    """Reads a ``Retry-After``: seconds, or the date until which to wait."""
    if retry_after.isdecimal():
        return int(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except (TypeError, ValueError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max(0, math.ceil(until.timestamp() - time.time()))


class BadRequest(ApiError):
    """400: a field, a parameter or a header is wrong; ``details`` says which."""


class Unauthorized(ApiError):
    """401: the key is missing, malformed or unknown."""


class Forbidden(ApiError):
    """403: the key or the plan does not allow the call, or a signature is refused."""


class NotFound(ApiError):
    """404: nothing of the account has this id."""


class Conflict(ApiError):
    """409: a name is taken, a limit is reached, or a call with the same key still runs."""


class ChangedMeanwhile(ApiError):
    """412: what was to be changed is no longer what was read."""


class KeyReused(ApiError):
    """422: the ``Idempotency-Key`` or the reference was used with another request."""


class QuotaExhausted(ApiError):
    """429: fewer units are left than the call needs."""


class TooManyRequests(ApiError):
    """429: the account or the key sends too many requests."""


class Unavailable(ApiError):
    """503: the gateway lacks capacity or a store. Nothing was charged."""


class BatchFailed(TesseraError):
    """
    A batch did not end as ``done``.

    :ivar batch: the batch as it ended.
    :ivar errors: its first rows with errors.
    """

    def __init__(self, batch: types.Batch, errors: Sequence[RowError]) -> None:
        self.batch = batch
        self.errors = list(errors)
        first = f"; row {self.errors[0]['row']}: {self.errors[0]['message']}" if self.errors else ""
        super().__init__(f"batch {batch['id']} is {batch['state']}: {batch['reason']}{first}")


class BatchTimeout(TesseraError):
    """A batch has not ended in the time that was given. It goes on; wait for it again with its ``batch_id``."""

    def __init__(self, batch_id: str) -> None:
        self.batch_id = batch_id
        super().__init__(f"batch {batch_id} has not ended in time; it goes on")


class LinkJobFailed(TesseraError):
    """
    A link job did not end as ``done``.

    :ivar job: the job as it ended.
    :ivar faults: its first rows with faults.
    """

    def __init__(self, job: types.LinkJob, faults: Sequence[LinkFault]) -> None:
        self.job = job
        self.faults = list(faults)
        first = f"; row {self.faults[0]['row']}: {self.faults[0]['message']}" if self.faults else ""
        super().__init__(f"link job {job['id']} is {job['state']}: {job['reason']}{first}")


class LinkJobTimeout(TesseraError):
    """A link job has not ended in the time that was given. It goes on; wait for it again with its ``job_id``."""

    def __init__(self, job_id: str) -> None:
        self.job_id = job_id
        super().__init__(f"link job {job_id} has not ended in time; it goes on")


class WebhookRefused(TesseraError):
    """A delivery is not signed with any of the secrets, is too old, or is not one at all. Do not use its body."""

    was_sent = False


_BY_STATUS = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: ChangedMeanwhile,
    422: KeyReused,
    429: TooManyRequests,
    503: Unavailable,
}

_EXHAUSTED = "Quota exhausted"


def _read(body: bytes) -> Tuple[str, str, List[Fault]]:
    """Reads an error: JSON, or ``error: details`` as plain text, as calls for pictures answer."""
    text = body.decode("utf-8", "replace")
    try:
        parsed = json.loads(text)
        faults = [Fault(each["field"], each["message"]) for each in parsed.get("faults", [])]
        return str(parsed["error"]), str(parsed["details"]), faults
    except (ValueError, KeyError, TypeError, AttributeError):
        code, colon, details = text.strip().partition(": ")
        is_ours = colon != "" and len(code) < 50 and "<" not in code
        return (code, details, []) if is_ours else ("", text[:500], [])


def to_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Returns the error of an answer with a status of 400 or more, or of one that no call expects."""
    code, details, faults = _read(body)
    kind = QuotaExhausted if code == _EXHAUSTED else _BY_STATUS.get(status, ApiError)
    return kind(status, headers, code, details, faults)
