/** Requests for the pool, and descriptions of their outcomes. */
import type { RenderRequest, RenderRun } from '../../src/render/request.ts';
import type { Logo, RenderTask } from '../../workers/protocol.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

export const TOO_LATE_MS = 60_000;

export const task = (text: string, logo: Logo | null = null): RenderTask => ({
  text,
  design: DEFAULT_DESIGN,
  logo,
  format: 'png',
});

export const request = (texts: readonly string[], overrides: Partial<RenderRequest> = {}): RenderRequest => ({
  tasks: texts.map((text) => task(text)),
  estimatedMs: texts.map(() => 0.1),
  accountId: 'ann',
  kind: 'bulk',
  deadlineMs: Date.now() + TOO_LATE_MS,
  ...overrides,
});

export const words = ({ outcomes }: RenderRun): string[] =>
  outcomes.map((outcome) => {
    if (outcome.ok) return Buffer.from(outcome.value.bytes).toString();
    return outcome.fault.reason === 'unfit' ? outcome.fault.fault.message : outcome.fault.reason;
  });
