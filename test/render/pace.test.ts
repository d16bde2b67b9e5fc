/** How the pace of rendering is estimated. */
import fc from 'fast-check';
import t from 'tap';
import { createPace } from '../../src/render/queue/dispatcher.ts';
import type { RenderResult } from '../../workers/protocol.ts';

const drawn = (renderMs: number): RenderResult => ({
  ok: true,
  value: { bytes: new Uint8Array(), lane: 'vector', grade: 4, warnings: '', renderMs },
});
const failed: RenderResult = { ok: false, fault: { field: 'data', message: '' } };

const costs = fc.array(fc.double({ min: 0.1, max: 500, noNaN: true }), { minLength: 1, maxLength: 20 });
const ratio = fc.double({ min: 0.1, max: 10, noNaN: true });
const close = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9 * Math.max(1, other);
const jobsOf = (costsMs: readonly number[]) => costsMs.map((costMs) => ({ costMs }));

t.test('a group moves the pace towards its own pace, weighted by its share of a second of work', async () => {
  fc.assert(
    fc.property(costs, ratio, (costsMs, took) => {
      const pace = createPace();
      const sumMs = costsMs.reduce((sum, costMs) => sum + costMs, 0);
      pace.learn(
        jobsOf(costsMs),
        costsMs.map((costMs) => drawn(costMs * took)),
      );
      return close(pace.value, 1 + (sumMs / (sumMs + 1000)) * (took - 1));
    }),
  );
});

t.test('the pace converges to what tasks take, between a tenth and ten times their estimates', async (t) => {
  for (const [took, expected] of [
    [0.5, 0.5],
    [3, 3],
    [0.01, 0.1],
    [50, 10],
  ] as const) {
    const pace = createPace();
    for (let i = 0; i < 100; i += 1) pace.learn(jobsOf([1000]), [drawn(1000 * took)]);
    t.ok(close(pace.value, expected), `${took}: ${pace.value}`);
  }
});

t.test('failed tasks are ignored, and results are matched to jobs by position', async (t) => {
  const pace = createPace();
  pace.learn(jobsOf([100, 500]), [failed, failed]);
  t.equal(pace.value, 1);
  pace.learn(jobsOf([100, 1000, 700]), [failed, drawn(2000), failed]);
  t.equal(pace.value, 1.5);
  pace.learn([], []);
  t.equal(pace.value, 1.5);
});
