/** The response headers that the OpenAPI document tells of: their one registry. */
import type { TSchema } from 'typebox';

interface Header {
  readonly description: string;
  /** Every answer that the document promises it for has it. */
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'integer' | 'number'; readonly format?: string };
}

const text = { type: 'string' } as const;

export const HEADERS = {
  'X-Request-Id': {
    description: 'The one that was sent, or a new one; our log has it too.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      "Limits that hold: `burst`, the requests of a second, and where the call reads the ledger `monthly`, the account's units of the calendar month. As in draft-ietf-httpapi-ratelimit-headers.",
    schema: text,
  },
  RateLimit: { description: 'What is left of each policy, and the seconds until it is whole.', schema: text },
  'Retry-After': {
    description: 'Seconds until a new try makes sense.',
    required: true,
    schema: { type: 'integer' },
  },
  ETag: { description: 'Strong: the same tag, the same bytes.', required: true, schema: text },
  'Cache-Control': { description: 'Who may keep the answer.', required: true, schema: text },
  'Content-Disposition': { description: 'A name for the file.', required: true, schema: text },
  Location: { description: 'The destination.', required: true, schema: { type: 'string', format: 'uri' } },
  'Server-Timing': {
    description: 'Milliseconds in the ledger, in the queue and in a render thread.',
    required: true,
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` where the first answer to this `Idempotency-Key` is sent again.',
    schema: text,
  },
  'X-QR-Usage': { description: 'Units used this period.', required: true, schema: { type: 'integer' } },
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
  'Tessera-Level': { description: 'Error correction level.', required: true, schema: text },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof HEADERS;

/** A response that carries these headers beside those that the document adds by itself (`nameComponents`). */
export const withHeaders = <T extends TSchema | object>(response: T, ...names: readonly HeaderName[]): T => ({
  ...response,
  headers: Object.fromEntries(names.map((name) => [name, {}])),
});
