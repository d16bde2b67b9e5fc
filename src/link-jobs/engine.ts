/**
 * Works on link jobs: each gateway takes one job at a time and does one step of it, in one transaction that also says how
 * far the job has come. So a killed gateway loses at most one step, and any other gateway continues.
 */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { runPaced } from '../db/statements.ts';
import { countLinkJobs } from '../db/tables/link-jobs/counts.ts';
import { endLinkJob, type LinkJobFault, type LinkJobKind, saveFaults } from '../db/tables/link-jobs/jobs.ts';
import { forgetReceivingJob, takeAbandonedJob } from '../db/tables/link-jobs/receiving.ts';
import {
  advanceJob,
  enterState,
  finishJob,
  forgetJob,
  forgetJobLinks,
  giveBackJob,
  type JobTurn,
  NO_PROGRESS,
  type Progress,
  renewJob,
  takeJob,
  takeLeftJob,
} from '../db/tables/link-jobs/turns.ts';
import { createRounds, runWhileRenewed } from '../execution/rounds.ts';
import type { LinkParts } from '../links/edit.ts';
import type { Log } from '../log.ts';
import type { ObjectStore } from '../storage/store.ts';
import { pluralise } from '../texts.ts';
import { restoreTraceContext } from '../tracing/context.ts';
import { continueTrace, inTrace, type Tracer } from '../tracing/trace.ts';
import { createPieces, type Pieces, type PreparedPiece } from './ahead.ts';
import { undoNext } from './earlier.ts';
import type { Outcome, RowFault, RowKind } from './kind.ts';
import { createJobMeter, type JobMeter } from './meter.ts';
import { jobFolder } from './pieces.ts';

/** What the engine needs. */
interface EngineParts {
  readonly database: Pick<Database, 'sql' | 'changes' | 'histories'>;
  readonly store: ObjectStore;
  /** By kind of job; an undo has no rows. */
  readonly kinds: Readonly<Partial<Record<LinkJobKind, RowKind>>>;
  /** Whether this gateway works on jobs. */
  readonly isWorking: boolean;
  /** Whether the store is verified to be the installation's. If not, this gateway takes no work. */
  isStoreProved(): boolean;
  readonly log: Pick<Log, 'warn'>;
  /** `null`: trace context is propagated but not recorded. */
  readonly tracer: Tracer | null;
}

/** What a step needs. */
interface StepParts extends EngineParts {
  readonly meter: JobMeter;
}

/** Another gateway has taken the job: what this one has done must be rolled back. */
class Lost extends Error {}

/** A row of a job that is done whole or not at all cannot be handled. */
class Unfit extends Error {
  readonly fault: LinkJobFault;

  constructor(fault: LinkJobFault) {
    super('a row cannot be handled');
    this.fault = fault;
  }
}

const kindOf = ({ kinds }: Pick<EngineParts, 'kinds'>, { kind }: JobTurn): RowKind => {
  const rowKind = kinds[kind];
  if (rowKind === undefined) throw new Error(`link jobs of the kind ${kind} have no rows`);
  return rowKind;
};

const isFault = (outcome: Outcome): outcome is RowFault => typeof outcome !== 'string';

const countOf = (outcomes: readonly Outcome[], wanted: Outcome): number =>
  outcomes.filter((outcome) => outcome === wanted).length;

/** What a step has done, or how it has ended the job. */
type Done = Partial<Progress> | 'done' | 'failed' | 'cancelled';

/** Does something in a transaction, and notes in it how far the job has come. @throws {Lost} */
const inStep = async (
  { database, meter }: Pick<StepParts, 'database' | 'meter'>,
  job: JobTurn,
  work: (parts: LinkParts) => Promise<Done>,
): Promise<void> => {
  const done = await inTransaction(database.sql, async (tx) => {
    // Everything is found by its key. Joined with hundreds of rows, tables of up to some 200,000 would be read whole. A step
    // that a crash of Postgres takes back is done again, because how far the job has come goes with it.
    await tx`
      select set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`;
    const step = await work({ ...database, sql: tx });
    if (typeof step === 'string') await tx`set local synchronous_commit to default`;
    const isNoted =
      typeof step === 'string'
        ? await finishJob(tx, job, step)
        : await advanceJob(tx, job, { ...NO_PROGRESS, ...step });
    if (!isNoted) throw new Lost();
    return step;
  });
  if (typeof done !== 'string') meter.addRows(job, done);
};

/** Handles the rows of a piece, and prepares the next one meanwhile. @throws {Lost}; {Unfit} */
const handlePiece = (parts: StepParts, pieces: Pieces, job: JobTurn, piece: PreparedPiece): Promise<void> =>
  inStep(parts, job, async (step) => {
    const { rows, handle } = piece;
    let isNextBegun = false;
    const prepareNext = (): void => {
      if (!isNextBegun) pieces.prepareAfter(job, piece);
      isNextBegun = true;
    };
    const { outcomes, keptBytes } = await handle(step, prepareNext);
    prepareNext();
    const faults = outcomes.flatMap((outcome, place): LinkJobFault[] =>
      isFault(outcome) ? [{ row: rows[place]!.row, fileRow: rows[place]!.fileRow, ...outcome }] : [],
    );
    const [first] = faults;
    if (first !== undefined && job.state === 'running' && job.allOrNothing) throw new Unfit(first);
    await saveFaults(step.sql, job.id, faults);
    return {
      handled: rows.length,
      made: countOf(outcomes, 'made'),
      changed: countOf(outcomes, 'changed'),
      unchanged: countOf(outcomes, 'unchanged'),
      faults: faults.length,
      keptBytes,
    };
  });

/** A row was in order when the job was checked, and is not any more. */
const noteUnfit = (parts: StepParts, job: JobTurn, fault: LinkJobFault): Promise<void> =>
  inStep(parts, job, async ({ sql }) => {
    await saveFaults(sql, job.id, [fault]);
    const reason = `Row ${fault.row} was in order when it was checked, and is not any more; see the faults. What was changed is brought back.`;
    await endLinkJob(sql, job.id, 'failed', reason);
    return { faults: 1 };
  });

/** Ends the present state of a job whose rows are all handled. */
const endState = async (parts: StepParts, job: JobTurn): Promise<void> => {
  const isChecked = job.state === 'checking' && !job.isDryRun;
  if (isChecked && job.faults === 0) return enterState(parts.database.sql, job, 'running');
  await inStep(parts, job, async ({ sql }) => {
    if (!isChecked) return 'done';
    const reason = `${pluralise(job.faults, 'row')} cannot be handled; see the faults. Nothing was changed.`;
    await endLinkJob(sql, job.id, 'failed', reason);
    return 'failed';
  });
};

const goOn = async (parts: StepParts, pieces: Pieces, job: JobTurn): Promise<void> => {
  const piece = await pieces.next(job);
  if (piece === null) return endState(parts, job);
  try {
    await handlePiece(parts, pieces, job, piece);
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    await noteUnfit(parts, job, error.fault);
  }
};

const LEFT_OUT = 'the short link was deleted since, and is left out';

const undo = (parts: StepParts, job: JobTurn): Promise<void> =>
  inStep(parts, job, async (step) => {
    const undone = await undoNext(step, job);
    if (undone === null) return 'done';
    const faults = undone.missing.map(({ row, firstSlug }) => ({
      row,
      fileRow: null,
      slug: firstSlug,
      externalId: null,
      field: 'slug',
      message: LEFT_OUT,
    }));
    await saveFaults(step.sql, job.id, faults);
    return undone.progress;
  });

/** Ends a job whose end is decided. One that is done whole or not at all first brings back what it has changed. */
const end = async (parts: StepParts, job: JobTurn, ending: NonNullable<JobTurn['ending']>): Promise<void> => {
  if (job.state === 'running' && job.allOrNothing) return enterState(parts.database.sql, job, 'reverting');
  await inStep(parts, job, async (step) => {
    const reverted = job.state === 'reverting' ? await kindOf(parts, job).revert(step, job) : 0;
    return reverted === 0 ? ending : { handled: reverted };
  });
};

/** Does the next step of a job. @throws When that is not possible at the moment. */
const takeStep = (parts: StepParts, pieces: Pieces, job: JobTurn): Promise<void> => {
  if (job.ending !== null) return end(parts, job, job.ending);
  return job.kind === 'undo' ? undo(parts, job) : goOn(parts, pieces, job);
};

/**
 * How long after a gateway was killed another one goes on with its job. Steps take a fraction of a second, and one that was
 * held up for longer is rolled back and done again.
 */
const LEASE_MS = 3000;
const RENEW_MS = 750;
const TIDY_EVERY_MS = 10_000;
const CLOSE_MS = 5000;
const PAUSE_MS = { first: 1000, most: 300_000 } as const;
/**
 * A job fails when one of its steps was begun this often and never ended, because its gateway was killed or it could not
 * be done, which takes more than an hour. Bringing links back is tried for ever.
 */
const TRIES_MAX = 25;
/** Links of an ended job that are removed at a time, and jobs and their links in one run. */
const LINKS_AT_A_TIME = 5000;
const REMOVALS_MAX = 500;

const pauseAfter = (tries: number): number =>
  Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** Math.min(tries, 16));

/** Starts the work on link jobs, until `close` is called. */
export const startLinkJobs = (parts: EngineParts) => {
  const { database, store, log } = parts;
  const { sql } = database;
  const leaseHolder = randomUUID();
  const rounds = createRounds('link_jobs', log);
  const pieces = createPieces({ sql, store, kindOf: (job) => kindOf(parts, job) });
  const meter = createJobMeter();
  const stepParts = { ...parts, meter };

  const work = async (): Promise<boolean> => {
    const job = await takeJob(sql, leaseHolder, LEASE_MS);
    if (job === null) return false;
    const { id, state, tries } = job;
    if (tries > TRIES_MAX && job.ending === null) {
      const reason = `Rows from ${job.handled + 1} on could not be handled; the operator's log says why.`;
      await endLinkJob(sql, id, 'failed', reason);
      meter.addGivenUp();
      await giveBackJob(sql, job, 0);
      return true;
    }
    const trace = continueTrace(parts.tracer, restoreTraceContext(job.trace), {
      name: 'link job step',
      kind: 'consumer',
      attributes: { 'tessera.link_job': id, 'tessera.step': state },
    });
    const begunMs = performance.now();
    try {
      await runWhileRenewed(
        () => renewJob(sql, job, LEASE_MS),
        () => inTrace(trace, () => takeStep(stepParts, pieces, job)),
        RENEW_MS,
      );
      meter.addTurn(performance.now() - begunMs);
    } catch (err) {
      const isEnding = rounds.isEnding();
      if (!isEnding) {
        meter.addFailure();
        log.warn({ err, job: id, state }, 'link job step failed; will retry');
      }
      await giveBackJob(sql, job, isEnding ? 0 : pauseAfter(tries));
    }
    return true;
  };

  const removeAbandoned = async (): Promise<void> => {
    const id = await takeAbandonedJob(sql);
    if (id === null) return;
    await store.removeAll(jobFolder(id));
    await forgetReceivingJob(sql, id);
  };

  /** Removes what ended jobs leave behind, in bounded steps. */
  const removeLeft = async (): Promise<void> => {
    for (let removals = 0; removals < REMOVALS_MAX; ) {
      const left = await takeLeftJob(sql);
      if (left === null) return;
      await store.removeAll(jobFolder(left.id));
      while ((await runPaced(() => forgetJobLinks(sql, left, LINKS_AT_A_TIME))) === LINKS_AT_A_TIME)
        removals += 1;
      await forgetJob(sql, left);
      removals += 1;
    }
  };

  rounds.every('link jobs could not be counted; will retry', TIDY_EVERY_MS, async () =>
    meter.setCounts(await countLinkJobs(sql)),
  );
  if (parts.isWorking) {
    rounds.every('old link jobs could not be removed; will retry', TIDY_EVERY_MS, async () => {
      if (!parts.isStoreProved()) return;
      await removeAbandoned();
      await removeLeft();
    });
    rounds.work('no link job could be taken from the database; will retry', async () =>
      parts.isStoreProved() ? work() : false,
    );
  }

  return {
    wake: rounds.wake,
    stats: meter.stats,
    /** Waits some seconds for the step in progress; another gateway does what is not done. */
    close: (): Promise<void> => rounds.end(CLOSE_MS),
  };
};

/** The work on link jobs, running. */
export type LinkJobEngine = ReturnType<typeof startLinkJobs>;
