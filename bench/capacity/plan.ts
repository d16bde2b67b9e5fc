/** What several machines of the measured kind would hold. Pure; every number with what it rests on. */
import { PLANNED_SHARE } from './search.ts';

export interface PlanInput {
  /** Highest rate of one machine that held the objective, requests a second. */
  readonly ratePerS: number;
  readonly codesARequest: number;
  /** Bytes of an average answer. */
  readonly bytesAnAnswer: number;
  /** Processor time of Redis for a request in ms; `null` when it could not be measured. */
  readonly redisMs: number | null;
  /** The same of Postgres, all its processes. */
  readonly postgresMs: number | null;
}

export interface PlanRow {
  readonly machines: number;
  readonly requestsPerS: number;
  readonly codesPerS: number;
  readonly egressMbitPerS: number;
  /** Share of the one core that Redis can use. */
  readonly redisCores: number | null;
  readonly postgresCores: number | null;
  /** What ends growth by machines alone. */
  readonly limit: 'none' | 'Redis';
}

export interface Plan {
  readonly rows: readonly PlanRow[];
  readonly assumptions: readonly string[];
}

const MACHINES = [1, 2, 4, 8, 16, 32];
/** Of a core, for a server that must answer quickly. */
const REDIS_CORES_MAX = 0.7;

export const planFor = (input: PlanInput): Plan => {
  const { ratePerS, codesARequest, bytesAnAnswer, redisMs, postgresMs } = input;
  const planned = PLANNED_SHARE * ratePerS;
  const redisLimit =
    redisMs === null || redisMs === 0 ? Number.POSITIVE_INFINITY : (REDIS_CORES_MAX * 1000) / redisMs;
  const rows = MACHINES.map((machines): PlanRow => {
    const requestsPerS = Math.min(machines * planned, redisLimit);
    const cores = (ms: number | null) => (ms === null ? null : (requestsPerS * ms) / 1000);
    return {
      machines,
      requestsPerS,
      codesPerS: requestsPerS * codesARequest,
      egressMbitPerS: (requestsPerS * bytesAnAnswer * 8) / 1e6,
      redisCores: cores(redisMs),
      postgresCores: cores(postgresMs),
      limit: requestsPerS < machines * planned ? 'Redis' : 'none',
    };
  });
  return { rows, assumptions: redisMs === null ? OF_A_DEPLOYMENT : OF_THIS_MACHINE };
};

const RATE = `requests a second: machines × ${PLANNED_SHARE * 100} % of the rate that held the objective`;
const COMMON: readonly string[] = [
  'codes a second: the measured mix stays as it is.',
  'egress: bodies of the measured size; headers and TLS come on top.',
];
const EXTRAPOLATION =
  'Beyond twice what was measured this is an extrapolation: measure again with two machines before you buy eight.';

const OF_THIS_MACHINE: readonly string[] = [
  `${RATE} here; gateways share nothing but Redis and Postgres, so one more adds what one held. Measured with Redis, Postgres and the generator on the same machine: without them a gateway holds more.`,
  ...COMMON,
  `Redis: its processor time a request as measured, one thread that may be busy ${REDIS_CORES_MAX * 100} % of the time; beyond that a Redis Cluster, over whose shards accounts are spread.`,
  'Postgres: its processor time a request as measured, growing in proportion; its disk was that of this machine.',
  EXTRAPOLATION,
];

const OF_A_DEPLOYMENT: readonly string[] = [
  `${RATE} at that address; a machine is all that answers there together. What Redis and Postgres hold was not seen: watch them in the metrics.`,
  ...COMMON,
  EXTRAPOLATION,
];
