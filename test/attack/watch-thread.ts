/** The thread of `watch.ts`: runs two loops until it gets a message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Seen, Watched, WatchJob } from './watch.ts';

const { url, key } = workerData as WatchJob;
const HEALTH_EVERY_MS = 50;
const CUSTOMER_EVERY_MS = 200;
const TIMEOUT_MS = 20_000;

let isOver = false;

const watch = async (everyMs: number, ask: () => Promise<Response>): Promise<Seen> => {
  const refused: Record<string, number> = {};
  let asked = 0;
  let slowestMs = 0;
  do {
    const startedMs = performance.now();
    const status = await ask().then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    asked += 1;
    if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
    await sleep(everyMs);
  } while (!isOver);
  return { asked, slowestMs, refused };
};

const signal = () => AbortSignal.timeout(TIMEOUT_MS);

const health = watch(HEALTH_EVERY_MS, () => fetch(`${url}/healthz`, { signal: signal() }));
const customer = watch(CUSTOMER_EVERY_MS, () =>
  fetch(`${url}/api/v1/qr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: 'a customer' }),
    signal: signal(),
  }),
);

if (parentPort === null) throw new Error('this file is the thread of watch.ts');
const port = parentPort;
port.once('message', () => {
  isOver = true;
});
port.postMessage('watching');
const watched: Watched = { health: await health, customer: await customer };
port.postMessage(watched);
