"""Deliveries of webhooks: real ones, and what others might send."""

import os
import queue
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Dict, Tuple

from tessera_client import Client, WebhookRefused, verify_webhook

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]

# The example of Standard Webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
BODY = b'{"test": 2432232314}'
SENT_S = 1614265330
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": str(SENT_S),
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


class Rules(unittest.TestCase):
    def refused(self, body: bytes = BODY, secret: str = SECRET, now_s: float = SENT_S) -> None:
        with self.assertRaises(WebhookRefused):
            verify_webhook(body, HEADERS, secret, now_s=now_s)

    def refused_with(self, name: str, value: str) -> None:
        with self.assertRaises(WebhookRefused):
            verify_webhook(BODY, {**HEADERS, f"Webhook-{name}": value}, SECRET, now_s=SENT_S)

    def test_the_example_of_the_standard_passes(self) -> None:
        event = verify_webhook(BODY, HEADERS, SECRET, now_s=SENT_S)
        self.assertEqual(event, {"test": 2432232314})
        lower = {name.lower(): value for name, value in HEADERS.items()}
        self.assertEqual(verify_webhook(BODY.decode(), lower, SECRET, now_s=SENT_S), event)

    def test_one_of_several_secrets_and_signatures_is_enough(self) -> None:
        several = f"v1,AAAA v2,{HEADERS['Webhook-Signature'][3:]} {HEADERS['Webhook-Signature']} v1a,x"
        headers = {**HEADERS, "Webhook-Signature": several}
        verify_webhook(BODY, headers, [OTHER, SECRET], now_s=SENT_S)
        verify_webhook(BODY, headers, [SECRET, OTHER], now_s=SENT_S)

    def test_what_is_changed_is_refused(self) -> None:
        self.refused(body=BODY.replace(b"4", b"5"))
        self.refused(secret=OTHER)
        self.refused_with("Id", "msg_other")
        self.refused_with("Timestamp", str(SENT_S + 1))
        right = HEADERS["Webhook-Signature"]
        for signature in ("v1,", "v1", f"v2{right[2:]}", "v1,AAAA", right[:-1]):
            self.refused_with("Signature", signature)
        for name in ("Id", "Timestamp", "Signature"):
            self.refused_with(name, "")
        for timestamp in ("now", "-1", "1e9", "٣", "9" * 400):
            self.refused_with("Timestamp", timestamp)

    def test_what_is_old_or_from_the_future_is_refused(self) -> None:
        for apart_s in (-300, 0, 300):
            verify_webhook(BODY, HEADERS, SECRET, now_s=SENT_S + apart_s)
        for apart_s in (-301, 301, 86400):
            self.refused(now_s=SENT_S + apart_s)
        self.refused(now_s=SENT_S + 10**6)

    def test_secrets_that_are_none_are_faults_of_the_program(self) -> None:
        for secrets in ([], "whsec_ä", "whsec_%%%"):
            with self.assertRaises(ValueError):
                verify_webhook(BODY, HEADERS, secrets, now_s=SENT_S)


class Deliveries(unittest.TestCase):
    def test_a_delivery_of_the_gateway_passes(self) -> None:
        received: "queue.Queue[Tuple[bytes, Dict[str, str]]]" = queue.Queue()

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                received.put((body, dict(self.headers.items())))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Client(URL, KEY) as client:
            address = f"http://127.0.0.1:{server.server_address[1]}/"
            made = client.create_webhook({"url": address, "events": []})
            client.test_webhook(made["id"])
            body, headers = received.get(timeout=30)
            client.delete_webhook(made["id"])
        event = verify_webhook(body, headers, [OTHER, made["secret"]])
        self.assertEqual(event["type"], "webhook.test")
        with self.assertRaises(WebhookRefused):
            verify_webhook(body + b" ", headers, made["secret"])


if __name__ == "__main__":
    unittest.main()
