/** The cache of the resolver: its queries, its contents, and its behaviour when the database is unavailable. */
import t, { type Test } from 'tap';
import type { ItemEntry } from '../../src/db/tables/items.ts';
import { readRequest } from '../../src/resolver/key.ts';
import { createLookup, type LookupOptions } from '../../src/resolver/resolver.ts';
import { silent } from '../support/silent-log.ts';

const KEY = '/01/09521321000018';
const LINKS = [
  {
    rel: 'gs1:pip',
    href: 'https://a.example/',
    title: 'A',
    hreflang: [],
    type: null,
    context: [],
    isDefault: true,
  },
];
const BOUNDS = {
  ...{ max: 100, maxLoads: 10, loadTimeoutMs: 1000, refreshTimeoutMs: 1000, retryMs: 500 },
  ...{ freshMs: 60_000, unknownMs: 5000, freshWithoutNewsMs: 1000, staleMs: 600_000 },
};

const asked = (path: string) => {
  const read = readRequest(path, '');
  if (!read.ok) throw new Error(read.fault);
  return read.value;
};

/** A resolver in front of a table that can be unavailable. */
const build = (t: Test, table: Readonly<Record<string, ItemEntry>>) => {
  const world = { rows: new Map(Object.entries(table)), loads: [] as string[], isAway: false };
  let tell: Parameters<LookupOptions['changes']['subscribe']>[0] = () => {};
  const lookup = createLookup(
    {
      ...BOUNDS,
      load: async (path) => {
        world.loads.push(path);
        if (world.isAway) throw new Error('the database is unavailable');
        return world.rows.get(path) ?? null;
      },
      changes: {
        live: true,
        subscribe: (listener) => {
          tell = listener;
          return () => {};
        },
      },
    },
    silent,
  );
  t.teardown(lookup.close);
  return { world, lookup, tell: (id: string) => tell({ kind: 'item', id }) };
};

const item = (slug: string, shapes: readonly string[] | null = null): ItemEntry => ({
  accountId: 'account',
  shapes,
  slug,
  links: LINKS,
});
const pathsOf = (items: readonly { readonly path: string }[] | null | undefined) =>
  items?.map(({ path }) => path);

t.test('each level is queried once, and then answered synchronously from memory', async (t) => {
  const lot = `${KEY}/10/A`;
  const { world, lookup } = build(t, { [KEY]: item('key', ['', '10']), [lot]: item('lot') });
  t.equal(lookup.find(asked(lot)), undefined);
  t.strictSame(pathsOf(await lookup.lookUp(asked(lot))), [lot, KEY]);
  t.strictSame(pathsOf(lookup.find(asked(lot))), [lot, KEY]);
  t.strictSame(world.loads, [KEY, lot]);
});

t.test('levels without items of the key cost no query, whatever their values', async (t) => {
  const { world, lookup } = build(t, { [KEY]: item('key', ['']) });
  await lookup.lookUp(asked(KEY));
  const found = Array.from({ length: 1000 }, (_, n) =>
    String(pathsOf(lookup.find(asked(`${KEY}/10/L/21/${n}`)))),
  );
  t.strictSame([...new Set(found)], [KEY]);
  t.strictSame(world.loads, [KEY]);
});

t.test('unknown values evict no item from memory, and unknown keys cost one query each', async (t) => {
  const { world, lookup } = build(t, { [KEY]: item('key', ['', '21']), [`${KEY}/21/1`]: item('unit') });
  await lookup.lookUp(asked(`${KEY}/21/1`));
  for (let n = 0; n < 500; n += 1) await lookup.lookUp(asked(`${KEY}/21/x${n}`));
  t.strictSame(pathsOf(lookup.find(asked(`${KEY}/21/1`))), [`${KEY}/21/1`, KEY]);
  world.loads.length = 0;
  t.strictSame(await lookup.lookUp(asked('/00/095213210000000018')), []);
  t.strictSame(await lookup.lookUp(asked('/01/09521321000025/22/V/10/L/21/S')), []);
  t.strictSame(world.loads, ['/00/095213210000000018', '/01/09521321000025']);
});

t.test('notifications of changes to an item or its key take effect', async (t) => {
  const unit = `${KEY}/21/1`;
  const { world, lookup, tell } = build(t, { [KEY]: item('key', ['']) });
  t.strictSame(pathsOf(await lookup.lookUp(asked(unit))), [KEY]);
  world.rows.set(KEY, item('key', ['', '21'])).set(unit, item('unit'));
  tell(KEY);
  t.equal(lookup.find(asked(unit)), undefined);
  t.strictSame(pathsOf(await lookup.lookUp(asked(unit))), [unit, KEY]);
  world.rows.delete(unit);
  tell(unit);
  t.strictSame(pathsOf(await lookup.lookUp(asked(unit))), [KEY]);
});

t.test('without the database, visited items are answered and unknown levels are skipped', async (t) => {
  const [known, unknown] = [`${KEY}/21/1`, `${KEY}/21/2`];
  const { world, lookup, tell } = build(t, { [KEY]: item('key', ['', '21']), [known]: item('unit') });
  await lookup.lookUp(asked(known));
  world.isAway = true;
  for (const path of [KEY, known]) tell(path);
  t.strictSame(pathsOf(await lookup.lookUp(asked(known))), [known, KEY]);
  t.strictSame(pathsOf(await lookup.lookUp(asked(unknown))), [KEY]);
  t.equal(
    await lookup.lookUp(asked('/01/09521321000025')),
    null,
    'an item that was never visited is unavailable',
  );
});

t.test('a stored target that is not a valid address is ignored', async (t) => {
  const links = [{ ...LINKS[0]!, href: 'javascript:1' }, LINKS[0]!];
  const { lookup } = build(t, { [KEY]: { accountId: 'account', shapes: [''], slug: 'key', links } });
  const [found] = (await lookup.lookUp(asked(KEY)))!;
  t.strictSame(found!.links, LINKS);
});
