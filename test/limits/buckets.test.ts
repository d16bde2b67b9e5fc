/** Token buckets. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createTokenBuckets, type Rate, refill, retryAfterS, waitMs } from '../../src/limits/token-bucket.ts';
import { holds } from '../support/pictures/designs.ts';

const rates = fc.record({
  capacity: fc.integer({ min: 1, max: 10_000 }),
  perSecond: fc.integer({ min: 1, max: 10_000 }),
});
const asks = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 5000 }), amount: fc.integer({ min: 1, max: 2000 }) }),
  { minLength: 1, maxLength: 60 },
);
const full = ({ capacity }: Rate) => ({ left: capacity, atMs: 0 });

t.test('a bucket', async (t) => {
  t.test('gives within any time at most its size plus what was refilled meanwhile', async (t) => {
    holds(
      t,
      fc.property(rates, asks, (rate, asked) => {
        let bucket = full(rate);
        let nowMs = 0;
        const given: { atMs: number; amount: number }[] = [];
        for (const { afterMs, amount } of asked) {
          nowMs += afterMs;
          bucket = refill(bucket, rate, nowMs);
          if (waitMs(bucket, rate, amount) > 0) continue;
          bucket = { ...bucket, left: bucket.left - amount };
          given.push({ atMs: nowMs, amount });
        }
        return given.every((first, from) => {
          let sum = 0;
          return given.slice(from).every(({ atMs, amount }) => {
            sum += amount;
            return sum <= rate.capacity + ((atMs - first.atMs) * rate.perSecond) / 1000 + 1e-6;
          });
        });
      }),
    );
  });

  t.test('has enough after exactly the wait that it names, and not a millisecond earlier', async (t) => {
    holds(
      t,
      fc.property(rates, fc.double({ min: -1e6, max: 0, noNaN: true }), (rate, left) => {
        const bucket = { left, atMs: 0 };
        const told = waitMs(bucket, rate, 1);
        const after = refill(bucket, rate, told + 1e-3);
        const before = refill(bucket, rate, Math.max(0, told - 1));
        return waitMs(after, rate, 1) < 1e-2 && waitMs(before, rate, 1) > 0;
      }),
    );
  });

  t.test('never overflows, and gains nothing when the clock goes back', async (t) => {
    holds(
      t,
      fc.property(rates, fc.array(fc.integer({ min: -5000, max: 5000 })), (rate, steps) => {
        let bucket = full(rate);
        return steps.every((stepMs) => {
          const before = bucket;
          bucket = refill(bucket, rate, before.atMs + stepMs);
          return bucket.left <= rate.capacity && (stepMs > 0 || bucket.left === before.left);
        });
      }),
    );
  });

  t.test('exists per key, for a bounded number of keys', async (t) => {
    const buckets = createTokenBuckets({ capacity: 3, perSecond: 0.001 }, 2);
    buckets.take('one', 5);
    t.equal(retryAfterS(buckets.waitMs('one', 1)), 3000);
    t.equal(buckets.waitMs('two', 3), 0);
    buckets.take('two', 3);
    t.ok(buckets.waitMs('one', 1) > 0 && buckets.waitMs('two', 1) > 0);
    buckets.take('three', 3);
    t.equal(buckets.waitMs('one', 3), 0, 'the least recently used key is forgotten');
    t.ok(buckets.waitMs('two', 1) > 0);
  });

  t.test('refills over time', async (t) => {
    const buckets = createTokenBuckets({ capacity: 1, perSecond: 100 }, 10);
    buckets.take('one', 1);
    t.ok(buckets.waitMs('one', 1) > 0);
    await sleep(50);
    t.equal(buckets.waitMs('one', 1), 0);
  });
});

t.test('Retry-After is in whole seconds, rounded up, and at least one', async (t) => {
  t.strictSame([0, 1, 999, 1000, 1001, 2000, 2001].map(retryAfterS), [1, 1, 1, 1, 2, 2, 3]);
});
