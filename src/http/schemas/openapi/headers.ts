/** The registry of the response headers in the OpenAPI document. */
import type { TSchema } from 'typebox';

interface Header {
  readonly description: string;
  /** Whether every response that lists the header has it. */
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'integer' | 'number'; readonly format?: string };
}

/** A header that some of the responses that list it have. */
const optionalHeader = (description: string, type: Header['schema']['type'] = 'string'): Header => ({
  description,
  schema: { type },
});

/** A header that all of them have. */
const always = (description: string, type?: Header['schema']['type']): Header => ({
  ...optionalHeader(description, type),
  required: true,
});

/** The documented headers by their names. */
export const HEADERS = {
  'X-Request-Id': always(
    'The id of the request: the one that was sent, or a new one. It is also in the log of the service.',
  ),
  'RateLimit-Policy': optionalHeader(
    "The limits: `burst`, the account's requests per second; `key`, those of a key with its own limit; and, if the call reads the balance, `monthly`, the account's units per calendar month.",
  ),
  RateLimit: optionalHeader('What is left of each limit, and the seconds until it is fully available again.'),
  'Retry-After': always('Seconds to wait before retrying.', 'integer'),
  ETag: always(
    'Send it as `If-None-Match`: 304 if nothing has changed. Strong for a picture or file, and for one thing that has an `etag`, with which it begins; weak for other answers.',
  ),
  'Accept-Ranges': always('`bytes`, or `none`.'),
  'Content-Range': always('The range of bytes returned.'),
  'Cache-Control': always('Who may cache the answer.'),
  'Content-Disposition': always('A name for the file.'),
  Location: {
    ...always('The destination, or the URL of what was made.'),
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Upload-Offset': always('Bytes of the upload stored so far.', 'integer'),
  'Upload-Complete': always('`?1` if the upload has become a batch, else `?0`.'),
  'Upload-Limit': always('Maximum bytes of the upload and of a chunk, and seconds until the upload expires.'),
  'Tessera-Next-Cursor': optionalHeader('The `cursor` of the next page; the last page has none.'),
  'Tessera-Complete-Since': optionalHeader(
    'No scan since then is missing; earlier ones are no longer kept. Absent: all are kept.',
  ),
  'Server-Timing': always('Milliseconds spent in the ledger, in the queue and in a render thread.'),
  'Idempotent-Replayed': optionalHeader('`true` if this replays the first answer to the `Idempotency-Key`.'),
  'Preference-Applied': optionalHeader('The preference in `Prefer` that was applied: `return=minimal`.'),
  'X-QR-Usage': always('Units used this period.', 'integer'),
  'Tessera-Size-Mm': optionalHeader(
    'The size of a file in millimetres without bleed: `width=30, height=30, module=0.8108`.',
  ),
  'Tessera-Grade': optionalHeader(
    'How well readers read the picture, 0 to 4; for a bulk call, the lowest grade.',
    'integer',
  ),
  'Tessera-Warnings': optionalHeader(
    'Why the grade is below 4: a list (RFC 8941) of words, such as `logo-damage;v=0.61`.',
  ),
  'Tessera-Grades': optionalHeader(
    'The grade of each item, in order: a list (RFC 8941); `none` where there is no picture.',
  ),
  'Tessera-Item-Warnings': optionalHeader('Warnings and their items: `(contrast;v=0.31);items="0-4 7"`.'),
  'Tessera-Repaired': optionalHeader(
    'What `Tessera-Repair` changed: a list (RFC 8941), such as `level;v=H`.',
  ),
  'Tessera-Modules': always('Modules per side.', 'integer'),
  'Tessera-Module-Px': always('Pixels per module.', 'number'),
  'Tessera-Quiet-Zone': always('Modules of quiet zone.', 'number'),
  'Tessera-Logo-Cover': always('Share of the code that the logo covers.', 'number'),
  'Tessera-Pages': optionalHeader('Pages of the document.', 'integer'),
  'Tessera-Captions': optionalHeader(
    'Captions that lost what `allow` names: `cut=12, glyphs=600` (RFC 8941).',
  ),
  'Tessera-Missing-Codes': optionalHeader(
    'How many codes could no longer be drawn, as `allow` permits, or have no files, and which, counted from 1: `3;indexes="12 40-41"` (RFC 8941). A long list ends with `...`.',
  ),
  'Tessera-Edited-Codes': optionalHeader(
    'How many of these codes were given another design after they were made, and which: `2;indexes="300 312"` (RFC 8941). Files of batches have the first one, labels the present one.',
  ),
  'Tessera-Unfinished-Batches': optionalHeader(
    'Batches that are still adding codes here; some of their rows may be missing in this answer.',
    'integer',
  ),
  'Tessera-Level': always('Error correction level.'),
} as const satisfies Readonly<Record<string, Header>>;

/** The name of a documented header. */
export type HeaderName = keyof typeof HEADERS;

/** The headers that answers with a picture have about it. */
export const GRADED = ['Server-Timing', 'Tessera-Grade', 'Tessera-Warnings'] as const;

/** Returns a response schema with these headers, besides those that it has and those that `nameComponents` adds. */
export const withHeaders = <T extends TSchema | object>(response: T, ...names: readonly HeaderName[]): T => ({
  ...response,
  headers: { ...Object(response).headers, ...Object.fromEntries(names.map((name) => [name, {}])) },
});
