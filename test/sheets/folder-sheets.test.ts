/** Documents of folders: how many at a time, at which pace, and what happens to codes that cannot be drawn. */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ok, refused } from '../../src/result.ts';
import {
  createFolderSheets,
  type FolderSheetsParts,
  type LabelledCode,
} from '../../src/sheets/folder-sheets.ts';
import { resolveSheet } from '../../src/sheets/sheet.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

const resolved = resolveSheet({ template: 'avery-l7169' });
if (!resolved.ok) throw new Error(resolved.fault.message);
const sheet = resolved.value;

const setUp = (more: Partial<FolderSheetsParts> = {}) => {
  const state = { paced: 0, spentMs: 0, warned: [] as unknown[] };
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
    log: { warn: (fields: object) => void state.warned.push(fields) },
    ...more,
  } as FolderSheetsParts);
  return { folderSheets, state };
};

async function* codes(...contents: readonly string[]): AsyncGenerator<LabelledCode> {
  for (const [i, content] of contents.entries())
    yield { id: `id ${i}`, content, slug: null, design: DEFAULT_DESIGN, logoSha256: null };
}

const source = (accountId: string, ...contents: readonly string[]) => ({
  accountId,
  title: 'Title',
  sheet,
  codes: codes(...contents),
});

t.test('an account can make one document at a time, and a gateway four', async (t) => {
  const { folderSheets } = setUp();
  const first = folderSheets.open(source('a', 'x'));
  t.throws(() => folderSheets.open(source('a', 'x')), { code: 'overloaded', retryAfterS: 10 });
  const others = ['b', 'c', 'd'].map((accountId) => folderSheets.open(source(accountId, 'x')));
  t.throws(() => folderSheets.open(source('e', 'x')), { code: 'overloaded' });
  t.match(await text(first), /^%PDF-1\.4[\s\S]*%%EOF\s*$/);
  others[0]!.destroy();
  await sleep(10);
  for (const accountId of ['a', 'b']) await text(folderSheets.open(source(accountId, 'x')));
  await Promise.all(others.slice(1).map((stream) => text(stream)));
});

t.test('each page waits for the allowance of free work and is charged to it', async (t) => {
  const { folderSheets, state } = setUp();
  const pdf = await text(folderSheets.open(source('a', '1', 'too much', '3', '4', '5', '6')));
  t.equal(state.paced, 2);
  t.ok(state.spentMs > 0);
  t.match(pdf, /%%EOF\s*$/);
  t.strictSame(state.warned, [{ code: 'id 1' }], 'a code that cannot be drawn leaves its label empty');
});

t.test('a document has a page even when no code can be drawn', async (t) => {
  const { folderSheets } = setUp();
  const all = await text(folderSheets.open(source('a', 'too much')));
  t.match(all, /\/Count 1\b/);
});

t.test('a document whose logo no longer exists fails', async (t) => {
  const { folderSheets } = setUp({
    redraw: {
      sketch: ({ content, design }) =>
        ok({ text: content, design, logoSha256: 'ab'.repeat(32), format: 'svg' }),
    },
  });
  await t.rejects(text(folderSheets.open(source('a', 'x'))), /the logo of a saved code is gone/);
  await t.rejects(text(folderSheets.open(source('a', 'x'))), /gone/, 'its place is freed');
});

t.test('the reported module size is that of the largest symbol', async (t) => {
  const { folderSheets } = setUp();
  const code = (content: string): LabelledCode => ({
    id: content,
    content,
    slug: null,
    design: DEFAULT_DESIGN,
    logoSha256: null,
  });
  const side = sheet.label.code.widthMm;
  t.equal(folderSheets.smallestModuleMm(sheet, [code('a'), code('b'.repeat(30))]), side / (29 + 8));
  t.equal(folderSheets.smallestModuleMm(sheet, [code('too much')]), null);
});
