/** What a redirect costs, for each kind of link and by the resolver. */
import { createLinks, gtinOf } from '../../test/servers/account.ts';
import { type Caller, createCaller } from '../../test/servers/caller.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { startTestbed, type Target } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import { atMost, type Verdict } from '../verdict.ts';
import type { Part } from './part.ts';
import { measureInTurns } from './turns.ts';

const REQUESTS = 6000;
const ROUNDS = 9;
const LINKS_RISE_MAX = 1.1;
const RESOLVER_RISE_MAX = 1.3;
const YEAR_MS = 365 * 86_400_000;
const ITEMS = 100;

/** Slugs of links, or paths of Digital Link URIs, by what is special about them. */
type Kinds = Readonly<Record<string, readonly string[]>>;

const start = async (scope: Scope) => {
  const env = { GATEWAYS: '1', RENDER_THREADS: '1' };
  const target = await startTestbed(scope, { run: 'redirects', env });
  const { url } = target.gateway;
  const { key, slugs } = target.aim;
  const caller = createCaller({ url, key });
  scope.teardown(() => caller.end());
  return { target, caller, plain: slugs, createLinks: () => createLinks(url, key) };
};

/** Compares the redirects of all kinds with those of the first. */
const compare = async (
  scope: Scope,
  { aim, ...target }: Target,
  kinds: Kinds,
  { share, riseMax }: Readonly<Record<'share' | 'riseMax', number>>,
): Promise<readonly Verdict[]> => {
  const load = { requests: Math.ceil(REQUESTS * share), connections: 32 };
  const turns = Object.entries(kinds).map(([name, paths]) => ({
    ...{ ...target, ...load, name },
    ...(paths[0]!.startsWith('/')
      ? ({ kind: 'resolve', aim: { ...aim, uris: paths } } as const)
      : ({ kind: 'redirect', aim: { ...aim, slugs: paths } } as const)),
  }));
  const all = await measureInTurns(startGenerator(scope), turns, Math.ceil(ROUNDS * share));
  const rises = all.slice(1).map(({ name, ratio }) => ({ what: `${name} against ${all[0]!.name}`, ratio }));
  return [
    ...all.flatMap(({ verdicts }) => verdicts),
    ...rises.map(({ what, ratio }) => atMost(what, ratio, riseMax, 'times')),
  ];
};

/** The cost of a redirect for each kind of link. */
export const links: Part = async (scope, { share }) => {
  const { target, caller, plain, createLinks } = await start(scope);
  const changed = async (change: object): Promise<readonly string[]> => {
    const slugs = await createLinks();
    await caller.make('PATCH', '/api/v1/links', { body: { slugs, change } });
    return slugs;
  };
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const past = { active_until: at(-YEAR_MS) };
  const timed = await changed({ active_from: at(-YEAR_MS), active_until: at(YEAR_MS) });
  const ended = await changed({ ...past, after_destination: 'https://example.com/over' });
  const dead = await changed(past);
  await caller.make('PATCH', '/api/v1/account', { body: { dead_link_url: 'https://example.com/dead' } });
  const renamed = await createLinks();
  const own = renamed.map((_, n) => `spring-menu-of-the-house-${String.fromCharCode(97 + (n % 26))}-x${n}`);
  for (const [n, slug] of renamed.entries())
    await caller.make('PATCH', `/api/v1/links/${slug}`, { body: { slug: own[n] } });
  const kinds = {
    plain,
    'a start and an end': timed,
    'ended, with a destination for visitors after the end': ended,
    'ended, with the destination of the account (no scan)': dead,
    'a custom slug of 30 characters': own,
    'by its former slug': renamed,
  };
  return compare(scope, target, kinds, { share, riseMax: LINKS_RISE_MAX });
};

/** Makes an item for each GTIN and one for a lot of it. */
const importItems = async (caller: Caller, gtins: readonly string[]): Promise<void> => {
  const rows = gtins.flatMap((gtin) => [
    `(01)${gtin},gs1:pip,https://example.com/en/${gtin},Product,en,true`,
    `(01)${gtin},gs1:pip,https://example.com/fr/${gtin},Produit,fr,`,
    `(01)${gtin}(10)LOT1,gs1:recallStatus,https://example.com/lot/${gtin},Recall,,true`,
  ]);
  await caller.make('POST', '/api/v1/resolver/items/import', {
    headers: { 'content-type': 'text/csv' },
    body: ['key,rel,href,title,hreflang,default', ...rows].join('\n'),
  });
};

/** The cost of a redirect by the resolver. */
export const resolver: Part = async (scope, { share }) => {
  const { target, caller, plain } = await start(scope);
  const gtins = Array.from({ length: ITEMS }, (_, n) => gtinOf(n));
  await importItems(caller, gtins);
  const kinds = {
    'a short link': plain,
    'a GTIN': gtins.map((gtin) => `/01/${gtin}`),
    'a lot': gtins.map((gtin) => `/01/${gtin}/10/LOT1`),
    'an unknown serial number': gtins.map((gtin, n) => `/01/${gtin}/21/SERIAL${n}`),
    'a link type': gtins.map((gtin) => `/01/${gtin}?linkType=gs1:pip`),
  };
  return compare(scope, target, kinds, { share, riseMax: RESOLVER_RISE_MAX });
};
