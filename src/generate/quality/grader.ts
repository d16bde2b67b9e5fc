/** Grades pictures without delivering them. */
import type { RenderPlan } from '../../../workers/plan.ts';
import type { Design, Fault, RenderTask } from '../../../workers/protocol.ts';
import type { LogoFitter } from '../../logo/fit.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import type { RenderOutcome } from '../../render/outcome.ts';
import type { RenderKind } from '../../render/request.ts';
import { ok, type Result } from '../../result.ts';
import { runTasks } from '../drawing.ts';
import type { Parts, Timings } from '../parts.ts';
import { type PlannedTask, planPicture, planTask } from '../task.ts';

/** A picture to grade. */
export interface Subject {
  readonly text: string;
  readonly design: Design;
  readonly found: FoundLogo | null;
}

/** A picture with its plan, ready to be graded. */
export interface Sample extends PlannedTask {
  readonly design: Design;
  readonly plan: RenderPlan;
}

/** Milliseconds to grade a new style, and to make the symbol for a thousand modules, on one 2.5 GHz core. */
const COSTS = { style: 1, kilomodule: 0.1 };

/** Plans a picture for grading, with the logo as its PNG has it. Returns a fault when the picture cannot be drawn. */
export const sampleOf = async (
  fitLogo: LogoFitter,
  { text, design, found }: Subject,
): Promise<Result<Sample, Fault>> => {
  const plan = planPicture(text, design, found?.logo ?? null);
  if (!plan.ok) return plan;
  const planned = await planTask(fitLogo, { text, design, found, format: 'png' });
  if (!planned.ok) return planned;
  const task: RenderTask = { ...planned.value.task, report: 'alone' };
  const estimatedMs = COSTS.style + (COSTS.kilomodule * plan.value.geometry.moduleCount ** 2) / 1000;
  return ok({ design, plan: plan.value, task, estimatedMs });
};

/**
 * Grades samples on the render threads, as free work. Adds what that took to `timings`. Returns one outcome for each,
 * whose picture has a `quality`. The cache is neither read nor written.
 */
export const gradeAll = async (
  parts: Pick<Parts, 'pool' | 'freeWork' | 'deadlineMs'>,
  asker: { readonly accountId: string; readonly kind: RenderKind },
  samples: readonly Sample[],
  timings: Timings,
): Promise<readonly RenderOutcome[]> => {
  const { outcomes, spentMs } = await runTasks(parts, { ...asker, tasks: samples }, timings);
  parts.freeWork.spend(asker.accountId, spentMs);
  return outcomes;
};
