import { UUID } from '../texts.ts';
import type { Sql } from './client.ts';

/** The end of a page: the sort key of its last row. */
export interface Cursor {
  readonly createdAt: Date;
  /** Orders rows with the same `createdAt`; 0 in lists that need no such order. */
  readonly position: number;
  readonly id: string;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** An opaque text that asks for the next page; `null` on the last page. */
  readonly next: string | null;
}

/** Which page of a list is wanted. */
export interface PageRequest {
  /** `null`: the first page. */
  readonly after: Cursor | null;
  readonly limit: number;
}

/** `<ms>.<position>.<id>`. 14 digits reach the year 5138; Postgres cannot parse the ISO form of far later years. */
const FORM = new RegExp(`^(\\d{1,14})\\.(\\d{1,4})\\.(${UUID})$`);

/** Encodes a cursor for use in a URL. Callers must treat it as opaque. */
export const encodeCursor = ({
  createdAt,
  position = 0,
  id,
}: {
  createdAt: Date;
  position?: number;
  id: string;
}): string => Buffer.from(`${createdAt.getTime()}.${position}.${id}`).toString('base64url');

/** Reads a text that `encodeCursor` wrote; `undefined` for any other. */
export const decodeCursor = (text: string): Cursor | undefined => {
  const [, ms, position, id] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || id === undefined) return undefined;
  return { createdAt: new Date(Number(ms)), position: Number(position), id };
};

/** Makes a page of at most `limit` rows from a query that asked for `limit + 1`, which shows whether there are more. */
export const toPage = <Row extends { createdAt: Date; position?: number; id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > limit ? encodeCursor(last) : null };
};

/** The tail of a query for a page, newest first. The query before it must end with a condition. */
export const newestFirst = (sql: Sql, { after, limit }: PageRequest) => sql`
  ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
  order by created_at desc, id desc limit ${limit + 1}`;

/** Runs a query that asks for `limit + 1` rows, and returns their page. */
export const readPage = async <Row extends { createdAt: Date; position?: number; id: string }>(
  { limit }: PageRequest,
  query: PromiseLike<readonly Row[]>,
): Promise<Page<Row>> => toPage(await query, limit);

/** Yields all rows of a list. It holds no connection between two pages, so the reader may be slow. */
export async function* eachRow<Row extends Cursor>(
  readPageAt: (page: PageRequest) => Promise<Page<Row>>,
  limit: number,
): AsyncGenerator<Row, void, undefined> {
  let after: Cursor | null = null;
  do {
    const { rows, next }: Page<Row> = await readPageAt({ after, limit });
    yield* rows;
    after = next === null ? null : (rows.at(-1) ?? null);
  } while (after);
}

const NUMBER_FORM = /^n(\d{1,15})$/;

/** Writes the cursor of a list that is ordered by a number: the number of the page's last row. */
export const encodeNumberCursor = (id: number): string => Buffer.from(`n${id}`).toString('base64url');

/** Reads a text that `encodeNumberCursor` wrote; `undefined` for any other. */
export const decodeNumberCursor = (text: string): number | undefined => {
  const [, id] = NUMBER_FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return id === undefined ? undefined : Number(id);
};
