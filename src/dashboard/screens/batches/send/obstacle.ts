import type { Session } from '../../../api/shapes.ts';
import { count, formatNumber } from '../../../ui/format.ts';
import type { RowCount } from './file.ts';

/** Returns why this session can make nothing from files; otherwise `null`. */
export const sessionObstacle = ({ account, scopes }: Pick<Session, 'account' | 'scopes'>): string | null => {
  if (account.plan !== 'pro')
    return 'Making codes from a file needs the Pro plan. Ask the operator of this service for it.';
  if (!scopes.includes('generate'))
    return 'Your key cannot make codes. Sign in with one that has the scope “generate”.';
  return null;
};

/**
 * Returns why this many units cannot be paid, or else `null`. @param left Units that are left; `null` when not known.
 */
export const unitsObstacle = (units: number, left: number | null): string | null =>
  left !== null && units > left ? `This needs ${count(units - left, 'unit')} more than you have left.` : null;

/** Says what this many codes cost. */
export const costOf = (units: number, left: number | null): string =>
  `Costs ${count(units, 'unit')}${left === null ? '' : ` of the ${formatNumber(left)} that you have left`}.`;

/** Returns why a file cannot be sent as a batch, otherwise `null`, and what it costs. */
export const termsOf = (
  session: Pick<Session, 'account' | 'scopes'>,
  rows: RowCount,
  left: number | null,
  folderName: string,
): { readonly hindered: string | null; readonly cost: string } => {
  const units = typeof rows === 'number' ? rows : null;
  const hindered =
    sessionObstacle(session) ??
    unitsObstacle(units ?? 0, left) ??
    (units === 0 ? 'The file has no rows.' : null) ??
    (folderName.trim() === '' ? 'Enter a name for the folder.' : null);
  const price = units === null ? 'Costs one unit per row.' : costOf(units, left);
  return {
    hindered,
    cost: `${price} All rows are checked first: if any is wrong, nothing is made or charged.`,
  };
};
