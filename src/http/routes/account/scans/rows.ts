/** The query of single scans, and how they are written. */
import Type from 'typebox';
import { csvLines } from '../../../../csv/write.ts';
import type { RawScan } from '../../../../db/tables/scans/raw.ts';
import { BREAKDOWNS, ROW_MEDIA_TYPES } from '../../../../lists.ts';
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

/** Writes a page of scans. @param isFirst Whether CSV begins with its header row, so that pages can be joined. */
export const writeRawScans = (scans: readonly RawScan[], format: RawScanFormat, isFirst: boolean): string => {
  const rows = scans.map(toFields);
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(toObject(row))}\n`).join('');
  return csvLines([...(isFirst ? [COLUMNS] : []), ...rows]);
};
