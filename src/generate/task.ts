/** Plans pictures, and makes the tasks by which render threads draw them. */

import {
  estimateFileMs,
  estimateLayers,
  type PlannedTask,
  planLayout,
  planRender,
  type RenderPlan,
} from '../../workers/plan.ts';
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

/** A picture that is to be drawn. */
export interface Subject {
  readonly text: string;
  readonly design: Design;
  readonly print?: PrintTerms;
  readonly format: RenderTask['format'];
  readonly found: FoundLogo | null;
  /** The plan of the picture without its logo. Absent: its task plans it. */
  readonly plan?: RenderPlan;
}

/** A task, and what the render queue must know of it. */
export interface QueueTask {
  readonly task: RenderTask;
  /** Milliseconds of a render thread. */
  readonly estimatedMs: number;
  /** What its thread draws first, if it does not keep it from another picture; without them, nothing. */
  readonly layers?: KeptLayers | null;
}

/** The same of a picture that is planned. */
export interface PictureTask extends QueueTask {
  readonly task: PlannedTask;
}

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

/** Plans a picture with its logo, from its plan without one if that is at hand. */
const planWithLogo = ({ text, design, found, plan }: Subject): Result<RenderPlan, Fault> => {
  if (plan === undefined) return planPicture(text, design, found?.logo ?? null);
  if (found === null) return ok(plan);
  const placed = planLayout(plan.symbol, design, found.logo);
  return isFault(placed) ? refused(placed) : ok(placed);
};

/** Returns the layers of a picture, named by all that they depend on. */
const layersOf = ({ design, logo, print, plan }: PlannedTask, sha256?: string): KeptLayers | null => {
  const layers = print?.text === undefined ? estimateLayers(design, plan, logo) : null;
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
