"""Calls whose answers are lost, refused or late."""

import json
import os
import ssl
import threading
import time
import unittest
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, List, Optional, Tuple
from unittest import mock

from tessera_client import (
    ApiError,
    Client,
    NoAnswer,
    NotFound,
    Retries,
    TooManyRequests,
    Unavailable,
    UnreadableAnswer,
)
from tessera_client._exchange import _is_open

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]
CUTTING_URL = os.environ["CUTTING_URL"]

QUICK = Retries(max=3, wait_min_s=0.001, wait_max_s=0.01)

#: A status, headers and a body; or "hang up", "half" or "silence".
Reply = Any


class Server:
    """Answers what it is told to, one reply a request; the last one again and again."""

    def __init__(self, *replies: Reply, certificate: Optional[str] = None) -> None:
        self.replies = list(replies)
        self.requests: List[Tuple[str, str, str]] = []
        self.connections = 0
        self.release = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                server.connections += 1

            def handle_one(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                server.requests.append((self.command, self.path, self.headers.get("idempotency-key", "")))
                reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
                if reply == "silence":
                    server.release.wait(30)
                if isinstance(reply, str):
                    if reply == "half":
                        self.wfile.write(b'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data"')
                    self.close_connection = True
                    return
                status, headers, body = reply
                payload = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"content-length": str(len(payload)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(payload)
                self.close_connection = headers.get("x-then") == "close"

            do_GET = do_POST = do_PATCH = do_DELETE = handle_one

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.release.set()
        self.server.shutdown()
        self.server.server_close()


OK: Reply = (200, {}, {"status": "ok"})
BUSY: Reply = (503, {}, {"error": "Service overloaded", "details": "Try again."})


class LostAnswers(unittest.TestCase):
    def test_a_hundred_retries_after_cut_connections_pay_once_each(self) -> None:
        with Client(URL, KEY) as direct, Client(CUTTING_URL, KEY, retries=QUICK) as client:
            before = direct.get_usage()["usage_count"]
            for n in range(100):
                client.create_code({"data": f"cut {n}"})
            self.assertEqual(direct.get_usage()["usage_count"] - before, 100)

    def test_one_call_that_is_cut_a_hundred_times_pays_once(self) -> None:
        patient = Retries(max=100, wait_min_s=0.001, wait_max_s=0.002)
        with Client(URL, KEY) as direct, Client(
            CUTTING_URL, KEY, retries=patient, headers={"x-test-cuts": "100"}
        ) as client:
            before = direct.get_usage()["usage_count"]
            client.create_code({"data": "often cut"})
            self.assertEqual(direct.get_usage()["usage_count"] - before, 1)

    def test_a_bulk_call_and_a_folder_are_made_once(self) -> None:
        with Client(URL, KEY) as direct, Client(CUTTING_URL, KEY, retries=QUICK) as client:
            before = direct.get_usage()["usage_count"]
            meta = client.create_codes({"items": [{"data": "a"}, {"data": "b"}], "folderName": "Cut"})["meta"]
            self.assertEqual(direct.get_usage()["usage_count"] - before, 2)
            self.assertEqual(len(list(direct.iterate_folder_codes(meta["folder_id"]))), 2)
            client.create_folder({"name": "Cut and made once"})
            self.assertEqual(len(list(direct.iterate_folders(search="Cut and made once"))), 1)

    def test_what_cannot_be_repeated_is_not(self) -> None:
        with Client(URL, KEY) as direct, Client(CUTTING_URL, KEY, retries=QUICK) as client:
            with self.assertRaises(NoAnswer) as raised:
                client.create_key({"name": "made, and not heard of"})
            self.assertTrue(raised.exception.was_sent)
            names = [key["name"] for key in direct.iterate_keys()]
            self.assertEqual(names.count("made, and not heard of"), 1)


class Refusals(unittest.TestCase):
    def start(self, *replies: Reply) -> Server:
        server = Server(*replies)
        self.addCleanup(server.close)
        return server

    def client(self, server: Server, retries: Retries = QUICK, timeout_s: float = 30) -> Client:
        client = Client(server.url, "key", retries=retries, timeout_s=timeout_s)
        self.addCleanup(client.close)
        return client

    def test_retries_carry_the_same_key(self) -> None:
        server = self.start(BUSY, "hang up", "half", OK)
        self.client(server).create_code({"data": "a"})
        self.assertEqual(len(server.requests), 4)
        keys = {key for _, _, key in server.requests}
        self.assertEqual(len(keys), 1)
        self.assertNotIn("", keys)

    def test_two_calls_have_two_keys(self) -> None:
        server = self.start(OK)
        for _ in range(2):
            self.client(server).create_code({"data": "a"})
        self.assertEqual(len({key for _, _, key in server.requests}), 2)

    def test_waits_grow_and_last_as_long_as_the_gateway_asks(self) -> None:
        server = self.start(BUSY, BUSY, BUSY, (503, {"retry-after": "7"}, BUSY[2]), OK)
        client = self.client(server, Retries(max=5, wait_min_s=1, wait_max_s=3))
        with mock.patch("tessera_client._caller.time.sleep") as sleep:
            client.get_readiness()
        waits = [call.args[0] for call in sleep.call_args_list]
        for wait, least, most in zip(waits, (0.5, 1, 1.5, 7), (1, 2, 3, 7.7)):
            self.assertTrue(least <= wait <= most, waits)

    def test_gives_up_after_so_many_tries(self) -> None:
        server = self.start(BUSY)
        with self.assertRaises(Unavailable):
            self.client(server).get_readiness()
        self.assertEqual(len(server.requests), 1 + QUICK.max)

    def test_does_not_begin_a_wait_that_is_too_long(self) -> None:
        server = self.start((429, {"retry-after": "3600"}, {"error": "Rate limit exceeded", "details": "Wait."}))
        with self.assertRaises(TooManyRequests) as raised:
            self.client(server).get_usage()
        self.assertEqual(raised.exception.retry_after_s, 3600)
        self.assertEqual(len(server.requests), 1)

    def test_a_fault_of_the_gateway_is_retried_only_where_that_is_safe(self) -> None:
        fault: Reply = (500, {}, {"error": "Internal error", "details": "See the log."})
        server = self.start(fault, OK)
        self.client(server).get_readiness()
        away: Reply = (503, {}, {"error": "Service unavailable", "details": "The database did not say."})
        for reply in (fault, away):
            server = self.start(reply, OK)
            with self.subTest(reply), self.assertRaises(ApiError):
                self.client(server).create_key({"name": "a"})
            self.assertEqual(len(server.requests), 1)
        server = self.start(BUSY, OK)
        self.client(server).create_key({"name": "a"})
        self.assertEqual(len(server.requests), 2)

    def test_answers_of_an_edge_are_waited_for_by_seconds_or_a_date(self) -> None:
        page = b"<html>"
        date = formatdate(time.time() + 1, usegmt=True)
        edge: List[Reply] = [(429, {"retry-after": "0"}, page), (429, {"retry-after": date}, page), (502, {}, page)]
        server = self.start(*edge, (503, {}, page), OK)
        client = self.client(server, Retries(wait_min_s=0.001))
        client.update_link("a", {"destination": "https://example.com/"})
        self.assertEqual(len(server.requests), 5)
        keys = {key for _, _, key in server.requests}
        self.assertEqual((len(keys), "" in keys), (1, False))

    def test_a_file_that_was_paid_for_is_read_at_once_and_drawn_again_when_it_was_cut(self) -> None:
        server = self.start("half", (200, {}, b"whole"))
        self.assertEqual(self.client(server).create_file({"data": "a"}).read(), b"whole")
        self.assertEqual(len({key for _, _, key in server.requests}), 1)

    def test_errors_say_whether_the_call_was_sent_and_under_which_key(self) -> None:
        client = self.client(self.start("hang up"), Retries(max=0))
        with self.assertRaises(NoAnswer) as lost:
            client.create_code({"data": "a"}, idempotency_key="mine")
        self.assertEqual((lost.exception.was_sent, lost.exception.idempotency_key), (True, "mine"))
        server = self.start("hang up", (400, {}, {"error": "Invalid request body", "details": "data: no"}))
        with self.assertRaises(ApiError) as refused:
            self.client(server).update_link("a", {"destination": "b"})
        self.assertEqual(refused.exception.idempotency_key, server.requests[0][2])
        with self.assertRaises(UnreadableAnswer) as other:
            self.client(self.start((200, {}, b""))).get_usage()
        self.assertEqual((other.exception.was_sent, other.exception.idempotency_key), (True, None))

    def test_a_deletion_whose_answer_was_lost_has_succeeded_when_the_thing_is_gone(self) -> None:
        gone: Reply = (404, {}, {"error": "Not found", "details": "There is no such key."})
        lost: List[Reply] = ["hang up", (504, {}, b"<html>")]
        for reply in lost:
            self.client(self.start(reply, gone)).revoke_key("a")
        with self.assertRaises(NotFound):
            self.client(self.start(gone)).revoke_key("a")

    def test_waits_for_the_first_call_with_the_same_key(self) -> None:
        running: Reply = (409, {}, {"error": "Request still running", "details": "Wait."})
        server = self.start("hang up", *[running] * 10, OK)
        self.client(server).create_code({"data": "a"})
        self.assertEqual(len(server.requests), 12)

    def test_does_not_wait_longer_than_the_time_limit(self) -> None:
        server = self.start("silence")
        with self.assertRaises(NoAnswer):
            self.client(server, Retries(max=1, wait_min_s=0), timeout_s=0.1).get_readiness()
        self.assertEqual(len(server.requests), 2)

    def test_says_when_nothing_listens(self) -> None:
        server = self.start(OK)
        server.close()
        with self.assertRaises(NoAnswer) as raised:
            self.client(server).create_key({"name": "a"})
        self.assertFalse(raised.exception.was_sent)

    def test_a_file_that_breaks_off_is_not_left_on_the_disk(self) -> None:
        path = os.path.join(os.environ["HOME"], "broken.png")
        with self.assertRaises(NoAnswer):
            self.client(self.start("half")).render_code(content="a").save(path)
        self.assertFalse(os.path.exists(path) or os.path.exists(f"{path}.partial"))

    def test_lines_are_told_apart_wherever_they_are_cut(self) -> None:
        text = '{"row": 1}\n{"row": 2, "message": "ü"}\n{"row": 3}'
        server = self.start((200, {}, text.encode()))
        found = list(self.client(server).list_batch_errors("a").json_lines())
        self.assertEqual([each["row"] for each in found], [1, 2, 3])
        for size in range(1, len(text)):
            with mock.patch("tessera_client._exchange.CHUNK_BYTES", size):
                again = list(self.client(server).list_batch_errors("a").json_lines())
            self.assertEqual(again, found)

    def test_another_server_is_told_from_a_gateway(self) -> None:
        replies: List[Reply] = [(200, {}, b"<html>"), (200, {}, b"")]
        for reply in replies:
            with self.assertRaises(UnreadableAnswer):
                self.client(self.start(reply)).get_usage()
        moved = self.start((301, {"location": "https://example.com/"}, b""))
        with self.assertRaises(ApiError) as raised:
            self.client(moved).get_usage()
        self.assertEqual((raised.exception.status, raised.exception.code), (301, ""))
        self.assertEqual(len(moved.requests), 1)

    def test_a_list_that_never_ends_does(self) -> None:
        server = self.start((200, {}, {"data": [], "next_cursor": "a"}))
        with self.assertRaises(UnreadableAnswer):
            list(self.client(server).iterate_folders())
        self.assertEqual(len(server.requests), 2)

    def test_calls_share_one_connection(self) -> None:
        server = self.start(OK)
        client = self.client(server)
        for _ in range(5):
            client.get_readiness()
        self.assertEqual(server.connections, 1)

    def test_a_forked_process_opens_connections_of_its_own(self) -> None:
        server = self.start(OK)
        client = self.client(server)
        client.get_readiness()
        with mock.patch("tessera_client._exchange.os.getpid", return_value=1):
            client.get_readiness()
        self.assertEqual(server.connections, 2)

    def test_few_connections_are_kept(self) -> None:
        server = self.start(OK)
        client = Client(server.url, idle_connections_max=2)
        self.addCleanup(client.close)
        threads = [threading.Thread(target=client.get_readiness) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual(len(client._pool._idle), 2)

    def test_a_connection_that_the_other_side_has_closed_is_not_used(self) -> None:
        server = self.start((200, {"x-then": "close"}, OK[2]), OK)
        client = self.client(server)
        client.get_readiness()
        sock = client._pool._idle[0][0].sock
        deadline = time.monotonic() + 5
        while _is_open(sock) and time.monotonic() < deadline:
            time.sleep(0.01)
        # A call that may not be repeated would fail on the old connection.
        self.assertEqual(client.create_key({"name": "a"}), OK[2])
        self.assertEqual(server.connections, 2)

    def test_addresses_that_are_none_are_refused(self) -> None:
        for url in ("qr.example.com", "ftp://qr.example.com", "http://user:password@qr.example.com", "http://"):
            with self.assertRaises(ValueError):
                Client(url)

    def test_the_path_of_the_address_stands_before_those_of_calls(self) -> None:
        server = self.start(OK)
        with Client(f"{server.url}/codes/", "key") as client:
            client.get_readiness()
        self.assertEqual(server.requests[0][1], "/codes/readyz")


class Tls(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server(OK, certificate=os.environ["CERTIFICATE"])
        self.addCleanup(self.server.close)
        self.url = self.server.url.replace("http://127.0.0.1", "https://localhost")

    def test_calls_share_one_connection_whose_certificate_is_known(self) -> None:
        context = ssl.create_default_context(cafile=os.environ["CERTIFICATE"])
        with Client(self.url, "key", ssl_context=context) as client:
            for _ in range(3):
                client.get_readiness()
        self.assertEqual(self.server.connections, 1)

    def test_a_certificate_that_nobody_knows_is_refused_at_once(self) -> None:
        with Client(self.url, "key") as client, mock.patch("tessera_client._caller.time.sleep") as sleep:
            with self.assertRaises(NoAnswer) as raised:
                client.get_readiness()
        self.assertFalse(raised.exception.was_sent)
        sleep.assert_not_called()
        self.assertEqual(self.server.requests, [])


if __name__ == "__main__":
    unittest.main()
