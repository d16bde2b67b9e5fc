"""Every call of the document, made by its method."""

import inspect
import os
import re
import time
import unittest
from typing import Any, Callable, Dict, List, Set

from tessera_client import Client, NotFound, signed_picture_url
from tessera_client._operations import Operations
from tessera_client.types import NewItemLink, Rule, SheetsRequest

URL = os.environ["TESSERA_URL"]
KEY = os.environ["TESSERA_KEY"]
ADMIN_TOKEN = os.environ["TESSERA_ADMIN_TOKEN"]
SAME_ORIGIN = {"sec-fetch-site": "same-origin"}

METHODS = {name for name, _ in inspect.getmembers(Operations, inspect.isfunction) if name in vars(Operations)}


class Recorded(Client):
    """Remembers which methods are used."""

    used: Set[str] = set()

    def __getattribute__(self, name: str) -> Any:
        if name in METHODS:
            Recorded.used.add(name)
        return super().__getattribute__(name)


def until(is_reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_reached():
        if time.monotonic() > deadline:
            raise AssertionError("it does not come to that")
        time.sleep(0.1)


def snake(operation_id: str) -> str:
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", operation_id).lower()


class EveryCall(unittest.TestCase):
    client: Recorded
    operator: Recorded
    folder_id: str
    ids: List[str]
    slugs: List[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.client, cls.operator = Recorded(URL, KEY), Recorded(URL, ADMIN_TOKEN)
        made = cls.client.create_codes(
            {
                "folderName": "Every call",
                "items": [{"data": f"https://example.com/{n}", "dynamic": True} for n in range(3)],
            }
        )
        cls.folder_id = made["meta"]["folder_id"]
        codes = list(cls.client.iterate_folder_codes(cls.folder_id))
        cls.ids = [code["id"] for code in codes]
        cls.slugs = [code["slug"] or "" for code in codes]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()
        cls.operator.close()

    def test_generating(self) -> None:
        client = self.client
        client.create_code({"data": "a"})
        client.create_file({"data": "a"}).read()
        client.create_barcode({"symbology": "ean-13", "data": "9506000134352"}, text="gs1").read()
        self.assertEqual(client.check_code({"data": "a"})["grade"], 4)
        self.assertEqual(len(client.check_codes({"items": [{"data": "a"}]})["results"]), 1)
        with client.render_code(content="a") as picture:
            self.assertEqual(picture.content_type, "image/png")
        client.preflight_render()
        client.check_gs_data({"value": "(01)09506000134352"})

    def test_account(self) -> None:
        client = self.client
        client.get_usage()
        client.get_usage_history(from_="2026-01-01", to="2026-02-01", interval="day", group="kind")
        client.update_own_account({"dead_link_url": "https://example.com/gone"})
        self.assertEqual(client.get_own_account()["dead_link_url"], "https://example.com/gone")
        self.assertGreater(len(client.list_dead_link_changes()["data"]), 0)
        self.assertGreater(len(list(client.iterate_dead_link_changes())), 0)
        key = client.create_key({"name": "every call", "scopes": ["render"]})
        self.assertIn(key["id"], [each["id"] for each in client.list_keys()["data"]])
        self.assertIn(key["id"], [each["id"] for each in client.iterate_keys()])
        self.assertEqual(client.update_key(key["id"], {"monthly_quota": 5})["monthly_quota"], 5)
        rotated = client.rotate_key(key["id"], {"overlap_hours": 0})
        self.assertEqual((rotated["name"], rotated["monthly_quota"]), ("every call", 5))
        client.revoke_key(rotated["id"])

    def test_folders(self) -> None:
        client = self.client
        folder = client.create_folder({"name": "Every folder"})
        client.change_folder(folder["id"], {"name": "Every folder again"})
        self.assertEqual(client.get_folder(folder["id"])["name"], "Every folder again")
        client.delete_folder(folder["id"])
        self.assertIn(folder["id"], [each["id"] for each in client.list_bin()["data"]])
        self.assertIn(folder["id"], [each["id"] for each in client.iterate_bin()])
        client.restore_folder(folder["id"])
        self.assertIn(folder["id"], [each["id"] for each in client.list_folders(search="again")["data"]])
        self.assertIn(folder["id"], [each["id"] for each in client.iterate_folders()])
        self.assertTrue(client.get_folder_archive(self.folder_id).read().startswith(b"PK"))
        with client.create_codes_sheets({"ids": self.ids, "template": "avery-l7160"}) as sheets:
            self.assertTrue(sheets.read().startswith(b"%PDF"))
        with client.create_sheets(self.folder_id, {"template": "avery-l7160"}) as sheets:
            self.assertTrue(sheets.read().startswith(b"%PDF"))
        labels: SheetsRequest = {"template": "avery-l7160", "dpi": 203}
        with client.create_sheets(self.folder_id, labels, accept="application/zpl") as sheets:
            self.assertTrue(sheets.read().startswith(b"^XA"))
        with client.get_code_image(self.ids[0]) as picture:
            checked = client.check_scan(self.folder_id, picture.read(), content_type="image/png")
        self.assertEqual([checked["read"], checked["wrong"]], [1, 0])

    def test_verifications(self) -> None:
        client, folder_id = self.client, self.folder_id
        begun = client.create_verification(folder_id)
        until(lambda: client.get_verification(folder_id, begun["id"])["state"] == "done")
        self.assertEqual(client.list_verifications(folder_id)["data"][0]["id"], begun["id"])
        self.assertEqual(next(client.iterate_verifications(folder_id))["id"], begun["id"])
        self.assertIn("jws", client.get_receipt(folder_id, begun["id"]))
        chosen = client.create_codes_verification({"ids": self.ids})
        until(lambda: client.get_codes_verification(chosen["id"])["state"] == "done")
        self.assertEqual(client.list_codes_verifications()["data"][0]["id"], chosen["id"])
        self.assertEqual(next(client.iterate_codes_verifications())["id"], chosen["id"])
        self.assertIn("jws", client.get_codes_receipt(chosen["id"]))
        with client.get_codes_receipt_file(chosen["id"]) as page:
            self.assertEqual(page.content_type, "text/html")
        self.assertGreater(len(client.get_receipt_keys()["keys"]), 0)

    def test_codes(self) -> None:
        client = self.client
        other = client.create_folder({"name": "Every code"})["id"]
        made = client.create_codes({"folderId": other, "items": [{"data": "a"}, {"data": "b"}]})
        ids = [each["id"] for each in client.list_folder_codes(made["meta"]["folder_id"])["data"]]
        client.update_code(ids[0], {"name": "A name"})
        self.assertEqual(client.get_code(ids[0])["name"], "A name")
        self.assertIn(ids[0], [each["id"] for each in client.list_codes(search="A name", sort="oldest")["data"]])
        self.assertIn(ids[0], [each["id"] for each in client.iterate_codes(folder_id=other)])
        client.set_code_design(ids[0], {"width": 222, "height": 222})
        self.assertEqual(client.get_code(ids[0])["width"], 222)
        client.get_code_image(ids[0], format="pdf").read()
        client.delete_code(ids[0])
        client.restore_code(ids[0])
        self.assertEqual(client.delete_codes({"ids": ids})["codes"], 2)
        self.assertEqual(client.restore_codes({"ids": ids})["codes"], 2)
        client.get_codes_archive({"ids": ids}, format="png,svg").read()
        self.assertEqual(client.move_codes({"ids": ids, "folder_id": self.folder_id})["codes"], 2)
        self.assertEqual(client.tag_codes({"ids": ids, "add": ["python"]})["changed"], 2)
        self.assertEqual(client.count_codes(tag="python"), {"count": 2, "is_exact": True})
        client.get_links_summary({"ids": self.ids})
        client.get_folder_links_summary(self.folder_id)

    def test_domains(self) -> None:
        client, host = self.client, "python.brand.example"
        client.create_domain({"host": host})
        client.update_domain(host, {"robots_txt": "User-agent: *"})
        self.assertEqual(client.get_domain(host)["robots_txt"], "User-agent: *")
        self.assertIn(host, [each["host"] for each in client.list_domains()["data"]])
        self.assertIn(host, [each["host"] for each in client.iterate_domains()])
        self.assertEqual(client.verify_domain(host)["state"], "pending")
        self.assertEqual(client.list_unknown_slugs(host)["requests"], 0)
        client.delete_domain(host)

    def wait_for_job(self, job: str) -> None:
        while self.client.get_link_job(job)["state"] != "done":
            time.sleep(0.1)

    def test_links(self) -> None:
        client, slug = self.client, self.slugs[0]
        client.save_code({"data": "https://example.com/saved", "dynamic": True, "tags": ["saved"]})
        self.assertEqual(len(client.list_links(tag="saved")["data"]), 1)
        self.assertEqual(len(list(client.iterate_links(tag="saved"))), 1)
        client.update_link(slug, {"destination": "https://example.com/changed"})
        self.assertEqual(client.get_link(slug)["destination"], "https://example.com/changed")
        self.assertGreater(len(client.list_link_changes(slug)["data"]), 0)
        self.assertGreater(len(list(client.iterate_link_changes(slug))), 0)
        changed = client.update_links({"slugs": self.slugs, "change": {"destination": "https://example.com/all"}})
        client.undo_links_change(changed["change_id"] or "")
        rule: Rule = {"name": "app", "when": {"country": ["DE"]}, "destination": "https://example.com/app"}
        made = client.create_rule_set({
            "name": "Every rule",
            "rules": [rule],
        })
        rules = made["id"]
        client.update_rule_set(rules, {"name": "Every rule again"})
        self.assertEqual(client.get_rule_set(rules)["links"], 0)
        self.assertIn(rules, [each["id"] for each in client.list_rule_sets()["data"]])
        self.assertIn(rules, [each["id"] for each in client.iterate_rule_sets()])
        self.assertEqual(len(client.list_rule_set_changes(rules)["data"]), 2)
        self.assertEqual(len(list(client.iterate_rule_set_changes(rules))), 2)
        client.delete_rule_set(rules)
        self.assertEqual(client.explain_link(slug, {"country": "DE"})["outcome"], "none")
        followed = client.follow_link(slug)
        self.assertEqual((followed.status, followed.headers["location"]), (302, "https://example.com/changed"))
        row = '{"slug": "%s", "destination": "https://example.com/job"}\n' % slug
        job = client.create_link_job(row.encode(), content_type="application/x-ndjson")["id"]
        self.wait_for_job(job)
        self.assertIn(job, [each["id"] for each in client.list_link_jobs()["data"]])
        self.assertIn(job, [each["id"] for each in client.iterate_link_jobs()])
        self.assertEqual(client.list_link_job_faults(job).read(), b"")
        client.cancel_link_job(job)
        self.wait_for_job(client.undo_link_job(job)["id"])
        client.delete_link_job(job)
        self.assertIn(slug.encode(), client.export_links(format="csv").read())
        moved = b'{"slug": "moved-here", "destination": "https://example.com/moved"}\n'
        client.create_link_import(moved, content_type="application/x-ndjson")
        client.draw_code(self.ids[0], {})
        put = client.put_code_by_external_id("own/1", {"data": "https://example.com/", "dynamic": True})
        self.assertEqual(client.get_code_by_external_id("own/1")["id"], put["id"])
        self.assertEqual(client.get_link_scans(slug, interval="day")["slug"], slug)
        client.get_scans(time_zone="Europe/Berlin")
        self.assertIn("links", client.get_scan_breakdowns())
        self.assertIn("text/csv", str(client.export_scans(by="country").content_type))
        self.assertEqual(client.list_raw_scans(slug=slug, format="ndjson").content_type, "application/x-ndjson")

    def test_resolver(self) -> None:
        client = self.client
        link: NewItemLink = {"rel": "gs1:pip", "href": "https://example.com/juice", "title": "Juice"}
        other: NewItemLink = {"rel": "gs1:pip", "href": "https://example.com/juice", "title": "Apple juice"}
        item = client.create_item({"key": "(01)09521321000018", "links": [link]})
        self.assertEqual(client.get_item(item["id"])["key"], "(01)09521321000018")
        self.assertEqual([each["id"] for each in client.list_items(key="09521321000018")["data"]], [item["id"]])
        self.assertEqual([each["id"] for each in client.iterate_items()], [item["id"]])
        client.update_item(item["id"], {"links": [other]})
        changed = client.update_items({"ids": [item["id"]], "change": {"set": [link]}})
        self.assertEqual(client.undo_items_change(changed["change_id"] or "")["changed"], 1)
        self.assertEqual(len(client.list_item_changes(item["id"])["data"]), 4)
        self.assertEqual(len(list(client.iterate_item_changes(item["id"]))), 4)
        self.assertEqual(client.get_item_scans(item["id"])["totals"]["people"], 0)
        with client.export_items() as table:
            rows = table.read()
        self.assertEqual(client.import_items(rows, dry_run=True)["changed"], 0)
        client.delete_item(item["id"])

    def test_presets(self) -> None:
        client = self.client
        preset = client.create_preset({"name": "Every preset", "options": {"width": 300, "height": 300}})
        client.update_preset(preset["id"], {"name": "Every preset again"})
        self.assertEqual(client.get_preset(preset["id"])["name"], "Every preset again")
        self.assertIn(preset["id"], [each["id"] for each in client.list_presets()["data"]])
        self.assertIn(preset["id"], [each["id"] for each in client.iterate_presets()])
        client.delete_preset(preset["id"])

    def test_print_profiles(self) -> None:
        client = self.client
        profile = client.create_print_profile({"name": "Every flyer", "options": {"format": "pdf", "width_mm": 30}})
        client.update_print_profile(profile["id"], {"name": "Every flyer again"})
        self.assertEqual(client.get_print_profile(profile["id"])["name"], "Every flyer again")
        self.assertIn(profile["id"], [each["id"] for each in client.list_print_profiles()["data"]])
        self.assertIn(profile["id"], [each["id"] for each in client.iterate_print_profiles()])
        client.delete_print_profile(profile["id"])

    def test_batches(self) -> None:
        client = self.client
        preview = client.preview_batch(b"data\na\n", content_type="text/csv", rows=1)
        self.assertEqual(preview["rows"], [["a"]])
        sent = client.create_batch(iter([b'{"data":', b'"a"}\n']), content_type="application/x-ndjson")
        assert sent.body is not None
        batch_id = sent.body["id"]
        until(lambda: client.get_batch(batch_id)["state"] == "done")
        self.assertIn(batch_id, [each["id"] for each in client.list_batches()["data"]])
        self.assertIn(batch_id, [each["id"] for each in client.iterate_batches()])
        self.assertEqual(list(client.list_batch_errors(batch_id).json_lines()), [])
        self.assertEqual(list(client.list_batch_duplicates(batch_id).json_lines()), [])
        self.assertIn("jws", client.get_batch_report(batch_id))
        with client.create_reprint(batch_id, {"rows": [1]}) as reprint:
            self.assertTrue(reprint.read().startswith(b"PK"))
        self.assertEqual(client.list_reprints(batch_id)["data"][0]["rows"], "1")
        self.assertEqual(next(client.iterate_reprints(batch_id))["codes"], 1)
        part = client.list_batch_parts(batch_id)["data"][0]
        self.assertEqual(len(client.get_batch_part(batch_id, part["n"]).read()), part["bytes"])
        self.assertEqual(client.put_counter("serial", {"next": 5})["next"], 5)
        self.assertEqual(client.take_counter_numbers("serial", {"count": 2}), {"first": 5, "last": 6})
        self.assertEqual(client.get_counter("serial"), client.list_counters()["data"][0])
        self.assertEqual([each["first"] for each in client.iterate_counter_blocks("serial")], [5])
        self.assertEqual(client.list_counter_blocks("serial")["data"][0]["last"], 6)
        begun = client.create_batch(b"", content_type="application/x-ndjson", upload_complete="?0")
        upload_id = begun.headers["location"].rpartition("/")[2]
        client.append_to_upload(
            upload_id, b'{"data":"a"}\n', content_type="application/partial-upload", upload_offset=0, upload_complete="?0"
        )
        self.assertEqual(client.get_upload(upload_id).headers["upload-offset"], "13")
        client.delete_upload(upload_id)
        rows = b"".join(b'{"data":"%d"}\n' % n for n in range(500))
        long = client.create_batch(rows, content_type="application/x-ndjson").body
        assert long is not None
        client.cancel_batch(long["id"])

    def test_webhooks(self) -> None:
        client = self.client
        webhook = client.create_webhook({"url": "http://127.0.0.1:9/", "events": ["batch.done"]})
        client.update_webhook(webhook["id"], {"events": []})
        self.assertEqual(client.get_webhook(webhook["id"])["events"], [])
        self.assertIn(webhook["id"], [each["id"] for each in client.list_webhooks()["data"]])
        self.assertIn(webhook["id"], [each["id"] for each in client.iterate_webhooks()])
        delivery = client.test_webhook(webhook["id"])
        client.redeliver_webhook(webhook["id"], delivery["id"])
        self.assertGreater(len(client.list_webhook_deliveries(webhook["id"])["data"]), 0)
        self.assertGreater(len(list(client.iterate_webhook_deliveries(webhook["id"]))), 0)
        client.redeliver_events(webhook["id"], {"since": "2026-01-01T00:00:00Z"})
        self.assertGreater(len(client.list_events(webhook_id=webhook["id"])["data"]), 0)
        self.assertIn("type", next(client.iterate_events()))
        further = client.create_webhook_secret(webhook["id"])["id"]
        self.assertEqual(len(client.list_webhook_secrets(webhook["id"])["data"]), 2)
        client.delete_webhook_secret(webhook["id"], further)
        client.delete_webhook(webhook["id"])

    def test_signed_pictures(self) -> None:
        client = self.client
        secret = client.create_signing_secret()
        signed = client.sign_url({"data": "a", "format": "png", "secret_id": secret["id"]})
        own = signed_picture_url("", secret["id"], secret["secret"], {"data": "a"})
        self.assertTrue(signed["url"].endswith(own), signed["url"])
        client.show_signed_picture(*own.split("/")[2:]).read()
        self.assertIn(secret["id"], [each["id"] for each in client.list_signing_secrets()["data"]])
        client.delete_signing_secret(secret["id"])

    def test_operation(self) -> None:
        self.assertEqual(self.client.get_liveness()["status"], "ok")
        self.assertEqual(self.client.get_readiness()["status"], "ok")
        with self.assertRaises(NotFound):
            self.client.ask_for_certificate(domain="none.brand.example")
        self.assertIn(b"# HELP", self.operator.get_metrics().read())

    def test_operator(self) -> None:
        operator = self.operator
        account = operator.create_account({"name": "Every account", "plan": "free"})
        account_id = account["id"]
        operator.update_account(account_id, {"plan": "pro"})
        operator.add_credits(account_id, {"amount": 5, "reference": "every call"})
        self.assertEqual(operator.get_account(account_id)["credits"], 5)
        self.assertIn(account_id, [each["id"] for each in operator.list_accounts(search="Every")["data"]])
        self.assertIn(account_id, [each["id"] for each in operator.iterate_accounts()])
        key = operator.create_account_key(account_id, {"name": "every call"})
        self.assertEqual([each["id"] for each in operator.list_account_keys(account_id)["data"]], [key["id"]])
        operator.update_account_key(key["id"], {"name": "every call again"})
        rotated = operator.rotate_account_key(key["id"], {"overlap_hours": 0})
        self.assertEqual(rotated["name"], "every call again")
        operator.revoke_account_key(rotated["id"])
        operator.get_account_usage_history(account_id)
        self.assertIn(b",", operator.get_usage_report().read())

    def test_dashboard(self) -> None:
        def cookie_of(path: str, body: Dict[str, str]) -> str:
            answer = self.client.request("POST", path, body=body, headers=SAME_ORIGIN)
            return answer.headers["set-cookie"].partition(";")[0]

        own = cookie_of("/dashboard/session", {"key": KEY})
        with Recorded(URL, headers={**SAME_ORIGIN, "cookie": own}) as page:
            page.sign_in({"key": KEY})
            session = page.get_session()
            assert session is not None
            self.assertIn("manage", session["scopes"])
            self.assertTrue(page.preview_code({"data": "a"}).read().startswith(b"\x89PNG"))
            self.assertEqual(page.check_design({"data": "a"})["grade"], 4)
            page.sign_out()
        with Recorded(URL, headers=SAME_ORIGIN) as page:
            self.assertIsNone(page.get_session())
        operators = cookie_of("/dashboard/operator/session", {"token": ADMIN_TOKEN})
        with Recorded(URL, headers={**SAME_ORIGIN, "cookie": operators}) as page:
            page.sign_in_operator({"token": ADMIN_TOKEN})
            self.assertIsNotNone(page.get_operator_session())
            page.sign_out_operator()

    def test_zz_all_were_made(self) -> None:
        """The tests run in the order of their names, so this one is the last."""
        paths: Dict[str, Dict[str, Any]] = self.client.get_open_api()["paths"]
        ids: List[str] = [each["operationId"] for methods in paths.values() for each in methods.values()]
        wanted = {snake(each) for each in ids} | {name for name in METHODS if name.startswith("iterate_")}
        self.assertGreater(len(wanted), 90)
        self.assertEqual(wanted - METHODS, set(), "every call has a method")
        self.assertEqual(wanted - Recorded.used, set(), "every method is used here")


if __name__ == "__main__":
    unittest.main()
