/** What one request costs each part, as processor time. */
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, startTestbed } from '../../test/servers/testbed.ts';
import { until } from '../../test/servers/until.ts';
import { childrenOf } from '../cpu.ts';
import { type Generator, startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { type ByPart, PARTS, spentMs, usOfEach } from '../spent.ts';
import { bindToCore, startNeighbours } from './neighbours.ts';

/** A kind of request, and how many of it are sent to each process in one round. */
export interface Kind {
  readonly name: RecipeName;
  readonly requests: number;
}

/** What one request of a kind costs with a number of gateway processes. */
export interface Cost {
  readonly name: RecipeName;
  readonly gateways: number;
  /** Microseconds of processor time. */
  readonly us: ByPart;
}

/** On a busy machine a wait for a store is too long now and then. */
const GOOD_SHARE = 0.99;
/** Connections to each process: it draws in groups, so an equal load is compared. */
const CONNECTIONS = 32;

const totalOf = (us: ByPart): number => PARTS.reduce((total, part) => total + us[part], 0);

/** Resolves when all processes serve: each has one render thread. */
const allServe = (url: string, gateways: number): Promise<unknown> =>
  until(
    async () => {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
      return new RegExp(`^tessera_render_threads ${gateways}$`, 'm').test(await answer.text());
    },
    { deadlineMs: 120_000, pauseMs: 200 },
  );

/** The core of a process by its number: two share each. */
const coreOf = (n: number): number => Math.floor(n / 2);

/** Binds the processes of a gateway to half a core each. */
const shareCores = (gatewayPid: number): void => {
  const children = childrenOf(gatewayPid);
  for (const [i, pid] of (children.length === 0 ? [gatewayPid] : children).entries())
    bindToCore(pid, coreOf(i));
};

/**
 * Starts a gateway of so many processes, with one render thread each, and returns what measures a round of requests to
 * it.
 *
 * @param halfCores The number of half cores that are in use during a round: processes without a gateway's are busy with
 *   other work. Null: nothing is bound.
 */
const startSubject = async (
  scope: Scope,
  generator: Generator,
  gateways: number,
  halfCores: number | null,
) => {
  const env = { GATEWAYS: String(gateways), RENDER_THREADS: '1' };
  const { gateway, backends, aim } = await startTestbed(scope, { run: 'costs', env });
  await allServe(gateway.url, gateways);
  if (halfCores !== null) shareCores(gateway.pid);
  const idleHalves = Array.from({ length: (halfCores ?? gateways) - gateways }, (_, i) =>
    coreOf(gateways + i),
  );
  let firstSerial = 0;
  const roundOf = async ({ name, requests: forEach }: Kind): Promise<ByPart> => {
    // Each process compiles the code for itself, so each gets as many requests as a single one.
    const requests = forEach * gateways;
    const stopNeighbours = startNeighbours(idleHalves);
    const before = spentMs(gateway.pid, backends);
    const job = {
      url: gateway.url,
      mix: [[name, 1]] as const,
      aim,
      firstSerial,
      connections: CONNECTIONS * gateways,
      requests,
    };
    const { tally, nextSerial } = await generator.counted(job).finally(stopNeighbours);
    if (tally.good < GOOD_SHARE * requests)
      throw new Error(`${name}: ${tally.good} of ${requests} answers were right`);
    firstSerial = nextSerial;
    return usOfEach(before, spentMs(gateway.pid, backends), requests);
  };
  return { gateways, roundOf };
};

/**
 * Measures each kind on gateways of so many processes. Their rounds alternate, so that other work on the machine slows
 * all of them. It adds to what a round costs, so the round that cost least counts.
 *
 * @param options.halfCores Two processes share each core. Where a gateway has fewer processes than another, busy
 *   programs take the other halves: a process costs more where it shares a core, whatever it shares it with.
 */
export const measureCosts = (
  counts: readonly number[],
  kinds: readonly Kind[],
  options: { readonly rounds: number; readonly halfCores: boolean },
  onCost: (cost: Cost) => void,
): Promise<Cost[]> =>
  inScope(async (scope) => {
    const generator = startGenerator(scope);
    const subjects = [];
    const halfCores = options.halfCores ? Math.max(...counts) : null;
    for (const count of counts) subjects.push(await startSubject(scope, generator, count, halfCores));
    const costs: Cost[] = [];
    for (const kind of kinds) {
      for (const { roundOf } of subjects) await roundOf(kind);
      const measured = subjects.map((): ByPart[] => []);
      for (let n = 0; n < options.rounds; n += 1) {
        for (const [i, { roundOf }] of subjects.entries()) measured[i]!.push(await roundOf(kind));
      }
      for (const [i, { gateways }] of subjects.entries()) {
        const [us] = measured[i]!.sort((a, b) => totalOf(a) - totalOf(b));
        const cost = { name: kind.name, gateways, us: us! };
        costs.push(cost);
        onCost(cost);
      }
    }
    return costs;
  });
