/** The thread of the attacking account, so that reading its answers does not delay the calls of the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { createCaller } from '../../servers/caller.ts';
import type { Tenant } from '../tenant.ts';
import type { Lane } from './attack.ts';
import { ATTACKS } from './attacks.ts';

/** What the thread is told to do; it answers with the number of answers that began by their statuses. */
export type Order = { readonly operationId: string; readonly tenant: Tenant } | 'end';

const LANES = 6;
const SENT_MAX_BYTES = 1200;
/** An address of its own: calls without a key are bounded by it. */
const LOCAL_ADDRESS = '127.0.0.2';
/** A refused client would wait longer. */
const REST_MS = 50;
/** How long calls that have begun may take at the end. */
const END_MS = 5000;

let calls = 0;
const next = (): number => {
  calls += 1;
  return calls;
};

const start = (operationId: string, tenant: Tenant) => {
  const attack = ATTACKS[operationId]!;
  const { url, key } = tenant;
  const statuses: Record<number, number> = {};
  const onAnswer = (status: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const caller = createCaller({
    ...{ url, key, localAddress: LOCAL_ADDRESS, sentMaxBytes: SENT_MAX_BYTES, onAnswer },
  });
  let hasEnded = false;
  const again =
    <A extends readonly unknown[], T extends { readonly status: number }>(make: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      for (;;) {
        const answer = await make(...args);
        if (answer.status < 400) return answer;
        await sleep(REST_MS);
        // A call that is given up would leave its thing deleted, or one too many.
        if (answer.status !== 429) return answer;
      }
    };
  const lane: Lane = { tenant, next, send: again(caller.send), ask: again(caller.ask) as Lane['ask'] };
  const run = async (): Promise<void> => {
    while (!hasEnded) await attack(lane);
  };
  const lanes = Promise.all(
    Array.from({ length: LANES }, () =>
      run().catch((error: unknown) => {
        if (!hasEnded) throw error;
      }),
    ),
  );
  return async () => {
    hasEnded = true;
    await Promise.race([lanes, sleep(END_MS, undefined, { ref: false })]);
    await caller.end();
    await lanes;
    return statuses;
  };
};

let end: ReturnType<typeof start> = async () => ({});
parentPort!.on('message', (order: Order) => {
  if (order === 'end') void end().then((statuses) => parentPort!.postMessage(statuses));
  else end = start(order.operationId, order.tenant);
});
