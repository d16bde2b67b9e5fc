/** Downloads a part of a batch, over connections that break. */
import type { Call, CallOptions } from '../call.ts';
import { codeOf, TesseraError } from '../error.ts';
import type { Operation } from '../request.ts';
import { pause } from '../retries.ts';

/** A part, and where its download begins. */
export interface PartPlace {
  /** Id of the batch. */
  readonly id: string;
  readonly n: number;
  /** Bytes that are known from an earlier download. Default: 0. */
  readonly from?: number;
}

const PART: Operation = {
  ...{ method: 'GET', path: '/api/v1/batches/{id}/parts/{n}' },
  ...{ auth: 'key', answer: 'file', whole: false },
};

/** How many times in a row a download may break without progress. */
const BREAKS_MAX = 4;
const PAUSE_MS = 500;
/** A connection that sends nothing for this long is dropped. */
const STALL_MS = 60_000;

const eitherOf = (own: AbortSignal, given: AbortSignal | undefined): AbortSignal =>
  given === undefined ? own : AbortSignal.any([own, given]);

/** Yields what one connection brings. */
async function* fetchFrom(
  call: Call,
  path: { readonly id: string; readonly n: number },
  from: number,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stalled = new AbortController();
  const watch = () => setTimeout(() => stalled.abort(), STALL_MS);
  const headers = from === 0 ? {} : { range: `bytes=${from}-` };
  const signal = eitherOf(stalled.signal, options.signal);
  const { data, response } = await call(PART, { path, headers }, { ...options, signal });
  // Only a 206 begins there.
  let skipped = response.status === 206 ? 0 : from;
  let timer = watch();
  try {
    for await (const chunk of (data ?? []) as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      const known = Math.min(skipped, chunk.length);
      skipped -= known;
      if (known < chunk.length) yield chunk.subarray(known);
      timer = watch();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Yields the bytes of a part. An interrupted download resumes where it broke. @throws {TesseraError} */
export async function* downloadPart(
  call: Call,
  { from = 0, ...path }: PartPlace,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = from;
  for (let breaks = 0; ; breaks += 1) {
    try {
      for await (const chunk of fetchFrom(call, path, at, options)) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
      return;
    } catch (cause) {
      options.signal?.throwIfAborted();
      // It broke after its last byte.
      if (codeOf(cause) === 'range_not_satisfiable' && at > 0) return;
      if (cause instanceof TesseraError) throw cause;
      if (breaks >= BREAKS_MAX)
        throw new TesseraError('unreachable', { details: 'the download of a part breaks off', cause });
    }
    await pause(PAUSE_MS * (breaks + 1), options.signal);
  }
}
