/** What a number of cores would serve, by what one request costs each part. Pure. */
import { type ByPart, PARTS } from '../spent.ts';

/** Share of its cores that a machine is planned with. */
const PLANNED_SHARE = 0.7;
/** Share of a core up to which Redis, which has one thread, still answers quickly. */
const REDIS_SHARE = 0.7;
const US_PER_S = 1_000_000;

/** What a number of cores would serve of one kind. */
export interface OnPaper {
  readonly cores: number;
  readonly requestsPerS: number;
  /** What is full first, and keeps the rate from growing. */
  readonly full: 'cores' | 'Redis';
}

/**
 * Returns what the cores would serve when gateways, Redis and Postgres share them, whether they are those of one
 * machine or of several: all but Redis spread over any number of cores.
 */
export const onPaper = (cores: number, us: ByPart): OnPaper => {
  const totalUs = PARTS.reduce((total, part) => total + us[part], 0);
  const byCores = (cores * PLANNED_SHARE * US_PER_S) / totalUs;
  const byRedis = us.redis === 0 ? Number.POSITIVE_INFINITY : (REDIS_SHARE * US_PER_S) / us.redis;
  return { cores, requestsPerS: Math.min(byCores, byRedis), full: byRedis < byCores ? 'Redis' : 'cores' };
};
