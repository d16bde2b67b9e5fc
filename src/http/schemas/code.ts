/** Schemas and bodies of saved codes. */
import Type from 'typebox';
import type { Sql } from '../../db/client.ts';
import type { StoredCode } from '../../db/tables/codes.ts';
import { type ScanCounts, scanTotals } from '../../db/tables/scans/scans.ts';
import { PictureOptions } from '../../generate/request/picture-options.ts';
import { Grade, orNull, Timestamp, Uuid, Warnings } from './atoms.ts';

/** Returns the sum of people, bots and previews; 0 for a link without scans. */
export const allScans = (counts: ScanCounts | undefined): number =>
  counts === undefined ? 0 : counts.people + counts.bots + counts.previews;

/** A code in the list of its folder. */
export const CodeBody = Type.Object(
  {
    id: Uuid,
    content: Type.String({ description: 'What was sent as `data`.' }),
    dynamic: Type.Boolean(),
    slug: orNull(Type.String({ description: 'The slug of its short link; null: it is not dynamic.' })),
    destination: orNull(Type.String({ description: 'The present destination.' })),
    scan_count: Type.Integer({ description: 'Scans of its short link, bots included.' }),
    width: Type.Integer(),
    height: Type.Integer(),
    grade: Grade,
    warnings: Warnings,
    created_at: Timestamp,
  },
  { title: 'Code' },
);

/** A code that names its folder. */
export const CodeInFolder = Type.Object(
  { ...CodeBody.properties, folder_id: Uuid },
  { title: 'CodeInFolder' },
);

/** A code with the options that draw it again. */
export const CodeWithDesign = Type.Object(
  { ...CodeInFolder.properties, design: PictureOptions },
  { title: 'CodeWithDesign' },
);

const toCodeBody = (code: StoredCode, counts: ScanCounts | undefined) => ({
  id: code.id,
  folder_id: code.folderId,
  content: code.content,
  dynamic: code.dynamic,
  slug: code.slug,
  destination: code.destination,
  scan_count: allScans(counts),
  width: code.widthPx,
  height: code.heightPx,
  grade: code.grade,
  warnings: code.warnings,
  created_at: code.createdAt.toISOString(),
});

/** Returns the bodies of codes with the numbers of their scans, which are read in one query. */
export const withScans = async (sql: Sql, codes: readonly StoredCode[]) => {
  const slugs = codes.flatMap(({ slug }) => slug ?? []);
  const totals = await scanTotals(sql, slugs);
  return codes.map((code) => toCodeBody(code, totals.get(code.slug ?? '')));
};
