/** The query of single scans, and how they are written. */
import Type from 'typebox';
import { csvLines } from '../../../../csv/write.ts';
import type { RawScan } from '../../../../db/tables/scans/raw.ts';
import { BREAKDOWNS, ROW_MEDIA_TYPES } from '../../../../lists.ts';
import { createTimeSlices } from '../../../../time-slices.ts';
import { strict } from '../../../schemas/atoms.ts';
import { Moment } from '../../../schemas/requests/moments.ts';

/** How single scans can be written. */
export const RAW_SCAN_TYPES = { ndjson: ROW_MEDIA_TYPES.ndjson, csv: ROW_MEDIA_TYPES.csv } as const;
/** How single scans can be written. */
export type RawScanFormat = keyof typeof RAW_SCAN_TYPES;

const LIMIT_MAX = 5000;
/** Default number of scans of a page. */
export const RAW_SCANS_LIMIT = 1000;

/** The query of single scans. */
export const RawScansQuery = Type.Object(
  {
    from: Moment('The start. Absent: 30 days before `to`.', 'in UTC'),
    to: Moment('The end (exclusive). Absent: now.', 'in UTC'),
    slug: Type.Optional(Type.String({ description: 'Only scans of this short link, by any of its slugs.' })),
    format: Type.Optional(Type.Enum(['ndjson', 'csv'], { description: 'Absent: `Accept` decides.' })),
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `Tessera-Next-Cursor` of the previous page.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: RAW_SCANS_LIMIT })),
  },
  strict,
);

const OWN_COLUMNS = ['id', 'at', 'slug', 'code_id', 'kind', 'visitor'];
const COLUMNS = [...OWN_COLUMNS, ...Object.keys(BREAKDOWNS)];

/** The fields of a scan, in the order of the columns; `null`: not known. */
const toFields = ({ id, createdAt, slug, codeId, kind, visitor, values }: RawScan) => [
  ...[id, createdAt.toISOString(), slug, codeId, kind, visitor],
  ...values.map((value) => value || null),
];

const toObject = (fields: ReturnType<typeof toFields>) =>
  Object.fromEntries(fields.map((field, index) => [COLUMNS[index], field]));

/** Some kilobytes, which are written in a millisecond. */
const ROWS_AT_ONCE = 50;

/**
 * Writes a page of scans, in time slices. @param isFirst Whether CSV begins with its header row, so that pages can be
 * joined.
 */
export async function* writeRawScans(
  scans: readonly RawScan[],
  format: RawScanFormat,
  isFirst: boolean,
): AsyncGenerator<string, void> {
  const slices = createTimeSlices();
  let isOver = slices.slice();
  if (format === 'csv' && isFirst) yield csvLines([COLUMNS]);
  for (let at = 0; at < scans.length; at += ROWS_AT_ONCE) {
    const rows = scans.slice(at, at + ROWS_AT_ONCE).map(toFields);
    const text =
      format === 'csv' ? csvLines(rows) : rows.map((row) => `${JSON.stringify(toObject(row))}\n`).join('');
    // Before it is yielded: the caller pays for what runs until then, but not after a wait.
    if (isOver()) {
      await slices.next();
      isOver = slices.slice();
    }
    yield text;
  }
}
