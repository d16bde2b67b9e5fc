/** The designs, readings and statistics of `npm run study`. */
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { CONDITIONS } from './conditions.ts';
import { specimens } from './designs.ts';
import { graded, readSpecimen } from './read.ts';
import { startReaders } from './readers.ts';
import { spearman } from './tables.ts';

t.test('rank correlation depends only on the order, and equal values share their rank', async (t) => {
  t.equal(spearman([1, 2, 3, 4], [10, 200, 3000, 40000]), 1);
  t.equal(spearman([1, 2, 3, 4], [4, 3, 2, 1]), -1);
  // Computed by hand: ranks 0.5, 0.5, 2, 3 and 0, 1, 2, 3.
  t.equal(spearman([1, 1, 2, 3], [1, 2, 3, 4]).toFixed(4), '0.9487');
});

t.test('a seed always gives the same designs, and another seed gives different ones', async (t) => {
  t.strictSame(specimens(1, 20), specimens(1, 20));
  t.notSame(specimens(1, 20), specimens(1001, 20));
});

t.test("without Debian's readers, those from npm read a plain code in most conditions", async (t) => {
  const readers = await startReaders('/nonexistent/python3');
  t.teardown(() => readers.close());
  t.strictSame(readers.names, ['zxing-wasm', 'jsQR']);
  const specimen = { text: 'https://example.com/', design: toDesign({}), logo: null };
  const reading = await readSpecimen(specimen, readers);
  const { quality, reads } = (await graded(reading!))!;
  t.equal(quality.grade, 4);
  for (const [name, read] of Object.entries(reads)) {
    t.equal(read.length, CONDITIONS.length);
    t.ok(read[0], `${name} reads the undistorted picture`);
    t.ok(read.filter(Boolean).length > CONDITIONS.length / 2, name);
  }
});
