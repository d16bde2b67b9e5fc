import type { Database } from '../../src/db/database.ts';

/** The bytes of a table without its indexes, or of an index. */
export interface Size {
  readonly name: string;
  /** The table of an index; '' for a table. */
  readonly of: string;
  readonly bytes: number;
}

/** Returns the sizes of all tables and indexes, the largest first. */
export const sizesOf = async (sql: Database['sql']): Promise<readonly Size[]> => sql<Size[]>`
  select c.relname as name, coalesce(t.relname, '') as of,
    (case when t.relname is null then pg_table_size(c.oid) else pg_relation_size(c.oid) end)::float as bytes
  from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
  where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace order by bytes desc`;

/** Returns the mean bytes of the columns of `codes` that have a value. */
export const bytesByColumn = async (
  sql: Database['sql'],
): Promise<readonly { readonly name: string; readonly bytes: number }[]> => {
  const names = await sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = 'codes'::regclass and attnum > 0 and not attisdropped
    order by attnum`;
  const sums = names.map(
    ({ name }) => sql`, coalesce(avg(pg_column_size(${sql(name)})), 0)::float as ${sql(name)}`,
  );
  const [row] = await sql<Record<string, number>[]>`select 0 as none ${sums} from codes`;
  return names.map(({ name }) => ({
    name,
    bytes: row![name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())] ?? 0,
  }));
};
