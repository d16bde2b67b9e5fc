/** File names made from the names of codes. */
import fc from 'fast-check';
import t from 'tap';
import { fileWords, nameByNumber, WORDS_MAX_CHARACTERS } from '../../src/zip/records.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 80 });

t.test('file names are ASCII words with single hyphens, and not too long', async () => {
  fc.assert(
    fc.property(text, (one) => {
      const words = fileWords(one);
      return /^(?:[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*)?$/.test(words) && words.length <= WORDS_MAX_CHARACTERS;
    }),
    { numRuns: 1000 },
  );
});

t.test('letters lose only their accents', async () => {
  const letters = fc.stringMatching(/^[0-9A-Za-z]{1,12}$/);
  const accent = fc.constantFrom('', '\u0300', '\u0301', '\u0302', '\u0303', '\u0308', '\u030a', '\u0327');
  fc.assert(
    fc.property(letters, fc.array(accent, { minLength: 12, maxLength: 12 }), (plain, accents) => {
      const accented = [...plain].map((letter, i) => letter + accents[i]!).join('');
      return [accented, accented.normalize('NFC')].every((one) => fileWords(one) === plain);
    }),
  );
});

t.test('other characters become a hyphen, URL schemes are dropped, long names truncated', async (t) => {
  t.equal(fileWords('https://Example.com/a?b=1'), 'Example-com-a-b-1');
  t.equal(fileWords('HTTP://x'), 'x');
  t.equal(fileWords('ftp://x'), 'ftp-x');
  t.equal(fileWords('see http://x'), 'see-http-x');
  t.equal(fileWords('  ½ ﬁne, naïve…  '), '1-2-fine-naive');
  t.equal(fileWords('世界'), '');
  t.equal(fileWords('a'.repeat(100)), 'a'.repeat(40));
  t.equal(fileWords(`${'a'.repeat(39)} b`), 'a'.repeat(39), 'a hyphen at the end is dropped too');
  t.equal(fileWords(`${'.'.repeat(499)}ab`), 'a', 'only the first 500 characters are used');
});

t.test('a file name starts with its number', async (t) => {
  t.equal(nameByNumber(7, 4, 'x-y'), '0007-x-y');
  t.equal(nameByNumber(12_345, 4, ''), '12345');
});
