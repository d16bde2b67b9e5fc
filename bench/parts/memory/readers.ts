/** Requests with large answers. */
import { ADMIN_TOKEN } from '../../../test/servers/testbed.ts';
import type { Owner } from './accounts.ts';
import { headOf } from './crowd.ts';

/** What a connection sends for an account. */
export type Sent = (owner: Owner) => readonly (string | Buffer)[];

const get =
  (path: (owner: Owner) => string): Sent =>
  (owner) => [headOf(`GET /api/v1${path(owner)}`, owner.key)];

const post =
  (
    path: (owner: Owner) => string,
    bodyOf: (owner: Owner) => string,
    headers?: (owner: Owner) => object,
  ): Sent =>
  (owner) => {
    const body = bodyOf(owner);
    const all = {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...headers?.(owner),
    };
    return [headOf(`POST /api/v1${path(owner)}`, owner.key, all), body];
  };

const ALL_FORMATS = 'format=png,svg,pdf,eps,webp';

/** By name: every answer that is streamed, and the largest of those that are sent whole. */
export const READERS: Readonly<Record<string, Sent>> = {
  'items as CSV': get(() => '/resolver/items.csv'),
  'scans as CSV': get(() => '/scans/raw?format=csv&limit=5000'),
  'scans as NDJSON': get(() => '/scans/raw?format=ndjson&limit=5000'),
  'the archive of a folder': get(({ folder }) => `/folders/${folder}/archive?${ALL_FORMATS}`),
  'the archive of codes': post(
    () => `/codes/archive?${ALL_FORMATS}`,
    () => JSON.stringify({ tag: 'all' }),
  ),
  'label sheets': post(
    ({ folder }) => `/folders/${folder}/sheets`,
    () => JSON.stringify({ template: 'avery-l7160', copies: 10 }),
  ),
  'a part of a batch': get(({ batch }) => `/batches/${batch}/parts/1`),
  'errors of a batch': get(({ batch }) => `/batches/${batch}/errors`),
  'duplicates of a batch': get(({ batch }) => `/batches/${batch}/duplicates`),
  'a receipt as JSON': get(
    ({ folder, verification }) => `/folders/${folder}/verifications/${verification}/receipt?format=json`,
  ),
  'a receipt as HTML': get(
    ({ folder, verification }) => `/folders/${folder}/verifications/${verification}/receipt?format=html`,
  ),
  'the usage report': () => [headOf('GET /admin/v1/usage?interval=hour', ADMIN_TOKEN)],
  'a bulk call': post(
    () => '/qr/bulk',
    ({ bulk }) => bulk.body,
    ({ bulk, preset }) => ({ 'idempotency-key': bulk.claim, 'tessera-preset': preset }),
  ),
  'a code with a logo': get(({ logoCode }) => `/codes/${logoCode}`),
  'codes with logos': get(() => '/codes?limit=100'),
  'a picture': get(({ logoCode }) => `/codes/${logoCode}/image?width=2000`),
  'a picture as SVG': get(({ logoCode }) => `/codes/${logoCode}/image?format=svg`),
  'a preset with a logo': get(({ preset }) => `/presets/${preset}`),
  'the OpenAPI document': () => [headOf('GET /openapi.json', null)],
  'the dashboard': () => [headOf('GET /dashboard/', null)],
};

/** Those of which only the first account has something. */
export const OF_FIRST: ReadonlySet<string> = new Set([
  'a receipt as JSON',
  'a receipt as HTML',
  'a bulk call',
]);
