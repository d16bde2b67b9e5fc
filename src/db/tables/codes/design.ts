import type { Design, Grade } from '../../../../workers/protocol.ts';
import type { Sql } from '../../client.ts';
import { deleteUnusedDesigns, saveDesigns } from './designs.ts';
import { type NewLogo, saveLogos } from './logos.ts';

/** A new design for a saved code. */
export interface NewDesign {
  readonly design: Design;
  readonly logo: NewLogo | null;
  readonly grade: Grade;
  /** Why the grade is below 4, as in the header `Tessera-Warnings`; '' at 4. */
  readonly warnings: string;
}

/**
 * Changes the design and logo of a code, but not its content, link or id. Must be called in a transaction. Returns
 * whether the account has such a code outside the bin. The previous logo remains until `deleteUnusedLogos`.
 */
export const setCodeDesign = async (
  sql: Sql,
  accountId: string,
  id: string,
  { design, logo, grade, warnings }: NewDesign,
): Promise<boolean> => {
  await saveLogos(sql, accountId, logo === null ? [] : [logo]);
  const [designId] = await saveDesigns(sql, accountId, [{ design, logo }]);
  const [former] = await sql<{ designId: number }[]>`
    select c.design_id from codes c join folders f on f.id = c.folder_id
    where c.account_id = ${accountId} and c.id = ${id} and c.deleted_at is null and f.deleted_at is null for update of c`;
  if (former === undefined) return false;
  await sql`
    update codes set design_id = ${designId!}, grade = ${grade}, warnings = ${warnings}
    where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  await deleteUnusedDesigns(sql, [{ accountId, designId: former.designId }]);
  return true;
};

/** Updates the grade of a live code after it has come to encode another slug. */
export const setGrade = async (
  sql: Sql,
  accountId: string,
  codeId: string,
  { grade, warnings }: { readonly grade: number; readonly warnings: string },
): Promise<void> => {
  await sql`
    update codes set grade = ${grade}, warnings = ${warnings}
    where account_id = ${accountId} and id = ${codeId} and deleted_at is null`;
};
