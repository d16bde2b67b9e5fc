import { isFault, planRender, type RenderPlan } from '../../workers/plan.ts';
import type { Design, Fault, RenderTask } from '../../workers/protocol.ts';
import type { LogoFitter } from '../logo/fit.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { ok, type Result, refused } from '../result.ts';

/** How a picture will be drawn, or why it can't be. */
export const planPicture = (
  text: string,
  design: Design,
  logo: Parameters<typeof planRender>[2],
): Result<RenderPlan, Fault> => {
  const plan = planRender(text, design, logo);
  return isFault(plan) ? refused(plan) : ok(plan);
};

/** A task, and about how long it takes a thread. */
export interface PlannedTask {
  readonly task: RenderTask;
  readonly estimatedMs: number;
}

/**
 * The task of a picture whose logo is known: planned once more with the logo in its place, and the logo at the
 * pixels that it gets there. In an SVG, which may be shown at any size, it stays as it is.
 * A fault: the logo can't be placed.
 */
export const planTask = async (
  fitLogo: LogoFitter,
  picture: {
    readonly text: string;
    readonly design: Design;
    readonly found: FoundLogo | null;
    readonly format: RenderTask['format'];
  },
): Promise<Result<PlannedTask, Fault>> => {
  const { text, design, found, format } = picture;
  const plan = planPicture(text, design, found?.logo ?? null);
  if (!plan.ok) return plan;
  const { estimatedMs, geometry } = plan.value;
  if (found === null || geometry.logo === null) {
    return ok({ estimatedMs, task: { text, design, format, logo: null } });
  }
  const logo = format === 'svg' ? found.logo : await fitLogo(found, geometry.logo);
  return ok({ estimatedMs, task: { text, design, format, logo } });
};
