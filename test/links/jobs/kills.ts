/** Kills gateways while they work on a job that changes links, and while they undo it. */
import type { Ledger } from '../../support/database/ledger.ts';
import { type KillOptions, startVictims } from './victims.ts';

/** The slug of a copied link. */
export const slugAt = (place: number): string => `J${String(place).padStart(7, '0')}`;
const addressAt = (place: number): string => `https://example.org/${place}`;

/** Gives the account more links by copies of its only code, with the slugs from a place until before another. */
export const copyLink = async (
  { sql }: Pick<Ledger, 'sql'>,
  accountId: string,
  links: number,
  begin = 0,
): Promise<void> => {
  for (let first = begin; first < links; first += 5000)
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
          select * from codes where account_id = ${accountId} and slug !~ '^J[0-9]{7}$' limit 1) as c`;
    });
};

/** Sends a job for all links to two gateways, kills one of them now and then, and undoes the job. */
export const killDuringJob = async (options: KillOptions) => {
  const { links, ledger } = options;
  const { sql } = ledger;
  const { accountId, post, send, show, leadsTo, endOf, expect, faults } = await startVictims(options);
  await post('/codes', { data: 'https://example.com/', dynamic: true });
  await copyLink(ledger, accountId, links);
  const rows = Array.from({ length: links }, (_, place) =>
    JSON.stringify({ slug: slugAt(place), destination: addressAt(place), tags: [`tag ${place % 7}`] }),
  );

  const { id, sendSeconds } = await send('/link-jobs', rows.join('\n'));
  const seconds = await endOf(id, links);
  const job = await show(id);
  for (const [field, wanted] of Object.entries({
    state: 'done',
    handled: links,
    changed: links,
    unchanged: 0,
  }))
    expect(job[field as keyof typeof job], wanted, field);
  const [after] = await sql`
    select count(*) filter (where l.destination = 'https://example.org/' || substr(l.slug, 2)::int)::int as routes,
      count(*) filter (where c.tags = array['tag ' || substr(l.slug, 2)::int % 7])::int as tags
    from links l join codes c on c.slug = l.slug where l.account_id = ${accountId} and l.slug like 'J_______'`;
  expect(after?.routes, links, 'links that lead where their rows say');
  expect(after?.tags, links, 'codes with the tags of their rows');
  const [history] = await sql`
    select count(*)::int as entries, count(distinct slug)::int as links from link_history where change_id = ${id}`;
  expect(history?.entries, links, 'entries in the histories');
  expect(history?.links, links, 'links with an entry');
  expect(await leadsTo(slugAt(links - 1)), addressAt(links - 1), 'the redirect of the last link');

  const undo = await post(`/link-jobs/${id}/undo`, {});
  const undoSeconds = await endOf(undo.id, links);
  expect((await show(undo.id)).changed, links, 'links that are brought back');
  const [back] = await sql`
    select count(*) filter (where l.destination = 'https://example.com/' || substr(l.slug, 2)::int)::int as routes,
      count(*) filter (where c.tags is null)::int as tags
    from links l join codes c on c.slug = l.slug where l.account_id = ${accountId} and l.slug like 'J_______'`;
  expect(back?.routes, links, 'links that lead where they led');
  expect(back?.tags, links, 'codes with their earlier tags');
  return { sendSeconds, seconds, undoSeconds, faults };
};
