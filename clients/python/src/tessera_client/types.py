"""What the API takes and answers.

Made by `npm run clients:python` from the OpenAPI document; not for editing.
"""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union


class Account(TypedDict):
    id: str
    name: str
    plan: Literal["free", "pro"]
    monthly_quota: int
    #: Whether `monthly_quota` overrides the plan's quota.
    has_own_quota: bool
    credits: int
    dead_link_url: Optional[str]
    created_at: str


class AccountPatch(TypedDict, total=False):
    plan: Literal["free", "pro"]
    #: null: the plan's quota.
    monthly_quota: Optional[int]
    name: str
    dead_link_url: Optional[str]


AccountScans = TypedDict(
    "AccountScans",
    {
        "from": "str",
        "to": "str",
        "interval": "str",
        "time_zone": "str",
        "totals": "ScanTotals",
        #: Every interval of the range, including empty ones.
        "series": "list[ScanInterval]",
        #: No scan since then is missing. Earlier ones are no longer kept, and not counted here; a
        #: link still has its `scan_count`. null: all are kept.
        "complete_since": "Optional[str]",
    },
)


class AccountUsage(TypedDict):
    period: str
    monthly_used: int
    usage_count: int
    remaining: int
    resets_at: str


class AccountWithUsage(TypedDict):
    id: str
    name: str
    plan: Literal["free", "pro"]
    monthly_quota: int
    #: Whether `monthly_quota` overrides the plan's quota.
    has_own_quota: bool
    credits: int
    dead_link_url: Optional[str]
    created_at: str
    usage: AccountUsage


class AccountWithUsagePage(TypedDict):
    data: list[AccountWithUsage]
    next_cursor: Optional[str]


class BackgroundOptions(TypedDict, total=False):
    color: str
    gradient: Gradient
    #: Default: 0.
    round: float


class Batch(TypedDict):
    id: str
    state: Literal["receiving", "validating", "queued", "running", "finishing", "done", "failed", "cancelled", "expired"]
    #: Why it ends in a state other than `done`.
    reason: Optional[str]
    folder_id: Optional[str]
    #: The name of its folder, even before the folder is made.
    folder_name: Optional[str]
    formats: list[str]
    on_error: str
    rows: int
    #: The encoding of the file, as the WHATWG Encoding Standard names it.
    encoding: Optional[str]
    #: Rows without text, which are left out.
    empty_rows: int
    #: The first of them, as `file_row` counts: from 1, with the header row and empty rows.
    first_empty_rows: list[int]
    #: Rows with faults.
    errors: int
    #: Rows that repeat an earlier one; known once it is queued.
    duplicates: int
    made: int
    failed: int
    #: Units refunded at the end.
    refunded: int
    #: The number of codes of each grade, 0 to 4.
    grades: list[int]
    #: Batches queued ahead of it.
    position: Optional[int]
    #: Estimated.
    remaining_s: Optional[int]
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    expires_at: str


class BatchEventData(TypedDict):
    id: str
    state: str
    reason: Optional[str]
    folder_id: Optional[str]
    rows: int
    errors: int
    made: int
    failed: int
    duplicates: int
    refunded: int
    grades: list[int]
    created_at: str
    finished_at: str
    expires_at: str


class BatchEvent(TypedDict):
    type: Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired"]
    timestamp: str
    data: BatchEventData


class BatchGs1(TypedDict, total=False):
    #: The part of Digital Link URIs before their path. Absent: `https://id.gs1.org`.
    stem: str
    #: Values of GS1 columns as templates: `{"serial": "{serial:08}"}`. Rows must not have these
    #: columns.
    columns: dict[str, str]


class BatchOptions(TypedDict, total=False):
    width: int
    height: int
    margin: int
    #: Default: `square`.
    shape: Literal["square", "circle"]
    image: str
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions
    print: BatchPrint
    #: The data of every row: `https://example.com/{sku}/{serial:06}`. A name refers to a column of
    #: the row or a counter; `06` pads a number with leading zeros; `{{` and `}}` are literal
    #: braces. In a URL, values are percent-encoded. At most 100 placeholders.
    template: str
    #: Maps names in templates to counters. A counter of the same name needs no entry.
    counters: dict[str, str]
    gs1: BatchGs1


class BatchPage(TypedDict):
    data: list[Batch]
    next_cursor: Optional[str]


class BatchPart(TypedDict):
    n: int
    codes: int
    bytes: int
    sha256: str


class BatchPartList(TypedDict):
    data: list[BatchPart]


class BatchPreviewColumnsItem(TypedDict):
    name: str
    #: The field that its name suggests.
    field: Optional[str]


class BatchPreview(TypedDict):
    columns: list[BatchPreviewColumnsItem]
    #: The texts of their cells.
    rows: list[list[str]]
    #: The row of the file that has the names of the columns.
    header_row: int
    #: The rows of the file that `rows` are.
    file_rows: list[int]
    #: Whether the file has more rows.
    more: bool
    #: The encoding of the file, as the WHATWG Encoding Standard names it.
    encoding: Optional[str]
    #: Rows without text, which are left out.
    empty_rows: int
    #: The first of them, as `file_row` counts: from 1, with the header row and empty rows.
    first_empty_rows: list[int]
    #: Why a batch of this file would fail, as far as it was read.
    fault: Optional[str]
    #: The fields to which a column can be mapped.
    fields: list[str]
    #: What the codes of the first rows, at most 100, would contain, or the fault of the row. Null:
    #: without `Design`, or with a `fault`.
    composed: Optional[list[ComposedRow]]
    #: Rows that were compared with each other: the first of the file, at most 10000; 0 if a batch
    #: would refuse the columns.
    compared_rows: int
    #: Those of them that repeat an earlier one.
    duplicates: int
    #: Those that are errors of a batch.
    refused_duplicates: int
    #: The first 100.
    first_duplicates: list[PreviewedDuplicate]


class BatchPrint(TypedDict, total=False):
    #: Side of a module; not with `width_mm`.
    module_mm: float
    #: Side of the picture without its bleed.
    width_mm: float
    #: Dots per inch of PNG and WebP.
    dpi: int
    #: Modules on each side; 4 by default.
    quiet_zone: float
    #: Background beyond each side.
    bleed_mm: float
    #: Colour space of PDF and EPS; black is K only in both. Default: `rgb`.
    color: Literal["rgb", "cmyk"]
    paper: str
    #: The text below: nothing, or the human-readable GS1 data. Default: `none`.
    text: Literal["none", "gs1"]
    #: Refuses codes that tills might fail to read; sets the size. Default: false.
    till: bool


class BatchReport(TypedDict):
    statement: dict[str, Any]
    #: The signature of the statement.
    jws: str


class BatchRow(TypedDict, total=False):
    data: str
    #: Values of names in the template, and of AIs by their digits in brackets: `{"sku": "A-7",
    #: "(3103)": "000195"}`.
    values: dict[str, str]
    #: The value of AI (01).
    gtin: str
    #: The value of AI (21).
    serial: str
    #: The value of AI (10).
    lot: str
    #: The value of AI (17).
    expiry: str
    #: The value of AI (15).
    best_before: str
    #: The value of AI (16).
    sell_by: str
    #: The value of AI (11).
    production_date: str
    #: The value of AI (13).
    packaging_date: str
    #: The value of AI (22).
    variant: str
    #: The value of AI (00).
    sscc: str
    #: The value of AI (414).
    gln: str
    #: The value of AI (37).
    count: str
    #: The value of AI (30).
    variable_count: str
    #: The value of AI (8003).
    grai: str
    #: The value of AI (8004).
    giai: str
    #: Your own id for the code, included in every output.
    external_id: str
    #: The name of the code, also used in its file names.
    name: str
    #: Text for the file names of a row without a name.
    file: str
    #: At most 20, each once: trimmed, 1 to 64 characters.
    tags: list[str]
    width: int
    height: int
    margin: int
    #: Default: `square`.
    shape: Literal["square", "circle"]
    image: str
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions
    print: BatchPrint
    #: Default: false.
    dynamic: bool
    #: A slug of your own for the short link of a dynamic row. If the slug is invalid or taken, only
    #: that row fails.
    slug: str


class _BinItemRequired(TypedDict):
    kind: Literal["folder", "code"]
    id: str
    #: For a code without a name, its content.
    name: str
    deleted_at: str
    expires_at: str


class BinItem(_BinItemRequired, total=False):
    #: Only for a folder: the number of codes restored with it.
    code_count: int


class BinItemPage(TypedDict):
    data: list[BinItem]
    next_cursor: Optional[str]


class BulkCheck(TypedDict):
    results: list[Union[Check, CheckFailure]]


class BulkItem(TypedDict, total=False):
    #: As in the single call; must be a URL for dynamic items.
    data: Any
    width: int
    height: int
    margin: int
    #: Default: `square`.
    shape: Literal["square", "circle"]
    image: str
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions
    #: Encode a short link whose destination can be changed later. Default: false.
    dynamic: bool


class _BulkRequestRequired(TypedDict):
    items: list[BulkItem]


class BulkRequest(_BulkRequestRequired, total=False):
    folderId: str
    #: A folder of this name is made, or reused.
    folderName: str


class BulkResponseMeta(TypedDict):
    total: int
    successful: int
    usage_count: int
    remaining: int
    folder_id: str


class BulkResponse(TypedDict):
    success: Literal[True]
    results: list[BulkResult]
    meta: BulkResponseMeta


class _BulkResultRequired(TypedDict):
    success: bool


class BulkResult(_BulkResultRequired, total=False):
    #: PNG as a data URL.
    data: str
    #: The slug of a dynamic item.
    slug: str
    #: As in the header `Tessera-Repaired`.
    repaired: str
    error: str
    #: The id of the saved code.
    id: Optional[str]
    #: The URL that a dynamic item encodes.
    short_url: Optional[str]
    name: Optional[str]
    grade: Optional[int]
    external_id: Optional[str]


class ChangedCodes(TypedDict):
    codes: int
    #: How many of them are dynamic.
    links: int


class _CheckWarningsItemRequired(TypedDict):
    name: str
    advice: str


class CheckWarningsItem(_CheckWarningsItemRequired, total=False):
    value: float


class CheckSymbol(TypedDict):
    version: int
    level: str
    modules: int


class CheckRepair(TypedDict):
    grade: int
    #: As in the header `Tessera-Repaired`.
    changes: list[str]
    #: Fields to set in the request. If `margin` is `null`, omit it.
    options: dict[str, Any]


class CheckPrint(TypedDict):
    #: Width of the printed picture, including the quiet zone, by module width in mm.
    min_width_mm: dict[str, float]


class _CheckRequired(TypedDict):
    grade: int
    #: The grade is the lowest of these.
    parameters: dict[str, int]
    #: The parameters below 4, the lowest first.
    warnings: list[CheckWarningsItem]
    symbol: CheckSymbol
    print: CheckPrint


class Check(_CheckRequired, total=False):
    #: With `Tessera-Repair: true`.
    repair: CheckRepair


class CheckFailure(TypedDict):
    error: str


class ChosenCodes(TypedDict, total=False):
    #: Ids of your codes. If any of them is not yours, the whole call fails with a 404.
    ids: list[str]
    #: Instead of `ids`: your codes with this tag, at most 1000.
    tag: str


class ChosenIds(TypedDict):
    #: Ids of your codes. If any of them is not yours, the whole call fails with a 404.
    ids: list[str]


class Code(TypedDict):
    id: str
    #: Your name for it; null: none.
    name: Optional[str]
    #: Your own id for it; null: none.
    external_id: Optional[str]
    tags: list[str]
    #: What was sent as `data`.
    content: str
    dynamic: bool
    #: The slug of its short link; null: it is not dynamic.
    slug: Optional[str]
    #: Its short link, which the code encodes; null: it is not dynamic.
    short_url: Optional[str]
    #: The current destination.
    destination: Optional[str]
    #: Scans of its short link by people.
    scan_count: int
    width: int
    height: int
    grade: int
    warnings: str
    created_at: str
    etag: str


class CodeInFolder(TypedDict):
    id: str
    #: Your name for it; null: none.
    name: Optional[str]
    #: Your own id for it; null: none.
    external_id: Optional[str]
    tags: list[str]
    #: What was sent as `data`.
    content: str
    dynamic: bool
    #: The slug of its short link; null: it is not dynamic.
    slug: Optional[str]
    #: Its short link, which the code encodes; null: it is not dynamic.
    short_url: Optional[str]
    #: The current destination.
    destination: Optional[str]
    #: Scans of its short link by people.
    scan_count: int
    width: int
    height: int
    grade: int
    warnings: str
    created_at: str
    etag: str
    folder_id: str


class CodeInFolderPage(TypedDict):
    data: list[CodeInFolder]
    next_cursor: Optional[str]


class CodePage(TypedDict):
    data: list[Code]
    next_cursor: Optional[str]


class CodePatch(TypedDict, total=False):
    #: Trimmed, 1 to 200 characters; null: no name.
    name: Optional[str]
    #: One of your folders.
    folder_id: str
    #: Your own id for the code, for example that of a product. Several codes may have the same one.
    external_id: Optional[str]
    #: At most 20, each once: trimmed, 1 to 64 characters.
    tags: list[str]


class _CodeRequestRequired(TypedDict):
    data: str


class CodeRequest(_CodeRequestRequired, total=False):
    width: int
    height: int
    margin: int
    #: Default: `square`.
    shape: Literal["square", "circle"]
    image: str
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions
    #: Encode a short link to `data`; its destination can be changed later. Default: false.
    dynamic: bool
    #: A slug of your own for the short link of a dynamic code.
    slug: str
    #: Your name for the code: trimmed, 1 to 200 characters.
    name: str
    #: One of your folders.
    folder_id: str
    #: A folder of this name is made or reused. If this and `folder_id` are absent: `Codes`.
    folder_name: str
    #: At most 20, each once: trimmed, 1 to 64 characters.
    tags: list[str]
    #: Your own id for the code, for example that of a product. Several codes may have the same one.
    external_id: str
    #: Refuses the call with a 409 when one of your codes has this `external_id`. Codes in the bin
    #: do not count. Default: false.
    external_id_unique: bool


class CodeWithDesign(TypedDict):
    id: str
    #: Your name for it; null: none.
    name: Optional[str]
    #: Your own id for it; null: none.
    external_id: Optional[str]
    tags: list[str]
    #: What was sent as `data`.
    content: str
    dynamic: bool
    #: The slug of its short link; null: it is not dynamic.
    slug: Optional[str]
    #: Its short link, which the code encodes; null: it is not dynamic.
    short_url: Optional[str]
    #: The current destination.
    destination: Optional[str]
    #: Scans of its short link by people.
    scan_count: int
    width: int
    height: int
    grade: int
    warnings: str
    created_at: str
    etag: str
    folder_id: str
    design: Design


class CodesEventData(TypedDict):
    folder_id: str
    key_id: Optional[str]
    batch_id: Optional[str]
    count: int
    #: The first 100; empty for a batch.
    ids: list[str]


class CodesEvent(TypedDict):
    type: Literal["code.created"]
    timestamp: str
    data: CodesEventData


class ColorStop(TypedDict):
    offset: float
    color: str


class ComposedRow(TypedDict):
    data: Optional[str]
    fault: Optional[str]


class CornersOptions(TypedDict, total=False):
    #: Absent: same as the dots, but centres among `dots` are `rounded`.
    type: Literal["square", "dots", "rounded", "extra-rounded", "classy", "classy-rounded", "dot"]
    color: str
    gradient: Gradient


class Counter(TypedDict):
    name: str
    #: The next number that it gives.
    next: int
    created_at: str


class CounterBlock(TypedDict):
    first: int
    last: int
    #: Null: taken by `take`. Row n of the batch has number first + n - 1.
    batch_id: Optional[str]
    #: Rows of the batch whose codes were made so far.
    made: Optional[int]
    #: Rows that failed. No code has their numbers.
    failed: Optional[int]
    at: str


class CounterBlockPage(TypedDict):
    data: list[CounterBlock]
    next_cursor: Optional[str]
    #: No entry since then is missing. It is when the thing was made, unless older entries were
    #: removed.
    complete_since: str


class CounterList(TypedDict):
    data: list[Counter]


class CounterNumbers(TypedDict):
    first: int
    last: int


class CounterRequest(TypedDict):
    next: int


class CounterTake(TypedDict):
    count: int


class CreatedKey(TypedDict):
    id: str
    #: The first characters, to tell keys apart.
    prefix: str
    name: str
    scopes: list[str]
    #: Whether it is a sandbox key.
    sandbox: bool
    #: The key's own limit; null: only the account's limit applies.
    rate_limit_per_second: Optional[int]
    #: When the key expires; null: never.
    expires_at: Optional[str]
    #: The key's own quota; null: only the account's applies.
    monthly_quota: Optional[int]
    #: The key that made it, whose limits it shares; null: the operator did.
    made_by: Optional[str]
    created_at: str
    #: The key. It cannot be read again, because only its hash is stored.
    key: str


class CreatedSigningSecret(TypedDict):
    id: str
    #: The key that made it, which its pictures are charged to; the secret is void once that is
    #: revoked.
    key_id: str
    #: When that key expires; null: never.
    expires_at: Optional[str]
    created_at: str
    #: Signs URLs. Shown only once.
    secret: str


class CreatedWebhook(TypedDict):
    id: str
    url: str
    events: list[str]
    #: `gone`: its URL returned a 410.
    state: Literal["on", "off", "gone"]
    #: Failed tries since the last success; those under way at the same time count once.
    failures: int
    failing_since: Optional[str]
    #: Deliveries that were given up. `POST /api/v1/webhooks/{id}/redeliveries` sends them again.
    missed: int
    created_at: str
    #: `whsec_` and base64. Shown only once.
    secret: str


class CreatedWebhookSecret(TypedDict):
    #: The id of the secret, needed to delete it.
    id: str
    created_at: str
    #: `whsec_` and base64. Shown only once.
    secret: str


class DeadLinkChangeKey(TypedDict):
    id: str
    name: str
    prefix: str


class DeadLinkChange(TypedDict):
    #: null: none.
    dead_link_url: Optional[str]
    at: str
    #: The API key that made the change, which may be revoked by now; null: the operator.
    key: Optional[DeadLinkChangeKey]


class DeadLinkChangePage(TypedDict):
    data: list[DeadLinkChange]
    next_cursor: Optional[str]
    #: No entry since then is missing. It is when the thing was made, unless older entries were
    #: removed.
    complete_since: str


class FullQrOptionsPart(TypedDict, total=False):
    #: Version of the symbol. 0: the smallest that fits. Default: 0.
    typeNumber: int
    #: Absent: by content. Not together with `segments: optimal`.
    mode: Literal["Numeric", "Alphanumeric", "Byte", "Kanji"]
    #: Absent: Q, or lower when the content needs it.
    errorCorrectionLevel: Literal["L", "M", "Q", "H"]
    #: `optimal`: the shortest sequence of segments in any modes, Kanji included. Default: `single`.
    segments: Literal["single", "optimal"]
    #: Marks characters outside ASCII in Byte mode as UTF-8 (ECI 26). Default: false.
    eci: bool
    #: Uses the highest error correction level that fits the version. Default: false.
    boost: bool
    #: `data` must be a valid GS1 Digital Link URI, or a valid element string, which gets FNC1 in
    #: first position.
    gs1: Literal["digital-link", "element-string"]


class FullImageOptionsPart(TypedDict, total=False):
    #: Default: true.
    hideBackgroundDots: bool
    #: How large the logo is; 1 covers at most the share that the error correction level restores.
    #: Up to 0.3 is safest. Default: 0.4.
    imageSize: float
    #: Pixels. Default: 0.
    margin: float
    #: For browsers; no effect on a picture drawn here.
    crossOrigin: str
    #: For browsers; a logo is always embedded here.
    saveAsBlob: bool


class Design(TypedDict, total=False):
    qrOptions: FullQrOptionsPart
    imageOptions: FullImageOptionsPart
    dotsOptions: FullDotsOptions
    cornersSquareOptions: FullCornersOptions
    cornersDotOptions: FullCornersOptions
    backgroundOptions: FullBackgroundOptions


class DotsOptions(TypedDict, total=False):
    #: Default: `square`.
    type: Literal["square", "dots", "rounded", "extra-rounded", "classy", "classy-rounded"]
    color: str
    gradient: Gradient
    #: Whole-pixel modules; false: no anti-aliasing. Default: true.
    roundSize: bool


class ErrorFaultsItem(TypedDict):
    field: str
    message: str


class ErrorReadingsItem(TypedDict):
    encoding: str
    text: str


class _ErrorRequired(TypedDict):
    #: A fixed text.
    error: Literal["Malformed request", "Malformed JSON", "Malformed body", "Unclear encoding", "Invalid request body", "Invalid query parameters", "Invalid path parameters", "Invalid request header", "Missing or invalid API key", "Missing or invalid admin token", "Pro plan required", "Not for sandbox keys", "API key lacks a scope", "Signature refused", "Cross-site request refused", "Not found", "Method not allowed", "No acceptable format", "Request timeout", "Name already taken", "Limit reached", "Request still running", "Upload offset mismatch", "Still in use", "Webhook is off", "Only secret", "Changed meanwhile", "Request body too large", "Unsupported media type", "Range not satisfiable", "Idempotency-Key reused", "Reference reused", "Quota exhausted", "Rate limit exceeded", "Request header fields too large", "Internal error", "Service overloaded", "Time limit reached", "Service unavailable"]
    #: What to do about it.
    details: str


class Error(_ErrorRequired, total=False):
    #: If the request has several faults: the first ten, including the one in `details`.
    faults: list[ErrorFaultsItem]
    #: If the encoding of a table is not clear: how the row reads in the likeliest ones.
    readings: list[ErrorReadingsItem]


class Event(TypedDict):
    #: The `webhook-id` of its deliveries.
    id: str
    type: str
    created_at: str
    data: dict[str, Any]
    #: One for each webhook to which it is sent.
    deliveries: list[EventDelivery]


class EventDelivery(TypedDict):
    webhook_id: str
    state: Literal["waiting", "delivered", "failed"]
    tries: int
    #: Of the last answer.
    status: Optional[int]
    tried_at: Optional[str]


class EventPage(TypedDict):
    data: list[Event]
    next_cursor: Optional[str]
    #: No event since then is missing from the list. Older ones may have been removed.
    complete_since: str


class FirstScanEventData(TypedDict):
    slug: str
    short_url: str
    code_id: str
    destination: str
    scanned_at: str


class FirstScanEvent(TypedDict):
    type: Literal["link.first_scan"]
    timestamp: str
    data: FirstScanEventData


class Folder(TypedDict):
    id: str
    name: str
    code_count: int
    #: Whether its codes are kept regardless of age.
    keep: bool
    created_at: str
    etag: str


class FolderChange(TypedDict, total=False):
    #: Unique in the account; trimmed, 1 to 200 characters.
    name: str
    #: Whether its codes are kept beyond `CODE_RETENTION_MONTHS`.
    keep: bool


class FolderName(TypedDict):
    #: Unique in the account; trimmed, 1 to 200 characters.
    name: str


class FolderPage(TypedDict):
    data: list[Folder]
    next_cursor: Optional[str]


class _FullGradientPartRequired(TypedDict):
    colorStops: list[ColorStop]


class FullGradientPart(_FullGradientPartRequired, total=False):
    #: Default: `linear`.
    type: Literal["linear", "radial"]
    #: Radians, clockwise. Default: 0.
    rotation: float


class FullBackgroundOptions(TypedDict, total=False):
    gradient: FullGradientPart


class FullCornersOptions(TypedDict, total=False):
    gradient: FullGradientPart


class FullDotsOptions(TypedDict, total=False):
    gradient: FullGradientPart


class _GradientRequired(TypedDict):
    colorStops: list[ColorStop]


class Gradient(_GradientRequired, total=False):
    #: Default: `linear`.
    type: Literal["linear", "radial"]
    #: Radians, clockwise. Default: 0.
    rotation: float


class _GrantRequired(TypedDict):
    amount: int


class Grant(_GrantRequired, total=False):
    reference: str


class Gs1Check(TypedDict):
    valid: bool
    #: What `value` was read as.
    form: Literal["brackets", "fnc1", "digital-link"]
    #: Empty when `valid` is false.
    elements: list[Gs1Element]
    #: With its AIs in brackets.
    element_string: Optional[str]
    #: With U+001D for every FNC1.
    fnc1: Optional[str]
    #: The URI in canonical order; `null` also if no URI can express this.
    digital_link: Optional[str]
    #: The value of AI 01: 14 digits.
    gtin: Optional[str]
    faults: list[Gs1Fault]


class Gs1Element(TypedDict):
    title: str
    ai: str
    value: str


class Gs1Fault(TypedDict):
    ai: Optional[str]
    #: The position of a character in `value`, from 1.
    position: int
    message: str


class _Gs1RequestRequired(TypedDict):
    #: An element string, with its AIs in brackets or as scanners send it, or a Digital Link URI.
    value: str


class Gs1Request(_Gs1RequestRequired, total=False):
    #: The form of `value`. Default: `auto`.
    form: Literal["auto", "brackets", "fnc1", "digital-link"]
    #: The part of `digital_link` before its path. Absent: that of `value`, or https://id.gs1.org.
    stem: str


class ImageOptions(TypedDict, total=False):
    #: Default: true.
    hideBackgroundDots: bool
    #: How large the logo is; 1 covers at most the share that the error correction level restores.
    #: Up to 0.3 is safest. Default: 0.4.
    imageSize: float
    #: Pixels. Default: 0.
    margin: float
    #: For browsers; no effect on a picture drawn here.
    crossOrigin: str
    #: For browsers; a logo is always embedded here.
    saveAsBlob: bool


class Item(TypedDict):
    id: str
    #: Its element string.
    key: str
    #: The path of its Digital Link URI.
    path: str
    #: That URI.
    url: str
    links: list[ItemLink]
    #: Scans by people since its creation.
    scan_count: int
    scans: ScanKinds
    last_scan_at: Optional[str]
    created_at: str
    updated_at: str
    etag: str


class ItemChangeKey(TypedDict):
    id: str
    name: str
    prefix: str


class ItemChange(TypedDict):
    links: list[ItemLink]
    at: str
    #: The id of a bulk change; null: it was changed alone.
    change_id: Optional[str]
    #: The API key that made the change, which may be revoked by now; null: the operator.
    key: Optional[ItemChangeKey]


class ItemChangePage(TypedDict):
    data: list[ItemChange]
    next_cursor: Optional[str]
    #: No entry since then is missing. It is when the thing was made, unless older entries were
    #: removed.
    complete_since: str


class ItemLink(TypedDict):
    title: str
    #: The link type, such as `gs1:pip`, or the IRI of another one.
    rel: str
    #: The target: any URL that a short link may have as its destination.
    href: str
    hreflang: list[str]
    type: Optional[str]
    context: list[str]
    is_default: bool


class ItemPage(TypedDict):
    data: list[Item]
    next_cursor: Optional[str]


class ItemPatch(TypedDict):
    links: list[NewItemLink]


class ItemsChange(TypedDict, total=False):
    #: Links that replace all those of the same types.
    set: list[NewItemLink]
    #: Types whose links are all removed; none of them may be in `set`.
    remove: list[str]


class ItemsImported(TypedDict):
    rows: int
    items: int
    created: int
    #: The other items already had these links.
    changed: int
    #: The id that undoes the change of existing items; null: none changed.
    change_id: Optional[str]
    dry_run: bool
    #: The encoding of the file, as the WHATWG Encoding Standard names it.
    encoding: Optional[str]
    #: Rows without text, which are left out.
    empty_rows: int
    #: The first of them, as `file_row` counts: from 1, with the header row and empty rows.
    first_empty_rows: list[int]


class Key(TypedDict):
    id: str
    #: The first characters, to tell keys apart.
    prefix: str
    name: str
    scopes: list[str]
    #: Whether it is a sandbox key.
    sandbox: bool
    #: The key's own limit; null: only the account's limit applies.
    rate_limit_per_second: Optional[int]
    #: When the key expires; null: never.
    expires_at: Optional[str]
    #: The key's own quota; null: only the account's applies.
    monthly_quota: Optional[int]
    #: The key that made it, whose limits it shares; null: the operator did.
    made_by: Optional[str]
    created_at: str
    #: Units that the key, and the keys that it made, have used this month, from the quota or
    #: credits.
    usage_count: int
    #: Active keys that it made, and that they made: `with_made` revokes so many with it.
    made_count: int
    last_used_at: Optional[str]


class KeyChange(TypedDict, total=False):
    name: str
    #: Requests per second of this key and the keys that it makes, within the account's limit; null:
    #: only that limit applies.
    rate_limit_per_second: Optional[int]
    #: When the key expires, in the future. A date means its start in UTC; null: never.
    expires_at: Optional[str]
    #: Units that the key, and the keys that it makes, may use per calendar month (UTC), within the
    #: account quota; null: only that quota applies.
    monthly_quota: Optional[int]


class KeyEventData(TypedDict):
    id: str
    name: str
    prefix: str
    scopes: list[str]
    sandbox: bool
    rate_limit_per_second: Optional[int]
    monthly_quota: Optional[int]
    expires_at: Optional[str]
    created_at: str
    made_by: Optional[str]


class KeyEvent(TypedDict):
    type: Literal["key.created"]
    timestamp: str
    data: KeyEventData


class KeyPage(TypedDict):
    data: list[Key]
    next_cursor: Optional[str]


class KeySet(TypedDict):
    keys: list[dict[str, str]]


class Keys(TypedDict):
    data: list[Key]


class Link(TypedDict):
    #: The slug that the code encodes. Earlier slugs also lead to the link.
    slug: str
    destination: str
    active_from: Optional[str]
    active_until: Optional[str]
    before_destination: Optional[str]
    after_destination: Optional[str]
    #: `scheduled`: before `active_from`. `expired`: from `active_until` on. `active`: otherwise.
    status: Literal["active", "scheduled", "expired"]
    #: What the code encodes.
    short_url: str
    code_id: str
    folder_id: str
    #: Your own id for it; null: none.
    external_id: Optional[str]
    tags: list[str]
    #: Scans by people since its creation.
    scan_count: int
    scans: ScanKinds
    last_scan_at: Optional[str]
    created_at: str
    updated_at: str
    etag: str


class LinkChangeKey(TypedDict):
    id: str
    name: str
    prefix: str


class LinkChange(TypedDict):
    #: The slug that the code encoded.
    slug: str
    destination: str
    active_from: Optional[str]
    active_until: Optional[str]
    before_destination: Optional[str]
    after_destination: Optional[str]
    at: str
    #: The id of a bulk change; null: it was changed alone.
    change_id: Optional[str]
    #: The API key that made the change, which may be revoked by now; null: the operator.
    key: Optional[LinkChangeKey]


class LinkChangePage(TypedDict):
    data: list[LinkChange]
    next_cursor: Optional[str]
    #: No entry since then is missing. It is when the thing was made, unless older entries were
    #: removed.
    complete_since: str


class LinkPage(TypedDict):
    data: list[Link]
    next_cursor: Optional[str]


class LinkPatch(TypedDict, total=False):
    #: An absolute http or https URL without credentials that is not one of our short links.
    destination: str
    #: When the link starts to lead to `destination`; null: immediately.
    active_from: Optional[str]
    #: When it stops leading there; null: never.
    active_until: Optional[str]
    #: Where it leads before `active_from`; null: same as a deleted link.
    before_destination: Optional[str]
    #: Where it leads from `active_until` on; null: same as a deleted link.
    after_destination: Optional[str]
    #: Your own id for the code, for example that of a product. Several codes may have the same one.
    external_id: Optional[str]
    #: At most 20, each once: trimmed, 1 to 64 characters.
    tags: list[str]
    #: A slug of your own: 3 to 64 letters, digits, `-` and `_`, with a letter or digit at both
    #: ends. The code encodes it from now on; earlier slugs keep working.
    slug: str


class LinkScansBreakdowns(TypedDict):
    device: list[ScanGroup]
    os: list[ScanGroup]
    browser: list[ScanGroup]
    country: list[ScanGroup]
    referrer_host: list[ScanGroup]


LinkScans = TypedDict(
    "LinkScans",
    {
        "slug": "str",
        "from": "str",
        "to": "str",
        "interval": "str",
        "time_zone": "str",
        "totals": "ScanTotals",
        #: Every interval of the range, including empty ones.
        "series": "list[ScanInterval]",
        #: No scan since then is missing. Earlier ones are no longer kept, and not counted here; a
        #: link still has its `scan_count`. null: all are kept.
        "complete_since": "Optional[str]",
        "breakdowns": "LinkScansBreakdowns",
    },
)


class LinksEventDataLinksItem(TypedDict):
    slug: str
    short_url: str
    code_id: str
    #: The names of the changed fields.
    changed: list[str]
    destination: str
    active_from: Optional[str]
    active_until: Optional[str]
    before_destination: Optional[str]
    after_destination: Optional[str]


class LinksEventData(TypedDict):
    change_id: Optional[str]
    key_id: Optional[str]
    count: int
    slugs: list[str]
    #: The first 10.
    links: list[LinksEventDataLinksItem]


class LinksEvent(TypedDict):
    type: Literal["link.changed"]
    timestamp: str
    data: LinksEventData


LinksSummary = TypedDict(
    "LinksSummary",
    {
        #: Short links that work.
        "links": "int",
        "people": "int",
        "bots": "int",
        "previews": "int",
        "from": "str",
        "to": "str",
    },
)


class ManyItemsChanged(TypedDict):
    #: The id that undoes the change; null: nothing changed.
    change_id: Optional[str]
    items: int
    #: The other items already had these links.
    changed: int


class _ManyItemsPatchRequired(TypedDict):
    change: ItemsChange


class ManyItemsPatch(_ManyItemsPatchRequired, total=False):
    #: Ids of your items. A repeated id counts once.
    ids: list[str]
    #: Instead of `ids`: all items whose key is this or starts with it.
    key: str


class ManyLinksChanged(TypedDict):
    #: The id that undoes the change; null: nothing changed.
    change_id: Optional[str]
    links: int
    #: The other links already had these values.
    changed: int


class _ManyLinksPatchRequired(TypedDict):
    change: RouteChange


class ManyLinksPatch(_ManyLinksPatchRequired, total=False):
    slugs: list[str]
    #: Instead of `slugs`: all short links of a folder.
    folder_id: str
    #: Instead of `slugs`: all short links whose codes have this tag.
    tag: str


class _MoveCodesRequired(TypedDict):
    #: One of your folders.
    folder_id: str


class MoveCodes(_MoveCodesRequired, total=False):
    #: Ids of your codes. If any of them is not yours, the whole call fails with a 404.
    ids: list[str]
    #: Instead of `ids`: your codes with this tag, at most 1000.
    tag: str


class MovedCodes(TypedDict):
    codes: int


class _NewAccountRequired(TypedDict):
    name: str
    plan: Literal["free", "pro"]


class NewAccount(_NewAccountRequired, total=False):
    #: null: the plan's quota.
    monthly_quota: Optional[int]
    credits: int


class NewItem(TypedDict):
    #: An element string in brackets or a Digital Link URI: a primary key and its qualifiers.
    key: str
    links: list[NewItemLink]


class _NewItemLinkRequired(TypedDict):
    title: str
    #: The link type, such as `gs1:pip`, or the IRI of another one.
    rel: str
    #: The target: any URL that a short link may have as its destination.
    href: str


class NewItemLink(_NewItemLinkRequired, total=False):
    #: Languages, such as `en` or `pt-BR`.
    hreflang: list[str]
    #: A media type.
    type: Optional[str]
    #: Words, such as countries (`DE`).
    context: list[str]
    #: Whether it is the default. For an item with only a primary key, the first link is.
    is_default: bool


class _NewKeyRequired(TypedDict):
    name: str


class NewKey(_NewKeyRequired, total=False):
    #: What the key may do. Absent: everything that its creator may do.
    scopes: list[Literal["generate", "render", "manage"]]
    #: Whether it is a sandbox key: its pictures are marked, nothing is charged or saved, and only
    #: `generate` and `render` are allowed. Default: false.
    sandbox: bool
    #: Requests per second of this key and the keys that it makes, within the account's limit; null:
    #: only that limit applies.
    rate_limit_per_second: Optional[int]
    #: When the key expires, in the future. A date means its start in UTC; null: never.
    expires_at: Optional[str]
    #: Units that the key, and the keys that it makes, may use per calendar month (UTC), within the
    #: account quota; null: only that quota applies.
    monthly_quota: Optional[int]


class _NewPresetRequired(TypedDict):
    #: Unique in the account; trimmed, 1 to 200 characters.
    name: str
    options: PictureOptions


class NewPreset(_NewPresetRequired, total=False):
    #: `true` makes this the default preset, in place of any other.
    is_default: bool


class _NewRedeliveriesRequired(TypedDict):
    since: str


class NewRedeliveries(_NewRedeliveriesRequired, total=False):
    #: Not included; default: now.
    until: str
    #: Default: those to which the webhook subscribes, and whatever it was sent.
    types: list[Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired", "code.created", "link.changed", "link.first_scan", "scan", "key.created", "quota.low"]]
    #: Leaves the events that it has received. Default: false.
    only_undelivered: bool


class NewWebhook(TypedDict):
    #: An https URL without fragment, on port 443 or 8443 at a public address.
    url: str
    events: list[Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired", "code.created", "link.changed", "link.first_scan", "scan", "key.created", "quota.low"]]


class OperatorSession(TypedDict):
    expires_at: str


class OperatorSignIn(TypedDict):
    #: The `ADMIN_TOKEN`.
    token: str


class OwnAccount(TypedDict):
    name: str
    plan: Literal["free", "pro"]
    #: The URL to which dead short links redirect; null: none.
    dead_link_url: Optional[str]
    created_at: str


class OwnAccountPatch(TypedDict):
    dead_link_url: Optional[str]


class PictureOptions(TypedDict, total=False):
    width: int
    height: int
    margin: int
    #: Default: `square`.
    shape: Literal["square", "circle"]
    image: str
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions


class Preset(TypedDict):
    id: str
    name: str
    #: Whether this is the default preset.
    is_default: bool
    options: PictureOptions
    created_at: str
    updated_at: str
    etag: str


class PresetChange(TypedDict, total=False):
    #: Unique in the account; trimmed, 1 to 200 characters.
    name: str
    options: PictureOptions
    #: `true` makes this the default preset, in place of any other.
    is_default: bool


class PresetPage(TypedDict):
    data: list[Preset]
    next_cursor: Optional[str]


class PreviewedDuplicate(TypedDict):
    row: int
    #: Its row in the file.
    file_row: int
    external_id: Optional[str]
    first_row: int
    first_file_row: int
    kind: Literal["value", "gs1-key", "content"]
    refused: bool


class QrOptions(TypedDict, total=False):
    #: Version of the symbol. 0: the smallest that fits. Default: 0.
    typeNumber: int
    #: Absent: by content. Not together with `segments: optimal`.
    mode: Literal["Numeric", "Alphanumeric", "Byte", "Kanji"]
    #: Absent: Q, or lower when the content needs it.
    errorCorrectionLevel: Literal["L", "M", "Q", "H"]
    #: `optimal`: the shortest sequence of segments in any modes, Kanji included. Default: `single`.
    segments: Literal["single", "optimal"]
    #: Marks characters outside ASCII in Byte mode as UTF-8 (ECI 26). Default: false.
    eci: bool
    #: Uses the highest error correction level that fits the version. Default: false.
    boost: bool
    #: `data` must be a valid GS1 Digital Link URI, or a valid element string, which gets FNC1 in
    #: first position.
    gs1: Literal["digital-link", "element-string"]


class _QrRequestRequired(TypedDict):
    data: str


class QrRequest(_QrRequestRequired, total=False):
    width: int
    height: int
    margin: int
    #: Default: `square`.
    shape: Literal["square", "circle"]
    image: str
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions


class QrResponseMeta(TypedDict):
    #: Units used this period.
    usage_count: int
    #: Units left of the monthly quota, plus the credits.
    remaining: int
    strategy: Literal["monthly", "credits"]


class QrResponse(TypedDict):
    success: Literal[True]
    #: PNG as a data URL.
    data: str
    meta: QrResponseMeta


class QuotaEventData(TypedDict):
    period: str
    monthly_quota: int
    monthly_used: int
    credits: int
    remaining: int
    resets_at: str


class QuotaEvent(TypedDict):
    type: Literal["quota.low"]
    timestamp: str
    data: QuotaEventData


class _ReadinessRequired(TypedDict):
    status: Literal["ok"]


class Readiness(_ReadinessRequired, total=False):
    #: Memory used and left in Redis, if it has a limit.
    note: str


class Receipt(TypedDict):
    statement: dict[str, Any]
    #: The signature of the statement.
    jws: str
    codes: list[dict[str, Any]]


class Redeliveries(TypedDict):
    #: Deliveries that wait now.
    count: int
    #: The span has more events: repeat the call with this `since`.
    next_since: Optional[str]


class RouteChange(TypedDict, total=False):
    #: An absolute http or https URL without credentials that is not one of our short links.
    destination: str
    #: When the link starts to lead to `destination`; null: immediately.
    active_from: Optional[str]
    #: When it stops leading there; null: never.
    active_until: Optional[str]
    #: Where it leads before `active_from`; null: same as a deleted link.
    before_destination: Optional[str]
    #: Where it leads from `active_until` on; null: same as a deleted link.
    after_destination: Optional[str]


class ScanGroup(TypedDict):
    #: null: the value is not known. (other): all values without a row.
    value: Optional[str]
    people: int
    bots: int
    previews: int


class ScanInterval(TypedDict):
    start: str
    people: int
    bots: int
    previews: int
    #: People, each counted once per UTC day.
    unique_visitors: int


class ScanKinds(TypedDict):
    people: int
    bots: int
    previews: int


class ScanTotals(TypedDict):
    people: int
    bots: int
    previews: int
    #: People, each counted once per UTC day.
    unique_visitors: int


class ScansEventDataCodesItem(TypedDict):
    code_id: Optional[str]
    slug: str
    short_url: str
    people: int
    bots: int
    previews: int


ScansEventData = TypedDict(
    "ScansEventData",
    {
        "from": "str",
        "to": "str",
        "people": "int",
        "bots": "int",
        "previews": "int",
        "links": "int",
        #: The 100 with the most scans by people.
        "codes": "list[ScansEventDataCodesItem]",
    },
)


class ScansEvent(TypedDict):
    type: Literal["scan"]
    timestamp: str
    data: ScansEventData


class SessionAccount(TypedDict):
    id: str
    name: str
    plan: Literal["free", "pro"]


class Session(TypedDict):
    account: SessionAccount
    #: The scopes of the key, which are also those of the session.
    scopes: list[str]
    expires_at: str
    #: The part of Digital Link URIs before their paths; null: there is no resolver.
    resolver_url: Optional[str]


class SheetsRequestPage(TypedDict, total=False):
    size: Literal["A4", "Letter", "A3", "SRA3"]
    width_mm: float
    height_mm: float


class SheetsRequestLabel(TypedDict, total=False):
    columns: int
    rows: int
    margin_mm: Union[float, list[float]]
    gap_mm: Union[float, list[float]]
    #: With the quiet zone; default: the largest that fits.
    code_mm: float
    #: Text with `{content}`, `{name}`, `{external_id}`, `{id}`, `{slug}`, `{file}`, `{index}`,
    #: `{gs1}` and `{gtin}`.
    caption: str
    #: Default: `below`.
    caption_side: Literal["above", "below", "beside"]


class SheetsRequest(TypedDict, total=False):
    #: In place of `page`, columns and rows.
    template: str
    page: SheetsRequestPage
    label: SheetsRequestLabel
    #: What labels may lose: `cut` the end of captions that do not fit, `glyphs` characters that the
    #: font lacks, `codes` those that can no longer be drawn. Without it such labels are refused.
    allow: list[Literal["cut", "glyphs", "codes"]]
    #: Refuses codes that tills might fail to read. Default: false.
    till: bool
    #: Default: false.
    crop_marks: bool
    #: Default: 0.
    bleed_mm: float
    #: First label used. Default: 1.
    start_at: int
    #: Default: `rows`.
    order: Literal["rows", "columns"]
    #: Default: 1.
    copies: int


class SignIn(TypedDict):
    #: An API key with the scope `manage`.
    key: str


class SignedUrl(TypedDict):
    #: The URL of the picture.
    url: str
    secret_id: str
    expires_at: Optional[str]


class SignedUrlRequest(TypedDict, total=False):
    data: str
    width: int
    height: int
    margin: int
    shape: Literal["square", "circle"]
    qrOptions: QrOptions
    imageOptions: ImageOptions
    dotsOptions: DotsOptions
    cornersSquareOptions: CornersOptions
    cornersDotOptions: CornersOptions
    backgroundOptions: BackgroundOptions
    #: A saved code, in place of `data`; of the options it takes `width` alone.
    code: str
    #: Id or name of a preset, or `default`, under the other options; not with `code`.
    preset: str
    #: Unix time in seconds at which the address ends; absent: never.
    expires: int
    #: Default: `png`.
    format: Literal["png", "svg"]
    #: The secret that signs; absent: the newest one.
    secret_id: str


class SigningSecret(TypedDict):
    id: str
    #: The key that made it, which its pictures are charged to; the secret is void once that is
    #: revoked.
    key_id: str
    #: When that key expires; null: never.
    expires_at: Optional[str]
    created_at: str


class SigningSecretPage(TypedDict):
    data: list[SigningSecret]
    next_cursor: Optional[str]


class Status(TypedDict):
    status: Literal["ok"]


class TestEventData(TypedDict):
    webhook_id: str


class TestEvent(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    data: TestEventData


class Usage(TypedDict):
    plan: Literal["free", "pro"]
    #: The first day of the calendar month (UTC).
    period: str
    monthly_quota: int
    monthly_used: int
    #: Credits left.
    credits: int
    #: Units used this period, from the quota or credits.
    usage_count: int
    #: What is left of the monthly quota, plus the credits.
    remaining: int
    resets_at: str


class UsageBefore(TypedDict):
    until: str
    #: Calls that used units.
    calls: int
    #: `monthly` and `credits` together.
    units: int
    #: Units of the monthly quota, less those refunded in this interval.
    monthly: int
    #: Units paid with credits, less those refunded in this interval.
    credits: int
    #: Refunded units, already subtracted.
    refunded: int
    #: Credits refunded after the month in which they were used. Not subtracted, because they belong
    #: to that month.
    refunded_late: int


UsageHistory = TypedDict(
    "UsageHistory",
    {
        "from": "str",
        "to": "str",
        "interval": "str",
        "total": "UsageTotal",
        #: In chronological order; within an interval, largest first. Intervals without usage are
        #: omitted.
        "data": "list[UsageInterval]",
        #: What was used before usage is kept by day: of earlier days only this sum is left. null:
        #: usage is kept from the first day on.
        "before": "Optional[UsageBefore]",
    },
)


_UsageIntervalRequired = TypedDict(
    "_UsageIntervalRequired",
    {
        "from": "str",
        #: Calls that used units.
        "calls": "int",
        #: `monthly` and `credits` together.
        "units": "int",
        #: Units of the monthly quota, less those refunded in this interval.
        "monthly": "int",
        #: Units paid with credits, less those refunded in this interval.
        "credits": "int",
        #: Refunded units, already subtracted.
        "refunded": "int",
        #: Credits refunded after the month in which they were used. Not subtracted, because they
        #: belong to that month.
        "refunded_late": "int",
    },
)


_UsageIntervalOptional = TypedDict(
    "_UsageIntervalOptional",
    {
        "key": "UsageKey",
        #: With `group=kind`.
        "kind": "Literal[\"single\", \"code\", \"bulk\", \"image\", \"batch\"]",
    },
    total=False,
)


class UsageInterval(_UsageIntervalRequired, _UsageIntervalOptional):
    pass


class UsageKey(TypedDict):
    id: str
    #: null: the key is no longer known.
    name: Optional[str]
    #: The first characters, to tell keys apart.
    prefix: Optional[str]


class UsageTotal(TypedDict):
    #: Calls that used units.
    calls: int
    #: `monthly` and `credits` together.
    units: int
    #: Units of the monthly quota, less those refunded in this interval.
    monthly: int
    #: Units paid with credits, less those refunded in this interval.
    credits: int
    #: Refunded units, already subtracted.
    refunded: int
    #: Credits refunded after the month in which they were used. Not subtracted, because they belong
    #: to that month.
    refunded_late: int


class Verification(TypedDict):
    id: str
    #: `null`: a verification of chosen codes.
    folder_id: Optional[str]
    state: Literal["running", "done", "failed"]
    #: Codes to read.
    total: int
    #: The sum of the next four fields.
    read: int
    passed: int
    weak: int
    failed: int
    missing: int
    #: Texts that several codes have. Null until it is done, as the next two.
    duplicate_contents: Optional[int]
    #: The codes that have these texts.
    duplicate_codes: Optional[int]
    #: Batches that added codes to the folder meanwhile; some of their codes may not have been read.
    unfinished_batches: Optional[int]
    created_at: str
    finished_at: Optional[str]


class VerificationPage(TypedDict):
    data: list[Verification]
    next_cursor: Optional[str]


class Webhook(TypedDict):
    id: str
    url: str
    events: list[str]
    #: `gone`: its URL returned a 410.
    state: Literal["on", "off", "gone"]
    #: Failed tries since the last success; those under way at the same time count once.
    failures: int
    failing_since: Optional[str]
    #: Deliveries that were given up. `POST /api/v1/webhooks/{id}/redeliveries` sends them again.
    missed: int
    created_at: str


class WebhookChange(TypedDict, total=False):
    #: An https URL without fragment, on port 443 or 8443 at a public address.
    url: str
    events: list[Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired", "code.created", "link.changed", "link.first_scan", "scan", "key.created", "quota.low"]]
    #: `on` also re-enables a webhook that is `gone`.
    state: Literal["on", "off"]


class WebhookDelivery(TypedDict):
    #: That of its event, and the `webhook-id` of each try.
    id: str
    event: str
    data: dict[str, Any]
    state: Literal["waiting", "delivered", "failed"]
    tries: int
    created_at: str
    tried_at: Optional[str]
    next_at: Optional[str]
    duration_ms: Optional[int]
    status: Optional[int]
    #: The first 1,000 bytes of the answer.
    answer: Optional[str]
    #: Why there was no answer, or why it was given up.
    error: Optional[str]


class WebhookDeliveryPage(TypedDict):
    data: list[WebhookDelivery]
    next_cursor: Optional[str]


class WebhookPage(TypedDict):
    data: list[Webhook]
    next_cursor: Optional[str]


class WebhookSecret(TypedDict):
    #: The id of the secret, needed to delete it.
    id: str
    created_at: str


class WebhookSecretPage(TypedDict):
    data: list[WebhookSecret]
    next_cursor: Optional[str]


#: A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.
Color = str
#: Content to encode. Any text; written as UTF-8.
Data = str
#: Where dead short links redirect: an absolute http or https URL without credentials that is not
#: one of our short links. null: none.
DeadLinkUrl = Optional[str]
FullGradient = FullGradientPart
FullImageOptions = FullImageOptionsPart
FullQrOptions = FullQrOptionsPart
Grade = int
#: All, or vertical and horizontal.
LabelSpacing = Union[float, list[float]]
#: Logo in the centre: an http(s) URL or a base64 `data:image/...` URI.
LogoSource = str
#: Padding in pixels. Absent: a quiet zone of four modules.
Margin = int
Name = str
#: Opaque colour behind translucent parts of an EPS. Absent: white.
Paper = str
#: Pixels.
SizePx = int
#: The version of the fields that calls can change, with which the header `ETag` begins. Send it as
#: `If-Match`, or as `If-None-Match` when counts of scans and codes do not matter.
Version = str
#: As in `Tessera-Warnings`; empty at grade 4.
Warnings = str
#: The events sent to it; empty: only those of batches that name it.
WebhookEvents = list[Literal["batch.done", "batch.failed", "batch.cancelled", "batch.expired", "code.created", "link.changed", "link.first_scan", "scan", "key.created", "quota.low"]]


#: An event that `verify_webhook` returns.
WebhookEvent = Union[BatchEvent, CodesEvent, LinksEvent, FirstScanEvent, ScansEvent, KeyEvent, QuotaEvent, TestEvent]
