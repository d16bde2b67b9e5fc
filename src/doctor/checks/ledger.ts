import type { Inspected } from '../../db/inspect.ts';
import { SILENT } from '../../log.ts';
import { type Compared, type Difference, type Reconciled, reconcile } from '../../quota/reconcile.ts';
import { createDrain } from '../../quota/redis/drain.ts';
import { keysFor } from '../../quota/redis/keys.ts';
import { parseReservation } from '../../quota/redis/replies.ts';
import type { QuotaRedis } from '../../quota/redis/scripts.ts';
import { pluralise } from '../../texts.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';

const SHOWN = 5;

/** What the ledger says about its accounts. */
export interface Verdict extends Reconciled {
  /** Whether counters in Redis were compared, too. */
  readonly redis: boolean;
}

/**
 * Compares balances with their records and with Redis. It is exact while calls are served, and changes nothing.
 */
export const verifyLedger = async (
  { sql }: Inspected,
  redis: QuotaRedis | null,
  compared: Compared,
): Promise<Verdict> => {
  const ledger = redis === null ? null : { redis, drain: createDrain(redis, sql, SILENT) };
  return { ...(await reconcile(sql, ledger, compared)), redis: redis !== null };
};

/** Says a difference in a sentence. */
export const tellDifference = ({ accountId, compared, postgres, other }: Difference): string =>
  compared === 'balance with records'
    ? `Account ${accountId}: the balance (monthly used, credits used, credits) is ${postgres}, the sum of its records ${other}`
    : `Account ${accountId}: ${IN_REDIS[compared]} is ${postgres} in Postgres and ${other} in Redis`;

const IN_REDIS = {
  'balance with redis': 'the balance',
  'open units with redis': 'what is open',
  'units of keys with redis': 'what its keys have used',
} as const;

const ADVICE: Readonly<Record<Difference['compared'], string>> = {
  'balance with records':
    'rows were changed by hand or lost: restore a backup beside it and compare the account',
  'balance with redis': 'the next call of the account seeds it again from Postgres',
  'open units with redis': 'the units go back when their reservations expire',
  'units of keys with redis': 'the next month, or the next loss of the account from Redis, sets it right',
};

/** Judges what `verifyLedger` has found. */
export const judgeLedger = ({ accounts, differences, redis, isSample }: Verdict): readonly Finding[] => {
  const { ok, warn, fail } = findingsOf('ledger');
  const judge = ({ compared }: Difference) => (compared === 'balance with records' ? fail : warn);
  const tell = (difference: Difference) =>
    judge(difference)(`${tellDifference(difference)}: ${ADVICE[difference.compared]}.`);
  const faults = differences.slice(0, SHOWN).map(tell);
  const rest = differences.slice(SHOWN);
  const restIs = rest.some((one) => judge(one) === fail) ? fail : warn;
  return faultsOr(
    [
      ...faults,
      rest.length > 0 &&
        restIs(`${pluralise(rest.length, 'further difference')}: see tessera ledger verify.`),
    ],
    ok(
      `${pluralise(accounts, 'account')}${isSample ? ' of a sample' : ''}: every balance is the sum of its records${redis ? ', and Redis agrees' : ''}.`,
    ),
  );
};

const LATE_MS = 60_000;
const SLOW_MS = 5000;
const SAMPLED = 1000;

/** What waits in Redis. Times are by its clock. */
const readBacklog = async (redis: QuotaRedis) => {
  const keys = keysFor(redis);
  const [oldest, expired, entries] = [[] as number[], [] as number[], [] as number[]];
  for (let shard = 0; shard < keys.shards; shard += 1) {
    const [head] = await redis.xrange(keys.stream(shard), '-', '+', 'COUNT', 1);
    if (head !== undefined) oldest.push(Number(head[0].split('-')[0]));
    entries.push(await redis.xlen(keys.stream(shard)));
    const reservations = (await redis.hrandfield(keys.open(shard), SAMPLED, 'WITHVALUES')) as string[];
    expired.push(...reservations.flatMap((text) => parseReservation(text)?.expiresMs ?? []));
  }
  return {
    oldestMs: Math.min(...oldest),
    entries: entries.reduce((sum, count) => sum + count, 0),
    firstExpiryMs: Math.min(...expired),
  };
};

const NOBODY = 'no gateway works on it: start one, or see its log';

/** Checks changes on their way between Redis and Postgres, and anything that should have ended. */
export const checkDrain = async (
  { sql }: Inspected,
  redis: QuotaRedis | null,
): Promise<readonly Finding[]> => {
  const { ok, warn, fail } = findingsOf('drain');
  const [{ units, reservations }] = await sql<[{ units: number; reservations: number }]>`
    select (select count(*) from credit_grants
        where applied_at is null and created_at < now() - interval '5 minutes') +
      (select count(*) from quota_holds where released_at < now() - interval '5 minutes' and applied_at is null) as units,
      (select count(*) from quota_reservations where expires_at < now() - interval '5 minutes') as reservations`;
  const nowMs = Date.now();
  const backlog =
    redis === null ? { oldestMs: nowMs, entries: 0, firstExpiryMs: nowMs } : await readBacklog(redis);
  const lagMs = nowMs - Math.min(nowMs, backlog.oldestMs);
  const behind = `Postgres lacks ${pluralise(backlog.entries, 'change')} of Redis, the oldest of ${Math.round(lagMs / 1000)} s ago`;
  const isLate = reservations > 0 || nowMs - backlog.firstExpiryMs > LATE_MS;
  return faultsOr(
    [
      lagMs > LATE_MS && fail(`${behind}: ${NOBODY}; do not restart Redis meanwhile.`),
      lagMs > SLOW_MS && lagMs <= LATE_MS && warn(`${behind}: Postgres is slow, or no gateway runs.`),
      units > 0 &&
        warn(`${pluralise(units, 'grant or release', 'grants or releases')} of units waits: ${NOBODY}.`),
      isLate && warn(`Reservations have not expired on time: ${NOBODY}.`),
    ],
    ok(redis === null ? 'Without Redis nothing is on its way.' : `Postgres is ${lagMs} ms behind Redis.`),
  );
};
