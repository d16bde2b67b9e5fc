/** Makes the rows of a file with bulk calls. */
import { pluralise } from '../../texts.ts';
import { commandError } from '../fault.ts';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { type Call, createMaker, toCalls } from './calls.ts';
import { createFileMaker } from './files/file-maker.ts';
import { readRows } from './input/input.ts';
import type { Source } from './input/source.ts';
import {
  type Ended,
  type FileRunOptions,
  type PictureSource,
  prefixOf,
  runFile,
  type Summary,
  type Work,
} from './run.ts';
import { createSender, type Sender } from './sender.ts';
import { createShortUrls } from './short-urls.ts';

/** What the user asks of a run without a batch. */
export interface HereOptions extends FileRunOptions {
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Send calls again although the gateway may have forgotten that they were paid for. */
  readonly payAgain: boolean;
}

/** How far ahead of the oldest unfinished call others may begin. This bounds what the manifest must put in order. */
const LEAD_MAX = 64;

interface Making extends Work {
  readonly source: Source;
  readonly concurrency: number;
  readonly make: ReturnType<typeof createMaker>;
  readonly mayHaveMade: Sender['mayHaveMade'];
  /** Aborted when no more calls may begin. */
  readonly stop: AbortController;
}

/**
 * Makes the calls that are not done, several at once. When `stop` is aborted, it begins no more and ends when those
 * under way have ended.
 */
const makeAll = async (making: Making): Promise<Ended> => {
  const { source, run, resumed, journal, concurrency, stop } = making;
  const progress = createProgress(making.err, run.rows, resumed);
  const running = new Map<number, Promise<void>>();
  let remaining: number | null = null;

  const makeOne = async (call: Call): Promise<void> => {
    await journal.begin(call.index);
    const made = await making.make(call).catch(async (error: unknown) => {
      if (!resumed.isPending(call.index) && !making.mayHaveMade()) await journal.refuse(call.index);
      throw error;
    });
    await journal.end(call.index, made.rows);
    remaining = made.remaining ?? remaining;
    progress.add(made.rows.length, made.rows.filter(({ error }) => error !== undefined).length);
  };

  const begin = (call: Call): void => {
    const made = makeOne(call)
      .catch((error: unknown) => stop.abort(error))
      .finally(() => running.delete(call.index));
    running.set(call.index, made);
  };

  const beginAll = async (): Promise<void> => {
    const rows = readRows(source, (sha256) => {
      if (sha256 !== run.inputSha256)
        stop.abort(commandError(`${source.path} was changed while it was read`));
    });
    for await (const call of toCalls(rows)) {
      if (resumed.isDone(call.index)) continue;
      const [oldest = call.index] = running.keys();
      if (call.index - oldest >= LEAD_MAX) await running.get(oldest);
      if (running.size >= concurrency) await Promise.race(running.values());
      if (stop.signal.aborted) return;
      begin(call);
    }
  };

  await beginAll().catch((error: unknown) => stop.abort(error));
  await Promise.all(running.values());
  progress.end();
  return { remaining, stopped: stop.signal.aborted ? stop.signal.reason : null };
};

/** @throws {CliFault} when calls may have been paid for and sending them again may cost again. */
const begin = async (options: HereOptions, work: Work): Promise<PictureSource> => {
  const { api, run, resumed, interrupted, err } = work;
  if (run.keyPrefix !== prefixOf(options.key))
    err.write(
      `The run was begun with the key ${run.keyPrefix}…: if this key is another account's, calls that were under way may be paid for twice.\n`,
    );
  const unknown = resumed.unknown.length;
  if (unknown > 0 && !options.payAgain)
    throw commandError(
      `${pluralise(unknown, 'call was', 'calls were')} sent more than 23 hours ago without an answer. What is sent again may be made twice and cost twice. Give --pay-again to send it.`,
    );
  const stop = new AbortController();
  interrupted.addEventListener('abort', () => stop.abort());
  const files = await createFileMaker(options.files, work);
  const sender = createSender(api, run, stop.signal, err);
  const make = createMaker({ ...run, ...work, sender, files });
  const { source, concurrency } = options;
  return {
    make: () =>
      makeAll({ ...work, source, concurrency, make, mayHaveMade: sender.mayHaveMade, stop }).finally(() =>
        files.close(),
      ),
    shortUrlOf: createShortUrls<void>(api, async () => {
      err.write('The key may not read links (scope manage): the short URLs in the manifest are a guess.\n');
      return `${api.url}/l/`;
    }),
    withIds: false,
    whenInterrupted: 'interrupted',
  };
};

/** Makes a code of each row with bulk calls. @throws As `runFile`. */
export const runHere = (options: HereOptions, terminal: Terminal): Promise<Summary> =>
  runFile(options, null, terminal, (work) => begin(options, work));
