/** Made by `npm run clients` from the OpenAPI document; not for editing. */

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description Answers 200 while the process handles requests, whatever the state of the database and of Redis.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests should be sent to this gateway
         * @description Answers 503 while the gateway shuts down, and while the disk of the embedded database is nearly full. An outage of Postgres or Redis does not count.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one code
         * @description The picture is in the answer and is not stored. Costs one unit. Needs the scope `generate`.
         */
        post: operations["createCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/qr/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one code as a file, for print optionally in millimetres
         * @description `Accept` selects the format; PNG by default. Costs one unit. See docs/printing.md. Needs the scope `generate`.
         */
        post: operations["createFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/qr/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make up to 100 codes and save them into a folder
         * @description For accounts on the Pro plan. Either all items are accepted or none; each costs one unit. A failed item does not fail the call, so check `success` of each. With `Tessera-Results: full` each result has more fields. Needs the scope `generate`.
         */
        post: operations["createCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One plain code as a PNG
         * @description Each request that reaches the service costs one unit, even when the service has the picture in its cache; a `304` and a `HEAD` cost nothing. Browsers and shared caches may keep a picture for a year, and never keep errors. Needs the scope `render`.
         */
        get: operations["renderCode"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * A browser's preflight request (CORS)
         * @description Browsers send it before pages of other sites call `/render`.
         */
        options: operations["preflightRender"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/qr/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grade a code without making it; free of charge
         * @description Takes the same request as `POST /api/v1/qr`. Needs the scope `generate`.
         */
        post: operations["checkCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/qr/bulk/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grade up to 100 codes without making them; free of charge
         * @description Takes the same request as `POST /api/v1/qr/bulk`; no folder is made. `results` has one entry for each item, in order. Needs the scope `generate`.
         */
        post: operations["checkCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gs1/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check GS1 data and convert it; free of charge
         * @description Data with faults is not an error: the call returns `valid` false. See docs/gs1.md for what is checked. Needs the scope `generate`.
         */
        post: operations["checkGsData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Plan, quota and usage of this month
         * @description The figures are exact at the time of the answer. For figures over time, see `getUsageHistory`. Needs the scope `manage`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your usage by hour, day or month, and by key or kind of call
         * @description Hours, days and months are in UTC, and the range is widened to whole ones. Calls of the last second may be missing. A call counts in the hour in which it used its units; a refund counts in the hour in which it was made, so a figure may be negative. Hours are kept for 90 days, and days as long as the operator chose: a `from` before that is refused, and `before` is the sum of what was used until then. Needs the scope `manage`.
         */
        get: operations["getUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your account and its settings
         * @description Its name and plan, and the URL to which dead short links redirect. Needs the scope `manage`.
         */
        get: operations["getOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the URL to which dead short links redirect
         * @description A link is dead if it is deleted, or if it is not yet or no longer active and has no URL of its own for that time. Every gateway applies the change within a second. Visits to dead links are redirected there and are not counted, even after the link is purged from the bin. Without a URL, people see a page saying that the code leads nowhere. The history keeps the URL. Needs the scope `manage`.
         */
        patch: operations["updateOwnAccount"];
        trace?: never;
    };
    "/api/v1/account/dead-link-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The URLs to which your dead short links have redirected, current one first
         * @description To restore an earlier one, send it to `updateOwnAccount`. Needs the scope `manage`.
         */
        get: operations["listDeadLinkChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your active keys, newest first
         * @description With what each key has used this month. Expired keys are listed until they are revoked; the keys themselves are never shown again. Needs the scope `manage`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make a key, which is shown only once
         * @description The new key cannot do more than the key that makes it, and what it uses counts for the limits of both. Needs the scope `manage`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key, even the one that makes the call; every gateway refuses it within a second
         * @description A revoked key cannot be used again. Sessions that were started with it and signing secrets that it made end. The keys that it made are kept, unless `with_made=true` revokes them too. Needs the scope `manage`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change the name or limits of a key; applied within a second
         * @description A limit cannot exceed that of the key that makes the call. Needs the scope `manage`.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/api/v1/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your folders, newest first
         * @description Without the folders in the bin. `search` finds any part of a name, ignoring case. Needs the scope `manage`.
         */
        get: operations["listFolders"];
        put?: never;
        /**
         * Make a folder
         * @description Names are trimmed and unique in an account; a name that is taken is a 409. Needs the scope `manage`.
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One folder
         * @description Its name, its number of codes, and whether its codes are kept however old they become. Needs the scope `manage`.
         */
        get: operations["getFolder"];
        put?: never;
        post?: never;
        /**
         * Move a folder with its codes to the bin; their short links stop working within a second
         * @description It can be restored for 30 days. Units are not refunded. Needs the scope `manage`.
         */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        /**
         * Rename a folder, or keep its codes forever
         * @description `name` must be unique in the account. With `keep` true, retention never moves the codes of this folder to the bin. Needs the scope `manage`.
         */
        patch: operations["changeFolder"];
        trace?: never;
    };
    "/api/v1/folders/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A folder as a ZIP: the files of each code and manifest.csv
         * @description The archive is streamed. The manifest has index, name, content, slug, short_url, file, sha256, grade, warnings and error of each code. A file that can no longer be drawn is missing; `error` says why, and `00000-missing-files.csv` lists all such files. With several formats, each has its own folder, and columns are `file_png` and so on. An archive that cannot be completed is truncated. Needs the scope `manage`.
         */
        get: operations["getFolderArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/sheets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A folder as printable label sheets; free of charge
         * @description `Tessera-Warnings` has `small-modules` if the longest code has modules below 0.33 mm. If the document cannot be completed, the connection is aborted. Needs the scope `manage`.
         */
        post: operations["createSheets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verifications of a folder, newest first
         * @description With the progress of each, and the counts of those that have ended. Needs the scope `manage`.
         */
        get: operations["listVerifications"];
        put?: never;
        /**
         * Read every picture of a folder with independent readers; free of charge
         * @description If one is already running for the folder, it is returned. Needs the scope `manage`.
         */
        post: operations["createVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/verifications/{vid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One verification, with its progress
         * @description Ask again until `state` is no longer `running`. Needs the scope `manage`.
         */
        get: operations["getVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/verifications/{vid}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed receipt of a finished verification
         * @description Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt. Needs the scope `manage`.
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verifications of chosen codes, newest first
         * @description Verifications of whole folders are listed with their folders. Needs the scope `manage`.
         */
        get: operations["listCodesVerifications"];
        put?: never;
        /**
         * Read the pictures of codes with independent readers; free of charge
         * @description If one is already running for the same codes, it is returned. Needs the scope `manage`.
         */
        post: operations["createCodesVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-verifications/{vid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One verification of chosen codes, with its progress
         * @description Ask again until `state` is no longer `running`. Needs the scope `manage`.
         */
        get: operations["getCodesVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/code-verifications/{vid}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed receipt of a finished verification
         * @description Without `format`, `Accept` decides. docs/receipts.md explains how to check a receipt. Needs the scope `manage`.
         */
        get: operations["getCodesReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The codes of a folder, oldest first
         * @description In the order in which they were made, without the codes in the bin. Needs the scope `manage`.
         */
        get: operations["listFolderCodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your codes, in the order that you choose
         * @description With `search` or `tag`, or sorted by name or scans, a page may be short or empty even if `next_cursor` is not null: its time ran out, and the next page continues there. An account runs one such call at a time; a few more are queued. Needs the scope `manage`.
         */
        get: operations["listCodes"];
        put?: never;
        /**
         * Make one code and save it
         * @description Takes the fields of `POST /api/v1/qr`, and those saved with the picture. Costs one unit. Returns the code or, if `Accept` prefers a picture format, the picture, with the code in `Location`. A replay returns the code in its current state; `Accept` and `Prefer` may differ. Needs the scope `generate`.
         */
        post: operations["saveCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One code with its design
         * @description `design` has the options that reproduce the picture, including defaults. Its `image` is the stored logo, unless that is too long for a request. Needs the scope `manage`.
         */
        get: operations["getCode"];
        put?: never;
        post?: never;
        /**
         * Move a code to the bin; its short link stops working within a second
         * @description It can be restored for 30 days. Units are not refunded. Needs the scope `manage`.
         */
        delete: operations["deleteCode"];
        options?: never;
        head?: never;
        /**
         * Name and label a code, or move it to another folder
         * @description Fields that are left out stay as they are. `tags` replaces all tags; `null` removes a name or an `external_id`. The picture and the content do not change. Needs the scope `manage`.
         */
        patch: operations["updateCode"];
        trace?: never;
    };
    "/api/v1/codes/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move codes to another folder
         * @description Takes up to 1,000 codes, by their ids or by a tag, all or none. Needs the scope `manage`.
         */
        post: operations["moveCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move codes to the bin; their short links stop working within a second
         * @description Takes up to 1,000 codes, by their ids or by a tag, all or none. They can be restored for 30 days. Needs the scope `manage`.
         */
        post: operations["deleteCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore codes; their short links work again within a second
         * @description Works like restoring one code. Codes outside the bin are left unchanged. Needs the scope `manage`.
         */
        post: operations["restoreCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Codes as a ZIP, like that of a folder
         * @description In the order in which the codes were made. Needs the scope `manage`.
         */
        post: operations["getCodesArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/links-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The short links of a folder: how many work, and their scans in the last 30 days
         * @description What a deletion would stop. Scans by people, bots and previews are counted apart. Needs the scope `manage`.
         */
        get: operations["getFolderLinksSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/links-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The short links of codes: how many work, and their scans in the last 30 days
         * @description Takes up to 1,000 codes, by their ids or by a tag. Scans by people, bots and previews are counted apart. Needs the scope `manage`.
         */
        post: operations["getLinksSummary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/{id}/design": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Draw a saved code in another design
         * @description The body takes the options that `GET /codes/{id}` returns as `design`. The id, content and short link do not change. Free of charge; grading counts as free work. Needs the scope `manage`.
         */
        put: operations["setCodeDesign"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The picture of a code, drawn again from the saved design; free of charge
         * @description At the saved width the PNG has the same bytes as the first one. Drawing counts as free work of the account; a `304` does not. Needs the scope `manage`.
         */
        get: operations["getCodeImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your short links, in the order that you choose
         * @description With `search`, `tag` or `status`, or sorted by name or scans, a page may be short or empty even if `next_cursor` is not null, as in the list of codes. Needs the scope `manage`.
         */
        get: operations["listLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change where and when many short links lead, all or none
         * @description Every gateway applies it within a second. The change is in the history of each link; slugs do not change. Needs the scope `manage`.
         */
        patch: operations["updateLinks"];
        trace?: never;
    };
    "/api/v1/links/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One short link
         * @description Any slug that the link has had finds it. The answer has the current one. Needs the scope `manage`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change where and when a short link leads, its slug, and the labels of its code
         * @description Every gateway applies it within a second. The history keeps the change; to undo it, send the earlier fields. A new slug changes the picture of the code, and possibly its grade; prints with an earlier slug keep working. Needs the scope `manage`.
         */
        patch: operations["updateLink"];
        trace?: never;
    };
    "/api/v1/links/{slug}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The destinations that a short link has had, with its times and slugs, current one first
         * @description Each entry has all fields as they were then, when they were set, and by which key. To go back to one, send its fields to `updateLink`. Needs the scope `manage`.
         */
        get: operations["listLinkChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/changes/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a bulk change: each link leads where it led before
         * @description Later changes are overwritten. Links that were deleted since are left out. The undo is itself a change, so it can be undone. A change whose history is no longer kept whole is a 404. Needs the scope `manage`.
         */
        post: operations["undoLinksChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{slug}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The scans of a short link, over time and broken down
         * @description The range is widened to whole intervals. `people` are the scans; bots and previews (a chat app that shows a card, a browser that preloads) are counted separately. A scan is counted within a second or two. Needs the scope `manage`.
         */
        get: operations["getLinkScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The scans of all your short links together
         * @description Counted as in `getLinkScans`, with those of links that were deleted since. Needs the scope `manage`.
         */
        get: operations["getScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Individual scans as NDJSON or CSV, oldest first, for as long as they are kept
         * @description Without `format`, `Accept` decides. For the next page, send `Tessera-Next-Cursor` as `cursor`; the last page has none. A page that has one may still be short or empty, because the work per page is limited; the next page continues there. Only the first page of CSV has a header row, so pages can be joined. Scans of deleted links are left out. An account runs one such call at a time; a few more are queued. Needs the scope `manage`.
         */
        get: operations["listRawScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolver/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your items, in the order of their keys
         * @description With `key`, only the items whose key begins with it. Needs the scope `manage`.
         */
        get: operations["listItems"];
        put?: never;
        /**
         * Make an item: what an identifier leads to
         * @description The account that makes the first item of a primary key owns that key while it has items for it. Needs the scope `manage`.
         */
        post: operations["createItem"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change links of many items, all or none
         * @description Every gateway applies it within a second. The change is in the history of each item. Needs the scope `manage`.
         */
        patch: operations["updateItems"];
        trace?: never;
    };
    "/api/v1/resolver/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One item
         * @description Its links, and how often it was scanned. Needs the scope `manage`.
         */
        get: operations["getItem"];
        put?: never;
        post?: never;
        /**
         * Delete an item with its history and scans
         * @description It cannot be restored, and its scans cannot be read any more; they are removed from the database within hours. A 409 if other items of its primary key use its default link. Needs the scope `manage`.
         */
        delete: operations["deleteItem"];
        options?: never;
        head?: never;
        /**
         * Replace the links of an item
         * @description Every gateway applies it within a second. The history keeps the change; to undo it, send the earlier links. Needs the scope `manage`.
         */
        patch: operations["updateItem"];
        trace?: never;
    };
    "/api/v1/resolver/changes/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a bulk change: give each item the links that it had before
         * @description Later changes are overwritten. Items that the change made, or that were deleted since, are left out. The undo is itself a change, so it can be undone. A change whose history is no longer kept whole is a 404. Needs the scope `manage`.
         */
        post: operations["undoItemsChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolver/items/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The links that an item has had, current ones first
         * @description Each entry says when the links were set, and by which key. Needs the scope `manage`.
         */
        get: operations["listItemChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolver/items/{id}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The scans of an item, as for a short link
         * @description The range is widened to whole intervals. `people` are the scans; bots and previews (a chat app that shows a card, a browser that preloads) are counted separately. A scan is counted within a second or two. A scan counts for the most specific item of the URI. `slug` is the name under which scans are kept. Needs the scope `manage`.
         */
        get: operations["getItemScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolver/items/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make and change items from a CSV file of up to 10000 rows, all or none
         * @description Each row is a link: key, rel, href, title, hreflang, type, context, default, of which key, rel, href and title are required. Columns such as gtin, lot, serial, gln and sscc can replace key. hreflang and context take up to 20 words each. The rows of an item replace all its links; other items do not change. Up to ten faults are reported. Needs the scope `manage`.
         */
        post: operations["importItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolver/items.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All your items as CSV, in the format of an import
         * @description The columns are key, rel, href, title, hreflang, type, context, default. If the file cannot be completed, the connection is aborted. Needs the scope `manage`.
         */
        get: operations["exportItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your presets, newest first
         * @description `options` have no `image` here; only the call for one preset returns it. Needs the scope `manage`.
         */
        get: operations["listPresets"];
        put?: never;
        /**
         * Save a design under a name; at most 200 per account
         * @description `options` are optional fields of `QrRequest`. A logo given by URL is fetched now and stored. Needs the scope `manage`.
         */
        post: operations["createPreset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A preset with its logo
         * @description The list of presets leaves the logo out. Needs the scope `manage`.
         */
        get: operations["getPreset"];
        put?: never;
        post?: never;
        /**
         * Delete a preset; codes made with it do not change
         * @description Calls that name it are then refused. It cannot be restored. Needs the scope `manage`.
         */
        delete: operations["deletePreset"];
        options?: never;
        head?: never;
        /**
         * Change a preset; its options are replaced as a whole
         * @description Fields that are left out stay as they are; `options` replaces all options. Every gateway uses the change within a second, for new pictures only. Needs the scope `manage`.
         */
        patch: operations["updatePreset"];
        trace?: never;
    };
    "/api/v1/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deleted folders and codes that you can restore, latest first
         * @description Deleted things are kept for 30 days. Codes that were deleted with their folder are restored with it and not listed. Needs the scope `manage`.
         */
        get: operations["listBin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a folder with its codes; their short links work again within a second
         * @description If its name is now taken, it becomes `<name> (restored)` or `<name> (restored 2)` and so on. A folder outside the bin is left unchanged. Needs the scope `manage`.
         */
        post: operations["restoreFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/codes/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a code; its short link works again within a second
         * @description If its folder is in the bin, the code moves to your folder of the same name, which is made if there is none. A code outside the bin is left unchanged. Needs the scope `manage`.
         */
        post: operations["restoreCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your batches, newest first
         * @description Each as `getBatch` shows it. Needs the scope `generate`.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Make up to a million codes in a background job
         * @description The body is NDJSON, or CSV or XLSX with a header row, at most 2 GB (XLSX: 32 MiB), optionally as gzip, or as multipart/form-data with the parts `design` and `rows`. A row has the fields of a bulk item, plus `external_id` and `name`. Without a body, `Upload-Complete: ?0` starts an upload in chunks. All rows are checked before anything is charged, and either all or none are accepted. See docs/api/batches.md. Needs the scope `generate`.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The columns and first rows of a file, and the field of each column; free of charge
         * @description The body is XLSX, or CSV, of which the beginning (at most 8 MiB) is enough. Needs the scope `generate`.
         */
        post: operations["previewBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch-uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of an upload; usually requested with HEAD
         * @description `Upload-Offset` says where the next chunk begins, `Upload-Complete` whether the upload has become a batch. Needs the scope `generate`.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /**
         * Cancel an upload; if it has become a batch, the batch is kept
         * @description Its chunks are removed. Needs the scope `generate`.
         */
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        /**
         * Append a chunk of at most 8 MiB; the last one makes the batch
         * @description `Upload-Offset` must be the number of bytes that are stored. A chunk is stored whole or not at all. With `Upload-Complete: ?1` the batch is made from all chunks, and the body may be empty. Costs one unit for each row, held when the batch is queued. Needs the scope `generate`.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/api/v1/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A batch, with its progress
         * @description Ask again until `state` is `done`, `failed`, `cancelled` or `expired`, or let a webhook tell you. Needs the scope `generate`.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a batch after the pieces in progress
         * @description Codes already made are kept and charged; the other units are refunded. A batch that has ended is left unchanged. Needs the scope `generate`.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows of a batch with faults, as NDJSON; at most about 10,000
         * @description Each line has row (from 1), file_row (its row in the file), external_id, field and message. If the check before the start finds any, the batch fails and costs nothing. Rows that fail later, while codes are made, are listed too. Needs the scope `generate`.
         */
        get: operations["listBatchErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{id}/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows of a batch that repeat an earlier one, as NDJSON
         * @description Each line has row, file_row, external_id, first_row, first_file_row and kind: value, gs1-key or content. At most 10,000 are listed; the batch has their number. Needs the scope `generate`.
         */
        get: operations["listBatchDuplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed report of a batch that has ended: counts, settings, and the SHA-256 of each part
         * @description A 404 until the batch has ended. `tessera receipt verify` checks the signature. Needs the scope `generate`.
         */
        get: operations["getBatchReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{id}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The parts of a batch made so far; each has up to 50,000 rows
         * @description A part can be downloaded as soon as it is listed. Needs the scope `generate`.
         */
        get: operations["listBatchParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{id}/parts/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A part as a ZIP with manifest.csv
         * @description The manifest has row, file_row, external_id, name, content, slug, short_url, file, sha256, grade and warnings of each file. `Range` requests a range of bytes. Needs the scope `generate`.
         */
        get: operations["getBatchPart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/counters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your counters, by name
         * @description Templates of batches name them. The list has all of them. Needs the scope `generate`.
         */
        get: operations["listCounters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/counters/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A counter, with its next number
         * @description A counter gives each number once, to the rows of batches or to `takeCounterNumbers`. Needs the scope `generate`.
         */
        get: operations["getCounter"];
        /**
         * Make a counter, or raise its next number
         * @description A number is never given twice, so a counter cannot be lowered or deleted. Needs the scope `generate`.
         */
        put: operations["putCounter"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/counters/{name}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The blocks of numbers that a counter gave, newest first
         * @description Each block is that of one batch, or was taken by `takeCounterNumbers`. Needs the scope `generate`.
         */
        get: operations["listCounterBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/counters/{name}/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a block of numbers to print elsewhere
         * @description No batch gets these numbers afterwards. They cannot be given back. Needs the scope `generate`.
         */
        post: operations["takeCounterNumbers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of 30 days with their deliveries, newest first
         * @description A page that has a `next_cursor` may be short or empty, because the work per page is limited; the next page continues there. Needs the scope `manage`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your webhooks, newest first
         * @description Without their secrets. Needs the scope `manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Make a webhook that receives events; its secret is shown only once
         * @description Deliveries follow Standard Webhooks. See docs/api/webhooks.md. Needs the scope `manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook
         * @description Its URL, its events and its state, without its secrets. Needs the scope `manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description Nothing is sent to it any more, and it cannot be restored. Needs the scope `manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, or turn it off and on; waiting deliveries are then tried at once
         * @description `state` may be set to `on` or `off`. A webhook that is off gets no events. Needs the scope `manage`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The secrets of a webhook, without their values, newest first
         * @description There are at most two. Needs the scope `manage`.
         */
        get: operations["listWebhookSecrets"];
        put?: never;
        /**
         * Make another secret, which is shown only once; at most 2 at a time
         * @description Deliveries then have one signature per secret, separated by spaces. Needs the scope `manage`.
         */
        post: operations["createWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secrets/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a secret of a webhook; later deliveries are not signed with it
         * @description The only secret cannot be deleted; make another one first. Needs the scope `manage`.
         */
        delete: operations["deleteWebhookSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last deliveries of a webhook with their answers, newest first
         * @description Each shows the attempts, and the status, duration and first 1,000 bytes of the last answer. Needs the scope `manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event `webhook.test`, or return the one that is still waiting
         * @description Only for a webhook that is on. The delivery is tried at once and retried like any other. Needs the scope `manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/redeliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a span again, and those that were never sent, the oldest first
         * @description Each keeps its `webhook-id`. A call looks at 10000 events; the answer says where the next call continues. Needs the scope `manage`.
         */
        post: operations["redeliverEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, with the same `webhook-id`
         * @description Only for a webhook that is on. The receiver can tell by the id that it has had the event before. Needs the scope `manage`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signed-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the URL of a picture without drawing it; free of charge
         * @description Requires either `data` or `code`. Your own server can sign without this call. Needs the scope `manage`.
         */
        post: operations["signUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your signing secrets, newest first
         * @description Without their values. Needs the scope `manage`.
         */
        get: operations["listSigningSecrets"];
        put?: never;
        /**
         * Make a signing secret, which is shown only once; at most 2 at a time
         * @description Your own server signs the URLs of pictures with it, without any call. It works at once. Its pictures count for the limits of the key that makes it, and it ends with that key. Needs the scope `manage`.
         */
        post: operations["createSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-secrets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a signing secret; every gateway refuses its URLs within a second
         * @description It cannot be restored, and pictures signed with it are no longer shown. Needs the scope `manage`.
         */
        delete: operations["deleteSigningSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/l/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the short link of a dynamic code; a visit by a person counts as a scan
         * @description Redirects with a 302 that is never cached, so that a change takes effect at once. Earlier slugs of a link work too. A `HEAD` is not counted.
         */
        get: operations["followLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/i/{signature}/{picture}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture by its signed URL
         * @description Costs one unit per month in which it is drawn, however often it is shown. The parameters are those of `SignedUrlRequest`, as JSON in base64url.
         */
        get: operations["showSignedPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/tessera-receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public key that verifies receipts
         * @description A JWK set with the key that also signs the reports of batches.
         */
        get: operations["getReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in; 204 when nobody is
         * @description The account and the scopes of the session.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in with an API key; only from our own pages
         * @description The key must have the scope `manage`. Sets a cookie that scripts cannot read; the session ends with its key.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session, and removes its cookie even if nobody is signed in.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/operator/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When the session of the operator ends; 204 when there is none
         * @description The page of the operator asks it first.
         */
        get: operations["getOperatorSession"];
        put?: never;
        /**
         * Sign in with the admin token; only from our own pages
         * @description Sets a cookie that scripts cannot read.
         */
        post: operations["signInOperator"];
        /**
         * Sign out as the operator
         * @description Ends the session, and removes its cookie even if nobody is signed in.
         */
        delete: operations["signOutOperator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw a small preview of a design, free of charge
         * @description The longer side has at most 240 pixels. The headers `tessera-*` describe the picture at its full size. Needs the scope `manage`.
         */
        post: operations["previewCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grade a design and its repair, free of charge
         * @description Like `POST /api/v1/qr/check` with `Tessera-Repair: true`. Needs the scope `manage`.
         */
        post: operations["checkDesign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All accounts, oldest first
         * @description With the usage of the month of each.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Make an account
         * @description Without `monthly_quota` it has the quota of its plan.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account with its usage
         * @description Units used this month, units left, and credits.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the plan, quota, name or dead-link URL; applied within a second
         * @description Fields that are left out stay as they are. `monthly_quota` may be `null`, for that of the plan.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add credits; a repeated reference adds nothing
         * @description With a `reference`, a repeated call is safe; the same reference with another amount is a 422.
         */
        post: operations["addCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The active keys of an account, newest first, at most a thousand
         * @description With what each key has used this month. Expired keys are listed until they are revoked.
         */
        get: operations["listAccountKeys"];
        put?: never;
        /**
         * Make a key, which is shown only once
         * @description It has all scopes, unless `scopes` names some.
         */
        post: operations["createAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key; every gateway refuses it within a second
         * @description A revoked key cannot be used again. Sessions that were started with it and signing secrets that it made end. The keys that it made are kept, unless `with_made=true` revokes them too.
         */
        delete: operations["revokeAccountKey"];
        options?: never;
        head?: never;
        /**
         * Change the name or limits of a key; applied within a second
         * @description Fields that are left out stay as they are; `null` removes a limit.
         */
        patch: operations["updateAccountKey"];
        trace?: never;
    };
    "/admin/v1/accounts/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of an account by hour, day or month, and by key or kind of call
         * @description Figures are counted as in `getUsageHistory`.
         */
        get: operations["getAccountUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage of all accounts by hour, day or month, as CSV
         * @description The columns are account_id, name, plan, from, calls, units, monthly, credits, refunded, refunded_late. There is a row for each account and interval with usage, the oldest account first. `plan` is the current one. Figures are counted as in `getUsageHistory`, and a `from` before usage is kept is refused. The report is streamed; if it cannot be completed, the connection is aborted.
         */
        get: operations["getUsageReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description In the text format of Prometheus. docs/metrics.md lists them.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description Every call with all its fields, made from the schemas that validate them.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "batch.done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch is done */
        post: operations["onBatchDone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch failed */
        post: operations["onBatchFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch was cancelled */
        post: operations["onBatchCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch expired */
        post: operations["onBatchExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "code.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Codes are saved by a call or a batch */
        post: operations["onCodeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Short links are changed by a call */
        post: operations["onLinkChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.first_scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person scans a short link for the first time */
        post: operations["onLinkFirstScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    scan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Short links were scanned; sent at most once a minute */
        post: operations["onScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A key is made */
        post: operations["onKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Less than a fifth of the quota is left */
        post: operations["onQuotaLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test call requests it */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {unknown} */
            plan: "free" | "pro";
            monthly_quota: number;
            /** @description Whether `monthly_quota` overrides the plan's quota. */
            has_own_quota: boolean;
            credits: number;
            dead_link_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AccountPatch: {
            /** @enum {unknown} */
            plan?: "free" | "pro";
            /** @description null: the plan's quota. */
            monthly_quota?: number | null;
            name?: components["schemas"]["Name"];
            dead_link_url?: components["schemas"]["DeadLinkUrl"];
        };
        AccountScans: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            interval: string;
            time_zone: string;
            totals: components["schemas"]["ScanTotals"];
            /** @description Every interval of the range, including empty ones. */
            series: components["schemas"]["ScanInterval"][];
            /**
             * Format: date-time
             * @description No scan since then is missing. Earlier ones are no longer kept, and not counted here; a link still has its `scan_count`. null: all are kept.
             */
            complete_since: string | null;
        };
        AccountUsage: {
            period: string;
            monthly_used: number;
            usage_count: number;
            remaining: number;
            /** Format: date-time */
            resets_at: string;
        };
        AccountWithUsage: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {unknown} */
            plan: "free" | "pro";
            monthly_quota: number;
            /** @description Whether `monthly_quota` overrides the plan's quota. */
            has_own_quota: boolean;
            credits: number;
            dead_link_url: string | null;
            /** Format: date-time */
            created_at: string;
            usage: components["schemas"]["AccountUsage"];
        };
        AccountWithUsagePage: {
            data: components["schemas"]["AccountWithUsage"][];
            next_cursor: string | null;
        };
        BackgroundOptions: {
            color?: components["schemas"]["Color"];
            gradient?: components["schemas"]["Gradient"];
            /** @description Default: 0. */
            round?: number;
        };
        Batch: {
            /** Format: uuid */
            id: string;
            /** @enum {unknown} */
            state: "receiving" | "validating" | "queued" | "running" | "finishing" | "done" | "failed" | "cancelled" | "expired";
            /** @description Why it ends in a state other than `done`. */
            reason: string | null;
            /** Format: uuid */
            folder_id: string | null;
            /** @description The name of its folder, even before the folder is made. */
            folder_name: string | null;
            formats: string[];
            on_error: string;
            rows: number;
            /** @description The encoding of the file, as the WHATWG Encoding Standard names it. */
            encoding: string | null;
            /** @description Rows without text, which are left out. */
            empty_rows: number;
            /** @description The first of them, as `file_row` counts: from 1, with the header row and empty rows. */
            first_empty_rows: number[];
            /** @description Rows with faults. */
            errors: number;
            /** @description Rows that repeat an earlier one; known once it is queued. */
            duplicates: number;
            made: number;
            failed: number;
            /** @description Units refunded at the end. */
            refunded: number;
            /** @description The number of codes of each grade, 0 to 4. */
            grades: number[];
            /** @description Batches queued ahead of it. */
            position: number | null;
            /** @description Estimated. */
            remaining_s: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        BatchEvent: {
            /** @enum {unknown} */
            type: "batch.done" | "batch.failed" | "batch.cancelled" | "batch.expired";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                id: string;
                state: string;
                reason: string | null;
                /** Format: uuid */
                folder_id: string | null;
                rows: number;
                errors: number;
                made: number;
                failed: number;
                duplicates: number;
                refunded: number;
                grades: number[];
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                finished_at: string;
                /** Format: date-time */
                expires_at: string;
            };
        };
        /** @description How rows without `data` become GS1 data. Requires `qrOptions.gs1` and no `template`. */
        BatchGs1: {
            /** @description The part of Digital Link URIs before their path. Absent: `https://id.gs1.org`. */
            stem?: string;
            /** @description Values of GS1 columns as templates: `{"serial": "{serial:08}"}`. Rows must not have these columns. */
            columns?: {
                [key: string]: string;
            };
        };
        BatchOptions: {
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            shape?: "square" | "circle";
            image?: components["schemas"]["LogoSource"];
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            print?: components["schemas"]["BatchPrint"];
            /** @description The data of every row: `https://example.com/{sku}/{serial:06}`. A name refers to a column of the row or a counter; `06` pads a number with leading zeros; `{{` and `}}` are literal braces. In a URL, values are percent-encoded. At most 100 placeholders. */
            template?: string;
            /** @description Maps names in templates to counters. A counter of the same name needs no entry. */
            counters?: {
                [key: string]: string;
            };
            gs1?: components["schemas"]["BatchGs1"];
        };
        BatchPage: {
            data: components["schemas"]["Batch"][];
            next_cursor: string | null;
        };
        BatchPart: {
            n: number;
            codes: number;
            bytes: number;
            sha256: string;
        };
        BatchPartList: {
            data: components["schemas"]["BatchPart"][];
        };
        BatchPreview: {
            columns: {
                name: string;
                /** @description The field that its name suggests. */
                field: string | null;
            }[];
            /** @description The texts of their cells. */
            rows: string[][];
            /** @description The row of the file that has the names of the columns. */
            header_row: number;
            /** @description The rows of the file that `rows` are. */
            file_rows: number[];
            /** @description Whether the file has more rows. */
            more: boolean;
            /** @description The encoding of the file, as the WHATWG Encoding Standard names it. */
            encoding: string | null;
            /** @description Rows without text, which are left out. */
            empty_rows: number;
            /** @description The first of them, as `file_row` counts: from 1, with the header row and empty rows. */
            first_empty_rows: number[];
            /** @description Why a batch of this file would fail, as far as it was read. */
            fault: string | null;
            /** @description The fields to which a column can be mapped. */
            fields: string[];
            /** @description What the codes of the first rows, at most 100, would contain, or the fault of the row. Null: without `Design`, or with a `fault`. */
            composed: components["schemas"]["ComposedRow"][] | null;
            /** @description Rows that were compared with each other: the first of the file, at most 10000; 0 if a batch would refuse the columns. */
            compared_rows: number;
            /** @description Those of them that repeat an earlier one. */
            duplicates: number;
            /** @description Those that are errors of a batch. */
            refused_duplicates: number;
            /** @description The first 100. */
            first_duplicates: components["schemas"]["PreviewedDuplicate"][];
        };
        /** @description Size and colours of the files, as in the query of `/qr/file`. */
        BatchPrint: {
            /** @description Side of a module; not with `width_mm`. */
            module_mm?: number;
            /** @description Side of the picture without its bleed. */
            width_mm?: number;
            /** @description Dots per inch of PNG and WebP. */
            dpi?: number;
            /** @description Modules on each side; 4 by default. */
            quiet_zone?: number;
            /** @description Background beyond each side. */
            bleed_mm?: number;
            /**
             * @description Colour space of PDF and EPS; black is K only in both. Default: `rgb`.
             * @enum {unknown}
             */
            color?: "rgb" | "cmyk";
            paper?: components["schemas"]["Paper"];
            /**
             * @description The text below: nothing, or the human-readable GS1 data. Default: `none`.
             * @enum {unknown}
             */
            text?: "none" | "gs1";
            /** @description Refuses codes that tills might fail to read; sets the size. Default: false. */
            till?: boolean;
        };
        BatchReport: {
            statement: {
                [key: string]: unknown;
            };
            /** @description The signature of the statement. */
            jws: string;
        };
        BatchRow: {
            data?: components["schemas"]["Data"];
            /** @description Values of names in the template, and of AIs by their digits in brackets: `{"sku": "A-7", "(3103)": "000195"}`. */
            values?: {
                [key: string]: string;
            };
            /** @description The value of AI (01). */
            gtin?: string;
            /** @description The value of AI (21). */
            serial?: string;
            /** @description The value of AI (10). */
            lot?: string;
            /** @description The value of AI (17). */
            expiry?: string;
            /** @description The value of AI (15). */
            best_before?: string;
            /** @description The value of AI (16). */
            sell_by?: string;
            /** @description The value of AI (11). */
            production_date?: string;
            /** @description The value of AI (13). */
            packaging_date?: string;
            /** @description The value of AI (22). */
            variant?: string;
            /** @description The value of AI (00). */
            sscc?: string;
            /** @description The value of AI (414). */
            gln?: string;
            /** @description The value of AI (37). */
            count?: string;
            /** @description The value of AI (30). */
            variable_count?: string;
            /** @description The value of AI (8003). */
            grai?: string;
            /** @description The value of AI (8004). */
            giai?: string;
            /** @description Your own id for the code, included in every output. */
            external_id?: string;
            /** @description The name of the code, also used in its file names. */
            name?: string;
            /** @description Text for the file names of a row without a name. */
            file?: string;
            /** @description At most 20, each once: trimmed, 1 to 64 characters. */
            tags?: string[];
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            shape?: "square" | "circle";
            image?: components["schemas"]["LogoSource"];
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            print?: components["schemas"]["BatchPrint"];
            /** @description Default: false. */
            dynamic?: boolean;
            /** @description A slug of your own for the short link of a dynamic row. If the slug is invalid or taken, only that row fails. */
            slug?: string;
        };
        BinItem: {
            /** @enum {unknown} */
            kind: "folder" | "code";
            /** Format: uuid */
            id: string;
            /** @description For a code without a name, its content. */
            name: string;
            /** @description Only for a folder: the number of codes restored with it. */
            code_count?: number;
            /** Format: date-time */
            deleted_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        BinItemPage: {
            data: components["schemas"]["BinItem"][];
            next_cursor: string | null;
        };
        BulkCheck: {
            results: (components["schemas"]["Check"] | components["schemas"]["CheckFailure"])[];
        };
        BulkItem: {
            /** @description As in the single call; must be a URL for dynamic items. */
            data?: unknown;
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            shape?: "square" | "circle";
            image?: components["schemas"]["LogoSource"];
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description Encode a short link whose destination can be changed later. Default: false. */
            dynamic?: boolean;
        };
        BulkRequest: {
            items: components["schemas"]["BulkItem"][];
            /** Format: uuid */
            folderId?: string;
            /** @description A folder of this name is made, or reused. */
            folderName?: string;
        };
        BulkResponse: {
            /** @enum {boolean} */
            success: true;
            results: components["schemas"]["BulkResult"][];
            meta: {
                total: number;
                successful: number;
                usage_count: number;
                remaining: number;
                /** Format: uuid */
                folder_id: string;
            };
        };
        BulkResult: {
            success: boolean;
            /** @description PNG as a data URL. */
            data?: string;
            /** @description The slug of a dynamic item. */
            slug?: string;
            /** @description As in the header `Tessera-Repaired`. */
            repaired?: string;
            error?: string;
            /**
             * Format: uuid
             * @description The id of the saved code.
             */
            id?: string | null;
            /** @description The URL that a dynamic item encodes. */
            short_url?: string | null;
            name?: string | null;
            grade?: components["schemas"]["Grade"] | null;
            external_id?: string | null;
        };
        ChangedCodes: {
            codes: number;
            /** @description How many of them are dynamic. */
            links: number;
        };
        Check: {
            grade: components["schemas"]["Grade"];
            /** @description The grade is the lowest of these. */
            parameters: {
                [key: string]: components["schemas"]["Grade"];
            };
            /** @description The parameters below 4, the lowest first. */
            warnings: {
                name: string;
                value?: number;
                advice: string;
            }[];
            symbol: {
                version: number;
                level: string;
                modules: number;
            };
            /** @description With `Tessera-Repair: true`. */
            repair?: {
                grade: components["schemas"]["Grade"];
                /** @description As in the header `Tessera-Repaired`. */
                changes: string[];
                /** @description Fields to set in the request. If `margin` is `null`, omit it. */
                options: {
                    [key: string]: unknown;
                };
            };
            print: {
                /** @description Width of the printed picture, including the quiet zone, by module width in mm. */
                min_width_mm: {
                    [key: string]: number;
                };
            };
        };
        CheckFailure: {
            error: string;
        };
        ChosenCodes: {
            /** @description Ids of your codes. If any of them is not yours, the whole call fails with a 404. */
            ids?: string[];
            /** @description Instead of `ids`: your codes with this tag, at most 1000. */
            tag?: string;
        };
        ChosenIds: {
            /** @description Ids of your codes. If any of them is not yours, the whole call fails with a 404. */
            ids: string[];
        };
        Code: {
            /** Format: uuid */
            id: string;
            /** @description Your name for it; null: none. */
            name: string | null;
            /** @description Your own id for it; null: none. */
            external_id: string | null;
            tags: string[];
            /** @description What was sent as `data`. */
            content: string;
            dynamic: boolean;
            /** @description The slug of its short link; null: it is not dynamic. */
            slug: string | null;
            /** @description Its short link, which the code encodes; null: it is not dynamic. */
            short_url: string | null;
            /** @description The current destination. */
            destination: string | null;
            /** @description Scans of its short link by people. */
            scan_count: number;
            width: number;
            height: number;
            grade: components["schemas"]["Grade"];
            warnings: components["schemas"]["Warnings"];
            /** Format: date-time */
            created_at: string;
            etag: components["schemas"]["Version"];
        };
        CodeInFolder: {
            /** Format: uuid */
            id: string;
            /** @description Your name for it; null: none. */
            name: string | null;
            /** @description Your own id for it; null: none. */
            external_id: string | null;
            tags: string[];
            /** @description What was sent as `data`. */
            content: string;
            dynamic: boolean;
            /** @description The slug of its short link; null: it is not dynamic. */
            slug: string | null;
            /** @description Its short link, which the code encodes; null: it is not dynamic. */
            short_url: string | null;
            /** @description The current destination. */
            destination: string | null;
            /** @description Scans of its short link by people. */
            scan_count: number;
            width: number;
            height: number;
            grade: components["schemas"]["Grade"];
            warnings: components["schemas"]["Warnings"];
            /** Format: date-time */
            created_at: string;
            etag: components["schemas"]["Version"];
            /** Format: uuid */
            folder_id: string;
        };
        CodeInFolderPage: {
            data: components["schemas"]["CodeInFolder"][];
            next_cursor: string | null;
        };
        CodePage: {
            data: components["schemas"]["Code"][];
            next_cursor: string | null;
        };
        CodePatch: {
            /** @description Trimmed, 1 to 200 characters; null: no name. */
            name?: string | null;
            /**
             * Format: uuid
             * @description One of your folders.
             */
            folder_id?: string;
            /** @description Your own id for the code, for example that of a product. Several codes may have the same one. */
            external_id?: string | null;
            /** @description At most 20, each once: trimmed, 1 to 64 characters. */
            tags?: string[];
        };
        CodeRequest: {
            data: components["schemas"]["Data"];
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            shape?: "square" | "circle";
            image?: components["schemas"]["LogoSource"];
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /** @description Encode a short link to `data`; its destination can be changed later. Default: false. */
            dynamic?: boolean;
            /** @description A slug of your own for the short link of a dynamic code. */
            slug?: string;
            /** @description Your name for the code: trimmed, 1 to 200 characters. */
            name?: string;
            /**
             * Format: uuid
             * @description One of your folders.
             */
            folder_id?: string;
            /** @description A folder of this name is made or reused. If this and `folder_id` are absent: `Codes`. */
            folder_name?: string;
            /** @description At most 20, each once: trimmed, 1 to 64 characters. */
            tags?: string[];
            /** @description Your own id for the code, for example that of a product. Several codes may have the same one. */
            external_id?: string;
            /** @description Refuses the call with a 409 when one of your codes has this `external_id`. Codes in the bin do not count. Default: false. */
            external_id_unique?: boolean;
        };
        CodeWithDesign: {
            /** Format: uuid */
            id: string;
            /** @description Your name for it; null: none. */
            name: string | null;
            /** @description Your own id for it; null: none. */
            external_id: string | null;
            tags: string[];
            /** @description What was sent as `data`. */
            content: string;
            dynamic: boolean;
            /** @description The slug of its short link; null: it is not dynamic. */
            slug: string | null;
            /** @description Its short link, which the code encodes; null: it is not dynamic. */
            short_url: string | null;
            /** @description The current destination. */
            destination: string | null;
            /** @description Scans of its short link by people. */
            scan_count: number;
            width: number;
            height: number;
            grade: components["schemas"]["Grade"];
            warnings: components["schemas"]["Warnings"];
            /** Format: date-time */
            created_at: string;
            etag: components["schemas"]["Version"];
            /** Format: uuid */
            folder_id: string;
            design: components["schemas"]["Design"];
        };
        CodesEvent: {
            /** @enum {unknown} */
            type: "code.created";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                folder_id: string;
                /** Format: uuid */
                key_id: string | null;
                /** Format: uuid */
                batch_id: string | null;
                count: number;
                /** @description The first 100; empty for a batch. */
                ids: string[];
            };
        };
        /**
         * Format: css-color
         * @description A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.
         * @example #1a2b3c
         */
        Color: string;
        ColorStop: {
            offset: number;
            color: components["schemas"]["Color"];
        };
        ComposedRow: {
            data: string | null;
            fault: string | null;
        };
        CornersOptions: {
            /**
             * @description Absent: same as the dots, but centres among `dots` are `rounded`.
             * @enum {unknown}
             */
            type?: "square" | "dots" | "rounded" | "extra-rounded" | "classy" | "classy-rounded" | "dot";
            color?: components["schemas"]["Color"];
            gradient?: components["schemas"]["Gradient"];
        };
        Counter: {
            name: string;
            /** @description The next number that it gives. */
            next: number;
            /** Format: date-time */
            created_at: string;
        };
        CounterBlock: {
            first: number;
            last: number;
            /**
             * Format: uuid
             * @description Null: taken by `take`. Row n of the batch has number first + n - 1.
             */
            batch_id: string | null;
            /** @description Rows of the batch whose codes were made so far. */
            made: number | null;
            /** @description Rows that failed. No code has their numbers. */
            failed: number | null;
            /** Format: date-time */
            at: string;
        };
        CounterBlockPage: {
            data: components["schemas"]["CounterBlock"][];
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description No entry since then is missing. It is when the thing was made, unless older entries were removed.
             */
            complete_since: string;
        };
        CounterList: {
            data: components["schemas"]["Counter"][];
        };
        CounterNumbers: {
            first: number;
            last: number;
        };
        CounterRequest: {
            next: number;
        };
        CounterTake: {
            count: number;
        };
        CreatedKey: {
            /** Format: uuid */
            id: string;
            /** @description The first characters, to tell keys apart. */
            prefix: string;
            name: string;
            scopes: string[];
            /** @description Whether it is a sandbox key. */
            sandbox: boolean;
            /** @description The key's own limit; null: only the account's limit applies. */
            rate_limit_per_second: number | null;
            /**
             * Format: date-time
             * @description When the key expires; null: never.
             */
            expires_at: string | null;
            /** @description The key's own quota; null: only the account's applies. */
            monthly_quota: number | null;
            /**
             * Format: uuid
             * @description The key that made it, whose limits it shares; null: the operator did.
             */
            made_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The key. It cannot be read again, because only its hash is stored. */
            key: string;
        };
        CreatedSigningSecret: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The key that made it, which its pictures are charged to; the secret is void once that is revoked.
             */
            key_id: string;
            /**
             * Format: date-time
             * @description When that key expires; null: never.
             */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Signs URLs. Shown only once. */
            secret: string;
        };
        CreatedWebhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: string[];
            /**
             * @description `gone`: its URL returned a 410.
             * @enum {unknown}
             */
            state: "on" | "off" | "gone";
            /** @description Failed tries since the last success; those under way at the same time count once. */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Deliveries that were given up. `POST /api/v1/webhooks/{id}/redeliveries` sends them again. */
            missed: number;
            /** Format: date-time */
            created_at: string;
            /** @description `whsec_` and base64. Shown only once. */
            secret: string;
        };
        CreatedWebhookSecret: {
            /**
             * Format: uuid
             * @description The id of the secret, needed to delete it.
             */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** @description `whsec_` and base64. Shown only once. */
            secret: string;
        };
        /**
         * @description Content to encode. Any text; written as UTF-8.
         * @example https://example.com/
         */
        Data: string;
        DeadLinkChange: {
            /** @description null: none. */
            dead_link_url: string | null;
            /** Format: date-time */
            at: string;
            /** @description The API key that made the change, which may be revoked by now; null: the operator. */
            key: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
            } | null;
        };
        DeadLinkChangePage: {
            data: components["schemas"]["DeadLinkChange"][];
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description No entry since then is missing. It is when the thing was made, unless older entries were removed.
             */
            complete_since: string;
        };
        /** @description Where dead short links redirect: an absolute http or https URL without credentials that is not one of our short links. null: none. */
        DeadLinkUrl: string | null;
        Design: {
            qrOptions?: components["schemas"]["FullQrOptions"];
            imageOptions?: components["schemas"]["FullImageOptions"];
            dotsOptions?: components["schemas"]["FullDotsOptions"];
            cornersSquareOptions?: components["schemas"]["FullCornersOptions"];
            cornersDotOptions?: components["schemas"]["FullCornersOptions"];
            backgroundOptions?: components["schemas"]["FullBackgroundOptions"];
        } & WithRequired<components["schemas"]["PictureOptions"], "shape">;
        DotsOptions: {
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            type?: "square" | "dots" | "rounded" | "extra-rounded" | "classy" | "classy-rounded";
            color?: components["schemas"]["Color"];
            gradient?: components["schemas"]["Gradient"];
            /** @description Whole-pixel modules; false: no anti-aliasing. Default: true. */
            roundSize?: boolean;
        };
        Error: {
            /**
             * @description A fixed text.
             * @enum {string}
             */
            error: "Malformed request" | "Malformed JSON" | "Malformed body" | "Unclear encoding" | "Invalid request body" | "Invalid query parameters" | "Invalid path parameters" | "Invalid request header" | "Missing or invalid API key" | "Missing or invalid admin token" | "Pro plan required" | "Not for sandbox keys" | "API key lacks a scope" | "Signature refused" | "Cross-site request refused" | "Not found" | "Method not allowed" | "No acceptable format" | "Request timeout" | "Name already taken" | "Limit reached" | "Request still running" | "Upload offset mismatch" | "Still in use" | "Webhook is off" | "Only secret" | "Changed meanwhile" | "Request body too large" | "Unsupported media type" | "Range not satisfiable" | "Idempotency-Key reused" | "Reference reused" | "Quota exhausted" | "Rate limit exceeded" | "Request header fields too large" | "Internal error" | "Service overloaded" | "Time limit reached" | "Service unavailable";
            /** @description What to do about it. */
            details: string;
            /** @description If the request has several faults: the first ten, including the one in `details`. */
            faults?: {
                field: string;
                message: string;
            }[];
            /** @description If the encoding of a table is not clear: how the row reads in the likeliest ones. */
            readings?: {
                encoding: string;
                text: string;
            }[];
        };
        Event: {
            /**
             * Format: uuid
             * @description The `webhook-id` of its deliveries.
             */
            id: string;
            type: string;
            /** Format: date-time */
            created_at: string;
            data: {
                [key: string]: unknown;
            };
            /** @description One for each webhook to which it is sent. */
            deliveries: components["schemas"]["EventDelivery"][];
        };
        EventDelivery: {
            /** Format: uuid */
            webhook_id: string;
            /** @enum {unknown} */
            state: "waiting" | "delivered" | "failed";
            tries: number;
            /** @description Of the last answer. */
            status: number | null;
            /** Format: date-time */
            tried_at: string | null;
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description No event since then is missing from the list. Older ones may have been removed.
             */
            complete_since: string;
        };
        FirstScanEvent: {
            /** @enum {unknown} */
            type: "link.first_scan";
            /** Format: date-time */
            timestamp: string;
            data: {
                slug: string;
                short_url: string;
                /** Format: uuid */
                code_id: string;
                destination: string;
                /** Format: date-time */
                scanned_at: string;
            };
        };
        Folder: {
            /** Format: uuid */
            id: string;
            name: string;
            code_count: number;
            /** @description Whether its codes are kept regardless of age. */
            keep: boolean;
            /** Format: date-time */
            created_at: string;
            etag: components["schemas"]["Version"];
        };
        FolderChange: {
            /** @description Unique in the account; trimmed, 1 to 200 characters. */
            name?: string;
            /** @description Whether its codes are kept beyond `CODE_RETENTION_MONTHS`. */
            keep?: boolean;
        };
        FolderName: {
            /** @description Unique in the account; trimmed, 1 to 200 characters. */
            name: string;
        };
        FolderPage: {
            data: components["schemas"]["Folder"][];
            next_cursor: string | null;
        };
        FullBackgroundOptions: {
            gradient?: components["schemas"]["FullGradient"];
        } & WithRequired<components["schemas"]["BackgroundOptions"], "round">;
        FullCornersOptions: {
            gradient?: components["schemas"]["FullGradient"];
        } & components["schemas"]["CornersOptions"];
        FullDotsOptions: {
            gradient?: components["schemas"]["FullGradient"];
        } & WithRequired<components["schemas"]["DotsOptions"], "type" | "roundSize">;
        FullGradient: WithRequired<components["schemas"]["Gradient"], "type" | "rotation">;
        FullImageOptions: WithRequired<components["schemas"]["ImageOptions"], "hideBackgroundDots" | "imageSize" | "margin">;
        FullQrOptions: WithRequired<components["schemas"]["QrOptions"], "typeNumber" | "segments" | "eci" | "boost">;
        Grade: number;
        /** @description Overrides `color`. */
        Gradient: {
            /**
             * @description Default: `linear`.
             * @enum {unknown}
             */
            type?: "linear" | "radial";
            /** @description Radians, clockwise. Default: 0. */
            rotation?: number;
            colorStops: components["schemas"]["ColorStop"][];
        };
        Grant: {
            amount: number;
            reference?: string;
        };
        Gs1Check: {
            valid: boolean;
            /**
             * @description What `value` was read as.
             * @enum {unknown}
             */
            form: "brackets" | "fnc1" | "digital-link";
            /** @description Empty when `valid` is false. */
            elements: components["schemas"]["Gs1Element"][];
            /** @description With its AIs in brackets. */
            element_string: string | null;
            /** @description With U+001D for every FNC1. */
            fnc1: string | null;
            /** @description The URI in canonical order; `null` also if no URI can express this. */
            digital_link: string | null;
            /** @description The value of AI 01: 14 digits. */
            gtin: string | null;
            faults: components["schemas"]["Gs1Fault"][];
        };
        Gs1Element: {
            title: string;
            ai: string;
            value: string;
        };
        Gs1Fault: {
            ai: string | null;
            /** @description The position of a character in `value`, from 1. */
            position: number;
            message: string;
        };
        Gs1Request: {
            /** @description An element string, with its AIs in brackets or as scanners send it, or a Digital Link URI. */
            value: string;
            /**
             * @description The form of `value`. Default: `auto`.
             * @enum {unknown}
             */
            form?: "auto" | "brackets" | "fnc1" | "digital-link";
            /** @description The part of `digital_link` before its path. Absent: that of `value`, or https://id.gs1.org. */
            stem?: string;
        };
        ImageOptions: {
            /** @description Default: true. */
            hideBackgroundDots?: boolean;
            /** @description How large the logo is; 1 covers at most the share that the error correction level restores. Up to 0.3 is safest. Default: 0.4. */
            imageSize?: number;
            /** @description Pixels. Default: 0. */
            margin?: number;
            /** @description For browsers; no effect on a picture drawn here. */
            crossOrigin?: string;
            /** @description For browsers; a logo is always embedded here. */
            saveAsBlob?: boolean;
        };
        Item: {
            /** Format: uuid */
            id: string;
            /** @description Its element string. */
            key: string;
            /** @description The path of its Digital Link URI. */
            path: string;
            /** @description That URI. */
            url: string;
            links: components["schemas"]["ItemLink"][];
            /** @description Scans by people since its creation. */
            scan_count: number;
            scans: components["schemas"]["ScanKinds"];
            /** Format: date-time */
            last_scan_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            etag: components["schemas"]["Version"];
        };
        ItemChange: {
            links: components["schemas"]["ItemLink"][];
            /** Format: date-time */
            at: string;
            /** @description The id of a bulk change; null: it was changed alone. */
            change_id: string | null;
            /** @description The API key that made the change, which may be revoked by now; null: the operator. */
            key: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
            } | null;
        };
        ItemChangePage: {
            data: components["schemas"]["ItemChange"][];
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description No entry since then is missing. It is when the thing was made, unless older entries were removed.
             */
            complete_since: string;
        };
        ItemLink: {
            title: string;
            /** @description The link type, such as `gs1:pip`, or the IRI of another one. */
            rel: string;
            /** @description The target: any URL that a short link may have as its destination. */
            href: string;
            hreflang: string[];
            type: string | null;
            context: string[];
            is_default: boolean;
        };
        ItemPage: {
            data: components["schemas"]["Item"][];
            next_cursor: string | null;
        };
        ItemPatch: {
            links: components["schemas"]["NewItemLink"][];
        };
        ItemsChange: {
            /** @description Links that replace all those of the same types. */
            set?: components["schemas"]["NewItemLink"][];
            /** @description Types whose links are all removed; none of them may be in `set`. */
            remove?: string[];
        };
        ItemsImported: {
            rows: number;
            items: number;
            created: number;
            /** @description The other items already had these links. */
            changed: number;
            /**
             * Format: uuid
             * @description The id that undoes the change of existing items; null: none changed.
             */
            change_id: string | null;
            dry_run: boolean;
            /** @description The encoding of the file, as the WHATWG Encoding Standard names it. */
            encoding: string | null;
            /** @description Rows without text, which are left out. */
            empty_rows: number;
            /** @description The first of them, as `file_row` counts: from 1, with the header row and empty rows. */
            first_empty_rows: number[];
        };
        Key: {
            /** Format: uuid */
            id: string;
            /** @description The first characters, to tell keys apart. */
            prefix: string;
            name: string;
            scopes: string[];
            /** @description Whether it is a sandbox key. */
            sandbox: boolean;
            /** @description The key's own limit; null: only the account's limit applies. */
            rate_limit_per_second: number | null;
            /**
             * Format: date-time
             * @description When the key expires; null: never.
             */
            expires_at: string | null;
            /** @description The key's own quota; null: only the account's applies. */
            monthly_quota: number | null;
            /**
             * Format: uuid
             * @description The key that made it, whose limits it shares; null: the operator did.
             */
            made_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Units that the key, and the keys that it made, have used this month, from the quota or credits. */
            usage_count: number;
            /** @description Active keys that it made, and that they made: `with_made` revokes so many with it. */
            made_count: number;
            /** Format: date-time */
            last_used_at: string | null;
        };
        KeyChange: {
            name?: components["schemas"]["Name"];
            /** @description Requests per second of this key and the keys that it makes, within the account's limit; null: only that limit applies. */
            rate_limit_per_second?: number | null;
            /**
             * @description When the key expires, in the future. A date means its start in UTC; null: never.
             * @example 2027-07-01
             * @example 2027-07-01T09:00:00Z
             */
            expires_at?: string | null;
            /** @description Units that the key, and the keys that it makes, may use per calendar month (UTC), within the account quota; null: only that quota applies. */
            monthly_quota?: number | null;
        };
        KeyEvent: {
            /** @enum {unknown} */
            type: "key.created";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
                scopes: string[];
                sandbox: boolean;
                rate_limit_per_second: number | null;
                monthly_quota: number | null;
                /** Format: date-time */
                expires_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                made_by: string | null;
            };
        };
        KeyPage: {
            data: components["schemas"]["Key"][];
            next_cursor: string | null;
        };
        /** @description A JWK set (RFC 7517, 8037). */
        KeySet: {
            keys: {
                [key: string]: string;
            }[];
        };
        Keys: {
            data: components["schemas"]["Key"][];
        };
        /** @description All, or vertical and horizontal. */
        LabelSpacing: number | number[];
        Link: {
            /** @description The slug that the code encodes. Earlier slugs also lead to the link. */
            slug: string;
            destination: string;
            /** Format: date-time */
            active_from: string | null;
            /** Format: date-time */
            active_until: string | null;
            before_destination: string | null;
            after_destination: string | null;
            /**
             * @description `scheduled`: before `active_from`. `expired`: from `active_until` on. `active`: otherwise.
             * @enum {unknown}
             */
            status: "active" | "scheduled" | "expired";
            /** @description What the code encodes. */
            short_url: string;
            /** Format: uuid */
            code_id: string;
            /** Format: uuid */
            folder_id: string;
            /** @description Your own id for it; null: none. */
            external_id: string | null;
            tags: string[];
            /** @description Scans by people since its creation. */
            scan_count: number;
            scans: components["schemas"]["ScanKinds"];
            /** Format: date-time */
            last_scan_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            etag: components["schemas"]["Version"];
        };
        LinkChange: {
            /** @description The slug that the code encoded. */
            slug: string;
            destination: string;
            /** Format: date-time */
            active_from: string | null;
            /** Format: date-time */
            active_until: string | null;
            before_destination: string | null;
            after_destination: string | null;
            /** Format: date-time */
            at: string;
            /** @description The id of a bulk change; null: it was changed alone. */
            change_id: string | null;
            /** @description The API key that made the change, which may be revoked by now; null: the operator. */
            key: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
            } | null;
        };
        LinkChangePage: {
            data: components["schemas"]["LinkChange"][];
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description No entry since then is missing. It is when the thing was made, unless older entries were removed.
             */
            complete_since: string;
        };
        LinkPage: {
            data: components["schemas"]["Link"][];
            next_cursor: string | null;
        };
        LinkPatch: {
            /** @description An absolute http or https URL without credentials that is not one of our short links. */
            destination?: string;
            /**
             * Format: date-time
             * @description When the link starts to lead to `destination`; null: immediately.
             */
            active_from?: string | null;
            /**
             * Format: date-time
             * @description When it stops leading there; null: never.
             */
            active_until?: string | null;
            /** @description Where it leads before `active_from`; null: same as a deleted link. */
            before_destination?: string | null;
            /** @description Where it leads from `active_until` on; null: same as a deleted link. */
            after_destination?: string | null;
            /** @description Your own id for the code, for example that of a product. Several codes may have the same one. */
            external_id?: string | null;
            /** @description At most 20, each once: trimmed, 1 to 64 characters. */
            tags?: string[];
            /** @description A slug of your own: 3 to 64 letters, digits, `-` and `_`, with a letter or digit at both ends. The code encodes it from now on; earlier slugs keep working. */
            slug?: string;
        };
        LinkScans: {
            slug: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            interval: string;
            time_zone: string;
            totals: components["schemas"]["ScanTotals"];
            /** @description Every interval of the range, including empty ones. */
            series: components["schemas"]["ScanInterval"][];
            /**
             * Format: date-time
             * @description No scan since then is missing. Earlier ones are no longer kept, and not counted here; a link still has its `scan_count`. null: all are kept.
             */
            complete_since: string | null;
            breakdowns: {
                device: components["schemas"]["ScanGroup"][];
                os: components["schemas"]["ScanGroup"][];
                browser: components["schemas"]["ScanGroup"][];
                country: components["schemas"]["ScanGroup"][];
                referrer_host: components["schemas"]["ScanGroup"][];
            };
        };
        LinksEvent: {
            /** @enum {unknown} */
            type: "link.changed";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                change_id: string | null;
                /** Format: uuid */
                key_id: string | null;
                count: number;
                slugs: string[];
                /** @description The first 10. */
                links: {
                    slug: string;
                    short_url: string;
                    /** Format: uuid */
                    code_id: string;
                    /** @description The names of the changed fields. */
                    changed: string[];
                    destination: string;
                    /** Format: date-time */
                    active_from: string | null;
                    /** Format: date-time */
                    active_until: string | null;
                    before_destination: string | null;
                    after_destination: string | null;
                }[];
            };
        };
        LinksSummary: {
            /** @description Short links that work. */
            links: number;
            people: number;
            bots: number;
            previews: number;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        /**
         * Format: logo-source
         * @description Logo in the centre: an http(s) URL or a base64 `data:image/...` URI.
         */
        LogoSource: string;
        ManyItemsChanged: {
            /**
             * Format: uuid
             * @description The id that undoes the change; null: nothing changed.
             */
            change_id: string | null;
            items: number;
            /** @description The other items already had these links. */
            changed: number;
        };
        ManyItemsPatch: {
            /** @description Ids of your items. A repeated id counts once. */
            ids?: string[];
            /** @description Instead of `ids`: all items whose key is this or starts with it. */
            key?: string;
            change: components["schemas"]["ItemsChange"];
        };
        ManyLinksChanged: {
            /**
             * Format: uuid
             * @description The id that undoes the change; null: nothing changed.
             */
            change_id: string | null;
            links: number;
            /** @description The other links already had these values. */
            changed: number;
        };
        ManyLinksPatch: {
            slugs?: string[];
            /**
             * Format: uuid
             * @description Instead of `slugs`: all short links of a folder.
             */
            folder_id?: string;
            /** @description Instead of `slugs`: all short links whose codes have this tag. */
            tag?: string;
            change: components["schemas"]["RouteChange"];
        };
        /** @description Padding in pixels. Absent: a quiet zone of four modules. */
        Margin: number;
        MoveCodes: {
            /** @description Ids of your codes. If any of them is not yours, the whole call fails with a 404. */
            ids?: string[];
            /** @description Instead of `ids`: your codes with this tag, at most 1000. */
            tag?: string;
            /**
             * Format: uuid
             * @description One of your folders.
             */
            folder_id: string;
        };
        MovedCodes: {
            codes: number;
        };
        Name: string;
        NewAccount: {
            name: components["schemas"]["Name"];
            /** @enum {unknown} */
            plan: "free" | "pro";
            /** @description null: the plan's quota. */
            monthly_quota?: number | null;
            credits?: number;
        };
        NewItem: {
            /** @description An element string in brackets or a Digital Link URI: a primary key and its qualifiers. */
            key: string;
            links: components["schemas"]["NewItemLink"][];
        };
        NewItemLink: {
            title: string;
            /** @description The link type, such as `gs1:pip`, or the IRI of another one. */
            rel: string;
            /** @description The target: any URL that a short link may have as its destination. */
            href: string;
            /** @description Languages, such as `en` or `pt-BR`. */
            hreflang?: string[];
            /** @description A media type. */
            type?: string | null;
            /** @description Words, such as countries (`DE`). */
            context?: string[];
            /** @description Whether it is the default. For an item with only a primary key, the first link is. */
            is_default?: boolean;
        };
        /** @description Absent limits are inherited from the key that makes the call; for the operator there are none. */
        NewKey: {
            name: components["schemas"]["Name"];
            /** @description What the key may do. Absent: everything that its creator may do. */
            scopes?: ("generate" | "render" | "manage")[];
            /** @description Whether it is a sandbox key: its pictures are marked, nothing is charged or saved, and only `generate` and `render` are allowed. Default: false. */
            sandbox?: boolean;
            /** @description Requests per second of this key and the keys that it makes, within the account's limit; null: only that limit applies. */
            rate_limit_per_second?: number | null;
            /**
             * @description When the key expires, in the future. A date means its start in UTC; null: never.
             * @example 2027-07-01
             * @example 2027-07-01T09:00:00Z
             */
            expires_at?: string | null;
            /** @description Units that the key, and the keys that it makes, may use per calendar month (UTC), within the account quota; null: only that quota applies. */
            monthly_quota?: number | null;
        };
        NewPreset: {
            /** @description Unique in the account; trimmed, 1 to 200 characters. */
            name: string;
            options: components["schemas"]["PictureOptions"];
            /** @description `true` makes this the default preset, in place of any other. */
            is_default?: boolean;
        };
        NewRedeliveries: {
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description Not included; default: now.
             */
            until?: string;
            /** @description Default: those to which the webhook subscribes, and whatever it was sent. */
            types?: ("batch.done" | "batch.failed" | "batch.cancelled" | "batch.expired" | "code.created" | "link.changed" | "link.first_scan" | "scan" | "key.created" | "quota.low")[];
            /** @description Leaves the events that it has received. Default: false. */
            only_undelivered?: boolean;
        };
        NewWebhook: {
            /** @description An https URL without fragment, on port 443 or 8443 at a public address. */
            url: string;
            events: components["schemas"]["WebhookEvents"];
        };
        OperatorSession: {
            /** Format: date-time */
            expires_at: string;
        };
        OperatorSignIn: {
            /** @description The `ADMIN_TOKEN`. */
            token: string;
        };
        OwnAccount: {
            name: string;
            /** @enum {unknown} */
            plan: "free" | "pro";
            /** @description The URL to which dead short links redirect; null: none. */
            dead_link_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        OwnAccountPatch: {
            dead_link_url: components["schemas"]["DeadLinkUrl"];
        };
        /**
         * Format: css-color
         * @description Opaque colour behind translucent parts of an EPS. Absent: white.
         * @example #1a2b3c
         */
        Paper: string;
        PictureOptions: {
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            shape?: "square" | "circle";
            image?: components["schemas"]["LogoSource"];
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
        };
        Preset: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Whether this is the default preset. */
            is_default: boolean;
            options: components["schemas"]["PictureOptions"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            etag: components["schemas"]["Version"];
        };
        PresetChange: {
            /** @description Unique in the account; trimmed, 1 to 200 characters. */
            name?: string;
            options?: components["schemas"]["PictureOptions"];
            /** @description `true` makes this the default preset, in place of any other. */
            is_default?: boolean;
        };
        PresetPage: {
            data: components["schemas"]["Preset"][];
            next_cursor: string | null;
        };
        PreviewedDuplicate: {
            row: number;
            /** @description Its row in the file. */
            file_row: number;
            external_id: string | null;
            first_row: number;
            first_file_row: number;
            /** @enum {unknown} */
            kind: "value" | "gs1-key" | "content";
            refused: boolean;
        };
        QrOptions: {
            /** @description Version of the symbol. 0: the smallest that fits. Default: 0. */
            typeNumber?: number;
            /**
             * @description Absent: by content. Not together with `segments: optimal`.
             * @enum {unknown}
             */
            mode?: "Numeric" | "Alphanumeric" | "Byte" | "Kanji";
            /**
             * @description Absent: Q, or lower when the content needs it.
             * @enum {unknown}
             */
            errorCorrectionLevel?: "L" | "M" | "Q" | "H";
            /**
             * @description `optimal`: the shortest sequence of segments in any modes, Kanji included. Default: `single`.
             * @enum {unknown}
             */
            segments?: "single" | "optimal";
            /** @description Marks characters outside ASCII in Byte mode as UTF-8 (ECI 26). Default: false. */
            eci?: boolean;
            /** @description Uses the highest error correction level that fits the version. Default: false. */
            boost?: boolean;
            /**
             * @description `data` must be a valid GS1 Digital Link URI, or a valid element string, which gets FNC1 in first position.
             * @enum {unknown}
             */
            gs1?: "digital-link" | "element-string";
        };
        QrRequest: {
            data: components["schemas"]["Data"];
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description Default: `square`.
             * @enum {unknown}
             */
            shape?: "square" | "circle";
            image?: components["schemas"]["LogoSource"];
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
        };
        QrResponse: {
            /** @enum {boolean} */
            success: true;
            /** @description PNG as a data URL. */
            data: string;
            meta: {
                /** @description Units used this period. */
                usage_count: number;
                /** @description Units left of the monthly quota, plus the credits. */
                remaining: number;
                /** @enum {unknown} */
                strategy: "monthly" | "credits";
            };
        };
        QuotaEvent: {
            /** @enum {unknown} */
            type: "quota.low";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: date */
                period: string;
                monthly_quota: number;
                monthly_used: number;
                credits: number;
                remaining: number;
                /** Format: date-time */
                resets_at: string;
            };
        };
        Readiness: {
            /** @enum {string} */
            status: "ok";
            /** @description Memory used and left in Redis, if it has a limit. */
            note?: string;
        };
        Receipt: {
            statement: {
                [key: string]: unknown;
            };
            /** @description The signature of the statement. */
            jws: string;
            codes: {
                [key: string]: unknown;
            }[];
        };
        Redeliveries: {
            /** @description Deliveries that wait now. */
            count: number;
            /**
             * Format: date-time
             * @description The span has more events: repeat the call with this `since`.
             */
            next_since: string | null;
        };
        RouteChange: {
            /** @description An absolute http or https URL without credentials that is not one of our short links. */
            destination?: string;
            /**
             * Format: date-time
             * @description When the link starts to lead to `destination`; null: immediately.
             */
            active_from?: string | null;
            /**
             * Format: date-time
             * @description When it stops leading there; null: never.
             */
            active_until?: string | null;
            /** @description Where it leads before `active_from`; null: same as a deleted link. */
            before_destination?: string | null;
            /** @description Where it leads from `active_until` on; null: same as a deleted link. */
            after_destination?: string | null;
        };
        ScanGroup: {
            /** @description null: the value is not known. (other): all values without a row. */
            value: string | null;
            people: number;
            bots: number;
            previews: number;
        };
        ScanInterval: {
            /** Format: date-time */
            start: string;
            people: number;
            bots: number;
            previews: number;
            /** @description People, each counted once per UTC day. */
            unique_visitors: number;
        };
        /** @description The same count, plus visits of bots and previews. */
        ScanKinds: {
            people: number;
            bots: number;
            previews: number;
        };
        ScanTotals: {
            people: number;
            bots: number;
            previews: number;
            /** @description People, each counted once per UTC day. */
            unique_visitors: number;
        };
        ScansEvent: {
            /** @enum {unknown} */
            type: "scan";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
                people: number;
                bots: number;
                previews: number;
                links: number;
                /** @description The 100 with the most scans by people. */
                codes: {
                    /** Format: uuid */
                    code_id: string | null;
                    slug: string;
                    short_url: string;
                    people: number;
                    bots: number;
                    previews: number;
                }[];
            };
        };
        Session: {
            account: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @enum {unknown} */
                plan: "free" | "pro";
            };
            /** @description The scopes of the key, which are also those of the session. */
            scopes: string[];
            /** Format: date-time */
            expires_at: string;
            /** @description The part of Digital Link URIs before their paths; null: there is no resolver. */
            resolver_url: string | null;
        };
        SheetsRequest: {
            /** @description In place of `page`, columns and rows. */
            template?: string;
            page?: {
                /** @enum {unknown} */
                size?: "A4" | "Letter" | "A3" | "SRA3";
                width_mm?: number;
                height_mm?: number;
            };
            label?: {
                columns?: number;
                rows?: number;
                margin_mm?: components["schemas"]["LabelSpacing"];
                gap_mm?: components["schemas"]["LabelSpacing"];
                /** @description With the quiet zone; default: the largest that fits. */
                code_mm?: number;
                /** @description Text with `{content}`, `{name}`, `{external_id}`, `{id}`, `{slug}`, `{file}`, `{index}`, `{gs1}` and `{gtin}`. */
                caption?: string;
                /**
                 * @description Default: `below`.
                 * @enum {unknown}
                 */
                caption_side?: "above" | "below" | "beside";
            };
            /** @description What labels may lose: `cut` the end of captions that do not fit, `glyphs` characters that the font lacks, `codes` those that can no longer be drawn. Without it such labels are refused. */
            allow?: ("cut" | "glyphs" | "codes")[];
            /** @description Refuses codes that tills might fail to read. Default: false. */
            till?: boolean;
            /** @description Default: false. */
            crop_marks?: boolean;
            /** @description Default: 0. */
            bleed_mm?: number;
            /** @description First label used. Default: 1. */
            start_at?: number;
            /**
             * @description Default: `rows`.
             * @enum {unknown}
             */
            order?: "rows" | "columns";
            /** @description Default: 1. */
            copies?: number;
        };
        SignIn: {
            /** @description An API key with the scope `manage`. */
            key: string;
        };
        SignedUrl: {
            /** @description The URL of the picture. */
            url: string;
            /** Format: uuid */
            secret_id: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        SignedUrlRequest: {
            data?: components["schemas"]["Data"];
            width?: components["schemas"]["SizePx"];
            height?: components["schemas"]["SizePx"];
            margin?: components["schemas"]["Margin"];
            /** @enum {unknown} */
            shape?: "square" | "circle";
            qrOptions?: components["schemas"]["QrOptions"];
            imageOptions?: components["schemas"]["ImageOptions"];
            dotsOptions?: components["schemas"]["DotsOptions"];
            cornersSquareOptions?: components["schemas"]["CornersOptions"];
            cornersDotOptions?: components["schemas"]["CornersOptions"];
            backgroundOptions?: components["schemas"]["BackgroundOptions"];
            /**
             * Format: uuid
             * @description A saved code, in place of `data`; of the options it takes `width` alone.
             */
            code?: string;
            /** @description Id or name of a preset, or `default`, under the other options; not with `code`. */
            preset?: string;
            /** @description Unix time in seconds at which the address ends; absent: never. */
            expires?: number;
            /**
             * @description Default: `png`.
             * @enum {unknown}
             */
            format?: "png" | "svg";
            /**
             * Format: uuid
             * @description The secret that signs; absent: the newest one.
             */
            secret_id?: string;
        };
        SigningSecret: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The key that made it, which its pictures are charged to; the secret is void once that is revoked.
             */
            key_id: string;
            /**
             * Format: date-time
             * @description When that key expires; null: never.
             */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        SigningSecretPage: {
            data: components["schemas"]["SigningSecret"][];
            next_cursor: string | null;
        };
        /** @description Pixels. */
        SizePx: number;
        Status: {
            /** @enum {string} */
            status: "ok";
        };
        TestEvent: {
            /** @enum {unknown} */
            type: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                webhook_id: string;
            };
        };
        Usage: {
            /** @enum {unknown} */
            plan: "free" | "pro";
            /**
             * @description The first day of the calendar month (UTC).
             * @example 2026-11-01
             */
            period: string;
            monthly_quota: number;
            monthly_used: number;
            /** @description Credits left. */
            credits: number;
            /** @description Units used this period, from the quota or credits. */
            usage_count: number;
            /** @description What is left of the monthly quota, plus the credits. */
            remaining: number;
            /** Format: date-time */
            resets_at: string;
        };
        UsageBefore: {
            /** Format: date-time */
            until: string;
            /** @description Calls that used units. */
            calls: number;
            /** @description `monthly` and `credits` together. */
            units: number;
            /** @description Units of the monthly quota, less those refunded in this interval. */
            monthly: number;
            /** @description Units paid with credits, less those refunded in this interval. */
            credits: number;
            /** @description Refunded units, already subtracted. */
            refunded: number;
            /** @description Credits refunded after the month in which they were used. Not subtracted, because they belong to that month. */
            refunded_late: number;
        };
        UsageHistory: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            interval: string;
            total: components["schemas"]["UsageTotal"];
            /** @description In chronological order; within an interval, largest first. Intervals without usage are omitted. */
            data: components["schemas"]["UsageInterval"][];
            /** @description What was used before usage is kept by day: of earlier days only this sum is left. null: usage is kept from the first day on. */
            before: components["schemas"]["UsageBefore"] | null;
        };
        UsageInterval: {
            /** Format: date-time */
            from: string;
            key?: components["schemas"]["UsageKey"];
            /**
             * @description With `group=kind`.
             * @enum {unknown}
             */
            kind?: "single" | "code" | "bulk" | "image" | "batch";
            /** @description Calls that used units. */
            calls: number;
            /** @description `monthly` and `credits` together. */
            units: number;
            /** @description Units of the monthly quota, less those refunded in this interval. */
            monthly: number;
            /** @description Units paid with credits, less those refunded in this interval. */
            credits: number;
            /** @description Refunded units, already subtracted. */
            refunded: number;
            /** @description Credits refunded after the month in which they were used. Not subtracted, because they belong to that month. */
            refunded_late: number;
        };
        /** @description With `group=key`. */
        UsageKey: {
            /** Format: uuid */
            id: string;
            /** @description null: the key is no longer known. */
            name: string | null;
            /** @description The first characters, to tell keys apart. */
            prefix: string | null;
        };
        UsageTotal: {
            /** @description Calls that used units. */
            calls: number;
            /** @description `monthly` and `credits` together. */
            units: number;
            /** @description Units of the monthly quota, less those refunded in this interval. */
            monthly: number;
            /** @description Units paid with credits, less those refunded in this interval. */
            credits: number;
            /** @description Refunded units, already subtracted. */
            refunded: number;
            /** @description Credits refunded after the month in which they were used. Not subtracted, because they belong to that month. */
            refunded_late: number;
        };
        Verification: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description `null`: a verification of chosen codes.
             */
            folder_id: string | null;
            /** @enum {unknown} */
            state: "running" | "done" | "failed";
            /** @description Codes to read. */
            total: number;
            /** @description The sum of the next four fields. */
            read: number;
            passed: number;
            weak: number;
            failed: number;
            missing: number;
            /** @description Texts that several codes have. Null until it is done, as the next two. */
            duplicate_contents: number | null;
            /** @description The codes that have these texts. */
            duplicate_codes: number | null;
            /** @description Batches that added codes to the folder meanwhile; some of their codes may not have been read. */
            unfinished_batches: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        VerificationPage: {
            data: components["schemas"]["Verification"][];
            next_cursor: string | null;
        };
        /** @description The version of the fields that calls can change, with which the header `ETag` begins. Send it as `If-Match`, or as `If-None-Match` when counts of scans and codes do not matter. */
        Version: string;
        /** @description As in `Tessera-Warnings`; empty at grade 4. */
        Warnings: string;
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: string[];
            /**
             * @description `gone`: its URL returned a 410.
             * @enum {unknown}
             */
            state: "on" | "off" | "gone";
            /** @description Failed tries since the last success; those under way at the same time count once. */
            failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /** @description Deliveries that were given up. `POST /api/v1/webhooks/{id}/redeliveries` sends them again. */
            missed: number;
            /** Format: date-time */
            created_at: string;
        };
        WebhookChange: {
            /** @description An https URL without fragment, on port 443 or 8443 at a public address. */
            url?: string;
            events?: components["schemas"]["WebhookEvents"];
            /**
             * @description `on` also re-enables a webhook that is `gone`.
             * @enum {unknown}
             */
            state?: "on" | "off";
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description That of its event, and the `webhook-id` of each try.
             */
            id: string;
            event: string;
            data: {
                [key: string]: unknown;
            };
            /** @enum {unknown} */
            state: "waiting" | "delivered" | "failed";
            tries: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            tried_at: string | null;
            /** Format: date-time */
            next_at: string | null;
            duration_ms: number | null;
            status: number | null;
            /** @description The first 1,000 bytes of the answer. */
            answer: string | null;
            /** @description Why there was no answer, or why it was given up. */
            error: string | null;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            next_cursor: string | null;
        };
        /** @description The events sent to it; empty: only those of batches that name it. */
        WebhookEvents: ("batch.done" | "batch.failed" | "batch.cancelled" | "batch.expired" | "code.created" | "link.changed" | "link.first_scan" | "scan" | "key.created" | "quota.low")[];
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            next_cursor: string | null;
        };
        WebhookSecret: {
            /**
             * Format: uuid
             * @description The id of the secret, needed to delete it.
             */
            id: string;
            /** Format: date-time */
            created_at: string;
        };
        WebhookSecretPage: {
            data: components["schemas"]["WebhookSecret"][];
            next_cursor: string | null;
        };
    };
    responses: {
        /** @description One object a line. */
        200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/x-ndjson": string;
            };
        };
        /** @description Done. */
        204: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not modified: the version in `If-None-Match` is current. */
        304: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `Malformed request`: the request is not valid HTTP: a raw byte in the path, two lengths for the body, a second `Host`, `Authorization` or `Content-Type`, an unknown method. `Malformed JSON`: the body is not JSON in UTF-8. `Malformed body`: the rows of a batch end early, arrive too slowly or do not match their `Content-Encoding` or `Content-Digest`, or NDJSON has no rows, or CSV has none below its header. `Unclear encoding`: CSV has text that is not UTF-8 and no `charset` in its `Content-Type`, or bytes that are not in this encoding; `readings` has how the row reads in others. `Invalid request body`: a field of the body is wrong or unknown, or makes the grade lower than `Tessera-Min-Grade`. `Invalid query parameters`: a query parameter is wrong, or makes the grade lower than `Tessera-Min-Grade`. `Invalid path parameters`: an id in the path, or a parameter of a signed picture, is wrong. `Invalid request header`: the `Idempotency-Key`, `Tessera-Min-Grade`, `Tessera-Repair`, `Tessera-Results` or `Design` is malformed, `Tessera-Preset` names none of your presets, or the call does not support this header. */
        400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Missing or invalid API key`: the call has no key or session, or its key is malformed, unknown or expired. `Missing or invalid admin token`: the admin token is missing or wrong. */
        401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Pro plan required`: an account on the Free plan sends a bulk call or a batch. `Not for sandbox keys`: a sandbox key makes a call that does not make or check codes. `API key lacks a scope`: the key may not make this call. `Signature refused`: the signature does not match the address of the picture, the secret was deleted, its key was revoked or has expired, or the address has expired. `Cross-site request refused`: another site sends a write with the dashboard's cookie. */
        403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Not found`: the path does not exist, or nothing in your account has this id. */
        404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `No acceptable format`: `Accept` allows none of the formats of the call. */
        406: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Name already taken`: another folder or preset of yours has this name, the slug is taken or looks like a taken one, or one of your codes already has an `external_id` that must be unique. `Limit reached`: the account already has the maximum number of folders, keys, presets, signing secrets, batches, uploads, counters, items, webhooks or running verifications, or the link has that of slugs, or the webhook that of secrets, or the key is the ninth in a line of keys that made each other. `Request still running`: the first call with this `Idempotency-Key` has not ended. `Upload offset mismatch`: a chunk of an upload does not begin where the upload ends; `Upload-Offset` says where that is. `Still in use`: the item of the resolver cannot be deleted, because other items of its primary key use its default link. `Webhook is off`: the call sends a test or a delivery to a webhook that is `off` or `gone`. `Only secret`: the call would delete the only secret of a webhook. */
        409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Changed meanwhile`: what the call would change or delete has an `etag` that is not in `If-Match`. */
        412: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Request body too large`: the body is over the limit. */
        413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Unsupported media type`: the body is not `application/json` (for a batch: not NDJSON, CSV or XLSX), its `charset` is none that can be decoded (for JSON: not UTF-8), or the call does not support its `Content-Encoding`. */
        415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Idempotency-Key reused`: the `Idempotency-Key` was used with another request. `Reference reused`: the `reference` was used with another amount. */
        422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Quota exhausted`: the account, or the own quota of the key or of one that made it, has fewer units left than the call needs. `Rate limit exceeded`: the account, its key or a key that made it, with all that it made, sends too many requests a second, its signed pictures are requested too often, the account uses too much free work, runs too many searches, previews, checks, archives or sheets or sends too many batches at once, or the address sends too many unknown keys or signing secrets, wrong admin tokens or unfinished bodies. */
        429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Request header fields too large`: the path and the header fields are over 16 KiB. */
        431: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Internal error`: the service has a fault, or its renderer fails on this picture; the log says more under the `X-Request-Id`. */
        500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Service overloaded`: the render queue is full, a picture or its logo was not ready in time, or too many logos, large bodies, batches or archives are under way; nothing was charged. `Time limit reached`: the database needs longer for the call than it may take: ask for less, or try again when it is less busy; nothing was charged. `Service unavailable`: Redis, the database or the store of batches is unavailable or too slow, or the gateway is shutting down; nothing was charged. */
        503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Done. */
        "204-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Upload-Offset": components["headers"]["Upload-Offset"];
                "Upload-Complete": components["headers"]["Upload-Complete"];
                "Upload-Limit": components["headers"]["Upload-Limit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Done. */
        "204-3": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Done. */
        "204-4": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Received. Any other status is retried; a 410 stops deliveries. */
        "2XX": {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not modified: the version in `If-None-Match` is current. */
        "304-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The same error as in other calls, as plain text. */
        "401Text": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The same error as in other calls, as plain text. */
        "429Text": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The same error as in other calls; a page for browsers. */
        "500-2": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description The same error as in other calls, as plain text. */
        "503Text": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Accepted. */
        Batch202: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        /** @description OK. */
        ChangedCodes200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedCodes"];
            };
        };
        /** @description OK. */
        Check200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Server-Timing": components["headers"]["Server-Timing"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Check"];
            };
        };
        /** @description OK. */
        LinkScans200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LinkScans"];
            };
        };
        /** @description OK. */
        ManyItemsChanged200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManyItemsChanged"];
            };
        };
        /** @description OK. */
        ManyLinksChanged200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManyLinksChanged"];
            };
        };
        /** @description The receipt. */
        Receipt200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Disposition": components["headers"]["Content-Disposition"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Receipt"];
                "text/html": string;
            };
        };
        /** @description OK. */
        Verification200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Verification"];
            };
        };
        /** @description Accepted. */
        Verification202: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Verification"];
            };
        };
        /** @description OK. */
        VerificationPage200: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VerificationPage"];
            };
        };
        /** @description Accepted. */
        WebhookDelivery202: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDelivery"];
            };
        };
    };
    parameters: {
        /** @description Background beyond each side. */
        BleedMmParameter: number;
        /** @description Colour space of PDF and EPS; black is K only in both. */
        ColorParameter: "rgb" | "cmyk";
        /** @description Maps fields to columns of CSV or XLSX, as JSON: `{"data": "Web address", "name": "Title", "width": null}`; `null`: no column. */
        ColumnsParameter: string;
        /** @description The `next_cursor` of the previous page. */
        CursorParameter: string;
        /** @description The `next_cursor` of the previous page, in the same order. */
        "CursorParameter-2": string;
        /** @description `BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a row. */
        DesignParameter: string;
        /** @description Dots per inch of PNG and WebP. */
        DpiParameter: number;
        /** @description What to do about rows that repeat an earlier one. `refuse-keys`: the same GS1 key of a single thing, or the same value in the column `unique`, is an error; the same content is reported. `refuse`: each is an error. `report`: none is. */
        DuplicatesParameter: "refuse-keys" | "refuse" | "report";
        /** @description Only those with this id of your own. */
        ExternalIdParameter: string;
        /** @description Only those of this folder. */
        FolderIdParameter: string;
        FormatParameter: "json" | "html";
        /** @description Formats, separated by commas. */
        "FormatParameter-2": string;
        /** @description The start. Absent: 2 days, 30 days or a year before `to`, depending on `interval`. A date means its start in the time zone. */
        FromParameter: string;
        /** @description The start. Absent: the beginning of the month of `to`. A date means its start in UTC. */
        "FromParameter-2": string;
        /** @description Divides each interval by API key, or by kind of call. */
        GroupParameter: "key" | "kind";
        IdParameter: string;
        /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`. */
        IdempotencyKeyParameter: string;
        /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
        "IdempotencyKeyParameter-2": string;
        /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
        IfMatchParameter: string;
        IntervalParameter: "hour" | "day" | "month";
        LimitParameter: number;
        /** @description Side of a module; not with `width_mm`. */
        ModuleMmParameter: number;
        NameParameter: string;
        /** @description What to do with columns that match no field. */
        OtherColumnsParameter: "refuse" | "skip";
        /**
         * @description Opaque colour behind translucent parts of an EPS. Absent: white.
         * @example #1a2b3c
         */
        PaperParameter: string;
        /** @description Modules on each side; 4 by default. */
        QuietZoneParameter: number;
        SlugParameter: string;
        /** @description `name`: A to Z, and then the codes without a name. `scans`: by people since the creation of the link, and then the codes without scans. */
        SortParameter: "newest" | "oldest" | "name" | "scans";
        /** @description Only those with this tag. */
        TagParameter: string;
        /** @description Refuses pictures of a lower grade, free of charge. */
        TesseraMinGradeParameter: number;
        /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
        TesseraPresetParameter: string;
        /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
        TesseraRepairParameter: "true";
        /** @description The text below: nothing, or the human-readable GS1 data. */
        TextParameter: "none" | "gs1";
        /** @description Refuses codes that tills might fail to read; sets the size. */
        TillParameter: boolean;
        /**
         * @description The IANA time zone of the days and months.
         * @example Europe/Berlin
         */
        TimeZoneParameter: string;
        /** @description The end (exclusive). Absent: now. A date means its start in the time zone. */
        ToParameter: string;
        /** @description The end (exclusive). Absent: now. A date means its start in UTC. */
        "ToParameter-2": string;
        /** @description A field whose values must be unique, and that every row must have: `data`, `external_id`, `name`, `file`, `slug`, a GS1 column, or a column that a template names. */
        UniqueParameter: string;
        VidParameter: string;
        /** @description Side of the picture without its bleed. */
        WidthMmParameter: number;
        /** @description Whether the keys that it made, and those that they made, are revoked with it. */
        WithMadeParameter: boolean;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request: the one that was sent, or a new one. It is also in the log of the service. */
        "X-Request-Id": string;
        /** @description The limits: `burst`, the account's requests per second; `key`, those of a key with its own limit; and, if the call reads the balance, `monthly`, the account's units per calendar month. */
        "RateLimit-Policy": string;
        /** @description What is left of each limit, and the seconds until it is fully available again. */
        RateLimit: string;
        /** @description Seconds to wait before retrying. */
        "Retry-After": number;
        /** @description Send it as `If-None-Match`: 304 if nothing has changed. Strong for a picture or file, and for one thing that has an `etag`, with which it begins; weak for other answers. */
        ETag: string;
        /** @description `bytes`. */
        "Accept-Ranges": string;
        /** @description The range of bytes returned. */
        "Content-Range": string;
        /** @description Who may cache the answer. */
        "Cache-Control": string;
        /** @description A name for the file. */
        "Content-Disposition": string;
        /** @description The destination, or the URL of what was made. */
        Location: string;
        /** @description Bytes of the upload stored so far. */
        "Upload-Offset": number;
        /** @description `?1` if the upload has become a batch, else `?0`. */
        "Upload-Complete": string;
        /** @description Maximum bytes of the upload and of a chunk, and seconds until the upload expires. */
        "Upload-Limit": string;
        /** @description When something that the request used was deprecated (RFC 9745). */
        Deprecation: string;
        /** @description The earliest time at which it may stop working (RFC 8594). */
        Sunset: string;
        /** @description The `cursor` of the next page; the last page has none. */
        "Tessera-Next-Cursor": string;
        /** @description No scan since then is missing; earlier ones are no longer kept. Absent: all are kept. */
        "Tessera-Complete-Since": string;
        /** @description Milliseconds spent in the ledger, in the queue and in a render thread. */
        "Server-Timing": string;
        /** @description `true` if this replays the first answer to the `Idempotency-Key`. */
        "Idempotent-Replayed": string;
        /** @description The preference in `Prefer` that was applied: `return=minimal`. */
        "Preference-Applied": string;
        /** @description Units used this period. */
        "X-QR-Usage": number;
        /** @description How well readers read the picture, 0 to 4; for a bulk call, the lowest grade. */
        "Tessera-Grade": number;
        /** @description Why the grade is below 4: a list (RFC 8941) of words, such as `logo-damage;v=0.61`. */
        "Tessera-Warnings": string;
        /** @description The grade of each item, in order: a list (RFC 8941); `none` where there is no picture. */
        "Tessera-Grades": string;
        /** @description Warnings and their items: `(contrast;v=0.31);items="0-4 7"`. */
        "Tessera-Item-Warnings": string;
        /** @description What `Tessera-Repair` changed: a list (RFC 8941), such as `level;v=H`. */
        "Tessera-Repaired": string;
        /** @description Modules per side. */
        "Tessera-Modules": number;
        /** @description Pixels per module. */
        "Tessera-Module-Px": number;
        /** @description Modules of quiet zone. */
        "Tessera-Quiet-Zone": number;
        /** @description Share of the code that the logo covers. */
        "Tessera-Logo-Cover": number;
        /** @description Pages of the document. */
        "Tessera-Pages": number;
        /** @description Captions that lost what `allow` names: `cut=12, glyphs=600` (RFC 8941). */
        "Tessera-Captions": string;
        /** @description How many codes could no longer be drawn, as `allow` permits, and which, counted from 1: `3;indexes="12 40-41"` (RFC 8941). A long list ends with `...`. */
        "Tessera-Missing-Codes": string;
        /** @description Batches that are still adding codes here; some of their rows may be missing in this answer. */
        "Tessera-Unfinished-Batches": number;
        /** @description Error correction level. */
        "Tessera-Level": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: components["responses"]["400"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["400"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/",
                 *       "width": 600,
                 *       "height": 600,
                 *       "dotsOptions": {
                 *         "type": "rounded",
                 *         "color": "#1a4b8c"
                 *       },
                 *       "cornersSquareOptions": {
                 *         "type": "rounded"
                 *       },
                 *       "backgroundOptions": {
                 *         "color": "white"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Tessera-Repaired": components["headers"]["Tessera-Repaired"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QrResponse"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createFile: {
        parameters: {
            query?: {
                /** @description Side of a module; not with `width_mm`. */
                module_mm?: components["parameters"]["ModuleMmParameter"];
                /** @description Side of the picture without its bleed. */
                width_mm?: components["parameters"]["WidthMmParameter"];
                /** @description Dots per inch of PNG and WebP. */
                dpi?: components["parameters"]["DpiParameter"];
                /** @description Modules on each side; 4 by default. */
                quiet_zone?: components["parameters"]["QuietZoneParameter"];
                /** @description Background beyond each side. */
                bleed_mm?: components["parameters"]["BleedMmParameter"];
                /** @description Colour space of PDF and EPS; black is K only in both. */
                color?: components["parameters"]["ColorParameter"];
                /**
                 * @description Opaque colour behind translucent parts of an EPS. Absent: white.
                 * @example #1a2b3c
                 */
                paper?: components["parameters"]["PaperParameter"];
                /** @description The text below: nothing, or the human-readable GS1 data. */
                text?: components["parameters"]["TextParameter"];
                /** @description Refuses codes that tills might fail to read; sets the size. */
                till?: components["parameters"]["TillParameter"];
            };
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/",
                 *       "width": 600,
                 *       "height": 600,
                 *       "dotsOptions": {
                 *         "type": "rounded",
                 *         "color": "#1a4b8c"
                 *       },
                 *       "cornersSquareOptions": {
                 *         "type": "rounded"
                 *       },
                 *       "backgroundOptions": {
                 *         "color": "white"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrRequest"];
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Tessera-Repaired": components["headers"]["Tessera-Repaired"];
                    "X-QR-Usage": components["headers"]["X-QR-Usage"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/pdf": string;
                    "application/postscript": string;
                    "image/webp": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            406: components["responses"]["406"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter"];
                /** @description Each result also has `id`, `short_url`, `name`, `grade` and `external_id`, each null if there is none. */
                "tessera-results"?: "full";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folderName": "Spring campaign",
                 *       "items": [
                 *         {
                 *           "data": "Table 1"
                 *         },
                 *         {
                 *           "data": "https://example.com/menu",
                 *           "dynamic": true,
                 *           "width": 500,
                 *           "height": 500
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Tessera-Grades": components["headers"]["Tessera-Grades"];
                    "Tessera-Item-Warnings": components["headers"]["Tessera-Item-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResponse"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    renderCode: {
        parameters: {
            query: {
                /**
                 * @description Content to encode. Any text; written as UTF-8.
                 * @example https://example.com/
                 */
                content: string;
                /** @description Pixels. */
                width?: number;
                /**
                 * @description A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.
                 * @example #1a2b3c
                 */
                dark?: string;
                /**
                 * @description A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.
                 * @example #1a2b3c
                 */
                light?: string;
            };
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "X-QR-Usage": components["headers"]["X-QR-Usage"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            304: components["responses"]["304-2"];
            400: components["responses"]["401Text"];
            401: components["responses"]["401Text"];
            403: components["responses"]["401Text"];
            429: components["responses"]["429Text"];
            431: components["responses"]["431"];
            500: components["responses"]["401Text"];
            503: components["responses"]["503Text"];
        };
    };
    preflightRender: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Any origin may make the request. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["401Text"];
            415: components["responses"]["401Text"];
            431: components["responses"]["431"];
            500: components["responses"]["401Text"];
            503: components["responses"]["503Text"];
        };
    };
    checkCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/",
                 *       "width": 600,
                 *       "height": 600,
                 *       "dotsOptions": {
                 *         "type": "rounded",
                 *         "color": "#1a4b8c"
                 *       },
                 *       "cornersSquareOptions": {
                 *         "type": "rounded"
                 *       },
                 *       "backgroundOptions": {
                 *         "color": "white"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrRequest"];
            };
        };
        responses: {
            200: components["responses"]["Check200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    checkCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folderName": "Spring campaign",
                 *       "items": [
                 *         {
                 *           "data": "Table 1"
                 *         },
                 *         {
                 *           "data": "https://example.com/menu",
                 *           "dynamic": true,
                 *           "width": 500,
                 *           "height": 500
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkCheck"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    checkGsData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "(01)09521321000018(10)A7"
                 *     }
                 */
                "application/json": components["schemas"]["Gs1Request"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gs1Check"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getUsageHistory: {
        parameters: {
            query?: {
                /** @description The start. Absent: the beginning of the month of `to`. A date means its start in UTC. */
                from?: components["parameters"]["FromParameter-2"];
                /** @description The end (exclusive). Absent: now. A date means its start in UTC. */
                to?: components["parameters"]["ToParameter-2"];
                interval?: components["parameters"]["IntervalParameter"];
                /** @description Divides each interval by API key, or by kind of call. */
                group?: components["parameters"]["GroupParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateOwnAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dead_link_url": "https://example.com/this-code-has-expired"
                 *     }
                 */
                "application/json": components["schemas"]["OwnAccountPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listDeadLinkChanges: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLinkChangePage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Absent limits are inherited from the key that makes the call; for the operator there are none. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "For the newsletter",
                 *       "scopes": [
                 *         "render"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description Whether the keys that it made, and those that they made, are revoked with it. */
                with_made?: components["parameters"]["WithMadeParameter"];
            };
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "For the newsletter",
                 *       "rate_limit_per_second": 5
                 *     }
                 */
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
                /** @description Only folders whose names contain this text, ignoring case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Autumn campaign"
                 *     }
                 */
                "application/json": components["schemas"]["FolderName"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    changeFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keep": true
                 *     }
                 */
                "application/json": components["schemas"]["FolderChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getFolderArchive: {
        parameters: {
            query?: {
                /** @description Formats, separated by commas. */
                format?: components["parameters"]["FormatParameter-2"];
                /** @description Side of a module; not with `width_mm`. */
                module_mm?: components["parameters"]["ModuleMmParameter"];
                /** @description Side of the picture without its bleed. */
                width_mm?: components["parameters"]["WidthMmParameter"];
                /** @description Dots per inch of PNG and WebP. */
                dpi?: components["parameters"]["DpiParameter"];
                /** @description Modules on each side; 4 by default. */
                quiet_zone?: components["parameters"]["QuietZoneParameter"];
                /** @description Background beyond each side. */
                bleed_mm?: components["parameters"]["BleedMmParameter"];
                /** @description Colour space of PDF and EPS; black is K only in both. */
                color?: components["parameters"]["ColorParameter"];
                /**
                 * @description Opaque colour behind translucent parts of an EPS. Absent: white.
                 * @example #1a2b3c
                 */
                paper?: components["parameters"]["PaperParameter"];
                /** @description The text below: nothing, or the human-readable GS1 data. */
                text?: components["parameters"]["TextParameter"];
                /** @description Refuses codes that tills might fail to read; sets the size. */
                till?: components["parameters"]["TillParameter"];
                /** @description Only codes with this tag. */
                tag?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Tessera-Unfinished-Batches": components["headers"]["Tessera-Unfinished-Batches"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createSheets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "template": "avery-l7160",
                 *       "label": {
                 *         "caption": "{content}",
                 *         "caption_side": "beside"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SheetsRequest"];
            };
        };
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Tessera-Pages": components["headers"]["Tessera-Pages"];
                    "Tessera-Captions": components["headers"]["Tessera-Captions"];
                    "Tessera-Missing-Codes": components["headers"]["Tessera-Missing-Codes"];
                    "Tessera-Unfinished-Batches": components["headers"]["Tessera-Unfinished-Batches"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listVerifications: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["VerificationPage200"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Verification202"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
                vid: components["parameters"]["VidParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Verification200"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getReceipt: {
        parameters: {
            query?: {
                format?: components["parameters"]["FormatParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
                vid: components["parameters"]["VidParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Receipt200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listCodesVerifications: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["VerificationPage200"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createCodesVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChosenCodes"];
            };
        };
        responses: {
            202: components["responses"]["Verification202"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getCodesVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vid: components["parameters"]["VidParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Verification200"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getCodesReceipt: {
        parameters: {
            query?: {
                format?: components["parameters"]["FormatParameter"];
            };
            header?: never;
            path: {
                vid: components["parameters"]["VidParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Receipt200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listFolderCodes: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Tessera-Unfinished-Batches": components["headers"]["Tessera-Unfinished-Batches"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodePage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listCodes: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page, in the same order. */
                cursor?: components["parameters"]["CursorParameter-2"];
                limit?: components["parameters"]["LimitParameter"];
                /** @description Only codes whose content, name, own slugs or present destination includes this text, in upper or lower case. */
                search?: string;
                /** @description `name`: A to Z, and then the codes without a name. `scans`: by people since the creation of the link, and then the codes without scans. */
                sort?: components["parameters"]["SortParameter"];
                /** @description Only those of this folder. */
                folder_id?: components["parameters"]["FolderIdParameter"];
                /** @description Only those with this tag. */
                tag?: components["parameters"]["TagParameter"];
                /** @description Only those with this id of your own. */
                external_id?: components["parameters"]["ExternalIdParameter"];
                /** @description Only codes of this grade or lower. */
                max_grade?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Tessera-Unfinished-Batches": components["headers"]["Tessera-Unfinished-Batches"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeInFolderPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    saveCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter"];
                /** @description `return=minimal`: the answer has no body. Other preferences are ignored. */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/menu",
                 *       "dynamic": true,
                 *       "name": "Menu, table 7",
                 *       "folder_name": "Tables",
                 *       "tags": [
                 *         "summer",
                 *         "terrace"
                 *       ],
                 *       "external_id": "table-7",
                 *       "width": 600,
                 *       "height": 600
                 *     }
                 */
                "application/json": components["schemas"]["CodeRequest"];
            };
        };
        responses: {
            /** @description The code, or its picture; empty with `Prefer: return=minimal`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Tessera-Repaired": components["headers"]["Tessera-Repaired"];
                    "X-QR-Usage": components["headers"]["X-QR-Usage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeWithDesign"];
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/pdf": string;
                    "application/postscript": string;
                    "image/webp": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            406: components["responses"]["406"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeWithDesign"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Poster at the harbour"
                 *     }
                 */
                "application/json": components["schemas"]["CodePatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeInFolder"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    moveCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *       ],
                 *       "folder_id": "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *     }
                 */
                "application/json": components["schemas"]["MoveCodes"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovedCodes"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChosenCodes"];
            };
        };
        responses: {
            200: components["responses"]["ChangedCodes200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    restoreCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChosenIds"];
            };
        };
        responses: {
            200: components["responses"]["ChangedCodes200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getCodesArchive: {
        parameters: {
            query?: {
                /** @description Formats, separated by commas. */
                format?: components["parameters"]["FormatParameter-2"];
                /** @description Side of a module; not with `width_mm`. */
                module_mm?: components["parameters"]["ModuleMmParameter"];
                /** @description Side of the picture without its bleed. */
                width_mm?: components["parameters"]["WidthMmParameter"];
                /** @description Dots per inch of PNG and WebP. */
                dpi?: components["parameters"]["DpiParameter"];
                /** @description Modules on each side; 4 by default. */
                quiet_zone?: components["parameters"]["QuietZoneParameter"];
                /** @description Background beyond each side. */
                bleed_mm?: components["parameters"]["BleedMmParameter"];
                /** @description Colour space of PDF and EPS; black is K only in both. */
                color?: components["parameters"]["ColorParameter"];
                /**
                 * @description Opaque colour behind translucent parts of an EPS. Absent: white.
                 * @example #1a2b3c
                 */
                paper?: components["parameters"]["PaperParameter"];
                /** @description The text below: nothing, or the human-readable GS1 data. */
                text?: components["parameters"]["TextParameter"];
                /** @description Refuses codes that tills might fail to read; sets the size. */
                till?: components["parameters"]["TillParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChosenCodes"];
            };
        };
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getFolderLinksSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinksSummary"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getLinksSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChosenCodes"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinksSummary"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    setCodeDesign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "width": 600,
                 *       "height": 600,
                 *       "dotsOptions": {
                 *         "type": "rounded",
                 *         "color": "#1a4b8c"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PictureOptions"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Tessera-Repaired": components["headers"]["Tessera-Repaired"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeWithDesign"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getCodeImage: {
        parameters: {
            query?: {
                format?: "png" | "svg" | "pdf" | "eps" | "webp";
                /** @description Pixels; absent: the saved width. Height and margins in pixels are scaled with it. Not with a size in millimetres. */
                width?: number;
                /** @description Side of a module; not with `width_mm`. */
                module_mm?: components["parameters"]["ModuleMmParameter"];
                /** @description Side of the picture without its bleed. */
                width_mm?: components["parameters"]["WidthMmParameter"];
                /** @description Dots per inch of PNG and WebP. */
                dpi?: components["parameters"]["DpiParameter"];
                /** @description Modules on each side; 4 by default. */
                quiet_zone?: components["parameters"]["QuietZoneParameter"];
                /** @description Background beyond each side. */
                bleed_mm?: components["parameters"]["BleedMmParameter"];
                /** @description Colour space of PDF and EPS; black is K only in both. */
                color?: components["parameters"]["ColorParameter"];
                /**
                 * @description Opaque colour behind translucent parts of an EPS. Absent: white.
                 * @example #1a2b3c
                 */
                paper?: components["parameters"]["PaperParameter"];
                /** @description The text below: nothing, or the human-readable GS1 data. */
                text?: components["parameters"]["TextParameter"];
                /** @description Refuses codes that tills might fail to read; sets the size. */
                till?: components["parameters"]["TillParameter"];
                /** @description Any value. A new one makes browsers show a changed picture in an open page. */
                v?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/pdf": string;
                    "application/postscript": string;
                    "image/webp": string;
                };
            };
            304: components["responses"]["304-2"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page, in the same order. */
                cursor?: components["parameters"]["CursorParameter-2"];
                limit?: components["parameters"]["LimitParameter"];
                /** @description Only links that this text is a part of: of the content or name of the code, an own slug or the present destination, in upper or lower case. */
                search?: string;
                /** @description `name`: A to Z, and then the codes without a name. `scans`: by people since the creation of the link, and then the codes without scans. */
                sort?: components["parameters"]["SortParameter"];
                /** @description Only those of this folder. */
                folder_id?: components["parameters"]["FolderIdParameter"];
                /** @description Only those with this tag. */
                tag?: components["parameters"]["TagParameter"];
                /** @description Only those with this id of your own. */
                external_id?: components["parameters"]["ExternalIdParameter"];
                /** @description Only links that lead to their destination now (`active`), later (`scheduled`) or no longer (`expired`). */
                status?: "active" | "scheduled" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slugs": [
                 *         "4fGk2LmQ",
                 *         "spring-menu"
                 *       ],
                 *       "change": {
                 *         "active_until": "2026-12-31T23:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ManyLinksPatch"];
            };
        };
        responses: {
            200: components["responses"]["ManyLinksChanged200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: components["parameters"]["SlugParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                slug: components["parameters"]["SlugParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "https://example.com/autumn"
                 *     }
                 */
                "application/json": components["schemas"]["LinkPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listLinkChanges: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                slug: components["parameters"]["SlugParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkChangePage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    undoLinksChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ManyLinksChanged200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getLinkScans: {
        parameters: {
            query?: {
                /** @description The start. Absent: 2 days, 30 days or a year before `to`, depending on `interval`. A date means its start in the time zone. */
                from?: components["parameters"]["FromParameter"];
                /** @description The end (exclusive). Absent: now. A date means its start in the time zone. */
                to?: components["parameters"]["ToParameter"];
                interval?: components["parameters"]["IntervalParameter"];
                /**
                 * @description The IANA time zone of the days and months.
                 * @example Europe/Berlin
                 */
                time_zone?: components["parameters"]["TimeZoneParameter"];
            };
            header?: never;
            path: {
                slug: components["parameters"]["SlugParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LinkScans200"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getScans: {
        parameters: {
            query?: {
                /** @description The start. Absent: 2 days, 30 days or a year before `to`, depending on `interval`. A date means its start in the time zone. */
                from?: components["parameters"]["FromParameter"];
                /** @description The end (exclusive). Absent: now. A date means its start in the time zone. */
                to?: components["parameters"]["ToParameter"];
                interval?: components["parameters"]["IntervalParameter"];
                /**
                 * @description The IANA time zone of the days and months.
                 * @example Europe/Berlin
                 */
                time_zone?: components["parameters"]["TimeZoneParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountScans"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listRawScans: {
        parameters: {
            query?: {
                /** @description The start. Absent: 30 days before `to`. A date means its start in UTC. */
                from?: string;
                /** @description The end (exclusive). Absent: now. A date means its start in UTC. */
                to?: components["parameters"]["ToParameter-2"];
                /** @description Only scans of this short link, by any of its slugs. */
                slug?: string;
                /** @description Absent: `Accept` decides. */
                format?: "ndjson" | "csv";
                /** @description The `Tessera-Next-Cursor` of the previous page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One scan a line. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Tessera-Next-Cursor": components["headers"]["Tessera-Next-Cursor"];
                    "Tessera-Complete-Since": components["headers"]["Tessera-Complete-Since"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            406: components["responses"]["406"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                limit?: components["parameters"]["LimitParameter"];
                /** @description Only items whose key is this or starts with it: an element string, a URI, or a GTIN or SSCC alone. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "(01)09521321000018",
                 *       "links": [
                 *         {
                 *           "rel": "gs1:pip",
                 *           "href": "https://example.com/juice",
                 *           "title": "Apple juice"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewItem"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateItems: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "(01)09521321000018",
                 *       "change": {
                 *         "remove": [
                 *           "gs1:promotion"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ManyItemsPatch"];
            };
        };
        responses: {
            200: components["responses"]["ManyItemsChanged200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "links": [
                 *         {
                 *           "rel": "gs1:pip",
                 *           "href": "https://example.com/juice",
                 *           "title": "Apple juice"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ItemPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    undoItemsChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ManyItemsChanged200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listItemChanges: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemChangePage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getItemScans: {
        parameters: {
            query?: {
                /** @description The start. Absent: 2 days, 30 days or a year before `to`, depending on `interval`. A date means its start in the time zone. */
                from?: components["parameters"]["FromParameter"];
                /** @description The end (exclusive). Absent: now. A date means its start in the time zone. */
                to?: components["parameters"]["ToParameter"];
                interval?: components["parameters"]["IntervalParameter"];
                /**
                 * @description The IANA time zone of the days and months.
                 * @example Europe/Berlin
                 */
                time_zone?: components["parameters"]["TimeZoneParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LinkScans200"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    importItems: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsImported"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    exportItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listPresets: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createPreset: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "House style",
                 *       "options": {
                 *         "width": 600,
                 *         "height": 600,
                 *         "dotsOptions": {
                 *           "type": "rounded",
                 *           "color": "#1a4b8c"
                 *         }
                 *       },
                 *       "is_default": true
                 *     }
                 */
                "application/json": components["schemas"]["NewPreset"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preset"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getPreset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preset"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deletePreset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updatePreset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `etag` that you last read. If it is outdated, nothing is changed: 412. */
                "if-match"?: components["parameters"]["IfMatchParameter"];
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "House style 2027"
                 *     }
                 */
                "application/json": components["schemas"]["PresetChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preset"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            412: components["responses"]["412"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listBin: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinItemPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    restoreFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    restoreCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeInFolder"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createBatch: {
        parameters: {
            query?: {
                /** @description One of your folders. */
                folder_id?: string;
                /** @description A folder of this name is made or reused. If this and `folder_id` are absent: `Bulk Import` and the date. */
                folder_name?: string;
                /** @description Formats of each code, separated by commas: `png`, `svg`, `pdf`, `eps`, `webp`. A code always costs one unit. */
                formats?: string;
                /** @description Id or name of a preset, or `default`, as in `Tessera-Preset`. */
                preset?: string;
                /** @description Id of a webhook to notify when it ends. */
                webhook?: string;
                /** @description Whether a row that fails while codes are made ends the batch. */
                on_error?: "skip" | "stop";
                /** @description What to do about rows that repeat an earlier one. `refuse-keys`: the same GS1 key of a single thing, or the same value in the column `unique`, is an error; the same content is reported. `refuse`: each is an error. `report`: none is. */
                duplicates?: components["parameters"]["DuplicatesParameter"];
                /** @description A field whose values must be unique, and that every row must have: `data`, `external_id`, `name`, `file`, `slug`, a GS1 column, or a column that a template names. */
                unique?: components["parameters"]["UniqueParameter"];
                /** @description Maps fields to columns of CSV or XLSX, as JSON: `{"data": "Web address", "name": "Title", "width": null}`; `null`: no column. */
                columns?: components["parameters"]["ColumnsParameter"];
                /** @description What to do with columns that match no field. */
                other_columns?: components["parameters"]["OtherColumnsParameter"];
                /** @description Seconds within which it must end, and for which its results are then kept. */
                expires_in?: number;
            };
            header?: {
                /** @description Refuses pictures of a lower grade, free of charge. */
                "tessera-min-grade"?: components["parameters"]["TesseraMinGradeParameter"];
                /** @description Makes the least change that gives grade 4, or `Tessera-Min-Grade`. */
                "tessera-repair"?: components["parameters"]["TesseraRepairParameter"];
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
                /** @description As in other calls, but valid for as long as the batch is listed. */
                "idempotency-key"?: string;
                "content-encoding"?: "gzip" | "identity";
                /** @description `BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a row. */
                design?: components["parameters"]["DesignParameter"];
                /** @description `?0`, without a body: starts an upload in chunks. */
                "upload-complete"?: "?0" | "?1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    design?: components["schemas"]["BatchOptions"];
                    /**
                     * Format: binary
                     * @description A file in one of the other formats, with its media type.
                     */
                    rows: string;
                };
                "application/x-ndjson": string;
                "text/csv": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Upload-Offset": components["headers"]["Upload-Offset"];
                    "Upload-Complete": components["headers"]["Upload-Complete"];
                    "Upload-Limit": components["headers"]["Upload-Limit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            202: components["responses"]["Batch202"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    previewBatch: {
        parameters: {
            query?: {
                rows?: number;
                /** @description Maps fields to columns of CSV or XLSX, as JSON: `{"data": "Web address", "name": "Title", "width": null}`; `null`: no column. */
                columns?: components["parameters"]["ColumnsParameter"];
                /** @description What to do with columns that match no field. */
                other_columns?: components["parameters"]["OtherColumnsParameter"];
                /** @description What to do about rows that repeat an earlier one. `refuse-keys`: the same GS1 key of a single thing, or the same value in the column `unique`, is an error; the same content is reported. `refuse`: each is an error. `report`: none is. */
                duplicates?: components["parameters"]["DuplicatesParameter"];
                /** @description A field whose values must be unique, and that every row must have: `data`, `external_id`, `name`, `file`, `slug`, a GS1 column, or a column that a template names. */
                unique?: components["parameters"]["UniqueParameter"];
            };
            header?: {
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
                /** @description `BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a row. */
                design?: components["parameters"]["DesignParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPreview"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204-2"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204-3"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Where the chunk begins. */
                "upload-offset": number;
                /** @description `?1`: it is the last chunk; it may be empty. */
                "upload-complete"?: "?0" | "?1";
                /** @description `sha-256` of the chunk (RFC 9530), checked before it is stored. */
                "content-digest"?: string;
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/partial-upload": string;
            };
        };
        responses: {
            202: components["responses"]["Batch202"];
            204: components["responses"]["204-2"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Batch202"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listBatchErrors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listBatchDuplicates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getBatchReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReport"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listBatchParts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPartList"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getBatchPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ZIP. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description The ZIP. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            304: components["responses"]["304-2"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            /** @description `Range not satisfiable`: the `Range` begins after the end of the file. */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listCounters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CounterList"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getCounter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["NameParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Counter"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    putCounter: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                name: components["parameters"]["NameParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "next": 100000
                 *     }
                 */
                "application/json": components["schemas"]["CounterRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Counter"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listCounterBlocks: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                name: components["parameters"]["NameParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CounterBlockPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    takeCounterNumbers: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                name: components["parameters"]["NameParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "count": 500
                 *     }
                 */
                "application/json": components["schemas"]["CounterTake"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CounterNumbers"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
                type?: "batch.done" | "batch.failed" | "batch.cancelled" | "batch.expired" | "code.created" | "link.changed" | "link.first_scan" | "scan" | "key.created" | "quota.low" | "webhook.test";
                /** @description The first time. A date means its start in UTC. */
                since?: string;
                /** @description The last time, not included. A date means its start in UTC. */
                until?: string;
                /** @description Only events that are sent to this webhook. */
                webhook_id?: string;
                /** @description `true`: only events that every webhook to which they are sent has received; `false`: the others, also those that are sent to none. With `webhook_id` that webhook alone decides. */
                delivered?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/tessera",
                 *       "events": [
                 *         "batch.done",
                 *         "batch.failed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "batch.done"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listWebhookSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookSecret"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["WebhookDelivery202"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    redeliverEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-20T00:00:00Z",
                 *       "only_undelivered": true
                 *     }
                 */
                "application/json": components["schemas"]["NewRedeliveries"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redeliveries"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["WebhookDelivery202"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/",
                 *       "width": 400,
                 *       "dotsOptions": {
                 *         "color": "#1a4b8c"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignedUrlRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrl"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listSigningSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecretPage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSigningSecret"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    deleteSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing. */
                "idempotency-key"?: components["parameters"]["IdempotencyKeyParameter-2"];
            };
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    followLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: components["parameters"]["SlugParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the destination. A dead link redirects to its account's `dead_link_url`. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400"];
            404: components["responses"]["500-2"];
            431: components["responses"]["431"];
            500: components["responses"]["500-2"];
            /** @description The same error as in other calls; a page for browsers. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description Any other answer is an error. */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showSignedPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description HMAC-SHA-256 of `picture` in base64url. */
                signature: string;
                /** @description `<secret id>.<parameters>.png` or `.svg`. */
                picture: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["304-2"];
            400: components["responses"]["401Text"];
            403: components["responses"]["401Text"];
            /** @description The code or preset of the picture was deleted; as JSON, the path is that of no picture. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["429Text"];
            431: components["responses"]["431"];
            500: components["responses"]["401Text"];
            503: components["responses"]["503Text"];
        };
    };
    getReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK set (RFC 7517, 8037). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
            400: components["responses"]["400"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            204: components["responses"]["204-3"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            403: components["responses"]["403"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "tsr_…"
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204-3"];
            400: components["responses"]["400"];
            403: components["responses"]["403"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getOperatorSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
            204: components["responses"]["204-4"];
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signInOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "a-long-random-string"
                 *     }
                 */
                "application/json": components["schemas"]["OperatorSignIn"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    signOutOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204-4"];
            400: components["responses"]["400"];
            403: components["responses"]["403"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    previewCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/",
                 *       "width": 600,
                 *       "height": 600,
                 *       "dotsOptions": {
                 *         "type": "rounded",
                 *         "color": "#1a4b8c"
                 *       },
                 *       "cornersSquareOptions": {
                 *         "type": "rounded"
                 *       },
                 *       "backgroundOptions": {
                 *         "color": "white"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrRequest"];
            };
        };
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Server-Timing": components["headers"]["Server-Timing"];
                    "Tessera-Grade": components["headers"]["Tessera-Grade"];
                    "Tessera-Warnings": components["headers"]["Tessera-Warnings"];
                    "Tessera-Modules": components["headers"]["Tessera-Modules"];
                    "Tessera-Module-Px": components["headers"]["Tessera-Module-Px"];
                    "Tessera-Quiet-Zone": components["headers"]["Tessera-Quiet-Zone"];
                    "Tessera-Logo-Cover": components["headers"]["Tessera-Logo-Cover"];
                    "Tessera-Level": components["headers"]["Tessera-Level"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    checkDesign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset. */
                "tessera-preset"?: components["parameters"]["TesseraPresetParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": "https://example.com/",
                 *       "width": 600,
                 *       "height": 600,
                 *       "dotsOptions": {
                 *         "type": "rounded",
                 *         "color": "#1a4b8c"
                 *       },
                 *       "cornersSquareOptions": {
                 *         "type": "rounded"
                 *       },
                 *       "backgroundOptions": {
                 *         "color": "white"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QrRequest"];
            };
        };
        responses: {
            200: components["responses"]["Check200"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
                limit?: components["parameters"]["LimitParameter"];
                /** @description Only the account with this id, or accounts whose names contain this text. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWithUsagePage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ACME",
                 *       "plan": "pro",
                 *       "credits": 500
                 *     }
                 */
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWithUsage"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "pro",
                 *       "monthly_quota": 50000
                 *     }
                 */
                "application/json": components["schemas"]["AccountPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWithUsage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    addCredits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 1000,
                 *       "reference": "invoice-2026-117"
                 *     }
                 */
                "application/json": components["schemas"]["Grant"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWithUsage"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            422: components["responses"]["422"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    listAccountKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Keys"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    createAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        /** @description Absent limits are inherited from the key that makes the call; for the operator there are none. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "For the newsletter",
                 *       "scopes": [
                 *         "render"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            409: components["responses"]["409"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    revokeAccountKey: {
        parameters: {
            query?: {
                /** @description Whether the keys that it made, and those that they made, are revoked with it. */
                with_made?: components["parameters"]["WithMadeParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["204-4"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    updateAccountKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "For the newsletter",
                 *       "rate_limit_per_second": 5
                 *     }
                 */
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            403: components["responses"]["403"];
            404: components["responses"]["404"];
            413: components["responses"]["413"];
            415: components["responses"]["415"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getAccountUsageHistory: {
        parameters: {
            query?: {
                /** @description The start. Absent: the beginning of the month of `to`. A date means its start in UTC. */
                from?: components["parameters"]["FromParameter-2"];
                /** @description The end (exclusive). Absent: now. A date means its start in UTC. */
                to?: components["parameters"]["ToParameter-2"];
                interval?: components["parameters"]["IntervalParameter"];
                /** @description Divides each interval by API key, or by kind of call. */
                group?: components["parameters"]["GroupParameter"];
            };
            header?: never;
            path: {
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            304: components["responses"]["304"];
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            404: components["responses"]["404"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getUsageReport: {
        parameters: {
            query?: {
                /** @description The start. Absent: the beginning of the month of `to`. A date means its start in UTC. */
                from?: components["parameters"]["FromParameter-2"];
                /** @description The end (exclusive). Absent: now. A date means its start in UTC. */
                to?: components["parameters"]["ToParameter-2"];
                interval?: "hour" | "day" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics in the text format of Prometheus. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["400"];
            401: components["responses"]["401"];
            429: components["responses"]["429"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            304: components["responses"]["304-2"];
            400: components["responses"]["400"];
            431: components["responses"]["431"];
            500: components["responses"]["500"];
            503: components["responses"]["503"];
        };
    };
    onBatchDone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onBatchFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onBatchCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onBatchExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onCodeCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodesEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onLinkChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinksEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onLinkFirstScan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FirstScanEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onScan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScansEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onKeyCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onQuotaLow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            "2XX": components["responses"]["2XX"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
