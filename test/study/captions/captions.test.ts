/** A short run of `npm run study:captions`, and whether its judges notice harm. */
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import { casesOf } from '../../support/cases.ts';
import { drawPrinted, seenAt } from '../../support/pictures/printed.ts';
import { caseOf } from './cases.ts';
import { isTextOf, judgeCases } from './judge.ts';
import { changedDots, foreignDots, placeOf, withoutWords } from './quiet-zone.ts';

const SEED = 1;

t.test('a seed and a number give the same case each time, and others give another one', async (t) => {
  t.strictSame(caseOf(SEED, 5), caseOf(SEED, 5));
  t.notSame(caseOf(SEED, 5).words, caseOf(SEED, 13).words);
  t.notSame(caseOf(SEED, 5).words, caseOf(SEED + 1, 5).words);
});

t.test('words and frames harm none of some random codes', async (t) => {
  const cases = Array.from({ length: casesOf(48) }, (_, number) => caseOf(SEED, number));
  const judgements = await judgeCases(cases);
  const faults = judgements.flatMap(({ number, faults }) => faults.map((fault) => `${number}: ${fault}`));
  t.strictSame(faults, []);
  const drawn = judgements.filter(({ refused }) => refused === null);
  t.ok(drawn.length > cases.length / 2, `${drawn.length} are drawn`);
  t.ok(drawn.some(({ sights }) => sights.zxing === 'read' && sights.zbar === 'read'));
});

t.test('a dot in the quiet zone and another code are noticed, and dots outside are not', async (t) => {
  const bare = { module_mm: 0.508, dpi: 300, quiet_zone: 2 } as const;
  const query = { ...bare, caption: 'Table 7', frame: 'line' } as const;
  const draw = (query: object) =>
    drawPrinted({ format: 'png', query, text: 'Table 7', design: toDesign({}) });
  const [drawn, plain] = [draw(query), draw(bare)];
  if (!drawn.ok || !plain.ok) throw new Error('not drawn');
  const [worded, alone] = await seenAt('png', [drawn.value.bytes, plain.value.bytes], 300);
  const asked = { bare, dpi: 300 };
  const at = placeOf(asked, drawn.value, worded!);
  const plainAt = placeOf(asked, plain.value, alone!);
  const withDot = (x: number, y: number) => {
    const data = worded!.data.slice();
    const place = Math.round(y) * worded!.widthPx + Math.round(x);
    data[place] = 255 - data[place]!;
    return { ...worded!, data };
  };
  const { zone, symbol } = at;
  t.equal(foreignDots(worded!, at, drawn.value), 0);
  t.equal(changedDots(worded!, at, alone!, plainAt), 0);
  t.equal(foreignDots(withDot(zone.left, zone.top), at, drawn.value), 1, 'the first dot of the zone');
  t.equal(foreignDots(withDot(zone.right - 1, symbol.top), at, drawn.value), 1, 'the last one of a row');
  t.equal(foreignDots(withDot(zone.left - 1, zone.top), at, drawn.value), 0, 'the frame');
  t.equal(foreignDots(withDot(symbol.left, symbol.top), at, drawn.value), 0, 'the symbol');
  t.equal(changedDots(withDot(symbol.left, symbol.top), at, alone!, plainAt), 1);
  t.strictSame(
    withoutWords(worded!, at, 255).data.filter((light) => light < 128).length,
    alone!.data.filter((light) => light < 128).length,
    'without words the code is left',
  );
});

t.test('the text of a page is that of its row, or its parts where it may be cut', async (t) => {
  t.ok(isTextOf('Room  B\n 12\f', 'Room B 12', false));
  t.notOk(isTextOf('Room B', 'Room B 12', false));
  t.notOk(isTextOf('Room B 21', 'Room B 12', false));
  t.ok(isTextOf('Roo…\n1…', 'Room B\n12', true));
  t.notOk(isTextOf('1…\nRoo…', 'Room B\n12', true), 'in another order');
  t.notOk(isTextOf('oom…', 'Room B\n12', true), 'without its beginning');
});
