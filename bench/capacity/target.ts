/** What `npm run capacity` loads: a gateway of its own, or a running deployment. */

import { createLinks, createLogo } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
import { rssBytes, treeCpuMs } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import type { Mix } from '../load/mix.ts';
import { recipeOf } from '../load/recipes.ts';

export interface Usage {
  readonly gatewayMs: number;
  readonly redisMs: number;
  readonly postgresMs: number;
  readonly rssBytes: number;
}

export interface CapacityTarget {
  readonly url: string;
  readonly aim: Aim;
  /** Processor time so far; `null` when it runs elsewhere. */
  usage(): Usage | null;
}

/** Fixed, so that two runs send the same; a deployment that keeps pictures between runs gets another. */
const SEED = 'cafe';

const needsLinks = (mix: Mix): boolean => mix.some(([name]) => recipeOf(name) === recipeOf('redirect'));

export const ownTarget = async (
  scope: Scope,
  env: Readonly<Record<string, string>> = {},
): Promise<CapacityTarget> => {
  const { gateway, backends, aim } = await startTestbed(scope, { run: SEED, env });
  return {
    url: gateway.url,
    aim,
    usage: () => ({
      gatewayMs: treeCpuMs(gateway.pid),
      redisMs: treeCpuMs(backends.redis.pid),
      postgresMs: treeCpuMs(backends.postgres.pid),
      rssBytes: rssBytes(gateway.pid),
    }),
  };
};

/** The load is real there: it uses units of the key's account, and batches are saved. */
export const givenTarget = async (url: string, key: string, mix: Mix): Promise<CapacityTarget> => {
  const slugs = needsLinks(mix) ? await createLinks(url, key) : [];
  const run = Date.now().toString(36);
  return {
    url: new URL(url).origin,
    aim: { key, slugs, codes: [], logo: await createLogo(), run },
    usage: () => null,
  };
};
