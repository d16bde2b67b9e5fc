/** Sheets of labels, printed by Ghostscript and scanned, are compared with their folder. */
import t from 'tap';
import { sharedApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { ghostscript } from '../support/pictures/print.ts';
import { type Fate, scanOf } from '../support/pictures/scans.ts';

const gateway = await sharedApp();
const DPI = 300;
const JPEG = { 'content-type': 'image/jpeg' };

/** Short links, serial numbers and GS1 data in turn. */
const contentOf = (i: number): object => {
  if (i % 3 === 0) return { data: `https://example.com/${i}`, dynamic: true };
  if (i % 3 === 1) return { data: `SN-2026-${String(i).padStart(6, '0')}` };
  return { data: `(01)09506000134352(21)${i}`, qrOptions: { gs1: 'element-string' } };
};

/** Makes a folder of as many codes as a sheet has labels, and returns what scans it. */
const sheetOf = async (template: string, labels: number) => {
  const client = await newClient(gateway);
  const { folderId, codes } = await client.bulk(Array.from({ length: labels }, (_, i) => contentOf(i)));
  const sheet = await client.post(`/folders/${folderId}/sheets`, { template });
  const page = await ghostscript(sheet.bytes, DPI);
  return {
    ...{ page, codes },
    check: async (fate: Fate) =>
      (await client.post(`/folders/${folderId}/scan-check`, await scanOf(page, fate), JPEG)).json,
  };
};

const FATES: Readonly<Record<string, Fate>> = {
  straight: {},
  aslant: { angle: 3 },
  blurred: { blurPx: 1.2 },
  'upside down, aslant and blurred': { angle: 176, blurPx: 0.8 },
};

for (const [template, labels] of [
  ['avery-l7159', 24],
  ['avery-l7651', 65],
] as const)
  t.test(`every code of a sheet of ${labels} labels is read from a scan of 300 dpi`, async (t) => {
    const { check, codes } = await sheetOf(template, labels);
    for (const [name, fate] of Object.entries(FATES)) {
      const checked = await check(fate);
      t.match(
        checked,
        { codes: labels, read: labels, unread: 0, repeated: 0, wrong: 0, foreign: 0, unread_codes: [] },
        name,
      );
      const ids = checked.symbols.map(({ code }) => code!.id);
      t.strictSame(new Set(ids), new Set(codes.map(({ id }) => id)));
      if (name === 'aslant')
        t.strictSame(
          ids,
          codes.map(({ id }) => id),
          'in the order of the labels',
        );
    }
  });

t.test('a label that is painted over, a damaged and a foreign one are told, with their places', async (t) => {
  const { check, codes, page } = await sheetOf('avery-l7159', 24);
  const straight = await check({});
  const boxOf = (index: number) => {
    const { corners } = straight.symbols[index]!;
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
    return { left, top, width: Math.ceil(Math.max(...xs)) - left, height: Math.ceil(Math.max(...ys)) - top };
  };
  const [covered, damaged, other] = [boxOf(5), boxOf(10), boxOf(15)];
  const foreign = await (await newClient(gateway)).render({
    content: 'https://example.org/other',
    width: '300',
  });
  t.ok(decodePng(foreign.bytes));
  const half = Math.round(damaged.width / 2);
  const checked = await check({
    angle: 2,
    blurPx: 0.8,
    painted: [
      [covered.left - 8, covered.top - 8, covered.width + 16, covered.height + 16],
      // Its finder patterns stay.
      [damaged.left + half - 30, damaged.top + half - 30, half + 20, half + 20],
    ],
    stuck: [{ png: foreign.bytes, left: other.left, top: other.top }],
  });
  t.match(checked, { codes: 24, read: 21, unread: 3, repeated: 0, wrong: 1, foreign: 1 });
  t.strictSame(
    checked.unread_codes.map(({ id }) => id),
    [5, 10, 15].map((i) => codes[i]!.id),
  );
  const found = (wanted: string) => checked.symbols.find(({ result }) => result === wanted)!;
  t.match(found('foreign'), { content: 'https://example.org/other', code: null });
  t.match(found('wrong'), { content: null, code: null });
  const [x, y] = ([0, 1] as const).map(
    (axis) => found('wrong').corners.reduce((sum, corner) => sum + corner[axis], 0) / 4,
  );
  // Turned by 2 degrees, a place moves by at most 4 % of the page.
  t.ok(Math.abs(x! - damaged.left - half) < page.height * 0.06, 'the place of the damaged one');
  t.ok(Math.abs(y! - damaged.top - half) < page.height * 0.06);
});
