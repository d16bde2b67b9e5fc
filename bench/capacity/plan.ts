/** What several machines of the measured kind would serve. Pure; every number comes with its assumption. */
import { OUTAGE_BYTES_A_CALL } from '../model/plan/habits.ts';
import { PLANNED_SHARE } from './search.ts';

/** What one machine achieved. */
export interface PlanInput {
  /** Highest rate of one machine that met the objective, in requests a second. */
  readonly ratePerS: number;
  readonly codesARequest: number;
  /** Bytes of an average answer. */
  readonly bytesAnAnswer: number;
  /** Processor time of Redis for one request in ms; `null` when it could not be measured. */
  readonly redisMs: number | null;
  /** The same for Postgres, all processes together. */
  readonly postgresMs: number | null;
}

/** The load that a number of machines would serve, and what it needs. */
export interface PlanRow {
  readonly machines: number;
  readonly requestsPerS: number;
  readonly codesPerS: number;
  readonly egressMbitPerS: number;
  /** Share of the one core that Redis can use; `null` when it could not be measured. */
  readonly redisCores: number | null;
  readonly postgresCores: number | null;
  /** Memory in MB that Redis needs to bridge an hour without Postgres; `null` when Redis was not measured. */
  readonly redisOutageMb: number | null;
  /** What limits the load that these machines can serve. */
  readonly limit: 'none' | 'Redis';
}

/** A row for each number of machines, and the assumptions of all rows as sentences. */
export interface Plan {
  readonly rows: readonly PlanRow[];
  readonly assumptions: readonly string[];
}

const MACHINES = [1, 2, 4, 8, 16, 32];
/** Redis still answers quickly up to this share of one core. */
const REDIS_CORES_MAX = 0.7;
const OUTAGE_S = 3600;

/** Extrapolates from one machine to 32. Each machine is planned at `PLANNED_SHARE` of its rate. */
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
      redisOutageMb: redisMs === null ? null : (requestsPerS * OUTAGE_S * OUTAGE_BYTES_A_CALL) / 1e6,
      limit: requestsPerS < machines * planned ? 'Redis' : 'none',
    };
  });
  return { rows, assumptions: redisMs === null ? OF_A_DEPLOYMENT : OF_THIS_MACHINE };
};

const RATE = `requests a second: machines × ${PLANNED_SHARE * 100} % of the rate that met the objective`;
const COMMON: readonly string[] = [
  'codes a second: for the measured mix.',
  'egress: bodies of the measured size; headers and TLS come on top.',
];
const EXTRAPOLATION =
  'More than twice what was measured is an extrapolation: measure with two machines before you buy eight.';

const OF_THIS_MACHINE: readonly string[] = [
  `${RATE} here; gateways share nothing but Redis and Postgres, so each machine adds the same. Redis, Postgres and the generator ran on the same machine: without them a gateway serves more.`,
  ...COMMON,
  `Redis: its measured processor time for each request. It has one thread, which may be busy ${REDIS_CORES_MAX * 100} % of the time; above that, use a Redis Cluster, which spreads accounts over its shards.`,
  `Redis memory: for an hour without Postgres, with at most ${OUTAGE_BYTES_A_CALL} bytes a call; simultaneous calls of one account share them. Add 2 kB an active account, 1 kB an open call, and 300 bytes for each Idempotency-Key of the last 24 hours, whatever the number of machines. Give it a maxmemory of 1.25 times the sum, because gateways make room from 80 % on.`,
  'Postgres: its measured processor time for each request, growing in proportion, on the disk of this machine.',
  EXTRAPOLATION,
];

const OF_A_DEPLOYMENT: readonly string[] = [
  `${RATE} at that address; “machine” means all that serves that address together. The load of Redis and Postgres could not be measured: watch it in their metrics.`,
  ...COMMON,
  EXTRAPOLATION,
];
