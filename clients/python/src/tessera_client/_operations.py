"""The calls of the API.

Made by `npm run clients:python` from the OpenAPI document; not for editing.
"""

from typing import Any, Iterator, Literal, Optional, Union, cast

from . import types
from ._caller import Caller
from ._download import Download
from ._message import Answer, RawBody, segment


class Operations(Caller):
    """The calls of the gateway, each as a method. Every one may raise a `TesseraError`."""

    def get_liveness(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Status:
        """Whether the process runs.

        Answers 200 while the process handles requests, whatever the state of the database and of
        Redis.

        `GET /healthz`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Status", self._json(
            "GET",
            "/healthz",
            authorized=False,
            timeout_s=timeout_s,
        ))

    def get_readiness(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Readiness:
        """Whether requests should be sent to this gateway.

        Answers 503 while the gateway shuts down, and while the disk of the embedded database is
        nearly full. An outage of Postgres or Redis does not count.

        `GET /readyz`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Readiness", self._json(
            "GET",
            "/readyz",
            authorized=False,
            timeout_s=timeout_s,
        ))

    def create_code(
        self,
        body: types.QrRequest,
        *,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.QrResponse:
        """Make one code.

        The picture is in the answer and is not stored. Costs one unit. Needs the scope `generate`.

        `POST /api/v1/qr`

        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body
        and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed:
        true`.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.QrResponse", self._json(
            "POST",
            "/api/v1/qr",
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def create_file(
        self,
        body: types.QrRequest,
        *,
        module_mm: Optional[float] = None,
        width_mm: Optional[float] = None,
        dpi: Optional[int] = None,
        quiet_zone: Optional[float] = None,
        bleed_mm: Optional[float] = None,
        color: Optional[Literal["rgb", "cmyk"]] = None,
        paper: Optional[str] = None,
        text: Optional[Literal["none", "gs1"]] = None,
        till: Optional[bool] = None,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        accept: Literal["image/png", "image/svg+xml", "application/pdf", "application/postscript", "image/webp"] = "image/png",
        timeout_s: Optional[float] = None,
    ) -> Download:
        """Make one code as a file, for print optionally in millimetres.

        `Accept` selects the format; PNG by default. Costs one unit. See docs/printing.md. Needs the
        scope `generate`.

        `POST /api/v1/qr/file`

        :param module_mm: Side of a module; not with `width_mm`.
        :param width_mm: Side of the picture without its bleed.
        :param dpi: Dots per inch of PNG and WebP.
        :param quiet_zone: Modules on each side; 4 by default.
        :param bleed_mm: Background beyond each side.
        :param color: Colour space of PDF and EPS; black is K only in both.
        :param paper: Opaque colour behind translucent parts of an EPS. Absent: white.
        :param text: The text below: nothing, or the human-readable GS1 data.
        :param till: Refuses codes that tills might fail to read; sets the size.
        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body
        and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed:
        true`.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "POST",
            "/api/v1/qr/file",
            query={
                "module_mm": module_mm,
                "width_mm": width_mm,
                "dpi": dpi,
                "quiet_zone": quiet_zone,
                "bleed_mm": bleed_mm,
                "color": color,
                "paper": paper,
                "text": text,
                "till": till,
            },
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
                "idempotency-key": idempotency_key,
            },
            body=body,
            accept=accept,
            keyed=True,
            timeout_s=timeout_s,
        )

    def create_codes(
        self,
        body: types.BulkRequest,
        *,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        tessera_results: Optional[Literal["full"]] = None,
        timeout_s: Optional[float] = None,
    ) -> types.BulkResponse:
        """Make up to 100 codes and save them into a folder.

        For accounts on the Pro plan. Either all items are accepted or none; each costs one unit. A
        failed item does not fail the call, so check `success` of each. With `Tessera-Results: full`
        each result has more fields. Needs the scope `generate`.

        `POST /api/v1/qr/bulk`

        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body
        and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed:
        true`.
        :param tessera_results: Each result also has `id`, `short_url`, `name`, `grade` and
        `external_id`, each null if there is none.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BulkResponse", self._json(
            "POST",
            "/api/v1/qr/bulk",
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
                "idempotency-key": idempotency_key,
                "tessera-results": tessera_results,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def render_code(
        self,
        *,
        content: str,
        width: Optional[int] = None,
        dark: Optional[str] = None,
        light: Optional[str] = None,
        tessera_min_grade: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """One plain code as a PNG.

        Each request that reaches the service costs one unit, even when the service has the picture
        in its cache; a `304` and a `HEAD` cost nothing. Browsers and shared caches may keep a
        picture for a year, and never keep errors. Needs the scope `render`.

        `GET /api/v1/render`

        :param content: Content to encode. Any text; written as UTF-8.
        :param width: Pixels.
        :param dark: A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.
        :param light: A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.
        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            "/api/v1/render",
            query={
                "content": content,
                "width": width,
                "dark": dark,
                "light": light,
            },
            headers={"tessera-min-grade": tessera_min_grade},
            timeout_s=timeout_s,
        )

    def preflight_render(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> None:
        """A browser's preflight request (CORS).

        Browsers send it before pages of other sites call `/render`.

        `OPTIONS /api/v1/render`

        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "OPTIONS",
            "/api/v1/render",
            authorized=False,
            timeout_s=timeout_s,
        )

    def check_code(
        self,
        body: types.QrRequest,
        *,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Check:
        """Grade a code without making it; free of charge.

        Takes the same request as `POST /api/v1/qr`. Needs the scope `generate`.

        `POST /api/v1/qr/check`

        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Check", self._json(
            "POST",
            "/api/v1/qr/check",
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
            },
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def check_codes(
        self,
        body: types.BulkRequest,
        *,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.BulkCheck:
        """Grade up to 100 codes without making them; free of charge.

        Takes the same request as `POST /api/v1/qr/bulk`; no folder is made. `results` has one entry
        for each item, in order. Needs the scope `generate`.

        `POST /api/v1/qr/bulk/check`

        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BulkCheck", self._json(
            "POST",
            "/api/v1/qr/bulk/check",
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
            },
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def check_gs_data(
        self,
        body: types.Gs1Request,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Gs1Check:
        """Check GS1 data and convert it; free of charge.

        Data with faults is not an error: the call returns `valid` false. See docs/gs1.md for what
        is checked. Needs the scope `generate`.

        `POST /api/v1/gs1/check`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Gs1Check", self._json(
            "POST",
            "/api/v1/gs1/check",
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def get_usage(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Usage:
        """Plan, quota and usage of this month.

        The figures are exact at the time of the answer. For figures over time, see
        `getUsageHistory`. Needs the scope `manage`.

        `GET /api/v1/usage`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Usage", self._json(
            "GET",
            "/api/v1/usage",
            timeout_s=timeout_s,
        ))

    def get_usage_history(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        group: Optional[Literal["key", "kind"]] = None,
        timeout_s: Optional[float] = None,
    ) -> types.UsageHistory:
        """Your usage by hour, day or month, and by key or kind of call.

        Hours, days and months are in UTC, and the range is widened to whole ones. Calls of the last
        second may be missing. A call counts in the hour in which it used its units; a refund counts
        in the hour in which it was made, so a figure may be negative. Hours are kept for 90 days,
        and days as long as the operator chose: a `from` before that is refused, and `before` is the
        sum of what was used until then. Needs the scope `manage`.

        `GET /api/v1/usage/history`

        :param from_: The start. Absent: the beginning of the month of `to`. A date means its start
        in UTC.
        :param to: The end (exclusive). Absent: now. A date means its start in UTC.
        :param group: Divides each interval by API key, or by kind of call.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.UsageHistory", self._json(
            "GET",
            "/api/v1/usage/history",
            query={
                "from": from_,
                "to": to,
                "interval": interval,
                "group": group,
            },
            timeout_s=timeout_s,
        ))

    def get_own_account(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.OwnAccount:
        """Your account and its settings.

        Its name and plan, and the URL to which dead short links redirect. Needs the scope `manage`.

        `GET /api/v1/account`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.OwnAccount", self._json(
            "GET",
            "/api/v1/account",
            timeout_s=timeout_s,
        ))

    def update_own_account(
        self,
        body: types.OwnAccountPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.OwnAccount:
        """Set the URL to which dead short links redirect.

        A link is dead if it is deleted, or if it is not yet or no longer active and has no URL of
        its own for that time. Every gateway applies the change within a second. Visits to dead
        links are redirected there and are not counted, even after the link is purged from the bin.
        Without a URL, people see a page saying that the code leads nowhere. The history keeps the
        URL. Needs the scope `manage`.

        `PATCH /api/v1/account`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.OwnAccount", self._json(
            "PATCH",
            "/api/v1/account",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_dead_link_changes(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.DeadLinkChangePage:
        """The URLs to which your dead short links have redirected, current one first.

        To restore an earlier one, send it to `updateOwnAccount`. Needs the scope `manage`.

        `GET /api/v1/account/dead-link-history`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.DeadLinkChangePage", self._json(
            "GET",
            "/api/v1/account/dead-link-history",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_dead_link_changes(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.DeadLinkChange]:
        """Yields the entries of all pages of `list_dead_link_changes`. It asks for a page when that is
        needed.
        """
        return cast("Iterator[types.DeadLinkChange]", self._pages("/api/v1/account/dead-link-history", {"limit": 100}, timeout_s))

    def list_keys(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.KeyPage:
        """Your active keys, newest first.

        With what each key has used this month. Expired keys are listed until they are revoked; the
        keys themselves are never shown again. Needs the scope `manage`.

        `GET /api/v1/keys`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.KeyPage", self._json(
            "GET",
            "/api/v1/keys",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_keys(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Key]:
        """Yields the entries of all pages of `list_keys`. It asks for a page when that is needed."""
        return cast("Iterator[types.Key]", self._pages("/api/v1/keys", {"limit": 100}, timeout_s))

    def create_key(
        self,
        body: types.NewKey,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CreatedKey:
        """Make a key, which is shown only once.

        The new key cannot do more than the key that makes it, and what it uses counts for the
        limits of both. Needs the scope `manage`.

        `POST /api/v1/keys`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CreatedKey", self._json(
            "POST",
            "/api/v1/keys",
            body=body,
            timeout_s=timeout_s,
        ))

    def update_key(
        self,
        id: str,
        body: types.KeyChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Key:
        """Change the name or limits of a key; applied within a second.

        A limit cannot exceed that of the key that makes the call. Needs the scope `manage`.

        `PATCH /api/v1/keys/{id}`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Key", self._json(
            "PATCH",
            f"/api/v1/keys/{segment(id)}",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def revoke_key(
        self,
        id: str,
        *,
        with_made: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Revoke a key, even the one that makes the call; every gateway refuses it within a second.

        A revoked key cannot be used again. Sessions that were started with it and signing secrets
        that it made end. The keys that it made are kept, unless `with_made=true` revokes them too.
        Needs the scope `manage`.

        `DELETE /api/v1/keys/{id}`

        :param with_made: Whether the keys that it made, and those that they made, are revoked with
        it.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/keys/{segment(id)}",
            query={"with_made": with_made},
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        )

    def list_folders(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.FolderPage:
        """Your folders, newest first.

        Without the folders in the bin. `search` finds any part of a name, ignoring case. Needs the
        scope `manage`.

        `GET /api/v1/folders`

        :param cursor: The `next_cursor` of the previous page.
        :param search: Only folders whose names contain this text, ignoring case.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.FolderPage", self._json(
            "GET",
            "/api/v1/folders",
            query={
                "cursor": cursor,
                "limit": limit,
                "search": search,
            },
            timeout_s=timeout_s,
        ))

    def iterate_folders(
        self,
        *,
        search: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Folder]:
        """Yields the entries of all pages of `list_folders`. It asks for a page when that is needed."""
        return cast("Iterator[types.Folder]", self._pages("/api/v1/folders", {
                "search": search,
                "limit": 100,
            }, timeout_s))

    def create_folder(
        self,
        body: types.FolderName,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Folder:
        """Make a folder.

        Names are trimmed and unique in an account; a name that is taken is a 409. Needs the scope
        `manage`.

        `POST /api/v1/folders`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Folder", self._json(
            "POST",
            "/api/v1/folders",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_folder(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Folder:
        """One folder.

        Its name, its number of codes, and whether its codes are kept however old they become. Needs
        the scope `manage`.

        `GET /api/v1/folders/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Folder", self._json(
            "GET",
            f"/api/v1/folders/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def change_folder(
        self,
        id: str,
        body: types.FolderChange,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Folder:
        """Rename a folder, or keep its codes forever.

        `name` must be unique in the account. With `keep` true, retention never moves the codes of
        this folder to the bin. Needs the scope `manage`.

        `PATCH /api/v1/folders/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Folder", self._json(
            "PATCH",
            f"/api/v1/folders/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def delete_folder(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Move a folder with its codes to the bin; their short links stop working within a second.

        It can be restored for 30 days. Units are not refunded. Needs the scope `manage`.

        `DELETE /api/v1/folders/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/folders/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            keyed=True,
            timeout_s=timeout_s,
        )

    def get_folder_archive(
        self,
        id: str,
        *,
        format: Optional[str] = None,
        module_mm: Optional[float] = None,
        width_mm: Optional[float] = None,
        dpi: Optional[int] = None,
        quiet_zone: Optional[float] = None,
        bleed_mm: Optional[float] = None,
        color: Optional[Literal["rgb", "cmyk"]] = None,
        paper: Optional[str] = None,
        text: Optional[Literal["none", "gs1"]] = None,
        till: Optional[bool] = None,
        tag: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """A folder as a ZIP: the files of each code and manifest.csv.

        The archive is streamed. The manifest has index, name, content, slug, short_url, file,
        sha256, grade, warnings and error of each code. A file that can no longer be drawn is
        missing; `error` says why, and `00000-missing-files.csv` lists all such files. With several
        formats, each has its own folder, and columns are `file_png` and so on. An archive that
        cannot be completed is truncated. Needs the scope `manage`.

        `GET /api/v1/folders/{id}/archive`

        :param format: Formats, separated by commas.
        :param module_mm: Side of a module; not with `width_mm`.
        :param width_mm: Side of the picture without its bleed.
        :param dpi: Dots per inch of PNG and WebP.
        :param quiet_zone: Modules on each side; 4 by default.
        :param bleed_mm: Background beyond each side.
        :param color: Colour space of PDF and EPS; black is K only in both.
        :param paper: Opaque colour behind translucent parts of an EPS. Absent: white.
        :param text: The text below: nothing, or the human-readable GS1 data.
        :param till: Refuses codes that tills might fail to read; sets the size.
        :param tag: Only codes with this tag.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/folders/{segment(id)}/archive",
            query={
                "format": format,
                "module_mm": module_mm,
                "width_mm": width_mm,
                "dpi": dpi,
                "quiet_zone": quiet_zone,
                "bleed_mm": bleed_mm,
                "color": color,
                "paper": paper,
                "text": text,
                "till": till,
                "tag": tag,
            },
            timeout_s=timeout_s,
        )

    def create_sheets(
        self,
        id: str,
        body: types.SheetsRequest,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """A folder as printable label sheets; free of charge.

        `Tessera-Warnings` has `small-modules` if the longest code has modules below 0.33 mm. If the
        document cannot be completed, the connection is aborted. Needs the scope `manage`.

        `POST /api/v1/folders/{id}/sheets`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "POST",
            f"/api/v1/folders/{segment(id)}/sheets",
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        )

    def create_verification(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Verification:
        """Read every picture of a folder with independent readers; free of charge.

        If one is already running for the folder, it is returned. Needs the scope `manage`.

        `POST /api/v1/folders/{id}/verifications`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Verification", self._json(
            "POST",
            f"/api/v1/folders/{segment(id)}/verifications",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_verifications(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.VerificationPage:
        """Verifications of a folder, newest first.

        With the progress of each, and the counts of those that have ended. Needs the scope
        `manage`.

        `GET /api/v1/folders/{id}/verifications`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.VerificationPage", self._json(
            "GET",
            f"/api/v1/folders/{segment(id)}/verifications",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_verifications(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Verification]:
        """Yields the entries of all pages of `list_verifications`. It asks for a page when that is
        needed.
        """
        return cast("Iterator[types.Verification]", self._pages(f"/api/v1/folders/{segment(id)}/verifications", {"limit": 100}, timeout_s))

    def get_verification(
        self,
        id: str,
        vid: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Verification:
        """One verification, with its progress.

        Ask again until `state` is no longer `running`. Needs the scope `manage`.

        `GET /api/v1/folders/{id}/verifications/{vid}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Verification", self._json(
            "GET",
            f"/api/v1/folders/{segment(id)}/verifications/{segment(vid)}",
            timeout_s=timeout_s,
        ))

    def get_receipt(
        self,
        id: str,
        vid: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Receipt:
        """The signed receipt of a finished verification.

        Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt. Needs
        the scope `manage`.

        `GET /api/v1/folders/{id}/verifications/{vid}/receipt`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Receipt", self._json(
            "GET",
            f"/api/v1/folders/{segment(id)}/verifications/{segment(vid)}/receipt",
            timeout_s=timeout_s,
        ))

    def get_receipt_file(
        self,
        id: str,
        vid: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """The signed receipt of a finished verification.

        Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt. Needs
        the scope `manage`.

        `GET /api/v1/folders/{id}/verifications/{vid}/receipt`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/folders/{segment(id)}/verifications/{segment(vid)}/receipt",
            accept="text/html",
            timeout_s=timeout_s,
        )

    def create_codes_verification(
        self,
        body: types.ChosenCodes,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Verification:
        """Read the pictures of codes with independent readers; free of charge.

        If one is already running for the same codes, it is returned. Needs the scope `manage`.

        `POST /api/v1/code-verifications`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Verification", self._json(
            "POST",
            "/api/v1/code-verifications",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_codes_verifications(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.VerificationPage:
        """Verifications of chosen codes, newest first.

        Verifications of whole folders are listed with their folders. Needs the scope `manage`.

        `GET /api/v1/code-verifications`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.VerificationPage", self._json(
            "GET",
            "/api/v1/code-verifications",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_codes_verifications(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Verification]:
        """Yields the entries of all pages of `list_codes_verifications`. It asks for a page when that
        is needed.
        """
        return cast("Iterator[types.Verification]", self._pages("/api/v1/code-verifications", {"limit": 100}, timeout_s))

    def get_codes_verification(
        self,
        vid: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Verification:
        """One verification of chosen codes, with its progress.

        Ask again until `state` is no longer `running`. Needs the scope `manage`.

        `GET /api/v1/code-verifications/{vid}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Verification", self._json(
            "GET",
            f"/api/v1/code-verifications/{segment(vid)}",
            timeout_s=timeout_s,
        ))

    def get_codes_receipt(
        self,
        vid: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Receipt:
        """The signed receipt of a finished verification.

        Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt. Needs
        the scope `manage`.

        `GET /api/v1/code-verifications/{vid}/receipt`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Receipt", self._json(
            "GET",
            f"/api/v1/code-verifications/{segment(vid)}/receipt",
            timeout_s=timeout_s,
        ))

    def get_codes_receipt_file(
        self,
        vid: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """The signed receipt of a finished verification.

        Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt. Needs
        the scope `manage`.

        `GET /api/v1/code-verifications/{vid}/receipt`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/code-verifications/{segment(vid)}/receipt",
            accept="text/html",
            timeout_s=timeout_s,
        )

    def list_folder_codes(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CodePage:
        """The codes of a folder, oldest first.

        In the order in which they were made, without the codes in the bin. Needs the scope
        `manage`.

        `GET /api/v1/folders/{id}/codes`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodePage", self._json(
            "GET",
            f"/api/v1/folders/{segment(id)}/codes",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_folder_codes(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Code]:
        """Yields the entries of all pages of `list_folder_codes`. It asks for a page when that is
        needed.
        """
        return cast("Iterator[types.Code]", self._pages(f"/api/v1/folders/{segment(id)}/codes", {"limit": 100}, timeout_s))

    def list_codes(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        sort: Optional[Literal["newest", "oldest", "name", "scans"]] = None,
        folder_id: Optional[str] = None,
        tag: Optional[str] = None,
        external_id: Optional[str] = None,
        max_grade: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CodeInFolderPage:
        """Your codes, in the order that you choose.

        With `search` or `tag`, or sorted by name or scans, a page may be short or empty even if
        `next_cursor` is not null: its time ran out, and the next page continues there. An account
        runs one such call at a time; a few more are queued. Needs the scope `manage`.

        `GET /api/v1/codes`

        :param cursor: The `next_cursor` of the previous page, in the same order.
        :param search: Only codes whose content, name, own slugs or present destination includes
        this text, in upper or lower case.
        :param sort: `name`: A to Z, and then the codes without a name. `scans`: by people since the
        creation of the link, and then the codes without scans.
        :param folder_id: Only those of this folder.
        :param tag: Only those with this tag.
        :param external_id: Only those with this id of your own.
        :param max_grade: Only codes of this grade or lower.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodeInFolderPage", self._json(
            "GET",
            "/api/v1/codes",
            query={
                "cursor": cursor,
                "limit": limit,
                "search": search,
                "sort": sort,
                "folder_id": folder_id,
                "tag": tag,
                "external_id": external_id,
                "max_grade": max_grade,
            },
            timeout_s=timeout_s,
        ))

    def iterate_codes(
        self,
        *,
        search: Optional[str] = None,
        sort: Optional[Literal["newest", "oldest", "name", "scans"]] = None,
        folder_id: Optional[str] = None,
        tag: Optional[str] = None,
        external_id: Optional[str] = None,
        max_grade: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.CodeInFolder]:
        """Yields the entries of all pages of `list_codes`. It asks for a page when that is needed."""
        return cast("Iterator[types.CodeInFolder]", self._pages("/api/v1/codes", {
                "search": search,
                "sort": sort,
                "folder_id": folder_id,
                "tag": tag,
                "external_id": external_id,
                "max_grade": max_grade,
                "limit": 100,
            }, timeout_s))

    def save_code(
        self,
        body: types.CodeRequest,
        *,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CodeWithDesign:
        """Make one code and save it.

        Takes the fields of `POST /api/v1/qr`, and those saved with the picture. Costs one unit.
        Returns the code or, if `Accept` prefers a picture format, the picture, with the code in
        `Location`. A replay returns the code in its current state; `Accept` and `Prefer` may
        differ. Needs the scope `generate`.

        `POST /api/v1/codes`

        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body
        and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed:
        true`.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodeWithDesign", self._json(
            "POST",
            "/api/v1/codes",
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_code(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CodeWithDesign:
        """One code with its design.

        `design` has the options that reproduce the picture, including defaults. Its `image` is the
        stored logo, unless that is too long for a request. Needs the scope `manage`.

        `GET /api/v1/codes/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodeWithDesign", self._json(
            "GET",
            f"/api/v1/codes/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def update_code(
        self,
        id: str,
        body: types.CodePatch,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CodeInFolder:
        """Name and label a code, or move it to another folder.

        Fields that are left out stay as they are. `tags` replaces all tags; `null` removes a name
        or an `external_id`. The picture and the content do not change. Needs the scope `manage`.

        `PATCH /api/v1/codes/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodeInFolder", self._json(
            "PATCH",
            f"/api/v1/codes/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def delete_code(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Move a code to the bin; its short link stops working within a second.

        It can be restored for 30 days. Units are not refunded. Needs the scope `manage`.

        `DELETE /api/v1/codes/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/codes/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            keyed=True,
            timeout_s=timeout_s,
        )

    def move_codes(
        self,
        body: types.MoveCodes,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.MovedCodes:
        """Move codes to another folder.

        Takes up to 1,000 codes, by their ids or by a tag, all or none. Needs the scope `manage`.

        `POST /api/v1/codes/move`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.MovedCodes", self._json(
            "POST",
            "/api/v1/codes/move",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def delete_codes(
        self,
        body: types.ChosenCodes,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ChangedCodes:
        """Move codes to the bin; their short links stop working within a second.

        Takes up to 1,000 codes, by their ids or by a tag, all or none. They can be restored for 30
        days. Needs the scope `manage`.

        `POST /api/v1/codes/delete`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ChangedCodes", self._json(
            "POST",
            "/api/v1/codes/delete",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def restore_codes(
        self,
        body: types.ChosenIds,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ChangedCodes:
        """Restore codes; their short links work again within a second.

        Works like restoring one code. Codes outside the bin are left unchanged. Needs the scope
        `manage`.

        `POST /api/v1/codes/restore`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ChangedCodes", self._json(
            "POST",
            "/api/v1/codes/restore",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_codes_archive(
        self,
        body: types.ChosenCodes,
        *,
        format: Optional[str] = None,
        module_mm: Optional[float] = None,
        width_mm: Optional[float] = None,
        dpi: Optional[int] = None,
        quiet_zone: Optional[float] = None,
        bleed_mm: Optional[float] = None,
        color: Optional[Literal["rgb", "cmyk"]] = None,
        paper: Optional[str] = None,
        text: Optional[Literal["none", "gs1"]] = None,
        till: Optional[bool] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """Codes as a ZIP, like that of a folder.

        In the order in which the codes were made. Needs the scope `manage`.

        `POST /api/v1/codes/archive`

        :param format: Formats, separated by commas.
        :param module_mm: Side of a module; not with `width_mm`.
        :param width_mm: Side of the picture without its bleed.
        :param dpi: Dots per inch of PNG and WebP.
        :param quiet_zone: Modules on each side; 4 by default.
        :param bleed_mm: Background beyond each side.
        :param color: Colour space of PDF and EPS; black is K only in both.
        :param paper: Opaque colour behind translucent parts of an EPS. Absent: white.
        :param text: The text below: nothing, or the human-readable GS1 data.
        :param till: Refuses codes that tills might fail to read; sets the size.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "POST",
            "/api/v1/codes/archive",
            query={
                "format": format,
                "module_mm": module_mm,
                "width_mm": width_mm,
                "dpi": dpi,
                "quiet_zone": quiet_zone,
                "bleed_mm": bleed_mm,
                "color": color,
                "paper": paper,
                "text": text,
                "till": till,
            },
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        )

    def get_folder_links_summary(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.LinksSummary:
        """The short links of a folder: how many work, and their scans in the last 30 days.

        What a deletion would stop. Scans by people, bots and previews are counted apart. Needs the
        scope `manage`.

        `GET /api/v1/folders/{id}/links-summary`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.LinksSummary", self._json(
            "GET",
            f"/api/v1/folders/{segment(id)}/links-summary",
            timeout_s=timeout_s,
        ))

    def get_links_summary(
        self,
        body: types.ChosenCodes,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.LinksSummary:
        """The short links of codes: how many work, and their scans in the last 30 days.

        Takes up to 1,000 codes, by their ids or by a tag. Scans by people, bots and previews are
        counted apart. Needs the scope `manage`.

        `POST /api/v1/codes/links-summary`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.LinksSummary", self._json(
            "POST",
            "/api/v1/codes/links-summary",
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def set_code_design(
        self,
        id: str,
        body: types.PictureOptions,
        *,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CodeWithDesign:
        """Draw a saved code in another design.

        The body takes the options that `GET /codes/{id}` returns as `design`. The id, content and
        short link do not change. Free of charge; grading counts as free work. Needs the scope
        `manage`.

        `PUT /api/v1/codes/{id}/design`

        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodeWithDesign", self._json(
            "PUT",
            f"/api/v1/codes/{segment(id)}/design",
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_code_image(
        self,
        id: str,
        *,
        format: Optional[Literal["png", "svg", "pdf", "eps", "webp"]] = None,
        width: Optional[int] = None,
        module_mm: Optional[float] = None,
        width_mm: Optional[float] = None,
        dpi: Optional[int] = None,
        quiet_zone: Optional[float] = None,
        bleed_mm: Optional[float] = None,
        color: Optional[Literal["rgb", "cmyk"]] = None,
        paper: Optional[str] = None,
        text: Optional[Literal["none", "gs1"]] = None,
        till: Optional[bool] = None,
        v: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """The picture of a code, drawn again from the saved design; free of charge.

        At the saved width the PNG has the same bytes as the first one. Drawing counts as free work
        of the account; a `304` does not. Needs the scope `manage`.

        `GET /api/v1/codes/{id}/image`

        :param width: Pixels; absent: the saved width. Height and margins in pixels are scaled with
        it. Not with a size in millimetres.
        :param module_mm: Side of a module; not with `width_mm`.
        :param width_mm: Side of the picture without its bleed.
        :param dpi: Dots per inch of PNG and WebP.
        :param quiet_zone: Modules on each side; 4 by default.
        :param bleed_mm: Background beyond each side.
        :param color: Colour space of PDF and EPS; black is K only in both.
        :param paper: Opaque colour behind translucent parts of an EPS. Absent: white.
        :param text: The text below: nothing, or the human-readable GS1 data.
        :param till: Refuses codes that tills might fail to read; sets the size.
        :param v: Any value. A new one makes browsers show a changed picture in an open page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/codes/{segment(id)}/image",
            query={
                "format": format,
                "width": width,
                "module_mm": module_mm,
                "width_mm": width_mm,
                "dpi": dpi,
                "quiet_zone": quiet_zone,
                "bleed_mm": bleed_mm,
                "color": color,
                "paper": paper,
                "text": text,
                "till": till,
                "v": v,
            },
            timeout_s=timeout_s,
        )

    def list_links(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        sort: Optional[Literal["newest", "oldest", "name", "scans"]] = None,
        folder_id: Optional[str] = None,
        tag: Optional[str] = None,
        external_id: Optional[str] = None,
        status: Optional[Literal["active", "scheduled", "expired"]] = None,
        timeout_s: Optional[float] = None,
    ) -> types.LinkPage:
        """Your short links, in the order that you choose.

        With `search`, `tag` or `status`, or sorted by name or scans, a page may be short or empty
        even if `next_cursor` is not null, as in the list of codes. Needs the scope `manage`.

        `GET /api/v1/links`

        :param cursor: The `next_cursor` of the previous page, in the same order.
        :param search: Only links that this text is a part of: of the content or name of the code,
        an own slug or the present destination, in upper or lower case.
        :param sort: `name`: A to Z, and then the codes without a name. `scans`: by people since the
        creation of the link, and then the codes without scans.
        :param folder_id: Only those of this folder.
        :param tag: Only those with this tag.
        :param external_id: Only those with this id of your own.
        :param status: Only links that lead to their destination now (`active`), later (`scheduled`)
        or no longer (`expired`).
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.LinkPage", self._json(
            "GET",
            "/api/v1/links",
            query={
                "cursor": cursor,
                "limit": limit,
                "search": search,
                "sort": sort,
                "folder_id": folder_id,
                "tag": tag,
                "external_id": external_id,
                "status": status,
            },
            timeout_s=timeout_s,
        ))

    def iterate_links(
        self,
        *,
        search: Optional[str] = None,
        sort: Optional[Literal["newest", "oldest", "name", "scans"]] = None,
        folder_id: Optional[str] = None,
        tag: Optional[str] = None,
        external_id: Optional[str] = None,
        status: Optional[Literal["active", "scheduled", "expired"]] = None,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Link]:
        """Yields the entries of all pages of `list_links`. It asks for a page when that is needed."""
        return cast("Iterator[types.Link]", self._pages("/api/v1/links", {
                "search": search,
                "sort": sort,
                "folder_id": folder_id,
                "tag": tag,
                "external_id": external_id,
                "status": status,
                "limit": 100,
            }, timeout_s))

    def update_links(
        self,
        body: types.ManyLinksPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ManyLinksChanged:
        """Change where and when many short links lead, all or none.

        Every gateway applies it within a second. The change is in the history of each link; slugs
        do not change. Needs the scope `manage`.

        `PATCH /api/v1/links`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ManyLinksChanged", self._json(
            "PATCH",
            "/api/v1/links",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_link(
        self,
        slug: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Link:
        """One short link.

        Any slug that the link has had finds it. The answer has the current one. Needs the scope
        `manage`.

        `GET /api/v1/links/{slug}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Link", self._json(
            "GET",
            f"/api/v1/links/{segment(slug)}",
            timeout_s=timeout_s,
        ))

    def update_link(
        self,
        slug: str,
        body: types.LinkPatch,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Link:
        """Change where and when a short link leads, its slug, and the labels of its code.

        Every gateway applies it within a second. The history keeps the change; to undo it, send the
        earlier fields. A new slug changes the picture of the code, and possibly its grade; prints
        with an earlier slug keep working. Needs the scope `manage`.

        `PATCH /api/v1/links/{slug}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Link", self._json(
            "PATCH",
            f"/api/v1/links/{segment(slug)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_link_changes(
        self,
        slug: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.LinkChangePage:
        """The destinations that a short link has had, with its times and slugs, current one first.

        Each entry has all fields as they were then, when they were set, and by which key. To go
        back to one, send its fields to `updateLink`. Needs the scope `manage`.

        `GET /api/v1/links/{slug}/history`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.LinkChangePage", self._json(
            "GET",
            f"/api/v1/links/{segment(slug)}/history",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_link_changes(
        self,
        slug: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.LinkChange]:
        """Yields the entries of all pages of `list_link_changes`. It asks for a page when that is
        needed.
        """
        return cast("Iterator[types.LinkChange]", self._pages(f"/api/v1/links/{segment(slug)}/history", {"limit": 100}, timeout_s))

    def undo_links_change(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ManyLinksChanged:
        """Undo a bulk change: each link leads where it led before.

        Later changes are overwritten. Links that were deleted since are left out. The undo is
        itself a change, so it can be undone. A change whose history is no longer kept whole is a
        404. Needs the scope `manage`.

        `POST /api/v1/links/changes/{id}/undo`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ManyLinksChanged", self._json(
            "POST",
            f"/api/v1/links/changes/{segment(id)}/undo",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_link_scans(
        self,
        slug: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        time_zone: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.LinkScans:
        """The scans of a short link, over time and broken down.

        The range is widened to whole intervals. `people` are the scans; bots and previews (a chat
        app that shows a card, a browser that preloads) are counted separately. A scan is counted
        within a second or two. Needs the scope `manage`.

        `GET /api/v1/links/{slug}/scans`

        :param from_: The start. Absent: 2 days, 30 days or a year before `to`, depending on
        `interval`. A date means its start in the time zone.
        :param to: The end (exclusive). Absent: now. A date means its start in the time zone.
        :param time_zone: The IANA time zone of the days and months.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.LinkScans", self._json(
            "GET",
            f"/api/v1/links/{segment(slug)}/scans",
            query={
                "from": from_,
                "to": to,
                "interval": interval,
                "time_zone": time_zone,
            },
            timeout_s=timeout_s,
        ))

    def get_scans(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        time_zone: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.AccountScans:
        """The scans of all your short links together.

        Counted as in `getLinkScans`, with those of links that were deleted since. Needs the scope
        `manage`.

        `GET /api/v1/scans`

        :param from_: The start. Absent: 2 days, 30 days or a year before `to`, depending on
        `interval`. A date means its start in the time zone.
        :param to: The end (exclusive). Absent: now. A date means its start in the time zone.
        :param time_zone: The IANA time zone of the days and months.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.AccountScans", self._json(
            "GET",
            "/api/v1/scans",
            query={
                "from": from_,
                "to": to,
                "interval": interval,
                "time_zone": time_zone,
            },
            timeout_s=timeout_s,
        ))

    def list_raw_scans(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        slug: Optional[str] = None,
        format: Optional[Literal["ndjson", "csv"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """Individual scans as NDJSON or CSV, oldest first, for as long as they are kept.

        Without `format`, `Accept` decides. For the next page, send `Tessera-Next-Cursor` as
        `cursor`; the last page has none. A page that has one may still be short or empty, because
        the work per page is limited; the next page continues there. Only the first page of CSV has
        a header row, so pages can be joined. Scans of deleted links are left out. An account runs
        one such call at a time; a few more are queued. Needs the scope `manage`.

        `GET /api/v1/scans/raw`

        :param from_: The start. Absent: 30 days before `to`. A date means its start in UTC.
        :param to: The end (exclusive). Absent: now. A date means its start in UTC.
        :param slug: Only scans of this short link, by any of its slugs.
        :param format: Absent: `Accept` decides.
        :param cursor: The `Tessera-Next-Cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            "/api/v1/scans/raw",
            query={
                "from": from_,
                "to": to,
                "slug": slug,
                "format": format,
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        )

    def list_items(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ItemPage:
        """Your items, in the order of their keys.

        With `key`, only the items whose key begins with it. Needs the scope `manage`.

        `GET /api/v1/resolver/items`

        :param cursor: The `next_cursor` of the previous page.
        :param key: Only items whose key is this or starts with it: an element string, a URI, or a
        GTIN or SSCC alone.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ItemPage", self._json(
            "GET",
            "/api/v1/resolver/items",
            query={
                "cursor": cursor,
                "limit": limit,
                "key": key,
            },
            timeout_s=timeout_s,
        ))

    def iterate_items(
        self,
        *,
        key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Item]:
        """Yields the entries of all pages of `list_items`. It asks for a page when that is needed."""
        return cast("Iterator[types.Item]", self._pages("/api/v1/resolver/items", {
                "key": key,
                "limit": 100,
            }, timeout_s))

    def create_item(
        self,
        body: types.NewItem,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Item:
        """Make an item: what an identifier leads to.

        The account that makes the first item of a primary key owns that key while it has items for
        it. Needs the scope `manage`.

        `POST /api/v1/resolver/items`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Item", self._json(
            "POST",
            "/api/v1/resolver/items",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def update_items(
        self,
        body: types.ManyItemsPatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ManyItemsChanged:
        """Change links of many items, all or none.

        Every gateway applies it within a second. The change is in the history of each item. Needs
        the scope `manage`.

        `PATCH /api/v1/resolver/items`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ManyItemsChanged", self._json(
            "PATCH",
            "/api/v1/resolver/items",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_item(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Item:
        """One item.

        Its links, and how often it was scanned. Needs the scope `manage`.

        `GET /api/v1/resolver/items/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Item", self._json(
            "GET",
            f"/api/v1/resolver/items/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def update_item(
        self,
        id: str,
        body: types.ItemPatch,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Item:
        """Replace the links of an item.

        Every gateway applies it within a second. The history keeps the change; to undo it, send the
        earlier links. Needs the scope `manage`.

        `PATCH /api/v1/resolver/items/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Item", self._json(
            "PATCH",
            f"/api/v1/resolver/items/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def delete_item(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Delete an item with its history and scans.

        It cannot be restored, and its scans cannot be read any more; they are removed from the
        database within hours. A 409 if other items of its primary key use its default link. Needs
        the scope `manage`.

        `DELETE /api/v1/resolver/items/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/resolver/items/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            keyed=True,
            timeout_s=timeout_s,
        )

    def undo_items_change(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ManyItemsChanged:
        """Undo a bulk change: give each item the links that it had before.

        Later changes are overwritten. Items that the change made, or that were deleted since, are
        left out. The undo is itself a change, so it can be undone. A change whose history is no
        longer kept whole is a 404. Needs the scope `manage`.

        `POST /api/v1/resolver/changes/{id}/undo`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ManyItemsChanged", self._json(
            "POST",
            f"/api/v1/resolver/changes/{segment(id)}/undo",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_item_changes(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ItemChangePage:
        """The links that an item has had, current ones first.

        Each entry says when the links were set, and by which key. Needs the scope `manage`.

        `GET /api/v1/resolver/items/{id}/history`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ItemChangePage", self._json(
            "GET",
            f"/api/v1/resolver/items/{segment(id)}/history",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_item_changes(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.ItemChange]:
        """Yields the entries of all pages of `list_item_changes`. It asks for a page when that is
        needed.
        """
        return cast("Iterator[types.ItemChange]", self._pages(f"/api/v1/resolver/items/{segment(id)}/history", {"limit": 100}, timeout_s))

    def get_item_scans(
        self,
        id: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        time_zone: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.LinkScans:
        """The scans of an item, as for a short link.

        The range is widened to whole intervals. `people` are the scans; bots and previews (a chat
        app that shows a card, a browser that preloads) are counted separately. A scan is counted
        within a second or two. A scan counts for the most specific item of the URI. `slug` is the
        name under which scans are kept. Needs the scope `manage`.

        `GET /api/v1/resolver/items/{id}/scans`

        :param from_: The start. Absent: 2 days, 30 days or a year before `to`, depending on
        `interval`. A date means its start in the time zone.
        :param to: The end (exclusive). Absent: now. A date means its start in the time zone.
        :param time_zone: The IANA time zone of the days and months.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.LinkScans", self._json(
            "GET",
            f"/api/v1/resolver/items/{segment(id)}/scans",
            query={
                "from": from_,
                "to": to,
                "interval": interval,
                "time_zone": time_zone,
            },
            timeout_s=timeout_s,
        ))

    def import_items(
        self,
        body: RawBody,
        *,
        content_type: Literal["text/csv"] = "text/csv",
        dry_run: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.ItemsImported:
        """Make and change items from a CSV file of up to 10000 rows, all or none.

        Each row is a link: key, rel, href, title, hreflang, type, context, default, of which key,
        rel, href and title are required. Columns such as gtin, lot, serial, gln and sscc can
        replace key. hreflang and context take up to 20 words each. The rows of an item replace all
        its links; other items do not change. Up to ten faults are reported. Needs the scope
        `manage`.

        `POST /api/v1/resolver/items/import`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.ItemsImported", self._json(
            "POST",
            "/api/v1/resolver/items/import",
            query={"dry_run": dry_run},
            headers={"idempotency-key": idempotency_key},
            raw=body,
            content_type=content_type,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def export_items(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """All your items as CSV, in the format of an import.

        The columns are key, rel, href, title, hreflang, type, context, default. If the file cannot
        be completed, the connection is aborted. Needs the scope `manage`.

        `GET /api/v1/resolver/items.csv`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            "/api/v1/resolver/items.csv",
            timeout_s=timeout_s,
        )

    def list_presets(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.PresetPage:
        """Your presets, newest first.

        `options` have no `image` here; only the call for one preset returns it. Needs the scope
        `manage`.

        `GET /api/v1/presets`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.PresetPage", self._json(
            "GET",
            "/api/v1/presets",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_presets(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Preset]:
        """Yields the entries of all pages of `list_presets`. It asks for a page when that is needed."""
        return cast("Iterator[types.Preset]", self._pages("/api/v1/presets", {"limit": 100}, timeout_s))

    def create_preset(
        self,
        body: types.NewPreset,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Preset:
        """Save a design under a name; at most 200 per account.

        `options` are optional fields of `QrRequest`. A logo given by URL is fetched now and stored.
        Needs the scope `manage`.

        `POST /api/v1/presets`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Preset", self._json(
            "POST",
            "/api/v1/presets",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def get_preset(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Preset:
        """A preset with its logo.

        The list of presets leaves the logo out. Needs the scope `manage`.

        `GET /api/v1/presets/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Preset", self._json(
            "GET",
            f"/api/v1/presets/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def update_preset(
        self,
        id: str,
        body: types.PresetChange,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Preset:
        """Change a preset; its options are replaced as a whole.

        Fields that are left out stay as they are; `options` replaces all options. Every gateway
        uses the change within a second, for new pictures only. Needs the scope `manage`.

        `PATCH /api/v1/presets/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Preset", self._json(
            "PATCH",
            f"/api/v1/presets/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def delete_preset(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Delete a preset; codes made with it do not change.

        Calls that name it are then refused. It cannot be restored. Needs the scope `manage`.

        `DELETE /api/v1/presets/{id}`

        :param if_match: The `etag` that you last read. If it is outdated, nothing is changed: 412.
        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/presets/{segment(id)}",
            headers={
                "if-match": if_match,
                "idempotency-key": idempotency_key,
            },
            keyed=True,
            timeout_s=timeout_s,
        )

    def list_bin(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.BinItemPage:
        """Deleted folders and codes that you can restore, latest first.

        Deleted things are kept for 30 days. Codes that were deleted with their folder are restored
        with it and not listed. Needs the scope `manage`.

        `GET /api/v1/bin`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BinItemPage", self._json(
            "GET",
            "/api/v1/bin",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_bin(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.BinItem]:
        """Yields the entries of all pages of `list_bin`. It asks for a page when that is needed."""
        return cast("Iterator[types.BinItem]", self._pages("/api/v1/bin", {"limit": 100}, timeout_s))

    def restore_folder(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Folder:
        """Restore a folder with its codes; their short links work again within a second.

        If its name is now taken, it becomes `<name> (restored)` or `<name> (restored 2)` and so on.
        A folder outside the bin is left unchanged. Needs the scope `manage`.

        `POST /api/v1/folders/{id}/restore`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Folder", self._json(
            "POST",
            f"/api/v1/folders/{segment(id)}/restore",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def restore_code(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CodeInFolder:
        """Restore a code; its short link works again within a second.

        If its folder is in the bin, the code moves to your folder of the same name, which is made
        if there is none. A code outside the bin is left unchanged. Needs the scope `manage`.

        `POST /api/v1/codes/{id}/restore`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CodeInFolder", self._json(
            "POST",
            f"/api/v1/codes/{segment(id)}/restore",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def create_batch(
        self,
        body: Optional[RawBody] = None,
        *,
        content_type: Literal["multipart/form-data", "application/x-ndjson", "text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
        folder_id: Optional[str] = None,
        folder_name: Optional[str] = None,
        formats: Optional[str] = None,
        preset: Optional[str] = None,
        webhook: Optional[str] = None,
        on_error: Optional[Literal["skip", "stop"]] = None,
        duplicates: Optional[Literal["refuse-keys", "refuse", "report"]] = None,
        unique: Optional[str] = None,
        columns: Optional[str] = None,
        other_columns: Optional[Literal["refuse", "skip"]] = None,
        expires_in: Optional[int] = None,
        tessera_min_grade: Optional[int] = None,
        tessera_repair: Optional[Literal["true"]] = None,
        tessera_preset: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        content_encoding: Optional[Literal["gzip", "identity"]] = None,
        design: Optional[str] = None,
        upload_complete: Optional[Literal["?0", "?1"]] = None,
        timeout_s: Optional[float] = None,
    ) -> Answer[Optional[types.Batch]]:
        """Make up to a million codes in a background job.

        The body is NDJSON, or CSV or XLSX with a header row, at most 2 GB (XLSX: 32 MiB),
        optionally as gzip, or as multipart/form-data with the parts `design` and `rows`. A row has
        the fields of a bulk item, plus `external_id` and `name`. Without a body, `Upload-Complete:
        ?0` starts an upload in chunks. All rows are checked before anything is charged, and either
        all or none are accepted. See docs/api/batches.md. Needs the scope `generate`.

        `POST /api/v1/batches`

        :param folder_id: One of your folders.
        :param folder_name: A folder of this name is made or reused. If this and `folder_id` are
        absent: `Bulk Import` and the date.
        :param formats: Formats of each code, separated by commas: `png`, `svg`, `pdf`, `eps`,
        `webp`. A code always costs one unit.
        :param preset: Id or name of a preset, or `default`, as in `Tessera-Preset`.
        :param webhook: Id of a webhook to notify when it ends.
        :param on_error: Whether a row that fails while codes are made ends the batch.
        :param duplicates: What to do about rows that repeat an earlier one. `refuse-keys`: the same
        GS1 key of a single thing, or the same value in the column `unique`, is an error; the same
        content is reported. `refuse`: each is an error. `report`: none is.
        :param unique: A field whose values must be unique, and that every row must have: `data`,
        `external_id`, `name`, `file`, `slug`, a GS1 column, or a column that a template names.
        :param columns: Maps fields to columns of CSV or XLSX, as JSON: `{"data": "Web address",
        "name": "Title", "width": null}`; `null`: no column.
        :param other_columns: What to do with columns that match no field.
        :param expires_in: Seconds within which it must end, and for which its results are then
        kept.
        :param tessera_min_grade: Refuses pictures of a lower grade, free of charge.
        :param tessera_repair: Makes the least change that gives grade 4, or `Tessera-Min-Grade`.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param idempotency_key: As in other calls, but valid for as long as the batch is listed.
        :param design: `BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a
        row.
        :param upload_complete: `?0`, without a body: starts an upload in chunks.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("Answer[Optional[types.Batch]]", self._answer(
            "POST",
            "/api/v1/batches",
            query={
                "folder_id": folder_id,
                "folder_name": folder_name,
                "formats": formats,
                "preset": preset,
                "webhook": webhook,
                "on_error": on_error,
                "duplicates": duplicates,
                "unique": unique,
                "columns": columns,
                "other_columns": other_columns,
                "expires_in": expires_in,
            },
            headers={
                "tessera-min-grade": tessera_min_grade,
                "tessera-repair": tessera_repair,
                "tessera-preset": tessera_preset,
                "idempotency-key": idempotency_key,
                "content-encoding": content_encoding,
                "design": design,
                "upload-complete": upload_complete,
            },
            raw=body,
            content_type=content_type,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_batches(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.BatchPage:
        """Your batches, newest first.

        Each as `getBatch` shows it. Needs the scope `generate`.

        `GET /api/v1/batches`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BatchPage", self._json(
            "GET",
            "/api/v1/batches",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_batches(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Batch]:
        """Yields the entries of all pages of `list_batches`. It asks for a page when that is needed."""
        return cast("Iterator[types.Batch]", self._pages("/api/v1/batches", {"limit": 100}, timeout_s))

    def preview_batch(
        self,
        body: RawBody,
        *,
        content_type: Literal["text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
        rows: Optional[int] = None,
        columns: Optional[str] = None,
        other_columns: Optional[Literal["refuse", "skip"]] = None,
        duplicates: Optional[Literal["refuse-keys", "refuse", "report"]] = None,
        unique: Optional[str] = None,
        tessera_preset: Optional[str] = None,
        design: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.BatchPreview:
        """The columns and first rows of a file, and the field of each column; free of charge.

        The body is XLSX, or CSV, of which the beginning (at most 8 MiB) is enough. Needs the scope
        `generate`.

        `POST /api/v1/batches/preview`

        :param columns: Maps fields to columns of CSV or XLSX, as JSON: `{"data": "Web address",
        "name": "Title", "width": null}`; `null`: no column.
        :param other_columns: What to do with columns that match no field.
        :param duplicates: What to do about rows that repeat an earlier one. `refuse-keys`: the same
        GS1 key of a single thing, or the same value in the column `unique`, is an error; the same
        content is reported. `refuse`: each is an error. `report`: none is.
        :param unique: A field whose values must be unique, and that every row must have: `data`,
        `external_id`, `name`, `file`, `slug`, a GS1 column, or a column that a template names.
        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param design: `BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a
        row.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BatchPreview", self._json(
            "POST",
            "/api/v1/batches/preview",
            query={
                "rows": rows,
                "columns": columns,
                "other_columns": other_columns,
                "duplicates": duplicates,
                "unique": unique,
            },
            headers={
                "tessera-preset": tessera_preset,
                "design": design,
            },
            raw=body,
            content_type=content_type,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def get_upload(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Answer[None]:
        """The progress of an upload; usually requested with HEAD.

        `Upload-Offset` says where the next chunk begins, `Upload-Complete` whether the upload has
        become a batch. Needs the scope `generate`.

        `GET /api/v1/batch-uploads/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("Answer[None]", self._answer(
            "GET",
            f"/api/v1/batch-uploads/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def append_to_upload(
        self,
        id: str,
        body: Optional[RawBody] = None,
        *,
        content_type: Literal["application/partial-upload"] = "application/partial-upload",
        upload_offset: int,
        upload_complete: Optional[Literal["?0", "?1"]] = None,
        content_digest: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Answer[Optional[types.Batch]]:
        """Append a chunk of at most 8 MiB; the last one makes the batch.

        `Upload-Offset` must be the number of bytes that are stored. A chunk is stored whole or not
        at all. With `Upload-Complete: ?1` the batch is made from all chunks, and the body may be
        empty. Costs one unit for each row, held when the batch is queued. Needs the scope
        `generate`.

        `PATCH /api/v1/batch-uploads/{id}`

        :param upload_offset: Where the chunk begins.
        :param upload_complete: `?1`: it is the last chunk; it may be empty.
        :param content_digest: `sha-256` of the chunk (RFC 9530), checked before it is stored.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("Answer[Optional[types.Batch]]", self._answer(
            "PATCH",
            f"/api/v1/batch-uploads/{segment(id)}",
            headers={
                "upload-offset": upload_offset,
                "upload-complete": upload_complete,
                "content-digest": content_digest,
            },
            raw=body,
            content_type=content_type,
            timeout_s=timeout_s,
        ))

    def delete_upload(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Cancel an upload; if it has become a batch, the batch is kept.

        Its chunks are removed. Needs the scope `generate`.

        `DELETE /api/v1/batch-uploads/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/batch-uploads/{segment(id)}",
            timeout_s=timeout_s,
        )

    def get_batch(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Batch:
        """A batch, with its progress.

        Ask again until `state` is `done`, `failed`, `cancelled` or `expired`, or let a webhook tell
        you. Needs the scope `generate`.

        `GET /api/v1/batches/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Batch", self._json(
            "GET",
            f"/api/v1/batches/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def cancel_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Batch:
        """End a batch after the pieces in progress.

        Codes already made are kept and charged; the other units are refunded. A batch that has
        ended is left unchanged. Needs the scope `generate`.

        `POST /api/v1/batches/{id}/cancel`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Batch", self._json(
            "POST",
            f"/api/v1/batches/{segment(id)}/cancel",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_batch_errors(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """The rows of a batch with faults, as NDJSON; at most about 10,000.

        Each line has row (from 1), file_row (its row in the file), external_id, field and message.
        If the check before the start finds any, the batch fails and costs nothing. Rows that fail
        later, while codes are made, are listed too. Needs the scope `generate`.

        `GET /api/v1/batches/{id}/errors`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/batches/{segment(id)}/errors",
            timeout_s=timeout_s,
        )

    def list_batch_duplicates(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """The rows of a batch that repeat an earlier one, as NDJSON.

        Each line has row, file_row, external_id, first_row, first_file_row and kind: value, gs1-key
        or content. At most 10,000 are listed; the batch has their number. Needs the scope
        `generate`.

        `GET /api/v1/batches/{id}/duplicates`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/batches/{segment(id)}/duplicates",
            timeout_s=timeout_s,
        )

    def get_batch_report(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.BatchReport:
        """The signed report of a batch that has ended: counts, settings, and the SHA-256 of each part.

        A 404 until the batch has ended. `tessera receipt verify` checks the signature. Needs the
        scope `generate`.

        `GET /api/v1/batches/{id}/report`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BatchReport", self._json(
            "GET",
            f"/api/v1/batches/{segment(id)}/report",
            timeout_s=timeout_s,
        ))

    def list_batch_parts(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.BatchPartList:
        """The parts of a batch made so far; each has up to 50,000 rows.

        A part can be downloaded as soon as it is listed. Needs the scope `generate`.

        `GET /api/v1/batches/{id}/parts`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.BatchPartList", self._json(
            "GET",
            f"/api/v1/batches/{segment(id)}/parts",
            timeout_s=timeout_s,
        ))

    def get_batch_part(
        self,
        id: str,
        n: int,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """A part as a ZIP with manifest.csv.

        The manifest has row, file_row, external_id, name, content, slug, short_url, file, sha256,
        grade and warnings of each file. `Range` requests a range of bytes. Needs the scope
        `generate`.

        `GET /api/v1/batches/{id}/parts/{n}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/api/v1/batches/{segment(id)}/parts/{segment(n)}",
            timeout_s=timeout_s,
        )

    def list_counters(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CounterList:
        """Your counters, by name.

        Templates of batches name them. The list has all of them. Needs the scope `generate`.

        `GET /api/v1/counters`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CounterList", self._json(
            "GET",
            "/api/v1/counters",
            timeout_s=timeout_s,
        ))

    def get_counter(
        self,
        name: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Counter:
        """A counter, with its next number.

        A counter gives each number once, to the rows of batches or to `takeCounterNumbers`. Needs
        the scope `generate`.

        `GET /api/v1/counters/{name}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Counter", self._json(
            "GET",
            f"/api/v1/counters/{segment(name)}",
            timeout_s=timeout_s,
        ))

    def put_counter(
        self,
        name: str,
        body: types.CounterRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Counter:
        """Make a counter, or raise its next number.

        A number is never given twice, so a counter cannot be lowered or deleted. Needs the scope
        `generate`.

        `PUT /api/v1/counters/{name}`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Counter", self._json(
            "PUT",
            f"/api/v1/counters/{segment(name)}",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_counter_blocks(
        self,
        name: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CounterBlockPage:
        """The blocks of numbers that a counter gave, newest first.

        Each block is that of one batch, or was taken by `takeCounterNumbers`. Needs the scope
        `generate`.

        `GET /api/v1/counters/{name}/blocks`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CounterBlockPage", self._json(
            "GET",
            f"/api/v1/counters/{segment(name)}/blocks",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_counter_blocks(
        self,
        name: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.CounterBlock]:
        """Yields the entries of all pages of `list_counter_blocks`. It asks for a page when that is
        needed.
        """
        return cast("Iterator[types.CounterBlock]", self._pages(f"/api/v1/counters/{segment(name)}/blocks", {"limit": 100}, timeout_s))

    def take_counter_numbers(
        self,
        name: str,
        body: types.CounterTake,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.CounterNumbers:
        """Take a block of numbers to print elsewhere.

        No batch gets these numbers afterwards. They cannot be given back. Needs the scope
        `generate`.

        `POST /api/v1/counters/{name}/take`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CounterNumbers", self._json(
            "POST",
            f"/api/v1/counters/{segment(name)}/take",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_events(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        type: Optional[Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired", "code.created", "link.changed", "link.first_scan", "scan", "key.created", "quota.low", "webhook.test"]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        webhook_id: Optional[str] = None,
        delivered: Optional[bool] = None,
        timeout_s: Optional[float] = None,
    ) -> types.EventPage:
        """The events of 30 days with their deliveries, newest first.

        A page that has a `next_cursor` may be short or empty, because the work per page is limited;
        the next page continues there. Needs the scope `manage`.

        `GET /api/v1/events`

        :param cursor: The `next_cursor` of the previous page.
        :param since: The first time. A date means its start in UTC.
        :param until: The last time, not included. A date means its start in UTC.
        :param webhook_id: Only events that are sent to this webhook.
        :param delivered: `true`: only events that every webhook to which they are sent has
        received; `false`: the others, also those that are sent to none. With `webhook_id` that
        webhook alone decides.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.EventPage", self._json(
            "GET",
            "/api/v1/events",
            query={
                "cursor": cursor,
                "limit": limit,
                "type": type,
                "since": since,
                "until": until,
                "webhook_id": webhook_id,
                "delivered": delivered,
            },
            timeout_s=timeout_s,
        ))

    def iterate_events(
        self,
        *,
        type: Optional[Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired", "code.created", "link.changed", "link.first_scan", "scan", "key.created", "quota.low", "webhook.test"]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        webhook_id: Optional[str] = None,
        delivered: Optional[bool] = None,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Event]:
        """Yields the entries of all pages of `list_events`. It asks for a page when that is needed."""
        return cast("Iterator[types.Event]", self._pages("/api/v1/events", {
                "type": type,
                "since": since,
                "until": until,
                "webhook_id": webhook_id,
                "delivered": delivered,
                "limit": 100,
            }, timeout_s))

    def list_webhooks(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.WebhookPage:
        """Your webhooks, newest first.

        Without their secrets. Needs the scope `manage`.

        `GET /api/v1/webhooks`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.WebhookPage", self._json(
            "GET",
            "/api/v1/webhooks",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_webhooks(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.Webhook]:
        """Yields the entries of all pages of `list_webhooks`. It asks for a page when that is needed."""
        return cast("Iterator[types.Webhook]", self._pages("/api/v1/webhooks", {"limit": 100}, timeout_s))

    def create_webhook(
        self,
        body: types.NewWebhook,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CreatedWebhook:
        """Make a webhook that receives events; its secret is shown only once.

        Deliveries follow Standard Webhooks. See docs/api/webhooks.md. Needs the scope `manage`.

        `POST /api/v1/webhooks`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CreatedWebhook", self._json(
            "POST",
            "/api/v1/webhooks",
            body=body,
            timeout_s=timeout_s,
        ))

    def get_webhook(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Webhook:
        """A webhook.

        Its URL, its events and its state, without its secrets. Needs the scope `manage`.

        `GET /api/v1/webhooks/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Webhook", self._json(
            "GET",
            f"/api/v1/webhooks/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def delete_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Delete a webhook with its deliveries.

        Nothing is sent to it any more, and it cannot be restored. Needs the scope `manage`.

        `DELETE /api/v1/webhooks/{id}`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/webhooks/{segment(id)}",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        )

    def update_webhook(
        self,
        id: str,
        body: types.WebhookChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Webhook:
        """Change a webhook, or turn it off and on; waiting deliveries are then tried at once.

        `state` may be set to `on` or `off`. A webhook that is off gets no events. Needs the scope
        `manage`.

        `PATCH /api/v1/webhooks/{id}`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Webhook", self._json(
            "PATCH",
            f"/api/v1/webhooks/{segment(id)}",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def list_webhook_secrets(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.WebhookSecretPage:
        """The secrets of a webhook, without their values, newest first.

        There are at most two. Needs the scope `manage`.

        `GET /api/v1/webhooks/{id}/secrets`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.WebhookSecretPage", self._json(
            "GET",
            f"/api/v1/webhooks/{segment(id)}/secrets",
            timeout_s=timeout_s,
        ))

    def create_webhook_secret(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CreatedWebhookSecret:
        """Make another secret, which is shown only once; at most 2 at a time.

        Deliveries then have one signature per secret, separated by spaces. Needs the scope
        `manage`.

        `POST /api/v1/webhooks/{id}/secrets`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CreatedWebhookSecret", self._json(
            "POST",
            f"/api/v1/webhooks/{segment(id)}/secrets",
            timeout_s=timeout_s,
        ))

    def delete_webhook_secret(
        self,
        id: str,
        secret: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Delete a secret of a webhook; later deliveries are not signed with it.

        The only secret cannot be deleted; make another one first. Needs the scope `manage`.

        `DELETE /api/v1/webhooks/{id}/secrets/{secret}`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/webhooks/{segment(id)}/secrets/{segment(secret)}",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        )

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout_s: Optional[float] = None,
    ) -> types.WebhookDeliveryPage:
        """The last deliveries of a webhook with their answers, newest first.

        Each shows the attempts, and the status, duration and first 1,000 bytes of the last answer.
        Needs the scope `manage`.

        `GET /api/v1/webhooks/{id}/deliveries`

        :param cursor: The `next_cursor` of the previous page.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.WebhookDeliveryPage", self._json(
            "GET",
            f"/api/v1/webhooks/{segment(id)}/deliveries",
            query={
                "cursor": cursor,
                "limit": limit,
            },
            timeout_s=timeout_s,
        ))

    def iterate_webhook_deliveries(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.WebhookDelivery]:
        """Yields the entries of all pages of `list_webhook_deliveries`. It asks for a page when that
        is needed.
        """
        return cast("Iterator[types.WebhookDelivery]", self._pages(f"/api/v1/webhooks/{segment(id)}/deliveries", {"limit": 100}, timeout_s))

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.WebhookDelivery:
        """Send the event `webhook.test`, or return the one that is still waiting.

        Only for a webhook that is on. The delivery is tried at once and retried like any other.
        Needs the scope `manage`.

        `POST /api/v1/webhooks/{id}/test`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.WebhookDelivery", self._json(
            "POST",
            f"/api/v1/webhooks/{segment(id)}/test",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def redeliver_events(
        self,
        id: str,
        body: types.NewRedeliveries,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Redeliveries:
        """Send the events of a span again, and those that were never sent, the oldest first.

        Each keeps its `webhook-id`. A call looks at 10000 events; the answer says where the next
        call continues. Needs the scope `manage`.

        `POST /api/v1/webhooks/{id}/redeliveries`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Redeliveries", self._json(
            "POST",
            f"/api/v1/webhooks/{segment(id)}/redeliveries",
            headers={"idempotency-key": idempotency_key},
            body=body,
            keyed=True,
            timeout_s=timeout_s,
        ))

    def redeliver_webhook(
        self,
        id: str,
        delivery: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.WebhookDelivery:
        """Send a delivery again, with the same `webhook-id`.

        Only for a webhook that is on. The receiver can tell by the id that it has had the event
        before. Needs the scope `manage`.

        `POST /api/v1/webhooks/{id}/deliveries/{delivery}/redeliver`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.WebhookDelivery", self._json(
            "POST",
            f"/api/v1/webhooks/{segment(id)}/deliveries/{segment(delivery)}/redeliver",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        ))

    def sign_url(
        self,
        body: types.SignedUrlRequest,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.SignedUrl:
        """Sign the URL of a picture without drawing it; free of charge.

        Requires either `data` or `code`. Your own server can sign without this call. Needs the
        scope `manage`.

        `POST /api/v1/signed-urls`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.SignedUrl", self._json(
            "POST",
            "/api/v1/signed-urls",
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def list_signing_secrets(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.SigningSecretPage:
        """Your signing secrets, newest first.

        Without their values. Needs the scope `manage`.

        `GET /api/v1/signing-secrets`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.SigningSecretPage", self._json(
            "GET",
            "/api/v1/signing-secrets",
            timeout_s=timeout_s,
        ))

    def create_signing_secret(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CreatedSigningSecret:
        """Make a signing secret, which is shown only once; at most 2 at a time.

        Your own server signs the URLs of pictures with it, without any call. It works at once. Its
        pictures count for the limits of the key that makes it, and it ends with that key. Needs the
        scope `manage`.

        `POST /api/v1/signing-secrets`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CreatedSigningSecret", self._json(
            "POST",
            "/api/v1/signing-secrets",
            timeout_s=timeout_s,
        ))

    def delete_signing_secret(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Delete a signing secret; every gateway refuses its URLs within a second.

        It cannot be restored, and pictures signed with it are no longer shown. Needs the scope
        `manage`.

        `DELETE /api/v1/signing-secrets/{id}`

        :param idempotency_key: 1 to 255 visible ASCII characters. For 24 hours the same key, body,
        `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed:
        true`, and change nothing.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/api/v1/signing-secrets/{segment(id)}",
            headers={"idempotency-key": idempotency_key},
            keyed=True,
            timeout_s=timeout_s,
        )

    def follow_link(
        self,
        slug: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> Answer[None]:
        """Follow the short link of a dynamic code; a visit by a person counts as a scan.

        Redirects with a 302 that is never cached, so that a change takes effect at once. Earlier
        slugs of a link work too. A `HEAD` is not counted.

        `GET /l/{slug}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("Answer[None]", self._answer(
            "GET",
            f"/l/{segment(slug)}",
            redirects=True,
            authorized=False,
            timeout_s=timeout_s,
        ))

    def show_signed_picture(
        self,
        signature: str,
        picture: str,
        *,
        accept: Literal["image/png", "image/svg+xml"] = "image/png",
        timeout_s: Optional[float] = None,
    ) -> Download:
        """A picture by its signed URL.

        Costs one unit per month in which it is drawn, however often it is shown. The parameters are
        those of `SignedUrlRequest`, as JSON in base64url.

        `GET /i/{signature}/{picture}`

        :param signature: HMAC-SHA-256 of `picture` in base64url.
        :param picture: `<secret id>.<parameters>.png` or `.svg`.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            f"/i/{segment(signature)}/{segment(picture)}",
            accept=accept,
            authorized=False,
            timeout_s=timeout_s,
        )

    def get_receipt_keys(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.KeySet:
        """The public key that verifies receipts.

        A JWK set with the key that also signs the reports of batches.

        `GET /.well-known/tessera-receipts`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.KeySet", self._json(
            "GET",
            "/.well-known/tessera-receipts",
            authorized=False,
            timeout_s=timeout_s,
        ))

    def sign_in(
        self,
        body: types.SignIn,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Session:
        """Sign in with an API key; only from our own pages.

        The key must have the scope `manage`. Sets a cookie that scripts cannot read; the session
        ends with its key.

        `POST /dashboard/session`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Session", self._json(
            "POST",
            "/dashboard/session",
            body=body,
            authorized=False,
            timeout_s=timeout_s,
        ))

    def get_session(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Optional[types.Session]:
        """Who is signed in; 204 when nobody is.

        The account and the scopes of the session.

        `GET /dashboard/session`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("Optional[types.Session]", self._json(
            "GET",
            "/dashboard/session",
            timeout_s=timeout_s,
        ))

    def sign_out(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Sign out.

        Ends the session, and removes its cookie even if nobody is signed in.

        `DELETE /dashboard/session`

        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            "/dashboard/session",
            timeout_s=timeout_s,
        )

    def sign_in_operator(
        self,
        body: types.OperatorSignIn,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.OperatorSession:
        """Sign in with the admin token; only from our own pages.

        Sets a cookie that scripts cannot read.

        `POST /dashboard/operator/session`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.OperatorSession", self._json(
            "POST",
            "/dashboard/operator/session",
            body=body,
            authorized=False,
            timeout_s=timeout_s,
        ))

    def get_operator_session(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Optional[types.OperatorSession]:
        """When the session of the operator ends; 204 when there is none.

        The page of the operator asks it first.

        `GET /dashboard/operator/session`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("Optional[types.OperatorSession]", self._json(
            "GET",
            "/dashboard/operator/session",
            timeout_s=timeout_s,
        ))

    def sign_out_operator(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Sign out as the operator.

        Ends the session, and removes its cookie even if nobody is signed in.

        `DELETE /dashboard/operator/session`

        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            "/dashboard/operator/session",
            timeout_s=timeout_s,
        )

    def preview_code(
        self,
        body: types.QrRequest,
        *,
        tessera_preset: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """Draw a small preview of a design, free of charge.

        The longer side has at most 240 pixels. The headers `tessera-*` describe the picture at its
        full size. Needs the scope `manage`.

        `POST /dashboard/preview`

        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "POST",
            "/dashboard/preview",
            headers={"tessera-preset": tessera_preset},
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        )

    def check_design(
        self,
        body: types.QrRequest,
        *,
        tessera_preset: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.Check:
        """Grade a design and its repair, free of charge.

        Like `POST /api/v1/qr/check` with `Tessera-Repair: true`. Needs the scope `manage`.

        `POST /dashboard/check`

        :param tessera_preset: Id or name of a preset, or `default` for the default one. Fields in
        the body override those of the preset.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Check", self._json(
            "POST",
            "/dashboard/check",
            headers={"tessera-preset": tessera_preset},
            body=body,
            repeatable=True,
            timeout_s=timeout_s,
        ))

    def create_account(
        self,
        body: types.NewAccount,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Account:
        """Make an account.

        Without `monthly_quota` it has the quota of its plan.

        `POST /admin/v1/accounts`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Account", self._json(
            "POST",
            "/admin/v1/accounts",
            body=body,
            timeout_s=timeout_s,
        ))

    def list_accounts(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        search: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> types.AccountWithUsagePage:
        """All accounts, oldest first.

        With the usage of the month of each.

        `GET /admin/v1/accounts`

        :param cursor: The `next_cursor` of the previous page.
        :param search: Only the account with this id, or accounts whose names contain this text.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.AccountWithUsagePage", self._json(
            "GET",
            "/admin/v1/accounts",
            query={
                "cursor": cursor,
                "limit": limit,
                "search": search,
            },
            timeout_s=timeout_s,
        ))

    def iterate_accounts(
        self,
        *,
        search: Optional[str] = None,
        timeout_s: Optional[float] = None,
    ) -> Iterator[types.AccountWithUsage]:
        """Yields the entries of all pages of `list_accounts`. It asks for a page when that is needed."""
        return cast("Iterator[types.AccountWithUsage]", self._pages("/admin/v1/accounts", {
                "search": search,
                "limit": 100,
            }, timeout_s))

    def get_account(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.AccountWithUsage:
        """One account with its usage.

        Units used this month, units left, and credits.

        `GET /admin/v1/accounts/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.AccountWithUsage", self._json(
            "GET",
            f"/admin/v1/accounts/{segment(id)}",
            timeout_s=timeout_s,
        ))

    def update_account(
        self,
        id: str,
        body: types.AccountPatch,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.AccountWithUsage:
        """Change the plan, quota, name or dead-link URL; applied within a second.

        Fields that are left out stay as they are. `monthly_quota` may be `null`, for that of the
        plan.

        `PATCH /admin/v1/accounts/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.AccountWithUsage", self._json(
            "PATCH",
            f"/admin/v1/accounts/{segment(id)}",
            body=body,
            timeout_s=timeout_s,
        ))

    def add_credits(
        self,
        id: str,
        body: types.Grant,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.AccountWithUsage:
        """Add credits; a repeated reference adds nothing.

        With a `reference`, a repeated call is safe; the same reference with another amount is a
        422.

        `POST /admin/v1/accounts/{id}/credits`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.AccountWithUsage", self._json(
            "POST",
            f"/admin/v1/accounts/{segment(id)}/credits",
            body=body,
            timeout_s=timeout_s,
        ))

    def create_account_key(
        self,
        id: str,
        body: types.NewKey,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.CreatedKey:
        """Make a key, which is shown only once.

        It has all scopes, unless `scopes` names some.

        `POST /admin/v1/accounts/{id}/keys`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.CreatedKey", self._json(
            "POST",
            f"/admin/v1/accounts/{segment(id)}/keys",
            body=body,
            timeout_s=timeout_s,
        ))

    def list_account_keys(
        self,
        id: str,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Keys:
        """The active keys of an account, newest first, at most a thousand.

        With what each key has used this month. Expired keys are listed until they are revoked.

        `GET /admin/v1/accounts/{id}/keys`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Keys", self._json(
            "GET",
            f"/admin/v1/accounts/{segment(id)}/keys",
            timeout_s=timeout_s,
        ))

    def update_account_key(
        self,
        id: str,
        body: types.KeyChange,
        *,
        timeout_s: Optional[float] = None,
    ) -> types.Key:
        """Change the name or limits of a key; applied within a second.

        Fields that are left out stay as they are; `null` removes a limit.

        `PATCH /admin/v1/keys/{id}`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.Key", self._json(
            "PATCH",
            f"/admin/v1/keys/{segment(id)}",
            body=body,
            timeout_s=timeout_s,
        ))

    def revoke_account_key(
        self,
        id: str,
        *,
        with_made: Optional[bool] = None,
        timeout_s: Optional[float] = None,
    ) -> None:
        """Revoke a key; every gateway refuses it within a second.

        A revoked key cannot be used again. Sessions that were started with it and signing secrets
        that it made end. The keys that it made are kept, unless `with_made=true` revokes them too.

        `DELETE /admin/v1/keys/{id}`

        :param with_made: Whether the keys that it made, and those that they made, are revoked with
        it.
        :param timeout_s: Overrides the timeout of the client.
        """
        self._nothing(
            "DELETE",
            f"/admin/v1/keys/{segment(id)}",
            query={"with_made": with_made},
            timeout_s=timeout_s,
        )

    def get_account_usage_history(
        self,
        id: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        group: Optional[Literal["key", "kind"]] = None,
        timeout_s: Optional[float] = None,
    ) -> types.UsageHistory:
        """Usage of an account by hour, day or month, and by key or kind of call.

        Figures are counted as in `getUsageHistory`.

        `GET /admin/v1/accounts/{id}/usage`

        :param from_: The start. Absent: the beginning of the month of `to`. A date means its start
        in UTC.
        :param to: The end (exclusive). Absent: now. A date means its start in UTC.
        :param group: Divides each interval by API key, or by kind of call.
        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("types.UsageHistory", self._json(
            "GET",
            f"/admin/v1/accounts/{segment(id)}/usage",
            query={
                "from": from_,
                "to": to,
                "interval": interval,
                "group": group,
            },
            timeout_s=timeout_s,
        ))

    def get_usage_report(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        interval: Optional[Literal["hour", "day", "month"]] = None,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """Usage of all accounts by hour, day or month, as CSV.

        The columns are account_id, name, plan, from, calls, units, monthly, credits, refunded,
        refunded_late. There is a row for each account and interval with usage, the oldest account
        first. `plan` is the current one. Figures are counted as in `getUsageHistory`, and a `from`
        before usage is kept is refused. The report is streamed; if it cannot be completed, the
        connection is aborted.

        `GET /admin/v1/usage`

        :param from_: The start. Absent: the beginning of the month of `to`. A date means its start
        in UTC.
        :param to: The end (exclusive). Absent: now. A date means its start in UTC.
        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            "/admin/v1/usage",
            query={
                "from": from_,
                "to": to,
                "interval": interval,
            },
            timeout_s=timeout_s,
        )

    def get_metrics(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> Download:
        """Metrics for Prometheus.

        In the text format of Prometheus. docs/metrics.md lists them.

        `GET /metrics`

        :param timeout_s: Overrides the timeout of the client.
        """
        return self._download(
            "GET",
            "/metrics",
            timeout_s=timeout_s,
        )

    def get_open_api(
        self,
        *,
        timeout_s: Optional[float] = None,
    ) -> dict[str, Any]:
        """This document.

        Every call with all its fields, made from the schemas that validate them.

        `GET /openapi.json`

        :param timeout_s: Overrides the timeout of the client.
        """
        return cast("dict[str, Any]", self._json(
            "GET",
            "/openapi.json",
            authorized=False,
            timeout_s=timeout_s,
        ))
