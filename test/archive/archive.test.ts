/** Archives by themselves, with a fake renderer. */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type ArchivedCode, createArchives, type OpenArchive } from '../../src/archive/archive.ts';
import type { ArchiveFiles } from '../../src/archive/files.ts';
import { type ManifestRow, manifestLines } from '../../src/archive/manifest.ts';
import { createNamer } from '../../src/archive/names.ts';
import { asText } from '../../src/csv/formula.ts';
import type { Redraw, Sketch } from '../../src/generate/redraw.ts';
import { failDrawing, type RenderOutcome, toOutcome } from '../../src/render/outcome.ts';
import { ok, refused } from '../../src/result.ts';
import { planRender, type RenderPlan } from '../../workers/plan.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { readZip } from '../support/files/zip.ts';
import { DEFAULT_DESIGN, holds } from '../support/pictures/designs.ts';
import { silent } from '../support/silent-log.ts';

const PICTURE_BYTES = 40_000;

const drawn = (text: string): RenderOutcome =>
  toOutcome({
    ok: true,
    value: {
      bytes: new Uint8Array(Buffer.alloc(PICTURE_BYTES, text)),
      lane: 'plain',
      grade: 4,
      warnings: '',
      renderMs: 1,
    },
  });

/** A renderer that counts its pictures; `answer` may make it fail. */
const fakeRedraw = (answer: (sketch: Sketch, call: number) => RenderOutcome = ({ text }) => drawn(text)) => {
  const state = { drawn: 0, calls: 0, largest: 0 };
  const redraw: Pick<Redraw, 'sketch' | 'drawAll'> = {
    sketch: ({ content, design }, format) =>
      content === 'too much' || (content === 'no bitmap' && format === 'png')
        ? refused({ field: 'data', message: 'is too much' })
        : ok({
            ...{ text: content, design, logoSha256: null, format: format === 'webp' ? 'png' : format },
            plan: planRender(content, design, null) as RenderPlan,
          }),
    async drawAll(_, sketches) {
      state.calls += 1;
      state.largest = Math.max(state.largest, sketches.length);
      const outcomes = sketches.map((sketch) => answer(sketch, state.calls));
      state.drawn += outcomes.filter((outcome) => outcome.ok).length;
      return outcomes;
    },
  };
  return { redraw: redraw as Redraw, state };
};

const codes = (count: number, contentOf = (index: number) => `code ${index}`) =>
  async function* (): AsyncGenerator<ArchivedCode> {
    for (let index = 0; index < count; index += 1) {
      yield {
        id: `id ${index}`,
        name: null,
        content: contentOf(index),
        slug: null,
        place: null,
        design: DEFAULT_DESIGN,
        logoSha256: null,
        createdAt: new Date('2026-01-02T03:04:06Z'),
        grade: 4,
        warnings: '',
      };
    }
  };

const archivesOver = (redraw: Redraw): OpenArchive =>
  createArchives({
    redraw,
    shortUrl: (slug) => `https://q.example/l/${slug}`,
    webp: { write: async (png) => Buffer.concat([Buffer.from('webp of '), png]) },
    freeWork: { spend: () => {} },
    log: silent,
  });

const PIXELS = { size: null, inks: { color: 'rgb', paper: '#ffffff' } } as const;
const PNG: ArchiveFiles = { formats: ['png'], print: PIXELS };

const read = async (open: OpenArchive, source: ReturnType<typeof codes>, files = PNG) => {
  const chunks: Buffer[] = [];
  for await (const chunk of open({ accountId: 'a', codes: source, files })) chunks.push(chunk as Buffer);
  return readZip(Buffer.concat(chunks));
};

t.test('an archive has a file for each code in order, and the manifest last', async (t) => {
  const { redraw } = fakeRedraw();
  const files = await read(archivesOver(redraw), codes(40));
  t.equal(files.length, 41);
  t.equal(files[0]!.name, '00001-code-0.png');
  t.strictSame(files[39]!.bytes, Buffer.alloc(PICTURE_BYTES, 'code 39'));
  t.ok(
    files.slice(0, -1).every((file) => file.stored && !file.hasDescriptor),
    'PNGs are stored without compression',
  );
  t.same(files[0]!.modified, new Date('2026-01-02T03:04:06Z'));
  t.equal(files[40]!.name, 'manifest.csv');
});

t.test('the archive of an empty folder has a manifest without rows', async (t) => {
  const files = await read(archivesOver(fakeRedraw().redraw), codes(0));
  t.strictSame(
    files.map(({ name, bytes }) => [name, bytes.toString()]),
    [['manifest.csv', 'index,name,content,slug,short_url,file,sha256,grade,warnings,error\r\n']],
  );
});

t.test('an archive draws only as much as its reader needs, and stops with the download', async (t) => {
  const { redraw, state } = fakeRedraw();
  const stream = archivesOver(redraw)({ accountId: 'a', codes: codes(1_000_000), files: PNG });
  const chunks = stream[Symbol.asyncIterator]();
  let takenBytes = 0;
  while (takenBytes < 100 * PICTURE_BYTES) takenBytes += (await chunks.next()).value.length;
  for (let i = 0; i < 50; i += 1) await turn();
  // The pictures that were read, those that the stream has buffered, and the batch in progress.
  t.ok(state.drawn <= takenBytes / PICTURE_BYTES + 2 * 16, `${state.drawn} drawn`);
  t.equal(state.largest, 16);

  stream.destroy();
  await turn();
  const before = state.drawn;
  for (let i = 0; i < 50; i += 1) await turn();
  t.equal(state.drawn, before, 'nothing is drawn after the download was aborted');
});

const busy = failDrawing('queue_full');
const crashed = failDrawing('crashed');

t.test('an archive tries again when the queue is full', async (t) => {
  const { redraw } = fakeRedraw(({ text }, call) => (call === 1 ? busy : drawn(text)));
  t.equal((await read(archivesOver(redraw), codes(3))).length, 4);
});

t.test('pictures are drawn again, one by one, after one of their group crashed the thread', async (t) => {
  const { redraw, state } = fakeRedraw(({ text }, call) => (call === 1 ? crashed : drawn(text)));
  t.equal((await read(archivesOver(redraw), codes(3))).length, 4);
  t.equal(state.calls, 4);
});

const manifestOf = (files: Awaited<ReturnType<typeof read>>): Record<string, string>[] =>
  parse(files.at(-1)!.bytes, { columns: true });

t.test('codes that cannot be drawn are named with the reason in the manifest and in a list', async (t) => {
  const { redraw } = fakeRedraw(({ text }) => (text === 'code 2' ? crashed : drawn(text)));
  const files = await read(
    archivesOver(redraw),
    codes(4, (index) => (index === 1 ? 'too much' : `code ${index}`)),
  );
  const list = '00000-missing-files.csv';
  t.strictSame(fieldsOf(files, 'name'), ['00001-code-0.png', '00004-code-3.png', list, 'manifest.csv']);
  const failed = 'the service failed to draw it twice; download it again';
  t.strictSame(
    manifestOf(files).map(({ index, file, error }) => [index, file, error]),
    [
      ['1', '00001-code-0.png', ''],
      ['2', '', 'data: is too much'],
      ['3', '', failed],
      ['4', '00004-code-3.png', ''],
    ],
  );
  t.strictSame(parse(files.at(-2)!.bytes), [
    ['index', 'file', 'error'],
    ['2', '00002-too-much.png', 'data: is too much'],
    ['3', '00003-code-2.png', failed],
  ]);
});

t.test('with several formats, each has a folder, and the manifest names all files', async (t) => {
  const { redraw, state } = fakeRedraw(({ text, format }) => drawn(`${format} of ${text}`));
  const files = await read(
    archivesOver(redraw),
    codes(20, (index) => (index === 1 ? 'no bitmap' : `code ${index}`)),
    { ...PNG, formats: ['png', 'webp', 'eps'] },
  );
  t.equal(files.length, 20 * 3 - 1 + 2, 'with the list of the missing one');
  t.ok(files.slice(0, -2).every((file) => file.stored && !file.hasDescriptor));
  t.ok(state.largest <= 18, `${state.largest} files at a time`);
  const bytesOf = new Map(files.map(({ name, bytes }) => [name, bytes]));
  t.equal(bytesOf.get('webp/00001-code-0.webp')!.subarray(0, 19).toString(), 'webp of png of code');
  t.equal(bytesOf.get('eps/00001-code-0.eps')!.subarray(0, 13).toString(), 'eps of code 0');
  const [first, second] = manifestOf(files);
  t.match(first, {
    file_png: 'png/00001-code-0.png',
    file_webp: 'webp/00001-code-0.webp',
    sha256_eps: createHash('sha256').update(bytesOf.get('eps/00001-code-0.eps')!).digest('hex'),
  });
  t.match(second, { file_png: '', sha256_png: '', file_eps: 'eps/00002-no-bitmap.eps' });
  t.equal(second!.error, 'png: data: is too much');
});

t.test('files of one format are at the top level; with a print size their grades are listed', async (t) => {
  const graded = (text: string): RenderOutcome => {
    const outcome = drawn(text);
    return outcome.ok ? ok({ ...outcome.value, grade: 2, warnings: 'small-modules;v=0.28' }) : outcome;
  };
  const { redraw } = fakeRedraw(({ text }) => graded(text));
  const print = { ...PIXELS, size: { moduleMm: 0.28 } };
  const files = await read(archivesOver(redraw), codes(1), { formats: ['pdf'], print });
  t.strictSame(fieldsOf(files, 'name'), ['00001-code-0.pdf', 'manifest.csv']);
  const [row] = manifestOf(files);
  t.match(row, { file: '00001-code-0.pdf', grade: '2', warnings: 'small-modules;v=0.28' });
  const [saved] = manifestOf(await read(archivesOver(redraw), codes(1)));
  t.match(saved, { grade: '4', warnings: '' }, 'with a size in pixels it has the grade of the saved code');
});

const failsWith = async (t: Test, open: OpenArchive, source: ReturnType<typeof codes>, message: RegExp) =>
  t.rejects(read(open, source), { message });

t.test('an archive that cannot be finished ends with an error and never looks complete', async (t) => {
  const closed = fakeRedraw(() => failDrawing('closed'));
  await failsWith(t, archivesOver(closed.redraw), codes(3), /closed/);

  let asked = 0;
  const lost = async function* (): AsyncGenerator<ArchivedCode> {
    asked += 1;
    yield* codes(3)();
    if (asked === 2) throw new Error('the database is away');
  };
  await failsWith(t, archivesOver(fakeRedraw().redraw), lost, /database is away/);
  t.equal(asked, 2, 'the failure was in the manifest');
});

t.test('codes that are deleted or made during the download have no row', async (t) => {
  let asked = 0;
  const changing = async function* (): AsyncGenerator<ArchivedCode> {
    asked += 1;
    for await (const code of codes(5)()) {
      if (code.id !== (asked === 1 ? 'id 4' : 'id 1')) yield code;
    }
  };
  const rows = manifestOf(await read(archivesOver(fakeRedraw().redraw), changing));
  t.strictSame(
    rows.map(({ index, content }) => [index, content]),
    [
      ['1', 'code 0'],
      ['3', 'code 2'],
      ['4', 'code 3'],
    ],
  );
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc
    .array(
      fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", '..', '/', '\\', 'CON', 'ü', '\0'),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join('')),
);

t.test('every text in a manifest is read back exactly as `asText` writes it', async (t) => {
  holds(
    t,
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 5 }), (texts) => {
      const rows = texts.map(
        (content, place): ManifestRow => ({
          index: place + 1,
          name: null,
          content,
          slug: null,
          shortUrl: null,
          files: [],
          missing: [],
          grade: 4,
          warnings: '',
        }),
      );
      const fields = parse(manifestLines(['png'], rows), {
        relax_column_count: false,
        skip_empty_lines: false,
      });
      if (fields.length !== texts.length) return false;
      return fields.every(([, , content]: string[], place: number) => content === asText(texts[place]!));
    }),
  );
});

const namesOf = (
  codes: readonly { readonly name?: string; readonly content?: string; readonly slug?: string }[],
) => {
  const nameOf = createNamer();
  return codes.map(({ name = null, content = 'https://example.com/', slug = null }) =>
    nameOf({ name, content, slug }),
  );
};

t.test('file names are safe and unique, whatever codes are called and say', async (t) => {
  const code = fc.record({ name: fc.option(anyText, { nil: undefined }), content: anyText });
  holds(
    t,
    fc.property(fc.array(code, { maxLength: 20 }), (codes) => {
      const names = namesOf(codes as { name?: string; content: string }[]);
      const isSafe = (name: string) =>
        /^[^\p{C}/\\:*?"<>|]+$/u.test(name) &&
        !/^[.=+@-]|^(con|nul)(\.|$)|^ | $/i.test(name) &&
        Buffer.byteLength(name) < 200;
      return names.every(isSafe) && new Set(names.map((name) => name.toLowerCase())).size === names.length;
    }),
  );
});

t.test('a file is named after its code, and one that an earlier code has is numbered', async (t) => {
  t.strictSame(
    namesOf([
      { name: 'Spring poster A2' },
      { content: 'https://example.com/Menü?a=1' },
      { name: 'spring POSTER a2' },
      { slug: '4fGk2LmQ' },
      { name: '世界' },
      { content: '世界' },
      { name: 'Poster: "Hafen" 2/3' },
      { name: 'con' },
      { name: '00009-example-com' },
      {},
      { name: '=1+1' },
      { name: 'é'.repeat(100) },
    ]),
    [
      'Spring poster A2',
      '00002-example-com-Menu-a-1',
      'spring POSTER a2 (3)',
      '00004-4fGk2LmQ',
      '世界',
      '00006',
      'Poster_ _Hafen_ 2_3',
      'con_',
      '00009-example-com',
      '00010-example-com',
      '_=1+1',
      'é'.repeat(32),
    ],
  );
  t.strictSame(namesOf([{ name: '00002-example-com' }, {}]), ['00002-example-com', '00002-example-com (2)']);
});

t.test('the names of files in an archive are read as they are written', async (t) => {
  const named = async function* () {
    for await (const code of codes(3)()) yield { ...code, name: 'Plakat für 世界' };
  };
  const files = await read(archivesOver(fakeRedraw().redraw), named);
  t.strictSame(fieldsOf(files, 'name'), [
    'Plakat für 世界.png',
    'Plakat für 世界 (2).png',
    'Plakat für 世界 (3).png',
    'manifest.csv',
  ]);
  const rows = parse(files[3]!.bytes, { columns: true }) as Record<string, string>[];
  t.strictSame(fieldsOf(rows as unknown as { file: string }[], 'file'), [
    'Plakat für 世界.png',
    'Plakat für 世界 (2).png',
    'Plakat für 世界 (3).png',
  ]);
});
