/** Requests with large answers. */
import { ADMIN_TOKEN } from '../../servers/testbed.ts';
import { headOf, type Pieces } from './crowd.ts';
import type { Reader } from './owners.ts';

type Read = (reader: Reader) => Pieces;

const get =
  (path: (reader: Reader) => string): Read =>
  (reader) => [headOf(`GET /api/v1${path(reader)}`, reader.key)];

const post =
  (
    path: (reader: Reader) => string,
    bodyOf: (reader: Reader) => string,
    headers?: (reader: Reader) => object,
  ): Read =>
  (reader) => {
    const body = bodyOf(reader);
    const own = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return [headOf(`POST /api/v1${path(reader)}`, reader.key, { ...own, ...headers?.(reader) }), body];
  };

const ALL_FORMATS = 'format=png,svg,pdf,eps,webp';
const receipt = (format: string): Read =>
  get(
    ({ otherFolder, verification }) =>
      `/folders/${otherFolder}/verifications/${verification}/receipt?format=${format}`,
  );

/** By name: every answer that is streamed, and the largest of those that are sent whole. */
export const READERS: Readonly<Record<string, Read>> = {
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
  'a receipt as JSON': receipt('json'),
  'a receipt as HTML': receipt('html'),
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
