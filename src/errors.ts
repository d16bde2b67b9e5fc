/**
 * The closed set of ways in which a request can fail, and the one table from code to HTTP status.
 *
 * `error` is a short fixed text that clients may compare; what the caller should do about it goes into
 * `details`, written where the error is raised.
 */

const ERRORS = {
  malformed_request: {
    status: 400,
    error: 'Malformed request',
    when: 'the request is not valid HTTP: a raw byte in the path, two lengths for the body, a second `Host`, `Authorization` or `Content-Type`, an unknown method',
  },
  malformed_json: { status: 400, error: 'Malformed JSON', when: 'the body is not JSON in UTF-8' },
  malformed_body: {
    status: 400,
    error: 'Malformed body',
    when: 'the rows of a batch end early, arrive too slowly or do not match their `Content-Encoding` or `Content-Digest`, or NDJSON has no rows, or CSV has none below its header',
  },
  unclear_encoding: {
    status: 400,
    error: 'Unclear encoding',
    when: 'CSV has text that is not UTF-8 and no `charset` in its `Content-Type`, or bytes that are not in this encoding; `readings` has how the row reads in others',
  },
  invalid_body: {
    status: 400,
    error: 'Invalid request body',
    when: 'a field of the body is wrong or unknown, or makes the grade lower than `Tessera-Min-Grade`',
  },
  invalid_query: {
    status: 400,
    error: 'Invalid query parameters',
    when: 'a query parameter is wrong, or makes the grade lower than `Tessera-Min-Grade`',
  },
  invalid_params: {
    status: 400,
    error: 'Invalid path parameters',
    when: 'an id in the path, or a parameter of a signed picture, is wrong',
  },
  invalid_header: {
    status: 400,
    error: 'Invalid request header',
    when: 'the `Idempotency-Key`, `Tessera-Min-Grade`, `Tessera-Repair`, `Tessera-Results`, `Tessera-Load-Test` or `Design` is malformed, `Tessera-Preset` names none of your presets, or the call does not support this header',
  },
  unauthorized: {
    status: 401,
    error: 'Missing or invalid API key',
    when: 'the call has no key or session, or its key is malformed, unknown or expired',
  },
  admin_unauthorized: {
    status: 401,
    error: 'Missing or invalid admin token',
    when: 'the admin token is missing or wrong',
  },
  plan_required: {
    status: 403,
    error: 'Pro plan required',
    when: 'an account on the Free plan sends a bulk call or a batch',
  },
  sandbox_key: {
    status: 403,
    error: 'Not for sandbox keys',
    when: 'a sandbox key makes a call that does not make or check codes',
  },
  load_test_refused: {
    status: 403,
    error: 'Load tests not allowed',
    when: 'a call has `Tessera-Load-Test`, or makes a key with `load_tests`, and its key lacks `load_tests`',
  },
  scope_required: { status: 403, error: 'API key lacks a scope', when: 'the key may not make this call' },
  password_required: {
    status: 403,
    error: 'Password required',
    when: 'the short link leads on with a password only, and none or a wrong one was sent',
  },
  signature_refused: {
    status: 403,
    error: 'Signature refused',
    when: 'the signature does not match the address of the picture, the secret was deleted, its key was revoked or has expired, or the address has expired',
  },
  cross_site: {
    status: 403,
    error: 'Cross-site request refused',
    when: "another site sends a write with the dashboard's cookie",
  },
  not_found: {
    status: 404,
    error: 'Not found',
    when: 'the path does not exist, or nothing in your account has this id',
  },
  method_not_allowed: {
    status: 405,
    error: 'Method not allowed',
    when: 'the path does not support the method; `Allow` lists the methods that it supports',
  },
  not_acceptable: {
    status: 406,
    error: 'No acceptable format',
    when: '`Accept` allows none of the formats of the call',
  },
  request_timeout: {
    status: 408,
    error: 'Request timeout',
    when: 'the head of the request arrives too slowly',
  },
  name_taken: {
    status: 409,
    error: 'Name already taken',
    when: 'another folder, preset, print profile, rule set or domain of yours has this name, the slug is taken or looks like a taken one, or one of your codes already has an `external_id` that must be unique',
  },
  limit_reached: {
    status: 409,
    error: 'Limit reached',
    when: 'the account already has the maximum number of folders, keys, presets, print profiles, rule sets, domains, signing secrets, batches, link jobs, uploads, counters, items, webhooks or running verifications, or the link has that of slugs, the batch that of reprints, or the webhook that of secrets, or the key is the ninth in a line of keys that made each other',
  },
  content_fixed: {
    status: 409,
    error: 'Content cannot change',
    when: 'a code that is kept would have to encode something else, which its prints do not',
  },
  idempotency_running: {
    status: 409,
    error: 'Request still running',
    when: 'the first call with this `Idempotency-Key` has not ended',
  },
  upload_offset: {
    status: 409,
    error: 'Upload offset mismatch',
    when: 'a chunk of an upload does not begin where the upload ends; `Upload-Offset` says where that is',
  },
  in_use: {
    status: 409,
    error: 'Still in use',
    when: 'the item of the resolver cannot be deleted, because other items of its primary key use its default link, the rule set, because short links have it, or the link job cannot be undone or deleted, because it has not ended; or another account has proved the host, or the domain to be deleted is the default one',
  },
  webhook_off: {
    status: 409,
    error: 'Webhook is off',
    when: 'the call sends a test or a delivery to a webhook that is `off` or `gone`',
  },
  last_secret: {
    status: 409,
    error: 'Only secret',
    when: 'the call would delete the only secret of a webhook',
  },
  changed_meanwhile: {
    status: 412,
    error: 'Changed meanwhile',
    when: 'what the call would change or delete has an `etag` that is not in `If-Match`',
  },
  unknown_host: {
    status: 421,
    error: 'Unknown host',
    when: 'the host is neither one of the service nor a domain that is proved, and `UNKNOWN_HOSTS` is `refuse`',
  },
  body_too_large: { status: 413, error: 'Request body too large', when: 'the body is over the limit' },
  unsupported_media_type: {
    status: 415,
    error: 'Unsupported media type',
    when: 'the body is not `application/json` (for a batch: not NDJSON, CSV or XLSX), its `charset` is none that can be decoded (for JSON: not UTF-8), or the call does not support its `Content-Encoding`',
  },
  range_not_satisfiable: {
    status: 416,
    error: 'Range not satisfiable',
    when: 'the `Range` begins after the end of the file',
  },
  idempotency_mismatch: {
    status: 422,
    error: 'Idempotency-Key reused',
    when: 'the `Idempotency-Key` was used with another request',
  },
  reference_mismatch: {
    status: 422,
    error: 'Reference reused',
    when: 'the `reference` was used with another amount',
  },
  quota_exhausted: {
    status: 429,
    error: 'Quota exhausted',
    when: 'the account, or the own quota of the key or of one that made it, has fewer units left than the call needs',
  },
  rate_limited: {
    status: 429,
    error: 'Rate limit exceeded',
    when: 'the account, its key or a key that made it, with all that it made, sends too many requests a second, its signed pictures are requested too often, the account uses too much free work, runs too many searches, previews, checks, archives or sheets or sends too many batches at once, or the address sends too many unknown keys or signing secrets, wrong admin tokens or unfinished bodies',
  },
  headers_too_large: {
    status: 431,
    error: 'Request header fields too large',
    when: 'the path and the header fields are over 16 KiB',
  },
  internal: {
    status: 500,
    error: 'Internal error',
    when: 'the service has a fault, or its renderer fails on this picture; the log says more under the `X-Request-Id`',
  },
  overloaded: {
    status: 503,
    error: 'Service overloaded',
    when: 'the render queue is full, a picture or its logo was not ready in time, or too many logos, large bodies, batches, archives or pictures of prints are under way; nothing was charged',
  },
  time_limit: {
    status: 503,
    error: 'Time limit reached',
    when: 'the database, or reading a picture of prints, needs longer for the call than it may take: ask for less, or try again when it is less busy; nothing was charged',
  },
  unavailable: {
    status: 503,
    error: 'Service unavailable',
    when: 'Redis, the database or the store of batches is unavailable or too slow, or the gateway is shutting down; nothing was charged',
  },
} as const satisfies Record<
  string,
  { readonly status: number; readonly error: string; readonly when: string }
>;

/** The name of a failure in the code. Clients see only `error` and the status. */
export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** What an account may use this month. */
export interface MonthlyPolicy {
  readonly monthlyQuota: number;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

/** What a failure may carry besides its text. */
export interface ErrorOptions {
  /** Seconds; sent as `Retry-After`. Every 429, 503 and `idempotency_running` has one. */
  readonly retryAfterS?: number;
  /** The account's month, when the quota is the reason; sent in `RateLimit`. */
  readonly month?: MonthlyPolicy;
  /** All faults of the request, when there are more than the details name; sent as `faults`. */
  readonly faults?: readonly { readonly field: string; readonly message: string }[];
  /** How a row reads in several encodings, when its own is not clear; sent as `readings`. */
  readonly readings?: readonly { readonly encoding: string; readonly text: string }[];
  /** Whether it answered the first call with the same `Idempotency-Key`; sent as `Idempotent-Replayed`. */
  readonly isReplay?: boolean;
  /** Kept for the log, never sent. */
  readonly cause?: unknown;
}

/** A failure to report to the caller. Any other thrown error becomes `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: string;
  readonly retryAfterS: number | undefined;
  readonly month: MonthlyPolicy | undefined;
  readonly faults: ErrorOptions['faults'];
  readonly readings: ErrorOptions['readings'];
  readonly isReplay: boolean;

  /** @param details What was wrong and what to do about it, for the caller to read. */
  constructor(code: ErrorCode, details: string, options: ErrorOptions = {}) {
    super(details, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterS = options.retryAfterS;
    this.month = options.month;
    this.faults = options.faults;
    this.readings = options.readings;
    this.isReplay = options.isReplay ?? false;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The fixed short text of the code. */
  get error(): string {
    return ERRORS[this.code].error;
  }
}

/** Returns a 400 whose details are `<field>: <message>`, as specification 7.1 words it. */
export const fieldError = (field: string, message: string, code: ErrorCode = 'invalid_body'): AppError =>
  new AppError(code, `${field}: ${message}`);

/** Returns all codes with status, `error` and when they occur, for the documents that list them. */
export const errorTable = (): readonly { code: ErrorCode; status: number; error: string; when: string }[] =>
  ERROR_CODES.map((code) => ({ code, ...ERRORS[code] }));
