/** GS1 in the page, without a browser: fields that become codes, columns that become data, and links of items. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { toFields, toGs1 } from '../../src/dashboard/screens/designer/content/gs1.ts';
import { toLink, toLinkTexts, withLink } from '../../src/dashboard/screens/links/texts.ts';
import { GS1_WORDS } from '../../src/dashboard/screens/table/fields.ts';
import {
  fitTo,
  NOTHING_CHOSEN,
  namesIn,
  sourceOf,
  templateFault,
  toOptions,
  toPictureRequest,
  toQuery,
} from '../../src/dashboard/screens/table/mapping.ts';

import { checkGs1 } from '../../src/gs1/check.ts';
import { CHARSET_82, checkDigitOf } from '../../src/gs1/check-digits.ts';
import { GS1_COLUMNS } from '../../src/gs1/columns.ts';

const entered = (fields: Readonly<Record<string, string>>) => (name: string) => fields[name] ?? '';

const gtin = fc
  .tuple(
    fc.constantFrom(7, 11, 12, 13),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 13, maxLength: 13 }),
  )
  .map(([digits, all]) => all.slice(0, digits).join(''))
  .map((digits) => digits + checkDigitOf(`${digits}0`));
const value = fc.string({ unit: fc.constantFrom(...CHARSET_82), minLength: 1, maxLength: 20 });
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2074-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

t.test('the fields of an item become valid GS1 data, and a copy of the code keeps them', async () => {
  const fields = fc.record({
    gtin,
    serial: fc.oneof(fc.constant(''), value),
    lot: fc.oneof(fc.constant(''), value),
    expiry: fc.oneof(fc.constant(''), day),
    more: fc.constantFrom('', '(3103)001250', '(15)270100(3103)001250'),
    form: fc.constantFrom('digital-link', 'element-string'),
  });
  fc.assert(
    fc.property(fields, (typed) => {
      const { text, faults } = toGs1(entered(typed));
      if (!text.ok || Object.keys(faults).length > 0 || !checkGs1(text.value).ok) return false;
      const again = { ...toFields(text.value) };
      return Object.entries({ ...typed, gtin: typed.gtin.padStart(14, '0') }).every(
        ([name, wanted]) => (again[name] ?? '') === wanted,
      );
    }),
    { numRuns: 500 },
  );
});

t.test('errors are shown at their field, in the words of the API', async (t) => {
  const faultsOf = (fields: Readonly<Record<string, string>>) => toGs1(entered(fields)).faults;
  t.match(faultsOf({ gtin: '9521321000019' }), { gtin: /check digit must be 8/ });
  t.match(faultsOf({ gtin: '36000291452' }), { gtin: /removed leading zeros; write 036000291452/ });
  t.match(faultsOf({ gtin: '9.52132E+12' }), { gtin: /shortened/ });
  t.match(faultsOf({ gtin: '9521321000018', serial: 'ä' }), { serial: /82 characters/ });
  t.match(faultsOf({ gtin: '9521321000018', lot: 'A\\', more: '(21)x' }), { lot: /82 characters/ });
  t.match(faultsOf({ gtin: '9521321000018', more: '(10)A' }), {});
  t.match(faultsOf({ gtin: '9521321000018', more: '3103' }), { more: /an AI in brackets/ });
  t.match(faultsOf({ gtin: '9521321000018', more: '(9999)1' }), { more: /is not a GS1 AI/ });
  t.match(faultsOf({ more: '(10)A' }), { lot: /needs another AI/ });
  t.match(faultsOf({ gtin: '9521321000018', stem: 'ftp://brand.example' }), { stem: /http or https/ });
  t.strictSame(faultsOf({}), {});
  t.match(toGs1(entered({ gtin: '9521321000018', stem: 'brand.example/x/' })), {
    text: { value: 'https://brand.example/x/01/09521321000018' },
  });
});

const previewOf = (names: readonly string[], fields: readonly (string | null)[]) => ({
  columns: names.map((name, at) => ({ name, field: fields[at] ?? null })),
  ...{
    encoding: 'utf-8',
    empty_rows: 0,
    first_empty_rows: [],
    rows: [],
    header_row: 1,
    file_rows: [],
    compared_rows: 0,
    duplicates: 0,
    refused_duplicates: 0,
    first_duplicates: [],
    delimiter: ',',
    faulty_rows: [],
    cell_faults: [],
    more: false,
    fault: null,
    fields: ['data', 'gtin', 'serial', 'name'],
    composed: null,
  },
});

t.test('GS1 columns are mapped to data, and template columns are found by name', async (t) => {
  t.strictSame(Object.keys(GS1_WORDS).sort(), Object.keys(GS1_COLUMNS).sort());
  const preview = previewOf(['EAN', '(3103)', 'sku', 'Serial'], ['gtin', null, null, 'serial']);
  const mapping = preview.columns.map(({ field }) => field);
  t.equal(sourceOf(mapping), 'gs1');
  const gs1 = { source: 'gs1', names: [], given: ['serial'] } as const;
  const fitted = fitTo(mapping, preview, gs1);
  t.strictSame(fitted, ['gtin', '(3103)', null, null]);
  t.strictSame(JSON.parse(toQuery(preview, fitted).columns!), {
    gtin: 'EAN',
    '(3103)': '(3103)',
    serial: null,
  });
  const template = { source: 'template', names: ['sku'], given: [] } as const;
  t.strictSame(fitTo(mapping, preview, template), [null, null, 'sku', null]);
  t.strictSame(fitTo(['data', null, null, 'serial'], preview, { ...gs1, source: 'data', given: [] }), [
    ...['data', null, null, null],
  ]);
});

t.test(
  'a column that says what rows are leaves GS1 numbers to barcodes, and the example to QR codes',
  async (t) => {
    const columns = ['symbology', 'data', 'gtin'].map((name) => ({ name, field: name }));
    const preview = { columns, fault: null } as unknown as Parameters<typeof fitTo>[1];
    const content = { source: 'data', names: [], given: [] } as const;
    const mapping = ['symbology', 'data', 'gtin'];
    t.strictSame(fitTo(mapping, preview, content), mapping);
    t.strictSame(fitTo([null, 'data', 'gtin'], preview, content), [null, 'data', null]);
    const rows = ['9521321000018', '(01)09521321000018', 'https://id.gs1.org/01/09521321000018'].map(
      (data) => ({ data, fault: null }),
    );
    const choice = { ...NOTHING_CHOSEN, source: 'gs1' } as const;
    t.equal(toPictureRequest({ data: 'x' }, choice, rows).data, rows[2]!.data);
    t.equal(toPictureRequest({ data: 'x' }, { ...choice, form: 'element-string' }, rows).data, rows[1]!.data);
  },
);

t.test('the choices become the options of a batch, and its example shows the first row', async (t) => {
  const request = { data: 'https://a.example/l/Preview0', width: 600, qrOptions: { boost: true } };
  const choice = { ...NOTHING_CHOSEN, source: 'data' } as const;
  t.strictSame(toOptions(request, choice), { width: 600, qrOptions: { boost: true } });
  const gs1 = {
    ...choice,
    source: 'gs1',
    serials: 'bottles',
    stem: 'https://b.example',
  } as const;
  t.strictSame(toOptions(request, gs1), {
    ...{ width: 600, qrOptions: { boost: true, gs1: 'digital-link' } },
    gs1: { stem: 'https://b.example', columns: { serial: '{bottles}' } },
  });
  t.match(toPictureRequest(request, gs1, null), { data: 'https://id.gs1.org/01/09521321000018' });
  t.match(
    toPictureRequest(request, gs1, [
      { data: null, fault: 'x' },
      { data: 'first', fault: null },
    ]),
    { data: 'first' },
  );
  const template = { ...choice, source: 'template', template: 'https://a.example/{sku}/{n:06}' } as const;
  t.match(toOptions(request, template), { template: template.template, gs1: undefined });
  t.strictSame(namesIn(template), ['sku', 'n']);
  t.equal(templateFault(template), null);
  t.match(templateFault({ ...template, template: '{' }), /write "{{"/);
});

t.test('links are unchanged by a form, and at most one is the default', async () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const link = fc.record({
    ...{ rel: word, href: word, title: word, hreflang: fc.array(word), context: fc.array(word) },
    ...{ type: fc.option(word), is_default: fc.boolean() },
  });
  fc.assert(
    fc.property(fc.array(link, { maxLength: 4 }), fc.nat(4), fc.option(link), (links, at, changed) => {
      const first = links.reduce<typeof links>((all, each) => withLink(all, all.length, each), []);
      const next = withLink(first, Math.min(at, first.length), changed);
      const defaults = next.filter(({ is_default }) => is_default).length;
      return (
        defaults <= 1 &&
        next.every((each) => isDeepStrictEqual(toLink(toLinkTexts(each), each.is_default), { ...each }))
      );
    }),
    { numRuns: 200 },
  );
});
