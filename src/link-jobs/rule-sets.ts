/** Rule sets that the rows of an import name, and those that it makes because the account lacks them. */
import { hash } from 'node:crypto';
import { lockAccount, type Sql } from '../db/client.ts';
import { claimLinks, listClaimed } from '../db/tables/link-jobs/links.ts';
import type { JobTurn } from '../db/tables/link-jobs/turns.ts';
import type { Rule } from '../db/tables/rules/rule.ts';
import { countRuleSets, holdRuleSets, insertRuleSet, RULE_SETS_MAX } from '../db/tables/rules/rule-sets.ts';
import { NO_RULE_SET } from '../links/edit.ts';
import type { RowFault } from './kind.ts';

/** A rule set as a row names it. */
export interface NamedRuleSet {
  readonly name: string;
  /** With these the set is made; `null`: it must be there. */
  readonly rules: readonly Rule[] | null;
}

/** A rule set that is there, or in a dry run would be. */
interface KnownSet {
  readonly id: string;
  readonly sha256: string;
}

/** What a dry run notes of the sets that the import would make, and an import of those that it has made. */
const WOULD_MAKE = '#';
const MADE = '%';

const shaOf = (rules: readonly Rule[]): string => hash('sha256', JSON.stringify(rules), 'base64url');

const fault = (message: string): Pick<RowFault, 'field' | 'message'> => ({ field: 'rule_set', message });

/** Returns the sets that a dry run would have made with earlier pieces, by name. */
const listEarlier = async (tx: Sql, jobId: string): Promise<ReadonlyMap<string, KnownSet>> => {
  const noted = await listClaimed(tx, jobId, WOULD_MAKE);
  return new Map(
    noted.map((text) => {
      const [sha256 = '', ...name] = text.split(' ');
      return [name.join(' '), { id: '', sha256 }];
    }),
  );
};

/**
 * Finds the sets that rows name, and makes those that are missing if a row has their rules: whatever becomes of that row,
 * later ones name the set without them. Must be the first thing in the transaction.
 *
 * @returns A function that returns the id of a set, or what is wrong with it.
 */
export const resolveRuleSets = async (
  tx: Sql,
  { id: jobId, accountId, keyId, allOrNothing }: JobTurn,
  rows: readonly { readonly row: number; readonly ruleSet: NamedRuleSet | null }[],
  isDry: boolean,
) => {
  const named = rows.flatMap(({ row, ruleSet }) => (ruleSet === null ? [] : [{ row, ...ruleSet }]));
  const known = new Map<string, KnownSet>();
  let isFull = false;
  if (named.length > 0) {
    const defined = named.flatMap(({ row, name, rules }) => (rules === null ? [] : [{ row, name, rules }]));
    if (!isDry && defined.length > 0) await lockAccount(tx, accountId);
    const names = [...new Set(named.map(({ name }) => name))];
    const earlier = isDry ? await listEarlier(tx, jobId) : new Map<string, KnownSet>();
    for (const [name, set] of earlier) known.set(name, set);
    for (const { id, name, rules } of await holdRuleSets(tx, accountId, { names, ids: [] }))
      known.set(name, { id, sha256: shaOf(rules) });
    const isMissing = defined.some(({ name }) => !known.has(name));
    let count = isMissing ? (await countRuleSets(tx, accountId)) + earlier.size : 0;
    for (const { row, name, rules } of defined) {
      if (known.has(name)) continue;
      isFull = count >= RULE_SETS_MAX;
      if (isFull) break;
      count += 1;
      const sha256 = shaOf(rules);
      const id = isDry ? '' : (await insertRuleSet(tx, { accountId, keyId }, { name, rules })).id;
      known.set(name, { id, sha256 });
      if (isDry) await claimLinks(tx, jobId, [{ firstSlug: `${WOULD_MAKE}${sha256} ${name}`, row }]);
      else if (allOrNothing) await claimLinks(tx, jobId, [{ firstSlug: MADE + id, row }]);
    }
  }
  return ({ name, rules }: NamedRuleSet): string | Pick<RowFault, 'field' | 'message'> => {
    const set = known.get(name);
    if (set === undefined)
      return fault(
        rules !== null && isFull
          ? `is one too many: an account may have ${RULE_SETS_MAX} rule sets`
          : `${NO_RULE_SET}; the first row that names it may have its rules, too`,
      );
    if (rules === null || set.sha256 === shaOf(rules)) return set.id;
    return fault('has other rules than your rule set of this name; give one of them another name');
  };
};

/** Returns the ids of the sets that an import has made. */
export const listMadeSets = (tx: Sql, jobId: string): Promise<readonly string[]> =>
  listClaimed(tx, jobId, MADE);
