/** Lines of many scripts, compared with fontkit, which shares no code with HarfBuzz, and by the rules of their scripts. */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import t from 'tap';
import { graphemesOf, printableLetters } from '../../../workers/shaping/letters.ts';
import { type Direction, levelsOf, shapeLine } from '../../../workers/shaping/line.ts';
import { anyScript, SCRIPT_TEXTS } from '../../support/shaping/scripts.ts';

interface Oracle {
  layout(text: string): { readonly glyphs: readonly { readonly id: number }[] };
}

const require = createRequire(import.meta.url);
/** It comes with pdfkit. */
const { openSync } = require('fontkit') as { openSync(path: string): Oracle };
const sans = openSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const thai = openSync(
  require.resolve('@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff'),
);

const lineOf = (text: string, direction: Direction = 'auto') => {
  const { lines, missing } = printableLetters(text, 'words', 'regular');
  return { ...shapeLine(lines[0]!, direction), missing };
};
const glyphsOf = (text: string): readonly number[] => lineOf(text).shaped.glyphs.map(({ glyph }) => glyph);

/** Returns the glyphs of a text that are drawn, in the order of the oracle. */
const expected = (font: Oracle, text: string): readonly number[] =>
  text
    .split(' ')
    .map((word) => font.layout(word).glyphs.map(({ id }) => id))
    .reverse()
    .flat();

t.test(
  'letters of Arabic and Hebrew join and stand from right to left as another engine sets them',
  async (t) => {
    const words = Object.entries(SCRIPT_TEXTS).filter(([name]) => /Arabic|Hebrew$|Urdu/.test(name));
    t.ok(words.length > 4);
    for (const [name, text] of words) t.strictSame(glyphsOf(text), expected(sans, text), name);
    const letters = fc.string({ unit: fc.constantFrom(...'ابتجحسشلامهويیگ'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 3 }), (some) => {
        const text = some.join(' ');
        t.strictSame(glyphsOf(text), expected(sans, text), text);
      }),
      { numRuns: 60 },
    );
  },
);

t.test('letters of Thai are those of another engine, and their marks have no width', async (t) => {
  const text = 'สวัสดีชาวโลก';
  t.strictSame(glyphsOf(text), expected(thai, text));
  const [bare, marked] = [lineOf('นา'), lineOf('น้ํา')];
  t.equal(bare.right.toFixed(3), marked.right.toFixed(3));
  t.ok(marked.above > bare.above);
});

t.test('every script of the list is printed whole', async (t) => {
  for (const [name, text] of Object.entries(SCRIPT_TEXTS)) {
    for (const chain of ['words', 'labels'] as const) {
      for (const weight of ['regular', 'bold'] as const)
        t.strictSame(printableLetters(text, chain, weight).missing, [], `${name}, ${chain}, ${weight}`);
    }
  }
});

t.test('numbers and names stay from left to right among letters from right to left', async (t) => {
  const order = (text: string, direction?: Direction): string =>
    lineOf(text, direction)
      .shaped.letters.map((letter) => letter.text)
      .join('');
  t.equal(order('שלום 123 abc'), 'abc 123 םולש');
  t.equal(order('Tisch 7 טבלה'), 'Tisch 7 הלבט');
  t.equal(order('abc שלום', 'rtl'), 'םולש abc', 'a line of a text that begins from right to left');
  t.equal(
    order('(שלום)'),
    '(םולש)'.replace(/[()]/g, (one) => (one === '(' ? ')' : '(')),
    'the letters are those of the text',
  );
  t.notOk(lineOf('abc שלום').isRightToLeft);
  t.ok(lineOf('שלום abc').isRightToLeft);
});

t.test('marks that nobody can place are left out and named, and the letter stays', async (t) => {
  const pile = `e${'\u0301'.repeat(40)}z`;
  t.strictSame([lineOf(pile).text, lineOf(pile).missing], ['éz', ['\u0301']]);
  t.strictSame([lineOf('\u0301a').text, lineOf('\u0301a').missing], ['a', ['\u0301']]);
  t.strictSame([lineOf('日a').text, lineOf('日a').missing], ['□a', ['日']]);
});

t.test('directions and letters are those of the algorithms, also where these are not run', async () => {
  const bidi = require('bidi-js')();
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const word = fc.string({ unit: fc.constantFrom(...'שלוםمرحبا', 'بِ', 'בּ'), minLength: 1, maxLength: 8 });
  const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((some) => some.join(' '));
  const line = fc.oneof(words, anyScript).map((text) =>
    text
      .replace(/\p{Cc}/gu, '')
      .toWellFormed()
      .trim(),
  );
  const direction = fc.constantFrom('auto' as const, 'ltr' as const, 'rtl' as const);
  fc.assert(
    fc.property(line, direction, (text, direction) => {
      const { levels, base } = levelsOf(text, direction);
      const other = bidi.getEmbeddingLevels(text, direction);
      const wanted = [...other.levels, other.paragraphs[0]?.level ?? 0].join();
      if ([...levels, base].join() !== wanted) throw new Error(`${[...levels, base]} for ${wanted}`);
      const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
      if (graphemesOf(text).join('|') !== graphemes.join('|')) throw new Error('other letters');
    }),
    { numRuns: 1000 },
  );
});

/** Returns the characters of letters, without those that are invisible. */
const seen = (letters: readonly { readonly text: string }[]): string =>
  letters.map(({ text }) => text.replace(/\p{Cf}/gu, '')).join('');

t.test('lines of any text have a size, and nothing of them is drawn outside of it', async () => {
  fc.assert(
    fc.property(anyScript, fc.constantFrom('words' as const, 'labels' as const), (text, chain) => {
      const { lines, missing } = printableLetters(text, chain, 'regular');
      if (new Set(missing).size !== missing.length) throw new Error('a character is named twice');
      for (const letters of lines) {
        const { left, right, above, below, widths, shaped } = shapeLine(letters, 'auto');
        const isSane = [left, right, above, below, ...widths].every(Number.isFinite);
        if (!isSane || left > 0 || right < 0 || above > 6 || below > 6) throw new Error(`${above} ${below}`);
        if (widths.length !== letters.length) throw new Error('a letter without a width');
        const told = seen(shaped.letters);
        const given = seen(letters);
        if ([...told].sort().join('') !== [...given].sort().join('')) throw new Error('other characters');
      }
    }),
    { numRuns: 400 },
  );
});
