/** Where a page ends: the sort key of its last row. */
export interface Cursor {
  readonly createdAt: Date;
  /** Place among rows of one moment; 0 where there is none. */
  readonly position: number;
  readonly id: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Opaque text that asks for the next page; `null` on the last one. */
  readonly next: string | null;
}

export interface PageRequest {
  readonly after: Cursor | null;
  readonly limit: number;
}

/** Milliseconds up to the year 5138: later ones would be written in a form that Postgres doesn't read. */
const FORM = /^(\d{1,14})\.(\d{1,4})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const encodeCursor = ({
  createdAt,
  position = 0,
  id,
}: {
  createdAt: Date;
  position?: number;
  id: string;
}): string => Buffer.from(`${createdAt.getTime()}.${position}.${id}`).toString('base64url');

/** What the caller sent back as `cursor`; `undefined` when no page of ours ended so. */
export const decodeCursor = (text: string): Cursor | undefined => {
  const [, ms, position, id] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || id === undefined) return undefined;
  return { createdAt: new Date(Number(ms)), position: Number(position), id };
};

/** Cuts what was read with one row more than `limit` into a page. */
export const toPage = <Row extends { createdAt: Date; position?: number; id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > limit ? encodeCursor(last) : null };
};

const NUMBER_FORM = /^n(\d{1,15})$/;

/** The cursor of rows that are numbered in their order: the number of the page's last row. */
export const encodeNumberCursor = (id: number): string => Buffer.from(`n${id}`).toString('base64url');

/** `undefined` when no page of ours ended so. */
export const decodeNumberCursor = (text: string): number | undefined => {
  const [, id] = NUMBER_FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return id === undefined ? undefined : Number(id);
};
