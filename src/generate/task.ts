import { estimateFileMs, estimateLayers, planRender, type RenderPlan } from '../../workers/plan.ts';
import {
  type Design,
  type Fault,
  isFault,
  type PrintTerms,
  type RenderTask,
} from '../../workers/protocol.ts';
import type { LogoFitter } from '../logo/fit.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import type { KeptLayers } from '../render/request.ts';
import { ok, type Result, refused } from '../result.ts';
import { findGs1Fault } from './request/gs1.ts';

/** Plans how a picture will be drawn, or says why it cannot be. */
export const planPicture = (
  text: string,
  design: Design,
  logo: Parameters<typeof planRender>[2],
): Result<RenderPlan, Fault> => {
  const fault = findGs1Fault(text, design.symbol);
  if (fault !== null) return refused(fault);
  const plan = planRender(text, design, logo);
  return isFault(plan) ? refused(plan) : ok(plan);
};

/** A task, and the estimated milliseconds of a render thread that it takes. */
export interface PlannedTask {
  readonly task: RenderTask;
  readonly estimatedMs: number;
  /** What its thread draws first, if it does not keep it from another picture; without them, nothing. */
  readonly layers?: KeptLayers | null;
}

/** Returns the layers of a picture, named by all that they depend on. */
const layersOf = (
  { text: _, design, logo, print }: Omit<RenderTask, 'format'>,
  plan: RenderPlan,
  sha256: string | undefined,
): KeptLayers | null => {
  const layers = print?.text === undefined ? estimateLayers(design, plan, logo) : null;
  if (layers === null) return null;
  return { ...layers, key: JSON.stringify([design, plan.geometry.moduleCount, sha256]) };
};

/**
 * Plans a picture with its logo, and scales the logo to about the pixels that it gets in the picture. For vectors,
 * which may be shown at any size, the logo stays as it is. Returns a fault when the logo cannot be placed.
 */
export const planTask = async (
  fitLogo: LogoFitter,
  picture: {
    readonly text: string;
    readonly design: Design;
    readonly found: FoundLogo | null;
    readonly format: RenderTask['format'];
    readonly print?: PrintTerms | undefined;
  },
): Promise<Result<PlannedTask, Fault>> => {
  const { text, design, found, format, print } = picture;
  const plan = planPicture(text, design, found?.logo ?? null);
  if (!plan.ok) return plan;
  const { geometry } = plan.value;
  const logo =
    found === null || geometry.logo === null
      ? null
      : await fitLogo(found, format === 'png' ? geometry.logo : null);
  const hasBitmap = logo !== null && logo.vector === undefined;
  const task = { text, design, format, logo, ...(print === undefined ? {} : { print }) };
  const layers = format === 'png' ? layersOf(task, plan.value, found?.sha256) : null;
  return ok({ estimatedMs: estimateFileMs(format, plan.value, hasBitmap, print), layers, task });
};
