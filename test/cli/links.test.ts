/** The commands that import, change, export, undo and explain short links, and those about their rules. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { serve } from '../servers/listen.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { UUID } from '../support/app/client.ts';
import { fakeGateway, listen, run } from './support.ts';

const folder = await temporaryFolder(t);
const { url: TESSERA_URL, account } = await listen(t, { BATCH_STORE: join(folder, 'store') });

/** The environment of a new account. */
const newEnv = async () => ({ TESSERA_URL, TESSERA_KEY: (await account({ plan: 'pro' })).key });

type Env = Readonly<Record<string, string>>;

const json = async (env: Env, ...args: readonly string[]) => {
  const ran = await run([...args, '--json'], env);
  if (ran.code !== 0) throw new Error(ran.err);
  return JSON.parse(ran.out);
};

const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const ROWS = [
  { slug: 'move-one', destination: 'https://example.com/1', tags: ['menu'] },
  { slug: 'move-two', destination: 'https://example.com/2' },
];
const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

t.test('links are imported, checked before, and not made twice', async (t) => {
  const env = await newEnv();
  const file = await write('links.ndjson', linesOf(ROWS));
  const tried = await run(['links', 'import', file, '--dry-run'], env);
  t.equal(tried.code, 0, tried.err);
  t.match(tried.out, /kind +import\nstate +done\ndry run +true\nrows +2\nmade +2\nunchanged +0\nfaults +0\n/);
  t.strictSame(await json(env, 'links', 'list'), []);

  t.match(await json(env, 'links', 'import', file), { id: UUID, made: 2, unchanged: 0, faults: 0 });
  t.match(await json(env, 'links', 'show', 'move-one'), {
    destination: ROWS[0]!.destination,
    tags: ['menu'],
  });
  t.match(await json(env, 'links', 'import', file), { made: 0, unchanged: 2 });
  const once = await json(env, 'links', 'import', file, '--once', 'k');
  t.equal((await json(env, 'links', 'import', file, '--once', 'k')).id, once.id);
});

t.test('a file of a service, packed with gzip, comes from standard input', async (t) => {
  const env = await newEnv();
  const csv =
    'keyword,url,title,timestamp,ip,clicks\nyou-one,https://example.com/,One,2020-01-02 03:04:05,192.0.2.1,7\n';
  const args = ['links', 'import', '-', '--from', 'yourls', '--folder', 'Moved', '--domain', 'qr.test'];
  const packed = gzipSync(csv);
  const read = (more: readonly string[]) =>
    run([...args, ...more], env, undefined, [packed.subarray(0, 9), packed.subarray(9)]);
  t.match(await read([]), { code: 2, err: /the format is unknown; give --input-format csv or ndjson/ });
  const done = await read(['--input-format', 'csv']);
  t.match(done.out, /left out +ip \(1 row\)\n/);
  t.strictSame([done.code, done.err.match(/tessera:/)], [0, null], done.out + done.err);
  t.match(await json(env, 'links', 'show', 'you-one'), { imported_scans: 7 });
  t.match(await json(env, 'folders', 'list'), [{ name: 'Moved' }]);
});

t.test('rows with faults are named, and the exit code tells', async (t) => {
  const env = await newEnv();
  const bad = Array.from({ length: 25 }, (_, i) => ({ slug: `bad-${i}`, destination: 'ftp://x' }));
  const file = await write('faults.ndjson', linesOf([{ ...ROWS[0], slug: 'good-one' }, ...bad]));
  const whole = await run(['links', 'import', file, '--all-or-nothing'], env);
  t.match(whole, { code: 1, err: /the link job ended as failed: / });
  t.strictSame(await json(env, 'links', 'list'), []);
  const { code, out, err } = await run(['links', 'import', file], env);
  t.equal(code, 1);
  t.match(out, /made +1\n/);
  t.match(out, /25 rows have faults:\n {2}row 2 of the file: bad-0: destination: /);
  t.match(out, /row 21 of the file: bad-19: .*\n {2}… and 5 more; see link-jobs faults ([\da-f-]{36})\n$/);
  t.match(err, /tessera: 25 rows have faults and were left out\n$/);
  const [, id = ''] = /link-jobs faults (\S+)/.exec(out) ?? [];
  const faults = (await run(['link-jobs', 'faults', id], env)).out.trimEnd().split('\n');
  t.equal(faults.length, 25);
  t.match(JSON.parse(faults[24]!), { row: 26, slug: 'bad-24', field: 'destination' });

  const other = await write('faulty.csv', 'slug;destination;secret\nbad-one;https://example.com/;x\n');
  t.match(await run(['links', 'import', other], env), { code: 1, out: /--dropped accept/ });
  t.match(await run(['links', 'import', other, '--dropped', 'accept'], env), { code: 0, out: /made +1\n/ });
});

t.test('links are changed from a table, and a job is listed, shown, undone and deleted', async (t) => {
  const env = await newEnv();
  await json(
    env,
    'links',
    'import',
    await write('links.ndjson', linesOf(ROWS.map((row) => ({ ...row, slug: `ch-${row.slug}` })))),
  );
  const csv = 'Short;Goes to;note\nch-move-one;https://example.com/new;x\nch-move-two;;y\n';
  const file = await write('change.csv', csv);
  const columns = ['--column', 'slug=Short', '--column', 'destination=Goes to'];
  const leadsTo = async () => (await json(env, 'links', 'show', 'ch-move-one')).destination;
  t.match(await run(['links', 'change', file, ...columns], env), {
    code: 1,
    out: /note.*--other-columns skip/s,
  });
  const skip = [...columns, '--other-columns', 'skip'];
  const tried = await run(['links', 'change', file, ...skip, '--dry-run'], env);
  t.match(tried.out, /rows +2\nchanged +1\nunchanged +0\nfaults +1\n/);
  t.match(tried, { code: 1, out: /row 3 of the file: ch-move-two: changes nothing/ });
  t.equal(await leadsTo(), 'https://example.com/1');
  const job = JSON.parse((await run(['links', 'change', file, ...skip, '--json'], env)).out);
  t.match(job, { kind: 'change', state: 'done', changed: 1, undoable: true });
  t.equal(await leadsTo(), 'https://example.com/new');

  t.strictSame(await json(env, 'link-jobs', 'show', job.id), job);
  t.match(await run(['link-jobs', 'show', job.id, '--follow'], env), { code: 1, out: /changed +1\n/ });
  const undone = await json(env, 'link-jobs', 'undo', job.id);
  t.match(undone, { kind: 'undo', state: 'done', undoes: job.id, changed: 1 });
  t.equal(await leadsTo(), 'https://example.com/1');
  t.match(await run(['link-jobs', 'cancel', job.id], env), { code: 0, out: /state +done\n/ });
  t.match(await run(['link-jobs', 'delete', job.id], env), { code: 0, out: `${job.id} is deleted.\n` });
  const listed = await run(['link-jobs', 'list', '--limit', '1'], env);
  t.match(
    listed.out,
    /^ID +KIND +STATE +DRY RUN +ROWS +MADE +CHANGED +UNCHANGED +FAULTS +UNDOABLE +CREATED\n/,
  );
  t.match(listed.out, new RegExp(`\\n${undone.id} +undo +done +false +1 `));
  t.match(await run(['link-jobs', 'undo', job.id], env), { code: 1, err: /no such link job/ });
});

t.test('an interrupted command says that the job goes on', async (t) => {
  const ended = new AbortController();
  const { url } = await fakeGateway(t, (_, index) => {
    if (index === 1) setTimeout(() => ended.abort(), 50);
    return { status: 202, body: { id: 'the-job', state: 'running', rows: 9, handled: 1, finished_at: null } };
  });
  const file = await write('links.csv', 'slug,destination\na-b-c,https://example.com/\n');
  const told = await run(['links', 'import', file], { TESSERA_URL: url, TESSERA_KEY: 'k' }, ended.signal);
  t.match(told, { code: 1, err: /interrupted; the link job goes on: see link-jobs show the-job/ });
});

t.test('the export is written whole, in both formats, and an import reads it back', async (t) => {
  const env = await newEnv();
  await json(
    env,
    'links',
    'import',
    await write('links.ndjson', linesOf(ROWS.map((row) => ({ ...row, slug: `ex-${row.slug}` })))),
  );
  const { out } = await run(['links', 'export'], env);
  t.strictSame(
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).slug),
    ['ex-move-one', 'ex-move-two'],
  );
  const csv = join(folder, 'export.csv');
  t.match(await run(['links', 'export', '--out', csv], env), { code: 0, out: `${csv} has all links.\n` });
  t.match(await readFile(csv, 'utf8'), /^slug,.*\r?\nex-move-one,/);
  const ndjson = join(folder, 'export.out');
  await run(['links', 'export', '--out', ndjson], env);
  t.equal(await readFile(ndjson, 'utf8'), out);
  t.match(await json(env, 'links', 'import', csv), { made: 0, unchanged: 2 });
  t.match(await json(env, 'links', 'import', ndjson, '--input-format', 'ndjson'), { unchanged: 2 });
});

t.test('an export that breaks off is a failure, and leaves the file as it was', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"slug":"one"}\n', () => response.destroy());
  });
  const cut = { TESSERA_URL: url, TESSERA_KEY: 'k' };
  const there = await temporaryFolder(t);
  const out = join(there, 'links.ndjson');
  await writeFile(out, 'of yesterday');
  t.match(await run(['links', 'export', '--out', out], cut), { code: 1, err: /broke off before the end/ });
  t.equal(await readFile(out, 'utf8'), 'of yesterday');
  t.strictSame(await readdir(there), ['links.ndjson']);
  t.match(await run(['links', 'export'], cut), { code: 1, err: /^tessera: .* broke off before the end/ });
  t.match(await run(['resolver', 'export'], cut), { code: 1, out: /"one"/, err: /broke off before the end/ });
  const missing = await run(['links', 'export', '--out', join(there, 'none', 'x')], cut);
  t.match(missing, { code: 1, err: /none\/x.*there is no such file/ });
});

const RULES = [
  { name: 'swiss', when: { language: ['de-CH'] }, destination: 'https://example.com/ch' },
  { name: 'poster', when: { query: { src: ['poster'] } }, destination: 'https://example.com/poster' },
];

t.test('rule sets are made, listed, checked, changed and shared by links', async (t) => {
  const env = await newEnv();
  const file = await write('rules.json', JSON.stringify(RULES));
  const made = await json(env, 'rules', 'create', 'Stores', file);
  t.match(made, { id: UUID, name: 'Stores', rules: RULES, links: 0 });
  t.match((await run(['rules', 'list'], env)).out, /^ID +NAME +RULES +CHANGED\n\S+ +Stores +2 /);

  await json(env, 'codes', 'create', 'https://example.com/', '--dynamic', '--slug', 'ruled-one');
  const changed = await json(
    env,
    'links',
    'update',
    'ruled-one',
    '--rule-set',
    'Stores',
    '--visit-limit',
    '9',
  );
  t.match(changed, { rule_set_id: made.id, visit_limit: 9 });
  const list = async (...args: readonly string[]) =>
    (await json(env, 'links', 'list', ...args)).map(({ slug }: { readonly slug: string }) => slug);
  await json(env, 'codes', 'create', 'https://example.org/', '--dynamic', '--slug', 'ruled-not');
  for (const args of [
    ['--rules'],
    ['--rule-set', 'Stores'],
    ['--search', 'ample.com'],
    ['--search', 'ED-ONE'],
  ])
    t.strictSame(await list(...args), ['ruled-one'], args.join(' '));
  t.strictSame(await list('--no-rules', '--domain', 'shared'), ['ruled-not']);
  t.strictSame(await list('--sort', 'changed'), ['ruled-one', 'ruled-not']);
  const one = JSON.stringify({ ...made, rules: RULES.slice(1) });
  const update = (...args: readonly string[]) =>
    run(['rules', 'update', 'Stores', '--rules', '-', ...args], env, undefined, [one]);
  const tried = await update('--dry-run');
  t.match(tried.out, /links +1\n[\s\S]*\n\nRULE +WHEN +LEADS TO\nposter +\{"query".*\n\nNothing is changed/);
  t.strictSame((await json(env, 'rules', 'show', 'Stores')).rules, RULES);
  t.equal((await update()).code, 0);
  t.strictSame((await json(env, 'rules', 'show', made.id)).rules, RULES.slice(1));
  const history = await run(['rules', 'history', 'Stores'], env);
  t.match(history.out, /^AT +KEY +NAME +RULES\n.* Stores +poster\n.* Stores +swiss,poster\n$/);

  t.match(await run(['rules', 'delete', 'Stores'], env), { code: 1, err: /set their rule_set_id to null/ });
  t.match(await json(env, 'links', 'update', 'ruled-one', '--rule-set', '', '--rules', file), {
    rule_set_id: null,
    rules: RULES,
  });
  t.match((await run(['links', 'show', 'ruled-one'], env)).out, /rules +swiss,poster\nrule set +–\n/);
  t.match(await run(['rules', 'delete', 'Stores'], env), { code: 0, out: /is deleted/ });
  t.match(await run(['rules', 'show', 'Stores'], env), { code: 1, err: /there is no rule set Stores/ });
  t.match(await run(['rules', 'update', 'Stores'], env), { code: 2, err: /give --name or --rules/ });
  t.match(await run(['rules', 'create', 'x', await write('no.json', '{}')], env), {
    code: 2,
    err: /list of rules/,
  });
});

t.test('a described visit is explained', async (t) => {
  const env = await newEnv();
  await json(env, 'codes', 'create', 'https://example.com/', '--dynamic', '--slug', 'why-one');
  await json(env, 'links', 'update', 'why-one', '--rules', await write('rules.json', JSON.stringify(RULES)));
  const explain = (...args: readonly string[]) => run(['links', 'explain', 'why-one', ...args], env);
  const german = await explain('--header', 'accept-language: de,en;q=0.5', '--query', 'src=poster');
  t.equal(
    german.out,
    [
      'outcome         rule',
      'destination     https://example.com/poster',
      'rule            poster',
      'needs password  false',
      '',
      'RULE    FIRES  FAILS AT  FOUND',
      'swiss   false  language  de',
      'poster  true   –         –',
      '',
    ].join('\n'),
  );
  t.match((await explain()).out, /outcome +none\n/);
  await json(env, 'links', 'update', 'why-one', '--active-until', '2090-01-01T00:00:00Z');
  t.match((await explain('--at', '2091-01-01T00:00:00Z')).out, /outcome +after_end\n/);
  t.match(await explain('--header', 'Cookie: a'), { code: 2, err: /rules ask for no other header/ });
});
