/** What the size of the tables does to insertions, vacuums and indexes. */
import type postgres from 'postgres';
import { sum } from '../../stats.ts';
import { measured, type Verdict } from '../../verdict.ts';
import { openFolder, saveCodes } from '../databases.ts';
import { timesOf } from '../part.ts';

const TABLES = ['codes', 'links'];
/** Codes per transaction, as in batches. */
const PIECE = 500;
const PIECES = 20;

/** Fills the tables without the indexes of codes, and builds them at the end, which takes a fraction of the time. */
export const buildAtOnce = async (sql: postgres.Sql, fill: () => Promise<void>): Promise<void> => {
  await sql`update pg_index set indisready = false, indisvalid = false where indrelid = 'codes'::regclass`;
  await fill();
  await sql`reindex table codes`;
};

/** How many dynamic codes a connection saves in a second, with their links and all indexes. */
export const insertRate = async (sql: postgres.Sql, where: string): Promise<Verdict> => {
  const place = await openFolder(sql);
  const run = performance.now().toString(36);
  const timesMs = await timesOf(PIECES, (piece) =>
    saveCodes(
      sql,
      place,
      Array.from({ length: PIECE }, (_, n) => ({
        content: `https://example.com/${run}/${piece}/${n}`,
        dynamic: true,
      })),
    ),
  );
  return measured(`saving ${where}`, (PIECE * PIECES * 1000) / sum(timesMs), 'dynamic codes a second');
};

/** How long a vacuum of each large table takes. */
export const vacuums = async (sql: postgres.Sql, when: string): Promise<readonly Verdict[]> => {
  const verdicts = [];
  for (const table of TABLES) {
    const [ms] = await timesOf(1, () => sql`vacuum (analyze) ${sql(table)}`);
    verdicts.push(measured(`vacuum of ${table} ${when}`, ms! / 1000, 's'));
  }
  await sql`vacuum (analyze)`;
  return verdicts;
};

/** The sizes of the large tables and of their indexes. */
export const sizes = async (sql: postgres.Sql): Promise<readonly Verdict[]> => {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select c.relname as name, pg_relation_size(c.oid)::float as bytes from pg_class c left join pg_index i on indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) in (select to_regclass(name) from unnest(${TABLES}::text[]) as name) and c.relkind in ('r', 'i') order by 2 desc`;
  return rows.map(({ name, bytes }) => measured(`size of ${name}`, bytes / 1e6, 'MB'));
};
