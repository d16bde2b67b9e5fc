import { toImageField, toOptions } from '../../../../generate/request/options.ts';
import { requireCode } from '../../../auth/require-found.ts';
import { withScans } from '../../../schemas/code.ts';
import type { Need } from '../../services.ts';

/** What describing a code needs. */
export type DescribeParts = Need<'database' | 'linkRules' | 'redraw'>;

/** Returns a code with its design, as an answer has it. @throws {AppError} 404 when the account has no such code. */
export const describeCode = async (
  { database: { sql }, linkRules, redraw }: DescribeParts,
  accountId: string,
  id: string,
) => {
  const code = await requireCode(sql, accountId, id);
  const [body] = await withScans(sql, [code], linkRules.shortUrl);
  const found = code.logoSha256 && (await redraw.findLogo(accountId, code.logoSha256.toString('hex')));
  return { ...body!, design: { ...toOptions(code.design), ...(found && toImageField(found.logo)) } };
};
