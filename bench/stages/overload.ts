/**
 * How a gateway behaves when it gets three times the requests that it can serve. This gateway has a short queue, as
 * an operator would choose for callers who prefer a refusal to a wait. With the default queue, accepted requests
 * wait for up to half of what can be drawn in 30 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, type Backends, startGateway } from '../../test/servers/testbed.ts';
import { rssBytes } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import type { Generator } from '../load/fire.ts';
import type { ClosedResult, OpenResult } from '../load/job.ts';
import type { Mix } from '../load/mix.ts';
import { atLeast, atMost, type Verdict } from './verdict.ts';

/** Half of it may belong to one account. */
const QUEUE_MAX = 12;
/**
 * Drawing takes longer than all else: the render threads are the bottleneck, and a refusal is not confused with too
 * many connections.
 */
const OVERLOAD_MIX: Mix = [['single gradient 1000', 1]];
/** Enough to keep the render threads busy, and so few that none is refused. */
const CONNECTIONS = 6;
const MANY_CONNECTIONS = 1000;
const WARM_UP_S = 2;
const COOL_DOWN_MS = 10_000;
const FACTOR = 3;

/** The highest throughput, then half of it, then three times it; and how the two compare. */
export interface Overload {
  /** Closed loop at the highest throughput. */
  readonly peak: ClosedResult;
  /** Open loop at half of the peak. */
  readonly half: OpenResult;
  /** Open loop at three times the peak. */
  readonly flooded: OpenResult;
  readonly rssBytes: { readonly before: number; readonly during: number; readonly after: number };
  readonly verdicts: readonly Verdict[];
}

/** Share of failed requests that got a 503. */
const refusedShare = ({ tally }: OpenResult): number => {
  const { timeouts, connectionErrors, bodyCheckFailed, statuses } = tally;
  const answered = Object.values(statuses).reduce((total, count) => total + count, 0);
  const failed = answered + timeouts + connectionErrors + bodyCheckFailed;
  return failed === 0 ? 1 : (statuses['503'] ?? 0) / failed;
};

/** Starts a gateway of its own and loads it in three steps of `seconds` each. */
export const overload = async (
  scope: Scope,
  generator: Generator,
  backends: Backends,
  seconds: number,
): Promise<Overload> => {
  const gateway = await startGateway(scope, backends, {
    database: 'overload',
    // A logical database of Redis that no other gateway uses.
    env: { REDIS_URL: `${backends.redis.url}/1`, RENDER_QUEUE_MAX: String(QUEUE_MAX) },
  });
  const { key } = await createAccount(gateway.url, ADMIN_TOKEN, 'overload');
  const aim: Aim = { key, slugs: [], codes: [], logo: '', run: 'overload' };
  const load = { url: gateway.url, mix: OVERLOAD_MIX, aim };
  const peak = await generator.closed({
    ...load,
    firstSerial: 0,
    connections: CONNECTIONS,
    warmUpS: WARM_UP_S,
    seconds,
  });
  const peakPerS = peak.tally.good / peak.seconds;
  const open = (ratePerS: number, firstSerial: number) =>
    generator.open({
      ...load,
      firstSerial,
      connections: MANY_CONNECTIONS,
      ratePerS,
      seconds,
      underWayMax: 10 * MANY_CONNECTIONS,
    });
  const half = await open(peakPerS / 2, peak.nextSerial);
  const before = rssBytes(gateway.pid);
  let during = before;
  const watch = setInterval(() => {
    during = Math.max(during, rssBytes(gateway.pid));
  }, 100);
  const flooded = await open(FACTOR * peakPerS, half.nextSerial);
  clearInterval(watch);
  await sleep(COOL_DOWN_MS);
  const after = rssBytes(gateway.pid);
  await gateway.stop();
  const verdicts = [
    atLeast('goodput against the peak', flooded.goodPerS / peakPerS, 0.9, 'of it'),
    atMost(
      'p99 of accepted requests against half load',
      flooded.latencyMs.p99 / half.latencyMs.p99,
      5,
      'times',
    ),
    atLeast('refusals that are a 503', refusedShare(flooded), 1, 'of them'),
    atMost('p99 of refusals', flooded.refusedMs.p99, 50, 'ms'),
    atMost('memory afterwards against before', after / before, 1.2, 'times'),
  ];
  return { peak, half, flooded, rssBytes: { before, during, after }, verdicts };
};
