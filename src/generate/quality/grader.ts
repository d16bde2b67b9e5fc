/** Grades pictures without delivering them, as free work. The cache is neither read nor written. */
import type { Fault, Rendered } from '../../../workers/protocol.ts';
import type { LogoFitter } from '../../logo/fit.ts';
import type { RenderOutcome } from '../../render/outcome.ts';
import { ok, type Result } from '../../result.ts';
import type { Parts, Timings } from '../parts.ts';
import { type Asker, drawnOrThrow, okOrRefuse, runTasks } from '../steps.ts';
import { type PictureTask, planTask, type QueueTask, type Subject } from '../task.ts';

/** The parts that grading needs. */
export type GradeParts = Pick<Parts, 'pool' | 'fitLogo' | 'freeWork' | 'deadlineMs'>;

/** Milliseconds to grade a new style, and to make the symbol for a thousand modules, on one 2.5 GHz core. */
const COSTS = { style: 1, kilomodule: 0.1 };

/** Returns the task that grades a picture, or a fault when it cannot be drawn. */
export const toGradeTask = async (
  fitLogo: LogoFitter,
  subject: Omit<Subject, 'format' | 'print'>,
): Promise<Result<PictureTask, Fault>> => {
  const planned = await planTask(fitLogo, { ...subject, format: 'png' });
  if (!planned.ok) return planned;
  const { task } = planned.value;
  const estimatedMs = COSTS.style + (COSTS.kilomodule * task.plan.geometry.moduleCount ** 2) / 1000;
  return ok({ task: { ...task, report: 'alone' }, estimatedMs });
};

/** Runs tasks that grade or repair, and adds what that took to `timings`. Returns one outcome for each. */
export const gradeAll = async (
  parts: GradeParts,
  asker: Asker,
  tasks: readonly QueueTask[],
  timings: Timings,
): Promise<readonly RenderOutcome[]> => {
  const { outcomes, spentMs } = await runTasks(parts, asker, tasks, timings);
  parts.freeWork.spend(asker.accountId, spentMs);
  return outcomes;
};

/** Grades one picture. @throws {AppError} 400 when it cannot be drawn, 503 when the service is too busy. */
export const gradeOne = async (
  parts: GradeParts,
  accountId: string,
  subject: Omit<Subject, 'format' | 'print'>,
  timings: Timings,
): Promise<Rendered> => {
  const task = okOrRefuse(await toGradeTask(parts.fitLogo, subject));
  const [outcome] = await gradeAll(parts, { accountId, kind: 'single' }, [task], timings);
  return drawnOrThrow(outcome!, parts.pool);
};
