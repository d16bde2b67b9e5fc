"""Checks deliveries of webhooks, as Standard Webhooks describes them."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import time
from typing import Iterable, List, Mapping, Optional, Union, cast

from .errors import WebhookRefused
from .types import WebhookEvent

PREFIX = "whsec_"
VERSION = "v1"
#: A delivery of another age may be one that somebody has kept.
TOLERANCE_S = 300


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Iterable[str]],
    *,
    tolerance_s: float = TOLERANCE_S,
    now_s: Optional[float] = None,
) -> WebhookEvent:
    """
    Returns the event of a delivery that is signed with one of the secrets. Events may come twice and out of order:
    remember the header ``webhook-id``.

    :param body: as it came, before anything parses it.
    :param headers: of the request; upper and lower case do not matter.
    :param secrets: ``whsec_…``, or several while you change from one to the other.
    :param tolerance_s: how far the time of the delivery may be from now.
    :param now_s: Unix time, in place of the clock.
    :raises WebhookRefused: it is signed with none of them, too old, or no delivery.
    :raises ValueError: a secret is not one, or there is none.
    """
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("verify_webhook needs a secret")
    given = {name.lower(): value for name, value in headers.items()}
    sent_id, sent_at = _header(given, "webhook-id"), _header(given, "webhook-timestamp")
    _check_time(sent_at, time.time() if now_s is None else now_s, tolerance_s)
    payload = body.encode("utf-8") if isinstance(body, str) else body
    signed = f"{sent_id}.{sent_at}.".encode("utf-8") + payload
    found = _signatures(_header(given, "webhook-signature"))
    # Every pair is compared, so the time says nothing about which of them is right.
    if not any([hmac.compare_digest(_sign(key, signed), each) for key in keys for each in found]):
        raise WebhookRefused("the signature is not that of any secret")
    try:
        return cast(WebhookEvent, json.loads(payload))
    except ValueError as cause:
        raise WebhookRefused("the body is not JSON") from cause


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret[len(PREFIX) :] if secret.startswith(PREFIX) else secret, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(f"a secret of a webhook is {PREFIX} and base64") from None


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookRefused(f"the header {name} is missing")
    return value


def _check_time(sent_at: str, now_s: float, tolerance_s: float) -> None:
    if not sent_at.isdecimal() or len(sent_at) > 12:
        raise WebhookRefused("the header webhook-timestamp is not a Unix time")
    if abs(now_s - int(sent_at)) > tolerance_s:
        raise WebhookRefused(f"it was sent more than {tolerance_s} s before or after now")


def _signatures(header: str) -> List[bytes]:
    parts = [part.partition(",") for part in header.split(" ")]
    return [value.encode("utf-8") for version, _, value in parts if version == VERSION]


def _sign(key: bytes, signed: bytes) -> bytes:
    return base64.b64encode(hmac.new(key, signed, "sha256").digest())
