/** Time limits around answers. */
import { pbkdf2 } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { within } from '../src/time-limit.ts';

const late = () => new Error('late');

/** Keeps the event loop from anything else. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

t.test('an answer in time is returned, and so is a failure', async (t) => {
  t.equal(await within(Promise.resolve(1), 50, late), 1);
  await t.rejects(within(Promise.reject(new Error('failed')), 50, late), { message: 'failed' });
});

t.test('without an answer it ends, and the late outcome is dropped', async (t) => {
  const failsLate = sleep(30).then(() => {
    throw new Error('too late');
  });
  await t.rejects(within(failsLate, 5, late), { message: 'late' });
  await sleep(40);
});

t.test('an answer that arrives during a pause of the process is in time', async (t) => {
  for (let n = 0; n < 20; n += 1) {
    // Another thread has the answer after a moment. After a pause that an immediate makes, timers run first.
    await setImmediate();
    const answer = promisify(pbkdf2)('a', 'b', 1, 8, 'sha1');
    const limited = within(answer, 10, late);
    pause(40);
    t.equal((await limited).length, 8);
  }
});
