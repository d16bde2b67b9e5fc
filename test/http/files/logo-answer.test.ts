import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import t from 'tap';
import { lengthOf } from '../../../src/generate/request/options.ts';
import { writeWithLogo } from '../../../src/http/files/logo-answer.ts';

const written = async (answer: unknown): Promise<string> => {
  const body = writeWithLogo(answer, JSON.stringify);
  return typeof body === 'string' ? body : text(body);
};

const anyImage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .tuple(
      fc.integer({ min: 65_000, max: 200_000 }),
      fc.constantFrom('', '"', '\\', '\n', '\ud800', '😀', 'é'),
    )
    .map(([length, end]) => `data:image/png;base64,${'AbC/'.repeat(length / 4)}${end}`),
);

t.test('an answer with a logo is the JSON that it would be without pieces', (t) =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom('design', 'options', 'other'),
      fc.record({ width: fc.integer(), image: anyImage }, { requiredKeys: [] }),
      fc.string({ unit: 'grapheme' }),
      async (holder, options, name) => {
        const answer = { name, [holder]: options, etag: '"x"' };
        t.strictSame(JSON.parse(await written(answer)), JSON.parse(JSON.stringify(answer)));
      },
    ),
    { numRuns: 200 },
  ),
);

t.test('so is one whose logo is given as bytes', (t) =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 49_000, max: 200_000 })),
      fc.string({ unit: 'grapheme' }),
      async (length, name) => {
        const head = 'data:image/png;base64,';
        const bytes = randomBytes(length + 5).subarray(5);
        const image = head + bytes.toString('base64');
        const answer = { name, design: { image: { head, bytes } } };
        t.strictSame(JSON.parse(await written(answer)), { name, design: { image } });
        t.equal(lengthOf({ head, bytes }), image.length);
      },
    ),
  ),
);

t.test('a large logo is written in pieces, and anything else as one text', async (t) => {
  const image = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
  t.type(writeWithLogo({ options: { image } }, JSON.stringify), 'object');
  t.type(writeWithLogo({ options: { image: 'https://example.com/a.png' } }, JSON.stringify), 'string');
  t.type(writeWithLogo({ name: image }, JSON.stringify), 'string');
  t.type(writeWithLogo(null, JSON.stringify), 'string');
});
