"""A client of Tessera, the self-hosted QR code service."""

from . import types
from ._client import BatchResult, Client
from ._download import Download
from ._message import Answer
from ._results import BatchRow
from ._retries import Retries
from ._version import VERSION as __version__
from .errors import (
    ApiError,
    BadRequest,
    BatchFailed,
    BatchTimeout,
    ChangedMeanwhile,
    Conflict,
    Fault,
    Forbidden,
    KeyReused,
    LinkFault,
    LinkJobFailed,
    LinkJobTimeout,
    NoAnswer,
    NotFound,
    QuotaExhausted,
    RowError,
    TesseraError,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnreadableAnswer,
    WebhookRefused,
)
from .pictures import signed_picture_url
from .webhooks import verify_webhook

__all__ = [
    "Answer",
    "ApiError",
    "BadRequest",
    "BatchFailed",
    "BatchResult",
    "BatchRow",
    "BatchTimeout",
    "ChangedMeanwhile",
    "Client",
    "Conflict",
    "Download",
    "Fault",
    "Forbidden",
    "KeyReused",
    "LinkFault",
    "LinkJobFailed",
    "LinkJobTimeout",
    "NoAnswer",
    "NotFound",
    "QuotaExhausted",
    "Retries",
    "RowError",
    "TesseraError",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "UnreadableAnswer",
    "WebhookRefused",
    "__version__",
    "signed_picture_url",
    "types",
    "verify_webhook",
]
