/** Saved codes as they stand in bodies. */
import Type from 'typebox';
import type { Sql } from '../../db/client.ts';
import type { StoredCode } from '../../db/tables/codes.ts';
import { type ScanCounts, scanTotals } from '../../db/tables/scans/scans.ts';
import { IMAGE_MAX_CHARACTERS, PictureOptions } from '../../generate/request.ts';
import { orNull, Timestamp, Uuid } from './atoms.ts';

/** All that were recorded: people, bots and previews. */
export const allScans = (counts: ScanCounts | undefined): number =>
  counts === undefined ? 0 : counts.people + counts.bots + counts.previews;

export const CodeBody = Type.Object(
  {
    id: Uuid,
    content: Type.String({ description: 'What was sent as `data`.' }),
    dynamic: Type.Boolean(),
    slug: orNull(Type.String({ description: 'Of the short link that a dynamic code encodes.' })),
    destination: orNull(Type.String({ description: 'Where the short link leads now.' })),
    scan_count: Type.Integer({ description: 'Scans of the short link since it was made, bots included.' }),
    width: Type.Integer(),
    height: Type.Integer(),
    created_at: Timestamp,
  },
  { title: 'Code' },
);

export const CodeInFolder = Type.Object(
  { ...CodeBody.properties, folder_id: Uuid },
  { title: 'CodeInFolder' },
);

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
  created_at: code.createdAt.toISOString(),
});

/** Bodies of codes, with the scans of their links. */
export const withScans = async (sql: Sql, codes: readonly StoredCode[]) => {
  const slugs = codes.flatMap(({ slug }) => slug ?? []);
  const totals = await scanTotals(sql, slugs);
  return codes.map((code) => toCodeBody(code, totals.get(code.slug ?? '')));
};

/** A logo as the field `image` of a request; nothing when no request could carry it. */
export const toImageOption = (png: Uint8Array): { readonly image?: string } => {
  const image = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  return image.length > IMAGE_MAX_CHARACTERS ? {} : { image };
};
