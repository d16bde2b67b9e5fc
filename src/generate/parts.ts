/** What every use case is built from, and what goes through its steps. */
import type { FreeWork } from '../limits/free-work.ts';
import type { Log } from '../log.ts';
import type { LogoFitter } from '../logo/fit.ts';
import type { LogoSource } from '../logo/source.ts';
import type { Claim, Quota } from '../quota/quota.ts';
import type { RenderPool } from '../render/pool.ts';
import type { ResultCache } from '../render/result-cache.ts';

export interface Parts {
  readonly quota: Quota;
  readonly freeWork: FreeWork;
  readonly pool: RenderPool;
  readonly cache: ResultCache;
  readonly logos: LogoSource;
  readonly fitLogo: LogoFitter;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** How long a request may wait for its pictures; below the reservation's time to live. */
  readonly deadlineMs: number;
}

/** Who asks, and under which Idempotency-Key. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly claim?: Claim;
}

/** Milliseconds spent waiting for the ledger, in the render queue and drawing. */
export interface Timings {
  quotaMs: number;
  queueMs: number;
  renderMs: number;
  /** Of a render thread, as estimated, for all pictures that were drawn; what a cache had costs nothing. */
  drawnMs: number;
}

/** Of a request that has waited for nothing yet. */
export const noTimings = (): Timings => ({ quotaMs: 0, queueMs: 0, renderMs: 0, drawnMs: 0 });
