/** Statements that reach their time limit after their first rows, and what is asked on the same connection at once. */
import t from 'tap';
import { ADMIN_TOKEN, type Call, startApp } from '../../support/app/app.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';

const LIMITS = 200;
const LANES = 3;
const LIMIT_MS = 400;

const url = await realDatabaseUrl();
const { sql } = await openFor(t, { url, dataDir: '' });
// A parameter of the URL is one of the session, and has precedence.
const { call, admin, account } = await startApp(t, { DATABASE_URL: `${url}?statement_timeout=${LIMIT_MS}` });

const { key } = await account({ monthlyQuota: 10_000 });

const makeLinks = async (): Promise<readonly { slug: string; destination: string }[]> => {
  const links = [];
  for (let from = 0; from < LIMITS; from += 100) {
    const destinations = Array.from({ length: 100 }, (_, i) => `https://example.com/${from + i}`);
    const items = destinations.map((data) => ({ data, dynamic: true }));
    const { json } = await call({ method: 'POST', url: '/api/v1/qr/bulk', key, body: { items } });
    links.push(...destinations.map((destination, i) => ({ destination, slug: json.results[i]!.slug })));
  }
  return links;
};

/** Folders that come before the slow one in the list. Reading the name of that one takes longer than the limit. */
const makeSlowList = async (): Promise<void> => {
  for (const name of ['slow', 'b', 'c', 'd'])
    await call({ method: 'POST', url: '/api/v1/folders', key, body: { name } });
  await sql.unsafe(`
    create function read_slowly(name text) returns text language plpgsql stable cost 1000000 as $$
    begin
      if name = 'slow' then perform pg_sleep(5); end if;
      return name;
    end $$;
    alter table folders rename to stored_folders;
    create view folders as
      select id, account_id, read_slowly(name) as name, keep, domain_id, created_at, deleted_at from stored_folders`);
};

/** An account with a key that no gateway knows yet. */
const makeAccount = async (name: string): Promise<{ name: string; key: string }> => {
  const { json } = await admin('POST', '/accounts', { name, plan: 'free' });
  return { name, key: (await admin('POST', `/accounts/${json.id}/keys`, { name })).json.key };
};

/** On a busy machine an ordinary look-up may reach its limit too. It is then asked again. */
const answer = async (request: Call) => {
  const first = await call(request);
  return first.status === 503 ? call(request) : first;
};

const single = (name: string, content: string) => ({
  ...{ method: 'POST' as const, url: '/api/v1/qr', key, body: { data: content } },
  headers: { 'idempotency-key': name },
});

t.test('what is asked after a time limit in mid-stream gets its own answer', async (t) => {
  const links = await makeLinks();
  const accounts: Awaited<ReturnType<typeof makeAccount>>[] = [];
  for (let i = 0; i < LIMITS; i += 1) accounts.push(await makeAccount(`account ${i}`));
  const first: string[] = [];
  for (let i = 0; i < LIMITS; i += 1) first.push((await answer(single(`name-${i}`, `content ${i}`))).text);
  await makeSlowList();

  const wrong: string[] = [];
  const check = (what: string, isRight: boolean) => {
    if (!isRight) wrong.push(what);
  };
  const tryOne = async (i: number): Promise<void> => {
    const list = await call({ url: '/api/v1/folders', key });
    check(`list ${i}: ${list.status} ${list.text}`, list.status === 503);
    check(`words: ${list.text}`, list.json.error === 'Time limit reached');
    check('Retry-After', list.headers['retry-after'] === '2');
    const { slug, destination } = links[i]!;
    const [link, other, replay] = await Promise.all([
      answer({ url: `/l/${slug}` }),
      answer({ url: '/api/v1/account', key: accounts[i]!.key }),
      answer(single(`name-${i}`, `content ${i}`)),
    ]);
    check(`link ${i}: ${link.status} ${link.text}`, link.headers.location === destination);
    check(`key ${i}: ${other.status} ${other.text}`, other.json.name === accounts[i]!.name);
    check(
      `replay ${i}: ${replay.status} ${replay.text.slice(0, 200)}`,
      replay.headers['idempotent-replayed'] === 'true',
    );
    check(`answer ${i}`, replay.text === first[i]);
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let i = lane; i < LIMITS; i += LANES) await tryOne(i);
  });
  await Promise.all(lanes);
  t.strictSame(wrong, []);
  const { text } = await call({ url: '/metrics', key: ADMIN_TOKEN });
  t.match(
    text,
    new RegExp(`tessera_http_requests_total\\{route="[^"]+",outcome="time_limit"\\} ${LIMITS}\\n`),
  );
  t.notMatch(text, /outcome="internal"/);
});
