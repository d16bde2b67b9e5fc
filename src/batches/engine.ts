/**
 * Processes batches, with spans in the trace of the call that sent the batch. Each worker of each gateway takes one
 * batch step or piece at a time, in rotation over the accounts and, within an account, over its batches. Results are
 * saved with their piece, so a killed gateway loses at most one piece per worker, and any other gateway continues.
 */
import { randomUUID } from 'node:crypto';
import { type BatchCounts, countBatches, endBatch, NONE } from '../db/tables/batches/batches.ts';
import { partOf } from '../db/tables/batches/parts.ts';
import {
  enterRotation,
  giveBackPiece,
  type Piece,
  renewPiece,
  takePiece,
} from '../db/tables/batches/pieces.ts';
import {
  endsUnqueued,
  finishBatch,
  giveBackStep,
  queueBatch,
  refuseBatch,
  renewStep,
  type Step,
  takeStep,
} from '../db/tables/batches/steps.ts';
import { createRounds, LEASE_MS, runWhileRenewed } from '../execution/rounds.ts';
import { pluralise } from '../texts.ts';
import { restoreTraceContext } from '../tracing/context.ts';
import { continueTrace, inTrace, type Tracer } from '../tracing/trace.ts';
import { judgeNumbers } from './rows/numbers.ts';
import { fileRowOf } from './rows/stored.ts';
import { removeLeftovers, type TidyParts } from './uploads.ts';
import { checkDuplicates } from './work/duplicates.ts';
import { closePart, closePartIfMade } from './work/files.ts';
import { compareWithKept } from './work/kept-duplicates.ts';
import { makePiece } from './work/make.ts';
import type { WorkParts } from './work/parts.ts';
import { validatePiece } from './work/validate.ts';

const refuseFaulty = (sql: WorkParts['sql'], step: Step, errors: number): Promise<void> => {
  const faulty = pluralise(errors, 'row has a fault', 'rows have faults');
  return refuseBatch(sql, step, `${faulty}; see the errors. Nothing was charged.`);
};

/** Holds the units of a validated batch and queues it, or refuses it. */
const admit = async ({ sql, store, quota }: WorkParts, step: Step): Promise<void> => {
  const { id, accountId, keyId, keyQuota, makers, rows } = step;
  const errors = step.errors + (await checkDuplicates({ sql, store }, step));
  if (errors > 0) return refuseFaulty(sql, step, errors);
  const compared = await compareWithKept({ sql, store }, step);
  if (compared.refused > 0) return refuseFaulty(sql, step, compared.refused);
  if (compared.why !== null) return refuseBatch(sql, step, `${compared.why} Nothing was charged.`);
  const held = await quota.hold({ id, accountId, units: rows, keyId, keyQuota, makers });
  if (held.outcome !== 'held') {
    const isKey = held.outcome === 'key_exhausted';
    const [left, whose] = isKey
      ? [
          held.keyRemaining,
          ` of the ${makers.length === 0 ? "key's own quota" : 'quotas of the key and its makers'}`,
        ]
      : [held.balance.remaining, ''];
    const reason = `It needs ${rows} units and ${left} are left${whose}: ${rows - left} are missing. Nothing was charged.`;
    return refuseBatch(sql, step, reason);
  }
  await enterRotation(sql, accountId);
  const queued = await queueBatch(sql, step, compared.with, (firstNumbers) =>
    judgeNumbers(step, firstNumbers),
  );
  // Its units stay held meanwhile: the hold is idempotent.
  if (queued.outcome === 'again') return giveBackStep(sql, step, 0);
  // When the batch ends, the units are released.
  if (queued.outcome === 'refused') return refuseBatch(sql, step, `${queued.why} Nothing was charged.`);
  if (queued.outcome !== 'lost') return;
  // Another gateway has taken the step. It queues the batch with these units, or it ended the batch before they were
  // held, in which case nobody else would release them.
  if (await endsUnqueued(sql, id)) await quota.release({ id, accountId, refundUnits: rows });
};

/**
 * Releases units, and returns how many. An admission whose answer was lost may have held units that are not recorded
 * yet. Repeating the hold with the same id is idempotent and tells.
 */
const release = async ({ quota }: WorkParts, step: Step, refundUnits: number): Promise<number> => {
  const { id, accountId, keyId, keyQuota, makers, rows, hasHold } = step;
  if (hasHold === null) {
    const { outcome } = await quota.hold({ id, accountId, units: rows, keyId, keyQuota, makers });
    if (outcome !== 'held') return 0;
  }
  // A batch that was never admitted has no hold, and the ledger says so.
  return (await quota.release({ id, accountId, refundUnits })) === null ? 0 : refundUnits;
};

/** Closes the parts, releases the units of rows that were not made, and ends the batch. */
const finish = async (parts: WorkParts, step: Step): Promise<void> => {
  const { id, rows, made, failed, refundable, ending } = step;
  // An expired batch closes no parts: its results are removed at once, and the store may be why it expired.
  const last = ending === 'expired' ? 0 : partOf(Math.max(1, rows));
  for (let number = 1; number <= last; number += 1) await closePart(parts, step, number);
  await finishBatch(parts.sql, step, await release(parts, step, rows - made - failed + refundable));
  await parts.store.removeAll(`${id}/input`);
};

/** Performs the next step of a batch. @throws When that is not possible at the moment. */
export const takeNextStep = (parts: WorkParts, step: Step): Promise<void> =>
  step.state === 'finishing' ? finish(parts, step) : admit(parts, step);

/** The rows of a piece in human-readable form: `501 to 1000`. */
const rangeOf = ({ firstRow, rows }: Piece): string => `${firstRow} to ${firstRow + rows - 1}`;

/**
 * The pieces of a batch's first rows, up to this many, belong to the trace of its call. Later ones start their own
 * traces, linked to it.
 */
const TRACED_ROWS = 10_000;

/** Begins the span of a piece. `tracer` is `null` when traces are not recorded. */
const traceOfPiece = (tracer: Tracer | null, piece: Piece) =>
  continueTrace(tracer, restoreTraceContext(piece.trace), {
    name: 'batch piece',
    kind: 'consumer',
    attributes: {
      'tessera.batch': piece.batchId,
      'tessera.rows': rangeOf(piece),
      'tessera.step': piece.state === 'unchecked' ? 'validate' : 'make',
    },
    isApart: piece.firstRow > TRACED_ROWS,
  });

/** Begins the span of a step. */
const traceOfStep = (tracer: Tracer | null, step: Step) =>
  continueTrace(tracer, restoreTraceContext(step.trace), {
    name: 'batch step',
    kind: 'consumer',
    attributes: {
      'tessera.batch': step.id,
      'tessera.step': step.state === 'finishing' ? 'finish' : 'admit',
    },
  });

/** What the engine needs. */
interface EngineParts extends WorkParts, TidyParts {
  /** Pieces that this gateway works on concurrently; 0: none. */
  readonly workers: number;
  /** `null`: trace context is propagated but not recorded. */
  readonly tracer: Tracer | null;
  /** The address of the installation; '' while it is unknown. */
  installation(): string;
  /** Whether the store is verified to be the installation's. If not, this gateway takes no work. */
  isStoreProved(): boolean;
}

/** What this gateway has done so far. */
interface EngineCounts {
  readonly rowsMade: number;
  /** Failed attempts at a piece or a step; each is retried after a pause. */
  readonly failedTries: number;
  /** Batches that ended because one of their pieces could not be made. */
  readonly givenUp: number;
}

const TIDY_EVERY_MS = 10_000;
const CLOSE_MS = 5000;
const PAUSE_MS = { first: 1000, most: 300_000 } as const;
/**
 * A batch ends when this many gateways were killed while working on one of its pieces, or when a piece has failed this
 * often, which takes some eight hours.
 */
const BEGUN_MAX = 25;
const FAILURES_MAX = 100;

const pauseAfter = (failures: number): number =>
  Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** Math.min(failures, 16));

/** Starts the work on batches, until `close` is called. */
export const startEngine = (parts: EngineParts) => {
  const { sql, log } = parts;
  const leaseHolder = randomUUID();
  const rounds = createRounds('batches', log);
  const done = { rowsMade: 0, failedTries: 0, givenUp: 0 };
  let counts: BatchCounts = NONE;

  const workOn = async (piece: Piece): Promise<void> => {
    if (piece.state === 'unchecked') return validatePiece(parts, piece);
    const made = await makePiece(parts, piece);
    if (made === null) return giveBackPiece(sql, piece, { pauseMs: 0, failed: false });
    done.rowsMade += made;
    await closePartIfMade(parts, { ...piece, id: piece.batchId }, partOf(piece.firstRow));
  };

  const giveUp = async (piece: Piece): Promise<void> => {
    const [first, last] = [piece.firstRow, piece.firstRow + piece.rows - 1].map((row) =>
      fileRowOf(piece, row),
    );
    const reason = `Rows ${first} to ${last} of the file could not be made; the operator's log says why.`;
    await endBatch(sql, piece.batchId, 'failed', reason);
    done.givenUp += 1;
    await giveBackPiece(sql, piece, { pauseMs: 0, failed: false });
  };

  const takeOnePiece = async (): Promise<boolean> => {
    const piece = await takePiece(sql, leaseHolder, LEASE_MS);
    if (piece === null) return false;
    if (piece.begun >= BEGUN_MAX || piece.failures >= FAILURES_MAX) {
      await giveUp(piece);
      return true;
    }
    try {
      await runWhileRenewed(
        () => renewPiece(sql, piece, LEASE_MS),
        () => inTrace(traceOfPiece(parts.tracer, piece), () => workOn(piece)),
      );
    } catch (err) {
      const isEnding = rounds.isEnding();
      if (!isEnding) {
        done.failedTries += 1;
        log.warn({ err, batch: piece.batchId, rows: rangeOf(piece) }, 'batch piece failed; will retry');
      }
      const pauseMs = isEnding ? 0 : pauseAfter(piece.failures);
      await giveBackPiece(sql, piece, { pauseMs, failed: !isEnding });
    }
    return true;
  };

  const takeOneStep = async (): Promise<boolean> => {
    const step: Step | null = await takeStep(sql, leaseHolder, LEASE_MS);
    if (step === null) return false;
    try {
      await runWhileRenewed(
        () => renewStep(sql, step, LEASE_MS),
        () => inTrace(traceOfStep(parts.tracer, step), () => takeNextStep(parts, step)),
      );
    } catch (err) {
      done.failedTries += 1;
      log.warn({ err, batch: step.id }, 'batch step failed; will retry');
      await giveBackStep(sql, step, pauseAfter(3));
    }
    return true;
  };

  rounds.every('expired batches could not be removed; will retry', TIDY_EVERY_MS, async () => {
    counts = await countBatches(sql);
    if (parts.workers > 0 && parts.isStoreProved()) await removeLeftovers(parts);
  });
  for (let worker = 0; worker < parts.workers; worker += 1)
    rounds.work('no batch could be taken from the database; will retry', async () => {
      // Until the gateway listens, it may not know the base address of its short links.
      const mayWork = parts.installation() !== '' && parts.isStoreProved();
      return mayWork && ((await takeOneStep()) || (await takeOnePiece()));
    });

  return {
    wake: rounds.wake,
    stats: (): BatchCounts & EngineCounts => ({ ...counts, ...done }),
    /** Waits some seconds for the pieces in progress, then releases the rest for another gateway to make. */
    close: (): Promise<void> => rounds.end(CLOSE_MS),
  };
};

/** The work on batches, running. */
export type Engine = ReturnType<typeof startEngine>;
