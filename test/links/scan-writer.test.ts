/** How scans are written in groups when the database fails or refuses some of them permanently. */
import fc from 'fast-check';
import t from 'tap';
import { createScanWriter, type Outcome } from '../../src/links/scan-recorder.ts';
import { silent } from '../support/silent-log.ts';

class Unfit extends Error {}

t.test('each scan is recorded once or found to be refused, in order, whatever fails in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      fc.array(fc.constantFrom('no', 'before', 'after'), { maxLength: 20 }),
      async (unfit, failures) => {
        const inserted = new Set<string>();
        let described = 0;
        const write = createScanWriter<number, { id: string; scan: number }>(
          {
            describe: async (scans) => {
              described += 1;
              return scans.map((scan) => ({ id: `${described} ${scan}`, scan }));
            },
            insert: async (rows) => {
              const failure = failures.shift() ?? 'no';
              if (failure === 'before') throw new Error('unreachable');
              if (rows.some(({ scan }) => unfit[scan])) throw new Unfit();
              for (const { id } of rows) inserted.add(id);
              if (failure === 'after') throw new Error('the answer was lost');
            },
            isUnfit: (error) => error instanceof Unfit,
          },
          silent,
        );
        let queue = unfit.map((_, scan) => scan);
        const outcomes: Outcome[] = [];
        for (let tries = 0; queue.length > 0 && tries < 100; tries += 1) {
          await write(queue, (count, outcome) => {
            queue = queue.slice(count);
            for (let i = 0; i < count; i += 1) outcomes.push(outcome);
          }).catch(() => {});
        }
        return (
          fc.stringify(outcomes) === fc.stringify(unfit.map((isUnfit) => (isUnfit ? 'unfit' : 'recorded'))) &&
          inserted.size === unfit.filter((isUnfit) => !isUnfit).length &&
          described === 1
        );
      },
    ),
    { numRuns: 300 },
  );
});

t.test('a refused scan costs as few inserts as a binary search takes, and is logged', async (t) => {
  const groups: number[] = [];
  const logged: string[] = [];
  const write = createScanWriter<number, number>(
    {
      describe: async (scans) => scans,
      insert: async (rows) => {
        groups.push(rows.length);
        if (rows.includes(6)) throw new Unfit();
      },
      isUnfit: () => true,
    },
    { ...silent, error: (_, message) => logged.push(message) },
  );
  const done: (readonly [number, Outcome])[] = [];
  const finish = (count: number, outcome: Outcome) => void done.push([count, outcome]);
  await write([0, 1, 2, 3, 4, 5, 6], finish);
  t.strictSame(groups, [7, 4, 3, 2, 1]);
  t.strictSame(done, [
    [4, 'recorded'],
    [2, 'recorded'],
    [1, 'unfit'],
  ]);
  t.equal(logged.length, 1);
  await write([7, 8], finish);
  t.strictSame(done.at(-1), [2, 'recorded'], 'the next group is written');
});
