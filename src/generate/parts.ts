/** The parts of every use case, and what the steps of a call know of it. */

import type { Grade } from '../../workers/protocol.ts';
import type { FreeWork } from '../limits/free-work.ts';
import type { Log } from '../log.ts';
import type { LogoFitter } from '../logo/fit.ts';
import type { LogoSource } from '../logo/source.ts';
import type { Claim, Maker, Quota } from '../quota/quota.ts';
import type { RenderPool } from '../render/pool.ts';
import type { ResultCache } from '../render/result-cache.ts';
import type { WebpWriter } from '../render/webp.ts';

/** What reserves units, finds logos and draws: one set for all use cases of a gateway. */
export interface Parts {
  readonly quota: Quota;
  readonly freeWork: FreeWork;
  readonly pool: RenderPool;
  readonly cache: ResultCache;
  readonly logos: LogoSource;
  readonly fitLogo: LogoFitter;
  readonly webp: WebpWriter;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** How long a request may wait for its pictures. Shorter than the life of its reservation. */
  readonly deadlineMs: number;
}

/** The account and the key of a request, and its Idempotency-Key if it has one. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** Units that the key may use in a month; `null`: as many as its account. */
  readonly keyQuota: number | null;
  /** The keys that made it, for whose quotas its units count as well. */
  readonly makers: readonly Maker[];
  /** Whether the call is marked as one of a load test, whose use is counted apart; absent: no. */
  readonly isLoadTest?: boolean;
  readonly claim?: Claim;
  /** The domain that the call names for its short links, as it was sent; absent: none. */
  readonly domain?: string;
  /** The host of the domain of its preset; absent or `null`: none. */
  readonly presetDomain?: string | null;
}

/** What a call asks of the grade of its pictures, by request headers. */
export interface GradeTerms {
  /** Pictures of a lower grade are refused. 0 refuses none. */
  readonly minGrade: Grade;
  /** Designs below `minGrade` are repaired first. */
  readonly repair: boolean;
}

/** Asks for nothing. */
export const NO_GRADE_TERMS: GradeTerms = { minGrade: 0, repair: false };

/** Milliseconds that a request spends waiting for the ledger, in the render queue and drawing. */
export interface Timings {
  quotaMs: number;
  queueMs: number;
  renderMs: number;
  /** Milliseconds of a render thread for the pictures that were drawn; one from a cache adds nothing. */
  drawnMs: number;
}

/** Timings of a request at its start: all zero. */
export const noTimings = (): Timings => ({ quotaMs: 0, queueMs: 0, renderMs: 0, drawnMs: 0 });

/** A call on its way through its steps. */
export interface Call {
  readonly accountId: string;
  readonly terms: GradeTerms;
  readonly timings: Timings;
}
