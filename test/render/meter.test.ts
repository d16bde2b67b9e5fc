/** Counters of tasks, and the memory that waiting tasks hold. */
import t from 'tap';
import { createMeter } from '../../src/render/meter.ts';
import type { RenderOutcome } from '../../src/render/outcome.ts';
import { footprintsOf } from '../../src/render/queue/running.ts';
import type { RenderTask } from '../../workers/protocol.ts';

t.test('a task is counted once, by its lane and grade or by the reason of its failure', async (t) => {
  const meter = createMeter();
  const drawn = (lane: 'plain' | 'vector', grade: 2 | 4, bytes = 1): RenderOutcome => ({
    ok: true,
    value: { bytes: new Uint8Array(bytes), lane, grade, warnings: '', renderMs: 3 },
  });
  const outcomes = [drawn('plain', 4), drawn('plain', 2), drawn('vector', 4), drawn('plain', 4, 0)];
  for (const outcome of outcomes) meter.ended(outcome);
  for (const reason of ['unfit', 'deadline', 'deadline', 'crashed', 'closed', 'queue_full'] as const)
    meter.ended({ ok: false, fault: { reason, message: '' } } as unknown as RenderOutcome);
  meter.waited(5);
  meter.waited(20_000);
  const { queueMs, renderMs, ...counts } = meter.snapshot();
  t.strictSame(counts, {
    completed: 3,
    faults: 1,
    failures: { queue_full: 1, deadline: 2, crashed: 1, hung: 0, closed: 1 },
    lanes: { plain: 2, stamped: 0, layered: 0, reference: 0, vector: 1 },
    grades: [0, 0, 1, 0, 2],
  });
  t.match(queueMs, { count: 2, sum: 20_005 });
  t.strictSame([queueMs.counts[2], queueMs.counts.at(-1)], [1, 1]);
  t.strictSame([renderMs.plain.count, renderMs.vector.count, renderMs.layered.count], [2, 1, 0]);
  for (const { bounds } of [queueMs, ...Object.values(renderMs)])
    t.ok(
      bounds.every((bound, i) => i === 0 || bound > bounds[i - 1]!),
      'bounds ascend',
    );
});

t.test('the memory of a logo and its grid is counted once when tasks share the logo', async (t) => {
  const png = new Uint8Array(5000);
  const grid = { columns: 10, rows: 10, luma: new Uint8Array(100), alpha: new Uint8Array(100) };
  const taskOf = (text: string, logo: object | null) => ({ text, logo }) as unknown as RenderTask;
  const logo = { png, widthPx: 1, heightPx: 1 };
  const sizes = footprintsOf([
    taskOf('', null),
    taskOf('a'.repeat(100), null),
    taskOf('', { ...logo, grid }),
    taskOf('', { ...logo, grid }),
    taskOf('', { ...logo, png: new Uint8Array(7) }),
  ]);
  t.strictSame(sizes, [2048, 2248, 2048 + 5200, 2048, 2055]);
});
