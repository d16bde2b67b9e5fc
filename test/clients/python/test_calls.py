"""Calls of one account, and how they fail."""

import base64
import os
import threading
import unittest
from typing import List

from tessera_client import (
    BadRequest,
    ChangedMeanwhile,
    Client,
    NotFound,
    QuotaExhausted,
    Unauthorized,
    types,
)

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]
ADMIN_TOKEN = os.environ["TESSERA_ADMIN_TOKEN"]

PNG = b"\x89PNG\r\n\x1a\n"


def key_of_new_account(credits: int) -> str:
    with Client(URL, ADMIN_TOKEN) as operator:
        account = operator.create_account({"name": "python", "plan": "pro", "monthly_quota": 0, "credits": credits})
        return operator.create_account_key(account["id"], {"name": "python"})["key"]


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(URL, KEY)
        self.addCleanup(self.client.close)

    def test_makes_a_code_as_a_picture(self) -> None:
        made = self.client.create_code({"data": "https://example.com/", "width": 300, "height": 300})
        head, _, text = made["data"].partition(",")
        self.assertEqual(head, "data:image/png;base64")
        self.assertTrue(base64.b64decode(text).startswith(PNG))
        self.assertEqual(made["meta"]["strategy"], "monthly")

    def test_makes_files_of_the_kind_that_is_asked_for(self) -> None:
        with self.client.create_file({"data": "a"}, accept="image/svg+xml", width_mm=30) as file:
            self.assertEqual(file.content_type, "image/svg+xml")
            self.assertEqual(file.headers["tessera-grade"], "4")
            self.assertIn(b"<svg", file.read())
        self.assertTrue(self.client.create_file({"data": "a"}).read().startswith(PNG))

    def test_saves_codes_and_lists_all_of_them_page_by_page(self) -> None:
        items: List[types.BulkItem] = [{"data": f"code {n}"} for n in range(70)]
        meta = self.client.create_codes({"items": items, "folderName": "Pages"})["meta"]
        self.client.create_codes({"items": items, "folderId": meta["folder_id"]})
        contents = [code["content"] for code in self.client.iterate_folder_codes(meta["folder_id"])]
        self.assertEqual(contents, [item["data"] for item in items] * 2)
        first = self.client.list_folder_codes(meta["folder_id"], limit=3)
        self.assertEqual(len(first["data"]), 3)
        self.assertIsNotNone(first["next_cursor"])
        with self.client.get_code_image(first["data"][0]["id"], format="svg") as picture:
            self.assertIn("etag", picture.headers)
            self.assertIn(b"<svg", picture.read())

    def test_saves_a_download_whole(self) -> None:
        meta = self.client.create_codes({"items": [{"data": "a"}], "folderName": "Archive"})["meta"]
        path = os.path.join(os.environ["HOME"], "archive.zip")
        length = self.client.get_folder_archive(meta["folder_id"], format="png").save(path)
        self.assertEqual(os.path.getsize(path), length)
        self.assertFalse(os.path.exists(f"{path}.partial"))

    def test_writes_texts_of_any_language_into_paths_queries_headers_and_bodies(self) -> None:
        name = "日本 & Café/1"
        self.client.create_preset({"name": name, "options": {"width": 333, "height": 333}})
        made = self.client.create_codes({"items": [{"data": name}], "folderName": name}, tessera_preset=name)
        self.assertEqual([each["name"] for each in self.client.iterate_folders(search=name)], [name])
        code = next(self.client.iterate_folder_codes(made["meta"]["folder_id"]))
        self.assertEqual((code["content"], code["width"]), (name, 333))
        with self.assertRaises(NotFound):
            self.client.get_link("a/../b?c#d ü")

    def test_says_which_fields_are_wrong(self) -> None:
        with self.assertRaises(BadRequest) as raised:
            self.client.create_code({"data": "a", "width": 1, "height": 1})
        error = raised.exception
        self.assertEqual((error.status, error.code), (400, "Invalid request body"))
        self.assertEqual([fault.field for fault in error.faults], ["width", "height"])
        self.assertTrue(error.details.startswith("width:"))
        self.assertEqual(error.request_id, error.headers["x-request-id"])

    def test_errors_of_pictures_are_plain_text_and_mean_the_same(self) -> None:
        with self.assertRaises(BadRequest) as raised:
            self.client.render_code(content="a", width=1)
        self.assertEqual(raised.exception.code, "Invalid query parameters")
        self.assertIn("width", raised.exception.details)

    def test_tells_a_wrong_key_and_an_unknown_id(self) -> None:
        with Client(URL, "tsr_wrong") as client, self.assertRaises(Unauthorized) as raised:
            client.get_usage()
        self.assertEqual(raised.exception.code, "Missing or invalid API key")
        self.assertNotIn("tsr_wrong", repr(client) + str(raised.exception))
        with self.assertRaises(NotFound):
            self.client.get_folder("5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11")

    def test_does_not_wait_for_the_next_month(self) -> None:
        with Client(URL, key_of_new_account(credits=1)) as client:
            client.create_code({"data": "a"})
            with self.assertRaises(QuotaExhausted) as raised:
                client.create_code({"data": "b"})
            self.assertIsNotNone(raised.exception.retry_after_s)

    def test_loses_no_edit_of_others(self) -> None:
        folder = self.client.create_folder({"name": "Edited"})
        self.client.change_folder(folder["id"], {"name": "Edited again"})
        with self.assertRaises(ChangedMeanwhile):
            self.client.change_folder(folder["id"], {"name": "Lost"}, if_match=folder["etag"])
        self.client.delete_folder(folder["id"])

    def test_the_same_key_makes_one_thing(self) -> None:
        made = [self.client.create_folder({"name": "Once"}, idempotency_key="once")["id"] for _ in range(2)]
        self.assertEqual(made[0], made[1])
        before = self.client.get_usage()["usage_count"]
        codes = [self.client.create_code({"data": "a"}, idempotency_key="a") for _ in range(3)]
        self.assertEqual(codes[0], codes[2])
        self.assertEqual(self.client.get_usage()["usage_count"], before + 1)

    def test_threads_share_a_client(self) -> None:
        made: List[str] = []

        def make(n: int) -> None:
            made.append(self.client.create_code({"data": f"thread {n}"})["data"])

        threads = [threading.Thread(target=make, args=(n,)) for n in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(made)), 24)

    def test_request_returns_the_headers_too(self) -> None:
        answer = self.client.request("POST", "/api/v1/qr", body={"data": "a"}, keyed=True)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["tessera-grade"], "4")
        self.assertIn("monthly", answer.headers["ratelimit"])


if __name__ == "__main__":
    unittest.main()
