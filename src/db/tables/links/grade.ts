import type { Sql } from '../../client.ts';

/** Notes how well the picture of a live code is read since it encodes another slug. */
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
