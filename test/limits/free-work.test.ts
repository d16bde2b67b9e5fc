import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { AppError } from '../../src/errors.ts';
import { createFreeWork } from '../../src/limits/free-work.ts';

t.test('free work', async (t) => {
  t.test('may take ten seconds at once, and then what comes back', async (t) => {
    const work = createFreeWork(100);
    for (let i = 0; i < 9; i += 1) work.spend('one', 100);
    work.admit('one');
    work.spend('one', 5100);
    t.ok(work.isSpent('one'));
    t.throws(() => work.admit('one'), { code: 'rate_limited', retryAfterS: 50, details: /100 ms a second/ });
    t.notOk(work.isSpent('another'));
  });

  t.test('is measured even when it ends in a refusal, and does not begin without a budget', async (t) => {
    const work = createFreeWork(1);
    t.equal(await work.measure('one', async () => 'done'), 'done');
    await t.rejects(
      work.measure('one', async () => {
        await sleep(30);
        throw new AppError('overloaded', 'too slow', { retryAfterS: 1 });
      }),
      { code: 'overloaded' },
    );
    let begun = false;
    const next = work.measure('one', async () => {
      begun = true;
    });
    await t.rejects(next, { code: 'rate_limited' });
    t.notOk(begun);
    const away = work.measure('another', async () => {
      await sleep(30);
      throw new Error('the database is away');
    });
    await t.rejects(away, { message: 'the database is away' });
    t.notOk(work.isSpent('another'), 'what our own faults took is not counted');
  });

  t.test('in steps waits until half of the budget has come back', async (t) => {
    const work = createFreeWork(1000);
    work.spend('one', 5100);
    const startedMs = performance.now();
    await work.pace('one');
    t.ok(performance.now() - startedMs > 50);
    await work.pace('another');
  });

  t.test('has no bounds at 0', async (t) => {
    const work = createFreeWork(0);
    work.spend('one', 1e9);
    work.admit('one');
    await work.pace('one');
    t.equal(await work.measure('one', async () => 7), 7);
    t.notOk(work.isSpent('one'));
  });
});
