/** Documents of folders: at which pace they are made, and what happens to codes that cannot be drawn. */
import { buffer, text } from 'node:stream/consumers';
import t from 'tap';
import { ok, refused } from '../../src/result.ts';
import {
  createFolderSheets,
  type FolderSheetsParts,
  type LabelledCode,
} from '../../src/sheets/folder-sheets.ts';
import { resolveSheet } from '../../src/sheets/sheet.ts';
import { planRender, type RenderPlan } from '../../workers/plan.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';
import { textOf } from '../support/pictures/print.ts';

const resolved = resolveSheet({ template: 'avery-l7169' });
if (!resolved.ok) throw new Error(resolved.fault.message);
const sheet = resolved.value;

const setUp = (more: Partial<FolderSheetsParts> = {}) => {
  const state = { paced: 0, spentMs: 0 };
  const folderSheets = createFolderSheets({
    redraw: {
      sketch: ({ content, design }) =>
        content === 'too much'
          ? refused({ field: 'data', message: 'is too much' })
          : ok({ text: content, design, logoSha256: null, format: 'svg' }),
    },
    freeWork: {
      pace: async () => {
        state.paced += 1;
      },
      spend: (_, ms) => {
        state.spentMs += ms;
      },
    },
    findLogo: async () => null,
    ...more,
  } as FolderSheetsParts);
  return { folderSheets, state };
};

const codeOf = (content: string): LabelledCode => ({
  ...{ id: content, name: null, externalId: null, content, slug: null, place: null, grade: 4, warnings: '' },
  ...{ design: DEFAULT_DESIGN, logoSha256: null, redesignedAt: null },
});

async function* codes(...contents: readonly string[]): AsyncGenerator<LabelledCode> {
  for (const [i, content] of contents.entries()) yield { ...codeOf(content), id: `id ${i}` };
}

const source = (accountId: string, ...contents: readonly string[]) => ({
  accountId,
  title: 'Title',
  sheet,
  codes: () => codes(...contents),
});

t.test('each page waits for the allowance of free work and is charged to it', async (t) => {
  const { folderSheets, state } = setUp();
  const document = await folderSheets.open(source('a', '1', '2', '3', '4', '5', '6'));
  t.equal(state.paced, 1, 'looking at the labels');
  const pdf = await text(document.file);
  t.equal(state.paced, 3);
  t.ok(state.spentMs > 0);
  t.match(pdf, /%%EOF\s*$/);
});

t.test('codes that can no longer be drawn are refused by name, unless the caller allows it', async (t) => {
  const { folderSheets } = setUp();
  const contents = ['1', 'too much', '3', 'x'.repeat(4000), '5', '6'];
  await t.rejects(folderSheets.open(source('a', ...contents)), {
    code: 'invalid_body',
    details: /^label: 2 codes cannot be printed: code id 1 \(2\): data: is too much; .*send allow$/,
    faults: [{ field: 'label' }, { field: 'label', message: /^code id 3 \(4\): data: / }],
  });
  const allowed = resolveSheet({ template: 'avery-l7169', copies: 2, allow: ['codes'] });
  if (!allowed.ok) throw new Error(allowed.fault.message);
  const asked = { ...source('a', ...contents), sheet: allowed.value };
  const { file: pdf, lost, missing } = await folderSheets.open(asked);
  t.strictSame([lost, missing], [{ cut: 0, glyphs: 0, codes: 2 }, [2, 4]]);
  const bytes = await buffer(pdf);
  const said = await textOf(bytes);
  for (const index of [2, 4])
    t.equal(said.split(`no code: ${index}`).length, 3, 'each copy says which it is');
  t.match((await textOf(bytes)).match(/no code/g), { length: 4 });

  const all = await buffer((await folderSheets.open({ ...asked, codes: () => codes('too much') })).file);
  t.match(all.toString('latin1'), /\/Count 1\b/, 'a document has a page even when no code can be drawn');
});

t.test('a code that becomes undrawable while the document is made ends it with an error', async (t) => {
  const { folderSheets } = setUp();
  let reads = 0;
  const { file: pdf } = await folderSheets.open({
    ...source('a'),
    codes: () => {
      reads += 1;
      return reads === 1 ? codes('1', '2') : codes('1', 'too much');
    },
  });
  await t.rejects(text(pdf), /the code of label 2 was changed and cannot be drawn/);
});

t.test('a document whose logo no longer exists fails', async (t) => {
  const { folderSheets } = setUp({
    redraw: {
      sketch: ({ content, design }) =>
        ok({
          ...{ text: content, design, logoSha256: 'ab'.repeat(32), format: 'svg' },
          plan: planRender(content, design, null) as RenderPlan,
        }),
    },
  });
  const make = () => folderSheets.open(source('a', 'x'));
  await t.rejects(make(), /the logo of a saved code is gone/);
});

t.test('captions are looked at first, at the pace of free work, and are refused', async (t) => {
  const { folderSheets, state } = setUp();
  const request = { template: 'avery-l7169', label: { caption: '{name} {external_id} {index}' } };
  const asked = (allow: readonly ('cut' | 'glyphs')[], ...names: readonly string[]) => {
    const withCaption = resolveSheet({ ...request, allow: [...allow] }, ['name', 'external_id']);
    if (!withCaption.ok) throw new Error(withCaption.fault.message);
    async function* named(): AsyncGenerator<LabelledCode> {
      for (const [i, name] of names.entries())
        yield { ...codeOf('x'), id: `id${i}`, externalId: 'mine', name };
    }
    return { accountId: 'a', title: 'Title', sheet: withCaption.value, codes: named };
  };
  const names = ['fine', '日本', 'x'.repeat(1900), '\u0639 日'];
  await t.rejects(folderSheets.open(asked([], ...names)), {
    code: 'invalid_body',
    details:
      /^label\.caption: 3 captions cannot be printed: code id1 \(2\): "日本 mine 2" has characters .* U\+65E5 日, U\+672C 本/,
    faults: [
      {},
      { message: /^code id2 \(3\): "x{40}…" does not fit in type of 3\.5 pt$/ },
      { message: /: "\u0639 日 .* printed, U\+65E5 日$/ },
    ],
  });
  t.ok(state.paced > 0);
  await t.rejects(folderSheets.open(asked(['glyphs'], ...names)), {
    code: 'invalid_body',
    faults: [{ message: /code id2/ }],
  });
  const { file: pdf, lost } = await folderSheets.open(asked(['cut', 'glyphs'], ...names));
  t.strictSame(lost, { cut: 1, glyphs: 2, codes: 0 });
  t.match(await text(pdf), /%%EOF\s*$/);
});

t.test('the reported module size is that of the largest symbol', async (t) => {
  const { folderSheets } = setUp();
  const side = sheet.label.code.widthMm;
  t.equal(folderSheets.smallestModuleMm(sheet, [codeOf('a'), codeOf('b'.repeat(30))]), side / (29 + 8));
  t.equal(folderSheets.smallestModuleMm(sheet, [codeOf('too much')]), null);
});
