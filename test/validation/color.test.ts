import fc from 'fast-check';
import t from 'tap';
import { parseColor } from '../../src/validation/formats.ts';

t.test('a CSS colour is converted to hexadecimal', async (t) => {
  const spellings: Record<string, string | null> = {
    '#1a2b3c': '#1a2b3c',
    '#ABC': '#aabbcc',
    '#abc8': '#aabbcc88',
    '#aabbccff': '#aabbcc',
    rebeccapurple: '#663399',
    NAVY: '#000080',
    transparent: '#00000000',
    'rgb(26 43 60)': '#1a2b3c',
    'rgb(26, 43, 60, 50%)': '#1a2b3c80',
    'hsl(210 40% 17%)': '#1a2b3c',
    'color(srgb 1 0 0)': '#ff0000',
    '1a2b3c': null,
    '#12': null,
    'url(#x)': null,
    'red"/><script>': null,
    '': null,
  };
  for (const [text, hex] of Object.entries(spellings)) t.equal(parseColor(text), hex, JSON.stringify(text));
});

t.test('texts that make the colour library throw are rejected', async (t) => {
  for (const text of ['/0a', '/ 1x', 'rgb(1 2 3 /0a)']) t.equal(parseColor(text), null, text);
});

t.test('any text is converted to a hexadecimal colour or null', async () => {
  const part = fc.constantFrom(
    ...['rgb(', 'hsl(', 'lab(', 'oklch(', 'color(', 'srgb', 'none', '/', '%', '0', '.5', '1e999', '-', 'deg'],
    ...[')', ' ', ',', '#', 'f', 'a', 'red', '\\', '"'],
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const color = parseColor(text);
      return color === null || /^#[\da-f]{6}([\da-f]{2})?$/.test(color);
    }),
    { numRuns: 5000 },
  );
});
