/** Labels for label printers over HTTP. */
import t from 'tap';
import { sharedApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { readGray } from '../../support/pictures/decode.ts';
import { printEpl } from '../../support/printers/epl.ts';
import { printZpl } from '../../support/printers/zpl.ts';

const gateway = await sharedApp();

const ROLL = { page: { width_mm: 62, height_mm: 29 }, label: { columns: 1, rows: 1 }, dpi: 203 } as const;
const HEIGHT_DOTS = 232;

const caller = async () => {
  const made = await newClient(gateway);
  return {
    ...made,
    sheets: (folderId: string, body: unknown, accept: string) =>
      made.post(`/folders/${folderId}/sheets`, body, { accept }),
  };
};

t.test('a folder becomes labels in the language that Accept prefers', async (t) => {
  const { sheets, bulk, used, post } = await caller();
  const { folderId, codes } = await bulk([{ data: 'one' }, { data: 'two' }], 'Früh/ling');
  const before = await used();
  const asked = { ...ROLL, label: { ...ROLL.label, caption: '{index} ^XZ~JA' }, copies: 2 };
  const zpl = await sheets(folderId, asked, 'application/zpl');
  t.equal(zpl.status, 200, zpl.text.slice(0, 300));
  t.match(zpl.headers, {
    'content-type': 'application/zpl',
    vary: /Accept/,
    'cache-control': 'private, no-store',
    'content-disposition': /filename="Fruh_ling\.zpl"/,
    'tessera-pages': '4',
  });
  t.notOk('tessera-warnings' in zpl.headers);
  const epl = await sheets(folderId, asked, 'application/pdf;q=0.5, application/epl');
  t.match(epl.headers, {
    'content-type': 'application/epl',
    'content-disposition': /filename="Fruh_ling\.epl"/,
  });
  for (const labels of [printZpl(zpl.bytes), printEpl(epl.bytes, HEIGHT_DOTS)]) {
    t.strictSame(
      labels.map(({ copies }) => copies),
      [2, 2],
    );
    t.strictSame(await Promise.all(labels.map((label) => readGray(label))), ['one', 'two']);
  }
  const again = await sheets(folderId, asked, 'application/zpl');
  t.ok(again.bytes.equals(zpl.bytes), 'the same labels are the same bytes');
  const ids = codes.map(({ id }) => id);
  const chosen = await post('/codes/sheets', { ids, ...asked }, { accept: 'application/zpl' });
  t.ok(chosen.bytes.equals(zpl.bytes), 'and those of chosen codes');
  t.equal(await used(), before, 'they cost nothing');
});

t.test('without Accept, and when any format will do, a PDF is made', async (t) => {
  const { sheets, bulk, post } = await caller();
  const { folderId } = await bulk([{ data: 'one' }]);
  for (const answer of [
    await post(`/folders/${folderId}/sheets`, ROLL),
    await sheets(folderId, ROLL, '*/*'),
    await sheets(folderId, ROLL, 'application/pdf'),
  ])
    t.match(answer.headers, { 'content-type': 'application/pdf' });
  t.match(await sheets(folderId, ROLL, 'text/html'), {
    status: 406,
    json: { details: 'Accept: must allow one of application/pdf, application/zpl, application/epl.' },
  });
});

t.test('a label printer needs its resolution, and labels that it can print', async (t) => {
  const { sheets, bulk } = await caller();
  const { folderId } = await bulk([{ data: 'one' }]);
  const { dpi, ...without } = ROLL;
  for (const [body, details] of [
    [without, `dpi: is required for a label printer: one of ${dpi}, 300, 600`],
    [{ ...ROLL, crop_marks: true }, /^crop_marks: must be left out for a label printer/],
    [{ ...ROLL, bleed_mm: 2 }, /^bleed_mm: must be left out for a label printer/],
    [{ template: 'avery-l7160', dpi: 600 }, /^template: is 4961 dots wide at 600 dpi/],
  ] as const)
    for (const type of ['application/zpl', 'application/epl'])
      t.match(await sheets(folderId, body, type), { status: 400, json: { details } });
});

t.test(
  'what codes and captions lose is refused or told as for a PDF, and grades are those of the print',
  async (t) => {
    const { sheets, bulk } = await caller();
    const { folderId } = await bulk([
      { data: 'pale', dotsOptions: { color: '#ffee88' } },
      { data: 'inverted', dotsOptions: { color: '#fff' }, backgroundOptions: { color: '#000' } },
      { data: `tiny ${'x'.repeat(300)}` },
    ]);
    const refused = await sheets(
      folderId,
      { ...ROLL, label: { ...ROLL.label, caption: '{index} 日本' } },
      'application/zpl',
    );
    t.match(refused, { status: 400, json: { details: /^label\.caption: 3 captions cannot be printed/ } });
    const allowed = await sheets(
      folderId,
      {
        ...ROLL,
        label: { ...ROLL.label, caption: '{index} 日本', caption_side: 'beside' },
        allow: ['glyphs'],
      },
      'application/zpl',
    );
    t.match(allowed.headers, {
      'tessera-captions': 'cut=0, glyphs=3',
      'tessera-warnings': /^inverted, small-modules;v=0\.\d\d$/,
    });
    t.equal(await readGray(printZpl(allowed.bytes)[0]!), 'pale');
    const small = await sheets(folderId, { ...ROLL, page: { width_mm: 9, height_mm: 9 } }, 'application/zpl');
    t.match(small, {
      status: 400,
      json: {
        details: /^label: 1 code cannot be printed: code .* \(3\): label\.code_mm: gives less than a dot/,
      },
    });
    const missing = await sheets(
      folderId,
      { ...ROLL, page: { width_mm: 9, height_mm: 9 }, allow: ['codes'] },
      'application/zpl',
    );
    t.match(missing.headers, { 'tessera-missing-codes': '1;indexes="3"' });
    t.equal(printZpl(missing.bytes).length, 3);
  },
);
