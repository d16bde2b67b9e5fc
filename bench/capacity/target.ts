/** What `npm run capacity` loads: a gateway that it starts, or a running deployment. */

import { createLinks, createLogo } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
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
}

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
  return { url: gateway.url, aim, spentMs: () => spentMs(gateway.pid, backends) };
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
  };
};
