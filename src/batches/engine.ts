/**
 * Works on batches. Each worker of each gateway takes a step of a batch or a piece, one at a time, in rotation over the
 * accounts. What is made is saved with its piece, so a gateway that is killed loses one piece a worker, and any other
 * goes on.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchCounts, countBatches, endBatch, NONE } from '../db/tables/batches/batches.ts';
import { partOf } from '../db/tables/batches/parts.ts';
import { giveBackPiece, type Piece, renewPiece, takePiece } from '../db/tables/batches/pieces.ts';
import { giveBackStep, renewStep, type Step, takeStep } from '../db/tables/batches/steps.ts';
import { waitAtMost } from '../time-limit.ts';
import { inTrace, type Tracer } from '../tracing/trace.ts';
import { type TidyParts, tidy } from './tidy.ts';
import { closePartIfMade } from './work/close-part.ts';
import { makePiece } from './work/make.ts';
import type { WorkParts } from './work/parts.ts';
import { takeNextStep } from './work/step.ts';
import { rangeOf, traceOfPiece, traceOfStep } from './work/traces.ts';
import { validatePiece } from './work/validate.ts';

/** What the engine needs. */
export interface EngineParts extends WorkParts, TidyParts {
  /** Pieces that this gateway works on at a time; 0: it takes none. */
  readonly workers: number;
  /** `null`: traces are passed on and not recorded. */
  readonly tracer: Tracer | null;
  /** The address of the installation; '' while it is unknown. */
  installation(): string;
}

/** What this gateway has done so far. */
interface EngineCounts {
  readonly rowsMade: number;
  /** Tries of a piece or a step that failed; each is made again after a pause. */
  readonly failedTries: number;
  /** Batches that ended because a piece of theirs could not be made. */
  readonly givenUp: number;
}

/** The work on batches, running. */
export interface Engine {
  /** Looks for work now instead of a little later. */
  wake(): void;
  stats(): BatchCounts & EngineCounts;
  /** Ends after the pieces under way, or gives them back after some seconds: another gateway makes them then. */
  close(): Promise<void>;
}

/** Another gateway goes on so long after one was killed. */
const LEASE_MS = 20_000;
const RENEW_MS = 5000;
const LOOK_EVERY_MS = 2000;
const TIDY_EVERY_MS = 10_000;
const CLOSE_MS = 5000;
const PAUSE_MS = { first: 1000, most: 300_000 } as const;
/**
 * A piece at which so many gateways were killed, or that could not be made so often in some eight hours, ends its
 * batch.
 */
const BEGUN_MAX = 25;
const FAILURES_MAX = 100;

const pauseAfter = (failures: number): number =>
  Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** Math.min(failures, 16));

/** Starts the work. It ends with `close`. */
export const startEngine = (parts: EngineParts): Engine => {
  const { sql, log } = parts;
  const lessee = randomUUID();
  const ending = new AbortController();
  let awake = new AbortController();
  const done = { rowsMade: 0, failedTries: 0, givenUp: 0 };
  let counts: BatchCounts = NONE;

  const whileRenewed = async (renew: () => Promise<void>, work: () => Promise<void>): Promise<void> => {
    // What cannot be renewed goes to another gateway, and what this one then saves is refused.
    const renewal = setInterval(() => void renew().catch(() => {}), RENEW_MS);
    try {
      await work();
    } finally {
      clearInterval(renewal);
    }
  };

  const workOn = async (piece: Piece): Promise<void> => {
    if (piece.state === 'unchecked') return validatePiece(parts, piece);
    const made = await makePiece(parts, piece);
    if (made === null) return giveBackPiece(sql, piece, { pauseMs: 0, failed: false });
    done.rowsMade += made;
    await closePartIfMade(parts, piece.batchId, partOf(piece.firstRow));
  };

  const giveUp = async (piece: Piece): Promise<void> => {
    const reason = `Rows ${rangeOf(piece)} could not be made; the operator's log says why.`;
    await endBatch(sql, piece.batchId, 'failed', reason);
    done.givenUp += 1;
    await giveBackPiece(sql, piece, { pauseMs: 0, failed: false });
  };

  const takeOnePiece = async (): Promise<boolean> => {
    const piece = await takePiece(sql, lessee, LEASE_MS);
    if (piece === null) return false;
    if (piece.begun >= BEGUN_MAX || piece.failures >= FAILURES_MAX) {
      await giveUp(piece);
      return true;
    }
    try {
      await whileRenewed(
        () => renewPiece(sql, piece, LEASE_MS),
        () => inTrace(traceOfPiece(parts.tracer, piece), () => workOn(piece)),
      );
    } catch (err) {
      const isEnding = ending.signal.aborted;
      if (!isEnding) {
        done.failedTries += 1;
        log.warn({ err, batch: piece.batchId, rows: rangeOf(piece) }, 'a piece of a batch waits');
      }
      const pauseMs = isEnding ? 0 : pauseAfter(piece.failures);
      await giveBackPiece(sql, piece, { pauseMs, failed: !isEnding });
    }
    return true;
  };

  const takeOneStep = async (): Promise<boolean> => {
    const step: Step | null = await takeStep(sql, lessee, LEASE_MS);
    if (step === null) return false;
    try {
      await whileRenewed(
        () => renewStep(sql, step, LEASE_MS),
        () => inTrace(traceOfStep(parts.tracer, step), () => takeNextStep(parts, step)),
      );
    } catch (err) {
      done.failedTries += 1;
      log.warn({ err, batch: step.id }, 'a batch waits for its next step');
      await giveBackStep(sql, step, pauseAfter(3));
    }
    return true;
  };

  const rest = async (ms: number): Promise<void> => {
    const signal = AbortSignal.any([awake.signal, ending.signal]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    if (awake.signal.aborted) awake = new AbortController();
  };

  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        // Before the gateway listens, it may not know the address that its short links begin with.
        const worked = parts.installation() !== '' && ((await takeOneStep()) || (await takeOnePiece()));
        if (!worked) await rest(LOOK_EVERY_MS);
      } catch (err) {
        if (ending.signal.aborted) return;
        log.warn({ err }, 'batches wait for the database');
        await rest(PAUSE_MS.first * 10);
      }
    }
  };

  const runTidy = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        counts = await countBatches(sql);
        if (parts.workers > 0) await tidy(parts);
      } catch (err) {
        log.warn({ err }, 'expired batches are removed later');
      }
      await sleep(TIDY_EVERY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  };

  const running = Promise.all([runTidy(), ...Array.from({ length: parts.workers }, run)]);

  return {
    wake: () => awake.abort(),
    stats: () => ({ ...counts, ...done }),
    async close() {
      ending.abort();
      await waitAtMost(running, CLOSE_MS);
    },
  };
};
