/** What a table may say about items: what JSON may say about them, and nothing else. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createNotes } from '../../src/csv/notes.ts';
import { csvLines } from '../../src/csv/write.ts';
import { LinksWritten, linksOf, settleLinks, toLinks } from '../../src/http/routes/account/resolver/body.ts';
import { checkDestination } from '../../src/links/destination.ts';
import { LINK_TYPES } from '../../src/resolver/link-types.ts';
import { createResolver } from '../../src/resolver/resolver.ts';
import { COLUMNS, readTable } from '../../src/resolver/table.ts';
import { TARGET_PLACEHOLDERS } from '../../src/resolver/templates.ts';
import { createAjv } from '../../src/validation/ajv.ts';

const ROOT = 'https://qr.test';
const resolver = createResolver(
  () => ROOT,
  (url) => checkDestination(url, ROOT, TARGET_PLACEHOLDERS),
  null,
  1000,
);
const isLinks = createAjv(() => true).compile<Parameters<typeof linksOf>[0]>(LinksWritten);

const KEY = '(01)09521321000018';
const PLAIN = { key: KEY, rel: 'gs1:pip', href: 'https://brand.example/', title: 'Juice' };
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>;

const importOf = (rows: readonly Cells[]) => {
  const lines = rows.map((row) => COLUMNS.map((column) => row[column] ?? ''));
  const bytes = Buffer.from(csvLines([[...COLUMNS], ...lines]));
  return readTable(bytes, 'utf-8', createNotes(), resolver.checkHref);
};

/** Returns what is wrong with one row. */
const faultOf = async (cells: Cells) => {
  const table = await importOf([{ ...PLAIN, ...cells }]);
  return table.ok ? null : table.fault.map(({ field, message }) => `${field}: ${message}`).join();
};

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const mostly = <T>(valid: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: other });
/** As many words as a link may have, or a few more; some of them twice. */
const words = (word: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.oneof(fc.array(word, { maxLength: 3 }), fc.array(word, { minLength: 19, maxLength: 22 })))
    .chain(([all]) => fc.constantFrom(' ', ';', ', ').map((separator) => all.join(separator)));
const letter = fc.constantFrom(...'abcdefg');
const language = fc.tuple(letter, letter).map((letters) => letters.join(''));

const row: fc.Arbitrary<Cells> = fc.record({
  key: fc.constantFrom(KEY, `${KEY}(10)A`),
  rel: mostly(fc.constantFrom(...LINK_TYPES, 'https://gs1.org/voc/pip', 'http://a.example/_.'), texts),
  href: mostly(
    fc.oneof(
      fc.webUrl(),
      fc
        .oneof(texts, fc.constantFrom('é'.repeat(1300), 'a'.repeat(8000), '{a%20b}', '?{x y}', '#{ü', '%7Bx'))
        .map((rest) => `https://brand.example/${rest}`),
    ),
    texts,
  ),
  title: mostly(
    texts.map((text) => `x${text}`),
    fc.constantFrom('é'.repeat(200), 'é'.repeat(201), ' '),
  ),
  hreflang: mostly(words(language), fc.constantFrom('zh-Hant', 'pt-BR')),
  type: mostly(fc.constantFrom('', 'Text/HTML', ' text/plain '), texts),
  context: mostly(
    words(fc.oneof(language, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }))),
    fc.constantFrom('é'.repeat(60), 'é'.repeat(61)),
  ),
  default: fc.constantFrom('', '', 'yes'),
});

t.test('the links that an import accepts are accepted as JSON when they are sent back', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (rows) => {
      const table = await importOf(rows);
      if (!table.ok) return;
      for (const { links, shape } of table.value.items) {
        const sent: unknown = JSON.parse(JSON.stringify(toLinks(links)));
        if (!isLinks(sent)) throw new Error(`${JSON.stringify(isLinks.errors)}: ${JSON.stringify(sent)}`);
        const back = settleLinks(linksOf(sent, resolver), shape === '');
        if (JSON.stringify(back) !== JSON.stringify(links)) throw new Error(JSON.stringify(links));
        accepted += 1;
      }
    }),
    { numRuns: 2000 },
  );
  t.ok(accepted > 20, `${accepted} items were accepted`);
});

t.test('a row that JSON would refuse is refused with its column', async (t) => {
  const many = Array.from({ length: 21 }, () => 'en').join(' ');
  for (const [cells, fault] of [
    [{ hreflang: many }, 'row 2, hreflang: must have at most 20 items'],
    [{ context: many }, 'row 2, context: must have at most 20 items'],
    [
      { key: `https://brand.example/${'a'.repeat(1000)}/01/09521321000018` },
      'row 2, key: must have at most 1000 characters',
    ],
  ] as const)
    t.equal(await faultOf(cells), fault);
});

t.test(
  'a large table is read in many turns of the event loop, so that others are served in between',
  async (t) => {
    const line = `${KEY},gs1:pip,https://brand.example/${'x'.repeat(400)},Juice\n`;
    const bytes = Buffer.from(`key,rel,href,title\n${line.repeat(9000)}short\n`);
    let [turns, isWatching] = [0, true];
    const watch = async () => {
      while (isWatching) {
        await nextTurn();
        turns += 1;
      }
    };
    void watch();
    const table = await readTable(bytes, 'utf-8', createNotes(), resolver.checkHref);
    isWatching = false;
    t.match(table, { ok: false, fault: [{ message: /cell/ }] });
    t.ok(turns > 10, `${turns} turns`);
  },
);
