import { planRender } from '../../workers/plan.ts';
import type { Design, Fault, RenderTask } from '../../workers/protocol.ts';
import type { LogoFitter } from '../logo/fit.ts';
import type { FoundLogo } from '../logo/outcome.ts';

export interface PlannedTask {
  readonly task: RenderTask;
  readonly estimatedMs: number;
}

/**
 * The task of a picture whose logo is known: planned once more with the logo in its place, and the logo at the
 * pixels that it gets there. In an SVG, which may be shown at any size, it stays as it is.
 *
 * @returns A fault when the logo can't be placed.
 */
export const planTask = async (
  fitLogo: LogoFitter,
  picture: {
    readonly text: string;
    readonly design: Design;
    readonly found: FoundLogo | null;
    readonly format: RenderTask['format'];
  },
): Promise<PlannedTask | Fault> => {
  const { text, design, found, format } = picture;
  const plan = planRender(text, design, found?.logo ?? null);
  if ('field' in plan) return plan;
  const { estimatedMs, geometry } = plan;
  if (found === null || geometry.logo === null) {
    return { estimatedMs, task: { text, design, format, logo: null } };
  }
  const logo = format === 'svg' ? found.logo : await fitLogo(found, geometry.logo);
  return { estimatedMs, task: { text, design, format, logo } };
};
