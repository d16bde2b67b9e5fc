/** What `npm run capacity` loads: a gateway that it starts, or a running deployment. */

import { createAim, removeSecret } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
import { type Spent, spentMs } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import type { Deployment } from '../load/deployment.ts';
import { type Mix, needsOf } from '../load/mix.ts';

/** The server under load. */
export interface CapacityTarget {
  readonly url: string;
  readonly aim: Aim;
  /** Milliseconds of processor time so far; `null` when the server runs elsewhere. */
  spentMs(): Spent | null;
  /** Where the gateway's metrics can be read; `null` when it runs elsewhere. */
  readonly metricsUrl: string | null;
}

/**
 * Fixed, so that two runs send the same requests. A deployment keeps pictures between runs, so it gets another seed.
 */
const SEED = 'cafe';

/** Starts a testbed and loads its gateway. `env` is added to the gateway's environment. */
export const ownTarget = async (
  scope: Scope,
  mix: Mix,
  env: Readonly<Record<string, string>> = {},
): Promise<CapacityTarget> => {
  const { gateway, backends, aim } = await startTestbed(scope, { run: SEED, env, needs: needsOf(mix) });
  return {
    url: gateway.url,
    aim,
    spentMs: () => spentMs(gateway.pid, backends),
    metricsUrl: gateway.url,
  };
};

/**
 * Loads a running deployment. The load is real there: it uses units of the keys' accounts, and the codes, links and
 * items that it makes stay there.
 */
export const givenTarget = async (
  scope: Scope,
  { url, keys, loadTest }: Deployment,
  mix: Mix,
): Promise<CapacityTarget> => {
  const plain = await createAim(url, keys, Date.now().toString(36), needsOf(mix));
  const aim = loadTest === null ? plain : { ...plain, loadTest };
  scope.teardown(() => removeSecret(url, aim));
  return { url, aim, spentMs: () => null, metricsUrl: null };
};
