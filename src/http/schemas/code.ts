/** Schemas and bodies of saved codes. */
import Type from 'typebox';
import type { Sql } from '../../db/client.ts';
import type { StoredCode } from '../../db/tables/codes.ts';
import { type ScanCounts, scanTotals } from '../../db/tables/scans/scans.ts';
import { IMAGE_MAX_CHARACTERS, PictureOptions } from '../../generate/request/picture-options.ts';
import { Grade, orNull, Timestamp, Uuid, Warnings } from './atoms.ts';

/** A code in the list of its folder. */
export const CodeBody = Type.Object(
  {
    id: Uuid,
    content: Type.String({ description: 'What was sent as `data`.' }),
    dynamic: Type.Boolean(),
    slug: orNull(Type.String({ description: 'The slug of its short link; null: it is not dynamic.' })),
    destination: orNull(Type.String({ description: 'The present destination.' })),
    scan_count: Type.Integer({ description: 'Scans of its short link by people.' }),
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
  scan_count: counts?.people ?? 0,
  width: code.widthPx,
  height: code.heightPx,
  grade: code.grade,
  warnings: code.warnings,
  created_at: code.createdAt.toISOString(),
});

/** Returns the bodies of codes with the numbers of their scans, which are read in one query. */
export const withScans = async (sql: Sql, codes: readonly StoredCode[]) => {
  const slugs = codes.flatMap(({ firstSlug }) => firstSlug ?? []);
  const totals = await scanTotals(sql, slugs);
  return codes.map((code) => toCodeBody(code, totals.get(code.firstSlug ?? '')));
};

/** Returns a logo as the field `image` of a request; `{}` when it is too long for a request. */
export const toImageOption = (png: Uint8Array): { readonly image?: string } => {
  const image = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  return image.length > IMAGE_MAX_CHARACTERS ? {} : { image };
};
