/** The registry of the response headers in the OpenAPI document. */
import type { TSchema } from 'typebox';

interface Header {
  readonly description: string;
  /** Whether every response that lists the header has it. */
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'integer' | 'number'; readonly format?: string };
}

const text = { type: 'string' } as const;

/** The documented headers by their names. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'The id of the request: the one that was sent, or a new one. The log of the service has it too.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      "The limits: `burst`, the account's requests a second; `key`, those of a key with a limit of its own; where the call reads the balance, `monthly`, the account's units of the calendar month.",
    schema: text,
  },
  RateLimit: {
    description: 'What is left of each policy, and the seconds until all of it is available again.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer' },
  },
  ETag: {
    description: 'A strong tag: answers with the same tag have the same bytes.',
    required: true,
    schema: text,
  },
  'Accept-Ranges': { description: '`bytes`.', required: true, schema: text },
  'Content-Range': { description: 'Which bytes these are.', required: true, schema: text },
  'Cache-Control': { description: 'Who may keep the answer.', required: true, schema: text },
  'Content-Disposition': { description: 'A name for the file.', required: true, schema: text },
  Location: {
    description: 'The destination, or what was made.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Upload-Offset': {
    description: 'Bytes of the upload that are stored.',
    required: true,
    schema: { type: 'integer' },
  },
  'Upload-Complete': {
    description: '`?1` when the upload is a batch, else `?0`.',
    required: true,
    schema: text,
  },
  'Upload-Limit': {
    description: 'The greatest length of the upload and of a chunk in bytes, and seconds until it expires.',
    required: true,
    schema: text,
  },
  'Server-Timing': {
    description: 'Milliseconds spent in the ledger, in the queue and in a render thread.',
    required: true,
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the first answer to the `Idempotency-Key`, sent again.',
    schema: text,
  },
  'X-QR-Usage': { description: 'Units used this period.', required: true, schema: { type: 'integer' } },
  'Tessera-Grade': {
    description: 'How well readers read the picture, 0 to 4; the lowest of a bulk call.',
    schema: { type: 'integer' },
  },
  'Tessera-Warnings': {
    description: 'Why the grade is below 4: a list (RFC 8941) of words, such as `logo-damage;v=0.61`.',
    schema: text,
  },
  'Tessera-Grades': {
    description: 'The grade of each item, in order: a list (RFC 8941); `none` where there is no picture.',
    schema: text,
  },
  'Tessera-Item-Warnings': {
    description: 'Warnings and their items: `(contrast;v=0.31);items="0-4 7"`.',
    schema: text,
  },
  'Tessera-Repaired': {
    description: 'What `Tessera-Repair` changed: a list (RFC 8941), such as `level;v=H`.',
    schema: text,
  },
  'Tessera-Modules': { description: 'Modules a side.', required: true, schema: { type: 'integer' } },
  'Tessera-Module-Px': { description: 'Pixels a module.', required: true, schema: { type: 'number' } },
  'Tessera-Quiet-Zone': {
    description: 'Modules of quiet zone.',
    required: true,
    schema: { type: 'number' },
  },
  'Tessera-Logo-Cover': {
    description: 'Share of the code that the logo covers.',
    required: true,
    schema: { type: 'number' },
  },
  'Tessera-Pages': { description: 'Pages of the document.', required: true, schema: { type: 'integer' } },
  'Tessera-Level': { description: 'Error correction level.', required: true, schema: text },
} as const satisfies Readonly<Record<string, Header>>;

/** The name of a documented header. */
export type HeaderName = keyof typeof HEADERS;

/** Returns a response schema with these headers, besides those that `nameComponents` adds. */
export const withHeaders = <T extends TSchema | object>(response: T, ...names: readonly HeaderName[]): T => ({
  ...response,
  headers: Object.fromEntries(names.map((name) => [name, {}])),
});
