"""One request and its answer, over connections that are kept."""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import SplitResult

from ._message import RawBody
from .errors import NoAnswer

CHUNK_BYTES = 64 * 1024
#: The gateway closes a connection that is idle for 65 s, and some proxies after 60 s.
IDLE_MAX_S = 50.0


def _is_open(sock: socket.socket) -> bool:
    """Whether the other side has neither closed the connection nor said anything."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return not selector.select(timeout=0)


class Opened:
    """An answer of which the head has come. Its body is read once; read it to its end, or close it."""

    def __init__(
        self, pool: Pool, connection: HTTPConnection, sock: socket.socket, timeout_s: float, is_sent: bool
    ) -> None:
        self._response: HTTPResponse = connection.getresponse()
        self._pool = pool
        self._connection = connection
        self._sock = sock
        self._timeout_s = timeout_s
        self._is_last = self._response.will_close or not is_sent
        self.status = self._response.status
        self.headers: Mapping[str, str] = _lower(self._response)

    def chunks(self, total_s: Optional[float] = None) -> Iterator[bytes]:
        """
        Yields the body as it comes. Each wait has the time limit of the request.

        :param total_s: bounds the time of the whole body.
        """
        deadline = None if total_s is None else time.monotonic() + total_s
        left = self._response.length
        is_chunked = "chunked" in self.headers.get("transfer-encoding", "")
        try:
            while is_chunked or left != 0:
                self._limit(deadline)
                chunk = self._response.read1(CHUNK_BYTES if left is None else min(left, CHUNK_BYTES))
                if not chunk and left is not None:
                    raise IncompleteRead(b"", left)
                if not chunk:
                    break
                left = None if left is None else left - len(chunk)
                yield chunk
        except (OSError, HTTPException, ValueError) as cause:
            self.close()
            raise NoAnswer(f"the answer broke off: {_told(cause)}", was_sent=True) from cause
        except BaseException:
            self.close()
            raise
        self._give_back()

    def read(self, max_bytes: int) -> bytes:
        """Returns the whole body within the time limit. Raises ``NoAnswer`` when it breaks off or has more bytes."""
        chunks: List[bytes] = []
        length = 0
        for chunk in self.chunks(self._timeout_s):
            length += len(chunk)
            if length > max_bytes:
                self.close()
                raise NoAnswer(f"the answer is longer than {max_bytes} bytes", was_sent=True, may_pass=False)
            chunks.append(chunk)
        return b"".join(chunks)

    def close(self) -> None:
        """Ends the connection. Does nothing when the body was read."""
        self._response.close()
        self._connection.close()

    def _limit(self, deadline: Optional[float]) -> None:
        if deadline is None:
            return
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("the time is up")
        self._sock.settimeout(left_s)

    def _give_back(self) -> None:
        self._response.close()
        if self._is_last:
            self._connection.close()
        else:
            self._pool.give_back(self._connection)


@dataclass(frozen=True)
class Received:
    """An answer that has come as a whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def chunks(self) -> Iterator[bytes]:
        """Yields the body."""
        if self.body:
            yield self.body

    def read(self, max_bytes: int) -> bytes:
        """Returns the body. Raises ``NoAnswer`` when it has more bytes."""
        if len(self.body) > max_bytes:
            raise NoAnswer(f"the answer is longer than {max_bytes} bytes", was_sent=True, may_pass=False)
        return self.body

    def close(self) -> None:
        """Does nothing."""


class Pool:
    """
    Connections to one gateway, for all threads. One that is in use belongs to its request alone.

    :param idle_max: connections that are kept; a request that finds none opens its own.
    """

    def __init__(self, base: SplitResult, ssl_context: Optional[ssl.SSLContext], idle_max: int) -> None:
        self._base = base
        self._ssl_context = ssl_context
        self._idle_max = idle_max
        self._idle: List[Tuple[HTTPConnection, float]] = []
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._is_closed = False

    def open(
        self,
        method: str,
        target: str,
        headers: Mapping[str, Union[str, bytes]],
        body: Optional[RawBody],
        timeout_s: float,
    ) -> Opened:
        """Sends a request and waits for the head of its answer. Raises ``NoAnswer``."""
        connection, sock = self._take(timeout_s)
        try:
            failure: Optional[OSError] = None
            try:
                # `http.client` takes headers as bytes, which its type stubs do not say.
                connection.request(method, target, body=body, headers=headers)  # type: ignore[arg-type]
            except OSError as cause:
                # A refusal may come while the body is still sent.
                failure = cause
            try:
                return Opened(self, connection, sock, timeout_s, failure is None)
            except (OSError, HTTPException):
                if failure is not None:
                    raise failure from None
                raise
        except (OSError, HTTPException) as cause:
            connection.close()
            raise NoAnswer(f"no answer: {_told(cause)}", was_sent=True) from cause
        except BaseException:
            connection.close()
            raise

    def give_back(self, connection: HTTPConnection) -> None:
        """Keeps a connection whose answer was read, unless enough are kept."""
        with self._lock:
            if not self._is_closed and len(self._idle) < self._idle_max:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()

    def close(self) -> None:
        """Closes all connections that are kept. Those in use are closed after their answers."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def _take(self, timeout_s: float) -> Tuple[HTTPConnection, socket.socket]:
        """Returns the connection that was used last, if it is still open, or a new one."""
        while True:
            with self._lock:
                if self._process != os.getpid():
                    # A forked process must not share connections with its parent.
                    self._idle, self._process = [], os.getpid()
                connection, since = self._idle.pop() if self._idle else (None, 0.0)
            if connection is None:
                return self._connect(timeout_s)
            sock: Optional[socket.socket] = connection.sock
            if sock is not None and time.monotonic() - since < IDLE_MAX_S and _is_open(sock):
                sock.settimeout(timeout_s)
                return connection, sock
            connection.close()

    def _connect(self, timeout_s: float) -> Tuple[HTTPConnection, socket.socket]:
        host, port = self._base.hostname or "", self._base.port
        # With a port, an address of IPv6 is not taken apart at its colons.
        connection = (
            HTTPSConnection(host, port or 443, timeout=timeout_s, context=self._ssl_context)
            if self._base.scheme == "https"
            else HTTPConnection(host, port or 80, timeout=timeout_s)
        )
        try:
            connection.connect()
        except OSError as cause:
            connection.close()
            place = f"{self._base.scheme}://{self._base.netloc}"
            is_refused = isinstance(cause, ssl.SSLCertVerificationError)
            told = f"{place} cannot be reached: {_told(cause)}"
            raise NoAnswer(told, was_sent=False, may_pass=not is_refused) from cause
        sock: socket.socket = connection.sock
        return connection, sock


def _told(cause: Exception) -> str:
    return str(cause) or type(cause).__name__


def _lower(response: HTTPResponse) -> Mapping[str, str]:
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return headers
