/** Draws pictures: makes their tasks, and runs these on the render threads. */
import type { ThreadTask } from '../../workers/group.ts';
import {
  estimateFileMs,
  estimateLayers,
  type PlannedTask,
  planLayout,
  type RenderPlan,
} from '../../workers/plan.ts';
import { type Fault, isFault, type Rendered } from '../../workers/protocol.ts';
import { MAX_MEASURED_MS } from '../limits/free-work.ts';
import type { LogoFitter } from '../logo/fit.ts';
import { type RenderOutcome, refuseUnfit } from '../render/outcome.ts';
import type { RenderPool } from '../render/pool.ts';
import type { KeptLayers, RenderKind } from '../render/request.ts';
import { isOk, ok, okOrThrow, type Result, refused } from '../result.ts';
import type { Call, Parts } from './parts.ts';
import { planPicture, type Subject } from './plan.ts';
import { type Refusal, refuse, refuseDrawing } from './refusals.ts';

/** A task, and what the render queue must know of it. */
export interface QueueTask {
  readonly task: ThreadTask;
  /** Milliseconds of a render thread. */
  readonly estimatedMs: number;
  /** What its thread draws first, if it does not keep it from another picture; without them, nothing. */
  readonly layers?: KeptLayers | null;
}

/** The same of a picture that is planned. */
export interface PictureTask extends QueueTask {
  readonly task: PlannedTask;
}

/** Plans a picture with its logo, from its plan without one if that is at hand. */
const planWithLogo = ({ text, design, found, plan }: Subject): Result<RenderPlan, Fault> => {
  if (plan === undefined) return planPicture(text, design, found?.logo ?? null);
  if (found === null) return ok(plan);
  const placed = planLayout(plan.symbol, design, found.logo);
  return isFault(placed) ? refused(placed) : ok(placed);
};

/** Returns the layers of a picture, named by all that they depend on. */
const layersOf = ({ design, logo, plan }: PlannedTask, sha256?: string): KeptLayers | null => {
  const layers = estimateLayers(design, plan, logo);
  if (layers === null) return null;
  return { ...layers, key: JSON.stringify([design, plan.geometry.moduleCount, sha256]) };
};

/**
 * Makes the task of a picture, and scales its logo to about the pixels that it gets in the picture. For vectors, which
 * may be shown at any size, the logo stays as it is. Returns a fault when the picture cannot be drawn.
 */
export const planTask = async (
  fitLogo: LogoFitter,
  subject: Subject,
): Promise<Result<PictureTask, Fault>> => {
  const { text, design, found, format, print } = subject;
  const planned = planWithLogo(subject);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const box = plan.geometry.logo;
  const logo = found === null || box === null ? null : await fitLogo(found, format === 'png' ? box : null);
  const hasBitmap = logo !== null && logo.vector === undefined;
  const task = { text, design, format, logo, plan, ...(print && { print }) };
  const layers = format === 'png' ? layersOf(task, found?.sha256) : null;
  return ok({ task, estimatedMs: estimateFileMs(format, plan, hasBitmap, print), layers });
};

/** For whom pictures are drawn, and where the time that they take is noted. */
export type DrawCall = Pick<Call, 'accountId' | 'timings'>;

/**
 * Runs tasks together on the render threads, and adds their waiting and drawing time to the timings. A task that failed
 * counts by its estimate. Returns one outcome for each.
 */
export const runTasks = async (
  { pool, deadlineMs }: Pick<Parts, 'pool' | 'deadlineMs'>,
  { accountId, timings }: DrawCall,
  kind: RenderKind,
  planned: readonly QueueTask[],
): Promise<readonly RenderOutcome[]> => {
  const estimatedMs = planned.map((each) => each.estimatedMs);
  const run = await pool.render({
    ...{ accountId, kind, estimatedMs },
    tasks: planned.map(({ task }) => task),
    layers: planned.map(({ layers = null }) => layers),
    deadlineMs: Date.now() + deadlineMs,
  });
  timings.queueMs += run.queueMs;
  timings.renderMs += run.renderMs;
  if (run.renderMs === 0) return run.outcomes;
  for (const [index, outcome] of run.outcomes.entries())
    timings.drawnMs += Math.min(MAX_MEASURED_MS, outcome.ok ? outcome.value.renderMs : estimatedMs[index]!);
  return run.outcomes;
};

/**
 * Draws pictures together, past the cache. Returns one outcome for each, in order.
 *
 * @param toTask Makes another task of a picture than drawing it.
 */
export const drawAll = async (
  parts: Pick<Parts, 'pool' | 'fitLogo' | 'deadlineMs'>,
  call: DrawCall,
  kind: RenderKind,
  subjects: readonly Subject[],
  toTask: (planned: PictureTask) => QueueTask = (planned) => planned,
): Promise<readonly RenderOutcome[]> => {
  const planned = await Promise.all(subjects.map((subject) => planTask(parts.fitLogo, subject)));
  const tasks = planned.filter(isOk).map(({ value }) => toTask(value));
  const drawn = (await runTasks(parts, call, kind, tasks)).values();
  return planned.map((each) => (each.ok ? drawn.next().value! : refuseUnfit(each.fault)));
};

/** Returns the picture of an outcome. @throws {AppError} 400, 500 or 503 (`refuseDrawing`) when there is none. */
export const drawnOrThrow = (outcome: RenderOutcome, pool: Pick<RenderPool, 'retryAfterS'>): Rendered =>
  okOrThrow(outcome, (notDrawn) => refuseDrawing(notDrawn, pool));

/**
 * Draws one picture, or takes it from the cache.
 *
 * @throws {AppError} 400 when the picture cannot be drawn, 503 when the service could not draw it in time.
 */
export const drawOne = async (
  parts: Pick<Parts, 'pool' | 'cache' | 'fitLogo' | 'deadlineMs'>,
  call: DrawCall,
  subject: Subject,
  refusal: Refusal = refuse,
): Promise<Rendered> => {
  const planned = okOrThrow(await planTask(parts.fitLogo, subject), refusal);
  const outcome = await parts.cache.through(planned.task, subject.found?.sha256 ?? null, async () => {
    const [drawn] = await runTasks(parts, call, 'single', [planned]);
    return drawn!;
  });
  return drawnOrThrow(outcome, parts.pool);
};
