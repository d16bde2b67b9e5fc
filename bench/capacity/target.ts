/** What `npm run capacity` loads: a gateway that it starts, or a running deployment. */

import { createLinks, createLogo } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, startTestbed } from '../../test/servers/testbed.ts';
import { type Spent, spentMs } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import type { Mix } from '../load/mix.ts';
import { recipeOf } from '../load/recipes.ts';

/** The server under load. */
export interface CapacityTarget {
  readonly url: string;
  readonly aim: Aim;
  /** Milliseconds of processor time so far; `null` when the server runs elsewhere. */
  spentMs(): Spent | null;
  /** The server's count of requests in flight, as an area in ms; `null` when the server runs elsewhere. */
  inFlightMs(): Promise<number | null>;
}

/** Reads a metric without labels. */
export const metricOf = async (url: string, name: string): Promise<number> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await answer.text())?.[1]);
};

/** Reads the count of requests in flight from a gateway's metrics. */
export const inFlightMsOf = async (url: string): Promise<number> =>
  1000 * (await metricOf(url, 'tessera_http_requests_in_flight_seconds_total'));

/**
 * Fixed, so that two runs send the same requests. A deployment keeps pictures between runs, so it gets another seed.
 */
const SEED = 'cafe';

const needsLinks = (mix: Mix): boolean => mix.some(([name]) => recipeOf(name) === recipeOf('redirect'));

/** Starts a testbed and loads its gateway. `env` is added to the gateway's environment. */
export const ownTarget = async (
  scope: Scope,
  env: Readonly<Record<string, string>> = {},
): Promise<CapacityTarget> => {
  const { gateway, backends, aim } = await startTestbed(scope, { run: SEED, env });
  return {
    url: gateway.url,
    aim,
    spentMs: () => spentMs(gateway.pid, backends),
    inFlightMs: () => inFlightMsOf(gateway.url),
  };
};

/**
 * Loads a running deployment. The load is real there: it uses units of the key's account, and codes of bulk calls are
 * saved. Creates links when the mix has redirects.
 */
export const givenTarget = async (url: string, key: string, mix: Mix): Promise<CapacityTarget> => {
  const slugs = needsLinks(mix) ? await createLinks(url, key) : [];
  const run = Date.now().toString(36);
  return {
    url: new URL(url).origin,
    aim: { key, slugs, codes: [], logo: await createLogo(), run },
    spentMs: () => null,
    inFlightMs: async () => null,
  };
};
