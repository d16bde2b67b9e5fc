import type { Database } from '../../src/db/database.ts';
import { startBackends } from '../../test/servers/testbed.ts';
import { atMost, measured, type Verdict } from '../verdict.ts';
import { openFolder, openOn, saveCodes } from './databases.ts';
import { type Part, timesOf } from './part.ts';

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

interface Size {
  readonly name: string;
  readonly bytes: number;
}

/** Returns the bytes of all tables without their indexes, and of all indexes, the largest first. */
const sizesOf = async (sql: Database['sql']): Promise<readonly Size[]> => sql<Size[]>`
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
  await timesOf(pieces, (piece) => {
    const numbers = Array.from({ length: PIECE }, (_, i) => piece * PIECE + i);
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
