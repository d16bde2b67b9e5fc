import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { LinkWindow } from '../../src/db/tables/rules/targets.ts';
import { createRedirects, type RedirectOptions } from '../../src/links/redirects.ts';
import { deferred } from '../support/deferred.ts';
import { silent } from '../support/silent-log.ts';

const ACCOUNT = 'account of all links';
const SLUG = 'abcdefgh';
const OTHER_SLUG = 'ijklmnop';
const THIRD_SLUG = 'qrstuvwx';
const HERE = 'https://example.com/here';
const THERE = 'https://example.com/there';
const UNKNOWN = { kind: 'unknown' };
const GONE = { kind: 'gone' };
/** The result for a slug, or for a custom slug of a link that was created under `slug`. */
const found = (destination: string, firstSlug = SLUG) => ({
  kind: 'found',
  destination,
  firstSlug,
  guard: null,
  maxAgeS: 0,
});
const dead = (destination: string) => ({ kind: 'dead', destination });
const PLAIN_VISIT = { query: '', rest: '' };
const UNAVAILABLE = { kind: 'unavailable' };

const BOUNDS = {
  max: 100,
  maxLoads: 10,
  loadTimeoutMs: 1000,
  refreshTimeoutMs: 1000,
  retryMs: 500,
  freshMs: 60_000,
  unknownMs: 5000,
  freshWithoutNewsMs: 1000,
  staleMs: 600_000,
};

type Listener = Parameters<RedirectOptions['changes']['subscribe']>[0];

/** Redirects over a table that can be unavailable, silent or slow, under a clock that the test moves. */
const build = (t: Test, options: Partial<RedirectOptions> = {}) => {
  const links = new Map<string, string>([[SLUG, HERE]]);
  /** By slug: the URL of dead links, for links that were deleted. */
  const deleted = new Map<string, string | null>();
  const asked: string[] = [];
  const listeners = new Set<Listener>();
  const world = {
    links,
    deleted,
    asked,
    /** The original slugs of links, by custom slug. */
    firstSlugs: new Map<string, string>(),
    listeners,
    errors: [] as string[],
    nowMs: 1_000_000,
    live: true,
    window: null as LinkWindow | null,
    away: false,
    /** While set, look-ups read at once and answer when it resolves. */
    hold: undefined as Promise<unknown> | undefined,
    tell: (change: Parameters<Listener>[0]) => {
      for (const listener of listeners) listener(change);
    },
  };
  t.intercept(performance, 'now', { value: () => world.nowMs });
  const redirects = createRedirects(
    {
      load: async (slug) => {
        asked.push(slug);
        const destination = links.get(slug) ?? null;
        const deadLinkUrl = deleted.get(slug);
        await world.hold;
        if (world.away) throw new Error('the database is away');
        if (destination === null && deadLinkUrl === undefined) return null;
        return {
          firstSlug: world.firstSlugs.get(slug) ?? slug,
          destination,
          accountId: ACCOUNT,
          deadLinkUrl: deadLinkUrl ?? null,
          window: world.window,
          guard: null,
          forward: null,
          maxAgeS: 0,
        };
      },
      rulesOf: () => [],
      changes: {
        get live() {
          return world.live;
        },
        subscribe(listener) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      ...BOUNDS,
      ...options,
    },
    { ...silent, error: (_, message) => void world.errors.push(message) },
  );
  const find = (written: string) => redirects.find(written, PLAIN_VISIT);
  const lookUp = (written: string) => redirects.lookUp(written, PLAIN_VISIT);
  return { ...world, world, find, lookUp, close: redirects.close };
};

/** Lets pending work get as far as it can. */
const settle = () => sleep(1);

t.test('a link is looked up once while it is fresh, and again afterwards', async (t) => {
  const { world, lookUp, asked } = build(t);
  t.strictSame(await lookUp(SLUG), found(HERE));
  world.nowMs += 59_999;
  t.strictSame(await lookUp(SLUG), found(HERE));
  t.equal(asked.length, 1);
  world.nowMs += 1;
  await lookUp(SLUG);
  t.equal(asked.length, 2);
});

t.test('characters behind a slug are neither looked up nor kept', async (t) => {
  const { lookUp, find, asked } = build(t);
  for (const tail of ['/', ')', '.', '-', '\n', '…', 'を', '/)'])
    t.strictSame(await lookUp(SLUG + tail), found(HERE), tail);
  t.strictSame(find(`${SLUG}/`), found(HERE));
  t.strictSame(asked, [SLUG]);
  for (const text of ['/', '…', `${SLUG}/x`, `${SLUG}.x`, `(${SLUG}`])
    t.strictSame(find(text), UNKNOWN, text);
});

t.test('without change notifications nothing stays fresh for longer than a second', async (t) => {
  const { world, lookUp, links, asked } = build(t);
  await lookUp(SLUG);
  await lookUp(OTHER_SLUG);
  world.live = false;
  links.set(SLUG, THERE).set(OTHER_SLUG, HERE);
  world.nowMs += 999;
  t.strictSame(await lookUp(SLUG), found(HERE));
  world.nowMs += 1;
  t.strictSame(await lookUp(SLUG), found(THERE));
  t.strictSame(await lookUp(OTHER_SLUG), found(HERE, OTHER_SLUG));
  t.equal(asked.length, 4);
});

t.test('a text that cannot be a slug is unknown without a look-up', async (t) => {
  const { find, lookUp, asked } = build(t);
  for (const text of ['', 'ab', 'ab-', '_begins', 'x'.repeat(65), 'ab/defg', 'abc\0defg', "' or 1=1"]) {
    t.strictSame(await lookUp(text), UNKNOWN, JSON.stringify(text));
  }
  t.strictSame(asked, []);
  t.strictSame(find('no slug!'), UNKNOWN, 'answered at once');
  t.equal(find(OTHER_SLUG), undefined, 'a possible slug is looked up');
});

t.test('a custom slug is resolved to the slug under which its scans are counted', async (t) => {
  const { world, lookUp, links } = build(t);
  links.set('spring-menu', HERE);
  world.firstSlugs.set('spring-menu', OTHER_SLUG);
  t.strictSame(await lookUp('spring-menu'), found(HERE, OTHER_SLUG));
});

t.test('parallel calls for one link share one look-up', async (t) => {
  const { world, lookUp, asked } = build(t);
  world.hold = sleep(5);
  const answers = await Promise.all(Array.from({ length: 50 }, () => lookUp(SLUG)));
  t.strictSame(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  t.strictSame(asked, [SLUG]);
});

t.test('an edit, a deletion and a new link apply as soon as they are announced', async (t) => {
  const { lookUp, links, tell } = build(t);
  t.strictSame(await lookUp(SLUG), found(HERE));
  t.strictSame(await lookUp(OTHER_SLUG), UNKNOWN);
  links.set(SLUG, THERE).set(OTHER_SLUG, HERE);
  t.strictSame([await lookUp(SLUG), await lookUp(OTHER_SLUG)], [found(HERE), UNKNOWN], 'not announced yet');
  tell({ kind: 'link', id: SLUG });
  tell({ kind: 'link', id: OTHER_SLUG });
  t.strictSame([await lookUp(SLUG), await lookUp(OTHER_SLUG)], [found(THERE), found(HERE, OTHER_SLUG)]);
  links.delete(SLUG);
  tell({ kind: 'link', id: SLUG });
  t.strictSame(await lookUp(SLUG), UNKNOWN);
});

t.test('announcements of other changes drop nothing; missed announcements drop everything', async (t) => {
  const { lookUp, links, tell, asked } = build(t);
  await lookUp(SLUG);
  await lookUp(OTHER_SLUG);
  tell({ kind: 'key', id: SLUG });
  tell({ kind: 'link', id: 'zzzzzzzz' });
  await lookUp(SLUG);
  t.equal(asked.length, 2);
  links.set(SLUG, THERE).set(OTHER_SLUG, HERE);
  tell({ kind: 'everything' });
  t.strictSame([await lookUp(SLUG), await lookUp(OTHER_SLUG)], [found(THERE), found(HERE, OTHER_SLUG)]);
});

t.test(
  'news of all links of an account outdate these and no others, however many accounts have news',
  async (t) => {
    const { world, lookUp, find, links, tell, asked } = build(t);
    await lookUp(SLUG);
    world.nowMs += 1;
    tell({ kind: 'links-of', id: 'another account' });
    await lookUp(SLUG);
    t.equal(asked.length, 1, 'nobody makes another look up');
    links.set(SLUG, THERE);
    tell({ kind: 'links-of', id: ACCOUNT });
    t.equal(find(SLUG), undefined);
    t.strictSame(await lookUp(SLUG), found(THERE));
    links.set(SLUG, HERE);
    world.nowMs += 1;
    tell({ kind: 'links-of', id: ACCOUNT });
    for (let i = 0; i < 10_000; i += 1) tell({ kind: 'links-of', id: `account ${i}` });
    t.strictSame(await lookUp(SLUG), found(HERE), 'the news of no account are forgotten');
  },
);

t.test('the result of a look-up that read before an announced edit is not cached', async (t) => {
  const { world, lookUp, links, tell } = build(t);
  const { promise, resolve: release } = deferred();
  world.hold = promise;
  const early = lookUp(SLUG);
  await settle();
  links.set(SLUG, THERE);
  tell({ kind: 'link', id: SLUG });
  const held = world.hold;
  world.hold = undefined;
  world.nowMs += 1;
  t.strictSame(await lookUp(SLUG), found(THERE), 'a later request waits for no older look-up');
  release();
  await held;
  t.strictSame(await early, found(HERE));
  t.strictSame(await lookUp(SLUG), found(THERE), 'an older look-up that ends later replaces nothing');
});

t.test('during a database outage, known links are served as long as they may be stale', async (t) => {
  const { world, lookUp } = build(t);
  await lookUp(SLUG);
  world.away = true;
  world.nowMs += 60_000;
  t.strictSame(await lookUp(SLUG), found(HERE));
  world.nowMs += 539_999;
  t.strictSame(await lookUp(SLUG), found(HERE));
  world.nowMs += 1;
  t.strictSame(await lookUp(SLUG), UNAVAILABLE);
  world.away = false;
  t.strictSame(await lookUp(SLUG), found(HERE));
});

t.test('a link that was edited right before the outage keeps its old destination', async (t) => {
  const { world, lookUp, tell } = build(t);
  await lookUp(SLUG);
  tell({ kind: 'link', id: SLUG });
  world.away = true;
  t.strictSame(await lookUp(SLUG), found(HERE));
});

t.test('during a database outage an unknown slug is unavailable, not unknown', async (t) => {
  const { world, lookUp } = build(t);
  t.strictSame(await lookUp(OTHER_SLUG), UNKNOWN);
  world.away = true;
  world.nowMs += 5000;
  t.strictSame(await lookUp(OTHER_SLUG), UNAVAILABLE);
  t.strictSame(await lookUp('qrstuvwx'), UNAVAILABLE);
});

t.test('during a database outage known links are answered without waiting, with few look-ups', async (t) => {
  const { world, lookUp, asked } = build(t);
  await lookUp(SLUG);
  world.away = true;
  world.nowMs += 60_000;
  await lookUp(SLUG);
  t.equal(asked.length, 2);
  const silence = new Promise(() => {});
  world.hold = silence;
  for (let i = 0; i < 10; i += 1) t.strictSame(await lookUp(SLUG), found(HERE));
  t.equal(asked.length, 2, 'no look-up within the retry time');
  world.nowMs += 500;
  for (let i = 0; i < 10; i += 1) t.strictSame(await lookUp(SLUG), found(HERE));
  t.equal(asked.length, 3, 'one look-up after it');

  const back = build(t);
  await back.lookUp(SLUG);
  back.world.away = true;
  back.world.nowMs += 60_000;
  await back.lookUp(SLUG);
  back.world.away = false;
  back.links.set(SLUG, THERE);
  back.world.nowMs += 500;
  t.strictSame(await back.lookUp(SLUG), found(HERE), 'the look-up runs in the background');
  await settle();
  t.strictSame(await back.lookUp(SLUG), found(THERE), 'its result is used from then on');
});

t.test('a known link waits only briefly for a silent database, unless it was edited', async (t) => {
  const { world, lookUp, links, asked } = build(t, { loadTimeoutMs: 60_000, refreshTimeoutMs: 5 });
  t.strictSame(await lookUp(SLUG), found(HERE));
  const { promise, resolve: release } = deferred();
  world.hold = promise;
  world.nowMs += 60_000;
  t.strictSame(
    await lookUp(SLUG),
    found(HERE),
    'an outdated link is looked up, and keeps its destination meanwhile',
  );
  t.equal(asked.length, 2);

  links.set(SLUG, THERE);
  world.tell({ kind: 'link', id: SLUG });
  const edited = lookUp(SLUG);
  await sleep(20);
  release();
  t.strictSame(await edited, found(THERE), 'after an edit the request waits for the look-up');
});

t.test('links with long addresses take the place of several, so that memory has a bound', async (t) => {
  const { lookUp, links, asked } = build(t, { max: 10 });
  const slugs = Array.from({ length: 4 }, (_, i) => `longlon${i}`);
  for (const slug of slugs) links.set(slug, `https://example.com/${'a'.repeat(4000)}`);
  for (const slug of slugs) await lookUp(slug);
  for (const slug of slugs.slice(2)) await lookUp(slug);
  t.equal(asked.length, 4, 'two of them fit');
  await lookUp(slugs[0]!);
  t.equal(asked.length, 5, 'the others do not');
});

t.test('the cache is bounded, and unknown slugs evict no known ones', async (t) => {
  const { lookUp, links, asked } = build(t, { max: 10 });
  const slugs = Array.from({ length: 11 }, (_, i) => `known${i}`.padEnd(8, 'x'));
  for (const slug of slugs) links.set(slug, HERE);
  for (const slug of slugs) await lookUp(slug);
  for (let i = 0; i < 100; i += 1) await lookUp(`none${i}`.padEnd(8, 'x'));
  asked.length = 0;
  for (const slug of slugs.slice(1)) await lookUp(slug);
  t.strictSame(asked, []);
  await lookUp(slugs[0]!);
  t.strictSame(asked, [slugs[0]]);
});

t.test('a stored destination that is not valid in a header is not served', async (t) => {
  const { lookUp, links } = build(t);
  links.set(SLUG, 'javascript:alert(1)');
  t.strictSame(await lookUp(SLUG), GONE);
});

t.test('a deleted link without a URL for dead links is gone, and logs no error', async (t) => {
  const { world, lookUp } = build(t);
  world.links.clear();
  world.deleted.set(SLUG, null);
  t.same(await lookUp(SLUG), GONE);
  t.same(await lookUp(OTHER_SLUG), UNKNOWN);
  t.strictSame(world.errors, []);
  world.links.set(THIRD_SLUG, 'https://example.com/\n');
  t.same(await lookUp(THIRD_SLUG), GONE);
  t.match(world.errors, [/not a valid redirect target/]);
});

t.test("a deleted link redirects to its account's deadLinkUrl as soon as that is announced", async (t) => {
  const { world, lookUp, deleted, links, tell, asked } = build(t);
  links.delete(SLUG);
  deleted.set(SLUG, null);
  t.strictSame(await lookUp(SLUG), GONE);
  const change = (url: string | null) => {
    deleted.set(SLUG, url);
    tell({ kind: 'account', id: ACCOUNT });
    world.nowMs += 1;
  };
  change(THERE);
  t.strictSame(await lookUp(SLUG), dead(THERE));
  t.strictSame(await lookUp(OTHER_SLUG), UNKNOWN, 'a slug that never existed is unknown');
  t.equal(asked.length, 3);
  tell({ kind: 'account', id: 'another' });
  t.strictSame(await lookUp(SLUG), dead(THERE));
  t.equal(asked.length, 3, 'changes of other accounts do not drop it');
  change('https://example.com/elsewhere');
  t.strictSame(await lookUp(SLUG), dead('https://example.com/elsewhere'));
  change(null);
  t.strictSame(await lookUp(SLUG), GONE);
  change('javascript:alert(1)');
  t.strictSame(await lookUp(SLUG), GONE, 'a URL that is not valid in a header is not served');
  change(THERE);
  world.away = true;
  t.strictSame(await lookUp(SLUG), UNAVAILABLE);
});

t.test('a link follows its start and its end by the clock of the gateway, without a look-up', async (t) => {
  const { world, lookUp, asked, tell, deleted } = build(t);
  let clockMs = 999;
  t.intercept(Date, 'now', { value: () => clockMs });
  world.window = { fromMs: 1000, untilMs: 2000, before: THERE, after: null };
  t.strictSame(await lookUp(SLUG), found(THERE));
  clockMs = 1000;
  t.strictSame(await lookUp(SLUG), found(HERE));
  clockMs = 1999;
  t.strictSame(await lookUp(SLUG), found(HERE));
  clockMs = 2000;
  t.strictSame(await lookUp(SLUG), GONE);
  t.equal(asked.length, 1);
  deleted.set(SLUG, THERE);
  tell({ kind: 'account', id: ACCOUNT });
  world.nowMs += 1;
  t.strictSame(await lookUp(SLUG), dead(THERE), 'the URL for dead links applies at once');
  world.window = null;
  tell({ kind: 'link', id: SLUG });
  t.strictSame(await lookUp(SLUG), found(HERE));
});

t.test('checking a start and an end takes less than a microsecond of CPU per redirect', async (t) => {
  const target = {
    destination: HERE,
    accountId: ACCOUNT,
    deadLinkUrl: null,
    guard: null,
    forward: null,
    maxAgeS: 0,
  };
  const window = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY, before: null, after: null };
  const redirects = createRedirects(
    {
      ...BOUNDS,
      load: async (slug) => ({ ...target, firstSlug: slug, window: slug === SLUG ? null : window }),
      rulesOf: () => [],
      changes: { live: true, subscribe: () => () => {} },
    },
    silent,
  );
  t.teardown(redirects.close);
  const lookUp = (slug: string) => redirects.lookUp(slug, PLAIN_VISIT);
  t.strictSame([await lookUp(SLUG), await lookUp(OTHER_SLUG)], [found(HERE), found(HERE, OTHER_SLUG)]);
  const LOOK_UPS = 100_000;
  const cpuUs = (slug: string) => {
    const before = process.cpuUsage();
    for (let i = 0; i < LOOK_UPS; i += 1) redirects.find(slug, PLAIN_VISIT);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / LOOK_UPS;
  };
  const rounds = Array.from({ length: 6 }, () => [cpuUs(SLUG), cpuUs(OTHER_SLUG)] as const);
  const plain = Math.min(...rounds.map(([us]) => us));
  const timed = Math.min(...rounds.map(([, us]) => us));
  t.comment(`a cached look-up: ${plain.toFixed(3)} us, with a start and an end ${timed.toFixed(3)} us`);
  t.ok(timed - plain < 1, `${timed - plain} us more`);
});

t.test('a change of an account does not invalidate its working links', async (t) => {
  const { lookUp, tell, asked } = build(t);
  await lookUp(SLUG);
  tell({ kind: 'account', id: ACCOUNT });
  t.strictSame(await lookUp(SLUG), found(HERE));
  t.equal(asked.length, 1);
});

t.test('after it is closed it no longer listens for changes', async (t) => {
  const { close, listeners } = build(t);
  t.equal(listeners.size, 1);
  close();
  t.equal(listeners.size, 0);
});
