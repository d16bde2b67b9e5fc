"""Batches: sent in pieces, waited for, and read row by row."""

import csv
import gzip
import hashlib
import io
import os
import unittest
from typing import Any, Dict, Iterator
from unittest import mock

from tessera_client import (
    BadRequest,
    BatchFailed,
    BatchTimeout,
    Client,
    NotFound,
    Retries,
    _rows,
    _upload,
)

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]
CUTTING_URL = os.environ["CUTTING_URL"]
QUICK = Retries(max=3, wait_min_s=0.001, wait_max_s=0.01)

PNG = b"\x89PNG\r\n\x1a\n"


def rows(count: int) -> Iterator[Dict[str, Any]]:
    for n in range(1, count + 1):
        yield {"data": f"https://example.com/{n}", "external_id": f"A-{n}", "name": f"Cup {n}, ünï"}


class Batches(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(URL, KEY)
        self.addCleanup(self.client.close)

    def test_one_call_sends_waits_and_returns_the_rows_with_their_pictures(self) -> None:
        result = self.client.run_batch(
            rows(600), folder_name="Cups", formats=["png", "svg"], design={"width": 120, "height": 120}
        )
        self.assertEqual((result.batch["state"], result.batch["made"]), ("done", 600))
        self.assertEqual(result.errors, [])
        found = 0
        for found, row in enumerate(result.rows, start=1):
            self.assertEqual((row.row, row.external_id, row.name), (found, f"A-{found}", f"Cup {found}, ünï"))
            self.assertEqual(row.content, f"https://example.com/{found}")
            self.assertIn(row.grade, range(5))
            self.assertTrue(row.files["png"].startswith(PNG))
            self.assertIn(b"<svg", row.files["svg"])
        self.assertEqual(found, 600)

    def test_rows_are_asked_for_while_they_are_sent(self) -> None:
        given = 0
        ahead = []
        send = _upload._append

        def counted() -> Iterator[Dict[str, Any]]:
            nonlocal given
            for row in rows(200):
                given += 1
                yield row

        def append(*args: Any) -> None:
            ahead.append(given - sum(piece.count(b"\n") for piece in sent))
            sent.append(args[3])
            send(*args)

        sent: list[bytes] = []
        with mock.patch.object(_rows, "PIECE_BYTES", 1000), mock.patch.object(_upload, "_append", append):
            batch = self.client.send_batch(counted())
        self.assertEqual(self.client.wait_for_batch(batch["id"])["made"], 200)
        self.assertGreater(len(sent), 10)
        self.assertLess(max(ahead), 30)

    def test_connections_that_break_off_cost_nothing(self) -> None:
        before = self.client.get_usage()["usage_count"]
        with mock.patch.object(_rows, "PIECE_BYTES", 1000), Client(CUTTING_URL, KEY, retries=QUICK) as client:
            result = client.run_batch(rows(60))
            found = [hashlib.sha256(row.files["png"]).hexdigest() for row in result.rows]
        again = [hashlib.sha256(row.files["png"]).hexdigest() for row in self.client.batch_rows(result.batch["id"])]
        self.assertEqual(len(found), 60)
        self.assertEqual(found, again)
        self.assertEqual(self.client.get_usage()["usage_count"] - before, 60)

    def test_the_same_key_gives_the_same_batch(self) -> None:
        ids = [self.client.send_batch(rows(2), idempotency_key="batch")["id"] for _ in range(2)]
        self.assertEqual(ids[0], ids[1])

    def test_takes_files_by_their_names_packed_ones_too(self) -> None:
        table = io.StringIO()
        csv.writer(table).writerows([["Web page", "name"], ["https://example.com/", "Menu"]])
        folder = os.environ["HOME"]
        for name, data in [
            ("rows.csv", table.getvalue().encode()),
            ("rows.CSV.gz", gzip.compress(table.getvalue().encode())),
        ]:
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(data)
            result = self.client.run_batch(path, columns={"data": "Web page"})
            self.assertEqual([row.name for row in result.rows], ["Menu"])
        with open(os.path.join(folder, "rows.csv"), "rb") as opened:
            result = self.client.run_batch(opened, content_type="text/csv", columns={"data": "Web page"})
        self.assertEqual([row.name for row in result.rows], ["Menu"])

    def test_says_what_a_file_must_tell(self) -> None:
        with self.assertRaises(ValueError):
            self.client.send_batch("rows.txt")
        with self.assertRaises(ValueError):
            self.client.send_batch(io.BytesIO(b"data\na\n"))

    def test_a_batch_that_fails_says_why_and_in_which_row(self) -> None:
        with self.assertRaises(BatchFailed) as raised:
            self.client.run_batch([{"data": "a"}, {"data": "b", "width": 1}])
        self.assertEqual(raised.exception.batch["state"], "failed")
        self.assertEqual([(error["row"], error["field"]) for error in raised.exception.errors], [(2, "width")])
        self.assertIn("row 2", str(raised.exception))

    def test_rows_that_fail_later_are_named_and_the_others_come(self) -> None:
        taken = {"data": "https://example.com/", "dynamic": True, "slug": "python-taken"}
        self.client.run_batch([taken])
        result = self.client.run_batch([{"data": "a"}, taken, {"data": "c"}])
        self.assertEqual([row.content for row in result.rows], ["a", "c"])
        self.assertEqual([error["row"] for error in result.errors], [2])

    def test_a_batch_that_is_refused_leaves_no_upload(self) -> None:
        with mock.patch.object(_upload, "_delete", wraps=_upload._delete) as delete:
            with self.assertRaises(BadRequest):
                self.client.send_batch([])
        _, path = delete.call_args.args
        with self.assertRaises(NotFound):
            self.client.get_upload(path.rpartition("/")[2])
        with self.assertRaises(BadRequest):
            self.client.send_batch(rows(1), preset="there is no such preset")

    def test_a_wait_ends(self) -> None:
        batch = self.client.send_batch(rows(300))
        with self.assertRaises(BatchTimeout) as raised:
            self.client.wait_for_batch(batch["id"], timeout_s=0)
        self.assertEqual(raised.exception.batch_id, batch["id"])
        self.client.wait_for_batch(batch["id"])


if __name__ == "__main__":
    unittest.main()
