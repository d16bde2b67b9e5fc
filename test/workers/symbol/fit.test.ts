/** Choosing the symbol for a text, and the reasons for having none. */

import t from 'tap';
import { type Fault, isFault, type SymbolMode, type SymbolRequest } from '../../../workers/protocol.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';

function request(part: Partial<SymbolRequest> = {}): SymbolRequest {
  return { typeNumber: 0, mode: null, levels: ['Q'], ...part };
}

function planOf(text: string, part?: Partial<SymbolRequest>): SymbolPlan {
  const plan = fitSymbol(text, request(part));
  if (isFault(plan)) throw new Error(`${plan.field}: ${plan.message}`);
  return plan;
}

function faultOf(text: string, part?: Partial<SymbolRequest>): Fault {
  const plan = fitSymbol(text, request(part));
  if (!isFault(plan)) throw new Error(`fits: ${JSON.stringify(plan)}`);
  return plan;
}

/** Returns the mode of the only segment. */
function modeOf({ segments }: SymbolPlan): SymbolMode {
  if (segments.length !== 1) throw new Error(`${segments.length} segments`);
  return segments[0]!.mode;
}

t.test('fitSymbol chooses the mode that the browser library chooses', async (t) => {
  for (const [text, mode] of [
    ['0123', 'Numeric'],
    ['12A', 'Alphanumeric'],
    ['HTTPS://A.B/ $%*+-', 'Alphanumeric'],
    ['https://a.b', 'Byte'],
    ['123\n', 'Byte'],
    ['漢字', 'Byte'],
  ] as const) {
    t.equal(modeOf(planOf(text)), mode, JSON.stringify(text));
  }
  t.equal(modeOf(planOf('0123', { mode: 'Byte' })), 'Byte', 'unless a mode is requested');
  t.equal(modeOf(planOf('漢字', { mode: 'Kanji' })), 'Kanji');
});

t.test('fitSymbol chooses the smallest or requested version, and the first level that fits', async (t) => {
  const segments = [{ mode: 'Numeric', start: 0, end: 1 }];
  t.same(planOf('1'), { segments, eci: false, fnc1: false, level: 'Q', version: 1, moduleCount: 21 });
  t.same(planOf('1', { typeNumber: 7 }), {
    segments,
    eci: false,
    fnc1: false,
    level: 'Q',
    version: 7,
    moduleCount: 45,
  });
  t.same(planOf('x'.repeat(2000), { levels: ['Q', 'M', 'L'] }).level, 'M');
  t.same(planOf('x'.repeat(2953), { levels: ['Q', 'M', 'L'] }).level, 'L');
  t.same(planOf('x'.repeat(20), { levels: ['H', 'L'], typeNumber: 2 }).level, 'L');
  t.same(planOf('1'.repeat(4296), { levels: ['M', 'L'] }).level, 'M', 'the longest text, in digits');
  t.same(planOf('é'.repeat(8), { levels: ['L'] }).version, 1, '16 bytes of UTF-8');
  t.same(planOf('é'.repeat(9), { levels: ['L'] }).version, 2, '18 bytes of UTF-8');
});

t.test('fitSymbol reports faults with the field and the limit', async (t) => {
  t.same(faultOf('', {}), { field: 'data', message: 'must not be empty' });
  for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
    t.same(faultOf(text), { field: 'data', message: 'must be well-formed Unicode' });
  }
  for (const [mode, text, message] of [
    ['Numeric', '12a', 'Numeric mode cannot encode "a", character 3 of the text: leave qrOptions.mode out'],
    ['Alphanumeric', 'A%b', /^Alphanumeric mode cannot encode "b", character 3 of the text/],
    ['Alphanumeric', '\u001d', /^Alphanumeric mode cannot encode "\\u001d", character 1/],
    ['Kanji', '漢a', /^Kanji mode cannot encode "a", character 2/],
    ['Kanji', '😀漢', /^Kanji mode cannot encode "😀", character 1/],
    ['Kanji', '〜', /^Kanji mode cannot encode "〜", character 1/],
    ['Kanji', '東京－大阪', /^readers take "－", character 3 of the text, for another one in Kanji mode/],
    ['Kanji', '１０時～１８時', /^readers take "～", character 4/],
    ['Kanji', '価格￠５０', /^readers take "￠", character 3/],
    ['Kanji', '本館∥別館', /^readers take "∥", character 3/],
  ] as const) {
    t.match(faultOf(text, { mode }), { field: 'qrOptions.mode', message }, text);
    if (mode === 'Kanji') t.notOk(isFault(fitSymbol(text, request({ segments: 'optimal' }))), text);
  }
  const elements = { mode: 'Alphanumeric', gs1: 'element-string' } as const;
  t.notOk(isFault(fitSymbol('(10)A%(8010)A', request(elements))));
  t.match(
    faultOf('(10)A%(21)Ab', elements).message,
    /"b", character 9 of the element string without brackets/,
  );
  t.match(faultOf('é'.repeat(1477), { levels: ['Q', 'M', 'L'] }), {
    field: 'data',
    message: /at most 2953 bytes in Byte mode at level L, the text has 2954$/,
  });
  t.match(faultOf('A'.repeat(4297), { levels: ['L'] }), {
    field: 'data',
    message: /at most 4296 characters in Alphanumeric mode at level L, the text has 4297$/,
  });
  t.match(faultOf('x'.repeat(1274), { levels: ['H'] }), {
    field: 'data',
    message: /at most 1273 bytes in Byte mode at level H, the text has 1274; it would fit at level Q$/,
  });
  t.match(faultOf('x'.repeat(100), { levels: ['Q', 'M'], typeNumber: 2 }), {
    field: 'qrOptions.typeNumber',
    message: /version 2 is too small: at level M the text needs version 6 or larger/,
  });
  t.equal(faultOf('x'.repeat(3000), { typeNumber: 2 }).field, 'data', 'no version holds it');
});
