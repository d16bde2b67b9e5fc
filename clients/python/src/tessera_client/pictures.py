"""Signs addresses of pictures for web pages, without a call."""

from __future__ import annotations

import base64
import hmac
import json
from typing import Literal, Mapping

#: The longest path that a gateway takes, in characters.
PATH_MAX_CHARACTERS = 8000


def signed_picture_url(
    base_url: str,
    secret_id: str,
    secret: str,
    parameters: Mapping[str, object],
    format: Literal["png", "svg"] = "png",
) -> str:
    """
    Returns the address of a picture that anyone may see.

    :param base_url: the public address of the gateway, such as ``https://qr.example.com``; empty for the path alone.
    :param secret_id: the ``id`` that ``create_signing_secret`` answers.
    :param secret: the ``secret`` that it answers.
    :param parameters: ``data`` and the options of a design, or ``code``, the id of a saved code; ``expires`` is a Unix
        time in seconds.
    :raises ValueError: the address would be longer than gateways take.
    """
    text = json.dumps(parameters, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    signed = f"{secret_id}.{_encode(text.encode('utf-8'))}.{format}"
    signature = _encode(hmac.new(secret.encode("utf-8"), signed.encode("ascii"), "sha256").digest())
    path = f"/i/{signature}/{signed}"
    if len(path) > PATH_MAX_CHARACTERS:
        raise ValueError(f"the address has {len(path)} characters; save the code, and sign its id as code instead")
    return base_url.rstrip("/") + path


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
