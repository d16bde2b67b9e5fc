import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkResult } from '../../generate/bulk/items.ts';
import { toDataUrl } from '../files/data-url.ts';

/** A bulk call with fewer bytes of pictures is written in a few milliseconds. */
const LARGE_BYTES = 1024 * 1024;

/** Returns an item of a bulk call's answer, with the picture as a data URL. */
export const toResult = (result: BulkResult) => {
  if (!result.success) return result;
  const { png, slug, repaired } = result;
  return {
    success: true,
    data: toDataUrl(png),
    ...(slug === null ? {} : { slug }),
    ...(repaired === '' ? {} : { repaired }),
  };
};

/** Whether a bulk call has so many bytes of pictures that writing them at once would delay other requests. */
export const isLarge = (results: readonly BulkResult[]): boolean =>
  results.reduce((bytes, result) => bytes + (result.success ? result.png.byteLength : 0), 0) > LARGE_BYTES;

/** Streams the JSON of a bulk call's answer, one picture in each turn of the event loop. */
export const streamBulk = (results: readonly BulkResult[], meta: object): Readable => {
  const write = async function* () {
    yield '{"success":true,"results":[';
    for (const [i, result] of results.entries()) {
      yield `${i === 0 ? '' : ','}${JSON.stringify(toResult(result))}`;
      await nextTurn();
    }
    yield `],"meta":${JSON.stringify(meta)}}`;
  };
  return Readable.from(write());
};
