/** What saved codes take in Postgres, and how fast they are saved and found. */
import type { Database } from '../../src/db/database.ts';
import { findCodes } from '../../src/db/tables/codes/search.ts';
import { startBackends } from '../../test/servers/testbed.ts';
import { atMost, measured, type Verdict } from '../say.ts';
import { createRandom, sum } from '../stats.ts';
import { onBothDatabases, openFolder, openOn, saveCodes } from './databases.ts';
import { type Part, p95Of, timesOfPieces } from './part.ts';

const CODES = 400_000;
/** Codes per transaction, the same as in src/batches. */
const PIECE = 500;
const PLAIN_MAX_BYTES = 350;

/** The kinds of codes: without a name and a short link, with a name, with a short link. */
const KINDS = {
  plain: () => ({}),
  named: (number: number) => ({ name: `Table ${number}` }),
  dynamic: () => ({ dynamic: true }),
} as const;

/** 40 to 60 characters. */
const contentOf = (number: number): string => {
  const text = `https://example.com/items/${number.toString(36).padStart(5, '0')}?campaign=`;
  return text + 'spring-2027-poster'.slice(0, 1 + (number % 18));
};

/** Returns the bytes of all tables without their indexes, and of all indexes, the largest first. */
const sizesOf = (sql: Database['sql']) => sql<{ name: string; bytes: number }[]>`
  select c.relname as name,
    (case when i.indexrelid is null then pg_table_size(c.oid) else pg_relation_size(c.oid) end)::float as bytes
  from pg_class c left join pg_index i on i.indexrelid = c.oid
  where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace order by bytes desc`;

const measure = async (
  { sql }: Database,
  kind: keyof typeof KINDS,
  pieces: number,
): Promise<readonly Verdict[]> => {
  const before = new Map((await sizesOf(sql)).map(({ name, bytes }) => [name, bytes]));
  const place = await openFolder(sql);
  await timesOfPieces(pieces, PIECE, (numbers) => {
    const codes = numbers.map((number) => ({ content: contentOf(number), ...KINDS[kind](number) }));
    return saveCodes(sql, place, codes);
  });
  await sql`vacuum analyze`;
  const grown = (await sizesOf(sql))
    .map(({ name, bytes }) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / (pieces * PIECE) }))
    .filter(({ bytes }) => bytes > 1);
  const total = grown.reduce((sum, { bytes }) => sum + bytes, 0);
  const unit = 'bytes a code';
  return [
    kind === 'plain' ? atMost(kind, total, PLAIN_MAX_BYTES, unit) : measured(kind, total, unit),
    ...grown.map(({ name, bytes }) => measured(`${kind}: ${name}`, bytes, unit)),
  ];
};

/** The space that saved codes take in Postgres. */
export const storage: Part = async (scope, { share }) => {
  const { postgres } = await startBackends(scope);
  const verdicts: Verdict[] = [];
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    const database = await openOn(scope, await postgres.createDatabase(`storage_${kind}`));
    verdicts.push(...(await measure(database, kind, Math.ceil((CODES * share) / PIECE))));
  }
  return verdicts;
};

const SEARCHED = 100_000;
const CHARACTERS = 2048;
const BATCH = 100;
const P95_MAX_MS = 50;
const SYLLABLES =
  'ba be bi bo ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to'.split(
    ' ',
  );
/** One code in a thousand contains this text. */
const RARE = 'zyxwquartz';
/** The texts to search for. A text of two letters cannot use the index. */
const SEARCHES: readonly (readonly [name: string, text: string])[] = [
  ['no match', 'xylophone-of-glass'],
  ['no match, of frequent parts', 'tatetitokakekikobabebibo'],
  ['one code of ten', '5?q='],
  ['rare', RARE],
  ['one code', 'items/7?'],
  ['every code', 'https://'],
  ['no match, two letters', 'ZX'],
];

/** Returns the contents of codes: made-up words, the same in every run. */
const createContents = (): ((number: number) => string) => {
  const random = createRandom(20_261_122);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() ** 2 * items.length)]!;
  const words = Array.from({ length: 5000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(SYLLABLES)).join(''),
  );
  return (number) => {
    const parts = [`https://example.com/items/${number}?q=`, ...(number % 1000 === 500 ? [RARE] : [])];
    for (let size = parts.join(' ').length; size < CHARACTERS; size += parts.at(-1)!.length + 1)
      parts.push(pick(words));
    return parts.join(' ').slice(0, CHARACTERS);
  };
};

/** The speed of saving and searching the codes of one large account. */
export const search: Part = (_, { share }) =>
  onBothDatabases(async (sql) => {
    const longContentOf = createContents();
    const place = await openFolder(sql);
    const batches = Math.ceil((SEARCHED * share) / BATCH);
    const savesMs = await timesOfPieces(batches, BATCH, (numbers) => {
      const codes = numbers.map((number) => ({ content: longContentOf(number) }));
      return saveCodes(sql, place, codes);
    });
    const codes = batches * BATCH;
    const [size] = await sql<[{ bytes: number }]>`select pg_relation_size('codes_by_grams') as bytes`;
    const verdicts: Verdict[] = [
      measured('saving in groups of 100', (codes / sum(savesMs)) * 1000, 'codes a second'),
      measured('index', size.bytes / codes, 'bytes a code'),
    ];
    for (const [name, text] of SEARCHES) {
      const filter = { accountId: place.accountId, search: text };
      const find = () => findCodes(sql, filter, { after: null, limit: 20 });
      verdicts.push(await p95Of(name, find, text.length < 3 ? null : P95_MAX_MS));
    }
    return verdicts;
  });
