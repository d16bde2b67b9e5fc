import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { insertHours, usedHour } from '../support/app/usage.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { fakeGateway, listen, run } from './support.ts';

const databaseUrl = await realDatabaseUrl();
const { url: TESSERA_URL } = await listen(t, { DATABASE_URL: databaseUrl });
const env = { TESSERA_URL, ADMIN_TOKEN };
const json = async (...args: readonly string[]) => {
  const ran = await run([...args, '--json'], env);
  if (ran.code !== 0) throw new Error(ran.err);
  return JSON.parse(ran.out);
};

t.test('accounts are created, listed, shown and changed', async (t) => {
  const made = await json('accounts', 'create', 'ACME & Söhne', '--plan', 'pro', '--credits', '7');
  t.match(made, { name: 'ACME & Söhne', plan: 'pro', monthly_quota: 10_000, credits: 7 });
  const changed = ['--plan', 'free', '--monthly-quota', '0', '--name', 'Other'];
  t.match(await json('accounts', 'update', made.id, ...changed), {
    plan: 'free',
    monthly_quota: 0,
    name: 'Other',
  });
  t.match(await json('accounts', 'update', made.id, '--monthly-quota', 'plan'), { monthly_quota: 100 });
  t.match(await json('accounts', 'show', made.id), { id: made.id, usage: { remaining: 107 } });

  const named = async (search: string) => (await json('accounts', 'list', '--search', search)).length;
  t.strictSame([await named('oTHe'), await named(made.id), await named('a & b')], [1, 1, 0]);

  const { out } = await run(['accounts', 'list'], env);
  const [headings, ...rows] = out.trimEnd().split('\n');
  t.match(headings, /^ID +NAME +PLAN +USED +QUOTA +CREDITS +REMAINING$/);
  const row = rows.find((line) => line.startsWith(made.id))!;
  t.strictSame(row.split(/ {2,}/), [made.id, 'Other', 'free', '0', '100', '7', '107']);
  t.equal(row.length, headings!.length, 'numbers are aligned right, under their heading');
});

t.test('a list shows all of its pages', async (t) => {
  const names = Array.from({ length: 120 }, (_, index) => `account ${index}`);
  const { sql } = await openFor(t, { url: databaseUrl, dataDir: '' });
  await sql`
    insert into accounts (name, plan, created_at) select name, 'free', now() + n * interval '1 ms'
    from unnest(${names}::text[]) with ordinality as named (name, n)`;
  const listed: { name: string }[] = await json('accounts', 'list');
  t.strictSame(
    listed.map(({ name }) => name).filter((name) => name.startsWith('account ')),
    names,
  );
});

t.test('keys are created, listed and revoked, and credits are added once per reference', async (t) => {
  const { id } = await json('accounts', 'create', 'keys', '--plan', 'pro');
  const options = ['--scopes', 'render, generate', '--rate-limit', '7'];
  const key = await json('keys', 'create', id, 'for mails', ...options);
  t.match(key.key, /^tsr_[0-9A-Za-z]{38}$/);
  t.match(await json('keys', 'list', id), [
    { id: key.id, name: 'for mails', scopes: ['render', 'generate'], rate_limit_per_second: 7 },
  ]);
  t.match((await run(['keys', 'list', id], env)).out, /for mails +render,generate +7 +0 +– +– /);
  t.match((await run(['keys', 'create', id, 'shown'], env)).out, /key +tsr_\w{38}\n\nKeep the key/);
  const bounds = ['--rate-limit', 'none', '--monthly-quota', '50', '--expires', '2099-01-01'];
  t.match(await json('keys', 'update', key.id, '--name', 'mails', ...bounds), {
    ...{ name: 'mails', rate_limit_per_second: null, monthly_quota: 50, usage_count: 0 },
    expires_at: '2099-01-01T00:00:00.000Z',
  });
  const rotated = await json('keys', 'rotate', key.id, '--overlap-hours', '0', '--expires', '2099-02-01');
  t.match(rotated, { name: 'mails', scopes: ['render', 'generate'], monthly_quota: 50 });
  t.match(rotated, { key: /^tsr_/, expires_at: '2099-02-01T00:00:00.000Z' });
  key.id = rotated.id;
  const freed = await run(['keys', 'update', key.id, '--monthly-quota', 'none', '--expires', 'none'], env);
  t.match(freed.out, /name +mails\n[\s\S]*monthly quota +–\nused this month +0\nexpires +–\n/);
  const sandbox = await json(
    'keys',
    'create',
    id,
    'trying',
    '--sandbox',
    '--load-tests',
    '--expires',
    '2099-01-01T12:00:00Z',
  );
  t.match(sandbox, {
    key: /^tsr_test_\w{38}$/,
    sandbox: true,
    load_tests: true,
    expires_at: '2099-01-01T12:00:00.000Z',
  });
  t.match((await run(['keys', 'revoke', sandbox.id], env)).code, 0);
  t.match((await run(['keys', 'revoke', key.id], env)).out, `${key.id} is revoked.`);
  t.equal((await json('keys', 'list', id)).length, 1);

  const add = ['credits', 'add', id, '50', '--reference', 'invoice-1'];
  t.equal((await json(...add)).credits, 50);
  t.equal((await json(...add)).credits, 50);
});

t.test('usage is shown for all accounts, for one account, or for the account of a key', async (t) => {
  const { id } = await json('accounts', 'create', 'user', '--plan', 'pro', '--credits', '3');
  const { key } = await json('keys', 'create', id, 'all');
  const used = await fetch(`${TESSERA_URL}/api/v1/render?key=${key}&content=x`);
  t.equal(used.status, 200);
  t.match(await json('usage', id), { id, usage: { usage_count: 1, remaining: 10_002 } });
  t.ok((await json('usage')).some((account: { id: string }) => account.id === id));
  t.match((await run(['usage', id], env)).out, /user +\d{4}-\d\d-01 +1 +1 +10,000 +3 +10,002 +\d{4}/);
  const own = await run(['usage', '--key', key, '--json'], { TESSERA_URL });
  t.match(JSON.parse(own.out), { usage_count: 1, monthly_quota: 10_000, credits: 3 });
  t.equal((await run(['usage', id, '--key', key], env)).code, 2);
});

t.test('usage over time is a table with its total, or the JSON of the API', async (t) => {
  const { id } = await json('accounts', 'create', 'historian', '--plan', 'pro');
  const { key, id: keyId } = await json('keys', 'create', id, 'shop');
  const { sql } = await openFor(t, { url: databaseUrl, dataDir: '' });
  const [single, bulk] = [new Date('2026-01-02T05:00Z'), new Date('2026-01-03')];
  const bulkCounts = { kind: 'bulk', calls: 1, credits: 9, refundedCredits: 2, isLoadTest: true } as const;
  await insertHours(sql, [
    usedHour({ accountId: id, keyId, hour: single, calls: 1200, monthly: 1200 }),
    usedHour({ accountId: id, keyId, hour: bulk, ...bulkCounts }),
  ]);
  const span = ['--history', '--from', '2026-01-01', '--to', '2026-02-01'];
  const own = { TESSERA_URL };

  const { out } = await run(['usage', id, ...span, '--group', 'kind'], env);
  t.match(
    out,
    /^FROM \(UTC\) +KIND +CALLS .*\n2026-01-02 +single +1,200 .*\n2026-01-03 +bulk +1 +7 .*\ntotal +1,201 +1,207 /,
  );
  t.match(
    (await run(['usage', '--key', key, ...span, '--group', 'key'], own)).out,
    /2026-01-02 +shop \(tsr_\w+\) +1,200/,
  );
  t.match((await run(['usage', id, ...span, '--interval', 'month'], env)).out, /\n2026-01 +1,201 +1,207 /);

  const answer = await json('usage', id, ...span, '--interval', 'month');
  t.match(answer, { interval: 'month', total: { units: 1207 }, data: [{ calls: 1201, refunded: 2 }] });
  const asked = await run(['usage', '--key', key, ...span, '--interval', 'month', '--json'], own);
  t.strictSame(JSON.parse(asked.out), answer, 'the account itself sees the same');
  t.match(await json('usage', id, '--history'), { interval: 'day', data: [], total: { calls: 0 } });

  const refused = await run(['usage', id, '--history', '--from', 'yesterday'], env);
  t.strictSame([refused.code, refused.out], [1, '']);
  t.match(refused.err, /^tessera: Invalid query parameters: from: must be a date such as /);
});

t.test('webhooks are created, listed, changed, tested, rotated and deleted', async (t) => {
  const { id: account } = await json('accounts', 'create', 'hooks', '--plan', 'pro');
  const { key } = await json('keys', 'create', account, 'all');
  const own = { TESSERA_URL, TESSERA_KEY: key };
  const hooks = async (...args: readonly string[]) => {
    const { code, out, err } = await run(['webhooks', ...args, '--json'], own);
    if (code !== 0) throw new Error(err);
    return JSON.parse(out);
  };
  const address = 'https://hooks.example.com/a';
  const { id, secret } = await hooks('create', address, '--events', 'scan, code.created');
  t.match(secret, /^whsec_/);
  t.match(await hooks('list'), [{ id, url: address, events: ['scan', 'code.created'], state: 'on' }]);
  t.match((await run(['webhooks', 'list'], own)).out, `${id}  on`);
  const paused = await hooks('update', id, '--events', '', '--to', `${address}/b`, '--state', 'off');
  t.match(paused, { url: `${address}/b`, events: [], state: 'off' });
  t.match(await hooks('update', id, '--state', 'on'), { url: `${address}/b`, state: 'on' });
  t.equal((await run(['webhooks', 'update', id], own)).code, 2);
  t.match(await hooks('test', id), { event: 'webhook.test' });
  t.match(await hooks('deliveries', id), [{ event: 'webhook.test' }]);
  t.match((await run(['webhooks', 'deliveries', id], own)).out, /webhook\.test/);
  t.match(await hooks('events', '--webhook', id, '--undelivered'), [{ type: 'webhook.test' }]);
  t.match((await run(['webhooks', 'events', '--type', 'key.created'], own)).out, /key\.created +not sent/);
  t.match(await hooks('redeliver', id, '--since', '2026-01-01T00:00:00Z', '--types', 'key.created'), {
    count: 1,
  });
  t.equal((await run(['webhooks', 'redeliver', id], own)).code, 2, 'without --since');
  const shown = await run(['webhooks', 'rotate', id], own);
  t.match(shown.out, /secret +whsec_\S+\n\nKeep the secret/);
  const [, old] = await hooks('secrets', id);
  t.match(await hooks('retire', id, old.id), { id: old.id, deleted: true });
  t.match((await run(['webhooks', 'retire', id, old.id], own)).err, /There is no such secret of the webhook/);
  t.match((await run(['webhooks', 'delete', id], own)).out, `${id} is deleted.`);
  t.strictSame(await hooks('list'), []);
});

t.test('single scans are printed from all pages as one file', async (t) => {
  const seen: URLSearchParams[] = [];
  const pages = ['id,at\r\na,1\r\n', '', 'b,2\r\n'];
  const gateway = await fakeGateway(t, ({ url }, index) => {
    seen.push(new URL(url, 'http://x').searchParams);
    if (index === 1) return { status: 429, body: {}, headers: { 'retry-after': '0' } };
    const next = seen.filter((query) => query.has('cursor')).length;
    const page = index === 0 ? 0 : next - 1;
    const headers: Record<string, string> = page < 2 ? { 'tessera-next-cursor': `after-${page}` } : {};
    return { status: 200, body: pages[page], headers };
  });
  const options = ['--from', '2026-01-01', '--slug', 'menu', '--format', 'csv'];
  const { code, out } = await run(['scans', ...options], { TESSERA_URL: gateway.url, TESSERA_KEY: 'k' });
  t.strictSame([code, out], [0, pages.join('')]);
  t.strictSame(
    seen.map((query) => query.get('cursor')),
    [null, 'after-0', 'after-0', 'after-1'],
  );
  t.equal(new Set(seen.map((query) => query.get('to'))).size, 1, 'all pages have the same end time');
  t.match(Object.fromEntries(seen[0]!), { from: '2026-01-01', slug: 'menu', format: 'csv', limit: '5000' });

  const { id } = await json('accounts', 'create', 'scans', '--plan', 'pro');
  const { key } = await json('keys', 'create', id, 'all');
  const real = { TESSERA_URL, TESSERA_KEY: key };
  t.strictSame(await run(['scans'], real), { code: 0, out: '', err: '' });
  t.match(await run(['scans', '--from', 'yesterday'], real), {
    code: 1,
    err: /from: must be a date such as/,
  });
});

t.test('a failure is reported in one line, with exit code 1', async (t) => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const [args, environment, told] of [
    [['accounts', 'show', unknown], env, /^tessera: Not found: There is no such account\.\n$/],
    [['accounts', 'show', '../keys'], env, /^tessera: Invalid path parameters: id: must be a UUID\n$/],
    [['keys', 'revoke', unknown], env, /^tessera: Not found/],
    [['keys', 'update', unknown, '--name', 'x'], env, /^tessera: Not found/],
    [['keys', 'create', unknown, 'x', '--expires', '2020-01-01'], env, /expires_at: must be in the future/],
    [['keys', 'create', unknown, 'x', '--scopes', 'fly'], env, /^tessera: Invalid request body: scopes\.0: /],
    [
      ['accounts', 'list', '--token', 'a-wrong-admin-token'],
      env,
      /^tessera: the admin token is wrong; give --token, ADMIN_TOKEN or ADMIN_TOKEN_FILE\n$/,
    ],
    [
      ['accounts', 'list', '--url', 'http://127.0.0.1:9'],
      env,
      /^tessera: http:\/\/127\.0\.0\.1:9 cannot be reached/,
    ],
    [
      ['accounts', 'list', '--url', 'http://127.0.0.1:1'],
      env,
      /cannot be reached \(bad port\); start the gateway/,
    ],
  ] as const) {
    const { code, out, err } = await run(args, environment);
    t.strictSame([code, out], [1, ''], args.join(' '));
    t.match(err, told);
  }
  const other = await fakeGateway(t, () => ({ status: 404, body: '<h1>\x1b[31mnot here</h1>' }));
  const { code, err } = await run(['accounts', 'list', '--url', other.url], env);
  t.equal(code, 1);
  t.match(err, /does not answer as a Tessera gateway does \(HTTP 404\); check --url\n$/);
});

t.test('wrong arguments are reported with exit code 2, before any request', async (t) => {
  const gateway = await fakeGateway(t, () => ({ status: 500, body: {} }));
  const there = { ...env, TESSERA_URL: gateway.url };
  for (const [args, told] of [
    [[], /Usage: tessera/],
    [['acounts'], /unknown command 'acounts'[\s\S]*Did you mean accounts\?/],
    [['accounts'], /Usage: tessera accounts/],
    [['accounts', 'create', 'x'], /required option '--plan <plan>' not specified/],
    [['accounts', 'create', 'x', '--plan', 'gold'], /Allowed choices are free, pro/],
    [['accounts', 'create', 'x', '--plan', 'pro', '--credits', '-1'], /-1 is not a whole number/],
    [['accounts', 'list', '--jsn'], /unknown option '--jsn'/],
    [['accounts', 'show'], /missing required argument 'account-id'/],
    [['accounts', 'update', 'x'], /nothing to change/],
    [['keys', 'update', 'x'], /nothing to change: give --name, --rate-limit/],
    [['keys', 'update', 'x', '--monthly-quota', 'all'], /all is not a whole number/],
    [['credits', 'add', 'x', '1.5'], /1\.5 is not a whole number/],
    [['usage', 'a', 'b'], /too many arguments/],
    [['usage', '--history'], /--history needs an account id or --key/],
    [['usage', 'a', '--from', '2026-01-01'], /--from needs --history/],
    [['usage', 'a', '--history', '--interval', 'week'], /Allowed choices are hour, day, month/],
    [['usage', 'a', '--history', '--group', 'plan'], /Allowed choices are key, kind/],
    [['accounts', 'list', '--url', 'ftp://x'], /is not an http or https address/],
    [['accounts', 'list', '--url', `${gateway.url}/#x`], /is not an http or https address without query and/],
    [['bulk', 'x.csv'], /required option '--out <folder>' not specified/],
    [['bulk', 'x.csv', '--out', 'y'], /no API key/],
    [['bulk', 'x.csv', '--out', 'y', '--key', 'k', '--min-grade', '9'], /must be 0 to 4/],
    [['links', 'change', 'x.ndjson', '--key', 'k', '--column', 'slug=S'], /are for CSV; rows of NDJSON/],
    [['links', 'import', 'x.ndjson', '--key', 'k', '--encoding', 'utf-8'], /--encoding is for CSV/],
    [['links', 'import', 'x.xlsx', '--key', 'k'], /give --input-format csv or ndjson/],
    [['links', 'import', 'x.csv', '--key', 'k', '--from', 'tiny'], /Allowed choices are tessera, bitly/],
    [['bulk', 'x.txt', '--out', 'y', '--key', 'k'], /give --input-format csv/],
  ] as const) {
    const { code, out, err } = await run(args, there);
    t.strictSame([code, out], [2, ''], args.join(' '));
    t.match(err, told);
  }
  t.strictSame(gateway.received, []);
});

/** The commands that a help text lists. */
const listedIn = (help: string): readonly string[] =>
  [...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z][a-z\d-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');

t.test('every command has a help text, with exit code 0', async (t) => {
  const commands: string[][] = [[]];
  for (const command of commands) {
    const { code, out } = await run([...command, '--help']);
    t.equal(code, 0);
    t.match(out, `Usage: ${['tessera', ...command].join(' ')}`);
    t.match(out, '-h, --help');
    commands.push(...listedIn(out).map((name) => [...command, name]));
    const needs = ['accounts create', 'bulk', 'sheets'].includes(command.join(' '));
    t.equal(/--(out|plan) <\w+> +required: /.test(out), needs, 'required options are marked');
    // Commander wraps the options by itself.
    for (const line of out.split('\n')) if (!line.startsWith('  ')) t.ok(line.length <= 120, line);
  }
  t.ok(commands.length > 20, `${commands.length} commands`);
});

t.test('without a token the one in DATA_DIR is used, but only on this machine', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'admin-token'), `${ADMIN_TOKEN}\n`);
  t.equal((await run(['accounts', 'list'], { TESSERA_URL, DATA_DIR: folder })).code, 0);
  const away = await run(['accounts', 'list'], { TESSERA_URL: 'http://qr.example', DATA_DIR: folder });
  t.equal(away.code, 2);
  t.match(away.err, 'no admin token');
});

t.test('the token may be read from a file, as the gateway does', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'secret');
  await writeFile(file, `${ADMIN_TOKEN}\n`);
  const list = (more: object) => run(['accounts', 'list'], { TESSERA_URL, DATA_DIR: folder, ...more });
  t.equal((await list({ ADMIN_TOKEN_FILE: file })).code, 0);
  for (const [more, says] of [
    [{ ADMIN_TOKEN_FILE: join(folder, 'missing') }, 'ADMIN_TOKEN_FILE: cannot be read (ENOENT)'],
    [{ ADMIN_TOKEN_FILE: file, ADMIN_TOKEN }, 'must not be given together with ADMIN_TOKEN'],
  ] as const) {
    const { code, err } = await list(more);
    t.equal(code, 2);
    t.match(err, says);
    t.notMatch(err, ADMIN_TOKEN);
  }
});

t.test('the token is not sent to the target of a redirect', async (t) => {
  const target = await fakeGateway(t, () => ({ status: 200, body: { data: [], next_cursor: null } }));
  const { url } = await fakeGateway(t, () => ({ status: 302, body: '', headers: { location: target.url } }));
  t.equal((await run(['accounts', 'list', '--url', url], env)).code, 1);
  t.strictSame(target.received, []);
});
