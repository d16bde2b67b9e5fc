import type { Registry } from 'prom-client';
import { createHistogram } from '../histogram.ts';
import type { Quota, Reserved, Settled } from '../quota/quota.ts';
import type { RedisQuota } from '../quota/redis/redis-quota.ts';
import { inSpan } from '../tracing/trace.ts';
import { byLabel, metricsIn } from './scrape.ts';

/** The state of the ledger in Redis, whose changes follow into Postgres. */
export type DrainStats = ReturnType<RedisQuota['stats']>;

/** Counts the calls to a ledger. */
export type QuotaMeter = ReturnType<typeof meterQuota>;

const BOUNDS_MS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const registerDrain = (registry: Registry, stats: () => DrainStats): void => {
  const { counter, gauge } = metricsIn(registry);
  gauge(
    'tessera_quota_drain_lag_seconds',
    'Age of the oldest change of the quota that is not in Postgres.',
    () => stats().lagMs / 1000,
    'max',
  );
  gauge(
    'tessera_quota_drain_entries',
    'Stream entries that are not in Postgres.',
    () => stats().streamLength,
    'max',
  );
  counter(
    'tessera_quota_drain_corrections_total',
    'Accounts whose balance in Redis differed from Postgres and was corrected.',
    () => stats().reseeded,
  );
  gauge(
    'tessera_quota_lost_shards',
    'Shards whose data Redis has lost and whose open reservations are still being looked for.',
    () => stats().lostShards,
    'max',
  );
  counter(
    'tessera_quota_lost_accounts_read_total',
    'Accounts read after a loss of Redis, to find those with open reservations.',
    () => stats().lookedThrough,
  );
  gauge(
    'tessera_redis_memory_bytes',
    'Memory of Redis, of the fullest node on a Cluster: in use, and left until maxmemory (absent without one).',
    () => {
      const { usedBytes, maxBytes } = stats();
      const used = { used: usedBytes };
      return byLabel('state', maxBytes === 0 ? used : { ...used, left: Math.max(maxBytes - usedBytes, 0) });
    },
    'first',
  );
  gauge(
    'tessera_quota_settlements_waiting',
    'Settlements that will be made in the background.',
    () => stats().settlesWaiting,
  );
  counter(
    'tessera_quota_settlements_dropped_total',
    'Settlements that were given up; their reservations expire, and the account gets the units back.',
    () => stats().settlesDropped,
  );
};

/** Wraps a ledger so that its calls are counted and timed. */
export const meterQuota = (ledger: Quota) => {
  const reservations: Record<Reserved['outcome'] | 'failed', number> = {
    admitted: 0,
    exhausted: 0,
    key_exhausted: 0,
    replay: 0,
    mismatch: 0,
    running: 0,
    failed: 0,
  };
  const settlements: Record<Settled['outcome'] | 'deferred' | 'failed', number> = {
    settled: 0,
    expired: 0,
    unknown: 0,
    deferred: 0,
    failed: 0,
  };
  const units = { monthly: 0, credits: 0 };
  const timesMs = { reserve: createHistogram(BOUNDS_MS), settle: createHistogram(BOUNDS_MS) };
  let refunded = 0;
  let reaped = 0;

  const timed = async <T>(
    call: keyof typeof timesMs,
    outcomes: { failed: number },
    run: () => Promise<T>,
  ): Promise<T> => {
    const startedMs = performance.now();
    try {
      return await inSpan(`quota ${call}`, {}, run);
    } catch (error) {
      outcomes.failed += 1;
      throw error;
    } finally {
      timesMs[call].observe(performance.now() - startedMs);
    }
  };

  const reserving = async <T extends Reserved>(run: () => Promise<T>): Promise<T> => {
    const reserved = await timed('reserve', reservations, run);
    reservations[reserved.outcome] += 1;
    if (reserved.outcome !== 'admitted') return reserved;
    units.monthly += reserved.fromMonthly;
    units.credits += reserved.fromCredits;
    return reserved;
  };

  const quota: Quota = {
    ...ledger,
    reserve: (request) => reserving(() => ledger.reserve(request)),
    take: (request) => reserving(() => ledger.take(request)),
    async settle(request) {
      const settled = await timed('settle', settlements, () => ledger.settle(request));
      settlements[settled.outcome] += 1;
      if (settled.outcome === 'settled') refunded += request.refundUnits;
      return settled;
    },
    settleLater(request) {
      settlements.deferred += 1;
      refunded += request.refundUnits;
      ledger.settleLater(request);
    },
    hold: (request) => inSpan('quota hold', {}, () => ledger.hold(request)),
    release: (request) => inSpan('quota release', {}, () => ledger.release(request)),
    async reap(which) {
      const count = await ledger.reap(which);
      reaped += count;
      return count;
    },
  };

  return {
    /** The ledger; every call through it is counted. */
    quota,
    /** Adds the counts to `registry`. @param drain `null` when the ledger is in Postgres itself. */
    register(registry: Registry, drain: (() => DrainStats) | null): void {
      const { counter, timeHistogram } = metricsIn(registry);
      counter(
        'tessera_quota_reservations_total',
        'Calls that asked the ledger for a reservation, by outcome.',
        () => byLabel('outcome', reservations),
      );
      counter('tessera_quota_units_reserved_total', 'Units taken, by what they were taken from.', () =>
        byLabel('source', units),
      );
      counter(
        'tessera_quota_units_refunded_total',
        'Units that settlements gave back, without those of expired reservations.',
        () => refunded,
      );
      counter('tessera_quota_settlements_total', 'Reservations that were closed, by outcome.', () =>
        byLabel('outcome', settlements),
      );
      counter(
        'tessera_quota_reservations_expired_total',
        'Reservations that were not settled in time and whose units were given back.',
        () => reaped,
      );
      timeHistogram('tessera_quota_duration_seconds', 'Time of one call to the ledger.', () => [
        [{ call: 'reserve' }, timesMs.reserve.snapshot()],
        [{ call: 'settle' }, timesMs.settle.snapshot()],
      ]);
      if (drain !== null) registerDrain(registry, drain);
    },
  };
};
