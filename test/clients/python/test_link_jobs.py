"""Link jobs: sent, waited for, and their faults."""

import gzip
import io
import os
import tempfile
import unittest
import uuid
from pathlib import Path
from typing import Any, Dict, Iterator, List

from tessera_client import Client, LinkJobFailed, LinkJobTimeout, Retries

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]
CUTTING_URL = os.environ["CUTTING_URL"]
QUICK = Retries(max=3, wait_min_s=0.001, wait_max_s=0.01)


class LinkJobs(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(URL, KEY)
        self.addCleanup(self.client.close)
        mark = uuid.uuid4().hex[:10]
        self.slugs = [f"lj-{mark}-{n}x" for n in range(3)]

    def rows(self, to: str = "https://example.com/") -> Iterator[Dict[str, Any]]:
        return ({"slug": slug, "destination": f"{to}{n}"} for n, slug in enumerate(self.slugs))

    def leads_to(self) -> List[str]:
        return [self.client.get_link(slug)["destination"] for slug in self.slugs]

    def test_links_are_imported_changed_and_brought_back(self) -> None:
        client = self.client
        tried = client.import_links(self.rows(), dry_run=True)
        self.assertEqual((tried["dry_run"], tried["made"]), (True, 3))
        self.assertEqual(client.import_links(self.rows(), folder_name="Moved")["made"], 3)
        self.assertEqual(client.import_links(self.rows())["unchanged"], 3)
        changed = client.change_links(self.rows("https://example.org/"))
        self.assertEqual((changed["state"], changed["changed"]), ("done", 3))
        self.assertEqual(self.leads_to()[2], "https://example.org/2")
        undone = client.wait_for_link_job(client.undo_link_job(changed["id"])["id"])
        self.assertEqual((undone["undoes"], undone["changed"]), (changed["id"], 3))
        self.assertEqual(self.leads_to()[2], "https://example.com/2")

    def test_files_are_sent_as_they_are(self) -> None:
        lines = "".join(f"{slug};https://example.com/{slug};7\n" for slug in self.slugs)
        packed = gzip.compress(f"Back half;Goes to;Clicks\n{lines}".encode())
        columns = {"slug": "Back half", "destination": "Goes to"}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "links.csv.gz")
            path.write_bytes(packed)
            self.assertEqual(self.client.import_links(path, columns=columns)["made"], 3)
        self.assertEqual(self.client.get_link(self.slugs[0])["imported_scans"], 7)
        yourls = f"keyword,url\n{self.slugs[0]},https://example.com/{self.slugs[0]}\n".encode()
        again = self.client.import_links(io.BytesIO(yourls), source="yourls", content_type="text/csv")
        self.assertEqual(again["unchanged"], 1)

    def test_faults_are_named_and_fail_a_job_of_all_or_nothing(self) -> None:
        self.client.import_links(self.rows())
        rows: List[Dict[str, Any]] = [
            {"slug": self.slugs[0], "destination": "https://example.net/"},
            {"slug": "nobodys-x", "tags": []},
        ]
        with self.assertRaises(LinkJobFailed) as caught:
            self.client.change_links(rows, all_or_nothing=True)
        self.assertEqual(caught.exception.job["state"], "failed")
        self.assertEqual([fault["row"] for fault in caught.exception.faults], [2])
        job = self.client.change_links(rows)
        self.assertEqual((job["changed"], job["faults"]), (1, 1))
        faults = list(self.client.link_job_faults(job["id"]))
        self.assertEqual((faults[0]["slug"], faults[0]["field"]), ("nobodys-x", "slug"))
        with self.assertRaises(LinkJobTimeout) as late:
            self.client.change_links(self.rows("https://example.com/later/"), timeout_s=-1)
        self.assertEqual(self.client.wait_for_link_job(late.exception.job_id)["state"], "done")

    def test_rows_of_a_generator_are_sent_again_when_an_answer_is_lost(self) -> None:
        with Client(CUTTING_URL, KEY, retries=QUICK) as cutting:
            job = cutting.import_links(self.rows())
        self.assertEqual((job["made"], job["unchanged"]), (3, 0))


if __name__ == "__main__":
    unittest.main()
