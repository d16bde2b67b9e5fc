import t from 'tap';
import { AppError } from '../../src/errors.ts';
import { createFreeWork } from '../../src/limits/free-work.ts';
import { stopClock } from '../support/clock.ts';

t.test('free work', async (t) => {
  t.test('may overdraw the budget of ten seconds once, and is then refused until it recovers', async (t) => {
    const clock = stopClock(t);
    const work = createFreeWork(100);
    work.spend('one', 1000);
    t.notOk(work.isSpent('one'));
    work.admit('one');
    work.spend('one', -500);
    work.spend('one', 0);
    t.equal(work.overdrawn(), 0);
    work.spend('one', 0.5);
    work.spend('another', 10);
    t.equal(work.overdrawn(), 1);
    t.ok(work.isSpent('one'), 'without any time passed nothing is paid back');
    t.notOk(work.isSpent('another'));
    t.throws(() => work.admit('one'), { code: 'rate_limited', retryAfterS: 1, details: /100 ms a second/ });
    clock.pass(5);
    t.equal(work.overdrawn(), 0, 'it recovers, though nobody asks for it');
    t.notOk(work.isSpent('one'));
    work.admit('one');
  });

  t.test('is counted even when it ends in a refusal, and does not start without a budget', async (t) => {
    const clock = stopClock(t);
    const work = createFreeWork(1);
    t.equal(await work.measure('one', async () => 'done'), 'done');
    await t.rejects(
      work.measure('one', async () => {
        clock.pass(30);
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
      clock.pass(30);
      throw new Error('the database is unavailable');
    });
    await t.rejects(away, { message: 'the database is unavailable' });
    t.notOk(work.isSpent('another'), 'time of internal errors is not counted');
  });

  t.test('in steps waits until half of the budget is available', async (t) => {
    const work = createFreeWork(1000);
    work.spend('one', 5100);
    const startedMs = performance.now();
    await work.pace('one');
    t.ok(performance.now() - startedMs > 50);
    await work.pace('another');
  });

  t.test('is unlimited when the limit is 0', async (t) => {
    const work = createFreeWork(0);
    work.spend('one', 1e9);
    work.admit('one');
    await work.pace('one');
    t.equal(await work.measure('one', async () => 7), 7);
    t.notOk(work.isSpent('one'));
  });

  t.test('counts with its duration, but a single piece with at most two seconds', async (t) => {
    const clock = stopClock(t);
    for (const [tookMs, countedMs] of [
      [1500, 1500],
      [60_000, 2000],
    ] as const) {
      const work = createFreeWork(1000);
      await work.measure('one', async () => clock.pass(tookMs));
      work.spend('one', 10_000 - countedMs);
      t.notOk(work.isSpent('one'), `${tookMs} ms count for no more than ${countedMs}`);
      work.spend('one', 0.5);
      t.ok(work.isSpent('one'), `${tookMs} ms count for ${countedMs}`);
    }
  });

  t.test('in steps does not wait while half of the budget is available', async (t) => {
    stopClock(t);
    const work = createFreeWork(1000);
    work.spend('one', 5000);
    const order: string[] = [];
    const paced = work.pace('one').then(() => order.push('paced'));
    await new Promise((resolve) => setImmediate(resolve));
    t.strictSame(order, ['paced']);
    await paced;
  });
});
