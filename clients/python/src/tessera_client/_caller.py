"""Makes calls: writes requests, tries them again, and reads answers."""

from __future__ import annotations

import json
import ssl
import time
import uuid
from typing import Any, Callable, Iterator, Mapping, Optional, TypeVar, cast
from urllib.parse import urlsplit

from ._download import Download
from ._exchange import Opened, Pool, Received
from ._message import Answer, Params, RawBody, Request, rewinder, to_headers, to_json, to_query
from ._retries import Retries, is_running, is_unheard, wait_before
from ._version import VERSION
from .errors import NoAnswer, NotFound, TesseraError, UnreadableAnswer, to_error

T = TypeVar("T")

JSON_TYPE = "application/json"
ANSWER_MAX_BYTES = 256 * 1024 * 1024
ERROR_MAX_BYTES = 1024 * 1024
#: A file that is known to be no longer is read before the call returns.
READ_MAX_BYTES = 1024 * 1024
#: These do the same however often they are sent.
REPEATABLE = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE")
KEY_HEADER = "idempotency-key"
NONE: Params = {}


class Caller:
    """Calls one gateway, from any number of threads."""

    def __init__(
        self,
        base_url: str,
        token: Optional[str],
        timeout_s: float,
        retries: Retries,
        headers: Mapping[str, str],
        ssl_context: Optional[ssl.SSLContext],
        idle_connections_max: int,
    ) -> None:
        base = urlsplit(base_url)
        # `port` raises for one that is no number.
        if base.port == 0 or base.scheme not in ("http", "https") or not base.hostname or "@" in base.netloc or base.query:
            raise ValueError(f"not the address of a gateway, such as https://qr.example.com: {base_url!r}")
        self._path = base.path.rstrip("/")
        self._token = token
        self._timeout_s = timeout_s
        self._retries = retries
        self._headers = {"user-agent": f"tessera-client-python/{VERSION}", **headers}
        self._pool = Pool(base, ssl_context, idle_connections_max)
        #: The address of the gateway.
        self.base_url = f"{base.scheme}://{base.netloc}{self._path}"

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._pool.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Params = NONE,
        headers: Params = NONE,
        body: object = None,
        keyed: bool = False,
        timeout_s: Optional[float] = None,
    ) -> Answer[Any]:
        """
        Makes any call that answers JSON, with the retries of all calls. Unlike the methods of the calls it returns the
        headers, such as ``tessera-grade`` and ``ratelimit``.

        :param path: from ``/api/v1`` on.
        :param keyed: whether the call takes an ``Idempotency-Key``; the client makes one unless ``headers`` has it.
        """
        return self._answer(
            method, path, query=query, headers=headers, body=body, keyed=keyed, timeout_s=timeout_s
        )

    def _json(self, method: str, path: str, **given: Any) -> Any:
        return self._send(self._write(method, path, accept=JSON_TYPE, **given), _read_body)

    def _nothing(self, method: str, path: str, **given: Any) -> None:
        self._answer(method, path, **given)

    def _answer(self, method: str, path: str, **given: Any) -> Answer[Any]:
        return self._send(self._write(method, path, accept=JSON_TYPE, **given), _read_json)

    def _download(self, method: str, path: str, **given: Any) -> Download:
        request = self._write(method, path, **given)
        is_paid = KEY_HEADER in request.headers
        return self._send(request, lambda opened: _read_file(opened, is_paid))

    def _pages(self, path: str, query: Params, timeout_s: Optional[float]) -> Iterator[Any]:
        cursor: Optional[str] = None
        while True:
            page = self._json("GET", path, query={**query, "cursor": cursor}, timeout_s=timeout_s)
            yield from page["data"]
            following = page["next_cursor"]
            if following is None:
                return
            if following == cursor:
                raise UnreadableAnswer(f"the list {path} has the same page again and again")
            cursor = following

    def _write(
        self,
        method: str,
        path: str,
        *,
        query: Params = NONE,
        headers: Params = NONE,
        body: object = None,
        raw: Optional[RawBody] = None,
        content_type: str = JSON_TYPE,
        accept: str = "*/*",
        keyed: bool = False,
        authorized: bool = True,
        repeatable: bool = False,
        redirects: bool = False,
        timeout_s: Optional[float] = None,
    ) -> Request:
        sent = {**to_headers({**self._headers, "accept": accept}), **to_headers(headers)}
        if authorized and self._token is not None:
            sent["authorization"] = f"Bearer {self._token}"
        if keyed and KEY_HEADER not in sent:
            sent[KEY_HEADER] = str(uuid.uuid4())
        payload = raw if body is None else to_json(body)
        if payload is not None:
            sent["content-type"] = content_type
        return Request(
            method=method,
            target=f"{self._path}{path}{to_query(query)}",
            headers=sent,
            body=payload,
            timeout_s=self._timeout_s if timeout_s is None else timeout_s,
            is_repeatable=repeatable or method in REPEATABLE or KEY_HEADER in sent,
            rewind=rewinder(payload),
            redirects=redirects,
        )

    def _send(self, request: Request, read: Callable[[Opened], T]) -> T:
        """Sends a request until it succeeds or cannot any more."""
        started = time.monotonic()
        tries = 0
        was_sent = False
        may_be_done = False
        while True:
            try:
                return read(self._open(request))
            except TesseraError as error:
                if request.method == "DELETE" and may_be_done and isinstance(error, NotFound):
                    # It is gone, as the call wants: an earlier try did that, and its answer was lost.
                    return cast(T, Answer(204, {}, None))
                was_sent = error.was_sent = was_sent or error.was_sent
                error.idempotency_key = _key_of(request)
                may_be_done = may_be_done or is_unheard(error)
                tries += 0 if is_running(error) and tries > 0 else 1
                spent_s = time.monotonic() - started
                wait_s = wait_before(error, request.is_repeatable, tries, spent_s, self._retries)
                if wait_s is None or request.rewind is None:
                    raise
            time.sleep(wait_s)
            request.rewind()

    def _open(self, request: Request) -> Opened:
        opened = self._pool.open(
            request.method, request.target, request.headers, request.body, request.timeout_s
        )
        if opened.status < (400 if request.redirects else 300):
            return opened
        raise to_error(opened.status, opened.headers, opened.read(ERROR_MAX_BYTES))


def _key_of(request: Request) -> Optional[str]:
    key = request.headers.get(KEY_HEADER)
    return key.decode("utf-8") if isinstance(key, bytes) else key


def _read_json(opened: Opened) -> Answer[Any]:
    body = opened.read(ANSWER_MAX_BYTES)
    try:
        return Answer(opened.status, opened.headers, json.loads(body) if body else None)
    except ValueError as cause:
        if opened.headers.get("content-type", "").startswith(JSON_TYPE):
            raise NoAnswer("the answer broke off: its JSON has no end", was_sent=True) from cause
        raise UnreadableAnswer("the answer is not JSON; check the address of the gateway") from cause


def _read_body(opened: Opened) -> Any:
    answer = _read_json(opened)
    if answer.status == 200 and answer.body is None:
        raise UnreadableAnswer("the answer is empty; check the address of the gateway")
    return answer.body


def _read_file(opened: Opened, is_paid: bool) -> Download:
    """Reads a file that is short, or was paid for, as a whole, so that a try whose answer broke off is repeated."""
    length = opened.headers.get("content-length", "")
    if is_paid or (length.isdecimal() and int(length) <= READ_MAX_BYTES):
        return Download(Received(opened.status, opened.headers, opened.read(ANSWER_MAX_BYTES)))
    return Download(opened)
