/** `tessera bulk` and `tessera batches` against a gateway, with failures at every step in between. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { assemblePart, createFragment, manifestCrc } from '../../src/zip/fragments.ts';
import { serve } from '../servers/listen.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { readZip } from '../support/files/zip.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { bulkOf, listen, readManifest, run, startProcess } from './support.ts';

const store = await temporaryFolder(t);
const { call, admin, account, port, url: gatewayUrl } = await listen(t, { BATCH_STORE: store });

/** What the proxy does to an answer. `hang`: it is never sent. `half`: half of the body is sent, then nothing. */
type Deed = 'pass' | 'hang' | 'half' | 'corrupt' | 'lose';

interface Seen {
  readonly what: string;
  readonly offset: string | undefined;
  readonly range: string | undefined;
  readonly key: string | undefined;
}

/** A proxy in front of the gateway that breaks what a test selects. */
const startProxy = async (scope: TestScope) => {
  const seen: Seen[] = [];
  let decide: (what: string) => Deed = () => 'pass';
  const url = await serve(scope, (request, response) => {
    const what = `${request.method} ${request.url!.replace(/[0-9a-f-]{36}/g, ':id').split('?', 1)[0]}`;
    const { headers } = request;
    seen.push({
      what,
      offset: headers['upload-offset'] as string | undefined,
      range: headers.range,
      key: headers['idempotency-key'] as string | undefined,
    });
    const deed = decide(what);
    if (deed === 'hang') return;
    const options = { host: '127.0.0.1', port, method: request.method, path: request.url, headers };
    const onward = ask(options, async (answer) => {
      const body = await buffer(answer);
      if (deed === 'lose') return response.destroy();
      if (deed === 'corrupt') body[Math.floor(body.length / 2)]! ^= 1;
      response.writeHead(answer.statusCode!, answer.headers);
      if (deed === 'half') return response.write(body.subarray(0, Math.floor(body.length / 2)));
      return response.end(body);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return {
    url,
    seen,
    /** From now on, does this to the `nth` request of a kind, or to each of them, and forwards all others. */
    breakAt(kind: string, deed: Deed, nth?: number): void {
      let count = 0;
      decide = (what) => {
        if (what !== kind) return 'pass';
        count += 1;
        return nth === undefined || count === nth ? deed : 'pass';
      };
    },
    countOf: (kind: string): number => seen.filter(({ what }) => what === kind).length,
  };
};

/** Creates an account with this many units, and the command that sends an input. */
const begin = async (
  t: TestScope,
  monthlyQuota: number,
  input: string | Buffer,
  { name, url = gatewayUrl }: { name?: string; url?: string } = {},
) => {
  const { key, id } = await account({ monthlyQuota });
  const env = { TESSERA_URL: url, TESSERA_KEY: key };
  return { key, id, env, ...(await bulkOf(t, env, input, name)) };
};

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name !== '.tessera').sort();

/** Expects exactly the files of the manifest, each with its SHA-256. */
const expectFiles = async (t: Test, out: string, contents: readonly string[]): Promise<void> => {
  const manifest = await readManifest(out);
  t.strictSame(
    manifest.map(({ row, content, error }) => [row, content, error]),
    contents.map((content, index) => [String(index + 1), content, '']),
  );
  t.strictSame(
    (await filesIn(out)).filter((name) => name !== 'manifest.csv'),
    manifest.map(({ file }) => file!).sort(),
  );
  for (const { file, sha256 } of manifest) {
    const bytes = await readFile(join(out, file!));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) t.fail(`${file} is damaged`);
  }
};

const ROWS = 1100;
const HEAD_AND_APPEND = 'PATCH /api/v1/batch-uploads/:id';
const PART = 'GET /api/v1/batches/:id/parts/1';

t.test('a run interrupted at every stage ends with the right files, each made once', async (t) => {
  const proxy = await startProxy(t);
  const contents = Array.from({ length: ROWS }, (_, index) => `CODE ${index + 1}`);
  // Spaces make the file longer than two chunks without making the codes larger.
  const lines = contents.map(
    (data, index) => `{"data":"${data}","file":"item ${index % 100}"${' '.repeat(9000)}}\n`,
  );
  const options = { name: 'codes.ndjson', url: proxy.url };
  const { key, env, file, out, read } = await begin(t, ROWS, lines.join(''), options);
  const args = ['bulk', file, '--out', out, '--folder', 'Far away'];
  const signalWhen = async (signal: NodeJS.Signals, isTime: () => boolean | Promise<boolean>) => {
    const { child, ended, err } = startProcess(t, args, env);
    await until(async () => child.exitCode !== null || (await isTime()));
    child.kill(signal);
    return { end: await ended, err: err() };
  };

  proxy.breakAt(HEAD_AND_APPEND, 'hang', 2);
  const first = await signalWhen('SIGKILL', () => proxy.countOf(HEAD_AND_APPEND) === 2);
  t.equal(first.end, 'SIGKILL', first.err);

  const before = proxy.seen.length;
  proxy.breakAt(HEAD_AND_APPEND, 'lose', 2);
  const second = await signalWhen('SIGINT', () => proxy.countOf('GET /api/v1/batches/:id') > 0);
  t.match(second, { end: 1, err: /interrupted(.|\n)*run the same command again to continue/ });
  const offsets = proxy.seen
    .slice(before)
    .flatMap(({ offset = [] }) => offset)
    .map(Number);
  t.ok(Math.min(...offsets) >= 4 * 1024 * 1024, `chunks that were stored are not sent again: ${offsets}`);

  proxy.breakAt(PART, 'half', 1);
  const isDownloading = async () => (await read('.tessera/parts/1.zip').catch(() => '')).length > 0;
  const third = await signalWhen('SIGKILL', isDownloading);
  t.equal(third.end, 'SIGKILL', third.err);

  proxy.breakAt(PART, 'pass');
  const last = await run(args, env);
  t.equal(last.code, 0, last.err);
  const ranges = proxy.seen.filter(({ what }) => what === PART).map(({ range }) => range);
  t.equal(ranges.length, 2);
  t.match(ranges[1], /^bytes=[1-9]\d*-$/, 'only the rest of the part is requested');
  await expectFiles(t, out, contents);
  t.strictSame(await readdir(join(out, '.tessera/parts')), ['1.rows.json']);
  const names = (await readManifest(out)).map(({ file: name }) => name);
  t.strictSame([names[0], names[100]], ['item 0.png', 'item 0~101.png'], 'names of the rows, made unique');
  t.equal(await decodePng(await read('item 5.png')), 'CODE 6');

  t.equal((await call({ url: '/api/v1/batches', key })).json.data.length, 1);
  t.equal((await call({ url: '/api/v1/usage', key })).json.remaining, 0);
  t.equal(new Set(proxy.seen.flatMap(({ key: sent }) => sent ?? [])).size, 1, 'a single Idempotency-Key');

  const seen = proxy.seen.length;
  t.equal((await run(args, env)).code, 0, 'run again, it is already done');
  t.notOk(proxy.seen.slice(seen).some(({ what }) => what === PART));

  const savedAt = async () => (await stat(join(out, 'item 5.png'))).mtimeMs;
  const before5 = await savedAt();
  await rm(join(out, '.tessera/parts/1.rows.json'));
  await rm(join(out, 'item 6.png'));
  t.equal((await run(args, env)).code, 0, 'as if it was killed before the end of the part');
  t.equal(await savedAt(), before5, 'saved files are not written again');
  await expectFiles(t, out, contents);
});

t.test('a damaged part is fetched again, and given up if it is damaged every time', async (t) => {
  const proxy = await startProxy(t);
  const input = 'data,dynamic,id\nhttps://example.com/1,true,A-1\ntwo,,\n';
  const { key, env, folder, out, go, read } = await begin(t, 100, input, { url: proxy.url });
  proxy.breakAt(PART, 'corrupt', 1);
  const { code, err } = await go('--format', 'png,svg');
  t.equal(code, 0, err);
  t.equal(proxy.countOf(PART), 2);
  proxy.breakAt(PART, 'corrupt');
  const other = join(folder, 'other');
  const damaged = await go('--out', other);
  t.match(damaged, { code: 1, err: /part 1 does not have the SHA-256 that the gateway says/ });
  t.equal(proxy.countOf(PART), 5);
  t.strictSame(await filesIn(other), ['manifest.csv'], 'none of its files is saved');
  const [first, second] = await readManifest(out);
  t.match(first, {
    ...{
      row: '1',
      external_id: 'A-1',
      content: 'https://example.com/1',
      file_png: 'png/000001.png',
      error: '',
    },
    short_url: /^http:\/\/qr\.test\/l\/\w{8}$/,
  });
  t.match(second, { row: '2', external_id: '', content: 'two', slug: '', file_svg: 'svg/000002.svg' });
  t.strictSame(await filesIn(join(out, 'svg')), ['000001.svg', '000002.svg']);
  t.equal(await decodePng(await read('png/000001.png')), first!.short_url);

  const { data } = (await call({ url: '/api/v1/batches', key })).json;
  const id = data.at(-1)!.id;
  const again = join(folder, 'again');
  const downloaded = await run(['batches', 'download', id, '--out', again], {
    ...env,
    TESSERA_URL: gatewayUrl,
  });
  t.equal(downloaded.code, 0, downloaded.err);
  t.match(await readManifest(again), [
    { file_png: /^png\/0000001-\w{8}\.png$/, external_id: 'A-1' },
    { content: 'two' },
  ]);

  const direct = { ...env, TESSERA_URL: gatewayUrl };
  const zip = join(folder, 'reprint.zip');
  for (const which of [
    ['--rows', '1-2'],
    ['--rows', '2,1'],
  ]) {
    const reprinted = await run(['batches', 'reprint', id, ...which, '--out', zip], direct);
    t.equal(reprinted.code, 0, reprinted.err);
    const names = (await readZip(await readFile(zip))).map(({ name }) => name);
    t.strictSame(names.length, 5, 'two formats of two rows, and their manifest');
  }
  t.match(await run(['batches', 'reprint', id], direct), { code: 2, err: /either --rows or --external-id/ });
  t.match(await run(['batches', 'reprint', id, '--rows', '1-3', '--out', zip], direct), {
    code: 1,
    err: /to: must be at most 2/,
  });

  const listed = JSON.parse((await run(['batches', 'list', '--json'], env)).out);
  t.match(listed.at(-1), { id, state: 'done', made: 2 });
  t.match((await run(['batches', 'list'], env)).out, id);
  t.match((await run(['batches', 'show', id], env)).out, /state +done/);
  t.match(await run(['batches', 'show', crypto.randomUUID()], env), { code: 1, err: /no such batch/ });
});

t.test('if rows have errors, nothing is made or charged, and the errors are written to a file', async (t) => {
  const { key, out, go, read } = await begin(t, 100, 'data,width\ngood,100\nbad,1\nworse,wide\n');
  const { code, err } = await go();
  t.equal(code, 1);
  t.match(err, /row 3 of the file: width: .*\n.*row 4 of the file: width: must be a number/);
  t.match(err, 'begin a new run with a new --out folder');
  const lines = (await read('errors.ndjson')).toString().trim().split('\n');
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ row: 2, field: 'width' }, { row: 3 }],
  );
  t.match(await readManifest(out), [{ row: '2' }, { row: '3' }]);
  t.equal((await call({ url: '/api/v1/usage', key })).json.remaining, 100);
});

t.test('with too few units the batch is refused, and continues once there are more', async (t) => {
  const { id, go } = await begin(t, 1, 'data\na\nb\n');
  const refused = /Quota exhausted: .*1 are missing[\s\S]*run the same command again/;
  t.match(await go(), { code: 1, err: refused });
  t.equal((await admin('POST', `/accounts/${id}/credits`, { amount: 5 })).status, 201);
  t.match(await go(), { code: 0 });
});

t.test('a wrong key, plan or option is refused with what to do instead', async (t) => {
  const { key, folder, file, go } = await begin(t, 10, 'data\na\n');
  let runs = 0;
  const anew = (...more: readonly string[]) => {
    runs += 1;
    return go('--out', join(folder, String(runs)), ...more);
  };
  const widthOfLast = async () => (await readFile(join(folder, String(runs), '000001.png'))).readUInt32BE(16);
  const free = await account({ plan: 'free' });
  const manager = await account({ scopes: ['manage'] });
  for (const [other, told] of [
    ['tsr_wrong', /the gateway does not know this key; give --key or TESSERA_KEY/],
    [free.key, /Pro plan required/],
    [manager.key, /API key lacks a scope.*generate/],
  ] as const)
    t.match(await anew('--key', other), { code: 1, err: told });
  await writeFile(file, 'data,slug,print.dpi,id,shelf\na,,,,x\n');
  const unknown = /codes\.csv: row 1 of the file: the header row has a column "shelf" that/;
  t.match(await anew(), { code: 1, out: '', err: unknown });
  t.match(await anew('--other-columns', 'skip'), { code: 0 });
  await writeFile(file, 'data\na\n');
  t.match(await anew('--min-grade', '5'), { code: 2, err: /--min-grade must be 0 to 4/ });

  const body = { name: 'Küche', options: { width: 130, height: 130, dotsOptions: { color: '#ddd' } } };
  await call({ method: 'POST', url: '/api/v1/presets', key, body });
  t.match(await anew('--preset', 'Küche', '--min-grade', '0'), { code: 0 });
  t.equal(await widthOfLast(), 130);
  t.match(await anew('--preset', 'Küche', '--min-grade', '4'), {
    code: 1,
    out: /, and --min-grade asks for 4/,
  });
  t.match(await anew('--preset', 'none'), { code: 1, err: /--preset: must be/ });

  const design = join(folder, 'design.json');
  await writeFile(design, '{"width":120,"height":120}');
  t.match(await anew('--design', design), { code: 0 });
  t.equal(await widthOfLast(), 120);
  await writeFile(design, '{"width":');
  t.match(await anew('--design', design), { code: 2, err: /is not JSON/ });
});

t.test('a table, a spreadsheet and NDJSON with the same rows give the same files', async (t) => {
  const { env, folder } = await begin(t, 100, '');
  const rows = [
    ['Printed text', 'FileName', 'Title', 'dotsOptions.type', 'Note'],
    ['Table 1', 'table', '', 'rounded', 'x'],
    ['Table 2', '', 'second'],
    ['Table 3', 'last', 'third'],
  ];
  const csv =
    'data,file,name,dotsOptions.type\nTable 1,table,,rounded\nTable 2,,second,\nTable 3,last,third,\n';
  const ndjson =
    '{"data":"Table 1","file":"table","dotsOptions":{"type":"rounded"}}\n{"data":"Table 2","name":"second"}\n{"data":"Table 3","file":"last","name":"third"}\n';
  const design = join(folder, 'design.json');
  await writeFile(design, '{"print":{"width_mm":30,"paper":"ivory","bleed_mm":1}}');
  const terms = ['--format', 'pdf,svg,eps,png', '--module-mm', '0.508', '--dpi', '600', '--color', 'cmyk'];
  const found: [string, string][][][] = [];
  for (const [name, text, options] of [
    ['codes.csv', csv, []],
    ['codes.ndjson', ndjson, []],
    ['codes.xlsx', xlsxOf(rows), ['--column', 'data=printed text', '--other-columns', 'skip']],
  ] as const) {
    const { out, go, read } = await bulkOf(t, env, text, name);
    const { code, err } = await go(...terms, ...options, '--quiet-zone', '6', '--design', design);
    t.equal(code, 0, err);
    const manifest = await readManifest(out);
    found.push(
      manifest.map((row) =>
        Object.entries(row).filter(([column]) =>
          /^(content|file_(pdf|svg|eps|png)|sha256|grade)/.test(column),
        ),
      ),
    );
    t.strictSame(await filesIn(join(out, 'pdf')), ['second.pdf', 'table.pdf', 'third.pdf']);
    t.match((await read('svg/table.svg')).toString(), /width="[\d.]+mm"/);
  }
  t.equal(found[0]!.length, 3);
  t.strictSame(found.slice(1), [found[0], found[0]]);
});

t.test('if the batch is cancelled elsewhere, finished codes are saved and the reason is shown', async (t) => {
  // More than are made while a busy machine starts the command that cancels them.
  const count = 15_000;
  const rows = Array.from({ length: count }, (_, index) => `row ${index},800,800`);
  const { key, env, out, go } = await begin(t, count, `data,width,height\n${rows.join('\n')}\n`);
  const running = go();
  const findBatch = async () => {
    const { data } = (await call({ url: '/api/v1/batches', key })).json;
    return data[0] as unknown as { id: string; made: number } | undefined;
  };
  await until(async () => ((await findBatch())?.made ?? 0) > 0);
  const cancelled = await run(['batches', 'cancel', (await findBatch())!.id], env);
  t.match(cancelled, { code: 0, out: /state +(finishing|cancelled)/ });
  t.match(await running, { code: 1, err: /the batch ended as cancelled: It was cancelled/ });
  const { made } = (await findBatch())!;
  t.ok(made > 0 && made < count, `${made} were made`);
  t.equal((await readManifest(out)).length, made);
  t.equal((await filesIn(out)).filter((name) => name.endsWith('.png')).length, made);
});

/** The parts of a batch of 50,003 rows, three of which were made. */
const twoParts = async () => {
  const partOfRows = async (n: number, rows: readonly number[]) => {
    const png = (row: number): Buffer => Buffer.from(`picture ${row}`);
    const lines = rows.map((row) => {
      const sha256 = createHash('sha256').update(png(row)).digest('hex');
      return `${row},,row ${row},,,${row}.png,${sha256},4,\r\n`;
    });
    const files = rows.map((row) => ({ name: `${row}.png`, bytes: png(row) }));
    const { bytes, ...shape } = createFragment(files, Buffer.from(lines.join('')), new Date('2026-01-01'));
    const readStore = {
      async *read(_key: string, { start, end }: { start: number; end: number }) {
        yield bytes.subarray(start, end);
      },
    };
    const header = Buffer.from('row,external_id,content,slug,short_url,file,sha256,grade,warnings\r\n');
    const fragments = [{ ...shape, key: 'x' }];
    const crc = await manifestCrc(readStore, fragments, header);
    const manifest = { name: 'manifest.csv', header, crc };
    const zip = assemblePart(readStore, fragments, manifest, new Date('2026-01-01'));
    const whole = await buffer(zip.read({ start: 0, end: zip.bytes }));
    const sha256 = createHash('sha256').update(whole).digest('hex');
    return { whole, listed: { n, codes: rows.length, bytes: whole.length, sha256 } };
  };
  return [await partOfRows(1, [2, 50_000]), await partOfRows(2, [50_002])] as const;
};

t.test('parts are saved while the batch is running, and failed rows are listed with errors', async (t) => {
  const [first, second] = await twoParts();
  const id = crypto.randomUUID();
  const asked: string[] = [];
  let isDone = false;
  const batch = {
    id,
    formats: ['png'],
    rows: 50_003,
    errors: 0,
    made: 3,
    failed: 50_000,
    reason: null,
    duplicates: 0,
  };
  const url = await serve(t, (request, response) => {
    const path = request.url!.replace(`/api/v1/batches/${id}`, '');
    asked.push(path);
    isDone ||= path === '/parts/1';
    const state = isDone ? 'done' : 'running';
    const finished_at = isDone ? new Date().toISOString() : null;
    const answers: Readonly<Record<string, string | Buffer>> = {
      '/parts/1': first.whole,
      '/parts/2': second.whole,
      '/errors': '{"row":1,"external_id":"A","field":"image","message":"is away"}\n',
      '/parts': JSON.stringify({ data: isDone ? [first.listed, second.listed] : [first.listed] }),
      '': JSON.stringify({ ...batch, state, finished_at, position: null, remaining_s: 60 }),
    };
    const isJson = path === '' || path === '/parts';
    response.setHeader('content-type', isJson ? 'application/json' : 'application/octet-stream');
    response.end(answers[path]);
  });
  const out = join(await temporaryFolder(t), 'out');
  const env = { TESSERA_URL: url, TESSERA_KEY: 'k' };
  const { code, err } = await run(['batches', 'download', id, '--out', out], env);
  t.equal(code, 1);
  t.match(err, '50,000 rows failed');
  t.match(err, 'running, 3 of 50,003 rows made, 1 min 0 s left');
  t.ok(asked.indexOf('/parts/1') < asked.lastIndexOf(''), 'part 1 was requested before the batch had ended');
  t.strictSame(
    (await filesIn(out)).filter((name) => name.endsWith('.png')),
    ['2.png', '50000.png', '50002.png'],
  );
  const manifest = await readManifest(out);
  t.equal(manifest.length, 50_003);
  t.match(manifest[0], { row: '1', error: 'image: is away' });
  t.match(manifest[1], { row: '2', content: 'row 2', file: '2.png', error: '' });
  t.match(manifest[2], { error: /keeps the errors of some 10,000 rows/ });
  t.equal((await readFile(join(out, 'errors.ndjson'), 'utf8')).split('\n').length, 2);
});

t.test('a design with a template reads its columns, and a counter numbers the rows', async (t) => {
  const input = 'sku,EAN\nA 1,9521321000018\nB,9521321000018\n';
  const { key, folder, out, go } = await begin(t, 100, input);
  await call({ method: 'PUT', url: '/api/v1/counters/serial', key, body: { next: 7 } });
  const design = join(folder, 'design.json');
  await writeFile(design, '{"template":"https://example.com/{sku}/{gtin}/{serial:04}"}');
  const made = await go('--design', design);
  t.equal(made.code, 0, made.err);
  await expectFiles(t, out, [
    'https://example.com/A%201/09521321000018/0007',
    'https://example.com/B/09521321000018/0008',
  ]);
  await writeFile(design, '{"template":"{colour}"}');
  t.match(await go('--design', design, '--out', join(folder, 'other')), {
    code: 1,
    err: /a column "sku" that is not a field/,
  });
});

t.test('a run records the grade of each picture, and fails rows below the minimum for free', async (t) => {
  const input = 'data,width,height,cornersDotOptions.type\ngood,,,\nsmall,60,60,\ndiscs,,,dots\n';
  const { key, folder, go } = await begin(t, 1000, input);
  const make = (out: string, ...options: string[]) => go('--out', join(folder, out), ...options);
  const gradesIn = async (out: string) =>
    (await readManifest(join(folder, out))).map(
      ({ content, grade, error }) => `${content} ${grade} ${error?.split(':')[0]}`,
    );
  const used = async () => (await call({ url: '/api/v1/usage', key })).json.usage_count;

  const all = await make('all', '--json');
  t.match(JSON.parse(all.out), { made: 3, failed: 0, lowest_grade: 0, below_grade_4: 2 });
  t.strictSame(await gradesIn('all'), ['good 4 ', 'small 2 ', 'discs 0 ']);
  t.match((await make('all')).out, '2 have a grade below 4, the lowest 0; see the column grade');
  t.equal(await used(), 3);

  const good = await make('good', '--min-grade', '3', '--json');
  t.match(JSON.parse(good.out), { made: 1, failed: 2, lowest_grade: 4, below_grade_4: 0 });
  t.strictSame(await gradesIn('good'), ['good 4 ', 'small  width', 'discs  cornersDotOptions.type']);
  t.match(good.out, /, and --min-grade asks for 3 /);
  t.equal(await used(), 4);
  t.match((await make('good', '--min-grade', '2')).err, 'was begun with --min-grade 3');

  const repaired = await make('repaired', '--repair');
  t.match(repaired.err, '1 row failed');
  t.strictSame(await gradesIn('repaired'), ['good 4 ', 'small  width', 'discs 4 ']);
});

t.test('a run completes under a low rate limit, in few words about a gateway that is away', async (t) => {
  const slow = await listen(t, { RATE_LIMIT_PER_SECOND: '2', BATCH_STORE: await temporaryFolder(t) });
  const { key } = await slow.account({ monthlyQuota: 10 });
  let asked = 0;
  const url = await serve(t, (request, response) => {
    asked += 1;
    if (asked < 4) return void request.socket.destroy();
    const { method, url: path, headers } = request;
    const onward = ask({ host: '127.0.0.1', port: slow.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  const { go } = await bulkOf(t, { TESSERA_URL: url, TESSERA_KEY: key }, 'data\na\nb\n');
  const { code, out, err } = await go();
  t.equal(code, 0, err);
  t.match(out, '2 of 2 codes made');
  const told = `${url} cannot be reached (UND_ERR_SOCKET); trying again for up to 5 minutes\n`;
  t.equal(err.split(told).length - 1, 1, 'once for an outage');
});

t.test('a folder continues its own run alone, and another one only when nothing was made', async (t) => {
  const { key, env, file, out, go } = await begin(t, 100, 'data\na\nb\n');
  t.match(await go('--key', 'tsr_wrong_key', '--folder', 'X'), { code: 1, err: /does not know this key/ });
  await writeFile(join(out, 'errors.ndjson'), 'old');
  const first = await go('--folder', 'A');
  t.equal(first.code, 0, first.err);
  t.notOk((await filesIn(out)).includes('errors.ndjson'));
  for (const [options, told] of [
    [['--folder', 'B'], /was begun with --folder "A"/],
    [['--folder', 'A', '--url', 'http://localhost:1'], /was begun with --url http:\/\/127/],
    [['--repair'], /was begun without --repair/],
    [['--format', 'svg'], /was begun with --format png; give a new --out folder/],
  ] as const)
    t.match(await go(...options), { code: 1, err: told });
  await writeFile(file, 'data\na\nc\n');
  t.match(await go(), { code: 1, err: /codes\.csv has changed since the run in .* began with it/ });
  const filled = await temporaryFolder(t);
  await writeFile(join(filled, 'holiday.jpg'), '');
  t.match(await go('--out', filled), { code: 1, err: /is not empty and has no earlier run/ });
  t.strictSame((await readdir(filled)).sort(), ['.tessera', 'holiday.jpg']);
  const [{ id }] = (await call({ url: '/api/v1/batches', key })).json.data as unknown as [{ id: string }];
  const downloaded = await run(['batches', 'download', id, '--out', out], env);
  t.match(downloaded, { code: 1, err: /was begun without a batch id; give a new --out folder/ });
});

t.test('two processes cannot work on the same run', async (t) => {
  let second: Promise<{ code: number; err: string }> | undefined;
  const { key } = await account({});
  const env = { TESSERA_KEY: key };
  const { go } = await bulkOf(t, env, 'data\na\n');
  const url = await serve(t, async (_, response) => {
    second ??= go('--url', url);
    await second;
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end('{"error":"Pro plan required","details":"Upgrade."}');
  });
  t.match(await go('--url', url), { code: 1, err: /Pro plan required: Upgrade\./ });
  t.match(await second, { code: 1, err: /is in use by process/ });
});

t.test('rows that repeat an earlier one are refused, or reported', async (t) => {
  const gs1 = (serial: string) => `(01)09521321000018(21)${serial},element-string,1`;
  const lines = ['data,qrOptions.gs1,id', gs1('A1'), gs1('A7'), gs1('A7'), 'x,,', 'x,,'];
  const { folder, go } = await begin(t, 100, lines.join('\n'));
  const make = (out: string, ...options: string[]) => go('--out', join(folder, out), ...options);
  t.match(await make('refused'), { code: 1, err: /row 4 of the file: data: / });
  t.match(await make('unique', '--unique', 'external_id'), {
    code: 1,
    err: /row 3 of the file: external_id: /,
  });
  const { code, out } = await make('reported', '--duplicates', 'report', '--json');
  t.equal(code, 0);
  t.match(JSON.parse(out), {
    ...{ made: 5, duplicates: 2 },
    duplicate_rows: [
      { row: 3, file_row: 4, first_row: 2, first_file_row: 3, kind: 'gs1-key' },
      { row: 5, file_row: 6, first_row: 4, first_file_row: 5, kind: 'content' },
    ],
  });
});
