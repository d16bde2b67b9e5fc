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
    'The id of the request: the one that was sent, or a new one. The log of the service has it too.',
  ),
  'RateLimit-Policy': optionalHeader(
    "The limits: `burst`, the account's requests a second; `key`, those of a key with a limit of its own; where the call reads the balance, `monthly`, the account's units of the calendar month.",
  ),
  RateLimit: optionalHeader(
    'What is left of each policy, and the seconds until all of it is available again.',
  ),
  'Retry-After': always('Seconds to wait before the next try.', 'integer'),
  ETag: always(
    'A strong tag: of a picture or file, of its bytes; else of what calls may change, which leaves out counts.',
  ),
  'Accept-Ranges': always('`bytes`.'),
  'Content-Range': always('Which bytes these are.'),
  'Cache-Control': always('Who may keep the answer.'),
  'Content-Disposition': always('A name for the file.'),
  Location: {
    ...always('The destination, or what was made.'),
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Upload-Offset': always('Bytes of the upload that are stored.', 'integer'),
  'Upload-Complete': always('`?1` when the upload is a batch, else `?0`.'),
  'Upload-Limit': always(
    'The greatest length of the upload and of a chunk in bytes, and seconds until it expires.',
  ),
  Deprecation: optionalHeader('Since when something is deprecated that the request used (RFC 9745).'),
  Sunset: optionalHeader('Until when it works at least (RFC 8594).'),
  'Tessera-Next-Cursor': optionalHeader('The `cursor` of the next page; the last page has none.'),
  'Server-Timing': always('Milliseconds spent in the ledger, in the queue and in a render thread.'),
  'Idempotent-Replayed': optionalHeader(
    '`true` when this is the first answer to the `Idempotency-Key`, sent again.',
  ),
  'Preference-Applied': optionalHeader('The wish of `Prefer` that the answer follows: `return=minimal`.'),
  'X-QR-Usage': always('Units used this period.', 'integer'),
  'Tessera-Grade': optionalHeader(
    'How well readers read the picture, 0 to 4; the lowest of a bulk call.',
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
  'Tessera-Modules': always('Modules a side.', 'integer'),
  'Tessera-Module-Px': always('Pixels a module.', 'number'),
  'Tessera-Quiet-Zone': always('Modules of quiet zone.', 'number'),
  'Tessera-Logo-Cover': always('Share of the code that the logo covers.', 'number'),
  'Tessera-Pages': always('Pages of the document.', 'integer'),
  'Tessera-Level': always('Error correction level.'),
} as const satisfies Readonly<Record<string, Header>>;

/** The name of a documented header. */
export type HeaderName = keyof typeof HEADERS;

/** The headers that answers with a picture have about it. */
export const GRADED = ['Server-Timing', 'Tessera-Grade', 'Tessera-Warnings'] as const;

/** Returns a response schema with these headers, besides those that `nameComponents` adds. */
export const withHeaders = <T extends TSchema | object>(response: T, ...names: readonly HeaderName[]): T => ({
  ...response,
  headers: Object.fromEntries(names.map((name) => [name, {}])),
});
