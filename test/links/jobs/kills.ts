/** Kills gateways while they work on a link job, and reports what is wrong afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Victim } from '../../batches/kills/kills.ts';
import { until } from '../../servers/until.ts';
import type { AnswerBody } from '../../support/app/answer-body.ts';
import type { Ledger } from '../../support/database/ledger.ts';
import { createFractions } from '../../support/random.ts';

interface KillOptions {
  readonly adminToken: string;
  readonly links: number;
  readonly kills: number;
  /** Seed that decides which gateway is killed when. */
  readonly seed: number;
  readonly ledger: Pick<Ledger, 'sql'>;
  /** Starts a gateway, at the beginning or to replace one that was killed. */
  start(): Promise<Victim>;
  say(text: string): void;
}

const GATEWAYS = 2;
const END_MAX_MS = 600_000;
const LATER_MAX_MS = 300;

/** The slug of a copied link. */
export const slugAt = (place: number): string => `J${String(place).padStart(7, '0')}`;
const addressAt = (place: number): string => `https://example.org/${place}`;

/** Gives the account more links by copies of its only code. */
export const copyLink = async (
  { sql }: Pick<Ledger, 'sql'>,
  accountId: string,
  links: number,
): Promise<void> => {
  for (let first = 0; first < links; first += 5000)
    await sql.begin(async (tx) => {
      const last = Math.min(first + 5000, links) - 1;
      await tx`
        insert into links (slug, account_id, destination)
        select 'J' || lpad(n::text, 7, '0'), ${accountId}, 'https://example.com/' || n
        from generate_series(${first}::integer, ${last}::integer) as n`;
      await tx`
        insert into codes (id, account_id, folder_id, design_id, grade, warnings, slug, content)
        select code_id(now(), n % 10000), c.account_id, c.folder_id, c.design_id, 4, '', 'J' || lpad(n::text, 7, '0'),
          convert_to('https://example.com/' || n, 'UTF8')
        from generate_series(${first}::integer, ${last}::integer) as n cross join (
          select * from codes where account_id = ${accountId} and slug not like 'J_______' limit 1) as c`;
    });
};

/** Sends a job for all links to two gateways, kills one of them now and then, and undoes the job. */
export const killDuringJob = async (options: KillOptions) => {
  const { adminToken, links, kills, seed, ledger, start, say } = options;
  const { sql } = ledger;
  const random = createFractions(seed);
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, start));
  const ask = async (path: string, token: string, type?: string, body?: string): Promise<AnswerBody> => {
    const answer = await fetch(gateways[0]!.url + path, {
      method: type === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as AnswerBody;
  };
  const post = (path: string, token: string, body: object) =>
    ask(path, token, 'application/json', JSON.stringify(body));
  const { id: accountId } = await post('/admin/v1/accounts', adminToken, { name: 'kills', plan: 'pro' });
  const { key } = await post(`/admin/v1/accounts/${accountId}/keys`, adminToken, { name: 'kills' });
  await post('/api/v1/codes', key, { data: 'https://example.com/', dynamic: true });
  await copyLink(ledger, accountId, links);
  const rows = Array.from({ length: links }, (_, place) =>
    JSON.stringify({ slug: slugAt(place), destination: addressAt(place), tags: [`tag ${place % 7}`] }),
  );
  const show = (id: string) => ask(`/api/v1/link-jobs/${id}`, key);

  const endOf = async (id: string): Promise<number> => {
    const startedMs = performance.now();
    let done = 0;
    for (; done < kills; done += 1) {
      const wanted = ((done + 0.5) * links) / (kills + 1);
      await until(
        async () => {
          const { handled, finished_at } = await show(id);
          return handled >= wanted || finished_at !== null;
        },
        { pauseMs: 20, deadlineMs: END_MAX_MS },
      );
      await sleep(random() * LATER_MAX_MS);
      const { handled, finished_at } = await show(id);
      if (finished_at !== null) break;
      const place = Math.floor(random() * GATEWAYS);
      await gateways[place]!.kill();
      say(`gateway ${place + 1} is killed at ${handled} of ${links} rows`);
      gateways[place] = await start();
    }
    await until(async () => (await show(id)).finished_at !== null, { pauseMs: 50, deadlineMs: END_MAX_MS });
    return (performance.now() - startedMs) / 1000;
  };

  const faults: string[] = [];
  const expect = (is: unknown, wanted: unknown, what: string): void => {
    if (is !== wanted) faults.push(`${what}: ${is}, not ${wanted}`);
  };
  const sentMs = performance.now();
  const sent = await ask('/api/v1/link-jobs', key, 'application/x-ndjson', rows.join('\n'));
  const sendSeconds = (performance.now() - sentMs) / 1000;
  const seconds = await endOf(sent.id);
  const job = await show(sent.id);
  for (const [field, wanted] of Object.entries({
    state: 'done',
    handled: links,
    changed: links,
    unchanged: 0,
  }))
    expect(job[field as keyof AnswerBody], wanted, field);
  const [after] = await sql`
    select count(*) filter (where l.destination = 'https://example.org/' || substr(l.slug, 2)::int)::int as routes,
      count(*) filter (where c.tags = array['tag ' || substr(l.slug, 2)::int % 7])::int as tags
    from links l join codes c on c.slug = l.slug where l.account_id = ${accountId} and l.slug like 'J_______'`;
  expect(after?.routes, links, 'links that lead where their rows say');
  expect(after?.tags, links, 'codes with the tags of their rows');
  const [history] = await sql`
    select count(*)::int as entries, count(distinct slug)::int as links from link_history where change_id = ${sent.id}`;
  expect(history?.entries, links, 'entries in the histories');
  expect(history?.links, links, 'links with an entry');
  const visit = await fetch(`${gateways[1]!.url}/l/${slugAt(links - 1)}`, { redirect: 'manual' });
  expect(visit.headers.get('location'), addressAt(links - 1), 'the redirect of the last link');

  const undo = await post(`/api/v1/link-jobs/${sent.id}/undo`, key, {});
  const undoSeconds = await endOf(undo.id);
  expect((await show(undo.id)).changed, links, 'links that are brought back');
  const [back] = await sql`
    select count(*) filter (where l.destination = 'https://example.com/' || substr(l.slug, 2)::int)::int as routes,
      count(*) filter (where c.tags is null)::int as tags
    from links l join codes c on c.slug = l.slug where l.account_id = ${accountId} and l.slug like 'J_______'`;
  expect(back?.routes, links, 'links that lead where they led');
  expect(back?.tags, links, 'codes with their earlier tags');
  return { sendSeconds, seconds, undoSeconds, faults };
};
