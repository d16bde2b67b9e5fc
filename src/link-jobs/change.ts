/** Jobs that change links, each to its own: every row names a link of the account, and says what changes. */
import type { Sql } from '../db/client.ts';
import { claimLinks, keepEarlier } from '../db/tables/link-jobs/links.ts';
import type { JobTurn } from '../db/tables/link-jobs/turns.ts';
import { findLinks, findLinksByExternalId, getLinks, type LinkRoute, lockLinks } from '../db/tables/links.ts';
import { holdRuleSets } from '../db/tables/rules/rule-sets.ts';
import { eachInSlices } from '../execution/time-limits.ts';
import { isOrdered, NO_RULE_SET } from '../links/edit.ts';
import { type Refused, type Result, refused } from '../result.ts';
import { isChange, type LinkChange, revertNext, writeLinks } from './earlier.ts';
import type { JobRow, Outcome, RowFault, RowKind } from './kind.ts';
import { createRowPasswords, PASSWORD_TOO_MANY } from './passwords.ts';

/** What a row of a change says. It names its link in one of two ways. */
export interface ChangeRow {
  readonly slug: string | null;
  /** The host of the slug; `null`: it is one of the shared domain. */
  readonly domain: string | null;
  readonly externalId: string | null;
  readonly route: Partial<LinkRoute>;
  /** The name of a rule set; `undefined`: the set stays, or the route has its id. */
  readonly ruleSet: string | null | undefined;
  /** A password that the link gets; `null`: the route has what changes about it. */
  readonly password: string | null;
  /** `null`: they stay as they are. */
  readonly tags: readonly string[] | null;
}

/** Reads the line of a row. @param isTable Whether it comes from a table, whose cells may have had faults. */
export type ReadChangeRow = (text: string, isTable: boolean) => Result<ChangeRow, RowFault>;

type Named = Pick<ChangeRow, 'slug' | 'domain' | 'externalId'>;

const faultOf = (
  { slug, externalId }: Pick<Named, 'slug' | 'externalId'>,
  field: string,
  message: string,
): RowFault => ({
  slug,
  externalId,
  field,
  message,
});

const fieldOfName = ({ slug }: Pick<Named, 'slug'>): 'slug' | 'external_id' =>
  slug === null ? 'external_id' : 'slug';

/** Returns a function that finds the slug with which the link of a row was made, or says why there is none. */
const findNamed = async (sql: Sql, accountId: string, rows: readonly Named[]) => {
  const slugs = await findLinks(
    sql,
    accountId,
    rows.flatMap(({ slug, domain }) => (slug === null ? [] : [{ slug, host: domain }])),
  );
  const ids = rows.flatMap(({ externalId }) => externalId ?? []);
  const named = ids.length === 0 ? [] : await findLinksByExternalId(sql, accountId, [...new Set(ids)]);
  const bySlug = new Map(slugs.map(({ slug, host, firstSlug }) => [`${host ?? ''}/${slug}`, firstSlug]));
  const byId = new Map<string, readonly string[]>();
  for (const { externalId, firstSlug } of named)
    byId.set(externalId, [...(byId.get(externalId) ?? []), firstSlug]);
  return (row: Named): string | RowFault => {
    const found =
      row.slug === null ? (byId.get(row.externalId!) ?? []) : [bySlug.get(`${row.domain ?? ''}/${row.slug}`)];
    const [first] = found;
    if (first === undefined) return faultOf(row, fieldOfName(row), 'there is no such short link');
    if (found.length === 1) return first;
    return faultOf(row, 'external_id', 'several short links have this id; name one of them by its slug');
  };
};

/** A row that can be read. */
interface ReadableRow {
  readonly row: number;
  readonly change: ChangeRow;
}

/** A row, and the slug with which its link was made. */
interface FoundRow extends ReadableRow {
  readonly firstSlug: string;
}

/** Replaces the passwords of rows with hashes. Calls `refuse` for a row whose password is one too many. */
const withHashes = async (
  sql: Sql,
  accountId: string,
  rows: readonly ReadableRow[],
  isDry: boolean,
  refuse: (row: number, fault: RowFault) => void,
): Promise<readonly ReadableRow[]> => {
  const named = rows.flatMap(({ change }) => (change.password === null ? [] : [change]));
  if (named.length === 0) return rows;
  const find = await findNamed(sql, accountId, named);
  const firstSlugs = named.map(find).filter((found) => typeof found === 'string');
  const present = new Map(
    (await getLinks(sql, accountId, firstSlugs)).map((link) => [link.firstSlug, link.passwordHash]),
  );
  const hashOf = createRowPasswords(isDry);
  const hashed: ReadableRow[] = [];
  for (const { row, change } of rows) {
    const { password, route } = change;
    const firstSlug = password === null ? null : find(change);
    // Another row of an unknown link is a fault later.
    if (password === null || typeof firstSlug !== 'string') hashed.push({ row, change });
    else {
      const passwordHash = await hashOf(password, present.get(firstSlug) ?? null);
      if (passwordHash === null) refuse(row, faultOf(change, 'password', PASSWORD_TOO_MANY));
      else hashed.push({ row, change: { ...change, route: { ...route, passwordHash } } });
    }
  }
  return hashed;
};

/** Returns a function that finds the id of the rule set that a row names; `undefined`: it names none. */
const findNamedSets = async (sql: Sql, accountId: string, rows: readonly ReadableRow[]) => {
  const names = rows.flatMap(({ change }) => change.ruleSet ?? []);
  const ids = rows.flatMap(({ change }) => change.route.ruleSetId ?? []);
  const sets = names.length + ids.length === 0 ? [] : await holdRuleSets(sql, accountId, { names, ids });
  return ({ ruleSet, route: { ruleSetId } }: ChangeRow): string | null | undefined | Refused<string> => {
    if (ruleSet === undefined && typeof ruleSetId !== 'string') return ruleSetId;
    if (ruleSet === null) return null;
    const set = sets.find(({ id, name }) => (ruleSet === undefined ? id === ruleSetId : name === ruleSet));
    return set?.id ?? refused(ruleSet === undefined ? 'rule_set_id' : 'rule_set');
  };
};

/** Handles rows that can be read. Calls `settle` for each of them. */
const handleRows = async (
  sql: Sql,
  job: JobTurn,
  rows: readonly ReadableRow[],
  settle: (row: number, outcome: Outcome) => void,
): Promise<readonly LinkChange[]> => {
  const find = await findNamed(
    sql,
    job.accountId,
    rows.map(({ change }) => change),
  );
  const found = rows.flatMap(({ row, change }): FoundRow[] => {
    const firstSlug = find(change);
    if (typeof firstSlug === 'string') return [{ row, change, firstSlug }];
    settle(row, firstSlug);
    return [];
  });
  const repeated = await claimLinks(sql, job.id, found);
  const firstSlugs = found.map(({ firstSlug }) => firstSlug);
  await lockLinks(sql, firstSlugs);
  const findSet = await findNamedSets(sql, job.accountId, found);
  const links = new Map(
    (await getLinks(sql, job.accountId, firstSlugs)).map((link) => [link.firstSlug, link]),
  );
  return found.flatMap(({ row, change, firstSlug }): LinkChange[] => {
    const first = repeated.get(row);
    const link = links.get(firstSlug);
    const refuse = (field: string, message: string): [] => {
      settle(row, faultOf(change, field, message));
      return [];
    };
    if (first !== undefined) return refuse(fieldOfName(change), `is the same short link as in row ${first}`);
    if (link === undefined) return refuse(fieldOfName(change), 'there is no such short link');
    const ruleSetId = findSet(change);
    if (typeof ruleSetId === 'object' && ruleSetId !== null) return refuse(ruleSetId.fault, NO_RULE_SET);
    const next = {
      ...{ ...link, ...change.route, tags: change.tags ?? link.tags },
      ...(ruleSetId !== undefined && { ruleSetId }),
    };
    if (!isOrdered(next)) return refuse('active_until', 'must be after active_from');
    const changed = { row, link, next };
    settle(row, isChange(changed) ? 'changed' : 'unchanged');
    return isChange(changed) ? [changed] : [];
  });
};

/** Creates the kind of job that changes links. */
export const createChangeKind = (sql: Sql, read: ReadChangeRow): RowKind => ({
  async prepare(job, rows, isDry) {
    const outcomes = new Map<number, Outcome>();
    const readable: ReadableRow[] = [];
    await eachInSlices(rows, ({ row, text }: JobRow) => {
      const change = read(text, job.terms.format === 'csv');
      if (change.ok) readable.push({ row, change: change.value });
      else outcomes.set(row, change.fault);
    });
    const hashed = await withHashes(sql, job.accountId, readable, isDry, (row, fault) =>
      outcomes.set(row, fault),
    );
    return async (parts, whenWaiting) => {
      const changes = await handleRows(parts.sql, job, hashed, (row, outcome) => outcomes.set(row, outcome));
      const writing = isDry ? [] : writeLinks(parts, job, changes, job.id);
      whenWaiting();
      return {
        outcomes: rows.map(({ row }) => outcomes.get(row)!),
        keptBytes: await keepEarlier(parts.sql, job.id, await writing),
      };
    };
  },
  revert: revertNext,
});
