/** `tessera bulk --remote` and `tessera batches` against a gateway, with whatever may break in between. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import t, { type Test } from 'tap';
import { createFragment } from '../../src/zip/fragment.ts';
import { assemblePart, manifestCrc } from '../../src/zip/part.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { startApp } from '../support/app/app.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { run } from './support.ts';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

const store = await temporaryFolder(t);
const { app, call, account } = await startApp(t, { BATCH_STORE: store });
await app.gateway.listen({ host: '127.0.0.1', port: 0 });
const { port: gatewayPort } = app.gateway.server.address() as AddressInfo;
const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;

/** What the proxy does with an answer. `hang`: the request is never answered. `half`: half of the body is sent, then nothing. */
type Deed = 'pass' | 'hang' | 'half' | 'corrupt' | 'lose';

interface Seen {
  readonly what: string;
  readonly offset: string | undefined;
  readonly range: string | undefined;
  readonly key: string | undefined;
}

/** A proxy before the gateway that breaks what it is told to break. */
const startProxy = async (scope: TestScope) => {
  const seen: Seen[] = [];
  let decide: (what: string) => Deed = () => 'pass';
  const forward = (request: IncomingMessage, response: ServerResponse): void => {
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
    const options = { port: gatewayPort, method: request.method, path: request.url, headers };
    const onward = ask({ host: '127.0.0.1', ...options }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (deed === 'lose') return response.destroy();
      if (deed === 'corrupt') body[Math.floor(body.length / 2)]! ^= 1;
      response.writeHead(answer.statusCode!, answer.headers);
      if (deed === 'half') return response.write(body.subarray(0, Math.floor(body.length / 2)));
      return response.end(body);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Does this to the `nth` request of a kind, from now on, and passes all others. */
    breakAt(kind: string, nth: number, deed: Deed): void {
      let count = 0;
      decide = (what) => {
        if (what !== kind) return 'pass';
        count += 1;
        return count === nth ? deed : 'pass';
      };
    },
    breakAlways(kind: string, deed: Deed): void {
      decide = (what) => (what === kind ? deed : 'pass');
    },
    pass(): void {
      decide = () => 'pass';
    },
    countOf: (kind: string): number => seen.filter(({ what }) => what === kind).length,
  };
};

/** Runs the built command line as a process; `when` decides when it is sent a signal. */
const runProcess = async (
  scope: TestScope,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stop?: { readonly signal: NodeJS.Signals; readonly when: () => boolean },
) => {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  scope.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  if (stop !== undefined) {
    await until(() => stop.when() || child.exitCode !== null);
    child.kill(stop.signal);
  }
  const [code, signal] = await ended;
  return { end: (code ?? signal) as number | string, err };
};

const manifestOf = async (out: string): Promise<Record<string, string>[]> =>
  parse(await readFile(join(out, 'manifest.csv')), { columns: true });

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name !== '.tessera').sort();

/** Exactly the files of the manifest, each with its SHA-256. */
const expectFiles = async (t: Test, out: string, contents: readonly string[]): Promise<void> => {
  const manifest = await manifestOf(out);
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

/** Spaces make the file longer than two chunks, and the codes stay small. */
const longFile = async (folder: string): Promise<{ file: string; contents: string[] }> => {
  const file = join(folder, 'codes.ndjson');
  const contents = Array.from({ length: ROWS }, (_, index) => `CODE ${index + 1}`);
  const lines = contents.map(
    (data, index) => `{"data":"${data}","file":"item ${index % 100}"${' '.repeat(9000)}}\n`,
  );
  await writeFile(file, lines.join(''));
  return { file, contents };
};

t.test(
  'killed and interrupted at every stage, and damaged on the way: at the end exactly the files, made once',
  async (t) => {
    const { key } = await account({ monthlyQuota: ROWS });
    const proxy = await startProxy(t);
    const folder = await temporaryFolder(t);
    const { file, contents } = await longFile(folder);
    const out = join(folder, 'out');
    const args = ['bulk', file, '--out', out, '--remote', '--folder', 'Far away'];
    const env = { TESSERA_URL: proxy.url, TESSERA_KEY: key };

    proxy.breakAt(HEAD_AND_APPEND, 2, 'hang');
    const killed = { signal: 'SIGKILL', when: () => proxy.countOf(HEAD_AND_APPEND) === 2 } as const;
    t.equal((await runProcess(t, args, env, killed)).end, 'SIGKILL');

    const before = proxy.seen.length;
    proxy.breakAt(HEAD_AND_APPEND, 2, 'lose');
    const showing = 'GET /api/v1/batches/:id';
    const isWaiting = { signal: 'SIGINT', when: () => proxy.countOf(showing) > 0 } as const;
    const interrupted = await runProcess(t, args, env, isWaiting);
    t.equal(interrupted.end, 1, interrupted.err);
    t.match(interrupted.err, 'interrupted');
    t.match(interrupted.err, 'run the same command again to continue');
    const offsets = proxy.seen
      .slice(before)
      .flatMap(({ offset }) => (offset === undefined ? [] : [Number(offset)]));
    t.ok(Math.min(...offsets) >= 4 * 1024 * 1024, `what was stored is not sent again: ${offsets}`);

    const part = 'GET /api/v1/batches/:id/parts/1';
    proxy.breakAt(part, 1, 'half');
    const bytesOf = async () =>
      (await readFile(join(out, '.tessera/parts/1.zip')).catch(() => Buffer.alloc(0))).length;
    let bytes = 0;
    const polling = setInterval(() => void bytesOf().then((length) => (bytes = length)), 20);
    const isDownloading = { signal: 'SIGKILL', when: () => bytes > 0 } as const;
    const third = await runProcess(t, args, env, isDownloading);
    clearInterval(polling);
    t.equal(third.end, 'SIGKILL', third.err);

    proxy.pass();
    const last = await runProcess(t, args, env);
    t.equal(last.end, 0, last.err);
    const ranges = proxy.seen.filter(({ what }) => what === part).map(({ range }) => range);
    t.equal(ranges.length, 2);
    t.match(ranges[1], /^bytes=[1-9]\d*-$/, 'the rest of the part alone');
    await expectFiles(t, out, contents);
    t.strictSame(await readdir(join(out, '.tessera/parts')), []);
    const names = (await manifestOf(out)).map(({ file: name }) => name);
    t.strictSame([names[0], names[100]], ['item 0.png', 'item 0~101.png'], 'named as without --remote');
    t.equal(await decodePng(await readFile(join(out, 'item 5.png'))), 'CODE 6');

    const { data } = (await call({ url: '/api/v1/batches', key })).json;
    t.equal(data.length, 1);
    t.equal((await call({ url: '/api/v1/usage', key })).json.remaining, 0);
    t.equal(new Set(proxy.seen.flatMap(({ key: sent }) => sent ?? [])).size, 1, 'one Idempotency-Key');

    const seen = proxy.seen.length;
    t.equal((await runProcess(t, args, env)).end, 0, 'again: it is done');
    t.notOk(proxy.seen.slice(seen).some(({ what }) => what === part));
  },
);

t.test('a part that comes damaged is fetched again, and given up when it is always damaged', async (t) => {
  const { key } = await account({ monthlyQuota: 100 });
  const proxy = await startProxy(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'codes.csv');
  await writeFile(file, 'data,dynamic,id\nhttps://example.com/1,true,A-1\ntwo,,\n');
  const out = join(folder, 'out');
  const part = 'GET /api/v1/batches/:id/parts/1';
  proxy.breakAt(part, 1, 'corrupt');
  const { code, err } = await run(['bulk', file, '--out', out, '--remote', '--format', 'png,svg'], {
    TESSERA_URL: proxy.url,
    TESSERA_KEY: key,
  });
  t.equal(code, 0, err);
  t.equal(proxy.countOf(part), 2);
  proxy.breakAlways(part, 'corrupt');
  const other = join(folder, 'other');
  const damaged = await run(['bulk', file, '--out', other, '--remote'], {
    TESSERA_URL: proxy.url,
    TESSERA_KEY: key,
  });
  t.match(damaged, { code: 1, err: /part 1 has another SHA-256 than the gateway says/ });
  t.equal(proxy.countOf(part), 5);
  t.strictSame(await filesIn(other), ['manifest.csv'], 'no file of it is saved');
  const [first, second] = await manifestOf(out);
  t.match(first, {
    row: '1',
    id: 'A-1',
    content: 'https://example.com/1',
    file_png: 'png/000001.png',
    error: '',
  });
  t.match(first!.short_url, /^http:\/\/qr\.test\/l\/\w{8}$/);
  t.match(second, { row: '2', id: '', content: 'two', slug: '', file_svg: 'svg/000002.svg' });
  t.strictSame(await filesIn(join(out, 'svg')), ['000001.svg', '000002.svg']);
  t.equal(await decodePng(await readFile(join(out, 'png/000001.png'))), first!.short_url);

  const { data } = (await call({ url: '/api/v1/batches', key })).json as unknown as {
    data: { id: string }[];
  };
  const id = data.at(-1)!.id;
  const again = join(folder, 'again');
  const env = { TESSERA_URL: gatewayUrl, TESSERA_KEY: key };
  const downloaded = await run(['batches', 'download', id, '--out', again], env);
  t.equal(downloaded.code, 0, downloaded.err);
  t.match(await manifestOf(again), [
    { file_png: /^png\/0000001-\w{8}\.png$/, id: 'A-1' },
    { content: 'two' },
  ]);

  const listed = JSON.parse((await run(['batches', 'list', '--json'], env)).out);
  t.match(listed.at(-1), { id, state: 'done', made: 2 });
  t.match((await run(['batches', 'list'], env)).out, id);
  t.match((await run(['batches', 'show', id], env)).out, /state +done/);
  t.match(await run(['batches', 'show', crypto.randomUUID()], env), { code: 1, err: /no such batch/ });
});

t.test(
  'rows with faults: nothing is made or paid, and the errors are in a file and in the exit code',
  async (t) => {
    const { key } = await account({ monthlyQuota: 100 });
    const folder = await temporaryFolder(t);
    const file = join(folder, 'codes.csv');
    await writeFile(file, 'data,width\ngood,100\nbad,1\nworse,wide\n');
    const out = join(folder, 'out');
    const env = { TESSERA_URL: gatewayUrl, TESSERA_KEY: key };
    const { code, err } = await run(['bulk', file, '--out', out, '--remote'], env);
    t.equal(code, 1);
    t.match(err, /row 2: width: .*\n.*row 3: width: must be a number/);
    t.match(err, 'begin a new run with a new --out folder');
    const lines = (await readFile(join(out, 'errors.ndjson'), 'utf8')).trim().split('\n');
    t.match(
      lines.map((line) => JSON.parse(line)),
      [{ row: 2, field: 'width' }, { row: 3 }],
    );
    t.match(
      (await manifestOf(out)).map(({ row }) => row),
      ['2', '3'],
    );
    t.equal((await call({ url: '/api/v1/usage', key })).json.remaining, 100);
  },
);

t.test('too few units: the same command goes on when there are more', async (t) => {
  const { key, id } = await account({ monthlyQuota: 1 });
  const folder = await temporaryFolder(t);
  const file = join(folder, 'codes.csv');
  await writeFile(file, 'data\na\nb\n');
  const args = ['bulk', file, '--out', join(folder, 'out'), '--remote'];
  const env = { TESSERA_URL: gatewayUrl, TESSERA_KEY: key };
  const refused = await run(args, env);
  t.match(refused, { code: 1, err: /Quota exhausted: .*1 are missing[\s\S]*run the same command again/ });
  const added = await call({
    method: 'POST',
    url: `/admin/v1/accounts/${id}/credits`,
    key: 'an-admin-token-for-tests',
    body: { amount: 5 },
  });
  t.equal(added.status, 201);
  t.match(await run(args, env), { code: 0 });
});

t.test('a wrong key, a plan without batches and options without a meaning: what to do instead', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'codes.csv');
  await writeFile(file, 'data\na\n');
  let runs = 0;
  const remote = (key: string, ...more: readonly string[]) => {
    runs += 1;
    const args = ['bulk', file, '--out', join(folder, String(runs)), '--remote', ...more];
    return run(args, { TESSERA_URL: gatewayUrl, TESSERA_KEY: key });
  };
  t.match(await remote('tsr_wrong'), {
    code: 1,
    err: /the gateway does not know this key; give --key or TESSERA_KEY/,
  });
  const free = await account({ plan: 'free' });
  t.match(await remote(free.key), { code: 1, err: /Pro plan required/ });
  const manager = await account({ scopes: ['manage'] });
  t.match(await remote(manager.key), { code: 1, err: /API key lacks a scope.*generate/ });
  const { key } = await account({ monthlyQuota: 10 });
  await writeFile(file, 'data,slug,print.dpi,id,shelf\na,,,,x\n');
  t.match(await remote(key), {
    code: 1,
    out: '',
    err: /codes\.csv: the header row has a column "shelf" that/,
  });
  t.match(await remote(key, '--other-columns', 'skip'), { code: 0 });
  await writeFile(file, 'data\na\n');
  t.match(await remote(key, '--concurrency', '2'), { code: 2, err: /the gateway decides/ });
  const here = ['bulk', file, '--out', join(folder, 'here'), '--on-error', 'stop'];
  t.match(await run(here, { TESSERA_KEY: key }), { code: 2, err: /--on-error needs --remote/ });

  const body = { name: 'Küche', options: { width: 130, height: 130, dotsOptions: { color: '#ddd' } } };
  await call({ method: 'POST', url: '/api/v1/presets', key, body });
  const byPreset = ['--preset', 'Küche', '--min-grade'];
  t.match(await remote(key, ...byPreset, '0'), { code: 0 });
  t.equal((await readFile(join(folder, String(runs), '000001.png'))).readUInt32BE(16), 130);
  t.match(await remote(key, ...byPreset, '4'), { code: 1, out: /, and --min-grade asks for 4/ });
  t.match(await remote(key, '--preset', 'none'), { code: 1, err: /--preset: must be/ });

  const design = join(folder, 'design.json');
  await writeFile(design, '{"width":120,"height":120}');
  t.match(await remote(key, '--design', design), { code: 0 });
  const png = await readFile(join(folder, String(runs), '000001.png'));
  t.equal(png.readUInt32BE(16), 120);
  await writeFile(design, '{"width":');
  t.match(await remote(key, '--design', design), { code: 2, err: /is not JSON/ });
});

t.test('sizes and colours for print, and names, give the same files as without --remote', async (t) => {
  const { key } = await account({ monthlyQuota: 100 });
  const env = { TESSERA_URL: gatewayUrl, TESSERA_KEY: key };
  const folder = await temporaryFolder(t);
  const rows = [
    ['Printed text', 'FileName', 'Title', 'dotsOptions.type', 'Note'],
    ['Table 1', 'table', '', 'rounded', 'x'],
    ['Table 2', '', 'second'],
    ['Table 3', 'last', 'third'],
  ];
  const inputs: readonly (readonly [name: string, text: string | Buffer, options: readonly string[]])[] = [
    [
      'codes.csv',
      'data,file,name,dotsOptions.type\nTable 1,table,,rounded\nTable 2,,second,\nTable 3,last,third,\n',
      [],
    ],
    [
      'codes.ndjson',
      '{"data":"Table 1","file":"table"}\n{"data":"Table 2","name":"second"}\n{"data":"Table 3","file":"last","name":"third"}\n',
      [],
    ],
    ['codes.xlsx', xlsxOf(rows), ['--column', 'data=printed text', '--other-columns', 'skip']],
  ];
  const design = join(folder, 'design.json');
  await writeFile(design, '{"print":{"width_mm":30,"paper":"ivory","bleed_mm":1}}');
  const terms = ['--format', 'pdf,svg,eps,png', '--module-mm', '0.508', '--dpi', '600', '--color', 'cmyk'];
  for (const [name, text, options] of inputs) {
    const file = join(folder, name);
    await writeFile(file, text);
    const [here, there] = [join(folder, `${name} here`), join(folder, `${name} there`)];
    const common = ['bulk', file, ...terms, ...options, '--quiet-zone', '6'];
    const local = await run([...common, '--bleed-mm', '1', '--paper', 'ivory', '--out', here], env);
    t.equal(local.code, 0, local.err);
    const remote = await run([...common, '--remote', '--design', design, '--out', there], env);
    t.equal(remote.code, 0, remote.err);
    const filesOf = async (out: string) =>
      (await manifestOf(out)).map((row) =>
        Object.entries(row).filter(([column]) => /^(content|file|sha256|grade)/.test(column)),
      );
    t.strictSame(await filesOf(there), await filesOf(here));
    t.strictSame(await filesIn(join(there, 'pdf')), ['second.pdf', 'table.pdf', 'third.pdf']);
    t.match((await readFile(join(there, 'svg/table.svg'))).toString(), /width="[\d.]+mm"/);
  }
});

t.test(
  'a batch that is cancelled meanwhile: what was made is saved, and the command says why the rest is not',
  async (t) => {
    const { key } = await account({ monthlyQuota: 5000 });
    const folder = await temporaryFolder(t);
    const file = join(folder, 'codes.csv');
    const rows = Array.from({ length: 2000 }, (_, index) => `row ${index},800,800`);
    await writeFile(file, `data,width,height\n${rows.join('\n')}\n`);
    const out = join(folder, 'out');
    const env = { TESSERA_URL: gatewayUrl, TESSERA_KEY: key };
    const running = run(['bulk', file, '--out', out, '--remote'], env);
    type Listed = { data: readonly { id: string; made: number }[] };
    const list = async () => ((await call({ url: '/api/v1/batches', key })).json as unknown as Listed).data;
    await until(async () => ((await list())[0]?.made ?? 0) > 0);
    const cancelled = await run(['batches', 'cancel', (await list())[0]!.id], env);
    t.match(cancelled, { code: 0, out: /state +(finishing|cancelled)/ });
    const { code, err } = await running;
    t.equal(code, 1);
    t.match(err, /the batch ended as cancelled: It was cancelled/);
    const { made } = (await list())[0]!;
    t.ok(made > 0 && made < 2000, `${made} were made`);
    t.equal((await manifestOf(out)).length, made);
    t.equal((await filesIn(out)).filter((name) => name.endsWith('.png')).length, made);
  },
);

/** The parts of a batch of 50,003 rows that made three of them. */
const twoParts = async () => {
  const partOfRows = async (n: number, rows: readonly number[]) => {
    const png = (row: number): Buffer => Buffer.from(`picture ${row}`);
    const lines = rows.map((row) => {
      const sha256 = createHash('sha256').update(png(row)).digest('hex');
      return `${row},,row ${row},,,${row}.png,${sha256},4,\r\n`;
    });
    const files = rows.map((row) => ({ name: `${row}.png`, bytes: png(row) }));
    const { bytes, ...shape } = createFragment(files, lines.join(''), new Date('2026-01-01'));
    const readStore = {
      async *read(_key: string, { start, end }: { start: number; end: number }) {
        yield bytes.subarray(start, end);
      },
    };
    const header = 'row,id,content,slug,short_url,file,sha256,grade,warnings\r\n';
    const fragments = [{ ...shape, key: 'x' }];
    const crc = await manifestCrc(readStore, fragments, header);
    const zip = assemblePart(
      readStore,
      fragments,
      { name: 'manifest.csv', header, crc },
      new Date('2026-01-01'),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of zip.read({ start: 0, end: zip.bytes })) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    return { whole, listed: { n, codes: rows.length, bytes: whole.length, sha256 } };
  };
  return [await partOfRows(1, [2, 50_000]), await partOfRows(2, [50_002])] as const;
};

t.test('parts are saved while the batch runs; rows that failed have their errors', async (t) => {
  const [first, second] = await twoParts();
  const id = crypto.randomUUID();
  const asked: string[] = [];
  let isDone = false;
  const server = createServer((request, response) => {
    const path = request.url!.replace(`/api/v1/batches/${id}`, '');
    asked.push(path);
    if (path === '/parts/1') {
      isDone = true;
      response.end(first.whole);
    } else if (path === '/parts/2') response.end(second.whole);
    else if (path === '/errors') response.end('{"row":1,"id":"A","field":"image","message":"is away"}\n');
    else if (path === '/parts')
      response.end(JSON.stringify({ data: isDone ? [first.listed, second.listed] : [first.listed] }));
    else
      response.end(
        JSON.stringify({
          ...{ id, formats: ['png'], rows: 50_003, errors: 0, made: 3, failed: 50_000, reason: null },
          ...{ state: isDone ? 'done' : 'running', finished_at: isDone ? new Date().toISOString() : null },
          ...{ position: null, remaining_s: 60 },
        }),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const out = join(await temporaryFolder(t), 'out');
  const env = { TESSERA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, TESSERA_KEY: 'k' };
  const { code, err } = await run(['batches', 'download', id, '--out', out], env);
  t.equal(code, 1);
  t.match(err, '50,000 rows failed');
  t.match(err, 'running, 3 of 50,003 rows made, 1 min 0 s left');
  t.ok(asked.indexOf('/parts/1') < asked.lastIndexOf(''), 'part 1 was asked for before the batch had ended');
  t.strictSame(
    (await filesIn(out)).filter((name) => name.endsWith('.png')),
    ['2.png', '50000.png', '50002.png'],
  );
  const manifest = await manifestOf(out);
  t.equal(manifest.length, 50_003);
  t.match(manifest[0], { row: '1', error: 'image: is away' });
  t.match(manifest[1], { row: '2', content: 'row 2', file: '2.png', error: '' });
  t.match(manifest[2], { error: /keeps the errors of some 10,000 rows/ });
  t.equal((await readFile(join(out, 'errors.ndjson'), 'utf8')).split('\n').length, 2);
});
