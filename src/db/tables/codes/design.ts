import type { Design, Grade } from '../../../../workers/protocol.ts';
import type { Sql } from '../../client.ts';
import { type NewLogo, saveLogos } from '../logos.ts';

/** A design in which a saved code is drawn from now on. */
export interface NewDesign {
  readonly design: Design;
  readonly logo: NewLogo | null;
  readonly grade: Grade;
  /** Why the grade is below 4, as in the header `Tessera-Warnings`; '' at 4. */
  readonly warnings: string;
}

/**
 * Gives a code another design and logo; its content, link and id stay. Must be called in a transaction. Returns whether
 * the account has such a code outside the bin. The logo of before stays until `deleteUnusedLogos`.
 */
export const setCodeDesign = async (
  sql: Sql,
  accountId: string,
  id: string,
  { design, logo, grade, warnings }: NewDesign,
): Promise<boolean> => {
  await saveLogos(sql, accountId, logo === null ? [] : [logo]);
  const { count } = await sql`
    update codes set design = ${JSON.stringify(design)}::text::jsonb, logo_sha256 = ${logo?.sha256 ?? null},
      width_px = ${design.widthPx}, height_px = ${design.heightPx}, grade = ${grade}, warnings = ${warnings}
    where id = (select id from live_codes where account_id = ${accountId} and id = ${id}) and deleted_at is null`;
  return count === 1;
};
