/** The mutants that `npm run test:mutation` makes, and the tests that it chooses. */
import t from 'tap';
import { buildOf, ROOT } from './copy.ts';
import { applyMutant, mutantsOf } from './mutants.ts';
import { createNearest } from './nearest.ts';
import { findSources, findTests, sampleMutants } from './sample.ts';

const sources = findSources(ROOT);

t.test('a sample takes one mutant per source before a second, and differs with the seed', async (t) => {
  const some = sources.filter((file) => file.startsWith('src/quota/'));
  const sample = (seed: string) => sampleMutants(ROOT, some, 60, seed);
  const names = (seed: string) => sample(seed).map(({ file, becomes }) => `${file} ${becomes}`);
  t.equal(String(names('1')), String(names('1')));
  t.not(String(names('1')), String(names('2')));
  const files = sample('1').map(({ file }) => file);
  const count = new Set(files).size;
  t.ok(count < 60 && files.some((file) => file.endsWith('.lua')));
  t.equal(new Set(files.slice(0, count)).size, count);
  const unchanged = sample('1').filter(({ was, becomes }) => was === becomes);
  t.strictSame(unchanged, []);
});

t.test('mutants are small, and none is in a comment or a type', async (t) => {
  const made = (file: string, source: string) =>
    mutantsOf(file, source).map((mutant) => applyMutant(source, mutant));
  t.strictSame(made('a.ts', '// 1 < 2\ntype A = 1;\nf(Math.min(a, 5000));'), [
    '// 1 < 2\ntype A = 1;\n;',
    '// 1 < 2\ntype A = 1;\nf(Math.max(a, 5000));',
    '// 1 < 2\ntype A = 1;\nf(Math.min(a, (5000 / 1000)));',
  ]);
  t.strictSame(made('a.lua', '-- 1 < 2\nreturn a < 2'), [
    '-- 1 < 2\nreturn a <= 2',
    '-- 1 < 2\nreturn a < 3',
  ]);
});

t.test('a mutant is compiled to an ES module that imports built files', async (t) => {
  const source = "import { a } from './a.ts';\nexport const b: number = a;";
  t.match(buildOf('src/b.ts', source), /^import { a } from "\.\/a\.js";\nexport const b = a;\n/);
  t.equal(buildOf('src/b.lua', 'return 1'), 'return 1');
});

t.test('the nearest tests are those with similar paths', async (t) => {
  const nearest = createNearest(ROOT, findTests(ROOT));
  const chosen = (source: string) => nearest(source, 2, () => true);
  t.ok(chosen('src/webhooks/sender.ts').includes('test/webhooks/rules.test.ts'));
  t.ok(chosen('src/http/routes/account/bin.ts').includes('test/http/routes/account/bin.test.ts'));
  t.ok(chosen('src/quota/redis/lua/seed.lua').some((test) => test.startsWith('test/quota/')));
  t.ok(chosen('src/cli/commands/receipt.ts').some((test) => test.startsWith('test/cli/')));
  const [best, ...others] = nearest('src/csv/match.ts', 1, () => true);
  t.strictSame([best, others], ['test/csv/read.test.ts', []]);
  t.notOk(nearest('src/csv/match.ts', 3, (test) => test !== best).includes(best!));
});
