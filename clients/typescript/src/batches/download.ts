/** Downloads a part of a batch, over connections that break. */
import { TesseraError } from '../error.ts';
import { pause } from '../retries.ts';
import type { CallOptions, Calls } from '../types.ts';

/** How many times in a row a download may break without progress. */
const BREAKS_MAX = 4;
const PAUSE_MS = 500;

/** Yields the bytes of a part. An interrupted download resumes where it broke. @throws {TesseraError} */
export async function* download(
  { getBatchPart }: Calls,
  path: { readonly id: string; readonly n: number },
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  let from = 0;
  for (let breaks = 0; ; breaks += 1) {
    const headers = from === 0 ? {} : { range: `bytes=${from}-` };
    const { data } = await getBatchPart({ path, headers }, options);
    try {
      for await (const chunk of data ?? []) {
        from += chunk.length;
        breaks = 0;
        yield chunk;
      }
      return;
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (breaks >= BREAKS_MAX)
        throw new TesseraError('unreachable', { details: 'the download of a part breaks off', cause });
    }
    await pause(PAUSE_MS * (breaks + 1), options.signal);
  }
}
