import type { Sql } from '../../../../db/client.ts';
import { getLogo } from '../../../../db/tables/logos.ts';
import { toImageOption, toOptions } from '../../../../generate/request/options.ts';
import { requireCode } from '../../../auth/require-found.ts';
import { withScans } from '../../../schemas/code.ts';

/** Returns a code with its design, as an answer has it. @throws {AppError} 404 when the account has no such code. */
export const describeCode = async (
  sql: Sql,
  accountId: string,
  id: string,
  shortUrl: (slug: string) => string,
) => {
  const code = await requireCode(sql, accountId, id);
  const [body] = await withScans(sql, [code], shortUrl);
  const logo = code.logoSha256 === null ? null : await getLogo(sql, accountId, code.logoSha256);
  return { ...body!, design: { ...toOptions(code.design), ...(logo === null ? {} : toImageOption(logo)) } };
};
