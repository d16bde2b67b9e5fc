/** What becomes of one account's requests when another floods the gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Aim } from './load/aim.ts';
import { startGenerator } from './load/fire.ts';
import type { OpenResult } from './load/job.ts';
import type { Mix } from './load/mix.ts';
import type { Server } from './servers/node-server.ts';
import type { Scope } from './servers/scope.ts';
import { atMost, type Verdict } from './verdict.ts';

export interface Fairness {
  readonly alone: OpenResult;
  readonly beside: OpenResult;
  /** One task of the flood on a free thread. */
  readonly taskMs: number;
  readonly verdicts: readonly Verdict[];
}

const FLOOD: Mix = [['gradient flood', 1]];
const ONE_AT_A_TIME: Mix = [['single plain', 1]];
const FLOOD_CONNECTIONS = 4;
const SINGLE_CONNECTIONS = 32;
const SINGLES_PER_S = 20;

/** @param rival The key of another account than the one of `aim`. */
export const fairness = async (
  scope: Scope,
  gateway: Server,
  aim: Aim,
  rival: string,
  seconds: number,
): Promise<Fairness> => {
  const [generator, flooder] = [startGenerator(scope), startGenerator(scope)];
  const singles = (firstSerial: number) =>
    generator.open({
      url: gateway.url,
      mix: ONE_AT_A_TIME,
      aim: { ...aim, run: `${aim.run}-fair` },
      firstSerial,
      connections: SINGLE_CONNECTIONS,
      ratePerS: SINGLES_PER_S,
      seconds,
      underWayMax: 1000,
    });
  const alone = await singles(0);
  const flood = { url: gateway.url, mix: FLOOD, aim: { ...aim, key: rival, run: `${aim.run}-flood` } };
  const one = await flooder.counted({ ...flood, firstSerial: 0, connections: 1, requests: 1 });
  const taskMs = (one.tally.serverMs?.render ?? 0) / 100;
  const flooding = flooder.closed({
    ...flood,
    firstSerial: 1,
    connections: FLOOD_CONNECTIONS,
    warmUpS: 0,
    seconds: seconds + 2,
  });
  // The flood must stand in the queue before the others come.
  await sleep(1000);
  const beside = await singles(alone.nextSerial);
  await flooding;
  const verdicts = [
    atMost('p99 beside a flood', beside.latencyMs.p99, 3 * alone.latencyMs.p99 + taskMs, 'ms'),
  ];
  return { alone, beside, taskMs, verdicts };
};
