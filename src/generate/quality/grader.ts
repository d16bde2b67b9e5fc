/** Grades pictures without delivering them, as free work. The cache is neither read nor written. */
import type { Fault, Rendered } from '../../../workers/protocol.ts';
import type { LogoFitter } from '../../logo/fit.ts';
import type { RenderOutcome } from '../../render/outcome.ts';
import type { RenderKind } from '../../render/request.ts';
import { ok, okOrThrow, type Result } from '../../result.ts';
import {
  type DrawCall,
  drawnOrThrow,
  type PictureTask,
  planTask,
  type QueueTask,
  runTasks,
} from '../draw.ts';
import type { Parts } from '../parts.ts';
import type { FreeSubject } from '../prepare.ts';
import { refuse } from '../refusals.ts';

/** Milliseconds to grade a new style, and to make the symbol for a thousand modules, on one 2.5 GHz core. */
const COSTS = { style: 1, kilomodule: 0.1 };

/** Returns the task that grades a picture, or a fault when it cannot be drawn. */
export const toGradeTask = async (
  fitLogo: LogoFitter,
  subject: FreeSubject,
): Promise<Result<PictureTask, Fault>> => {
  const planned = await planTask(fitLogo, { ...subject, format: 'png' });
  if (!planned.ok) return planned;
  const { task } = planned.value;
  const estimatedMs = COSTS.style + (COSTS.kilomodule * task.plan.geometry.moduleCount ** 2) / 1000;
  return ok({ task: { ...task, report: 'alone' }, estimatedMs });
};

/** Runs tasks that grade or repair. Returns one outcome for each. */
export const gradeAll = async (
  parts: Parts,
  call: DrawCall,
  kind: RenderKind,
  tasks: readonly QueueTask[],
): Promise<readonly RenderOutcome[]> => {
  const beforeMs = call.timings.drawnMs;
  const outcomes = await runTasks(parts, call, kind, tasks);
  parts.freeWork.spend(call.accountId, call.timings.drawnMs - beforeMs);
  return outcomes;
};

/** Grades one picture. @throws {AppError} 400 when it cannot be drawn, 503 when the service is too busy. */
export const gradeOne = async (parts: Parts, call: DrawCall, subject: FreeSubject): Promise<Rendered> => {
  const task = okOrThrow(await toGradeTask(parts.fitLogo, subject), refuse);
  const [outcome] = await gradeAll(parts, call, 'single', [task]);
  return drawnOrThrow(outcome!, parts.pool);
};
