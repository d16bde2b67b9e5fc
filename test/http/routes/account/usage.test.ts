/** Usage over time: what an account and the operator can read, and what is refused. */
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { ADMIN_TOKEN, startApp } from '../../../support/app/app.ts';
import { insertHours, usageRows, usedHour } from '../../../support/app/usage.ts';
import { openFor, realDatabaseUrl, realServer } from '../../../support/database/database.ts';

const databaseUrl = await realDatabaseUrl();
const gateway = await startApp(t, { DATABASE_URL: databaseUrl });
const { call, account, admin } = gateway;
const { sql } = await openFor(t, { url: databaseUrl, dataDir: '' });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RANDOM_ID = '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11';
const NONE = {
  ...{ calls: 0, units: 0, monthly: 0, credits: 0, refunded: 0, refunded_late: 0 },
  ...{ load_test_calls: 0, load_test_units: 0 },
};

const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

const newAccount = async (wanted: Parameters<typeof account>[0] = {}) => {
  const made = await account(wanted);
  const history = (query = '') => call({ url: `/api/v1/usage/history${query}`, key: made.key });
  const used = (hour: string | number, some: Partial<Parameters<typeof usedHour>[0]>) =>
    insertHours(sql, [usedHour({ accountId: made.id, keyId: made.keyId, hour: new Date(hour), ...some })]);
  return { ...made, history, used };
};

t.test('a history lists the intervals with usage, and their total', async (t) => {
  const { id, key, keyId, history, used } = await newAccount();
  const { json: second } = await call({ method: 'POST', url: '/api/v1/keys', key, body: { name: '=shop' } });
  await used('2026-01-05T23:00Z', { calls: 3, monthly: 5, refundedMonthly: 1 });
  await used('2026-01-06T00:00Z', { kind: 'bulk', calls: 1, monthly: 10, credits: 7, refundedCredits: 2 });
  await used('2026-01-06T01:00Z', { keyId: second.id, calls: 4, credits: 4 });
  await used('2026-02-01T00:00Z', { kind: 'batch', refundedMonthly: 3, refundedLate: 9 });
  const span = '?from=2026-01-01&to=2026-02-01';

  t.strictSame((await history(span)).json, {
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
    interval: 'day',
    total: { ...NONE, calls: 8, units: 23, monthly: 14, credits: 9, refunded: 3 },
    data: [
      { from: '2026-01-05T00:00:00.000Z', ...NONE, calls: 3, units: 4, monthly: 4, refunded: 1 },
      {
        ...{ ...NONE, from: '2026-01-06T00:00:00.000Z' },
        ...{ calls: 5, units: 19, monthly: 10, credits: 9, refunded: 2 },
      },
    ],
    before: null,
  });
  const byKind = (await history(`${span}&group=kind&interval=month`)).json;
  t.match(byKind.data, [
    { from: '2026-01-01T00:00:00.000Z', kind: 'bulk', units: 15 },
    { kind: 'single', calls: 7, units: 8 },
  ]);
  t.notOk('key' in byKind.data[0]!);
  const byKey = (await history(`${span}&group=key&interval=month`)).json;
  t.strictSame(
    usageRows(byKey).map(({ key, units }) => [key, units]),
    [
      [{ id: keyId, name: 'test', prefix: key.slice(0, usageRows(byKey)[0]!.key.prefix!.length) }, 19],
      [{ id: second.id, name: '=shop', prefix: second.prefix }, 4],
    ],
  );
  await admin('DELETE', `/keys/${second.id}`);
  t.strictSame((await history(`${span}&group=key&interval=month`)).json, byKey, 'also when it is revoked');

  const late = (await history('?from=2026-02-01T00:00:00Z&to=2026-02-01T00:30:00%2B00:00&group=kind')).json;
  t.strictSame(late.to, '2026-02-02T00:00:00.000Z', 'the span is widened to whole intervals');
  t.strictSame(late.total, { ...NONE, units: -3, monthly: -3, refunded: 3, refunded_late: 9 });

  const asOperator = await admin('GET', `/accounts/${id}/usage${span}&group=key`);
  t.strictSame(asOperator.json, (await history(`${span}&group=key`)).json);
});

t.test('usage that is no longer kept by day is a sum, and a span that includes it is refused', async (t) => {
  const { id, history, used } = await newAccount();
  await used('2024-03-01T00:00Z', { calls: 2, monthly: 5, credits: 4, refundedCredits: 1 });
  await used('2026-01-06T00:00Z', { calls: 1, monthly: 1 });
  t.equal((await history('?from=2024-03-01&to=2024-04-01')).json.before, null);
  await sql`update usage_kept set since = '2025-01-01'`;
  t.teardown(() => sql`update usage_kept set since = null`);
  const kept = await history('?from=2025-01-01&to=2026-02-01&interval=month');
  t.match(kept.json, {
    total: { calls: 1 },
    before: {
      until: '2025-01-01T00:00:00.000Z',
      ...{ calls: 2, units: 8, monthly: 5, credits: 3, refunded: 1, refunded_late: 0 },
    },
  });
  const refused = {
    status: 400,
    json: { details: /before 2025-01-01 is kept only as a sum/ },
  };
  t.match(await history('?from=2024-12-31T23:59:59Z&to=2026-02-01&interval=month'), refused);
  t.match(await admin('GET', `/accounts/${id}/usage?from=2024-03-01&to=2026-02-01&interval=month`), refused);
  t.match(await admin('GET', '/usage?from=2024-12-01&to=2026-02-01'), refused);
  t.equal((await admin('HEAD', '/usage?from=2024-12-01&to=2026-02-01')).status, 400);
  t.equal((await admin('GET', '/usage?from=2025-01-01&to=2026-02-01')).status, 200);
});

t.test('without parameters the history is this month by day', async (t) => {
  const { history, used } = await newAccount();
  const month = new Date().toISOString().slice(0, 7);
  const before = Date.parse(`${month}-01`) - HOUR_MS;
  await used(thisHour, { calls: 2, monthly: 2 });
  await used(before, { calls: 5, monthly: 5 });
  const { json } = await history();
  t.match(json, { interval: 'day', from: `${month}-01T00:00:00.000Z`, total: { calls: 2, units: 2 } });
  t.match((await history('?interval=hour')).json.data, [
    { from: new Date(thisHour).toISOString(), calls: 2 },
  ]);
  const last = await history(`?to=${month}-01`);
  t.match(last.json, { to: `${month}-01T00:00:00.000Z`, total: { calls: 5 } }, 'the month before `to`');
  t.equal(last.json.data.length, 1);
});

t.test("another account's usage cannot be read", async (t) => {
  const owner = await newAccount();
  const other = await newAccount();
  await owner.used(thisHour, { calls: 2, monthly: 2 });
  for (const query of ['', '?group=key', '?group=kind', `?account_id=${owner.id}`, `?key=${owner.keyId}`]) {
    const { status, json } = await other.history(query);
    if (status === 400) t.match(json.details, /is not a parameter of this call/);
    else t.strictSame([status, json.data, json.total], [200, [], NONE], query);
  }
  for (const path of [`/admin/v1/accounts/${owner.id}/usage`, '/admin/v1/usage']) {
    t.equal((await call({ url: path, key: owner.key })).status, 401, path);
    t.equal((await call({ url: path })).status, 401, path);
  }
  t.equal((await admin('GET', `/accounts/${RANDOM_ID}/usage`)).status, 404);
});

t.test('a wrong span is a 400 that names the parameter and says what to change', async (t) => {
  const { id, history } = await newAccount();
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const notATime =
    'must be a date such as 2026-11-01, or a date and time such as 2026-11-01T09:00:00Z, from 2000 to 2100';
  const refused: readonly (readonly [string, string])[] = [
    ...[
      'yesterday',
      'Infinity',
      '-Infinity',
      'NaN',
      '',
      '0',
      '1767225600',
      '2026-1-1',
      '2026-02-30',
      '2026-13-01',
    ].flatMap((odd) => [
      [`from=${odd}`, `from: ${notATime}`] as const,
      [`to=${odd}`, `to: ${notATime}`] as const,
    ]),
    ['from=2026-01-01T00:00:00', `from: ${notATime}`],
    ['from=2026-01-01&from=2026-01-02', 'from: must be sent only once'],
    ['from=1999-12-31&to=2000-01-02', `from: ${notATime}`],
    ['to=2100-01-02', `to: ${notATime}`],
    ['from=2026-02-02&to=2026-02-01', 'from: must be earlier than to'],
    ['from=2026-02-02&to=2026-02-02', 'from: must be earlier than to'],
    ['from=2099-01-01', 'from: must be earlier than to'],
    ['from=2025-01-01&to=2026-01-03', 'from: must be at most 366 days earlier than to with the interval day'],
    [
      'interval=month&from=2015-01-01&to=2026-01-01',
      'from: must be at most 3660 days earlier than to with the interval month',
    ],
    [`interval=hour&from=${ago(32)}`, 'from: must be at most 31 days earlier than to with the interval hour'],
    [
      `interval=hour&from=${ago(91)}&to=${ago(89)}`,
      'from: hours are kept for 90 days; choose a later from, or the interval day',
    ],
    ['interval=week', 'interval: must be one of hour, day, month'],
    ['group=account', 'group: must be one of key, kind'],
    ['timeZone=Europe/Berlin', 'timeZone: is not a parameter of this call'],
  ];
  for (const [query, details] of refused) {
    const own = await history(`?${query}`);
    t.match(own, { status: 400, json: { error: 'Invalid query parameters', details } }, query);
    const asked = await admin('GET', `/accounts/${id}/usage?${query}`);
    t.strictSame([asked.status, asked.json], [400, own.json], query);
    if (query.startsWith('group')) continue;
    // The report has another default interval.
    const report = await admin('GET', `/usage?${query}${query.includes('interval') ? '' : '&interval=day'}`);
    t.strictSame([report.status, report.json], [400, own.json], `report ${query}`);
  }
  t.match(await admin('GET', '/usage?group=key'), {
    status: 400,
    json: { details: 'group: is not a parameter of this call' },
  });
  for (const query of [
    'from=2025-01-01&to=2026-01-02',
    'interval=month&from=2016-01-01&to=2026-01-01',
    `interval=hour&from=${ago(90 - 0.01)}&to=${ago(80)}`,
    'from=2026-01-01T00:00:00%2B01:00&to=2100-01-01T00:00:00Z&interval=month'.replace('2100', '2030'),
  ]) {
    t.equal((await history(`?${query}`)).status, 200, query);
  }
});

t.test('an answer that would be too long is refused', async (t) => {
  const { id, history } = await newAccount();
  const from = new Date(thisHour - 20 * DAY_MS);
  await sql`
    insert into usage_hours (account_id, hour, key_id, kind, calls)
    select ${id}, hour, gen_random_uuid(), 'single', 1
    from generate_series(${from}, ${new Date(from.getTime() + 19 * DAY_MS)}, interval '1 hour') as hour,
      generate_series(1, 22)`;
  const query = `?interval=hour&from=${from.toISOString()}`;
  t.match(await history(`${query}&group=key`), {
    status: 400,
    json: {
      details:
        'from: the answer has more than 10000 rows; choose a later from, a longer interval or no group',
    },
  });
  const { json } = await history(query);
  t.strictSame([json.data.length, json.total.calls], [19 * 24 + 1, (19 * 24 + 1) * 22]);
});

t.test('the report of all accounts is a CSV whose cells cannot act as formulas', async (t) => {
  await sql`truncate usage_hours, usage_days`;
  const names = ['=HYPERLINK("http://evil.example","x")', 'Café, "Aurora"\nand Söhne', '@sum', 'plain'];
  const made = [];
  for (const name of names) {
    const { json } = await admin('POST', '/accounts', { name: name.replace('\n', ' '), plan: 'free' });
    made.push(json.id as string);
  }
  await admin('POST', '/accounts', { name: 'idle', plan: 'free' });
  await insertHours(
    sql,
    made.flatMap((accountId, index) => [
      usedHour({
        accountId,
        keyId: RANDOM_ID,
        hour: new Date('2026-01-05'),
        calls: 2,
        monthly: 4,
        credits: index,
      }),
      usedHour({
        accountId,
        keyId: RANDOM_ID,
        hour: new Date('2026-01-31T23:00Z'),
        calls: 1,
        monthly: 1,
        refundedMonthly: 2,
      }),
      usedHour({ accountId, keyId: RANDOM_ID, hour: new Date('2026-02-01'), calls: 100, monthly: 100 }),
    ]),
  );
  const url = '/admin/v1/usage?from=2026-01-01&to=2026-02-01';
  const answer = await call({ url, key: ADMIN_TOKEN });
  t.match(answer, {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': /^attachment; filename="usage 2026-01-01\.csv"/,
      'cache-control': 'private, no-store',
    },
  });
  t.match(
    answer.text,
    /^account_id,name,plan,from,calls,units,monthly,credits,refunded,refunded_late,load_test_calls,load_test_units\r\n/,
  );
  const rows: Record<string, string>[] = parse(answer.text, { columns: true });
  t.strictSame(
    rows.map((row) => ({ ...row })),
    made.map((id, index) => ({
      account_id: id,
      name: [`'${names[0]}`, 'Café, "Aurora" and Söhne', "'@sum", 'plain'][index]!,
      plan: 'free',
      from: '2026-01-01T00:00:00.000Z',
      calls: '3',
      units: String(3 + index),
      monthly: '3',
      credits: String(index),
      refunded: '2',
      refunded_late: '0',
      load_test_calls: '0',
      load_test_units: '0',
    })),
  );
  const daily = await call({ url: `${url}&interval=day`, key: ADMIN_TOKEN });
  t.equal(parse(daily.text).length, 1 + 2 * made.length);
  const none = await call({ url: '/admin/v1/usage?from=2020-01-01&to=2020-02-01', key: ADMIN_TOKEN });
  t.equal(parse(none.text).length, 1, 'without usage there is only the header');
  const head = await call({ method: 'HEAD', url, key: ADMIN_TOKEN });
  t.strictSame(
    [head.status, head.text, head.headers['content-type']],
    [200, '', answer.headers['content-type']],
  );
});

t.test('a report that cannot start is a 503, not a truncated file', async (t) => {
  const postgres = await realServer();
  await postgres.stop();
  const { status, json, headers } = await admin('GET', '/usage');
  await postgres.start();
  t.match(
    { status, json, headers },
    {
      status: 503,
      json: { error: 'Service unavailable' },
      headers: { 'retry-after': /^\d+$/, 'content-disposition': undefined },
    },
  );
});
