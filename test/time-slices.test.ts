/** Dividing long work into turns of the event loop, with a fake clock. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { chunksInSlices, createTimeSlices, eachInSlices } from '../src/execution/time-limits.ts';
import { pluralise } from '../src/texts.ts';

const stopClock = (t: Test) => {
  const clock = { nowMs: 0 };
  t.intercept(performance, 'now', { value: () => clock.nowMs });
  return clock;
};

/** Counts the turns of the event loop that `job` takes. */
const turnsOf = async (job: () => Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await job();
  isOver = true;
  return turns;
};

t.test('a slice ends after its time, and one caller continues in each turn, in order', async (t) => {
  const clock = stopClock(t);
  const slices = createTimeSlices(4);
  const isOver = slices.slice();
  clock.nowMs = 4;
  t.notOk(isOver());
  clock.nowMs = 4.1;
  t.ok(isOver());
  t.notOk(slices.slice()());

  const order: number[] = [];
  const turns = await turnsOf(() =>
    Promise.all([1, 2, 3].map((one) => slices.next().then(() => order.push(one)))),
  );
  t.strictSame(order, [1, 2, 3]);
  t.ok(turns >= 2 && turns <= 4, `${turns} turns`);
});

t.test('items are processed in order, with a new turn after every two milliseconds', async (t) => {
  const clock = stopClock(t);
  const done: number[] = [];
  const work = (item: number) => {
    clock.nowMs += 1;
    done.push(item);
  };
  const items = Array.from({ length: 30 }, (_, i) => i);
  // Three items take longer than two milliseconds.
  const turns = await turnsOf(() => eachInSlices(items, work));
  t.strictSame(done, items);
  t.ok(turns >= 9 && turns <= 12, `${turns} turns`);
  t.ok((await turnsOf(() => eachInSlices([1, 2], work))) <= 1);
});

t.test('chunks are split into small ones, with a new turn when their reader is slow', async (t) => {
  const clock = stopClock(t);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 13_000 }), { maxLength: 4 }), async (lengths) => {
      const chunks = lengths.map((length, i) => Buffer.alloc(length, i));
      const read = [];
      for await (const chunk of chunksInSlices(
        (async function* () {
          yield* chunks;
        })(),
      ))
        read.push(chunk);
      const count = lengths.reduce((sum, length) => sum + Math.ceil(length / 4096), 0);
      return (
        read.length === count &&
        Buffer.concat(read).equals(Buffer.concat(chunks)) &&
        read.every(({ length }) => length <= 4096)
      );
    }),
    { numRuns: 30 },
  );
  const turns = await turnsOf(async () => {
    for await (const _ of chunksInSlices(
      (async function* () {
        yield Buffer.alloc(20 * 4096);
      })(),
    ))
      clock.nowMs += 5;
  });
  t.ok(turns >= 18, `${turns} turns`);
});

t.test('counts are written with singular or plural nouns', async (t) => {
  t.strictSame(
    [
      pluralise(0, 'batch', 'batches'),
      pluralise(1, 'row'),
      pluralise(2, 'row'),
      pluralise(1234, 'batch', 'batches'),
    ],
    ['0 batches', '1 row', '2 rows', '1,234 batches'],
  );
});
