/** The command line as its own process against a gateway as its own process, both from the build. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { startGateway } from '../servers/gateway-process.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { run } from './support.ts';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const ROWS = 10_000;

type Env = Readonly<Record<string, string>>;

const start = (
  scope: TestScope,
  args: readonly string[],
  env: Env,
): { child: ChildProcess; err: () => string } => {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  scope.teardown(() => child.kill('SIGKILL'));
  return { child, err: () => err };
};

const doneCalls = async (journal: string): Promise<number> => {
  const text = await readFile(journal, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line.startsWith('{"done"')).length;
};

/** An account with exactly the units of the run: whatever was paid twice would be missing at the end. */
const accountWith = async (units: number, env: Env) => {
  const json = async (...args: readonly string[]) => JSON.parse((await run([...args, '--json'], env)).out);
  const quota = ['--monthly-quota', String(units)];
  const { id } = await json('accounts', 'create', 'batches', '--plan', 'pro', ...quota);
  const { key } = await json('keys', 'create', id, 'batches');
  return { key, usage: async () => (await json('usage', id)).usage };
};

t.test('ten thousand rows, killed half-way and run again, are each made and paid once', async (t) => {
  const gateway = await startGateway(t, {
    DATABASE_URL: await realDatabaseUrl(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '0',
    ADMIN_TOKEN,
  });
  const admin = { TESSERA_URL: gateway.url, ADMIN_TOKEN };
  const { key, usage } = await accountWith(ROWS, admin);

  const folder = await temporaryFolder(t);
  const file = join(folder, 'codes.csv');
  const out = join(folder, 'out');
  const isDynamic = (row: number): boolean => row % 50 === 0;
  const contentOf = (row: number): string => (isDynamic(row) ? `http://a.test/${row}` : `CODE ${row}`);
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 1;
    const sizePx = isDynamic(row) ? 100 : 50 + (row % 11);
    return `"${contentOf(row)}",${isDynamic(row)},item ${row},${sizePx},${sizePx}\n`;
  });
  await writeFile(file, `data,dynamic,file,width,height\n${lines.join('')}`);

  const args = ['bulk', file, '--out', out, '--folder', 'Ten thousand'];
  const env = { TESSERA_URL: gateway.url, TESSERA_KEY: key };
  const journal = join(out, '.tessera/journal.ndjson');
  const first = start(t, args, env);
  const killed = once(first.child, 'exit');
  await until(async () => (await doneCalls(journal)) >= 50 || first.child.exitCode !== null, {
    deadlineMs: 60_000,
  });
  first.child.kill('SIGKILL');
  t.strictSame(await killed, [null, 'SIGKILL'], first.err());
  const before = await doneCalls(journal);
  t.ok(before >= 50 && before < 100, `${before} calls were done`);

  const second = start(t, args, env);
  const [code] = await once(second.child, 'exit');
  t.equal(code, 0, second.err());
  t.match(second.err(), `Continuing: ${(before * 100).toLocaleString('en-US')} rows were done before.`);

  const manifest: Record<string, string>[] = parse(await readFile(join(out, 'manifest.csv')), {
    columns: true,
    record_delimiter: '\r\n',
  });
  t.strictSame(
    manifest.map(({ row, content, error }) => [row, content, error]),
    lines.map((_, index) => [String(index + 1), contentOf(index + 1), '']),
  );
  const pictures = (await readdir(out)).filter((name) => name.endsWith('.png'));
  t.equal(pictures.length, ROWS);
  t.strictSame(pictures.sort(), manifest.map((line) => line.file).sort());
  t.equal(new Set(manifest.map(({ slug }) => slug)).size, ROWS / 50 + 1, 'a slug for each dynamic row');
  t.match(await usage(), { usage_count: ROWS, remaining: 0 });

  for (let row = 1; row <= ROWS; row += 487) {
    const line = manifest[row - 1]!;
    const png = await readFile(join(out, line.file!));
    t.equal(createHash('sha256').update(png).digest('hex'), line.sha256);
    t.equal(await decodePng(png), contentOf(row));
  }
  for (const { slug, short_url, file: name, content } of manifest.filter(
    (_, index) => (index + 1) % 2500 === 0,
  )) {
    t.equal(short_url, `${gateway.url}/l/${slug}`);
    t.equal(await decodePng(await readFile(join(out, name!))), short_url);
    const scanned = await fetch(short_url!, { redirect: 'manual' });
    t.equal(scanned.headers.get('location'), content);
  }

  const folders = await fetch(`${gateway.url}/api/v1/folders`, {
    headers: { authorization: `Bearer ${key}` },
  });
  t.match(await folders.json(), { data: [{ name: 'Ten thousand', code_count: ROWS }], next_cursor: null });
});

t.test(
  'a run stays within the rate limit of its key, and its failed rows are named and cost nothing',
  async (t) => {
    const { app } = await startApp(t, { PORT: '0', RATE_LIMIT_PER_SECOND: '2' });
    await app.listen();
    const TESSERA_URL = `http://127.0.0.1:${(app.gateway.server.address() as AddressInfo).port}`;
    const { key, usage } = await accountWith(1000, { TESSERA_URL, ADMIN_TOKEN });
    const folder = await temporaryFolder(t);
    const items = Array.from({ length: 600 }, (_, index) => ({
      data: `C${index + 1}`,
      width: 50,
      height: 50,
    }));
    const faulty = new Map<number, object>([
      [3, { data: ' ' }],
      [250, { data: 'x', width: 5 }],
      [251, { data: 'x', colour: 'red' }],
      [599, { data: 'no link', dynamic: true }],
    ]);
    const file = join(folder, 'codes.ndjson');
    await writeFile(
      file,
      items.map((item, index) => `${JSON.stringify(faulty.get(index + 1) ?? item)}\n`).join(''),
    );
    const args = ['bulk', file, '--out', join(folder, 'out'), '--json'];
    const { code, out, err } = await run(args, { TESSERA_URL, TESSERA_KEY: key });
    t.equal(code, 1);
    t.match(err, 'tessera: 4 rows failed');
    t.match(JSON.parse(out), {
      rows: 600,
      made: 596,
      failed: 4,
      not_done: 0,
      stopped: null,
      failed_rows: [
        { row: 3, error: 'Missing or invalid data' },
        { row: 250, error: 'width: must be >= 50' },
        { row: 251, error: 'colour: is not a known field' },
        { row: 599, error: /^data: / },
      ],
    });
    t.match(await usage(), { usage_count: 596, remaining: 404 });
  },
);

t.test('a run notes the grade of each picture, and fails rows below the wanted one for free', async (t) => {
  const { app } = await startApp(t, { PORT: '0' });
  await app.listen();
  const TESSERA_URL = `http://127.0.0.1:${(app.gateway.server.address() as AddressInfo).port}`;
  const { key, usage } = await accountWith(1000, { TESSERA_URL, ADMIN_TOKEN });
  const folder = await temporaryFolder(t);
  const file = join(folder, 'codes.csv');
  await writeFile(
    file,
    'data,width,height,cornersDotOptions.type\ngood,,,\nsmall,60,60,\ndiscs,,,dots\n,,,\n',
  );
  const go = async (out: string, ...options: string[]) => {
    const args = ['bulk', file, '--out', join(folder, out), ...options];
    return run(args, { TESSERA_URL, TESSERA_KEY: key });
  };
  const gradesIn = async (out: string) => {
    const rows = parse(await readFile(join(folder, out, 'manifest.csv')), { columns: true }) as Record<
      string,
      string
    >[];
    return rows.map(({ content, grade, error }) => `${content} ${grade} ${error?.split(':')[0]}`);
  };

  const all = await go('all', '--json');
  t.match(JSON.parse(all.out), { made: 3, failed: 1, lowest_grade: 0, below_grade_4: 2 });
  t.strictSame(await gradesIn('all'), ['good 4 ', 'small 2 ', 'discs 0 ', '  Missing or invalid data']);
  t.match((await go('all')).out, '2 have a grade below 4, the lowest 0; see the column grade');
  t.match(await usage(), { usage_count: 3 });

  const good = await go('good', '--min-grade', '3', '--json');
  t.match(JSON.parse(good.out), { made: 1, failed: 3, lowest_grade: 4, below_grade_4: 0 });
  t.strictSame(await gradesIn('good'), [
    'good 4 ',
    'small  width',
    'discs  cornersDotOptions.type',
    '  Missing or invalid data',
  ]);
  t.match(good.out, /, and --min-grade asks for 3 /);
  t.match(await usage(), { usage_count: 4 });
  t.match((await go('good', '--min-grade', '2')).err, 'was begun with --min-grade 3');
  t.match((await go('wrong', '--min-grade', '5')).err, '--min-grade must be 0 to 4');
});
