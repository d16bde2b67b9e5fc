/** `tessera bulk` against a gateway: what a run costs when it is killed, its pace, and its grades. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { until } from '../servers/until.ts';
import { casesOf } from '../support/cases.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { bulkOf, listen, readManifest, sharedListener, startProcess } from './support.ts';

const ROWS = casesOf(6000);

const gateway = await sharedListener();

/** A run of an account with exactly this many units, so that anything charged twice would be missing at the end. */
const begin = async (
  t: Test,
  units: number,
  input: string,
  name?: string,
  { url, account, call, admin } = gateway,
) => {
  const { key, id } = await account({ monthlyQuota: units });
  const env = { TESSERA_URL: url, TESSERA_KEY: key };
  const get = async (path: string) => (await call({ url: `/api/v1${path}`, key })).json;
  const usage = async () => JSON.parse((await admin('GET', `/accounts/${id}`)).text).usage;
  return { ...(await bulkOf(t, env, input, name)), env, get, usage };
};

const countDone = async (journal: string): Promise<number> => {
  const text = await readFile(journal, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line.startsWith('{"done"')).length;
};

t.test('thousands of rows of a killed and repeated run are each made and charged once', async (t) => {
  const isDynamic = (row: number): boolean => row % 50 === 0;
  const contentOf = (row: number): string => (isDynamic(row) ? `http://a.test/${row}` : `CODE ${row}`);
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 1;
    const sizePx = isDynamic(row) ? 100 : 50 + (row % 11);
    return `"${contentOf(row)}",${isDynamic(row)},item ${row},${sizePx},${sizePx}\n`;
  });
  const input = `data,dynamic,file,width,height\n${lines.join('')}`;
  const { file, out, env, go, manifest, read, get, usage } = await begin(t, ROWS, input);

  const journal = join(out, '.tessera/journal.ndjson');
  const first = startProcess(t, ['bulk', file, '--out', out, '--folder', 'Thousands'], env);
  await until(async () => (await countDone(journal)) >= ROWS / 400 || first.child.exitCode !== null, {
    pauseMs: 5,
    deadlineMs: 60_000,
  });
  first.child.kill('SIGKILL');
  t.equal(await first.ended, 'SIGKILL', first.err());
  const before = await countDone(journal);
  t.ok(before >= ROWS / 400 && before < ROWS / 100, `${before} calls were done`);

  const second = await go('--folder', 'Thousands');
  t.equal(second.code, 0, second.err);
  t.match(second.err, `Continuing: ${(before * 100).toLocaleString('en-US')} rows were done before.`);

  const rows = await manifest();
  t.strictSame(
    rows.map(({ row, content, error }) => [row, content, error]),
    lines.map((_, index) => [String(index + 1), contentOf(index + 1), '']),
  );
  const pictures = (await readdir(out)).filter((name) => name.endsWith('.png'));
  t.strictSame(pictures.sort(), rows.map(({ file }) => file).sort());
  t.equal(new Set(rows.map(({ slug }) => slug)).size, ROWS / 50 + 1, 'each dynamic row has its own slug');
  t.match(await usage(), { usage_count: ROWS, remaining: 0 });

  for (let row = 1; row <= ROWS; row += 250) {
    const line = rows[row - 1]!;
    const png = await read(line.file!);
    t.equal(createHash('sha256').update(png).digest('hex'), line.sha256);
    t.equal(await decodePng(png), contentOf(row));
  }
  for (const { slug, short_url, file: name, content } of rows.filter((_, index) => index % 1000 === 999)) {
    t.equal(short_url, `http://qr.test/l/${slug}`);
    t.equal(await decodePng(await read(name!)), short_url);
    const scanned = await gateway.call({ url: `/l/${slug}` });
    t.equal(scanned.headers.location, content);
  }
  t.match(await get('/folders'), { data: [{ name: 'Thousands', code_count: ROWS }], next_cursor: null });
});

t.test('a run completes under a low rate limit; rows that fail are named and cost nothing', async (t) => {
  const faulty = new Map<number, object>([
    [3, { data: ' ' }],
    [250, { data: 'x', width: 5 }],
    [251, { data: 'x', colour: 'red' }],
    [399, { data: 'no link', dynamic: true }],
  ]);
  const items = Array.from({ length: 400 }, (_, index) => {
    const item = faulty.get(index + 1) ?? { data: `C${index + 1}`, width: 50, height: 50 };
    return `${JSON.stringify(item)}\n`;
  });
  const slow = await listen(t, { RATE_LIMIT_PER_SECOND: '2' });
  const { go, usage } = await begin(t, 1000, items.join(''), 'codes.ndjson', slow);
  const { code, out, err } = await go('--json');
  t.equal(code, 1);
  t.match(err, 'tessera: 4 rows failed');
  t.match(JSON.parse(out), {
    ...{ rows: 400, made: 396, failed: 4, not_done: 0, stopped: null },
    failed_rows: [
      { row: 3, error: 'Missing or invalid data' },
      { row: 250, error: 'width: must be at least 50' },
      { row: 251, error: 'colour: is not a known field' },
      { row: 399, error: /^data: / },
    ],
  });
  t.match(await usage(), { usage_count: 396, remaining: 604 });
});

t.test('a run records the grade of each picture, and fails rows below the minimum for free', async (t) => {
  const input = 'data,width,height,cornersDotOptions.type\ngood,,,\nsmall,60,60,\ndiscs,,,dots\n,300,,\n';
  const { folder, go, usage } = await begin(t, 1000, input);
  const make = (out: string, ...options: string[]) => go('--out', join(folder, out), ...options);
  const gradesIn = async (out: string) =>
    (await readManifest(join(folder, out))).map(
      ({ content, grade, error }) => `${content} ${grade} ${error?.split(':')[0]}`,
    );

  const all = await make('all', '--json');
  t.match(JSON.parse(all.out), { made: 3, failed: 1, lowest_grade: 0, below_grade_4: 2 });
  t.strictSame(await gradesIn('all'), ['good 4 ', 'small 2 ', 'discs 0 ', '  Missing or invalid data']);
  t.match((await make('all')).out, '2 have a grade below 4, the lowest 0; see the column grade');
  t.match(await usage(), { usage_count: 3 });

  const good = await make('good', '--min-grade', '3', '--json');
  t.match(JSON.parse(good.out), { made: 1, failed: 3, lowest_grade: 4, below_grade_4: 0 });
  const low = ['small  width', 'discs  cornersDotOptions.type', '  Missing or invalid data'];
  t.strictSame(await gradesIn('good'), ['good 4 ', ...low]);
  t.match(good.out, /, and --min-grade asks for 3 /);
  t.match(await usage(), { usage_count: 4 });
  t.match((await make('good', '--min-grade', '2')).err, 'was begun with --min-grade 3');
  t.match((await make('wrong', '--min-grade', '5')).err, '--min-grade must be 0 to 4');
});
