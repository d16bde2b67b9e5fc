/** Plans pictures: what is known of them before they are drawn. */
import { planRender, type RenderPlan } from '../../workers/plan.ts';
import {
  type Design,
  type Fault,
  isFault,
  type Logo,
  type PrintOptions,
  type RenderTask,
} from '../../workers/protocol.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { ok, type Result, refused } from '../result.ts';
import { findGs1Fault } from './request/gs1.ts';

/** A picture that is to be drawn. */
export interface Subject {
  readonly text: string;
  readonly design: Design;
  readonly print?: PrintOptions;
  readonly format: RenderTask['format'];
  readonly found: FoundLogo | null;
  /** The plan of the picture without its logo. Absent: its task plans it. */
  readonly plan?: RenderPlan;
}

/** Plans how a picture will be drawn, or says why it cannot be. */
export const planPicture = (text: string, design: Design, logo: Logo | null): Result<RenderPlan, Fault> => {
  const fault = findGs1Fault(text, design.symbol);
  if (fault !== null) return refused(fault);
  const plan = planRender(text, design, logo);
  return isFault(plan) ? refused(plan) : ok(plan);
};
