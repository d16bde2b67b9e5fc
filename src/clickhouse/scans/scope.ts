/** Which rows of `scans` a query reads. Each condition begins with an account, so that only its rows are read. */
import type { Sql } from '../../db/client.ts';
import type { Scanned, Span } from '../../db/tables/scans/scanned.ts';
import { ownerOf } from '../../db/tables/scans/totals.ts';
import type { Parameters } from '../client.ts';

/** A condition, and the values in it. */
export interface Scope {
  readonly where: string;
  readonly parameters: Parameters;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

const ACCOUNT = 'account_id = {account:UUID}';
const IN_SLUGS = 'slug in {slugs:Array(String)}';

/** The scope of those scans, at any time. @param sql Says whose a link is. */
export const scopeOf = async (sql: Sql, scanned: Scanned): Promise<Scope> => {
  if ('rule' in scanned) {
    const { accountId: account, slugs, rule } = scanned;
    const where = `${ACCOUNT} and rule = {rule:String}`;
    return slugs === null
      ? { where, parameters: { account, rule } }
      : { where: `${where} and ${IN_SLUGS}`, parameters: { account, rule, slugs } };
  }
  if ('except' in scanned)
    return {
      where: `${ACCOUNT} and slug not in {slugs:Array(String)}`,
      parameters: { account: scanned.accountId, slugs: scanned.except },
    };
  if ('accountId' in scanned) return { where: ACCOUNT, parameters: { account: scanned.accountId } };
  // Links that are counted together are those of one account.
  const slugs = 'slug' in scanned ? [scanned.slug] : scanned.slugs;
  const account = slugs[0] === undefined ? null : await ownerOf(sql, slugs[0]);
  return { where: `${ACCOUNT} and ${IN_SLUGS}`, parameters: { account: account ?? NOBODY, slugs } };
};

/** The condition that a scan is in a span, whose ends are parameters. */
export const within = (from: string, to: string): string =>
  `at >= fromUnixTimestamp64Milli({${from}:Int64}, 'UTC') and at < fromUnixTimestamp64Milli({${to}:Int64}, 'UTC')`;

/** The ends of a span by their names, for `within`. */
export type Ends = { readonly from: number; readonly to: number };

/** Those of the quarters of an hour that begin in a span. */
export const quartersIn = ({ from, to }: Span): Ends => ({
  from: Math.ceil(from.getTime() / QUARTER_MS) * QUARTER_MS,
  to: Math.ceil(to.getTime() / QUARTER_MS) * QUARTER_MS,
});

/** Those of the quarters of an hour that are in a span, wholly or partly. */
export const quartersAround = ({ from, to }: Span): Ends => ({
  from: Math.floor(from.getTime() / QUARTER_MS) * QUARTER_MS,
  to: Math.ceil(to.getTime() / QUARTER_MS) * QUARTER_MS,
});

/** The midnight (UTC) before a moment. */
export const midnightBefore = (at: Date): number => Math.floor(at.getTime() / DAY_MS) * DAY_MS;
