import type { Session } from '../../../api/shapes.ts';
import { count, number } from '../../../ui/format.ts';

/** Returns why this session can make nothing from files; otherwise `null`. */
export const sessionObstacle = ({ account, scopes }: Pick<Session, 'account' | 'scopes'>): string | null => {
  if (account.plan !== 'pro')
    return 'Making codes from a file needs the Pro plan. Ask the operator of this service for it.';
  if (!scopes.includes('generate'))
    return 'Your key cannot make codes. Sign in with one that has the scope “generate”.';
  return null;
};

/** Returns why so many units cannot be paid; otherwise `null`. @param left Units that are left; `null`: not known. */
export const unitsObstacle = (units: number, left: number | null): string | null =>
  left !== null && units > left ? `This needs ${count(units - left, 'unit')} more than you have left.` : null;

/** Says what so many codes cost. */
export const costOf = (units: number, left: number | null): string =>
  `Costs ${count(units, 'unit')}${left === null ? '' : ` of the ${number(left)} that you have left`}.`;
