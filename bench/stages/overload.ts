/**
 * How a gateway behaves when it gets three times the requests that it can serve. This gateway has a short queue, as
 * an operator would choose for callers who prefer a refusal to a wait. With the default queue, an account's requests
 * may wait for up to 15 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../test/servers/scope.ts';
import { type Backends, startTarget } from '../../test/servers/testbed.ts';
import { rssBytes } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import { failuresOf } from '../load/outcomes.ts';
import { atLeast, atMost, type Verdict } from '../say.ts';

/** One account may fill half of the queue. */
const QUEUE_MAX = 12;
/**
 * Drawing dominates the cost, so that the render threads are the bottleneck and refusals are not due to too many
 * connections.
 */
const RECIPE = 'single gradient 1000';
/** Enough to keep the render threads busy, but too few for a refusal. */
const CONNECTIONS = 6;
const MANY_CONNECTIONS = 1000;
const COOL_DOWN_MS = 10_000;
const FACTOR = 3;

/** Starts a new gateway and loads it to its peak, to half of it, and to three times it, for `seconds` each. */
export const overload = async (
  scope: Scope,
  generator: Generator,
  backends: Backends,
  seconds: number,
): Promise<readonly Verdict[]> => {
  const { gateway, aim } = await startTarget(scope, backends, {
    ...{ database: 'overload', run: 'overload', needs: [] },
    // A logical database of Redis that no other gateway uses.
    env: { REDIS_URL: `${backends.redis.url}/1`, RENDER_QUEUE_MAX: String(QUEUE_MAX) },
  });
  const load = { url: gateway.url, mix: [[RECIPE, 1]] as const, aim, seconds };
  const peak = await generator.closed({ ...load, connections: CONNECTIONS, warmUpS: 2 });
  const peakPerS = peak.tally.good / peak.seconds;
  const many = { ...load, connections: MANY_CONNECTIONS, underWayMax: 10 * MANY_CONNECTIONS };
  const half = await generator.open({ ...many, ratePerS: peakPerS / 2 });
  const beforeBytes = rssBytes(gateway.pid);
  const flooded = await generator.open({ ...many, ratePerS: FACTOR * peakPerS });
  await sleep(COOL_DOWN_MS);
  const growth = rssBytes(gateway.pid) / beforeBytes;
  await gateway.stop();
  const p99 = flooded.acceptedMs.p99 / half.acceptedMs.p99;
  const failed = failuresOf(flooded.tally);
  const refused = failed === 0 ? 1 : (flooded.tally.statuses['503'] ?? 0) / failed;
  return [
    atLeast('goodput against the peak', flooded.goodPerS / peakPerS, 0.9, 'of it'),
    atMost('p99 of accepted requests against half load', p99, 5, 'times'),
    atLeast('refusals that are a 503', refused, 1, 'of them'),
    atMost('p99 of refusals', flooded.refusedMs.p99, 50, 'ms'),
    atMost('memory afterwards against before', growth, 1.2, 'times'),
  ];
};
