"""Signed addresses of pictures."""

import json
import os
import re
import time
import unittest
from typing import Any, Dict, Literal

from tessera_client import Client, Forbidden, signed_picture_url

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]


class Pictures(unittest.TestCase):
    def test_signs_as_the_documentation_does(self) -> None:
        with open(os.environ["API_DOCS"], encoding="utf-8") as file:
            found = re.search(r"Test vectors.*?```json\n(.*?)```", file.read(), re.DOTALL)
        assert found is not None
        given: Dict[str, Any] = json.loads(found.group(1))
        self.assertGreater(len(given["vectors"]), 2)
        for vector in given["vectors"]:
            kind: Literal["png", "svg"] = "svg" if vector["path"].endswith(".svg") else "png"
            made = signed_picture_url("", given["id"], given["secret"], json.loads(vector["json"]), kind)
            self.assertEqual(made, vector["path"])

    def test_anyone_sees_the_picture_until_the_secret_is_deleted(self) -> None:
        with Client(URL, KEY) as client, Client(URL) as visitor:
            secret = client.create_signing_secret()
            url = signed_picture_url(f"{URL}/", secret["id"], secret["secret"], {"data": "日本"}, "svg")
            _, signature, picture = url[len(URL) :].rsplit("/", 2)
            with visitor.show_signed_picture(signature, picture) as shown:
                self.assertEqual(shown.content_type, "image/svg+xml")
                self.assertIn(b"<svg", shown.read())
            ended = signed_picture_url(
                URL, secret["id"], secret["secret"], {"data": "a", "expires": int(time.time()) - 10}
            )
            with self.assertRaises(Forbidden) as raised:
                visitor.show_signed_picture(*ended.rsplit("/", 2)[1:])
            self.assertEqual(raised.exception.code, "Signature refused")
            client.delete_signing_secret(secret["id"])

    def test_an_address_that_no_gateway_takes_is_not_made(self) -> None:
        with self.assertRaises(ValueError):
            signed_picture_url(URL, "5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11", "tss_a", {"data": "a" * 6000})


if __name__ == "__main__":
    unittest.main()
