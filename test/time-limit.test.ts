/** Time limits around answers. */
import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { within } from '../src/execution/time-limits.ts';

const late = () => new Error('late');

/** Blocks the event loop. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

t.test('a timely answer is returned, and a timely failure is thrown', async (t) => {
  t.equal(await within(Promise.resolve(1), 50, late), 1);
  await t.rejects(within(Promise.reject(new Error('failed')), 50, late), { message: 'failed' });
});

t.test('without an answer it times out, and a late outcome is ignored', async (t) => {
  const failsLate = sleep(30).then(() => {
    throw new Error('too late');
  });
  await t.rejects(within(failsLate, 5, late), { message: 'late' });
  await sleep(40);
});

/** Answers each message, and says so in the shared memory. */
const ANSWERS = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', (n) => {
    parentPort.postMessage(n);
    Atomics.store(workerData, 0, n);
    Atomics.notify(workerData, 0);
  });`;

t.test('an answer that arrives while the process is paused counts as timely', async (t) => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(ANSWERS, { eval: true, workerData: answered });
  t.teardown(() => worker.terminate());
  await once(worker, 'online');
  for (let n = 1; n <= 20; n += 1) {
    // After a pause caused by an immediate, timers run first.
    await setImmediate();
    const answer = once(worker, 'message');
    worker.postMessage(n);
    const limited = within(answer, 10, late);
    Atomics.wait(answered, 0, n - 1);
    pause(40);
    t.strictSame(await limited, [n]);
  }
});
