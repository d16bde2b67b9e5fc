/** Kills gateways while they import links, and while they remove those of an import that is cancelled. */
import { type KillOptions, startVictims } from '../jobs/victims.ts';

const slugAt = (place: number): string => `mv-${String(place).padStart(7, '0')}`;
const addressAt = (place: number): string => `https://example.com/${place}`;

const rowsOf = (links: number): string =>
  Array.from({ length: links }, (_, place) =>
    JSON.stringify({
      ...{ slug: slugAt(place), destination: addressAt(place), name: `Link ${place}` },
      ...{ tags: [`tag ${place % 7}`], external_id: `item ${place}`, scans: place % 100 },
    }),
  ).join('\n');

/** Imports links into two gateways, and kills one of them now and then. */
export const killDuringImport = async (options: KillOptions) => {
  const { links, ledger } = options;
  const { sql } = ledger;
  const { accountId, send, show, leadsTo, endOf, expect, faults } = await startVictims(options);
  const rows = rowsOf(links);
  const { id, sendSeconds } = await send('/links/imports', rows);
  const seconds = await endOf(id, links);
  const { state, handled, made, unchanged, faults: faulty } = await show(id);
  expect(
    JSON.stringify({ state, handled, made, unchanged, faulty }),
    JSON.stringify({ state: 'done', handled: links, made: links, unchanged: 0, faulty: 0 }),
    'the import',
  );
  const [found] = await sql`
    select count(*)::int as links, count(distinct c.id)::int as codes, count(distinct code_place(c.id))::int as places,
      count(*) filter (where l.destination = 'https://example.com/' || substr(l.own_slug, 4)::int
        and c.name = 'Link ' || substr(l.own_slug, 4)::int and c.own_slugs = l.own_slug
        and c.tags = array['tag ' || substr(l.own_slug, 4)::int % 7])::int as whole
    from links l join codes c on c.slug = l.slug join own_slugs o on o.link_slug = l.slug and o.slug = l.own_slug
    where l.account_id = ${accountId}`;
  expect(found?.links, links, 'links that are there');
  expect(found?.codes, links, 'their codes');
  expect(found?.places, Math.min(links, 10_000), 'places of their codes');
  expect(found?.whole, links, 'links that are as their rows say');
  const [counted] = await sql`select links::int from imported_links where account_id = ${accountId}`;
  expect(counted?.links, links, 'imported links that are counted');
  expect(await leadsTo(slugAt(links - 1)), addressAt(links - 1), 'the redirect of the last link');
  return { sendSeconds, seconds, faults };
};

/** Cancels an import in its midst, kills gateways while they remove what it has made, and imports the links again. */
export const killDuringRemoval = async (options: KillOptions) => {
  const { links, ledger } = options;
  const { sql } = ledger;
  const { accountId, send, show, post, begins, endOf, expect, faults } = await startVictims(options);
  const rows = rowsOf(links);
  const left = async () => {
    const [row] = await sql`
      select (select count(*) from links where account_id = ${accountId})::int as links,
        (select count(*) from codes where account_id = ${accountId})::int as codes,
        (select count(*) from own_slugs where slug like 'mv-%')::int as slugs,
        (select links from imported_links where account_id = ${accountId})::int as counted`;
    return JSON.stringify(row);
  };
  const { id: whole } = await send('/links/imports?all_or_nothing=true', rows);
  await begins(whole);
  await post(`/link-jobs/${whole}/cancel`, {});
  const removalSeconds = await endOf(whole, (await show(whole)).made);
  expect((await show(whole)).state, 'cancelled', 'the state of the import that is whole or not at all');
  expect(
    await left(),
    JSON.stringify({ links: 0, codes: 0, slugs: 0, counted: 0 }),
    'what is left of the import',
  );

  const { id: part } = await send('/links/imports', rows);
  await begins(part);
  await post(`/link-jobs/${part}/cancel`, {});
  await endOf(part, links);
  const { made, state } = await show(part);
  expect(state, 'cancelled', 'the state of the other import');
  expect(
    await left(),
    JSON.stringify({ links: made, codes: made, slugs: made, counted: made }),
    'what is made before a cancellation',
  );

  const { id: again } = await send('/links/imports', rows);
  await endOf(again, links);
  const last = await show(again);
  expect(last.unchanged, made, 'links that were there');
  expect(last.made, links - made, 'links that were not');
  expect(
    await left(),
    JSON.stringify({ links, codes: links, slugs: links, counted: links }),
    'what is there in the end',
  );
  return { removalSeconds, kept: made, faults };
};
