/** Judging a code by what the readers read. */
import fc from 'fast-check';
import t from 'tap';
import { CONDITIONS } from '../../src/reading/conditions.ts';
import { READERS, type Sight } from '../../src/reading/read.ts';
import { explain, judge, judgeMissing } from '../../src/verify/judge.ts';

const RIGHT = ['right', 'right too'];
const PLACES = READERS.flatMap((reader) => CONDITIONS.map((condition) => ({ reader, condition })));

/** Mostly correct, so that each result is frequent. */
const text = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...RIGHT) },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('wrong', '') },
);
const sights: fc.Arbitrary<Sight[]> = fc
  .array(text, { minLength: PLACES.length, maxLength: PLACES.length })
  .map((texts) => PLACES.map((place, i) => ({ ...place, text: texts[i]! })));

const isRight = (sight: Sight) => RIGHT.includes(sight.text ?? '-');
const isWrong = (sight: Sight) => sight.text !== null && !isRight(sight);

t.test('a code passes, is weak or fails according to the documented results', async (t) => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(sights, (all) => {
      const { result, ...judgement } = judge({ sha256: '', fault: null, sights: all }, RIGHT);
      seen.add(result);
      const sharp = all.filter(({ condition }) => condition === 'sharp');
      const fails = all.some(isWrong) || !sharp.every(isRight);
      t.equal(result, fails ? 'failed' : all.every(isRight) ? 'passed' : 'weak');
      const first = all.find(isRight) ?? all.find(isWrong);
      const conditionsOf = (reader: string) =>
        all.filter((sight) => sight.reader === reader && isRight(sight)).map(({ condition }) => condition);
      t.strictSame(judgement, {
        text: first === undefined ? null : first.text,
        ...(all.some(isRight) ? {} : { expected: 'right' }),
        read: { zxing: conditionsOf('zxing'), zbar: conditionsOf('zbar') },
        ...(all.some(isWrong) ? { misread: all.filter(isWrong) } : {}),
      });
    }),
    { numRuns: 300 },
  );
  t.strictSame([...seen].sort(), ['failed', 'passed', 'weak']);
});

t.test('the explanation names what failed: a wrong text, a reader, or single conditions', async (t) => {
  const explained = (texts: readonly (string | null)[], fault: string | null = null) =>
    explain(
      judge({ sha256: '', fault, sights: PLACES.map((place, i) => ({ ...place, text: texts[i]! })) }, RIGHT),
    );
  const r = 'right';
  t.equal(explained([r, r, r, r, r, r]), null);
  t.equal(explained([r, r, r, r, r, null]), 'not read by zbar when small');
  t.equal(
    explained([r, null, null, r, null, r]),
    'not read by zxing when blurred, by zxing when small, by zbar when blurred',
  );
  t.equal(explained([r, r, r, null, r, r]), 'not read by zbar');
  t.equal(explained([null, null, null, null, null, null]), 'not read by zxing and zbar');
  t.equal(explained([null, null, null, null, r, 'other']), 'zbar reads another text');
  t.equal(explained([], 'it is no PNG'), 'it is no PNG');
});

t.test('a code without a picture is missing, and one with a broken picture has failed', async (t) => {
  const nothing = { text: null, expected: 'right', read: { zxing: [], zbar: [] }, fault: 'why' };
  t.strictSame(judgeMissing('right', 'why'), { result: 'missing', ...nothing });
  t.strictSame(judge({ sha256: '', fault: 'why', sights: [] }, RIGHT), { result: 'failed', ...nothing });
  t.equal(explain(judgeMissing('right', 'why')), 'why');
});
