/** What a redirect costs, for each kind of link and by the resolver, and a decision by rules. */
import type { Rule } from '../../src/db/tables/rules/rule.ts';
import { createScanClassifier } from '../../src/links/classify.ts';
import { decide, readyRules } from '../../src/links/rules/decide.ts';
import { createVisitors, factsOf } from '../../src/links/rules/facts.ts';
import { startNameServer } from '../../test/domains/name-server.ts';
import { createLinks, gtinOf } from '../../test/servers/account.ts';
import { type Caller, createCaller } from '../../test/servers/caller.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { startTestbed, type Target } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import { atMost, type Verdict } from '../say.ts';
import { cpuOfCases, measureInTurns, type Part } from './part.ts';

const REQUESTS = 6000;
const ROUNDS = 9;
const LINKS_RISE_MAX = 1.1;
/** Of links that are decided by each visit. */
const DECIDED_RISE_MAX = 1.15;
/** The count of each link is read again every second. */
const COUNTED_RISE_MAX = 1.3;
const HOST_RISE_MAX = 1.05;
const RESOLVER_RISE_MAX = 1.3;
const DECISION_MAX_US = 20;
const VISITS_MAX = 1_000_000_000;
const YEAR_MS = 365 * 86_400_000;
const ITEMS = 100;

/** The headers of every visit. */
const VISITOR = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'accept-language': 'de-CH,de;q=0.9,en;q=0.8',
};

/** Conditions that this visitor does not meet, but for the last. */
const RULES = [
  { device: ['ios'], time: { zone: 'Europe/Berlin', from: '00:00' } },
  { language: ['fr', 'it', 'en'] },
  { query: { utm_source: ['poster'] } },
  { country: ['CH', 'LI'] },
  { share_percent: 99.99 },
].map((when, n) => ({
  name: `rule-${n}`,
  when,
  destination: `https://example.com/rule/${n}`,
})) as readonly Rule[];

interface Kind {
  /** Slugs, or paths of Digital Link URIs. */
  readonly paths: readonly string[];
  /** Of the cost, as a multiple of that of the first kind. */
  readonly riseMax: number;
  /** Of each visit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Links, by what is special about them. */
type Kinds = Readonly<Record<string, Kind>>;

interface Proved {
  readonly proof: { readonly record_name: string; readonly text: string };
}

const start = async (scope: Scope, more: Readonly<Record<string, string>> = {}) => {
  const env = { GATEWAYS: '1', RENDER_THREADS: '1', ...more };
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
  share: number,
): Promise<readonly Verdict[]> => {
  const load = { requests: Math.ceil(REQUESTS * share), connections: 32 };
  const turns = Object.entries(kinds).map(([name, { paths, headers }]) => ({
    ...{ ...target, ...load, name },
    kind: paths[0]!.startsWith('/') ? ('resolve' as const) : ('redirect' as const),
    aim: { ...aim, uris: paths, slugs: paths, visitor: headers },
  }));
  const all = await measureInTurns(startGenerator(scope), turns, Math.ceil(ROUNDS * share));
  const [first, ...others] = all;
  return [
    ...all.flatMap(({ verdicts }) => verdicts),
    ...others.map(({ name, ratio }) =>
      atMost(`${name} against ${first!.name}`, ratio, kinds[name]!.riseMax, 'times'),
    ),
  ];
};

/** The cost of a decision of a visitor who is known by the user agent, as nearly all are. */
const decisions = async (share: number): Promise<readonly Verdict[]> => {
  const parts = {
    classify: createScanClassifier(1),
    places: { placeOf: () => ({ country: 'DE', region: 'DE-BY', city: 'Munich' }) },
    visitors: createVisitors(1, () => 'salt'),
  };
  const request = { firstSlug: '4fGk2LmQ', headers: VISITOR, address: '192.0.2.7', url: '/l/4fGk2LmQ' };
  const deciding = (rules: readonly Rule[]) => {
    const ready = readyRules(rules);
    return () => decide(ready, factsOf(request, parts));
  };
  const cases = {
    'a decision of five rules': deciding(RULES),
    'a decision of twenty rules': deciding(Array.from({ length: 20 }, (_, n) => RULES[n < 19 ? n % 4 : 4]!)),
  };
  return [...(await cpuOfCases(cases, Math.ceil(ROUNDS * share)))].map(([name, ms]) =>
    atMost(name, ms * 1000, DECISION_MAX_US, 'us'),
  );
};

/** The cost of a redirect for each kind of link. */
export const links: Part = async (scope, { share }) => {
  const names = await startNameServer(scope);
  const { target, caller, plain, createLinks } = await start(scope, { DOMAIN_NAME_SERVERS: names.address });
  const changed = async (change: object, riseMax = LINKS_RISE_MAX) => {
    const paths = await createLinks();
    await caller.make('PATCH', '/api/v1/links', { body: { slugs: paths, change } });
    return { paths, riseMax, headers: VISITOR };
  };
  /** Proves a domain, and makes links there. */
  const atDomain = async (host: string) => {
    // Recipes visit links below a prefix.
    const { body } = await caller.make<Proved>('POST', '/api/v1/domains', { body: { host, prefix: 'l' } });
    names.records.set(body.proof.record_name, body.proof.text);
    await caller.make('POST', `/api/v1/domains/${host}/verify`);
    const usual = (is_default: boolean) =>
      caller.make('PATCH', `/api/v1/domains/${host}`, { body: { is_default } });
    await usual(true);
    const paths = await createLinks();
    await usual(false);
    return { paths, riseMax: HOST_RISE_MAX, headers: { ...VISITOR, host } };
  };
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const past = { active_until: at(-YEAR_MS) };
  await caller.make('PATCH', '/api/v1/account', { body: { dead_link_url: 'https://example.com/dead' } });
  const renamed = await createLinks();
  const own = renamed.map((_, n) => `spring-menu-of-the-house-${String.fromCharCode(97 + (n % 26))}-x${n}`);
  for (const [n, slug] of renamed.entries())
    await caller.make('PATCH', `/api/v1/links/${slug}`, { body: { slug: own[n] } });
  const { body: ruleSet } = await caller.make('POST', '/api/v1/rule-sets', {
    body: { name: 'five', rules: RULES },
  });
  const template = {
    destination: 'https://example.com/{query.size}?code={slug}',
    forward: { query: 'keep-own', utm: { source: 'poster' } },
  };
  const { paths: sized } = await changed(template);
  const kinds = {
    plain: { paths: plain, riseMax: 1, headers: VISITOR },
    'five rules': await changed({ rules: RULES }, DECIDED_RISE_MAX),
    'a rule set of five rules': await changed({ rule_set_id: ruleSet.id }, DECIDED_RISE_MAX),
    'a template, with the query passed on': {
      paths: sized.map((slug) => `${slug}?size=42&colour=green`),
      ...{ riseMax: DECIDED_RISE_MAX, headers: VISITOR },
    },
    'a limit of visits': await changed({ visit_limit: VISITS_MAX }, COUNTED_RISE_MAX),
    'on an own domain': await atDomain('qr.brand.example'),
    'a start and an end': await changed({ active_from: at(-YEAR_MS), active_until: at(YEAR_MS) }),
    'ended, with a destination for visitors after the end': await changed({
      ...past,
      after_destination: 'https://example.com/over',
    }),
    'ended, with the destination of the account (no scan)': await changed(past),
    'a custom slug of 30 characters': { paths: own, riseMax: LINKS_RISE_MAX, headers: VISITOR },
    'by its former slug': { paths: renamed, riseMax: LINKS_RISE_MAX, headers: VISITOR },
  };
  return [...(await compare(scope, target, kinds, share)), ...(await decisions(share))];
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
  const paths = {
    'a short link': plain,
    'a GTIN': gtins.map((gtin) => `/01/${gtin}`),
    'a lot': gtins.map((gtin) => `/01/${gtin}/10/LOT1`),
    'an unknown serial number': gtins.map((gtin, n) => `/01/${gtin}/21/SERIAL${n}`),
    'a link type': gtins.map((gtin) => `/01/${gtin}?linkType=gs1:pip`),
  };
  const kinds = Object.entries(paths).map(([name, paths]) => [
    name,
    { paths, riseMax: RESOLVER_RISE_MAX, headers: {} },
  ]);
  return compare(scope, target, Object.fromEntries(kinds), share);
};
