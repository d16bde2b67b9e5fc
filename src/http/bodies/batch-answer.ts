import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkResult } from '../../generate/bulk-items.ts';
import { toDataUrl } from '../data-url.ts';

/** Below this an answer is written in a few milliseconds. */
const LARGE_BYTES = 1024 * 1024;

export const toResult = (result: BulkResult) => {
  if (!result.success) return result;
  const data = toDataUrl(result.png);
  return result.slug === null ? { success: true, data } : { success: true, data, slug: result.slug };
};

/** Whether the pictures of a batch are so large that writing them out in one go would hold up other requests. */
export const isLarge = (results: readonly BulkResult[]): boolean =>
  results.reduce((bytes, result) => bytes + (result.success ? result.png.byteLength : 0), 0) > LARGE_BYTES;

/** The JSON of a batch's answer, a picture at a time, with other requests' turns in between. */
export const streamBatch = (results: readonly BulkResult[], meta: object): Readable => {
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
