/** Draws the rows of a piece on the render threads, behind all other work. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rendered } from '../../../workers/protocol.ts';
import type { BatchFormat } from '../../db/tables/batches/batches.ts';
import { type PlannedTask, planTask } from '../../generate/task.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import type { RenderOutcome } from '../../render/outcome.ts';
import { ok, type Result, refused } from '../../result.ts';
import type { Row } from '../rows/row.ts';
import type { WorkParts } from './parts.ts';

/** A row on its way to its pictures. */
export interface Sketch {
  readonly row: Row;
  readonly slug: string | null;
  readonly found: FoundLogo | null;
}

/** Why a row was not made. */
export interface RowFailure {
  readonly field: string;
  readonly message: string;
  /** Which of them is at fault. */
  readonly cause: 'row' | 'service';
}

/** The pictures of a row, one in each format of its batch. */
export type Drawn = Result<readonly Rendered[], RowFailure>;

const CRASHED: RowFailure = {
  field: 'row',
  message: 'the renderer failed on this picture',
  cause: 'service',
};

/** Pictures that are handed to the pool together. */
const TOGETHER = 128;
/** A picture may wait so long for the pictures of others before it is handed over again. */
const WAIT_MS = 60_000;
const BUSY_PAUSE_MS = 500;
const BUSY_TRIES = 60;

const failsBy = (outcome: RenderOutcome, ...reasons: readonly string[]): boolean =>
  !outcome.ok && reasons.includes(outcome.fault.reason);

/** @throws When the pool closes, or has no time for the pictures for half a minute. */
const renderPatiently = async (
  { pool }: Pick<WorkParts, 'pool'>,
  accountId: string,
  planned: readonly PlannedTask[],
): Promise<readonly RenderOutcome[]> => {
  for (let tries = 0; tries < BUSY_TRIES; tries += 1) {
    const { outcomes } = await pool.render({
      tasks: planned.map(({ task }) => task),
      estimatedMs: planned.map(({ estimatedMs }) => estimatedMs),
      accountId,
      kind: 'batch',
      deadlineMs: Date.now() + WAIT_MS,
    });
    if (outcomes.some((outcome) => failsBy(outcome, 'closed'))) throw new Error('the render pool is closed');
    if (!outcomes.some((outcome) => failsBy(outcome, 'queue_full', 'deadline'))) return outcomes;
    await sleep(BUSY_PAUSE_MS);
  }
  throw new Error('the render threads have had no time for a batch');
};

const toFailure = (outcome: RenderOutcome & { readonly ok: false }): RowFailure =>
  outcome.fault.reason === 'unfit' ? { ...outcome.fault.fault, cause: 'row' } : CRASHED;

/** How pictures are drawn: the account, the formats, and the estimated time of one picture without a logo. */
export interface DrawOptions {
  readonly accountId: string;
  readonly formats: readonly BatchFormat[];
  readonly estimatedMs: number;
  shortUrl(slug: string): string;
}

const plan = async (
  { fitLogo }: WorkParts,
  { row, slug, found }: Sketch,
  format: BatchFormat,
  { estimatedMs, shortUrl }: DrawOptions,
): Promise<Result<PlannedTask, RowFailure>> => {
  const text = slug === null ? row.content : shortUrl(slug);
  const { design } = row;
  // Without a logo the row was planned when it was validated.
  if (found === null) return ok({ task: { text, design, format, logo: null }, estimatedMs });
  const planned = await planTask(fitLogo, { text, design, found, format });
  return planned.ok ? planned : refused({ ...planned.fault, cause: 'row' });
};

/**
 * Draws the pictures of rows, in their order.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawRows = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  options: DrawOptions,
): Promise<readonly Drawn[]> => {
  const { accountId, formats } = options;
  const planned = await Promise.all(
    sketches.flatMap((sketch) => formats.map((format) => plan(parts, sketch, format, options))),
  );
  const waiting = planned.filter((task) => task.ok).map(({ value }) => value);
  const outcomes: RenderOutcome[] = [];
  const chunks = Array.from({ length: Math.ceil(waiting.length / TOGETHER) }, (_, i) =>
    waiting.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );
  for (const chunk of chunks) {
    for (const [index, outcome] of (await renderPatiently(parts, accountId, chunk)).entries()) {
      // A picture may crash because of its neighbours in a thread; then it is drawn again, alone.
      const again = failsBy(outcome, 'crashed')
        ? await renderPatiently(parts, accountId, [chunk[index]!])
        : [outcome];
      outcomes.push(again[0]!);
    }
  }
  const next = outcomes.values();
  return sketches.map((_, place): Drawn => {
    const own = planned
      .slice(place * formats.length, (place + 1) * formats.length)
      .map((task) => (task.ok ? next.next().value! : task));
    const pictures: Rendered[] = [];
    for (const outcome of own) {
      if (outcome.ok) pictures.push(outcome.value as Rendered);
      else
        return refused(
          'reason' in outcome.fault ? toFailure(outcome as never) : (outcome.fault as RowFailure),
        );
    }
    return ok(pictures);
  });
};
