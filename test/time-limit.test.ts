/** Time limits around answers. */
import { pbkdf2 } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
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

t.test('an answer that arrives while the process is paused counts as timely', async (t) => {
  for (let n = 0; n < 20; n += 1) {
    // Another thread answers after a moment. After a pause caused by an immediate, timers run first.
    await setImmediate();
    const answer = promisify(pbkdf2)('a', 'b', 1, 8, 'sha1');
    const limited = within(answer, 10, late);
    pause(40);
    t.equal((await limited).length, 8);
  }
});
